"""Tables and charts of the tree-search experiments."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from dupai.base import Estimate
from dupai.experiments._mcts import _config as config
from dupai.experiments._mcts._printed import HANDS
from dupai.experiments._paper import Chart, Line, Results, Row, Section, Size, Table, Value, grouped

_PRINTED = f"the printed figure is of one match of {HANDS:,} hands: its luck counts, too"


def _matches(results: Results, key: str) -> list[dict[str, Any]]:
    """The matches of a row that have been played."""
    return list(grouped(results).get(key, {}).values())


def of_deals(matches: list[dict[str, Any]], first: int = 0, last: int | None = None) -> Estimate:
    """Small blinds a hand over all deals of some matches (of deals ``first`` to ``last`` of each)."""
    return Estimate.of([w for m in matches for w in m["won"][first:last]])


def _of_some(matches: list[dict[str, Any]]) -> Estimate | None:
    return of_deals(matches) if matches else None


def _rows(results: Results, pairings: list[config.Pairing]) -> list[Row]:
    rows = []
    for pairing in pairings:
        if matches := _matches(results, pairing.key):
            value, seats, printed = of_deals(matches), len(pairing.agents), pairing.printed
            label = f"{pairing.label}: {' against '.join(pairing.agents)}"
            seeds, hands = f"{len(matches)} matches", value.n * seats
            if printed is None:
                rows.append(Row(label, None, value, "SB/hand", hands, seeds))
                continue
            # A match of the paper is not duplicate: its hands scatter at least as much as the mean of both seatings.
            error = value.se * math.sqrt(value.n / HANDS)
            rows.append(Row.judged(label, printed, value, hands=hands, seeds=seeds, error=error, why=_PRINTED))
    return rows


def _signed(value: Estimate) -> str:
    return f"{value.mean:+.2f} ± {1.96 * value.se:.2f} SB/hand (95 %)"


def two_section(results: Results, size: Size) -> Section:
    s = config.SCALES[size]
    lines, findings = [], []
    blocks = 10
    labels = {"with fixed": "with model, as in the paper", "ours fixed": "ours", "none fixed": "no model"}
    for key, label in labels.items():
        if not (matches := _matches(results, key)):
            continue
        hands = len(matches[0]["won"])
        edges = [round(k * hands / blocks) for k in range(blocks + 1)]
        points = [((a + b) / 2, of_deals(matches, a, b)) for a, b in pairwise(edges)]
        lines.append(Line.through(label, points, dashed=key == "none fixed"))
        first, rest = of_deals(matches, 0, hands // blocks), of_deals(matches, hands // blocks)
        findings.append(
            f"{label}: {_signed(first)} in the first {hands // blocks} hands against a stranger, {_signed(rest)} after."
        )
    title = "How quickly the model pays: winnings against the fixed policy by hand of the match"
    note = "A fresh opponent at hand 0; bands are 95 %, over deals of all matches."
    return Section(
        f"Heads-up limit, matches of {s.hands:,} deals in both seatings, fresh agents in each; {s.simulations:,} "
        "simulations a decision. The paper gives neither that number nor C, and of the fixed policy only that it folds "
        "10 %: here it raises half of the rest, and checks where folding is free. Intervals are over deals; they do "
        "not say how much another match's learning would differ.",
        _rows(results, config.pairings(size, 1)),
        charts=[Chart(title, "hand", "SB/hand", lines, note=note)] if lines else (),
        findings=findings,
    )


def three_section(results: Results, size: Size) -> Section:
    s = config.SCALES[size]
    return Section(
        f"Three-handed limit, matches of {s.hands3:,} deals in all three rotations, {s.simulations:,} simulations "
        "a decision. The paper plays three-handed, too, but prints no figures of its own for it.",
        _rows(results, config.pairings(size, 2)),
    )


def step_section(results: Results, size: Size) -> Section:
    kinds = [kind for kind, _ in config.KINDS]
    by = {(n, kind): _matches(results, f"{n} {kind}") for n, _ in config.STEPS[size] for kind in kinds}
    rows: list[tuple[Value, ...]] = []
    for n, _ in config.STEPS[size]:
        mine = by[n, "ours"]
        rows.append((f"{n:,}", *(_of_some(by[n, kind]) for kind in kinds), len(mine[0]["won"]) if mine else None))
    lines = [
        Line.through(kind, [(float(n), of_deals(m)) for (n, k), m in by.items() if k == kind and m]) for kind in kinds
    ]
    title = "Winnings against the fixed policy by simulations, SB/hand"
    tables = [Table(title, ("simulations", *kinds, "deals"), rows)]
    steps, deals, block = config.BLOCKS[size]
    text = "More simulations a decision against the fixed policy, heads-up limit; all play the same deals, as far as "
    text += "they go."
    if steps:
        tables.append(_block_table(results, steps))
        text += (
            f" With up to {steps[-1]:,} simulations {deals} deals are played in blocks of {block}, each block a match "
            "of its own with fresh agents, so that a run can be stopped and resumed: our program meets a stranger in "
            "each (the one without a model does not learn, and plays as in one long match). Searches there end once "
            "the simulations left cannot change the choice (stop=sure)."
        )
    chart = Chart("Winnings by simulations a decision", "simulations", "SB/hand", lines, log_x=True)
    return Section(text, tables=tables, charts=(chart,))


def _block_table(results: Results, steps: tuple[int, ...]) -> Table:
    """Blocks that have been played, and the gain over the step before on the same deals."""
    blocks = grouped(results)
    rows: list[list[Value]] = []
    for before, n in zip((0, *steps), steps, strict=False):
        row: list[Value] = [f"{n:,}"]
        for kind, _ in config.KINDS:
            played, earlier = (blocks.get(f"{k} {kind} from", {}) for k in (n, before))
            both = [(played[b]["won"], earlier[b]["won"]) for b in played if b in earlier]
            gain = Estimate.of([x - y for new, old in both for x, y in zip(new, old, strict=True)]) if both else None
            row += [_of_some(list(played.values())), gain, sum(len(b["won"]) for b in played.values()) or None]
        rows.append(row)
    return Table(
        "The same deals with ever more simulations, SB/hand",
        ("simulations", "no model", "gain", "deals", "ours", "gain", "deals"),
        rows,
        "Gain: over the line above on the same deals. 95 % intervals over deals.",
    )


def version_section(results: Results, size: Size) -> Section:
    n, others = config.SCALES[size].simulations, config.OPPONENTS[size]
    by = {(v, other): _of_some(_matches(results, f"{v} {other}")) for v in config.versions(n) for other in others}
    rows = [(v, *(by[v, other] for other in others), spec) for v, spec in config.versions(n).items()]
    return Section(
        f"What of the model matters, and against whom: heads-up limit, {n:,} simulations a decision, all other "
        "settings equal, each version over the same deals against every opponent, in both seatings.",
        tables=(Table("SB/hand", ("version", *others, "spec"), rows, "95 % intervals."),),
    )


# the proof ----------------------------------------------------------------------------------------------------------


def _errors(results: Results, size: Size) -> dict[str, tuple[str, list[float]]]:
    """For each label its reference value and the root mean square of its errors at each point."""
    errors = {}
    for key, game in config.GAMES.items():
        if searches := _matches(results, key):
            for value, label in (("root", "root value"), ("line", "most visited line")):
                squares = [[error**2 for error in search[value]] for search in searches]
                means = [math.sqrt(sum(some) / len(some)) for some in zip(*squares, strict=True)]
                errors[f"{game}, {label}"] = value, means
    return errors


def small_chart(results: Results, size: Size) -> Chart:
    """Errors against simulations, log-log."""
    points = config.points(size)
    lines = [Line(label, points, y, dashed=value == "line") for label, (value, y) in _errors(results, size).items()]
    slope = Line("1/√n", (float(points[0]), float(points[-1])), (1.0, (points[0] / points[-1]) ** 0.5), dashed=True)
    return Chart(
        "The root's value against the exact best response to a fixed policy",
        "simulations",
        "error (root mean square), antes",
        (*lines, slope),
        log_x=True,
        log_y=True,
        note="Opponents' policies drawn at random, both seats; the exact value by enumeration.",
    )


def small_section(results: Results, size: Size) -> Section:
    points, errors = config.points(size), _errors(results, size)
    if len(errors) < 2 * len(config.GAMES):
        return Section("Not yet.")
    tens = [k for k in range(3, 8) if 10**k in points]
    rows = [(label, *(f"{e[points.index(10**k)]:.4f}" for k in tens)) for label, (_, e) in errors.items()]
    columns = ("game", *(f"10^{k}" for k in tens))
    return Section(
        "With hands drawn at the root and opponents that follow a fixed policy the search's value must become "
        "that of the exact best response. The root's value still holds every trial of a bad action; that of the most "
        "visited line does not.",
        tables=(Table("Error (root mean square) by simulations, in antes", columns, rows),),
        charts=(small_chart(results, size),),
    )
