"""The exception tree: everything that a user can cause derives from :class:`DupaiError`.

```
DupaiError
├── FileError          a file that cannot be read, written or trusted (path)
├── MissingPackage     an optional part that is not installed (says how to install it for the interpreter that runs)
├── NotationError      text that is not a card, range, log line, spec (quotes the text and the place)
├── RulesError         a well-formed action that is not legal here (says why, lists what is)
├── ConfigError        a game, match or agent setting that makes no sense (names the key)
│   ├── NotCovered     a game, bet or situation that a strategy has no entry for
│   └── TooLarge       work that does not fit into the memory or another limit
├── HistoryError       a record whose payoffs, cards or actions do not reconcile (file, line)
├── ProtocolError      a peer that does not keep to the protocol
├── AgentError         an agent that failed or ran out of time
└── WorkerError        a worker process that died again and again on the same task
```

The command line prints the message of one of these as a single line and exits with 2.
"""

from __future__ import annotations

import sys
from os import PathLike, fspath
from typing import Any


class DupaiError(Exception):
    """Base of every error that is not a bug in dupai.

    The message is complete without the fields; they are for programs. Each is None where it does not apply.

    Attributes:
        key: the setting, option or field that is wrong.
        text: the text that was refused, as given.
        line: line number in the file or text, from 1.
        path: the file.
    """

    def __init__(
        self,
        message: str = "",
        *,
        key: str | None = None,
        text: str | None = None,
        line: int | None = None,
        path: str | PathLike[str] | None = None,
    ) -> None:
        super().__init__(message)
        self.key = key
        self.text = text
        self.line = line
        self.path = None if path is None else fspath(path)


class FileError(DupaiError):
    """A file or folder that cannot be read, written or trusted: absent, no permission, disk full, damaged, or made by
    other work. The message names the path."""


def install_hint(extra: str) -> str:
    """The command that installs an extra of dupai for the interpreter that is running."""
    import shlex
    from importlib.util import find_spec

    python = shlex.quote(sys.executable)
    # Environments that uv makes have no pip.
    pip = f"{python} -m pip install" if find_spec("pip") else f"uv pip install --python {python}"
    return f"{pip} 'dupai[{extra}]'"


class MissingPackage(DupaiError):
    """An optional package that is not installed.

    Args:
        package: the package's name as it is imported, kept as :attr:`DupaiError.key`.
        extra: dupai's extra that brings it.
        purpose: what needs it, as the start of the sentence ("training", "the hand store").
    """

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs {package}: {install_hint(extra)}", key=package)
        self.extra = extra
        self.purpose = purpose

    def __reduce__(self) -> tuple[type[MissingPackage], tuple[str, str, str]]:
        return type(self), (self.key or "", self.extra, self.purpose)


def optional_package(package: str, extra: str, purpose: str, *modules: str) -> Any:
    """Import an optional package, and modules of it.

    Args:
        package, extra, purpose: as :class:`MissingPackage` takes them.
        modules: full names of modules that are needed too.

    Raises:
        MissingPackage: it is not installed.
    """
    from importlib import import_module

    try:
        for name in (package, *modules):
            import_module(name)
    except ImportError:
        raise MissingPackage(package, extra, purpose) from None
    return sys.modules[package]


class NotationError(DupaiError):
    """Text that is not what it should be: a card, a range, a log line, an agent spec.

    The message quotes the text and says what was expected.
    """


class RulesError(DupaiError):
    """A well-formed action that is not legal here. The message says why and what is legal."""


class ConfigError(DupaiError):
    """A game, match or agent setting that makes no sense. The message names the key."""


class NotCovered(ConfigError):
    """A game, bet or situation that a strategy has no entry for; :attr:`DupaiError.key` says which of the three."""


class TooLarge(ConfigError):
    """Work that does not fit into the memory or another limit. The message names both sizes."""


class HistoryError(DupaiError):
    """A recorded hand whose payoffs, cards or actions do not reconcile. The message names file and line."""


class ProtocolError(DupaiError):
    """A peer that does not keep to the protocol."""


class AgentError(DupaiError):
    """An agent that failed, answered with something illegal or ran out of time."""


class WorkerError(DupaiError):
    """A worker process that died again and again on the same task. The message names the task."""
