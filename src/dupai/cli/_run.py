"""``dupai run``: one match live in the terminal, saved; and the replay of its hands."""

from __future__ import annotations

import os
import shlex
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from dupai.base import ConfigError, HistoryError, NoProgress
from dupai.cli._common import console, interrupts
from dupai.cli._shared import refuse_typed, table

if TYPE_CHECKING:
    from rich.console import Console

    from dupai.arena.tournament import MatchNotes, TournamentMatch, TournamentTask

    #: A match as far as it was played, with its hands, and where it is saved.
    _Played = tuple[TournamentMatch, MatchNotes, TournamentTask, Path]

#: The default players: the five systems, and what goes beyond their papers.
DEFAULT_EIGHT = ("fold:reader=model", "fold:paper", "mcts", "swarm", "expert", "rules", "style:LA", "style:TP")
DEFAULT_READER = "model"


def run(
    context: typer.Context,
    match: str | None = typer.Argument(
        None, help="With --replay: the match's folder. [default: the newest in matches]", metavar="MATCH"
    ),
    agents: list[str] | None = typer.Option(
        None, "--agents", "-a", help="Agent specs, between blanks or by repeating the option."
    ),
    hands: int = typer.Option(600, "--hands", "-n", help="Stop after this many hands."),
    blinds: str = typer.Option("20/40", "--blinds", help="Small and big blind."),
    stack: int = typer.Option(2000, "--stack", help="Chips at the start, and of a rebuy."),
    rebuys: int = typer.Option(1, "--rebuys", help="Rebuys each player has."),
    seed: int | None = typer.Option(None, "--seed", "-s", help="Seed. [default: drawn, and shown]"),
    speed: float | None = typer.Option(
        None, "--speed", help="Hands a second, 0: no waiting. [default: slow at first, then faster]", min=0
    ),
    out: str | None = typer.Option(None, "--out", "-o", help="Folder to save. [default: matches/seed-N]"),
    reader: str = typer.Option(
        DEFAULT_READER, "--reader", help="What reads the hands for the screen, as 'dupai readers' lists; or none."
    ),
    replay: int | None = typer.Option(None, "--replay", "-r", help="Show this hand of a saved match."),
) -> None:
    """Play one tournament match live, save it, and replay any of its hands.

    The screen shows a reader at work: the 13 x 13 grid of one opponent's likely hands, from the bets and the board
    alone, and at showdown the hand they held, framed, with the bits that the reader gained and those of the table of
    starting hands. Where output is piped, with NO_COLOR or TERM=dumb it prints plain lines, as fast as the match goes.
    The match is saved whole or not at all, as a folder with match.json (settings, seed, results) and hands.phhs (every
    hand, in the PHH format). Ctrl-C stops after the hand in play, prints the ranking so far and saves the played hands
    (exit code 130).

    Examples:

      dupai run

      dupai run --agents "rules style:LA style:TP" --seed 7 --out matches/first

      dupai run --replay 12 matches/first
    """
    import secrets

    if replay is not None:
        others = [name for name in context.params if name not in ("match", "replay")]
        refuse_typed(context, others, "is for playing: --replay shows a hand of a saved match")
        show_replay(console(), match, replay)
        return
    if match is not None:
        raise ConfigError(f"{match!r}: a match is named with --replay N only; agents are named with --agents")
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    specs = [word for text in agents for word in text.split()] if agents else list(DEFAULT_EIGHT)

    def prepared(pulse: _Pulse) -> tuple[TournamentTask, Path]:
        from dupai.arena import blinds_of
        from dupai.arena.store import announce_key, check_writable, free_folder
        from dupai.arena.tournament import tournament_tasks
        from dupai.base.specs import spec_names
        from dupai.reading import load_reader

        if reader != "none":
            load_reader(reader)
        task = tournament_tasks(
            specs, hands=hands, blinds=blinds_of(blinds), stack=stack, rebuys=rebuys, matches=1, seed=seed
        )[0]
        if any("mcts" in spec_names(spec) for spec in specs):
            threading.Thread(target=_build_table, args=(pulse,), daemon=True).start()
        announce_key(task.config)
        return task, check_writable(out if out is not None else free_folder(f"seed-{seed}"))

    _play(_Plan(prepared, speed, None if reader == "none" else reader))


def _build_table(pulse: _Pulse) -> None:
    """Load the win-rate table that the search of ``mcts`` needs. Where it is missing it takes seconds to build, which
    the first hand does not wait for; nor does the program's end."""
    from dupai.equity import load_win_rate_table

    if sys.platform == "linux":
        # There it is this thread's alone, and its workers'.
        os.setpriority(os.PRIO_PROCESS, 0, 10)
    load_win_rate_table(True, pulse)


class _Plan(NamedTuple):
    """What is to be played: ``prepare`` gives the match and its folder."""

    prepare: Callable[[_Pulse], tuple[TournamentTask, Path]]
    speed: float | None
    reader: str | None


def _play(plan: _Plan) -> None:
    screen = console()
    pulse = _Pulse()
    with interrupts(pulse.stop):
        _compile_first(screen, pulse)
        drawn = screen.is_terminal and not screen.is_dumb_terminal and screen.color_system and not screen.no_color
        played = None if pulse.cancelled else (_live if drawn else _plain)(plan, screen, pulse)
    pulse.stop()
    if played is None or not played[0].hands:
        screen.print("stopped before the first hand was over; there is nothing to save")
        raise typer.Exit(130)
    result, watch, task, folder = played
    if not result.complete:
        screen.print("\nstopped; the ranking so far")
    from dupai.arena.store import SavedMatch, free_folder, save_match

    _ranking(screen, result, task.config.stack, task.config.rebuys or 0)
    # Another match may have taken the name meanwhile.
    folder = free_folder(folder.name, folder.parent)
    save_match(folder, SavedMatch.of_tournament(task, result), watch.records)
    screen.print(f"saved in {folder}", soft_wrap=True)
    last = max(1, result.hands)
    screen.print(f"a hand street by street: dupai run --replay {last} {shlex.quote(str(folder))}", soft_wrap=True)
    if not result.complete:
        raise typer.Exit(130)


def seated_names(task: TournamentTask) -> tuple[str, ...]:
    """Names of the players by chair."""
    from dupai.arena.tournament import drawn_chairs

    return tuple(task.entrants[e].label for e in drawn_chairs(task.config.seed, 0, len(task.entrants)))


def _watched(task: TournamentTask, pulse: _Pulse, watch: MatchNotes, keep: bool = False) -> TournamentMatch | None:
    """Play a match; ``keep`` its hands."""
    from dupai.arena.tournament import play_tournament_match

    return play_tournament_match(task, pulse, watch, keep=keep)


def _plain(plan: _Plan, screen: Console, pulse: _Pulse) -> _Played | None:
    """Play, with a line for each event as it happens."""
    task, folder = plan.prepare(pulse)
    from dupai.cli._live import PlainMatch

    names = seated_names(task)
    screen.print(f"seed {task.config.seed}: {', '.join(names)}", soft_wrap=True)
    watch = PlainMatch(task, names, screen, plan.reader)
    result = _watched(task, pulse, watch, keep=True)
    return None if result is None else (result, watch, task, folder)


def _compile_first(screen: Console, pulse: _Pulse) -> None:
    """Compile what a table needs in worker processes, where it does not come with the package."""
    from dupai.jobs import are_compiled, compile_in_background, compile_kernels

    class Lines(NoProgress):
        """A line for each quarter."""

        quarters = 0
        cancelled = property(lambda self: pulse.cancelled)

        def report(self, done: float, total: float | None, note: str = "") -> None:
            if total and done >= self.quarters * total / 4 and self.quarters < 4:
                self.quarters = int(4 * done / total) + 1
                screen.print(f"compiling kernels, once: {done:,.0f} of {total:,.0f}")

    if not are_compiled("table"):
        compile_kernels("table", jobs=os.cpu_count() or 1, progress=Lines())
    compile_in_background()


def _live(plan: _Plan, screen: Console, pulse: _Pulse) -> _Played | None:
    """Play on the screen."""
    from rich.live import Live

    with Live("dupai: loading", console=screen, auto_refresh=False, vertical_overflow="crop") as live:
        live.refresh()
        from dupai.cli._live import LiveMatch

        task, folder = plan.prepare(pulse)
        watch = LiveMatch(task, seated_names(task), live, plan.speed, plan.reader, pulse.stopped)
        result = _watched(task, pulse, watch, keep=True)
        if result is not None and result.hands:
            watch.finish()
    return None if result is None else (result, watch, task, folder)


class _Pulse(NoProgress):
    """Lets a match go on for ``hands`` hands (None: to its end) or until ``stopped`` is set."""

    def __init__(self, hands: int | None = None, stopped: threading.Event | None = None) -> None:
        self._left = hands
        #: Set when the user asks to stop.
        self.stopped = stopped or threading.Event()

    def stop(self) -> None:
        self.stopped.set()

    @property
    def cancelled(self) -> bool:
        return self.stopped.is_set()

    def step(self) -> bool:
        if self._left is not None:
            self._left -= 1
        return not self.cancelled and (self._left is None or self._left >= 0)


def _ranking(screen: Console, result: TournamentMatch, stack: int, rebuys: int) -> None:
    """The players by rank: hands played and survived, chips with and without the rebuys that are left."""
    from dupai.cli._playing import SAVED_FAULTS, print_faults

    view = table(">rank", "agent", ">hands dealt", ">survived", ">chips", ">with rebuys", ">rebuys used")
    for p in sorted(result.players, key=lambda p: p.rank):
        hands = f"{min(p.hands, result.hands):,}", f"{p.hands:,}"
        chips = f"{max(p.chips - (rebuys - p.rebuys) * stack, 0):,}", f"{p.chips:,}"
        view.add_row(f"{p.rank:g}", p.agent, *hands, *chips, f"{p.rebuys} of {rebuys}")
    screen.print(f"\n{result.hands:,} hands dealt")
    screen.print(view)
    most = max((p.hands for p in result.players), default=0)
    notes = [
        f"survived: hands until the player was out; one who is not out survives all {most:,}",
        f"with rebuys: chips, and {stack:,} for each rebuy not used yet, so that using one is no loss",
        "rank: by hands survived, then by chips with rebuys",
    ]
    for note in notes:
        screen.print(note, style="dim")
    print_faults(screen, result, SAVED_FAULTS)


def show_replay(screen: Console, match: str | None, number: int) -> None:
    """Print one hand of a saved match street by street.

    Raises:
        ConfigError: no such match or hand.
        HistoryError, NotationError, RulesError: its files are damaged.
    """
    from dupai.arena.store import load_hands, load_match
    from dupai.cli._telling import print_hand

    if match is None:
        folders = sorted(Path("matches").glob("*/match.json"), key=lambda p: p.stat().st_mtime)
        if not folders:
            raise ConfigError("no match in 'matches': expected the folder of a saved match, or 'dupai run' before it")
        match = str(folders[-1].parent)
        screen.print(match, style="dim")
    saved = load_match(match)
    if not 1 <= number <= saved.hands:
        raise ConfigError(f"--replay {number}: {match!r} has hands 1 to {saved.hands}")
    record = next((r for r in load_hands(match) if r.hand == number), None)
    if record is None:
        raise HistoryError(f"{match}: damaged: hand {number} of {saved.hands} is missing")
    print_hand(screen, record, saved.hands)
