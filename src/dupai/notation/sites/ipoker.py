"""iPoker: its XML, a session with several hands, as tables, exports and converters write it."""

from __future__ import annotations

import re
from html import unescape

from dupai.notation.sites._draft import Draft
from dupai.notation.sites._engine import Site
from dupai.notation.sites._xml import amount, number, tags

_SESSION = re.compile(r"<(gametype|tablename|nickname|tournamentcode)>([^<]*)<")
_GAME = re.compile(r'<game gamecode="(\d+)".*?(?:<startdate>([^<]*)<|\Z)', re.DOTALL)
_STAKES = re.compile(r"(\d[\d.,]*)/[^\d/]{0,4}(\d[\d.,]*)")
#: Actions by their numbers; the sum of a raise is the player's total on the street.
_KINDS = {"0": "fold", "1": "small", "2": "big", "3": "call", "4": "check", "5": "bet", "6": "raise to", "7": "all-in"}
_KINDS |= {"8": "fold", "9": "fold", "15": "ante", "23": "raise to"}


def _header(draft: Draft, text: str) -> None:
    said = {tag: unescape(words) for tag, words in _SESSION.findall(text)}
    words = said.get("gametype", "")
    draft.game(re.sub(r"\b([NPS])L\b", lambda m: "pot limit" if m[1] == "P" else "no limit", words))
    draft.table, draft.hero = said.get("tablename", ""), said.get("nickname", "")
    if stakes := _STAKES.search(words.replace("\\x80", "")):
        draft.stakes(*stakes.groups())
    if re.fullmatch("[1-9][0-9]{0,17}", said.get("tournamentcode", "")):
        draft.about["_tournament"] = said["tournamentcode"]
    if game := _GAME.search(text):
        draft.number = game[1]
        draft.played(game[2] or "")


def _read(draft: Draft, lines: list[str]) -> None:
    draft.wins_uncalled = True
    acts: list[tuple[int, int, str, str, int]] = []
    for tag, said, text in tags(draft, "\n".join(lines), "game"):
        name = said.get("player", said.get("name", ""))
        if tag == "player" and name and (chips := amount(draft, said.get("chips"))):
            draft.seat(name, number(said.get("seat")), chips)
            if said.get("dealer") == "1":
                draft.button = number(said.get("seat"))
            if won := amount(draft, said.get("win")):
                draft.event("collect", name, won)
        elif tag == "action" and said.get("type") in _KINDS:
            acts.append(
                (number(said.get("no")), draft.line, _KINDS[said["type"]], name, amount(draft, said.get("sum")))
            )
        elif tag == "cards" and said.get("type") == "Pocket":
            draft.event("hero" if name == draft.hero else "show", name, cards=_cards(text))
        elif tag == "cards":
            _follow(draft, acts)
            draft.event("board", cards=_cards(text))
    _follow(draft, acts)


def _follow(draft: Draft, acts: list[tuple[int, int, str, str, int]]) -> None:
    """The actions of a street, which stand by player and are numbered by turn."""
    for _, draft.line, kind, name, chips in sorted(acts):
        if kind == "fold" and name not in draft.holes and all(name != poster for poster, _, _ in draft.posts):
            continue  # sits out
        late = kind == "big" and any(posted == "big" for _, posted, _ in draft.posts)
        draft.event("post" if late else kind, name, chips)
    acts.clear()


def _cards(text: str) -> str:
    """Cards by rank and suit; a site says the suit first."""
    return re.sub(r"\b([CDHScdhs])(10|[2-9TJQKA])\b", r"\2\1", text)


SITE = Site(
    name="iPoker",
    begins=r"<game gamecode=",
    session=r"<\?xml[^>]*>\s*<session\b|<session\b",
    whole=r"</game>",
    header=_header,
    cents=re.compile(r'(?:chips|bet|win|sum)="(?:[^\d"]|[\d,]*\.\d\d?")'),
    read=_read,
)
