"""Draw ``docs/images/table.svg`` from a real run: ``python docs/make/table_picture.py``.

The picture is one frame of ``dupai run --seed 5``: the first showdown on the river after the tenth hand.
"""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console
from rich.live import Live

from dupai.arena import ChipTable, drawn_chairs, play_tournament_match, tournament_tasks
from dupai.cli._live import LiveMatch
from dupai.cli._run import DEFAULT_EIGHT
from dupai.rules import HandRecord

SEED = 5
OUT = Path(__file__).parents[1] / "images" / "table.svg"


class Frame(LiveMatch):
    """Keeps the frame that makes the picture."""

    picture: str | None = None

    def on_hand(self, record: HandRecord, table: ChipTable | None) -> None:
        super().on_hand(record, table)
        if self.picture is None and record.hand >= 10 and sum(record.shown) >= 2 and len(record.board) == 5:
            paper = Console(record=True, width=80, file=io.StringIO(), force_terminal=True)
            paper.print(self.frame())
            self.picture = paper.export_svg(title="dupai run")


def main() -> None:
    task = tournament_tasks(DEFAULT_EIGHT, matches=1, seed=SEED)[0]
    names = tuple(task.entrants[e].label for e in drawn_chairs(SEED, 0, len(task.entrants)))
    with Live(console=Console(file=io.StringIO()), auto_refresh=False) as live:
        watch = Frame(task, names, live, 0)
        play_tournament_match(task, watch=watch)
    if watch.picture is None:
        raise SystemExit(f"seed {SEED} has no such hand: choose another")
    OUT.write_text(watch.picture, encoding="utf-8")
    print(f"wrote {OUT}")


if __name__ == "__main__":
    main()
