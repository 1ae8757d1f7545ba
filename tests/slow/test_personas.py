"""Personas play like the players that they stand for: hands dealt beside the recorded ones."""

from __future__ import annotations

import numpy as np
import pytest

from dupai.agents.persona import Persona
from support.shared_data import shared_data
from tools.personas import PERSONA, TABLES, count, dealt, group_names, lines_of, records_of

pytestmark = pytest.mark.slow

#: How far a persona may be from its group, in points of a percentage, with 2,000 hands.
CLOSE = {"VPIP": 2.5, "PFR": 2.5, "3-bet": 2.5, "C-bet flop": 8.0, "Went to showdown": 5.0, "Aggression frequency": 4.0}


@pytest.mark.parametrize("table", TABLES)
def test_frequencies_are_near_those_counted(table: str) -> None:
    for name in TABLES[table].files:
        shared_data(name)
    folder = shared_data()
    records = records_of(str(folder), table)[:4000]
    personas = {name: Persona(PERSONA[name]) for name in TABLES[table].names}
    real = count(records, [group_names(r, table) for r in records])
    mine = dealt(str(folder), table, 500_000, 2000, personas, 77)
    for name in TABLES[table].names:
        lines = {line.name: line for line in lines_of([real[name]], [mine[name]])}
        for statistic, most in CLOSE.items():
            line = lines[statistic]
            noise = 250 / np.sqrt(max(min(line.real[2], line.mine[2]), 1))
            assert abs(line.real[0] - line.mine[0]) < most + noise, (name, line)
