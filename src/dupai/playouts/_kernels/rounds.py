"""Rounds of play-outs: in each all hands in play take one decision."""

import numpy as np

from dupai.base import kernel, uncounted_kernel
from dupai.cards import COMBO_CLASS
from dupai.playouts._kernels.deals import dice_kernel, features_kernel
from dupai.playouts._kernels.situations import situation_kernel, size_situation_kernel
from dupai.playouts._layout import ROWS, SPARE
from dupai.reading.features import legal_classes_kernel, public_features_kernel
from dupai.rules import CALL, FOLD, RAISE, settle_kernel
from dupai.spots import BIG_BLIND, SMALL_BLIND, did_kernel, raise_to_kernel, spot_kernel

#: Sizes of the native classes of raises.
_USUAL = np.array([0.25, 0.5, 0.75, 1.0, 1.6, 3.0])
_OPEN = np.array([0, 3, 4, 5])
#: An action rarer than this is left out.
_RARE = 1e-4
_ROOT12 = np.sqrt(12.0)


@kernel
def begin_lanes_kernel(lanes, deals, spec, state, track, rows, done, per_deal):
    """Set all lanes to where the play-outs begin; lane ``i`` has the cards of deal ``i // per_deal``, whose state and
    track it begins with where there is one for each deal. A hand that is over is settled."""
    for i in range(lanes.deal.size):
        d = i // per_deal
        lanes.state[i] = state[d % state.size]
        lanes.track[i] = track[d % track.size]
        for k in range(done):
            lanes.rows[i, k] = rows[k]
        lanes.done[i] = done
        lanes.acted[i] = 0
        lanes.deal[i] = d
        for p in range(10):
            lanes.state[i]["hole"][p, 0] = deals.hole[d, p, 0]
            lanes.state[i]["hole"][p, 1] = deals.hole[d, p, 1]
        for k in range(5):
            lanes.state[i]["board"][k] = deals.board[d, k]
        if lanes.state[i]["finished"] != 0:
            settle_kernel(lanes.state[i : i + 1], spec, lanes.payoffs[i])


@kernel
def act_kernel(lanes, i, spec, kind, to):
    """Play an action in lane ``i``, whose due row is written; a hand that is over is settled."""
    s = lanes.state[i : i + 1]
    p = s[0]["actor"]
    did_kernel(s, spec, lanes.track[i : i + 1], lanes.rows[i], lanes.done[i], kind, to)
    lanes.done[i] += 1
    lanes.acted[i, p] += 1
    if s[0]["finished"] != 0:
        settle_kernel(s, spec, lanes.payoffs[i])


@kernel
def first_kernel(lanes, spec, kinds, totals, wanted):
    """Play the actions that are compared: in lane ``i`` number ``wanted[i % wanted.size]``."""
    for i in range(lanes.deal.size):
        a = wanted[i % wanted.size]
        spot_kernel(lanes.state[i : i + 1], spec, lanes.track[i : i + 1], lanes.rows[i], lanes.done[i])
        act_kernel(lanes, i, spec, kinds[a], totals[a])


@kernel
def order_kernel(lanes, active, group, counts, out, me):
    """Sort the lanes in which somebody is to act by street and by population.

    Args:
        active: ``int64[n]``: lanes; those that are over are left out.
        group: ``int64[10]``: population by position.
        counts: ``int64[4 * groups]``, filled: how many lanes of each, street by street.
        out: ``int64[n]``, filled.
        me: lanes in which this position has folded are left out as well; -1: none.
    """
    counts[:] = 0
    groups = counts.size // 4
    for i in active:
        h = lanes.state[i]
        if h["finished"] == 0 and (me < 0 or h["folded"][me] == 0):
            counts[groups * h["street"] + group[h["actor"]]] += 1
    place = np.empty(counts.size, np.int64)
    n = np.int64(0)
    for k in range(counts.size):
        place[k] = n
        n += counts[k]
    for i in active:
        h = lanes.state[i]
        if h["finished"] == 0 and (me < 0 or h["folded"][me] == 0):
            k = groups * h["street"] + group[h["actor"]]
            out[place[k]] = i
            place[k] += 1
    return n


@kernel
def due_kernel(lanes, deals, table, scratch, spec, limit, due, begin, end):
    """Write what the networks need of the decisions ``begin`` to ``end`` of ``due`` (:class:`Round`)."""
    for j in range(begin, end):
        i = due.lane[j]
        s = lanes.state[i : i + 1]
        d = lanes.deal[i]
        m = lanes.done[i]
        rows = lanes.rows[i]
        spot_kernel(s, spec, lanes.track[i : i + 1], rows, m)
        street = rows[m]["street"]
        p = rows[m]["position"]
        public_features_kernel(rows, m, limit, deals.board[d], _OPEN[street], due.public[j])
        legal_classes_kernel(rows, m, limit, due.legal[j])
        if m >= ROWS - SPARE:
            due.legal[j, 2:] = False
        if street == 0:
            due.start[j] = COMBO_CLASS[deals.combo[d, p]]
        else:
            features_kernel(table, scratch, deals, d, street, p, s[0]["folded"])
            for k in range(due.hand.shape[1]):
                due.hand[j, k] = deals.features[d, street - 1, p, k]


@uncounted_kernel
def _kind_of(rows, m):
    """The kind of a decision, as :meth:`dupai.reading.model.Habits.kind` has it."""
    r = rows[m]
    if r["street"] == 0:
        blinds = r["position_class"] == SMALL_BLIND or r["position_class"] == BIG_BLIND
        return min(r["raises"], 2) + (3 if blinds else 0)
    return 6 + 2 * (r["street"] - 1) + (1 if r["to_call"] > 0 else 0)


@kernel
def _personal(x, rows, m, p, ways, start, hand, spread):
    """Add to logits ``x`` what the habits of the player at position ``p`` say."""
    kind = _kind_of(rows, m)
    traits = np.ones(7)
    many = 7
    if rows[m]["street"] == 0:
        for f in range(7):
            traits[f] = ways.preflop[start, f]
    else:
        many = 4
        percentile = 0.0
        for k in range(8):
            percentile += hand[6 + k] * k / 7.0
        strength = (percentile - 0.5) * _ROOT12
        traits[1] = strength
        traits[2] = strength * strength - 1.0
        street = rows[m]["street"]
        traits[3] = 0.0
        if street < 3 and spread[street - 1, 1] > 1e-4:
            traits[3] = (hand[3] - spread[street - 1, 0]) / spread[street - 1, 1]
    for f in range(many):
        for c in range(9):
            x[c] += traits[f] * ways.adds[p, kind, f, c]


@kernel
def chances_kernel(rows, m, ways, logits, legal, start, hand, spread, out):
    """The probability of each native class of the decision of row ``m``, ``out`` ``float64[9]``."""
    p = rows[m]["position"]
    shift = ways.shift[p, situation_kernel(rows, m)]
    for c in range(9):
        out[c] = logits[c] + shift[c]
    if ways.personal[p]:
        _personal(out, rows, m, p, ways, start, hand, spread)
    top = -np.inf
    for c in range(9):
        if legal[c]:
            top = max(top, out[c])
    for again in range(2):
        total = 0.0
        for c in range(9):
            if again == 0:
                out[c] = np.exp(out[c] - top) if legal[c] else 0.0
            elif out[c] < _RARE:
                out[c] = 0.0
            total += out[c]
        for c in range(9):
            out[c] /= total


@kernel
def drawn_kernel(chance, u):
    """The class that a number ``u`` of [0, 1) draws from the chances of all."""
    column = np.int64(1)
    for c in range(9):
        if chance[c] > 0.0:
            column = np.int64(c)
            u -= chance[c]
            if u < 0.0:
                break
    return column


@kernel
def choose_kernel(lanes, deals, spec, limit, ways, seed, first, due, n):
    """Draw the actions of a round and play them.

    Args:
        first: number of the first deal.
        due: :class:`Round` with its logits; n: how many decisions.
    """
    chance = np.empty(9)
    for j in range(n):
        i = due.lane[j]
        d = lanes.deal[i]
        m = lanes.done[i]
        rows = lanes.rows[i]
        r = rows[m]
        p = r["position"]
        chances_kernel(rows, m, ways, due.logits[j], due.legal[j], due.start[j], due.hand[j], deals.spread[d], chance)
        throw = 32 * lanes.acted[i, p]
        column = drawn_kernel(chance, dice_kernel(seed, first + d, p, throw))
        kind = np.int64(CALL)
        to = np.int64(0)
        if column == 0:
            kind = np.int64(FOLD)
        elif column > 1:
            kind = np.int64(RAISE)
            if limit:
                to = r["min_to"]
            elif column == 8:
                to = r["max_to"]
            else:
                at = size_situation_kernel(rows, m)
                many = ways.many[p, at, column - 2]
                size = _USUAL[column - 2]
                if many > 0:
                    pick = np.int64(dice_kernel(seed, first + d, p, throw + 1) * many)
                    size = ways.sizes[p, at, column - 2, pick]
                # A size that is not the all-in stays below it.
                most = max(r["max_to"] - 1, r["min_to"])
                called = r["total"] + r["to_call"]
                to = raise_to_kernel(size, called, r["pot"] + r["to_call"], r["min_to"], most, False)
        act_kernel(lanes, i, spec, kind, to)


@kernel
def rows_kernel(lanes, out):
    """The rows of all lanes one after another into ``out``."""
    n = np.int64(0)
    for i in range(lanes.done.size):
        for k in range(lanes.done[i]):
            out[n] = lanes.rows[i, k]
            n += 1
