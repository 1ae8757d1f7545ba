"""Agents and readers that attack the match they play in: ``hostile:ATTACK,where=PLACE`` (a package by entry point).

Tests put this folder on the path (``hostile`` in :mod:`support.plugins_internals`). An attack is a function of
``ATTACKS``; what it returns is the agent's answer where it happens in ``act``. Attacks that find something out write it
to the file ``out``.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from dupai.agents import BaseAgent
from dupai.base import NotationError
from dupai.reading import Reading, UniformReader
from dupai.rules import Action, HandState


def _forever() -> None:
    while True:
        time.sleep(0.01)


def _sessions() -> None:
    """Ten children with sessions of their own; the numbers of their processes go to ``out``. The threads end after the
    first one: until then the children still belong to a process that seems to have ended."""
    for _ in range(100):
        threading.Thread(target=time.sleep, args=(300,), daemon=True).start()
    children = [
        subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(300)"], env={}, start_new_session=True)
        for _ in range(10)
    ]
    _report(" ".join(str(child.pid) for child in children))


def _referee() -> int:
    """The process of the match: the parent of the one that started this one."""
    with open(f"/proc/{os.getppid()}/stat", "rb") as file:
        return int(file.read().rpartition(b")")[2].split()[1])


def _memory(name: str) -> None:
    """What the referee's files in the process file system give, and those of the process between."""
    found = []
    for process in (_referee(), os.getppid()):
        try:
            with open(f"/proc/{process}/{name}", "rb") as file:
                if name == "mem":
                    with open(f"/proc/{process}/maps") as maps:
                        file.seek(int(maps.readline().partition("-")[0], 16))
                found.append(f"read {len(file.read(64))} bytes")
        except OSError as error:
            found.append(type(error).__name__)
    _report(" ".join(found))


def _surroundings() -> None:
    """The names of environment variables, what the descriptors are, hands in play that the collector knows."""
    files = []
    for number in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            files.append(os.readlink(f"/proc/self/fd/{number}").partition(":")[0])
    hands = [one for one in gc.get_objects() if isinstance(one, HandState)]
    _report(json.dumps({"names": list(os.environ), "files": sorted(files), "hands": len(hands)}))


def _flood() -> None:
    block = b"x" * (1 << 20)
    for _ in range(200):
        os.write(1, block)


def _crowd() -> None:
    for _ in range(100):
        if not os.fork():
            time.sleep(300)
    time.sleep(300)


def _lie(data: bytes) -> None:
    """Write to the connection itself."""
    for number in map(int, os.listdir("/proc/self/fd")):
        with suppress(OSError):
            if os.readlink(f"/proc/self/fd/{number}").startswith("socket"):
                os.write(number, data)


def _misspelt() -> None:
    _report(str(os.getpid()))
    raise NotationError("unknown agent")


_WRONG = (
    None, "call", 1, 2.5, b"", (), (1,), (1, 0, 0), [1, 0], {}, {"kind": 1}, Action("x"), Action(1, 10**30),  # type: ignore[arg-type]
    Action(7), Action(2, -5), lambda: 0, object,
)  # fmt: skip


def _nested(depth: int) -> Any:
    answer: Any = ()
    for _ in range(depth):
        answer = (answer,)
    return answer


class _Reduced:
    """An answer that runs code where it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.write_text, (Path(_out), f"ran in {os.getpid()}")


def _remember() -> None:
    """How often this process has come here goes to ``out``, a digit each time."""
    _visits.append("")
    with open(_out, "a") as file:
        file.write(str(len(_visits)))


_out = os.devnull
_visits: list[str] = []


def _report(text: str) -> None:
    Path(_out).write_text(text)


ATTACKS: dict[str, Callable[[], Any]] = {
    "none": lambda: None,
    "raise": lambda: 1 // 0,
    "exit": lambda: sys.exit("bye"),
    "exit0": lambda: os._exit(0),
    "exit3": lambda: os._exit(3),
    "loop": _forever,
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "kill-referee": lambda: os.kill(_referee(), signal.SIGKILL),
    "stop-referee": lambda: os.kill(_referee(), signal.SIGSTOP),
    "kill-parent": lambda: os.kill(os.getppid(), signal.SIGKILL),
    "surroundings": _surroundings,
    "flood": _flood,
    "crowd": _crowd,
    "lie-large": lambda: _lie(b"\xff" * 64),
    "lie-garbage": lambda: _lie(b"\x05\0\0\0\xc1\xc1\xc1\xc1\xc1"),
    "misspelt": _misspelt,
    "sessions": _sessions,
    "memory": lambda: _memory("mem"),
    "environ": lambda: _memory("environ"),
    "huge": lambda: b"x" * 100_000_000,
    "deep": lambda: _nested(100_000),
    "reduce": _Reduced,
    "remember": _remember,
}


class Hostile(BaseAgent):
    """Calls, and does ``attack`` at ``where``."""

    def __init__(self, attack: str = "none", where: str = "act", out: str = os.devnull) -> None:
        global _out
        _out = out
        self._wrong = iter(_WRONG) if attack == "wrong" else None
        self._attack, self._where = ATTACKS.get(attack, ATTACKS["none"]), where
        self._at("make")

    def _at(self, where: str) -> Any:
        return self._attack() if where == self._where else None

    def start(self, match: Any) -> None:
        self._at("start")

    def begin(self, hand: Any) -> None:
        self._at("begin")

    def act(self, view: Any, rng: Any) -> Any:
        if self._wrong is not None:
            return next(self._wrong, Action.call())
        answer = self._at("act")
        return Action.call() if answer is None else answer

    def observe(self, record: Any) -> None:
        self._at("observe")

    def close(self) -> None:
        self._at("close")


class HostileReader(UniformReader):
    """Knows nothing, and does ``attack`` at ``where`` (make, meet, read, observe)."""

    def __init__(self, attack: str = "none", where: str = "read", out: str = os.devnull) -> None:
        global _out
        _out = out
        self._attack, self._where = ATTACKS[attack], where
        self._at("make")

    def _at(self, where: str) -> None:
        if where == self._where:
            self._attack()

    def meet(self, names: Mapping[int, str]) -> None:
        self._at("meet")
        super().meet(names)

    def read(self, view: Any, seats: Sequence[int] | None = None) -> Mapping[int, Reading]:
        self._at("read")
        return super().read(view, seats)

    def observe(self, record: Any) -> None:
        self._at("observe")
        super().observe(record)


def __getattr__(name: str) -> Any:
    """Entry points that attack while they are loaded: ``import_ATTACK``."""
    word, _, attack = name.partition("_")
    if word != "import" or attack not in ATTACKS:
        raise AttributeError(name)
    ATTACKS[attack]()
    return Hostile
