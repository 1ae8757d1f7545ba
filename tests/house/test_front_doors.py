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
SOURCES = sorted(ROOT.rglob("*.py"))
#: The doors: each floor's, and the sub-doors that other floors may enter: modules with a public name and exports.
DOORS = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in SOURCES
    if (path.parent.parent == ROOT and path.name == "__init__.py")
    or (
        (path.parent.parent == ROOT or (path.name == "__init__.py" and path.parent.parent.parent == ROOT))
        and not any(part.startswith("_") and part != "__init__.py" for part in path.relative_to(ROOT).parts)
        and "= lazy_exports(__name__)\n" in path.read_text(encoding="utf-8")
    )
]
#: Names that a door may have: 42, but for these.
MAX_NAMES = {"arena": 45, "agents": 46, "rules": 46, "spots": 46}


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("floor", ["", *DOORS])
def test_a_front_door_exports_what_it_imports(floor: str) -> None:
    module = importlib.import_module(f"dupai.{floor}" if floor else "dupai")
    assert module.__doc__, "a door says what it is for"
    assert len(module.__all__) <= MAX_NAMES.get(floor, 42)
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
def test_other_floors_are_entered_by_their_doors(path: Path) -> None:
    own = path.relative_to(ROOT).parts[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} relative import"
            parts = (node.module or "").split(".")
            if parts[0] == "dupai" and len(parts) > 2:
                door = ".".join(parts[1:]) in DOORS
                assert door or parts[1] == own, f"{path}:{node.lineno} reaches into {node.module}"


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_kernels_are_made_one_way_and_in_one_place(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    relative = _name(path)
    if relative == "base/_jit.py":
        return
    assert not re.search(r"^\s*@(numba\.)?n?jit", source, re.MULTILINE), "kernels are made by dupai.base.kernel"
    if re.search(r"^@kernel", source, re.MULTILINE):
        assert "_kernels" in relative, "kernels live in _kernels.py or a _kernels package"
