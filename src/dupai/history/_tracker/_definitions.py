"""The statistics of a player, read from ``definitions.toml``: a new statistic is a table there.

Sources: see that file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from dupai.base import ConfigError
from dupai.base.text import closest, nearest
from dupai.history._tracker import _facts as facts

_STREETS = {1: "flop", 2: "turn", 3: "river"}


class Definition(msgspec.Struct, frozen=True):
    """One statistic.

    Attributes:
        name: As it is asked for: ``"cbet-flop"``.
        title: As it is printed.
        opportunity: When it is counted at all, in words.
        success: When it counts as done, in words.
        source: Whose definition it is.
        need: Facts (bits) that must all hold for an opportunity.
        success_any: An opportunity at which one of these facts holds is a success.
        any: At least one of these must hold for an opportunity (0: no such condition).
        avoid: None of these may hold for an opportunity.
        unit: ``"decision"`` (facts of decisions) or ``"hand"`` (facts of a player's hand).
        each: Every such decision counts; else only the first of a street.
        factor: Printed as successes per failure (aggression *factor*), not per opportunity.
        family: Name that rows of several streets share (``"cbet"``); ``street`` is then 1..3, or None for all streets.
    """

    name: str
    title: str
    opportunity: str
    success: str
    source: str
    need: int
    success_any: int
    any: int = 0
    avoid: int = 0
    unit: str = "decision"
    each: bool = False
    factor: bool = False
    family: str = ""
    street: int | None = None


def _definitions(rows: list[dict[str, Any]]) -> Iterator[Definition]:
    for row in rows:
        fields = {"source": "PokerTracker, Hold'em Manager", "need": "", "success_any": row.pop("done"), **row}
        by_street = fields.pop("by_street", False)
        for key in {"need", "any", "avoid", "success_any"} & fields.keys():
            fields[key] = sum(getattr(facts, name) for name in fields[key].split())
        if not by_street:
            yield Definition(**fields)
            continue
        name, title, need = fields["name"], fields["title"], fields["need"]
        yield Definition(**fields | {"family": name, "need": need | facts.POSTFLOP})
        for street, word in _STREETS.items():
            yield Definition(
                **fields
                | {
                    "name": f"{name}-{word}",
                    "title": f"{title}, {word}",
                    "opportunity": f"on the {word}: {fields['opportunity']}",
                    "need": need | getattr(facts, word.upper()),
                    "family": name,
                    "street": street,
                }
            )


#: All statistics, in the order in which they are printed.
DEFINITIONS = tuple(
    _definitions(tomllib.loads(Path(__file__).with_name("definitions.toml").read_text(encoding="utf-8"))["statistic"])
)
NAMES: tuple[str, ...] = tuple(d.name for d in DEFINITIONS)
INDEX: dict[str, int] = {name: i for i, name in enumerate(NAMES)}
if len(DEFINITIONS) > 62:
    raise AssertionError("the kernel keeps one bit for each statistic: at most 62")

#: Bits of column 4 of :data:`MASKS`.
HAND_UNIT, EACH = 1, 2
#: The statistics as the kernel takes them, ``int64[statistics, 5]``: need, any, avoid, success, flags.
MASKS = np.array(
    [(d.need, d.any, d.avoid, d.success_any, HAND_UNIT * (d.unit == "hand") | EACH * d.each) for d in DEFINITIONS],
    np.int64,
)
MASKS.flags.writeable = False


def definition(name: str) -> Definition:
    """The statistic of that name.

    Raises:
        ConfigError: there is none; suggests the nearest.
    """
    if name in INDEX:
        return DEFINITIONS[INDEX[name]]
    titles = {d.title: d.name for d in DEFINITIONS}
    near = closest(name, [*NAMES, *titles])
    hint = nearest(titles.get(near or "", name), NAMES)
    raise ConfigError(f"{name!r} is not a statistic: {hint}", key="statistic", text=name)
