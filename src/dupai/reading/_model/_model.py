"""The trained action model: a network's chances of every action with every hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from dupai.cards import COMBO_CLASS
from dupai.equity import load_win_rate_table
from dupai.reading._model._features import top_ranges
from dupai.reading._model._groups import population_number, population_of
from dupai.reading._model._kernels import EDGES, HAND_SIZE, PUBLIC_SIZE, hand_features_kernel, public_features_kernel
from dupai.reading._model._network import Network, masked_softmax
from dupai.reading._model._weights import Weights, load_weights
from dupai.rules import HandRecord
from dupai.spots import Menu, Spot

F32 = npt.NDArray[np.float32]

#: The actions that the networks tell apart: the sizes stand for what lies between the edges.
NATIVE = Menu(sizes=(0.25, 0.5, 0.75, 1.0, 1.6, 3.0), edges=EDGES, all_in=True)
#: The same in limit games, where a raise is a raise.
LIMIT = Menu(sizes=(1.0,))
#: Boards whose hands are remembered.
_BOARDS = 16


class TrainedModel:
    """How players act, by trained networks (``docs/reader-model.md``). One for each table: it remembers boards.

    Args:
        weights: a trained reader's; default: the one that ships.
        population: name of a population that all players are taken for; default: programs by their names, people by
            the game.
    """

    def __init__(self, weights: Weights | None = None, population: str | None = None) -> None:
        self.weights = weights or load_weights()
        self.population = None if population is None else population_number(population)
        self.needs_ranges = self.weights.ranges
        self.names: dict[int, str] = {}
        self._boards: dict[tuple[int, ...], dict[int, F32]] = {}
        self._features: dict[tuple[int, ...], F32] = {}

    def menu(self, spot: Spot) -> Menu:
        """The native menu: fold, check or call, six sizes, all-in (limit: one raise)."""
        return NATIVE if spot.spec.betting == "no-limit" else LIMIT

    def meet(self, names: Mapping[int, str]) -> None:
        """Who sits where; programs are known by name."""
        self.names.update(names)

    def observe(self, record: HandRecord) -> None:
        """Nothing is learned from a single hand."""

    def group(self, spot: Spot, position: int) -> int:
        """The population of a position."""
        if self.population is not None:
            return self.population
        name = self.names.get(spot.seats[position], "") if spot.seats else ""
        return population_of(name, spot.spec)

    def probs(self, spot: Spot, menu: Menu) -> F32:
        """P(column | hole cards), see :class:`~dupai.spots.ActionModel`."""
        native = self.menu(spot)
        found = masked_softmax(self.logits(spot), native.legal(spot))
        return found if menu is native else translated(found, native, menu, spot)

    def logits(self, spot: Spot) -> F32:
        """``float32[1326, columns of the native menu]``, the mean over the networks."""
        group = self.group(spot, spot.position)
        nets = self.weights.networks(spot.street, group)
        limit = spot.spec.betting != "no-limit"
        public = np.empty(PUBLIC_SIZE, np.float32)
        board = np.full(5, 255, np.uint8)
        board[: len(spot.board)] = spot.board
        public_features_kernel(spot.rows, len(spot.rows) - 1, int(limit), board, len(spot.board), public)
        if spot.street == 0:
            found = [net.logits(net.hands(), public, group)[COMBO_CLASS] for net in nets]
        else:
            found = [net.logits(self._hands(net, spot.board, board), public, group) for net in nets]
        mean = np.asarray(sum(found) / np.float32(len(nets)), np.float32)
        return mean[:, :3] if limit else mean

    def _hands(self, net: Network, cards: tuple[int, ...], board: npt.NDArray[Any]) -> F32:
        """What a network makes of all hands on a board; worked out once for each."""
        key = (*sorted(cards[:3]), *cards[3:])
        if key not in self._boards:
            while len(self._boards) >= _BOARDS:
                self._boards.pop(next(iter(self._boards)))
            features = np.empty((1326, HAND_SIZE), np.float32)
            hand_features_kernel(load_win_rate_table(False), board, len(cards), top_ranges(), features)
            self._boards[key] = {0: features}
        held = self._boards[key]
        if id(net) not in held:
            held[id(net)] = net.hands(held[0])
        return held[id(net)]


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
