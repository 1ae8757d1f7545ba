"""The decisions of a hand as rows of CSV."""

from __future__ import annotations

import csv
import io

from dupai.cards import NO_CARD, cards_text
from dupai.notation import format_chips
from dupai.rules import STREET_NAMES, HandRecord, steps_of

#: Columns: position counts from the left of the button; ``to_call``, ``pot``, ``stack`` stand before the action,
#: ``chips`` are put in by it, ``bet`` is the player's bet on the street after it; ``payoff`` is that of the hand.
DECISION_COLUMNS = (
    *("hand", "player", "position", "players", "street", "cards", "board", "pot", "to_call", "stack", "action"),
    *("chips", "bet", "all_in", "payoff"),
)


def format_decisions(record: HandRecord) -> str:
    """A row for each decision of a hand, in the order of :data:`DECISION_COLUMNS`.

    Raises:
        RulesError: the record does not replay.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    decisions = (step for step in steps_of(record) if step.is_action)
    for state, step in zip(record.states(), decisions, strict=False):
        p = step.position
        known = [cards_text([c for c in cards if c != NO_CARD]) for cards in (record.hole[p], state.board)]
        payoff = format_chips(record.payoffs[p], record.spec.split)
        writer.writerow(
            (record.hand, record.names[p] if record.names else f"p{p + 1}", p, record.spec.players,
             STREET_NAMES[step.street], *known, state.pot, state.to_call, state.stacks[p], step.kind, step.chips,
             step.bet, int(step.all_in), payoff)
        )  # fmt: skip
    return out.getvalue()
