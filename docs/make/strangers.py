"""How well readers read players that they do not know: the tables of docs/results/readers.md#strangers.

Usage: python docs/make/strangers.py play FOLDER [TABLE ...]
       python docs/make/strangers.py score FOLDER READER ...

``play`` writes one file of hands for each table of agents. ``score`` reads them, as an observer, with readers that have
seen 0, 20 or 200 of the table's hands (only cards that were shown), and prints bits gained over knowing nothing at the
end of every street, over ``start-table`` on the same cases. The reader ``usual`` takes everybody for the people who
play such a game.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np

from dupai.arena import entrants_of
from dupai.arena.match import Players
from dupai.base import Rng
from dupai.reading import Reader, hidden_hands, legal_hands, load_reader, populations, street_states, streets
from dupai.rules import GameSpec, HandRecord, HandState

HEADS_UP = GameSpec.no_limit(2, (50, 100), 20_000)
SIX = GameSpec.no_limit(6, (50, 100), 10_000)
CASINO = msgspec.structs.replace(SIX, min_raise="casino")
TABLES = {
    "six-casino": (CASINO, ("rules", "style:paper-LA", "style:paper-TA", "style:paper-LP", "style:paper-TP", "fold")),
    "six-acpc": (SIX, ("mcts:simulations=200", "caller", "raiser", "rules", "style:paper-TA", "fold:reader=model")),
    "rules-LA": (HEADS_UP, ("rules", "style:paper-LA")),
    "TA-fold": (HEADS_UP, ("style:paper-TA", "fold")),
    "caller-mcts": (HEADS_UP, ("caller", "mcts:simulations=200")),
    "raiser-equilibrium": (HEADS_UP, ("raiser", "equilibrium")),
    "swarm-LP": (HEADS_UP, ("swarm", "style:paper-LP")),
}
HANDS = 450
#: By hands seen: the first hands that are seen (one reader each), and the hands that are scored after them.
WINDOWS = {
    0: ((0, range(0, 450, 2)),),
    20: tuple((k, range(k + 20, k + 65)) for k in (0, 90, 180, 270, 360)),
    200: ((0, range(200, 325)), (250, (*range(125),))),
}


def play(folder: Path, name: str, seed: int = 1) -> None:
    """Play a table's hands, the button moving on."""
    spec, specs = TABLES[name]
    players = Players(entrants_of(specs), seed, 0)
    players.start(spec, "table", HANDS)
    with (folder / f"{name}.jsonl").open("wb") as file:
        for hand in range(HANDS):
            order = [(hand + p) % spec.players for p in range(spec.players)]
            record = players.play(HandState.deal(spec, Rng(seed, 7, hand), hand=hand, seats=order))
            players.observe(record)
            file.write(msgspec.json.encode(record) + b"\n")


def hands_of(file: Path) -> list[HandRecord]:
    """The hands of a file."""
    return [msgspec.json.decode(line, type=HandRecord) for line in file.read_bytes().splitlines()]


def cases(reader: Reader, record: HandRecord) -> Iterator[tuple[str, int, bool, float, float, float]]:
    """By player and street: the name, the street, whether they folded on it, bits, and whether the 50 and 80 % sets
    held the hand."""
    held = hidden_hands(record)
    for end, state in street_states(record, streets(record), None):
        view = state.view(None)
        wanted = [(p, folded) for p, folded in end.villains if held[p] is not None]
        readings = reader.read(view, [view.seats[p] for p, _ in wanted])
        for p, folded in wanted:
            reading, truth = readings[view.seats[p]], held[p]
            assert truth is not None
            gain = max(reading.gain(truth, int(legal_hands(view, p).sum())), -20.0)
            yield (record.names[p], end.street, folded, gain, reading.covered(truth, 0.5), reading.covered(truth, 0.8))


def usual_of(record: HandRecord) -> str:
    """The reader that takes everybody for the people who play such a game."""
    return f"model:population={populations.NAMES[populations.of('', record.spec)]}"


def score(folder: Path, specs: list[str], files: list[str] | None = None) -> None:
    """Print the table, and write the cases beside the hands."""
    for file in sorted(folder.glob("*.jsonl")):
        if files and file.stem not in files:
            continue
        records = hands_of(file)
        for seen, windows in WINDOWS.items():
            rows: dict[str, list] = {}
            for spec in ("start-table", *specs):
                begun = time.process_time()
                rows[spec] = []
                for first, scored in windows:
                    reader = load_reader(usual_of(records[0]) if spec == "usual" else spec)
                    reader.meet({seat: name for r in records for seat, name in zip(r.seats, r.names, strict=True)})
                    for record in records[first : first + seen]:
                        reader.observe(record.seen_by(None))
                    for n in scored:
                        rows[spec] += list(cases(reader, records[n]))
                print(f"# {file.stem} {seen} {spec} {time.process_time() - begun:.1f} s", file=sys.stderr)
            with (folder / f"{file.stem}-{seen}.json").open("w") as out:
                json.dump(rows, out)
            show(file.stem, seen, rows)


def show(table: str, seen: int, rows: dict[str, list]) -> None:
    """One line a player."""
    names = [r[0] for r in rows["start-table"]]
    folded = np.array([r[2] for r in rows["start-table"]], bool)
    base = np.array([r[3] for r in rows["start-table"]])
    street = np.array([r[1] for r in rows["start-table"]])
    for name in sorted(set(names)):
        mine = np.array([n == name for n in names]) & ~folded
        if mine.sum() < 20:
            continue
        cells = []
        for spec in rows:
            bits = np.array([r[3] for r in rows[spec]])
            cover = np.array([r[4:6] for r in rows[spec]])[mine].mean(axis=0) * 100
            if spec == "start-table":
                cells.append(f"{base[mine].mean():+.3f} {cover[0]:.0f}/{cover[1]:.0f}")
                continue
            gap = bits - base
            parts = [gap[mine & s] for s in (street == 0, street > 0)]
            text = " ".join(f"{p.mean():+.3f}" if len(p) else "-" for p in parts)
            se = gap[mine].std() / np.sqrt(mine.sum())
            cells.append(f"{gap[mine].mean():+.3f}±{se:.3f} ({text}) {cover[0]:.0f}/{cover[1]:.0f}")
        print(f"| {table} | {name} | {seen} | {mine.sum()} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    what, where, *rest = sys.argv[1:]
    if what == "play":
        for table in rest or TABLES:
            play(Path(where), table)
    else:
        score(Path(where), rest)
