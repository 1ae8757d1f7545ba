"""The work of ``dupai reproduce brpso``: matches in the fast lane and at tables, and searches to compare with."""

from __future__ import annotations

import warnings
from collections.abc import Generator, Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from dupai.agents import make_agent
from dupai.agents.swarm import Swarm
from dupai.arena.match import MatchConfig, SeatingTask, match_config, play_seating
from dupai.base import DupaiError, MissingPackage, Rng
from dupai.base.arrays import F64, AnyArray
from dupai.experiments._brpso import _config as config
from dupai.experiments._brpso._lane import FastLane
from dupai.experiments._brpso._printed import FIGURES, POLICIES
from dupai.experiments._brpso._search import best_fixed_policy, policy_point, value_of
from dupai.experiments._paper import Cell, Size
from dupai.jobs import Pulse

#: Points of a learning curve.
POINTS = 80
#: Hands between two checks whether to stop.
_SLICE = 4000
#: Turns of the searches in time: as many policies and hands as the paper's swarm has particles and hands.
_TURNS, _TURN_HANDS = 20, 1000
#: Stream of the random numbers of those searches.
_SEARCH_STREAM = 7


class Lane(NamedTuple):
    """Matches of ``hands`` hands in the fast lane, one for each of ``seeds``.

    ``protocol``: ``agent``: ``player`` plays; ``cma`` and ``random``: a search in time plays in its place. ``then``
    takes the opponent's place after half of the hands.
    """

    player: str
    opponent: str
    seeds: tuple[int, ...]
    hands: int
    protocol: config.Protocol = "agent"
    blinds: tuple[int, int] = (50, 100)
    then: str = ""


class Bound(NamedTuple):
    """A search for the best fixed policy; ``scale``: share of the usual generations."""

    opponent: str
    seed: int
    hands: int
    scale: float


class Known(NamedTuple):
    """The library's policy number ``place``, played unchanged."""

    place: int
    opponent: str
    seed: int
    hands: int


class Table(NamedTuple):
    """Matches at a table through the arena: ``player`` and the others."""

    player: str
    others: tuple[str, ...]
    seeds: tuple[int, ...]
    hands: int


def for_good(total: AnyArray) -> int | None:
    """The first hand (from 1) from which the cumulative sum ``total`` is positive and stays so; None: never."""
    below = np.flatnonzero(total <= 0)
    first = int(below[-1]) + 2 if below.size else 1
    return first if first <= total.size else None


def turning_point(total: AnyArray) -> int:
    """The hand (from 1) with the smallest cumulative sum ``total``: from there on the match is won. 0: it was never
    below zero."""
    at = int(np.argmin(total))
    return at + 1 if total[at] < 0 else 0


def curve(total: F64) -> list[float]:
    """``total`` at :data:`POINTS` equal steps."""
    at = np.arange(1, POINTS + 1) * total.size // POINTS - 1
    return [float(v) for v in total[at]]


def _record(seed: int, won: F64, **more: Any) -> dict[str, Any]:
    """The record of a match: winnings in chips, at the end, after half of the hands and as a curve; the hand from which
    it is positive for good, and its turning point."""
    total = np.cumsum(won)
    half = float(total[total.size // 2 - 1])
    hands = {
        "good": for_good(total),
        "turn": turning_point(total),
        "half turn": turning_point(total[: total.size // 2]),
    }
    return {"seed": seed, "won": float(total[-1]), "half": half, **hands, "curve": curve(total), **more}


def _policies(protocol: str, seed: int) -> Generator[F64, float, None]:
    """A search in time: yields five numbers, is sent the mean chips per hand that they won."""
    rng = Rng(seed, _SEARCH_STREAM)
    if protocol == "random":
        # Every other turn a new policy, else the best so far (by the mean of all its hands).
        tried: list[tuple[F64, float, int]] = []
        while True:
            fresh = policy_point(np.array([rng.uniform() for _ in range(5)]))
            first = yield fresh
            tried.append((fresh, first, 1))
            at = max(range(len(tried)), key=lambda i: tried[i][1])
            x, mean, n = tried[at]
            again = yield x
            tried[at] = (x, (mean * n + again) / (n + 1), n + 1)
    import cma

    options = {"bounds": [0.0, 1.0], "popsize": _TURNS, "seed": seed + 1, "verbose": -9}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        evolution = cma.CMAEvolutionStrategy([0.5] * 5, 0.3, options)
        while True:
            asked = evolution.ask()
            values = []
            for z in asked:
                mean = yield policy_point(np.asarray(z))
                values.append(-mean)
            evolution.tell(asked, values)


def _searched(task: Lane, seed: int, pulse: Pulse) -> tuple[F64, list[float]] | None:
    """Chips by hand of a search in time, and no numbers found."""
    lane = FastLane("risk", task.opponent, seed=seed, blinds=task.blinds)
    search = _policies(task.protocol, seed)
    lane.policy = next(search)
    parts = []
    while True:
        won = lane.play(min(_TURN_HANDS, task.hands - lane.played)) / lane.game.split
        if not pulse.step():
            return None
        parts.append(won)
        if lane.played == task.hands:
            return np.concatenate(parts), []
        lane.policy = search.send(float(won.mean()))


def _played(task: Lane, seed: int, pulse: Pulse) -> tuple[F64, list[float]] | None:
    """Chips by hand of an agent, and the five numbers that a swarm has found."""
    lane = FastLane(task.player, task.opponent, seed=seed, hands=task.hands, blinds=task.blinds)
    parts: list[F64] = []
    middle = task.hands // 2
    while lane.played < task.hands:
        if task.then and lane.played == middle:
            lane.opponent = task.then
        left = (middle if task.then and lane.played < middle else task.hands) - lane.played
        parts.append(lane.play(min(_SLICE, left)) / lane.game.split)
        if not pulse.step():
            return None
    return np.concatenate(parts), lane.player.best_weights().tolist() if isinstance(lane.player, Swarm) else []


def play_lane(task: Lane, pulse: Pulse) -> list[dict[str, Any]] | None:
    """A record for each seed: ``won`` chips, ``half`` those of the first half, ``good``, ``curve``, ``x``."""
    play, records = _played if task.protocol == "agent" else _searched, []
    for seed in task.seeds:
        if (played := play(task, seed, pulse)) is None:
            return None
        records.append(_record(seed, played[0], x=played[1]))
    return records


def watch_fitness(task: Lane, pulse: Pulse) -> dict[str, Any] | None:
    """Figure 4(c), a match of one seed: after every update the ``best`` fitness of any particle so far, the ``mean``
    fitness of the generation, and the best and worst of it (``top``, ``low``); chips per hand."""
    [seed] = task.seeds
    lane = FastLane(task.player, task.opponent, seed=seed, hands=task.hands)
    assert isinstance(lane.player, Swarm)
    g = lane.player.config[0]
    m, hands = int(g["particles"]), int(g["hands"])
    rows: dict[str, list[float]] = {"best": [], "mean": [], "top": [], "low": []}
    while lane.played + m * hands <= task.hands:
        lane.play(m * hands)
        state = lane.player.swarm[0]
        while state["generation"] <= len(rows["mean"]):
            # Hands before its first decision of the match are not counted.
            lane.play(1)
        if not pulse.step():
            return None
        fitness = state["fitness"][:m] / hands
        best = float(state["best_fitness"][:m].max() / hands)
        for name, value in (("best", best), ("mean", fitness.mean()), ("top", fitness.max()), ("low", fitness.min())):
            rows[name].append(float(value))
    return rows


def find_bound(task: Bound, pulse: Pulse) -> dict[str, Any] | None:
    """The best fixed policy: ``x``, ``mean`` chips per hand on fresh deals, ``se``."""
    best = best_fixed_policy(task.opponent, task.seed, scale=task.scale, check_hands=task.hands, progress=pulse)
    return None if best is None else {"x": best.x.tolist(), "mean": best.mean, "se": best.se}


def play_known(task: Known, pulse: Pulse) -> dict[str, Any] | None:
    """As :func:`find_bound` over the same deals, for a policy of the swarm's library."""
    g = Swarm(variant="quick").config[0]
    x = g["library"][task.place, : g["numbers"]]
    mean, se = value_of(x, task.opponent, task.hands, seed=task.seed)
    return None if pulse.cancelled else {"x": x.tolist(), "mean": mean, "se": se}


def play_table(task: Table, pulse: Pulse) -> list[dict[str, Any]] | None:
    """A record for each seed: as for :func:`play_lane`, and ``others``: chips of the other chairs."""
    records = []
    for seed in task.seeds:
        entrants, match = match_config([task.player, *task.others], hands=task.hands, seed=seed)
        assert isinstance(match, MatchConfig)
        seating = play_seating(SeatingTask(tuple(entrants), match), pulse)
        if not seating.complete:
            return None
        chips = seating.payoffs / match.game.split
        others = chips[:, 1:].sum(0).tolist()
        records.append(_record(seed, chips[:, 0], x=[], others=others, faults=len(seating.faults)))
    return records


def reader_needs() -> str | None:
    """Why the hand reader cannot play here; None: it can."""
    try:
        make_agent("fold")
    except DupaiError as error:
        return f"the agent fold: {error}"
    return None


def cma_needs() -> str | None:
    """Why CMA-ES cannot run; None: it can."""
    return None if find_spec("cma") else str(MissingPackage("cma", "report", "the comparison with CMA-ES"))


# the plan -----------------------------------------------------------------------------------------------------------


def lane_cells(label: str, run: Lane) -> list[Cell]:
    """The cells of a run: blocks of seeds."""
    starts = range(0, len(run.seeds), config.BLOCK)
    blocks = [run._replace(seeds=run.seeds[k : k + config.BLOCK]) for k in starts]
    return [Cell(f"{label} #{k}", play_lane, block) for k, block in enumerate(blocks)]


def run_cells(size: Size, seed: int) -> Sequence[Cell]:
    hands, few = config.HANDS, config.seeds_of(size, seed, config.BLOCK)
    cells: list[Cell] = []
    for name, run in config.RUNS.items():
        for style in run.against:
            some = few
            if (name, style) in FIGURES:
                some = config.seeds_of(size, seed, quick=config.JUDGED)
            elif name in config.OURS:
                some = config.seeds_of(size, seed)
            cells += lane_cells(f"{name} {style}", Lane(run.spec, f"style:paper-{style}", some, hands, run.protocol))
    scale = 0.4 if size == "full" else 0.2
    for place, style in enumerate(config.STYLES):
        cells.append(Cell(f"best {style}", find_bound, Bound(f"style:paper-{style}", seed + 77, hands, scale)))
        cells.append(Cell(f"library {style}", play_known, Known(place, f"style:paper-{style}", seed + 77, hands)))
    return cells


def case_cells(size: Size, seed: int) -> Sequence[Cell]:
    """The four cases over twice the paper's hands."""
    seeds = config.seeds_of(size, seed, quick=config.JUDGED)
    return [
        cell
        for name, spec in config.CASES.items()
        for cell in lane_cells(name, Lane(spec, "style:paper-TA", seeds, config.CASE_HANDS))
    ]


def size_cells(size: Size, seed: int) -> Sequence[Cell]:
    """What the paper prints of its runs, by the raise size of the style."""
    seeds = config.seeds_of(size, seed, config.JUDGED, config.JUDGED)
    return [
        cell
        for run, (spec, hands) in config.SIZE_RUNS.items()
        if size == "full" or run in config.QUICK_SIZE_RUNS
        for raises in config.SIZES
        for cell in lane_cells(f"{' '.join(run)} {raises}", Lane(spec, f"style:{run[1]},size={raises}", seeds, hands))
    ]


def street_cells(size: Size, seed: int) -> Sequence[Cell]:
    """Policies with more situations than the paper's."""
    seeds = config.seeds_of(size, seed, config.JUDGED, 4)
    return [
        cell
        for name, spec in list(config.STREET_RUNS.items())[: 1 if size == "quick" else None]
        for streets in config.STREETS
        for style in config.STYLES
        for cell in lane_cells(
            f"{name}, {streets} {style}", Lane(f"{spec},streets={streets}", f"style:paper-{style}", seeds, config.HANDS)
        )
    ]


def fitness_cells(size: Size, seed: int) -> Sequence[Cell]:
    seeds = config.seeds_of(size, seed, quick=config.JUDGED)
    return [Cell(f"seed {k}", watch_fitness, Lane("swarm:br", "style:paper-TA", (k,), config.HANDS)) for k in seeds]


def printed_cells(size: Size, seed: int) -> Sequence[Cell]:
    seeds, hands = config.seeds_of(size, seed, 10, config.JUDGED), config.HANDS
    return [c for x in POLICIES for c in lane_cells(x, Lane(f"risk:{x}", "style:paper-TA", seeds, hands))]


def option_cells(size: Size, seed: int) -> Sequence[Cell]:
    seeds, hands = config.seeds_of(size, seed, 10), config.OPTION_HANDS
    runs = [(name, spec, style) for name, spec in config.OPTIONS.items() for style in config.STYLES]
    return [c for n, spec, s in runs for c in lane_cells(f"{n} {s}", Lane(spec, f"style:paper-{s}", seeds, hands))]


def stranger_cells(size: Size, seed: int) -> Sequence[Cell]:
    hands = config.OPTION_HANDS
    drawn = config.strangers(seed, 20 if size == "full" else 4)
    styles = [f"style:paper-TA,alpha={alpha},beta={beta}" for alpha, beta in drawn]
    return [
        Cell(f"{name} #{k}", play_lane, Lane(spec, style, (seed * 1_000_000 + 500 + k,), hands))
        for name, spec in config.STRANGER_RUNS.items()
        for k, style in enumerate(styles)
    ]


def change_cells(size: Size, seed: int) -> Sequence[Cell]:
    seeds, hands = config.seeds_of(size, seed, 5), config.CHANGE_HANDS
    runs = [(name, spec, a, b) for name, spec in config.CHANGE_RUNS.items() for a, b in config.CHANGES]
    tasks = {
        f"{name} {a}-{b}": Lane(spec, f"style:paper-{a}", seeds, hands, then=f"style:paper-{b}")
        for name, spec, a, b in runs
    }
    return [cell for label, task in tasks.items() for cell in lane_cells(label, task)]


def table_cells(size: Size, seed: int) -> Sequence[Cell]:
    hands = config.table_hands(size)
    styles = {"-".join(others): tuple(f"style:paper-{o},deals=100" for o in others) for others in config.TABLES}
    return [
        Cell(f"{name} {label} #{s}", play_table, Table(spec, others, (s,), hands))
        for name, spec in config.TABLE_RUNS.items()
        for label, others in styles.items()
        for s in config.seeds_of(size, seed, 4, 2)
    ]


def sensitivity_cells(size: Size, seed: int) -> Sequence[Cell]:
    seeds, hands = config.seeds_of(size, seed, 5), config.SENSITIVITY_HANDS
    cells: list[Cell] = []
    for name, run in config.SENSITIVITY.items():
        player, opponent = (
            ",".join(filter(None, one)) for one in (("swarm:br", run.swarm), ("style:paper-TA", run.style))
        )
        cells += lane_cells(name, Lane(player, opponent, seeds, hands, blinds=run.blinds))
    return cells


def reader_cells(size: Size, seed: int) -> Sequence[Cell]:
    hands = config.reader_hands(size)
    return [
        Cell(f"fold {style} #{k}", play_table, Table("fold", (f"style:paper-{style}",), (k,), hands))
        for style in config.STYLES
        for k in config.seeds_of(size, seed, 4, 1)
    ]
