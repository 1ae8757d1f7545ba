"""The ``exp`` agent: expert rules before the flop, the staged tree from the flop on."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeVar

import numpy as np

from dupai.agents._experience._equilibrium import Solved, solve_decision
from dupai.agents._experience._expert import ExpertModel, due, rule_reasons, situation
from dupai.agents._experience._rulebook import RING, SHIPPED, load_rulebook
from dupai.agents._experience._search import Outcome, StagedSearch
from dupai.agents._experience._tree import TreeMenus
from dupai.agents._protocol import Advice, BaseAgent, MatchInfo
from dupai.base import ConfigError, Option, Rng
from dupai.base.specs import check_between
from dupai.cards import COMBO_INDEX
from dupai.notation import Reason
from dupai.reading import Filter, Reading, load_reader
from dupai.rules import Action, View
from dupai.spots import ActionDistribution, ActionModel, Menu

#: Decisions remembered: a match with luck reduction asks for each twice.
_CACHE_SIZE = 64
#: Street (0 to 3) from which on an equilibrium is solved, by the option ``solve``. On the turn it would take seconds.
_SOLVED_FROM = {"off": 4, "river": 3}
T = TypeVar("T")
#: Actions less likely than this share of the likeliest are not taken.
_MIN_CHANCE = 1e-3


def opponent_model(name: str, file: str = SHIPPED) -> tuple[ActionModel, Filter]:
    """The action model of a name, and the reader that goes with it: ``expert``, or a reader that is a Bayes filter over
    an action model (``bucket``, ``cnn``, ...).

    Raises:
        ConfigError: the reader has no action model, or one that needs ranges.
    """
    if name == "expert":
        model: ActionModel = ExpertModel(load_rulebook(file))
        return model, Filter(model)
    reader = load_reader(name)
    if not isinstance(reader, Filter):
        expected = "this reader is no Bayes filter over an action model; expected one, or expert"
        raise ConfigError(f"model={name!r}: {expected}", key="model")
    if reader.model.needs_ranges:
        why = "needs the ranges of all players, which the tree does not have at every node"
        raise ConfigError(f"model={name!r} {why}", key="model")
    return reader.model, reader


def _remembered(kept: OrderedDict[object, T], view: View, work: Callable[[], T]) -> T:
    """The result of a decision, worked out once."""
    key = (view.spec, view.start_stacks, view.hole, view.board, view.actions, view.position)
    if key not in kept:
        kept[key] = work()
        if len(kept) > _CACHE_SIZE:
            kept.popitem(last=False)
    return kept[key]


class Exp(BaseAgent):
    """Searches a staged tree from the flop on: expert rules for itself, a model for the opponent; heads-up.

    Before the flop it plays by its rules. From the flop on it follows every betting of the street, every next card (or
    a sample) and so on to the showdown, for all hands that the opponent may hold at once, and chooses by the chips that
    each action wins. What it knows of opponents is fixed: it does not learn while it plays. The presets
    ``paper`` (which follows every card) and ``paper-cnn`` (the paper's network predicts the opponent; it samples cards)
    take the best value alone. With ``solve`` it plays an equilibrium on the river, as the paper
    proposes for the future.
    """

    stateless: ClassVar[bool] = True
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "paper": {"turns": 0, "rivers": 0, "last": 0, "doubt": 0.0},
        "paper-cnn": {"model": "cnn:file=paper", "turns": 3, "rivers": 2, "last": 8, "doubt": 0.0},
    }
    players: ClassVar[tuple[int, int]] = (2, 2)

    def __init__(
        self,
        model: Annotated[str, Option("how the opponent acts: expert, or a reader over an action model")] = "expert",
        own: Annotated[
            Literal["expert", "max"], Option("later decisions of its own: by its rules, or the best ones", hidden=True)
        ] = "expert",
        file: Annotated[str, Option("a file of rules; shipped: ours", file=True, words=(SHIPPED, RING))] = SHIPPED,
        turns: Annotated[
            int | None, Option("turn cards of a flop decision; 0: all; none: all, or 12 with another model", 0, 49)
        ] = None,
        rivers: Annotated[
            int | None, Option("rivers after each of them; 0: all; none: 4, or 3 with another model", 0, 48)
        ] = None,
        last: Annotated[int, Option("rivers of a turn decision; 0: all, which is exact", 0, 48, hidden=True)] = 0,
        doubt: Annotated[
            float, Option("pots that its rules weigh against values; 0: the best value alone", 0.0, 100.0)
        ] = 0.3,
        any: Annotated[float, Option("share of actions that its rules would not choose", 0.0, 1.0, hidden=True)] = 0.05,
        solve: Annotated[
            Literal["off", "river"],
            Option("on the river it plays an equilibrium between both ranges instead of the tree's answer"),
        ] = "off",
    ) -> None:
        self.book = load_rulebook(file)
        self.model, self.reader = opponent_model(model, file)
        menus = TreeMenus(Menu(sizes=(0.5, 1.0), all_in=True), Menu(sizes=(0.75,), all_in=True), (3, 2))
        usual = (0, 4) if isinstance(self.model, ExpertModel) else (12, 3)
        turns, rivers = usual[0] if turns is None else turns, usual[1] if rivers is None else rivers
        self.search = StagedSearch(self.book, self.model, menus, own == "max", (turns, rivers, last))
        check_between("doubt", doubt, 0.0, 100.0)
        check_between("any", any, 0.0, 1.0)
        self.doubt = doubt
        self.any = any
        self._first_solved = _SOLVED_FROM[solve]
        self._own = opponent_model("expert", file)[1]
        self._kept: OrderedDict[object, Outcome] = OrderedDict()
        self._solved: OrderedDict[object, Solved] = OrderedDict()

    def start(self, match: MatchInfo) -> None:
        if self._first_solved < _SOLVED_FROM["off"] and match.spec.betting != "no-limit":
            message = f"solve='river' in a {match.spec.betting} game: expected solve=off (the solver bets any size)"
            raise ConfigError(message, key="solve")

    def act(self, view: View, rng: Rng) -> Action:
        return self.policy(view).sample(rng)

    def policy(self, view: View) -> ActionDistribution:
        spot = due(view)
        if spot.street == 0:
            return self.book.actions(spot, situation(self.book, spot, int(COMBO_INDEX[view.hole])).rule)
        if spot.street >= self._first_solved:
            solved = self.solution(view)
            played = [(a, p) for a, p in zip(solved.actions, solved.chances, strict=True) if p > _MIN_CHANCE]
            total = sum(p for _, p in played)
            return ActionDistribution(tuple((a, p / total) for a, p in played))
        outcome = self.find(view)
        chances = self.chances(outcome, float(view.winnable + view.to_call))
        return ActionDistribution(tuple((a, p) for a, p in zip(outcome.actions, chances, strict=True) if p > 0))

    def chances(self, outcome: Outcome, pot: float) -> tuple[float, ...]:
        """The policy after a search: the rules' probabilities, each times exp(value / (doubt * pot))."""
        values = np.array(outcome.values)
        if self.doubt == 0:
            return tuple(np.eye(len(values))[int(np.argmax(values))].tolist())
        prior = (1 - self.any) * np.array(outcome.prior) + self.any / len(values)
        weights = prior * np.exp((values - values.max()) / (self.doubt * pot))
        weights[weights < _MIN_CHANCE * weights.max()] = 0.0
        return tuple((weights / weights.sum()).tolist())

    def find(self, view: View) -> Outcome:
        """The result of the search at a decision after the flop."""
        due(view)
        return _remembered(self._kept, view, lambda: self.search.run(view, self.read(view).p))

    def solution(self, view: View) -> Solved:
        """The equilibrium from a decision on, between the range that our rules have here and the reading."""
        due(view)
        return _remembered(
            self._solved, view, lambda: solve_decision(view, self._own.weights(view)[view.actor], self.read(view).p)
        )

    def read(self, view: View) -> Reading:
        """The reading of the opponent."""
        seat = view.seats[1 - view.actor]
        return self.reader.read(view, [seat])[seat]

    def advise(self, view: View, rng: Rng) -> Advice:
        spot = due(view)
        reasons = rule_reasons(self.book, situation(self.book, spot, int(COMBO_INDEX[view.hole])))
        if spot.street == 0:
            return Advice.of(self.policy(view), reasons)
        if spot.street >= self._first_solved:
            solved = self.solution(view)
            work = Reason("ranges_solved", {"iterations": solved.iterations})
            return Advice.of(self.policy(view), (work, *reasons))
        out = self.find(view)
        work = Reason("searched", {"leaves": out.leaves, "boards": out.boards})
        return Advice(
            actions=out.actions,
            probabilities=self.chances(out, float(view.winnable + view.to_call)),
            values=out.values,
            reasons=(work, *reasons),
            numbers={name: float(getattr(out, name)) for name in ("leaves", "judged", "boards", "nodes")},
            readings={view.seats[1 - view.actor]: self.read(view)},
        )
