"""The fast lane: whole hands between our player and a style, with the random streams of the arena."""

import numpy as np

from dupai.agents._kernels import rules_act_kernel, style_act_kernel
from dupai.agents._swarm._kernels.observe import observe_kernel
from dupai.agents._swarm._kernels.swarm import swarm_act_kernel
from dupai.agents._swarm._layout import MAX_ACTIONS
from dupai.base import kernel, seed_stream_kernel
from dupai.rules import DECK_STREAM, RAISE, SEAT_STREAM, apply_kernel, deal_kernel, legal_kernel, settle_kernel


@kernel
def lane_kernel(
    table, preflop, spec, seed, match, first, chair, w, c, rules, params, alpha, beta, style, memo, s, again, log, out
):
    """Play hands ``first``, ``first + 1``, ... (one for each place of ``out``) of a heads-up match.

    Args:
        table, preflop: win rates, and class equities before the flop.
        spec: ``SPEC_DTYPE[1]``, two players.
        seed, match: of the match.
        first: number of the first hand (the arena counts from 1).
        chair: ours, 0 or 1.
        w, c: our swarm and its settings; rules: 1 if the ``rules`` agent plays in its place, with ``params``.
        alpha, beta, style: the opponent, as ``style_act_kernel`` has it.
        memo: ``MEMO_DTYPE[2]``, one for each chair; s, again: ``STATE_DTYPE[1]`` to work in; log: ``int64[2, n]``.
        out: ``int64[hands]``, what we won in 1/split chips.

    Returns:
        -1, or the number of a hand that could not be played to its end (the log is too short, a card is missing).
    """
    h = s[0]
    g = spec[0]
    ours = np.empty(4, np.uint64)
    theirs = np.empty(4, np.uint64)
    payoffs = np.zeros(10, np.int64)
    for at in range(out.size):
        hand = first + at
        seed_stream_kernel(seed, match, hand, np.int64(DECK_STREAM), ours)
        deal_kernel(s, spec, ours)
        seed_stream_kernel(seed, match, hand, SEAT_STREAM + chair, ours)
        seed_stream_kernel(seed, match, hand, SEAT_STREAM + 1 - chair, theirs)
        own = (chair - (hand - 1)) & 1
        n = np.int64(0)
        while h["finished"] == 0:
            _, to_call, min_to, max_to = legal_kernel(s, spec)
            if h["actor"] != own:
                code = style_act_kernel(
                    table, s, to_call, min_to, max_to, alpha, beta, style, memo[1 - chair : 2 - chair], theirs
                )
            elif rules != 0:
                code = rules_act_kernel(
                    table, s, to_call, min_to, max_to, g["big_blind"], params, memo[chair : chair + 1], ours
                )
            else:
                code = swarm_act_kernel(table, s, to_call, min_to, max_to, w, c, memo[chair : chair + 1], ours)
            if code < 0 or n == MAX_ACTIONS:
                return hand
            kind = code & 3
            to = code >> 2 if kind == RAISE else np.int64(0)
            log[0, n] = kind
            log[1, n] = to
            n += 1
            apply_kernel(s, spec, kind, to)
        settle_kernel(s, spec, payoffs)
        out[at] = payoffs[own]
        if rules == 0:
            a = again[0]
            for p in range(2):
                a["stack"][p] = g["stacks"][p]
                a["hole"][p, 0] = h["hole"][p, 0]
                a["hole"][p, 1] = h["hole"][p, 1]
            for k in range(5):
                a["board"][k] = h["board"][k]
            won = np.float64(payoffs[own]) / np.float64(g["split"])
            observe_kernel(table, preflop, again, spec, own, log[0], log[1], n, won, w, c)
    return np.int64(-1)
