"""What formats of other programs say of a hand: its decisions, its money and when it began."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, time, timedelta

from dupai.base import NotationError
from dupai.base.text import readable
from dupai.rules import GameSpec, HandRecord, Step, steps_of

#: When hands without a date are said to begin, each a second after the one before.
_FIRST_HAND = datetime(2000, 1, 1)


def marked_steps(record: HandRecord) -> Iterator[tuple[Step, bool]]:
    """The steps of a record, and of each whether it is the check that only the ACPC dealer asks for: that of the last
    player who can act when there is nothing left to decide.

    Raises:
        RulesError: the record does not replay.
    """
    able = set(range(record.spec.players))
    for step in steps_of(record):
        yield step, step.kind == "check" and len(able) < 2
        if step.kind == "fold" or step.all_in:
            able.discard(step.position)


def decided_steps(record: HandRecord) -> list[Step]:
    """The steps of a record without checks that only the ACPC dealer asks for.

    Raises:
        RulesError: the record does not replay.
    """
    return [step for step, idle in marked_steps(record) if not idle]


def record_money(record: HandRecord) -> tuple[tuple[int, ...], tuple[int, int], int]:
    """What each player collects, the bet that nobody called (position and chips), and the pot without it, in chips.

    Raises:
        NotationError: a payoff has a fraction of a chip.
    """
    split, state = record.spec.split, record.at()
    if any(p % split for p in record.payoffs):
        raise NotationError(f"hand {record.hand}: a payoff has a fraction of a chip, which this format cannot hold")
    put = [a + b for a, b in zip(state.contributions, state.antes, strict=True)]
    position, back = state.uncalled
    won = [p // split + c - back * (i == position) for i, (p, c) in enumerate(zip(record.payoffs, put, strict=True))]
    return tuple(won), (position, back), sum(put) - back


def big_blind(spec: GameSpec) -> int:
    """The big blind of a game, in which straddles are larger blinds."""
    small, big = spec.blinds[:2]
    return big if spec.players > 2 and small <= big else spec.big_blind


def posts_of(spec: GameSpec) -> tuple[list[str], list[int]]:
    """By position the kind of its blind (``small``, ``big``, ``extra`` after these, ``straddle``), and the chips of its
    ante that are a dead blind: those beyond the ante of all, but for an ante that the big blind posts."""
    big = big_blind(spec)
    at = 1 if spec.players > 2 and spec.blinds[1] == big else spec.blinds.index(big)
    kinds = ["straddle" if b > big else "small" if b < big or p < at else "extra" for p, b in enumerate(spec.blinds)]
    kinds[at] = "big"
    return kinds, [(p != at) * (ante - min(spec.antes)) for p, ante in enumerate(spec.antes)]


def about_text(record: HandRecord, field: str, default: str = "") -> str:
    """A field of ``record.about`` that is text."""
    value = dict(record.about).get(field, "")
    return str(json.loads(value)) if value.startswith('"') else default


def in_cents(record: HandRecord) -> bool:
    """Whether the record's chips are cents of a currency."""
    return about_text(record, "_unit") == "cent"


def start_time(record: HandRecord) -> datetime:
    """When the hand began; of hands without a date one second after another, by their numbers."""
    about = dict(record.about)
    date = [about.get(field, "") for field in ("year", "month", "day")]
    if not all(map(str.isdecimal, date)):
        return _FIRST_HAND + timedelta(seconds=record.hand % 10**9)
    clock = about.get("time", "").partition(".")[0]
    year, month, day = map(int, date)
    at = time.fromisoformat(clock) if readable(time.fromisoformat, clock) else time()
    return datetime(year, month, day, at.hour, at.minute, at.second)
