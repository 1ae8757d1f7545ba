"""dupai reproduce experience: hash tables, matches, networks, opponents that are known, small."""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from dupai.base import ConfigError, Estimate, NotationError
from dupai.cards import CARD_MASK, COMBO_CARDS, cards, hand_value_table, strength, strengths
from dupai.experiments import load_paper, run_paper
from dupai.experiments._experience import _cells as known, _config as experience, _doubt as doubt
from dupai.experiments._experience._cells import (
    Collisions,
    Known,
    Match,
    Steps,
    Tables,
    cnn_cells,
    cnn_needs as needs,
    count_collisions,
    known_cell,
    known_cells,
    match_cells,
    play_cell,
    showdowns,
    time_tables,
)
from dupai.experiments._experience._config import (
    ABLATION,
    ABLATION_STEPS,
    ANOTHER,
    MEGABYTES,
    MODELS,
    NETWORKS,
    OPPONENTS,
    OTHER,
    OVERFLOWS,
    OWN,
    RULES,
    SHIPPED,
    SMALL,
    TUTORIAL,
    pairs,
)
from dupai.experiments._experience._position import search_position
from dupai.experiments._experience._printed import ACCURACY as TABLE, COLLISIONS as PRINTED, TABLE4
from dupai.experiments._experience._report import (
    birthday,
    cnn_section,
    hash_section,
    known_section,
    match_section,
    pooled,
)
from dupai.experiments._experience._zobrist import (
    ZOBRIST_HANDS,
    ZOBRIST_ROW,
    ZobristTable,
    stored_hands,
    zobrist_collisions,
    zobrist_keys,
)
from dupai.reading.cnn import load_cnn
from dupai.training import StepScore
from naive.experiments_zobrist import Table
from support.pulses import Going as Quiet


def test_birthday_estimate_is_slots_that_stay_empty() -> None:
    rng = np.random.default_rng(1)
    hands, slots = 5_000, 4_096
    drawn = [hands - len(np.unique(rng.integers(0, slots, hands))) for _ in range(200)]
    expected = hands - slots * (1 - (1 - 1 / slots) ** hands)
    assert np.mean(drawn) == pytest.approx(expected, abs=3 * np.std(drawn) / math.sqrt(200))
    # The paper's smallest table is full: nearly every second hand collides.
    n, slots = 1_296_420, 16 * 2**20 / 16
    assert birthday(16) == pytest.approx(n - slots * (1 - math.exp(-n / slots)), rel=1e-5)


def test_collisions_of_a_seed_fall_with_the_size() -> None:
    found = count_collisions(Collisions(7, 1), Quiet())
    assert found is not None
    (counts,) = found
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == pytest.approx(birthday(16), rel=0.06)

    assert count_collisions(Collisions(7, 1), Quiet(0)) is None


def test_hash_section_says_what_is_off() -> None:
    rng = np.random.default_rng(2)

    def made(scale):
        return {f"seeds {k}": [[int(scale * birthday(m) + rng.normal(0, 9)) for m in MEGABYTES]] * 5 for k in range(8)}

    good = hash_section(made(1.0), "quick")
    columns = good.tables[0].columns
    at = columns.index("within the limit")
    assert [row[at] for row in good.tables[0].rows][:4] == ["yes"] * 4
    assert [row.paper for row in good.rows if row.paper is not None] == [figure.text for figure in PRINTED.values()]
    bad = hash_section(made(1.1), "quick")
    assert {row[at] for row in bad.tables[0].rows} == {"no"}


def test_collisions_far_from_ours_differ() -> None:
    rng = np.random.default_rng(2)

    def verdicts(scale):
        counts = [[int(scale * birthday(m) * rng.normal(1, 0.05)) for m in MEGABYTES] for _ in range(40)]
        return {row.label: row.verdict.kind for row in hash_section({"seeds 0": counts}, "quick").rows if row.verdict}

    assert verdicts(1.0)["collisions, 16 MB"] == "agrees"
    # Two-sided: fewer collisions than printed are no agreement either.
    assert verdicts(1.4)["collisions, 16 MB"] == verdicts(0.6)["collisions, 16 MB"] == "differs"


def test_search_time_by_table_size() -> None:
    found = {f"tables {o}": time_tables(Tables(o, (16, 128)), Quiet()) for o in OVERFLOWS}
    assert time_tables(Tables(128, (16,)), Quiet(0)) is None
    section = hash_section(found, "quick")
    (same, *timed) = section.rows
    assert same.verdict.kind == "agrees"
    assert [row.verdict.kind for row in timed] == ["cannot be compared"] * 2
    table = next(t for t in section.tables if t.title.startswith("Tables 1 and 2"))
    assert [row[0] for row in table.rows] == ["16 MB", "128 MB"]
    found["tables 256"] = {size: [n + 1, *t] for size, (n, *t) in found["tables 256"].items()}
    assert hash_section(found, "quick").rows[0].verdict.kind == "differs"


def test_showdowns_of_the_position_that_the_paper_times() -> None:
    rows = showdowns()
    # 47 unseen cards: 1081 pairs for the board, 990 hands of the opponent for each.
    assert rows.shape == (1081 * 990, 9)
    assert (rows[:, :3] == cards("9d8s7d")).all()
    some = rows[:: len(rows) // 500]
    assert all(len(set(row)) == 9 for row in some.tolist())
    # In order of the combos, which a stretch of a single board shows.
    known = set(map(tuple, COMBO_CARDS.tolist()))
    first = [tuple(row) for row in rows[:990, 7:].tolist()]
    assert len(set(first)) == 990
    assert set(first) <= known
    row = some[3].tolist()
    assert strength(row[:7]) != 0
    view = search_position()
    assert (view.actor, tuple(view.hole), tuple(view.board)) == (0, cards("AsKh"), cards("9d8s7d"))


def test_blocks_are_pooled_as_one_sample() -> None:
    values = np.random.default_rng(3).normal(5, 40, 300)
    blocks = [values[:100], values[100:200], values[200:]]
    told = [[b.mean(), b.std(ddof=1) / 10, 100] for b in blocks]
    whole = Estimate.of(values)
    found = pooled(told)
    assert found.mean == pytest.approx(whole.mean)
    assert found.se == pytest.approx(whole.se, rel=0.02)
    # Somebody learns: a block is one observation.
    assert pooled([[1.0, None, 1], [3.0, None, 1]]) == Estimate.of([1.0, 3.0])


def test_a_cell_of_a_match() -> None:
    found = play_cell(Match("expert", "style:paper-TP", 6, 3, False), Quiet())
    assert found is not None
    assert (found["hands"], found["faults"]) == (12, 0)
    assert found["plain"][2] == 6
    printed = play_cell(Match("expert", "expert", 20, 3, True), Quiet())
    assert printed is not None
    assert printed["reduced"] is None
    assert printed["hands"] == 20


def test_everybody_plays_everybody() -> None:
    known = [(a, b) for a, b, _ in pairs("full")]
    for name in ("exp+exp", "expert"):
        assert {b for a, b in known if a == name} >= {
            "style:paper-LA",
            "style:paper-LP",
            "style:paper-TA",
            "style:paper-TP",
            "rules",
            "mcts",
        }
    assert ("exp+exp", "expert") in known
    assert {deals for a, b, deals in pairs("full") if b != "mcts"} == {3_000}
    tasks = match_cells("full", 0)
    assert len({cell.key for cell in tasks}) == len(tasks)
    # No deal is played twice by a pair, and nothing depends on seeds that rules were chosen with.
    seeds = [(c.task.first, c.task.second, c.task.seed, c.task.table4) for c in tasks]
    assert len(set(seeds)) == len(seeds)


def test_match_section() -> None:
    found = {
        "exp+exp | rules #0": {
            "chips": 10.0,
            "hands": 200,
            "plain": [50.0, 9.0, 100],
            "reduced": [60.0, 5.0, 100],
            "faults": 0,
        },
        "exp+exp | rules #1": {
            "chips": 10.0,
            "hands": 200,
            "plain": [40.0, 9.0, 100],
            "reduced": [40.0, 5.0, 100],
            "faults": 0,
        },
        "expert | style:paper-TP #0": {
            "chips": 0.0,
            "hands": 200,
            "plain": [1.0, 9.0, 100],
            "reduced": [-1.0, 5.0, 100],
            "faults": 0,
        },
    }
    for k in range(10):
        found[f"table 4 doubt=0 exp+exp | expert #{k}"] = {
            "chips": 63.1,
            "hands": 100,
            "plain": [6.31, 500.0, 100],
            "reduced": None,
            "faults": 0,
        }
    section = match_section(found, "full")
    (row,) = section.rows
    assert row.paper == TABLE4["exp+exp", "expert"].text == "631"
    assert "exp:turns=8,rivers=3,doubt=0 against expert" in row.label
    assert row.ours.mean == pytest.approx(631)
    assert row.ours.se == pytest.approx(500 / math.sqrt(10) * 100)
    # The luck of 1,000 hands is far more than 631 chips: it orders nothing.
    assert row.verdict is not None
    assert row.verdict.kind == "cannot be compared"
    lines = {(line[0], line[1]): line for line in section.tables[0].rows}
    assert lines["exp:turns=8,rivers=3", "rules"][2] == "200"
    assert lines["exp:turns=8,rivers=3", "rules"][4].mean == pytest.approx(50)
    assert lines["exp:turns=8,rivers=3", "rules"][5] == "wins"
    assert lines["expert", "style:paper-TP"][5] == "not decided"


def test_the_part_runs_and_reports(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(experience, "names", lambda: ["expert"])
    monkeypatch.setattr(experience, "pairs", lambda size: [("expert", "style:paper-TP", 4)])
    result = run_paper(load_paper("experience"), tmp_path, parts=("matches",))
    assert not result.partial
    assert (tmp_path / "report.html").read_text().count("style:paper-TP") >= 1


def test_the_papers_exp_takes_the_best_action_of_its_search() -> None:
    """On the paper's test position the search's best action is a raise; with doubt the rules' check wins."""
    best = doubt.position_cell("exp:paper,turns=3,rivers=2", Quiet())
    assert max(best["chances"]) == 1.0
    assert best["chances"].index(1.0) == best["values"].index(max(best["values"]))
    assert best["actions"][best["chances"].index(1.0)].startswith("r")
    mixed = doubt.position_cell("exp:turns=3,rivers=2,doubt=0.3", Quiet())
    assert mixed["values"] == best["values"]
    assert mixed["chances"][0] > 0.5


def test_both_versions_play_the_same_deals_and_a_test_decides() -> None:
    task = doubt.Deals("expert", "style:paper-TA", 12, 4, 8, 3)
    some = doubt.deals_cell(task, Quiet())
    whole = doubt.deals_cell(task._replace(start=0, stop=12), Quiet())
    assert some is not None
    assert whole is not None
    assert some["won"] == whole["won"][4:8]
    assert doubt.deals_cell(task, Quiet(0)) is None
    rng = np.random.default_rng(1)
    luck = rng.normal(size=4000)
    for mean, better in ((0.2, "doubt=0"), (-0.2, "doubt=0.3"), (0.0, "neither")):
        decision, deals = doubt.decide((luck - luck.mean() + mean).tolist())
        assert decision == better
        assert 500 <= deals <= 4000
    assert doubt.decide([1.0, -1.0]) == ("not decided", 2)


def test_the_section_of_both_versions() -> None:
    luck = np.random.default_rng(2).normal(size=600)
    found = {}
    for other in doubt.FIELD:
        found[f"doubt=0 | {other} #0"] = {"won": (luck + 0.5).tolist(), "faults": 0}
        found[f"doubt=0.3 | {other} #0"] = {"won": (0.9 * luck).tolist(), "faults": 0}
    # A block that only one of them has played is left out.
    found["doubt=0 | rules #1"] = {"won": [99.0] * 50, "faults": 0}
    section = doubt.section(found, "full")
    assert [row[1] for row in section.tables[0].rows] == [600] * 6
    assert {row[5] for row in section.tables[0].rows} == {"doubt=0"}
    assert "doubt=0 is better in 6 of 6 tests" in section.findings[0]


def test_quick_trains_only_what_its_verdicts_need_and_full_the_honest_large_batches() -> None:
    quick, full = ([c.task for c in cnn_cells(size, 0) if isinstance(c.task, Steps)] for size in ("quick", "full"))
    judged = {(t.marks[-1], t.batch) for t in quick if t.information == "literal"}
    assert judged == {(500, 32), (1000, 128)}
    # The large batches are of --full alone, there with honest inputs too.
    large = {(t.network, t.information) for t in full if t.batch == 1024}
    assert large == {(network, kind) for network in NETWORKS for kind in ("literal", "honest")}
    assert {t.information for t in quick if (t.marks, t.batch) == ((500,), 32)} == set(ABLATION)
    # Two blocks of deals decide nothing: no finding says that knowing the opponent pays.
    block = {"accuracy": None, "log_loss": None, "deals": 25, "faults": 0, "plain": [9.0, 1.0, 25]}
    cells = {
        c.key: block | {"reduced": [1e4 if OWN in c.key else k, 1.0, 25]} for k, c in enumerate(known_cells("quick", 0))
    }
    findings = known_section(cells, "quick").findings
    assert findings and not [line for line in findings if "it pays" in line or "it costs" in line]


def _score(information: str, batch: int, steps: int, accuracy: float, network: str = SMALL) -> dict[str, Any]:
    made: dict[str, Any] = msgspec.to_builtins(
        StepScore(
            information=information, batch=batch, steps=steps, paper_accuracy=accuracy, paper_samples=10 * batch,
            accuracy=accuracy, accuracy_se=0.002, log_loss=0.5, log_loss_se=0.01, ece=0.03, decisions=40_000,
            streets=dict.fromkeys(("preflop", "flop", "turn", "river"), (accuracy, 0.5, 10000)),
        )
    )  # fmt: skip
    return made | {"network": network}


def test_cells_cover_the_papers_table() -> None:
    quick, full = cnn_cells("quick", 0), cnn_cells("full", 0)
    assert len({c.key for c in full}) == len(full) > len(quick)
    literal = [c for c in full if c.key != "shipped" and c.task.information == "literal"]
    for network in NETWORKS:
        marks = {(steps, c.task.batch) for c in literal for steps in c.task.marks if c.task.network == network}
        assert marks == set(TABLE)
    for size, cells in (("quick", quick), ("full", full)):
        steps, batch = ABLATION_STEPS[size]
        leaks = [c.task for c in cells if c.key != "shipped" and (c.task.marks, c.task.batch) == ((steps,), batch)]
        assert {task.information for task in leaks if task.network == SMALL} == set(ABLATION)


def test_section_puts_literal_beside_the_paper_and_honest_apart() -> None:
    results: dict[str, Any] = {
        f"{information} {k}": [_score(information, 128, 1000, accuracy)]
        for k, (information, accuracy) in enumerate(zip(ABLATION, (0.70, 0.69, 0.78, 0.97, 0.98), strict=True))
    }
    card = load_cnn().about.card
    results["shipped"] = card["test"]["network"] | {"moves": card["test_moves"]["network"]}
    section = cnn_section(results, "full")
    literal, honest = section.rows
    assert (literal.paper, literal.verdict.kind, literal.ours.mean) == ("94", "differs", pytest.approx(98))  # type: ignore[union-attr]
    assert (honest.paper, honest.verdict, honest.ours.mean) == (None, None, pytest.approx(70))  # type: ignore[union-attr]
    assert [row[0] for row in section.tables[0].rows] == list(ABLATION)
    assert "honest+chips: +27.0 points" in " ".join(section.findings)
    assert [row[0] for row in section.tables[1].rows[-2:]] == ["all", "all, in the paper's moves"]


def test_part_says_what_it_lacks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DUPAI_SHARED", str(tmp_path))
    said = needs()
    assert said is not None and "DUPAI_SHARED" in said
    assert load_paper("experience").parts[1].needs() == said


def test_verdicts_on_accuracy_are_two_sided_and_the_networks_bracket_it() -> None:
    def verdict(accuracy: float) -> str:
        (row,) = cnn_section({"one": [_score("literal", 32, 500, accuracy)]}, "quick").rows
        assert row.verdict is not None
        return row.verdict.kind

    # 88.1 % of 320 samples.
    assert (verdict(0.984), verdict(0.89), verdict(0.78)) == ("differs", "agrees", "differs")
    both = {"a": [_score("literal", 32, 500, 0.984)], "b": [_score("literal", 32, 500, 0.80, TUTORIAL)]}
    section = cnn_section(both, "quick")
    assert "88.1 % lies between our networks' 80.00 and 98.40 %" in section.findings[0]
    assert section.charts[0].lines[-1].printed


def test_all_models_meet_an_opponent_on_the_same_deals() -> None:
    cells = known_cells("full", 0)
    assert len({cell.key for cell in cells}) == len(cells)
    for opponent in OPPONENTS:
        assert ANOTHER[opponent] in OPPONENTS
        assert ANOTHER[opponent] != opponent
        seeds = [[c.task.seed for c in cells if (c.task.model, c.task.opponent) == (m, opponent)] for m in MODELS]
        assert all(one == seeds[0] for one in seeds)
        assert len(set(seeds[0])) == len(seeds[0])


def test_a_cell_asks_for_the_network_of_the_right_opponent(monkeypatch, tmp_path) -> None:
    asked = []

    def stopped(opponent, watch):
        asked.append(opponent)

    monkeypatch.setattr(known, "network", stopped)
    assert known_cell(Known(OWN, "style:paper-LA", 2, 1), Quiet()) is None
    assert known_cell(Known(OTHER, "style:paper-LA", 2, 1), Quiet()) is None
    assert asked == ["style:paper-LA", "style:paper-TA"]
    found = known_cell(Known(RULES, "style:paper-TA", 2, 1), Quiet())
    assert found is not None
    assert (found["deals"], found["faults"], found["reduced"][2]) == (2, 0, 2)


def test_section_compares_on_the_same_deals() -> None:
    luck = np.random.default_rng(4).normal(0, 5_000, 12)
    worth = {RULES: 0.0, SHIPPED: -400.0, OTHER: 0.0, OWN: 900.0}
    results = {
        f"{model} | rules #{k}": {
            "deals": 25,
            "plain": [0.0, 100.0, 25],
            "reduced": [worth[model] + luck[k], 100.0, 25],
            "faults": 0,
            "accuracy": 0.9 if model == OWN else None,
            "log_loss": 0.3 if model == OWN else None,
        }
        for model in MODELS
        for k in range(12)
    }
    del results[f"{OWN} | rules #7"]
    section = known_section(results, "full")
    (table,) = section.tables
    rows = {row[1]: row for row in table.rows}
    assert {row[0] for row in table.rows} == {"rules"}
    # The luck of the deals is that of all models, and goes out.
    at = table.columns.index("more than by rules, same deals")
    assert rows[RULES][at] is None
    assert rows[OWN][at].mean == pytest.approx(900)
    assert rows[OWN][at].n == 11
    assert rows[OWN][at].se == pytest.approx(0, abs=1e-6)
    assert rows[OWN][2] == "90.0 % (0.300)"
    assert rows[OWN][3] == "275"
    assert [text.rpartition(": ")[2] for text in section.findings] == ["it pays."] * 3
    assert "+1,300 mbb/hand" in section.findings[1]
    few = known_section({key: found for key, found in results.items() if int(key.rpartition("#")[2]) < 7}, "full")
    assert all(text.endswith("too few (7).") for text in few.findings)
    assert known_section({}, "full").tables == ()


@pytest.fixture(scope="module")
def table() -> ZobristTable:
    return ZobristTable(base=32, overflow=32, seed=3)


@pytest.fixture(scope="module")
def sevens() -> np.ndarray:
    rng = np.random.default_rng(8)
    return np.argsort(rng.random((1_000_000, 52), np.float32), axis=1)[:, :7].astype(np.uint8)


def values(hands: np.ndarray) -> np.ndarray:
    return hand_value_table()[strengths(np.bitwise_or.reduce(CARD_MASK[hands], axis=1))]


def test_a_row_has_sixteen_bytes() -> None:
    assert ZOBRIST_ROW.itemsize == 16


def test_every_five_cards(table: ZobristTable) -> None:
    """All 2,598,960 hands: the stored ones are found with their values, no other is found."""
    hands = np.fromiter((c for five in combinations(range(52), 5) for c in five), np.uint8).reshape(-1, 5)
    true = values(hands)
    assert np.count_nonzero(true >> 20) == ZOBRIST_HANDS
    # A high card is read off its ranks, so a false hit would show as another value.
    assert (table.values(hands) == true).all()


def test_a_million_of_seven_cards(table: ZobristTable, sevens: np.ndarray) -> None:
    assert (table.values(sevens) == values(sevens)).all()


def test_six_cards(table: ZobristTable, sevens: np.ndarray) -> None:
    six = sevens[:50_000, :6]
    assert (table.values(six) == values(six)).all()


def test_collisions_are_those_of_the_filled_table(table: ZobristTable) -> None:
    assert zobrist_collisions(3, 32) == table.collisions
    key, check, _ = stored_hands(zobrist_keys(3))
    # The overflow table holds them all, and no two hands have the same check word.
    assert np.count_nonzero(table.overflow["used"]) == table.collisions
    assert np.count_nonzero(table.base["used"]) + table.collisions == ZOBRIST_HANDS
    assert len(np.unique(check)) == ZOBRIST_HANDS
    assert key.max() < 1 << 32


def test_collisions_lie_near_the_birthday_estimate() -> None:
    """Of n hands thrown into s slots ``n - s (1 - (1 - 1/s)**n)`` find theirs taken; the mean of 12 seeds is near."""
    keys = [stored_hands(zobrist_keys(seed))[0] for seed in range(12)]
    for megabytes in (16, 64):
        slots = megabytes * 65_536
        expected = ZOBRIST_HANDS - slots * (1 - (1 - 1 / slots) ** ZOBRIST_HANDS)
        found = [zobrist_collisions(seed, megabytes, key) for seed, key in enumerate(keys)]
        assert np.mean(found) == pytest.approx(expected, rel=0.05)


def test_naive_twin() -> None:
    """A dictionary with small tables, filled with some of the hands."""
    from dupai.experiments._experience._kernels import fill_kernel, zobrist_values_kernel

    keys = zobrist_keys(11)
    deck = [0, 1, 2, 3, 4, 5, 13, 14, 15, 26, 28, 39]
    hands = list(combinations(deck, 5))
    naive = Table(keys, 256, 1024, hands)
    stored = [h for h in hands if naive.find(h)]
    words = np.array([naive.words(h) for h in stored], np.uint64)
    true = np.array([naive.find(h) for h in stored], np.uint32)
    base, overflow = np.zeros(256, ZOBRIST_ROW), np.zeros(1024, ZOBRIST_ROW)
    collisions = fill_kernel(words[:, 0].copy(), words[:, 1].copy(), true, base, overflow)
    assert collisions == naive.collisions
    assert {int(s): int(c) for s, c in enumerate(base["check"]) if base["used"][s]} == {
        s: c for s, (c, _) in naive.base.items()
    }
    assert {int(s): int(c) for s, c in enumerate(overflow["check"]) if overflow["used"][s]} == {
        s: c for s, (c, _) in naive.overflow.items()
    }
    rng = np.random.default_rng(0)
    seven = np.array([rng.choice(deck, 7, replace=False) for _ in range(200)], np.uint8)
    out = np.empty(200, np.uint32)
    zobrist_values_kernel(seven, keys.key, keys.check, base, overflow, out)
    assert out.tolist() == [naive.value(h.tolist()) for h in seven]


def test_a_full_overflow_table_is_refused() -> None:
    with pytest.raises(ConfigError, match="an overflow table of 1 MB cannot hold"):
        ZobristTable(base=1, overflow=1)


@pytest.mark.parametrize("size", [0, 3, 100])
def test_sizes(size: int) -> None:
    with pytest.raises(ConfigError, match=f"a table of {size} MB: expected a power of two"):
        ZobristTable(base=size)


def test_hands_that_are_none(table: ZobristTable) -> None:
    with pytest.raises(NotationError, match=r"hands of shape \[1, 4\]"):
        table.values([[0, 1, 2, 3]])
    with pytest.raises(NotationError, match="60 is not a card"):
        table.values([[0, 1, 2, 3, 60]])
