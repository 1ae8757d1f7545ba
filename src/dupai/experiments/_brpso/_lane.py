"""The fast lane: a heads-up match against a style in one kernel, hand for hand as the arena plays it."""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from dupai.agents import Agent, MatchInfo, Seat, make_agent
from dupai.agents.rules import RulesAgent, Style
from dupai.agents.swarm import MAX_ACTIONS, Risk, Swarm, class_equity
from dupai.base import ConfigError, NoProgress, Progress
from dupai.base.arrays import F64, I64
from dupai.base.specs import check_between
from dupai.equity import load_win_rate_table
from dupai.experiments._brpso._kernels import lane_kernel
from dupai.rules import STATE_DTYPE, GameSpec

#: Hands of one call of the kernel: well below 100 ms.
_SLICE = 4000


class Tables(namedtuple("Tables", "rates classes")):
    """Win rates, and equities of starting hands by class (``float64[169, 169]``)."""


class Place(namedtuple("Place", "seed match first chair")):
    """Seed and number of the match, number of the first hand (the arena counts from 1), and our chair."""


class Player(namedtuple("Player", "rules swarm config parameters")):
    """Our player: a swarm with its settings, or, if ``rules``, the ``rules`` agent with its parameters."""


class StylePlayer(namedtuple("StylePlayer", "alpha beta parameters")):
    """The opponent, as ``style_act_kernel`` takes it."""


class Work(namedtuple("Work", "ours theirs s again log")):
    """Scratch: last win rates of both (``MEMO_DTYPE[1]``), two hands (``STATE_DTYPE[1]``), ``int64[2, n]`` actions."""


class FastLane:
    """A heads-up no-limit match under ACPC rules between ``swarm``, ``risk`` or ``rules`` and a ``style``.

    It plays the same hands as ``dupai match PLAYER STYLE`` with the same seed, from the same random streams. The
    opponent may be exchanged between two calls of :meth:`play` (:attr:`opponent`).

    Args:
        player: spec or agent: a :class:`Swarm` (it continues from its state), a :class:`Risk` or the ``rules`` agent.
        opponent: spec or agent of a style.
        seed, match: as in the arena.
        chair: the player's, 0 or 1.
        blinds, stack: of the game.
        hands: length of the match, if the player is to know it.

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
        for key, value, most in (("seed", seed, 2**63 - 1), ("match", match, 2**32 - 1), ("chair", chair, 1)):
            check_between(key, value, 0, most)
        made = make_agent(player) if isinstance(player, str) else player
        if not isinstance(made, Swarm | Risk | RulesAgent):
            raise ConfigError(f"the fast lane cannot play {made!r}: expected swarm, risk or rules", key="player")
        self.player = made
        self.opponent = opponent
        self.played = 0
        self._place = Place(np.uint64(seed), match, 1, chair)
        # With the turn's part: win rates on the turn would otherwise be counted out, with the same result, 100 times
        # slower.
        self._tables = Tables(load_win_rate_table(True), class_equity())
        s, again = (np.zeros(1, STATE_DTYPE) for _ in range(2))
        log = np.zeros((2, MAX_ACTIONS), np.int64)
        self._work = Work(self.player.memo, self._opponent.memo, s, again, log)
        names = ("player", "style") if chair == 0 else ("style", "player")
        Seat(lambda: made).start(MatchInfo(spec=self.game, seat=chair, names=names, hands=hands))
        self._fixed = self.player.frozen() if isinstance(self.player, Risk) else (Swarm().swarm, Swarm().config)

    @property
    def opponent(self) -> Style:
        """The opponent from the next hand on."""
        return self._opponent

    @opponent.setter
    def opponent(self, agent: Agent | str) -> None:
        made = make_agent(agent) if isinstance(agent, str) else agent
        if not isinstance(made, Style):
            raise ConfigError(
                f"the fast lane plays against a style only, not {agent!r}: expected style:...", key="opponent"
            )
        if made.people:
            raise ConfigError(
                f"the fast lane has no sizes of people: {agent!r}; expected style:paper-...", key="opponent"
            )
        self._opponent = made

    @property
    def policy(self) -> F64:
        """The five numbers of a :class:`Risk` player (``float64[5]``); may be exchanged between calls of :meth:`play`.

        Raises:
            ConfigError: the player has no fixed policy.
        """
        return self._risk.x.copy()

    @policy.setter
    def policy(self, x: F64) -> None:
        self._risk.x = Risk("/".join(map(repr, np.asarray(x, np.float64).tolist()))).x
        self._fixed = self._risk.frozen()

    @property
    def _risk(self) -> Risk:
        if not isinstance(self.player, Risk):
            raise ConfigError(f"the policy of {type(self.player).__name__} is its own affair: expected a risk player")
        return self.player

    def play(self, hands: int, progress: Progress | None = None) -> I64:
        """The next hands; ``int64[hands]``, the player's winnings in 1/``game.split`` chips. Fewer when cancelled."""
        check_between("hands", hands, 0, 2**32 - 2 - self.played)
        watch = progress or NoProgress()
        out = np.zeros(hands, np.int64)
        swarm, config = (self.player.swarm, self.player.config) if isinstance(self.player, Swarm) else self._fixed
        player = Player(isinstance(self.player, RulesAgent), swarm, config, self.player.parameters)
        style = StylePlayer(self._opponent.alpha, self._opponent.beta, self._opponent.parameters)
        done = 0
        while done < hands and not watch.cancelled:
            part = out[done : done + _SLICE]
            place = self._place._replace(first=self.played + 1)
            wrong = lane_kernel(self._tables, self.game.array, place, player, style, self._work, part)
            if wrong >= 0:
                raise RuntimeError(f"hand {wrong} could not be played to its end")
            done += part.size
            self.played += part.size
            watch.report(done, hands)
        return out[:done]
