"""How experiments run: what work is the same, and words for its time."""

from __future__ import annotations

from pathlib import Path

from dupai.cli._reproduce import _time
from dupai.experiments import Cell, Part, Section
from dupai.experiments._run import stamped


def test_words_for_times() -> None:
    assert [_time(m) for m in (0.2, 14.6, 119, 600)] == ["a minute", "15 minutes", "119 minutes", "10 hours"]


def _square(task: object, pulse: object) -> object:
    return task


def test_other_data_under_the_same_name_is_other_work(tmp_path: Path, monkeypatch) -> None:
    part = Part("sum", "Sum", lambda size, seed: [], lambda results, size: Section(text=""))
    cell = Cell("a", _square, ("some.log", 3))
    stamps = []
    for folder, text in (("x", "one"), ("y", "two"), ("z", "one")):
        monkeypatch.setenv("DUPAI_SHARED", str(tmp_path / folder))
        (tmp_path / folder / "data").mkdir(parents=True)
        (tmp_path / folder / "data" / "some.log").write_text(text)
        stamps.append(stamped(part, cell))
    assert stamps[0] == stamps[2] != stamps[1]
