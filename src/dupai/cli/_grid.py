"""The 13 x 13 grid of starting hands in the terminal: how its squares are shaded. Loads no compiled code."""

from __future__ import annotations

from collections.abc import Sequence

#: From zero to the most probable, without colours.
_SHADES = " ·░▒▓█"
#: The same in the 256 colours of terminals: dark blue to bright red.
COLORS = (234, 17, 19, 55, 90, 125, 160, 196)


def color_level(weight: float) -> int:
    """Index into :data:`COLORS` of a weight from 0 to 1."""
    return min(int(weight * len(COLORS)), len(COLORS) - 1)


def grid_lines(grid: Sequence[float], colored: bool) -> list[str]:
    """The grid as 13 lines of 52 columns: 169 weights from 0 to 1, by escape sequences or, without colours, shades."""
    from dupai.cards import CLASS_TEXT

    lines = []
    for row in range(13):
        line = ""
        for column in range(13):
            weight = grid[row * 13 + column]
            text = CLASS_TEXT[row * 13 + column]
            if colored:
                line += f"\x1b[48;5;{COLORS[color_level(weight)]};38;5;255m{text:<4}\x1b[0m"
            else:
                level = 0 if weight < 0.02 else 1 + min(int(weight * 5), 4)
                line += f"{text:<3}{_SHADES[level]}"
        lines.append(line)
    return lines
