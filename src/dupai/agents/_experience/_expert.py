"""The ``expert`` agent and the action model of its rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.agents._experience import _situations as words
from dupai.agents._experience._rulebook import RING, SHIPPED, Rulebook, load_rulebook
from dupai.agents._protocol import PolicyAgent
from dupai.agents._rates import blind
from dupai.base import AgentError, Option
from dupai.base.arrays import F32, AnyArray
from dupai.cards import CLASS_TEXT, COMBO_CLASS, COMBO_INDEX, NO_CARD
from dupai.notation import Reason
from dupai.rules import BOARD_CARDS, MAX_PLAYERS, STREET_WORDS, HandRecord, View
from dupai.spots import ActionDistribution, HandPolicy, Menu, Spot, spots

#: The menu of a reader of experts: a raise up to 1.5 pots, and a larger one.
NATIVE = Menu(sizes=(0.75, 2.5), edges=(1.5,))
LIMIT = Menu(sizes=(1.0,))


class Situation(NamedTuple):
    """A decision in the words of the rules, and the number of the rule that decides."""

    words: tuple[str, ...]
    rule: int


def rule_reasons(book: Rulebook, situation: Situation) -> tuple[Reason, ...]:
    """The situation of a decision, and the rule that decides."""
    rule = book.rules[situation.rule]
    line = Reason("rule", {"book": book.name, "line": rule.line, "rule": rule.text})
    return Reason("situation", {"parts": situation.words}), line


def rules_of_hands(book: Rulebook, spot: Spot) -> np.ndarray[tuple[int], np.dtype[np.int16]]:
    """``int16[1326]``: the rule that decides with every hand (anything for blocked hands)."""
    if spot.street == 0:
        return np.asarray(book.preflop[words.preflop_place(spot)][COMBO_CLASS])
    hands = words.board_hands(spot.board, book.least)
    return np.asarray(book.postflop[(*words.postflop_place(spot), hands.texture)][hands.classes])


def situation(book: Rulebook, spot: Spot, combo: int) -> Situation:
    """The situation of one hand at a decision."""
    if spot.street == 0:
        position, facing, stack = words.preflop_place(spot)
        cls = int(COMBO_CLASS[combo])
        named = (words.POSITIONS[position], words.FACING_PREFLOP[facing], words.STACKS[stack])
        return Situation(("preflop", *named, CLASS_TEXT[cls]), int(book.preflop[position, facing, stack, cls]))
    street, position, facing, stack = words.postflop_place(spot)
    hands = words.board_hands(spot.board, book.least)
    cls = int(hands.classes[combo])
    made, draw = divmod(cls, len(words.DRAWS))
    named = (words.POSITIONS[position], words.FACING_POSTFLOP[facing], words.STACKS[stack])
    held = (words.MADE[made], f"draw {words.DRAWS[draw]}", f"{words.TEXTURES[hands.texture]} board")
    number = int(book.postflop[street, position, facing, stack, hands.texture, cls])
    return Situation((STREET_WORDS[street + 1], *named, *held), number)


class ExpertModel:
    """The expert's rules as an :class:`~dupai.spots.ActionModel`: how a player who follows them acts.

    Args:
        book: the rules.
        slip: share of the decisions in which a player does anything legal: nobody follows rules all the time.
        any_size: share of a rule's raises with any other size: a size that no rule has still counts as a raise.
    """

    needs_ranges = False

    def __init__(self, book: Rulebook, slip: float = 0.02, any_size: float = 0.15) -> None:
        self.book, self.slip, self.any_size = book, slip, any_size

    def menu(self, spot: Spot) -> Menu:
        return NATIVE if spot.spec.betting != "limit" else LIMIT

    def probs(self, spot: Spot) -> F32:
        """``float32[1326, k]``, see :class:`~dupai.spots.ActionModel`."""
        return np.asarray(self.columns(spot, self.menu(spot))[rules_of_hands(self.book, spot)])

    def columns(self, spot: Spot, menu: Menu, legal: npt.NDArray[np.bool_] | None = None) -> F32:
        """``float32[rules, len(menu)]``: the same for every rule; ``legal`` as for :meth:`Rulebook.columns`."""
        return np.asarray(self.many(spot.row, menu, (menu.legal(spot) if legal is None else legal)[None])[0])

    def many(self, rows: AnyArray, menu: Menu, legal: npt.NDArray[np.bool_]) -> F32:
        """``float32[n, rules, len(menu)]``: the same for ``n`` decisions; ``legal``: ``bool[n, len(menu)]``."""
        shares = self.book.columns(rows, menu, legal)
        if not self.slip and not self.any_size:
            return shares
        chances = legal.astype(np.float32)
        raises = chances[:, 2:]
        even = raises / np.maximum(raises.sum(axis=1, keepdims=True), 1)
        raised = shares[:, :, 2:].sum(axis=2, keepdims=True)
        shares[:, :, 2:] = (1 - self.any_size) * shares[:, :, 2:] + self.any_size * raised * even[:, None]
        chances /= chances.sum(axis=1, keepdims=True)
        return np.asarray((1 - self.slip) * shares + self.slip * chances[:, None], np.float32)

    def meet(self, names: Mapping[int, str]) -> None:
        """Everybody plays by the rules."""

    def observe(self, record: HandRecord) -> None:
        """Nothing to learn."""


def due(view: View, most: int = 2) -> Spot:
    """The decision that is due.

    Raises:
        AgentError: more than ``most`` are dealt in, nobody is to act, or the view lacks the actor's cards or the board.
    """
    if view.spec.players > most:
        raise AgentError(f"the expert's rules are for two players, and {view.spec.players} are dealt in")
    if view.actor < 0 or NO_CARD in view.hole or len(view.board) != BOARD_CARDS[view.street]:
        raise blind(view)
    return spots(view)[-1]


class Expert(PolicyAgent):
    """Plays by a file of rules: hand class, position and facing action preflop; made hand, draw and board after.

    The rules are data: ``file`` names your own (docs/how/experience.md has the form). With more than two players a
    second file, of tighter rules, decides before the flop.
    """

    stateless: ClassVar[bool] = True

    def __init__(
        self,
        file: Annotated[str, Option("a file of rules; shipped: ours", file=True, words=(SHIPPED, RING))] = SHIPPED,
        ring: Annotated[
            str,
            Option("three players and more: the file that decides before the flop", file=True, words=(SHIPPED, RING)),
        ] = RING,
    ) -> None:
        self.book, self.ring = load_rulebook(file), load_rulebook(ring)

    def decides(self, view: View) -> Rulebook:
        """The rules that decide."""
        return self.ring if view.spec.players > 2 and view.street == 0 else self.book

    def policy(self, view: View) -> ActionDistribution:
        spot = due(view, MAX_PLAYERS)
        return self.decides(view).actions(spot, self.situation(view, spot).rule)

    def hand_policy(self, view: View) -> HandPolicy:
        """The policy for every hand at once: there are few rules."""
        spot, book = spots(view)[-1], self.decides(view)
        rules, group = np.unique(rules_of_hands(book, spot), return_inverse=True)
        found = [dict(book.actions(spot, int(rule)).points) for rule in rules]
        actions = tuple(dict.fromkeys(action for points in found for action in points))
        chances = np.array([[points.get(action, 0.0) for points in found] for action in actions])
        return HandPolicy(actions, chances[:, group])

    def situation(self, view: View, spot: Spot | None = None) -> Situation:
        """The situation of a view that is due, and the rule that decides."""
        return situation(self.decides(view), spot or due(view, MAX_PLAYERS), int(COMBO_INDEX[view.hole]))

    def reasons(self, view: View) -> tuple[Reason, ...]:
        return rule_reasons(self.decides(view), self.situation(view))

    def numbers(self, view: View) -> Mapping[str, float]:
        number = self.situation(view).rule
        numbers = {"line": float(self.decides(view).rules[number].line)}
        if view.board:
            hands = words.board_hands(tuple(view.board), self.book.least)
            numbers["share_beaten"] = float(hands.share[COMBO_INDEX[view.hole]])
        return numbers
