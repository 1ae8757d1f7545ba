"""FOLD's decision (Algorithm 2): thresholds on the win rate, moved by the scenario.

Source: Li, Jiang, Chen, Bao, "Game in Multiplayer No-limit Texas Hold'em Based on Hands Prediction" (2017), section
4.5. The paper gives the two-way and three-way thresholds for calling a raise and the direction in which the others
move; every number that it leaves open is a field here. ``CallSettings.by_odds`` separates the paper's decision (off),
whose numbers are in :class:`PaperSettings`, from ours.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import msgspec

from dupai.reading.fold import PAPER_CONSTANTS, entry_share as supposed_share
from dupai.rules import RAISE, Action
from dupai.spots import BIG_BLIND, BUTTON, EARLY, LATE, MIDDLE, SMALL_BLIND, Spot, raise_to


class CallSettings(msgspec.Struct, frozen=True, kw_only=True):
    """When it calls a bet.

    Attributes:
        rate: win rate from which it calls, by number of opponents still in (1, 2, ...; the last one holds for more).
            0.70 and 0.55 are the paper's; the others continue at the same ratio to an even share.
        by_odds: whether the price counts: calling then needs ``odds_margin`` above it, the numbers of ``rate`` are only
            an upper bound, and in cash games a raise before the flop is called against those who have answered it.
            The paper's numbers alone fold too much to small bets. Off: the paper's decision, without price and without
            aversion to risk (:class:`PaperSettings`).
            ``barrel``: the price includes bets of this part of
            the pot on every later street, times how often the bettor bets (``usual_bets`` before and after the flop,
            and what was seen of them).
        aversion: aversion to risk in a tournament, where chips lost are worth more than chips won: the utility of
            ``x`` starting stacks won is ``1 - exp(-aversion * x)``, which is the chance not to go broke for a player
            with a constant edge (gambler's ruin). Prices of calls (:func:`price`) and sizes of bets follow from it. By
            number of opponents left in the match: the more there are, the more places a bust costs.
        overbet: a call of a bet of at least this fraction of the pot, or of an all-in, needs ``overbet_margin`` more.
        aggression: subtracted from the price of a call for each bet that the bettor makes more than usual.
        outs: how many make a draw (eq. 29).
        implied: share of the effective stack that a completed draw is expected to win beyond the pot, at most.
    """

    rate: tuple[float, ...] = (0.70, 0.55, 0.47, 0.41, 0.36, 0.33, 0.30)
    by_odds: bool = True
    odds_margin: float = 0.03
    barrel: float = 0.4
    usual_bets: tuple[float, float] = (0.25, 0.35)
    aversion: tuple[float, ...] = (0.7, 1.0, 1.4)
    overbet: float = 1.5
    overbet_margin: float = 0.02
    aggression: float = 0.4
    outs: int = 8
    implied: float = 0.25


class BetSettings(msgspec.Struct, frozen=True, kw_only=True):
    """When it bets or raises for value, and how much.

    Attributes:
        half, pot: win rate from which it bets or raises half the pot and the pot (or a size of ``lured``), by number of
            opponents.
        raise_margin: what a raise needs beyond a bet's threshold, as the bettor has shown strength.
        tournament: added to ``pot`` in a tournament, subtracted in a cash game (fewer large bets).
        committed: a bet or call that leaves less than this part of the pot as it will be goes all-in instead.
        resisted: added to ``half`` and ``pot`` for each raise beyond ``usual_raises`` that a bet has to expect. (The
            chance is that any of the opponents raises, so several strangers are expected to raise more than that.)
        kelly: in a tournament a bet or raise for value puts in at most this part of the even bet that is best
            under ``aversion`` (:func:`best_bet`); below 1 because more may have to go in on later streets.
        big: win rate from which it bets the third of the sizes at opponents who fold less than ``big_folds``.
        sizes: of bets and raises for value, in pots: from ``half``, ``pot`` and ``big`` on. Those hold where a raise is
            less likely than ``rare_raises``. Opponents who raise more often meet the sizes ``lured``: they raise small
            bets with much that would have folded to large ones, and the pot stays small where they have the better
            hand. It raises them by the last of these.
    """

    half: tuple[float, ...] = (0.60, 0.50, 0.43, 0.37, 0.33, 0.30, 0.28)
    pot: tuple[float, ...] = (0.70, 0.60, 0.53, 0.47, 0.43, 0.40, 0.37)
    raise_margin: float = 0.06
    tournament: float = 0.02
    committed: float = 0.35
    resisted: float = 0.3
    usual_raises: float = 0.15
    kelly: float = 0.5
    big: float = 0.80
    big_folds: float = 0.25
    sizes: tuple[float, float, float] = (0.5, 1.0, 1.5)
    lured: tuple[float, float, float] = (0.2, 0.5, 0.5)
    rare_raises: float = 0.11


class BluffSettings(msgspec.Struct, frozen=True, kw_only=True):
    """When it bets with weaker hands.

    Attributes:
        size: of these bets, in pots.
        draw_lead: whether a draw may bet where checking is free, if a raise is at most ``lead_raises`` likely.
        probe: win rate from which a made hand that does not reach a bet for value bets once and gives up to
            resistance, if opponents fold at least ``probe_folds`` of the time and raise at most ``lead_raises``.
        seen: how many observed opportunities the usual frequency of folds counts for (:class:`Responses`).
        called: value of a called bluff, as a factor on the win rate.
        called_preflop: the share of the pot that a called steal still wins.
        checked: the part of its win rate that a check realises.
    """

    size: float = 0.2
    draw_lead: bool = True
    lead_raises: float = 0.25
    probe: float = 0.42
    probe_folds: float = 0.30
    seen: float = 4.0
    called: float = 0.5
    called_preflop: float = 0.20
    checked: float = 0.85


class EntrySettings(msgspec.Struct, frozen=True, kw_only=True):
    """Which starting hands it plays, as shares of all.

    Attributes:
        opens: share that it opens with, by class of position (early, middle, late, button, small blind, big blind), and
            ``opens_heads_up`` for two players (button, big blind).
        tournament: factor on these shares in a tournament (enter tighter).
        resisted: by how much of itself the share shrinks for each raise beyond the usual that it has to expect.
        hopeless: share of starting hands, the weakest, that fold to a raise unread unless the price is below
            ``hopeless_price``.
        limp, complete: share of starting hands that call the big blind where they would not raise: with three players
            or more at the table, and on a price below ``cheap`` (the small blind's; with antes or behind limpers every
            seat's). Not if ``by_odds`` is off, and not at tables of more than ``limpers``, where it waits for others
            to go broke.
    """

    opens: tuple[float, float, float, float, float, float] = (0.15, 0.20, 0.32, 0.45, 0.38, 0.30)
    opens_heads_up: tuple[float, float] = (0.75, 0.50)
    tournament: float = 0.85
    resisted: float = 2.5
    hopeless: float = 0.45
    hopeless_price: float = 0.3
    cheap: float = 0.3
    limp: float = 0.55
    limpers: int = 5
    complete: float = 0.75


class PreflopSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How it plays them before the flop.

    Attributes:
        short: with at most so many big blinds (effective) it pushes or folds.
        deep: with at least so many big blinds suited connectors and small pairs call a raise, if it costs at most
            ``speculative`` of the effective stack.
        open_size: raise to so many big blinds, plus one for each limper; ``steal_size`` with a hand that it would not
            play otherwise.
        three_bet, four_bet: win rate against the raisers' predicted hands from which it raises.
    """

    short: float = 10.0
    deep: float = 80.0
    speculative: float = 0.05
    open_size: float = 2.0
    steal_size: float = 2.0
    three_bet: float = 0.63
    four_bet: float = 0.68


class PaperSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What the paper's decision needs beyond its printed 0.70 and 0.55 (``CallSettings.rate``).

    Attributes:
        ladder: win rates from which a two-way pot is called, bet half the pot and bet the pot: the lower ends of the
            intervals of figure 2. A bet to call lifts all three alike, until the first is 0.70, and more opponents
            lower all three alike.
        gap: part of its entry range (eq. 5) that calls a raise, which asks for more than opening does (gap theory).
            Chosen.
        re_raises: share of starting hands that re-raises. Chosen so that the AJ of section 4.3 calls; it is suited, for
            it has a backdoor flush on AcTd4h: in the best 4.2 %.
        leads: sizes of bets of draws and of middle pairs, in pots: the usual one, and that of a strong draw (4.1).
        strong_outs: how many outs make a draw strong. Chosen: more than a flush draw alone.
    """

    ladder: tuple[float, float, float] = (0.57, 0.68, 0.75)
    gap: float = 0.5
    re_raises: float = 0.04
    leads: tuple[float, float] = (0.5, 1.0)
    strong_outs: int = 12


class FoldSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Every constant of the decision part. Win rates are shares of the pot against the predicted hands."""

    call: CallSettings = CallSettings()
    bet: BetSettings = BetSettings()
    bluff: BluffSettings = BluffSettings()
    entry: EntrySettings = EntrySettings()
    preflop: PreflopSettings = PreflopSettings()
    paper: PaperSettings = PaperSettings()


class Scene(NamedTuple):
    """The facts of a decision, computed once.

    ``street``; ``opponents`` still in (in the paper's decision: in the pot); ``to_call``, ``pot`` (before the call),
    ``stack``, ``effective`` in chips;
    ``big_blinds`` effective stack before the decision in big blinds; ``bet`` fraction of the pot of the bet faced
    (0: none); ``all_in`` whether calling puts somebody all-in; ``odds`` pot odds of a call; ``folds`` chance that all
    opponents give up to a bet or raise, ``raises`` that one raises it, ``aggression`` how much more often than usual
    the player bets whose bet is faced (0: no bet): all three from what was seen of them.
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
    raises: float = 0.0
    aggression: float = 0.0


def scene_of(spot: Spot, folds: float = 0.0, raises: float = 0.0, aggression: float = 0.0) -> Scene:
    """The scene of a decision that is due, with what was seen of the opponents."""
    row = dict(zip(spot.rows.dtype.names or (), spot.rows[-1].tolist(), strict=True))
    to_call, stack, effective, pot = row["to_call"], row["stack"], row["effective"], spot.winnable
    big_blinds = (effective + row["bet"]) / max(row["big_blind"], 1)
    bet = row["raise_by"] / row["raise_pot"] if row["raise_pot"] else 0.0
    all_in, odds = to_call > 0 and to_call >= effective, to_call / (pot + to_call) if to_call else 0.0
    chips, seen = (to_call, pot, stack, effective), (folds, raises, aggression)
    return Scene(row["street"], row["live"] - 1, *chips, big_blinds, bet, all_in, odds, *seen)


def at(values: tuple[float, ...], opponents: int) -> float:
    """The entry of ``values`` for so many opponents; the last one holds for more."""
    return values[min(max(opponents, 1), len(values)) - 1]


def outs_rate(outs: int, board: int) -> float:
    """The chance to hit one of ``outs`` cards with a board of 3 or 4 cards: by the river (eq. 27; the paper counts 50
    unseen cards and gets 29.7 % for eight outs on the flop, but a seat has not seen 47: 31.5 %)."""
    unseen = 50 - board
    missed = (unseen - outs) / unseen
    return 1 - (missed if board == 4 else missed * (unseen - 1 - outs) / (unseen - 1))


class Limits(NamedTuple):
    """Thresholds ``call < half < pot`` as the scenario moves them."""

    call: float
    half: float
    pot: float


def price(to_call: float, pot: float, aversion: float) -> float:
    """The chance to win from which calling beats folding if the call ends the betting: pot odds where ``aversion`` (per
    chip) is 0, more where chips lost count for more than chips won."""
    if to_call <= 0:
        return 0.0
    if aversion <= 0:
        return to_call / (pot + to_call)
    lost = math.expm1(aversion * to_call)
    return lost / (lost - math.expm1(-aversion * pot))


def best_bet(rate: float, aversion: float) -> float:
    """The even bet, in chips, that is best for a chance ``rate`` to win it (``aversion`` per chip)."""
    if aversion <= 0 or rate >= 1:
        return math.inf
    return max(math.log(rate / (1 - rate)) / (2 * aversion), 0.0) if rate > 0 else 0.0


def call_down(settings: FoldSettings, scene: Scene, aversion: float) -> float:
    """The :func:`price` of a call with what has to be called on later streets, as far as a player who bets so often
    will bet there."""
    usual = settings.call.usual_bets[scene.street > 0]
    size = settings.call.barrel * min(max(usual + scene.aggression, 0.0), 1.0)
    paid, won = float(scene.to_call), float(scene.pot)
    for _ in range(3 - scene.street):
        bet = min(size * (won + paid), scene.effective - paid)
        paid, won = paid + bet, won + bet
    return price(paid, won, aversion)


def limits_of(settings: FoldSettings, scene: Scene, aversion: float, tournament: bool) -> Limits:
    """The thresholds of a scene (paper, section 4.5); ``aversion`` per chip."""
    s = settings
    large = s.bet.tournament if tournament else -s.bet.tournament
    # A bet that is likely to be raised needs a hand that stands a raise.
    resisted = s.bet.resisted * max(scene.raises - s.bet.usual_raises, 0.0)
    if not s.call.by_odds:
        return _paper_limits(s, scene, large, resisted)
    half, pot = at(s.bet.half, scene.opponents) + resisted, at(s.bet.pot, scene.opponents) + large + resisted
    if scene.to_call:
        half, pot = half + s.bet.raise_margin, pot + s.bet.raise_margin
    more = s.call.overbet_margin if scene.all_in or scene.bet >= s.call.overbet else 0.0
    odds = price(scene.to_call, scene.pot, aversion)
    call = at(s.call.rate, scene.opponents) + more
    # A call that ends the betting is right from its price on. A bet of someone who bets more often than usual
    # means less, but there will be more bets to call.
    more -= s.call.aggression * scene.aggression
    ends = scene.all_in or scene.street == 3
    priced = s.call.odds_margin + more + (odds if ends else call_down(s, scene, aversion))
    call = max(priced if ends else min(call, priced), odds)
    half = max(half, call)
    return Limits(call, half, max(pot, half))


def _paper_limits(s: FoldSettings, scene: Scene, large: float, resisted: float) -> Limits:
    """Algorithm 2's thresholds: figure 2's ladder, moved by the bet to call and the opponents in the pot."""
    call, half, pot = s.paper.ladder
    move = at(s.call.rate, scene.opponents) - (call if scene.to_call else s.call.rate[0])
    if scene.all_in or scene.bet >= s.call.overbet:
        move += s.call.overbet_margin
    return Limits(call + move, half + move + resisted, pot + move + large + resisted)


def entry_share(settings: FoldSettings, spot: Spot, tournament: bool) -> float:
    """The share of starting hands that it opens with from its position: in the paper's decision the one that its reader
    supposes of everybody (eq. 5)."""
    place = spot["position_class"]
    if not settings.call.by_odds:
        share = supposed_share(PAPER_CONSTANTS, spot)
    elif spot["players"] == 2:
        share = settings.entry.opens_heads_up[0 if place == BUTTON else 1]
    else:
        order = (EARLY, MIDDLE, LATE, BUTTON, SMALL_BLIND, BIG_BLIND)
        share = settings.entry.opens[order.index(place)]
    return share * (settings.entry.tournament if tournament and spot["players"] > 2 else 1.0)


def bet_of(spot: Spot, fraction: float, committed: float) -> Action:
    """A bet or raise by ``fraction`` of the pot (as it stands after the call), all-in if that leaves too little; a
    call if no raise is allowed."""
    low, high = spot["min_to"], spot["max_to"]
    if low <= 0:
        return Action.call()
    pot = spot["pot"] + spot["to_call"]
    to = spot["total"] + spot["to_call"] + raise_to(fraction, 0, pot, 0, high)
    to = min(max(to, low), high)
    behind = spot["total"] + spot["stack"] - to
    after = pot + 2 * (to - spot["total"] - spot["to_call"])
    if behind < committed * after:
        to = high
    return Action.raise_to(to)


def value_bet(spot: Spot, fraction: float, committed: float, most: float) -> Action:
    """:func:`bet_of` that puts in at most ``most`` chips, or a call if that is less than the smallest raise."""
    action = bet_of(spot, fraction, committed)
    if action.kind != RAISE or action.to <= spot["total"] + most:
        return action
    cap = spot["total"] + int(most)
    if cap < spot["min_to"]:
        return Action.call()
    return Action.raise_to(cap)


def value_size(settings: FoldSettings, scene: Scene, which: int) -> float:
    """A bet or raise for value in pots; ``which``: 0 from ``half``, 1 from ``pot``, 2 from ``big`` on."""
    if scene.raises < settings.bet.rare_raises:
        return settings.bet.sizes[which]
    return settings.bet.lured[-1 if scene.to_call else which]


def bluff_gain(folds: float, raises: float, pot: float, risk: float, called: float) -> float:
    """What a bet of ``risk`` chips into ``pot`` wins over giving up, if everybody folds with chance ``folds``, somebody
    raises with chance ``raises`` (it is lost), and ``called`` is the share of the pot that it still wins when one
    player calls."""
    return folds * pot - raises * risk + max(1 - folds - raises, 0.0) * (called * (pot + 2 * risk) - risk)
