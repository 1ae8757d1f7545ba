"""Record the match that ``dupai run`` shows while kernels compile: ``python docs/make/record_match.py``.

The first hands of a match of the default table, at the pace of the screen.
"""

from __future__ import annotations

import io
import sys

from rich.console import Console
from rich.live import Live

from dupai.arena.tournament import play_tournament_match, tournament_tasks
from dupai.base import NoProgress
from dupai.cli._live import LiveMatch
from dupai.cli._run import DEFAULT_EIGHT, DEFAULT_READER, seated_names
from dupai.cli._scene import RECORDING, Scene, write_recording

SEED = 11
#: Seconds that the recording lasts.
SECONDS = 60.0


class Recorder(LiveMatch):
    """Keeps the scenes."""

    scenes: list[Scene]

    def _draw(self, scene: Scene, pause: float) -> None:
        self.__dict__.setdefault("scenes", []).append(scene)


class Enough(NoProgress):
    """Stops once the recording is long enough."""

    watch: Recorder

    def step(self) -> bool:
        return sum(scene.seconds for scene in self.watch.__dict__.get("scenes", [])) < SECONDS


def main() -> None:
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else SEED
    task = tournament_tasks(DEFAULT_EIGHT, matches=1, seed=seed)[0]
    pulse = Enough()
    pulse.watch = Recorder(task, seated_names(task), Live(console=Console(file=io.StringIO())), None, DEFAULT_READER)
    play_tournament_match(task, pulse, pulse.watch, keep=True)
    scenes = pulse.watch.scenes
    write_recording(scenes)
    print(f"wrote {RECORDING}: {len(scenes)} scenes, {RECORDING.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
