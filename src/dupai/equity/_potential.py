"""Hand potential and outs: how a hand may change before the river."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np

from dupai.base import ConfigError, Printable
from dupai.base.arrays import F64, AnyArray
from dupai.cards import COMBO_INDEX, COMBOS, Card, cards_text
from dupai.equity._kernels.potential import outs_kernel, potential_kernel
from dupai.equity._table import load_win_rate_table
from dupai.equity._winrates import Cards, RangeLike, board_cards, hole_cards, range_array, win_rates

#: Share of the gap between the win rate and 1 that a card must close to be an out (eq. 29).
OUT_SHARE = 0.6


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Potential(Printable):
    """Hand potential (D. Billings, A. Davidson, J. Schaeffer, D. Szafron, "The challenge of poker", AIJ 134, 2002).

    ``table`` ``float64[3, 3]``: share of (opposing hand, runout), by [now, river], each 0 ahead, 1 tied, 2 behind; sums
    to 1.
    """

    table: F64

    def to_dict(self) -> dict[str, Any]:
        """The table and the figures that follow from it, by name."""
        names = ("strength", "positive", "negative", "win_rate", "effective")
        return {"table": self.table.tolist(), **{name: getattr(self, name) for name in names}}

    def headline(self) -> str:
        return (
            f"ahead {self.strength:.3f} now, {self.win_rate:.3f} at the river; "
            f"PPot {self.positive:.3f}, NPot {self.negative:.3f}"
        )

    @property
    def strength(self) -> float:
        """Chance to be ahead now, ties half (Billings's hand strength against one opponent)."""
        return float(self.table[0].sum() + self.table[1].sum() / 2)

    @property
    def positive(self) -> float:
        """Chance to get ahead when behind (*PPot*): ``(B>A + B>T / 2 + T>A / 2) / (B + T / 2)``; 0 if never behind."""
        t = self.table
        return _ratio(t[2, 0] + t[2, 1] / 2 + t[1, 0] / 2, t[2].sum() + t[1].sum() / 2)

    @property
    def negative(self) -> float:
        """Chance to fall behind when ahead (*NPot*): ``(A>B + T>B / 2 + A>T / 2) / (A + T / 2)``; 0 if never ahead."""
        t = self.table
        return _ratio(t[0, 2] + t[1, 2] / 2 + t[0, 1] / 2, t[0].sum() + t[1].sum() / 2)

    @property
    def win_rate(self) -> float:
        """Chance to be ahead at the river, ties half."""
        return float(self.table[:, 0].sum() + self.table[:, 1].sum() / 2)

    @property
    def effective(self) -> float:
        """Effective hand strength ``strength + (1 - strength) * positive``: a hand that is behind may bet its draw."""
        return self.strength + (1 - self.strength) * self.positive


def _ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole > 0 else 0.0


def potential(hole: str | Sequence[int | str], board: Cards, range: RangeLike = None) -> Potential:
    """Ahead, tied or behind now against the same at the river, over every opposing hand and every runout.

    Args:
        hole: two cards.
        board: 3, 4 or 5 cards (a flop takes a few milliseconds).
        range: what the opponent may hold (as in :func:`~dupai.equity.win_rates`); None: any hand.

    Raises:
        NotationError: cards or range are not valid, or a card stands twice.
        ConfigError: another number of board cards, or nothing of the range is left.
    """
    full, n = board_cards(board)
    a, b = hole_cards(hole, full, n)
    if n == 0:
        raise ConfigError("board: potential needs a board of 3, 4 or 5 cards", key="board")
    weights = range_array(range)
    table = np.empty((3, 3))
    potential_kernel(a, b, full, n, np.ones(COMBOS) if weights is None else weights, table)
    total = table.sum()
    if not total > 0:
        raise _nothing_left(a, b, full[:n])
    return Potential(table / total)


def _nothing_left(a: int, b: int, board: AnyArray) -> ConfigError:
    return ConfigError(f"range: no hand of it is left beside {cards_text((a, b))} on {cards_text(board)}", key="range")


def outs(
    hole: str | Sequence[int | str], board: Cards, range: RangeLike = None, *, share: float = OUT_SHARE
) -> tuple[Card, ...]:
    """The cards that would make a hand: those that, dealt next, close at least ``share`` of the gap to a sure win.

    A card is an out if ``P(win | card) - P(win) >= share * (1 - P(win))`` (FOLD, eq. 29), with win rates over the
    remaining runouts, ties half. By this a hand that has nearly won already has many outs.

    Args:
        hole: two cards.
        board: 3 or 4 cards; on a river nothing is to come and there are no outs.
        range: the opponent's range; None: any hand (as eq. 29 has it, from the win-rate table where it reaches).
        share: 0.6 in the paper.

    Returns:
        The cards, in the order of their numbers.

    Raises:
        NotationError: cards or range are not valid, or a card stands twice.
        ConfigError: no board, or nothing of the range is left.
    """
    full, n = board_cards(board)
    a, b = hole_cards(hole, full, n)
    if n == 0:
        raise ConfigError("board: outs need a board of 3, 4 or 5 cards", key="board")
    if n == 5:
        return ()
    if range is None:
        marked = np.zeros(52, np.bool_)
        outs_kernel(load_win_rate_table(None), a, b, full, n, share, marked)
        return tuple(map(Card, np.flatnonzero(marked).tolist()))
    weights = range_array(range)
    own = int(COMBO_INDEX[a, b])
    now = float(win_rates(full[:n], weights)[own])
    if isnan(now):
        raise _nothing_left(a, b, full[:n])
    cards = []
    for card in np.setdiff1d(np.arange(52), [a, b, *full[:n]]).tolist():
        try:
            then = float(win_rates([*full[:n], card], weights)[own])
        except ConfigError:
            continue  # the card leaves nothing of the range
        if then - now >= share * (1 - now):
            cards.append(card)
    return tuple(map(Card, cards))
