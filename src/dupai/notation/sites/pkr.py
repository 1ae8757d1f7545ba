"""PKR: calls and raises say the player's total on the street; cards stand as ``[T h][9 s]``."""

from __future__ import annotations

import re

from dupai.base import NotationError
from dupai.notation.sites._draft import Draft
from dupai.notation.sites._engine import Site, read_lines
from dupai.notation.sites._said import MONEY, STACK

_FACT = re.compile(r"^(Starting Hand|Start time of hand:|Game Type:|Limit Type:) #?(.*)$", re.MULTILINE)
_BLINDS = re.compile(r"^Blinds are now [^\d\n]?(\d[\d.,]*) ?/ ?[^\d\n]?(\d[\d.,]*)", re.MULTILINE)
_TABLE = re.compile(r"Table #(?P<table>\S+ - .*)")
_SEAT = re.compile(rf"^Seat (?P<seat>\d+): (?P<name>.+?)(?: \(bounty [^)\n]*\))? - {STACK}", re.MULTILINE)
_BUTTON = re.compile(r"^(?:Button is at|Moving Button to) seat (\d+)", re.MULTILINE)
_DEALS = re.compile(r"^Shuffling Deck|^Moving Button", re.MULTILINE)
_CARD = re.compile(r"\[(10|[2-9TJQKA]) ([cdhs])\]")


def _header(draft: Draft, text: str) -> None:
    draft.wins_uncalled = False
    said, blinds, deals = dict(_FACT.findall(text)), _BLINDS.search(text), _DEALS.search(text)
    if blinds is None or deals is None:
        raise NotationError("its header is not read")
    draft.number = said["Starting Hand"]
    draft.game(f"{said.get('Game Type:', '')} {said.get('Limit Type:', '')}".lower())
    draft.blinds = (draft.chips(blinds[1]), draft.chips(blinds[2]))
    draft.played(said.get("Start time of hand:", ""))
    draft.facts(_TABLE.match(text))
    for seat in _SEAT.finditer(text, 0, deals.start()):  # after the hand they stand once more
        draft.seat(seat["name"], int(seat["seat"]), draft.chips(seat["stack"]))
    if buttons := _BUTTON.findall(text):
        draft.button = int(buttons[-1])


def _read(draft: Draft, lines: list[str]) -> None:
    first = next(i for i, line in enumerate(lines) if line.startswith("Starting Hand"))
    read_lines(SITE, draft, [_CARD.sub(r"\1\2 ", line) for line in lines[first:]])


SITE = Site(
    name="PKR",
    begins=r"Starting Hand #\d+",
    session=r"Table #\d+ - ",
    whole=r"End [oO]f Hand #",
    header=_header,
    read=_read,
    cents=re.compile(r"^Seat \d+: .* - [^\d\s]", re.MULTILINE),
    says=(
        ("hero", r"Dealing (?P<cards>.+) to (?P<name>.+)"),
        ("board", r"Dealing (?:Flop|Turn|River) (?P<cards>.*)"),
        ("return", rf"Returning {MONEY} to (?P<name>.+) uncalled"),
        ("rake", rf"Taking Rake of {MONEY}"),
    ),
    does=(
        ("fold", r"folds"),
        ("check", r"checks"),
        ("call to", rf"calls {MONEY}"),
        ("bet", rf"bets {MONEY}"),
        ("raise to", rf"raises to {MONEY}"),
        ("show", r"shows (?P<cards>.*)"),
        ("collect", rf"(?:ties.*?, and )?wins {MONEY}"),
        ("ante", rf"posts ante of {MONEY}"),
        ("small", rf"posts small blind \({MONEY}\)"),
        ("big", rf"posts big blind \({MONEY}\)"),
        ("dead", rf"posts {MONEY} dead"),
        ("post", rf"posts {MONEY}"),
    ),
)
