"""The PettingZoo face: every seat is an agent of the learner's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dupai.base import ConfigError, MissingPackage
from dupai.env._encoder import Encoder
from dupai.env._table import EnvTable, GameSource, game_of, positive, shown

try:
    from gymnasium import spaces
    from gymnasium.utils.seeding import np_random
    from pettingzoo import AECEnv
except ImportError as error:
    raise MissingPackage(error.name or "pettingzoo", "env", "the PettingZoo environment") from None


class HoldemAEC(AECEnv):  # type: ignore[misc]
    """Texas hold'em as a PettingZoo AEC environment; agents are ``seat_0``, ``seat_1``, ...

    An episode is so many ``hands`` with stacks reset; positions rotate from hand to hand. An observation is a
    dictionary of ``observation`` (``float32``, see :class:`Encoder`) and ``action_mask`` (``int8``, 1: legal). The
    reward of a hand comes at its end: chips won in thousandths of a big blind (mbb).

    ``reset(seed=s)`` deals the cards of ``dupai.play(..., seed=s)``; without a seed every reset deals other cards,
    which follow from the last seed.

    Args:
        players: 2 to 10; None: as the game has it.
        game: a :class:`~dupai.rules.GameSpec`, or the name or file of an ACPC game; None: no-limit, blinds 50/100,
            stacks of 20,000.
        sizes: raise sizes, as ``("33%", "pot", "a")``.
        hands: hands of an episode.
        history: how many actions an observation remembers.
        render_mode: ``"ansi"`` (:meth:`render` returns text) or ``"human"`` (it is printed).

    Raises:
        ConfigError: a setting that makes no sense.
        MissingPackage: PettingZoo is not installed.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo's name
        "name": "dupai_holdem_v0", "render_modes": ["ansi", "human"], "is_parallelizable": False, "render_fps": 1,
    }  # fmt: skip

    def __init__(
        self,
        players: int | None = None,
        game: GameSource = None,
        *,
        sizes: Sequence[str] | None = None,
        hands: int = 1,
        history: int = 12,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ConfigError(f"render_mode = {render_mode!r}: expected 'ansi' or 'human'", key="render_mode")
        self.encoder = Encoder(game_of(game, players), sizes, history)
        self.hands, self.render_mode = positive("hands", hands), render_mode
        self.possible_agents = [f"seat_{k}" for k in range(self.encoder.spec.players)]
        self.agents: list[str] = []
        self._generator: np.random.Generator | None = None
        space = spaces.Dict(
            {
                "observation": spaces.Box(0.0, 1.0, (self.encoder.size,), np.float32),
                "action_mask": spaces.Box(0, 1, (len(self.encoder.action_names),), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {a: spaces.Discrete(len(self.encoder.action_names)) for a in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode (see the class)."""
        if seed is not None or self._generator is None:
            self._generator, first = np_random(seed)
            seed = int(first) % 2**63 if seed is None else seed
        else:
            seed = int(self._generator.integers(2**63))
        self.table = EnvTable(self.encoder, seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self.hands_played = 0
        self.table.deal()
        self._settle()
        self._accumulate_rewards()  # of hands that are over before anybody acts

    def _settle(self) -> None:
        """Pay finished hands out and deal on, until somebody is to act or the episode is over."""
        while (seat := self.table.acting_seat) is None:
            self.hands_played += 1
            for agent, won in zip(self.possible_agents, self.table.won().tolist(), strict=True):
                self.rewards[agent] += won
            if self.hands_played >= self.hands:
                self.terminations = dict.fromkeys(self.agents, True)
                return
            self.table.deal()
        self.agent_selection = self.possible_agents[seat]

    def observe(self, agent: str) -> dict[str, Any]:
        """What a seat observes; its mask is all 0 when it is not its turn."""
        position = self.table.position(self.possible_agents.index(agent))
        state = self.table.state
        return {
            "observation": self.encoder.observe(state, position),
            "action_mask": self.encoder.mask(state, position),
        }

    def step(self, action: Any) -> None:
        """Play an action index (or an :class:`~dupai.rules.Action`) of the agent selected.

        Raises:
            RulesError: it is not legal.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        state = self.table.state
        played = self.encoder.action(state, action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        state.apply(played)
        self._settle()
        self._accumulate_rewards()
        if self.terminations[agent]:
            self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The hand as text, with everybody's cards."""
        return shown(self.table.text(), self.render_mode)

    def close(self) -> None:
        """Nothing to release."""
