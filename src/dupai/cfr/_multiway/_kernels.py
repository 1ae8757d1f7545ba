"""External sampling among any number of players, hand by hand on one board.

M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling, "Monte Carlo sampling for regret minimization in extensive games",
NeurIPS 2009: all actions of one player, one sampled action of everybody else.
"""

from collections import namedtuple

import numpy as np

from dupai.base import next_below, next_uniform, uncounted_kernel
from dupai.cards import CARD_MASK, COMBO_INDEX
from dupai.cfr._blueprint._tree import COMMITTED
from dupai.cfr._multiway._situations import STREET
from dupai.rules import CALL, FOLD, RAISE, settle_kernel, start_kernel
from dupai.spots import begin_track_kernel, did_kernel, spot_kernel

#: Classes of the price of a call, as its share of the pot afterwards: half the pot is 0.25, the pot 0.33, twice it 0.4.
_PRICES = np.array([0.22, 0.29, 0.36, 0.42])
#: Classes of the stack behind after a call, in pots.
_DEPTHS = np.array([0.4, 1.0, 2.0, 4.0, 8.0])


class Situations(namedtuple("Situations", "slots keys begin options used regrets plan")):
    """The situations met so far, and their tables: ``slots int32[2**k]``, a hash table of numbers (-1: free);
    ``keys int64[most]``; ``begin int64[most]``, where the entries of a situation begin; ``options int8[most]``;
    ``used int64[3]``, how many situations and entries, and decisions gone through; ``regrets``, ``plan
    float32[entries]``, by bucket and action."""


class Table(namedtuple("Table", "spec sizes buckets")):
    """The game: ``spec`` SPEC_DTYPE[1]; ``sizes`` of the menu; ``buckets int64[4]``, their numbers by street."""


class Desk(namedtuple("Desk", "state track row opened kinds totals mix value at count now payoffs learned by bucket")):
    """Space by depth: hands in play ``state``, ``track``, ``row``; ``opened int64``; ``kinds``, ``totals int64``,
    ``mix``, ``value float64``, each by action; ``at``, ``count``, ``now int64``: entries, actions, the action that is
    gone through; for a moment ``payoffs int64[10]``. ``learned int64[most + 1]``, ``by float32[most]``: entries
    whose regrets change, how many there are (last), and by how much. ``bucket int64[4, 10]``: by street, position."""


@uncounted_kernel
def options_kernel(r, sizes, kinds, totals):
    """The actions of a decision, from fold to the largest raise, into ``kinds`` and ``totals``; returns how many.

    Args:
        r: a row of SPOT_DTYPE. sizes: of :func:`menu_sizes`.
    """
    n = np.int64(0)
    if r["to_call"] > 0:
        kinds[n] = FOLD
        n += 1
    kinds[n] = CALL
    n += 1
    if r["max_to"] == 0 or r["raises"] >= sizes.shape[1]:
        return n
    called = r["total"] + r["to_call"]
    pot = r["pot"] + r["to_call"]
    before = np.int64(0)
    for i in range(sizes.shape[2]):
        size = sizes[r["street"], r["raises"], i]
        if np.isnan(size):
            break
        to = r["max_to"]
        if size < np.inf:
            to = min(max(called + np.int64(np.rint(size * pot)), r["min_to"]), r["max_to"])
            if r["max_to"] - to < COMMITTED * (pot + 2 * (to - called)):
                to = r["max_to"]
        if to > before:
            kinds[n] = RAISE
            totals[n] = to
            before = to
            n += 1
    return n


@uncounted_kernel
def _place(players, position):
    """Small blind 0, big blind 1, the button 2, the seats before it 3 and 4, all earlier ones 5."""
    return position if position < 2 else 2 + min(players - 1 - position, np.int64(3))


@uncounted_kernel
def _class(x, edges):
    at = np.int64(0)
    for edge in edges:
        at += x >= edge
    return at


@uncounted_kernel
def situation_kernel(r, opened, options):
    """The number of a situation.

    Args:
        r: a row of SPOT_DTYPE. opened: raises before the flop. options: number of actions.
    """
    after = r["pot"] + r["to_call"]
    price = np.int64(0)
    if r["to_call"] > 0:
        price = 1 + _class(r["to_call"] / after, _PRICES)
    key = price * 16 + options
    if r["street"] == 0:
        who = np.int64(7)
        if r["aggressor"] >= 0:
            who = _place(r["players"], r["aggressor"])
        key = key * 8 + min(r["raises"], np.int64(7))
        key = key * 8 + _place(r["players"], r["position"])
        key = key * 8 + who
        key = key * 4 + min(r["calls"], np.int64(3))
        key = key * 4 + min(r["acted"], np.int64(2))
        return key * 8 + min(r["behind"], np.int64(5))
    deep = _class((r["effective"] - min(r["to_call"], r["effective"])) / after, _DEPTHS)
    led = np.int64(0)
    if r["leader"] >= 0:
        led = np.int64(1) if r["leader"] == r["position"] else np.int64(2)
    key = key * 4 + min(opened, np.int64(3))
    key = key * 4 + min(r["live"], np.int64(4)) - 2
    key = key * 4 + min(r["after"], np.int64(2))
    key = key * 4 + min(r["raises"], np.int64(3))
    key = key * 8 + deep
    key = key * 4 + led
    key = key * 4 + min(r["behind"], np.int64(2))
    key = key * 2 + min(r["checked"], np.int64(1))
    key = key * 2 + min(r["calls"], np.int64(1))
    return key + r["street"] * STREET


@uncounted_kernel
def find_kernel(key, known, street_buckets, options):
    """The number of a situation, which is added if it is new; -1: there is no room for it."""
    mask = np.uint64(known.slots.size - 1)
    slot = (np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32) & mask
    while known.slots[slot] >= 0:
        if known.keys[known.slots[slot]] == key:
            return np.int64(known.slots[slot])
        slot = (slot + np.uint64(1)) & mask
    number, begin = known.used[0], known.used[1]
    if number >= known.keys.size or begin + street_buckets * options > known.plan.size:
        return np.int64(-1)
    known.slots[slot] = number
    known.keys[number] = key
    known.begin[number] = begin
    known.options[number] = options
    known.used[0] = number + 1
    known.used[1] = begin + street_buckets * options
    return number


@uncounted_kernel
def _decide(level, game, known, desk):
    """What the player to act at a level can do and does by its regrets: into ``kinds``, ``totals``, ``mix``, ``count``
    and ``at`` (-1: no room)."""
    spot_kernel(desk.state[level : level + 1], game.spec, desk.track[level : level + 1], desk.row, level)
    known.used[2] += 1
    r = desk.row[level]
    n = options_kernel(r, game.sizes, desk.kinds[level], desk.totals[level])
    k = game.buckets[r["street"]]
    number = find_kernel(situation_kernel(r, desk.opened[level], n), known, k, n)
    desk.count[level] = n
    mix = desk.mix[level]
    total = 0.0
    desk.at[level] = -1
    if number >= 0:
        at = known.begin[number] + desk.bucket[r["street"], r["position"]] * n
        desk.at[level] = at
        for a in range(n):
            x = known.regrets[at + a]
            mix[a] = x if x > 0 else 0.0
            total += mix[a]
    for a in range(n):
        mix[a] = mix[a] / total if total > 0 else 1.0 / n


@uncounted_kernel
def _act(level, by, action, game, desk):
    """Play an action of the decision at level ``by`` in the hand of a level."""
    state, track = desk.state[level : level + 1], desk.track[level : level + 1]
    did_kernel(state, game.spec, track, desk.row, by, desk.kinds[by, action], desk.totals[by, action])
    desk.opened[level] = desk.opened[by]
    if desk.row[by]["street"] == 0:
        desk.opened[level] = desk.track[level]["raises"]


@uncounted_kernel
def _down(level, me, game, known, desk, rng_state):
    """Play the others' actions until ``me`` has to act or the hand is over; their strategies go into the plan."""
    while desk.state[level]["finished"] == 0 and desk.state[level]["actor"] != me:
        _decide(level, game, known, desk)
        n, at, mix = desk.count[level], desk.at[level], desk.mix[level]
        u = next_uniform(rng_state)
        action = np.int64(0)
        while action < n - 1 and u >= mix[action]:
            u -= mix[action]
            action += 1
        if at >= 0:
            for a in range(n):
                known.plan[at + a] += np.float32(mix[a])
        _act(level, level, action, game, desk)


@uncounted_kernel
def _walk(me, game, known, desk, unit, rng_state):
    """Every action of ``me`` in the hand at level 0, and one of the others' at each decision; gives what ``me`` wins.

    A level is one decision of ``me`` above the next; the hand before it stays at its level."""
    level = np.int64(0)
    while True:
        _down(level, me, game, known, desk, rng_state)
        if desk.state[level]["finished"] == 0:
            _decide(level, game, known, desk)
            desk.now[level] = 0
            desk.state[level + 1] = desk.state[level]
            desk.track[level + 1] = desk.track[level]
            _act(level + 1, level, np.int64(0), game, desk)
            level += 1
            continue
        settle_kernel(desk.state[level : level + 1], game.spec, desk.payoffs)
        won = desk.payoffs[me] * unit
        while level > 0:
            above = level - 1
            desk.value[above, desk.now[above]] = won
            desk.now[above] += 1
            if desk.now[above] < desk.count[above]:
                desk.state[level] = desk.state[above]
                desk.track[level] = desk.track[above]
                _act(level, above, desk.now[above], game, desk)
                break
            won = 0.0
            for a in range(desk.count[above]):
                won += desk.mix[above, a] * desk.value[above, a]
            if desk.at[above] >= 0 and desk.learned[-1] + desk.count[above] <= desk.by.size:
                for a in range(desk.count[above]):
                    m = desk.learned[-1]
                    desk.learned[m], desk.by[m] = desk.at[above] + a, desk.value[above, a] - won
                    desk.learned[-1] = m + 1
            level = above
        if level == 0:
            # Only now: what is forgotten of the betting may lead to one situation twice, and who had learned there
            # would know the cards.
            for m in range(desk.learned[-1]):
                known.regrets[desk.learned[m]] += desk.by[m]
            desk.learned[-1] = 0
            return won


@uncounted_kernel
def _deal(game, board, buckets, desk, start, rng_state):
    """Draw everybody's hands beside a board, and begin the hand at level ``start``."""
    spec, first = game.spec[0], desk.state[start]
    used = np.uint64(0)
    for k in range(5):
        first["board"][k] = board[k]
        used |= CARD_MASK[board[k]]
    for i in range(2 * spec["players"]):
        while True:
            c = next_below(rng_state, np.int64(52))
            if used & CARD_MASK[c] == np.uint64(0):
                break
        used |= CARD_MASK[c]
        first["hole"][i >> 1, i & 1] = c
    for p in range(spec["players"]):
        combo = COMBO_INDEX[first["hole"][p, 0], first["hole"][p, 1]]
        for street in range(4):
            desk.bucket[street, p] = buckets[street, combo]
        first["stack"][p] = spec["stacks"][p]
    start_kernel(desk.state[start : start + 1], game.spec)
    begin_track_kernel(desk.state[start : start + 1], desk.track[start : start + 1])
    desk.opened[start] = 0


@uncounted_kernel
def learn_kernel(hands, game, board, buckets, known, desk, unit, rng_state, won):
    """Go through ``hands`` deals for each player on one board. Each has a deal of its own: whoever has just learned
    from a deal would play it too well against the next who learns from it.

    Args:
        board: ``uint8[5]``. buckets: ``int16[4, 1326]``, of every hand by street.
        unit: what a chip counts. won: ``float64[players]``, what the positions won in all.
    """
    players = game.spec[0]["players"]
    for _ in range(hands):
        for me in range(players):
            _deal(game, board, buckets, desk, np.int64(0), rng_state)
            won[me] += _walk(me, game, known, desk, unit, rng_state)
