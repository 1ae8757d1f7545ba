"""Weights to canonical text.

For each weight, highest first, disjoint runs cover the pairs, the suited and the offsuit hands of which all combos are
present. A longer run is taken before any run that it contains, so no two runs of the cover form a third one. Suited and
offsuit runs of the same shape then join into one token without suffix, and combos of incomplete classes stand alone.
Hence no two tokens of one weight can be merged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError
from dupai.base.arrays import F32
from dupai.base.text import quoted
from dupai.cards import CLASS_SIZE, CLASS_TEXT, CLASSES, COMBO_CLASS, RANKS, combo_text
from dupai.ranges._forms import SOLVER_ORDER
from dupai.ranges._parse import cells

#: Forms of text that a range can be written in.
RANGE_FORMS = ("hands", "solver", "gtoplus", "equilab", "1326", "csv")

#: Cells (higher rank, lower rank) of a run, from the highest down.
_Run = tuple[tuple[int, int], ...]


def range_text(weights: F32, form: str = "hands") -> str:
    """Text of ``float32[1326]`` weights in one of :data:`RANGE_FORMS`; reading it back gives the very same weights.

    ``hands``: runs of hands, ``QQ+, AKs:0.5``. ``solver``: every class or combo for itself, ``AA,KK,AKs:0.5``.
    ``gtoplus``: ``QQ+,[50]AKs[/50]``. ``equilab``: ``QQ+@100,AKs@50``. ``1326``: numbers by combo, from 2d2c. ``csv``:
    a row for each combo.

    Raises:
        ConfigError: there is no such form.
    """
    if form not in RANGE_FORMS:
        raise ConfigError(f"range form {quoted(form)}: expected one of {', '.join(RANGE_FORMS)}", key="form")
    if form == "1326":
        return " ".join(weight_text(w) for w in weights[SOLVER_ORDER])
    if form == "csv":
        present = [i for i in SOLVER_ORDER[::-1] if weights[i] > 0]
        return "".join(["hand,weight\n", *(f"{combo_text(int(i))},{weight_text(weights[i])}\n" for i in present)])
    groups = {w: _tokens(weights == w, runs=form != "solver") for w in np.unique(weights[weights > 0])[::-1]}
    if form == "gtoplus":
        texts = [_grouped(",".join(tokens), w) for w, tokens in groups.items()]
    elif form == "equilab":
        # Numbers after @ are percent as soon as one of them is above 1.
        plain, sign = set(groups) <= {np.float32(1)}, "" if any(w > 0.01 for w in groups) else "%"
        texts = [t if plain else f"{t}@{_percent(w)}{sign}" for w, tokens in groups.items() for t in tokens]
    else:
        texts = [t if w == 1 else f"{t}:{weight_text(w)}" for w, tokens in groups.items() for t in tokens]
    return (", " if form == "hands" else ",").join(texts) or "-random"


def _grouped(hands: str, weight: np.float32) -> str:
    return hands if weight == 1 else f"[{_percent(weight)}]{hands}[/{_percent(weight)}]"


def _percent(weight: np.float32) -> str:
    text = f"{Decimal(weight_text(weight)) * 100:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def weight_text(weight: np.float32) -> str:
    """The shortest decimal that :func:`float` and rounding to ``float32`` turn back into ``weight``."""
    text = np.format_float_positional(weight, unique=True, trim="-")
    return text if np.float32(float(text)) == weight else repr(float(weight))


def _tokens(there: npt.NDArray[np.bool_], runs: bool = True) -> list[str]:
    if runs and there.all():
        return ["random"]
    whole = np.bincount(COMBO_CLASS[there], minlength=CLASSES) == CLASS_SIZE
    single = np.flatnonzero(there & ~whole[COMBO_CLASS])
    tokens: list[str] = []
    if not runs:
        tokens = [CLASS_TEXT[i] for i in np.flatnonzero(whole)]
    elif whole.any():
        pairs = {(r, r) for r in range(13) if whole[cells(r, r, "")[0]]}
        tokens += [_text(run, "") for run in _cover(pairs, [_runs().pairs])]
        suited, offsuit = (
            _best_cover({(hi, lo) for hi in range(13) for lo in range(hi) if whole[cells(hi, lo, kind)[0]]})
            for kind in "so"
        )
        both = set(suited) & set(offsuit)
        lines = [(run, "") for run in both]
        lines += [(run, "s") for run in suited if run not in both] + [(run, "o") for run in offsuit if run not in both]
        lines.sort(key=lambda x: (x[1] == "o", -x[0][0][0], -x[0][0][1], -len(x[0])))
        tokens += [_text(run, kind) for run, kind in lines]
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


class _Runs(NamedTuple):
    """Runs of neighbouring cells, longest first, then highest first: pairs (lowest first), runs of at least two under
    one high card, those with one gap, both of these together, and single cells."""

    pairs: Sequence[_Run]
    rows: Sequence[_Run]
    diagonals: Sequence[_Run]
    both: Sequence[_Run]
    singles: Sequence[_Run]


@cache
def _runs() -> _Runs:
    down = range(12, -1, -1)

    def parts(lines: Iterable[_Run], least: int) -> list[_Run]:
        return [line[i:j] for line in lines for i in range(len(line)) for j in range(i + least, len(line) + 1)]

    def ordered(lines: Iterable[_Run], least: int = 2) -> list[_Run]:
        return sorted(parts(lines, least), key=lambda run: (-len(run), [(-hi, -lo) for hi, lo in run]))

    rows = [tuple((hi, lo) for lo in range(hi - 1, -1, -1)) for hi in down]
    diagonals = [tuple((hi, hi - gap) for hi in range(12, gap - 1, -1)) for gap in range(1, 13)]
    pairs = sorted(parts([tuple((r, r) for r in down)], 1), key=lambda run: (-len(run), run))
    under_one, gapped = ordered(rows), ordered(diagonals)
    # The sort is stable: of two runs of one length the one with a fixed high card comes first.
    both = sorted([*under_one, *gapped], key=lambda run: -len(run))
    return _Runs(pairs, under_one, gapped, both, ordered([(cell,) for row in rows for cell in row], 1))


def _best_cover(there: set[tuple[int, int]]) -> list[_Run]:
    """The smaller of two covers, which both take every run before the runs that it contains. With equal sizes it is the
    one with fixed high cards."""
    runs = _runs()
    rows_first = _cover(there, [runs.rows, runs.diagonals, runs.singles])
    return min(rows_first, _cover(there, [runs.both, runs.singles]), key=len)


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
