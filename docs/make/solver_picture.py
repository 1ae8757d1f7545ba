"""Draw ``docs/images/solver-curves.svg`` from real runs: exploitability by iteration on the three reference spots.

``python docs/make/solver_picture.py`` takes about half a minute. The dotted lines are the peer's stated runs
(postflop-solver, float32; the same spots).
"""

from __future__ import annotations

import math
from pathlib import Path

from dupai.bench._solve import reference_spots
from dupai.cfr import SpotSolver

OUT = Path(__file__).parents[1] / "images" / "solver-curves.svg"
# exploitability every ten iterations
PEER = {
    "river": (13.1079, 5.8974, 1.3933, 0.8601, 0.5471, 0.3971, 0.8299, 0.3482,
        0.266, 0.1986, 0.1781, 0.1633, 0.1345, 0.1223, 0.1075, 0.0986),
    "turn": (27.5189, 14.5684, 3.9926, 2.1116, 1.4421, 0.9747, 1.3312, 0.6503,
        0.4859, 0.3941, 0.3244, 0.2749, 0.2383, 0.2108, 0.1873, 0.1666),
    "flop": (21.052, 12.7568, 3.3274, 1.5536,
        0.9257, 0.6104, 0.5576, 0.326, 0.2459),
}  # fmt: skip
COLOURS = {"river": "#1f77b4", "turn": "#d62728", "flop": "#2ca02c"}
WIDE, HIGH, LEFT, TOP, RIGHT, BOTTOM = 640, 380, 60, 30, 620, 330


def _x(iteration: float) -> float:
    return LEFT + (RIGHT - LEFT) * iteration / 160


def _y(percent: float) -> float:
    low, high = math.log10(0.05), math.log10(50)
    return BOTTOM - (BOTTOM - TOP) * (math.log10(percent) - low) / (high - low)


def _line(points: dict[int, float], colour: str, dash: str) -> str:
    path = " ".join(f"{_x(t):.1f},{_y(e):.1f}" for t, e in points.items())
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>'


def main() -> None:
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDE}" height="{HIGH}" fill="white"/>',
    ]
    for percent in (0.1, 0.3, 1, 3, 10, 30):
        y = _y(percent)
        parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{RIGHT}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{percent:g} %</text>')
    parts += [f'<text x="{_x(t):.1f}" y="{BOTTOM + 18}" text-anchor="middle">{t}</text>' for t in range(0, 161, 20)]
    parts.append(f'<text x="{(LEFT + RIGHT) / 2}" y="{HIGH - 12}" text-anchor="middle">iterations</text>')
    parts.append(f'<text x="{LEFT}" y="{TOP - 12}">exploitability in percent of the pot</text>')
    parts.append(f'<rect x="{RIGHT - 96}" y="{TOP + 6}" width="96" height="76" fill="white"/>')
    for k, (name, spot) in enumerate(reference_spots().items()):
        solver = SpotSolver(spot)
        curve = {}
        for t in range(10, 161 if name != "flop" else 101, 10):
            solver.iterate(10)
            curve[t] = 100 * solver.exploitability() / spot.pot
        parts.append(
            _line(
                {10 * t: e for t, e in enumerate(PEER[name], 1)}, COLOURS[name], ' stroke-dasharray="3 4" opacity="0.7"'
            )
        )
        parts.append(_line(curve, COLOURS[name], ""))
        parts.append(f'<text x="{RIGHT - 90}" y="{TOP + 20 + 18 * k}" fill="{COLOURS[name]}">{name}</text>')
        print(name, {t: round(e, 3) for t, e in curve.items()})
    parts.append(f'<text x="{RIGHT - 90}" y="{TOP + 74}" fill="#555">dotted: peer</text>')
    parts.append("</svg>")
    OUT.write_text("\n".join(parts) + "\n", encoding="utf-8")
    print(f"wrote {OUT}")


if __name__ == "__main__":
    main()
