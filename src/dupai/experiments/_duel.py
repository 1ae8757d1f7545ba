"""Heads-up play that experiments look at hand by hand or deal by deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from dupai.arena.match import Players, SeatingTask, TableRules, match_config, match_seatings, play_seating
from dupai.base import Rng
from dupai.base.arrays import F64
from dupai.jobs import Pulse
from dupai.rules import DECK_STREAM, GameSpec, HandRecord, HandState


@contextmanager
def fresh_players(entrants: Sequence[Any], spec: GameSpec, hands: int, seed: int, match: int) -> Iterator[Players]:
    """Agents that have just sat down to play ``hands`` hands, the stacks reset each time; closed at the end."""
    players = Players(entrants, seed, match, TableRules())
    players.start(spec, "reset", hands)
    try:
        yield players
    finally:
        players.close()


def heads_up_hands(
    players: Players, spec: GameSpec, hands: int, seed: int, match: int, pulse: Pulse, *, first: int = 0
) -> Iterator[tuple[HandState, HandRecord]]:
    """Play hands on the cards of ``seed`` and ``match``, the button alternating; in hand 0 it would be that of
    ``first``. The players observe a hand after it was yielded. Fewer hands, where the pulse says stop."""
    for hand in range(1, hands + 1):
        if not pulse.step():
            return
        players.hand = hand
        seats = [(hand + first) % 2, (hand + first + 1) % 2]
        state = HandState.deal(spec, Rng(seed, match, hand, DECK_STREAM), seats=seats, hand=hand)
        record = players.play(state)
        yield state, record
        players.observe(record)


def won_by_deal(
    agents: Sequence[str], pulse: Pulse, *, start: int = 0, stop: int | None = None, **settings: Any
) -> tuple[F64, int] | None:
    """What the first agent won in deals ``start`` to ``stop`` of a duplicate match.

    Args:
        agents: specs.
        pulse: its steps are hands.
        start, stop: the deals; default: all.
        settings: of the match; with ``luck_reduced`` the luck of every hand is taken off.

    Returns:
        ``float64[deals]``, big blinds a hand, mean over the seatings; and the number of faults of anybody. None where
        the pulse said stop.
    """
    entrants, match = match_config(agents, duplicate=True, **settings)
    rotations = len(match_seatings(match))
    won, faults = np.zeros((match.hands if stop is None else stop) - start), 0
    for rotation in range(rotations):
        seating = play_seating(SeatingTask(tuple(entrants), match, rotation, start=start, stop=stop), pulse)
        if not seating.complete:
            return None
        faults += sum(seating.fault_counts)
        won += seating.payoffs[:, 0] - (0 if seating.luck is None else match.game.split * seating.luck[:, 0])
    return won / (match.game.split * match.game.big_blind * rotations), faults
