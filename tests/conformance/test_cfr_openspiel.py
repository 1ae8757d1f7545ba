"""Regret minimisation against OpenSpiel's: curves iteration by iteration, best responses, other people's games."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
import pytest

from conformance.openspiel_game import OpenSpielGame
from dupai.base import Rng
from dupai.cfr import best_response, compile_game, exploitability, solve_game
from dupai.games import Kuhn, Leduc, check_game, random_policy, tree_size


def _curve(solver: Any, game: Any, at: list[int]) -> list[float]:
    found = []
    for t in range(1, at[-1] + 1):
        solver.evaluate_and_update_policy()
        if t in at:
            found.append(pyspiel.nash_conv(game, solver.average_policy()) / game.num_players())
    return found


@pytest.mark.parametrize(
    ("game", "at", "close"),
    [
        (Kuhn(), list(range(1, 301)), 1e-14),
        (Kuhn(3), list(range(1, 61)), 1e-13),
        (Leduc(), [1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40], 1e-11),
    ],
    ids=["kuhn", "kuhn of three", "leduc"],
)
@pytest.mark.parametrize(("algorithm", "theirs"), [("cfr", pyspiel.CFRSolver), ("cfr+", pyspiel.CFRPlusSolver)])
def test_curves_are_openspiels(game: Any, at: list[int], close: float, algorithm: str, theirs: Any) -> None:
    spiel = pyspiel.load_game(game.name, {"players": game.players})
    expected = _curve(theirs(spiel), spiel, at)
    found = solve_game(game, algorithm, at[-1], checks=at[-1])
    assert [found.curve[t - 1].exploitability for t in at] == pytest.approx(expected, abs=close)


@pytest.mark.parametrize("algorithm", ["linear", "dcfr"])
def test_discounted_curves_are_openspiels(algorithm: str) -> None:
    from open_spiel.python.algorithms import discounted_cfr, exploitability

    spiel = pyspiel.load_game("kuhn_poker")
    solver = discounted_cfr.LCFRSolver(spiel) if algorithm == "linear" else discounted_cfr.DCFRSolver(spiel)
    expected = []
    for _ in range(50):
        solver.evaluate_and_update_policy()
        expected.append(exploitability.exploitability(spiel, solver.average_policy()))
    found = solve_game(Kuhn(), algorithm, 50, checks=50)
    assert [p.exploitability for p in found.curve] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("algorithm", "theirs"), [
    ("external", pyspiel.ExternalSamplingMCCFRSolver), ("outcome", pyspiel.OutcomeSamplingMCCFRSolver)
])  # fmt: skip
def test_sampling_converges_as_openspiels(algorithm: str, theirs: Any) -> None:
    """Mean exploitability after so many iterations, over seeds: theirs and ours within five standard errors."""
    spiel, compiled = pyspiel.load_game("kuhn_poker"), compile_game(Kuhn())
    for iterations in (30, 300):
        ours = [solve_game(compiled, algorithm, iterations, seed=s, checks=1).exploitability for s in range(300)]
        peer = []
        for seed in range(300):
            solver = theirs(spiel, seed=seed)
            for _ in range(iterations):
                solver.run_iteration()
            peer.append(pyspiel.exploitability(spiel, solver.average_policy()))
        error = np.hypot(np.std(ours), np.std(peer)) / np.sqrt(300)
        assert abs(np.mean(ours) - np.mean(peer)) < 5 * error, (iterations, np.mean(ours), np.mean(peer))


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("kuhn_poker", {"players": 3}),
        ("leduc_poker", {}),
        ("leduc_poker", {"suit_isomorphism": True}),
        ("liars_dice", {"dice_sides": 3}),
        ("tiny_bridge_2p", {}),
    ],
)
def test_their_games_under_our_algorithms(name: str, parameters: dict[str, Any]) -> None:
    game = OpenSpielGame(name, parameters)
    report = check_game(game, playouts=60, zero_sum=name != "tiny_bridge_2p")
    assert report.ok, report.problems
    compiled = compile_game(game)
    policies = [random_policy(Rng(7, p)) for p in range(game.players)]
    table = {}
    sets = compiled.tree.sets
    for player, key, actions in zip(sets.player.tolist(), sets.keys, sets.actions, strict=True):
        table[key] = list(zip(actions, policies[player](key, actions), strict=True))
    profile = pyspiel.TabularPolicy(table)
    found = exploitability(compiled, policies)
    assert found.nash_conv == pytest.approx(pyspiel.nash_conv(game.theirs, profile), abs=1e-9)
    for p in range(game.players):
        assert best_response(compiled, policies, p)[0] == pytest.approx(found.responses[p], abs=1e-12)


def test_their_leduc_is_ours() -> None:
    theirs, ours = OpenSpielGame("leduc_poker"), Leduc()
    assert tree_size(theirs) == tree_size(ours)
    a, b = (solve_game(g, "pdcfr+", 200) for g in (theirs, ours))
    assert a.exploitability == pytest.approx(b.exploitability, abs=1e-9)
    merged = OpenSpielGame("leduc_poker", {"suit_isomorphism": True})
    assert solve_game(merged, "pdcfr+", 200).exploitability == pytest.approx(b.exploitability, abs=1e-9)
    assert compile_game(merged).information_sets == compile_game(ours).distinct_sets == 288
