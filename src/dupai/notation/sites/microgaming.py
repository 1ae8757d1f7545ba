"""Microgaming (Prima): its XML, which names players by their seats."""

from __future__ import annotations

import re

from dupai.notation.sites._draft import Draft
from dupai.notation.sites._engine import Site
from dupai.notation.sites._xml import amount, number, seated, tags

_LIMITS = {"NL": "no limit", "PL": "pot limit", "FL": "limit"}
#: A raise says the chips that the player adds.
_KINDS = {"SmallBlind": "small", "BigBlind": "big", "Ante": "ante", "PostedToPlay": "post", "Straddle": "straddle"}
_KINDS |= {"Fold": "fold", "Check": "check", "Call": "call", "Bet": "bet", "Raise": "raise", "AllIn": "all-in"}
_BOARD = ("DealFlop", "DealTurn", "DealRiver")


def _header(draft: Draft, text: str) -> None:
    said = next((said for tag, said, _ in tags(draft, text, "Game") if tag == "Game"), {})
    draft.line = 0
    draft.number, draft.table = said.get("id", ""), said.get("tablename", "")
    draft.game(f"{said.get('gametype', '')} {_LIMITS.get(said.get('betlimit', ''), '')}")
    if "|" in (stakes := said.get("stakes", "")):
        draft.stakes(*stakes.split("|")[:2])
    if said.get("istournament") == "1":
        draft.scale = 1
    draft.played(said.get("date", ""))


def _read(draft: Draft, lines: list[str]) -> None:
    draft.wins_uncalled = True
    names: dict[str, str] = {}
    kind = name = hero = cards = ""
    for tag, said, _ in tags(draft, "\n".join(lines), "Game"):
        if cards and tag != "Card":
            _deal(draft, kind, name, cards, hero)
            cards = ""
        if tag == "Game":
            hero = said.get("playerseat", "")
        elif tag == "Seat" and "alias" in said:
            seat = said.get("num", "")
            names[seat] = said["alias"]
            draft.seat(said["alias"], number(seat), amount(draft, said.get("balance")))
            if said.get("dealer") == "true":
                draft.button = number(seat)
        elif tag == "Seat":
            draft.event("collect", seated(names, said.get("num", "")), amount(draft, said.get("amount")))
        elif tag == "Card":
            cards += f" {said.get('value', '')}{said.get('suit', '')[:1]}"
        elif tag == "Action":
            kind = said.get("type", "")
            name = seated(names, said["seat"]) if "seat" in said else ""
            if kind in _KINDS:
                draft.event(_KINDS[kind], name, amount(draft, said["value"]) if "value" in said else None)
            elif kind == "BadBeatContribution":  # paid beside the pot
                draft.about["_jackpot"] = str(amount(draft, said.get("value")))


def _deal(draft: Draft, kind: str, name: str, cards: str, hero: str) -> None:
    if kind in _BOARD:
        draft.event("board", cards=cards)
    elif name and kind == "DealCards":
        draft.event("hero" if str(draft.seats[name][0]) == hero else "dealt", name, cards=cards)
    elif name and kind == "ShowCards":
        draft.event("show", name, cards=cards)


SITE = Site(
    name="Microgaming",
    begins=r"<Game hhversion=",
    whole=r"</Game>",
    header=_header,
    cents=re.compile(r'(?:balance|value|amount)="[\d,]*\.\d\d?"'),
    read=_read,
)
