"""Three-handed push/fold, in chips or in tournament equity (ICM): approximate, with a bound on its error.

The button, then the small blind, then the big blind each go all-in or fold (call or fold after an all-in). Deals of
three classes are counted exactly. Win rates of two hands come from the exact table, which ignores the cards of the
folded third hand; win rates of three hands come from :data:`SAMPLES` deals of each of the 818,805 triples. With three
players regret minimisation need not converge to an equilibrium, and there may be several. The result therefore says how
much any one player could still gain alone (against exactly these win rates).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np

from dupai.base import ConfigError, FileError, NoProgress, Progress, Rng, cache_root
from dupai.base.arrays import F32, F64, I64, U8
from dupai.base.files import array_of, file_faults, open_whole
from dupai.cards import CARD_MASK, CLASS_SIZE, CLASSES, COMBO_CLASS, COMBO_MASK, COMBOS
from dupai.cfr._pushfold._heads_up import MAX_BLINDS, check_ante, match_regrets, rounded
from dupai.cfr._pushfold._kernels import FINISHES, finishes_kernel, showdown_kernel, triples_kernel
from dupai.equity import class_matchups

#: Deals of each triple of classes.
SAMPLES = 160
_SEED = 20071
_MAX_PRIZES = 1e15
_BLINDS = (0.0, 0.5, 1.0)
SETS = ("btn", "sb_call", "sb", "bb_both", "bb_btn", "bb_sb")
#: The player who decides in each of :data:`SETS`.
_OWNER = (0, 1, 1, 2, 2, 2)


class PushFold3(NamedTuple):
    """A three-handed push/fold profile, by seat: button, small blind, big blind.

    ``ranges``: name -> ``float64[169]`` frequencies of going all-in by class: ``btn``; ``sb_call`` (the button is
    all-in), ``sb`` (it has folded); ``bb_both`` (both are), ``bb_btn``, ``bb_sb``. ``values``: what each player wins a
    hand, in ``unit`` (big blinds, or shares of all prizes: 0.004 is 0.4 % of them); ``residual``: the most that one
    player could gain alone.
    """

    stacks: tuple[float, ...]
    ante: float
    payouts: tuple[float, ...] | None
    ranges: dict[str, F64]
    values: tuple[float, ...]
    residual: float
    iterations: int
    complete: bool

    @property
    def unit(self) -> str:
        """The unit of values and residual."""
        return "big blinds" if self.payouts is None else "of the prizes"

    def share(self, name: str) -> float:
        """Share of all 1326 hands in one of the ranges."""
        return float(self.ranges[name] @ CLASS_SIZE / COMBOS)


def icm(stacks: Sequence[float], payouts: Sequence[float], start: Sequence[float] | None = None) -> tuple[float, ...]:
    """Tournament equity of stacks by the independent chip model (D. Harville 1973; M. Malmuth 1987).

    A player finishes first with the probability of its share of the chips, second by its share of the remaining chips,
    and so on. Players without chips have the last prizes.

    Args:
        stacks: chips, not negative, some above 0.
        payouts: prizes from the first place on; missing ones are 0.
        start: chips before the hand: of players who go out in it, the one who had more ranks higher, and equals share.
            None: they all share.
    """
    n = len(stacks)
    had = [0.0] * n if start is None else start
    prize = [*payouts, *([0.0] * n)][:n]
    equities = [0.0] * n

    def place(left: tuple[int, ...], rank: int, chance: float) -> None:
        chips = sum(stacks[i] for i in left)
        if chips <= 0:
            for i in left:
                first, equals = rank + sum(had[j] > had[i] for j in left), sum(had[j] == had[i] for j in left)
                equities[i] += chance * sum(prize[first : first + equals]) / equals
            return
        for i in left:
            p = chance * stacks[i] / chips
            if p > 0:
                equities[i] += p * prize[rank]
                place(tuple(j for j in left if j != i), rank + 1, p)

    place(tuple(range(n)), 0, 1.0)
    return tuple(equities)


def settle(stacks: Sequence[float], paid: Sequence[float], order: Sequence[int]) -> tuple[float, ...]:
    """Stacks after a hand. Each player has ``paid`` part of the stack; ``order`` lists the players who did not fold,
    the best hand first. Each in turn takes from everybody as much as it has paid; the rest goes back."""
    left, final = list(paid), [s - p for s, p in zip(stacks, paid, strict=True)]
    for winner in order:
        cover = left[winner]
        for i in range(len(left)):
            take = min(cover, left[i])
            left[i] -= take
            final[winner] += take
    return tuple(f + rest for f, rest in zip(final, left, strict=True))


def _orders(finish: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The orders of three players, the best first, that break the ties of a finish (how many beat each)."""
    return (order for order in permutations(range(3)) if sorted(finish) == [finish[player] for player in order])


class _Tables(NamedTuple):
    """``chances`` ``float32[169, 169, 169]`` of the deals; ``finishes`` ``uint8[818805, 13]`` and their first row by
    least class (see ``finishes_kernel``)."""

    chances: F32
    finishes: U8
    start: I64


def _starts() -> I64:
    width = np.arange(CLASSES, 0, -1)
    rows = width * (width + 1) // 2
    return np.concatenate([[0], np.cumsum(rows)]).astype(np.int64)


def sample_finishes(samples: int, progress: Progress, seed: int = _SEED) -> U8:
    """Deal every triple of classes ``samples`` times, at most 255 (see ``finishes_kernel``); 160 take half a minute.

    Raises:
        KeyboardInterrupt: ``progress`` was cancelled.
    """
    start = _starts()
    by_class = np.argsort(COMBO_CLASS, kind="stable").astype(np.int64)
    first = np.searchsorted(COMBO_CLASS[by_class], np.arange(CLASSES + 1)).astype(np.int64)
    finishes = np.zeros((int(start[-1]), len(FINISHES)), np.uint8)
    masks, cards = COMBO_MASK.astype(np.uint64), CARD_MASK.astype(np.uint64)
    for a in range(CLASSES):
        if progress.cancelled:
            raise KeyboardInterrupt
        rng = Rng(seed, a)
        row = start[a]
        for b in range(a, CLASSES):
            finishes_kernel(a, b, CLASSES, samples, first, by_class, masks, cards, finishes[row:], rng.state)
            row += CLASSES - b
        progress.report(float(start[a + 1]), float(start[-1]), "sampling three hands, once")
    return finishes


def deal_chances() -> F32:
    """``float32[169, 169, 169]``: the exact probability that button, small and big blind are dealt these classes."""
    chances = np.zeros((CLASSES, CLASSES, CLASSES), np.float32)
    for c in range(CLASSES):
        counted = np.zeros((CLASSES, CLASSES))
        own = int(np.argmax(c == COMBO_CLASS))
        triples_kernel(own, COMBO_MASK, COMBO_CLASS, counted)
        chances[c] = counted * (CLASS_SIZE[c] / (COMBOS * 1225.0 * 1128.0))
    return chances


#: The tables of this process, once they are made.
_made: list[_Tables] = []


def _tables(progress: Progress) -> _Tables:
    if not _made:
        # An .npz file has a checksum.
        file = cache_root() / f"three-finishes-{SAMPLES}.npz"
        try:
            with file_faults(str(file)), np.load(file, allow_pickle=False) as arrays:
                finishes = array_of(arrays, "finishes", (int(_starts()[-1]), len(FINISHES)), np.uint8, exact=True)
        except (OSError, FileError):
            finishes = sample_finishes(SAMPLES, progress)
            with open_whole(file, "wb") as stream:
                np.savez(stream, finishes=finishes)
        _made.append(_Tables(deal_chances(), finishes, _starts()[:-1]))
    return _made[0]


class _Game:
    """Gains of going all-in over folding in all six decisions, for one set of stacks and prizes."""

    def __init__(self, tables: _Tables, stacks: Sequence[float], ante: float, payouts: Sequence[float] | None) -> None:
        self.chances = tables.chances
        self.flat = tables.chances.reshape(CLASSES, -1)
        posted = [min(s, ante + b) for s, b in zip(stacks, _BLINDS, strict=True)]
        before = icm(stacks, payouts) if payouts is not None else tuple(stacks)

        def worth(final: Sequence[float]) -> F64:
            after = icm(final, payouts, stacks) if payouts is not None else final
            return np.array(after, np.float64) - before

        def paid(*live: int) -> list[float]:
            return [stacks[i] if i in live else posted[i] for i in range(3)]

        #: Results of all players when only the button, the small or the big blind has not folded.
        self.alone = [worth(settle(stacks, paid(i) if i < 2 else posted, [i])) for i in range(3)]
        table = class_matchups()
        lose = 1 - table.win - table.tie
        #: ``[i, j]``: ``float64[3, 169, 169]``, results of all players when i and j are all-in and the third folded.
        self.two: dict[tuple[int, int], F64] = {}
        for i, j in ((0, 1), (0, 2), (1, 2)):
            ends = [settle(stacks, paid(i, j), order) for order in ([i, j], [j, i])]
            won, lost = worth(ends[0]), worth(ends[1])
            split = worth([(x + y) / 2 for x, y in zip(*ends, strict=True)])
            self.two[i, j] = np.stack([won[p] * table.win + split[p] * table.tie + lost[p] * lose for p in range(3)])
        worths = np.empty((len(FINISHES), 3))
        for row, finish in enumerate(FINISHES.tolist()):
            # Each split pot goes in equal parts to those who share it: the mean over the orders that break the ties.
            worths[row] = worth(np.mean([settle(stacks, list(stacks), order) for order in _orders(finish)], axis=0))
        #: ``float32[3, 169, 169, 169]``: by player, its result when all are all-in times the chance of the deal.
        self.three = np.empty((3, CLASSES, CLASSES, CLASSES), np.float32)
        for a in range(CLASSES):
            showdown_kernel(a, tables.start, tables.chances[a], tables.finishes, worths, self.three[:, a])

    def _against(self, weights: F64) -> F64:
        """``[c, d]``: probabilities of two classes, summed over the third player's weighted hands."""
        return (self.chances @ weights.astype(np.float32)).astype(np.float64)

    def _over(self, grid: F64) -> F64:
        """Sum over the hands of the other two players by class, weighted by a grid."""
        return (self.flat @ grid.astype(np.float32).ravel()).astype(np.float64)

    def gains(self, play: F64) -> tuple[list[F64], tuple[float, ...]]:
        """For each decision the gain of going all-in over folding, times the probability of getting there
        (``float64[169]``); and the results of all players."""
        p, q, s, both, btn, sb = play
        two01, two02, two12 = self.two[0, 1], self.two[0, 2], self.two[1, 2]
        steal, blind, walk = self.alone
        no_both, no_q, no_p = self._against(1 - both), self._against(1 - q), self._against(1 - p)
        b32, p32 = both.astype(np.float32), p.astype(np.float32)
        met = [(self.three[k] @ b32).astype(np.float64) for k in (0, 1)]
        # Results of all players after the button's fold, and after its all-in and the small blind's fold.
        folded = s[:, None] * (sb * two12 + (1 - sb) * blind[:, None, None]) + (1 - s)[:, None] * walk[:, None, None]
        pushed = btn * two02 + (1 - btn) * steal[:, None, None]
        button_in = met[0] @ q + (two01[0] * no_both) @ q + (pushed[0] * no_q).sum(axis=1)
        button_out = self._over(folded[0])
        small_in = p @ met[1] + p @ (two01[1] * no_both)
        small_out = self._over(p[:, None] * pushed[1])
        gain = [
            button_in - button_out,
            small_in - small_out,
            (no_p * (sb * two12[1] + (1 - sb) * blind[1] - walk[1])).sum(axis=1),
            q @ (p32 @ self.three[2].reshape(CLASSES, -1)).reshape(CLASSES, CLASSES).astype(np.float64)
            - self._over(p[:, None] * q * two01[2]),
            p @ (no_q * (two02[2] - steal[2])),
            s @ (no_p * (two12[2] - blind[2])),
        ]
        first = float(p @ button_in + (1 - p) @ button_out)
        second = float(q @ small_in + (1 - q) @ small_out + (no_p * folded[1]).sum())
        everyone = self._against(np.ones(CLASSES))
        third = float(both @ gain[3] + (p[:, None] * q * two01[2] * everyone).sum())
        third += float((p[:, None] * pushed[2] * no_q).sum() + (no_p * folded[2]).sum())
        return gain, (first, second, third)


def solve_three_handed(
    stacks: Sequence[float],
    ante: float = 0.0,
    payouts: Sequence[float] | None = None,
    *,
    target: float | None = None,
    iterations: int = 600,
    progress: Progress | None = None,
) -> PushFold3:
    """Approximate an equilibrium of three-handed push/fold (regret matching+ with quadratic averages, all at once).

    Args:
        stacks: of button, small blind (0.5) and big blind (1) before blinds and antes, big blinds.
        ante: of each player, big blinds.
        payouts: prizes of a tournament from the first place on; values are then changes of ICM equity, as shares
            of the sum of the prizes. None: chips.
        target: residual to stop at, in the unit of the values; None: 0.00002 big blinds, or as small a part of the
            prizes.
        iterations: the most iterations, about 40 ms each.
        progress: told of iterations; when it is cancelled, the result so far is returned.

    Raises:
        ConfigError: not three stacks, or stacks, antes or prizes that make no sense.
        KeyboardInterrupt: ``progress`` was cancelled while win rates were still being sampled (once).
    """
    if len(stacks) != 3 or not all(0 < s <= MAX_BLINDS for s in stacks):
        expected = f"expected three of more than 0 and at most {MAX_BLINDS:g} big blinds"
        raise ConfigError(f"stacks {list(stacks)}: {expected}", key="stacks")
    check_ante(ante)
    if payouts is not None:
        prizes = list(payouts)
        if not 1 <= len(prizes) <= 3 or prizes != sorted(prizes, reverse=True) or prizes[-1] < 0 or prizes[0] <= 0:
            raise ConfigError(f"payouts {prizes}: expected one to three prizes, the largest first", key="payouts")
        if not sum(prizes) < _MAX_PRIZES:
            raise ConfigError(f"payouts {prizes}: expected less than {_MAX_PRIZES:g} in all", key="payouts")
    if target is None:
        target = 2e-5 if payouts is None else 2e-5 / sum(stacks)
    progress = progress or NoProgress()
    # Shares: 50, 30, 20 and 5, 3, 2 are the same prizes, and have the same values.
    shares = None if payouts is None else [prize / sum(payouts) for prize in payouts]
    game = _Game(_tables(progress), stacks, ante, shares)
    regrets = np.zeros((len(SETS), 2, CLASSES))
    total, weight, done = np.zeros((len(SETS), CLASSES)), 0.0, 0
    now = np.full((len(SETS), CLASSES), 0.5)
    mean, left = now, np.inf
    values: tuple[float, ...] = (0.0, 0.0, 0.0)
    stopped = False
    while done < iterations and not stopped and left > target:
        done += 1
        gain, _ = game.gains(now)
        weight += done * done
        total += done * done * now
        for k in range(len(SETS)):
            match_regrets(regrets[k], gain[k], now[k])
        # Read once: what is returned is what was measured.
        stopped = progress.cancelled
        if done % 20 == 0 or done == iterations or stopped:
            mean = rounded(total / weight)
            gain, values = game.gains(mean)
            left = float(_residuals(gain, mean).max())
        progress.report(done, iterations, f"residual {left:.3g}" if left < np.inf else "")
    paid = None if payouts is None else tuple(map(float, payouts))
    spot = (tuple(map(float, stacks)), float(ante), paid)
    ranges, complete = dict(zip(SETS, mean, strict=True)), done == iterations or left <= target
    return PushFold3(*spot, ranges, values, float(left), done, complete)


def _residuals(gain: Sequence[F64], play: F64) -> F64:
    """The most that each player could gain alone: nobody acts twice, so a player's decisions are independent."""
    gains = [np.maximum(g, 0).sum() - g @ x for g, x in zip(gain, play, strict=True)]
    return np.bincount(_OWNER, gains).astype(np.float64)
