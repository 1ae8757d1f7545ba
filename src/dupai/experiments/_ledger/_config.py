"""The learning agents of the ledger, whom they meet, and for how long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from dupai.experiments._paper import Size


class Learner(NamedTuple):
    """An agent that adapts, and the same agent (or the nearest to it) without what it learns.

    ``quick`` and ``full``: hands of a match, so many that all of a full run takes some 14 hours on two cores. 2,000
    hands are one round of the changer's four styles; ``swarm:paper`` has the 40,000 of its paper; ``exp``, whose hands
    with a trained model take ten times as long as all others, does not learn, so that no curve needs a long match.
    """

    spec: str
    twin: str
    quick: int
    full: int
    #: Whether it takes part in the best responses.
    taught: bool = True


#: Every agent that learns while it plays, and ``exp`` with a trained model of its opponent, which does not and so has
#: nothing that a response could turn against it. Against ``dupai``, which is slow, local best response says what
#: a response wins (``dupai exploit dupai --live``).
LEARNERS = (
    Learner("fold:reader=model", "fold:reader=model,adapt=off", 60, 2000),
    Learner("fold:paper", "fold:paper,adapt=off", 100, 2000),
    Learner("mcts", "mcts:reader=uniform", 20, 1000),
    Learner("mcts:paper", "mcts:paper,reader=uniform", 40, 2000),
    Learner("swarm:variant=quick", "risk", 400, 10_000),
    Learner("swarm:paper", "risk", 400, 40_000),
    Learner("exp:model=model", "exp", 40, 100, taught=False),
    Learner("dupai", "equilibrium", 6, 200, taught=False),
)
STYLES = tuple(f"style:{name}" for name in ("LA", "LP", "TA", "TP"))
PERSONAS = tuple(f"persona:{name}" for name in ("bovada", "pokerstars", "pros", "pluribus", "deepstack"))
OPPONENTS: Mapping[Size, tuple[str, ...]] = {
    "quick": ("style:LA", "style:TP", "persona:bovada"),
    "full": (*STYLES, *PERSONAS),
}
#: Matches (both seatings of every deal), and points of a curve.
MATCHES: Mapping[Size, int] = {"quick": 1, "full": 8}
BLOCKS = 20

#: Best responses: the teacher that is learned from, hands of learning, and hands on which a response is chosen and then
#: measured (each with both seatings), by size.
TEACHERS: Mapping[Size, tuple[str, ...]] = {"quick": ("style:LA",), "full": ("style:LA", "style:TP", "persona:bovada")}
LESSON: Mapping[Size, float] = {"quick": 0.5, "full": 0.5}
CHOICE: Mapping[Size, int] = {"quick": 3, "full": 100}
PROOF: Mapping[Size, int] = {"quick": 10, "full": 200}
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
