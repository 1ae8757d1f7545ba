"""The 13 x 13 grid of starting hands in the terminal: how its squares are shaded. Loads no compiled code."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.reading import Reading

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


def reading_lines(
    grid: Sequence[float], colored: bool, beside: Mapping[str, Sequence[tuple[str, float]]], rows: int = 4
) -> list[str]:
    """The grid with lists of probabilities beside it: by heading, at most ``rows`` names with their shares, in the
    words of the catalogue; the ``draw`` list has two."""
    from dupai.notation import word_of

    side: list[str] = []
    for title, shares in beside.items():
        listed = [f"  {word_of(name):<15}{100 * p:>5.1f} %" for name, p in shares[: 2 if title == "draw" else rows]]
        side += [title, *listed] if listed else []
    side += [""] * (13 - len(side))
    return [f"  {row}  {words}".rstrip() for row, words in zip(grid_lines(grid, colored), side, strict=False)]


def read_lines(reading: Reading, board: Sequence[int], colored: bool) -> list[str]:
    """A reading in words, then its grid with the likeliest hands beside it, then how the words are counted."""
    from dupai.cards import CLASS_TEXT
    from dupai.notation import reason_words
    from dupai.reading import hand_shares

    starting = sorted(zip(CLASS_TEXT, reading.class_p.tolist(), strict=True), key=lambda one: -one[1])
    made, draws = hand_shares(reading, tuple(board)) if len(board) >= 3 else ([], [])
    *said, counted = map(reason_words, reading.said)
    beside = {"starting hand": starting, "made hand": made, "draw": draws}
    grid = reading_lines(tuple(reading.class_grid.tolist()), colored, beside)
    return ["; ".join(said), *grid, *textwrap.wrap(counted, 76)]
