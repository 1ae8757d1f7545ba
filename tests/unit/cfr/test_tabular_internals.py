"""Tabular regret minimisation: known values, the slow twin, symmetry, unbiased sampling, bad input."""

from __future__ import annotations

import os
import subprocess
import sys
from math import inf
from typing import Any

import numpy as np
import pytest

from dupai.base import ConfigError, NoProgress, Rng
from dupai.cfr import ALGORITHMS, best_response, compile_game, exploitability, solve_game
from dupai.cfr._tabular._algorithms import VARIANTS
from dupai.cfr._tabular._solve import SamplingSolver, VectorSolver
from dupai.games import (
    CHANCE,
    OVER,
    Game,
    Kuhn,
    KuhnState,
    Leduc,
    OneStreetHoldem,
    expected_payoffs,
    random_policy,
    uniform_policy,
)
from naive.cfr_tabular import NaiveCfr, naive_best_response
from naive.games_kuhn import kuhn_equilibrium

LEDUC = compile_game(Leduc())
KUHN = compile_game(Kuhn())


def _river() -> OneStreetHoldem:
    return OneStreetHoldem("2c7dThKs3h", ["0.5:AdAc,6s5s,JhJc", "QsQd,AsKd,0.25:9h8h"], sizes=(0.5,), stack=15)


def test_kuhn_is_solved() -> None:
    found = solve_game(KUHN, "pcfr+", 20_000)
    assert found.exploitability < 1e-6
    assert found.value == pytest.approx((-1 / 18, 1 / 18), abs=1e-6)
    assert expected_payoffs(Kuhn(), found.policies) == pytest.approx(found.value, abs=1e-12)
    # The equilibria of the first player are a family by its bluffs with the lowest card, the second has only one.
    alpha = found.policies[0].table[0, 0, ()][1]
    for mine, known in zip(found.policies, kuhn_equilibrium(min(max(alpha, 0.0), 1 / 3)), strict=True):
        for key, row in known.table.items():
            assert mine.table[key] == pytest.approx(row, abs=1e-3), key


def test_leduc_is_solved() -> None:
    found = solve_game(LEDUC, "cfr+", 4000)
    assert found.exploitability < 1e-4
    assert found.mbb == 1000 * found.exploitability
    assert found.value == pytest.approx((-0.0856, 0.0856), abs=1e-4)
    # The curve comes from the merged form; the whole game says the same.
    assert exploitability(LEDUC, found.policies).exploitability == pytest.approx(found.exploitability, abs=1e-9)
    assert [p.iterations for p in found.curve] == [200 * k for k in range(1, 21)]


def test_symmetric_information_sets_are_merged() -> None:
    assert (KUHN.information_sets, KUHN.distinct_sets) == (12, 12)
    # Suits of Leduc: 288 information sets are its known size without them.
    assert (LEDUC.information_sets, LEDUC.distinct_sets) == (936, 288)


@pytest.mark.parametrize("game", [Leduc(), Kuhn(3), _river()])
@pytest.mark.parametrize("merged", [True, False])
def test_vector_iterations_are_the_twins(game: Game[Any], merged: bool) -> None:
    compiled = compile_game(game)
    for name, variant in VARIANTS.items() if game.players > 2 else [("cfr+", VARIANTS["cfr+"])]:
        alpha, beta = (inf if x is None else x for x in (variant.alpha, variant.beta))
        twin = NaiveCfr(game, alpha, beta, variant.gamma, variant.plus, variant.predictive)
        solver = VectorSolver(compiled.reduced if merged else compiled.full, variant)
        for _ in range(6 if game.players > 2 else 2):
            twin.iterate()
            solver.run(1)
        rows = compiled.policy_rows([twin.policy(p) for p in range(game.players)])
        assert solver.rows(game.players) == pytest.approx(rows, abs=1e-9), name


@pytest.mark.parametrize("game", [Kuhn(2), Kuhn(3), Leduc(), _river()])
def test_best_responses_are_the_twins(game: Game[Any]) -> None:
    compiled = compile_game(game)
    policies = [random_policy(Rng(3, p)) for p in range(game.players)]
    found = exploitability(compiled, policies)
    assert found.values == pytest.approx(expected_payoffs(game, policies), abs=1e-12)
    for p in range(game.players):
        value, policy = best_response(compiled, policies, p)
        assert value == pytest.approx(naive_best_response(game, policies, p), abs=1e-12)
        assert value == pytest.approx(found.responses[p], abs=1e-12)
        tried = [policy if q == p else policies[q] for q in range(game.players)]
        assert expected_payoffs(game, tried)[p] == pytest.approx(value, abs=1e-12)
    assert found.exploitability == pytest.approx((sum(found.responses) - sum(found.values)) / game.players)


def test_equilibrium_is_not_exploitable() -> None:
    for alpha in (0.0, 0.2, 1 / 3):
        assert exploitability(KUHN, kuhn_equilibrium(alpha)).exploitability == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("algorithm", ["external", "external-vr", "outcome", "outcome-vr"])
def test_one_sample_is_right_on_average(algorithm: str) -> None:
    """Regrets after one iteration, averaged over many seeds, are those of the whole walk (players in turn)."""
    game = _river()
    compiled = compile_game(game)
    n = int(compiled.tree.sets.start[-1])
    rng = np.random.default_rng(5)
    # A fixed profile (regrets whose positive parts are probabilities), not uniform, and guesses for the baselines.
    start = np.concatenate([rng.dirichlet(np.ones(len(a))) for a in compiled.tree.sets.actions])
    solver = SamplingSolver(compiled, algorithm, 11)
    guesses = rng.normal(0, 5, solver.baseline.shape)
    samples = 8_000
    total, square = np.zeros(n), np.zeros(n)
    first = np.repeat(compiled.tree.sets.player, np.diff(compiled.tree.sets.start)) == 0
    for _ in range(samples):
        solver.regret[:] = start
        solver.baseline[:] = guesses
        solver.run(1)
        gained = solver.regret - start
        total += gained
        square += gained * gained
    mean = total / samples
    error = np.sqrt(np.maximum(square / samples - mean * mean, 0) / samples)
    expected = _walk_regrets(game, compiled.policies(start), compiled)
    # Player 1 answers a strategy of player 0 that has changed: only player 0's regrets are of the fixed profile.
    off = np.abs(mean - expected)[first] / (error[first] + 1e-12)
    seen = error[first] > 0
    assert seen.mean() > 0.9
    assert off[seen].max() < 4.7  # of some 30 numbers


def _walk_regrets(game: Game[Any], policies: Any, compiled: Any) -> np.ndarray[Any, Any]:
    twin = NaiveCfr(game, inf, inf, 0)
    twin.strategy = lambda key, n: list(policies[key[0]].table[key[1]])  # type: ignore[method-assign]
    gained: dict[Any, list[float]] = {}
    twin.walk(game.root(), 0, [1.0] * 3, gained)
    sets = compiled.tree.sets
    rows = []
    for player, key, actions in zip(sets.player.tolist(), sets.keys, sets.actions, strict=True):
        rows += gained.get((player, key), [0.0] * len(actions))
    return np.array(rows)


def test_baselines_reduce_the_variance() -> None:
    game = Leduc()
    compiled = compile_game(game)
    spread = {}
    for algorithm in ("external", "external-vr", "outcome", "outcome-vr"):
        solver = SamplingSolver(compiled, algorithm, 3)
        solver.run(20_000)  # baselines learn
        regret, total = solver.regret.copy(), []
        for _ in range(400):
            solver.regret[:] = regret
            solver.run(1)
            total.append(solver.regret - regret)
        spread[algorithm] = float(np.var(total, axis=0).sum())
    assert spread["external-vr"] < 0.8 * spread["external"]
    assert spread["outcome-vr"] < 0.5 * spread["outcome"]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_comes_closer(algorithm: str) -> None:
    found = solve_game(KUHN, algorithm, 20_000 if algorithm in VARIANTS else 300_000, checks=4, seed=1)
    uniform = exploitability(KUHN, [uniform_policy] * 2).exploitability
    assert found.exploitability < 0.02 * uniform
    assert found.complete and found.seed == 1 and found.information_sets == 12
    again = solve_game(KUHN, algorithm, found.iterations, checks=1, seed=1)
    assert again.exploitability == pytest.approx(found.exploitability, abs=1e-12)


def test_it_stops_at_a_target_and_when_cancelled() -> None:
    found = solve_game(KUHN, "dcfr", 100_000, target=1e-3, checks=1000)
    assert found.exploitability <= 1e-3 and found.iterations < 10_000 and found.complete

    class Stop(NoProgress):
        calls = 0

        @property
        def cancelled(self) -> bool:
            self.calls += 1
            return self.calls > 3

    stopped = solve_game(KUHN, "cfr", 10_000_000, checks=1, progress=Stop())
    assert not stopped.complete and 0 < stopped.iterations < 10_000_000
    assert stopped.exploitability == pytest.approx(exploitability(KUHN, stopped.policies).exploitability)


class _Forgetful(Kuhn):
    def information(self, state: KuhnState, player: int) -> Any:
        return player, state.cards[player : player + 1], state.bets[-1:]


class _OtherActions:
    """One information set that has actions 0 and 1 in one state, 1 and 2 in the other."""

    name, players = "other actions", 2

    def root(self) -> tuple[int, ...]:
        return ()

    def actor(self, state: tuple[int, ...]) -> int:
        return (CHANCE, 0, OVER)[len(state)]

    def actions(self, state: tuple[int, ...]) -> tuple[int, ...]:
        return (1, 2) if state == (1,) else (0, 1)

    def chances(self, state: tuple[int, ...]) -> tuple[float, ...]:
        return (0.5, 0.5)

    def child(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*state, action)

    def information(self, state: tuple[int, ...], player: int) -> str:
        return "one"

    def payoffs(self, state: tuple[int, ...]) -> tuple[float, float]:
        return (1.0, -1.0) if state[1] == 1 else (0.0, 0.0)


def test_bad_input_is_refused() -> None:
    with pytest.raises(ConfigError, match="unknown algorithm 'cfr-'"):
        solve_game(KUHN, "cfr-")
    with pytest.raises(ConfigError, match="iterations 0"):
        solve_game(KUHN, "cfr", 0)
    with pytest.raises(ConfigError, match="target nan"):
        solve_game(KUHN, "cfr", 10, target=float("nan"))
    with pytest.raises(ConfigError, match="perfect recall"):
        compile_game(_Forgetful(3))
    with pytest.raises(ConfigError, match="different actions in different states"):
        compile_game(_OtherActions())
    with pytest.raises(ConfigError, match="more than 1,000 states"):
        compile_game(Leduc(), most_states=1000)
    with pytest.raises(ConfigError, match="1 policies"):
        exploitability(KUHN, [uniform_policy])
    with pytest.raises(ConfigError, match="expected 2 probabilities"):
        exploitability(KUHN, [lambda key, actions: [0.5, 0.6]] * 2)
    with pytest.raises(ConfigError, match="player 2"):
        best_response(KUHN, [uniform_policy] * 2, 2)


def test_kernels_do_the_same_interpreted() -> None:
    code = (
        "from dupai.cfr import ALGORITHMS, compile_game, game_solver\n"
        "from dupai.games import Kuhn\n"
        "for players in (2, 3):\n"
        "    compiled = compile_game(Kuhn(players))\n"
        "    for algorithm in ALGORITHMS:\n"
        "        solver = game_solver(compiled, algorithm, seed=2)\n"
        "        solver.run(20)\n"
        "        found = solver.measure()\n"
        "        print(*[f'{x:.10f}' for x in (*found.values, *found.responses)])\n"
    )

    def run(**env: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **env}, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    compiled, interpreted = run(), run(NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="error")
    assert len(compiled.splitlines()) == 2 * len(ALGORITHMS)
    assert interpreted.replace("-0.0000000000", "0.0000000000") == compiled.replace("-0.0000000000", "0.0000000000")


class _Guess:
    """One player: which of two coins is it? Told nothing."""

    name, players = "guess", 1

    def root(self) -> tuple[int, ...]:
        return ()

    def actor(self, state: tuple[int, ...]) -> int:
        return (CHANCE, 0, OVER)[len(state)]

    def actions(self, state: tuple[int, ...]) -> tuple[int, ...]:
        return () if len(state) == 2 else (0, 1)

    def chances(self, state: tuple[int, ...]) -> tuple[float, ...]:
        return 0.25, 0.75

    def child(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*state, action)

    def information(self, state: tuple[int, ...], player: int) -> int:
        return len(state)

    def payoffs(self, state: tuple[int, ...]) -> tuple[float, ...]:
        return (1.0 if state[0] == state[1] else -1.0,)


def test_a_game_against_chance_alone() -> None:
    assert solve_game(_Guess(), "cfr+", 500).value == pytest.approx((0.5,), abs=1e-3)
    assert solve_game(_Guess(), "outcome", 20_000).value == pytest.approx((0.5,), abs=0.05)
    with pytest.raises(ConfigError, match="no opponent"):
        solve_game(_Guess(), "external")
