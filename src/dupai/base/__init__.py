"""Base: errors, estimates, progress, random numbers, specs and the kernel compiler. Imports nothing else of dupai.

Importing this package loads neither numba nor numpy; :class:`Rng`, :func:`kernel` and the random-number kernels
load them on first use.
"""

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
    from dupai.base._blas import one_blas_thread as one_blas_thread
    from dupai.base._decode import (
        SIZE_LIMITS as SIZE_LIMITS,
        array_of as array_of,
        check_growth as check_growth,
        check_shapes as check_shapes,
        file_faults as file_faults,
        from_json as from_json,
        from_plain as from_plain,
        opened as opened,
        place_of as place_of,
        read_arrays as read_arrays,
        read_json_file as read_json_file,
        read_text as read_text,
        read_toml_file as read_toml_file,
        read_whole as read_whole,
    )
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
    )
    from dupai.base._estimate import (
        Z95 as Z95,
        Estimate as Estimate,
        clustered_error as clustered_error,
        t95 as t95,
    )
    from dupai.base._examples import EXAMPLES as EXAMPLES, example as example, with_examples as with_examples
    from dupai.base._files import (
        lock_file as lock_file,
        open_whole as open_whole,
        whole_path as whole_path,
        write_whole as write_whole,
    )
    from dupai.base._jit import cache_root as cache_root, kernel as kernel
    from dupai.base._kernels import next_below as next_below, next_uniform as next_uniform, next_word as next_word
    from dupai.base._lazy import lazy_exports as lazy_exports
    from dupai.base._nearest import closest as closest, nearest as nearest
    from dupai.base._notice import announce_compilation as announce_compilation
    from dupai.base._notify import notify as notify
    from dupai.base._printable import Printable as Printable, plain as plain
    from dupai.base._progress import NoProgress as NoProgress, Progress as Progress
    from dupai.base._rng import Rng as Rng
    from dupai.base._seeding._kernels import seed_stream_kernel as seed_stream_kernel
    from dupai.base._settings import Field as Field, fields_of as fields_of, settings_of as settings_of
    from dupai.base._shipped import digest as digest, files_at as files_at, shipped as shipped
    from dupai.base._spec import (
        Option as Option,
        OptionInfo as OptionInfo,
        SpecRegistry as SpecRegistry,
        check_between as check_between,
        checked_options as checked_options,
        spec_options as spec_options,
        spec_presets as spec_presets,
        spec_summary as spec_summary,
        split_spec as split_spec,
    )
    from dupai.base._text import (
        duration as duration,
        labels_of as labels_of,
        number_text as number_text,
        quoted as quoted,
        read_toml as read_toml,
        visible as visible,
        whole_number as whole_number,
    )
    from dupai.base._uncounted import counted_kernel as counted_kernel, uncounted_kernel as uncounted_kernel
    from dupai.base._version import __version__ as __version__
else:
    from dupai.base._lazy import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
