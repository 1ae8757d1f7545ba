"""Random hands as records and as log lines."""

from __future__ import annotations

from dupai.notation.acpc import format_acpc
from dupai.rules import HandState
from naive.rules_random import random_action


def random_record(spec, rng, *, hand=0, stacks=None, seats=None, names=None, section=""):
    """A random hand played to its end."""
    state = HandState.deal(spec, rng, stacks=stacks, seats=seats, hand=hand)
    while not state.finished:
        legal = state.legal
        state.apply(random_action(rng, (legal.fold, legal.to_call, legal.min_to, legal.max_to)))
    return state.record(names or [f"P{i}" for i in state.seats], section=section)


def random_log(spec, rng, hands, *, names=None):
    """STATE lines of random hands, the seats rotating as the dealer's do."""
    n = spec.players
    names = names or [f"Player{i}" for i in range(n)]
    lines = []
    for hand in range(hands):
        seats = tuple((p + hand) % n for p in range(n))
        record = random_record(spec, rng, hand=hand, seats=seats, names=[names[s] for s in seats])
        lines.append(format_acpc(record))
    return lines
