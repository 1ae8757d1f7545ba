"""Hands in which a player gives chips away in one situation."""

from __future__ import annotations

from dupai.base import Rng
from dupai.rules import Action, GameSpec, HandState

TWO = GameSpec.no_limit(2, (50, 100), 10_000, odd_chips="acpc", min_raise="acpc")


def planted(hands):
    """Heads-up: on the button Ann makes it 40 big blinds and gives up to every 3-bet; Bo raises to 3."""
    rng = Rng(3)
    for k in range(hands):
        names = ("Ann", "Bo") if k % 2 else ("Bo", "Ann")
        state = HandState.deal(TWO, rng, hand=k, seats=(k % 2, 1 - k % 2))
        state.apply(Action.raise_to(4_000 if names[1] == "Ann" else 300))
        if rng.below(3) == 0:
            state.apply(Action.raise_to(9_000 if names[1] == "Ann" else 900))
        state.apply(Action.fold())
        yield state.record(names)
