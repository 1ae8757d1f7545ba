"""Play-outs: thousands of hands side by side, every seat acting by the trained action model.

:func:`values` says what each action is worth at a decision, with its error; :func:`play_hands` plays whole hands. A
:class:`Player` is a population, corrected to what was counted of a group or learned of a person.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.playouts._counted import (
        PERSONA_FILE as PERSONA_FILE,
        PersonaHabits as PersonaHabits,
        persona_habits as persona_habits,
    )
    from dupai.playouts._hands import Played as Played, play_hands as play_hands
    from dupai.playouts._kernels.situations import (
        SITUATIONS as SITUATIONS,
        SIZE_SITUATIONS as SIZE_SITUATIONS,
        situation_kernel as situation_kernel,
        size_situation_kernel as size_situation_kernel,
    )
    from dupai.playouts._players import Player as Player
    from dupai.playouts._small import SMALL_FILE as SMALL_FILE
    from dupai.playouts._values import ActionValues as ActionValues, rank_worth as rank_worth, values as values
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
