"""Decisions of hands that personas play among themselves."""

from __future__ import annotations

from collections.abc import Iterator

from dupai.playouts import Player, persona_habits, play_hands
from dupai.rules import GameSpec, View

SIX, HEADS_UP = GameSpec.no_limit(6, (50, 100), 10_000), GameSpec.no_limit(2, (50, 100), 10_000)


def decisions(spec: GameSpec, hands: int, seed: int, streets: range = range(4)) -> Iterator[View]:
    """One decision of each hand that has any on these streets, with two players or more, drawn by turns."""
    population, key = ("DeepStack", "deepstack") if spec.players == 2 else ("Pluribus", "pluribus")
    played = play_hands(spec, [Player(population, persona_habits()[key])] * spec.players, hands, seed=seed)
    for record in played.records():
        views = [state.view(state.actor) for state in record.states() if state.actor >= 0 and state.street in streets]
        if views:
            yield views[record.hand % len(views)]
