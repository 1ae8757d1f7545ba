"""Tables counted from recorded hands: the start table, the hidden Markov model, and what strangers do by bucket.

Every table is counted on hands whose cards are all known. Where only some are known, these were shown, which makes them
another kind of hand. So they are in a source that holds shown hands only, even where all players of a hand showed
theirs: such hands come without cards (:func:`~dupai.training._sources.without_cards`). Players that only exploit others
are left out: they are no natural opponents.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dupai.base.arrays import F64
from dupai.base.files import open_whole
from dupai.cards import NO_CARD, combo
from dupai.equity import win_rate
from dupai.reading import HAND_CLASSES, MARKOV_SYMBOLS, Markov, StartTable, hand_classes, populations, symbols_of
from dupai.reading.bucket import FACINGS, PRICED, STRENGTH_GROUPS, facing_of, hand_buckets, is_counted
from dupai.rules import BOARD_CARDS, HandRecord
from dupai.spots import DID_BET, DID_FOLD, spot_rows, spots

_CLASSES = len(HAND_CLASSES)
#: Classes of a hand before the flop: unpaired or paired, low or high.
_PREFLOP_CLASSES = 4
#: Counts added to every transition and emission that can occur.
_SMOOTH = 0.5
_FOLD, _AGAIN = MARKOV_SYMBOLS.index("fold"), MARKOV_SYMBOLS.index("again")
_classes = lru_cache(maxsize=2000)(hand_classes)


class Sequence4(NamedTuple):
    """One player's hand: the symbol of each street reached, and the hand class there (empty where the cards are
    unknown)."""

    symbols: tuple[int, ...]
    classes: tuple[int, ...] = ()


def markov_sequences(record: HandRecord) -> list[Sequence4]:
    """Every player of a record, over the streets that they reached; a fold is on the last of these.

    Left out is the program that only exploits others: it is no natural opponent. Where cards of players dealt in are
    not known, the known ones were shown, which is another sort of hands: nobody's classes are told then."""
    rows = spot_rows(record)
    all_known = not any(NO_CARD in two for two in record.hole)
    reached = [n for n in range(4) if len(record.board) >= BOARD_CARDS[n]]
    sequences = []
    for position, two in enumerate(record.hole):
        if record.names and populations.exploits(record.names[position], record.spec):
            continue
        seen = symbols_of(rows, position, len(reached))
        if _FOLD in seen:
            seen = seen[: seen.index(_FOLD) + 1]
        classes: tuple[int, ...] = ()
        if all_known:
            hand = combo(*two)
            classes = tuple(int(_classes(record.board[: BOARD_CARDS[k]])[hand]) for k in range(len(seen)))
        sequences.append(Sequence4(seen, classes))
    return sequences


def _no_counts() -> tuple[F64, F64, F64]:
    """What a model counts: starts, steps from street to street, and symbols."""
    size = _CLASSES
    return np.zeros(size), np.zeros((3, size, size)), np.zeros((4, size, len(MARKOV_SYMBOLS)))


def _made(start: F64, step: F64, emit: F64) -> Markov:
    """Tables from counts, smoothed where something can happen at all."""
    start, step, emit = start.copy(), step.copy(), emit.copy()
    start[:_PREFLOP_CLASSES] += _SMOOTH
    step[0, :_PREFLOP_CLASSES] += _SMOOTH
    step[1:] += _SMOOTH
    step[0, _PREFLOP_CLASSES:] = 1.0  # never met
    emit += _SMOOTH
    emit[1:, :, _AGAIN] = 0.0
    return Markov(start / start.sum(), step / step.sum(axis=2, keepdims=True), emit / emit.sum(axis=2, keepdims=True))


def learn_markov(sequences: Iterable[Sequence4], rounds: int = 0) -> Markov:
    """Count the sequences with known classes; ``rounds`` of Baum-Welch add what the others say."""
    start, step, emit = _no_counts()
    hidden: Counter[tuple[int, ...]] = Counter()
    for symbols, classes in sequences:
        if not classes:
            hidden[symbols] += 1
            continue
        start[classes[0]] += 1
        for k, (c, seen) in enumerate(zip(classes, symbols, strict=True)):
            emit[k, c, seen] += 1
            if k:
                step[k - 1, classes[k - 1], c] += 1
    model = _made(start, step, emit)
    for _ in range(rounds if hidden else 0):
        model = _made(*(a + b for a, b in zip((start, step, emit), expected_counts(model, hidden), strict=True)))
    return model


def expected_counts(model: Markov, hidden: Mapping[tuple[int, ...], int]) -> tuple[F64, F64, F64]:
    """The E step of Baum-Welch: what sequences of symbols (with how often each was seen) are expected to count."""
    start, step, emit = _no_counts()
    for symbols, times in hidden.items():
        n = len(symbols)
        ahead, back = np.zeros((n, _CLASSES)), np.ones((n, _CLASSES))
        ahead[0] = model.start * model.emit[0, :, symbols[0]]
        for k in range(1, n):
            ahead[k] = ahead[k - 1] @ model.step[k - 1] * model.emit[k, :, symbols[k]]
        for k in range(n - 2, -1, -1):
            back[k] = model.step[k] @ (model.emit[k + 1, :, symbols[k + 1]] * back[k + 1])
        total = ahead[-1].sum()
        for k in range(n):
            here = times * ahead[k] * back[k] / total
            emit[k, :, symbols[k]] += here
            if k == 0:
                start += here
            else:
                pair = ahead[k - 1][:, None] * model.step[k - 1] * (model.emit[k, :, symbols[k]] * back[k])
                step[k - 1] += times * pair / total
    return start, step, emit


def save_markov(models: Mapping[str, Markov], path: str | os.PathLike[str]) -> None:
    """Write tables by kind of game, whole or not at all.

    Raises:
        FileError: the file cannot be written.
    """
    arrays = {f"{kind} {name}": getattr(model, name) for kind, model in models.items() for name in Markov._fields}
    with open_whole(path, "wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def learn_start_table(
    records: Iterable[HandRecord], table: StartTable | None = None, *, shown_only: bool = False
) -> tuple[StartTable, int]:
    """Count records; the table and the number of known hands that these added to it.

    Args:
        records: the hands.
        table: counts to add to; None: none yet.
        shown_only: the records are of a source of which only shown hands are known.
    """
    table = StartTable() if table is None else table
    return table, sum(table.add(record, shown_only=shown_only) for record in records)


def count_population(records: Iterable[HandRecord]) -> tuple[F64, int]:
    """``float64[4, 7, 9, 3]``: how often players with known cards folded, called and raised, by street, what they faced
    (from :data:`PRICED` on) and bucket; and how many hands there were. Only hands of no-limit games in which all cards
    are known: shown ones are another sort of hands. Left out is the program that only exploits others."""
    counts, hands = np.zeros((4, FACINGS - PRICED, STRENGTH_GROUPS, 3)), 0
    groups = hand_buckets((), STRENGTH_GROUPS)
    for record in records:
        if record.spec.betting == "limit" or any(NO_CARD in two for two in record.hole):
            continue
        hands += 1
        exploits = [populations.exploits(name, record.spec) for name in record.names or ()]
        for spot in spots(record):
            if not is_counted(spot) or (exploits and exploits[spot.position]):
                continue
            hole = record.hole[spot.position]
            if spot.street == 0:
                bucket = int(groups[combo(*hole)])
            else:
                bucket = min(int(win_rate(hole, spot.board) * STRENGTH_GROUPS), STRENGTH_GROUPS - 1)
            done = _column(spot["did"], spot["to_call"] > 0)
            counts[spot.street, facing_of(spot) - PRICED, bucket, done] += 1
    return counts, hands


def _column(did: int, facing_bet: bool) -> int:
    """0 fold, 1 check or call, 2 bet or raise; a fold with nothing to call counts as a check."""
    return 2 if did >= DID_BET else int(did != DID_FOLD or not facing_bet)


def save_population(counts: F64, path: str | os.PathLike[str]) -> None:
    """Write counts, whole or not at all.

    Raises:
        FileError: the file cannot be written.
    """
    with open_whole(path, "wb") as file:
        np.savez_compressed(file, counts=counts.astype(np.uint32))
