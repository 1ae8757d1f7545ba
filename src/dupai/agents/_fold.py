"""The ``fold`` agent: reads every opponent's hand, deals the rest out, and plays by thresholds on the win rate.

Source: Li, Jiang, Chen, Bao, "Game in Multiplayer No-limit Texas Hold'em Based on Hands Prediction" (2017).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.agents._fold_policy import FoldSettings, Limits, Scene, bet_of, entry_share, limits_of, scene_of
from dupai.agents._protocol import Advice, BaseAgent, MatchInfo
from dupai.base import AgentError, Option, Rng, check_between
from dupai.cards import CLASSES, COMBO_CLASS, COMBO_INDEX, NO_CARD
from dupai.equity import equity, is_draw, load_win_rate_table, outs, win_rates
from dupai.reading import Reading, load_reader
from dupai.rules import BOARD_CARDS, Action, HandRecord, View
from dupai.spots import ActionDistribution, Spot, spots


def start_order() -> npt.NDArray[np.float64]:
    """``float64[169]``: share of starting hands that are better than each class (all-in win rate against any hand)."""
    rates = win_rates((), None)
    by_class = np.zeros(CLASSES)
    by_class[COMBO_CLASS] = rates
    size = np.bincount(COMBO_CLASS, minlength=CLASSES)
    order = np.argsort(-by_class, kind="stable")
    better = np.zeros(CLASSES)
    better[order] = np.concatenate([[0], np.cumsum(size[order])[:-1]]) / size.sum()
    return better


class _Thought(NamedTuple):
    """A decision with what led to it."""

    action: Action
    rate: float
    limits: Limits
    scene: Scene
    readings: Mapping[int, Reading]
    reasons: tuple[str, ...]


class FoldAgent(BaseAgent):
    """Reads hands (FOLD): win rate against the predicted hands, thresholds by scenario; never folds for free.

    The win rate is Algorithm 1's: each of ``samples`` deals draws every opponent's hand from its reading, respecting
    cards already drawn and whatever the order, and the rest of the board; ties are shared.
    """

    stateless: ClassVar[bool] = False

    def __init__(
        self,
        reader: Annotated[str, Option("what reads the hands: a reader's spec, in quotes if it has commas")] = "fold",
        samples: Annotated[int, Option("deals of a win rate (Algorithm 1's N)", 1, 10_000_000)] = 10_000,
        adapt: Annotated[bool, Option("whether the reader learns from finished hands")] = True,
        implied: Annotated[bool, Option("implied odds for draws (figure 12)")] = True,
        odds: Annotated[bool, Option("calls look at the price; off: the paper's thresholds alone")] = True,
        format: Annotated[
            Literal["auto", "tournament", "cash"], Option("tighter in tournaments; auto: as the match says")
        ] = "auto",
    ) -> None:
        check_between("samples", samples, 1, 10_000_000)
        self.reader = load_reader(reader)
        self.samples = samples
        self.adapt = adapt
        self.implied = implied
        self.settings = FoldSettings(by_odds=odds)
        self._format = format
        self._tournament = format == "tournament"
        self._better: npt.NDArray[np.float64] | None = None

    def start(self, match: MatchInfo) -> None:
        if self._format == "auto":
            self._tournament = match.format == "tournament"
        self.reader.meet(dict(enumerate(match.names)))
        load_win_rate_table(None)

    def observe(self, record: HandRecord) -> None:
        if self.adapt:
            self.reader.observe(record)

    def act(self, view: View, rng: Rng) -> Action:
        return self._think(view).action

    def policy(self, view: View) -> ActionDistribution:
        """What it does, for certain: its win rate's random numbers are seeded by nothing but the cards."""
        return ActionDistribution.certain(self.act(view, Rng(0)))

    def advise(self, view: View, rng: Rng) -> Advice:
        """The action with win rate, thresholds and what led to it."""
        thought = self._think(view)
        return Advice.of(
            ActionDistribution.certain(thought.action),
            thought.reasons,
            {
                "win_rate": thought.rate,
                "pot_odds": thought.scene.odds,
                "call_threshold": thought.limits.call,
                "half_pot_threshold": thought.limits.half,
                "pot_threshold": thought.limits.pot,
            },
        )

    # thinking ----------------------------------------------------------------------------------------------------

    def win_rate(self, view: View, readings: Mapping[int, Reading]) -> float:
        """Share of the pot against the readings, dealt out ``samples`` times (Algorithm 1, ties shared)."""
        weights = [(r.p / r.p.max()).astype(np.float32) for r in readings.values()]
        board = list(view.board)
        result = equity([view.hole, *weights], board, method="monte-carlo", samples=self.samples)
        return float(result.equity[0])

    def _think(self, view: View) -> _Thought:
        if view.actor < 0 or NO_CARD in view.hole or len(view.board) != BOARD_CARDS[view.street]:
            raise AgentError(f"position {view.actor} is to act, and the view does not show its hole cards or the board")
        spot = spots(view)[-1]
        scene = scene_of(spot)
        readings = self.reader.read(view)
        rate = self.win_rate(view, readings)
        limits = limits_of(self.settings, scene, self._tournament)
        if view.street == 0:
            action, why = self._before_flop(view, spot, scene, rate, limits)
        else:
            action, why = self._after_flop(view, spot, scene, rate, limits)
        if action.kind == 0 and scene.to_call == 0:
            action = Action.call()
        said = f"win rate {rate:.3f} against the predicted hands of {scene.opponents} ({self.samples:,} deals)"
        return _Thought(action, rate, limits, scene, readings, (said, why))

    def _percentile(self, view: View) -> float:
        """Share of starting hands better than ours."""
        if self._better is None:
            self._better = start_order()
        return float(self._better[COMBO_CLASS[COMBO_INDEX[view.hole]]])

    def _before_flop(self, view: View, spot: Spot, scene: Scene, rate: float, limits: Limits) -> tuple[Action, str]:
        s = self.settings
        share = entry_share(s, spot, self._tournament)
        place = self._percentile(view)
        raised = spot["raises"] > 0
        if scene.big_blinds <= s.short:
            return self._push_or_fold(spot, scene, rate, place, share)
        if not raised:
            if place <= share:
                limpers = spot["calls"]
                to = round((s.open_size + limpers) * spot["big_blind"])
                if spot["min_to"] <= 0:
                    return Action.call(), "no raise is allowed"
                return Action.raise_to(min(max(to, spot["min_to"]), spot["max_to"])), (
                    f"one of the top {100 * place:.0f} % of starting hands: it opens the top {100 * share:.0f} % here"
                )
            if scene.to_call == 0:
                return Action.call(), "nothing to call"
            if scene.odds < 0.2 and place <= 1.6 * share:
                return Action.call(), "completes cheaply"
            return Action.fold(), (
                f"only one of the top {100 * place:.0f} % of starting hands: it opens the top {100 * share:.0f} % here"
            )
        wants = s.three_bet if spot["raises"] == 1 else s.four_bet
        if rate >= wants - 0.06 * (scene.opponents - 1) and spot["min_to"] > 0:
            return bet_of(spot, 1.0, s.committed), f"strong enough against the raise ({wants:.2f} is asked): re-raises"
        if rate >= limits.call:
            return Action.call(), f"that reaches {limits.call:.3f}, asked for a call at pot odds {scene.odds:.3f}"
        if scene.big_blinds >= s.deep and self._speculative(view) and scene.to_call <= s.speculative * scene.effective:
            return Action.call(), "stacks are deep: a speculative hand calls"
        return Action.fold(), f"that is below {limits.call:.3f}, asked for a call at pot odds {scene.odds:.3f}"

    @staticmethod
    def _speculative(view: View) -> bool:
        """A small pair or suited connectors."""
        (a, b) = view.hole
        ra, rb = a % 13, b % 13
        return ra == rb or (a // 13 == b // 13 and abs(ra - rb) == 1 and min(ra, rb) >= 2)

    def _push_or_fold(self, spot: Spot, scene: Scene, rate: float, place: float, share: float) -> tuple[Action, str]:
        """Below ten big blinds: all-in or fold. An approximation until it reads equilibrium tables: unopened, it pushes
        a share of hands that grows as the stack shrinks; facing a raise, it goes by the pot odds."""
        few = max(scene.big_blinds, 1.0)
        if spot["raises"] == 0:
            pushes = min(share * (1.0 + (self.settings.short - few) / self.settings.short) * 1.15, 1.0)
            if place <= pushes and spot["max_to"] > 0:
                return Action.raise_to(spot["max_to"]), f"short: pushes the top {100 * pushes:.0f} %"
            if scene.to_call == 0:
                return Action.call(), "short, and nothing to call"
            if spot["max_to"] <= 0 and rate >= scene.odds:
                return Action.call(), "all-in for the price"
            return Action.fold(), f"short: folds all but the top {100 * pushes:.0f} %"
        call = min(scene.effective, scene.stack)
        odds = call / (scene.pot + call)
        if rate >= odds + self.settings.odds_margin:
            action = Action.raise_to(spot["max_to"]) if spot["max_to"] > 0 else Action.call()
            return action, f"short: all-in, the win rate is above the price {odds:.3f}"
        return (Action.fold() if scene.to_call else Action.call()), f"short: the win rate is below the price {odds:.3f}"

    def _after_flop(self, view: View, spot: Spot, scene: Scene, rate: float, limits: Limits) -> tuple[Action, str]:
        s = self.settings
        if rate >= limits.pot:
            return bet_of(spot, 1.0, s.committed), f"that reaches {limits.pot:.3f}: the pot"
        if rate >= limits.half:
            return bet_of(spot, 0.5, s.committed), f"that reaches {limits.half:.3f}: half the pot"
        draw = is_draw(view.hole, view.board, limits.call, least=s.outs) if rate < limits.call else False
        if not scene.to_call:
            if draw and s.draw_lead and scene.opponents == 1 and spot["leader"] in (spot["position"], -1):
                return bet_of(spot, 0.5, 0.0), "a draw leads with half the pot"
            return Action.call(), f"that is below {limits.half:.3f}: it checks"
        if rate >= limits.call:
            if scene.stack - scene.to_call < s.committed * (scene.pot + scene.to_call) and spot["max_to"] > 0:
                return Action.raise_to(spot["max_to"]), "committed to the pot: all-in"
            return Action.call(), f"that reaches {limits.call:.3f}, asked for a call at pot odds {scene.odds:.3f}"
        if draw:
            # The chance to hit with the next card, and what the pot will hold then.
            hit = len(outs(view.hole, view.board)) / (50 - len(view.board))
            gain = max(rate, hit)
            behind = scene.effective - scene.to_call
            more = min(s.implied * behind, scene.pot + scene.to_call) if self.implied else 0
            price = scene.to_call / (scene.pot + scene.to_call + max(more, 0))
            if gain >= price:
                return Action.call(), f"a draw: {gain:.3f} pays for the call, implied odds counted ({price:.3f})"
        return Action.fold(), f"that is below {limits.call:.3f}, asked for a call at pot odds {scene.odds:.3f}"
