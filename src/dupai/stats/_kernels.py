"""Sums over the sizes of a raise, which a strategy may spread over thousands of totals."""

from dupai.base import kernel


@kernel
def raise_sums_kernel(totals, weights, facts, theirs, behind, out, chips, more):
    """What the baseline of :mod:`dupai.stats._luck` needs of raises, as weighted sums over their sizes.

    Args:
        totals, weights: ``int64[sizes]``, totals for the hand; ``float64[sizes]``, any.
        facts: ``float64[5]``: the pot, the highest total, the total of the player who raises, the chips behind of all
            who are in, and how much pots grow.
        theirs, behind: ``float64[others]``: totals and chips behind of the others who are in.
        out: ``float64[6]``: probability that all fold times the pot and the raise, less the raise; the pot where
            somebody calls; its growth; the probability that all fold; the pot if everybody calls; what
            the raise costs.
        chips, more: ``float64[others]``: what each puts in on average, and if everybody calls.
    """
    pot, top, own, room, grow = facts[0], facts[1], facts[2], facts[3], facts[4]
    n = theirs.size
    out[:] = 0.0
    chips[:] = 0.0
    more[:] = 0.0
    for k in range(totals.size):
        w = weights[k]
        to = float(totals[k])
        mine = to - own
        calls = pot / (pot + max(to - top, 0.0))
        folds = 1.0
        entered = 0.0
        for j in range(n):
            x = min(max(to - theirs[j], 0.0), behind[j])
            folds *= 1.0 - calls
            chips[j] += w * calls * x
            more[j] += w * x
            entered += x
        somebody = 1.0 - folds
        called = calls * entered / max(somebody, 1e-12)
        whole = pot + mine + called
        out[0] += w * (folds * (pot + mine) - mine)
        out[1] += w * somebody * whole
        out[2] += w * somebody * min(grow * whole, max(room - mine - called, 0.0))
        out[3] += w * folds
        out[4] += w * (pot + mine + entered)
        out[5] += w * mine
