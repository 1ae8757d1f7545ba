"""Who takes part in the cross examination, and how many hands it plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from dupai.arena import LadderSettings, TournamentSettings
from dupai.experiments._paper import Size


class System(NamedTuple):
    """A paper's program and what we made of it, as specs."""

    name: str
    paper: str
    ours: str


#: The five systems. The experience system plays heads-up only.
SYSTEMS = (
    System("Programming Poker AI", "rules", "rules:tight-aggressive"),
    System("FOLD", "fold:paper", "fold:reader=model"),
    System("MCTS", "mcts:paper", "mcts"),
    System("BR-PSO", "swarm:paper", "swarm:variant=quick"),
    System("experience", "exp:paper", "exp"),
)
HEADS_UP = tuple(spec for s in SYSTEMS for spec in (s.paper, s.ours))
RING = tuple(spec for s in SYSTEMS if s.name != "experience" for spec in (s.paper, s.ours))
#: Programs whose decisions take tens of milliseconds or more.
SLOW = ("mcts:paper", "mcts", "exp:paper", "exp")

#: Deals of a match (each in all rotations) and matches of every table: heads-up 500 x 2 x 20 = 20,000 hands a pair;
#: at six seats eight tables of 100 x 6 x 3, at eight one of 100 x 8 x 8.
LADDERS: Mapping[int, Mapping[Size, tuple[int, int]]] = {
    2: {"quick": (8, 2), "full": (500, 20)},
    6: {"quick": (4, 1), "full": (100, 3)},
    8: {"quick": (4, 2), "full": (100, 8)},
}
TOURNAMENTS: Mapping[Size, int] = {"quick": 2, "full": 100}


def field_of(seats: int) -> tuple[str, ...]:
    """The programs that play at tables of so many seats."""
    return HEADS_UP if seats == 2 else RING


def ladder_settings(seats: int, size: Size, seed: int = 0) -> LadderSettings:
    """The ladder that is played: 50/100 with 20,000 chips, reset every hand, luck taken out."""
    hands, matches = LADDERS[seats][size]
    return LadderSettings(hands=hands, matches=matches, seats=seats, seed=seed, luck_reduced=True)


def tournament_settings(size: Size, seed: int = 0) -> TournamentSettings:
    """The FOLD paper's format: 600 hands at most, blinds 20/40, 2,000 chips and one rebuy."""
    return TournamentSettings(matches=TOURNAMENTS[size], seed=seed)
