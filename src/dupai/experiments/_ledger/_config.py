"""The learning agents of the ledger, whom they meet, and for how long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from dupai.experiments._paper import Size


class Learner(NamedTuple):
    """An agent that adapts, and the same agent (or the nearest to it) without what it learns.

    ``quick`` and ``full``: hands of a match, so many that all of a full run takes some three hours on two cores; the
    slower an agent decides, the shorter are its matches.
    """

    spec: str
    twin: str
    quick: int
    full: int
    #: Whether it takes part in the best responses, and meets the changer for :data:`CHANGING` hands.
    taught: bool = True


#: Every agent that learns while it plays, and ``exp`` with a trained model of its opponent, which does not and so has
#: nothing that a response could turn against it. Against ``dupai``, which is slow, local best response says what
#: a response wins (``dupai exploit dupai --live``).
LEARNERS = (
    Learner("fold:reader=model", "fold:reader=model,adapt=off", 60, 300),
    Learner("fold:paper", "fold:paper,adapt=off", 100, 500),
    Learner("mcts", "mcts:reader=uniform", 20, 80),
    Learner("mcts:paper", "mcts:paper,reader=uniform", 40, 150),
    Learner("swarm:variant=quick", "risk", 400, 1500),
    Learner("swarm:paper", "risk", 400, 1500),
    Learner("exp:model=model", "exp", 40, 40, taught=False),
    Learner("dupai", "equilibrium", 6, 20, taught=False),
)
STYLES = tuple(f"style:{name}" for name in ("LA", "LP", "TA", "TP"))
PERSONAS = tuple(f"persona:{name}" for name in ("bovada", "pokerstars", "pros", "pluribus", "deepstack"))
OPPONENTS: Mapping[Size, tuple[str, ...]] = {
    "quick": ("style:LA", "style:TP", "persona:bovada"),
    "full": (*STYLES, *PERSONAS),
}
#: Hands of a full match against the changer: one round of its four styles, 500 hands each.
CHANGING = 2000
#: Matches (both seatings of every deal), and points of a curve.
MATCHES: Mapping[Size, int] = {"quick": 1, "full": 8}
BLOCKS = 20

#: Best responses: the teacher that is learned from, hands of learning, and hands on which a response is chosen and then
#: measured (each with both seatings), by size.
TEACHERS: Mapping[Size, tuple[str, ...]] = {"quick": ("style:LA",), "full": ("style:LA", "style:TP")}
LESSON: Mapping[Size, float] = {"quick": 0.5, "full": 1.0}
CHOICE: Mapping[Size, int] = {"quick": 3, "full": 40}
PROOF: Mapping[Size, int] = {"quick": 10, "full": 150}
RESPONSE_MATCHES: Mapping[Size, int] = {"quick": 1, "full": 8}
#: The responses to choose from: policies that need not learn.
RESPONSES = (
    *STYLES,
    "style:alpha=0.45,beta=0.55,size=pot",
    "style:alpha=0.6,beta=0.75,size=pot",
    "raiser:size=half",
    "raiser:size=max",
    "caller",
    "risk",
    "rules:tight-aggressive",
    "rules:loose-aggressive",
)


def changer_of(hands: int) -> str:
    """The opponent made to exploit adaptation: another style every 500 hands, in shorter matches every quarter."""
    return f"changer:every={max(min(500, hands // 4), 1)}"


def against(learner: Learner, size: Size) -> Mapping[str, int]:
    """Whom a learner and its twin meet, the changer last, and for how many hands a match."""
    hands = learner.quick if size == "quick" else learner.full
    changing = max(hands, CHANGING) if size == "full" and learner.taught else hands
    return {**dict.fromkeys(OPPONENTS[size], hands), changer_of(changing): changing}
