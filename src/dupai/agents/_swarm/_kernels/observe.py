"""What the swarm learns from a finished hand: the opponents' choices, and a score with less luck in it."""

import numpy as np

from dupai.agents._swarm import _layout as layout
from dupai.agents._swarm._kernels.swarm import step_kernel
from dupai.agents._swarm._layout import ALL_IN, CARDS, CHIPS
from dupai.base import kernel
from dupai.cards import CARD_MASK, COMBO_CLASS, COMBO_INDEX
from dupai.cards.kernels import strength_kernel
from dupai.equity import win_rate_kernel
from dupai.rules import FOLD, RAISE, apply_kernel, start_kernel


@kernel
def _tally(s, own, kind, asked, counts):
    """Count the decision that the actor of ``s`` is about to make, if it is an opponent's."""
    h = s[0]
    p = h["actor"]
    if p == own:
        return
    faces = h["top"] > h["total"][p]
    if h["street"] == 0:
        if faces and asked[p] == 0:
            asked[p] = 1
            counts[layout.OPENS] += 1.0
            counts[layout.OPEN_FOLDS] += 1.0 if kind == FOLD else 0.0
            counts[layout.OPEN_RAISES] += 1.0 if kind == RAISE else 0.0
        return
    if faces:
        counts[layout.FACED] += 1.0
        counts[layout.FACED_FOLDS] += 1.0 if kind == FOLD else 0.0
    counts[layout.LATER] += 1.0
    counts[layout.LATER_RAISES] += 1.0 if kind == RAISE else 0.0


@kernel
def showdown_equity_kernel(preflop, a0, a1, b0, b1, board, n_board):
    """Chance (ties half) of the first hand against the second with ``n_board`` (0, 3, 4) of the board known.

    With a board all run-outs are counted. Without one: the mean over suits of the two hands' classes, ``preflop``
    (``float64[169, 169]``), which is right on average.
    """
    if n_board == 0:
        return preflop[COMBO_CLASS[COMBO_INDEX[a0, a1]], COMBO_CLASS[COMBO_INDEX[b0, b1]]]
    seen = np.uint64(0)
    for k in range(n_board):
        seen |= CARD_MASK[board[k]]
    mine = seen | CARD_MASK[a0] | CARD_MASK[a1]
    theirs = seen | CARD_MASK[b0] | CARD_MASK[b1]
    gone = mine | theirs
    won = 0
    boards = 0
    for first in range(52):
        if gone & CARD_MASK[first] != np.uint64(0):
            continue
        last = 52 if n_board == 3 else first + 2
        for second in range(first + 1, last):
            more = CARD_MASK[first]
            if n_board == 3:
                if gone & CARD_MASK[second] != np.uint64(0):
                    continue
                more |= CARD_MASK[second]
            x = np.int64(strength_kernel(mine | more))
            y = np.int64(strength_kernel(theirs | more))
            won += 2 if x > y else 1 if x == y else 0
            boards += 1
    return won / (2.0 * boards)


@kernel
def _less_cards(w, score, z0, z1):
    """The score less what two covariates (mean 0) explain of it, by the regression over all earlier hands."""
    q = w[0]["moments"]
    n = q[0]
    less = 0.0
    if n >= 100.0:
        m0, m1, ms = q[1] / n, q[2] / n, q[3] / n
        v00 = q[4] / n - m0 * m0
        v01 = q[5] / n - m0 * m1
        v11 = q[6] / n - m1 * m1
        s0 = q[7] / n - m0 * ms
        s1 = q[8] / n - m1 * ms
        det = v00 * v11 - v01 * v01
        if det > 1e-12 * v00 * v11 and det > 0.0:
            less = ((s0 * v11 - s1 * v01) * z0 + (s1 * v00 - s0 * v01) * z1) / det
    q[0] += 1.0
    q[1] += z0
    q[2] += z1
    q[3] += score
    q[4] += z0 * z0
    q[5] += z0 * z1
    q[6] += z1 * z1
    q[7] += z0 * score
    q[8] += z1 * score
    return score - less


@kernel
def observe_kernel(table, preflop, state, spec, own, kinds, tos, actions, won, swarm, config):
    """Learn from a finished hand.

    Args:
        table: :class:`dupai.equity.WinRateTable`; preflop: class equities, ``float64[169, 169]``.
        state: ``STATE_DTYPE[1]`` with the cards and starting stacks of the hand, unseen cards are not
            used; played through again.
        spec: ``SPEC_DTYPE[1]``.
        own: our position.
        kinds, tos: ``int64[actions]`` at least, the actions.
        actions: how many actions.
        won: chips won, ``float64``.
        swarm, config: the swarm and its settings.
    """
    counts = np.zeros(layout.COUNTS)
    settings = config[0]
    score = won
    h = state[0]
    if (
        swarm[0]["ready"] != 0
        and settings["frozen"] == 0
        and (settings["clean"] != CHIPS or settings["window"] > 0 or swarm[0]["probing"] > 0)
    ):
        asked = np.zeros(10, np.int64)
        start_kernel(state, spec)
        street = h["street"]
        two = h["players"] == 2
        clean = settings["clean"] if two else np.int64(CHIPS)
        first, second = h["hole"][own, 0], h["hole"][own, 1]
        if first > 51 or second > 51:
            clean = np.int64(CHIPS)
        rate = 0.5
        luck_before = 0.0
        luck_after = 0.0
        if clean == CARDS:
            rate = win_rate_kernel(table, first, second, h["board"], np.int64(0))
            luck_before = rate - 0.5
        for k in range(actions):
            if h["finished"] != 0:
                break
            if h["street"] > street:
                street = h["street"]
                if clean == CARDS:
                    now = win_rate_kernel(table, first, second, h["board"], street + 2)
                    if street == 2:
                        # As the table has it, where the turn is not in the table.
                        now = np.floor(now * 65535.0 + 0.5) / 65535.0
                    luck_after += (h["total"][0] + h["total"][1]) * (now - rate)
                    rate = now
            _tally(state, own, kinds[k], asked, counts)
            apply_kernel(state, spec, kinds[k], tos[k])
        if clean >= ALL_IN and h["finished"] != 0 and h["live"] == 2 and street < 3:
            # All-in before the river, so both hands are shown and no decision followed.
            other = 1 - own
            their_first, their_second = h["hole"][other, 0], h["hole"][other, 1]
            if their_first <= 51 and their_second <= 51:
                known = street + 2 if street > 0 else street
                share = showdown_equity_kernel(preflop, first, second, their_first, their_second, h["board"], known)
                # Antes may be unequal; what one bets beyond the other comes back.
                matched = min(h["total"][own], h["total"][other])
                pot = 2 * matched + h["ante"][own] + h["ante"][other]
                score = share * pot - (matched + h["ante"][own])
        if clean == CARDS:
            score = _less_cards(swarm, score, luck_before, luck_after)
    step_kernel(swarm, config, score, won, counts)
