"""The part `cnn` of the paper *experience*: its cells, and what it says of their results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from dupai.experiments import load_paper
from dupai.experiments._experience._cells import cnn_cells, cnn_needs as needs
from dupai.experiments._experience._config import ABLATION, ABLATION_STEPS, NETWORKS, SMALL, TUTORIAL
from dupai.experiments._experience._printed import ACCURACY as TABLE
from dupai.experiments._experience._report import cnn_section
from dupai.reading.cnn import load_cnn
from dupai.training import StepScore


def _score(information: str, batch: int, steps: int, accuracy: float, network: str = SMALL) -> dict[str, Any]:
    made: dict[str, Any] = msgspec.to_builtins(
        StepScore(
            information=information, batch=batch, steps=steps, paper_accuracy=accuracy, paper_samples=10 * batch,
            accuracy=accuracy, accuracy_se=0.002, log_loss=0.5, log_loss_se=0.01, ece=0.03, decisions=40_000,
            streets=dict.fromkeys(("preflop", "flop", "turn", "river"), (accuracy, 0.5, 10000)),
        )
    )  # fmt: skip
    return made | {"network": network}


def test_cells_cover_the_papers_table() -> None:
    quick, full = cnn_cells("quick", 0), cnn_cells("full", 0)
    assert len({c.key for c in full}) == len(full) > len(quick)
    literal = [c for c in full if c.key != "shipped" and c.task.information == "literal"]
    for network in NETWORKS:
        marks = {(steps, c.task.batch) for c in literal for steps in c.task.marks if c.task.network == network}
        assert marks == set(TABLE)
    for size, cells in (("quick", quick), ("full", full)):
        steps, batch = ABLATION_STEPS[size]
        leaks = [c.task for c in cells if c.key != "shipped" and (c.task.marks, c.task.batch) == ((steps,), batch)]
        assert {task.information for task in leaks if task.network == SMALL} == set(ABLATION)


def test_section_puts_literal_beside_the_paper_and_honest_apart() -> None:
    results: dict[str, Any] = {
        f"{information} {k}": [_score(information, 128, 1000, accuracy)]
        for k, (information, accuracy) in enumerate(zip(ABLATION, (0.70, 0.69, 0.78, 0.97, 0.98), strict=True))
    }
    card = load_cnn().about.card
    results["shipped"] = card["test"]["network"] | {"moves": card["test_moves"]["network"]}
    section = cnn_section(results, "full")
    literal, honest = section.rows
    assert (literal.paper, literal.verdict.kind, literal.ours.mean) == ("94", "differs", pytest.approx(98))  # type: ignore[union-attr]
    assert (honest.paper, honest.verdict, honest.ours.mean) == (None, None, pytest.approx(70))  # type: ignore[union-attr]
    assert [row[0] for row in section.tables[0].rows] == list(ABLATION)
    assert "honest+chips: +27.0 points" in " ".join(section.findings)
    assert [row[0] for row in section.tables[1].rows[-2:]] == ["all", "all, in the paper's moves"]


def test_part_says_what_it_lacks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DUPAI_SHARED", str(tmp_path))
    said = needs()
    assert said is not None and "DUPAI_SHARED" in said
    assert load_paper("experience").parts[1].needs() == said


def test_verdicts_on_accuracy_are_two_sided_and_the_networks_bracket_it() -> None:
    def verdict(accuracy: float) -> str:
        (row,) = cnn_section({"one": [_score("literal", 32, 500, accuracy)]}, "quick").rows
        assert row.verdict is not None
        return row.verdict.kind

    # 88.1 % of 320 samples.
    assert (verdict(0.984), verdict(0.89), verdict(0.78)) == ("differs", "agrees", "differs")
    both = {"a": [_score("literal", 32, 500, 0.984)], "b": [_score("literal", 32, 500, 0.80, TUTORIAL)]}
    section = cnn_section(both, "quick")
    assert "88.1 % lies between our two networks' 80.00 and 98.40 %" in section.findings[0]
    assert section.charts[0].lines[-1].printed
