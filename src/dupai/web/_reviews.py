"""What people at a table are told beside the play: the panel at a decision, and a review after each hand."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import numpy as np

from dupai.arena.live import LiveStore, LiveTable, decisions_of, spot_table
from dupai.base import ConfigError
from dupai.engine import EngineError, Hand
from dupai.rules import HandRecord, View
from dupai.web import _messages as m
from dupai.web._http import public_line
from dupai.web._matches import Matches
from dupai.web._panel import analysis_of, calibration_of, in_hand, lessons_of, mirror_of, readings_of, shown_of
from dupai.web._people import Person, Told
from dupai.web._session import Session
from dupai.web._state import PACE

#: Seconds that an engine has for a panel, and for one question of a review.
PANEL_SECONDS, REVIEW_SECONDS = 3.0, 10.0


class Reviews:
    """Asks the engines for a session's people, and sends them the answers.

    Args:
        matches: of the session: each person's reader knows the hands that they saw.
    """

    def __init__(self, session: Session, matches: Matches) -> None:
        self._session, self._matches = session, matches
        self._panels: dict[int, asyncio.Task[Any]] = {}
        #: Seats whose panel in work is one of another's decision, and those whose hand has moved on since.
        self._following: set[int] = set()
        self._newer: set[int] = set()

    async def spot_again(self, seat: int, hand: int, decision: int) -> LiveTable:
        """A table that stands at a decision of a person again, in a hand of this table.

        Raises:
            ConfigError: there is no such hand or decision.
            EngineError: it cannot be read.
        """
        known = list(enumerate(self._session.records))[self._session.options.known_since(seat) :]
        number, record = next(((n, r) for n, r in known if r.hand == hand and seat in r.seats), (0, None))
        if record is None:
            raise ConfigError(f"hand {hand}: expected a finished one that you were dealt", key="hand")
        if number < self._session.options.since:
            raise ConfigError(f"hand {hand}: expected one since the players at this table changed", key="hand")
        decisions = decisions_of(record, record.seats.index(seat))
        if not 1 <= decision <= len(decisions):
            raise ConfigError(f"decision {decision}: expected 1 to {len(decisions)}", key="decision")
        view, _ = decisions[decision - 1]
        # Who sits here now: somebody may leave while the engine is asked.
        seats = [
            msgspec.structs.replace(s, kind="agent", spec="rules") if s.kind == "person" and k != seat
            else msgspec.structs.replace(s)
            for k, s in enumerate(self._session.table.seats)
        ]  # fmt: skip
        result = analysis_of(await self._matches.ask("person", seat, "analyse", hand=Hand.of(view), want=["ranges"]))
        readings = {record.seats.index(line.seat): np.array(line.p) for line in result.ranges}
        settings = msgspec.structs.replace(self._session.table.settings, tournament=False)
        return spot_table(settings, seats, view, readings)

    def offer_panels(self) -> None:
        """Send everybody who was dealt in the panel as the hand stands: the reading moves on while others act."""
        for seat in self._session.here():
            self.offer_panel(seat)

    def offer_panel(self, seat: int) -> None:
        """Send a person the panel, if it is on: at their decision, and while others act at a pace that eyes follow."""
        session, task = self._session, self._panels.get(seat)
        if task is not None and not task.done() and seat in self._following:
            # It is done soon: a question that is given up costs more than its answer.
            self._newer.add(seat)
            return
        self.drop_panel(seat)
        if session.options.panel and seat in session.here():
            self._panels[seat] = session.later(self._panels_until_now(seat))

    async def _panels_until_now(self, seat: int) -> None:
        """Send a person the panel, and once more where the hand has moved on meanwhile."""
        while True:
            self._newer.discard(seat)
            turn, now = self._session.is_turn_of(seat), self._session.table.now
            watchable = PACE[self._session.options.speed][0] > 0
            if now is None or now.finished or seat not in now.seats or not (turn or watchable):
                return
            (self._following.discard if turn else self._following.add)(seat)
            await self._panel(seat, now.view(now.seats.index(seat)))
            if seat not in self._newer:
                return

    def drop_panel(self, seat: int) -> None:
        """The panel of a seat is not wanted any more."""
        if (task := self._panels.pop(seat, None)) is not None:
            task.cancel()

    async def _panel(self, seat: int, view: View) -> None:
        """Send a person the panel in a view, unless the decision or the hand is over by then."""
        decides = view.position == view.actor
        try:
            want = ["ranges", "streets", *["equity"] * in_hand(view), *["actions", "mirror"] * decides]
            fields: dict[str, Any] = {"hand": Hand.of(view), "want": want, "agent": self._session.options.advisor}
            analysis = analysis_of(await self._matches.ask("person", seat, "analyse", seconds=PANEL_SECONDS, **fields))
        except EngineError as error:
            self._session.send_to(
                seat, m.Readings(view.hand, len(view.actions), (), error=public_line(str(error), 300))
            )
            return
        now = self._session.table.now
        stands = now is not None and now.hand == view.hand and (not decides or len(now.actions) == len(view.actions))
        if not self._session.options.panel or not stands:
            return
        frames = [self._session.send_to(seat, readings_of(view, analysis))]
        mirror = mirror_of(view, analysis)
        if mirror is not None:
            frames.append(self._session.send_to(seat, mirror))
        self._session.person(seat).panel = frames

    def after_hand(self, seat: int, record: HandRecord) -> list[asyncio.Task[Any]]:
        """Start to review a hand for a person, as far as the table's options say so."""
        if not self._session.options.panel and not self._session.options.coach:
            return []
        now = self._session.table.now
        assert now is not None
        # From the cards of this seat and the board alone: what was shown does not help the reader.
        view = now.view(now.seats.index(seat))
        # Both are asked before anybody asks with this hand known: what it showed at its end does not help the reader.
        before = len(self._session.records) - 1
        reveal = self._session.later(self._reveal(seat, record, view, before))
        return [reveal, self._session.later(self._judge(seat, record, before, reveal))]

    async def _reveal(self, seat: int, record: HandRecord, view: View, before: int) -> tuple[m.Shown, ...]:
        """Tell a person how the hands that were shown had been read, by a reader that knows the first ``before`` hands
        of the table."""
        shown = [p for p, open_ in enumerate(record.shown) if open_ and record.seats[p] != seat]
        if not self._session.options.panel or not shown:
            return ()
        person = self._session.person(seat)
        try:
            asked: dict[str, Any] = {"hand": Hand.of(view), "want": ["ranges"], "seconds": REVIEW_SECONDS}
            result = analysis_of(await self._matches.ask("person", seat, "analyse", before, **asked))
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
        self._session.send_to(seat, person.reveal, person)
        return read

    async def _judge(
        self, seat: int, record: HandRecord, before: int, reveal: asyncio.Task[tuple[m.Shown, ...]]
    ) -> None:
        """Tell a person what their decisions in a hand gave up, with the same reader."""
        decisions = decisions_of(record, record.seats.index(seat))
        if not self._session.options.coach or not decisions:
            return
        person = self._session.person(seat)
        try:
            # One by one: others at the same engine have their turn in between.
            each = [
                {"decisions": [{"hand": Hand.of(view), "action": str(action)}], "first": number}
                for number, (view, action) in enumerate(decisions, 1)
            ]
            results = await self._matches.ask_each("person", seat, "coach", each, before, REVIEW_SECONDS)
        except EngineError as error:
            self._no_review(seat, person, error)
            return
        read = await reveal
        person.coached = lessons_of(record.hand, results, person.lessons)
        self._keep(seat, person, record.hand, Told(read, person.coached.lessons))
        self._session.send_to(seat, person.coached, person)

    def _no_review(self, seat: int, person: Person, error: EngineError) -> None:
        self._session.send_to(seat, m.Refused(public_line(f"no review of this hand: {error}", 230)), person)

    def _keep(self, seat: int, person: Person, hand: int, told: Told) -> None:
        """Store what a person is about to be told, so that a crash after they read it loses none of it."""
        if self._session.people.get(seat) is person:
            self._session.store.write(LiveStore.add_review, self._session.id, seat, hand, self._session.encode(told))
