"""888poker and the other names of the Pacific network (Cassava)."""

from __future__ import annotations

import re

from dupai.notation.sites._draft import Draft
from dupai.notation.sites._engine import Site
from dupai.notation.sites._said import CARDS, usual_acts

_NUMBER = re.compile(r"Hand History for Game (?P<number>\d+)")
_STAKES = re.compile(r"^(\S[^/\n]*?)/(\S[^/\n]*?) Blinds (.*?) - \*\*\*(.*)$", re.MULTILINE)
_TABLE = re.compile(
    r"^(?:Table|Tournament #(?P<event>\d+)) ?(?P<table>.*?)(?: \d+ Max)? \((?:Real Money|Practice Play)\)", re.MULTILINE
)
_BUTTON = re.compile(r"^Seat (?P<button>\d+) is the button", re.MULTILINE)
_FRACTION = re.compile(r"\d[.,]\d\d? ?[^\d\s\])]? ?[\])]")
_AMOUNT = r"\[ ?(?P<chips>[^\]+]+)\]"


def _header(draft: Draft, text: str) -> None:
    draft.facts(_NUMBER.search(text))
    draft.facts(_TABLE.search(text))
    if "_tournament" in draft.about:
        draft.scale = 100 if _FRACTION.search(text) else 1
    if stakes := _STAKES.search(text):
        draft.game(stakes[3])
        if re.search(r"[1-9]", stakes[2]):  # not where all are all-in by the ante
            draft.stakes(stakes[1], stakes[2])
        if draft.betting == "limit":  # the stakes are the blinds here
            draft.blinds, draft.bets = draft.bets, (draft.bets[1], 2 * draft.bets[1])
        draft.played(stakes[4])
    draft.facts(_BUTTON.search(text))


SITE = Site(
    name="888poker",
    begins=r"\*{5} (?:[\w.]+ )+Hand History for Game \d+ \*{5}",
    whole=r"\*\* Summary \*\*",
    header=_header,
    says=(
        ("seat", r"Seat (?P<seat>\d+): (?P<name>.*) \( ?(?P<stack>[^()]*)\)"),
        ("hero", rf"Dealt to (?P<name>.+?) {CARDS}"),
        ("board", r"\*\* Dealing (?:flop|turn|river) \*\* (?P<cards>.*)"),
    ),
    does=(
        *usual_acts(_AMOUNT),
        ("raise", rf"raises {_AMOUNT}"),
        ("show", rf"shows {CARDS}"),
        ("muck", rf"mucks {CARDS}"),
        ("collect", rf"collected {_AMOUNT}"),
        ("ante", rf"posts ante {_AMOUNT}"),
        ("small", rf"posts small blind {_AMOUNT}"),
        ("big", rf"posts big blind {_AMOUNT}"),
        ("both", r"posts dead blind \[(?P<chips>[^\]+]+)\+(?P<more>[^\]+]+)\]"),
        ("dead", rf"posts dead blind {_AMOUNT}"),
    ),
)
