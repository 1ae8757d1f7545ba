"""The measures of one reading."""

import numpy as np

from dupai.base import kernel

#: Bits below which a case is cut off.
FLOOR = -20.0
#: Relative difference up to which two hands are equally probable.
TIE = 1e-9


@kernel
def measure_kernel(p, legal, classes, true, out):
    """Score the reading ``p`` (``float64[1326]``) of a player who holds hand ``true``.

    ``legal`` (``bool[1326]``) says which hands he could hold, ``classes`` (``int8[1326]``) the class of each; ``out``
    (``float64[8]``) gets the bits, whether they were cut off at -20, the share of the case that the 50, 80 and 95 %
    sets cover (ties split exactly), and whether the true class is among the 1, 2 and 3 most probable."""
    hands = 0
    total = 0.0
    by_class = np.zeros(11)
    for h in range(p.size):
        if legal[h]:
            hands += 1
            total += p[h]
            by_class[classes[h]] += p[h]
    for k in range(8):
        out[k] = 0.0
    truth = p[true]
    if not (total > 0.0 and truth > 0.0):
        out[0] = FLOOR
        out[1] = 1.0
    else:
        out[0] = np.log2(hands * truth / total)
        if out[0] < FLOOR:
            out[0] = FLOOR
            out[1] = 1.0
    above = 0.0
    equal = 0.0
    for h in range(p.size):
        if legal[h]:
            if abs(p[h] - truth) <= TIE * max(p[h], truth):
                equal += p[h]
            elif p[h] > truth:
                above += p[h]
    if equal > 0.0:
        out[2] = min(max((0.50 * total - above) / equal, 0.0), 1.0)
        out[3] = min(max((0.80 * total - above) / equal, 0.0), 1.0)
        out[4] = min(max((0.95 * total - above) / equal, 0.0), 1.0)
    mine = by_class[classes[true]]
    larger = 0
    for k in range(11):
        if by_class[k] > mine * (1.0 + TIE):
            larger += 1
    for z in range(3):
        out[5 + z] = 1.0 if larger <= z else 0.0
