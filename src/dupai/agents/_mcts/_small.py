"""The search in small games, where the best answer to a fixed opponent is known exactly."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.agents._mcts._kernels.small import small_search_kernel
from dupai.agents._mcts._kernels.tree import begin_kernel
from dupai.agents._mcts._layout import (
    CHANCE,
    DECISION,
    FLAGS,
    LEAF,
    ME,
    OPPONENT,
    SELECTION,
    THOMPSON,
    UCB_TUNED,
    UCT,
    WINDOW,
    new_tree,
)
from dupai.base import ConfigError, Rng, check_between
from dupai.games import CHANCE as DEALS, OVER, Game, Policy, walk

F64 = npt.NDArray[np.float64]

#: Rules at our own nodes by name.
SELECTIONS = {"uct": UCT, "ucb-tuned": UCB_TUNED, "thompson": THOMPSON}


class _Written(NamedTuple):
    """A game as arrays, by state: ``kind`` of node for us; ``first`` entry of ``child`` and ``chance`` (probabilities
    where it is not our turn), one more at the end; ``seen``: number of what we know; ``payoffs`` ``float64[n, p]``."""

    kind: np.ndarray
    first: np.ndarray
    child: np.ndarray
    chance: np.ndarray
    seen: np.ndarray
    payoffs: np.ndarray


class GameSearch:
    """Tree search for one player of a small game whose opponents' policies are known: the tree, the selection and the
    determinisation of the agent ``mcts``, with opponent nodes that follow the policies.

    Where an opponent is to move, or cards are dealt, the simulation knows what everybody holds; the tree only knows
    what the player knows. So its value cannot be better than the best response's, and with simulations it gets there.

    Args:
        game: with perfect recall.
        policies: one for each player (the searching one's is not looked at).
        player: who searches.
        selection, c: as the options of the agent; C counts in the game's largest payoff.
        information: search from what the player knows after some of the hand; default: from the game's root. What
            opponents did on the way is then read by Bayes from their policies.
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
            raise ConfigError(f"player {player}: {game.name} has {game.players}")
        if len(policies) != game.players:
            raise ConfigError(f"{len(policies)} policies: {game.name} has {game.players} players")
        if selection not in SELECTIONS:
            raise ConfigError(f"selection={selection!r}: expected one of {', '.join(SELECTIONS)}")
        check_between("c", c, 0.0, None)
        self._player = player
        self._game, self._start, self._weights = _written(game, policies, player, information)
        self._flags = np.zeros(FLAGS, np.int64)
        self._flags[ME] = player
        self._flags[SELECTION] = SELECTIONS[selection]
        self._flags[WINDOW] = 1
        self._reals = np.array([c, float(np.abs(self._game.payoffs).max()), 1.0])
        self._tree = new_tree(nodes, game.players)
        begin_kernel(self._tree, np.int64(self._game.kind[self._start[0]]))
        self._path = np.zeros(4096, np.int64)
        self._won = np.zeros(game.players)

    def run(self, simulations: int, rng: Rng) -> None:
        """So many more simulations (about 10 million a second)."""
        small_search_kernel(
            self._tree,
            self._game,
            self._flags,
            self._reals,
            self._start,
            self._weights,
            self._path,
            self._won,
            simulations,
            rng.state,
        )

    @property
    def simulations(self) -> int:
        """How many there were."""
        return int(self._tree.visits[0])

    @property
    def value(self) -> float:
        """What the player won on average over all simulations, trials of bad actions and all: the value of the root."""
        return float(self._tree.value[0, self._player] / max(self.simulations, 1))

    @property
    def line_value(self) -> float:
        """The root's value reconstructed from below: at our nodes that of the most visited child, elsewhere the mean of
        the children weighted by their visits. What was lost by trying other actions is not in it."""
        tree, n = self._tree, int(self._tree.used[0])
        visits = tree.visits[:n]
        value = tree.value[:n, self._player] / np.maximum(visits, 1)
        weighted, seen, most = np.zeros(n), np.zeros(n, np.int64), np.zeros(n, np.int64)
        for node in range(n - 1, -1, -1):
            if seen[node]:
                # Simulations that ended here when it was new belong to no child.
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
) -> tuple[_Written, npt.NDArray[np.int64], F64]:
    """The arrays of a game; states of the root's information set, and running sums of their weights."""
    number: dict[Any, int] = {}
    reach: list[float] = []
    for state in walk(game):
        number[state] = len(number)
        reach.append(1.0 if len(number) == 1 else 0.0)
    kinds, firsts, seen, payoffs = [], [0], [], []
    children: list[int] = []
    chances: list[float] = []
    known: dict[Hashable, int] = {}
    start: list[int] = []
    for state, i in number.items():
        who = game.actor(state)
        kinds.append({DEALS: CHANCE, OVER: LEAF, player: DECISION}.get(who, OPPONENT))
        knows = game.information(state, player)
        seen.append(known.setdefault(knows, len(known)))
        if information is not None and who == player and knows == information and reach[i] > 0:
            start.append(i)
        actions = game.actions(state)
        if who in (player, OVER):
            p: Sequence[float] = (1.0,) * len(actions)
        else:
            p = game.chances(state) if who == DEALS else policies[who](game.information(state, who), actions)
        for action, chance in zip(actions, p, strict=True):
            k = number[game.child(state, action)]
            children.append(k)
            chances.append(chance)
            reach[k] += reach[i] * chance
        firsts.append(len(children))
        payoffs.append(game.payoffs(state) if who == OVER else (0.0,) * game.players)
    if information is None:
        start = [0]
    if not start:
        raise ConfigError(f"information {information!r}: the player never decides there")
    written = _Written(
        np.array(kinds, np.int64),
        np.array(firsts, np.int64),
        np.array(children, np.int64),
        np.array(chances),
        np.array(seen, np.int64),
        np.array(payoffs),
    )
    return written, np.array(start, np.int64), np.cumsum([reach[i] for i in start])
