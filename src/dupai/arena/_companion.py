"""What somebody at a table may ask for: readings of the others, the mirror, advice, a coach. All of it is made from the
views and records of one seat, so that it knows no hidden card."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from dupai.agents import Advice, MatchInfo, Seat, seated_agent, sit_down
from dupai.arena._coach import LESSON_DEALS, Coach, Lesson
from dupai.base import DupaiError, Rng
from dupai.reading import Reader, Reading, load_reader, readings_to_draw
from dupai.rules import Action, HandRecord, Line, View

T = TypeVar("T")
#: Readings of earlier streets that a companion keeps: those of a hand or two.
_MAX_EARLIER = 60


class Learner(Generic[T]):
    """A reader or an agent that watches a session, made when first asked: then it is shown all hands before.

    Args:
        make: makes it.
        records: the finished hands of the session; the list grows.
        show: shows it one of them.
    """

    def __init__(
        self, make: Callable[[], T], records: Sequence[HandRecord], show: Callable[[T, HandRecord], object]
    ) -> None:
        self._make, self._records, self._show = make, records, show
        #: None before it is first asked for.
        self.one: T | None = None
        self._seen = 0

    def ready(self, hands: int | None = None) -> T:
        """The reader or agent, having seen the first ``hands`` hands (None: all so far)."""
        if self.one is None:
            self.one = self._make()
        for record in self._records[self._seen : hands]:
            self._show(self.one, record)
            self._seen += 1
        return self.one


class Companion:
    """Answers one seat of a session.

    Args:
        names: of the players by seat.
        seat: whom it serves.
        records: the finished hands of the session; the list grows.
        advisor: agent spec for advice.
        reader: reader spec for readings, mirror and coach.
        match: what its seat knows of the match, for advisors; None: one of the game in the first view that they see.
    """

    def __init__(
        self,
        names: Sequence[str],
        seat: int,
        records: Sequence[HandRecord],
        advisor: str = "advisor",
        reader: str = "model",
        match: MatchInfo | None = None,
    ) -> None:
        self._match = match
        self.names, self.seat, self.advisor, self.reader_spec = tuple(names), seat, advisor, reader
        self._records = records
        self._advisors: dict[str, Learner[Seat]] = {}
        self.reader: Learner[Reader] = Learner(self._met, records, self._show)
        self._mirror: Learner[Reader] = Learner(self._met, records, lambda one, r: one.observe(r.seen_by(None)))
        #: Readings of a seat at the ends of streets, by a reader that has seen so many hands.
        self._earlier: dict[tuple[int, int, Line], Reading] = {}

    def _met(self) -> Reader:
        reader = load_reader(self.reader_spec)
        reader.meet(dict(enumerate(self.names)))
        return reader

    def _show(self, reader: Reader, record: HandRecord) -> None:
        reader.observe(record.seen_by(record.seats.index(self.seat) if self.seat in record.seats else None))

    def advice(self, view: View, spec: str | None = None) -> Advice:
        """What an agent (default: the advisor) would do in a view of this seat.

        Raises:
            NotationError, ConfigError, AgentError: there is no such agent, or it cannot decide there.
        """
        spec = spec or self.advisor

        def make() -> Seat:
            if self._match is None:
                return sit_down(seated_agent(spec), view, spec, self.names)
            seat = Seat(lambda: seated_agent(spec), spec)
            seat.start(self._match)
            return seat

        if spec not in self._advisors:
            self._advisors[spec] = Learner(make, self._records, Seat.show)
        return self._advisors[spec].ready().advise(view, Rng(1, view.hand, len(view.actions)))

    def close(self) -> None:
        """The session is over: its advisors are closed."""
        for advisor in self._advisors.values():
            if advisor.one is not None:
                advisor.one.close()
        self._advisors.clear()

    def readings(self, view: View, seats: Sequence[int] | None = None) -> Mapping[int, Reading]:
        """What ``seats`` (default: opponents who have not folded) seem to hold, in a view of this seat."""
        if seats is None:
            seats = [s for p, s in enumerate(view.seats) if s != self.seat and not view.folded[p]]
        return self.reader.ready().read(view, seats)

    def readings_to_draw(self, view: View) -> Mapping[int, Reading]:
        """Readings of the opponents who have not folded, whose hands are drawn from them to fit each other."""
        return readings_to_draw(self.reader.ready(), view)

    def mirror(self, view: View) -> Reading:
        """What an observer reads in this seat."""
        return self._mirror.ready().read(view.public(), [self.seat])[self.seat]

    def earlier(self, view: View, seat: int) -> list[tuple[int, Reading]]:
        """What ``seat`` seemed to hold when the betting of each earlier street was over, as (street, reading); of the
        companion's own seat as an observer reads it. They are read once in a hand."""
        if len(self._earlier) > _MAX_EARLIER:
            self._earlier.clear()
        found = []
        for street, state in view.line.street_ends():
            if street < view.street:
                then = state.view(view.position)
                key = (seat, len(self._records), then.line)
                if key not in self._earlier:
                    self._earlier[key] = self.mirror(then) if seat == self.seat else self.readings(then, [seat])[seat]
                found.append((street, self._earlier[key]))
        return found

    def lessons(
        self,
        decisions: Sequence[tuple[View, Action]],
        *,
        first: int = 1,
        deals: int = LESSON_DEALS,
        seed: int = 1,
        hands: int | None = None,
        seconds: float = 3.0,
    ) -> Iterator[tuple[View, Lesson | DupaiError]]:
        """What decisions of this seat in one hand gave up, from its decision number ``first`` on, or why there is no
        estimate. The reader has seen ``hands`` hands before it (None: all)."""
        coach = Coach(self.reader.ready(hands), deals, seconds, seed)
        for number, (view, action) in enumerate(decisions, first):
            try:
                yield view, coach.lesson(view, action, number)
            except DupaiError as error:
                yield view, error
