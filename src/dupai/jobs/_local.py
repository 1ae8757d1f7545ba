"""This machine: this process for short work, worker processes for long work."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from dupai.jobs._backend import Tick, Work, check_sendable
from dupai.jobs._processes import ProcessBackend
from dupai.jobs._serial import SerialBackend, SerialPulse
from dupai.jobs._workers import can_fork

#: Seconds of work, after the first step, from which the length of all of it is estimated.
TRIAL_SECONDS = 0.3
#: About what it takes until workers work (measured: 1 to 2 s on two cores), and its share where they can be forked from
#: this process (start, and the work that is done again).
START_SECONDS = 1.5
FORK_SHARE = 0.2


class _Trial(SerialPulse):
    """Counts steps in this process; once it has seen enough it stops the work if workers are worth their start."""

    def __init__(self, tick: Tick, total: int, jobs: int) -> None:
        super().__init__(tick)
        self._total = total
        self._jobs = jobs
        self._start = 0.0
        self._decided = False
        #: Whether workers do the rest.
        self.hand_over = False

    def gave_up(self) -> bool:
        """Whether the work was stopped because it is for workers, and for no other reason."""
        return self.hand_over and self.going

    def step(self) -> bool:
        now = time.perf_counter()
        if self.steps == 1:
            # The first step may have loaded or compiled what it needs.
            self._start = now
        super().step()
        if not self._decided and self.steps > 2 and now - self._start >= TRIAL_SECONDS:
            self._decided = True
            rest = (self._total - self.steps) * (now - self._start) / (self.steps - 2)
            # jobs workers on as many cores take rest / jobs and their start.
            start = START_SECONDS * (FORK_SHARE if can_fork() else 1)
            self.hand_over = rest * (1 - 1 / self._jobs) > start
        return self.going and not self.hand_over

    @property
    def cancelled(self) -> bool:
        return not self.look() or self.hand_over


class LocalBackend:
    """Up to ``jobs`` worker processes, where the work is long enough for them.

    Tasks that say by an attribute ``size`` how many steps they take at most begin in this process: their first steps
    show how long the rest takes (an upper limit, where a task may end early). What an unfinished task had done when it
    is handed over is done again. Other tasks go to worker processes at once.

    Attributes:
        choice: what was chosen and why, for people; empty if there was nothing to choose.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self.choice = ""

    def run(self, work: Work, tasks: Sequence[Any], tick: Tick) -> Iterator[tuple[int, Any]]:
        """As :class:`Backend`.

        Raises:
            WorkerError, ConfigError: as :class:`ProcessBackend`.
        """
        jobs = min(self._jobs, len(tasks))
        if jobs <= 1:
            yield from SerialBackend().run(work, tasks, tick)
            return
        sizes = [task.size for task in tasks if hasattr(task, "size")]
        if len(sizes) < len(tasks):
            yield from ProcessBackend(jobs).run(work, tasks, tick)
            return
        check_sendable(work, tasks, f"jobs = {self._jobs}")
        trial = _Trial(tick, sum(sizes), jobs)
        for index, task in enumerate(tasks):
            if not trial.going:
                return
            if trial.gave_up():
                break
            result = work(task, trial)
            if trial.gave_up() and not getattr(result, "complete", False):
                break
            trial.finish()
            yield index, result
        else:
            self.choice = f"played in this process: the work is too short for {jobs} workers to be worth their start"
            return
        self.choice = f"played by {jobs} worker processes"
        done, steps = trial.done, trial.steps
        rest = ProcessBackend(jobs).run(work, tasks[index:], lambda d, s: tick(done + d, steps + s))
        for place, result in rest:
            yield index + place, result
