"""Blueprints of tables as they play: the situation of a real decision, and its strategy by bucket."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from dupai.base import NotCovered
from dupai.base.arrays import AnyArray
from dupai.base.files import array_of
from dupai.cards import COMBOS
from dupai.cfr._blueprint._card import BlueprintCard, raises_fit
from dupai.cfr._blueprint._cards import CardBuckets, KnownBuckets
from dupai.cfr._blueprint._solver import RARE, shares
from dupai.cfr._multiway._kernels import options_kernel, situation_kernel
from dupai.cfr._multiway._situations import MAX_OPTIONS, PRICE, STREET, check_situations, menu_sizes
from dupai.rules import CALL, FOLD, Action, GameSpec
from dupai.spots import DID_BET, HandPolicy, Spot

#: Boards whose buckets are remembered.
_CACHE_SIZE = 64


class TableBlueprint:
    """The strategy of a table, from the arrays of a file: see :meth:`TableSolver.arrays`."""

    #: Times that a stack may be deeper or shallower than those that were solved. More than heads-up, for after the flop
    #: situations say how deep it is.
    apart: ClassVar[float] = 2.5

    def __init__(self, card: BlueprintCard, cards: CardBuckets, stored: dict[str, AnyArray]) -> None:
        self.card, self._sizes = card, menu_sizes(card.menu, card.game.betting == "limit")
        self._cards, self._chances = cards, stored["chances"]
        self._situations = array_of(stored, "situations", (None,), np.int64, exact=True)
        self._options = array_of(stored, "options", (len(self._situations),), np.int64)
        check_situations(self._situations, self._options)
        streets = self._situations // STREET
        self._begin = np.concatenate([[0], np.cumsum(np.array(cards.counts)[streets] * self._options)])
        if self._begin[-1] != len(self._chances) or (np.diff(self._situations) <= 0).any():
            raise ValueError("another number of probabilities than its situations have")
        self._buckets = KnownBuckets(cards, _CACHE_SIZE).of

    @property
    def depth(self) -> float:
        """Stacks in big blinds."""
        return min(self.card.game.stacks) / max(self.card.game.blinds)

    def suits(self, spec: GameSpec) -> bool:
        """Whether this is a strategy for such a game, but for the stacks: any table of three and more."""
        game = self.card.game
        same = spec.players > 2 and spec.betting == game.betting and not any(spec.antes) and all(spec.blinds[:2])
        same = same and spec.first_player == game.first_player and raises_fit(self.card, spec)
        return same and spec.blinds[0] * game.blinds[1] == spec.blinds[1] * game.blinds[0] and not any(spec.blinds[2:])

    def policy(self, spot: Spot) -> HandPolicy:
        """The strategy of the player to act, for all hands. Hands that the training never brought here check or fold.

        Raises:
            NotCovered: the training did not meet the situation.
        """
        kinds, totals = np.zeros((2, MAX_OPTIONS), np.int64)
        row: Any = spot.row[0]
        n = int(options_kernel(row, self._sizes, kinds, totals))
        before = spot.rows[spot.rows["street"] == 0]
        opened = int((before["did"] >= DID_BET).sum())
        at = self._find(int(situation_kernel(row, opened, n)), spot.street, bool(spot["to_call"]))
        k = self._cards.counts[spot.street]
        rows = self._chances[self._begin[at] : self._begin[at] + k * n].reshape(k, n).astype(np.float64)
        never = rows.sum(axis=1) == 0
        rows[rows < 255 * RARE] = 0
        rows[never, 0] = 1
        actions = [
            Action.fold() if kind == FOLD else Action.call() if kind == CALL else Action.raise_to(to)
            for kind, to in zip(kinds[:n].tolist(), totals[:n].tolist(), strict=True)
        ]
        chances = shares(rows)[self._buckets(spot.board)].T
        assert chances.shape == (n, COMBOS)
        return HandPolicy(tuple(actions), chances)

    def _find(self, key: int, street: int, facing: bool) -> int:
        """The place of a situation, or of the one whose price is the next class: players who bet as the menu says never
        met the prices between.

        Raises:
            NotCovered: the training met neither.
        """
        step = PRICE[min(street, 1)]
        for number in (key, key + step, key - step) if facing else (key,):
            if facing and number % STREET < step:
                continue  # no price at all
            at = int(np.searchsorted(self._situations, number))
            if at < len(self._situations) and self._situations[at] == number:
                return at
        raise NotCovered("the blueprint does not know the situation", key="situation")

    def values(self, spot: Spot, player: int) -> AnyArray:
        """No values: those of :class:`~dupai.spots.HasHandValues` are of games for two.

        Raises:
            NotCovered: always.
        """
        raise NotCovered("the blueprint of a table does not know the values of hands", key="game")
