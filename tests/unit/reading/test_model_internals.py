"""The trained reader: its features against plain Python, its file, its populations, what it makes of a hand."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dupai.base import ConfigError, FileError, Rng, cache_root
from dupai.cards import COMBO_CARDS, COMBO_INDEX, board_array, cards
from dupai.cli import main
from dupai.equity import win_rates
from dupai.reading import Filter, Reader, load_reader
from dupai.reading._features._boards import board_table, top_ranges
from dupai.reading._features._kernels.boards import _sum, fill_kernel, percentiles_kernel
from dupai.reading._features._kernels.hands import HAND_SIZE, alike_kernel, hand_features_kernel
from dupai.reading._features._kernels.public import (
    PUBLIC_SIZE,
    class_of_kernel,
    legal_classes_kernel,
    public_features_kernel,
)
from dupai.reading._model import _identified
from dupai.reading._model._features import range_features
from dupai.reading._model._identified import _follow
from dupai.reading._model._kernels.ranges import RANGE_HAND, RANGE_PUBLIC, expand_kernel, range_features_kernel
from dupai.reading._model._model import LIMIT, NATIVE, TrainedModel, _known_logits
from dupai.reading._model._reader import ModelReader
from dupai.reading._model._weights import SHIPPED_READER, load_weights, save_weights
from dupai.reading.features import FEATURE_VERSION, masked_softmax
from dupai.reading.model import Network
from dupai.reading.populations import NAMES, PEOPLE, SHOWN, has_habits, of as population_of
from dupai.rules import Action, GameSpec, HandRecord, HandState, load_game
from dupai.spots import NOTHING, Menu, spots
from naive import reading_model as naive

HEADS_UP = GameSpec.no_limit(2, (50, 100), 20_000)
SIX = GameSpec.no_limit(6, (50, 100), 10_000)
_KIND, _DRAW = 14, 31
Array = Any


def board_of(text: str) -> tuple[Array, int]:
    found = list(cards(text))
    board = np.full(5, 255, np.uint8)
    board[: len(found)] = found
    return board, len(found)


def played(spec: GameSpec, n: int, seed: int = 7, names: tuple[str, ...] = ()) -> list[HandRecord]:
    """Hands played at random, with raises of all sizes."""
    rng, out = Rng(seed), []
    for number in range(n):
        state = HandState.deal(spec, rng, hand=number)
        while not state.finished:
            legal, kind = state.legal, rng.below(8)
            if kind == 0 and legal.fold:
                state.apply(Action.fold())
            elif kind <= 2 and legal.max_to:
                most = legal.max_to if rng.below(6) == 0 else min(legal.max_to, legal.min_to + 700)
                state.apply(Action.raise_to(legal.min_to + rng.below(most - legal.min_to + 1)))
            else:
                state.apply(Action.call())
        out.append(state.record(list(names) or [f"P{i}" for i in range(spec.players)]))
    return out


def arrays(rng: np.random.Generator, hands: int, public: int = PUBLIC_SIZE, width: int = 6) -> dict[str, Array]:
    """A network of random weights."""
    shapes: dict[str, tuple[int, ...]] = {
        "enc1.weight": (5, public), "enc1.bias": (5,), "enc2.weight": (5, 5), "enc2.bias": (5,),
        "group1.weight": (len(NAMES), 5), "hand.weight": (width, hands) if hands != 169 else (169, width),
        "shift.weight": (width, 5), "shift.bias": (width,), "gate.weight": (width, 5), "gate.bias": (width,),
        "mid.weight": (4, width), "mid.bias": (4,), "shift2.weight": (4, 5), "out.weight": (9, 4), "out.bias": (9,),
        "out_public.weight": (9, 5),
    }  # fmt: skip
    return {name: rng.normal(0, 0.4, shape).astype(np.float32) for name, shape in shapes.items()}


def made(path: Path, *, ranges: bool = False, seed: int = 1) -> str:
    """A reader of random networks."""
    rng = np.random.default_rng(seed)
    more, public = (RANGE_HAND, RANGE_PUBLIC) if ranges else (0, 0)
    after = arrays(rng, HAND_SIZE + more, PUBLIC_SIZE + public)
    save_weights(path, {-1: [arrays(rng, 169)]}, {-1: [after]}, {"made": "by hand"}, ranges=ranges)
    return str(path)


# features ----------------------------------------------------------------------------------------------------------


def test_percentiles_are_shares_of_weight_below() -> None:
    rng = np.random.default_rng(3)
    value = np.round(rng.random(60), 1)
    weight = rng.random(60) * (rng.random(60) < 0.8)
    out = np.zeros(60)
    percentiles_kernel(value, weight, np.argsort(value), out)
    for i in range(60):
        assert out[i] == pytest.approx(naive.percentile(value.tolist(), weight.tolist(), i))
    percentiles_kernel(value, np.zeros(60), np.argsort(value), out)
    assert not out.any()


@pytest.mark.parametrize(
    "text", ["AhKd2s", "7c7dTs", "9h8h7h", "AsKsQs4d", "5c5d5h9s", "AhKhQhJhTh", "2c2d9s9hKd", "3h4h5s6dKc"]
)
def test_features_of_hands_are_what_they_say(text: str) -> None:
    board, n = board_of(text)
    out = np.zeros((1326, HAND_SIZE), np.float32)
    hand_features_kernel(board_table(), board, n, out)
    known = board[:n].tolist()
    suits = [sum(naive.suit(c) == s for c in known) for s in range(4)]
    rng = np.random.default_rng(1)
    for combo in rng.choice(1326, 200, replace=False):
        hand = tuple(int(c) for c in COMBO_CARDS[combo])
        row = out[combo]
        if set(hand) & set(known):
            assert not row.any()
            continue
        kinds = np.flatnonzero(row[_KIND : _KIND + len(naive.KINDS)])
        assert [naive.KINDS[k] for k in kinds] == [naive.kind(hand, known)], (text, hand)
        outs = naive.straight_outs(hand, known) if n < 5 else 0
        assert (row[_DRAW + 6], row[_DRAW + 7]) == (outs == 1, outs >= 2)
        suited = naive.suit(hand[0]) == naive.suit(hand[1])
        assert row[_DRAW] == (suited and suits[naive.suit(hand[0])] == 2 and n < 5)
        top = max(map(naive.rank, known))
        assert row[_DRAW + 8] == any(naive.rank(c) > top for c in hand)
        assert row[_DRAW + 9] == all(naive.rank(c) > top for c in hand)
        assert row[6:14].sum() == pytest.approx(1)
        if n == 5:
            even = {tuple(two): 1.0 for two in COMBO_CARDS.tolist() if not set(two) & set(known)}
            if combo % 64 == 0:
                assert row[0] == pytest.approx(naive.river_rate(hand, known, even), abs=1e-6)
    exact = win_rates(known)
    live = out[:, 0] > 0
    assert np.abs(out[live, 0] - exact[live]).max() < 1e-4


@pytest.mark.parametrize("text", ["9h8h7h6h", "2c2d9s9hKd", "AsKsQsJsTs"])
def test_win_rates_against_three_sets_of_hands(text: str) -> None:
    """Mean win rates, their spread and how often they are high, against one board after the other."""
    board, n = board_of(text)
    out = np.zeros((1326, HAND_SIZE), np.float32)
    hand_features_kernel(board_table(), board, n, out)
    known = board[:n].tolist()
    sets = [{tuple(COMBO_CARDS[h].tolist()) for h in np.flatnonzero(top)} for top in top_ranges()]
    for h in range(5, 1326, 331 if n == 4 else 127):
        hand = tuple(COMBO_CARDS[h].tolist())
        if set(hand) & set(known):
            assert not out[h].any()
            continue
        rates = naive.rates_by_runout(known, sets, hand)
        mean = [float(np.mean(r)) if r else 0.0 for r in rates]
        assert out[h, :3] == pytest.approx(mean, abs=1e-6)
        assert out[h, 3:5] == pytest.approx([np.std(rates[0]), np.mean(np.array(rates[0]) > 0.85)], abs=1e-6)


def test_a_flop_is_the_mean_of_its_turns_whatever_the_suits_are_called() -> None:
    flop = cards("Ts7c7d")
    out, renamed, turn = np.zeros((3, 1326, HAND_SIZE), np.float32)
    hand_features_kernel(board_table(), board_array(flop), 3, out)
    total = np.zeros((1326, 4))
    seen = np.zeros(1326)
    for card in set(range(52)) - set(flop):
        hand_features_kernel(board_table(), board_array((*flop, card)), 4, turn)
        live = turn[:, 0] > 0
        seen += live
        total[live] += np.column_stack([turn[:, :3], turn[:, 3] ** 2 + turn[:, 0] ** 2])[live]
    live = seen == 47
    mean = total[live] / 47
    assert np.abs(out[live, :2] - mean[:, :2]).max() < 2e-5
    # The file has these in steps of a thousandth.
    assert np.abs(out[live, 2] - mean[:, 2]).max() < 6e-4
    assert np.abs(out[live, 3] - np.sqrt(np.maximum(mean[:, 3] - mean[:, 0] ** 2, 0))).max() < 2e-3
    swapped = [c % 13 + (c // 13 + 1) % 4 * 13 for c in range(52)]
    hand_features_kernel(board_table(), board_array([swapped[c] for c in flop]), 3, renamed)
    to = [int(COMBO_INDEX[swapped[a], swapped[b]]) for a, b in COMBO_CARDS.tolist()]
    # The numbers: ranks and suits of the cards follow by themselves.
    assert (renamed[to, :14] == out[:, :14]).all()


def test_flops_and_turns_are_kept_for_the_next_process_and_damaged_ones_are_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DUPAI_CACHE_DIR", str(tmp_path))
    cache_root.cache_clear()
    turns = [board_array(cards(text)) for text in ("Ts7c7d2h", "AsKsQs4d")]
    try:
        first = board_table.__wrapped__()
        for board in turns:
            fill_kernel(first, board, 4)
        whole, damaged = np.flatnonzero(first.filled[1755:]).tolist()
        right = first.turns[[whole, damaged]]
        # One turn is changed with its sum, so that it shows that nobody works it out again; the other is damaged.
        first.turns[[whole, damaged], 700, 1] ^= 1
        first.sums[whole] = _sum(first.turns[whole])
        again = board_table.__wrapped__()
        assert not again.filled.any()
        for board in turns:
            fill_kernel(again, board, 4)
        assert np.flatnonzero(again.filled[1755:]).tolist() == [whole, damaged]
        assert (again.spread == first.spread).all()
        assert (again.turns[damaged] == right[1]).all()
        assert (again.turns[whole] != right[0]).sum() == 1
        flops = first.flops.copy()
        # The last two columns are filled in later, by all processes.
        again.flops[9, 700] ^= np.array([0, 1, 0, 0, 0, 0, 0], np.uint16)
        third, fourth = (board_table.__wrapped__().flops[..., :-2] for _ in range(2))
        assert (third == flops[..., :-2]).all() and (fourth == third).all()
    finally:
        cache_root.cache_clear()


def test_ranges_on_the_river_against_counting() -> None:
    board, n = board_of("AhKd7s7c2d")
    rng = np.random.default_rng(5)
    ranges = rng.random((2, 1326)) ** 4
    own = rng.random(1326) ** 4
    hands, public = np.zeros((1326, 3), np.float32), np.zeros(4, np.float32)
    range_features_kernel(board, n, own, ranges, hands, public)
    known = board.tolist()
    live = [h for h in range(1326) if not set(COMBO_CARDS[h].tolist()) & set(known)]
    kept = {h: float(ranges[0, h]) for h in live}
    weight = {tuple(COMBO_CARDS[h].tolist()): w for h, w in kept.items()}
    for h in live[::197]:
        assert hands[h, 0] == pytest.approx(naive.river_rate(tuple(COMBO_CARDS[h].tolist()), known, weight), abs=1e-5)
    rates = hands[live, 0].astype(float).tolist()
    for i in range(0, len(live), 211):
        assert hands[live[i], 2] == pytest.approx(naive.percentile(rates, own[live].tolist(), i), abs=2e-3)
    share = own[live] / own[live].sum()
    mean = float(share @ rates)
    spread = float(np.sqrt(share @ (np.array(rates) - mean) ** 2))
    high, low = float(share @ (np.array(rates) > 0.75)), float(share @ (np.array(rates) < 0.3))
    assert public == pytest.approx([mean, spread, high, low], abs=1e-4)
    told = np.zeros((1326, RANGE_HAND), np.float32)
    expand_kernel(hands, told)
    assert (told[:, :2] == hands[:, :2]).all()
    assert told[:, 2:] @ (np.arange(8) / 7) == pytest.approx(hands[:, 2], abs=1e-6)


def test_a_range_that_holds_nothing_beside_the_board() -> None:
    board, n = board_of("AhKd7s")
    own = np.zeros(1326)
    own[COMBO_INDEX[board[0], board[1]]] = 1.0
    hands, public = np.ones((1326, 3), np.float32), np.ones(4, np.float32)
    range_features_kernel(board, n, own, own[None].copy(), hands, public)
    assert not public.any()
    assert np.isfinite(hands).all()


@pytest.mark.parametrize("game", ["holdem.nolimit.2p", "holdem.limit.3p", "six"])
def test_classes_of_actions_are_the_columns_of_the_native_menu(game: str) -> None:
    spec = SIX if game == "six" else load_game(game)
    limit = int(spec.betting != "no-limit")
    menu = LIMIT if limit else NATIVE
    legal, seen = np.zeros(9, np.bool_), set()
    for record in played(spec, 60):
        for spot in spots(record):
            legal_classes_kernel(spot.rows, len(spot.rows) - 1, limit, legal)
            assert legal[: len(menu)].tolist() == menu.legal(spot).tolist()
            if spot["did"] != NOTHING:
                column = class_of_kernel(spot.rows, len(spot.rows) - 1, limit)
                assert column == menu.place(spot)
                seen.add(int(column))
    assert seen == set(range(len(menu)))


def test_public_features_do_not_know_the_future_or_the_seats() -> None:
    out = np.zeros((2, PUBLIC_SIZE), np.float32)
    for record in played(SIX, 12):
        for i, spot in enumerate(spots(record)):
            board = np.full(5, 255, np.uint8)
            board[: len(spot.board)] = spot.board
            public_features_kernel(spot.rows, i, 0, board, len(spot.board), out[0])
            changed = spots(record)[-1].rows.copy()
            for field in ("did", "to"):
                changed[field][i] = 0  # what is done now and later must not matter
            changed[i + 1 :] = 0
            public_features_kernel(changed, i, 0, board, len(spot.board), out[1])
            assert (out[0] == out[1]).all()
            assert np.isfinite(out[0]).all() and np.abs(out[0]).max() < 8


# the file ----------------------------------------------------------------------------------------------------------


def test_a_saved_reader_comes_back(tmp_path: Path) -> None:
    file = made(tmp_path / "r.npz")
    weights = load_weights(file)
    assert weights.card == {"made": "by hand"} and not weights.ranges
    rng = np.random.default_rng(1)
    want = Network({k: v.astype(np.float16).astype(np.float32) for k, v in arrays(rng, HAND_SIZE).items()}, False)
    (got,) = weights.networks(2, 3)
    hands, public = rng.random((9, HAND_SIZE)).astype(np.float32), rng.random(PUBLIC_SIZE).astype(np.float32)
    assert np.allclose(got.logits(got.hands(hands), public, 3), want.logits(want.hands(hands), public, 3), atol=1e-4)
    assert [p.name for p in tmp_path.iterdir()] == ["r.npz"]


@pytest.mark.parametrize("how", ["absent", "text", "cut", "other", "version", "lacks", "nothing", "sizes"])
def test_bad_files_in_one_line(how: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    file = tmp_path / "r.npz"
    rng = np.random.default_rng(1)
    said = "trained reader '"
    if how == "text":
        file.write_text("no")
    elif how == "cut":
        made(file)
        file.write_bytes(file.read_bytes()[:-200])
    elif how == "other":
        np.savez(file, counts=np.zeros(3))
    elif how == "version":
        with monkeypatch.context() as patch:
            patch.setattr("dupai.reading._model._weights.FEATURE_VERSION", FEATURE_VERSION + 1)
            made(file)
        said = f"made for version {FEATURE_VERSION + 1} of the features, this program has {FEATURE_VERSION}"
    elif how == "lacks":
        less = {k: v for k, v in arrays(rng, HAND_SIZE).items() if k != "mid.bias"}
        save_weights(file, {-1: [arrays(rng, 169)]}, {-1: [less]}, {}, ranges=False)
        said = "lacks the array 'mid.bias'"
    elif how == "nothing":
        save_weights(file, {-1: [arrays(rng, 169)]}, {}, {}, ranges=False)
        said = "holds no network"
    elif how == "sizes":
        save_weights(file, {-1: [arrays(rng, 169)]}, {-1: [arrays(rng, HAND_SIZE - 1)]}, {}, ranges=False)
        said = "features of a hand"
    with pytest.raises(FileError) as caught:
        load_reader(f"model:file={file}")
    assert str(file) in str(caught.value) and said in str(caught.value) and "\n" not in str(caught.value)
    log = Path(__file__).parents[2] / "golden" / "heads_up.log"
    assert main(["read", "hand", str(log), "--hand", "0", "--reader", f"model:file={file}"]) == 2
    told = capsys.readouterr().err
    assert said in " ".join(told.split()), told


def test_bad_options() -> None:
    with pytest.raises(ConfigError, match="population='martians': expected one of unknown, heads-up"):
        ModelReader(population="martians")
    with pytest.raises(ConfigError, match="uniform"):
        ModelReader(uniform=1.5)


# populations and habits --------------------------------------------------------------------------------------------


def test_who_belongs_to_which_population() -> None:
    limit = load_game("holdem.limit.3p")
    online = GameSpec.no_limit(9, (10, 25), 2500)
    assert NAMES[population_of("DeepStackFCPA", HEADS_UP)] == "DeepStack"
    assert NAMES[population_of("Pluribus", SIX)] == "Pluribus"
    assert NAMES[population_of("Hyperborean_iro", limit)] == "Hyperborean_iro"
    assert NAMES[population_of("Pro07", HEADS_UP)] == "heads-up"
    assert NAMES[population_of("somebody", limit)] == "unknown"
    # A program is known in its own game only; elsewhere it is learned like anybody.
    for name, game, found in (("Hyperborean_iro", HEADS_UP, "heads-up"), ("DeepStack", limit, "unknown")):
        population = population_of(name, game)
        assert NAMES[population] == found and has_habits(name, population)
    assert NAMES[population_of("P12345678", online)] in ("online", "six-max")
    assert SHOWN not in PEOPLE


# readings ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shipped() -> ModelReader:
    return ModelReader()


def test_it_is_a_reader_and_small(shipped: ModelReader) -> None:
    assert isinstance(shipped, Reader) and isinstance(shipped, Filter)
    assert SHIPPED_READER.stat().st_size < 10_000_000
    assert shipped.model.weights.card["hands"]


@pytest.mark.parametrize("game", ["heads-up", "six", "nine", "holdem.limit.3p"])
@pytest.mark.parametrize("ranges", [False, True])
def test_chances_sum_to_one_on_every_street_and_game(game: str, ranges: bool, tmp_path: Path) -> None:
    spec = {"heads-up": HEADS_UP, "six": SIX, "nine": GameSpec.no_limit(9, (10, 25), 2500)}.get(game) or load_game(game)
    model = TrainedModel(load_weights(made(tmp_path / "r.npz", ranges=ranges)))
    reader = Filter(model)
    for record in played(spec, 3):
        state = record.at(len(record.actions))
        weights = reader.weights(state.view())
        assert weights.sum(axis=1) == pytest.approx(1)
        for spot in spots(record):
            if spot["did"] == NOTHING:
                continue
            spot.ranges = weights
            p = model.probs(spot)
            assert p.sum(axis=1) == pytest.approx(1, abs=1e-5)
            assert not p[:, ~model.menu(spot).legal(spot)].any()


def test_ranges_change_what_is_read(tmp_path: Path) -> None:
    model = TrainedModel(load_weights(made(tmp_path / "r.npz", ranges=True)))
    assert model.needs_ranges
    record = next(r for r in played(HEADS_UP, 50) if any(s.street == 2 for s in spots(r)))
    spot = next(s for s in spots(record) if s.street == 2)
    rng = np.random.default_rng(1)
    spot.ranges = np.full((2, 1326), 1 / 1326)
    plain = model.logits(spot)
    spot.ranges = rng.dirichlet(np.full(1326, 0.2), 2)
    assert np.abs(model.logits(spot) - plain).max() > 1e-3
    spot.ranges = None
    with pytest.raises(ValueError, match="has no ranges"):
        range_features(spot)


def test_a_menu_of_another_shape_keeps_the_chances() -> None:
    model = TrainedModel()
    small = Menu(sizes=(0.5, 1.0), all_in=True)
    for record in played(HEADS_UP, 6):
        for spot in spots(record):
            native = model.probs(spot)
            other = native @ NATIVE.onto(small, spot)
            assert other.sum(axis=1) == pytest.approx(1, abs=1e-5)
            assert other[:, :2] == pytest.approx(native[:, :2], abs=1e-5)
            assert not other[:, ~small.legal(spot)].any()


def test_gains_turn_up_what_the_hand_says(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    nets = {-1: [arrays(rng, 169)]}, {-1: [arrays(rng, HAND_SIZE)]}
    save_weights(tmp_path / "r.npz", *nets, {}, ranges=False, gains={1: (1.5, 1.0)})
    save_weights(tmp_path / "s.npz", *nets, {}, ranges=False)
    sharp, plain = (TrainedModel(load_weights(str(tmp_path / f"{x}.npz"))) for x in "rs")
    (record,) = played(HEADS_UP, 1, names=("Pro01", "DeepStack"))
    for model in (sharp, plain):
        model.meet(dict(enumerate(record.names)))
    for spot in spots(record):
        a, b = sharp.logits(spot), plain.logits(spot)
        person = record.names[spot.position] == "Pro01" and spot.street == 0
        assert a.mean(axis=0) == pytest.approx(b.mean(axis=0), abs=1e-4)
        assert a - a.mean(axis=0) == pytest.approx((1.5 if person else 1.0) * (b - b.mean(axis=0)), abs=1e-4)


def test_a_network_against_plain_sums(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    told = arrays(rng, HAND_SIZE)
    net = Network(told, by_index=False)
    features = rng.normal(size=(3, HAND_SIZE)).astype(np.float32)
    public = rng.normal(size=PUBLIC_SIZE).astype(np.float32)
    got = net.logits(net.hands(features), public, 2)
    lists = {name: array.tolist() for name, array in told.items()}
    for hand in range(3):
        want = naive.network(lists, features[hand].tolist(), public.tolist(), 2)
        assert got[hand].tolist() == pytest.approx(want, rel=1e-4, abs=1e-4)


def test_what_the_board_blocks_is_one_kind_of_hand() -> None:
    """Hands that a network cannot tell apart are worked out once; chances are those of every hand by itself."""
    model: Any = TrainedModel()
    for record in played(SIX, 4, seed=12):
        for spot in spots(record):
            if spot["did"] == NOTHING or spot.street == 0:
                continue
            chances = model.probs(spot)
            blocked = [h for h in range(1326) if set(COMBO_CARDS[h].tolist()) & set(spot.board)]
            assert np.ptp(chances[blocked], axis=0).max() == 0
            assert chances.sum(axis=1) == pytest.approx(1, abs=1e-5)
            logits = model.logits(spot)
            again = masked_softmax(logits, model.menu(spot).legal(spot))
            assert np.abs(again - chances).max() < 1e-6


def test_hands_with_the_same_features_are_one_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Later streets have fewer kinds of hands than hands; every hand's chances are those of itself alone."""
    merged, alone = TrainedModel(), TrainedModel()
    ratios: dict[int, list[float]] = {1: [], 2: [], 3: []}
    for record in played(SIX, 12, seed=21):
        for spot in spots(record):
            if spot["did"] == NOTHING or spot.street == 0:
                continue
            once = merged.logits(spot)
            kinds = merged._board(spot.board).kinds
            live = sum(not set(COMBO_CARDS[h].tolist()) & set(spot.board) for h in range(1326))
            ratios[spot.street].append(len(kinds.share) / (live + 1))

            def apart(rows: Array, of: Array, first: Array) -> int:
                of[:] = first[:] = np.arange(len(rows))
                return len(rows)

            with monkeypatch.context() as patched:
                patched.setattr("dupai.reading._model._model.alike_kernel", apart)
                each = alone.logits(spot)
            assert np.abs(once - each).max() < 1e-4
            assert kinds.share.sum() == pytest.approx(1)
    assert all(ratios.values())
    # On a flop hands are alike where suits may change names.
    assert max(ratios[1]) > 0.5 and max(ratios[3]) < 0.7


def test_alike_rows_are_found() -> None:
    """Against a dictionary, with rows that differ in one number only."""
    rng = np.random.default_rng(5)
    rows = rng.integers(0, 2, (1326, 6)).astype(np.uint64) << rng.integers(0, 64, 6).astype(np.uint64)
    of, first = np.empty((2, 1326), np.int64)
    found = alike_kernel(rows, of, first)
    seen: dict[tuple[int, ...], int] = {}
    want = [seen.setdefault(tuple(row), len(seen)) for row in rows.tolist()]
    assert found == len(seen) and of.tolist() == want
    assert (rows[first[:found]][of] == rows).all()


def test_decisions_are_remembered_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hand that was read is learned from without asking the networks again, and nothing is mixed up."""
    record = max(played(SIX, 20, seed=3, names=("A", "B", "C", "D", "E", "F")), key=lambda r: len(r.actions))
    _known_logits.cache_clear()
    once, never = Filter(TrainedModel()), Filter(TrainedModel())
    read: Any = [[once.model.probs(spot) for spot in spots(record)] for _ in range(2)]
    asked: list[int] = []
    monkeypatch.setattr(Network, "logits", lambda *_: asked.append(1))
    once.observe(record)
    assert not asked
    monkeypatch.undo()
    never.observe(record)
    assert once.save() == never.save()
    assert all(np.array_equal(a, b) for a, b in zip(*read, strict=True))
    for other in played(SIX, 20, seed=4):
        once.observe(other)
        for spot in spots(other):
            once.model.probs(spot)
    assert 0 < _known_logits.cache_info().currsize <= 256


def test_masked_softmax() -> None:
    got = masked_softmax(np.array([[1.0, 2.0, 50.0]], np.float32), np.array([True, True, False]))
    assert got[0] == pytest.approx([1 / (1 + np.e), np.e / (1 + np.e), 0])


def test_the_shipped_reader_reads_poker(shipped: ModelReader) -> None:
    """What everybody knows: who raises and re-raises has aces more often than deuces and sevens; a call of three bets
    on a board of hearts says more of flushes than a fold to the first."""
    state = HandState(SIX, None, "AhKd7s")
    for action in (Action.raise_to(300), Action.raise_to(900), *[Action.fold()] * 4, Action.raise_to(2200)):
        state.apply(action)
    opener = state.actions[0][1]
    reading = shipped.read(state.view(), None)[state.view().seats[opener]]
    aces, rags = reading.probability("AcAs"), reading.probability("7h2c")
    assert aces > 20 * rags
    assert sum(reading.p) == pytest.approx(1)


def test_the_same_hand_is_read_alike_at_once_and_step_by_step(shipped: ModelReader) -> None:
    record = max(played(SIX, 20, seed=3), key=lambda r: len(r.actions))
    step = ModelReader()
    for n in range(len(record.actions) + 1):
        found = step.weights(record.at(n).view())
    assert shipped.weights(record.at(len(record.actions)).view()) == pytest.approx(found, abs=1e-7)


def test_playing_needs_no_torch() -> None:
    said = subprocess.run(
        [sys.executable, "-c", "import sys; from dupai.reading import load_reader; load_reader('model');"
         "print([m for m in ('torch', 'onnxruntime', 'pyarrow') if m in sys.modules])"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert said.stdout.strip() == "[]"


def test_shown_only_is_a_population_of_its_own(shipped: ModelReader) -> None:
    marked = ModelReader(population="shown")
    record = next(r for r in played(GameSpec.no_limit(6, (10, 25), 2500), 60) if any(s.street == 3 for s in spots(r)))
    view = record.at(len(record.actions)).view()
    a, b = shipped.weights(view), marked.weights(view)
    assert np.abs(a - b).max() > 1e-5


def test_the_probability_of_a_first_action_is_the_mean_over_hands() -> None:
    """All hands are equally likely before the first action; and what is certain to happen adds up to 1."""
    model = TrainedModel(load_weights(), "DeepStack", adapt=False)
    spec, total = GameSpec.no_limit(2, (50, 100), 20_000), 0.0
    state = HandState(spec)
    spot = spots(state.view(None))[-1]
    probs = model.probs(spot)
    for column in np.flatnonzero(model.menu(spot).legal(spot)).tolist():
        hand = HandState(spec, ["7c2d", "8h3s"], "QsJs9h4d2c")
        hand.apply(model.menu(spot).action(spot, column))
        if not hand.finished:
            hand.follow(Action.fold())
        done = [spot for spot in spots(hand.record()) if spot.position == 1 and spot["did"] != NOTHING]
        found = math.exp(_follow(model, done, "").log_chance)
        assert found == pytest.approx(max(float(probs[:, column].mean()), 1e-4), rel=1e-5)
        total += float(probs[:, column].mean())
    assert total == pytest.approx(1, abs=1e-5)


def test_readers_of_a_process_share_what_its_networks_make_of_a_board() -> None:
    assert load_weights() is load_weights(None)
    board = tuple(cards("2c7dTh"))
    one, other = (TrainedModel()._board(b) for b in (board, (board[2], *board[:2])))
    assert one is other


def test_readers_of_a_process_share_what_they_learn_from_the_same_hands() -> None:
    """Each has the same at the end as one that is alone, and what one learns later is its own."""
    names = ("A", "B", "C", "D", "E", "F")
    records = played(SIX, 12, seed=5, names=names)

    def reader(watching: int | None) -> Any:
        made: Any = load_reader("model")
        for record in records:
            made.observe(record.seen_by(watching))
        return made

    alone = [reader(0).save(), reader(1).save()]
    readers = reader(0), reader(1), reader(None)
    one, other, _ = readers
    assert [one.save(), other.save()] == alone
    people = [r.model._models["auto"].habits._people for r in readers]
    assert people[0]["C"] is people[1]["C"] is people[2]["C"]
    assert "A" not in people[0] and people[1]["A"] is people[2]["A"]
    assert one.model.gained["C"] is other.model.gained["C"]
    one.observe(played(SIX, 1, seed=6, names=names)[0].seen_by(0))
    assert other.save() == alone[1] != one.save()


def test_readers_of_a_process_follow_a_hand_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """An action that one has followed is not followed again, unless the two know different things of the player."""
    seen, after = [], _identified._after
    monkeypatch.setattr(_identified, "_known_steps", {})
    monkeypatch.setattr(_identified, "_after", lambda *given: seen.append(given) or after(*given))
    names = ("A", "B", "C", "D", "E", "F")
    hands = played(SIX, 13, seed=5, names=names)
    record = max(hands, key=lambda hand: len(hand.actions))
    made: list[Any] = [load_reader("model") for _ in range(3)]
    one, other, new = made
    for hand in hands[:6]:
        one.observe(hand.seen_by(0))
        other.observe(hand.seen_by(1))
    _identified._known_steps.clear()
    views = [record.at(n).view(who) for n in range(len(record.actions)) for who in (0, 1)]
    first = [one.model.reading(view, 2, "C") for view in views[::2]]
    done = len(seen)
    assert done > 0
    again = [other.model.reading(view, 2, "C") for view in views[1::2]]
    assert len(seen) == done and all(map(np.array_equal, first, again))
    strange = new.model.reading(views[-2], 2, "C")
    assert len(seen) > done and not np.array_equal(strange, first[-1])
