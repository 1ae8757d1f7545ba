"""Draw ``docs/images/cfr-curves.svg``: exploitability of Leduc hold'em by iteration, for every algorithm.

Run ``python docs/make/cfr_curves.py``. An iteration of a sampling algorithm visits some twenty nodes, one of the
others all 9457.
"""

from __future__ import annotations

import math
from pathlib import Path

from dupai.cfr import ALGORITHMS, SAMPLING, compile_game, game_solver
from dupai.games import Leduc

OUT = Path(__file__).parents[1] / "images" / "cfr-curves.svg"
WIDTH, HEIGHT, LEFT, BOTTOM = 640, 400, 60, 40
MAX_ITERATIONS, MIN_ERROR, HIGH = 1e6, 1e-8, 10.0
COLOURS = ("#4c72b0", "#dd8452", "#55a868", "#c44e52", "#8172b3", "#937860", "#da8bc3", "#8c8c8c", "#ccb974", "#64b5cd")


def x_of(iterations: float) -> float:
    return LEFT + (WIDTH - LEFT - 110) * math.log10(iterations) / math.log10(MAX_ITERATIONS)


def y_of(exploitability: float) -> float:
    part = math.log10(max(exploitability, MIN_ERROR) / MIN_ERROR) / math.log10(HIGH / MIN_ERROR)
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - 20) * part


def main() -> None:
    compiled = compile_game(Leduc())
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        'font-size="11"><rect width="100%" height="100%" fill="white"/>'
    ]
    for power in range(7):
        x = x_of(10**power)
        out.append(f'<line x1="{x:.1f}" y1="20" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        label = f'10<tspan dy="-4" font-size="8">{power}</tspan>'
        out.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{label}</text>')
    for power in range(-8, 2, 2):
        y = y_of(10.0**power)
        out.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - 110}" y2="{y:.1f}" stroke="#ddd"/>')
        label = f'10<tspan dy="-4" font-size="8">{power}</tspan>'
        out.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
    out.append(f'<text x="{LEFT}" y="13">exploitability of Leduc hold\'em, antes a hand</text>')
    out.append(f'<text x="{(WIDTH - 50) / 2}" y="{HEIGHT - 6}" text-anchor="middle">iterations</text>')
    for colour, algorithm in zip(COLOURS, ALGORITHMS, strict=True):
        solver = game_solver(compiled, algorithm, seed=1)
        points = []
        most = MAX_ITERATIONS if algorithm in SAMPLING else MAX_ITERATIONS / 10
        steps = sorted({round(10 ** (k / 8)) for k in range(round(8 * math.log10(most)) + 1)})
        for iterations in steps:
            solver.run(iterations - solver.done)
            points.append((x_of(iterations), y_of(solver.measure().exploitability)))
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dash = ' stroke-dasharray="4 2"' if algorithm in SAMPLING else ""
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.6"{dash}/>')
        place = 30 + 15 * ALGORITHMS.index(algorithm)
        out.append(f'<line x1="{WIDTH - 100}" y1="{place}" x2="{WIDTH - 80}" y2="{place}" stroke="{colour}"{dash}/>')
        out.append(f'<text x="{WIDTH - 75}" y="{place + 4}">{algorithm}</text>')
    OUT.write_text("\n".join([*out, "</svg>"]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
