"""The trained action model: a network's chances of every action with every hand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError
from dupai.cards import COMBO_CLASS, COMBO_MASK, COMBOS, mask_of
from dupai.equity import load_win_rate_table
from dupai.history import UNNAMED, real_name
from dupai.reading._model._features import range_features, top_ranges
from dupai.reading._model._groups import PEOPLE, population_number, population_of
from dupai.reading._model._habits import Habits
from dupai.reading._model._kernels import (
    EDGES,
    HAND_SIZE,
    PUBLIC_SIZE,
    RANGE_HAND,
    expand_kernel,
    hand_features_kernel,
    public_features_kernel,
)
from dupai.reading._model._network import Network, masked_softmax, sharpened
from dupai.reading._model._weights import Weights, load_weights
from dupai.rules import GameSpec, HandRecord
from dupai.spots import NOTHING, Menu, Spot, spots

F32 = npt.NDArray[np.float32]

#: The actions that the networks tell apart: the sizes stand for what lies between the edges.
NATIVE = Menu(sizes=(0.25, 0.5, 0.75, 1.0, 1.6, 3.0), edges=EDGES, all_in=True)
#: The same in limit games, where a raise is a raise.
LIMIT = Menu(sizes=(1.0,))
#: Boards whose hands are remembered.
_BOARDS = 16


class Kinds(NamedTuple):
    """Hands that a network cannot tell apart: before the flop those of a class, later all that the board blocks.

    Attributes:
        of: ``int64[1326]``: the kind of each hand.
        share: ``float64[kinds]``: share of hands that are of each.
    """

    of: npt.NDArray[np.int64]
    share: npt.NDArray[np.float64]


class _Board(NamedTuple):
    """A board: features of each kind of hand on it, the kinds, and what the networks made of them, by network."""

    features: F32
    kinds: Kinds
    hands: dict[int, F32]


class TrainedModel:
    """How players act, by trained networks (``docs/reader-model.md``). One for each table: it remembers boards.

    Args:
        weights: a trained reader's; default: the one that ships.
        population: name of a population that all players are taken for; default: programs by their names, people by
            the game.
        adapt: whether the habits of persons are learned from the hands observed.
    """

    def __init__(self, weights: Weights | None = None, population: str | None = None, adapt: bool = True) -> None:
        self.weights = weights or load_weights()
        self.population = None if population is None else population_number(population)
        self.needs_ranges = self.weights.ranges
        self.habits = Habits() if adapt else None
        self.names: dict[int, str] = {}
        self._boards: dict[tuple[int, ...], _Board] = {}

    def menu(self, spot: Spot) -> Menu:
        """The native menu: fold, check or call, six sizes, all-in (limit: one raise)."""
        return NATIVE if spot.spec.betting == "no-limit" else LIMIT

    def meet(self, names: Mapping[int, str]) -> None:
        """Who sits where; programs are known by name."""
        self.names.update(names)

    def observe(self, record: HandRecord) -> None:
        """Learn how persons differ from their population (:class:`Habits`): what they did against what was expected."""
        if self.habits is None or not record.names:
            return
        seats = record.seats or tuple(range(len(record.names)))
        self.names.update(zip(seats, record.names, strict=True))
        told = [spot for spot in spots(record) if spot["did"] != NOTHING]
        if not any(self._is_person(record.names[p], record.spec) for p in range(len(record.names))):
            return
        ranges = np.full((record.spec.players, COMBOS), 1 / COMBOS)
        for spot in told:
            me = spot.position
            if not self._is_person(record.names[me], record.spec) and not self.needs_ranges:
                continue
            menu = self.menu(spot)
            spot.ranges = ranges
            spot.seats = seats
            # What is expected of him is what is expected of anybody, or the shift would chase itself.
            plain = masked_softmax(self.logits(spot, habits=False), menu.legal(spot))
            column = menu.place(spot)
            if self._is_person(record.names[me], record.spec):
                self.habits.note(record.names[me], spot, ranges[me] @ plain, column)
            product = ranges[me] * plain[:, column]
            if product.sum() > 0:
                ranges[me] = product / product.sum()

    def save(self) -> bytes:
        """The habits of persons so far."""
        return b"" if self.habits is None else self.habits.save()

    def load(self, data: bytes) -> None:
        """Go on from what :meth:`save` gave, with the same options.

        Raises:
            ConfigError: it is not that.
        """
        if self.habits is not None:
            self.habits.load(data)
        elif data:
            raise ConfigError(f"{len(data)} bytes of habits: this reader learns nothing (adapt=off)")

    def _is_person(self, name: str, spec: GameSpec) -> bool:
        return real_name(name) != UNNAMED and self._population(name, spec) in PEOPLE

    def _population(self, name: str, spec: GameSpec) -> int:
        return population_of(name, spec) if self.population is None else self.population

    def _name(self, spot: Spot) -> str:
        return self.names.get(spot.seats[spot.position], "") if spot.seats else ""

    def group(self, spot: Spot, position: int) -> int:
        """The population of a position."""
        name = self.names.get(spot.seats[position], "") if spot.seats else ""
        return self._population(name, spot.spec)

    def probs(self, spot: Spot, menu: Menu) -> F32:
        """P(column | hole cards), see :class:`~dupai.spots.ActionModel`."""
        native = self.menu(spot)
        found, kinds = self._by_kind(spot)
        found = masked_softmax(found, native.legal(spot))[kinds.of]
        return found if menu is native else translated(found, native, menu, spot)

    def logits(self, spot: Spot, habits: bool = True) -> F32:
        """``float32[1326, columns of the native menu]``, the mean over the networks; with ``habits``, shifted for the
        person."""
        found, kinds = self._by_kind(spot, habits)
        return found[kinds.of]

    def _by_kind(self, spot: Spot, habits: bool = True) -> tuple[F32, Kinds]:
        """:meth:`logits` for each kind of hand once, and which hands are of which kind."""
        group = self.group(spot, spot.position)
        nets = self.weights.networks(spot.street, group)
        limit = spot.spec.betting != "no-limit"
        public = np.empty(PUBLIC_SIZE, np.float32)
        board = np.full(5, 255, np.uint8)
        board[: len(spot.board)] = spot.board
        public_features_kernel(spot.rows, len(spot.rows) - 1, int(limit), board, len(spot.board), public)
        if spot.street == 0:
            kinds = _starting()
            found = [net.logits(net.hands(), public, group) for net in nets]
        else:
            kinds = self._board(spot.board, board).kinds
            found = self._postflop(spot, nets, board, public, group)
        mean = np.asarray(sum(found) / np.float32(len(nets)), np.float32)
        if limit:
            mean = mean[:, :3]
        mean = sharpened(mean, self.weights.gain(spot.street, group), kinds.share)
        if habits and self.habits is not None and group in PEOPLE:
            shift = self.habits.shift(self._name(spot), spot, mean.shape[1])
            if shift is not None:
                mean = mean + shift
        return mean, kinds

    def _postflop(
        self, spot: Spot, nets: tuple[Network, ...], board: npt.NDArray[np.uint8], public: F32, group: int
    ) -> list[F32]:
        told: tuple[F32, F32] | None = None
        found = []
        for net in nets:
            hands = self._hands(net, spot.board, board)
            if net.takes_ranges(HAND_SIZE):
                if told is None:
                    stored, more = range_features(spot)
                    expanded = np.empty((len(stored), RANGE_HAND), np.float32)
                    expand_kernel(stored, expanded)
                    told = expanded, np.concatenate((public, more))
                found.append(net.logits(hands + net.more(told[0]), told[1], group))
            else:
                found.append(net.logits(hands, public, group))
        return found

    def _hands(self, net: Network, cards: tuple[int, ...], board: npt.NDArray[Any]) -> F32:
        """What a network makes of all kinds of hands on a board; worked out once for each."""
        known = self._board(cards, board)
        if id(net) not in known.hands:
            known.hands[id(net)] = net.hands(known.features)
        return known.hands[id(net)]

    def _board(self, cards: tuple[int, ...], board: npt.NDArray[Any]) -> _Board:
        """What is worked out once for each board."""
        key = (*sorted(cards[:3]), *cards[3:])
        if key not in self._boards:
            while len(self._boards) >= _BOARDS:
                self._boards.pop(next(iter(self._boards)))
            features = np.empty((COMBOS, HAND_SIZE), np.float32)
            hand_features_kernel(load_win_rate_table(False), board, len(cards), top_ranges(), features)
            live = (COMBO_MASK & np.uint64(mask_of(cards))) == 0
            if self.needs_ranges:
                # What ranges say differs even for hands that the board blocks.
                self._boards[key] = _Board(features, kinds_of(np.arange(COMBOS)), {})
            else:
                of = np.where(live, np.cumsum(live) - 1, live.sum())
                blocked = int(np.argmin(live))
                kept = features[np.append(np.flatnonzero(live), blocked)]
                self._boards[key] = _Board(kept, kinds_of(of), {})
        return self._boards[key]


@cache
def _starting() -> Kinds:
    return kinds_of(COMBO_CLASS)


def kinds_of(of: npt.NDArray[Any]) -> Kinds:
    """The kinds of hands from the kind of each."""
    return Kinds(np.ascontiguousarray(of, np.int64), np.bincount(of) / len(of))


def translated(probs: F32, native: Menu, menu: Menu, spot: Spot) -> F32:
    """Chances by the columns of another menu: each native raise goes where the size that it stands for falls, or to
    the nearest legal raise of the other menu."""
    legal = menu.legal(spot)
    out = np.zeros((len(probs), len(menu)), np.float32)
    out[:, :2] = probs[:, :2]
    raises = np.flatnonzero(legal[2:]) + 2
    for column in range(2, len(native)):
        if not probs[:, column].any():
            continue
        to = menu.column(spot, native.action(spot, column))
        if len(raises):
            to = int(raises[np.abs(raises - to).argmin()])
            out[:, to] += probs[:, column]
    total = out.sum(axis=1, keepdims=True)
    return np.asarray(out / np.where(total > 0, total, 1), np.float32)
