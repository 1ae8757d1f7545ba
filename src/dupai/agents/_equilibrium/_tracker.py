"""The public state of a hand: every decision's strategy for all hands, and the ranges that follow from it."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dupai.agents._equilibrium._stand_in import push_or_fold
from dupai.agents._equilibrium._street import Root, Street
from dupai.base import NotCovered, TooLarge
from dupai.base.arrays import F64, Bool
from dupai.cards import COMBOS, card_text
from dupai.cfr import SolveSpot
from dupai.cfr.postflop import StreetSolution, reach_of
from dupai.notation import Reason, reason_words
from dupai.ranges import Range
from dupai.reading import possible_hands
from dupai.rules import STREET_NAMES, View
from dupai.spots import Blueprint, HandPolicy, HasHandValues, Spot, spots

#: Public states that are remembered, and solutions of streets. Those of a turn take tens of MB; a hand needs a few, and
#: the branches that local best response asks about a few more.
MAX_STATES, MAX_SOLUTIONS = 1000, 8
#: Share of every action in the likelihood of what a player did: nobody plays the strategy exactly.
_SLIP = 0.002
#: Part of a range that its least likely hands are together, which are then taken for hands that it cannot hold.
_UNHELD = 0.02
#: Seconds that the values of a turn and its first iterations take at least; with less the blueprint plays it.
_MIN_TURN_SECONDS = 0.2


class SolveOptions(NamedTuple):
    """How streets are solved.

    Attributes:
        first: the first street that is solved (2 turn, 3 river, 4: none).
        iterations: on the turn and on the river.
        seconds: the clock of one solution (None: iterations alone).
        method: how the opponent's hands keep the values of the solution before, as in
            :class:`~dupai.cfr.postflop.StreetSolution` (None: they do not).
    """

    first: int = 2
    iterations: tuple[int, int] = (64, 240)
    seconds: tuple[float, float] | None = None
    method: str | None = "weighted"

    def has_time(self, street: int) -> bool:
        """Whether the clock leaves time for a street: a river always has it."""
        return street > 2 or self.seconds is None or self.seconds[0] >= _MIN_TURN_SECONDS


#: Sizes of the trees by street. A turn has few, for its rivers are solved with it; a river has more.
_SIZES = {
    2: {"turn": {"bet": "75%", "raise": "100%"}, "river": {"bet": "75%", "raise": "100%"}},
    3: {"river": {"bet": "33%, 75%, 150%, a", "raise": "75%, a"}},
}
_ADD_ALLIN = {2: 2.0, 3: 3.0}
_RAISE_CAPS = {2: 2, 3: 3}

#: What is said where the blueprint has no strategy, by the key of its :class:`~dupai.base.NotCovered`.
_STAND_IN = {
    "game": Reason("stand_in_game_not_covered"),
    "bet": Reason("stand_in_no_such_bet"),
    "situation": Reason("stand_in_situation_unknown"),
}
#: Codes of reasons by which a decision is weaker than the agent's options ask for.
FALLBACKS = {"street_too_large", "street_without_pot", "clock_too_short", "solved_unsafe"} | {
    reason.code for reason in _STAND_IN.values()
}
BLUEPRINT = Reason("blueprint")
_PUSH_FOLD = Reason("push_fold")
_ONLY_STAND_IN = Reason("stand_in")


class NotSolved(Exception):
    """A street that the options solve and that cannot be solved, with the reason."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason_words(reason))
        self.reason = reason


class PublicState(NamedTuple):
    """What is public before a decision.

    Attributes:
        ranges: ``float64[players, 1326]``, each with largest weight about 1.
        street: the solution in use, if there is one.
        policy: the strategy of the player to act.
        reasons: where the strategy comes from, then why not from something better.
    """

    ranges: F64
    street: Street | None
    policy: HandPolicy
    reasons: tuple[Reason, ...]

    @property
    def fallbacks(self) -> tuple[Reason, ...]:
        """The reasons that are fall-backs."""
        return tuple(reason for reason in self.reasons if reason.code in FALLBACKS)


class Tracker:
    """Works out public states decision by decision and keeps them, so that a later view goes on from there.

    A street that is too large, a clock that is too short and a bet or game that the blueprint does not cover are
    reasons of the state; any other failure of a solution is raised.

    Args:
        blueprint: the strategy where nothing is solved (None: the stand-in alone).
        stand_in: the strategy where the blueprint has none. Before both comes the push/fold equilibrium.
    """

    def __init__(self, blueprint: Blueprint | None, stand_in: Blueprint, options: SolveOptions) -> None:
        self.blueprint, self.stand_in, self.options = blueprint, stand_in, options
        self._states: OrderedDict[object, PublicState] = OrderedDict()
        self._solutions: deque[StreetSolution] = deque()

    def state(self, view: View) -> PublicState:
        """The public state of the decision that is due in ``view``."""
        decisions = spots(view)
        hand = (view.spec, view.start_stacks, view.actor)
        actions = tuple(action for _, _, action in view.actions)
        state: PublicState | None = None
        for n, spot in enumerate(decisions):
            key = (hand, actions[:n], spot.board)
            known = self._states.get(key)
            if known is None:
                known = self._next(view, decisions[: n + 1], state)
                self._states[key] = known
                if len(self._states) > MAX_STATES:
                    self._states.popitem(last=False)
            state = known
        assert state is not None
        return state

    # one decision --------------------------------------------------------------------------------------------------

    def _next(self, view: View, decisions: Sequence[Spot], before: PublicState | None) -> PublicState:
        """The state of the last of some decisions, from the state before."""
        spot = decisions[-1]
        if before is None:
            ranges, street = np.ones((view.spec.players, COMBOS)), None
        else:
            last, policy = decisions[-2], before.policy
            ranges, street = _acted(last, before, policy)
        ranges = ranges * possible_hands(spot.board)
        unsolved: tuple[Reason, ...] = ()
        try:
            solved = self._solved(view, decisions, ranges, street)
            if solved is not None:
                own = solved.solution.safe and spot.position == view.actor
                policy = solved.policy(spot, cannot_hold(ranges[spot.position]) if own else None)
                return PublicState(ranges, solved, policy, self._solved_reasons(solved))
        except NotSolved as cause:
            unsolved = (cause.reason,)
        policy, source = self._unsolved(view, spot)
        return PublicState(ranges, None, policy, (source, *unsolved))

    def _unsolved(self, view: View, spot: Spot) -> tuple[HandPolicy, Reason]:
        """The strategy where nothing is solved, and where it comes from."""
        short = push_or_fold(spot)
        if short is not None:
            return short, _PUSH_FOLD
        can_fold, source = spot["to_call"] > 0, _ONLY_STAND_IN
        if self.blueprint is not None:
            source = _STAND_IN["game"]
            if self.blueprint.covers(view.spec, view.start_stacks, spot.street):
                try:
                    return self.blueprint.policy(spot).onto_legal(can_fold), BLUEPRINT
                except NotCovered as error:
                    source = _STAND_IN.get(error.key or "", _STAND_IN["situation"])
        return self.stand_in.policy(spot).onto_legal(can_fold), source

    def _solved_reasons(self, street: Street) -> tuple[Reason, ...]:
        name = STREET_NAMES[street.number]
        if street.solution.safe:
            return (Reason("solved_safe", {"street": name}),)
        solved = Reason("solved", {"street": name})
        if self.options.method is None:
            return (solved,)
        return solved, Reason("solved_unsafe")

    # solving -------------------------------------------------------------------------------------------------------

    def _solved(self, view: View, decisions: Sequence[Spot], ranges: F64, street: Street | None) -> Street | None:
        """The solution to play by; None where the options solve nothing.

        Raises:
            NotSolved: the options solve the street, but it cannot be done.
        """
        spot = decisions[-1]
        if spot.street < self.options.first or spot["live"] != 2 or view.spec.betting != "no-limit":
            return None
        if not self.options.has_time(spot.street):
            raise NotSolved(Reason("clock_too_short", {"street": STREET_NAMES[spot.street]}))
        if street is not None and street.number == spot.street:
            if street.solution.place(street.path) is not None:
                return street
            return self._nested(view, decisions, ranges, street)
        if len(decisions) > 1 and decisions[-2].street == spot.street:
            return None  # the street began with more players or without a solution
        root = Root.of(view, decisions)
        begun = time.perf_counter()
        values = self._values(view, spot, street, root.seats) if self.options.method else None
        spent = time.perf_counter() - begun  # the values count as part of the solution
        resolver = root.seats.index(view.actor) if view.actor in root.seats else 0
        return self._solve(spot, root, ranges, resolver, values, spent=spent)

    def _solve(
        self,
        spot: Spot,
        root: Root,
        ranges: F64,
        resolver: int,
        values: F64 | None,
        spent: float = 0.0,
    ) -> Street:
        """Solve a street from a root on.

        Args:
            resolver, values: as for :class:`~dupai.cfr.postflop.StreetSolution`.
            spent: seconds of the clock that are used up.

        Raises:
            NotSolved: it is too large, or there is nothing in the pot.
        """
        name, which = STREET_NAMES[spot.street], spot.street - 2
        if not root.pot:
            raise NotSolved(Reason("street_without_pot", {"street": name}))
        oop, ip = (Range(reach_of(ranges[p]) * possible_hands(spot.board)) for p in root.seats)
        plain = {
            "board": spot.board, "oop": oop, "ip": ip, "pot": root.pot, "stack": root.stack,
            "sizes": _SIZES[spot.street], "raise_cap": _RAISE_CAPS[spot.street], "add_allin": _ADD_ALLIN[spot.street],
            "force_allin": 0.2, "merge": 0.1, "shallow": True,
        }  # fmt: skip
        clock = self.options.seconds
        try:
            solution = StreetSolution(
                SolveSpot.from_dict(plain),
                root.betting,
                resolver=resolver,
                values=values,
                method=self.options.method or "weighted",
                iterations=self.options.iterations[which],
                seconds=None if clock is None else clock[which] - spent,
            )
        except TooLarge as error:
            raise NotSolved(Reason("street_too_large", {"street": name})) from error
        self._remember(solution)
        return Street(solution, spot.street, root.seats, root.paid)

    def _remember(self, solution: StreetSolution) -> None:
        """Keep a solution, and forget the oldest with all states that follow it."""
        self._solutions.append(solution)
        if len(self._solutions) > MAX_SOLUTIONS:
            oldest = self._solutions.popleft()
            for key in [k for k, s in self._states.items() if s.street is not None and s.street.solution is oldest]:
                del self._states[key]

    def _nested(self, view: View, decisions: Sequence[Spot], ranges: F64, street: Street) -> Street:
        """Solve again from a bet that the tree lacks."""
        spot, root = decisions[-1], Root.of(view, decisions)
        resolver, bettor = street.seats.index(spot.position), street.seats.index(decisions[-2].position)
        values = None
        if self.options.method:
            place = street.solution.place(street.path[:-1])
            if place is not None and bettor != resolver:
                values = street.solution.values(place, bettor, respond=True)
        return self._solve(spot, root, ranges, resolver, values)

    def solved_between(self, view: View, ranges: F64) -> tuple[Street, HandPolicy]:
        """The decision that is due, solved from here on with other ranges.

        Args:
            view: a turn or river with two players left.
            ranges: ``float64[players, 1326]``.

        Raises:
            NotSolved: it is too large, or there is nothing in the pot.
        """
        decisions = spots(view)
        spot, root = decisions[-1], Root.of(view, decisions)
        side = root.seats.index(spot.position)
        street = self._solve(spot, root, ranges, side, None)
        return street, street.policy(spot)

    def _values(self, view: View, spot: Spot, street: Street | None, seats: tuple[int, int]) -> F64 | None:
        """What the opponent's hands are worth at the start of a street: from the solution of the street before, or from
        the blueprint; None where neither knows them."""
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
            except NotCovered:
                return None  # the solution is then not safe, which is among the reasons
        return None


def cannot_hold(weights: F64) -> Bool:
    """``bool[1326]``: the least likely hands of a range, which together are less than 2 % of it."""
    order = np.argsort(weights, kind="stable")
    out: Bool = np.zeros(COMBOS, np.bool_)
    out[order] = np.cumsum(weights[order]) < _UNHELD * weights.sum()
    return out


def _acted(spot: Spot, before: PublicState, policy: HandPolicy) -> tuple[F64, Street | None]:
    """The ranges after the action at ``spot``, which was played by ``policy``, and the solution that goes on."""
    action = spot.action
    assert action is not None
    called, pot = spot["total"] + spot["to_call"], spot["pot"] + spot["to_call"]
    likelihood = policy.nearest(action, called, pot)
    ranges = before.ranges.copy()
    row = ranges[spot.position] * ((1 - _SLIP) * likelihood + _SLIP)
    top = row.max()
    ranges[spot.position] = row / top if top > 0 else before.ranges[spot.position]
    return ranges, None if before.street is None else before.street.after(spot, action)
