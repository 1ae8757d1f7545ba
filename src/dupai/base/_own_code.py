"""Machine code that was compiled for this very processor."""

from __future__ import annotations

from pathlib import Path

from dupai.base._jit import _cache_dir, _module_file
from dupai.base._pack import PACKED


def has_own_code(name: str) -> bool:
    """Whether a kernel, as ``module:name``, was compiled for this very processor."""
    module, _, function = name.partition(":")
    source = _module_file(module.removeprefix("dupai."))
    files = () if source is None else Path(_cache_dir(source)).glob(f"{source.stem}.{function}-*.nbc")
    return any(not file.name.endswith(PACKED) for file in files)
