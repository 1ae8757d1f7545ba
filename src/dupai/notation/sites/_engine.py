"""Texts of poker sites: cut into hands, each read by the table of its site."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from importlib import import_module

import msgspec

from dupai.base import DupaiError, HistoryError
from dupai.notation.sites._draft import Draft
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
    r"^Seat \d+\b.*\(\s*(?:[^\d\s(]{1,3}\s?\d|[\d,. ]*[.,]\d\d?(?!\d)|[\d.,]+\s?[\u20ac$\u00a3])",
    re.MULTILINE | re.IGNORECASE,
)
_NOTHING: dict[str, str] = {}
#: No hand has more lines: what follows is none.
_MAX_LINES = 5_000
#: The boards of a pot that is played out several times, as sites number them.
_RUNS = {"FIRST": 0, "SECOND": 1, "THIRD": 2, "1": 0, "2": 1, "3": 2}
_TAGS = re.compile(r"(?<=>)\s*(?=<(?:session|game|Game|description)\b)")
_FIRST = re.compile(r"(?:\\.|[\w'])+")

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
    def lines(self) -> _Table:
        """``says`` by first word."""
        return _table(self.says)

    @cached_property
    def verbs(self) -> _Table:
        """``does`` by first word."""
        return _table(self.does)


_Row = tuple[str, re.Pattern[str]]
_Table = tuple[dict[str, list[_Row]], list[_Row]]


def _table(rules: Rules) -> _Table:
    """Rules by the first word of their expression (as far as that is plain), and those for any line."""
    words: dict[str, list[_Row]] = {}
    rest: list[_Row] = []
    for event, pattern in rules:
        plain = _FIRST.match(pattern)
        word = plain[0].replace("\\", "") if plain else ""
        ends = plain is not None and (pattern[plain.end() : plain.end() + 1] in (" ", "") or word != plain[0])
        row = (event, re.compile(pattern))
        words.setdefault(word, []).append(row) if ends and word else rest.append(row)
    return words, rest


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
def _starts() -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<s{i}>{site.begins})" for i, site in enumerate(sites())))


@cache
def _sessions() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{site.session})" for site in sites() if site.session) or "(?!)")


def _site_of_line(line: str) -> Site | None:
    match = _starts().match(line)
    return None if match is None else next(s for i, s in enumerate(sites()) if match[f"s{i}"] is not None)


def site_of(text: str) -> str | None:
    """The site of the first hand in a text; None where there is none."""
    lines = (line.strip().lstrip("\ufeff") for line in text.splitlines())
    return next((site.name for line in lines if (site := _site_of_line(line)) is not None), None)


def _numbered(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Lines with their numbers; XML without line breaks is cut before the tags with which a hand begins."""
    for number, line in enumerate(lines, 1):
        for part in _TAGS.split(line) if ">" in line else (line,):
            yield number, part


def split_site_text(lines: Iterable[str]) -> Iterator[tuple[int, Site, list[str]]]:
    """The hands of a text: number of the first line, site and lines of each, without blanks at their ends."""
    start = 0
    site: Site | None = None
    hand: list[str] = []
    shared: list[str] | None = None
    common: list[str] = []
    sessions = _sessions()
    for number, line in _numbered(lines):
        text = line.strip().lstrip("\ufeff").lstrip()
        found = _site_of_line(text)
        if found is None and text[:1] == "<" and sessions.match(text):
            if site is not None:
                yield start, site, common + hand
            site, shared = None, [text]
        elif found is not None:
            if site is not None:
                yield start, site, common + hand
            if shared is not None:
                common, shared = shared, None
            if not found.session:
                common = []
            start, site, hand = number, found, [text]
        elif shared is not None:
            shared.append(text)
        elif site is not None and text and len(hand) < _MAX_LINES:
            hand.append(text)
    if site is not None:
        yield start, site, common + hand


def read_sites(lines: Iterable[str], start: int = 1) -> Iterator[SiteHand]:
    """The hands of a site's text as they come, from line ``start`` on; amounts with fractions or a currency become
    whole cents.

    Every hand is replayed by our rules, and its money is compared with what the betting gives. What cannot be read is
    named and costs one hand.
    """
    waiting: tuple[int, Site, list[str]] | None = None
    for hand in (h for h in split_site_text(lines) if h[0] >= start):
        if waiting is not None:
            yield from _read(*waiting)
        waiting = hand
    if waiting is not None:
        line, site, text = waiting
        *hands, last = _read(line, site, text)
        yield from hands
        if last.kind and site.whole and not re.search(site.whole, "\n".join(text)):
            message = f"{site.name}, line {line}: the text ends before the hand does: it waits for the rest"
            last = SiteHand(line, None, message, "waits", site=site.name)
        yield last


def _read(line: int, site: Site, text: list[str]) -> Iterator[SiteHand]:
    """The hand; and where it breaks off in the middle of a line in which another one begins, that one too."""
    hand = read_hand(line, site, text)
    yield hand
    if hand.record is None:
        for number, words in enumerate(text):
            if cut := site.first.search(words, 1):
                yield from _read(line + number, site, [words[cut.start() :], *text[number + 1 :]])
                return


def read_hand(line: int, site: Site, text: list[str]) -> SiteHand:
    """One hand of a site, from the line with this number on."""
    whole = "\n".join(text)
    draft = Draft(site.name, 100 if site.cents is not None and site.cents.search(whole) else 1)
    record = None
    try:
        site.header(draft, whole)
        if site.read is not None:
            site.read(draft, text)
        else:
            read_lines(site, draft, text)
        record, proven = draft.record()
    except HistoryError as error:
        return SiteHand(line, None, _where(site, draft, line, error), "mismatch", site=site.name)
    except DupaiError as error:
        return SiteHand(line, None, _where(site, draft, line, error), "rejected", site=site.name)
    return SiteHand(line, record, proven=proven, site=site.name)


def _where(site: Site, draft: Draft, line: int, error: DupaiError) -> str:
    place = f", line {line + draft.line - 1}" if draft.line > 1 else ""
    return f"{site.name}{place}: {error}"


def read_lines(site: Site, draft: Draft, text: list[str]) -> None:
    """Make the events of a hand's lines by the tables of its site."""
    before, after = site.before, site.after
    names: list[tuple[str, str]] = []
    plain = False
    for number, line in enumerate(text, 1):
        draft.line = number
        if line[:4] in ("Seat", "seat") and _take(draft, site.lines, line, ""):
            continue
        if len(names) != len(draft.seats):
            names = sorted(((f"{before}{n}{after}", n) for n in draft.seats), key=lambda x: -len(x[0]))
            plain = (
                after != "" and not before and not any(n.startswith(start) for start, _ in names for n in draft.seats)
            )
        name, found, rest = line.partition(after) if plain else ("", "", "")
        if found and name in draft.seats and _take(draft, site.verbs, rest, name):
            continue
        for start, name in names:
            if line.startswith(start) and _take(draft, site.verbs, line[len(start) :], name):
                break
        else:
            _take(draft, site.lines, line, "")
    draft.line = 1
    if site.footer is not None:
        site.footer(draft, "\n".join(text))


def _take(draft: Draft, table: _Table, line: str, name: str) -> bool:
    words, rest = table
    for rows in (words.get(line.split(" ", 1)[0], ()), rest):
        for event, pattern in rows:
            match = pattern.match(line)
            if match is None:
                continue
            said = match.groupdict() if match.re.groups else _NOTHING
            if event == "seat":
                if draft.posts or draft.acts:
                    continue  # a summary may look the same
                draft.seat(said["name"], int(said["seat"]), draft.chips(said["stack"]))
            elif event:
                chips = said.get("chips")
                run = _RUNS.get((said.get("run") or "").upper(), 0)
                amount = None if chips is None else draft.chips(chips)
                if amount is not None and said.get("more"):
                    amount += draft.chips(said["more"])
                who, cards = name or said.get("name") or "", said.get("cards") or ""
                draft.event(event, who, amount, cards, run)
                if event == "collect" and cards:
                    draft.event("show", who, None, cards)
            return True
    return False


def expected_sites() -> str:
    """The sites that are read, in words."""
    return ", ".join(dict.fromkeys(site.name for site in sites()))


def no_hands() -> str:
    """What to say of a text in which no site's hand begins."""
    return f"no known poker text; read are {expected_sites()}"
