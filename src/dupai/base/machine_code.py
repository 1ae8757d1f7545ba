"""Machine code of kernels: what is there, what ships with the package, and compiling for this very processor."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.base._jit import (
        compile_for_this_processor as compile_for_this_processor,
        has_machine_code as has_machine_code,
    )
    from dupai.base._pack import PACKED as PACKED, pack_facts as pack_facts
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
