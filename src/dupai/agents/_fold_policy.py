"""FOLD's decision (Algorithm 2): thresholds on the win rate, moved by the scenario.

Source: Li, Jiang, Chen, Bao, "Game in Multiplayer No-limit Texas Hold'em Based on Hands Prediction" (2017), section 5.
The paper gives the two-way and three-way thresholds for calling a raise and says in which direction the rest moves;
every number it leaves open is a field here.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from dupai.rules import Action
from dupai.spots import BIG_BLIND, BUTTON, EARLY, LATE, MIDDLE, SMALL_BLIND, Spot


class FoldSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Every constant of the decision part. Win rates are shares of the pot against the predicted hands.

    Attributes:
        call: win rate that calling a bet wants, by number of opponents still in (1, 2, ...; the last one holds for
            more). 0.70 and 0.55 are the paper's; the others go on at the same rate above an even share.
        by_odds: whether the price counts: calling then wants ``odds_margin`` above the pot odds, and the numbers of
            ``call`` only bound it from above. The paper's numbers alone fold too much to small bets.
        half, pot: win rate from which it bets or raises half the pot and the pot, by number of opponents.
        raise_margin: what a raise wants beyond a bet's threshold, as the bettor has shown strength.
        tournament: added to the thresholds of bets in a tournament, taken off in a cash game (fewer large bets).
        tournament_entry: factor on entry ranges in a tournament (enter tighter).
        overbet: from this bet (fraction of the pot) on a call wants ``overbet_margin`` more; all-ins likewise.
        committed: a call or raise that leaves less than this part of the pot as it will be goes all-in instead.
        short: at or below so many big blinds (effective) it pushes or folds before the flop.
        deep: from so many big blinds on suited connectors and small pairs call a raise before the flop, if the call
            costs at most ``speculative`` of the effective stack.
        entry: share of starting hands that it opens with, by class of position (early, middle, late, button, small
            blind, big blind), and ``entry_heads_up`` for two players (button, big blind).
        open_size: raise to so many big blinds, plus one for each limper.
        three_bet, four_bet: win rate against the raisers' predicted hands from which it raises before the flop.
        outs: how many make a draw (eq. 29); ``draw_lead``: whether a draw may bet where checking is free.
        implied: share of the effective stack that a completed draw is expected to win beyond the pot, at most.
    """

    call: tuple[float, ...] = (0.70, 0.55, 0.47, 0.41, 0.36, 0.33, 0.30)
    by_odds: bool = True
    odds_margin: float = 0.03
    half: tuple[float, ...] = (0.56, 0.46, 0.40, 0.35, 0.31, 0.28, 0.26)
    pot: tuple[float, ...] = (0.68, 0.58, 0.50, 0.45, 0.41, 0.38, 0.35)
    raise_margin: float = 0.06
    tournament: float = 0.02
    tournament_entry: float = 0.85
    overbet: float = 1.5
    overbet_margin: float = 0.03
    committed: float = 0.35
    short: float = 10.0
    deep: float = 80.0
    speculative: float = 0.05
    entry: tuple[float, float, float, float, float, float] = (0.15, 0.20, 0.32, 0.45, 0.38, 0.30)
    entry_heads_up: tuple[float, float] = (0.85, 0.60)
    open_size: float = 3.0
    three_bet: float = 0.58
    four_bet: float = 0.62
    outs: int = 8
    draw_lead: bool = True
    implied: float = 0.25


class Scene(NamedTuple):
    """What the decision looks at, worked out once.

    ``opponents`` still in; ``to_call``, ``pot`` (before the call), ``stack``, ``effective`` in chips; ``big_blinds``
    effective stack before the decision in big blinds; ``bet`` fraction of the pot of the bet faced (0: none);
    ``all_in`` whether calling puts somebody all-in; ``odds`` pot odds of a call.
    """

    opponents: int
    to_call: int
    pot: int
    stack: int
    effective: int
    big_blinds: float
    bet: float
    all_in: bool
    odds: float


def scene_of(spot: Spot) -> Scene:
    """The scene of a decision that is due."""
    to_call, pot = spot["to_call"], spot["pot"]
    faced = spot["raise_by"] / spot["raise_pot"] if spot["raise_pot"] else 0.0
    return Scene(
        spot["live"] - 1,
        to_call,
        pot,
        spot["stack"],
        spot["effective"],
        (spot["effective"] + spot["bet"]) / max(spot["big_blind"], 1),
        faced,
        to_call > 0 and to_call >= spot["effective"],
        to_call / (pot + to_call) if to_call else 0.0,
    )


def at(values: tuple[float, ...], opponents: int) -> float:
    """The threshold for so many opponents."""
    return values[min(max(opponents, 1), len(values)) - 1]


class Limits(NamedTuple):
    """Thresholds ``call < half < pot`` as the scenario moves them."""

    call: float
    half: float
    pot: float


def limits_of(settings: FoldSettings, scene: Scene, tournament: bool) -> Limits:
    """The thresholds of a scene (paper, section 5)."""
    s = settings
    shift = s.tournament if tournament else -s.tournament
    half = at(s.half, scene.opponents) + shift
    pot = at(s.pot, scene.opponents) + shift
    if scene.to_call:
        half, pot = half + s.raise_margin, pot + s.raise_margin
    call = at(s.call, scene.opponents)
    if s.by_odds:
        call = min(call, scene.odds + s.odds_margin)
    if scene.all_in or scene.bet >= s.overbet:
        call += s.overbet_margin
        # A call that ends the betting is right from the pot odds on, whoever asks for more.
        call = min(call, max(scene.odds + s.odds_margin + s.overbet_margin, 0.0)) if s.by_odds else call
    call, half = max(call, scene.odds), max(half, call)
    return Limits(call, half, max(pot, half))


def entry_share(settings: FoldSettings, spot: Spot, tournament: bool) -> float:
    """The share of starting hands that it opens with from its position."""
    place = spot["position_class"]
    if spot["players"] == 2:
        share = settings.entry_heads_up[0 if place == BUTTON else 1]
    else:
        order = (EARLY, MIDDLE, LATE, BUTTON, SMALL_BLIND, BIG_BLIND)
        share = settings.entry[order.index(place)]
    return share * (settings.tournament_entry if tournament and spot["players"] > 2 else 1.0)


def bet_of(spot: Spot, fraction: float, committed: float) -> Action:
    """A bet or raise by ``fraction`` of the pot (as it stands after the call), all-in where that leaves too little; a
    call where no raise is allowed."""
    low, high = spot["min_to"], spot["max_to"]
    if low <= 0:
        return Action.call()
    pot = spot["pot"] + spot["to_call"]
    to = spot["total"] + spot["to_call"] + round(fraction * pot)
    to = min(max(to, low), high)
    behind = spot["total"] + spot["stack"] - to
    after = pot + 2 * (to - spot["total"] - spot["to_call"])
    if behind < committed * after:
        to = high
    return Action.raise_to(to)
