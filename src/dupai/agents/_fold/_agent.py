"""The ``fold`` agent: reads every opponent's hand, deals the rest out, and plays by thresholds on the win rate.

Source: Li, Jiang, Chen, Bao, "Game in Multiplayer No-limit Texas Hold'em Based on Hands Prediction" (2017).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, cast

import msgspec

from dupai.agents._capabilities import Capabilities, class_capabilities
from dupai.agents._fold import _policy as decide
from dupai.agents._fold._players import POWERS, Counts, Responses, Trust, kind_of
from dupai.agents._fold._policy import CallSettings, FoldSettings, Limits, Scene
from dupai.agents._fold._rate import predicted_rate, start_order
from dupai.agents._protocol import Advice, BaseAgent, MatchInfo
from dupai.agents._rates import blind
from dupai.base import ConfigError, Option, Rng
from dupai.base.files import saved_state
from dupai.base.specs import check_between
from dupai.cards import COMBO_CLASS, COMBO_INDEX, NO_CARD
from dupai.equity import load_win_rate_table, outs
from dupai.notation import Reason
from dupai.reading import Reading, Saveable, can_save, load_reader, readings_to_draw
from dupai.rules import BOARD_CARDS, RAISE, Action, HandRecord, View
from dupai.spots import BUTTON, DID_BET, DID_RAISE, ActionDistribution, Spot, spots

Choice = tuple[Action, Reason]
#: Number of the layout of a saved state.
_VERSION = 1


class _Saved(msgspec.Struct, array_like=True):
    """What :meth:`FoldAgent.save` writes."""

    version: int
    seen: Counts
    did: Counts
    logs: dict[int, list[float]]
    spec: str
    reader: bytes


class _Entered(NamedTuple):
    """A raise before the flop against only those who have answered it: how many, the win rate, the call threshold."""

    opponents: int
    rate: float
    call: float


class _Thought(NamedTuple):
    """A decision and its grounds; ``rate`` is nan if no hands were read, ``entered`` None where it does not apply."""

    action: Action
    rate: float
    limits: Limits
    entered: _Entered | None
    scene: Scene
    readings: Mapping[int, Reading]
    reasons: tuple[Reason, ...]


class _Spot(NamedTuple):
    """A decision that is due: the view, its row, the scene, the opponents still in by seat."""

    view: View
    spot: Spot
    scene: Scene
    live: list[int]


class FoldAgent(BaseAgent):
    """Reads hands (FOLD): win rate against the predicted hands, thresholds by scenario; never folds for free.

    The win rate is Algorithm 1's: each of ``samples`` deals draws every opponent's hand from its reading, respecting
    cards already drawn and independent of the order, and the rest of the board; ties are shared. Against one opponent
    it is counted exactly where that takes less time (everywhere except on the flop).

    Beyond the paper, and off in the preset ``paper``: calls consider the price and, in tournaments, bets the risk of
    going broke (``odds``; off: the paper's decision), it bets where opponents have folded often enough for that to pay
    (``exploit``), it weighs each reading by the player's shown hands (``trust``), and win rates are counted and ties
    shared (``exact``; off: Algorithm 1's deals, of which those won alone count).
    """

    stateless: ClassVar[bool] = False
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "paper": {
            "reader": "fold",
            "samples": 500,
            "odds": False,
            "exploit": False,
            "trust": False,
            "exact": False,
        }
    }

    def __init__(
        self,
        reader: Annotated[str, Option("what reads the hands: a reader's spec, in quotes if it has commas")] = "fold",
        samples: Annotated[int, Option("deals of a win rate (Algorithm 1's N)", 1, 10_000_000)] = 10_000,
        adapt: Annotated[bool, Option("whether it learns from finished hands")] = True,
        implied: Annotated[bool, Option("implied odds for draws (figure 12)", hidden=True)] = True,
        odds: Annotated[
            bool, Option("calls consider the price, bets the risk; off: the paper's decision", hidden=True)
        ] = True,
        exploit: Annotated[
            bool, Option("bets at players who fold too much; off: the paper's thresholds alone", hidden=True)
        ] = True,
        trust: Annotated[
            bool, Option("trusts a reading as far as the player's shown hands support it; off: fully", hidden=True)
        ] = True,
        exact: Annotated[
            bool, Option("counts win rates, ties shared; off: by deals, those won alone", hidden=True)
        ] = True,
        format: Annotated[
            Literal["auto", "tournament", "cash"], Option("tighter in tournaments; auto: as the match says")
        ] = "auto",
    ) -> None:
        check_between("samples", samples, 1, 10_000_000)
        self.reader = load_reader(reader)
        self._spec = reader
        self.samples, self.adapt, self.implied, self.exploit = samples, adapt, implied, exploit
        self.exact = exact
        self.settings = FoldSettings(call=CallSettings(by_odds=odds))
        self.responses = Responses(self.settings.bluff.seen)
        self.trust = Trust() if trust else None
        self._format = format
        self._tournament = format == "tournament"
        self._unit = 0

    def capabilities(self) -> Capabilities:
        """Its state includes that of its reader: it can be saved if the reader can."""
        return msgspec.structs.replace(class_capabilities(self), saves=can_save(self.reader))

    def start(self, match: MatchInfo) -> None:
        if self._format == "auto":
            self._tournament = match.format == "tournament"
        self._unit = max(match.spec.stacks)
        self.reader.meet(dict(enumerate(match.names)))
        load_win_rate_table(None)

    def observe(self, record: HandRecord) -> None:
        if self.adapt:
            self.responses.observe(record)
            if self.trust is not None:
                self.trust.observe(record, self.reader)
            self.reader.observe(record)

    def save(self) -> bytes:
        """What the agent and its reader have learned of the opponents, between two hands."""
        logs = {} if self.trust is None else self.trust.logs
        reader = cast(Saveable, self.reader).save()
        return msgspec.msgpack.encode(_Saved(_VERSION, *self.responses.counts, logs, self._spec, reader))

    def load(self, data: bytes) -> None:
        """Continue from what :meth:`save` returned, after :meth:`start`, with the same options.

        Raises:
            ConfigError: the data are not of this agent and reader.
        """
        with saved_state(data, "a saved fold agent"):
            saved = msgspec.msgpack.decode(data, type=_Saved)
            if saved.version != _VERSION or any(len(one) != len(POWERS) for one in saved.logs.values()):
                raise ValueError
        if saved.spec != self._spec:
            raise ConfigError(
                f"the saved fold agent read with {saved.spec!r}: expected one that read with {self._spec!r}",
                key="reader",
            )
        cast(Saveable, self.reader).load(saved.reader)
        self.responses.counts = saved.seen, saved.did
        if self.trust is not None:
            self.trust.logs = saved.logs

    def act(self, view: View, rng: Rng) -> Action:
        return self._think(view).action

    def policy(self, view: View) -> ActionDistribution:
        """Its action, with certainty: the random numbers of its win rates are seeded by the cards alone."""
        return ActionDistribution.certain(self._think(view).action)

    def advise(self, view: View, rng: Rng) -> Advice:
        """The action with win rate, thresholds and reasons."""
        thought = self._think(view)
        numbers = {
            **({"win_rate": thought.rate} if thought.readings else {}),
            "pot_odds": thought.scene.odds,
            "call_threshold": thought.limits.call,
            "half_pot_threshold": thought.limits.half,
            "pot_threshold": thought.limits.pot,
            "all_fold": thought.scene.folds,
        }
        if thought.entered is not None:
            numbers |= {"win_rate_in_pot": thought.entered.rate, "call_threshold_in_pot": thought.entered.call}
        certain, reasons, readings = ActionDistribution.certain(thought.action), thought.reasons, thought.readings
        return msgspec.structs.replace(Advice.of(certain, reasons, numbers), readings=readings)

    # thinking ----------------------------------------------------------------------------------------------------

    def _think(self, view: View) -> _Thought:
        if view.actor < 0 or NO_CARD in view.hole or len(view.board) != BOARD_CARDS[view.street]:
            raise blind(view)
        spot = spots(view)[-1]
        folded = view.folded
        live = [seat for i, seat in enumerate(view.seats) if i != view.position and not folded[i]]
        scene = self._scene(view, spot, live)
        if spot.street == 0 and not self.settings.call.by_odds:
            # Algorithm 2 counts the players in the pot, not those who have yet to enter it.
            live = _entered(view, spot, live, answered=False)
            scene = scene._replace(opponents=max(len(live), 1))
        limits = decide.limits_of(self.settings, scene, self._aversion(view), self._tournament)
        due = _Spot(view, spot, scene, live)
        readings: Mapping[int, Reading] = {}
        rate, entered = float("nan"), None
        choice = self._unread(due) if spot.street == 0 else None
        if choice is None:
            readings = readings_to_draw(self.reader, view)
            if self.trust is not None:
                readings = {seat: self.trust.applied(seat, reading) for seat, reading in readings.items()}
            readings = {seat: reading for seat, reading in readings.items() if seat in live}
            rate = self._rate(view, list(readings.values()))
            if spot.street > 0:
                choice = self._by_thresholds(due, rate, limits)
            else:
                entered = self._against_entered(due, readings)
                choice = self._raised_preflop(due, rate, limits, entered)
        action, why = choice
        if scene.to_call == 0 and action.kind != RAISE:
            action = Action.call()
        about = Reason("win_rate_read_one", {"rate": rate})
        if scene.opponents > 1:
            about = Reason("win_rate_read_many", {"rate": rate, "opponents": scene.opponents})
        return _Thought(action, rate, limits, entered, scene, readings, (about, why) if readings else (why,))

    def _scene(self, view: View, spot: Spot, live: list[int]) -> Scene:
        """The scene, with what was seen of the opponents if that is to count."""
        if not self.exploit:
            return decide.scene_of(spot)
        seen, bettor = self.responses, spot["aggressor"]
        more = seen.aggression(view.seats[bettor], spot.street) if spot["to_call"] and bettor >= 0 else 0.0
        kind, stacks = kind_of(spot.street, len(live) + 1), dict(zip(view.seats, view.stacks, strict=True))
        able = [seat for seat in live if stacks[seat] > 0]
        # Who is all-in gives up nothing any more.
        folds = seen.all_fold(kind, live) if len(able) == len(live) else 0.0
        return decide.scene_of(spot, folds, seen.any_raises(kind, able), more)

    def _aversion(self, view: View) -> float:
        """Risk aversion per chip; 0 in cash games."""
        if not self._tournament:
            return 0.0
        return decide.at(self.settings.call.aversion, len(view.seats) - 1) / (self._unit or max(view.start_stacks))

    def _most(self, due: _Spot, rate: float) -> float:
        """The most chips that a bet for value may put in; the paper's program bets its sizes whatever they risk. Only
        chips that an opponent can match are at risk."""
        aversion = self._aversion(due.view)
        if aversion <= 0 or not self.settings.call.by_odds:
            return float("inf")
        opponents = due.scene.opponents
        most = self.settings.bet.kelly * decide.best_bet(rate if opponents == 1 else rate ** (1 / opponents), aversion)
        return most if most < due.scene.effective else float("inf")

    # before the flop ---------------------------------------------------------------------------------------------

    def _unread(self, due: _Spot) -> Choice | None:
        """Decisions before the flop that need no reading: nobody has raised, or the hand is hopeless."""
        s, spot, scene = self.settings, due.spot, due.scene
        place = float(start_order()[COMBO_CLASS[COMBO_INDEX[due.view.hole]]])
        expected = max(scene.raises - s.bet.usual_raises, 0.0) if self.exploit else 0.0
        share = decide.entry_share(s, spot, self._tournament) * max(1.0 - s.entry.resisted * expected, 0.2)
        rank = {"place": place, "share": share}
        if not s.call.by_odds and spot["raises"] > 0:
            return self._enters(due, place, share) if spot["raises"] == 1 else None
        if spot["raises"] > 0:
            deep = scene.big_blinds >= s.preflop.deep and _speculative(due.view.hole)
            hopeless = place >= 1.0 - s.entry.hopeless and not deep
            if scene.odds >= s.entry.hopeless_price and hopeless and not self._is_short(due):
                return Action.fold(), Reason("hopeless", {"weakest": s.entry.hopeless})
            return None
        if self._is_short(due):
            return self._push_unopened(due, place, share)
        if spot["min_to"] > 0:
            if place <= share:
                to = round((s.preflop.open_size + spot["calls"]) * spot["big_blind"])
                return _raise(spot, to), Reason("opens", rank)
            to = round((s.preflop.steal_size + spot["calls"]) * spot["big_blind"])
            risk = to - spot["total"]
            if self._steals(scene, risk):
                return _raise(spot, to), Reason("steal", {"folds": scene.folds})
        elif place <= share:
            return Action.call(), Reason("raise_is_call")
        if scene.to_call == 0:
            return Action.call(), Reason("nothing_to_call")
        if place <= self._entering(due, share):
            return Action.call(), Reason("cheap_entry")
        return Action.fold(), Reason("too_weak_to_open", rank)

    def _enters(self, due: _Spot, place: float, share: float) -> Choice:
        """The paper's answer to the first raise: hands of its entry range (eq. 5), fewer than it opens with."""
        s, spot = self.settings, due.spot
        call = s.paper.gap * share
        rank = {"place": place, "share": call}
        if self._is_short(due):
            if place > call:
                return Action.fold(), Reason("fold_below_top", {"share": call})
            all_in = Action.raise_to(spot["max_to"]) if spot["max_to"] > 0 else Action.call()
            return all_in, Reason("push_top", {"share": call})
        if place <= s.paper.re_raises and spot["min_to"] > 0:
            return decide.bet_of(spot, 1.0, s.bet.committed), Reason("re_raises_top", {"share": s.paper.re_raises})
        if place <= call:
            return Action.call(), Reason("calls_raise", rank)
        if self._speculates(due):
            return Action.call(), Reason("deep_call")
        return Action.fold(), Reason("too_weak_for_raise", rank)

    def _speculates(self, due: _Spot) -> bool:
        """Whether the stacks are deep enough for a hand to call a raise for what it may become."""
        s, scene = self.settings.preflop, due.scene
        deep = scene.big_blinds >= s.deep and scene.to_call <= s.speculative * scene.effective
        return deep and _speculative(due.view.hole)

    def _steals(self, scene: Scene, risk: int) -> bool:
        """Whether a raise of ``risk`` chips pays because opponents fold so often."""
        called, risk = self.settings.bluff.called_preflop, min(risk, scene.effective)
        return self.exploit and decide.bluff_gain(scene.folds, scene.raises, scene.pot, risk, called) > 0

    def _entering(self, due: _Spot, share: float) -> float:
        """The share of starting hands that call the big blind; it raises ``share`` of them."""
        s, spot, scene = self.settings, due.spot, due.scene
        if not s.call.by_odds:
            return 0.0
        cheap = scene.odds < s.entry.cheap
        most = 1.6 * share if cheap else 0.0
        if spot["players"] <= s.entry.limpers:
            if cheap:
                most = max(most, s.entry.complete)
            if spot["players"] > 2 and scene.to_call <= spot["big_blind"]:
                most = max(most, s.entry.limp)
        return most

    def _is_short(self, due: _Spot) -> bool:
        """Whether it plays all-in or fold before the flop: only where it may go all-in."""
        return due.spot.spec.betting == "no-limit" and due.scene.big_blinds <= self.settings.preflop.short

    @staticmethod
    def _equilibrium(due: _Spot, side: Literal["push", "call"]) -> bool:
        """Whether the heads-up push/fold equilibrium pushes (or calls) with this hand most of the time."""
        from dupai.cfr import nearest_push_fold

        antes, blind = due.spot.spec.antes, max(due.spot["big_blind"], 1)
        table = nearest_push_fold(due.scene.big_blinds, sum(antes) / len(antes) / blind)
        shares = table.push if side == "push" else table.call
        return bool(shares[COMBO_CLASS[COMBO_INDEX[due.view.hole]]] >= 0.5)

    def _push_unopened(self, due: _Spot, place: float, share: float) -> Choice:
        """At most ten big blinds and nobody has raised: all-in or fold. Heads-up by the equilibrium table; with more
        players a share of starting hands that grows as the stack shrinks."""
        s, spot, scene = self.settings, due.spot, due.scene
        few = max(scene.big_blinds, 1.0)
        if spot["players"] == 2 and spot["position_class"] == BUTTON:
            pushes = self._equilibrium(due, "push")
            why = Reason("push_equilibrium" if pushes else "fold_equilibrium", {"blinds": few})
        else:
            most = min(share * (1.0 + (s.preflop.short - few) / s.preflop.short) * 1.15, 1.0)
            pushes = place <= most
            why = Reason("push_top" if pushes else "fold_below_top", {"share": most})
        risk = spot["effective"]
        if self._steals(scene, risk) and not pushes:
            pushes, why = True, Reason("push_steal", {"folds": scene.folds})
        if pushes and spot["max_to"] > 0:
            return Action.raise_to(spot["max_to"]), why
        if pushes or scene.to_call == 0:
            return Action.call(), Reason("short_checks")
        return Action.fold(), why

    def _against_entered(self, due: _Spot, readings: Mapping[int, Reading]) -> _Entered | None:
        """A raise against only those who are in the pot, where others have yet to answer it: these mostly fold, and
        pay for their share of the pot if they do not. In tournaments such calls gain chips but no places: None."""
        s, scene = self.settings, due.scene
        entered = _entered(due.view, due.spot, due.live, answered=True)
        if self._tournament or not s.call.by_odds:
            return None
        if self._is_short(due) or len(entered) == len(due.live):
            return None
        rate = self._rate(due.view, [readings[seat] for seat in entered])
        fewer = scene._replace(opponents=len(entered))
        return _Entered(len(entered), rate, decide.limits_of(s, fewer, 0.0, False).call)

    def _raised_preflop(self, due: _Spot, rate: float, limits: Limits, entered: _Entered | None) -> Choice:
        s, spot, scene = self.settings, due.spot, due.scene
        if self._is_short(due):
            return self._push_or_fold(due, rate, limits)
        if not s.call.by_odds:
            return self._by_thresholds(due, rate, limits)
        strong = s.preflop.three_bet if spot["raises"] == 1 else s.preflop.four_bet
        needed = max(strong - 0.06 * (scene.opponents - 1), limits.call)
        if rate >= needed and spot["min_to"] > 0:
            most = self._most(due, rate)
            return decide.value_bet(spot, 1.0, s.bet.committed, most), Reason("re_raise", {"needs": needed})
        call, against = limits.call, {}
        if entered is not None:
            rate, call = entered.rate, entered.call
            against = {"rate": rate, "opponents": entered.opponents}
        price = {"needs": call, "odds": scene.odds, **against}
        if rate >= call:
            return Action.call(), Reason("enough_against_entered" if against else "enough_to_call", price)
        if self._speculates(due):
            return Action.call(), Reason("deep_call")
        return Action.fold(), Reason("too_little_against_entered" if against else "too_little_to_call", price)

    def _push_or_fold(self, due: _Spot, rate: float, limits: Limits) -> Choice:
        """At most ten big blinds and somebody has raised: all-in or fold by the price of the whole stack if one player
        calls (without prices: by the threshold of a call). Heads-up it also calls an all-in with the hands of the
        equilibrium."""
        s, spot, scene = self.settings, due.spot, due.scene
        all_in = Action.raise_to(spot["max_to"]) if spot["max_to"] > 0 else Action.call()
        if not s.call.by_odds:
            action = all_in if rate >= limits.call else Action.fold()
            return action, Reason("short_needs", {"needs": limits.call})
        # Where it may raise it goes all-in, and whoever calls adds what the raise asks for.
        more = scene.effective - scene.to_call if spot["max_to"] > 0 else 0
        odds = (scene.to_call + more) / (scene.pot + scene.to_call + 2 * more)
        good = rate >= odds + s.call.odds_margin
        if not good and spot["players"] == 2 and scene.all_in and rate >= odds:
            good = self._equilibrium(due, "call")
        if good:
            return all_in, Reason("short_all_in", {"needs": odds})
        return Action.fold(), Reason("short_fold", {"needs": odds})

    # Algorithm 2 -------------------------------------------------------------------------------------------------

    def _by_thresholds(self, due: _Spot, rate: float, limits: Limits) -> Choice:
        s, spot, scene = self.settings, due.spot, due.scene
        most = self._most(due, rate)
        if rate >= limits.half and spot["max_to"] == 0:
            return Action.call(), Reason("raise_is_call")
        if rate >= limits.pot:
            big = self.exploit and rate >= s.bet.big and scene.folds <= s.bet.big_folds
            size = decide.value_size(s, scene, 2 if big else 1)
            needs = s.bet.big if big else limits.pot
            why = Reason("bet_share_big" if big else "bet_share", {"needs": needs, "share": size})
            return decide.value_bet(spot, size, s.bet.committed, most), why
        if rate >= limits.half:
            size = decide.value_size(s, scene, 0)
            return decide.value_bet(spot, size, 0.0, most), Reason("bet_share", {"needs": limits.half, "share": size})
        # A draw is below what a call wants, where calling is free below what a bet wants (the gate of eq. 29).
        weak = rate < (limits.call if scene.to_call else limits.half)
        out = len(outs(due.view.hole, due.view.board)) if 0 < spot.street < 3 and weak else 0
        draw = out >= s.call.outs
        if not scene.to_call:
            return self._checked_to(due, rate, limits, out)
        price = {"needs": limits.call, "odds": scene.odds}
        if rate >= limits.call:
            left = scene.stack - scene.to_call
            stuck = spot.street < 3 and rate >= 0.5 and left < s.bet.committed * (scene.pot + scene.to_call)
            if stuck and s.call.by_odds and spot["max_to"] > 0:
                return Action.raise_to(spot["max_to"]), Reason("committed")
            return Action.call(), Reason("enough_to_call", price)
        if draw:
            # The chance to hit with the cards to come (eq. 27), and what the pot will hold then.
            gain = max(rate, decide.outs_rate(out, len(due.view.board)))
            behind = scene.effective - scene.to_call
            more = min(s.call.implied * behind, scene.pot + scene.to_call) if self.implied else 0
            needs = scene.to_call / (scene.pot + scene.to_call + max(more, 0))
            if gain >= needs:
                return Action.call(), Reason("draw_call", {"gain": gain, "needs": needs})
        return Action.fold(), Reason("too_little_to_call", price)

    def _checked_to(self, due: _Spot, rate: float, limits: Limits, out: int) -> Choice:
        """Nothing to call, and too weak to bet for value: a draw (of ``out`` outs) may lead, a made hand probes once,
        and it bets at players who fold too much."""
        s, spot, scene = self.settings, due.spot, due.scene
        if spot["min_to"] > 0:
            small, large = (s.bluff.size, s.bluff.size) if s.call.by_odds else s.paper.leads
            draw = out >= s.call.outs
            may_lead = spot["leader"] in (spot["position"], -1)
            leads = scene.opponents == 1 and may_lead and scene.raises <= s.bluff.lead_raises
            if draw and s.bluff.draw_lead and leads:
                size = large if out >= s.paper.strong_outs else small
                return decide.bet_of(spot, size, 0.0), Reason("draw_leads")
            bet, first = decide.bet_of(spot, small, 0.0), not _has_bet(spot)
            if self.exploit:
                risk, called = min(bet.to - spot["total"], scene.effective), s.bluff.called * rate
                gain = decide.bluff_gain(scene.folds, scene.raises, scene.pot, risk, called)
                if gain > s.bluff.checked * rate * scene.pot:
                    return bet, Reason("they_fold", {"folds": scene.folds})
            if first and scene.opponents == 1 and self._probes(due, rate, draw):
                return bet, Reason("probe")
        return Action.call(), Reason("too_little_to_bet", {"needs": limits.half})

    def _probes(self, due: _Spot, rate: float, draw: bool) -> bool:
        """Whether a made hand too weak to bet for value bets once: in the paper's decision a middle pair without a draw
        (4.5(3)b), which folds when it meets resistance."""
        s, scene = self.settings.bluff, due.scene
        if not self.settings.call.by_odds:
            return not draw and _middle_pair(due.view.hole, due.view.board)
        stands = scene.folds >= s.probe_folds and scene.raises <= s.lead_raises
        return self.exploit and rate >= s.probe and stands

    def _rate(self, view: View, readings: list[Reading]) -> float:
        return predicted_rate(view.hole, view.board, readings, self.samples, self.exact)


def _entered(view: View, spot: Spot, live: list[int], answered: bool) -> list[int]:
    """The seats still in that have acted before the flop or are all-in; where ``answered``, only those that have
    answered the last raise (or made it)."""
    rows = spot.rows[:-1]
    position, did = rows["position"].tolist(), rows["did"].tolist()
    first = max(i for i, kind in enumerate(did) if kind in (DID_BET, DID_RAISE)) if answered else 0
    acted = set(position[first:])
    seats = {view.seats[p] for p in range(len(view.seats)) if p in acted or view.stacks[p] == 0}
    return [seat for seat in live if seat in seats]


def _raise(spot: Spot, to: int) -> Action:
    return Action.raise_to(min(max(to, spot["min_to"]), spot["max_to"]))


def _speculative(hole: tuple[int, int]) -> bool:
    """A small or middle pair, or suited connectors from 54 on."""
    a, b = hole
    ra, rb = a % 13, b % 13
    return (ra == rb and ra <= 8) or (a // 13 == b // 13 and abs(ra - rb) == 1 and min(ra, rb) >= 2)


def _middle_pair(hole: tuple[int, int], board: tuple[int, ...]) -> bool:
    """Whether the hand is one pair, made with a card of ours, with board cards above and below it."""
    ours, ranks = [card % 13 for card in hole], [card % 13 for card in board]
    pairs = {rank for rank in ours if ranks.count(rank) + ours.count(rank) == 2}
    return len(pairs) == 1 and len(set(ranks)) == len(ranks) and min(ranks) < min(pairs) < max(ranks)


def _has_bet(spot: Spot) -> bool:
    """Whether the player to act has bet or raised since the flop."""
    rows = spot.rows[:-1]
    own = (rows["position"] == spot.position) & (rows["street"] > 0) & (rows["did"] >= 3)
    return bool(own.any())
