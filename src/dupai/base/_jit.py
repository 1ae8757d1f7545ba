"""The one way to compile a kernel, and the cache of its machine code.

numba's own cache notices a change of a function's own file, but not of the helpers and tables that it uses from other
modules: the old machine code would stay in use. So the name of each kernel's cache folder is a hash of *everything its
module imports from dupai, directly or not*, of the small tables beside it, and of numba's version. The folder is in the
user's cache directory (``DUPAI_CACHE_DIR`` or ``XDG_CACHE_HOME`` change it) or, where that cannot be written, in a
temporary one. Machine code is run as it is read, so a temporary folder that another user could fill is not used.

A folder that is not there yet is filled from the pack (:mod:`dupai.base._pack`) if that has it. What is compiled here,
for this very processor, goes into the same folder and is preferred.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

# Before numba, whose import takes as long as to unpack machine code.
from dupai.base import _unpacking  # noqa: F401

# isort: split
from dupai.base import _bare_numba  # noqa: F401

# isort: split
import llvmlite.binding
import numba
import numpy as np
from numba.core import caching, event
from numba.core.runtime.nrt import rtsys

from dupai.base import _notice, _pack
from dupai.base._lazy import exports
from dupai.base._root import cache_root

F = TypeVar("F", bound=Callable[..., Any])

_PACKAGE = Path(__file__).resolve().parent.parent
_IMPORT = re.compile(
    r"^\s*(?:from\s+dupai((?:\.\w+)*)\s+import\s+(\([^)]*\)|[^\n]*)|import\s+dupai((?:\.\w+)*))", re.MULTILINE
)
#: Stands for this module in the digests: to be changed when kernels are compiled otherwise.
_COMPILER = bytes.fromhex("91b98930d00af7c8e0aba66ff07108ce")
#: Tables larger than this are never captured by a kernel (they are arguments), so they need not be hashed.
_TABLE_LIMIT = 4 << 20


def _module_file(dotted: str) -> Path | None:
    base = _PACKAGE.joinpath(*[p for p in dotted.split(".") if p])
    for path in (base.with_suffix(".py") if dotted else base / "__init__.py", base / "__init__.py"):
        if path.is_file():
            return path
    return None


@cache
def _exports(path: Path) -> dict[str, tuple[str, str]]:
    """What a door exports (nothing for other modules)."""
    source = path.read_text(encoding="utf-8")
    return exports(compile(source, path, "exec")) if "= lazy_exports(__name__)\n" in source else {}


@cache
def _imports(path: Path) -> tuple[Path, ...]:
    """Files of dupai that ``path`` imports (lazily too). A name from a front door leads to the module it comes from."""
    if path.name == "_jit.py":
        # What this module uses decides where machine code lies, not what it is.
        return ()
    modules: list[str] = []
    for dotted, names, plain in _IMPORT.findall(path.read_text(encoding="utf-8")):
        package = (dotted or plain).lstrip(".")
        file = _module_file(package)
        doors = {} if file is None else _exports(file)
        words = re.findall(r"\w+", names)
        if package and not doors:
            modules.append(package)
        modules += [doors[w][0].removeprefix("dupai.") if w in doors else f"{package}.{w}" for w in words]
    return tuple(dict.fromkeys(file for m in modules if (file := _module_file(m)) is not None))


@cache
def _closure(path: Path) -> frozenset[Path]:
    seen: set[Path] = set()
    todo = [path]
    while todo:
        p = todo.pop()
        if p not in seen:
            seen.add(p)
            todo.extend(_imports(p))
    return frozenset(seen)


@cache
def _digest(path: Path) -> bytes:
    return (
        _COMPILER if path == Path(__file__).resolve() else hashlib.blake2b(path.read_bytes(), digest_size=16).digest()
    )


@cache
def _cache_dir(path: Path) -> str:
    files = _closure(path)
    tables = {t for f in files for t in f.parent.glob("*.npz") if t.stat().st_size <= _TABLE_LIMIT}
    h = hashlib.blake2b(numba.__version__.encode(), digest_size=8)
    for f in sorted(files | tables):
        h.update(str(f.relative_to(_PACKAGE)).encode())
        h.update(_digest(f))
    place = cache_root() / "numba" / f"{path.parent.name}-{path.stem}-{h.hexdigest()}"
    if not place.exists():
        _drop_old(place)
        if not _pack.unpack(place):
            place.mkdir(parents=True, exist_ok=True)
    return str(place)


class _Locator(caching._SourceFileBackedLocatorMixin, caching._CacheLocator):  # type: ignore[misc,unused-ignore]
    """Files lie in the folder of the module's digest, wherever the package lies."""

    def __init__(self, function: Any, file: str) -> None:
        self._py_file, self._lineno = file, function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return _cache_dir(Path(self._py_file).resolve())


@cache
def _no_bitcode() -> bytes:
    return bytes(llvmlite.binding.parse_assembly("").as_bitcode())


def _module_for_linking(library: Any, bitcode: bytes) -> Any:
    """A library's module, parsed when another kernel is first compiled with it."""
    library._shared_module = module = llvmlite.binding.parse_bitcode(_pack.whole(bitcode))
    library._codegen._engine._load_defined_symbols(module)
    del library._get_module_for_linking
    return module


class _Files(caching.CompileResultCacheImpl):  # type: ignore[misc,unused-ignore]
    _locator_classes = [_Locator]  # noqa: RUF012 - as numba has it

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """Load machine code. numba would also parse its bitcode, which takes as long and is hardly ever used."""
        if _pack.manifest() is None:
            # Another Numba than that of the pack: its files may be made otherwise.
            return caching.CompileResultCacheImpl.rebuild(self, target_context, payload)  # type: ignore[no-untyped-call]
        (name, kind, (code, bitcode)), made, *rest = payload
        # What numba would find there: the function, and its entries from Python and from C.
        names = (made.llvm_func_name, made.llvm_cpython_wrapper_name, made.llvm_cfunc_wrapper_name)
        target_context.codegen()._engine._defined_symbols.update(names)
        payload = ((name, kind, (code, _no_bitcode())), made, *rest)
        result: Any = caching.CompileResultCacheImpl.rebuild(self, target_context, payload)  # type: ignore[no-untyped-call]
        result.library._get_module_for_linking = partial(_module_for_linking, result.library, bitcode)
        return result


class _Cache(caching.FunctionCache):  # type: ignore[misc,unused-ignore]
    """Machine code of this processor, else that of the pack. The folder is looked for when the kernel is first called:
    many kernels of a module never are."""

    _impl_class = _Files
    #: Pass over the pack: what is asked for is compiled for this processor.
    own_code = False

    def __init__(self, function: Any) -> None:
        self._py_func = function

    def __getattr__(self, name: str) -> Any:
        # What FunctionCache sets when it is made.
        if "_impl" in vars(self) or name.startswith("__"):
            raise AttributeError(name)
        caching.FunctionCache.__init__(self, self._py_func)  # type: ignore[no-untyped-call]
        return getattr(self, name)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load machine code, without the rules by which numba compiles: those take longer to load, and numba does so
        where nothing is found."""
        if _pack.manifest() is None:
            # Another Numba than that of the pack: its code may need them.
            target_context.refresh()
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        found = caching.FunctionCache._load_overload(self, sig, target_context)  # type: ignore[no-untyped-call]
        if found is not None or self.own_code or not _pack.runs_here():
            return found
        me: Any = self
        sig, (triple, _, _), hashes = me._index_key(sig, target_context.codegen())
        key = (sig, (triple, _pack.LEVEL, ""), hashes)
        data = me._cache_file.load(key)
        if data is not None and not _pack.can_link(data[0][2][1]):
            _pack.renew(Path(me._cache_path).parent)
            data = me._cache_file.load(key)
        return me._impl.rebuild(target_context, data) if data is not None and _pack.can_link(data[0][2][1]) else None


#: Untyped: numba has no stubs.
_CACHE: Any = _Cache


def has_machine_code(name: str, *, own: bool = False) -> bool:
    """Whether machine code of a kernel, as ``module:name``, lies in the cache folder or comes with the pack.

    Args:
        own: Count only what was compiled for this very processor.
    """
    module, _, function = name.partition(":")
    source = _module_file(module.removeprefix("dupai."))
    files = () if source is None else Path(_cache_dir(source)).glob(f"{source.stem}.{function}-*.nbc")
    return any(not (own and file.name.endswith(_pack.PACKED)) for file in files)


def compile_for_this_processor() -> None:
    """From now on, kernels that came with the pack are compiled again, for this very processor."""
    _Cache.own_code = True


def _drop_old(place: Path) -> None:
    """Remove all but the two newest folders of the same module, so that the cache stays small."""
    stem = place.name.rsplit("-", 1)[0]
    try:
        same = [p for p in place.parent.glob(f"{stem}-*") if p.name.rsplit("-", 1)[0] == stem]
        for old in sorted(same, key=lambda p: p.stat().st_mtime)[:-2]:
            shutil.rmtree(old, ignore_errors=True)
    except OSError:
        return


def kernel(function: F | None = None, **options: Any) -> Any:
    """Compile ``function`` with ``numba.njit(cache=True, nogil=True)``; every kernel of dupai is made by this.

    Use it as ``@kernel`` or ``@kernel(inline="always")``; options go to numba. Honours ``NUMBA_DISABLE_JIT=1``.
    """

    def wrap(f: F) -> Any:
        config: Any = numba.config
        if config.DISABLE_JIT:
            # Interpreted kernels wrap around in silence, as compiled ones do.
            return np.errstate(over="ignore")(f)
        source = Path(f.__code__.co_filename).resolve()
        # Without its source a kernel has no stamp, so that its machine code cannot be kept.
        dispatcher = numba.njit(**{"nogil": True, **options})(f)
        if source.is_file():
            dispatcher._cache = _CACHE(f)
        return dispatcher

    return wrap if function is None else wrap(function)


class _Notice(event.Listener):  # type: ignore[misc,unused-ignore]
    """Writes one line to standard error when the first kernel is compiled, after :func:`announce_compilation`."""

    def __init__(self) -> None:
        self.announced = False

    def on_start(self, event: Any) -> None:
        if _notice.enabled and not self.announced:
            self.announced = True
            sys.stderr.write("compiling kernels, once\n")
            sys.stderr.flush()

    def on_end(self, event: Any) -> None:
        return None


_register: Any = event.register
_register("numba:compile", _Notice())
