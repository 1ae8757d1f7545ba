"""Entraction: names in columns, actions with the chips that the player adds."""

from __future__ import annotations

import re

from dupai.notation.sites._draft import Draft
from dupai.notation.sites._engine import Site
from dupai.notation.sites._said import MONEY, STACK

_HEAD = re.compile(
    r"Game # (?P<number>\d+) - (?P<game>.*?) (?:[A-Z]{3} |[^\w\s])?(?P<small>\d[\d.,]*)/(?P<big>\d[\d.,]*)"
    r"(?: and .*?)? - Table \"(?P<table>.*)\""
)
_DEALER = re.compile(r"^Dealer: +(.+)$", re.MULTILINE)
_HERO = re.compile(r"^(.+?) was dealt: +(.+)$", re.MULTILINE)
_ENDED = re.compile(r"^Game ended (?P<date>.*)$", re.MULTILINE)
_CHIPS = rf" +\({MONEY}\)"


def _header(draft: Draft, text: str) -> None:
    draft.head(_HEAD, text)
    draft.facts(_ENDED.search(text))


def _footer(draft: Draft, text: str) -> None:
    if (dealer := _DEALER.search(text)) and dealer[1] in draft.seats:
        draft.button = draft.seats[dealer[1]][0]
    if hero := _HERO.search(text):  # in small letters, now and then
        name = next((n for n in draft.seats if n.lower() == hero[1].lower()), hero[1])
        draft.event("hero", name, cards=hero[2])


SITE = Site(
    name="Entraction",
    begins=r"Game # \d+ - ",
    whole=r"Game ended",
    header=_header,
    footer=_footer,
    after=" ",
    cents=re.compile(r"\([^\d()]{1,4}\d[\d.,]* in seat \d"),
    says=(
        ("seat", rf"(?P<name>.+?) +\({STACK} in seat (?P<seat>\d+)\)"),
        ("small", rf"Small Blind: +(?P<name>.+?){_CHIPS}"),
        ("big", rf"Big Blind: +(?P<name>.+?){_CHIPS}"),
        ("board", r"(?:Flop|Turn|River) +(?P<cards>.*)"),
        ("show", r"(?P<name>.+?) shows: +(?P<cards>.*)"),
        ("muck", r"(?P<name>.+?) didn't show hand \((?P<cards>.*)\)"),
        ("collect", rf"(?P<name>.+?) wins: +{MONEY}"),
        ("rake", rf"Rake: +{MONEY}"),
    ),
    does=(
        ("fold", r" *Fold$"),
        ("check", r" *Check$"),
        ("call", rf" *Call{_CHIPS}"),
        ("bet", rf" *Bet{_CHIPS}"),
        ("raise", rf" *Raise{_CHIPS}"),
        ("all-in", rf" *All-In{_CHIPS}"),
        ("return", rf" *Payback{_CHIPS}"),
        ("ante", rf" *Ante{_CHIPS}"),
        ("post", rf" *(?:Entry|Post){_CHIPS}"),
        ("dead", rf" *Dead{_CHIPS}"),
    ),
)
