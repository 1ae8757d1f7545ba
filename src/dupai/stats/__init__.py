"""Stats: intervals, paired and duplicate designs, luck reduction, sequential tests: how agents are compared.

Means with their uncertainty are :class:`dupai.base.Estimate`; chips are floats here, because they are averages.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.stats._intervals import (
        LONG as LONG,
        MIN_DEALS as MIN_DEALS,
        MIN_LONG as MIN_LONG,
        MIN_SESSIONS as MIN_SESSIONS,
        Measure as Measure,
        by_deal as by_deal,
        estimate as estimate,
        hands_wanted as hands_wanted,
        least_blocks as least_blocks,
        mbb_per_hand as mbb_per_hand,
        mean_intervals as mean_intervals,
        paired as paired,
    )
    from dupai.stats._luck import (
        COEFFICIENTS as COEFFICIENTS,
        TERMS as TERMS,
        LuckTerms as LuckTerms,
        ViewPolicy as ViewPolicy,
        all_in_adjusted as all_in_adjusted,
        decision_parts as decision_parts,
        luck_adjusted as luck_adjusted,
        luck_terms as luck_terms,
    )
    from dupai.stats._sprt import (
        DEFAULT_BOUNDS as DEFAULT_BOUNDS,
        MIN_BLOCKS as MIN_BLOCKS,
        Sprt as Sprt,
        SprtDecision as SprtDecision,
        SprtState as SprtState,
        log_likelihood_ratio as log_likelihood_ratio,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
