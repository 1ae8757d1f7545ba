"""The agents ``risk`` (a fixed policy of five numbers) and ``swarm`` (finds one while it plays)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import numpy as np

from dupai.agents._kernels import raise_span_kernel
from dupai.agents._layout import DEALS, SIZE
from dupai.agents._protocol import Advice, MatchInfo
from dupai.agents._rates import MOST_DEALS, WinRateAgent, chosen, rate_reason
from dupai.agents._simple import spread
from dupai.agents._swarm._kernels.observe import observe_kernel
from dupai.agents._swarm._kernels.policy import risk_act_kernel, risk_policy_kernel
from dupai.agents._swarm._kernels.swarm import position_kernel, ready_kernel, swarm_act_kernel
from dupai.agents._swarm._layout import DIMENSIONS, MAX_ACTIONS, MAX_PARTICLES, SWARM_DTYPE
from dupai.agents._swarm._library import load_library
from dupai.agents._swarm._options import F64, PRESETS, difference, make_config, policy_of
from dupai.base import ConfigError, Option, Rng
from dupai.equity import class_matchups
from dupai.rules import RAISE, STATE_DTYPE, Action, HandRecord, View
from dupai.spots import SIZE_HELP, ActionDistribution

#: Number of the layout of a saved state.
_VERSION = 2


def text_of(x: F64) -> str:
    """Five numbers as ``risk`` takes them."""
    return "/".join(f"{v:.4g}" for v in x)


def risk_curves(x: F64, rates: F64) -> F64:
    """The policy of five numbers (``float64[5]``) over win rates (``float64[n]``): ``float64[n, 5]``, fold, call and
    raise where there is a bet to fold to, then check and bet where there is none."""
    found = np.empty((len(rates), 5))
    for row, rate in zip(found, rates, strict=True):
        row[:3] = risk_policy_kernel(float(rate), x, 100, 20_000)
        row[3:] = risk_policy_kernel(float(rate), x, 0, 20_000)[1:]
    return found


def risk_policy(view: View, x: F64, rate: float, size: float) -> ActionDistribution:
    """The exact policy of five numbers in ``view`` with win rate ``rate``."""
    legal = view.legal
    fold, call, bet = risk_policy_kernel(rate, x, legal.to_call, legal.max_to)
    mine = int(view.state["total"][0, view.actor])
    lo, hi = raise_span_kernel(size, mine, legal.to_call, view.pot, legal.min_to, legal.max_to)
    return spread(fold, call, bet, lo, hi)


def _curve_reason(view: View, x: F64) -> str:
    if view.legal.to_call:
        return (
            f"facing a bet it plays on with {x[0]:.0%} of all win rates and raises with {x[1]:.0%}, "
            f"steepness {x[2]:.3g}"
        )
    return f"where checking is free it bets with {x[3]:.0%} of all win rates, steepness {x[4]:.3g}"


class Risk(WinRateAgent):
    """A fixed policy of five numbers: sigmoid curves of fold, call and raise over the win rate.

    x1 = P(call or raise), x2 = P(raise), x3 = steepness where there is a bet to fold to; x4 = P(raise), x5 = steepness
    where checking is free; the shares are means over uniform win rates. Source: Hu, Chen, Yuan, Li, Chen, "Online
    opponent exploitation method based on particle swarm optimization for Texas Hold'em" (2024), eq. 1-3. Facing an
    all-in the chance to raise goes to the call. Raises are uniform from the smallest to all-in unless told otherwise.
    """

    def __init__(
        self,
        x: Annotated[str, Option("x1/x2/x3/x4/x5")] = "0.86/0.85/90.96/0.99/15.11",
        size: Annotated[str, Option(SIZE_HELP)] = "random",
        deals: Annotated[int, Option("deals of a win rate against two or more opponents", 1, MOST_DEALS)] = 1000,
    ) -> None:
        super().__init__(size, deals)
        self.x = policy_of(x)

    def act(self, view: View, rng: Rng) -> Action:
        _, to_call, min_to, max_to = view.legal
        size, deals = float(self._parameters[SIZE]), int(self._parameters[DEALS])
        code = risk_act_kernel(
            self._table, view.state, to_call, min_to, max_to, self.x, size, deals, self._memo, rng.state
        )
        return chosen(code, view)

    def policy(self, view: View) -> ActionDistribution:
        return risk_policy(view, self.x, self.win_rate(view), self._parameters[SIZE])

    def numbers(self, view: View) -> Mapping[str, float]:
        return {"win_rate": self.win_rate(view)} | {f"x{k + 1}": float(v) for k, v in enumerate(self.x)}

    def reasons(self, view: View) -> tuple[str, ...]:
        return (
            rate_reason(view, self.win_rate(view), int(self._parameters[DEALS])),
            _curve_reason(view, self.x),
        )


class Swarm(WinRateAgent):
    """Finds the opponent's weakness while playing: a swarm of five-number policies in time (BR-PSO).

    Each of m particles plays nf hands, the chips it wins are its fitness, then the swarm moves. Source: Hu, Chen, Yuan,
    Li, Chen, "Online opponent exploitation method based on particle swarm optimization for Texas Hold'em" (2024).
    ``variant`` names its runs: standard PSO, BR-PSO, and cases 1 to 4. Beyond the paper: ``clean`` takes luck out of
    the fitness, ``race`` halves the field as it plays, ``warm`` starts from a library of counter-policies (the variant
    ``quick`` has all three), ``detect`` starts anew when the opponent changes, and ``table=each`` has a swarm for every
    opponent. Its random numbers come from those of its first decision in a match.
    """

    stateless: ClassVar[bool] = False

    def __init__(
        self,
        variant: Annotated[
            Literal["br", "pso", "1", "2", "3", "4", "quick"],
            Option("whose constants are taken: a run of the paper, or quick, ours"),
        ] = "br",
        m: Annotated[int, Option("particles", 4, MAX_PARTICLES)] = 20,
        nf: Annotated[int | None, Option("hands of a particle's turn; none: of the variant", 1)] = None,
        updates: Annotated[
            int | None, Option("updates until the weights have their last values; none: those of the match", 1)
        ] = None,
        w: Annotated[str | None, Option("inertia, first/last")] = None,
        c1: Annotated[str | None, Option("weight of a particle's own best, first/last")] = None,
        c2: Annotated[str | None, Option("weight of the common best, first/last")] = None,
        speed: Annotated[str | None, Option("most change at an update: none, a number, or five with / between")] = None,
        edge: Annotated[float, Option("shares stay so far from 0 and 1", 1e-6, 0.4)] = 0.01,
        dmin: Annotated[float, Option("least steepness", 0.01, 1000.0)] = 1.0,
        dmax: Annotated[float, Option("most steepness", 0.01, 1000.0)] = 100.0,
        nobody: Annotated[
            Literal["own", "redraw"],
            Option("while no particle was ever positive: each follows its own best, or all are drawn anew"),
        ] = "own",
        clean: Annotated[
            Literal["off", "allin", "cards"] | None,
            Option("fitness: chips; all-ins at their equity; and less what the own cards explain"),
        ] = None,
        race: Annotated[
            int | None, Option("times that the worse half of the field stops early in a generation", 0, 6)
        ] = None,
        warm: Annotated[
            int | None, Option("hands of looking at the opponent, then start from the library; 0: off", 0)
        ] = None,
        spread: Annotated[float | None, Option("how far from the library policy particles start", 0.0, 1.0)] = None,
        detect: Annotated[int, Option("hands of one look at whether the opponent has changed; 0: off", 0)] = 0,
        alarm: Annotated[float, Option("z from which it has", 0.0)] = 5.0,
        table: Annotated[
            Literal["one", "each"],
            Option("one swarm for the table, or one for each opponent"),
        ] = "one",
        size: Annotated[str, Option(SIZE_HELP)] = "random",
        deals: Annotated[int, Option("deals of a win rate against two or more opponents", 1, MOST_DEALS)] = 1000,
    ) -> None:
        super().__init__(size, deals)
        self._config = make_config(
            variant=variant,
            m=m,
            nf=nf,
            updates=updates,
            w=w,
            c1=c1,
            c2=c2,
            speed=speed,
            edge=edge,
            dmin=dmin,
            dmax=dmax,
            nobody=nobody,
            size=float(self._parameters[SIZE]),
            deals=deals,
            clean=clean,
            race=race,
            spread=spread,
            detect=detect,
            alarm=alarm,
        )
        self._updates = updates
        looks = PRESETS[variant].warm if warm is None else warm
        if looks:
            load_library().into(self._config, looks)
        self._each = table == "each"
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

    @property
    def config(self) -> Any:
        """Its settings, ``CONFIG_DTYPE[1]``, for kernels."""
        return self._config

    def start(self, match: MatchInfo) -> None:
        super().start(match)
        self._seat = match.seat
        self._seats = len(match.names)
        n = self._seats - 1 if self._each else 1
        self._swarms = np.zeros(n, SWARM_DTYPE)
        self._flow = np.zeros(self._seats - 1)
        self._used = np.zeros(n, np.bool_)
        if self._updates is None:
            g = self._config[0]
            generation = int(g["particles"]) * int(g["hands"])
            # As many as the match has; the paper's 400,000 hands where nobody says how long it is.
            g["updates"] = max((400_000 if match.hands is None else match.hands) // generation, 1)

    def act(self, view: View, rng: Rng) -> Action:
        _, to_call, min_to, max_to = view.legal
        k = self._whose(view, rng) if len(self._swarms) > 1 else 0
        self._used[k] = True
        swarm = self._swarms[k : k + 1]
        code = swarm_act_kernel(
            self._table, view.state, to_call, min_to, max_to, swarm, self._config, self._memo, rng.state
        )
        return chosen(code, view)

    def _whose(self, view: View, rng: Rng) -> int:
        """Whose swarm decides: that of the opponent who made the bet we face; else one of those still in, drawn by how
        much each has lost to us (at least a hundredth of the most)."""
        if view.legal.to_call:
            for street, position, action in reversed(view.actions):
                if street == view.street and action.kind == RAISE and position != view.position:
                    return self._opponent_at(view.seats[position])
        folded = view.folded
        live = [self._opponent_at(c) for p, c in enumerate(view.seats) if p != view.position and not folded[p]]
        lost = np.maximum(self._flow[live], 0.0)
        lost = np.maximum(lost, 0.01 * lost.max()) if lost.max() > 0.0 else np.ones(len(live))
        place = int(np.searchsorted(np.cumsum(lost) / lost.sum(), rng.uniform(), side="right"))
        return live[min(place, len(live) - 1)]

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
        won = record.payoffs[own] / record.spec.split
        self._settle(record, own)
        # Of several swarms those that decided something in the hand; a single one counts every hand.
        whose = np.flatnonzero(self._used) if len(self._swarms) > 1 else (0,)
        for k in whose:
            observe_kernel(
                self._table,
                class_equity(),
                self._again,
                record.spec.array,
                own,
                self._log[0],
                self._log[1],
                n,
                won,
                self._swarms[k : k + 1],
                self._config,
            )
        self._used[:] = False

    def _settle(self, record: HandRecord, own: int) -> None:
        """Book from whom the chips came: what we win comes from the losers in shares of their losses, what we lose goes
        to the winners in shares of their winnings."""
        if len(self._flow) != len(record.seats) - 1:
            return
        chips = np.array(record.payoffs, np.float64) / record.spec.split
        mine = chips[own]
        others = np.maximum(-chips, 0.0) if mine > 0.0 else np.maximum(chips, 0.0)
        total = others.sum()
        if mine == 0.0 or total == 0.0:
            return
        for p, chair in enumerate(record.seats):
            if p != own:
                self._flow[self._opponent_at(chair)] += mine * others[p] / total

    def playing(self, rng: Rng | None = None) -> F64:
        """The five numbers that it plays now; before its first decision, those that ``rng`` would give it."""
        state = self.swarm
        if not state[0]["ready"]:
            state = state.copy()
            ready_kernel(state, self._config, Rng.from_state(rng.state if rng is not None else Rng(0).state).state)
        x = np.empty(DIMENSIONS)
        position_kernel(state, self._config, x)
        return x

    def found(self) -> F64:
        """The point that the swarm was drawn to at its last update; before the first, what it plays."""
        if self.swarm[0]["generation"] == 0:
            return self.playing()
        top: F64 = self.swarm[0]["top"].copy()
        return top

    def policy(self, view: View) -> ActionDistribution:
        return risk_policy(view, self.playing(), self.win_rate(view), self._parameters[SIZE])

    def advise(self, view: View, rng: Rng) -> Advice:
        x = self.playing(rng)
        h = self.swarm[0]
        rate = self.win_rate(view)
        if h["probing"] > 0:
            phase = f"still looking at the opponent for {int(h['probing'])} hands"
        else:
            phase = (
                f"particle {int(h['current']) + 1} of {int(self._config[0]['particles'])}, after "
                f"{int(h['generation'])} updates and {int(h['total']):,} hands; it plays {text_of(x)}"
            )
        return Advice.of(
            risk_policy(view, x, rate, self._parameters[SIZE]),
            (rate_reason(view, rate, int(self._parameters[DEALS])), phase, _curve_reason(view, x)),
            {"win_rate": rate} | {f"x{k + 1}": float(v) for k, v in enumerate(x)},
        )

    def save(self) -> bytes:
        """Its state between two hands."""
        flow = self._flow.tobytes()
        return msgspec.msgpack.encode((_VERSION, self._config.tobytes(), self._swarms.tobytes(), flow))

    def load(self, data: bytes) -> None:
        """Go on from :meth:`save`, after :meth:`start`.

        Raises:
            ConfigError: it is no such state, or one of a swarm with other settings (the first is named).
        """
        try:
            version, config, state, flow = msgspec.msgpack.decode(data, type=tuple[int, bytes, bytes, bytes])
        except msgspec.DecodeError:
            version, config, state, flow = 0, b"", b"", b""
        if (version, len(config), len(state) % SWARM_DTYPE.itemsize) != (_VERSION, self._config.nbytes, 0):
            raise ConfigError(f"{len(data)} bytes are not a saved swarm: expected what its save() gave")
        other: Any = np.frombuffer(config, self._config.dtype)
        wrong = difference(self._config, other)
        if wrong:
            raise ConfigError(f"the saved swarm has another configuration: {wrong}")
        if (len(state), len(flow)) != (self._swarms.nbytes, self._flow.nbytes):
            there = len(flow) // 8 + 1
            raise ConfigError(f"the saved swarm played at a table of {there}: expected one of {self._seats}")
        self._swarms = np.frombuffer(state, SWARM_DTYPE).copy()
        self._flow = np.frombuffer(flow).copy()


def class_equity() -> F64:
    """Equity of starting hands by class, ``float64[169, 169]``, for kernels."""
    global _EQUITY
    if _EQUITY is None:
        _EQUITY = np.ascontiguousarray(class_matchups().equity)
    return _EQUITY


_EQUITY: F64 | None = None
