"""The four styles: two thresholds on the win rate.

Source: Hu, Chen, Yuan, Li, Chen, "Online opponent exploitation method based on particle swarm optimization for Texas
Hold'em", Control and Decision (2024), the opponents of its experiment.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from dupai.agents._kernels import raise_span_kernel, style_act_kernel, style_policy_kernel
from dupai.agents._layout import DEALS, SIZE
from dupai.agents._rates import MOST_DEALS, WinRateAgent, chosen, rate_reason
from dupai.agents._simple import spread
from dupai.base import ConfigError, Option, Rng, check_between
from dupai.rules import Action, View
from dupai.spots import SIZE_HELP, ActionDistribution, size_text

#: (alpha, beta) of each style.
THRESHOLDS = {"LA": (0.30, 0.45), "LP": (0.30, 0.85), "TA": (0.55, 0.65), "TP": (0.55, 0.85)}


class Style(WinRateAgent):
    """Plays on from win rate alpha, raises from beta, else folds: LA, LP, TA or TP.

    Loose or tight, aggressive or passive: (alpha, beta) = LA (0.30, 0.45), LP (0.30, 0.85), TA (0.55, 0.65), TP (0.55,
    0.85). The win rate is that against uniform hands of everybody who has not folded; one that equals a threshold has
    reached it. It checks where checking is free, and calls where it would raise and may not. The paper does not
    give the raise size of the styles; the default is that of its own player, uniform from the smallest raise to all-in.
    """

    def __init__(
        self,
        name: Annotated[Literal["LA", "LP", "TA", "TP"], Option("which thresholds")] = "TA",
        alpha: Annotated[float | None, Option("win rate from which it plays on", 0.0, 1.0)] = None,
        beta: Annotated[float | None, Option("win rate from which it raises", 0.0, 1.0)] = None,
        size: Annotated[str, Option(SIZE_HELP)] = "random",
        deals: Annotated[int, Option("deals of a win rate against two or more opponents", 1, MOST_DEALS)] = 1000,
    ) -> None:
        super().__init__(size, deals)
        self.alpha = THRESHOLDS[name][0] if alpha is None else float(alpha)
        self.beta = THRESHOLDS[name][1] if beta is None else float(beta)
        check_between("alpha", self.alpha, 0.0, 1.0)
        check_between("beta", self.beta, 0.0, 1.0)
        if self.alpha > self.beta:
            raise ConfigError(f"alpha={self.alpha:g} is above beta={self.beta:g}: expected alpha <= beta")

    def act(self, view: View, rng: Rng) -> Action:
        _, to_call, min_to, max_to = view.legal
        code = style_act_kernel(
            self._table,
            view.state,
            to_call,
            min_to,
            max_to,
            self.alpha,
            self.beta,
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
        fold, call, bet = style_policy_kernel(rate, self.alpha, self.beta, legal.to_call, legal.max_to)
        mine = int(view.state["total"][0, view.actor])
        lo, hi = raise_span_kernel(self._parameters[SIZE], mine, legal.to_call, view.pot, legal.min_to, legal.max_to)
        return spread(fold, call, bet, lo, hi)

    def numbers(self, view: View) -> Mapping[str, float]:
        return {"win_rate": self.win_rate(view), "alpha": self.alpha, "beta": self.beta}

    def reasons(self, view: View) -> tuple[str, ...]:
        rate = self.win_rate(view)
        said = [rate_reason(view, rate, int(self._parameters[DEALS]))]
        if rate >= self.beta:
            said.append(f"that reaches {self.beta:g}, from which it raises")
            if view.legal.can_raise:
                said.append(f"size of a raise: {size_text(self._parameters[SIZE])}")
            else:
                said.append("no raise is allowed here: it calls")
        elif rate >= self.alpha:
            said.append(f"that reaches {self.alpha:g}, from which it plays on, but not {self.beta:g}, for a raise")
        else:
            said.append(f"that is below {self.alpha:g}, from which it plays on")
            if not view.legal.fold:
                said.append("there is nothing to fold to: it checks")
        return tuple(said)
