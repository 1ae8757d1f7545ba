"""What a strategy does with every hand at once, and what gives such strategies."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import msgspec
import numpy as np

from dupai.base import ConfigError
from dupai.base.arrays import F64
from dupai.cards import COMBOS
from dupai.rules import FOLD, RAISE, Action, GameSpec
from dupai.spots._actions import ActionDistribution, RaiseBetween
from dupai.spots._spot import Spot


def pseudo_harmonic(small: float, big: float, size: float) -> float:
    """The share with which a bet counts as the smaller of the two sizes that it lies between; the rest is the larger.

    Source: Ganzfried, Sandholm, "Action translation in extensive-form games with large action spaces", IJCAI 2013,
    section 5.

    Args:
        small, big, size: fractions of the pot, ``small <= size <= big``; ``small`` may be 0, no bet at all.
    """
    return (big - size) * (1 + small) / ((big - small) * (1 + size))


class HandPolicy(msgspec.Struct, frozen=True):
    """A strategy at one decision, for all hands of the player to act.

    Attributes:
        actions: legal actions, each once; a :class:`RaiseBetween` is a raise to a uniform total (its own ``p`` does
            not count).
        chances: ``float64[len(actions), 1326]``: how often each hand takes each action. Columns add up to 1, also
            those of hands that the board blocks.
    """

    actions: tuple[Action | RaiseBetween, ...]
    chances: F64

    def checked(self) -> HandPolicy:
        """This policy, after checking that it is one.

        Raises:
            ConfigError: another shape, or columns that are no probabilities.
        """
        shape = (len(self.actions), COMBOS)
        if self.chances.shape != shape:
            raise ConfigError(f"policy of all hands: expected chances of shape {list(shape)}")
        if not (self.chances >= 0).all() or not np.allclose(self.chances.sum(axis=0), 1, atol=1e-6):
            raise ConfigError("policy of all hands: expected columns of at least 0 that add up to 1")
        return self

    def of(self, hand: int) -> ActionDistribution:
        """The distribution of one hand (combo index)."""
        points, spans = [], []
        for action, p in zip(self.actions, self.chances[:, hand].tolist(), strict=True):
            if p <= 0:
                continue
            if isinstance(action, RaiseBetween):
                spans.append(action._replace(p=p))
            else:
                points.append((action, p))
        return ActionDistribution(tuple(points), tuple(spans))

    def likelihood(self, action: Action) -> F64:
        """``float64[1326]``: the probability of exactly this action with each hand."""
        total: F64 = np.zeros(COMBOS)
        for one, row in zip(self.actions, self.chances, strict=True):
            if isinstance(one, RaiseBetween):
                if action.kind == RAISE and one.lo <= action.to <= one.hi:
                    total += row / (one.hi - one.lo + 1)
            elif one.kind == action.kind and (one.kind != RAISE or one.to == action.to):
                total += row
        return total

    def nearest(self, action: Action, called: int, pot: int) -> F64:
        """The likelihood of an action that may not be among the policy's: a raise between two of its sizes counts as
        the one or the other by :func:`pseudo_harmonic`, beyond the ends as the nearest.

        Args:
            action: what was done.
            called: the player's total after a call.
            pot: the pot after a call.
        """
        if action.kind != RAISE:
            return self.likelihood(action)
        sizes = sorted(
            ((one.lo + one.hi) / 2 if isinstance(one, RaiseBetween) else float(one.to), i)
            for i, one in enumerate(self.actions)
            if isinstance(one, RaiseBetween) or one.kind == RAISE
        )
        if not sizes:
            return self.likelihood(Action.call())
        for to, i in sizes:
            if to == action.to:
                return np.asarray(self.chances[i])
        below = [s for s in sizes if s[0] < action.to]
        above = [s for s in sizes if s[0] > action.to]
        if not below or not above:
            return np.asarray(self.chances[(below[-1] if below else above[0])[1]])
        small, big, size = ((to - called) / max(pot, 1) for to in (below[-1][0], above[0][0], action.to))
        share = pseudo_harmonic(small, big, size)
        return np.asarray(share * self.chances[below[-1][1]] + (1 - share) * self.chances[above[0][1]])

    def onto_legal(self, fold: bool) -> HandPolicy:
        """The same without folds where there is nothing to fold to: these hands check."""
        if fold or all(isinstance(a, RaiseBetween) or a.kind != FOLD for a in self.actions):
            return self
        kept = [i for i, a in enumerate(self.actions) if isinstance(a, RaiseBetween) or a.kind != FOLD]
        folds = self.chances[[i for i in range(len(self.actions)) if i not in kept]].sum(axis=0)
        actions, chances = tuple(self.actions[i] for i in kept), self.chances[kept].copy()
        if Action.call() not in actions:
            return HandPolicy((*actions, Action.call()), np.vstack([chances, folds]))
        chances[actions.index(Action.call())] += folds
        return HandPolicy(actions, chances)


@runtime_checkable
class Blueprint(Protocol):
    """A strategy that was worked out beforehand, for every public history that it covers."""

    def covers(self, spec: GameSpec, stacks: tuple[int, ...], street: int) -> bool:
        """Whether it has a strategy for such a game, with these chips at the start of the hand by position, on this
        street (0 before the flop to 3)."""
        ...

    def policy(self, spot: Spot) -> HandPolicy:
        """The strategy of the player to act, for all hands at once.

        Args:
            spot: the public history: ``spot.rows`` are all decisions so far (``did`` and ``to`` say what was done) and
                the one that is due last, ``spot.board`` the open cards. Real bets lie between those of the
                blueprint's tree: the blueprint maps them.

        Returns:
            Legal actions in chips of this game; a size of the tree that is not legal here is moved to the nearest.

        Raises:
            NotCovered: it has no strategy there; ``key`` is ``game``, ``bet`` or ``situation``.
        """
        ...


@runtime_checkable
class HasHandValues(Protocol):
    """A blueprint that knows what hands are worth, for safe solving of what follows."""

    def values(self, spot: Spot, player: int) -> F64:
        """``float64[1326]``: the chips of the pot that each hand of position ``player`` wins from this decision on
        against the opponent's range of the blueprint (chips paid before belong to the pot), nan where it does not
        know.

        Raises:
            NotCovered: it knows no values there.
        """
        ...
