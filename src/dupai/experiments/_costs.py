"""Processor time of every part of every paper, so that a run can say beforehand how long it takes."""

from __future__ import annotations

from dupai.experiments._paper import Size

#: By paper and part: minutes of one core of a quick run, measured; and how many times that a full run takes, from the
#: numbers of hands, simulations and repeats.
COSTS: dict[str, dict[str, tuple[float, float]]] = {}


def part_minutes(paper: str, part: str, size: Size) -> float | None:
    """Minutes of one core that a part takes, about; None: nobody has measured it."""
    cost = COSTS.get(paper, {}).get(part)
    if cost is None:
        return None
    quick, times = cost
    return quick if size == "quick" else quick * times
