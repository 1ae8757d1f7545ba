"""The commands that play a format: each is made from the format's settings."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dupai.base import ConfigError
from dupai.base.specs import fields_of
from dupai.base.text import duration
from dupai.cli._common import BackendOption, JobsOption, console, print_json, progress, resolve_jobs
from dupai.cli._settings import alternatives, parameter_of
from dupai.cli._shared import JsonOption, table, typed

if TYPE_CHECKING:
    from rich.console import Console

    from dupai.agents import DecisionTimes
    from dupai.arena import Format
    from dupai.jobs import Backend


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """Where a format is played, and what becomes of the result: the options that all formats share."""

    config: Annotated[
        str | None,
        typer.Option("--config", help="TOML file with any of the options above; the command line has precedence."),
    ] = None
    jobs: JobsOption = 1
    backend: BackendOption = "local"
    address: Annotated[
        str | None, typer.Option("--address", help="Ray cluster, as auto or host:port; else one is started here.")
    ] = None
    results: Annotated[
        str | None, typer.Option("--results", help="SQLite file that results go into as they come (kill -9 is safe).")
    ] = None
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run of the results file that was not finished.")
    ] = False
    json: JsonOption = False

    def place(self) -> Backend:
        """Where it is played.

        Raises:
            ConfigError: there is no such backend.
        """
        from dupai.jobs import make_backend

        if self.address is not None and self.backend != "ray":
            raise ConfigError("--address: expected it with --backend ray", key="address")
        address = "" if self.address is None else f":{self.address}"
        return make_backend(self.backend + address, resolve_jobs(self.jobs))

    @contextmanager
    def playing(self, title: str) -> Iterator[dict[str, Any]]:
        """The results file and a progress bar: arguments of what plays.

        Raises:
            ConfigError: ``--resume`` without ``--results``.
        """
        from dupai.arena.store import Store

        if self.results is None and self.resume:
            raise ConfigError("--resume: expected --results FILE with the run to go on with", key="resume")
        opened = nullcontext() if self.results is None else Store(self.results, resume=self.resume)
        with opened as store, progress(title) as bar:
            yield {"store": store, "progress": bar}


def format_command(name: str) -> Callable[..., None]:
    """The command of a format: its arguments, the options of its settings, and those of :class:`RunOptions`."""
    from dupai.arena import load_format

    format = load_format(name)
    arguments = format.settings.arguments
    run_options = inspect.signature(RunOptions, eval_str=True).parameters

    def command(context: typer.Context, **values: Any) -> None:
        _play(format, context, RunOptions(**{key: values.pop(key) for key in run_options}), values)

    parameters = [
        inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context),
        *(_argument(*argument, required=len(arguments) > 1) for argument in arguments),
        *map(parameter_of, fields_of(format.settings)),
        *(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in run_options.values()),
    ]
    command.__name__, command.__doc__ = name, _help(format)
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return command


def _argument(name: str, help: str, many: bool, *, required: bool) -> inspect.Parameter:
    kind: Any = list[str] if many else str
    if not required:
        kind = kind | None
    annotation = Annotated[kind, typer.Argument(help=help, metavar=name.upper().removesuffix("S"))]
    default = inspect.Parameter.empty if required else None
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _help(format: Format[Any, Any]) -> str:
    """The text of a format's settings up to their attributes, with what holds for all formats and the keys of JSON."""
    text = (inspect.getdoc(format.settings) or "").split("\nAttributes:")[0].rstrip()
    about, _, examples = text.partition("\nExamples:")
    stop = (
        "An agent that failed is named in the first line (exit code 1). Ctrl-C prints what is played (exit code 130); "
        "with --results a run that was stopped or killed can be taken up again with --resume."
    )
    return f"{about.rstrip()}\n\n{stop}\n\nJSON keys: {json_keys(format.result)}.\n\nExamples:{examples}"


def json_keys(kind: Any) -> str:
    """The fields of a struct as a list for people; those of structs in lists are named once."""
    import msgspec

    seen: set[Any] = set()

    def keys(struct: type[Any]) -> str:
        seen.add(struct)
        hints = typing.get_type_hints(struct)
        return ", ".join(name + below(name, hints[name]) for name in struct.__struct_fields__)

    def below(name: str, hint: Any) -> str:
        parts = [part for kind in alternatives(hint) for part in (kind, *typing.get_args(kind))]
        inner = next((p for p in parts if isinstance(p, type) and issubclass(p, msgspec.Struct)), None)
        if inner is None or inner in seen or name == "config":
            return ""
        return f" ({'list of ' if any(typing.get_origin(p) is tuple for p in parts) else ''}{keys(inner)})"

    return keys(kind)


def _play(format: Format[Any, Any], context: typer.Context, run: RunOptions, values: dict[str, Any]) -> None:
    """Run a command: settings from the file and the command line, the match, its result."""
    import time

    from dupai.arena import load_settings, play_format

    given = typed(context)
    options = {key.removesuffix("_"): value for key, value in values.items() if key in given}
    agents: list[str] = []
    for name, _, many in format.settings.arguments:
        value = options.pop(name, None)
        agents += (value or []) if many else [value] if value is not None else []
    settings = load_settings(run.config, format.settings, {**options, **({"agents": agents} if agents else {})})
    face = face_of(format.name)
    place = run.place()
    extras = {} if run.json or not hasattr(face, "extras") else face.extras(console())
    start = time.perf_counter()
    with run.playing(format.name) as where:
        result = play_format(format, settings.agents, settings, backend=place, **where, **extras)
    if run.json:
        print_json(result)
    else:
        out = console()
        if result.faults:
            out.print(result.fault_counts(), style="bold red", markup=False, soft_wrap=True)
        face.show(out, result, time.perf_counter() - start)
        if key := result.config.key:
            out.print(f"cards and random streams come from a key; dealt again with\n  --key {key}", style="dim")
        if choice := getattr(place, "choice", ""):
            out.print(choice, style="dim", soft_wrap=True)
    if result.partial:
        raise typer.Exit(130)
    if result.faults:
        raise typer.Exit(1)


def face_of(name: str) -> Any:
    """What prints a format: the module ``dupai.cli._NAME`` if there is one, with ``show(out, result, seconds)``."""
    place = f"dupai.cli._{name}"
    return import_module(place) if find_spec(place) is not None else _Plain()


class _Plain:
    """Prints a format that has no tables of its own: a table for every list of the result."""

    def show(self, out: Console, result: Any, seconds: float | None = None) -> None:
        """One table for each list of structs, a column for each of their fields."""
        import msgspec
        from rich.table import Table

        out.print(f"{result.hands:,} hands, seed {result.seed}{', partial' if result.partial else ''}")
        for name in result.__struct_fields__:
            rows = getattr(result, name)
            if name in ("faults", "notes") or not isinstance(rows, tuple):
                continue
            if rows and isinstance(rows[0], msgspec.Struct):
                view = Table(*rows[0].__struct_fields__, box=None, pad_edge=False, header_style="bold", title=name)
                for row in rows:
                    view.add_row(*(str(getattr(value, "mean", value)) for value in msgspec.structs.astuple(row)))
                out.print(view)
        print_faults(out, result)


#: What is said where an interval counts deals because there are too few matches.
BY_DEALS = "by deals: counts deals as if none depended on those before, so it is too narrow where an agent has learned"


def too_few(measures: Iterable[Any], units: str) -> str:
    """What is said of means that have no interval, because they are of too few ``units``; nothing where all have."""
    needed = max((m.needed for m in measures if m.needed is not None), default=None)
    return "" if needed is None else f"too few {units} for an interval (at least {needed:,})"


def print_close(out: Console, result: Any, clock: str = "a clock or an agent limited by one") -> None:
    """The last lines of a format: decision times, whether it can be played again, and its faults."""
    print_times(out, result.decision_times)
    if not result.reproducible:
        out.print(f"not reproducible: {clock}", style="yellow")
    print_faults(out, result)


def print_times(out: Console, times: Sequence[DecisionTimes]) -> None:
    """How long each agent took to decide."""
    if not times:
        return
    view = table("decision times", ">median", ">99 % within", ">decisions")
    for row in times:
        view.add_row(row.agent, duration(row.median), duration(row.p99), f"{row.decisions:,}")
    out.print()
    out.print(view)


#: Where the faults of a match that is saved are listed; the folder is printed below them.
SAVED_FAULTS = "match.json in its folder lists them"


def print_faults(out: Console, result: Any, listed: str = "--json lists them") -> None:
    """Who broke the rules, a line for each of the first few; and which agents fell back how often. ``listed``: where
    the other faults are."""
    from dupai.arena import MAX_FAULTS

    faults = result.faults
    for fault in faults[:5]:
        out.print(
            f"fault: {fault.agent}, match {fault.match}, hand {fault.hand}, {fault.during}: {fault.error}",
            markup=False,
            soft_wrap=True,
        )
    if len(faults) > 5:
        more = f"{len(faults) - 5:,} more" if len(faults) < MAX_FAULTS else f"more than {len(faults) - 5:,} more"
        out.print(f"fault: {more} ({listed})")
    for one in result.notes:
        for line in one.lines():
            out.print(line, style="yellow", markup=False, soft_wrap=True)
