"""Reasons as data: what an agent says of a decision, as a code with values. The words come from a catalogue."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

Language = Literal["en", "zh"]
#: The languages that have a catalogue, ``words/LANGUAGE.json``.
LANGUAGES: tuple[Language, ...] = ("en", "zh")


class Reason(msgspec.Struct, frozen=True, omit_defaults=True):
    """One statement about a decision, an action or a hand.

    Attributes:
        code: what is said: an entry of the catalogue, as ``price``. Other packages may use codes of their own.
        values: the numbers, words and further reasons that the entry's text has places for.
        text: plain English for a code that the catalogue does not know; "" for ours.
    """

    code: str
    values: Mapping[str, int | float | str | tuple[Reason | str, ...]] = msgspec.field(default_factory=dict)
    text: str = ""


class Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language.

    A text has places: ``{rate}``, or with a form ``{rate:%1}``. Forms: ``%`` and ``%1`` (a share in percent without
    and with a decimal place), ``.2`` and ``+.2`` (decimal places, with a sign), ``plain`` (no separators), ``word`` (a
    word or several that are in ``words``); without one whole numbers or two decimal places. The place ``{s}``
    is the ending of an English verb: none after *you*.

    Attributes:
        join: between the parts of a list.
        reasons, actions: texts by code.
        words: words by their name in the program.
        names: translations of names (of agents, statistics, table heads) as ``agent.fold``; others stay English.
    """

    join: str
    reasons: dict[str, str]
    actions: dict[str, str]
    words: dict[str, str]
    names: dict[str, str]


@cache
def load_catalogue(language: Language = "en") -> Catalogue:
    """The words of a language."""
    path = Path(__file__).parent / "words" / f"{language}.json"
    return msgspec.json.decode(path.read_bytes(), type=Catalogue)


_PLACE = re.compile(r"\{(\w+)(?::([^}]*))?\}")


def reason_words(reason: Reason, language: Language = "en") -> str:
    """A reason in words; with a code that the catalogue lacks, its own text."""
    catalogue = load_catalogue(language)
    text = catalogue.reasons.get(reason.code) or catalogue.actions.get(reason.code)
    if text is None:
        return reason.text or reason.code
    values = {"s": "s", **reason.values}
    return _PLACE.sub(lambda place: _value_words(values.get(place[1], ""), place[2] or "", language), text)


def _value_words(value: Any, form: str, language: Language) -> str:
    if isinstance(value, tuple | list):
        return load_catalogue(language).join.join(_value_words(part, form, language) for part in value)
    if isinstance(value, Reason):
        return reason_words(value, language)
    if isinstance(value, str):
        return load_catalogue(language).words.get(value, value) if form == "word" else value
    if form == "plain":
        return f"{value}"
    if form.startswith("%"):
        return f"{100 * value:.{form[1:] or 0}f} %"
    if form:
        return f"{value:{form[0] if form[0] == '+' else ''},{form.lstrip('+')}f}"
    return f"{value:,.2f}".removesuffix(".00")


def with_words(reason: Reason) -> Reason:
    """The reason with its English words as its text, for programs that only print it."""
    return msgspec.structs.replace(reason, text=reason_words(reason))
