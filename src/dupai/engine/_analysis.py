"""Analysis of one decision as plain data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dupai.agents import Advice
from dupai.arena.live import Companion, Lesson
from dupai.base import DupaiError, Estimate
from dupai.base.arrays import F64
from dupai.cards import NO_CARD, combo
from dupai.engine._messages import ActionLine, Analysis, LessonLine, RangeLine
from dupai.equity import equity
from dupai.notation import Reason, choice_reason, street_choice_words, with_words
from dupai.reading import Reading, hand_shares
from dupai.rules import Action, View

#: Deals of an equity that is not counted exactly.
_SAMPLES = 4000
#: An impossible hand counts as so many bits, as in the scores of readers.
_MIN_BITS = -20.0
#: The smallest probability of a hand that is not sent as 0.
_MIN_CHANCE = 1e-12


def analysis_of(
    companion: Companion,
    view: View,
    want: Sequence[str],
    digits: int,
    check: Callable[[], None],
    agent: str | None = None,
) -> Analysis:
    """All that is wanted of a decision.

    Args:
        companion: of the seat to act.
        view: its view.
        want: any of ``actions``, ``ranges``, ``equity``, ``mirror``, ``streets``.
        digits: of probabilities: significant ones of hands, decimal places of classes and draws.
        check: called between the parts; raises where the request was cancelled.
        agent: who is asked for actions; None: the companion's advisor.
    """
    fields: dict[str, Any] = {}
    if view.to_call:
        fields["pot_odds"] = round(view.to_call / (view.winnable + view.to_call), 6)
    if "actions" in want and not view.finished:
        advice = companion.advice(view, agent)
        fields["actions"], fields["reasons"] = action_lines(view, advice), tuple(map(with_words, advice.reasons))
        check()
    if {"ranges", "equity"} & set(want):
        readings = dict(companion.readings(view))
        check()
        if "ranges" in want:
            fields["ranges"] = tuple(
                range_line(companion.earlier(view, seat) if "streets" in want else [], view, seat, reading, digits)
                for seat, reading in readings.items()
            )
            check()
        if "equity" in want and readings and NO_CARD not in view.hole:
            # Equity deals hands that fit each other.
            apart = companion.readings_to_draw(view) if len(readings) > 1 else readings
            fields["equity"] = _equity(view, list(apart.values()))
    if "mirror" in want:
        reading = companion.mirror(view)
        legal = int((reading.p > 0).sum())
        fields["mirror_bits"] = max(reading.gain(combo(*view.hole), legal), _MIN_BITS)
        past = companion.earlier(view, companion.seat) if "streets" in want else []
        fields["mirror"] = range_line(past, view, companion.seat, reading, digits, equity=False)
    return Analysis(agent=agent or companion.advisor, reader=companion.reader_spec, **fields)


def action_lines(view: View, advice: Advice) -> tuple[ActionLine, ...]:
    """The actions of an advice, the most probable first."""
    lines = []
    big = max(view.spec.big_blind, 1)
    for k, action in enumerate(advice.actions):
        plain = isinstance(action, Action)
        lines.append(
            ActionLine(
                action=str(action) if isinstance(action, Action) else f"r{action.lo}",
                text=street_choice_words(view, action),
                p=round(float(advice.probabilities[k]), 6),
                high=None if plain else action.hi,  # type: ignore[union-attr]
                ev=None if advice.values is None else round(float(advice.values[k]) / big, 4),
                visits=None if advice.visits is None else int(advice.visits[k]),
            )
        )
    return tuple(sorted(lines, key=lambda line: -line.p))


def range_line(
    past: Sequence[tuple[int, Reading]],
    view: View,
    seat: int,
    reading: Reading,
    digits: int,
    equity: bool = True,
) -> RangeLine:
    """A reading as plain data, with those at the ends of the streets before (street, reading)."""
    made, draws = hand_shares(reading, view.board)
    return RangeLine(
        seat=seat,
        p=tuple(_rounded(reading.p, digits).tolist()),
        entropy=round(reading.entropy, 4),
        classes=tuple((name, round(share, digits)) for name, share in made),
        draws=tuple((name, round(share, digits)) for name, share in draws),
        streets=tuple((street, _grid(then)) for street, then in (*past, (view.street, reading))),
        equity=_equity(view, [reading])[0] if equity and NO_CARD not in view.hole else None,
    )


def _rounded(p: F64, digits: int) -> F64:
    """Probabilities with so many significant digits: a hand that is possible stays so, unless it is below 1e-12."""
    scale = 10.0 ** (digits - 1 - np.floor(np.log10(np.maximum(p, _MIN_CHANCE))))
    return np.where(p < _MIN_CHANCE, 0.0, np.round(p * scale) / scale)


def _grid(reading: Reading) -> tuple[float, ...]:
    return tuple(np.round(reading.class_grid, 4).tolist())


def _equity(view: View, readings: Sequence[Reading]) -> tuple[float, float]:
    mine = np.zeros(len(readings[0].p))
    mine[combo(*view.hole)] = 1.0
    hands = [mine, *(r.p / r.p.max() for r in readings)]
    samples = _SAMPLES if len(readings) > 1 or len(view.board) < 3 else None
    result = equity(hands, view.board, samples=samples)
    return round(float(result.equity[0]), 6), round(float(result.se[0]), 6)


def lesson_line(view: View, lesson: Lesson) -> LessonLine:
    """A coach's lesson as plain data."""
    return LessonLine(
        decision=lesson.decision,
        street=lesson.street,
        chosen=with_words(choice_reason(view, lesson.chosen)),
        best=with_words(choice_reason(view, lesson.best)),
        gave_up=_measured(lesson.gave_up),
        values=tuple((name, _measured(e)) for name, e in lesson.values.items()),
        sure=lesson.sure,
        about=with_words(lesson.about(view)),
    )


def _measured(e: Estimate) -> tuple[float, float, int]:
    return round(float(e.mean), 4), round(float(e.se), 4), int(e.n)


def no_lesson(view: View, decision: int, action: Action, error: DupaiError) -> LessonLine:
    """A decision that could not be judged."""
    did = with_words(choice_reason(view, action))
    about = with_words(Reason("no_estimate", {"cause": str(error)}))
    return LessonLine(decision, view.street, did, did, (0.0, 0.0, 0), (), False, about)
