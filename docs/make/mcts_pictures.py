"""Draw the pictures of ``docs/results/mcts.md``: ``python docs/make/mcts_pictures.py [FOLDER]``.

Without a folder: ``docs/images/mcts-convergence.svg`` from searches of Kuhn and Leduc poker (about a minute). With the
folder of ``dupai reproduce mcts --full --part table``: ``docs/images/mcts-learning.svg`` from its matches.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import msgspec

from dupai.experiments import PaperResult, chart_svg, load_paper
from dupai.experiments._mcts._report import small_chart

IMAGES = Path(__file__).parents[1] / "images"


class Going:
    """Never stops."""

    def step(self) -> bool:
        return True


def learning(folder: Path) -> None:
    """Winnings by hand of the match, from the folder of ``dupai reproduce mcts``."""
    result = msgspec.convert(json.loads((folder / "results.json").read_text(encoding="utf-8")), PaperResult)
    section = next(part.section for part in result.parts if part.name == "table")
    (IMAGES / "mcts-learning.svg").write_text(chart_svg(section.charts[0]) + "\n")


def main() -> None:
    if len(sys.argv) > 1:
        learning(Path(sys.argv[1]))
        return
    part = next(p for p in load_paper("mcts").parts if p.name == "convergence")
    results = {cell.key: cell.work(cell.task, Going()) for cell in part.cells("full", 0)}
    (IMAGES / "mcts-convergence.svg").write_text(chart_svg(small_chart(results, "full")) + "\n")


if __name__ == "__main__":
    main()
