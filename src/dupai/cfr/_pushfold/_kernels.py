"""Three hands all-in before the flop, by starting-hand class."""

import numpy as np

from dupai.base import kernel, next_below
from dupai.cards import strength_kernel

#: The orders in which three players can finish: best, middle, worst.
ORDERS = np.array([[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])


@kernel
def triples_kernel(own, masks, classes, out):
    """Count by classes, into ``out`` ``float64[169, 169]``, the pairs of combos that share no card with each other and
    with the combo ``own``. ``masks`` ``uint64[1326]``, ``classes`` ``uint8[1326]``."""
    held = masks[own]
    for j in range(len(masks)):
        if masks[j] & held:
            continue
        both = held | masks[j]
        for k in range(len(masks)):
            if not masks[k] & both:
                out[classes[j], classes[k]] += 1.0


@kernel
def orders_kernel(a, b, classes, samples, first, members, masks, cards, out, rng):
    """Deal classes ``a <= b <= c`` ``samples`` times with a board, for every c, and count the orders of the hands.

    ``first`` ``int64[170]``, ``members`` ``int64[1326]``: combos by class; ``cards`` ``uint64[52]``: masks of cards.
    ``out`` ``uint16[classes - b, 6]``: for c in ascending order, the :data:`ORDERS` of a, b, c in sixths of a deal
    (ties count for every order that they allow); 0 where three such hands cannot be dealt. A class whose hands nearly
    always collide is tried 1000 times for each deal.
    """
    strength = np.empty(3, np.int64)
    for c in range(b, classes):
        done = 0
        for _ in range(1000 * samples):
            if done == samples:
                break
            one = masks[members[first[a] + next_below(rng, first[a + 1] - first[a])]]
            two = masks[members[first[b] + next_below(rng, first[b + 1] - first[b])]]
            three = masks[members[first[c] + next_below(rng, first[c + 1] - first[c])]]
            if one & two or one & three or two & three:
                continue
            taken = one | two | three
            board = np.uint64(0)
            for _ in range(5):
                card = cards[next_below(rng, 52)]
                while (taken | board) & card:
                    card = cards[next_below(rng, 52)]
                board |= card
            strength[0] = strength_kernel(one | board)
            strength[1] = strength_kernel(two | board)
            strength[2] = strength_kernel(three | board)
            allowed = np.int64(0)
            for o in range(6):
                x, y, z = strength[ORDERS[o, 0]], strength[ORDERS[o, 1]], strength[ORDERS[o, 2]]
                allowed += np.int64(x >= y and y >= z)
            for o in range(6):
                x, y, z = strength[ORDERS[o, 0]], strength[ORDERS[o, 1]], strength[ORDERS[o, 2]]
                if x >= y and y >= z:
                    out[c - b, o] += 6 // allowed
            done += 1


@kernel
def showdown_kernel(a, start, chances, orders, worth, out):
    """Value of an all-in of three classes to one player: ``out`` ``float32[169, 169]`` for the class ``a`` of player 0.

    ``start`` ``int64[169]``: the first row of ``orders`` (see :func:`orders_kernel`) for each least class; ``chances``
    ``float32[169, 169]`` of the deal; ``worth`` ``float64[3, 3]`` by the player who is first and the one who is
    second.
    """
    classes = len(start)
    place, role = np.empty(3, np.int64), np.empty(3, np.int64)
    for b in range(classes):
        for c in range(classes):
            place[0], place[1], place[2] = a, b, c
            role[0], role[1], role[2] = 0, 1, 2
            for i in range(2):
                for j in range(2 - i):
                    if place[j] > place[j + 1]:
                        place[j], place[j + 1] = place[j + 1], place[j]
                        role[j], role[j + 1] = role[j + 1], role[j]
            # The rows of the least class: for each middle class those from itself on.
            skipped = place[1] - place[0]
            width = classes - place[0]
            row = start[place[0]] + skipped * width - skipped * (skipped - 1) // 2 + place[2] - place[1]
            total = 0.0
            seen = 0.0
            for o in range(6):
                n = np.float64(orders[row, o])
                total += n * worth[role[ORDERS[o, 0]], role[ORDERS[o, 1]]]
                seen += n
            out[b, c] = chances[b, c] * total / seen if seen > 0.0 else 0.0
