"""``dupai bench experience``: decisions of the staged tree by street, leaf evaluations, the paper's hash table."""

from __future__ import annotations

import statistics
import time

import numpy as np
import numpy.typing as npt

from dupai.agents import advise, make_agent
from dupai.base import Rng
from dupai.bench._row import Row, interleave, machine_scale
from dupai.cards import CARD_MASK, CARDS, ZobristTable, strengths
from dupai.reading import reader_names
from dupai.rules import Action, GameSpec, HandState, View

_STREETS = ("flop", "turn", "river")
#: Seconds that a decision may take on the reference machine.
_GOALS = {"flop": 1.0, "turn": 0.2, "river": 0.05}
_SPOTS = 6
_HANDS = 100_000


def _views(street: int) -> list[View]:
    """Decisions after a raise and a call: half of them open, half facing a bet of two thirds of the pot."""
    rng = Rng(29, street)
    views: list[View] = []
    while len(views) < _SPOTS:
        state = HandState.deal(GameSpec.no_limit(2), rng)
        for action in (Action.raise_to(300), Action.call()):
            state.apply(action)
        while state.street < street:
            state.apply(Action.call())
        if len(views) % 2:
            state.apply(Action.raise_to(700))
        views.append(state.view(state.actor))
    return views


def _decisions(name: str, spec: str, street: int, goal: float) -> list[Row]:
    views = _views(street)
    advise(make_agent(spec), views[0], Rng(1))
    times, leaves, judged = [], [], []
    for view in views:
        agent = make_agent(spec)
        start = time.perf_counter()
        advice = advise(agent, view, Rng(1))
        times.append(time.perf_counter() - start)
        leaves.append(advice.numbers["leaves"])
        judged.append(advice.numbers["judged"])
    spent = statistics.median(times)
    where = f"{name}, {_STREETS[street - 1]}"
    return [
        Row(name=where, value=1e3 * spent, unit="ms/decision", goal=f"<= {1e3 * goal:.3g}", ok=spent <= goal),
        Row(name=f"{where}: leaf evaluations", value=statistics.median(leaves), unit="leaves/decision"),
        Row(name=f"{where}: hands judged at them", value=statistics.median(judged), unit="hands/decision"),
    ]


def _hash_table() -> Row:
    """Seven cards by the table of 128 MB + 128 MB against our own evaluator."""
    table = ZobristTable(128, 128)
    rng, deck = Rng(3), list(range(CARDS))
    hands: npt.NDArray[np.uint8] = np.empty((_HANDS, 7), np.uint8)
    for row in hands:
        rng.shuffle(deck)
        row[:] = deck[:7]
    masks = CARD_MASK[hands].sum(axis=1, dtype=np.uint64)

    def by_table() -> float:
        start = time.perf_counter()
        table.values(hands)
        return _HANDS / (time.perf_counter() - start)

    def by_own() -> float:
        start = time.perf_counter()
        strengths(masks)
        return _HANDS / (time.perf_counter() - start)

    mine, theirs, ratio = interleave(by_table, by_own)
    return Row(
        name="hash table, seven cards", value=mine, unit="hands/s", peer="our evaluator", peer_value=theirs, ratio=ratio
    )


def rows() -> list[Row]:
    """Times of decisions from view to action, reading included, fresh agents; counts of leaf evaluations."""
    scale = machine_scale()
    measured = [("exp+exp", "exp"), ("exp+exp, own nodes maximising", "exp:own=max")]
    if "cnn" in reader_names():
        measured.append(("exp+cnn", "exp:model=cnn"))
    found = [
        row
        for name, spec in measured
        for street in (1, 2, 3)
        for row in _decisions(name, spec, street, _GOALS[_STREETS[street - 1]] / scale)
    ]
    return [*found, _hash_table()]
