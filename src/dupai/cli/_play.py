"""``dupai play``: sit down yourself."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

import msgspec
from rich.text import Text
from typer import Argument, Context, Option

from dupai.agents import BaseAgent
from dupai.arena.match import Watcher
from dupai.base import ConfigError, NotationError, Rng
from dupai.cli._common import console
from dupai.cli._playing import SAVED_FAULTS, print_faults
from dupai.cli._seat import deep_words, odds_words, print_table
from dupai.cli._shared import refuse_typed
from dupai.cli._telling import cards_shown, print_line
from dupai.notation import action_words, chips_words, legal_words, made_hand_words, read_answer, street_choice_words
from dupai.rules import CALL, RAISE, STREET_PHRASES, Action, HandRecord, HandState, View, step_of

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from dupai.arena import Session
    from dupai.arena.match import Fault
    from dupai.arena.store import SavedMatch
    from dupai.arena.tournament import ChipTable
    from dupai.cli._lessons import Lessons
    from dupai.cli._study import Study

HELP = """\
  f  fold        c  check or call     r N  bet or raise to N in this street
  p  pot         h  half the pot      a    all-in      x  check, never a call
  t  the table, with the hand so far   hands [N]    hands played; one of them
  hint [AGENT]   what it would do      read [NAME]  what they seem to hold
  stats [NAME]   what they do          mirror       what they can read in you
  note TEXT      kept with this hand   note NAME TEXT  on a player
  undo           takes your last action of this hand back (with --practice)
  ?  this help   q  leave: gives this hand up, ends and saves the session"""


class TakenBack(BaseException):
    """The person takes their last action back: the hand is dealt again up to there. No error of an agent's, so that the
    arena does not take it for one."""


class Human(BaseAgent):
    """Asks a person. After ``quit``, the end of input or Ctrl-C it checks where it can and folds.

    Args:
        practice: actions of the hand in play may be taken back.
    """

    reproducible = False

    def __init__(self, out: Console, ask: Callable[[str], str], practice: bool = False) -> None:
        self._out = out
        self._ask = ask
        self._practice = practice
        self.study: Study | None = None
        self.names: Sequence[str] = ()
        self.leaving = False
        #: What was decided in the hand in play, and what is to be repeated after an action was taken back.
        self.decisions: list[tuple[View, Action]] = []
        self.repeat: list[Action] = []
        #: A hand is played again, up to the action that was taken back.
        self.again = False

    def act(self, view: View, rng: Rng) -> Action:
        if self.repeat and _legal(view, self.repeat[0]):
            action = self.repeat.pop(0)
        else:
            # An opponent that learns may have done something else than before.
            self.repeat = []
            self.again = False
            answered = None if self.leaving else self._asked(view)
            if answered is None:
                return Action.fold() if view.legal.fold else Action.call()
            action = answered
        self.decisions.append((view, action))
        return action

    def _asked(self, view: View) -> Action | None:
        """The person's action; None when they leave."""
        self._show(view)
        while True:
            try:
                text = self._ask(f"  {legal_words(view)} > ")
                if self.study is not None and self.study.answer(text, view):
                    continue
                if text.strip().lower() == "undo":
                    self._undo()
                    continue
                answer = read_answer(text, view)
            except NotationError as error:
                self._out.print(f"  {error}", markup=False, soft_wrap=True)
                continue
            except UnicodeDecodeError:
                self._out.print("  that is no text in UTF-8", soft_wrap=True)
                continue
            except (EOFError, OSError, KeyboardInterrupt):
                self._out.print()
                answer = "quit"
            if isinstance(answer, Action):
                return answer
            if answer == "quit":
                self.leaving = True
                return None
            self._out.print(HELP, markup=False, soft_wrap=True)

    def _undo(self) -> None:
        """Raises TakenBack where there is something to take back."""
        if not self._practice:
            self._out.print("  actions are taken back in practice only: dupai play --practice", soft_wrap=True)
        elif not self.decisions:
            self._out.print("  you have done nothing in this hand yet", soft_wrap=True)
        else:
            self.repeat = [action for _, action in self.decisions[:-1]]
            self.again = True
            raise TakenBack

    def _show(self, view: View) -> None:
        if self._out.is_terminal:
            self._out.print()
            print_table(self._out, view, self.names, self.study.players if self.study is not None else None)
        line = Text("  you  ", style="bold")
        line.append_text(cards_shown(view.hole, signs=self._out.is_terminal))
        if view.board:
            line.append("   board  ")
            line.append_text(cards_shown(view.board, signs=self._out.is_terminal))
        stack = view.stacks[view.actor]
        line.append(f"   pot {view.pot:,}   to call {view.to_call:,}   stack {stack:,}")
        self._out.print(line, soft_wrap=True)
        if words := "   ".join(filter(None, (odds_words(view), deep_words(view)))):
            self._out.print(f"  {words}", style="dim", soft_wrap=True)


def _legal(view: View, action: Action) -> bool:
    fold, _, low, high = view.legal
    return low <= action.to <= high if action.kind == RAISE else action.kind == CALL or fold


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

    def __init__(
        self,
        out: Console,
        session: Session,
        human: Human,
        me: int = 0,
        study: Study | None = None,
        lessons: Lessons | None = None,
    ) -> None:
        self._study, self._lessons = study, lessons
        self._out = out
        self._session = session
        self._human = human
        self._me = me
        self._street = 0
        self._width = max(map(len, session.names))

    def _say(self, text: str, style: str = "", cards: Sequence[int] | None = None, after: str = "") -> None:
        if not self._human.again:
            print_line(self._out, text, style, cards, after)

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
        words = action_words(step_of(state, action))
        if fault is not None:
            words += f"   (breaks the rules: {fault.error})"
        self._say(f"  {self._name(chair)}  {words}", "bold" if chair == self._me else "")

    def on_change(self, state: HandState) -> None:
        if state.street != self._street and not state.finished:
            self._street = state.street
            self._say(f"{STREET_PHRASES[state.street]}  ", "bold", state.board, f"  pot {state.pot:,}")

    def on_hand(self, record: HandRecord, table: ChipTable | None) -> None:
        self._human.again = False
        if any(record.shown):
            self._say("showdown  ", "bold", record.board)
            for p, chair in enumerate(record.seats):
                if record.shown[p]:
                    made = made_hand_words(record.hole[p], record.board)
                    self._say(f"  {self._name(chair)}  ", "", record.hole[p], f"  {made}")
        for p, chair in enumerate(record.seats):
            if record.payoffs[p] > 0:
                wins = "win" if chair == self._me and self._name(chair).strip() == "you" else "wins"
                self._say(f"  {self._name(chair)}  {wins} {chips_words(record.payoffs[p])}", "green")
        mine = record.payoffs[record.seats.index(self._me)]
        total = self._session.won[self._me]
        self._say(f"  you: {mine:+,} in this hand, {total:+,} in all", "bold")
        told: list[str] = []
        if self._lessons is not None and not self._human.leaving:
            told = self._lessons.judge(self._human.decisions, len(self._session.records) - 1)
        if self._study is not None:
            self._study.over(record, told)

    def say_taken_back(self, words: str) -> None:
        """The last action does not count: the hand goes on before it."""
        self._out.print(f"  taken back: {words}", style="yellow", soft_wrap=True)

    def on_rebuy(self, chair: int, table: ChipTable) -> None:
        buyer = "you buy in again" if chair == self._me else f"{self._session.names[chair]} buys in again"
        self._say(f"  {buyer} for {table.start:,}", "dim")


def play(
    context: Context,
    agents: list[str] = Argument(..., help="1 to 9 opponents, as rules style:LA persona:pros.", metavar="AGENT"),
    blinds: str = Option("50/100", help="Small and big blind."),
    stack: int = Option(10_000, help="Buy-in, in chips."),
    reset: bool = Option(
        False, "--reset", help="Everybody starts every hand with the buy-in; otherwise chips carry over."
    ),
    hands: int | None = Option(None, "--hands", "-n", help="Stop after this many hands."),
    seed: int | None = Option(None, "--seed", "-s", help="Seed of the cards. [default: drawn from the system]"),
    name: str = Option("you", help="Your name."),
    out: str | None = Option(None, "--out", "-o", help="Folder to save. [default: matches/play]"),
    practice: bool = Option(False, "--practice", help="'undo' takes back actions of the hand in play."),
    coach: bool = Option(False, "--coach", help="After each hand: what your decisions gave up, with the error."),
    deals: int = Option(4096, "--deals", help="Deals that the coach tries each action on.", min=20),
    advisor: str = Option("advisor", "--advisor", help="Agent that 'hint' asks."),
    reader: str = Option("model", "--reader", help="Reader of 'read', 'mirror' and the coach ('dupai readers')."),
) -> None:
    """Sit down at a no-limit cash table with any agents, in the terminal.

    Type your action when it is your turn: f fold, c check or call, x check, r 300 raise to 300 on this street, p pot,
    h half the pot, a all-in, ? help, q leave. A player who is broke buys in again. Leaving (also Ctrl-C, SIGTERM or
    the end of input) folds the hand in play, prints the result and saves the session as 'dupai run' does: dupai run
    --replay N FOLDER shows its hands.

    At your turn you may also ask: t (the table), hint, read, mirror, stats, hands, note, and undo with --practice.
    Hints and readings know what you know, no hidden cards. With --coach each decision is compared with the other
    actions on deals drawn from what the reader makes of your opponents; the summary names the three costliest.

    Examples:

      dupai play rules style:LA style:TP

      dupai play style:TA --blinds 1/2 --stack 200 --reset --hands 50

      dupai play persona:bovada persona:pros --coach --practice
    """
    import secrets

    from dupai.agents import try_agent
    from dupai.arena import AgentSource, Session, blinds_of
    from dupai.arena.store import announce_key, check_writable, free_folder
    from dupai.cli._lessons import Lessons
    from dupai.cli._main import Terminated
    from dupai.cli._study import Study
    from dupai.reading import load_reader

    _check_given(hands, stack, deals, name)
    if not coach:
        refuse_typed(context, ("deals",), "is for the coach: add --coach")
    folder = check_writable(out if out is not None else free_folder("play"))
    try_agent(advisor)
    load_reader(reader)
    screen = console()
    human = Human(screen, _asker(screen), practice)
    # JSON numbers end at 63 bits; the cards of a session stay unpredictable.
    sources: list[AgentSource] = [Chair(human, name.strip()), *agents]
    seed = secrets.randbits(63) if seed is None else seed
    session = Session(sources, blinds=blinds_of(blinds), stack=stack, reset=reset, seed=seed)
    announce_key(session)
    study = Study(screen, session, advisor, reader)
    human.study, human.names = study, session.names
    lessons = Lessons(screen, study.companion, deals, seed) if coach else None
    watch = SessionScreen(screen, session, human, study=study, lessons=lessons)
    screen.print(HELP, soft_wrap=True)
    try:
        while not human.leaving and (hands is None or len(session.records) < hands):
            _play_hand(session, watch, human, study)
    except KeyboardInterrupt:
        screen.print()  # between two questions: the hand in play does not count
    except Terminated:
        # SIGTERM loses no more than Ctrl-C, and then ends the program.
        _close(screen, session, study, lessons, folder)
        raise
    _close(screen, session, study, lessons, folder)


def _check_given(hands: int | None, stack: int, deals: int, name: str) -> None:
    """Whether numbers and the name given make sense.

    Raises:
        ConfigError: one does not.
    """
    from dupai.arena import MAX_COUNT, MAX_HANDS

    counts = (("hands", hands, 1, MAX_HANDS), ("stack", stack, 1, MAX_HANDS), ("deals", deals, 20, MAX_COUNT))
    for key, value, low, high in counts:
        if value is not None and not low <= value <= high:
            raise ConfigError(f"--{key} {value}: expected {low} to {high}", key=key)
    if not name.strip() or len(name) > 24 or not name.isprintable():
        raise ConfigError(f"--name {name!r}: expected 1 to 24 printable characters", key="name", text=name)


def _play_hand(session: Session, watch: SessionScreen, human: Human, study: Study) -> None:
    """Play a hand, from its start again as often as an action is taken back."""
    human.decisions = []
    while True:
        try:
            session.play_hand(watch)
            return
        except TakenBack:
            words = street_choice_words(*human.decisions[-1])
            watch.say_taken_back(words)
            study.now.append(f"took back: {words}")
            human.decisions = []


def _close(screen: Console, session: Session, study: Study, lessons: Lessons | None, folder: Path) -> None:
    """Print the result and save the session with its notes."""
    from dupai.arena.store import free_folder, save_match
    from dupai.cli._lessons import print_costliest, print_luck

    # Last: an advisor that fails to close costs nothing of the session.
    with closing(study.companion):
        saved = session.close()
        _result(screen, saved, session.won)
        if not session.records:
            return
        noted = [
            msgspec.structs.replace(r, comment="; ".join(study.hands[r.hand])) if r.hand in study.hands else r
            for r in session.records
        ]
        # Another session may have taken the name meanwhile.
        folder = free_folder(folder.name, folder.parent)
        save_match(folder, saved, noted)
        print_luck(screen, session, 0)
        if lessons is not None and lessons.all:
            print_costliest(screen, lessons.all, folder)
        screen.print(f"saved in {folder}", soft_wrap=True)


def _asker(screen: Console) -> Callable[[str], str]:
    """Asks for one line; where input is piped the line is printed, so that the output reads as a session."""
    import sys

    if isinstance(sys.stdin, io.TextIOWrapper):
        # A byte that is no text costs a letter, neither the lines around it nor the session's file.
        sys.stdin.reconfigure(errors="replace")

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
    print_faults(screen, saved, SAVED_FAULTS)
