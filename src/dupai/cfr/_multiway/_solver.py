"""The solver of blueprints of tables: regret minimisation by external sampling over situations."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

import msgspec
import numpy as np

from dupai.base import ConfigError, NoProgress, Progress, Rng
from dupai.base.arrays import AnyArray
from dupai.base.files import array_of
from dupai.cfr._blueprint._cards import CardBuckets
from dupai.cfr._blueprint._solver import Measured, drawn, fade, read_clock, shares, stored_work
from dupai.cfr._blueprint._tree import BetMenu, check_blueprint_game
from dupai.cfr._multiway._kernels import Desk, Situations, Table, learn_kernel
from dupai.cfr._multiway._situations import MAX_OPTIONS, STREET, check_situations, menu_sizes
from dupai.rules import MAX_PLAYERS, STATE_DTYPE, GameSpec
from dupai.spots import SPOT_DTYPE, TRACK_DTYPE

#: Turns and rivers dealt to one flop, deals on one board, and boards between two discounts.
_RUNOUTS, _HANDS, _FADE = 4, 96, 200
#: Decisions of one player in a hand, at most.
_DEPTH = 96
#: Regrets that one way through a hand changes, at most.
_CHANGES = 1 << 18
#: Situations at most. Entries that are made room for, at least those of so many situations of the widest kind; and at
#: most, beyond which a new situation is played uniformly (a file of them holds a byte each).
_SITUATIONS, _ROOM, _AHEAD, _MAX_SIZE = 1 << 18, 1 << 22, 1 << 12, 1 << 29
#: A situation that was met less often than so many times a bucket is not kept.
_SELDOM = 3.0


class TableSolver:
    """Solves hold'em for three and more in an abstraction of cards, bets and betting.

    On every board each player learns from 96 deals. Sums and regrets are weighted linearly, as those of
    :class:`~dupai.cfr.blueprint.PassSolver`. With more than two players no theorem says that this comes near an
    equilibrium.

    Args:
        spec: a game without antes, no-limit or limit. menu: its bets (limit games take none). buckets: its cards.
        seed: of boards and hands.

    Raises:
        ConfigError: another game, or more bets than there is room for.
    """

    def __init__(self, spec: GameSpec, menu: BetMenu, buckets: CardBuckets, seed: int = 1) -> None:
        limit = spec.betting == "limit" and not any(spec.antes)
        if not limit:
            check_blueprint_game(spec)
        self.spec, self.menu, self.cards, self.seed = spec, menu, buckets, seed
        #: Entries of the widest situation, and those that a board finds room for.
        self._widest = max(buckets.counts) * MAX_OPTIONS
        self._room = max(_ROOM, _AHEAD * self._widest)
        #: Boards so far, and seconds spent in :meth:`solve`, earlier runs included.
        self.passes, self.seconds = 0, 0.0
        #: ``float64[players]``: what the positions won in all deals so far, in big blinds.
        self.won = np.zeros(spec.players)
        self._known = Situations(
            np.full(4 * _SITUATIONS, -1, np.int32), np.zeros(_SITUATIONS, np.int64), np.zeros(_SITUATIONS, np.int64),
            np.zeros(_SITUATIONS, np.int8), np.zeros(3, np.int64), np.zeros(0, np.float32), np.zeros(0, np.float32),
        )  # fmt: skip
        self._table = Table(spec.array, menu_sizes(menu, limit), np.array(buckets.counts, np.int64))
        deep, wide = _DEPTH, (_DEPTH, MAX_OPTIONS)
        self._desk = Desk(
            state=np.zeros(deep, STATE_DTYPE), track=np.zeros(deep, TRACK_DTYPE), row=np.zeros(deep, SPOT_DTYPE),
            opened=np.zeros(deep, np.int64), kinds=np.zeros(wide, np.int64), totals=np.zeros(wide, np.int64),
            mix=np.zeros(wide), value=np.zeros(wide), at=np.zeros(deep, np.int64), count=np.zeros(deep, np.int64),
            now=np.zeros(deep, np.int64), payoffs=np.zeros(MAX_PLAYERS, np.int64),
            learned=np.zeros(_CHANGES + 1, np.int64), by=np.zeros(_CHANGES, np.float32),
            bucket=np.zeros((4, MAX_PLAYERS), np.int64),
        )  # fmt: skip
        self._flop: tuple[int, AnyArray] = (-1, np.zeros(0, np.int16))

    @property
    def nodes(self) -> int:
        """Situations met so far."""
        return int(self._known.used[0])

    @property
    def entries(self) -> int:
        """Probabilities in all."""
        return int(self._known.used[1])

    @property
    def hands(self) -> int:
        """Deals from which each player has learned."""
        return self.passes * _HANDS

    @property
    def decisions(self) -> int:
        """Decisions gone through since this solver was made."""
        return int(self._known.used[2])

    def solve(self, passes: int, progress: Progress | None = None, enough: Callable[[], bool] | None = None) -> None:
        """Go on until there were ``passes`` boards in all, ``enough()``, or ``progress`` is cancelled."""
        progress = progress or NoProgress()
        began, before = time.monotonic(), self.seconds
        while self.passes < passes and not progress.cancelled and not (enough and enough()):
            self._learn()
            self.passes += 1
            if self.passes % _FADE == 0:
                used = self.entries
                fade(self.passes // _FADE, self._known.regrets[:used], self._known.plan[:used])
            self.seconds = before + time.monotonic() - began
            progress.report(self.passes, passes, "boards")

    def measure(self, passes: int = 0, boards: int = 0, progress: Progress | None = None) -> Measured | None:
        """None: how far a strategy for three and more is from an equilibrium has no measure of this kind."""
        return None

    def _board(self, number: int) -> tuple[AnyArray, AnyArray]:
        flop = number // _RUNOUTS
        cards = drawn(Rng(self.seed, 0, flop, 0), 3, ())
        board = (*cards, *drawn(Rng(self.seed, 0, number, 1), 2, cards))
        if self._flop[0] != flop:
            self._flop = flop, self.cards.of(cards)
        streets = (self.cards.of(()), self._flop[1], self.cards.of(board[:4]), self.cards.of(board))
        return np.array(board, np.uint8), np.array(streets)

    def _learn(self) -> None:
        """Learn from the next board. A situation that finds no room would be played uniformly, and what is learned
        would depend on how often the work was stopped. So there is as much room as all situations before took; the
        first board, which nothing is known of, is repeated with more where it needs more."""
        unit = 1 / max(self.spec.blinds) / self.spec.split
        board, buckets = self._board(self.passes)
        while True:
            self._make_room()
            known, before = self._known, self.entries
            rng = Rng(self.seed, 1, self.passes)
            learn_kernel(_HANDS, self._table, board, buckets, known, self._desk, unit, rng.state, self.won)
            if known.plan.size - self.entries >= self._widest or known.plan.size >= _MAX_SIZE:
                return
            if before:
                raise ConfigError(
                    f"board {self.passes:,} met situations with more than {known.plan.size - before:,} new "
                    "probabilities, all that there was room for: expected fewer buckets or bets",
                    key="menu",
                )
            self._room *= 2
            known.slots[:] = -1
            known.used[:] = 0
            self.won[:] = 0.0
            self._known = known._replace(regrets=np.zeros(0, np.float32), plan=np.zeros(0, np.float32))

    def _make_room(self) -> None:
        known, used = self._known, self.entries
        ahead = max(self._room, used)
        if known.plan.size - used >= ahead or known.plan.size >= _MAX_SIZE:
            return
        size = min(used + ahead + ahead // 2, _MAX_SIZE)
        # Zeros take no memory before they are written to.
        tables = [np.zeros(size, np.float32) for _ in range(2)]
        for new, old in zip(tables, (known.regrets, known.plan), strict=True):
            new[:used] = old[:used]
        self._known = known._replace(regrets=tables[0], plan=tables[1])

    def arrays(self) -> dict[str, AnyArray]:
        """What a file of the blueprint holds: situations with their actions, and the average strategies with eight bits
        a probability. Buckets that never came to a situation are 0 there; situations that were seldom met are left
        out."""
        known = self._known
        keys, options, parts = [], [], []
        for i in range(self.nodes):
            n = int(known.options[i])
            k = self.cards.counts[int(known.keys[i]) // STREET]
            begin = int(known.begin[i])
            sums = known.plan[begin : begin + k * n].reshape(k, n)
            if sums.sum() < _SELDOM * k:
                continue
            rows = np.where(sums.sum(axis=1, keepdims=True) > 0, shares(sums), 0)
            keys.append(int(known.keys[i]))
            options.append(n)
            parts.append(np.rint(rows * 255).astype(np.uint8).ravel())
        order = np.argsort(keys)
        return self.cards._asdict() | {
            "situations": np.array(keys, np.int64)[order],
            "options": np.array(options, np.int8)[order],
            "chances": np.concatenate([parts[i] for i in order]) if parts else np.zeros(0, np.uint8),
        }

    # kept between runs ----------------------------------------------------------------------------------------------

    def save(self, file: IO[bytes]) -> None:
        """Write the solver, to be continued by :meth:`load`."""
        known, nodes, used = self._known, self.nodes, self.entries
        np.savez(
            file, menu=np.frombuffer(self._about, np.uint8), passes=self.passes, seconds=self.seconds, won=self.won,
            keys=known.keys[:nodes], begin=known.begin[:nodes], options=known.options[:nodes], slots=known.slots,
            regrets=known.regrets[:used], plan=known.plan[:used], **self.cards._asdict(),
        )  # fmt: skip

    @property
    def _about(self) -> bytes:
        return msgspec.json.encode({"game": self.spec, "menu": self.menu, "seed": self.seed})

    def load(self, path: Path) -> None:
        """Continue from a file of :meth:`save` of the same game, bets, cards and seed.

        Raises:
            FileError: the file is not that.
        """
        with stored_work(path, self._about, self.cards) as stored:
            known = self._read(stored)
            won = array_of(stored, "won", self.won.shape, np.float64, exact=True)
            passes, seconds = read_clock(stored)
        self._known, self.won, self.passes, self.seconds = known, won, passes, seconds

    def _read(self, stored: dict[str, AnyArray]) -> Situations:
        """The situations of a file of :meth:`save`.

        Raises:
            ValueError: the kernels could not work with them. KeyError: an array is missing.
        """
        keys = array_of(stored, "keys", (None,), np.int64, exact=True)
        nodes = len(keys)
        if nodes > _SITUATIONS or len(np.unique(keys)) != nodes:
            raise ValueError
        begin = array_of(stored, "begin", (nodes,), np.int64, exact=True)
        options = array_of(stored, "options", (nodes,), np.int8, exact=True)
        check_situations(keys, options)
        sizes = np.array(self.cards.counts)[keys // STREET] * options
        used = int(sizes.sum())
        regrets, plan = (array_of(stored, name, (used,), np.float32, exact=True) for name in ("regrets", "plan"))
        slots = array_of(stored, "slots", self._known.slots.shape, np.int32, exact=True)
        # Each situation once; what is left is free, or a search would not end.
        if used > _MAX_SIZE or (begin != np.cumsum(sizes) - sizes).any() or slots.min() < -1:
            raise ValueError
        if not np.array_equal(np.sort(slots[slots >= 0]), np.arange(nodes)):
            raise ValueError
        known = self._known._replace(slots=slots, regrets=regrets, plan=plan)
        known.used[:2] = nodes, used
        for table, values in ((known.keys, keys), (known.begin, begin), (known.options, options)):
            table[:nodes] = values
        return known
