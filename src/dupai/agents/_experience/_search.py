"""What every action of a decision after the flop is worth: the tree, the boards and the models put together."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dupai.agents._experience import _situations as words
from dupai.agents._experience._boards import Boards, boards_below, free_of
from dupai.agents._experience._expert import ExpertModel, rules_of_hands
from dupai.agents._experience._kernels import walk
from dupai.agents._experience._kernels.grow import LEFT_OUT
from dupai.agents._experience._kernels.hands import PAIR, PAIRS
from dupai.agents._experience._kernels.rank import BLOCKED, LISTED, rank_kernel
from dupai.agents._experience._rulebook import Rulebook
from dupai.agents._experience._tree import Tree, TreeMenus
from dupai.base import AgentError
from dupai.base.arrays import F32, F64, I64, AnyArray
from dupai.cards import COMBO_CARDS, COMBO_INDEX, hand_value_table
from dupai.rules import Action, View
from dupai.spots import ActionModel, Spot

#: Rows of a table of rules: texture of the board, then made hand and draw.
_CLASSES = len(words.MADE) * len(words.DRAWS)
_ROWS = len(words.TEXTURES) * _CLASSES
#: Deepest path: decisions of the opponent and cards of three streets.
_DEPTHS = 48
#: Weights below this share of all are not followed.
_TINY = 1e-9
#: A model is asked where at least this share of the opponent's hands arrives.
_RARE = 0.004


class Outcome(NamedTuple):
    """The result of a search.

    Attributes:
        actions: our legal actions.
        values: chips that each wins on average from here on (folding: 0).
        prior: probabilities of each under our own rules.
        boards: boards visited, the present one included.
        nodes: places in the betting.
        leaves: leaf evaluations: visits of a leaf on a board.
        judged: hands of the opponent judged at them, all together.
        evaluated: hands compared with ours for the showdowns.
        asked: times the opponent's model was asked for all their hands.
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
        menus: the actions that the tree considers.
        maximise: whether our later decisions are the best ones instead of those of our rules.
        cards: the most cards considered: for the turn of a flop decision, for its river, for the river of a turn
            decision; 0: all.
    """

    def __init__(
        self, book: Rulebook, model: ActionModel, menus: TreeMenus, maximise: bool, cards: tuple[int, int, int]
    ) -> None:
        self.book, self.model, self.menus = book, model, menus
        self.own = ExpertModel(book, slip=0.0, any_size=0.0)
        self.maximise, self.cards = maximise, cards

    def run(self, view: View, weights: F64) -> Outcome:
        """Values of all actions.

        Args:
            view: our decision is due, after the flop.
            weights: ``float64[1326]``: the opponent's range; hands with our cards or the board's do not count.

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
        m = len(hands)
        start = weights[hands] / weights[hands].sum()
        reach = np.zeros((_DEPTHS, max(m, PAIRS)))
        reach[0, :m] = start
        work = _Work(self, view, tree, boards, hands, start)
        count = np.zeros(2, np.int64)
        chances = self._prior(tree, view)[COMBO_INDEX[hole]]
        actions, values, prior = [], [], []
        for column in np.flatnonzero(tree.child[0] >= 0).tolist():
            # An action at a time: no call of a kernel is long.
            below = int(tree.child[0, column])
            actions.append(tree.action(0, column))
            constant = (work.betting, work.boards, work.river, reach, self.maximise, _TINY, count)
            values.append(float(walk.walk_kernel(below, 0, 0, m, start.sum(), *constant)))
            prior.append(float(chances[column]))
        prior = [p / sum(prior) for p in prior]
        leaves, judged = count.tolist()
        sizes = (len(boards.cards), len(tree.kinds), leaves, judged, work.evaluated, work.asked)
        return Outcome(tuple(actions), tuple(values), tuple(prior), *sizes)

    def _prior(self, tree: Tree, view: View) -> F32:
        """``float32[1326, columns]``: what our rules do at the decision itself."""
        spot = Spot(view.spec, tree.rows[:1], tuple(view.board), None, tuple(view.seats))
        legal = tree.tos[0, : len(self.menus.first)] != LEFT_OUT
        return np.asarray(self.own.columns(spot, self.menus.first, legal)[rules_of_hands(self.book, spot)])


class _Work:
    """The arrays of :func:`walk_kernel` for one decision: ``betting``, ``boards`` and the working space ``river``."""

    def __init__(self, search: StagedSearch, view: View, tree: Tree, boards: Boards, hands: I64, start: F64) -> None:
        self._search, self._view, self._tree, self._boards, self._hands = search, view, tree, boards, hands
        self.asked = 0
        count, m, columns = len(boards.cards), len(hands), len(search.menus.later)
        nodes = np.full((len(tree.kinds), 4), -1, np.int64)
        nodes[:, 0] = tree.kinds
        nodes[tree.deciding, 1] = columns
        nodes[0, 1] = len(search.menus.first)
        # The decision itself is not among them: its actions are looked at one by one.
        theirs = np.flatnonzero(tree.kinds == walk.THEIRS)
        ours = np.flatnonzero(tree.kinds[1:] == walk.OWN) + 1
        first, number = boards.distinct()
        self._number = number
        # As many places as there may be groups, or hands.
        places = max(m, BLOCKED + 1)
        place = np.zeros((len(first), places), np.int64)
        self._own_row = np.zeros(len(first), np.int64)
        score = np.zeros((len(first), places))
        self._free, self._last = free_of(hands), boards.last()
        self._left = boards.left(hands)
        grouping = self._rank(first, place, score, isinstance(search.model, ExpertModel))
        own = self._ruled(search.own, ours)
        if not search.maximise:
            nodes[ours, 3] = np.arange(len(ours)) * _ROWS * columns
        # First row of a board's texture in our rules.
        self._texture = (self._own_row // _CLASSES * _CLASSES)[number]
        if isinstance(search.model, ExpertModel):
            part = self._texture
            ruled = self._ruled(search.model, theirs).reshape(-1)
            nodes[theirs, 2] = own.size + np.arange(len(theirs)) * _ROWS * columns
            size = ruled.size
        else:
            ordinal = np.arange(count) - np.searchsorted(boards.street, boards.street)
            part, self._classes = ordinal * m, place
            place = np.broadcast_to(np.arange(places), place.shape).copy()
            on_street = np.bincount(boards.street, minlength=4)[tree.street[theirs]] * m * columns
            nodes[theirs, 2] = own.size + np.concatenate([[0], np.cumsum(on_street)])[:-1]
            ruled, size = None, int(on_street.sum())
        # Where a model is asked most of it stays untouched: zeros cost nothing until they are written.
        probs = np.zeros(own.size + size + 1, np.float32)
        probs[: own.size] = own.reshape(-1)
        there = probs[own.size : own.size + size]
        if ruled is not None:
            there[:] = ruled
        else:
            self._predict(dict(zip(ours.tolist(), own, strict=True)), start, ordinal, there)
        n = len(tree.kinds)
        self.betting = walk.Betting(nodes, tree.child, tree.pay, probs, tree.above, walk.ends_kernel(tree.above))
        self.boards = walk.BoardTables(
            part, place, self._own_row, score, *grouping, number, self._last, boards.weight, self._free, self._left,
            boards.kids,
        )  # fmt: skip
        self.river = walk.RiverWork(np.zeros((n, BLOCKED + 1)), np.zeros((n, 3)), np.zeros(n, np.int64))

    def _rank(
        self, first: I64, place: I64, score: F64, together: bool
    ) -> tuple[I64, AnyArray, AnyArray, AnyArray, I64]:
        """Classes of all hands in our rules, ours too, and showdowns on the boards that may have one, by set of cards.

        Returns:
            the groups of hands (see :func:`rank_kernel` and :func:`walk_kernel`).
        """
        tree, boards, m = self._tree, self._boards, len(self._hands)
        known = boards.street[first] + 2
        shown = np.isin(boards.street[first], tree.street[tree.kinds == walk.SHOWN])
        shapes = ((np.int64,), (np.uint8, m), (np.uint8, PAIRS), (np.int16, LISTED + 1))
        groups, group, by_pair, odd = (np.zeros((len(first), *shape), dtype) for dtype, *shape in shapes)
        own = int(COMBO_INDEX[tuple(self._view.hole)])
        rules = (hand_value_table(), np.array(self._search.book.least), len(words.DRAWS))
        filled = (self._own_row, place, score, (groups, group, by_pair, odd))
        self.evaluated = int(rank_kernel(boards.cards[first], known, shown, own, self._hands, rules, together, *filled))
        return groups, group, by_pair, odd, PAIR[self._hands]

    def _ruled(self, model: ExpertModel, nodes: I64) -> F32:
        """``float32[nodes, texture and class, columns]``: by the rules."""
        menu = self._search.menus.later
        rows = self._tree.rows[nodes]
        by_rule = model.many(rows, menu, self._tree.tos[nodes, : len(menu)] != LEFT_OUT)
        places = words.postflop_places(rows)
        rules = model.book.postflop[places].reshape(len(nodes), _ROWS)
        return np.asarray(by_rule[np.arange(len(nodes))[:, None], rules])

    def _predict(self, own: dict[int, F32], start: F64, ordinal: I64, out: F32) -> None:
        """Fill ``out`` (zeros), by decision of the opponent, board of its street, hand, column: by a model.

        The tree is walked from the top, so that the model is asked only where the hand arrives: not beyond what our own
        rules never do, nor where less than :data:`_RARE` of the opponent's hands arrive (there they play by our
        rules), nor for hands that are no longer possible.
        """
        search, tree, boards = self._search, self._tree, self._boards
        m, columns = len(self._hands), len(search.menus.later)
        at = 0
        reach: dict[int, dict[int, F64]] = {0: {0: start}}
        for node in range(len(tree.kinds)):
            arriving = reach.pop(node, {})
            kind, children = tree.kinds[node], tree.child[node]
            if kind == walk.DEAL:
                below = reach.setdefault(int(children[0]), {})
                for b, weights in arriving.items():
                    coming = weights / self._left[b]
                    for kid in range(boards.kids[b, 0], boards.kids[b, 1]):
                        below[kid] = coming * boards.weight[kid] * self._free[self._last[kid]]
                continue
            if kind not in (walk.OWN, walk.THEIRS):
                continue
            columns_there = np.flatnonzero(children >= 0).tolist()
            table = np.zeros((0, m, columns), np.float32)
            if kind == walk.THEIRS:
                on_street = int((boards.street == tree.street[node]).sum())
                table = out[at : at + on_street * m * columns].reshape(on_street, m, columns)
                at += table.size
                self._ask(node, arriving, ordinal, table)
            for b, weights in arriving.items():
                for column in columns_there:
                    share: F64 | float = 1.0
                    if kind == walk.THEIRS:
                        share = table[ordinal[b], :, column].astype(np.float64)
                    elif node and not search.maximise:
                        share = float(own[node][self._own_row[self._number[b]], column])
                    left = weights * share
                    if left.any():
                        reach.setdefault(int(children[column]), {})[b] = left

    def _ask(self, node: int, arriving: dict[int, F64], ordinal: I64, table: F32) -> None:
        """Fill ``table`` (boards of the street, hands, columns): the model's probabilities at one decision, on the
        boards on which weights arrive."""
        search, tree = self._search, self._tree
        often = [b for b, weights in arriving.items() if weights.sum() >= _RARE]
        if len(often) < len(arriving):
            ruled = self._ruled(search.own, np.array([node]))[0]
            for b in arriving.keys() - set(often):
                table[ordinal[b]] = ruled[self._texture[b] + self._classes[self._number[b], : len(self._hands)]]
        if not often:
            return
        spec, seats, rows = self._view.spec, tuple(self._view.seats), tree.line(node)
        asked = [Spot(spec, rows, self._boards.board(b), None, seats) for b in often]
        available = np.flatnonzero(tree.tos[node, : table.shape[2]] != LEFT_OUT)
        into = search.model.menu(asked[0]).onto(search.menus.later, asked[0], available)
        possible = [np.flatnonzero(arriving[b]) for b in often]
        self.asked += len(often)
        answers = _many(search.model, asked, [self._hands[some] for some in possible])
        for b, some, probs in zip(often, possible, answers, strict=True):
            table[ordinal[b], some] = probs @ into


def _many(model: ActionModel, asked: list[Spot], hands: list[I64]) -> list[F32]:
    """``float32[hands, k]`` of each decision: the model's probabilities with the given hands."""
    # Some models are faster when asked for several decisions and some hands at once.
    batch: Any = getattr(model, "batch", None)
    if batch is not None:
        return list(batch(asked, hands))
    return [model.probs(spot)[some] for spot, some in zip(asked, hands, strict=True)]
