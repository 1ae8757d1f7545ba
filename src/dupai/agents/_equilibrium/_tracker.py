"""The public state of a hand: every decision's strategy for all hands, and the ranges that follow from it."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dupai.agents._equilibrium._stand_in import push_or_fold
from dupai.base import F64, ConfigError
from dupai.cards import COMBOS, card_text
from dupai.cfr import Bounds, SolveSpot, SpotMove, StreetSolution, StreetState, reach_of
from dupai.ranges import Range
from dupai.reading import possible_hands
from dupai.rules import FOLD, RAISE, Action, View
from dupai.spots import NOTHING, Blueprint, HandPolicy, HasHandValues, Spot, spots

#: Public states that are remembered, and solutions of streets. Those of a turn take tens of MB; a hand needs a few, and
#: the branches that local best response asks about a few more.
_KEPT, _SOLUTIONS = 1000, 8
#: Share of every action in the likelihood of what a player did: nobody plays the strategy exactly.
_SLIP = 0.002
#: Seconds that the values of a turn and its first iterations take at least; with less the blueprint plays it.
_TURN_TAKES = 0.2
#: Reasons and times that are kept.
_NOTED = 1_000


class SolveOptions(NamedTuple):
    """How streets are solved.

    Attributes:
        first: the first street that is solved (2 turn, 3 river, 4: none).
        iterations: on the turn and on the river.
        seconds: the clock of one solution (None: iterations alone).
        method: how the opponent's hands keep the values of the solution before, as in
            :func:`~dupai.cfr.resolve_subgame` (None: they do not).
    """

    first: int = 2
    iterations: tuple[int, int] = (64, 240)
    seconds: tuple[float, float] | None = None
    method: str | None = "weighted"

    def solves(self, street: int) -> bool:
        """Whether a street is solved: a turn only where the clock leaves time for it."""
        return street >= self.first and (street > 2 or self.seconds is None or self.seconds[0] >= _TURN_TAKES)


#: The note where the blueprint plays.
BLUEPRINT = "blueprint"
#: Sizes of the trees: on the turn few, for its rivers are solved with it; on the river more.
_SIZES = {
    2: {"turn": {"bet": "75%", "raise": "100%"}, "river": {"bet": "75%", "raise": "100%"}},
    3: {"river": {"bet": "33%, 75%, 150%, a", "raise": "75%, a"}},
}
_ADD_ALLIN = {2: 2.0, 3: 3.0}
_RAISES = {2: 2, 3: 3}


class Street(NamedTuple):
    """A solution in use: by whom it was solved, and the actions since its root."""

    solution: StreetSolution
    seats: tuple[int, int]  # positions out of and in position
    base: tuple[int, int]  # their totals when the street began
    path: tuple[SpotMove, ...] = ()
    street: int = 3


class PublicState(NamedTuple):
    """What is public before a decision.

    Attributes:
        ranges: ``float64[players, 1326]``, each with largest weight about 1.
        street: the solution in use, if there is one.
        policy: the strategy of the player to act, and where it comes from.
        note: where the strategy comes from, for people.
    """

    ranges: F64
    street: Street | None
    policy: HandPolicy
    note: str


class Tracker:
    """Works out public states decision by decision and keeps them, so that a later view goes on from there.

    Args:
        blueprint: the strategy where nothing is solved (None: the stand-in alone). stand_in: where the blueprint does
            not cover the game. Before both comes the push/fold equilibrium.
    """

    def __init__(self, blueprint: Blueprint | None, stand_in: Blueprint, options: SolveOptions) -> None:
        self.blueprint, self.stand_in, self.options = blueprint, stand_in, options
        self._states: OrderedDict[object, PublicState] = OrderedDict()
        self._solutions: deque[StreetSolution] = deque()
        #: Why the last decisions fell back to the stand-in.
        self.log: deque[str] = deque(maxlen=_NOTED)
        #: Seconds of the last solutions, by street.
        self.seconds: dict[int, deque[float]] = {2: deque(maxlen=_NOTED), 3: deque(maxlen=_NOTED)}

    def state(self, view: View) -> PublicState:
        """The public state of the decision that is due in ``view``."""
        due = spots(view)
        hand = (view.spec, view.start_stacks, view.actor)
        actions = tuple(action for _, _, action in view.actions)
        before: PublicState | None = None
        for i, spot in enumerate(due):
            key = (hand, actions[:i], spot.board)
            known = self._states.get(key)
            if known is None:
                known = self._next(view, due, i, before)
                self._states[key] = known
                if len(self._states) > _KEPT:
                    self._states.popitem(last=False)
            before = known
        assert before is not None
        return before

    # one decision --------------------------------------------------------------------------------------------------

    def _next(self, view: View, due: list[Spot], i: int, before: PublicState | None) -> PublicState:
        spot = due[i]
        if before is None:
            ranges = np.ones((view.spec.players, COMBOS))
            street = None
        else:
            ranges, street = self._acted(due[i - 1], before, spot)
        ranges = ranges * possible_hands(spot.board)
        if self.options.solves(spot.street) and spot["live"] == 2 and view.spec.betting == "no-limit":
            try:
                street = self._solved(view, due, i, ranges, street, before)
                if street is not None:
                    policy, note = self._policy_of(street, spot), f"solved the {_NAMES[spot.street]}"
                    if street.solution.safe:
                        note += ", safe against what the opponent had before"
                    return PublicState(ranges, street, policy, note)
            except (ConfigError, MemoryError, FloatingPointError, ValueError) as error:
                self.log.append(f"hand {view.hand}, decision {i + 1}: {error}")
        return PublicState(ranges, None, *self._unsolved(view, spot))

    def _unsolved(self, view: View, spot: Spot) -> tuple[HandPolicy, str]:
        short = push_or_fold(spot)
        if short is not None:
            return short, "push/fold equilibrium"
        free, note = spot["to_call"] > 0, "stand-in: a model of a strong program"
        if self.blueprint is not None:
            note = "stand-in: the blueprint does not cover this game"
            if self.blueprint.covers(view.spec, view.start_stacks, spot.street):
                try:
                    return self.blueprint.policy(spot).onto_legal(free), BLUEPRINT
                except ConfigError as error:
                    self.log.append(f"hand {view.hand}, decision {len(spot.rows)}: {error}")
                    note = "stand-in: the betting has no counterpart in the blueprint"
        return self.stand_in.policy(spot).onto_legal(free), note

    def _acted(self, spot: Spot, before: PublicState, after: Spot) -> tuple[F64, Street | None]:
        """The ranges after the action at ``spot``, and the solution where it goes on."""
        action = spot.action
        assert action is not None
        called, pot = spot["total"] + spot["to_call"], spot["pot"] + spot["to_call"]
        likelihood = before.policy.nearest(action, called, pot)
        ranges = before.ranges.copy()
        row = ranges[spot.position] * ((1 - _SLIP) * likelihood + _SLIP)
        top = row.max()
        ranges[spot.position] = row / top if top > 0 else before.ranges[spot.position]
        street = before.street
        if street is None:
            return ranges, None
        side = street.seats.index(spot.position) if spot.position in street.seats else -1
        path = street.path
        if side >= 0:
            made = _solver_action(street, spot, action, side)
            path = (*path, made)
        return ranges, street._replace(path=path)

    # solving -------------------------------------------------------------------------------------------------------

    def _solved(
        self, view: View, due: list[Spot], i: int, ranges: F64, street: Street | None, before: PublicState | None
    ) -> Street | None:
        spot = due[i]
        if street is not None and street.street == spot.street:
            if street.solution.place(street.path) is not None:
                return street
            return self._nested(view, due, i, ranges, street)
        if i and due[i - 1].street == spot.street:
            return None  # the street began with more players or without a solution
        me = spot.position
        you = next(p for p in range(view.spec.players) if p != me and not _folded(due[:i], p))
        seats = (me, you)
        total = [_total(due[:i], p, view) for p in seats]
        begun = time.perf_counter()
        values = self._values(view, spot, street, seats) if self.options.method else None
        spent = time.perf_counter() - begun
        resolver = seats.index(view.actor) if view.actor in seats else 0
        return self._new(view, spot, seats, (total[0], total[1]), None, ranges, resolver, values, spent=spent)

    def _new(
        self,
        view: View,
        spot: Spot,
        seats: tuple[int, int],
        base: tuple[int, int],
        state: StreetState | None,
        ranges: F64,
        resolver: int,
        values: F64 | None,
        bounds: Bounds | None = None,
        pot: int | None = None,
        spent: float = 0.0,
    ) -> Street:
        begun = time.perf_counter() - spent  # the values count as part of the solution
        stacks = [view.start_stacks[p] - view.antes[p] - b for p, b in zip(seats, base, strict=True)]
        if pot is None:  # the street begins; else it is the pot before the bets of the street
            pot = spot["pot"]
        oop, ip = (Range(reach_of(ranges[p]) * possible_hands(spot.board)) for p in seats)
        plain = {
            "board": spot.board, "oop": oop, "ip": ip, "pot": pot, "stack": int(min(stacks)),
            "sizes": _SIZES[spot.street], "raise_cap": _RAISES[spot.street], "add_allin": _ADD_ALLIN[spot.street],
            "force_allin": 0.2, "merge": 0.1, "shallow": True,
        }  # fmt: skip
        turn = spot.street == 2
        clock = self.options.seconds
        solution = StreetSolution(
            SolveSpot.from_dict(plain),
            state,
            resolver=resolver,
            values=values,
            method=self.options.method or "weighted",
            iterations=self.options.iterations[0 if turn else 1],
            seconds=None if clock is None else clock[0 if turn else 1] - spent,
            bounds=bounds,
        )
        self.seconds[spot.street].append(time.perf_counter() - begun)
        self._keep(solution)
        return Street(solution, seats, base, (), spot.street)

    def _keep(self, solution: StreetSolution) -> None:
        """Remember a solution, and forget the oldest with all states that follow it."""
        self._solutions.append(solution)
        if len(self._solutions) > _SOLUTIONS:
            oldest = self._solutions.popleft()
            for key in [k for k, s in self._states.items() if s.street is not None and s.street.solution is oldest]:
                del self._states[key]

    def _nested(self, view: View, due: list[Spot], i: int, ranges: F64, street: Street) -> Street:
        """Solve again from a bet that the tree lacks."""
        spot, last = due[i], due[i - 1]
        side = street.seats.index(spot.position)
        bets = [0, 0]
        count = 0
        for one in due[:i]:
            if one.street == spot.street and one["did"] != NOTHING and one.position in street.seats:
                k = street.seats.index(one.position)
                raised = one.action is not None and one.action.kind == RAISE
                count += raised
                bets[k] = one["to"] - street.base[k]
        most = street.solution.spot.stack
        state = StreetState(side, (min(bets[0], most), min(bets[1], most)), count, False)
        values = None
        if self.options.method:
            place = street.solution.place(street.path[:-1])
            other = street.seats.index(last.position)
            if place is not None and other != side:
                values = street.solution.values(place, other, respond=True)
        # Chips beyond what the other has come back, and are no part of the pot.
        return self._new(
            view, spot, street.seats, street.base, state, ranges, side, values, pot=spot["pot"] - sum(bets)
        )

    def solved_within(
        self, view: View, ranges: F64, bounds: Callable[[tuple[int, int], int], Bounds]
    ) -> tuple[Street, HandPolicy]:
        """The decision that is due, solved from here on with other ranges and an opponent who is held to bounds.

        Args:
            view: a turn or river with two players left.
            ranges: ``float64[players, 1326]``.
            bounds: gives the bounds, from the positions out of and in position and what each had put in before the
                street.

        Raises:
            ConfigError: as :class:`~dupai.cfr.StreetSolution`.
        """
        due = spots(view)
        spot = due[-1]
        me = spot.position
        you = next(p for p in range(view.spec.players) if p != me and not _folded(due[:-1], p))
        now = [row for row in due[:-1] if row.street == spot.street]
        first = next((row.position for row in now if row.position in (me, you)), me)
        seats = (first, me + you - first)
        before = [row for row in due[:-1] if row.street < spot.street]
        total = _total(before, me, view) if now else _total(due[:-1], me, view)
        bets = [0, 0]
        count = 0
        for row in now:
            if row.position in seats:
                action = row.action
                raised = action is not None and action.kind == RAISE
                count += raised
                bets[seats.index(row.position)] = row["to"] - total
        side = seats.index(me)
        most = min(view.start_stacks[p] - view.antes[p] - total for p in seats)
        bet = min(bets[0], most), min(bets[1], most)
        state = None if not now else StreetState(side, bet, count, not count)
        held = bounds(seats, total)
        pot = spot["pot"] - sum(bets)
        solved = self._new(view, spot, seats, (total, total), state, ranges, side, None, held, pot)
        return solved, self._policy_of(solved, spot)

    def _values(self, view: View, spot: Spot, street: Street | None, seats: tuple[int, int]) -> F64 | None:
        """What the opponent's hands are worth at the start of a street: from the solution of the street before, or from
        the blueprint."""
        if view.actor not in seats:
            return None
        other = 1 - seats.index(view.actor)
        if street is not None:
            if street.seats != seats:
                return None
            place = street.solution.next_street(street.path, card_text(spot.board[-1]))
            return None if place is None else street.solution.values(place, other, respond=True)
        if self.blueprint is None or not self.blueprint.covers(view.spec, view.start_stacks, spot.street):
            return None
        if isinstance(self.blueprint, HasHandValues):
            try:
                return self.blueprint.values(spot, seats[other]) - spot["pot"] / 2
            except ConfigError as error:
                self.log.append(f"hand {view.hand}, values: {error}")
        return None

    def _policy_of(self, street: Street, spot: Spot) -> HandPolicy:
        place = street.solution.place(street.path)
        assert place is not None
        side = street.seats.index(spot.position)
        actions: list[Action] = []
        rows: list[F64] = []
        for action, row in zip(
            street.solution.actions(place), street.solution.strategy(place).astype(np.float64), strict=True
        ):
            real = _real_action(street, spot, action, side)
            if real in actions:
                rows[actions.index(real)] = rows[actions.index(real)] + row
            else:
                actions.append(real)
                rows.append(row)
        chances = np.array(rows)
        return HandPolicy(tuple(actions), chances / chances.sum(axis=0))


_NAMES = ("preflop", "flop", "turn", "river")


def _real_action(street: Street, spot: Spot, action: SpotMove, side: int) -> Action:
    """A solver's action in chips of the hand."""
    if action.kind == "fold":
        return Action.fold()
    if action.kind in ("check", "call") or not spot["max_to"]:
        return Action.call()
    to = spot["max_to"] if action.kind == "allin" else street.base[side] + action.amount
    return Action.raise_to(min(max(to, spot["min_to"]), spot["max_to"]))


def _solver_action(street: Street, spot: Spot, action: Action, side: int) -> SpotMove:
    """A real action in the words of the solver."""
    if action.kind == FOLD:
        return SpotMove("fold")
    if action.kind != RAISE:
        return SpotMove("call" if spot["to_call"] else "check")
    most = street.solution.spot.stack
    amount = min(action.to - street.base[side], most)
    # A size that was moved to the nearest legal one is the solver's.
    place = street.solution.place(street.path)
    if place is not None and street.solution.player(place) == side:
        for one in street.solution.actions(place):
            if one.amount and _real_action(street, spot, one, side) == action:
                return one
    return SpotMove("allin" if amount == most else "raise" if spot["bet"] or spot["to_call"] else "bet", amount)


def _folded(rows: list[Spot], position: int) -> bool:
    return any(s.position == position and s["did"] == 0 for s in rows)


def _total(rows: list[Spot], position: int, view: View) -> int:
    """What a position has put in before the street: the most that anybody had, for those still in have matched it."""
    return max([int(s["to"]) for s in rows if s["did"] > 0], default=int(max(view.contributions)))
