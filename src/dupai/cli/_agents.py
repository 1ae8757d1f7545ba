"""``dupai agents`` and ``dupai agents check``."""

from __future__ import annotations

import typer
from typer import Argument, Option

from dupai.cli._common import console, print_json, progress
from dupai.cli._groups import Group
from dupai.cli._shared import STOPPED, json_keys, leave, print_infos

app = typer.Typer(cls=Group, invoke_without_command=True, rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def agents(
    context: typer.Context,
    everything: bool = Option(False, "--all", help="Also show the options that only a paper's variant needs."),
    json: bool = json_keys(
        "name, summary, options (name, type, default, required, help, choices, low, high, paper), presets, "
        "origin, stateless, reproducible, players, bettings, error",
        "list",
    ),
) -> None:
    """List the agents that can play, with their options; 'check' tries one out.

    An agent is named by a spec: NAME or NAME:option=value,option=value. A first value without a name belongs to the
    first option; NAME:PRESET takes a named set of options. Other packages add agents through the entry-point group
    dupai.agents.

    Examples:

      dupai agents

      dupai agents check rules:tight-aggressive,size=pot
    """
    if context.invoked_subcommand is not None:
        return
    from dupai.agents import agent_infos

    print_infos(agent_infos(), json=json, everything=everything)


@app.command()
def check(
    name: str = Argument(..., help="Agent spec, as rules or style:LA."),
    views: int = Option(10_000, help="Number of random spots.", min=1),
    seed: int = Option(1, help="Seed of the spots and of the agent's random numbers.", min=0),
    json: bool = json_keys("agent, ok, views, lines (name, ok, text), microseconds"),
) -> None:
    """Try an agent in random spots: legal answers, the same answers from the same random numbers, speed.

    Spots come from random games: 2-10 players, no-limit and limit, random blinds, antes and stacks, all playing at
    random. Two fresh agents meet every spot. Exit code 0 when every check passes, 2 when not, 130 when stopped.

    Examples:

      dupai agents check style:LA

      dupai agents check my-agent --views 1000 --json
    """
    from dupai.agents import check_agent

    with progress(f"checking {name}") as bar:
        report = check_agent(name, views, seed, bar)
    if json:
        print_json(report)
    else:
        out = console()
        for line in report.lines:
            mark = "    " if line.ok is None else "ok  " if line.ok else "FAIL"
            out.print(f"{mark}  {line.name:<12} {line.text}", soft_wrap=True)
        out.print(f"{report.agent}: {'fit to play' if report.ok else 'not fit to play'}", soft_wrap=True)
    leave(ok=report.ok)
    leave(complete=not bar.cancelled, note=STOPPED)
