"""A million random hands in kernels: chips are conserved, whatever the game, the stacks and the choices."""

import os

import numba
import numpy as np

from dupai.base import Rng, next_below
from dupai.rules import SPEC_DTYPE, STATE_DTYPE, apply_kernel, cards_kernel, legal_kernel, settle_kernel, start_kernel

ERRORS = (
    "no error",
    "a hand that never ends",
    "an actor who cannot act",
    "a call that the stack cannot pay, or a fold for free",
    "a raise range that is empty, not above the bet, or above the stack",
    "chips made or lost",
    "a negative stack",
    "payoffs that do not sum to 0",
    "somebody lost more than he put in",
    "a folded player was paid",
    "the best hand lost money in the pot that it covers",
    "a showdown before the river, or a finished hand with somebody to act",
)


@numba.njit(nogil=True)
def fill_spec(g, rng):
    """A random game: 2-10 players, any structure, blinds (heads-up reversed), antes of all or of the big blind."""
    n = 2 + next_below(rng, 9)
    g["players"] = n
    g["betting"] = next_below(rng, 3)
    g["acpc"] = next_below(rng, 2)
    g["split"] = 2520 if next_below(rng, 2) == 1 else 1
    big = 1 + next_below(rng, 20)
    small = (big + 1) // 2
    ante = next_below(rng, 4)
    for i in range(10):
        g["blinds"][i] = 0
        g["antes"][i] = 1 + big // 4 if ante == 0 else 0
    g["blinds"][0] = big if n == 2 else small
    g["blinds"][1] = small if n == 2 else big
    if ante == 1:
        g["antes"][0 if n == 2 else 1] = big
    g["big_blind"] = big
    g["smallest_bet"] = big if next_below(rng, 4) else 1 + next_below(rng, 2 * big)
    for k in range(4):
        g["bet_sizes"][k] = big if k < 2 else 2 * big
        g["max_raises"][k] = 4 if g["betting"] == 1 else 1000
        g["first_player"][k] = (1 if n == 2 else 2 % n) if k == 0 else 0


@numba.njit(nogil=True)
def decide(s, spec, rng):
    """Check what is legal; play something: (error, kind, to)."""
    h = s[0]
    fold, to_call, lo, hi = legal_kernel(s, spec)
    p = h["actor"]
    if p < 0 or p >= h["players"] or h["folded"][p] != 0 or h["all_in"][p] != 0:
        return 2, np.int64(0), np.int64(0)
    if to_call < 0 or to_call > h["stack"][p] or (fold == 1) != (to_call > 0):
        return 3, np.int64(0), np.int64(0)
    if hi != 0 and (lo > hi or lo <= h["top"] or hi > h["stack"][p] + h["total"][p]):
        return 4, np.int64(0), np.int64(0)
    dice = next_below(rng, 10)
    if dice == 0 and fold == 1:
        return 0, np.int64(0), np.int64(0)
    if dice >= 6 and hi > 0:
        to = lo if dice < 8 else (hi if dice == 8 else lo + next_below(rng, hi - lo + 1))
        return 0, np.int64(2), to
    return 0, np.int64(1), np.int64(0)


@numba.njit(nogil=True)
def settled(s, spec, payoffs):
    """Error in a finished hand, or 0."""
    h = s[0]
    n = h["players"]
    if h["actor"] != -1 or (h["live"] > 1 and h["street"] != 3):
        return 11
    settle_kernel(s, spec, payoffs)
    split = spec[0]["split"]
    total = np.int64(0)
    most = np.int64(0)
    best = -1
    for i in range(n):
        total += payoffs[i]
        put_in = h["total"][i] + h["ante"][i]
        if payoffs[i] < -put_in * split:
            return 8
        if h["folded"][i] != 0 and payoffs[i] != -put_in * split:
            return 9
        most = max(most, h["total"][i])
        if h["folded"][i] == 0 and (best < 0 or h["strength"][i] > h["strength"][best]):
            best = i
    if total != 0:
        return 7
    if h["total"][best] == most and payoffs[best] < 0 and h["ante"][best] == spec[0]["antes"][best]:
        # nobody beats this hand in any pot: at worst it shares each with equals and odd chips
        ties = 0
        for i in range(n):
            if h["folded"][i] == 0 and h["strength"][i] == h["strength"][best]:
                ties += 1
        if ties == 1:
            return 10
    return 0


@numba.njit(nogil=True)
def check_hands(s, spec, rng, payoffs, hands, counts):
    """Play random hands; the number of the first error (and its hand in ``counts[0]``), or 0.

    ``counts``: hand, actions, showdowns, hands with an all-in, split pots."""
    h = s[0]
    for hand in range(hands):
        counts[0] = hand
        fill_spec(spec[0], rng)
        n = spec[0]["players"]
        deep = spec[0]["big_blind"] * (2 + next_below(rng, 100))
        chips = np.int64(0)
        for i in range(n):
            h["stack"][i] = 1 + next_below(rng, deep) if next_below(rng, 3) else deep
            chips += h["stack"][i]
        cards_kernel(s, spec, rng)
        start_kernel(s, spec)
        steps = 0
        while h["finished"] == 0:
            error, kind, to = decide(s, spec, rng)
            if error:
                return error
            apply_kernel(s, spec, kind, to)
            steps += 1
            now = np.int64(0)
            for i in range(n):
                if h["stack"][i] < 0:
                    return 6
                now += h["stack"][i] + h["total"][i] + h["ante"][i]
            if now != chips:
                return 5
            if steps > 2000:
                return 1
        error = settled(s, spec, payoffs)
        if error:
            return error
        counts[1] += steps
        counts[2] += h["live"] > 1
        any_all_in = 0
        for i in range(n):
            any_all_in |= h["all_in"][i]
        counts[3] += any_all_in
    return 0


def test_a_million_random_hands_conserve_chips():
    hands = 300 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 1_000_000
    counts = np.zeros(4, np.int64)
    s, spec = np.zeros(1, STATE_DTYPE), np.zeros(1, SPEC_DTYPE)
    error = check_hands(s, spec, Rng(4).state, np.zeros(10, np.int64), hands, counts)
    assert error == 0, f"{ERRORS[error]} in hand {counts[0]}: {s} {spec}"
    if hands == 1_000_000:
        assert counts[1] > 5 * hands
        assert counts[2] > hands // 2
        assert counts[3] > hands // 4


def test_the_checks_notice_damage():
    """The checks can fail: a hand tampered with is reported."""
    s, spec, rng = np.zeros(1, STATE_DTYPE), np.zeros(1, SPEC_DTYPE), Rng(1).state
    fill_spec(spec[0], rng)
    s["stack"][0, : int(spec["players"][0])] = 1000
    cards_kernel(s, spec, rng)
    start_kernel(s, spec)
    payoffs = np.zeros(10, np.int64)
    assert ERRORS[settled(s, spec, payoffs)] == "a showdown before the river, or a finished hand with somebody to act"
    s["stack"][0, int(s["actor"][0])] = -1
    assert "a call that the stack cannot pay" in ERRORS[decide(s, spec, rng)[0]]
    s["folded"][0, int(s["actor"][0])] = 1
    assert ERRORS[decide(s, spec, rng)[0]] == "an actor who cannot act"
