"""Scout: pays what a hand is worth. An example of an agent that lives in a package of its own."""

from __future__ import annotations

from typing import Annotated

from dupai.agents import Option, PolicyAgent
from dupai.equity import win_rate
from dupai.notation import Reason
from dupai.rules import Action, View
from dupai.spots import ActionDistribution


class Scout(PolicyAgent):
    """Calls when the win rate is worth the price, bets strong hands most of the time."""

    def __init__(
        self,
        margin: Annotated[float, Option("win rate wanted above the pot odds", -0.5, 0.5)] = 0.02,
        bet: Annotated[float, Option("chance to bet a strong hand", 0.0, 1.0)] = 0.8,
    ) -> None:
        self._margin = margin
        self._bet = bet

    def _rate(self, view: View) -> float:
        # Against several opponents at once: as if they were beaten one by one.
        opponents = view.folded.count(False) - 1
        return win_rate(view.hole, view.board) ** opponents

    def policy(self, view: View) -> ActionDistribution:
        rate = self._rate(view)
        legal = view.legal
        opponents = view.folded.count(False) - 1
        if rate > 1.3 / (opponents + 1) and legal.can_raise:
            to = view.contributions[view.actor] + legal.to_call + (view.pot + legal.to_call) // 2
            return ActionDistribution(((Action.call(), 1 - self._bet), (legal.closest_raise(to), self._bet)))
        if not legal.fold or rate >= legal.to_call / (legal.to_call + view.pot) + self._margin:
            return ActionDistribution.certain(Action.call())
        return ActionDistribution.certain(Action.fold())

    def reasons(self, view: View) -> tuple[Reason, ...]:
        text = f"You have {self._rate(view):.0%}, with {view.to_call} to call into a pot of {view.pot}"
        return (Reason("win_rate_against_all", text=text),)
