"""Draw charts of a report as pictures of the documentation: ``python docs/make/report_pictures.py FOLDER``.

The folder is that of ``dupai reproduce brpso --full`` (``docs/results/swarm.md``) or of ``dupai reproduce ledger --full
--seed 41`` (``docs/results/cross.md``); the pictures are in ``docs/images``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import msgspec

from dupai.experiments import Chart, chart_svg

OUT = Path(__file__).parents[1] / "images"
#: Title of a chart, and the name of its file.
PICTURES = {
    "Winnings against TA": "swarm-learning-ta.svg",
    "Winnings against LA": "swarm-learning-la.svg",
    "Winnings against LP": "swarm-learning-lp.svg",
    "Winnings against TP": "swarm-learning-tp.svg",
    "Regret against TA": "swarm-regret-ta.svg",
    "Found by BR-PSO against TA, its best seed": "swarm-found-br.svg",
    "Found by variant 2 against TA, its best seed": "swarm-found-2.svg",
    "Best fixed policy against TA": "swarm-best-ta.svg",
    "Figure 6: winnings of the four cases against TA": "swarm-cases.svg",
    "Figure 4(c): fitness by update": "swarm-fitness.svg",
    "What learning has won by hand, mean over the styles": "ledger-styles.svg",
    "What learning has won by hand, mean over the personas": "ledger-personas.svg",
}


def main(folder: str) -> None:
    result = json.loads((Path(folder) / "results.json").read_text(encoding="utf-8"))
    for part in result["parts"]:
        for made in part["section"]["charts"] if part["section"] else ():
            chart = msgspec.convert(made, Chart)
            if chart.title in PICTURES:
                (OUT / PICTURES[chart.title]).write_text(chart_svg(chart) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
