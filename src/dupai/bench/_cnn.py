"""``dupai bench cnn``: the network that ships, all 1326 hands at a decision, one thread."""

from __future__ import annotations

import numpy as np

from dupai.bench._row import Row, interleave, rate
from dupai.reading import CnnModel, load_reader
from dupai.rules import Action, HandState, load_game
from dupai.spots import ActionModel, Spot, spots


def _decisions(count: int) -> list[Spot]:
    """First decisions of a flop, each on a board of its own."""
    spec, rng = load_game("holdem.nolimit.2p"), np.random.default_rng(1)
    found = []
    for _ in range(count):
        deck = [int(c) for c in rng.permutation(52)[:7]]
        state = HandState(spec, ((deck[0], deck[1]), (deck[2], deck[3])), tuple(deck[4:7]))
        state.apply(Action.raise_to(300))
        state.apply(Action.call())
        found.append(spots(state)[-1])
    return found


def rows() -> list[Row]:
    """Decisions a second, on boards not seen before and on one board, beside the reader model's networks."""
    many = _decisions(40)
    model = CnnModel()
    other: ActionModel = load_reader("model:adapt=off").model  # type: ignore[attr-defined]

    def asked(of: ActionModel, boards: int, times: int) -> float:
        def work() -> int:
            for spot in many[:boards]:
                for _ in range(times):
                    of.probs(spot)
            return boards * times

        return rate(work)

    def fresh() -> float:
        def work() -> int:
            cold = CnnModel(model.weights)
            for spot in many:
                cold.probs(spot)
            return len(many)

        return rate(work)

    ours, theirs, ratio = interleave(lambda: asked(model, 1, 20), lambda: asked(other, 1, 20))
    return [
        Row(
            name="cnn: decisions on one board, 1326 hands each",
            value=ours,
            unit="decisions/s",
            peer="reader model",
            peer_value=theirs,
            ratio=ratio,
        ),
        Row(name="cnn: decisions, a new flop each", value=interleave(fresh, None)[0], unit="decisions/s"),
    ]
