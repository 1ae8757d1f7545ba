"""What a person at the table may ask for: advice, readings of both sides, statistics, earlier hands, notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec
from rich.text import Text

from dupai.base import ConfigError, DupaiError, NotationError
from dupai.base.text import nearest, whole_number
from dupai.cli._grid import read_lines
from dupai.cli._seat import print_table
from dupai.cli._shared import table
from dupai.cli._telling import cards_shown, print_hand
from dupai.notation import chips_words, likelier_reason, reason_words, street_choice_words

if TYPE_CHECKING:
    from rich.console import Console

    from dupai.arena import Session
    from dupai.history.stats import PlayerStats
    from dupai.reading import Reading
    from dupai.rules import HandRecord, View

#: How notes of the coach begin.
COACH = "coach: "
#: Statistics of the table of opponents: name and title.
_COLUMNS = (
    ("vpip", "VPIP"), ("pfr", "PFR"), ("3bet", "3-bet"), ("cbet-flop", "c-bet"), ("wtsd", "WTSD"), ("af", "AF"),
)  # fmt: skip


class Study:
    """Answers the commands of the person in chair ``me``.

    Args:
        advisor: agent spec for ``hint``.
        reader: reader spec for ``read`` and ``mirror``.
    """

    def __init__(self, out: Console, session: Session, advisor: str, reader: str, me: int = 0) -> None:
        from dupai.arena.live import Companion

        self._out, self._session, self._me = out, session, me
        self.companion = Companion(session.names, me, session.records, advisor, reader, session.info(me))
        #: Notes on opponents by name; notes on the hand in play, and on finished hands by number.
        self.players: dict[str, str] = {}
        self.now: list[str] = []
        self.hands: dict[int, list[str]] = {}

    def answer(self, text: str, view: View) -> bool:
        """Whether ``text`` was one of the commands; it is then answered, mistakes in one line."""
        word, _, rest = text.strip().partition(" ")
        asked: dict[str, Callable[[View, str], None]] = {
            "hint": self._hint, "read": self._read, "mirror": self._show_mirror, "stats": self._stats,
            "hands": self._hands, "note": self._note, "table": self._table, "t": self._table,
        }  # fmt: skip
        if word.lower() not in asked:
            return False
        try:
            asked[word.lower()](view, rest.strip())
        except DupaiError as error:
            self._say(str(error))
        except Exception as error:  # noqa: BLE001 - an adviser that fails must not cost the person the hand
            self._say(f"it failed: {type(error).__name__}: {error}")
        return True

    def _say(self, text: str, style: str = "") -> None:
        self._out.print(f"  {text}", style=style, markup=False, soft_wrap=True)

    # the table -------------------------------------------------------------------------------------------------------

    def _table(self, view: View, rest: str) -> None:
        print_table(self._out, view, self._session.names, self.players)

    def _note(self, view: View, rest: str) -> None:
        if not rest:
            raise NotationError("note what? note TEXT on this hand, note NAME TEXT on a player", text=rest)
        name = max((n for n in self._session.names if f"{rest} ".startswith(f"{n} ")), key=len, default="")
        words = rest[len(name) :].strip()
        if name and words:
            self.players[name] = words
            self._say(f"noted on {name}")
        else:
            self._say("noted on this hand; it is saved with it")
        self.now.append(rest)

    # advice and readings ---------------------------------------------------------------------------------------------

    def _hint(self, view: View, rest: str) -> None:
        spec = rest or self.companion.advisor
        advice = self.companion.advice(view, spec)
        self._say(f"{spec} would:", "bold")
        order = sorted(range(len(advice.actions)), key=lambda i: -advice.probabilities[i])
        for i in order[:6]:
            p = advice.probabilities[i]
            worth = ""
            if advice.values is not None:
                worth = f"   worth {advice.values[i] / max(view.spec.big_blind, 1):+.2f} bb"
            self._say(
                f"  {p:6.1%}  {street_choice_words(view, advice.actions[i]):<34}{'█' * round(12 * p)}{worth}".rstrip()
            )
        if len(order) > 6:
            self._say(f"          {len(order) - 6} other sizes, {sum(advice.probabilities[i] for i in order[6:]):.1%}")
        for reason in advice.reasons:
            for line in wrapped(reason_words(reason), self._out.width - 6):
                self._say(line)

    def _opponent(self, view: View, rest: str) -> list[int]:
        """Seats of the opponents meant; default: all who have not folded."""
        names = self._session.names
        if not rest:
            return [view.seats[p] for p in range(view.spec.players) if p != view.position and not view.folded[p]]
        others = [n for seat, n in enumerate(names) if seat != self._me]
        if rest not in others:
            raise NotationError(f"{rest!r} does not sit here: {nearest(rest, others)}", text=rest)
        return [names.index(rest)]

    def _read(self, view: View, rest: str) -> None:
        seats = self._opponent(view, rest)
        for seat, reading in self.companion.readings(view, seats).items():
            title = f"{self._session.names[seat]}, as {self.companion.reader_spec} reads them"
            self._print_reading(title, reading, view.board)

    def _show_mirror(self, view: View, rest: str) -> None:
        reading = self.companion.mirror(view)
        self._print_reading(f"you, as {self.companion.reader_spec} reads you from outside", reading, view.board)
        from dupai.cards import cards_text, combo

        hand = combo(*view.hole)
        bits, p = reading.gain(hand, reading.hands), 100 * reading.probability(hand)
        likelier = reason_words(likelier_reason(bits, "your hand"))
        self._say(f"{likelier}: {cards_text(view.hole)} has {p:.2f} % ({bits:+.2f} bits)")

    def _print_reading(self, title: str, reading: Reading, board: Sequence[int]) -> None:
        self._say(title, "bold")
        colours = self._out.color_system is not None and not self._out.no_color
        for line in read_lines(reading, board, colours):
            # Colours of the grid are already in the text.
            self._out.file.write(line + "\n")

    # what they did ---------------------------------------------------------------------------------------------------

    def _stats(self, view: View, rest: str) -> None:
        from dupai.history.stats import StatsTable

        seats = self._opponent(view, rest) if rest else [s for s in sorted(view.seats) if s != self._me]
        if not self._session.records:
            raise ConfigError("no hand is over yet: there is nothing to count")
        counts = StatsTable()
        for record in self._session.records:
            counts.update(record)
        rows = table("player", ">hands", *(f">{title}" for _, title in _COLUMNS))
        for seat in seats:
            person = counts.player(self._session.names[seat])
            rows.add_row(person.player, f"{person.hands:,}", *(stat_words(person, name) for name, _ in _COLUMNS))
        self._out.print(rows)
        for line in wrapped(
            "Estimates in %, drawn towards players of such games while opportunities are few; below each what was "
            "seen, times/opportunities (AF: bets and raises per call). ~ marks fewer than 10.",
            self._out.width - 2,
        ):
            self._say(line, "dim")
        for seat in seats:
            if (name := self._session.names[seat]) in self.players:
                self._say(f"{name}: {self.players[name]}")

    def _hands(self, view: View, rest: str) -> None:
        records = self._session.records
        if rest:
            number = whole_number(rest)
            record = next((r for r in records if r.hand == number), None)
            if record is None:
                raise NotationError(f"hands {rest}: expected a hand that is over, 1 to {len(records)}", text=rest)
            print_hand(self._out, self.seen(record), len(records))
            return
        if not records:
            raise ConfigError("no hand is over yet")
        for record in records[-15:]:
            position = record.seats.index(self._me)
            line = Text(f"  {record.hand:>4}  ")
            line.append_text(cards_shown(record.hole[position], signs=self._out.is_terminal))
            line.append("   ")
            line.append_text(cards_shown(record.board, signs=self._out.is_terminal))
            line.pad_right(max(30 - len(line.plain), 1))
            line.append(f"{chips_words(record.payoffs[position], record.spec.split, sign=True) or '0':>9}")
            noted = self.hands.get(record.hand, [])
            costly = sum(note.startswith(COACH) for note in noted)
            words = [note for note in noted if not note.startswith(COACH)]
            words += [f"{costly} costly decision{'s' if costly > 1 else ''}"] if costly else []
            line.append(f"   {'; '.join(words)}".rstrip(), style="dim")
            self._out.print(line, soft_wrap=True)
        self._say("hands N shows one street by street", "dim")

    def seen(self, record: HandRecord) -> HandRecord:
        """A finished hand as the person knows it, with their notes."""
        mine = record.seen_by(record.seats.index(self._me))
        return msgspec.structs.replace(mine, comment="; ".join(self.hands.get(record.hand, [])))

    def over(self, record: HandRecord, more: Sequence[str] = ()) -> None:
        """A hand is over: its notes are put by, with ``more`` of them."""
        if self.now or more:
            self.hands[record.hand] = [*self.now, *more]
        self.now = []


def stat_words(person: PlayerStats, name: str) -> str:
    """A statistic in few letters, its count below: ``~61`` and ``5/7``; ``–`` where it cannot arise."""
    e = person.estimate(name)
    if not e.arises:
        return "–"
    few = "~" if e.n < 10 else ""
    if name == "af":
        return f"{few}{e.mean:.1f}\n{e.successes:.0f}:{e.n - e.successes:.0f}"
    return f"{few}{100 * e.mean:.0f}\n{e.successes:.0f}/{e.n}"


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most ``width`` letters."""
    import textwrap

    return textwrap.wrap(text, max(min(width, 78), 40)) or [""]
