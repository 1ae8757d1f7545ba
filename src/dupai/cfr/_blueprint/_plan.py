"""How a stored blueprint plays: real bets are mapped onto the tree's, and the tree's onto legal ones."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from dupai.base import NotCovered, Progress, Rng
from dupai.base.arrays import F32, F64, AnyArray
from dupai.cards import COMBO_CLASS, COMBOS
from dupai.cfr._blueprint._card import BlueprintCard, raises_fit
from dupai.cfr._blueprint._cards import CardBuckets, KnownBuckets
from dupai.cfr._blueprint._kernels import Tables
from dupai.cfr._blueprint._openings import OpeningValues, opening_values
from dupai.cfr._blueprint._solver import PassSolver, as_played, drawn, shares
from dupai.cfr._blueprint._tree import DECISION, BettingTree, betting_tree, most_paid
from dupai.cfr.postflop._node import met
from dupai.rules import BOARD_CARDS, CALL, FOLD, RAISE, Action, GameSpec
from dupai.spots import HandPolicy, Spot, pseudo_harmonic

#: Times that a bet may be larger or smaller than the one of the tree that it counts as: a bet of one pot that counted
#: as an all-in of ten would be folded to far too often.
_FAR = 2.5
#: Rivers that actions on the turn are judged on.
_RIVERS = 16
#: Boards that a decision on the flop is judged on.
_DRAWN = 40
#: Boards whose buckets are remembered.
_CACHE_SIZE = 256


class ActionValues(NamedTuple):
    """What actions are worth by a blueprint.

    Attributes:
        actions: of the policy, in its order (two may be the same action).
        mean: ``float64[actions, 1326]``: chips won from here on, by hand (folding is 0); nan where it meets nobody.
        error: ``float64[actions, 1326]``: its standard error over the boards. boards: so many.
    """

    actions: tuple[Action, ...]
    mean: F64
    error: F64
    boards: int


class _Counterparts(NamedTuple):
    """What a real action counts as in the tree, by :func:`~dupai.spots.pseudo_harmonic`.

    Attributes:
        children: of the tree, with shares that add up to 1.
        none: the share with which a bet below the smallest of the tree counts as none at all.
    """

    children: tuple[tuple[int, float], ...]
    none: float = 0.0


class StoredBlueprint:
    """The strategy of one game at one depth of stacks, from a file."""

    #: Times that a stack may be deeper or shallower than the one that was solved.
    apart: ClassVar[float] = 1.8

    def __init__(
        self, card: BlueprintCard, cards: CardBuckets, chances: AnyArray, openings: OpeningValues | None = None
    ) -> None:
        self.card = card
        self._cards, self._chances, self._openings = cards, chances, openings
        self._buckets = KnownBuckets(cards, _CACHE_SIZE).of
        self._walker: PassSolver | None = None

    # Made when they are first needed: of the blueprints that ship, most matches need one.

    @cached_property
    def _tree(self) -> BettingTree:
        return betting_tree(self.card.game, self.card.menu)

    @cached_property
    def _offsets(self) -> AnyArray:
        return self._tree.offsets(self._cards.counts)[0]

    @cached_property
    def _table(self) -> F32:
        """By decision and bucket, not normalised, without what is rare."""
        return as_played(self._chances)

    def check(self) -> None:
        """Count the probabilities, for which the tree is built.

        Raises:
            ValueError: there are more or fewer than the tree has.
        """
        if self._tree.offsets(self._cards.counts)[1] != len(self._chances):
            raise ValueError("another number of probabilities than its tree has")
        before = np.flatnonzero((self._tree.kind == DECISION) & (self._tree.street == 0)).tolist()
        children = [child for node in before for child in self._tree.children(node)]
        if self._openings is not None and not np.array_equal(self._openings.nodes, sorted(children)):
            raise ValueError("values before the flop of another tree")

    @property
    def depth(self) -> float:
        """Stacks in big blinds; in limit games what can be paid of them."""
        return most_paid(self.card.game, min(self.card.game.stacks)) / max(self.card.game.blinds)

    def suits(self, spec: GameSpec) -> bool:
        """Whether this is a strategy for such a game, but for the stacks."""
        if spec.players != 2 or any(spec.antes) or not all(spec.blinds):
            return False
        game = self.card.game
        alike = game.betting == spec.betting and game.first_player == spec.first_player
        alike = alike and spec.blinds[0] * game.blinds[1] == spec.blinds[1] * game.blinds[0]
        if game.betting == "no-limit":
            alike = alike and raises_fit(self.card, spec)
        elif game.betting == "limit":
            unit, theirs = max(game.blinds), max(spec.blinds)
            alike = alike and game.max_raises == spec.max_raises
            alike = alike and all(a * theirs == b * unit for a, b in zip(game.bet_sizes, spec.bet_sizes, strict=True))
        return alike

    def policy(self, spot: Spot) -> HandPolicy:
        """The strategy of the player to act, for all hands. A bet between two of the tree is answered by a mixture of
        the answers to both.

        Raises:
            NotCovered: the betting has no counterpart in the tree.
        """
        path = self._place(spot)
        faced = _Counterparts(((path[-1], 1.0),))
        if len(path) > 1:
            last = Spot(spot.spec, spot.rows[:-1], ())
            assert last.action is not None
            faced = self._counterparts(last, path[-2], last.action)
        bucket = self._buckets(spot.board)
        merged: dict[Action, AnyArray] = {}
        for node, share in faced.children:
            for child, row in zip(self._tree.children(node), self._rows(node)[bucket].T, strict=True):
                action = self._real(spot, node, child)
                merged[action] = merged.get(action, 0.0) + share * row
        if faced.none:
            # To no bet nobody folds. Where bluffs of the tree's size b break even, b / (1 + b) folds; with this share
            # s / (1 + s) folds to the smaller bet s, and its bluffs break even.
            folds = merged[Action.fold()]
            merged[Action.fold()] = (1 - faced.none) * folds
            merged[Action.call()] = merged[Action.call()] + faced.none * folds
        return HandPolicy(tuple(merged), np.array(list(merged.values())))

    def values(self, spot: Spot, player: int) -> F64:
        """What hands are worth on a turn or river: see :class:`~dupai.spots.HasHandValues`. On the turn over all
        rivers: with some of them hands alike but for suits get other values, and bounds made of those are loose.

        Raises:
            NotCovered: the betting has no counterpart in the tree, or an earlier street.
        """
        if spot.street < 2:
            raise NotCovered("a blueprint knows the values of hands on the turn and the river", key="situation")
        node, reach = self._reached(spot)
        won, pairs = self._won([node], reach, self._boards(spot.board, rivers=48), player)
        met = pairs.sum(axis=0)
        paid = self._tree.paid[node]
        worth = np.full(COMBOS, np.nan)
        met_some = met > 1e-6 * reach[1 - player].sum() * len(pairs)
        worth[met_some] = (won[0].sum(axis=0)[met_some] / met[met_some] + paid[player]) * (spot["pot"] / paid.sum())
        return worth

    def action_values(self, spot: Spot) -> ActionValues:
        """What the actions of :meth:`policy` are worth to the player to act, if both play by the blueprint from here on
        and the opponent has come here by it: on the river exactly, on turn and flop over cards that are drawn, the same
        at every call (a second for a flop), before the flop from its file. A bet between two of the tree counts as the
        one whose share is larger, and these are the actions there.

        Raises:
            NotCovered: the betting has no counterpart in the tree, or it is before the flop, of which the file has no
                values.
        """
        node, reach = self._reached(spot)
        tree, player = self._tree, spot.position
        children, paid = tree.children(node), tree.paid[node]
        actions = tuple(self._real(spot, node, child) for child in children)
        scale = spot["pot"] / paid.sum()
        if not spot.board:
            if self._openings is None:
                raise NotCovered("the blueprint's file has no values of actions before the flop", key="situation")
            at = np.searchsorted(self._openings.nodes, children)
            first, spread = (one[at][:, COMBO_CLASS].astype(np.float64) for one in self._openings[1:3])
            return ActionValues(actions, (first + paid[player]) * scale, spread * scale, self._openings.boards)
        won, pairs = self._won(children, reach, self._boards(spot.board), player)
        with np.errstate(invalid="ignore", divide="ignore"):
            each = (won / pairs + paid[player]) * scale
        weights = np.where(pairs > 1e-9, pairs, 0.0)
        total = weights.sum(axis=0)
        each = np.where(weights > 0, each, 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = (weights * each).sum(axis=1) / total
            spread = (weights**2 * (each - mean[:, None]) ** 2).sum(axis=1) / total**2
        return ActionValues(actions, mean, np.sqrt(spread), len(pairs))

    def opening_values(self, boards: int, *, jobs: int = 1, progress: Progress | None = None) -> OpeningValues | None:
        """Value the actions before the flop on so many boards; None where ``progress`` is cancelled.

        Args:
            jobs: threads; the result does not depend on them.
        """
        return opening_values(self._tree, self._cards, self._rows, self._table, boards, jobs=jobs, progress=progress)

    def _boards(self, board: tuple[int, ...], rivers: int = _RIVERS) -> list[tuple[int, ...]]:
        """Full boards that a decision is judged on: rivers spread over the 48 that can come; of a flop drawn."""
        if len(board) == 5:
            return [board]
        if len(board) == 4:
            left = [card for card in range(52) if card not in board]
            return [(*board, river) for river in left[:: len(left) // rivers][:rivers]]
        rng = Rng(0, *board)
        return [(*board, *drawn(rng, 2, board)) for _ in range(_DRAWN)]

    def _won(self, nodes: Sequence[int], reach: F64, boards: Sequence[tuple[int, ...]], player: int) -> tuple[F64, F64]:
        """``float64[nodes, boards, 1326]``, what the hands of a player win below some nodes on some boards, in the
        tree's chips since the hand began, in all; and ``float64[boards, 1326]``, by the opponent's hands of so much
        weight that they meet (0 where the board blocks them)."""
        walker = self._walker
        if walker is None:
            walker = self._walker = PassSolver(self._tree, self._cards.counts, COMBOS, 52, 1.0)
        tables = Tables(self._table, self._table, self._table, self._table)
        won, pairs = np.zeros((len(nodes), len(boards), COMBOS)), np.zeros((len(boards), COMBOS))
        for b, board in enumerate(boards):
            deal, hands = self._cards.deal(board, [self._buckets(board[:3]), self._buckets(board[:4])])
            # Values depend on the reach of the other alone; without the player's own, only one side's are worked out.
            weights = np.zeros((2, len(hands)), np.float32)
            weights[1 - player] = reach[1 - player, hands]
            for i, node in enumerate(nodes):
                won[i, b, hands] = walker.below(node, deal, weights, tables)[player]
            theirs = np.zeros(COMBOS)
            theirs[hands] = weights[1 - player]
            pairs[b, hands] = met(theirs)[hands]
        return won, pairs

    def _rows(self, node: int) -> AnyArray:
        """``float64[buckets, actions]``: the shares of a decision's actions."""
        k, n = self._cards.counts[self._tree.street[node]], int(self._tree.n[node])
        begin = int(self._offsets[node])
        return shares(self._table[begin : begin + k * n].reshape(k, n).astype(np.float64))

    def _place(self, spot: Spot) -> list[int]:
        """The nodes of the tree that the real betting goes through; the last is where it is."""
        tree, path = self._tree, [0]
        for i in range(len(spot.rows)):
            one, node = Spot(spot.spec, spot.rows[: i + 1], ()), path[-1]
            if tree.kind[node] != DECISION or tree.street[node] != one.street or tree.player[node] != one.position:
                raise NotCovered("the betting has no counterpart in the blueprint", key="bet")
            action = one.action
            if i == len(spot.rows) - 1 or action is None:
                break
            path.append(self._child(one, node, action))
        return path

    def _reached(self, spot: Spot) -> tuple[int, F64]:
        """The node that the real betting leads to, and ``float64[2, 1326]``, how often each hand of each position takes
        the way there."""
        tree, reach = self._tree, np.ones((2, COMBOS))
        path = self._place(spot)
        for node, child in itertools.pairwise(path):
            bucket = self._buckets(spot.board[: BOARD_CARDS[int(tree.street[node])]])
            reach[tree.player[node]] *= self._rows(node)[bucket, child - int(tree.first[node])]
        return path[-1], reach

    def _counterparts(self, spot: Spot, node: int, action: Action, *, past: bool = False) -> _Counterparts:
        """What a real action counts as in the tree; ``past``: for what comes after its answer, where before the flop a
        raise may be further from the tree's."""
        tree = self._tree
        if action.kind != RAISE:
            for child in tree.children(node):
                if tree.did[child] == action.kind:
                    return _Counterparts(((child, 1.0),))
            raise NotCovered("the betting has no counterpart in the blueprint", key="bet")
        raises = [child for child in tree.children(node) if tree.did[child] == RAISE]
        if not raises:
            raise NotCovered("the blueprint has no raise here", key="bet")
        if action.to >= min(spot["max_to"], spot["total"] + spot["effective"]):
            return _Counterparts(((raises[-1], 1.0),))
        called, pot = spot["total"] + spot["to_call"], spot["pot"] + spot["to_call"]
        size = (action.to - called) / max(pot, 1)
        # No bet at all comes before the smallest one.
        sizes = [0.0, *(self._fraction(node, child) for child in raises)]
        k = next((i for i, one in enumerate(sizes) if size <= one), len(raises))
        small, big = sizes[k - 1], sizes[k]
        share = max(pseudo_harmonic(small, big, size), 0.0)
        if past and not spot.street and k > 1 and small * _FAR < size <= min(small * _FAR**2, big / _FAR):
            return _Counterparts(((raises[k - 2], 1.0),))
        near = small if k > 1 and share > 0.5 else big
        if not near / _FAR <= size <= near * _FAR:
            raise NotCovered("the blueprint has no raise of about this size here", key="bet")
        if k == 1:
            return _Counterparts(((raises[0], 1.0),), share)
        if not share:
            return _Counterparts(((raises[k - 1], 1.0),))
        return _Counterparts(((raises[k - 2], share), (raises[k - 1], 1 - share)))

    def _child(self, spot: Spot, node: int, action: Action) -> int:
        """The one whose share is larger: the same betting always leads to the same node."""
        return max(self._counterparts(spot, node, action, past=True).children, key=lambda one: one[1])[0]

    def _fraction(self, node: int, child: int) -> float:
        paid = self._tree.paid[node]
        called = float(paid.max())
        return (float(self._tree.to[child]) - called) / (2 * called)

    def _real(self, spot: Spot, node: int, child: int) -> Action:
        kind = int(self._tree.did[child])
        if kind == FOLD:
            return Action.fold() if spot["to_call"] else Action.call()
        if kind == CALL or not spot["max_to"]:
            return Action.call()
        if self._tree.to[child] >= min(self.card.game.stacks):
            return Action.raise_to(spot["max_to"])
        called, pot = spot["total"] + spot["to_call"], spot["pot"] + spot["to_call"]
        to = called + round(self._fraction(node, child) * pot)
        return Action.raise_to(min(max(to, spot["min_to"]), spot["max_to"]))
