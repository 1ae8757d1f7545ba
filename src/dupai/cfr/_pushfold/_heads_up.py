"""Heads-up push/fold: the small blind goes all-in or folds, the big blind calls or folds.

Both hold one of 169 classes. The number of pairs of combos that share no card is exact, and so are the win rates. Only
the equilibrium itself is approximate, to :data:`TARGET`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dupai.base import ConfigError, Printable
from dupai.base.arrays import F64
from dupai.cards import CLASS_SIZE, CLASS_TEXT, CLASSES, COMBOS
from dupai.equity import class_matchups
from dupai.ranges import Range

#: The solved tables that ship, written by ``python tools/pushfold_tables.py``.
TABLE_FILE = Path(__file__).with_name("pushfold.npz")
#: Their antes, of each player, big blinds.
PUSH_FOLD_ANTES = (0.0, 0.1, 0.125, 0.2, 0.25)
#: The deepest stack that the shipped table has, big blinds.
_MAX_STACK = 25.0
#: Exploitability to reach, big blinds a hand (0.001 mbb).
TARGET = 1e-6
#: Largest stack that is solved, big blinds: nobody should play push or fold with more.
MAX_BLINDS = 100.0
_MAX_ITERATIONS = 200_000
_SB, _BB = 0.5, 1.0
_PAIRS = COMBOS * 1225.0


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PushFold(Printable):
    """An equilibrium of heads-up push/fold.

    ``stack`` (the shorter one, before blinds and antes) and ``ante`` (of each player) in big blinds. ``push``, ``call``
    ``float64[169]``: how often the small blind goes all-in and the big blind calls, by class in grid order. ``value``:
    what the small blind wins, big blinds a hand; ``exploitability``: what a perfect opponent would gain on average over
    both seats, big blinds a hand.
    """

    stack: float
    ante: float
    push: F64
    call: F64
    value: float
    exploitability: float

    @property
    def push_share(self) -> float:
        """Share of all 1326 hands that go all-in."""
        return float(self.push @ CLASS_SIZE / COMBOS)

    @property
    def call_share(self) -> float:
        """Share of all 1326 hands that call."""
        return float(self.call @ CLASS_SIZE / COMBOS)

    def headline(self) -> str:
        return (
            f"push/fold with {self.stack:g} big blinds: push {100 * self.push_share:.1f} %, call "
            f"{100 * self.call_share:.1f} %, {self.value:+.4f} big blinds a hand for the small blind"
        )

    def as_table(self) -> tuple[tuple[str, ...], Sequence[tuple[str, ...]]]:
        """The classes of which some go all-in or call."""
        played = np.flatnonzero((self.push > 0) | (self.call > 0)).tolist()
        rows = [(CLASS_TEXT[i], f"{100 * self.push[i]:.1f}", f"{100 * self.call[i]:.1f}") for i in played]
        return ("hand", "push %", "call %"), rows


class Stakes(NamedTuple):
    """What the small blind wins when it folds and when the big blind does, and the stack at risk; big blinds."""

    fold: float
    stolen: float
    stack: float


def stakes(stack: float, ante: float) -> Stakes:
    """The stakes for a stack and an ante. A player with less than ante and blind is all-in with the whole stack.

    Raises:
        ConfigError: not a stack above 0 and at most :data:`MAX_BLINDS`, or not an ante of 0 to 10.
    """
    if not 0 < stack <= MAX_BLINDS:
        raise ConfigError(f"stack {stack:g}: expected more than 0 and at most {MAX_BLINDS:g} big blinds", key="stack")
    check_ante(ante)
    return Stakes(-min(stack, _SB + ante), min(stack, _BB + ante), stack)


def check_ante(ante: float) -> None:
    """Check an ante.

    Raises:
        ConfigError: not 0 to 10 big blinds.
    """
    if not 0 <= ante <= 10:
        raise ConfigError(f"ante {ante:g}: expected 0 to 10 big blinds", key="ante")


def _deals(stack: float) -> tuple[F64, F64]:
    """``float64[169, 169]`` each, by the small and the big blind's class: the probability of the deal, and that times
    the small blind's result of an all-in."""
    table = class_matchups()
    return table.pairs / _PAIRS, table.pairs * (2 * table.equity - 1) * stack / _PAIRS


def _gains(stake: Stakes, deals: tuple[F64, F64], push: F64, call: F64) -> tuple[F64, F64]:
    """Counterfactual gains, times the probability of the class: of pushing over folding for the small blind against
    ``call``, of calling over folding for the big blind against ``push`` (``float64[169]`` each)."""
    pairs, showdown = deals
    pushing = showdown @ call + stake.stolen * (pairs @ (1 - call)) - stake.fold * pairs.sum(axis=1)
    calling = stake.stolen * (push @ pairs) - push @ showdown
    return pushing, calling


def exploit(stake: Stakes, push: F64, call: F64) -> tuple[float, float]:
    """The small blind's value and the exploitability of a profile, big blinds a hand."""
    pushing, calling = _gains(stake, _deals(stake.stack), push, call)
    value = stake.fold + float(push @ pushing)
    best_push = stake.fold + float(np.maximum(pushing, 0).sum())
    # The big blind's best response takes off what calling gains over its present strategy.
    best_call = value - float(np.maximum(calling, 0).sum() - call @ calling)
    return value, (best_push - best_call) / 2


def solve_push_fold(stack: float, ante: float = 0.0, *, target: float = TARGET) -> PushFold:
    """Solve one stack (predictive CFR+ with quadratic averages on the exact matrix, a tenth of a second).

    Args:
        stack: the shorter stack before blinds and antes, big blinds; the small blind is half a big blind.
        ante: of each player, big blinds.
        target: exploitability to reach, big blinds a hand.

    Raises:
        ConfigError: a stack or an ante that makes no sense.
    """
    stake = stakes(stack, ante)
    deals = _deals(stake.stack)
    mass = deals[0].sum(axis=1)
    regrets = np.zeros((2, 2, CLASSES))
    now = np.full((2, CLASSES), 0.5)
    total = np.zeros((2, CLASSES))
    weight = 0.0
    for t in range(1, _MAX_ITERATIONS + 1):
        weight += t * t
        for p in (0, 1):
            total[p] += t * t * now[p]
            match_regrets(regrets[p], _gains(stake, deals, *now)[p] / mass, now[p])
        if t % 50 == 0:
            push, call = rounded(total / weight)
            value, left = exploit(stake, push, call)
            if left <= target:
                break
    push.flags.writeable = call.flags.writeable = False
    return PushFold(stack, ante, push, call, value, left)


def match_regrets(regrets: F64, gain: F64, play: F64) -> None:
    """One step of predictive regret matching+ between two actions, in place.

    ``regrets`` ``float64[2, 169]``; ``gain`` ``float64[169]``: of the first action over the second; ``play``
    ``float64[169]``: how often the first is taken.
    """
    step = np.stack([gain * (1 - play), -gain * play])
    regrets[:] = np.maximum(regrets + step, 0)
    predicted = np.maximum(regrets + step, 0)
    both = predicted.sum(axis=0)
    play[:] = np.where(both > 0, predicted[0] / np.where(both > 0, both, 1), 0.5)


def rounded(share: F64) -> F64:
    """Make almost certain frequencies certain: averages keep a trace of the first iterations."""
    return np.where(share < 1e-3, 0.0, np.where(share > 1 - 1e-3, 1.0, share))


@lru_cache(maxsize=1)
def _table() -> dict[tuple[float, float], PushFold]:
    with np.load(TABLE_FILE, allow_pickle=False) as file:
        data = {name: file[name].astype(np.float64) for name in file.files}
    table = {}
    for i, ante in enumerate(data["antes"].tolist()):
        for j, stack in enumerate(data["stacks"].tolist()):
            push, call = data["push"][i, j], data["call"][i, j]
            push.flags.writeable = call.flags.writeable = False
            value, left = float(data["value"][i, j]), float(data["exploitability"][i, j])
            table[stack, ante] = PushFold(stack, ante, push, call, value, left)
    return table


@lru_cache(maxsize=4096)
def push_fold_table(stack: float, ante: float = 0.0) -> PushFold:
    """The equilibrium for a stack and an ante: from the shipped table if it has them (stacks of 1 to 25 big blinds in
    steps of a quarter, antes of 0, 0.1, 0.125, 0.2 and 0.25), else solved now and cached.

    Args:
        stack: the shorter stack before blinds and antes, big blinds.
        ante: of each player, big blinds.

    Raises:
        ConfigError: a stack or an ante that makes no sense.
    """
    stakes(stack, ante)
    return _table().get((float(stack), float(ante))) or solve_push_fold(stack, ante)


def nearest_push_fold(stack: float, ante: float = 0.0) -> PushFold:
    """The shipped table nearest to a game.

    Args:
        stack: the shorter stack after antes and before blinds, big blinds.
        ante: of each player, big blinds; the nearest of :data:`PUSH_FOLD_ANTES` is taken.
    """
    near = min(PUSH_FOLD_ANTES, key=lambda one: abs(one - ante))
    return push_fold_table(min(max(round(4 * (stack + near)) / 4, 1.0), _MAX_STACK), near)


def push_fold(stack: float, ante: float = 0.0, position: str = "sb") -> Range:
    """The hands that go all-in (``position`` "sb") or call an all-in ("bb") heads-up, with their frequencies.

    Args:
        stack: the shorter stack before blinds and antes, big blinds.
        ante: of each player, big blinds.
        position: "sb" (the button, half a blind) or "bb".

    Raises:
        ConfigError: a stack, an ante or a position that makes no sense.
    """
    if position not in ("sb", "bb"):
        raise ConfigError(f"position {position!r}: expected sb or bb", key="position", text=position)
    solution = push_fold_table(float(stack), float(ante))
    return Range.from_classes(solution.push if position == "sb" else solution.call)
