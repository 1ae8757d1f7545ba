"""Who is at a table: clients that look on, and what is kept of a person in a seat."""

from __future__ import annotations

import asyncio
import contextlib
import time

import msgspec

from dupai.web import _messages as m
from dupai.web._panel import calibration_of, session_lessons

#: Frames that may wait for one client before it is let go.
_BACKLOG = 256


class Client:
    """Somebody who looks on: frames go into a queue that the socket empties."""

    def __init__(self, seat: int | None, host: bool) -> None:
        self.seat, self.host = seat, host
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(_BACKLOG)
        self.lost = False
        self.address = ""
        #: Whether no hand has been dealt since it came.
        self.is_new = True

    def send(self, frame: bytes) -> None:
        """Put a frame into the queue; a client that does not take them is let go."""
        try:
            self.queue.put_nowait(frame)
        except asyncio.QueueFull:
            self.lost = True
            while not self.queue.empty():
                self.queue.get_nowait()
            self.queue.put_nowait(None)

    def end(self) -> None:
        """Close the socket."""
        self.lost = True
        with contextlib.suppress(asyncio.QueueFull):
            self.queue.put_nowait(None)


class Told(msgspec.Struct, frozen=True):
    """What a person was told after a hand: the store keeps it until they leave."""

    shown: tuple[m.Shown, ...] = ()
    lessons: tuple[m.LessonLine, ...] = ()


class Person:
    """What the server keeps of somebody who sits: how the session went.

    ``reveal``, ``coached``: what they were told last.
    """

    def __init__(self) -> None:
        self.lessons: list[m.LessonLine] = []
        self.shown: list[m.Shown] = []
        self.reveal: m.Reveal | None = None
        self.coached: m.Lessons | None = None
        self.panel: list[bytes] = []
        self.gone = time.monotonic()

    def take_up(self, hand: int, told: Told) -> None:
        """Go on with a session after a restart: one hand of it."""
        if told.shown:
            self.shown.extend(told.shown)
            self.reveal = m.Reveal(hand, told.shown, calibration_of(self.shown))
        if told.lessons:
            self.lessons.extend(told.lessons)
            self.coached = session_lessons(told.lessons, self.lessons)
