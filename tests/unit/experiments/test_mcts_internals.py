"""``dupai reproduce mcts`` on a few hands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dupai.base import Estimate
from dupai.experiments import load_paper, run_paper
from dupai.experiments._mcts import _config as mcts, _factorial as factorial
from dupai.experiments._mcts._cells import MatchTask, match_cell
from support.pulses import Going


def test_the_whole_paper_on_a_few_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(mcts.SCALES, "quick", mcts.Scale(10, 12, 2, 4, 1))
    monkeypatch.setitem(mcts.STEPS, "quick", ((5, 6), (10, 6)))
    monkeypatch.setitem(mcts.BLOCKS, "quick", ((5, 10), 6, 4))
    monkeypatch.setitem(mcts.OPPONENTS, "quick", ("fixed",))
    monkeypatch.setitem(mcts.VERSION_HANDS, "quick", 4)
    monkeypatch.setitem(factorial.OPPONENTS, "quick", ("fixed",))
    monkeypatch.setitem(factorial.BLOCK, "quick", 2)
    monkeypatch.setitem(factorial.READ, "quick", 4)
    monkeypatch.setattr(mcts, "points", lambda size: (100, 1_000, 10_000, 100_000))
    result = run_paper(load_paper("mcts"), tmp_path)
    assert not result.partial
    parts = {part.name: part.section for part in result.parts}
    assert [row.paper for row in parts["table"].rows] == ["+2.4", "+4.6", "+0.67", None, None, None, None]
    assert all("mcts:" in row.label for row in parts["table"].rows)
    # Two matches of twelve deals, each in both seatings.
    assert {row.hands for row in parts["table"].rows} == {48}
    assert {row.hands for row in parts["three"].rows} == {12}
    assert all(isinstance(row.ours, Estimate) for row in parts["table"].rows)
    assert len(parts["versions"].tables[0].rows) == 5
    gains, programs, readings = parts["factorial"].tables
    assert (len(gains.rows), len(programs.rows), len(readings.rows)) == (8, 24, 1)
    assert [row[0] for row in parts["simulations"].tables[0].rows] == ["5", "10"]
    blocks = parts["simulations"].tables[1].rows
    assert [(row[0], row[3], row[6]) for row in blocks] == [("5", 6, 6), ("10", 6, 6)]
    assert blocks[0][2] is None
    assert blocks[1][2].mean == pytest.approx(blocks[1][1].mean - blocks[0][1].mean)
    errors = {row[0]: [float(x) for x in row[1:]] for row in parts["convergence"].tables[0].rows}
    for row in errors.values():
        assert row[-1] < 0.4 * row[0]
    page = (tmp_path / "report.html").read_text()
    assert page.count("<svg") == 3


def test_matches_are_duplicate_and_zero_sum() -> None:
    task = MatchTask(("fixed", "fixed"), 20, 3)
    found = match_cell(task, Going())
    assert found is not None
    assert len(found["won"]) == 20
    assert found["faults"] == 0
    assert match_cell(task, Going())["won"] == found["won"]
    # Callers win nothing from each other when every deal is played in both seatings.
    assert match_cell(MatchTask(("caller", "caller"), 20, 3), Going())["won"] == [0.0] * 20
    assert match_cell(task, Going(0)) is None


def test_blocks_of_agents_that_do_not_learn_are_the_match() -> None:
    agents = ("fixed", "style:paper-TA")
    whole = match_cell(MatchTask(agents, 12, 3), Going())
    blocks = [match_cell(MatchTask(agents, 12, 3, start=a, stop=a + 6), Going()) for a in (0, 6)]
    assert whole is not None
    assert [w for b in blocks if b is not None for w in b["won"]] == whole["won"]


def test_the_factorial_is_complete_and_its_gains_are_on_equal_deals() -> None:
    specs = factorial.programs()
    assert len(set(specs.values())) == len(specs) == 24
    plan = [c for c in factorial.cells("quick", 0) if c.work is match_cell]
    assert len({c.task.seed for c in plan}) == 1
    # Against "fixed" the model is worth 1 and the play-outs by rules 2; a block that not all have played is left out.
    results: dict[str, Any] = {}
    for levels in specs:
        won = 1.0 * (levels[0] == "nodes") + 2.0 * (levels[1] == "few rules")
        key = f"{' | '.join(levels)} | fixed #"
        results[key + "0"] = {"won": [won, won + 1]}
        if levels[0] == "nodes":
            results[key + "1"] = {"won": [100.0, 100.0]}
    results["read fixed"] = {"bits": [0.1, -0.1]}
    won_by = factorial.by_pairing(results)
    assert factorial.gain(won_by, "fixed", "model", "nodes", "none") == (1.0, 0.0, 2)
    assert factorial.gain(won_by, "fixed", "model", "leaf", "none").mean == 0.0
    assert factorial.gain(won_by, "fixed", "play-out", "few rules", "random", model="leaf") == (2.0, 0.0, 2)
    assert factorial.section(results, "quick").tables[0].rows[0][1].mean == 0.0


def test_pairs_that_show_the_printed_figures() -> None:
    deals = np.array([-1.0, 1.0] * 200)
    values = {levels: {"none": 2.4, "leaf": 9.0, "nodes": 4.6}[levels[0]] + 9.0 * (levels[1] == "few rules")
              for levels in factorial.programs()}  # fmt: skip
    won = {(levels, "fixed:split=0.75"): deals + value for levels, value in values.items()}
    (pairs,) = factorial.printed_pairs(won).values()
    assert (len(pairs.without), len(pairs.with_one), len(pairs.alike)) == (4, 4, 4)


def test_a_policy_that_ignores_its_cards_cannot_be_read() -> None:
    player = factorial.programs()["leaf", "random", "UCT", "cards"].replace("simulations=100", "simulations=10")
    bits = {}
    for other in ("fixed", "style:paper-TA"):
        task = factorial.ReadTask(player, other, 150, 3)
        result = factorial.read_cell(task, Going())
        assert result is not None
        bits[other] = sum(result["bits"]) / len(result["bits"])
    assert bits["fixed"] < 0.2
    assert bits["style:paper-TA"] > 0.4
    assert factorial.read_cell(task, Going(0)) is None
