"""Rates the opponents: ``python tools/strengths.py SIX.json TWO.json``, two files of ``dupai ladder --json``.

The shipped strengths are of two ladders, of twenty minutes and of an hour on a slow machine: ``dupai ladder AGENT...
--stack 10000 --seed 60 -l --json`` with ``--seats 6 -n 12 -m 5`` (12 agents, 4,320 hands) and with ``-n 40`` (18
agents, 12,240 hands), without ``caller``, on whom loose styles feed. It writes
``src/dupai/agents/opponents.json``; an opponent that is in neither ladder has no strength.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec

from dupai.agents.opponents import Opponent, Strength, opponents
from dupai.base.files import write_whole

FILE = Path(__file__).parents[1] / "src" / "dupai" / "agents" / "opponents.json"


def strengths(ladder: dict[str, Any], players: int) -> dict[str, Strength]:
    """The ratings of a ladder (mbb/hand) in bb/100 by spec.

    Raises:
        ValueError: the ladder has another number of players.
    """
    if ladder["config"]["game"]["players"] != players:
        raise ValueError(f"expected a ladder of {players} players")
    return {row["agent"]: Strength(round(row["rating"] / 10, 1), round(_error(row) / 10, 1)) for row in ladder["rows"]}


def _error(row: dict[str, Any]) -> float:
    """The standard error of a rating, by its deals where a ladder has one match a table."""
    if row["rating_se"] is not None:
        return float(row["rating_se"])
    low, high = row["by_deal"]
    return float(high - low) / 2 / 1.96


def rated(six: dict[str, Strength], two: dict[str, Strength]) -> list[Opponent]:
    """All opponents with the strengths of two ladders, the strongest six-handed first."""
    rows = [Opponent(one.spec, one.kind, two.get(one.spec), six.get(one.spec)) for one in opponents()]
    return sorted(rows, key=lambda one: -one.six_max.bb100 if one.six_max else float("inf"))


if __name__ == "__main__":
    six, two = (msgspec.json.decode(Path(name).read_bytes()) for name in sys.argv[1:])
    lines = [msgspec.json.encode(one).decode() for one in rated(strengths(six, 6), strengths(two, 2))]
    write_whole(FILE, ("[\n" + ",\n".join(lines) + "\n]\n").encode())
