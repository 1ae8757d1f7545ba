"""What the commands that play many hands share (match, tournament, cash, ladder, sprt, rollout): options, blinds,
faults."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar

import typer

from dupai.base import ConfigError, NotationError

if TYPE_CHECKING:
    import msgspec
    from rich.console import Console

    from dupai.arena import Fault, Store, TableRules
    from dupai.jobs import Backend

S = TypeVar("S", bound="msgspec.Struct")
R = TypeVar("R", bound="_Result")


class _Result(Protocol):
    @property
    def partial(self) -> bool: ...


ConfigOption = Annotated[
    str | None, typer.Option("--config", help="TOML file with any of these options; the command line has precedence.")
]
GameOption = Annotated[
    str | None, typer.Option("--game", help="ACPC game by name, as holdem.limit.2p, or a .game file; else no-limit.")
]


@dataclass(frozen=True, kw_only=True)
class PlayOptions:
    """The options themselves, as they were given. A command gets them by :func:`with_play_options`."""

    faults: Annotated[
        str, typer.Option("--faults", help="An agent that fails: forfeit the hand, fold on, or end the match.")
    ] = "forfeit"
    seconds_per_action: Annotated[
        float | None, typer.Option("--seconds-per-action", help="Clock of a decision; over it is a fault.")
    ] = None
    seconds_per_match: Annotated[
        float | None, typer.Option("--seconds-per-match", help="Clock of a player for a match; over it all is a fault.")
    ] = None
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Worker processes; 0: one for each core.")] = 1
    backend: Annotated[
        str, typer.Option("--backend", help="local (this process, or --jobs processes) or ray (extra cluster).")
    ] = "local"
    address: Annotated[
        str | None, typer.Option("--address", help="Ray cluster, as auto or host:port; else one is started here.")
    ] = None
    results: Annotated[
        str | None, typer.Option("--results", help="SQLite file that results go into as they come (kill -9 is safe).")
    ] = None
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run of the results file that was not finished.")
    ] = False
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False

    @property
    def rules(self) -> TableRules:
        """The rules of faults.

        Raises:
            ConfigError: one makes no sense.
        """
        return table_rules(self.faults, self.seconds_per_action, self.seconds_per_match)

    @cached_property
    def place(self) -> Backend:
        """Where it is played.

        Raises:
            ConfigError: there is no such backend.
        """
        from dupai.cli._common import resolve_jobs
        from dupai.jobs import LocalBackend, RayBackend

        jobs = resolve_jobs(self.jobs)
        if self.backend == "local":
            if self.address is not None:
                raise ConfigError("--address: expected it with --backend ray")
            return LocalBackend(jobs)
        if self.backend == "ray":
            return RayBackend(self.address, jobs if jobs > 1 else None)
        raise ConfigError(f"--backend {self.backend!r}: expected 'local' or 'ray'")

    @contextmanager
    def playing(self, title: str) -> Iterator[dict[str, Any]]:
        """Where it is played, the results file and a progress bar: arguments of what plays.

        Raises:
            ConfigError: an option makes no sense; ``--resume`` without ``--results``.
        """
        from dupai.cli._common import progress

        where = self.place
        with self._store() as store, progress(title) as bar:
            yield {"backend": where, "store": store, "progress": bar}

    @contextmanager
    def _store(self) -> Iterator[Store | None]:
        if self.results is None:
            if self.resume:
                raise ConfigError("--resume: expected --results FILE with the run to go on with")
            yield None
            return
        from dupai.arena import Store

        with Store(self.results, resume=self.resume) as store:
            yield store

    def tell(self, result: R, show: Callable[[Console, R], None]) -> None:
        """Print a result as JSON, or by ``show``; leaves with exit code 130 if it is partial."""
        from dupai.cli._common import console, print_json

        if self.json:
            print_json(result)
        else:
            out = console()
            show(out, result)
            if said := getattr(self.place, "choice", ""):
                out.print(said, style="dim", soft_wrap=True)
        if result.partial:
            raise typer.Exit(130)


def with_play_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options of :class:`PlayOptions` after its own; it gets them together, as ``options``."""
    own = inspect.signature(command, eval_str=True).parameters
    shared = inspect.signature(PlayOptions, eval_str=True).parameters

    def called(**given: Any) -> None:
        options = PlayOptions(**{name: given.pop(name) for name in shared})
        command(**given, options=options)

    parameters = [*(p for name, p in own.items() if name != "options"), *shared.values()]
    called.__name__, called.__doc__ = command.__name__, command.__doc__
    # This is what the parser looks at.
    called.__annotations__ = {p.name: p.annotation for p in parameters}
    called.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in parameters]
    )
    return called


def table_rules(faults: str, per_action: float | None, per_match: float | None) -> TableRules:
    """The rules of faults as the options give them.

    Raises:
        ConfigError: one makes no sense.
    """
    from dupai.arena import TableRules
    from dupai.rules import FAULT_RULES

    rule = next((r for r in FAULT_RULES if r == faults), None)
    if rule is None:
        raise ConfigError(f"faults = {faults!r}: expected one of {', '.join(map(repr, FAULT_RULES))}")
    return TableRules(faults=rule, seconds_per_action=per_action, seconds_per_match=per_match)


def settings_of(context: typer.Context, file: str | None, kind: type[S], options: PlayOptions, **given: Any) -> S:
    """The settings of ``file`` with what the command line says over them.

    Raises:
        ConfigError: the file, or a rule of faults, makes no sense.
    """
    import msgspec

    from dupai.arena import load_settings

    given |= msgspec.structs.asdict(options.rules)
    if file is None:
        return msgspec.convert({k: v for k, v in given.items() if v is not None}, kind)
    found = load_settings(file, kind)
    told = {k: v for k, v in given.items() if getattr(context.get_parameter_source(k), "name", "") == "COMMANDLINE"}
    if "game" in told:
        told = {"blinds": None, "stack": None, **told}
    return msgspec.structs.replace(found, **told)


def blinds_of(text: str) -> tuple[int, int]:
    """``20/40`` as numbers.

    Raises:
        NotationError: it is something else.
    """
    small, slash, big = (t.strip() for t in text.partition("/"))
    if not slash or not (small.isascii() and small.isdigit() and big.isascii() and big.isdigit()):
        raise NotationError(f"--blinds {text!r}: expected small and big blind in chips, as 20/40")
    return int(small), int(big)


def print_faults(out: Console, faults: Sequence[Fault]) -> None:
    """Who broke the rules, a line for each of the first few."""
    for fault in faults[:5]:
        out.print(
            f"fault: {fault.agent}, match {fault.match}, hand {fault.hand}, {fault.during}: {fault.error}",
            markup=False,
            soft_wrap=True,
        )
    if len(faults) > 5:
        out.print(f"fault: {len(faults) - 5} more (--json lists them)")
