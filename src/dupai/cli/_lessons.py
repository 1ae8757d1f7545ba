"""What the coach says: after each hand, and at the end of a session."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dupai.base import ConfigError, DupaiError, Estimate
from dupai.cli._common import progress
from dupai.cli._seat import choice
from dupai.cli._study import COACH, Learner
from dupai.rules import STREET_NAMES

if TYPE_CHECKING:
    from rich.console import Console

    from dupai.agents import Agent
    from dupai.arena import Lesson, Session
    from dupai.reading import Reader
    from dupai.rules import Action, View

#: Costliest decisions of the summary.
_MOST = 3


def who_plays_on(session: Session, spec: str, me: int) -> Callable[[int], Agent]:
    """A new agent for each seat: opponents as they are, if their play depends on the view alone, else ``spec``.

    Raises:
        ConfigError: the play of ``spec`` depends on more than the view.
    """
    from dupai.agents import make_agent, traits_of

    if not traits_of(type(make_agent(spec))).stateless:
        raise ConfigError(
            f"--coach-agent {spec!r} learns from hands: expected one that does not, as rules", key="coach"
        )

    def make(seat: int) -> Agent:
        entrant = session.entrants[seat]
        return entrant.make() if seat != me and entrant.stateless else make_agent(spec)

    return make


class Lessons:
    """Judges the person's decisions of each hand.

    Args:
        reader: theirs, from the person's seat.
        plays: see :func:`who_plays_on`.
        deals: for each decision.
    """

    def __init__(
        self, out: Console, reader: Learner[Reader], plays: Callable[[int], Agent], deals: int, seed: int
    ) -> None:
        self._out, self._reader, self._plays = out, reader, plays
        self._deals, self._seed = deals, seed
        self.all: list[tuple[Lesson, View]] = []

    def judge(self, decisions: Sequence[tuple[View, Action]], hands: int) -> list[str]:
        """Print what the decisions of a hand gave up; returns a line on each that lost for sure. The reader has seen
        the ``hands`` hands before it."""
        from dupai.arena import Coach

        if not decisions:
            return []
        coach = Coach(self._reader.ready(hands), self._plays, self._deals, seed=self._seed)
        self._out.print("  coach", style="bold")
        lines = []
        for number, (view, action) in enumerate(decisions, 1):
            try:
                lesson = coach.lesson(view, action, number)
            except DupaiError as error:
                self._out.print(f"    no estimate: {error}", markup=False, soft_wrap=True)
                continue
            self.all.append((lesson, view))
            words = lesson_words(lesson, view)
            self._out.print(f"    {words}", style="yellow" if lesson.sure else "dim", soft_wrap=True)
            if lesson.sure:
                lines.append(COACH + words)
        return lines


def lesson_words(lesson: Lesson, view: View) -> str:
    """``flop, call 300: gave up 2.1 ± 0.6 bb, better fold``."""
    what = f"{STREET_NAMES[lesson.street]}, {choice(view, lesson.chosen)}"
    gave = lesson.gave_up
    error = f"{max(gave.mean, 0.0):.1f} ± {gave.se:.1f} bb"
    if lesson.best == lesson.chosen:
        ahead = f"{lesson.ahead.mean:.1f} ± {lesson.ahead.se:.1f} bb"
        return f"{what}: nothing better (ahead by {ahead})" if len(lesson.values) > 1 else f"{what}: no choice"
    better = choice(view, lesson.best)
    return f"{what}: gave up {error}, better {better}" if lesson.sure else f"{what}: about even ({error} to {better})"


def print_costliest(out: Console, lessons: Sequence[tuple[Lesson, View]], folder: Path) -> None:
    """The decisions that gave up most, and how to see them again."""
    judged = len(lessons)
    gave = max(sum(lesson.gave_up.mean for lesson, _ in lessons), 0.0)
    error = sum(lesson.gave_up.se**2 for lesson, _ in lessons) ** 0.5
    out.print(f"coach: {judged} decisions gave up {gave:.1f} ± {error:.1f} bb in all; the costliest:", style="bold")
    worst = sorted(lessons, key=lambda one: -one[0].gave_up.mean)[:_MOST]
    for lesson, view in worst:
        if lesson.gave_up.mean <= 0:
            continue
        out.print(f"  hand {lesson.hand}, {lesson_words(lesson, view)}", soft_wrap=True)
        out.print(f"    dupai run --replay {lesson.hand} {shlex.quote(str(folder))}", style="dim", soft_wrap=True)


def print_luck(out: Console, session: Session, me: int) -> None:
    """The person's result a hand, and the same without the luck of the cards and of the opponents' decisions."""
    from dupai.agents import HasPolicy
    from dupai.stats import luck_adjusted

    if not session.records:
        return
    agents, faults = session.players.agents, session.players.fault_counts
    policies = [
        agent.policy if entrant.stateless and isinstance(agent, HasPolicy) and not faulty else None
        for agent, entrant, faulty in zip(agents, session.entrants, faults, strict=True)
    ]
    blind = session.spec.big_blind
    rows = []
    with progress("taking out luck") as bar:
        for done, record in enumerate(session.records):
            if bar.cancelled:
                break
            rows.append(float(luck_adjusted([record], policies)[0][me]) / blind)
            bar.report(done + 1, len(session.records), "hands")
    plain = Estimate.of(r.payoffs[r.seats.index(me)] / r.spec.split / blind for r in session.records[: len(rows)])
    if len(rows) < 2:
        return

    def words(e: Estimate) -> str:
        return f"{100 * e.mean:+,.0f} ± {100 * e.se:,.0f}"

    out.print(f"big blinds per 100 hands, ± standard error ({len(rows)} hands)", style="bold")
    out.print(f"  as it came      {words(plain)}")
    out.print(f"  luck taken out  {words(Estimate.of(rows))}")
