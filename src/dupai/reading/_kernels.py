"""Sums over hands that share no card."""

import numpy as np

from dupai.base import kernel


@kernel
def pair_mass_kernel(w, out):
    """``out[h]`` = sum of ``w`` over the hands that share no card with ``h`` (all ``float64[1326]``). Returns the sum
    of ``w``."""
    # Combos are in order of their higher card, then of the lower one, so that both loops over a run of one higher card
    # are over neighbours. Four sums of their own do not wait for each other.
    by_card = np.zeros(52)
    start = 0
    for high in range(1, 52):
        s0 = s1 = s2 = s3 = 0.0
        for low in range(0, high - 3, 4):
            s0 += w[start + low]
            s1 += w[start + low + 1]
            s2 += w[start + low + 2]
            s3 += w[start + low + 3]
        for low in range(high & ~3, high):
            s0 += w[start + low]
        for low in range(high):
            by_card[low] += w[start + low]
        by_card[high] += (s0 + s1) + (s2 + s3)
        start += high
    total = by_card.sum() / 2
    start = 0
    for high in range(1, 52):
        left = total - by_card[high]
        for low in range(high):
            # A hand that is h itself was taken off twice. Rounding may leave a hair below 0.
            out[start + low] = max(left - by_card[low] + w[start + low], 0.0)
        start += high
    return total


@kernel
def messages_kernel(w, rounds, rounding, out):
    """Belief propagation between players of whom no two hold the same card.

    A sender's hands are weighed by what all others said in the round before, but for the receiver: else the receiver's
    own cards would come back to it. A sender to whom no hand is left leaves none to anybody.

    Args:
        w: ``float64[n, 1326]``, the weights of each player's hands.
        rounds: how often everybody says to everybody how likely it holds neither card of a hand.
        rounding: chances below it become 0.
        out: ``float64[n, 1326]``: the product of what a player was told after the last round.
    """
    n, combos = w.shape
    said = np.ones((n, n, combos))  # by receiver, sender and hand of the receiver
    heard = np.ones((n, n, combos))
    before = np.empty((n, combos))
    after = np.empty(combos)
    hands = np.empty(combos)
    for _ in range(rounds):
        for i in range(n):
            # The products of all but one are products of those before it and those after it. Nothing is divided out:
            # it may be 0 because of that one alone.
            before[0] = w[i]
            for k in range(1, n):
                for h in range(combos):
                    before[k, h] = before[k - 1, h] * said[i, k - 1, h]
            after[:] = 1.0
            for receiver in range(n - 1, -1, -1):
                if receiver == i:
                    continue
                for h in range(combos):
                    hands[h] = before[receiver, h] * after[h]
                    after[h] *= said[i, receiver, h]
                free = heard[receiver, i]
                total = pair_mass_kernel(hands, free)
                scale = 1.0 / total if total > 0.0 else 0.0
                for h in range(combos):
                    free[h] = free[h] * scale if free[h] * scale >= rounding else 0.0
        said, heard = heard, said
    for i in range(n):
        out[i] = 1.0
        for k in range(n):
            for h in range(combos):
                out[i, h] *= said[i, k, h]


@kernel
def triple_mass_kernel(a, b, combo_cards, needed, out):
    """``out[h]`` = sum of ``a[f] * b[g]`` over disjoint ``f`` and ``g`` that share no card with ``h``, for every ``h``
    with ``needed[h] > 0`` (else 0).

    For ``f = xy`` and ``h = cd`` disjoint, the mass of ``b`` on hands that meet neither is by inclusion and exclusion
    ``B - B_c - B_d + b_cd`` (the same for all f) ``- B_x - B_y + b_xy`` (the same for all h) ``+ b_xc + b_yc + b_xd +
    b_yd``, with ``B_c`` the mass of hands with card c. Only the last four need a loop over cards ``x``: the sum of
    ``(b_xc + b_xd) * (A_x - a_xc - a_xd)``, which sums over x of products of two entries make up, worked out once for
    every pair of cards."""
    n = a.size
    a_pair = np.zeros((52, 52))
    b_pair = np.zeros((52, 52))
    a_card = np.zeros(52)
    b_card = np.zeros(52)
    b_all = 0.0
    for g in range(n):
        x = combo_cards[g, 0]
        y = combo_cards[g, 1]
        a_pair[x, y] = a_pair[y, x] = a[g]
        b_pair[x, y] = b_pair[y, x] = b[g]
        a_card[x] += a[g]
        a_card[y] += a[g]
        b_card[x] += b[g]
        b_card[y] += b[g]
        b_all += b[g]
    # a[f] with what f alone takes from b.
    taken = np.zeros(n)
    for f in range(n):
        taken[f] = a[f] * (b_card[combo_cards[f, 0]] + b_card[combo_cards[f, 1]] - b[f])
    free = np.zeros(n)
    pair_mass_kernel(a, free)
    lost = np.zeros(n)
    pair_mass_kernel(taken, lost)
    pairs = np.zeros((52, 52))
    single = np.zeros(52)
    for c in range(52):
        for x in range(52):
            w = b_pair[c, x]
            if w > 0.0:
                single[c] += w * a_card[x]
                for d in range(52):
                    pairs[c, d] += w * a_pair[x, d]
    for h in range(n):
        out[h] = 0.0
        if needed[h] <= 0.0:
            continue
        c = combo_cards[h, 0]
        d = combo_cards[h, 1]
        mass = free[h] * (b_all - b_card[c] - b_card[d] + b[h]) - lost[h]
        mass += single[c] + single[d] - pairs[c, c] - pairs[c, d] - pairs[d, c] - pairs[d, d]
        # x is neither c nor d.
        mass -= b[h] * (a_card[c] + a_card[d] - 2.0 * a[h])
        out[h] = max(mass, 0.0)
