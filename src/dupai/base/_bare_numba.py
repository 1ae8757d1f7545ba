"""Imports numba without SciPy, which it imports where that is installed, to find a BLAS: that takes longer than all the
rest, and no kernel of dupai multiplies matrices."""

from __future__ import annotations

import sys
from importlib.util import find_spec

_HIDDEN = "scipy" not in sys.modules and find_spec("scipy") is not None
if _HIDDEN:
    sys.modules["scipy"] = None  # type: ignore[assignment]
try:
    from numba.np import arraymath
finally:
    if _HIDDEN:
        del sys.modules["scipy"]
if _HIDDEN:
    # What others compile may use it.
    arraymath._HAVE_BLAS = True
