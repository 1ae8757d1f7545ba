"""Best responses and exploitability."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from dupai.base import ConfigError
from dupai.cfr._tabular._form import CompiledGame, Layout, compile_game
from dupai.cfr._tabular._kernels.vector import best_response_kernel, reach_kernel, values_kernel
from dupai.cfr._tabular._tree import F64
from dupai.games import Game, TabularPolicy

_Policy = Callable[[Hashable, Sequence[int]], Sequence[float]]


class Exploitability(NamedTuple):
    """How far a profile is from an equilibrium, in the game's own unit.

    ``values``: what every player wins under the profile; ``responses``: what it could win alone against the others;
    ``nash_conv``: the sum of the differences. ``exploitability``: that by the number of players (for two: what the
    profile loses on average, over both seats, to who knows it). ``mbb``: thousandths of the unit, which in Kuhn and
    Leduc poker is the ante and stands for the big blind.
    """

    values: tuple[float, ...]
    responses: tuple[float, ...]

    @property
    def nash_conv(self) -> float:
        return sum(self.responses) - sum(self.values)

    @property
    def exploitability(self) -> float:
        return self.nash_conv / len(self.values)

    @property
    def mbb(self) -> float:
        return 1000.0 * self.exploitability


def weights(layout: Layout, strategy: F64) -> F64:
    """Weights of sequences under probabilities of actions (both in the layout's order)."""
    x = np.zeros(len(strategy))
    for p in range(len(layout.sizes) - 1):
        reach_kernel(p, layout.sizes, layout.group_of, layout.groups, layout.parent, strategy, x)
    return x


def measure(layout: Layout, strategy: F64) -> Exploitability:
    """Exploitability of probabilities of actions in the layout's order."""
    players = len(layout.sizes) - 1
    x = weights(layout, strategy)
    g, best, out = np.zeros(len(x)), np.zeros(len(x)), np.zeros(players)
    values_kernel(
        layout.sizes, layout.block_of, layout.blocks, layout.rows, layout.others, layout.worth, layout.many, x, g, out
    )
    return Exploitability(tuple(out.tolist()), tuple(float(_respond(layout, p, x, g, best)) for p in range(players)))


def _respond(layout: Layout, player: int, x: F64, g: F64, best: F64) -> float:
    value: float = best_response_kernel(
        player,
        layout.sizes,
        layout.group_of,
        layout.groups,
        layout.parent,
        layout.times,
        layout.block_of,
        layout.blocks,
        layout.rows,
        layout.others,
        layout.worth,
        x,
        g,
        best,
    )
    return value


def _compiled(game: Game[Any] | CompiledGame) -> CompiledGame:
    return game if isinstance(game, CompiledGame) else compile_game(game)


def exploitability(game: Game[Any] | CompiledGame, policies: Sequence[_Policy]) -> Exploitability:
    """How far a profile of policies is from an equilibrium, exactly.

    Args:
        game: the game, or better the compiled one where it is asked for more than once.
        policies: one for each player.

    Raises:
        ConfigError: the game is too large, or the policies do not fit.
    """
    compiled = _compiled(game)
    layout = compiled.full
    return measure(layout, _placed(compiled, layout, policies))


def best_response(
    game: Game[Any] | CompiledGame, policies: Sequence[_Policy], player: int
) -> tuple[float, TabularPolicy]:
    """What ``player`` can win at most against the policies of the others (its own is not looked at), and how: the first
    best action everywhere.

    Raises:
        ConfigError: the game is too large, there is no such player, or the policies do not fit.
    """
    compiled = _compiled(game)
    if not 0 <= player < compiled.players:
        raise ConfigError(f"player {player}: {compiled.name} has {compiled.players}")
    layout = compiled.full
    x = weights(layout, _placed(compiled, layout, policies))
    best = np.zeros(len(x))
    value = _respond(layout, player, x, np.zeros(len(x)), best)
    rows = best[layout.place[compiled.players :]]
    sets = compiled.tree.sets
    rows[np.repeat(sets.player, np.diff(sets.start)) != player] = 0.0
    return value, compiled.policies(rows)[player]


def _placed(compiled: CompiledGame, layout: Layout, policies: Sequence[_Policy]) -> F64:
    rows = np.concatenate([np.ones(compiled.players), compiled.policy_rows(policies)])
    return rows[layout.sequences]
