"""The learning agents of the ledger (``field.toml``), whom they meet, and for how long."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from dupai.experiments._paper import Size
from dupai.experiments._verdict import paper_data


class Learner(msgspec.Struct, frozen=True):
    """An agent that adapts, the same agent (or the nearest to it) without what it learns, and hands of a match."""

    spec: str
    twin: str
    quick: int
    full: int
    #: Whether it takes part in the best responses, and meets the changer for :data:`CHANGING` hands.
    taught: bool = True


_DATA = paper_data(__file__, "field")
LEARNERS = msgspec.convert(_DATA["learners"], tuple[Learner, ...])
#: The responses to choose from.
RESPONSES: tuple[str, ...] = tuple(_DATA["responses"])
STYLES = tuple(f"style:paper-{name}" for name in ("LA", "LP", "TA", "TP"))
PERSONAS = tuple(f"persona:{name}" for name in ("bovada", "pokerstars", "pros", "pluribus", "deepstack"))
OPPONENTS: Mapping[Size, tuple[str, ...]] = {
    "quick": ("style:paper-LA", "style:paper-TP", "persona:bovada"),
    "full": (*STYLES, *PERSONAS),
}
#: Hands of a full match against the changer: one round of its four styles, 500 hands each.
CHANGING = 2000
#: Matches (both seatings of every deal), and points of a curve.
MATCHES: Mapping[Size, int] = {"quick": 1, "full": 8}
BLOCKS = 20

#: Best responses: the teacher that is learned from, hands of learning, and hands on which a response is chosen and then
#: measured (each with both seatings), by size.
TEACHERS: Mapping[Size, tuple[str, ...]] = {"quick": ("style:paper-LA",), "full": ("style:paper-LA", "style:paper-TP")}
LESSON: Mapping[Size, float] = {"quick": 0.5, "full": 1.0}
CHOICE: Mapping[Size, int] = {"quick": 3, "full": 40}
PROOF: Mapping[Size, int] = {"quick": 10, "full": 150}
RESPONSE_MATCHES: Mapping[Size, int] = {"quick": 1, "full": 8}


def changer_of(hands: int) -> str:
    """The opponent made to exploit adaptation: another style every 500 hands, in shorter matches every quarter."""
    return f"changer:every={max(min(500, hands // 4), 1)}"


def against(learner: Learner, size: Size) -> Mapping[str, int]:
    """Whom a learner and its twin meet, the changer last, and for how many hands a match."""
    hands = learner.quick if size == "quick" else learner.full
    changing = max(hands, CHANGING) if size == "full" and learner.taught else hands
    return {**dict.fromkeys(OPPONENTS[size], hands), changer_of(changing): changing}
