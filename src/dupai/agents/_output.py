"""What agents print: it goes to standard error line by line, with the name of the agent, and never into our output."""

from __future__ import annotations

import io
import sys
import threading
from typing import Any, TextIO

_lock = threading.Lock()
_speaking = threading.local()
_open = 0


class AgentLines(io.TextIOBase):
    """Writes to standard error, every line with ``name`` before it."""

    encoding = "utf-8"

    def __init__(self, name: str) -> None:
        self._name = name
        self._rest = ""

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return sys.stderr.fileno()

    def write(self, text: str, /) -> int:
        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            sys.stderr.write(f"{self._name}: {line}\n")
        return len(text)

    def end(self) -> None:
        """Write what has no line end yet."""
        if self._rest:
            self.write("\n")


class _Output:
    """Standard output while agents run in this process: what an agent's thread writes is the agent's."""

    def __init__(self, usual: TextIO) -> None:
        self.usual = usual

    def write(self, text: str) -> int:
        return int((getattr(_speaking, "lines", None) or self.usual).write(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.usual, name)


class AgentOutput:
    """``with AgentOutput(name):`` around a call of an agent: what it prints goes to standard error with its name."""

    def __init__(self, name: str) -> None:
        self._lines = AgentLines(name)

    def __enter__(self) -> None:
        global _open
        with _lock:
            if not isinstance(sys.stdout, _Output):
                sys.stdout = _Output(sys.stdout)
            _open += 1
        _speaking.lines = self._lines

    def __exit__(self, *error: object) -> None:
        global _open
        _speaking.lines = None
        self._lines.end()
        with _lock:
            _open -= 1
            if not _open and isinstance(sys.stdout, _Output):
                sys.stdout = sys.stdout.usual
