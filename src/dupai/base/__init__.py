"""Base: errors, estimates, progress, random numbers, specs and the kernel compiler. Imports nothing else of dupai.

Importing this package loads neither numba nor numpy; :class:`Rng`, :func:`kernel` and the random-number kernels
load them on first use.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.base._blas import one_blas_thread as one_blas_thread
    from dupai.base._errors import (
        AgentError as AgentError,
        ConfigError as ConfigError,
        DupaiError as DupaiError,
        FileError as FileError,
        HistoryError as HistoryError,
        MissingPackage as MissingPackage,
        NotationError as NotationError,
        NotCovered as NotCovered,
        ProtocolError as ProtocolError,
        RulesError as RulesError,
        TooLarge as TooLarge,
        WorkerError as WorkerError,
        install_hint as install_hint,
        optional_package as optional_package,
    )
    from dupai.base._estimate import Z95 as Z95, Estimate as Estimate, clustered_error as clustered_error, t95 as t95
    from dupai.base._examples import EXAMPLES as EXAMPLES, example as example, with_examples as with_examples
    from dupai.base._jit import kernel as kernel
    from dupai.base._kernels import next_below as next_below, next_uniform as next_uniform, next_word as next_word
    from dupai.base._keys import (
        checked_key as checked_key,
        key_hash as key_hash,
        source_of as source_of,
    )
    from dupai.base._lazy import lazy_exports as lazy_exports
    from dupai.base._notice import announce_compilation as announce_compilation
    from dupai.base._notify import notify as notify
    from dupai.base._printable import Printable as Printable
    from dupai.base._progress import NoProgress as NoProgress, Progress as Progress
    from dupai.base._rng import Rng as Rng
    from dupai.base._root import cache_root as cache_root
    from dupai.base._seeding._kernels import seed_stream_kernel as seed_stream_kernel
    from dupai.base._spec import Option as Option
    from dupai.base._uncounted import counted_kernel as counted_kernel, uncounted_kernel as uncounted_kernel
    from dupai.base._version import __version__ as __version__
else:
    from dupai.base._lazy import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
