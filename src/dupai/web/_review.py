"""A recorded hand step by step, and its decisions from what their actors could know."""

from __future__ import annotations

from itertools import zip_longest

import msgspec

from dupai.base import DupaiError, HistoryError
from dupai.cards import NO_CARD, card_text
from dupai.engine import Engine, Hand, LessonLine
from dupai.equity import equity
from dupai.notation import Reason, choice_reason, result_reasons, step_reason
from dupai.rules import BOARD_CARDS, Action, HandRecord, HandState, View, step_of, steps_of
from dupai.web import _messages as m
from dupai.web._panel import analysis_of, lesson_of, readings_of
from dupai.web._state import two_cards

#: Deals of an all-in equity that is not counted exactly.
_SAMPLES = 20_000


def line_of(number: int, record: HandRecord) -> m.HandLine:
    """A hand in a list."""
    names = names_of(record)
    try:
        steps = steps_of(record)
        result = tuple(m.Winner(names[p], about) for p, about in result_reasons(steps, record.spec.split)[:2])
        pot = steps[-1].pot
    except DupaiError as error:
        result, pot = (m.Winner("", Reason("not_replayed", {"cause": str(error)})),), 0
    return m.HandLine(number, _title(record), names, _cards(record.board), pot, result)


def names_of(record: HandRecord) -> tuple[str, ...]:
    """A name for each position."""
    if record.names:
        return record.names
    return tuple(f"seat {s + 1}" for s in (record.seats or range(record.spec.players)))


def _title(record: HandRecord) -> Reason:
    blinds = "/".join(str(b) for b in sorted(b for b in record.spec.blinds if b))
    if record.section:
        return Reason("hand_title_of", {"hand": record.hand, "blinds": blinds, "section": record.section})
    return Reason("hand_title", {"hand": record.hand, "blinds": blinds})


def _cards(cards: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(card_text(c) for c in cards if c != NO_CARD)


def replay_of(number: int, record: HandRecord) -> m.ReplayHand:
    """The whole hand; places in its lists are positions, the button last.

    Raises:
        RulesError: it does not replay.
    """
    spec = record.spec
    names = names_of(record)
    about, seat = Reason("blinds_posted"), None
    steps = []
    for state, action in zip_longest(record.states(), record.actions):
        steps.append(_step(state, seat, about))
        if action is not None:
            seat, about = state.actor, step_reason(step_of(state, action))
    return m.ReplayHand(
        id=number, title=_title(record), game=spec.betting, names=names, stacks=record.stacks, button=spec.button,
        blinds=spec.blinds, big_blind=spec.big_blind,
        cards=tuple(None if NO_CARD in two else two_cards(two) for two in record.hole),
        payoffs=tuple(p / spec.split for p in record.payoffs), board=_cards(record.board), steps=tuple(steps),
        comment=record.comment,
    )  # fmt: skip


def _step(state: HandState, seat: int | None, about: Reason) -> m.Step:
    actor = None if state.finished else state.actor
    stacks, bets, pot = state.stacks, state.bets, state.pot
    if state.finished:
        # What nobody called goes back before the pot is paid.
        position, back = state.uncalled
        bets, pot = (0,) * len(bets), pot - back
        stacks = tuple(stack + (back if p == position else 0) for p, stack in enumerate(stacks))
    return m.Step(
        len(state.actions), state.street, _cards(state.board), stacks, bets, state.folded, pot, actor, seat, about,
    )  # fmt: skip


def equities_of(record: HandRecord) -> list[m.EquityPoint]:
    """All-in equity at the start of each street, of those who are in and whose cards are known."""
    points = []
    street = -1
    for state in record.states():
        while street < (3 if state.showdown else state.street):
            street += 1
            points.append(_equity_point(record, state, street))
    return points


def _equity_point(record: HandRecord, state: HandState, street: int) -> m.EquityPoint:
    n = record.spec.players
    live = [p for p in range(n) if not state.folded[p] and NO_CARD not in record.hole[p]]
    shares: list[float | None] = [None] * n
    board = record.board[: BOARD_CARDS[street]]
    if len(live) > 1 and len(board) == BOARD_CARDS[street]:
        # Cards of players who folded are dead where they are known.
        dead = [c for p, two in enumerate(record.hole) for c in two if p not in live and c != NO_CARD]
        samples = _SAMPLES if street == 0 else None
        found = equity([record.hole[p] for p in live], board, dead, samples=samples)
        for k, p in enumerate(live):
            shares[p] = round(float(found.equity[k]), 5)
    return m.EquityPoint(len(state.actions), street, tuple(shares))


def decision_of(record: HandRecord, n: int) -> tuple[View, Action]:
    """The view of the player who decided after ``n`` actions, and what they did.

    Raises:
        HistoryError: there is no such decision, or the actor's cards are not known.
    """
    if not 0 <= n < len(record.actions):
        raise HistoryError(f"n = {n}: expected 0 to {len(record.actions) - 1}")
    state = record.at(n)
    p = state.actor
    if NO_CARD in record.hole[p]:
        raise HistoryError("the cards of the player to act are not known: nothing can be said of the decision")
    return state.view(p), record.actions[n]


async def review_of(engine: Engine, view: View, action: Action, agent: str, reader: str, coach: bool) -> m.ReviewPoint:
    """A decision with readings, equity and advice; ``coach``: and with what it gave up.

    Raises:
        EngineError: the agent or the reader cannot do it.
    """
    hand = Hand.of(view)
    want = ("actions", "ranges", "equity", "streets")
    analysis = analysis_of(await engine.ask("analyse", hand=hand, agent=agent, reader=reader, want=want))
    gave: m.Measured | None = None
    values: tuple[m.ActionValue, ...] = ()
    reason: Reason | None = None
    if coach:
        result = await engine.ask("coach", decisions=[{"hand": hand, "action": str(action)}], reader=reader)
        (line,) = result["lessons"]
        lesson = lesson_of(view.hand, msgspec.convert(line, LessonLine))
        gave, values = lesson.gave_up, lesson.values
        if not lesson.gave_up.n:
            gave, reason = None, lesson.about
    readings = readings_of(view, analysis)
    position = {seat: p for p, seat in enumerate(view.seats)}
    seats = tuple(msgspec.structs.replace(r, seat=position[r.seat]) for r in readings.seats)
    chosen = choice_reason(view, action)
    readings = m.Readings(readings.hand, readings.n, seats, readings.equity, readings.pot_odds, readings.advice)
    return m.ReviewPoint(len(view.actions), view.actor, readings, chosen, gave, values, reason)
