"""Figure 7: whether the true class of a hand is among the Z most probable ones, by street and reader."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dupai.arena import Players, TableRules, entrants_of
from dupai.base import Estimate, NoProgress, Rng
from dupai.experiments._fold._published import FIGURE7 as PUBLISHED
from dupai.experiments._paper import Cell, Chart, Line, Part, Row, Section, Size, Table
from dupai.history import shared_file
from dupai.jobs import Pulse
from dupai.rules import DECK_STREAM, STREET_NAMES

READERS = ("fold", "markov", "model")
#: Sets, where they lie in the shared data, and the groups that are scored of them.
SETS: Mapping[str, str] = {
    "three-player limit (ACPC 2014)": "acpc2014-3p-limit/acpc2014-3p-limit.log.xz",
    "six players no-limit (Pluribus)": "pluribus-6max-2019/pluribus-6max-2019.log.xz",
    "heads-up no-limit (DeepStack)": "deepstack-vs-pros-2016/deepstack-vs-pros-2016.log.xz",
    "heads-up no-limit (Hyperborean14)": "lbr-vs-hyperborean14/lbr-vs-hyperborean14.log.xz",
    "six players no-limit (Bovada)": "bovada-6max-2019/bovada-6max-2019.phhs.xz",
}
#: The first of them have few enough hands for a quick run (readers watch all hands of the part).
QUICK = 2
#: Limit hands that our own agents play, heads-up.
OWN = "heads-up limit (our own agents)"
OWN_PAIRS = (("style:TA", "rules"), ("style:LP", "rules:tight-aggressive"), ("fold", "style:LA"), ("fold", "rules"))


@dataclass(frozen=True)
class Scoring:
    """What a cell scores: a file of the shared data, or our own hands where ``path`` is None; at most ``cases`` hands
    of players."""

    name: str
    path: str | None
    cases: int
    seed: int


class _Stop(NoProgress):
    """Passes a cell's pulse on to the scoring."""

    def __init__(self, pulse: Pulse) -> None:
        self._pulse = pulse
        self._on = True

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self._on = self._on and self._pulse.step()

    @property
    def cancelled(self) -> bool:
        return not self._on


def limit_hands(folder: Path, hands: int, seed: int, pulse: Pulse) -> Path | None:
    """Heads-up limit hands between our own agents as a PHH file, all cards known."""
    from dupai.notation import write_phhs
    from dupai.rules import GameSpec, HandState

    spec = GameSpec.limit(2, (5, 10), (10, 10, 20, 20))
    records = []
    each = max(hands // len(OWN_PAIRS), 1)
    for match, pair in enumerate(OWN_PAIRS):
        players = Players(entrants_of(pair), seed, match, TableRules())
        players.start(spec, "reset", each)
        for hand in range(1, each + 1):
            if not pulse.step():
                return None
            players.hand = hand
            seats = [(hand + i) % 2 for i in range(2)]
            state = HandState.deal(spec, Rng(seed, match, hand, DECK_STREAM), seats=seats, hand=hand)
            record = players.play(state, None)
            players.observe(record)
            records.append(record)
        players.close()
    path = folder / "limit.phhs"
    path.write_text("".join(write_phhs(records)), encoding="utf-8")
    return path


def score(task: Scoring, pulse: Pulse) -> list[dict[str, Any]] | None:
    """The cell: rows of the readers' scores by group and street, seat's view."""
    from dupai.training import score_readers

    with tempfile.TemporaryDirectory() as folder:
        if task.path is None:
            path = limit_hands(Path(folder), task.cases, task.seed, pulse)
            if path is None:
                return None
        else:
            path = shared_file(task.path)
        look = _Stop(pulse)
        report = score_readers(
            READERS,
            [path],
            part="all" if task.path is None else "test",
            cases=task.cases,
            seed=task.seed,
            views="seat",
            progress=look,
        )
    if look.cancelled:
        return None
    return [
        {"group": r.group, "reader": r.reader, "street": r.street, "cases": r.cases, "top": [r.top1, r.top2, r.top3]}
        for r in report.scores
        if r.view == "seat" and r.rows == "main" and r.street in STREET_NAMES
    ]


def needs() -> str | None:
    missing = [name for name, path in SETS.items() if not shared_file(path).exists()]
    if len(missing) == len(SETS):
        return "the hands are not there: set DUPAI_SHARED to the folder that has data/"
    return None


def cells(size: Size, seed: int) -> list[Cell]:
    cases = 100 if size == "quick" else 6000
    own = 240 if size == "quick" else 6000
    there = [(name, path) for name, path in SETS.items() if shared_file(path).exists()]
    if size == "quick":
        there = there[:QUICK]
    tasks = [Scoring(OWN, None, own, seed), *(Scoring(name, path, cases, seed) for name, path in there)]
    return [Cell(task.name, score, task) for task in tasks]


def pooled(rows: list[dict[str, Any]], reader: str, street: str, z: int) -> Estimate | None:
    """Accuracy of a reader on a street over the groups of a set, in points (SE as for independent cases)."""
    mine = [r for r in rows if r["reader"] == reader and r["street"] == street and r["group"] != "all sets"]
    n = sum(r["cases"] for r in mine)
    if not n:
        return None
    p = sum(r["cases"] * r["top"][z - 1] for r in mine) / n
    return Estimate(100 * p, 100 * (max(p * (1 - p), 1e-9) / n) ** 0.5, n)


def ahead(rows: list[dict[str, Any]], reader: str, street: str, z: int) -> Estimate | None:
    """Points that a reader is ahead of ``markov``. The error takes the two as independent, which overstates it."""
    a, b = pooled(rows, reader, street, z), pooled(rows, "markov", street, z)
    return None if a is None or b is None else Estimate(a.mean - b.mean, (a.se**2 + b.se**2) ** 0.5, a.n)


def section(results: Mapping[str, Any], size: Size) -> Section:
    rows = []
    for name, found in results.items():
        by_street = []
        for street in STREET_NAMES:
            each = [e for z in (1, 2, 3) if (e := ahead(found, "fold", street, z)) is not None]
            if not each:
                continue
            # The paper's figure is a mean over Z; the three are far from independent, so the largest error stands.
            mean = Estimate(sum(e.mean for e in each) / len(each), max(e.se for e in each), each[0].n)
            by_street.append(mean)
            rows.append(_row(f"{name}: {street}", PUBLISHED[street], mean))
        if len(by_street) == len(STREET_NAMES):
            mean = Estimate(
                sum(e.mean for e in by_street) / 4,
                sum(e.se**2 for e in by_street) ** 0.5 / 4,
                sum(e.n for e in by_street),
            )
            rows.append(_row(f"{name}: mean of four streets", PUBLISHED["mean"], mean))
    tables = []
    charts = []
    for name, found in results.items():
        lines = []
        for reader in READERS:
            for street in STREET_NAMES:
                tops = [pooled(found, reader, street, z) for z in (1, 2, 3)]
                if tops[0] is not None:
                    lines.append((reader, street, *tops, tops[0].n))
        tables.append(
            Table(
                title=f"{name}: top-Z accuracy, %",
                columns=("reader", "street", "Z = 1", "Z = 2", "Z = 3", "cases"),
                rows=tuple(lines),
            )
        )
        if name.startswith(("heads-up limit", "three-player")):
            charts.append(_chart(name, found))
    return Section(
        text="For every player who decides on a street, seen from the seat of the next player whose cards are known: "
        "is the class of the hand that he holds (11 classes, 4 of them before the flop) among the Z that the reader "
        "holds most probable? Hands of the test part, which no reader has learned from; readers learn live.",
        rows=tuple(rows),
        tables=tuple(tables),
        charts=tuple(charts),
        findings=_findings(results),
    )


def _row(label: str, paper: float, ours: Estimate) -> Row:
    low, high = ours.interval()
    return Row(
        label=label,
        paper=paper,
        ours=ours,
        unit="points",
        hands=ours.n,
        # An interval that holds everything agrees with everything.
        agrees=low <= paper <= high if high - low < 12 else None,
        why="fold less markov, mean over Z = 1, 2, 3",
    )


def _chart(name: str, found: list[dict[str, Any]]) -> Chart:
    lines = []
    for reader in READERS:
        got = [(i, e) for i, s in enumerate(STREET_NAMES) if (e := pooled(found, reader, s, 1)) is not None]
        lines.append(
            Line(
                label=reader,
                x=tuple(float(i) for i, _ in got),
                y=tuple(e.mean for _, e in got),
                band=tuple(1.96 * e.se for _, e in got),
            )
        )
    return Chart(
        title=f"Figure 7, {name}, Z = 1", x="street (0 pre-flop, 3 river)", y="accuracy, %", lines=tuple(lines)
    )


def _findings(results: Mapping[str, Any]) -> tuple[str, ...]:
    said = []
    for name, found in results.items():
        model = [e for s in STREET_NAMES if (e := ahead(found, "model", s, 1)) is not None]
        fold = [e for s in STREET_NAMES if (e := ahead(found, "fold", s, 1)) is not None]
        if model and fold:
            said.append(
                f"{name}, Z = 1, mean over streets: model {sum(e.mean for e in model) / len(model):+.1f} and fold "
                f"{sum(e.mean for e in fold) / len(fold):+.1f} points against markov."
            )
    said.append(
        "The paper's logs (Slumbot, ACPC 2012, heads-up limit) are not to be had; the sets here are other players in "
        "other games, and the Markov model is trained on other hands, so only signs and rough sizes compare."
    )
    return tuple(said)


FIGURE7 = Part("figure7", "Figure 7: classes of hands predicted", cells, section, needs)
