"""Bovada, Ignition and Bodog: nobody has a name but the position, and all cards are told afterwards."""

from __future__ import annotations

import re

from dupai.notation.sites._draft import Draft
from dupai.notation.sites._engine import Site, read_lines
from dupai.notation.sites._said import CARDS, MONEY, STACK

_HEAD = re.compile(
    r".*? Hand #(?P<number>\d+):? (?=(?:.*?Tournament #(?P<event>[\w-]+))?)"
    r"(?:.*?(?:TBL|Zone Poker ID)#(?P<table>\d+))?.*?"
    r"(?:Level \d+ \((?P<small>[\d.,]+)/(?P<big>[\d.,]+)\).*?)? - (?P<date>\d{4}-.*)"
)
_HERO = re.compile(r"^Seat \d+: (.+?) +\[ME\]", re.MULTILINE)
_ME = re.compile(r" +\[ME\]")
_LABEL = re.compile(r"^Seat \d+: (.+?) +(?:\[ME\] )?\(", re.MULTILINE)
#: What a player who is all-in by a blind is said to do before the cards are dealt.
_BLINDS = {"Small Blind : All-in": "Small Blind : Small Blind", "Dealer : All-in": "Dealer : Small Blind"}


def _rank(label: str) -> int:
    """The place of a label among those of a hand, from the small blind to the dealer."""
    under = int(label[4:] or 0) if label.startswith("UTG") and label[4:].isdigit() | (label == "UTG") else 90
    return {"Small Blind": -2, "Big Blind": -1, "Dealer": 99}.get(label, under)


def _header(draft: Draft, text: str) -> None:
    words = text.partition("\n")[0]
    draft.game(words if "Limit" in words else f"{words} No Limit")
    draft.facts(_HEAD.match(text))
    if hero := _HERO.search(text):
        draft.hero = hero[1]
    draft.order = {label: _rank(label) for label in _LABEL.findall(text)}


def _read(draft: Draft, text: list[str]) -> None:
    lines = [_ME.sub("", line) for line in text]
    deal = next((i for i, line in enumerate(lines) if line.startswith("*** HOLE CARDS")), 0)
    for i, line in enumerate(lines[:deal]):
        if " : All-in" in line:
            who, _, chips = line.rpartition(" ")
            lines[i] = f"{_BLINDS.get(who, who.replace('All-in', 'Big blind'))} {chips}"
    read_lines(SITE, draft, lines)


SITE = Site(
    name="Bovada",
    begins=r"(?:Bovada|Bodog(?:\.\w+)?|Ignition)(?: Casino)? Hand #\d+",
    whole=r"\*\*\* SUMMARY",
    header=_header,
    read=_read,
    after=" : ",
    says=(
        ("seat", rf"Seat (?P<seat>\d+): (?P<name>.+?) \({STACK} in chips\)"),
        ("board", r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* (?P<cards>.*)"),
        ("pot", rf"Total Pot\({MONEY}\)"),
    ),
    does=(
        ("dealt", rf"Card dealt to a spot {CARDS}"),
        ("fold", r"Folds?"),
        ("check", r"Checks?"),
        ("call", rf"Calls?(?:\(timeout\))? {MONEY}"),
        ("bet", rf"Bets(?: chip info)?(?:\(timeout\))? {MONEY}"),
        ("raise to", rf"Raises(?:\(timeout\))? (?:\S+ to )?{MONEY}"),
        ("raise to", rf"All-in\(raise[^)]*\) \S+ to {MONEY}"),
        ("all-in", r"All-in"),
        ("ante", rf"Ante chip {MONEY}"),
        ("small", rf"(?:Ante/)?Small [Bb]lind {MONEY}"),
        ("big", rf"Big [Bb]lind(?:/Bring in)? {MONEY}"),
        ("dead", rf"Posts dead chip {MONEY}"),
        ("post", rf"Posts chip {MONEY}"),
        ("show", r"Showdown(?!\()"),
        ("return", rf"Return uncalled portion of bet {MONEY}"),
        ("collect", rf"Hand [Rr]esult(?:-Side [Pp]ot)? {MONEY}"),
    ),
)
