"""Runs that are killed and taken up again: agents that learn, sequential tests, cash sessions; and what a run that is
not finished shows."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from dupai.agents import BaseAgent
from dupai.arena import (
    LadderResult,
    MatchResult,
    play_match,
    run_cash,
    run_ladder,
    run_sprt,
    run_tournament,
    unfinished,
)
from dupai.arena.match import TableRules
from dupai.arena.store import Store
from dupai.base import Rng
from dupai.cli import main
from dupai.rules import Action, View
from support.checkpoints_internals import leave_begun, save_always
from support.learners import Counting, Failing, Stopping


class Unsavable(Counting):
    def save(self) -> bytes:
        raise OSError("disk full")


@pytest.fixture
def every_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Backends look every hand whether to stop."""
    monkeypatch.setattr("dupai.jobs._serial.time.monotonic", iter(range(10**7)).__next__)


@pytest.mark.usefixtures("every_hand")
@pytest.mark.parametrize("luck_reduced", [False, True])
def test_a_learner_goes_on_from_what_it_saved(tmp_path: Path, luck_reduced: bool) -> None:
    settings: dict[str, Any] = {"hands": 60, "matches": 2, "duplicate": True, "seed": 2, "luck_reduced": luck_reduced}
    whole = play_match([Counting, "random"], **settings)
    file = tmp_path / "r.db"
    with Store(file) as store:
        # In the middle of the third seating.
        stopped = play_match([Counting, "random"], store=store, progress=Stopping(150), **settings)
        assert stopped.partial
        assert list(store.blocks(1)) == [0, 1]
        (block,) = store.checkpoints(1)
        assert block == 2
        shown = unfinished(store, store.run(1))
        assert isinstance(shown, MatchResult)
        assert shown.partial
        assert (shown.deals, shown.players[0].chips) == (60, stopped.players[0].chips)
    seen: list[int] = []

    class Watched(Counting):
        def load(self, data: bytes) -> None:
            super().load(data)
            seen.append(self.seen)

    Watched.__name__ = "Counting"
    with Store(file, resume=True) as store:
        again = play_match([Watched, "random"], store=store, **settings)
        assert store.checkpoints(1) == {}
    # 30 hands of the third seating were not played again.
    assert seen == [29] or seen == [30]
    assert again == whole
    assert whole.curve
    assert whole.curve[-1].players[0].cumulative.mean == pytest.approx(whole.players[0].mbb.mean)


@pytest.mark.usefixtures("every_hand")
def test_an_agent_that_cannot_save_is_named_and_begins_again(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"hands": 40, "seed": 2}
    with Store(tmp_path / "r.db") as store:
        stopped = play_match([Unsavable, "random"], store=store, progress=Stopping(20), **settings)
        assert any(
            f.during == "save" and re.fullmatch(r"OSError at test_resume\.py:\d+: disk full", f.error)
            for f in stopped.faults
        )
        assert store.checkpoints(1) == {}
    with Store(tmp_path / "r.db", resume=True) as store:
        again = play_match([Unsavable, "random"], store=store, **settings)
    assert not again.partial
    assert again.players[0].chips == play_match([Unsavable, "random"], **settings).players[0].chips


_PROGRAM = """
    import sys
    sys.path.insert(0, {tests!r})
    from dupai.arena import play_match, run_cash, run_sprt
    from dupai.arena.store import Store
    from dupai.jobs import SerialBackend
    from support.checkpoints_internals import save_every_hand
    save_every_hand(setattr)
    from support.learners import Counting
    with Store({file!r}) as store:
        {call}
"""

_CALLS = {
    "match": "play_match([Counting, 'random'], hands=8000, seed=3, luck_reduced=False, store=store)",
    "cash": "run_cash(['random', 'caller', 'raiser'], hands=2500, sessions=2, stack=2000, seed=3, store=store)",
    "sprt": "run_sprt('caller', 'random', seed=3, max_hands=60000, store=store)",
}


def _killed(file: Path, kind: str) -> None:
    """Play in another process and kill it with signal 9 when something is written and nothing is finished."""
    program = textwrap.dedent(_PROGRAM).format(tests=str(Path(__file__).parents[2]), file=str(file), call=_CALLS[kind])
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        while process.poll() is None:
            if file.exists() and file.stat().st_size:
                with Store(file, create=False) as store:
                    runs = store.runs()
                    if runs and (runs[0].done if kind == "sprt" else store.checkpoints(1)):
                        break
            time.sleep(0.02)
        assert process.poll() is None, process.stderr.read().decode() if process.stderr else ""
    finally:
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait(60) == -signal.SIGKILL
        if process.stderr:
            process.stderr.close()


def test_a_learning_match_that_is_killed_goes_on_from_its_checkpoint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "r.db"
    _killed(file, "match")
    assert main(["results", "show", str(file)]) == 0
    out = capsys.readouterr().out
    assert "not finished" in out
    assert "partial: " in out
    assert "of 8,000 deals" in out
    with Store(file, resume=True) as store:
        assert store.checkpoints(1)
        again = play_match([Counting, "random"], hands=8000, seed=3, store=store)
    assert again == play_match([Counting, "random"], hands=8000, seed=3)


def test_cash_sessions_that_are_killed_go_on(tmp_path: Path) -> None:
    file = tmp_path / "r.db"
    _killed(file, "cash")
    settings: dict[str, Any] = {"hands": 2500, "sessions": 2, "stack": 2000, "seed": 3}
    with Store(file, resume=True) as store:
        again = run_cash(["random", "caller", "raiser"], store=store, **settings)
        assert store.run(1).finished
    assert again == run_cash(["random", "caller", "raiser"], **settings)


def test_a_sequential_test_that_is_killed_decides_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "r.db"
    _killed(file, "sprt")
    assert main(["results", "show", str(file), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["kind"] == "sprt"
    assert shown["finished"] is None
    assert shown["result"]["partial"]
    with Store(file, resume=True) as store:
        again = run_sprt("caller", "random", seed=3, max_hands=60000, store=store)
        found = store.run(1)
        assert found.finished
        assert found.result is not None
        assert found.result["test"]["decision"] == again.test.decision
    assert again == run_sprt("caller", "random", seed=3, max_hands=60000)
    assert shown["result"]["test"]["n"] <= again.test.n


def test_tables_of_what_is_done_of_tournaments_and_ladders(tmp_path: Path) -> None:
    with Store(tmp_path / "t.db") as store:
        stopped = run_tournament(["caller", "random"], matches=6, hands=20, store=store, progress=Stopping(2))
        assert unfinished(store, store.run(1)) == stopped
    agents = ["caller", "random", "raiser"]
    with Store(tmp_path / "l.db") as store:
        cut = run_ladder(agents, hands=500, seed=1, store=store, progress=Stopping(1200))
        assert cut.partial
        shown = unfinished(store, store.run(1))
        assert isinstance(shown, LadderResult)
        assert shown.partial
        assert 0 < shown.hands <= cut.hands < 3000
        if shown.hands == cut.hands:
            assert shown == cut


@pytest.mark.usefixtures("every_hand")
def test_stateless_agents_go_on_in_the_middle_of_a_block(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"hands": 60, "duplicate": True, "seed": 2}
    whole = play_match(["caller", "random"], **settings)
    file = tmp_path / "r.db"
    with Store(file) as store:
        assert play_match(["caller", "random"], store=store, progress=Stopping(40), **settings).partial
        # Both seatings of the first ten hands are played, and some of the next twenty.
        assert list(store.blocks(1)) == [0, 1] and list(store.checkpoints(1)) == [2]
    with Store(file, resume=True) as store:
        assert play_match(["caller", "random"], store=store, **settings) == whole
        assert store.checkpoints(1) == {}


@pytest.mark.parametrize("run", [play_match, run_ladder])
def test_stopped_after_a_fault_that_ended_a_match_it_goes_on(
    tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The backend looks whether to stop only between two units of work, which are then all played to their ends.
    monkeypatch.setattr("dupai.jobs._serial.time.monotonic", lambda: 0.0)
    settings: dict[str, Any] = {"hands": 20, "matches": 12, "seed": 4, "rules": TableRules(faults="end")}
    whole = run([Failing, "caller"], **settings)
    assert not whole.partial
    with Store(tmp_path / "r.db") as store:
        stopped = run([Failing, "caller"], store=store, progress=Stopping(whole.hands // 2), **settings)
        assert stopped.faults
        assert stopped.partial
        assert store.run(1).finished is None
    with Store(tmp_path / "r.db", resume=True) as store:
        assert run([Failing, "caller"], store=store, **settings) == whole


class Caller(BaseAgent):
    stateless = True

    def act(self, view: View, rng: Rng) -> Action:
        return Action.call()


@pytest.mark.usefixtures("every_hand")
def test_stateless_factories_are_shown_as_they_were_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "r.db"
    with Store(file) as store:
        # In the middle of the second block.
        stopped = play_match([Caller, "random"], hands=600, seed=2, store=store, progress=Stopping(300))
        shown = unfinished(store, store.run(1))
        assert (shown.deals, shown.unit, shown.stateless) == (stopped.deals, "hand", True)
        assert shown.players == stopped.players
        tested = run_sprt(Caller, "random", seed=2, max_hands=4000, store=store, progress=Stopping(700))
        assert unfinished(store, store.run(2)).test.n == tested.test.n // 100 * 100 > 0
    assert main(["results", "show", str(file), "1"]) == 0
    assert "of 600 deals" in capsys.readouterr().out


def test_a_decided_test_leaves_no_begun_units_behind(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"seed": 3, "max_hands": 8000}
    file = tmp_path / "r.db"
    with Store(file) as store:
        assert run_sprt("caller", "random", store=store, progress=Stopping(300), **settings).partial
        # As a worker leaves it that was in the middle of a block when the test was decided.
        last = store.run(1).blocks - 1
        leave_begun(file, 1, last)
        assert last in store.checkpoints(1)
    with Store(file, resume=True) as store:
        result = run_sprt("caller", "random", store=store, **settings)
        assert result.test.decision is not None
        assert store.run(1).finished
        assert (last in store.blocks(1), store.checkpoints(1)) == (False, {})


def test_sessions_that_faults_end_count_by_their_hands() -> None:
    """The hand that ends a session is lost, and a short session used to weigh as much as a long one."""
    result = run_cash([Failing, "caller"], hands=300, sessions=12, seed=4, rules=TableRules(faults="end"))
    assert len({s.hands for s in result.sessions}) > 1
    for player in result.players:
        assert player.mbb.mean == pytest.approx(1000 * player.chips / result.hands / result.config.blinds[1])


class AllIn(BaseAgent):
    stateless = True

    def act(self, view: View, rng: Rng) -> Action:
        return Action.raise_to(view.legal.max_to) if view.legal.can_raise else Action.call()


def test_chips_above_four_billion_are_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their squares pass 64 bits."""
    save_always(monkeypatch.setattr)
    settings: dict[str, Any] = {"hands": 12, "sessions": 1, "stack": 10**11, "seed": 2}
    with Store(tmp_path / "s.db") as store:
        kept = run_cash([AllIn, AllIn], store=store, **settings)
    assert kept.players == run_cash([AllIn, AllIn], **settings).players


@pytest.mark.parametrize(("agents", "hands"), [(("caller", "caller"), 2000), (("caller", "random"), 2)])
def test_a_test_without_spread_is_shown_from_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], agents: tuple[str, str], hands: int
) -> None:
    file = str(tmp_path / "s.db")
    assert main(["sprt", *agents, "--max-hands", str(hands), "--results", file]) == 0
    capsys.readouterr()
    assert main(["results", "show", file]) == 0
    assert "not decided" in capsys.readouterr().out
