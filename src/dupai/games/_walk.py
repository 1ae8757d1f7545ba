"""Walking a game: everything in it, exact expectations, and playing it out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from dupai.base import Rng
from dupai.games._game import CHANCE, OVER, Game
from dupai.games._policies import Policy

S = TypeVar("S", bound=Hashable)


class TreeSize(NamedTuple):
    """The size of a game: all states, final ones, those of chance, those of players, and the number of information sets
    in which each player acts."""

    states: int
    over: int
    chance: int
    decisions: int
    information_sets: tuple[int, ...]


def walk(game: Game[S]) -> Iterator[S]:
    """Every state once, parents before children, in the order of the actions."""
    stack = [game.root()]
    while stack:
        state = stack.pop()
        yield state
        stack.extend(game.child(state, a) for a in reversed(game.actions(state)))


def tree_size(game: Game[S]) -> TreeSize:
    """Count the whole tree."""
    known: list[set[Hashable]] = [set() for _ in range(game.players)]
    actors: Counter[int] = Counter()
    for state in walk(game):
        actor = game.actor(state)
        actors[actor] += 1
        if actor >= 0:
            known[actor].add(game.information(state, actor))
    over, chance, states = actors[OVER], actors[CHANCE], actors.total()
    return TreeSize(states, over, chance, states - over - chance, tuple(map(len, known)))


def probabilities(game: Game[S], state: S, policies: Sequence[Policy]) -> Sequence[float]:
    """The probability of every action in ``state``, by chance or by the player to act."""
    actor = game.actor(state)
    if actor == CHANCE:
        return game.chances(state)
    return policies[actor](game.information(state, actor), game.actions(state))


def terminal_lines(game: Game[S], policies: Sequence[Policy]) -> Iterator[tuple[float, tuple[int, ...], S]]:
    """Every line to the end with a positive probability: the probability, the actions of players and chance, the last
    state."""
    stack: list[tuple[float, tuple[int, ...], S]] = [(1.0, (), game.root())]
    while stack:
        reach, line, state = stack.pop()
        if game.actor(state) == OVER:
            yield reach, line, state
            continue
        for action, p in zip(game.actions(state), probabilities(game, state, policies), strict=True):
            if p > 0.0:
                stack.append((reach * p, (*line, action), game.child(state, action)))


def expected_payoffs(game: Game[S], policies: Sequence[Policy]) -> tuple[float, ...]:
    """Each player's exact mean payoff (by enumeration) when player ``i`` follows ``policies[i]``."""
    total = [0.0] * game.players
    for reach, _, state in terminal_lines(game, policies):
        for p, won in enumerate(game.payoffs(state)):
            total[p] += reach * won
    return tuple(total)


def playout(game: Game[S], policies: Sequence[Policy], rng: Rng) -> tuple[tuple[int, ...], S]:
    """Play once: the actions of players and chance, and the state at the end."""
    line: list[int] = []
    state = game.root()
    while game.actor(state) != OVER:
        u = rng.uniform()
        actions = game.actions(state)
        chosen = actions[0]
        for action, p in zip(actions, probabilities(game, state, policies), strict=True):
            if p > 0.0:
                chosen = action
                u -= p
                if u < 0.0:
                    break
        line.append(chosen)
        state = game.child(state, chosen)
    return tuple(line), state
