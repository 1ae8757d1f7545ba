"""BetOnline and the rooms beside it (ActionPoker, Gear Poker, PayNoRake)."""

from __future__ import annotations

import re

from dupai.notation.sites._draft import Draft
from dupai.notation.sites._engine import Site, read_lines
from dupai.notation.sites._said import CARDS, MONEY, STACK, usual_acts

_BRANDS = r"(?:BetOnline Poker|PayNoRake|ActionPoker\.com|Gear Poker)"
_HEAD = re.compile(
    rf"{_BRANDS} Game #(?P<number>\d+): (?:Tournament #(?P<event>\d+): )?(?P<kind>.*?)"
    r" (?:\(?\D?(?P<small>\d[\d.,]*)/\D?(?P<big>\d[\d.,]*)\)? )?- (?P<date>.*)\n"
    r"Table '?(?P<table>.*?)'? (?:\d+-Max, |\([A-Z]\w+ Money\) )Seat #(?P<button>\d+) is the button"
)
_LATE = re.compile(r"(.*): post dead \d")
_SEAT = re.compile(r"^Seat (\d)(?=: )")
_TOTAL = re.compile(rf"^Total [Pp]ot {MONEY}(?P<rest>.*)", re.MULTILINE)


def _header(draft: Draft, text: str) -> None:
    head = draft.head(_HEAD, text)
    draft.game(head["kind"] if "Limit" in head["kind"] else f"No Limit {head['kind']}")
    draft.first_seat = 0
    if head["event"]:  # the stakes of its header are those of the first level
        draft.blinds = (0, 0)
    elif head["small"]:
        draft.stakes(head["small"], head["big"])
    before, _, summary = text.partition("*** SUMMARY ***")
    if total := _TOTAL.search(summary):  # it may stand there twice
        draft.event("pot", chips=draft.chips(total["chips"]), cards=total["rest"])
    draft.untold = _TOTAL.search(before) is not None  # a side pot, of which no winner is named


def _read(draft: Draft, text: list[str]) -> None:
    lines = text
    if not text[0].startswith("BetOnline"):  # the deal goes by falling seat numbers
        lines = [_SEAT.sub(lambda found: f"Seat {9 - int(found[1])}", line) for line in text]
        draft.button = 9 - (draft.button or 0)
    read_lines(SITE, draft, lines)
    for late in filter(None, map(_LATE.match, text)):  # the dead small blind, which the amount leaves out
        draft.event("dead", late[1], draft.blinds[0])


_DOES = (
    *usual_acts(),
    ("raise to", rf"raises (?:.*? to )?{MONEY}"),
    ("ante", rf"ante processed (?!0\.00){MONEY}"),
    ("small", rf"posts small blind {MONEY}"),
    ("big", rf"posts big blind {MONEY}"),
    ("post", rf"post (?:dead|now) {MONEY}"),
)

SITE = Site(
    name="BetOnline",
    begins=rf"{_BRANDS} Game #\d+:",
    whole=r"\*\*\* SUMMARY \*\*\*",
    header=_header,
    read=_read,
    after=": ",
    says=(
        ("", r".*? said \""),
        ("seat", rf"Seat (?P<seat>\d+): (?P<name>.*) \({STACK} in [Cc]hips\)"),
        ("hero", r"Dealt [Tt]o (?P<name>.+) \[(?P<cards>[^\]]+)\]"),
        ("board", r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* (?P<cards>.*)"),
        ("board", rf"Board {CARDS}"),
        ("return", rf"Uncalled bet \({MONEY}\) returned to (?P<name>.+)"),
        ("show", r"(?P<name>.*?) ?shows (?P<cards>[\dTJQKA]+[cdhs](?: [\dTJQKA]+[cdhs])?)$"),
        ("show", r"Seat \d+: (?P<name>.+?)(?: \([A-Z][A-Za-z ]+\) )? showed \[(?P<cards>\S+ \S+) \] and lost"),
        (
            "collect",
            r"Seat \d+: (?P<name>.+?)(?: \([A-Z][A-Za-z ]+\) )? (?:showed \[[^\]]*\] and won|collected)"
            rf" \((?!0\.00\)){MONEY}\)",
        ),
        ("leave", r"(?P<name>.+) has left the table$"),
    ),
    does=(
        *_DOES,
        ("fold", r"Folds\."),
        ("check", r"Checks\."),
        *((event, pattern[0].upper() + pattern[1:]) for event, pattern in _DOES[2:]),
    ),
)
