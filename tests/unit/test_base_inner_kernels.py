"""Kernels whose name begins with an underscore: only kernels call them, so they have no wrapper for Python."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path
from typing import Any

from numba.core.registry import CPUDispatcher

import dupai

_PACKAGE = Path(dupai.__file__).parent
_TESTS = Path(__file__).parents[1]
_KERNEL = re.compile(r"^\s*@\w*kernel\b", re.MULTILINE)


def _modules() -> list[Any]:
    """The modules of the package that define kernels."""
    paths = [p for p in sorted(_PACKAGE.rglob("*.py")) if _KERNEL.search(p.read_text(encoding="utf-8"))]
    return [import_module(".".join(("dupai", *p.relative_to(_PACKAGE).with_suffix("").parts))) for p in paths]


def _inner(module: Any) -> set[str]:
    """The names in a module that are kernels without a wrapper for Python."""
    return {
        name
        for name, value in vars(module).items()
        if isinstance(value, CPUDispatcher) and value.targetoptions.get("no_cpython_wrapper")
    }


def _used_by_python(tree: ast.AST, names: set[str]) -> set[str]:
    """Those of the names that code outside of kernels uses."""
    todo: list[ast.AST] = [tree]
    used = set()
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef) and any("kernel" in ast.unparse(d) for d in node.decorator_list):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
            used.add(node.id)
        todo += ast.iter_child_nodes(node)
    return used


def test_no_python_code_of_the_package_calls_one() -> None:
    count = 0
    for module in _modules():
        inner = _inner(module)
        count += len(inner)
        text = Path(module.__file__).read_text(encoding="utf-8")
        assert not _used_by_python(ast.parse(text), inner), module.__name__
    assert count > 100


def test_only_kernels_and_no_test_import_one() -> None:
    for path in [*_PACKAGE.rglob("*.py"), *_TESTS.rglob("*.py")]:
        if "_kernels" in (path.stem, path.parent.name):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and "_kernels" in (node.module or ""):
                private = [alias.name for alias in node.names if alias.name.startswith("_")]
                assert not private, f"{path}: {private}: expected kernels that Python may call"


def test_a_use_from_python_is_found() -> None:
    text = "@kernel\ndef _a(x):\n    return _b(x)\n\ndef c():\n    return _a(1)\n"
    assert _used_by_python(ast.parse(text), {"_a", "_b"}) == {"_a"}
