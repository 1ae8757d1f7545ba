"""Luck reduction in small games: the AIVAT-style control variates themselves, for any game and any value function.

N. Burch, M. Schmid, M. Moravčík, D. Morrill, M. Bowling, "AIVAT: a new variance reduction technique for agent
evaluation in imperfect information games", AAAI 2018, without its imaginary observations (the sums over the hands that
the known player might also have held).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from dupai.games import CHANCE, OVER, Game, Policy

S = TypeVar("S", bound=Hashable)


def corrected_payoffs(
    game: Game[S],
    line: Sequence[int],
    policies: Sequence[Policy | None],
    value: Callable[[S], Sequence[float]],
) -> tuple[float, ...]:
    """Payoffs of one game with the luck taken out, equal in expectation to the payoffs for every ``value``.

    At every node ``h`` of chance, and of players whose policy is known (not None), where ``a`` happened, the payoffs
    lose ``value(h a) - sum_b p(b) value(h b)``: by how much ``a`` was better than expected. The better ``value``
    predicts the payoffs, the smaller the variance; if it is exact and all policies are known, the variance is 0.

    Args:
        line: the actions of players and chance from the root to the end.
        policies: by player. A policy that the player does not really follow biases the result.
        value: the baseline, any function of the state: an approximation of every player's payoff from there.
    """
    state = game.root()
    taken = [0.0] * game.players
    for action in line:
        actor = game.actor(state)
        actions = list(game.actions(state))
        policy = policies[actor] if actor >= 0 else None
        if actor == CHANCE or policy is not None:
            chances = game.chances(state) if policy is None else policy(game.information(state, actor), actions)
            for b, p in zip(actions, chances, strict=True):
                weight = (b == action) - p
                if weight:
                    for i, v in enumerate(value(game.child(state, b))):
                        taken[i] += weight * v
        state = game.child(state, action)
    assert game.actor(state) == OVER
    return tuple(won - luck for won, luck in zip(game.payoffs(state), taken, strict=True))
