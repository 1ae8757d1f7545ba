"""The FOLD reader: formulas, worked example, options, and adaptation to what players do and show."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from dupai.agents import make_agent
from dupai.base import ConfigError, Rng
from dupai.cards import combo
from dupai.equity import win_rate, win_rates
from dupai.history.stats import PlayerStats
from dupai.reading import Filter, Reader, legal_hands, load_reader
from dupai.reading._fold._adapt import NONE, Shifts, player_shifts, scaled, shift
from dupai.reading._fold._constants import PAPER_CONSTANTS, WinRateInterval
from dupai.reading._fold._kernels import likelihood_kernel, relative_kernel
from dupai.reading._fold._model import DFModel, FoldReader, hand_percentiles, postflop_intervals, preflop_intervals
from dupai.rules import BOARD_CARDS, Action, GameSpec, HandRecord, HandState, View, load_game
from dupai.spots import ActionModel, Menu, Spot, spot_rows, spots
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


def test_figure_2_as_printed() -> None:
    """The call's interval and baseline, 0.513 (a check) and 0.75 (where the pot begins); intervals that follow each
    other; in each of them its own action is the likeliest."""
    assert (RATES.call.low, RATES.call.high, RATES.call.baseline) == (0.57, 0.68, 0.61)
    assert (RATES.check.baseline, RATES.pot.low, PAPER_CONSTANTS.theta) == (0.513, 0.75, 50.0)
    ladder = [RATES.call, RATES.half, RATES.pot]
    assert [a.high for a in ladder] == [*(b.low for b in ladder[1:]), 1.0] and RATES.check.high == RATES.call.low
    rates = np.array([0.2, 0.6, 0.7, 0.9])
    out = np.empty((4, 4), np.float32)
    likelihood_kernel(rates, np.array([RATES.fold, *ladder]), np.ones(4, bool), 50.0, out)
    assert out.argmax(axis=1).tolist() == [0, 1, 2, 3] and (out.max(axis=1) > 0.7).all()


def test_value_bets_keep_the_strongest_hands() -> None:
    spot = last(played(HEADS_UP, [Action.call(), Action.call()], "2c7dTh"))
    nuts, middle = combo("TsTd"), combo("7s6s")
    drawn, kept = DFModel().probs(spot), DFModel(value_bets=True).probs(spot)
    assert drawn[nuts, 2] < 0.1 < 0.4 < kept[nuts, 2] == kept[nuts, 3]
    assert kept[middle] == pytest.approx(drawn[middle])
    limit = last(played(load_game("holdem.limit.3p"), [Action.call()] * 3, "2c7dTh"))
    assert DFModel(value_bets=True).probs(limit).tolist() == DFModel().probs(limit).tolist()
    assert load_reader("fold:value_bets=on").model.value_bets  # type: ignore[attr-defined]


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
    state.set_hole(7, "AhJh")
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


SPEC = GameSpec.no_limit(2, (50, 100), 10_000)


RATES = PAPER_CONSTANTS.rates


class Folder:
    """Sees every flop, then folds to a bet whatever wins less than 80 % against a uniform hand; never bets."""

    def act(self, view: View, rng: Rng) -> Action:
        if not view.board or view.to_call == 0 or win_rate(view.hole, view.board) >= 0.8:
            return Action.call()
        return Action.fold()


class Bettor:
    """Bets one share of the pot whenever nobody has bet after the flop, calls everything else."""

    def __init__(self, share: float) -> None:
        self.share = share

    def act(self, view: View, rng: Rng) -> Action:
        legal = view.legal
        if not view.board or view.to_call or not legal.max_to:
            return Action.call()
        to = view.contributions[view.position] + int(self.share * view.pot)
        return Action.raise_to(min(max(to, legal.min_to), legal.max_to))


OWN = {"folder": Folder, "small": lambda: Bettor(0.3), "large": lambda: Bettor(1.5)}


LEARNT, SCORED = 100, 120


@cache
def hands(villain: str, seed: int = 5, n: int = LEARNT) -> list[HandRecord]:
    """Hands of ``villain`` (seat 0) against ``rules``, all cards known."""
    rng = Rng(seed)
    agents = [OWN[villain]() if villain in OWN else make_agent(villain), make_agent("rules")]
    found = []
    for number in range(n):
        deck = list(range(52))
        rng.shuffle(deck)
        seats = (number % 2, 1 - number % 2)
        state = HandState(SPEC, [deck[0:2], deck[2:4]], deck[4:9], seats=seats, hand=number)
        while not state.finished:
            state.apply(agents[seats[state.actor]].act(state.view(state.actor), rng))
        found.append(state.record())
    return found


def learnt(villain: str) -> FoldReader:
    reader = FoldReader()
    for record in hands(villain):
        reader.observe(record)
    return reader


def bits(reader: FoldReader, records: list[HandRecord]) -> np.ndarray:
    """Mean gain of each hand over the streets on which seat 0 decided, learning after every hand; nan: on none."""
    gains = []
    for record in records:
        position = record.seats.index(0)
        truth = combo(*record.hole[position])
        rows = spot_rows(record)
        found = []
        for street in range(4):
            on = rows[(rows["street"] == street) & (rows["position"] == position)]
            if not len(on):
                continue
            # The end of the street's betting, with the street's board.
            end = int(np.flatnonzero(rows["street"] == street)[-1]) + 1
            state = HandState(SPEC, None, record.board[: BOARD_CARDS[street]], seats=record.seats, hand=record.hand)
            for action in record.actions[:end]:
                state.apply(action)
            view = state.view()
            found.append(reader.read(view, [0])[0].gain(truth, int(legal_hands(view, position).sum())))
        gains.append(np.mean(found) if found else np.nan)
        reader.observe(record)
    return np.array(gains)


def moved(shifts: Shifts) -> list[float]:
    """Low end of the call, half-pot and pot intervals facing a bet."""
    return [i.low for i in postflop_intervals(PAPER_CONSTANTS, [RATES.half, RATES.pot], True, shifts)[1:]]


def test_a_stranger_is_read_by_the_paper() -> None:
    assert player_shifts(PlayerStats(seat=0)) == NONE
    record = hands("caller")[-1]
    position = record.seats.index(0)
    view = record.at().view()
    seat = record.seats[position]
    fresh = FoldReader().read(view, [seat])[seat]
    assert fresh.p == pytest.approx(FoldReader(adapt=False).read(view, [seat])[seat].p, abs=1e-15)
    first = FoldReader()
    first.observe(hands("caller")[0])
    assert first.model.shifts(0) != NONE  # type: ignore[attr-defined]


def test_shifts_are_shrunk_log_odds() -> None:
    assert shift(0, 0, 0.4, 10) == 0.0
    one = shift(1, 1, 0.4, 10)
    assert one == pytest.approx(np.log((5 / 6) / (6 / 6) / (0.4 / 0.6)))
    assert 0 < one < shift(10, 10, 0.4, 10) < shift(1000, 1000, 0.4, 10) == 4.0
    assert shift(4, 10, 0.4, 10) == pytest.approx(0)


def test_who_calls_too_much_means_less_by_calling() -> None:
    shifts = learnt("caller").model.shifts(0)  # type: ignore[attr-defined]
    assert shifts.fold < -1 and shifts.raises < -1 and shifts.bet < -0.5
    call, half, _ = moved(shifts)
    assert call < 0.3 < 0.9 < half  # nearly every hand is called with, hardly any raised


def test_who_folds_too_much_means_more_by_calling() -> None:
    shifts = learnt("folder").model.shifts(0)  # type: ignore[attr-defined]
    assert shifts.fold > 0.5
    assert moved(shifts)[0] > RATES.call.low + 0.05


def test_who_always_raises_means_nothing_by_raising() -> None:
    shifts = learnt("raiser").model.shifts(0)  # type: ignore[attr-defined]
    assert shifts.bet > 1 and shifts.raises > 1
    assert moved(shifts)[1] < RATES.half.low - 0.2
    assert shifts.three_bet.share(PAPER_CONSTANTS.shares.three_bet) > 0.6


def test_sizes_that_he_always_bets_mean_less() -> None:
    small, large = (learnt(villain).model.shifts(0) for villain in ("small", "large"))  # type: ignore[attr-defined]
    assert small.large < -0.5 and large.large > 0.5
    assert small.bet > 0.5 and large.bet > 0.5
    ladder = [RATES.half, RATES.pot]
    pots = [postflop_intervals(PAPER_CONSTANTS, ladder, False, shifts)[-1].low for shifts in (small, NONE, large)]
    assert pots == sorted(pots, reverse=True)  # who bets big always has less for it


def test_the_first_hand_counts_a_little_and_more_count_more() -> None:
    reader = FoldReader()
    found = []
    for record in hands("caller"):
        reader.observe(record)
        found.append(reader.model.shifts(0))  # type: ignore[attr-defined]
    first, tenth, last = found[0], found[9], found[-1]
    assert first != NONE
    assert abs(first.enter) < 0.5 < last.enter
    assert 0 >= first.fold > tenth.fold > last.fold


def test_habits_may_be_believed_in_part() -> None:
    whole = learnt("caller").model.shifts(0)  # type: ignore[attr-defined]
    assert scaled(whole, 1.0) == whole and scaled(whole, 0.0) == NONE
    half = scaled(whole, 0.5)
    assert (half.fold, half.bet, half.large) == pytest.approx((whole.fold / 2, whole.bet / 2, whole.large / 2))
    prior = PAPER_CONSTANTS.shares.three_bet
    shares = [s.three_bet.share(prior) for s in (NONE, half, whole)]
    assert shares == sorted(shares, reverse=True) and shares[0] == prior  # he never raises again
    record = hands("caller")[-1]
    position = record.seats.index(0)
    view = record.at().view()
    read = {}
    for trust in (None, 0.0, 0.4, 1.0):
        reader = FoldReader(trust=trust)
        for played in hands("caller")[:40]:
            reader.observe(played)
        read[trust] = reader.read(view, [view.seats[position]])[view.seats[position]].p
    off = FoldReader(adapt=False).read(view, [view.seats[position]])[view.seats[position]].p
    assert read[None] == pytest.approx(read[1.0], abs=1e-15) and read[0.0] == pytest.approx(off, abs=1e-15)
    assert not np.allclose(read[0.4], read[1.0]) and not np.allclose(read[0.4], off)


@pytest.mark.parametrize("villain", ["caller", "raiser", "style:LP", "style:TP", "folder"])
def test_adapting_gains_bits(villain: str) -> None:
    records = hands(villain, 6, SCORED)  # another seed than that which was learnt from
    adapted = bits(learnt(villain), records)
    fixed = bits(FoldReader(adapt=False), records)
    apart = (adapted - fixed)[~np.isnan(adapted)]
    error = apart.std(ddof=1) / np.sqrt(len(apart))
    assert apart.mean() > 2.5 * error, f"{villain}: {apart.mean():.2f} ± {error:.2f} bits"


def test_statistics_belong_to_the_person_in_a_seat() -> None:
    reader = FoldReader()
    model = reader.model
    reader.meet({0: "Ann", 1: "Bob"})
    for record in hands("caller")[:30]:
        reader.observe(record)
    before = model.shifts(0)  # type: ignore[attr-defined]
    assert before.fold < 0
    reader.meet({0: "Cid"})
    assert model.shifts(0) == NONE  # type: ignore[attr-defined]
    reader.meet({0: "Ann"})
    assert model.shifts(0) == before  # type: ignore[attr-defined]


def test_fast_counts_are_those_of_the_estimates() -> None:
    stats = PlayerStats(seat=0)
    for record in hands("style:LP")[:60]:
        stats.update(record)
    for name in ("vpip", "pfr", "3bet", "afq", "cbet-flop", "check-raise"):
        one = stats.estimate(name)
        assert stats.counted(name) == (one.n, one.successes, one.prior_mean, one.prior_strength)
    for (group, counts, usual, worth), size in zip(stats.counted_sizes(), stats.sizes(), strict=True):
        assert (group, counts) == (size.group, [c.successes for c in size.classes])
        assert usual == tuple(c.prior_mean for c in size.classes)
        assert worth == size.classes[0].prior_strength
