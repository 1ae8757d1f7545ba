"""Cake and Juicy Stakes: cash and tournaments."""

from __future__ import annotations

import re

from dupai.notation.sites._draft import Draft
from dupai.notation.sites._engine import Site
from dupai.notation.sites._said import CARDS, usual_acts

_HEAD = re.compile(
    r"Hand#(?P<number>\w+) - (?P<table>.*?(?: T(?P<event>[1-9][0-9]{0,17}))?) -- (?:.* -- )?"
    r"(?:\S+/)?(?P<small>[^\s/]+)/(?P<big>[^\s/]+) "
    r"(?P<game>\w+ [^-\n]*?) -- (?P<date>.*)"
)
_DEALER = re.compile(r"^(?:Dealer: Seat |Seat (?=\d+: .* DEALER$))(?P<button>\d+)", re.MULTILINE)
#: With blanks between thousands.
_CHIPS = r"(?:[^\d\s()\[\]:]{1,4} ?)?(?P<chips>\d+(?:[ \u00a0]\d{3})*(?:[.,]\d+)*)"


def _header(draft: Draft, text: str) -> None:
    draft.head(_HEAD, text)
    draft.facts(_DEALER.search(text))


SITE = Site(
    name="Cake",
    begins=r"Hand#\w+ - ",
    whole=r"\*\*\* ?SHOW DOWN \*\*\*|\*\*\*SHOW DOWN\*\*\*",
    header=_header,
    after=":",
    says=(
        ("seat", rf"Seat (?P<seat>\d+): (?P<name>.+) \({_CHIPS.replace('chips', 'stack')} in chips\)"),
        ("hero", rf"Dealt to (?P<name>.+?) {CARDS}"),
        ("board", rf"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* {CARDS}"),
        ("collect", rf"(?P<name>.+?) wins {_CHIPS}(?: with .*|)$"),
    ),
    does=(
        *usual_acts(_CHIPS, " "),
        ("raise to", rf" raises to {_CHIPS}"),
        ("all-in", rf" is all in {_CHIPS}"),
        ("show", rf" shows {CARDS}"),
        ("muck", rf" mucks {CARDS}"),
        ("return", rf" returns uncalled bet {_CHIPS}"),
        ("collect", rf" wins {_CHIPS}"),
        ("ante", rf" posts ante of {_CHIPS}"),
        ("small", rf" posts small blind {_CHIPS}"),
        ("big", rf" posts big blind {_CHIPS}"),
        ("both", rf" posts (?:small (?:and|&) big|both) blinds? {_CHIPS}"),
        ("dead", rf" posts dead (?:blind )?{_CHIPS}"),
        ("post", rf" posts {_CHIPS}"),
    ),
)
