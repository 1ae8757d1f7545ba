"""The Gymnasium face: one learner against agents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dupai.base import ConfigError, MissingPackage
from dupai.base.text import labels_of
from dupai.env._encoder import Encoder
from dupai.env._table import AgentSource, EnvTable, GameSource, Opponents, game_of, positive, shown, with_decisions
from dupai.rules import View

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise MissingPackage(error.name or "gymnasium", "env", "the Gymnasium environment") from None


class HoldemGym(gymnasium.Env):  # type: ignore[misc]
    """Texas hold'em against agents as a Gymnasium environment: the learner sits in seat 0, the agents in the others.

    An observation is ``float32`` (see :class:`Encoder`); legal actions are in ``info["action_mask"]`` and
    :meth:`action_masks` (the name that sb3-contrib's MaskablePPO looks for). The reward is what the learner has won
    since its last decision in mbb: the sum of rewards by ``info["hands"]`` is the win rate in mbb/hand.

    An environment is a match: ``reset(seed=s)`` begins a new one with fresh agents and the cards of
    ``dupai.play(..., seed=s)``; ``reset()`` deals the next hand of the same match, so agents that learn go on learning.
    An episode is so many ``hands``, also those in which the learner has nothing to decide (everybody folds to its big
    blind). Where all of them pass before its first decision, more are dealt; what these bring belongs to the first
    reward.

    Args:
        opponents: one agent or several: specs such as ``"style:LA"``, or factories.
        game: a :class:`~dupai.rules.GameSpec`, or the name or file of an ACPC game; None: no-limit, blinds 50/100,
            stacks of 20,000.
        sizes: raise sizes, as ``("33%", "pot", "a")``.
        hands: hands of an episode.
        history: how many actions an observation remembers.
        illegal: what an action does that the mask rules out: ``"nearest"`` plays the nearest legal one and counts it in
            ``info["illegal"]``; ``"raise"`` raises an error.
        render_mode: ``"ansi"`` (:meth:`render` returns text) or ``"human"`` (it is printed).

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense; a game without decisions.
        MissingPackage: Gymnasium is not installed.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        opponents: AgentSource | Sequence[AgentSource] = "rules",
        game: GameSource = None,
        *,
        sizes: Sequence[str] | None = None,
        hands: int = 1,
        history: int = 12,
        illegal: str = "nearest",
        render_mode: str | None = None,
    ) -> None:
        sources = [opponents] if isinstance(opponents, str) or callable(opponents) else list(opponents)
        if illegal not in ("nearest", "raise"):
            raise ConfigError(f"illegal = {illegal!r}: expected 'nearest' or 'raise'", key="illegal")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ConfigError(f"render_mode = {render_mode!r}: expected 'ansi' or 'human'", key="render_mode")
        self.encoder = Encoder(with_decisions(game_of(game, len(sources) + 1)), sizes, history)
        self.hands, self.render_mode, self._nearest = positive("hands", hands), render_mode, illegal == "nearest"
        self._sources = dict(enumerate(sources, 1))
        names = [s.strip() if isinstance(s, str) else getattr(s, "__name__", "agent") for s in sources]
        self._names = labels_of(["learner", *names])
        self.observation_space = spaces.Box(0.0, 1.0, (self.encoder.size,), np.float32)
        self.action_space = spaces.Discrete(len(self.encoder.action_names))
        self.table: EnvTable | None = None
        self._match(0)  # an agent that cannot be made is an error of the settings

    def _match(self, seed: int) -> None:
        self.close()
        self.opponents = Opponents(self._sources, self._names, self.encoder.spec, seed)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal the next hand, of a new match if there is a seed (see the class).

        Args:
            options: ``{"new_match": True}`` begins a new match without a seed.
        """
        super().reset(seed=seed)
        if seed is not None or self.table is None or (options or {}).get("new_match"):
            seed = int(self.np_random.integers(2**63)) if seed is None else seed
            self._match(seed)
            self.table = EnvTable(self.encoder, seed)
        self._episode_hands = self._illegal = 0
        self._carried = 0.0
        self._deal(self.table)
        while True:
            reward, over = self._advance(self.table)
            self._carried += reward
            if not over:
                return self._answer()
            self._deal(self.table)

    def _deal(self, table: EnvTable) -> None:
        table.deal()
        self.opponents.begin(table)

    def _advance(self, table: EnvTable) -> tuple[float, bool]:
        """Let the agents act until the learner is to act, or the episode is over; what the learner won meanwhile."""
        reward = 0.0
        while (seat := table.acting_seat) != 0:
            if seat is not None:
                self.opponents.act(table)
                continue
            reward += float(table.won()[0])
            self._episode_hands += 1
            self.opponents.observe(table)
            if self._episode_hands >= self.hands:
                return reward, True
            self._deal(table)
        return reward, False

    def _answer(self) -> tuple[Any, dict[str, Any]]:
        assert self.table is not None
        state, position = self.table.state, self.table.position(0)
        info = {
            "action_mask": self.encoder.mask(state, position),
            "hands": self._episode_hands,
            "illegal": self._illegal,
        }
        return self.encoder.observe(state, position), info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play an action index (or an :class:`~dupai.rules.Action`).

        Raises:
            RulesError: it is not legal (see ``illegal``), or there is no hand in play. AgentError: an opponent failed.
        """
        if self.table is None:
            raise gymnasium.error.ResetNeeded("call reset before step")
        state = self.table.state
        played = self.encoder.action(state, action, nearest=self._nearest)
        self._illegal += not isinstance(action, tuple) and not self.encoder.mask(state)[int(action)]
        state.apply(played)
        reward, over = self._advance(self.table)
        reward, self._carried = reward + self._carried, 0.0
        observation, info = self._answer()
        if self.render_mode == "human":
            self.render()
        return observation, reward, over, False, info

    @property
    def view(self) -> View:
        """What an agent of ours would see in the learner's seat."""
        assert self.table is not None, "call reset first"
        return self.table.state.view(self.table.position(0))

    def action_masks(self) -> Any:
        """``bool[actions]``: what is legal now."""
        assert self.table is not None, "call reset first"
        return self.encoder.mask(self.table.state, self.table.position(0)).astype(bool)

    def render(self) -> str | None:
        """The hand as text, as the learner sees it."""
        return shown("" if self.table is None else self.table.text(0), self.render_mode)

    def close(self) -> None:
        """The match is over."""
        if hasattr(self, "opponents"):
            self.opponents.close()
