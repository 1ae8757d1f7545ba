"""Stats: intervals, paired and duplicate designs, luck reduction, sequential tests. What agents are judged by.

Means with their uncertainty are :class:`dupai.base.Estimate`; chips are floats here, because they are averages.
"""

from dupai.stats._aivat import corrected_payoffs
from dupai.stats._intervals import (
    bootstrap_interval,
    by_deal,
    estimate,
    hands_wanted,
    mbb_per_hand,
    paired,
)
from dupai.stats._luck import (
    BASELINE,
    COEFFICIENTS,
    TERMS,
    LuckTerms,
    ViewPolicy,
    all_in_adjusted,
    decision_parts,
    luck_adjusted,
    luck_terms,
    pots,
)
from dupai.stats._sprt import (
    DEFAULT_BOUNDS,
    LEAST_BLOCKS,
    Sprt,
    SprtDecision,
    SprtState,
    expected_blocks,
    log_likelihood_ratio,
)

__all__ = [
    "BASELINE",
    "COEFFICIENTS",
    "DEFAULT_BOUNDS",
    "LEAST_BLOCKS",
    "TERMS",
    "LuckTerms",
    "Sprt",
    "SprtDecision",
    "SprtState",
    "ViewPolicy",
    "all_in_adjusted",
    "bootstrap_interval",
    "by_deal",
    "corrected_payoffs",
    "decision_parts",
    "estimate",
    "expected_blocks",
    "hands_wanted",
    "log_likelihood_ratio",
    "luck_adjusted",
    "luck_terms",
    "mbb_per_hand",
    "paired",
    "pots",
]
