"""Local best response in small games, exactly: the bound that ``dupai exploit`` samples in hold'em."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from dupai.base import ConfigError
from dupai.games import CHANCE, OVER, Game, Policy

#: The fold of a state where there is one, and its check or call.
Moves = Callable[[Any], tuple[int | None, int]]


def local_best_response(game: Game[Any], policies: Sequence[Policy], player: int, moves: Moves) -> float:
    """What local best response wins as ``player`` (Lisy, Bowling 2017, algorithm 1), in the game's own unit.

    It knows the other's policy and keeps the weights of all states that it cannot distinguish. Of its actions it takes
    the one that wins most if the other answers it by their policy with a fold or no fold, and both check and call from
    there on. Two players. No more than a best response (:func:`~dupai.cfr.best_response`).

    Args:
        moves: the fold of a state (None: there is nothing to fold to) and its check or call.

    Raises:
        ConfigError: more than two players.
    """
    if game.players != 2:
        raise ConfigError(f"{game.name} has {game.players} players: expected 2", key="game")

    def checked_down(state: Any) -> float:
        actor = game.actor(state)
        if actor == OVER:
            return game.payoffs(state)[player]
        if actor == CHANCE:
            chances = game.chances(state)
            return sum(
                p * checked_down(game.child(state, a)) for a, p in zip(game.actions(state), chances, strict=True)
            )
        return checked_down(game.child(state, moves(state)[1]))

    def answered(state: Any) -> float:
        """The value after an action: the other folds by their policy, or the hand is checked down."""
        if game.actor(state) != 1 - player:
            return checked_down(state)
        fold = moves(state)[0]
        actions = list(game.actions(state))
        if fold is None:
            return checked_down(state)
        share = policies[1 - player](game.information(state, 1 - player), actions)[actions.index(fold)]
        stays = checked_down(game.child(state, moves(state)[1]))
        return share * game.payoffs(game.child(state, fold))[player] + (1 - share) * stays

    def play(bundle: list[tuple[Any, float]]) -> float:
        """The value of states with their weights, followed to the player's next decisions."""
        won = 0.0
        decisions: dict[Hashable, list[tuple[Any, float]]] = defaultdict(list)
        while bundle:
            state, weight = bundle.pop()
            actor = game.actor(state)
            if actor == OVER:
                won += weight * game.payoffs(state)[player]
            elif actor == player:
                decisions[game.information(state, player)].append((state, weight))
            else:
                actions = list(game.actions(state))
                chances = (
                    game.chances(state) if actor == CHANCE else policies[actor](game.information(state, actor), actions)
                )
                bundle += [(game.child(state, a), weight * p) for a, p in zip(actions, chances, strict=True) if p > 0]
        for states in decisions.values():
            values = {a: sum(w * answered(game.child(s, a)) for s, w in states) for a in game.actions(states[0][0])}
            best = max(values, key=lambda a: values[a])
            won += play([(game.child(s, best), w) for s, w in states])
        return won

    return play([(game.root(), 1.0)])
