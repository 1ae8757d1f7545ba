"""Personas play like the players that they stand for: hands dealt beside the recorded ones."""

from __future__ import annotations

import numpy as np
import pytest

from dupai.agents import make_agent
from dupai.base import Rng
from dupai.base.arrays import F64, I64, AnyArray
from dupai.playouts import Player, persona_habits, play_hands
from dupai.rules import GameSpec, HandState
from dupai.spots import DID_BET, DID_CALL, DID_RAISE, spot_rows
from support.shared_data import shared_data
from tools.personas import TABLES, count, dealt, group_names, lines_of, records_of

pytestmark = pytest.mark.slow

#: How far a persona may be from its group, in points of a percentage, with 2,000 hands.
CLOSE = {"VPIP": 2.5, "PFR": 2.5, "3-bet": 2.5, "C-bet flop": 8.0, "Went to showdown": 5.0, "Aggression frequency": 4.0}


@pytest.mark.parametrize("table", TABLES)
def test_frequencies_are_near_those_counted(table: str) -> None:
    for name in TABLES[table].files:
        shared_data(name)
    folder = shared_data()
    records = records_of(str(folder), table)
    # Of the whole log: its sections were played by different people.
    records = records[:: len(records) // 4000]
    real = count(records, [group_names(r, table) for r in records])
    (mine,) = dealt(str(folder), table, 20_000, persona_habits(), 77, 20_000)
    for name in TABLES[table].names:
        lines = {line.name: line for line in lines_of([real[name]], [mine[name]])}
        for statistic, most in CLOSE.items():
            line = lines[statistic]
            noise = 250 / np.sqrt(max(min(line.real[2], line.mine[2]), 1))
            assert abs(line.real[0] - line.mine[0]) < most + noise, (name, line)


def test_played_side_by_side_they_act_as_the_agents_do() -> None:
    """VPIP and PFR by position, and who comes to act after the flop: play-outs beside agents, hand by hand."""
    spec, hands, many = GameSpec.no_limit(6, (50, 100), 10_000), 4_000, 60_000
    agent, rng = make_agent("persona:pluribus"), Rng(5)
    parts = []
    for hand in range(hands):
        state = HandState.deal(spec, Rng(5, 0, hand, 0))
        while state.actor >= 0:
            state.apply(agent.act(state.view(state.actor), rng))
        parts.append(spot_rows(state))
    played = play_hands(spec, [Player("Pluribus", persona_habits()["pluribus"])] * 6, many, seed=6)
    ours = _shares(played.rows, np.diff(played.first))
    naive = _shares(np.concatenate(parts), np.array([len(rows) for rows in parts]))
    assert ours.shape == (3, 6) and ours.min() > 0.05
    error = np.sqrt(ours * (1 - ours) * (1 / hands + 1 / many))
    assert (abs(ours - naive) < 4 * error).all(), (ours - naive) / error


def _shares(rows: AnyArray, decisions: I64) -> F64:
    """``float64[3, 6]``: by position the share of hands with chips put in by choice, with a raise before the flop, and
    with a decision after it; ``decisions`` by hand."""
    hand = np.repeat(np.arange(len(decisions)), decisions)
    before, did = rows["street"] == 0, rows["did"]
    hits = (before & np.isin(did, (DID_CALL, DID_BET, DID_RAISE)), before & np.isin(did, (DID_BET, DID_RAISE)), ~before)
    # Each position once a hand.
    places = [np.unique(6 * hand[hit] + rows["position"][hit]) % 6 for hit in hits]
    return np.array([np.bincount(place, minlength=6) / len(decisions) for place in places])
