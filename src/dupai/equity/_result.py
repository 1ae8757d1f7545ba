"""The result of equity calculations, and how they run in slices."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from dupai.base import Printable, Progress
from dupai.base.arrays import F64, I32, I64
from dupai.cards import cards_text

#: Seconds of a slice: half of the 100 ms promised between two reports.
_SLICE = 0.05


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class EquityResult(Printable):
    """Shares of the pot of each player (arrays ``float64[n]`` in the order given).

    ``equity`` = ``win`` + ``tie``: ``win`` is the chance to win alone, ``tie`` the share won in split pots (of a
    two-way tie each gets half). ``se`` is the standard error of ``equity``: 0 when exact.

    ``n`` counts trials (Monte Carlo) or deals (exact: every way to deal the players' hands and the rest of the board,
    whatever its weight). ``method`` is ``"exact"`` or ``"monte-carlo"``. ``complete`` is False when the caller stopped
    the work: an exact count is then an estimate from a part of it, with its standard error.
    """

    players: tuple[str, ...]
    equity: F64
    win: F64
    tie: F64
    se: F64
    n: int
    method: str
    board: tuple[int, ...]
    dead: tuple[int, ...]
    complete: bool

    def headline(self) -> str:
        shares = ", ".join(
            f"{_short(name, 20)} {100 * share:.2f} %" for name, share in zip(self.players, self.equity, strict=True)
        )
        return f"{shares}; {self._origin()}"

    def _origin(self) -> str:
        text = f"{self.method}, {self.n:,} {'deals' if self.method == 'exact' else 'trials'}"
        text += f", board {cards_text(self.board)}" if self.board else ""
        return text + ("" if self.complete else ", stopped early")

    def as_table(self) -> tuple[tuple[str, ...], Sequence[tuple[str, ...]]]:
        rows = [
            (_short(name, 40), *(f"{100 * x:.3f}" for x in figures))
            for name, *figures in zip(self.players, self.equity, self.win, self.tie, self.se, strict=True)
        ]
        return ("player", "equity %", "win %", "tie %", "± se %"), rows

    def to_dict(self) -> dict[str, Any]:
        """As :meth:`Printable.to_dict`, with board and dead cards as text."""
        return {**Printable.to_dict(self), "board": cards_text(self.board), "dead": cards_text(self.dead)}

    def __str__(self) -> str:
        rows = []
        for i, name in enumerate(self.players):
            error = f" ± {100 * self.se[i]:.3f} (se)" if self.se[i] > 0 else ""
            rows.append(
                f"{_short(name, 40):<40} {100 * self.equity[i]:7.3f} %{error}   win {100 * self.win[i]:.3f}   "
                f"tie {100 * self.tie[i]:.3f}"
            )
        return "\n".join([self._origin(), *rows])


def _short(name: str, most: int) -> str:
    return name if len(name) <= most else name[: most - 3] + "..."


@lru_cache
def parts(n: int) -> tuple[F64, I64]:
    """The share of the pot of each player by bit set of winners, from 1 (``float64[2**n - 1, n]``), and the rows of the
    players who win alone (``int64[n]``)."""
    best = (np.arange(1, 1 << n)[:, None] >> np.arange(n)) & 1
    part, alone = best / best.sum(axis=1, keepdims=True), (1 << np.arange(n)) - 1
    part.flags.writeable = alone.flags.writeable = False
    return part, alone


def shares(hist: npt.NDArray[np.generic], n: int) -> tuple[F64, F64]:
    """Equity and win of each player, from how often each set of players had the best hand.

    Args:
        hist: ``[2**n]`` weights or counts by bit set of winners; entry 0 does not count.
    """
    if n == 2:  # in plain numbers: arrays this short would take more time than the counting
        _, first, second, both = hist.tolist()
        total = first + second + both
        equity = np.array([(first + both / 2) / total, (second + both / 2) / total])
        return equity, np.array([first / total, second / total])
    count = np.asarray(hist[1:], dtype=np.float64)
    part, alone = parts(n)
    total = count.sum()
    return count @ part / total, count[alone] / total


def slices(total: int, guess: float, progress: Progress) -> Iterator[tuple[int, int]]:
    """Cut ``total`` units of work into slices of about 50 ms, stop when cancelled.

    Args:
        guess: how many seconds a unit may take, for the first slice.
        progress: receives the number of units done after each slice.
    """
    done = 0
    step = max(1, int(_SLICE / 4 / guess))
    while done < total and not progress.cancelled:
        stop = min(total, done + step)
        start = time.perf_counter()
        yield done, stop
        spent = time.perf_counter() - start
        done = stop
        progress.report(done, total)
        step = max(1, int(step * min(4.0, max(0.1, _SLICE / max(spent, 1e-6)))))


@lru_cache(8)
def drawn_order(m: int) -> I32:
    """The numbers from 0 to m - 1 in a random order, always the same: any beginning of it is a fair sample.

    Even steps over a list are not enough: hands and boards are listed by their cards, so slices of such steps are more
    alike than random ones, and the error estimated from their differences is too small, by up to half.
    """
    return np.random.default_rng(0).permutation(np.arange(m, dtype=np.int32))
