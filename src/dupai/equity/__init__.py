"""Win rates: exact and Monte Carlo equity, every hand against a range, outs, hand potential, the win-rate table."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.equity._build import build_win_rates as build_win_rates
    from dupai.equity._class_matchups import ClassMatchups as ClassMatchups, class_matchups as class_matchups
    from dupai.equity._equity import equity as equity
    from dupai.equity._kernels.exact import matchup_kernel as matchup_kernel
    from dupai.equity._kernels.monte_carlo import multiway_win_rate_kernel as multiway_win_rate_kernel
    from dupai.equity._kernels.potential import outs_kernel as outs_kernel, potential_kernel as potential_kernel
    from dupai.equity._kernels.sweep import (
        hand_kernel as hand_kernel,
        river_hand_kernel as river_hand_kernel,
        sets_by_slot_kernel as sets_by_slot_kernel,
        sort_by_strength_kernel as sort_by_strength_kernel,
        sweep_kernel as sweep_kernel,
        sweep_sets_kernel as sweep_sets_kernel,
    )
    from dupai.equity._kernels.table import (
        WinRateTable as WinRateTable,
        win_rate_batch_kernel as win_rate_batch_kernel,
        win_rate_kernel as win_rate_kernel,
        win_rates_table_kernel as win_rates_table_kernel,
    )
    from dupai.equity._known import known_equity as known_equity
    from dupai.equity._potential import Potential as Potential, outs as outs, potential as potential
    from dupai.equity._result import EquityResult as EquityResult
    from dupai.equity._table import load_win_rate_table as load_win_rate_table, table_file as table_file
    from dupai.equity._winrates import (
        RangeMass as RangeMass,
        range_mass as range_mass,
        win_rate as win_rate,
        win_rates as win_rates,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
