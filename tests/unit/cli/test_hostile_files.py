"""Files from strangers: a command reads them or refuses them with one line and exit code 2; bombs are refused early."""

from __future__ import annotations

import gzip
import lzma
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dupai.agents import agent_infos
from dupai.base import FileError
from dupai.base.files import SIZE_LIMITS, check_growth, read_arrays
from dupai.cli import main
from dupai.reading import readers
from support.command_line import commands, text_parameters
from support.hostile_files import (
    DEEP,
    FILES,
    FOLDERS,
    NO_FILES,
    OTHER,
    SPEC_FILES,
    TEXTS,
    WRITTEN,
    cells,
    check,
    check_cell,
    check_file,
    contents,
    npy,
    write_good,
    zipped,
)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with good files."""
    return write_good(tmp_path_factory.mktemp("good"))


def test_every_parameter_that_names_a_file_is_tested() -> None:
    missing = [
        (name, parameter)
        for name, command in commands().items()
        for parameter in text_parameters(command)
        if parameter not in NO_FILES | WRITTEN and (name, parameter) not in {**FILES, **dict.fromkeys(OTHER)}
    ]
    assert missing == [], "a row of FILES, or a name in NO_FILES"
    options = {
        f"{info.name}:{option.name}"
        for info in (*agent_infos(), *readers())
        for option in info.options
        if option.type == "text" and "file" in option.help
    }
    options |= {f"{info.name}:{o.name}" for info in readers() for o in info.options if "made by 'dupai" in o.help}
    assert options == set(SPEC_FILES)


@pytest.mark.parametrize(("command", "parameter"), FILES, ids=lambda name: name.replace(" ", "-"))
def test_a_hostile_file_costs_one_line(
    command: str, parameter: str, here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # All of them, and those that load torch: tests/slow.
    kind = FILES[command, parameter][0]
    if kind not in FOLDERS and command not in ("train reader", "train folds", "train cnn"):
        suffix = "log" if kind == "history" else "x"
        for k, content in enumerate((TEXTS[0], TEXTS[3], TEXTS[5], TEXTS[8], TEXTS[13])):
            check_file(command, parameter, content, here, tmp_path / f"f{k}.{suffix}", capsys)


def test_odd_cells_of_a_results_file_cost_one_line(
    here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for k, (note, change) in enumerate([*cells(here)][::9]):
        check_cell(("match", "ladder")[k % 2], note, change, here, tmp_path / f"r{k}.db", capsys)


def test_a_solve_file_with_another_header_costs_one_line(
    here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for k, content in enumerate(contents("solve", here)[::11]):
        check_file("solve show", "file", content, here, tmp_path / f"f{k}.solve", capsys)


def test_a_keeper_with_odd_pieces_costs_one_line(
    here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["read", "score", "uniform", "--data", f"{here}/a.log", "--part", "all", "--keep"]
    assert main([*words, str(tmp_path / "k")]) == 0
    (file,) = (path for path in (tmp_path / "k").iterdir() if path.suffix != ".lock")
    for k, (table, column) in enumerate([("work", "value"), ("pieces", "data"), ("pieces", "form"), ("pieces", "key")]):
        for n, value in enumerate(["[" * DEEP, "{}", "\x1b[2J", "x"]):
            folder = tmp_path / f"k{k}-{n}"
            shutil.copytree(tmp_path / "k", folder)
            with closing(sqlite3.connect(folder / file.name)) as db, db:
                db.execute(
                    f"update or replace {table} set {column} = ?", (value.encode() if column == "data" else value,)
                )
            check([*words, str(folder)], capsys, (table, column, value[:20]))


# bombs --------------------------------------------------------------------------------------------------------------


def test_an_archive_larger_than_its_kind_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    file = tmp_path / "x.npz"
    file.write_bytes(zipped(npy("(800000000,)"), size=6 << 30))
    with pytest.raises(FileError, match=r"larger than 1 GB, the limit for this kind of file"):
        read_arrays(file, "trained reader")


def test_a_compressed_text_that_grows_as_no_log_does_is_refused(
    here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    check_growth("x", 1, 2**26)
    with pytest.raises(FileError, match="grows more than 200 times"):
        check_growth("x", 2**18, 2**26 + 1)
    monkeypatch.setattr("dupai.base._decode._FREE_GROWTH", 2**21)
    log, line = (here / "a.log").read_bytes(), b"# a line of a log, again and again\n" * 30_000
    for suffix, compress in (("gz", gzip.compress), ("xz", lzma.compress)):
        file = tmp_path / f"x.log.{suffix}"
        # 6 GB in all.
        file.write_bytes(compress(log) + compress(line) * (6 * 2**30 // len(line)))
        refused = check(["history", "convert", str(file), str(tmp_path / f"{suffix}.phhs")], capsys, suffix)
        assert "grows more than 200 times by decompression, the limit of a log" in refused


def test_a_compressed_model_larger_than_its_kind_is_refused_while_it_is_unpacked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    file = tmp_path / "x.json.gz"
    file.write_bytes(gzip.compress(b" " * 2**20) * 6 * 2**10)
    refused = check(
        ["read", "hand", f"{here}/a.log", "--hand", "1", "--reader", f"fold:constants={file}"], capsys, "bomb"
    )
    assert "larger than 64 MB, the limit for this kind of file" in refused


def test_a_setting_larger_than_any_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.toml"
    file.write_bytes(b"# nothing\n" * 200_000)
    refused = check(["match", "caller", "caller", "--config", str(file)], capsys, "large")
    assert "larger than 1 MB, the limit for this kind of file" in refused
    assert all(limit > 0 for limit in SIZE_LIMITS.values())
