"""This machine: this process for short work, worker processes for long."""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterator, Sequence
from typing import Any

from dupai.arena.backends._processes import ProcessBackend, unsendable
from dupai.arena.backends._seam import Tick, Work
from dupai.arena.backends._serial import SerialBackend

#: Seconds of play, after the first hand, by which it is judged how long the work takes.
TRIAL_SECONDS = 0.3
#: About what it takes until workers play (measured: 1 to 2 s on two cores).
START_SECONDS = 1.5


class _Trial:
    """Counts hands in this process; once it has seen enough it says to stop, if workers are worth their start."""

    def __init__(self, tick: Tick, total: int, jobs: int) -> None:
        self._tick = tick
        self._total = total
        self._jobs = jobs
        self._start = 0.0
        self._next = 0.0
        self.hands = 0
        self.done = 0
        self.going = True
        self.decided = False
        #: Seconds that the rest would take here; and whether it is for workers.
        self.seconds = 0.0
        self.hand_over = False

    def gave_up(self) -> bool:
        """Whether the work was told to stop because it is for workers, and for no other reason."""
        return self.hand_over and self.going

    def hand(self) -> bool:
        self.hands += 1
        now = time.perf_counter()
        if self.hands == 2:
            # The first hand may have loaded or compiled what it needs.
            self._start = now
        if now >= self._next:
            self._next = now + 0.05
            self.going = self._tick(self.done, self.hands) and self.going
            if not self.decided and self.hands > 2 and now - self._start >= TRIAL_SECONDS:
                self.decided = True
                self.seconds = (self._total - self.hands) * (now - self._start) / (self.hands - 2)
                # jobs workers on as many cores take seconds / jobs and their start.
                self.hand_over = self.seconds * (1 - 1 / self._jobs) > START_SECONDS
        return self.going and not self.hand_over


class LocalBackend:
    """Up to ``jobs`` worker processes, where the work is long enough for them.

    The first hands are played here; from their rate it follows how long the rest takes (a tournament match ends early,
    so there it is an upper limit). What a unit of work had played when it is handed over is played again.

    Attributes:
        said: what was chosen and why, for people; empty: nothing was to choose.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self.said = ""

    def run(self, work: Work, tasks: Sequence[Any], tick: Tick) -> Iterator[tuple[int, Any]]:
        """As :class:`Backend`.

        Raises:
            AgentError, ConfigError: as :class:`ProcessBackend`.
        """
        jobs = min(self._jobs, len(tasks))
        if jobs <= 1:
            yield from SerialBackend().run(work, tasks, tick)
            return
        try:
            pickle.dumps((work, tasks[0]))
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise unsendable(self._jobs, error) from None
        trial = _Trial(tick, sum(t.hands for t in tasks), jobs)
        for index, task in enumerate(tasks):
            if not trial.going:
                return
            if trial.gave_up():
                break
            result = work(task, trial)
            if trial.gave_up() and not getattr(result, "complete", False):
                break
            trial.done += 1
            trial.going = tick(trial.done, trial.hands) and trial.going
            yield index, result
        else:
            self.said = f"played in this process: the work is too short for {jobs} workers to be worth their start"
            return
        self.said = f"played by {jobs} worker processes (one alone would have taken {trial.seconds:,.0f} s more)"
        done, hands = trial.done, trial.hands
        rest = ProcessBackend(jobs).run(work, tasks[index:], lambda d, h: tick(done + d, hands + h))
        for place, result in rest:
            yield index + place, result
