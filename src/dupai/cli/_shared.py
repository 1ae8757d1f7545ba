"""The shape that commands share: options, tables, fields as JSON, exit codes.

The parameters of a command are its option list, however long: Typer reads them from the signature. Options that become
settings are made from the struct of these settings (:func:`dupai.cli._settings.takes_settings`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from typer import Option
from typer.core import TyperGroup

from dupai.base import ConfigError
from dupai.cli._common import print_json, print_named

if TYPE_CHECKING:
    from rich.table import Table

    from dupai.rules import GameSpec

_T = TypeVar("_T")
JsonOption = Annotated[bool, Option("--json", help="Print one JSON document.")]
LogGameOption = Annotated[
    str | None,
    Option("--game", help="Game of ACPC logs (.game file or shipped name) where header and hands do not name it."),
]
#: Names of the option for one recorded player, as in ``Option(None, *PLAYER)``.
PLAYER = ("--player", "--villain", "-p")


def json_keys(keys: str, kind: str = "document") -> Any:
    """The option ``--json`` of a command whose document (or list) is described in its help."""
    return Option(False, "--json", help=f"One JSON {kind}: {keys}.")


def named_game(name: str | None) -> GameSpec | None:
    """The game of an option; None where it is not given.

    Raises:
        ConfigError, FileError, NotationError: as :func:`dupai.rules.load_game`.
    """
    from dupai.rules import load_game

    return load_game(name) if name is not None else None


def fields(source: Any, names: str) -> dict[str, Any]:
    """Attributes of ``source`` by name, for a JSON document."""
    return {name: getattr(source, name) for name in names.split()}


def typed(context: typer.Context) -> set[str]:
    """The parameters that were given on the command line, by the names of the function's arguments."""
    return {k for k in context.params if getattr(context.get_parameter_source(k), "name", "") == "COMMANDLINE"}


def refuse_typed(context: typer.Context, names: Iterable[str], why: str) -> None:
    """Refuse options that would be ignored. ``names``: their function's arguments.

    Raises:
        ConfigError: one of them was given; names it, and says ``why`` not.
    """
    given = typed(context)
    for parameter in context.command.params:
        if parameter.name in names and parameter.name in given:
            option = max(parameter.opts, key=len)
            raise ConfigError(f"{option} {why}", key=str(parameter.name))


def table(*columns: str) -> Table:
    """A table without lines. A column whose title starts with ``>`` is a number: right-aligned and never broken."""
    from rich.table import Table

    view = Table(box=None, pad_edge=False, header_style="bold")
    for title in columns:
        number = title.startswith(">")
        view.add_column(title[number:], justify="right" if number else "left", no_wrap=number, overflow="fold")
    return view


def leave(*, complete: bool = True, ok: bool = True, note: str = "") -> None:
    """Leave with exit code 130 if the work was stopped (``note`` goes to standard error), with 2 if it is not ok."""
    if not complete:
        if note:
            typer.echo(note, err=True)
        raise typer.Exit(130)
    if not ok:
        raise typer.Exit(2)


def report_rejected(rejected: Sequence[tuple[str, int, str]]) -> None:
    """One line on standard error about hands that were left out: source, line and reason of each."""
    if rejected:
        source, line, reason = rejected[0]
        more = f" and {len(rejected) - 1:,} more" if len(rejected) > 1 else ""
        typer.echo(f"left out: {source}:{line}: {reason}{more}", err=True)


def report_again(again: int) -> None:
    """One line on standard error about hands that came again."""
    if again:
        from dupai.history.stats import again_line

        typer.echo(again_line(again), err=True)


def each_source(paths: Sequence[str | PathLike[str]], read: Callable[[str], Iterable[_T]]) -> Iterator[_T]:
    """What ``read`` gives of each file and store. One line on standard error names each tournament summary among them.

    Raises:
        NoHands: there are summaries alone.
    """
    from dupai.history import NoHands, source_files

    sources = source_files(paths)
    skipped = 0
    for source in sources:
        try:
            yield from read(source)
        except NoHands as error:
            skipped += 1
            if skipped == len(sources):
                raise
            typer.echo(f"skipped: {error}", err=True)


def answer(json: bool, document: Any, show: Callable[[], None]) -> None:
    """Print what a command has found: ``document`` as JSON, or by ``show`` for people."""
    if json:
        print_json(document)
    else:
        show()


#: What a command says of work that was stopped and printed all the same.
STOPPED = "stopped early: these are the results so far"


def print_infos(infos: Iterable[Any], *, json: bool, everything: bool = False) -> None:
    """Print what specs can name (agents, readers) with the options, as JSON or for people."""
    answer(json, infos, lambda: print_named(infos, everything))


class Group(TyperGroup):
    """Lists its commands with the whole of their first sentence, where the parser's own cuts it off."""

    #: The command that is meant where the first word is none: ``dupai read LOG`` is ``dupai read hand LOG``.
    usual: str | None = None

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if self.usual is not None and args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = [self.usual, *args]
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        rows = [(name, self.commands[name].get_short_help_str(1000)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
