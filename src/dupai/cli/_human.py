"""A seat for a person in the terminal, and what that person is shown of a session."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from dupai.agents import BaseAgent
from dupai.arena import Watcher
from dupai.base import NotationError, Rng
from dupai.cli._telling import STREETS, action_words, best_hand, chips, told_cards
from dupai.rules import RAISE, Action, HandRecord, HandState, View

if TYPE_CHECKING:
    from rich.console import Console

    from dupai.arena import ChipTable, Fault, Session

HELP = """\
  f  fold        c  check or call     r N  bet or raise to N in this street
  p  pot         h  half the pot      a    all-in
  ?  this help   q  leave: gives this hand up, ends and saves the session"""

_WORDS = {"f": "fold", "c": "call", "k": "call", "check": "call", "p": "pot", "h": "half", "a": "all-in", "q": "quit"}
_WORDS |= {"x": "quit", "exit": "quit", "leave": "quit", "allin": "all-in", "all in": "all-in", "half pot": "half"}
_WORDS |= {w: w for w in ("fold", "call", "pot", "half", "all-in", "quit")} | {"?": "help", "help": "help"}
_RAISE = re.compile(r"(?:r|raise|b|bet)?\s*(?:to\s*)?(\d[\d,_]*)")


def read_answer(text: str, view: View) -> Action | str:
    """What was typed: an action that is legal in ``view``, or ``"quit"`` or ``"help"``.

    Raises:
        NotationError: neither; one line that says what is legal.
    """
    word = " ".join(text.lower().split())
    legal = view.legal
    known = _WORDS.get(word)
    if known in ("quit", "help"):
        return known
    if known == "call":
        if word in ("check", "k") and legal.to_call:
            raise NotationError(f"there is a bet to call, checking is not possible: {legal_words(view)}")
        return Action.call()
    if known == "fold":
        if not legal.fold:
            raise NotationError(f"there is no bet to fold to: {legal_words(view)}")
        return Action.fold()
    me = view.actor
    mine, stack = view.contributions[me], view.stacks[me]
    if known == "all-in":
        if stack <= legal.to_call:
            return Action.call()
        to = mine + stack
    elif known in ("pot", "half"):
        if not legal.can_raise:
            raise NotationError(f"no raise is possible: {legal_words(view)}")
        pot = view.pot + legal.to_call
        return legal.closest_raise(mine + legal.to_call + (pot if known == "pot" else pot // 2))
    elif (found := _RAISE.fullmatch(word)) is not None:
        to = int(found[1].replace(",", "").replace("_", "")) + mine - view.bets[me]
    else:
        raise NotationError(f"{text.strip()!r} is not understood: {legal_words(view)}, or ? for help")
    if not 0 < legal.min_to <= to <= legal.max_to:
        raise NotationError(f"{text.strip()!r} is not possible: {legal_words(view)}")
    return Action(RAISE, to)


def legal_words(view: View) -> str:
    """What may be done, raises as totals in this street."""
    legal = view.legal
    words = ["fold"] if legal.fold else []
    stack = view.stacks[view.actor]
    words.append(f"call {legal.to_call:,}" if legal.to_call else "check")
    if legal.to_call and legal.to_call == stack:
        words[-1] += " (all-in)"
    if legal.can_raise:
        before = view.contributions[view.actor] - view.bets[view.actor]
        low, high = legal.min_to - before, legal.max_to - before
        verb = "raise to" if max(view.bets) else "bet"
        words.append(f"{verb} {low:,}" + (f"..{high:,}" if high > low else ""))
    return ", ".join(words)


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
        from rich.text import Text

        me = view.actor
        line = Text("  you  ", style="bold")
        line.append_text(told_cards(view.hole, signs=self._out.is_terminal))
        if view.board:
            line.append("   board  ")
            line.append_text(told_cards(view.board, signs=self._out.is_terminal))
        line.append(f"   pot {view.pot:,}   to call {view.to_call:,}   your stack {view.stacks[me]:,}")
        self._out.print(line, soft_wrap=True)


class Chair:
    """The person as something that an arena makes an agent from, under a name."""

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

    def _say(self, text: str, style: str = "") -> None:
        self._out.print(text, style=style, markup=False, soft_wrap=True)

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
        self._heading(state)
        chair = state.seats[state.actor]
        words = action_words(state, action)
        if fault is not None:
            words += f"   (breaks the rules: {fault.error})"
        self._say(f"  {self._name(chair)}  {words}", "bold" if chair == self._me else "")

    def on_change(self, state: HandState) -> None:
        self._heading(state)

    def _heading(self, state: HandState) -> None:
        from rich.text import Text

        if state.street == self._street or state.finished:
            return
        self._street = state.street
        line = Text(f"{STREETS[state.street]}  ", style="bold")
        line.append_text(told_cards(state.board, signs=self._out.is_terminal))
        line.append(f"  pot {state.pot:,}", style="dim")
        self._out.print(line)

    def on_hand(self, record: HandRecord, table: ChipTable | None) -> None:
        from rich.text import Text

        signs = self._out.is_terminal
        if any(record.shown):
            line = Text("showdown  ", style="bold")
            line.append_text(told_cards(record.board, signs=signs))
            self._out.print(line)
            for p, chair in enumerate(record.seats):
                if record.shown[p]:
                    line = Text(f"  {self._name(chair)}  ")
                    line.append_text(told_cards(record.hole[p], signs=signs))
                    line.append(f"  {best_hand(record.hole[p], record.board)}")
                    self._out.print(line, soft_wrap=True)
        for p, chair in enumerate(record.seats):
            if record.payoffs[p] > 0:
                self._say(f"  {self._name(chair)}  wins {chips(record.payoffs[p])}", "green")
        mine = record.payoffs[record.seats.index(self._me)]
        total = self._session.won[self._me]
        self._say(f"  you: {mine:+,} in this hand, {total:+,} in all", "bold")

    def on_rebuy(self, chair: int, table: ChipTable) -> None:
        who = "you buy in again" if chair == self._me else f"{self._session.names[chair]} buys in again"
        self._say(f"  {who} for {table.start:,}", "dim")
