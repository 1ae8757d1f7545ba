"""The four styles: two thresholds on the win rate.

Source: Hu, Chen, Yuan, Li, Chen, "Online opponent exploitation method based on particle swarm optimization for Texas
Hold'em", Control and Decision (2024), the opponents of its experiment.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from dupai.agents._kernels import style_act_kernel, style_policy_kernel
from dupai.agents._rates import DEALS_HELP, MAX_DEALS, WinRateAgent
from dupai.agents._sizes import PEOPLE, PEOPLE_SIZE, people_sizes, size_reason
from dupai.base import ConfigError, Option, Rng
from dupai.base.specs import check_between
from dupai.notation import Reason
from dupai.rules import Action, View
from dupai.spots import ActionDistribution

#: (alpha, beta) of each style.
THRESHOLDS = {"LA": (0.30, 0.45), "LP": (0.30, 0.85), "TA": (0.55, 0.65), "TP": (0.55, 0.85)}


class Style(WinRateAgent):
    """Plays on from win rate alpha, raises from beta, else folds: LA, LP, TA or TP.

    Loose or tight, aggressive or passive: (alpha, beta) = LA (0.30, 0.45), LP (0.30, 0.85), TA (0.55, 0.65), TP (0.55,
    0.85). The win rate is that against uniform hands of everybody who has not folded; a win rate equal to a threshold
    reaches it. It checks where checking is free, and calls where it would raise and may not. It bets what people bet.
    The paper does not give the raise size of the styles; the presets ``paper-LA`` to ``paper-TP`` (``paper``: TA) raise
    the pot, the size that explains what the paper prints best (``dupai reproduce brpso --full --part sizes``).
    """

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "paper": {"size": "pot"},
        **{f"paper-{name.lower()}": {"name": name, "size": "pot"} for name in THRESHOLDS},
    }

    _kernel = staticmethod(style_act_kernel)

    def __init__(
        self,
        name: Annotated[Literal["LA", "LP", "TA", "TP"], Option("which thresholds")] = "TA",
        alpha: Annotated[float | None, Option("win rate from which it plays on", 0.0, 1.0)] = None,
        beta: Annotated[float | None, Option("win rate from which it raises", 0.0, 1.0)] = None,
        size: Annotated[str, PEOPLE_SIZE] = PEOPLE,
        deals: Annotated[int, Option(DEALS_HELP, 1, MAX_DEALS)] = 1000,
    ) -> None:
        #: Whether it bets what people bet, so that no kernel plays it.
        self.people = size.strip().casefold() == PEOPLE
        super().__init__("pot" if self.people else size, deals, (PEOPLE,))
        self.alpha = THRESHOLDS[name][0] if alpha is None else float(alpha)
        self.beta = THRESHOLDS[name][1] if beta is None else float(beta)
        check_between("alpha", self.alpha, 0.0, 1.0)
        check_between("beta", self.beta, 0.0, 1.0)
        if self.alpha > self.beta:
            raise ConfigError(f"alpha={self.alpha:g} is above beta={self.beta:g}: expected alpha <= beta", key="alpha")

    def _kernel_settings(self, view: View) -> tuple[Any, ...]:
        return self.alpha, self.beta, self.parameters

    def _masses(self, view: View, rate: float) -> tuple[float, float, float]:
        legal = view.legal
        return style_policy_kernel(rate, self.alpha, self.beta, legal.to_call, legal.max_to)  # type: ignore[no-any-return]

    def act(self, view: View, rng: Rng) -> Action:
        return self.policy(view).sample(rng) if self.people else super().act(view, rng)

    def policy_for(self, view: View, rate: float) -> ActionDistribution:
        if not self.people or self._masses(view, rate)[2] == 0.0:
            return super().policy_for(view, rate)
        return ActionDistribution(tuple((Action.raise_to(to), p) for to, p in people_sizes(view)))

    def numbers(self, view: View) -> Mapping[str, float]:
        return {"win_rate": self.win_rate(view), "alpha": self.alpha, "beta": self.beta}

    def reasons(self, view: View) -> tuple[Reason, ...]:
        rate = self.win_rate(view)
        about = self.rate_reason(view, rate)
        if rate >= self.beta:
            size = size_reason(view, PEOPLE if self.people else self.size)
            return about, Reason("reaches_raise", {"needs": self.beta}), size
        if rate >= self.alpha:
            return about, Reason("reaches_play", {"needs": self.alpha, "raises": self.beta})
        below = Reason("below_play", {"needs": self.alpha})
        return (about, below) if view.legal.fold else (about, below, Reason("fold_is_check"))
