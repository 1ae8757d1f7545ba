"""Winning Poker Network (Americas Cardroom and others): its texts of before about 2019."""

from __future__ import annotations

import re

from dupai.notation.sites._draft import Draft
from dupai.notation.sites._engine import Site
from dupai.notation.sites._said import CARDS, MONEY, STACK, usual_acts

_HEAD = re.compile(
    r"Game started at: (?P<date>.*)\nGame ID: (?P<number>\d+) (?P<small>[\d.]+)/(?P<big>[\d.]+) (?P<table>.*?) *"
    r"\((?P<kind>[^()]*)\)\n(?:Seat (?P<button>\d+) is the button)?"
)
_BIG = re.compile(r" has big blind \(([\d.]+)\)")
_RAKE = re.compile(r"^Pot: (?P<pot>\d+(?:\.\d+)?).*?Rake (?P<rake>\d+(?:\.\d+)?)", re.MULTILINE)
_BETS = re.compile(r"\. ?Bets: (\d+(?:\.\d+)?)\. Collects: ")


def _header(draft: Draft, text: str) -> None:
    head = draft.head(_HEAD, text)
    draft.game("No Limit " + head["kind"])
    # The text does not say the betting: in limit the stakes are the bets, and the big blind is the smaller one.
    if (big := _BIG.search(text)) and draft.chips(big[1]) == draft.chips(head["small"]):
        draft.betting = "limit"
        draft.stakes(head["small"], head["big"])
    if rake := _RAKE.search(text):
        draft.event("rake", chips=draft.chips(rake["rake"]))
        if "JP" in head["table"]:  # what goes to the jackpot stands nowhere
            rest = sum(map(draft.chips, _BETS.findall(text))) - draft.chips(rake["pot"]) - draft.chips(rake["rake"])
            draft.event("jackpot", chips=max(rest, 0))


SITE = Site(
    name="Winning Poker Network",
    begins=r"Game started at: \d",
    whole=r"Game ended at: ",
    header=_header,
    before="Player ",
    # Whole stacks may meet a pot with a fraction, for the rake.
    cents=re.compile(r"\(\d+\.\d|^(?:Pot|Game ID): [^\n]*?\d\.\d", re.MULTILINE),
    says=(
        (
            "collect",
            r"(?:\*|)Player (?P<name>.+?) (?:does not show|mucks \(does not show|shows: [^\[]*\[(?P<cards>[^\]]*)\])"
            r".*\. Collects: (?!0\. )(?P<chips>\d+(?:\.\d+)?)",
        ),
        ("show", rf"(?:\*|)Player (?P<name>.+?) shows: [^\[]*{CARDS}"),
        ("seat", rf"Seat (?P<seat>\d+): (?P<name>.+) \({STACK}\)\.$"),
        ("board", r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\*: (?P<cards>.*)"),
        ("return", rf"Uncalled bet \({MONEY}\) returned to (?P<name>.+)"),
        ("pot", rf"Pot: {MONEY}"),
    ),
    does=(
        *usual_acts(rf"\({MONEY}\)"),
        ("raise", rf"raises \({MONEY}\)"),
        ("all-in", rf"allin \({MONEY}\)"),
        ("hero", rf"received card: {CARDS}"),
        ("small", rf"has small blind \({MONEY}\)"),
        ("big", rf"has big blind \({MONEY}\)"),
        ("ante", rf"ante \({MONEY}\)"),
        ("dead", rf"posts \({MONEY}\) as a dead bet"),
        ("post", rf"posts \({MONEY}\)"),
        ("straddle", rf"straddle \({MONEY}\)"),
    ),
)
