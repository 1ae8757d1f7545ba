"""Experience: Gao, Xu, Wang, Bai, Cao, "System architecture of Texas Hold'em based on experience", CAAI Transactions on
Intelligent Systems, 2020: its hash table of hand ranks, and its players against each other and others."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from dupai.arena import play_match
from dupai.base import Estimate, Rng
from dupai.cards import (
    CARD_MASK,
    CARDS,
    COMBO_CARDS,
    ZOBRIST_HANDS,
    ZobristTable,
    cards,
    stored_hands,
    strengths,
    zobrist_collisions,
    zobrist_keys,
)
from dupai.experiments._experience_cnn import CNN_PART, Watch
from dupai.experiments._experience_known import FEW, KNOWN_PART, pooled
from dupai.experiments._paper import Cell, Paper, Part, Row, Section, Size, Table
from dupai.jobs import Pulse
from dupai.reading import reader_names
from dupai.rules import Action, GameSpec, HandState, View

# the hash table ---------------------------------------------------------------------------------------------------

#: Sizes of the base table in MB, and the collisions that the paper prints.
PRINTED = {16: 555_067, 32: 332_746, 64: 172_883, 128: 90_545, 1024: 13_517, 2048: 4_537}
MEGABYTES = (16, 32, 64, 128, 256, 512, 1024, 2048)
#: Up to this size the paper's figures and the estimate have to agree within 5 %; above within three standard errors.
_CLOSE = 128
#: Seconds that the paper's flop search takes.
PAPER_SECONDS = "59-63"
_SEEDS = 10
#: Showdowns judged between two questions whether to stop.
_CHUNK = 50_000


@dataclass(frozen=True)
class Collisions:
    """Collisions of tables of all sizes for so many seeds of the cards' random numbers."""

    first: int
    seeds: int


def birthday(megabytes: int) -> float:
    """Expected collisions if every stored hand had a slot drawn at random."""
    slots = megabytes * (1 << 20) / 16
    return ZOBRIST_HANDS + slots * math.expm1(ZOBRIST_HANDS * math.log1p(-1 / slots))


def count_collisions(task: Collisions, pulse: Pulse) -> list[list[int]] | None:
    """Collisions by seed and size."""
    found = []
    for seed in range(task.first, task.first + task.seeds):
        if not pulse.step():
            return None
        key = stored_hands(zobrist_keys(seed))[0]
        found.append([zobrist_collisions(seed, size, key) for size in MEGABYTES])
    return found


@dataclass(frozen=True)
class LookUps:
    """Rates of look-ups and times of searches: so many hands a round, rounds."""

    hands: int
    rounds: int


def _rate(work: Callable[[], object], units: int, rounds: int) -> float:
    """Median of units a second."""
    rates = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        rates.append(units / (time.process_time() - start))
    return statistics.median(rates)


def search_position(hole: str = "AsKh", board: str = "9d8s7d") -> View:
    """The position that the paper times: AsKh on 9d8s7d, first to act after a raise and a call; later streets after
    checks."""
    state = HandState(GameSpec.no_limit(2), [hole, None], board)
    state.apply(Action.raise_to(300))
    state.apply(Action.call())
    while state.street < len(board) // 2 - 2:
        state.apply(Action.call())
    return state.view(0)


def showdowns() -> npt.NDArray[np.uint8]:
    """``uint8[1070190, 9]``: every turn, river and hand of the opponent there: the board, our hand, his."""
    hole, flop = cards("AsKh"), cards("9d8s7d")
    rest = [c for c in range(CARDS) if c not in (*hole, *flop)]
    boards = np.array([(*flop, t, r) for t, r in combinations(rest, 2)], np.uint8)
    theirs = COMBO_CARDS[np.isin(COMBO_CARDS, rest).all(axis=1)]
    rows = np.empty((len(boards), len(theirs), 9), np.uint8)
    rows[:, :, :5] = boards[:, None]
    rows[:, :, 5:7] = hole
    rows[:, :, 7:] = theirs
    flat = rows.reshape(-1, 9)
    clash = (flat[:, 3:5, None] == flat[:, None, 7:]).any(axis=(1, 2))
    return np.ascontiguousarray(flat[~clash])


def measure_look_ups(task: LookUps, pulse: Pulse) -> dict[str, Any] | None:
    """Rates in hands a second, times in seconds: of the processor, so that other work beside it does not count."""
    table = ZobristTable(128, 128)
    rng = Rng(5)
    deck = list(range(CARDS))
    seven = np.empty((task.hands, 7), np.uint8)
    for row in seven:
        rng.shuffle(deck)
        row[:] = deck[:7]
    masks = CARD_MASK[seven].sum(axis=1, dtype=np.uint64)
    five = np.ascontiguousarray(seven[:, :5])
    found: dict[str, Any] = {
        "five": _rate(lambda: table.values(five), task.hands, task.rounds),
        "seven": _rate(lambda: table.values(seven), task.hands, task.rounds),
        "fast": _rate(lambda: strengths(masks), task.hands, task.rounds),
    }
    rows = showdowns()
    found["showdowns"] = float(len(rows))
    for name in ("hash", "own"):
        spent, won = 0.0, 0
        for k in range(0, len(rows), _CHUNK):
            if not pulse.step():
                return None
            block = rows[k : k + _CHUNK]
            ours, his = np.ascontiguousarray(block[:, :7]), np.ascontiguousarray(np.delete(block, (5, 6), axis=1))
            if name == "own":
                ours, his = (CARD_MASK[hands].sum(axis=1, dtype=np.uint64) for hands in (ours, his))
            start = time.process_time()
            judged = (table.values(ours), table.values(his)) if name == "hash" else (strengths(ours), strengths(his))
            spent += time.process_time() - start
            won += int((judged[0] > judged[1]).sum())
        found[f"{name} seconds"], found[f"{name} won"] = spent, float(won)
    return found | {"trees": _tree_times(pulse)}


#: Searches that are timed, and on how many streets (from the flop on).
SEARCHES = (
    ("own nodes by the rules", "exp", 3),
    ("own nodes maximising", "exp:own=max", 3),
    ("own nodes by the rules, every turn and river", "exp:turns=0,rivers=0", 1),
    ("own nodes by the rules, as in the matches", "exp:turns=8,rivers=3", 1),
    ("opponent by our network", "exp:model=cnn", 3),
    ("opponent by our network, as in the matches", "exp:model=cnn,turns=3,rivers=2,last=8", 3),
)
_BOARDS = {"flop": ("9d8s7d", "Jc6h2s"), "turn": ("9d8s7d2c", "Jc6h2s5d"), "river": ("9d8s7d2c3h", "Jc6h2s5dTc")}


def _tree_times(pulse: Pulse) -> dict[str, list[float]]:
    """Seconds, leaf evaluations, hands judged at them, boards, by search and street; medians of three."""
    from dupai.agents import advise, make_agent

    found: dict[str, list[float]] = {}
    for name, spec, streets in SEARCHES:
        if "cnn" in spec and "cnn" not in reader_names():
            continue
        for street, (board, other) in list(_BOARDS.items())[:streets]:
            told = []
            for _ in range(3):
                pulse.step()
                # Other cards before: the kernels are ready, and nothing is known of these cards.
                advise(make_agent(spec), search_position("QcJd", other), Rng(1))
                agent = make_agent(spec)
                start = time.process_time()
                numbers = advise(agent, search_position(board=board), Rng(1)).numbers
                spent = time.process_time() - start
                told.append([spent, numbers["leaves"], numbers["judged"], numbers["boards"]])
            found[f"{street}, {name}"] = sorted(told)[1]
    return found


def hash_cells(size: Size, seed: int) -> Sequence[Cell]:
    seeds = 200 if size == "full" else 100
    first = seed * 1_000_000
    cells = [
        Cell(key=f"seeds {k}", work=count_collisions, task=Collisions(first + k, _SEEDS))
        for k in range(0, seeds, _SEEDS)
    ]
    rates = LookUps(200_000, 5) if size == "full" else LookUps(50_000, 3)
    return [*cells, Cell(key="look-ups", work=measure_look_ups, task=rates)]


def hash_section(results: Mapping[str, Any], size: Size) -> Section:
    blocks = [np.array(v) for k, v in results.items() if k.startswith("seeds")]
    rows: list[Row] = []
    lines: list[tuple[Any, ...]] = []
    findings: list[str] = []
    if blocks:
        counts = np.concatenate(blocks)
        for column, megabytes in enumerate(MEGABYTES):
            mine = counts[:, column]
            ours = Estimate.of(mine)
            expected = birthday(megabytes)
            off = ours.mean / expected - 1
            close = abs(off) <= 0.05 if megabytes <= _CLOSE else abs(ours.mean - expected) <= 3 * ours.se
            printed = PRINTED.get(megabytes)
            below = None if printed is None else 100 * float(np.mean(mine < printed) + np.mean(mine == printed) / 2)
            rows.append(
                Row(
                    label=f"collisions, {megabytes} MB",
                    paper=printed,
                    ours=ours,
                    seeds=f"{len(mine)}",
                    agrees=None if printed is None else bool(mine.min() <= printed <= mine.max()),
                    why="" if below is None else f"the paper's figure is at percentile {below:.1f} of our seeds",
                )
            )
            lines.append(
                (
                    f"{megabytes} MB",
                    printed,
                    ours,
                    expected,
                    f"{100 * off:+.2f} %, {(ours.mean - expected) / ours.se:+.1f} se",
                    "yes" if close else "no",
                    f"{mine.min():,}-{mine.max():,}",
                    None if below is None else f"{below:.1f}",
                )
            )
    tables = []
    if lines:
        columns = (
            "base table",
            "paper",
            "mean of our seeds",
            "birthday estimate",
            "off by",
            "within the limit",
            "least-most",
            "paper's percentile",
        )
        note = "Limits: 5 % up to 128 MB, three standard errors above."
        tables.append(Table(title="Collisions by size", columns=columns, rows=tuple(lines), note=note))
    if (found := results.get("look-ups")) is not None:
        tables += _look_up_tables(found)
        rows.append(
            Row(
                label="flop search AsKh on 9d8s7d, staged tree of exp",
                paper=PAPER_SECONDS,
                ours=found["trees"]["flop, own nodes by the rules"][0],
                unit="s",
                agrees=None,
                why="all hands of the opponent in one sweep, sampled boards",
            )
        )
        same = found["hash won"] == found["own won"]
        findings.append(
            f"Both evaluators give {'the same' if same else 'DIFFERENT'} winners: {found['own won']:,.0f} of "
            f"{found['showdowns']:,.0f} showdowns are won."
        )
    return Section(
        text="Every five-card hand better than high card goes into the table, seed after seed; rates and times are of "
        "a table of 128 MB with an overflow table of 128 MB, seconds those of one core (processor time).",
        rows=tuple(rows),
        tables=tuple(tables),
        findings=tuple(findings),
    )


def _look_up_tables(found: Mapping[str, Any]) -> list[Table]:
    rates = Table(
        title="Rates",
        columns=("what", "million a second"),
        rows=(
            ("five cards, hash table (one look-up)", found["five"] / 1e6),
            ("seven cards, hash table (21 look-ups)", found["seven"] / 1e6),
            ("seven cards, our evaluator", found["fast"] / 1e6),
        ),
    )
    n = found["showdowns"]
    times = Table(
        title="AsKh on 9d8s7d (turn 2c, river 3h)",
        columns=("search", "seconds", "leaf evaluations", "hands judged at them", "boards"),
        rows=(
            ("hand by hand, every showdown, hash table", found["hash seconds"], n, n, 1081.0),
            ("hand by hand, every showdown, our evaluator", found["own seconds"], n, n, 1081.0),
            *((f"staged tree: {name}", *told) for name, told in found["trees"].items()),
        ),
        note="Hand by hand: 1,081 hands times 990 runouts, both hands judged at each, for one line of betting; a "
        "search that does so for each of n lines takes n times as long.",
    )
    return [rates, times]


# the players ------------------------------------------------------------------------------------------------------

#: Our players by the paper's names. The tree looks at fewer cards than by default: matches are long.
PLAYERS = {
    "exp+exp": "exp:turns=8,rivers=3",
    "exp+cnn": "exp:model=cnn,turns=3,rivers=2,last=8",
    "expert": "expert",
}
#: Table 4: chips that the first wins from the second in 1,000 hands; the paper's human is the author of the rules.
TABLE4 = {("exp+cnn", "exp+exp"): 32_620, ("exp+cnn", "expert"): 92_561, ("exp+exp", "expert"): 631}
#: What everyone is measured against.
STRANGERS = ("style:LA", "style:LP", "style:TA", "style:TP", "rules")
#: Fast enough for a match: a tenth of its usual simulations.
MCTS = "mcts:simulations=1000"
#: Deals of a cell; of one with the network, which is slower; hands of a cell of table 4.
_BLOCK, _SLOW_BLOCK, _TABLE4_BLOCK = 100, 25, 100


@dataclass(frozen=True)
class Match:
    """Hands of ``first`` against ``second``; ``table4``: as in the paper, plain, and the small blind acts first after
    the flop too."""

    first: str
    second: str
    hands: int
    seed: int
    table4: bool


def play_cell(task: Match, pulse: Pulse) -> dict[str, Any] | None:
    """Result of the first player: chips; mbb/hand with and without luck."""
    game = GameSpec.no_limit(2, first_player=(1, 1, 1, 1)) if task.table4 else None
    watch = Watch(pulse)
    result = play_match(
        [task.first, task.second],
        hands=task.hands,
        duplicate=not task.table4,
        luck_reduced=not task.table4,
        seed=task.seed,
        game=game,
        progress=watch,
    )
    if watch.cancelled or result.partial:
        return None
    one = result.players[0]
    reduced = one.luck_reduced
    return {
        "chips": one.chips,
        "hands": result.hands,
        "plain": [one.mbb.mean, one.mbb.se, one.mbb.n],
        "reduced": None if reduced is None else [reduced.mbb.mean, reduced.mbb.se, reduced.mbb.n],
        "faults": sum(p.faults for p in result.players),
    }


def _names() -> list[str]:
    return [name for name in PLAYERS if name != "exp+cnn" or "cnn" in reader_names()]


def pairs(size: Size) -> list[tuple[str, str, int]]:
    """Who plays whom, and how many deals (both seatings of each)."""
    names = _names()
    found = [(a, b) for a, b in TABLE4 if a in names and b in names]
    found += [(name, other) for name in reversed(names) for other in (*STRANGERS, "mcts")]
    return [(a, b, _deals(a, b, size)) for a, b in found]


def _deals(a: str, b: str, size: Size) -> int:
    if size == "quick":
        return 25 if "mcts" in (a, b) or a == "exp+cnn" else 100
    return 300 if "mcts" in (a, b) else 3_000


def match_cells(size: Size, seed: int) -> Sequence[Cell]:
    cells = []
    for a, b in TABLE4:
        if a in _names() and b in _names():
            for k in range(1_000 // _TABLE4_BLOCK):
                task = Match(PLAYERS[a], PLAYERS[b], _TABLE4_BLOCK, seed * 1_000_000 + k, True)
                cells.append(Cell(key=f"table 4 {a} | {b} #{k}", work=play_cell, task=task))
    # Block after block of all pairs: a run that is stopped has measured all of them, less well.
    blocks: dict[int, list[Cell]] = {}
    for a, b, deals in pairs(size):
        each = min(_SLOW_BLOCK if "mcts" in (a, b) or a == "exp+cnn" else _BLOCK, deals)
        for k in range(deals // each):
            other = PLAYERS.get(b, MCTS if b == "mcts" else b)
            task = Match(PLAYERS[a], other, each, seed * 1_000_000 + 1_000 + k, False)
            blocks.setdefault(k, []).append(Cell(key=f"{a} | {b} #{k}", work=play_cell, task=task))
    return cells + [cell for k in sorted(blocks) for cell in blocks[k]]


def match_section(results: Mapping[str, Any], size: Size) -> Section:
    rows = []
    for (a, b), printed in TABLE4.items():
        blocks = [v for k, v in results.items() if k.startswith(f"table 4 {a} | {b} #")]
        if len(blocks) < 1_000 // _TABLE4_BLOCK:
            continue
        spread = pooled([block["plain"] for block in blocks])
        # mbb/hand of 1,000 hands at a big blind of 100 chips.
        ours = Estimate(sum(block["chips"] for block in blocks), spread.se * 100, 1_000)
        luck = 1.96 * ours.se
        rows.append(
            Row(
                label=f"{a} beats {b}",
                paper=printed,
                ours=ours,
                unit="chips in 1,000 hands",
                hands=1_000,
                agrees=abs(printed - ours.mean) <= math.sqrt(2) * luck,
                why=f"not duplicate: the luck of 1,000 hands alone is ± {luck:,.0f} chips"
                + ("; the paper's human is its author" if b == "expert" else ""),
            )
        )
    lines = []
    for a, b, _ in pairs(size):
        blocks = [v for k, v in results.items() if k.startswith(f"{a} | {b} #")]
        if not blocks:
            continue
        plain, reduced = (pooled([block[name] for block in blocks]) for name in ("plain", "reduced"))
        low, high = reduced.interval()
        verdict = "wins" if low > 0 else ("loses" if high < 0 else "not decided")
        if reduced.n < FEW:
            verdict = f"too few ({reduced.n})"
        deals = sum(block["hands"] for block in blocks) // 2
        lines.append((a, b, f"{deals:,}", plain, reduced, verdict, sum(block["faults"] for block in blocks)))
    columns = ("player", "against", "deals, both seatings", "mbb/hand", "mbb/hand, luck reduced", "verdict", "faults")
    table = Table(title="Duplicate matches", columns=columns, rows=tuple(lines))
    names = ", ".join(f"{name} = {spec}" for name, spec in PLAYERS.items() if name in _names())
    return Section(
        text=f"Heads-up no-limit, blinds 50/100, stacks 20,000, reset every hand. {names}; mcts = {MCTS}. Table 4 as "
        "in the paper: 1,000 hands, no duplicates, the small blind first after the flop; these order nothing by "
        "themselves. Then every deal in both seatings, luck taken out.",
        rows=tuple(rows),
        tables=(table,) if lines else (),
    )


PAPER = Paper(
    "experience",
    "Experience: expert rules, an opponent network and a staged tree",
    'Gao, Xu, Wang, Bai, Cao, "System architecture of Texas Hold\'em based on experience", CAAI Transactions on '
    "Intelligent Systems, 2020",
    (
        Part("hash", "The hash table of hand ranks", hash_cells, hash_section),
        CNN_PART,
        Part("matches", "The players", match_cells, match_section),
        KNOWN_PART,
    ),
)
