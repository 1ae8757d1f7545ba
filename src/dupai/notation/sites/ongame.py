"""The OnGame network."""

from __future__ import annotations

import re

from dupai.notation.sites._draft import Draft
from dupai.notation.sites._engine import Rules, Site
from dupai.notation.sites._said import CARDS, MONEY, STACK, usual_acts

_HEAD = re.compile(r"\*{5} History for hand (?P<number>[\w-]+)(?: \(TOURNAMENT: .*?,? ?(?P<event>[RS]-[\d-]+)?[,)])?")
_TABLE = re.compile(
    r"^Table: (?P<table>.*) \((?P<game>[A-Z_]+ [A-Z_]+) (?P<small>[^/(]*)/(?P<big>[^,(]*?)(?:, .*)?\)", re.MULTILINE
)
_BUTTON = re.compile(r"^Button: seat (?P<button>\d+)", re.MULTILINE)
_POT = re.compile(r"^(?:Main|Side) pot.*? won by (.*)$", re.MULTILINE)
_WINNER = re.compile(rf"(?P<name>.+?) \({MONEY}\)(?:,? |$)")


def _header(draft: Draft, text: str) -> None:
    draft.facts(_HEAD.match(text))
    table = _TABLE.search(text)
    draft.facts(table)
    if table is None:
        draft.game(next((line for line in text.split("\n") if line.startswith("Table:")), ""))
    draft.played(text)
    draft.facts(_BUTTON.search(text))


def _footer(draft: Draft, text: str) -> None:
    for winners in _POT.findall(text):
        for winner in _WINNER.finditer(winners):
            draft.event("collect", winner["name"], draft.chips(winner["chips"]))


_DOES: Rules = (
    *usual_acts(),
    ("raise to", rf"raises \S+ to {MONEY}"),
    ("ante", rf"posts ante \(?{MONEY}"),
    ("small", rf"posts small blind \({MONEY}\)"),
    ("big", rf"posts big blind \({MONEY}\)"),
    ("dead", rf"posts dead (?:small )?blind \({MONEY}\)"),
    ("both", rf"posts (?:both|small & big) blinds? \({MONEY}\)"),
)

SITE = Site(
    name="Ongame Network",
    begins=r"\*{5} History for hand ",
    whole=r"\*{5} End of hand",
    header=_header,
    footer=_footer,
    says=(
        ("seat", rf"Seat (?P<seat>\d+): (?P<name>.+) \( ?{STACK}"),
        ("show", rf"Seat \d+: (?P<name>.+) \([^()]*\), net: [^,]*, {CARDS}"),
        ("hero", rf"Dealing to (?P<name>.+): {CARDS}"),
        ("board", r"--- Dealing (?:flop|turn|river) (?P<cards>.*)"),
        ("rake", rf"Rake taken: {MONEY}"),
        *((event, rf"(?P<name>.+?): {pattern}") for event, pattern in _DOES),
    ),
    does=_DOES,
)
