"""``dupai doctor`` and ``dupai build-tables``."""

from __future__ import annotations

from typing import Any

from typer import Option

from dupai.base import FileError, cache_root, install_hint
from dupai.base.text import duration
from dupai.cli._common import console, print_json, progress, say
from dupai.cli._shared import JsonOption, json_keys, leave

#: Optional parts by the extra that installs them: import name and purpose.
_OPTIONAL = {
    "train": {"torch": "training networks"},
    "cnn": {"onnxruntime": "running .onnx networks"},
    "history": {"pyarrow": "the hand store", "duckdb": "queries of the hand store"},
    "env": {"pettingzoo": "PettingZoo environments", "gymnasium": "Gymnasium environments"},
    "report": {"matplotlib": "pictures of read hands"},
    "cluster": {"ray": "matches on many machines"},
    "web": {"fastapi": "the table in a browser"},
    "dev": {"eval7": "benchmark peer", "pyspiel": "second engine", "pokerkit": "second engine"},
}  # fmt: skip


def doctor(
    compile: bool = Option(False, "--compile", help="Compile what the common commands use now, on all cores."),
    json: bool = json_keys("version, python, platform, cores, packages, cache, kernels, tables, optional"),
) -> None:
    """Show what this installation has: versions, cores, cache folder, compiled kernels, optional parts.

    Machine code of the kernels comes with the package for Linux on x86-64-v3 (processors of 2015 and later) and the
    Python that it names; elsewhere kernels are compiled once, where they are first used. --compile does it for all
    common commands at once, in worker processes, and again for this very processor the few kernels that gain from it.
    Ctrl-C keeps the kernels that are done (exit code 130).

    Examples:

      dupai doctor --json

      dupai doctor --compile
    """
    if compile:
        _compile()
    report = _report()
    if json:
        print_json(report)
        return
    out = console()
    out.print(f"dupai      {report['version']}   python {report['python']}   {report['platform']}")
    out.print("packages   " + ", ".join(f"{k} {v}" for k, v in report["packages"].items()))
    out.print(f"cores      {report['cores']}")
    cache, kernels = report["cache"], report["kernels"]
    out.print(f"cache      {cache['folder']} ({cache['bytes'] / 1e6:.1f} MB)", soft_wrap=True)
    out.print(f"kernels    {kernels['packed']} taken from the package, {kernels['compiled']} compiled here")
    pack = kernels["pack"]
    state = "none for this machine and Python: kernels are compiled on first use"
    if pack is not None:
        state = f"{pack['file']}, {pack['bytes'] / 1e6:.1f} MB, for {pack['level']}, {pack['modules']} modules"
    out.print(f"pack       {state}", soft_wrap=True)
    for name, built in report["tables"].items():
        out.print(f"table      {name}: {'there' if built else 'not built yet (dupai build-tables)'}")
    for name, part in report["optional"].items():
        version = part["version"] or f"absent ({install_hint(part['extra'])})"
        out.print(f"optional   {name:<12} {version}: {part['for']}")


def _compile() -> None:
    """Compile the listed kernels, with a progress bar."""
    import os

    from dupai.jobs import KERNEL_GROUPS, OWN_WIDTH, compile_kernels

    with progress("compiling kernels", delay=0.0) as bar:
        for group in KERNEL_GROUPS:
            compile_kernels(group, jobs=os.cpu_count() or 1, progress=bar)
        compile_kernels(OWN_WIDTH, jobs=os.cpu_count() or 1, progress=bar)
        leave(complete=not bar.cancelled, note="stopped: the kernels that are done are kept")


def _report() -> dict[str, Any]:
    import contextlib
    import importlib.util
    import os
    import platform
    from importlib.metadata import PackageNotFoundError, version
    from pathlib import Path

    from dupai.base import __version__
    from dupai.base.machine_code import PACKED, pack_facts
    from dupai.equity import table_file

    def installed(name: str) -> str | None:
        if importlib.util.find_spec(name) is None:
            return None
        try:
            return version({"pyspiel": "open_spiel"}.get(name, name))
        except PackageNotFoundError:
            return "?"

    root, pack = cache_root(), pack_facts()
    files = []
    for place, _, names in os.walk(root):
        for name in names:
            # Machine code may just be unpacked, under names that go.
            with contextlib.suppress(FileNotFoundError):
                files.append((name, (Path(place) / name).stat().st_size))
    packed = sum(name.endswith(PACKED) for name, _ in files)
    kernels: dict[str, Any] = {"packed": packed, "compiled": sum(name.endswith(".nbc") for name, _ in files) - packed}
    kernels["pack"] = pack
    return {
        "version": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(terse=True),
        "cores": os.cpu_count(),
        "packages": {n: installed(n) for n in ("numpy", "numba", "llvmlite", "msgspec", "typer", "rich")},
        "cache": {"folder": str(root), "bytes": sum(size for _, size in files)},
        "kernels": kernels,
        "tables": {"win rates before the turn": True, "win rates on the turn": table_file().is_file()},
        "optional": {
            name: {"version": installed(name), "extra": extra, "for": use}
            for extra, parts in _OPTIONAL.items()
            for name, use in parts.items()
        },
    }


def build_tables(
    force: bool = Option(False, "--force", help="Build them again even if they are there."), json: JsonOption = False
) -> None:
    """Build the tables that are too large to ship: win rates on the turn (48 MB, some seconds).

    They go into the cache folder (see 'dupai doctor') and are otherwise built when first needed. A file that is damaged
    or of another version is replaced. Ctrl-C stops and leaves everything as it was (exit code 130).

    JSON keys: file, bytes, entries, built (false: it was there), seconds.

    Examples:

      dupai build-tables

      dupai build-tables --force --json
    """
    import time

    from dupai.equity import load_win_rate_table, table_file

    start = time.perf_counter()
    path = table_file()
    before = path.stat().st_mtime_ns if path.exists() else None
    with progress("win rates on the turn") as bar:
        entries = load_win_rate_table(turn=True, progress=bar, rebuild=force).entries.size
        leave(complete=not bar.cancelled, note="stopped: nothing was written")
    if not path.exists():
        raise FileError(f"{path} cannot be written: set DUPAI_CACHE_DIR to a folder that can", path=path)
    built = path.stat().st_mtime_ns != before
    seconds, size = time.perf_counter() - start, path.stat().st_size
    if json:
        print_json({"file": str(path), "bytes": size, "entries": entries, "built": built, "seconds": seconds})
        return
    done = f"built in {duration(seconds)}" if built else "already there"
    say(f"{path}: {entries:,} win rates, {size / 1e6:.1f} MB, {done}")
