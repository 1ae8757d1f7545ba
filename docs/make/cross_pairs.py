"""The heads-up table of docs/results/cross.md from single matches, which add up over runs.

    python docs/make/cross_pairs.py collect FOLDER/cells.db docs/results/cross-heads-up.csv
    python docs/make/cross_pairs.py table docs/results/cross-heads-up.csv

``collect`` adds the matches that ``dupai reproduce cross --full --part heads-up --out FOLDER`` has finished (both
seatings) to a file of rows: pair, match, hands, and what the first won, mbb/hand, luck out. Rows that are in the file
already stay as they are. ``table`` prints the cross table with 95 % intervals over matches.
"""

from __future__ import annotations

import argparse
import csv
import sqlite3
from collections import defaultdict
from pathlib import Path

import msgspec
import numpy as np

from dupai.arena import load_format
from dupai.arena.match import Seating
from dupai.base import Estimate
from dupai.base.files import open_whole
from dupai.experiments import load_paper
from dupai.experiments._cross import _config as config
from dupai.experiments._run import stamped

COLUMNS = ("first", "second", "match", "hands", "mbb")
#: Matches below which a pair has no interval.
MIN_DEALS = 8


def finished(database: Path) -> dict[tuple[str, str, int], tuple[int, float]]:
    """Hands and winnings of the first of a pair, by pair and match."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    found: dict[tuple[str, str, int], list[Seating]] = defaultdict(list)
    settings = config.ladder_settings(2, "full")
    spec = settings.spec(2)
    # Pieces of another version or seed stay in a folder: only those of this program's plan count.
    part = next(part for part in load_paper("cross").parts if part.name == "heads-up")
    planned = {stamped(part, cell) for cell in part.cells("full", 0)}
    _, plan = load_format("ladder").plan(config.field_of(2), settings)
    for key, data in connection.execute("select key, data from pieces"):
        if key not in planned:
            continue
        one = Seating.from_builtins(msgspec.json.decode(data)["result"]["seating"])
        first, second = (plan.labels[i] for i in plan.tables[one.table])
        found[first, second, one.match].append(one)
    out = {}
    for key, seatings in found.items():
        if {one.rotation for one in seatings} != {0, 1} or any(not one.complete for one in seatings):
            continue
        chips = []
        for one in seatings:
            assert one.luck is not None
            chips.append(one.payoffs[:, 0] / spec.split - one.luck[:, 0])
        won = 1000 * np.concatenate(chips) / max(spec.blinds)
        out[key] = len(won), float(won.mean())
    return out


def read(path: Path) -> dict[tuple[str, str, int], tuple[int, float]]:
    if not path.exists():
        return {}
    with path.open(newline="", encoding="utf-8") as file:
        return {
            (row["first"], row["second"], int(row["match"])): (int(row["hands"]), float(row["mbb"]))
            for row in csv.DictReader(file)
        }


def collect(database: Path, path: Path) -> None:
    rows = finished(database) | read(path)
    with open_whole(path, "w") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(COLUMNS)
        for (first, second, match), (hands, mbb) in sorted(rows.items()):
            out.writerow((first, second, match, hands, f"{mbb:.1f}"))
    print(f"{len(rows)} matches in {path}")


def table(path: Path) -> None:
    pairs: dict[tuple[str, str], list[float]] = defaultdict(list)
    for (first, second, _), (_, mbb) in read(path).items():
        pairs[first, second].append(mbb)
    names = config.HEADS_UP
    print("| |", " | ".join(f"`{name}`" for name in names), "|")
    print("| --- |" + " --- |" * len(names))
    for a in names:
        cells = []
        for b in names:
            values, sign = (pairs[a, b], 1) if (a, b) in pairs else (pairs.get((b, a), []), -1)
            if a == b:
                cells.append("–")
            elif len(values) < MIN_DEALS:
                cells.append("")
            else:
                mine = Estimate.of(sign * np.array(values))
                half = (mine.interval()[1] - mine.interval()[0]) / 2
                cells.append(f"{mine.mean:,.0f} ± {half:,.0f} ({mine.n})".replace("-", "−"))
        print(f"| `{a}` |", " | ".join(cells), "|")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("collect")
    one.add_argument("database", type=Path)
    one.add_argument("rows", type=Path)
    two = commands.add_parser("table")
    two.add_argument("rows", type=Path)
    args = parser.parse_args()
    if args.command == "collect":
        collect(args.database, args.rows)
    else:
        table(args.rows)


if __name__ == "__main__":
    main()
