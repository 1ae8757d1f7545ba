"""The solver: set-up, iterations, exploitability, locks, and the reach and values at a node."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError, NoProgress, Progress
from dupai.base.arrays import F32, F64, I16, I64, U8, AnyArray
from dupai.cards import cards_text, mask_of
from dupai.cfr.postflop._betting import build_betting, kept_betting
from dupai.cfr.postflop._boards import Board, make_boards, padded
from dupai.cfr.postflop._gadgets import Gadget
from dupai.cfr.postflop._kernels import passes, setup, slots
from dupai.cfr.postflop._locks import Lock, corners, fixed_strategy
from dupai.cfr.postflop._parts import Check, last_useful, next_check, reached
from dupai.cfr.postflop._paths import Place, find_action, find_places
from dupai.cfr.postflop._program import paid_program
from dupai.cfr.postflop._spot import SolveSpot
from dupai.cfr.postflop._tree import IP, State
from dupai.cfr.postflop._worker import Level, Worker, aligned, check_memory, most_nodes, usable_bytes

#: Regrets of a strategy that a lock sets, in the solver's units.
_WARM = 30.0
#: Seconds between two saves of a long run.
SAVE_SECONDS = 10.0
#: Factors of positive regrets, negative regrets and strategy sums.
Discount = tuple[float, float, float]
_NO_DISCOUNT: Discount = (0.0, 0.0, 0.0)
_NONE: I64 = np.zeros(0, np.int64)


class SpotSolver:
    """Solves one spot by discounted CFR over all hands at once.

    Args:
        spot: the spot.
        threads: number of threads (turn and flop; results depend on it by rounding only).
        half: keep regrets and strategy sums as float16: half the memory; None: only if the spot does not fit without.
        memory: most bytes to use; None: nine tenths of the free memory.
        locks: fixed or bounded strategies (see :class:`Lock`).
        symmetric: solve boards that differ by the names of suits only once (off if a lock forbids it).
        start: the state of the betting (None: a street begins); used for subgames.
        stored: bytes of :meth:`arrays` to work on (from a solve file) instead of new memory.

    Raises:
        ConfigError: sizes that never lead to an all-in, a lock without a node. TooLarge: for the memory.

    Attributes:
        hands: combos of both players on the starting board, ``int16``.
        iterations: iterations so far. curve: the exploitability checks.
    """

    def __init__(
        self,
        spot: SolveSpot,
        *,
        threads: int = 1,
        half: bool | None = False,
        memory: int | None = None,
        locks: Sequence[Lock] = (),
        symmetric: bool = True,
        start: State | None = None,
        stored: Sequence[U8] | None = None,
    ) -> None:
        if not 1 <= threads <= 256:
            raise ConfigError(f"threads = {threads}: expected 1 to 256", key="threads")
        self.spot = spot
        self.threads = threads
        self.locks = tuple(locks)
        self.start = start
        self.iterations = 0
        self.curve: list[Check] = []
        self._seconds = 0.0
        self._gadget: Gadget | None = None
        symmetric = symmetric and all(lock.one_for_all_suits for lock in locks)
        self.symmetric = symmetric
        boards = make_boards(spot, 6 - len(spot.board), symmetric)
        betting = kept_betting(spot, start)
        if betting is None:
            betting = build_betting(spot, start, most_nodes(boards, half, usable_bytes(memory)))
        # boards of streets that are not reached are dropped
        streets = zip(betting.forests, betting.storage, boards, strict=False)
        self.levels = [Level(*street, len(spot.dead)) for street in streets]
        self.memory, self.half = check_memory(self.levels, threads, half, memory)
        self.hands = boards[0][0].hands
        self._money()
        for level, programs in zip(self.levels, betting.programs(spot), strict=True):
            level.programs += [paid_program(program, self.unit) for program in programs]
        self._keep: list[object] = []
        self._locked: dict[tuple[int, int], I64] = {}
        self._bounded: list[F32] = []
        self._store(stored)
        self._allin_tables()
        self._put_locks()
        self._workers = [Worker(self.levels, self.half)]
        for _ in range(1, threads if len(self.levels) > 1 else 1):
            self._workers.append(Worker(self.levels, self.half, self._workers[0]))
        if len(self.levels) > 1:
            self._sum_table = [np.array([w.sums[0][p] for w in self._workers], np.int64) for p in range(2)]
        self._pool = ThreadPoolExecutor(len(self._workers) - 1) if len(self._workers) > 1 else None
        for p in range(2):
            self._set_root_reach(1 - p, self.weights[1 - p])

    def __repr__(self) -> str:
        board = cards_text(self.spot.board)
        return f"<SpotSolver: board {board}, pot {self.spot.pot}, {self.iterations} iterations>"

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
            self._workers = self._workers[:1]
            self._sum_table = [t[:1].copy() for t in self._sum_table]

    def arrays(self) -> list[npt.NDArray[np.generic]]:
        """All arrays that iterations change, in an order that depends on spot and locks only."""
        return [*(a for level in self.levels for store in (level.regrets, level.sums) for a in store), *self._bounded]

    # ---- set-up ----------------------------------------------------------------------------------------------------

    def _store(self, stored: Sequence[U8] | None) -> None:
        """The storage of regrets and sums: new, or ``stored``."""
        kind = np.dtype(np.uint16 if self.half else np.float32)
        self._stored = None if stored is None else iter(stored)
        for level in self.levels:
            for store in (level.regrets, level.sums):
                for size in level.size:
                    array = aligned(size, kind) if self._stored is None else self._next_stored(kind)
                    if array.shape != (size,):
                        raise ConfigError("its tree has another size: it was made by another version")
                    store.append(array)

    def _next_stored(self, kind: npt.DTypeLike) -> AnyArray:
        assert self._stored is not None
        return next(self._stored, np.zeros(0, np.uint8)).view(kind)

    def _money(self) -> None:
        self.weights: tuple[F64, F64] = tuple(  # type: ignore[assignment]
            r.weights[h].astype(np.float64) for r, h in zip(self.spot.ranges, self.hands, strict=True)
        )
        #: weight of the opponent's hands that each hand can meet
        self.meets: tuple[F64, F64] = (np.empty(len(self.hands[0])), np.empty(len(self.hands[1])))
        for p, q in ((0, 1), (1, 0)):
            setup.meetings_kernel(self.hands[p], self.weights[p], self.hands[q], self.weights[q], self.meets[p])
        #: weight of all pairs of hands that can be dealt
        self.deals = float(self.weights[0] @ self.meets[0])
        most = max(float(w.sum()) for w in self.weights)
        # float16 holds at most 60,000, and regrets grow to about a hundred times a value
        self.unit = 256.0 / ((self.spot.pot / 2 + self.spot.stack) * most)

    def _allin_tables(self) -> None:
        """Tables of all-ins before the river; the flop's are sums of the turn's."""
        streets = [level for level in self.levels if level.forest.street < 2]
        if not any(level.ends_early for level in streets):
            return
        top = self.levels[0]
        flop = top if top.forest.street == 0 and top.ends_early else None
        if flop is not None:
            flop.allin = [_allin_zeros(flop.boards[0])]
        turn = streets[-1] if streets[-1].forest.street == 1 else None
        boards = turn.boards if turn is not None else make_boards(self.spot, 2)[1]
        if flop is not None or (turn is not None and turn.ends_early):
            mask, dead = mask_of(self.spot.board), np.uint64(mask_of(self.spot.dead))
            for board in boards:
                tables = _allin_zeros(board)
                setup.allin_kernel(np.uint64(mask | mask_of(board.cards)), dead, *board.hands, *tables)
                if turn is not None and turn.ends_early:
                    turn.allin.append(tables)
                if flop is not None:
                    n, m = map(len, board.hands)
                    for a, b in zip(*board.places, strict=True):
                        setup.allin_add_kernel(tables[0], n, m, a, b, *flop.allin[0])
        for level in streets:
            for b, tables in enumerate(level.allin):
                for p in range(2):
                    level.table[b, slots.ALLIN + p] = tables[p].ctypes.data

    def _put_locks(self) -> None:
        forests = [level.forest for level in self.levels]
        boards = [level.boards for level in self.levels]
        for lock in self.locks:
            try:
                places = list(find_places(self.spot, forests, boards, lock.path))
            except ConfigError as error:
                raise ConfigError(f"lock: {error}", key="lock") from error
            for place in places:
                self._put_lock(lock, place)

    def _put_lock(self, lock: Lock, place: Place) -> None:
        level = self.levels[place.level]
        forest = level.forest
        if forest.kind[place.node] > IP:
            raise ConfigError(f"lock: {lock.path!r} is a node where nobody acts", key="lock")
        if (lock.strategy is None) == (not lock.lower and not lock.upper):
            message = f"lock at {lock.path!r}: expected a strategy, or bounds lower and upper"
            raise ConfigError(message, key="lock")
        actions = forest.actions(place.node)
        names = [*(lock.strategy or {}), *lock.lower, *lock.upper]
        try:
            order = {name: find_action(self.spot, forest, place.node, name) for name in names}
        except ConfigError as error:
            raise ConfigError(f"lock at {lock.path!r}: {error}", key="lock") from error
        marks = self._marks(place.level, place.board)
        hands = level.boards[place.board].hands[forest.kind[place.node]]
        if lock.strategy is not None:
            self.set_strategy(place, fixed_strategy(lock, actions, order)[:, hands])
            marks[place.node] = 1
            return
        width = padded(len(hands))
        extremes = corners(lock, actions, order, hands)  # [corners, actions, hands]
        matrix = aligned(extremes.shape[0] * extremes.shape[1] * width)
        matrix.reshape(*extremes.shape[:2], width)[:, :, : len(hands)] = extremes
        regrets = aligned(len(extremes) * width)
        if self._stored is not None:
            regrets[:] = self._next_stored(np.float32)
        record = np.array([len(extremes), matrix.ctypes.data, regrets.ctypes.data], np.int64)
        self._bounded.append(regrets)
        self._keep += [matrix, record]
        marks[place.node] = record.ctypes.data

    def _marks(self, k: int, board: int) -> I64:
        """The locks of a street's board, by node; made on first use."""
        level = self.levels[k]
        marks = self._locked.setdefault((k, board), np.zeros(len(level.forest), np.int64))
        level.table[board, slots.LOCKS] = marks.ctypes.data
        return marks

    def set_strategy(self, place: Place, rows: npt.ArrayLike) -> None:
        """Set the strategy at one node, the current and the average one: ``float[actions, hands]``, by the hands of the
        place's board."""
        level = self.levels[place.level]
        strategy = np.array(rows, np.float32)
        orbits, at = level.boards[place.board].orbits[level.forest.kind[place.node]], 0
        while at < len(orbits):  # hands that are alike play alike
            alike = orbits[at + 1 : at + 1 + orbits[at]]
            strategy[:, alike] = strategy[:, alike].mean(axis=1, keepdims=True)
            at += 1 + int(orbits[at])
        for store, size in ((level.regrets, _WARM), (level.sums, 1.0)):
            stored = level.node_rows(store, place.board, place.node)
            padded_rows = np.zeros((strategy.shape[0], stored.shape[1]), np.float32)
            padded_rows[:, : strategy.shape[1]] = strategy * size
            stored[:] = padded_rows.astype(np.float16).view(np.uint16) if self.half else padded_rows

    # ---- iterations ------------------------------------------------------------------------------------------------

    def _set_root_reach(self, player: int, reach: npt.ArrayLike) -> None:
        """Set the root reach of ``player``, used when the opponent traverses."""
        row = self._workers[0].reach[0][1 - player][0]
        row[: len(self.hands[player])] = reach

    def _call(
        self,
        task: int,
        p: int,
        mode: int = passes.EXPECT,
        discount: Discount = _NO_DISCOUNT,
        first: int = 0,
        end: int = 0,
        sums: int = 0,
        middle: int = 0,
        table: I64 = _NONE,
        worker: Worker | None = None,
    ) -> None:
        x = (worker or self._workers[0]).context
        passes.pass_kernel(x, task, p, mode, discount, first, end, sums, middle, table)

    def _pass(
        self, p: int, mode: int, discount: Discount = _NO_DISCOUNT, beat: Callable[[], bool] | None = None
    ) -> bool:
        """One pass; False if ``beat`` stopped it (then not all boards are up to date)."""
        first = self._workers[0]
        if len(self.levels) == 1:  # a river, or a street on which an all-in is due
            self._call(passes.RIVER, p, mode, discount)
            return True
        self._call(passes.TOP_DOWN, p, mode)
        boards = len(self.levels[1].boards)
        # Large parts first, so that threads seldom wait for each other, and small ones last, so that they end together.
        share = boards if len(self.levels) == 3 else 2 * len(self._workers)
        todo = 0
        lock = threading.Lock()
        broken = False

        def work(worker: Worker, beat: Callable[[], bool] | None) -> None:
            nonlocal broken, todo
            sums = worker.sums[0][p]
            self._call(passes.CLEAR, p, sums=sums, worker=worker)
            while not broken:
                with lock:
                    start = todo
                    todo = end = start + max(1, (boards - start) // share)
                if start >= boards:
                    return
                middle = worker.sums[-1][p]
                self._call(passes.BELOW, p, mode, discount, start, end, sums, middle, worker=worker)
                if beat is not None and beat():
                    broken = True

        others = [self._pool.submit(work, w, None) for w in self._workers[1:]] if self._pool is not None else []
        try:
            work(first, beat)
        finally:
            for other in others:
                other.result()
        if broken:
            return False
        self._call(passes.TOP_UP, p, mode, discount, table=self._sum_table[p])
        return True

    def iterate(
        self, count: int = 1, beat: Callable[[], bool] | None = None, save: Callable[[], None] | None = None
    ) -> bool:
        """Run ``count`` iterations; each updates both players.

        ``beat`` is called about every 100 ms. Once it returns True, the current iteration is stopped (its updates so
        far are kept) and False is returned. ``save`` is called between iterations.
        """
        if len(self.levels) == 1 and self._gadget is None:
            while count > 0:
                step = min(count, 200)
                self._call(passes.RIVERS, 0, passes.ITERATE, first=self.iterations, end=self.iterations + step)
                self.iterations += step
                count -= step
                if save is not None:
                    save()
                if beat is not None and count and beat():
                    return False
            return True
        for _ in range(count):
            discount = passes.discounts(self.iterations)
            for p in range(2):
                g = self._gadget
                if g is not None and g.player == 1 - p:
                    reach = g.reach()
                    self._set_root_reach(g.player, reach)
                    g.add(reach, discount[2])
                if not self._pass(p, passes.ITERATE, discount, beat):
                    return False
                if g is not None and g.player == p:
                    g.update(self._root_row(p), discount[0])
            self.iterations += 1
            if save is not None:
                save()
        return True

    def run(
        self,
        target: float = 0.003,
        *,
        max_iterations: int = 1000,
        progress: Progress | None = None,
        save: Callable[[], None] | None = None,
    ) -> bool:
        """Iterate until the exploitability is at most ``target`` of the pot. Returns whether it is.

        Stops early and keeps everything when ``progress`` is cancelled. The exploitability is checked when the curve
        suggests that the target is near, and before that whenever the number of iterations has grown by about half.
        It also ends before an average begun anew that ``max_iterations`` would cut short (:func:`last_useful`).
        ``save`` is called after every :data:`SAVE_SECONDS` or so, between two iterations.
        """
        if not 0 < target < math.inf:
            raise ConfigError(f"target = {target}: expected a share of the pot above 0, as 0.003", key="target")
        bar = progress or NoProgress()
        begun = time.perf_counter() - self._seconds
        note = ""
        expected: float | None = None
        seen = 0.0
        due = time.monotonic() + SAVE_SECONDS

        def save_in_time() -> None:
            nonlocal due
            if save is not None and time.monotonic() >= due:
                save()
                due = time.monotonic() + SAVE_SECONDS

        def beat() -> bool:
            nonlocal seen
            now = time.monotonic()
            if now - seen > 0.1:
                seen = now
                bar.report(self.iterations, expected, note)
            return bar.cancelled

        most = last_useful(self.iterations, max_iterations)
        while True:
            share = self.curve[-1].exploitability / self.spot.pot if self.curve else math.inf
            fresh = bool(self.curve) and self.curve[-1].iterations == self.iterations
            if fresh and share <= target:
                return True
            if bar.cancelled or self.iterations >= most:
                if not fresh and self.iterations:
                    self.check(begun)
                return False
            stop = min(most, next_check(self.iterations, share, target, self.curve))
            expected = min(most, stop if share == math.inf else reached(self.iterations, share, target))
            if not self.iterate(stop - self.iterations, beat, save_in_time):
                continue
            last = self.check(begun)
            note = f"exploitability {100 * last.exploitability / self.spot.pot:.3g} % of the pot"

    def check(self, begun: float | None = None) -> Check:
        """Measure the exploitability and add it to the curve."""
        value = self.exploitability()
        if begun is not None:
            self._seconds = time.perf_counter() - begun
        self.curve.append(Check(self.iterations, value, self._seconds))
        return self.curve[-1]

    # ---- results ---------------------------------------------------------------------------------------------------

    def _root_row(self, p: int) -> F64:
        root = self.levels[0].forest.roots[0]
        row = self._workers[0].value[0][p][root][: len(self.hands[p])]
        values: F64 = row.astype(np.float64) / self.unit
        return values

    def root_values(self, p: int, mode: int = passes.EXPECT) -> F64:
        """Value of every hand of player p at the root: chips won less half the pot, summed over the hands it meets.

        ``mode``: EXPECT with the average strategies, RESPOND with a best response to the opponent's.
        """
        self._pass(p, mode)
        return self._root_row(p)

    def evs(self) -> tuple[float, float]:
        """Chips of the pot that each player wins with the average strategies (in sum the pot less rake)."""
        half = self.spot.pot / 2
        ev = [float(self.weights[p] @ self.root_values(p)) / self.deals + half for p in range(2)]
        return ev[0], ev[1]

    def exploitability(self) -> float:
        """(best response 0 + best response 1) / 2 in chips: the gain of a best response, averaged over both seats."""
        best = [float(self.weights[p] @ self.root_values(p, passes.RESPOND)) / self.deals for p in range(2)]
        if self.spot.rake:
            best = [b - (e - self.spot.pot / 2) for b, e in zip(best, self.evs(), strict=True)]
        return sum(best) / 2

    def place(self, path: str) -> Place:
        """The node that a path leads to.

        Raises:
            ConfigError, NotationError: it leads nowhere.
        """
        forests = [level.forest for level in self.levels]
        places = list(find_places(self.spot, forests, [level.boards for level in self.levels], path))
        if len(places) != 1:
            raise ConfigError(f"{path!r} stands for {len(places)} nodes: expected a card for each '*'", key="path")
        return places[0]

    def strategy(self, place: Place) -> F32:
        """Average strategy at a player's node: ``float32[actions, hands]``, by the hands of the board as solved."""
        level = self.levels[place.level]
        rows = level.node_rows(level.sums, place.board, place.node)
        sums = rows.view(np.float16).astype(np.float32) if self.half else rows.astype(np.float32)
        sums = np.maximum(sums[:, : len(level.boards[place.board].hands[level.forest.kind[place.node]])], 0)
        total = sums.sum(axis=0)
        return np.where(total > 0, sums / np.where(total > 0, total, 1), np.float32(1 / len(sums)))

    def visit(self, place: Place, mode: int = passes.EXPECT) -> tuple[tuple[F64, F64], tuple[F64, F64]]:
        """(reach of both players, values of both) at a node with the average strategies, by the hands of its board.

        Values are chips less half the pot, summed over the opponent's reach; in mode RESPOND those of best responses.
        """
        worker = self._workers[0]
        level = self.levels[place.level]
        board = level.boards[place.board]
        reach, value = [], []
        for p in range(2):
            if place.level == 0:
                self._pass(p, mode)
            else:
                self._call(passes.TOP_DOWN, p, mode)
                turn, river = (place.board, -1) if place.level == 1 else (board.parent, place.board)
                middle = worker.sums[-1][p]
                self._call(passes.VISIT, p, mode, first=turn, end=river, middle=middle)
            row = level.programs[p].reach[place.node]
            reach.append(worker.reach[place.level][p][row][: len(board.hands[1 - p])].astype(np.float64))
            value.append(worker.value[place.level][p][place.node][: len(board.hands[p])].astype(np.float64) / self.unit)
        return (reach[1], reach[0]), (value[0], value[1])


def _allin_zeros(board: Board) -> tuple[I16, I16]:
    n, m = map(len, board.hands)
    return np.zeros((padded(n) // 16, m, 16), np.int16), np.zeros((padded(m) // 16, n, 16), np.int16)


def solve_spot(
    spot: SolveSpot,
    *,
    target: float = 0.003,
    threads: int = 1,
    half: bool | None = False,
    max_iterations: int = 1000,
    memory: int | None = None,
    locks: Sequence[Lock] = (),
    progress: Progress | None = None,
) -> SpotSolver:
    """Solve a spot to an exploitability of ``target``, a share of the pot. The solver holds the result.

    Raises:
        ConfigError: as :class:`SpotSolver`.
    """
    solver = SpotSolver(spot, threads=threads, half=half, memory=memory, locks=locks)
    solver.run(target, max_iterations=max_iterations, progress=progress)
    return solver
