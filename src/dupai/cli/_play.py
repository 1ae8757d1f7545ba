"""``dupai play``: sit down yourself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.text import Text
from typer import Argument, Option

from dupai.agents import BaseAgent
from dupai.arena import Watcher
from dupai.base import ConfigError, NotationError, Rng
from dupai.cli._common import console
from dupai.cli._playing import print_faults
from dupai.cli._telling import cards_shown
from dupai.notation import action_words, chips_words, legal_words, made_hand_words, read_answer
from dupai.rules import STREET_PHRASES, Action, HandRecord, HandState, View

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from dupai.arena import ChipTable, Fault, SavedMatch, Session

HELP = """\
  f  fold        c  check or call     r N  bet or raise to N in this street
  p  pot         h  half the pot      a    all-in
  ?  this help   q  leave: gives this hand up, ends and saves the session"""


class Human(BaseAgent):
    """Asks a person. After ``quit``, the end of input or Ctrl-C it checks where it can and folds."""

    reproducible = False

    def __init__(self, out: Console, ask: Callable[[str], str]) -> None:
        self._out = out
        self._ask = ask
        self.leaving = False

    def act(self, view: View, rng: Rng) -> Action:
        if not self.leaving:
            self._show(view)
        while not self.leaving:
            try:
                answer = read_answer(self._ask(f"  {legal_words(view)} > "), view)
            except NotationError as error:
                self._out.print(f"  {error}", markup=False, soft_wrap=True)
                continue
            except (EOFError, KeyboardInterrupt):
                self._out.print()
                answer = "quit"
            if isinstance(answer, Action):
                return answer
            if answer == "help":
                self._out.print(HELP, markup=False, soft_wrap=True)
            else:
                self.leaving = True
        return Action.fold() if view.legal.fold else Action.call()

    def _show(self, view: View) -> None:
        line = Text("  you  ", style="bold")
        line.append_text(cards_shown(view.hole, signs=self._out.is_terminal))
        if view.board:
            line.append("   board  ")
            line.append_text(cards_shown(view.board, signs=self._out.is_terminal))
        stack = view.stacks[view.actor]
        line.append(f"   pot {view.pot:,}   to call {view.to_call:,}   your stack {stack:,}")
        self._out.print(line, soft_wrap=True)


class Chair:
    """The person under a name, as a source of agents for an arena."""

    reproducible = False

    def __init__(self, human: Human, name: str) -> None:
        self._human = human
        self.__name__ = name

    def __call__(self) -> Human:
        return self._human


class SessionScreen(Watcher):
    """Prints a session as chair ``me`` sees it."""

    def __init__(self, out: Console, session: Session, human: Human, me: int = 0) -> None:
        self._out = out
        self._session = session
        self._human = human
        self._me = me
        self._street = 0
        self._width = max(map(len, session.names))

    def _say(self, text: str, style: str = "", cards: Sequence[int] | None = None, after: str = "") -> None:
        line = Text(text, style=style)
        if cards is not None:
            line.append_text(cards_shown(cards, signs=self._out.is_terminal))
        line.append(after)
        self._out.print(line, soft_wrap=True)

    def _name(self, chair: int) -> str:
        return f"{self._session.names[chair]:<{self._width}}"

    def on_deal(self, state: HandState, table: ChipTable | None) -> None:
        spec = state.spec
        self._street = 0
        blinds = "/".join(str(b) for b in self._session.blinds)
        self._say(f"\nhand {state.hand}   blinds {blinds}", "bold")
        for p, chair in enumerate(state.seats):
            posts = f"  posts {state.bets[p]:,}" if spec.blinds[p] else ""
            button = "  button" if p == spec.button else ""
            self._say(f"  {self._name(chair)} {state.start_stacks[p]:>9,}{button}{posts}", "dim")

    def on_action(self, state: HandState, action: Action, fault: Fault | None) -> None:
        self.on_change(state)
        chair = state.seats[state.actor]
        words = action_words(state, action)
        if fault is not None:
            words += f"   (breaks the rules: {fault.error})"
        self._say(f"  {self._name(chair)}  {words}", "bold" if chair == self._me else "")

    def on_change(self, state: HandState) -> None:
        if state.street != self._street and not state.finished:
            self._street = state.street
            self._say(f"{STREET_PHRASES[state.street]}  ", "bold", state.board, f"  pot {state.pot:,}")

    def on_hand(self, record: HandRecord, table: ChipTable | None) -> None:
        if any(record.shown):
            self._say("showdown  ", "bold", record.board)
            for p, chair in enumerate(record.seats):
                if record.shown[p]:
                    made = made_hand_words(record.hole[p], record.board)
                    self._say(f"  {self._name(chair)}  ", "", record.hole[p], f"  {made}")
        for p, chair in enumerate(record.seats):
            if record.payoffs[p] > 0:
                self._say(f"  {self._name(chair)}  wins {chips_words(record.payoffs[p])}", "green")
        mine = record.payoffs[record.seats.index(self._me)]
        total = self._session.won[self._me]
        self._say(f"  you: {mine:+,} in this hand, {total:+,} in all", "bold")

    def on_rebuy(self, chair: int, table: ChipTable) -> None:
        buyer = "you buy in again" if chair == self._me else f"{self._session.names[chair]} buys in again"
        self._say(f"  {buyer} for {table.start:,}", "dim")


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
