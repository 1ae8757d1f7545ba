"""``dupai doctor``."""

from __future__ import annotations

from typing import Any

from dupai.base import cache_root
from dupai.cli._common import console, print_json
from dupai.cli._shared import json_keys

#: Optional parts: import name, extra that installs it, purpose.
_OPTIONAL = (
    ("torch", "train", "training networks"),
    ("onnxruntime", "train", "playing networks"),
    ("ray", "cluster", "matches on many machines"),
    ("fastapi", "web", "the table in a browser"),
    ("eval7", "dev", "benchmark peer"),
    ("pokerkit", "dev", "second engine"),
    ("pyspiel", "dev", "second engine"),
)


def doctor(
    json: bool = json_keys("version, python, platform, cores, packages, cache, kernels, tables, optional"),
) -> None:
    """Show what this installation has: versions, cores, cache folder, compiled kernels, optional parts.

    Example:

      dupai doctor --json
    """
    report = _report()
    if json:
        print_json(report)
        return
    out = console()
    out.print(f"dupai      {report['version']}   python {report['python']}   {report['platform']}")
    out.print("packages   " + ", ".join(f"{k} {v}" for k, v in report["packages"].items()))
    out.print(f"cores      {report['cores']}")
    cache, compiled = report["cache"], report["kernels"]["compiled"]
    out.print(f"cache      {cache['folder']} ({cache['bytes'] / 1e6:.1f} MB)", soft_wrap=True)
    state = f"{compiled} files of machine code" if compiled else "not compiled yet (that happens on first use)"
    out.print(f"kernels    {state}")
    for name, built in report["tables"].items():
        out.print(f"table      {name}: {'there' if built else 'not built yet (dupai build-tables)'}")
    for name, part in report["optional"].items():
        version = part["version"] or f"absent (pip install 'dupai[{part['extra']}]')"
        out.print(f"optional   {name:<12} {version}: {part['for']}")


def _report() -> dict[str, Any]:
    import importlib.util
    import os
    import platform
    from importlib.metadata import PackageNotFoundError, version

    from dupai import __version__
    from dupai.equity import table_file

    def installed(name: str) -> str | None:
        if importlib.util.find_spec(name) is None:
            return None
        try:
            return version({"pyspiel": "open_spiel"}.get(name, name))
        except PackageNotFoundError:
            return "?"

    root = cache_root()
    files = [f for f in root.rglob("*") if f.is_file()]
    return {
        "version": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(terse=True),
        "cores": os.cpu_count(),
        "packages": {n: installed(n) for n in ("numpy", "numba", "llvmlite", "msgspec", "typer", "rich")},
        "cache": {"folder": str(root), "bytes": sum(f.stat().st_size for f in files)},
        "kernels": {"compiled": sum(f.suffix == ".nbc" for f in files)},
        "tables": {"win rates before the turn": True, "win rates on the turn": table_file().is_file()},
        "optional": {name: {"version": installed(name), "extra": extra, "for": use} for name, extra, use in _OPTIONAL},
    }
