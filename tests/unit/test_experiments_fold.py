"""The FOLD paper's experiments: what the cells do and what the sections make of results."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupai.base import Estimate
from dupai.experiments import load_paper, run_paper
from dupai.experiments._fold import _config
from dupai.experiments._fold._cells import (
    Block,
    Matches,
    Scoring,
    measure,
    opponents_of,
    play_block,
    play_matches,
    score,
)
from dupai.experiments._fold._config import AGENTS, FIELD, OWN, READERS
from dupai.experiments._fold._report import (
    agreement,
    ahead,
    figure7_section as section7,
    pooled,
    reader_section as section_readers,
    standings,
    table3_section as section3,
    tournament_section as section_tournaments,
)
from dupai.rules import STREET_NAMES
from pulses import Going

UNREAD = "fold:reader=uniform,samples=100"


def test_the_paper_is_known_by_name_and_its_cells_by_key() -> None:
    paper = load_paper("fold")
    assert [p.name for p in paper.parts] == ["figure4", "figure7", "table3", "tournaments", "readers"]
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
    told = section_tournaments({"model|3|0": found, "model|8|0": found, "no implied odds|8|0": found}, "quick")
    assert "figure 12" in told.rows[-1].label and told.rows[-1].ours.mean == 0
    assert [t.title.split(":")[0] for t in told.tables][:2] == ["Figure 9", "Figure 11"]
    assert standings(found["matches"])[UNREAD]["rank"].n == 2


def test_agreement_grows_with_repeats() -> None:
    ranks = [1, 2, 1, 4, 1, 1, 3, 1, 8, 2] * 20
    few, many = agreement(ranks, 10), agreement(ranks, 100)
    assert few[0] < many[0] <= 100
    assert few[1] == pytest.approx(many[1] * 10**0.5)
    assert agreement(ranks, 200)[0] == pytest.approx(100)


def test_table_3_counts_draws_as_half() -> None:
    def cell(*ranks: float) -> dict:
        rows = [[["fold", r, 600, 6000, 1, 0], ["x", 3 - r, 600, 2000, 1, 0]] for r in ranks]
        return {"matches": [{"match": i, "hands": 30, "rows": row} for i, row in enumerate(rows)], "actions": {}}

    told = section3({"caller 0": cell(1, 1, 1.5, 2), "fixed 0": cell(1, 1)}, "quick")
    assert told.rows[0].ours.mean == pytest.approx(100 * 4.5 / 6)
    assert told.rows[1].label == "least of the field (caller)" and told.rows[1].ours.mean == 62.5
    assert told.rows[3].ours.mean == 4000
    assert told.rows[0].hands == 180


def test_figure_7_on_our_own_hands() -> None:
    found = score(Scoring(OWN, None, 8, 0), Going())
    assert found and {r["reader"] for r in found} == set(READERS)
    assert all(0 <= a <= b <= c <= 1 for a, b, c in (r["top"] for r in found))
    assert score(Scoring(OWN, None, 8, 0), Going(3)) is None


def test_figure_7_compares_readers() -> None:
    rows = [
        {"group": g, "reader": r, "street": s, "cases": 50, "top": [x, x + 0.1, x + 0.2]}
        for g in ("a", "b")
        for s in STREET_NAMES
        for r, x in (("fold", 0.5), ("markov", 0.4), ("model", 0.6))
    ]
    assert pooled(rows, "fold", "flop", 1) == Estimate(50.0, pytest.approx(5.0), 100)
    assert ahead(rows, "fold", "flop", 3).mean == pytest.approx(10)
    told = section7({OWN: rows}, "quick")
    assert [r.ours.mean for r in told.rows] == pytest.approx([10] * 5)
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
    assert result.parts[0].section.rows[0].paper == 3.3
    assert "<svg" in (tmp_path / "report.html").read_text()
