"""Walking a game: everything in it, exact expectations, and playing it out."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from dupai.base import Rng
from dupai.games._game import CHANCE, OVER, Game
from dupai.games._policies import Policy

S = TypeVar("S", bound=Hashable)


class TreeSize(NamedTuple):
    """How large a game is: all states, those at which it is over, those of chance, those of players, and how many
    information sets each player acts in."""

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
    over = chance = decisions = 0
    known: list[set[Hashable]] = [set() for _ in range(game.players)]
    for state in walk(game):
        who = game.actor(state)
        if who == OVER:
            over += 1
        elif who == CHANCE:
            chance += 1
        else:
            decisions += 1
            known[who].add(game.information(state, who))
    return TreeSize(over + chance + decisions, over, chance, decisions, tuple(map(len, known)))


def probabilities(game: Game[S], state: S, policies: Sequence[Policy]) -> Sequence[float]:
    """Of every action in ``state``, by whoever is to move."""
    who = game.actor(state)
    if who == CHANCE:
        return game.chances(state)
    return policies[who](game.information(state, who), game.actions(state))


def terminal_lines(game: Game[S], policies: Sequence[Policy]) -> Iterator[tuple[float, tuple[int, ...], S]]:
    """Every way to the end that has a positive probability: it, the actions of players and chance, the last state."""
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
    """What every player wins on average, exactly (by enumeration), when player ``i`` follows ``policies[i]``."""
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
