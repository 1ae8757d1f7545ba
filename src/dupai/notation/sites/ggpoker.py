"""GGPoker and its skins: cash, Rush & Cash, tournaments."""

from __future__ import annotations

import re

import msgspec

from dupai.notation.sites import pokerstars
from dupai.notation.sites._draft import Draft
from dupai.notation.sites._said import MONEY

_HEAD = re.compile(
    r"Poker Hand #(?P<number>[A-Z]*\d+): (?:Tournament #(?P<event>\d+), .*? )??"
    r"(?P<game>\S+(?: (?:No|Pot|Fixed) Limit)?)(?: - Level ?\d+)? *"
    r"\((?P<small>[^()/]+)/(?P<big>[^()/]+)(?:\([^()]*\))?\) - (?P<date>.*)"
)
_TABLE = re.compile(r"^Table '(?P<table>.*)' .*?Seat #(?P<button>\d+) is the button$", re.MULTILINE)


def _header(draft: Draft, text: str) -> None:
    draft.head(_HEAD, text)
    draft.facts(_TABLE.search(text))


SITE = msgspec.structs.replace(
    pokerstars.SITE,
    name="GGPoker",
    begins=r"Poker Hand #[A-Z]*\d+:",
    header=_header,
    says=(("stop", r"(?P<cards>Cash Drop to Pot)"), *pokerstars.SITE.says),
    does=(
        *pokerstars.SITE.does,
        ("straddle", rf"straddle {MONEY}"),
        ("post", rf"posts missed blind {MONEY}"),
        ("collect", rf"collected {MONEY} from "),
        ("cash-out", rf"(?:Pays|Receives) (?:EV )?Cashout[A-Za-z ]*\({MONEY}\)"),
        ("cash-out", rf"(?:Pays|Receives) All-[Ii]n Insurance[A-Za-z ]*\({MONEY}\)"),
    ),
)
