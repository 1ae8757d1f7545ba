"""Push/fold: exact chances, a linear program and a plain twin for two, accounts and symmetric cases for three."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dupai.base import ConfigError, NoProgress
from dupai.cards import CLASS_SIZE, CLASSES, COMBO_CLASS, COMBOS, class_index
from dupai.cfr import PUSH_FOLD_ANTES as ANTES, PushFold, icm, push_fold, push_fold_table, solve_push_fold
from dupai.cfr._pushfold import _three
from dupai.cfr._pushfold._heads_up import TABLE_FILE
from dupai.cfr._pushfold._kernels import FINISHES, finishes_kernel
from dupai.cli import main
from dupai.equity import class_matchups, equity
from naive.cfr_pushfold import naive_exploit, naive_icm
from tools.pushfold_tables import STACKS

TABLE = class_matchups()


def test_classes_meet_as_cards_do() -> None:
    assert TABLE.pairs.sum() == 1326 * 1225
    aces, kings, suited = class_index("AA"), class_index("KK"), class_index("AKs")
    assert (TABLE.pairs[aces, aces], TABLE.pairs[aces, kings], TABLE.pairs[aces, suited]) == (6, 36, 12)
    assert np.abs(TABLE.win + TABLE.win.T + TABLE.tie - 1).max() < 1e-12
    assert TABLE.equity[aces, kings] == pytest.approx(0.819461, abs=5e-7)
    # The same sums by the function that counts all deals of two ranges.
    for a, b in (("T9s", "A5o"), ("72o", "72o"), ("QQ", "AKs")):
        found = equity([a, b], method="exact")
        c, d = class_index(a), class_index(b)
        assert (TABLE.win[c, d], TABLE.tie[c, d] / 2) == pytest.approx((found.win[0], found.tie[0]), abs=1e-12)


def _linear_program(stack: float, ante: float) -> float:
    """The exact value of the game for the small blind (von Neumann), by another method than ours."""
    from scipy.optimize import linprog

    pairs = TABLE.pairs / TABLE.pairs.sum()
    steal, fold = min(stack, 1 + ante), -min(stack, 0.5 + ante)
    called = pairs * (2 * TABLE.equity - 1) * stack
    # Variables: push[169], then for each class of the big blind the value v of its better answer (to the small blind).
    cost = np.concatenate([fold * pairs.sum(axis=1), -np.ones(CLASSES)])
    rows = np.block([[-called.T, np.eye(CLASSES)], [-steal * pairs.T, np.eye(CLASSES)]])
    bounds = [(0, 1)] * CLASSES + [(None, None)] * CLASSES
    found = linprog(cost, A_ub=rows, b_ub=np.zeros(2 * CLASSES), bounds=bounds, method="highs")
    assert found.success
    return float(fold - found.fun)


@pytest.mark.parametrize(("stack", "ante"), [(3.0, 0.0), (10.0, 0.0), (17.25, 0.125)])
def test_values_are_those_of_a_linear_program(stack: float, ante: float) -> None:
    found = push_fold_table(stack, ante)
    assert found.value == pytest.approx(_linear_program(stack, ante), abs=2e-6)


@pytest.mark.parametrize(("stack", "ante"), [(1.0, 0.0), (0.75, 0.2), (8.0, 0.0), (25.0, 0.25), (13.37, 0.07)])
def test_nobody_can_gain_by_the_twin(stack: float, ante: float) -> None:
    found = push_fold_table(stack, ante)
    value, left = naive_exploit(TABLE.pairs, TABLE.win, TABLE.tie, stack, ante, found.push, found.call)
    assert (value, left) == pytest.approx((found.value, found.exploitability), abs=1e-12)
    assert left < 1e-5  # 0.01 mbb


def test_the_twin_sees_a_mistake() -> None:
    found = push_fold_table(10.0)
    call = found.call.copy()
    call[class_index("AA")] = 0.0
    _, left = naive_exploit(TABLE.pairs, TABLE.win, TABLE.tie, 10.0, 0.0, found.push, call)
    assert left > 0.001


def test_a_stack_of_one_blind_is_all_in_whatever_happens() -> None:
    # The big blind is all-in with its blind, so it calls; any hand has the odds to push; the game is even.
    found = solve_push_fold(1.0)
    assert found.push_share == found.call_share == 1.0
    assert found.value == pytest.approx(0.0, abs=1e-12)


def test_the_table_is_complete_and_exact_to_a_hundredth_of_a_milliblind() -> None:
    assert TABLE_FILE.stat().st_size < 60_000
    worst = 0.0
    for ante in ANTES:
        for stack in STACKS:
            found = push_fold_table(stack, ante)
            assert (found.stack, found.ante) == (stack, ante)
            assert ((found.push >= 0) & (found.push <= 1) & (found.call >= 0) & (found.call <= 1)).all()
            worst = max(worst, found.exploitability)
            assert -0.5 - ante <= found.value <= 1 + ante
    assert worst < 1e-5
    # Solved again it is the same game.
    for stack, ante in ((6.5, 0.1), (20.0, 0.0)):
        again, kept = solve_push_fold(stack, ante), push_fold_table(stack, ante)
        assert again.value == pytest.approx(kept.value, abs=4e-6)


def test_ranges_for_agents() -> None:
    push, call = push_fold(10), push_fold(10, position="bb")
    # 58 % and 37 %: the shares that published charts for ten blinds without ante give.
    assert (push.combos / COMBOS, call.combos / COMBOS) == pytest.approx((0.583, 0.374), abs=0.002)
    assert push.weight("AsAh") == call.weight("AsAh") == 1.0
    assert push.weight("7s2h") == call.weight("7s2h") == 0.0
    assert push_fold(10, ante=0.25).combos > push.combos
    assert isinstance(push_fold_table(10), PushFold)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [((0.0,), "stack 0"), ((float("nan"),), "stack nan"), ((101,), "stack 101"), ((5, -1), "ante -1"),
     ((5, 0, "btn"), "position 'btn'")],
)  # fmt: skip
def test_bad_spots_are_refused(arguments: Any, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        push_fold(*arguments)


def test_icm() -> None:
    assert icm((5, 5, 5), (50, 30, 20)) == pytest.approx((100 / 3,) * 3)
    for stacks in ((5000, 3000, 2000), (10, 6, 14), (1, 2, 97)):
        for payouts in ((50, 30, 20), (1,), (70, 30)):
            assert icm(stacks, payouts) == pytest.approx(naive_icm(stacks, payouts))
    # Winner takes all: chips are money. Who is out has the last prize.
    assert icm((30, 10, 60), (100,)) == pytest.approx((30, 10, 60))
    assert icm((60, 0, 40), (50, 30, 20)) == pytest.approx((30 + 20 * 0.6, 20, 30 + 20 * 0.4))


def test_players_who_go_out_together_rank_by_their_chips_before_the_hand() -> None:
    assert icm((0, 0, 30), (50, 30, 20), (10, 6, 14)) == (30, 20, 50)
    assert icm((0, 0, 30), (50, 30, 20), (8, 8, 14)) == icm((0, 0, 30), (50, 30, 20)) == (25, 25, 50)
    # All-in by all three: the big blind has the most chips and the best hand, aces against kings and queens.
    tables = _Deals.tables()
    game = _three._Game(tables, (10, 6, 14), 0.0, (50, 30, 20))
    before = icm((10, 6, 14), (50, 30, 20))
    hands = (2, 1, 0)
    won = [game.three[k][hands] / tables.chances[hands] + before[k] for k in range(3)]
    assert won == pytest.approx([30, 20, 50], abs=1e-4)


def test_a_damaged_table_of_three_hands_is_sampled_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    finishes = (np.arange(int(_three._starts()[-1]) * 13) % 251).astype(np.uint8).reshape(-1, 13)
    sampled: list[int] = []

    def sample(samples: int, progress: Any) -> Any:
        sampled.append(samples)
        return finishes

    def read() -> Any:
        monkeypatch.setattr(_three, "_made", [])
        return _three._tables(NoProgress()).finishes

    monkeypatch.setattr(_three, "sample_finishes", sample)
    monkeypatch.setattr(_three, "deal_chances", lambda: np.zeros((1, 1, 1), np.float32))
    monkeypatch.setattr(_three, "cache_root", lambda: tmp_path)
    assert np.array_equal(read(), finishes) and np.array_equal(read(), finishes) and len(sampled) == 1
    (file,) = tmp_path.iterdir()
    data = bytearray(file.read_bytes())
    data[4_000_000:5_000_000] = bytes(1_000_000)
    file.write_bytes(data)
    assert np.array_equal(read(), finishes) and len(sampled) == 2


def test_pots_are_settled() -> None:
    # The short stack wins the main pot, the next one the side pot; what nobody covers goes back.
    assert _three.settle((10, 6, 14), (10, 6, 14), (1, 0, 2)) == (8, 18, 4)
    assert _three.settle((10, 6, 14), (10, 6, 14), (2, 0, 1)) == (0, 0, 30)
    assert _three.settle((10, 6, 14), (10, 0.5, 1), (0,)) == (11.5, 5.5, 13)
    for order in permutations(range(3)):
        assert sum(_three.settle((3, 7, 2), (3, 7, 2), order)) == 12


def test_three_hands_are_dealt_as_cards_are() -> None:
    chances = _three.deal_chances()
    assert chances.sum(dtype=np.float64) == pytest.approx(1.0, abs=1e-6)
    assert np.array_equal(chances, chances.transpose(1, 0, 2)) or np.allclose(chances, chances.transpose(1, 0, 2))
    # One triple by hand: aces, kings and queens are 6 * 6 * 6 of 1326 * 1225 * 1128 deals.
    deals = 1326 * 1225 * 1128
    assert chances[class_index("AA"), class_index("KK"), class_index("QQ")] == pytest.approx(216 / deals)
    assert chances[class_index("AA"), class_index("AA"), class_index("AA")] == 0
    assert chances.sum(axis=(1, 2), dtype=np.float64) == pytest.approx(CLASS_SIZE / COMBOS, abs=1e-7)


class _Deals:
    """Tables in which class numbers decide: the smaller number wins (or ``finish``), so that answers are known."""

    @staticmethod
    def tables(finish: tuple[int, int, int] = (0, 1, 2)) -> Any:
        start = _three._starts()
        finishes = np.zeros((int(start[-1]), len(FINISHES)), np.uint8)
        finishes[:, FINISHES.tolist().index(list(finish))] = 160
        return _three._Tables(_three.deal_chances(), finishes, start[:-1])


def test_three_hands_go_to_the_right_player() -> None:
    tables = _Deals.tables()
    game = _three._Game(tables, (10, 10, 10), 0.0, None)
    rng = np.random.default_rng(4)
    for a, b, c in rng.integers(0, CLASSES, (200, 3)):
        if tables.chances[a, b, c] > 0 and len({a, b, c}) == 3:
            won = [game.three[k][a, b, c] / tables.chances[a, b, c] for k in range(3)]
            expected = [-10.0] * 3
            expected[int(np.argmin((a, b, c)))] = 20.0
            assert won == pytest.approx(expected)


@pytest.mark.parametrize(
    ("finish", "stacks", "after"),
    [((0, 0, 2), (10, 10, 10), (15, 15, 0)),  # two share everything
     ((0, 1, 1), (4, 10, 10), (12, 6, 6)),  # the shortest wins the main pot, the others share the side pot
     ((0, 0, 2), (4, 10, 10), (6, 18, 0)),  # the short one shares the main pot only
     ((0, 0, 0), (4, 10, 7), (4, 10, 7)),
     ((1, 1, 0), (10, 6, 14), (0, 0, 30))],
)  # fmt: skip
def test_equal_hands_split_the_pot_and_then_have_its_equity(
    finish: tuple[int, int, int], stacks: tuple[float, ...], after: tuple[float, ...]
) -> None:
    prizes = (50, 30, 20)
    game = _three._Game(_Deals.tables(finish), stacks, 0.0, prizes)
    expected = np.subtract(icm(after, prizes, stacks), icm(stacks, prizes))
    # Classes in ascending order, so that the table's players are those of the seats.
    won = [game.three[k][0, 1, 2] / _three.deal_chances()[0, 1, 2] for k in range(3)]
    assert won == pytest.approx(list(expected), abs=1e-4)


def test_ties_are_those_of_the_players_who_hold_the_hands() -> None:
    """Classes 2, 0, 1 in the seats: the tie of the two least classes is one of the small and the big blind."""
    tables = _Deals.tables((0, 0, 2))
    game = _three._Game(tables, (10, 10, 10), 0.0, None)
    won = [game.three[k][2, 0, 1] / tables.chances[2, 0, 1] for k in range(3)]
    assert won == pytest.approx([-10, 5, 5])


def test_sampled_orders_are_near_win_rates() -> None:
    """Aces, kings and seven-deuce against three-way equity sampled by other code."""
    from dupai.base import Rng
    from dupai.cards import CARD_MASK, COMBO_MASK

    names = ("AA", "KK", "72o")
    # Three classes only, numbered 0 to 2 in this order.
    members = np.concatenate([np.flatnonzero(class_index(n) == COMBO_CLASS) for n in names]).astype(np.int64)
    first = np.array([0, 6, 12, 24])
    out = np.zeros((6, 13), np.uint16)
    n = 10_000
    rng = Rng(3)
    for b, row in ((0, 0), (1, 3)):
        finishes_kernel(0, b, 3, n, first, members, COMBO_MASK, CARD_MASK.astype(np.uint64), out[row:], rng.state)
    row = out[4].astype(float)  # rows: 000 001 002 011 012 022
    assert row.sum() == n
    # The best hand's pot, split among equals.
    best = (FINISHES == 0) / (FINISHES == 0).sum(axis=1, keepdims=True)
    found = row @ best / n
    exact = equity([*names], samples=400_000, rng=5)
    assert np.abs(found - exact.equity).max() < 5 * 0.5 / np.sqrt(n)
    assert out[0].sum() == 0  # three pairs of aces cannot be dealt


def test_three_handed_equilibrium(monkeypatch: pytest.MonkeyPatch) -> None:
    """With little sampling: values add up, nobody gains much, better cards are not folded for worse ones."""
    monkeypatch.setattr(_three, "SAMPLES", 4)
    monkeypatch.setattr(_three, "_tables", _few)
    found = _three.solve_three_handed([8, 8, 8], iterations=30, target=0.0)
    assert found.complete and found.iterations == 30 and found.unit == "big blinds"
    assert sum(found.values) == pytest.approx(0, abs=1e-5)
    assert 0 <= found.residual < 5e-3
    assert all(found.ranges[name][class_index("AA")] == 1.0 for name in _three.SETS)
    assert found.share("btn") < found.share("sb")
    assert found.share("bb_both") < found.share("bb_btn") < found.share("bb_sb")
    # Winner takes all is chips: the same game in other units. Values are shares, whatever the prizes add up to.
    for prizes in ([24.0], [100.0, 0.0]):
        prize = _three.solve_three_handed([8, 8, 8], payouts=prizes, iterations=30, target=0.0)
        assert prize.values == pytest.approx([v / 24 for v in found.values], abs=1e-5)
        assert prize.residual == pytest.approx(found.residual / 24, abs=1e-5) and prize.unit == "of the prizes"
    # On the bubble players call with less.
    bubble = _three.solve_three_handed([8, 8, 8], payouts=[50, 50], iterations=30, target=0.0)
    assert bubble.share("sb_call") < 0.5 * found.share("sb_call")


def test_who_stops_gets_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the stop comes out of the report of an iteration that was not to be measured."""
    monkeypatch.setattr(_three, "_tables", _few)

    class Stops(NoProgress):
        cancelled = False

        def report(self, done: float, total: float | None, note: str = "") -> None:
            self.cancelled = done >= 7

    found = _three.solve_three_handed([8, 8, 8], iterations=30, target=0.0, progress=Stops())
    again = _three.solve_three_handed([8, 8, 8], iterations=found.iterations, target=0.0)
    assert not found.complete and found.iterations < 30 and found.residual < np.inf
    assert found.values == again.values and found.residual == again.residual


_kept: list[Any] = []


def _few(progress: Any) -> Any:
    if not _kept:
        start = _three._starts()
        _kept.append(_three._Tables(_three.deal_chances(), _three.sample_finishes(4, NoProgress()), start[:-1]))
    return _kept[0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(([8, 8],), "expected three"), (([8, 8, 0],), "expected three"), (([8, 8, 8], -1), "ante"),
     (([8, 8, 8], 0, [30, 50]), "largest first"), (([8, 8, 8], 0, []), "payouts"),
     (([8, 8, 8], 0, [1e308, 1e308]), "less than 1e"), (([8, 8, 8], 0, [float("nan")]), "less than 1e")],
)  # fmt: skip
def test_bad_three_handed_spots_are_refused(arguments: Any, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        _three.solve_three_handed(*arguments)


def test_the_command_prints_grids_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pushfold", "--stack", "8"]) == 0
    text = capsys.readouterr().out
    assert "small blind goes all-in: 61.9 %" in text and "big blind calls: 45.0 %" in text and "AKs" in text
    assert main(["pushfold", "--stack", "8", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["push"]["AA"] == 1.0 and "72o" not in found["push"]
    assert found["exploitability"] < 1e-5
    assert found["push_share"] == pytest.approx(push_fold_table(8.0).push_share)
    for wrong, said in ((["--stack", "x"], "'x'"), (["--stack", "0"], "stack 0"), (["--players", "4"], "2 or 3")):
        assert main(["pushfold", *wrong]) == 2
        assert said in capsys.readouterr().err


def test_the_command_gives_shares_of_the_prizes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ranges = dict.fromkeys(_three.SETS, np.zeros(169))
    spot = _three.PushFold3(
        (10.0, 6.0, 14.0), 0.0, (50.0, 30.0, 20.0), ranges, (0.004, -0.0018, -0.0022), 6e-7, 9, True
    )
    monkeypatch.setattr("dupai.cfr.solve_three_handed", lambda *_, **__: spot)
    arguments = ["pushfold", "--players", "3", "--stack", "10,6,14", "--payouts", "50,30,20"]
    assert main(arguments) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "+0.4000, -0.1800, -0.2200 % of the prizes" in text and "more than 0.00006 % of the prizes" in text
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["values"] == [0.004, -0.0018, -0.0022] and found["unit"] == "of the prizes"


def test_the_cfr_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cfr", "kuhn", "--iterations", "2000", "--json", "--strategy"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["value"] == pytest.approx([-1 / 18, 1 / 18]) and found["exploitability"] < 1e-6
    assert len(found["curve"]) == 10 and len(found["strategy"][0]) == 6
    assert main(["cfr", "river", "--iterations", "50"]) == 0
    assert "one_street_holdem" in capsys.readouterr().out
    for wrong, said in (
        (["chess"], "unknown game 'chess'"),
        (["kuhn11"], "2 to 10"),
        (["kuhn" + "9" * 5000], "unknown game 'kuhn9999"),
        (["river", "--pot", "9" * 400], "pot a number of more than 332 digits: expected 1 to 1,000,000,000"),
        (["river", "--stack", "9" * 400], "stack a number of more than 332 digits"),
        (["kuhn", "-a", "magic"], "unknown algorithm"),
        (["kuhn", "-n", "0"], "iterations 0"),
        (["river", "--board", "AsKs"], "2 cards"),
        (["river", "--sizes", "big"], "'big'"),
    ):
        assert main(["cfr", *wrong]) == 2
        assert said in capsys.readouterr().err
