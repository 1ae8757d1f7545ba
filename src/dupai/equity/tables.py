"""Tables over boards up to renaming of suits: their index, and how numbers of all hands on all flops are packed."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.equity._build import (
        build_index as build_index,
        packed_flops as packed_flops,
        unpacked_flops as unpacked_flops,
    )
    from dupai.equity._kernels.table import number_kernel as number_kernel
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
