"""Which recorded hands train a reader, which choose it and which judge it: the same answer everywhere and for ever.

Hands are never split one by one (`specs/reading-metric.md`, section 5): hands of one person, match or session are not
independent, and a model with enough features recognises whom it has seen.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from dupai.rules import HandRecord

Part = Literal["train", "validation", "test"]

#: The parts, in the order of :func:`part_of`'s thresholds.
PARTS: tuple[Part, ...] = ("train", "validation", "test")
#: Of 10,000 values of the hash, those below the first are validation, those below the second test, the rest train.
_VALIDATION, _TEST = 1000, 3000
#: Chosen for parts of even size where units are few (numbers of hands alone, before any model was trained).
_SALT = b"dupai 616"
#: Hands of a block where a log names neither persons nor matches nor sessions.
BLOCK = 100
#: The card seed that ends a match's name: ``_r3`` and ``_s3`` (in front of a file number, where there is one) are the
#: same cards with the seats exchanged, whatever settings the name begins with.
_SEED = re.compile(r"_[rs](\d+)(?:_\S*)?\Z")
#: Endings of formats and of compression behind at least one other character.
_SUFFIXES = re.compile(r"(?<=.)(?:\.(?:xz|gz|log|phhs|phh|txt))+\Z")


def part_of(key: str) -> Part:
    """The part that a unit of hands belongs to, by a hash of its key: about 70 % train, 10 % validation, 20 % test."""
    value = int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8, key=_SALT).digest(), "big") % 10_000
    return "validation" if value < _VALIDATION else "test" if value < _TEST else "train"


def source_name(path: str | Path) -> str:
    """The name that a file's units go by: its file name without the endings of formats and of compression."""
    return _SUFFIXES.sub("", Path(path).name)


def split_key(record: HandRecord, source: str, number: int) -> str:
    """The unit that a hand is split by.

    A section's person (``# player Pro07``); a match with its card-swapped twin and all others of the same card seed;
    a section's session; the ``_session`` field of a PHH table; else a block of 100 hands.

    Card-swapped twins stay together only as sections of one file whose names end in the card seed. Of twins in files of
    their own, or without sections, the same deals may be in different parts.

    Args:
        record: The hand.
        source: :func:`source_name` of its file (or the name of a set): sessions are numbered anew in each.
        number: Which hand of the file it is, from 0 (used for blocks only).
    """
    word, _, rest = record.section.partition(" ")
    if word == "match":
        seed = _SEED.search(rest)
        return f"{source} match {seed[1] if seed else rest}"
    if word in ("player", "session"):
        return f"{source} {record.section}"
    for name, text in record.about:
        if name == "_session":
            return f"{source} session {text}"
    return f"{source} hands {number // BLOCK}"


def split_keys(records: Iterable[HandRecord], source: str) -> Iterator[tuple[str, HandRecord]]:
    """Every hand of a file, in its order, with its :func:`split_key`."""
    for number, record in enumerate(records):
        yield split_key(record, source, number), record
