"""The paper's ``exp`` plays the best action of its search; ours weighs it with its rules (``doubt``): who wins more?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from dupai.agents import advise, make_agent
from dupai.base import Estimate, Rng
from dupai.experiments._duel import won_by_deal
from dupai.experiments._experience._position import search_position
from dupai.experiments._paper import Cell, Results, Section, Size, Table, Value, grouped
from dupai.jobs import Pulse
from dupai.stats import Sprt

#: Both with the cards of the matches.
TREE = "turns=8,rivers=3"
VERSIONS = {"doubt=0": f"exp:{TREE},doubt=0", "doubt=0.3": f"exp:{TREE},doubt=0.3"}
#: Opponents of both on the same deals.
FIELD = ("expert", "rules", "style:paper-LA", "style:paper-LP", "style:paper-TA", "style:paper-TP")
#: Deals of a cell, and cells of each pairing; a test decides after 500 deals at the earliest.
BLOCK: dict[Size, int] = {"quick": 50, "full": 50}
BLOCKS: dict[Size, int] = {"quick": 10, "full": 60}
#: Standard deviations of a deal between which the tests decide, and the chances of an error.
BOUNDS, ERROR = (0.0, 0.05), 0.05


class Deals(NamedTuple):
    """Deals ``start`` to ``stop`` of a match of ``hands`` deals between agents that do not learn."""

    first: str
    second: str
    hands: int
    start: int
    stop: int
    seed: int


def deals_cell(task: Deals, pulse: Pulse) -> dict[str, Any] | None:
    """Big blinds a hand of the first player by deal, mean of both seatings, luck reduced."""
    settings = {"hands": task.hands, "seed": task.seed, "luck_reduced": True}
    played = won_by_deal((task.first, task.second), pulse, start=task.start, stop=task.stop, **settings)
    return None if played is None else {"won": played[0].tolist(), "faults": played[1]}


def position_cell(task: str, pulse: Pulse) -> dict[str, Any]:
    """What a version does in the paper's test position: chance and chips of each action."""
    advice = advise(make_agent(task), search_position(), Rng(1))
    actions = [str(action) for action in advice.actions]
    assert advice.values is not None
    return {"actions": actions, "chances": list(advice.probabilities), "values": list(advice.values)}


def cells(size: Size, seed: int) -> list[Cell]:
    """Block after block of all pairings, on the same deals."""
    deals, blocks, hands = BLOCK[size], BLOCKS[size], BLOCK["full"] * BLOCKS["full"]
    plan = [Cell(f"position {name}", position_cell, spec) for name, spec in VERSIONS.items()]
    pairs = [(name, spec, other) for other in FIELD for name, spec in VERSIONS.items()]
    pairs.append(("doubt=0", VERSIONS["doubt=0"], VERSIONS["doubt=0.3"]))
    for k in range(blocks):
        for name, spec, other in pairs:
            # Of the same match, whatever the size of the run.
            task = Deals(spec, other, hands, k * deals, (k + 1) * deals, seed * 1_000_000 + 900)
            plan.append(Cell(f"{name} | {other} #{k}", deals_cell, task))
    return plan


def decide(values: list[float]) -> tuple[str, int]:
    """Which of two versions is better by a sequential test in each direction, from the differences (first less second)
    by deal in their order; and after how many deals both had decided, or all there are."""
    tests = [Sprt(BOUNDS, ERROR, ERROR) for _ in range(2)]
    after = 0
    for value in values:
        if all(test.decision is not None for test in tests):
            break
        after += 1
        for test, sign in zip(tests, (1, -1), strict=True):
            if test.decision is None:
                test.add(sign * value)
    first, second = (test.decision for test in tests)
    if first == "better" or second == "better":
        return ("doubt=0" if first == "better" else "doubt=0.3"), after
    return ("neither" if first == second == "not better" else "not decided"), after


def _by_block(blocks: Mapping[str, Any], shared: set[str]) -> list[float]:
    return [w for k in sorted(shared, key=int) for w in blocks[k]["won"]]


def section(results: Results, size: Size) -> Section:
    tables, findings = [], []
    positions = {key.removeprefix("position "): r for key, r in results.items() if key.startswith("position ")}
    if positions:
        rows: list[tuple[Value, ...]] = []
        for name, r in positions.items():
            for action, chance, value in zip(r["actions"], r["chances"], r["values"], strict=True):
                rows.append((VERSIONS[name], action, 100 * chance, value))
        title = "AsKh on 9d8s7d, first to act in a pot of 600"
        tables.append(Table(title, ("player", "action", "chance, %", "worth, chips"), rows))
    groups = grouped({key: r for key, r in results.items() if " #" in key}, " #")
    lines: list[tuple[Value, ...]] = []
    verdicts = []
    for other in FIELD:
        both = [groups.get(f"{name} | {other}", {}) for name in VERSIONS]
        shared = set(both[0]) & set(both[1])
        if not shared:
            continue
        paper, ours = (_by_block(blocks, shared) for blocks in both)
        gain = [a - b for a, b in zip(paper, ours, strict=True)]
        better, after = decide(gain)
        verdicts.append(better)
        lines.append((other, len(gain), Estimate.of(paper), Estimate.of(ours), Estimate.of(gain), better, after))
    if direct := groups.get(f"doubt=0 | {VERSIONS['doubt=0.3']}", {}):
        values = _by_block(direct, set(direct))
        better, after = decide(values)
        verdicts.append(better)
        lines.append(("each other", len(values), Estimate.of(values), None, Estimate.of(values), better, after))
    if lines:
        columns = ("against", "deals, both seatings", *VERSIONS.values(), "difference, same deals", "better by SPRT",
                   "after deals")  # fmt: skip
        note = f"Bounds {BOUNDS[0]:g} and {BOUNDS[1]:g} standard deviations of a deal, errors {ERROR:g}, both ways."
        tables.append(Table("The best action or a mixture, BB/hand", columns, lines, note))
        wins = {name: verdicts.count(name) for name in VERSIONS}
        findings.append(
            ", ".join(f"{VERSIONS[name]} is better in {n} of {len(verdicts)} tests" for name, n in wins.items()) + "."
        )
    return Section(
        "The paper plays the best action of its search (doubt=0, as exp:paper does). Ours draws from its rules and the "
        "values together (doubt=0.3). Both on the same deals, luck reduced; a sequential test says which is better.",
        tables=tables,
        findings=findings,
    )
