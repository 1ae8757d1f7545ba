"""Personas beside the players that they stand for: fits their corrections, and measures how like them they play.

    python tools/personas.py fit FOLDER            # writes agents/_persona/personas.json
    python tools/personas.py deal FOLDER --table bovada --hands 100000 --minutes 15 --out WORK
    python tools/personas.py table FOLDER --out WORK --page docs/results/personas.md

FOLDER holds the hand histories. A dealt hand takes players, stacks and blinds of a recorded hand, draws new cards, and
seats a persona wherever a member of its group sat. ``deal`` keeps finished pieces and goes on where it stopped.

``fit`` counts what the group did in each kind of situation, deals hands with the personas, and moves the logits of the
action model by the difference, a few times over. Only betting is counted, no cards: the model alone says which hands
do what.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import msgspec
import numpy as np

from dupai.agents.persona import Persona
from dupai.base import Rng, RulesError
from dupai.base.arrays import F64, I64, AnyArray
from dupai.base.files import open_whole, write_whole
from dupai.history import file_records
from dupai.history.stats import DEFINITIONS, SIZE_CLASSES, SIZE_GROUPS, StatsTable, batch_of, split_counters
from dupai.jobs import Keeper
from dupai.playouts import (
    PERSONA_FILE,
    SITUATIONS,
    SIZE_SITUATIONS,
    PersonaHabits,
    persona_habits,
    situation_kernel,
    size_situation_kernel,
)
from dupai.reading.features import ACTION_CLASSES, class_of_kernel
from dupai.rules import RAISE, Action, HandRecord, HandState
from dupai.spots import NOTHING, spot_rows


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
#: Hands of a piece dealt on the same board: what the model works out for it serves them all.
ON_A_BOARD = 10
#: ``fit``: rounds, hands dealt in each, and decisions that the model counts for beside those counted.
ROUNDS, FIT_HANDS, WEIGHT = 6, 4000, 25.0
#: How far a logit may be moved in a round, and in all.
STEP, MAX_SHIFT = 1.0, 4.0
SEED = 9100


class Counted(msgspec.Struct):
    """What one group did in some hands: tracker counters, and decisions by situation and native column."""

    hands: int
    counters: list[int]
    acts: list[list[int]]


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


def count(records: Sequence[HandRecord], groups: Sequence[Sequence[str]]) -> dict[str, Counted]:
    """Count hands; ``groups`` by hand and position."""
    table = StatsTable()
    acts: dict[str, I64] = {}
    renamed = [msgspec.structs.replace(r, names=tuple(g)) for r, g in zip(records, groups, strict=True)]
    table.add(batch_of(renamed))
    refused = 0
    for record, names in zip(records, groups, strict=True):
        try:
            rows, columns = rows_of(record)
        except RulesError:
            refused += 1
            continue
        places = [situation_kernel(rows, i) for i in range(len(rows))]
        for place, column, position in zip(places, columns, rows["position"], strict=True):
            name = names[position]
            if name not in acts:
                acts[name] = np.zeros((SITUATIONS, ACTION_CLASSES), np.int64)
            acts[name][place, column] += 1
    _say_left_out(refused, "replayed")
    return {
        name: Counted(hands, table.player(name).counts.sum(axis=0).tolist(), acts[name].tolist())
        for name, hands in table.players()
        if name in acts
    }


def deal(record: HandRecord, personas: Sequence[Persona], board: Sequence[int], rng: Rng) -> HandRecord:
    """A hand of personas with players, stacks and blinds of a recorded one, on a board."""
    deck = [c for c in range(52) if c not in board]
    rng.shuffle(deck)
    hole = [(deck[2 * p], deck[2 * p + 1]) for p in range(record.spec.players)]
    state = HandState(record.spec, hole, board, record.stacks, hand=record.hand)
    while (position := state.actor) >= 0:
        action = personas[position].act(state.view(position), rng)
        if action.kind == RAISE and not state.raise_can_be_called:
            action = Action.call()
        state.apply(action)
    return state.record()


def dealt(
    folder: str, table: str, start: int, hands: int, personas: dict[str, Persona], seed: int
) -> dict[str, Counted]:
    """Count ``hands`` dealt hands from number ``start`` on."""
    setups = records_of(folder, table)
    records, groups = [], []
    board: list[int] = []
    for k in range(start, start + hands):
        if not board or k % ON_A_BOARD == 0:
            deck = list(range(52))
            Rng(seed, 0, k, 3).shuffle(deck)
            board = deck[:5]
        setup = setups[int(Rng(seed, 0, k, 1).uniform() * len(setups))]
        names = group_names(setup, table)
        records.append(deal(setup, [personas[name] for name in names], board, Rng(seed, 0, k, 2)))
        groups.append(names)
    return count(records, groups)


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
        personas = {name: Persona(PERSONA[name]) for name in TABLES[table].names}
        for step in range(ROUNDS + 1):
            habits |= {
                name: PersonaHabits(
                    shifts=tuple(tuple(round(float(x), 2) for x in row) for row in shifts[name]),
                    sizes=sizes[name],
                    hands=real[name].hands,
                )
                for name in shifts
            }
            for persona in personas.values():
                persona.habits = habits
            if step == ROUNDS:
                break
            mine = dealt(folder, table, step * FIT_HANDS, FIT_HANDS, personas, SEED)
            for name in shifts:
                acts, own = np.array(real[name].acts), np.array(mine[name].acts)
                gap = np.abs(own / own.sum() - acts / acts.sum()).sum() / 2
                _say(f"{table} {name}, round {step + 1}: {gap:.4f} of the decisions differ")
                shifts[name] = moved(shifts[name], acts, own, min(1.0, 2 / (step + 1)))
    others = msgspec.json.decode(PERSONA_FILE.read_bytes(), type=dict[str, PersonaHabits])
    write_whole(PERSONA_FILE, msgspec.json.encode(others | habits, order="sorted") + b"\n")


# dealing and the page ------------------------------------------------------------------------------------------------


def keeper_of(work: str, table: str) -> Keeper:
    """Finished pieces of a table's hands."""
    habits = {
        name: crc32(msgspec.json.encode(persona_habits().get(name, PersonaHabits()))) for name in TABLES[table].names
    }
    return Keeper(Path(work) / f"{table}.db", {"habits": habits, "piece": [PIECE, ON_A_BOARD], "seed": SEED + 1})


def run(folder: str, table: str, hands: int, minutes: float, work: str) -> None:
    """Deal hands until there are enough or the time is over; goes on where an earlier run stopped."""
    end = time.monotonic() + 60 * minutes
    personas = {name: Persona(PERSONA[name]) for name in TABLES[table].names}
    Path(work).mkdir(parents=True, exist_ok=True)
    with keeper_of(work, table) as keeper:
        for piece in range(-(-hands // PIECE)):
            if time.monotonic() > end:
                _say(f"{table}: stopped at {piece * PIECE:,} hands: the time is over")
                return
            if keeper.get(piece) is None:
                keeper.put(piece, dealt(folder, table, piece * PIECE, PIECE, personas, SEED + 1))
    _say(f"{table}: {hands:,} hands")


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
    both = [split_counters(np.array([c.counters for c in blocks], np.int64)) for blocks in (real, mine)]
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
python tools/personas.py deal DATA --hands 100000 --minutes 15 --out personas
python tools/personas.py table DATA --out personas --page docs/results/personas.md
```

| persona (group) | hands dealt | real players' hands | inside | outside |
| --- | --- | --- | --- | --- |"""


def page(folder: str, work: str, target: str) -> None:
    """Write the tables of all personas."""
    short, long = [], []
    for table, group in TABLES.items():
        if not (Path(work) / f"{table}.db").exists():
            continue
        with keeper_of(work, table) as keeper:
            keys = sorted(keeper.keys(), key=int)
            pieces = [keeper.get(key, dict[str, Counted]) or {} for key in keys]
        if not pieces:
            continue
        blocks = list(blocks_of(records_of(folder, table), table))
        for name in group.names:
            real = [b[name] for b in blocks if name in b]
            mine = [p[name] for p in pieces if name in p]
            lines = [line for line in lines_of(real, mine) if line.real[2] >= 50 and line.mine[2] >= 50]
            outside = [line.name for line in lines if not line.inside]
            hands = len(pieces) * PIECE
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
    parser.add_argument("what", choices=("fit", "deal", "table"))
    parser.add_argument("folder", help="hand histories")
    parser.add_argument("--table", choices=tuple(TABLES), action="append", help="kinds of table; default: all")
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--minutes", type=float, default=15.0, help="for each kind of table")
    parser.add_argument("--out", default="personas", help="folder of finished pieces")
    parser.add_argument("--page", default="docs/results/personas.md")
    options = parser.parse_args()
    tables = options.table or list(TABLES)
    if options.what == "fit":
        fit(options.folder, tables)
    elif options.what == "deal":
        for table in tables:
            run(options.folder, table, options.hands, options.minutes, options.out)
    else:
        page(options.folder, options.out, options.page)


if __name__ == "__main__":
    main()
