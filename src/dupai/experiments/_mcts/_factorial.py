"""What each part of a search is worth: every combination of four settings, all on the same deals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from dupai.arena import entrants_of
from dupai.base import Estimate
from dupai.base.arrays import F64
from dupai.cards import COMBO_INDEX
from dupai.experiments._duel import fresh_players, heads_up_hands
from dupai.experiments._mcts._cells import MatchTask, match_cell
from dupai.experiments._mcts._printed import TABLE1
from dupai.experiments._paper import Cell, Results, Section, Size, Table, Value, grouped
from dupai.experiments._verdict import judge
from dupai.jobs import Pulse
from dupai.reading.bucket import BucketReader
from dupai.rules import load_game

#: The settings and their values. "Few rules": our side folds what does not pay for the call and bets what is ahead; the
#: opponents act by the model where there is one, at random where there is none. A model at the nodes needs hands that
#: are drawn with every simulation.
FACTORS: dict[str, dict[str, str]] = {
    "model": {
        "none": "reader=uniform,opponents=random,determinise=leaf",
        "leaf": "reader=bucket,opponents=random,determinise=leaf",
        "nodes": "reader=bucket,opponents=model,determinise=root",
    },
    "play-out": {"random": "playout=random", "few rules": "playout=odds"},
    "selection": {"UCT": "selection=uct,c=1", "tuned": "selection=ucb-tuned,c=2"},
    "chance nodes": {"cards": "chance=cards", "classes": "chance=rates"},
}
#: The policy of the paper's table, as it may be meant, and players who look at their cards.
FIXED = ("fixed", "fixed:split=0.75", "fixed:free=play")
STYLES = ("style:paper-LA", "style:paper-LP", "style:paper-TA", "style:paper-TP")
OPPONENTS: dict[Size, tuple[str, ...]] = {
    "quick": ("fixed", "fixed:split=0.75", "rules", "style:paper-TA"),
    "full": (*FIXED, "rules", *STYLES),
}
SIMULATIONS = 100
#: Deals of a block, which is a match with fresh agents; and blocks.
BLOCK: dict[Size, int] = {"quick": 50, "full": 50}
BLOCKS: dict[Size, int] = {"quick": 1, "full": 60}
#: Hands of a match in which readings are scored.
READ: dict[Size, int] = {"quick": 300, "full": 3_000}

Levels = tuple[str, ...]


def programs() -> dict[Levels, str]:
    """The spec of every combination."""
    return {
        levels: ",".join(
            [f"mcts:simulations={SIMULATIONS}"]
            + [values[level] for values, level in zip(FACTORS.values(), levels, strict=True)]
        )
        for levels in product(*FACTORS.values())
    }


class ReadTask(NamedTuple):
    """Hands of ``player`` against ``opponent``, whose hand is read at each showdown."""

    player: str
    opponent: str
    hands: int
    seed: int


def read_cell(task: ReadTask, pulse: Pulse) -> dict[str, Any] | None:
    """What the reader of the search knows at showdowns: ``bits`` more than nothing, by showdown: the logarithm to the
    base 2 of the probability that it gave to the hand shown, over that of a hand drawn from those possible."""
    spec = load_game("holdem.limit.2p")
    reader = BucketReader(joint=False)
    reader.meet({1: task.opponent})
    bits: list[float] = []
    hands = 0
    with fresh_players(entrants_of((task.player, task.opponent)), spec, task.hands, task.seed, 0) as players:
        for state, record in heads_up_hands(players, spec, task.hands, task.seed, 0, pulse):
            view = state.view(state.seats.index(0))
            if not any(view.folded):
                there = reader.read(view, [1])[1].p
                shown = there[COMBO_INDEX[record.hole[state.seats.index(1)]]]
                bits.append(math.log2(max(float(shown), 1e-12) * np.count_nonzero(there)))
            reader.observe(record)
            hands += 1
    return {"bits": bits} if hands == task.hands else None


def cells(size: Size, seed: int) -> list[Cell]:
    """Block after block of all pairings: a run that is stopped has played all of them, on the same deals."""
    deals = BLOCK[size]
    player = programs()["leaf", "random", "UCT", "cards"]
    plan = [
        Cell(f"read {other}", read_cell, ReadTask(player, other, READ[size], 1000 * seed)) for other in OPPONENTS[size]
    ]
    for block in range(BLOCKS[size]):
        for other in OPPONENTS[size]:
            for levels, spec in programs().items():
                task = MatchTask((spec, other), deals, 1000 * seed + 500 + block)
                plan.append(Cell(f"{' | '.join(levels)} | {other} #{block}", match_cell, task))
    return plan


# the report ---------------------------------------------------------------------------------------------------------


def by_pairing(results: Results) -> dict[tuple[Levels, str], F64]:
    """Small blinds a hand by deal of every program against every opponent, over the blocks that all have played."""
    groups = grouped({key: r for key, r in results.items() if " #" in key}, " #")
    won: dict[tuple[Levels, str], F64] = {}
    for other in OPPONENTS["full"]:
        mine = {levels: groups.get(f"{' | '.join(levels)} | {other}", {}) for levels in programs()}
        shared = set.intersection(*(set(blocks) for blocks in mine.values()))
        if shared:
            for levels, blocks in mine.items():
                won[levels, other] = np.concatenate([blocks[k]["won"] for k in sorted(shared, key=int)])
    return won


def _mean_of(won: Mapping[tuple[Levels, str], F64], other: str, levels: Iterable[Levels]) -> F64:
    mean: F64 = np.mean([won[one, other] for one in levels], axis=0)
    return mean


def gain(won: Mapping[tuple[Levels, str], F64], other: str, factor: str, new: str, old: str, **held: str) -> Estimate:
    """What ``new`` instead of ``old`` gains against an opponent, on the same deals, the mean over all values of the
    other settings (of those in ``held`` only the one named)."""
    names = list(FACTORS)
    place = names.index(factor)
    some = [one for one in programs() if all(one[names.index(name)] == value for name, value in held.items())]
    mine, theirs = ([one for one in some if one[place] == level] for level in (new, old))
    return Estimate.of((_mean_of(won, other, mine) - _mean_of(won, other, theirs)).tolist())


#: The questions of the table of gains: setting, new value, old value.
GAINS = (
    ("model", "leaf", "none"),
    ("model", "nodes", "none"),
    ("model", "nodes", "leaf"),
    ("play-out", "few rules", "random"),
    ("selection", "tuned", "UCT"),
    ("chance nodes", "classes", "cards"),
)


def _holds(won: F64, row: str) -> bool:
    return judge(TABLE1[row], Estimate.of(won.tolist())).kind == "agrees"


class Pairs(NamedTuple):
    """Programs ``without`` a model whose interval holds the printed +2.4, and ``with_one`` whose interval holds +4.6;
    pairs of both whose other settings are ``alike``."""

    without: list[Levels]
    with_one: list[Levels]
    alike: list[tuple[Levels, Levels]]


def printed_pairs(won: Mapping[tuple[Levels, str], F64]) -> dict[str, Pairs]:
    """For each reading of the paper's policy the programs that win what the paper prints."""
    names: dict[str, Pairs] = {}
    for other in FIXED:
        here = [levels for levels, o in won if o == other]
        without = [one for one in here if one[0] == "none" and _holds(won[one, other], "none fixed")]
        with_one = [one for one in here if one[0] != "none" and _holds(won[one, other], "with fixed")]
        if here:
            alike = [(a, b) for a in without for b in with_one if a[1:] == b[1:]]
            names[other] = Pairs(without, with_one, alike)
    return names


def section(results: Results, size: Size) -> Section:
    won = by_pairing(results)
    others = [other for other in OPPONENTS[size] if any(o == other for _, o in won)]
    tables, findings = [], []
    if others:
        rows: list[tuple[Value, ...]] = []
        for factor, new, old in GAINS:
            rows.append((f"{factor}: {new} instead of {old}", *(gain(won, o, factor, new, old) for o in others)))
        for held in FACTORS["play-out"]:
            values = (gain(won, o, "model", "nodes", "none", **{"play-out": held}) for o in others)
            rows.append((f"model: nodes instead of none, play-outs {held}", *values))
        deals = ", ".join(f"{o} {len(won[next(iter(programs())), o]):,}" for o in others)
        note = f"Means over all other settings, on the same deals. Deals, each in both seatings: {deals}."
        tables.append(Table("What each part gains, SB/hand", ("instead of", *others), rows, note))
        rows = [(*levels, *(Estimate.of(won[levels, o].tolist()) for o in others)) for levels in programs()]
        specs = "; ".join(
            f"{factor} {level}: {text}" for factor, values in FACTORS.items() for level, text in values.items()
        )
        note = f"{note} A spec is mcts:simulations={SIMULATIONS} and, {specs}."
        tables.append(Table("All programs, SB/hand", (*FACTORS, *others), rows, note))
        for other, (without, with_one, alike) in printed_pairs(won).items():
            findings.append(
                f"{other}: +2.4 lies in the interval of {len(without)} of 8 programs without a model, +4.6 in that of "
                f"{len(with_one)} of 16 with one. Pairs that show both: {len(without) * len(with_one)}, of them "
                f"{len(alike)} with equal settings."
            )
    if reads := {key.removeprefix("read "): r["bits"] for key, r in results.items() if key.startswith("read ")}:
        readings = [(other, Estimate.of(bits), len(bits)) for other, bits in reads.items()]
        note = (
            f"Before the showdown, after what it had learned from the hands so far; {READ[size]:,} hands against "
            f"{programs()['leaf', 'random', 'UCT', 'cards']}. 0: as good as any hand that is possible; below 0: worse."
        )
        columns = ("opponent", "bits known of the hand shown", "showdowns")
        tables.append(Table("What the reader knows of the opponent's hand", columns, readings, note))
    return Section(
        f"Heads-up limit, {SIMULATIONS} simulations a decision, blocks of {BLOCK[size]} deals in both seatings with "
        "fresh agents in each, luck reduced. All programs play the same deals. Intervals are over deals.",
        tables=tables,
        findings=findings,
    )
