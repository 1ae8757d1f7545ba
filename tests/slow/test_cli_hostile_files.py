"""Files from strangers, all of them: a command reads them or refuses them with one line and exit code 2."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from support.hostile_files import (
    FILES,
    FOLDERS,
    RUNS,
    SPEC_FILES,
    TEXTS,
    VALUES,
    cells,
    check,
    check_cell,
    check_file,
    contents,
    write_good,
)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with good files."""
    return write_good(tmp_path_factory.mktemp("good"))


@pytest.mark.slow
@pytest.mark.parametrize(("command", "parameter"), FILES, ids=lambda name: name.replace(" ", "-"))
def test_a_hostile_file_costs_one_line(
    command: str, parameter: str, here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kind = FILES[command, parameter][0]
    if kind in FOLDERS:
        pytest.skip("a folder: tested below")
    for k, content in enumerate(contents(kind, here)):
        for suffix in ("log", "phhs", "txt") if kind == "history" else ("x",):
            check_file(command, parameter, content, here, tmp_path / f"f{k}.{suffix}", capsys)


@pytest.mark.slow
@pytest.mark.parametrize("option", SPEC_FILES)
def test_a_hostile_model_costs_one_line(
    option: str, here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, _, key = option.partition(":")
    for k, content in enumerate(contents(SPEC_FILES[option], here)):
        for suffix in ("npz", "onnx") if name == "cnn" and k < 20 else ("npz",):
            file = tmp_path / f"f{k}.{suffix}"
            file.write_bytes(content)
            spec = f"{name}:{key}={file}"
            if name in ("expert", "exp"):
                words = ["match", spec, "caller", "--hands", "1"]
            else:
                words = ["read", "hand", f"{here}/a.log", "--hand", "1", "--reader", spec]
            check(words, capsys, content[:300])


@pytest.mark.slow
@pytest.mark.parametrize("file", ["store.json", "sources/*/manifest.json", "sources/*/*.parquet"])
def test_a_hostile_store_costs_one_line(
    file: str, here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = [json.dumps({"format": value, "version": value}).encode() for value in VALUES]
    for k, content in enumerate([*TEXTS, *more]):
        store = tmp_path / f"s{k}"
        shutil.copytree(here / "store", store)
        for place in store.glob(file):
            place.write_bytes(content)
        for words in (
            ["history", "show"],
            ["history", "stats"],
            ["history", "verify"],
            ["history", "leaks", "--player", "Ann"],
            ["read", "hand", "--hand", "1", "--reader", "uniform"],
            ["read", "score", "uniform", "--part", "all", "--data"],
        ):
            check([*words, str(store)], capsys, content[:200])


@pytest.mark.slow
@pytest.mark.parametrize("file", ["match.json", "hands.phhs"])
def test_a_hostile_match_costs_one_line(
    file: str, here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = json.loads((here / "match/match.json").read_text())
    more = [json.dumps(good | {key: value}).encode() for key in good for value in VALUES]
    for k, content in enumerate([*TEXTS, *more]):
        match = tmp_path / f"m{k}"
        shutil.copytree(here / "match", match)
        (match / file).write_bytes(content)
        check(["run", "--replay", "1", str(match)], capsys, content[:200])


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_an_odd_cell_of_a_results_file_costs_one_line(
    name: str, here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for k, (note, change) in enumerate(cells(here)):
        check_cell(name, note, change, here, tmp_path / f"r{k}.db", capsys)
