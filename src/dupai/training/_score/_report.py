"""Scored cases put together: means with their errors, by group, reader, street, view and kind of row."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import clustered_error
from dupai.history import UNNAMED
from dupai.rules import STREET_NAMES
from dupai.training._score._groups import ALL, SHOWN_ONLY

F64 = npt.NDArray[np.float64]

#: Cards of this share of all players dealt in must be known, else players with known cards are those who showed them.
_ALL_KNOWN = 0.9
#: Standard errors by person are given where persons played so many hands on average.
_MANY = 100
VIEWS = ("observer", "seat")
ROWS = ("main", "folder")
#: The streets after the first together: for calibration and classes, which the metric's table gives so.
POST_FLOP = "post-flop"


class Scored:
    """The cases of one file with the measures of every reader (rows of :func:`measure_kernel`).

    A case is the hand (its number in the file), the position, the street, whether he folded on it, whether he recorded
    the hand himself, and the view (0 observer's, 1 a seat's). ``dealt`` players were dealt in, cards of ``known`` of
    them are known.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.cases: list[tuple[int, ...]] = []
        self.persons: list[str] = []
        self.groups: list[tuple[str, ...]] = []
        self.values: list[list[F64]] = []
        self.hands = 0
        self.refused = 0
        self.dealt = 0
        self.known = 0

    def add(self, case: tuple[int, ...], person: str, groups: tuple[str, ...], values: list[F64]) -> None:
        self.cases.append(case)
        self.persons.append(person)
        self.groups.append(groups)
        self.values.append(values)

    def of(self, reader: int) -> Scored:
        """The same cases with the measures of one reader only."""
        one = Scored(self.name)
        one.cases, one.persons, one.groups = self.cases, self.persons, self.groups
        one.hands, one.refused, one.dealt, one.known = self.hands, self.refused, self.dealt, self.known
        one.values = [[row[reader]] for row in self.values]
        return one


class ScoreRow(msgspec.Struct, frozen=True, kw_only=True):
    """The score of one reader on one group, street, view and kind of row.

    Attributes:
        group, reader, street: ``street`` is ``pre-flop``, ``flop``, ``turn``, ``river`` or ``post-flop`` (the last
            three together, weighted by cases: no bits).
        bits: mean information gain; None for ``post-flop``.
        se: its standard error clustered by hand.
        cases: how many.
        cover50, cover80, cover95: share of true hands in the smallest set of that probability, ties split exactly.
        top1, top2, top3: share of true classes among the one, two, three most probable.
        view: ``observer`` or ``seat``.
        rows: ``main`` (still live at the end of the street) or ``folder`` (folded on it).
        table: ``all cards known`` or ``shown only``.
        below: cases cut off at -20 bits.
        se50, se80, se95: standard errors of the three shares, clustered by hand.
        se_person: standard error clustered by person, where persons play hundreds of hands.
    """

    group: str
    reader: str
    street: str
    bits: float | None
    se: float | None
    cases: int
    cover50: float
    cover80: float
    cover95: float
    top1: float
    top2: float
    top3: float
    view: str
    rows: str
    table: str
    below: int
    se50: float
    se80: float
    se95: float
    se_person: float | None = None


class PairRow(msgspec.Struct, frozen=True, kw_only=True):
    """``bits`` that ``reader`` gains more than ``than`` on the same cases, with errors as in :class:`ScoreRow`."""

    group: str
    reader: str
    than: str
    street: str
    bits: float
    se: float
    cases: int
    view: str
    rows: str
    se_person: float | None = None


class ScoreReport(msgspec.Struct, frozen=True, kw_only=True):
    """Scores of readers on recorded hands.

    Attributes:
        readers, data, part, seed, observed: what was asked for.
        hands: hands of the part that were looked at; ``refused``: those that could not be read or replayed.
        complete: False when the work was stopped early.
        scores, pairs: the rows.
    """

    readers: list[str]
    data: list[str]
    part: str
    seed: int
    observed: str
    hands: int
    refused: int
    complete: bool
    scores: list[ScoreRow]
    pairs: list[PairRow]


def summary(parts: Sequence[Scored], readers: Sequence[str]) -> tuple[list[ScoreRow], list[PairRow]]:
    """All rows of the tables: groups in the order met, the shown-only ones last."""
    members: dict[tuple[str, str], list[int]] = {}
    at = 0
    for part in parts:
        partial = part.known < _ALL_KNOWN * part.dealt
        for case, groups in zip(part.cases, part.groups, strict=True):
            for group in groups:
                table = SHOWN_ONLY if partial and not case[4] else "all cards known"
                title = f"{group}, {SHOWN_ONLY}" if table == SHOWN_ONLY else f"{group}, hero" if partial else group
                members.setdefault((table, title), []).append(at)
            if case[3] and not partial:
                members.setdefault(("all cards known", ALL), []).append(at)
            at += 1
    if not at:
        return [], []
    cases = np.array([c for p in parts for c in p.cases], np.int64)
    hand = np.concatenate([np.array([c[0] for c in p.cases], np.int64) + (k << 40) for k, p in enumerate(parts)])
    person = np.unique([n for p in parts for n in p.persons], return_inverse=True)
    unnamed = np.flatnonzero(person[0] == UNNAMED)
    values = np.array([v for p in parts for v in p.values], np.float64)
    scores: list[ScoreRow] = []
    pairs: list[PairRow] = []
    order = sorted(members, key=lambda m: (m[0] == SHOWN_ONLY, m[1] == ALL))
    for (table, title), view, rows in itertools.product(order, range(2), range(2)):
        index = np.array(members[table, title], np.int64)
        index = index[(cases[index, 5] == view) & (cases[index, 3] == rows)]
        if not len(index):
            continue
        who = person[1][index]
        everyone = len(unnamed) == 0 or not bool((who == unnamed[0]).any())
        persons = len(np.unique(who))
        many = everyone and persons > 1 and len(np.unique(hand[index])) >= _MANY * persons
        for k, street in enumerate((*STREET_NAMES, POST_FLOP)):
            here = index[cases[index, 2] == k if k < 4 else cases[index, 2] > 0]
            if not len(here):
                continue
            place = {"group": title, "street": street, "view": VIEWS[view], "rows": ROWS[rows], "cases": len(here)}
            clusters = hand[here], person[1][here] if many else None
            for r, reader in enumerate(readers):
                scores.append(_row(place, reader, table, values[here, r], *clusters, bits=k < 4))
            if k < 4:
                for a, b in itertools.combinations(range(len(readers)), 2):
                    apart = values[here, b, 0] - values[here, a, 0]
                    pairs.append(_pair(place, readers[b], readers[a], apart, *clusters))
    return scores, pairs


def _row(
    place: dict[str, Any],
    reader: str,
    table: str,
    values: F64,
    hand: npt.NDArray[np.int64],
    person: npt.NDArray[np.int64] | None,
    *,
    bits: bool,
) -> ScoreRow:
    means = values.mean(axis=0).tolist()
    gains = values[:, 0]
    return ScoreRow(
        **place,
        reader=reader,
        bits=means[0] if bits else None,
        se=clustered_error(gains, hand) if bits else None,
        cover50=means[2],
        cover80=means[3],
        cover95=means[4],
        top1=means[5],
        top2=means[6],
        top3=means[7],
        table=table,
        below=int(values[:, 1].sum()),
        se50=clustered_error(values[:, 2], hand),
        se80=clustered_error(values[:, 3], hand),
        se95=clustered_error(values[:, 4], hand),
        se_person=clustered_error(gains, person) if bits and person is not None else None,
    )


def _pair(
    place: dict[str, Any],
    reader: str,
    than: str,
    apart: F64,
    hand: npt.NDArray[np.int64],
    person: npt.NDArray[np.int64] | None,
) -> PairRow:
    return PairRow(
        **place,
        reader=reader,
        than=than,
        bits=float(apart.mean()),
        se=clustered_error(apart, hand),
        se_person=clustered_error(apart, person) if person is not None else None,
    )
