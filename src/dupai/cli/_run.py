"""``dupai run``: one match live in the terminal, saved; and the replay of its hands."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dupai.base import ConfigError, HistoryError, NoProgress
from dupai.cli._common import console, interrupts
from dupai.cli._shared import table

if TYPE_CHECKING:
    from rich.console import Console

    from dupai.arena import MatchNotes, TournamentMatch, TournamentTask
    from dupai.reading import Reader

#: The default players.
DEFAULT_EIGHT = (
    "rules", "rules:tight-aggressive", "rules:loose-aggressive", "rules:tight-passive",
    "style:LA", "style:LP", "style:TA", "style:TP",
)  # fmt: skip


def run(
    match: str | None = typer.Argument(
        None, help="With --replay: the match's folder. [default: the newest in matches]", metavar="MATCH"
    ),
    agents: list[str] | None = typer.Option(
        None, "--agents", "-a", help="Agent specs, between blanks or by repeating the option."
    ),
    hands: int = typer.Option(600, "--hands", "-n", help="Most hands."),
    blinds: str = typer.Option("20/40", "--blinds", help="Small and big blind."),
    stack: int = typer.Option(2000, "--stack", help="Chips at the start, and of a rebuy."),
    rebuys: int = typer.Option(1, "--rebuys", help="Rebuys each player has."),
    seed: int | None = typer.Option(None, "--seed", "-s", help="Seed. [default: drawn, and shown]"),
    speed: float | None = typer.Option(
        None, "--speed", help="Hands a second, 0: no waiting. [default: slow at first, some 25 seconds in all]", min=0
    ),
    out: str | None = typer.Option(None, "--out", "-o", help="Folder to save. [default: matches/seed-N]"),
    reader: str = typer.Option(
        "fold", "--reader", help="What reads the hands for the live table, as 'dupai readers' lists; or none."
    ),
    replay: int | None = typer.Option(None, "--replay", "-r", help="Show this hand of a saved match."),
) -> None:
    """Play one tournament match live, save it, and replay any of its hands.

    The table is redrawn as hands go by, with the class of hand that each player most likely holds, read without hole
    cards; the ranking follows. Where output is piped it prints plain lines, as fast as the match goes. The match is
    saved whole or not at all, as a folder with match.json (settings, seed, results) and hands.phhs (every hand, in the
    PHH format). Ctrl-C stops after the hand in play, prints the ranking so far and saves the played hands (exit code
    130).

    Examples:

      dupai run

      dupai run --agents "rules style:LA style:TP" --seed 7 --out matches/first

      dupai run --replay 12 matches/first
    """
    import secrets

    from dupai.arena import blinds_of, check_writable, free_folder, tournament_tasks
    from dupai.reading import load_reader

    if replay is not None:
        show_replay(console(), match, replay)
        return
    if match is not None:
        raise ConfigError(f"{match!r}: a match is named with --replay N only; agents are named with --agents")
    reads = None if reader == "none" else load_reader(reader)
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    specs = [word for text in agents for word in text.split()] if agents else list(DEFAULT_EIGHT)
    task = tournament_tasks(
        specs, hands=hands, blinds=blinds_of(blinds), stack=stack, rebuys=rebuys, matches=1, seed=seed
    )[0]
    _play(task, check_writable(out if out is not None else free_folder(f"seed-{seed}")), speed, reads)


def _play(task: TournamentTask, folder: Path, speed: float | None, reads: Reader | None) -> None:
    from dupai.arena import SavedMatch, drawn_chairs, play_tournament_match, save_match
    from dupai.cli._live import LiveMatch, PlainMatch

    seed = task.config.seed
    names = tuple(task.entrants[e].label for e in drawn_chairs(seed, 0, len(task.entrants)))
    screen = console()
    pulse = _Pulse()
    watch: MatchNotes
    with interrupts(pulse.stop):
        if screen.is_terminal:
            from rich.live import Live

            # A few hands unseen, so that what has to be compiled is compiled before the table is drawn.
            play_tournament_match(task, _Pulse(3))
            with Live(console=screen, auto_refresh=False, vertical_overflow="crop") as live:
                watch = shown = LiveMatch(task, names, live, speed, reads)
                result = play_tournament_match(task, pulse, watch, keep=True)
                shown.finish()
        else:
            screen.print(f"seed {seed}: {', '.join(names)}", soft_wrap=True)
            watch = PlainMatch(task, names, screen)
            result = play_tournament_match(task, pulse, watch, keep=True)
    assert result is not None
    if not result.hands:
        screen.print("stopped before the first hand was over; there is nothing to save")
        raise typer.Exit(130)
    if not result.complete:
        screen.print("\nstopped; the ranking so far")
    _ranking(screen, result)
    save_match(folder, SavedMatch.of_tournament(task, result), watch.records)
    screen.print(f"saved in {folder}", soft_wrap=True)
    last = max(1, result.hands)
    screen.print(f"a hand street by street: dupai run --replay {last} {shlex.quote(str(folder))}", soft_wrap=True)
    if not result.complete:
        raise typer.Exit(130)


class _Pulse(NoProgress):
    """Lets a match go on for ``hands`` hands (None: to its end) or until it is asked to stop."""

    def __init__(self, hands: int | None = None) -> None:
        self._left = hands
        self._stopped = False

    def stop(self) -> None:
        self._stopped = True

    def step(self) -> bool:
        if self._left is not None:
            self._left -= 1
        return not self._stopped and (self._left is None or self._left >= 0)


def _ranking(screen: Console, result: TournamentMatch) -> None:
    from dupai.cli._playing import print_faults

    view = table(">rank", "agent", ">survived", ">chips left", ">rebuys", ">volatility F")
    for p in sorted(result.players, key=lambda p: p.rank):
        view.add_row(f"{p.rank:g}", p.agent, f"{p.hands:,}", f"{p.chips:,}", str(p.rebuys), f"{p.volatility:,.0f}")
    screen.print(f"\n{result.hands} hands dealt")
    screen.print(view)
    print_faults(screen, result.faults)


def show_replay(screen: Console, match: str | None, number: int) -> None:
    """Print one hand of a saved match street by street.

    Raises:
        ConfigError: no such match or hand.
        HistoryError, NotationError, RulesError: its files are damaged.
    """
    from dupai.arena import load_hands, load_match
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
