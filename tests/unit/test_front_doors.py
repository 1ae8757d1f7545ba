"""Every package's front door: a docstring, an ``__all__`` that is sorted and true, and no way in but through it."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest

import dupai

ROOT = Path(dupai.__file__).parent
FLOORS = sorted(p.parent.name for p in ROOT.glob("*/__init__.py"))
SOURCES = sorted(ROOT.rglob("*.py"))


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("floor", ["", *FLOORS])
def test_all_is_what_can_be_imported(floor: str) -> None:
    module = importlib.import_module(f"dupai.{floor}" if floor else "dupai")
    assert module.__doc__, "a front door says what its floor is for"
    assert len(set(module.__all__)) == len(module.__all__)
    for name in module.__all__:
        assert getattr(module, name) is not None
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    imported = {
        alias.asname or alias.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dupai.")
        for alias in node.names
    }
    public = {n for n in imported if not n.startswith("_") and n != "lazy_exports"}
    assert public <= set(module.__all__), "imported at the front door but not listed"


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_other_floors_are_entered_by_the_front_door(path: Path) -> None:
    own = path.relative_to(ROOT).parts[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} relative import"
            parts = (node.module or "").split(".")
            if parts[0] == "dupai" and len(parts) > 2:
                assert parts[1] == own or own == "__init__.py", f"{path}:{node.lineno} reaches into {node.module}"


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_kernels_are_made_one_way_and_in_one_place(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    relative = _name(path)
    if relative == "base/_jit.py":
        return
    assert not re.search(r"^\s*@(numba\.)?n?jit", source, re.MULTILINE), "kernels are made by dupai.base.kernel"
    if re.search(r"^@kernel", source, re.MULTILINE):
        assert "_kernels" in relative, "kernels live in _kernels.py or a _kernels package"
