"""Solve small games: one function for all algorithms."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from dupai.base import ConfigError, NoProgress, Progress, Rng
from dupai.base.arrays import F64
from dupai.cfr._tabular._algorithms import VARIANTS, Variant, check_algorithm
from dupai.cfr._tabular._form import CompiledGame, Layout, compile_game
from dupai.cfr._tabular._kernels.sampling import Histories, external_kernel, outcome_kernel
from dupai.cfr._tabular._kernels.vector import Learned, iterate_kernel, normalise_kernel
from dupai.cfr._tabular._respond import Exploitability, measure, weights
from dupai.cfr._tabular._tree import GameTree
from dupai.games import Game, TabularPolicy

#: Kernels return after about this many seconds.
_SLICE = 0.08
#: Initial regrets and averages of Monte Carlo, as in OpenSpiel.
_START = 1e-6
#: Step of the baselines (the best one in M. Schmid et al. 2019) and exploration of outcome sampling (as in OpenSpiel).
DECAY, EXPLORE = 0.5, 0.6


class CurvePoint(NamedTuple):
    """Exploitability of the average strategy after some iterations; ``seconds`` counts the iterations alone."""

    iterations: int
    seconds: float
    exploitability: float


class Solution(NamedTuple):
    """Result of :func:`solve_game`.

    ``policies``: the average strategy, one policy for each player; ``value``: what each player wins under it;
    ``exploitability`` in the game's own unit (see :class:`Exploitability`) and ``curve`` on the way; ``complete``:
    False if it was stopped early.
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
        """Exploitability in thousandths of the game's unit (in poker: of the ante or big blind)."""
        return 1000.0 * self.exploitability


class VectorSolver:
    """CFR and its relatives over the sequence form."""

    def __init__(self, layout: Layout, variant: Variant) -> None:
        self.layout, self.variant = layout, variant
        n = int(layout.sizes[-1])
        self.done = 0
        strategy = np.ones(n)
        normalise_kernel(layout, np.zeros(n), strategy)
        self.learned = Learned(np.zeros(n), strategy, np.zeros(n), weights(layout, strategy), np.zeros(n))

    def run(self, iterations: int) -> None:
        """Run more iterations."""
        schedule = self.variant.schedule(self.done + 1, iterations)
        iterate_kernel(self.layout, self.variant.plus, self.variant.predictive, *schedule, self.learned)
        self.done += iterations

    def average(self) -> F64:
        """The average strategy: probabilities of actions in the layout's order."""
        strategy = np.ones(len(self.learned.average))
        normalise_kernel(self.layout, self.learned.average, strategy)
        return strategy

    def measure(self) -> Exploitability:
        """Exploitability of the average strategy."""
        return measure(self.layout, self.average())

    def rows(self, players: int) -> F64:
        """The average strategy in the tree's order."""
        return self.average()[self.layout.place[players:]]


class SamplingSolver:
    """Monte Carlo CFR over the histories of a game."""

    def __init__(self, compiled: CompiledGame, algorithm: str, seed: int) -> None:
        self.compiled, self.algorithm = compiled, algorithm
        tree = compiled.tree
        nodes = tree.nodes.copy()
        own = nodes[:, 0] >= 0
        nodes[own, 1] = tree.sets.start[nodes[own, 1]]
        width = int(np.diff(tree.sets.start).max(initial=1))
        self.histories = Histories(tree.players, _depth(tree), width, nodes, tree.chance, tree.payoffs)
        n = int(tree.sets.start[-1])
        self.regret, self.sum = np.full(n, _START), np.full(n, _START)
        self.rng = Rng(seed)
        self.baseline = np.zeros((len(nodes) if algorithm.endswith("-vr") else 0, tree.players))
        self.done = 0

    def run(self, iterations: int) -> None:
        """Run more iterations, each a sample for every player."""
        learned = (self.regret, self.sum, self.rng.state)
        if self.algorithm.startswith("external"):
            baseline = self.baseline if len(self.baseline) else None
            external_kernel(self.histories, iterations, DECAY, baseline, *learned)
        else:
            outcome_kernel(self.histories, iterations, EXPLORE, DECAY, self.baseline, *learned)
        self.done += iterations

    def average(self) -> F64:
        """The average strategy: probabilities of actions in the tree's order."""
        start = self.compiled.tree.sets.start
        total = np.add.reduceat(self.sum, start[:-1])
        strategy: F64 = self.sum / np.repeat(total, np.diff(start))
        return strategy

    def measure(self) -> Exploitability:
        """Exploitability of the average strategy."""
        return measure(self.compiled.full, self.compiled.placed(self.average()))

    def rows(self, players: int) -> F64:
        """The average strategy in the tree's order."""
        return self.average()


def _depth(tree: GameTree) -> int:
    """Number of nodes before the terminal on the longest path."""
    depth = np.zeros(len(tree.nodes), np.int64)
    for node in np.flatnonzero(tree.nodes[:, 3]):  # parents come before their children
        first, count = tree.nodes[node, 2:]
        depth[first : first + count] = depth[node] + 1
    return int(depth.max())


def game_solver(compiled: CompiledGame, algorithm: str, seed: int = 0) -> VectorSolver | SamplingSolver:
    """Make the solver behind :func:`solve_game`, to be driven by hand: ``run(iterations)``, ``measure()``.

    Raises:
        ConfigError: there is no such algorithm, or external sampling of a game without opponents.
    """
    check_algorithm(algorithm)
    if algorithm.startswith("external") and compiled.players < 2:
        message = f"{algorithm}: averages are taken at opponents' decisions, and {compiled.name} has no opponent"
        raise ConfigError(message, key="algorithm")
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
        game: a game, or the result of :func:`compile_game`.
        algorithm: one of :data:`ALGORITHMS`. cfr, cfr+, linear, dcfr, pcfr+ and pdcfr+ visit the whole game in every
            iteration (players in turn) and are deterministic. external and outcome sample it; their ``-vr`` forms use
            baselines that reduce the variance.
        iterations: the most iterations; a sampling one takes one sample for every player.
        seed: of the sampling algorithms.
        target: stop when the exploitability is not above it.
        checks: number of exploitability checks, at evenly spaced iterations.
        progress: told of iterations; when it is cancelled, the result so far is returned.

    Raises:
        ConfigError: a bad setting, or the game is too large or has no perfect recall.
    """
    check_algorithm(algorithm)
    if iterations < 1 or checks < 1:
        raise ConfigError(f"iterations {iterations}, checks {checks}: expected 1 or more", key="iterations")
    if not target >= 0:
        raise ConfigError(f"target {target}: expected 0 or more", key="target")
    progress = progress or NoProgress()
    compiled = game if isinstance(game, CompiledGame) else compile_game(game, progress=progress)
    solver = game_solver(compiled, algorithm, seed)
    solver.run(0)  # compiles the kernels, outside the timing
    curve: list[CurvePoint] = []
    seconds = 0.0
    step = 1
    while True:
        next_check = max(solver.done + 1, -(-iterations * (len(curve) + 1) // checks))
        while solver.done < min(next_check, iterations) and not progress.cancelled:
            start = time.perf_counter()
            count = min(step, next_check - solver.done, iterations - solver.done)
            solver.run(count)
            spent = time.perf_counter() - start
            seconds += spent
            if count == step:
                step = max(1, min(2 * step, int(step * _SLICE / max(spent, 1e-6))))
            note = f"exploitability {curve[-1].exploitability:.3g}" if curve else ""
            progress.report(solver.done, iterations, note)
        result = solver.measure()
        curve.append(CurvePoint(solver.done, seconds, result.exploitability))
        complete = solver.done >= iterations or result.exploitability <= target
        if complete or progress.cancelled:
            break
    policies = compiled.policies(solver.rows(compiled.players))
    outcome = (compiled.information_sets, result.values, result.exploitability, tuple(curve), policies)
    return Solution(compiled.name, algorithm, solver.done, seed, seconds, *outcome, complete)
