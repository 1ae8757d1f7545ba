"""Results files: killed and resumed, refused under another configuration; workers that die; faults accounted."""

from __future__ import annotations

import contextlib
import importlib.util
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from dupai.agents import BaseAgent
from dupai.arena import play_match, run_tournament
from dupai.arena.live import LiveStore
from dupai.arena.match import BLOCK, TableRules
from dupai.arena.store import Store
from dupai.base import ConfigError, FileError, Rng, WorkerError
from dupai.jobs import ProcessBackend
from dupai.rules import Action, HandRecord, View


class Learner(BaseAgent):
    """Calls until it has seen some hands, then raises: what it does depends on the hands before."""

    def __init__(self) -> None:
        self.seen = 0

    def act(self, view: View, rng: Rng) -> Action:
        legal = view.legal
        return Action.raise_to(legal.min_to) if self.seen > 20 and legal.can_raise else Action.call()

    def observe(self, record: HandRecord) -> None:
        self.seen += 1


class Flaky(BaseAgent):
    """Fails in one decision of a hundred."""

    raised = 0

    def act(self, view: View, rng: Rng) -> Action:
        if rng.uniform() < 0.01:
            Flaky.raised += 1
            raise OSError("lost the connection")
        return Action.call()


class Deadly(BaseAgent):
    """Kills the worker process that it plays in."""

    def act(self, view: View, rng: Rng) -> Action:
        if multiprocessing.parent_process() is not None:
            os.kill(os.getpid(), signal.SIGKILL)
        return Action.call()


class Stopping:
    cancelled = False

    def __init__(self, after: float) -> None:
        self.after = after

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self.cancelled = self.cancelled or done >= self.after


def _rows(file: Path) -> list[tuple[Any, ...]]:
    db = sqlite3.connect(file, timeout=30)
    try:
        return db.execute("select run, block, written, data from blocks order by run, block").fetchall()
    except sqlite3.OperationalError:  # not there yet
        return []
    finally:
        db.close()


def test_killed_and_resumed_a_match_ends_as_if_nothing_had_been(tmp_path: Path) -> None:
    file = tmp_path / "r.db"
    settings = ["rules", "style:TA", "--duplicate", "--hands", str(8 * BLOCK), "--seed", "5", "--results", str(file)]
    process = subprocess.Popen(
        [sys.executable, "-m", "dupai", "match", *settings], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while len(_rows(file)) < 3 and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    assert process.wait(60) == -signal.SIGKILL
    before = _rows(file)
    assert 3 <= len(before) < 24
    again = {"hands": 8 * BLOCK, "duplicate": True, "seed": 5}
    with Store(file, resume=True) as store:
        assert store.runs()[0].finished is None
        resumed = play_match(["rules", "style:TA"], store=store, **again)  # type: ignore[arg-type]
        assert [r.finished is not None for r in store.runs()] == [True]
    after = _rows(file)
    assert len(after) == 24
    assert [r for r in after if r in before] == before
    assert resumed == play_match(["rules", "style:TA"], jobs=2, **again)  # type: ignore[arg-type]


def test_a_match_of_a_learner_goes_on_from_its_first_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dupai.jobs._serial.time.monotonic", iter(range(10**6)).__next__)
    settings: dict[str, Any] = {"hands": 60, "matches": 3, "duplicate": True, "seed": 2}
    whole = play_match([Learner, "random"], **settings)
    assert (whole.unit, whole.players[0].mbb.n, whole.deals, whole.hands) == ("match", 3, 180, 360)
    file = tmp_path / "r.db"
    with Store(file) as store:
        # Stopped in the middle of the fourth seating.
        stopped = play_match([Learner, "random"], store=store, progress=Stopping(210), **settings)
    assert stopped.partial
    assert (stopped.players[0].mbb.n, stopped.deals) == (1, 60)
    before = _rows(file)
    assert [row[1] for row in before] == [0, 1, 2]
    with Store(file, resume=True) as store:
        assert play_match([Learner, "random"], store=store, **settings) == whole
    assert _rows(file)[:3] == before


def test_a_tournament_is_resumed_match_by_match(tmp_path: Path) -> None:
    file = tmp_path / "r.db"
    settings: dict[str, Any] = {"matches": 6, "hands": 40, "seed": 3}
    with Store(file) as store:
        stopped = run_tournament(["random", "caller", "raiser"], store=store, progress=Stopping(2), **settings)
    assert stopped.partial
    done = _rows(file)
    assert 2 <= len(done) < 6
    with Store(file, resume=True) as store:
        assert run_tournament(["random", "caller", "raiser"], store=store, **settings) == run_tournament(
            ["random", "caller", "raiser"], **settings
        )
        # Finished: asked again it is read, not played.
        assert run_tournament(["random", "caller", "raiser"], store=store, **settings).hands > 0
        assert len(store.runs()) == 1
    assert _rows(file)[: len(done)] == done


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"hands": 61}, "has hands = 60, this one 61"),
        ({"seed": 9}, "has seed = 2, this one 9"),
        ({"stack": 5000}, "has game.stacks = [20000, 20000], this one [5000, 5000]"),
        ({"rules": TableRules(faults="end")}, "has rules.faults = 'forfeit', this one 'end'"),
    ],
)
def test_another_configuration_is_not_resumed(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    settings: dict[str, Any] = {"hands": 60, "seed": 2}
    with Store(tmp_path / "r.db") as store:
        assert play_match(["random", "caller"], store=store, progress=Stopping(0), **settings).partial
    with Store(tmp_path / "r.db", resume=True) as store, pytest.raises(ConfigError) as caught:
        play_match(["random", "caller"], store=store, **{**settings, **change})
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_no_results_file(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no database, but long enough to be looked at\n" * 40)
    with pytest.raises(FileError, match="no results file"):
        Store(text)
    with pytest.raises(FileError, match="expected one that --results has written"):
        Store(tmp_path / "none", create=False)
    with pytest.raises(FileError, match="cannot be opened"):
        Store(tmp_path / "no" / "folder")
    other = sqlite3.connect(tmp_path / "other")
    other.execute("create table t (x)")
    other.close()
    with pytest.raises(FileError, match="other tables"):
        Store(tmp_path / "other")
    with Store(tmp_path / "late") as store:
        assert store.runs() == []
    late = sqlite3.connect(tmp_path / "late")
    late.execute("pragma user_version = 99")
    late.close()
    with pytest.raises(FileError, match="version 99"):
        Store(tmp_path / "late")


# workers that die ----------------------------------------------------------------------------------------------------


class Killing:
    """Kills a worker whenever it is told of progress, so many times, once something is done."""

    cancelled = False

    def __init__(self, times: int, after: float) -> None:
        self.times = times
        self.after = after

    def report(self, done: float, total: float | None, note: str = "") -> None:
        children = multiprocessing.active_children()
        if self.times and children and done >= self.after and children[0].pid is not None:
            # The last one killed may have been collected by the pool since.
            with contextlib.suppress(ProcessLookupError):
                os.kill(children[0].pid, signal.SIGKILL)
                self.times -= 1


def test_a_worker_that_dies_is_replaced_and_its_matches_replayed() -> None:
    agents = ["random", "caller", "raiser"]
    settings: dict[str, Any] = {"matches": 24, "hands": 200, "seed": 4}
    killing = Killing(2, 1)
    assert run_tournament(agents, backend=ProcessBackend(2), progress=killing, **settings) == run_tournament(
        agents, **settings
    )
    assert killing.times == 0


def test_a_match_whose_worker_always_dies_is_named() -> None:
    if importlib.util.find_spec(__name__) is None:
        pytest.skip("this test module cannot be imported by name in a worker process")
    with pytest.raises(WorkerError, match="match 0 of Deadly v random: its worker process died 3 times"):
        run_tournament([Deadly, "random"], matches=3, backend=ProcessBackend(2), seed=1)


def test_nothing_to_do_is_nothing_done() -> None:
    assert list(ProcessBackend(2).run(print, [], lambda done, hands: True)) == []


# faults --------------------------------------------------------------------------------------------------------------


def test_one_decision_of_a_hundred_failing_is_accounted_for() -> None:
    Flaky.raised = 0
    match = play_match([Flaky, "random"], hands=600, duplicate=True, matches=2, seed=1)
    assert not match.partial
    assert match.hands == 2400
    assert 10 < Flaky.raised == match.players[0].faults
    assert {f.agent for f in match.faults} == {"Flaky"}
    assert all("lost the connection" in f.error for f in match.faults)
    assert sum(p.chips for p in match.players) == pytest.approx(0)
    Flaky.raised = 0
    tournament = run_tournament([Flaky, "caller", "random"], matches=10, hands=100, seed=1)
    assert not tournament.partial
    mine = next(s for s in tournament.standings if s.agent == "Flaky")
    assert 0 < Flaky.raised == mine.faults


def test_a_file_of_somebody_else_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "other.db"
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("create table things (name text)")
        connection.commit()
    before = file.read_bytes()
    for kind in (Store, LiveStore):
        with pytest.raises(FileError, match="holds other"):
            kind(file)
        assert file.read_bytes() == before


def test_a_damaged_schema_is_one_line(tmp_path: Path) -> None:
    """SQLite quotes it in its message, which then is no UTF-8."""
    file = tmp_path / "r.db"
    with Store(file):
        pass
    data = file.read_bytes()
    assert b"strict" in data
    file.write_bytes(data.replace(b"strict", b"st\xebict"))
    with pytest.raises(FileError, match=r"r\.db"), Store(file) as store:
        store.runs()
