"""Shared work: every backend gives the same, what died is done again, a stop stops, finished pieces are kept."""

from __future__ import annotations

import contextlib
import operator
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dupai.base import ConfigError, DupaiError, FileError, MissingPackage, NoProgress, WorkerError
from dupai.jobs import Keeper, LocalBackend, Pulse, first_difference, make_backend, share_out, stream

BACKENDS = ["serial", "processes", "local"]


class Told(NoProgress):
    """Notes its reports; cancelled from the start, or from some number of finished tasks on."""

    def __init__(self, after: float = float("inf")) -> None:
        self.reports: list[tuple[float, float | None, str]] = []
        self._after = after
        self._done = 0.0

    @property
    def cancelled(self) -> bool:
        return self._done >= self._after

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self._done = done
        self.reports.append((done, total, note))


def said(k: int) -> partial[str]:
    """A task that other processes know how to do: its number, and whether it is to stop."""
    return partial("{0} {1.cancelled}".format, k)


def square(task: int, pulse: Pulse) -> int:
    for _ in range(task):
        pulse.step()
    return task * task


# results --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_backend_gives_the_same(backend: str) -> None:
    look = Told()
    ended: list[int] = []
    found = share_out(
        square, list(range(7)), backend=backend, jobs=2, progress=look, note="numbers", ended=ended.append
    )
    assert found == [k * k for k in range(7)]
    assert sorted(ended) == list(range(7))
    assert look.reports[-1] == (7, 7, "21 numbers")
    assert share_out(square, [], backend=backend, jobs=2) == []


@pytest.mark.parametrize("jobs", [1, 2, 9])
def test_results_stand_in_the_order_of_tasks(jobs: int) -> None:
    look = Told()
    tasks = [said(k) for k in range(3)]
    assert share_out(operator.call, tasks, jobs=jobs, progress=look, note="numbers") == [
        "0 False",
        "1 False",
        "2 False",
    ]
    assert look.reports[-1] == (3, 3, "numbers")


@pytest.mark.parametrize("backend", BACKENDS)
def test_steps_of_all_workers_are_added_up(backend: str) -> None:
    look = Told()
    dict(stream(square, [5, 10, 15], backend=backend, jobs=2, progress=look, note="hands", steps=30))
    assert look.reports[-1] == (30, 30, "30 hands")


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_error_comes_through(backend: str) -> None:
    wrong = partial("{0} {1.missing}".format, 1)
    with pytest.raises(AttributeError, match="missing"):
        share_out(operator.call, [said(0), wrong, said(2)], backend=backend, jobs=2)


def surroundings(task: int, pulse: Pulse) -> tuple[str | None, str]:
    return os.environ.get("DUPAI_TEST_JOBS"), os.getcwd()


def test_workers_have_the_surroundings_of_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    share_out(square, [1, 2], backend="processes", jobs=2)
    monkeypatch.setenv("DUPAI_TEST_JOBS", "set later")
    monkeypatch.chdir(tmp_path)
    assert share_out(surroundings, [1, 2], backend="processes", jobs=2) == [("set later", str(tmp_path))] * 2


def test_what_cannot_be_sent_is_refused() -> None:
    with pytest.raises(ConfigError, match="jobs = 2: an agent or task cannot be sent to worker processes") as caught:
        share_out(lambda task, pulse: task, [1, 2], jobs=2)
    assert caught.value.key == "jobs"


@pytest.mark.parametrize("name", ["processs", "ray:", "serial:1", ""])
def test_a_backend_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match=f"backend '{name}'") as caught:
        make_backend(name)
    assert caught.value.key == "backend"


@pytest.mark.skipif("ray" in sys.modules, reason="ray is installed")
def test_ray_that_is_missing_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingPackage, match=r"dupai\[cluster\]"):
        share_out(square, [1], backend="ray")


# stopping -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
def test_after_a_stop_every_task_still_has_a_result(jobs: int) -> None:
    ended: list[Any] = []
    found = share_out(operator.call, [said(k) for k in range(4)], jobs=jobs, progress=Told(after=0), ended=ended.append)
    assert len(found) == 4
    assert found[-1] == "3 True"
    assert not ended or jobs > 1


def until_stopped(task: int, pulse: Pulse) -> int | None:
    """Task 0 is quick, others take for ever."""
    until = time.monotonic() + 60
    while task and not pulse.cancelled:
        assert time.monotonic() < until
        time.sleep(0.01)
    return None if task else 0


@pytest.mark.parametrize("backend", ["serial", "processes"])
def test_work_in_flight_is_told_to_stop(backend: str) -> None:
    found = dict(stream(until_stopped, [0, 1, 2], backend=backend, jobs=2, progress=Told(after=1)))
    assert found[0] == 0
    assert all(result is None for index, result in found.items() if index)


@pytest.mark.parametrize("asked", [False, True])
def test_an_interrupt_keeps_what_is_done_if_a_stop_was_asked_for(asked: bool) -> None:
    told = Told()

    def work(task: int, pulse: Pulse) -> int:
        if task == 2:
            # Ctrl-C asks for a stop; work that does not look is interrupted.
            told._after = 0 if asked else told._after
            raise KeyboardInterrupt
        return 10 * task

    done: list[tuple[int, int]] = []
    with contextlib.nullcontext() if asked else pytest.raises(KeyboardInterrupt):
        done.extend(stream(work, [0, 1, 2, 3], progress=told))
    assert done == [(0, 0), (1, 10)]


def sleeper(task: str, pulse: Pulse) -> None:
    """Never looks up."""
    Path(task).write_text(str(os.getpid()))
    time.sleep(600)


def test_an_interrupt_ends_the_workers(tmp_path: Path) -> None:
    files = [tmp_path / "a", tmp_path / "b"]

    class Interrupt(NoProgress):
        def report(self, done: float, total: float | None, note: str = "") -> None:
            if all(file.exists() and file.read_text() for file in files):
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        share_out(sleeper, [str(file) for file in files], backend="processes", jobs=2, progress=Interrupt())
    for file in files:
        until = time.monotonic() + 10
        while _alive(int(file.read_text())):
            assert time.monotonic() < until
            time.sleep(0.05)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A zombie of the fork server is not alive.
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


# workers that die -----------------------------------------------------------------------------------------------------


def dies_once(task: str, pulse: Pulse) -> str:
    """Is killed the first time."""
    file = Path(task)
    if file.suffix == ".dies" and not file.exists():
        file.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return file.name


def test_a_killed_worker_is_replaced_and_its_task_done_again(tmp_path: Path) -> None:
    tasks = [str(tmp_path / name) for name in ("a", "b.dies", "c", "d.dies", "e")]
    assert share_out(dies_once, tasks, backend="processes", jobs=2) == ["a", "b.dies", "c", "d.dies", "e"]


def dies(task: int, pulse: Pulse) -> int:
    if task == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def test_a_task_that_always_kills_is_given_up() -> None:
    with pytest.raises(WorkerError, match="task 2: its worker process died 3 times") as caught:
        share_out(dies, [0, 1, 2], backend="processes", jobs=2)
    assert isinstance(caught.value, DupaiError)


# this process or others -----------------------------------------------------------------------------------------------


class Sized(msgspec.Struct, frozen=True):
    size: int


def count(task: Sized, pulse: Pulse) -> int:
    for _ in range(task.size):
        pulse.step()
        time.sleep(0.001)
    return os.getpid()


@pytest.mark.parametrize(("seconds", "here"), [(1e9, True), (0.0, False)])
def test_only_long_work_goes_to_workers(monkeypatch: pytest.MonkeyPatch, seconds: float, here: bool) -> None:
    monkeypatch.setattr("dupai.jobs._local.START_SECONDS", seconds)
    monkeypatch.setattr("dupai.jobs._local.TRIAL_SECONDS", 0.0)
    local = LocalBackend(2)
    found = share_out(count, [Sized(20), Sized(20)], backend=local)
    assert (set(found) == {os.getpid()}) is here
    assert ("in this process" in local.choice) is here


# keeping --------------------------------------------------------------------------------------------------------------


def test_finished_pieces_are_not_done_again(tmp_path: Path) -> None:
    with Keeper(tmp_path / "k", {"power": 2}) as keeper:
        done: list[int] = []

        def work(task: int, pulse: Pulse) -> int:
            done.append(task)
            return task * task

        first = share_out(work, [1, 2], keeper=keeper, keys=["one", "two"])
        look = Told()
        again = share_out(work, [1, 2, 3], keeper=keeper, keys=["one", "two", "three"], progress=look, note="numbers")
        assert (first, again, done) == ([1, 4], [1, 4, 9], [1, 2, 3])
        assert keeper.keys() == ["one", "three", "two"]
        assert look.reports[0] == (2, 3, "numbers")
    with Keeper(tmp_path / "k", {"power": 2}) as keeper:
        keeper.forget()
        assert keeper.keys() == []


def part(task: int, pulse: Pulse) -> Any:
    return (None, Part(complete=False), Part())[task]


class Part(msgspec.Struct, frozen=True):
    complete: bool = True


def test_what_was_cut_short_is_not_kept(tmp_path: Path) -> None:
    with Keeper(tmp_path / "k", {}) as keeper:
        share_out(part, [0, 1, 2], keeper=keeper)
        assert keeper.keys() == ["2"]
        assert keeper.get(2, Part) == Part()


def test_pieces_are_json_or_bytes(tmp_path: Path) -> None:
    with Keeper(tmp_path / "k", {}) as keeper:
        assert keeper.put("b", b"\x00\xff") == keeper.get("b") == b"\x00\xff"
        assert keeper.put("j", {"a": (1, 2)}) == keeper.get("j") == {"a": [1, 2]}
        assert keeper.get("none") is None


@pytest.mark.parametrize(
    ("fingerprint", "version", "said"),
    [
        ({"spot": {"pot": 100, "stack": 900}, "target": 0.003}, 1, "spot.stack is 1000 there and 900 here"),
        ({"spot": {"pot": 100, "stack": 1000}, "target": 0.01}, 1, "target is 0.003 there and 0.01 here"),
        ({"spot": {"pot": 100, "stack": 1000}}, 1, "target is 0.003 there and None here"),
        ({"spot": {"pot": 100, "stack": 1000}, "target": 0.003}, 2, "version is 1 there and 2 here"),
    ],
)
def test_a_file_of_other_work_is_refused_by_name(
    tmp_path: Path, fingerprint: dict[str, Any], version: int, said: str
) -> None:
    file = tmp_path / "report.kept"
    Keeper(file, {"spot": {"pot": 100, "stack": 1000}, "target": 0.003}).close()
    with pytest.raises(
        FileError, match=f"file of finished pieces '{file}': it holds pieces of other work: {said}"
    ) as caught:
        Keeper(file, fingerprint, version=version)
    assert caught.value.path == str(file)
    Keeper(file, {"target": 0.003, "spot": {"stack": 1000, "pot": 100}}).close()


def test_files_that_are_no_keepers_are_refused(tmp_path: Path) -> None:
    import sqlite3

    text = tmp_path / "text"
    text.write_text("board,iterations\n" * 100)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as db:
        db.execute("create table mine (x)")
    db.close()
    for file in (text, other):
        before = file.read_bytes()
        with pytest.raises(FileError, match=r"it holds something else|it is no file of finished pieces"):
            Keeper(file, {})
        assert file.read_bytes() == before
    with pytest.raises(FileError, match="it is a folder"):
        Keeper(tmp_path, {})
    with pytest.raises(FileError, match="there is no folder to hold it"):
        Keeper(tmp_path / "no" / "k", {})


_KILLED = """
import os, sys, time
from dupai.jobs import Keeper, share_out

def work(task, pulse):
    if task == 2:
        os.kill(os.getpid(), 9)
    return [task]

with Keeper(sys.argv[1], {"n": 1}) as keeper:
    share_out(work, [0, 1, 2], keeper=keeper)
"""


def test_pieces_survive_kill_9(tmp_path: Path) -> None:
    file = tmp_path / "k"
    done = subprocess.run([sys.executable, "-c", _KILLED, file], timeout=60)
    assert done.returncode == -signal.SIGKILL
    with Keeper(file, {"n": 1}) as keeper:
        assert [keeper.get(k) for k in range(3)] == [[0], [1], None]


def test_the_first_difference_is_named_by_its_keys() -> None:
    assert first_difference({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}) == ("a.c", 2, 3)
    assert first_difference({"a": 1}, {}) == ("a", 1, None)


def test_importing_jobs_loads_no_backend() -> None:
    code = "import sys, dupai.jobs; print([m for m in ('multiprocessing', 'numpy', 'sqlite3') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_no_jobs_are_refused() -> None:
    with pytest.raises(ConfigError, match="jobs = 0: expected at least 1"):
        make_backend("processes", 0)
