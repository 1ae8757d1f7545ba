"""Winamax: cash, Go Fast, Expresso and tournaments."""

from __future__ import annotations

import re

from dupai.notation.sites import pokerstars
from dupai.notation.sites._draft import Draft
from dupai.notation.sites._engine import Site
from dupai.notation.sites._said import CARDS, MONEY, STACK

_HEAD = re.compile(
    r"Winamax Poker - (?P<kind>.*?) ?- HandId: #(?P<number>[\d-]+) - (?P<game>[^(\n]*)"
    r"\((?:[^/()]*/)?(?P<small>[^/()]*)/(?P<big>[^/()]*)\)(?P<date>.*)"
)
_TABLE = re.compile(
    r"^Table: '(?P<table>(?:.*\((?P<event>\d+)\)#\d+|.*))' .*?(?:Seat #(?P<button>\d+) is the button)?$", re.MULTILINE
)


def _header(draft: Draft, text: str) -> None:
    draft.head(_HEAD, text)
    draft.facts(_TABLE.search(text))
    if "| No rake" in text:
        draft.rake = 0


SITE = Site(
    name="Winamax",
    begins=r"Winamax Poker - .*HandId: #",
    whole=r"\*\*\* SUMMARY \*\*\*",
    header=_header,
    # A tournament with whole stacks may have bets of half chips.
    cents=re.compile(r"(?m)^Seat \d+: .*\(\d+(?:\.\d|[^\d\s.,)])|(?: blind| ante|bets|calls|to) \d+(?:\.\d|[^\d\s.,])"),
    says=(
        ("seat", rf"Seat (?P<seat>\d+): (?P<name>.+) \({STACK}[^\d,]*(?:, [^()]*)?\)$"),
        ("hero", rf"Dealt to (?P<name>.+) {CARDS}"),
        ("board", r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* (?P<cards>.*)"),
        # Of tournaments it may be rounded: 6.02k.
        ("pot", rf"Total pot {MONEY}[^\dk|]*(?P<cards>\|.*)"),
    ),
    does=(
        ("post", rf"posts big blind {MONEY}.*out of position"),
        ("dead", rf"posts small blind {MONEY}.*out of position"),
        ("ante", rf"posts ante {MONEY}"),
        ("collect", rf"collected {MONEY}"),
        *pokerstars.SITE.does,
    ),
)
