"""Tests mirror the package: a folder of ``tests/unit`` for each floor, helpers in ``tests/support`` only."""

from __future__ import annotations

from pathlib import Path

import pytest

import dupai

TESTS = Path(__file__).parents[1]
SRC = Path(dupai.__file__).parent
FLOORS = {p.parent.name for p in SRC.glob("*/__init__.py")}
FOLDERS = {"conformance", "extras", "golden", "house", "naive", "slow", "support", "unit"}


def _content(folder: Path) -> set[str]:
    return {p.name for p in folder.iterdir() if p.name != "__pycache__"}


def test_each_floor_has_a_folder_and_each_folder_a_floor() -> None:
    assert _content(TESTS / "unit") == FLOORS
    for floor in sorted(FLOORS):
        assert list((TESTS / "unit" / floor).glob("test_*.py")), f"no tests of {floor}"


def test_the_top_has_folders_only() -> None:
    assert _content(TESTS) == FOLDERS | {"conftest.py"}


@pytest.mark.parametrize("folder", ["unit", "house", "extras", "slow"])
def test_helpers_live_in_support(folder: str) -> None:
    assert not [p for p in (TESTS / folder).rglob("*.py") if not p.name.startswith("test_")]


def test_git_ignores_the_folders_that_commands_write_by_default() -> None:
    ignored = (TESTS.parent / ".gitignore").read_text().split()
    for folder in ("matches", "reproduce", "web"):
        assert f"/{folder}/" in ignored
