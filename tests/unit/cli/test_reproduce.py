"""``dupai reproduce``: what it refuses, where it looks for data, what it says beforehand."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from dupai.cli import main
from dupai.experiments import PAPERS, QUICK_MINUTES, load_paper, outlook
from dupai.history import shared_file


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "which paper? expected all, fold, rules"),
        (("sqares",), "there is no paper 'sqares'"),
        (("all", "--part", "hash"), "--part: expected one paper"),
        (("rules", "--seed", "-1"), "greater than or equal to 0"),
    ],
)
def test_mistakes(arguments, says, capsys) -> None:
    assert main(["reproduce", *arguments]) == 2
    assert says in capsys.readouterr().err.replace("\n", " ")


def test_one_part_and_what_it_says_before(tmp_path: Path, capsys) -> None:
    command = ["reproduce", "rules", "--part", "encodings", "--jobs", "1", "--out", str(tmp_path), "--json"]
    assert main(command) == 0
    first = capsys.readouterr()
    assert "0 of 1 pieces of work are done; the others take about a minute on 1 idle core" in " ".join(
        first.err.split()
    )
    result = json.loads(first.out)
    verdicts = [row["verdict"]["kind"] for part in result["parts"] for row in part["section"]["rows"]]
    assert verdicts == ["agrees"] * 4
    # All is done: a second run only reports.
    assert main(command) == 0
    second = capsys.readouterr()
    assert "pieces of work" not in second.err
    assert json.loads(second.out) == result
    for name in ("report.html", "report.md", "results.json"):
        assert (tmp_path / name).is_file()
    # From the beginning takes as long as the first time.
    assert main([*command, "--fresh"]) == 0
    told = " ".join(capsys.readouterr().err.split())
    assert "0 of 1 pieces of work are done; the others take about a minute on 1 idle core" in told


def test_data_is_a_folder_of_ones_own(tmp_path: Path, monkeypatch, capsys) -> None:
    # Kept for worker processes in the environment: set it, so that it is reset afterwards.
    monkeypatch.setenv("DUPAI_SHARED", "elsewhere")
    command = ["reproduce", "experience", "--part", "cnn", "--jobs", "1", "--out", str(tmp_path / "out")]
    assert main([*command, "--data", str(tmp_path)]) == 0
    assert os.environ["DUPAI_SHARED"] == str(tmp_path)
    # What is missing is said before, and stands in the report.
    told = capsys.readouterr()
    assert "not run" in told.out
    assert "left out: experience, part cnn: " in told.err
    assert str(tmp_path) in (tmp_path / "out" / "report.html").read_text()


def test_data_is_found_beside_the_working_folder_or_the_package(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.delenv("DUPAI_SHARED", raising=False)
    (tmp_path / "shared").mkdir()
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    assert shared_file("a.log") == tmp_path / "shared" / "data" / "a.log"
    package = Path(shared_file.__code__.co_filename).resolve().parents[4] / "shared"
    (tmp_path / "shared").rmdir()
    expected = package if package.is_dir() else tmp_path / "shared"
    assert shared_file("a.log") == expected / "data" / "a.log"


def test_a_full_run_says_no_time_that_nobody_measured(tmp_path: Path) -> None:
    for name in PAPERS:
        paper = load_paper(name)
        minutes = outlook(paper, tmp_path / name).minutes
        assert minutes is not None and 0 < minutes <= QUICK_MINUTES[name] + 1e-9
    assert outlook(load_paper("rules"), tmp_path / "rules", size="full").minutes is None
