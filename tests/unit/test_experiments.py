"""The frame that experiments run in: cells kept as they are done, resumed, reported."""

import json
import sys
import types
from pathlib import Path

import pytest

from dupai.base import ConfigError, Estimate, FileError
from dupai.experiments import PAPERS, Cell, Chart, Line, Paper, Part, Row, Section, Table, load_paper, run_paper

CALLS = []


def square(task, pulse):
    CALLS.append(task)
    return {"square": task * task}


def cells(size, seed):
    return [Cell(key=f"square of {n}", work=square, task=n + seed) for n in range(3 if size == "quick" else 5)]


def section(results, size):
    total = sum(r["square"] for r in results.values())
    return Section(
        text="Squares <of> numbers.",
        rows=(Row(label="sum", paper=5, ours=Estimate(total, 0.5, 3), agrees=total == 5, why="they add up"),),
        tables=(Table(title="All", columns=("n", "square"), rows=(("1", 1.0),)),),
        charts=(Chart(title="Growth", x="n", y="n²", lines=(Line(label="n²", x=(0, 1), y=(0, 1), band=(0.1, 0.1)),)),),
        findings=("Squares grow.",),
    )


PAPER = Paper(
    "squares",
    "Squares & more",
    "Euclid",
    (Part("sum", "Sum", cells, section), Part("never", "Never", cells, section, lambda: "the data is not here")),
)


@pytest.fixture(autouse=True)
def _fresh(monkeypatch):
    CALLS.clear()
    module = types.ModuleType("squares_paper")
    module.PAPER = PAPER
    monkeypatch.setitem(sys.modules, "squares_paper", module)
    monkeypatch.setitem(PAPERS, "squares", "squares_paper")


class Stop:
    """Cancels after so many reports."""

    def __init__(self, after):
        self.left = after

    @property
    def cancelled(self):
        return self.left <= 0

    def report(self, done, total, note=""):
        self.left -= 1


def test_results_and_report(tmp_path: Path) -> None:
    result = run_paper(load_paper("squares"), tmp_path)
    assert not result.partial
    assert result.parts[0].section.rows[0].ours.mean == 5
    assert result.parts[1].missing == "the data is not here"
    assert json.loads((tmp_path / "results.json").read_text())["parts"][0]["cells"] == [3, 3]
    page = (tmp_path / "report.html").read_text()
    for text in (
        "Squares &amp; more",
        "Squares &lt;of&gt; numbers",
        "5 ± 2.151",
        "yes",
        "<svg",
        "Squares grow.",
        "Not run",
    ):
        assert text in page
    assert "http" not in page.replace("http://www.w3.org", "").replace("http://purl.org", "").replace(
        "http://creativecommons.org", ""
    ).replace("https://matplotlib.org", "")


def test_stopped_then_resumed(tmp_path: Path) -> None:
    part = run_paper(PAPER, tmp_path, progress=Stop(1))
    assert part.partial
    done = len(CALLS)
    assert 0 < done < 3
    assert "of 3 pieces of work are done" in (tmp_path / "report.html").read_text()
    whole = run_paper(PAPER, tmp_path)
    assert not whole.partial
    assert len(CALLS) == 3
    assert whole.parts[0].section.rows[0].ours.mean == 5


def test_only_the_same_work_is_used_again(tmp_path: Path) -> None:
    run_paper(PAPER, tmp_path)
    assert len(CALLS) == 3
    run_paper(PAPER, tmp_path, seed=1)
    assert len(CALLS) == 6
    run_paper(PAPER, tmp_path, seed=1, resume=False)
    assert len(CALLS) == 9
    # A fresh start is one of the parts named only.
    run_paper(PAPER, tmp_path, seed=1, parts=["never"], resume=False)
    run_paper(PAPER, tmp_path, seed=1)
    assert len(CALLS) == 9
    (tmp_path / "cells.db").write_text("{ half a fi")
    with pytest.raises(FileError, match=r"cells\.db.*finished pieces"):
        run_paper(PAPER, tmp_path, seed=1)
    assert len(CALLS) == 9


@pytest.mark.parametrize(("what", "other"), [("__version__", "0.0.9"), ("shipped", lambda: "other networks")])
def test_what_another_program_did_is_done_again(what, other, tmp_path: Path, monkeypatch) -> None:
    run_paper(PAPER, tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(f"dupai.experiments._run.{what}", other)
        run_paper(PAPER, tmp_path)
    assert len(CALLS) == 6
    # The results of both are there, each for its own program.
    run_paper(PAPER, tmp_path)
    assert len(CALLS) == 6


def test_worker_processes_give_the_same(tmp_path: Path) -> None:
    import importlib.util

    if importlib.util.find_spec(__name__) is None:
        pytest.skip("this test module cannot be imported by name in a worker process")
    assert run_paper(PAPER, tmp_path, jobs=2).parts[0].section.rows[0].ours.mean == 5


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda p: load_paper("sqares"), "there is no paper 'sqares': did you mean 'squares'?"),
        (lambda p: run_paper(PAPER, p, parts=["sun"]), "paper 'squares' has no part 'sun': did you mean 'sum'?"),
    ],
)
def test_bad_names(call, says, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=says.replace("?", r"\?")):
        call(tmp_path)


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot keep results there"):
        run_paper(PAPER, tmp_path / "file" / "below")
