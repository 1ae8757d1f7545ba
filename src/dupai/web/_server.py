"""Running a server."""

from __future__ import annotations

import os
import socket
import threading
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dupai.base import ConfigError, FileError, MissingPackage, notify
from dupai.base.files import lock_file

#: The files of tables and of their lock in a server's folder, and the largest frame that a socket may send.
TABLES_FILE, _LOCK_FILE = "tables.db", "tables.lock"
_FRAME = 65_536


def need_web() -> Any:
    """The web server's package.

    Raises:
        MissingPackage: the extra ``web`` is not installed.
    """
    try:
        import fastapi  # noqa: F401
        import uvicorn
    except ImportError:
        raise MissingPackage("fastapi and uvicorn", "web", "the table in the browser") from None
    return uvicorn


@contextmanager
def _sole_use(place: Path) -> Iterator[None]:
    """Keep other servers out of a folder: two would play the same tables.

    Raises:
        FileError: another server has it, or the lock cannot be made.
    """
    path = place / _LOCK_FILE
    try:
        file = path.open("a")
    except OSError as error:
        raise FileError(f"--folder {str(place)!r}: {error.strerror or error}", path=place) from None
    with file:
        if not lock_file(file, path):
            raise FileError(
                f"--folder {str(place)!r}: another dupai web serves its tables: expected another folder", path=place
            )
        yield


def run_server(
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    folder: str | None = None,
    sources: Sequence[str] = (),
    results: Sequence[str] = (),
    reports: Sequence[str] = (),
    allow: Sequence[str] = (),
    jobs: int = 2,
    open_page: bool = False,
) -> None:
    """Serve until Ctrl-C.

    Raises:
        MissingPackage: the extra ``web`` is not installed.
        ConfigError: the address cannot be used.
        FileError: the folder or a source cannot be used, or another server uses the folder.
    """
    uvicorn = need_web()
    from dupai.engine import engine_nursery
    from dupai.jobs import compile_in_background
    from dupai.web._app import ServerSettings, make_app

    try:
        host.encode("idna")
    except UnicodeError:
        raise ConfigError(f"--host {host!r}: expected an address or the name of a computer", key="host") from None
    place = Path(folder or "web")
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"--folder {str(place)!r}: {error.strerror or error}", path=place) from None
    # Before there is a socket or a thread, which a process would inherit.
    nursery = engine_nursery()
    try:
        listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise ConfigError(f"--host {host} --port {port}: {reason}", key="port") from None
    with listening, _sole_use(place):
        port = listening.getsockname()[1]
        app = make_app(
            ServerSettings(place / TABLES_FILE, sources, results, reports, (host, *allow), jobs, nursery=nursery)
        )
        address = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
        notify(f"dupai web: {address}   tables in {place / TABLES_FILE}   Ctrl-C stops")
        compile_in_background()
        if open_page:
            threading.Timer(0.5, webbrowser.open, (address,)).start()
        config = uvicorn.Config(
            app, log_level="warning", ws_max_size=_FRAME, ws_max_queue=8, server_header=False, date_header=False,
            timeout_graceful_shutdown=2, ws_per_message_deflate=False, h11_max_incomplete_event_size=32_768,
        )  # fmt: skip
        uvicorn.Server(config).run([listening])
