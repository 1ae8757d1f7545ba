"""The risk policy: two sigmoid curves over the win rate where there is a bet to fold to, one where checking is free."""

import numpy as np

from dupai.agents._kernels import raise_span_kernel, sample_kernel, view_win_rate_kernel, winnable_kernel
from dupai.agents._layout import NO_CARDS
from dupai.base import kernel


@kernel
def shift_kernel(share, steep):
    """``e(E; d)`` of eq. 3, with which the mean of 1 - risk over a uniform win rate is E.

    Written as (1 - E) + (log(1 - exp(-d (1 - E))) - log(1 - exp(-d E))) / d, in which nothing overflows and no
    difference of near numbers is taken. ``share`` E in (0, 1), ``steep`` d > 0. Not clamped.
    """
    return (1.0 - share) + (np.log(-np.expm1(-steep * (1.0 - share))) - np.log(-np.expm1(-steep * share))) / steep


@kernel
def go_kernel(rate, share, steep):
    """1 - risk of eq. 2: the chance to go on with win rate ``rate``; its mean over uniform rates is ``share``."""
    z = steep * (rate - shift_kernel(share, steep))
    if z >= 0.0:
        return 1.0 / (1.0 + np.exp(-z))
    ez = np.exp(z)
    return ez / (1.0 + ez)


@kernel
def risk_policy_kernel(rate, x, to_call, max_to):
    """``(fold, call, raise)`` of eq. 1 for the five numbers ``x`` (``float64[5]``).

    Where no raise is allowed (facing an all-in) its chance goes to the call.
    """
    if to_call > 0:
        bet = go_kernel(rate, x[1], x[2])
        play = bet if x[1] == x[0] else go_kernel(rate, x[0], x[2])
        fold = 1.0 - play
        call = max(play - bet, 0.0)
    else:
        bet = go_kernel(rate, x[3], x[4])
        fold = 0.0
        call = 1.0 - bet
    if max_to == 0:
        call += bet
        bet = 0.0
    return fold, call, bet


@kernel
def risk_act_kernel(table, s, to_call, min_to, max_to, x, size, deals, memo, rng_state):
    """The risk policy from view to action (``to * 4 + kind``, or NO_CARDS); ``size``: see ``raise_span_kernel``."""
    rate = view_win_rate_kernel(table, s, deals, memo)
    if rate < 0.0:
        return np.int64(NO_CARDS)
    h = s[0]
    fold, call, bet = risk_policy_kernel(rate, x, to_call, max_to)
    lo, hi = raise_span_kernel(size, h["total"][h["actor"]], to_call, winnable_kernel(s), min_to, max_to)
    return sample_kernel(rng_state, fold, call, bet, lo, hi)
