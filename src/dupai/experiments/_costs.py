"""Processor time of every part of every paper, so that a run can say beforehand how long it takes."""

from __future__ import annotations

from dupai.experiments._paper import Size

#: By paper and part: minutes of one core of a quick run with compiled kernels, from the processor time of its pieces of
#: work in runs of all papers, rounded up; and how many times that a full run takes, from the numbers of hands,
#: simulations, steps and repeats (cross and the ledger's winnings: from the times of single pieces of a full run).
COSTS: dict[str, dict[str, tuple[float, float]]] = {
    "fold": {
        "formulas": (0.1, 1),
        "theta": (0.3, 70),
        "figure4": (0.1, 10),
        "figure7": (0.8, 80),
        "table3": (2.4, 20),
        "tournaments": (1.6, 33),
        "readers": (0.3, 40),
    },
    "rules": {"encodings": (0.1, 1), "examples": (0.1, 25), "decisions": (0.1, 5), "protection": (0.1, 50)},
    "mcts": {
        "convergence": (0.1, 25),
        "table": (0.3, 50),
        "factorial": (0.7, 580),
        "three": (0.4, 50),
        "simulations": (0.2, 10_000),
        "versions": (0.4, 13),
    },
    "experience": {
        "hash": (0.4, 2),
        "cnn": (1.6, 170),
        "matches": (2.0, 30),
        "doubt": (2.7, 6),
        "known": (1.0, 14),
    },
    "brpso": {
        "runs": (2.8, 2),
        "cases": (0.6, 2),
        "fitness": (0.1, 2),
        "sizes": (1.2, 10),
        "printed": (0.3, 1),
        "options": (0.4, 3),
        "strangers": (0.1, 5),
        "change": (0.2, 2),
        "tables": (0.2, 6),
        "sensitivity": (0.2, 2),
        "streets": (0.6, 4),
        "reader": (0.1, 20),
    },
    "cross": {"heads-up": (1.1, 600), "six": (0.2, 100), "eight": (0.1, 160), "tournament": (0.3, 55)},
    "ledger": {"winnings": (2.8, 108), "responses": (0.5, 70)},
}


def part_minutes(paper: str, part: str, size: Size) -> float | None:
    """Minutes of one core that a part takes, about; None: nobody has measured it."""
    cost = COSTS.get(paper, {}).get(part)
    if cost is None:
        return None
    quick, times = cost
    return quick if size == "quick" else quick * times
