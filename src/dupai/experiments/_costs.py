"""Processor time of every part of every paper, so that a run can say beforehand how long it takes."""

from __future__ import annotations

from dupai.experiments._paper import Size

#: By paper and part: minutes of one core of a quick run with compiled kernels, from the times of some of its pieces of
#: work, rounded up; and how many times that a full run takes, from the numbers of hands, simulations and repeats.
COSTS: dict[str, dict[str, tuple[float, float]]] = {
    "fold": {
        "formulas": (0.1, 1),
        "theta": (0.2, 100),
        "figure4": (0.1, 10),
        "figure7": (1.0, 60),
        "table3": (1.0, 120),
        "tournaments": (0.6, 160),
        "readers": (0.8, 40),
    },
    "rules": {"encodings": (0.1, 1), "examples": (0.1, 25), "decisions": (0.1, 5), "protection": (0.1, 50)},
    "mcts": {
        "convergence": (0.1, 25),
        "table": (0.6, 50),
        "factorial": (0.8, 580),
        "three": (0.6, 50),
        "simulations": (0.6, 10_000),
        "versions": (0.6, 13),
    },
    "experience": {
        "hash": (0.8, 3),
        "cnn": (1.6, 250),
        "matches": (1.5, 40),
        "doubt": (0.3, 60),
        "known": (2.0, 10),
    },
    "brpso": {
        "runs": (3.5, 2),
        "cases": (0.6, 2),
        "fitness": (0.1, 2),
        "sizes": (0.9, 10),
        "printed": (0.3, 1),
        "options": (0.3, 3),
        "strangers": (0.1, 5),
        "change": (0.2, 2),
        "tables": (0.6, 6),
        "sensitivity": (0.3, 2),
        "streets": (0.6, 4),
        "reader": (0.2, 20),
    },
    "cross": {"heads-up": (2.5, 200), "six": (2.0, 250), "eight": (1.0, 250), "tournament": (0.5, 100)},
    "ledger": {"winnings": (1.7, 100), "responses": (0.5, 1_500)},
}


def part_minutes(paper: str, part: str, size: Size) -> float | None:
    """Minutes of one core that a part takes, about; None: nobody has measured it."""
    cost = COSTS.get(paper, {}).get(part)
    if cost is None:
        return None
    quick, times = cost
    return quick if size == "quick" else quick * times
