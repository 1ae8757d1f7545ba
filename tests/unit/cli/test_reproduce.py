"""``dupai reproduce``: what it refuses, where it looks for data, what it says beforehand."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from dupai.cli import main
from dupai.cli._reproduce import _time
from dupai.experiments import PAPERS, _costs, load_paper
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


def test_one_part_and_what_it_says_before(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.setitem(_costs.COSTS, "rules", {"encodings": (7.0, 1)})
    command = ["reproduce", "rules", "--part", "encodings", "--jobs", "1", "--out", str(tmp_path), "--json"]
    assert main(command) == 0
    first = capsys.readouterr()
    assert re.search(r"0 of 1 pieces of work are done; the others take about 7 minutes on 1\s+idle core", first.err)
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
    assert re.search(r"0 of 1 pieces of work are done; the others take about 7 minutes", capsys.readouterr().err)


def test_data_is_a_folder_of_ones_own(tmp_path: Path, monkeypatch, capsys) -> None:
    # Kept for worker processes in the environment: set it, so that it is reset afterwards.
    monkeypatch.setenv("DUPAI_SHARED", "elsewhere")
    command = ["reproduce", "experience", "--part", "cnn", "--jobs", "1", "--out", str(tmp_path / "out")]
    assert main([*command, "--data", str(tmp_path)]) == 0
    assert os.environ["DUPAI_SHARED"] == str(tmp_path)
    # What is missing stands in the report.
    assert "not run" in capsys.readouterr().out
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


def test_words_for_times() -> None:
    assert [_time(m) for m in (0.2, 14.6, 119, 600)] == ["a minute", "15 minutes", "119 minutes", "10 hours"]


def test_every_part_has_its_cost_and_quick_keeps_its_promise() -> None:
    for name in PAPERS:
        paper = load_paper(name)
        costs = _costs.COSTS[name]
        # A part without a cost is named as not measured yet.
        assert costs and set(costs) <= {part.name for part in paper.parts}
        # Four minutes a paper on two cores; fifteen for all, of which one to start workers and write reports.
        assert sum(quick for quick, _ in costs.values()) <= 2 * 4
    assert sum(quick for costs in _costs.COSTS.values() for quick, _ in costs.values()) <= 2 * 14
    assert _costs.part_minutes("rules", "decisions", "full") > _costs.part_minutes("rules", "decisions", "quick")
    assert _costs.part_minutes("rules", "nothing", "full") is None
