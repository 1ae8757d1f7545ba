"""Work of the paper mcts: matches of one program against others, deal by deal, and searches of small games."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any, NamedTuple

from dupai.base import Rng
from dupai.cfr import best_response, compile_game
from dupai.experiments._duel import won_by_deal
from dupai.experiments._mcts import _config as config
from dupai.experiments._mcts._small import GameSearch
from dupai.experiments._paper import Cell, Size
from dupai.games import Kuhn, Leduc, random_policy
from dupai.jobs import Pulse


class MatchTask(NamedTuple):
    """One match, all rotations of the seats over the same deals, fresh agents in each; the first agent is measured.

    Only deals ``start`` to ``stop`` of so many ``hands`` are played. ``reduced``: the luck of every hand is taken off:
    the same expectation, smaller errors.
    """

    agents: tuple[str, ...]
    hands: int
    seed: int
    reduced: bool = True
    start: int = 0
    stop: int | None = None


class SmallTask(NamedTuple):
    """A search of a small game against a policy drawn at random, with the value at each of ``points`` simulations."""

    game: str
    selection: str
    seed: int
    points: tuple[int, ...]


def match_cell(task: MatchTask, pulse: Pulse) -> dict[str, Any] | None:
    """Play it: small blinds a hand of the first agent by deal (mean over rotations), faults of anybody, processor
    seconds."""
    began = time.process_time()
    settings: dict[str, Any] = {"hands": task.hands, "seed": task.seed, "luck_reduced": task.reduced}
    settings["game"] = f"holdem.limit.{len(task.agents)}p"
    played = won_by_deal(task.agents, pulse, start=task.start, stop=task.stop, **settings)
    if played is None:
        return None
    won, faults = played
    seconds = round(time.process_time() - began, 1)
    return {"won": [round(2 * w, 4) for w in won.tolist()], "faults": faults, "seconds": seconds}


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


def _matches(rows: Iterable[config.Pairing], hands: int, matches: int, seed: int, reduced: bool = True) -> list[Cell]:
    tasks = [(m, row) for m in range(matches) for row in rows]
    return [
        Cell(f"{row.key} {m}", match_cell, MatchTask(row.agents, hands, 1000 * seed + m, reduced)) for m, row in tasks
    ]


def two_cells(size: Size, seed: int) -> list[Cell]:
    s = config.SCALES[size]
    return _matches(config.pairings(size, 1), s.hands, s.matches, seed, reduced=False)


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
            task = MatchTask(agents, deals, 1000 * seed, start=start, stop=min(start + block, deals))
            cells.append(Cell(f"{n} {kind} from {start}", match_cell, task))
    return cells


def version_cells(size: Size, seed: int) -> list[Cell]:
    specs = config.versions(config.SCALES[size].simulations)
    rows = [config.Pairing(f"{v} {o}", v, (spec, o)) for o in config.OPPONENTS[size] for v, spec in specs.items()]
    return _matches(rows, config.VERSION_HANDS[size], 1, seed)


def small_cells(size: Size, seed: int) -> list[Cell]:
    repeats, points = (4 if size == "quick" else 10), config.points(size)
    seeds = [(game, k) for game in config.GAMES for k in range(repeats)]
    return [Cell(f"{g} {k}", small_cell, SmallTask(g, "uct", 100 * seed + k, points)) for g, k in seeds]
