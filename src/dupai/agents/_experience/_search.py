"""What every action of a decision after the flop is worth: the tree, the boards and the models put together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.agents._experience._boards import Boards, boards_below
from dupai.agents._experience._expert import ExpertModel
from dupai.agents._experience._kernels.walk import OWN, THEIRS, duels_kernel, walk_kernel
from dupai.agents._experience._rulebook import Rulebook
from dupai.agents._experience._situations import DRAWS, MADE, TEXTURES, board_hands, postflop_place
from dupai.agents._experience._tree import Node, Tree, TreeMenus
from dupai.base import AgentError
from dupai.cards import COMBO_CARDS, COMBO_INDEX
from dupai.rules import Action, View
from dupai.spots import ActionModel, Menu, Spot

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]

#: Rows of a table of rules: texture of the board, then made hand and draw.
_CLASSES = len(MADE) * len(DRAWS)
_ROWS = len(TEXTURES) * _CLASSES
#: Deepest path: decisions of the opponent and cards of three streets.
_DEPTHS = 48
#: Weights below this share of all are not followed.
_TINY = 1e-9


class Found(NamedTuple):
    """What a search found.

    Attributes:
        actions: what we may do.
        values: chips that each is expected to bring from here on (folding: 0).
        prior: chances of each under our own rules.
        boards: how many boards were looked at, the present one included.
        nodes: places in the betting.
        leaves: leaf evaluations: visits of a leaf on a board.
        judged: hands of the opponent judged at them, all together.
        evaluated: hands ranked for the showdowns.
        asked: times the opponent's model was asked for all his hands.
    """

    actions: tuple[Action, ...]
    values: tuple[float, ...]
    prior: tuple[float, ...]
    boards: int
    nodes: int
    leaves: int
    judged: int
    evaluated: int
    asked: int


class StagedSearch:
    """The staged tree: betting of the street, the next card, and so on to the showdown.

    Args:
        book: our own rules.
        model: how the opponent acts.
        menus: what the tree looks at.
        maximise: our later decisions are the best ones, instead of what our rules say.
        cards: the most cards that may come next: on the turn of a flop decision, on its river, on the river of a turn
            decision; 0: all.
    """

    def __init__(
        self, book: Rulebook, model: ActionModel, menus: TreeMenus, maximise: bool, cards: tuple[int, int, int]
    ) -> None:
        self.book = book
        self.own = ExpertModel(book, slip=0.0, any_size=0.0)
        self.model = model
        self.menus = menus
        self.maximise = maximise
        self.cards = cards

    def run(self, view: View, weights: F64) -> Found:
        """Values of all actions.

        Args:
            view: our decision is due, after the flop.
            weights: ``float64[1326]``: what the opponent holds; hands with our cards or the board's do not count.

        Raises:
            AgentError: it is before the flop, or not heads-up, or no hand of the opponent is possible.
        """
        if view.street < 1:
            raise AgentError("the staged tree begins on the flop")
        hole, board = tuple(view.hole), tuple(view.board)
        seen = np.isin(COMBO_CARDS, [*hole, *board]).any(axis=1)
        hands = np.flatnonzero((weights > 0) & ~seen)
        if not len(hands):
            raise AgentError("no hand of the opponent is possible")
        tree = Tree(view, self.menus)
        boards = boards_below(hole, board, self.cards[:2] if view.street == 1 else self.cards[2:])
        work = _Work(self, tree, boards, int(COMBO_INDEX[hole]), hands)
        reach = np.zeros((_DEPTHS, len(hands)))
        reach[0] = weights[hands] / weights[hands].sum()
        root = tree.nodes[0]
        actions, values, prior = [], [], []
        count = np.zeros(2, np.int64)
        assert root.spot is not None and root.menu is not None
        chances = self.own.probs(root.spot, root.menu)[COMBO_INDEX[hole]]
        for column, below in enumerate(root.children):
            action = root.actions[column]
            if action is None:
                continue
            # An action at a time: no call of a kernel is long.
            actions.append(action)
            values.append(float(walk_kernel(below, 0, 0, *work.arrays, reach, self.maximise, _TINY, count)))
            prior.append(float(chances[column]))
        return Found(
            tuple(actions),
            tuple(values),
            tuple(p / sum(prior) for p in prior),
            len(boards.cards),
            len(tree.nodes),
            int(count[0]),
            int(count[1]),
            work.evaluated,
            work.asked,
        )


class _Work:
    """The arrays of :func:`walk_kernel` for one decision (see there)."""

    def __init__(self, search: StagedSearch, tree: Tree, boards: Boards, own: int, hands: I64) -> None:
        self._search = search
        self._boards = boards
        self._hands = hands
        self.evaluated = 0
        self.asked = 0
        ruled = isinstance(search.model, ExpertModel)
        n, k, m = len(tree.nodes), max(len(search.menus.first), len(search.menus.later)), len(hands)
        nodes = np.full((n, 4), -1, np.int64)
        child = np.full((n, k), -1, np.int64)
        pay = np.zeros((n, 2))
        self._pieces: list[F32] = []
        self._length = 0
        by_street = {street: np.flatnonzero(boards.street == street).tolist() for street in (1, 2, 3)}
        for i, node in enumerate(tree.nodes):
            nodes[i, 0] = node.kind
            child[i, : len(node.children)] = node.children
            pay[i] = node.pay
            if node.menu is None:
                continue
            nodes[i, 1] = len(node.menu)
            if node.kind == THEIRS:
                nodes[i, 2] = self._add(
                    self._ruled(search.model, node) if ruled else self._asked(node, by_street[node.street])  # type: ignore[arg-type]
                )
            elif node.kind == OWN and not search.maximise:
                nodes[i, 3] = self._add(self._ruled(search.own, node))
        probs = np.concatenate(self._pieces) if self._pieces else np.zeros(1, np.float32)
        place = np.zeros((len(boards.cards), m), np.int64)
        part = np.zeros(len(boards.cards), np.int64)
        own_row = np.zeros(len(boards.cards), np.int64)
        score = np.zeros((len(boards.cards), m))
        least = search.book.least
        for b, cards in enumerate(boards.cards):
            found = board_hands(tuple(sorted(cards)), least)
            own_row[b] = found.texture * _CLASSES + found.classes[own]
            if ruled:
                part[b] = found.texture * _CLASSES
                place[b] = found.classes[hands]
            else:
                part[b] = by_street[int(boards.street[b])].index(b) * m
                place[b] = np.arange(m)
            full = np.full(5, 255, np.uint8)
            full[: len(cards)] = cards
            self.evaluated += int(duels_kernel(own, hands, full, len(cards), score[b]))
        mass = boards.mass(hands)
        self.arrays = (m, nodes, child, pay, probs, place, part, own_row, score, mass, boards.kids)

    def _add(self, piece: F32) -> int:
        at = self._length
        self._pieces.append(piece.reshape(-1))
        self._length += piece.size
        return at

    def _ruled(self, model: ExpertModel, node: Node) -> F32:
        """``float32[texture and class, columns]``: by the rules."""
        assert node.spot is not None and node.menu is not None
        rules = model.book.postflop[postflop_place(node.spot)].reshape(_ROWS)
        legal = np.array([action is not None for action in node.actions])
        return np.asarray(model.columns(node.spot, node.menu, legal)[rules])

    def _asked(self, node: Node, boards: list[int]) -> F32:
        """``float32[boards of the street, hands, columns]``: by a model, asked for every board."""
        assert node.spot is not None and node.menu is not None
        spot = node.spot
        found = np.empty((len(boards), len(self._hands), len(node.menu)), np.float32)
        model = self._search.model
        for i, b in enumerate(boards):
            at = Spot(spot.spec, spot.rows, self._boards.cards[b], spot.ranges, spot.seats)
            found[i] = _looked_at(asked(model, at, node.menu)[self._hands], node)
            self.asked += 1
        return found


def asked(model: ActionModel, spot: Spot, menu: Menu) -> F32:
    """``float32[1326, len(menu)]``: what a model says, in the columns of another menu than its own."""
    own = model.menu(spot)
    said = model.probs(spot, own)
    if own == menu:
        return said
    found = np.zeros((len(said), len(menu)), np.float32)
    for column in np.flatnonzero(own.legal(spot)).tolist():
        found[:, menu.column(spot, own.action(spot, column))] += said[:, column]
    return found


def _looked_at(probs: F32, node: Node) -> F32:
    """The same with the columns that the tree leaves out added to the nearest one that it has."""
    kept = [i for i, action in enumerate(node.actions) if action is not None]
    found = np.zeros_like(probs)
    for column in range(probs.shape[1]):
        if column in kept:
            found[:, column] += probs[:, column]
        elif probs[:, column].any():
            # Raises that are left out become the nearest raise, else a call.
            raises = [i for i in kept if i >= 2] if column >= 2 else []
            found[:, min(raises, key=lambda i: abs(i - column)) if raises else 1] += probs[:, column]
    return found
