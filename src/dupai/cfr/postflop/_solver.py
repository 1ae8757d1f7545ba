"""The solver: memory, iterations, exploitability."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError
from dupai.cards import CARD_MASK, mask_of
from dupai.cfr.postflop._boards import Board, make_boards, padded
from dupai.cfr.postflop._kernels import passes, setup
from dupai.cfr.postflop._program import LANES, Program, make_program, storage_rows
from dupai.cfr.postflop._spot import SolveSpot
from dupai.cfr.postflop._tree import SHOWDOWN, Forest, build_forests

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]
Address = int


def aligned(n: int, dtype: Any = np.float32) -> npt.NDArray[Any]:
    """Zeros that start at a multiple of 64 bytes: vectors that cross a cache line cost a third more."""
    size = np.dtype(dtype).itemsize
    raw = np.zeros(n + 64 // size, dtype)
    skip = (-raw.ctypes.data % 64) // size
    return raw[skip : skip + n]


class _Level:
    """One street: forest, tables, boards, storage."""

    def __init__(self, forest: Forest, boards: list[Board]) -> None:
        self.forest = forest
        self.boards = boards
        self.storage, self.rows = storage_rows(forest)
        self.most = tuple(padded(max(len(b.hands[p]) for b in boards)) for p in range(2))
        self.programs: list[Program] = []
        self.table = np.zeros((len(boards), passes.BOARD_COLUMNS), np.int64)
        self.size = [0, 0]
        self.regrets: list[npt.NDArray[Any]] = []
        self.sums: list[npt.NDArray[Any]] = []
        self.allin: list[tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]] = []
        for b, board in enumerate(boards):
            line = self.table[b]
            for p in range(2):
                n = len(board.hands[p])
                line[passes.N + p] = n
                line[passes.PADDED + p] = padded(n)
                line[passes.STORE + p] = self.size[p]
                self.size[p] += padded(n) * self.rows[p]
                line[passes.CARDS + p] = board.card_tables[p].ctypes.data
                line[passes.SAME + p] = board.same[p].ctypes.data
                line[passes.PLACES + p] = board.places[p].ctypes.data
            line[passes.IMAGES] = len(board.permutations)
            line[passes.GROUPS] = board.groups.ctypes.data
            line[passes.GROUP_COUNT] = len(board.groups)
            line[passes.KIDS], line[passes.KID_COUNT] = board.kids

    @property
    def ends_early(self) -> bool:
        """Whether hands are shown down before the river."""
        return self.forest.street < 2 and SHOWDOWN in self.forest.kind


class _Worker:
    """Scratch memory of one thread and the context that leads a kernel through everything."""

    def __init__(self, levels: list[_Level], half: bool, first: _Worker | None = None) -> None:
        self._keep: list[Any] = []
        x = np.zeros(passes.FIRST_LEVEL + passes.SLOTS * (len(levels) + 1), np.int64)
        x[passes.HALF] = half
        x[passes.LEVELS] = len(levels)
        for k, level in enumerate(levels):
            at = passes.FIRST_LEVEL + passes.SLOTS * k
            # the first street is done by one thread: the others read its rows from the first worker
            shared = first is not None and k == 0
            if shared and first is not None:
                x[at : at + passes.SLOTS] = first.context[at : at + passes.SLOTS]
            else:
                self._level(x, at, level)
            if k + 1 < len(levels):
                x[at + passes.FACTOR] = round(2**32 / (45 - level.forest.street))
        self.context: I64 = x
        self.sums = [
            [self._zeros(len(below.forest.roots) * above.most[p]) for p in range(2)]
            for above, below in zip(levels[:-1], levels[1:], strict=True)
        ] or [[self._zeros(16), self._zeros(16)]]
        self.sum_addresses = [[a.ctypes.data for a in pair] for pair in self.sums]

    def _zeros(self, n: int) -> F32:
        found: F32 = aligned(n)
        self._keep.append(found)
        return found

    def _table(self, table: npt.NDArray[Any]) -> Address:
        found = np.ascontiguousarray(table)
        self._keep.append(found)
        return found.ctypes.data

    def _level(self, x: I64, at: int, level: _Level) -> None:
        x[at + passes.BOARDS] = level.table.ctypes.data
        widest = max(level.most)
        x[at + passes.TURNED] = self._zeros((widest + 1) * LANES).ctypes.data
        for slot in (passes.WON, passes.MET, passes.WON_ROWS, passes.MET_ROWS):
            x[at + slot] = self._zeros(widest * LANES).ctypes.data
        x[at + passes.HELD] = self._zeros(52 * LANES).ctypes.data
        for p in range(2):
            program = level.programs[p]
            mine, yours = level.most[p], level.most[1 - p]
            x[at + passes.REACH + p] = self._zeros(program.rows * yours).ctypes.data
            x[at + passes.REACH_STEP + p] = 4 * yours
            x[at + passes.VALUE + p] = self._zeros(len(level.forest) * mine).ctypes.data
            x[at + passes.VALUE_STEP + p] = 4 * mine
            for slot, count, table in (
                (passes.DOWN, passes.DOWNS, program.down),
                (passes.UP, passes.UPS, program.up),
                (passes.ROOT, passes.ROOTS, program.roots),
            ):
                x[at + slot + p] = self._table(table)
                x[at + count + p] = len(table)
            x[at + passes.TERM + p] = self._table(program.terms)
            x[at + passes.CHANCE + p] = self._table(program.chances)
            batches = np.zeros((len(program.batches), passes.BATCH_COLUMNS), np.int64)
            for i, batch in enumerate(program.batches):
                for lane in range(LANES):
                    row = batch.rows[lane] if lane < len(batch.rows) else batch.rows[0]
                    batches[i, lane] = x[at + passes.REACH + p] + 4 * yours * row
                batches[i, 16:20] = batch.showdown, batch.weigh, batch.first, batch.end
            x[at + passes.BATCH + p] = self._table(batches)
            x[at + passes.BATCHES + p] = len(batches)
            x[at + passes.REGRET + p] = level.regrets[p].ctypes.data
            x[at + passes.SUM + p] = level.sums[p].ctypes.data


class Solver:
    """Solves one spot.

    Args:
        spot: what to solve.
        threads: how many threads work on it (turn and flop).
        half: keep regrets and strategy sums as float16: half the memory.
        memory: most bytes to use; None: what the machine has free.

    Raises:
        ConfigError: the spot cannot be solved (too large for the memory, sizes without an all-in).
    """

    def __init__(
        self, spot: SolveSpot, *, threads: int = 1, half: bool = False, symmetric: bool = True
    ) -> None:
        self.spot = spot
        self.half = half
        self.threads = threads
        self.iterations = 0
        forests = build_forests(spot)
        boards = make_boards(spot, len(forests), symmetric)
        self.levels = [_Level(f, b) for f, b in zip(forests, boards, strict=True)]
        self.hands = boards[0][0].hands
        self.weights: tuple[F64, F64] = tuple(  # type: ignore[assignment]
            r.weights[h].astype(np.float64) for r, h in zip(spot.ranges, self.hands, strict=True)
        )
        self.meets: list[F64] = []
        for p in range(2):
            out = np.empty(len(self.hands[p]))
            q = 1 - p
            setup.meetings_kernel(self.hands[p], self.weights[p], self.hands[q], self.weights[q], out)
            self.meets.append(out)
        self.deals = float(self.weights[0] @ self.meets[0])
        most = max(float(w.sum()) for w in self.weights)
        self.unit = 256.0 / ((spot.pot / 2 + spot.stack) * most)
        for level in self.levels:
            for p in range(2):
                level.programs.append(make_program(spot, level.forest, level.storage, p, self.unit))
                kind = np.uint16 if half else np.float32
                level.regrets.append(aligned(level.size[p], kind))
                level.sums.append(aligned(level.size[p], kind))
        self._allin_tables()
        self._workers = [_Worker(self.levels, half)]
        for _ in range(1, threads if len(self.levels) > 1 else 1):
            self._workers.append(_Worker(self.levels, half, self._workers[0]))
        self._sum_table = [
            np.array([w.sum_addresses[0][p] for w in self._workers], np.int64) for p in range(2)
        ]
        self._pool = ThreadPoolExecutor(len(self._workers) - 1) if len(self._workers) > 1 else None
        for worker in self._workers[:1]:
            for p in range(2):
                self._root_reach(worker, p)

    def _root_reach(self, worker: _Worker, p: int) -> None:
        level = self.levels[0]
        rows = level.programs[p].rows
        _ = rows
        at = worker.context[passes.FIRST_LEVEL + passes.REACH + p]
        q = 1 - p
        for array in worker._keep:
            if array.ctypes.data == at:
                array[: len(self.weights[q])] = self.weights[q]

    def _allin_tables(self) -> None:
        """Tables of all-ins before the river, from the turn upwards."""
        streets = [level for level in self.levels if level.forest.street < 2]
        if not any(level.ends_early for level in streets):
            return
        top = self.levels[0]
        mask = mask_of(self.spot.board)
        turn = streets[-1]
        small = turn.forest.street == 1
        flop = top if top.forest.street == 0 and top.ends_early else None
        if flop is not None:
            flop.allin = [self._allin_zeros(flop.boards[0])]
        if small:
            for board in turn.boards:
                if not turn.ends_early and flop is None:
                    break
                tables = self._allin_zeros(board)
                held = mask | mask_of(board.cards)
                setup.allin_kernel(np.uint64(held), board.hands[0], board.hands[1], *tables)
                if turn.ends_early:
                    turn.allin.append(tables)
                if flop is not None:
                    n, m = map(len, board.hands)
                    for a, b in zip(board.places[0], board.places[1], strict=True):
                        setup.allin_add_kernel(tables[0], n, m, a, b, *flop.allin[0])
        for level in streets:
            for b, tables in enumerate(level.allin):
                for p in range(2):
                    level.table[b, passes.ALLIN + p] = tables[p].ctypes.data

    @staticmethod
    def _allin_zeros(board: Board) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
        n, m = map(len, board.hands)
        return (
            np.zeros((padded(n) // 16, m, 16), np.int16),
            np.zeros((padded(m) // 16, n, 16), np.int16),
        )

    def _pass(self, p: int, mode: int, alpha: float, beta: float, gamma: float) -> None:
        first = self._workers[0]
        x = first.context
        if len(self.levels) == 1:
            passes.river_pass_kernel(x, p, mode)
            return
        passes.top_down_kernel(x, p, mode)
        boards = len(self.levels[1].boards)
        chunk = 1 if len(self.levels) == 3 else max(1, boards // (6 * len(self._workers)))
        if len(self._workers) == 1:
            chunk = 1 if len(self.levels) == 3 else boards
        todo = iter(range(0, boards, chunk))
        lock = threading.Lock()

        def work(worker: _Worker) -> None:
            sums = worker.sum_addresses[0][p]
            middle = worker.sum_addresses[-1][p]
            passes.clear_kernel(worker.context, p, sums)
            while True:
                with lock:
                    start = next(todo, None)
                if start is None:
                    return
                end = min(start + chunk, boards)
                passes.children_kernel(worker.context, p, mode, alpha, beta, gamma, start, end, sums, middle)

        others = [self._pool.submit(work, w) for w in self._workers[1:]] if self._pool is not None else []
        work(first)
        for other in others:
            other.result()
        passes.top_up_kernel(x, p, mode, alpha, beta, gamma, self._sum_table[p], len(self._workers))

    def iterate(self, count: int = 1) -> None:
        """Do ``count`` iterations (both players are updated in each)."""
        if len(self.levels) == 1:
            passes.river_kernel(self._workers[0].context, self.iterations, count)
            self.iterations += count
            return
        for _ in range(count):
            alpha, beta, gamma = passes.discounts(self.iterations)
            for p in range(2):
                self._pass(p, passes.ITERATE, alpha, beta, gamma)
            self.iterations += 1

    def root_values(self, p: int, mode: int) -> F64:
        """Value of every hand of player p at the root, in chips weighted by what it meets, less half the pot."""
        self._pass(p, mode, 0.0, 0.0, 0.0)
        worker = self._workers[0]
        at = worker.context[passes.FIRST_LEVEL + passes.VALUE + p]
        for array in worker._keep:
            if array.ctypes.data == at:
                return array[: len(self.hands[p])].astype(np.float64) / self.unit
        raise AssertionError

    def evs(self) -> tuple[float, float]:
        """Chips that each player wins from the pot with the average strategies (the pot less rake in sum)."""
        half = self.spot.pot / 2
        return tuple(  # type: ignore[return-value]
            float(self.weights[p] @ self.root_values(p, passes.EXPECT)) / self.deals + half for p in range(2)
        )

    def exploitability(self) -> float:
        """What a best response wins on average over both seats, in chips."""
        best = [float(self.weights[p] @ self.root_values(p, passes.RESPOND)) / self.deals for p in range(2)]
        if self.spot.rake:
            best = [b - (e - self.spot.pot / 2) for b, e in zip(best, self.evs(), strict=True)]
        return sum(best) / 2
