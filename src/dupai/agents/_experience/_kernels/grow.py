"""The betting below a decision, grown by the rules' own kernels."""

from collections import namedtuple

import numpy as np

from dupai.agents._experience._kernels.walk import DEAL, FOLDED, OWN, SHOWN, THEIRS
from dupai.base import kernel
from dupai.rules import CALL, FOLD, RAISE, copy_kernel
from dupai.spots import did_kernel, raise_to_kernel, spot_kernel

#: What a column of a menu leads to: nothing (left out); fold; check or call; above 0: a raise to so many chips.
LEFT_OUT, TO_FOLD, TO_CALL = -3, -2, -1


class GrowingHand(namedtuple("GrowingHand", "states tracks rows")):
    """The hand on the way down: ``STATE_DTYPE`` and ``TRACK_DTYPE``, one for each depth, and its rows (SPOT_DTYPE)."""


class TreeRules(namedtuple("TreeRules", "spec me street caps first_sizes later_sizes all_in shove_pots")):
    """What the tree considers.

    Attributes:
        spec: the game (SPEC_DTYPE).
        me: our position.
        street: street of the decision.
        caps: ``int64[2]``: bets and raises of a street after which there are no more, on that street and later.
        first_sizes, later_sizes: ``float64``: raises at our decision and at all others, in pots after the call.
        all_in: whether all-in is considered, too.
        shove_pots: ``float64[2]``: up to how many pots.
    """


class TreeArrays(namedtuple("TreeArrays", "kinds child pay tos rows used")):
    """The places of the tree, to be filled.

    Attributes:
        kinds: ``int64[nodes, 3]``: kind, the decision above, street.
        child: ``int64[nodes, k]``.
        pay: ``float64[nodes, 2]``: chips that are sure, chips times score, both less what we had paid.
        tos: ``int64[nodes, k]``.
        rows: SPOT_DTYPE ``[nodes]``.
        used: ``int64[1]``: nodes so far.
    """


@kernel
def replay_kernel(s, spec, track, rows, kind, to):
    """Play ``kind`` and ``to`` (``int64[n]``) from the start of a hand (``s`` after ``start_kernel``, ``track`` begun);
    a row of ``rows`` for every decision."""
    for i in range(kind.size):
        spot_kernel(s, spec, track, rows, i)
        did_kernel(s, spec, track, rows, i, kind[i], to[i])


@kernel
def columns_kernel(row, sizes, all_in, closed, shove_pots, tos):
    """What each column of a menu leads to, into ``tos`` (see :data:`LEFT_OUT`).

    Args:
        row: the decision.
        sizes: ``float64[k]``: raises in pots after the call; then a column for all-in where ``all_in``.
        closed: whether raises are left out.
        shove_pots: all-in is considered if it is at most so many pots (after the call).
    """
    call = row["to_call"]
    pot = row["pot"] + call
    tos[:] = LEFT_OUT
    tos[0] = TO_FOLD if call > 0 else LEFT_OUT
    tos[1] = TO_CALL
    low = row["min_to"]
    high = row["max_to"]
    if closed or high <= 0:
        return
    shoving = all_in and row["effective"] - call <= shove_pots * pot
    last = np.int64(-1)
    for i in range(sizes.size):
        to = raise_to_kernel(sizes[i], row["total"] + call, pot, low, high, False)
        if to != last and (to < high or not shoving):
            tos[2 + i] = to
            last = to
    if shoving:
        tos[2 + sizes.size] = high


@kernel
def grow_kernel(depth, turn, above, hand, how, tree):
    """Add the place of ``hand.states[depth]`` and all below it; returns its number, -1 where the arrays are full.

    Args:
        depth: how many actions lie above.
        turn: row of ``hand.rows`` for the next decision.
        above: number of the decision that led here, -1: none.
        hand, how, tree: :class:`GrowingHand`, :class:`TreeRules`, :class:`TreeArrays`.
    """
    states, tracks, rows = hand.states, hand.tracks, hand.rows
    me, spec = how.me, how.spec
    kinds, child, pay, tos = tree.kinds, tree.child, tree.pay, tree.tos
    number = tree.used[0]
    if number >= kinds.shape[0] or depth + 1 >= states.size or turn + 1 >= rows.size:
        return np.int64(-1)
    tree.used[0] += 1
    state = states[depth : depth + 1]
    track = tracks[depth : depth + 1]
    kinds[number, 1] = above
    child[number, :] = -1
    if state[0]["finished"] != 0:
        mine = np.float64(state[0]["total"][me] + state[0]["ante"][me])
        theirs = np.float64(state[0]["total"][1 - me] + state[0]["ante"][1 - me])
        kinds[number, 0] = FOLDED
        kinds[number, 2] = kinds[above, 2]
        pay[number, 1] = 0.0
        if state[0]["folded"][me] != 0:
            pay[number, 0] = -mine
        elif state[0]["folded"][1 - me] != 0:
            pay[number, 0] = theirs
        else:
            # Sure is half the pot less what we put in. Antes may be unequal; what one bets beyond the other comes back.
            matched = np.float64(min(state[0]["total"][me], state[0]["total"][1 - me]))
            half = matched + 0.5 * np.float64(state[0]["ante"][me] + state[0]["ante"][1 - me])
            kinds[number, 0] = SHOWN
            pay[number, 0] = half - matched - state[0]["ante"][me]
            pay[number, 1] = half
        return number
    street = state[0]["street"]
    if above >= 0 and street != kinds[above, 2]:
        # The next card comes before anybody decides.
        kinds[number, 0] = DEAL
        kinds[number, 2] = street
        below = grow_kernel(depth, turn, number, hand, how, tree)
        child[number, 0] = below
        return number if below >= 0 else np.int64(-1)
    spot_kernel(state, spec, track, rows, turn)
    tree.rows[number] = rows[turn]
    row = rows[turn]
    kinds[number, 0] = OWN if row["position"] == me else THEIRS
    kinds[number, 2] = street
    if number == 0:
        columns_kernel(row, how.first_sizes, how.all_in, False, how.shove_pots[0], tos[number])
    else:
        closed = row["raises"] >= how.caps[0 if street == how.street else 1]
        columns_kernel(row, how.later_sizes, how.all_in, closed, how.shove_pots[1], tos[number])
    for column in range(tos.shape[1]):
        to = tos[number, column]
        if to == LEFT_OUT:
            continue
        copy_kernel(state, states[depth + 1 : depth + 2])
        tracks[depth + 1] = tracks[depth]
        kind = FOLD if to == TO_FOLD else (CALL if to == TO_CALL else RAISE)
        did_kernel(
            states[depth + 1 : depth + 2], spec, tracks[depth + 1 : depth + 2], rows, turn, kind, max(to, np.int64(0))
        )
        below = grow_kernel(depth + 1, turn + 1, number, hand, how, tree)
        if below < 0:
            return np.int64(-1)
        child[number, column] = below
    return number
