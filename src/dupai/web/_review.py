"""A recorded hand step by step, and its decisions from what their actors could know."""

from __future__ import annotations

import msgspec

from dupai.base import DupaiError, HistoryError
from dupai.cards import NO_CARD, card_text
from dupai.engine import Engine, Hand, LessonLine
from dupai.equity import equity
from dupai.notation import action_words, result_words, street_choice_words
from dupai.rules import BOARD_CARDS, STREET_PHRASES, Action, HandRecord, HandState, View
from dupai.web import _messages as m
from dupai.web._panel import analysis_of, lesson_of, readings_of
from dupai.web._state import pots_of, two_cards

#: Deals of an all-in equity that is not counted exactly.
_SAMPLES = 20_000


def line_of(number: int, record: HandRecord) -> m.HandLine:
    """A hand in a list."""
    names = names_of(record)
    try:
        result = ", ".join(f"{names[p]} {words}" for p, words in result_words(record)[:2])
        pot = sum(p.chips for p in pots_of(record.replay(), True))
    except DupaiError as error:
        result, pot = f"it cannot be replayed: {error}", 0
    return m.HandLine(number, _title(record), names, _cards(record.board), pot, result)


def names_of(record: HandRecord) -> tuple[str, ...]:
    """A name for each position."""
    if record.names:
        return record.names
    return tuple(f"seat {s + 1}" for s in (record.seats or range(record.spec.players)))


def _title(record: HandRecord) -> str:
    blinds = "/".join(str(b) for b in sorted(b for b in record.spec.blinds if b))
    section = f", {record.section}" if record.section else ""
    return f"hand {record.hand}, {blinds}{section}"


def _cards(cards: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(card_text(c) for c in cards if c != NO_CARD)


def replay_of(number: int, record: HandRecord) -> m.ReplayHand:
    """The whole hand; places in its lists are positions, the button last.

    Raises:
        RulesError: it does not replay.
    """
    spec = record.spec
    names = names_of(record)
    state = _begun(record)
    steps = [_step(state, None, "blinds are posted")]
    for action in record.actions:
        seat = state.actor
        text = f"{names[seat]} {action_words(state, action)}"
        street = state.street
        state.apply(action, free_fold=spec.min_raise == "casino")
        steps.append(_step(state, seat, text))
        if state.street != street and not state.finished:
            steps[-1] = msgspec.structs.replace(steps[-1], text=f"{text}; {STREET_PHRASES[state.street]}")
    return m.ReplayHand(
        id=number, title=_title(record), game=spec.betting, names=names, stacks=record.stacks, button=spec.button,
        blinds=spec.blinds, big_blind=spec.big_blind,
        cards=tuple(None if NO_CARD in two else two_cards(two) for two in record.hole),
        payoffs=tuple(p / spec.split for p in record.payoffs), board=_cards(record.board), steps=tuple(steps),
        comment=record.comment,
    )  # fmt: skip


def _begun(record: HandRecord, seat: int | None = -1) -> HandState:
    """The hand at its start; ``seat``: with the cards of this position alone (None: of nobody; -1: all)."""
    hole = [two if seat in (-1, p) and NO_CARD not in two else None for p, two in enumerate(record.hole)]
    return HandState(record.spec, hole, record.board, record.stacks, record.seats or None, record.hand)


def _step(state: HandState, seat: int | None, text: str) -> m.Step:
    actor = None if state.finished else state.actor
    stacks, bets, pot = state.stacks, state.bets, state.pot
    if state.finished:
        # What nobody called goes back before the pot is paid.
        bets, pot = (0,) * len(bets), sum(p.chips for p in pots_of(state, True))
        most = max(range(len(stacks)), key=state.contributions.__getitem__)
        stacks = tuple(stack + (state.pot - pot if p == most else 0) for p, stack in enumerate(stacks))
    return m.Step(
        len(state.actions), state.street, _cards(state.board), stacks, bets, state.folded, pot, actor, seat, text,
    )  # fmt: skip


def equities_of(record: HandRecord) -> list[m.EquityPoint]:
    """All-in equity at the start of each street, of those who are in and whose cards are known."""
    points = []
    state = _begun(record)
    street = -1
    actions: list[Action | None] = [*record.actions, None]
    for action in actions:
        while street < (3 if state.showdown else state.street):
            street += 1
            points.append(_equity_point(record, state, street))
        if action is not None:
            state.apply(action, free_fold=record.spec.min_raise == "casino")
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
    state = _begun(record)
    for action in record.actions[:n]:
        state.apply(action, free_fold=record.spec.min_raise == "casino")
    p = state.actor
    if NO_CARD in record.hole[p]:
        raise HistoryError("the cards of the player to act are not known: nothing can be said of the decision")
    return state.view(p), record.actions[n]


def decisions_of(record: HandRecord, position: int) -> list[tuple[View, Action]]:
    """The decisions of one position in a hand, in order."""
    state = _begun(record, position)
    decisions = []
    for action in record.actions:
        if state.actor == position:
            decisions.append((state.view(position), action))
        state.apply(action, free_fold=record.spec.min_raise == "casino")
    return decisions


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
    reason = ""
    if coach:
        result = await engine.ask("coach", decisions=[{"hand": hand, "action": str(action)}], reader=reader)
        (line,) = result["lessons"]
        lesson = lesson_of(view.hand, msgspec.convert(line, LessonLine))
        gave, values = lesson.gave_up, lesson.values
        if not lesson.gave_up.n:
            gave, reason = None, lesson.text
    readings = readings_of(view, analysis)
    position = {seat: p for p, seat in enumerate(view.seats)}
    seats = tuple(msgspec.structs.replace(r, seat=position[r.seat]) for r in readings.seats)
    chosen = street_choice_words(view, action)
    readings = m.Readings(readings.hand, readings.n, seats, readings.equity, readings.pot_odds, readings.advice)
    return m.ReviewPoint(len(view.actions), view.actor, readings, chosen, gave, values, reason)
