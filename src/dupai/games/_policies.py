"""Policies of small games: probabilities by information set."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence

from dupai.base import Rng

#: From a player's information and actions to the probability of each action.
Policy = Callable[[Hashable, Sequence[int]], Sequence[float]]


def uniform_policy(information: Hashable, actions: Sequence[int]) -> tuple[float, ...]:
    """Every action equally often."""
    return (1 / len(actions),) * len(actions)


class TabularPolicy:
    """A policy from a table: probabilities in the order of the actions, by information; uniform where it has none."""

    def __init__(self, table: Mapping[Hashable, Sequence[float]]) -> None:
        self.table: dict[Hashable, tuple[float, ...]] = {key: tuple(row) for key, row in table.items()}

    def __call__(self, information: Hashable, actions: Sequence[int]) -> tuple[float, ...]:
        return self.table.get(information) or uniform_policy(information, actions)


def random_policy(rng: Rng, pure: bool = False) -> Policy:
    """A policy drawn at random, information set by information set as they are first met (so it depends on the order in
    which a game is walked): weights uniform in (0, 1], or with ``pure`` one action for certain."""
    table: dict[Hashable, tuple[float, ...]] = {}

    def policy(information: Hashable, actions: Sequence[int]) -> tuple[float, ...]:
        if information not in table:
            n = len(actions)
            weights = [0.0] * n if pure else [1.0 - rng.uniform() for _ in actions]
            if pure:
                weights[rng.below(n)] = 1.0
            table[information] = tuple(w / sum(weights) for w in weights)
        return table[information]

    return policy
