"""``dupai play``: sit down yourself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typer import Argument, Option

from dupai.base import ConfigError
from dupai.cli._common import console
from dupai.cli._human import HELP, Chair, Human, SessionScreen
from dupai.cli._playing import print_faults

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from dupai.arena import SavedMatch


def play(
    agents: list[str] = Argument(..., help="1 to 9 opponents, as rules style:LA.", metavar="AGENT"),
    blinds: str = Option("50/100", help="Small and big blind."),
    stack: int = Option(10_000, help="Buy-in, in chips."),
    reset: bool = Option(
        False, "--reset", help="Everybody starts every hand with the buy-in; otherwise chips carry over."
    ),
    hands: int | None = Option(None, "--hands", "-n", help="Stop after this many hands."),
    seed: int | None = Option(None, "--seed", "-s", help="Seed of the cards. [default: drawn from the system]"),
    name: str = Option("you", help="Your name."),
    out: str | None = Option(None, "--out", "-o", help="Folder to save. [default: matches/play]"),
) -> None:
    """Sit down at a no-limit cash table with any agents, in the terminal.

    Type your action when it is your turn: f fold, c check or call, r 300 raise to 300 on this street, p pot, h half the
    pot, a all-in, ? help, q leave. A player who is broke buys in again. Leaving (also Ctrl-C or the end of input) folds
    the hand in play, prints the result and saves the session as 'dupai run' does: dupai run --replay N FOLDER shows its
    hands.

    Examples:

      dupai play rules style:LA style:TP

      dupai play style:TA --blinds 1/2 --stack 200 --reset --hands 50
    """
    import secrets

    from dupai.arena import AgentSource, Session, blinds_of, check_writable, free_folder, save_match

    if hands is not None and hands < 1:
        raise ConfigError(f"--hands {hands}: expected 1 or more", key="hands")
    if not name.strip() or len(name) > 24 or not name.isprintable():
        raise ConfigError(f"--name {name!r}: expected 1 to 24 printable characters", key="name", text=name)
    folder = check_writable(out if out is not None else free_folder("play"))
    screen = console()
    human = Human(screen, _asker(screen))

    # JSON numbers end at 63 bits; the cards of a session stay unpredictable.
    sources: list[AgentSource] = [Chair(human, name.strip()), *agents]
    session = Session(
        sources, blinds=blinds_of(blinds), stack=stack, reset=reset, seed=secrets.randbits(63) if seed is None else seed
    )
    watch = SessionScreen(screen, session, human)
    screen.print(HELP, soft_wrap=True)
    try:
        while not human.leaving and (hands is None or len(session.records) < hands):
            session.play_hand(watch)
    except KeyboardInterrupt:
        # Between two questions: the hand in play does not count.
        screen.print()
    saved = session.close()
    _result(screen, saved, session.won)
    if session.records:
        save_match(folder, saved, session.records)
        screen.print(f"saved in {folder}", soft_wrap=True)


def _asker(screen: Console) -> Callable[[str], str]:
    """Asks for one line; where input is piped the line is printed, so that the output reads as a session."""
    import sys

    def ask(prompt: str) -> str:
        screen.print(prompt, end="", soft_wrap=True, style="cyan")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        if not sys.stdin.isatty():
            screen.print(line.rstrip("\n"), soft_wrap=True)
        return line

    return ask


def _result(screen: Console, saved: SavedMatch, won: list[int]) -> None:

    screen.print(f"\n{saved.hands} hand{'s' if saved.hands != 1 else ''}", style="bold")
    if saved.hands:
        for chair in sorted(range(len(won)), key=lambda c: -won[c]):
            screen.print(f"  {saved.names[chair]:<24} {won[chair]:>+10,}")
    print_faults(screen, saved.faults)
