"""The 13 x 13 grid, for terminals and notebooks."""

from __future__ import annotations

from dupai.base.arrays import F64
from dupai.cards import CLASS_TEXT, RANKS

_CELL = 28
_RESET = "\x1b[0m"


def _label(index: int, weight: float) -> str:
    if weight <= 0:
        return "·"
    if weight >= 1:
        return CLASS_TEXT[index]
    # a hand that is there never shows as 0, one that is not all there never as 100
    return f"{min(99, max(1, round(100 * weight)))}%"


def grid_text(weights: F64, color: bool = False) -> str:
    """Lines of the grid of ``float64[169]`` class weights, with the ranks on top and at the left."""
    lines = ["  " + "".join(f"{r:^4}" for r in reversed(RANKS)).rstrip()]
    for row in range(13):
        line = RANKS[12 - row] + " "
        for col in range(13):
            w = float(weights[row * 13 + col])
            cell = f"{_label(row * 13 + col, w):^4}"
            if color and w > 0:
                # 256-colour cube: from dark to bright green by weight
                line += f"\x1b[48;5;{22 + 6 * round(3 * w)};38;5;{255 if w < 0.9 else 16}m{cell}{_RESET}"
            else:
                line += cell
        lines.append(line.rstrip())
    return "\n".join(lines)


def grid_svg(weights: F64) -> str:
    """SVG of the grid of ``float64[169]`` class weights; a cell is filled from below by its weight."""
    size = 13 * _CELL
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 {size} {size}" '
        'font-family="sans-serif" font-size="10" text-anchor="middle">'
    ]
    for i, w in enumerate(weights):
        x, y = i % 13 * _CELL, i // 13 * _CELL
        base = "#e8e8e8" if i % 14 == 0 else "#f6f6f6"
        out.append(f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="{base}" stroke="#bbb"/>')
        if w > 0:
            h = _CELL * min(1.0, float(w))
            out.append(
                f'<rect x="{x}" y="{y + _CELL - h:.2f}" width="{_CELL}" height="{h:.2f}" fill="#5aa469">'
                f"<title>{CLASS_TEXT[i]}: {w:.4g}</title></rect>"
            )
        out.append(f'<text x="{x + _CELL / 2}" y="{y + _CELL / 2 + 4}">{CLASS_TEXT[i]}</text>')
    out.append("</svg>")
    return "".join(out)
