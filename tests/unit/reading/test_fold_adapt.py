"""Adaptation of the FOLD reader: intervals move the right way, from the first hand, and the reading gets better."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from dupai.agents import make_agent
from dupai.base import Rng
from dupai.cards import combo
from dupai.equity import win_rate
from dupai.history.stats import PlayerStats
from dupai.reading import legal_hands
from dupai.reading._fold._adapt import NONE, Shifts, player_shifts, scaled, shift
from dupai.reading._fold._constants import PAPER_CONSTANTS
from dupai.reading._fold._model import FoldReader, postflop_intervals
from dupai.rules import BOARD_CARDS, Action, GameSpec, HandRecord, HandState, View
from dupai.spots import spot_rows

SPEC = GameSpec.no_limit(2, (50, 100), 10_000)
LEARNT, SCORED = 100, 120
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
