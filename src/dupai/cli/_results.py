"""``dupai results``: what is in a results file."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dupai.base import ConfigError
from dupai.cli._groups import Group

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dupai.arena import RunInfo

app = typer.Typer(
    cls=Group,
    help="What is in a results file (--results of match, tournament, ladder, sprt, cash and rollout).",
    no_args_is_help=True,
)

FileArgument = Annotated[str, typer.Argument(help="A results file.", metavar="FILE")]
RunArgument = Annotated[int | None, typer.Argument(help="Number of the run. [default: the last]", metavar="RUN")]


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
    """The tables of a run as the command that played it printed them; of one not finished, of what is done of it.

    JSON keys: id, kind, started, finished, version, done, blocks, config, result (as the command's own --json; with
    "partial": true where the run is not finished).
    """
    import msgspec

    from dupai.arena import Store, unfinished
    from dupai.cli._common import console, print_json

    with Store(file, create=False) as store:
        found = store.run(run)
        if found.result is None:
            so_far = msgspec.to_builtins(unfinished(store, found))
            found = msgspec.structs.replace(found, result=so_far)
    if json:
        print_json(found)
        return
    out = console()
    out.print(f"run {found.id}, {found.kind}, dupai {found.version}, {found.started}, {_state(found)}", style="dim")
    if found.finished is None:
        out.print(f"not finished: the same command with --results {file} --resume goes on", soft_wrap=True)
    _tables(found)


def _tables(run: RunInfo) -> None:
    import msgspec

    from dupai.arena import CashResult, LadderResult, MatchResult, RolloutResult, SprtResult, TournamentResult
    from dupai.cli import _cash, _ladder, _match, _rollout, _sprt, _tournament
    from dupai.cli._common import console

    if run.kind == "match":
        _match.show(console(), msgspec.convert(run.result, MatchResult))
    elif run.kind == "ladder":
        _ladder.show(console(), msgspec.convert(run.result, LadderResult))
    elif run.kind == "sprt":
        _sprt.show(console(), msgspec.convert(run.result, SprtResult))
    elif run.kind == "rollout":
        _rollout.show(console(), msgspec.convert(run.result, RolloutResult))
    elif run.kind == "cash":
        _cash.show(console(), msgspec.convert(run.result, CashResult))
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

    CSV of a match, ladder or sprt: table, match, seating, deal (numbers from 1), agent, chips won, and with
    --luck-reduced the chips of them that were luck. Of a tournament: match, agent, chair, rank, hands, chips, rebuys,
    faults. Of cash: session, agent, hands, chips won, bought, stack at the end, faults. Of rollout: match, hand,
    street, players, opponents, hole, board, pot, to_call, facing, chosen, action, draw of the cards to come, chips
    won with it. JSON keys: as of 'results
    show', and data (by block).
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
    if found.kind == "tournament":
        writer.writerows(_tournament_lines(blocks))
    elif found.kind == "rollout":
        writer.writerows(_rollout_lines(blocks))
    elif found.kind == "cash":
        writer.writerows(_cash_lines(found, blocks))
    else:
        writer.writerows(_match_lines(found, blocks))


def _match_lines(run: RunInfo, blocks: dict[int, Any]) -> Iterator[tuple[Any, ...]]:
    reduced = bool(run.config.get("luck_reduced"))
    yield ("table", "match", "seating", "deal", "agent", "chips", *(("luck",) if reduced else ()))
    split = 2520 if run.config["game"]["odd_chips"] == "acpc" else 1
    for block in blocks.values():
        at = (block["table"] + 1, block["match"] + 1, block["rotation"] + 1)
        for k, payoffs in enumerate(block["payoffs"]):
            for seat, (agent, won) in enumerate(zip(block["agents"], payoffs, strict=True)):
                luck = (f"{block['luck'][k][seat]:.12g}",) if reduced else ()
                yield *at, block["start"] + 1 + k, agent, f"{won / split:.12g}", *luck


def _cash_lines(run: RunInfo, blocks: dict[int, Any]) -> Iterator[tuple[Any, ...]]:
    yield ("session", "agent", "hands", "chips", "bought", "stack", "faults")
    for block in blocks.values():
        for k, agent in enumerate(run.config["labels"]):
            figures = (block[key][k] for key in ("won", "bought", "stacks", "fault_counts"))
            won, bought, stack, faults = figures
            yield block["session"] + 1, agent, block["hands"], won, bought, stack, faults


def _tournament_lines(blocks: dict[int, Any]) -> Iterator[tuple[Any, ...]]:
    keys = ("agent", "chair", "rank", "hands", "chips", "rebuys", "faults")
    yield ("match", *keys)
    for block in blocks.values():
        for player in block["players"]:
            yield (block["match"], *(player[k] for k in keys))


def _rollout_lines(blocks: dict[int, Any]) -> Iterator[tuple[Any, ...]]:
    keys = ("hand", "street", "players", "opponents", "hole", "board", "pot", "to_call", "facing", "chosen")
    yield ("match", *keys, "action", "draw", "chips")
    for block in blocks.values():
        for decision in block["decisions"]:
            for action, won in decision["won"].items():
                for draw, chips in enumerate(won):
                    yield (block["match"], *(decision[k] for k in keys), action, draw, f"{chips:.12g}")
