"""One table in play: a task that deals, asks agents and waits for people, and tells everybody who looks on."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from dupai.arena.live import LiveStore, LiveTable, spot_table
from dupai.base import ConfigError, RulesError, file_faults, notify
from dupai.engine import EngineError, Hand, action_of
from dupai.rules import BOARD_CARDS, Action, HandRecord, View
from dupai.web import _messages as m
from dupai.web._engines import Engines
from dupai.web._matches import Matches
from dupai.web._panel import analysis_of, calibration_of, lessons_of, mirror_of, readings_of, shown_of
from dupai.web._people import Client, Person, Told
from dupai.web._review import decisions_of
from dupai.web._state import PACE, Public, TableOptions, public_of

#: Seconds that others wait for a person who has lost the connection; longest wait between two looks.
PATIENCE, _LOOK = 60.0, 1.0
#: Seconds that a table waits for the reviews of a hand after which somebody leaves.
_REVIEWED = 20.0


class Room:
    """A table with its clients.

    Args:
        id: of the table; ``store`` keeps it.
        records: its finished hands.
        quick, slow, thinkers: engines for agents that answer at once, for others, and for panels and coaches.
    """

    def __init__(
        self,
        id: str,
        table: LiveTable,
        options: TableOptions,
        store: LiveStore,
        engines: Engines,
        records: Sequence[HandRecord] = (),
    ) -> None:
        self.id, self.table, self.options, self.store = id, table, options, store
        self.records = list(records)
        self.clients: set[Client] = set()
        self._engines = engines
        self.matches = Matches(self, engines)
        self._people: dict[int, Person] = {}
        with file_faults(store.place):
            for seat, hand, data in store.reviews(id):
                self._person(seat).take_up(hand, msgspec.json.decode(data, type=Told))
        self._changed = asyncio.Event()
        self._answer: Action | None = None
        self._skip = asyncio.Event()
        self._phase: m.Phase = "waiting"
        self._open = 0 if table.now is None else BOARD_CARDS[table.now.street]
        self._over: HandRecord | None = None
        self._deadline: tuple[float, float] | None = None
        self._note = ""
        self._jobs: set[asyncio.Task[Any]] = set()
        self._encode = msgspec.json.Encoder().encode
        self.task: asyncio.Task[None] | None = None
        self.used = time.monotonic()

    # people ---------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Play."""
        self.task = asyncio.create_task(self._run(), name=f"table {self.id}")

    async def close(self) -> None:
        """Stop playing; the table stays in the store as it is."""
        for task in (self.task, *self._jobs):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        for client in self.clients:
            client.end()

    def sit(self, name: str, seat: int | None) -> int:
        """Seat a person.

        Raises:
            ConfigError: they cannot sit there.
        """
        number = self.table.sit(name, seat)
        self._people[number] = Person()
        self.choose(sat=self.options.sat | {number: len(self.records)})
        if self.options.host >= 0 and self.options.host not in self.options.sat:
            # Whoever was host has left, and nobody was there to take over.
            self.choose(host=number)
        self.store.drop_reviews(self.id, number)
        self._new_players()
        return number

    def choose(self, **changes: Any) -> None:
        """Change some of the options."""
        self.options = msgspec.structs.replace(self.options, **changes)

    def _new_players(self) -> None:
        self.choose(since=len(self.records))
        self.matches.forget()
        self.save()
        self.wake()

    def add(self, client: Client) -> None:
        """Somebody looks on from now on."""
        self.clients.add(client)
        client.send(self._frame(self.public(), client))
        if client.seat is not None:
            person = self._person(client.seat)
            if self.options.panel and self._turn_of(client.seat):
                for frame in person.panel:
                    client.send(frame)
                if not person.panel:
                    self._offer_panel(client.seat)
            if self.options.panel and person.reveal is not None:
                client.send(self._encode(person.reveal))
            if person.coached is not None:
                client.send(self._encode(person.coached))
        self.wake()

    def remove(self, client: Client) -> None:
        """Somebody is gone."""
        self.clients.discard(client)
        if client.seat is not None and client.seat not in self._here():
            self._person(client.seat).gone = time.monotonic()
        self.wake()

    def _person(self, seat: int) -> Person:
        return self._people.setdefault(seat, Person())

    def _here(self) -> set[int]:
        return {c.seat for c in self.clients if c.seat is not None and not c.lost}

    def _turn_of(self, seat: int) -> bool:
        return self.table.actor == seat

    def request(self, client: Client, request: Any) -> None:
        """Do what a client asks.

        Raises:
            RulesError, ConfigError, NotationError: it is refused.
        """
        self.used = time.monotonic()
        if isinstance(request, m.SetPanel | m.SetSpeed):
            if not client.host:
                raise RulesError("only who made the table may do that")
            if isinstance(request, m.SetPanel):
                self.choose(panel=request.on)
                if request.on and self.table.actor is not None:
                    self._offer_panel(self.table.actor)
            else:
                self.choose(speed=request.speed)
            self.save()
            self.wake()
            return
        seat = client.seat
        if seat is None or self.table.seats[seat].kind != "person":
            raise RulesError("you only look on: take a seat first")
        one = self.table.seats[seat]
        match request:
            case m.Act():
                self._act(seat, request)
            case m.Away():
                one.away = True
            case m.Back():
                one.away = False
            case m.Rebuy():
                self.table.fill(seat)
            case m.Leave():
                self._leave(seat)
            case m.Next():
                self._skip.set()
            case m.SetAdvisor():
                self._engines.check_agent(request.agent)
                self.choose(advisor=request.agent)
                if self._turn_of(seat):
                    self._offer_panel(seat)
        self.save()
        self.wake()

    def _leave(self, seat: int) -> None:
        self.table.leave(seat)
        self.store.drop_tokens(self.id, seat)
        self.store.drop_reviews(self.id, seat)
        self._people.pop(seat, None)
        self.choose(sat={k: hands for k, hands in self.options.sat.items() if k != seat})
        if seat == self.options.host and self.options.sat:
            # Somebody who stays takes over.
            self.choose(host=min(self.options.sat))
        for client in self.clients:
            if client.seat == seat:
                client.seat, client.host = None, False
            client.host = client.host or (client.seat is not None and client.seat == self.options.host)
        if not self.table.in_hand(seat):
            self._new_players()

    def _act(self, seat: int, request: m.Act) -> None:
        now = self.table.now
        if now is None or request.hand != now.hand or request.n != len(now.actions) or not self._turn_of(seat):
            raise RulesError("it is not your turn any more")
        action = action_of(request.action)
        if action.to:
            p = now.actor
            action = Action.raise_to(action.to + now.contributions[p] - now.bets[p])
        played = self.table.act(seat, action)
        self._open = BOARD_CARDS[now.street] if not now.finished else self._open
        self._answer = played

    # what is sent ---------------------------------------------------------------------------------------------------

    def public(self) -> Public:
        """What is public now."""
        clock = None
        if self._deadline is not None:
            clock = self._deadline[0], max(round(self._deadline[1] - time.monotonic(), 1), 0.0)
        spectators = sum(c.seat is None for c in self.clients)
        return public_of(
            self.id, self.table, self.options, self._phase, self._open, self._over, self._here(), spectators, clock,
            self._note,
        )  # fmt: skip

    def _frame(self, public: Public, client: Client) -> bytes:
        seat = client.seat
        return self._encode(public.seen_by(seat, client.host))

    def complain(self, note: str) -> None:
        """Show everybody at the table what went wrong."""
        self._note = note[:300]
        self.tell()

    def tell(self) -> None:
        """Send everybody the table as it is."""
        if not self.clients:
            return
        public = self.public()
        watching: bytes | None = None
        for client in self.clients:
            if client.seat is None and not client.host:
                watching = watching or self._frame(public, client)
                client.send(watching)
            else:
                client.send(self._frame(public, client))

    def _send_to(self, seat: int, event: Any, person: Person | None = None) -> bytes:
        """Send to a seat; with ``person`` only as long as they sit there."""
        frame = self._encode(event)
        if person is not None and self._people.get(seat) is not person:
            return frame
        for client in self.clients:
            if client.seat == seat:
                client.send(frame)
        return frame

    def save(self) -> None:
        """Keep the table as it stands."""
        self.store.save(self.id, self._encode(self.options).decode(), self.table.state)

    def wake(self) -> None:
        """Something has changed."""
        self._changed.set()

    # play -----------------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            try:
                await self._step()
            except Exception as error:  # noqa: BLE001 - whatever goes wrong at one table, it goes on
                notify(f"dupai web: table {self.id}: {type(error).__name__}: {error}")
                self.complain(f"{type(error).__name__}: {error}")
                await asyncio.sleep(1.0)

    async def _step(self) -> None:
        table = self.table
        if table.state.playing:
            self._phase = "betting"
            if table.actor is None:
                await self._finish()
            elif table.seats[table.actor].kind == "agent":
                await self._ask_agent(table.actor)
            else:
                await self._ask_person(table.actor)
        elif table.can_deal and self.clients and self._wanted():
            self._over = None
            self._note = ""
            table.deal()
            self._open = 0
            self.save()
            self._phase = "betting"
        else:
            self._phase = "over" if self._over is not None else "waiting"
            await self._pause(None)

    def _wanted(self) -> bool:
        """Whether a hand shall be dealt: agents alone play where nobody sits, or everybody is out of a tournament."""
        tournament = self.table.settings.tournament
        people = [k for k, s in enumerate(self.table.seats) if s.kind == "person" and not (tournament and s.stack == 0)]
        return not people or any(k in self.table.next_players() for k in people)

    async def _pause(self, seconds: float | None) -> None:
        """Tell everybody, and again whenever something changes, until the time is over or somebody says ``next``."""
        self._skip.clear()
        end = None if seconds is None else time.monotonic() + seconds
        while True:
            self._changed.clear()
            self.tell()
            left = None if end is None else end - time.monotonic()
            if left is not None and left <= 0:
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._changed.wait()
                if end is None or self._skip.is_set():
                    return

    async def _ask_agent(self, seat: int) -> None:
        table = self.table
        now = table.now
        assert now is not None
        self.tell()
        start = time.monotonic()
        view = now.view(now.actor)
        try:
            reply = await self.matches.ask("agent", seat, "act", hand=Hand.of(view))
            action = action_of(reply["action"])
            table.act(seat, action)
        except (EngineError, RulesError) as error:
            self._note = f"{table.seats[seat].name}: {str(error)[:200]}"
            table.give_up(seat)
        self.save()
        wait = PACE[self.options.speed][0] - (time.monotonic() - start)
        if wait > 0:
            await asyncio.sleep(wait)
        if not now.finished:
            self._open = BOARD_CARDS[now.street]

    async def _ask_person(self, seat: int) -> None:
        table = self.table
        now = table.now
        assert now is not None
        self._open = BOARD_CARDS[now.street]
        count = len(now.actions)
        clock = float(self.options.clock)
        self._deadline = (clock, time.monotonic() + clock) if clock else None
        self._offer_panel(seat)
        try:
            while len(now.actions) == count:
                self._changed.clear()
                self.tell()
                if self._gives_up(seat):
                    table.give_up(seat)
                    table.seats[seat].away = True
                    self.save()
                    break
                wait = _LOOK
                if self._deadline is not None:
                    wait = min(max(self._deadline[1] - time.monotonic(), 0.01), _LOOK)
                # Without a clock only others who are kept waiting make it worth looking again.
                alone = self._deadline is None and self._here() | {seat} == {seat}
                with contextlib.suppress(TimeoutError):
                    await self._quietly_wait(None if alone else wait, seat)
        finally:
            self._deadline = None
            if seat in self._people:
                self._people[seat].panel = []

    async def _quietly_wait(self, seconds: float | None, seat: int) -> None:
        """Wait for a change, without telling anybody before there is one."""
        end = None if seconds is None else time.monotonic() + seconds
        while not self._changed.is_set():
            left = None if end is None else end - time.monotonic()
            if left is not None and left <= 0:
                if self._gives_up(seat):
                    return
                end = time.monotonic() + _LOOK
                left = _LOOK
            with contextlib.suppress(TimeoutError):
                # Not wait_for, which in Python 3.11 may swallow a cancellation.
                async with asyncio.timeout(left):
                    await self._changed.wait()

    def _gives_up(self, seat: int) -> bool:
        if self.table.seats[seat].leaving:
            return True
        if self._deadline is not None:
            return time.monotonic() >= self._deadline[1]
        here = self._here()
        return bool(here) and seat not in here and time.monotonic() - self._person(seat).gone > PATIENCE

    async def _finish(self) -> None:
        """The hand is over: the board is run out, everybody paid, shown what was read, and time given to look."""
        table, now = self.table, self.table.now
        assert now is not None
        if now.showdown and self._open < 5:
            self._phase = "runout"
            while self._open < 5:
                await self._pause(PACE[self.options.speed][1])
                self._open = BOARD_CARDS[BOARD_CARDS.index(self._open) + 1]
        in_hand = [k for k in now.seats if table.seats[k].kind == "person"]
        leaving = [k for k in in_hand if table.seats[k].leaving]
        names = [table.seats[k].name for k in now.seats]
        assert table.state.deck is not None
        record = table.finish()
        record = msgspec.structs.replace(record, names=tuple(names))
        self._over = record
        self.records.append(record)
        self.store.finished(self.id, self._encode(self.options).decode(), table.state, record, table.state.deck)
        reviews = [
            task
            for seat in in_hand if seat not in leaving and self._here() & {seat}
            for task in self._after_hand(seat, record)
        ]  # fmt: skip
        self.matches.tell_agents()
        self._phase = "over"
        if leaving:
            if reviews:
                # They are of the reader that knew the players of this hand.
                self.tell()
                await asyncio.wait(reviews, timeout=_REVIEWED)
            self._new_players()
        await self._pause(PACE[self.options.speed][2])

    # engines --------------------------------------------------------------------------------------------------------

    def later(self, work: Any) -> asyncio.Task[Any]:
        """Do this while the table goes on, until it is closed."""
        task: asyncio.Task[Any] = asyncio.create_task(work)
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)
        return task

    async def spot(self, seat: int, hand: int, decision: int) -> LiveTable:
        """A table that stands at a decision of a person again, in a hand of this table.

        Raises:
            ConfigError: there is no such hand or decision.
            EngineError: it cannot be read.
        """
        known = list(enumerate(self.records))[self.options.known_since(seat) :]
        number, record = next(((n, r) for n, r in known if r.hand == hand and seat in r.seats), (0, None))
        if record is None:
            raise ConfigError(f"hand {hand}: expected a finished one that you were dealt", key="hand")
        if number < self.options.since:
            raise ConfigError(f"hand {hand}: expected one since the players at this table changed", key="hand")
        decisions = decisions_of(record, record.seats.index(seat))
        if not 1 <= decision <= len(decisions):
            raise ConfigError(f"decision {decision}: expected 1 to {len(decisions)}", key="decision")
        view, _ = decisions[decision - 1]
        # Who sits here now: somebody may leave while the engine is asked.
        seats = [
            msgspec.structs.replace(s, kind="agent", spec="rules") if s.kind == "person" and k != seat
            else msgspec.structs.replace(s)
            for k, s in enumerate(self.table.seats)
        ]  # fmt: skip
        result = analysis_of(await self.matches.ask("person", seat, "analyse", hand=Hand.of(view), want=["ranges"]))
        readings = {record.seats.index(line.seat): np.array(line.p) for line in result.ranges}
        settings = msgspec.structs.replace(self.table.settings, tournament=False)
        return spot_table(settings, seats, view, readings)

    def _offer_panel(self, seat: int) -> None:
        """Send a person the panel at their decision, if it is on."""
        now = self.table.now
        if not self.options.panel or seat not in self._here() or now is None or not self._turn_of(seat):
            return
        self.later(self._panel(seat, now.view(now.actor)))

    async def _panel(self, seat: int, view: View) -> None:
        try:
            want = ["actions", "ranges", "equity", "mirror", "streets"]
            fields = {"hand": Hand.of(view), "want": want, "agent": self.options.advisor}
            analysis = analysis_of(await self.matches.ask("person", seat, "analyse", **fields))
        except EngineError as error:
            self._send_to(seat, m.Readings(view.hand, len(view.actions), (), error=str(error)[:300]))
            return
        now = self.table.now
        if not self.options.panel or now is None or now.hand != view.hand or len(now.actions) != len(view.actions):
            return
        frames = [self._send_to(seat, readings_of(view, analysis))]
        mirror = mirror_of(view, analysis)
        if mirror is not None:
            frames.append(self._send_to(seat, mirror))
        self._person(seat).panel = frames

    def _after_hand(self, seat: int, record: HandRecord) -> list[asyncio.Task[Any]]:
        if not self.options.panel and not self.options.coach:
            return []
        now = self.table.now
        assert now is not None
        # From the cards of this seat and the board alone: what was shown does not help the reader.
        view = now.view(now.seats.index(seat))
        # Both are asked before anybody asks with this hand known: what it showed at its end does not help the reader.
        before = len(self.records) - 1
        reveal = self.later(self._reveal(seat, record, view, before))
        return [reveal, self.later(self._judge(seat, record, before, reveal))]

    async def _reveal(self, seat: int, record: HandRecord, view: View, before: int) -> tuple[m.Shown, ...]:
        """Tell a person how the hands that were shown had been read, by a reader that knows the first ``before`` hands
        of the table."""
        shown = [p for p, open_ in enumerate(record.shown) if open_ and record.seats[p] != seat]
        if not self.options.panel or not shown:
            return ()
        person = self._person(seat)
        try:
            asked = {"hand": Hand.of(view), "want": ["ranges"]}
            result = analysis_of(await self.matches.ask("person", seat, "analyse", before, **asked))
        except EngineError as error:
            self._no_review(seat, person, error)
            return ()
        lines = {line.seat: line for line in result.ranges}
        read = tuple(
            shown_of(lines[record.seats[p]], record.hole[p], len(record.board))
            for p in shown if record.seats[p] in lines
        )  # fmt: skip
        person.shown.extend(read)
        person.reveal = m.Reveal(record.hand, read, calibration_of(person.shown))
        self._keep(seat, person, record.hand, Told(read))
        self._send_to(seat, person.reveal, person)
        return read

    async def _judge(
        self, seat: int, record: HandRecord, before: int, reveal: asyncio.Task[tuple[m.Shown, ...]]
    ) -> None:
        """Tell a person what their decisions in a hand gave up, with the same reader."""
        decisions = decisions_of(record, record.seats.index(seat))
        if not self.options.coach or not decisions:
            return
        person = self._person(seat)
        try:
            judged = [{"hand": Hand.of(v), "action": str(a)} for v, a in decisions]
            result = await self.matches.ask("person", seat, "coach", before, decisions=judged)
        except EngineError as error:
            self._no_review(seat, person, error)
            return
        read = await reveal
        person.coached = lessons_of(record.hand, result, person.lessons)
        self._keep(seat, person, record.hand, Told(read, person.coached.lessons))
        self._send_to(seat, person.coached, person)

    def _no_review(self, seat: int, person: Person, error: EngineError) -> None:
        self._send_to(seat, m.Refused(f"no review of this hand: {str(error)[:200]}"), person)

    def _keep(self, seat: int, person: Person, hand: int, told: Told) -> None:
        """Store what a person is about to be told, so that a crash after they read it loses none of it."""
        if self._people.get(seat) is person:
            self.store.add_review(self.id, seat, hand, self._encode(told))
