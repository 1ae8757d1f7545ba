"""The experiments of BR-PSO in small: what is kept of a match, searches in time, every part's section."""

from __future__ import annotations

import numpy as np
import pytest

from dupai.agents import risk_curves
from dupai.base import Estimate
from dupai.experiments import FastLane, load_paper, run_paper
from dupai.experiments._brpso import _cells as cells, _config as paper, _report as report
from dupai.experiments._brpso._cells import Bound, Lane, Table, curve, find_bound, for_good, play_lane, play_table
from dupai.experiments._brpso._printed import SAID
from dupai.experiments._brpso._report import good_text, regret
from dupai.experiments._brpso._search import policy_point
from naive import agents_swarm as naive
from pulses import Going as Go


def test_positive_for_good() -> None:
    assert for_good(np.array([1, 2, 3])) == 1
    assert for_good(np.array([1, -2, 3, 4])) == 3
    assert for_good(np.array([-1, 0, 1])) == 3
    assert for_good(np.array([1, 2, 0])) is None
    assert curve(np.arange(1.0, 161.0))[:2] == [2.0, 4.0]
    records = [{"good": 5}, {"good": None}, {"good": 9}]
    assert good_text(records, 100) == "2 of 3, median 9"
    assert good_text([{"good": None}], 100) == "0 of 1"
    records = [{"curve": [10.0] * 80, "won": 10.0}] * 2
    assert regret("x", records, 80, 3.0).y[:2] == (3.0 - 10.0, (6.0 - 10.0) / 2)


def test_a_record_is_the_fast_lanes_match() -> None:
    found = play_lane(Lane("swarm:2,m=4,nf=50", "style:LA", (3, 4), 9000, then="style:TP"), Go())
    assert found is not None
    assert [r["seed"] for r in found] == [3, 4]
    lane = FastLane("swarm:2,m=4,nf=50", "style:LA", seed=4, hands=9000)
    first = lane.play(4500).sum() / 2520
    lane.opponent = "style:TP"  # type: ignore[assignment]
    whole = first + lane.play(4500).sum() / 2520
    assert (found[1]["half"], found[1]["won"]) == (pytest.approx(first), pytest.approx(whole))
    assert found[1]["x"] == pytest.approx(lane.player.best_weights())  # type: ignore[attr-defined]
    assert found[1]["curve"][-1] == pytest.approx(whole)


@pytest.mark.parametrize("protocol", ["cma", "random"])
def test_searches_in_time(protocol) -> None:
    if protocol == "cma":
        pytest.importorskip("cma", reason="CMA-ES is not installed: pip install 'dupai[dev]'")
    task = Lane("risk", "style:LP", (1,), 60_000, protocol)
    (found,) = play_lane(task, Go())
    assert play_lane(task, Go()) == [found]
    # They learn: the second half is better than a policy drawn at random is.
    drawn = []
    rng = np.random.default_rng(1)
    for _ in range(30):
        lane = FastLane("risk", "style:LP", seed=9)
        lane.policy = policy_point(rng.random(5))
        drawn.append(lane.play(2000).mean() / 2520)
    assert (found["won"] - found["half"]) / 30_000 > np.mean(drawn)


def test_told_to_stop() -> None:
    for work, task in (
        (play_lane, Lane("swarm:2", "style:LA", (1,), 50_000)),
        (play_lane, Lane("risk", "style:LA", (1,), 50_000, "random")),
        (play_table, Table("rules", ("style:LA",), (1,), 500)),
    ):
        assert work(task, Go(3)) is None
    assert find_bound(Bound("style:LA", 1, 1000, 0.1), Go(3)) is None


def test_curves_are_the_policy() -> None:
    x = np.array([0.6, 0.4, 20.0, 0.7, 30.0])
    rates = np.array([0.1, 0.5, 0.9])
    for rate, row in zip(rates, risk_curves(x, rates), strict=True):
        assert row[:3] == pytest.approx(naive.policy(rate, x.tolist(), True, True))
        assert row[3:] == pytest.approx(naive.policy(rate, x.tolist(), False, True)[1:])


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper, "hands_of", lambda size, full=0: 2000)
    monkeypatch.setattr(paper, "seeds_of", lambda size, seed, full=0, quick=0: (1, 2))
    monkeypatch.setattr(paper, "strangers", lambda seed, count: [(0.3, 0.6), (0.5, 0.7)])


@pytest.mark.usefixtures("_small")
def test_every_part_has_its_section(tmp_path) -> None:
    names = ["printed", "options", "strangers", "change", "sensitivity"]
    result = run_paper(load_paper("brpso"), tmp_path, parts=names)
    assert not result.partial
    tables = {p.name: p.section.tables for p in result.parts if p.section}
    assert len(tables["options"][0].rows) == len(paper.OPTIONS)
    assert len(tables["sensitivity"][0].rows) == len(paper.SENSITIVITY)
    assert all(isinstance(v, Estimate) for row in tables["change"][0].rows for v in row[1:])
    assert "BR-PSO" in (tmp_path / "report.html").read_text()


@pytest.mark.usefixtures("_small")
def test_the_runs_section(tmp_path) -> None:
    todo = [c for c in cells.run_cells("quick", 0) if c.work is play_lane and " TA" in c.key]
    results = {c.key: c.work(c.task, Go()) for c in todo if "CMA" not in c.key}
    results["library TA"] = {"x": [0.4, 0.2, 30.0, 0.9, 30.0], "mean": 300.0, "se": 10.0}
    results["best TA"] = {"x": [0.4, 0.2, 30.0, 0.9, 30.0], "mean": 400.0, "se": 10.0}
    section = report.run_section(results, "quick")
    assert {row.label for row in section.rows} == {f"{n} against TA" for n, s in SAID if s == "TA"}
    assert all(row.agrees in (True, False) for row in section.rows)
    assert "quick against TA" in section.findings[0]
    assert any(chart.title == "Regret against TA" for chart in section.charts)
