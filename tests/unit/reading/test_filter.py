"""The core of reading: the Bayes filter, joint readings, readings, errors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from dupai.base import ConfigError, Rng
from dupai.cards import CLASSES, COMBO_CARDS, COMBO_CLASS, COMBO_MASK, COMBOS, card, cards, combo, mask_of
from dupai.ranges import Range
from dupai.reading import (
    HAND_CLASSES,
    Filter,
    Reading,
    UniformReader,
    can_save,
    hand_classes,
    joint_marginals,
    legal_hands,
    load_reader,
    readings_to_draw,
)
from dupai.reading.fold import DFModel
from dupai.rules import Action, GameSpec, HandRecord, HandState
from dupai.spots import Menu, Spot
from naive.reading_filter import weights as naive_weights
from naive.reading_joint import dealt, joint_marginals as enumerated, propagated

SIX = GameSpec.no_limit(6, (50, 100), 10_000)
_FORCE = np.linspace(-1, 1, COMBOS)[np.argsort(np.argsort(COMBO_CARDS.sum(axis=1), kind="stable"))]


class Toy:
    """A model that tells hands apart by nothing but their number; ``ranges``: also by what is known of others."""

    def __init__(self, ranges: bool = False) -> None:
        self.needs_ranges = ranges
        self.calls = 0
        self.names: list[Mapping[int, str]] = []
        self.records: list[HandRecord] = []

    def menu(self, spot: Spot) -> Menu:
        return Menu((0.5, 1.0), all_in=True)

    def probs(self, spot: Spot) -> Any:
        menu = self.menu(spot)
        self.calls += 1
        legal = menu.legal(spot)
        steep = 1 + spot.street + spot["raises"]
        if self.needs_ranges:
            assert spot.ranges is not None
            assert spot.ranges.shape == (spot["players"], COMBOS)
            steep += float(spot.ranges[(spot.position + 1) % spot["players"]] @ _FORCE)
        score = np.outer(_FORCE, np.arange(len(menu))) * steep
        p = np.exp(score) * legal
        return (p / p.sum(axis=1, keepdims=True)).astype(np.float32)

    def meet(self, names: Mapping[int, str]) -> None:
        self.names.append(names)

    def observe(self, record: HandRecord) -> None:
        self.records.append(record)


def random_hand(seed: int, spec: GameSpec = SIX, most: int = 30) -> HandState:
    rng = Rng(seed)
    state = HandState.deal(spec, rng, hand=seed)
    for _ in range(most):
        if state.finished:
            break
        legal = state.legal
        kind = rng.below(5)
        if kind == 0 and legal.fold:
            state.apply(Action.fold())
        elif kind == 1 and legal.max_to:
            state.apply(Action.raise_to(min(legal.min_to + rng.below(300), legal.max_to)))
        else:
            state.apply(Action.call())
    return state


@pytest.mark.parametrize("actions", ["each", "strongest"])
@pytest.mark.parametrize("ranges", [False, True])
def test_filter_is_the_plain_product(actions: Any, ranges: bool) -> None:
    for seed in range(3):
        view = random_hand(seed).view(None)
        reader = Filter(Toy(), actions=actions)
        got = reader.weights(view)
        even = [[1 / COMBOS] * COMBOS] * 6
        np.testing.assert_allclose(got, naive_weights(Toy(), view, even, actions == "strongest"), rtol=1e-6, atol=1e-15)
        assert not ranges or Filter(Toy(True)).weights(view).shape == got.shape


def test_prior_counts_and_uniform_is_mixed_in() -> None:
    class Low:
        def weights(self, view: Any, position: int) -> Any:
            return np.where(_FORCE < 0, 2.0 + position, 0.0)

    view = random_hand(5).view(None)
    reader = Filter(Toy(), Low(), uniform=0.02, joint=False)
    prior = [[float(x < 0) for x in _FORCE]] * 6
    want = np.array(naive_weights(Toy(), view, prior))
    for seat, reading in reader.read(view).items():
        legal = legal_hands(view, seat)
        w = np.where(legal, want[seat], 0)
        np.testing.assert_allclose(reading.p, 0.98 * w / w.sum() + 0.02 * legal / legal.sum(), rtol=1e-5)


@pytest.mark.parametrize("ranges", [False, True])
def test_reading_goes_on_from_where_it_was(ranges: bool) -> None:
    hand = random_hand(11)
    model = Toy(ranges)
    reader = Filter(model)
    for k in range(len(hand.actions) + 1):
        state = HandState(SIX, None, hand.board, hand=11)
        for _, _, action in hand.actions[:k]:
            state.apply(action)
        view = state.view(None)
        scratch = Filter(Toy(ranges)).weights(view)
        np.testing.assert_allclose(reader.weights(view), scratch, rtol=1e-12)
        np.testing.assert_allclose(reader.weights(view), scratch, rtol=1e-12)
    assert model.calls == len(hand.actions), "every decision is worked out once"


def test_what_nobody_asks_for_is_not_worked_out() -> None:
    """The viewer's own hands are known to him: his decisions wait until somebody else asks."""
    hand = random_hand(11)
    model = Toy()
    reader = Filter(model)
    mine = sum(position == 0 for _, position, _ in hand.actions)
    assert 0 < mine < len(hand.actions)
    own = reader.read(hand.view(0))
    assert model.calls == len(hand.actions) - mine
    for seat, reading in Filter(Toy()).read(hand.view(0)).items():
        np.testing.assert_allclose(own[seat].p, reading.p, rtol=1e-12)
    other = reader.read(hand.view(1), [0])[0]
    assert model.calls == len(hand.actions)
    np.testing.assert_allclose(other.p, Filter(Toy()).read(hand.view(1), [0])[0].p, rtol=1e-12)
    # A model that looks at ranges needs everybody's at once.
    model = Toy(True)
    Filter(model).read(hand.view(0))
    assert model.calls == len(hand.actions)


def test_another_hand_of_the_same_number_is_another_hand() -> None:
    reader = Filter(Toy())
    for seed in range(6):
        hand = random_hand(seed, most=4 + seed)
        state = HandState(SIX, None, hand.board, hand=1)
        for _, _, action in hand.actions:
            state.apply(action)
        view = state.view(None)
        np.testing.assert_allclose(reader.weights(view), Filter(Toy()).weights(view), rtol=1e-12)
    # Other stacks, other seats: the same story is another hand too.
    model = Toy()
    reader = Filter(model)
    for stacks, seats in (([10_000] * 6, range(6)), ([9_000] * 6, range(6)), ([9_000] * 6, range(5, -1, -1))):
        state = HandState(SIX, None, (), stacks, list(seats), 1)
        state.apply(Action.raise_to(300))
        before = model.calls
        reader.weights(state.view(None))
        assert model.calls == before + 1


def test_what_is_learned_is_used_at_once() -> None:
    model = Toy()
    reader = Filter(model)
    hand = random_hand(3, most=60)
    assert hand.finished
    reader.weights(hand.view(None))
    calls = model.calls
    reader.observe(hand.record())
    reader.weights(hand.view(None))
    assert model.calls == 2 * calls
    assert len(model.records) == 1
    reader.meet({0: "a"})
    assert model.names == [{0: "a"}]
    reader.weights(hand.view(None))
    assert model.calls == 3 * calls


def test_own_cards_and_board_are_taken_out() -> None:
    hand = random_hand(7, most=14)
    for viewer in (None, 2):
        view = hand.view(viewer)
        seen = [*view.board, *(hand.hole[2] if viewer is not None else ())]
        for reader in (Filter(Toy()), UniformReader()):
            for seat, reading in reader.read(view).items():
                assert seat != viewer
                dead = (COMBO_MASK & np.uint64(mask_of(seen))) != 0
                assert (reading.p[dead] == 0).all()
                assert reading.p.sum() == pytest.approx(1, abs=1e-12)
    folded = [s for s in range(6) if hand.folded[s]]
    assert folded, "the hand should have somebody who folded"
    assert list(Filter(Toy()).read(hand.view(None), folded)) == folded


@pytest.mark.parametrize("reader", [UniformReader(), Filter(Toy())], ids=["uniform", "filter"])
def test_questions_that_have_no_answer(reader: Any) -> None:
    view = random_hand(1, most=2).view(3)
    with pytest.raises(ConfigError, match=r"seat 9 was not dealt in: expected one of 0, 1, 2, 3, 4, 5"):
        reader.read(view, [9])
    with pytest.raises(ConfigError, match=r"seat 3 is the viewer's own"):
        reader.read(view, [3])


def test_settings_that_make_no_sense() -> None:
    with pytest.raises(ConfigError, match=r"uniform=1: expected a share"):
        Filter(Toy(), uniform=1)
    with pytest.raises(ConfigError, match=r"expected 'each' or 'strongest'"):
        Filter(Toy(), actions="all")  # type: ignore[arg-type]
    for bad in ([1.0], [0.0] * COMBOS, [-1.0, *[1.0] * (COMBOS - 1)], [math.nan] * COMBOS):
        with pytest.raises(ConfigError):
            Reading(bad)


# joint readings --------------------------------------------------------------------------------------


def _small(rng: np.random.Generator, players: int, cards: int) -> tuple[list[dict[int, float]], Any]:
    deck = rng.choice(52, cards, replace=False)
    hands = [combo(int(a), int(b)) for a, b in combinations(deck, 2)]
    weights = [{h: float(rng.gamma(0.5)) for h in hands} for _ in range(players)]
    full = np.zeros((players, COMBOS))
    for i, w in enumerate(weights):
        full[i, list(w)] = list(w.values())
    return weights, full


@pytest.mark.parametrize(("players", "cards"), [(2, 4), (2, 10), (3, 6), (3, 8)])
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_two_and_three_are_exact(players: int, cards: int, seed: int) -> None:
    weights, full = _small(np.random.default_rng(seed), players, cards)
    got = joint_marginals(full)
    for i, want in enumerate(enumerated(weights)):
        np.testing.assert_allclose([got[i, h] for h in want], list(want.values()), atol=1e-12)
        assert got[i].sum() == pytest.approx(1, abs=1e-12)


def _by_combo(row: Any) -> dict[int, float]:
    return {int(h): float(row[h]) for h in np.flatnonzero(row)}


def test_more_are_belief_propagation() -> None:
    rng = np.random.default_rng(4)
    for players, deck in ((4, 9), (5, 11), (6, 14)):
        weights, full = _small(rng, players, deck)
        got = joint_marginals(full)
        for i, want in enumerate(propagated(weights, 5)):
            np.testing.assert_allclose([got[i, h] for h in want], list(want.values()), atol=1e-12)


@pytest.mark.parametrize(
    ("ranges", "off"),
    [
        (("QQ+,AK",) * 4, 0.01),
        (("TT+,AQ+", "KQ,JT,22-88", "TT+,AQ+", "JJ+,AK"), 0.01),
        (("QQ+,AK", "QQ+,AK", "QQ+,AK", "random", "random", "random"), 0.01),
        (("22+,A2s+,ATo+,KTs+",) * 6, 0.01),
    ],
)
def test_more_are_what_deals_give(ranges: tuple[str, ...], off: float) -> None:
    """An approximation: the share of every starting hand within ``off`` and the sampling error of the deals."""
    full = np.array([Range(text).weights for text in ranges], np.float64)
    want, left = dealt([_by_combo(row) for row in full], 400_000, 5)
    for row, one in zip(joint_marginals(full), want, strict=True):
        shares = np.bincount(COMBO_CLASS[list(one)], list(one.values()), CLASSES)
        error = np.sqrt(shares * (1 - shares) / left)
        apart = np.abs(np.bincount(COMBO_CLASS, row, CLASSES) - shares)
        assert (apart <= off + 4 * error).all(), apart.max()


def test_one_hand_for_sure_leaves_all_others_theirs() -> None:
    """What others are left by a player's own cards must not come back to it as 0."""
    sure = np.zeros(COMBOS)
    sure[[combo("AsKs"), combo("AsQs"), combo("AsJs")]] = 1, 2, 1
    for players in (2, 3, 4, 6):
        got = joint_marginals([sure, *[np.ones(COMBOS)] * (players - 1)])
        assert got[0, combo("AsQs")] == pytest.approx(0.5, abs=1e-12 if players < 4 else 0.005)
        assert got[1:, combo("AsQd")].max() == 0


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_all_who_need_one_card_cannot_be(players: int) -> None:
    """Weights that are no round numbers: what rounding leaves of 0 is no hand."""
    aces = np.isin(COMBO_CARDS, card("As")).any(axis=1)
    weights = np.where(aces, np.random.default_rng(3).random((players, COMBOS)), 0.0)
    with pytest.raises(ConfigError, match="cannot be held together"):
        joint_marginals(weights)


def _after(spec: GameSpec, *actions: Action, hole: str = "QsQh") -> Any:
    """The view of the player to act, who holds ``hole``."""
    state = HandState(spec)
    for action in actions:
        state.apply(action)
    state.set_hole(state.actor, cards(hole))
    return state.view(state.actor)


@pytest.mark.parametrize("spec", ["start-table:uniform=0", "start-table", "toy"])
def test_readings_apart_leave_what_live_players_share_to_the_draws(spec: str) -> None:
    def reader(joint: bool) -> Any:
        if spec == "toy":
            return Filter(Toy(), joint=joint)
        return load_reader(f"{spec}{',' if ':' in spec else ':'}joint={'on' if joint else 'off'}")

    raise_, fold = Action.raise_to, Action.fold()
    three = _after(GameSpec.no_limit(3), raise_(300), raise_(900))
    alone, joint, apart = reader(False).read(three), reader(True).read(three), readings_to_draw(reader(True), three)
    assert list(apart) == list(joint)
    together = joint_marginals([r.p for r in apart.values()])
    for row, (seat, reading) in zip(together, apart.items(), strict=True):
        np.testing.assert_allclose(reading.p, alone[seat].p, atol=1e-15)
        np.testing.assert_allclose(joint[seat].p, row, atol=1e-15)
    # Cards of players who folded still count; against one opponent nothing is left to the draws.
    five = _after(GameSpec.no_limit(5), raise_(300), fold, raise_(900), fold, raise_(2000))
    others = [seat for seat in five.seats if seat != five.seats[five.position]]
    alone, apart = reader(False).read(five, others), readings_to_draw(reader(True), five)
    out = [alone[seat].p for seat in others if five.folded[five.seats.index(seat)]]
    assert len(out) == len(apart) == 2
    for seat, reading in apart.items():
        np.testing.assert_allclose(reading.p, joint_marginals([alone[seat].p, *out])[0], atol=1e-15)
    for last in (
        _after(GameSpec.no_limit(2), raise_(300)),
        _after(GameSpec.no_limit(6), fold, raise_(300), fold, fold, raise_(900), fold),
    ):
        joint, apart = reader(True).read(last), readings_to_draw(reader(True), last)
        assert [r.p.tolist() for r in apart.values()] == [r.p.tolist() for r in joint.values()]


def test_a_reader_that_cannot_read_apart_is_read() -> None:
    view = _after(GameSpec.no_limit(3), Action.raise_to(300), Action.raise_to(900))
    assert [r.p.tolist() for r in readings_to_draw(UniformReader(), view).values()] == [
        r.p.tolist() for r in UniformReader().read(view).values()
    ]


def test_joint_readings_that_cannot_be() -> None:
    one = np.zeros(COMBOS)
    one[combo("AsKs")] = 1
    with pytest.raises(ConfigError, match="cannot be held together"):
        joint_marginals([one, one])
    with pytest.raises(ConfigError, match="every player needs weights"):
        joint_marginals([one, 0 * one])
    with pytest.raises(ConfigError, match=r"shape \[n, 1326\]"):
        joint_marginals([1.0, 2.0])
    # Who surely holds two aces leaves the other fewer of them.
    got = joint_marginals([one, np.ones(COMBOS)])
    assert got[1, combo("AsAh")] == 0
    assert np.count_nonzero(got[1]) == 1225


# readings --------------------------------------------------------------------------------------------


def test_reading_measures() -> None:
    even = Reading(np.ones(COMBOS))
    assert even.entropy == pytest.approx(math.log2(COMBOS))
    assert even.gain("AsKd", COMBOS) == pytest.approx(0, abs=1e-12)
    for q in (0.5, 0.8, 0.95):
        assert even.covered("AsKd", q) == pytest.approx(q, abs=1e-12)
    sure = Reading([float(h == 7) for h in range(COMBOS)])
    assert (sure.hands, sure.entropy, sure.covered(7, 0.5), sure.covered(8, 0.95)) == (1, 0.0, 0.5, 0.0)
    assert sure.gain(8, COMBOS) == -math.inf
    assert sure.credible_set(0.95).tolist() == [7]
    two = Reading([3.0 * (h == 7) + (h == 9) for h in range(COMBOS)])
    assert two.covered(9, 0.8) == pytest.approx((0.8 - 0.75) / 0.25)
    assert [h for h, _ in two.top(2)] == [Reading(np.eye(COMBOS)[k]).top(1)[0][0] for k in (7, 9)]


def test_hand_classes() -> None:
    def of(hand: str, board: str) -> str:
        from dupai.cards import cards

        return HAND_CLASSES[hand_classes(cards(board))[combo(hand)]]

    assert of("9s8d", "") == "unpaired low"
    assert of("Ts2d", "") == "unpaired high"
    assert of("9s9d", "") == "pair low"
    assert of("TsTd", "") == "pair high"
    assert of("9s8d", "AsKd2c") == "unpaired low"
    assert of("Qs8d", "AsKd8c") == "pair low"
    assert of("Qs8d", "AsAd7c") == "pair high"
    for hand, board, kind in (
        ("AsKs", "AdKd2c", "two pair"),
        ("AsAh", "Ad7d2c", "trips"),
        ("5s4s", "Ad3d2c", "straight"),
        ("5s4s", "AsTs2s", "flush"),
        ("AsAh", "AdKdKc", "full house"),
        ("AsAh", "AdAc2c3d", "quads"),
        ("KsQs", "AsJsTs2c3d", "straight flush"),
    ):
        assert of(hand, board) == kind
    assert (hand_classes((0, 1, 2)) == -1).sum() == COMBOS - 1176


def test_a_filter_can_be_saved_where_its_model_can() -> None:
    class Forgetful(DFModel):
        save = None  # type: ignore[assignment]

    assert can_save(Filter(DFModel()))
    assert not can_save(Filter(Forgetful()))
    for name in ("uniform", "start-table", "markov", "bucket", "cnn", "fold", "model"):
        assert can_save(load_reader(name)), name


def test_a_reader_that_learns_nothing_saves_nothing() -> None:
    reader = UniformReader()
    reader.load(reader.save())
    with pytest.raises(ConfigError, match="learns nothing"):
        reader.load(b"something")
