"""Hands with known cards as flat arrays, for training, and what networks see of their decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from dupai.base import HistoryError, NoProgress, Progress, RulesError, notify
from dupai.base.arrays import AnyArray as Array
from dupai.base.files import file_faults, open_whole, place_of, read_arrays
from dupai.cards import COMBO_INDEX, board_array
from dupai.history import file_records
from dupai.reading import populations
from dupai.reading.features import ACTION_CLASSES, PUBLIC_SIZE
from dupai.rules import HandRecord
from dupai.spots import spot_rows
from dupai.training._kernels import decisions_kernel
from dupai.training._sources import KnownShare
from dupai.training._split import PARTS, part_of, source_name, split_key
from dupai.training._stopped import report

#: Hands whose decisions are worked out at a time.
_SLICE = 500


class Corpus(msgspec.Struct, kw_only=True):
    """Hands of several files.

    Attributes:
        rows: ``SPOT_DTYPE[m]``, every decision, hand after hand.
        first: ``int64[hands + 1]``, where each hand's decisions begin.
        board: ``uint8[hands, 5]``, 255 where no card fell.
        hole: ``uint8[hands, 10, 2]`` by position, 255 where not known.
        group: ``int8[hands, 10]``: population of each position, -1 where nobody sits.
        name: ``int32[hands, 10]``: number of the player's name in ``names``, -1 where there is none.
        limit: ``bool[hands]``.
        part: ``int8[hands]``, index in :data:`~dupai.training._split.PARTS`.
        source: ``int32[hands]``, index in ``sources``.
        unit: ``int32[hands]``, index in ``units``, the keys that hands are split by
            (:func:`~dupai.training._split.split_key`).
    """

    rows: Array
    first: Array
    board: Array
    hole: Array
    group: Array
    name: Array
    limit: Array
    part: Array
    source: Array
    unit: Array
    sources: list[str]
    names: list[str]
    units: list[str]

    def save(self, path: str | Path) -> None:
        """Into an ``.npz``."""
        fields: dict[str, Any] = {f: np.asarray(getattr(self, f)) for f in self.__struct_fields__}
        with open_whole(path, "wb") as file:
            np.savez(file, allow_pickle=False, **fields)

    @classmethod
    def load(cls, path: str | Path) -> Corpus:
        """From :meth:`save`."""
        file = read_arrays(path, "training data", packed=False)
        with file_faults(place_of("training data", path), path):
            lists = {f: file[f].tolist() for f in ("sources", "names", "units")}
            return cls(**{f: file[f] for f in cls.__struct_fields__ if f not in lists} | lists)


def _known(record: HandRecord, shown_only: bool) -> Array:
    hole = np.full((10, 2), 255, np.uint8)
    for p, two in enumerate(record.hole):
        if 255 in two or (shown_only and record.hero == p and not (record.shown and record.shown[p])):
            continue
        hole[p] = two
    if shown_only:
        for p, two in enumerate(record.mucked):
            if 255 not in two:
                hole[p] = two
    return hole


def read_corpus(
    paths: Iterable[str | Path], *, most: Callable[[str], float] = lambda _: 1.0, progress: Progress | None = None
) -> Corpus:
    """The hands of these files of which at least one player's cards are known.

    In a file of which only shown hands are known (:class:`~dupai.training._sources.KnownShare`) everybody who is no
    program that is known counts as one of the population "shown".

    Args:
        paths: logs, PHH files, site texts, stores.
        most: share of the hands of a file (by its source name) that is used, spread evenly over it.
        progress: told about every file.

    Raises:
        HistoryError: a file cannot be read, or no hand in all of them has a known card.
    """
    hands: list[tuple[Any, ...]] = []
    rows: list[Array] = []
    sources: list[str] = []
    names: dict[str, int] = {}
    units: dict[str, int] = {}
    for path in paths:
        source = source_name(path)
        sources.append(source)
        share = most(source)
        records: list[tuple[HandRecord, str]] = []
        share_known, refused = KnownShare(), 0
        for number, record in enumerate(file_records(path, progress=progress or NoProgress())):
            if int(number * share) == int((number - 1) * share) and number:
                continue
            share_known.add(record)
            try:
                rows.append(spot_rows(record))
            except RulesError:
                refused += 1
                continue
            records.append((record, split_key(record, source, number)))
            for name in record.names:
                names.setdefault(name, len(names))
        if refused:
            notify(f"dupai: {path}: {refused:,} hands left out that cannot be replayed")
        shown_only = share_known.shown_only
        for record, key in records:
            players = record.names or [""] * record.spec.players
            groups = [populations.of(name, record.spec) for name in players]
            if shown_only:
                groups = [populations.SHOWN if g in populations.PEOPLE else g for g in groups]
            hand = board_array(record.board), _known(record, shown_only), _filled(groups)
            numbers = _filled([names[name] for name in record.names]), record.spec.betting == "limit"
            place = PARTS.index(part_of(key)), len(sources) - 1, units.setdefault(key, len(units))
            hands.append((*hand, *numbers, *place))
    table = np.array(hands, _HAND)
    keep = np.flatnonzero((table["hole"] != 255).any(axis=(1, 2)))
    if not len(keep):
        raise HistoryError("none of the hands has known hole cards: a reader is trained on hands whose cards are known")
    used = [rows[k] for k in keep.tolist()]
    columns: dict[str, Array] = {name: np.ascontiguousarray(table[name][keep]) for name in _HAND.names or ()}
    return Corpus(
        rows=np.concatenate(used),
        first=np.concatenate(([0], np.cumsum([len(r) for r in used]))),
        sources=sources,
        names=list(names),
        units=list(units),
        **columns,
    )


#: The columns of :class:`Corpus` with one row for each hand.
_HAND = np.dtype([
    ("board", "u1", 5), ("hole", "u1", (10, 2)), ("group", "i1", 10), ("name", "i4", 10), ("limit", "?"),
    ("part", "i1"), ("source", "i4"), ("unit", "i4"),
])  # fmt: skip


def _filled(numbers: Sequence[int]) -> list[int]:
    """Ten numbers, -1 where nobody sits."""
    return [*numbers, *[-1] * (10 - len(numbers))]


class Cases(msgspec.Struct, kw_only=True):
    """A case is a player of known cards in one hand, with their decisions on the streets in question.

    Attributes:
        hand, position, group, combo, part: ``int[n]``.
        first: ``int64[n + 1]`` into ``decision``, indices of rows of the corpus.
        folded: ``bool[n]``, the player folded on the last of these streets that they saw.
    """

    hand: Array
    position: Array
    group: Array
    combo: Array
    part: Array
    first: Array
    decision: Array
    folded: Array


def find_cases(corpus: Corpus, did: Array, streets: tuple[int, ...]) -> Cases:
    """The cases with at least one decision on ``streets`` (exploiting programs are none)."""
    rows = corpus.rows
    hand = np.repeat(np.arange(len(corpus.first) - 1), np.diff(corpus.first))
    position = rows["position"]
    hole = corpus.hole[hand, position]
    group = corpus.group[hand, position]
    use = np.isin(rows["street"], streets) & (did >= 0) & (hole[:, 0] != 255) & ~np.isin(group, populations.EXPLOITERS)
    index = np.flatnonzero(use)
    key = hand[index] * 10 + position[index]
    order = np.argsort(key, kind="stable")
    index, key = index[order], key[order]
    starts = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1]))[: len(key)])
    h, p = key[starts] // 10, key[starts] % 10
    first = np.concatenate((starts, [len(key)]))
    return Cases(
        hand=h,
        position=p,
        group=corpus.group[h, p].astype(np.int64),
        combo=COMBO_INDEX[corpus.hole[h, p, 0], corpus.hole[h, p, 1]].astype(np.int64),
        part=corpus.part[h],
        first=first,
        decision=index,
        folded=did[index[first[1:] - 1]] == 0,
    )


def keep_cases(cases: Cases, keep: Array) -> Cases:
    """Only some of the cases."""
    lengths = np.diff(cases.first)
    by_case = set(Cases.__struct_fields__) - {"first", "decision"}
    columns: dict[str, Array] = {name: getattr(cases, name)[keep] for name in by_case}
    first = np.concatenate(([0], np.cumsum(lengths[keep])))
    return Cases(first=first, decision=cases.decision[rows_of(cases.first, keep)], **columns)


def rows_of(first: Array, keep: Array) -> Array:
    """The rows of some items, where item ``i`` has the rows from ``first[i]`` to ``first[i + 1]``."""
    return np.concatenate([np.arange(first[i], first[i + 1]) for i in keep] or [np.empty(0, np.int64)])


def group_weights(group: Array) -> Array:
    """Weight of each case: large groups count less than their number."""
    n = np.bincount(group, minlength=len(populations.NAMES)).astype(float)
    w = np.minimum(1.0, np.sqrt(15_000 / np.maximum(n, 1)))
    return np.asarray(w)[group]


#: More cases than there are of any population: :func:`few_of_each` takes all of them.
ALL = 1 << 40


def few_of_each(group: Array, index: Array, most: int, rng: np.random.Generator) -> Array:
    """At most so many of ``index`` (which may be empty) from each group, drawn at random."""
    shuffled = rng.permutation(index)
    some = [shuffled[group[shuffled] == g][:most] for g in np.unique(group[shuffled])]
    return np.concatenate([shuffled[:0], *some])


class Decisions(msgspec.Struct, frozen=True):
    """Decisions by row of the corpus: public features ``float16[m, 96]``, native class of what was done (``int8[m]``,
    -1 for nothing) and which classes were legal (``bool[m, 9]``)."""

    features: Array
    did: Array
    legal: Array


def find_decisions(corpus: Corpus, look: Progress = NoProgress()) -> Decisions:  # noqa: B008
    """The decisions of a corpus as the networks see them."""
    m, hands = len(corpus.rows), len(corpus.first) - 1
    features = np.zeros((m, PUBLIC_SIZE), np.float16)
    did = np.zeros(m, np.int8)
    legal = np.zeros((m, ACTION_CLASSES), np.bool_)
    for begin in range(0, hands, _SLICE):
        end = min(begin + _SLICE, hands)
        a, b = corpus.first[begin], corpus.first[end]
        held = np.zeros((b - a, PUBLIC_SIZE), np.float32)
        first, some = corpus.first[begin : end + 1] - a, slice(begin, end)
        decisions_kernel(corpus.rows[a:b], first, corpus.board[some], corpus.limit[some], held, did[a:b], legal[a:b])
        features[a:b] = held
        report(look, end, hands, "decisions")
    done = did >= 0
    # What was done was possible, whatever the rules that the hand is replayed under say of its size.
    legal[np.flatnonzero(done), did[done]] = True
    return Decisions(features, did, legal)
