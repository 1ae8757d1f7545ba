"""Training the reader model: on hands of players who show what they hold, stopped and gone on with, refused in a line.
Skipped where torch is not installed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'dupai[train]'")

from dupai.base import ConfigError, HistoryError, NoProgress, Rng  # noqa: E402
from dupai.cli._main import main  # noqa: E402
from dupai.notation import write_acpc  # noqa: E402
from dupai.reading import TrainSettings, load_reader, score_readers, train_reader  # noqa: E402
from dupai.reading._model import load_weights  # noqa: E402
from dupai.reading._model._groups import NAMES  # noqa: E402
from dupai.reading._model._kernels import HAND_SIZE, PUBLIC_SIZE  # noqa: E402
from dupai.reading._model._network import Network  # noqa: E402
from dupai.reading._train._net import make_net  # noqa: E402
from dupai.rules import Action, GameSpec, HandState  # noqa: E402

SPEC = GameSpec.no_limit(2, (50, 100), 20_000)
SMALL = TrainSettings(epochs=1, networks=1, hidden=16, second=8)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hands of two who raise with two high cards and fold two low ones, 20 to a session."""
    rng = Rng(11)
    lines = []
    for number in range(1200):
        state = HandState.deal(SPEC, rng, hand=number)
        while not state.finished:
            view, legal = state.view(state.actor), state.legal
            high = sum(c % 13 >= 8 for c in view.hole)
            if high == 2 and legal.max_to and state.pot < 3000:
                state.apply(Action.raise_to(min(legal.min_to + state.pot // 2, legal.max_to)))
            elif high == 0 and legal.fold and rng.below(4):
                state.apply(Action.fold())
            else:
                state.apply(Action.call())
        if number % 20 == 0:
            lines.append(f"# session {number // 20}")
        lines += write_acpc([state.record(["Pro01", "Pro02"])])
    path = tmp_path_factory.mktemp("log") / "plain.log"
    path.write_text("\n".join(lines) + "\n")
    return path


class Stop(NoProgress):
    """Cancels once training after the flop is under way."""

    def __init__(self, at: str) -> None:
        self.at, self.seen = at, False

    @property
    def cancelled(self) -> bool:
        return self.seen

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self.seen = self.seen or note == self.at


def test_numpy_and_torch_are_one_network() -> None:
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    for by_index, hands in ((True, 169), (False, HAND_SIZE)):
        net = make_net(torch, hands, PUBLIC_SIZE, len(NAMES), by_index=by_index).eval()
        for weight in net.parameters():
            torch.nn.init.normal_(weight, 0, 0.2)
        mine = Network({k: v.detach().numpy() for k, v in net.state_dict().items()}, by_index)
        public = rng.random(PUBLIC_SIZE).astype(np.float32)
        features = rng.random((40, HAND_SIZE)).astype(np.float32)
        given = torch.arange(169) if by_index else torch.from_numpy(features).unsqueeze(0)
        want = net(given, torch.from_numpy(public).unsqueeze(0), torch.tensor([5]))[0].detach().numpy()
        got = mine.logits(mine.hands(None if by_index else features), public, 5)
        assert got == pytest.approx(want, abs=2e-4)


@pytest.mark.filterwarnings("ignore")
def test_it_learns_what_they_show_and_the_command_says_so(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "r.npz"
    words = ["train", "reader", "--data", str(log), "--out", str(out), "--epochs", "1", "--networks", "1"]
    assert main([*words, "--hidden", "16", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["file"] == str(out) and told["bytes"] == out.stat().st_size < 10_000_000
    assert told["card"]["populations"] == {"heads-up": 2400}
    assert sum(told["card"]["hands"].values()) == 1200
    assert {"before the flop", "after the flop"} <= set(told["card"]["validation"])
    assert [p.name for p in tmp_path.iterdir()] == ["r.npz"], "the stages are gone"
    assert load_weights(str(out)).card == told["card"]
    report = score_readers([f"model:file={out}", "uniform"], [log], part="test")
    bits = {r.street: r.bits for r in report.scores if r.reader.startswith("model") and r.rows == "main"
            and r.view == "observer" and r.cases}  # fmt: skip
    assert min(b for s, b in bits.items() if b is not None) > 0.1, bits


@pytest.mark.filterwarnings("ignore")
def test_stopped_and_gone_on_with_is_the_same(log: Path, tmp_path: Path) -> None:
    once, twice = tmp_path / "once.npz", tmp_path / "twice.npz"
    assert train_reader([log], once, SMALL) is not None
    for at in ("before the flop", "after the flop"):
        assert train_reader([log], twice, SMALL, resume=True, progress=Stop(at)) is None
        assert not twice.exists()
        assert (tmp_path / "twice.npz.stages").is_dir()
    with pytest.raises(ConfigError, match="holds stages of other data or settings"):
        train_reader([log], twice, TrainSettings(epochs=2), resume=True)
    assert train_reader([log], twice, SMALL, resume=True) is not None
    with np.load(once) as a, np.load(twice) as b:
        assert all((a[k] == b[k]).all() for k in a.files)


@pytest.mark.filterwarnings("ignore")
def test_families_have_networks_of_their_own(log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dupai.reading._train._reader._FEWEST", 20)
    out = tmp_path / "r.npz"
    assert train_reader([log], out, SMALL) is not None
    weights = load_weights(str(out))
    assert set(weights.preflop) == set(weights.postflop) == {-1, NAMES.index("heads-up")}
    assert set(weights.gains) <= {NAMES.index("heads-up")}


@pytest.mark.filterwarnings("ignore")
def test_with_ranges(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "r.npz"
    settings = TrainSettings(epochs=1, networks=1, hidden=16, second=8, share=0.4, ranges=True)
    assert train_reader([log], out, settings) is not None
    weights = load_weights(str(out))
    assert weights.ranges and weights.networks(1, 1)[0].takes_ranges(HAND_SIZE)
    assert load_reader(f"model:file={out}")


def test_bad_input_in_one_line(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unknown = tmp_path / "unknown.log"
    state = HandState(SPEC, [None, None])
    state.apply(Action.fold())
    unknown.write_text("\n".join(write_acpc([state.record(["A", "B"])])) + "\n")
    out = tmp_path / "r.npz"

    def said(*words: Any) -> str:
        assert main(["train", "reader", *map(str, words)]) == 2
        told = " ".join(capsys.readouterr().err.split())
        assert "Traceback" not in told and not out.exists()
        return told

    assert "none of the hands has known hole cards" in said("--data", unknown, "--out", out)
    assert "expected cpu" in said("--data", log, "--out", out, "--device", "cuda:77")
    assert "there is no such folder" in said("--data", log, "--out", tmp_path / "absent" / "r.npz")
    assert "expected one of the files plain" in said("--data", log, "--out", out, "--share", "planed=0.5")
    assert "expected a share above 0" in said("--data", log, "--out", out, "--share", "2")
    few = tmp_path / "few.log"
    few.write_text("\n".join(log.read_text().splitlines()[:12]) + "\n")
    assert "expected some of both train and validation" in said("--data", few, "--out", out)
    with pytest.raises(HistoryError):
        train_reader([unknown], out, SMALL)
