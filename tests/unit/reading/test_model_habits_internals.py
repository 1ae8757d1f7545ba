"""What the trained reader learns of players, and how far it trusts that: naive sums, differences, the right way."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from dupai.base import ConfigError
from dupai.cards import COMBO_CARDS, COMBO_CLASS, COMBOS, NO_CARD, cards, combo, combo_text
from dupai.history.stats import UNNAMED
from dupai.reading._features._columns import masked_softmax
from dupai.reading._model._habits import (
    DECISION_KINDS,
    HABIT_STAGES,
    HAND_DEVIATION,
    SCALES,
    Decision,
    Habits,
    Tempering,
    Traits,
    _learn,
    _lesson,
    _moves,
    _newton_step,
    _Person,
    board_traits,
    preflop_traits,
)
from dupai.reading._model._kernels.habits import habits_kernel
from dupai.reading._model._reader import ModelReader
from dupai.reading._model._tempering import BELIEF, CORRELATION, DEVIATION, MAX_POWER, MIN_POWER
from dupai.rules import STREETS, Action, GameSpec, HandRecord, HandState
from dupai.spots import NOTHING, spots

HEADS_UP = GameSpec.no_limit(2, (50, 100), 20_000)
LEGAL = np.array([True, True, False, True, True, False, True, False, True])
SIZE = HABIT_STAGES[0].size
Array = Any


def decision(column: int = 1, kind: int = 4, seed: int = 3) -> Decision:
    """A decision before the flop that nobody meant, over a range that is no one's."""
    rng = np.random.default_rng(seed)
    hands = rng.random(COMBOS)
    logits = rng.normal(size=(169, 9)).astype(np.float32)
    return Decision(kind, column, logits, LEGAL, preflop_traits(), COMBO_CLASS.astype(np.int64), hands / hands.sum())


def chances_of(d: Decision, numbers: Array) -> Array:
    """Softmax in plain words, in double precision."""
    logits = d.logits.astype(np.float64)
    told = d.traits.values @ numbers[:-1].reshape(3, -1).T
    logits = logits + numbers[-1] * np.clip(logits - d.traits.share @ logits, -5, 5)
    logits[:, 0] += told[:, 0]
    logits[:, 2:] += told[:, [1]]
    logits[:, 5:] += told[:, [2]]
    e = np.where(d.legal, np.exp(logits), 0.0)
    return e / e.sum(axis=1, keepdims=True)


# derivatives --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("column", [0, 1, 4, 6])
def test_gradients_are_those_of_the_log_likelihood(column: int) -> None:
    d, at = decision(column), np.random.default_rng(1).normal(size=SIZE) / 5
    held = combo(3, 51)
    chances = chances_of(d, at)
    after = d.range * chances[d.hand_kind, column]
    likelihood, unseen, _ = _lesson(d, at, after / after.sum(), None)
    assert likelihood == pytest.approx(after.sum(), rel=1e-5)
    certain, seen, _ = _lesson(d, at, d.range, held)
    assert certain == pytest.approx(chances[d.hand_kind[held], column], rel=1e-5)
    for k in range(SIZE):
        step = np.zeros(SIZE)
        step[k] = 1e-5
        up, down = (chances_of(d, at + s) for s in (step, -step))
        slope = [np.log(p[d.hand_kind[held], column]) for p in (up, down)]
        assert seen[k] == pytest.approx((slope[0] - slope[1]) / 2e-5, abs=1e-5)
        slope = [np.log(d.range @ p[d.hand_kind, column]) for p in (up, down)]
        assert unseen[k] == pytest.approx((slope[0] - slope[1]) / 2e-5, abs=1e-5)


def test_information_is_the_mean_square_of_the_gradient() -> None:
    """Fisher's, by enumeration of what could have been done."""
    d, at = decision(), np.random.default_rng(1).normal(size=SIZE) / 5
    chances, held = chances_of(d, at), combo(0, 13)
    expected, known = np.zeros((SIZE, SIZE)), np.zeros((SIZE, SIZE))
    for column in np.flatnonzero(LEGAL).tolist():
        after = d.range * chances[d.hand_kind, column]
        gradient = _lesson(d._replace(column=column), at, after / after.sum(), None)[1]
        expected += after.sum() * np.outer(gradient, gradient)
        gradient = _lesson(d._replace(column=column), at, d.range, held)[1]
        known += chances[d.hand_kind[held], column] * np.outer(gradient, gradient)
    assert np.allclose(_lesson(d, at, d.range, None)[2], expected, atol=1e-6)
    assert np.allclose(_lesson(d, at, d.range, held)[2], known, atol=1e-6)


@pytest.mark.parametrize("columns", [9, 3])
def test_a_shift_is_what_the_numbers_say(columns: int) -> None:
    d, at = decision(), np.random.default_rng(5).normal(size=SIZE) / 3
    out = np.empty((169, columns), np.float32)
    logits = np.ascontiguousarray(d.logits[:, :columns])
    habits_kernel(logits, d.traits.middle(logits), d.traits.values, _moves(logits), at, out)
    if columns == 9:
        assert np.allclose(masked_softmax(out, LEGAL), chances_of(d, at), atol=1e-5)
    else:  # in limit games: fold, call, raise
        told = d.traits.values @ at[:14].reshape(2, -1).T + at[-1] * (logits - d.traits.middle(logits))[:, [0, 2]]
        assert np.allclose(out[:, [0, 2]] - logits[:, [0, 2]], told, atol=1e-5)


# features -----------------------------------------------------------------------------------------------------------


def test_features_have_no_mean_but_the_constant() -> None:
    hands = preflop_traits().values[COMBO_CLASS]
    assert hands.shape == (COMBOS, 7) and (hands[:, 0] == 1).all()
    assert np.allclose(hands[:, 1:].mean(axis=0), 0, atol=0.02)
    assert hands[:, 1].argmax() in {i for i in range(COMBOS) if combo_text(i)[::2] == "AA"}
    assert hands[:, 1].std() == pytest.approx(1, abs=0.01)


def test_features_on_a_board_leave_blocked_hands_out() -> None:
    rate, spread = np.array([0.1, 0.9, 0.5, 0.99]), np.array([0.1, 0.2, 0.3, 9.0])
    share = np.array([1.0, 1.0, 2.0, 0.0])
    told = board_traits(rate, spread, share).values
    strength = told[:3, 1]
    assert strength[0] < strength[2] == 0 < strength[1] == -strength[0]
    assert share[:3] @ told[:3, 3] == pytest.approx(0)
    assert (board_traits(rate, np.zeros(4), share).values[:, 3] == 0).all(), "on the river nothing is to come"


# learning -----------------------------------------------------------------------------------------------------------


def folding(habits: Habits, name: str, hands: int) -> None:
    """A person who folds a hand after the other where half of it is expected."""
    d = decision(0)._replace(logits=np.log(np.tile([0.5, 0.3, 0, 0.1, 0.1, 0, 0, 0, 0], (169, 1)) + 1e-9).astype("f4"))
    for _ in range(hands):
        habits.note(name, [d], d.range, None)


def shift_of(habits: Habits, name: str, kind: int = 4) -> Array:
    """What is added to logits that are 0."""
    traits = preflop_traits() if kind < DECISION_KINDS else Traits(np.ones((5, 4)), np.full(5, 0.2))
    return habits.shifted(name, kind, traits, np.zeros((len(traits.values), 9), np.float32))


def test_constants_move_towards_what_a_person_does() -> None:
    habits, shifts = Habits(), []
    for _ in range(4):
        folding(habits, "Pro01", 20)
        shift = shift_of(habits, "Pro01")
        assert (shift[:, 0] > 0).all() and (shift[:, 2:] < 0).all() and (shift[:, 1] == 0).all()
        assert np.ptp(shift, axis=0).max() == 0, "nothing was shown: the same for every hand"
        shifts.append(float(shift[0, 0]))
    assert shifts == sorted(shifts) and 0.5 < shifts[-1] < 4
    assert 0 < shift_of(habits, "Pro01", 1)[0, 0] < shifts[-1], (
        "at other kinds of decision he is taken to do it in part"
    )
    assert not shift_of(habits, "Pro01", DECISION_KINDS).any(), "after the flop nothing is known of him"
    assert not shift_of(habits, "Pro02").any()


def test_who_has_no_name_teaches_nothing() -> None:
    habits = Habits()
    folding(habits, UNNAMED, 5)
    folding(habits, "", 5)
    assert habits.save() == Habits().save()


def test_shown_hands_move_slopes_and_what_was_not_shown_only_then() -> None:
    """He shows weak hands that he raised with and strong ones that he called with."""
    habits = Habits()
    strength = preflop_traits().values[:, 1]
    weak, strong = int(strength.argmin()), int(strength.argmax())
    d = decision(4)._replace(logits=np.zeros((169, 9), np.float32))
    held = [int(np.flatnonzero(which == COMBO_CLASS)[0]) for which in (weak, strong)]
    for _ in range(15):
        habits.note("Pro01", [d], d.range, held[0])
        habits.note("Pro01", [d._replace(column=1)], d.range, held[1])
    shift = shift_of(habits, "Pro01")
    assert shift[weak, 3] > shift[strong, 3] + 1
    # Of one who shows nothing, hands that can only be strong say nothing about slopes.
    strong_only = np.where(strength[COMBO_CLASS] > 1, 1.0, 0.0)
    for _ in range(30):
        habits.note("Pro02", [d], strong_only / strong_only.sum(), None)
    shift = shift_of(habits, "Pro02")
    assert np.ptp(shift[:, 3]) == 0


def test_scales_are_weighed_by_what_they_foretold() -> None:
    """One who does what is expected is taken for one who hardly differs."""
    usual, odd = _Person(), _Person()
    d = decision(1)
    for _ in range(60):
        _learn(odd, 0, [d._replace(column=0)], d.range, None)
    assert odd.evidence.argmax() == len(SCALES) - 1
    rng = np.random.default_rng(2)
    chances = d.range @ masked_softmax(d.logits, LEGAL).astype(np.float64)[d.hand_kind]
    for _ in range(150):
        column = int(rng.choice(9, p=chances / chances.sum()))
        _learn(usual, 0, [d._replace(column=column)], d.range, None)
    assert usual.evidence.argmax() == 0


def test_what_was_learned_is_kept_and_nothing_else_is_taken() -> None:
    habits, again = Habits(), Habits()
    folding(habits, "Pro01", 7)
    for k in range(12):
        d = decision((0, 1, 3, 6)[k % 4], kind=k % 6, seed=k)
        habits.note("Ann", [d, d._replace(kind=4)], d.range, combo(k, 20) if k % 3 == 0 else None)
    for i in habits._people["Ann"].information:
        assert np.array_equal(i, i.swapaxes(-1, -2)), "half of it is kept"
    again.load(habits.save())
    for k in range(5):
        d = decision(1, kind=k, seed=20 + k)
        for h in (habits, again):
            h.note("Ann", [d], d.range, None)
    assert again.save() == habits.save(), "as if nothing had been between"
    version, people = msgspec.msgpack.decode(habits.save())
    kept = [people, (version - 1, people), (version, {"Ann": [1, [0.0], [], []]})]
    for bad in (b"", b"nonsense", *map(msgspec.msgpack.encode, kept)):
        with pytest.raises(ConfigError, match=f"{len(bad)} bytes are not the habits of players"):
            again.load(bad)
    assert again.save() == habits.save(), "what is refused changes nothing"


def test_the_step_is_newtons_on_all_numbers_at_once() -> None:
    rng, n = np.random.default_rng(4), 5
    root, gradient = rng.normal(size=(DECISION_KINDS, n, 3)), rng.normal(size=(DECISION_KINDS, n))
    information = root @ root.transpose(0, 2, 1)
    root = rng.normal(size=(2, n, n))
    prior = root @ root.swapaxes(1, 2) + np.eye(n)
    whole = np.zeros(((DECISION_KINDS + 1) * n,) * 2)
    for k in range(DECISION_KINDS + 1):
        whole[k * n :, k * n :][:n, :n] = prior[int(k == DECISION_KINDS)]
    for k in range(DECISION_KINDS):
        for rows in (k, DECISION_KINDS):
            for columns in (k, DECISION_KINDS):
                whole[rows * n :, columns * n :][:n, :n] += information[k]
    expected = np.linalg.solve(whole, np.concatenate([gradient.ravel(), gradient.sum(axis=0)]))
    assert np.allclose(_newton_step(gradient, information, prior).ravel(), expected, atol=1e-9)


def test_every_stage_has_a_prior_for_each_of_its_numbers() -> None:
    for stage, features in zip(HABIT_STAGES, (preflop_traits().values, np.zeros((1, 4))), strict=True):
        assert stage.features == features.shape[1]
        own, shared = stage.deviations()
        assert own[0] == pytest.approx(stage.constant) == own[stage.features] and own[1] == pytest.approx(stage.slope)
        assert shared[-1] == pytest.approx(HAND_DEVIATION) and shared[2] == pytest.approx(stage.shared_slope)


# the reader ---------------------------------------------------------------------------------------------------------


def raised(hand: int, hole: tuple[int, int]) -> HandRecord:
    """The small blind raises, is called, and all is checked down to a showdown."""
    left = [c for c in range(52) if c not in hole][hand:]
    state = HandState(HEADS_UP, ((left[0], left[1]), hole), tuple(left[2:7]), hand=hand)
    state.apply(Action.raise_to(300))
    while not state.finished:
        state.apply(Action.call())
    return state.record(["Ann", "Bob"])


@pytest.mark.parametrize(
    ("hand", "pair", "suited", "near", "high"),
    [("AsAh", 1, 0, 1, 12), ("2c2d", 1, 0, 1, 0), ("AsKs", 0, 1, 1, 12), ("AsKd", 0, 0, 1, 12), ("7h2d", 0, 0, 0, 5),
     ("Jc9c", 0, 1, 1, 9), ("Tc7c", 0, 1, 0, 8)],
)  # fmt: skip
def test_traits_before_the_flop_are_those_of_the_cards(hand: str, pair: int, suited: int, near: int, high: int) -> None:
    """What a hand has and what it has not is told apart, ranks (deuce 0, ace 12) stand in a line."""
    values = preflop_traits().values[COMBO_CLASS]
    found, most = values[combo(hand)], values.max(axis=0)
    assert [bool(found[k] == most[k]) for k in (2, 3, 6)] == [bool(x) for x in (pair, suited, near)]
    assert {len(np.unique(values[:, k].round(9))) for k in (2, 3, 6)} == {2}
    seven, ace = (values[combo(x)][5] for x in ("7h2d", "As5d"))
    assert found[5] == pytest.approx(seven + (ace - seven) / 7 * (high - 5))


def test_who_shows_weak_hands_after_raises_is_read_so() -> None:
    reader, deuce = ModelReader(population="heads-up"), combo(20, 1)
    shares = []
    for hand in range(30):
        record = raised(hand, (20, 1))
        state = HandState(HEADS_UP, ((NO_CARD,) * 2,) * 2, (), hand=1000 + hand)
        reader.meet({0: "Ann", 1: "Bob"})
        state.apply(Action.raise_to(300))
        shares.append(reader.read(state.view(None))[1].p[deuce])
        reader.observe(record.seen_by(None))
    assert shares[-1] > 1.5 * shares[0]
    kept = ModelReader(population="heads-up")
    kept.load(reader.save())
    kept.meet({0: "Ann", 1: "Bob"})
    assert kept.read(state.view(None))[1].p[deuce] == reader.read(state.view(None))[1].p[deuce]


def test_nothing_that_was_not_shown_is_used() -> None:
    """Two records that differ in cards which nobody saw teach the same."""
    learned = []
    for hole in ((20, 1), (48, 49)):
        state = HandState(HEADS_UP, ((3, 7), hole), (30, 31, 33, 38, 43))
        state.apply(Action.call())
        state.apply(Action.raise_to(600))
        state.apply(Action.call())
        state.apply(Action.raise_to(1200))
        state.apply(Action.fold())
        reader = ModelReader(population="heads-up")
        reader.observe(state.record(["Ann", "Bob"]).seen_by(None))
        learned.append(reader.save())
    assert learned[0] == learned[1] and len(learned[0]) > 1000


def test_who_watches_learns_the_others_and_not_himself() -> None:
    both, own = ModelReader(population="heads-up"), ModelReader(population="heads-up")
    both.observe(raised(0, (20, 1)).seen_by(None))
    own.observe(raised(0, (20, 1)).seen_by(0))
    people = [reader.save() for reader in (both, own)]
    assert b"Ann" in people[0] and b"Bob" in people[0]
    assert b"Ann" not in people[1] and b"Bob" in people[1]


def test_versions_of_a_program_that_the_networks_do_not_know_are_learned() -> None:
    """They begin as the program; the program itself, and the versions that the networks know, are left alone. LBR is
    learned: no network has learned from it."""
    cards, state = combo(20, 1), HandState(HEADS_UP, ((NO_CARD,) * 2,) * 2, (), hand=1000)
    state.apply(Action.raise_to(300))
    before, after = [], []
    for name in ("DeepStack", "DeepStackFCPA", "DeepStack2018", "LBR"):
        reader = ModelReader()
        reader.meet({0: "Ann", 1: name})
        before.append(reader.read(state.view(None))[1].p[cards])
        for hand in range(30):
            reader.observe(msgspec.structs.replace(raised(hand, (20, 1)), names=("Ann", name)).seen_by(None))
        after.append(reader.read(state.view(None))[1].p[cards])
    assert before[0] == before[1] == before[2]
    assert after[:2] == before[:2]
    assert after[2] > 1.5 * before[2] and after[3] > 1.5 * before[3]


def test_what_they_might_hold_before_the_flop_is_not_known_from_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first decision is judged by all hands alike, whatever the hand was worth at its end."""
    noted = []
    reader = ModelReader(population="heads-up")
    monkeypatch.setattr(reader.model.habits, "note", lambda name, decisions, *rest: noted.append((name, decisions)))
    reader.observe(raised(0, (20, 1)).seen_by(None))
    assert noted
    for _, decisions in noted:
        assert np.allclose(decisions[0].range, 1 / COMBOS)


def test_a_fold_where_checking_is_free_teaches_nothing() -> None:
    state = HandState(HEADS_UP, ((NO_CARD,) * 2,) * 2, ())
    state.apply(Action.call())
    state.follow(Action.fold())
    record = state.record(["Ann", "Bob"]).seen_by(None)
    reader = ModelReader(population="heads-up")
    for _ in range(60):
        reader.observe(record)
    # Ann, in the big blind, did nothing else.
    again = HandState(HEADS_UP, ((NO_CARD,) * 2,) * 2, ())
    again.apply(Action.call())
    again.apply(Action.raise_to(400))
    readings = []
    for name in ("Ann", "a stranger"):
        reader.meet({0: name})
        readings.append(reader.read(again.view(None), [0])[0].p)
    assert np.array_equal(*readings)


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
