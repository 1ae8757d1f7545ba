"""The help of every command in a terminal of 80 columns: nothing cut off, examples that can be copied."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
import typer.main

from dupai.cli import app, main


def _paths(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield path
    for name, below in getattr(command, "commands", {}).items():
        yield from _paths(below, (*path, name))


PATHS = list(_paths(typer.main.get_command(app)))


def _help(path: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("COLUMNS", "80")
    assert main([*path, "--help"]) == 0
    out, err = capsys.readouterr()
    assert not err
    return out.splitlines()


def _name(path: tuple[str, ...]) -> str:
    return " ".join(path) or "dupai"


@pytest.mark.parametrize("path", PATHS, ids=_name)
def test_help_fits_and_examples_stand_on_one_line(
    path: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = _help(path, capsys, monkeypatch)
    assert [line for line in lines if len(line) > 80] == []
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith("    dupai "):
            assert after.strip() == "", f"broken over two lines: {line.strip()}"
            assert tuple(shlex.split(line)[1:2]) in PATHS, line


@pytest.mark.parametrize("path", [p for p in PATHS if any(q[:-1] == p for q in PATHS if q)], ids=_name)
def test_commands_are_listed_with_whole_sentences(
    path: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = _help(path, capsys, monkeypatch)
    listed = lines[lines.index("Commands:") + 1 :]
    names = [found[1] for line in listed if (found := re.match(r"  (\S+)  ", line))]
    assert sorted(names) == sorted(p[-1] for p in PATHS if p and p[:-1] == path)
    assert not any(re.search(r"\w\.\.\.$", line) for line in listed), listed
    if not path:
        # One line each, the first things first.
        assert len(listed) == len(names)
        assert names[:3] == ["run", "play", "web"]


@pytest.mark.parametrize("name", sorted({p[0] for p in PATHS if len(p) > 1} - {"agents"}))
def test_a_command_of_commands_alone_prints_its_help(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = _help((name,), capsys, monkeypatch)
    assert main([name]) == 0
    out, err = capsys.readouterr()
    assert (out.splitlines(), err) == (expected, "")
