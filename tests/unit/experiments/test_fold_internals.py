"""The FOLD paper's experiments: what the cells do and what the sections make of results."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest

from dupai.agents import make_agent
from dupai.base import Estimate
from dupai.experiments import load_paper, run_paper
from dupai.experiments._fold import _config
from dupai.experiments._fold._cells import (
    Block,
    Example,
    Matches,
    Scoring,
    example_view,
    measure,
    opponents_of,
    play_block,
    play_matches,
    predict_example,
    score,
    table3_cells,
)
from dupai.experiments._fold._config import ABLATION, AGENTS, FIELD, LIMIT_READER, OURS, OWN, PAPER, READERS, SEVEN
from dupai.experiments._fold._matches import (
    Duels,
    _ahead,
    agreement,
    standings,
    table3_section as section3,
    tournament_section as section_tournaments,
)
from dupai.experiments._fold._printed import TABLE3_PLAYERS, table3
from dupai.experiments._fold._report import (
    ahead,
    example_section,
    figure7_section as section7,
    pooled,
    reader_section as section_readers,
    relative,
    theta_section,
)
from dupai.reading import load_reader
from dupai.reading.fold import PAPER_CONSTANTS
from dupai.rules import STREET_NAMES
from support.pulses import Going

UNREAD = "fold:reader=uniform,samples=100"


def test_the_paper_is_known_by_name_and_its_cells_by_key() -> None:
    paper = load_paper("fold")
    names = ["formulas", "theta", "figure4", "figure7", "table3", "tournaments", "readers"]
    assert [p.name for p in paper.parts] == names
    for part in paper.parts:
        if part.needs() is not None:
            continue
        for size in ("quick", "full"):
            keys = [c.key for c in part.cells(size, 0)]
            assert len(set(keys)) == len(keys) > 0


def test_figure_4_scatters_as_the_square_root_of_the_deals() -> None:
    few, many = (measure((n, 60, 1), Going()) for n in (50, 5_000))
    assert few["spread"] / many["spread"] == pytest.approx(10, rel=0.5)
    assert few["mean"] == pytest.approx(many["mean"], abs=0.05)


def test_opponents_are_the_same_for_every_variant() -> None:
    a, b = (Matches(spec, 5, 0, 4, 3) for spec in ("fold", "fold:implied=off"))
    for match in range(5):
        drawn = opponents_of(a, match)
        assert drawn == opponents_of(b, match)
        assert len(set(drawn)) == 4 and set(drawn) <= set(FIELD)
    assert len({tuple(opponents_of(a, m)) for m in range(5)}) > 1
    assert opponents_of(Matches("fold", 2, 0, 0, 3, "caller"), 0) == ["caller"]


def test_a_cell_of_matches_and_its_tables() -> None:
    found = play_matches(Matches(UNREAD, 3, 0, 1, 1), Going())
    assert found is not None
    for match in found["matches"]:
        assert match["rows"][0][0] == UNREAD
        assert sum(row[3] for row in match["rows"]) == 3 * 4_000
        assert sorted(row[1] for row in match["rows"]) == [1, 2, 3]
    assert len(found["matches"][0]["curves"][0][1]) == found["matches"][0]["hands"] + 1
    assert found["actions"][UNREAD]["before fold"] > 0
    assert play_matches(Matches(UNREAD, 3, 0, 1, 1), Going(3)) is None
    again = play_matches(Matches(UNREAD, 3, 0, 1, 1), Going())
    assert again == found
    assert standings(found["matches"])[UNREAD]["rank"].n == 2


def at_eight(spec: str, matches: int = 12) -> dict:
    """Matches at eight seats in which ``spec`` is first."""
    rows = [[name, k + 1.0, 600 - 50 * k, 4_000 - 100 * k, 100, 0] for k, name in enumerate((spec, *FIELD[:7]))]
    return {
        "matches": [
            {
                "match": m,
                "hands": 600,
                "rows": rows,
                "curves": [[row[0], [4_000, row[3]] if m else [4_000] * 12 + [row[3]]] for row in rows],
            }
            for m in range(matches)
        ],
        "actions": {spec: {"before fold": 3, "after raise": 1}},
    }


def test_both_programs_stand_side_by_side_in_the_tournaments() -> None:
    cells = {f"{name}|8|0": at_eight(spec) for name, spec in (("paper", PAPER), ("ours", OURS))}
    cells |= {"ours, no implied odds|8|0": at_eight(f"{OURS},implied=off")}
    told = section_tournaments(cells, "quick")
    labels = [row.label for row in told.rows]
    for spec in (PAPER, OURS):
        assert f"{spec}: mean rank, 8 players" in labels
        assert any(label.startswith(f"{spec}, eight players: rank") for label in labels)
    implied = next(row for row in told.rows if row.label == f"{OURS}: better mean rank with implied odds")
    assert implied.ours.mean == 0
    # Other opponents than the paper's: no verdict on values.
    ranks = [row for row in told.rows if "mean rank, 8" in row.label]
    assert {row.verdict.kind for row in ranks} == {"cannot be compared"}
    # Figure 10: one match, and the mean of ten; twelve are too few for a hundred.
    titles = [chart.title for chart in told.charts if "Figure 10" in chart.title]
    assert [t.split(":")[0] for t in titles] == ["Figure 10 (a)", "Figure 10 (b)"] * 2
    mean = next(c for c in told.charts if c.title.startswith("Figure 10 (b)")).lines
    assert len(mean[0].x) == 61 and {line.y[-1] for line in mean} == {4_000.0 - 100 * k for k in range(8)}


def test_agreement_grows_with_repeats() -> None:
    ranks = [1, 2, 1, 4, 1, 1, 3, 1, 8, 2] * 20
    few, many = agreement(ranks, 10), agreement(ranks, 100)
    assert few[0] < many[0] <= 100
    assert few[1] == pytest.approx(many[1] * 10**0.5)
    assert agreement(ranks, 200)[0] == pytest.approx(100)


def duels(*ranks: float) -> dict:
    rows = [[["fold", r, 600, 6000, 1, 0], ["x", 3 - r, 600, 2000, 1, 0]] for r in ranks]
    return {"matches": [{"match": i, "hands": 30, "rows": row} for i, row in enumerate(rows)], "actions": {}}


def test_table_3_counts_draws_as_half_and_pairs_programs_by_match() -> None:
    cells = {"paper|caller|0": duels(1, 1, 1.5, 2), "paper|fixed|0": duels(1, 1), "ours|caller|0": duels(1, 1, 1, 1)}
    found = Duels(cells)
    assert found.share("paper").mean == pytest.approx(100 * 4.5 / 6)
    assert found.share("paper", "caller").mean == 62.5 and found.gained("paper").mean == 4000
    assert found.matches("paper") == 6 and found.share("paper").n == 4
    # Only the four matches against caller were played by both.
    assert found.paired("ours", "paper") == pytest.approx(Estimate.of([0, 0, 50, 100]))
    assert found.pairs("ours", "paper") == 4
    told = section3(cells, "quick")
    assert f"{PAPER}: least of the field (caller)" in [row.label for row in told.rows]
    assert next(row for row in told.rows if row.label == f"{PAPER}: matches won").hands == 180
    assert told.rows[-1].label == f"{OURS} less {PAPER}, matches won, paired"


def test_errors_count_deals_and_not_matches() -> None:
    """The same cards against everybody: eleven opponents that all win or lose by the deal are one observation."""
    one = duels(*[1, 2, 1, 1] * 5)
    alike = Duels({f"paper|{k}|0": one for k in range(11)}).share("paper")
    assert alike == pytest.approx(Duels({"paper|0|0": one}).share("paper")) and alike.n == 20
    # Against opponents of which half win where the other half lose, the deals tell nothing apart.
    turned = {"matches": [m | {"rows": m["rows"][::-1]} for m in one["matches"]], "actions": {}}
    turned["matches"] = [m | {"rows": [m["rows"][1][:1] + m["rows"][0][1:], m["rows"][0][:1] + m["rows"][1][1:]]}
                         for m in turned["matches"]]  # fmt: skip
    both = Duels({"paper|a|0": one, "paper|b|0": turned}).share("paper")
    assert both.mean == 50 and both.se == pytest.approx(0) and both.n == 20


def test_figure_11_compares_within_matches() -> None:
    """Who shares a table with the program shares its chips: only the difference of each match counts."""
    tables = [{"rows": [["us", 1, 600, 1000 * k, 1, 0], ["x", 2, 500, 1000 * k - 500, 1, 0]]} for k in range(1, 13)]
    alone = {"rows": [["us", 8, 10, 0, 1, 0], ["y", 1, 600, 90_000, 1, 0]]}
    gap = _ahead([*tables, alone], "us", "x", "chips", 1)
    assert gap == Estimate(500, 0, 12)


def test_quick_claims_nothing_that_only_full_plays() -> None:
    # Every program that a quick run has an opinion on plays enough for an interval.
    cells = table3_cells("quick", 0)
    played = Counter()
    for cell in cells:
        played[cell.key.split("|")[0]] += cell.task.last - cell.task.first + 1
    assert {name for name in played if name in ABLATION} == {"paper, reads nothing"}
    assert min(played[name] for name in ("paper", "ours", "paper, reads nothing")) >= _config.FEW
    assert set(_config.ABLATION_MATCHES["full"]) == set(ABLATION)
    # Tables of four and eight, no variants: so no row on implied odds, and figure 8 waits for its 140 matches.
    matches = {key: _config.MATCHES["quick"][key] for key in (4, 8)}
    assert matches == _config.MATCHES["quick"] and min(matches.values()) >= 10
    told = section_tournaments({f"paper|8|{k}": at_eight(PAPER, matches[8]) for k in range(1)}, "quick")
    assert not [row for row in told.rows if "implied odds" in row.label]
    assert [row.verdict.kind for row in told.rows if "agreement" in row.label] == ["cannot be compared"]
    assert "A quick run" in told.text and "A quick run" not in section_tournaments({}, "full").text


def test_the_matrix_of_table_3_is_read_from_both_sides() -> None:
    a, b = SEVEN[:2]
    told = section3({f"{a}|{b}|0": duels(1, 1, 1, 2), f"paper|{a}|0": duels(2, 2)}, "quick")
    matrix = next(t for t in told.tables if t.title.startswith("Table 3, full matrix: matches"))
    assert len(matrix.rows) == len(SEVEN) + 2 and len(matrix.columns) == len(SEVEN) + 4
    shares = {row[0]: row[1:] for row in matrix.rows}
    assert shares[a][1].mean == 75 and shares[b][0].mean == 25
    assert shares[PAPER][0].mean == 0 and shares[a][len(SEVEN)].mean == 100
    assert shares[OURS][0] is None


def test_the_printed_matrix_adds_up() -> None:
    n, won, chips = len(TABLE3_PLAYERS), table3("won", 100), table3("chips", 0)
    assert [len(row) for row in (*won, *chips)] == [n] * 2 * n
    assert won[0] == [None, 90, 0, 95, 90, 55, 100, 5] and chips[7] == [6029, 7859, 2351, -1510, 5328, 1008, 3628, None]
    for i in range(n):
        for k in range(i):
            assert won[i][k] + won[k][i] == 100
            assert chips[i][k] == -chips[k][i]
    # Its total of matches won, 89 %, is the mean of its row.
    assert sum(v for v in won[-1] if v is not None) / 7 == pytest.approx(89, abs=0.5)


def test_the_ablation_plays_one_addition_at_a_time_on_the_same_cards() -> None:
    cells = {cell.key: cell.task for cell in table3_cells("full", 0)}
    tasks = [cells[f"{name}|rules|0"] for name in ("paper", *ABLATION, "ours")]
    assert len({task.spec for task in tasks}) == len(ABLATION) + 2
    assert len({task._replace(spec="") for task in tasks}) == 1
    for spec in ABLATION.values():
        make_agent(spec).close()


def test_figure_2_and_3() -> None:
    rates = PAPER_CONSTANTS.rates
    assert relative(0.55, rates.call, 50.0) == pytest.approx(0.61 / 0.06)
    assert relative(0.60, rates.call, 50.0) == 50 and relative(0.80, rates.call, 50.0) == pytest.approx(0.39 / 0.19)
    found = predict_example(Example(0.5, "", (2.5, 50.0)), Going())
    larger = predict_example(Example(0.75, "", (2.5, 50.0)), Going())
    kept = predict_example(Example(0.5, ",value_bets=on", (2.5, 50.0)), Going())
    reading = load_reader("fold:adapt=off").read(example_view(), [2])[2]
    for row in found:
        # Equation 16: the whole is the product of the streets.
        product = [math.prod(row["streets"][name]) for name in ("KsJc", "AdTc")]
        whole = [row["whole"][name] for name in ("KsJc", "AdTc")]
        assert product[0] / product[1] == pytest.approx(whole[0] / whole[1], rel=0.1)
    assert found[1]["whole"]["KsJc"] == pytest.approx(reading.probability("KsJc"))
    assert found[0]["bits"] < 0.2 < 3 < found[1]["bits"]
    # A bet of half the pot makes the nuts unlikely on figure 2's intervals; larger bets, or an interval that holds
    # them, make them likely, and more likely than the two pair, as the paper has it.
    for row, large, held in zip(found, larger, kept, strict=True):
        assert row["whole"]["KsJc"] < 1 / 990 < large["whole"]["KsJc"] and held["whole"]["KsJc"] > 1 / 990
        assert large["whole"]["KsJc"] > large["whole"]["AdTc"] and held["whole"]["KsJc"] > held["whole"]["AdTc"]
    told = example_section({"half pot": found, "3/4 pot": larger}, "quick")
    kinds = {row.label: row.verdict.kind for row in told.rows if row.verdict}
    assert kinds["relative probability of a call at a win rate of 0.55"] == "agrees"
    assert kinds["eight outs with two cards to come, 50 unseen cards"] == "agrees"
    for case in ("half pot", "3/4 pot"):
        assert kinds[f"bets of {case}, theta = 50: KsJc after four streets"] == "cannot be compared"
    assert [chart.title[:8] for chart in told.charts] == ["Figure 2", "Figure 3", "Figure 3"]


def test_scores_by_theta_stand_side_by_side() -> None:
    rows = [
        {"theta": theta, "group": g, "street": s, "cases": 50, "bits": bits, "se": 0.1, "cover50": 0.4, "cover95": 0.8,
         "top1": 0.3}
        for theta, bits in ((2.5, 0.5), (50.0, -1.0)) for g in ("a", "b") for s in STREET_NAMES
    ]  # fmt: skip
    told = theta_section({"some hands": rows}, "quick")
    lines = told.tables[0].rows
    assert len(lines) == 2 * len(STREET_NAMES) and lines[0][2] == Estimate(0.5, pytest.approx(0.1 / 2**0.5), 100)
    assert "2.5: +0.50 bits and 30 %, 50: -1.00 bits and 30 %" in told.findings[0]


def test_figure_7_on_our_own_hands() -> None:
    found = score(Scoring(OWN, None, 8, 0), Going())
    assert found and {r["reader"] for r in found["rows"]} == {*READERS, LIMIT_READER}
    assert all(0 <= a <= b <= c <= 1 for a, b, c in (r["top"] for r in found["rows"]))
    # The paired difference is that of the means.
    top = {(r["group"], r["reader"], r["street"]): sum(r["top"]) / 3 for r in found["rows"]}
    for r in found["pairs"]:
        apart = top[r["group"], r["reader"], r["street"]] - top[r["group"], r["than"], r["street"]]
        assert r["tops"] == pytest.approx(apart) and r["se_tops"] >= 0
    assert score(Scoring(OWN, None, 8, 0), Going(3)) is None


def test_figure_7_compares_readers() -> None:
    rows = [
        {"group": g, "reader": r, "street": s, "cases": 50, "top": [x, x + 0.1, x + 0.2]}
        for g in ("a", "b")
        for s in STREET_NAMES
        for r, x in (("fold", 0.5), ("markov", 0.4), ("model", 0.6))
    ]
    assert pooled(rows, "fold", "flop", 1) == Estimate(50.0, pytest.approx(5.0), 100)
    # Readers are compared in one order only, the first as the one compared with.
    pairs = [
        {"group": g, "reader": b, "than": a, "street": s, "cases": 50, "tops": gap, "se_tops": 0.02}
        for g in ("a", "b")
        for s in STREET_NAMES
        for a, b, gap in (("fold", "markov", -0.1), ("markov", "model", 0.2))
    ]
    assert ahead(pairs, "fold", "flop") == Estimate(pytest.approx(10), pytest.approx(2 / 2**0.5), 100)
    assert ahead(pairs, "model", "flop").mean == pytest.approx(20)
    told = section7({OWN: {"rows": rows, "pairs": pairs}}, "quick")
    assert [r.ours.mean for r in told.rows] == pytest.approx([10] * 5)
    assert [row[1] for row in told.tables[0].rows] == ["fold", "model"]
    assert "model +20.0" in told.findings[0]


def test_readers_are_compared_on_the_same_deals() -> None:
    won = play_block(Block(UNREAD, "caller", 0, 3, 1), Going())
    assert won == play_block(Block(UNREAD, "caller", 0, 3, 1), Going())
    assert play_block(Block(UNREAD, "caller", 0, 3, 1), Going(2)) is None
    told = section_readers({f"{n}|rules|{b}": 10.0 * i + b for i, n in enumerate(AGENTS) for b in range(3)}, "quick")
    # model is the first, fold the second: 0 + b less 10 + b.
    assert told.rows[0].ours == Estimate(-10.0, 0.0, 3)


def test_the_report_of_a_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_config, "DEALS", (500, 1000))
    monkeypatch.setattr(_config, "REPEATS", {"quick": 20, "full": 20})
    result = run_paper(load_paper("fold"), tmp_path, parts=["figure4"])
    row = result.parts[0].section.rows[0]
    assert row.paper == "3.3" and row.verdict is not None
    assert "<svg" in (tmp_path / "report.html").read_text()
