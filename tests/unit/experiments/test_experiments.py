"""The frame that experiments run in: cells kept as they are done, resumed, reported."""

import json
import sqlite3
import sys
import types
from pathlib import Path

import msgspec
import pytest

from dupai.base import ConfigError, Estimate, FileError
from dupai.cli import main
from dupai.experiments import (
    PAPERS,
    Cell,
    Chart,
    Line,
    Paper,
    Part,
    Printed,
    Row,
    Section,
    Table,
    load_paper,
    outlook,
    run_paper,
    run_papers,
)

CALLS = []


def square(task, pulse):
    CALLS.append(task)
    return {"square": task * task}


def noted(task, pulse):
    CALLS.append(task)
    return {}


def cells(size, seed):
    return [Cell(key=f"square of {n}", work=square, task=n + seed) for n in range(3 if size == "quick" else 5)]


def section(results, size):
    total = sum(r["square"] for r in results.values())
    return Section(
        text="Squares <of> numbers.",
        rows=(Row.judged("sum", Printed("proposition 1", "5"), Estimate(total, 0.5, 30), why="they add up"),),
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
        "5.0 ± 1.0",
        "proposition 1",
        "agrees",
        "they add up",
        "<svg",
        "Squares grow.",
        "Not run",
    ):
        assert text in page
    assert "http" not in page.replace("http://www.w3.org", "").replace("http://purl.org", "").replace(
        "http://creativecommons.org", ""
    ).replace("https://matplotlib.org", "")


def test_results_are_json_where_an_error_is_unknown(tmp_path: Path, capsys) -> None:
    def once(results, size):
        return Section(text="", rows=(Row("one", None, Estimate.of([3.0])),))

    paper = Paper("squares", "Squares", "Euclid", (Part("sum", "Sum", cells, once),))
    sys.modules["squares_paper"].PAPER = paper
    run_paper(paper, tmp_path)
    written = msgspec.json.decode((tmp_path / "results.json").read_bytes())
    assert written["parts"][0]["section"]["rows"][0]["ours"] == {"mean": 3.0, "se": None, "n": 1}
    assert main(["reproduce", "squares", "--jobs", "1", "--json", "--out", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out) == written


def test_a_piece_that_is_none_is_said(tmp_path: Path) -> None:
    run_paper(PAPER, tmp_path)
    for other in ('{"result": 5}', "[3]"):
        with sqlite3.connect(tmp_path / "cells.db") as store:
            store.execute("update pieces set data = ?", (other.encode(),))
        store.close()
        assert outlook(PAPER, tmp_path).cells == (0, 3)
        with pytest.raises(FileError, match=r"cells\.db: damaged: sum, square of 0 is no finished piece"):
            run_paper(PAPER, tmp_path)


def test_places_that_cannot_hold_results(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot keep results there"):
        outlook(PAPER, tmp_path / ("a" * 300))
    (tmp_path / "all-quick").write_text("")
    with pytest.raises(FileError, match="all-quick: cannot keep results there"):
        run_papers([PAPER], tmp_path)
    assert not CALLS


def test_bands_are_by_students_t() -> None:
    few = [Estimate.of([1.0, 2.0, 4.0])]
    assert Line.through("x", [(0.0, few[0])]).band[0] == few[0].interval()[1] - few[0].mean


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


def test_all_papers_in_one_report(tmp_path: Path) -> None:
    second = Paper("cubes", "Cubes", "Euclid", (Part("sum", "Sum", cells, section),))
    assert outlook(PAPER, tmp_path / "squares-quick").cells == (0, 3)
    results = run_papers([PAPER, second], tmp_path, progress=Stop(2))
    assert any(result.partial for result in results)
    page = (tmp_path / "all-quick" / "report.html").read_text()
    assert "pieces of work done: sum" in page and "squares, never: not run, the data is not here" in page
    done = len(CALLS)
    results = run_papers([PAPER, second], tmp_path)
    assert not any(result.partial for result in results)
    # A second run does only what is left.
    assert len(CALLS) == 6 > done
    assert outlook(PAPER, tmp_path / "squares-quick").cells == (3, 3)
    markdown = (tmp_path / "all-quick" / "report.md").read_text()
    assert "| sum | proposition 1 | 5 | 5.0 ± 1.0 | agrees |" in markdown
    assert markdown.count("## ") > 3
    page = (tmp_path / "all-quick" / "report.html").read_text()
    assert page.index("Every printed figure") < page.index('id="squares"') < page.index('id="cubes"')


def test_players_are_listed_with_all_their_options(tmp_path: Path) -> None:
    def named(size, seed):
        return [
            Cell(key="one", work=square, task=3),
            Cell(key="two", work=length, task=("style:paper-LA", "no agent", 7)),
        ]

    paper = Paper("named", "Named", "Euclid", (Part("sum", "Sum", named, lambda r, s: Section(text="Names.")),))
    result = run_paper(paper, tmp_path)
    assert list(result.players) == ["style:paper-LA"]
    assert result.players["style:paper-LA"].startswith("style:") and "=" in result.players["style:paper-LA"]
    assert "style:paper-LA" in (tmp_path / "report.html").read_text()
    assert result.parts[0].seconds >= 0


def length(task, pulse):
    return len(task)


def test_other_data_under_the_same_name_is_other_work(tmp_path: Path, monkeypatch) -> None:
    def one(size, seed):
        return [Cell("a", noted, ("some.log", 3))]

    def counted(results, size):
        return Section(text="One.")

    part = Part("one", "One", one, counted)
    paper = Paper("one", "One", "Euclid", (part,))
    calls = []
    for folder, text in (("x", "one"), ("y", "two"), ("z", "one")):
        monkeypatch.setenv("DUPAI_SHARED", str(tmp_path / folder))
        (tmp_path / folder / "data").mkdir(parents=True)
        (tmp_path / folder / "data" / "some.log").write_text(text)
        run_paper(paper, tmp_path / "out")
        calls.append(len(CALLS))
    assert calls == [1, 2, 2]
