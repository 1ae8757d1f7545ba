"""What is trained on: sources of known and of shown hands, what is left of damaged files, and what finished work of
other data is worth."""

from __future__ import annotations

import lzma
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from dupai.base import ConfigError, FileError, HistoryError, NoProgress, Rng
from dupai.cards import NO_CARD
from dupai.cli import main
from dupai.history import file_records
from dupai.notation import write_acpc, write_phhs
from dupai.reading import StartTable, populations
from dupai.rules import Action, GameSpec, HandRecord, HandState
from dupai.training import FoldFitSettings, FoldSettings, learn_fold, part_of, score_readers
from dupai.training._corpus import find_cases, find_decisions, read_corpus
from dupai.training._model._fit import Run
from dupai.training._model._folds import _dealt, _Folds
from dupai.training._model._recipe import Recipe, Step
from dupai.training._model._training import Stages, Training
from dupai.training._score._run import Task, _piece_key
from dupai.training._sources import KnownShare, content
from dupai.training._stopped import Stopped as StoppedWork

SPEC = GameSpec.no_limit(2, (50, 100), 10_000)
TRAIN, VALIDATION = (
    next(name for name in map("file{}".format, range(99)) if part_of(f"{name} hands 0") == part)
    for part in ("train", "validation")
)


def called(n: int, *, folds: bool = False, names: Sequence[str] = ("Ann", "Bo")) -> list[HandRecord]:
    """Hands that are checked down to a showdown, or that end with a fold on the first decision."""
    rng, records = Rng(5), []
    for number in range(n):
        state = HandState.deal(SPEC, rng, hand=number)
        while not state.finished:
            state.apply(Action.fold() if folds else Action.call())
        records.append(state.record(names))
    return records


def seen_by_one(n: int = 40) -> list[HandRecord]:
    """Heads-up hands as one player recorded them: every other one is shown down."""
    hands = called(n), called(n, folds=True)
    return [hands[k % 2][k].seen_by(k % 4 // 2) for k in range(n)]


def written(path: Path, records: Sequence[HandRecord]) -> Path:
    path.write_text("".join(f"{line}\n" for line in write_phhs(records)))
    return path


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The last line (after what is compiled first) with which a command is refused."""
    assert main(list(words)) == 2
    *_, line = capsys.readouterr().err.strip().splitlines()
    return line


# known or shown -----------------------------------------------------------------------------------------------------


def test_the_recording_players_own_cards_do_not_make_a_file_of_known_hands(tmp_path: Path) -> None:
    file = written(tmp_path / "mine.phhs", seen_by_one())
    share = KnownShare()
    for record in file_records(file):
        share.add(record)
    assert (share.known, share.dealt, share.shown_only) == (20, 40, True)
    corpus = read_corpus([file])
    assert set(corpus.group[:, :2].ravel().tolist()) == {populations.SHOWN}
    both = written(tmp_path / "both.phhs", called(10))
    assert set(read_corpus([both]).group[:, :2].ravel().tolist()) == {populations.HEADS_UP}


def test_scores_tell_shown_hands_as_training_does(tmp_path: Path) -> None:
    # Eight in nine showdowns: with the recording player's own hands 94 % are known, without them 89 %.
    records = [called(1, folds=k % 9 == 8)[0].seen_by(0) for k in range(45)]
    file = written(tmp_path / "mine.phhs", records)
    assert set(read_corpus([file]).group[:, :2].ravel().tolist()) == {populations.SHOWN}
    report = score_readers(["uniform"], [file], part="all", views="observer")
    assert {row.group for row in report.scores} == {"mine, shown only", "mine, hero"}


def test_tables_do_not_count_shown_hands_as_known_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = written(tmp_path / f"{TRAIN}.phhs", seen_by_one()), tmp_path / "table.npz"
    words = ["--data", str(file), "--out", str(out)]
    assert main(["train", "start-table", *words]) == 0
    assert {group for group, *_ in StartTable.load(out).counts} == {populations.SHOWN}
    capsys.readouterr()
    out.unlink()
    for command, kind in (("markov", "hands with all cards known"), ("bucket", "no-limit hands with all cards known")):
        line = refused(capsys, "train", command, *words)
        assert f"{file.name}: expected {kind} in their training set" in line
    assert "nothing to fit the reader fold to" in refused(capsys, "train", "fold", *words)
    assert not out.exists()


@pytest.mark.parametrize("command", ["start-table", "markov", "bucket"])
def test_a_table_of_nothing_does_not_replace_one(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dark = [msgspec.structs.replace(r, hole=((NO_CARD, NO_CARD),) * 2, shown=()) for r in called(5, folds=True)]
    unknown = written(tmp_path / f"{TRAIN}.phhs", dark)
    others = written(tmp_path / f"{VALIDATION}.phhs", called(5))
    out = tmp_path / "table.npz"
    out.write_bytes(b"a good one")
    for file in (unknown, others):
        line = refused(capsys, "train", command, "--data", str(file), "--out", str(out))
        assert f"{file.name}: expected" in line and "in their training set" in line
        assert out.read_bytes() == b"a good one"


# damaged files ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["start-table", "markov", "bucket"])
def test_hands_that_cannot_be_read_are_counted_and_cut_files_refused(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = list(write_acpc(called(20)))
    lines[3] = lines[3].replace("STATE:3", "STATE:x")
    lines[9] = lines[9].replace("cc/", "cx/")
    log, out = tmp_path / f"{TRAIN}.log", tmp_path / "table.npz"
    log.write_text("\n".join(lines) + "\n")
    assert main(["train", command, "--data", str(log), "--out", str(out)]) == 0
    *_, line = capsys.readouterr().err.strip().splitlines()
    assert line.startswith(f"left out: {log}:4: ") and line.endswith("and 1 more")
    out.unlink()
    packed = lzma.compress("\n".join(write_acpc(called(400))).encode())
    cut = tmp_path / f"{TRAIN}.log.xz"
    cut.write_bytes(packed[: len(packed) // 2])
    line = refused(capsys, "train", command, "--data", str(cut), "--out", str(out))
    assert f"{cut}: the compressed data is cut off" in line and not out.exists()


# many files, many hands ---------------------------------------------------------------------------------------------


def test_there_may_be_hundreds_of_files(tmp_path: Path) -> None:
    files = [written(tmp_path / f"{k}.phhs", called(1)) for k in range(130)]
    corpus = read_corpus(files)
    assert corpus.source.tolist() == list(range(130))


def test_hands_for_the_fit_of_the_fold_reader_come_from_all_files(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[int] = []

    def played(record: HandRecord, position: int) -> int:
        used.append(record.hand)
        return record.hand

    monkeypatch.setattr("dupai.training._fold.played", played)
    monkeypatch.setattr("dupai.training._fold.Fit", None)
    with pytest.raises(TypeError):
        learn_fold([("train", r) for r in called(60)], FoldFitSettings(most=20, rounds=1))
    assert len(used) == 20 and max(used) > 30, "more are kept than are used: these are not the first ones"


def test_no_row_is_called_validation_where_training_hands_judge() -> None:
    fit = learn_fold([("train", r) for r in called(20)], FoldFitSettings(most=20, rounds=1, searches=1))
    assert {name.split()[0] for name in fit.about["bits"]["hu"]} == {"hands", "train"}


def test_hands_of_a_program_that_counts_for_no_population_are_fitted_to() -> None:
    hands = [("train", r) for r in called(20, names=("LBR", "Hyperborean14"))]
    fit = learn_fold(hands, FoldFitSettings(most=20, rounds=1, searches=1))
    assert "hu" in fit.constants and not fit.populations


def test_ctrl_c_before_the_first_hand_is_no_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(NoProgress, "cancelled", True)
    monkeypatch.setattr("dupai.cli._train.progress", lambda _: Stopped())
    file = written(tmp_path / f"{TRAIN}.phhs", called(5))
    assert main(["train", "fold", "--data", str(file), "--out", str(tmp_path / "fold.json.gz")]) == 130
    assert not capsys.readouterr().err


class Stopped(NoProgress):
    """A bar that was cancelled before the work began."""

    def __enter__(self) -> Stopped:
        return self

    def __exit__(self, *_: object) -> None:
        pass


# what a network needs -----------------------------------------------------------------------------------------------


def test_a_network_without_cases_that_judge_it_is_refused(tmp_path: Path) -> None:
    rate = {"passes": 1, "batch": 64, "dropout": 0.1, "rate": 2e-3}
    recipe = Recipe(
        network=(Step(name="one", street="before", **rate), Step(name="two", street="after", **rate)),
        before={"everybody": ("one",)}, after={"everybody": ("two",)},
    )  # fmt: skip
    files = [written(tmp_path / f"{TRAIN}.phhs", called(5)), tmp_path / f"{VALIDATION}.phhs"]

    def begin(step: slice, *records: HandRecord) -> Training:
        corpus = read_corpus([files[0], written(files[1], records)])
        decisions = find_decisions(corpus)
        some = msgspec.structs.replace(recipe, network=recipe.network[step])
        return Training(some, None, corpus, decisions, 0, Run())  # type: ignore[arg-type]

    begin(slice(2), *called(5))
    folded = called(5, folds=True)
    with pytest.raises(ConfigError, match=r"'one' learns from everybody: expected .* part 'validation' .* than a fold"):
        begin(slice(2), *folded)
    with pytest.raises(ConfigError, match=r"'two' learns from everybody: .* 'validation' .* decision after the flop"):
        begin(slice(1, 2), *folded)
    # Nobody at all decides anything after the flop.
    corpus = read_corpus([written(files[0], folded)])
    assert not len(find_cases(corpus, find_decisions(corpus).did, (1, 2, 3)).hand)


# finished work ------------------------------------------------------------------------------------------------------


def test_contents_are_those_of_a_file_or_of_all_files_of_a_store(tmp_path: Path) -> None:
    one, two = tmp_path / "one" / "a.log", tmp_path / "two" / "a.log"
    for file in (one, two):
        file.parent.mkdir()
        file.write_text("same")
    assert content(one) == content(two) != content(tmp_path / "none") == content(one.parent)
    two.write_text("other")
    assert content(one) != content(two)
    for file in (one, two):
        (file.parent / "store.json").write_text("{}")
    assert content(one.parent) != content(two.parent)
    two.write_text("same")
    assert content(one.parent) == content(two.parent) != content(one)
    (one.parent / "sources").mkdir()
    (one.parent / "sources" / "b").write_text("more")
    assert content(one.parent) != content(two.parent)


def test_finished_scores_are_found_by_another_process(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text("hands")
    program = (
        "from dupai.training._score._run import Only, Task, _piece_key\n"
        "units = frozenset(f'a hands {k}' for k in range(50))\n"
        "print(_piece_key(Task('a.log', ('uniform',), only=Only(units, (1,))), 'uniform'))"
    )
    keys = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, cwd=tmp_path, check=True,
            capture_output=True, text=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(keys) == 1


def test_scores_of_a_network_that_was_trained_again_are_not_found(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text("hands")
    (tmp_path / "net").mkdir()
    keys = set()
    for weights in (b"1", b"2"):
        (tmp_path / "net" / "model.npz").write_bytes(weights)
        spec = f"cnn:file={tmp_path / 'net'}"
        keys.add(_piece_key(Task(str(tmp_path / "a.log"), (spec,)), spec))
    assert len(keys) == 2


def test_folds_of_persons_have_files_of_their_own() -> None:
    folds = _dealt(["A B", "A-B", "x/b", "y/b", "A-B-2"], None)
    assert sorted(units for (units,) in folds.values()) == ["A B", "A-B", "A-B-2", "x/b", "y/b"]
    assert not any("/" in name or " " in name for name in folds)


def test_what_was_stopped_before_a_hand_was_read_is_no_fault_of_the_data(tmp_path: Path) -> None:
    look = NoProgress()
    stages = Stages(tmp_path / "stages", {}, False, look)

    def nothing() -> Any:
        raise HistoryError("none of the hands has known hole cards")

    with pytest.raises(HistoryError):
        stages.corpus(nothing)
    stages.look = CancelledWork()
    with pytest.raises(StoppedWork):
        stages.corpus(nothing)


class CancelledWork(NoProgress):
    cancelled = True


def test_the_prior_of_a_fold_is_of_persons_who_do_not_play_in_it(tmp_path: Path) -> None:
    file = tmp_path / "two.log"
    lines = [
        line
        for k, names in enumerate((("Ann", "Bo"), ("Bo", "Cy")))
        for line in (f"# session {k}", *write_acpc(called(3, names=names)))
    ]
    file.write_text("\n".join(lines) + "\n")
    # Bo has enough known hands for a prior in the second fold only.
    known: dict[str, dict[str, str]] = {"first": {"Ann": ""}, "second": {"Bo": "", "Cy": ""}}
    priors: dict[str, set[str]] = {}
    folds: Any = object.__new__(_Folds)
    folds.corpus, folds.settings = read_corpus([file]), FoldSettings(populations=("heads-up",))
    folds.folds = {"first": ["two session 0"], "second": ["two session 1"]}
    folds.stages = SimpleNamespace(folder=tmp_path)
    folds.persons, folds._each = known.get, lambda *_: None
    folds._save_with_priors = lambda _, target, persons: priors.update({target.stem: set(persons)})
    folds._with_priors()
    assert priors["reader-first"] == {"Cy"}
    assert priors["reader-second"] == {"Ann"}


def test_stages_remove_what_they_made_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "r.npz.stages"
    stages = Stages(folder, {"a": 1}, False, NoProgress())
    stages.file("first.npz", lambda file: file.write_bytes(b"1"))
    stages.clear()
    assert not folder.exists()
    stages = Stages(folder, {"a": 1}, False, NoProgress())
    (folder / "mine").mkdir()
    (folder / "mine" / "notes.txt").write_text("mine")
    stages.file("first.npz", lambda file: file.write_bytes(b"1"))
    again = Stages(folder, {"a": 2}, False, NoProgress())  # other work, begun anew
    assert not again.finished("first.npz")
    again.clear()
    assert [p.name for p in folder.rglob("*")] == ["mine", "notes.txt"]


def test_stages_where_there_is_a_file_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    for folder, resume in ((file, True), (file, False), (file / "below", True)):
        with pytest.raises(FileError, match=r"file.*: expected a folder for finished stages"):
            Stages(folder, {"a": 1}, resume, NoProgress())
    assert file.read_text() == "mine"


def test_a_reader_is_not_trained_to_replace_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = written(tmp_path / f"{TRAIN}.phhs", called(5)), tmp_path / "r"
    out.mkdir()
    line = refused(capsys, "train", "reader", "--data", str(file), "--out", str(out))
    assert line.endswith(f"--out {str(out)!r} is a folder: expected the name of a file")


def test_files_of_one_name_in_two_folders_are_both_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tools.population import gather

    files = []
    for k, folder in enumerate(("one", "two")):
        (tmp_path / folder).mkdir()
        files.append(written(tmp_path / folder / "a.phhs", called(5 + k)))
    assert gather(files)[1] == {"a.phhs": 11}
