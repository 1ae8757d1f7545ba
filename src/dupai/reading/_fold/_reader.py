"""The reader of the FOLD paper."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from dupai.base import Option
from dupai.reading._filter import Filter
from dupai.reading._fold._constants import PAPER_CONSTANTS
from dupai.reading._fold._model import DFModel, Limit, Measure, ThreeQuarter
from dupai.reading._fold._shipped import load_fold
from dupai.rules import GameSpec


class FoldReader(Filter):
    """The FOLD paper's reader: win-rate intervals for every action, multiplied over streets, adapting to players.

    Source: Li, Jiang, Chen, Bao, "Game in multiplayer no-limit Texas hold'em based on hands prediction", Chinese
    Journal of Computers 40 (2017), sections 4.1 to 4.3.
    """

    def __init__(
        self,
        adapt: Annotated[bool, Option("whether intervals move with what a player does")] = True,
        constants: Annotated[
            str, Option("numbers of the model: paper, fitted (to training hands), or a file of dupai train fold")
        ] = "paper",
        actions: Annotated[
            Literal["strongest", "each"], Option("what of a street counts: the most aggressive action, or each")
        ] = "strongest",
        theta: Annotated[
            float | None, Option("relative probability inside an interval; default: the constants'", 1.0)
        ] = None,
        uniform: Annotated[
            float | None, Option("share of the uniform distribution in a reading; default: the constants'", 0.0, 0.99)
        ] = None,
        trust: Annotated[
            float | None, Option("share of a player's habits that is believed; default: the constants'", 0.0, 1.0)
        ] = None,
        three_quarter: Annotated[ThreeQuarter, Option("how a bet of 0.6 to 1 pot is read")] = "pot",
        measure: Annotated[Measure, Option("raises count by (beyond the call) or to (all chips put in)")] = "by",
        limit: Annotated[
            Limit, Option("limit games: an interval of its own for the one size, or the table of sizes")
        ] = "own",
        joint: Annotated[bool, Option("whether readings respect that no two players hold the same card")] = True,
    ) -> None:
        file = load_fold() if constants in ("paper", "fitted") else load_fold(constants)
        numbers = {"": PAPER_CONSTANTS} if constants == "paper" else file.constants
        change: dict[str, float] = {}
        if theta is not None:
            change["theta"] = theta
        if uniform is not None:
            change["uniform"] = uniform
        if trust is not None:
            change["trust"] = trust
        numbers = {kind: msgspec.structs.replace(c, **change) for kind, c in numbers.items()}
        self._model = DFModel(
            numbers[""] if constants == "paper" else numbers,
            three_quarter=three_quarter,
            measure=measure,
            limit=limit,
            adapt=adapt,
            priors=file.populations,
        )
        super().__init__(self._model, uniform=0.0, actions=actions, joint=joint)

    def uniform_share(self, spec: GameSpec) -> float:
        """That of the constants for the kind of game."""
        return self._model.constants(spec).uniform
