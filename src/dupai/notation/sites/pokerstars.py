"""PokerStars: cash, tournaments, zoom, home games, the archive's format, and what trackers and converters write so."""

from __future__ import annotations

import re

from dupai.notation.sites._draft import Draft
from dupai.notation.sites._engine import Site
from dupai.notation.sites._said import CARDS, MONEY, STACK, usual_acts

_HEAD = re.compile(
    r"(?P<brand>.+?) (?:Zoom |Home |Game )*(?:Hand|Game) #(?P<number>\d+): +(?:\{[^}]*\} *)?(?:Zoom )?"
    r"(?:Tournament #(?P<event>\d+),)?(?P<game>[^\n]*?)"
    r"\((?P<small>[^()/]*?)/(?P<big>[^()]*?)(?: - (?P<cap>[^()]*?) Cap -)?(?: +[A-Z]{3})?\)(?P<date>.*)"
)
#: Programs that write the same words, converters of other rooms among them.
_BRANDS = "PokerStars|Run It Once Poker|Full Tilt|PokerBros|PokerMaster|PPPoker|Upoker|KKPoker"
_TABLE = re.compile(r"^Table '(?P<table>.*)' .*?(?:Seat #(?P<button>\d+) is the button)?$", re.MULTILINE)


def _header(draft: Draft, text: str) -> None:
    head = draft.head(_HEAD, text)
    if head["cap"]:
        draft.cap = draft.chips(head["cap"])
    draft.facts(_TABLE.search(text))


SITE = Site(
    name="PokerStars",
    begins=rf"(?:{_BRANDS}) (?:(?:Zoom|Home|Game) )*(?:Hand|Game) #\d+:",
    whole=r"\*\*\* SUMMARY \*\*\*",
    header=_header,
    after=": ",
    says=(
        ("", r".*? said, \""),
        ("seat", rf"Seat (?P<seat>\d+): (?P<name>.+) \({STACK}(?: [A-Z]{{3}})? in [Cc]hips"),
        ("muck", rf"Seat \d+: (?P<name>.+?)(?: \([a-z ]+\))* mucked {CARDS}"),
        ("hero", rf"Dealt to (?P<name>.+?) {CARDS}"),
        ("board", r"\*\*\* (?:(?P<run>FIRST|SECOND|THIRD) )?(?:FLOP|TURN|RIVER) \*\*\* (?P<cards>.*)"),
        ("all cards", rf"Board {CARDS}"),
        ("return", rf"Uncalled bet \({MONEY}\) returned to (?P<name>.+)"),
        ("pot", rf"Total pot {MONEY}(?P<cards>.*)"),
        ("collect", rf"(?P<name>.+) collected {MONEY} from "),
        ("stop", r"Hand cancelled"),
    ),
    does=(
        *usual_acts(),
        ("raise to", rf"raises .*? to {MONEY}"),
        ("show", rf"shows {CARDS}"),
        ("ante", rf"posts the ante {MONEY}"),
        ("small", rf"posts small blind {MONEY}"),
        ("big", rf"posts big blind {MONEY}"),
        ("both", rf"posts small & big blinds {MONEY}"),
        ("straddle", rf"posts (?:button |the )?straddle {MONEY}"),
        ("dead", rf"posts dead {MONEY}"),
        ("post", rf"posts {MONEY}"),
    ),
)
