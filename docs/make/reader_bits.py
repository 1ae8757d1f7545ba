"""What readers know of the opponents of ``dupai reproduce fold --part readers``, for docs/results/fold.md.

    python docs/make/reader_bits.py FOLDER [BLOCKS]

Plays blocks of 100 hands of that part with other cards (of the agent with the reader ``model``, first seating), keeps
them in FOLDER, and prints the bits of each reader about the opponent, seat's view, still in the hand, with 95 %
intervals.
"""

from __future__ import annotations

import sys
from pathlib import Path

from dupai.base import NoProgress
from dupai.experiments._fold import _cells as cells, _config as config
from dupai.notation import write_phhs
from dupai.rules import GameSpec
from dupai.training import score_readers

SPEC, SEED = GameSpec.no_limit(2, (50, 100), 10_000), 90210


class Always(NoProgress):
    """Nobody stops it."""

    def step(self) -> bool:
        return True


def main() -> None:
    folder, blocks = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 15
    folder.mkdir(parents=True, exist_ok=True)
    print("| opponent | reader | pre-flop | flop | turn | river | cases on the river |")
    print("| --- |" + " --- |" * 6)
    for opponent in config.OPPONENTS:
        files = [folder / f"{opponent.replace(':', '-')}-{block}.phhs" for block in range(blocks)]
        for block, file in enumerate(files):
            if not file.exists():
                pair = (config.AGENTS["model"], opponent)
                records = cells._hands(pair, SPEC, config.BLOCK_HANDS, SEED, block, Always())
                file.write_text("".join(write_phhs(records or ())), "utf-8")
        report = score_readers(list(config.AGENTS), files, part="all", views="seat", by_player=True)
        for reader in (name for name in config.AGENTS if name != "uniform"):
            rows = [r for r in report.scores if (r.group, r.reader, r.rows) == (opponent, reader, "main")][:4]
            bits = " | ".join(f"{r.bits:.2f} ± {1.96 * (r.se or 0):.2f}" for r in rows).replace("-", "−")
            print(f"| `{opponent}` | `{reader}` | {bits} | {rows[-1].cases:,} |", flush=True)


if __name__ == "__main__":
    main()
