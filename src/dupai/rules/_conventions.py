"""Names and numbers that every place of play shares: streets, random streams, rules for an agent that fails."""

from __future__ import annotations

from typing import Literal, get_args

#: The streets as tables name them, as users write them, and as prose does.
STREET_NAMES = ("pre-flop", "flop", "turn", "river")
STREET_WORDS = ("preflop", *STREET_NAMES[1:])
STREET_PHRASES = ("before the flop", *STREET_NAMES[1:])

#: Streams of ``Rng(seed, match, hand, stream)``: the deck, then one for each seat (``SEAT_STREAM + seat``), then the
#: draw of the seats.
DECK_STREAM = 0
SEAT_STREAM = 1
DRAW_STREAM = 11
#: Streams of ``Rng(seed, table, 0, stream)`` in a ladder: the seed of a table, and (table 0) the draw of the tables.
TABLE_SEED_STREAM = 12
TABLE_DRAW_STREAM = 13
#: Streams of ``Rng(seed, match, hand, stream, decision, ...)`` in rollouts: the cards that the player to act does not
#: see, and one for each seat, ``ROLLOUT_SEAT_STREAM + seat``.
ROLLOUT_DRAW_STREAM = 12
ROLLOUT_SEAT_STREAM = 13

#: What an agent that fails loses: this hand (``forfeit``), the rest of the match, in which it folds (``fold``), or the
#: match ends for everybody (``end``).
FaultRule = Literal["forfeit", "fold", "end"]
FAULT_RULES: tuple[FaultRule, ...] = get_args(FaultRule)
