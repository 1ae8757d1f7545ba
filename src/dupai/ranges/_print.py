"""Weights to canonical text.

For each weight, highest first: the pairs, the suited and the offsuit hands that are there with all their combos are
covered by disjoint runs, a longer run before any that it contains. So no two runs of the cover make up a third one:
that one would have been taken first. Suited and offsuit runs of the same shape then join into one token without
suffix, and combos of incomplete classes stand alone. Hence no two tokens of one weight can be merged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from dupai.cards import CLASS_SIZE, CLASSES, COMBO_CLASS, RANKS, combo_text
from dupai.ranges._parse import cells

#: Cells (higher rank, lower rank) of a run, from the highest down.
_Run = tuple[tuple[int, int], ...]


def range_text(weights: npt.NDArray[np.float32]) -> str:
    """Canonical text of ``float32[1326]`` weights; reading it back gives the very same weights."""
    tokens: list[str] = []
    for w in np.unique(weights[weights > 0])[::-1]:
        prefix = "" if w == 1 else weight_text(w) + ":"
        tokens += [prefix + t for t in _tokens(weights == w)]
    return ", ".join(tokens) or "-random"


def weight_text(weight: np.float32) -> str:
    """The shortest decimal that :func:`float` and rounding to ``float32`` turn back into ``weight``."""
    text = np.format_float_positional(weight, unique=True, trim="-")
    return text if np.float32(float(text)) == weight else repr(float(weight))


def _tokens(there: npt.NDArray[np.bool_]) -> list[str]:
    if there.all():
        return ["random"]
    whole = np.bincount(COMBO_CLASS[there], minlength=CLASSES) == CLASS_SIZE
    single = np.flatnonzero(there & ~whole[COMBO_CLASS])
    tokens: list[str] = []
    if whole.any():
        pairs = {(r, r) for r in range(13) if whole[cells(r, r, "")[0]]}
        tokens += [_text(run, "") for run in _cover(pairs, [_pair_runs()])]
        suited, offsuit = (
            _best_cover({(hi, lo) for hi in range(13) for lo in range(hi) if whole[cells(hi, lo, kind)[0]]})
            for kind in "so"
        )
        both = set(suited) & set(offsuit)
        runs = [(run, "") for run in both]
        runs += [(run, "s") for run in suited if run not in both] + [(run, "o") for run in offsuit if run not in both]
        runs.sort(key=lambda x: (x[1] == "o", -x[0][0][0], -x[0][0][1], -len(x[0])))
        tokens += [_text(run, kind) for run, kind in runs]
    rank_first = sorted((combo_text(int(i)) for i in single), key=_strongest)
    return tokens + rank_first


def _strongest(text: str) -> tuple[int, int, str, str]:
    return -RANKS.index(text[0]), -RANKS.index(text[2]), text[1], text[3]


def _text(run: _Run, kind: str) -> str:
    first, last = ("".join(RANKS[r] for r in run[i]) + kind for i in (0, -1))
    if len(run) == 1:
        return first
    hi, lo = run[0]
    to_the_top = run[0] == (12, 12) if hi == lo else run[-1][0] == hi and lo == hi - 1
    return f"{last}+" if to_the_top else f"{first}-{last}"


@cache
def _pair_runs() -> Sequence[_Run]:
    runs = [tuple((r, r) for r in range(top, low - 1, -1)) for top in range(13) for low in range(top + 1)]
    return sorted(runs, key=lambda run: (-len(run), run))


@cache
def _rows() -> Sequence[_Run]:
    """Runs of at least two kickers under one high card, longest first."""
    runs = [
        tuple((hi, lo) for lo in range(top, low - 1, -1)) for hi in range(13) for top in range(hi) for low in range(top)
    ]
    return sorted(runs, key=lambda run: (-len(run), [(-h, -lo) for h, lo in run]))


@cache
def _diagonals() -> Sequence[_Run]:
    """Runs of at least two hands with one gap, longest first."""
    runs = [
        tuple((hi, hi - gap) for hi in range(top, low - 1, -1))
        for gap in range(1, 13)
        for top in range(gap, 13)
        for low in range(gap, top)
    ]
    return sorted(runs, key=lambda run: (-len(run), [(-h, -lo) for h, lo in run]))


@cache
def _singles() -> Sequence[_Run]:
    return [((hi, lo),) for hi in range(12, 0, -1) for lo in range(hi - 1, -1, -1)]


@cache
def _longest_first() -> Sequence[_Run]:
    # the sort is stable: of two runs of one length the one with a fixed high card comes first
    return sorted([*_rows(), *_diagonals()], key=lambda run: -len(run))


def _best_cover(there: set[tuple[int, int]]) -> list[_Run]:
    """Two covers are tried; both take every run before the runs it contains. The reader prefers fixed high cards."""
    if not there:
        return []
    rows_first = _cover(there, [_rows(), _diagonals(), _singles()])
    if len(rows_first) == 1:
        return rows_first
    longest_first = _cover(there, [_longest_first(), _singles()])
    return longest_first if len(longest_first) < len(rows_first) else rows_first


def _cover(there: set[tuple[int, int]], vocabulary: Iterable[Sequence[_Run]]) -> list[_Run]:
    left = set(there)
    runs: list[_Run] = []
    for candidates in vocabulary:
        for run in candidates:
            if not left:
                return runs
            if left.issuperset(run):
                runs.append(run)
                left.difference_update(run)
    return runs
