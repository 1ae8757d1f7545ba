"""Does knowing the opponent pay: cells, the plan, what the section says of results."""

from __future__ import annotations

import numpy as np
import pytest

from dupai.experiments._experience import _cells as known
from dupai.experiments._experience._cells import Known, known_cell, known_cells
from dupai.experiments._experience._config import ANOTHER, MODELS, OPPONENTS, OTHER, OWN, RULES, SHIPPED
from dupai.experiments._experience._report import known_section
from support.pulses import Going as Quiet


def test_all_models_meet_an_opponent_on_the_same_deals() -> None:
    cells = known_cells("full", 0)
    assert len({cell.key for cell in cells}) == len(cells)
    for opponent in OPPONENTS:
        assert ANOTHER[opponent] in OPPONENTS
        assert ANOTHER[opponent] != opponent
        seeds = [[c.task.seed for c in cells if (c.task.model, c.task.opponent) == (m, opponent)] for m in MODELS]
        assert all(one == seeds[0] for one in seeds)
        assert len(set(seeds[0])) == len(seeds[0])


def test_a_cell_asks_for_the_network_of_the_right_opponent(monkeypatch, tmp_path) -> None:
    asked = []

    def stopped(opponent, watch):
        asked.append(opponent)

    monkeypatch.setattr(known, "network", stopped)
    assert known_cell(Known(OWN, "style:LA", 2, 1), Quiet()) is None
    assert known_cell(Known(OTHER, "style:LA", 2, 1), Quiet()) is None
    assert asked == ["style:LA", "style:TA"]
    found = known_cell(Known(RULES, "style:TA", 2, 1), Quiet())
    assert found is not None
    assert (found["deals"], found["faults"], found["reduced"][2]) == (2, 0, 2)


def test_section_compares_on_the_same_deals() -> None:
    luck = np.random.default_rng(4).normal(0, 5_000, 12)
    worth = {RULES: 0.0, SHIPPED: -400.0, OTHER: 0.0, OWN: 900.0}
    results = {
        f"{model} | rules #{k}": {
            "deals": 25,
            "plain": [0.0, 100.0, 25],
            "reduced": [worth[model] + luck[k], 100.0, 25],
            "faults": 0,
            "accuracy": 0.9 if model == OWN else None,
            "log_loss": 0.3 if model == OWN else None,
        }
        for model in MODELS
        for k in range(12)
    }
    del results[f"{OWN} | rules #7"]
    section = known_section(results, "full")
    (table,) = section.tables
    rows = {row[1]: row for row in table.rows}
    assert {row[0] for row in table.rows} == {"rules"}
    # The luck of the deals is that of all models, and goes out.
    at = table.columns.index("more than by rules, same deals")
    assert rows[RULES][at] is None
    assert rows[OWN][at].mean == pytest.approx(900)
    assert rows[OWN][at].n == 11
    assert rows[OWN][at].se == pytest.approx(0, abs=1e-6)
    assert rows[OWN][2] == "90.0 % (0.300)"
    assert rows[OWN][3] == "275"
    assert [text.rpartition(": ")[2] for text in section.findings] == ["it pays."] * 3
    assert "+1,300 mbb/hand" in section.findings[1]
    few = known_section({key: found for key, found in results.items() if int(key.rpartition("#")[2]) < 7}, "full")
    assert all(text.endswith("too few (7).") for text in few.findings)
    assert known_section({}, "full").tables == ()
