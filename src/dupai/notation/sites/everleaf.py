"""Everleaf Gaming: a raise says the chips that the player adds."""

from __future__ import annotations

import re

from dupai.notation.sites._draft import Draft
from dupai.notation.sites._engine import Site
from dupai.notation.sites._said import CARDS, MONEY, STACK, usual_acts

_HEAD = re.compile(
    r".*?#(?P<number>\d+)(?:.*\n)+?(?:Blinds )?"
    r"[^\d\n]{0,3}(?P<small>\d[\d.,]*)/[^\d\n]{0,3}(?P<big>\d[\d.,]*) (?P<game>[^\n]*?) - (?P<date>\d.*)"
)
_TABLE = re.compile(r"^Table (?P<table>.*)$", re.MULTILINE)
_BUTTON = re.compile(r"^Seat (?P<button>\d+) is the button", re.MULTILINE)
_CHIPS = rf"\[ ?{MONEY}"


def _header(draft: Draft, text: str) -> None:
    draft.wins_uncalled = False
    draft.head(_HEAD, text)
    draft.facts(_TABLE.search(text))
    draft.facts(_BUTTON.search(text))


SITE = Site(
    name="Everleaf",
    begins=r"Everleaf Gaming Game #\d+",
    whole=r" wins .* from ",
    header=_header,
    after="",
    says=(
        ("seat", rf"Seat (?P<seat>\d+): (?P<name>.+?) \( *{STACK}"),
        ("hero", rf"Dealt to (?P<name>.+?) {CARDS}"),
        ("board", rf"\*\* Dealing (?:[Ff]lop|[Tt]urn|[Rr]iver) \*\* {CARDS}"),
    ),
    does=(
        *usual_acts(_CHIPS, ":? "),
        ("raise", rf":? raises {_CHIPS}"),
        ("show", rf":? shows {CARDS}"),
        ("collect", rf":? wins {MONEY}.* from "),
        ("ante", rf": posts ante {_CHIPS}"),
        ("small", rf": posts small blind {_CHIPS}"),
        ("big", rf": posts big blind {_CHIPS}"),
        ("both", rf": posts both blinds {_CHIPS}"),
    ),
)
