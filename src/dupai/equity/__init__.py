"""Win rates: exact and Monte Carlo equity, every hand against a range, outs, hand potential, the win-rate table."""

import sys
from types import ModuleType
from typing import Any

from dupai.equity._class_matchups import ClassMatchups, class_matchups
from dupai.equity._equity import equity
from dupai.equity._kernels.exact import matchup_kernel
from dupai.equity._kernels.monte_carlo import multiway_win_rate_kernel
from dupai.equity._kernels.potential import outs_kernel, potential_kernel
from dupai.equity._kernels.sweep import hand_kernel, river_hand_kernel, sort_by_strength_kernel, sweep_kernel
from dupai.equity._kernels.table import WinRateTable, win_rate_batch_kernel, win_rate_kernel, win_rates_table_kernel
from dupai.equity._potential import Potential, is_draw, outs, potential
from dupai.equity._result import EquityResult
from dupai.equity._table import build_win_rates, load_win_rate_table, table_file
from dupai.equity._winrates import RangeMass, range_mass, win_rate, win_rates

__all__ = [
    "ClassMatchups",
    "EquityResult",
    "Potential",
    "RangeMass",
    "WinRateTable",
    "build_win_rates",
    "class_matchups",
    "equity",
    "hand_kernel",
    "is_draw",
    "load_win_rate_table",
    "matchup_kernel",
    "multiway_win_rate_kernel",
    "outs",
    "outs_kernel",
    "potential",
    "potential_kernel",
    "range_mass",
    "river_hand_kernel",
    "sort_by_strength_kernel",
    "sweep_kernel",
    "table_file",
    "win_rate",
    "win_rate_batch_kernel",
    "win_rate_kernel",
    "win_rates",
    "win_rates_table_kernel",
]


class _Floor(ModuleType):
    """``dupai.equity`` is this floor and, called, its function of the same name."""

    def __call__(self, *args: Any, **kwargs: Any) -> EquityResult:
        return equity(*args, **kwargs)


sys.modules[__name__].__class__ = _Floor
