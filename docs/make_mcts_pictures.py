"""Draw ``docs/mcts-convergence.svg`` from real searches of Kuhn and Leduc (about a minute).

``python docs/make_mcts_pictures.py``
"""

from __future__ import annotations

from pathlib import Path

from dupai.experiments import chart_svg, load_paper
from dupai.experiments.mcts import small_chart


class Going:
    """Never stops."""

    def hand(self) -> bool:
        return True


def main() -> None:
    part = next(p for p in load_paper("mcts").parts if p.name == "convergence")
    results = {cell.key: cell.work(cell.task, Going()) for cell in part.cells("full", 0)}
    Path(__file__).with_name("mcts-convergence.svg").write_text(chart_svg(small_chart(results, "full")) + "\n")


if __name__ == "__main__":
    main()
