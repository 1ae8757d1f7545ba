"""What the solver finds: against naive recursion, games with known values, and the reference spots."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dupai.base import ConfigError
from dupai.cards import CARDS, card_text, cards, combo, combo_text
from dupai.cfr import Lock, SolveSpot, SpotNode, SpotSolver, load_spot, solve_spot
from dupai.cfr.postflop import StreetSolution, _worker
from dupai.cfr.postflop._kernels import passes
from dupai.cfr.postflop._node import hand_values
from dupai.cfr.postflop._parts import last_useful
from dupai.cli import main
from naive.cfr_postflop import Learner, Twin, outcome
from support.command_line import SPOT, write_text
from support.solve_spots import SPOTS, spot_of
from support.solved_again_internals import solved_again

KUHN = {
    "board": "2c3d7h8sJc", "oop": "AsAh,KsKh,QsQh", "ip": "AsAh,KsKh,QsQh", "pot": 2, "stack": 1,
    "sizes": {"bet": "a"},
}  # fmt: skip


def _spot(**given: Any) -> SolveSpot:
    return SolveSpot.from_dict(given)


@cache
def _river() -> SpotSolver:
    return solve_spot(spot_of(SPOTS["river"]["config"]), target=0.0005, max_iterations=3000)


@cache
def _turn() -> SpotSolver:
    return solve_spot(spot_of(SPOTS["turn"]["config"]), target=0.003, threads=1)


TWINS = {
    "river, rake": _spot(
        board="Td9d6hQc2s", oop="AdAs,KdJd,9h9c:0.5,7c5c,5c4c", ip="QhQs:0.25,AdTd,8h7h,AsKs,9h9c", pot=20, stack=55,
        rake=0.05, rake_cap=3, sizes={"bet": "50%, a", "raise": "60%"}, add_allin=1.0,
    ),
    "turn": _spot(
        board="Td9d6hQc", oop="AdAs,KdJd,7c7s:0.3", ip="QhQs,8c7c,AdKd:0.6", pot=20, stack=40, rake=0.03,
        sizes={"bet": "60%, a", "raise": "a"},
    ),
    "turn, suits alike": _spot(
        board="TsTh6d6c", oop="AsKs,AhKh,AdKd,AcKc", ip="9s9h,9d9c,QdJd,QcJc,QsJs,QhJh", pot=20, stack=15,
        sizes={"turn": {"bet": "a"}, "river": {"oop": {"bet": "a"}}},
    ),
    "flop, suits alike": _spot(
        board="QsJh2h", oop="AcKc,AdKd", ip="QcTc,QdTd,KhTh", pot=20, stack=30, rake=0.02,
        sizes={"flop": {"ip": {"bet": "a"}}, "river": {"oop": {"bet": "a"}}},
    ),
    "turn, dead cards": _spot(
        board="Td9d6hQc", oop="AdAs,KdJd,7c7s:0.3", ip="QhQs,8c7c,AdKd:0.6", pot=20, stack=20, dead="AcAh2s2c7h",
        sizes={"bet": "a"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TWINS)
@pytest.mark.parametrize("iterations", [1, 12])
def test_evs_and_best_responses_are_those_of_plain_recursion(name: str, iterations: int) -> None:
    if name.startswith("flop") and iterations == 1:
        pytest.skip("the flop by recursion takes seconds: once is enough")
    spot = TWINS[name]
    solver = SpotSolver(spot)
    solver.iterate(iterations)
    twin = Twin(solver)
    for p in range(2):
        for mode, respond in ((passes.EXPECT, False), (passes.RESPOND, True)):
            found = float(solver.weights[p] @ solver.root_values(p, mode)) / solver.deals
            assert found == pytest.approx(twin.root(p, respond), abs=2e-5 * (spot.pot + spot.stack))


def test_iterations_are_those_of_plain_regret_minimisation() -> None:
    """Node by node and hand by hand, the average strategies after twenty iterations. Iterations count from 20: the
    first ones forget all positive regrets, and rounding then decides at nodes that nobody reaches."""
    solver = SpotSolver(TWINS["river, rake"])
    learner = Learner(solver)
    for t in range(20, 40):
        learner.iterate(passes.discounts(t))
    solver.iterations = 20
    solver.iterate(20)
    twin = Twin(solver)
    assert len({path for path, _ in learner.sums}) > 5
    for path, hand in learner.sums:
        assert twin.strategy(path)[hand] == pytest.approx(learner.average(path, hand), abs=1e-4), (path, hand)


@pytest.mark.parametrize(
    ("board", "oop", "ip"),
    [
        ("Td9d6hQc2s", "random", "random"),
        ("AsAhAdKcKd", "random", "22+,A2s+,K2o+"),
        ("Td9d6h6c", "random", "22+,A2s+,KTo+"),
        ("QsJh2h", "77+,ATs+,KQo,76s", "JJ+,AKs,T9s,0.3:55"),
    ],
)
def test_a_showdown_pays_the_equity(board: str, oop: str, ip: str) -> None:
    """Orders of strength, blockers, all-in tables over whole ranges; equities come from another floor's kernel."""
    spot = _spot(board=board, oop=oop, ip=ip, pot=20, stack=30, sizes={"bet": "a"})
    solver = SpotSolver(spot)  # before the first iteration everything is done equally often
    for path in ("allin/call", "check/allin/call"):
        node = SpotNode(solver, path)
        assert node.kind == "showdown" and node.pot == 80
        for p in range(2):
            held = (node.weights[p] > 0) & np.isfinite(node.equity[p])
            assert held.sum() > 20 and np.allclose(node.ev[p][held], 80 * node.equity[p][held], atol=2e-3)


def test_equities_leave_dead_cards_out() -> None:
    spot = TWINS["turn, dead cards"]
    node = SpotNode(SpotSolver(spot))
    hands = [np.flatnonzero(w) for w in node.weights]
    for p in range(2):
        for mine in hands[p]:
            share = met = 0.0
            for his in hands[1 - p]:
                if _apart(int(mine), int(his)):
                    win, tie, runouts = outcome(spot.board, spot.dead, int(mine), int(his))
                    assert runouts == 44 - len(spot.dead)
                    share += node.weights[1 - p][his] * (win + tie / 2) / runouts
                    met += node.weights[1 - p][his]
            assert node.equity[p][mine] == pytest.approx(share / met, abs=1e-9)


@pytest.mark.parametrize("p", [0, 1])
def test_no_plan_beats_the_best_response(p: int) -> None:
    """Exhaustive enumeration on a toy board: each hand's best response is the best of all its plans."""
    spot = _spot(board="Td9d6hQc2s", oop="AdAs,7c5c,9h9c:0.5", ip="QhQs:0.25,AdTd,8h7h,9h9c", pot=20, stack=55,
                 rake=0.05, rake_cap=3, sizes={"bet": "50%, a", "raise": "a"})  # fmt: skip
    solver = SpotSolver(spot)
    solver.iterate(5)
    twin = Twin(solver)
    best = solver.root_values(p, passes.RESPOND)
    number = 0
    for hand, value in zip(solver.hands[p], best, strict=True):
        plans = twin.plans(p, int(hand))
        number += len(plans)
        assert value == pytest.approx(max(plans), abs=1e-3)
    assert number > 100


def test_rake_is_all_that_is_lost() -> None:
    """The EVs sum to the pot less the rake: with a cap that every pot reaches it is known beforehand."""
    given = {**TWINS["turn"].to_dict(), "rake": 0.4, "rake_cap": 3}
    for iterations in (1, 50):
        solver = SpotSolver(SolveSpot.from_dict(given))
        solver.iterate(iterations)
        assert sum(solver.evs()) == pytest.approx(17, abs=1e-4)
        node = SpotNode(solver, "check/check/2c")
        assert node.mean(node.ev, 0) + node.mean(node.ev, 1) == pytest.approx(17, abs=1e-4)


@pytest.mark.parametrize("name", ["turn, suits alike", "flop, suits alike"])
def test_sharing_boards_changes_nothing(name: str) -> None:
    shared, plain = SpotSolver(TWINS[name]), SpotSolver(TWINS[name], symmetric=False)
    assert sum(len(level.boards) for level in shared.levels) < 0.7 * sum(len(level.boards) for level in plain.levels)
    for solver in (shared, plain):
        solver.iterate(30)
    assert shared.evs() == pytest.approx(plain.evs(), abs=1e-3)
    assert shared.exploitability() == pytest.approx(plain.exploitability(), abs=1e-3)


@pytest.mark.parametrize("card", ["2c", "2C", " 2c"])
def test_a_lock_after_a_card_holds_for_that_suit_alone(card: str) -> None:
    lock = Lock(path=f"check/check/{card}", strategy={"check": 1})
    solver = SpotSolver(TWINS["turn, suits alike"], locks=[lock])
    assert not solver.symmetric and not lock.one_for_all_suits
    assert Lock(path="check/check/*", strategy={"check": 1}).one_for_all_suits


@pytest.mark.parametrize("half", [False, True])
def test_hands_that_suits_make_equal_stay_equal(half: bool) -> None:
    """Rounding drives them apart within some iterations; then shared boards give EVs that do not sum to the pot."""
    spot = _spot(board="TsTh6d6c", oop="random", ip="22+,A2s+,K8o+,76s", pot=20, stack=60,
                 sizes={"bet": "60%, a", "raise": "a"})  # fmt: skip
    solver = SpotSolver(spot, half=half)
    solver.iterate(40)
    assert sum(solver.evs()) == pytest.approx(20, abs=2e-5)
    for path, one, other in (
        ("", "AsKs", "AhKh"),
        ("", "AdKs", "AcKh"),
        ("check", "9d9s", "9c9h"),
        ("", "AdKd", "AcKc"),
    ):
        node = SpotNode(solver, path)
        assert np.array_equal(node.strategy[:, combo(one)], node.strategy[:, combo(other)])
        assert node.strategy[:, combo(one)].sum() == pytest.approx(1)


def test_kuhn_as_a_spot() -> None:
    """Three disjoint pairs as cards: equal hands collide, so this is Kuhn poker; the game is worth -1/18."""
    solver = solve_spot(_spot(**KUHN), target=1e-5, max_iterations=20_000)
    oop, ip = solver.evs()
    assert oop == pytest.approx(1 - 1 / 18, abs=1e-4)
    assert oop + ip == pytest.approx(2, abs=1e-5)
    node = SpotNode(solver, "allin")
    call = {combo_text(c): node.strategy[1, c] for c in np.flatnonzero(node.weights[1])}
    assert call["AsAh"] == pytest.approx(1, abs=1e-3) and call["QsQh"] == pytest.approx(0, abs=1e-3)
    assert call["KsKh"] == pytest.approx(1 / 3, abs=0.02)


def test_leduc_as_a_spot() -> None:
    """A card of no worth beside each private card, all that Leduc does not have dead: the public card is the river."""
    deck = [rank + suit for rank in "JQK" for suit in "sh"]
    board, mine, yours = "2c3d4c7d", "5c", "5d"
    used = cards(board + "".join(deck) + mine + yours)
    spot = _spot(
        board=board, dead="".join(card_text(c) for c in range(CARDS) if c not in used), pot=2, stack=50, shallow=True,
        oop=",".join(c + mine for c in deck), ip=",".join(c + yours for c in deck), raise_cap=2,
        sizes={"turn": {"bet": "2c", "raise": "2c"}, "river": {"bet": "4c", "raise": "4c"}},
    )  # fmt: skip
    solver = solve_spot(spot, target=1e-4, max_iterations=20_000)
    assert solver.evs()[0] - 1 == pytest.approx(-0.085606424, abs=2e-4)
    assert SpotNode(solver, "bet 2/raise 4/call/Ks/check/bet 4").pot == 2 + 8 + 4


@pytest.mark.parametrize("bet", [50, 100, 200])
def test_nuts_or_nothing_against_a_bluff_catcher(bet: int) -> None:
    """Of a polarised range all good hands bet and bluffs so often that the other gets his price; he calls as often as
    makes a bluff worth nothing (von Neumann's poker)."""
    spot = _spot(board="AhAd7c8d2s", oop="AsAc,5h4h", ip="KsKh", pot=100, stack=bet, sizes={"bet": "a"})
    solver = solve_spot(spot, target=1e-5, max_iterations=20_000)
    root, faced = SpotNode(solver), SpotNode(solver, "allin")
    bluff = root.strategy[1, combo("5h4h")]
    assert root.strategy[1, combo("AsAc")] == pytest.approx(1, abs=1e-3)
    assert bluff == pytest.approx(bet / (100 + bet), abs=0.01)
    assert faced.strategy[1, combo("KsKh")] == pytest.approx(100 / (100 + bet), abs=0.01)
    assert solver.evs()[0] == pytest.approx(100 * (1 + bluff) / 2, abs=0.1)


@pytest.mark.parametrize("name", ["river", "turn"])
def test_the_reference_spots(name: str) -> None:
    """EVs and strategies differ from the reference's by no more than what is left to exploit allows."""
    solver = _river() if name == "river" else _turn()
    reference = SPOTS[name]["reference"]
    pot = SPOTS[name]["config"]["pot"]
    assert [len(h) for h in solver.hands] == SPOTS[name]["hands"]
    slack = 2 * solver.curve[-1].exploitability + 2 * reference["expl_pct"] / 100 * pot
    oop, ip = solver.evs()
    assert abs(oop - reference["ev_oop"]) < slack and abs(ip - reference["ev_ip"]) < slack
    assert oop + ip == pytest.approx(pot, abs=1e-3)
    node = SpotNode(solver)
    assert node.mean(node.equity, 0) == pytest.approx(reference["eq_oop"], abs=1e-5)
    assert node.mean(node.ev, 0) == pytest.approx(oop, abs=1e-3)
    assert node.frequencies() == pytest.approx(reference["root_freq"], abs=0.03 if name == "river" else 0.06)
    off = [abs(node.ev[0][combo(hand)] - ev) for hand, _, ev, _ in reference["oop_hands"]]
    assert np.mean(off) < slack and len(off) == len(solver.hands[0])


def test_the_ev_of_a_node_is_that_of_its_children() -> None:
    solver = _turn()
    for path in ("", "check/bet 100", "check/check/Ah", "check/bet 200/call/2s/check"):
        node = SpotNode(solver, path)
        assert node.player is not None
        p = node.player
        below = [SpotNode(solver, f"{path}/{action}") for action in node.actions]
        # what an action costs is in the pot of the node below
        worth = [np.nan_to_num(child.ev[p]) - (child.paid[p] - node.paid[p]) for child in below]
        mixed = sum(s * w for s, w in zip(node.strategy, worth, strict=True))
        some = (node.weights[p] > 0) & np.isfinite(node.ev[p])
        assert np.allclose(mixed[some], node.ev[p][some], atol=0.05)
        met = node.mean(node.ev, 0) + node.mean(node.ev, 1)
        assert met == pytest.approx(node.pot, rel=1e-5)


def test_half_precision_takes_half_the_memory() -> None:
    spot = spot_of(SPOTS["turn"]["config"])
    half = solve_spot(spot, target=0.005, half=True)
    peers = SPOTS["turn"]["peer_memory_mb"]
    stored = [sum(a.nbytes for lv in s.levels for a in (*lv.regrets, *lv.sums)) / 1e6 for s in (_turn(), half)]
    assert stored[1] == stored[0] / 2
    assert stored[0] <= peers["f32"] and stored[1] <= peers["i16"]
    assert half.exploitability() <= 0.005 * spot.pot
    assert half.evs() == pytest.approx(_turn().evs(), abs=2)


def test_what_does_not_fit_is_refused_before_it_starts() -> None:
    with pytest.raises(ConfigError, match=r"needs 14\.\d MB of memory and 10\.0 MB are available.*half precision"):
        SpotSolver(spot_of(SPOTS["turn"]["config"]), memory=10_000_000)


def test_half_precision_is_chosen_only_where_nothing_else_fits() -> None:
    spot = spot_of(SPOTS["turn"]["config"])
    assert not SpotSolver(spot, half=None).half
    tight = SpotSolver(spot, half=None, memory=10_000_000)
    assert tight.half and tight.memory <= 10_000_000
    with pytest.raises(ConfigError, match=r"needs 7\.9 MB of memory and 5\.0 MB are available"):
        SpotSolver(spot, half=None, memory=5_000_000)


def test_a_fixed_strategy_stays_and_is_exploited() -> None:
    spot = spot_of(SPOTS["river"]["config"])
    path = "bet 150"
    always_folds = Lock(path=path, strategy={"fold": 1})
    solver = solve_spot(spot, target=0.001, locks=[always_folds])
    node = SpotNode(solver, path)
    assert node.strategy[0, node.weights[1] > 0].min() == 1
    # every hand wins the whole pot by betting 150
    assert solver.evs()[0] > 0.999 * spot.pot
    by_hand = solve_spot(spot, target=0.002, locks=[Lock(path=path, strategy={"call": "QQ-22", "allin": "AQs"})])
    node = SpotNode(by_hand, path)
    assert node.strategy[:, combo("AsQs")].tolist() == [0, 0, 0, 1]
    assert node.strategy[:, combo("8h8s")].tolist() == [0, 1, 0, 0]
    assert node.strategy[:, combo("AsTs")].tolist() == [1, 0, 0, 0]


def test_bounds_are_kept_and_a_free_optimum_within_them_is_found() -> None:
    spot = spot_of(SPOTS["river"]["config"])
    free = _river()
    tight = Lock(path="", lower={"bet 300": 0.1}, upper={"check": 0.5, "bet 66": 0.3})
    solver = solve_spot(spot, target=0.002, locks=[tight])
    node = SpotNode(solver)
    held = node.weights[0] > 0
    assert node.strategy[3, held].min() >= 0.1 - 1e-5
    assert node.strategy[0, held].max() <= 0.5 + 1e-5 and node.strategy[1, held].max() <= 0.3 + 1e-5
    assert solver.evs()[0] < free.evs()[0]
    assert solver.curve[-1].exploitability <= 0.002 * spot.pot
    loose = solve_spot(spot, target=0.001, locks=[Lock(path="", upper={"check": 1.0})])
    assert loose.evs() == pytest.approx(free.evs(), abs=0.5)


def test_bounds_may_differ_by_hand() -> None:
    spot = spot_of(SPOTS["river"]["config"])
    half_of_pairs = Lock(path="bet 150", lower={"fold": "0.5:QQ-22"}, upper={"call": "66-22,0.25:AQs,A9s-A2s"})
    solver = solve_spot(spot, target=0.002, locks=[half_of_pairs])
    node = SpotNode(solver, "bet 150")
    assert node.strategy[0, combo("8h8s")] >= 0.5 - 1e-5
    assert node.strategy[1, combo("8h8s")] <= 1e-5 and node.strategy[1, combo("AsQs")] <= 0.25 + 1e-5
    # a hand that is not bound plays as well as it can
    assert node.strategy[2:, combo("KhJh")].sum() == pytest.approx(1, abs=1e-3)
    assert solver.evs()[0] > _river().evs()[0]


@pytest.mark.parametrize(
    ("lock", "words"),
    [
        (Lock(path="bet 151", strategy={"fold": 1}), "bet 151"),
        (Lock(path="check/check", strategy={"fold": 1}), "nobody acts"),
        (Lock(path="check/check/Ah", strategy={"fold": 1}), "the hand is over"),
        (Lock(path="bet 150", strategy={"check": 1}), "expected fold or call"),
        (Lock(path="bet 150", strategy={"fold": math.nan}), "nan"),
        (Lock(path="bet 150", strategy={"fold": -1}), "-1"),
        (Lock(path="bet 150", strategy={"fold": 0.7, "call": 0.6}), "fold 0.7 + call 0.6 is 1.3: expected at most 1"),
        (Lock(path="bet 150", strategy={"fold": "QQ:0.7", "call": 0.6}), "fold 0.7 + call 0.6 is 1.3 for Q"),
        (Lock(path="bet 150"), "expected a strategy"),
        (Lock(path="bet 150", lower={"fold": 0.7, "call": 0.7}), "within the bounds"),
        (Lock(path="bet 150", lower={"fold": 2}), "0 to 1"),
        (Lock(path="bet 150", lower={"fold": math.nan}), "nan"),
        (Lock(path="bet 150", lower={"fold": 0.6, "call": "0.7:QQ"}), "no frequencies of Q"),
        (Lock(path="bet 150", strategy={"fold": [0.5, "x"]}), "not a frequency"),
    ],
)
def test_bad_locks(lock: Lock, words: str) -> None:
    with pytest.raises(ConfigError) as error:
        SpotSolver(spot_of(SPOTS["river"]["config"]), locks=[lock])
    assert words in str(error.value) and "\n" not in str(error.value)


def test_a_lock_on_one_card_holds_there_only() -> None:
    spot = TWINS["turn, suits alike"]
    solver = SpotSolver(spot, locks=[Lock(path="check/check/2s", strategy={"check": 1})])
    solver.iterate(50)

    def checks(solver: SpotSolver, card: str) -> float:
        return float(solver.strategy(solver.place(f"check/check/{card}"))[0].min())

    assert checks(solver, "2s") == 1 and checks(solver, "2h") < 0.99
    everywhere = SpotSolver(spot, locks=[Lock(path="check/check/*", strategy={"check": 1})])
    everywhere.iterate(50)
    assert all(checks(everywhere, c) == 1 for c in ("2s", "Kh", "3d"))


def test_subgames_solved_again() -> None:
    solver = solve_spot(spot_of(SPOTS["turn"]["config"]), target=0.02)
    path = "check/bet 200/call/2s"
    low = {}
    for method in (None, "safe", "maxmargin", "weighted"):
        found = solved_again(solver, path, method, iterations=2000)
        low[method or "unsafe"] = float(np.nanmin(found.margins))
        assert found.solution.spot.pot == SpotNode(solver, path).pot
    # no hand of the opponent gains against the safe ones; against the unsafe one some do
    assert low["safe"] > -0.1 and low["maxmargin"] > -0.5
    assert low["unsafe"] < -5
    # weighted: a share of the hands plays in any case, so a little is given up
    assert low["unsafe"] / 5 < low["weighted"] < 0
    # whoever is promised twenty chips more is kept below that, hand by hand
    node = SpotNode(solver, path)
    assert node.player is not None
    worth = hand_values(solver, node.place, 1 - node.player)
    as_it_was = solved_again(solver, path, values=worth)
    promised = solved_again(solver, path, values=worth + 20)
    assert np.nanmin(promised.margins) > 0 and np.nanmin(promised.margins) > np.nanmin(as_it_was.margins)
    fewer = np.where(np.arange(1326) % 2, node.weights[0], 0), node.weights[1]
    again = solved_again(solver, path, ranges=fewer, iterations=5).solution
    assert (SpotNode(again.solver).weights[0][::2] == 0).all()
    with pytest.raises(ConfigError, match="values"):
        StreetSolution(again.spot, values=worth[:100])
    with pytest.raises(ConfigError, match="unknown method"):
        StreetSolution(again.spot, values=worth, method="fast")


def _apart(a: int, b: int) -> bool:
    return not {combo_text(a)[i : i + 2] for i in (0, 2)} & {combo_text(b)[i : i + 2] for i in (0, 2)}


def test_threads_give_the_same_to_rounding() -> None:
    spot = spot_of(SPOTS["turn"]["config"])
    found = []
    for threads in (1, 2):
        solver = SpotSolver(spot, threads=threads)
        solver.iterate(2)
        found.append(solver.exploitability())
        solver.close()
    assert found[0] == pytest.approx(found[1], rel=1e-4)


def test_without_compiled_kernels() -> None:
    """The same code on NumPy arrays (NUMBA_DISABLE_JIT=1): the plain twin of the vector kernels."""
    code = (
        "from unit.cfr.test_postflop_values_internals import KUHN, TWINS, _spot; from dupai.cfr import SpotSolver\n"
        "for s in (_spot(**KUHN), TWINS['river, rake'], TWINS['turn, suits alike']):\n"
        "    a = SpotSolver(s); a.iterate(2); print(*a.evs(), a.exploitability())"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    plain = [[float(x) for x in line.split()] for line in run.stdout.splitlines()]
    spots = (_spot(**KUHN), TWINS["river, rake"], TWINS["turn, suits alike"])
    for spot, numbers in zip(spots, plain, strict=True):
        solver = SpotSolver(spot)
        # after more iterations a regret that is 0 or a rounding error decides between two strategies
        solver.iterate(2)
        assert [*solver.evs(), solver.exploitability()] == pytest.approx(numbers, abs=1e-3)


@pytest.mark.parametrize(
    ("done", "most", "expected"),
    [(0, 10, 10), (0, 16, 16), (0, 20, 16), (0, 24, 24), (0, 64, 64), (0, 72, 64), (0, 95, 64), (0, 96, 96),
     (0, 300, 256), (65, 72, 72), (0, 1000, 1000), (0, 1100, 1024)],
)  # fmt: skip
def test_no_average_is_begun_that_the_limit_cuts_short(done, most, expected):
    assert last_useful(done, most) == expected


def test_a_spot_that_does_not_fit_is_solved_with_half_precision(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    spot = write_text(tmp_path / "spot.toml", SPOT)
    solver = SpotSolver(load_spot(spot)[0])
    monkeypatch.setattr(_worker, "_FITS", 0)
    monkeypatch.setattr(_worker, "usable_bytes", lambda limit: solver.memory - 1)
    out = str(tmp_path / "a.solve")
    assert main(["solve", spot, "--target", "5%", "--save", out]) == 0
    assert "16-bit numbers" in capsys.readouterr().out
    assert main(["solve", spot, "--target", "3%", "--save", out, "--resume", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["half"] is True
    assert main(["solve", spot, "--full"]) == 2
    assert "or half precision" in capsys.readouterr().err
