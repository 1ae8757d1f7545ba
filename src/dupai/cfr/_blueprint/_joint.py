"""A blueprint by several solvers at once, in processes or on the machines of a cluster.

Each part goes through boards of its own and knows nothing of the others; at the end their strategies are averaged. In a
game for two a best response to such an average wins at most the mean of what best responses to the parts win, for that
is convex in the strategy (with imperfect recall only nearly). As many boards in one solver give a better strategy: what
it learns from a board it knows at the next.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, ClassVar, NamedTuple

import msgspec
import numpy as np

from dupai.base import ConfigError, NoProgress, Progress
from dupai.base.arrays import F32
from dupai.base.files import SIZE_LIMITS, array_of
from dupai.cfr._blueprint._cards import CardBuckets
from dupai.cfr._blueprint._solver import BlueprintSolver, read_clock, stored_work
from dupai.cfr._blueprint._tree import BetMenu
from dupai.jobs import Backend, Pulse, share_out
from dupai.rules import GameSpec


class _State(NamedTuple):
    """How far a part is."""

    regrets: F32
    plan: F32
    passes: int
    seconds: float


class _Part(NamedTuple):
    """A part's game and cards, how far it is, and how far it shall go: boards and seconds in all."""

    spec: GameSpec
    menu: BetMenu
    cards: CardBuckets
    seed: int
    state: _State | None
    passes: int
    seconds: float


def solve_part(part: _Part, pulse: Pulse) -> _State | None:
    """Go on with a part; what was learned until it was told to stop counts. None: nothing yet."""
    if pulse.cancelled:
        return part.state
    solver = BlueprintSolver(part.spec, part.menu, part.cards, part.seed)
    if part.state is not None:
        solver.regrets, solver.plan = part.state.regrets.copy(), part.state.plan.copy()
        solver.passes, solver.seconds = part.state.passes, part.state.seconds
    solver.solve(part.passes, pulse, lambda: solver.seconds >= part.seconds)
    return _State(solver.regrets, solver.plan, solver.passes, solver.seconds)


class JointSolver(BlueprintSolver):
    """Several solvers of one game, on boards of seeds that follow each other.

    ``passes`` is the number of boards of all parts; ``seconds`` the longest time of one.

    Args:
        parts: how many. backend: where they run (:func:`dupai.jobs.make_backend`). Else as :class:`BlueprintSolver`.

    Raises:
        ConfigError: also where all states together are larger than a file of them may be.
    """

    #: Seconds for which the parts work by themselves before their states come back.
    stage: ClassVar[float] = 120.0

    def __init__(
        self, spec: GameSpec, menu: BetMenu, buckets: CardBuckets, seed: int, parts: int, backend: Backend | str
    ) -> None:
        super().__init__(spec, menu, buckets, seed)
        size, most = parts * (self.regrets.nbytes + self.plan.nbytes) + (1 << 24), SIZE_LIMITS["blueprint in work"]
        if size > most:
            raise ConfigError(
                f"{parts} solvers of this game take {size:,} bytes to save: expected at most {most:,}; use fewer "
                "solvers, buckets or bets",
                key="jobs",
            )
        self._backend = backend
        self._states: list[_State | None] = [None] * parts

    def go_on(self, passes: int, seconds: float, progress: Progress | None = None) -> None:
        """Until every part has its share of so many boards or so many seconds, or ``progress`` is cancelled."""
        look, n = progress or NoProgress(), len(self._states)
        parts = [
            _Part(self.spec, self.menu, self.cards, self.seed + i, state, -(-passes // n), seconds)
            for i, state in enumerate(self._states)
        ]
        self._take(share_out(solve_part, parts, backend=self._backend, jobs=n, progress=_Clock(look, self)))

    def solve(self, passes: int, progress: Progress | None = None, enough: Callable[[], bool] | None = None) -> None:
        """As :meth:`BlueprintSolver.solve`; ``enough()`` is asked after every stage."""
        look = progress or NoProgress()
        while self.passes < passes and not look.cancelled and not (enough and enough()):
            self.go_on(passes, self.seconds + self.stage, look)

    def _take(self, states: list[_State | None]) -> None:
        self._states = states
        some = [state for state in states if state is not None]
        if not some:
            return
        self.passes = sum(state.passes for state in some)
        self.seconds = max(state.seconds for state in some)
        self.regrets = np.sum([state.regrets for state in some], axis=0)
        self.plan = np.sum([state.plan for state in some], axis=0)

    def save(self, file: IO[bytes]) -> None:
        some: dict[str, Any] = {}
        for i, state in enumerate(self._states):
            if state is not None:
                some |= {f"{name}_{i}": value for name, value in state._asdict().items()}
        np.savez(file, menu=np.frombuffer(self._about, np.uint8), **some, **self.cards._asdict())

    def load(self, path: Path) -> None:
        """Continue from a file of :meth:`save` of the same game, bets, cards, seed and number of parts.

        Raises:
            FileError: the file is not that.
        """
        with stored_work(path, self._about, self.cards) as stored:
            states: list[_State | None] = []
            for i in range(len(self._states)):
                if f"regrets_{i}" not in stored:
                    states.append(None)
                    continue
                regrets, plan = (
                    array_of(stored, f"{name}_{i}", self.plan.shape, np.float32, exact=True)
                    for name in ("regrets", "plan")
                )
                states.append(_State(regrets, plan, *read_clock(stored, f"_{i}")))
        self._take(states)

    @property
    def _about(self) -> bytes:
        return msgspec.json.encode({"one": super()._about.decode(), "parts": len(self._states)})


class _Clock(NoProgress):
    """Keeps the solver's time while its parts are at work, and shows its boards before that."""

    def __init__(self, look: Progress, solver: JointSolver) -> None:
        self._look, self._solver = look, solver
        self._began = time.monotonic() - solver.seconds

    @property
    def cancelled(self) -> bool:
        return self._look.cancelled

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self._solver.seconds = time.monotonic() - self._began
        self._look.report(self._solver.passes, total, "boards")
