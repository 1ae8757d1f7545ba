"""Win rates of one hand and of every hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError, NotationError
from dupai.base.arrays import F64, U8
from dupai.base.text import quoted
from dupai.cards import COMBOS, Hand, as_cards, board_array, cards_text
from dupai.equity._kernels.sweep import sweep_kernel
from dupai.equity._kernels.table import win_rate_kernel, win_rates_table_kernel
from dupai.equity._matchups import preflop_mass
from dupai.equity._table import has_turn, load_win_rate_table
from dupai.ranges import Range

#: Text, or cards in any form of :func:`dupai.cards.as_cards`; None: none.
Cards = str | Iterable[int | str] | None
RangeLike = Range | str | Hand | Mapping[Any, float] | npt.ArrayLike | None


class RangeMass(NamedTuple):
    """What every hand meets in a weighted range, summed over the runouts (``float64[1326]`` each, by combo index).

    ``win``, ``tie`` and ``total`` are the weights of opposing hands beaten, tied with and met; 0 for blocked hands and
    for hands that meet nothing. The win rate is ``(win + tie / 2) / total``.
    """

    win: F64
    tie: F64
    total: F64


def board_cards(board: Cards) -> tuple[U8, int]:
    """A board for kernels: ``uint8[5]`` and how many cards count (0, 3, 4 or 5; others are 255).

    Raises:
        NotationError: not cards, or a card stands twice.
        ConfigError: not 0, 3, 4 or 5 cards.
    """
    numbers = as_cards(board, "board")
    if len(numbers) not in (0, 3, 4, 5):
        text = cards_text(numbers)
        raise ConfigError(f"board: {text!r} holds {len(numbers)} cards: expected 0, 3, 4 or 5", key="board", text=text)
    return board_array(numbers), len(numbers)


def hole_cards(hole: str | Sequence[int | str], board: U8, n_board: int) -> tuple[int, int]:
    """Two hole cards that are not on the board.

    Raises:
        NotationError: not two different cards, or one lies on the board.
    """
    two = as_cards(hole, "hole cards")
    if len(two) != 2:
        raise NotationError(f"hole cards: {quoted(hole)} holds {len(two)} cards: expected two, as in 'AsKd'")
    for c in two:
        if c in board[:n_board]:
            raise NotationError(f"card {cards_text([c])} is both a hole card and on the board")
    return two[0], two[1]


def range_array(range_: RangeLike) -> F64 | None:
    """Weights of a range as ``float64[1326]``; None stays None (uniform).

    Takes a :class:`~dupai.ranges.Range`, range notation, or any array of 1326 non-negative numbers (a reading).

    Raises:
        NotationError: the notation is wrong.
        ConfigError: the weights are not 1326 finite, non-negative numbers.
    """
    if range_ is None:
        return None
    if isinstance(range_, str | Hand | Mapping):
        range_ = Range(range_)
    if isinstance(range_, Range):
        return range_.weights.astype(np.float64)
    try:
        weights = np.asarray(range_, dtype=np.float64)
    except (TypeError, ValueError):
        raise ConfigError(
            f"range: {quoted(range_)} is not a range: expected notation, a Range or {COMBOS} weights", key="range"
        ) from None
    if weights.shape != (COMBOS,):
        raise ConfigError(f"range weights: expected {COMBOS} numbers, got shape {list(weights.shape)}", key="weights")
    if not (weights.min() >= 0 and weights.max() < np.inf):  # a nan fails the first
        i = int(np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))[0])
        raise ConfigError(
            f"range weights: weight {weights[i]} of combo {i} is not a finite number of at least 0", key="weights"
        )
    return np.ascontiguousarray(weights)


def range_mass(board: Cards, range: RangeLike = None) -> RangeMass:
    """Every hand against a weighted range over all runouts, exact: before the flop from the table of match-ups, later
    by one sweep. Boards count as runouts, so sums of different streets differ in scale.

    A river takes about 10 µs, a turn 0.2 ms, a flop 4 ms, before the flop 5 ms. For range against
    range multiply by the weights of the other range: ``(own * (m.win + m.tie / 2)).sum() / (own * m.total).sum()``.

    Sums are of ``float64``: weights below 1e-12 of all weights together count as nothing.

    Raises:
        NotationError, ConfigError: as :func:`win_rates`.
    """
    full, n = board_cards(board)
    return _mass(full, n, range_array(range))


def _mass(full: U8, n: int, weights: F64 | None) -> RangeMass:
    weights = np.ones(COMBOS) if weights is None else weights
    if n == 0:
        return RangeMass(*preflop_mass(weights))
    mass = RangeMass(np.empty(COMBOS), np.empty(COMBOS), np.empty(COMBOS))
    sweep_kernel(full, n, weights, *mass)
    return mass


def win_rates(board: Cards = None, range: RangeLike = None) -> F64:
    """Win rate (ties count half) of every one of the 1326 combos against a range, over every runout.

    Args:
        board: 0, 3, 4 or 5 cards: text as ``"2c7dTh"``, a :class:`~dupai.cards.Board`, card numbers, or None.
        range: a :class:`~dupai.ranges.Range`, range notation, or 1326 non-negative weights of any scale (a reading);
            None: one uniform hand, read from the win-rate table where it has the board (error below 1e-5).

    Returns:
        ``float64[1326]`` by combo index; nan for combos that the board blocks and for those that, by their own cards,
        leave nothing of the range.

    Raises:
        NotationError: the board or the range is not valid.
        ConfigError: the board has another number of cards, or leaves nothing of the range.
    """
    full, n = board_cards(board)
    weights = range_array(range)
    if weights is None and n in (0, 3):
        return _from_table(full, n, turn=False)
    if weights is None and n == 4 and has_turn(load_win_rate_table(turn=None)):
        return _from_table(full, n, turn=None)
    mass = _mass(full, n, weights)
    met = mass.total > 0
    if not met.any():
        raise ConfigError("range: no hand of it is left" + (f" on the board {cards_text(full[:n])!r}" if n else ""))
    rates = np.full(COMBOS, np.nan)
    np.divide(mass.win + 0.5 * mass.tie, mass.total, out=rates, where=met)
    return rates


def _from_table(full: U8, n: int, turn: bool | None) -> F64:
    out = np.empty(COMBOS)
    win_rates_table_kernel(load_win_rate_table(turn), full, n, out)
    return out


def win_rate(hole: str | Sequence[int | str], board: Cards = None) -> float:
    """Win rate (ties count half) of one hand against one uniform hand.

    Read from the win-rate table (error below 1e-5) before the flop, on the flop and, where it has been built, on the
    turn; else computed (50 µs on a turn, 1 µs on a river). It does not build the turn's part.

    Raises:
        NotationError: not two hole cards, not a board, or a card twice.
        ConfigError: the board has not 0, 3, 4 or 5 cards.
    """
    full, n = board_cards(board)
    a, b = hole_cards(hole, full, n)
    return float(win_rate_kernel(load_win_rate_table(None if n == 4 else False), a, b, full, n))
