"""A stranger's code in a process of its own: functions that are called there. What travels is typed by their
annotations, in MessagePack, and checked where it arrives; neither side unpickles anything.

The process is started as a program by :mod:`dupai.jobs._supervisor`, which limits it and ends it with all that it has
started. It is not forked, and not started by :mod:`multiprocessing`, which would run a script that has no
``if __name__ == "__main__"`` a second time. Once released it serves the same package again.
"""

from __future__ import annotations

import contextlib
import math
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import cache, wraps
from importlib import import_module
from multiprocessing import util
from pathlib import Path
from typing import Any, Generic, TypeVar, cast, get_type_hints

import msgspec
import numpy as np
from msgspec import msgpack

from dupai import base
from dupai.base import AgentError, ConfigError, DupaiError, notify
from dupai.base.specs import SpecRegistry
from dupai.base.text import raised_at
from dupai.jobs import _supervisor
from dupai.jobs._supervisor import hide_memory as hide_memory

#: Bytes of an answer, and of what a process may print; beyond the one it is ended, beyond the other it is not shown.
ANSWER_SIZE, OUTPUT_SIZE = 1 << 22, 1 << 20
#: Seconds of waiting before a person is told.
_NOTICE_SECONDS = 5.0
#: GiB that one process may take (at most half of the machine's memory), and the environment variable that changes it.
_MEMORY, _MEMORY_VARIABLE = 8.0, "DUPAI_AGENT_GIB"
#: Environment variables that a stranger gets, by how their names begin, and the one that names more; never those whose
#: names sound like a secret.
_PASSED = (
    "PATH HOME USER LOGNAME SHELL LANG LC_ TZ TMPDIR XDG_ TERM COLUMNS LD_LIBRARY_PATH DYLD_ VIRTUAL_ENV CONDA_ PYTHON "
    "DUPAI_ NUMBA_ OMP_ MKL_ OPENBLAS_ CUDA_ NVIDIA_"
)
_PASSED_VARIABLE = "DUPAI_AGENT_ENV"
_SECRETS = ("KEY", "SECRET", "TOKEN", "PASS", "CREDENTIAL")
#: The length of a message, before it.
_HEAD = struct.Struct("<I")
#: Errors of ours that are the same on both sides.
_ERRORS = ("ConfigError", "FileError", "HistoryError", "NotationError", "ProtocolError", "RulesError")
T = TypeVar("T")


class ProcessLost(Exception):
    """A process has ended by itself, or had to be ended; the text is complete. ``late``: it did not answer."""

    late = False


class OutsideError(Exception):
    """What was raised in a process; the text is complete."""


class Outside:
    """A process for the code of other packages.

    Args:
        package: their names; a released process is used again for the same ones alone.

    Raises:
        ConfigError: the environment variable for its memory is no number above 0.
    """

    def __init__(self, package: str) -> None:
        hide_memory()
        self._of, memory = _key(package), str(_memory())
        ours, theirs = socket.socketpair()
        code = f"from dupai.jobs import _outside; _outside.serve({theirs.fileno()})"
        with theirs:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-I", "-S", _supervisor.__file__, str(theirs.fileno()), memory),
                    *(sys.executable, "-c", code),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                bufsize=0,
                env=_environment(os.environ),
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        assert self.process.stdout is not None
        self._wire, self._output = ours, self.process.stdout.fileno()
        os.set_blocking(self._output, False)
        self._poll = select.poll()
        self._poll.register(ours, select.POLLIN)
        self._poll.register(self._output, select.POLLIN)
        self._line, self._printed = b"", 0
        self._owner = os.getpid()
        #: What its lines of output begin with, and what it was sent last, for those who ask it.
        self.name, self.last = package, cast(Any, None)

    @classmethod
    def of(cls, package: str) -> Outside:
        """A released process, or a new one.

        Raises:
            ConfigError: as for a new one.
        """
        if not _finalizer:
            _finalizer.append(util.Finalize(None, end_idle, exitpriority=100))
        for one in [one for one in _idle if one._of == _key(package)]:
            _idle.remove(one)
            if one.process.poll() is None:
                return one
            one.end()
        return cls(package)

    def call(
        self, function: Callable[..., T], *values: Any, seconds: float, size: int = ANSWER_SIZE, notice: str = ""
    ) -> T:
        """What a function gives in the process.

        Args:
            function: of a module of ours; its annotations are the types of what is sent and answered.
            values: its arguments.
            seconds: until the process is ended.
            size: bytes of the answer, at most.
            notice: what it is asked for; a person is told after some seconds of waiting.

        Raises:
            DupaiError: the function raised one (an AgentError, where its class is not of :mod:`dupai.base`).
            OutsideError: it raised another error, or its answer is not of its type.
            ProcessLost: there is no answer; the process has been ended.
        """
        data = self._ask(encode((f"{function.__module__}:{function.__name__}", values)), seconds, size, notice)
        try:
            answer = _answers(function).decode(data)
        except (msgspec.MsgspecError, DupaiError, RecursionError, ValueError) as error:
            raise OutsideError(f"its answer cannot be read: {error}") from None
        if isinstance(answer, _Done):
            return cast(T, answer.value)
        name, text = _printable(answer.error), _printable(answer.text)
        if answer.error == "MemoryError":
            # What it holds would be in the way of all that comes after.
            raise self._lost(f"MemoryError: it may take {gibibytes():g} GiB ({_MEMORY_VARIABLE})")
        if answer.ours:
            kind: type[DupaiError] = getattr(base, name) if name in _ERRORS else AgentError
            raise kind(text, key=answer.key)
        raise OutsideError(f"{name}: {text}")

    def _ask(self, question: bytes, seconds: float, size: int, notice: str) -> bytes:
        begun = now = time.monotonic()
        end, answer, length = begun + seconds, bytearray(), size
        try:
            self._wire.settimeout(seconds)
            self._wire.sendall(_HEAD.pack(len(question)) + question)
            while now < end:
                if notice and now - begun >= _NOTICE_SECONDS:
                    notify(f"dupai: waiting for {self.name} ({notice}), {seconds:.0f} s at most")
                    notice = ""
                for descriptor, _ in self._poll.poll(1000 * min(end - now, _NOTICE_SECONDS)):
                    if descriptor == self._output:
                        self._show()
                    elif part := self._wire.recv(1 << 16):
                        answer += part
                    else:
                        raise EOFError
                if len(answer) >= _HEAD.size and (length := _HEAD.unpack_from(answer)[0]) > size:
                    raise self._lost(f"its answer has {length:,} bytes, at most {size:,} are read")
                if len(answer) >= length + _HEAD.size:
                    self._show(end=True)
                    return bytes(memoryview(answer)[_HEAD.size :])
                now = time.monotonic()
        except TimeoutError:
            pass
        except (OSError, EOFError):
            raise self._lost(self._how_it_ended()) from None
        raise self._lost(f"no answer within {seconds:g} s: its process was ended", late=True)

    def _lost(self, how: str, late: bool = False) -> ProcessLost:
        self.end()
        lost = ProcessLost(how)
        lost.late = late
        return lost

    def _show(self, end: bool = False) -> None:
        """Write what it has printed to standard error, line by line, with its name before each."""
        with contextlib.suppress(BlockingIOError, KeyError):
            # Not without end: it may print faster than this reads.
            for _ in range(64):
                if not (part := os.read(self._output, 1 << 16)):
                    self._poll.unregister(self._output)
                    break
                self._printed += len(part)
                if self._printed <= OUTPUT_SIZE:
                    self._line += part
                elif self._printed - len(part) <= OUTPUT_SIZE:
                    self._line += f"\n(more than {OUTPUT_SIZE:,} bytes: the rest is not shown)\n".encode()
        *lines, self._line = self._line.split(b"\n")
        if end and self._line:
            lines, self._line = [*lines, self._line], b""
        for line in lines:
            sys.stderr.write(f"{self.name}: {_printable(line.decode(errors='replace'), OUTPUT_SIZE)}\n")

    def release(self) -> None:
        """Leave the process, if it is still there, to the next that asks for one of the same strangers."""
        if self.process.returncode is None:
            _idle.append(self)

    def end(self) -> None:
        """End it with all that it has started."""
        if self._owner != os.getpid() or (self.process.returncode is not None and self._wire.fileno() < 0):
            return
        self._wire.close()
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self._show(end=True)
        self.process.stdout.close()

    def _how_it_ended(self) -> str:
        try:
            code = self.process.wait(2)
        except subprocess.TimeoutExpired:
            return "it closed its connection"
        if code == _supervisor.CROWDED:
            return f"its process had more than {_supervisor.MAX_PROCESSES} processes"
        if code >= 0:
            return f"its process left with exit code {code}"
        name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
        return f"its process was ended by {name}" + (" (out of memory?)" if name == "SIGKILL" else "")


def _printable(text: str, size: int = 1000) -> str:
    return "".join(c if c.isprintable() or c == "\t" else "?" for c in text[:size])


_idle: list[Outside] = []
#: Ends the processes before those who wait for all processes at the exit.
_finalizer: list[object] = []


def end_idle() -> None:
    """End the processes that nobody uses."""
    while _idle:
        _idle.pop().end()


def _forget() -> None:
    """In a process that was forked from this one: its processes are not ours."""
    for one in _idle:
        one.process.returncode = 0
        one._wire.close()
        for pipe in (one.process.stdin, one.process.stdout):
            assert pipe is not None
            pipe.close()
    _idle.clear()
    _finalizer.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def _environment(ours: Mapping[str, str]) -> dict[str, str]:
    """The part of an environment that a stranger gets, with the folders of this process."""
    more = tuple(ours.get(_PASSED_VARIABLE, "").replace(",", " ").split())
    passed = {
        name: value
        for name, value in ours.items()
        if name in more
        or (name.startswith(tuple(_PASSED.split())) and not any(word in name.upper() for word in _SECRETS))
    }
    return passed | {"PYTHONPATH": _folders()}


def _folders() -> str:
    return os.pathsep.join(path or os.getcwd() for path in sys.path)


def _key(package: str) -> tuple[str, ...]:
    """What a process can be used again for."""
    return package, _folders(), os.environ.get(_MEMORY_VARIABLE, "")


def gibibytes() -> float:
    """GiB that a stranger's process may take.

    Raises:
        ConfigError: the environment variable is no number above 0.
    """
    text = os.environ.get(_MEMORY_VARIABLE, str(_MEMORY))
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 < number < math.inf:
        raise ConfigError(f"{_MEMORY_VARIABLE}={text!r}: expected a number of GiB above 0", key=_MEMORY_VARIABLE)
    return number


def _memory() -> int:
    """Bytes of memory that a process may take."""
    most = int(gibibytes() * 2**30)
    with contextlib.suppress(OSError, ValueError):
        most = min(most, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2)
    with contextlib.suppress(OSError, ValueError):
        most = min(most, int(Path("/sys/fs/cgroup/memory.max").read_text()) // 2)
    return most


def outside_where_foreign(
    registry: SpecRegistry, function: Callable[[str], T], lost: Callable[..., T] | None = None
) -> Callable[[str], T]:
    """The function of a spec; for one of another package, in a process of that package.

    Args:
        registry: of the specs.
        function: of a spec alone.
        lost: makes the answer where the process gives none (``lost(name=..., summary=..., origin=..., error=...)``).

    Raises:
        DupaiError: what the function raised; ConfigError, where it gave no answer.
    """

    @wraps(function)
    def told(spec: str) -> T:
        package = None if _outside else registry.packages().get(spec.partition(":")[0].strip())
        if package is None or os.name != "posix":
            return function(spec)
        one = Outside.of(package)
        try:
            return one.call(function, spec, seconds=60.0, notice="loading")
        except (ProcessLost, OutsideError) as error:
            text = f"{registry.what} {spec!r} cannot be loaded: {error}"
            if lost is None:
                raise ConfigError(text) from None
            return lost(name=spec, summary="cannot be loaded", origin=package, error=text)
        finally:
            one.release()

    return told


# The other side -----------------------------------------------------------------------------------------------------


def is_outside() -> bool:
    """Whether this process is one for the code of other packages."""
    return _outside


_outside = False


class _Done(msgspec.Struct, Generic[T], array_like=True, tag=0):
    value: T


class _Failed(msgspec.Struct, array_like=True, tag=1):
    """An error: its class, whether that is one of ours, its text and key."""

    error: str
    ours: bool
    text: str
    key: str | None


def _packed(value: Any) -> Any:
    """NumPy's numbers as numbers, arrays (and what gives one) as bytes."""
    if isinstance(value, np.generic):
        return value.item()
    if hasattr(value, "__array__"):
        return np.asarray(value).tobytes()
    raise TypeError(f"expected plain data, not {type(value).__name__}")


def _unpacked(kind: Any, data: Any) -> Any:
    return kind(np.frombuffer(data))


encode = msgpack.Encoder(enc_hook=_packed).encode


@cache
def _answers(function: Callable[..., Any]) -> msgpack.Decoder[Any]:
    kind = get_type_hints(function, include_extras=True)["return"]
    done: Any = _Done[kind]  # type: ignore[valid-type]
    return msgpack.Decoder(done | _Failed, dec_hook=_unpacked)


@cache
def _questions(target: str) -> tuple[Callable[..., Any], msgpack.Decoder[Any]]:
    """A function by its module and name, and what reads its arguments."""
    module, _, name = target.partition(":")
    function = getattr(import_module(module), name)
    kinds = get_type_hints(function, include_extras=True)
    kinds.pop("return")
    return function, msgpack.Decoder(tuple[tuple(kinds.values())], dec_hook=_unpacked)  # type: ignore[misc]


def serve(descriptor: int) -> None:
    """In the process: answer what comes along the connection until that is closed."""
    global _outside
    _outside = True
    hide_memory()
    os.set_inheritable(descriptor, False)
    wire = socket.socket(fileno=descriptor)
    while head := wire.recv(_HEAD.size, socket.MSG_WAITALL):
        data = wire.recv(_HEAD.unpack(head)[0], socket.MSG_WAITALL)
        target, values = msgpack.decode(data, type=tuple[str, msgspec.Raw])
        function, reader = _questions(target)
        try:
            data = encode(_Done(function(*reader.decode(values))))
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a stranger does is its own fault
            key = getattr(error, "key", None)
            name = type(error).__name__ if isinstance(error, MemoryError) else raised_at(error)
            failed = _Failed(name, isinstance(error, DupaiError), str(error)[:1000], key and str(key))
            data = encode(failed)
        sys.stdout.flush()
        wire.sendall(_HEAD.pack(len(data)) + data)
