"""The learning agents of the ledger, whom they meet, and for how long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from dupai.experiments._paper import Size


class Learner(NamedTuple):
    """An agent that adapts, and the same agent (or the nearest to it) without what it learns.

    ``quick`` and ``full``: hands of a match.
    """

    spec: str
    twin: str
    quick: int
    full: int


#: Every agent that learns while it plays, and ``exp`` with a trained model of its opponent, which does not.
LEARNERS = (
    Learner("fold:reader=model", "fold:reader=model,adapt=off", 60, 3000),
    Learner("fold:paper", "fold:paper,adapt=off", 100, 3000),
    Learner("mcts", "mcts:reader=uniform", 20, 1000),
    Learner("mcts:paper", "mcts:paper,reader=uniform", 40, 1000),
    Learner("swarm:variant=quick", "risk", 400, 20_000),
    Learner("swarm:paper", "risk", 400, 50_000),
    Learner("exp:model=model", "exp", 40, 3000),
)
STYLES = tuple(f"style:{name}" for name in ("LA", "LP", "TA", "TP"))
PERSONAS = tuple(f"persona:{name}" for name in ("bovada", "pokerstars", "pros", "pluribus", "deepstack"))
#: Made to exploit adaptation: another style every 500 hands.
CHANGER = "changer:every=500"
#: A quick match is too short for 500 hands: there it changes every tenth of the match.
OPPONENTS: Mapping[Size, tuple[str, ...]] = {
    "quick": ("style:LA", "style:TP", "persona:bovada"),
    "full": (*STYLES, *PERSONAS),
}
#: Matches (both seatings of every deal), and points of a curve.
MATCHES: Mapping[Size, int] = {"quick": 1, "full": 10}
BLOCKS = 20

#: Best responses: the teacher that is learned from, hands of learning, and hands on which a response is chosen and then
#: measured (each with both seatings), by size.
TEACHERS: Mapping[Size, tuple[str, ...]] = {"quick": ("style:LA",), "full": ("style:LA", "style:TP", "persona:bovada")}
LESSON: Mapping[Size, float] = {"quick": 0.5, "full": 0.5}
CHOICE: Mapping[Size, int] = {"quick": 3, "full": 100}
PROOF: Mapping[Size, int] = {"quick": 10, "full": 200}
RESPONSE_MATCHES: Mapping[Size, int] = {"quick": 1, "full": 10}
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


def changer_of(hands: int, size: Size) -> str:
    """The opponent that changes its style: every 500 hands, in a quick run every quarter of the match."""
    return CHANGER if size == "full" else f"changer:every={max(hands // 4, 1)}"
