"""The same order of hands as eval7."""

from __future__ import annotations

import eval7
import numpy as np

from dupai.cards import CARD_MASK, RANKS, SUITS, strengths


def test_order_of_a_million_random_hands() -> None:
    rng = np.random.default_rng(11)
    deck = [eval7.Card(r + s) for s in SUITS for r in RANKS]
    ours, theirs = [], []
    for cards, n in ((5, 200_000), (6, 200_000), (7, 600_000)):
        hands = np.argpartition(rng.random((n, 52), dtype=np.float32), cards, axis=1)[:, :cards]
        ours.append(strengths(np.bitwise_or.reduce(CARD_MASK[hands], axis=1)))
        theirs.append(np.fromiter((eval7.evaluate([deck[c] for c in hand]) for hand in hands.tolist()), np.int64, n))
    mine, other = np.concatenate(ours), np.concatenate(theirs)
    assert len(mine) == 1_000_000
    order = np.argsort(mine, kind="stable")
    steps, other_steps = np.diff(mine[order].astype(np.int64)), np.diff(other[order])
    # Ties are ties there too, and every step up is a step up: the two orders are the same.
    assert (other_steps[steps == 0] == 0).all()
    assert (other_steps[steps > 0] > 0).all()
    assert len(np.unique(mine)) > 7_000
