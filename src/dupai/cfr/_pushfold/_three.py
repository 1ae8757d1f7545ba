"""Three-handed push/fold, in chips or in tournament equity (ICM): approximate, with what is left to gain.

The button, then the small blind, then the big blind each go all-in or fold (and call or fold once somebody is). Deals
of three classes are counted exactly; two hands win as in the exact table, without the folded third hand's cards taken
off the board; three hands win as :data:`SAMPLES` deals of each of the 818,805 triples say. With three players regret
minimisation need not end in an equilibrium and there may be several, so the result says how much any one player could
still gain alone (against exactly these win rates).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError, NoProgress, Progress, Rng, cache_root
from dupai.cards import CARD_MASK, CLASS_SIZE, CLASSES, COMBO_CLASS, COMBO_MASK, COMBOS
from dupai.cfr._pushfold._heads_up import MOST_BLINDS
from dupai.cfr._pushfold._kernels import orders_kernel, showdown_kernel, triples_kernel
from dupai.equity import class_matchups

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]

#: Deals of each triple of classes.
SAMPLES = 160
_SEED = 20071
_BLINDS = (0.0, 0.5, 1.0)
#: Orders of three, as the kernels number them.
_ORDERS = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
SETS = ("btn", "sb_call", "sb", "bb_both", "bb_btn", "bb_sb")
#: Whose decision each of :data:`SETS` is.
_OWNER = (0, 1, 1, 2, 2, 2)


class PushFold3(NamedTuple):
    """A three-handed push/fold profile, by seat: button, small blind, big blind.

    ``ranges``: name -> ``float64[169]`` frequencies of going all-in by class: ``btn``; ``sb_call`` (the button is
    all-in), ``sb`` (it has folded); ``bb_both`` (both are), ``bb_btn``, ``bb_sb``. ``values``: what everybody wins a
    hand, in ``unit`` (big blinds, or the prizes' unit); ``residual``: the most that one player could gain alone.
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
        """What values and residual are counted in."""
        return "big blinds" if self.payouts is None else "of the prizes"

    def share(self, name: str) -> float:
        """Share of all 1326 hands in one of the ranges."""
        return float(self.ranges[name] @ CLASS_SIZE / COMBOS)


def icm(stacks: Sequence[float], payouts: Sequence[float]) -> tuple[float, ...]:
    """Tournament equity of stacks by the independent chip model (D. Harville 1973; M. Malmuth 1987).

    A player is first with the chance of its share of the chips, second by its share of what is left, and so on. Who has
    nothing shares the last prizes with others who have nothing.

    Args:
        stacks: chips, not negative, some above 0.
        payouts: prizes from the first place on; missing ones are 0.
    """
    n = len(stacks)
    prize = [*payouts, *([0.0] * n)][:n]
    found = [0.0] * n

    def place(left: tuple[int, ...], rank: int, chance: float) -> None:
        chips = sum(stacks[i] for i in left)
        if chips <= 0:
            share = sum(prize[rank:]) / max(len(left), 1)
            for i in left:
                found[i] += chance * share
            return
        for i in left:
            p = chance * stacks[i] / chips
            if p > 0:
                found[i] += p * prize[rank]
                place(tuple(j for j in left if j != i), rank + 1, p)

    place(tuple(range(n)), 0, 1.0)
    return tuple(found)


def settle(stacks: Sequence[float], paid: Sequence[float], order: Sequence[int]) -> tuple[float, ...]:
    """Stacks after a hand: everybody has ``paid`` (of the stack), and of those not folded ``order`` wins from the first
    on; each takes from everybody what it has covered. What nobody has covered goes back."""
    left, final = list(paid), [s - p for s, p in zip(stacks, paid, strict=True)]
    for winner in order:
        cover = left[winner]
        for i in range(len(left)):
            take = min(cover, left[i])
            left[i] -= take
            final[winner] += take
    return tuple(f + rest for f, rest in zip(final, left, strict=True))


class _Tables(NamedTuple):
    """``chances`` ``float32[169, 169, 169]`` of the deals; ``orders`` ``uint16[818805, 6]`` and the first row by least
    class (see ``orders_kernel``)."""

    chances: F32
    orders: npt.NDArray[np.uint16]
    start: npt.NDArray[np.int64]


def _starts() -> npt.NDArray[np.int64]:
    width = np.arange(CLASSES, 0, -1)
    rows = width * (width + 1) // 2
    return np.concatenate([[0], np.cumsum(rows)]).astype(np.int64)


def sample_orders(samples: int, progress: Progress, seed: int = _SEED) -> npt.NDArray[np.uint16]:
    """Deal every triple of classes so many times (see ``orders_kernel``); 160 take half a minute.

    Raises:
        KeyboardInterrupt: ``progress`` was cancelled.
    """
    start = _starts()
    by_class = np.argsort(COMBO_CLASS, kind="stable").astype(np.int64)
    first = np.searchsorted(COMBO_CLASS[by_class], np.arange(CLASSES + 1)).astype(np.int64)
    found = np.zeros((int(start[-1]), 6), np.uint16)
    masks, cards = COMBO_MASK.astype(np.uint64), CARD_MASK.astype(np.uint64)
    for a in range(CLASSES):
        if progress.cancelled:
            raise KeyboardInterrupt
        rng = Rng(seed, a)
        row = start[a]
        for b in range(a, CLASSES):
            orders_kernel(a, b, CLASSES, samples, first, by_class, masks, cards, found[row:], rng.state)
            row += CLASSES - b
        progress.report(float(start[a + 1]), float(start[-1]), "sampling three hands, once")
    return found


def deal_chances() -> F32:
    """``float32[169, 169, 169]``: the chance that button, small blind and big blind are dealt these classes, exact."""
    found = np.zeros((CLASSES, CLASSES, CLASSES), np.float32)
    for c in range(CLASSES):
        counted = np.zeros((CLASSES, CLASSES))
        own = int(np.argmax(c == COMBO_CLASS))
        triples_kernel(own, COMBO_MASK, COMBO_CLASS, counted)
        found[c] = counted * (CLASS_SIZE[c] / (COMBOS * 1225.0 * 1128.0))
    return found


@lru_cache(maxsize=1)
def _tables_kept() -> list[_Tables]:
    return []


def _tables(progress: Progress) -> _Tables:
    kept = _tables_kept()
    if not kept:
        file = cache_root() / f"three-hands-{SAMPLES}.npy"
        rows = int(_starts()[-1])
        orders = None
        if file.exists():
            try:
                orders = np.load(file, allow_pickle=False)
            except (OSError, ValueError):
                orders = None
        if orders is None or orders.shape != (rows, 6) or orders.dtype != np.uint16:
            orders = sample_orders(SAMPLES, progress)
            part = file.with_suffix(f".{os.getpid()}.part")
            with part.open("wb") as stream:
                np.save(stream, orders)
            os.replace(part, file)
        kept.append(_Tables(deal_chances(), orders, _starts()[:-1]))
    return kept[0]


class _Game:
    """Gains of going all-in over folding in all six decisions, for one set of stacks and prizes."""

    def __init__(self, tables: _Tables, stacks: Sequence[float], ante: float, payouts: Sequence[float] | None) -> None:
        self.chances = tables.chances
        self.flat = tables.chances.reshape(CLASSES, -1)
        posted = [min(s, ante + b) for s, b in zip(stacks, _BLINDS, strict=True)]
        before = icm(stacks, payouts) if payouts is not None else tuple(stacks)

        def worth(final: Sequence[float]) -> F64:
            after = icm(final, payouts) if payouts is not None else final
            return np.array(after, np.float64) - before

        def paid(*live: int) -> list[float]:
            return [stacks[i] if i in live else posted[i] for i in range(3)]

        #: All but one have folded: what everybody wins when the button, the small or the big blind is alone.
        self.alone = [worth(settle(stacks, paid(i) if i < 2 else posted, [i])) for i in range(3)]
        table = class_matchups()
        lose = 1 - table.win - table.tie
        #: ``[i, j]``: ``float64[3, 169, 169]``: what everybody wins when i and j are all-in and the third has folded.
        self.two: dict[tuple[int, int], F64] = {}
        for i, j in ((0, 1), (0, 2), (1, 2)):
            ends = [settle(stacks, paid(i, j), order) for order in ([i, j], [j, i])]
            won, lost = worth(ends[0]), worth(ends[1])
            split = worth([(x + y) / 2 for x, y in zip(*ends, strict=True)])
            self.two[i, j] = np.stack([won[p] * table.win + split[p] * table.tie + lost[p] * lose for p in range(3)])
        self.three = []
        for player in range(3):
            grid = np.zeros((3, 3))
            for order in _ORDERS:
                grid[order[0], order[1]] = worth(settle(stacks, list(stacks), order))[player]
            found = np.empty((CLASSES, CLASSES, CLASSES), np.float32)
            for a in range(CLASSES):
                showdown_kernel(a, tables.start, tables.chances[a], tables.orders, grid, found[a])
            self.three.append(found)

    def _against(self, weights: F64) -> F64:
        """``[c, d]``: chances of two classes with the third player's hand weighted."""
        return (self.chances @ weights.astype(np.float32)).astype(np.float64)

    def _over(self, grid: F64) -> F64:
        """By class: the other two players' hands weighted by a grid."""
        return (self.flat @ grid.astype(np.float32).ravel()).astype(np.float64)

    def gains(self, play: Sequence[F64]) -> tuple[list[F64], tuple[float, ...]]:
        """By decision: gain of going all-in over folding times the chance of getting there (``float64[169]``); and what
        everybody wins."""
        p, q, s, both, btn, sb = play
        two01, two02, two12 = self.two[0, 1], self.two[0, 2], self.two[1, 2]
        steal, blind, walk = self.alone
        no_both, no_q, no_p = self._against(1 - both), self._against(1 - q), self._against(1 - p)
        b32, p32 = both.astype(np.float32), p.astype(np.float32)
        met = [(self.three[k] @ b32).astype(np.float64) for k in (0, 1)]
        # What everybody wins when the button folds, and when it is alone in against the small blind's fold.
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
        payouts: prizes of a tournament from the first place on: values are then changes of ICM equity; else chips.
        target: residual to stop at, in the unit of the values; None: 0.00002 big blinds, or a part of the
            prizes as small.
        iterations: at most so many, some 40 ms each.
        progress: told of iterations; when cancelled, what there is comes back.

    Raises:
        ConfigError: not three stacks, or stacks, antes or prizes that make no sense.
        KeyboardInterrupt: ``progress`` was cancelled while win rates were still being sampled (once).
    """
    if len(stacks) != 3 or not all(0 < s <= MOST_BLINDS for s in stacks):
        raise ConfigError(
            f"stacks {list(stacks)}: expected three of more than 0 and at most {MOST_BLINDS:g} big blinds"
        )
    if not 0 <= ante <= 10:
        raise ConfigError(f"ante {ante:g}: expected 0 to 10 big blinds")
    if payouts is not None:
        prizes = list(payouts)
        if not 1 <= len(prizes) <= 3 or prizes != sorted(prizes, reverse=True) or prizes[-1] < 0 or prizes[0] <= 0:
            raise ConfigError(f"payouts {prizes}: expected one to three prizes, the largest first")
    if target is None:
        target = 2e-5 if payouts is None else 2e-5 * sum(payouts) / sum(stacks)
    progress = progress or NoProgress()
    game = _Game(_tables(progress), stacks, ante, payouts)
    regret = np.zeros((len(SETS), 2, CLASSES))
    total, weight, done = np.zeros((len(SETS), CLASSES)), 0.0, 0
    now = [np.full(CLASSES, 0.5) for _ in SETS]
    mean, left = now, np.inf
    values: tuple[float, ...] = (0.0, 0.0, 0.0)
    while done < iterations and not (done and progress.cancelled) and left > target:
        done += 1
        gain, _ = game.gains(now)
        weight += done * done
        for k in range(len(SETS)):
            total[k] += done * done * now[k]
            step = np.stack([gain[k] * (1 - now[k]), -gain[k] * now[k]])
            regret[k] = np.maximum(regret[k] + step, 0)
            guess = np.maximum(regret[k] + step, 0)
            both = guess.sum(axis=0)
            now[k] = np.where(both > 0, guess[0] / np.where(both > 0, both, 1), 0.5)
        if done % 20 == 0 or done == iterations or progress.cancelled:
            mean = [np.where(x < 1e-3, 0.0, np.where(x > 1 - 1e-3, 1.0, x)) for x in total / weight]
            gain, values = game.gains(mean)
            left = max(_residuals(gain, mean))
        progress.report(done, iterations, f"residual {left:.3g}" if left < np.inf else "")
    return PushFold3(
        tuple(float(s) for s in stacks),
        float(ante),
        None if payouts is None else tuple(float(x) for x in payouts),
        dict(zip(SETS, mean, strict=True)),
        values,
        float(left),
        done,
        done == iterations or left <= target,
    )


def _residuals(gain: Sequence[F64], play: Sequence[F64]) -> list[float]:
    """What every player could gain alone: nobody acts twice, so its decisions do not depend on each other."""
    found = [0.0, 0.0, 0.0]
    for owner, g, x in zip(_OWNER, gain, play, strict=True):
        found[owner] += float(np.maximum(g, 0).sum() - g @ x)
    return found
