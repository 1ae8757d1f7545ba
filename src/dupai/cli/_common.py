"""What the commands share: printing, progress, JSON, and errors as one line."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Literal, TextIO

import typer

from dupai.base import ConfigError, Estimate, FileError
from dupai.base.text import visible

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console
    from rich.progress import Progress as RichProgress
    from rich.segment import Segment
    from rich.text import Text

    from dupai.agents import AgentInfo


#: Options of commands that share out work; :func:`resolve_jobs` and :func:`dupai.jobs.make_backend` take them.
JobsOption = Annotated[int, typer.Option("--jobs", "-j", help="Worker processes; 0: one for each core.")]
BackendOption = Annotated[
    str,
    typer.Option(
        "--backend",
        help="local (this process, or --jobs processes), or ray (extra cluster), ray:ADDRESS for a running cluster.",
    ),
]


#: Columns of output that goes to a file or another program.
_PIPED = 80


def _broken(text: str, width: int, first: str, rest: str) -> str:
    """A text in lines that begin with ``first`` and ``rest``. Long words stay whole, to be copied."""
    import textwrap

    options: Any = {"break_long_words": False, "break_on_hyphens": False}
    return "\n".join(textwrap.wrap(text, width, initial_indent=first, subsequent_indent=rest, **options))


def fitted(text: str, width: int) -> str:
    """The text with lines of at most ``width`` characters, where its words allow it: they stay whole, to be copied.
    What a line is continued on is indented by two more."""
    lines = []
    for line in text.split("\n"):
        blank = line[: len(line) - len(line.lstrip())]
        lines.append((_broken(line, width, "", f"{blank}  ") if len(line) > width else "") or line)
    return "\n".join(lines)


def say(text: str) -> None:
    """Print a text for people, no wider than the terminal."""
    console().print(text, soft_wrap=True)


def console(*, stderr: bool = False) -> Console:
    """A rich console for standard output (or error); plain text where that is not a terminal.

    What is printed with ``soft_wrap`` has its words whole; no line is wider than the terminal unless one word is.
    """
    from rich.console import Console

    class Plain(Console):
        def print(self, *objects: Any, **settings: Any) -> None:
            if settings.get("soft_wrap"):
                objects = tuple(fitted(o, self.width) if isinstance(o, str) else o for o in objects)
            super().print(*objects, **settings)

        def on_broken_pipe(self) -> None:
            # Who reads our output went away (as `| head` does), which is no error of ours: see main().
            raise BrokenPipeError

        def render_str(self, text: str, **options: Any) -> Text:
            # Before the width of a column is measured.
            return super().render_str(visible(text), **options)

        def render(self, renderable: Any, options: Any = None) -> Iterator[Segment]:
            for segment in super().render(renderable, options):
                yield segment if segment.control else segment._replace(text=visible(segment.text))

    width = None
    stream = sys.stderr if stderr else sys.stdout
    if not stream.isatty() and "COLUMNS" not in os.environ:
        width = _PIPED
    colours: Literal["auto"] | None = None if os.environ.get("NO_COLOR") else "auto"
    as_it_is: dict[str, Any] = dict.fromkeys(("highlight", "markup", "emoji", "soft_wrap"), False)
    return Plain(file=unguarded(stream), width=width, color_system=colours, **as_it_is)


class Guarded:
    """A stream to which only text that the terminal shows as it is goes: names in files may hold escape sequences."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write text with its control characters made visible."""
        self.stream.write(visible(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write lines, as :meth:`write` does."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def unguarded(stream: TextIO) -> TextIO:
    """The stream itself, for our own colours."""
    return stream.stream if isinstance(stream, Guarded) else stream


@contextmanager
def guarded_output() -> Iterator[None]:
    """Inside, whatever is written to standard output and standard error passes through :class:`Guarded`. A stream that
    was closed before the start reads as empty, and what is written to it is lost."""
    before = sys.stdin, sys.stdout, sys.stderr
    with ExitStack() as opened:
        if sys.stdin is None:
            sys.stdin = opened.enter_context(open(os.devnull))
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if stream is None:
                stream = opened.enter_context(open(os.devnull, "w"))
            setattr(sys, name, Guarded(unguarded(stream)))
        try:
            yield
        finally:
            sys.stdin, sys.stdout, sys.stderr = before


def print_json(document: Any) -> None:
    """Print one JSON document (msgspec structs, numpy numbers and arrays, and :class:`Estimate` are taken).

    A number that JSON does not have (nan, infinity) becomes null, and bytes in a file's name that are no text are
    written as a terminal shows them.
    """
    import json

    import msgspec

    def array(value: Any) -> Any:
        if hasattr(value, "tolist"):
            return value.tolist()
        raise TypeError(f"cannot write {type(value).__name__} as JSON")

    def sound(value: Any) -> Any:
        if isinstance(value, Estimate):
            return value.to_json()
        if isinstance(value, dict):
            return {sound(k): sound(v) for k, v in value.items()}
        if isinstance(value, list | tuple):
            return [sound(v) for v in value]
        if isinstance(value, float):
            return value if math.isfinite(value) else None
        if isinstance(value, str):
            return value.encode("utf-8", "backslashreplace").decode()
        if value is None or isinstance(value, int):
            return value
        return sound(msgspec.to_builtins(value, enc_hook=array, str_keys=True))

    text = json.dumps(sound(document), ensure_ascii=False, indent=2, allow_nan=False)
    sys.stdout.write(visible(text, form="json") + "\n")


def print_named(infos: Iterable[Any], everything: bool = False) -> None:
    """Print what can be named by specs (agents, readers) with presets and options; those that only the variant of a
    paper needs with ``everything``."""
    from dupai.agents import AgentInfo

    out = console()

    def value(default: Any) -> str:
        if isinstance(default, bool):
            return "on" if default else "off"
        return "none" if default in (None, "") else f"{default:g}" if isinstance(default, float) else str(default)

    def tell(text: str, first: str, rest: str) -> None:
        out.print(_broken(text, out.width, first, rest), soft_wrap=True)

    for info in infos:
        origin = "" if info.origin == "dupai" else f"  [from {info.origin}]"
        tell(f"{info.error or info.summary}{origin}", f"{info.name:<11} ", " " * 12)
        if isinstance(info, AgentInfo) and info.error is None:
            tell(_plays(info), " " * 12, " " * 16)
        for preset, values in info.presets.items() if isinstance(info, AgentInfo) else ():
            tell(f"{info.name}:{preset}", " " * 12, " " * 16)
            tell(f"preset: {', '.join(f'{k}={value(v)}' for k, v in values.items())}", " " * 16, " " * 16)
        hidden = [] if everything else [option.name for option in info.options if option.hidden]
        for option in info.options:
            if option.name in hidden:
                continue
            default = "needed" if option.required else f"default {value(option.default)}"
            tell(f"{option.name}={option.type}", " " * 12, " " * 16)
            tell(f"{option.help or 'no help'}; {default}", " " * 16, " " * 16)
        if hidden:
            tell(f"for experiments (--all): {', '.join(hidden)}", " " * 12, " " * 16)


def _plays(info: AgentInfo) -> str:
    """The tables and games that an agent plays, and what its class declares."""
    low, high = info.players
    seats = "heads-up only" if high == 2 else f"{low} players" if low == high else f"{low} to {high} players"
    declared = [
        word for word, is_so in (("stateless", info.stateless), ("by the clock", not info.reproducible)) if is_so
    ]
    return f"plays {seats}; {', '.join(info.bettings)}" + "".join(f"; {word}" for word in declared)


def check_writable(option: str, file: Path) -> None:
    """Refuse, before hours of work, a file that could not be written afterwards.

    Raises:
        FileError: no file can be made there.
    """
    name, folder = f"{option} {str(file)!r}", file.resolve().parent
    if not folder.is_dir():
        raise FileError(f"{name}: there is no folder {str(file.parent)!r}", path=file)
    if file.is_dir():
        raise FileError(f"{name} is a folder: expected the name of a file", path=file)
    if not os.access(folder, os.W_OK):
        raise FileError(f"{name}: nothing can be written to the folder {str(file.parent)!r}", path=file)


def resolve_jobs(jobs: int) -> int:
    """Number of worker processes: ``0`` means one for each core.

    Raises:
        ConfigError: ``jobs`` is negative.
    """
    if jobs < 0:
        raise ConfigError(f"--jobs {jobs}: expected 0 (one for each core) or a positive number")
    return jobs or os.cpu_count() or 1


_STOPPING = "stopping (Ctrl-C again: at once)"
#: Seconds after Ctrl-C in which work has to look whether to stop; else it is interrupted where it is.
_PATIENCE = 1.5


class TerminalProgress:
    """A :class:`dupai.base.Progress` drawn on standard error once the work has taken more than ``delay`` seconds.

    When standard error is not a terminal it shows nothing, or with ``lines`` a line every ``lines``
    seconds. :attr:`cancelled` becomes true at Ctrl-C, so that the work
    can stop at its next look and give what it has; :attr:`noticed` once it has looked.
    """

    def __init__(self, title: str, *, delay: float = 1.0, lines: float | None = None) -> None:
        self._title = title
        self._lines = lines
        self._said = time.monotonic()
        self._delay = delay
        self._start = time.monotonic()
        self._bar: RichProgress | None = None
        self._task: Any = None
        self._cancelled = False
        self.noticed = False
        self._enabled = sys.stderr.isatty()

    @property
    def cancelled(self) -> bool:
        self.noticed = self._cancelled
        return self._cancelled

    def cancel(self) -> None:
        self._cancelled = True
        if self._bar is not None:
            self._bar.update(self._task, note=_STOPPING)
        elif self._enabled:
            sys.stderr.write(f"{_STOPPING}\n")

    def report(self, done: float, total: float | None, note: str = "") -> None:
        if not self._enabled:
            self._say(done, total, note)
            return
        if self._bar is None:
            if time.monotonic() - self._start < self._delay:
                return
            self._open()
        assert self._bar is not None
        self._bar.update(self._task, completed=done, total=total, note=_STOPPING if self._cancelled else note)

    def _say(self, done: float, total: float | None, note: str) -> None:
        now = time.monotonic()
        if self._lines is None or now - self._said < self._lines:
            return
        self._said = now
        share = f"{100 * done / total:.0f} %" if total else f"{done:,.0f}"
        words = f"{self._title}: {share} after {(now - self._start) / 60:.1f} min{f', {note}' if note else ''}\n"
        sys.stderr.write(words)
        sys.stderr.flush()

    def _open(self) -> None:
        from rich import progress as rich

        bar = rich.Progress(
            rich.TextColumn("{task.description}"),
            rich.BarColumn(bar_width=24),
            rich.TaskProgressColumn(),
            rich.TimeElapsedColumn(),
            rich.TimeRemainingColumn(),
            rich.TextColumn("{task.fields[note]}"),
            console=console(stderr=True),
            transient=True,
        )
        bar.start()
        try:
            self._task = bar.add_task(self._title, total=None, note="")
        except BaseException:
            bar.stop()
            raise
        # Last: Ctrl-C may come at any moment, and writes to a bar that is there.
        self._bar = bar

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


@contextmanager
def interrupts(stop: Callable[[], None], noticed: Callable[[], bool] = lambda: True) -> Iterator[None]:
    """Inside, the first Ctrl-C calls ``stop`` instead of raising, so that work can end with what it has; a second one
    raises ``KeyboardInterrupt``, and so does the first where the work has not ``noticed`` it in a second or two (it
    compiles, or an agent thinks). Does nothing outside the main thread."""
    import _thread
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    asked = False

    def insist() -> None:
        if not noticed():
            _thread.interrupt_main()

    timer = threading.Timer(_PATIENCE, insist)
    timer.daemon = True

    def on_signal(number: int, frame: Any) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        timer.start()
        stop()

    before = signal.signal(signal.SIGINT, on_signal)
    try:
        yield
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)


@contextmanager
def progress(title: str, *, delay: float = 1.0, lines: float | None = None) -> Iterator[TerminalProgress]:
    """A progress bar for long work (``lines``: see :class:`TerminalProgress`); Ctrl-C inside asks the work to stop (see
    :func:`interrupts`)."""
    bar = TerminalProgress(title, delay=delay, lines=lines)
    with interrupts(bar.cancel, lambda: bar.noticed):
        try:
            yield bar
        finally:
            bar.close()
