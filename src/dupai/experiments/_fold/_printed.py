"""What the paper prints, from ``printed.toml``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dupai.experiments._verdict import paper_data, printed_figures

_DATA = paper_data(__file__)
FIGURES = printed_figures(_DATA["figures"])
FIGURE7 = printed_figures(_DATA["figure7"])
REPEATS: int = _DATA["repeats"]
FIGURE3: Mapping[str, Any] = _DATA["figure3"]
TABLE3_PLAYERS: Sequence[str] = _DATA["table3"]["players"]


def table3(what: str, whole: int) -> list[list[int | None]]:
    """A matrix of table 3: ``won``, whose pairs add up to a ``whole`` of 100, or ``chips``, to 0."""
    n, later = len(TABLE3_PLAYERS), _DATA["table3"][what]
    return [
        [None if i == k else later[i][k - i - 1] if k > i else whole - later[k][i - k - 1] for k in range(n)]
        for i in range(n)
    ]
