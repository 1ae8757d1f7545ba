"""What the agents that play by their win rate have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from dupai.agents._kernels import view_win_rate_kernel
from dupai.agents._layout import DEALS, MEMO_DTYPE, PARAMETERS, SIZE
from dupai.agents._protocol import MatchInfo, PolicyAgent
from dupai.agents._simple import raise_span, spread
from dupai.base import Z95, AgentError, Rng
from dupai.base.arrays import F64
from dupai.base.specs import check_between
from dupai.equity import WinRateTable, load_win_rate_table
from dupai.notation import Reason
from dupai.rules import CALL, FOLD, RAISE, Action, View
from dupai.spots import ActionDistribution, size_code

#: The most deals of a decision; more is a slip of the pen.
MAX_DEALS = 10_000_000
DEALS_HELP = "deals of a win rate against two or more opponents"
ACTIONS = (Action(FOLD), Action(CALL))


class WinRateAgent(PolicyAgent):
    """Plays by the chance to win against the uniform hands of everybody who has not folded.

    Against one opponent the win rate is read from a table; where the turn's part of the table has not been built, a
    turn is counted out (about 50 µs) with the same result. Against more it comes from ``deals`` random deals whose
    stream is seeded by the cards seen, so that the policy is a function of the view and equal on every machine.

    A subclass defines ``_masses``, the kernel ``_kernel`` that decides in one call, and ``_kernel_settings``, the
    arguments that this kernel takes between the legal actions and the memo.

    Attributes:
        size: the code of its raise size.
        deals: deals of a win rate against two or more opponents.
        parameters: ``float64``, numbered by ``_layout``.
        memo: ``MEMO_DTYPE[1]``, the last win rate.
    """

    stateless: ClassVar[bool] = True
    _kernel: ClassVar[Callable[..., Any]]

    def __init__(self, size: str | float, deals: int, other_sizes: tuple[str, ...] = ()) -> None:
        check_between("deals", deals, 1, MAX_DEALS)
        self.size = size_code(size, other_sizes)
        self.deals = deals
        self.parameters: F64 = np.zeros(PARAMETERS)
        self.parameters[SIZE], self.parameters[DEALS] = self.size, deals
        self.memo: Any = np.zeros(1, MEMO_DTYPE)
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
        rate = float(view_win_rate_kernel(self._table, view.state, self.deals, self.memo))
        if rate < 0.0:
            raise blind(view)
        return rate

    def act(self, view: View, rng: Rng) -> Action:
        _, to_call, low, high = view.legal
        return chosen(
            self._kernel(
                self._table, view.state, to_call, low, high, *self._kernel_settings(view), self.memo, rng.state
            ),
            view,
        )

    def policy(self, view: View) -> ActionDistribution:
        return self.policy_for(view, self.win_rate(view))

    def policy_for(self, view: View, rate: float) -> ActionDistribution:
        """The policy in ``view`` if the win rate were ``rate``."""
        return spread(*self._masses(view, rate), *raise_span(view, self.size))

    def _kernel_settings(self, view: View) -> tuple[Any, ...]:
        """The settings that the subclass's kernel takes after the legal actions."""
        raise NotImplementedError

    def _masses(self, view: View, rate: float) -> tuple[float, float, float]:
        """Probabilities of fold, call and raise."""
        raise NotImplementedError

    def rate_reason(self, view: View, rate: float) -> Reason:
        """The win rate, with half its 95 % interval where it is sampled."""
        opponents = view.folded.count(False) - 1
        if opponents == 1:
            return Reason("win_rate_one", {"rate": rate})
        error = Z95 * (rate * (1.0 - rate) / self.deals) ** 0.5
        return Reason("win_rate_many", {"rate": rate, "error": error, "opponents": opponents})


def blind(view: View) -> AgentError:
    """The error of an agent that is asked when nobody is to act, or that does not see the actor's cards."""
    if view.actor < 0:
        return AgentError("the hand is over: there is nothing to decide")
    return AgentError(f"position {view.actor} is to act, and the view does not show its hole cards or the board")


def chosen(code: int, view: View) -> Action:
    """The action that a kernel's answer stands for.

    Raises:
        AgentError: it could not decide.
    """
    if code < 0:
        raise blind(view)
    kind = code & 3
    return Action(RAISE, code >> 2) if kind == RAISE else ACTIONS[kind]
