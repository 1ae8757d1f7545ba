"""What the coach says: after each hand, and at the end of a session."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dupai.base import DupaiError, Estimate
from dupai.cli._common import progress
from dupai.cli._study import COACH
from dupai.notation import reason_words

if TYPE_CHECKING:
    from rich.console import Console

    from dupai.arena import Session
    from dupai.arena.live import Companion, Lesson
    from dupai.rules import Action, View

#: Costliest decisions of the summary.
_MAX_LESSONS = 3


class Lessons:
    """Judges the person's decisions of each hand.

    Args:
        companion: the person's.
        deals: for each decision.
    """

    def __init__(self, out: Console, companion: Companion, deals: int, seed: int) -> None:
        self._out, self._companion, self._deals, self._seed = out, companion, deals, seed
        self.all: list[tuple[Lesson, View]] = []

    def judge(self, decisions: Sequence[tuple[View, Action]], hands: int) -> list[str]:
        """Print what the decisions of a hand gave up; returns a line on each that lost for sure. The reader has seen
        the ``hands`` hands before it."""
        if not decisions:
            return []
        self._out.print("  coach", style="bold")
        lines = []
        found = self._companion.lessons(decisions, deals=self._deals, seed=self._seed, hands=hands)
        for view, lesson in found:
            if isinstance(lesson, DupaiError):
                self._out.print(f"    no estimate: {lesson}", markup=False, soft_wrap=True)
                continue
            self.all.append((lesson, view))
            words = reason_words(lesson.about(view))
            self._out.print(f"    {words}", style="yellow" if lesson.sure else "dim", soft_wrap=True)
            if lesson.sure:
                lines.append(COACH + words)
        return lines


def print_costliest(out: Console, lessons: Sequence[tuple[Lesson, View]], folder: Path) -> None:
    """The decisions that gave up most, and how to see them again."""
    judged = len(lessons)
    gave = max(sum(lesson.gave_up.mean for lesson, _ in lessons), 0.0)
    error = sum(lesson.gave_up.se**2 for lesson, _ in lessons) ** 0.5
    worst = sorted((one for one in lessons if one[0].gave_up.mean > 0), key=lambda one: -one[0].gave_up.mean)
    which = "; the costliest:" if worst else ""
    out.print(f"coach: {judged} decisions gave up {gave:.1f} ± {error:.1f} bb in all{which}", style="bold")
    for lesson, view in worst[:_MAX_LESSONS]:
        out.print(f"  hand {lesson.hand}, {reason_words(lesson.about(view))}", soft_wrap=True)
        out.print(f"    dupai run --replay {lesson.hand} {shlex.quote(str(folder))}", style="dim", soft_wrap=True)


def print_luck(out: Console, session: Session, me: int) -> None:
    """The person's result a hand, and the same without the luck of the cards and of the opponents' decisions."""
    from dupai.stats import luck_adjusted

    if not session.records:
        return
    seats, faults = session.players.seats, session.players.fault_counts
    policies = [
        seat.policy if entrant.stateless and seat.can.policy and not faulty else None
        for seat, entrant, faulty in zip(seats, session.entrants, faults, strict=True)
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
