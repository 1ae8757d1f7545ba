"""Blueprints as files, and how they play: real bets are mapped onto the tree's, and the tree's onto legal ones."""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path

import msgspec
import numpy as np

from dupai.base import F32, F64, AnyArray, ConfigError, FileError, open_whole, read_arrays
from dupai.cards import CLASSES, COMBOS
from dupai.cfr._blueprint._cards import BINS, GROUPS, CardBuckets
from dupai.cfr._blueprint._kernels import Tables
from dupai.cfr._blueprint._solver import BlueprintSolver, Measured, PassSolver, shares
from dupai.cfr._blueprint._tree import DECISION, BetMenu, BettingTree, betting_tree
from dupai.cfr.postflop._nested import met
from dupai.rules import BOARD_CARDS, CALL, FOLD, RAISE, Action, GameSpec
from dupai.spots import HandPolicy, Spot

BLUEPRINT_VERSION = 1
#: The folder of those that ship.
SHIPPED = Path(__file__).with_name("shipped")
#: Actions that a hand takes more rarely are not taken.
_RARE = 0.03
#: Times that a bet may be larger or smaller than the one of the tree that it counts as: a bet of one pot that counted
#: as an all-in of ten would be folded to far too often.
_FAR = 2.5
#: Rivers that the values of a turn are averaged over.
_RIVERS = 16
#: Boards whose buckets are remembered.
_KEPT = 256
#: Times that a stack may be deeper or shallower than the nearest that was solved.
_APART = 1.8


class BlueprintCard(msgspec.Struct, frozen=True, kw_only=True):
    """What a blueprint is and how it was made.

    Attributes:
        game, menu, buckets: the game, its bets, and the buckets by street.
        nodes, entries: decisions of the tree, and probabilities in all.
        passes, seconds, seed: of the training. machine: where it ran.
        measured: how far it is from an equilibrium inside its abstraction; None: not measured.
    """

    version: int = BLUEPRINT_VERSION
    name: str = ""
    game: GameSpec
    menu: BetMenu
    buckets: tuple[int, int, int, int]
    nodes: int
    entries: int
    passes: int
    seconds: float
    seed: int
    machine: str = ""
    measured: Measured | None = None


def save_blueprint(path: Path, solver: BlueprintSolver, card: BlueprintCard) -> int:
    """Write a blueprint as a compressed ``.npz``: eight bits a probability. Gives its size in bytes.

    Raises:
        FileError: the file cannot be written.
    """
    chances = np.zeros(solver.entries, np.uint8)
    for node in np.flatnonzero(solver.tree.kind == DECISION).tolist():
        rows = solver.rows(node)
        begin = int(solver.offsets[node])
        chances[begin : begin + rows.size] = np.rint(rows * 255).astype(np.uint8).ravel()
    arrays = solver.cards._asdict() | {"chances": chances, "card": np.frombuffer(msgspec.json.encode(card), np.uint8)}
    with open_whole(path, "wb") as file:
        np.savez_compressed(file, **arrays)
    return path.stat().st_size


class StoredBlueprint:
    """The strategy of one game at one depth of stacks, from a file."""

    def __init__(self, card: BlueprintCard, cards: CardBuckets, chances: AnyArray) -> None:
        self.card = card
        self._cards, self._chances = cards, chances
        self._known: OrderedDict[tuple[int, ...], AnyArray] = OrderedDict()
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
        """By decision and bucket, not normalised. What is rarer is not taken, for it stems from the first passes."""
        return np.where(self._chances < 255 * _RARE, np.float32(0), self._chances.astype(np.float32))

    @classmethod
    def load(cls, path: Path, *, checked: bool = True) -> StoredBlueprint:
        """Read a file of :func:`save_blueprint`.

        Args:
            checked: whether its probabilities are counted, for which the tree is built.

        Raises:
            FileError: it is not that, is damaged, or of another version.
        """
        stored = read_arrays(path, "blueprint")
        try:
            card = msgspec.json.decode(bytes(stored["card"]), type=BlueprintCard)
        except (KeyError, ValueError, msgspec.MsgspecError):
            raise FileError(f"{path} is no blueprint: expected a file of 'dupai train blueprint'", path=path) from None
        if card.version != BLUEPRINT_VERSION:
            raise FileError(f"{path} is a blueprint of version {card.version}: expected {BLUEPRINT_VERSION}", path=path)
        try:
            cards = CardBuckets(stored["flop"], stored["turn"], stored["river"], stored["groups"])
            shapes = [a.shape[1:] for a in cards[:3]], cards.groups.shape, cards.counts
            if (
                shapes != ([(BINS,), (BINS,), (GROUPS,)], (CLASSES,), card.buckets)
                or stored["chances"].dtype != np.uint8
            ):
                raise ValueError("arrays of other shapes than its card says")
            plan = cls(card, cards, stored["chances"])
            if checked and plan._tree.offsets(cards.counts)[1] != len(stored["chances"]):
                raise ValueError("another number of probabilities than its tree has")
            return plan
        except (KeyError, ValueError, IndexError, ConfigError) as error:
            raise FileError(f"{path} is a damaged blueprint: {error}", path=path) from None

    @property
    def depth(self) -> float:
        """Stacks in big blinds."""
        return min(self.card.game.stacks) / max(self.card.game.blinds)

    def policy(self, spot: Spot) -> HandPolicy:
        """The strategy of the player to act, for all hands.

        Raises:
            ConfigError: the betting has no counterpart in the tree.
        """
        tree, node = self._tree, self._place(spot)[-1]
        chances = self._rows(node)[self._buckets(spot.board)].T
        merged: dict[Action, AnyArray] = {}
        for child, row in zip(tree.children(node), chances, strict=True):
            action = self._real(spot, node, child)
            merged[action] = merged[action] + row if action in merged else row
        return HandPolicy(tuple(merged), np.array(list(merged.values())))

    def values(self, spot: Spot, player: int) -> F64:
        """What hands are worth on a turn or river: see :class:`~dupai.spots.HasHandValues`. On the turn over 16 rivers.

        Raises:
            ConfigError: the betting has no counterpart in the tree, or an earlier street.
        """
        if spot.street < 2:
            raise ConfigError("a blueprint knows the values of hands on the turn and the river")
        node, reach = self._reached(spot)
        walker = self._walker
        if walker is None:
            walker = self._walker = PassSolver(self._tree, self._cards.counts, COMBOS, 52, 1.0)
        tables = Tables(self._table, self._table, self._table, self._table)
        left = [card for card in range(52) if card not in spot.board]
        rivers = left[:: len(left) // _RIVERS][:_RIVERS] if spot.street == 2 else [None]
        won, pairs = np.zeros(COMBOS), np.zeros(COMBOS)
        known = [self._buckets(spot.board[:n]) for n in (3, 4)]
        for river in rivers:
            board = spot.board if river is None else (*spot.board, river)
            deal, hands = self._cards.deal(board, known)
            weights = reach[:, hands].astype(np.float32)
            won[hands] += walker.below(node, deal, weights, tables)[player]
            theirs = np.zeros(COMBOS)
            theirs[hands] = weights[1 - player]
            pairs[hands] += met(theirs)[hands]
        paid = self._tree.paid[node]
        worth = np.full(COMBOS, np.nan)
        met_some = pairs > 1e-6 * reach[1 - player].sum() * len(rivers)
        worth[met_some] = (won[met_some] / pairs[met_some] + paid[player]) * (spot["pot"] / paid.sum())
        return worth

    def _rows(self, node: int) -> AnyArray:
        """``float64[buckets, actions]``: the shares of a decision's actions."""
        k, n = self._cards.counts[self._tree.street[node]], int(self._tree.n[node])
        begin = int(self._offsets[node])
        return shares(self._table[begin : begin + k * n].reshape(k, n).astype(np.float64))

    def _buckets(self, board: tuple[int, ...]) -> AnyArray:
        known = self._known.get(board)
        if known is None:
            known = self._known[board] = self._cards.of(board)
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return known

    def _place(self, spot: Spot) -> list[int]:
        """The nodes of the tree that the real betting goes through; the last is where it is."""
        tree, path = self._tree, [0]
        for i in range(len(spot.rows)):
            one, node = Spot(spot.spec, spot.rows[: i + 1], ()), path[-1]
            if tree.kind[node] != DECISION or tree.street[node] != one.street or tree.player[node] != one.position:
                raise ConfigError("the betting has no counterpart in the blueprint")
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

    def _child(self, spot: Spot, node: int, action: Action) -> int:
        tree = self._tree
        if action.kind != RAISE:
            for child in tree.children(node):
                if tree.did[child] == action.kind:
                    return child
            raise ConfigError("the betting has no counterpart in the blueprint")
        raises = [(self._fraction(node, child), child) for child in tree.children(node) if tree.did[child] == RAISE]
        if not raises:
            raise ConfigError("the blueprint has no raise here")
        if action.to >= spot["max_to"]:
            return raises[-1][1]
        called, pot = spot["total"] + spot["to_call"], spot["pot"] + spot["to_call"]
        size = (action.to - called) / max(pot, 1)
        near, child = raises[-1]
        for (small, low), (big, high) in itertools.pairwise(raises):
            if size <= big:
                # The pseudo-harmonic mapping, by the larger share: the same history always leads to the same node.
                smaller = size < (small + big + 2 * small * big) / (small + big + 2)
                near, child = (small, low) if smaller else (big, high)
                break
        if not near / _FAR <= size <= near * _FAR:
            raise ConfigError("the blueprint has no raise of about this size here")
        return child

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


class Blueprints:
    """A :class:`~dupai.spots.Blueprint` of one or more depths of stacks: a hand is played by the nearest.

    Args:
        plans: at least one.
    """

    def __init__(self, plans: Sequence[StoredBlueprint]) -> None:
        self.plans = tuple(sorted(plans, key=lambda plan: plan.depth))

    @classmethod
    def load(cls, paths: Sequence[Path]) -> Blueprints:
        """Read files of 'dupai train blueprint'.

        Raises:
            FileError: one is not that.
        """
        return cls([StoredBlueprint.load(path) for path in paths])

    @classmethod
    def shipped(cls) -> Blueprints | None:
        """The blueprints that come with dupai, read once (None: none does)."""
        return _shipped()

    def _plan(self, spec: GameSpec, stacks: tuple[int, ...]) -> StoredBlueprint | None:
        if spec.players != 2 or any(spec.antes) or not all(spec.blinds):
            return None
        depth = min(stacks) / max(spec.blinds)
        best = None
        for plan in self.plans:
            game = plan.card.game
            alike = game.betting == spec.betting and game.first_player == spec.first_player
            alike = alike and spec.blinds[0] * game.blinds[1] == spec.blinds[1] * game.blinds[0]
            if game.betting == "limit":
                unit, theirs = max(game.blinds), max(spec.blinds)
                alike = alike and game.max_raises == spec.max_raises
                alike = alike and all(
                    a * theirs == b * unit for a, b in zip(game.bet_sizes, spec.bet_sizes, strict=True)
                )
            apart = max(depth / plan.depth, plan.depth / depth)
            if alike and apart <= _APART and (best is None or apart < best[0]):
                best = apart, plan
        return None if best is None else best[1]

    def covers(self, spec: GameSpec, stacks: tuple[int, ...], street: int) -> bool:
        """Whether a blueprint was solved for such a game at about this depth (within a factor of 1.8)."""
        return self._plan(spec, stacks) is not None

    def policy(self, spot: Spot) -> HandPolicy:
        """The strategy of the player to act, for all hands.

        Raises:
            ConfigError: the game is not covered, or the betting has no counterpart in the tree.
        """
        return self._plan_of(spot).policy(spot)

    def values(self, spot: Spot, player: int) -> F64:
        """What hands are worth on a turn or river: see :class:`~dupai.spots.HasHandValues`.

        Raises:
            ConfigError: the game is not covered, the betting has no counterpart in the tree, or an earlier street.
        """
        return self._plan_of(spot).values(spot, player)

    def _plan_of(self, spot: Spot) -> StoredBlueprint:
        # Two stacks of which the smaller is that of the hand: what the player to act can lose at most.
        stack = spot["effective"] + spot["total"]
        plan = self._plan(spot.spec, (stack, stack))
        if plan is None:
            raise ConfigError(f"no blueprint for this game with stacks of {stack / spot['big_blind']:.0f} big blinds")
        return plan


@cache
def _shipped() -> Blueprints | None:
    plans = [StoredBlueprint.load(path, checked=False) for path in sorted(SHIPPED.glob("*.npz"))]
    return Blueprints(plans) if plans else None
