"""Groups of players that scores are given for: those of known tables, else one for each file."""

from __future__ import annotations

from dupai.history import corpora, real_name
from dupai.rules import HandRecord

#: All sets in which every hand is known without being shown; rows of folded players are given for this group too.
ALL = "all sets"
SHOWN_ONLY = "shown only"


def groups_of(record: HandRecord, position: int, source: str, by_player: bool) -> tuple[str, ...]:
    """The groups that a player of a hand belongs to, the main one first; empty for a player who is not scored.

    Args:
        record: the hand.
        position: the player's.
        source: name of the group for hands of no known table.
        by_player: a group for each player instead.
    """
    name = record.names[position] if record.names else ""
    if by_player:
        return (real_name(name),)
    groups = corpora().groups(record, name)
    return (source,) if groups is None else groups
