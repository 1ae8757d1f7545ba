"""Luck taken out of matches, ladders and sequential tests; ratings in mbb/hand; learning curves; where work goes."""

from __future__ import annotations

import json
import math
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dupai.agents import BaseAgent, make_agent
from dupai.arena import mbb_ratings, play_match, run_ladder, run_sprt
from dupai.arena.match import Watcher, match_config, match_tasks, play_seating
from dupai.arena.store import Store
from dupai.base import Rng
from dupai.cli import main
from dupai.jobs import LocalBackend, ProcessBackend
from dupai.rules import Action, HandRecord, View
from dupai.stats import luck_adjusted


class Records(Watcher):
    def __init__(self) -> None:
        self.records: list[HandRecord] = []

    def on_hand(self, record: HandRecord, table: object) -> None:
        self.records.append(record)


class Broken(BaseAgent):
    """Says a policy that fails."""

    stateless = True

    def act(self, view: View, rng: Rng) -> Action:
        return Action.call()

    def policy(self, view: View) -> None:
        raise ValueError("no idea")


@pytest.mark.parametrize("agents", [["rules", "style:TA"], ["rules", "style:TA", "style:LA"]])
def test_a_match_takes_out_what_the_statistics_say(agents: list[str], tmp_path: Path) -> None:
    settings: dict[str, Any] = {"hands": 24, "duplicate": True, "seed": 4, "luck_reduced": True, "stack": 4000}
    with Store(tmp_path / "r.db") as store:
        found = play_match(agents, store=store, **settings)
    with Store(tmp_path / "r.db", resume=True) as store:
        # From the file: numbers are written without loss.
        assert play_match(agents, store=store, **settings) == found
    assert play_match(agents, backend=ProcessBackend(2), **settings) == found
    entrants, config = match_config(agents, hands=24, duplicate=True, seed=4, stack=4000, luck_reduced=True)
    n = len(agents)
    total = np.zeros((24, n))
    for task in match_tasks(entrants, config):
        watch = Records()
        seating = play_seating(task, watch=watch)
        assert seating.luck is not None
        sits = [(chair - task.rotation) % n for chair in range(n)]
        policies = [make_agent(agents[e]).policy for e in sits]  # type: ignore[attr-defined]
        total[task.start : task.stop, sits] += luck_adjusted(watch.records, policies)
    wanted = total / n / 100 * 1000
    for k, player in enumerate(found.players):
        reduced = player.luck_reduced
        assert reduced is not None
        assert reduced.decisions
        assert reduced.mbb.mean == pytest.approx(wanted[:, k].mean())
        assert reduced.mbb.se == pytest.approx(wanted[:, k].std(ddof=1) / math.sqrt(24))
        assert player.mbb.se is not None
        assert reduced.variance_ratio == pytest.approx((reduced.mbb.se / player.mbb.se) ** 2)
    plain = play_match(agents, **{**settings, "luck_reduced": False})
    assert [p.mbb for p in plain.players] == [p.mbb for p in found.players]


def test_a_policy_that_fails_is_named_and_not_used() -> None:
    found = play_match([Broken, "style:TA"], hands=20, seed=1, luck_reduced=True)
    assert [p.luck_reduced.decisions for p in found.players if p.luck_reduced] == [False, True]
    assert {(f.agent, f.during) for f in found.faults} == {("Broken", "policy")}


def test_least_squares_find_the_ratings_that_made_the_results() -> None:
    true = np.array([3.0, 1.0, -1.0, -3.0])
    pairs = list(combinations(range(4), 2))
    means = np.array([true[a] - true[b] for a, b in pairs])
    ratings, solved, straying = mbb_ratings(4, pairs, means, np.eye(6))
    assert ratings == pytest.approx(true)
    assert solved @ means == pytest.approx(ratings)
    # Less than nothing: all is within the errors.
    assert straying is not None
    assert straying.all == 0


def test_straying_is_found_beside_errors() -> None:
    rng = np.random.default_rng(1)
    pairs = list(combinations(range(12), 2))
    errors = rng.uniform(1, 3, len(pairs))

    def found(spread: float) -> list[float]:
        every = (rng.normal(0, errors) + rng.normal(0, spread, len(pairs)) for _ in range(40))
        return [s.all for x in every if (s := mbb_ratings(12, pairs, x, np.diag(errors**2))[2]) is not None]

    assert np.median(found(0.0)) < 1.0
    assert np.mean(found(4.0)) == pytest.approx(4.0, rel=0.1)


def test_a_ladder_orders_by_what_is_won_not_how_often() -> None:
    class Tight(BaseAgent):
        """Takes every small pot and gives one big one away now and then."""

        stateless = True

        def act(self, view: View, rng: Rng) -> Action:
            legal = view.legal
            if legal.can_raise and rng.uniform() < 0.9:
                return Action.raise_to(legal.min_to)
            return Action.call()

    result = run_ladder(["caller", "random", Tight, "fixed"], hands=60, seed=2, stack=1000, luck_reduced=True)
    assert [r.rating for r in result.rows] == sorted((r.rating for r in result.rows), reverse=True)
    assert sum(r.rating for r in result.rows) == pytest.approx(0, abs=1e-6)
    for r in result.rows:
        assert r.plain is not None
        assert r.low is not None
        assert r.high is not None
        assert r.low < r.rating < r.high
    assert all(c.plain is not None for c in result.cells)


def test_the_error_of_a_rating_is_its_spread() -> None:
    found, said = [], []
    for seed in range(24):
        result = run_ladder(["caller", "random", "fixed"], hands=40, seed=seed, stack=1000)
        rows = {r.agent: r for r in result.rows}
        # Equal weights do not depend on what was seen; here errors are alike.
        found.append(rows["random"].rating)
        said.append(rows["random"].rating_se)
    assert np.mean(said) == pytest.approx(np.std(found, ddof=1), rel=0.45)


def test_a_sequential_test_without_luck_says_both_means(capsys: pytest.CaptureFixture[str]) -> None:
    settings: dict[str, Any] = {"seed": 1, "max_hands": 1200, "stack": 2000}
    result = run_sprt("rules", "style:LA", luck_reduced=True, **settings)
    plain = run_sprt("rules", "style:LA", **settings)
    assert result.plain is not None
    assert plain.plain is None
    if result.hands == plain.hands:
        assert result.plain.mean == pytest.approx(plain.mbb.mean)
    assert result.mbb.se is not None
    assert result.plain.se is not None
    assert result.mbb.se < 0.7 * result.plain.se
    # A test that has decided stopped at an extreme: no interval holds there.
    assert (result.mbb.low is None) == (result.test.decision is not None)
    sure = run_sprt("rules", "random", stack=2000, max_hands=4000)
    assert sure.test.decision == "better"
    assert (sure.mbb.low, sure.mbb.high, sure.mbb.needed) == (None, None, None)
    assert main(["sprt", "caller", "random", "--luck-reduced", "--max-hands", "20"]) == 0
    assert "without the luck of the cards; with it" in capsys.readouterr().out


def test_a_learning_curve_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "caller", "random", "-n", "50", "-d", "--curve", "4", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(b["first"], b["last"], b["deals"]) for b in found["curve"]] == [
        (1, 12, 12),
        (13, 25, 13),
        (26, 38, 13),
        (39, 50, 12),
    ] or [b["deals"] for b in found["curve"]] == [12, 13, 13, 12]
    total = sum(b["deals"] * b["players"][0]["mbb"]["mean"] for b in found["curve"]) / 50
    assert found["curve"][-1]["players"][0]["cumulative"]["mean"] == pytest.approx(total)
    assert total == pytest.approx(found["players"][0]["mbb"]["mean"])
    assert play_match(["caller", "random"], hands=50).curve == ()
    assert main(["match", "caller", "random", "-n", "40", "-d", "--curve", "2", "--luck-reduced"]) == 0
    out = capsys.readouterr().out
    for word in ("learning curve: mbb/hand without luck", "so far", "21-40", "without luck  ", "x 0."):
        assert word in out


def test_a_learning_curve_cuts_no_number(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """At 80 columns the curve of six agents had "-110 ± 4" for -110 ± 420."""
    rows = {}
    for width in ("80", "300"):
        monkeypatch.setenv("COLUMNS", width)
        assert main(["match", *["caller"] * 5, "random", "-n", "120", "-m", "2", "-d", "--curve", "2"]) == 0
        out = capsys.readouterr().out
        rows[width] = [line.split("  ") for line in out.splitlines() if re.match(r" *\d+-\d+ ", line)]
        rows[width] = [[cell.strip() for cell in row if cell.strip()] for row in rows[width]]
        assert ("agents (a wider terminal or --json shows all)" in " ".join(out.split())) == (width == "80")
    assert len(rows["80"]) == 2 < len(rows["80"][0]) < len(rows["300"][0]) == 13
    assert all(wide[: len(row)] == row for row, wide in zip(rows["80"], rows["300"], strict=True))


def test_a_learning_curve_of_an_agent_that_learns_is_by_match(capsys: pytest.CaptureFixture[str]) -> None:
    class Moody(BaseAgent):
        """Folds for a whole match, or calls."""

        def __init__(self) -> None:
            self.folds: bool | None = None

        def act(self, view: View, rng: Rng) -> Action:
            if self.folds is None:
                self.folds = rng.below(2) == 0
            return Action.fold() if self.folds and view.legal.fold else Action.call()

    result = play_match([Moody, "caller"], hands=400, matches=10, curve=4, seed=1)
    assert [block.players[0].mbb.n for block in result.curve] == [10] * 4
    by_match = play_match([Moody, "caller"], hands=100, matches=10, seed=1)
    first, whole = result.curve[0].players[0], result.curve[-1].players[0]
    assert (first.mbb.low, first.mbb.high) == (by_match.players[0].mbb.low, by_match.players[0].mbb.high)
    assert first.mbb.low is not None
    assert whole.cumulative == result.players[0].mbb
    # Blocks of fewer than a hundred hands are far from normal.
    short = play_match([Moody, "caller"], hands=400, matches=10, curve=8, seed=1).curve[0].players[0]
    assert (short.mbb.low, short.mbb.needed) == (None, 100)
    # By deal between stateless agents.
    plain = play_match(["random", "caller"], hands=300, duplicate=True, curve=2)
    assert [block.players[0].mbb.n for block in plain.curve] == [150, 150]
    assert main(["match", "random", "caller", "-n", "40", "-d", "--curve", "2"]) == 0
    text = (
        "± 95 %, by deal, in these hands and from the first on; without ±: too few deals for an interval (at least 100)"
    )
    assert text in " ".join(capsys.readouterr().out.split())


def test_cash_on_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = str(tmp_path / "c.db")
    command = ["cash", "caller", "random", "raiser", "--sessions", "3", "--hands", "30", "--top-up", "full"]
    assert main([*command, "--results", file]) == 0
    out = capsys.readouterr().out
    for word in (
        "90 hands, 3 of 3 sessions",
        "everybody fills up to the buy-in",
        "the interval counts sessions (3)",
        "too few sessions for an",
    ):
        assert word in out
    assert main(["results", "show", file]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == out.splitlines()
    assert main(["results", "export", file]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "session,agent,hands,chips,bought,stack,faults"
    assert len(lines) == 10
    assert sum(int(line.split(",")[3]) for line in lines[1:]) == 0
    assert main([*command[:3], "--top-up", "sometimes"]) == 2
    assert "--top-up 'sometimes': expected broke, full, or a number" in capsys.readouterr().err


def test_short_work_is_played_here_and_long_work_by_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    settings: dict[str, Any] = {"hands": 1500, "duplicate": True, "seed": 1}
    wanted = play_match(["caller", "random"], **settings)
    short = LocalBackend(2)
    monkeypatch.setattr("dupai.jobs._local.START_SECONDS", 1e9)
    assert play_match(["caller", "random"], backend=short, **settings) == wanted
    assert short.choice.startswith("played in this process")
    long = LocalBackend(2)
    monkeypatch.setattr("dupai.jobs._local.START_SECONDS", 0.0)
    monkeypatch.setattr("dupai.jobs._local.TRIAL_SECONDS", 0.0)
    assert play_match(["caller", "random"], backend=long, **settings) == wanted
    assert long.choice.startswith("played by 2 worker processes")
