"""Hands of three-player limit hold'em that an approximate equilibrium plays against itself."""

from __future__ import annotations

import json
import lzma
import time
from pathlib import Path

import msgspec
import numpy as np
import pytest

from dupai.base import ConfigError, FileError, NoProgress, Rng
from dupai.cards import combo
from dupai.cfr.blueprint import BetMenu, BlueprintCard, TableBlueprint, TableSolver, learn_buckets
from dupai.cli import main
from dupai.history import file_records
from dupai.rules import HandState, load_game
from dupai.spots import spots
from dupai.training import SelfPlaySettings, play_itself
from dupai.training._model import _selfplay

SMALL = SelfPlaySettings(hands=40, iterations=450, seed=4)


@pytest.fixture(autouse=True)
def few_buckets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_selfplay, "BUCKETS", (3, 3, 3))


def test_it_learns_what_everybody_knows() -> None:
    """First in on the button: aces play on, seven-deuce mostly folds, the better raise more."""
    spec, menu, buckets = load_game(_selfplay.GAME), BetMenu(), learn_buckets((3, 3, 3))
    solver = TableSolver(spec, menu, buckets)
    solver.solve(150)
    card = BlueprintCard(
        game=spec, menu=menu, buckets=buckets.counts, nodes=solver.nodes, entries=solver.entries, passes=150,
        seconds=1.0, seed=1,
    )  # fmt: skip
    state = HandState.deal(spec, Rng(1))
    policy = TableBlueprint(card, buckets, solver.arrays()).policy(spots(state.view(state.actor))[-1])
    assert [str(a) for a in policy.actions] == ["f", "c", "r20"]

    def mean(hands: tuple[str, ...]) -> list[float]:
        return np.mean([policy.chances[:, combo(text)] for text in hands], axis=0).tolist()

    good, bad = mean(("AsAh", "KsKh", "QsQh", "AsKs")), mean(("7s2h", "8s2h", "8s3h", "9s2h", "6s2h"))
    assert good[0] + 0.3 < bad[0] and good[2] > bad[2] + 0.1, (good, bad)


def test_the_same_seed_writes_the_same_hands_also_after_a_stop(tmp_path: Path) -> None:
    class Stop(NoProgress):
        """Cancelled from a point of the work on."""

        def __init__(self, total: float, after: float) -> None:
            self.total, self.after, self.over = total, after, False

        @property
        def cancelled(self) -> bool:
            return self.over

        def report(self, done: float, total: float | None, note: str = "") -> None:
            self.over = self.over or (total == self.total and done >= self.after)

    whole = tmp_path / "whole.log"
    began = time.monotonic()
    told = play_itself(whole, SMALL)
    assert told is not None and 0 < told.seconds <= time.monotonic() - began
    assert (told.hands, told.iterations) == (40, 5 * 96)
    assert sum(told.opening.values()) == pytest.approx(1)
    records = list(file_records(whole))
    assert len(records) == 40
    assert all(255 not in two for r in records for two in r.hole)
    assert np.mean([len(r.board) >= 3 for r in records]) >= told.flops - 1e-9
    for total, after in ((150, 20), (5, 2), (40, 25)):  # boards of buckets, boards of the solver, hands
        out = tmp_path / f"{total}.log"
        assert play_itself(out, SMALL, progress=Stop(total, after)) is None
        assert not out.exists()
        assert play_itself(out, SMALL, resume=True) is not None
        assert out.read_bytes() == whole.read_bytes()
        assert sorted(p.name for p in tmp_path.glob(f"*{out.name}*")) == [out.name]
    assert play_itself(tmp_path / "d.log", SMALL, progress=Stop(5, 3)) is None
    with pytest.raises(ConfigError, match="has 288 deals: expected at most 192"):
        play_itself(tmp_path / "d.log", msgspec.structs.replace(SMALL, iterations=150), resume=True)
    with pytest.raises(FileError, match="is not a blueprint in work of this game"):
        play_itself(tmp_path / "d.log", msgspec.structs.replace(SMALL, seed=5), resume=True)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    out = Path("hands.log.xz")
    options = ["--hands", "30", "--iterations", "150"]
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
