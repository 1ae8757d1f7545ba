"""The ``expert`` agent and the action model of its rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.agents._experience._rulebook import F32, SHIPPED, Rows, Rulebook, load_rulebook
from dupai.agents._experience._situations import (
    DRAWS,
    FACING_POSTFLOP,
    FACING_PREFLOP,
    MADE,
    POSITIONS,
    STACKS,
    TEXTURES,
    board_hands,
    postflop_place,
    preflop_place,
)
from dupai.agents._protocol import PolicyAgent
from dupai.base import AgentError, Option
from dupai.cards import CLASS_TEXT, COMBO_CLASS, COMBO_INDEX, NO_CARD
from dupai.rules import BOARD_CARDS, STREET_WORDS, HandRecord, View
from dupai.spots import ActionDistribution, Menu, Spot, spots

#: What a reader of experts tells apart: a raise to 1.5 pots, and a larger one.
NATIVE = Menu(sizes=(0.75, 2.5), edges=(1.5,))
LIMIT = Menu(sizes=(1.0,))


class Situation(NamedTuple):
    """A decision in the words of the rules, and the number of the rule that decides."""

    words: tuple[str, ...]
    rule: int


def rules_of_hands(book: Rulebook, spot: Spot) -> np.ndarray[tuple[int], np.dtype[np.int16]]:
    """``int16[1326]``: the rule that decides with every hand (anything for blocked hands)."""
    if spot.street == 0:
        return np.asarray(book.preflop[preflop_place(spot)][COMBO_CLASS])
    hands = board_hands(spot.board, book.least)
    return np.asarray(book.postflop[(*postflop_place(spot), hands.texture)][hands.classes])


def situation(book: Rulebook, spot: Spot, combo: int) -> Situation:
    """The situation of one hand at a decision."""
    if spot.street == 0:
        position, facing, stack = preflop_place(spot)
        cls = int(COMBO_CLASS[combo])
        words = ("preflop", POSITIONS[position], FACING_PREFLOP[facing], STACKS[stack], CLASS_TEXT[cls])
        return Situation(words, int(book.preflop[position, facing, stack, cls]))
    place = postflop_place(spot)
    hands = board_hands(spot.board, book.least)
    cls = int(hands.classes[combo])
    street, position, facing, stack = place
    place_words = (STREET_WORDS[street + 1], POSITIONS[position], FACING_POSTFLOP[facing], STACKS[stack])
    hand_words = (MADE[cls // len(DRAWS)], f"draw {DRAWS[cls % len(DRAWS)]}", f"{TEXTURES[hands.texture]} board")
    return Situation((*place_words, *hand_words), int(book.postflop[(*place, hands.texture, cls)]))


class ExpertModel:
    """The expert's rules as an :class:`~dupai.spots.ActionModel`: who plays by them holds what?

    Args:
        book: the rules.
        slip: share of the decisions in which a player does anything legal: rules are not kept by all at all times.
        any_size: share of a rule's raises whose size may be any other: so a size that no rule has still says *raise*.
    """

    needs_ranges = False

    def __init__(self, book: Rulebook, slip: float = 0.02, any_size: float = 0.15) -> None:
        self.book = book
        self.slip = slip
        self.any_size = any_size

    def menu(self, spot: Spot) -> Menu:
        return NATIVE if spot.spec.betting != "limit" else LIMIT

    def probs(self, spot: Spot) -> F32:
        """``float32[1326, k]``, see :class:`~dupai.spots.ActionModel`."""
        return np.asarray(self.columns(spot, self.menu(spot))[rules_of_hands(self.book, spot)])

    def columns(self, spot: Spot, menu: Menu, legal: npt.NDArray[np.bool_] | None = None) -> F32:
        """``float32[rules, len(menu)]``: the same for every rule; ``legal`` as for :meth:`Rulebook.columns`."""
        return np.asarray(self.many(spot.row, menu, (menu.legal(spot) if legal is None else legal)[None])[0])

    def many(self, rows: Rows, menu: Menu, legal: npt.NDArray[np.bool_]) -> F32:
        """``float32[n, rules, len(menu)]``: the same for ``n`` decisions; ``legal``: ``bool[n, len(menu)]``."""
        found = self.book.columns(rows, menu, legal)
        if not self.slip and not self.any_size:
            return found
        chances = legal.astype(np.float32)
        raises = chances[:, 2:]
        even = raises / np.maximum(raises.sum(axis=1, keepdims=True), 1)
        raised = found[:, :, 2:].sum(axis=2, keepdims=True)
        found[:, :, 2:] = (1 - self.any_size) * found[:, :, 2:] + self.any_size * raised * even[:, None]
        chances /= chances.sum(axis=1, keepdims=True)
        return np.asarray((1 - self.slip) * found + self.slip * chances[:, None], np.float32)

    def meet(self, names: Mapping[int, str]) -> None:
        return None

    def observe(self, record: HandRecord) -> None:
        return None


def due(view: View) -> Spot:
    """The decision that is due.

    Raises:
        AgentError: more than two are dealt in, nobody is to act, or the view lacks the actor's cards or the board.
    """
    if view.spec.players != 2:
        raise AgentError(f"the expert's rules are for two players, and {view.spec.players} are dealt in")
    if view.actor < 0 or NO_CARD in view.hole or len(view.board) != BOARD_CARDS[view.street]:
        raise AgentError(f"position {view.actor} is to act, and the view does not show its hole cards or the board")
    return spots(view)[-1]


class Expert(PolicyAgent):
    """Plays by a file of rules: hand class, position and facing action preflop; made hand, draw and board after it.

    The rules are data: ``file`` names your own (docs/experience.md has the form). Heads-up.
    """

    stateless: ClassVar[bool] = True
    players: ClassVar[tuple[int, int]] = (2, 2)

    def __init__(self, file: Annotated[str, Option("a file of rules; shipped: ours")] = SHIPPED) -> None:
        self.book = load_rulebook(file)

    def policy(self, view: View) -> ActionDistribution:
        spot = due(view)
        return self.book.actions(spot, self.situation(view, spot).rule)

    def situation(self, view: View, spot: Spot | None = None) -> Situation:
        """The situation of a view that is due, and the rule that decides."""
        return situation(self.book, spot or due(view), int(COMBO_INDEX[view.hole]))

    def reasons(self, view: View) -> tuple[str, ...]:
        words, number = self.situation(view)
        rule = self.book.rules[number]
        return (", ".join(words), f"{self.book.name}, line {rule.line}: {rule.text}")

    def numbers(self, view: View) -> Mapping[str, float]:
        number = self.situation(view).rule
        found = {"line": float(self.book.rules[number].line)}
        if view.board:
            hands = board_hands(tuple(view.board), self.book.least)
            found["share_beaten"] = float(hands.share[COMBO_INDEX[view.hole]])
        return found
