"""Monte Carlo regret minimisation of three-player limit hold'em, all hands of a bucket played alike.

Chips are counted in units of half a small bet. What three players have paid lies in three lanes of one word. An
information set is a number of 64 bits: street, who acts, who is in, the bucket of his hand, the betting of this street
action by action, and of earlier streets how many raises there were (and who made the last one, of the last street).
Sets are found in an open hash table of a power of two of slots.
"""

import numpy as np

from dupai.base import kernel, next_below, next_uniform
from dupai.cards import CARD_MASK, COMBO_CLASS, COMBO_INDEX, strength_kernel
from dupai.rules import CALL, FOLD, RAISE

#: Bits of a lane of what is paid: nobody pays more than 48 units in a hand.
_LANE = 8
_LANE_MASK = np.int64(0xFF)
_ALL = np.int64(7)
#: An action so far behind (in units) is left out of nine walks in ten.
_HOPELESS = np.float32(-400.0)
#: Slots that are looked at before a table counts as full.
_PROBES = 512
#: Actions below this share of the average are never played: they are what is left of the beginning.
_LEAST = 0.01
#: No raise yet on this street.
_NOBODY = np.int64(3)


@kernel
def slot_kernel(keys, key, insert):
    """The slot of an information set (0 marks an empty one), -1 where it is none or the table is full."""
    mask = np.uint64(keys.size - 1)
    h = key * np.uint64(0x9E3779B97F4A7C15)
    h ^= h >> np.uint64(29)
    h *= np.uint64(0xBF58476D1CE4E5B9)
    h ^= h >> np.uint64(32)
    i = h & mask
    for _ in range(_PROBES):
        if keys[i] == key:
            return np.int64(i)
        if keys[i] == 0:
            if insert:
                keys[i] = key
                return np.int64(i)
            return np.int64(-1)
        i = (i + np.uint64(1)) & mask
    return np.int64(-1)


@kernel
def moved_kernel(keys, regrets, average, new_keys, new_regrets, new_average):
    """Everything into a larger table."""
    for i in range(keys.size):
        if keys[i] != 0:
            j = slot_kernel(new_keys, keys[i], True)
            for a in range(3):
                new_regrets[j, a] = regrets[i, a]
                new_average[j, a] = average[i, a]


@kernel
def key_kernel(street, actor, live, sequence, before, bucket):
    """The number of an information set; never 0."""
    key = np.uint64(1) | np.uint64(street) << np.uint64(1) | np.uint64(actor) << np.uint64(3)
    key |= np.uint64(live) << np.uint64(5) | np.uint64(bucket) << np.uint64(8)
    return key | np.uint64(before) << np.uint64(16) | np.uint64(sequence) << np.uint64(34)


@kernel
def before_kernel(before, street, raises, last):
    """What is remembered of the streets before the next one."""
    if street == 0:
        return min(raises, np.int64(3)) | last << 2
    if street == 1:
        return before & 15 | min(raises, np.int64(2)) << 4 | last << 6
    return before & 0x33 | min(raises, np.int64(2)) << 8 | last << 10


@kernel(inline="always")
def _lane(paid, p):
    return paid >> (_LANE * p) & _LANE_MASK


@kernel(inline="always")
def _count(live):
    return (live & 1) + (live >> 1 & 1) + (live >> 2 & 1)


@kernel(inline="always")
def _to_call(bets, p):
    most = max(_lane(bets, np.int64(0)), _lane(bets, np.int64(1)), _lane(bets, np.int64(2)))
    return most - _lane(bets, p)


@kernel
def won_kernel(p, live, paid, strength):
    """What a player wins in the hand, units: the pot for who is left or best, shared where tied, less what he paid."""
    own = float(_lane(paid, p))
    if not live >> p & 1:
        return -own
    pot = float(_lane(paid, np.int64(0)) + _lane(paid, np.int64(1)) + _lane(paid, np.int64(2)))
    sharers = 0
    for q in range(3):
        if live >> q & 1:
            if _count(live) > 1 and strength[q] > strength[p]:
                return -own
            if strength[q] == strength[p] or q == p:
                sharers += 1
    return pot / (sharers if _count(live) > 1 else 1) - own


@kernel(inline="always")
def _matching(values, i, fold, more):
    """Shares of fold, call and raise in proportion to what is positive of row ``i``; even where nothing is."""
    f = max(values[i, 0], np.float32(0)) if fold else np.float32(0)
    c = max(values[i, 1], np.float32(0))
    r = max(values[i, 2], np.float32(0)) if more else np.float32(0)
    total = f + c + r
    if total > 0:
        return f / total, c / total, r / total
    even = np.float32(1.0) / np.float32(1 + int(fold) + int(more))
    return (even if fold else np.float32(0)), even, (even if more else np.float32(0))


@kernel
def _walk(p, street, actor, live, due, raises, last, sequence, before, paid, bets, game, bucket, strength, tables, rng):
    """Value for player ``p`` of going on from here; all his actions are tried, one of everybody else. ``due``: who has
    to act still. ``tables``: keys, regrets, averages."""
    if not live >> p & 1 or _count(live) == 1:
        return won_kernel(p, live, paid, strength)
    if due == 0:
        if street == 3:
            return won_kernel(p, live, paid, strength)
        before = before_kernel(before, street, raises, last)
        street, due, raises, last, sequence, bets = street + 1, live, np.int64(0), _NOBODY, np.int64(0), np.int64(0)
        actor = game[8 + street]
    while not due >> actor & 1:
        actor = (actor + 1) % 3
    keys, regrets, average = tables
    call = _to_call(bets, actor)
    fold, more = call > 0, raises < game[4 + street]
    i = slot_kernel(keys, key_kernel(street, actor, live, sequence, before, bucket[actor, street]), True)
    s = _matching(regrets, i, fold, more) if i >= 0 else (np.float32(0), np.float32(1), np.float32(0))
    after, lane = (actor + 1) % 3, _LANE * actor
    called = paid + (call << lane), bets + (call << lane)
    up = call + game[street]
    raised = paid + (up << lane), bets + (up << lane)
    one = np.int64(1) << actor
    if actor != p:
        u = next_uniform(rng)
        if i >= 0:
            for a in range(3):
                average[i, a] += s[a]
        if u < s[0]:
            return _walk(
                p, street, after, live & ~one, due & ~one, raises, last, sequence * 4 + 1, before, paid, bets,
                game, bucket, strength, tables, rng,
            )  # fmt: skip
        if u < 1.0 - s[2]:
            return _walk(
                p, street, after, live, due & ~one, raises, last, sequence * 4 + 2, before, called[0], called[1],
                game, bucket, strength, tables, rng,
            )  # fmt: skip
        return _walk(
            p, street, after, live, live & ~one, raises + 1, actor, sequence * 4 + 3, before, raised[0], raised[1],
            game, bucket, strength, tables, rng,
        )  # fmt: skip
    call_value = _walk(
        p, street, after, live, due & ~one, raises, last, sequence * 4 + 2, before, called[0], called[1],
        game, bucket, strength, tables, rng,
    )  # fmt: skip
    value = s[1] * call_value
    fold_value = -float(_lane(paid, p))
    if fold:
        value += s[0] * fold_value
    raise_value = 0.0
    looked = more and not (i >= 0 and regrets[i, 2] < _HOPELESS and next_uniform(rng) < 0.9)
    if looked:
        raise_value = _walk(
            p, street, after, live, live & ~one, raises + 1, actor, sequence * 4 + 3, before, raised[0], raised[1],
            game, bucket, strength, tables, rng,
        )  # fmt: skip
        value += s[2] * raise_value
    if i >= 0:
        if fold:
            regrets[i, 0] += np.float32(fold_value - value)
        regrets[i, 1] += np.float32(call_value - value)
        if looked:
            regrets[i, 2] += np.float32(raise_value - value)
    return value


@kernel
def deal_kernel(board, classes, hole, bucket, strength, rng):
    """Two cards for each of three players, their buckets by street, and their strengths on the full board.

    Args:
        board: ``uint8[5]``. classes: ``uint8[3, 1326]``, buckets on flop, turn and river.
        hole: ``uint8[3, 2]``, filled; bucket: ``int64[3, 4]``, filled; strength: ``int64[3]``, filled.
    """
    dead = np.uint64(0)
    for c in board:
        dead |= CARD_MASK[c]
    full = dead
    for p in range(3):
        for k in range(2):
            card = next_below(rng, 52)
            while dead & CARD_MASK[card]:
                card = next_below(rng, 52)
            dead |= CARD_MASK[card]
            hole[p, k] = card
        combo = COMBO_INDEX[hole[p, 0], hole[p, 1]]
        bucket[p, 0] = COMBO_CLASS[combo]
        for s in range(3):
            bucket[p, s + 1] = classes[s, combo]
        strength[p] = strength_kernel(full | CARD_MASK[hole[p, 0]] | CARD_MASK[hole[p, 1]])


@kernel
def solve_kernel(iterations, boards, classes, game, keys, regrets, average, rng):
    """Deals, each walked once for every player.

    Args:
        boards: ``uint8[n, 5]``. classes: ``uint8[n, 3, 1326]``: bucket of each hand on flop, turn and river.
        game: ``int64[15]``: size of a bet, most raises and who begins, by street (4 each); the blinds (3), in units.
        keys: ``uint64[slots]``. regrets, average: ``float32[slots, 3]``. All three are added to.
    """
    hole = np.empty((3, 2), np.uint8)
    bucket = np.empty((3, 4), np.int64)
    strength = np.empty(3, np.int64)
    paid = game[12] | game[13] << _LANE | game[14] << (2 * _LANE)
    zero = np.int64(0)
    for _ in range(iterations):
        n = next_below(rng, boards.shape[0])
        deal_kernel(boards[n], classes[n], hole, bucket, strength, rng)
        for p in range(3):
            _walk(
                np.int64(p), zero, game[8], _ALL, _ALL, zero, _NOBODY, zero, zero, paid, paid,
                game, bucket, strength, (keys, regrets, average), rng,
            )  # fmt: skip


@kernel
def play_kernel(boards, classes, game, keys, average, rng, hole, did, won):
    """One hand on each board by the average strategy; what it does not know it calls.

    Args:
        hole: ``uint8[n, 3, 2]``, filled.
        did: ``int8[n, 64]``, filled: 0 fold, 1 check or call, 2 bet or raise, -1 after the last.
        won: ``float64[n, 3]``, filled, units.

    Returns:
        Decisions, and how many of them were in information sets that are not in the table.
    """
    bucket = np.empty((3, 4), np.int64)
    strength = np.empty(3, np.int64)
    decisions = strange = 0
    did[:] = -1
    for n in range(boards.shape[0]):
        deal_kernel(boards[n], classes[n], hole[n], bucket, strength, rng)
        street = raises = sequence = before = np.int64(0)
        actor, live, due, last = game[8], _ALL, _ALL, _NOBODY
        paid = bets = game[12] | game[13] << _LANE | game[14] << (2 * _LANE)
        k = 0
        while _count(live) > 1:
            if due == 0:
                if street == 3:
                    break
                before = before_kernel(before, street, raises, last)
                street, due, raises, last, sequence, bets = (
                    street + 1,
                    live,
                    np.int64(0),
                    _NOBODY,
                    np.int64(0),
                    np.int64(0),
                )
                actor = game[8 + street]
            while not due >> actor & 1:
                actor = (actor + 1) % 3
            call = _to_call(bets, actor)
            fold, more = call > 0, raises < game[4 + street]
            i = slot_kernel(keys, key_kernel(street, actor, live, sequence, before, bucket[actor, street]), False)
            decisions += 1
            strange += i < 0
            f, c, r = (np.float32(0), np.float32(1), np.float32(0)) if i < 0 else _matching(average, i, fold, more)
            f, c, r = (f if f >= _LEAST else 0.0), (c if c >= _LEAST else 0.0), (r if r >= _LEAST else 0.0)
            u = next_uniform(rng) * (f + c + r)
            one = np.int64(1) << actor
            action = FOLD if u < f else CALL if u < f + c else RAISE
            did[n, k] = action
            k += 1
            sequence = sequence * 4 + 1 + action
            if action == FOLD:
                live, due = live & ~one, due & ~one
            else:
                more_paid = call + (game[street] if action == RAISE else np.int64(0))
                paid, bets = paid + (more_paid << (_LANE * actor)), bets + (more_paid << (_LANE * actor))
                due = due & ~one
                if action == RAISE:
                    due, raises, last = live & ~one, raises + 1, actor
            actor = (actor + 1) % 3
        for p in range(3):
            won[n, p] = won_kernel(np.int64(p), live, paid, strength)
    return decisions, strange
