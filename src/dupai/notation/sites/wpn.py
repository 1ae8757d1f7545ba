"""Winning Poker Network (Americas Cardroom and others): its texts since about 2019."""

from __future__ import annotations

import re

from dupai.notation.sites import pokerstars
from dupai.notation.sites._draft import Draft
from dupai.notation.sites._engine import Site
from dupai.notation.sites._said import CARDS, MONEY, STACK

_HEAD = re.compile(
    r"(?:Game )?Hand #(?P<number>\d+) - (?:Tournament #(?P<event>\d+) - )?(?P<game>.*?) - "
    r"(?:Level \d+ )?\(?(?P<small>[^\s/()]+)/(?P<big>[^\s/()]+)\)? ?- (?P<date>.*)\n"
    r"(?:Table )?'?(?P<table>.*?)'? \d+-max(?: Seat #(?P<button>\d+) is the button)?"
)
#: Big blinds that a player may put in where a table is "Cap".
_CAP = 30


def _header(draft: Draft, text: str) -> None:
    draft.head(_HEAD, text)
    if re.search(r" caps \D?\d", text):
        draft.cap = _CAP * draft.blinds[1]


SITE = Site(
    name="Winning Poker Network",
    begins=r"(?:Game Hand|Hand(?<!Game Hand)) #\d+ - .*\(",
    whole=r"\*\*\* SUMMARY \*\*\*",
    header=_header,
    says=(
        # Of a pot that nobody contests only this line says the winner.
        ("collect", rf"Seat \d+: (?P<name>.+?)(?: \([a-z ]+\))? (?:did not show|showed .*?) and won {MONEY}"),
        ("seat", rf"Seat (?P<seat>\d+): (?P<name>.+) \({STACK}\)"),
        ("hero", rf"Dealt to (?P<name>.+) {CARDS}"),
        ("board", r"\*\*\* (?:(?P<run>FIRST|SECOND|THIRD) )?(?:FLOP|TURN|RIVER) \*\*\* (?P<cards>.*)"),
        ("return", rf"Uncalled bet \({MONEY}\) returned to (?P<name>.+)"),
        ("pot", rf"Total pot {MONEY}(?P<cards>.*)"),
    ),
    does=(
        ("", r"collected"),
        ("small", rf"posts the small blind {MONEY}"),
        ("big", rf"posts the big blind {MONEY}"),
        ("ante", rf"posts ante {MONEY}"),
        ("both", rf"posts dead {MONEY}"),
        ("straddle", rf"(?:posts )?(?:the )?straddles? {MONEY}"),
        ("all-in to", rf"caps (?:.*? to )?{MONEY}"),
        *pokerstars.SITE.does,
    ),
)
