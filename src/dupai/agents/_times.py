"""How long agents take to decide: counts by length, which add up over the pieces of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

#: Lengths are told apart to a sixteenth of an octave: a median is right to 3 %.
_PARTS = 16


def add_time(counts: dict[int, int], nanoseconds: int) -> None:
    """Count one decision."""
    shift = max(nanoseconds.bit_length() - 5, 0)
    length = (shift * _PARTS) + (nanoseconds >> shift)
    counts[length] = counts.get(length, 0) + 1


def _nanoseconds(length: int) -> float:
    """The middle of the lengths that are counted together."""
    shift = max(length // _PARTS - 1, 0)
    return (length - shift * _PARTS + 0.5) * float(1 << shift)


class DecisionTimes(msgspec.Struct, frozen=True, kw_only=True):
    """How many decisions ``agent`` made; median and 99th percentile of their lengths in seconds of wall time."""

    agent: str
    decisions: int
    median: float
    p99: float

    @classmethod
    def of(cls, agent: str, pieces: Iterable[Mapping[int, int]]) -> DecisionTimes | None:
        """Of the counts of all pieces; None if there are none."""
        total: dict[int, int] = {}
        for counts in pieces:
            for length, n in counts.items():
                total[length] = total.get(length, 0) + n
        n = sum(total.values())
        if not n:
            return None
        return cls(agent=agent, decisions=n, median=_quantile(total, 0.5 * n), p99=_quantile(total, 0.99 * n))


def _quantile(counts: Mapping[int, int], rank: float) -> float:
    seen = 0
    for length in sorted(counts):
        seen += counts[length]
        if seen >= rank:
            break
    return _nanoseconds(length) / 1e9
