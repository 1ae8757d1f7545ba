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
def triple_mass_kernel(a, b, combo_cards, wanted, out):
    """``out[h]`` = sum of ``a[f] * b[g]`` over disjoint ``f`` and ``g`` that share no card with ``h``, for every ``h``
    with ``wanted[h] > 0`` (else 0). A few milliseconds."""
    by_card = np.zeros(52)
    for h in range(a.size):
        out[h] = 0.0
        if wanted[h] <= 0.0:
            continue
        c = combo_cards[h, 0]
        d = combo_cards[h, 1]
        by_card[:] = 0.0
        total = 0.0
        for g in range(b.size):
            x = combo_cards[g, 0]
            y = combo_cards[g, 1]
            if x != c and x != d and y != c and y != d:
                total += b[g]
                by_card[x] += b[g]
                by_card[y] += b[g]
        mass = 0.0
        for f in range(a.size):
            x = combo_cards[f, 0]
            y = combo_cards[f, 1]
            if a[f] > 0.0 and x != c and x != d and y != c and y != d:
                mass += a[f] * (total - by_card[x] - by_card[y] + b[f])
        out[h] = max(mass, 0.0)
