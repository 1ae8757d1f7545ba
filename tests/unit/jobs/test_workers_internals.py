"""Worker processes end with who started them, even where he was killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import types
from pathlib import Path
from typing import Any

import pytest

from dupai.jobs import Pulse, share_out, stream
from dupai.jobs._processes import _Workers
from dupai.jobs._workers import can_fork, worker_context

#: Workers that never look up, and write that they are alive.
_WORKERS = """
import sys, time
from pathlib import Path

def work(task, pulse=None):
    with Path(task).open("ab") as file:
        while True:
            file.write(b".")
            file.flush()
            time.sleep(0.05)

if __name__ == "__main__":
    tasks = [f"{sys.argv[1]}/alive{k}" for k in range(2)]
    from dupai.jobs import ProcessBackend
    list(ProcessBackend(2).run(work, tasks, lambda done, hands: True))
"""


def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "workers.py"
    script.write_text(_WORKERS)
    files = [tmp_path / f"alive{k}" for k in range(2)]
    with (tmp_path / "said").open("wb") as said:
        parent = subprocess.Popen([sys.executable, script, tmp_path], stderr=said)

    def lengths() -> list[int]:
        return [file.stat().st_size if file.exists() else 0 for file in files]

    until = time.monotonic() + 60
    while min(lengths()) < 3:
        assert time.monotonic() < until and parent.poll() is None, (tmp_path / "said").read_text()
        time.sleep(0.05)
    parent.kill()
    parent.wait()
    until = time.monotonic() + 60
    while (before := lengths()) != (time.sleep(1), lengths())[1]:
        assert time.monotonic() < until, "they work on"
    assert before == lengths()


LOADED: list[int] = []


def loaded(task: int, pulse: Pulse) -> tuple[list[int], object, object, int]:
    return LOADED, signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM), os.getpid()


@pytest.mark.skipif(sys.platform != "linux", reason="workers are forked from this process on Linux alone")
def test_workers_have_what_a_process_without_threads_has_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dupai.jobs._workers._THREADED", ())
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    monkeypatch.setitem(globals(), "LOADED", [7])
    before = signal.signal(signal.SIGTERM, lambda number, frame: None)
    try:
        found = share_out(loaded, [0, 1], backend="processes", jobs=2)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert all(row[:3] == ([7], signal.SIG_IGN, signal.SIG_DFL) and row[3] != os.getpid() for row in found)
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_a_process_with_threads_is_not_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dupai.jobs._workers._THREADED", ())
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    try:
        assert not can_fork() and worker_context().get_start_method() != "fork"
    finally:
        end.set()
        thread.join()


def test_a_process_with_threads_of_a_package_is_not_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    monkeypatch.setitem(sys.modules, "torch", types.ModuleType("torch"))
    assert not can_fork()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_a_forked_process_leaves_agents_processes_alone() -> None:
    from dupai.jobs import _outside

    child = _outside.Outside("somebody")
    child.release()
    try:
        context = multiprocessing.get_context("fork")
        wire = context.Queue()
        process = context.Process(target=lambda: wire.put(len(_outside._idle)))
        process.start()
        assert wire.get(timeout=20) == 0
        process.join(20)
        assert child.process.poll() is None and child in _outside._idle
    finally:
        _outside._idle.remove(child)
        child.end()


def test_a_task_is_not_lost_when_an_idle_worker_dies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a death tasks go one at a time, and the next one cannot be sent to a pool that broke meanwhile."""
    pools: list[Any] = []
    made = _Workers.__init__

    def noted(self: Any, jobs: int) -> None:
        made(self, jobs)
        pools.append(self)

    monkeypatch.setattr(_Workers, "__init__", noted)
    tasks = [str(tmp_path / name) for name in ("a.dies", "b", "c")]
    got = []
    for _, result in stream(dies_in_the_first_pool, tasks, backend="processes", jobs=2):
        got.append(result)
        if len(pools) == 2 and len(got) == 2:
            os.kill(next(iter(pools[-1].pool._processes)), signal.SIGKILL)
            time.sleep(0.5)
    assert sorted(got) == ["a.dies", "b", "c"]


def dies_in_the_first_pool(task: str, pulse: Pulse) -> str:
    """The first task kills its worker once, after the others are in flight."""
    file = Path(task)
    if file.suffix == ".dies" and not file.exists():
        file.touch()
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.1)
    return file.name
