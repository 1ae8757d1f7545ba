"""The fast lane: a heads-up match against a style in one kernel, hand for hand as the arena plays it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from dupai.agents._layout import MEMO_DTYPE, PARAMETERS
from dupai.agents._protocol import Agent, MatchInfo
from dupai.agents._registry import make_agent
from dupai.agents._rules import RulesAgent
from dupai.agents._style import Style
from dupai.agents._swarm._agent import Risk, Swarm, class_equity
from dupai.agents._swarm._kernels.lane import lane_kernel
from dupai.agents._swarm._layout import CONFIG_DTYPE, MAX_ACTIONS, SWARM_DTYPE
from dupai.agents._swarm._options import F64, policy_of
from dupai.base import ConfigError, NoProgress, Progress, check_between
from dupai.equity import load_win_rate_table
from dupai.rules import STATE_DTYPE, GameSpec

I64 = npt.NDArray[np.int64]

#: Hands of one call of the kernel: well below 100 ms.
_SLICE = 4000


class FastLane:
    """A heads-up no-limit match under ACPC rules between ``swarm``, ``risk`` or ``rules`` and a ``style``.

    It gives the same hands as ``dupai match PLAYER STYLE`` with the same seed, from the same random streams. The
    opponent may be exchanged between two calls of :meth:`play` (:attr:`opponent`).

    Args:
        player: spec or agent: a :class:`Swarm` (it goes on from where it is), a :class:`Risk` or the ``rules`` agent.
        opponent: spec or agent of a style.
        seed, match: as the arena has them.
        chair: the player's, 0 or 1.
        blinds, stack: of the game.
        hands: length of the match if it is to be known to the player.

    Raises:
        ConfigError: another kind of agent.
    """

    def __init__(
        self,
        player: Agent | str,
        opponent: Agent | str,
        *,
        seed: int = 0,
        match: int = 0,
        chair: int = 0,
        blinds: tuple[int, int] = (50, 100),
        stack: int = 20_000,
        hands: int | None = None,
    ) -> None:
        self.game = GameSpec.no_limit(2, blinds, stack, odd_chips="acpc", min_raise="acpc")
        check_between("seed", seed, 0, 2**63 - 1)
        check_between("match", match, 0, 2**32 - 1)
        check_between("chair", chair, 0, 1)
        self.player = make_agent(player) if isinstance(player, str) else player
        self.opponent = opponent
        self.played = 0
        self._seed = np.uint64(seed)
        self._match = match
        self._chair = chair
        # With the turn, which would otherwise be counted out with the same result, a hundred times slower.
        self._table = load_win_rate_table(True)
        self._memo: Any = np.zeros(2, MEMO_DTYPE)
        self._states: tuple[Any, Any] = (np.zeros(1, STATE_DTYPE), np.zeros(1, STATE_DTYPE))
        self._log = np.zeros((2, MAX_ACTIONS), np.int64)
        names = ("player", "style") if chair == 0 else ("style", "player")
        self.player.start(MatchInfo(spec=self.game, seat=chair, names=names, hands=hands))
        self._fixed: Any = np.zeros(1, SWARM_DTYPE)
        self._fixed_config: Any = np.zeros(1, CONFIG_DTYPE)
        self._rules = isinstance(self.player, RulesAgent)
        self._params = np.zeros(PARAMETERS)
        if isinstance(self.player, Risk):
            self._fixed[0]["ready"] = 1
            self._fixed[0]["x"][0] = self.player.x
            g = self._fixed_config[0]
            g["particles"], g["frozen"] = 1, 1
            g["size"], g["deals"] = self.player._parameters[0], int(self.player._parameters[1])
        elif isinstance(self.player, RulesAgent):
            self._params = self.player._parameters
        elif not isinstance(self.player, Swarm):
            raise ConfigError(f"the fast lane cannot play {self.player!r}: expected swarm, risk or rules")

    @property
    def opponent(self) -> Style:
        """Who plays against us from the next hand on."""
        return self._opponent

    @opponent.setter
    def opponent(self, agent: Agent | str) -> None:
        made = make_agent(agent) if isinstance(agent, str) else agent
        if not isinstance(made, Style):
            raise ConfigError(f"the fast lane plays against a style only, not {agent!r}: expected style:...")
        self._opponent = made

    @property
    def policy(self) -> F64:
        """The five numbers of a :class:`Risk` player (``float64[5]``); may be exchanged between two calls of
        :meth:`play`."""
        x: F64 = self._fixed[0]["x"][0].copy()
        return x

    @policy.setter
    def policy(self, x: F64) -> None:
        if not isinstance(self.player, Risk):
            raise ConfigError(f"the policy of {type(self.player).__name__} is its own affair: expected a risk player")
        self.player.x = policy_of("/".join(map(repr, np.asarray(x, np.float64).tolist())))
        self._fixed[0]["x"][0] = self.player.x

    def play(self, hands: int, progress: Progress | None = None) -> I64:
        """The next hands; ``int64[hands]``, what the player won in 1/``game.split`` chips. Fewer when cancelled."""
        check_between("hands", hands, 0, 2**32 - 2 - self.played)
        watch = progress or NoProgress()
        out = np.zeros(hands, np.int64)
        swarm, config = self._fixed, self._fixed_config
        if isinstance(self.player, Swarm):
            swarm, config = self.player.swarm, self.player.config
        s, again = self._states
        done = 0
        while done < hands and not watch.cancelled:
            part = out[done : done + _SLICE]
            wrong = lane_kernel(
                self._table,
                class_equity(),
                self.game.array,
                self._seed,
                self._match,
                self.played + 1,
                self._chair,
                swarm,
                config,
                int(self._rules),
                self._params,
                self._opponent.alpha,
                self._opponent.beta,
                self._opponent._parameters,
                self._memo,
                s,
                again,
                self._log,
                part,
            )
            if wrong >= 0:
                raise RuntimeError(f"hand {wrong} could not be played to its end")
            done += part.size
            self.played += part.size
            watch.report(done, hands)
        return out[:done]
