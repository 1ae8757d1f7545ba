"""Front doors that write each exported name once and load only what is asked for."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any


def exports(source: str) -> dict[str, tuple[str, str]]:
    """The names that a front door exports: by public name the module it comes from and its name there.

    They are what the source imports under ``if TYPE_CHECKING:``.
    """
    return {
        alias.asname or alias.name: (statement.module or "", alias.name)
        for block in ast.parse(source).body
        if isinstance(block, ast.If) and isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING"
        for statement in block.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }


def lazy_exports(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package whose public names live in modules loaded on first use.

    The names are read from the package's own source: they are those that it imports under ``if TYPE_CHECKING:``. So a
    front door lists each name once, in the form that type checkers take for an export (PEP 484), and loads neither
    numba nor another slow library before it is needed (PEP 562)::

        if TYPE_CHECKING:
            from dupai.cards._strength import strength as strength, strengths as strengths
        else:
            from dupai.base import lazy_exports

            __getattr__, __dir__, __all__ = lazy_exports(__name__)

    Where a name is also that of the module it comes from, ``package.name`` is the exported object, and the module is
    reached by ``from package.name import ...``: it is imported here, once, because importing a module later would put
    it in the place of the object.
    """
    spec = find_spec(package)
    where = exports(spec.loader.get_source(package))  # type: ignore[union-attr]
    exported = sorted(where)
    for name in exported:
        if where[name][0] == f"{package}.{name}":
            import_module(f"{package}.{name}")
            delattr(sys.modules[package], name)

    def __getattr__(name: str) -> Any:
        if name not in where:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        path, attribute = where[name]
        value = getattr(import_module(path), attribute)
        setattr(sys.modules[package], name, value)
        return value

    def __dir__() -> list[str]:
        return exported

    return __getattr__, __dir__, exported
