"""The work of ``dupai reproduce experience``: counting collisions, timing, training, matches."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from dupai.acpc import DealConfig, MatchFiles, deal
from dupai.agents import advise, make_agent
from dupai.arena import play_match
from dupai.base import MissingPackage, Rng
from dupai.base.arrays import U8, U64
from dupai.cards import CARD_MASK, CARDS, COMBO_CARDS, cards, strengths
from dupai.experiments._experience import _config as config
from dupai.experiments._experience._position import search_position
from dupai.experiments._experience._printed import TABLE4
from dupai.experiments._experience._zobrist import ZobristTable, stored_hands, zobrist_collisions, zobrist_keys
from dupai.experiments._paper import Cell, Size
from dupai.history import shared_file
from dupai.jobs import Pulse
from dupai.reading import reader_names
from dupai.reading.cnn import load_cnn
from dupai.rules import GameSpec, load_game
from dupai.training import CnnSettings, cnn_samples, cnn_steps, score_cnn, train_cnn

# the hash table -----------------------------------------------------------------------------------------------------

#: Seeds of a cell; showdowns between two checks whether to stop.
_SEEDS, _CHUNK = 10, 50_000


class Collisions(NamedTuple):
    """Collisions of tables of all sizes for so many seeds of the cards' random numbers."""

    first: int
    seeds: int


class Tables(NamedTuple):
    """Searches with an overflow table of so many MB and base tables of these sizes."""

    overflow: int
    sizes: tuple[int, ...]


class LookUps(NamedTuple):
    """Rates of look-ups and times of searches: hands a round, and rounds."""

    hands: int
    rounds: int


def count_collisions(task: Collisions, pulse: Pulse) -> list[list[int]] | None:
    """Collisions by seed and size."""
    counts = []
    for seed in range(task.first, task.first + task.seeds):
        if not pulse.step():
            return None
        key = stored_hands(zobrist_keys(seed))[0]
        counts.append([zobrist_collisions(seed, size, key) for size in config.MEGABYTES])
    return counts


def _rate(work: Callable[[], object], units: int, rounds: int) -> float:
    """Median of units a second."""
    rates = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        rates.append(units / (time.process_time() - start))
    return statistics.median(rates)


def showdowns() -> U8:
    """``uint8[1070190, 9]``: every turn, river and hand of the opponent there: the board, our hand, theirs."""
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


def _masks(hands: U8) -> U64:
    return np.asarray(CARD_MASK[hands].sum(axis=1, dtype=np.uint64))


def measure_look_ups(task: LookUps, pulse: Pulse) -> dict[str, Any] | None:
    """Rates in hands a second, times in seconds: of the processor, so that other work on the machine does not count."""
    table = ZobristTable(128, 128)
    rng = Rng(5)
    deck = list(range(CARDS))
    seven = np.empty((task.hands, 7), np.uint8)
    for row in seven:
        rng.shuffle(deck)
        row[:] = deck[:7]
    masks, five = _masks(seven), np.ascontiguousarray(seven[:, :5])
    rows = showdowns()
    figures: dict[str, Any] = {
        "five": _rate(lambda: table.values(five), task.hands, task.rounds),
        "seven": _rate(lambda: table.values(seven), task.hands, task.rounds),
        "fast": _rate(lambda: strengths(masks), task.hands, task.rounds),
        "showdowns": float(len(rows)),
    }
    for name, evaluate in (("hash", table.values), ("own", strengths)):
        spent, won = 0.0, 0
        for k in range(0, len(rows), _CHUNK):
            if not pulse.step():
                return None
            block = rows[k : k + _CHUNK]
            hands: list[Any] = [np.ascontiguousarray(np.delete(block, gone, axis=1)) for gone in ((7, 8), (5, 6))]
            if name == "own":
                hands = [_masks(some) for some in hands]
            start = time.process_time()
            ours, theirs = (evaluate(some) for some in hands)
            spent += time.process_time() - start
            won += int((ours > theirs).sum())
        figures[f"{name} seconds"], figures[f"{name} won"] = spent, float(won)
    return figures | {"trees": _tree_times(pulse)}


def time_tables(task: Tables, pulse: Pulse) -> dict[str, list[float]] | None:
    """Collisions of one seed, and processor seconds that all showdowns of the position take (median, least and most of
    five), by size of the base table."""
    rows = showdowns()
    times = {}
    for size in task.sizes:
        table, rounds = ZobristTable(size, task.overflow), np.zeros(config.ROUNDS)
        for k in range(0, len(rows), _CHUNK):
            block = rows[k : k + _CHUNK]
            hands = [np.ascontiguousarray(np.delete(block, gone, axis=1)) for gone in ((7, 8), (5, 6))]
            table.values(hands[0][:1])  # its machine code is loaded before the clock runs
            for number in range(config.ROUNDS):
                if not pulse.step():
                    return None
                start = time.process_time()
                for some in hands:
                    table.values(some)
                rounds[number] += time.process_time() - start
        times[str(size)] = [float(table.collisions), *(float(f(rounds)) for f in (np.median, np.min, np.max))]
    return times


def _tree_times(pulse: Pulse) -> dict[str, list[float]]:
    """Seconds, leaf evaluations, hands judged at them, boards, by search and street; medians of three."""
    times: dict[str, list[float]] = {}
    for name, spec, streets in config.SEARCHES:
        if "cnn" in spec and "cnn" not in reader_names():
            continue
        for street, (board, other) in list(config.BOARDS.items())[:streets]:
            rounds = []
            for _ in range(3):
                pulse.step()
                # Other cards first: the kernels are then ready, and nothing is known of the timed cards.
                advise(make_agent(spec), search_position("QcJd", other), Rng(1))
                agent = make_agent(spec)
                start = time.process_time()
                numbers = advise(agent, search_position(board=board), Rng(1)).numbers
                spent = time.process_time() - start
                rounds.append([spent, numbers["leaves"], numbers["judged"], numbers["boards"]])
            times[f"{street}, {name}"] = sorted(rounds)[1]
    return times


def hash_cells(size: Size, seed: int) -> Sequence[Cell]:
    seeds, rates = (200, LookUps(200_000, 5)) if size == "full" else (100, LookUps(50_000, 3))
    starts = range(0, seeds, _SEEDS)
    cells = [Cell(f"seeds {k}", count_collisions, Collisions(seed * 1_000_000 + k, _SEEDS)) for k in starts]
    cells += [Cell(f"tables {o}", time_tables, Tables(o, config.TIMED[size])) for o in config.OVERFLOWS]
    return [*cells, Cell("look-ups", measure_look_ups, rates)]


# the network --------------------------------------------------------------------------------------------------------


class Steps(NamedTuple):
    """One training: which of :data:`config.NETWORKS`, what the input says, the batch, the steps at which it is scored,
    the share of the log's hands, and the log."""

    network: str
    information: str
    batch: int
    marks: tuple[int, ...]
    share: float
    seed: int
    log: str


class Shipped(NamedTuple):
    """The score of the network that ships on a share of the log."""

    share: float
    log: str


_LOG = f"{config.LOG}/{config.LOG}.log.xz"


def _shared_log() -> Path:
    return shared_file(_LOG)


def cnn_needs() -> str | None:
    """Why the part on the network cannot run here."""
    if not _shared_log().is_file():
        return f"{_shared_log()} is not there: set DUPAI_SHARED to the folder that has data/ with the shared logs"
    return None if find_spec("torch") else str(MissingPackage("torch", "train", "training"))


@contextmanager
def _one_thread() -> Iterator[None]:
    """Torch on one thread: cells already keep every core busy, and with more threads these small networks take twice
    the processor time for no gain."""
    torch: Any = import_module("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@lru_cache(maxsize=1)
def _samples(share: float) -> Any:
    return cnn_samples([_shared_log()], [config.PLAYER], share)


def steps_cell(task: Steps, pulse: Pulse) -> list[dict[str, Any]] | None:
    """Train the paper's network and score it at its marks."""
    data = _samples(task.share)
    shape, rate = config.NETWORKS[task.network]
    with _one_thread():
        scores = cnn_steps(
            data, task.information, task.batch, task.marks, seed=task.seed, rate=rate, shape=shape, progress=pulse
        )
    return None if scores is None else [msgspec.to_builtins(score) | {"network": task.network} for score in scores]


def shipped_cell(task: Shipped, pulse: Pulse) -> dict[str, Any]:
    """Score the network that ships on the test part of a share of the log."""
    return score_cnn(load_cnn(), _samples(task.share))


def cnn_cells(size: Size, seed: int) -> Sequence[Cell]:
    """The trainings, cheap ones first."""
    share = config.SHARE[size]

    def cell(network: str, information: str, batch: int, *marks: int) -> Cell:
        key = f"{network}, {information}, batch {batch}, {' and '.join(map(str, marks))} steps"
        return Cell(key, steps_cell, Steps(network, information, batch, marks, share, seed, _LOG))

    kinds = ("literal", "honest")
    steps, batch = config.ABLATION_STEPS[size]
    cells = [cell(config.SMALL, information, 32, 500) for information in kinds]
    cells += [cell(config.SMALL, information, batch, steps) for information in config.ABLATION[1:-1]]
    cells += [cell(config.TUTORIAL, "literal", 32, 500), cell(config.SMALL, "literal", 128, 1000)]
    cells += [cell(config.SLOW, "literal", 32, 500), cell(config.SLOW, "literal", 128, 1000)]
    cells.append(Cell("shipped", shipped_cell, Shipped(share, _LOG)))
    # Half a minute of processor time and more for each of the others: quick runs train only what a verdict or the
    # table of leaks needs.
    if size == "full":
        cells += [cell(config.TUTORIAL, "honest", 32, 500), cell(config.SMALL, "honest", 128, 1000)]
        cells += [cell(config.TUTORIAL, information, 128, 1000) for information in kinds]
        cells += [cell(network, info, 1024, 1000, 2000, 5000) for network in config.NETWORKS for info in kinds]
    return cells


# the players --------------------------------------------------------------------------------------------------------


class Match(NamedTuple):
    """Hands of ``first`` against ``second``; ``table4``: as in the paper, plain, and the small blind acts first after
    the flop too."""

    first: str
    second: str
    hands: int
    seed: int
    table4: bool


def _triple(mbb: Any) -> list[float]:
    return [mbb.mean, mbb.se, mbb.n]


def _play(agents: Sequence[str], hands: int, seed: int, pulse: Pulse, table4: bool) -> dict[str, Any] | None:
    """The first player's result: chips, and mbb/hand (mean, standard error, n) with luck and without."""
    game = GameSpec.no_limit(2, first_player=(1, 1, 1, 1)) if table4 else None
    fair = not table4
    result = play_match(agents, hands=hands, duplicate=fair, luck_reduced=fair, seed=seed, game=game, progress=pulse)
    if pulse.cancelled or result.partial:
        return None
    one = result.players[0]
    return {
        "chips": one.chips,
        "hands": result.hands,
        "plain": _triple(one.mbb),
        "reduced": None if one.luck_reduced is None else _triple(one.luck_reduced.mbb),
        "faults": sum(p.faults for p in result.players),
    }


def play_cell(task: Match, pulse: Pulse) -> dict[str, Any] | None:
    """Result of the first player: chips; mbb/hand with and without luck."""
    return _play([task.first, task.second], task.hands, task.seed, pulse, task.table4)


def match_cells(size: Size, seed: int) -> Sequence[Cell]:
    cells = []
    for version, players in list(config.TABLE4_PLAYERS.items())[: 1 if size == "quick" else None]:
        for a, b in TABLE4:
            if a in config.names() and b in config.names():
                for k in range(1_000 // config.TABLE4_BLOCK):
                    task = Match(players[a], players[b], config.TABLE4_BLOCK, seed * 1_000_000 + k, True)
                    cells.append(Cell(f"table 4 {version} {a} | {b} #{k}", play_cell, task))
    # Block after block of all pairs: a run that is stopped has measured all of them, less well.
    blocks: dict[int, list[Cell]] = {}
    for a, b, deals in config.pairs(size):
        each = min(config.SLOW_BLOCK if config.is_slow(a, b) else config.BLOCK, deals)
        other = config.PLAYERS.get(b, config.MCTS if b == "mcts" else b)
        for k in range(deals // each):
            task = Match(config.PLAYERS[a], other, each, seed * 1_000_000 + 1_000 + k, False)
            blocks.setdefault(k, []).append(Cell(f"{a} | {b} #{k}", play_cell, task))
    return cells + [cell for k in sorted(blocks) for cell in blocks[k]]


# knowing the opponent -----------------------------------------------------------------------------------------------


class Known(NamedTuple):
    """Deals of the staged tree, which predicts by ``model``, against ``opponent``."""

    model: str
    opponent: str
    deals: int
    seed: int


def known_needs() -> str | None:
    """Why the part on known opponents cannot run here."""
    absent = [name for name in ("torch", "onnx") if not find_spec(name)]
    return str(MissingPackage(" and ".join(absent), "train", "training")) if absent else None


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Holds logs and networks until this process ends."""
    return tempfile.TemporaryDirectory(prefix="dupai-known-")


def _dealt_log(opponent: str, hands: int) -> Path:
    """The log of the opponent (``bo``) against ``expert``, as ``dupai acpc deal`` writes it."""
    game, number = "holdem.nolimit.2p", config.OPPONENTS.index(opponent)
    path = Path(_folder().name) / f"log{number}.log"
    plan = DealConfig(
        game=load_game(game), game_name=game, hands=hands, seed=11 + number, names=("ann", "bo"), title=path.stem,
        t_per_hand=600_000,
    )  # fmt: skip
    asyncio.run(deal(plan, ["expert", opponent], files=MatchFiles(path)))
    return path


def network(opponent: str, pulse: Pulse) -> str | None:
    """The folder of the network trained on the log of an opponent; None: it was stopped."""
    path = Path(_folder().name) / f"net{config.OPPONENTS.index(opponent)}"
    settings = CnnSettings(players=("bo",), epochs=8, batch=128)
    if not (path / "card.json").exists():
        log = _dealt_log(opponent, config.LOG_HANDS)
        with _one_thread():
            if train_cnn([log], path, settings, progress=pulse) is None:
                return None
    return str(path)


def known_cell(task: Known, pulse: Pulse) -> dict[str, Any] | None:
    """Result of the tree; how well its network predicts held-out decisions."""
    card: Mapping[str, Any] = {}
    model = {config.RULES: "", config.SHIPPED: "model=cnn,"}.get(task.model)
    if model is None:
        own = task.model == config.OWN
        folder = network(task.opponent if own else config.ANOTHER[task.opponent], pulse)
        if folder is None:
            return None
        card = load_cnn(folder).about.card if own else {}
        model = f'model="cnn:file={folder}",'
    result = _play([f"exp:{model}{config.TREE}", task.opponent], task.deals, task.seed, pulse, False)
    if result is None:
        return None
    test = card.get("test", {}).get("network", {})
    return result | {"deals": task.deals, "accuracy": test.get("accuracy"), "log_loss": test.get("log_loss")}


def known_cells(size: Size, seed: int) -> Sequence[Cell]:
    """Block after block of all: the same deals for every model."""
    deals, first = config.KNOWN_BLOCK, seed * 1_000_000 + 1_000
    return [
        Cell(f"{model} | {opponent} #{k}", known_cell, Known(model, opponent, deals, first + k))
        for k in range(config.KNOWN_DEALS[size] // deals)
        for opponent in config.OPPONENTS
        for model in config.PLAYED[size]
    ]
