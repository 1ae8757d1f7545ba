"""PartyPoker and its network: the classic wording, and the one with balances at the end."""

from __future__ import annotations

import re

from dupai.notation.sites._draft import Draft
from dupai.notation.sites._engine import Site
from dupai.notation.sites._said import CARDS, MONEY, STACK, usual_acts

_NUMBER = re.compile(r"Hand History [Ff]or Game (?P<number>\w+)")
_BLINDS = re.compile(r"(?:Blinds(?:-Antes)?|Stakes) ?\(([\d.,]+) ?/ ?([\d.,]+)")
_STAKES = re.compile(r"[^\d\s]?(\d[\d.,]*) ?/ ?[^\d\s]?(\d[\d.,]*)")
_TABLE = re.compile(r"^Table (?P<table>.*?)(?: \( ?Real Money ?\).*| --.*)?$", re.MULTILINE)
_BUTTON = re.compile(r"Seat (?P<button>\d+) is the button")
_EVENT = re.compile(r"(?:Trny: ?|Tournament #)(?P<event>\d+)")


def _header(draft: Draft, text: str) -> None:
    head, _, rest = text.partition("\n")
    game = rest.partition("\n")[0]
    draft.facts(_NUMBER.search(head))
    draft.game(game)
    draft.facts(_EVENT.search(game))
    draft.silent = "_tournament" in draft.about
    # The level may change before the deal: the last blinds count.
    if stakes := _BLINDS.findall(text) or _STAKES.findall(game):
        draft.stakes(*stakes[-1])
        if draft.silent and draft.betting == "limit":
            draft.blinds = (draft.bets[0] // 2, draft.bets[0])
    draft.played(game)
    draft.facts(_TABLE.search(rest))
    draft.facts(_BUTTON.search(text))
    draft.wins_uncalled = draft.live_small = draft.guests = True


SITE = Site(
    name="PartyPoker",
    begins=r"\*{5} Hand History [Ff]or Game \w+ \*{5}",
    whole=r" wins | balance ",
    header=_header,
    says=(
        ("seat", rf"[Ss]eat (?P<seat>\d+): (?P<name>.+?) ?\( *{STACK}"),
        ("hero", rf"Dealt to (?P<name>.+?) +{CARDS}"),
        ("big", rf"(?P<name>.+?) posts big blind [\[(] ?{MONEY}"),
        ("both", rf"(?P<name>.+?) posts big blind \+ dead [\[(] ?{MONEY}"),
        ("board", r"\*\* Dealing (?:Flop|Turn|River) \*\* (?P<cards>.*)"),
    ),
    does=(
        *usual_acts(rf"[\[(] ?{MONEY}"),
        ("raise", rf"raises [\[(] ?{MONEY}"),
        ("raise to", rf"raises \S+ to {MONEY}"),
        ("all-in", r"is all-In +\["),
        ("whole", r"is all-In\."),
        ("collect", rf"wins {MONEY}"),
        ("collect", rf"balance .*? collected {MONEY}[^\[]*(?:{CARDS})?"),
        ("show", rf"balance [^\[]*{CARDS}"),
        ("show", rf"shows +{CARDS}"),
        ("muck", rf"doesn't show +{CARDS}"),
        ("ante", rf"posts ante (?:of )?[\[(] ?{MONEY}"),
        ("small", rf"posts small blind [\[(] ?{MONEY}"),
        ("big", rf"posts big blind [\[(] ?{MONEY}"),
        ("both", rf"posts big blind \+ dead [\[(] ?{MONEY}"),
        ("dead", rf"posts dead [\[(] ?{MONEY}"),
    ),
)
