"""Cases: players of known cards in single hands, and how many of each population count."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.cards import COMBO_INDEX
from dupai.reading import populations
from dupai.training._model._data import Corpus

Array = npt.NDArray[Any]


class Cases(msgspec.Struct, kw_only=True):
    """A case is a player of known cards in one hand, with his decisions of the streets in question.

    Attributes:
        hand, position, group, combo, part: ``int[n]``.
        first: ``int64[n + 1]`` into ``decision``, indices of rows of the corpus.
        folded: ``bool[n]``, the player folded on the last of these streets that he saw.
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
    starts = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1])))
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
    flat = np.concatenate([np.arange(cases.first[i], cases.first[i + 1]) for i in keep] or [np.empty(0, np.int64)])
    return Cases(
        hand=cases.hand[keep],
        position=cases.position[keep],
        group=cases.group[keep],
        combo=cases.combo[keep],
        part=cases.part[keep],
        folded=cases.folded[keep],
        first=np.concatenate(([0], np.cumsum(lengths[keep]))),
        decision=cases.decision[flat],
    )


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
