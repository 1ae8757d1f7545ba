"""A baseline at decisions: what each action is worth to one player when all cards are known, and what luck it was.

The luck of a decision is the value of the action that was drawn less the mean over the actions, each as likely as it
was: on average it is nothing, whatever the values are (AIVAT: Burch and others, 2018).
"""

import numpy as np

from dupai.base import kernel
from dupai.cards import CARD_MASK, COMBO_CLASS, COMBO_MASK
from dupai.cards.kernels import strength_kernel
from dupai.playouts._kernels.deals import dice_kernel, features_kernel
from dupai.playouts._kernels.rounds import chances_kernel, drawn_kernel
from dupai.reading.features import ACTION_CLASSES, HAND_SIZE, PUBLIC_SIZE
from dupai.rules import CALL, apply_kernel, settle_kernel

#: What a network sees before the flop and after it: what is public, what concerns the player, the actor's hand.
_CHANCES, _HAND, _OWN = PUBLIC_SIZE + 15, PUBLIC_SIZE + 24, PUBLIC_SIZE + 38
VALUE_SIZES = (_OWN, _OWN + HAND_SIZE)
_BEST = 7462.0


@kernel
def _cards(s, deals, d, me, p, x):
    """How hands will stand on the river: those of player ``me``, of the actor ``p`` and of others, into ``x``."""
    board = np.uint64(0)
    for card in deals.board[d]:
        board |= CARD_MASK[card]
    mine = strength_kernel(board | COMBO_MASK[deals.combo[d, me]])
    theirs = strength_kernel(board | COMBO_MASK[deals.combo[d, p]])
    ties = 1.0 + (me != p and mine == theirs)
    best = max(mine, theirs)
    for q in range(s["players"]):
        if s["folded"][q] == 0 and q != me and q != p:
            one = strength_kernel(board | COMBO_MASK[deals.combo[d, q]])
            ties += one == mine
            best = max(best, one)
            x[4] += 0.5 * (one > mine)
            x[7] += 0.3
            x[8] = max(x[8], one / _BEST)
    x[0] = me == p
    x[1] = (mine == best) / ties
    x[2] = 0.5 * (mine > theirs) + 0.5 * (mine >= theirs)
    x[3] = theirs == best
    x[5] = mine / _BEST
    x[6] = theirs / _BEST


@kernel
def _surely(s, spec, r, me, work, out):
    """What actions that end the hand for player ``me`` are worth, in pots, into ``out``; nan for others."""
    out[:] = np.nan
    if me == r["position"] or r["live"] == 2:
        out[0] = me != r["position"]
    if r["behind"] == 0 and (r["street"] == 3 or r["able"] <= 2):
        work[0] = s
        apply_kernel(work, spec, np.int64(CALL), np.int64(0))
        if work[0]["finished"] != 0:
            payoffs = np.empty(10, np.int64)
            settle_kernel(work, spec, payoffs)
            out[1] = (payoffs[me] / spec[0]["split"] + s["total"][me] + s["ante"][me]) / max(r["pot"], 1)


@kernel
def note_kernel(lanes, deals, boards, scratch, spec, ways, seed, first, due, n, me, faced):
    """Note what the networks see of the ``n`` decisions of ``due`` that matter to player ``me``, who has acted and is
    still in (:class:`Faced`), before they are taken; returns where those of each street end, ``int64[4]``."""
    ends = np.zeros(4, np.int64)
    work = lanes.state[:1].copy()
    for j in range(n):
        i, m, d = due.lane[j], lanes.done[due.lane[j]], lanes.deal[due.lane[j]]
        s, r = lanes.state[i], lanes.rows[i, m]
        if lanes.acted[i, me] == 0 or s["folded"][me] != 0:
            continue
        p, street, many = r["position"], r["street"], ends[3]
        pot = np.float64(max(r["pot"], 1))
        chance, x = faced.chance[many], faced.x[many]
        start, hand, spread = due.start[j], due.hand[j], deals.spread[d]
        chances_kernel(lanes.rows[i], m, ways, due.logits[j], due.legal[j], start, hand, spread, chance)
        x[:PUBLIC_SIZE] = due.public[j]
        x[PUBLIC_SIZE:_CHANCES] = 0.0
        own = x[PUBLIC_SIZE:_OWN]
        _cards(s, deals, d, me, p, own)
        own[9] = (s["total"][me] + s["ante"][me]) / pot
        own[10] = np.log2(1.0 + s["stack"][me] / pot) / 4.0
        own[11] = (s["top"] - s["total"][me]) / pot
        own[12] = r["leader"] == me
        own[13] = r["aggressor"] == me
        own[14] = me > p
        x[_CHANCES:_HAND] = chance
        if street > 0:
            features_kernel(boards, scratch, deals, d, street, me, s["folded"])
            x[_HAND:_OWN] = deals.features[d, street - 1, me, :14]
            x[_OWN:] = hand
        else:
            x[_HAND : _HAND + 7] = ways.preflop[COMBO_CLASS[deals.combo[d, me]]]
            x[_HAND + 7 : _OWN] = ways.preflop[start]
        _surely(s, spec, r, me, work, faced.sure[many])
        faced.column[many] = drawn_kernel(chance, dice_kernel(seed, first + d, p, 32 * lanes.acted[i, p]))
        faced.pot[many] = pot
        faced.lane[many] = i
        ends[street:] += 1
    return ends


@kernel
def luck_kernel(worth, faced, begin, luck):
    """Add to ``luck`` ``float64[lanes]`` the luck of decisions from number ``begin`` on, whose actions are worth
    ``worth`` ``float32[n, 9]`` where it is not sure."""
    for j in range(begin, begin + worth.shape[0]):
        for c in range(ACTION_CLASSES):
            share = (c == faced.column[j]) - faced.chance[j, c]
            sure = faced.sure[j, c]
            luck[faced.lane[j]] += share * faced.pot[j] * (worth[j - begin, c] if np.isnan(sure) else sure)
