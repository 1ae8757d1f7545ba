"""The matches of a table in the engines: each seat has one for its agent and one for what its player asks."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from dupai.arena.live import seated_names
from dupai.engine import Engine, EngineError
from dupai.rules import HandRecord

if TYPE_CHECKING:
    from dupai.web._engines import Engines
    from dupai.web._session import Session

#: Hands of the session that an agent is shown when it is made again (after a restart, say).
MAX_RECORDS = 200
#: How much longer the first answer of an engine may take.
_FIRST = 40
#: Seconds in which an engine leaves off what nobody waits for.
_SETTLE_SECONDS = 1.0
Kind = Literal["agent", "person"]


@dataclass
class Match:
    """A match in the process ``born`` of an engine; ``hands``: of the table, as far as it was told."""

    engine: Engine
    born: int
    name: str
    hands: int

    @property
    def alive(self) -> bool:
        """Whether its process still runs."""
        return self.engine.born == self.born and not self.engine.lost


class Matches:
    """The matches of one table.

    Args:
        session: the table.
        engines: where matches are played.
        complain: says at the table what went wrong.
    """

    def __init__(self, session: Session, engines: Engines, complain: Callable[[str], None]) -> None:
        self._session, self._engines, self._complain = session, engines, complain
        self._open: dict[tuple[Kind, int], Match] = {}
        #: How often all matches were forgotten.
        self._changes = 0
        #: Whether what people here ask has taken too long: it is thought about apart from now on.
        self._apart = False
        #: Whose questions are asked: those of one seat wait for each other.
        self._asking: dict[tuple[Kind, int], asyncio.Lock] = {}

    async def ask(
        self, kind: Kind, seat: int, method: str, hands: int | None = None, /, *, seconds: float | None = None,
        **fields: Any,
    ) -> Any:  # fmt: skip
        """The answer to one question, as in :meth:`ask_each`."""
        return (await self.ask_each(kind, seat, method, [fields], hands, seconds))[0]

    async def ask_each(
        self, kind: Kind, seat: int, method: str, questions: Sequence[Mapping[str, Any]], hands: int | None = None,
        seconds: float | None = None,
    ) -> list[Any]:  # fmt: skip
        """Ask the match of a seat one question after the other, in the turns of its engine: other seats are answered in
        between, the next question of this seat waits. The match is started where it is not open, once more where its
        process was lost.

        It knows the first ``hands`` hands of the table (None: all), and more only where it was told of them before.

        Args:
            seconds: for each answer, forty times as long where kernels may have to be compiled; None: until the engine
                is given up.

        Raises:
            EngineError: one is refused, or not answered in time.
        """
        async with self._asking.setdefault((kind, seat), asyncio.Lock()):
            return [await self._answer(kind, seat, method, fields, hands, seconds) for fields in questions]

    async def _answer(
        self, kind: Kind, seat: int, method: str, fields: Mapping[str, Any], hands: int | None, seconds: float | None
    ) -> Any:
        for attempt in range(2):
            try:
                match = await self.started(kind, seat, hands)
                thinks = kind == "person"
                async with self._engines.turns(match.engine).turn(self._session.id) if thinks else nullcontext():
                    # What somebody else has given up there takes none of this table's time.
                    await match.engine.settled()
                    if not match.alive or self._open.get((kind, seat)) is not match:
                        raise EngineError("its process or its match was ended meanwhile", "EngineLost")
                    for one in self._news(match, seat, len(self._session.records) if hands is None else hands):
                        self._session.later(one)
                    limit = seconds if seconds is None or match.engine.knows(method) else _FIRST * seconds
                    # Behind the news, whose tasks begin first.
                    asked = self._session.later(match.engine.ask(method, match=match.name, **fields))
                    try:
                        async with asyncio.timeout(limit):
                            return await asked
                    except asyncio.CancelledError:
                        self._session.later(self._settle(match.engine))
                        raise
            except TimeoutError:
                self._think_apart()
                raise EngineError(f"no answer within {limit:g} s: choose another advisor or reader") from None
            except EngineError as error:
                if error.kind != "EngineLost" or attempt:
                    raise
                self._lose((kind, seat))
        raise AssertionError

    async def _settle(self, engine: Engine) -> None:
        """Where a question that nobody waits for goes on for long, the next ones go elsewhere."""
        try:
            async with asyncio.timeout(_SETTLE_SECONDS):
                await engine.settled()
        except TimeoutError:
            self._think_apart()

    def _think_apart(self) -> None:
        """Others wait for this table no more."""
        self._apart = True
        self.forget("person")

    def tell_agents(self) -> None:
        """A hand is over: agents are told now, others when they are asked again, so that they are first asked about it
        as somebody who has not seen how it ended."""
        for (kind, seat), match in list(self._open.items()):
            if not match.alive:
                self._lose((kind, seat))
            elif kind == "agent":
                for request in self._news(match, seat, len(self._session.records)):
                    self._session.later(request)

    def _news(self, match: Match, seat: int, hands: int) -> list[Coroutine[Any, Any, None]]:
        """Requests that tell a match the first ``hands`` hands as far as it does not know them."""
        new = self._session.records[match.hands : hands]
        match.hands = max(match.hands, hands)
        ask = match.engine.ask
        return [self._aside(ask("observe", match=match.name, record=_seen(record, seat))) for record in new]

    async def _aside(self, work: Coroutine[Any, Any, Any]) -> None:
        """Tell an agent what needs no answer; where it fails the table says so."""
        try:
            await work
        except EngineError as error:
            if error.kind != "EngineLost":  # else the question that follows is lost as well, and asked again
                self._complain(str(error))

    def forget(self, of: Kind | None = None) -> None:
        """End all matches, or those of one kind."""
        self._changes += 1
        for key in [key for key in self._open if of in (None, key[0])]:
            self._stop(self._open.pop(key))

    def _lose(self, key: tuple[Kind, int]) -> None:
        """The match of a seat went with its process."""
        if (match := self._open.pop(key, None)) is not None:
            match.engine.matches -= 1

    def _stop(self, match: Match) -> None:
        match.engine.matches -= 1
        if match.alive:
            self._session.later(self._aside(match.engine.ask("stop", match=match.name)))

    async def started(self, kind: Kind, seat: int, hands: int | None = None) -> Match:
        """The match of a seat; where somebody has come or gone while it was started, it is started anew."""
        known = self._open.get((kind, seat))
        if known is not None and known.alive:
            return known
        self._lose((kind, seat))
        while True:
            changes = self._changes
            match = await self._start(kind, seat, hands)
            if changes == self._changes:
                self._open[kind, seat] = match
                return match
            self._stop(match)

    async def _start(self, kind: Kind, seat: int, hands: int | None) -> Match:
        session, table = self._session, self._session.table
        spec = table.seats[seat].spec if kind == "agent" else session.options.advisor
        if kind == "agent":
            pool = self._engines.for_agent(spec)
        else:
            pool = self._engines.apart if self._apart else self._engines.for_thoughts(spec, session.options.reader)
        # A table's agents wait for each other anyway, and share there what one of them has learned of a hand.
        beside = [match.engine for (of, _), match in self._open.items() if of == kind == "agent" and match.alive]
        engine = pool.place(beside)
        since = session.options.since
        hands = max(len(session.records) if hands is None else hands, since)
        records = [_seen(record, seat) for record in session.records[max(since, hands - MAX_RECORDS) : hands]]
        name = f"{session.id}.{kind}{seat}.{secrets.token_hex(4)}"
        formats = {True: "tournament", False: "reset" if table.settings.reset else "cash"}
        try:
            await engine.ask(
                "start", match=name, game=table.spec, seat=seat, names=seated_names(table.seats), agent=spec,
                reader=session.options.reader, format=formats[table.settings.tournament],
                seed=secrets.randbits(62), records=records,
            )  # fmt: skip
        except BaseException:
            engine.matches -= 1
            raise
        return Match(engine, engine.born, name, hands)


def _seen(record: HandRecord, seat: int) -> HandRecord:
    """A record as a seat may know it."""
    return record.seen_by(record.seats.index(seat) if seat in record.seats else None)
