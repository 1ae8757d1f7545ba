"""DFModel: each action owns an interval of win rate (FOLD, section 2)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Annotated, Literal

import msgspec
import numpy as np

from dupai.base import ConfigError, Option
from dupai.base.arrays import F32, F64
from dupai.base.files import saved_state
from dupai.cards import COMBOS
from dupai.equity import win_rates
from dupai.history.stats import PlayerStats, Population
from dupai.reading._filter import Filter, Joint
from dupai.reading._fold._adapt import NONE, Shifts, logit, player_shifts, scaled
from dupai.reading._fold._constants import PAPER_CONSTANTS, FoldConstants, WinRateInterval, game_kind, load_fold
from dupai.reading._fold._kernels import likelihood_kernel
from dupai.rules import GameSpec, HandRecord
from dupai.spots import BUTTON, EARLY, LATE, MIDDLE, Menu, Spot

ThreeQuarter = Literal["pot", "half", "own"]
Measure = Literal["by", "to"]
Limit = Literal["own", "table"]

_PREFLOP = Menu(sizes=(1.0,))
#: Name or seat, betting structure, seat, the counters as bytes.
_Kept = tuple[str | int, str, int | None, bytes]


@cache
def hand_percentiles() -> F64:
    """``float64[1326]``: share of starting hands that are weaker, those of equal all-in equity counted half."""
    equity = win_rates(None)
    order = np.sort(equity)
    # The suits of a class have the same equity up to rounding of the table.
    below = np.searchsorted(order, equity - 1e-9, side="left")
    upto = np.searchsorted(order, equity + 1e-9, side="right")
    shares: F64 = (below + upto) / (2.0 * COMBOS)
    shares.flags.writeable = False
    return shares


@lru_cache(maxsize=512)
def board_rates(board: tuple[int, ...]) -> F64:
    """``float64[1326]``: exact win rate of every hand against a uniform one, nan where the board blocks it."""
    rates = win_rates(board)
    rates.flags.writeable = False
    return rates


def moved_share(share: float, by: float) -> float:
    """A share of hands after its log odds have moved."""
    return 1.0 / (1.0 + math.exp(-logit(share) - by)) if by else share


class DFModel:
    """The default model and its adaptation, an :class:`~dupai.spots.ActionModel`.

    Args:
        constants: its numbers, the same for every game or by :func:`game_kind`.
        three_quarter: whether a bet of 0.6 to 1 pot is read as the pot, as half the pot, or as an action of its own.
        measure: whether raises count *by* (beyond the call) or *to* (all chips put in).
        limit: whether the bet of a limit game has an interval of its own, or goes through the table of sizes.
        adapt: whether intervals move with what a player has done before.
        value_bets: whether the interval of half a pot reaches up to the strongest hands, which bet it to be called
            (section 1 of the paper); as figure 2 draws it, it ends where the pot's begins.
        priors: populations that players are compared with, by betting structure; default: the history floor's.

    Raises:
        ConfigError: an option is none of its words.
    """

    needs_ranges = False

    def __init__(
        self,
        constants: FoldConstants | Mapping[str, FoldConstants] = PAPER_CONSTANTS,
        *,
        three_quarter: ThreeQuarter = "pot",
        measure: Measure = "by",
        limit: Limit = "own",
        adapt: bool = True,
        value_bets: bool = False,
        priors: Mapping[str, Population] | None = None,
    ) -> None:
        edges = {"pot": ((0.5, 1.0), (0.6,)), "half": ((0.5, 1.0), (1.0,)), "own": ((0.5, 0.75, 1.0), (0.6, 1.0))}
        if three_quarter not in edges:
            raise ConfigError(f"three_quarter={three_quarter!r}: expected 'pot', 'half' or 'own'")
        if limit not in ("own", "table"):
            raise ConfigError(f"limit={limit!r}: expected 'own' or 'table'")
        self._constants = constants
        self.priors = priors or {}
        self.limit, self.adapt, self.value_bets = limit, adapt, value_bets
        self.own_three_quarter = three_quarter == "own"
        self.postflop = Menu(*edges[three_quarter], measure=measure)
        self._stats: dict[tuple[str | int, str], PlayerStats] = {}
        self._names: dict[int, str] = {}
        self._shifts: dict[tuple[str | int, str], Shifts] = {}

    def constants(self, spec: GameSpec) -> FoldConstants:
        """The numbers for a game."""
        if isinstance(self._constants, FoldConstants):
            return self._constants
        return self._constants.get(game_kind(spec), PAPER_CONSTANTS)

    # acting ------------------------------------------------------------------------------------------------------

    def menu(self, spot: Spot) -> Menu:
        if spot.street == 0 or (self.limit == "own" and spot.spec.betting == "limit"):
            return _PREFLOP
        return self.postflop

    def probs(self, spot: Spot) -> F32:
        menu = self.menu(spot)
        rates = hand_percentiles() if spot.street == 0 else board_rates(spot.board)
        out = np.empty((COMBOS, len(menu)), np.float32)
        intervals = np.array(self.intervals(spot), np.float64)
        likelihood_kernel(rates, intervals, menu.legal(spot), self.constants(spot.spec).theta, out)
        return out

    def intervals(self, spot: Spot) -> list[WinRateInterval]:
        """The interval of each column of :meth:`menu`, moved for the player who decides."""
        constants = self.constants(spot.spec)
        shifts = NONE
        if self.adapt and spot.seats and constants.trust:
            shifts = scaled(self.shifts(spot.seats[spot.position], spot.spec.betting), constants.trust)
        if spot.street == 0:
            return preflop_intervals(constants, spot, shifts)
        raises = [constants.rates.half, constants.rates.pot]
        if self.menu(spot) is _PREFLOP:
            raises = [constants.rates.limit_raise]
        elif self.own_three_quarter:
            raises = [constants.rates.half_below, constants.rates.three_quarter, constants.rates.pot_above]
        intervals = postflop_intervals(constants, raises, spot["to_call"] > 0, shifts)
        if self.value_bets and len(raises) > 1:
            intervals[2] = intervals[2]._replace(high=1.0)
        return intervals

    # learning ----------------------------------------------------------------------------------------------------

    def shifts(self, seat: int, betting: str = "no-limit") -> Shifts:
        """How far the intervals of the player in a seat have moved in games of a betting structure."""
        player = self._names.get(seat, seat), betting
        if player not in self._shifts:
            self._shifts[player] = player_shifts(self._stats[player]) if player in self._stats else NONE
        return self._shifts[player]

    def meet(self, names: Mapping[int, str]) -> None:
        for seat, name in names.items():
            if self._names.get(seat) != name:
                # Somebody new in a seat: what was counted there was another's.
                for learned in (self._stats, self._shifts):
                    for player in [p for p in learned if p[0] == seat]:
                        del learned[player]
                self._names[seat] = name

    def observe(self, record: HandRecord) -> None:
        if not self.adapt or not self.constants(record.spec).trust:
            return
        betting = record.spec.betting
        for position, seat in enumerate(record.seats or range(record.spec.players)):
            player = self._names.get(seat, seat), betting
            if player not in self._stats:
                self._stats[player] = PlayerStats(seat=seat, priors=self.priors.get(betting))
            self._stats[player].update(record, position)
            self._shifts.pop(player, None)

    def save(self) -> bytes:
        """What was counted of every player."""
        return msgspec.msgpack.encode(
            [(*player, stats.seat, stats.counts.tobytes()) for player, stats in self._stats.items()]
        )

    def load(self, data: bytes) -> None:
        """Go on from what :meth:`save` gave, with the same options.

        Raises:
            ConfigError: it is not that.
        """
        stats_by_player: dict[tuple[str | int, str], PlayerStats] = {}
        with saved_state(data, "what was counted of players"):
            for name, betting, seat, counts in msgspec.msgpack.decode(data, type=list[_Kept]):
                stats = stats_by_player[name, betting] = PlayerStats(seat=seat, priors=self.priors.get(betting))
                stats.counts = np.frombuffer(counts, np.int64).reshape(stats.counts.shape).copy()
        self._stats = stats_by_player
        self._shifts.clear()


def entry_share(constants: FoldConstants, spot: Spot) -> float:
    """Share of starting hands with which the position of a decision enters (eq. 5)."""
    place = spot["position_class"]
    if spot["players"] == 2:
        return constants.shares.heads_up_button if place == BUTTON else constants.shares.heads_up_big_blind
    if place in (LATE, BUTTON):
        return constants.shares.rear
    return {EARLY: constants.shares.front, MIDDLE: constants.shares.middle}.get(place, constants.shares.blinds)


def preflop_intervals(constants: FoldConstants, spot: Spot, shifts: Shifts = NONE) -> list[WinRateInterval]:
    """Fold, check or call, raise: the same form on the percentile of the starting hand."""
    entry = moved_share(entry_share(constants, spot), shifts.enter)
    entry = shifts.enter_at[spot["position_class"]].share(entry)
    raises = spot["raises"]
    if raises == 0:
        # Opening: the whole entry range is raised; limping leaves out the best.
        best = min(shifts.raised.share(constants.shares.limp_without), entry)
        raised = entry
    elif raises == 1:
        best = raised = min(shifts.three_bet.share(constants.shares.three_bet), entry)
    else:
        if spot["total"] > spot["big_blind"]:
            entry = moved_share(entry, shifts.stay)
        best = raised = min(shifts.four_bet.share(constants.shares.four_bet), entry)
    at = constants.shares.preflop_baseline
    fold, passive, active = (0.0, 1 - entry), (1 - entry, 1 - best), (1 - raised, 1.0)
    if spot["to_call"] == 0:
        # The big blind may look at the flop for nothing: with whatever it would not raise.
        passive = (0.0, 1 - entry)
    return [WinRateInterval(a, b, a + at * (b - a)) for a, b in (fold, passive, active)]


def postflop_intervals(
    constants: FoldConstants, raises: list[WinRateInterval], facing: bool, shifts: Shifts = NONE
) -> list[WinRateInterval]:
    """Fold, check or call, then ``raises``. Each boundary of the ladder moves by its own log odds, win rates between
    two boundaries by what lies between (a smooth stretch of the scale): intervals and baselines stay in order."""
    passive = constants.rates.call if facing else constants.rates.check
    intervals = [constants.rates.fold, passive, *raises]
    if shifts is NONE:
        return intervals
    at = [logit((constants.rates.fold.high + passive.low) / 2)] if facing else []
    by = [shifts.fold] if facing else []
    more = shifts.raises if facing else shifts.bet
    at.append(logit((passive.high + raises[0].low) / 2))
    by.append(-more)
    if len(raises) > 1:
        at.append(logit((raises[0].high + raises[-1].low) / 2))
        by.append(-more - shifts.large)
    # Fitted intervals may overlap; boundaries in order keep the scale a scale.
    at = np.maximum.accumulate(at).tolist()
    moved = np.maximum.accumulate(np.array(at) + np.array(by))

    def warp(x: float) -> float:
        if x <= 0.0 or x >= 1.0:
            return x
        y = logit(x)
        if y <= at[0]:
            y += moved[0] - at[0]
        elif y >= at[-1]:
            y += moved[-1] - at[-1]
        else:
            y = float(np.interp(y, at, moved))
        return 1.0 / (1.0 + math.exp(-y))

    return [WinRateInterval(warp(i.low), warp(i.high), warp(i.baseline)) for i in intervals]


class FoldReader(Filter):
    """The FOLD paper's reader: win-rate intervals for every action, multiplied over streets, adapting to players.

    Source: Li, Jiang, Chen, Bao, "Game in multiplayer no-limit Texas hold'em based on hands prediction", Chinese
    Journal of Computers 40 (2017), sections 4.1 to 4.3.
    """

    def __init__(
        self,
        adapt: Annotated[bool, Option("whether intervals move with what a player does")] = True,
        constants: Annotated[
            str,
            Option(
                "numbers of the model: paper, fitted (to training hands), or a file of dupai train fold",
                file=True,
                words=("paper", "fitted"),
            ),
        ] = "paper",
        actions: Annotated[
            Literal["strongest", "each"], Option("what of a street counts: the most aggressive action, or each")
        ] = "strongest",
        theta: Annotated[
            float | None, Option("relative probability inside an interval; none: that of the constants", 1.0)
        ] = None,
        uniform: Annotated[
            float | None,
            Option("share of the uniform distribution; none: that of the constants", 0.0, 0.99),
        ] = None,
        trust: Annotated[
            float | None, Option("share of a player's habits that is believed; none: that of the constants", 0.0, 1.0)
        ] = None,
        three_quarter: Annotated[ThreeQuarter, Option("how a bet of 0.6 to 1 pot is read")] = "pot",
        measure: Annotated[Measure, Option("raises count by (beyond the call) or to (all chips put in)")] = "by",
        limit: Annotated[
            Limit, Option("limit games: an interval of its own for the one size, or the table of sizes")
        ] = "own",
        value_bets: Annotated[
            bool, Option("strong hands bet half the pot, too; off: figure 2's interval, which ends below them")
        ] = False,
        joint: Joint = True,
    ) -> None:
        file = load_fold() if constants in ("paper", "fitted") else load_fold(constants)
        numbers = {"": PAPER_CONSTANTS} if constants == "paper" else file.constants
        options = {"theta": theta, "uniform": uniform, "trust": trust}
        change = {name: value for name, value in options.items() if value is not None}
        numbers = {kind: msgspec.structs.replace(c, **change) for kind, c in numbers.items()}
        self._model = DFModel(
            numbers[""] if constants == "paper" else numbers,
            three_quarter=three_quarter,
            measure=measure,
            limit=limit,
            adapt=adapt,
            value_bets=value_bets,
            priors=file.populations,
        )
        super().__init__(self._model, uniform=0.0, actions=actions, joint=joint)

    def uniform_share(self, spec: GameSpec) -> float:
        """The uniform share that the constants name for the kind of game."""
        return self._model.constants(spec).uniform
