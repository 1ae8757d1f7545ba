"""Sums over hands that share no card."""

import numpy as np

from dupai.base import kernel


@kernel
def pair_mass_kernel(w, combo_cards, out):
    """``out[h]`` = sum of ``w`` over the hands that share no card with ``h`` (all ``float64[1326]``)."""
    by_card = np.zeros(52)
    total = 0.0
    for g in range(w.size):
        total += w[g]
        by_card[combo_cards[g, 0]] += w[g]
        by_card[combo_cards[g, 1]] += w[g]
    for h in range(w.size):
        # A hand that is h itself was taken off twice. Rounding may leave a hair below 0.
        out[h] = max(total - by_card[combo_cards[h, 0]] - by_card[combo_cards[h, 1]] + w[h], 0.0)


@kernel
def messages_kernel(w, said, combo_cards, rounding, out):
    """One round of belief propagation between players of whom no two hold the same card.

    Args:
        w: ``float64[n, 1326]``, the weights of each player's hands.
        said: ``float64[n, n, 1326]`` by sender, receiver and hand of the receiver: the chance that the sender holds
            neither of its cards, as the last round left it (before the first round all 1).
        combo_cards: ``uint8[1326, 2]``.
        rounding: chances below it become 0.
        out: ``float64[n, n, 1326]``, the same after this round. A sender's hands are weighed by what all others said,
            but for the receiver: else the receiver's own cards would come back to it. ``out[i, i]`` stays as it is. A
            sender to whom no hand is left leaves none to anybody.
    """
    n = w.shape[0]
    hands = np.empty(w.shape[1])
    for i in range(n):
        for receiver in range(n):
            if receiver == i:
                continue
            hands[:] = w[i]
            for k in range(n):
                # Multiplied, not divided out of the product of all: that may be 0 because of the receiver alone.
                if k != i and k != receiver:
                    hands *= said[k, i]
            total = hands.sum()
            if total <= 0.0:
                out[i, receiver] = 0.0
                continue
            hands /= total
            pair_mass_kernel(hands, combo_cards, out[i, receiver])
            for h in range(hands.size):
                if out[i, receiver, h] < rounding:
                    out[i, receiver, h] = 0.0


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
    pair_mass_kernel(a, combo_cards, free)
    lost = np.zeros(n)
    pair_mass_kernel(taken, combo_cards, lost)
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
