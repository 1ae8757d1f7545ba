"""Files that are read hand by hand (PHH, texts of poker sites): every hand with what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import NamedTuple

from dupai.base import DupaiError, HistoryError
from dupai.cards import NO_CARD, describe
from dupai.history._files import LogFile
from dupai.notation import format_chips, is_ohh, parse_chips, read_ohh, read_sites, site_of
from dupai.notation.acpc import game_words
from dupai.notation.phh import PhhTable, check_unstated_rake, read_phh_tables, record_of_phh
from dupai.rules import GameSpec, HandRecord, HandState

#: Bytes of text read at a time, few enough for the progress to move.
_BLOCK = 1 << 18
#: Bytes at the start of a file by which a site's text is recognized.
_HEAD = 1 << 14


class Entry(NamedTuple):
    """A hand and the ``line`` on which it begins.

    ``kind`` is "" when all is well, ``rejected`` when the hand cannot be read (``record`` is None), ``mismatch`` when
    it does not reconcile; ``error`` says why. ``proven``: the winners were recomputed."""

    line: int
    record: HandRecord | None
    proven: bool = False
    kind: str = ""
    error: str = ""

    @property
    def hands(self) -> int:
        """1 if the hand was replayed, else 0."""
        return int(self.record is not None)

    @property
    def unproven(self) -> int:
        """1 if the hand is in order but has a showdown whose cards are not all known, else 0."""
        return int(self.record is not None and not self.kind and not self.proven)

    @property
    def games(self) -> list[str]:
        """Its game in words, without stacks."""
        return [] if self.record is None else [game_title(self.record.spec)]


def game_title(spec: GameSpec) -> str:
    """A game in words, without stacks."""
    return game_words(spec).partition(", stacks")[0]


def games_title(games: set[str]) -> str:
    """The one game of a file, ``several games``, or nothing."""
    return next(iter(games), "") if len(games) < 2 else "several games"


def is_phh(path: str) -> bool:
    """Whether a file's name is that of a PHH file (``.phh``, ``.phhs``, also compressed)."""
    return path.lower().removesuffix(".xz").removesuffix(".gz").endswith((".phh", ".phhs"))


def file_kind(path: str) -> str:
    """``phh`` (by the name), ``ohh`` or ``site`` (by the first lines) or ``acpc``.

    Raises:
        FileError: the file cannot be opened.
    """
    if is_phh(path):
        return "phh"
    with LogFile(path) as file:
        head = next(iter(file.blocks(_HEAD)), b"")[:_HEAD].decode("utf-8", "replace")
    if is_ohh(head):
        return "ohh"
    return "acpc" if "\nSTATE:" in f"\n{head}" or site_of(head) is None else "site"


def noted(blocks: Iterable[bytes], note: Callable[[bytes], object] | None) -> Iterator[bytes]:
    """The blocks; ``note`` is called with each before it is used."""
    for block in blocks:
        if note is not None:
            note(block)
        yield block


def text_lines(file: LogFile, note: Callable[[bytes], object] | None = None) -> Iterator[str]:
    """The lines of a file without their ends; ``note`` is called with every block."""
    for block in noted(file.blocks(_BLOCK), note):
        yield from block.decode("utf-8", "replace").split("\n")[:-1]


def read_entries(kind: str, lines: Iterable[str], start: int = 1, first: int = 1) -> Iterator[Entry]:
    """The hands from line number ``start`` on (where a hand begins); ``lines`` begin with number ``first``, and
    ``kind`` is ``phh``, ``ohh`` or ``site``."""
    rest = islice(lines, start - first, None)
    for entry in {"phh": _phh, "ohh": _ohh}.get(kind, _sites)(rest):
        yield entry._replace(line=entry.line + start - 1)


def _phh(lines: Iterable[str]) -> Iterator[Entry]:
    for table in read_phh_tables(lines):
        try:
            if not isinstance(table, PhhTable):
                raise table
            record = record_of_phh(table.fields)
        except DupaiError as error:
            yield Entry(table.line or 0, None, False, "rejected", str(error))
            continue
        yield _checked(table.line, record, partial(_check_rake, stated=table.fields.get("_rake")))


def _ohh(lines: Iterable[str]) -> Iterator[Entry]:
    for line, hand in read_ohh(lines):
        yield Entry(line, None, False, "rejected", hand) if isinstance(hand, str) else _checked(line, hand)


def _sites(lines: Iterable[str]) -> Iterator[Entry]:
    for hand in read_sites(lines):
        if hand.record is None:
            yield Entry(hand.line, None, False, "rejected", hand.error)
        else:
            yield _checked(hand.line, hand.record)


def _checked(line: int, record: HandRecord, check_rake: Callable[[HandRecord], object] = lambda record: None) -> Entry:
    """Reconcile a hand, and its rake with the one that the source states."""
    try:
        proven = check_record(record)
        check_rake(record)
    except DupaiError as error:
        return Entry(line, record, False, "mismatch", str(error))
    return Entry(line, record, proven)


def _check_rake(record: HandRecord, stated: object) -> None:
    """Compare the rake of a PHH hand with the one that it states (None: it states none)."""
    split = record.spec.split
    if stated is None:
        check_unstated_rake(record)
    elif parse_chips(str(stated), split) != record.rake:
        expected = format_chips(record.rake, split)
        raise HistoryError(f"hand {record.hand}: _rake is {stated}: expected {expected}, what the stacks lose")


# checking a hand -----------------------------------------------------------------------------------------------------


def check_record(record: HandRecord) -> bool:
    """Replay a finished hand and compare its payoffs with those that the rules give.

    With rake, the winners' payoffs may be lower, by the rake in total. Where a showdown's cards are not all known the
    winner cannot be recomputed: then chips must be conserved, players who folded lose what they put in, and nobody
    loses more. Returns whether the winner was recomputed.

    Raises:
        RulesError: an action is not legal where it stands, or the hand is not over.
        HistoryError: the payoffs are wrong; says what was expected and who won with what.
    """
    state = record.at()
    split = record.spec.split
    stated = "|".join(format_chips(p, split) for p in record.payoffs)
    put = [(a + b) * split for a, b in zip(state.contributions, state.antes, strict=True)]
    settles = not state.finished or _settles(state)
    if (record.rake or not settles) and (record.rake < 0 or sum(record.payoffs) != -record.rake):
        raise HistoryError(
            f"hand {record.hand}: payoffs {stated} add up to {format_chips(sum(record.payoffs), split)}: "
            f"expected {format_chips(-abs(record.rake), split)}, as the rake is {format_chips(record.rake, split)}"
        )
    if not settles:
        for i, (paid, folded) in enumerate(zip(record.payoffs, state.folded, strict=True)):
            if paid < -put[i] or (folded and paid != -put[i]):
                raise HistoryError(
                    f"hand {record.hand}: payoffs {stated}: position {i} put in {format_chips(put[i], split)} and "
                    f"{'folded' if folded else 'cannot lose more'}"
                )
        return False
    expected: tuple[int, ...] = tuple(state.payoffs.tolist())
    if expected == record.payoffs:
        return True
    if record.rake and all(
        p == e or (p < e and e > -put[i]) for i, (p, e) in enumerate(zip(record.payoffs, expected, strict=True))
    ):
        return True
    right = "|".join(format_chips(p, split) for p in expected)
    if record.rake:
        right += f" less the rake of {format_chips(record.rake, split)}"
    raise HistoryError(f"hand {record.hand}: payoffs {stated}: expected {right} ({_reason(record, state)})")


def _settles(state: HandState) -> bool:
    if not state.showdown:
        return True
    live = (two for two, folded in zip(state.hole, state.folded, strict=True) if not folded)
    return len(state.board) == 5 and all(NO_CARD not in two for two in live)


def _reason(record: HandRecord, state: HandState) -> str:
    if not state.showdown:
        return f"all but position {state.folded.index(False)} folded"
    names = record.names or tuple(f"position {i}" for i in range(record.spec.players))
    strengths = state.state["strength"][0].tolist()
    return "; ".join(f"{names[i]}: {describe(strengths[i])}" for i in range(record.spec.players) if not state.folded[i])
