"""``dupai agents``, ``dupai agents check`` and ``dupai advise``."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from dupai.base import FileError, Rng
from dupai.base.files import read_text
from dupai.cli._common import console, print_json, progress, say
from dupai.cli._grid import read_lines
from dupai.cli._shared import STOPPED, Group, answer, json_keys, leave, named_game, print_infos

if TYPE_CHECKING:
    from dupai.agents import Advice
    from dupai.reading import Reading
    from dupai.rules import View


class _Agents(Group):
    """Where the first word that is no option is an agent, that one is shown: ``dupai agents swarm``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        word = next((k for k, text in enumerate(args) if not text.startswith("-")), None)
        if word is not None and args[word].partition(":")[0] in self.more_names():
            args = ["show", args[word], *args[:word], *args[word + 1 :]]
        return super().parse_args(ctx, args)

    def more_names(self) -> tuple[str, ...]:
        from dupai.agents import agent_names

        return agent_names()


app = typer.Typer(cls=_Agents, invoke_without_command=True, rich_markup_mode=None)

_KEYS = (
    "name, summary, options (name, type, default, required, help, choices, low, high, hidden, file, words), presets, "
    "origin, stateless, reproducible, players, bettings, error"
)


_AllOption = Annotated[bool, Option("--all", help="Also show the options for experiments.")]
_EveryOption = Annotated[bool, Option("--all", help="All agents with all their options.")]
_KINDS = {
    "people": "As people and programs have played",
    "thinker": "Reads, searches or solves",
    "style": "Always in one style",
    "simple": "By a few rules, or none",
}


@app.callback(invoke_without_command=True)
def agents(context: typer.Context, everything: _EveryOption = False, json: bool = json_keys(_KEYS, "list")) -> None:
    """List the agents that can play, by kind and strength; 'dupai agents NAME' shows one, 'check' tries one.

    An agent is named by a spec: NAME or NAME:option=value,option=value. A first value without a name belongs to the
    first option; NAME:PRESET takes a named set of options. Other packages add agents through the entry-point group
    dupai.agents.

    Examples:

      dupai agents

      dupai agents swarm

      dupai agents --all

      dupai agents check rules:tight-aggressive,size=pot
    """
    if context.invoked_subcommand is not None:
        return
    from dupai.agents import agent_infos

    if everything or json:
        print_infos(agent_infos(), json=json, everything=everything)
    else:
        _show_opponents()


def _show_opponents() -> None:
    """Opponents with a name by kind, the strongest first, and the names of all other agents."""
    from dupai.agents import agent_names
    from dupai.agents.opponents import Strength, display_name, opponents
    from dupai.notation import load_catalogue

    def rated(strength: Strength | None) -> str:
        return "–" if strength is None else f"{strength.bb100:+.0f}"

    about, known = load_catalogue().names, opponents()
    say("Strength: big blinds won per 100 hands from an average opponent.\n")
    say(f"{'agent':<20} {'name':<20} {'six seats':>9} {'heads-up':>9}")
    for kind, title in _KINDS.items():
        say(f"\n{title}")
        for one in sorted((o for o in known if o.kind == kind), key=lambda o: -o.mean):
            strengths = f"{rated(one.six_max):>9} {rated(one.heads_up):>9}"
            say(f"{one.spec:<20} {display_name(one.spec):<20} {strengths}\n    {about[f'about.{one.spec}']}")
    named = {one.spec.partition(":")[0] for one in known}
    say(f"\nOthers: {', '.join(name for name in agent_names() if name not in named)}")
    say("Games and options of one: dupai agents NAME; of all: dupai agents --all")


@app.command()
def show(
    name: str = Argument(..., help="An agent, as swarm."), everything: _AllOption = False, json: bool = json_keys(_KEYS)
) -> None:
    """Show one agent: the games that it plays, its presets, and its options.

    Example:

      dupai agents swarm
    """
    from dupai.agents import agent_info
    from dupai.base.specs import split_spec

    info = agent_info(split_spec(name)[0])
    answer(json, info, lambda: print_infos([info], json=False, everything=everything))


@app.command()
def check(
    name: str = Argument(..., help="Agent spec, as rules or style:LA."),
    views: int = Option(10_000, help="Number of random spots.", min=1),
    seed: int = Option(1, help="Seed of the spots and of the agent's random numbers.", min=0),
    seconds: float | None = Option(
        None, help="Seconds for a decision, which the agent is told. [default: not told, judged by 7 s]", min=0.001
    ),
    json: bool = json_keys("agent, ok, views, lines (name, ok, text), microseconds, unchecked"),
) -> None:
    """Try an agent in random spots: legal answers, in time, and what it declares about itself.

    Spots come from random games: 2-10 players, no-limit and limit, random blinds, antes and stacks, all playing at
    random. Two fresh agents meet every spot and must give the same answers from the same random numbers. An agent that
    has a policy must act by it. One that declares itself stateless must not remember earlier hands. The last line says
    what was not checked. Exit code 0 when every check passes, 2 when not, 130 when stopped.

    Examples:

      dupai agents check style:LA

      dupai agents check my-agent --views 1000 --json
    """
    from dupai.agents import check_agent

    with progress(f"checking {name}") as bar:
        report = check_agent(name, views, seed, bar, seconds=seconds)
    if json:
        print_json(report)
    else:
        for line in report.lines:
            mark = "    " if line.ok is None else "ok  " if line.ok else "FAIL"
            say(f"{mark}  {line.name:<12} {line.text}")
        say(f"not checked: {'; '.join(report.unchecked)}")
        verdict = "fit to play" if report.ok else "not fit to play"
        if bar.cancelled:
            verdict = f"stopped after {report.views:,} of {views:,} views, so nothing is proved"
        say(f"{report.agent}: {verdict}")
    leave(ok=report.ok)
    leave(complete=not bar.cancelled, note=STOPPED)


def advise(
    state: str = Option(..., help="The spot, in one of the forms above, or a file that holds it."),
    agent: str = Option("advisor", help="Agent spec, as rules or style:LA ('dupai agents' lists them)."),
    game: str | None = Option(None, help="Game of an ACPC match state: a name as holdem.nolimit.2p, or a .game file."),
    seed: int = Option(1, help="Seed of the agent's random numbers.", min=0),
    json: bool = json_keys(
        "agent, spot (players, position, street, hole, board, pot, to_call, stack, legal), actions (action, to or "
        "from and to, probability, value, visits), numbers, reasons (code, values, text), readings (by seat: entropy, "
        "hands, classes: 169 probabilities in grid order)"
    ),
) -> None:
    """What an agent would do in a spot: probabilities and reasons. Every agent answers.

    The spot has one of these forms:

      an ACPC match state:  MATCHSTATE:1:0:cr250:|AsKd

      a hand in PHH, as text or file, up to the decision

      figures:  hole=AsKd board=2c7dTh pot=400 to_call=100 stack=2000 players=3 blinds=50/100
      (also others=, the chips behind of everybody else; no board: before the flop; the pot includes the bet faced;
      players= counts those still to act)

      words: the table, then the actions street by street, between semicolons:
      6 players, blinds 50/100, stacks 10000, button, AsKd; utg raises to 300, folds to me

    Words: N players, heads-up, limit, pot-limit, blinds A/B, ante N, stacks N or sb/bb/...; sb, bb, utg, utg+1, lj, hj,
    co, button; folds, checks, calls, bets N, raises to N (on this street), all-in; 'to me', 'to co' for everybody up to
    there; flop 2c7dTh: ... turn 5s: ... river Ah: ...

    Examples:

      dupai advise --state "MATCHSTATE:1:0:cr250:|AsKd" --game holdem.nolimit.2p

      dupai advise --state "3 players, button, AhQh; folds to me"
    """
    from dupai.agents import seated_agent, sit_down
    from dupai.arena.live import SpotAdvice
    from dupai.notation import view_from_text

    view = view_from_text(_text(state), named_game(game))
    with closing(sit_down(seated_agent(agent), view, agent)) as seat:
        advice = seat.advise(view, Rng(seed))
    spot = SpotAdvice(agent=agent, view=view, advice=advice)
    answer(json, spot.to_dict(), lambda: _show(agent, view, advice))


def _text(state: str) -> str:
    """The text of the file that ``state`` names, or ``state`` itself."""
    from pathlib import Path

    if "\n" in state or len(state) > 250:
        return state
    path = Path(state)
    try:
        exists = path.is_file()
    except (OSError, ValueError):  # text that cannot be a path
        exists = False
    if exists:
        return read_text(path, "state")
    if path.suffix in (".phh", ".txt"):
        raise FileError(f"{state!r}: there is no such file", path=path)
    return state


def _show(agent: str, view: View, advice: Advice) -> None:
    from dupai.cards import cards_text
    from dupai.notation import Reason, advice_words, legal_words, reason_words
    from dupai.rules import STREET_PHRASES

    out = console()
    board = f" {cards_text(view.board)}" if view.board else ""
    live = view.folded.count(False)
    won = f", of which {view.winnable} can be won" if view.winnable < view.pot else ""
    title = STREET_PHRASES[view.street]
    say(
        f"{title}{board}, holding {cards_text(view.hole)}: {live} of {view.spec.players} players in, "
        f"big blind {view.spec.big_blind}, pot {view.pot}{won}, stack {view.stacks[view.actor]}; "
        f"legal: {legal_words(view, of_hand=True)}"
    )

    say(f"{agent}:")
    visits, values = advice.visits, advice.values
    if visits is not None:
        worth = "" if values is None else f"{'worth, bb':>11}"
        say(f"{'chance':>8}  {'action':<44} {'visits':>9} {worth}")
    for i in sorted(range(len(advice.actions)), key=lambda i: -advice.probabilities[i]):
        p, words = advice.probabilities[i], advice_words(view, advice.actions[i])
        if visits is not None:
            worth = "" if values is None else f"{values[i] / max(view.spec.big_blind, 1):+11.2f}"
            say(f"  {p:6.1%}  {words:<44} {visits[i]:>9,} {worth}")
        else:
            worth = "" if values is None else f"   value {values[i]:+.1f}"
            say(f"  {p:6.1%}  {words:<36} {'█' * round(20 * p)}{worth}")
    for reason in advice.reasons:
        say(f"  - {reason_words(reason)}")
    acted = {view.seats[position] for _, position, _ in view.actions}
    for seat, reading in advice.readings.items():
        if seat not in acted:
            say(f"seat {seat}, {_position(view, seat)}: {reason_words(Reason('not_acted'))}")
            continue
        out.print()
        for line in _reading_lines(view, seat, reading, out.color_system is not None and not out.no_color):
            # Colours of the grid are already in the text.
            out.file.write(line + "\n")


def _position(view: View, seat: int) -> str:
    from dupai.spots import position_class

    return position_class(view.spec.players, view.seats.index(seat))


def _reading_lines(view: View, seat: int, reading: Reading, color: bool) -> list[str]:
    """The reading of a player: the 13 x 13 grid, and beside it the likeliest hands."""
    return [f"seat {seat}, {_position(view, seat)}:", *read_lines(reading, view.board, color)]
