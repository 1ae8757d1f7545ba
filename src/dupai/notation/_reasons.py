"""Reasons as data: what an agent says of a decision, as a code with values. The words come from a catalogue."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class Reason(msgspec.Struct, frozen=True, omit_defaults=True):
    """One statement about a decision, an action or a hand.

    Attributes:
        code: what is said: an entry of the catalogue, as ``pot_odds``. Other packages may use codes of their own.
        values: the numbers, words and further reasons that the entry's text has places for.
        text: plain English for a code that the catalogue does not know; "" for ours.
    """

    code: str
    values: Mapping[str, int | float | str | tuple[Reason, ...]] = msgspec.field(default_factory=dict)
    text: str = ""
