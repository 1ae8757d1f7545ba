"""``dupai bench cnn``: the shipped network for all 1326 hands at a decision, one thread."""

from __future__ import annotations

import numpy as np

from dupai.bench._row import Row, measured, rate
from dupai.reading import load_reader
from dupai.reading.cnn import CnnModel
from dupai.rules import Action, HandState, load_game
from dupai.spots import ActionModel, Spot, spots


def _decisions(count: int) -> list[Spot]:
    """First decisions of a flop, each on a board of its own."""
    spec, rng = load_game("holdem.nolimit.2p"), np.random.default_rng(1)
    decisions = []
    for _ in range(count):
        deck = [int(c) for c in rng.permutation(52)[:7]]
        state = HandState(spec, ((deck[0], deck[1]), (deck[2], deck[3])), tuple(deck[4:7]))
        state.apply(Action.raise_to(300))
        state.apply(Action.call())
        decisions.append(spots(state)[-1])
    return decisions


def rows() -> list[Row]:
    """Decisions a second on one board, beside the reader model's networks, and on boards not seen before."""
    decisions = _decisions(40)
    model = CnnModel()
    other: ActionModel = load_reader("model:adapt=off").model  # type: ignore[attr-defined]

    def ask(asked: ActionModel, some: list[Spot]) -> int:
        for spot in some:
            asked.probs(spot)
        return len(some)

    same = decisions[:1] * 20
    peer = ("reader model", lambda: rate(lambda: ask(other, same)))
    one_board, new_flop = "cnn: decisions on one board, 1326 hands each", "cnn: decisions, a new flop each"
    return [
        measured(one_board, "decisions/s", lambda: rate(lambda: ask(model, same)), peer),
        measured(new_flop, "decisions/s", lambda: rate(lambda: ask(CnnModel(model.weights), decisions))),
    ]
