"""Texts of poker sites: cut into hands, each read by the table of its site."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property, lru_cache
from importlib import import_module
from typing import NamedTuple

import msgspec

from dupai.base import DupaiError, HistoryError
from dupai.notation.sites._draft import Draft
from dupai.notation.sites._said import chips_of
from dupai.rules import HandRecord

#: Modules of the sites that are read, in the order tried.
_MODULES = (
    *("pokerstars", "fulltilt", "partypoker", "pacific", "absolute", "ongame", "bovada"),
    *("ggpoker", "winamax", "wpn", "wpn_before_2019", "betonline"),
    *("ipoker", "merge", "microgaming", "cake", "everleaf", "entraction"),
    *("sealswithclubs", "pkr"),
)

#: Stacks with fractions or a currency: then all amounts become cents.
_CENTS = re.compile(
    r"\nSeat \d+\b.*\(\s*(?:[^\d\s(]{1,3}\s?\d|[\d,. ]*[.,]\d\d?(?!\d)|[\d.,]+\s?[\u20ac$\u00a3])",
    re.IGNORECASE,
)
#: No hand has more lines: what follows is none.
_MAX_LINES = 5_000
#: The boards of a pot that is played out several times, as sites number them.
_RUNS = {"FIRST": 0, "SECOND": 1, "THIRD": 2, "1": 0, "2": 1, "3": 2}
#: How a line begins that may be a seat's; a name may begin so, too.
_SEATS = frozenset(("Seat ", "seat "))
#: Byte-order marks, as they are and read as Windows-1252.
_MARKS = "\ufeff\u00ef\u00bb\u00bf"
_TAGS = re.compile(r"(?<=>)\s*(?=<(?:session|game|Game|description)\b)")
#: With what the summary of a tournament begins: PokerStars and its like, Full Tilt, GGPoker, and by these words Winamax
#: and 888poker. The word for a tournament may be that of another language.
_SUMMARY = re.compile(
    r".*\bTournament Summary\b|(?:(?:PokerStars|Full Tilt|Run It Once Poker) \S+|Tournament) #\d+, |"
    r"Full Tilt Poker(?:\.fr)? \S+ Summary ",
    re.IGNORECASE,
)
#: What is not plain in an expression: escaped signs, classes, groups (the inner ones first), what a sign repeats.
_NOT_PLAIN = (
    *(rf"{part}(?:[*+?]|\{{[^}}]*\}})*" for part in (r"\\.", r"\[[^\]]*\]", *[r"\([^()]*\)"] * 4)),
    r".[*+?]+|[.^$]",
)

Rules = tuple[tuple[str, str], ...]


class Site(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    r"""How a site writes its hands. Expressions are matched from the start of a line without the blanks around it.

    Attributes:
        name: As records and messages say it.
        begins: The line with which a hand begins.
        whole: What a hand that is finished holds somewhere; empty: all do.
        session: The line with which a part begins that several hands share, as in XML; it goes before each of them.
        header: Reads what stands once in a hand: number, table, game, stakes, button. Called first, with all the text.
        says: Events and how the lines say them that do not begin with a player's name: groups ``name``, ``chips``,
            ``cards``, ``seat``, ``stack``, ``run``.
        does: The same for lines that begin with a name; the expression is matched after it.
        before, after: What stands before and after such a name.
        cents: Finds the amounts by which a text is counted in cents; None: chips.
        footer: Reads what is left once all lines are read, with all the text.
        read: Reads a whole hand instead of ``says`` and ``does``.
    """

    name: str
    begins: str
    header: Callable[[Draft, str], None]
    footer: Callable[[Draft, str], None] | None = None
    whole: str = ""
    session: str = ""
    says: Rules = ()
    does: Rules = ()
    before: str = ""
    after: str = " "
    cents: re.Pattern[str] | None = _CENTS
    read: Callable[[Draft, list[str]], None] | None = None

    @cached_property
    def first(self) -> re.Pattern[str]:
        """``begins``, compiled."""
        return re.compile(self.begins)

    @cached_property
    def readers(self) -> dict[int, tuple[_Reader, _Reader, _Reader]]:
        """What a line says by ``says``, by ``says`` once cards are dealt (a summary may look like the seats), and by
        ``does``; for units of 1 and of 100."""
        later = tuple(rule for rule in self.says if rule[0] != "seat")
        return {n: (_reader(self.says, n), _reader(later, n), _reader(self.does, n)) for n in (1, 100)}


#: An event: kind, name, chips, cards, and the number of a seat or of a board.
_Said = tuple[str, str, int | None, str, int]
_Reader = Callable[[str], _Said | None]


def _plain_part(pattern: str) -> str:
    """The longest plain text that stands in every line of an expression."""
    for part in _NOT_PLAIN:
        pattern = re.sub(part, "\0", pattern)
    return "" if "|" in pattern else max(pattern.split("\0"), key=len)


def _reader(rules: Rules, scale: int) -> _Reader:
    rows = [(event, _plain_part(pattern), re.compile(pattern)) for event, pattern in rules]

    @lru_cache(maxsize=1 << 12)
    def read(line: str) -> _Said | None:
        for event, plain, pattern in rows:
            if plain in line and (match := pattern.match(line)):
                said = match.groupdict()
                text = said.get("chips", said.get("stack"))
                chips = None if text is None else chips_of(text, scale)
                if chips is not None and said.get("more"):
                    chips += chips_of(said["more"], scale)
                number = int(said["seat"]) if event == "seat" else _RUNS.get((said.get("run") or "").upper(), 0)
                return event, said.get("name") or "", chips, said.get("cards") or "", number
        return None

    return read


class SiteHand(msgspec.Struct, frozen=True):
    """A hand of a site's text.

    Attributes:
        line: The line it begins on.
        record: The hand; None when it cannot be read.
        error: What is wrong with it, with the site and the line; empty when all is well.
        kind: ``rejected`` (not read), ``mismatch`` (its money is contradictory), ``waits`` (the text ends before the
            hand does), or empty.
        proven: Whether the winners were recomputed and the text's money was compared.
        site: The site's name.
    """

    line: int
    record: HandRecord | None = None
    error: str = ""
    kind: str = ""
    proven: bool = False
    site: str = ""


@cache
def sites() -> tuple[Site, ...]:
    """The sites that are read, in the order tried."""
    return tuple(import_module(f"dupai.notation.sites.{module}").SITE for module in _MODULES)


@cache
def _starts() -> tuple[re.Pattern[str], re.Pattern[str], frozenset[str]]:
    """What begins a hand, what begins a session, and the first two letters of either."""
    begins, sessions = [site.begins for site in sites()], [site.session for site in sites() if site.session]
    letters = re.findall(r"(?:^|\|)(?:\(\?:)?(\w\w|<\\?.|\\\*)", "|".join(begins + sessions))
    plain = frozenset(pair.replace("\\*", "**").replace("\\", "") for pair in letters)
    return re.compile("|".join(begins)), re.compile("|".join(sessions)), plain


def site_of(text: str) -> str | None:
    """The site of the first hand in a text; None where there is none."""
    return next((hand.site.name for hand in split_site_text(text.splitlines())), None)


class SiteText(NamedTuple):
    """The text of one hand: its site, its lines without blanks at their ends, and their numbers; ``shared`` lines stand
    before all hands of their part."""

    site: Site
    lines: list[str]
    numbers: list[int]
    shared: list[str]


def split_site_text(lines: Iterable[str]) -> Iterator[SiteText]:
    """The hands of a text."""
    hand: SiteText | None = None
    shared: list[str] | None = None
    common: list[str] = []
    kept: list[str] = []
    numbers: list[int] = []
    begins, sessions, letters = _starts()
    for number, line in enumerate(lines, 1):
        # XML without line breaks is cut before the tags with which a hand begins.
        for part in _TAGS.split(line) if ">" in line else (line,):
            text = part.strip()
            if text[:1] in _MARKS:
                text = text.lstrip(_MARKS).lstrip()
            if text[:2] in letters:
                if begins.match(text):
                    if hand is not None:
                        yield hand
                    site = next(site for site in sites() if site.first.match(text))
                    if shared is not None:
                        common, shared = shared, None
                    if not site.session:
                        common = []
                    kept, numbers = [text], [number]
                    hand = SiteText(site, kept, numbers, common)
                    continue
                if sessions.match(text):
                    if hand is not None:
                        yield hand
                    hand, shared = None, [text]
                    continue
            if shared is not None:
                shared.append(text)
            elif text and hand is not None and len(kept) < _MAX_LINES:
                kept.append(text)
                numbers.append(number)
    if hand is not None:
        yield hand


def read_sites(lines: Iterable[str], start: int = 1) -> Iterator[SiteHand]:
    """The hands of a site's text as they come, from line ``start`` on; amounts with fractions or a currency become
    whole cents.

    Every hand is replayed by our rules, and its money is compared with what the betting gives. What cannot be read is
    named and costs one hand.
    """
    waiting: SiteText | None = None
    for hand in (h for h in split_site_text(lines) if h.numbers[0] >= start):
        if waiting is not None:
            yield from _read(waiting)
        waiting = hand
    if waiting is not None:
        *hands, last = _read(waiting)
        yield from hands
        site, line = waiting.site, waiting.numbers[0]
        if last.kind and site.whole and not re.search(site.whole, "\n".join(waiting.lines)):
            message = f"{site.name}, line {line}: the text ends before the hand does: it waits for the rest"
            last = SiteHand(line, None, message, "waits", site=site.name)
        yield last


def _read(hand: SiteText) -> Iterator[SiteHand]:
    """The hand; and where it breaks off in the middle of a line in which another one begins, that one too."""
    read = read_hand(hand)
    yield read
    if read.record is None:
        for k, words in enumerate(hand.lines):
            if cut := hand.site.first.search(words, 1):
                lines = [words[cut.start() :], *hand.lines[k + 1 :]]
                yield from _read(hand._replace(lines=lines, numbers=hand.numbers[k:]))
                return


def read_hand(hand: SiteText) -> SiteHand:
    """One hand of a site."""
    site, text = hand.site, hand.shared + hand.lines
    whole = "\n".join(text)
    end = whole.find("\n*** ") if site.cents is _CENTS else -1
    cents = site.cents is not None and site.cents.search(whole, 0, end if end > 0 else len(whole))
    draft = Draft(site.name, 100 if cents else 1)
    try:
        site.header(draft, whole)
        if site.read is not None:
            site.read(draft, text)
        else:
            read_lines(site, draft, text)
        record, proven = draft.record()
    except DupaiError as error:
        place = f", line {hand.numbers[min(draft.line, len(hand.numbers)) - 1]}" if draft.line > 1 else ""
        kind = "mismatch" if isinstance(error, HistoryError) else "rejected"
        return SiteHand(hand.numbers[0], None, f"{site.name}{place}: {error}", kind, site=site.name)
    return SiteHand(hand.numbers[0], record, proven=proven, site=site.name)


def read_lines(site: Site, draft: Draft, text: list[str]) -> None:
    """Make the events of a hand's lines by the tables of its site."""
    before, after, seats = site.before, site.after, draft.seats
    says, later, does = site.readers[draft.scale]
    starts: list[tuple[str, str]] | None = []  # where names are not to be told by what stands after them
    known = 0
    for draft.line, line in enumerate(text, 1):
        if says is not later and (draft.posts or draft.acts):
            says = later
        seat = line[:5] in _SEATS
        said, name = says(line) if seat else None, ""
        if said is None:
            if len(seats) != known:
                known = len(seats)
                plain = after != "" and not any(after in player for player in seats)
                told = ((f"{before}{player}{after}", player) for player in seats)
                starts = None if plain else sorted(told, key=lambda x: -len(x[0]))
            if starts is None:
                name, _, rest = line[len(before) :].partition(after)
                if name in seats and rest and line.startswith(before):
                    said = does(rest)
            else:
                for start, player in starts:
                    if line.startswith(start) and (said := does(line[len(start) :])) is not None:
                        name = player
                        break
            if said is None and not seat:
                said, name = says(line), ""
        if said is not None:
            event, who, chips, cards, number = said
            if event == "seat":
                draft.seat(who, number, chips or 0)
            elif event:
                draft.event(event, name or who, chips, cards, number)
    draft.line = 1
    if site.footer is not None:
        site.footer(draft, "\n".join(text))


def is_summary(text: str) -> bool:
    """Whether a text in which no hand begins is the summary of a tournament: places and prizes."""
    return _SUMMARY.match(text.lstrip(_MARKS).lstrip()) is not None


def no_hands(text: str) -> str:
    """What to say of a text, by its beginning, in which no site's hand begins."""
    if is_summary(text):
        return "a tournament summary: it has no hands"
    names = ", ".join(dict.fromkeys(site.name for site in sites()))
    return f"no known poker text; read are {names}, Open Hand History, PHH and ACPC logs"
