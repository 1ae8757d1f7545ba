"""Kernels without reference counts."""

from __future__ import annotations

from functools import partial

from dupai.base._jit import kernel

#: ``@uncounted_kernel`` is ``@kernel`` without numba's counting of references to arrays. In small kernels over
#: structures of many arrays that counting takes more time than their work (a search ran three times as fast without
#: it). It is right for kernels that make no array and return only numbers: their arrays belong to the caller. numba
#: refuses what makes an array. A kernel inherits this from the one that calls it first, so whatever these call must be
#: of these too, or be ``@counted_kernel`` (a test looks).
uncounted_kernel = partial(kernel, _nrt=False)
#: ``@kernel`` for those that are called by uncounted ones and make arrays.
counted_kernel = partial(kernel, _nrt=True)
