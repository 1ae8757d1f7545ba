"""``dupai results``: what is in a results file."""

from __future__ import annotations

import sys
from typing import Annotated

import msgspec
import typer

from dupai.arena import load_format, unfinished, units_so_far
from dupai.arena.store import RunInfo, Store
from dupai.base import ConfigError
from dupai.base.files import file_faults
from dupai.cli._common import console, print_json
from dupai.cli._playing import face_of
from dupai.cli._shared import Group, JsonOption, table


class _Group(Group):
    usual = "list"


app = typer.Typer(
    cls=_Group,
    help="What is in a results file (--results of match, tournament, ladder, sprt, cash, exploit and rollout).",
    no_args_is_help=True,
)

FileArgument = Annotated[str, typer.Argument(help="A results file.", metavar="FILE")]
RunArgument = Annotated[int | None, typer.Argument(help="Number of the run. [default: the last]", metavar="RUN")]


@app.command("list")
def list_(file: FileArgument, json: JsonOption = False) -> None:
    """The runs of a results file: what was played, when, and how far it is.

    JSON: a list of id, kind, started, finished, version, done, blocks, config, result (always null here).
    """

    with Store(file, create=False) as store:
        runs = store.runs()
    if json:
        print_json(runs)
        return
    view = table(">run", "kind", "started", "state", "agents")
    for run in runs:
        view.add_row(str(run.id), run.kind, run.started, _state(run), " ".join(run.config["labels"]))
    console().print(view)


def _state(run: RunInfo) -> str:
    return "finished" if run.finished else f"{run.done:,} of {run.blocks:,} blocks"


@app.command()
def show(file: FileArgument, run: RunArgument = None, json: JsonOption = False) -> None:
    """The tables of a run as the command that played it printed them; of one not finished, of what is done of it.

    JSON keys: id, kind, started, finished, version, done, blocks, config, result (as the command's own --json; with
    "partial": true where the run is not finished).
    """

    with Store(file, create=False) as store:
        stored = store.run(run)
        if stored.result is None:
            so_far = msgspec.to_builtins(unfinished(store, stored))
            stored = msgspec.structs.replace(stored, result=so_far)
    if json:
        print_json(stored)
        return
    out = console()
    out.print(
        f"run {stored.id}, {stored.kind}, dupai {stored.version}, {stored.started}, {_state(stored)}", style="dim"
    )
    if stored.finished is None:
        out.print(f"not finished: the same command with --results {file} --resume goes on", soft_wrap=True)
    with file_faults(store.run_place(stored.id), file):
        face_of(stored.kind).show(out, msgspec.convert(stored.result, load_format(stored.kind).result))


@app.command()
def export(
    file: FileArgument,
    run: RunArgument = None,
    json: bool = typer.Option(False, "--json", help="All of the run, unit of work by unit of work."),
    csv: bool = typer.Option(False, "--csv", help="A line for each player in each hand or match. [default]"),
) -> None:
    """All that is written of a run, finished or not, on standard output.

    CSV of a match, ladder or sprt: table, match, seating, deal (numbers from 1), agent, chips won, and with
    --luck-reduced the chips of them that were luck. Of a tournament: match, agent, chair, rank, hands, chips,
    rebuys, faults. Of cash: session, agent, hands, chips won, bought, stack at the end, faults. Of rollout: match,
    hand, street, players, opponents, hole, board, pot, to_call, facing, chosen, action, draw of the cards to come,
    chips won with it. Of exploit: hand, chips, and chips without luck, of local best response. JSON keys: as in
    'results show', and data (by block).
    """

    if json and csv:
        raise ConfigError("--json and --csv: expected one of them")
    with Store(file, create=False) as store:
        stored = store.run(run)
        blocks = units_so_far(store, stored)
        if json and stored.result is None:
            stored = msgspec.structs.replace(stored, result=msgspec.to_builtins(unfinished(store, stored)))
    if json:
        print_json({**msgspec.to_builtins(stored), "data": {str(k): v for k, v in blocks.items()}})
        return
    import csv as writing

    writer = writing.writer(sys.stdout, lineterminator="\n")
    with file_faults(store.run_place(stored.id), file):
        writer.writerows(load_format(stored.kind).lines(stored.config, blocks.values()))
