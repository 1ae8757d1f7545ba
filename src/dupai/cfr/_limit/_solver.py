"""An approximate equilibrium of three-player limit hold'em by external sampling."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np

from dupai.base import AnyArray, ConfigError, FileError, NoProgress, Progress, Rng, array_of, read_arrays
from dupai.cfr._limit._kernels import Table, moved_kernel, play_kernel, solve_kernel
from dupai.rules import GameSpec

#: Deals between two reports of progress, and between two discounts of the tables.
_STEP, _FADE = 1000, 20_000
#: Slots at the start, and the share in use from which the table grows.
_SLOTS, _FULL = 1 << 21, 0.6
#: Bets and raises of a street that the names of situations have room for.
_MOST_RAISES = 4


class Played(NamedTuple):
    """Hands played: ``hole uint8[n, 3, 2]``; ``did int8[n, 64]``, 0 fold, 1 check or call, 2 bet or raise, -1 after the
    last action; ``won float64[n, 3]`` chips; the number of decisions, and how many of them were in unknown sets."""

    hole: AnyArray
    did: AnyArray
    won: AnyArray
    decisions: int
    strange: int


class LimitSolver:
    """Three-player limit hold'em, solved approximately in an abstraction without perfect recall: hands by bucket, and
    of earlier streets only the number of raises and the last raiser of the street before.

    External sampling (Lanctot, Waugh, Zinkevich, Bowling, "Monte Carlo sampling for regret minimization in extensive
    games", 2009) with linear weights (Brown, Sandholm, "Solving imperfect-information games via discounted regret
    minimization", 2019), applied every 20,000 deals; hopeless raises are mostly skipped. With three players and
    imperfect recall nothing guarantees an equilibrium.

    Args:
        spec: a limit game for three players whose stacks never run out, as ``holdem.limit.3p``.
        boards: ``uint8[n, 5]``, the boards to deal.
        classes: ``uint8[n, 3, 1326]``: the bucket of each hand on their flops, turns and rivers.
        seed: of all deals and draws.

    Raises:
        ConfigError: another game.
    """

    def __init__(self, spec: GameSpec, boards: AnyArray, classes: AnyArray, seed: int = 0) -> None:
        self._game, self._unit = _game(spec)
        self.boards, self.classes, self.seed = boards, classes, seed
        self._rng = Rng(seed)
        self.iterations = 0
        self._table = _empty(_SLOTS)

    @property
    def sets(self) -> int:
        """Information sets met so far."""
        return int(np.count_nonzero(self._table.keys))

    def solve(self, iterations: int, progress: Progress | None = None, total: int | None = None) -> None:
        """Deal until there were ``iterations`` deals in all, or ``progress`` is cancelled. ``total``: the number of
        deals that ``progress`` shows as the goal."""
        progress = progress or NoProgress()
        while self.iterations < iterations and not progress.cancelled:
            n = min(_STEP, iterations - self.iterations, _FADE - self.iterations % _FADE)
            solve_kernel(n, self.boards, self.classes, self._game, self._table, self._rng.state)
            self.iterations += n
            if self.iterations % _FADE == 0:
                done = self.iterations // _FADE
                for numbers in self._table[1:]:
                    numbers *= np.float32(done / (done + 1))
                slots = len(self._table.keys)
                if self.sets > _FULL * slots:
                    self._table = _moved(self._table, 2 * slots)
            progress.report(self.iterations, total or iterations, "deals")

    def play(self, boards: AnyArray, classes: AnyArray, seed: int) -> Played:
        """Play one hand on each board, all three players by the average strategy (without actions below 1 %)."""
        n = len(boards)
        hole, did, won = np.zeros((n, 3, 2), np.uint8), np.zeros((n, 64), np.int8), np.zeros((n, 3))
        decisions, strange = play_kernel(boards, classes, self._game, self._table, Rng(seed).state, hole, did, won)
        return Played(hole, did, won * self._unit, decisions, strange)

    def save(self, file: IO[bytes]) -> None:
        """Write the solver as ``.npz``, without the empty slots."""
        table = self._table
        used = table.keys != 0
        np.savez(
            file,
            game=self._game,
            boards=self.boards,
            classes=self._classes_digest(),
            seed=self.seed,
            iterations=self.iterations,
            slots=len(table.keys),
            rng=self._rng.state,
            **{name: column[used] for name, column in table._asdict().items()},
        )

    def _classes_digest(self) -> AnyArray:
        """Stands for the buckets, which are far larger than the boards."""
        shape = str((self.classes.dtype.str, self.classes.shape)).encode()
        return np.frombuffer(hashlib.sha256(shape + self.classes.tobytes()).digest(), np.uint8)

    def load(self, path: Path) -> None:
        """Continue from a file of :meth:`save` of the same game, boards, buckets and seed.

        Raises:
            FileError: the file is not that.
        """
        stored = read_arrays(path, "solver", packed=False)
        try:
            mine = {
                "game": self._game,
                "boards": self.boards,
                "classes": self._classes_digest(),
                "seed": np.array(self.seed),
            }
            if not all(np.array_equal(stored[name], value) for name, value in mine.items()):
                raise ValueError
            table = _read_table(stored)
            state = array_of(stored, "rng", (4,), np.uint64, exact=True)
            iterations = int(array_of(stored, "iterations", (), np.int64, exact=True))
            if iterations < 0 or not state.any():
                raise ValueError
        except (ValueError, KeyError, TypeError):
            message = f"{path} is not a solver of this game, these boards, these buckets and seed {self.seed}"
            raise FileError(f"{message}: expected a file of save()", path=path) from None
        self._table = table
        self._rng, self.iterations = Rng.from_state(state), iterations


def _empty(slots: int) -> Table:
    return Table(np.zeros(slots, np.uint64), np.zeros((slots, 3), np.float32), np.zeros((slots, 3), np.float32))


def _read_table(stored: dict[str, AnyArray]) -> Table:
    """The table of a file of :meth:`LimitSolver.save`.

    Raises:
        ValueError: the kernels could not work with it. KeyError: an array is missing.
    """
    keys = array_of(stored, "keys", (None,), np.uint64, exact=True)
    regrets, average = (
        array_of(stored, name, (len(keys), 3), np.float32, exact=True) for name in ("regrets", "average")
    )
    slots, expected = int(array_of(stored, "slots", (), np.int64, exact=True)), _SLOTS
    # It only grows where it is that full, and never shrinks.
    while expected < slots and len(keys) > _FULL * expected:
        expected *= 2
    if slots != expected or len(keys) > slots or not keys.all():
        raise ValueError
    table = _moved(Table(keys, regrets, average), slots)
    if np.count_nonzero(table.keys) != len(keys):
        raise ValueError  # a set that is there twice
    return table


def _moved(table: Table, slots: int) -> Table:
    larger = _empty(slots)
    moved_kernel(table, larger)
    return larger


def _game(spec: GameSpec) -> tuple[AnyArray, int]:
    """The numbers that the kernels need, and the chips of a unit."""
    unit = math.gcd(*spec.blinds, *spec.bet_sizes)
    # A lane of chips paid holds 255 units.
    most = sum(size * raises for size, raises in zip(spec.bet_sizes, spec.max_raises, strict=True)) + max(spec.blinds)
    too_long = max(spec.max_raises) > _MOST_RAISES
    played_out = most <= min(255 * unit, *spec.stacks)
    if spec.betting != "limit" or spec.players != 3 or any(spec.antes) or too_long or not played_out:
        game = f"a game of {spec.players} players with betting {spec.betting!r}"
        expected = (
            "three-player limit hold'em of at most 4 raises a street whose stacks never run out (as holdem.limit.3p)"
        )
        raise ConfigError(f"{game}: expected {expected}", key="spec")
    sizes = [n // unit for n in spec.bet_sizes]
    return np.array([*sizes, *spec.max_raises, *spec.first_player, *(b // unit for b in spec.blinds)], np.int64), unit
