"""The slow twin of all-in adjustment: every board that can still come is dealt and the hand settled by the rules."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from dupai.cards import NO_CARD
from dupai.rules import HandRecord, HandState


def mean_over_boards(record: HandRecord, known: int) -> np.ndarray:
    """Mean payoffs (chips) over all boards that begin with the first ``known`` cards; all known hands are dead."""
    gone = {c for two in record.hole for c in two if c != NO_CARD} | set(record.board[:known])
    deck = [c for c in range(52) if c not in gone]
    total = np.zeros(record.spec.players)
    boards = list(combinations(deck, 5 - known))
    for rest in boards:
        state = HandState(record.spec, record.hole, (*record.board[:known], *rest), record.stacks)
        for action in record.actions:
            state.apply(action)
        total += state.payoffs
    return total / (len(boards) * record.spec.split)
