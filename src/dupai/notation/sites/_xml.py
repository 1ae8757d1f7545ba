"""Hands in XML: their tags in the order of the text. Nothing is expanded or loaded, and damage costs only its tag."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from dupai.base import NotationError
from dupai.notation.sites._draft import Draft

_TAG = re.compile(r'<([A-Za-z]\w*)((?:\s+[\w:.-]+\s*=\s*"[^"]*")*)\s*/?>([^<]*)')
_ATTRIBUTE = re.compile(r'([\w:.-]+)\s*=\s*"([^"]*)"')
_AMOUNT = re.compile(r"\d[\d.,\u00a0 ]*\Z")


def tags(draft: Draft, text: str, hand: str) -> Iterator[tuple[str, dict[str, str], str]]:
    """The tags as they come: name, attributes, the text after it; ``draft.line`` counts from the tag ``hand`` on, with
    which a hand begins."""
    end, line = text.find(f"<{hand} "), 1
    for match in _TAG.finditer(text):
        if match.start() >= end:
            line += text.count("\n", end, match.start())
            draft.line, end = line, match.start()
        yield match[1], {k: unescape(v) for k, v in _ATTRIBUTE.findall(match[2])}, unescape(match[3]).strip()


def amount(draft: Draft, text: str | None) -> int:
    """The chips of an amount, whatever its currency; 0 where none is said.

    Raises:
        NotationError: it is no amount.
    """
    if not text:
        return 0
    found = _AMOUNT.search(text.replace("\\x80", "").rstrip())
    return draft.chips(found[0] if found else text)


def number(text: str | None) -> int:
    """A number of a seat or an action.

    Raises:
        NotationError: it is none.
    """
    if not text or not (text.isdigit() and text.isascii() and len(text) < 10):
        raise NotationError(f"{text!r} is not the number of a seat or an action")
    return int(text)


def seated(names: dict[str, str], seat: str) -> str:
    """Who sits in a seat.

    Raises:
        NotationError: nobody does.
    """
    if seat not in names:
        raise NotationError(f"nobody is in seat {seat}")
    return names[seat]
