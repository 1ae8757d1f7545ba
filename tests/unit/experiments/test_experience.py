"""dupai reproduce experience: the hash table and the matches, small."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dupai.base import Estimate
from dupai.cards import COMBO_CARDS, cards, strength
from dupai.experiments import load_paper, run_paper
from dupai.experiments._experience import _config as experience, _doubt as doubt
from dupai.experiments._experience._cells import (
    Collisions,
    Match,
    Steps,
    Tables,
    cnn_cells,
    count_collisions,
    known_cells,
    match_cells,
    play_cell,
    showdowns,
    time_tables,
)
from dupai.experiments._experience._config import ABLATION, MEGABYTES, NETWORKS, OVERFLOWS, OWN, pairs
from dupai.experiments._experience._position import search_position
from dupai.experiments._experience._printed import COLLISIONS as PRINTED, TABLE4
from dupai.experiments._experience._report import birthday, hash_section, known_section, match_section, pooled
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
    found["tables 256"] = {size: [n + 1, t] for size, (n, t) in found["tables 256"].items()}
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
    found = play_cell(Match("expert", "style:TP", 6, 3, False), Quiet())
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
        assert {b for a, b in known if a == name} >= {"style:LA", "style:LP", "style:TA", "style:TP", "rules", "mcts"}
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
        "expert | style:TP #0": {
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
    assert lines["expert", "style:TP"][5] == "not decided"


def test_the_part_runs_and_reports(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(experience, "names", lambda: ["expert"])
    monkeypatch.setattr(experience, "pairs", lambda size: [("expert", "style:TP", 4)])
    result = run_paper(load_paper("experience"), tmp_path, parts=("matches",))
    assert not result.partial
    assert (tmp_path / "report.html").read_text().count("style:TP") >= 1


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
    task = doubt.Deals("expert", "style:TA", 12, 4, 8, 3)
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
