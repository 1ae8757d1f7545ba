"""The hash table of hand ranks of the *experience* system: filling, looking up, counting collisions."""

import numpy as np

from dupai.base import kernel
from dupai.cards import CARD_MASK
from dupai.cards.kernels import strength_kernel

_ZERO, _ONE = np.uint64(0), np.uint64(1)


@kernel
def stored_kernel(hand_values, keys, checks, values, key_of, check_of):
    """Every five-card hand better than high card: ``key_of uint64[n]``, ``check_of uint64[n]``, ``values uint32[n]``
    from the cards' random numbers ``keys`` and ``checks`` (``uint64[52]``). Returns how many there are."""
    n = np.int64(0)
    for a in range(48):
        for b in range(a + 1, 49):
            for c in range(b + 1, 50):
                for d in range(c + 1, 51):
                    key4 = keys[a] ^ keys[b] ^ keys[c] ^ keys[d]
                    check4 = checks[a] ^ checks[b] ^ checks[c] ^ checks[d]
                    mask4 = CARD_MASK[a] | CARD_MASK[b] | CARD_MASK[c] | CARD_MASK[d]
                    for e in range(d + 1, 52):
                        value = hand_values[strength_kernel(mask4 | CARD_MASK[e])]
                        if value >> 20 == 0:
                            continue
                        key_of[n] = key4 ^ keys[e]
                        check_of[n] = check4 ^ checks[e]
                        values[n] = value
                        n += 1
    return n


@kernel
def fill_kernel(key_of, check_of, values, base, overflow):
    """Store hands into tables of rows (type, used, rank, check); both tables have a power of two of rows. Returns how
    many did not get their slot of the base table, or -1 when the overflow table is full."""
    base_mask = np.uint64(base.size - 1)
    over_mask = np.uint64(overflow.size - 1)
    collisions = np.int64(0)
    for i in range(key_of.size):
        slot = key_of[i] & base_mask
        table = base
        if base[slot]["used"] != 0:
            collisions += 1
            if collisions >= overflow.size:
                return np.int64(-1)
            table = overflow
            slot = key_of[i] & over_mask
            while table[slot]["used"] != 0:
                slot = (slot + _ONE) & over_mask
        row = table[slot]
        row["type"] = values[i] >> 20
        row["used"] = 1
        row["rank"] = values[i] & np.uint32(0xFFFFF)
        row["check"] = check_of[i]
    return collisions


@kernel
def find_kernel(key, check, base, overflow):
    """The 32-bit hand value of a stored five-card hand, 0 where it is not stored."""
    row = base[key & np.uint64(base.size - 1)]
    if row["used"] == 0:
        return np.uint32(0)
    if row["check"] == check:
        return np.uint32(row["type"]) << np.uint32(20) | row["rank"]
    mask = np.uint64(overflow.size - 1)
    slot = key & mask
    while overflow[slot]["used"] != 0:
        if overflow[slot]["check"] == check:
            return np.uint32(overflow[slot]["type"]) << np.uint32(20) | overflow[slot]["rank"]
        slot = (slot + _ONE) & mask
    return np.uint32(0)


@kernel
def zobrist_value_kernel(hand, n, keys, checks, base, overflow):
    """Hand value of the best five of ``hand[:n]`` (5 to 7 cards): every subset of five is looked up; where none is
    stored the best is a high card, read off the ranks."""
    key = _ZERO
    check = _ZERO
    for i in range(n):
        key ^= keys[hand[i]]
        check ^= checks[hand[i]]
    best = np.uint32(0)
    if n == 5:
        best = find_kernel(key, check, base, overflow)
    elif n == 6:
        for i in range(6):
            best = max(best, find_kernel(key ^ keys[hand[i]], check ^ checks[hand[i]], base, overflow))
    else:
        for i in range(6):
            key1 = key ^ keys[hand[i]]
            check1 = check ^ checks[hand[i]]
            for j in range(i + 1, 7):
                best = max(best, find_kernel(key1 ^ keys[hand[j]], check1 ^ checks[hand[j]], base, overflow))
    if best != 0:
        return best
    ranks = np.uint64(0)
    for i in range(n):
        ranks |= _ONE << np.uint64(hand[i] % 13)
    taken = 0
    rank = 12
    while taken < 5:
        if ranks >> np.uint64(rank) & _ONE:
            best = best << np.uint32(4) | np.uint32(rank)
            taken += 1
        rank -= 1
    return best


@kernel
def zobrist_values_kernel(hands, keys, checks, base, overflow, out):
    """:func:`zobrist_value_kernel` for the rows of ``hands uint8[m, n]``."""
    for i in range(hands.shape[0]):
        out[i] = zobrist_value_kernel(hands[i], hands.shape[1], keys, checks, base, overflow)


@kernel
def collisions_kernel(key_of, slots, used):
    """How many hands find their slot taken in a base table of ``slots`` rows (a power of two); ``used`` (``uint64`` of
    at least slots / 64, all 0) is scratch."""
    mask = np.uint64(slots - 1)
    collisions = np.int64(0)
    for i in range(key_of.size):
        slot = key_of[i] & mask
        bit = _ONE << (slot & np.uint64(63))
        word = slot >> np.uint64(6)
        if used[word] & bit:
            collisions += 1
        else:
            used[word] |= bit
    return collisions
