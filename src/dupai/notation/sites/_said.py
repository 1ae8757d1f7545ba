"""What words and numbers in texts of sites say: amounts, cards, games, dates."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from dupai.base import NotationError
from dupai.cards import card

#: An amount with its currency on either side, as group ``chips``.
MONEY = r"(?:[^\d\s()\[\]:]{1,4} ?)?(?P<chips>\d(?:[\d.,\u00a0]*\d)?)"
#: The same as group ``stack``.
STACK = MONEY.replace("chips", "stack")
#: Cards in brackets, or as they stand, as group ``cards``.
CARDS = r"\[ *(?P<cards>[^\]]*)\]"

_CARD = re.compile(r"(?:10|[2-9TJQKA])[cdhs]", re.IGNORECASE)
_NOT_MONEY = re.compile(r"[^0-9.,\s]")
_WHOLE = re.compile(r"(?:[0-9]{1,15}|[1-9][0-9]{0,2}(?:[.,\s][0-9]{3}){1,4})\Z")
_FRACTION = re.compile(r"[.,]([0-9]{1,2})\Z")
_OTHER = re.compile(
    r"omaha|double|stud|razz|draw|badugi|6\+|six.?plus|short.?deck|split|courchevel|pineapple|plo", re.IGNORECASE
)
_NO_LIMIT = re.compile(r"no.?limit|\bnlh?\b", re.IGNORECASE)
_POT_LIMIT = re.compile(r"pot.?limit|\bplh?\b", re.IGNORECASE)
#: An amount among other words.
NUMBER = re.compile(r"\d[\d.,]*(?:[ \u00a0]\d{3}\b)*")
_TIME = r"(?P<hour>\d{1,2}):(?P<minute>\d{1,2})(?::(?P<second>\d{1,2}))?"
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DATES = (
    re.compile(rf"(?P<year>\d{{4}})[/ -](?P<month>\d{{1,2}})[/ -](?P<day>\d{{1,2}})(?:[ T-]+{_TIME})?"),
    re.compile(rf"\b(?P<month>[A-Z][a-z]{{2}})[a-z]* (?P<day>\d{{1,2}}),? {_TIME}.*?(?P<year>\d{{4}})"),
    re.compile(rf"(?P<day>\d{{1,2}})[/. -](?P<month>\d{{1,2}}|[A-Z][a-z]{{2}})[/. -](?P<year>\d{{4}}) +{_TIME}"),
)
_PARTS = ("year", "month", "day", "hour", "minute", "second")
#: More than anybody may have.
_MAX_CHIPS = 10**12


def usual_acts(chips: str = MONEY, before: str = "") -> tuple[tuple[str, str], ...]:
    """How most sites say that a player folds, checks, calls or bets."""
    words = (("fold", "folds"), ("check", "checks"), ("call", f"calls {chips}"), ("bet", f"bets {chips}"))
    return tuple((event, before + said) for event, said in words)


def card_numbers(text: str) -> list[int]:
    """The cards in a text, in any of the spellings of sites (``10h``, ``AS``, ``[ 7h, 2s ]``)."""
    return [_card(said) for said in _CARD.findall(text)]


@cache
def _card(said: str) -> int:
    return card(said[:-1].replace("10", "t").upper() + said[-1].lower())


@lru_cache(maxsize=1 << 14)
def chips_of(text: str, scale: int) -> int:
    """An amount in units of ``1/scale`` chip: ``1,234.50``, ``1.234,50`` and ``1234`` are read.

    Raises:
        NotationError: it is no whole number of units.
    """
    text = _NOT_MONEY.sub("", text).strip(" .,\u00a0")
    part = _FRACTION.search(text)
    whole = text[: part.start()] if part else text
    cents = int(part[1].ljust(2, "0")) if part else 0
    if not _WHOLE.match(whole) or cents * scale % 100:
        raise NotationError(f"{text!r} is not a whole number of {'cents' if scale > 1 else 'chips'}")
    value = int(re.sub(r"\D", "", whole)) * scale + cents * scale // 100
    if value > _MAX_CHIPS:
        raise NotationError(f"{text!r} is more than any game has")
    return value


@lru_cache
def betting_of(words: str) -> str:
    """The betting by the words of a header.

    Raises:
        NotationError: the game is not hold'em; names it.
    """
    if other := _OTHER.search(words):
        raise NotationError(f"{other[0].capitalize()}: not hold'em")
    if "hold" not in words.lower() and not re.search(r"\b(?:NL|PL|FL)H?\b", words):
        raise NotationError("not hold'em, as far as its header says")
    return "no-limit" if _NO_LIMIT.search(words) else "pot-limit" if _POT_LIMIT.search(words) else "limit"


def date_of(text: str) -> dict[str, str]:
    """The first date in a text and its time, if any, by field."""
    date = next((found for pattern in _DATES if (found := pattern.search(text))), None)
    year, month, day, hour, minute, second = date.group(*_PARTS) if date else ["-"] * 6
    month = str(_MONTHS.index(month.lower()) + 1) if month.lower() in _MONTHS else month
    if not month.isdigit():
        return {}
    time = {"time": f"{hour:0>2}:{minute:0>2}:{second or '':0>2}"} if hour else {}
    return {"year": str(int(year)), "month": str(int(month)), "day": str(int(day))} | time
