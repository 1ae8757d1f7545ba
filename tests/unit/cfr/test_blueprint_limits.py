"""Blueprints of games for two: what is refused and when, how they are measured, which games they suit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from dupai.agents import make_agent
from dupai.base import ConfigError, FileError, NoProgress, Rng
from dupai.base.files import SIZE_LIMITS
from dupai.cfr import Blueprints, load_plan
from dupai.cfr.blueprint import (
    BetMenu,
    BlueprintCard,
    BlueprintSolver,
    JointSolver,
    StoredBlueprint,
    betting_tree,
    learn_buckets,
    save_blueprint,
)
from dupai.cli import main
from dupai.notation import Reason
from dupai.rules import RAISE, Action, GameSpec, HandState, load_game
from dupai.training import BlueprintSettings, train_blueprint
from support.small_blueprint import MENU, SPEC, TINY_GAME as GAMES, small_solver


@pytest.fixture(scope="module")
def solver() -> BlueprintSolver:
    return small_solver()


@pytest.fixture(scope="module")
def stored(solver: BlueprintSolver, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("stored") / "tiny.npz"
    save_blueprint(out, solver.arrays(), _card(solver))
    return out


def _card(solver: BlueprintSolver) -> BlueprintCard:
    return BlueprintCard(
        game=solver.spec, menu=solver.menu, buckets=solver.cards.counts, nodes=solver.nodes, entries=solver.entries,
        passes=solver.passes, seconds=0, seed=1,
    )  # fmt: skip


class Calls(NoProgress):
    """Calls a function with what is reported, and is cancelled from where that says so."""

    def __init__(self, call: Any) -> None:
        self.call, self.over = call, False

    @property
    def cancelled(self) -> bool:
        return self.over

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self.over = bool(self.call(done, total)) or self.over


# files that nobody could read --------------------------------------------------------------------------------------


def test_several_solvers_that_cannot_be_saved_are_not_trained(
    solver: BlueprintSolver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SIZE_LIMITS, "blueprint in work", (1 << 24) + 3 * 8 * solver.entries)
    JointSolver(SPEC, MENU, solver.cards, 1, 3, "serial")
    with pytest.raises(ConfigError, match="4 solvers of this game take"):
        JointSolver(SPEC, MENU, solver.cards, 1, 4, "serial")


def test_a_file_too_large_to_be_read_is_not_written_and_the_solver_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SIZE_LIMITS, "blueprint", SIZE_LIMITS["blueprint"])

    def lower(done: float, total: float | None) -> None:
        if total == 600:  # it solves: the limits that it was made with are behind it
            SIZE_LIMITS["blueprint"] = 1000

    (tmp_path / "games.toml").write_text(GAMES)
    out = tmp_path / "tiny.npz"
    settings = BlueprintSettings(minutes=10, passes=3, measure=False)
    with pytest.raises(FileError, match=r"tiny.npz would hold [\d,]+ bytes: expected at most 1,000"):
        train_blueprint("tiny", out, settings, games=tmp_path / "games.toml", progress=Calls(lower))
    assert not out.exists()
    assert (tmp_path / "tiny.npz.work").exists()


# measuring ---------------------------------------------------------------------------------------------------------


def test_a_measurement_that_is_stopped_says_what_was_done(solver: BlueprintSolver) -> None:
    seen: list[tuple[float, float | None]] = []

    def at(stop: float) -> Calls:
        def call(done: float, total: float | None) -> bool:
            seen.append((done, total))
            return done >= stop

        return Calls(call)

    measured = solver.measure(2, 40, at(2 * 2 + 9))
    assert measured is not None
    assert (measured.passes, measured.boards, measured.value.n) == (2, 9, 3)
    assert seen == [(n, 44) for n in range(1, 14)]
    assert solver.measure(2, 40, at(3)) is None
    assert solver.measure(2, 40, at(2 * 2 + 4)) is None  # one flop has no error
    assert solver.measure(0, 8) is None


# games -------------------------------------------------------------------------------------------------------------


def _limit(stack: int) -> GameSpec:
    return GameSpec.limit(2, (5, 10), (10, 10, 20, 20), stack=stack)


def test_limit_stacks_that_cannot_run_out_are_one_game() -> None:
    """The caps let a player pay 240 chips: 10 for the blind, 3 raises of 10, 4 of 10 and twice 4 of 20."""
    blueprints = Blueprints.shipped()
    assert blueprints is not None
    for stack, covered in ((10**9, True), (1000, True), (240, True), (134, True), (130, False)):
        assert blueprints.covers(_limit(stack), (stack, stack), 0) == covered, stack
    assert blueprints.covers(_limit(100), (1000, 1000), 0)
    agent = make_agent("equilibrium:resolve=off")
    for hand in range(8):
        state, rng = HandState.deal(_limit(1000), Rng(3, hand), hand=hand), Rng(4, hand)
        while not state.finished:
            view, legal = state.view(state.actor), state.legal
            assert agent.reasons(view) == (Reason("blueprint"),)
            for action, _ in agent.policy(view).points:
                assert action.kind != RAISE or (legal.can_raise and action.to == legal.max_to)
            raises = legal.can_raise and rng.uniform() < 0.5
            state.apply(Action.raise_to(legal.max_to) if raises else Action.call())


def test_a_game_with_fewer_raises_than_the_tree_is_another(stored: Path) -> None:
    blueprints = Blueprints.load([stored])
    for caps, suits in (((2, 1, 1, 1), True), ((255,) * 4, True), ((1, 1, 1, 1), False), ((2, 1, 1, 0), False)):
        spec = msgspec.structs.replace(SPEC, max_raises=caps)
        assert blueprints.covers(spec, (2000, 2000), 0) == suits, caps


# bad input ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("big_blinds = 20", "big_blinds = nan", "big_blinds = nan: expected a finite number above 0"),
        ("big_blinds = 20", "big_blinds = inf", "big_blinds = inf: expected a finite number above 0"),
        ("big_blinds = 20", "big_blinds = -3", "big_blinds = -3.0: expected a finite number above 0"),
        ("[6, 6, 6]", "[-5, 6, 6]", "buckets[0] = -5: expected 1 to 32767"),
        ("[6, 6, 6]", "[6, 0, 6]", "buckets[1] = 0: expected 1 to 32767"),
        ("[6, 6, 6]", "[6, 6, 32768]", "buckets[2] = 32768: expected 1 to 32767"),
        ("holdem.nolimit.2p", "none.game", "blinds (0, 0): expected two blinds above 0 and no others"),
        ("holdem.nolimit.2p", "one.game", "blinds (0, 50): expected two blinds above 0 and no others"),
        ("holdem.nolimit.2p", "table.game", "blinds (0, 0, 0): expected two blinds above 0 and no others"),
    ],
)
def test_games_that_make_no_sense(
    old: str, new: str, error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    game = (
        "GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 4\nstack = 2000 2000\nblind = 100 50\nfirstPlayer = 2 1 1 1\n"
        "numSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3 1 1\nEND GAMEDEF\n"
    )
    three = game.replace("numPlayers = 2", "numPlayers = 3").replace("2000 2000", "2000 2000 2000")
    Path("none.game").write_text(game.replace("100 50", "0 0"))
    Path("one.game").write_text(game.replace("100 50", "0 50"))
    Path("table.game").write_text(three.replace("100 50", "0 0 0"))
    text = GAMES.replace(old, new)
    Path("g.toml").write_text(text.replace("big_blinds = 20\n", "") if new.endswith(".game") else text)
    assert main(["train", "blueprint", "tiny", "--games", "g.toml", "--out", "t.npz", "--minutes", "0.01"]) == 2
    assert error in " ".join(capsys.readouterr().err.split())


def test_more_actions_than_a_node_can_count_are_refused() -> None:
    many = BetMenu(preflop=(tuple(0.5 + i / 100 for i in range(180)),))
    with pytest.raises(ConfigError, match="the bets give a decision 182 actions: expected at most 127"):
        betting_tree(load_game("holdem.nolimit.2p"), many)


def test_numbers_of_buckets_that_make_no_sense() -> None:
    for counts in ((0, 6, 6), (6, -5, 6), (6, 6, 32768)):
        with pytest.raises(ConfigError, match=r"expected 1 to 32767 on each street"):
            learn_buckets(counts)


def test_work_that_is_damaged_is_refused(solver: BlueprintSolver, tmp_path: Path) -> None:
    path = tmp_path / "work.npz"
    with path.open("wb") as file:
        solver.save(file)
    with np.load(path) as file_:
        arrays = dict(file_)
    for name, value in (
        ("passes", np.array(-1)),
        ("passes", np.array([1, 2])),
        ("seconds", np.array(np.nan)),
        ("regrets", np.full_like(arrays["regrets"], np.nan)),
        ("plan", arrays["plan"].astype(np.float64)),
    ):
        np.savez(path, **(arrays | {name: value}))
        with pytest.raises(FileError, match="is not a blueprint in work of this game"):
            BlueprintSolver(SPEC, MENU, solver.cards).load(path)


def test_damaged_files_are_named(stored: Path, tmp_path: Path) -> None:
    with np.load(stored) as file:
        arrays = dict(file)
    card = json.loads(bytes(arrays["card"]))

    def with_card(**changed: Any) -> np.ndarray:
        return np.frombuffer(json.dumps(card | changed).encode(), np.uint8)

    game = card["game"]
    opening = {"nodes": np.array(3), "mean": np.zeros((3, 169)), "error": np.zeros((3, 169)), "boards": np.array(9)}
    other = tmp_path / "other.npz"
    for changed in (
        {"flop": arrays["flop"].astype("U9")},
        {"flop": arrays["flop"].astype(np.complex64)},
        {"turn": np.full_like(arrays["turn"], np.inf)},
        {"groups": np.full_like(arrays["groups"], 8)},
        {"chances": arrays["chances"][:, None]},
        {"chances": np.array(arrays["chances"][0])},
        {"card": with_card(game=game | {"stacks": [1, 1]})},
        {"card": with_card(game=game | {"blinds": [0, 0]})},
        {"card": with_card(game=game | {"betting": "pot-limit"})},
        {"card": with_card(buckets=[169, 6, 6, 7])},
        {f"opening_{name}": value for name, value in opening.items()},
    ):
        np.savez(other, **(arrays | changed))
        with pytest.raises(FileError, match=r"other.npz is a damaged blueprint: .") as raised:
            load_plan(other)
        assert "\n" not in str(raised.value)
    np.savez(other, **(arrays | {"flop": arrays["flop"].astype(np.float64)}))
    plan = load_plan(other)
    assert isinstance(plan, StoredBlueprint)
