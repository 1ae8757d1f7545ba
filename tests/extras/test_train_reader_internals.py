"""Training the reader model: on hands of players who show what they hold, stopped and gone on with, refused in a line.
Skipped where torch is not installed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'dupai[train]'")

from dupai.base import ConfigError, FileError, HistoryError, NoProgress, Rng, RulesError  # noqa: E402
from dupai.cli._main import main  # noqa: E402
from dupai.notation import write_acpc, write_phhs  # noqa: E402
from dupai.reading import load_reader  # noqa: E402
from dupai.reading._features._kernels.hands import HAND_SIZE  # noqa: E402
from dupai.reading._features._kernels.public import PUBLIC_SIZE  # noqa: E402
from dupai.reading._model._habits import PLAIN_PRIOR  # noqa: E402
from dupai.reading._model._network import Network  # noqa: E402
from dupai.reading._model._weights import load_weights, network_arrays, save_weights, save_with_priors, step_arrays  # noqa: E402
from dupai.reading._start_table import StartTable, shipped_table  # noqa: E402
from dupai.reading.populations import NAMES  # noqa: E402
from dupai.rules import Action, GameSpec, HandRecord, HandState  # noqa: E402
from dupai.spots import spot_rows  # noqa: E402
from dupai.training import FoldSettings, TrainSettings, cross_validate, score_readers, train_reader  # noqa: E402
from dupai.training._corpus import find_decisions, read_corpus  # noqa: E402
from dupai.training._model import _folds, _postflop, _preflop, _reader, _recipe, _training  # noqa: E402
from dupai.training._model._decisions import PopulationReadings, PreflopReadings, preflop_gains  # noqa: E402
from dupai.training._model._fit import FitSettings, Run, grown, make_net  # noqa: E402
from dupai.training._model._folds import _log_ratio  # noqa: E402
from dupai.training._model._reader import left_out  # noqa: E402
from dupai.training._model._recipe import Step  # noqa: E402
from dupai.training._model._samples import make_samples  # noqa: E402
from dupai.training._model._training import Training, without  # noqa: E402
from dupai.training._stopped import Stopped  # noqa: E402

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
        self.seen = self.seen or note.startswith(self.at)


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
    assert set(told["card"]["validation"]) == {"before-0", "before-heads-up-0", "after-0", "after-heads-up-0"}
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
    with pytest.raises(FileError, match="holds pieces of other work"):
        train_reader([log], twice, TrainSettings(epochs=2), resume=True)
    changed = tmp_path / log.name
    changed.write_text("\n".join(log.read_text().splitlines()[:-1]) + "\n")
    with pytest.raises(FileError, match="holds pieces of other work: data is"):
        train_reader([changed], twice, SMALL, resume=True)
    assert train_reader([log], twice, SMALL, resume=True) is not None
    with np.load(once) as a, np.load(twice) as b:
        assert all((a[k] == b[k]).all() for k in a.files)


@pytest.mark.filterwarnings("ignore")
def test_families_have_networks_of_their_own(log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dupai.training._model._recipe.MIN_CASES", 20)
    out = tmp_path / "r.npz"
    assert train_reader([log], out, SMALL) is not None
    weights = load_weights(str(out))
    assert set(weights.preflop) == set(weights.postflop) == {-1, NAMES.index("heads-up")}
    assert set(weights.gains) <= {NAMES.index("heads-up")}


@pytest.mark.filterwarnings("ignore")
def test_a_family_goes_on_from_the_one_at_which_it_begins(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heads_up, six_max, pluribus = (NAMES.index(name) for name in ("heads-up", "six-max", "Pluribus"))
    monkeypatch.setattr(_recipe, "MIN_CASES", 20)
    monkeypatch.setattr("dupai.reading.populations.STARTS_FROM", {six_max: heads_up})
    begun: dict[str, dict[str, Any]] = {}

    def watch(name: str) -> None:
        train = getattr(_training, name)

        def watched(*args: Any, **options: Any) -> Any:
            *_, settings, _, start = args
            if settings.only == (six_max, pluribus):
                begun[name] = start
            net, found = train(*args, **options)
            if settings.only == (heads_up,):
                for weight in net.parameters():
                    weight.data += 0.25  # so few hands may teach it nothing: it must be another network
            return net, found

        monkeypatch.setattr(_training, name, watched)

    watch("train_preflop")
    watch("train_postflop")
    data, out = tmp_path / "two.log", tmp_path / "r.npz"
    data.write_text(log.read_text().replace("Pro01", "Pluribus"))
    assert train_reader([data], out, SMALL) is not None
    for street, name in enumerate(("train_preflop", "train_postflop")):
        kept = {key: a.astype(np.float16) for key, a in begun[name].items()}  # as the file has them
        for group, same in ((heads_up, True), (-1, False)):
            (arrays,) = network_arrays(out, street, group)
            assert all(np.array_equal(kept[key], arrays[key]) for key in arrays) == same, (name, group)


EVERY = "passes = 1, batch = 64, dropout = 0.1, rate = 2e-3"
RECIPE = """
network = [
  { name = "one", street = "before", hides = true, EVERY },
  { name = "own", street = "before", learns = ["heads-up"], begins = "one", validation = "learned", seed = 1, EVERY },
  { name = "small", street = "after", hidden = 16, second = 8, EVERY },
  { name = "wide", street = "after", begins = "small", wider = 3, learns = ["Pluribus"], data = ["second"], EVERY },
  { name = "last", street = "after", begins = "wide", learns = ["heads-up"], validation = "learned", EVERY },
]
before = { everybody = ["one"], heads-up = ["one", "own"] }
after = { everybody = ["small"], Pluribus = ["wide", "small"], heads-up = ["last"] }
gains = { heads-up = 0.9 }
""".replace("EVERY", EVERY)


@pytest.mark.filterwarnings("ignore")
def test_a_recipe_says_what_is_trained(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, second, out = tmp_path / "mine.toml", tmp_path / "second.log", tmp_path / "r.npz"
    file.write_text(RECIPE)
    second.write_text(log.read_text().replace("Pro01", "Pluribus"))
    learned: dict[str, int] = {}

    def before(corpus: Any, *args: Any, **options: Any) -> Any:
        only = args[-3].only
        mine = corpus.group if only is None else np.isin(corpus.group, only)
        learned[f"before {only}"] = int(((corpus.part == 0) & (mine >= 1).any(axis=1)).sum())
        return train_preflop(corpus, *args, **options)

    def after(corpus: Any, samples: Any, *args: Any, **options: Any) -> Any:
        cases, only = samples.cases, args[-3].only
        mine = np.isin(cases.group, only or range(12))
        learned[f"after {only}"] = len(np.unique(cases.hand[mine]))
        sources[only] = set(corpus.source[cases.hand].tolist())
        return train_postflop(corpus, samples, *args, **options)

    sources: dict[Any, set[int]] = {}
    train_preflop, train_postflop = _training.train_preflop, _training.train_postflop
    monkeypatch.setattr(_training, "train_preflop", before)
    monkeypatch.setattr(_training, "train_postflop", after)
    words = ["train", "reader", "--data", str(log), "--data", str(second), "--out", str(out), "--json", "--recipe"]
    assert main([*words, str(file)]) == 0
    card = json.loads(capsys.readouterr().out)["card"]
    # The validation part chooses, or is learned from: its hands are a seventh or so of all.
    hands = card["hands"]
    assert learned["before None"] == hands["train"]
    assert learned["before (1,)"] == hands["train"] + hands["validation"]
    assert 0 < learned["after (6,)"] < learned["after (1,)"] < sum(hands.values())
    assert sources == {None: {0, 1}, (6,): {1}, (1,): {0, 1}}
    assert set(card["validation"]) == {"one", "small", "wide"}
    assert [step["name"] for step in card["recipe"]["network"]] == ["one", "own", "small", "wide", "last"]
    assert card["gains"]["heads-up"] == [1, 0.9], "the part that would choose the first was learned"
    weights = load_weights(str(out))
    heads_up, pluribus = NAMES.index("heads-up"), NAMES.index("Pluribus")
    assert weights.gains[heads_up] == (1, 0.9) and all(
        after == 1 for g, (_, after) in weights.gains.items() if g != heads_up
    )
    assert {g: len(nets) for g, nets in weights.preflop.items()} == {-1: 1, heads_up: 2}
    widths = {g: [net.width for net in nets] for g, nets in weights.postflop.items()}
    assert widths == {-1: [16], pluribus: [48, 16], heads_up: [48]}


@pytest.mark.filterwarnings("ignore")
def test_what_a_changed_recipe_changes_is_trained_again(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, second, out = tmp_path / "mine.toml", tmp_path / "second.log", tmp_path / "r.npz"
    second.write_text(log.read_text().replace("Pro01", "Pluribus"))
    apart = '{ name = "apart", street = "after", learns = ["Pluribus"], hidden = 16, second = 8, EVERY },'
    recipe = RECIPE.replace("]\nbefore", apart.replace("EVERY", EVERY) + "\n]\nbefore")
    recipe = recipe.replace('["wide", "small"]', '["wide", "apart"]')
    trained: list[str] = []

    def kept(self: Training, step: Step, *args: Any) -> Any:
        trained.append(step.name)
        return stage(self, step, *args)

    stage = Training._stage
    monkeypatch.setattr(Training, "_stage", kept)
    monkeypatch.setattr(_reader.Stages, "clear", lambda _: None)  # as if each run had been stopped at its end
    for old, new, again in (
        ("", "", ["one", "own", "small", "wide", "last", "apart"]),
        ("", "", []),
        ("wider = 3", "wider = 2", ["wide", "last"]),
        # "apart" is taught on top of what reads Pluribus before the flop, which is not "own".
        ("seed = 1", "seed = 2", ["own", "small", "wide", "last"]),
    ):
        trained.clear()
        file.write_text(recipe.replace(old, new) if old else recipe)
        settings = msgspec.structs.replace(SMALL, recipe=str(file))
        assert train_reader([log, second], out, settings, resume=True) is not None
        assert trained == again, (old, new)
    # Ranges are what all networks say of everybody.
    settings = msgspec.structs.replace(SMALL, recipe=str(file), ranges=True)
    for text in (recipe, recipe.replace("seed = 1", "seed = 2")):
        trained.clear()
        file.write_text(text)
        assert train_reader([log, second], tmp_path / "ranges.npz", settings, resume=True) is not None
    assert trained == ["own", "small", "small", "wide", "last", "apart"], "the first look is by everybody's alone"


@pytest.mark.filterwarnings("ignore")
def test_what_a_reader_knows_is_not_trained_again(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, second, out, new = (tmp_path / name for name in ("mine.toml", "second.log", "r.npz", "new.npz"))
    second.write_text(log.read_text().replace("Pro01", "Pluribus"))
    file.write_text(RECIPE)
    assert train_reader([log, second], out, msgspec.structs.replace(SMALL, recipe=str(file))) is not None
    trained: list[str] = []
    stage = Training._stage
    monkeypatch.setattr(
        Training, "_stage", lambda self, step, *rest: trained.append(step.name) or stage(self, step, *rest)
    )
    file.write_text(RECIPE.replace("wider = 3", "wider = 2"))
    # Only the hands of what is trained are wanted.
    words = ["train", "reader", "--data", str(second), "--out", str(new), "--recipe", str(file)]
    assert main([*words, "--known", str(out), "--json"]) == 0
    printed = capsys.readouterr()
    assert "3 of 5 networks are known" in printed.err
    assert trained == ["wide", "last"]
    for name, same in (("one", True), ("own", True), ("small", True), ("wide", False), ("last", False)):
        old, now = step_arrays(out, name), step_arrays(new, name)
        assert all(np.array_equal(old[key], now[key]) for key in old) == same, name
    card = json.loads(printed.out)["card"]
    assert card["known"]["networks"] == ["one", "own", "small"]
    assert card["known"]["data"] == ["plain", "second"]
    assert card["data"] == ["second"]
    assert set(card["validation"]) == {"one", "small", "wide"}
    # All of it known: nothing is trained, and the reader says the same.
    trained.clear()
    last, learned = tmp_path / "last.npz", tmp_path / "learned.npz"
    words[5] = str(last)
    save_with_priors(new, learned, dict.fromkeys((NAMES.index("heads-up"), NAMES.index("six-max")), PLAIN_PRIOR), {})
    assert main([*words, "--known", str(learned)]) == 0
    assert not trained
    assert load_weights(str(last)).gains == load_weights(str(new)).gains
    # What persons may be like stays where those who read them do: RECIPE names networks for heads-up, none for six-max.
    assert set(load_weights(str(last)).priors) == {NAMES.index("heads-up")} and not load_weights(str(new)).priors
    capsys.readouterr()
    strange = tmp_path / "strange.toml"
    strange.write_text(RECIPE.replace("2e-3", "1e-3"))
    for more, said in (
        (["--recipe", str(strange), "--known", str(out)], "holds no network that the recipe makes the same way"),
        (["--recipe", str(file), "--known", str(out), "--seed", "3"], "was trained with seed 0: expected 3"),
        (["--known", str(out)], "expected a recipe with it"),
        (["--recipe", str(file), "--known", str(log)], "it is damaged"),
        (["--recipe", str(file), "--known", "shipped"], "known 'shipped': it holds no network that the recipe"),
    ):
        assert main([*words[:6], *more]) == 2
        (line,) = capsys.readouterr().err.strip().splitlines()
        assert said in line
        assert "shipped" in said or str(log if "damaged" in said else out) in line


@pytest.mark.filterwarnings("ignore")
def test_a_recipe_is_refused_before_anything_is_trained(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, file = tmp_path / "r.npz", tmp_path / "mine.toml"
    file.write_text(RECIPE)

    def said(*words: str) -> str:
        assert main(["train", "reader", "--data", str(log), "--out", str(out), *words]) == 2
        return " ".join(capsys.readouterr().err.split())

    assert "pass either --recipe or --epochs, not both" in said("--recipe", "standard", "--epochs", "3")
    assert "expected standard, or a TOML file" in said("--recipe", str(tmp_path / "none.toml"))
    assert "'wide' learns from Pluribus: expected hands of theirs in part 'train' of second" in said(
        "--recipe", str(file)
    )
    assert not out.exists() and not list((tmp_path / "r.npz.stages").glob("one*"))


def test_a_population_that_only_folds_does_not_choose_the_epoch(tmp_path: Path) -> None:
    lines: list[str] = []
    for number, raises in enumerate((True, False) * 10):
        state = HandState.deal(SPEC, Rng(3), hand=number)
        if raises:
            state.apply(Action.raise_to(300))
        state.apply(Action.fold())
        # The second position acts first: the program raises, and the person folds.
        lines += write_acpc([state.record(["Pro01", "DeepStack" if raises else "Pro02"])])
    file = tmp_path / "folds.log"
    file.write_text("\n".join(lines) + "\n")
    corpus = read_corpus([file])
    corpus.part[:] = 1
    settings = FitSettings(epochs=1, batch=8, rate=1e-3, dropout=0.0, seed=3)
    task = _preflop._Preflop(corpus, find_decisions(corpus), settings, Run())
    score, bits = task.judge()
    assert set(bits) == {"DeepStack"} and score == pytest.approx(bits["DeepStack"][0])


def test_a_step_in_parts_is_the_step(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = read_corpus([log])
    d = find_decisions(corpus)

    def nothing(hands: Any, positions: Any) -> Any:
        return np.full((len(hands), 1326), 1 / 1326, np.float32)

    samples = make_samples(corpus, d.did, (0,), nothing, Run(), k=4, seed=5)
    given = FitSettings(epochs=1, batch=1, rate=1.0, dropout=0.0, seed=3, hidden=16, second=8), Run()
    tasks = {
        _preflop: _preflop._Preflop(corpus, d, *given),
        _postflop: _postflop._Postflop(corpus, (samples, samples), d, *given),
    }
    for module, task in tasks.items():
        found = []
        for parts in (10**6, 3):
            monkeypatch.setattr(module, "_AT_ONCE", parts)
            task.net.zero_grad()
            losses = list(task.readings(task.pool[:100]))
            assert len(losses) == (1 if parts > 100 else 34)
            for loss in losses:
                loss.backward()
            grown_by = torch.cat([p.grad.flatten() for p in task.net.parameters() if p.grad is not None])
            found.append((float(sum(x.item() for x in losses)), grown_by))
        assert found[0][0] == pytest.approx(found[1][0], rel=1e-5)
        assert found[0][1].abs().max() > 0 and torch.allclose(found[0][1], found[1][1], atol=1e-6)


def test_a_grown_network_says_what_it_said() -> None:
    torch.manual_seed(2)
    net = make_net(torch, 70, 96, 12, hidden=16, second=8).eval()
    for weight in net.parameters():
        torch.nn.init.normal_(weight, 0, 0.2)
    arrays = {k: v.detach().numpy() for k, v in net.state_dict().items()}
    large = make_net(torch, 70, 96, 12, hidden=40, second=24).eval()
    more = grown(arrays, 40, 24, np.random.default_rng(1))
    large.load_state_dict({k: torch.as_tensor(v) for k, v in more.items()})
    given = torch.rand(3, 5, 70), torch.rand(3, 96), torch.tensor([1, 2, 3])
    assert torch.allclose(net(*given), large(*given), atol=1e-5)
    # What is new can learn: it hears the input, and its weights to the output are free.
    large(*given).sum().backward()
    assert (large.out.weight.grad[:, 8:] != 0).any()
    assert (more["mid.weight"][8:] != 0).all() and (more["hand.weight"] != 0).all()


@pytest.mark.filterwarnings("ignore")
def test_programs_in_plenty_come_first_and_have_wider_networks(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dupai.training._model._recipe.MIN_CASES", 20)
    data, out = tmp_path / "programs.log", tmp_path / "r.npz"
    data.write_text(log.read_text().replace("Pro01", "DeepStack").replace("Pro02", "Hyperborean14"))
    made = train_reader([data], out, SMALL)
    assert made is not None and {"after-programs", "after-programs-wide"} <= set(made.card["validation"])
    weights = load_weights(str(out))
    programs = {NAMES.index("DeepStack"), NAMES.index("Hyperborean14")}
    assert set(weights.postflop) == set(weights.preflop) == {-1} | programs
    sizes = {g: [net.width for net in nets] for g, nets in weights.postflop.items()}
    assert all(sizes[g] == [32] for g in programs) and sizes[-1] == [16]
    with np.load(out) as file:
        about = json.loads(file["about"].tobytes())
        assert len({n.split("/")[1] for n in file.files if n.startswith("post/")}) == 3, "the one they began at too"
    assert len({tuple(about["use"]["post"][str(g)]) for g in programs}) == 1, "one for both programs"
    assert set(about["steps"]["post"]) == {"after-programs", "after-programs-wide", "after-0"}


@pytest.mark.filterwarnings("ignore")
def test_with_ranges(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "r.npz"
    settings = TrainSettings(epochs=1, networks=1, hidden=16, second=8, share=0.4, ranges=True)
    assert train_reader([log], out, settings) is not None
    weights = load_weights(str(out))
    assert weights.ranges and weights.networks(1, 1)[0].takes_ranges(HAND_SIZE)
    assert load_reader(f"model:file={out}")
    with pytest.raises(ConfigError, match="was trained with --ranges: expected a reader trained without"):
        cross_validate([log], tmp_path / "folds", _fold_settings(out))
    assert not (tmp_path / "folds").exists()


@pytest.fixture(scope="module")
def persons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three persons against a program, 36 hands each: Pro01 raises with two high cards, the others with low ones."""
    rng = Rng(5)
    lines = []
    for person in ("Pro01", "Pro02", "Pro03"):
        lines.append(f"# player {person}")
        for number in range(36):
            state = HandState.deal(SPEC, rng, hand=number)
            while not state.finished:
                view, legal = state.view(state.actor), state.legal
                high = sum(c % 13 >= 8 for c in view.hole)
                raises = high == (2 if person == "Pro01" else 0) and state.actor == number % 2
                if raises and legal.max_to and state.pot < 1000:
                    state.apply(Action.raise_to(min(legal.min_to + state.pot, legal.max_to)))
                else:
                    state.apply(Action.call())
            names = ["DeepStack", "DeepStack"]
            names[number % 2] = person
            lines += write_acpc([state.record(names)])
    path = tmp_path_factory.mktemp("persons") / "persons.log"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.filterwarnings("ignore")
def test_everybody_is_read_by_networks_that_never_saw_him(
    persons: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    torch.manual_seed(2)
    nets = [make_net(torch, n, PUBLIC_SIZE, len(NAMES), by_index=n == 169) for n in (169, HAND_SIZE)]
    plain = [{k: v.detach().numpy() for k, v in net.state_dict().items()} for net in nets]
    start, out = tmp_path / "start.npz", tmp_path / "folds"
    save_weights(start, {-1: plain[:1]}, {-1: plain[1:]}, {}, ranges=False)
    words = ["train", "folds", "--data", str(persons), "--population", "heads-up", "--start", str(start)]
    assert main([*words, "--out", str(out), "--before", "10", "--after", "1", "--rate", "3", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    mine = {r["reader"]: r for r in told["scores"] if r["street"] == "pre-flop" and r["rows"] == "main"}
    assert set(mine) == {"start-table", "model"} and mine["model"]["cases"] == 108
    assert mine["model"]["group"] == "professionals (vs DeepStack)", "the program's hands are not read"
    cards = {p.stem: load_weights(str(p)).card["left out"] for p in out.glob("model-*.npz")}
    assert cards == {f"model-persons-player-Pro0{k}": [f"persons player Pro0{k}"] for k in (1, 2, 3)}
    # He who plays as nobody else does is read worse than by a reader that saw him.
    files = [out / f"model-persons-player-Pro0{k}.npz" for k in (1, 2)]
    both = score_readers(
        [f"model:file={file},adapt=off" for file in files],
        [persons], part="all", views="observer", by_player=True, observe="nothing",
    )  # fmt: skip
    bits = [r.bits for r in both.scores if r.group == "Pro01" and r.street == "pre-flop" and r.rows == "main"]
    assert bits[0] is not None and bits[1] is not None and bits[1] > bits[0] + 0.02, bits
    # The table of a fold is without him too, and what is done is not done again.
    kept = {p.name: p.stat().st_mtime_ns for p in out.glob("*.npz")}
    hands = [sum(int(row.sum()) for row in StartTable.load(out / n).counts.values()) for n in kept if "table-" in n]
    assert (
        hands == [hands[0]] * 3
        and hands[0] - sum(int(row.sum()) for key, row in shipped_table().counts.items() if key[0] != 1) == 72
    )
    again = cross_validate([persons], out, _fold_settings(start))
    assert again is not None and [r.to_dict() for r in again.scores] == told["scores"]
    assert kept == {p.name: p.stat().st_mtime_ns for p in out.glob("*.npz")}
    # Several at once are the same folds; torch adds up in another number of threads.
    words += ["--before", "10", "--after", "1", "--rate", "3", "--jobs", "2"]
    assert main([*words, "--out", str(tmp_path / "at once")]) == 0
    assert capsys.readouterr().err.count("trained without 1 of 3") == 3
    at_once = cross_validate([persons], tmp_path / "at once", _fold_settings(start))
    assert at_once is not None
    both = [{(r.reader, r.street, r.rows): (r.bits, r.cases) for r in s.scores} for s in (again, at_once)]
    assert {k: pytest.approx(v, abs=0.01) for k, v in both[0].items()} == both[1]
    # Another draw is another work.
    with pytest.raises(FileError, match="holds pieces of other work"):
        cross_validate([persons], out, msgspec.structs.replace(_fold_settings(start), seed=9))
    # So is another reader to begin at, though it stand under the same name.
    with np.load(start) as file:
        arrays = dict(file)
    np.savez(start, **arrays, more=np.zeros(1))
    with pytest.raises(FileError, match="holds pieces of other work"):
        cross_validate([persons], out, _fold_settings(start))
    with pytest.raises(ConfigError, match="expected at least two"):
        cross_validate(
            [persons], tmp_path / "none", msgspec.structs.replace(_fold_settings(start), populations=("six-max",))
        )


@pytest.mark.filterwarnings("ignore")
def test_what_a_person_may_be_like_is_learned_from_those_of_the_other_folds(
    persons: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    torch.manual_seed(2)
    nets = [make_net(torch, n, PUBLIC_SIZE, len(NAMES), by_index=n == 169) for n in (169, HAND_SIZE)]
    plain = [{k: v.detach().numpy() for k, v in net.state_dict().items()} for net in nets]
    start, out = tmp_path / "start.npz", tmp_path / "folds"
    save_weights(start, {-1: plain[:1]}, {-1: plain[1:]}, {"made": "by hand"}, ranges=False)
    words = ["train", "folds", "--data", str(persons), "--population", "heads-up", "--start", str(start)]
    words += ["--out", str(out), "--before", "1", "--after", "1", "--json"]

    def scored(*more: str) -> dict[str, list[Any]]:
        assert main([*words, *more]) == 0
        rows = json.loads(capsys.readouterr().out)["scores"]
        return {name: [r for r in rows if r["reader"] == name] for name in ("start-table", "model")}

    without = scored()
    trained = {p.name: p.stat().st_mtime_ns for p in out.glob("model-*.npz")}
    assert main([*words, "--habits"]) == 2
    said = capsys.readouterr().err
    assert "0 persons of heads-up to learn habits from" in said and "at least two, of 600 known hands each" in said
    for module in ("_persons", "_folds"):
        monkeypatch.setattr(f"dupai.training._model.{module}.FEWEST", 30)
    monkeypatch.setattr("dupai.training._model._folds.part_of", lambda key: "test" if "Pro02" in key else "train")
    looked: list[str] = []
    look_at = _folds.known_persons
    monkeypatch.setattr(_folds, "known_persons", lambda reader, *rest: looked.append(reader) or look_at(reader, *rest))
    told = scored("--habits")
    assert told["start-table"] == without["start-table"] and told["model"] != without["model"]
    assert trained == {p.name: p.stat().st_mtime_ns for p in out.glob("model-*.npz")}, "their networks serve"
    names = [f"Pro0{k}" for k in (1, 2, 3)]
    for name in names:
        weights = load_weights(str(out / f"reader-persons-player-{name}.npz"))
        assert weights.card["persons"] == [other for other in names if other != name]
        assert set(weights.priors) == {NAMES.index("heads-up")}
        assert not load_weights(str(out / f"model-persons-player-{name}.npz")).priors
    whole = load_weights(str(out / "reader.npz"))
    assert whole.card["persons"] == ["Pro01", "Pro03"], "nobody of the test part"
    assert whole.card["made"] == "by hand"
    assert len(looked) == 3
    assert scored("--habits") == told and scored() == without
    assert len(looked) == 3, "what was learned of each fold's persons is kept"


AGAIN = """
network = [
  { name = "one", street = "before", learns = ["Pluribus"], EVERY },
  { name = "own", street = "before", learns = ["heads-up"], begins = "one", EVERY },
  { name = "small", street = "after", learns = ["Pluribus"], hidden = 16, second = 8, EVERY },
  { name = "mixed", street = "after", learns = ["Pluribus", "heads-up"], begins = "small", EVERY },
  { name = "last", street = "after", learns = ["heads-up"], begins = "mixed", EVERY },
]
before = { everybody = ["one"], heads-up = ["one", "own"] }
after = { everybody = ["small"], heads-up = ["last"] }
gains = { heads-up = 0.9 }
""".replace("EVERY", EVERY + ', validation = "learned"')


@pytest.mark.filterwarnings("ignore")
def test_a_reader_is_judged_by_folds_of_its_own_recipe(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, people, program, out = (tmp_path / name for name in ("mine.toml", "plain.log", "program.log", "r.npz"))
    file.write_text(AGAIN)
    text = "\n".join(log.read_text().splitlines()[-420:]) + "\n"
    people.write_text(text)
    program.write_text(text.replace("Pro01", "Pluribus"))
    data = ["--data", str(people), "--data", str(program)]
    assert main(["train", "reader", *data, "--recipe", str(file), "--out", str(out), "--json"]) == 0
    kept = {name: step_arrays(out, name) for name in ("one", "own", "small", "mixed", "last")}
    assert all(np.array_equal(kept["one"][k], a) for k, a in network_arrays(out, 0, -1)[0].items())

    learned: list[tuple[str, set[str]]] = []

    def watch(name: str) -> None:
        train = getattr(_training, name)

        def watched(corpus: Any, *args: Any, **options: Any) -> Any:
            hands = np.flatnonzero(corpus.part == 0)
            if name == "train_postflop":
                hands = args[0].cases.hand
            learned.append((name, {corpus.units[k] for k in corpus.unit[hands].tolist()}))
            return train(corpus, *args, **options)

        monkeypatch.setattr(_training, name, watched)

    watch("train_preflop")
    watch("train_postflop")
    words = [
        "train",
        "folds",
        *data,
        "--population",
        "heads-up",
        "--start",
        str(out),
        "--folds",
        "2",
        "--recipe",
        "--cases",
        "60",
    ]
    capsys.readouterr()
    assert main([*words, "--out", str(tmp_path / "folds"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    cases = dict.fromkeys(("model", "start-table"), 0)
    for row in told["scores"]:
        if row["street"] == "pre-flop":
            cases[row["reader"]] += row["cases"]
    assert 100 < cases["model"] == cases["start-table"]
    # "one" and "small" have not learned from the population: they are taken as they are.
    assert [name for name, _ in learned] == ["train_preflop", "train_postflop", "train_postflop"] * 2
    for k in range(2):
        model = tmp_path / "folds" / f"model-fold{k}.npz"
        weights = load_weights(str(model))
        assert weights.gains[NAMES.index("heads-up")][1] == 0.9
        left = set(weights.card["left out"])
        assert len(left) > 5 and not any(left & units for _, units in learned[3 * k : 3 * k + 3])
        one, own = network_arrays(model, 0, NAMES.index("heads-up"))
        assert all(np.array_equal(kept["one"][name], one[name]) for name in one)
        assert any((kept["own"][name] != own[name]).any() for name in own)
    assert not list((tmp_path / "folds").glob("stages-*")), "the networks of a fold are in its file"

    def refused(*words: str) -> str:
        assert main(["train", "folds", *data, "--population", "heads-up", "--out", str(tmp_path / "no"), *words]) == 2
        return " ".join(capsys.readouterr().err.split())

    assert "pass either --recipe or --before, not both" in refused("--recipe", "--before", "3")
    assert "no start: expected a reader that never saw heads-up, or --recipe" in refused()
    assert "has learned from hands of heads-up" in refused("--start", str(out), "--like", "heads-up")
    nets = [make_net(torch, n, PUBLIC_SIZE, len(NAMES), by_index=n == 169) for n in (169, HAND_SIZE)]
    plain = [{k: v.detach().numpy() for k, v in net.state_dict().items()} for net in nets]
    save_weights(tmp_path / "old.npz", {-1: plain[:1]}, {-1: plain[1:]}, {}, ranges=False)
    assert "does not say how it was trained" in refused("--start", str(tmp_path / "old.npz"), "--recipe")
    with pytest.raises(ConfigError, match="holds no network 'two' of its recipe"):
        step_arrays(out, "two")


def test_who_is_left_out_may_be_all_of_the_validation_part(persons: Path) -> None:
    corpus = read_corpus([persons])
    nobody = msgspec.structs.replace(corpus, part=np.where(corpus.part == 1, np.int8(2), corpus.part))
    net = make_net(torch, 169, PUBLIC_SIZE, len(NAMES), by_index=True)
    networks = {-1: [Network({k: v.detach().numpy() for k, v in net.state_dict().items()}, True)]}
    groups = [NAMES.index("heads-up")]
    assert preflop_gains(networks, nobody, find_decisions(corpus), 1, groups) == {}


def test_another_takes_the_place_of_a_validation_part_that_is_left_out(persons: Path) -> None:
    corpus = read_corpus([persons])
    first, second, third = (corpus.unit == k for k in np.unique(corpus.unit))
    corpus = msgspec.structs.replace(corpus, part=np.where(second, np.int8(1), np.where(third, np.int8(2), np.int8(0))))
    assert np.array_equal(without(corpus, second).part, np.where(second, 2, np.where(first, 1, 0)))
    assert np.array_equal(without(corpus, first).part, np.where(first, 2, np.where(second, 1, 0)))
    assert np.array_equal(without(corpus, first | second).part, np.where(third, 0, 2)), "nobody else is left"


def test_a_reader_learns_from_shown_hands_alone(tmp_path: Path) -> None:
    data = tmp_path / "site.phhs"
    data.write_text("\n".join(write_phhs(_shown(900))))
    told = train_reader([data], tmp_path / "r.npz", SMALL)
    assert told is not None and list(told.card["populations"]) == ["shown"]


def _shown(n: int) -> list[HandRecord]:
    """Hands of three, of which every third is known as far as it was shown."""
    rng, hands = Rng(7), []
    spec = GameSpec.no_limit(3, (0, 50, 100), 20_000)
    while len(hands) < n:
        state = HandState.deal(spec, rng, hand=len(hands))
        weak = rng.below(3)
        while not state.finished:
            folds = state.actor == weak and state.to_call > 0
            state.apply(Action.fold() if folds else Action.call())
        # Of every third hand what was shown is known, of the others nothing.
        seen = state.record(["a", "b", "c"]).seen_by(None)
        none = ((255, 255),) * 3
        hands.append(seen if len(hands) % 3 == 0 else msgspec.structs.replace(seen, hole=none))
    return hands


@pytest.mark.filterwarnings("ignore")
def test_shown_hands_are_read_by_their_variant(tmp_path: Path) -> None:
    hands = _shown(150)
    data, start = tmp_path / "site.phhs", tmp_path / "start.npz"
    data.write_text("\n".join(write_phhs(hands)))
    nets = [make_net(torch, n, PUBLIC_SIZE, len(NAMES), by_index=n == 169) for n in (169, HAND_SIZE)]
    plain = [{k: v.detach().numpy() for k, v in net.state_dict().items()} for net in nets]
    save_weights(start, {-1: plain[:1]}, {-1: plain[1:]}, {}, ranges=False)
    settings = msgspec.structs.replace(_fold_settings(start), populations=("shown",), before=1)
    told = cross_validate([data], tmp_path / "folds", settings)
    assert told is not None
    known = sum(255 not in two for r in hands for two in r.hole)
    cases = {(r.reader, r.group): r.cases for r in told.scores if r.street == "pre-flop"}
    assert set(cases.values()) == {known} and len(cases) == 2, (cases, known)
    with pytest.raises(ConfigError, match="shown hands are read by a variant"):
        cross_validate([data], tmp_path / "no", msgspec.structs.replace(settings, populations=("shown", "online")))
    plain[1]["group1.weight"][NAMES.index("shown")] = 0.1
    save_weights(start, {-1: plain[:1]}, {-1: plain[1:]}, {}, ranges=False)
    with pytest.raises(ConfigError, match="has learned from hands of shown: expected a reader trained without them"):
        cross_validate([data], tmp_path / "no", settings)
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize(("asked", "given"), [(None, 512), (8, 8)])
def test_steps_of_a_fold_before_the_flop(
    persons: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: int | None, given: int
) -> None:
    seen = []

    def note(corpus: object, decisions: object, settings: FitSettings, *_: object) -> None:
        seen.append(settings.batch)
        raise Stopped

    monkeypatch.setattr("dupai.training._model._folds.train_preflop", note)
    nets = [make_net(torch, n, PUBLIC_SIZE, len(NAMES), by_index=n == 169) for n in (169, HAND_SIZE)]
    plain = [{k: v.detach().numpy() for k, v in net.state_dict().items()} for net in nets]
    save_weights(tmp_path / "start.npz", {-1: plain[:1]}, {-1: plain[1:]}, {}, ranges=False)
    settings = msgspec.structs.replace(_fold_settings(tmp_path / "start.npz"), batch=asked)
    assert cross_validate([persons], tmp_path / "folds", settings) is None
    assert seen == [given]


@pytest.mark.filterwarnings("ignore")
def test_folds_on_a_cluster_are_those_of_one_process(
    persons: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ray", reason="needs dupai[cluster]")
    # Ray's workers leave the processor to everybody else, and would starve on a machine with other work.
    monkeypatch.setenv("RAY_worker_niceness", "0")
    torch.manual_seed(2)
    nets = [make_net(torch, n, PUBLIC_SIZE, len(NAMES), by_index=n == 169) for n in (169, HAND_SIZE)]
    plain = [{k: v.detach().numpy() for k, v in net.state_dict().items()} for net in nets]
    start = tmp_path / "start.npz"
    save_weights(start, {-1: plain[:1]}, {-1: plain[1:]}, {}, ranges=False)
    words = ["train", "folds", "--data", str(persons), "--population", "heads-up", "--start", str(start), "--json"]
    words += ["--before", "2", "--after", "1"]
    reports = []
    for where in (["--backend", "serial"], ["--backend", "ray", "--jobs", "2"]):
        assert main([*words, *where, "--out", str(tmp_path / where[1])]) == 0
        reports.append(json.loads(capsys.readouterr().out)["scores"])
    key = ("reader", "group", "street", "view", "rows", "cases")
    here, there = ({tuple(row[k] for k in key): row["bits"] for row in rows} for rows in reports)
    # Torch adds up in another number of threads.
    assert {k: bits if bits is None else pytest.approx(bits, abs=0.01) for k, bits in here.items()} == there


def _fold_settings(start: Path) -> FoldSettings:
    return FoldSettings(populations=("heads-up",), start=str(start), before=10, after=1, rate=3.0)


def test_left_out_populations_are_not_seen(log: Path, persons: Path, tmp_path: Path) -> None:
    corpus = read_corpus([log, persons])
    fewer = left_out(corpus, ("heads-up",))
    assert (fewer.part[corpus.source == 0] == -1).all() and (fewer.part[corpus.source == 1] >= 0).all()
    assert ((fewer.hole != 255).any(axis=2).sum(axis=1) == (corpus.source == 1)).all()
    assert set(np.unique(fewer.group)) == {-1, NAMES.index("DeepStack")}
    with pytest.raises(ConfigError, match="without heads-up, DeepStack no hand is left"):
        left_out(corpus, ("heads-up", "DeepStack"))
    with pytest.raises(ConfigError, match="expected one of unknown, heads-up"):
        train_reader([persons], tmp_path / "r.npz", msgspec.structs.replace(SMALL, without=("pros",)))


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
    assert "there is no folder" in said("--data", log, "--out", tmp_path / "absent" / "r.npz")
    assert "expected one of the files plain" in said("--data", log, "--out", out, "--share", "planed=0.5")
    assert "expected a share above 0" in said("--data", log, "--out", out, "--share", "2")
    few = tmp_path / "few.log"
    few.write_text("\n".join(log.read_text().splitlines()[:12]) + "\n")
    assert "expected some of both train and validation" in said("--data", few, "--out", out)
    with pytest.raises(HistoryError):
        train_reader([unknown], out, SMALL)


def test_hands_drawn_by_one_reading_are_weighed_by_another(log: Path) -> None:
    corpus = read_corpus([log])
    decisions = find_decisions(corpus)
    rng = np.random.default_rng(4)

    def reading() -> PreflopReadings:
        net = make_net(torch, 169, PUBLIC_SIZE, len(NAMES), by_index=True)
        for weight in net.parameters():
            torch.nn.init.normal_(weight, 0, 0.2)
        arrays = {k: v.detach().numpy() for k, v in net.state_dict().items()}
        return PreflopReadings([Network(arrays, True)], corpus, decisions)

    torch.manual_seed(3)
    old, new = reading(), reading()
    drawn = make_samples(corpus, decisions.did, (0,), old, Run(), k=8, seed=5)
    n = len(drawn.combo)
    ratio = _log_ratio(drawn, new, old)
    cases = drawn.cases
    for i in rng.permutation(n)[:50].tolist():
        p, q = (r(cases.hand[i : i + 1], cases.position[i : i + 1])[0] for r in (new, old))
        assert ratio[i] == pytest.approx(np.log(p[drawn.combo[i]] / q[drawn.combo[i]]), abs=1e-4)
        # Weights of the true hand are logs of the old reading, but for the share of hands that the board leaves.
        left = drawn.weight[i, 0] - np.log(q[drawn.combo[i, 0]])
        assert 0 <= left < 1
    assert np.abs(_log_ratio(drawn, old, old)).max() == 0
    both = PopulationReadings({-1: old._nets, NAMES.index("heads-up"): new._nets}, {}, corpus, decisions)
    assert (both(cases.hand[:20], cases.position[:20]) == new(cases.hand[:20], cases.position[:20])).all()


def test_hands_that_cannot_be_replayed_are_counted(
    log: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("dupai.base._notice.enabled", True)
    refused = iter([True, True])

    def some_refused(record: Any) -> Any:
        if next(refused, False):
            raise RulesError("not legal")
        return spot_rows(record)

    monkeypatch.setattr("dupai.training._corpus.spot_rows", some_refused)
    read_corpus([log])
    assert f"{log}: 2 hands left out that cannot be replayed" in capsys.readouterr().err
