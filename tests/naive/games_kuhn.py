"""The known equilibria of two-player Kuhn poker."""

from __future__ import annotations

from collections.abc import Hashable

from dupai.games import TabularPolicy

#: Check or fold; bet or call.
PASS, BET = 0, 1


def kuhn_equilibrium(alpha: float = 0.0) -> tuple[TabularPolicy, TabularPolicy]:
    """The equilibria of two-player Kuhn poker: the first player's family with ``alpha`` in [0, 1/3] (how often it bets
    the lowest card) and the second player's only one. The first player wins -1/18 a hand."""
    # By player and line so far: how often it bets or calls with the lowest, the middle and the highest card.
    bets = {
        (0, ()): (alpha, 0.0, 3 * alpha),
        (0, (PASS, BET)): (0.0, alpha + 1 / 3, 1.0),
        (1, (PASS,)): (1 / 3, 0.0, 1.0),
        (1, (BET,)): (0.0, 1 / 3, 1.0),
    }
    tables: list[dict[Hashable, tuple[float, float]]] = [{}, {}]
    for (player, line), shares in bets.items():
        for card, bet in enumerate(shares):
            tables[player][player, card, line] = (1 - bet, bet)
    return TabularPolicy(tables[0]), TabularPolicy(tables[1])
