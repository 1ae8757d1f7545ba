"""The search in small games, where the best answer to a fixed opponent is known exactly."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from dupai.agents.mcts import SELECTIONS, Selection, begin_kernel, new_tree
from dupai.base import ConfigError, Rng
from dupai.base.arrays import F64, I64
from dupai.base.specs import check_between
from dupai.experiments._mcts._kernels import CHANCE, DECISION, LEAF, OPPONENT, small_search_kernel
from dupai.games import CHANCE as DEALS, OVER, Game, Policy, walk


class _Written(namedtuple("_Written", "kind first child chance seen payoffs")):
    """A game as arrays, by state: ``kind`` of node for us; ``first`` entry of ``child`` and ``chance`` (probabilities
    where it is not our turn), one more at the end; ``seen``: number of what we know; ``payoffs`` ``float64[n, p]``."""


class GameSearch:
    """Tree search for one player of a small game whose opponents' policies are known: the tree, the selection and the
    determinisation of the agent ``mcts``, with opponent nodes that follow the policies.

    Where an opponent is to move, or cards are dealt, the simulation knows what everybody holds; the tree knows only
    what the player knows. So its value cannot exceed the best response's, and converges to it with simulations.

    Args:
        game: with perfect recall.
        policies: one for each player (that of the searching player is ignored).
        player: who searches.
        selection, c: as the options of the agent; C counts in the game's largest payoff.
        information: search from what the player knows at a later point of the hand; default: from the game's root.
            What opponents did on the way there is then read by Bayes' rule from their policies.
        nodes: most nodes of the tree.

    Raises:
        ConfigError: there is no such player, policy or selection, or the information is never reached.
    """

    def __init__(
        self,
        game: Game[Any],
        policies: Sequence[Policy],
        player: int,
        *,
        selection: str = "uct",
        c: float = 1.0,
        information: Hashable = None,
        nodes: int = 100_000,
    ) -> None:
        if not 0 <= player < game.players:
            raise ConfigError(f"player {player}: {game.name} has {game.players}", key="player")
        if len(policies) != game.players:
            raise ConfigError(f"{len(policies)} policies: {game.name} has {game.players} players", key="policies")
        if selection not in SELECTIONS:
            raise ConfigError(f"selection={selection!r}: expected one of {', '.join(SELECTIONS)}", key="selection")
        check_between("c", c, 0.0, None)
        self._game, *self._root = _written(game, policies, player, information)
        unit = float(np.abs(self._game.payoffs).max())
        self._how = Selection(player, SELECTIONS[selection], 1, float(c), unit)
        self._tree = new_tree(nodes, game.players)
        begin_kernel(self._tree, np.int64(self._game.kind[self._root[0][0]]))
        self._work = np.zeros(4096, np.int64), np.zeros(game.players)

    def run(self, simulations: int, rng: Rng) -> None:
        """More simulations (about 10 million a second)."""
        small_search_kernel(self._tree, self._game, self._how, tuple(self._root), self._work, simulations, rng.state)

    @property
    def simulations(self) -> int:
        """How many there were."""
        return int(self._tree.visits[0])

    @property
    def value(self) -> float:
        """The player's mean winnings over all simulations, trials of bad actions included: the value of the root."""
        return float(self._tree.value[0, self._how.me] / max(self.simulations, 1))

    @property
    def line_value(self) -> float:
        """The root's value rebuilt from below: at our nodes that of the most visited child, elsewhere the mean of the
        children weighted by their visits. The cost of trying other actions is not in it."""
        tree, n = self._tree, int(self._tree.used[0])
        visits = tree.visits[:n]
        value = tree.value[:n, self._how.me] / np.maximum(visits, 1)
        weighted, seen, most = np.zeros(n), np.zeros(n, np.int64), np.zeros(n, np.int64)
        for node in range(n - 1, -1, -1):
            if seen[node]:
                # Simulations that ended here when the node was new belong to no child.
                value[node] = weighted[node] / seen[node]
            parent = int(tree.links[node, 0])
            if parent < 0:
                continue
            if tree.kind[parent] != DECISION:
                weighted[parent] += value[node] * visits[node]
                seen[parent] += visits[node]
            elif visits[node] > most[parent]:
                most[parent], seen[parent], weighted[parent] = visits[node], 1, value[node]
        return float(value[0])


def _written(
    game: Game[Any], policies: Sequence[Policy], player: int, information: Hashable
) -> tuple[_Written, I64, F64]:
    """The arrays of a game; states of the root's information set, and running sums of their weights."""
    number: dict[Any, int] = {state: i for i, state in enumerate(walk(game))}
    reach = [1.0] + [0.0] * (len(number) - 1)
    kinds, firsts, seen, payoffs = [], [0], [], []
    children: list[int] = []
    chances: list[float] = []
    known: dict[Hashable, int] = {}
    start: list[int] = []
    for state, i in number.items():
        actor = game.actor(state)
        kinds.append({DEALS: CHANCE, OVER: LEAF, player: DECISION}.get(actor, OPPONENT))
        knows = game.information(state, player)
        seen.append(known.setdefault(knows, len(known)))
        if information is not None and actor == player and knows == information and reach[i] > 0:
            start.append(i)
        actions = game.actions(state)
        if actor in (player, OVER):
            p: Sequence[float] = (1.0,) * len(actions)
        else:
            p = game.chances(state) if actor == DEALS else policies[actor](game.information(state, actor), actions)
        for action, chance in zip(actions, p, strict=True):
            k = number[game.child(state, action)]
            children.append(k)
            chances.append(chance)
            reach[k] += reach[i] * chance
        firsts.append(len(children))
        payoffs.append(game.payoffs(state) if actor == OVER else (0.0,) * game.players)
    if information is None:
        start = [0]
    if not start:
        raise ConfigError(f"information {information!r}: the player never decides there", key="information")
    kind, first, child, known_by, root = (np.array(v, np.int64) for v in (kinds, firsts, children, seen, start))
    written = _Written(kind, first, child, np.array(chances), known_by, np.array(payoffs))
    return written, root, np.cumsum([reach[i] for i in start])
