"""Three hands all-in before the flop, by starting-hand class."""

import numpy as np

from dupai.base import kernel, next_below
from dupai.cards.kernels import strength_kernel

#: How three hands can compare, ``int64[13, 3]``: by player, how many of the others have a better hand.
FINISHES = np.array(
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0],
     [0, 0, 2], [0, 2, 0], [2, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 0, 0]]
)  # fmt: skip
#: ``int64[3, 3, 3]``: the number of a row of :data:`FINISHES`.
FINISH = np.full((3, 3, 3), -1)
FINISH[tuple(FINISHES.T)] = np.arange(len(FINISHES))


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
def finishes_kernel(a, b, classes, samples, first, members, masks, cards, out, rng):
    """Deal classes ``a <= b <= c`` ``samples`` times with a board, for every c, and count how the hands compare.

    ``first`` ``int64[170]``, ``members`` ``int64[1326]``: combos by class; ``cards`` ``uint64[52]``: masks of cards.
    ``out`` ``uint8[classes - b, 13]``: for c in ascending order, the deals of each of the :data:`FINISHES` of a, b, c;
    0 where three such hands cannot be dealt. A class whose hands nearly always collide is tried 1000 times for each
    deal.
    """
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
            x, y, z = strength_kernel(one | board), strength_kernel(two | board), strength_kernel(three | board)
            above_x = np.int64(y > x) + np.int64(z > x)
            above_y = np.int64(x > y) + np.int64(z > y)
            above_z = np.int64(x > z) + np.int64(y > z)
            out[c - b, FINISH[above_x, above_y, above_z]] += 1
            done += 1


@kernel
def showdown_kernel(a, start, chances, finishes, worth, out):
    """Values of an all-in of three classes, class ``a`` for player 0: ``out`` ``float32[3, 169, 169]`` by player.

    ``start`` ``int64[169]``: the first row of ``finishes`` (see :func:`finishes_kernel`) for each least class;
    ``chances`` ``float32[169, 169]`` of the deal; ``worth`` ``float64[13, 3]`` by how the hands of players 0, 1 and
    2 compare (:data:`FINISHES`), and by player.
    """
    classes = len(start)
    place, role = np.empty(3, np.int64), np.empty(3, np.int64)
    above, total = np.empty(3, np.int64), np.empty(3)
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
            total[:] = 0.0
            seen = 0.0
            for o in range(len(FINISHES)):
                for i in range(3):
                    above[role[i]] = FINISHES[o, i]
                n = np.float64(finishes[row, o])
                finish = FINISH[above[0], above[1], above[2]]
                for player in range(3):
                    total[player] += n * worth[finish, player]
                seen += n
            for player in range(3):
                out[player, b, c] = chances[b, c] * total[player] / seen if seen > 0.0 else 0.0
