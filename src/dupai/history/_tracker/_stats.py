"""Counters of players, and what they say: one player's (live) and everybody's (batch), counted by the same kernel."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError, HistoryError, nearest
from dupai.history._tracker._batch import HandBatch, batch_of
from dupai.history._tracker._definitions import DEFINITIONS, INDEX, MASKS, NAMES, definition
from dupai.history._tracker._estimates import SizeEstimate, StatEstimate, money_estimate, rate_estimate, size_estimate
from dupai.history._tracker._facts import MONEY_WIDTH, SIZE_GROUPS, SIZE_WIDTH
from dupai.history._tracker._kernels import tally_kernel
from dupai.history._tracker._population import SIZES, Population, population, size_class
from dupai.rules import MAX_PLAYERS, STATE_DTYPE, HandRecord
from dupai.spots import POSITION_CLASS, POSITION_CLASSES

#: Columns of a row of counters: opportunities and successes of every statistic, bet sizes, money.
COLUMNS = 2 * len(DEFINITIONS) + len(SIZE_GROUPS) * SIZE_WIDTH + MONEY_WIDTH
_MONEY = COLUMNS - MONEY_WIDTH
#: Rows of one player: table size, then class of position.
CELLS = len(SIZES) * len(POSITION_CLASSES)
#: The name that asks for bb/100 beside the statistics of the table.
MONEY = "bb/100"
#: What the counters mean: saved ones are taken back only if this has not changed.
LAYOUT = f"1 {COLUMNS} {' '.join(NAMES)}"

#: ``int64[11, 10]``: the row of one player's counters for ``[players, position]``, -1 where nobody sits.
CELL = np.where(
    POSITION_CLASS >= 0,
    np.array([SIZES.index(size_class(n)) for n in range(MAX_PLAYERS + 1)])[:, None] * len(POSITION_CLASSES)
    + POSITION_CLASS,
    -1,
)

_Ints = npt.NDArray[np.int64]
_STATE = np.zeros(1, STATE_DTYPE)


def tally(batch: HandBatch, rows: _Ints, counts: _Ints) -> tuple[_Ints, _Ints]:
    """Count a batch into ``counts``; ``rows int64[n, 10]`` is the row of each position (-1: none). Returns the facts of
    the hands ``int64[n, 10]`` and codes ``int64[n]``: 0, or 1 + the index of the action at which a hand cannot be
    played."""
    n = len(batch.spec_of)
    words, codes = np.zeros((n, MAX_PLAYERS), np.int64), np.zeros(n, np.int64)
    longest = int(np.diff(batch.first).max(initial=0))
    tally_kernel(
        batch.spec_of,
        batch.specs,
        batch.stacks,
        batch.first,
        batch.kind,
        batch.to,
        batch.payoffs,
        rows,
        MASKS,
        np.zeros(longest + 1, np.int64),
        _STATE.copy(),
        counts,
        words,
        codes,
    )
    return words, codes


class _Saved(msgspec.Struct):
    """Counters as they are saved: names, and rows that are not all 0 by (player, cell)."""

    layout: str
    player: str
    seat: int | None
    names: list[str]
    cells: list[tuple[int, int]]
    counts: list[list[int]]


def nearest_player(name: str, names: Iterable[str]) -> HistoryError:
    """The error that says who is meant instead."""
    known = list(names)
    some = ", ".join(known[:5]) + (", ..." if len(known) > 5 else "")
    hint = nearest(name, known, f"there are {len(known)} ({some})")
    return HistoryError(f"there is no player {name!r} in these hands: {hint}")


class PlayerStats:
    """What one player does, kept up hand by hand; the counters are the same that :class:`StatsTable` counts in batches.

    Args:
        player: The name that :meth:`update` looks for among the names of a record.
        seat: Where records have no names: the player's fixed seat.
        priors: Another population than the shipped one.

    Attributes:
        counts: ``int64[24, columns]``, by table size and class of position.
    """

    def __init__(self, player: str = "", *, seat: int | None = None, priors: Population | None = None) -> None:
        self.player = player
        self.seat = seat
        self.priors = priors
        self.counts: _Ints = np.zeros((CELLS, COLUMNS), np.int64)

    # counting ----------------------------------------------------------------------------------------------------

    def position_in(self, record: HandRecord) -> int:
        """The player's position in a hand.

        Raises:
            HistoryError: he is not in it.
        """
        if self.player and self.player in record.names:
            return record.names.index(self.player)
        if self.seat is not None and self.seat in record.seats:
            return record.seats.index(self.seat)
        who = repr(self.player) if self.player else f"seat {self.seat}"
        raise HistoryError(
            f"hand {record.hand}: {who} is not in it (there are {', '.join(record.names) or 'no names'})"
        )

    def update(self, record: HandRecord, position: int | None = None) -> None:
        """Count one finished hand (what others could not know of it does not matter: no cards are looked at).

        Raises:
            HistoryError: the player is not in the hand, or its actions cannot be played.
        """
        p = self.position_in(record) if position is None else position
        rows = np.full((1, MAX_PLAYERS), -1, np.int64)
        rows[0, p] = CELL[record.spec.players, p]
        _, codes = tally(batch_of([record]), rows, self.counts)
        if codes[0]:
            raise HistoryError(f"hand {record.hand}: action {codes[0]} of {len(record.actions)} cannot be played")

    def merge(self, other: PlayerStats) -> None:
        """Add what somebody else counted of the same player (other hands)."""
        self.counts += other.counts

    # reading -----------------------------------------------------------------------------------------------------

    @property
    def hands(self) -> int:
        """Hands counted."""
        return int(self.counts[:, _MONEY].sum())

    def hands_in(self, position: str) -> int:
        """Hands counted in a class of position."""
        return int(self.counts[self._cells(position), _MONEY].sum())

    def _cells(self, position: str | None) -> npt.NDArray[np.intp]:
        if position is None:
            return np.arange(CELLS)
        if position not in POSITION_CLASSES:
            raise ConfigError(f"{position!r} is not a position: {nearest(position, POSITION_CLASSES)}")
        return np.arange(POSITION_CLASSES.index(position), CELLS, len(POSITION_CLASSES))

    def _weights(self, cells: npt.NDArray[np.intp], column: _Ints) -> list[tuple[int, float]]:
        """How much each table size counts for the prior: by opportunities, else hands, else (nothing seen) 6."""
        for amount in (column, self.counts[cells, _MONEY], self.counts[:, _MONEY]):
            by_size: list[int] = amount.reshape(len(SIZES), -1).sum(axis=1).tolist()
            if any(by_size):
                return [(size, w / sum(by_size)) for size, w in zip(SIZES, by_size, strict=True) if w]
        return [(6, 1.0)]

    def estimate(self, name: str, position: str | None = None) -> StatEstimate:
        """What the player does: a statistic of the table by its name, or ``"bb/100"``; over all positions or in one.

        Raises:
            ConfigError: there is no such statistic or position; gives the nearest.
        """
        cells = self._cells(position)
        priors = self.priors or population()
        if name == MONEY:
            n, total, squares = self.counts[cells, _MONEY:].sum(axis=0).tolist()
            weights = self._weights(cells, self.counts[cells, _MONEY])
            return money_estimate(priors.money(weights, position), n, total / 1e6, squares / 1e6)
        row = definition(name)
        column = 2 * INDEX[name]
        n, successes = self.counts[cells, column : column + 2].sum(axis=0).tolist()
        weights = self._weights(cells, self.counts[cells, column])
        return rate_estimate(row, priors.rate(name, weights, position), n, successes)

    def counted(self, name: str, position: str | None = None) -> tuple[int, int, float, float]:
        """What :meth:`estimate` starts from, without its interval (fast): opportunities, successes, and the
        population's rate (of opportunities, for factors too) with the opportunities that it is worth; nan and 0 where
        the situation never arose."""
        definition(name)
        cells = self._cells(position)
        column = 2 * INDEX[name]
        n, successes = self.counts[cells, column : column + 2].sum(axis=0).tolist()
        weights = self._weights(cells, self.counts[cells, column])
        prior = (self.priors or population()).rate(name, weights, position)
        return n, successes, *((math.nan, 0.0) if prior is None else (prior.mean, prior.strength))

    def counted_sizes(self) -> list[tuple[str, list[int], tuple[float, ...], float]]:
        """What :meth:`sizes` starts from: group, bets in each class, the population's shares, bets that these are
        worth."""
        found = []
        for g, group in enumerate(SIZE_GROUPS):
            start = 2 * len(DEFINITIONS) + g * SIZE_WIDTH
            counts = self.counts[:, start : start + SIZE_WIDTH - 2]
            weights = self._weights(np.arange(CELLS), counts.sum(axis=1))
            means, strength, _ = (self.priors or population()).sizes(group, weights)
            found.append((group, counts.sum(axis=0).tolist(), means, strength))
        return found

    def estimates(self, position: str | None = None) -> list[StatEstimate]:
        """All statistics in the order of the table, then bb/100."""
        return [self.estimate(name, position) for name in (*NAMES, MONEY)]

    def sizes(self, position: str | None = None) -> list[SizeEstimate]:
        """How large the player bets and raises, by street, as fractions of the pot."""
        cells = self._cells(position)
        priors = self.priors or population()
        found = []
        for g, group in enumerate(SIZE_GROUPS):
            start = 2 * len(DEFINITIONS) + g * SIZE_WIDTH
            counts = self.counts[cells, start : start + SIZE_WIDTH]
            weights = self._weights(cells, counts[:, :-2].sum(axis=1))
            found.append(size_estimate(group, priors.sizes(group, weights), counts.sum(axis=0).tolist()))
        return found

    # keeping -----------------------------------------------------------------------------------------------------

    def to_json(self) -> bytes:
        """The counters as JSON (not the priors)."""
        return msgspec.json.encode(self._saved())

    def to_bytes(self) -> bytes:
        """The counters in few bytes (MessagePack; not the priors)."""
        return msgspec.msgpack.encode(self._saved())

    def _saved(self) -> _Saved:
        used = np.flatnonzero(self.counts.any(axis=1))
        return _Saved(LAYOUT, self.player, self.seat, [], [(0, int(c)) for c in used], self.counts[used].tolist())

    @classmethod
    def from_json(cls, data: bytes | str) -> PlayerStats:
        """What :meth:`to_json` gave.

        Raises:
            HistoryError: it is something else, or was counted by other definitions.
        """
        return cls._restore(data, msgspec.json.decode)

    @classmethod
    def from_bytes(cls, data: bytes) -> PlayerStats:
        """What :meth:`to_bytes` gave.

        Raises:
            HistoryError: it is something else, or was counted by other definitions.
        """
        return cls._restore(data, msgspec.msgpack.decode)

    @classmethod
    def _restore(cls, data: bytes | str, decode: Any) -> PlayerStats:
        try:
            saved: _Saved = decode(data, type=_Saved)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise HistoryError(f"these are no saved statistics of a player: {error}") from None
        if saved.layout != LAYOUT:
            raise HistoryError("the saved statistics were counted by other definitions: count the hands anew")
        stats = cls(saved.player, seat=saved.seat)
        try:
            for (_, cell), row in zip(saved.cells, saved.counts, strict=True):
                stats.counts[cell] = row
        except (ValueError, IndexError) as error:
            raise HistoryError(f"these are no saved statistics of a player: {error}") from None
        return stats


class StatsTable:
    """Counters of everybody in any number of hands.

    Attributes:
        hands: Hands counted. ``rejected``: hands that could not be played.
    """

    def __init__(self, *, priors: Population | None = None) -> None:
        self.priors = priors
        self.hands = 0
        self.rejected = 0
        self._numbers: dict[str, int] = {}
        #: Row of the counters by player and cell, -1 where there is none yet.
        self._row_of: _Ints = np.full((16, CELLS), -1, np.int64)
        self._used = 0
        self._counts: _Ints = np.zeros((64, COLUMNS), np.int64)

    def _number(self, name: str) -> int:
        number = self._numbers.setdefault(name, len(self._numbers))
        if number == len(self._row_of):
            self._row_of = np.concatenate([self._row_of, np.full_like(self._row_of, -1)])
        return number

    def _rows(self, keys: _Ints) -> _Ints:
        """Rows of the counters for ``number * CELLS + cell``, made where there are none (negative keys have none)."""
        flat = self._row_of.reshape(-1)
        new = np.unique(keys[(keys >= 0) & (flat[keys] < 0)])
        if len(new):
            flat[new] = np.arange(self._used, self._used + len(new))
            self._used += len(new)
            if self._used > len(self._counts):
                more = np.zeros((max(len(self._counts), self._used), COLUMNS), np.int64)
                self._counts = np.concatenate([self._counts, more])
        return np.where(keys >= 0, flat[keys], -1)

    def add(self, batch: HandBatch) -> tuple[_Ints, _Ints]:
        """Count a batch; the facts of the hands and codes as :func:`tally` returns them."""
        numbers = np.zeros(len(batch.names) + 1, np.int64)
        for k in np.unique(batch.players[batch.players >= 0]).tolist():
            numbers[k] = self._number(batch.names[k])
        cells = CELL[batch.specs["players"][batch.spec_of]]
        keys = np.where(batch.players >= 0, numbers[batch.players] * CELLS + cells, -1)
        words, codes = tally(batch, self._rows(keys), self._counts)
        bad = int(np.count_nonzero(codes))
        self.hands += len(codes) - bad
        self.rejected += bad
        return words, codes

    def update(self, record: HandRecord) -> None:
        """Count one hand for everybody in it.

        Raises:
            HistoryError: its actions cannot be played.
        """
        _, codes = self.add(batch_of([record]))
        if codes[0]:
            raise HistoryError(f"hand {record.hand}: action {codes[0]} of {len(record.actions)} cannot be played")

    def players(self) -> list[tuple[str, int]]:
        """Everybody with his number of hands, most hands first (then by name)."""
        hands = [int(self._of(number)[:, _MONEY].sum()) for number in self._numbers.values()]
        return sorted(zip(self._numbers, hands, strict=True), key=lambda x: (-x[1], x[0]))

    def _of(self, number: int) -> _Ints:
        rows = self._row_of[number]
        counts = np.zeros((CELLS, COLUMNS), np.int64)
        counts[rows >= 0] = self._counts[rows[rows >= 0]]
        return counts

    def player(self, name: str) -> PlayerStats:
        """The counters of one player (a copy).

        Raises:
            HistoryError: there is nobody of that name; gives the nearest.
        """
        if name not in self._numbers:
            raise nearest_player(name, self._numbers)
        stats = PlayerStats(name, priors=self.priors)
        stats.counts = self._of(self._numbers[name])
        return stats

    def merge(self, other: StatsTable) -> None:
        """Add what was counted of other hands (by another process, say)."""
        for name, number in other._numbers.items():
            cells = np.flatnonzero(other._row_of[number] >= 0)
            rows = self._rows(self._number(name) * CELLS + cells)
            self._counts[rows] += other._counts[other._row_of[number, cells]]
        self.hands += other.hands
        self.rejected += other.rejected
