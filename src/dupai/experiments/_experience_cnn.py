"""The network of the paper *experience*: its table of accuracies, the same from honest inputs, where the leak is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from dupai.base import Estimate
from dupai.experiments._paper import Cell, Part, Row, Section, Size, Table, Value
from dupai.history import shared_file
from dupai.jobs import Pulse
from dupai.reading import load_cnn
from dupai.training import cnn_samples, cnn_steps, score_cnn

#: The table of the paper: steps and batch, and the accuracy that it prints, per cent.
TABLE: dict[tuple[int, int], float] = {
    (500, 32): 88.1,
    (1000, 128): 94.0,
    (1000, 1024): 99.1,
    (2000, 1024): 99.3,
    (5000, 1024): 99.74,
}
#: Whose actions are learned, from which log.
LOG, PLAYER = "lbr-vs-hyperborean14", "Hyperborean14"
#: What is left in or taken out to find the leak.
ABLATION = ("honest", "honest+cards", "honest+board", "honest+chips", "literal")
_SHARE: dict[Size, float] = {"quick": 0.05, "full": 0.2}


class Steps(NamedTuple):
    """One training: what the input says, the batch, the steps at which it is scored, the share of the log's hands."""

    information: str
    batch: int
    marks: tuple[int, ...]
    share: float
    seed: int


class Shipped(NamedTuple):
    """Scoring the network that ships on the test part of a log."""

    share: float


def _log() -> Path:
    return shared_file(f"{LOG}/{LOG}.log.xz")


def needs() -> str | None:
    """Why the part cannot be run here."""
    if not _log().is_file():
        return f"{_log()} is not there: set DUPAI_SHARED to the folder that has data/ with the shared logs"
    return None if find_spec("torch") else "training needs torch: pip install 'dupai[train]'"


@lru_cache(maxsize=1)
def _samples(share: float) -> Any:
    return cnn_samples([_log()], [PLAYER], share)


class Watch:
    """A pulse as a progress."""

    def __init__(self, pulse: Pulse) -> None:
        self._pulse = pulse
        self.cancelled = False

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self.cancelled = self.cancelled or not self._pulse.step()


def steps_cell(task: Steps, pulse: Pulse) -> list[dict[str, Any]] | None:
    """Train the paper's network and score it at its marks."""
    found = cnn_steps(
        _samples(task.share), task.information, task.batch, task.marks, seed=task.seed, progress=Watch(pulse)
    )
    return None if found is None else [msgspec.to_builtins(one) for one in found]


def shipped_cell(task: Shipped, pulse: Pulse) -> dict[str, Any]:
    """Score the network that ships."""
    return score_cnn(load_cnn(), _samples(task.share))


def cnn_cells(size: Size, seed: int) -> Sequence[Cell]:
    """The trainings, the cheap ones first."""
    share = _SHARE[size]

    def cell(information: str, batch: int, *marks: int) -> Cell:
        key = f"{information}, batch {batch}, {' and '.join(map(str, marks))} steps"
        return Cell(key=key, work=steps_cell, task=Steps(information, batch, marks, share, seed))

    cells = [cell(information, 32, 500) for information in ("literal", "honest")]
    cells += [cell(information, 128, 1000) for information in (ABLATION[-1], *ABLATION[:-1])]
    cells.append(Cell(key="shipped", work=shipped_cell, task=Shipped(share)))
    if size == "full":
        cells += [cell("literal", 1024, 1000, 2000, 5000), cell("honest", 1024, 1000, 2000, 5000)]
    return cells


def _rows(scores: Mapping[tuple[str, int, int], Mapping[str, Any]]) -> tuple[Row, ...]:
    rows = []
    for (steps, batch), printed in TABLE.items():
        for information in ("literal", "honest"):
            found = scores.get((information, steps, batch))
            if found is None:
                continue
            ours = Estimate(100 * found["accuracy"], 100 * found["accuracy_se"], found["decisions"])
            literal = information == "literal"
            rows.append(
                Row(
                    label=f"{steps} steps of {batch}, {information}",
                    paper=printed if literal else None,
                    ours=ours,
                    unit="% right",
                    seeds="1",
                    agrees=ours.mean > printed - 0.5 if literal else None,
                    why=f"{100 * found['paper_accuracy']:.2f} % of {found['paper_samples']:,} as the paper tests; "
                    f"log-loss {found['log_loss']:.3f}, calibration error {found['ece']:.3f}",
                )
            )
    return tuple(rows)


def cnn_section(results: Mapping[str, Any], size: Size) -> Section:
    """The paper's table, the leaks, the network that ships."""
    scores = {
        (one["information"], one["steps"], one["batch"]): one
        for key, found in results.items()
        if key != "shipped"
        for one in found
    }
    tables = []
    lines: list[tuple[Value, ...]] = []
    for information in ABLATION:
        one = scores.get((information, 1000, 128))
        if one is not None:
            lines.append(
                (information, Estimate(100 * one["accuracy"], 100 * one["accuracy_se"], one["decisions"]),
                 one["log_loss"], one["ece"], *(100 * s[0] for s in one["streets"].values()))
            )  # fmt: skip
    if lines:
        head = ("input", "% right", "log-loss", "calibration error", "preflop", "flop", "turn", "river")
        note = "cards: the other's hole cards; board: all cards that the hand came to; chips: those of the action."
        tables.append(Table(title="Where the leak is: 1000 steps of 128", columns=head, rows=tuple(lines), note=note))
    shipped = results.get("shipped")
    if shipped is not None:
        streets = tuple(
            (name, f"{n:,}", 100 * accuracy, loss) for name, (accuracy, loss, n) in shipped["streets"].items()
        )
        every = [
            (name, f"{one['decisions']:,}", 100 * one["accuracy"], one["log_loss"])
            for name, one in (("all", shipped), ("all, in the paper's moves", shipped["moves"]))
        ]
        tables.append(
            Table(
                title="The factored network that ships, honest, nine actions",
                columns=("street", "decisions", "% right", "log-loss"),
                rows=(*streets, *every),
                note=f"Calibration error {shipped['ece']:.4f}.",
            )
        )
    return Section(
        text=f"{PLAYER}'s decisions against LBR, {100 * _SHARE[size]:g} % of the log's hands; matches of one card seed "
        "stand in one part; scores of the test part. Literal input: the whole log of the hand but the action itself. "
        "Honest input: what the player knew. Four moves: fold, check or call, bet or raise, all-in.",
        rows=_rows(scores),
        tables=tuple(tables),
        findings=_findings(scores),
    )


def _findings(scores: Mapping[tuple[str, int, int], Mapping[str, Any]]) -> tuple[str, ...]:
    """What the ablation says, in numbers."""
    base = scores.get(("honest", 1000, 128))
    found = []
    for information in ABLATION[1:]:
        one = scores.get((information, 1000, 128))
        if base is not None and one is not None:
            gain = 100 * (one["accuracy"] - base["accuracy"])
            found.append(f"{information}: {gain:+.1f} points of accuracy against the honest input.")
    return tuple(found)


#: To be put among the parts of the paper.
CNN_PART = Part("cnn", "The network that foretells actions", cnn_cells, cnn_section, needs)
