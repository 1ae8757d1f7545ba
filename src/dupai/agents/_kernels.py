"""Decisions of the win-rate agents, from the flat state of a view to an action, in one call."""

import numpy as np

from dupai.agents._layout import DEALS, FREE_AS_BET, LOOSENESS, NO_CARDS, RAISE_ODDS, RESERVE, SAFE, SIZE
from dupai.base import kernel, next_below, next_uniform, uncounted_kernel
from dupai.equity import multiway_win_rate_kernel, win_rate_kernel
from dupai.rules import CALL, FOLD, RAISE
from dupai.spots import UNIFORM, raise_to_kernel

_ONE, _S27, _S30, _S31 = (np.uint64(n) for n in (1, 27, 30, 31))
_MIX, _MIX1, _MIX2 = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))

#: "Programming Poker AI", decision table: rows of (fold, call, raise) for RR below each limit, and for the rest.
_RETURNS = np.array([0.8, 1.0, 1.3])
_TABLE = np.array([[0.95, 0.0, 0.05], [0.80, 0.05, 0.15], [0.0, 0.6, 0.4], [0.0, 0.3, 0.7]])


@kernel
def _mixed(x):
    """The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every bit of ``x`` changes every bit of the result."""
    x = (x ^ (x >> _S30)) * _MIX1
    x = (x ^ (x >> _S27)) * _MIX2
    return x ^ (x >> _S31)


@kernel
def view_win_rate_kernel(table, s, deals, memo):
    """Chance that the actor of ``s`` wins against the uniform hands of all live opponents, ties shared.

    One opponent: the win-rate table (a turn that is not in the table is counted out and rounded to the table's grid, so
    that both give the same). More: ``deals`` random deals from a stream that is seeded by the cards seen and the
    number of opponents, which makes the rate a function of the view: equal views get equal rates on every machine.

    Args:
        table: :class:`dupai.equity.WinRateTable`.
        s: ``STATE_DTYPE[1]``.
        deals: int64.
        memo: ``MEMO_DTYPE[1]``, the last answer, as a street often needs it twice; overwritten.

    Returns:
        ``float64``; -1 if the actor's cards are unknown.
    """
    h = s[0]
    p = h["actor"]
    a = h["hole"][p, 0]
    b = h["hole"][p, 1]
    if a > 51 or b > 51:
        return -1.0
    street = h["street"]
    n_board = street + 2 if street > 0 else street
    opponents = h["live"] - 1
    board = np.empty(5, np.uint8)
    hole_bits = (_ONE << np.uint64(a)) | (_ONE << np.uint64(b))
    seen_bits = np.uint64(opponents) << np.uint64(56)
    for k in range(5):
        board[k] = h["board"][k]
        if k < n_board:
            if board[k] > 51:
                return -1.0
            seen_bits |= _ONE << np.uint64(board[k])
    m = memo[0]
    if m["hole"] == hole_bits and m["seen"] == seen_bits:
        return m["rate"]
    if opponents <= 1:
        rate = win_rate_kernel(table, a, b, board, n_board)
        if n_board == 4:
            rate = np.floor(rate * 65535.0 + 0.5) / 65535.0
    else:
        rng = np.empty(4, np.uint64)
        x = _mixed(hole_bits + _MIX) ^ seen_bits
        for k in range(4):
            x += _MIX
            rng[k] = _mixed(x)
        rate = multiway_win_rate_kernel(a, b, board, n_board, opponents, deals, rng)
    m["hole"] = hole_bits
    m["seen"] = seen_bits
    m["rate"] = rate
    return rate


@uncounted_kernel(forceinline=True)
def winnable_kernel(s):
    """Chips of the pot that the actor can win, antes included: :attr:`dupai.rules.View.winnable`."""
    h = s[0]
    p = h["actor"]
    most = h["total"][p] + h["stack"][p]
    pot = np.int64(0)
    for i in range(h["players"]):
        pot += min(h["total"][i], most) + h["ante"][i]
    return pot


@kernel
def raise_span_kernel(size, mine, to_call, pot, min_to, max_to):
    """The totals ``(lo, hi)`` that a raise of ``size`` is drawn from, uniformly; equal for a fixed size.

    ``size`` >= 0 is a share of the pot as it stands after a call; see :mod:`dupai.spots` for the others.
    """
    if size == UNIFORM:
        return min_to, max_to
    to = raise_to_kernel(size, mine + to_call, pot + to_call, min_to, max_to, True)
    return to, to


@kernel
def return_kernel(rate, to_call, pot, big_blind, free_as_bet):
    """Rate of return: win rate over pot odds, ``to_call / (to_call + pot)``; infinite when calling is free, or, with
    ``free_as_bet``, as if a bet of one big blind had to be called."""
    cost = to_call
    if cost == 0 and free_as_bet:
        cost = big_blind
    if cost == 0:
        return np.inf
    return rate * np.float64(cost + pot) / np.float64(cost)


@kernel
def rules_policy_kernel(rate, to_call, pot, stack, max_to, big_blind, params):
    """``(fold, call, raise)`` of the rate-of-return table, with stack protection and personality.

    ``params`` is ``float64`` as ``_layout`` numbers it; other arguments are chips (int64) and the win rate.
    """
    rr = return_kernel(rate, to_call, pot, big_blind, params[FREE_AS_BET] != 0.0) * params[LOOSENESS]
    row = 0
    while row < 3 and rr >= _RETURNS[row]:
        row += 1
    fold = _TABLE[row, 0]
    call = _TABLE[row, 1]
    bet = _TABLE[row, 2]
    odds = params[RAISE_ODDS]
    if odds != 1.0:
        more = bet * odds / (bet * odds + 1.0 - bet)
        rest = (1.0 - more) / (1.0 - bet)
        fold *= rest
        call *= rest
        bet = more
    if np.float64(stack - to_call) < params[RESERVE] * big_blind and rate < params[SAFE]:
        fold = 1.0
        call = 0.0
        bet = 0.0
    if max_to == 0:
        call += bet
        bet = 0.0
    if to_call == 0:
        call += fold
        fold = 0.0
    return fold, call, bet


@kernel
def style_policy_kernel(rate, alpha, beta, to_call, max_to):
    """``(fold, call, raise)`` of the two thresholds: one of them is 1."""
    if rate >= beta and max_to > 0:
        return 0.0, 0.0, 1.0
    if rate >= alpha or to_call == 0:
        return 0.0, 1.0, 0.0
    return 1.0, 0.0, 0.0


@kernel
def sample_kernel(rng_state, fold, call, bet, lo, hi):
    """An action ``to * 4 + kind``, drawn as ``ActionDistribution.sample`` draws it."""
    u = next_uniform(rng_state)
    if u < fold:
        return np.int64(FOLD)
    if u < fold + call or bet == 0.0:
        return np.int64(CALL if call > 0.0 else FOLD)
    to = lo
    if hi > lo:
        to = lo + next_below(rng_state, hi - lo + 1)
    return to * 4 + RAISE


@kernel
def rules_act_kernel(table, s, to_call, min_to, max_to, big_blind, params, memo, rng_state):
    """The ``rules`` agent from view to action (``to * 4 + kind``, or NO_CARDS)."""
    rate = view_win_rate_kernel(table, s, np.int64(params[DEALS]), memo)
    if rate < 0.0:
        return np.int64(NO_CARDS)
    h = s[0]
    p = h["actor"]
    pot = winnable_kernel(s)
    fold, call, bet = rules_policy_kernel(rate, to_call, pot, h["stack"][p], max_to, big_blind, params)
    lo, hi = raise_span_kernel(params[SIZE], h["total"][p], to_call, pot, min_to, max_to)
    return sample_kernel(rng_state, fold, call, bet, lo, hi)


@kernel
def style_act_kernel(table, s, to_call, min_to, max_to, alpha, beta, params, memo, rng_state):
    """The ``style`` agent from view to action (``to * 4 + kind``, or NO_CARDS)."""
    rate = view_win_rate_kernel(table, s, np.int64(params[DEALS]), memo)
    if rate < 0.0:
        return np.int64(NO_CARDS)
    h = s[0]
    fold, call, bet = style_policy_kernel(rate, alpha, beta, to_call, max_to)
    lo, hi = raise_span_kernel(params[SIZE], h["total"][h["actor"]], to_call, winnable_kernel(s), min_to, max_to)
    return sample_kernel(rng_state, fold, call, bet, lo, hi)
