"""``start-table``: shares of the 169 starting hands after the same pre-flop actions, counted on real hands."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated

import numpy as np

from dupai.base import Option
from dupai.base.arrays import F64, I64, AnyArray
from dupai.base.files import array_of, file_faults, open_whole, place_of, read_arrays
from dupai.cards import CLASS_SIZE, CLASSES, COMBO_CLASS, COMBOS, NO_CARD
from dupai.reading import populations
from dupai.reading._filter import Joint, ReadsTogether, Uniform, asked_positions, legal_hands, mixed
from dupai.reading._protocol import LearnsNothing
from dupai.reading._reading import Reading
from dupai.reading._watch import hidden_hands
from dupai.rules import HandRecord, View
from dupai.spots import NOTHING, POSITION_CLASS, POSITION_CLASSES, spot_rows

#: The shipped table: `dupai train start-table` on the training part of the shared logs.
FILE = Path(__file__).parent / "start_table.npz"
#: Pseudo-hands of each step of the smoothing, chosen on the validation part: towards all hands alike; of the line in
#: similar games; of that in this position; of the family's line; of that in this position.
EVEN, ANY_POSITION, OF_ALL_GROUPS, FAMILY_LINE, FAMILY_HERE = 200.0, 300.0, 1000.0, 300.0, 600.0
#: Positions at once: all, those of two players, those of more.
ANYWHERE, TWO, MORE = "anywhere", "heads-up", "more"
#: Decisions of a line that are told apart, and raises faced.
_LONGEST, _MAX_RAISES = 4, 4
_WORDS = "fkcrr"  # fold, check, call, bet, raise
_DEALT = np.asarray(CLASS_SIZE, np.float64) / COMBOS


def preflop_lines(rows: AnyArray, players: int) -> list[str]:
    """What each position did before the flop: a letter and the raises it faced for every decision, as ``r0c2``."""
    lines = [""] * players
    decisions = zip(*(rows[name].tolist() for name in ("street", "position", "did", "raises")), strict=True)
    for street, position, did, raises in decisions:
        if street > 0:
            break
        if did != NOTHING and len(lines[position]) < 2 * _LONGEST:
            lines[position] += f"{_WORDS[did]}{min(raises, _MAX_RAISES)}"
    return lines


def place_name(players: int, position_class: int) -> str:
    """Position as the table knows it; heads-up the two are others than at a full table."""
    return ("heads-up " if players == 2 else "") + POSITION_CLASSES[position_class]


#: Groups whose hands say something of everybody's: not what was shown, nor programs that only exploit others.
_NATURAL = tuple(g for g in range(len(populations.NAMES)) if g not in (populations.SHOWN, *populations.EXPLOITERS))


def _within(place: str, where: str) -> bool:
    return where in (ANYWHERE, place) or where == (TWO if place.startswith(TWO) else MORE)


class StartTable:
    """Counts of starting hands by group, line and position.

    Args:
        counts: ``{(group, line, position): counts by class (169)}``; group 0 is nobody in particular.
    """

    def __init__(self, counts: Mapping[tuple[int, str, str], I64] | None = None) -> None:
        self.counts: dict[tuple[int, str, str], I64] = dict(counts or {})
        self._sums: dict[tuple[tuple[int, ...], str, str], F64] = {}

    def add(self, record: HandRecord, *, shown_only: bool = False) -> int:
        """Count the known hands of a record; returns how many. Of a record in which not all cards are known, those that
        are were shown (but the recording player's own): they count for the group ``shown``.

        Args:
            record: the hand.
            shown_only: the record is of a source of which only shown hands are known: even where all players of a hand
                showed theirs.
        """

        players = record.spec.players
        known = {i: hand for i, hand in enumerate(hidden_hands(record)) if hand is not None}
        if not known:
            return 0
        partial = shown_only or any(NO_CARD in two for two in record.hole)
        lines = preflop_lines(spot_rows(record), players)
        added = 0
        for i, hand in known.items():
            if not lines[i] or (partial and i == record.hero):
                continue
            group = (
                populations.SHOWN if partial else populations.of(record.names[i] if record.names else "", record.spec)
            )
            key = (group, lines[i], place_name(players, int(POSITION_CLASS[players, i])))
            row = self.counts.setdefault(key, np.zeros(CLASSES, np.int64))
            row[COMBO_CLASS[hand]] += 1
            added += 1
        self._sums.clear()
        return added

    def _sum(self, groups: tuple[int, ...], line: str, where: str) -> F64:
        """Counts of a line over some groups, in one position or in several at once."""
        key = (groups, line, where)
        if key not in self._sums:
            rows = [
                c for (g, of, place), c in self.counts.items() if of == line and g in groups and _within(place, where)
            ]
            self._sums[key] = np.sum(rows, axis=0, dtype=np.float64) if rows else np.zeros(CLASSES)
        return self._sums[key]

    def shares(self, group: int, line: str, place: str, *, limit: bool = False) -> F64:
        """``float64[169]``: probability of each starting hand, smoothed step by step.

        A group's own hands are few in any one position. So they are drawn towards what players of its family do, and
        these towards everybody in games of as many players: whoever raises heads-up says little of who raises at a
        full table. There is too little of limit games for that: they start from everybody anywhere.
        """
        similar = TWO if place.startswith(TWO) else MORE
        related = populations.LIMIT if limit and group == populations.UNKNOWN else populations.family(group)
        steps = [
            (EVEN, self._sum(_NATURAL, line, ANYWHERE if limit else similar)),
            (ANY_POSITION, self._sum(() if limit else _NATURAL, line, place)),
        ]
        if related != (populations.UNKNOWN,):
            steps.append((OF_ALL_GROUPS, self._sum(related, line, similar)))
            if related != (group,):
                steps.append((FAMILY_LINE, self._sum(related, line, place)))
            steps.append((FAMILY_HERE, self._sum((group,), line, place)))
        shares = _DEALT
        for worth, counts in steps:
            shares = (counts + worth * shares) / (counts.sum() + worth)
        return np.asarray(shares)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the table, whole or not at all.

        Raises:
            FileError: the file cannot be written.
        """
        keys = sorted(self.counts)
        with open_whole(path, "wb") as file:
            np.savez_compressed(
                file,
                keys=np.array([f"{populations.NAMES[g]}|{line}|{place}" for g, line, place in keys]),
                counts=np.array([self.counts[k] for k in keys], np.int32),
            )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> StartTable:
        """A table that :meth:`save` wrote.

        Raises:
            FileError: the file cannot be read or holds no table.
        """
        kind = "table of starting hands"
        arrays = read_arrays(path, kind)
        with file_faults(place_of(kind, path), path):
            keys = arrays["keys"].tolist()
            counts = array_of(arrays, "counts", (len(keys), CLASSES), np.int64)
            rows = ((key.split("|"), row) for key, row in zip(keys, counts, strict=True))
            return cls({(populations.number(group), line, place): row for (group, line, place), row in rows})


@cache
def shipped_table() -> StartTable:
    """The table that comes along."""
    return StartTable.load(FILE)


def start_weights(table: StartTable, group: int, line: View | HandRecord, position: int) -> F64:
    """``float64[1326]``: how often a player of a group holds each hand, by what they did before the flop."""
    players = line.spec.players
    done = preflop_lines(spot_rows(line), players)[position]
    if not done:
        return np.ones(COMBOS)
    place = place_name(players, int(POSITION_CLASS[players, position]))
    shares = table.shares(group, done, place, limit=line.spec.betting == "limit")
    return np.asarray((shares / CLASS_SIZE)[COMBO_CLASS])


class StartTableReader(ReadsTogether, LearnsNothing):
    """Shares of starting hands after the same pre-flop actions, counted on real hands; later streets change nothing.

    After the flop only hands with board cards are taken out.
    """

    def __init__(
        self,
        table: Annotated[str, Option("file of another table (dupai train start-table)", file=True)] = "",
        population: Annotated[
            str, Option("group whose hands are counted: auto (by game and name), or its name as dupai train says")
        ] = "auto",
        uniform: Uniform = 0.03,
        joint: Joint = True,
    ) -> None:
        self.table = StartTable.load(table) if table else shipped_table()
        self.population = None if population == "auto" else populations.number(population)
        self.uniform = uniform
        self.joint = joint
        self._names: dict[int, str] = {}

    def _rows(self, view: View, positions: list[int]) -> F64:
        return np.array([self._reading(view, i) for i in positions])

    def _reading(self, view: View, position: int) -> F64:
        group = self.population
        if group is None:
            group = populations.of(self._names.get(view.seats[position], ""), view.spec)
        legal = legal_hands(view, position)
        return mixed(np.where(legal, start_weights(self.table, group, view, position), 0.0), legal, self.uniform)

    def meet(self, names: Mapping[int, str]) -> None:
        self._names.update(names)


class UniformReader(LearnsNothing):
    """Every hand that the seen cards leave is equally likely: the zero of the scale."""

    def read(self, view: View, seats: Sequence[int] | None = None) -> Mapping[int, Reading]:
        return {view.seats[i]: Reading(legal_hands(view, i)) for i in asked_positions(view, seats)}
