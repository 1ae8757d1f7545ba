"""Front doors that open only what is asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any


def lazy_exports(
    package: str, where: Mapping[str, str], modules: Collection[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` for a package whose public names live in submodules loaded on first use.

    ``where`` maps a public name to the module that defines it; ``modules`` are submodules reached by their own name.
    Used where importing everything would load numba or another slow library before it is needed (PEP 562).
    """

    def __getattr__(name: str) -> Any:
        if name in modules:
            return import_module(f"{package}.{name}")
        module = where.get(name)
        if module is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(module), name)

    def __dir__() -> list[str]:
        return sorted([*where, *modules])

    return __getattr__, __dir__
