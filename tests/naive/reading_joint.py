"""Joint readings by enumeration (every way of dealing hands that share no card), by dealing at random, and by messages
between the players."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dupai.cards import COMBO_CARDS, COMBO_MASK

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


def dealt(weights: Sequence[Weights], deals: int, seed: int) -> tuple[list[Weights], int]:
    """The same by ``deals`` independent deals, of which those are thrown away where a card is held twice; and how many
    are left."""
    rng = np.random.default_rng(seed)
    drawn, used, fits = [], np.zeros(deals, np.uint64), np.ones(deals, bool)
    for w in weights:
        p = np.array(list(w.values()))
        hands = rng.choice(list(w), size=deals, p=p / p.sum())
        fits &= (used & COMBO_MASK[hands]) == 0
        used |= COMBO_MASK[hands]
        drawn.append(hands)
    left = int(fits.sum())
    counts = [dict(zip(*np.unique(hands[fits], return_counts=True), strict=True)) for hands in drawn]
    return [{h: counts[i].get(h, 0) / left for h in w} for i, w in enumerate(weights)], left


def propagated(weights: Sequence[Weights], rounds: int) -> list[Weights]:
    """The same as players would work it out who tell each other how likely their hands are, over and over: to each
    receiver a sender tells what follows from the words of all others."""
    n = len(weights)
    said = {(i, j): dict.fromkeys(weights[j], 1.0) for i in range(n) for j in range(n) if i != j}

    def hands(i: int, but: int) -> Weights:
        held = {
            h: w * float(np.prod([said[k, i][h] for k in range(n) if k not in (i, but)])) for h, w in weights[i].items()
        }
        total = sum(held.values())
        return {h: w / total for h, w in held.items()}

    for _ in range(rounds):
        told = {}
        for i, j in said:
            held = hands(i, j)
            told[i, j] = {g: sum(w for h, w in held.items() if not COMBO_MASK[h] & COMBO_MASK[g]) for g in weights[j]}
        said = told
    return [hands(i, i) for i in range(n)]
