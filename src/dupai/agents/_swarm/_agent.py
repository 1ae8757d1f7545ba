"""The agents ``risk`` (a fixed policy of five numbers) and ``swarm`` (finds one while it plays)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, ClassVar

import msgspec
import numpy as np

from dupai.agents._protocol import Advice, MatchInfo
from dupai.agents._rates import DEALS_HELP, MAX_DEALS, WinRateAgent
from dupai.agents._simple import raise_span, spread
from dupai.agents._swarm._kernels.observe import observe_kernel
from dupai.agents._swarm._kernels.policy import risk_act_kernel, risk_policy_kernel
from dupai.agents._swarm._kernels.swarm import (
    features_kernel,
    position_kernel,
    quota_kernel,
    ready_kernel,
    situation_kernel,
    swarm_act_kernel,
)
from dupai.agents._swarm._layout import CONFIG_DTYPE, DIMENSIONS, FEATURES, MAX_ACTIONS, MAX_NUMBERS, SWARM_DTYPE
from dupai.agents._swarm._options import VARIANTS, SwarmOptions, difference, load_library, make_config, policy_of
from dupai.base import ConfigError, Option, Rng
from dupai.base.arrays import F64, AnyArray
from dupai.base.files import saved_state
from dupai.equity import class_matchups
from dupai.notation import Reason
from dupai.rules import RAISE, STATE_DTYPE, Action, HandRecord, View
from dupai.spots import SIZE_HELP

#: Number of the layout of a saved state.
_VERSION = 4


def risk_curves(x: F64, rates: F64) -> F64:
    """The policy of five numbers (``float64[5]``) over win rates (``float64[n]``): ``float64[n, 5]``, fold, call and
    raise where there is a bet to fold to, then check and bet where there is none."""
    curves = np.empty((len(rates), 5))
    for row, rate in zip(curves, rates, strict=True):
        row[:3] = risk_policy_kernel(float(rate), x, 100, 20_000)
        row[3:] = risk_policy_kernel(float(rate), x, 0, 20_000)[1:]
    return curves


def _figures(x: F64) -> dict[str, float]:
    return {f"x{k}": float(v) for k, v in enumerate(x, 1)}


def _curve_reason(view: View, x: F64) -> Reason:
    if view.legal.to_call:
        return Reason("facing_bet_plays", {"plays": float(x[0]), "raises": float(x[1])})
    return Reason("free_bets", {"bets": float(x[3])})


class Risk(WinRateAgent):
    """A fixed policy of five numbers: sigmoid curves of fold, call and raise over the win rate.

    x1 = P(call or raise), x2 = P(raise), x3 = steepness where there is a bet to fold to; x4 = P(raise), x5 = steepness
    where checking is free; the shares are means over uniform win rates. Source: Hu, Chen, Yuan, Li, Chen, "Online
    opponent exploitation method based on particle swarm optimization for Texas Hold'em" (2024), eq. 1-3. Facing an
    all-in the chance to raise goes to the call. By default raises are uniform from the smallest to all-in.
    """

    _kernel = staticmethod(risk_act_kernel)

    def __init__(
        self,
        x: Annotated[str, Option("x1/x2/x3/x4/x5")] = "0.86/0.85/90.96/0.99/15.11",
        size: Annotated[str, Option(SIZE_HELP)] = "random",
        deals: Annotated[int, Option(DEALS_HELP, 1, MAX_DEALS)] = 1000,
    ) -> None:
        super().__init__(size, deals)
        self.x = policy_of(x)

    def frozen(self) -> tuple[Any, Any]:
        """Its policy as a swarm of one particle that never moves, with its settings, for the swarm's kernels."""
        swarm, config = np.zeros(1, SWARM_DTYPE), np.zeros(1, CONFIG_DTYPE)
        swarm["ready"], swarm["x"][0, 0, :DIMENSIONS] = 1, self.x
        config["numbers"] = DIMENSIONS
        config["particles"] = config["frozen"] = 1
        config["size"], config["deals"] = self.size, self.deals
        return swarm, config

    def _kernel_settings(self, view: View) -> tuple[Any, ...]:
        return self.x, self.size, self.deals

    def _masses(self, view: View, rate: float) -> tuple[float, float, float]:
        return risk_policy_kernel(rate, self.x, view.legal.to_call, view.legal.max_to)  # type: ignore[no-any-return]

    def numbers(self, view: View) -> Mapping[str, float]:
        return {"win_rate": self.win_rate(view)} | _figures(self.x)

    def reasons(self, view: View) -> tuple[Reason, ...]:
        return self.rate_reason(view, self.win_rate(view)), _curve_reason(view, self.x)


class Swarm(WinRateAgent):
    """Finds the opponent's weakness while playing: a swarm of five-number policies in time (BR-PSO).

    Each of m particles plays nf hands; the chips it wins are its fitness; then the swarm moves. Source: Hu, Chen, Yuan,
    Li, Chen, "Online opponent exploitation method based on particle swarm optimization for Texas Hold'em" (2024).
    ``variant`` names its runs: standard PSO, BR-PSO, and cases 1 to 4. Beyond the paper: ``clean`` takes luck out of
    the fitness, ``race`` halves the field as it plays, ``warm`` starts from a library of counter-policies (the variant
    ``quick`` has all three), ``detect`` starts anew when the opponent changes, and ``table=each`` has a swarm for every
    opponent. Its random numbers come from those of its first decision in a match.
    """

    stateless: ClassVar[bool] = False
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"paper": {"variant": "br"}}
    Options = SwarmOptions
    _kernel = staticmethod(swarm_act_kernel)

    def __init__(self, **options: Any) -> None:
        o = self.options = SwarmOptions(**options)
        super().__init__(o.size, o.deals)
        #: Its settings, ``CONFIG_DTYPE[1]``, for kernels.
        self.config = make_config(o)
        if probe := VARIANTS[o.variant].warm if o.warm is None else o.warm:
            load_library().into(self.config, probe)
        self._seats = 1
        self._swarms: Any = np.zeros(1, SWARM_DTYPE)
        #: Chips that each chair has lost to us, and whose swarms have played in this hand.
        self._flow = np.zeros(1)
        self._used = np.zeros(1, np.bool_)
        self._again: Any = np.zeros(1, STATE_DTYPE)
        self._log = np.zeros((2, MAX_ACTIONS), np.int64)
        self._seat = 0

    @property
    def swarm(self) -> Any:
        """Its state, ``SWARM_DTYPE[1]``; with ``table=each`` that of the first opponent."""
        return self._swarms[:1]

    @property
    def losses(self) -> F64:
        """``float64[opponents]``: chips that each has lost to us, from the next chair on."""
        return self._flow.copy()

    def start(self, match: MatchInfo) -> None:
        super().start(match)
        self._seat = match.seat
        self._seats = len(match.names)
        n = self._seats - 1 if self.options.table == "each" else 1
        self._swarms, self._used = np.zeros(n, SWARM_DTYPE), np.zeros(n, np.bool_)
        self._flow = np.zeros(self._seats - 1)
        if self.options.updates is None:
            g = self.config[0]
            # As many as the match has; the paper's 400,000 hands where its length is unknown.
            hands = 400_000 if match.hands is None else match.hands
            g["updates"] = max((hands - int(g["probe"])) // _generation_hands(self.config), 1)

    def act(self, view: View, rng: Rng) -> Action:
        self._turn = self._whose(view, rng)
        self._used[self._turn] = True
        return super().act(view, rng)

    def _kernel_settings(self, view: View) -> tuple[Any, ...]:
        return self._swarms[self._turn : self._turn + 1], self.config

    def _whose(self, view: View, rng: Rng) -> int:
        """Whose swarm decides, drawn from :meth:`_shares`."""
        whose, shares = self._shares(view)
        if len(whose) == 1:
            return whose[0]
        place = int(np.searchsorted(np.cumsum(shares), rng.uniform(), side="right"))
        return whose[min(place, len(whose) - 1)]

    def _shares(self, view: View) -> tuple[list[int], F64]:
        """Whose swarm may decide, and how likely: that of the opponent whose bet we face; else those still in, by how
        much each has lost to us (at least a hundredth of the most)."""
        if len(self._swarms) == 1:
            return [0], np.ones(1)
        if view.legal.to_call:
            for street, position, action in reversed(view.actions):
                if street == view.street and action.kind == RAISE and position != view.position:
                    return [self._opponent_at(view.seats[position])], np.ones(1)
        folded = view.folded
        live = [self._opponent_at(c) for p, c in enumerate(view.seats) if p != view.position and not folded[p]]
        lost = np.maximum(self._flow[live], 0.0)
        lost = np.maximum(lost, 0.01 * lost.max()) if lost.max() > 0.0 else np.ones(len(live))
        return live, lost / lost.sum()

    def _opponent_at(self, chair: int) -> int:
        """Which opponent sits in a chair, counted from the one after ours."""
        return (chair - self._seat) % self._seats - 1

    def observe(self, record: HandRecord) -> None:
        if self._seat not in record.seats:
            return
        own = record.seats.index(self._seat)
        row = self._again[0]
        for p, (stack, hole) in enumerate(zip(record.stacks, record.hole, strict=True)):
            row["stack"][p] = stack
            row["hole"][p] = hole
        row["board"] = 255
        row["board"][: len(record.board)] = record.board
        n = min(len(record.actions), MAX_ACTIONS)
        if n:
            self._log[:, :n] = np.array(record.actions[:n], np.int64).T
        hand = (self._again, record.spec.array, own, *self._log, n, record.payoffs[own] / record.spec.split)
        self._settle(record, own)
        # Of several swarms those that decided something in the hand; a single one counts every hand.
        for k in np.flatnonzero(self._used) if len(self._swarms) > 1 else (0,):
            observe_kernel(self._table, class_equity(), *hand, self._swarms[k : k + 1], self.config)
        self._used[:] = False

    def _settle(self, record: HandRecord, own: int) -> None:
        """Book from whom the chips came: our winnings come from the losers in shares of their losses, our losses go to
        the winners in shares of their winnings."""
        if max(record.seats) > len(self._flow):
            return  # a larger table than that of the match; a smaller one is ours without those who are out
        chips = np.array(record.payoffs, np.float64) / record.spec.split
        mine = chips[own]
        others = np.maximum(-chips, 0.0) if mine > 0.0 else np.maximum(chips, 0.0)
        total = others.sum()
        if mine == 0.0 or total == 0.0:
            return
        for p, chair in enumerate(record.seats):
            if p != own:
                self._flow[self._opponent_at(chair)] += mine * others[p] / total

    def seen_rates(self) -> F64:
        """``float64[4]``: the rates of the opponent as counted so far, for the library."""
        rates = np.zeros(FEATURES)
        features_kernel(self.swarm[0]["seen"], rates)
        return rates

    def playing(self, rng: Rng | None = None, opponent: int = 0) -> F64:
        """The numbers that it plays now (``float64[5]``; with ``streets`` 10 or 20, street by street); before its first
        decision, those that ``rng`` would give it. ``opponent``: with ``table=each`` whose swarm."""
        state = self._readied(rng, opponent)
        x = np.empty(MAX_NUMBERS)
        position_kernel(state, self.config, x)
        return x[: self.config[0]["numbers"]]

    def _readied(self, rng: Rng | None, opponent: int) -> AnyArray:
        """The swarm of an opponent; before the first decision a copy that ``rng`` has made ready."""
        state: AnyArray = self._swarms[opponent : opponent + 1]
        if not state[0]["ready"]:
            state = state.copy()
            ready_kernel(state, self.config, Rng.from_state(rng.state if rng is not None else Rng(0).state).state)
        return state

    def best_weights(self) -> F64:
        """The point that the swarm was drawn to at its last update; before the first, what it plays."""
        if self.swarm[0]["generation"] == 0:
            return self.playing()
        top: F64 = self.swarm[0]["top"][: self.config[0]["numbers"]].copy()
        return top

    def _five(self, view: View, x: F64) -> F64:
        """The five of its numbers that count on the street."""
        at = situation_kernel(len(x), view.street)
        return x[at : at + DIMENSIONS]

    def _masses(self, view: View, rate: float, rng: Rng | None = None) -> tuple[float, float, float]:
        whose, shares = self._shares(view)
        to_call, max_to = view.legal.to_call, view.legal.max_to
        fives = [self._five(view, self.playing(rng, k)) for k in whose]
        fold, call, more = shares @ np.array([risk_policy_kernel(rate, five, to_call, max_to) for five in fives])
        return float(fold), float(call), float(more)

    def advise(self, view: View, rng: Rng) -> Advice:
        whose, shares = self._shares(view)
        most = whose[int(np.argmax(shares))]
        x, h = self.playing(rng, most), self._readied(rng, most)[0]
        rate = self.win_rate(view)
        if h["probing"] > 0:
            phase = Reason("watching", {"hands": int(h["probing"])})
        else:
            counts = {"updates": int(h["generation"]), "hands": int(h["total"])}
            phase = Reason("candidate", {"current": int(h["current"]) + 1, "particles": self.options.m, **counts})
        policy = spread(*self._masses(view, rate, rng), *raise_span(view, self.size))
        reasons = (self.rate_reason(view, rate), phase, _curve_reason(view, self._five(view, x)))
        return Advice.of(policy, reasons, {"win_rate": rate} | _figures(x))

    def save(self) -> bytes:
        """Its state between two hands."""
        flow = self._flow.tobytes()
        return msgspec.msgpack.encode((_VERSION, self.config.tobytes(), self._swarms.tobytes(), flow))

    def load(self, data: bytes) -> None:
        """Continue from :meth:`save`, after :meth:`start`; in a match of another length with that one's schedule.

        Raises:
            ConfigError: the data are not such a state, or one of a swarm with other settings (the first is named).
        """
        with saved_state(data, "a saved swarm"):
            version, config, state, flow = msgspec.msgpack.decode(data, type=tuple[int, bytes, bytes, bytes])
            if (version, len(config), len(state) % SWARM_DTYPE.itemsize) != (_VERSION, self.config.nbytes, 0):
                raise ValueError
        there = np.frombuffer(config, CONFIG_DTYPE).copy()
        if self.options.updates is None:
            there["updates"] = self.config["updates"]  # no setting: they follow from how long the match is
        if wrong := difference(self.config, there):
            raise ConfigError(f"the saved swarm has another configuration: {wrong}", key=wrong.split()[0])
        if (len(state), len(flow)) != (self._swarms.nbytes, self._flow.nbytes):
            seats = len(flow) // 8 + 1
            raise ConfigError(f"the saved swarm played at a table of {seats}: expected one of {self._seats}")
        self._swarms = np.frombuffer(state, SWARM_DTYPE).copy()
        self._flow = np.frombuffer(flow).copy()


def _generation_hands(config: Any) -> int:
    """Hands between two updates: ``particles * hands``, fewer where the worse ones stop early (``race``)."""
    total, alive = 0, int(config[0]["particles"])
    for rung in range(int(config[0]["rungs"]) + 1):
        total += alive * int(quota_kernel(config, rung))
        alive -= alive // 2
    return total


@cache
def class_equity() -> F64:
    """Equity of starting hands by class, ``float64[169, 169]``, for kernels."""
    return np.ascontiguousarray(class_matchups().equity)
