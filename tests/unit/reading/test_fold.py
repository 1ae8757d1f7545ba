"""The FOLD reader: its formulas, its worked example, its options, its speed of answering to what it is told."""

from __future__ import annotations

import numpy as np
import pytest

from dupai.base import ConfigError
from dupai.cards import combo
from dupai.equity import win_rates
from dupai.reading import Filter, Reader, load_reader
from dupai.reading._fold._constants import PAPER_CONSTANTS, WinRateInterval
from dupai.reading._fold._kernels import likelihood_kernel, relative_kernel
from dupai.reading._fold._model import DFModel, FoldReader, hand_percentiles, postflop_intervals, preflop_intervals
from dupai.rules import Action, GameSpec, HandState, load_game
from dupai.spots import ActionModel, Menu, Spot, spots
from naive.reading_fold import action_probabilities, predicted, relative

HEADS_UP = GameSpec.no_limit(2, (50, 100), 20_000)

RATES = PAPER_CONSTANTS.rates


def to(chips: int) -> Action:
    return Action.raise_to(chips)


def played(spec: GameSpec, actions: list[Action], board: str = "") -> HandState:
    state = HandState(spec, board=board)
    for action in actions:
        state.apply(action)
    return state


def last(state: HandState) -> Spot:
    return spots(state)[-1]


def example() -> HandState:
    """The paper's hand: eight players, who is first raised, the button called; check-call, bet, bet."""
    spec = GameSpec.no_limit(8, (20, 40), 2_000)
    actions = [to(120), *[Action.fold()] * 4, Action.call(), Action.fold(), Action.fold()]
    actions += [Action.call(), to(270), Action.call()]  # check, bet half the pot, call
    actions += [to(570), Action.call(), to(1_200)]
    return played(spec, actions, "AcTd4hQc5c")


# formulas ----------------------------------------------------------------------------------------------------------


def test_equation_6_gives_the_papers_ten() -> None:
    call = RATES.call
    assert call == WinRateInterval(0.57, 0.68, 0.61)
    assert relative_kernel(0.55, *call, 50.0) == pytest.approx(0.61 / 0.06)
    assert round(relative_kernel(0.55, *call, 50.0)) == 10
    assert relative_kernel(0.60, *call, 50.0) == 50.0
    assert relative_kernel(0.80, *call, 50.0) == pytest.approx(0.39 / 0.19)
    # Just outside the interval of checking eq. 6 would exceed theta.
    assert relative_kernel(0.5701, 0.0, 0.57, 0.5699, 50.0) == 50.0
    assert relative_kernel(0.7, 0.1, 0.2, 0.7, 50.0) == 50.0


def test_the_papers_product_over_the_streets() -> None:
    streets = [(0.01, 0.006, 0.024, 0.005), (0.002, 0.03, 0.024, 0.03)]
    first, second = predicted(streets, total=2e-5)
    assert np.prod(streets, axis=1) == pytest.approx([7.2e-9, 4.32e-8])
    assert (first, second) == pytest.approx((0.00036, 0.00216))

    class Told:
        """The factors of the example, the rest of the weight (2e-5 in all) on a third hand."""

        needs_ranges = False

        def menu(self, spot: Spot) -> Menu:
            return Menu(sizes=(1.0,))

        def probs(self, spot: Spot) -> np.ndarray:
            out = np.zeros((1326, 3), np.float32)
            out[combo("AdTc")] = streets[0][spot.street]
            out[combo("KsJc")] = streets[1][spot.street]
            out[combo("9s9h")] = (2e-5 - 7.2e-9 - 4.32e-8) ** 0.25
            return out

        def meet(self, names: object) -> None: ...

        def observe(self, record: object) -> None: ...

    reading = Filter(Told(), uniform=0.0, actions="strongest", joint=False).read(example().view())[2]
    assert reading.probability("AdTc") == pytest.approx(0.00036, rel=1e-4)
    assert reading.probability("KsJc") == pytest.approx(0.00216, rel=1e-4)


def test_the_whole_reader_on_the_papers_hand() -> None:
    state = example()
    state.set_hole(7, "AhJd")
    reading = FoldReader().read(state.view(7), [2])[2]
    assert reading.hands == 990
    assert reading.probability("KsJc") > 3 * reading.probability("AdTc")


def test_likelihoods_equal_the_naive_twin() -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        k = int(rng.integers(2, 6))
        ends = np.sort(rng.random((k, 2)), axis=1)
        intervals = np.column_stack([ends, rng.random(k)])
        legal = rng.random(k) < 0.7
        legal[0] = True
        rates = rng.random(40)
        rates[3] = np.nan
        theta = float(rng.uniform(2, 60))
        out = np.empty((40, k), np.float32)
        likelihood_kernel(rates, intervals, legal, theta, out)
        for w, row in zip(rates, out, strict=True):
            assert row == pytest.approx(action_probabilities(w, intervals, legal, theta), rel=1e-6)
            assert relative_kernel(w, *intervals[0], theta) == relative(w, intervals[0], theta) or np.isnan(w)


# the model -----------------------------------------------------------------------------------------------------------


def test_it_is_an_action_model_over_legal_actions_only() -> None:
    model = DFModel()
    assert isinstance(model, ActionModel) and isinstance(FoldReader(), Reader)
    flop = [Action.call(), Action.call()]
    for actions in ([], [to(300)], flop, [*flop, to(200)], [*flop, to(20_000)]):
        spot = last(played(HEADS_UP, actions, "2c7dTh"))
        menu = model.menu(spot)
        p = model.probs(spot)
        legal = menu.legal(spot)
        assert p.shape == (1326, len(menu)) and p.dtype == np.float32
        assert not p[:, ~legal].any() and (p[:, legal] > 0).all()
        assert p.sum(axis=1) == pytest.approx(1, abs=1e-6)


def test_after_the_flop_it_looks_at_exact_win_rates() -> None:
    spot = last(played(HEADS_UP, [Action.call(), Action.call(), to(200)], "2c7dTh"))
    model = DFModel()
    p = model.probs(spot)
    rates = win_rates("2c7dTh")
    intervals = [RATES.fold, RATES.call, RATES.half, RATES.pot]
    for hand in ("TsTd", "9c8c", "AsKd", "3h2s", "Th9h"):
        h = combo(hand)
        expected = [0.25] * 4 if hand == "Th9h" else action_probabilities(rates[h], intervals, [True] * 4, 50.0)
        assert p[h] == pytest.approx(expected, rel=1e-5)


def test_sizes_are_understood_as_equation_4_says() -> None:
    flop = [Action.call(), Action.call()]  # a pot of 200
    columns = {}
    for option in ("pot", "half", "own"):
        menu = DFModel(three_quarter=option).postflop
        columns[option] = [
            menu.place(spots(played(HEADS_UP, [*flop, to(100 + bet)], "2c7dTh"))[2])
            for bet in (100, 119, 120, 199, 200, 500)
        ]
    assert columns == {"pot": [2, 2, 3, 3, 3, 3], "half": [2, 2, 2, 2, 3, 3], "own": [2, 2, 3, 3, 4, 4]}
    # A raise of 300 to 400 facing 100 into 200: by 300 into 400, to 400 into 300.
    raised = spots(played(HEADS_UP, [*flop, to(200), to(500)], "2c7dTh"))[3]
    assert DFModel(measure="by").postflop.place(raised) == 3
    assert raised.size(measure="to") == pytest.approx(4 / 3)


def test_entry_ranges_are_shares_of_starting_hands() -> None:
    q = hand_percentiles()
    assert q[combo("AsAd")] > q[combo("KsKd")] > q[combo("7s2d")]
    assert q.mean() == pytest.approx(0.5)
    assert (q >= 0.85).mean() == pytest.approx(0.15, abs=0.01)
    six = GameSpec.no_limit(6, (50, 100), 10_000)
    entries = []
    for folds in range(4):
        fold, limp, opened = preflop_intervals(PAPER_CONSTANTS, last(played(six, [Action.fold()] * folds)))
        assert fold.high == limp.low == opened.low and limp.high == 0.95 and opened.high == 1.0
        entries.append(round(1 - opened.low, 6))
    assert entries == [0.15, 0.20, 0.35, 0.35]
    facing = preflop_intervals(PAPER_CONSTANTS, last(played(six, [to(300)])))
    assert (facing[1].low, facing[1].high, facing[2].low) == pytest.approx((0.80, 0.93, 0.93))
    four = preflop_intervals(PAPER_CONSTANTS, last(played(six, [to(300), to(900)])))
    assert four[2].low == pytest.approx(0.97)
    button = preflop_intervals(PAPER_CONSTANTS, last(played(HEADS_UP, [])))
    big_blind = preflop_intervals(PAPER_CONSTANTS, last(played(HEADS_UP, [Action.call()])))
    assert (1 - button[2].low, 1 - big_blind[2].low) == pytest.approx((0.80, 0.60))


def test_limit_has_one_size() -> None:
    spec = load_game("holdem.limit.3p")
    state = played(spec, [Action.call(), Action.call(), Action.call()], "2c7dTh")
    own, table = DFModel(limit="own"), DFModel(limit="table")
    assert own.menu(last(state)).names == ("fold", "call", "raise 1")
    assert len(table.menu(last(state))) == 4
    bet = played(spec, [Action.call(), Action.call(), Action.call(), Action(2, 0)], "2c7dTh")
    assert table.menu(spots(bet)[3]).place(spots(bet)[3]) == 2  # 10 into 30: half the pot
    strong = combo("TsTc")
    p_own = own.probs(last(state))
    p_table = table.probs(last(state))
    assert p_own[strong, 2] > 0.9 > p_table[strong, 2]


def test_only_the_strongest_action_of_a_street_counts_unless_told() -> None:
    flop = [Action.call(), Action.call()]
    state = played(HEADS_UP, [*flop, Action.call(), to(200), to(800)], "2c7dTh")  # check, bet, check-raise
    strongest = FoldReader(joint=False).read(state.view(), [0])[0]
    each = FoldReader(joint=False, actions="each").read(state.view(), [0])[0]
    model = DFModel()
    told = spots(state)
    legal = ~np.isnan(win_rates("2c7dTh"))

    def product(which: list[int]) -> np.ndarray:
        w = legal.astype(float)
        for i in which:
            menu = model.menu(told[i])
            w = w * model.probs(told[i])[:, menu.place(told[i])]
        return np.asarray(w / w.sum())

    assert strongest.p == pytest.approx(product([1, 4]), rel=1e-5)
    assert each.p == pytest.approx(product([1, 2, 4]), rel=1e-5)


def test_options_by_name() -> None:
    reader = load_reader("fold:adapt=off,theta=20")
    assert isinstance(reader, FoldReader) and isinstance(reader.model, DFModel)
    assert not reader.model.adapt
    state = played(HEADS_UP, [to(300), Action.call(), to(600)], "2c7dTh")
    a = reader.read(state.view(), [0])[0]
    b = load_reader("fold:adapt=off").read(state.view(), [0])[0]
    assert a.entropy > b.entropy
    assert (a.p.max(), a.hands) < (b.p.max(), b.hands + 1)
    with pytest.raises(ConfigError, match="theta"):
        load_reader("fold:theta=0.5")
    with pytest.raises(ConfigError, match="three_quarter"):
        load_reader("fold:three_quarter=some")
    with pytest.raises(ConfigError, match="own"):
        FoldReader().read(state.view(0), [0])


def test_boundaries_stay_in_order_however_far_they_move() -> None:
    from dupai.reading._fold._adapt import Shifts

    rng = np.random.default_rng(3)
    for _ in range(50):
        s = Shifts(**{k: float(rng.uniform(-4, 4)) for k in ("fold", "bet", "raises", "large")})
        for facing in (True, False):
            found = postflop_intervals(PAPER_CONSTANTS, [RATES.half, RATES.pot], facing, s)
            lows = [i.low for i in found[1:]] if facing else [i.low for i in found[2:]]
            assert lows == pytest.approx(sorted(lows), abs=1e-12)
            assert all(0 <= i.low <= i.baseline + 1e-12 <= i.high + 2e-12 <= 1 + 2e-12 for i in found)
    same = postflop_intervals(PAPER_CONSTANTS, [RATES.half, RATES.pot], True, Shifts(enter=1.0))
    assert np.array(same) == pytest.approx(np.array([RATES.fold, RATES.call, RATES.half, RATES.pot]))


def test_a_reading_leaves_the_reader_as_it_was() -> None:
    """The share of the uniform distribution is that of the kind of game read, and is not kept on the reader."""
    reader = load_reader("fold:constants=fitted,adapt=off")
    before = reader.uniform  # type: ignore[attr-defined]
    shares = {}
    for spec in (HEADS_UP, load_game("holdem.limit.3p")):
        reader.read(HandState(spec, None, ()).view(None))
        shares[spec.betting] = reader.uniform_share(spec)  # type: ignore[attr-defined]
        assert reader.uniform == before  # type: ignore[attr-defined]
    assert shares["no-limit"] != shares["limit"]
