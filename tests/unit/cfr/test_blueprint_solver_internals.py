"""The passes of the blueprint solver on Leduc hold'em, where exploitability is exact; buckets of hands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dupai.base import ConfigError, Estimate
from dupai.base.files import SIZE_LIMITS
from dupai.cards import COMBO_CLASS, COMBO_MASK, cards, combo_index, mask_of, strengths
from dupai.cfr import compile_game, exploitability
from dupai.cfr._blueprint._cards import _nearest, histogram, k_means, win_rates_by_group
from dupai.cfr._blueprint._kernels import Deal, Tables
from dupai.cfr._blueprint._solver import _MEASURE, as_played, second_street
from dupai.cfr._multiway._solver import _MAX_SIZE
from dupai.cfr.blueprint import BettingTree, BlueprintSolver, PassSolver, learn_buckets
from dupai.equity import equity
from dupai.games import Leduc, LeducState, TabularPolicy
from support.small_blueprint import MENU, SPEC, small_solver


def _tree(game: Leduc) -> tuple[BettingTree, list[LeducState]]:
    """The betting of Leduc, the cards left out (two of them stand for all)."""
    rows: list[list[Any]] = []
    states: list[LeducState] = []

    def new(state: LeducState) -> int:
        while state.turn == -1:  # chance: any card
            state = game.child(state, game.actions(state)[0])
        rows.append([0, max(state.turn, 0), len(state.rounds) - 1, 0, 0, state.paid, -1, 0])
        states.append(state)
        return len(rows) - 1

    new(game.root())
    node = 0
    while node < len(rows):
        row, state = rows[node], states[node]
        if game.actions(state):
            row[3], row[4] = len(rows), len(game.actions(state))
            for action in game.actions(state):
                rows[new(game.child(state, action))][6] = action
        elif any(state.folded):
            row[0], row[1] = 1, state.folded.index(True)
        else:
            row[0] = 2
        node += 1
    kinds = (np.int8, np.int8, np.int8, np.int32, np.int8, np.float64, np.int8, np.int64)
    return BettingTree(*(np.array(c, k) for c, k in zip(zip(*rows, strict=True), kinds, strict=True))), states


def _deal(board: int) -> Deal:
    """A hand has one card; its second is a number that no other hand has."""
    hands = sorted((c for c in range(6) if c != board), key=lambda c: (c // 2 == board // 2, c // 2))
    made = [(c // 2 == board // 2, c // 2) for c in hands]
    group = [max(i for i, m in enumerate(made) if m == mine) + 1 for mine in made]
    buckets = [[c // 2 for c in hands], [3 * (c // 2) + board // 2 for c in hands]]
    return Deal(np.array([[c, 6 + c] for c in hands]), np.array(group), np.array(buckets, np.int16))


def _solved(passes: int) -> PassSolver:
    solver = PassSolver(_tree(Leduc())[0], (3, 9), 5, 12, 1.0)
    deals = [_deal(board) for board in range(6)]
    for _ in range(passes):
        solver.iterate(deals)
    return solver


def _policy(solver: PassSolver) -> TabularPolicy:
    states = _tree(Leduc())[1]
    table: dict[Any, Any] = {}
    for node, state in enumerate(states):
        if solver.tree.kind[node]:
            continue
        rows = solver.rows(node)
        for card in range(6):
            for board in range(6) if len(state.rounds) == 2 else (-1,):
                if card != board:
                    bucket = card // 2 if board < 0 else 3 * (card // 2) + board // 2
                    table[state.turn, card, board, state.rounds] = rows[bucket].tolist()
    return TabularPolicy(table)


def test_leduc_is_solved_to_a_thousandth() -> None:
    """Below 1 mbb (thousandths of the ante), and closer with more passes; the value is the known -0.0856."""
    game = compile_game(Leduc())
    found = []
    for passes in (50, 1000):
        solver = _solved(passes)
        policy = _policy(solver)
        found.append(exploitability(game, [policy, policy]))
        # What a pass says the first player wins is what the tree of the whole game says.
        passed = np.mean([solver.go(_deal(board), fixed=3) for board in range(6)])
        assert passed == pytest.approx(found[-1].values[0], abs=1e-6)
    assert found[1].mbb < 1 < found[0].mbb
    assert found[1].values[0] == pytest.approx(-0.0856, abs=0.0002)


def test_threads_change_nothing() -> None:
    """Leduc's second street in three threads, hold'em in two: the same to the bit."""
    tree = _tree(Leduc())[0]
    one, three = (PassSolver(tree, (3, 9), 5, 12, 1.0, jobs) for jobs in (1, 3))
    deals = [_deal(board) for board in range(6)]
    for solver in (one, three):
        for deal in deals * 3:
            solver.go(deal)
            solver.learned()
        solver.iterate(deals)
    assert one.regrets.any()
    assert (one.regrets == three.regrets).all()
    assert (one.plan == three.plan).all()


def test_second_streets_are_all_found_and_share_nothing() -> None:
    tree = _tree(Leduc())[0]
    roots = second_street(tree)
    below: list[int] = []
    todo = list(roots)
    while todo:
        node = todo.pop()
        below.append(node)
        todo += tree.children(node)
    assert len(set(below)) == len(below)
    decisions = np.flatnonzero(tree.kind == 0).tolist()
    assert {n for n in decisions if tree.street[n] == 1} == {n for n in below if tree.kind[n] == 0}


def test_histograms_are_of_win_rates() -> None:
    """Their mean is the exact equity of the hand, up to half the width of a bin."""
    board = cards("As Kd Qc 5c")
    hand = combo_index("AhAd")
    shares = np.diff(histogram(tuple(board))[hand], prepend=0)
    exact = equity(["AhAd", "random"], "AsKdQc5c").equity[0]
    assert (shares >= -1e-6).all()
    assert shares.sum() == pytest.approx(1, abs=1e-5)
    assert float(shares @ ((np.arange(24) + 0.5) / 24)) == pytest.approx(exact, abs=0.5 / 24)
    river = win_rates_by_group((*board, cards("2c")[0]), np.zeros(169, np.int8))
    exact = equity(["AhAd", "random"], "AsKdQc5c2c").equity[0]
    assert river[hand, 0] == pytest.approx(exact, abs=1e-6)


def test_histograms_of_a_turn_are_those_of_a_naive_count() -> None:
    """All 46 rivers of one hand against all 990 others of each, counted one by one."""
    board, hand = tuple(cards("As Kd Qc 5c")), combo_index("JhTh")
    used = {*board, *cards("Jh Th")}
    counts = np.zeros(24)
    for river in set(range(52)) - used:
        full = np.uint64(mask_of((*board, river)))
        mine = int(strengths(COMBO_MASK[[hand]] | full)[0])
        others = COMBO_MASK[(COMBO_MASK & (full | COMBO_MASK[hand])) == 0]
        theirs = strengths(others | full).astype(np.int64)
        rate = ((theirs < mine).sum() + (theirs == mine).sum() / 2) / len(theirs)
        counts[min(int(rate * 24), 23)] += 1
    assert counts.sum() == 46
    assert histogram(board)[hand] == pytest.approx(counts.cumsum() / 46, abs=1e-6)


def test_the_nearest_centre_is_that_of_all_distances() -> None:
    draw = np.random.default_rng(8)
    points, centres = (draw.normal(size=(n, 5)).astype(np.float32) for n in (60, 17))
    apart = ((points[:, None] - centres[None]) ** 2).sum(axis=2)
    assert (_nearest(points, centres) == apart.argmin(axis=1)).all()


def test_k_means_finds_groups_that_are_there() -> None:
    draw = np.random.default_rng(3)
    points = np.concatenate([draw.normal(c, 0.01, (50, 2)) for c in (0.0, 1.0, 5.0)]).astype(np.float32)
    centres = k_means(points, 3, draw)
    assert sorted(centres[:, 0].round(1).tolist()) == [0.0, 1.0, 5.0]


def test_buckets_order_hands_by_strength() -> None:
    buckets = learn_buckets((8, 8, 8), 2)
    board = (12, 24, 36, 3, 17)
    of = buckets.of(board)
    rates = win_rates_by_group(board, buckets.groups).mean(axis=1)
    nuts, air = combo_index("AdAh"), combo_index("2d7h")
    assert of[nuts] != of[air]
    assert rates[of == of[nuts]].mean() > rates[of == of[air]].mean()
    assert (buckets.of(()) == COMBO_CLASS).all()


@pytest.fixture(scope="module")
def solver() -> BlueprintSolver:
    return small_solver()


def test_what_a_file_cannot_hold_is_not_trained(solver: BlueprintSolver, monkeypatch: pytest.MonkeyPatch) -> None:
    assert SIZE_LIMITS["blueprint"] > _MAX_SIZE + (1 << 26)
    monkeypatch.setitem(SIZE_LIMITS, "blueprint", (1 << 20) + solver.entries)
    with pytest.raises(ConfigError, match=rf"the abstraction has {solver.entries:,} probabilities: expected at most"):
        BlueprintSolver(SPEC, MENU, solver.cards)


def test_it_is_measured_as_its_file_plays_by_flop(solver: BlueprintSolver) -> None:
    measured = solver.measure(2, 12)
    assert measured is not None
    assert (measured.passes, measured.boards) == (2, 12)
    assert {e.n for e in (measured.value, *measured.responses, measured.exploitability)} == {3}
    played = as_played(solver.arrays()["chances"])
    tables = Tables(solver.regrets, solver.plan, played, solver.regrets)
    won = [1000 * solver.go(solver.deal(t, _MEASURE), tables, fixed=3) for t in range(12)]
    flops = Estimate.of(np.reshape(won, (3, 4)).mean(axis=1))
    assert measured.value == pytest.approx(flops)
