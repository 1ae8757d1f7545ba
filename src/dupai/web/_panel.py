"""What the engine says of a decision, as messages of the page."""

from __future__ import annotations

from math import comb, log2, sqrt
from typing import Any

import msgspec
import numpy as np

from dupai.cards import combo
from dupai.engine import ActionLine, Analysis, Coached, LessonLine as EngineLesson, RangeLine, action_of
from dupai.notation import choice_reason, likelier_reason
from dupai.reading import Reading
from dupai.rules import RAISE, View, step_of
from dupai.spots import RaiseBetween
from dupai.web import _messages as m
from dupai.web._state import two_cards

#: A hand held impossible counts as so many bits.
_MIN_BITS = -20.0
_LEVEL = 0.8


def analysis_of(result: Any) -> Analysis:
    """An answer of the engine."""
    return msgspec.convert(result, Analysis)


def readings_of(view: View, analysis: Analysis) -> m.Readings:
    """The panel at a decision."""
    advice = None
    if analysis.actions:
        actions = tuple(_advised(view, line) for line in analysis.actions[:8])
        advice = m.Advice(analysis.agent, actions, analysis.reasons)
    equity = None if analysis.equity is None else m.Measured(*analysis.equity, 0)
    return m.Readings(
        view.hand, len(view.actions), tuple(seat_reading(line, in_hand(view)) for line in analysis.ranges), equity,
        analysis.pot_odds if view.position == view.actor else None, advice,
    )  # fmt: skip


def in_hand(view: View) -> bool:
    """Whether the viewer was dealt in and has not folded."""
    return view.position is not None and not view.folded[view.position]


def _advised(view: View, line: ActionLine) -> m.AdvisedAction:
    action = action_of(line.action)
    step = step_of(view, action)
    choice = choice_reason(view, action if line.high is None else RaiseBetween(action.to, line.high, line.p))
    kind: Any = "all-in" if step.all_in and action.kind == RAISE else step.kind
    return m.AdvisedAction(choice, kind, line.p, step.bet if action.kind == RAISE else None, line.ev)


def seat_reading(line: RangeLine, equity: bool = False) -> m.SeatReading:
    """A reading of one seat; ``equity``: with that of the viewer."""
    classes = tuple(m.ClassShare(name, p) for name, p in line.classes)
    draws = tuple(m.ClassShare(name, p) for name, p in line.draws)
    streets = tuple(m.StreetGrid(street, grid) for street, grid in line.streets)
    said = tuple(Reading(np.array(line.p)).said)
    return m.SeatReading(line.seat, line.p, said, classes, streets, draws, line.equity if equity else None)


def mirror_of(view: View, analysis: Analysis) -> m.Mirror | None:
    """What is read in the receiver."""
    if analysis.mirror is None or analysis.mirror_bits is None:
        return None
    bits = round(analysis.mirror_bits, 3)
    said = likelier_reason(bits, "your hand")
    return m.Mirror(view.hand, len(view.actions), seat_reading(analysis.mirror), said, bits)


def shown_of(line: RangeLine, cards: tuple[int, int], board: int) -> m.Shown:
    """How well a hand that was shown had been read by a seat that knew two cards and ``board`` open ones."""
    reading = Reading(np.array(line.p))
    held = combo(*cards)
    p = reading.probability(held)
    bits = max(log2(comb(50 - board, 2) * p), _MIN_BITS) if p > 0 else _MIN_BITS
    covered = round(reading.covered(held, _LEVEL), 3)
    return m.Shown(line.seat, two_cards(cards), round(bits, 3), p, covered, likelier_reason(bits))


def calibration_of(shown: list[m.Shown]) -> m.Calibration:
    """The session so far."""
    bits = [one.bits for one in shown]
    n = len(bits)
    mean = sum(bits) / n if n else 0.0
    se = sqrt(sum((b - mean) ** 2 for b in bits) / (n - 1) / n) if n > 1 else 0.0
    return m.Calibration(n, m.Measured(mean, se, n), sum(s.covered for s in shown) / n if n else 0.0)


def lesson_of(hand: int, line: EngineLesson) -> m.LessonLine:
    """A lesson of the coach."""
    values = tuple(m.ActionValue(name, m.Measured(*e)) for name, e in line.values)
    decided, gave_up = (hand, line.decision, line.street, line.chosen, line.best), m.Measured(*line.gave_up)
    return m.LessonLine(*decided, gave_up, line.sure, line.about, values)


def lessons_of(hand: int, results: list[Any], before: list[m.LessonLine]) -> m.Lessons:
    """The coach after a hand; ``before`` are the lessons of the session, to which these are added."""
    lines = tuple(lesson_of(hand, line) for one in msgspec.convert(results, list[Coached]) for line in one.lessons)
    before.extend(lines)
    return session_lessons(lines, before)


def session_lessons(lines: tuple[m.LessonLine, ...], session: list[m.LessonLine]) -> m.Lessons:
    """The lessons of a hand with the costliest and the total of the session."""
    worst = sorted((one for one in session if one.gave_up.mean > 0), key=lambda one: -one.gave_up.mean)[:3]
    total = m.Measured(
        sum(one.gave_up.mean for one in session), sqrt(sum(one.gave_up.se**2 for one in session)), len(session)
    )
    return m.Lessons(lines, tuple(worst), total)
