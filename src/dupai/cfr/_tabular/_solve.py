"""One front for all algorithms."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from dupai.base import ConfigError, NoProgress, Progress, Rng
from dupai.cfr._tabular._algorithms import VARIANTS, Variant, check_algorithm
from dupai.cfr._tabular._form import CompiledGame, Layout, compile_game
from dupai.cfr._tabular._kernels.sampling import external_baseline_kernel, external_kernel, outcome_kernel
from dupai.cfr._tabular._kernels.vector import iterate_kernel, normalise_kernel
from dupai.cfr._tabular._respond import Exploitability, measure, weights
from dupai.cfr._tabular._tree import F64, GameTree
from dupai.games import Game, TabularPolicy

#: Kernels come back after about so many seconds.
_SLICE = 0.08
#: Regrets and averages of Monte Carlo start here, as OpenSpiel's do.
_START = 1e-6
#: Step of the baselines (the best one in M. Schmid et al. 2019) and exploration of outcome sampling (as OpenSpiel).
DECAY, EXPLORE = 0.5, 0.6


class CurvePoint(NamedTuple):
    """After so many iterations and seconds (of iterations alone) the average strategy was so far from equilibrium."""

    iterations: int
    seconds: float
    exploitability: float


class Solution(NamedTuple):
    """What :func:`solve_game` found.

    ``policies``: the average strategy, one policy for each player; ``value``: what everybody wins under it;
    ``exploitability`` in the game's own unit (:class:`Exploitability` says how it is counted) and ``curve`` on the way;
    ``complete``: False where it was stopped early.
    """

    game: str
    algorithm: str
    iterations: int
    seed: int
    seconds: float
    information_sets: int
    value: tuple[float, ...]
    exploitability: float
    curve: tuple[CurvePoint, ...]
    policies: tuple[TabularPolicy, ...]
    complete: bool

    @property
    def mbb(self) -> float:
        """Exploitability in thousandths of the game's unit (for poker: of the ante or big blind)."""
        return 1000.0 * self.exploitability


class VectorSolver:
    """CFR and its relatives over the sequence form."""

    def __init__(self, layout: Layout, variant: Variant) -> None:
        self.layout, self.variant = layout, variant
        n = int(layout.sizes[-1])
        self.done = 0
        self.regret, self.sum, self.strategy = np.zeros(n), np.zeros(n), np.ones(n)
        normalise_kernel(layout.groups, self.sum, self.strategy)
        self.x = weights(layout, self.strategy)
        self._scratch = np.zeros(n)

    def run(self, iterations: int) -> None:
        """So many more iterations."""
        a = self.layout
        positive, negative, weight = self.variant.schedule(self.done + 1, iterations)
        iterate_kernel(
            a.sizes, a.group_of, a.groups, a.parent, a.times, a.block_of, a.blocks, a.rows, a.others, a.worth,
            self.variant.plus, self.variant.predictive, positive, negative, weight,
            self.regret, self.strategy, self.sum, self.x, self._scratch,
        )  # fmt: skip
        self.done += iterations

    def average(self) -> F64:
        """The average strategy: probabilities of actions in the layout's order."""
        found = np.ones(len(self.sum))
        normalise_kernel(self.layout.groups, self.sum, found)
        return found

    def measure(self) -> Exploitability:
        """Of the average strategy."""
        return measure(self.layout, self.average())

    def rows(self, players: int) -> F64:
        """The average strategy in the tree's order."""
        return self.average()[self.layout.place[players:]]


class SamplingSolver:
    """Monte Carlo CFR over the histories of a game."""

    def __init__(self, compiled: CompiledGame, algorithm: str, seed: int) -> None:
        self.compiled, self.algorithm = compiled, algorithm
        tree = compiled.tree
        self.nodes = _numbered(tree)
        n = int(tree.sets.start[-1])
        self.regret, self.sum = np.full(n, _START), np.full(n, _START)
        self.rng = Rng(seed)
        vr = algorithm.endswith("-vr")
        self.baseline = np.zeros((len(tree.nodes) if vr else 0, tree.players))
        self.width = int(np.diff(tree.sets.start).max(initial=1))
        self.depth = _depth(tree)
        self.done = 0

    def run(self, iterations: int) -> None:
        """So many more iterations: as many samples for each player."""
        tree = self.compiled.tree
        tables = (tree.players, self.depth, self.width, self.nodes, tree.chance, tree.payoffs, iterations)
        learned = (self.regret, self.sum, self.rng.state)
        if self.algorithm == "external":
            external_kernel(*tables, *learned)
        elif self.algorithm == "external-vr":
            external_baseline_kernel(*tables, DECAY, self.baseline, *learned)
        else:
            outcome_kernel(*tables, EXPLORE, DECAY, self.baseline, *learned)
        self.done += iterations

    def average(self) -> F64:
        """The average strategy: probabilities of actions in the tree's order."""
        start = self.compiled.tree.sets.start
        total = np.add.reduceat(self.sum, start[:-1])
        found: F64 = self.sum / np.repeat(total, np.diff(start))
        return found

    def measure(self) -> Exploitability:
        """Of the average strategy."""
        layout = self.compiled.full
        return measure(layout, np.concatenate([np.ones(self.compiled.players), self.average()])[layout.sequences])

    def rows(self, players: int) -> F64:
        """The average strategy in the tree's order."""
        return self.average()


def _numbered(tree: GameTree) -> Any:
    """The nodes with the number of a set's first action in place of its own."""
    nodes = tree.nodes.copy()
    own = nodes[:, 0] >= 0
    nodes[own, 1] = tree.sets.start[nodes[own, 1]]
    return nodes


def _depth(tree: GameTree) -> int:
    """Length of the longest way to an end."""
    deep = np.zeros(len(tree.nodes), np.int64)
    for node in np.flatnonzero(tree.nodes[:, 3]):  # parents come before their children
        first, count = tree.nodes[node, 2:]
        deep[first : first + count] = deep[node] + 1
    return int(deep.max())


def game_solver(compiled: CompiledGame, algorithm: str, seed: int = 0) -> VectorSolver | SamplingSolver:
    """The solver behind :func:`solve_game`, for whoever wants to drive it: ``run(iterations)``, ``measure()``.

    Raises:
        ConfigError: there is no such algorithm, or external sampling of a game without opponents.
    """
    check_algorithm(algorithm)
    if algorithm.startswith("external") and compiled.players < 2:
        raise ConfigError(
            f"{algorithm}: averages are taken at opponents' decisions, and {compiled.name} has no opponent"
        )
    if algorithm in VARIANTS:
        return VectorSolver(compiled.reduced, VARIANTS[algorithm])
    return SamplingSolver(compiled, algorithm, seed)


def solve_game(
    game: Game[Any] | CompiledGame,
    algorithm: str = "cfr+",
    iterations: int = 1000,
    *,
    seed: int = 0,
    target: float = 0.0,
    checks: int = 20,
    progress: Progress | None = None,
) -> Solution:
    """Approximate an equilibrium of a small game by regret minimisation.

    Args:
        game: a game, or what :func:`compile_game` made of it.
        algorithm: one of :data:`ALGORITHMS`. cfr, cfr+, linear, dcfr, pcfr+ and pdcfr+ look at the whole game in every
            iteration (players in turn) and are deterministic; external and outcome sample it, with ``-vr`` with
            baselines that reduce the variance.
        iterations: at most so many; one samples once for every player.
        seed: of the sampling ones.
        target: stop when exploitability is not above it.
        checks: how often exploitability is looked at on the way, at evenly spaced iterations.
        progress: told of iterations; when cancelled, what there is comes back.

    Raises:
        ConfigError: a bad setting, or the game is too large or has no perfect recall.
    """
    check_algorithm(algorithm)
    if iterations < 1 or checks < 1:
        raise ConfigError(f"iterations {iterations}, checks {checks}: expected 1 or more")
    if not target >= 0:
        raise ConfigError(f"target {target}: expected 0 or more")
    progress = progress or NoProgress()
    compiled = game if isinstance(game, CompiledGame) else compile_game(game, progress=progress)
    solver = game_solver(compiled, algorithm, seed)
    solver.run(0)  # compiles what has to be, outside the timing
    curve: list[CurvePoint] = []
    seconds = 0.0
    step = 1
    while True:
        upto = max(solver.done + 1, -(-iterations * (len(curve) + 1) // checks))
        while solver.done < min(upto, iterations) and not progress.cancelled:
            start = time.perf_counter()
            count = min(step, upto - solver.done, iterations - solver.done)
            solver.run(count)
            spent = time.perf_counter() - start
            seconds += spent
            if count == step:
                step = max(1, min(2 * step, int(step * _SLICE / max(spent, 1e-6))))
            note = f"exploitability {curve[-1].exploitability:.3g}" if curve else ""
            progress.report(solver.done, iterations, note)
        found = solver.measure()
        curve.append(CurvePoint(solver.done, seconds, found.exploitability))
        if solver.done >= iterations or progress.cancelled or found.exploitability <= target:
            break
    return Solution(
        compiled.name,
        algorithm,
        solver.done,
        seed,
        seconds,
        compiled.information_sets,
        found.values,
        found.exploitability,
        tuple(curve),
        compiled.policies(solver.rows(compiled.players)),
        solver.done >= iterations or found.exploitability <= target,
    )
