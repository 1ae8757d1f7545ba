"""``dupai bench experience``: decisions of the staged tree by street, leaf evaluations, the paper's hash table."""

from __future__ import annotations

import statistics
import time

import numpy as np

from dupai.agents import advise, make_agent
from dupai.base import Rng
from dupai.base.arrays import U8
from dupai.bench._row import Row, machine_scale, measured, per_second, row
from dupai.cards import CARD_MASK, CARDS, strengths
from dupai.experiments import ZobristTable
from dupai.reading import reader_names
from dupai.rules import Action, GameSpec, HandState, View

#: Streets by number, with the milliseconds that a decision may take on the reference machine.
_STREETS = ((1, "flop", 1000.0), (2, "turn", 200.0), (3, "river", 50.0))
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
    """Median time of a decision with a fresh agent, and the leaf evaluations of it."""
    views = _views(street)
    times, leaves, judged = [], [], []
    for view in (views[0], *views):
        agent = make_agent(spec)
        start = time.perf_counter()
        advice = advise(agent, view, Rng(1))
        times.append(1e3 * (time.perf_counter() - start))
        leaves.append(advice.numbers["leaves"])
        judged.append(advice.numbers["judged"])
    # The first decision may compile kernels.
    return [
        row(name, statistics.median(times[1:]), "ms/decision", most=goal / machine_scale()),
        row(f"{name}: leaf evaluations", statistics.median(leaves[1:]), "leaves/decision"),
        row(f"{name}: hands judged at them", statistics.median(judged[1:]), "hands/decision"),
    ]


def _hash_table() -> Row:
    """Seven cards by the table of 128 MB + 128 MB against our own evaluator."""
    table = ZobristTable(128, 128)
    rng, deck = Rng(3), list(range(CARDS))
    hands: U8 = np.empty((_HANDS, 7), np.uint8)
    for hand in hands:
        rng.shuffle(deck)
        hand[:] = deck[:7]
    masks = CARD_MASK[hands].sum(axis=1, dtype=np.uint64)
    own = ("our evaluator", per_second(lambda: strengths(masks), _HANDS))
    return measured("hash table, seven cards", "hands/s", per_second(lambda: table.values(hands), _HANDS), own)


def rows() -> list[Row]:
    """Times of decisions from view to action, reading included, fresh agents; counts of leaf evaluations."""
    agents = [("exp+exp", "exp"), ("exp+exp, own nodes maximising", "exp:own=max")]
    if "cnn" in reader_names():
        agents.append(("exp+cnn", "exp:model=cnn"))
    figures = [
        figure
        for name, spec in agents
        for street, street_name, goal in _STREETS
        for figure in _decisions(f"{name}, {street_name}", spec, street, goal)
    ]
    return [*figures, _hash_table()]
