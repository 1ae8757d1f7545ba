"""Monte Carlo regret minimisation of three-player limit hold'em with hands grouped into buckets.

Chips are counted in units of half a small bet. The chips that the three players have paid lie in three lanes of one
word. An information set is a number of 64 bits: street, actor, players in the hand, bucket of the actor's hand, the
actions of this street, the number of raises on earlier streets, and the last raiser of the street before. Sets are
found in an open hash table whose number of slots is a power of two.
"""

from typing import Any, NamedTuple

import numpy as np

from dupai.base import kernel, next_below, next_uniform
from dupai.cards import CARD_MASK, COMBO_CLASS, COMBO_INDEX, strength_kernel
from dupai.rules import CALL, FOLD, RAISE

#: Bits of a lane of chips paid: nobody pays more than 48 units in a hand.
_LANE = 8
_LANE_MASK = np.int64(0xFF)
_ALL = np.int64(7)
#: A raise with less regret than this (in units) is skipped in nine walks of ten.
_HOPELESS = np.float32(-400.0)
#: Slots probed before a table counts as full.
_PROBES = 512
#: Actions with a smaller share of the average are never played: they stem from the first iterations.
_LEAST = 0.01
#: No raise yet on this street.
_NOBODY = np.int64(3)


class Betting(NamedTuple):
    """The state of the betting, all ``int64``.

    ``live``, ``due``: bit sets of the players in the hand and of those who still have to act on this street. ``last``:
    the last raiser of the street. ``sequence``: its actions, two bits each. ``before``: what is remembered of earlier
    streets. ``paid``, ``bets``: chips paid in the hand and on this street, in lanes.
    """

    street: Any
    actor: Any
    live: Any
    due: Any
    raises: Any
    last: Any
    sequence: Any
    before: Any
    paid: Any
    bets: Any


class Hands(NamedTuple):
    """One deal: the buckets ``int64[3, 4]`` by player and street, and the final strengths ``int64[3]``."""

    bucket: Any
    strength: Any


class Table(NamedTuple):
    """The hash table: ``keys`` ``uint64[slots]``, ``regrets`` and ``average`` ``float32[slots, 3]``."""

    keys: Any
    regrets: Any
    average: Any


@kernel
def slot_kernel(keys, key, insert):
    """The slot of an information set (key 0 marks an empty slot); -1 if it is absent or the table is full."""
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
def moved_kernel(old, new):
    """Copy every entry into a larger table."""
    for i in range(old.keys.size):
        if old.keys[i] != 0:
            j = slot_kernel(new.keys, old.keys[i], True)
            new.regrets[j] = old.regrets[i]
            new.average[j] = old.average[i]


@kernel
def key_kernel(street, actor, live, sequence, before, bucket):
    """The number of an information set; never 0."""
    key = np.uint64(1) | np.uint64(street) << np.uint64(1) | np.uint64(actor) << np.uint64(3)
    key |= np.uint64(live) << np.uint64(5) | np.uint64(bucket) << np.uint64(8)
    return key | np.uint64(before) << np.uint64(16) | np.uint64(sequence) << np.uint64(34)


@kernel
def before_kernel(before, street, raises, last):
    """What is remembered of the streets before the next one: the new ``before``."""
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
    """A player's result of the hand in units: the pot for the last player or the best hand, shared by ties, less the
    chips paid."""
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
    """Shares of fold, call and raise in proportion to the positive part of row ``i``; uniform if there is none."""
    f = max(values[i, 0], np.float32(0)) if fold else np.float32(0)
    c = max(values[i, 1], np.float32(0))
    r = max(values[i, 2], np.float32(0)) if more else np.float32(0)
    total = f + c + r
    if total > 0:
        return f / total, c / total, r / total
    even = np.float32(1.0) / np.float32(1 + int(fold) + int(more))
    return (even if fold else np.float32(0)), even, (even if more else np.float32(0))


@kernel
def _first_state(game):
    zero = np.int64(0)
    paid = game[12] | game[13] << _LANE | game[14] << (2 * _LANE)
    return Betting(zero, game[8], _ALL, _ALL, zero, _NOBODY, zero, zero, paid, paid)


@kernel(inline="always")
def _finished(s):
    return _count(s.live) == 1 or (s.due == 0 and s.street == 3)


@kernel
def _next_to_act(s, game):
    """Pass the turn to the next player who has to act; if nobody has to, begin the next street."""
    street, due, raises, last, sequence, before, bets = s.street, s.due, s.raises, s.last, s.sequence, s.before, s.bets
    actor = s.actor
    if due == 0:
        before = before_kernel(before, street, raises, last)
        street, due, raises, last, sequence, bets = street + 1, s.live, np.int64(0), _NOBODY, np.int64(0), np.int64(0)
        actor = game[8 + street]
    while not due >> actor & 1:
        actor = (actor + 1) % 3
    return Betting(street, actor, s.live, due, raises, last, sequence, before, s.paid, bets)


@kernel
def _after(s, action, call, bet):
    """The state after the actor's action; ``call``: chips to call, ``bet``: size of a bet or raise."""
    one = np.int64(1) << s.actor
    live, due, raises, last, chips = s.live, s.due & ~one, s.raises, s.last, np.int64(0)
    if action == FOLD:
        live = live & ~one
    elif action == CALL:
        chips = call
    else:
        due, raises, last, chips = live & ~one, raises + 1, s.actor, call + bet
    added = chips << (_LANE * s.actor)
    sequence = s.sequence * 4 + 1 + action
    return Betting(
        s.street, (s.actor + 1) % 3, live, due, raises, last, sequence, s.before, s.paid + added, s.bets + added
    )


@kernel
def _walk(p, s, hands, game, table, rng):
    """Value of the state ``s`` for player ``p``: all of the player's actions are tried, one of every other player."""
    if not s.live >> p & 1 or _finished(s):
        return won_kernel(p, s.live, s.paid, hands.strength)
    s = _next_to_act(s, game)
    keys, regrets, average = table
    call, bet = _to_call(s.bets, s.actor), game[s.street]
    fold, more = call > 0, s.raises < game[4 + s.street]
    bucket = hands.bucket[s.actor, s.street]
    i = slot_kernel(keys, key_kernel(s.street, s.actor, s.live, s.sequence, s.before, bucket), True)
    mix = _matching(regrets, i, fold, more) if i >= 0 else (np.float32(0), np.float32(1), np.float32(0))
    if s.actor != p:
        u = next_uniform(rng)
        if i >= 0:
            for a in range(3):
                average[i, a] += mix[a]
        action = FOLD if u < mix[0] else CALL if u < 1.0 - mix[2] else RAISE
        return _walk(p, _after(s, action, call, bet), hands, game, table, rng)
    call_value = _walk(p, _after(s, CALL, call, bet), hands, game, table, rng)
    value = mix[1] * call_value
    fold_value = -float(_lane(s.paid, p))
    if fold:
        value += mix[0] * fold_value
    raise_value = 0.0
    # Where no regret is positive the raise has its share, however hopeless: the value is not one without it.
    hopeless = i >= 0 and mix[2] == 0 and regrets[i, 2] < _HOPELESS
    tried = more and not (hopeless and next_uniform(rng) < 0.9)
    if tried:
        raise_value = _walk(p, _after(s, RAISE, call, bet), hands, game, table, rng)
        value += mix[2] * raise_value
    if i >= 0:
        if fold:
            regrets[i, 0] += np.float32(fold_value - value)
        regrets[i, 1] += np.float32(call_value - value)
        if tried:
            regrets[i, 2] += np.float32(raise_value - value)
    return value


@kernel
def deal_kernel(board, classes, hole, hands, rng):
    """Deal two cards to each of three players and fill in their buckets and strengths.

    Args:
        board: ``uint8[5]``. classes: ``uint8[3, 1326]``, buckets on flop, turn and river.
        hole: ``uint8[3, 2]``, filled. hands: :class:`Hands`, filled.
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
        hands.bucket[p, 0] = COMBO_CLASS[combo]
        for s in range(3):
            hands.bucket[p, s + 1] = classes[s, combo]
        hands.strength[p] = strength_kernel(full | CARD_MASK[hole[p, 0]] | CARD_MASK[hole[p, 1]])


@kernel
def _no_hands():
    return Hands(np.empty((3, 4), np.int64), np.empty(3, np.int64))


@kernel
def solve_kernel(iterations, boards, classes, game, table, rng):
    """Deal ``iterations`` times and walk each deal once for every player.

    Args:
        boards: ``uint8[n, 5]``. classes: ``uint8[n, 3, 1326]``: bucket of each hand on flop, turn and river.
        game: ``int64[15]``: size of a bet, most raises and first player, by street (4 each); the blinds (3), in units.
        table: :class:`Table`, updated.
    """
    hole, hands = np.empty((3, 2), np.uint8), _no_hands()
    for _ in range(iterations):
        n = next_below(rng, boards.shape[0])
        deal_kernel(boards[n], classes[n], hole, hands, rng)
        for p in range(3):
            _walk(np.int64(p), _first_state(game), hands, game, table, rng)


@kernel
def play_kernel(boards, classes, game, table, rng, hole, did, won):
    """Play one hand on each board by the average strategy; unknown information sets call.

    Args:
        hole: ``uint8[n, 3, 2]``, filled.
        did: ``int8[n, 64]``, filled: 0 fold, 1 check or call, 2 bet or raise, -1 after the last action.
        won: ``float64[n, 3]``, filled, units.

    Returns:
        The number of decisions, and how many were in information sets that the table lacks.
    """
    hands = _no_hands()
    decisions = strange = 0
    did[:] = -1
    for n in range(boards.shape[0]):
        deal_kernel(boards[n], classes[n], hole[n], hands, rng)
        s = _first_state(game)
        k = 0
        while not _finished(s):
            s = _next_to_act(s, game)
            call = _to_call(s.bets, s.actor)
            fold, more = call > 0, s.raises < game[4 + s.street]
            bucket = hands.bucket[s.actor, s.street]
            i = slot_kernel(table.keys, key_kernel(s.street, s.actor, s.live, s.sequence, s.before, bucket), False)
            decisions += 1
            strange += i < 0
            f, c, r = np.float32(0), np.float32(1), np.float32(0)
            if i >= 0:
                f, c, r = _matching(table.average, i, fold, more)
            f, c, r = (f if f >= _LEAST else 0.0), (c if c >= _LEAST else 0.0), (r if r >= _LEAST else 0.0)
            u = next_uniform(rng) * (f + c + r)
            action = FOLD if u < f else CALL if u < f + c else RAISE
            did[n, k] = action
            k += 1
            s = _after(s, action, call, game[s.street])
        for p in range(3):
            won[n, p] = won_kernel(np.int64(p), s.live, s.paid, hands.strength)
    return decisions, strange
