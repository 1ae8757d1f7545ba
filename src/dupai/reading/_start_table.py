"""``start-table``: shares of the 169 starting hands after the same pre-flop actions, counted on real hands."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated

import numpy as np

from dupai.base import F64, I64, AnyArray, FileError, Option, open_whole
from dupai.cards import CLASS_SIZE, CLASSES, COMBO_CLASS, COMBOS, NO_CARD
from dupai.reading._filter import asked_positions, joint_marginals, legal_hands, mixed
from dupai.reading._protocol import LearnsNothing
from dupai.reading._reading import Reading
from dupai.reading._watch import hidden_hands
from dupai.reading.populations import NAMES, SHOWN, number as population_number, of as population_of
from dupai.rules import HandRecord, View
from dupai.spots import NOTHING, POSITION_CLASS, POSITION_CLASSES, spot_rows

#: The shipped table: `dupai train start-table` on the training part of the shared logs.
FILE = Path(__file__).parent / "start_table.npz"
#: Pseudo-hands: towards the same line in any position, the line of all groups, and all hands alike (metric, section 6).
WITHOUT_POSITION, OF_ALL_GROUPS, EVEN = 300.0, 300.0, 200.0
#: Decisions of a line that are told apart, and raises faced.
_LONGEST, _MOST_RAISES = 4, 4
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
            lines[position] += f"{_WORDS[did]}{min(raises, _MOST_RAISES)}"
    return lines


def place_name(players: int, position_class: int) -> str:
    """Position as the table knows it; heads-up the two are others than at a full table."""
    return ("heads-up " if players == 2 else "") + POSITION_CLASSES[position_class]


class StartTable:
    """Counts of starting hands by group, line and position.

    Args:
        counts: ``{(group, line, position): counts by class (169)}``; group 0 is nobody in particular.
    """

    def __init__(self, counts: Mapping[tuple[int, str, str], I64] | None = None) -> None:
        self.counts: dict[tuple[int, str, str], I64] = dict(counts or {})
        self._sums: dict[tuple[int | None, str], F64] = {}

    def add(self, record: HandRecord) -> int:
        """Count the known hands of a record; returns how many. Of a record in which not all cards are known, those that
        are were shown (but the recording player's own): they count for the group ``shown``."""

        players = record.spec.players
        known = {i: hand for i, hand in enumerate(hidden_hands(record)) if hand is not None}
        if not known:
            return 0
        partial = any(NO_CARD in two for two in record.hole)
        lines = preflop_lines(spot_rows(record), players)
        added = 0
        for i, hand in known.items():
            if not lines[i] or (partial and i == record.hero):
                continue
            group = SHOWN if partial else population_of(record.names[i] if record.names else "", record.spec)
            key = (group, lines[i], place_name(players, int(POSITION_CLASS[players, i])))
            row = self.counts.setdefault(key, np.zeros(CLASSES, np.int64))
            row[COMBO_CLASS[hand]] += 1
            added += 1
        self._sums.clear()
        return added

    def _sum(self, group: int | None, line: str) -> F64:
        """Counts of a line in all positions, of one group or of all (what was shown is another sort of hands)."""
        key = (group, line)
        if key not in self._sums:
            rows = [
                c
                for (g, of, _), c in self.counts.items()
                if of == line and (g == group if group is not None else g != SHOWN)
            ]
            self._sums[key] = np.sum(rows, axis=0, dtype=np.float64) if rows else np.zeros(CLASSES)
        return self._sums[key]

    def shares(self, group: int, line: str, place: str) -> F64:
        """``float64[169]``: probability of each starting hand, smoothed in three steps."""
        everybody = self._sum(None, line)
        shares = (everybody + EVEN * _DEALT) / (everybody.sum() + EVEN)
        if group:
            mine = self._sum(group, line)
            shares = (mine + OF_ALL_GROUPS * shares) / (mine.sum() + OF_ALL_GROUPS)
        here = self.counts.get((group, line, place))
        if here is not None:
            shares = (here + WITHOUT_POSITION * shares) / (here.sum() + WITHOUT_POSITION)
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
                keys=np.array([f"{NAMES[g]}|{line}|{place}" for g, line, place in keys]),
                counts=np.array([self.counts[k] for k in keys], np.int32),
            )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> StartTable:
        """A table that :meth:`save` wrote.

        Raises:
            FileError: the file cannot be read or holds no table.
        """
        try:
            with np.load(path) as file:
                keys, counts = file["keys"].tolist(), file["counts"].astype(np.int64)
        except (OSError, ValueError, KeyError) as error:
            raise FileError(f"{path}: is no table of starting hands: {error}", path=path) from None
        rows = ((key.split("|"), row) for key, row in zip(keys, counts, strict=True))
        return cls({(population_number(group), line, place): row for (group, line, place), row in rows})


@cache
def shipped_table() -> StartTable:
    """The table that comes along."""
    return StartTable.load(FILE)


class StartTableReader(LearnsNothing):
    """Shares of starting hands after the same pre-flop actions, counted on real hands; later streets change nothing.

    After the flop only hands with board cards are taken out.
    """

    def __init__(
        self,
        table: Annotated[str, Option("file of another table (dupai train start-table)")] = "",
        population: Annotated[
            str, Option("group whose hands are counted: auto (by game and name), or its name as dupai train says")
        ] = "auto",
        uniform: Annotated[float, Option("share of the uniform distribution in a reading", 0.0, 0.99)] = 0.03,
        joint: Annotated[bool, Option("whether readings respect that no two players hold the same card")] = True,
    ) -> None:
        self.table = StartTable.load(table) if table else shipped_table()
        self.population = None if population == "auto" else population_number(population)
        self.uniform = uniform
        self.joint = joint
        self._names: dict[int, str] = {}

    def read(self, view: View, seats: Sequence[int] | None = None) -> Mapping[int, Reading]:
        positions = asked_positions(view, seats)
        rows = spot_rows(view)
        players = view.spec.players
        lines = preflop_lines(rows, players)
        needed = [i for i in range(players) if i in positions or (self.joint and NO_CARD in view.hole_of(i))]
        read = np.array([self._reading(view, i, lines[i]) for i in needed])
        if self.joint and len(needed) > 1:
            read = joint_marginals(read)
        return {view.seats[i]: Reading(read[needed.index(i)]) for i in positions}

    def _reading(self, view: View, position: int, line: str) -> F64:

        legal = legal_hands(view, position)
        if not line:
            return np.asarray(legal / legal.sum())
        players = view.spec.players
        group = self.population
        if group is None:
            group = population_of(self._names.get(view.seats[position], ""), view.spec)
        shares = self.table.shares(group, line, place_name(players, int(POSITION_CLASS[players, position])))
        w = np.where(legal, (shares / CLASS_SIZE)[COMBO_CLASS], 0.0)
        return mixed(w, legal, self.uniform)

    def meet(self, names: Mapping[int, str]) -> None:
        self._names.update(names)


class UniformReader(LearnsNothing):
    """Every hand that the seen cards leave is equally likely: the zero of the scale."""

    def read(self, view: View, seats: Sequence[int] | None = None) -> Mapping[int, Reading]:
        return {view.seats[i]: Reading(legal_hands(view, i)) for i in asked_positions(view, seats)}
