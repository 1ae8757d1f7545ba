"""What agents that play by their win rate have in common."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from dupai.agents._kernels import view_win_rate_kernel
from dupai.agents._layout import DEALS, MEMO_DTYPE, PARAMETERS, SIZE
from dupai.agents._protocol import MatchInfo, PolicyAgent
from dupai.base import AgentError, check_between
from dupai.equity import WinRateTable, load_win_rate_table
from dupai.rules import CALL, FOLD, RAISE, Action, View
from dupai.spots import size_code

#: Most deals a decision may take; more is a slip of the pen.
MOST_DEALS = 10_000_000
ACTIONS = (Action(FOLD), Action(CALL))


class WinRateAgent(PolicyAgent):
    """Plays by the chance to win against the uniform hands of everybody who has not folded.

    Against one opponent that is read from the win-rate table; where the turn's part of it has not been built, a turn
    is counted out (some 50 µs) with the same result. Against more it comes from ``deals`` random deals whose stream is
    seeded by the cards seen, so that the policy is a function of the view and equal on every machine.
    """

    stateless: ClassVar[bool] = True

    def __init__(self, size: str | float, deals: int) -> None:
        check_between("deals", deals, 1, MOST_DEALS)
        self._parameters = np.zeros(PARAMETERS)
        self._parameters[SIZE] = size_code(size)
        self._parameters[DEALS] = deals
        self._memo: Any = np.zeros(1, MEMO_DTYPE)
        self._loaded: WinRateTable | None = None

    def start(self, match: MatchInfo) -> None:
        self._loaded = load_win_rate_table(None)

    @property
    def _table(self) -> WinRateTable:
        if self._loaded is None:
            self._loaded = load_win_rate_table(None)
        return self._loaded

    def win_rate(self, view: View) -> float:
        """Chance that the actor of ``view`` wins, ties shared.

        Raises:
            AgentError: the view does not show the actor's own cards.
        """
        rate = float(view_win_rate_kernel(self._table, view.state, int(self._parameters[DEALS]), self._memo))
        if rate < 0.0:
            raise blind(view)
        return rate


def blind(view: View) -> AgentError:
    """The error of an agent that is asked without seeing the actor's cards, or when nobody is to act."""
    if view.actor < 0:
        return AgentError("the hand is over: there is nothing to decide")
    return AgentError(f"position {view.actor} is to act, and the view does not show its hole cards or the board")


def chosen(code: int, view: View) -> Action:
    """The action that a kernel answered with.

    Raises:
        AgentError: it could not decide.
    """
    if code < 0:
        raise blind(view)
    kind = code & 3
    return Action(RAISE, code >> 2) if kind == RAISE else ACTIONS[kind]


def rate_reason(view: View, rate: float, deals: int) -> str:
    """Where a win rate comes from, for people."""
    opponents = view.folded.count(False) - 1
    if opponents == 1:
        return f"win rate {rate:.3f} against one random hand (exact)"
    error = (rate * (1.0 - rate) / deals) ** 0.5
    return f"win rate {rate:.3f} ± {error:.3f} against {opponents} random hands ({deals:,} deals)"
