"""FOLD fitted: the search, what it scores, and what it finds on hands of players whose betting tells something."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
import pytest

from dupai.base import ConfigError, FileError, Rng
from dupai.cards import NO_CARD
from dupai.cli import main
from dupai.equity import win_rate
from dupai.history.stats import Population, population
from dupai.notation import write_phhs
from dupai.reading import legal_hands, load_reader, streets
from dupai.reading._fold._constants import FILE, PAPER_CONSTANTS, FoldFile, load_fold
from dupai.reading._fold._model import FoldReader
from dupai.rules import BOARD_CARDS, Action, GameSpec, HandRecord, HandState, load_game
from dupai.training import FoldFitSettings, learn_fold, part_of
from dupai.training._fold import Fit, constants_of, evolve, fit_constants, played, vector_of
from dupai.training._kernels import fitted_bits_kernel
from naive.reading_fold import fitted_bits as naive_bits

SPEC = GameSpec.no_limit(2, (50, 100), 10_000)


@cache
def hands(seed: int, n: int = 60, game: str = "") -> list[HandRecord]:
    """Players who bet two thirds of the pot with win rates above 0.6, fold below 0.35 to a bet, and err a third of the
    time."""
    rng = Rng(seed)
    spec = load_game(game) if game else SPEC
    out = []
    for n_hand in range(n):
        state = HandState.deal(spec, rng, hand=n_hand)
        while not state.finished:
            view, legal = state.view(state.actor), state.legal
            rate = win_rate(view.hole, view.board) if view.board else 0.5
            if rng.below(3) == 0:
                rate = rng.below(1000) / 1000
            if rate > 0.6 and legal.max_to and view.board:
                fixed = spec.betting == "limit"
                size = 0 if fixed else min(max(legal.min_to, state.pot * 2 // 3 + legal.min_to), legal.max_to)
                state.apply(Action(2, size) if fixed else Action.raise_to(size))
            elif rate < 0.35 and legal.fold and view.to_call:
                state.apply(Action.fold())
            else:
                state.apply(Action.call())
        out.append(state.record())
    return out


def all_played(records: list[HandRecord]) -> list[object]:
    return [p for r in records for i in range(r.spec.players) if (p := played(r, i)) is not None]


def test_the_search_finds_the_top_of_a_long_hill() -> None:
    rng = np.random.default_rng(1)
    turn = np.linalg.qr(rng.normal(size=(6, 6)))[0]
    top = rng.normal(size=6)

    def height(x: np.ndarray) -> float:
        return -float((10.0 ** np.arange(0, 3, 0.5) * (turn @ (x - top)) ** 2).sum())

    best, most = evolve(height, np.zeros(6), 0.5, rounds=200, seed=3)
    assert best == pytest.approx(top, abs=1e-4)
    assert most == height(best)
    again, _ = evolve(height, np.zeros(6), 0.5, rounds=200, seed=3)
    assert np.array_equal(best, again)


def test_bits_equal_the_naive_twin() -> None:
    rng = np.random.default_rng(8)
    places = rng.integers(0, 6, (4, 30)).astype(np.uint16)
    places[1:, 3] = 65535
    table = rng.random((5, 6))
    first, row_of, context = np.array([0, 2, 5]), np.array([0, 1, 0, 2, 3]), np.array([4, 0, 1, 2, 2])
    truth, legal = np.array([5, 9]), np.array([30.0, 29.0, 30.0, 29.0, 29.0])
    out = np.empty(5)
    fitted_bits_kernel(first, row_of, context, places, table, truth, legal, 0.1, out)
    expected = []
    for i in range(2):
        rows = range(first[i], first[i + 1])
        streets = [(places[row_of[r]].tolist(), table[context[r]].tolist()) for r in rows]
        expected += naive_bits(streets, int(truth[i]), [legal[r] for r in rows], 0.1)
    assert out == pytest.approx(expected, rel=1e-12)


def test_numbers_and_back() -> None:
    for kind in ("hu", "6max", "limit"):
        fit = Fit.__new__(Fit)
        fit.kind = kind
        names = fit.names()
        back = constants_of(vector_of(PAPER_CONSTANTS, names), names).by_name()
        for name, expected in PAPER_CONSTANTS.by_name().items():
            if name == "uniform":  # never 0: no reader is that sure
                expected = 0.005
            assert back[name] == pytest.approx(expected, abs=1e-3)
    turned = vector_of(PAPER_CONSTANTS, ["call.0", "call.1"])[::-1]
    assert constants_of(turned, ["call.0", "call.1"]).rates.call.low == pytest.approx(0.57, abs=1e-4)


@pytest.mark.parametrize("game", ["", "holdem.limit.3p"])
def test_what_is_fitted_is_what_the_reader_reads(game: str) -> None:
    records = hands(5, 6, game)
    constants = msgspec.structs.replace(PAPER_CONSTANTS, theta=9.0, uniform=0.02)
    kind = "limit" if game else "hu"
    found = iter(Fit(all_played(records), kind).bits(constants))  # type: ignore[arg-type]
    reader = FoldReader(adapt=False, joint=False, theta=9.0, uniform=0.02)
    cases = 0
    for record in records:
        told = streets(record)
        for position in range(record.spec.players):
            for street in told:
                if dict(street.villains).get(position, True):
                    continue  # no decision, or folded
                board = record.board[: BOARD_CARDS[street.street]]
                state = HandState(record.spec, None, board, record.stacks, record.seats or None, record.hand)
                for action in record.actions[: street.actions]:
                    state.follow(action)
                view = state.view(None)
                seat = view.seats[position]
                truth = played(record, position)
                assert truth is not None
                gain = reader.read(view, [seat])[seat].gain(truth.truth, int(legal_hands(view, position).sum()))
                # Win rates stand on a grid of 1024 places.
                assert next(found) == pytest.approx(gain, abs=0.03)
                cases += 1
    assert next(found, None) is None
    assert cases > 15


def test_fitting_gains_bits_on_other_hands() -> None:
    fit, other = Fit(all_played(hands(5)), "hu"), Fit(all_played(hands(6)), "hu")  # type: ignore[arg-type]
    constants, most = fit_constants(fit, rounds=25)
    assert most == pytest.approx(np.mean(fit.by_street(constants)), abs=0.02)
    gained, paper = other.bits(constants), other.bits(PAPER_CONSTANTS)
    apart = gained - paper
    assert apart.mean() > 3 * apart.std() / len(apart) ** 0.5
    late = other.street > 0
    assert gained[late].mean() > 0.1 > paper[late].mean()


def test_parts_are_kept_apart() -> None:
    train = [("train", r) for r in hands(5, 30)]
    one = learn_fold([*train, *[("validation", r) for r in hands(6, 20)]], FoldFitSettings(most=50, rounds=2))
    once = FoldFitSettings(most=50, rounds=2, searches=1)
    two = learn_fold([*train, *[("validation", r) for r in hands(7, 20)]], once)
    assert one.populations == two.populations  # counted on training hands only
    three = learn_fold(train, once)
    assert three.constants == two.constants
    assert set(one.about["bits"]["hu"]) >= {"train fitted", "validation search 1", "validation search 2"}
    dark = [("train", msgspec.structs.replace(r, hole=((NO_CARD, NO_CARD),) * 2)) for _, r in train]
    with pytest.raises(ConfigError, match="no hands of the training part with all cards known"):
        learn_fold(dark, FoldFitSettings(rounds=2))


def test_a_file_is_read_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = next(n for n in "abcdefgh" if part_of(f"{n} hands 0") == "train")
    log, out = tmp_path / f"{name}.phhs", tmp_path / "fold.json.gz"
    log.write_text("".join(f"{line}\n" for line in write_phhs(hands(5))))
    arguments = ["train", "fold", "--data", str(log), "--out", str(out), "--each", "60", "--rounds", "2"]
    assert main([*arguments, "--searches", "1"]) == 0
    assert "hu" in capsys.readouterr().out
    kept = load_fold(out)
    reader = load_reader(f"fold:constants={out}")
    assert isinstance(reader, FoldReader)
    assert reader.model.constants(SPEC) == kept.constants["hu"]  # type: ignore[attr-defined]
    assert reader.model.constants(load_game("holdem.limit.3p")) == PAPER_CONSTANTS  # type: ignore[attr-defined]
    kept.save(tmp_path / "again.gz")
    assert (tmp_path / "again.gz").read_bytes() == out.read_bytes()
    (tmp_path / "bad.gz").write_bytes(b"no")
    with pytest.raises(FileError, match=r"bad\.gz': it is damaged"):
        load_reader(f"fold:constants={tmp_path / 'bad.gz'}")


def test_the_shipped_file() -> None:
    shipped = load_fold()
    assert FILE.stat().st_size < 60_000
    assert set(shipped.constants) == {"hu", "6max", "limit"}
    for kind, constants in shipped.constants.items():
        bits = shipped.about["bits"][kind]
        chosen = max(v for name, v in bits.items() if name.startswith("validation search"))
        assert np.mean(chosen) > 0.2 > np.mean(bits["validation paper"]), kind
        assert 1 < constants.theta < 60 and 0 < constants.uniform < 0.5
        assert constants.trust == 0.0  # as validation chose
    for people in shipped.populations.values():
        assert isinstance(people, Population)
        assert people.about == {"part": "train"}
    # As the population of all hands says, nearly: other hands of the same players.
    mine, whole = shipped.populations["no-limit"].rates["6"]["all"], population().rates["6"]["all"]
    assert mine["vpip"].mean == pytest.approx(whole["vpip"].mean, abs=0.05)
    assert json.loads(msgspec.json.encode(shipped.about))["files"]
    assert isinstance(FoldFile(about={}, constants={}, populations={}), FoldFile)


def test_paper_and_fitted_by_name() -> None:
    paper, fitted = load_reader("fold"), load_reader("fold:constants=fitted")
    assert paper.model.constants(SPEC) == PAPER_CONSTANTS  # type: ignore[attr-defined]
    assert fitted.model.constants(SPEC) == load_fold().constants["hu"]  # type: ignore[attr-defined]
    record = hands(5)[0]
    view = record.at().view(None)
    assert fitted.read(view, [0])[0].entropy > paper.read(view, [0])[0].entropy  # the paper is too sure of itself
