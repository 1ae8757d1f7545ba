"""Classes and showdowns of all hands on all boards below a decision, each set of cards once.

On a river our rules tell hands apart by what they make of the board, so hands of the same two ranks are the same, but
for flushes: they are worked out by pair of ranks and put into groups of hands that our rules take for the same and that
fare alike against ours.
"""

import numpy as np

from dupai.agents._experience._kernels.hands import (
    PAIR,
    PAIRS,
    RANKS,
    STRENGTHS,
    SUITS,
    board_kernel,
    classes_kernel,
    made_kernel,
    texture_kernel,
)
from dupai.base import kernel
from dupai.cards import CARD_MASK, COMBO_CARDS, COMBO_INDEX
from dupai.cards.kernels import CARD_KEY, COMBO_KEY, EMPTY_KEY, rank_strength_kernel, strength_kernel

#: The group of hands that hold a card of the board; most hands of a board that are listed one by one.
BLOCKED, LISTED = 63, 256
#: A combo of every pair of ranks.
_OF_PAIR = np.array([np.flatnonzero(pair == PAIR)[0] for pair in range(PAIRS)])
_CLASSES = 15
#: The place of the only bit of a word: multiplied by a de Bruijn sequence, its top six bits tell.
_ONE, _DE_BRUIJN, _TOP_SIX = np.uint64(1), np.uint64(0x03F79D71B4CB0A89), np.uint64(58)
_PLACE_OF_BIT = np.empty(64, np.int64)
_PLACE_OF_BIT[[(0x03F79D71B4CB0A89 << place & (1 << 64) - 1) >> 58 for place in range(64)]] = np.arange(64)


@kernel
def _against(own, hands, strength, sign):
    """``sign``: 1 where our hand wins, -1 where it loses, 0 where they split or the hand is blocked."""
    ours = strength[own]
    for i in range(hands.size):
        theirs = strength[hands[i]]
        sign[i] = 0.0 if theirs == 0 or ours == theirs else (1.0 if ours > theirs else -1.0)


@kernel
def _hold(s, n, held, seen):
    """Count ``n`` hands of a strength; ``seen``: a bit for every strength that any hand has."""
    word, bit = s >> 6, _ONE << np.uint64(s & 63)
    if seen[word] & bit == 0:
        seen[word] |= bit
        held[s] = 0
    held[s] += n


@kernel
def _beaten(held, seen, hands, out):
    """``out``: by strength, the share of ``hands`` that are weaker, ties half; ``held``: how many have it."""
    below = np.int64(0)
    for word in range(seen.size):
        bits = seen[word]
        while bits != 0:
            low = bits & (~bits + _ONE)
            bits ^= low
            s = word * 64 + _PLACE_OF_BIT[(low * _DE_BRUIJN) >> _TOP_SIX]
            out[s] = (below + 0.5 * held[s]) / hands
            below += held[s]


@kernel
def _lowered(cls, share, least):
    """The class that a hand counts as: it has to beat the share of hands that the class asks for."""
    while cls > 0 and share < least[cls]:
        cls -= 1
    return cls


@kernel
def _slot(cls, ours, theirs, draws, slot, place, score, k):
    """The group of a class and a result; a new one if there is none yet. Returns it and how many there are."""
    result = np.int64(ours > theirs) - np.int64(ours < theirs)
    key = cls * 3 + result + 1
    if slot[key] < 0:
        slot[key] = k
        place[k] = cls * draws
        score[k] = result
        k += 1
    return slot[key], k


@kernel
def _pair_strengths(board, count, flushes, held, seen, strength):
    """By pair of ranks: the strength of hands without a flush, 0 if there are none, and how many they are."""
    key = EMPTY_KEY
    for c in board:
        key += CARD_KEY[c]
    for pair in range(PAIRS):
        h = _OF_PAIR[pair]
        ra, rb = RANKS[h, 0], RANKS[h, 1]
        n = (4 - count[ra]) * (4 - count[rb]) if ra != rb else (4 - count[ra]) * (3 - count[ra]) // 2
        n -= flushes[pair]
        strength[pair] = 0
        if n > 0:
            strength[pair] = rank_strength_kernel(key + COMBO_KEY[h])
            _hold(strength[pair], n, held, seen)


@kernel
def river_kernel(board, own, where, pairs, values, least, draws, place, score, group, by_pair, work):
    """Groups of hands on a river.

    Args:
        board: ``uint8[5]``. own: our combo. where: ``int64[1326]``: the place of a hand among the opponent's, -1: none.
        pairs: ``int64[m]``: the pair of ranks of each of the opponent's hands.
        values, least, draws: as :func:`rank_kernel`.
        place, score: filled, one entry for a group: as :func:`rank_kernel`.
        group: ``uint8[m]``, filled: the group of each hand, whether it holds a card of the board or not.
        by_pair: ``uint8[91]``, filled: the group of hands of two ranks that make no flush, :data:`BLOCKED`: none.
        work: scratch: ``int64[7463]`` and ``float64[7463]`` by strength, ``int64[1326]`` by hand.

    Returns:
        number of groups, and our class.
    """
    suits, suit_ranks, count = np.zeros(4, np.int64), np.zeros(4, np.int64), np.zeros(13, np.int64)
    mask, top, second = board_kernel(board, 5, suits, suit_ranks, count)
    suit = np.argmax(suits)
    needed = 5 - suits[suit]
    held, beaten, strength = work
    seen, flushes = np.zeros(STRENGTHS // 64 + 1, np.uint64), np.zeros(PAIRS, np.int64)
    if needed <= 2:
        for h in range(1326):
            strength[h] = 0
            two = CARD_MASK[COMBO_CARDS[h, 0]] | CARD_MASK[COMBO_CARDS[h, 1]]
            if (SUITS[h, 0] == suit) + (SUITS[h, 1] == suit) >= needed and two & mask == 0:
                strength[h] = strength_kernel(mask | two)
                _hold(strength[h], 1, held, seen)
                flushes[PAIR[h]] += 1
    plain = np.zeros(PAIRS, np.int64)
    _pair_strengths(board, count, flushes, held, seen, plain)
    _beaten(held, seen, 1081, beaten)
    ours = np.int64(strength_kernel(mask | CARD_MASK[COMBO_CARDS[own, 0]] | CARD_MASK[COMBO_CARDS[own, 1]]))
    own_class = _lowered(
        made_kernel(own, np.int64(values[ours] >> 20), count, suits, suit_ranks, top, second), beaten[ours], least
    )
    slot = np.full(3 * _CLASSES, -1, np.int64)
    k = np.int64(0)
    for pair in range(PAIRS):
        s = plain[pair]
        by_pair[pair] = BLOCKED
        if s > 0:
            kind = np.int64(values[s] >> 20)
            cls = made_kernel(_OF_PAIR[pair], kind, count, suits, suit_ranks, top, second)
            by_pair[pair], k = _slot(_lowered(cls, beaten[s], least), ours, s, draws, slot, place, score, k)
    for i in range(pairs.size):
        group[i] = by_pair[pairs[i]]
    for h in range(1326 if needed <= 2 else 0):
        s = strength[h]
        if s == 0 or where[h] < 0:
            continue
        kind = np.int64(values[s] >> 20)
        cls = made_kernel(h, kind, count, suits, suit_ranks, top, second)
        group[where[h]], k = _slot(_lowered(cls, beaten[s], least), ours, s, draws, slot, place, score, k)
    return k, own_class


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
def _block(card, where, group):
    """Put the hands that hold a card into the group of those."""
    for other in range(52):
        if other != card:
            i = where[COMBO_INDEX[card, other]]
            if i >= 0:
                group[i] = BLOCKED


@kernel
def _list_odd(group, by_pair, pairs, odd):
    """List the hands that are in another group than that of their ranks."""
    n = np.int64(0)
    for i in range(pairs.size):
        if group[i] != by_pair[pairs[i]]:
            n += 1
            if n <= LISTED:
                odd[n] = i
    odd[0] = n if n <= LISTED else -1


@kernel
def _results(own, hands, pairs, mask, key, result, sign):
    """``sign``: as :func:`_against` on a river of cards ``mask`` and key ``key``, hands that are blocked not left out.

    Hands of the same two ranks fare alike, but for flushes. ``result``: ``float64[91]``, scratch.
    """
    ours = strength_kernel(mask | CARD_MASK[COMBO_CARDS[own, 0]] | CARD_MASK[COMBO_CARDS[own, 1]])
    for pair in range(PAIRS):
        theirs = rank_strength_kernel(key + COMBO_KEY[_OF_PAIR[pair]])
        result[pair] = np.float64(ours > theirs) - np.float64(ours < theirs)
    for i in range(hands.size):
        sign[i] = result[pairs[i]]
    # A suit with three cards or more has 6 to 8 in its counter of the key, which begins at 3.
    for suit in range(4):
        needed = 8 - np.int64(key >> np.uint64(4 * suit) & np.uint64(15))
        if needed > 2:
            continue
        for i in range(hands.size):
            h = hands[i]
            if (SUITS[h, 0] == suit) + (SUITS[h, 1] == suit) >= needed:
                theirs = strength_kernel(mask | CARD_MASK[COMBO_CARDS[h, 0]] | CARD_MASK[COMBO_CARDS[h, 1]])
                sign[i] = np.float64(ours > theirs) - np.float64(ours < theirs)


@kernel
def _other_rivers(board, root, own, hands, pairs, where, turns, shown, done, sign, score):
    """The results of an all-in on every river that is not ours (``done``). Returns how many hands were compared."""
    mask, key = np.uint64(0), EMPTY_KEY
    for k in range(root):
        mask |= CARD_MASK[board[k]]
        key += CARD_KEY[board[k]]
    dead = mask | CARD_MASK[COMBO_CARDS[own, 0]] | CARD_MASK[COMBO_CARDS[own, 1]]
    result = np.empty(PAIRS)
    compared = np.int64(0)
    for t in range(52) if root == 3 else range(52, 53):
        for r in range(min(t, 51) + 1 if root == 3 else 0, 52):
            new, more = CARD_MASK[r], CARD_KEY[r]
            if root == 3:
                new |= CARD_MASK[t]
                more += CARD_KEY[t]
            if done[t, r] or new & dead != 0 or not (shown[0] or turns[t] >= 0 or turns[r] >= 0):
                continue
            _results(own, hands, pairs, mask | new, key + more, result, sign)
            for other in range(52):
                for card in (t, r):
                    i = where[COMBO_INDEX[card, other]] if card < 52 and card != other else np.int64(-1)
                    if i >= 0:
                        sign[i] = 0.0
            compared += hands.size
            _pass_on(sign, turns, shown, t, r, score)
    return compared


@kernel
def rank_kernel(boards, known, shown, own, hands, rules, together, own_row, place, score, grouping):
    """Our row and the opponent's classes in our rules, and showdowns, on many boards.

    An all-in before the river is averaged over every river exactly, whether its board is among ours or not: each is
    looked at once, for the flop and both turns that lead to it. (One long function: its parts share a dozen arrays.)

    Args:
        boards: ``uint8[boards, 5]``, of each the first ``known[b]`` count: first the present one, then those with more
            cards, each set of cards once.
        shown: ``bool[boards]``: whether it may have a showdown.
        own: our combo. hands: ``int64[m]``: the opponent's, which share no card with ours or the present board.
        rules: values and least as :func:`classes_kernel`, and the number of draws.
        together: whether hands of a river that is to come are put into groups.
        own_row: ``int64[boards]``, filled with our row: ``(texture * 15 + made) * draws + draw``.
        place: ``int64[boards, m or at least 64]``, filled: ``made * draws + draw``.
        score: ``float64[boards, m or at least 64]``, zeros, filled where there may be a showdown: chance to win less
            chance to lose.
        grouping: filled for rivers if ``together``; ``place`` and ``score`` then have one entry for a group.
            groups: ``int64[boards]``: number of groups, 0 where every hand is by itself.
            group: ``uint8[boards, m]``: the group of each hand, :data:`BLOCKED` if it holds a card of the board.
            by_pair: ``uint8[boards, 91]``: see :func:`river_kernel`.
            odd: ``int16[boards, LISTED + 1]``: how many hands are in another group than that of their ranks, then their
            places; -1: too many.

    Returns:
        how many hands were compared for showdowns.
    """
    values, least, draws = rules
    groups, group, by_pair, odd = grouping
    made, draw = np.empty(1326, np.int8), np.empty(1326, np.int8)
    strength, share, sign = np.empty(1326, np.uint16), np.empty(1326), np.empty(hands.size)
    root = known[0]
    where = np.full(1326, -1, np.int64)
    for i in range(hands.size):
        where[hands[i]] = i
    pairs = PAIR[hands]
    work = (np.empty(STRENGTHS, np.int64), np.empty(STRENGTHS), np.empty(1326, np.int64))
    # Boards before the river with a showdown, by their last card; place 52 stands for no card.
    turns = np.full(53, -1, np.int64)
    early = shown[0] and root < 5
    for b in range(1, known.size):
        if known[b] == 4 and shown[b]:
            turns[boards[b, 3]] = b
            early = True
    done = np.zeros((53, 53), np.bool_)
    compared = np.int64(0)
    for b in range(known.size):
        n = known[b]
        first = np.int64(texture_kernel(boards[b], n)) * _CLASSES
        groups[b] = 0
        if n == 5 and together and root < 5:
            filled = (place[b], score[b], group[b], by_pair[b], work)
            groups[b], own_class = river_kernel(boards[b], own, where, pairs, values, least, draws, *filled)
            own_row[b] = (first + own_class) * draws
            for k in range(root, 5):
                _block(boards[b, k], where, group[b])
            _list_odd(group[b], by_pair[b], pairs, odd[b])
            if early:
                score[b, BLOCKED] = 0.0
                for i in range(hands.size):
                    sign[i] = score[b, group[b, i]]
        else:
            classes_kernel(boards[b], n, values, least, made, draw, strength, share)
            own_row[b] = (first + made[own]) * draws + draw[own]
            for i in range(hands.size):
                place[b, i] = max(made[hands[i]], 0) * draws + draw[hands[i]]
            if n == 5:
                _against(own, hands, strength, sign)
                if shown[b]:
                    score[b, : hands.size] = sign
        if n == 5:
            compared += hands.size
        if n == 5 and early:
            t = np.int64(boards[b, 3]) if root == 3 else 52
            r = np.int64(boards[b, 4])
            done[t, r] = done[r, t] = True
            _pass_on(sign, turns, shown, t, r, score)
    if early:
        compared += _other_rivers(boards[0], root, own, hands, pairs, where, turns, shown, done, sign, score)
        for b in range(known.size):
            if known[b] < 5:
                score[b] /= 990.0 if known[b] == 3 else 44.0
    return compared
