"""Training the network that foretells actions: what it learns, stopped and gone on with, exported, refused in a line.
Skipped where torch is not installed."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'dupai[train]'")
pytest.importorskip("onnx", reason="onnx is not installed: pip install 'dupai[train]'")

from dupai.base import ConfigError, FileError, NoProgress, Rng  # noqa: E402
from dupai.cards import COMBOS  # noqa: E402
from dupai.cli._main import main  # noqa: E402
from dupai.history import file_records  # noqa: E402
from dupai.notation import write_acpc  # noqa: E402
from dupai.reading import load_reader  # noqa: E402
from dupai.reading.cnn import CnnModel, load_cnn  # noqa: E402
from dupai.rules import Action, HandState, load_game  # noqa: E402
from dupai.spots import spots  # noqa: E402
from dupai.training import CnnSettings, cnn_samples, cnn_steps, train_cnn  # noqa: E402

SPEC = load_game("holdem.nolimit.2p")
GOLDEN = Path(__file__).parents[1] / "golden"
SMALL = CnnSettings(epochs=3, batch=64, players=("Ann",))


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hands of two who mostly raise with two high cards and fold two low ones, 10 to a match."""
    rng = Rng(11)
    lines = []
    for number in range(900):
        state = HandState.deal(SPEC, rng, hand=number)
        while not state.finished:
            view, legal = state.view(state.actor), state.legal
            high = sum(c % 13 >= 8 for c in view.hole)
            if rng.below(8) == 0:
                high = rng.below(3)
            if high == 2 and legal.max_to and state.pot < 3000:
                state.apply(Action.raise_to(min(legal.min_to + state.pot // 2, legal.max_to)))
            elif high == 0 and legal.to_call:
                state.apply(Action.fold())
            else:
                state.apply(Action.call())
        if number % 10 == 0:
            lines.append(f"# match any_r{number // 10}")
        lines += write_acpc([state.record(["Ann", "Bo"] if number % 2 else ["Bo", "Ann"])])
    path = tmp_path_factory.mktemp("log") / "plain.log"
    path.write_text("\n".join(lines) + "\n")
    return path


class Stop(NoProgress):
    """Cancels after so many steps of training."""

    def __init__(self, after: int) -> None:
        self.left = after

    @property
    def cancelled(self) -> bool:
        return self.left <= 0

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self.left -= note.startswith("epoch")


@pytest.fixture(scope="module")
def trained(log: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A factored network in a folder."""
    out = tmp_path_factory.mktemp("rich")
    done = train_cnn([log], out, msgspec.structs.replace(SMALL, epochs=8, rate=5e-3))
    assert done is not None and set(done.files) == {"model.npz", "model.onnx", "card.json", "card.md"}
    return out


def test_it_learns_what_these_players_do(trained: Path) -> None:
    card = json.loads((trained / "card.json").read_text())
    test = card["test"]
    assert card["players"] == ["Ann"] and card["test"]["network"]["decisions"] == card["parts"]["test"]["decisions"]
    assert test["network"]["log_loss"] < 0.8 * test["frequencies of the legal actions"]["log_loss"]
    assert test["network"]["accuracy"] > test["majority class"]["accuracy"]
    for name in ("network", "logistic regression", "frequencies of the legal actions", "majority class"):
        assert name in (trained / "card.md").read_text()
    model = CnnModel(load_cnn(str(trained)))
    record = next(r for r in file_records(trained_log(trained)) if len(r.actions) > 2)
    first = spots(record)[0]
    said = model.probs(first)
    from dupai.cards import combo

    high, low = combo(51, 50), combo(0, 14)
    assert said[high, 2:].sum() > 0.5 > said[low, 2:].sum() and said[low, 0] > 0.5


def trained_log(folder: Path) -> Path:
    """The log that the folder's network was trained on."""
    return next(folder.parent.glob("log*/plain.log"))


@pytest.mark.parametrize("encoding", ["rich", "paper"])
def test_stopped_training_goes_on_to_the_same_network(encoding: str, log: Path, tmp_path: Path) -> None:
    settings = msgspec.structs.replace(SMALL, encoding=encoding, epochs=2)
    whole = train_cnn([log], tmp_path / "whole", settings)
    assert whole is not None
    steps = 2 * (whole.card["parts"]["train"]["decisions"] // 64)
    for after in (3, steps // 2 + 2):  # in the first epoch, and in the second
        assert train_cnn([log], tmp_path / "parts", settings, resume=True, progress=Stop(after)) is None
        assert not (tmp_path / "parts" / "model.onnx").exists()
    parts = train_cnn([log], tmp_path / "parts", settings, resume=True)
    assert parts is not None
    assert parts.card["history"] == whole.card["history"]
    assert parts.card["test"]["network"] == whole.card["test"]["network"]
    if encoding == "rich":
        with np.load(tmp_path / "whole" / "model.npz") as a, np.load(tmp_path / "parts" / "model.npz") as b:
            assert all((a[k] == b[k]).all() for k in a.files if k != "about")


def test_training_ends_when_it_no_longer_gets_better(log: Path, tmp_path: Path) -> None:
    done = train_cnn([log], tmp_path, msgspec.structs.replace(SMALL, epochs=30, patience=2, rate=0.1))
    assert done is not None
    losses = [one["validation"] for one in done.card["history"]]
    assert done.card["best_epoch"] == len(losses) - 2 < 28
    assert losses.index(min(losses)) == done.card["best_epoch"] - 1


def test_stopped_while_reading(log: Path, tmp_path: Path) -> None:
    assert train_cnn([log], tmp_path, SMALL, progress=StopNow()) is None


def test_checkpoints_of_other_trainings_are_refused(log: Path, tmp_path: Path) -> None:
    assert train_cnn([log], tmp_path, SMALL, progress=Stop(2)) is None
    other = msgspec.structs.replace(SMALL, seed=1)
    with pytest.raises(FileError, match="other data or settings: train without --resume"):
        train_cnn([log], tmp_path, other, resume=True)
    with pytest.raises(FileError, match="other data or settings"):
        train_cnn([log], tmp_path, msgspec.structs.replace(SMALL, encoding="paper"), resume=True)
    # Other hands under the same name, as many of them.
    changed = tmp_path / "plain.log"
    changed.write_text(log.read_text().replace("# match", "# again\n# match", 1))
    with pytest.raises(FileError, match="other data or settings"):
        train_cnn([changed], tmp_path, SMALL, resume=True)
    whole = torch.load(tmp_path / "checkpoint.pt", weights_only=True)
    torch.save({"key": whole["key"]}, tmp_path / "key.pt")
    torch.save({"net": whole["net"]}, tmp_path / "net.pt")
    for data, reason in (
        (b"nothing", ""),
        (b"", ""),
        ((tmp_path / "key.pt").read_bytes(), "it lacks 'net'"),
        ((tmp_path / "net.pt").read_bytes(), "it lacks 'key'"),
    ):
        (tmp_path / "checkpoint.pt").write_bytes(data)
        with pytest.raises(FileError, match=rf"checkpoint\.pt: not a checkpoint that can be read \({reason}"):
            train_cnn([log], tmp_path, SMALL, resume=True)


def test_a_checkpoint_keeps_the_generators_of_gpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dupai.training._cnn._fit import _State, paper_net

    net = paper_net(torch, 4, (1, 1, 1))
    state = _State(torch, net, torch.optim.AdamW(net.parameters()), "key")
    taken: list[list[int]] = []
    monkeypatch.setattr(torch.cuda, "get_rng_state_all", lambda: [torch.arange(3, dtype=torch.uint8)])
    monkeypatch.setattr(torch.cuda, "set_rng_state_all", lambda states: taken.extend(s.tolist() for s in states))
    state.save(tmp_path / "cpu.pt")
    state.load(tmp_path / "cpu.pt", "cpu")
    assert not taken
    monkeypatch.setattr(_State, "_uses_cuda", True)
    state.save(tmp_path / "cuda.pt")
    state.load(tmp_path / "cuda.pt", "cpu")
    assert taken == [[0, 1, 2]]


def test_numpy_and_onnxruntime_play_one_network(trained: Path, log: Path) -> None:
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install 'dupai[cnn]'")
    plain, exported = CnnModel(load_cnn(str(trained))), CnnModel(load_cnn(str(trained / "model.onnx")))
    for record in list(file_records(log))[:4]:
        for spot in spots(record):
            np.testing.assert_allclose(plain.probs(spot), exported.probs(spot), atol=5e-3)  # float16
    assert exported.about == plain.about


def test_the_papers_network_plays_honest_only(log: Path, tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install 'dupai[cnn]'")
    settings = msgspec.structs.replace(SMALL, encoding="paper", epochs=1)
    assert train_cnn([log], tmp_path / "honest", settings)
    reader = load_reader(f"cnn:file={tmp_path / 'honest'}")
    record = next(r for r in file_records(log) if len(r.actions) > 2)
    spot = spots(record)[1]
    model = CnnModel(load_cnn(str(tmp_path / "honest")))
    said = model.probs(spot)
    assert said.shape == (COMBOS, 4)
    np.testing.assert_allclose(said.sum(axis=1), 1, atol=1e-5)
    assert np.ptp(said[:, 1]) > 0.01  # hands differ
    view = record.at(2).view(0)
    assert reader.read(view, [view.seats[1]])[view.seats[1]].p.sum() == pytest.approx(1)
    six = next(iter(file_records(GOLDEN / "six.log")))
    with pytest.raises(ConfigError, match="heads-up no-limit hold'em only, this is no-limit hold'em for 6 players"):
        model.probs(spots(six)[0])
    assert train_cnn([log], tmp_path / "literal", msgspec.structs.replace(settings, information="literal"))
    with pytest.raises(ConfigError, match="literal information, which nobody has at the table"):
        load_reader(f"cnn:file={tmp_path / 'literal'}")
    (tmp_path / "bad.onnx").write_bytes(b"no network")
    with pytest.raises(FileError, match=r"bad\.onnx: not a network that onnxruntime reads"):
        load_cnn(str(tmp_path / "bad.onnx"))


def test_the_chips_of_the_action_give_it_away(tmp_path: Path) -> None:
    """Players who do anything cannot be foretold, unless the input says what they did."""
    rng, lines = Rng(5), []
    for number in range(700):
        state = HandState.deal(SPEC, rng, hand=number)
        while not state.finished:
            legal, kind = state.legal, rng.below(3)
            if kind == 0 and legal.to_call and state.street:
                state.apply(Action.fold())
            elif kind == 1 and legal.max_to:
                state.apply(Action.raise_to(min(legal.min_to + state.pot // 2, legal.max_to)))
            else:
                state.apply(Action.call())
        lines += [f"# match any_r{number // 10}"] * (number % 10 == 0)
        lines += write_acpc([state.record(["Ann", "Bo"])])
    (tmp_path / "any.log").write_text("\n".join(lines) + "\n")
    samples = cnn_samples([tmp_path / "any.log"])
    found = {}
    for information in ("honest", "honest+chips"):
        done = cnn_steps(samples, information, 64, (50, 250), seed=3, rate=3e-3)
        assert done is not None and [one.steps for one in done] == [50, 250]
        found[information] = done[-1]
        assert done[-1].paper_samples == min(640, len(samples.of("test")))
    assert found["honest+chips"].accuracy > found["honest"].accuracy + 0.1
    assert found["honest+chips"].log_loss < found["honest"].log_loss
    assert cnn_steps(samples, "honest", 64, (100,), progress=StopNow()) is None


class StopNow(NoProgress):
    cancelled = True  # type: ignore[assignment]


def test_too_few_matches_are_refused(log: Path, tmp_path: Path) -> None:
    lines = log.read_text().splitlines()[:12]
    (tmp_path / "short.log").write_text("\n".join(lines) + "\n")
    with pytest.raises(ConfigError, match=r"the data has no .* part: matches, persons or blocks"):
        train_cnn([tmp_path / "short.log"], tmp_path / "out", SMALL)


def test_command(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    args = ["train", "cnn", "--data", str(log), "--out", str(out), "--player", "B*", "--epochs", "1", "--batch", "64"]
    assert main([*args, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["card"]["players"] == ["Bo"] and told["files"]["model.npz"] < 1_000_000
    assert main([*args, "--resume"]) == 0  # nothing is left to do
    assert "network" in capsys.readouterr().out
    assert main(["train", "cnn", "--data", str(log), "--out", str(out), "--device", "cuda:9"]) == 2
    assert "device 'cuda:9'" in capsys.readouterr().err


def test_network_of_an_opponent_is_made_of_his_log_and_played(monkeypatch: pytest.MonkeyPatch) -> None:
    from dupai.experiments._experience import _cells as known

    class Quiet:
        cancelled = False

        def report(self, done, total, note=""):
            pass

        def step(self):
            return True

    settings = CnnSettings(players=("bo",), epochs=1, batch=64)
    train = known.train_cnn
    monkeypatch.setattr(
        known, "train_cnn", lambda logs, out, _, progress: train(logs, out, settings, progress=progress)
    )
    monkeypatch.setattr(known.config, "LOG_HANDS", 1_200)
    found = known.known_cell(known.Known(known.config.OWN, "rules", 2, 1), Quiet())
    assert found is not None
    assert found["faults"] == 0
    assert 0.2 < found["accuracy"] <= 1
    # Made once for all cells.
    monkeypatch.setattr(known, "train_cnn", None)
    again = known.known_cell(known.Known(known.config.OWN, "rules", 2, 2), Quiet())
    assert again is not None
    assert again["accuracy"] == found["accuracy"]
