"""Counters of players and the estimates from them: one player's (live) and everybody's (batch), by one kernel."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import msgspec
import numpy as np

from dupai.base import ConfigError, HistoryError
from dupai.base.arrays import I64, AnyArray
from dupai.base.text import nearest
from dupai.history._tracker import _shrink as shrink
from dupai.history._tracker._batch import HandBatch, batch_of
from dupai.history._tracker._definitions import DEFINITIONS, INDEX, MASKS, NAMES, definition
from dupai.history._tracker._facts import MONEY_WIDTH, SIZE_GROUPS, SIZE_WIDTH
from dupai.history._tracker._kernels import tally_kernel
from dupai.history._tracker._population import TABLE_SIZES, Population, population, size_class
from dupai.rules import MAX_PLAYERS, STATE_DTYPE, HandRecord
from dupai.spots import POSITION_CLASS, POSITION_CLASSES

_RATES = 2 * len(DEFINITIONS)
#: Columns of a row of counters: opportunities and successes of every statistic, bet sizes, money.
COLUMNS = _RATES + len(SIZE_GROUPS) * SIZE_WIDTH + MONEY_WIDTH
_MONEY = COLUMNS - MONEY_WIDTH
#: Rows of one player: table size, then class of position.
CELLS = len(TABLE_SIZES) * len(POSITION_CLASSES)
#: The name that asks for bb/100 beside the statistics of the table.
MONEY = "bb/100"
#: What the counters mean: saved ones are accepted only if this has not changed.
LAYOUT = f"1 {COLUMNS} {' '.join(NAMES)}"
#: The same before the rake was counted (the last column).
_WITHOUT_RAKE = f"1 {COLUMNS - 1} {' '.join(NAMES)}"

#: ``int64[11, 10]``: the row of one player's counters for ``[players, position]``, -1 where nobody sits.
CELL = np.where(
    POSITION_CLASS >= 0,
    np.array([TABLE_SIZES.index(size_class(n)) for n in range(MAX_PLAYERS + 1)])[:, None] * len(POSITION_CLASSES)
    + POSITION_CLASS,
    -1,
)

_STATE = np.zeros(1, STATE_DTYPE)


class Counters(NamedTuple):
    """Counters ``int64[..., columns]`` by kind: ``rates [..., statistics, 2]`` (opportunities, successes), ``bets
    [..., groups, classes + 2]`` (bets by class, sum and sum of squares of the fractions in thousandths) and ``money
    [..., 4]`` (hands, sum of results in millionths of a big blind, sum of squares in (1/1000 bb)^2, share of the rake
    in millionths of a big blind)."""

    rates: I64
    bets: I64
    money: I64


def split_counters(counts: I64) -> Counters:
    """Rows of counters by kind (views of them)."""
    rates, bets, money = np.split(counts, [_RATES, _MONEY], axis=-1)
    shape = counts.shape[:-1]
    return Counters(rates.reshape(*shape, -1, 2), bets.reshape(*shape, -1, SIZE_WIDTH), money)


def tally(batch: HandBatch, rows: I64, counts: I64) -> tuple[I64, I64]:
    """Count a batch into ``counts``; ``rows int64[n, 10]`` is the row of each position (-1: none). Returns the facts of
    the hands ``int64[n, 10]`` and codes ``int64[n]``: 0, or 1 + the index of the action at which a hand cannot be
    played."""
    n = len(batch.spec_of)
    words, codes = np.zeros((n, MAX_PLAYERS), np.int64), np.zeros(n, np.int64)
    scratch = np.zeros(int(np.diff(batch.first).max(initial=0)) + 1, np.int64)
    tally_kernel(batch[:7], rows, MASKS, scratch, _STATE.copy(), counts, words, codes)
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
    """The error for an unknown player; suggests the nearest name."""
    known = list(names)
    some = ", ".join(known[:5]) + (", ..." if len(known) > 5 else "")
    hint = nearest(name, known, f"there are {len(known)} ({some})")
    return HistoryError(f"there is no player {name!r} in these hands: {hint}", key="player", text=name)


def _check_played(record: HandRecord, code: int) -> None:
    if code:
        raise HistoryError(f"hand {record.hand}: action {code} of {len(record.actions)} cannot be played")


class PlayerStats:
    """What one player does, updated hand by hand; the counters are those that :class:`StatsTable` counts in batches.

    Args:
        player: The name that :meth:`update` looks for among the names of a record.
        seat: Where records have no names: the player's fixed seat.
        priors: A population to use instead of the shipped one.

    Attributes:
        counts: ``int64[24, columns]``, by table size and class of position.
    """

    def __init__(self, player: str = "", *, seat: int | None = None, priors: Population | None = None) -> None:
        self.player = player
        self.seat = seat
        self.priors = priors
        self.counts: I64 = np.zeros((CELLS, COLUMNS), np.int64)

    # counting ----------------------------------------------------------------------------------------------------

    def position_in(self, record: HandRecord) -> int:
        """The player's position in a hand.

        Raises:
            HistoryError: they are not in it.
        """
        if self.player and self.player in record.names:
            return record.names.index(self.player)
        # Who sits in the seat of a player whom the names do not have is somebody else.
        by_seat = self.seat is not None and not (self.player and record.names)
        if by_seat and self.seat in record.seats:
            return record.seats.index(self.seat)
        player = repr(self.player) if self.player else f"seat {self.seat}"
        known = ", ".join(record.names) or "no names"
        raise HistoryError(f"hand {record.hand}: {player} is not in it (there are {known})")

    def update(self, record: HandRecord, position: int | None = None) -> None:
        """Count one finished hand (cards are not looked at); every position of the player's name, unless one is given.

        Raises:
            HistoryError: the player is not in the hand, or its actions cannot be played.
        """
        places = {self.position_in(record) if position is None else position}
        if position is None and self.player in record.names:
            places = {p for p, name in enumerate(record.names) if name == self.player}
        rows = np.full((1, MAX_PLAYERS), -1, np.int64)
        for p in places:
            rows[0, p] = CELL[record.spec.players, p]
        _, codes = tally(batch_of([record]), rows, self.counts)
        _check_played(record, int(codes[0]))

    def merge(self, other: PlayerStats) -> None:
        """Add the counters of other hands of the same player."""
        self.counts += other.counts

    # reading -----------------------------------------------------------------------------------------------------

    @property
    def hands(self) -> int:
        """Hands counted."""
        return int(self.counts[:, _MONEY].sum())

    def hands_in(self, position: str) -> int:
        """Hands counted in a class of position."""
        return int(self.counts[self._cells(position), _MONEY].sum())

    def _cells(self, position: str | None) -> AnyArray:
        if position is None:
            return np.arange(CELLS)
        if position not in POSITION_CLASSES:
            hint = nearest(position, POSITION_CLASSES)
            raise ConfigError(f"{position!r} is not a position: {hint}", key="position", text=position)
        return np.arange(POSITION_CLASSES.index(position), CELLS, len(POSITION_CLASSES))

    def _weights(self, cells: AnyArray, column: I64) -> list[tuple[int, float]]:
        """How much each table size counts for the prior: by opportunities, else hands, else (nothing seen) 6."""
        for amount in (column, self.counts[cells, _MONEY], self.counts[:, _MONEY]):
            by_size: list[int] = amount.reshape(len(TABLE_SIZES), -1).sum(axis=1).tolist()
            if any(by_size):
                return [(size, w / sum(by_size)) for size, w in zip(TABLE_SIZES, by_size, strict=True) if w]
        return [(6, 1.0)]

    def _rate(self, name: str, position: str | None) -> tuple[int, int, shrink.BetaPrior | None]:
        """Opportunities, successes and prior of a statistic."""
        cells = self._cells(position)
        counts = split_counters(self.counts).rates[cells, INDEX[name]]
        n, successes = counts.sum(axis=0).tolist()
        weights = self._weights(cells, counts[:, 0])
        return n, successes, (self.priors or population()).rate(name, weights, position)

    def _money_prior(self, cells: AnyArray, column: I64, position: str | None) -> shrink.NormalPrior:
        """The prior of results. Nobody wins what the house takes: its mean over all positions is minus the player's
        share of the rake of the hands counted, so it is 0 where there is none, whatever the population's games were.
        """
        people = self.priors or population()
        weights = self._weights(cells, column)
        prior = people.money(weights, position)
        if not self.hands:
            return prior
        return prior._replace(mean=prior.mean - people.money(weights, None).mean - self.rake)

    @property
    def rake(self) -> float:
        """What the house took in the hands counted, in big blinds for each hand and player dealt in."""
        return int(self.counts[:, _MONEY + 3].sum()) / 1e6 / max(self.hands, 1)

    def _bets(self, position: str | None) -> Iterator[tuple[str, list[int], shrink.SizePriors]]:
        """Group, counters and priors of the bet sizes."""
        cells = self._cells(position)
        bets = split_counters(self.counts).bets[cells]
        for g, group in enumerate(SIZE_GROUPS):
            weights = self._weights(cells, bets[:, g, :-2].sum(axis=1))
            yield group, bets[:, g].sum(axis=0).tolist(), (self.priors or population()).sizes(group, weights)

    def estimate(self, name: str, position: str | None = None) -> shrink.StatEstimate:
        """What the player does: a statistic of the table by its name, or ``"bb/100"``; over all positions or in one.

        Raises:
            ConfigError: there is no such statistic or position; suggests the nearest.
        """
        if name == MONEY:
            cells = self._cells(position)
            money = split_counters(self.counts).money[cells]
            n, total, squares, _ = money.sum(axis=0).tolist()
            return shrink.money_estimate(self._money_prior(cells, money[:, 0], position), n, total / 1e6, squares / 1e6)
        row = definition(name)
        n, successes, rate = self._rate(name, position)
        return shrink.rate_estimate(row, rate, n, successes)

    def counted(self, name: str, position: str | None = None) -> tuple[int, int, float, float]:
        """What :meth:`estimate` starts from, without its interval (fast): opportunities, successes, and the
        population's rate (of opportunities, for factors too) with the opportunities that it is worth; nan and 0 where
        the situation never arose."""
        definition(name)
        n, successes, prior = self._rate(name, position)
        return n, successes, *(prior[:2] if prior else (math.nan, 0.0))

    def counted_sizes(self) -> list[tuple[str, list[int], tuple[float, ...], float]]:
        """What :meth:`sizes` starts from: group, bets in each class, the population's shares, and the number of bets
        that these are worth."""
        return [(group, counts[:-2], means, strength) for group, counts, (means, strength, _) in self._bets(None)]

    def estimates(self, position: str | None = None) -> list[shrink.StatEstimate]:
        """All statistics in the order of the table, then bb/100."""
        return [self.estimate(name, position) for name in (*NAMES, MONEY)]

    def sizes(self, position: str | None = None) -> list[shrink.SizeEstimate]:
        """How large the player bets and raises, by street, as fractions of the pot."""
        return [shrink.size_estimate(group, priors, counts) for group, counts, priors in self._bets(position)]

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
        """The counters that :meth:`to_json` gave.

        Raises:
            HistoryError: it is something else, or was counted by other definitions.
        """
        return cls._restore(data, msgspec.json.decode)

    @classmethod
    def from_bytes(cls, data: bytes) -> PlayerStats:
        """The counters that :meth:`to_bytes` gave.

        Raises:
            HistoryError: it is something else, or was counted by other definitions.
        """
        return cls._restore(data, msgspec.msgpack.decode)

    @classmethod
    def _restore(cls, data: bytes | str, decode: Callable[..., _Saved]) -> PlayerStats:
        try:
            saved = decode(data, type=_Saved)
            if saved.layout == _WITHOUT_RAKE:
                saved.counts = [[*row, 0] for row in saved.counts]
            elif saved.layout != LAYOUT:
                raise HistoryError("the saved statistics were counted by other definitions: count the hands anew")
            stats = cls(saved.player, seat=saved.seat)
            for (_, cell), row in zip(saved.cells, saved.counts, strict=True):
                if cell < 0 or len(row) != COLUMNS:
                    raise ValueError(f"cell {cell} has {len(row)} counts: expected {COLUMNS}, cells from 0")
                stats.counts[cell] = row
        except (msgspec.DecodeError, ValueError, IndexError, OverflowError, RecursionError) as error:
            raise HistoryError(f"these are no saved statistics of a player: {error}") from None
        return stats


class StatsTable:
    """Counters of everybody, over any number of hands.

    Attributes:
        hands: Hands counted. ``rejected``: hands that could not be played.
    """

    def __init__(self, *, priors: Population | None = None) -> None:
        self.priors = priors
        self.hands = 0
        self.rejected = 0
        self._numbers: dict[str, int] = {}
        #: Row of the counters by player and cell, -1 where there is none yet.
        self._row_of: I64 = np.full((16, CELLS), -1, np.int64)
        self._used = 0
        self._counts: I64 = np.zeros((64, COLUMNS), np.int64)

    def _number(self, name: str) -> int:
        number = self._numbers.setdefault(name, len(self._numbers))
        if number == len(self._row_of):
            self._row_of = np.concatenate([self._row_of, np.full_like(self._row_of, -1)])
        return number

    def _rows(self, keys: I64) -> I64:
        """Rows of the counters for ``number * CELLS + cell``, added where there are none (negative keys have none)."""
        flat = self._row_of.reshape(-1)
        new = np.unique(keys[(keys >= 0) & (flat[keys] < 0)])
        if len(new):
            flat[new] = np.arange(self._used, self._used + len(new))
            self._used += len(new)
            if self._used > len(self._counts):
                more = np.zeros((max(len(self._counts), self._used), COLUMNS), np.int64)
                self._counts = np.concatenate([self._counts, more])
        return np.where(keys >= 0, flat[keys], -1)

    def add(self, batch: HandBatch) -> tuple[I64, I64]:
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
        _check_played(record, int(codes[0]))

    def players(self) -> list[tuple[str, int]]:
        """Every player with the number of hands, most hands first (then by name)."""
        hands = [int(self._of(number)[:, _MONEY].sum()) for number in self._numbers.values()]
        return sorted(zip(self._numbers, hands, strict=True), key=lambda x: (-x[1], x[0]))

    def _of(self, number: int) -> I64:
        rows = self._row_of[number]
        counts = np.zeros((CELLS, COLUMNS), np.int64)
        counts[rows >= 0] = self._counts[rows[rows >= 0]]
        return counts

    def player(self, name: str) -> PlayerStats:
        """The counters of one player (a copy).

        Raises:
            HistoryError: there is no player of that name; suggests the nearest.
        """
        if name not in self._numbers:
            raise nearest_player(name, self._numbers)
        stats = PlayerStats(name, priors=self.priors)
        stats.counts = self._of(self._numbers[name])
        return stats

    def merge(self, other: StatsTable) -> None:
        """Add the counters of other hands (of another process, for example)."""
        for name, number in other._numbers.items():
            cells = np.flatnonzero(other._row_of[number] >= 0)
            rows = self._rows(self._number(name) * CELLS + cells)
            self._counts[rows] += other._counts[other._row_of[number, cells]]
        self.hands += other.hands
        self.rejected += other.rejected
