"""The trained network as an action model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from dupai.base import ConfigError, Option
from dupai.base.arrays import F32, I64, Bool
from dupai.cards import COMBOS, board_array
from dupai.reading._cnn._file import CNN_MENUS, HONEST, PAPER, CnnWeights, load_cnn, start_rates
from dupai.reading._cnn._kernels import CNN_SIDE, public_matrix_kernel, trunk_features_kernel
from dupai.reading._features._columns import LIMIT, masked_softmax
from dupai.reading._features._kernels.hands import HAND_SIZE
from dupai.reading._features._kernels.public import PUBLIC_SIZE, public_features_kernel
from dupai.reading._filter import Filter
from dupai.reading._protocol import LearnsNothing
from dupai.spots import Menu, Spot

#: Boards whose hands are remembered.
_BOARDS = 64
_ALL = np.arange(COMBOS)


class CnnModel(LearnsNothing):
    """How players act, by a network of ``dupai train cnn`` (``docs/how/experience.md``): trained heads-up no-limit.

    The factored network answers in any game (it has only seen that one); the paper's heads-up only.

    Args:
        weights: a trained network; default: the one that ships.

    Raises:
        ConfigError: the network reads what no player knows (``--information literal``).
    """

    needs_ranges = False

    def __init__(self, weights: CnnWeights | None = None) -> None:
        self.weights = weights or load_cnn()
        self.about = self.weights.about
        if self.about.information != HONEST:
            raise ConfigError(
                f"the network was trained on {self.about.information} information, which nobody has at the table: "
                "expected one trained with --information honest"
            )
        self._trunks: dict[tuple[int, ...], F32] = {}

    def menu(self, spot: Spot) -> Menu:
        """The network's own menu (limit: one raise)."""
        return LIMIT if spot.spec.betting == "limit" else CNN_MENUS[self.about.encoding]

    def probs(self, spot: Spot) -> F32:
        """P(column | hole cards), see :class:`~dupai.spots.ActionModel`.

        Raises:
            ConfigError: the paper's network outside heads-up no-limit.
        """
        return masked_softmax(self.logits(spot), self.menu(spot).legal(spot))

    def batch(self, spots: Sequence[Spot], hands: Sequence[I64] | None = None) -> list[F32]:
        """:meth:`probs` of several decisions; those on one board share the card trunk.

        Args:
            spots: the decisions; those that share their ``rows`` (boards apart) share what is legal, too.
            hands: of each decision the hands that are wanted: the answers have a row for each; default: all.
        """
        chances = []
        masks: dict[int, Bool] = {}
        for i, spot in enumerate(spots):
            legal = masks.get(id(spot.rows))
            if legal is None:
                legal = masks[id(spot.rows)] = self.menu(spot).legal(spot)
            chances.append(masked_softmax(self.logits(spot, None if hands is None else hands[i], legal), legal))
        return chances

    def trunk(self, board: tuple[int, ...]) -> F32:
        """``float32[1326, width]``: what the card trunk makes of all hands on a board; worked out once for each.

        Raises:
            ConfigError: the network has no trunk (the paper's).
        """
        if self.weights.network is None:
            raise ConfigError("the paper's network has no card trunk: every hand is worked out at every decision")
        key = (*sorted(board[:3]), *board[3:])
        if key not in self._trunks:
            while len(self._trunks) >= _BOARDS:
                self._trunks.pop(next(iter(self._trunks)))
            features = np.empty((COMBOS, HAND_SIZE), np.float32)
            trunk_features_kernel(board_array(board), len(board), start_rates(), features)
            self._trunks[key] = self.weights.network.trunk(features)
        return self._trunks[key]

    def logits(self, spot: Spot, hands: I64 | None = None, legal: Bool | None = None) -> F32:
        """``float32[1326, columns of the native menu]``; with ``hands`` (``int64[n]``) only their rows. ``legal``: what
        the native menu allows, where it is known."""
        limit = spot.spec.betting == "limit"
        last = len(spot.rows) - 1
        network = self.weights.network
        if network is not None:
            node = np.zeros(PUBLIC_SIZE + network.columns, np.float32)
            public = node[:PUBLIC_SIZE]
            public_features_kernel(spot.rows, last, int(limit), board_array(spot.board), len(spot.board), public)
            mask = self.menu(spot).legal(spot) if legal is None else legal
            node[PUBLIC_SIZE : PUBLIC_SIZE + len(mask)] = mask
            trunk = self.trunk(spot.board)
            return network.head(trunk if hands is None else trunk[hands], node)[:, : len(mask)]
        assert self.weights.matrices is not None
        if spot.spec.betting != "no-limit" or spot.spec.players != 2:
            raise ConfigError(
                f"the paper's network plays heads-up no-limit hold'em only, this is {spot.spec.betting} hold'em for "
                f"{spot.spec.players} players"
            )
        matrix = np.empty((CNN_SIDE, CNN_SIDE), np.float32)
        public_matrix_kernel(spot.rows, last, board_array(spot.board), 0, matrix)
        return self.weights.matrices(matrix, _ALL if hands is None else hands)


class CnnReader(Filter):
    """A network that predicts actions heads-up, filtered.

    Args:
        file: a network made by ``dupai train cnn`` (file or folder), or ``"paper"``: the paper's, honest inputs;
            empty: the one that ships.
        uniform: share of the uniform distribution in every reading.

    Raises:
        ConfigError: the file is not such a network, or reads what no player knows.
    """

    def __init__(
        self,
        file: Annotated[
            str, Option("made by 'dupai train cnn'; paper: the paper's; empty: ours", file=True, words=("", PAPER))
        ] = "",
        uniform: Annotated[float, Option(help="share of the uniform distribution mixed in", low=0, high=0.5)] = 0.02,
    ) -> None:
        super().__init__(CnnModel(load_cnn(file or None)), uniform=uniform)
