"""Tests mirror the package, helpers live in ``tests/support``, and what reaches behind a front door says so."""

from __future__ import annotations

import ast
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


def _private(module: str) -> bool:
    parts = module.split(".")
    return parts[0] == "dupai" and any(part.startswith("_") and not part.endswith("__") for part in parts)


def _imports(path: Path) -> set[str]:
    """Modules and names that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


@pytest.mark.parametrize("path", sorted(TESTS.rglob("*.py")), ids=lambda path: str(path.relative_to(TESTS)))
def test_a_file_that_imports_private_modules_says_so(path: Path) -> None:
    private = sorted(filter(_private, _imports(path)))
    if path.parent.name == "naive":
        assert not private or "Private modules: " in (
            ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        )
    else:
        said = (
            f"name it {path.stem}_internals.py or use front doors: {private}"
            if private
            else "no private imports: rename it"
        )
        assert bool(private) == path.stem.endswith("_internals"), said


def test_few_tests_import_private_modules() -> None:
    """Speak to the front door of the floor, or test beside the other internals of that module."""
    assert len(list(TESTS.rglob("test_*_internals.py"))) <= 70
