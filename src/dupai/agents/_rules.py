"""The ``rules`` agent: rate of return, a table of chances, stack protection ("Programming Poker AI")."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Literal

from dupai.agents._kernels import raise_span_kernel, return_kernel, rules_act_kernel, rules_policy_kernel
from dupai.agents._layout import DEALS, FREE_AS_BET, LOOSENESS, RAISE_ODDS, RESERVE, SAFE, SIZE
from dupai.agents._rates import MOST_DEALS, WinRateAgent, chosen, rate_reason
from dupai.agents._simple import spread
from dupai.base import Option, Rng, check_between
from dupai.rules import Action, View
from dupai.spots import SIZE_HELP, ActionDistribution, size_text

_NAMED = {
    "neutral": (0.0, 0.0),
    "tight": (0.5, 0.0),
    "loose": (-0.5, 0.0),
    "aggressive": (0.0, 0.5),
    "passive": (0.0, -0.5),
    "tight-aggressive": (0.5, 0.5),
    "tight-passive": (0.5, -0.5),
    "loose-aggressive": (-0.5, 0.5),
    "loose-passive": (-0.5, -0.5),
}
Personality = Literal[
    "neutral",
    "tight",
    "loose",
    "aggressive",
    "passive",
    "tight-aggressive",
    "tight-passive",
    "loose-aggressive",
    "loose-passive",
]


class RulesAgent(WinRateAgent):
    """Rate of return against a table of chances, with stack protection (as "Programming Poker AI" plays).

    Win rate ``I`` against uniform hands of everybody who has not folded; pot odds = to_call / (to_call + pot), where
    the pot holds every chip already in, the bet faced too; RR = I / pot odds. The table: RR < 0.8: fold 95 %, raise
    5 %; < 1.0: fold 80, call 5, raise 15; < 1.3: call 60, raise 40; else call 30, raise 70. Stack protection folds
    where the call would leave fewer than ``reserve`` big blinds and I is below ``safe``. A fold where calling is free
    is a check.

    What the paper leaves open: where calling is free RR is infinite, the last row (``free=raise``), or is counted as
    if a bet of one big blind had to be called (``free=bet``); a raise is by half the pot; where no raise is
    allowed it becomes a call; protection looks at the price of a call only.

    Personalities shift the table in two directions that do not mix. ``tight`` moves its limits: they are multiplied by
    2 ** tight, so that a tight player wants a better return for the same action. ``aggressive`` multiplies the odds
    of a raise by 4 ** aggressive and leaves fold and call in their proportion. Named ones are 0.5 either way.
    """

    def __init__(
        self,
        personality: Annotated[Personality, Option("named values of tight and aggressive")] = "neutral",
        tight: Annotated[float | None, Option("limits of RR times 2**tight; negative is loose", -4.0, 4.0)] = None,
        aggressive: Annotated[
            float | None, Option("odds of a raise times 4**aggressive; negative is passive", -4.0, 4.0)
        ] = None,
        size: Annotated[str, Option(SIZE_HELP)] = "half",
        protect: Annotated[bool, Option("stack protection")] = True,
        reserve: Annotated[float, Option("protection: big blinds that a call has to leave", 0.0)] = 4.0,
        safe: Annotated[float, Option("protection: win rate that needs none", 0.0, 1.0)] = 0.5,
        free: Annotated[
            Literal["raise", "bet"],
            Option("RR when calling is free: infinite (raise), or as for a bet of one big blind (bet)"),
        ] = "raise",
        deals: Annotated[int, Option("deals of a win rate against two or more opponents", 1, MOST_DEALS)] = 1000,
    ) -> None:
        super().__init__(size, deals)
        named = _NAMED[personality]
        tight = named[0] if tight is None else tight
        aggressive = named[1] if aggressive is None else aggressive
        check_between("tight", tight, -4.0, 4.0)
        check_between("aggressive", aggressive, -4.0, 4.0)
        check_between("reserve", reserve, 0.0, None)
        check_between("safe", safe, 0.0, 1.0)
        p = self._parameters
        p[LOOSENESS] = 2.0**-tight
        p[RAISE_ODDS] = 4.0**aggressive
        # Nobody's stack is below a reserve of -1 chips.
        p[RESERVE] = reserve if protect else -math.inf
        p[SAFE] = safe
        p[FREE_AS_BET] = free == "bet"

    def act(self, view: View, rng: Rng) -> Action:
        _, to_call, min_to, max_to = view.legal
        code = rules_act_kernel(
            self._table,
            view.state,
            to_call,
            min_to,
            max_to,
            view.spec.big_blind,
            self._parameters,
            self._memo,
            rng.state,
        )
        return chosen(code, view)

    def policy(self, view: View) -> ActionDistribution:
        return self.policy_for(view, self.win_rate(view))

    def policy_for(self, view: View, rate: float) -> ActionDistribution:
        """The policy in ``view`` if the win rate were ``rate``."""
        legal = view.legal
        p = self._parameters
        state = view.state[0]
        pot, stack = view.pot, int(state["stack"][view.actor])
        fold, call, bet = rules_policy_kernel(rate, legal.to_call, pot, stack, legal.max_to, view.spec.big_blind, p)
        mine = int(state["total"][view.actor])
        lo, hi = raise_span_kernel(p[SIZE], mine, legal.to_call, pot, legal.min_to, legal.max_to)
        return spread(fold, call, bet, lo, hi)

    def numbers(self, view: View) -> Mapping[str, float]:
        rate = self.win_rate(view)
        free_as_bet = bool(self._parameters[FREE_AS_BET])
        rr = float(return_kernel(rate, view.to_call, view.pot, view.spec.big_blind, free_as_bet))
        odds = view.to_call / (view.to_call + view.pot) if view.to_call else 0.0
        return {"win_rate": rate, "pot_odds": odds, "rate_of_return": rr}

    def reasons(self, view: View) -> tuple[str, ...]:
        rate, odds, rr = self.numbers(view).values()
        p = self._parameters
        said = [rate_reason(view, rate, int(p[DEALS]))]
        if view.to_call:
            said.append(
                f"pot odds {odds:.4f} ({view.to_call} to call, pot {view.pot}), so the rate of return is {rr:.2f}"
            )
        elif math.isinf(rr):
            said.append("calling is free, so the rate of return is infinite")
        else:
            said.append(f"calling is free; counted as a bet of one big blind the rate of return is {rr:.2f}")
        limits = [limit / p[LOOSENESS] for limit in (0.8, 1.0, 1.3)]
        words = ("far too small: fold or bluff", "too small: mostly fold", "worth a call", "worth a raise")
        row = sum(rr * p[LOOSENESS] >= limit for limit in (0.8, 1.0, 1.3))
        said.append(f"the limits are {', '.join(f'{x:.2f}' for x in limits)}: {words[row]}")
        stack = int(view.state["stack"][0, view.actor])
        if stack - view.to_call < p[RESERVE] * view.spec.big_blind and rate < p[SAFE]:
            said.append(
                f"stack protection: a call would leave {stack - view.to_call}, below {p[RESERVE]:g} big blinds of "
                f"{view.spec.big_blind}, and the win rate is below {p[SAFE]:g}: fold"
            )
        if p[RAISE_ODDS] != 1.0:
            said.append(f"personality: the odds of a raise are multiplied by {p[RAISE_ODDS]:.2g}")
        if not view.legal.fold:
            said.append("there is nothing to fold to: a fold becomes a check")
        if not view.legal.can_raise:
            said.append("no raise is allowed here: it becomes a call")
        else:
            said.append(f"size of a raise: {size_text(p[SIZE])}")
        return tuple(said)
