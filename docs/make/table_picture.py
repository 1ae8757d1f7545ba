"""Draw ``docs/images/table.svg``, one frame of the shipped recording: ``python docs/make/table_picture.py``.

It is the first showdown on the river whose reading gained the most of the first ten.
"""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from dupai.cli._scene import read_recording
from dupai.cli._screen import frame

OUT = Path(__file__).parents[1] / "images" / "table.svg"
WIDTH = 120


def main() -> None:
    shown = [(s.truth.reader, s) for s in read_recording() if s.truth is not None and len(s.board) == 5]
    scene = max(shown[:10], key=lambda pair: pair[0])[1]
    paper = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    for line in frame(scene, WIDTH):
        paper.print(line)
    OUT.write_text(paper.export_svg(title="dupai run"), encoding="utf-8")
    print(f"wrote {OUT}")


if __name__ == "__main__":
    main()
