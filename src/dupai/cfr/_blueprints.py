"""Blueprints as files, of one game or of tables, and the nearest of them for a hand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec
import numpy as np

from dupai.base import ConfigError, FileError, NotCovered
from dupai.base.arrays import F64, AnyArray
from dupai.base.files import array_of, read_arrays
from dupai.cards import CLASSES
from dupai.cfr._blueprint._card import BLUEPRINT_VERSION, BlueprintCard
from dupai.cfr._blueprint._cards import BINS, GROUPS, MAX_BUCKETS, CardBuckets
from dupai.cfr._blueprint._openings import OpeningValues
from dupai.cfr._blueprint._plan import ActionValues, StoredBlueprint
from dupai.cfr._blueprint._tree import check_blueprint_game, most_paid
from dupai.cfr._multiway._plan import TableBlueprint
from dupai.rules import GameSpec
from dupai.spots import HandPolicy, Spot

#: The folder of those that ship.
SHIPPED = Path(__file__).parent / "_blueprint" / "shipped"


def load_plan(path: Path, *, checked: bool = True) -> StoredBlueprint | TableBlueprint:
    """Read a file of :func:`~dupai.cfr.blueprint.save_blueprint`.

    Args:
        checked: whether the probabilities of a game for two are counted, for which its tree is built.

    Raises:
        FileError: it is not that, is damaged, or of another version.
    """
    stored = read_arrays(path, "blueprint")
    try:
        card = msgspec.json.decode(bytes(stored["card"]), type=BlueprintCard)
    except ConfigError as error:
        raise FileError(f"{path} is a damaged blueprint: {error}", path=path) from None
    except (KeyError, ValueError, RecursionError, msgspec.MsgspecError):
        raise FileError(f"{path} is no blueprint: expected a file of 'dupai train blueprint'", path=path) from None
    if card.version != BLUEPRINT_VERSION:
        raise FileError(f"{path} is a blueprint of version {card.version}: expected {BLUEPRINT_VERSION}", path=path)
    try:
        check_blueprint_game(card.game)
        cards = _cards_of(card, stored)
        if stored["chances"].dtype != np.uint8 or stored["chances"].ndim != 1:
            raise ValueError("arrays of other shapes than its card says")
        if "situations" in stored:
            return TableBlueprint(card, cards, stored)
        plan = StoredBlueprint(card, cards, stored["chances"], OpeningValues.read(stored))
        if checked:
            plan.check()
        return plan
    except (KeyError, ValueError, TypeError, IndexError, ConfigError) as error:
        raise FileError(f"{path} is a damaged blueprint: {error}", path=path) from None


def _cards_of(card: BlueprintCard, stored: dict[str, AnyArray]) -> CardBuckets:
    flop, turn, river = (
        array_of(stored, name, (n, width), np.float32)
        for name, n, width in zip(("flop", "turn", "river"), card.buckets[1:], (BINS, BINS, GROUPS), strict=True)
    )
    groups = array_of(stored, "groups", (CLASSES,), np.int8)
    known = card.buckets[0] == CLASSES and 1 <= min(card.buckets) <= max(card.buckets) <= MAX_BUCKETS
    if not known or not 0 <= groups.min() <= groups.max() < GROUPS:
        raise ValueError("other buckets than its card may say, or groups")
    return CardBuckets(flop, turn, river, groups)


class Blueprints:
    """A :class:`~dupai.spots.Blueprint` of one or more depths of stacks: a hand is played by the nearest.

    Args:
        plans: at least one.
    """

    def __init__(self, plans: Sequence[StoredBlueprint | TableBlueprint]) -> None:
        self.plans = tuple(sorted(plans, key=lambda plan: plan.depth))

    @classmethod
    def load(cls, paths: Sequence[Path]) -> Blueprints:
        """Read files of 'dupai train blueprint'.

        Raises:
            FileError: one is not that.
        """
        return cls([load_plan(path) for path in paths])

    @classmethod
    def shipped(cls, *, tables: bool = False) -> Blueprints | None:
        """The blueprints that come with dupai, read once (None: none does).

        Args:
            tables: those of three and more players as well.
        """
        plans = [plan for plan in _shipped() if tables or isinstance(plan, StoredBlueprint)]
        return cls(plans) if plans else None

    def _plan(self, spec: GameSpec, stack: int) -> StoredBlueprint | TableBlueprint | None:
        """That of the nearest depth, for hands in which ``stack`` can be lost."""
        if not max(spec.blinds):
            return None
        depth = most_paid(spec, stack) / max(spec.blinds)
        best = None
        for plan in self.plans:
            apart = max(depth / plan.depth, plan.depth / depth)
            if apart <= plan.apart and (best is None or apart < best[0]) and plan.suits(spec):
                best = apart, plan
        return None if best is None else best[1]

    def covers(self, spec: GameSpec, stacks: tuple[int, ...], street: int) -> bool:
        """Whether a blueprint was solved for such a game at about this depth (within a factor of 1.8, at a table
        of 2.5): that of the second largest stack, which is the most that anybody can lose. In limit games no more of it
        counts than the caps on raises let a player pay."""
        return self._plan(spec, sorted(stacks)[-2]) is not None

    def policy(self, spot: Spot) -> HandPolicy:
        """The strategy of the player to act, for all hands.

        Raises:
            NotCovered: the game is not covered, or the betting has no counterpart in the tree.
        """
        return self._plan_of(spot).policy(spot)

    def values(self, spot: Spot, player: int) -> F64:
        """What hands are worth on a turn or river: see :class:`~dupai.spots.HasHandValues`.

        Raises:
            NotCovered: the game is not covered, the betting has no counterpart in the tree, or an earlier street.
        """
        return self._plan_of(spot).values(spot, player)

    def action_values(self, spot: Spot) -> ActionValues:
        """What the actions of :meth:`policy` are worth (:meth:`StoredBlueprint.action_values`).

        Raises:
            NotCovered: as :meth:`policy`, or a game for more than two.
        """
        plan = self._plan_of(spot)
        if not isinstance(plan, StoredBlueprint):
            raise NotCovered("the blueprint of a table does not know the values of actions", key="game")
        return plan.action_values(spot)

    def _plan_of(self, spot: Spot) -> StoredBlueprint | TableBlueprint:
        # What the player to act can lose at most.
        stack = spot["effective"] + spot["total"]
        plan = self._plan(spot.spec, stack)
        if plan is None:
            raise NotCovered(f"no blueprint for blinds of {spot.spec.blinds} and stacks of {stack}", key="game")
        return plan


@cache
def _shipped() -> tuple[StoredBlueprint | TableBlueprint, ...]:
    return tuple(load_plan(path, checked=False) for path in sorted(SHIPPED.glob("*.npz")))
