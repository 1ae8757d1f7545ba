"""FOLD's decision (Algorithm 2): thresholds on the win rate, moved by the scenario.

Source: Li, Jiang, Chen, Bao, "Game in Multiplayer No-limit Texas Hold'em Based on Hands Prediction" (2017), section
4.5. The paper gives the two-way and three-way thresholds for calling a raise and says in which direction the rest
moves; every number it leaves open is a field here (docs/fold.md says how they were chosen).
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from dupai.rules import RAISE, Action
from dupai.spots import BIG_BLIND, BUTTON, EARLY, LATE, MIDDLE, SMALL_BLIND, Spot


class FoldSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Every constant of the decision part. Win rates are shares of the pot against the predicted hands.

    Attributes:
        call: win rate that calling a bet wants, by number of opponents still in (1, 2, ...; the last one holds for
            more). 0.70 and 0.55 are the paper's; the others go on at the same rate above an even share.
        by_odds: whether the price counts: calling then wants ``odds_margin`` (by street; the river's if it ends the
            betting) above the pot odds, and the numbers of ``call`` only bound it from above. The paper's numbers alone
            fold too much to small bets.
        risk: what a call wants more, in a tournament, in proportion to the share of the stack that it costs.
        half, pot: win rate from which it bets or raises half the pot and the pot, by number of opponents.
        raise_margin: what a raise wants beyond a bet's threshold, as the bettor has shown strength.
        tournament: added to ``pot`` in a tournament, taken off in a cash game (fewer large bets).
        tournament_entry: factor on entry ranges in a tournament (enter tighter).
        overbet: from this bet (fraction of the pot) on a call wants ``overbet_margin`` more; all-ins likewise.
        committed: a bet or call that leaves less than this part of the pot as it will be goes all-in instead.
        short: at or below so many big blinds (effective) it pushes or folds before the flop.
        deep: from so many big blinds on suited connectors and small pairs call a raise before the flop, if the call
            costs at most ``speculative`` of the effective stack.
        entry: share of starting hands that it opens with, by class of position (early, middle, late, button, small
            blind, big blind), and ``entry_heads_up`` for two players (button, big blind).
        hopeless: share of starting hands, the weakest, that fold to a raise unread unless the price is below 0.2.
        open_size: raise to so many big blinds, plus one for each limper; ``steal_size`` where the hand itself would
            not be played.
        three_bet, four_bet: win rate against the raisers' predicted hands from which it raises before the flop.
        outs: how many make a draw (eq. 29); ``draw_lead``: whether a draw may bet where checking is free.
        implied: share of the effective stack that a completed draw is expected to win beyond the pot, at most.
        probe: win rate from which a made hand that does not reach ``half`` bets once and gives up to resistance, if
            opponents fold at least ``probe_folds`` of the time.
        seen: for how many opportunities the usual frequency of folds counts (:class:`Responses`).
        called: what a bluff is still worth when called, as a factor on the win rate.
        called_preflop: the share of the pot that a called steal still wins.
        checked: how much of its win rate a check realises.
        kelly: in a tournament a bet or raise for value puts at most ``kelly * (2 * rate - 1)`` of the stack in, as for
            an even bet (J. Kelly, "A new interpretation of information rate", 1956).
        big: win rate from which it bets ``big_size`` pots at opponents who fold less than ``big_folds``.
    """

    call: tuple[float, ...] = (0.70, 0.55, 0.47, 0.41, 0.36, 0.33, 0.30)
    by_odds: bool = True
    odds_margin: tuple[float, float, float, float] = (0.08, 0.10, 0.07, 0.03)
    risk: float = 0.15
    half: tuple[float, ...] = (0.56, 0.46, 0.40, 0.35, 0.31, 0.28, 0.26)
    pot: tuple[float, ...] = (0.66, 0.56, 0.50, 0.45, 0.41, 0.38, 0.35)
    raise_margin: float = 0.06
    tournament: float = 0.02
    tournament_entry: float = 0.85
    overbet: float = 1.5
    overbet_margin: float = 0.02
    committed: float = 0.35
    short: float = 10.0
    deep: float = 80.0
    speculative: float = 0.05
    entry: tuple[float, float, float, float, float, float] = (0.15, 0.20, 0.32, 0.45, 0.38, 0.30)
    entry_heads_up: tuple[float, float] = (0.85, 0.60)
    hopeless: float = 0.45
    open_size: float = 3.0
    steal_size: float = 2.5
    three_bet: float = 0.58
    four_bet: float = 0.62
    outs: int = 8
    draw_lead: bool = True
    implied: float = 0.25
    probe: float = 0.42
    probe_folds: float = 0.30
    seen: float = 6.0
    called: float = 0.5
    called_preflop: float = 0.20
    checked: float = 0.85
    kelly: float = 0.5
    big: float = 0.80
    big_size: float = 1.5
    big_folds: float = 0.25


class Scene(NamedTuple):
    """What the decision looks at, worked out once.

    ``street``; ``opponents`` still in; ``to_call``, ``pot`` (before the call), ``stack``, ``effective`` in chips;
    ``big_blinds`` effective stack before the decision in big blinds; ``bet`` fraction of the pot of the bet faced
    (0: none); ``all_in`` whether calling puts somebody all-in; ``odds`` pot odds of a call; ``folds`` chance that all
    opponents give up to a bet or raise.
    """

    street: int
    opponents: int
    to_call: int
    pot: int
    stack: int
    effective: int
    big_blinds: float
    bet: float
    all_in: bool
    odds: float
    folds: float = 0.0


def scene_of(spot: Spot, folds: float = 0.0) -> Scene:
    """The scene of a decision that is due."""
    row = dict(zip(spot.rows.dtype.names or (), spot.rows[-1].tolist(), strict=True))
    to_call, pot = row["to_call"], row["pot"]
    return Scene(
        row["street"],
        row["live"] - 1,
        to_call,
        pot,
        row["stack"],
        row["effective"],
        (row["effective"] + row["bet"]) / max(row["big_blind"], 1),
        row["raise_by"] / row["raise_pot"] if row["raise_pot"] else 0.0,
        to_call > 0 and to_call >= row["effective"],
        to_call / (pot + to_call) if to_call else 0.0,
        folds,
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
    """The thresholds of a scene (paper, section 4.5)."""
    s = settings
    half = at(s.half, scene.opponents)
    pot = at(s.pot, scene.opponents) + (s.tournament if tournament else -s.tournament)
    if scene.to_call:
        half, pot = half + s.raise_margin, pot + s.raise_margin
    more = s.overbet_margin if scene.all_in or scene.bet >= s.overbet else 0.0
    if tournament:
        more += s.risk * min(scene.to_call / max(scene.stack, 1), 1.0)
    call = at(s.call, scene.opponents) + more
    if s.by_odds:
        # A call that ends the betting is right from the pot odds on, whoever asks for more.
        priced = scene.odds + s.odds_margin[3 if scene.all_in else scene.street] + more
        call = priced if scene.all_in else min(call, priced)
    call = max(call, scene.odds)
    half = max(half, call)
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


def value_bet(spot: Spot, fraction: float, committed: float, most: float) -> Action:
    """:func:`bet_of` with at most ``most`` chips put in by it, or a call where that is less than the least raise."""
    action = bet_of(spot, fraction, committed)
    if action.kind != RAISE or action.to <= spot["total"] + most:
        return action
    cap = spot["total"] + int(most)
    if cap < spot["min_to"]:
        return Action.call()
    return Action.raise_to(cap)


def bluff_gain(folds: float, pot: float, risk: float, called: float) -> float:
    """What a bet of ``risk`` chips into ``pot`` wins over giving up, if everybody folds with chance ``folds``, and
    ``called`` is the share of the pot that it still wins when one player calls."""
    return folds * pot + (1 - folds) * (called * (pot + 2 * risk) - risk)
