"""Where a player loses: their results by situation, with intervals and the hands behind each line.

A situation is a position, the player's role before the flop (:data:`ROLES`), the last street they were in, and the
event on the flop (or, for hands that ended before it, whether they were re-raised). Every hand has exactly one
situation, so the lines add up to the whole result. A line's measure is its *share of the result per 100 hands dealt*,
with its 95 % interval. It is compared with the results of all other players in the same situation of the same hands:
most situations win or lose by their nature (the big blind loses; a player who folds loses their chips in the pot), and
only the difference says something about the player.

Statistics. Over all ``N`` hands dealt to the player let ``x`` be the result in big blinds of hands in the situation and
0 of all others: the share is 100 mean(x), its variance that of a mean of independent hands. To know the share to
±10 mbb per hand dealt takes (1.96 sd(x) / 0.01 bb)^2 hands. The comparison is Welch's test of the mean result per such
hand of the player against that of the others; ``p`` is its one-sided p-value (normal approximation, which is poor for
small ``n`` and for the long tails of poker results: lines below ``least`` hands are merged, and fewer than
``COMPARABLE`` hands are not compared). ``holm`` is the p-value corrected for the number of lines (Holm 1979), because
among many lines some are bad by chance alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from dupai.base import Z95, Printable
from dupai.base.arrays import F64, I64, AnyArray
from dupai.history._tracker import _facts as facts
from dupai.history._tracker._batch import HandBatch
from dupai.history._tracker._stats import StatsTable, nearest_player
from dupai.rules import STREET_PHRASES
from dupai.spots import POSITION_CLASS, POSITION_CLASSES

#: The event on the flop; for hands that ended before it, whether the player was re-raised.
EVENTS = ("", "c-bet", "no c-bet", "faced a c-bet", "re-raised")
#: Half the width of the interval, in big blinds per hand, at which a share counts as known.
GOAL = 0.01
#: Hands that a comparison needs on either side.
COMPARABLE = 10
_SHAPE = (len(POSITION_CLASSES), len(facts.ROLES), len(STREET_PHRASES), len(EVENTS))
_KEYS = int(np.prod(_SHAPE))
#: How many of a line's costliest hands are named.
_NAMED = 5
#: Digits of a big blind that a difference of means has.
_DIGITS = 9
#: Error of a sum of products relative to it, for each of its terms.
_ROUNDING = 4 * float(np.finfo(np.float64).eps)


class Leak(msgspec.Struct, frozen=True, kw_only=True):
    """One situation.

    Attributes:
        position, role, street, event: The situation; ``street`` and ``event`` are empty where rare ones are merged.
        n: Number of the player's hands in it.
        bb100: Its share of the result per 100 hands dealt; ``low``, ``high``: the 95 % interval (None with fewer than
            ``COMPARABLE`` hands dealt, or while all results are the same).
        per_hand: Result per hand in it, in big blinds.
        others: Result per hand of all other players, from ``others_n`` hands (None without any).
        cost: bb per 100 hands dealt that the difference to the others costs (negative: the player does worse), with
            ``cost_low``, ``cost_high`` (95 %); None without others, the interval also while all results are the same.
        p, holm: One-sided p-value of the difference; corrected for all lines. None as ``cost_low``.
        more_hands: Hands dealt that are still missing until the share is known to ±10 mbb per hand; None as ``low``.
        hands: Labels of the costliest hands that lost chips (``file:line`` or number). ``ids``: those of all hands.
    """

    position: str
    role: str
    street: str
    event: str
    n: int
    bb100: float
    low: float | None
    high: float | None
    per_hand: float
    others: float | None
    others_n: int
    cost: float | None
    cost_low: float | None
    cost_high: float | None
    p: float | None
    holm: float | None
    more_hands: int | None
    hands: tuple[str, ...]
    ids: tuple[str, ...]

    @property
    def parts(self) -> tuple[str, ...]:
        """The situation in its parts: position, role, event, end."""
        end = f"to the {self.street}" if self.street else "rarer endings"
        end = "ended before the flop" if self.street == STREET_PHRASES[0] else end
        return tuple(part for part in (self.position, self.role, self.event, end) if part)

    @property
    def situation(self) -> str:
        """The situation in words."""
        return ", ".join(self.parts)


class LeakReport(Printable, msgspec.Struct, frozen=True, kw_only=True):
    """A player's result and its parts: the largest cost first, then the situations without a comparison, last those
    that cost nothing.

    Attributes:
        player, hands: The player, and the number of their hands.
        bb100, low, high: The whole result (bare, not shrunk) with its 95 % interval, which is None with fewer than
            ``COMPARABLE`` hands, or while all results are the same.
        more_hands: Hands still missing until it is known to ±10 mbb per hand; None as ``low``.
        lines: The situations; their ``bb100`` add up to the whole.
    """

    player: str
    hands: int
    bb100: float
    low: float | None
    high: float | None
    more_hands: int | None
    lines: tuple[Leak, ...]

    def headline(self) -> str:
        """The whole result. (The table has the parts.)"""
        interval = "" if self.low is None else f" ({self.low:+.1f} .. {self.high:+.1f})"
        return f"{self.player}: {self.bb100:+.1f} bb/100{interval} in {self.hands:,} hands"

    def as_table(self) -> tuple[tuple[str, ...], Sequence[tuple[str, ...]]]:
        """The situations, as in :attr:`lines`."""
        rows = [
            (
                leak.situation,
                f"{leak.n:,}",
                f"{leak.bb100:+.1f}",
                "" if leak.cost is None else f"{leak.cost:+.1f}",
                "" if leak.holm is None else f"{leak.holm:.3f}",
            )
            for leak in self.lines
        ]
        return ("situation", "hands", "bb/100", "cost", "p (Holm)"), rows


class _Hands(NamedTuple):
    """The player's hands: situation, result in big blinds, and label of each."""

    key: I64
    result: F64
    ids: list[str]


def situations(words: I64, players: I64) -> I64:
    """The situation (an index) of each hand and position from the facts of the hands ``int64[n, 10]``; ``players[n]``
    dealt in. Only meaningful where somebody sits."""
    place = np.maximum(POSITION_CLASS[players], 0)
    street = (words >> facts.STREET_SHIFT) & 3
    role = np.where(words & facts.DECIDED != 0, (words >> facts.ROLE_SHIFT) & 15, len(facts.ROLES) - 1)
    event = np.select(
        [words & facts.CBET_FLOP != 0, words & facts.NO_CBET_FLOP != 0, words & facts.FACED_CBET_FLOP != 0],
        [1, 2, 3],
        default=0,
    )
    event = np.where((street == 0) & (words & facts.FACED_RERAISE != 0), 4, event)
    key: I64 = ((place * len(facts.ROLES) + role) * len(STREET_PHRASES) + street) * len(EVENTS) + event
    return key


def _results(batch: HandBatch) -> F64:
    """Results in big blinds, ``float64[n, 10]``."""
    specs = batch.specs
    unit = np.where(specs["big_blind"] > 0, specs["big_blind"], np.maximum(specs["antes"].max(axis=1), 1))
    result: F64 = batch.payoffs / (unit * specs["split"])[batch.spec_of][:, None]
    return result


def find_leaks(batches: Iterable[HandBatch], player: str, *, least: int = 30) -> LeakReport:
    """Where ``player`` loses in these hands. Situations with fewer than ``least`` of their hands are merged by position
    and role.

    Raises:
        HistoryError: the player is in none of the hands; suggests the nearest name.
    """
    table = StatsTable()
    keys: list[I64] = []
    results: list[F64] = []
    ids: list[str] = []
    others = np.zeros((3, _KEYS))
    for batch in batches:
        words, codes = table.add(batch)
        named = np.array([name == player for name in batch.names] or [False], np.bool_)
        seated = (batch.players >= 0) & (codes == 0)[:, None]
        mine = seated & named[batch.players]
        key = situations(words, batch.specs["players"][batch.spec_of])
        result = _results(batch)
        rest = seated & ~mine & mine.any(axis=1)[:, None]
        for k, values in enumerate((None, result[rest], result[rest] ** 2)):
            others[k] += np.bincount(key[rest], values, _KEYS)
        if mine.any():
            keys.append(key[mine])
            results.append(result[mine])
            ids += [batch.label(i) for i in np.nonzero(mine)[0].tolist()]
    if not keys:
        raise nearest_player(player, [name for name, _ in table.players()])
    hands = _Hands(np.concatenate(keys), np.concatenate(results), ids)
    return _report(player, hands, others, least)


class _Known(NamedTuple):
    """How well a mean is known from few or many hands."""

    low: float | None
    high: float | None
    more_hands: int | None


def _known(bb100: float, sd: float, n: int) -> _Known:
    if n < COMPARABLE or not sd > 0:
        return _Known(None, None, None)
    half = 100 * Z95 * sd / math.sqrt(n)
    return _Known(bb100 - half, bb100 + half, max(math.ceil((Z95 * sd / GOAL) ** 2) - n, 0))


def _spread(n: AnyArray | float, total: AnyArray | float, squares: AnyArray | float) -> F64:
    """Sum of the squared distances of ``n`` values from their mean, by their sum and the sum of their squares.

    Equal values give 0: what the rounding of the sums leaves of them is a chance number of either sign."""
    spread = np.asarray(squares - total * total / n)
    spread[spread <= _ROUNDING * n * squares] = 0.0
    return spread


def _report(player: str, hands: _Hands, others: F64, least: int) -> LeakReport:
    total = len(hands.key)
    counts = np.bincount(hands.key, minlength=_KEYS)
    # Rare situations are merged under the key of their position and role.
    inner = len(STREET_PHRASES) * len(EVENTS)
    groups = [[int(k)] for k in np.flatnonzero(counts >= max(least, 1))]
    rare = np.flatnonzero((counts > 0) & (counts < least))
    groups += [rare[rare // inner == p].tolist() for p in np.unique(rare // inner).tolist()]
    lines = _holm([_line(g, len(g) > 1 or counts[g[0]] < least, hands, others, total) for g in groups])
    # What costs nothing is no leak, however little is known of the others.
    lines.sort(key=lambda x: (1, x.bb100, x.situation) if x.cost is None else (2 * (x.cost >= 0), x.cost, x.situation))
    mean = float(hands.result.mean())
    sd = math.sqrt(_spread(total, hands.result.sum(), (hands.result**2).sum()) / max(total - 1, 1))
    known = _known(100 * mean, sd, total)
    return LeakReport(
        player=player,
        hands=total,
        bb100=100 * mean,
        **known._asdict(),
        lines=tuple(lines),
    )


def _line(group: list[int], mixed: bool, hands: _Hands, others: F64, total: int) -> Leak:
    position, role, street, event = (int(x) for x in np.unravel_index(group[0], _SHAPE))
    at = np.flatnonzero(np.isin(hands.key, group))
    x = hands.result[at]
    n = len(x)
    own, squares = float(x.sum()), float((x**2).sum())
    share = own / total
    sd = math.sqrt(_spread(total, own, squares) / max(total - 1, 1))
    known = _known(100 * share, sd, total)
    per_hand = float(x.mean())
    m, s, q = (float(v) for v in others[:, group].sum(axis=1))
    cost = low = high = p = other = None
    if m >= COMPARABLE and n >= COMPARABLE:
        # Merged situations: weight those of the others as the player met them.
        mine = np.array([np.count_nonzero(hands.key == k) for k in group])
        other, variance = _alike(others[:, group], mine) if mixed else (s / m, float(_spread(m, s, q)) / (m - 1) / m)
    if other is not None:
        error = math.sqrt(float(_spread(n, own, squares)) / (n - 1) / n + variance)
        scale = 100 * n / total
        # Two means of the same results may differ in their last digit, which is no cost.
        difference = round(per_hand - other, _DIGITS) + 0.0
        cost = scale * difference
        if error > 0:
            low, high = cost - scale * Z95 * error, cost + scale * Z95 * error
            p = 0.5 * math.erfc(-difference / error / math.sqrt(2))
    worst = at[np.argsort(x, kind="stable")[: min(_NAMED, np.count_nonzero(x < 0))]]
    return Leak(
        position=POSITION_CLASSES[position],
        role=facts.ROLES[role],
        street="" if mixed else STREET_PHRASES[street],
        event="" if mixed else EVENTS[event],
        n=n,
        bb100=100 * share,
        **known._asdict(),
        per_hand=per_hand,
        others=other,
        others_n=int(m),
        cost=cost,
        cost_low=low,
        cost_high=high,
        p=p,
        holm=None,
        hands=tuple(hands.ids[i] for i in worst.tolist()),
        ids=tuple(hands.ids[i] for i in at.tolist()),
    )


def _alike(others: F64, mine: I64) -> tuple[float | None, float]:
    """Mean of the others and its variance over several situations, weighted as the player met them; None where the
    others did not meet all of them."""
    m, s, q = others
    if (m < 2).any():
        return None, 0.0
    weight = mine / mine.sum()
    variance = _spread(m, s, q) / (m - 1) / m
    return float((weight * s / m).sum()), float((weight**2 * variance).sum())


def _holm(lines: list[Leak]) -> list[Leak]:
    """The lines with their p-values corrected for the number of lines."""
    order = sorted((i for i, line in enumerate(lines) if line.p is not None), key=lambda i: lines[i].p or 0.0)
    corrected = 0.0
    for rank, i in enumerate(order):
        corrected = min(max(corrected, (len(order) - rank) * (lines[i].p or 0.0)), 1.0)
        lines[i] = msgspec.structs.replace(lines[i], holm=corrected)
    return lines
