"""How far the trained reader trusts its reading of a person: the step against naive sums, and the truth found."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from dupai.cards import COMBO_CARDS, COMBOS, NO_CARD, cards
from dupai.history.stats import UNNAMED
from dupai.reading._model._habits import Habits
from dupai.reading._model._reader import ModelReader
from dupai.reading._model._tempering import BELIEF, CORRELATION, DEVIATION, MAX_POWER, MIN_POWER, Tempering
from dupai.rules import STREETS, Action, GameSpec, HandRecord, HandState
from dupai.spots import NOTHING, spots

HEADS_UP = GameSpec.no_limit(2, (50, 100), 20_000)
ALL = np.ones(COMBOS, bool)
Array = Any


def reading(said: Array, powers: Array) -> Array:
    share = np.exp(powers @ said)
    return share / share.sum()


def said_at_random(rng: np.random.Generator, streets: int = STREETS) -> Array:
    said = np.zeros((STREETS, COMBOS))
    said[:streets] = rng.normal(size=(streets, COMBOS))
    return said


def test_a_step_is_newtons_on_the_share_of_the_hand_that_was_shown() -> None:
    """Slope by differences, information by a loop over hands, on a hand that the board leaves."""
    rng = np.random.default_rng(3)
    said, legal, held = said_at_random(rng), rng.random(COMBOS) < 0.8, 77
    legal[held] = True
    tempering = Tempering()
    tempering.mean = np.array([0.1, -0.2, 0.0, 0.3])
    before = tempering.mean.copy()
    tempering.note(said, legal, held)

    def log_share(mean: Array) -> float:
        return float(np.log(reading(said[:, legal], 1 + mean)[legal[:held].sum()]))

    slope = [(log_share(before + e) - log_share(before - e)) / 2e-5 for e in 1e-5 * np.eye(STREETS)]
    share = reading(said[:, legal], 1 + before)
    middle, information = said[:, legal] @ share, np.zeros((STREETS, STREETS))
    for p, one in zip(share, said[:, legal].T, strict=True):
        information += p * np.outer(one - middle, one - middle)
    prior = np.linalg.inv(DEVIATION**2 * (CORRELATION + (1 - CORRELATION) * np.eye(STREETS)))
    step = np.linalg.solve(prior + BELIEF * information, BELIEF * np.array(slope))
    assert np.allclose(tempering.information, BELIEF * information)
    assert np.allclose(tempering.mean - before, step, atol=1e-7)


@pytest.mark.parametrize("true", [(0.5, 0.5, 0.5, 0.5), (1.3, 1.3, 1.3, 1.3), (1.0, 0.4, 1.0, 1.0)])
def test_powers_are_found_from_hands_shown(true: tuple[float, ...]) -> None:
    """Hands drawn from the reading to the power ``true``: what was said is that much too sure, or not sure enough."""
    rng, tempering = np.random.default_rng(5), Tempering()
    for _ in range(1500):
        said = said_at_random(rng)
        tempering.note(said, ALL, int(rng.choice(COMBOS, p=reading(said, np.array(true)))))
    assert np.abs(tempering.powers - true).max() < 0.15


def test_a_street_that_shows_nothing_follows_the_others() -> None:
    rng, tempering = np.random.default_rng(6), Tempering()
    for _ in range(300):
        said = said_at_random(rng, 2)
        tempering.note(said, ALL, int(rng.choice(COMBOS, p=reading(said, np.full(STREETS, 0.5)))))
    assert tempering.powers[0] < 0.8
    assert tempering.powers[0] < tempering.powers[3] < 0.95


def test_powers_have_bounds_and_a_hand_that_cannot_be_teaches_nothing() -> None:
    tempering = Tempering()
    tempering.note(np.zeros((STREETS, COMBOS)), np.arange(COMBOS) != 5, 5)
    assert not tempering.mean.any() and not tempering.information.any()
    tempering.mean[:] = -3, 0, 3, 0
    assert tempering.powers.tolist() == [MIN_POWER, 1, MAX_POWER, 1]


def test_who_has_no_name_teaches_no_powers() -> None:
    habits = Habits()
    habits.showed(UNNAMED, said_at_random(np.random.default_rng(1)), ALL, 3)
    assert habits.save() == Habits().save()
    assert habits.powers("Ann").tolist() == [1, 1, 1, 1]


def test_powers_are_kept() -> None:
    rng, habits, again = np.random.default_rng(2), Habits(), Habits()
    for k in range(5):
        habits.showed("Ann", said_at_random(rng), ALL, k)
    again.load(habits.save())
    for h in (habits, again):
        h.showed("Ann", said_at_random(np.random.default_rng(9)), ALL, 8)
    assert again.save() == habits.save()
    assert again.powers("Ann").tolist() == habits.powers("Ann").tolist() != [1, 1, 1, 1]


# the reader ---------------------------------------------------------------------------------------------------------

BOARD = cards("6h7h9hAh6s")


def played(hand: int, hole: tuple[int, ...] = (20, 1)) -> HandRecord:
    """The small blind raises before the flop and bets the pot on flop and turn, is called, and both check the river."""
    state = HandState(HEADS_UP, ((3, 7), hole), BOARD, hand=hand)
    state.apply(Action.raise_to(300))
    for total in (900, 2700):
        state.apply(Action.call())
        state.apply(Action.call())  # the big blind checks
        state.apply(Action.raise_to(total))
    state.apply(Action.call())
    while not state.finished:
        state.apply(Action.call())
    return state.record(["Ann", "Bob"])


def test_the_reading_is_the_product_of_what_each_street_says_to_its_power() -> None:
    record = played(0)
    reader = ModelReader(population="heads-up", uniform=0)
    reader.observe(record.seen_by(None))
    assert reader._trained.habits is not None
    powers = np.array([0.5, 0.7, 1.4, 1.0])
    reader._trained.habits._people["Bob"].tempering.mean = powers - 1
    reader.meet({0: "Ann", 1: "Bob"})
    seen = record.seen_by(None)
    expected = np.full((2, COMBOS), 1.0)
    for spot in spots(seen):
        if spot["did"] == NOTHING:
            continue
        spot.seats = (0, 1)
        menu = reader.model.menu(spot)
        chance = reader.model.probs(spot)[:, menu.place(spot)].astype(np.float64)
        assert reader._trained.power(spot) == (powers[spot.street] if spot.position == 1 else pytest.approx(1, abs=0.2))
        expected[spot.position] *= chance ** reader._trained.power(spot)
    state = record.at()
    found = reader.weights(state.view(None))
    assert np.allclose(found, expected / expected.sum(axis=1, keepdims=True), rtol=1e-9)


def test_a_shown_hand_says_whether_the_line_told_it() -> None:
    """The hand that the line speaks for most; the one that it speaks for least; one that nobody saw."""
    hidden = msgspec.structs.replace(played(0), hole=((NO_CARD,) * 2,) * 2)
    told = ModelReader(population="heads-up").read(hidden.at().view(None), [1])[1].p
    taken = set(BOARD) | {3, 7}
    free = np.array([not taken & {int(a), int(b)} for a, b in COMBO_CARDS])
    most, least = np.where(free, told, -1).argmax(), np.where(free, told, 2).argmin()
    powers = []
    for record in (played(0, tuple(COMBO_CARDS[most])), played(0, tuple(COMBO_CARDS[least])), hidden):
        reader = ModelReader(population="heads-up")
        reader.observe(record.seen_by(None))
        assert reader._trained.habits is not None
        powers.append(reader._trained.habits.powers("Bob"))
    assert (powers[0] > 1).all()
    assert (powers[1] < 1).all()
    assert (powers[2] == 1).all()


def test_programs_that_the_networks_know_count_as_they_do() -> None:
    reader = ModelReader()
    for hand in range(3):
        reader.observe(msgspec.structs.replace(played(hand), names=("DeepStack", "Hyperborean14")).seen_by(None))
    reader.meet({0: "DeepStack", 1: "Hyperborean14"})
    for spot in spots(played(0).seen_by(None)):
        spot.seats = (0, 1)
        assert reader._trained.power(spot) == 1
