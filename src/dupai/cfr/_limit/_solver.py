"""An approximate equilibrium of three-player limit hold'em by external sampling."""

from __future__ import annotations

import math
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError, NoProgress, Progress, Rng
from dupai.cfr._limit._kernels import moved_kernel, play_kernel, solve_kernel
from dupai.rules import GameSpec

Array = npt.NDArray[Any]
#: Deals between two looks at progress, and between two times that what is old fades.
_STEP, _FADE = 1000, 20_000
#: Slots at first, and the share of them in use from which the table grows.
_SLOTS, _FULL = 1 << 21, 0.6


class Played(NamedTuple):
    """Hands played: ``hole uint8[n, 3, 2]``; ``did int8[n, 64]``, 0 fold, 1 check or call, 2 bet or raise, -1 after the
    last; ``won float64[n, 3]`` chips; decisions, and how many of them the solver had never met."""

    hole: Array
    did: Array
    won: Array
    decisions: int
    strange: int


class LimitSolver:
    """Three-player limit hold'em, solved approximately: every information set of an abstraction that does not remember
    all (hands by bucket; of earlier streets how many raises, and on the last one by whom).

    External sampling (Lanctot, Waugh, Zinkevich, Bowling, "Monte Carlo sampling for regret minimization in extensive
    games", 2009) with linear weights (Brown, Sandholm, "Solving imperfect-information games via discounted regret
    minimization", 2019), faded every 20,000 deals; hopeless raises are mostly skipped. With three players, and with
    what is forgotten, nothing guarantees an equilibrium; it plays like programs that were computed in this way.

    Args:
        spec: a limit game for three without limits by stacks, as ``holdem.limit.3p``.
        boards: ``uint8[n, 5]``, the boards that are dealt.
        classes: ``uint8[n, 3, 1326]``: the bucket of each hand on their flops, turns and rivers.
        seed: of all deals and draws.

    Raises:
        ConfigError: the game is another one.
    """

    def __init__(self, spec: GameSpec, boards: Array, classes: Array, seed: int = 0) -> None:
        self._game, self._unit = _game(spec)
        self.boards, self.classes, self.seed = boards, classes, seed
        self._rng = Rng(seed)
        self.iterations = 0
        self._keys = np.zeros(_SLOTS, np.uint64)
        self._regrets = np.zeros((_SLOTS, 3), np.float32)
        self._average = np.zeros((_SLOTS, 3), np.float32)

    @property
    def sets(self) -> int:
        """Information sets met so far."""
        return int(np.count_nonzero(self._keys))

    def solve(self, iterations: int, progress: Progress | None = None, total: int | None = None) -> None:
        """Deals until there were ``iterations`` of them in all (of ``total`` that are to come, for ``progress``), or
        ``progress`` is cancelled."""
        look = progress or NoProgress()
        while self.iterations < iterations and not look.cancelled:
            n = min(_STEP, iterations - self.iterations, _FADE - self.iterations % _FADE)
            solve_kernel(
                n, self.boards, self.classes, self._game, self._keys, self._regrets, self._average, self._rng.state
            )
            self.iterations += n
            if self.iterations % _FADE == 0:
                done = self.iterations // _FADE
                for table in (self._regrets, self._average):
                    table *= np.float32(done / (done + 1))
                if self.sets > _FULL * len(self._keys):
                    self._grow()
            look.report(self.iterations, total or iterations, "deals")

    def _grow(self) -> None:
        n = 2 * len(self._keys)
        keys, tables = np.zeros(n, np.uint64), np.zeros((2, n, 3), np.float32)
        moved_kernel(self._keys, self._regrets, self._average, keys, *tables)
        self._keys, (self._regrets, self._average) = keys, tables

    def play(self, boards: Array, classes: Array, seed: int) -> Played:
        """One hand on each of these boards, all three by the average strategy (without actions below 1 %)."""
        n = len(boards)
        hole, did, won = np.zeros((n, 3, 2), np.uint8), np.zeros((n, 64), np.int8), np.zeros((n, 3))
        decisions, strange = play_kernel(
            boards, classes, self._game, self._keys, self._average, Rng(seed).state, hole, did, won
        )
        return Played(hole, did, won * self._unit, decisions, strange)

    def save(self, file: IO[bytes]) -> None:
        """Into an ``.npz``, only what is in use."""
        used = self._keys != 0
        np.savez(
            file,
            game=self._game,
            boards=self.boards,
            seed=self.seed,
            iterations=self.iterations,
            slots=len(self._keys),
            rng=self._rng.state,
            keys=self._keys[used],
            regrets=self._regrets[used],
            average=self._average[used],
        )

    def load(self, path: Path) -> None:
        """Go on from :meth:`save` with the same game, boards, buckets and seed.

        Raises:
            ConfigError: it is not that.
        """
        try:
            with np.load(path) as found:
                told = {name: found[name] for name in found.files}
            mine = self._game, self.boards, np.array(self.seed)
            if not all(
                np.array_equal(told[name], one) for name, one in zip(("game", "boards", "seed"), mine, strict=True)
            ):
                raise ValueError
            slots = int(told["slots"])
            keys, tables = np.zeros(slots, np.uint64), np.zeros((2, slots, 3), np.float32)
            moved_kernel(told["keys"], told["regrets"], told["average"], keys, *tables)
        except (OSError, ValueError, KeyError, EOFError):
            raise ConfigError(
                f"{path} is not a solver of this game, these boards and seed {self.seed}: expected what save() wrote"
            ) from None
        self._keys, (self._regrets, self._average) = keys, tables
        self._rng = Rng.from_state(told["rng"])
        self.iterations = int(told["iterations"])


def _game(spec: GameSpec) -> tuple[Array, int]:
    """The numbers that the kernels need, and the chips of a unit."""
    unit = math.gcd(*spec.blinds, *spec.bet_sizes)
    # Lanes of what is paid hold 255 units.
    most = sum(size * raises for size, raises in zip(spec.bet_sizes, spec.max_raises, strict=True)) + max(spec.blinds)
    if spec.betting != "limit" or spec.players != 3 or any(spec.antes) or most > 255 * unit or most > min(spec.stacks):
        raise ConfigError(
            f"a game of {spec.players} players with betting {spec.betting!r}: expected three-player limit "
            "hold'em whose stacks never end (as holdem.limit.3p)"
        )
    sizes = [n // unit for n in spec.bet_sizes]
    return np.array([*sizes, *spec.max_raises, *spec.first_player, *(b // unit for b in spec.blinds)], np.int64), unit
