"""Logs scanned by kernels into columns: what the importer reads whole files with."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.notation._kernels import scan_kernel as scan_kernel, scan_phh_kernel as scan_phh_kernel
    from dupai.notation._layout import (
        DEAL as DEAL,
        GOOD as GOOD,
        HAND_DTYPE as HAND_DTYPE,
        PHH_DTYPE as PHH_DTYPE,
        PHH_WORDS as PHH_WORDS,
        UNITS as UNITS,
        HandColumns as HandColumns,
        row_dtype as row_dtype,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
