"""Groups of players that scores are given for: those of the metric's table, one per file for anything else."""

from __future__ import annotations

import re

from dupai.history import real_name
from dupai.rules import HandRecord

#: All sets whose cards are known without anybody having to show them; folder rows are given for it too.
ALL = "all sets"
SHOWN_ONLY = "shown only"
_PROFESSIONAL = re.compile(r"Pro\d+\Z")
_VENUES = {'"Bovada"': "Bovada, all", '"PokerStars"': "PokerStars 9-max", '"PokerStars Zoom"': "PokerStars zoom"}


def groups_of(record: HandRecord, position: int, source: str, by_player: bool) -> tuple[str, ...]:
    """The groups that a player of a hand belongs to, the chief one first; none for a player who is not scored.

    Args:
        record: The hand.
        position: The player's.
        source: Name of the set for hands that belong to no group of the metric.
        by_player: A group for each player instead.
    """
    names = record.names
    name = names[position] if names else ""
    if by_player:
        return (real_name(name),)
    if "DeepStack" in names and any(_PROFESSIONAL.match(n) for n in names):
        return ("DeepStack",) if name == "DeepStack" else ("professionals (vs DeepStack)",)
    if "LBR" in names:
        # The exploiting player is no natural opponent.
        return () if name == "LBR" else (name if name == "Hyperborean14" else f"{name} (vs LBR)",)
    if "Pluribus" in names:
        return "Pluribus table, all six", "Pluribus" if name == "Pluribus" else "Pluribus table, humans"
    if "Hyperborean_iro" in names and record.spec.betting == "limit" and record.spec.players == 3:
        return ("ACPC 3-player limit, all three",)
    for field, text in record.about:
        if field == "venue" and text in _VENUES:
            return (_VENUES[text],)
    return (source,)
