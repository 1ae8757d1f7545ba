"""Base: errors, estimates, progress, random numbers and the kernel compiler. Imports nothing else of dupai.

Importing this package loads neither numba nor numpy; :class:`Rng`, :func:`kernel` and the random-number kernels
load them on first use.
"""

from typing import TYPE_CHECKING

from dupai.base._errors import (
    AgentError,
    ConfigError,
    DupaiError,
    HistoryError,
    NotationError,
    ProtocolError,
    RulesError,
)
from dupai.base._estimate import Z95, Estimate
from dupai.base._lazy import lazy_exports
from dupai.base._notice import announce_compilation
from dupai.base._progress import NoProgress, Progress

if TYPE_CHECKING:
    from dupai.base._jit import cache_root, kernel
    from dupai.base._kernels import next_below, next_uniform, next_word
    from dupai.base._rng import Rng
else:
    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "Rng": "dupai.base._rng",
            "cache_root": "dupai.base._jit",
            "kernel": "dupai.base._jit",
            "next_below": "dupai.base._kernels",
            "next_uniform": "dupai.base._kernels",
            "next_word": "dupai.base._kernels",
        },
    )

__all__ = [
    "Z95",
    "AgentError",
    "ConfigError",
    "DupaiError",
    "Estimate",
    "HistoryError",
    "NoProgress",
    "NotationError",
    "Progress",
    "ProtocolError",
    "Rng",
    "RulesError",
    "announce_compilation",
    "cache_root",
    "kernel",
    "lazy_exports",
    "next_below",
    "next_uniform",
    "next_word",
]
