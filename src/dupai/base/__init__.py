"""Base: errors, estimates, progress, random numbers, specs and the kernel compiler. Imports nothing else of dupai.

Importing this package loads neither numba nor numpy; :class:`Rng`, :func:`kernel` and the random-number kernels
load them on first use.
"""

from typing import TYPE_CHECKING

from dupai.base._errors import (
    AgentError,
    ConfigError,
    DupaiError,
    FileError,
    HistoryError,
    MissingPackage,
    NotationError,
    ProtocolError,
    RulesError,
    WorkerError,
)
from dupai.base._estimate import Z95, Estimate, clustered_error
from dupai.base._lazy import lazy_exports
from dupai.base._nearest import closest, nearest
from dupai.base._notice import announce_compilation
from dupai.base._progress import NoProgress, Progress
from dupai.base._version import __version__

if TYPE_CHECKING:
    from dupai.base._files import open_whole, whole_path, write_whole
    from dupai.base._jit import cache_root, kernel
    from dupai.base._kernels import next_below, next_uniform, next_word
    from dupai.base._rng import Rng
    from dupai.base._seeding._kernels import seed_stream_kernel
    from dupai.base._shipped import digest, shipped
    from dupai.base._spec import (
        Option,
        OptionInfo,
        SpecRegistry,
        check_between,
        checked_options,
        spec_options,
        spec_presets,
        spec_summary,
        split_spec,
    )
else:
    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "Option": "dupai.base._spec",
            "OptionInfo": "dupai.base._spec",
            "Rng": "dupai.base._rng",
            "SpecRegistry": "dupai.base._spec",
            "cache_root": "dupai.base._jit",
            "check_between": "dupai.base._spec",
            "checked_options": "dupai.base._spec",
            "digest": "dupai.base._shipped",
            "kernel": "dupai.base._jit",
            "next_below": "dupai.base._kernels",
            "next_uniform": "dupai.base._kernels",
            "next_word": "dupai.base._kernels",
            "seed_stream_kernel": "dupai.base._seeding._kernels",
            "open_whole": "dupai.base._files",
            "shipped": "dupai.base._shipped",
            "spec_options": "dupai.base._spec",
            "spec_presets": "dupai.base._spec",
            "spec_summary": "dupai.base._spec",
            "split_spec": "dupai.base._spec",
            "whole_path": "dupai.base._files",
            "write_whole": "dupai.base._files",
        },
    )

__all__ = [
    "Z95",
    "AgentError",
    "ConfigError",
    "DupaiError",
    "Estimate",
    "FileError",
    "HistoryError",
    "MissingPackage",
    "NoProgress",
    "NotationError",
    "Option",
    "OptionInfo",
    "Progress",
    "ProtocolError",
    "Rng",
    "RulesError",
    "SpecRegistry",
    "WorkerError",
    "__version__",
    "announce_compilation",
    "cache_root",
    "check_between",
    "checked_options",
    "closest",
    "clustered_error",
    "digest",
    "kernel",
    "lazy_exports",
    "nearest",
    "next_below",
    "next_uniform",
    "next_word",
    "open_whole",
    "seed_stream_kernel",
    "shipped",
    "spec_options",
    "spec_presets",
    "spec_summary",
    "split_spec",
    "whole_path",
    "write_whole",
]
