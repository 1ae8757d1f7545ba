"""The reader ``equilibrium``: what hands mean to a player who plays the strategy of the agent of that name."""

from __future__ import annotations

from typing import Annotated, Literal

from dupai.agents._equilibrium._agent import SHIPPED, STAND_IN, Equilibrium
from dupai.agents._equilibrium._model import EquilibriumModel
from dupai.base import Option
from dupai.reading import Filter


class EquilibriumReader(Filter):
    """Takes everybody for a player of the equilibrium: the ranges that solved streets and the blueprint give.

    Learns nothing of anybody.

    Args:
        resolve: the first street that is solved.
        blueprint: what plays where nothing is solved.
        uniform: share of the uniform distribution in every reading.

    Raises:
        FileError: a blueprint cannot be read.
    """

    def __init__(
        self,
        resolve: Annotated[
            Literal["turn", "river", "off"], Option("first street that is solved; off: the blueprint alone")
        ] = "turn",
        blueprint: Annotated[
            str,
            Option(
                "shipped, stand-in, or files of 'dupai train blueprint' with + between them",
                file=True,
                words=(SHIPPED, STAND_IN),
            ),
        ] = SHIPPED,
        uniform: Annotated[float, Option("share of the uniform distribution mixed in", low=0, high=0.5)] = 0.01,
    ) -> None:
        super().__init__(EquilibriumModel(Equilibrium(resolve=resolve, blueprint=blueprint).tracker), uniform=uniform)
