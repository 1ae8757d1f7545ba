"""The sequential test over the arena and on the command line."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
from typing import Any

import pytest

from dupai.agents import BaseAgent
from dupai.arena import play_match, run_sprt
from dupai.arena.match import TableRules
from dupai.base import ConfigError, Rng
from dupai.cli import main
from dupai.jobs import ProcessBackend
from dupai.rules import Action, View
from dupai.stats import SprtState
from support.learners import Failing


class _Learner(BaseAgent):
    """Not stateless: folds more and more."""

    def __init__(self) -> None:
        self.seen = 0

    def act(self, view: View, rng: Rng) -> Action:
        self.seen += 1
        return Action.fold() if view.legal.fold and rng.below(100) < self.seen else Action.call()


def test_decides_what_is_clear_and_counts_the_deals_of_a_match() -> None:
    seen: list[SprtState] = []
    result = run_sprt("rules", "random", seed=3, max_hands=8000, watch=seen.append)
    assert result.test.decision == "better"
    assert (result.unit, result.stateless, result.partial) == ("deal", True, False)
    assert result.hands == 2 * result.test.n
    assert [s.n for s in seen[:3]] == [100, 200, 300]
    # The same deals as a duplicate match of that length from the same seed.
    match = play_match(["rules", "random"], hands=result.test.n, duplicate=True, seed=3)
    assert match.players[0].mbb.mean == pytest.approx(result.mbb.mean)
    assert match.players[0].mbb.se == pytest.approx(result.mbb.se)
    assert run_sprt("random", "rules", seed=3, max_hands=8000).test.decision == "not better"


def test_worker_processes_give_the_same_result() -> None:
    settings = {"seed": 4, "max_hands": 3000}
    one = run_sprt("caller", "random", **settings)  # type: ignore[arg-type]
    two = run_sprt("caller", "random", backend=ProcessBackend(2), **settings)  # type: ignore[arg-type]
    assert one == two


def test_undecided_when_the_hands_run_out() -> None:
    result = run_sprt("caller", "caller", max_hands=300)
    assert result.test.decision is None
    assert not result.partial
    assert (result.test.n, result.hands, result.test.llr) == (150, 300, 0.0)


def test_matches_count_where_an_agent_learns() -> None:
    result = run_sprt(_Learner, "caller", max_hands=1200, match_hands=20, seed=2)
    assert result.unit == "match"
    assert result.test.n >= 20
    assert result.hands == result.test.n * 40
    match = play_match([_Learner, "caller"], hands=20, matches=result.test.n, duplicate=True, seed=2)
    assert match.players[0].mbb.mean == pytest.approx(result.mbb.mean)
    with pytest.raises(ConfigError, match="expected 40000 or more"):
        run_sprt(_Learner, "caller", max_hands=1200)


def test_matches_that_a_fault_ended_count() -> None:
    rules = TableRules(faults="end")
    result = run_sprt(Failing, "caller", max_hands=1000, match_hands=25, seed=2, rules=rules, bounds=(-0.01, 0.01))
    assert (result.partial, result.unit, result.test.n) == (False, "match", 20)
    match = play_match([Failing, "caller"], hands=25, matches=20, duplicate=True, seed=2, rules=rules)
    assert result.hands == match.hands < 1000
    assert result.mbb.mean == pytest.approx(match.players[0].mbb.mean)
    # The test looks at what was won in a match, however long it went.
    assert result.test.mean == pytest.approx(match.players[0].chips / 100 / 1000 * 1000)


class _Once(BaseAgent):
    """Fails in the first hand of a match that it is asked in."""

    stateless = True

    def act(self, view: View, rng: Rng) -> Action:
        raise ValueError("lost its way")


@pytest.mark.parametrize("rules", [TableRules(faults="fold"), TableRules(faults="end")])
def test_faults_carry_over_as_in_a_match(rules: TableRules) -> None:
    settings: dict[str, Any] = {"seed": 2, "rules": rules}
    result = run_sprt(_Once, "caller", max_hands=10_000, match_hands=250, **settings)
    assert (result.unit, result.test.n, result.stateless) == ("match", 20, True)
    match = play_match([_Once, "caller"], hands=250, matches=20, duplicate=True, **settings)
    # One fault a seating: who has failed once is asked no more in that match.
    assert len(result.faults) == match.players[0].faults == 40
    assert result.hands == match.hands
    assert result.mbb.mean == pytest.approx(match.players[0].mbb.mean)
    with pytest.raises(ConfigError, match="faults or a clock carry over"):
        run_sprt(_Once, "caller", max_hands=1200, **settings)


class _Stop:
    """Cancels after the first look that has a deal."""

    cancelled = False

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self.cancelled = done >= 450


def test_stopped_it_gives_what_it_has() -> None:
    result = run_sprt("caller", "random", progress=_Stop(), max_hands=20_000)
    assert result.partial
    assert result.test.decision is None
    assert result.hands >= 400


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sprt", "rules", "random", "--max-hands", "6000"]) == 0
    out = capsys.readouterr().out
    assert "rules is better than random" in out
    assert "LLR" in out
    assert "500   LLR" in out
    assert main(["sprt", "caller", "random", "--max-hands", "600", "--json", "--bounds", "-0.1,0.1"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["bounds"] == [-0.1, 0.1]
    assert document["test"]["n"] == 300
    assert document["test"]["upper"] == pytest.approx(math.log(19))


def test_ctrl_c_prints_what_was_played() -> None:
    # Bounds so close that it would go on for hours.
    process = subprocess.Popen(
        [sys.executable, "-m", "dupai", "sprt", "caller", "random", "--bounds", "0,0.00001", "-n", "50000000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        start_new_session=True,
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    assert "LLR" in line
    os.killpg(process.pid, signal.SIGINT)
    out, error = process.communicate(timeout=120)
    assert process.returncode == 130, error
    assert "stopped early, not decided" in out
    assert "duplicate deals" in out
    assert "Traceback" not in error


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--bounds", "0.05"), "--bounds '0.05'"),
        (("--bounds", "1,0"), "the smaller one first"),
        (("--alpha", "0.9"), "alpha"),
        (("--max-hands", "1"), "max_hands"),
    ],
)
def test_mistakes_are_one_line(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str) -> None:
    assert main(["sprt", "caller", "random", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.replace("compiling kernels, once\n", "").count("\n") == 1
