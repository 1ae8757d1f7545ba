"""The application: routes, static files, errors."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, Response
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from dupai.agents import AgentInfo, agent_infos, spec_traits
from dupai.agents.opponents import Opponent, Strength, opponents
from dupai.base import DupaiError, RulesError, __version__
from dupai.cards import COMBOS, combo_text
from dupai.jobs import Nursery, end_idle
from dupai.reading import HAND_CLASSES, ReaderInfo, readers
from dupai.web import _messages as m
from dupai.web._engines import Engines
from dupai.web._guard import MAX_UPLOAD, RATE, Guard
from dupai.web._http import Gone, failure, reply
from dupai.web._kept import KeptTables
from dupai.web._reports import Reports
from dupai.web._rooms import MAX_TABLES, Rooms, usual
from dupai.web._sources import Sources
from dupai.web._stats import ResultFiles
from dupai.web._study_routes import Study, study_routes
from dupai.web._table_routes import table_routes

STATIC = Path(__file__).parent / "static"
#: Of runs that the page starts, beside the file of tables.
RESULTS_FILE = "results.db"
_FLAGS = ("on", "off")
ADVISORS = ("advisor", "rules", "fold:reader=model", "style:TA", "expert", "swarm", "mcts")


@dataclass(frozen=True)
class ServerSettings:
    """What a server is made with.

    Args:
        file: SQLite file of tables.
        sources, results, reports: files, stores and folders to show.
        hosts: names that browsers may use, beside those of this machine.
        jobs: processes of engines; ``nursery``: where they are forked, if they are.
        tables: most tables at a time.
        rate: requests a second of one address; 0: any number.
    """

    file: str | os.PathLike[str]
    sources: Sequence[str] = ()
    results: Sequence[str] = ()
    reports: Sequence[str] = ()
    hosts: Sequence[str] = ()
    jobs: int = 2
    tables: int = MAX_TABLES
    rate: float = RATE
    nursery: Nursery | None = None


def make_app(settings: ServerSettings) -> Any:
    """The ASGI application of a server.

    Raises:
        FileError: the file of tables or a source cannot be used.
    """
    store = KeptTables(settings.file)
    engines = Engines(settings.jobs, settings.nursery)
    rooms = Rooms(store, engines, settings.tables)
    rooms.read()
    results = ResultFiles(settings.results, Path(settings.file).with_name(RESULTS_FILE))
    study = Study(rooms, engines, Sources(settings.sources), results, Reports(settings.reports))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        rooms.open()
        try:
            yield
        finally:
            await study.solves.close()
            await study.runs.close()
            await rooms.close()
            await engines.close()
            store.close()

    app = FastAPI(
        title="dupai", version=__version__, docs_url=None, redoc_url=None, openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )  # fmt: skip
    app.state.rooms = rooms
    _errors(app)
    #: Made once: a package that does not answer is waited for once, by all.
    info: list[asyncio.Task[Response]] = []

    @app.get("/api/info")
    async def about() -> Response:
        if not info:
            info.append(asyncio.create_task(asyncio.to_thread(_answered_info)))
        return Response((await asyncio.shield(info[0])).body, media_type="application/json")

    app.include_router(table_routes(rooms))
    app.include_router(study_routes(study))
    _pages(app)
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    return Guard(app, ("127.0.0.1", "localhost", "::1", *settings.hosts), settings.rate)


def _errors(app: FastAPI) -> None:
    @app.exception_handler(DupaiError)
    async def refused(request: Request, error: DupaiError) -> Response:
        return failure(409 if isinstance(error, RulesError) else 400, str(error))

    @app.exception_handler(Gone)
    async def gone(request: Request, error: Gone) -> Response:
        return failure(404, str(error))

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        response = failure(error.status_code, str(error.detail))
        response.headers.update(error.headers or {})
        return response

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        return failure(400, f"{'.'.join(map(str, first['loc'][1:]))}: {first['msg']}")


def _pages(app: FastAPI) -> None:
    """The built page: files under their names, every other path the page itself."""
    files = {p.relative_to(STATIC).as_posix(): p for p in STATIC.rglob("*") if p.is_file()}

    @app.get("/api/{rest:path}", include_in_schema=False)
    async def nothing(rest: str) -> Response:
        raise Gone("there is no such address")

    @app.get("/{path:path}", include_in_schema=False)
    async def page(path: str) -> Response:
        file = files.get(path)
        if file is not None and path != "index.html":
            kept = "public, max-age=31536000, immutable" if path.startswith("assets/") else "no-cache"
            return FileResponse(file, headers={"cache-control": kept})
        if "index.html" not in files:
            raise Gone("the page is not built: see src/dupai/web/page")
        return FileResponse(files["index.html"], headers={"cache-control": "no-cache"})


def _answered_info() -> Response:
    try:
        return reply(_info())
    finally:
        # Of packages that have told their options.
        end_idle()


def _info() -> m.Info:
    return m.Info(
        version=__version__,
        agents=tuple(map(_agent, agent_infos())),
        readers=tuple(map(_agent, readers())),
        opponents={game: tuple(dict.fromkeys(usual(game))) for game in ("no-limit", "limit")},
        seats=tuple(map(_seat, opponents())),
        advisors=ADVISORS,
        classes=HAND_CLASSES,
        combos=tuple(combo_text(k) for k in range(COMBOS)),
        upload_bytes=MAX_UPLOAD,
    )


def _seat(one: Opponent) -> m.OpponentInfo:
    traits = spec_traits(one.spec)
    games: Any = tuple(game for game in ("no-limit", "limit") if game in traits.bettings)
    return m.OpponentInfo(one.spec, one.kind, games, *traits.players, _measured(one.heads_up), _measured(one.six_max))


def _measured(strength: Strength | None) -> m.Measured | None:
    return None if strength is None else m.Measured(strength.bb100, strength.se, 0)


def _agent(info: AgentInfo | ReaderInfo) -> m.AgentInfo:
    options = []
    for o in info.options:
        kind = "choice" if o.choices else "number" if o.type.endswith("number") else "text"
        if o.type == "on|off" or set(o.choices) == set(_FLAGS):
            kind = "flag"
        default = "" if o.default is None else _FLAGS[not o.default] if isinstance(o.default, bool) else str(o.default)
        options.append(m.OptionInfo(o.name, kind, o.help, default, tuple(o.choices)))  # type: ignore[arg-type]
    presets = tuple(info.presets) if isinstance(info, AgentInfo) else ()
    players = info.players if isinstance(info, AgentInfo) else (2, 10)
    return m.AgentInfo(info.name, info.summary, presets, tuple(options), *players, error=info.error)
