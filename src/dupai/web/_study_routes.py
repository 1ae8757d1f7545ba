"""The routes of replay, review, ranges, equity, solver, players and results."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, TypeVar

import numpy as np
from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from dupai.base import ConfigError, HistoryError
from dupai.equity import equity
from dupai.notation.phh import format_phh
from dupai.ranges import Range
from dupai.rules import HandRecord
from dupai.web import _messages as m
from dupai.web._engines import Engines
from dupai.web._http import Gone, address_of, answers, attachment, body_of, bytes_of, documented, reply
from dupai.web._reports import Reports
from dupai.web._review import decision_of, equities_of, line_of, replay_of, review_of
from dupai.web._rooms import Rooms
from dupai.web._runs import Runs
from dupai.web._solves import Solves
from dupai.web._sources import Hands, Listed, Sources
from dupai.web._stats import ResultFiles, player_of, players_of
from dupai.web._table_routes import cookie_of, seen_records
from dupai.web._turns import Turns
from dupai.web._uploads import UPLOAD_SECONDS, read_upload

T = TypeVar("T")
#: Pieces of heavy work, and uploads, that are worked on at a time.
_HEAVY, _UPLOADS = 2, 2
#: Seconds for the review of a decision, ten times as long where kernels may have to be compiled.
_REVIEW_SECONDS = 20.0
Source = Annotated[str, Query(max_length=80)]
Number = Annotated[int, Query(ge=0, le=10**9)]
Spec = Annotated[str, Query(max_length=200)]

PRESETS = (
    m.Preset("UTG open, six-handed", "66+, A9s+, A5s-A2s, KTs+, QTs+, JTs, T9s, 98s, 87s, 76s, AJo+, KQo"),
    m.Preset("Hijack open", "44+, A2s+, K9s+, Q9s+, J9s+, T9s, 98s, 87s, 76s, 65s, ATo+, KJo+, QJo"),
    m.Preset("Cutoff open", "22+, A2s+, K7s+, Q8s+, J8s+, T8s+, 97s+, 87s, 76s, 65s, 54s, A9o+, KTo+, QTo+, JTo"),
    m.Preset(
        "Button open",
        "22+, A2s+, K2s+, Q4s+, J6s+, T6s+, 96s+, 85s+, 75s+, 64s+, 54s, A2o+, K8o+, Q9o+, J9o+, T8o+, 98o",
    ),
    m.Preset("Big blind call of a button open", "22-99, A2s-A9s, K2s-KTs, Q5s-QTs, J7s-JTs, T7s+, 96s+, 86s+, 75s+, "
             "65s, 54s, A2o-AJo, K9o-KQo, Q9o+, J9o+, T9o"),
    m.Preset("Three-bet, tight", "QQ+, AKs, AKo, A5s-A4s"),
    m.Preset("Any two cards", "random"),
)  # fmt: skip


class Study:
    """What the routes need.

    Args:
        sources: files and stores of hands; ``results``: results files; ``reports``: folders of reports.
    """

    def __init__(
        self, rooms: Rooms, engines: Engines, sources: Sources, results: ResultFiles, reports: Reports
    ) -> None:
        self.rooms, self.engines, self.sources, self.results, self.reports = rooms, engines, sources, results, reports
        self.solves, self.runs = Solves(), Runs(results, engines)
        self._heavy, self._uploads = Turns(_HEAVY), Turns(_UPLOADS, waiting=1)

    async def heavy(self, request: Request, work: Callable[..., T], *values: Any) -> T:
        """Work in a thread, a few pieces at a time, addresses in turn."""
        async with self._heavy.turn(address_of(request)):
            return await asyncio.to_thread(work, *values)

    async def upload(self, request: Request) -> m.Uploaded:
        """Read the hands of a body, a few at a time, addresses in turn.

        Raises:
            HistoryError: it holds no hand that can be read. RulesError: too many uploads of this address wait.
        """
        data = await bytes_of(request)
        if not data:
            raise HistoryError("the upload is empty")
        async with self._uploads.turn(address_of(request)):
            return self.sources.keep(*await _while_there(request, read_upload(data), UPLOAD_SECONDS))

    async def hands(self, source: str, request: Request) -> Hands:
        """The hands of a source as whoever asks may know them.

        Raises:
            Gone: there is no such source.
        """
        if source.startswith("table:"):
            table = source.removeprefix("table:")
            room = self.rooms.room(table)
            token = request.cookies.get(cookie_of(table))
            return Listed(seen_records(room, self.rooms.client(room, token).seat))
        return await self.heavy(request, self.sources.hands, source)

    async def hand(self, source: str, id: int, request: Request) -> HandRecord:
        """One hand.

        Raises:
            Gone: there is no such source or hand.
        """
        hands = await self.hands(source, request)
        some = await self.heavy(request, hands.some, id, 1)
        if not some:
            raise Gone(f"there is no hand {id}: the source has {len(hands)}")
        return some[0]


def study_routes(study: Study) -> APIRouter:
    """All of them."""
    routes = APIRouter(prefix="/api", responses=answers())
    _hand_routes(routes, study)
    _range_routes(routes, study)
    _solve_routes(routes, study)
    _stat_routes(routes, study)
    return routes


def _hand_routes(routes: APIRouter, study: Study) -> None:
    @routes.get("/sources")
    async def sources() -> Response:
        return reply(study.sources.infos())

    @routes.post("/upload")
    async def upload(request: Request, name: Annotated[str, Query(max_length=200)] = "") -> Response:
        return reply(await study.upload(request))

    @routes.get("/hands")
    async def hands(
        request: Request, source: Source, first: Annotated[int, Query(alias="from", ge=0, le=10**9)] = 0,
        count: Annotated[int, Query(ge=1, le=200)] = 50,
    ) -> Response:  # fmt: skip
        some = await study.hands(source, request)
        records = await study.heavy(request, some.some, first, count)
        return reply(m.HandList(len(some), tuple(line_of(first + k, r) for k, r in enumerate(records))))

    @routes.get("/hand")
    async def hand(request: Request, source: Source, id: Number) -> Response:
        return reply(replay_of(id, await study.hand(source, id, request)))

    @routes.get("/hand/equity")
    async def equities(request: Request, source: Source, id: Number) -> Response:
        return reply(await study.heavy(request, equities_of, await study.hand(source, id, request)))

    @routes.get("/hand/review")
    async def review(
        request: Request, source: Source, id: Number, n: Number, agent: Spec = "rules", reader: Spec = "model",
        deals: Annotated[int, Query(ge=0, le=1000)] = 0,
    ) -> Response:  # fmt: skip
        view, action = decision_of(await study.hand(source, id, request), n)
        await study.engines.check(agent)
        await study.engines.check(reader, "reader")
        engine = study.engines.for_thoughts(agent, reader).least_busy()
        async with study.engines.turns(engine).turn(address_of(request)):
            limit = _REVIEW_SECONDS if engine.knows("analyse") else 10 * _REVIEW_SECONDS
            work = review_of(engine, view, action, agent, reader, deals > 0)
            return reply(await _while_there(request, work, limit))

    @routes.get("/hand/phh")
    async def phh(request: Request, source: Source, id: Number) -> Response:
        text = format_phh(await study.hand(source, id, request))
        return attachment(text, f"hand-{id}.phh", "text/plain; charset=utf-8")


async def _while_there(request: Request, work: Coroutine[Any, Any, T], seconds: float) -> T:
    """The result of work that is given up when whoever asked has gone, or after ``seconds``.

    Raises:
        Gone: they have, or the time is over.
    """
    task = asyncio.create_task(work)
    try:
        async with asyncio.timeout(seconds):
            while not (await asyncio.wait({task}, timeout=0.25))[0]:
                if await request.is_disconnected():
                    raise Gone("whoever asked has gone")
            return await task
    except TimeoutError:
        raise Gone(f"no answer within {seconds:g} s") from None
    finally:
        task.cancel()


def _range_routes(routes: APIRouter, study: Study) -> None:
    def range_text(made: Range, form: str) -> m.RangeText:
        return m.RangeText(str(made), tuple(np.round(made.weights.astype(np.float64), 5).tolist()), form)

    @routes.get("/range")
    async def of_text(text: Annotated[str, Query(max_length=20_000)]) -> Response:
        return reply(range_text(*Range.read(text)))

    @routes.post("/range", openapi_extra=documented(m.RangeText))
    async def of_weights(request: Request) -> Response:
        asked = await body_of(request, m.RangeText)
        if len(asked.text) > 20_000:
            raise ConfigError("text: expected at most 20000 letters", key="text")
        weights = asked.weights
        read = Range.read(asked.text) if weights is None else (Range(np.array(weights, np.float64)), "weights")
        return reply(range_text(*read))

    @routes.get("/presets")
    async def presets() -> Response:
        return reply(PRESETS)

    @routes.post("/equity", openapi_extra=documented(m.EquityRequest))
    async def equities(request: Request) -> Response:
        asked = await body_of(request, m.EquityRequest)
        if any(len(text) > 20_000 for text in asked.hands):
            raise ConfigError("hands: expected at most 20000 letters each", key="hands")

        def work() -> m.EquityResult:
            found = equity(asked.hands, asked.board, asked.dead, target_error=0.001)
            columns = (found.equity, found.win, found.tie, found.se)
            players = tuple(m.EquityPlayer(*map(float, row)) for row in zip(*columns, strict=True))
            return m.EquityResult(players, found.method == "exact")

        return reply(await study.heavy(request, work))


def _solve_routes(routes: APIRouter, study: Study) -> None:
    solves = study.solves

    @routes.post("/solve", openapi_extra=documented(m.SolveRequest))
    async def solve(request: Request) -> Response:
        return reply(solves.start(await body_of(request, m.SolveRequest)).status())

    @routes.post("/solve/open")
    async def open_file(request: Request) -> Response:
        return reply((await solves.open(await bytes_of(request))).status())

    @routes.get("/solve/{id}")
    async def status(id: str) -> Response:
        return reply(solves.find(id).status())

    @routes.delete("/solve/{id}")
    async def stop(id: str) -> Response:
        found = solves.find(id)
        solves.stop(found)
        return reply(found.status())

    @routes.get("/solve/{id}/form")
    async def form(id: str) -> Response:
        return reply(solves.form(solves.find(id)))

    @routes.get("/solve/{id}/node")
    async def node(id: str, path: Annotated[str, Query(max_length=500)] = "") -> Response:
        return reply(await solves.node(solves.find(id), path))

    @routes.get("/solve/{id}/file")
    async def file(id: str) -> Response:
        return attachment(await solves.file(solves.find(id)), "spot.solve", "application/octet-stream")

    @routes.get("/solve/{id}/runouts")
    async def runouts(id: str, path: Annotated[str, Query(max_length=500)] = "") -> Response:
        return reply(await solves.runouts(solves.find(id), path))


def _stat_routes(routes: APIRouter, study: Study) -> None:
    @routes.get("/players")
    async def players(
        request: Request, source: Source, first: Annotated[int, Query(alias="from", ge=0, le=10**9)] = 0,
        count: Annotated[int, Query(ge=1, le=5000)] = 100,
    ) -> Response:  # fmt: skip
        rows = await study.heavy(request, players_of, await study.hands(source, request))
        return reply(rows[first : first + count])

    @routes.get("/player")
    async def player(request: Request, source: Source, name: Annotated[str, Query(max_length=200)]) -> Response:
        return reply(await study.heavy(request, player_of, await study.hands(source, request), name))

    @routes.get("/results")
    async def results(request: Request) -> Response:
        return reply(await study.heavy(request, study.results.runs))

    @routes.get("/result")
    async def result(request: Request, id: Annotated[str, Query(max_length=20)]) -> Response:
        return reply(await study.heavy(request, study.results.result, id))

    @routes.post("/runs", openapi_extra=documented(m.NewRun))
    async def run(request: Request) -> Response:
        return reply(await study.runs.start(await body_of(request, m.NewRun)))

    @routes.delete("/runs")
    async def stop_run() -> Response:
        study.runs.stop()
        return reply({})

    @routes.get("/reports")
    async def reports(request: Request) -> Response:
        return reply(await study.heavy(request, study.reports.lines))

    @routes.get("/report")
    async def report(request: Request, id: Annotated[str, Query(max_length=300)]) -> Response:
        text, policy = await study.heavy(request, study.reports.page, id)
        headers = {"content-security-policy": policy, "cache-control": "no-cache"}
        return Response(text, media_type="text/html; charset=utf-8", headers=headers)
