"""The made-hand class and draw of every hand on a board, and the texture of the board."""

import numpy as np

from dupai.base import kernel
from dupai.cards import CARD_MASK, COMBO_CARDS
from dupai.cards.kernels import strength_kernel

STRENGTHS = 7463
#: Ranks of the two cards of a combo, the higher one first; the number of that pair of ranks; the suits of the cards.
RANKS = np.sort(COMBO_CARDS % 13, axis=1)[:, ::-1].astype(np.int64)
PAIRS = 91
PAIR = RANKS[:, 0] * (RANKS[:, 0] + 1) // 2 + RANKS[:, 1]
SUITS = (COMBO_CARDS // 13).astype(np.int64)


@kernel
def _straight(ranks):
    """Whether 13 bits of ranks hold five in a row (the ace below the deuce too)."""
    m = (ranks << 1) | (ranks >> 12 & 1)
    return (m & m >> 1 & m >> 2 & m >> 3 & m >> 4) != 0


@kernel
def _in_a_window(ranks):
    """The most ranks that five neighbouring ones hold (the ace below the deuce too)."""
    m = (ranks << 1) | (ranks >> 12 & 1)
    most = 0
    for low in range(10):
        w = m >> low & 31
        n = 0
        while w:
            n += w & 1
            w >>= 1
        most = max(most, n)
    return most


@kernel
def texture_kernel(board, n):
    """Texture of a board of ``n`` cards: 0 dry, 1 wet, 2 paired, 3 dangerous (see ``TEXTURES``)."""
    suits = np.zeros(4, np.int64)
    count = np.zeros(13, np.int64)
    ranks = np.int64(0)
    for k in range(n):
        c = np.int64(board[k])
        suits[c // 13] += 1
        count[c % 13] += 1
        ranks |= 1 << (c % 13)
    suited = suits.max()
    close = _in_a_window(ranks)
    if suited >= 4 or (n == 3 and suited == 3) or close >= 4:
        return 3
    if count.max() >= 2:
        return 2
    if suited == 3 or close >= 3 or (n < 5 and suited == 2):
        return 1
    return 0


@kernel
def made_kernel(h, kind, count, suits, suit_ranks, top, second):
    """Class by name alone, before it is compared with what other hands make of the board."""
    ra, rb = RANKS[h, 0], RANKS[h, 1]
    if kind >= 7:
        return 14
    if kind == 6:
        return 13
    if kind == 5:
        for s in range(4):
            mine = np.int64(-1)
            for i in range(2):
                if SUITS[h, i] == s:
                    mine = max(mine, np.int64(COMBO_CARDS[h, i] % 13))
            if mine < 0 or suits[s] < 3:
                continue
            best = np.int64(12)
            while suit_ranks[s] >> best & 1:
                best -= 1
            return 12 if mine == best else 11
        return 1  # the flush is on the board
    if kind == 4:
        return 10
    if kind == 3:
        if ra == rb and count[ra] == 1:
            return 9
        if (ra != rb) and (count[ra] >= 2 or count[rb] >= 2):
            return 8
    if ra == rb:
        return 6 if ra > top else (3 if ra > second else 2)
    if count[ra] > 0 and count[rb] > 0:
        return 7
    if count[ra] > 0 or count[rb] > 0:
        pair = ra if count[ra] > 0 else rb
        kicker = rb if count[ra] > 0 else ra
        if pair == top:
            return 5 if kicker >= 9 else 4
        return 3 if pair == second else 2
    return 1 if ra == 12 or rb > top else 0


@kernel
def _outs(h, ranks):
    """How many ranks would make a straight with both cards of a hand that has none, 2 at most."""
    own = ranks | (1 << RANKS[h, 0]) | (1 << RANKS[h, 1])
    outs = 0
    for r in range(13):
        if not own >> r & 1 and _straight(own | (1 << r)) and not _straight(ranks | (1 << r)):
            outs += 1
    return min(outs, 2)


@kernel
def _flush_draw(h, suits):
    """Whether four of a suit are there, with both cards of the hand or one that is a jack or better."""
    for s in range(4):
        mine = np.int64(0)
        high = np.int64(-1)
        for i in range(2):
            if SUITS[h, i] == s:
                mine += 1
                high = max(high, np.int64(COMBO_CARDS[h, i] % 13))
        if mine > 0 and suits[s] + mine == 4 and (mine == 2 or high >= 9):
            return True
    return False


@kernel
def board_kernel(board, n, suits, suit_ranks, count):
    """The mask of the first ``n`` cards of a board, its highest rank and the next one (-1: none).

    ``suits``: ``int64[4]``, zeros, filled: cards by suit; ``suit_ranks``: ``int64[4]``, zeros, filled: a bit for each
    of their ranks; ``count``: ``int64[13]``, zeros, filled: cards by rank.
    """
    mask = np.uint64(0)
    for k in range(n):
        c = np.int64(board[k])
        suits[c // 13] += 1
        suit_ranks[c // 13] |= 1 << (c % 13)
        count[c % 13] += 1
        mask |= CARD_MASK[c]
    top = np.int64(12)
    while count[top] == 0:
        top -= 1
    second = top - 1
    while second >= 0 and count[second] == 0:
        second -= 1
    return mask, top, second


@kernel
def classes_kernel(board, n, values, least, made, draw, strength, share):
    """Every hand on a board of 3 to 5 cards.

    Args:
        board: ``uint8[5]``, the first ``n`` cards count.
        values: ``uint32[7463]``: hand value by strength.
        least: ``float64[15]``: share of hands that a class has to beat to count as that class.
        made: ``int8[1326]``, filled with the class; -1 for blocked hands.
        draw: ``int8[1326]``, filled.
        strength: ``uint16[1326]``, filled; 0 for blocked hands.
        share: ``float64[1326]``, filled with the share of all hands of the board that are weaker, ties half.
    """
    suits, suit_ranks, count = np.zeros(4, np.int64), np.zeros(4, np.int64), np.zeros(13, np.int64)
    mask, top, second = board_kernel(board, n, suits, suit_ranks, count)
    ranks = suit_ranks[0] | suit_ranks[1] | suit_ranks[2] | suit_ranks[3]
    # Hands of the same two ranks are the same hand, unless they make a flush: each pair is worked out once.
    suit = np.argmax(suits)
    needed = 5 - suits[suit]
    by_pair = np.zeros(PAIRS, np.int64)
    held = np.zeros(STRENGTHS, np.int16)
    hands = 0
    for h in range(1326):
        two = CARD_MASK[COMBO_CARDS[h, 0]] | CARD_MASK[COMBO_CARDS[h, 1]]
        if two & mask != 0:
            strength[h] = 0
            continue
        hands += 1
        flush = (SUITS[h, 0] == suit) + (SUITS[h, 1] == suit) >= needed
        s = np.int64(0) if flush else by_pair[PAIR[h]]
        if s == 0:
            s = np.int64(strength_kernel(mask | two))
            if not flush:
                by_pair[PAIR[h]] = s
        strength[h] = s
        held[s] += 1
    beaten = np.empty(STRENGTHS)
    below = np.int64(0)
    for s in range(STRENGTHS):
        if held[s]:
            beaten[s] = (below + 0.5 * held[s]) / hands
            below += held[s]
    made_by_pair = np.full(PAIRS, -1, np.int8)
    outs_by_pair = np.zeros(PAIRS, np.int8)
    for h in range(1326):
        s = np.int64(strength[h])
        draw[h] = 0
        if s == 0:
            made[h] = -1
            share[h] = 0.0
            continue
        share[h] = beaten[s]
        pair = PAIR[h]
        kind = np.int64(values[s] >> 20)
        flush = (SUITS[h, 0] == suit) + (SUITS[h, 1] == suit) >= needed
        cls = np.int64(-1) if flush else np.int64(made_by_pair[pair])
        if cls < 0:
            cls = made_kernel(h, kind, count, suits, suit_ranks, top, second)
            while cls > 0 and share[h] < least[cls]:
                cls -= 1
            if not flush:
                made_by_pair[pair] = cls
                if n < 5 and kind < 4:
                    outs_by_pair[pair] = _outs(h, ranks)
        made[h] = cls
        if n < 5 and kind < 4:
            draw[h] = outs_by_pair[pair]
            if _flush_draw(h, suits):
                draw[h] = 4 if draw[h] > 0 else 3
