"""Counters and corrections inside the tracker's statistics."""

from __future__ import annotations

import numpy as np
import pytest

from dupai.history._tracker import _leaks
from dupai.history._tracker._definitions import NAMES
from dupai.history._tracker._facts import SIZE_CLASSES, SIZE_GROUPS, SIZE_WIDTH
from dupai.history._tracker._stats import COLUMNS, tally
from dupai.history.stats import batch_of, find_leaks, record_batches
from naive.history_hands import random_records
from naive.history_stats import count_hand
from support.leaks import planted


def test_holms_correction_by_hand() -> None:
    report = find_leaks(record_batches(planted(900)), "Ann")
    lines = [x for x in report.lines if x.p is not None]
    given = [0.01, 0.04, 0.03, 0.5]
    fake = [
        type(report.lines[0])(**{f: getattr(report.lines[0], f) for f in report.lines[0].__struct_fields__} | {"p": p})
        for p in given
    ]
    assert [x.holm for x in _leaks._holm(fake)] == pytest.approx([0.04, 0.09, 0.09, 0.5])
    assert all(x.holm is not None and x.p <= x.holm <= 1 for x in lines)


def millionths(value):
    """A fraction in millionths, rounded to the nearest, halves up."""
    return (2 * value.numerator * 10**6 + value.denominator) // (2 * value.denominator)


def as_counters(record):
    """The twin's counts as rows of counters by position."""
    rates, sizes, money = count_hand(record)
    rows = np.zeros((record.spec.players, COLUMNS), np.int64)
    for (p, name), (n, done) in rates.items():
        rows[p, 2 * NAMES.index(name) : 2 * NAMES.index(name) + 2] = n, done
    for p, found in sizes.items():
        for group, kind, thousandths in found:
            at = 2 * len(NAMES) + SIZE_GROUPS.index(group) * SIZE_WIDTH
            rows[p, at + SIZE_CLASSES.index(kind)] += 1
            if thousandths is not None:
                rows[p, at + len(SIZE_CLASSES)] += thousandths
                rows[p, at + len(SIZE_CLASSES) + 1] += thousandths**2
    share = -sum(money) / len(money)
    for p, result in enumerate(money):
        fine = millionths(result)
        rows[p, -4:] = 1, fine, ((fine + 500) // 1000) ** 2, millionths(share)
    return rows


def test_every_counter_is_that_of_the_naive_twin() -> None:
    seen = np.zeros(COLUMNS, np.int64)
    for record in random_records(11, 8_000):
        n = record.spec.players
        expected = as_counters(record)
        rows = np.full((1, 10), -1, np.int64)
        rows[0, :n] = np.arange(n)
        counts = np.zeros((n, COLUMNS), np.int64)
        tally(batch_of([record]), rows, counts)
        for p in range(n):
            assert (counts[p] == expected[p]).all(), (record, p, named(counts[p], expected[p]))
        seen += expected.sum(axis=0)
    # The comparison means something: every counter was met.
    assert seen.all(), [column_name(c) for c in np.flatnonzero(seen == 0)]


def column_name(column):
    """Which counter a column is."""
    return f"{NAMES[column // 2]} {'n' if column % 2 == 0 else 'successes'}" if column < 2 * len(NAMES) else column


def named(found, expected):
    """Counters that differ, in words."""
    return {column_name(c): (int(found[c]), int(expected[c])) for c in np.flatnonzero(found != expected)}
