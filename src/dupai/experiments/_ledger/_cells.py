"""The work of ``dupai reproduce ledger``: matches of learning agents, and best responses to what they learned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from dupai.arena import entrants_of, load_format
from dupai.arena.match import Players, SeatingTask, TableRules, match_config, play_seating
from dupai.base import AgentError, Rng
from dupai.experiments._ledger import _config as config
from dupai.experiments._paper import Cell, Size
from dupai.jobs import Pulse
from dupai.rules import DECK_STREAM, GameSpec, HandState
from dupai.stats import luck_adjusted

SPEC = GameSpec.no_limit(2, (50, 100), 20_000, odd_chips="acpc", min_raise="acpc")


def play_curve(task: SeatingTask, pulse: Pulse) -> dict[str, Any] | None:
    """One seating of a match: what the learner won in each block of hands, in mbb/hand without luck and with it."""
    seating = play_seating(task, pulse)
    if not seating.complete or seating.luck is None:
        return None
    won = seating.payoffs[:, 0] / SPEC.split
    unit = SPEC.big_blind / 1000
    edges = np.linspace(0, len(won), min(config.BLOCKS, len(won)) + 1).round().astype(int)
    spans = list(pairwise(edges))
    return {
        "ends": edges[1:].tolist(),
        "plain": [float(won[a:b].mean() / unit) for a, b in spans],
        "reduced": [float((won - seating.luck[:, 0])[a:b].mean() / unit) for a, b in spans],
        "faults": list(seating.fault_counts),
    }


def winning_cells(size: Size, seed: int) -> list[Cell]:
    """Every learner and its twin against everybody, on the same deals."""
    cells = []
    matches = load_format("match")
    for learner in config.LEARNERS:
        for opponent, hands in config.against(learner, size).items():
            for spec in dict.fromkeys((learner.spec, learner.twin)):
                everybody, settings = match_config(
                    [spec, opponent], hands=hands, matches=config.MATCHES[size], seed=seed, duplicate=True,
                    luck_reduced=True, curve=0,
                )  # fmt: skip
                for t in matches.tasks(everybody, settings):
                    whole = SeatingTask(t.entrants, t.config, t.rotation, t.match)
                    if t.start == 0:
                        key = f"{learner.spec}|{spec}|{opponent}|{t.match}|{t.rotation}"
                        cells.append((t.match, Cell(key, play_curve, whole)))
    return [cell for _, cell in sorted(cells, key=lambda pair: pair[0])]


class Lesson(NamedTuple):
    """A learner that learns from a teacher for ``hands`` hands; then each of ``responses`` plays it for ``choice``
    deals from there, and the best of them, and the teacher, for ``proof`` other deals."""

    learner: str
    teacher: str
    hands: int
    responses: tuple[str, ...]
    choice: int
    proof: int
    match: int
    seed: int


def _won(task: Lesson, opponent: str, hands: int, seed: int, pulse: Pulse, state: bytes | None) -> Iterator[float]:
    """What the learner wins from an opponent in each deal, mean of both positions in mbb/hand, luck out. It starts from
    ``state`` each time, and takes the opponent for its teacher: same name, same chair. Stops, having given fewer, when
    the pulse says so."""
    totals = np.zeros(hands)
    entrants = entrants_of([task.learner, opponent])
    name = entrants_of([task.learner, task.teacher])[1].label
    entrants = (entrants[0], replace(entrants[1], label=name))
    for swapped in (0, 1):
        players = Players(entrants, seed, task.match, TableRules())
        players.start(SPEC, "reset", hands)
        if state is not None and players.seats[0].can.saves and not players.seats[0].load(state):
            raise AgentError(f"{task.learner}: {players.faults[-1].error}", text=task.learner)
        policies = [
            seat.policy if e.stateless and seat.can.policy else None
            for seat, e in zip(players.seats, entrants, strict=True)
        ]
        for k in range(hands):
            if not pulse.step():
                players.close()
                return
            players.hand = k + 1
            first = (k + 1 + swapped) % 2
            rng = Rng(seed, task.match, k + 1, DECK_STREAM)
            record = players.play(HandState.deal(SPEC, rng, seats=[first, 1 - first], hand=k + 1))
            totals[k] += luck_adjusted([record], policies)[0][0] / (SPEC.big_blind / 1000) / 2
            players.observe(record)
        players.close()
    yield from totals.tolist()


def learn(task: Lesson, pulse: Pulse) -> bytes | None:
    """The state of the learner after its lesson; empty where it has none to save."""
    players = Players(entrants_of([task.learner, task.teacher]), task.seed, task.match, TableRules())
    players.start(SPEC, "reset", task.hands)
    seat = players.seats[0]
    if not seat.can.saves:
        players.close()
        return b""
    for hand in range(1, task.hands + 1):
        if not pulse.step():
            players.close()
            return None
        players.hand = hand
        rng = Rng(task.seed, task.match, hand, DECK_STREAM)
        players.observe(players.play(HandState.deal(SPEC, rng, seats=[hand % 2, 1 - hand % 2], hand=hand)))
    state = seat.save()
    players.close()
    if state is None:
        raise AgentError(f"{task.learner}: {players.faults[-1].error}", text=task.learner)
    return state


def respond(task: Lesson, pulse: Pulse) -> dict[str, Any] | None:
    """What the learner wins after the lesson from its teacher and from the response that is best against it, and what
    it wins from that response without the lesson."""
    state = learn(task, pulse)
    if state is None:
        return None

    def won(opponent: str, hands: int, seed: int, begin: bytes | None) -> float | None:
        values = list(_won(task, opponent, hands, seed, pulse, begin))
        return float(np.mean(values)) if len(values) == hands else None

    # Deals of their own for choosing and for measuring: the best of many is best by luck, too.
    taught = state or None
    chosen: dict[str, float] = {}
    for response in task.responses:
        value = won(response, task.choice, task.seed + 1, taught)
        if value is None:
            return None
        chosen[response] = value
    best = min(chosen, key=lambda name: chosen[name])
    played = (("teacher", task.teacher, taught), ("response", best, taught), ("fresh", best, None))
    after = {key: won(opponent, task.proof, task.seed + 2, begin) for key, opponent, begin in played}
    return None if None in after.values() else {"best": best, "chosen": chosen, **after}


def response_cells(size: Size, seed: int) -> list[Cell]:
    cells = []
    for match in range(config.RESPONSE_MATCHES[size]):
        for learner in filter(lambda one: one.taught, config.LEARNERS):
            hands = round((learner.quick if size == "quick" else learner.full) * config.LESSON[size])
            for teacher in config.TEACHERS[size]:
                task = Lesson(learner.spec, teacher, hands, config.RESPONSES, config.CHOICE[size], config.PROOF[size],
                              match, seed)  # fmt: skip
                cells.append(Cell(f"{learner.spec}|{teacher}|match {match}", respond, task))
    return cells
