"""The steps of a hand as data, for all that tell it: words are made by who shows them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Literal, NamedTuple

from dupai.rules._actions import Action
from dupai.rules._layout import BOARD_CARDS, FOLD, RAISE
from dupai.rules._state import HandRecord, HandState, Line, View

StepKind = Literal[
    "ante", "post", "street", "fold", "check", "call", "bet", "raise", "return", "show", "muck", "win", "lose"
]


class Step(NamedTuple):
    """One step of a hand.

    Attributes:
        kind: ``ante`` and ``post`` (a blind); ``street``: cards are opened; the five kinds of action; ``return``: a bet
            that nobody called goes back; ``show`` and ``muck`` of those who are in a showdown; ``win`` and ``lose``.
        street: 0 before the flop to 3.
        position: the player; -1 for a street.
        chips: put in or returned by this step; won or lost in the hand, in 1/``spec.split`` chips.
        bet: live chips of the player on this street after it.
        all_in: whether the player is all-in by it.
        pot: all chips in the pot after it, without those that nobody called once the hand is over.
        cards: the open board of a street; hole cards of a show, 255 where they are not known.
    """

    kind: StepKind
    street: int
    position: int = -1
    chips: int = 0
    bet: int = 0
    all_in: bool = False
    pot: int = 0
    cards: tuple[int, ...] = ()

    @property
    def is_action(self) -> bool:
        """Whether a player decided it."""
        return self.kind in ("fold", "check", "call", "bet", "raise")


def step_of(state: HandState | View, action: Action, pot: int | None = None) -> Step:
    """The step that an action of the player to act will be; ``pot`` where it is known, before the action."""
    p, bets = state.actor, state.bets
    pot = state.pot if pot is None else pot
    kind: StepKind = "fold"
    chips = 0
    if action.kind == RAISE:
        kind = "raise" if max(bets) else "bet"
        chips = (action.to or state.legal.min_to) - state.contributions[p]
    elif action.kind != FOLD:
        chips = state.to_call
        kind = "call" if chips else "check"
    all_in = chips > 0 and chips == int(state.state["stack"][0, p])
    return Step(kind, state.street, p, chips, bets[p] + chips, all_in, pot + chips)


def steps_of(line: Line) -> list[Step]:
    """The steps of a hand so far; of a record also what was shown and won.

    Raises:
        RulesError: an action is not legal where it stands.
    """
    steps: list[Step] = []
    for state, action in zip_longest(line.states(), line.actions):
        if not steps:
            steps += _posts(state)
            street, pot = 0, state.pot
        if action is not None:
            if state.street > street:
                steps += _streets(line, street, state, pot)
                street = state.street
            steps.append(step_of(state, action, pot))
            pot = steps[-1].pot
    position, back = state.uncalled if state.finished else (-1, 0)
    pot = state.pot - back
    # Where all fold to the big blind without a raise, it just keeps what it posted.
    if back and (state.showdown or state.contributions[position] > line.spec.big_blind):
        steps.append(Step("return", street, position, back, pot=pot))
    steps += _streets(line, street, state, pot)
    if isinstance(line, HandRecord):
        steps += _end(line, state, pot)
    return steps


def _posts(state: HandState) -> Iterator[Step]:
    puts: list[tuple[StepKind, int, int, int]] = [("ante", p, chips, 0) for p, chips in enumerate(state.antes)]
    puts += [("post", p, chips, chips) for p, chips in enumerate(state.bets)]
    pot = 0
    for kind, p, chips, bet in puts:
        pot += chips
        if chips:
            yield Step(kind, 0, p, chips, bet, not state.stacks[p], pot)


def _streets(line: Line, street: int, state: HandState, pot: int) -> Iterator[Step]:
    """The streets that have been opened since ``street``."""
    for k in range(street + 1, state.street + 1):
        yield Step("street", k, pot=pot, cards=line.board[: BOARD_CARDS[k]])


def _end(record: HandRecord, state: HandState, pot: int) -> Iterator[Step]:
    for p, folded in enumerate(state.folded):
        if state.showdown and not folded:
            kind: StepKind = "muck" if record.shown and not record.shown[p] else "show"
            yield Step(kind, state.street, p, pot=pot, cards=record.hole[p])
    for p, payoff in enumerate(record.payoffs):
        if payoff:
            yield Step("win" if payoff > 0 else "lose", state.street, p, payoff, pot=pot)
