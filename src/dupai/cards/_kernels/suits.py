"""Canonical suits by sorting the suit lanes of masks; numbers of boards; the classes of all flops and turns."""

import numpy as np

from dupai.base import kernel
from dupai.cards._tables import SUIT_PERMUTATIONS

_LANE = np.uint64(0x1FFF)
_S16 = np.uint64(16)

# Place in lexicographic order of the permutation that sends suit ``order[j]`` to ``j``, by the order packed in 2 bits
# each, the first in the lowest.
_PERMUTATION_OF_ORDER = np.zeros(256, dtype=np.uint8)
for _p, _image in enumerate(SUIT_PERMUTATIONS.tolist()):
    _PERMUTATION_OF_ORDER[sum(_s << 2 * _image[_s] for _s in range(4))] = _p
_PERMUTATION_OF_ORDER.flags.writeable = False


@kernel
def _suit_key(board, hole, suit):
    """Sorts descending by board lane, then hole lane, then the suit that comes first."""
    shift = _S16 * np.uint64(suit)
    return ((board >> shift) & _LANE) << np.uint64(15) | ((hole >> shift) & _LANE) << np.uint64(2) | np.uint64(3 - suit)


@kernel
def canonical_kernel(board, hole):
    """Permutation (row of ``SUIT_PERMUTATIONS``, ``int64``) that makes a board and hole cards canonical.

    ``board`` and ``hole`` are masks (``uint64``), either may be empty (0). The least board mask decides, then the
    least hole mask; of permutations with the same result always the same one is returned.
    """
    board = np.uint64(board)
    hole = np.uint64(hole)
    a, b = _suit_key(board, hole, 0), _suit_key(board, hole, 1)
    c, d = _suit_key(board, hole, 2), _suit_key(board, hole, 3)
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    three = np.uint64(3)
    # The low two bits hold 3 - suit.
    order = (
        (three - (a & three))
        | (three - (b & three)) << np.uint64(2)
        | (three - (c & three)) << np.uint64(4)
        | (three - (d & three)) << np.uint64(6)
    )
    return np.int64(_PERMUTATION_OF_ORDER[order])


@kernel
def permuted_kernel(mask, permutation):
    """A mask (``uint64``) with its suits renamed by a row of ``SUIT_PERMUTATIONS``."""
    mask = np.uint64(mask)
    out = np.uint64(0)
    for s in range(4):
        lane = (mask >> (_S16 * np.uint64(s))) & _LANE
        out |= lane << (_S16 * np.uint64(SUIT_PERMUTATIONS[permutation, s]))
    return out


@kernel
def board_number_kernel(n, a, b, c, d):
    """Number of a board of ``n`` = 3 (``d`` not read) or 4 different cards in any order.

    The number is the place in colexicographic order: 0..22,099 for flops, 0..270,724 for turns.
    """
    if n == 3:
        d = np.int64(52)
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    number = a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6
    if n == 4:
        number += d * (d - 1) * (d - 2) * (d - 3) // 24
    return number


@kernel
def board_classes_kernel(n, class_of, permutation, boards, size):
    """Fill the tables of :class:`dupai.cards.BoardClasses` for ``n`` = 3 or 4 cards; returns the number of classes."""
    classes = 0
    cards = np.zeros(5, np.int64)
    image = np.zeros(4, np.int64)
    for k in range(n):
        cards[k] = k
    for number in range(class_of.size):
        mask = np.uint64(0)
        for k in range(n):
            mask |= np.uint64(1) << np.uint64(cards[k] // 13 * 16 + cards[k] % 13)
        p = canonical_kernel(mask, np.uint64(0))
        for k in range(n):
            image[k] = np.int64(SUIT_PERMUTATIONS[p, cards[k] // 13]) * 13 + cards[k] % 13
        first = board_number_kernel(n, image[0], image[1], image[2], image[3])
        if first == number:
            class_of[number] = classes
            for k in range(n):
                boards[classes, k] = cards[k]
            classes += 1
        else:
            class_of[number] = class_of[first]
        permutation[number] = p
        size[class_of[number]] += 1
        # The next set of cards in colexicographic order.
        k = 0
        while k < n - 1 and cards[k] + 1 == cards[k + 1]:
            cards[k] = k
            k += 1
        cards[k] += 1
    return classes
