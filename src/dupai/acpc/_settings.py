"""Settings of a match that a dealer deals."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from dupai.base import Option
from dupai.rules import FaultRule


class DealSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What a dealer's command can set.

    Attributes:
        hands, seed: Number of hands, and the seed of the reference dealer's cards; None: cards come from ``key``.
        key: 64 hexadecimal digits, the secret source of cards that nobody can guess; drawn where there is no seed.
        title: Text of the log's header.
        fixed_button: Seats do not rotate.
        on_fault: The consequence for a player at fault: ``forfeit`` this hand, ``fold`` from there on, or ``end`` the
            match. A player who forfeits or is out checks while that is free and folds to any bet. A player who is gone,
            sends more than ``max_bad_lines``, or is out of time for the match, is out of it for good (unless it ends).
        illegal: An illegal action is a ``fault``, or is ``correct``-ed to a legal one as the reference dealer does.
        t_response, t_hand, t_per_hand: Milliseconds for one answer, for one hand, and on average for each hand of the
            match (one budget); negative: no limit.
        start_timeout: Milliseconds to wait for connections; negative: for ever.
        t_version: Milliseconds from a connection to its version line; negative: for ever.
    """

    hands: Annotated[int, Option("Hands to deal.")] = 3000
    seed: Annotated[
        int | None, Option("Seed of the reference dealer's cards, which can be guessed. [default: a secret key]")
    ] = None
    key: Annotated[str, Option("Key of the cards, to deal them again. [default: drawn, printed at the end]")] = ""
    title: Annotated[str, Option("Name of the match and its log.", name="name")] = "match"
    fixed_button: Annotated[bool, Option("Fixed button: seats do not rotate.", name="fixed", short="-f")] = False
    on_fault: Annotated[
        FaultRule, Option("A player at fault forfeits the hand, folds from there on, or the match ends.")
    ] = "forfeit"
    illegal: Annotated[
        Literal["fault", "correct"],
        Option("An illegal action is a fault, or is corrected as the reference dealer does."),
    ] = "fault"
    t_response: Annotated[int, Option("ms for one answer.", short="--t_response")] = 600_000
    t_hand: Annotated[int, Option("ms for one player in one hand.", short="--t_hand")] = 600_000
    t_per_hand: Annotated[int, Option("ms a hand on average.", short="--t_per_hand")] = 7_000
    start_timeout: Annotated[
        int, Option("ms to wait for connections; negative: for ever.", short="--start_timeout")
    ] = -1
    t_version: Annotated[int, Option("ms from a connection to its version line.", short="--t_version")] = 10_000
