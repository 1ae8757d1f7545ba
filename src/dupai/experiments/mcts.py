"""The paper mcts: its table, what it left open, and the proof that the search finds the best response."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from dupai.base import Estimate
from dupai.experiments._mcts_cells import (
    BlockTask,
    MatchTask,
    SmallTask,
    block_cell,
    match_cell,
    no_model,
    of_deals,
    ours,
    reduced_cell,
    root_mean_square,
    small_cell,
    until_sure,
    with_model,
)
from dupai.experiments._paper import Cell, Chart, Line, Paper, Part, Row, Section, Size, Table, Value

_Results = Mapping[str, Any]


class _Match(NamedTuple):
    """A row of a table: ``key`` names it, ``label`` is for people; the paper's figure where it prints one."""

    key: str
    label: str
    agents: tuple[str, ...]
    paper: float | None = None


class _Scale(NamedTuple):
    """How much is played: simulations a decision, deals a match, matches; and those of three players."""

    simulations: int
    hands: int
    matches: int
    hands3: int
    matches3: int


#: ``full``: matches of 3,000 hands as the paper's. Each deal is played in every rotation of the seats.
_SCALES: dict[Size, _Scale] = {"quick": _Scale(100, 300, 2, 100, 2), "full": _Scale(100, 3000, 10, 1000, 10)}


def _matches(rows: Sequence[_Match], hands: int, matches: int, seed: int, reduced: bool = True) -> list[Cell]:
    return [
        Cell(f"{row.key} {m}", reduced_cell if reduced else match_cell, MatchTask(row.agents, hands, 1000 * seed + m))
        for m in range(matches)
        for row in rows
    ]


def _found(results: _Results, key: str) -> list[dict[str, Any]]:
    """The matches of a row that have been played."""
    return [v for k, v in results.items() if k.rpartition(" ")[0] == key]


def _row(row: _Match, matches: list[dict[str, Any]], rotations: int) -> Row:
    value = of_deals(matches)
    low, high = value.interval()
    agrees = None if row.paper is None else low <= row.paper <= high
    return Row(
        label=row.label,
        paper=None if row.paper is None else f"{row.paper:+.2f}",
        ours=value,
        unit="SB/hand",
        hands=value.n * rotations,
        seeds=f"{len(matches)} matches",
        agrees=agrees,
        why="" if row.paper is None else "whether the printed figure lies in our interval; it has an error, too",
    )


# the paper's table ----------------------------------------------------------------------------------------------------


def _two(n: int) -> list[_Match]:
    return [
        _Match("none fixed", "no model against the fixed policy", (no_model(n), "fixed"), 2.4),
        _Match("with fixed", "with model against the fixed policy", (with_model(n), "fixed"), 4.6),
        _Match("with none", "with model against no model", (with_model(n), no_model(n)), 0.67),
        _Match("ours fixed", "ours (model at opponent nodes) against the fixed policy", (ours(n), "fixed")),
        _Match("ours none", "ours against no model", (ours(n), no_model(n))),
    ]


def _three(n: int) -> list[_Match]:
    return [
        _Match("none fixed", "no model against two fixed", (no_model(n), "fixed", "fixed")),
        _Match("with fixed", "with model against two fixed", (with_model(n), "fixed", "fixed")),
        _Match("with none", "with model against two without", (with_model(n), no_model(n), no_model(n))),
        _Match("ours fixed", "ours against two fixed", (ours(n), "fixed", "fixed")),
        _Match("ours none", "ours against two without", (ours(n), no_model(n), no_model(n))),
    ]


def _table_cells(size: Size, seed: int) -> list[Cell]:
    s = _SCALES[size]
    return _matches(_two(s.simulations), s.hands, s.matches, seed, reduced=False)


def _table_section(results: _Results, size: Size) -> Section:
    s = _SCALES[size]
    rows = [_row(r, found, 2) for r in _two(s.simulations) if (found := _found(results, r.key))]
    charts, findings = [], []
    lines = []
    blocks = 10
    for key, label in (
        ("with fixed", "with model, as in the paper"),
        ("ours fixed", "ours"),
        ("none fixed", "no model"),
    ):
        found = _found(results, key)
        if not found:
            continue
        hands = len(found[0]["won"])
        edges = [round(k * hands / blocks) for k in range(blocks + 1)]
        points = [of_deals(found, a, b) for a, b in pairwise(edges)]
        lines.append(
            Line(
                label=label,
                x=tuple((a + b) / 2 for a, b in pairwise(edges)),
                y=tuple(p.mean for p in points),
                band=tuple(1.96 * p.se for p in points),
                dashed=key == "none fixed",
            )
        )
        first, rest = of_deals(found, 0, hands // blocks), of_deals(found, hands // blocks)
        findings.append(
            f"{label}: {_signed(first)} in the first {hands // blocks} hands against a stranger, {_signed(rest)} after."
        )
    if lines:
        charts.append(
            Chart(
                title="How quickly the model pays: winnings against the fixed policy by hand of the match",
                x="hand",
                y="SB/hand",
                lines=tuple(lines),
                note="A fresh opponent at hand 0; bands are 95 %, over deals of all matches.",
            )
        )
    return Section(
        text=f"Heads-up limit, matches of {s.hands:,} deals in both seatings, fresh agents in each; {s.simulations:,} "
        "simulations a decision. The paper gives neither that number nor C, and of the fixed policy only that it folds "
        "10 %: here it raises half of the rest, and checks where folding is free. Intervals are over deals; they do "
        "not say how much another match's learning would differ.",
        rows=tuple(rows),
        charts=tuple(charts),
        findings=tuple(findings),
    )


def _signed(value: Estimate) -> str:
    return f"{value.mean:+.2f} ± {1.96 * value.se:.2f} SB/hand"


def _three_cells(size: Size, seed: int) -> list[Cell]:
    s = _SCALES[size]
    return _matches(_three(s.simulations), s.hands3, s.matches3, seed)


def _three_section(results: _Results, size: Size) -> Section:
    s = _SCALES[size]
    return Section(
        text=f"Three-handed limit, matches of {s.hands3:,} deals in all three rotations, {s.simulations:,} simulations "
        "a decision. The paper plays three-handed, too, but prints no figures of its own for it.",
        rows=tuple(_row(r, found, 3) for r in _three(s.simulations) if (found := _found(results, r.key))),
    )


# what they left open --------------------------------------------------------------------------------------------------

#: Simulations a decision, and deals played with them.
_STEPS: dict[Size, tuple[tuple[int, int], ...]] = {
    "quick": ((30, 150), (100, 150), (300, 150), (1000, 60)),
    "full": ((100, 3000), (1000, 1000), (10_000, 300)),
}
#: The same deals with ever more simulations: how many of each, deals, and deals of a block. A block is a match of its
#: own with fresh agents, so that a run that was stopped goes on with the block that it was in.
_BLOCKS: dict[Size, tuple[tuple[int, ...], int, int]] = {
    "quick": ((), 0, 1),
    "full": ((1000, 10_000, 100_000, 1_000_000), 300, 20),
}
_OPPONENTS: dict[Size, tuple[str, ...]] = {
    "quick": ("fixed", "style:TA", "rules"),
    "full": ("fixed", "style:TP", "style:TA", "style:LP", "style:LA", "rules"),
}


#: Deals of each version against each opponent.
_OPEN_HANDS: dict[Size, int] = {"quick": 150, "full": 1000}


_KINDS = (("no model", no_model), ("ours", ours))


def _step_rows(size: Size) -> list[tuple[_Match, int]]:
    return [
        (_Match(f"{n} {kind}", f"{n:,}, {kind}", (make(n), "fixed")), hands)
        for n, hands in _STEPS[size]
        for kind, make in _KINDS
    ]


def _step_cells(size: Size, seed: int) -> list[Cell]:
    """Cheap ones first."""
    whole = [cell for row, hands in _step_rows(size) for cell in _matches([row], hands, 1, seed)]
    steps, deals, block = _BLOCKS[size]
    return whole + [
        Cell(
            f"{n} {kind} from {start}",
            block_cell,
            BlockTask((until_sure(make(n)), "fixed"), deals, 1000 * seed, start, min(start + block, deals)),
        )
        for n in steps
        for kind, make in _KINDS
        for start in range(0, deals, block)
    ]


def _step_section(results: _Results, size: Size) -> Section:
    lines = []
    rows: list[tuple[Value, ...]] = []
    for n, _ in _STEPS[size]:
        none, mine = (_found(results, f"{n} {kind}") for kind in ("no model", "ours"))
        rows.append(
            (
                f"{n:,}",
                of_deals(none) if none else None,
                of_deals(mine) if mine else None,
                len(mine[0]["won"]) if mine else None,
            )
        )
    for kind in ("no model", "ours"):
        known = [(n, of_deals(f)) for n, _ in _STEPS[size] if (f := _found(results, f"{n} {kind}"))]
        lines.append(
            Line(
                label=kind,
                x=tuple(float(n) for n, _ in known),
                y=tuple(e.mean for _, e in known),
                band=tuple(1.96 * e.se for _, e in known),
            )
        )
    tables = [
        Table(
            title="Winnings against the fixed policy by simulations, SB/hand",
            columns=("simulations", "no model", "ours", "deals"),
            rows=tuple(rows),
        )
    ]
    steps, deals, block = _BLOCKS[size]
    text = "More simulations a decision against the fixed policy, heads-up limit; the deals are the same for all, as "
    text += "far as they go."
    if steps:
        tables.append(_block_table(results, size))
        text += (
            f" With up to {steps[-1]:,} simulations {deals} deals are played in blocks of {block}, each block a match "
            "of its own with fresh agents, so that a run can be stopped and resumed: our program meets a stranger in "
            "each (the one without a model does not learn, and plays as in one long match). Searches there end once "
            "the simulations left cannot change the choice (stop=sure)."
        )
    return Section(
        text=text,
        tables=tuple(tables),
        charts=(
            Chart(
                title="Winnings by simulations a decision", x="simulations", y="SB/hand", lines=tuple(lines), log_x=True
            ),
        ),
    )


def _block_table(results: _Results, size: Size) -> Table:
    """Blocks that have been played, and what was gained over the step before on the same deals."""
    steps, _, _ = _BLOCKS[size]
    rows: list[tuple[Value, ...]] = []
    for k, n in enumerate(steps):
        row: list[Value] = [f"{n:,}"]
        for kind, _ in _KINDS:
            found = _blocks(results, f"{n} {kind} from")
            before = _blocks(results, f"{steps[k - 1]} {kind} from") if k else {}
            both = [(found[b]["won"], before[b]["won"]) for b in found if b in before]
            row += [
                of_deals(list(found.values())) if found else None,
                Estimate.of([x - y for mine, old in both for x, y in zip(mine, old, strict=True)]) if both else None,
                sum(len(f["won"]) for f in found.values()) or None,
            ]
        rows.append(tuple(row))
    return Table(
        title="The same deals with ever more simulations, SB/hand",
        columns=("simulations", "no model", "gain", "deals", "ours", "gain", "deals"),
        rows=tuple(rows),
        note="Gain: over the line above on the same deals. 95 % intervals over deals.",
    )


def _blocks(results: _Results, key: str) -> dict[str, dict[str, Any]]:
    """The blocks of a row that have been played, by their first deal."""
    return {k.rpartition(" ")[2]: v for k, v in results.items() if k.rpartition(" ")[0] == key}


def _versions(n: int) -> list[tuple[str, str]]:
    return [
        ("no model", no_model(n)),
        ("model at leaves (paper)", with_model(n)),
        ("model drawn at the root, random opponents", f"mcts:simulations={n},opponents=random"),
        ("model at opponent nodes, hands not read", f"mcts:simulations={n},reader=uniform"),
        ("both (ours)", ours(n)),
    ]


def _open_rows(size: Size) -> list[_Match]:
    n = _SCALES[size].simulations
    return [
        _Match(f"{label} {other}", label, (spec, other)) for other in _OPPONENTS[size] for label, spec in _versions(n)
    ]


def _open_cells(size: Size, seed: int) -> list[Cell]:
    return _matches(_open_rows(size), _OPEN_HANDS[size], 1, seed)


def _open_section(results: _Results, size: Size) -> Section:
    n = _SCALES[size].simulations
    rows = []
    for label, _ in _versions(n):
        values = [_found(results, f"{label} {other}") for other in _OPPONENTS[size]]
        rows.append((label, *(of_deals(v) if v else None for v in values)))
    return Section(
        text=f"What of the model matters, and against whom: heads-up limit, {n:,} simulations a decision, each version "
        "over the same deals against every opponent, in both seatings.",
        tables=(
            Table(title="SB/hand", columns=("version", *_OPPONENTS[size]), rows=tuple(rows), note="95 % intervals."),
        ),
    )


# the proof ------------------------------------------------------------------------------------------------------------

_GAMES = (("kuhn", "Kuhn"), ("leduc", "Leduc"))


def _points(size: Size) -> tuple[int, ...]:
    last = 6 if size == "quick" else 7
    return tuple(round(10 ** (k / 4)) for k in range(8, 4 * last + 1))


def _small_cells(size: Size, seed: int) -> list[Cell]:
    repeats = 4 if size == "quick" else 10
    return [
        Cell(f"{game} {k}", small_cell, SmallTask(game, "uct", 100 * seed + k, _points(size)))
        for game, _ in _GAMES
        for k in range(repeats)
    ]


def small_chart(results: _Results, size: Size) -> Chart:
    """Errors against simulations, log-log."""
    points = _points(size)
    lines = []
    for key, name in _GAMES:
        found = _found(results, key)
        for what, label in (("root", "root value"), ("line", "most visited line")):
            y = [root_mean_square([f[what][k] for f in found]) for k in range(len(points))]
            lines.append(Line(label=f"{name}, {label}", x=tuple(map(float, points)), y=tuple(y), dashed=what == "line"))
    slope = Line(
        label="1/√n", x=(float(points[0]), float(points[-1])), y=(1.0, (points[0] / points[-1]) ** 0.5), dashed=True
    )
    return Chart(
        title="The root's value against the exact best response to a fixed policy",
        x="simulations",
        y="error (root mean square), antes",
        lines=(*lines, slope),
        log_x=True,
        log_y=True,
        note="Opponents' policies drawn at random, both seats; the exact value by enumeration.",
    )


def _small_section(results: _Results, size: Size) -> Section:
    rows = []
    points = _points(size)
    tens = [k for k in range(3, 8) if 10**k in points]
    for key, name in _GAMES:
        found = _found(results, key)
        if not found:
            return Section(text="Not yet.")
        for what, label in (("root", "root value"), ("line", "most visited line")):
            errors = [root_mean_square([f[what][k] for f in found]) for k in range(len(points))]
            rows.append((f"{name}, {label}", *(f"{errors[points.index(10**k)]:.4f}" for k in tens)))
    return Section(
        text="With hands drawn at the root and opponents that follow a fixed policy the search's value must become "
        "that of the exact best response. The root's value still holds every trial of a bad action; that of the most "
        "visited line does not.",
        tables=(
            Table(
                title="Error (root mean square) by simulations, in antes",
                columns=("game", *(f"10^{k}" for k in tens)),
                rows=tuple(rows),
            ),
        ),
        charts=(small_chart(results, size),),
    )


PAPER = Paper(
    "mcts",
    "Monte-Carlo tree search with an opponent model",
    'Cao, Liu, "Computer Texas Hold\'em based on Monte-Carlo Tree Search"',
    (
        Part("convergence", "Kuhn and Leduc: the search finds the best response", _small_cells, _small_section),
        Part("table", "The paper's table, two players", _table_cells, _table_section),
        Part("three", "Three players", _three_cells, _three_section),
        Part("simulations", "More simulations", _step_cells, _step_section),
        Part("versions", "What of the model matters", _open_cells, _open_section),
    ),
)
