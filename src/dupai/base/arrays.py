"""NumPy's arrays as types: ``F64`` is an array of float64, ``U8`` one of uint8, and so on."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.base._arrays import (
        F32 as F32,
        F64 as F64,
        I8 as I8,
        I16 as I16,
        I32 as I32,
        I64 as I64,
        U8 as U8,
        U16 as U16,
        U32 as U32,
        U64 as U64,
        AnyArray as AnyArray,
        Bool as Bool,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
