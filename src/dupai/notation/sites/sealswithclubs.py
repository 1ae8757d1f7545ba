"""Seals with Clubs, and other rooms of its program (Poker Mavens), which name themselves."""

from __future__ import annotations

import re

from dupai.notation.sites._draft import Draft
from dupai.notation.sites._engine import Site
from dupai.notation.sites._said import CARDS, MONEY, STACK, usual_acts

_HEAD = re.compile(
    r"Hand #(?P<number>\d+-\d+) - (?P<date>.*)(?:\n.*)*?"
    r"\nGame: (?P<game>[^\n(]*).*- (?:Blinds|Stakes) (?P<small>[\d.,]+)/(?P<big>[\d.,]+)"
)
_SITE = re.compile(r"^Site: (?P<brand>.*)$", re.MULTILINE)
_TABLE = re.compile(r"^Table: (?P<table>.*)$", re.MULTILINE)


def _header(draft: Draft, text: str) -> None:
    draft.head(_HEAD, text)
    draft.facts(_SITE.search(text))
    draft.facts(_TABLE.search(text))


def _footer(draft: Draft, text: str) -> None:
    if dealer := re.search(r"^(.+) has the dealer button$", text, re.MULTILINE):
        draft.button = draft.seats.get(dealer[1], (None,))[0]


SITE = Site(
    name="Seals with Clubs",
    begins=r"Hand #\d+-\d+ - \d",
    whole=r" (?:wins|splits) .*Pot",
    header=_header,
    footer=_footer,
    cents=re.compile(r"^Game: [^(\n]*\(", re.MULTILINE),  # the least and the most to sit down with: no tournament
    says=(
        ("seat", rf"Seat (?P<seat>\d+): (?P<name>.+?) \({STACK}\)"),
        ("hero", rf"Dealt to (?P<name>.+?) {CARDS}"),
        ("board", rf"\*\* (?:Flop|Turn|River) \*\* {CARDS}"),
        ("rake", rf"Rake \({MONEY}\)"),
    ),
    does=(
        *usual_acts(),
        ("raise to", rf"raises to {MONEY}"),
        ("show", rf"shows {CARDS}"),
        ("return", rf"refunded {MONEY}"),
        ("collect", rf"(?:wins|splits) .*?Pot.*? \({MONEY}\)"),
        ("ante", rf"posts ante {MONEY}"),
        ("small", rf"posts small blind {MONEY}"),
        ("big", rf"posts big blind {MONEY}"),
        ("both", rf"posts small & big blind {MONEY}"),
        ("dead", rf"posts dead (?:blind )?{MONEY}"),
        ("straddle", rf"(?:posts )?straddles? {MONEY}"),
    ),
)
