"""The ``rules`` agent: rate of return, a table of chances, stack protection ("Programming Poker AI")."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from dupai.agents._fold._rate import predicted_rate
from dupai.agents._kernels import return_kernel, rules_act_kernel, rules_policy_kernel
from dupai.agents._layout import FREE_AS_BET, LOOSENESS, RAISE_ODDS, RESERVE, SAFE
from dupai.agents._rates import DEALS_HELP, MAX_DEALS, WinRateAgent
from dupai.agents._sizes import size_reason
from dupai.base import Option, Rng
from dupai.base.arrays import F64
from dupai.base.specs import check_between
from dupai.cards import NO_CARD
from dupai.notation import Reason
from dupai.reading import load_reader, readings_to_draw
from dupai.rules import Action, View
from dupai.spots import SIZE_HELP, spots

Personality = Literal[
    "neutral", "tight", "loose", "aggressive", "passive", "tight-aggressive", "tight-passive", "loose-aggressive",
    "loose-passive",
]  # fmt: skip
#: What the table of chances mostly does, by row.
_VERDICTS = ("fold_or_bluff", "mostly_fold", "call_or_raise", "mostly_raise")
#: Position as looseness; share of the chips behind, up to the pot, that implied odds count as won.
_POSITION, _IMPLIED = 0.3, 0.25
#: The words of a personality as values of ``tight`` and ``aggressive``.
_TIGHT, _AGGRESSIVE = {"tight": 0.5, "loose": -0.5}, {"aggressive": 0.5, "passive": -0.5}


class RulesAgent(WinRateAgent):
    """Beginner's rules: rate of return against a table of chances, with stack protection ("Programming Poker AI").

    The win rate ``I`` is that against uniform hands of everybody who has not folded; pot odds = to_call / (to_call +
    pot), where the pot holds every chip already in that can be won, including the bet faced; RR = I / pot odds. The
    table: RR < 0.8: fold 95 %, raise 5 %; < 1.0: fold 80, call 5, raise 15; < 1.3: call 60, raise 40; else call 30,
    raise 70. Stack protection folds where the call would leave fewer than ``reserve`` big blinds and I is below
    ``safe``. A fold where calling is free is a check.

    Where calling is free, RR counts as if a bet of one big blind had to be called (``free=bet``): were it infinite
    (``free=raise``), no fold could become the check that the paper asks for. What the paper leaves open: a raise is by
    half the pot; where no raise is allowed it becomes a call; protection looks at the price of a call only.

    Three points of the paper's list of further work are options (``more``): ``implied`` counts a quarter of the chips
    behind, up to the pot, as won when facing a bet on flop or turn; ``position`` multiplies the limits of RR by
    2**-0.3 in position and 2**0.3 out of it; ``predict`` takes the win rate against the hands that the betting
    suggests, as the reader ``model`` reads strangers.

    A personality shifts the table in two independent directions. ``tight`` multiplies its limits by 2 ** tight, so
    that a tight player wants a better return for the same action. ``aggressive`` multiplies the odds of a raise by
    4 ** aggressive and leaves fold and call in their proportion. The named ones are 0.5 either way.
    """

    _kernel = staticmethod(rules_act_kernel)

    def __init__(
        self,
        personality: Annotated[Personality, Option("named values of tight and aggressive")] = "neutral",
        tight: Annotated[float | None, Option("limits of RR times 2**tight; negative is loose", -4.0, 4.0)] = None,
        aggressive: Annotated[
            float | None, Option("odds of a raise times 4**aggressive; negative is passive", -4.0, 4.0)
        ] = None,
        size: Annotated[str, Option(SIZE_HELP)] = "half",
        protect: Annotated[bool, Option("stack protection")] = True,
        reserve: Annotated[float, Option("protection: big blinds that a call has to leave", 0.0, hidden=True)] = 4.0,
        safe: Annotated[float, Option("protection: win rate that needs none", 0.0, 1.0, hidden=True)] = 0.5,
        free: Annotated[
            Literal["raise", "bet"],
            Option("RR when calling is free: infinite (raise), or as for a bet of one big blind (bet)", hidden=True),
        ] = "bet",
        more: Annotated[
            Literal["none", "implied", "position", "predict"], Option("a point of the further work", hidden=True)
        ] = "none",
        deals: Annotated[int, Option(DEALS_HELP, 1, MAX_DEALS)] = 1000,
    ) -> None:
        super().__init__(size, deals)
        words = personality.split("-")
        tight = sum(_TIGHT.get(word, 0.0) for word in words) if tight is None else tight
        aggressive = sum(_AGGRESSIVE.get(word, 0.0) for word in words) if aggressive is None else aggressive
        for key, value, low, high in (("tight", tight, -4.0, 4.0), ("aggressive", aggressive, -4.0, 4.0),
                                      ("reserve", reserve, 0.0, None), ("safe", safe, 0.0, 1.0)):  # fmt: skip
            check_between(key, value, low, high)
        p = self.parameters
        p[LOOSENESS] = 2.0**-tight
        p[RAISE_ODDS] = 4.0**aggressive
        # Nobody's stack is below a reserve of -inf big blinds.
        p[RESERVE] = reserve if protect else -math.inf
        p[SAFE] = safe
        p[FREE_AS_BET] = free == "bet"
        self._more = more
        # It is shown no finished hands and no names, so that what it says depends on the view alone.
        self._reader = load_reader("model") if more == "predict" else None

    def win_rate(self, view: View) -> float:
        if self._reader is None or NO_CARD in view.hole:
            return super().win_rate(view)
        readings = list(readings_to_draw(self._reader, view).values())
        return predicted_rate(view.hole, view.board, readings, self.deals)

    def rate_reason(self, view: View, rate: float) -> Reason:
        if self._reader is None:
            return super().rate_reason(view, rate)
        others = view.folded.count(False) - 1
        if others == 1:
            return Reason("win_rate_read_one", {"rate": rate})
        return Reason("win_rate_read_many", {"rate": rate, "opponents": others})

    def act(self, view: View, rng: Rng) -> Action:
        return super().act(view, rng) if self._reader is None else self.policy(view).sample(rng)

    def _here(self, view: View) -> F64:
        """The parameters in a spot: position and implied odds raise the return as looseness does."""
        times = 1.0
        if self._more == "position":
            times = 2.0 ** (_POSITION if spots(view)[-1]["after"] == 0 else -_POSITION)
        elif self._more == "implied" and view.street in (1, 2) and view.to_call:
            behind = max((s for k, s in enumerate(view.stacks) if k != view.actor and not view.folded[k]), default=0)
            more = _IMPLIED * min(behind, view.stacks[view.actor], view.winnable)
            times = 1.0 + more / (view.to_call + view.winnable)
        if times == 1.0:
            return self.parameters
        here = self.parameters.copy()
        here[LOOSENESS] *= times
        return here

    def _kernel_settings(self, view: View) -> tuple[Any, ...]:
        return view.spec.big_blind, self._here(view)

    def _masses(self, view: View, rate: float) -> tuple[float, float, float]:
        legal, stack = view.legal, int(view.state["stack"][0, view.actor])
        return rules_policy_kernel(  # type: ignore[no-any-return]
            rate, legal.to_call, view.winnable, stack, legal.max_to, view.spec.big_blind, self._here(view)
        )

    def numbers(self, view: View) -> Mapping[str, float]:
        rate = self.win_rate(view)
        free_as_bet = bool(self.parameters[FREE_AS_BET])
        rr = float(return_kernel(rate, view.to_call, view.winnable, view.spec.big_blind, free_as_bet))
        odds = view.to_call / (view.to_call + view.winnable) if view.to_call else 0.0
        return {"win_rate": rate, "pot_odds": odds, "rate_of_return": rr}

    def reasons(self, view: View) -> tuple[Reason, ...]:
        rate, odds, rr = self.numbers(view).values()
        p = self._here(view)
        about = self.rate_reason(view, rate)
        check = () if view.legal.fold else (Reason("fold_is_check"),)
        left = int(view.state["stack"][0, view.actor]) - view.to_call
        if left < p[RESERVE] * view.spec.big_blind and rate < p[SAFE]:
            # Whatever the table says: it folds.
            values = {"left": left, "blinds": float(p[RESERVE]), "safe": float(p[SAFE])}
            return about, Reason("stack_protection", values), *check
        row = sum(rr * p[LOOSENESS] >= limit for limit in (0.8, 1.0, 1.3))
        verdict = _VERDICTS[row]
        reasons = [about]
        if view.to_call:
            reasons.append(Reason("price", {"rate": rate, "needs": odds, "verdict": verdict}))
        else:
            reasons.append(Reason("free" if math.isinf(rr) else "free_as_bet", {"verdict": verdict}))
        if p[LOOSENESS] != 1.0:
            reasons.append(Reason("asks_other_return", {"times": 1.0 / float(p[LOOSENESS])}))
        if p[RAISE_ODDS] != 1.0:
            reasons.append(Reason("raises_other_share", {"times": float(p[RAISE_ODDS])}))
        if row < 2:  # the other rows of the table have no fold
            reasons.extend(check)
        return (*reasons, size_reason(view, self.size))
