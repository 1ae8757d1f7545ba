"""``dupai reproduce rules``: what the post prints comes out of the program, and the sections say so."""

from __future__ import annotations

import pytest

from dupai.base import Estimate
from dupai.experiments import load_paper
from dupai.experiments._rules import _cells as cells, _printed as printed, _report as report
from support.pulses import Going


def _kinds(section) -> list[str]:
    return [row.verdict.kind for row in section.rows]


def test_cells_have_keys_of_their_own() -> None:
    for part in load_paper("rules").parts:
        for size in ("quick", "full"):
            keys = [c.key for c in part.cells(size, 0)]
            assert len(set(keys)) == len(keys) > 0


def test_encodings() -> None:
    found = cells.encodings("all", Going())
    section = report.encoding_section({"encodings": found}, "quick")
    assert _kinds(section) == ["agrees"] * 4
    assert "NOT" not in " ".join(section.findings)
    found["values"]["7c6c5c4c3d"] = "0x00450001"
    assert _kinds(report.encoding_section({"encodings": found}, "quick"))[2] == "differs"


def test_the_worked_example() -> None:
    view = cells.example_view()
    assert (view.to_call, view.pot, int(view.state["stack"][0, 1])) == (printed.BET, 500, 100)
    section = report.example_section({"examples": cells.example(20_000, Going())}, "quick")
    assert _kinds(section) == ["agrees"] * 6
    # One opponent's hand strength does not fit what is printed.
    wrong = cells.example(20_000, Going())
    wrong["rates"]["2"] = wrong["rates"]["1"]
    assert _kinds(report.example_section({"examples": wrong}, "quick"))[2:4] == ["differs", "differs"]


@pytest.mark.parametrize("rate", printed.TABLE)
def test_spots_have_the_rate_of_return(rate: float) -> None:
    view = cells.spot(rate)
    odds = view.to_call / (view.to_call + view.pot)
    assert float(cells.win_rate(cells.WEAK, cells.WEAK_BOARD)) / odds == pytest.approx(rate, rel=0.01)


def test_frequencies_of_decisions() -> None:
    found = {f"{rate}": cells.decide(cells.Decisions(cells.DECIDER, rate, 150, 1), Going()) for rate in printed.TABLE}
    section = report.decision_section(found, "quick")
    assert len(section.rows) == 12
    assert sum(row.ours.mean for row in section.rows) == pytest.approx(400)
    assert _kinds(section).count("agrees") >= 10
    assert cells.decide(cells.Decisions(cells.DECIDER, 0.9, 150, 1), Going(3)) is None


def test_protection_is_compared_over_the_same_matches() -> None:
    task = cells.Tournaments(cells.PROTECTED, cells.FIELD, 0, 2, 1)
    ranks = cells.play(task, Going())
    assert ranks == cells.play(task, Going())
    assert all(1 <= rank <= 6 for rank in ranks)
    assert cells.play(task, Going(3)) is None
    made = {"rules|0": [1.0, 2.0, 3.0] * 5, "rules:protect=off|0": [2.0, 3.0, 4.0] * 5}
    section = report.protection_section(made, "quick")
    assert "+1.00 places" in section.findings[0] and "it pays" in section.findings[0]
    assert section.tables[0].rows[0][1] == Estimate.of([1.0, 2.0, 3.0] * 5)
