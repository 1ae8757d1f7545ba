"""A forest as tables for the kernels: the contents of the rows of scratch memory, and the steps of a pass in order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dupai.base.arrays import F64, I64
from dupai.cfr.postflop._kernels.slots import BATCH_COLUMNS, LANES, TERM_COLUMNS
from dupai.cfr.postflop._spot import SolveSpot
from dupai.cfr.postflop._tree import CHANCE, FOLD, IP, SHOWDOWN, Forest


class Batch(NamedTuple):
    """Up to sixteen reach rows that lead to terminals, which are ``first <= t < end``; whether some are showdowns, and
    whether the weight met is needed."""

    rows: tuple[int, ...]
    showdown: bool
    weigh: bool
    first: int
    end: int


class Program(NamedTuple):
    """The steps of a pass with traverser p on one street."""

    #: reach row of each node; nodes without an action of the opponent in between share it
    reach: list[int]
    rows: int
    #: (reach row, first child's reach row, actions, storage row, node) of the opponent's nodes
    down: I64
    #: (0 opponent's, 1 traverser's; value row, first child's value row, actions, storage row, storage row of the
    #: traverser's next node), last first
    up: I64
    #: batches as lines: sixteen reach rows (the first one again where there are fewer), then the rest of a Batch
    batches: I64
    #: value row, lane, and room for the coefficients of wins less losses and of the weight met
    terms: I64
    #: by term, these two in chips, and the number of runouts that the first is a sum over
    worth: F64
    runouts: int
    #: (reach row, value row) of the roots, and of the chance nodes by tree below
    roots: I64
    chances: I64


def storage_rows(forest: Forest) -> tuple[list[int], tuple[int, int]]:
    """Row of each player node's first action in its player's storage, and how many rows each player has."""
    rows = [0, 0]
    out = [-1] * len(forest)
    for node, kind in reversed(list(enumerate(forest.kind))):
        if kind <= IP:
            out[node] = rows[kind]
            rows[kind] += forest.count[node]
    return out, (rows[0], rows[1])


def terminal_pay(spot: SolveSpot, forest: Forest, node: int, p: int) -> tuple[float, float]:
    """Payoff of a terminal to player p, in chips against an even share of the pot: the coefficient of (weight beaten
    less weight that beats) and that of the weight met. A tie shares the rake, so ties need no coefficient."""
    paid = forest.paid[node]
    rake = min(spot.rake * (spot.pot + 2 * min(paid)), spot.rake_cap)
    if forest.kind[node] == FOLD:
        if forest.folded[node] == p:
            return 0.0, -(spot.pot / 2 + paid[p])
        return 0.0, spot.pot / 2 + paid[1 - p] - rake
    return spot.pot / 2 + paid[0] - rake / 2, -rake / 2


def make_program(spot: SolveSpot, forest: Forest, storage: list[int], p: int) -> Program:
    """The tables of one street for traverser p."""
    q = 1 - p
    kind, first, count = forest.kind, forest.first, forest.count
    reach = [-1] * len(forest)
    rows = 0
    for root in forest.roots:
        reach[root] = rows
        rows += 1
    down: list[tuple[int, ...]] = []
    up: list[tuple[int, ...]] = []
    lanes: dict[int, list[int]] = {}
    chances = []
    for node, k in enumerate(kind):
        if k <= IP:
            up.append((int(k == p), node, first[node], count[node], storage[node]))
            if k == q:
                down.append((reach[node], rows, count[node], storage[node], node))
                for i in range(count[node]):
                    reach[first[node] + i] = rows + i
                rows += count[node]
            else:
                for i in range(count[node]):
                    reach[first[node] + i] = reach[node]
        elif k == CHANCE:
            chances.append((reach[node], node))
        else:
            lanes.setdefault(reach[node], []).append(node)
    left = 45 - len(spot.dead)
    runouts = (left * (left - 1), left - 1, 1)[forest.street]
    batches, terms, worth = _batches(spot, forest, lanes, p)
    steps = np.array(down, np.int64).reshape(-1, 5), _with_next(np.array(up[::-1], np.int64).reshape(-1, 5))
    roots = np.array([(reach[r], r) for r in forest.roots], np.int64)
    below = np.array(chances, np.int64).reshape(-1, 2)
    return Program(reach, rows, *steps, batches, terms, worth, runouts, roots, below)


def paid_program(program: Program, unit: float) -> Program:
    """A program with its coefficients filled in. ``unit`` is the value of a chip."""
    terms = program.terms.copy()
    coefficients = terms.view(np.float32)
    coefficients[:, 4] = program.worth[:, 0] * unit / program.runouts
    coefficients[:, 5] = program.worth[:, 1] * unit
    return program._replace(terms=terms)


def _with_next(up: I64) -> I64:
    rows = up[:, 4].copy()
    later = 0
    for i in reversed(range(len(up))):
        rows[i] = later
        later = up[i, 4] if up[i, 0] else later
    return np.ascontiguousarray(np.column_stack((up, rows)))


def _batches(spot: SolveSpot, forest: Forest, lanes: dict[int, list[int]], p: int) -> tuple[I64, I64, F64]:
    kind = forest.kind
    pays: dict[int, tuple[float, float]] = {}
    shows, weighs = set(), set()
    for row, nodes in lanes.items():
        for node in nodes:
            pay = pays[node] = terminal_pay(spot, forest, node, p)
            if kind[node] == SHOWDOWN:
                shows.add(row)
            if pay[1] != 0.0:
                weighs.add(row)
    order = sorted(lanes, key=lambda row: (row not in shows, row not in weighs, row))
    batches = []
    places: list[tuple[int, int]] = []
    for start in range(0, len(order), LANES):
        rows = order[start : start + LANES]
        before = len(places)
        for lane, row in enumerate(rows):
            places += [(node, lane) for node in lanes[row]]
        batches.append(Batch(tuple(rows), not shows.isdisjoint(rows), not weighs.isdisjoint(rows), before, len(places)))
    terms = np.zeros((len(places), TERM_COLUMNS), np.int64)
    if places:
        terms[:, :2] = places
    worth = np.array([pays[node] for node, _ in places], np.float64).reshape(-1, 2)
    lines = [(*batch.rows, *batch.rows[:1] * (LANES - len(batch.rows)), *batch[1:]) for batch in batches]
    return np.array(lines, np.int64).reshape(-1, BATCH_COLUMNS), terms, worth
