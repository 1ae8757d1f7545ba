"""``dupai build-tables``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from typer import Option


def build_tables(
    force: Annotated[bool, Option("--force", help="Build them again even if they are there.")] = False,
    json: Annotated[bool, Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Build the tables that are too large to ship: win rates on the turn (30 MB, some seconds).

    They go into the cache folder (see 'dupai doctor') and are otherwise built when first needed. A file that is damaged
    or of another version is replaced. Ctrl-C stops and leaves nothing behind (exit code 130).

    JSON keys: file, bytes, entries, built (false: it was there), seconds.

    Examples:

      dupai build-tables

      dupai build-tables --force --json
    """
    import time

    from dupai.base import ConfigError
    from dupai.cli._common import console, print_json, progress
    from dupai.equity import load_win_rate_table, table_file

    start = time.perf_counter()
    path = table_file()
    before = path.stat().st_mtime_ns if path.exists() else None
    with progress("win rates on the turn") as bar, _aside(path, force):
        table = load_win_rate_table(turn=True, progress=bar)
        if bar.cancelled:
            console(stderr=True).print("stopped: nothing was written")
            raise typer.Exit(130)
    if not path.exists():
        raise ConfigError(f"{path} cannot be written: set DUPAI_CACHE_DIR to a folder that can")
    built = path.stat().st_mtime_ns != before
    seconds = time.perf_counter() - start
    size = path.stat().st_size
    if json:
        print_json(
            {"file": str(path), "bytes": size, "entries": table.entries.size, "built": built, "seconds": seconds}
        )
        return
    done = f"built in {seconds:.1f} s" if built else "already there"
    console().print(f"{path}: {table.entries.size:,} win rates, {size / 1e6:.1f} MB, {done}", soft_wrap=True)


@contextmanager
def _aside(path: Path, force: bool) -> Iterator[None]:
    """Inside, a file that is to be built again is not there; it comes back where none was built."""
    kept = path.with_name(f"{path.name}.before")
    if force and path.exists():
        path.replace(kept)
    try:
        yield
    finally:
        if path.exists():
            kept.unlink(missing_ok=True)
        elif kept.exists():
            kept.replace(path)
