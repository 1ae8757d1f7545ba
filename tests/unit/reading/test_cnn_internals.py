"""The network that foretells actions: what it is shown, how it is split, scored, played and refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import msgspec
import numpy as np
import pytest

from dupai.base import ConfigError, FileError, HistoryError, Rng
from dupai.cards import COMBOS, cards, combo
from dupai.cli import main
from dupai.history import file_records
from dupai.notation import write_acpc
from dupai.reading import Filter, load_reader
from dupai.reading._cnn._file import (
    CNN_MENUS,
    CNN_MOVE_OF,
    CNN_MOVES,
    LEAKS,
    SHIPPED,
    PaperNetwork,
    hand_matrices,
    leaks_of,
    start_rates,
)
from dupai.reading._cnn._kernels import public_matrix_kernel, trunk_features_kernel
from dupai.reading._model._model import TrainedModel
from dupai.reading.cnn import CnnModel, load_cnn
from dupai.rules import Action, GameSpec, HandRecord, HandState, load_game
from dupai.spots import ActionModel, Menu, spots
from dupai.training import cnn_samples, part_of, score_cnn, split_keys
from dupai.training._cnn._scores import as_moves, frequencies, score_actions, softmax_legal
from dupai.training._cnn._train import save_npz
from naive import reading_cnn as naive
from support.shared_data import shared_data

SPEC = load_game("holdem.nolimit.2p")
GOLDEN = Path(__file__).parents[2] / "golden"


def played(seed: int, spec: GameSpec = SPEC) -> HandState:
    """A hand of two who do anything."""
    rng = Rng(seed)
    state = HandState.deal(spec, rng, hand=seed)
    while not state.finished:
        legal, kind = state.legal, rng.below(7)
        if kind == 0 and legal.to_call:
            state.apply(Action.fold())
        elif kind < 3 and legal.max_to:
            most = min(legal.max_to, legal.min_to + 3 * state.pot) if rng.below(9) else legal.max_to
            state.apply(Action.raise_to(legal.min_to + rng.below(most - legal.min_to + 1)))
        else:
            state.apply(Action.call())
    return state


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Matches of 10 hands in pairs of one card seed."""
    lines = []
    for number in range(600):
        if number % 10 == 0:
            match = number // 10
            lines.append(f"# match any_{'rs'[match % 2]}{match // 2}")
        names = ["Ann", "Bo"] if number % 2 else ["Bo", "Ann"]
        lines += write_acpc([played(number).record(names)])
    path = tmp_path_factory.mktemp("log") / "cnn-test.log"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="module")
def records(log: Path) -> list[HandRecord]:
    return list(file_records(log))


# inputs --------------------------------------------------------------------------------------------------------------


def test_matrices_equal_the_naive_ones(log: Path, records: list[HandRecord]) -> None:
    samples = cnn_samples([log], ["Ann"])
    few = np.random.default_rng(1).choice(len(samples), 60, replace=False)
    for words in ((), ("cards",), ("board",), ("chips",), tuple(LEAKS)):
        made = samples.matrices(few, sum(LEAKS[w] for w in words))
        for k, i in enumerate(few):
            hand = int(samples.hand[i])
            number = int(samples.row[i] - samples.corpus.first[hand])
            wanted = naive.matrix(records[hand], number, words)
            np.testing.assert_allclose(made[k, 0], wanted, atol=1e-5, err_msg=f"{records[hand]} {number}")


def test_honest_inputs_know_nothing_that_the_player_did_not(log: Path, tmp_path: Path) -> None:
    """Another hand of the other's, other cards to come, another action and other actions after it: the same input."""
    samples = cnn_samples([log])
    every = np.arange(len(samples))
    c, rng = samples.corpus, np.random.default_rng(2)
    honest, nodes, hands = samples.matrices(every, 0), samples.nodes(every), samples.hands()
    for i in rng.choice(every, 120, replace=False):
        h, row = int(samples.hand[i]), int(samples.row[i])
        me, street = int(c.rows["position"][row]), int(c.rows["street"][row])
        kept = c.hole[h].copy(), c.board[h].copy(), c.rows[row:].copy()
        seen = [*c.hole[h, me], *c.board[h, : (0, 3, 4, 5)[street]]]
        rest = rng.permutation([x for x in range(52) if x not in seen])
        c.hole[h, 1 - me] = rest[:2]
        c.board[h, (0, 3, 4, 5)[street] :] = rest[2 : 7 - (0, 3, 4, 5)[street]]
        for field in ("did", "to", "paid", "all_in"):
            c.rows[field][row:] = 3
        one = np.array([i])
        assert (samples.matrices(one, 0) == honest[i]).all()
        assert (samples.matrices(one, LEAKS["chips"]) != honest[i]).any()
        assert (samples.matrices(one, LEAKS["cards"]) != honest[i]).any()
        assert (samples.nodes(one) == nodes[i]).all()
        c.hole[h], c.board[h], c.rows[row:] = kept
    assert (samples.hands() == hands).all()


def test_board_leak_shows_whether_the_hand_went_on(records: list[HandRecord]) -> None:
    gone_on = next(r for r in records if len(r.board) == 5 and r.at(0).actor is not None)
    assert np.array(naive.matrix(gone_on, 0, ["board"]))[8:, :13].sum() == 5
    assert np.array(naive.matrix(gone_on, 0))[8:, :13].sum() == 0


@pytest.mark.parametrize("text", ["", "7h2c9d", "AsKsQs4s", "8c8d3h3s2c", "2c3c4c5c6c"])
def test_trunk_features_equal_the_naive_ones(text: str) -> None:
    board = cards(text)
    five = np.full(5, 255, np.uint8)
    five[: len(board)] = board
    made = np.empty((COMBOS, 70), np.float32)
    trunk_features_kernel(five, len(board), start_rates(), made)
    share = naive.shares(board, start_rates())
    kinds, rest = range(14, 31), [k for k in range(70) if not (14 <= k < 31 or 34 <= k < 37)]  # blockers: see below
    for h in range(COMBOS):
        if share[h] is None:
            assert not made[h].any()
            continue
        wanted = naive.hand_columns(h, board, share[h])
        np.testing.assert_allclose(made[h, rest], [wanted.get(k, 0.0) for k in rest], atol=1e-5, err_msg=str(h))
        assert made[h, kinds].sum() == bool(board)


@pytest.mark.parametrize(
    ("hand", "board", "kind"),
    [
        ("KdQh", "7h2c9d", 0), ("AdQh", "7h2c9d", 1), ("5d5h", "7h2c9d", 2), ("TdTh", "7h2c9d", 4),
        ("2dQh", "7h2c9d", 5), ("7dQh", "7h2c9d", 6), ("9c4h", "7h2c9d", 7), ("9cKh", "7h2c9d", 8),
        ("9c7c", "7h2c9d", 9), ("8h8s", "8c4d3h", 11), ("8h4s", "8c8d3h", 10), ("JdTh", "7h8c9d", 12),
        ("2s3s", "AsKsQs", 13), ("8h8s", "8c3d3h", 14), ("3s3c", "8c3d3h", 15), ("2d3d", "AsKsQsJsTs", 16),
    ],
)  # fmt: skip
def test_kinds_of_made_hands(hand: str, board: str, kind: int) -> None:
    five = np.full(5, 255, np.uint8)
    five[: len(cards(board))] = cards(board)
    made = np.empty((COMBOS, 70), np.float32)
    trunk_features_kernel(five, len(cards(board)), start_rates(), made)
    assert made[combo(*cards(hand)), 14:31].argmax() == kind


def test_samples_say_what_was_held_what_was_possible_and_what_was_done(log: Path, records: list[HandRecord]) -> None:
    samples = cnn_samples([log], ["A?n"])
    assert samples.players == ("Ann",)
    hands, fine, coarse = samples.hands(), samples.columns("rich"), samples.columns("paper")
    fine_legal, coarse_legal = samples.legal("rich"), samples.legal("paper")
    seen = 0
    for i in range(0, len(samples), 5):
        record = records[int(samples.hand[i])]
        spot = spots(record)[int(samples.row[i] - samples.corpus.first[samples.hand[i]])]
        assert record.names[spot.position] == "Ann"
        assert fine[i] == naive.column(spot, CNN_MENUS["rich"].edges) == CNN_MENUS["rich"].place(spot)
        assert coarse[i] == naive.column(spot, ()) == CNN_MOVES.place(spot) == CNN_MOVE_OF[fine[i]]
        assert (fine_legal[i] == CNN_MENUS["rich"].legal(spot)).all()
        assert (coarse_legal[i] == CNN_MOVES.legal(spot)).all()
        five = np.full(5, 255, np.uint8)
        five[: len(spot.board)] = spot.board
        wanted = np.empty((COMBOS, 70), np.float32)
        trunk_features_kernel(five, len(spot.board), start_rates(), wanted)
        held = combo(*record.hole[spot.position])
        np.testing.assert_allclose(hands[i], wanted[held], atol=1e-3)
        seen += 1
    assert seen > 100
    # Every decision of hers with a choice is there, none of his.
    hers = [s for r in records for s in spots(r) if s.action is not None and r.names[s.position] == "Ann"]
    wanted_n = sum(CNN_MENUS["rich"].legal(s).sum() > 1 for s in hers)
    assert len(samples) == wanted_n


def test_matches_and_card_seeds_are_split_as_wholes(log: Path, records: list[HandRecord]) -> None:
    samples = cnn_samples([log])
    keys = [key for key, _ in split_keys(records, "cnn-test")]
    by_seed: dict[str, set[int]] = {}
    for hand, part in zip(samples.hand, samples.part, strict=True):
        by_seed.setdefault(keys[hand], set()).add(int(part))
    assert len(by_seed) == 30  # 60 matches, two of each seed
    assert all(len(parts) == 1 for parts in by_seed.values())
    assert {p for parts in by_seed.values() for p in parts} == {0, 1, 2}
    names = {"train": 0, "validation": 1, "test": 2}
    assert all(parts == {names[part_of(key)]} for key, parts in by_seed.items())


# scores --------------------------------------------------------------------------------------------------------------


def test_scores_equal_the_naive_ones() -> None:
    rng = np.random.default_rng(3)
    probs = rng.dirichlet(np.ones(4), 400)
    did = np.array([rng.choice(4, p=p) for p in probs])
    found = score_actions(probs, did, np.arange(400) // 3, rng.integers(0, 4, 400), CNN_MOVES.names)
    accuracy, loss, ece = naive.scores(probs.tolist(), did.tolist())
    assert (found.accuracy, found.log_loss) == pytest.approx((accuracy, loss), abs=1e-9)
    assert found.ece == pytest.approx(ece, abs=1e-9)
    assert sum(b.decisions for b in found.table) == sum(n for _, _, n in found.streets.values()) == 400
    assert sum(a.decisions for a in found.actions) == 400
    # Chances that are the truth are calibrated; sharper ones are not.
    sharp = probs**4 / (probs**4).sum(axis=1, keepdims=True)
    assert score_actions(sharp, did, np.arange(400), np.zeros(400), CNN_MOVES.names).ece > 2 * found.ece
    # One hand's decisions are no more than one: twice the same data, the same error.
    twice = score_actions(
        np.repeat(probs, 2, 0), np.repeat(did, 2), np.arange(800) // 2, np.zeros(800), CNN_MOVES.names
    )
    once = score_actions(probs, did, np.arange(400), np.zeros(400), CNN_MOVES.names)
    assert twice.log_loss_se == pytest.approx(once.log_loss_se)


def test_baselines_and_moves() -> None:
    legal = np.array([[True, True, False], [False, True, True]])
    said = frequencies(np.array([0, 0, 1, 2, 2, 2]), 3, legal, 2)
    np.testing.assert_allclose(said, [[3 / 5, 2 / 5, 0], [0, 2 / 6, 4 / 6]], rtol=1e-6)
    fine = np.array([[0.1, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]])
    np.testing.assert_allclose(as_moves(fine, CNN_MOVE_OF), [[0.1, 0.2, 0.6, 0.1]], rtol=1e-6)
    np.testing.assert_allclose(softmax_legal(np.zeros((2, 3)), legal).sum(axis=1), 1)
    assert softmax_legal(np.full((1, 3), 50.0), legal[:1])[0, 2] == 0


# the model that ships ------------------------------------------------------------------------------------------------


def test_shipped_model_answers_for_all_hands(records: list[HandRecord]) -> None:
    model = CnnModel()
    assert isinstance(model, ActionModel)
    assert SHIPPED.stat().st_size < 3_000_000
    asked = [s for r in records[:12] for s in spots(r)]
    for spot, said in zip(asked, model.batch(asked), strict=True):
        menu = model.menu(spot)
        legal = menu.legal(spot)
        np.testing.assert_allclose(said.sum(axis=1), 1, atol=1e-5)
        assert said.shape == (COMBOS, len(menu)) and not said[:, ~legal].any()
        other = Menu((0.5, 1.0), all_in=True)
        translated = said @ menu.onto(other, spot)
        np.testing.assert_allclose(translated.sum(axis=1), 1, atol=1e-5)
        assert not translated[:, ~other.legal(spot)].any()
        np.testing.assert_allclose(translated[:, :2], said[:, :2], atol=1e-5)
        some = np.array([0, 7, 1325])
        np.testing.assert_allclose(model.batch([spot], hands=[some])[0], said[some], atol=1e-6)


def test_shipped_model_plays_what_it_was_scored_on(log: Path, records: list[HandRecord]) -> None:
    """The rows of training and the answers at the table are one thing."""
    samples, model = cnn_samples([log]), CnnModel()
    network, hands = load_cnn().network, samples.hands()
    assert network is not None
    for i in range(0, len(samples), 37):
        record = records[int(samples.hand[i])]
        spot = spots(record)[int(samples.row[i] - samples.corpus.first[samples.hand[i]])]
        held = combo(*record.hole[spot.position])
        one = np.array([i])
        logits = network.head(network.trunk(hands[one].astype(np.float32)), samples.nodes(one))
        said = softmax_legal(logits, samples.legal("rich")[one])[0]
        np.testing.assert_allclose(model.probs(spot)[held], said, atol=5e-3)


def test_shipped_model_is_better_than_frequencies_on_matches_not_learned_from(tmp_path: Path) -> None:
    name = "deepstack-vs-pros-2016"
    found = shared_data(f"{name}/{name}.log.xz")
    keyed = islice(split_keys(file_records(found), name), 6000)
    some = [record for key, record in keyed if part_of(key) == "test"]
    path = tmp_path / f"{name}.log"
    lines: list[str] = []
    for record in some[:1500]:
        title = f"# {record.section}"
        if title not in lines[-60:]:
            lines.append(title)
        lines += write_acpc([record])
    path.write_text("\n".join(lines) + "\n")
    samples = cnn_samples([path])
    assert len(samples.of("train")) == len(samples.of("validation")) == 0
    scores = score_cnn(load_cnn(), samples)
    test = samples.of("test")
    did, legal = samples.columns("rich")[test], samples.legal("rich")[test]
    plain = score_actions(
        frequencies(did, 9, legal, len(test)), did, samples.hand[test], samples.street[test], CNN_MENUS["rich"].names
    )
    assert len(test) > 2000
    # The frequencies are those of these very hands: it has to know more than how often.
    assert scores["log_loss"] + 4 * scores["log_loss_se"] < plain.log_loss
    assert scores["accuracy"] > plain.accuracy + 0.05
    assert scores["ece"] < 0.05
    assert scores["moves"]["decisions"] == scores["decisions"]
    assert scores["moves"]["accuracy"] > scores["accuracy"] and scores["moves"]["log_loss"] < scores["log_loss"]


def test_reader(records: list[HandRecord]) -> None:
    reader = load_reader("cnn")
    assert isinstance(reader, Filter) and isinstance(reader.model, CnnModel)
    state = next(r for r in records if len(r.actions) >= 4).at(3)
    view = state.view(0)
    reading = reader.read(view, [view.seats[1]])[view.seats[1]]
    assert reading.p.sum() == pytest.approx(1)
    for other in ("six.log", "limit3.log"):  # never seen by the network, still an answer
        record = next(iter(file_records(GOLDEN / other)))
        view = record.at(2).view(None)
        for one in load_reader("cnn").read(view).values():
            assert np.isfinite(one.p).all() and one.p.sum() == pytest.approx(1)


def test_matrices_of_decisions_are_the_samples_own(log: Path, records: list[HandRecord]) -> None:
    samples = cnn_samples([log])
    for i in range(0, len(samples), 61):
        record = records[int(samples.hand[i])]
        number = int(samples.row[i] - samples.corpus.first[samples.hand[i]])
        spot = spots(record)[number]
        five = np.full(5, 255, np.uint8)
        five[: len(spot.board)] = spot.board
        public = np.empty((20, 20), np.float32)
        public_matrix_kernel(spot.rows, number, five, 0, public)
        made = hand_matrices(public, np.array([combo(*record.hole[spot.position])]))
        assert (made == samples.matrices(np.array([i]), 0)).all()


# bad input -----------------------------------------------------------------------------------------------------------


def test_information_is_one_of_few() -> None:
    assert leaks_of("honest") == 0
    assert leaks_of("literal") == leaks_of("honest+cards+board+chips") == 7
    for text in ("", "all", "honest+", "honest+eyes", "honest+chips+chips"):
        with pytest.raises(ConfigError, match="expected honest, literal"):
            leaks_of(text)


def _saved(path: Path, **changes: object) -> Path:
    with np.load(SHIPPED) as file:
        arrays = {k: file[k] for k in file.files}
    about = msgspec.structs.replace(load_cnn().about, **changes)
    del arrays["about"]
    save_npz(path, arrays, about)
    return path


def _bad_files(folder: Path) -> Iterator[tuple[Path, str]]:
    yield _saved(folder / "old.npz", version=0), "version 0, this program has"
    yield _saved(folder / "features.npz", features=9), "made for version 9 of the features, this program has version 1"
    yield _saved(folder / "other.npz", encoding="squares"), "encoding 'squares'"
    yield _saved(folder / "menu.npz", columns=("fold", "call")), "other actions"
    (folder / "cut.npz").write_bytes(SHIPPED.read_bytes()[:5000])
    yield folder / "cut.npz", "network .* is damaged"
    yield folder / "nothing.npz", "no such file"
    (folder / "empty").mkdir()
    yield folder / "empty", "neither model.npz nor model.onnx"
    yield Path(TrainedModel.__module__.replace(".", "/")), "no such file"
    with np.load(SHIPPED) as file:
        arrays = {k: file[k] for k in file.files if k != "about"}
    arrays["node1.weight"] = arrays["node1.weight"][:, :-3]
    save_npz(folder / "narrow.npz", arrays, load_cnn().about)
    yield folder / "narrow.npz", "made for another encoding"
    save_npz(folder / "less.npz", {"out.bias": arrays["out.bias"]}, load_cnn().about)
    yield folder / "less.npz", "lacks the array"


def test_files_that_are_no_network_are_refused_in_a_line(tmp_path: Path) -> None:
    for path, reason in _bad_files(tmp_path):
        with pytest.raises(FileError, match=reason) as caught:
            load_cnn(str(path))
        assert "\n" not in str(caught.value) and path.name in str(caught.value)
    whole = _saved(tmp_path / "literal.npz", information="literal")
    with pytest.raises(ConfigError, match="literal information, which nobody has"):
        CnnModel(load_cnn(str(whole)))
    with pytest.raises(FileError, match="not a network made by"):
        load_cnn(str(Path(SHIPPED).parents[1] / "_model" / "reader.npz"))


def test_data_of_another_game_or_none_is_refused_in_a_line(log: Path, tmp_path: Path) -> None:
    with pytest.raises(HistoryError, match=r"six\.log: no-limit hold'em for 6 players: expected heads-up no-limit"):
        cnn_samples([GOLDEN / "six.log"])
    with pytest.raises(HistoryError, match=r"limit3\.log: limit hold'em for 3 players"):
        cnn_samples([GOLDEN / "limit3.log"])
    (tmp_path / "empty.log").write_text("")
    with pytest.raises(HistoryError, match=r"empty\.log"):
        cnn_samples([tmp_path / "empty.log"])
    with pytest.raises(ConfigError, match="'Zoe': nobody is called so; the data has Ann, Bo"):
        cnn_samples([log], ["Zoe"])
    with pytest.raises(ConfigError, match="no data"):
        cnn_samples([])
    with pytest.raises(ConfigError, match="share of 'elsewhere'"):
        cnn_samples([log], shares={"elsewhere": 0.5})


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--encoding", "poor"], "encoding 'poor': expected paper or rich"),
        (["--information", "all"], "information 'all'"),
        (["--information", "literal"], "expected --information honest"),
        (["--share", "2"], "--share '2'"),
    ],
)
def test_command_refuses_in_a_line(
    options: list[str], told: str, log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "cnn", "--data", str(log), "--out", str(tmp_path / "out"), *options]) == 2
    said = capsys.readouterr().err.strip()
    assert told in said and "\n" not in said


def test_card_of_the_shipped_model() -> None:
    card = load_cnn().about.card
    assert card["information"] == "honest" and set(card["parts"]) == {"train", "validation", "test"}
    assert "seed" in card["settings"] and card["data"]
    test = card["test"]
    assert test["network"]["log_loss"] < test["logistic regression"]["log_loss"] < test["majority class"]["log_loss"]
    assert json.loads(json.dumps(card)) == card


def _convolved(maps: np.ndarray, weights: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """A convolution of 5 x 5, cut off below 0, and the largest of each 2 x 2: ``[c, s, s] -> [d, s / 2, s / 2]``."""
    side = maps.shape[1]
    padded = np.pad(maps, ((0, 0), (2, 2), (2, 2)))
    out = np.repeat(bias[:, None], side * side, axis=1).reshape(-1, side, side).astype(np.float64)
    for y in range(5):
        for x in range(5):
            out += np.tensordot(weights[:, :, y, x], padded[:, y : y + side, x : x + side], axes=1)
    return np.maximum(out, 0).reshape(len(bias), side // 2, 2, side // 2, 2).max(axis=(2, 4))


def test_the_papers_network_is_convolutions_and_a_dense_layer() -> None:
    rng = np.random.default_rng(5)
    shapes = {"0": (3, 1, 5, 5), "3": (4, 3, 5, 5), "7": (6, 100), "10": (4, 6)}
    arrays = {f"{k}.weight": rng.normal(size=shape) for k, shape in shapes.items()}
    arrays |= {f"{k}.bias": rng.normal(size=shape[0]) for k, shape in shapes.items()}
    network = PaperNetwork(arrays)
    hands = np.arange(COMBOS)
    for filled in (0.1, 1.0):
        public = rng.normal(size=(20, 20)).astype(np.float32) * (rng.random((20, 20)) < filled)
        public[:4, :13] = 0
        made = network(public, hands)
        for hand in (0, 1, 700, COMBOS - 1, *rng.choice(hands, 40).tolist()):
            maps = hand_matrices(public, np.array([hand]))[0].astype(np.float64)
            for k in ("0", "3"):
                maps = _convolved(maps, arrays[f"{k}.weight"], arrays[f"{k}.bias"])
            units = np.maximum(arrays["7.weight"] @ maps.ravel() + arrays["7.bias"], 0)
            expected = arrays["10.weight"] @ units + arrays["10.bias"]
            np.testing.assert_allclose(made[hand], expected, rtol=1e-4, atol=1e-3)
        np.testing.assert_allclose(network(public, hands[700:701]), made[700:701], rtol=1e-4, atol=1e-3)
    assert network(public, hands[:0]).shape == (0, 4)
    with pytest.raises(ConfigError, match=r"lacks the array '3\.bias'"):
        PaperNetwork({k: v for k, v in arrays.items() if k != "3.bias"})
    with pytest.raises(ValueError, match=r"'7\.weight' has the shape \(6, 99\), expected \(6, 100\)"):
        PaperNetwork(arrays | {"7.weight": arrays["7.weight"][:, 1:]})


def test_the_papers_network_ships_with_honest_inputs() -> None:
    weights = load_cnn("paper")
    assert (weights.about.encoding, weights.about.information) == ("paper", "honest")
    spot = spots(played(3).record())[0]
    said = CnnModel(weights).probs(spot)
    assert said.shape == (COMBOS, 4)
    np.testing.assert_allclose(said.sum(axis=1), 1, atol=1e-5)
    # Aces raise the first time more often than deuce and seven.
    assert said[combo("AsAh"), 2] > said[combo("7d2c"), 2] + 0.2
