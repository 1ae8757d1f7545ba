"""Absolute Poker and UltimateBet."""

from __future__ import annotations

import re

from dupai.notation.sites._draft import Draft
from dupai.notation.sites._engine import Site
from dupai.notation.sites._said import CARDS, MONEY, STACK

_HEAD = re.compile(r"Stage #C?(?P<number>\w+):? (?:Tourney ID (?P<event>\d+) )?(?P<game>.*?) - (?P<date>\d{4}-.*)")
_STAKES = re.compile(r"\$?(\d[\d.,]*)(?:/\$?(\d[\d.,]*))?")
_TABLE = re.compile(r"^Table: (?P<table>.*?) \(.*Seat #(?P<button>\d+) is the dealer", re.MULTILINE)


def _header(draft: Draft, text: str) -> None:
    head = draft.head(_HEAD, text)
    if stakes := _STAKES.search(head["game"]):
        draft.stakes(stakes[1], stakes[2] or stakes[1])
        if stakes[2] is None and draft.betting != "limit":
            draft.blinds = (draft.blinds[1] // 2, draft.blinds[1])
    draft.facts(_TABLE.search(text))


SITE = Site(
    name="Absolute Poker",
    begins=r"Stage #\w+",
    whole=r"\*\*\* SUMMARY",
    header=_header,
    after=" - ",
    says=(
        ("seat", rf"Seat (?P<seat>\d+) - (?P<name>.+) \({STACK} in chips\)"),
        ("hero", rf"Dealt to (?P<name>.+?) {CARDS}"),
        ("board", r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* (?P<cards>.*)"),
        ("pot", rf"Total Pot\({MONEY}\)(?P<cards>.*)"),
        ("collect", rf"(?P<name>.+) Collects {MONEY} from (?:main|side) pot"),
    ),
    does=(
        ("fold", r"Folds"),
        ("check", r"Checks"),
        ("call", rf"Calls {MONEY}"),
        ("bet", rf"Bets {MONEY}"),
        ("raise to", rf"Raises \S+ to {MONEY}"),
        ("raise to", rf"All-In\(Raise\) \S+ to {MONEY}"),
        ("all-in", r"All-In"),
        ("return", rf"returned \({MONEY}\)"),
        ("show", rf"Shows {CARDS}"),
        ("ante", rf"Ante {MONEY}"),
        ("small", rf"Posts small blind {MONEY}"),
        ("big", rf"Posts big blind {MONEY}"),
        ("both", rf"Posts dead {MONEY} dead"),
        ("dead", rf"Posts dead {MONEY}"),
        ("post", rf"Posts {MONEY}"),
    ),
)
