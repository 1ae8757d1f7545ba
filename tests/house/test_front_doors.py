"""Every package's front door: a docstring, a sorted list of names that exist, and no way in but through it."""

from __future__ import annotations

import ast
import importlib
import re
from contextlib import suppress
from pathlib import Path

import pytest

import dupai
from dupai.base import MissingPackage

ROOT = Path(dupai.__file__).parent
FLOORS = sorted(p.parent.name for p in ROOT.glob("*/__init__.py"))
SOURCES = sorted(ROOT.rglob("*.py"))


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("floor", ["", *FLOORS])
def test_a_front_door_exports_what_it_imports(floor: str) -> None:
    module = importlib.import_module(f"dupai.{floor}" if floor else "dupai")
    assert module.__doc__, "a front door says what its floor is for"
    assert list(module.__all__) and len(set(module.__all__)) == len(module.__all__)
    assert dir(module) == sorted(dir(module))
    for name in module.__all__:
        with suppress(MissingPackage):  # an optional part that is not installed says so
            assert getattr(module, name) is not None
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    imported = [
        alias
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dupai.")
        for alias in node.names
    ]
    lazy = "lazy_exports(__name__)" in source
    public = {a.asname or a.name for a in imported if a.asname or not lazy}
    assert {n for n in public if not n.startswith("_") or n == "__version__"} <= set(module.__all__)
    if lazy:
        # A type checker takes ``import name as name`` for an export, and nothing else (PEP 484).
        assert all(a.name == a.asname for a in imported if a.asname) and public == set(module.__all__)
        assert list(module.__all__) == sorted(module.__all__)
        assert "__all__ = [" not in source, "each name is written once"


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
