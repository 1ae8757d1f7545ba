"""The fast lane: whole hands between our player and a style, with the random streams of the arena."""

import numpy as np

from dupai.agents.rules import rules_act_kernel, style_act_kernel
from dupai.agents.swarm import MAX_ACTIONS, observe_kernel, swarm_act_kernel
from dupai.base import kernel, seed_stream_kernel
from dupai.rules import DECK_STREAM, RAISE, SEAT_STREAM, apply_kernel, deal_kernel, legal_kernel, settle_kernel


@kernel
def lane_kernel(tables, spec, place, player, style, work, out):
    """Play hands ``place.first``, ``place.first + 1``, ... (one for each entry of ``out``) of a heads-up match.

    The arguments are the structures of ``_lane``: ``Tables``, ``Place``, ``Player``, ``StylePlayer`` and ``Work``.

    Args:
        spec: ``SPEC_DTYPE[1]``, two players.
        out: ``int64[hands]``, filled with our winnings in 1/split chips.

    Returns:
        -1, or the number of a hand that could not be played to its end (the log is too short, a card is missing).
    """
    # Taken out of the structures once: numba counts references at each look into one.
    rates, classes = tables.rates, tables.classes
    own_memo, style_memo, again = work.ours, work.theirs, work.again
    swarm, config, plain, own_parameters = player.swarm, player.config, player.rules, player.parameters
    alpha, beta, style_parameters = style.alpha, style.beta, style.parameters
    s = work.s
    log = work.log
    h = s[0]
    g = spec[0]
    chair = place.chair
    ours = np.empty(4, np.uint64)
    theirs = np.empty(4, np.uint64)
    payoffs = np.zeros(10, np.int64)
    for at in range(out.size):
        hand = place.first + at
        seed_stream_kernel(place.seed, place.match, hand, np.int64(DECK_STREAM), ours)
        deal_kernel(s, spec, ours)
        seed_stream_kernel(place.seed, place.match, hand, SEAT_STREAM + chair, ours)
        seed_stream_kernel(place.seed, place.match, hand, SEAT_STREAM + 1 - chair, theirs)
        own = (chair - (hand - 1)) & 1
        n = np.int64(0)
        while h["finished"] == 0:
            _, to_call, low, high = legal_kernel(s, spec)
            if h["actor"] != own:
                code = style_act_kernel(rates, s, to_call, low, high, alpha, beta, style_parameters, style_memo, theirs)
            elif plain:
                code = rules_act_kernel(rates, s, to_call, low, high, g["big_blind"], own_parameters, own_memo, ours)
            else:
                code = swarm_act_kernel(rates, s, to_call, low, high, swarm, config, own_memo, ours)
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
        if not plain:
            a = again[0]
            for p in range(2):
                a["stack"][p] = g["stacks"][p]
                a["hole"][p, 0] = h["hole"][p, 0]
                a["hole"][p, 1] = h["hole"][p, 1]
            for k in range(5):
                a["board"][k] = h["board"][k]
            won = np.float64(payoffs[own]) / np.float64(g["split"])
            observe_kernel(rates, classes, again, spec, own, log[0], log[1], n, won, swarm, config)
    return np.int64(-1)
