"""Merge (Carbon, Lock, and others of its network): its XML, which names players by their seats."""

from __future__ import annotations

import re

from dupai.notation.sites._draft import Draft
from dupai.notation.sites._engine import Site
from dupai.notation.sites._xml import amount, number, seated, tags

_DATE = re.compile(r"(\d{4})/?(\d\d)/?(\d\d) ?(?:(\d\d):?(\d\d):?(\d\d))?")
_STAKES = re.compile(r"(\d[\d.,]*)/[^\d/]?(\d[\d.,]*)")
#: Raises are totals on the street from this year on; before, they are the chips that the raiser adds.
_FIRST_YEAR_OF_TOTALS = 2011
_POSTS = {"SMALL_BLIND": "small", "BIG_BLIND": "big", "ANTE": "ante", "INITIAL_BLIND": "post", "RETURN_BLIND": "small"}
_ACTS = {"FOLD": "fold", "CHECK": "check", "CALL": "call", "BET": "bet", "ALL_IN": "all-in"}
_CARDS = {"HOLE": "hero", "SHOWN": "show", "MUCKED": "muck"}

_Event = tuple[int, str, str, int | None]


def _header(draft: Draft, text: str) -> None:
    said = {tag: said for tag, said, _ in tags(draft, text, "game") if tag in ("description", "game")}
    draft.line = 0
    about, game = said.get("description", {}), said.get("game", {})
    words = f"{about.get('type', '')} {game.get('stakes', about.get('stakes', ''))}"
    draft.game(words)
    if "Tournament" in words:
        draft.scale = 1
    if stakes := _STAKES.search(words):
        draft.stakes(*stakes.groups())
    draft.number = game.get("id", "")
    draft.table = [*re.split("[|:]", game.get("data", "")), ""][1]
    if date := _DATE.match(game.get("starttime", "")):
        draft.played("{}/{}/{} {}:{}:{}".format(*date.groups()))


def _read(draft: Draft, lines: list[str]) -> None:
    raises = "raise to" if int(draft.about.get("year", "9999")) >= _FIRST_YEAR_OF_TOTALS else "raise"
    kinds = _POSTS | _ACTS | {"RAISE": raises}
    draft.guests = True
    names: dict[str, str] = {}
    over = False
    events: list[_Event] = []
    for tag, said, _ in tags(draft, "\n".join(lines), "game"):
        seat, kind = said.get("player", ""), said.get("type", "")
        if tag == "players":
            draft.button = number(said.get("dealer"))
        elif tag == "player":
            names[said.get("seat", "")] = said.get("nickname", "")
            if chips := amount(draft, said.get("balance")):
                draft.seat(said.get("nickname", ""), number(said.get("seat")), chips)
        elif tag == "round":  # a street's cards stand after its actions
            _follow(draft, events)
            over = said.get("id") == "END_OF_FOLDED_GAME"
        elif tag == "event" and kind == "GAME_CANCELLED":
            draft.event("stop")
        elif tag == "event" and kind in kinds:
            if kind in _POSTS and seat not in names:  # somebody who has just sat down
                names[seat] = f"seat {seat}"
                draft.seats[names[seat]] = (number(seat), 0)
            events.append((draft.line, kinds[kind], seated(names, seat), amount(draft, said.get("amount")) or None))
        elif tag == "cards" and kind == "COMMUNITY":
            if not over:  # cards that might have come are shown for fun
                draft.event("board", cards=said.get("cards", ""))
        elif tag == "cards" and kind in _CARDS:
            draft.event(_CARDS[kind], seated(names, seat), cards=said.get("cards", ""))
        elif tag == "winner":
            won = "return" if said.get("uncalled") == "true" else "collect"
            draft.event(won, seated(names, seat), amount(draft, said.get("amount")))
    _follow(draft, events)


def _follow(draft: Draft, events: list[_Event]) -> None:
    for draft.line, kind, name, chips in events:
        # Who is all-in, or not dealt in, may be asked once more.
        if name in draft.seats and (kind != "all-in" or chips):
            draft.event(kind, name, chips)
    events.clear()


SITE = Site(
    name="Merge",
    begins=r"<game id=",
    session=r"<description\b",
    whole=r"</game>",
    header=_header,
    cents=re.compile(r'(?:balance|amount)="(?:[^\d"]|[\d,]*\.\d\d?")'),
    read=_read,
)
