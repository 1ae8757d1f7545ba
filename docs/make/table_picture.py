"""Draw ``docs/images/table.svg``, one frame of a match of the default table: ``python docs/make/table_picture.py``.

It is the showdown on the river whose reading gained the most of the first ten.
"""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console
from rich.live import Live

from dupai.arena.tournament import play_tournament_match, tournament_tasks
from dupai.base import NoProgress
from dupai.cli._live import LiveMatch
from dupai.cli._run import DEFAULT_EIGHT, DEFAULT_READER, seated_names
from dupai.cli._scene import Scene
from dupai.cli._screen import frame

SEED = 11
OUT = Path(__file__).parents[1] / "images" / "table.svg"
WIDTH = 120


class Showdowns(LiveMatch):
    """Keeps the scenes of showdowns on the river."""

    def _draw(self, scene: Scene, pause: float) -> None:
        if scene.truth is not None and len(scene.board) == 5:
            self.__dict__.setdefault("shown", []).append((scene.truth.reader, scene))


class Enough(NoProgress):
    """Stops after ten."""

    watch: Showdowns

    def step(self) -> bool:
        return len(self.watch.__dict__.get("shown", [])) < 10


def main() -> None:
    task = tournament_tasks(DEFAULT_EIGHT, matches=1, seed=SEED)[0]
    pulse = Enough()
    pulse.watch = Showdowns(task, seated_names(task), Live(console=Console(file=io.StringIO())), None, DEFAULT_READER)
    play_tournament_match(task, pulse, pulse.watch, keep=True)
    scene = max(pulse.watch.__dict__["shown"], key=lambda pair: pair[0])[1]
    paper = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    for line in frame(scene, WIDTH):
        paper.print(line)
    OUT.write_text(paper.export_svg(title="dupai run"), encoding="utf-8")
    print(f"wrote {OUT}")


if __name__ == "__main__":
    main()
