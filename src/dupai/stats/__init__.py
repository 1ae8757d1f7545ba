"""Stats: intervals, paired and duplicate designs, luck reduction, sequential tests. What agents are judged by.

Means with their uncertainty are :class:`dupai.base.Estimate`; chips are floats here, because they are averages.
"""

from dupai.stats._intervals import (
    bootstrap_interval,
    by_deal,
    estimate,
    hands_wanted,
    mbb_per_hand,
    paired,
)
from dupai.stats._sprt import DEFAULT_BOUNDS, Sprt, SprtDecision, SprtState, expected_blocks, log_likelihood_ratio

__all__ = [
    "DEFAULT_BOUNDS",
    "Sprt",
    "SprtDecision",
    "SprtState",
    "bootstrap_interval",
    "by_deal",
    "estimate",
    "expected_blocks",
    "hands_wanted",
    "log_likelihood_ratio",
    "mbb_per_hand",
    "paired",
]
