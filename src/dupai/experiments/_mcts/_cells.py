"""Work of the paper mcts: matches of one program against others, deal by deal, and searches of small games."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from dupai.arena.match import SeatingTask, match_config, match_seatings, match_tasks, play_seating
from dupai.base import Rng
from dupai.cfr import best_response, compile_game
from dupai.experiments._mcts import _config as config
from dupai.experiments._mcts._small import GameSearch
from dupai.experiments._paper import Cell, Size
from dupai.games import Kuhn, Leduc, random_policy
from dupai.jobs import Pulse


class MatchTask(NamedTuple):
    """One match, all rotations of the seats over the same deals, fresh agents in each; the first agent is measured."""

    agents: tuple[str, ...]
    hands: int
    seed: int


class BlockTask(NamedTuple):
    """Deals ``start`` to ``stop`` of a match of so many ``hands``, played as a match of their own (fresh agents)."""

    agents: tuple[str, ...]
    hands: int
    seed: int
    start: int
    stop: int


class SmallTask(NamedTuple):
    """A search of a small game against a policy drawn at random, with the value at each of ``points`` simulations."""

    game: str
    selection: str
    seed: int
    points: tuple[int, ...]


def match_cell(task: MatchTask, pulse: Pulse) -> dict[str, Any] | None:
    """Play it: small blinds a hand of the first agent by deal (mean over rotations), faults of anybody, processor
    seconds."""
    return _play(task, pulse, False)


def reduced_cell(task: MatchTask | BlockTask, pulse: Pulse) -> dict[str, Any] | None:
    """As :func:`match_cell`, with the luck of every hand taken off: the same expectation, smaller errors."""
    return _play(task, pulse, True)


block_cell = reduced_cell


def _play(task: MatchTask | BlockTask, pulse: Pulse, reduced: bool) -> dict[str, Any] | None:
    began = time.process_time()
    game = f"holdem.limit.{len(task.agents)}p"
    entrants, match = match_config(
        task.agents, hands=task.hands, duplicate=True, seed=task.seed, game=game, luck_reduced=reduced
    )
    if isinstance(task, BlockTask):
        seatings = range(len(match_seatings(match)))
        tasks = [SeatingTask(tuple(entrants), match, r, start=task.start, stop=task.stop) for r in seatings]
    else:
        tasks = match_tasks(entrants, match)
    won: dict[int, float] = {}
    faults = 0
    unit = match.game.split * match.game.big_blind / 2 * len({t.rotation for t in tasks})
    for one in tasks:
        seating = play_seating(one, pulse)
        if not seating.complete:
            return None
        faults += sum(seating.fault_counts)
        mine = seating.payoffs[:, 0].astype(np.float64)
        if seating.luck is not None:
            mine -= match.game.split * seating.luck[:, 0]
        for k, w in enumerate(mine.tolist(), one.start):
            won[k] = won.get(k, 0.0) + w / unit
    seconds = round(time.process_time() - began, 1)
    return {"won": [round(won[k], 4) for k in sorted(won)], "faults": faults, "seconds": seconds}


def small_cell(task: SmallTask, pulse: Pulse) -> dict[str, Any]:
    """Search; ``root`` and ``line``: how far the root's value and that of the most visited line are from the exact best
    response, at each point."""
    game = Kuhn() if task.game == "kuhn" else Leduc()
    rng = Rng(task.seed, 1)
    policies = [random_policy(rng) for _ in range(2)]
    player = task.seed % 2
    exact, _ = best_response(compile_game(game), policies, player)
    search = GameSearch(game, policies, player, selection=task.selection)
    root, line = [], []
    for point in task.points:
        while search.simulations < point:
            search.run(min(point - search.simulations, 200_000), rng)
            pulse.step()
        root.append(search.value - exact)
        line.append(search.line_value - exact)
    return {"exact": exact, "root": root, "line": line}


# the plan -----------------------------------------------------------------------------------------------------------


def _matches(
    rows: Iterable[config.Pairing], hands: int, matches: int, seed: int, work: Any = reduced_cell
) -> list[Cell]:
    tasks = [(m, row) for m in range(matches) for row in rows]
    return [Cell(f"{row.key} {m}", work, MatchTask(row.agents, hands, 1000 * seed + m)) for m, row in tasks]


def two_cells(size: Size, seed: int) -> list[Cell]:
    s = config.SCALES[size]
    return _matches(config.pairings(size, 1), s.hands, s.matches, seed, match_cell)


def three_cells(size: Size, seed: int) -> list[Cell]:
    s = config.SCALES[size]
    return _matches(config.pairings(size, 2), s.hands3, s.matches3, seed)


def step_cells(size: Size, seed: int) -> list[Cell]:
    """Cheap ones first."""
    kinds = config.KINDS
    cells = [
        cell
        for n, hands in config.STEPS[size]
        for kind, make in kinds
        for cell in _matches([config.Pairing(f"{n} {kind}", f"{n:,}, {kind}", (make(n), "fixed"))], hands, 1, seed)
    ]
    steps, deals, block = config.BLOCKS[size]
    for n, (kind, make) in ((n, kind) for n in steps for kind in kinds):
        # Searches end once the simulations left cannot change the choice.
        agents = (f"{make(n)},stop=sure", "fixed")
        for start in range(0, deals, block):
            task = BlockTask(agents, deals, 1000 * seed, start, min(start + block, deals))
            cells.append(Cell(f"{n} {kind} from {start}", block_cell, task))
    return cells


def version_cells(size: Size, seed: int) -> list[Cell]:
    specs = config.versions(config.SCALES[size].simulations)
    rows = [config.Pairing(f"{v} {o}", v, (spec, o)) for o in config.OPPONENTS[size] for v, spec in specs.items()]
    return _matches(rows, config.VERSION_HANDS[size], 1, seed)


def small_cells(size: Size, seed: int) -> list[Cell]:
    repeats, points = (4 if size == "quick" else 10), config.points(size)
    seeds = [(game, k) for game in config.GAMES for k in range(repeats)]
    return [Cell(f"{g} {k}", small_cell, SmallTask(g, "uct", 100 * seed + k, points)) for g, k in seeds]
