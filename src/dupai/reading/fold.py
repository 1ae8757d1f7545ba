"""FOLD's action model and its constants."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.reading._fold._constants import (
        PAPER_CONSTANTS as PAPER_CONSTANTS,
        FoldConstants as FoldConstants,
        FoldFile as FoldFile,
        WinRateInterval as WinRateInterval,
        game_kind as game_kind,
    )
    from dupai.reading._fold._kernels import likelihood_kernel as likelihood_kernel
    from dupai.reading._fold._model import (
        DFModel as DFModel,
        board_rates as board_rates,
        entry_share as entry_share,
        hand_percentiles as hand_percentiles,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
