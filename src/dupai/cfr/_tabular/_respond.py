"""Best responses and exploitability."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from dupai.base import ConfigError
from dupai.base.arrays import F64
from dupai.cfr._tabular._form import CompiledGame, Layout, Policy, compile_game
from dupai.cfr._tabular._kernels.vector import best_response_kernel, reach_kernel, values_kernel
from dupai.games import Game, TabularPolicy


class Exploitability(NamedTuple):
    """How far a profile is from an equilibrium, in the game's own unit.

    ``values``: what each player wins under the profile; ``responses``: the most that it could win alone against the
    others; ``nash_conv``: the sum of the differences. ``exploitability`` is that sum divided by the number of players
    (with two: what the profile loses on average, over both seats, to an opponent who knows it). ``mbb``: thousandths of
    the unit, which in Kuhn and Leduc poker is the ante and stands for the big blind.
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
        reach_kernel(p, layout, strategy, x)
    return x


def measure(layout: Layout, strategy: F64) -> Exploitability:
    """Exploitability of probabilities of actions in the layout's order."""
    x = weights(layout, strategy)
    g, best, values = np.zeros(len(x)), np.zeros(len(x)), np.zeros(len(layout.sizes) - 1)
    values_kernel(layout, x, g, values)
    responses = [float(best_response_kernel(p, layout, x, g, best)) for p in range(len(values))]
    return Exploitability(tuple(values.tolist()), tuple(responses))


def exploitability(game: Game[Any] | CompiledGame, policies: Sequence[Policy]) -> Exploitability:
    """Compute how far a profile of policies is from an equilibrium, exactly.

    Args:
        game: the game; pass the compiled one when you ask more than once.
        policies: one for each player.

    Raises:
        ConfigError: the game is too large, or the policies do not fit.
    """
    compiled = game if isinstance(game, CompiledGame) else compile_game(game)
    return measure(compiled.full, compiled.placed(compiled.policy_rows(policies)))


def best_response(
    game: Game[Any] | CompiledGame, policies: Sequence[Policy], player: int
) -> tuple[float, TabularPolicy]:
    """The most that ``player`` can win against the policies of the others, and a policy that wins it.

    The player's own policy is ignored. Of equally good actions the response takes the first.

    Raises:
        ConfigError: the game is too large, there is no such player, or the policies do not fit.
    """
    compiled = game if isinstance(game, CompiledGame) else compile_game(game)
    if not 0 <= player < compiled.players:
        raise ConfigError(f"player {player}: {compiled.name} has {compiled.players}", key="player")
    layout = compiled.full
    x = weights(layout, compiled.placed(compiled.policy_rows(policies)))
    best = np.zeros(len(x))
    value: float = best_response_kernel(player, layout, x, np.zeros(len(x)), best)
    rows = best[layout.place[compiled.players :]]
    sets = compiled.tree.sets
    rows[np.repeat(sets.player, np.diff(sets.start)) != player] = 0.0
    return value, compiled.policies(rows)[player]
