"""Bayes' rule as it is written: for every hand the product of the chances of the player's actions."""

from __future__ import annotations

from dupai.cards import COMBOS
from dupai.rules import View
from dupai.spots import NOTHING, ActionModel, spots


def weights(model: ActionModel, view: View, prior: list[list[float]], strongest: bool = False) -> list[list[float]]:
    """Weights of every position, each adding up to 1."""
    force = {0: 5, 1: 0, 2: 1, 3: 2, 4: 3}
    chances = []
    for spot in spots(view):
        if spot["did"] != NOTHING:
            menu = model.menu(spot)
            column = menu.place(spot)
            table = model.probs(spot).tolist()
            chances.append((spot.position, spot.street, force[spot["did"]], [row[column] for row in table]))
    if strongest:
        chances = [
            c
            for i, c in enumerate(chances)
            if not any(d[:2] == c[:2] and (d[2] > c[2] or (d[2] == c[2] and j > i)) for j, d in enumerate(chances))
        ]
    out = []
    for position, start in enumerate(prior):
        w = list(start)
        for who, _, _, chance in chances:
            if who == position and any(w[h] * chance[h] > 0 for h in range(COMBOS)):
                w = [w[h] * chance[h] for h in range(COMBOS)]
        total = sum(w)
        out.append([x / total for x in w])
    return out
