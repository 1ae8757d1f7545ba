"""What actions before the flop are worth by a blueprint: worked out once, over many boards, and kept in its file.

A flop that is reached before the hand is over is judged on boards that are drawn, the same for all. What a hand would
win on a board if it were checked down is a control variate: its mean over all boards is known exactly. Ends before the
flop are exact.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from dupai.base import NoProgress, Progress, Rng
from dupai.base.arrays import F32, F64, AnyArray
from dupai.base.files import array_of
from dupai.cards import CLASS_SIZE, CLASSES, COMBO_CLASS, COMBOS, board_array
from dupai.cfr._blueprint._cards import CardBuckets
from dupai.cfr._blueprint._kernels import Tables
from dupai.cfr._blueprint._solver import PassSolver, drawn
from dupai.cfr._blueprint._tree import DECISION, FOLDED, BettingTree
from dupai.equity import class_matchups, sweep_kernel


class OpeningValues(NamedTuple):
    """Values of the actions before the flop.

    Attributes:
        nodes: ``int32[m]``: the nodes of the tree that the actions lead to, ascending.
        mean: ``float32[m, 169]``: chips won since the hand began by the player who took the action, by class of the
            hand; nan where the opponent never comes there.
        error: ``float32[m, 169]``: its standard error over the boards. boards: so many.
    """

    nodes: AnyArray
    mean: F32
    error: F32
    boards: int

    def arrays(self) -> dict[str, AnyArray]:
        """What a file of the blueprint holds of it."""
        return {f"opening_{name}": np.asarray(value) for name, value in self._asdict().items()}

    @classmethod
    def read(cls, stored: dict[str, AnyArray]) -> OpeningValues | None:
        """From the arrays of a file; None: it has none.

        Raises:
            ValueError: they do not fit each other. KeyError: some are missing.
        """
        if "opening_nodes" not in stored:
            return None
        nodes = array_of(stored, "opening_nodes", (None,), np.int32)
        boards = int(array_of(stored, "opening_boards", (), np.int64))
        mean, error = stored["opening_mean"], stored["opening_error"]  # with nan in them
        fit = all(one.shape == (len(nodes), CLASSES) and one.dtype.kind == "f" for one in (mean, error))
        if not fit or (np.diff(nodes) <= 0).any():
            raise ValueError("values before the flop of other shapes")
        return cls(nodes, mean, error, boards)


class _Worth(NamedTuple):
    """By class: what a hand wins below a node, times the weight of the opponent's hands that it meets, ``mass``; and
    ``apart float64[boards, 169]``, what each board adds to that by chance."""

    won: F64
    mass: F64
    apart: F64


def opening_values(
    tree: BettingTree,
    cards: CardBuckets,
    rows: Callable[[int], F64],
    table: F32,
    boards: int,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> OpeningValues | None:
    """Value every action before the flop, if both play a strategy; None where ``progress`` is cancelled.

    Args:
        rows: ``float64[169, actions]`` of a decision before the flop: its strategy.
        table: the strategy of all decisions, as the solver's sums.
        boards: to draw, the same at every call. jobs: threads.
    """
    reach = _reached(tree, rows)
    roots = [node for node in reach if tree.kind[node] == DECISION and tree.street[node] > 0]
    sums = _on_boards(tree, cards, table, {node: reach[node] for node in roots}, boards, jobs, progress or NoProgress())
    if sums is None:
        return None
    found: dict[int, tuple[F64, F64]] = {}
    matchups = class_matchups()
    pairs = matchups.pairs / CLASS_SIZE[:, None]

    def worth(node: int, player: int) -> _Worth:
        mass = pairs @ reach[node][1 - player]
        nothing = np.zeros((boards, 1))
        paid = tree.paid[node]
        if tree.kind[node] == FOLDED:
            won = -paid[player] if tree.player[node] == player else paid[1 - player]
            return _Worth(won * mass, mass, nothing)
        if tree.kind[node] != DECISION or tree.street[node] > 0:
            down = paid.min() * ((pairs * (2 * matchups.equity - 1)) @ reach[node][1 - player])
            if node not in sums:
                return _Worth(down, mass, nothing)
            some, checked, met = sums[node]
            return _controlled(some[:, player], checked[:, player], met[:, player], down, mass)
        parts = [worth(child, player) for child in tree.children(node)]
        if tree.player[node] == player:
            chances = rows(node)
            for child, part in zip(tree.children(node), parts, strict=True):
                with np.errstate(invalid="ignore", divide="ignore"):
                    error = np.sqrt((part.apart**2).sum(axis=0)) / mass
                    found[child] = part.won / mass, np.broadcast_to(error, mass.shape)
            parts = [_Worth(chances[:, a] * part.won, mass, chances[:, a] * part.apart) for a, part in enumerate(parts)]
        return _Worth(sum(p.won for p in parts), mass, sum(p.apart for p in parts))  # type: ignore[arg-type]

    for player in (0, 1):
        worth(0, player)
    nodes = sorted(found)
    mean, error = (np.array([found[node][i] for node in nodes], np.float32) for i in range(2))
    return OpeningValues(np.array(nodes, np.int32), mean, error, boards)


def _reached(tree: BettingTree, rows: Callable[[int], F64]) -> dict[int, F64]:
    """``float64[2, 169]`` by node before the flop, flops' first included: how often each class of each player comes."""
    reach, waiting = {0: np.ones((2, CLASSES))}, [0]
    while waiting:
        node = waiting.pop()
        if tree.kind[node] != DECISION or tree.street[node] > 0:
            continue
        for a, child in enumerate(tree.children(node)):
            reach[child] = reach[node].copy()
            reach[child][tree.player[node]] *= rows(node)[:, a]
            waiting.append(child)
    return reach


def _on_boards(
    tree: BettingTree,
    cards: CardBuckets,
    table: F32,
    reach: dict[int, F64],
    boards: int,
    jobs: int,
    progress: Progress,
) -> dict[int, tuple[F32, F32, F32]] | None:
    """By flop: ``float32[boards, 2, 169]`` what the hands of both players win, what they would if they checked down,
    and the weight that they meet, each added up over the hands of a class that the board leaves."""
    walker = PassSolver(tree, cards.counts, COMBOS, 52, 1.0)
    tables = Tables(table, table, table, table)
    sums: dict[int, tuple[F32, F32, F32]] = {
        node: tuple(np.zeros((boards, 2, CLASSES), np.float32) for _ in range(3))  # type: ignore[misc]
        for node in reach
    }
    rng = Rng(0)
    with ThreadPoolExecutor(jobs) as pool:
        for b in range(boards):
            if progress.cancelled:
                return None
            board = drawn(rng, 5, ())
            deal, hands = cards.deal(board)
            kinds, full = COMBO_CLASS[hands], board_array(board)

            def below(node: int) -> None:
                weights = reach[node][:, kinds].astype(np.float32)  # noqa: B023
                won = walker.below(node, deal, weights, tables)  # noqa: B023
                win, tie, met = np.zeros(COMBOS), np.zeros(COMBOS), np.zeros(COMBOS)
                for player in (0, 1):
                    theirs = np.zeros(COMBOS)
                    theirs[hands] = weights[1 - player]  # noqa: B023
                    sweep_kernel(full, 5, theirs, win, tie, met)  # noqa: B023
                    stake = tree.paid[node].min()
                    down = stake * (2 * win + tie - met)[hands]  # noqa: B023
                    for out, values in zip(sums[node], (won[player], down, met[hands]), strict=True):  # noqa: B023
                        out[b, player] = np.bincount(kinds, values, CLASSES)  # noqa: B023

            list(pool.map(below, reach))
            progress.report(b + 1, boards, "boards valued")
    return sums


def _controlled(won: F32, down: F32, met: F32, exact: F64, mass: F64) -> _Worth:
    """A flop's worth from sums on boards, ``float32[boards, 169]``, and what checking down wins over all boards."""
    total = met.sum(axis=0, dtype=np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = won.sum(axis=0, dtype=np.float64) / total
        plain = down.sum(axis=0, dtype=np.float64) / total
        off, luck = won - mean * met, down - plain * met
        share = (off * luck).sum(axis=0) / (luck**2).sum(axis=0)
    some = total > 0
    mean, plain, share = (np.where(some & np.isfinite(one), one, 0.0) for one in (mean, plain, share))
    level = mass / np.where(some, total, 1.0)
    return _Worth(mean * mass - share * (plain * mass - exact), mass, np.where(some, (off - share * luck) * level, 0.0))
