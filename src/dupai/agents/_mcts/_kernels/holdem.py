"""Simulations of hold'em through the rules' own kernels."""

import math

import numpy as np

from dupai.agents._kernels import winnable_kernel
from dupai.agents._mcts._kernels.draw import deal_kernel, draw_hands_kernel, open_kernel, rate_kernel, seen_mask_kernel
from dupai.agents._mcts._kernels.tree import (
    add_kernel,
    back_up_kernel,
    decide_kernel,
    find_kernel,
    nearest_kernel,
    nth_kernel,
    sure_kernel,
)
from dupai.agents._mcts._layout import BOARDS, CHANCE, DECISION, EFFECTIVE, LEAF, LOOK, ODDS, OPPONENT, PLAY, POTENTIAL
from dupai.base import next_below, next_uniform, uncounted_kernel
from dupai.cards import CARD_MASK, COMBO_MASK
from dupai.cards.kernels import strength_kernel
from dupai.reading.bucket import SIZE_EDGES, facing_class_kernel
from dupai.rules import CALL, FOLD, RAISE, apply_kernel, legal_kernel, settle_kernel
from dupai.spots import raise_to_kernel, size_class_kernel

_LIMIT = 1  # the field "betting" of SPEC_DTYPE


@uncounted_kernel(forceinline=True)
def choices_kernel(s, spec, sizes, can_fold, codes):
    """The actions that the search distinguishes, into ``codes`` (kind + 4 * total): check or call, raises from small to
    large, fold. Returns how many. A size is a fraction of the pot after the call, moved to the nearest legal one; inf:
    all-in, or in limit games the one size. Without sizes there are no raises."""
    h = s[0]
    fold, to_call, min_to, max_to = legal_kernel(s, spec)
    codes[0] = CALL
    n = np.int64(1)
    if max_to > 0 and sizes.size > 0:
        if min_to == max_to:
            codes[n] = RAISE + 4 * max_to
            n += 1
        else:
            after = h["total"][h["actor"]] + to_call
            pot = winnable_kernel(s) + to_call
            last = np.int64(0)
            for k in range(sizes.size):
                to = raise_to_kernel(sizes[k], after, pot, min_to, max_to, False)
                if to != last:
                    codes[n] = RAISE + 4 * to
                    n += 1
                    last = to
    if fold != 0 and can_fold:
        codes[n] = FOLD
        n += 1
    return n


@uncounted_kernel(forceinline=True)
def facing_kernel(s, spec, to_call):
    """The class of what a decision faces, as the bucket model knows it."""
    h = s[0]
    limit = spec[0]["betting"] == _LIMIT
    return facing_class_kernel(limit, h["street"], h["raises"], to_call, winnable_kernel(s))


@uncounted_kernel(forceinline=True)
def _bucket(plan, work, table, p):
    """Bucket of the hand of ``p`` on this street, computed once."""
    h = work.s[0]
    street = h["street"]
    if work.seen[p] == street:
        return work.bucket[p]
    work.seen[p] = street
    if street == 0:
        b = plan.groups[work.combo[p]]
    else:
        rate = rate_kernel(table, work.tags, work.rates, h["hole"][p, 0], h["hole"][p, 1], h["board"], street)
        b = min(np.int64(rate * plan.tables.shape[3]), np.int64(plan.tables.shape[3] - 1))
    work.bucket[p] = b
    return b


@uncounted_kernel(forceinline=True)
def _last_word(plan, work):
    """Whether the opponent to act folds or calls an all-in, which ends the betting: both answers are then weighed by
    the model instead of one being drawn. Ask only if ``plan.rules.weighed``: in the loops of other searches the
    question would cost a tenth of their speed."""
    h = work.s[0]
    return h["able"] == 1 and h["live"] == 2 and h["finished"] == 0 and h["actor"] != plan.how.me


@uncounted_kernel(forceinline=True)
def _kind_by_model(plan, work, table, rng_state):
    """FOLD, CALL or RAISE of the opponent to act, drawn from the model with the hand that it holds."""
    h = work.s[0]
    p = h["actor"]
    _, to_call, _, max_to = legal_kernel(work.s, plan.spec)
    facing = facing_kernel(work.s, plan.spec, to_call)
    row = plan.tables[p, h["street"], facing, _bucket(plan, work, table, p)]
    u = next_uniform(rng_state)
    if to_call > 0 and u < row[0]:
        return np.int64(FOLD)
    if max_to > 0 and u >= 1.0 - row[2]:
        return np.int64(RAISE)
    return np.int64(CALL)


@uncounted_kernel
def _raise_sized(plan, work, table, raises, rng_state):
    """Which of its raises an opponent makes where bets have sizes: the one whose class is nearest to a class drawn from
    the model for its hand."""
    choices_kernel(work.s, plan.spec, plan.sizes, plan.rules.can_fold, work.codes)
    h = work.s[0]
    p = h["actor"]
    _, to_call, _, _ = legal_kernel(work.s, plan.spec)
    row = plan.raises[p, min(h["street"], 1), _bucket(plan, work, table, p)]
    u = next_uniform(rng_state)
    drawn = np.int64(0)
    while drawn < 3 and u >= row[drawn]:
        u -= row[drawn]
        drawn += 1
    best = np.int64(1)
    least = np.int64(9)
    total, stack, pot = h["total"][p], h["stack"][p], winnable_kernel(work.s)
    for k in range(1, raises + 1):
        away = abs(size_class_kernel(work.codes[k] >> 2, total, stack, to_call, pot, SIZE_EDGES) - drawn)
        if away < least:
            least = away
            best = np.int64(k)
    return best


@uncounted_kernel(forceinline=True)
def _raise_by_model(plan, work, table, raises, rng_state):
    """Which of its raises (options from 1 on) an opponent makes: any, or by the model where bets have sizes."""
    if not plan.rules.sized or raises == 1:
        return 1 + next_below(rng_state, raises)
    return _raise_sized(plan, work, table, raises, rng_state)


@uncounted_kernel(forceinline=True)
def _opponent_choice(plan, work, table, options, rng_state):
    """The number of the opponent's action among ``options`` (as ``choices_kernel`` orders them)."""
    if not plan.rules.modelled:
        return next_below(rng_state, options)
    kind = _kind_by_model(plan, work, table, rng_state)
    if kind == CALL:
        return np.int64(0)
    _, to_call, _, _ = legal_kernel(work.s, plan.spec)
    folds = np.int64(1) if to_call > 0 and plan.rules.can_fold else np.int64(0)
    if kind == FOLD:
        return options - 1 if folds else np.int64(0)
    raises = options - 1 - folds
    if raises <= 0:
        return np.int64(0)
    return _raise_by_model(plan, work, table, raises, rng_state)


@uncounted_kernel(forceinline=True)
def _our_playout(plan, work, table, options, rng_state):
    """Our action when played out. Random, without folds to nothing; or by pot odds: fold if the chance to beat
    everybody (that against one random hand to the power of their number) does not pay for the call, raise half the time
    if it is above 0.6."""
    if plan.rules.playout != ODDS:
        return next_below(rng_state, options)
    h = work.s[0]
    p = h["actor"]
    _, to_call, _, max_to = legal_kernel(work.s, plan.spec)
    rate = rate_kernel(table, work.tags, work.rates, h["hole"][p, 0], h["hole"][p, 1], h["board"], h["street"])
    rate = rate ** (h["live"] - 1)
    folds = np.int64(1) if to_call > 0 and plan.rules.can_fold else np.int64(0)
    if folds and rate * (winnable_kernel(work.s) + to_call) < to_call:
        return options - 1
    raises = options - 1 - folds
    if raises > 0 and max_to > 0 and rate > 0.6 and next_uniform(rng_state) < 0.5:
        return 1 + next_below(rng_state, raises)
    return np.int64(0)


@uncounted_kernel(forceinline=True)
def _play_out(plan, work, table, rng_state):
    """Play the hand to its end."""
    h = work.s[0]
    me = plan.how.me
    weighed = plan.rules.weighed
    while h["finished"] == 0:
        if weighed and _last_word(plan, work):
            break
        if h["street"] > 0 and h["board"][h["street"] + 1] >= 52:
            open_kernel(work, h["street"] + 2, rng_state)
        if h["actor"] != me and plan.rules.modelled:
            kind = _kind_by_model(plan, work, table, rng_state)
            if kind == FOLD and not plan.rules.can_fold:
                kind = np.int64(CALL)
            if kind != RAISE:
                apply_kernel(work.s, plan.spec, kind, np.int64(0))
                continue
        n = choices_kernel(work.s, plan.spec, plan.sizes, plan.rules.can_fold, work.codes)
        if h["actor"] == me:
            k = _our_playout(plan, work, table, n, rng_state)
        elif plan.rules.modelled:
            # A raise, of any size.
            _, to_call, _, _ = legal_kernel(work.s, plan.spec)
            raises = n - 1 - (1 if to_call > 0 and plan.rules.can_fold else 0)
            k = np.int64(0) if raises <= 0 else _raise_by_model(plan, work, table, raises, rng_state)
        else:
            k = next_below(rng_state, n)
        code = work.codes[k]
        apply_kernel(work.s, plan.spec, code & 3, code >> 2)


@uncounted_kernel(forceinline=True)
def _chance_key(plan, work, table):
    """The key of the child of a chance node that the cards lead to: the cards, or the class of our win rate on them."""
    h = work.s[0]
    board = h["board"]
    street = h["street"]
    if not plan.rules.exact_cards:
        me = plan.how.me
        rate = rate_kernel(table, work.tags, work.rates, h["hole"][me, 0], h["hole"][me, 1], board, street)
        return min(np.int64(rate * plan.rules.classes), plan.rules.classes - 1)
    if street > 1:
        return np.int64(board[street + 1])
    a = np.int64(board[0])
    b = np.int64(board[1])
    c = np.int64(board[2])
    low = min(min(a, b), c)
    high = max(max(a, b), c)
    return low + 64 * (a + b + c - low - high) + 4096 * high


@uncounted_kernel(forceinline=True)
def _redeal(work, key):
    """Make the cards of this street those of ``key``; False when an opponent holds one of them."""
    h = work.s[0]
    street = h["street"]
    first = np.int64(0) if street == 1 else np.int64(street + 1)
    count = 3 if street == 1 else 1
    for i in range(h["players"]):
        if h["folded"][i] == 0 and h["hole"][i, 0] < 52:
            for k in range(count):
                c = key >> (6 * k) & 63
                if h["hole"][i, 0] == c or h["hole"][i, 1] == c:
                    return False
    for k in range(count):
        work.used[0] &= ~CARD_MASK[h["board"][first + k]]
    for k in range(count):
        h["board"][first + k] = key >> (6 * k) & 63
        work.used[0] |= CARD_MASK[h["board"][first + k]]
    return True


@uncounted_kernel(forceinline=True)
def _chance_child(tree, plan, work, table, node, rng_state):
    """The child of a chance node, and whether it is new; -1: none, and no room or permission for one. There are as many
    children as the visits to the power of the widening; further cards go to the nearest class or, with exact cards,
    are replaced by those of a child."""
    h = work.s[0]
    key = _chance_key(plan, work, table)
    child = find_kernel(tree, node, key)
    if child >= 0:
        return child, False
    children = np.int64(tree.links[node, 3])
    most = math.ceil((tree.visits[node] + 1.0) ** plan.rules.widening)
    if children < most:
        kind = DECISION if h["actor"] == plan.how.me else OPPONENT
        return add_kernel(tree, node, kind, key, np.int64(0)), True
    if not plan.rules.exact_cards:
        return nearest_kernel(tree, node, key), False
    child = nth_kernel(tree, node, next_below(rng_state, children))
    if not _redeal(work, tree.key[child]):
        return np.int64(-1), False
    return child, False


@uncounted_kernel(forceinline=True)
def _reaches(spec, work):
    """How far each player's whole stack reaches, into ``work.payoffs``, as the rules stack chips up to settle a hand:
    antes at the bottom, bets above the largest ante. Whoever could not pay their ante in full reaches no further."""
    h = work.s[0]
    antes = np.int64(0)
    for i in range(h["players"]):
        antes = max(antes, np.int64(h["ante"][i]))
    for i in range(h["players"]):
        short = h["ante"][i] < spec[0]["antes"][i]
        work.payoffs[i] = h["ante"][i] if short else antes + h["total"][i] + h["stack"][i]


@uncounted_kernel
def _share_out(work):
    """What everybody wins, in chips, into ``work.won``, if the pot went to the best of ``strength`` now. Of everybody's
    chips a player can win as many as its own whole stack reaches (``work.payoffs``, see :func:`_reaches`)."""
    h = work.s[0]
    n = h["players"]
    antes = np.int64(0)
    for i in range(n):
        work.won[i] = -np.float64(h["total"][i] + h["ante"][i])
        antes = max(antes, np.int64(h["ante"][i]))
    done = np.int64(0)
    while True:
        # The next smallest reach of a live player; the largest takes everything that is left.
        level = np.int64(-1)
        for i in range(n):
            if h["folded"][i] == 0 and work.payoffs[i] > done:
                level = work.payoffs[i] if level < 0 else min(level, work.payoffs[i])
        if level < 0:
            return
        best = np.int64(0)
        winners = np.int64(0)
        for i in range(n):
            if h["folded"][i] == 0 and work.payoffs[i] >= level:
                if h["strength"][i] > best:
                    best = np.int64(h["strength"][i])
                    winners = np.int64(0)
                winners += 1 if h["strength"][i] == best else 0
        pot = np.int64(0)
        for i in range(n):
            ante, total = np.int64(h["ante"][i]), np.int64(h["total"][i])
            pot += min(ante, level) - min(ante, done)
            pot += max(min(total, level - antes), np.int64(0)) - max(min(total, done - antes), np.int64(0))
        for i in range(n):
            if h["folded"][i] == 0 and work.payoffs[i] >= level and h["strength"][i] == best:
                work.won[i] += pot / winners
        done = level


@uncounted_kernel(forceinline=True)
def _judge(plan, work):
    """Winnings of a hand that is cut off, in chips: the pot to the best hand, as if nobody bet again. Over the
    hands and boards drawn our mean share is Billings's hand strength (ahead now), its potential (ahead on the river) or
    the effective hand strength HS + (1 - HS) PPot (ahead now or on the river)."""
    h = work.s[0]
    me = plan.how.me
    n = h["players"]
    kind = plan.rules.cut_off
    _reaches(plan.spec, work)
    ours = False
    for at in range(2):
        if (at == 0 and kind == POTENTIAL) or (at == 1 and kind != POTENTIAL and (kind != EFFECTIVE or ours)):
            continue
        open_cards = h["street"] + 2 if at == 0 and h["street"] > 0 else 5
        mask = np.uint64(0)
        for k in range(open_cards):
            mask |= CARD_MASK[h["board"][k]]
        best = np.int64(0)
        for i in range(n):
            h["strength"][i] = 0
            if h["folded"][i] == 0:
                h["strength"][i] = strength_kernel(mask | COMBO_MASK[work.combo[i]])
                best = max(best, np.int64(h["strength"][i]))
        ours = h["strength"][me] == best
        if at == 0 and kind == EFFECTIVE and not ours:
            continue
        _share_out(work)
        if ours:
            break


@uncounted_kernel(forceinline=True)
def _show(plan, work, rng_state):
    """Deal the rest of the board and, if hands are drawn at leaves, the hands."""
    open_kernel(work, np.int64(5), rng_state)
    if plan.rules.at_leaf:
        draw_hands_kernel(plan, work, work.used[0], rng_state)


@uncounted_kernel(forceinline=True)
def _settle(plan, work, rng_state):
    """What everybody wins in a finished hand, in big blinds, into ``work.won``."""
    h = work.s[0]
    if h["live"] > 1:
        _show(plan, work, rng_state)
    settle_kernel(work.s, plan.spec, work.payoffs)
    unit = 1.0 / max(plan.spec[0]["big_blind"], 1) / plan.spec[0]["split"]
    for i in range(h["players"]):
        work.won[i] = work.payoffs[i] * unit


# Only for games where bets have sizes, so they are not inlined into the code of the search.
@uncounted_kernel
def _settle_weighed(plan, work, weight, rng_state):
    """Add ``weight`` times what everybody wins in a finished hand, in big blinds, to ``work.won``. An all-in before the
    river is a mean over boards."""
    h = work.s[0]
    boards = np.int64(1)
    first = np.int64(5)
    if h["live"] > 1:
        while first > 0 and h["board"][first - 1] >= 52:
            first -= 1
        if first < 5:
            boards = np.int64(BOARDS)
        _show(plan, work, rng_state)
    unit = weight / max(plan.spec[0]["big_blind"], 1) / plan.spec[0]["split"] / boards
    for board in range(boards):
        if board > 0:
            for k in range(first, 5):
                work.used[0] &= ~CARD_MASK[h["board"][k]]
            for k in range(first, 5):
                h["board"][k] = 255
            open_kernel(work, np.int64(5), rng_state)
        settle_kernel(work.s, plan.spec, work.payoffs)
        for i in range(h["players"]):
            work.won[i] += work.payoffs[i] * unit


@uncounted_kernel
def _result_weighed(plan, work, table, rng_state):
    """Everybody's winnings in big blinds, into ``work.won``, if the hand is finished or an opponent's answer to an
    all-in would finish it."""
    h = work.s[0]
    for i in range(h["players"]):
        work.won[i] = 0.0
    if h["finished"] != 0:
        _settle_weighed(plan, work, 1.0, rng_state)
        return
    p = h["actor"]
    _, to_call, _, _ = legal_kernel(work.s, plan.spec)
    facing = facing_kernel(work.s, plan.spec, to_call)
    folds = plan.tables[p, h["street"], facing, _bucket(plan, work, table, p), 0]
    if to_call == 0 or not plan.rules.can_fold:
        folds = 0.0
    work.backup[0] = work.s[0]
    if folds > 0.0:
        apply_kernel(work.s, plan.spec, np.int64(FOLD), np.int64(0))
        _settle_weighed(plan, work, folds, rng_state)
        work.s[0] = work.backup[0]
    apply_kernel(work.s, plan.spec, np.int64(CALL), np.int64(0))
    _settle_weighed(plan, work, 1.0 - folds, rng_state)


@uncounted_kernel(forceinline=True)
def _result(plan, work, table, rng_state):
    """What everybody wins, in big blinds, into ``work.won``."""
    h = work.s[0]
    if plan.rules.weighed and (h["finished"] != 0 or _last_word(plan, work)):
        _result_weighed(plan, work, table, rng_state)
    elif h["finished"] != 0:
        _settle(plan, work, rng_state)
    else:
        _show(plan, work, rng_state)
        _judge(plan, work)
        unit = 1.0 / max(plan.spec[0]["big_blind"], 1)
        for i in range(h["players"]):
            work.won[i] *= unit


@uncounted_kernel(forceinline=True)
def _descend(tree, plan, work, table, rng_state):
    """Follow the tree to its end, and one new node; returns the depth (nodes are in ``work.path``)."""
    h = work.s[0]
    me = plan.how.me
    depth = np.int64(0)
    weighed = plan.rules.weighed
    node = np.int64(0)
    work.path[0] = 0
    new = False
    while not new and tree.kind[node] != LEAF and depth + 1 < work.path.size:
        kind = tree.kind[node]
        if weighed and kind == OPPONENT and _last_word(plan, work):
            break
        if kind == CHANCE:
            open_kernel(work, h["street"] + 2, rng_state)
            child, new = _chance_child(tree, plan, work, table, node, rng_state)
            if child < 0:
                break
        else:
            options = np.int64(tree.options[node])
            if options == 0:
                options = choices_kernel(work.s, plan.spec, plan.sizes, plan.rules.can_fold, work.codes)
                tree.options[node] = options
            if kind == OPPONENT:
                index = _opponent_choice(plan, work, table, options, rng_state)
                child = find_kernel(tree, node, index)
            else:
                child, index = decide_kernel(tree, node, options, plan.how, rng_state)
            if child >= 0:
                code = tree.action[child]
            else:
                choices_kernel(work.s, plan.spec, plan.sizes, plan.rules.can_fold, work.codes)
                code = work.codes[index]
            street = h["street"]
            apply_kernel(work.s, plan.spec, code & 3, code >> 2)
            if child < 0:
                new = True
                after = DECISION if h["actor"] == me else OPPONENT
                if h["finished"] != 0:
                    after = LEAF
                elif h["street"] != street:
                    after = CHANCE
                child = add_kernel(tree, node, after, index, code)
                if child < 0:
                    break
        node = child
        depth += 1
        work.path[depth] = node
    return depth


@uncounted_kernel
def search_kernel(tree, plan, work, table, simulations, after, rng_state):
    """Simulations from the root: draw, follow the tree, grow it by a node, play out or judge, back up. Returns how many
    were done. ``after`` is how many more follow in later slices; -1: always do all. Otherwise the search ends once the
    rest cannot change the most visited action (checked when a multiple of ``LOOK`` of all is left, so that slices do
    not matter)."""
    h = work.s[0]
    seen = seen_mask_kernel(plan)
    for done in range(simulations):
        if after >= 0 and (simulations - done + after) % LOOK == 0 and sure_kernel(tree, simulations - done + after):
            return np.int64(done)
        deal_kernel(plan, work, seen, rng_state)
        for i in range(h["players"]):
            work.seen[i] = -1
        depth = _descend(tree, plan, work, table, rng_state)
        if plan.rules.cut_off == PLAY:
            _play_out(plan, work, table, rng_state)
        _result(plan, work, table, rng_state)
        back_up_kernel(tree, work.path, depth, work.won, plan.how)
    return np.int64(simulations)


@uncounted_kernel
def follow_kernel(tree, plan, work, table, code, street, node):
    """The child of ``node`` that a real action led to on ``street``, or (``code`` -1) the cards dealt for the street of
    ``work.s``; -1: there is none."""
    if code < 0:
        return find_kernel(tree, node, _chance_key(plan, work, table))
    child = np.int64(tree.links[node, 1])
    while child >= 0 and tree.action[child] != code:
        child = np.int64(tree.links[child, 2])
    return child
