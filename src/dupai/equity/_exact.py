"""Exact equity: the ways to count it, their costs, and the cheapest of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations
from math import comb, prod
from typing import NamedTuple

import numpy as np

from dupai.base import ConfigError, Progress
from dupai.base.arrays import F64, I16, U8, U64
from dupai.cards import CARD_MASK, CARDS, COMBO_CARDS, COMBO_CLASS, COMBO_MASK, COMBOS, board_array, mask_of
from dupai.cards.kernels import COMBO_PERMUTED
from dupai.equity._kernels import exact, pairs
from dupai.equity._kernels.sweep import sweep_kernel
from dupai.equity._matchups import BOARDS, load_matchups
from dupai.equity._result import EquityResult, drawn_order, shares, slices
from dupai.equity._setup import Setup, cannot_be_dealt

#: Most joint deals that are listed at once (memory: 28 bytes each for six players).
MAX_DEALS = 20_000_000

# Seconds on one 2.6 GHz core, for choosing a way; orders of magnitude are enough.
_SWEEP = {3: 0.006, 4: 0.0004, 5: 0.00005}
_SWEEP_BOARD = 1.5e-5
_MATCHUP = 6e-5
_DEAL = 2.5e-4
_COMPARE = 2.2e-9
_LIST = 2e-8
_RUNOUT = 1e-6
#: Two ranges, for each runout: the runout, a hand, a pair of hands; and for a pair on all of them.
_PLACE, _EVALUATE, _PAIR, _START = 1e-8, 1.6e-9, 1e-10, 4e-9
#: One hand against all others.
_HAND = {3: 0.0012, 4: 6e-5, 5: 2e-6}


class Part(NamedTuple):
    """The result of one slice of the work.

    ``hist`` ``float64[2**n]``: weight of the deals by bit set of winners; ``done``: the share of the whole work that is
    finished with this slice, 1.0 at the end; ``deals``: the number of deals in all.
    """

    hist: F64
    done: float
    deals: int


class Way(NamedTuple):
    """One way to count: the seconds that it takes, about, and the function."""

    seconds: float
    run: Callable[[Setup, Progress], Iterator[Part]]


def exact_way(setup: Setup) -> Way | None:
    """The cheapest way to count the equity of this setup; None when there are too many joint deals to list."""
    n = len(setup.combos)
    if n == 2 and not setup.gone:
        return Way(0.0, _by_table)
    deals = prod(len(c) for c in setup.combos)
    runouts = comb(setup.live, 5 - len(setup.board))
    ways = []
    if n == 2:
        if not setup.dead and len(setup.board) >= 3:
            ways.append(Way(_SWEEP[len(setup.board)], _by_sweep))
            if _known_against_all(setup) is not None:
                ways.append(Way(_HAND[len(setup.board)], _by_hand))
        elif setup.board or setup.live <= 46:
            ways.append(Way(_SWEEP[5] + runouts * _SWEEP_BOARD, _by_runout_sweep))
    if deals <= MAX_DEALS:
        if not setup.board:
            ways.append(Way(deals * (_MATCHUP if n == 2 else _DEAL * n / 2), _by_deals))
        elif n == 2:
            ways.append(Way(runouts * _runout_seconds(setup) + deals * _START, _by_pairs))
        else:
            ways.append(Way(deals * (_LIST + runouts * n * _COMPARE) + runouts * _RUNOUT, _by_runouts))
    return min(ways, key=lambda way: way.seconds, default=None)


def exact_equity(setup: Setup, way: Way | None, progress: Progress) -> EquityResult:
    """Count the equity in a way (the cheapest); stopped early, estimate it from the part that was counted.

    Raises:
        ConfigError: too many joint deals to list, or none.
    """
    if way is None:
        deals = prod(len(c) for c in setup.combos)
        raise ConfigError(
            f"an exact count would list up to {deals:,} joint deals (at most {MAX_DEALS:,}): expected smaller ranges, "
            "or random deals instead"
        )
    n = len(setup.combos)
    parts = list(way.run(setup, progress))
    complete = bool(parts) and parts[-1].done == 1.0
    total = parts[0].hist if len(parts) == 1 else np.sum([part.hist for part in parts], axis=0)
    if np.count_nonzero(total):
        equity, win = shares(total, n)
    elif complete:
        raise cannot_be_dealt(setup)
    else:
        equity = win = np.full(n, np.nan)
    done, deals = parts[-1][1:] if parts else (0.0, 0)
    se = np.zeros(n) if complete else _part_error(np.reshape([part.hist for part in parts], (-1, 1 << n)), equity, done)
    count = round(done * deals)
    return EquityResult(setup.names, equity, win, equity - win, se, count, "exact", setup.board, setup.dead, complete)


def _part_error(hists: F64, equity: F64, done: float) -> F64:
    """Standard error of equity from slices of work taken in a random order; nan for fewer than two.

    A slice of weight w has the variance s**2 / w, all of them together (W) s**2 / W: the mean over k slices of w (own
    equity - equity)**2 is s**2 (k - 1) / k, whatever their sizes. The slices are drawn without replacement, so the
    variance is multiplied by the share of the work that is not done.
    """
    n = len(equity)
    weight = hists[:, 1:].sum(axis=1)
    used = hists[weight > 0]
    weight = weight[weight > 0]
    if len(used) < 2:
        return np.full(n, np.nan)
    off = np.array([shares(h, n)[0] - equity for h in used])
    var: F64 = weight @ off**2 / (len(used) - 1) / weight.sum() * (1 - done)
    return np.sqrt(var)


def _full(setup: Setup, player: int) -> F64:
    weights = np.zeros(COMBOS)
    weights[setup.combos[player]] = setup.weights[player]
    return weights


def _pairs(setup: Setup) -> int:
    """How many ways there are to give two players a hand each (inclusion and exclusion over the shared cards)."""
    a, b = setup.combos
    holding_a, holding_b = (np.bincount(COMBO_CARDS[c].ravel(), minlength=CARDS) for c in (a, b))
    return len(a) * len(b) - int(holding_a @ holding_b) + len(np.intersect1d(a, b, assume_unique=True))


def _two(setup: Setup, win: F64, tie: F64, total: F64, done: float) -> Part:
    """A part from what every hand of the first player meets in the range of the second."""
    own = _full(setup, 0)
    w, t, met = (float(own @ x) for x in (win, tie, total))
    deals = _pairs(setup) * comb(setup.live - 4, 5 - len(setup.board))
    return Part(np.array([0.0, w, max(met - w - t, 0.0), t]), done, deals)


def _by_table(setup: Setup, progress: Progress) -> Iterator[Part]:
    """Two ranges before the flop: all match-ups are in a table."""
    (a, b), (own, other), table = setup.combos, setup.weights, load_matchups()
    *hist, fits = pairs.preflop_pairs_kernel(
        a, own, b, other, COMBO_CLASS, table.to_class, COMBO_PERMUTED, table.win, table.tie
    )
    yield Part(np.array([0.0, *hist]), 1.0, fits * BOARDS)


def _by_sweep(setup: Setup, progress: Progress) -> Iterator[Part]:
    """Two ranges on a board of at least three: every hand of one against the other range, all runouts."""
    win, tie, total = np.empty(COMBOS), np.empty(COMBOS), np.empty(COMBOS)
    board = np.zeros(5, np.uint8)
    board[: len(setup.board)] = setup.board
    sweep_kernel(board, len(setup.board), _full(setup, 1), win, tie, total)
    yield _two(setup, win, tie, total, 1.0)


def _known_against_all(setup: Setup) -> int | None:
    """The player with one known hand where the other may hold every hand, all equally likely; None: it is not so."""
    open_cards = CARDS - len(setup.board)
    for p in range(2):
        others = setup.weights[1 - p]
        if len(setup.combos[p]) == 1 and len(others) == comb(open_cards, 2) and np.ptp(others) == 0:
            return p
    return None


def _by_hand(setup: Setup, progress: Progress) -> Iterator[Part]:
    """A known hand against a uniform one on a board of at least three: the others are counted by their ranks."""
    p = _known_against_all(setup)
    assert p is not None
    a, b = COMBO_CARDS[setup.combos[p][0]]
    win, tie, runouts = pairs.hand_counts_kernel(int(a), int(b), board_array(setup.board), len(setup.board))
    lose = 990 * runouts - win - tie
    weight = float(setup.weights[p][0] * setup.weights[1 - p][0])
    hist = weight * np.array([0, win, lose, tie] if p == 0 else [0, lose, win, tie], np.float64)
    yield Part(hist, 1.0, 990 * runouts)


def _runout_seconds(setup: Setup) -> float:
    m, k = len(setup.combos[0]), len(setup.combos[1])
    return _PLACE + (m + k) * _EVALUATE + m * k * _PAIR


def _by_pairs(setup: Setup, progress: Progress) -> Iterator[Part]:
    """Two ranges on a board: every hand of one against every hand of the other on every runout."""
    (a, b), (own, other) = setup.combos, setup.weights
    gone, dead = np.uint64(setup.gone), np.uint64(mask_of(setup.dead))
    missing = 5 - len(setup.board)
    places = _places(setup.live, missing)
    order = drawn_order(len(places))
    for start, stop in slices(len(places), _runout_seconds(setup), progress):
        *hist, fits = pairs.pairs_kernel(a, own, b, other, gone, dead, places, order, start, stop)
        yield Part(np.array([0.0, *hist]), stop / len(places), fits * comb(setup.live - 4, missing))


@lru_cache
def _places(live: int, missing: int) -> U8:
    """``uint8[r, missing]``: the ways to take some of the live cards, in lexicographic order."""
    places = np.array(list(combinations(range(live), missing)), dtype=np.uint8)
    places.flags.writeable = False
    return places


def _runouts(setup: Setup) -> U8:
    """Everything that may complete the board: ``uint8[r, missing]``."""
    live = np.array([c for c in range(CARDS) if not setup.gone >> (c // 13 * 16 + c % 13) & 1], np.uint8)
    return live[_places(len(live), 5 - len(setup.board))]


def _board_and_runouts(setup: Setup) -> tuple[np.uint64, U64]:
    """The board as a mask, and everything that may complete it: ``uint64[r]``."""
    rest = _runouts(setup)
    runouts = np.bitwise_or.reduce(CARD_MASK[rest], axis=1) if rest.shape[1] else np.zeros(1, np.uint64)
    return np.uint64(mask_of(setup.board)), runouts


def _by_runout_sweep(setup: Setup, progress: Progress) -> Iterator[Part]:
    """Two ranges on a board, with dead cards: one sweep for every full board."""
    rest = _runouts(setup)
    boards = np.concatenate([np.tile(np.array(setup.board, np.uint8), (len(rest), 1)), rest], axis=1)
    weights = _full(setup, 1)
    order = drawn_order(len(boards))
    for start, stop in slices(len(boards), _SWEEP_BOARD, progress):
        sums = np.zeros((3, COMBOS))
        pairs.runout_sweep_kernel(boards, order, start, stop, weights, sums[0], sums[1], sums[2])
        yield _two(setup, sums[0], sums[1], sums[2], stop / len(boards))


def _joint_deals(setup: Setup) -> tuple[I16, F64]:
    """All ways to give every player a hand: places in the players' lists (``int16[m, n]``) and products of weights.

    Raises:
        ConfigError: there is none.
    """
    n = len(setup.combos)
    size = np.array([len(c) for c in setup.combos])
    masks, weights = np.zeros((n, size.max()), np.uint64), np.zeros((n, size.max()))
    for p, combos in enumerate(setup.combos):
        masks[p, : size[p]] = COMBO_MASK[combos]
        weights[p, : size[p]] = setup.weights[p]
    many = exact.joint_deals_kernel(masks, weights, size, np.empty((0, n), np.int16), np.empty(0))
    if not many:
        raise cannot_be_dealt(setup)
    deals, joint = np.empty((many, n), np.int16), np.empty(many)
    exact.joint_deals_kernel(masks, weights, size, deals, joint)
    return deals, joint


def _by_deals(setup: Setup, progress: Progress) -> Iterator[Part]:
    """No board: every joint deal of the hands, its boards counted by multisets of ranks."""
    n = len(setup.combos)
    deals, joint = _joint_deals(setup)
    for p in range(n):
        deals[:, p] = setup.combos[p][deals[:, p]]
    order = drawn_order(len(joint))
    in_all = len(joint) * comb(setup.live - 2 * n, 5)
    for start, stop in slices(len(joint), _DEAL, progress):
        hist = np.zeros(1 << n)
        exact.deals_kernel(deals, joint, order, start, stop, np.uint64(setup.gone), hist)
        yield Part(hist, stop / len(joint), in_all)


def _by_runouts(setup: Setup, progress: Progress) -> Iterator[Part]:
    """Every joint deal on every runout; each combo is evaluated once for a runout."""
    n = len(setup.combos)
    deals, joint = _joint_deals(setup)
    used = np.unique(np.concatenate(setup.combos))
    for p in range(n):
        deals[:, p] = np.searchsorted(used, setup.combos[p][deals[:, p]])
    board, runouts = _board_and_runouts(setup)
    order = drawn_order(len(runouts))
    in_all = len(joint) * comb(setup.live - 2 * n, 5 - len(setup.board))
    scratch = np.empty(len(used), np.int64)
    for start, stop in slices(len(runouts), len(joint) * n * _COMPARE + _RUNOUT, progress):
        hist = np.zeros(1 << n)
        exact.runout_deals_kernel(COMBO_MASK[used], deals, joint, board, runouts, order, start, stop, scratch, hist)
        hist[0] = 0.0
        yield Part(hist, stop / len(runouts), in_all)
