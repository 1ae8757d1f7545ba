"""Scored cases put together: means with their errors, by group, reader, street, view and kind of row."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from dupai.base import Printable, clustered_error
from dupai.base.arrays import F64, I64
from dupai.history.stats import UNNAMED
from dupai.rules import STREET_NAMES
from dupai.training._sources import KnownShare

#: All sets in which every hand is known without being shown; rows of folded players are given for this group too.
ALL = "all sets"
SHOWN_ONLY, ALL_KNOWN = "shown only", "all cards known"
#: Standard errors by person are given where persons played this many hands on average.
_MANY = 100
VIEWS = ("observer", "seat")
ROWS = ("main", "folder")
#: The streets after the first together: the metric's table gives calibration and classes so.
POST_FLOP = "post-flop"
#: The measures of a case (:func:`measure_kernel`) after the bits and whether they were cut off.
_SHARES = ("cover50", "cover80", "cover95", "top1", "top2", "top3")


class Scored(msgspec.Struct, kw_only=True):
    """The cases of one file with the measures of every reader.

    Attributes:
        cases: the hand (its number in the file), the position, the street, whether the player folded on it, whether
            they recorded the hand, and the view (0 observer's, 1 a seat's).
        persons, groups: of each case.
        values: of each case a row of measures for each reader (:func:`measure_kernel`).
        hands, refused, again: hands read, those that cannot be replayed, and those that were there already.
        share: how many of the hands dealt are known.
        complete: False when the work was stopped early.
    """

    cases: list[tuple[int, ...]] = []
    persons: list[str] = []
    groups: list[tuple[str, ...]] = []
    values: list[list[list[float]]] = []
    hands: int = 0
    refused: int = 0
    again: int = 0
    share: KnownShare = msgspec.field(default_factory=KnownShare)
    complete: bool = True

    def of(self, reader: int) -> Scored:
        """The cases with the measures of one reader only."""
        return msgspec.structs.replace(self, values=[[row[reader]] for row in self.values])


class _Row(msgspec.Struct, frozen=True, kw_only=True):
    """What all rows say.

    Attributes:
        group, reader, street: ``street`` is ``pre-flop``, ``flop``, ``turn``, ``river`` or ``post-flop`` (the last
            three together, weighted by cases: no bits).
        view: ``observer`` or ``seat``.
        rows: ``main`` (still live at the end of the street) or ``folder`` (folded on it).
        cases: how many.
        bits: mean information gain; None for ``post-flop``.
        se: its standard error clustered by hand.
        se_person: standard error clustered by person, where persons play hundreds of hands.
    """

    group: str
    reader: str
    street: str
    view: str
    rows: str
    cases: int
    bits: float | None
    se: float | None
    se_person: float | None = None


class Shares(msgspec.Struct, frozen=True, kw_only=True):
    """How often a reader's sets and classes hold the true hand.

    Attributes:
        cover50, cover80, cover95: share of true hands in the smallest set of that probability, ties split exactly.
        se50, se80, se95: their standard errors, clustered by hand.
        top1, top2, top3: share of true classes among the one, two, three most probable.
    """

    cover50: float
    cover80: float
    cover95: float
    se50: float
    se80: float
    se95: float
    top1: float
    top2: float
    top3: float


class ScoreRow(_Row, frozen=True, kw_only=True):
    """The score of one reader on one group, street, view and kind of row.

    Attributes:
        table: ``all cards known`` or ``shown only``.
        below: cases cut off at -20 bits.
        shares: calibration and classes.
    """

    table: str
    below: int
    shares: Shares

    def to_dict(self) -> dict[str, Any]:
        """The row as ``read score --json`` prints it: all numbers side by side."""
        row = msgspec.structs.asdict(self)
        return row | msgspec.structs.asdict(row.pop("shares"))


class PairRow(_Row, frozen=True, kw_only=True):
    """``bits`` that ``reader`` gains more than ``than`` on the same cases.

    Attributes:
        tops: by how much more often the true class is among its one, two, three most probable, mean of the three;
            ``se_tops``: its standard error clustered by hand.
    """

    than: str
    tops: float
    se_tops: float


class ScoreReport(Printable, msgspec.Struct, frozen=True, kw_only=True):
    """Scores of readers on recorded hands.

    Attributes:
        readers, data, part, seed, observed: what was asked for.
        hands: hands of the part that were looked at; ``refused``: those that could not be read or replayed;
            ``again``: those of the files that were there already.
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
    again: int = 0
    complete: bool
    scores: list[ScoreRow]
    pairs: list[PairRow]

    def headline(self) -> str:
        return f"{', '.join(self.readers)} on {self.hands:,} hands{'' if self.complete else ', stopped early'}"

    def as_table(self) -> tuple[tuple[str, ...], Sequence[tuple[str, ...]]]:
        rows = [
            (s.group, s.reader, s.street, *("" if x is None else f"{x:.3f}" for x in (s.bits, s.se)), f"{s.cases:,}")
            for s in self.scores
        ]
        return ("group", "reader", "street", "bits", "±", "cases"), rows

    def to_dict(self) -> dict[str, Any]:
        """The report as ``read score --json`` prints it: the numbers of a row side by side."""
        return super().to_dict() | {"scores": [row.to_dict() for row in self.scores]}


def summary(parts: Sequence[Scored], readers: Sequence[str]) -> tuple[list[ScoreRow], list[PairRow]]:
    """All rows of the tables: groups in the order met, the shown-only ones last."""
    members: dict[tuple[str, str], list[int]] = {}
    at = 0
    for part in parts:
        partial = part.share.shown_only
        for case, groups in zip(part.cases, part.groups, strict=True):
            for group in groups:
                table = SHOWN_ONLY if partial and not case[4] else ALL_KNOWN
                title = f"{group}, {SHOWN_ONLY}" if table == SHOWN_ONLY else f"{group}, hero" if partial else group
                members.setdefault((table, title), []).append(at)
            if case[3] and not partial:
                members.setdefault((ALL_KNOWN, ALL), []).append(at)
            at += 1
    if not at:
        return [], []
    cases = np.array([c for p in parts for c in p.cases], np.int64)
    hand = np.concatenate([np.array([c[0] for c in p.cases], np.int64) + (k << 40) for k, p in enumerate(parts)])
    names, person = np.unique([n for p in parts for n in p.persons], return_inverse=True)
    values = np.array([v for p in parts for v in p.values], np.float64)
    scores: list[ScoreRow] = []
    pairs: list[PairRow] = []
    order = sorted(members, key=lambda m: (m[0] == SHOWN_ONLY, m[1] == ALL))
    for (table, title), view, rows in itertools.product(order, range(2), range(2)):
        index = np.array(members[table, title], np.int64)
        index = index[(cases[index, 5] == view) & (cases[index, 3] == rows)]
        persons = np.unique(person[index])
        by_person = UNNAMED not in names[persons] and 1 < len(persons) <= len(np.unique(hand[index])) / _MANY
        for k, street in enumerate((*STREET_NAMES, POST_FLOP)):
            here = index[cases[index, 2] == k if k < 4 else cases[index, 2] > 0]
            if not len(here):
                continue
            place = {"group": title, "street": street, "view": VIEWS[view], "rows": ROWS[rows], "cases": len(here)}

            def errors(x: F64, here: I64 = here, by_person: bool = by_person) -> dict[str, float]:
                errors = {"se": clustered_error(x, hand[here])}
                return errors | ({"se_person": clustered_error(x, person[here])} if by_person else {})

            for r, reader in enumerate(readers):
                mine = values[here, r]
                bits, _, *means = mine.mean(axis=0).tolist()
                shares = dict(zip(_SHARES, means, strict=True))
                shares |= {f"se{level}": errors(mine[:, 2 + n])["se"] for n, level in enumerate((50, 80, 95))}
                gain = {"bits": bits} | errors(mine[:, 0]) if k < 4 else {"bits": None, "se": None}
                row = {**place, "reader": reader, "table": table, "below": int(mine[:, 1].sum())} | gain
                scores.append(ScoreRow(**row, shares=Shares(**shares)))
            for a, b in itertools.combinations(range(len(readers) if k < 4 else 0), 2):
                apart = values[here, b] - values[here, a]
                bits, tops = apart[:, 0], apart[:, 5:].mean(axis=1)
                pair = {"reader": readers[b], "than": readers[a], "bits": float(bits.mean()), **errors(bits)}
                pair |= {"tops": float(tops.mean()), "se_tops": errors(tops)["se"]}
                pairs.append(PairRow(**place, **pair))  # type: ignore[arg-type]
    return scores, pairs
