"""What is known by name about the players of published collections of hands: the data of ``corpora.toml``."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from dupai.rules import HandRecord


class CorpusPopulation(msgspec.Struct, frozen=True, kw_only=True):
    """A group of players that trained readers tell apart; ``corpora.toml`` says what each field means."""

    name: str
    about: str
    kind: Literal["people", "program", "exploiter", "shown"]
    known: tuple[str, ...] = ()
    plenty: bool = False
    family: str | None = None
    betting: Literal["no-limit", "limit"] = "no-limit"
    starts: str | None = None


class CorpusTable(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of table by who plays at it, and the groups that its players are scored in."""

    players: tuple[str, ...]
    groups: dict[str, tuple[str, ...]]
    betting: str | None = None
    seats: int | None = None

    def holds(self, record: HandRecord) -> bool:
        """Whether a hand was played at such a table."""
        return (
            self.betting in (None, record.spec.betting)
            and self.seats in (None, record.spec.players)
            and all(any(re.fullmatch(pattern, name) for name in record.names) for pattern in self.players)
        )


class Corpora(msgspec.Struct, frozen=True, kw_only=True):
    """All of ``corpora.toml``."""

    population: tuple[CorpusPopulation, ...]
    table: tuple[CorpusTable, ...]
    venues: dict[str, str]

    def groups(self, record: HandRecord, name: str) -> tuple[str, ...] | None:
        """The groups of the player ``name`` of a hand, the main one first; empty for a player who is left out, None
        where nothing is known about the table."""
        for table in self.table:
            if table.holds(record):
                groups = table.groups.get(name, table.groups["*"])
                return tuple(group.format(name=name) for group in groups)
        venues = (self.venues[text] for field, text in record.about if field == "venue" and text in self.venues)
        return next(((venue,) for venue in venues), None)


@cache
def corpora() -> Corpora:
    """The shipped data, read once."""
    return msgspec.toml.decode(Path(__file__).with_name("corpora.toml").read_bytes(), type=Corpora)
