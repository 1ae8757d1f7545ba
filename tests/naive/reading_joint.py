"""Joint readings by enumeration: every way of dealing hands that share no card."""

from __future__ import annotations

from collections.abc import Sequence

from dupai.cards import COMBO_CARDS

Weights = dict[int, float]


def joint_marginals(weights: Sequence[Weights]) -> list[Weights]:
    """Marginals of the product of ``weights`` (by combo) over hands that share no card, all gone through."""
    sums: list[Weights] = [dict.fromkeys(w, 0.0) for w in weights]

    def deal(i: int, chosen: list[int], used: set[int], product: float) -> float:
        if i == len(weights):
            for j, h in enumerate(chosen):
                sums[j][h] += product
            return product
        total = 0.0
        for h, w in weights[i].items():
            two = {int(c) for c in COMBO_CARDS[h]}
            if w > 0 and not two & used:
                total += deal(i + 1, [*chosen, h], used | two, product * w)
        return total

    total = deal(0, [], set(), 1.0)
    return [{h: s / total for h, s in one.items()} for one in sums]
