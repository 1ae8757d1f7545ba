"""Sampled alternatives to the true hand after the flop, where using all hands would take too long."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import msgspec
import numpy as np

from dupai.base import Progress
from dupai.base.arrays import AnyArray as Array
from dupai.cards import COMBOS
from dupai.reading import features as reading_features, model as reading_model, possible_hands, posterior
from dupai.rules import load_game
from dupai.spots import Spot
from dupai.training._corpus import Cases, Corpus, Decisions, find_cases, keep_cases, rows_of
from dupai.training._kernels import sampled_hands_kernel
from dupai.training._model._fit import Run
from dupai.training._stopped import report

_OPEN = (0, 3, 4, 5)
#: Boards in one kernel call (at most 100 ms).
_SLICE = 50


class Samples(msgspec.Struct, kw_only=True):
    """Cases after the flop with the hands that they are trained on.

    Attributes:
        cases: the cases of the streets after the first, in the parts asked for.
        combo: ``int16[n, 1 + k]``: the true hand, then the alternatives.
        weight: ``float32[n, 1 + k]``: log of the pre-flop probability divided by the probability of being drawn.
        block: ``int64[m]`` for each of ``cases.decision``: row of ``hand``.
        hand: ``float16[blocks, 1 + k, 70]``.
        extra: ``float16[m, 1 + k, 3]`` for each decision, or None: features of ranges.
        extra_public: ``float16[m, 4]``, or None.
    """

    cases: Cases
    combo: Array
    weight: Array
    block: Array
    hand: Array
    extra: Array | None = None
    extra_public: Array | None = None


def postflop_cases(corpus: Corpus, did: Array) -> Cases:
    """The cases after the flop whose flop is recorded."""
    cases = find_cases(corpus, did, (1, 2, 3))
    return keep_cases(cases, np.flatnonzero(corpus.board[cases.hand, 2] != 255))


def keep_samples(samples: Samples, keep: Array) -> Samples:
    """The samples of some cases (the features of hands stay where they are)."""
    flat = rows_of(samples.cases.first, keep)
    return Samples(
        cases=keep_cases(samples.cases, keep), combo=samples.combo[keep], weight=samples.weight[keep],
        block=samples.block[flat], hand=samples.hand, extra=None if samples.extra is None else samples.extra[flat],
        extra_public=None if samples.extra_public is None else samples.extra_public[flat],
    )  # fmt: skip


def draw_hands(
    corpus: Corpus, cases: Cases, reading: Array, k: int, rng: np.random.Generator, proposal: Array | None = None
) -> tuple[Array, Array]:
    """Draw alternatives to the true hand, with log weights; ``reading`` is ``float32[n, 1326]`` before the flop.
    Half of them come from the reading (or ``proposal``), half are uniform; the expected count of each is at most 1."""
    n = len(cases.hand)
    combo = np.empty((n, 1 + k), np.int16)
    weight = np.empty((n, 1 + k), np.float32)
    for i in range(n):
        board = corpus.board[cases.hand[i]]
        legal = possible_hands([c for c in board.tolist() if c != 255])
        true = cases.combo[i]
        p = reading[i].astype(np.float64) * legal
        p /= p.sum()
        base = p if proposal is None else proposal[i].astype(np.float64) * legal
        base = base / base.sum()
        q = 0.5 * base + 0.2 * p + 0.3 * legal / legal.sum()
        q[true] = 0.0
        q /= q.sum()
        # Systematic sampling has less variance than independent draws.
        marks = (np.arange(k) + rng.random()) / k
        drawn = np.searchsorted(np.cumsum(q), marks, side="right").clip(0, 1325)
        combo[i, 0] = true
        combo[i, 1:] = drawn
        weight[i, 0] = np.log(max(p[true], 1e-12))
        weight[i, 1:] = np.log(np.maximum(p[drawn], 1e-12) / (q[drawn] * k))
    return combo, weight


def make_blocks(corpus: Corpus, cases: Cases, combo: Array, run: Run) -> tuple[Array, Array]:
    """``block`` and ``hand`` of :class:`Samples`."""
    began = time.time()
    lengths = np.diff(cases.first)
    case_of = np.repeat(np.arange(len(lengths)), lengths)
    street = corpus.rows["street"][cases.decision]
    key = case_of * 4 + street
    blocks, block = np.unique(key, return_inverse=True)
    hand = np.empty((len(blocks), combo.shape[1], reading_features.HAND_SIZE), np.float16)
    table = reading_features.board_table()
    for s in (1, 2, 3):
        where = np.flatnonzero(blocks % 4 == s)
        boards = corpus.board[cases.hand[blocks[where] // 4]].copy()
        if s == 1:
            boards[:, :3].sort(axis=1)
        order = np.lexsort(boards.T[::-1])
        where, boards = where[order], np.ascontiguousarray(boards[order])
        chosen = np.ascontiguousarray(combo[blocks[where] // 4])
        work = partial(_slice, table, boards, _OPEN[s], chosen, where, hand)
        if len(where):
            work(0)  # compile in one thread before several use it
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            try:
                for done in pool.map(work, range(_SLICE, len(where), _SLICE)):
                    report(run.look, done, len(where), f"hands on street {s}")
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
        run.log(f"street {s}: {len(where):,} blocks, {time.time() - began:.0f}s")
    return block, hand


def _slice(
    table: reading_features.BoardTable, boards: Array, n: int, chosen: Array, where: Array, hand: Array, i: int
) -> int:
    """Write the features of the hands on the boards from ``i`` on into ``hand``; returns the next index."""
    j = min(i + _SLICE, len(where))
    out = np.empty((j - i, chosen.shape[1], reading_features.HAND_SIZE), np.float32)
    sampled_hands_kernel(table, boards, n, chosen, out, i, j)
    hand[where[i:j]] = out
    return j


def make_samples(
    corpus: Corpus, did: Array, parts: tuple[int, ...], reading: Any, run: Run, *, k: int = 32, seed: int = 0
) -> Samples:
    """Samples of some parts; ``reading(hands, positions) -> float32[n, 1326]`` gives readings before the flop."""
    rng = np.random.default_rng(seed)
    cases = postflop_cases(corpus, did)
    cases = keep_cases(cases, np.flatnonzero(np.isin(cases.part, parts)))
    combo = np.empty((len(cases.hand), 1 + k), np.int16)
    weight = np.empty((len(cases.hand), 1 + k), np.float32)
    for i in range(0, len(cases.hand), 4096):
        some = np.arange(i, min(i + 4096, len(cases.hand)))
        small = keep_cases(cases, some)
        combo[some], weight[some] = draw_hands(corpus, small, reading(small.hand, small.position), k, rng)
        report(run.look, i + len(some), len(cases.hand), "hands to tell apart")
    run.log(f"{len(cases.hand):,} cases, {len(cases.decision):,} decisions after the flop")
    block, hand = make_blocks(corpus, cases, combo, run)
    return Samples(cases=cases, combo=combo, weight=weight, block=block, hand=hand)


class KnownGroups(reading_model.TrainedModel):
    """A trained model with the population of every player fixed in advance."""

    def __init__(self, weights: reading_model.ReaderWeights) -> None:
        super().__init__(weights, adapt=False)
        self.groups: list[int] = []

    def group(self, spot: Spot, position: int) -> int:
        return self.groups[position]


#: Readers look only at the betting structure of this game.
_GAMES = (load_game("holdem.nolimit.2p"), load_game("holdem.limit.3p"))


def add_ranges(
    corpus: Corpus, decisions: Decisions, samples: Samples, weights: reading_model.ReaderWeights, look: Progress
) -> Samples:
    """The samples with range features: ``weights`` filter every hand for all its players."""
    cases = samples.cases
    extra = np.zeros((*samples.block.shape, samples.combo.shape[1], reading_model.RANGE_STORED), np.float16)
    public = np.zeros((len(samples.block), reading_model.RANGE_PUBLIC), np.float16)
    case_of = np.repeat(np.arange(len(cases.hand)), np.diff(cases.first))
    place_of = {int(row): (k, int(case_of[k])) for k, row in enumerate(cases.decision)}
    model = KnownGroups(weights)
    hands = np.unique(cases.hand)
    for done, hand in enumerate(hands.tolist()):
        first, end = corpus.first[hand], corpus.first[hand + 1]
        rows = corpus.rows[first:end]
        board = corpus.board[hand].tolist()
        model.groups = corpus.group[hand].tolist()
        last = max((i for i in range(len(rows)) if int(first) + i in place_of), default=-1)
        ranges = np.full((int(rows["players"][0]), COMBOS), 1 / COMBOS)
        for i in range(last + 1):
            street, position, did = int(rows["street"][i]), int(rows["position"][i]), decisions.did[first + i]
            spot = Spot(_GAMES[int(corpus.limit[hand])], rows[: i + 1], tuple(board[: _OPEN[street]]), ranges)
            if int(first) + i in place_of:
                k, case = place_of[int(first) + i]
                of_hands, of_decision = reading_model.range_features(spot)
                extra[k] = of_hands[samples.combo[case]]
                public[k] = of_decision
            if i == last:
                break
            logits = model.logits(spot)
            legal = decisions.legal[first + i][: logits.shape[1]]
            ranges[position] = posterior(ranges[position], reading_features.masked_softmax(logits, legal)[:, did])
        report(look, done + 1, len(hands), "ranges")
    return msgspec.structs.replace(samples, extra=extra, extra_public=public)
