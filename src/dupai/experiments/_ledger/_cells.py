"""The work of ``dupai reproduce ledger``: matches of learning agents, and best responses to what they learned."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from dupai.arena import entrants_of, load_format
from dupai.arena.match import SeatingTask, match_config, play_seating
from dupai.base import AgentError
from dupai.experiments._duel import fresh_players, heads_up_hands
from dupai.experiments._ledger import _config as config
from dupai.experiments._paper import Cell, Size
from dupai.jobs import Pulse
from dupai.rules import GameSpec
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


def _won(task: Lesson, opponent: str, hands: int, seed: int, pulse: Pulse, state: bytes | None) -> float | None:
    """What the learner wins from an opponent, mean of both positions in mbb/hand, luck out. It starts from ``state``
    each time, and takes the opponent for its teacher: same name, same chair. None where the pulse said stop."""
    totals = np.zeros(hands)
    entrants = entrants_of([task.learner, opponent])
    name = entrants_of([task.learner, task.teacher])[1].label
    entrants = (entrants[0], replace(entrants[1], label=name))
    for first in (0, 1):
        with fresh_players(entrants, SPEC, hands, seed, task.match) as players:
            if state is not None and players.seats[0].can.saves and not players.seats[0].load(state):
                raise AgentError(f"{task.learner}: {players.faults[-1].error}", text=task.learner)
            policies = [
                seat.policy if e.stateless and seat.can.policy else None
                for seat, e in zip(players.seats, entrants, strict=True)
            ]
            played = 0
            for _, record in heads_up_hands(players, SPEC, hands, seed, task.match, pulse, first=first):
                totals[played] += luck_adjusted([record], policies)[0][0] / (SPEC.big_blind / 1000) / 2
                played += 1
        if played < hands:
            return None
    return float(totals.mean())


def learn(task: Lesson, pulse: Pulse) -> bytes | None:
    """The state of the learner after its lesson; empty where it has none to save."""
    entrants = entrants_of([task.learner, task.teacher])
    with fresh_players(entrants, SPEC, task.hands, task.seed, task.match) as players:
        seat = players.seats[0]
        if not seat.can.saves:
            return b""
        hands = sum(1 for _ in heads_up_hands(players, SPEC, task.hands, task.seed, task.match, pulse))
        if hands < task.hands:
            return None
        state = seat.save()
    if state is None:
        raise AgentError(f"{task.learner}: {players.faults[-1].error}", text=task.learner)
    return state


def respond(task: Lesson, pulse: Pulse) -> dict[str, Any] | None:
    """What the learner wins after the lesson from its teacher and from the response that is best against it, and what
    it wins from that response without the lesson."""
    state = learn(task, pulse)
    if state is None:
        return None
    # Deals of their own for choosing and for measuring: the best of many is best by luck, too.
    taught = state or None
    chosen: dict[str, float] = {}
    for response in task.responses:
        value = _won(task, response, task.choice, task.seed + 1, pulse, taught)
        if value is None:
            return None
        chosen[response] = value
    best = min(chosen, key=lambda name: chosen[name])
    played = (("teacher", task.teacher, taught), ("response", best, taught), ("fresh", best, None))
    after = {key: _won(task, opponent, task.proof, task.seed + 2, pulse, begin) for key, opponent, begin in played}
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
