"""The best response that goes all-in or folds before the flop, computed without dealing."""

from __future__ import annotations

import numpy as np

from dupai.agents import Seat
from dupai.base.arrays import F64
from dupai.cards import CLASS_SIZE, CLASSES, COMBO_CLASS, COMBOS
from dupai.equity import class_matchups
from dupai.rules import FOLD, Action, GameSpec, HandState
from dupai.spots import RaiseBetween


def _by_class(weights: F64) -> F64:
    """Weights of hands as means by class."""
    return np.bincount(COMBO_CLASS, weights, CLASSES) / CLASS_SIZE


def best_shoves(seat: Seat, spec: GameSpec) -> tuple[float, float]:
    """What the best response wins, chips a hand: as the button and as the big blind.

    It goes all-in or folds at its first decision, and checks and folds after a limp that it does not raise. A raise of
    the agent counts by its size, and so does its answer to an all-in: what it does not fold, it calls. That is exact
    for an agent that goes all-in or folds itself, and a lower bound of the best response to any other.
    """
    return _button(seat, spec), _big_blind(seat, spec)


def _button(seat: Seat, spec: GameSpec) -> float:
    """The response opens, the agent answers."""
    table = class_matchups()
    state = HandState(spec)
    me = state.actor
    blind = float(state.contributions[me])
    fold = np.full(CLASSES, -blind)
    # A big blind that is all-in can only be called.
    legal = state.legal
    state.apply(Action.raise_to(legal.max_to) if legal.can_raise else Action.call())
    stake = float(min(min(state.start_stacks), state.contributions[me]))
    calls = _calls(seat, state) if state.actor >= 0 else np.ones(CLASSES)
    won = _showdown(table.pairs, table.equity, calls, stake)
    folds = _weight(table.pairs, 1 - calls) * state.contributions[1 - me]
    return _mean(np.maximum(fold, won + folds))


def _big_blind(seat: Seat, spec: GameSpec) -> float:
    """The agent opens, the response answers each of its actions."""
    table = class_matchups()
    first = HandState(spec)
    me = 1 - first.actor
    policy = seat.hand_policy(first.view(first.actor), np.ones(COMBOS)).policy
    total: F64 = np.zeros(CLASSES)
    for action, row in zip(policy.actions, policy.chances, strict=True):
        state = first.copy()
        if isinstance(action, RaiseBetween):
            action = Action.raise_to((action.lo + action.hi) // 2)
        reach = _by_class(row)
        state.apply(action)
        met = _weight(table.pairs, reach)
        if action.kind == FOLD:
            total += met * state.contributions[1 - me]
            continue
        if state.actor < 0:
            total += _showdown(table.pairs, table.equity, reach, float(min(state.contributions)))
            continue
        value = met * -float(state.contributions[me])
        if state.legal.can_raise:
            shoved = state.copy()
            shoved.apply(Action.raise_to(state.legal.max_to))
            stake = float(min(min(state.start_stacks), shoved.contributions[me]))
            calls = _calls(seat, shoved) if shoved.actor >= 0 else np.ones(CLASSES)
            won = _showdown(table.pairs, table.equity, reach * calls, stake)
            won = won + _weight(table.pairs, reach * (1 - calls)) * state.contributions[1 - me]
            value = np.maximum(value, won)
        elif max(state.contributions) >= min(state.start_stacks):
            value = np.maximum(value, _showdown(table.pairs, table.equity, reach, float(min(state.start_stacks))))
        total += value
    return _mean(total)


def _calls(seat: Seat, state: HandState) -> F64:
    """How often each class of the agent does not fold to an all-in."""
    policy = seat.hand_policy(state.view(state.actor), np.ones(COMBOS)).policy
    return 1 - _by_class(policy.likelihood(Action.fold()))


def _weight(pairs: F64, reach: F64) -> F64:
    """``float64[169]``: the chance that each class of the response meets the agent's hands of this reach."""
    return np.asarray(pairs @ reach / pairs.sum(axis=1))


def _showdown(pairs: F64, equity: F64, reach: F64, stake: float) -> F64:
    """What each class wins of an all-in over ``stake`` against this reach, times the chance of meeting it."""
    return np.asarray((pairs * (2 * equity - 1)) @ reach / pairs.sum(axis=1) * stake)


def _mean(values: F64) -> float:
    return float(values @ CLASS_SIZE / COMBOS)
