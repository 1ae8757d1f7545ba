"""The made-hand class and draw of every hand on a board, and the texture of the board."""

import numpy as np

from dupai.agents._experience._kernels.walk import duels_kernel
from dupai.base import kernel
from dupai.cards import CARD_MASK, COMBO_CARDS, strength_kernel

_STRENGTHS = 7463


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
def _made(a, b, kind, count, suits, suit_ranks, top, second):
    """Class by name alone, before it is compared with what other hands make of the board."""
    ra = max(a % 13, b % 13)
    rb = min(a % 13, b % 13)
    if kind >= 7:
        return 14
    if kind == 6:
        return 13
    if kind == 5:
        for s in range(4):
            mine = np.int64(-1)
            if a // 13 == s:
                mine = a % 13
            if b // 13 == s:
                mine = max(mine, b % 13)
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
def _draw(a, b, n, kind, suits, ranks):
    """Draw of a hand below a straight: 0 none, 1 gutshot, 2 open-ended, 3 flush draw, 4 both."""
    if n == 5 or kind >= 4:
        return 0
    flush = False
    for s in range(4):
        mine = (1 if a // 13 == s else 0) + (1 if b // 13 == s else 0)
        if mine > 0 and suits[s] + mine == 4:
            high = max(a % 13 if a // 13 == s else -1, b % 13 if b // 13 == s else -1)
            flush = flush or mine == 2 or high >= 9
    own = ranks | (1 << (a % 13)) | (1 << (b % 13))
    outs = 0
    for r in range(13):
        if not own >> r & 1 and _straight(own | (1 << r)) and not _straight(ranks | (1 << r)):
            outs += 1
    if flush:
        return 4 if outs > 0 else 3
    return min(outs, 2)


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
    suits = np.zeros(4, np.int64)
    suit_ranks = np.zeros(4, np.int64)
    count = np.zeros(13, np.int64)
    ranks = np.int64(0)
    mask = np.uint64(0)
    for k in range(n):
        c = np.int64(board[k])
        suits[c // 13] += 1
        suit_ranks[c // 13] |= 1 << (c % 13)
        count[c % 13] += 1
        ranks |= 1 << (c % 13)
        mask |= CARD_MASK[c]
    top = np.int64(12)
    while count[top] == 0:
        top -= 1
    second = top - 1
    while second >= 0 and count[second] == 0:
        second -= 1
    below = np.zeros(_STRENGTHS + 1, np.int64)
    hands = 0
    for h in range(1326):
        two = CARD_MASK[COMBO_CARDS[h, 0]] | CARD_MASK[COMBO_CARDS[h, 1]]
        if two & mask != 0:
            strength[h] = 0
            continue
        s = strength_kernel(mask | two)
        strength[h] = s
        below[np.int64(s) + 1] += 1
        hands += 1
    for s in range(1, _STRENGTHS + 1):
        below[s] += below[s - 1]
    for h in range(1326):
        s = np.int64(strength[h])
        if s == 0:
            made[h] = -1
            draw[h] = 0
            share[h] = 0.0
            continue
        share[h] = (below[s] + 0.5 * (below[s + 1] - below[s])) / hands
        a = np.int64(COMBO_CARDS[h, 0])
        b = np.int64(COMBO_CARDS[h, 1])
        kind = np.int64(values[s] >> 20)
        cls = _made(a, b, kind, count, suits, suit_ranks, top, second)
        while cls > 0 and share[h] < least[cls]:
            cls -= 1
        made[h] = cls
        draw[h] = _draw(a, b, n, kind, suits, ranks)


@kernel
def rank_kernel(boards, known, shown, own, hands, values, least, draws, own_row, rows, score):
    """Rows of our hand and the opponent's in our rules, and showdowns, on many boards.

    Args:
        boards: ``uint8[boards, 5]``, of each the first ``known[b]`` count. shown: whether it may have a showdown.
        own: our combo. hands: ``int64[m]``: the opponent's, which share no card with ours.
        values, least: as :func:`classes_kernel`. draws: number of draws.
        own_row: ``int64[boards]``, rows: ``int64[boards, m]``, filled: ``(texture * 15 + made) * draws + draw``.
        score: ``float64[boards, m]``, filled where there may be a showdown: as :func:`duels_kernel`.

    Returns:
        how many hands were evaluated for showdowns.
    """
    made, draw = np.empty(1326, np.int8), np.empty(1326, np.int8)
    strength, share = np.empty(1326, np.uint16), np.empty(1326)
    evaluated = np.int64(0)
    for b in range(known.size):
        n = known[b]
        classes_kernel(boards[b], n, values, least, made, draw, strength, share)
        first = np.int64(texture_kernel(boards[b], n)) * 15
        own_row[b] = (first + max(made[own], 0)) * draws + draw[own]
        for i in range(hands.size):
            rows[b, i] = (first + max(made[hands[i]], 0)) * draws + draw[hands[i]]
        if not shown[b]:
            continue
        if n < 5:
            evaluated += duels_kernel(own, hands, boards[b], n, score[b])
            continue
        ours = strength[own]
        evaluated += 1
        for i in range(hands.size):
            theirs = strength[hands[i]]
            if theirs > 0:
                evaluated += 1
                score[b, i] = 1.0 if ours > theirs else (-1.0 if ours < theirs else 0.0)
    return evaluated
