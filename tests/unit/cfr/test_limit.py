"""The sampling solver of three-player limit hold'em, and the hands that it plays against itself."""

from __future__ import annotations

import json
import lzma
import time
from pathlib import Path

import msgspec
import numpy as np
import pytest

from dupai.base import ConfigError, FileError, NoProgress, Rng
from dupai.cards import COMBO_CARDS, COMBO_CLASS, COMBOS, cards, combo, strength
from dupai.cfr import LimitSolver
from dupai.cfr._limit._kernels import (
    Betting,
    Hands,
    Table,
    _walk,
    before_kernel,
    key_kernel,
    slot_kernel,
)
from dupai.cli import main
from dupai.history import file_records
from dupai.rules import Action, GameSpec, HandState, load_game
from dupai.training import SelfPlaySettings, play_itself
from dupai.training._model._selfplay import PARTS, Buckets, random_boards

SPEC = load_game("holdem.limit.3p")
SMALL = SelfPlaySettings(hands=40, iterations=1500, boards=3, seed=4)


@pytest.fixture(scope="module")
def solver() -> LimitSolver:
    """Hands after the flop in four parts by strength on the whole board (an abstraction that sees the future)."""
    boards = random_boards(40, Rng(3))
    classes = np.zeros((40, 3, COMBOS), np.uint8)
    for n, board in enumerate(boards):
        made = np.array([_strength(board, hand) for hand in range(COMBOS)])
        classes[n] = np.searchsorted(np.quantile(made[made >= 0], (0.25, 0.5, 0.75)), made)
    found = LimitSolver(SPEC, boards, classes, 1)
    found.solve(30_000)
    return found


def _strength(board: np.ndarray, hand: int) -> int:
    two = COMBO_CARDS[hand].tolist()
    return -1 if set(two) & set(board.tolist()) else int(strength([*two, *board.tolist()]))


def test_hands_are_those_of_the_rules(solver: LimitSolver) -> None:
    """Replayed by the rules: every action is legal, hands end where the rules end them, and pay the same."""
    boards, classes = solver.boards, solver.classes
    new = LimitSolver(SPEC, boards, classes, 2)  # knows nothing: it calls everything
    for one, seed in ((solver, 5), (solver, 6), (new, 7)):
        played = one.play(boards, classes, seed)
        assert np.array_equal(played.won.sum(axis=1), np.zeros(len(boards)))
        for n in range(len(boards)):
            state = HandState(SPEC, played.hole[n].tolist(), boards[n].tolist())
            for code in played.did[n][played.did[n] >= 0].tolist():
                assert not state.finished
                legal = state.legal
                assert legal.fold if code == 0 else legal.max_to if code == 2 else True
                state.apply((Action.fold(), Action.call(), Action.raise_to(legal.min_to))[code])
            assert state.finished
            assert np.allclose(played.won[n] * SPEC.split, state.payoffs, atol=1e-6)
        assert played.strange == played.decisions if one is new else played.strange < 0.05 * played.decisions
    assert (new.play(boards, classes, 7).did != 0).all()


def test_it_learns_what_everybody_knows(solver: LimitSolver) -> None:
    """First in on the button, after 30,000 deals: aces play on, seven-deuce mostly folds, the better raise more."""
    raises, seen = np.zeros(169), np.zeros(169)
    folds = np.zeros(169)
    for seed in range(300):
        played = solver.play(solver.boards, solver.classes, seed)
        kind = [int(COMBO_CLASS[combo(*two)]) for two in played.hole[:, 2].tolist()]
        np.add.at(seen, kind, 1)
        np.add.at(raises, kind, played.did[:, 0] == 2)
        np.add.at(folds, kind, played.did[:, 0] == 0)

    def kind_of(text: str) -> int:
        return int(COMBO_CLASS[combo(text)])

    good = [kind_of(t) for t in ("AsAh", "KsKh", "QsQh", "AsKs")]
    bad = [kind_of(t) for t in ("7s2h", "8s2h", "8s3h", "9s2h", "6s2h")]
    assert folds[good].sum() < 0.05 * seen[good].sum()
    assert folds[bad].sum() > 0.6 * seen[bad].sum()
    assert raises[good].sum() / seen[good].sum() > 3 * raises[bad].sum() / seen[bad].sum()


def test_information_sets_have_numbers_of_their_own() -> None:
    """Different streets, players, buckets, betting and memory give different numbers, whatever the range of each."""
    befores = {0}
    for raises in range(4):
        for last in range(4):
            first = int(before_kernel(0, 0, raises, last))
            befores.add(first)
            for more in range(5):
                second = int(before_kernel(first, 1, more, last))
                befores.add(second)
                befores.add(int(before_kernel(second, 2, more, last)))
    assert len(befores) > 100
    keys = set()
    count = 0
    for street in range(4):
        for actor in range(3):
            for live in (3, 5, 6, 7):
                for sequence in (0, 2, 3, 0b101011, 4**13 - 1):
                    for before in sorted(befores)[::20]:
                        for bucket in (0, 1, 168, 255):
                            keys.add(int(key_kernel(street, actor, live, sequence, before, bucket)))
                            count += 1
    assert len(keys) == count


def test_a_stopped_solver_goes_on_to_the_same_end(solver: LimitSolver, tmp_path: Path) -> None:
    boards, classes = solver.boards, solver.classes
    whole = LimitSolver(SPEC, boards, classes, 3)
    whole.solve(21_000)
    half = LimitSolver(SPEC, boards, classes, 3)
    half.solve(8000)
    with (tmp_path / "half.npz").open("wb") as file:
        half.save(file)
    rest = LimitSolver(SPEC, boards, classes, 3)
    rest.load(tmp_path / "half.npz")
    rest.solve(21_000)
    assert rest.iterations == 21_000
    assert rest.sets == whole.sets
    for mine, theirs in zip(rest.play(boards, classes, 9)[:3], whole.play(boards, classes, 9)[:3], strict=True):
        assert np.array_equal(mine, theirs)
    with pytest.raises(FileError, match="is not a solver of this game, these boards, these buckets and seed 4"):
        LimitSolver(SPEC, boards, classes, 4).load(tmp_path / "half.npz")
    (tmp_path / "bad.npz").write_bytes(b"no")
    with pytest.raises(FileError, match="it is damaged"):
        rest.load(tmp_path / "bad.npz")


def test_work_that_the_kernels_could_not_use_is_refused(solver: LimitSolver, tmp_path: Path) -> None:
    """Other buckets of the same boards too: regrets belong to them."""
    path = tmp_path / "work.npz"
    with path.open("wb") as file:
        solver.save(file)
    with np.load(path) as stored:
        arrays = dict(stored)
    other = LimitSolver(SPEC, solver.boards, solver.classes ^ np.uint8(1), 1)
    with pytest.raises(FileError, match="is not a solver of this game, these boards, these buckets and seed 1"):
        other.load(path)
    keys, regrets = arrays["keys"], arrays["regrets"]
    twice = keys.copy()
    twice[1] = twice[0]
    for name, value in (
        ("slots", np.array(0)),
        ("slots", np.array(1 << 10)),
        ("slots", np.array(3 << 20)),
        ("slots", np.array(1 << 40)),
        ("slots", np.array([1 << 21])),
        ("keys", keys[:-1]),
        ("keys", keys.astype(np.float64)),
        ("keys", keys[0]),
        ("keys", np.where(np.arange(len(keys)) == 2, np.uint64(0), keys)),
        ("keys", twice),
        ("regrets", regrets[:-5]),
        ("regrets", regrets[:, :2]),
        ("regrets", regrets.astype(np.float64)),
        ("average", np.full_like(arrays["average"], np.nan)),
        ("iterations", np.array(-3)),
        ("iterations", np.array([1, 2])),
        ("rng", np.zeros(4, np.uint64)),
        ("rng", np.ones(3, np.uint64)),
    ):
        np.savez(path, **(arrays | {name: value}))
        with pytest.raises(FileError, match="is not a solver of this game"):
            LimitSolver(SPEC, solver.boards, solver.classes, 1).load(path)


def test_a_hopeless_raise_counts_where_it_is_played() -> None:
    """On a river, last to act with the best hand, with no positive regret: half of the time it checks and wins the pot,
    half of the time it bets and wins a bet more from an opponent who always calls."""
    zero = np.int64(0)
    s = Betting(np.int64(3), zero, np.int64(3), np.int64(1), zero, np.int64(3), zero, zero, np.int64(0x0404), zero)
    hands = Hands(np.zeros((3, 4), np.int64), np.array([9, 5, 1], np.int64))
    game = np.array([2, 2, 4, 4, 3, 4, 4, 1, 2, 0, 0, 0, 1, 2, 0], np.int64)
    table = Table(np.zeros(64, np.uint64), np.zeros((64, 3), np.float32), np.zeros((64, 3), np.float32))
    mine = int(slot_kernel(table.keys, np.uint64(key_kernel(3, 0, 3, 0, 0, 0)), True))
    theirs = int(slot_kernel(table.keys, np.uint64(key_kernel(3, 1, 3, 3, 0, 0)), True))
    for seed in range(20):
        table.regrets[mine] = 0, -1000, -1000
        table.regrets[theirs] = 0, 1, 0
        assert _walk(zero, s, hands, game, table, Rng(seed).state) == 4 + 4 / 2
        assert table.regrets[mine].tolist() == [0, -1002, -998]
    table.regrets[mine] = 0, 1, -1000
    assert _walk(zero, s, hands, game, table, Rng(1).state) == 4


@pytest.mark.parametrize("game", ["holdem.nolimit.3p", "holdem.limit.2p"])
def test_other_games_are_refused(game: str) -> None:
    with pytest.raises(ConfigError, match="expected three-player limit hold'em"):
        LimitSolver(load_game(game), np.zeros((1, 5), np.uint8), np.zeros((1, 3, COMBOS), np.uint8))


def test_a_game_of_more_raises_than_keys_have_room_for_is_refused() -> None:
    spec = GameSpec.limit(3, (5, 10), (10, 10, 20, 20), stack=10_000, max_raises=(3, 5, 4, 4))
    with pytest.raises(ConfigError, match="at most 4 raises a street"):
        LimitSolver(spec, np.zeros((1, 5), np.uint8), np.zeros((1, 3, COMBOS), np.uint8))


def test_buckets_are_even_and_follow_the_win_rate() -> None:
    buckets = Buckets(1)
    found = np.stack([buckets.of(board) for board in random_boards(30, Rng(8))])
    for street, (parts, finer) in enumerate(PARTS):
        shares = np.bincount(found[:, street].ravel(), minlength=parts * finer) / found[:, street].size
        # Blocked hands have no win rate and lie in the lowest part; river win rates tie at the top.
        assert len(shares) <= parts * finer
        assert np.median(shares) == pytest.approx(1 / (parts * finer), rel=0.4)
    board = np.array(cards("AsKd7h4c2s"), np.uint8)
    of = buckets.of(board)
    nuts, nothing = combo("AhAd"), combo("6d5c")
    for street, (_, finer) in enumerate(PARTS[:2]):
        assert of[street, nuts] // finer > of[street, nothing] // finer
    assert of[2, nuts] > 30


def test_the_same_seed_writes_the_same_hands_also_after_a_stop(tmp_path: Path) -> None:
    class Stop(NoProgress):
        """Cancelled from a point of the work on."""

        def __init__(self, note: str, after: float) -> None:
            self.note, self.after, self.over = note, after, False

        @property
        def cancelled(self) -> bool:
            return self.over

        def report(self, done: float, total: float | None, note: str = "") -> None:
            self.over = self.over or (note == self.note and done >= self.after)

    whole = tmp_path / "whole.log"
    began = time.monotonic()
    told = play_itself(whole, SMALL)
    assert told is not None and 0 < told.seconds <= time.monotonic() - began
    assert (told.hands, told.iterations) == (40, 1500)
    assert sum(told.opening.values()) == pytest.approx(1)
    records = list(file_records(whole))
    assert len(records) == 40
    assert all(255 not in two for r in records for two in r.hole)
    assert np.mean([len(r.board) >= 3 for r in records]) >= told.flops - 1e-9
    for note, after in (("buckets of boards", 2), ("deals", 1000), ("hands", 25)):
        out = tmp_path / f"{note[:5]}.log"
        assert play_itself(out, SMALL, progress=Stop(note, after)) is None
        assert not out.exists()
        assert play_itself(out, SMALL, resume=True) is not None
        assert out.read_bytes() == whole.read_bytes()
        assert sorted(p.name for p in tmp_path.glob(f"*{out.name}*")) == [out.name]
    assert play_itself(tmp_path / "d.log", SMALL, progress=Stop("deals", 1000)) is None
    with pytest.raises(ConfigError, match="has 1,000 deals: expected at most 500"):
        play_itself(tmp_path / "d.log", msgspec.structs.replace(SMALL, iterations=500), resume=True)
    with pytest.raises(FileError, match="not a solver of this game, these boards, these buckets and seed 5"):
        play_itself(tmp_path / "d.log", msgspec.structs.replace(SMALL, seed=5), resume=True)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    out = Path("hands.log.xz")
    options = ["--hands", "30", "--iterations", "500", "--boards", "2"]
    assert main(["train", "self-play", "--out", str(out), *options]) == 0
    said = capsys.readouterr().out
    assert "30 hands in" in said
    assert max(map(len, said.splitlines())) <= 80
    assert main(["train", "self-play", "--out", str(out), *options, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hands"] == 30
    assert main(["history", "verify", str(out)]) == 0
    assert "30 hands, 0 mismatches" in capsys.readouterr().out
    assert main(["train", "self-play", "--out", str(tmp_path / "none" / "x.log"), *options]) == 2
    assert "there is no such folder" in capsys.readouterr().err
    assert lzma.decompress(out.read_bytes()).startswith(b"# name/game/hands/seed self-play")
    assert main(["train", "self-play", "--out", str(tmp_path), *options]) == 2
    assert "is a folder: expected the name of a log" in capsys.readouterr().err
