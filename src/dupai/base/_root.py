"""The folder for what is kept between runs."""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import tempfile
from functools import cache
from pathlib import Path

from dupai.base._notify import notify


@cache
def cache_root() -> Path:
    """Folder for everything dupai keeps between runs (machine code, built tables); exists and is writable.

    ``$DUPAI_CACHE_DIR``, else ``$XDG_CACHE_HOME/dupai``, else ``~/.cache/dupai``, else a folder in the temporary
    directory that carries the user's number, if this user owns it and no other may write to it. Else a new private
    folder, for this process and those that it starts; it is removed at the end.
    """
    own = os.environ.get("DUPAI_CACHE_DIR")
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    uid = os.getuid() if hasattr(os, "getuid") else 0
    shared = os.path.join(tempfile.gettempdir(), f"dupai-{uid}")
    for place in (own, os.path.join(home, "dupai"), shared):
        if not place:
            continue
        root = Path(place)
        try:
            root.mkdir(0o700 if place == shared else 0o777, parents=True, exist_ok=True)
            if place == shared and not _is_private(root):
                notify(f"dupai: {place} is not used: expected a folder of your own that no other user may write to")
                continue
            probe = tempfile.NamedTemporaryFile(dir=root, prefix=".probe")  # noqa: SIM115
            probe.close()
        except OSError:
            continue
        return root
    root = Path(tempfile.mkdtemp(prefix="dupai-"))
    os.environ["DUPAI_CACHE_DIR"] = str(root)
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    return root


def _is_private(folder: Path) -> bool:
    """Whether ``folder`` is a folder, no link, that this user owns and no other may write to."""
    status = folder.lstat()
    if not hasattr(os, "getuid"):
        return True
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022
