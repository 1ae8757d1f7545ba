"""Chip amounts as logs write them: decimal numbers of at most six places, kept as whole multiples of 1/split chip."""

from __future__ import annotations

import re

from dupai.base import NotationError

_NUMBER = re.compile(r"(-?)([0-9]{1,15})(?:\.([0-9]{1,9}))?\Z")


def parse_chips(text: str, split: int = 2520) -> int:
    """The amount ``text`` in units of ``1/split`` chip: ``parse_chips("-2.5") == -6300``.

    Raises:
        NotationError: ``text`` is not a decimal number, or no multiple of ``1/split`` prints as it.
    """
    match = _NUMBER.match(text)
    if match is None:
        raise NotationError(f"{text!r} is not an amount of chips: expected a number such as '-150' or '2.5'")
    sign, whole, fraction = match.groups()
    units = int(whole) * split
    if fraction:
        scale = 10 ** len(fraction)
        part = (2 * int(fraction) * split + scale) // (2 * scale)
        # What `%.6f` prints of a multiple lies within half of its last place, and large doubles add to that.
        if abs(part * scale - int(fraction) * split) * 1_000_000 >= split * scale:
            near = format_chips(-(units + part) if sign else units + part, split)
            unit = "a whole number of chips" if split == 1 else f"a multiple of 1/{split} chip"
            raise NotationError(f"{text!r} is not {unit}: the nearest is {near!r}")
        units += part
    return -units if sign else units


def format_chips(units: int, split: int = 2520) -> str:
    """An amount in units of ``1/split`` chip as the ACPC dealer prints it: ``%.6f`` without trailing zeros."""
    if units % split == 0:
        return str(units // split)
    return f"{units / split:.6f}".rstrip("0").rstrip(".")


def quote(text: str) -> str:
    """A line of text in quotes, for messages: at most 60 characters of it."""
    return repr(text if len(text) <= 60 else text[:57] + "...")
