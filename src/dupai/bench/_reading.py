"""``dupai bench reading``: how long the trained reader thinks about all 1326 hands at one decision."""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np

from dupai.base import Rng
from dupai.bench._row import Row, row
from dupai.reading import load_reader
from dupai.rules import Action, GameSpec, HandState, load_game
from dupai.spots import NOTHING, spots

#: Hands measured, and the rows by street: name, street, whether the board is new, ms that are the goal.
_HANDS = 60
_ROWS = (
    ("before the flop", 0, False, 5.0),
    ("first on a flop", 1, True, 25.0),
    ("later on a flop", 1, False, 5.0),
    ("first on a turn", 2, True, 5.0),
    ("later on a turn", 2, False, 5.0),
    ("first on a river", 3, True, 5.0),
    ("later on a river", 3, False, 5.0),
)

#: Game, its name, reader, and whether the reader has learned the players as persons.
_HEADS_UP = GameSpec.no_limit(2, (50, 100), 20_000)
_TABLES = (
    (_HEADS_UP, "heads-up", "model", False),
    (_HEADS_UP, "heads-up, known persons", "model", True),
    (_HEADS_UP, "against DeepStack", "model:population=DeepStack", False),
    (GameSpec.no_limit(6, (50, 100), 20_000), "six players", "model", False),
    (load_game("holdem.limit.3p"), "limit, three players", "model:population=SmooCT", False),
)


def _hands(spec: GameSpec) -> list[HandState]:
    """Hands with a bet on every street that somebody calls, played to the end by at least two."""
    rng = Rng(31, spec.players)
    hands = []
    for number in range(_HANDS):
        state = HandState.deal(spec, rng, hand=number)
        while not state.finished:
            legal = state.legal
            aggressive = rng.below(3) == 0 and legal.max_to and state.pot < 4000
            state.apply(Action.raise_to(min(legal.min_to + state.pot // 2, legal.max_to)) if aggressive
                        else Action.call())  # fmt: skip
        hands.append(state)
    return hands


def _measure(spec: GameSpec, name: str, known: bool) -> tuple[dict[tuple[int, bool], list[float]], list[float]]:
    """Milliseconds of one core for every decision, by street and whether its board is new; and, where persons are
    learned, for every finished hand (of both players, as an observer)."""
    reader: Any = load_reader(name)
    model = reader.model
    times: dict[tuple[int, bool], list[float]] = {}
    lessons: list[float] = []
    names = [f"player {seat}" for seat in range(spec.players)] if known else None
    if names:
        reader.meet(dict(enumerate(names)))
    for k, state in enumerate(_hands(spec)):
        ranges = np.full((spec.players, 1326), 1 / 1326)
        board: tuple[int, ...] | None = None
        for spot in spots(state):
            if spot["did"] == NOTHING:
                continue
            spot.ranges = ranges
            menu = model.menu(spot)
            start = time.process_time()
            factor = model.probs(spot)[:, menu.place(spot)].astype(np.float64)
            product = ranges[spot.position] * factor
            spent = (time.process_time() - start) * 1e3
            new = spot.board != board and spot.street > 0
            board = spot.board
            ranges = ranges.copy()
            ranges[spot.position] = product / product.sum()
            if k >= 3:  # kernels are warm from there on
                times.setdefault((spot.street, new), []).append(spent)
        if names:
            start = time.process_time()
            reader.observe(state.record(names).seen_by(None))
            if k >= 3:
                lessons.append((time.process_time() - start) * 1e3)
    return times, lessons


def rows() -> list[Row]:
    """Median ms of one core a decision: heads-up (strangers, and learned persons with the cost of a finished hand),
    the widest networks (a program's), six players, and the most networks (a limit program's). The filter's product
    counts.

    Processor time: other work on a shared machine does not count. Goals are not scaled by the machine's speed.
    """
    figures = []
    for spec, table, reader, known in _TABLES:
        times, lessons = _measure(spec, reader, known)
        for name, street, new, most in _ROWS:
            value = statistics.median(times[street, new])
            figures.append(row(f"model, {table}, {name}", value, "ms/decision", most=most))
        if lessons:
            figures.append(row(f"model, {table}, a finished hand", statistics.median(lessons), "ms/hand"))
    return figures
