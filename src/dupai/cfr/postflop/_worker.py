"""The solver's memory: its size, its layout, and the contexts that lead kernels to it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from dupai.base import TooLarge
from dupai.base.arrays import F32, I16, I64, AnyArray
from dupai.cfr.postflop._boards import Board, padded
from dupai.cfr.postflop._kernels import slots
from dupai.cfr.postflop._program import Program
from dupai.cfr.postflop._tree import IP, SHOWDOWN, Forest

#: A spot that needs no more bytes than this fits everywhere. Asking for the free memory would make up a third of the
#: set-up of a river.
_FITS = 16_000_000
#: A place in memory, as a number.
Address = int


def aligned(n: int, dtype: Any = np.float32) -> AnyArray:
    """Zeros that start at a multiple of 64 bytes: vectors that cross a cache line are a third slower."""
    size = np.dtype(dtype).itemsize
    raw = np.zeros(n + 64 // size, dtype)
    skip = (-raw.ctypes.data % 64) // size
    return raw[skip : skip + n]


class Level:
    """One street: forest, tables, boards, storage.

    ``regrets`` and ``sums`` hold, by player, the rows of every board one after another (``table`` has their places),
    each node's actions together, each row by the hands of the board; float32, or the bits of float16.
    """

    def __init__(
        self, forest: Forest, storage: tuple[list[int], tuple[int, int]], boards: list[Board], dead: int = 0
    ) -> None:
        self.forest = forest
        self.boards = boards
        #: number of cards that can come after this street, once both hands are known
        self.left = 45 - forest.street - dead
        self.storage, self.rows = storage
        self.most = tuple(padded(max(len(b.hands[p]) for b in boards)) for p in range(2))
        self.programs: list[Program] = []
        self.table: I64 = np.zeros((len(boards), slots.BOARD_COLUMNS), np.int64)
        self.size = [0, 0]
        self.regrets: list[AnyArray] = []
        self.sums: list[AnyArray] = []
        self.allin: list[tuple[I16, I16]] = []
        for line, board in zip(self.table, boards, strict=True):
            for p in range(2):
                n = len(board.hands[p])
                line[slots.N + p] = n
                line[slots.PADDED + p] = padded(n)
                line[slots.STORE + p] = self.size[p]
                self.size[p] += padded(n) * self.rows[p]
                line[slots.CARDS + p] = board.card_tables[p].ctypes.data
                line[slots.SAME + p] = board.same[p].ctypes.data
                line[slots.PLACES + p] = board.places[p].ctypes.data
                line[slots.ORBITS + p] = board.orbits[p].ctypes.data
                line[slots.ORBIT_SIZE + p] = len(board.orbits[p])
            line[slots.IMAGES] = len(board.permutations)
            line[slots.GROUPS] = board.groups.ctypes.data
            line[slots.GROUP_COUNT] = len(board.groups)
            line[slots.KIDS], line[slots.KID_COUNT] = board.kids

    @property
    def ends_early(self) -> bool:
        """Whether hands come to a showdown before the river."""
        return self.forest.street < 2 and SHOWDOWN in self.forest.kind

    def node_rows(self, store: list[AnyArray], board: int, node: int) -> AnyArray:
        """A view of one node's rows in ``regrets`` or ``sums``: ``[actions, padded hands]``, as stored."""
        p = self.forest.kind[node]
        width = int(self.table[board, slots.PADDED + p])
        start = int(self.table[board, slots.STORE + p]) + width * self.storage[node]
        return store[p][start : start + width * self.forest.count[node]].reshape(-1, width)


def memory_bytes(levels: Sequence[Level], threads: int, half: bool) -> int:
    """Bytes that regrets, sums, all-in tables and scratch of a spot take."""
    total = 0
    for level in levels:
        total += sum(level.size) * 2 * (2 if half else 4)
        if level.ends_early:
            total += sum(4 * len(b.hands[0]) * len(b.hands[1]) for b in level.boards)
        nodes = len(level.forest)
        total += threads * 4 * sum(2 * nodes * most + 70 * most for most in level.most)
    return total


def free_bytes() -> int | None:
    """Free memory of the machine, or of the control group if that has less; None: unknown."""
    lines = _text("/proc/meminfo").splitlines()
    limits = [1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")]
    if not limits and hasattr(os, "sysconf"):
        limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2]
    limit, used = (_text(f"/sys/fs/cgroup/memory.{name}").strip() for name in ("max", "current"))
    if limit.isdecimal() and used.isdecimal():  # else "max", or there is no control group
        limits.append(max(0, int(limit) - int(used)))
    return min(limits, default=None)


def _text(path: str) -> str:
    """A file of the system; empty where there is none."""
    try:
        return Path(path).read_text(encoding="ascii")
    except (OSError, ValueError):
        return ""


def usable_bytes(limit: int | None) -> int | None:
    """``limit``, else nine tenths of the free memory; None: unknown."""
    free = free_bytes() if limit is None else None
    return limit if free is None else free * 9 // 10


def most_nodes(boards: Sequence[Sequence[Board]], half: bool | None, free: int | None) -> list[int]:
    """The most nodes of each street that fit in ``free`` bytes, so that a tree that is far too large is not built."""
    if free is None:
        return []
    rows = [sum(min(padded(len(h)) for h in board.hands) for board in some) for some in boards]
    # small trees are always built: then the error can say how much memory is missing
    return [max(50_000, free // max(1, row * 2 * (4 if half is False else 2))) for row in rows]


def check_memory(levels: Sequence[Level], threads: int, half: bool | None, limit: int | None) -> tuple[int, bool]:
    """The bytes that a spot needs, and whether with half precision; ``half`` None: only if it does not fit without.

    Raises:
        TooLarge: more than ``limit`` (None: than nine tenths of the free memory).
    """
    need = memory_bytes(levels, threads, half is True)
    free = usable_bytes(limit) if limit is not None or need > _FITS else None
    if half is None:
        half = free is not None and need > free
        need = memory_bytes(levels, threads, half)
    if free is not None and need > free:
        less = memory_bytes(levels, threads, True)
        hint = f", or half precision ({_size(less)})" if not half and less <= free else ""
        message = f"this spot needs {_size(need)} of memory and {_size(free)} are available"
        raise TooLarge(f"{message}: use fewer bet sizes, narrower ranges{hint}", key="memory")
    return need, half


def _size(n: int) -> str:
    return f"{n / 1e9:.1f} GB" if n >= 1e9 else f"{n / 1e6:.1f} MB"


class Worker:
    """Scratch memory of one thread, and its context (see :mod:`dupai.cfr.postflop._kernels.slots`).

    ``reach[level][p]`` is ``float32[rows, hands]``, the opponent's reach against traverser p by reach row;
    ``value[level][p]`` is ``float32[nodes, hands]``. The first street is shared by all workers.
    """

    def __init__(self, levels: Sequence[Level], half: bool, first: Worker | None = None) -> None:
        self._keep: list[Any] = []
        self.reach: list[tuple[F32, F32]] = []
        self.value: list[tuple[F32, F32]] = []
        x = np.zeros(slots.FIRST_LEVEL + slots.SLOTS * (len(levels) + 1), np.int64)
        x[slots.HALF] = half
        x[slots.LEVELS] = len(levels)
        for k, level in enumerate(levels):
            at = slots.FIRST_LEVEL + slots.SLOTS * k
            if first is not None and k == 0:
                x[at : at + slots.SLOTS] = first.context[at : at + slots.SLOTS]
                self.reach.append(first.reach[0])
                self.value.append(first.value[0])
                self._keep += first._keep
            else:
                self._level(x, at, level)
            if k + 1 < len(levels):
                x[at + slots.FACTOR] = round(2**32 / level.left)
        self.context: I64 = x
        #: sums of the results of boards, by street above and traverser
        self.sums = [
            [self._zeros(len(below.forest.roots) * above.most[p]).ctypes.data for p in range(2)]
            for above, below in pairwise(levels)
        ]

    def _zeros(self, n: int) -> F32:
        zeros: F32 = aligned(n)
        self._keep.append(zeros)
        return zeros

    def _table(self, table: AnyArray) -> Address:
        table = np.ascontiguousarray(table)
        self._keep.append(table)
        return table.ctypes.data

    def _level(self, x: I64, at: int, level: Level) -> None:
        x[at + slots.BOARDS] = level.table.ctypes.data
        x[at + slots.LAST] = level.forest.street == 2
        leaves = np.array([node for node, kind in enumerate(level.forest.kind) if kind > IP], np.int64)
        x[at + slots.LEAF] = self._table(leaves)
        x[at + slots.LEAVES] = len(leaves)
        widest = max(level.most)
        x[at + slots.TURNED] = self._zeros((widest + 1) * slots.LANES).ctypes.data
        for slot in (slots.WON, slots.MET, slots.WON_ROWS, slots.MET_ROWS):
            x[at + slot] = self._zeros(widest * slots.LANES).ctypes.data
        x[at + slots.HELD] = self._zeros(52 * slots.LANES).ctypes.data
        reach, value = [], []
        for p in range(2):
            program = level.programs[p]
            mine, yours = level.most[p], level.most[1 - p]
            reach.append(self._zeros(program.rows * yours).reshape(-1, yours))
            value.append(self._zeros(len(level.forest) * mine).reshape(-1, mine))
            x[at + slots.REACH + p] = reach[p].ctypes.data
            x[at + slots.REACH_STEP + p] = 4 * yours
            x[at + slots.VALUE + p] = value[p].ctypes.data
            x[at + slots.VALUE_STEP + p] = 4 * mine
            for slot, count, table in (
                (slots.DOWN, slots.DOWNS, program.down),
                (slots.UP, slots.UPS, program.up),
                (slots.ROOT, slots.ROOTS, program.roots),
            ):
                x[at + slot + p] = self._table(table)
                x[at + count + p] = len(table)
            x[at + slots.TERM + p] = self._table(program.terms)
            x[at + slots.CHANCE + p] = self._table(program.chances)
            batches = program.batches.copy()
            batches[:, : slots.LANES] = reach[p].ctypes.data + 4 * yours * batches[:, : slots.LANES]
            x[at + slots.BATCH + p] = self._table(batches)
            x[at + slots.BATCHES + p] = len(batches)
            x[at + slots.REGRET + p] = level.regrets[p].ctypes.data
            x[at + slots.SUM + p] = level.sums[p].ctypes.data
        self.reach.append((reach[0], reach[1]))
        self.value.append((value[0], value[1]))
