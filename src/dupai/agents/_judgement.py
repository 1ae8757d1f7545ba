"""Values of actions: what a judgement holds, and those that an equilibrium gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dupai.agents._equilibrium._stand_in import SHORT, StandIn, push_or_fold, short_game
from dupai.agents._equilibrium._tracker import NotSolved, SolveOptions, Tracker
from dupai.base import Estimate
from dupai.base.arrays import F64
from dupai.cards import COMBO_CLASS, COMBOS, combo
from dupai.equity import class_matchups
from dupai.notation import Reason, choice_reason
from dupai.playouts import ActionValues
from dupai.ranges import Range
from dupai.reading import Reader
from dupai.rules import CALL, FOLD, RAISE, STREET_NAMES, Action, View
from dupai.spots import ActionDistribution, Spot

#: Share of the pot that the values of a solved street may be wrong by.
_SOLVED_ERROR = 0.005
#: Seconds that a solved turn takes at least.
_TURN_SECONDS = 0.5
#: Errors within which a difference counts as none.
_EVEN = 2.0
#: Big blinds that a call may cost to be believed without the prior, and the hands against which it must win.
_SHORT_CALL, _STRONG = 25, "20%"


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """What the actions of a decision are worth.

    Attributes:
        actions: what was tried: fold where there is something to fold to, check or call, raises by size.
        prior: ``float64[actions]``: how often the strongest population (an equilibrium: the solution) takes each.
        values: chips won from here on by each; folding wins 0. Where they are solved, the error is what a solution
            may be wrong by.
        trusted: for each, whether the prior is large enough to believe its value.
        played: the play-outs; None where the values come from an equilibrium.
        source: where the values come from.
    """

    actions: tuple[Action, ...]
    prior: F64
    values: tuple[Estimate, ...]
    trusted: tuple[bool, ...]
    played: ActionValues | None
    source: Reason

    def difference(self, action: int, other: int) -> Estimate:
        """Chips by which one action beats another, by their numbers."""
        if self.played is not None:
            return self.played.difference(action, other)
        one, two = self.values[action], self.values[other]
        return Estimate(one.mean - two.mean, max(one.se, two.se), one.n)

    @property
    def even(self) -> tuple[int, ...]:
        """Numbers of the trusted actions that are no worse than the best of them, as far as one can tell: within twice
        the error of the difference."""
        trusted = [k for k, good in enumerate(self.trusted) if good]
        best = max(trusted, key=lambda k: self.values[k].mean)
        gaps = {k: self.difference(best, k) for k in trusted if k != best}
        return tuple(k for k in trusted if k == best or not gaps[k].mean > _EVEN * gaps[k].se)

    def doubted(self, view: View) -> tuple[Reason, ...]:
        """Says of the best action whose value is not believed that it seems better than the best of the others. Where
        nothing follows the action, what follows is no guess: then it says what the prior plays."""
        top = max(v.mean for v, good in zip(self.values, self.trusted, strict=True) if good)
        better = [k for k, good in enumerate(self.trusted) if not good and self.values[k].mean > top]
        if not better:
            return ()
        best = max(better, key=lambda k: self.values[k].mean)
        final = ends(view, self.actions[best])
        action = self.actions[int(self.prior.argmax()) if final else best]
        return (Reason("prior_plays" if final else "seems_better", {"action": (choice_reason(view, action),)}),)

    @property
    def policy(self) -> ActionDistribution:
        """The advice: an equilibrium's own mix; else between actions that are about even, the prior's."""
        p = self.prior
        if self.played is not None:
            # The prior may never play the only action that is left.
            p = np.where(np.isin(np.arange(len(p)), self.even), np.maximum(p, 1e-9), 0.0)
        return ActionDistribution(tuple(zip(self.actions, (p / p.sum()).tolist(), strict=True)))

    @property
    def best(self) -> int:
        """Number of the recommended action: the likeliest of the likeliest kind in :attr:`policy`."""
        p = np.array([p for _, p in self.policy.points])
        kinds = np.bincount([a.kind for a in self.actions], p, 3)
        return int(np.where([a.kind == kinds.argmax() for a in self.actions], p, -1.0).argmax())


def ends(view: View, action: Action) -> bool:
    """Whether the player decides nothing after an action and no answer to it matters much: a fold, or a call with which
    they or all their opponents are all-in."""
    if action.kind != CALL:
        return action.kind == FOLD
    me = view.actor
    others = [stack for p, stack in enumerate(view.stacks) if p != me and not view.folded[p]]
    return view.to_call > 0 and (view.to_call >= view.stacks[me] or not any(others))


def believed_when_short(view: View, spot: Spot, action: Action, shoves: bool) -> bool:
    """Whether a value is believed whatever the prior, which never had a short stack; before the flop only.

    A call of at most 25 big blinds that :func:`ends` the hand, if it wins against the best fifth of all hands, too:
    then what is read matters little. The fold in its place. With ``shoves`` the first all-in of at most 15 big blinds:
    how often others fold to it is guessed.
    """
    if spot.street:
        return False
    blind = spot["big_blind"]
    if action.kind == RAISE:
        first = not spot["raises"] and not spot["calls"] and action.to >= spot["bet"] + spot["effective"]
        return shoves and first and spot["total"] + spot["effective"] <= SHORT * blind
    if not ends(view, Action.call()) or view.to_call > _SHORT_CALL * blind:
        return False
    table, mine = class_matchups(), COMBO_CLASS[combo(*view.hole_of(view.actor))]
    strong = table.pairs[mine] * Range(_STRONG).class_weights
    wins = float(strong @ table.equity[mine] / strong.sum()) ** (spot["live"] - 1)
    return action.kind == FOLD or wins * (view.winnable + view.to_call) > view.to_call


def solved_street(
    view: View, spot: Spot, reader: Reader, also: Sequence[Action], seconds: float | None
) -> Judgement | None:
    """A heads-up turn or river, solved between what the reader reads of both; None where it cannot be. An action that
    the tree lacks is worth what the nearest raise is."""
    here = [row for row in spot.rows if row["street"] == spot.street]
    first = 2 if seconds is None or seconds >= _TURN_SECONDS else 3
    if spot.street < first or view.spec.betting != "no-limit" or any(row["live"] != 2 for row in here):
        return None
    public, hand = view.public(), combo(*view.hole_of(view.actor))
    ranges = np.zeros((view.spec.players, COMBOS))
    for seat, reading in reader.read(public).items():
        ranges[view.seats.index(seat)] = reading.p
    options = SolveOptions(seconds=None if seconds is None else (seconds, seconds), method=None)
    try:
        street, policy = Tracker(None, StandIn(), options).solved_between(public, ranges)
    except NotSolved:
        return None
    worth = {a: 0.0 if a.kind == FOLD else float(row[hand]) for a, row in street.values(spot).items()}
    raises = [a for a in worth if a.kind == RAISE]
    for one in also:
        if one not in worth and one.kind == FOLD:
            worth[one] = 0.0
        elif one not in worth and raises:
            worth[one] = worth[min(raises, key=lambda a: abs(a.to - one.to))]
    mix, source = policy.of(hand), Reason("solved", {"street": STREET_NAMES[spot.street]})
    prior = {a: mix.probability(a) for a in worth}
    return _solved(worth, prior, source, _SOLVED_ERROR * spot["pot"], also)


def short_stacks(view: View, spot: Spot, also: Sequence[Action]) -> Judgement | None:
    """The push/fold equilibrium, with what its two actions are worth against itself; None where it does not play."""
    game, policy = short_game(spot), push_or_fold(spot)
    if game is None or policy is None:
        return None
    hand = combo(*view.hole_of(view.actor))
    table, mine = class_matchups(), COMBO_CLASS[hand]
    met, wins = table.pairs[mine], table.equity[mine]
    answered = game.push if spot["raises"] else game.call
    share = float(met @ answered / met.sum())
    equity = float((met * answered) @ wins / max(met @ answered, 1e-12))
    if spot["raises"]:
        won = equity * (view.winnable + spot["to_call"]) - spot["to_call"]
    else:
        live = [p for p, out in enumerate(view.folded) if not out]
        stake = min(view.start_stacks[p] - view.antes[p] for p in live)
        adds = {p: max(stake - view.contributions[p], 0) for p in live}
        won = (1 - share) * view.winnable
        won += share * (equity * (view.winnable + sum(adds.values())) - adds[view.actor])
    play = Action.call() if spot["raises"] else Action(RAISE, spot["max_to"])
    prior = {a: float(policy.likelihood(a)[hand]) for a in (play, Action.fold())}
    return _solved({play: won, Action.fold(): 0.0}, prior, Reason("push_fold"), 0.0, also)


def _solved(
    worth: Mapping[Action, float], prior: Mapping[Action, float], source: Reason, error: float, also: Sequence[Action]
) -> Judgement | None:
    """A judgement by an equilibrium; None where ``also`` has other actions, or a hand that meets none has no values."""
    if not set(also) <= set(worth) or not np.isfinite(list(worth.values())).all():
        return None
    actions = tuple(sorted(worth, key=lambda a: (a.kind, a.to)))
    each = tuple(Estimate(worth[a], error if a.kind else 0.0, 1) for a in actions)
    return Judgement(actions, np.array([prior[a] for a in actions]), each, (True,) * len(each), None, source)
