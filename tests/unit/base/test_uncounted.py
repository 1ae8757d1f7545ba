"""Kernels without reference counts: what they call must make no array, or count by itself."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.errors import NumbaError
from numba.core.registry import CPUDispatcher

import dupai
from dupai.base import counted_kernel, uncounted_kernel

_ROOT = Path(dupai.__file__).parent
#: Functions that make an array.
_MAKERS = {"empty", "zeros", "ones", "full", "array", "arange", "concatenate", "argsort", "sort", "unique", "nonzero"}
_MAKERS |= {"empty_like", "zeros_like", "ones_like", "full_like", "copy", "astype", "flatten", "cumsum", "where"}


def _modules() -> Iterator[ModuleType]:
    for path in sorted(_ROOT.rglob("*.py")):
        if "import" in (text := path.read_text(encoding="utf-8")) and "@uncounted_kernel" in text:
            yield import_module(".".join(("dupai", *path.relative_to(_ROOT).with_suffix("").parts)))


def _uncounted() -> list[Any]:
    found = [
        value
        for module in _modules()
        for value in vars(module).values()
        if isinstance(value, CPUDispatcher) and value.py_func.__module__ == module.__name__
    ]
    return [one for one in found if one.targetoptions.get("_nrt") is False]


def _calls(one: Any) -> list[Any]:
    names = (one.py_func.__globals__.get(name) for name in one.py_func.__code__.co_names)
    return [value for value in names if isinstance(value, CPUDispatcher)]


def test_what_they_call_makes_no_array_or_counts() -> None:
    todo, seen = _uncounted(), set()
    assert len(todo) > 40
    while todo:
        one = todo.pop()
        if one in seen or one.targetoptions.get("_nrt") is True:
            continue
        seen.add(one)
        makes = _MAKERS & set(one.py_func.__code__.co_names)
        assert not makes, f"{one.py_func.__module__}.{one.py_func.__name__} calls {makes}: expected @counted_kernel"
        todo += _calls(one)


def test_one_that_makes_an_array_is_refused() -> None:
    def makes(n: int) -> int:
        return np.zeros(n)[0]  # type: ignore[no-any-return]

    assert uncounted_kernel.keywords == {"_nrt": False} and counted_kernel.keywords == {"_nrt": True}
    with pytest.raises(NumbaError, match="zeros"):
        numba.njit(makes, **uncounted_kernel.keywords)(3)
    assert numba.njit(makes, **counted_kernel.keywords)(3) == 0
