"""Every population of the start table reads its own players better than another population does (validation part)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from dupai.base.arrays import I64
from dupai.cards import CLASS_SIZE
from dupai.history import file_records
from dupai.reading import StartTable, shipped_table
from dupai.reading.populations import LIMIT, NAMES
from dupai.rules import HandRecord
from dupai.training import part_of, source_name, split_keys
from support.shared_data import shared_data

#: By file the populations that have hands in it, and the training hands after which the file is left (as in training).
FILES = {
    "deepstack-vs-pros-2016.log.xz": ("heads-up", "DeepStack"),
    "lbr-vs-hyperborean14.log.xz": ("Hyperborean14",),
    "pluribus-6max-2019.log.xz": ("six-max", "Pluribus"),
    "acpc2014-3p-limit.log.xz": ("Hyperborean_iro", "SmooCT", "HITSZ"),
    "bovada-6max-2019.phhs.xz": ("online",),
}
MAX_TAKEN = 50_000


def _validation(path: Path) -> Iterator[HandRecord]:
    taken = 0
    for key, record in split_keys(file_records(path, rejected=lambda line, reason: None), source_name(path)):
        part = part_of(key)
        taken += part == "train"
        if taken == MAX_TAKEN:
            return
        if part == "validation":
            yield record


def _gain(counts: dict[tuple[str, str], I64], own: str, other: str) -> tuple[float, float]:
    """Mean difference in bits of reading as ``own`` and as ``other``, and its standard error."""
    limit = NAMES.index(own) in LIMIT
    uniform = 0.03 * np.asarray(CLASS_SIZE) / 1326
    n = total = squares = 0.0
    for (line, place), row in counts.items():
        mine, theirs = (
            0.97 * shipped_table().shares(NAMES.index(name), line, place, limit=limit) + uniform
            for name in (own, other)
        )
        bits = np.log2(mine / theirs)
        n, total, squares = n + row.sum(), total + row @ bits, squares + row @ bits**2
    return total / n, float(np.sqrt((squares / n - (total / n) ** 2) / n))


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_every_population_reads_its_own_players_best(file: str) -> None:
    table = StartTable()
    for record in _validation(shared_data(file.split(".")[0]) / file):
        table.add(record)
    by_group: dict[str, dict[tuple[str, str], I64]] = defaultdict(dict)
    for (group, line, place), row in table.counts.items():
        if line[-2] != "f":  # players still in the hand
            by_group[NAMES[group]][line, place] = row
    for own in FILES[file]:
        for other in ("online", "six-max", "heads-up", "unknown"):
            if other == own:
                continue
            gain, error = _gain(by_group[own], own, other)
            print(f"{own} as itself less as {other}: {gain:+.3f}±{error:.3f} bits")
            assert gain > -error, (own, other)
