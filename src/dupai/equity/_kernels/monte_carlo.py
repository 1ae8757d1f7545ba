"""Monte Carlo equity: hands drawn jointly; boards dealt from a deck that is never put back in order, or card by card.

Positions in the deck are drawn three at a time from 32 random bits, without bias: N. Brackett-Rozinsky, D. Lemire,
"Batched ranged random integer generation", Software: Practice and Experience 55 (2025), algorithm 3. With 32 bits the
product of the three bounds (at most 132,600) is small enough for a redraw to be needed once in 32,000 times.

A deck holds *words*: the evaluator's key of a card with the card's number in bits that a key leaves free (sums of seven
stay below the rank key), so that one array serves for summing keys and, when there is a flush, for finding the cards.
"""

from typing import NamedTuple

import numpy as np

from dupai.base import kernel, next_below, next_word
from dupai.cards import CARD_MASK
from dupai.cards.kernels import CARD_KEY, EMPTY_KEY, FLUSH_FLAGS, flush_strength_kernel, rank_strength_kernel

_CARD_SHIFT, _CARD_BITS = np.uint64(20), np.uint64(63)
#: ``uint64[52]``: the word of each card.
CARD_WORD = CARD_KEY + (np.arange(52, dtype=np.uint64) << _CARD_SHIFT)
CARD_WORD.flags.writeable = False
_ZERO, _ONE, _TWO, _S32 = (np.uint64(n) for n in (0, 1, 2, 32))
_LOW32, _2_32 = np.uint64(0xFFFFFFFF), np.uint64(1 << 32)
#: Draws for each block that is drawn again: errors are some five percent above those of independent deals.
_REDRAWS = 2


class Draws(NamedTuple):
    """A situation as the kernels take it. *Words* are the evaluator's keys with card numbers (see above).

    * ``order`` ``int64[n]``: the player at each place: first ``fixed`` with known cards, then those of the blocks, then
      those with random hands;
    * ``hole`` ``uint64[2n]``: words of the known hands, scratch for the others;
    * ``block`` ``int64[blocks, 4]``: entries, players, first entry and first word of each block;
    * ``entry_words``: words of all entries, two for each player of the block; ``entry_mask``: their cards as masks;
    * ``threshold`` ``uint64``, ``alias`` ``int64``: alias tables: entry i stands if 32 random bits are below
      ``threshold[i]``, else ``alias[i]``;
    * ``deck`` ``uint64[52]``: words of the cards that are neither dead, on the board nor in a known hand; the first
      ``n_deck`` count; ``board`` ``uint64[5]``: words of the board, the first ``n_board`` count.
    """

    order: np.ndarray
    fixed: int
    hole: np.ndarray
    block: np.ndarray
    entry_words: np.ndarray
    entry_mask: np.ndarray
    threshold: np.ndarray
    alias: np.ndarray
    deck: np.ndarray
    n_deck: int
    board: np.ndarray
    n_board: int


@kernel
def _three(bits, n0, n1, n2, state):
    """Three places, below ``n0``, ``n1`` and ``n2``, from 32 random bits."""
    bound = n0 * n1 * n2
    while True:
        m = bits * n0
        a = m >> _S32
        m = (m & _LOW32) * n1
        b = m >> _S32
        m = (m & _LOW32) * n2
        low = m & _LOW32
        # The second look costs a division; the first nearly always decides.
        if low >= bound or low >= (_2_32 - bound) % bound:
            return a, b, m >> _S32
        bits = next_word(state) >> _S32


@kernel
def shuffle_kernel(deck, n_deck, start, stop, state):
    """Put a fresh random sample, in random order, into the places ``start`` to ``stop`` of ``deck``.

    Partial Fisher-Yates, three places at a time: up to two places more than asked for may be filled.

    Returns:
        The first place that was not filled.
    """
    i = start
    bits = _ZERO
    odd = False
    while i < stop:
        n = n_deck - i
        if n < 3:
            j = i + next_below(state, n)
            deck[i], deck[j] = deck[j], deck[i]
            i += 1
            continue
        bits = bits & _LOW32 if odd else next_word(state)
        n0 = np.uint64(n)
        a, b, c = _three(bits if odd else bits >> _S32, n0, n0 - _ONE, n0 - _TWO, state)
        odd = not odd
        place = np.uint64(i)
        j = place + a
        deck[i], deck[j] = deck[j], deck[i]
        j = place + _ONE + b
        deck[i + 1], deck[j] = deck[j], deck[i + 1]
        j = place + _TWO + c
        deck[i + 2], deck[j] = deck[j], deck[i + 2]
        i += 3
    return i


@kernel(forceinline=True)
def best_kernel(strength, player, best, winners):
    """The best strength and the bit set of its holders, once a player's strength counts too."""
    keep = np.int64(strength > best) - 1
    return max(best, strength), (winners & keep) | (np.int64(strength >= best) << player)


@kernel
def _mask(word):
    return CARD_MASK[(word >> _CARD_SHIFT) & _CARD_BITS]


@kernel
def _strength(key, u, v, b0, b1, b2, b3, b4):
    """Strength of a hand: the key of all seven cards, words of the hole cards and of the board (for flushes only)."""
    if key & FLUSH_FLAGS == _ZERO:
        return np.int64(rank_strength_kernel(key))
    mask = _mask(u) | _mask(v) | _mask(b0) | _mask(b1) | _mask(b2) | _mask(b3) | _mask(b4)
    return np.int64(flush_strength_kernel(mask))


@kernel
def alias_kernel(scaled, threshold, alias):
    """Walker's alias table by Vose's construction, for weights of mean 1 (``float64[m]``, used up).

    M. D. Vose, "A linear algorithm for generating random numbers with a given distribution", IEEE TSE 17 (1991).
    """
    m = scaled.size
    stack = np.empty(m, np.int64)
    small = 0
    large = m
    for i in range(m):
        threshold[i] = _2_32
        alias[i] = i
        if scaled[i] < 1.0:
            stack[small] = i
            small += 1
        else:
            large -= 1
            stack[large] = i
    # the small ones lie at the low end of the stack, the large ones at the high end
    while small > 0 and large < m:
        small -= 1
        i = stack[small]
        j = stack[large]
        threshold[i] = np.uint64(round(scaled[i] * 4294967296.0))
        alias[i] = j
        scaled[j] -= 1.0 - scaled[i]
        if scaled[j] < 1.0:
            large += 1
            stack[small] = j
            small += 1


@kernel
def random_deals_kernel(draws, trials, state, hist):
    """Trials in which every player holds known or uniformly random cards: adds to ``hist[winners]`` (``int64[2**n]``).

    Args:
        draws: :class:`Draws` without blocks; its deck stays shuffled.
        state: ``uint64[4]``, the random numbers.
    """
    n, fixed, hole, deck, n_deck = draws.order.size, draws.fixed, draws.hole, draws.deck, draws.n_deck
    board_key, n_board = draws.board, draws.n_board
    cards = 5 - n_board
    need = cards + 2 * (n - fixed)
    board = np.empty(5, np.uint64)
    known = EMPTY_KEY
    for k in range(n_board):
        board[k] = board_key[k]
        known += board_key[k]
    for _ in range(trials):
        shuffle_kernel(deck, n_deck, 0, need, state)
        key = known
        for k in range(cards):
            key += deck[k]
            board[n_board + k] = deck[k]
        best = 0
        winners = 0
        at = cards
        for p in range(n):
            if p < fixed:
                u = hole[2 * p]
                v = hole[2 * p + 1]
            else:
                u = deck[at]
                v = deck[at + 1]
                at += 2
            s = _strength(key + u + v, u, v, board[0], board[1], board[2], board[3], board[4])
            best, winners = best_kernel(s, p, best, winners)
        hist[winners] += 1


@kernel(inline="always")
def _entry(size, first, threshold, alias, state):
    """One of ``size`` entries from ``first`` on, by their weights."""
    bound, start = np.uint64(size), np.uint64(first)
    word = next_word(state)
    product = (word >> _S32) * bound
    if product & _LOW32 < bound:
        low = (_2_32 - bound) % bound
        while product & _LOW32 < low:
            word = next_word(state)
            product = (word >> _S32) * bound
    drawn = (product >> _S32) + start
    other = np.uint64(alias[drawn]) + start  # read in any case: which of the two it is cannot be predicted
    return other if word & _LOW32 >= threshold[drawn] else drawn


@kernel
def _end_run(share, length, moments):
    """Add a run of ``length`` trials to ``moments`` (``float64[3, n]``), and clear the players' shares in it.

    Row 0: squares of the players' shares; row 1: shares times length; row 2: square of the length, and 1.
    """
    for p in range(share.size):
        moments[0, p] += share[p] * share[p]
        moments[1, p] += share[p] * length
        share[p] = 0.0
    moments[2, 0] += length * length
    moments[2, 1] += 1.0


@kernel
def range_deals_kernel(draws, trials, tries, run, state, hist, moments):
    """Trials with weighted ranges; adds to ``hist[winners]`` (``int64[2**n]``) and returns the number of trials made.

    The players' hands are drawn independently, each by its weights, and all of them are drawn again when a card comes
    twice: so every deal has the probability that is proportional to the product of its weights, whatever the order of
    the players. Narrow ranges that clash often are drawn from the list of their joint deals (a *block* of players).

    Where most draws clash, trials come in runs, and only the first trial of a run is drawn like this. For each further
    one half of the blocks, in turn, are drawn again beside the hands that the others hold (a Gibbs sampler): the first
    of some draws that fits is taken, and if none fits the hands stay. How likely that is depends on the other blocks
    only, so this keeps the distribution: every trial has it exactly, and runs are independent of each other.

    Players with uniformly random hands draw from the deck after the others, which is the same distribution, since
    every deal of the others leaves them equally many hands. The deck is not shuffled here: a place is drawn from all of
    it, and drawn again where its card is held; few are, and nothing has to be moved.

    Args:
        draws: :class:`Draws`; the words of unknown hands are scratch.
        trials: how many to make; ``tries`` limits the draws of all hands; ``run``: trials of a run (1: no runs).
        state: ``uint64[4]``, the random numbers.
        moments: ``float64[3, n]``, added to by :func:`_end_run` at the end of each run, and of the trials.
    """
    # Long because it is one loop over trials: helpers that take the arrays would keep counting references in it.
    players, fixed, hole, deck, n_deck = draws.order.size, draws.fixed, draws.hole, draws.deck, draws.n_deck
    block, entry_words, entry_mask = draws.block, draws.entry_words, draws.entry_mask
    threshold, alias, board_key, n_board = draws.threshold, draws.alias, draws.board, draws.n_board
    blocks = block.shape[0]
    ranged = fixed
    for b in range(blocks):
        ranged += block[b, 1]
    need = np.uint64(5 + 2 * (players - ranged))
    drawn = np.empty(need + 5, np.uint64)  # the board and the random hands
    for k in range(n_board):
        drawn[k] = board_key[k]
    live = np.uint64(n_deck)
    deck_mask = np.zeros(52, np.uint64)
    for k in range(n_deck):
        deck_mask[k] = _mask(deck[k])
    held, entries = np.zeros(blocks, np.uint64), np.zeros(blocks, np.uint64)
    moves = (blocks + 1) // 2
    share = np.zeros(players)
    done = 0
    length = 0  # trials of this run
    while done < trials:
        if length == 0:
            if tries == 0:
                break
            tries -= 1
            dealt = _ZERO
            turn = 0
            clash = False
            for b in range(blocks):
                entry = _entry(block[b, 0], block[b, 2], threshold, alias, state)
                mask = entry_mask[entry]
                if mask & dealt != _ZERO:
                    clash = True
                    break
                dealt |= mask
                held[b] = mask
                entries[b] = entry
            if clash:
                continue
        else:
            for _ in range(moves):
                turn = turn + 1 if turn + 1 < blocks else 0
                b = turn
                dealt ^= held[b]
                for _ in range(_REDRAWS):
                    entry = _entry(block[b, 0], block[b, 2], threshold, alias, state)
                    if entry_mask[entry] & dealt == _ZERO:
                        held[b] = entry_mask[entry]
                        entries[b] = entry
                        break
                dealt |= held[b]
        to = 2 * fixed
        for b in range(blocks):
            width = 2 * block[b, 1]
            source = np.uint64(block[b, 3]) + (entries[b] - np.uint64(block[b, 2])) * np.uint64(width)
            hole[to] = entry_words[source]
            hole[to + 1] = entry_words[source + _ONE]
            for k in range(2, width):
                hole[to + k] = entry_words[source + np.uint64(k)]
            to += width
        done += 1
        length += 1
        used = dealt
        got = np.uint64(n_board)
        while got < need:
            x, y, z = _three(next_word(state) >> _S32, live, live, live, state)
            # without branches: which of the cards are held cannot be predicted
            for place in (x, y, z):
                drawn[got] = deck[place]
                got += np.uint64(deck_mask[place] & used == _ZERO)
                used |= deck_mask[place]
        b0, b1, b2, b3, b4 = drawn[0], drawn[1], drawn[2], drawn[3], drawn[4]
        key = EMPTY_KEY + b0 + b1 + b2 + b3 + b4
        for k in range(2 * (players - ranged)):
            hole[2 * ranged + k] = drawn[5 + k]
        best = 0
        winners = 0
        for p in range(players):
            u = hole[2 * p]
            v = hole[2 * p + 1]
            s = _strength(key + u + v, u, v, b0, b1, b2, b3, b4)
            best, winners = best_kernel(s, p, best, winners)
        hist[winners] += 1
        if run == 1:
            length = 0
            continue
        sharing = 0
        for p in range(players):
            sharing += winners >> p & 1
        for p in range(players):
            share[p] += (winners >> p & 1) / sharing
        if length == run or done == trials:
            _end_run(share, length, moments)
            length = 0
    return done


@kernel
def multiway_win_rate_kernel(hole0, hole1, board, n_board, opponents, deals, rng_state):
    """Share of the pot that a hand wins against uniformly random hands, by dealing out the rest.

    *Programming Poker AI*, "Hand strength": a deal scores 1 / (number of players sharing the best hand) if ours is
    best, and the strength is the mean. 1,000 deals take about 0.05 ms.

    Args:
        hole0, hole1: our cards.
        board: ``uint8[5]``, the first ``n_board`` cards count.
        opponents: 1 to 9 (more cards than the deck holds are the caller's mistake).
        deals: how many to make.
        rng_state: ``uint64[4]`` of an :class:`dupai.base.Rng`; advances.

    Returns:
        The mean score, in [0, 1]; its standard error is at most ``0.5 / sqrt(deals)``.
    """
    mine0 = CARD_WORD[hole0]
    mine1 = CARD_WORD[hole1]
    gone = CARD_MASK[hole0] | CARD_MASK[hole1]
    known = EMPTY_KEY
    full = np.empty(5, np.uint64)
    for k in range(n_board):
        full[k] = CARD_WORD[board[k]]
        gone |= CARD_MASK[board[k]]
        known += full[k]
    deck = np.empty(52, np.uint64)
    n_deck = 0
    for c in range(52):
        if CARD_MASK[c] & gone == _ZERO:
            deck[n_deck] = CARD_WORD[c]
            n_deck += 1
    cards = 5 - n_board
    score = 0.0
    for _ in range(deals):
        # Opponents draw in turn, and the first who beats us ends the deal.
        filled = shuffle_kernel(deck, n_deck, 0, cards + 2, rng_state)
        key = known
        for k in range(cards):
            key += deck[k]
            full[n_board + k] = deck[k]
        our = _strength(key + mine0 + mine1, mine0, mine1, full[0], full[1], full[2], full[3], full[4])
        sharing = 1
        for p in range(opponents):
            at = cards + 2 * p
            if filled < at + 2:
                filled = shuffle_kernel(deck, n_deck, filled, at + 4, rng_state)
            u = deck[at]
            v = deck[at + 1]
            theirs = _strength(key + u + v, u, v, full[0], full[1], full[2], full[3], full[4])
            if theirs > our:
                sharing = 0
                break
            sharing += 1 if theirs == our else 0
        if sharing > 0:
            score += 1.0 / sharing
    return score / deals
