"""Random hands as records and as log lines."""

from __future__ import annotations

import msgspec

from dupai.base import Rng
from dupai.notation.acpc import format_acpc
from dupai.rules import HandRecord, HandState
from naive.rules_random import random_action, random_spec, random_stacks

#: Fields of a PHH file in every form of TOML.
ABOUT = (
    *(("venue", '"Café \\"7\\""'), ("day", "30"), ("month", "7"), ("year", "2021"), ("_time", '"9:15:40"')),
    *(("at", "09:15:40"), ("pi", "3.10"), ("table", '"T 1"'), ("_unit", '"cent"'), ("list", '["a", 1]')),
    *(("odd key", "true"), ("inline", '{a = 1, "b c" = "d"}'), ("empty", "{}")),
)


def random_record(spec, rng, *, hand=0, stacks=None, seats=None, names=None, section=""):
    """A random hand played to its end."""
    state = HandState.deal(spec, rng, stacks=stacks, seats=seats, hand=hand)
    while not state.finished:
        legal = state.legal
        state.apply(random_action(rng, (legal.fold, legal.to_call, legal.min_to, legal.max_to)))
    return state.record(names or [f"P{i}" for i in state.seats], section=section)


def random_log(spec, rng, hands, *, names=None):
    """STATE lines of random hands, the seats rotating as the dealer's do."""
    n = spec.players
    names = names or [f"Player{i}" for i in range(n)]
    lines = []
    for hand in range(hands):
        seats = tuple((p + hand) % n for p in range(n))
        record = random_record(spec, rng, hand=hand, seats=seats, names=[names[s] for s in seats])
        lines.append(format_acpc(record))
    return lines


def random_records(seed, hands):
    """Random hands of every structure, number of players and rule, with their own stacks."""
    rng = Rng(seed)
    records = []
    for k in range(hands):
        spec = random_spec(rng)
        stacks = random_stacks(rng, spec) if rng.below(2) else None
        n = spec.players
        names = [f"P{(p + k) % n}" for p in range(n)]
        record = random_record(spec, rng, hand=k, stacks=stacks, names=names)
        records.append(raked(record, 20) if k % 4 == 0 else record)
    return records


def raked(record, part):
    """The record with a part of the largest win taken by the house."""
    most = max(record.payoffs)
    payoffs = list(record.payoffs)
    payoffs[payoffs.index(most)] -= most // part
    return msgspec.structs.replace(record, payoffs=tuple(payoffs), rake=most // part)


def casino_records(seed: int, count: int) -> list[HandRecord]:
    """Random casino and ACPC hands with everything a PHH file can say: unknown and mucked cards, a hero, a rake."""
    rng = Rng(seed)
    out: list[HandRecord] = []
    while len(out) < count:
        spec = random_spec(rng)
        if spec.betting == "pot-limit":
            continue
        seats = list(range(spec.players))
        rng.shuffle(seats)
        names = [f"P{s}é|'" for s in seats]
        record = random_record(
            spec, rng, hand=len(out), stacks=random_stacks(rng, spec), seats=tuple(seats), names=names
        )
        out.append(partly_known(record, rng))
    return out


def partly_known(record: HandRecord, rng: Rng) -> HandRecord:
    n = record.spec.players
    hero = rng.below(n + 1)
    shown = tuple(s and (rng.below(4) > 0 or p == 0) for p, s in enumerate(record.shown))
    hole = tuple(
        two if s or p == hero else (255, 255) for p, (two, s) in enumerate(zip(record.hole, shown, strict=True))
    )
    mucked = tuple(
        two if h == (255, 255) and rng.below(3) == 0 else (255, 255) for two, h in zip(record.hole, hole, strict=True)
    )
    record = msgspec.structs.replace(
        record,
        hole=hole,
        shown=shown,
        hero=hero if hero < n else None,
        mucked=mucked if any(c != 255 for two in mucked for c in two) else (),
        about=ABOUT,
    )
    if max(record.payoffs) >= record.spec.split and not rng.below(3):
        payoffs = list(record.payoffs)
        payoffs[payoffs.index(max(payoffs))] -= record.spec.split
        record = msgspec.structs.replace(record, payoffs=tuple(payoffs), rake=record.spec.split)
    return record
