"""The field: who plays against the ``fold`` agent, and how a tournament match of it is played and noted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dupai.arena import ChipTable, Watcher, play_tournament_match, tournament_tasks
from dupai.base import Rng
from dupai.jobs import Pulse
from dupai.rules import FOLD, RAISE, HandRecord

#: The agent that the tables are about, and its variants.
HERO = "fold:reader=model"
VARIANTS: Mapping[str, str] = {
    "model": HERO,
    "no implied odds": f"{HERO},implied=off",
    "reader fold": "fold:reader=fold",
    "reader uniform": "fold:reader=uniform",
}

#: Our stand-in for the paper's seven private programs: of different looseness and aggression.
FIELD = (
    "style:LA",
    "style:LP",
    "style:TA",
    "style:TP",
    "rules",
    "rules:tight-aggressive",
    "rules:tight-passive",
    "rules:loose-aggressive",
    "rules:loose-passive",
    "caller",
    "fixed",
)

#: Matches in a cell of work.
CHUNK = 5


@dataclass(frozen=True)
class Matches:
    """Tournament matches ``first`` to ``last`` (inclusive) of a variant at a table of so many players; opponents are
    drawn for each match from :data:`FIELD` unless one is named."""

    spec: str
    players: int
    first: int
    last: int
    seed: int
    opponent: str | None = None


class Actions(Watcher):
    """Counts what everybody does, by agent and whether it is before the flop, and keeps nothing else."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = {}

    def on_hand(self, record: HandRecord, table: ChipTable | None) -> None:
        from dupai.spots import spot_rows

        rows = spot_rows(record)
        streets, positions, calls = (rows[n].tolist() for n in ("street", "position", "to_call"))
        for street, position, to_call, action in zip(streets, positions, calls, record.actions, strict=False):
            what = (
                "fold" if action.kind == FOLD else "raise" if action.kind == RAISE else "call" if to_call else "check"
            )
            name = record.names[position]
            self.counts.setdefault(name, Counter())[f"{'before' if street == 0 else 'after'} {what}"] += 1


def opponents_of(task: Matches, match: int) -> list[str]:
    """Who plays against the agent in a match: the same for every variant."""
    if task.opponent is not None:
        return [task.opponent]
    names = list(FIELD)
    Rng(task.seed, match, task.players).shuffle(names)
    return names[: task.players - 1]


def play_matches(task: Matches, pulse: Pulse) -> dict[str, Any] | None:
    """The cell: one entry a match with everybody's rank, hands, chips and volatility (the agent first), and the counts
    of actions."""
    found = []
    watch = Actions()
    for match in range(task.first, task.last + 1):
        opponents = opponents_of(task, match)
        # Every match has a seed of its own, the same for every variant: same cards, same chairs.
        seed = (task.seed * 16 + task.players) * 100_000 + match
        one = tournament_tasks([task.spec, *opponents], matches=1, seed=seed, curves=match == 0)[0]
        played = play_tournament_match(one, pulse, watch)
        if played is None:
            return None
        rows = [[p.agent, p.rank, p.hands, p.chips, p.volatility_squared, p.faults] for p in played.players]
        curves = [[p.agent, list(p.curve)] for p in played.players] if match == 0 else []
        found.append({"match": match, "hands": played.hands, "rows": rows, "curves": curves})
    return {"matches": found, "actions": {name: dict(c) for name, c in watch.counts.items()}}
