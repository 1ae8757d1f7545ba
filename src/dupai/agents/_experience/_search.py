"""What every action of a decision after the flop is worth: the tree, the boards and the models put together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.agents._experience._boards import Boards, boards_below
from dupai.agents._experience._expert import ExpertModel, rules_of_hands
from dupai.agents._experience._kernels.grow import LEFT_OUT
from dupai.agents._experience._kernels.walk import OWN, SHOWN, THEIRS, duels_kernel, walk_kernel
from dupai.agents._experience._rulebook import Rulebook
from dupai.agents._experience._situations import DRAWS, MADE, TEXTURES, board_hands, postflop_places
from dupai.agents._experience._tree import Tree, TreeMenus
from dupai.base import AgentError
from dupai.cards import COMBO_CARDS, COMBO_INDEX
from dupai.rules import Action, GameSpec, View
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
        work = _Work(self, tree, boards, int(COMBO_INDEX[hole]), hands, view.spec, tuple(view.seats))
        reach = np.zeros((_DEPTHS, len(hands)))
        reach[0] = weights[hands] / weights[hands].sum()
        count = np.zeros(2, np.int64)
        chances = self._prior(tree, view)[COMBO_INDEX[hole]]
        actions, values, prior = [], [], []
        for column in np.flatnonzero(tree.child[0] >= 0).tolist():
            # An action at a time: no call of a kernel is long.
            below = int(tree.child[0, column])
            actions.append(tree.action(0, column))
            values.append(float(walk_kernel(below, 0, 0, *work.arrays, reach, self.maximise, _TINY, count)))
            prior.append(float(chances[column]))
        return Found(
            tuple(actions),
            tuple(values),
            tuple(p / sum(prior) for p in prior),
            len(boards.cards),
            len(tree.kinds),
            int(count[0]),
            int(count[1]),
            work.evaluated,
            work.asked,
        )

    def _prior(self, tree: Tree, view: View) -> F32:
        """``float32[1326, columns]``: what our rules do at the decision itself."""
        spot = Spot(view.spec, tree.rows[:1], tuple(view.board), None, tuple(view.seats))
        legal = tree.tos[0, : len(self.menus.first)] != LEFT_OUT
        return np.asarray(self.own.columns(spot, self.menus.first, legal)[rules_of_hands(self.book, spot)])


class _Work:
    """The arrays of :func:`walk_kernel` for one decision (see there)."""

    def __init__(
        self,
        search: StagedSearch,
        tree: Tree,
        boards: Boards,
        own: int,
        hands: I64,
        spec: GameSpec,
        seats: tuple[int, ...],
    ) -> None:
        self._spec = spec
        self._search = search
        self._boards = boards
        self._hands = hands
        self.evaluated = 0
        self.asked = 0
        self._tree = tree
        self._seats = seats
        ruled = isinstance(search.model, ExpertModel)
        n, m = len(tree.kinds), len(hands)
        nodes = np.full((n, 4), -1, np.int64)
        nodes[:, 0] = tree.kinds
        nodes[tree.deciding, 1] = len(search.menus.later)
        nodes[0, 1] = len(search.menus.first)
        # The decision itself is not among them: its actions are looked at one by one.
        theirs = np.flatnonzero(tree.kinds == THEIRS)
        ours = np.flatnonzero(tree.kinds[1:] == OWN) + 1
        pieces: list[F32] = []
        if ruled:
            nodes[theirs, 2] = np.arange(len(theirs)) * _ROWS * len(search.menus.later)
            pieces.append(self._ruled(search.model, theirs))  # type: ignore[arg-type]
        else:
            at = 0
            by_street = {street: np.flatnonzero(boards.street == street).tolist() for street in (1, 2, 3)}
            for node in theirs.tolist():
                nodes[node, 2] = at
                pieces.append(self._asked(node, by_street[int(tree.street[node])]))
                at += pieces[-1].size
        if not search.maximise:
            at = sum(piece.size for piece in pieces)
            nodes[ours, 3] = at + np.arange(len(ours)) * _ROWS * len(search.menus.later)
            pieces.append(self._ruled(search.own, ours))
        probs = np.concatenate([piece.reshape(-1) for piece in pieces] or [np.zeros(1, np.float32)])
        place = np.zeros((len(boards.cards), m), np.int64)
        part = np.zeros(len(boards.cards), np.int64)
        own_row = np.zeros(len(boards.cards), np.int64)
        score = np.zeros((len(boards.cards), m))
        least = search.book.least
        shown = set(tree.street[tree.kinds == SHOWN].tolist())
        ordinal = np.arange(len(boards.cards)) - np.searchsorted(boards.street, boards.street)
        for b, cards in enumerate(boards.cards):
            found = board_hands(tuple(sorted(cards)), least)
            own_row[b] = found.texture * _CLASSES + found.classes[own]
            if ruled:
                part[b] = found.texture * _CLASSES
                place[b] = found.classes[hands]
            else:
                part[b] = ordinal[b] * m
                place[b] = np.arange(m)
            if boards.street[b] not in shown:
                continue
            full = np.full(5, 255, np.uint8)
            full[: len(cards)] = cards
            self.evaluated += int(duels_kernel(own, hands, full, len(cards), score[b]))
        mass = boards.mass(hands)
        self.arrays = (m, nodes, tree.child, tree.pay, probs, place, part, own_row, score, mass, boards.kids)

    def _ruled(self, model: ExpertModel, nodes: I64) -> F32:
        """``float32[nodes, texture and class, columns]``: by the rules."""
        menu = self._search.menus.later
        rows = self._tree.rows[nodes]
        by_rule = model.many(rows, menu, self._tree.tos[nodes, : len(menu)] != LEFT_OUT)
        places = postflop_places(rows)
        rules = model.book.postflop[places].reshape(len(nodes), _ROWS)
        return np.take_along_axis(by_rule, rules[:, :, None].astype(np.int64), axis=1)

    def _asked(self, node: int, boards: list[int]) -> F32:
        """``float32[boards of the street, hands, columns]``: by a model, asked for every board."""
        search, tree = self._search, self._tree
        rows, menu = tree.line(node), tree.menu(node)
        kept = np.flatnonzero(tree.tos[node, : len(menu)] != LEFT_OUT)
        found = np.empty((len(boards), len(self._hands), len(menu)), np.float32)
        for i, b in enumerate(boards):
            spot = Spot(self._spec, rows, self._boards.cards[b], None, self._seats)
            found[i] = _looked_at(asked(search.model, spot, menu)[self._hands], kept)
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


def _looked_at(probs: F32, kept: I64) -> F32:
    """The same with the columns that the tree leaves out added to the nearest raise that it has, else to the call."""
    raises = kept[kept >= 2]
    found = np.zeros_like(probs)
    for column in range(probs.shape[1]):
        to = column
        if column not in kept:
            to = int(raises[np.abs(raises - column).argmin()]) if column >= 2 and len(raises) else 1
        found[:, to] += probs[:, column]
    return found
