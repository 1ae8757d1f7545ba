"""The made-hand class and draw of every hand on a board, and the texture of the board."""

import numpy as np

from dupai.base import kernel
from dupai.cards import CARD_MASK, COMBO_CARDS, strength_kernel

_STRENGTHS = 7463
#: The group of hands that hold a card of the board.
_BLOCKED = 63
#: Ranks of the two cards of a combo, the higher one first; the number of that pair of ranks; the suits of the cards.
_RANKS = np.sort(COMBO_CARDS % 13, axis=1)[:, ::-1].astype(np.int64)
_PAIRS = 91
_PAIR = _RANKS[:, 0] * (_RANKS[:, 0] + 1) // 2 + _RANKS[:, 1]
_SUITS = (COMBO_CARDS // 13).astype(np.int64)


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
def _made(h, kind, count, suits, suit_ranks, top, second):
    """Class by name alone, before it is compared with what other hands make of the board."""
    ra, rb = _RANKS[h, 0], _RANKS[h, 1]
    if kind >= 7:
        return 14
    if kind == 6:
        return 13
    if kind == 5:
        for s in range(4):
            mine = np.int64(-1)
            for i in range(2):
                if _SUITS[h, i] == s:
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
    own = ranks | (1 << _RANKS[h, 0]) | (1 << _RANKS[h, 1])
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
            if _SUITS[h, i] == s:
                mine += 1
                high = max(high, np.int64(COMBO_CARDS[h, i] % 13))
        if mine > 0 and suits[s] + mine == 4 and (mine == 2 or high >= 9):
            return True
    return False


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
    # Hands of the same two ranks are the same hand, unless they make a flush: each pair is worked out once.
    suit = np.argmax(suits)
    needed = 5 - suits[suit]
    by_pair = np.zeros(_PAIRS, np.int64)
    held = np.zeros(_STRENGTHS, np.int16)
    hands = 0
    for h in range(1326):
        two = CARD_MASK[COMBO_CARDS[h, 0]] | CARD_MASK[COMBO_CARDS[h, 1]]
        if two & mask != 0:
            strength[h] = 0
            continue
        hands += 1
        flush = (_SUITS[h, 0] == suit) + (_SUITS[h, 1] == suit) >= needed
        s = np.int64(0) if flush else by_pair[_PAIR[h]]
        if s == 0:
            s = np.int64(strength_kernel(mask | two))
            if not flush:
                by_pair[_PAIR[h]] = s
        strength[h] = s
        held[s] += 1
    beaten = np.empty(_STRENGTHS)
    below = np.int64(0)
    for s in range(_STRENGTHS):
        if held[s]:
            beaten[s] = (below + 0.5 * held[s]) / hands
            below += held[s]
    made_by_pair = np.full(_PAIRS, -1, np.int8)
    outs_by_pair = np.zeros(_PAIRS, np.int8)
    for h in range(1326):
        s = np.int64(strength[h])
        draw[h] = 0
        if s == 0:
            made[h] = -1
            share[h] = 0.0
            continue
        share[h] = beaten[s]
        pair = _PAIR[h]
        kind = np.int64(values[s] >> 20)
        flush = (_SUITS[h, 0] == suit) + (_SUITS[h, 1] == suit) >= needed
        cls = np.int64(-1) if flush else np.int64(made_by_pair[pair])
        if cls < 0:
            cls = _made(h, kind, count, suits, suit_ranks, top, second)
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


@kernel
def _against(own, hands, strength, sign):
    """``sign``: 1 where our hand wins, -1 where it loses, 0 where they split or the hand is blocked."""
    ours = strength[own]
    for i in range(hands.size):
        theirs = strength[hands[i]]
        sign[i] = 0.0 if theirs == 0 or ours == theirs else (1.0 if ours > theirs else -1.0)


@kernel
def _strengths(own, hands, mask, strength):
    """``strength`` of our hand and the opponent's on a board of five cards; 0 for blocked hands."""
    strength[own] = strength_kernel(mask | CARD_MASK[COMBO_CARDS[own, 0]] | CARD_MASK[COMBO_CARDS[own, 1]])
    for i in range(hands.size):
        h = hands[i]
        two = CARD_MASK[COMBO_CARDS[h, 0]] | CARD_MASK[COMBO_CARDS[h, 1]]
        strength[h] = 0 if two & mask != 0 else strength_kernel(mask | two)


@kernel
def _gather(made, sign, hands, strength, draws, place, score, group):
    """Groups of hands on a river: one for every class and result. Returns how many there are."""
    slot = np.full(45, -1, np.int64)
    k = np.int64(0)
    for i in range(hands.size):
        h = hands[i]
        if strength[h] == 0:
            group[i] = _BLOCKED
            continue
        key = made[h] * 3 + np.int64(sign[i]) + 1
        if slot[key] < 0:
            slot[key] = k
            place[k] = made[h] * draws
            score[k] = sign[i]
            k += 1
        group[i] = slot[key]
    return k


@kernel
def _pass_on(sign, turns, shown, t, r, score):
    """Add the results of a river to those of an all-in on the boards before it."""
    for i in range(sign.size):
        if shown[0]:
            score[0, i] += sign[i]
        if turns[t] >= 0:
            score[turns[t], i] += sign[i]
        if turns[r] >= 0:
            score[turns[r], i] += sign[i]


@kernel
def rank_kernel(boards, known, shown, own, hands, values, least, draws, together, own_row, place, score, group, groups):
    """Our row and the opponent's classes in our rules, and showdowns, on many boards.

    An all-in before the river is averaged over every river exactly, whether its board is among ours or not: each is
    looked at once, for the flop and both turns that lead to it.

    Args:
        boards: ``uint8[boards, 5]``, of each the first ``known[b]`` count: first the present one, then those with more
            cards, each set of cards once.
        shown: ``bool[boards]``: whether it may have a showdown.
        own: our combo. hands: ``int64[m]``: the opponent's, which share no card with ours or the present board.
        values, least: as :func:`classes_kernel`. draws: number of draws.
        together: whether hands of a river are put into groups that our rules take for the same and that fare alike.
        own_row: ``int64[boards]``, filled with our row: ``(texture * 15 + made) * draws + draw``.
        place: ``int64[boards, m]``, filled: ``made * draws + draw``.
        score: ``float64[boards, m]``, zeros, filled where there may be a showdown: chance to win less chance to lose.
        group: ``uint8[boards, m]``, filled for rivers if ``together``: the group of each hand, 63 if it is blocked.
            Then ``place`` and ``score`` have one entry for a group.
        groups: ``int64[boards]``, filled: number of groups, 0 where every hand is by itself.

    Returns:
        how many hands were evaluated for showdowns.
    """
    made, draw = np.empty(1326, np.int8), np.empty(1326, np.int8)
    strength, share, sign = np.empty(1326, np.uint16), np.empty(1326), np.empty(hands.size)
    root = known[0]
    mask = np.uint64(0)
    for k in range(root):
        mask |= CARD_MASK[boards[0, k]]
    dead = mask | CARD_MASK[COMBO_CARDS[own, 0]] | CARD_MASK[COMBO_CARDS[own, 1]]
    # Boards before the river with a showdown, by their last card; place 52 stands for no card.
    turns = np.full(53, -1, np.int64)
    early = shown[0] and root < 5
    for b in range(1, known.size):
        if known[b] == 4 and shown[b]:
            turns[boards[b, 3]] = b
            early = True
    done = np.zeros((53, 53), np.bool_)
    evaluated = np.int64(0)
    for b in range(known.size):
        n = known[b]
        classes_kernel(boards[b], n, values, least, made, draw, strength, share)
        own_row[b] = (np.int64(texture_kernel(boards[b], n)) * 15 + made[own]) * draws + draw[own]
        groups[b] = 0
        if n == 5 and (shown[b] or early or together):
            _against(own, hands, strength, sign)
            evaluated += hands.size + 1
        if n == 5 and together and root < 5:
            groups[b] = _gather(made, sign, hands, strength, draws, place[b], score[b], group[b])
        else:
            for i in range(hands.size):
                place[b, i] = max(made[hands[i]], 0) * draws + draw[hands[i]]
            if n == 5 and shown[b]:
                score[b] = sign
        if n == 5 and early:
            t = np.int64(boards[b, 3]) if root == 3 else 52
            r = np.int64(boards[b, 4])
            done[t, r] = done[r, t] = True
            _pass_on(sign, turns, shown, t, r, score)
    if not early:
        return evaluated
    for t in range(52) if root == 3 else range(52, 53):
        for r in range(min(t, 51) + 1 if root == 3 else 0, 52):
            new = CARD_MASK[r] if root == 4 else CARD_MASK[t] | CARD_MASK[r]
            if done[t, r] or new & dead != 0 or not (shown[0] or turns[t] >= 0 or turns[r] >= 0):
                continue
            _strengths(own, hands, mask | new, strength)
            _against(own, hands, strength, sign)
            evaluated += hands.size + 1
            _pass_on(sign, turns, shown, t, r, score)
    for b in range(known.size):
        if known[b] < 5:
            score[b] /= 990.0 if known[b] == 3 else 44.0
    return evaluated
