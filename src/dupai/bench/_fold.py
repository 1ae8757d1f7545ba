"""``dupai bench fold``: how long the ``fold`` agent thinks, reading included (CPU time: other work does not count)."""

from __future__ import annotations

from time import process_time

import numpy as np

from dupai.agents import MatchInfo, make_agent
from dupai.base import Rng
from dupai.bench._row import Row, row
from dupai.rules import Action, GameSpec, HandState

#: Hands played.
_HANDS = 60
#: Reader, opponents, and goals in ms for the median and 99 % of decisions.
_MEASURED = (("fold", 3, 5.0, 40.0), ("model", 3, 5.0, 40.0), ("model", 1, 5.0, 15.0))


def _times(spec: str, opponents: int) -> tuple[list[float], list[float]]:
    """Milliseconds of each decision after the flop against opponents who are still in, and of learning from each
    finished hand (the opponents have names).

    The agent is asked in turn as in play; its answer is timed and not played: everybody checks, calls or bets a little,
    so that all stay in.
    """
    agent = make_agent(spec)
    players = opponents + 1
    names = [f"player {seat}" for seat in range(players)]
    rng = Rng(31, players)
    game = GameSpec.no_limit(players, (50, 100), 20_000)
    agent.start(MatchInfo(spec=game, seat=0, names=tuple(names)))
    decisions, lessons = [], []
    for hand in range(_HANDS + 5):
        state = HandState.deal(game, rng, seats=[(hand + i) % players for i in range(players)], hand=hand + 1)
        while not state.finished:
            action = Action.call()
            if state.seats[state.actor] == 0:
                view = state.view(state.actor)
                start = process_time()
                agent.act(view, rng)
                if hand >= 5 and state.street > 0:
                    decisions.append(1e3 * (process_time() - start))
            elif state.street > 0 and state.to_call == 0 and rng.below(3) == 0 and state.legal.can_raise:
                action = Action.raise_to(min(state.legal.min_to + state.pot // 2, state.legal.max_to))
            state.apply(action)
        record = state.record([names[seat] for seat in state.seats])
        record = record.seen_by(record.seats.index(0))
        start = process_time()
        agent.observe(record)
        lessons.append(1e3 * (process_time() - start))
    return decisions, lessons[5:]


def rows() -> list[Row]:
    """Median and 99 % of decisions after the flop, kernels warm, for two readers; the cost of a finished hand.

    Goals are for one core and are not scaled by the machine's speed.
    """
    figures = []
    for reader, opponents, usual, slowest in _MEASURED:
        spec = f"fold:reader={reader}"
        decisions, lessons = _times(spec, opponents)
        name = f"{spec}, {opponents} opponents" if opponents > 1 else f"{spec}, heads-up"
        median, tail = np.quantile(decisions, (0.5, 0.99))
        figures += [
            row(f"{name}, median", float(median), "ms/decision", most=usual),
            row(f"{name}, 99 %", float(tail), "ms/decision", most=slowest),
            row(f"{name}, a finished hand", float(np.median(lessons)), "ms/hand"),
        ]
    return figures
