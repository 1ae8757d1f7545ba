"""A response to a model of the opponent: every hand's value of every action, looking to the end of the street.

The opponent holds a range that was read and acts by an action model. The player takes, with each of its own 1,326
hands, the action that wins most. Cards to come after the street are dealt without further bets, as in local best
response (Lisý, Bowling 2017): this is its table of values for all hands at once. The model's answer to a raise counts
as far as there is evidence: see :meth:`Responder.respond`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dupai.agents._dupai._answers import Answers
from dupai.base.arrays import F64, I64
from dupai.cards import COMBOS
from dupai.equity import RangeMass, range_mass, win_rates
from dupai.reading import possible_hands
from dupai.rules import FOLD, RAISE, Action, HandState, View
from dupai.spots import MENU_CALL, MENU_FOLD, ActionModel, HandPolicy, Spot, raise_to, spots

#: Sizes of the raises that are tried, in pots after the call: before the flop, after it. All-in is always tried.
_SIZES = ((0.75, 1.5, 3.0), (0.5, 1.0, 2.0))
#: The model's raises up to this size in pots are one action of the tree, larger ones another.
_MAX_SMALL_RAISE = 1.1
#: An answer of the opponent that is rarer than this over the range is left out.
_MIN_FREQUENCY = 0.01


class Response(NamedTuple):
    """Values of a decision.

    Attributes:
        actions: what was tried; the first is a fold where there is something to fold to.
        values: ``float64[actions, 1326]``: chips that each hand wins from here on, where folding is 0; nan for hands
            that meet none of the opponent's.
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
        model: how the opponent acts; it has met the players.
        doubt: hands after which the model's answer to a raise of one pot counts half.
    """

    def __init__(self, model: ActionModel, doubt: float = 2.0) -> None:
        self.model, self.doubt = model, doubt

    def respond(self, view: View, held: F64, seen: int, folds: Answers | None = None) -> Response:
        """The values of the decision that is due.

        The model's answer to a raise of ``s`` pots has the weight ``seen / (seen + doubt s)``. With the other weight
        the opponent calls with the best ``1 / (1 + s)`` of the range, so that a bluff gains nothing: people seldom show
        how they answer bets of many pots, and a model of them can only guess.

        Args:
            view: a decision of a hand with two players left.
            held: ``float64[1326]``: the opponent's range.
            seen: hands of the opponent that the model has learned from.
            folds: what this opponent did when facing raises, by which the model's answers are corrected.
        """
        state = view.public().resume()
        me = state.actor
        other = next(p for p in range(view.spec.players) if p != me and not state.folded[p])
        weights = held * possible_hands(state.board)
        street = _Street(self, state, (me, other), seen, folds)
        total = range_mass(state.board, weights).total
        actions, sums = street.own_actions(state, weights, _SIZES[state.street > 0])
        meets = total > 1e-12 * max(float(weights.sum()), 1e-300)
        values = np.where(meets, np.array(sums) / np.where(meets, total, 1.0), np.nan)
        return Response(tuple(actions), values)


class _Street:
    """The tree of the rest of a street.

    A value of a node is ``float64[1326]`` by the player's hand: chips that the player gets from there on, summed over
    the opponent's weights and all runouts as in :func:`~dupai.equity.range_mass`.
    """

    def __init__(
        self, responder: Responder, state: HandState, positions: tuple[int, int], seen: int, folds: Answers | None
    ) -> None:
        self.model, self.doubt, self.seen = responder.model, responder.doubt, seen
        self.board, self.street, self.root, self.folds = state.board, state.street, state, folds
        self.me, self.other = positions
        self.order = best_first(self.board)

    def mass(self, weights: F64) -> RangeMass:
        """Wins, ties and weight of the opponent's hands that each hand meets."""
        return range_mass(self.board, weights)

    def own_actions(
        self, state: HandState, weights: F64, sizes: tuple[float, ...] = ()
    ) -> tuple[list[Action], list[F64]]:
        """The player's actions at a node and the value of each; without ``sizes`` there is no raise."""
        met = self.mass(weights).total

        def value(after: HandState, paid: int, size: float) -> F64:
            won = self.value(after, weights, size)
            doubted = doubted_share(self.doubt, size, self.seen) if after.actor == self.other else 0.0
            if doubted:
                won = (1 - doubted) * won + doubted * self._soundly_answered(after, weights, size)
            return won - paid * met

        actions = actions_to_try(state, sizes)
        return actions, [worth(state, action, value) for action in actions]

    def value(self, state: HandState, weights: F64, size: float = 0.0) -> F64:
        """The value of a node, after a raise of ``size`` pots (0: something else)."""
        if state.actor < 0 or state.street != self.street:
            return self._checked_down(state, weights)
        if state.actor == self.me:
            return np.asarray(np.maximum.reduce(self.own_actions(state, weights)[1]))
        return self._modelled(state, weights, size)

    def _checked_down(self, state: HandState, weights: F64) -> F64:
        """The value of a showdown without further bets; chips that one player has put in beyond the other come back."""
        mass = self.mass(weights)
        own, theirs = (state.contributions[p] for p in (self.me, self.other))
        matched = state.pot - abs(own - theirs)
        return np.asarray(matched * (mass.win + mass.tie / 2) + max(own - theirs, 0) * mass.total)

    def _soundly_answered(self, state: HandState, weights: F64, size: float) -> F64:
        """The value after a raise of ``size`` pots where the best hands of the range call, so many that a bluff gains
        nothing."""
        calls = top_share(weights, self.order, 1 / (1 + size))
        after = state.copy()
        after.apply(Action.call())
        return state.pot * self.mass(weights * (1 - calls)).total + self._checked_down(after, weights * calls)

    def _modelled(self, state: HandState, weights: F64, size: float) -> F64:
        """The value where the opponent acts by the model."""
        value, acts = np.zeros(COMBOS), answers(self.model, spots(state.view(None))[-1], weights)
        if size and self.folds is not None:
            acts = with_folds(acts, weights, self.folds.correction(self.root, size))
        for action, row in acts:
            if action.kind == FOLD:
                value += state.pot * self.mass(weights * row).total
                continue
            after = state.copy()
            after.apply(action)
            value += self.value(after, weights * row)
        return value


def answers(model: ActionModel, spot: Spot, weights: F64) -> list[tuple[Action, F64]]:
    """The actions of the opponent to act in a spot, most frequent first, with their probability by hand.

    Raises are merged into two sizes; actions that are rare over the range are left out.

    Returns:
        Each action with ``float64[1326]``.
    """
    chances, menu = model.probs(spot).astype(np.float64), model.menu(spot)
    share = weights @ chances / max(float(weights.sum()), 1e-300)
    first_of_size: dict[bool, int] = {}
    rows: dict[Action, F64] = {}
    for column in np.argsort(-share).tolist():
        if not chances[:, column].any() or (rows and share[column] < _MIN_FREQUENCY):
            continue
        merged = column
        if column not in (MENU_FOLD, MENU_CALL):
            size = menu.sizes[column - 2] if column - 2 < len(menu.sizes) else float("inf")
            merged = first_of_size.setdefault(size > _MAX_SMALL_RAISE, column)
        action = menu.action(spot, merged)
        rows[action] = rows.get(action, 0.0) + chances[:, column]
    total = np.sum(list(rows.values()), axis=0)
    return [(action, row / np.where(total > 0, total, 1)) for action, row in rows.items()]


def fold_share(acts: list[tuple[Action, F64]], weights: F64) -> float:
    """How often a range folds by the answers of :func:`answers`."""
    return sum(float(weights @ row) for action, row in acts if action.kind == FOLD) / max(float(weights.sum()), 1e-300)


def with_folds(acts: list[tuple[Action, F64]], weights: F64, change: float) -> list[tuple[Action, F64]]:
    """Answers with as many more or fewer folds over a range; hands that fold less call."""
    share, rows = fold_share(acts, weights), dict(acts)
    target = min(max(share + change, 0.0), 1.0)
    if not 0 < share < 1:
        return acts
    before = rows.pop(Action.fold())
    if target < share:
        after = before * target / share
        rows[Action.call()] = rows.get(Action.call(), 0.0) + before - after
    else:
        kept = (1 - target) / (1 - share)
        after, rows = 1 - (1 - before) * kept, {action: row * kept for action, row in rows.items()}
    return [(Action.fold(), after), *rows.items()]


def worth(before: HandState, action: Action, value: Callable[[HandState, int, float], F64]) -> F64:
    """What an action of the player to act wins beside a fold, by hand: ``value`` of the state after it, the chips that
    it pays and, for a raise, its size in pots after the call without chips that no opponent can match (else 0)."""
    if action.kind == FOLD:
        return np.zeros(COMBOS)
    after = before.copy()
    after.apply(action)
    paid = after.contributions[before.actor] - before.contributions[before.actor]
    return value(after, paid, pots_raised(before, action))


def pots_raised(before: HandState, action: Action) -> float:
    """The size of a raise in pots after the call, without chips that no opponent can match; 0 for another action."""
    if action.kind != RAISE:
        return 0.0
    to_call = before.legal.to_call
    raised = min(action.to, max_matched(before)) - before.contributions[before.actor] - to_call
    return raised / max(before.pot + to_call, 1)


def doubted_share(doubt: float, size: float, seen: int) -> float:
    """The weight that a model's answer to a raise of ``size`` pots does not get after ``seen`` hands."""
    return doubt * size / (doubt * size + seen) if size and doubt else 0.0


def actions_to_try(state: HandState, sizes: tuple[float, ...]) -> list[Action]:
    """The actions that are tried at a decision: fold where there is something to fold to, check or call, raises of
    ``sizes`` in pots after the call, and the largest raise that an opponent can match. Without sizes no raise."""
    legal = state.legal
    actions = [Action.fold()] if legal.fold else []
    actions.append(Action.call())
    if legal.can_raise and sizes:
        called, pot = state.contributions[state.actor] + legal.to_call, state.pot + legal.to_call
        largest = max(min(legal.max_to, max_matched(state)), legal.min_to)
        totals = {raise_to(size, called, pot, legal.min_to, largest) for size in sizes}
        actions += [Action.raise_to(to) for to in sorted(totals | {largest})]
    return actions


def max_matched(state: HandState) -> int:
    """The largest total of the player to act that an opponent still in can match."""
    stacks, antes = state.start_stacks, state.antes
    return max(stacks[p] - antes[p] for p in range(state.spec.players) if p != state.actor and not state.folded[p])


def best_first(board: tuple[int, ...]) -> I64:
    """``int64[1326]``: hands by falling win rate against a random hand; hands that the board blocks come last."""
    return np.argsort(-np.nan_to_num(win_rates(board or None), nan=-1.0), kind="stable")


def top_share(weights: F64, order: I64, share: float) -> F64:
    """``float64[1326]``: the part of each hand's weight, 0 to 1, that belongs to the best ``share`` of a range."""
    ordered = weights[order]
    above = np.cumsum(ordered) - ordered
    top = np.zeros(COMBOS)
    top[order] = np.clip((ordered.sum() * share - above) / np.where(ordered > 0, ordered, 1), 0, 1)
    return top
