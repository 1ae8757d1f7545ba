"""Monte Carlo equity: how the draws are set up, and when they stop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dupai.base import Progress, Rng
from dupai.base.arrays import F64, I16, I64, U64, AnyArray
from dupai.cards import CARDS, COMBO_CARDS, COMBO_MASK, cards_of, mask_of
from dupai.equity._kernels.monte_carlo import CARD_WORD, Draws, alias_kernel, random_deals_kernel, range_deals_kernel
from dupai.equity._result import EquityResult, parts, shares, slices
from dupai.equity._setup import Setup, cannot_be_dealt, not_dealt

#: Narrow ranges are drawn jointly when less than this share of the independent draws can be dealt together,
_FEW = 0.4
#: they are expected to share at least so many cards (for wide ranges it gains nothing),
_NARROW = 0.25
#: and the list of their joint deals is at most this long.
_LONGEST = 1 << 18
#: Trials come in runs from so many draws a deal on; a run has so many trials for each draw, and at most so many;
_CROWDED, _RUN, _LONGEST_RUN = 2.0, 16, 256
#: the error is computed from at least so many runs.
_RUNS = 50
#: Trials after which the error is computed first; then whenever there are a quarter more.
_FIRST_LOOK = 20_000
#: Draws of all hands, about 100 ms, after which progress is reported even when they brought no deal.
_TRIES = 1_000_000
#: Draws without any deal after which dealing at random is given up.
_HOPELESS = 20_000_000
_ENDLESS = 1 << 62
#: Seconds of a trial, for the first slice.
_TRIAL = 5e-7


class Block(NamedTuple):
    """Players whose hands are drawn together: ``combos`` ``int16[m, k]`` of ``players``, ``weights`` ``float64[m]``."""

    players: tuple[int, ...]
    combos: I16
    weights: F64


def alias_table(weights: F64) -> tuple[U64, I64]:
    """Walker's alias table of positive weights: thresholds of 32 bits (up to 2**32), and other entries.

    Draw i uniformly and 32 random bits; i stands if the bits are below ``threshold[i]``, else ``alias[i]`` is drawn.
    Probabilities are exact to 2**-32.
    """
    threshold, alias = np.empty(len(weights), np.uint64), np.empty(len(weights), np.int64)
    alias_kernel(weights * (len(weights) / weights.sum()), threshold, alias)
    return threshold, alias


def make_blocks(setup: Setup, ranged: list[int]) -> list[Block]:
    """Group the players with ranges, the narrowest first, until enough independent draws can be dealt together.

    Raises:
        ConfigError: the ranges of a group cannot be dealt together.
    """
    blocks = [Block((p,), setup.combos[p][:, None], setup.weights[p]) for p in ranged]
    while len(blocks) > 1:
        pairs = _clashes(blocks)
        if np.exp(-pairs.sum()) >= _FEW:
            break
        for flat in np.argsort(-pairs, axis=None, kind="stable"):
            i, j = divmod(int(flat), len(blocks))
            if pairs[i, j] < _NARROW:
                return blocks
            if len(blocks[i].weights) * len(blocks[j].weights) <= _LONGEST:
                break
        else:
            return blocks
        joined = _join(setup, blocks[i], blocks[j])
        blocks = [b for k, b in enumerate(blocks) if k not in (i, j)] + [joined]
    return blocks


def _clashes(blocks: list[Block]) -> F64:
    """The expected number of cards that two blocks share (``float64[blocks, blocks]``, above the diagonal)."""
    held = np.array([_held(b) for b in blocks]).reshape(-1, CARDS)
    clashes: F64 = np.triu(held @ held.T, 1)
    return clashes


def _held(block: Block) -> F64:
    """How often each card is held in a block: ``float64[52]``."""
    cards = COMBO_CARDS[block.combos].reshape(len(block.weights), -1)
    each = np.repeat(block.weights / block.weights.sum(), cards.shape[1])
    held: F64 = np.bincount(cards.ravel(), weights=each, minlength=CARDS).astype(np.float64)
    return held


def _join(setup: Setup, a: Block, b: Block) -> Block:
    mask_a, mask_b = (np.bitwise_or.reduce(COMBO_MASK[x.combos], axis=1) for x in (a, b))
    i, j = np.nonzero(mask_a[:, None] & mask_b[None, :] == 0)
    if not len(i):
        raise cannot_be_dealt(setup)
    combos = np.concatenate([a.combos[i], b.combos[j]], axis=1)
    return Block(a.players + b.players, combos, a.weights[i] * b.weights[j])


def make_draws(setup: Setup) -> tuple[Draws, int]:
    """Sort the players into known hands, ranges and uniformly random hands, and lay them out for the kernels; and how
    many trials a run has.

    Raises:
        ConfigError: some ranges cannot be dealt together.
    """
    n = len(setup.combos)
    known = [p for p in range(n) if len(setup.combos[p]) == 1]
    free = mask_of(c for p in known for c in COMBO_CARDS[setup.combos[p][0]].tolist())
    open_combos = np.count_nonzero(COMBO_MASK & np.uint64(setup.gone) == 0)
    loose = [p for p in range(n) if len(setup.combos[p]) == open_combos and np.ptp(setup.weights[p]) == 0]
    ranged = []
    combos, weights = list(setup.combos), list(setup.weights)
    for p in range(n):
        if p not in known and p not in loose:
            fits = COMBO_MASK[combos[p]] & np.uint64(free) == 0
            if not fits.any():
                raise cannot_be_dealt(setup)
            combos[p], weights[p] = combos[p][fits], weights[p][fits]
            ranged.append(p)
    blocks = make_blocks(setup._replace(combos=tuple(combos), weights=tuple(weights)), ranged)
    in_blocks = [p for b in blocks for p in b.players]
    hole = np.zeros(2 * n, np.uint64)
    hole[: 2 * len(known)] = CARD_WORD[[c for p in known for c in COMBO_CARDS[combos[p][0]].tolist()]]
    entries = np.cumsum([0, *(len(b.weights) for b in blocks)])
    words = np.cumsum([0, *(2 * b.combos.size for b in blocks)])
    tables = [alias_table(b.weights) for b in blocks]
    left = cards_of(0x1FFF_1FFF_1FFF_1FFF & ~(setup.gone | free))
    deck, board = np.zeros(CARDS, np.uint64), np.zeros(5, np.uint64)
    deck[: len(left)] = CARD_WORD[list(left)]
    board[: len(setup.board)] = CARD_WORD[list(setup.board)]

    def joined(parts: list[AnyArray], kind: type[np.generic]) -> AnyArray:
        return np.concatenate([*parts, np.zeros(0, kind)])

    draws_a_deal = np.exp(_clashes(blocks).sum())
    run = min(_LONGEST_RUN, round(_RUN * draws_a_deal)) if draws_a_deal >= _CROWDED else 1
    return Draws(
        order=np.array([*known, *in_blocks, *loose], np.int64),
        fixed=len(known),
        hole=hole,
        block=np.array(
            [(len(b.weights), len(b.players), e, w) for b, e, w in zip(blocks, entries, words, strict=False)], np.int64
        ).reshape(-1, 4),
        entry_words=joined([CARD_WORD[COMBO_CARDS[b.combos]].reshape(-1) for b in blocks], np.uint64),
        entry_mask=joined([np.bitwise_or.reduce(COMBO_MASK[b.combos], axis=1) for b in blocks], np.uint64),
        threshold=joined([threshold for threshold, _ in tables], np.uint64),
        alias=joined([alias for _, alias in tables], np.int64),
        deck=deck,
        n_deck=len(left),
        board=board,
        n_board=len(setup.board),
    ), run


def monte_carlo_equity(
    setup: Setup, samples: int | None, target_error: float | None, rng: Rng, progress: Progress
) -> EquityResult:
    """Deal at random until ``samples`` trials are made or the largest standard error is ``target_error``.

    The trials depend on the random numbers only, not on speed: the error is computed after fixed numbers of trials.

    Raises:
        ConfigError: the ranges cannot be dealt together.
    """
    n = len(setup.combos)
    draws, run = make_draws(setup)
    most = _ENDLESS if samples is None else samples
    run = max(1, min(run, most // _RUNS))
    tally = Tally(np.zeros(1 << n, np.int64), np.zeros((3, n)), run)
    made = 0
    look = _FIRST_LOOK if target_error is not None else most
    shown = _Shown(progress, most if samples is not None else None, tally, target_error)
    while made < most:
        for a, b in slices(-(-(min(look, most) - made) // run), _TRIAL * run, shown):
            made += _deal(setup, draws, min((b - a) * run, most - made), rng, tally, shown)
        if progress.cancelled:
            break
        if target_error is not None and made >= look:
            if tally.errors().max() <= target_error:
                break
            look = made + made // 4
    place = np.argsort(draws.order)
    if made:
        equity, win = (x[place] for x in shares(tally.hist, n))
        se = tally.errors()[place]
    else:
        equity = win = se = np.full(n, np.nan)
    return EquityResult(
        setup.names, equity, win, equity - win, se, made, "monte-carlo", setup.board, setup.dead, not progress.cancelled
    )


class Tally(NamedTuple):
    """Trials so far as the kernels count them: ``hist``, and ``moments`` of runs of more than one trial."""

    hist: I64
    moments: F64
    run: int

    def errors(self) -> F64:
        """Standard error of each player's mean share; nan for a single run."""
        n = self.moments.shape[1]
        trials = int(self.hist[1:].sum())
        equity, _ = shares(self.hist, n)
        square, product, (length, runs) = self.moments[0], self.moments[1], self.moments[2, :2]
        if self.run == 1:
            square, length, runs = self.hist[1:] @ parts(n)[0] ** 2, np.float64(trials), np.float64(trials)
            product = trials * equity
        with np.errstate(divide="ignore", invalid="ignore"):
            # runs differ in length: that of a ratio, from how far each run is off
            spread = np.maximum(square - 2 * equity * product + equity**2 * length, 0.0)
            out: F64 = np.sqrt(spread * runs / (runs - 1)) / trials
        return out


def _deal(setup: Setup, draws: Draws, trials: int, rng: Rng, tally: Tally, shown: _Shown) -> int:
    """Add trials to the tally; returns how many were made, fewer than asked for once the work is cancelled.

    Raises:
        ConfigError: the ranges cannot be dealt together, or so seldom that it never happened.
    """
    if not len(draws.block):
        random_deals_kernel(draws, trials, rng.state, tally.hist)
        return trials
    done = tries = 0
    while True:
        done += int(range_deals_kernel(draws, trials - done, _TRIES, tally.run, rng.state, tally.hist, tally.moments))
        if done == trials or shown.cancelled:
            return done
        tries += _TRIES
        if tries >= _HOPELESS and not tally.hist.any():
            raise not_dealt(setup, tries)
        # the slices report only after all trials of one, which is too late where few draws can be dealt
        shown.report(done, None)


@dataclass
class _Shown:
    """Progress of the slices as the caller sees it: trials made of all, or the error so far against its target."""

    _progress: Progress
    _samples: int | None
    _tally: Tally
    _target: float | None

    @property
    def cancelled(self) -> bool:
        return self._progress.cancelled

    def report(self, done: float, total: float | None, note: str = "") -> None:
        made = int(self._tally.hist.sum())
        if self._target is None or made < 2:
            self._progress.report(made, self._samples)
            return
        error = float(self._tally.errors().max())
        # the error falls with the root of the trials, so this is about how many there will be
        goal = made * max(1.0, (error / self._target) ** 2) if error > 0 else made
        if self._samples is not None:
            goal = min(goal, self._samples)
        self._progress.report(made, goal, f"standard error {100 * error:.3f} %")
