"""What the live table of ``dupai run`` shows at one moment, as data: drawn by ``_screen``."""

from __future__ import annotations

import msgspec


class Seat(msgspec.Struct, frozen=True, array_like=True):
    """One player: chips in front of them, their last action, the cards that they show.

    ``marks``: ``b`` has the button, ``a`` acts, ``f`` has folded, ``o`` is out of the match.
    """

    name: str
    stack: int
    words: str
    cards: tuple[int, ...] = ()
    marks: str = ""


class Glance(msgspec.Struct, frozen=True, array_like=True):
    """One reading of one player.

    Attributes:
        when: the street, or that nobody has acted.
        levels: 169 digits in grid order, 0 (nothing) to 7 (the most probable).
        made: the most probable made hands by name, with their shares.
        likely: how many equally likely hands would leave as much open; ``legal``: how many are possible.
    """

    when: str
    levels: str
    made: tuple[tuple[str, float], ...]
    likely: int
    legal: int


class Truth(msgspec.Struct, frozen=True, array_like=True):
    """What the player held, at showdown: the cards, their square in the grid, the made hand, and the bits that the
    reader and the starting table gained on it."""

    cards: tuple[int, ...]
    square: int
    made: str
    reader: float
    table: float


class Score(msgspec.Struct, frozen=True, array_like=True):
    """Bits gained over knowing nothing, summed over all hands shown so far; ``squares`` of reader less table."""

    shown: int = 0
    reader: float = 0.0
    table: float = 0.0
    squares: float = 0.0

    def more(self, reader: float, table: float) -> Score:
        """The score with one more hand shown."""
        gains = self.reader + reader, self.table + table, self.squares + (reader - table) ** 2
        return Score(self.shown + 1, *gains)

    def words(self, reader: str) -> str:
        """How likely the reader held what was shown, beside the starting table, with the 95 % error of the gain."""
        n = self.shown
        ahead = (self.reader - self.table) / n
        spread = max(self.squares / n - ahead**2, 0.0) / max(n - 1, 1)
        error = f" ± {1.96 * spread**0.5:.2f}" if n > 1 else ""
        times = [2 ** (bits / n) for bits in (self.reader, self.table)]
        return (
            f"{n:,} shown: {reader} {times[0]:.2f} x as likely, start-table {times[1]:.2f} x; {ahead:+.2f}{error} bits"
        )


class Scene(msgspec.Struct, frozen=True, array_like=True):
    """One moment of a match.

    Attributes:
        hand, hands: number of the hand, most hands of the match.
        stakes: blinds; ``seed`` of the match; ``live``: players who are in.
        board, pot: as they stand.
        seats: all players, by chair.
        reader: the reader's spec, "" for none; ``villain``: whom it reads.
        glances: one reading for each street so far, the first before anybody has acted; the last is the present one.
        truth: at showdown; ``score``: of all showdowns so far.
        notes: events, the latest last.
        ended: the hand is over.
    """

    hand: int
    hands: int
    stakes: str
    seed: int
    live: int
    board: tuple[int, ...]
    pot: int
    seats: tuple[Seat, ...]
    reader: str = ""
    villain: str = ""
    glances: tuple[Glance, ...] = ()
    truth: Truth | None = None
    score: Score = Score()
    notes: tuple[str, ...] = ()
    ended: bool = False
