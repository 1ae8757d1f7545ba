"""The RLCard face: the same methods and dictionaries, without RLCard."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np

from dupai.base import F64, ConfigError
from dupai.env._encoder import Encoder
from dupai.env._table import EnvTable, GameSource, game_of, with_decisions


class HoldemRLCard:
    """Texas hold'em with the interface of ``rlcard.envs.Env``: agents written for RLCard play here as they are.

    A state has ``obs`` (see :class:`Encoder`), ``legal_actions`` (an ordered dictionary of indices), ``raw_obs`` (the
    player's :class:`~dupai.rules.View`), ``raw_legal_actions`` (names) and ``action_record``. A game is one hand;
    player ``k`` sits in seat ``k``, and positions rotate. Payoffs are in big blinds, as in RLCard.

    Args:
        players: 2 to 10; None: as the game has it.
        game, sizes, history: as for :class:`HoldemAEC`.
        seed: of the cards.

    Raises:
        ConfigError: a setting that makes no sense; a game in which blinds put everybody all-in.
    """

    def __init__(
        self,
        players: int | None = None,
        game: GameSource = None,
        *,
        sizes: Sequence[str] | None = None,
        history: int = 12,
        seed: int = 0,
    ) -> None:
        self.name = "dupai-holdem"
        self.encoder = Encoder(with_decisions(game_of(game, players)), sizes, history)
        self.num_players = self.encoder.spec.players
        self.num_actions = len(self.encoder.action_names)
        self.state_shape = [[self.encoder.size] for _ in range(self.num_players)]
        self.action_shape: list[None] = [None] * self.num_players
        self.agents: list[Any] = []
        self.timestep = 0
        self.seed(seed)

    def seed(self, seed: int | None = None) -> None:
        """Begin a new sequence of hands."""
        self._table = EnvTable(self.encoder, 0 if seed is None else seed)
        self._record: list[tuple[int, str]] = []

    def set_agents(self, agents: Sequence[Any]) -> None:
        """The agents of :meth:`run`: each has ``step(state)``, ``eval_step(state)`` and ``use_raw``.

        Raises:
            ConfigError: another number than there are players.
        """
        if len(agents) != self.num_players:
            raise ConfigError(f"{len(agents)} agents: expected {self.num_players}", key="agents")
        self.agents = list(agents)

    def reset(self) -> tuple[dict[str, Any], int]:
        """Deal a hand; the first state and its player."""
        self._record = []
        self._table.deal()
        return self.get_state(self.get_player_id()), self.get_player_id()

    def step(self, action: Any, raw_action: bool = False) -> tuple[dict[str, Any], int]:
        """Play an action index (``raw_action``: its name); the next state and its player.

        Raises:
            RulesError: it is not legal.
        """
        state = self._table.state
        if raw_action and isinstance(action, str) and action in self.encoder.action_names:
            action = self.encoder.action_names.index(action)
        player = self.get_player_id()
        played = self.encoder.action(state, action)
        self._record.append((player, str(played)))
        self.timestep += 1
        state.apply(played)
        after = player if state.finished else self.get_player_id()
        return self.get_state(after), after

    def get_player_id(self) -> int:
        """Whose turn it is (0 when the hand is over)."""
        return self._table.acting_seat or 0

    def get_state(self, player_id: int) -> dict[str, Any]:
        """What a player sees."""
        state, position = self._table.state, self._table.position(player_id)
        legal = np.flatnonzero(self.encoder.mask(state, position)).tolist()
        return {
            "obs": self.encoder.observe(state, position),
            "legal_actions": OrderedDict.fromkeys(legal),
            "raw_obs": state.view(position),
            "raw_legal_actions": [self.encoder.action_names[index] for index in legal],
            "action_record": list(self._record),
        }

    def is_over(self) -> bool:
        """Whether the hand is over."""
        return self._table.state.finished

    def get_payoffs(self) -> F64:
        """What each player has won, ``float64[players]`` in big blinds."""
        return self._table.won() / 1000

    def run(self, is_training: bool = False) -> tuple[list[list[Any]], F64]:
        """Play one hand with the agents set: for each player their states and actions in turn, and the payoffs."""
        trajectories: list[list[Any]] = [[] for _ in range(self.num_players)]
        state, player = self.reset()
        trajectories[player].append(state)
        while not self.is_over():
            agent = self.agents[player]
            action = agent.step(state) if is_training else agent.eval_step(state)[0]
            trajectories[player].append(action)
            state, player = self.step(action, bool(agent.use_raw))
            if not self.is_over():
                trajectories[player].append(state)
        for seat in range(self.num_players):
            trajectories[seat].append(self.get_state(seat))
        return trajectories, self.get_payoffs()
