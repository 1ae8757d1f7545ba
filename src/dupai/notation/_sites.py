"""Hand texts of poker sites, read by PokerKit, checked, and turned into hand records.

PokerKit repairs a hand that it does not understand by inserting actions. It ignores PokerStars antes, reads the
winnings of most PokerStars hands as 0, and compares no result with its own. So we count the actions before we take its
betting and cards, and for PokerStars we read the money, the mucked cards and the recording player here.
"""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any

from dupai.base import DupaiError, NotationError, optional_package
from dupai.notation._check import check_unstated_rake
from dupai.notation._phh import PhhTable, read_phh_tables, record_of_phh
from dupai.rules import HandRecord

#: Sites that PokerKit reads: how a hand begins (at the start of a line), and the name of PokerKit's parser.
_SITES = {
    "iPoker Network": (r"<game gamecode=", "IPokerNetworkParser"),
}
_MONEY = r"[^\d\s(]?(?P<amount>\d[\d.,]*)"
_RAKE = re.compile(rf"\bRake(?: taken)?:?\s*\(?{_MONEY}")
#: iPoker: attributes of an element, card texts (``SQ``, which PokerKit expects as ``sQ``), actions that PokerKit knows.
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_IPOKER_CARDS = re.compile(r"(?<=>)[^<>]*(?=</cards>)")
_IPOKER_ACTIONS = {"0", "1", "2", "3", "4", "5", "6", "23"}
_WINS = re.compile(rf"^(?P<player>.+) wins {_MONEY}", re.MULTILINE)
_WINS_POT = re.compile(
    rf"^(?P<player>.+) (?:wins|ties for) (?:the )?(?:(?:main|side) )?pot(?: #?\d+)? \({_MONEY}\)", re.MULTILINE
)
_CENTS = re.compile(
    r"^Seat \d+(?::| -).*\( ?(?:[^\d\s(]\d|\d+\.\d)|<player\b.*\bchips=\"(?:[^\d\"]|\d+\.\d)", re.MULTILINE
)
_NOT_READ = re.compile(
    r"^(?:.*\b(?:posts .*\b(?:small & big blinds|dead|straddle)\b|cashed out\b).*|\*\*\* (?:FIRST|SECOND) .*)$",
    re.MULTILINE | re.IGNORECASE,
)


@cache
def _parser(site: str) -> Any:
    kit = optional_package("pokerkit", "history", "reading texts of poker sites", "pokerkit.notation")
    return getattr(kit.notation, _SITES[site][1])()


def _amounts(text: str) -> tuple[int, Callable[[str], int]]:
    """Units per chip written (100 for money) and the reader of amounts."""
    scale = 100 if _CENTS.search(text) else 1

    def read(amount: str) -> int:
        try:
            value = Decimal(amount.replace(",", "").rstrip(".")) * scale
        except InvalidOperation:
            raise NotationError(f"{amount!r} is not an amount") from None
        if not value.is_finite() or value != int(value):
            raise NotationError(f"{amount!r} is not a whole number of {'cents' if scale > 1 else 'chips'}")
        return int(value)

    return scale, read


def parse_site_hand(text: str, site: str) -> HandRecord:
    """One hand of a site's text.

    Raises:
        NotationError: PokerKit cannot read it, had to change it, or its money does not add up; the message says why.
        RulesError: an action is not legal where it stands.
        MissingPackage: pokerkit is not installed.
    """
    if unread := _NOT_READ.search(text):
        raise NotationError(f"{unread[0].strip()[:80]!r}: dead blinds, cash-outs and boards run twice are not read")
    parser = _parser(site)
    scale, amount = _amounts(text)
    if site == "iPoker Network":
        text = _ipoker_text(text)
    fields = _pokerkit_fields(parser, text, amount)
    rake = _RAKE.search(text)
    if scale > 1:
        fields["_unit"] = "cent"
    if rake:
        fields["_rake"] = amount(rake["amount"])
    if site == "iPoker Network":
        won = [(a["name"], a.get("win", "0").lstrip("$\u20ac\u00a3")) for a in _elements(text, "player")]
        _winnings(fields, [(name, amount(win or "0")) for name, win in won])
    elif site in ("PartyPoker", "Full Tilt Poker"):
        wins = _WINS if site == "PartyPoker" else _WINS_POT
        _winnings(fields, [(f["player"], amount(f["amount"])) for f in wins.finditer(text)])
    record = record_of_phh(fields)
    if record.spec.players > 2 and sum(b > 0 for b in record.spec.blinds) == 1:
        # The first position would be the big blind then, and the positions of all others one off.
        raise NotationError("nobody posts the small blind: such hands are not read")
    if rake and record.rake != fields["_rake"]:
        raise NotationError(f"the rake is {fields['_rake']} and the players lose {record.rake} together")
    if not rake:
        check_unstated_rake(record)
    return record


def _elements(text: str, name: str) -> list[dict[str, str]]:
    """Attributes of the elements ``<name ...>``."""
    return [dict(_ATTRIBUTE.findall(line)) for line in re.findall(rf"<{name}\b[^>]*>", text)]


def _ipoker_text(text: str) -> str:
    """The text with its cards written as PokerKit expects them.

    Raises:
        NotationError: it has an action that PokerKit would leave out.
    """
    for line in re.findall(r"<action\b[^>]*>", text):
        if dict(_ATTRIBUTE.findall(line)).get("type") not in _IPOKER_ACTIONS:
            raise NotationError(f"{line!r}: this kind of action is not read (all-ins and antes among them)")
    return _IPOKER_CARDS.sub(lambda m: " ".join(c[:1].lower() + c[1:] for c in m[0].split()), text)


def _winnings(fields: dict[str, Any], won: list[tuple[str, int]]) -> None:
    """Set the winnings. PokerKit misses those of iPoker, of a player of PartyPoker with a space in their name, and at
    Full Tilt those of the button, of the blinds and at showdown."""
    total = [0] * len(fields["players"])
    for name, chips in won:
        if chips:
            total[_place(fields["players"], name)] += chips
    fields["winnings"] = total


def _pokerkit_fields(parser: Any, text: str, amount: Callable[[str], int]) -> dict[str, Any]:
    """The PHH fields that PokerKit makes of one hand, as a PHH reader of ours sees them."""
    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            hands = list(parser(text + "\n\n\n\n", parse_value=amount, error_status=True))
        except ValueError as error:
            reason = error.__context__ or error
            words = reason if isinstance(reason, DupaiError) else f"{type(reason).__name__}: {str(reason)[:200]}"
            raise NotationError(f"PokerKit does not read this hand ({words})") from None
        except DupaiError:
            raise
        except Exception as error:  # noqa: BLE001 - a library's surprise must not end a long import
            raise NotationError(f"PokerKit does not read this hand ({type(error).__name__}: {error})") from None
        if len(hands) != 1:
            raise NotationError(f"PokerKit sees {len(hands)} hands in this text: expected one")
        [table] = list(read_phh_tables(hands[0].dumps().splitlines()))
    if not isinstance(table, PhhTable):
        raise NotationError(f"PokerKit writes what is not PHH: {table}")
    fields = table.fields
    # PokerKit makes players who are all-in show two unknown cards: nobody saw them.
    fields["actions"] = [a for a in fields["actions"] if not a.endswith(" sm ????")]
    made = [a.split(" ", 1)[1] for a in fields["actions"] if a.startswith("p") and " sm" not in a]
    written = sum(
        any(p.search(line) for p in (parser.FOLDING, parser.CHECKING_OR_CALLING, parser.COMPLETION_BETTING_OR_RAISING))
        for line in text.split("\n")
    )
    if len(made) != written:
        raise NotationError(
            f"the text has {written} actions and PokerKit makes {len(made)} of them ({', '.join(made)})"
        )
    return fields


def _place(players: list[str], name: str) -> int:
    if name not in players:
        raise NotationError(f"{name!r} is not among the players ({', '.join(players)})")
    return players.index(name)
