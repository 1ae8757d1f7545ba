"""An agent that deals the hand itself: it tries small seeds against its own stream and against its own cards."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

from dupai.agents import BaseAgent
from dupai.base import Rng
from dupai.cards import cards_text
from dupai.rules import DECK_STREAM, SEAT_STREAM, Action, HandState, View


class Peeker(BaseAgent):
    """Calls. At its first decision in a hand it writes to the file ``out`` what everybody holds, or ``nothing``.

    Args:
        out: the file.
        seeds: how many seeds it tries.
    """

    stateless = True

    def __init__(self, out: str, seeds: int = 50) -> None:
        self._out, self._seeds, self._hand = Path(out), seeds, 0

    def start(self, match: Any) -> None:
        self._chair = match.seat

    def act(self, view: View, rng: Rng) -> Action:
        if view.hand != self._hand:
            self._hand = view.hand
            with self._out.open("a") as out:
                out.write(f"{view.hand} {self._known(view, rng.state.tolist()) or 'nothing'}\n")
        return Action.call()

    def _known(self, view: View, state: list[int]) -> str | None:
        position = view.seats.index(self._chair)
        for seed, match in product(range(self._seeds), range(2)):
            dealt = HandState.deal(view.spec, Rng(seed, match, view.hand, DECK_STREAM)).line
            mine = Rng(seed, match, view.hand, SEAT_STREAM + self._chair).state.tolist() == state
            if mine or dealt.hole[position] == view.hole[position]:
                return " ".join(cards_text(two) for two in dealt.hole)
        return None
