"""The work of ``dupai reproduce brpso``: matches in the fast lane, at tables, and searches in time to compare with."""

from __future__ import annotations

import warnings
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from dupai.agents import Agent, FastLane, best_fixed_policy, make_agent, policy_point
from dupai.arena import MatchConfig, SeatingTask, match_config, play_seating
from dupai.base import Rng
from dupai.jobs import Pulse

F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]

#: Points of a learning curve.
POINTS = 80
#: Hands between two questions whether to stop.
_SLICE = 4000
#: Turns of the searches in time that are compared with: as many particles and hands as the paper's swarm has.
_TURNS, _TURN_HANDS = 20, 1000
#: Stream of the random numbers of those searches.
_SEARCH_STREAM = 7


#: Who plays: an agent, or a search in time.
Protocol = Literal["agent", "cma", "random"]


@dataclass(frozen=True)
class Lane:
    """Matches of ``hands`` hands in the fast lane, one for each of ``seeds``.

    ``protocol``: ``agent`` plays ``player``; ``cma`` and ``random`` search in time in its place. ``then`` takes the
    opponent's place after half of the hands.
    """

    player: str
    opponent: str
    seeds: tuple[int, ...]
    hands: int
    protocol: Protocol = "agent"
    blinds: tuple[int, int] = (50, 100)
    then: str = ""


@dataclass(frozen=True)
class Bound:
    """A search for the best fixed policy; ``scale``: share of the usual generations."""

    opponent: str
    seed: int
    hands: int
    scale: float


@dataclass(frozen=True)
class Known:
    """The library policy number ``place``, played as fixed."""

    place: int
    opponent: str
    seed: int
    hands: int


@dataclass(frozen=True)
class Table:
    """Matches at a table: ``player`` and the others, through the arena."""

    player: str
    others: tuple[str, ...]
    seeds: tuple[int, ...]
    hands: int


class Ear:
    """A pulse as progress: a search is told to stop as the cell is."""

    def __init__(self, pulse: Pulse) -> None:
        self._pulse = pulse
        self.cancelled = False

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self.cancelled = self.cancelled or not self._pulse.step()


def for_good(total: npt.NDArray[Any]) -> int | None:
    """The first hand (from 1) from which the cumulative sum ``total`` is positive and stays so; None: never."""
    below = np.flatnonzero(total <= 0)
    first = int(below[-1]) + 2 if below.size else 1
    return first if first <= total.size else None


def curve(total: F64) -> list[float]:
    """``total`` at :data:`POINTS` equal steps."""
    at = np.arange(1, POINTS + 1) * total.size // POINTS - 1
    return [float(v) for v in total[at]]


def told(won: F64) -> dict[str, Any]:
    """What is kept of a match: final winnings, chips."""
    total = np.cumsum(won)
    return {"won": float(total[-1]), "half": float(total[total.size // 2 - 1]), "good": for_good(total)} | {
        "curve": curve(total)
    }


def _policies(protocol: str, seed: int) -> Generator[F64, float, None]:
    """A search in time as a generator: gives five numbers, is sent the mean chips per hand of playing them."""
    rng = Rng(seed, _SEARCH_STREAM)
    if protocol == "random":
        # Every other turn something new, else the best so far (by the mean of all its hands).
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


def _searched(task: Lane, seed: int, pulse: Pulse) -> F64 | None:
    lane = FastLane("risk", task.opponent, seed=seed, blinds=task.blinds)
    search = _policies(task.protocol, seed)
    x = next(search)
    parts = []
    while lane.played < task.hands:
        lane.policy = x
        won = lane.play(min(_TURN_HANDS, task.hands - lane.played)) / lane.game.split
        if not pulse.step():
            return None
        parts.append(won)
        x = search.send(float(won.mean()))
    return np.concatenate(parts)


def _point(agent: Agent) -> list[float]:
    """The five numbers that a swarm has found; none of another agent."""
    found = getattr(agent, "found", None)
    return [float(v) for v in found()] if found is not None else []


def play_lane(task: Lane, pulse: Pulse) -> list[dict[str, Any]] | None:
    """A record for each seed: ``won`` chips, ``half`` those of the first half, ``good``, ``curve``, ``x``."""
    records = []
    for seed in task.seeds:
        x: list[float] = []
        if task.protocol != "agent":
            found = _searched(task, seed, pulse)
            if found is None:
                return None
            won = found
        else:
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
            won = np.concatenate(parts)
            x = _point(lane.player)
        records.append({"seed": seed, "x": x} | told(won))
    return records


def find_bound(task: Bound, pulse: Pulse) -> dict[str, Any] | None:
    """The best fixed policy that was found: ``x``, ``mean`` chips per hand on fresh deals, ``se``."""
    found = best_fixed_policy(task.opponent, task.seed, scale=task.scale, check_hands=task.hands, progress=Ear(pulse))
    return None if found is None else {"x": found.x.tolist(), "mean": found.mean, "se": found.se}


def play_known(task: Known, pulse: Pulse) -> dict[str, Any] | None:
    """As :func:`find_bound` has it, over the same deals, of a policy of the swarm's library."""
    swarm = make_agent("swarm:quick")
    lane = FastLane("risk", task.opponent, seed=task.seed)
    lane.policy = swarm.config[0]["library"][task.place]  # type: ignore[attr-defined]
    won = lane.play(task.hands, Ear(pulse)) / lane.game.split
    if won.size < task.hands:
        return None
    return {"x": lane.policy.tolist(), "mean": float(won.mean()), "se": float(won.std(ddof=1) / np.sqrt(won.size))}


def play_table(task: Table, pulse: Pulse) -> list[dict[str, Any]] | None:
    """A record for each seed: as :func:`play_lane` has them, and ``others``: chips of the other chairs."""
    records = []
    for seed in task.seeds:
        entrants, config = match_config([task.player, *task.others], hands=task.hands, seed=seed)
        assert isinstance(config, MatchConfig)
        seating = play_seating(SeatingTask(tuple(entrants), config), pulse)
        if not seating.complete:
            return None
        chips = seating.payoffs / config.game.split
        records.append(
            {"seed": seed, "x": [], "others": chips[:, 1:].sum(0).tolist(), "faults": len(seating.faults)}
            | told(chips[:, 0])
        )
    return records


def reader_needs() -> str | None:
    """Why the hand reader cannot play here; None: it can."""
    try:
        make_agent("fold")
    except Exception as error:  # noqa: BLE001 - whatever is missing of it, the part says so
        return f"the agent fold: {error}"
    return None


def cma_needs() -> str | None:
    """Why CMA-ES cannot be run; None: it can."""
    from importlib.util import find_spec

    return None if find_spec("cma") is not None else "it compares with CMA-ES: pip install 'dupai[report]'"
