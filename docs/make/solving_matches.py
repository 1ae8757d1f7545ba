"""Matches of ``equilibrium`` with solving in docs/results/blueprints.md, seating by seating, which add up over runs.

    python docs/make/solving_matches.py play docs/results/solving-matches.csv fold:reader=model --jobs 2
    python docs/make/solving_matches.py table docs/results/solving-matches.csv

``play`` plays what is missing of ``dupai match equilibrium OPPONENT --duplicate --luck-reduced --stack 10000 --hands
500 --matches 20 --seed 101`` for every opponent named: each match in both seatings with fresh agents, 1,000 hands. A
seating becomes a row as it ends, so Ctrl-C loses those in progress only. ``table`` prints what ``equilibrium`` won from
each opponent by the matches of which there are both seatings, with 95 % intervals over matches.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from dupai.arena import load_format
from dupai.arena.match import SeatingTask, match_config, play_seating
from dupai.base import Estimate
from dupai.base.files import open_whole
from dupai.jobs import stream

COLUMNS = ("opponent", "match", "seating", "hands", "mbb")
#: What identifies a seating: opponent, match, and which seats the players begin in.
Key = tuple[str, int, int]
#: Matches below which an opponent has no interval.
MIN_DEALS = 8
BLINDS, STACK, HANDS, MATCHES, SEED = (50, 100), 10_000, 500, 20, 101


def read(path: Path) -> dict[Key, tuple[int, float]]:
    """Hands of every seating in the file, and what ``equilibrium`` won in it, mbb/hand, luck out."""
    if not path.exists():
        return {}
    with path.open(newline="", encoding="utf-8") as file:
        return {
            (row["opponent"], int(row["match"]), int(row["seating"])): (int(row["hands"]), float(row["mbb"]))
            for row in csv.DictReader(file)
        }


def write(path: Path, rows: dict[Key, tuple[int, float]]) -> None:
    with open_whole(path, "w") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(COLUMNS)
        for key, (hands, mbb) in sorted(rows.items()):
            out.writerow((*key, hands, f"{mbb:.1f}"))


def play(path: Path, opponents: list[str], jobs: int) -> None:
    rows = read(path)
    todo: dict[Key, SeatingTask] = {}
    for opponent in opponents:
        everybody, settings = match_config(
            ["equilibrium", opponent], hands=HANDS, matches=MATCHES, seed=SEED, blinds=BLINDS, stack=STACK,
            duplicate=True, luck_reduced=True,
        )  # fmt: skip
        for task in load_format("match").tasks(everybody, settings):
            key = opponent, task.match, task.rotation
            if task.start == 0 and key not in rows:  # the whole seating, also where its hands could be shared out
                todo[key] = SeatingTask(task.entrants, task.config, task.rotation, task.match)
    order = sorted(todo, key=lambda key: key[1:])
    print(f"{len(rows)} seatings in {path}, {len(order)} to play")
    # Each seating takes minutes: none is played here first to see whether processes pay.
    backend = "processes" if jobs > 1 else "serial"
    for index, seating in stream(play_seating, [todo[key] for key in order], backend=backend, jobs=jobs):
        if not seating.complete or seating.luck is None:
            continue
        spec = todo[order[index]].config.spec(2)
        won = 1000 * (seating.payoffs[:, 0] / spec.split - seating.luck[:, 0]) / spec.big_blind
        rows[order[index]] = len(won), float(won.mean())
        write(path, rows)
        print(*order[index], f"{won.mean():+.1f}", flush=True)


def table(path: Path) -> None:
    won: dict[tuple[str, int], list[float]] = defaultdict(list)
    hands: dict[tuple[str, int], int] = defaultdict(int)
    for (opponent, match, _), (count, mbb) in read(path).items():
        won[opponent, match].append(mbb)
        hands[opponent, match] += count
    print("| against | won | matches | hands |")
    print("| --- | --- | --- | --- |")
    for opponent in dict.fromkeys(name for name, _ in won):
        whole = [key for key, seatings in won.items() if key[0] == opponent and len(seatings) == 2]
        if len(whole) < MIN_DEALS:
            print(f"| `{opponent}` | too few matches | {len(whole)} | {sum(hands[key] for key in whole):,} |")
            continue
        mean = Estimate.of(np.array([np.mean(won[key]) for key in whole]))
        half = (mean.interval()[1] - mean.interval()[0]) / 2
        text = f"{mean.mean:+,.0f} ± {half:,.0f}".replace("-", "−")
        print(f"| `{opponent}` | {text} | {len(whole)} | {sum(hands[key] for key in whole):,} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("play")
    one.add_argument("rows", type=Path)
    one.add_argument("opponents", nargs="+")
    one.add_argument("-j", "--jobs", type=int, default=1)
    two = commands.add_parser("table")
    two.add_argument("rows", type=Path)
    args = parser.parse_args()
    if args.command == "play":
        try:
            play(args.rows, args.opponents, args.jobs)
        except KeyboardInterrupt:
            sys.exit(130)
    else:
        table(args.rows)


if __name__ == "__main__":
    main()
