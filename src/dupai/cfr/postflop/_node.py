"""One node of a solved spot: ranges, strategy, EVs and equities of every hand."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from dupai.base import Printable, Progress
from dupai.base.arrays import F32, F64, AnyArray
from dupai.cards import CARDS, CLASS_SIZE, CLASS_TEXT, CLASSES, COMBO_CARDS, COMBO_CLASS, COMBOS, cards_text, combo_text
from dupai.cards.kernels import CARD_PERMUTED, COMBO_PERMUTED
from dupai.cfr.postflop._kernels import passes
from dupai.cfr.postflop._locks import Lock, load_spot
from dupai.cfr.postflop._paths import Place
from dupai.cfr.postflop._solver import SpotSolver, solve_spot
from dupai.cfr.postflop._spot import PLAYERS, SolveSpot
from dupai.cfr.postflop._tree import CHANCE, FOLD, IP, Action
from dupai.equity import sweep_kernel

#: A node or hand that is reached less often has values that no solving has made right.
SOLVED_REACH = 1e-3


def met(weights: F64) -> F64:
    """``float64[1326]``: the weight of hands that share no card with each hand."""
    held = np.zeros(CARDS)
    for k in range(2):
        held += np.bincount(COMBO_CARDS[:, k], weights=weights, minlength=CARDS)
    sums: F64 = weights.sum() - held[COMBO_CARDS[:, 0]] - held[COMBO_CARDS[:, 1]] + weights
    return sums


def hand_values(solver: SpotSolver, place: Place, player: int, *, respond: bool = False) -> F64:
    """``float64[1326]``: what each hand of a player wins from a node on, chips less half the starting pot; nan where it
    meets no hand. ``respond``: by a best response to the other's strategy."""
    board = solver.levels[place.level].boards[place.board]
    reach, value = solver.visit(place, passes.RESPOND if respond else passes.EXPECT)
    names = [COMBO_PERMUTED[place.renaming][hands] for hands in board.hands]
    weights = np.zeros(COMBOS)
    weights[names[1 - player]] = reach[1 - player]
    others = met(weights)[names[player]]
    some = others > 1e-12 * max(float(weights.sum()), 1e-300)
    out: F64 = np.full(COMBOS, np.nan)
    out[names[player]] = np.where(some, value[player] / np.where(some, others, 1.0), np.nan)
    return out


class SpotNode(Printable):
    """One node of a solved spot, with the average strategies. Arrays by player are ``float64[1326]`` by combo.

    Attributes:
        path: the path to the node, as given. solver: the solution that it belongs to.
        board: all board cards. pot: chips in it now. paid: chips of both players since the start of the spot.
        player: the actor: 0 out of position, 1 in position, None at the end of a hand or where a card comes.
        actions: the legal actions.
        strategy: ``float32[actions, 1326]`` frequencies of the actor; 0 for impossible hands.
        weights: reach of each player's hands: their weights in the range times how often they reach the node.
        ev: chips of the pot that each hand wins from here on (chips paid before belong to the pot); nan if the hand is
            impossible or meets no other hand.
        reached: share of the deals on this board in which the actions of both players lead here.
        solved: whether it is reached often enough for its strategies and values to be right.
        equity: share of the pot at a showdown with all cards dealt, against the opponent's reach; nan likewise.
    """

    def __init__(self, solver: SpotSolver, path: str = "") -> None:
        place = solver.place(path)
        level = solver.levels[place.level]
        forest = level.forest
        board = level.boards[place.board]
        kind = forest.kind[place.node]
        self.path, self.solver = path, solver
        self.place: Place = place
        rename = CARD_PERMUTED[place.renaming]
        self.board = (*solver.spot.board, *(int(rename[c]) for c in board.cards))
        self.paid = forest.paid[place.node]
        self.pot = solver.spot.pot + sum(self.paid)
        self.player = kind if kind <= IP else None
        self.kind = "act" if kind <= IP else "card" if kind == CHANCE else "fold" if kind == FOLD else "showdown"
        self.actions: tuple[Action, ...] = forest.actions(place.node) if kind <= IP else ()
        reach, value = solver.visit(place)
        places = [COMBO_PERMUTED[place.renaming][h] for h in board.hands]
        self.weights = tuple(_spread(r, at, 0.0) for r, at in zip(reach, places, strict=True))
        gone = solver.spot.dead + self.board
        self._dealt = tuple(r.without(gone).weights.astype(np.float64) for r in solver.spot.ranges)
        deals = float(self._dealt[0] @ met(self._dealt[1]))
        self.reached = min(max(float(self.weights[0] @ met(self.weights[1])) / deals, 0.0), 1.0) if deals > 0 else 0.0
        self.solved = self.reached >= SOLVED_REACH
        self.strategy: F32 = np.zeros((len(self.actions), COMBOS), np.float32)
        if self.player is not None:
            self.strategy[:, places[self.player]] = solver.strategy(place)
        ev, equity = [], []
        boards = _runouts(self.board, solver.spot.dead)
        for p in range(2):
            other = self.weights[1 - p]
            win, tie, total = _showdowns(boards, other)
            weight = total[places[p]] / comb(48 - len(self.board) - len(solver.spot.dead), 5 - len(self.board))
            nothing = weight <= 1e-9 * max(float(other.sum()), 1e-300)
            weight[nothing] = np.nan
            ev.append(_spread(value[p] / weight + solver.spot.pot / 2 + self.paid[p], places[p], np.nan))
            equity.append(
                _spread(((win + tie / 2) / np.where(total > 0, total, 1))[places[p]] + 0 * weight, places[p], np.nan)
            )
        self.ev: tuple[F64, F64] = (ev[0], ev[1])
        self.equity: tuple[F64, F64] = (equity[0], equity[1])

    def mean(self, of: tuple[F64, F64], player: int) -> float:
        """Mean of ``ev`` or ``equity`` over the deals that reach the node (nan if none does)."""
        share = self._deals(player)
        some = np.isfinite(of[player]) & (share > 0)
        total = share[some].sum()
        return float((share[some] * of[player][some]).sum() / total) if total > 0 else float("nan")

    def _deals(self, player: int) -> F64:
        """How often each hand of a player is dealt and gets here: its reach times that of the hands which it meets."""
        # The sums of hands met may miss 0 by a rounding error.
        deals: F64 = self.weights[player] * np.maximum(met(self.weights[1 - player]), 0)
        return deals

    def frequencies(self) -> F64:
        """Frequency of each action over the deals that reach the node (nan if none does)."""
        if self.player is None:
            return np.zeros(0)
        w = self._deals(self.player)
        total = w.sum()
        return self.strategy @ w / total if total > 0 else np.full(len(self.actions), np.nan)

    def class_strategy(self) -> tuple[F64, F64]:
        """(reach of the 169 classes, ``[actions, 169]`` frequencies within them) of the actor."""
        assert self.player is not None
        w = self.weights[self.player]
        reach: F64 = np.bincount(COMBO_CLASS, weights=w, minlength=CLASSES).astype(np.float64)
        rows = [np.bincount(COMBO_CLASS, weights=w * s, minlength=CLASSES) for s in self.strategy]
        return reach, np.array(rows) / np.where(reach > 0, reach, 1)

    def hands(self, player: int | None = None) -> list[dict[str, Any]]:
        """A row for every possible hand of a player (None: the actor, else out of position): ``hand``, ``weight``,
        ``solved`` (the node is, and the hand gets here often enough), ``equity``, ``ev`` and, of the actor, the
        frequency of each action."""
        p = (self.player or 0) if player is None else player
        out = []
        for c in np.flatnonzero(self.weights[p] > 0):
            row: dict[str, Any] = {
                "hand": combo_text(int(c)),
                "weight": float(self.weights[p][c]),
                "solved": self.solved and bool(self.weights[p][c] >= SOLVED_REACH * self._dealt[p][c]),
                "equity": _plain(self.equity[p][c]),
                "ev": _plain(self.ev[p][c]),
            }
            if p == self.player:
                row.update({str(a): float(s) for a, s in zip(self.actions, self.strategy[:, c], strict=True)})
            out.append(row)
        return out

    def records(self) -> list[dict[str, Any]]:
        """The rows of both players' :meth:`hands`, with ``player`` oop or ip."""
        return [{"player": name, **row} for p, name in enumerate(PLAYERS) for row in self.hands(p)]

    def at(self, path: str) -> SpotNode:
        """Another node of the solution, as ``check/bet 75%/call/Ah`` from the start."""
        return SpotNode(self.solver, path)

    def headline(self) -> str:
        turn = self.kind if self.player is None else f"{PLAYERS[self.player]} to act"
        seldom = "" if self.solved else f" ({self.seldom()})"
        return f"{self.path or 'start'}: board {cards_text(self.board)}, pot {self.pot}, {turn}{seldom}"

    def seldom(self) -> str:
        """How often the node is reached, in words, for one that is not solved."""
        if self.reached < 1e-12:
            return "never reached: not solved"
        return f"reached 1 in {float(f'{1 / self.reached:.2g}'):,.0f}: not solved"

    def as_table(self) -> tuple[tuple[str, ...], Sequence[tuple[str, ...]]]:
        """EV and equity of both players, and how often the actor takes each action."""
        names = ("player", "EV", "equity %", *(f"{action} %" for action in self.actions))
        rows = []
        for p, player in enumerate(PLAYERS):
            shares = self.frequencies() if p == self.player else [np.nan] * len(self.actions)
            figures = (self.mean(self.ev, p), 100 * self.mean(self.equity, p), *(100 * x for x in shares))
            rows.append((player, *("" if np.isnan(x) else f"{x:.1f}" for x in figures)))
        return names, rows

    def to_dict(self) -> dict[str, Any]:
        """The node as plain data, for JSON."""
        return {
            "path": self.path,
            "board": cards_text(self.board),
            "pot": self.pot,
            "kind": self.kind,
            "reached": self.reached,
            "solved": self.solved,
            "player": None if self.player is None else PLAYERS[self.player],
            "actions": [str(a) for a in self.actions],
            "frequencies": [_plain(x) for x in self.frequencies()],
            "ev": {name: _plain(self.mean(self.ev, p)) for p, name in enumerate(PLAYERS)},
            "equity": {name: _plain(self.mean(self.equity, p)) for p, name in enumerate(PLAYERS)},
            "hands": {name: self.hands(p) for p, name in enumerate(PLAYERS)},
        }

    def below(self) -> Iterator[SpotNode]:
        """The node and all those below it on its street."""
        yield self
        for action in self.actions:
            yield from self.at(f"{self.path}/{action}" if self.path else str(action)).below()

    def to_csv(self, below: bool = False) -> str:
        """The hands of both players as csv text; with ``below`` those of all nodes of :meth:`below`, by path."""
        out = io.StringIO()
        nodes = list(self.below()) if below else [self]
        actions = dict.fromkeys(str(a) for node in nodes for a in node.actions)
        names = [*["path"] * below, "player", "hand", "weight", "solved", "equity", "ev", *actions]
        writer = csv.DictWriter(out, names, restval="", extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for node in nodes:
            writer.writerows({"path": node.path, **row} for row in node.records())
        return out.getvalue()

    def grid(self) -> list[list[tuple[str, float, tuple[float, ...]]]]:
        """The 13 x 13 grid of the actor: name, reach (0 to 1 a combo), frequency of each action."""
        reach, rows = self.class_strategy()
        cells = [
            (CLASS_TEXT[k], float(reach[k] / CLASS_SIZE[k]), tuple(float(x) for x in rows[:, k]))
            for k in range(CLASSES)
        ]
        return [cells[13 * i : 13 * i + 13] for i in range(13)]


def solve(
    spot: SolveSpot | Mapping[str, Any] | str | Path,
    *,
    target: float = 0.003,
    threads: int = 1,
    max_iterations: int = 2000,
    progress: Progress | None = None,
) -> SpotNode:
    """Solve a heads-up postflop spot, and give the start of the solution; :meth:`SpotNode.at` leads on.

    Args:
        spot: a spot, its plain data as :meth:`SolveSpot.from_dict` takes it, or a spot file.
        target: exploitability to stop at, a share of the pot.
        threads, max_iterations, progress: as for :func:`dupai.cfr.solve_spot`.

    Raises:
        FileError: the file cannot be read. ConfigError, NotationError: it is no spot.
    """
    locks: tuple[Lock, ...] = ()
    if isinstance(spot, str | Path):
        spot, locks = load_spot(spot)
    elif not isinstance(spot, SolveSpot):
        spot = SolveSpot.from_dict(dict(spot))
    solver = solve_spot(
        spot, target=target, threads=threads, max_iterations=max_iterations, locks=locks, progress=progress
    )
    return SpotNode(solver)


def _runouts(board: tuple[int, ...], dead: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The board, which the sweep completes by itself; with dead cards, all boards of five cards that can follow."""
    if not dead:
        return [board]
    rest = sorted(set(range(CARDS)) - {*board, *dead})
    return [(*board, *more) for more in combinations(rest, 5 - len(board))]


def _showdowns(boards: list[tuple[int, ...]], other: F64) -> tuple[F64, F64, F64]:
    """Weights that every hand beats, ties with and meets, summed over boards."""
    sums = np.zeros((3, COMBOS))
    part = np.zeros((3, COMBOS))
    shown = np.zeros(5, np.uint8)
    for board in boards:
        shown[: len(board)] = board
        sweep_kernel(shown, len(board), other, *part)
        sums += part
    return sums[0], sums[1], sums[2]


def _spread(values: F64, at: AnyArray, fill: float) -> F64:
    out = np.full(COMBOS, fill)
    out[at] = values
    return out


def _plain(x: float) -> float | None:
    return None if np.isnan(x) else float(x)
