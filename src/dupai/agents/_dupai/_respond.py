"""A response to a model of the opponent: every hand's value of every action, looking to the end of the street.

The opponent acts by an action model from a range that is read; the player takes, for each of its own 1,326 hands, the
action that wins most. Where cards are still to come at the end of the street the hand is checked down, as in local best
response (Lisý, Bowling 2017), whose table of values this is for all hands at once. What the model says of the answer to
a raise is believed as far as there is evidence: see :meth:`Responder.respond`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dupai.base import F64, I64
from dupai.cards import COMBOS
from dupai.equity import RangeMass, range_mass, win_rates
from dupai.reading import possible_hands
from dupai.rules import FOLD, RAISE, Action, HandState, View
from dupai.spots import MENU_CALL, MENU_FOLD, ActionModel, HandPolicy, Spot, raise_to, spots

#: Raises that are tried, in pots after the call: before the flop and after it; all-in always.
_SIZES = ((0.75, 1.5, 3.0), (0.5, 1.0, 2.0))
#: Raises of the model of at most so many pots are one in the tree, those above it another.
_SPLIT = 1.1
#: An answer of the opponent that is rarer is left to the others.
_RARE = 0.01


class Response(NamedTuple):
    """Values of a decision.

    Attributes:
        actions: what was tried; the first is a fold where there is something to fold to.
        values: ``float64[actions, 1326]``: chips won from here on by each hand, folding being 0; nan for hands that
            meet none of the opponent's.
    """

    actions: tuple[Action, ...]
    values: F64

    def best(self) -> HandPolicy:
        """Every hand's best action."""
        top = np.argmax(np.nan_to_num(self.values, nan=-np.inf), axis=0)
        return HandPolicy(self.actions, (np.arange(len(self.actions))[:, None] == top).astype(np.float64))


class Responder:
    """Works out responses to a model.

    Args:
        model: how the opponent acts; told who sits where.
        doubt: hands after which the model's answer to a raise of one pot is believed by half.
    """

    def __init__(self, model: ActionModel, doubt: float = 2.0) -> None:
        self.model, self.doubt = model, doubt

    def respond(self, view: View, held: F64, seen: int) -> Response:
        """The values of the decision that is due.

        The answer to a raise of ``s`` pots counts as the model says by the share ``seen / (seen + doubt s)``. For the
        rest the opponent calls with the best hands of the range, 1 / (1 + s) of it, against which a bluff gains
        nothing: people seldom show what they do against bets of many pots, and a model of them guesses.

        Args:
            view: a decision of a hand with two players left.
            held: ``float64[1326]``: the range of the other player.
            seen: hands of the other player that the model has learned from.
        """
        state = view.public().resume()
        me = state.actor
        other = next(p for p in range(view.spec.players) if p != me and not state.folded[p])
        weights = held * possible_hands(state.board)
        street = _Street(self, state, (me, other), seen)
        total = street.mass(weights).total
        actions, sums = street.mine(state, weights, _SIZES[state.street > 0])
        some = total > 1e-12 * max(float(weights.sum()), 1e-300)
        values = np.where(some, np.array(sums) / np.where(some, total, 1.0), np.nan)
        return Response(tuple(actions), values)


class _Street:
    """The rest of a street. Values are ``float64[1326]`` by the player's hand, in chips got from the node on, and sums
    over the opponent's weights and all runouts, as those of :func:`~dupai.equity.range_mass`."""

    def __init__(self, by: Responder, state: HandState, positions: tuple[int, int], seen: int) -> None:
        self.model, self.doubt, self.seen = by.model, by.doubt, seen
        self.board, self.street = state.board, state.street
        self.me, self.other = positions
        #: The opponent's hands, best first, for sound answers.
        self.order = best_first(self.board)

    def mass(self, weights: F64) -> RangeMass:
        return range_mass(self.board, weights)

    def mine(self, state: HandState, weights: F64, sizes: tuple[float, ...] = ()) -> tuple[list[Action], list[F64]]:
        """What the player can do at a node, and the value of each; without ``sizes`` it does not raise."""
        legal, mine = state.legal, state.contributions[self.me]
        pot, most = state.pot + legal.to_call, matched_at_most(state)
        actions = tried(state, sizes)
        met = self.mass(weights).total
        values = []
        for action in actions:
            if action.kind == FOLD:
                values.append(np.zeros(COMBOS))
                continue
            after = state.copy()
            after.apply(action)
            paid = after.contributions[self.me] - mine
            value = self.value(after, weights)
            if action.kind == RAISE and after.actor == self.other and self.doubt > 0:
                size = (min(after.contributions[self.me], most) - mine - legal.to_call) / max(pot, 1)
                unsure = self.doubt * size / (self.doubt * size + self.seen)
                value = (1 - unsure) * value + unsure * self._answered_soundly(after, weights, size)
            values.append(value - paid * met)
        return actions, values

    def value(self, state: HandState, weights: F64) -> F64:
        """What the player gets from a state on."""
        if state.actor < 0 or state.street != self.street:
            return self._checked_down(state, weights)
        if state.actor == self.me:
            return np.asarray(np.maximum.reduce(self.mine(state, weights)[1]))
        return self._theirs(state, weights)

    def _checked_down(self, state: HandState, weights: F64) -> F64:
        """The pot by what wins at the showdown; what one has put in beyond the other comes back."""
        mass = self.mass(weights)
        mine, theirs = (state.contributions[p] for p in (self.me, self.other))
        even = state.pot - abs(mine - theirs)
        return np.asarray(even * (mass.win + mass.tie / 2) + max(mine - theirs, 0) * mass.total)

    def _answered_soundly(self, state: HandState, weights: F64, size: float) -> F64:
        """The value of a raise of ``size`` pots that the best hands of the range call, so many that a bluff gains
        nothing."""
        calls = top_share(weights, self.order, 1 / (1 + size))
        after = state.copy()
        after.apply(Action.call())
        return state.pot * self.mass(weights * (1 - calls)).total + self._checked_down(after, weights * calls)

    def _theirs(self, state: HandState, weights: F64) -> F64:
        """The opponent acts by the model."""
        value = np.zeros(COMBOS)
        for action, row in answers(self.model, spots(state.view(None))[-1], weights):
            if action.kind == FOLD:
                value += state.pot * self.mass(weights * row).total
                continue
            after = state.copy()
            after.apply(action)
            value += self.value(after, weights * row)
        return value


def answers(model: ActionModel, spot: Spot, weights: F64) -> list[tuple[Action, F64]]:
    """What the opponent of a spot does, and how often with each hand (``float64[1326]``): raises by two sizes, actions
    that are rare over the range left out. The most frequent comes first."""
    chances, menu = model.probs(spot).astype(np.float64), model.menu(spot)
    share = weights @ chances / max(float(weights.sum()), 1e-300)
    sizes: dict[bool, int] = {}
    rows: dict[Action, F64] = {}
    for column in np.argsort(-share).tolist():
        if not chances[:, column].any() or (rows and share[column] < _RARE):
            continue
        stands = column
        if column not in (MENU_FOLD, MENU_CALL):
            size = menu.sizes[column - 2] if column - 2 < len(menu.sizes) else float("inf")
            stands = sizes.setdefault(size > _SPLIT, column)
        action = menu.action(spot, stands)
        rows[action] = rows.get(action, 0.0) + chances[:, column]
    total = np.sum(list(rows.values()), axis=0)
    return [(action, row / np.where(total > 0, total, 1)) for action, row in rows.items()]


def tried(state: HandState, sizes: tuple[float, ...]) -> list[Action]:
    """The actions that are tried at a decision: fold where there is something to fold to, check or call, raises of
    ``sizes`` in pots after the call, and the most that an opponent can match (no raise where there are no sizes)."""
    legal = state.legal
    actions = [Action.fold()] if legal.fold else []
    actions.append(Action.call())
    if legal.can_raise and sizes:
        called, pot = state.contributions[state.actor] + legal.to_call, state.pot + legal.to_call
        most = max(min(legal.max_to, matched_at_most(state)), legal.min_to)
        totals = {raise_to(size, called, pot, legal.min_to, most) for size in sizes}
        actions += [Action.raise_to(to) for to in sorted(totals | {most})]
    return actions


def matched_at_most(state: HandState) -> int:
    """The largest total that an opponent of the player to act can match, if everybody still in goes all-in."""
    stacks, antes = state.start_stacks, state.antes
    return max(stacks[p] - antes[p] for p in range(state.spec.players) if p != state.actor and not state.folded[p])


def best_first(board: tuple[int, ...]) -> I64:
    """``int64[1326]``: hands in falling order of their win rates against any hand; those that the board blocks last."""
    return np.argsort(-np.nan_to_num(win_rates(board or None), nan=-1.0), kind="stable")


def top_share(weights: F64, order: I64, share: float) -> F64:
    """``float64[1326]``: how much of each hand belongs to the best ``share`` of a range, 0 to 1."""
    ordered = weights[order]
    above = np.cumsum(ordered) - ordered
    top = np.zeros(COMBOS)
    top[order] = np.clip((ordered.sum() * share - above) / np.where(ordered > 0, ordered, 1), 0, 1)
    return top
