"""``dupai results``: what is in a results file; and the options that other commands share to write one."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from dupai.base import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import msgspec

    from dupai.arena import Backend, RunInfo, Store, TableRules

S = TypeVar("S", bound="msgspec.Struct")

app = typer.Typer(help="What is in a results file (--results of match, tournament and ladder).", no_args_is_help=True)

ResultsOption = Annotated[
    str | None, typer.Option("--results", help="SQLite file that results go into as they come (kill -9 is safe).")
]
ResumeOption = Annotated[
    bool, typer.Option("--resume", help="Go on with the run of the results file that was not finished.")
]
FaultsOption = Annotated[
    str, typer.Option("--faults", help="An agent that fails: forfeit the hand, fold on, or end the match.")
]
ActionClock = Annotated[
    float | None, typer.Option("--seconds-per-action", help="Clock of a decision; over it is a fault.")
]
MatchClock = Annotated[
    float | None, typer.Option("--seconds-per-match", help="Clock of a player for a match; over it all is a fault.")
]


def table_rules(faults: str, per_action: float | None, per_match: float | None) -> TableRules:
    """The rules of faults as the options give them.

    Raises:
        ConfigError: one makes no sense.
    """
    from dupai.arena import FAULT_RULES, TableRules

    rule = next((r for r in FAULT_RULES if r == faults), None)
    if rule is None:
        raise ConfigError(f"faults = {faults!r}: expected one of {', '.join(map(repr, FAULT_RULES))}")
    return TableRules(faults=rule, seconds_per_action=per_action, seconds_per_match=per_match)


@contextmanager
def open_results(file: str | None, resume: bool) -> Iterator[Store | None]:
    """The store that ``--results`` names, if it does.

    Raises:
        ConfigError: ``--resume`` without ``--results``.
    """
    if file is None:
        if resume:
            raise ConfigError("--resume: expected --results FILE with the run to go on with")
        yield None
        return
    from dupai.arena import Store

    with Store(file, resume=resume) as store:
        yield store


BackendOption = Annotated[
    str, typer.Option("--backend", help="local (this process, or --jobs processes) or ray (extra cluster).")
]
AddressOption = Annotated[
    str | None, typer.Option("--address", help="Ray cluster, as auto or host:port; else one is started here.")
]


def backend_of(name: str, address: str | None, jobs: int) -> Backend | None:
    """The backend that the options name; None: by the number of jobs.

    Raises:
        ConfigError: there is no such backend.
    """
    if name == "local":
        if address is not None:
            raise ConfigError("--address: expected it with --backend ray")
        return None
    if name == "ray":
        from dupai.arena import RayBackend

        return RayBackend(address, jobs if jobs > 1 else None)
    raise ConfigError(f"--backend {name!r}: expected 'local' or 'ray'")


ConfigOption = Annotated[
    str | None, typer.Option("--config", help="TOML file with any of these options; the command line has precedence.")
]


def settings_of(context: typer.Context, file: str | None, kind: type[S], **given: Any) -> S:
    """The settings of ``file`` with what the command line says over them.

    Raises:
        ConfigError: the file makes no sense.
    """
    import msgspec

    from dupai.arena import load_settings

    if file is None:
        return msgspec.convert({k: v for k, v in given.items() if v is not None}, kind)
    found = load_settings(file, kind)
    told = {k: v for k, v in given.items() if getattr(context.get_parameter_source(k), "name", "") == "COMMANDLINE"}
    if "game" in told:
        told = {"blinds": None, "stack": None, **told}
    return msgspec.structs.replace(found, **told)


FileArgument = Annotated[str, typer.Argument(help="A results file.", metavar="FILE")]
RunArgument = Annotated[int | None, typer.Argument(help="Number of the run. [default: the last]", metavar="[RUN]")]


@app.command("list")
def list_(
    file: FileArgument, json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False
) -> None:
    """The runs of a results file: what was played, when, and how far it is.

    JSON: a list of id, kind, started, finished, version, done, blocks, config, result (always null here).
    """
    from dupai.arena import Store
    from dupai.cli._common import console, print_json

    with Store(file, create=False) as store:
        runs = store.runs()
    if json:
        print_json(runs)
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in ("run", "kind", "started", "state", "agents"):
        table.add_column(head, overflow="fold", justify="right" if head == "run" else "left")
    for run in runs:
        table.add_row(str(run.id), run.kind, run.started, _state(run), " ".join(run.config["labels"]))
    console().print(table)


def _state(run: RunInfo) -> str:
    return "finished" if run.finished else f"{run.done:,} of {run.blocks:,} blocks"


@app.command()
def show(
    file: FileArgument,
    run: RunArgument = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """The tables of a run as the command that played it printed them; of one not finished, how far it is.

    JSON keys: id, kind, started, finished, version, done, blocks, config, result (as the command's own --json).
    """
    from dupai.arena import Store
    from dupai.cli._common import console, print_json

    with Store(file, create=False) as store:
        found = store.run(run)
    if json:
        print_json(found)
        return
    out = console()
    out.print(f"run {found.id}, {found.kind}, dupai {found.version}, {found.started}, {_state(found)}", style="dim")
    if found.result is None:
        out.print(f"not finished: the same command with --results {file} --resume goes on", soft_wrap=True)
        return
    _tables(found)


def _tables(run: RunInfo) -> None:
    import msgspec

    from dupai.arena import LadderResult, MatchResult, TournamentResult
    from dupai.cli import _ladder, _match, _tournament
    from dupai.cli._common import console

    if run.kind == "match":
        _match.show(console(), msgspec.convert(run.result, MatchResult))
    elif run.kind == "ladder":
        _ladder.show(console(), msgspec.convert(run.result, LadderResult))
    else:
        _tournament.show(console(), msgspec.convert(run.result, TournamentResult))


@app.command()
def export(
    file: FileArgument,
    run: RunArgument = None,
    json: Annotated[bool, typer.Option("--json", help="All of the run, unit of work by unit of work.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="A line for each player in each hand or match. [default]")] = False,
) -> None:
    """All that is written of a run, finished or not, on standard output.

    CSV of a match or ladder: table, match, seating, deal (numbers from 1), agent, chips won. Of a tournament: match,
    agent, chair, rank, hands, chips, rebuys, faults. JSON keys: as of 'results show', and data (by block).
    """
    from dupai.arena import Store
    from dupai.cli._common import print_json

    if json and csv:
        raise ConfigError("--json and --csv: expected one of them")
    with Store(file, create=False) as store:
        found = store.run(run)
        blocks = store.blocks(found.id)
    if json:
        import msgspec

        print_json({**msgspec.to_builtins(found), "data": {str(k): v for k, v in blocks.items()}})
        return
    import csv as writing

    writer = writing.writer(sys.stdout, lineterminator="\n")
    writer.writerows(_match_lines(found, blocks) if found.kind != "tournament" else _tournament_lines(blocks))


def _match_lines(run: RunInfo, blocks: dict[int, Any]) -> Iterator[tuple[Any, ...]]:
    yield ("table", "match", "seating", "deal", "agent", "chips")
    split = 2520 if run.config["game"]["odd_chips"] == "acpc" else 1
    for block in blocks.values():
        at = (block["table"] + 1, block["match"] + 1, block["rotation"] + 1)
        for deal, payoffs in enumerate(block["payoffs"], block["start"] + 1):
            for agent, won in zip(block["agents"], payoffs, strict=True):
                yield *at, deal, agent, f"{won / split:.12g}"


def _tournament_lines(blocks: dict[int, Any]) -> Iterator[tuple[Any, ...]]:
    keys = ("agent", "chair", "rank", "hands", "chips", "rebuys", "faults")
    yield ("match", *keys)
    for block in blocks.values():
        for player in block["players"]:
            yield (block["match"], *(player[k] for k in keys))
