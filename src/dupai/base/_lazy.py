"""Front doors that write each exported name once and load only what is asked for."""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from types import CodeType
from typing import Any


def exports(code: CodeType) -> dict[str, tuple[str, str]]:
    """The names that a door exports: by public name the module it comes from and its name there.

    They are what the door's code imports from modules of dupai, but for :func:`lazy_exports` itself. Code instead of
    source text, so that a package without its sources works, too.
    """
    names: dict[str, tuple[str, str]] = {}
    module = name = ""
    for instruction in dis.get_instructions(code):
        if instruction.opname == "IMPORT_NAME":
            module = instruction.argval
        elif instruction.opname == "IMPORT_FROM":
            name = instruction.argval
        elif instruction.opname == "STORE_NAME" and name:
            if module.startswith("dupai.") and (module, name) != ("dupai.base", "lazy_exports"):
                names[instruction.argval] = module, name
            name = ""
    return names


def lazy_exports(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package whose public names live in modules loaded on first use.

    The names are read from the package's own code: they are those that it imports under ``if TYPE_CHECKING:``. So a
    door lists each name once, in the form that type checkers take for an export (PEP 484), and loads neither
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
    where = exports(spec.loader.get_code(package))  # type: ignore[union-attr]
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
