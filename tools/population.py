"""Fits the population that ships from a folder's hands: ``python tools/population.py FOLDER FILE``.

Left out: limit games (another game; one match of three programs), all hands with a program that exists only to exploit
the others (``LEFT_OUT``: neither its play nor the results against it are those of any population), and files that are
not hold'em.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from dupai.base import DupaiError
from dupai.base.files import write_whole
from dupai.history.stats import UNNAMED, HandBatch, StatsTable, batches
from dupai.training._population import LEFT_OUT, fit_population

_LIMIT = 1
_ENDINGS = (".log.xz", ".log", ".phhs.xz", ".phhs", ".phh")


def counted_batches(path: Path) -> Iterator[HandBatch]:
    """Batches of a file with the players of hands that are left out removed."""
    for batch in batches(path):
        out = batch.specs["betting"][batch.spec_of] == _LIMIT
        strange = np.array([name in LEFT_OUT for name in batch.names] or [False])
        out |= ((batch.players >= 0) & strange[batch.players]).any(axis=1)
        if not out.all():
            yield batch._replace(players=np.where(out[:, None], -1, batch.players))


def gather(paths: Sequence[Path]) -> tuple[StatsTable, dict[str, int]]:
    """Counters over all files that can be read, and by file name the hands that count (those left out do not, whichever
    batch they came in)."""
    table = StatsTable()
    hands: dict[str, int] = {}
    for path in paths:
        counted = 0
        try:
            for batch in counted_batches(path):
                _, codes = table.add(batch)
                counted += int(((batch.players >= 0).any(axis=1) & (codes == 0)).sum())
        except DupaiError as error:
            sys.stderr.write(f"left out: {error}\n")
        if counted:
            hands[path.name] = hands.get(path.name, 0) + counted
            sys.stderr.write(f"{path.name}: {counted:,} hands\n")
    return table, hands


def main(arguments: Sequence[str]) -> int:
    """Build the file of priors."""
    if len(arguments) != 2:
        sys.stderr.write("usage: python tools/population.py FOLDER FILE\n")
        return 2
    folder, out = Path(arguments[0]), arguments[1]
    table, hands = gather(sorted(p for p in folder.rglob("*") if p.name.endswith(_ENDINGS)))
    if not hands:
        sys.stderr.write(f"{folder}: no hands found\n")
        return 2
    players = sum(name != UNNAMED for name, _ in table.players())
    priors = fit_population(table, {"version": 1, "files": hands, "players": players})
    text = msgspec.json.format(msgspec.json.encode(priors), indent=0).replace(b"], ", b"],\n") + b"\n"
    write_whole(out, text)
    sys.stderr.write(f"{out}: {sum(hands.values()):,} hands, {players:,} players, {len(text):,} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
