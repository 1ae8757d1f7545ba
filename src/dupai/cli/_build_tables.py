"""``dupai build-tables``."""

from __future__ import annotations

from typer import Option

from dupai.base import FileError
from dupai.cli._common import console, print_json, progress
from dupai.cli._shared import JsonOption, leave


def build_tables(
    force: bool = Option(False, "--force", help="Build them again even if they are there."), json: JsonOption = False
) -> None:
    """Build the tables that are too large to ship: win rates on the turn (30 MB, some seconds).

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
    done = f"built in {seconds:.1f} s" if built else "already there"
    console().print(f"{path}: {entries:,} win rates, {size / 1e6:.1f} MB, {done}", soft_wrap=True)
