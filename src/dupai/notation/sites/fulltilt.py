"""Full Tilt Poker, both wordings of its header."""

from __future__ import annotations

import re

from dupai.notation.sites._draft import Draft
from dupai.notation.sites._engine import Site
from dupai.notation.sites._said import CARDS, MONEY, STACK, usual_acts

_STAKES = re.compile(r"[^\d\s/]?(\d[\d.,]*)(K?)/[^\d\s/]?(\d[\d.,]*)(K?)(?: |$)")
_GAME = re.compile(r"hold|omaha|stud|razz|draw|badugi", re.IGNORECASE)
_DATE = re.compile(r"(\d+:\d\d(?::\d\d)?) \w+ - (\d{4}/\d\d?/\d\d?)")
_BUTTON = re.compile(r"^The button is in seat #(?P<button>\d+)", re.MULTILINE)
_SUMMARY = re.compile(
    rf"^Seat \d+: (?P<name>.+?)(?: \([a-z ]+\))* (?:folded (?:before|on) |collected \({MONEY}\))", re.MULTILINE
)
#: Big blinds that a player may put in where the header says CAP without an amount.
_CAP = 30


def _header(draft: Draft, text: str) -> None:
    line = text.partition("\n")[0]
    number, _, rest = line.partition("#")[2].partition(":")
    draft.number = number
    parts = [part.strip() for part in rest.split(" - ")]
    draft.table = parts[0]
    game = next((part for part in parts[1:] if _GAME.search(part)), rest)
    draft.game(game)
    if stakes := next((found for part in parts if (found := _STAKES.match(part))), None):
        draft.stakes(*(f"{stakes[i]}{'000' if stakes[i + 1] else ''}" for i in (1, 3)))
    if "cap " in game.lower():
        amount = re.search(r"\d[\d.,]*", game)
        draft.cap = draft.chips(amount[0]) if amount else _CAP * draft.blinds[1]
    if date := _DATE.search(line):
        draft.played(f"{date[2]} {date[1]}")
    draft.facts(_BUTTON.search(text))


def _footer(draft: Draft, text: str) -> None:
    if not draft.won:  # an action of a hand without any may stand in its summary only
        for fact in _SUMMARY.finditer(text):
            if fact["chips"]:
                draft.event("collect", fact["name"], draft.chips(fact["chips"]))
            elif fact["name"] in draft.seats:
                draft.event("fold", fact["name"])


SITE = Site(
    name="Full Tilt Poker",
    begins=r"Full ?Tilt ?Poker Game #\d+:",
    whole=r"\*\*\* SUMMARY",
    header=_header,
    footer=_footer,
    says=(
        ("seat", rf"Seat (?P<seat>\d+): (?P<name>.+) \({STACK}\)(?:, is sitting out)?$"),
        ("muck", rf"Seat \d+: (?P<name>.+?)(?: \([a-z ]+\))* mucked {CARDS}"),
        ("hero", rf"Dealt to (?P<name>.+) {CARDS}$"),
        ("board", r"\*\*\* (?:FLOP|TURN|RIVER) (?:(?P<run>\d) )?\*\*\* (?P<cards>[^(]*)"),
        ("return", rf"Uncalled bet of {MONEY} returned to (?P<name>.+)"),
        ("all cards", rf"Board: {CARDS}"),
        ("pot", rf"Total pot {MONEY}(?P<cards>.*)"),
        ("stop", r"Hand cancelled|The hand was cancel"),
    ),
    does=(
        *usual_acts(),
        ("raise to", rf"raises to {MONEY}"),
        ("show", rf"shows {CARDS}"),
        ("collect", rf"(?:wins|ties for) (?:the )?(?:main |side )?pot(?: #?\d+)? \({MONEY}\)"),
        ("ante", rf"antes {MONEY}"),
        ("small", rf"posts the small blind of {MONEY}"),
        ("big", rf"posts the big blind of {MONEY}"),
        ("dead", rf"posts a dead small blind of {MONEY}"),
        ("straddle", rf"(?:posts a straddle of|straddles) {MONEY}"),
        ("post", rf"posts {MONEY}"),
    ),
)
