"""The heads-up postflop solver: discounted CFR over all hands of both ranges at once, with vector kernels."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.cfr.postflop._betting import forget_betting as forget_betting
    from dupai.cfr.postflop._nested import (
        StreetSolution as StreetSolution,
        StreetState as StreetState,
        reach_of as reach_of,
    )
    from dupai.cfr.postflop._spot import PLAYERS as PLAYERS
    from dupai.cfr.postflop._tree import BettingState as BettingState, SpotMove as SpotMove
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
