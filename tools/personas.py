"""Personas beside the players that they stand for: fits their corrections, and measures how like them they play.

    python tools/personas.py fit FOLDER            # writes playouts/personas.json
    python tools/personas.py table FOLDER --hands 100000 --page docs/results/personas.md

FOLDER holds the hand histories. A dealt hand takes players, stacks and blinds of a recorded hand, draws new cards, and
seats a persona wherever a member of its group sat (:func:`dupai.playouts.play_hands`).

``fit`` counts what the group did in each kind of situation, deals hands with the personas, and moves the logits of the
action model by the difference, a few times over. Only betting is counted, no cards: the model alone says which hands
do what.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from dupai.agents.persona import Persona
from dupai.base import Rng, RulesError
from dupai.base.arrays import F64, I64, AnyArray
from dupai.base.files import open_whole, write_whole
from dupai.history import file_records
from dupai.history.stats import DEFINITIONS, SIZE_CLASSES, SIZE_GROUPS, HandBatch, StatsTable, batch_of, split_counters
from dupai.playouts import (
    PERSONA_FILE,
    SITUATIONS,
    SIZE_SITUATIONS,
    PersonaHabits,
    Played,
    Player,
    persona_habits,
    play_hands,
    situation_kernel,
    size_situation_kernel,
)
from dupai.reading.features import ACTION_CLASSES, class_of_kernel
from dupai.rules import CALL, FOLD, MAX_PLAYERS, RAISE, GameSpec, HandRecord
from dupai.spots import DID_BET, DID_FOLD, NOTHING, spot_rows


class Group(NamedTuple):
    """A kind of table: the files of its hands, the groups of known names, and of everybody else."""

    files: tuple[str, ...]
    known: dict[str, str]
    others: str

    def of(self, name: str) -> str:
        """The group of a player."""
        return self.known.get(name, self.others)

    @property
    def names(self) -> tuple[str, ...]:
        """All its groups."""
        return (*self.known.values(), self.others)


TABLES = {
    "bovada": Group(("bovada-6max-2019/bovada-6max-2019.phhs.xz",), {}, "bovada"),
    "pokerstars": Group(
        (
            "pokerstars-nl50-9max-2021/pokerstars-nl50-9max-2021.phhs.xz",
            "pokerstars-zoom-6max-2018/pokerstars-zoom-6max-2018.phhs.xz",
        ),
        {},
        "pokerstars",
    ),
    "six-handed": Group(("pluribus-6max-2019/pluribus-6max-2019.log.xz",), {"Pluribus": "pluribus"}, "pros"),
    "heads-up": Group(
        ("deepstack-vs-pros-2016/deepstack-vs-pros-2016.log.xz",), {"DeepStack": "deepstack"}, "pros heads-up"
    ),
}
#: The persona of a group.
PERSONA: dict[str, Any] = {
    "bovada": "bovada", "pokerstars": "pokerstars", "pros": "pros", "pros heads-up": "pros",
    "pluribus": "pluribus", "deepstack": "deepstack",
}  # fmt: skip
#: Hands of a piece of dealing, and of a block of recorded hands: what errors are clustered by.
PIECE, BLOCK = 100, 100
#: ``fit``: rounds, hands dealt in each, and decisions that the model counts for beside those counted.
ROUNDS, FIT_HANDS, WEIGHT = 6, 20_000, 25.0
#: How far a logit may be moved in a round, and in all.
STEP, MAX_SHIFT = 1.0, 4.0
SEED = 9100


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """What one group did in some hands: tracker counters, and decisions by situation and native column."""

    hands: int
    counters: I64
    acts: I64

    def __add__(self, other: Counted) -> Counted:
        return Counted(self.hands + other.hands, self.counters + other.counters, self.acts + other.acts)


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _say_left_out(hands: int, what: str) -> None:
    if hands:
        _say(f"{hands:,} hands left out that cannot be {what}")


@cache
def records_of(folder: str, table: str) -> tuple[HandRecord, ...]:
    """All recorded hands of a kind of table, those that cannot be read left out."""
    left_out: list[int] = []
    records = tuple(
        record
        for name in TABLES[table].files
        for record in file_records(Path(folder) / name, rejected=lambda line, _: left_out.append(line))
    )
    _say_left_out(len(left_out), "read")
    return records


def group_names(record: HandRecord, table: str) -> tuple[str, ...]:
    """The group of each position of a recorded hand."""
    names = record.names or ("",) * record.spec.players
    return tuple(TABLES[table].of(name) for name in names)


def rows_of(record: HandRecord) -> tuple[AnyArray, I64]:
    """The decisions taken in a hand, and their native columns."""
    rows = spot_rows(record)
    rows = rows[rows["did"] != NOTHING]
    return rows, np.array([class_of_kernel(rows, i, False) for i in range(len(rows))], np.int64)


def counted(batch: HandBatch, rows: AnyArray, players: I64) -> dict[str, Counted]:
    """Count hands by name.

    Args:
        batch: the hands.
        rows: their decisions, those of hands that cannot be replayed left out.
        players: ``int64[rows]``: the number of each decision's name.
    """
    table = StatsTable()
    table.add(batch)
    acts = np.zeros((len(batch.names), SITUATIONS, ACTION_CLASSES), np.int64)
    for i, player in enumerate(players.tolist()):
        acts[player, situation_kernel(rows, i), class_of_kernel(rows, i, False)] += 1
    hands = dict(table.players())
    return {
        name: Counted(hands[name], table.player(name).counts.sum(axis=0), done)
        for name, done in zip(batch.names, acts, strict=True)
        if name in hands and done.any()
    }


def count(records: Sequence[HandRecord], groups: Sequence[Sequence[str]]) -> dict[str, Counted]:
    """Count recorded hands; ``groups`` by hand and position."""
    batch = batch_of([msgspec.structs.replace(r, names=tuple(g)) for r, g in zip(records, groups, strict=True)])
    parts, players = [], []
    refused = 0
    for i, record in enumerate(records):
        try:
            rows, _ = rows_of(record)
        except RulesError:
            refused += 1
            continue
        parts.append(rows)
        players.append(batch.players[i, rows["position"]])
    _say_left_out(refused, "replayed")
    return counted(batch, np.concatenate(parts), np.concatenate(players))


def batch_of_played(played: Played, names: Sequence[str], players: I64) -> HandBatch:
    """Played hands to be counted; ``players`` ``int64[hands, players]``: numbers of names."""
    rows, hands = played.rows, len(played)
    kinds = np.where(rows["did"] >= DID_BET, RAISE, np.where(rows["did"] == DID_FOLD, FOLD, CALL))
    wide = np.zeros((3, hands, MAX_PLAYERS), np.int64)
    wide[2] = -1
    for part, values in zip(wide, (played.stacks, played.payoffs, players), strict=True):
        part[:, : played.spec.players] = values
    return HandBatch(
        specs=played.spec.array, spec_of=np.zeros(hands, np.int64), stacks=wide[0], first=played.first,
        kind=kinds.astype(np.uint8), to=np.where(kinds == RAISE, rows["to"], 0), payoffs=wide[1], players=wide[2],
        names=names, ids=np.arange(hands),
    )  # fmt: skip


def dealt(
    folder: str, table: str, hands: int, habits: Mapping[str, PersonaHabits], seed: int, piece: int = PIECE
) -> list[dict[str, Counted]]:
    """Count hands dealt to personas with these corrections, in pieces of so many hands."""
    setups, groups = records_of(folder, table), TABLES[table].names
    tables: dict[tuple[GameSpec, tuple[str, ...]], list[int]] = {}
    drawn = [int(Rng(seed, 0, k).uniform() * len(setups)) for k in range(hands)]
    for k, setup in enumerate(drawn):
        record = setups[setup]
        # One game for all stacks.
        spec = msgspec.structs.replace(record.spec, stacks=(max(record.spec.blinds),) * record.spec.players)
        tables.setdefault((spec, group_names(record, table)), []).append(k)
    pieces: list[dict[str, Counted]] = [{} for _ in range(-(-hands // piece))]
    for number, ((spec, names), which) in enumerate(tables.items()):
        who = [Player(Persona(PERSONA[name]).group(spec.players)[0], habits.get(name)) for name in names]
        stacks = np.array([setups[drawn[k]].stacks for k in which])
        played = play_hands(spec, who, len(which), seed=seed + number, stacks=stacks)
        # The same name in each piece, so that all are counted at once.
        players = (np.array(which) // piece)[:, None] * len(groups) + [groups.index(name) for name in names]
        of = np.repeat(np.arange(len(which)), np.diff(played.first))
        labels = {f"{k}:{name}": (counts, name) for k, counts in enumerate(pieces) for name in groups}
        batch = batch_of_played(played, tuple(labels), players)
        for label, one in counted(batch, played.rows, players[of, played.rows["position"]]).items():
            counts, name = labels[label]
            counts[name] = counts[name] + one if name in counts else one
    return pieces


# fitting -------------------------------------------------------------------------------------------------------------


def sizes_of(records: Iterable[HandRecord], table: str) -> dict[str, tuple[tuple[tuple[float, ...], ...], ...]]:
    """Five equally likely sizes of each native class, by group and size situation."""
    seen: dict[tuple[str, int, int], list[float]] = {}
    for record in records:
        names = group_names(record, table)
        try:
            rows, columns = rows_of(record)
        except RulesError:
            continue  # counted and said where the group is counted
        pots = rows["pot"] + rows["to_call"]
        sizes = (rows["to"] - rows["total"] - rows["to_call"]) / np.maximum(pots, 1)
        for i in np.flatnonzero((columns >= 2) & (columns < ACTION_CLASSES - 1)).tolist():
            key = names[rows["position"][i]], size_situation_kernel(rows, i), int(columns[i])
            seen.setdefault(key, []).append(float(sizes[i]))

    def some(values: list[float]) -> tuple[float, ...]:
        if len(values) < 5:
            return ()
        return tuple(round(float(x), 3) for x in np.quantile(values, (0.1, 0.3, 0.5, 0.7, 0.9), method="nearest"))

    return {
        name: tuple(
            tuple(some(seen.get((name, place, column), [])) for column in range(2, ACTION_CLASSES - 1))
            for place in range(SIZE_SITUATIONS)
        )
        for name in TABLES[table].names
    }


def moved(shifts: F64, real: I64, mine: I64, part: float = 1.0) -> F64:
    """Shifts after a round: by ``part`` of the log of how much more often the group does each thing."""
    frequency = (mine + 0.5) / (mine + 0.5).sum(axis=1, keepdims=True)
    wanted = (real + WEIGHT * frequency) / (real.sum(axis=1, keepdims=True) + WEIGHT)
    reach = mine.sum(axis=1, keepdims=True) / (mine.sum(axis=1, keepdims=True) + 30.0)
    step = part * reach * np.log(wanted / frequency)
    step -= (step * frequency).sum(axis=1, keepdims=True)
    return np.asarray(np.clip(shifts + np.clip(step, -STEP, STEP), -MAX_SHIFT, MAX_SHIFT))


def fit(folder: str, tables: Sequence[str]) -> None:
    """Fit the corrections of the personas of some tables and write them beside the others."""
    habits: dict[str, PersonaHabits] = {}
    for table in tables:
        records = records_of(folder, table)
        real = count(records, [group_names(r, table) for r in records])
        sizes = sizes_of(records, table)
        shifts = {name: np.zeros((SITUATIONS, ACTION_CLASSES)) for name in TABLES[table].names}
        for step in range(ROUNDS + 1):
            habits |= {
                name: PersonaHabits(
                    shifts=tuple(tuple(round(float(x), 2) for x in row) for row in shifts[name]),
                    sizes=sizes[name],
                    hands=real[name].hands,
                )
                for name in shifts
            }
            if step == ROUNDS:
                break
            (mine,) = dealt(folder, table, FIT_HANDS, habits, SEED + 1000 * step, FIT_HANDS)
            for name in shifts:
                acts, own = real[name].acts, mine[name].acts
                gap = np.abs(own / own.sum() - acts / acts.sum()).sum() / 2
                _say(f"{table} {name}, round {step + 1}: {gap:.4f} of the decisions differ")
                shifts[name] = moved(shifts[name], acts, own, min(1.0, 2 / (step + 1)))
    others = msgspec.json.decode(PERSONA_FILE.read_bytes(), type=dict[str, PersonaHabits])
    write_whole(PERSONA_FILE, msgspec.json.encode(others | habits, order="sorted") + b"\n")


# the page ------------------------------------------------------------------------------------------------------------


#: Rows of the page: statistics of the tracker by name, in percent (factors as they are).
STATISTICS = (
    *("vpip", "pfr", "limp", "3bet", "fold-to-3bet", "4bet", "steal", "cbet-flop", "fold-to-cbet-flop"),
    *("cbet-turn", "check-raise", "donk-flop", "af", "afq", "wtsd", "wsd"),
)


class Line(NamedTuple):
    """A statistic of both: value, standard error, opportunities."""

    name: str
    real: tuple[float, float, int]
    mine: tuple[float, float, int]

    @property
    def inside(self) -> bool:
        """Whether the persona's is in the 95 % interval of the real value, its own error included."""
        (a, x, _), (b, y, _) = self.real, self.mine
        return bool(abs(a - b) <= 1.96 * np.hypot(x, y))


def ratio(over: F64, under: F64) -> tuple[float, float, int]:
    """A ratio of sums over blocks, its standard error by the delta method, and the sum below."""
    n = float(under.sum())
    if not n:
        return float("nan"), float("nan"), 0
    value = float(over.sum()) / n
    left = over - value * under
    blocks = len(under)
    return value, float(np.sqrt(blocks / max(blocks - 1, 1) * (left**2).sum()) / n), round(n)


def lines_of(real: Sequence[Counted], mine: Sequence[Counted]) -> Iterator[Line]:
    """Every statistic of a group, from blocks of both."""
    both = [split_counters(np.array([c.counters for c in blocks])) for blocks in (real, mine)]
    index = {row.name: k for k, row in enumerate(DEFINITIONS)}
    for name in STATISTICS:
        row = DEFINITIONS[index[name]]
        two = []
        for counts in both:
            n, done = counts.rates[:, index[name]].T.astype(float)
            value = ratio(done, n - done if row.factor else n)
            two.append(value if row.factor else (100 * value[0], 100 * value[1], value[2]))
        yield Line(row.title, *two)
    for g, group in enumerate(SIZE_GROUPS):
        sizes, shoves = [], []
        for counts in both:
            bets = counts.bets[:, g].astype(float)
            some, shove = bets[:, : len(SIZE_CLASSES)], bets[:, len(SIZE_CLASSES) - 1]
            usual = some.sum(axis=1) - shove
            sizes.append(ratio(bets[:, len(SIZE_CLASSES)] / 1000, usual))
            share = ratio(shove, some.sum(axis=1))
            shoves.append((100 * share[0], 100 * share[1], share[2]))
        yield Line(f"mean {group}, pots", *sizes)
        yield Line(f"{group}s all-in", *shoves)


def blocks_of(records: Sequence[HandRecord], table: str) -> Iterator[dict[str, Counted]]:
    """Recorded hands in blocks: sections of the log, else runs of hands."""
    block: list[HandRecord] = []
    for record in records:
        if block and (record.section != block[0].section or (not record.section and len(block) == BLOCK)):
            yield count(block, [group_names(r, table) for r in block])
            block = []
        block.append(record)
    yield count(block, [group_names(r, table) for r in block])


_INTRODUCTION = """\
# Personas beside the players that they stand for

`persona:bovada`, `persona:pokerstars`, `persona:pros`, `persona:pluribus` and `persona:deepstack` act by the trained
reader's [action model](../how/reader-model.md) of a population: the two cards are looked up, and an action is drawn.
`persona:pros` plays as the six-handed professionals, with two players as those who met DeepStack. No network was
trained on PokerStars' tables, whose folded hands are unknown: that persona starts from the model of the small online
games of Bovada.

The model says which hands do what. How often a group acts at all was then counted in 47 kinds of situation, and the
logits of the model were moved until hands dealt to personas showed the same frequencies (`fit`); sizes within a class
of bets are those that the group made. Only betting is counted, no cards. `persona:NAME,counted=off` is the model alone.

A dealt hand has the players, stacks and blinds of a recorded one and new cards; a persona sits wherever a member of its
group sat. Real values and their 95 % intervals come from sections of the logs or blocks of 100 hands, the personas'
from pieces of 100 hands. A statistic is *inside* if the difference is within the 95 % interval of both errors together.
The real hands are those that the frequencies were counted on, so this table tests what was not fitted: showdowns,
wins, streets that follow from each other, sizes in all. About one statistic in twenty is outside by chance.

```
python tools/personas.py fit DATA
python tools/personas.py table DATA --hands 100000 --page docs/results/personas.md
```

| persona (group) | hands dealt | real players' hands | inside | outside |
| --- | --- | --- | --- | --- |"""


def page(folder: str, tables: Sequence[str], hands: int, target: str) -> None:
    """Write the tables of personas, from so many dealt hands for each kind of table."""
    short, long = [], []
    for table in tables:
        group = TABLES[table]
        pieces = dealt(folder, table, hands, persona_habits(), SEED + 1)
        blocks = list(blocks_of(records_of(folder, table), table))
        for name in group.names:
            real = [b[name] for b in blocks if name in b]
            mine = [p[name] for p in pieces if name in p]
            lines = [line for line in lines_of(real, mine) if line.real[2] >= 50 and line.mine[2] >= 50]
            outside = [line.name for line in lines if not line.inside]
            persona = f"persona:{PERSONA[name]}"
            short.append(
                f"| `{persona}` ({name}) | {hands:,} | {sum(b.hands for b in real):,} | {len(lines) - len(outside)} of "
                f"{len(lines)} | {', '.join(outside) or 'none'} |"
            )
            long.append(f"\n## {name}: `{persona}`\n")
            long.append(
                f"{hands:,} hands dealt, {sum(b.hands for b in mine):,} players' hands; recorded: "
                f"{sum(b.hands for b in real):,} players' hands in {len(real):,} blocks.\n"
            )
            long += [
                "| statistic | real ± 95 % | n | persona ± 95 % | n | inside |",
                "| --- | --- | --- | --- | --- | --- |",
            ]
            for line in lines:
                (a, x, n), (b, y, m) = line.real, line.mine
                digits = 2 if "pots" in line.name or "factor" in line.name else 1
                long.append(
                    f"| {line.name} | {a:.{digits}f} ± {1.96 * x:.{digits}f} | {n:,} | {b:.{digits}f} ± "
                    f"{1.96 * y:.{digits}f} | {m:,} | {'yes' if line.inside else '**outside**'} |"
                )
    with open_whole(target) as file:
        file.write("\n".join([_INTRODUCTION, *short, *long]) + "\n")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("fit", "table"))
    parser.add_argument("folder", help="hand histories")
    parser.add_argument("--table", choices=tuple(TABLES), action="append", help="kinds of table; default: all")
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--page", default="docs/results/personas.md")
    options = parser.parse_args()
    tables = options.table or list(TABLES)
    if options.what == "fit":
        fit(options.folder, tables)
    else:
        page(options.folder, tables, options.hands, options.page)


if __name__ == "__main__":
    main()
