"""Jobs: work shared out among this process, worker processes or a Ray cluster; progress, stopping, finished pieces.

:func:`share_out` is the one call that most work needs. Importing this package loads no backend.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.jobs._backend import (
        Backend as Backend,
        Pulse as Pulse,
        SavePoint as SavePoint,
        Tick as Tick,
        Work as Work,
    )
    from dupai.jobs._compiling import (
        KERNEL_GROUPS as KERNEL_GROUPS,
        OWN_WIDTH as OWN_WIDTH,
        are_compiled as are_compiled,
        compile_in_background as compile_in_background,
        compile_kernels as compile_kernels,
        listed_kernels as listed_kernels,
    )
    from dupai.jobs._database import Database as Database, patiently as patiently
    from dupai.jobs._keeper import Keeper as Keeper, first_difference as first_difference
    from dupai.jobs._local import LocalBackend as LocalBackend
    from dupai.jobs._nursery import Nursery as Nursery
    from dupai.jobs._outside import (
        ANSWER_SIZE as ANSWER_SIZE,
        Outside as Outside,
        OutsideError as OutsideError,
        ProcessLost as ProcessLost,
        end_idle as end_idle,
        is_outside as is_outside,
        outside_where_foreign as outside_where_foreign,
    )
    from dupai.jobs._processes import ProcessBackend as ProcessBackend
    from dupai.jobs._ray import RayBackend as RayBackend
    from dupai.jobs._serial import SerialBackend as SerialBackend
    from dupai.jobs._share import make_backend as make_backend, share_out as share_out, stream as stream
    from dupai.jobs._supervisor import hide_memory as hide_memory
    from dupai.jobs._workers import preload_in_workers as preload_in_workers
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
