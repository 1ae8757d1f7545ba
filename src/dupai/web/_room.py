"""One table in play: a task that deals, asks agents and waits for people, and tells everybody who looks on."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from dupai.agents import foreign_package
from dupai.arena.live import DeckSeal, LiveStore, LiveTable
from dupai.base import RulesError, notify
from dupai.engine import EngineError, Hand, action_of
from dupai.rules import BOARD_CARDS, Action, HandRecord
from dupai.web import _messages as m
from dupai.web._engines import Engines
from dupai.web._http import public_line
from dupai.web._kept import KeptTables
from dupai.web._matches import Matches
from dupai.web._people import Client, Person
from dupai.web._reviews import Reviews
from dupai.web._session import Session, cancelled
from dupai.web._state import PACE, Moment, Public, TableOptions, public_of

#: Seconds that others wait for a person who has lost the connection; longest wait between two looks.
PATIENCE_SECONDS, _LOOK_SECONDS = 60.0, 1.0
#: Seconds that a deal waits for hashes of shares from people who have just come, and for the shares.
_COMMIT_SECONDS, _SHARE_SECONDS = 0.5, 1.0
#: Seconds that a table waits for the reviews of a hand after which somebody leaves.
_REVIEW_SECONDS = 20.0
#: Seconds after which a table says that it waits for its file, and what it says.
_WRITE_SECONDS = 2.0
_UNWRITTEN = "the server cannot write its tables now (the file is locked, or the disk is full): the table waits"


class Room(Session):
    """A table in play with its clients.

    Args:
        engines: for agents that answer at once, for others, and for panels and coaches.
    """

    def __init__(
        self,
        id: str,
        table: LiveTable,
        options: TableOptions,
        store: KeptTables,
        engines: Engines,
        records: Sequence[HandRecord] = (),
    ) -> None:
        super().__init__(id, table, options, store, records)
        self._engines = engines
        self.matches = Matches(self, engines, self.complain)
        self.reviews = Reviews(self, self.matches)
        self._changed = asyncio.Event()
        self._next_asked = asyncio.Event()
        self._phase: m.Phase = "waiting"
        self._cards_shown = 0 if table.now is None else BOARD_CARDS[table.now.street]
        self._finished_hand: HandRecord | None = None
        self._seal = DeckSeal()
        self._deadline: tuple[float, float] | None = None
        self._note = ""
        self.task: asyncio.Task[None] | None = None
        self.used = time.monotonic()
        #: Where it was made from, as long as the server runs.
        self.address = ""

    # people ---------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Play."""
        self.task = asyncio.create_task(self._run(), name=f"table {self.id}")

    async def close(self) -> None:
        """Stop playing; the table stays in the store as it is."""
        if self.task is not None:
            await cancelled(self.task)
        await self.end_jobs()
        for client in self.clients:
            client.end()

    def sit(self, name: str, seat: int | None) -> int:
        """Seat a person.

        Raises:
            ConfigError: they cannot sit there.
        """
        number = self.table.sit(name, seat)
        self.people[number] = Person()
        self.choose(sat=self.options.sat | {number: len(self.records)})
        if self.options.host >= 0 and self.options.host not in self.options.sat:
            # Whoever was host has left, and nobody was there to take over.
            self.choose(host=number)
        self.store.write(LiveStore.drop_reviews, self.id, number)
        self._new_players()
        return number

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
            person = self.person(client.seat)
            for frame in person.panel if self.options.panel else ():
                client.send(frame)
            if not person.panel:
                self.reviews.offer_panel(client.seat)
            if self.options.panel and person.reveal is not None:
                client.send(self.encode(person.reveal))
            if person.coached is not None:
                client.send(self.encode(person.coached))
        self.wake()

    def remove(self, client: Client) -> None:
        """Somebody is gone."""
        self.used = time.monotonic()
        self.clients.discard(client)
        if client.seat is not None and client.seat not in self.here():
            self.person(client.seat).gone = time.monotonic()
        self.wake()

    async def request(self, client: Client, request: Any) -> None:
        """Do what a client asks.

        Raises:
            RulesError, ConfigError, NotationError, EngineError: it is refused.
        """
        self.used = time.monotonic()
        if isinstance(request, m.SetPanel | m.SetSpeed):
            if not client.host:
                raise RulesError("only who made the table may do that")
            if isinstance(request, m.SetPanel):
                self.choose(panel=request.on)
                self.reviews.offer_panels()
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
            case m.Share():
                if request.seal == self._seal.hash:
                    self._seal.take(one.name, request.text)
            case m.Next():
                self._next_asked.set()
                if client.host:
                    self.choose(waits=False)
            case m.SetAdvisor():
                await self._engines.check(request.agent)
                if any(map(foreign_package, (request.agent, self.options.advisor))):
                    self.matches.forget("person")
                self.choose(advisor=request.agent)
                if self.is_turn_of(seat):
                    self.reviews.offer_panel(seat)
        self.save()
        self.wake()

    def _leave(self, seat: int) -> None:
        self.table.leave(seat)
        self.store.drop_tokens(self.id, seat)
        self.store.write(LiveStore.drop_reviews, self.id, seat)
        self.people.pop(seat, None)
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
        if now is None or request.hand != now.hand or request.n != len(now.actions) or not self.is_turn_of(seat):
            raise RulesError("it is not your turn any more")
        action = action_of(request.action)
        if action.to:
            p = now.actor
            action = Action.raise_to(action.to + now.contributions[p] - now.bets[p])
        self.table.act(seat, action)
        self._cards_shown = BOARD_CARDS[now.street] if not now.finished else self._cards_shown

    # what is sent ---------------------------------------------------------------------------------------------------

    def public(self) -> Public:
        """What is public now."""
        clock = None
        if self._deadline is not None:
            clock = self._deadline[0], max(round(self._deadline[1] - time.monotonic(), 1), 0.0)
        spectators = sum(c.seat is None for c in self.clients)
        moment = Moment(self._phase, self._cards_shown, self._finished_hand, self._seal, clock)
        return public_of(self.id, self.table, self.options, moment, self.here(), spectators, self._note)

    def _frame(self, public: Public, client: Client) -> bytes:
        seat = client.seat
        return self.encode(public.seen_by(seat, client.host))

    def complain(self, note: str) -> None:
        """Show everybody at the table what went wrong."""
        self._note = public_line(note, 300)
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

    def wake(self) -> None:
        """Something has changed."""
        self._changed.set()

    # play -----------------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            try:
                await self._written()
                await self._step()
            except Exception as error:  # noqa: BLE001 - whatever goes wrong at one table, it goes on
                notify(f"dupai web: table {self.id}: {type(error).__name__}: {error}")
                self.complain(f"{type(error).__name__}: {error}")
                await asyncio.sleep(1.0)

    async def _written(self) -> None:
        """Wait until the table is kept as it stands: after a crash everybody finds what they had seen."""
        while not await self.store.written(_WRITE_SECONDS):
            self.complain(_UNWRITTEN)
        if self._note == _UNWRITTEN:
            self.complain("")

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
        elif table.can_deal and self.clients and self._is_hand_wanted() and await self._take_shares():
            self._finished_hand = None
            self._note = ""
            table.deal(self._seal.deck())
            self._seal, self._cards_shown = DeckSeal(), 0
            self.choose(waits=False)
            self.save()
            self._phase = "betting"
        else:
            self._phase = "over" if self._finished_hand is not None else "waiting"
            self._changed.clear()
            self.tell()
            await self._changed.wait()

    def _is_hand_wanted(self) -> bool:
        """Whether a hand shall be dealt: agents alone play where nobody sits, or everybody is out of a tournament. The
        first hand of a table with seats for friends waits for them."""
        if self.options.waits and any(not s.kind for s in self.table.seats):
            return False
        tournament = self.table.settings.tournament
        people = [k for k, s in enumerate(self.table.seats) if s.kind == "person" and not (tournament and s.stack == 0)]
        return not people or any(k in self.table.next_players() for k in people)

    async def _take_shares(self) -> bool:
        """Wait a moment for people's shares in the next deck: for their hashes only where they have just come. Whether
        the hand can still be dealt."""
        seal, seats = self._seal, self.table.seats
        if seal.names is None:
            new = [c for c in self.clients if c.seat is not None and c.is_new]
            waits_for = {seats[c.seat].name for c in new if c.seat is not None}
            await self._show_until(lambda: waits_for <= {*seal.commits}, _COMMIT_SECONDS)
            for client in new:
                client.is_new = False
            seal.close(seats[k].name for k in self.table.next_players() if seats[k].kind == "person")
        await self._show_until(lambda: len(seal.shares) == len(seal.commits), _SHARE_SECONDS)
        return self.table.can_deal

    async def _show_until(self, ready: Callable[[], bool], seconds: float) -> None:
        """Tell everybody, and again whenever something changes, until all is ready or the time is over."""
        end = time.monotonic() + seconds
        while not ready():
            self._changed.clear()
            self.tell()
            if (left := end - time.monotonic()) <= 0:
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._changed.wait()

    async def _show_for(self, seconds: float) -> None:
        """Show the table for some seconds, or until somebody asks for the next hand."""
        self._next_asked.clear()
        await self._show_until(self._next_asked.is_set, seconds)

    async def _ask_agent(self, seat: int) -> None:
        table = self.table
        now = table.now
        assert now is not None
        self.tell()
        self.reviews.offer_panels()
        start = time.monotonic()
        view = now.view(now.actor)
        try:
            reply = await self.matches.ask("agent", seat, "act", hand=Hand.of(view))
            action = action_of(reply["action"])
            table.act(seat, action)
        except (EngineError, RulesError) as error:
            self._note = public_line(f"{table.seats[seat].name}: {error}", 200)
            table.give_up(seat)
        self.save()
        wait = PACE[self.options.speed][0] - (time.monotonic() - start)
        if wait > 0:
            await asyncio.sleep(wait)
        if not now.finished:
            self._cards_shown = BOARD_CARDS[now.street]

    async def _ask_person(self, seat: int) -> None:
        table = self.table
        now = table.now
        assert now is not None
        self._cards_shown = BOARD_CARDS[now.street]
        count = len(now.actions)
        clock = float(self.options.clock)
        self._deadline = (clock, time.monotonic() + clock) if clock else None
        self.reviews.offer_panels()
        try:
            while len(now.actions) == count:
                self._changed.clear()
                self.tell()
                if self._gives_up(seat):
                    table.give_up(seat)
                    table.seats[seat].away = True
                    self.save()
                    break
                wait = _LOOK_SECONDS
                if self._deadline is not None:
                    wait = min(max(self._deadline[1] - time.monotonic(), 0.01), _LOOK_SECONDS)
                # Without a clock only others who are kept waiting make it worth looking again.
                alone = self._deadline is None and self.here() | {seat} == {seat}
                with contextlib.suppress(TimeoutError):
                    await self._wait_silently(None if alone else wait, seat)
        finally:
            self._deadline = None
            self.reviews.drop_panel(seat)
            if seat in self.people:
                self.people[seat].panel = []

    async def _wait_silently(self, seconds: float | None, seat: int) -> None:
        """Wait for a change, without telling anybody before there is one."""
        end = None if seconds is None else time.monotonic() + seconds
        while not self._changed.is_set():
            left = None if end is None else end - time.monotonic()
            if left is not None and left <= 0:
                if self._gives_up(seat):
                    return
                end = time.monotonic() + _LOOK_SECONDS
                left = _LOOK_SECONDS
            with contextlib.suppress(TimeoutError):
                # Not wait_for, which in Python 3.11 may swallow a cancellation.
                async with asyncio.timeout(left):
                    await self._changed.wait()

    def _gives_up(self, seat: int) -> bool:
        if self.table.seats[seat].leaving:
            return True
        if self._deadline is not None:
            return time.monotonic() >= self._deadline[1]
        here = self.here()
        return bool(here) and seat not in here and time.monotonic() - self.person(seat).gone > PATIENCE_SECONDS

    async def _finish(self) -> None:
        """The hand is over: the board is run out, everybody paid, shown what was read, and time given to look."""
        table, now = self.table, self.table.now
        assert now is not None
        if now.showdown and self._cards_shown < 5:
            self._phase = "runout"
            while self._cards_shown < 5:
                await self._show_for(PACE[self.options.speed][1])
                self._cards_shown = BOARD_CARDS[BOARD_CARDS.index(self._cards_shown) + 1]
        in_hand = [k for k in now.seats if table.seats[k].kind == "person"]
        leaving = [k for k in in_hand if table.seats[k].leaving]
        names = [table.seats[k].name for k in now.seats]
        assert table.state.deck is not None
        record = table.finish()
        record = msgspec.structs.replace(record, names=tuple(names))
        self.records.append(record)
        options = self.encode(self.options).decode()
        self.store.write(LiveStore.finished, self.id, options, table.state, record, table.state.deck)
        # Nobody sees the deck before it is written that the hand is over.
        await self._written()
        self._finished_hand = record
        reviews = [
            task
            for seat in in_hand if seat not in leaving and self.here() & {seat}
            for task in self.reviews.after_hand(seat, record)
        ]  # fmt: skip
        self.matches.tell_agents()
        self._phase = "over"
        if leaving:
            if reviews:
                # They are of the reader that knew the players of this hand.
                self.tell()
                await asyncio.wait(reviews, timeout=_REVIEW_SECONDS)
            self._new_players()
        await self._show_for(PACE[self.options.speed][2])
