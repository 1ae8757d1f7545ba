"""Work of the paper mcts: matches of one program against others, deal by deal, and searches of small games."""

from __future__ import annotations

import math
import time
from typing import Any, NamedTuple

import numpy as np

from dupai.agents import GameSearch
from dupai.arena import SeatingTask, match_config, match_seatings, match_tasks, play_seating
from dupai.base import Estimate, Rng
from dupai.cfr import best_response, compile_game
from dupai.games import Kuhn, Leduc, random_policy
from dupai.jobs import Pulse

#: The paper's programs. It prints neither C nor how many simulations a decision had.
_PAPER = "opponents=random,determinise=leaf,chance=cards,playout=random,selection=uct,c=1"


def no_model(simulations: int) -> str:
    """The paper's program without an opponent model."""
    return f"mcts:simulations={simulations},{_PAPER},reader=uniform"


def with_model(simulations: int) -> str:
    """The paper's program with its model: hands at showdowns are drawn from it."""
    return f"mcts:simulations={simulations},{_PAPER},reader=bucket"


def ours(simulations: int) -> str:
    """The agent as it is by default: hands drawn with every simulation, opponents act by the model."""
    return f"mcts:simulations={simulations}"


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


class Played(NamedTuple):
    """Small blinds a hand of the first agent by deal (mean over rotations); faults of anybody; processor seconds."""

    won: list[float]
    faults: int
    seconds: float


def match_cell(task: MatchTask, pulse: Pulse) -> dict[str, Any] | None:
    """Play it."""
    return _play(task, pulse, False)


def reduced_cell(task: MatchTask, pulse: Pulse) -> dict[str, Any] | None:
    """Play it; what was luck in every hand is taken off: the same expectation, smaller errors."""
    return _play(task, pulse, True)


def block_cell(task: BlockTask, pulse: Pulse) -> dict[str, Any] | None:
    """Play the block; luck is taken off."""
    return _play(task, pulse, True)


def _play(task: MatchTask | BlockTask, pulse: Pulse, reduced: bool) -> dict[str, Any] | None:
    began = time.process_time()
    players = len(task.agents)
    entrants, config = match_config(
        task.agents,
        hands=task.hands,
        duplicate=True,
        seed=task.seed,
        game=f"holdem.limit.{players}p",
        luck_reduced=reduced,
    )
    if isinstance(task, BlockTask):
        seatings = range(len(match_seatings(config)))
        tasks = [SeatingTask(tuple(entrants), config, r, start=task.start, stop=task.stop) for r in seatings]
    else:
        tasks = match_tasks(entrants, config)
    won: dict[int, float] = {}
    faults = 0
    rotations = len({t.rotation for t in tasks})
    unit = config.game.split * config.game.big_blind / 2 * rotations
    for one in tasks:
        seating = play_seating(one, pulse)
        if not seating.complete:
            return None
        faults += sum(seating.fault_counts)
        mine = seating.payoffs[:, 0].astype(np.float64)
        if seating.luck is not None:
            mine -= config.game.split * seating.luck[:, 0]
        for k, w in enumerate(mine.tolist()):
            won[one.start + k] = won.get(one.start + k, 0.0) + w / unit
    found = Played([round(won[k], 4) for k in sorted(won)], faults, round(time.process_time() - began, 1))
    return found._asdict()


def until_sure(spec: str) -> str:
    """The same program; a search ends once the simulations left cannot change its choice."""
    return f"{spec},stop=sure"


class SmallTask(NamedTuple):
    """A search of a small game against a policy drawn at random, with the value at each of ``points`` simulations."""

    game: str
    selection: str
    seed: int
    points: tuple[int, ...]


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


def root_mean_square(values: list[float]) -> float:
    """Of errors."""
    return math.sqrt(sum(v * v for v in values) / len(values))


def of_deals(matches: list[dict[str, Any]], first: int = 0, last: int | None = None) -> Estimate:
    """Small blinds a hand over all deals of some matches (of deals ``first`` to ``last`` of each)."""
    return Estimate.of([w for m in matches for w in m["won"][first:last]])
