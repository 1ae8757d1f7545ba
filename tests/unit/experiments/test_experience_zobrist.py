"""The published hash table of hand ranks: complete, without a false hit, in the order of our evaluator."""

from itertools import combinations

import numpy as np
import pytest

from dupai.base import ConfigError, NotationError
from dupai.cards import (
    CARD_MASK,
    hand_value_table,
    strengths,
)
from dupai.experiments._experience._zobrist import (
    ZOBRIST_HANDS,
    ZOBRIST_ROW,
    ZobristTable,
    stored_hands,
    zobrist_collisions,
    zobrist_keys,
)
from naive.cards_zobrist import Table


@pytest.fixture(scope="module")
def table() -> ZobristTable:
    return ZobristTable(base=32, overflow=32, seed=3)


@pytest.fixture(scope="module")
def sevens() -> np.ndarray:
    rng = np.random.default_rng(8)
    return np.argsort(rng.random((1_000_000, 52), np.float32), axis=1)[:, :7].astype(np.uint8)


def values(hands: np.ndarray) -> np.ndarray:
    return hand_value_table()[strengths(np.bitwise_or.reduce(CARD_MASK[hands], axis=1))]


def test_a_row_has_sixteen_bytes() -> None:
    assert ZOBRIST_ROW.itemsize == 16


def test_every_five_cards(table: ZobristTable) -> None:
    """All 2,598,960 hands: the stored ones are found with their values, no other is found."""
    hands = np.fromiter((c for five in combinations(range(52), 5) for c in five), np.uint8).reshape(-1, 5)
    true = values(hands)
    assert np.count_nonzero(true >> 20) == ZOBRIST_HANDS
    # A high card is read off its ranks, so a false hit would show as another value.
    assert (table.values(hands) == true).all()


def test_a_million_of_seven_cards(table: ZobristTable, sevens: np.ndarray) -> None:
    assert (table.values(sevens) == values(sevens)).all()


def test_six_cards(table: ZobristTable, sevens: np.ndarray) -> None:
    six = sevens[:50_000, :6]
    assert (table.values(six) == values(six)).all()


def test_collisions_are_those_of_the_filled_table(table: ZobristTable) -> None:
    assert zobrist_collisions(3, 32) == table.collisions
    key, check, _ = stored_hands(zobrist_keys(3))
    # The overflow table holds them all, and no two hands have the same check word.
    assert np.count_nonzero(table.overflow["used"]) == table.collisions
    assert np.count_nonzero(table.base["used"]) + table.collisions == ZOBRIST_HANDS
    assert len(np.unique(check)) == ZOBRIST_HANDS
    assert key.max() < 1 << 32


def test_collisions_lie_near_the_birthday_estimate() -> None:
    """Of n hands thrown into s slots ``n - s (1 - (1 - 1/s)**n)`` find theirs taken; the mean of 12 seeds is near."""
    keys = [stored_hands(zobrist_keys(seed))[0] for seed in range(12)]
    for megabytes in (16, 64):
        slots = megabytes * 65_536
        expected = ZOBRIST_HANDS - slots * (1 - (1 - 1 / slots) ** ZOBRIST_HANDS)
        found = [zobrist_collisions(seed, megabytes, key) for seed, key in enumerate(keys)]
        assert np.mean(found) == pytest.approx(expected, rel=0.05)


def test_naive_twin() -> None:
    """A dictionary with small tables, filled with some of the hands."""
    from dupai.experiments._experience._kernels import fill_kernel, zobrist_values_kernel

    keys = zobrist_keys(11)
    deck = [0, 1, 2, 3, 4, 5, 13, 14, 15, 26, 28, 39]
    hands = list(combinations(deck, 5))
    naive = Table(keys, 256, 1024, hands)
    stored = [h for h in hands if naive.find(h)]
    words = np.array([naive.words(h) for h in stored], np.uint64)
    true = np.array([naive.find(h) for h in stored], np.uint32)
    base, overflow = np.zeros(256, ZOBRIST_ROW), np.zeros(1024, ZOBRIST_ROW)
    collisions = fill_kernel(words[:, 0].copy(), words[:, 1].copy(), true, base, overflow)
    assert collisions == naive.collisions
    assert {int(s): int(c) for s, c in enumerate(base["check"]) if base["used"][s]} == {
        s: c for s, (c, _) in naive.base.items()
    }
    assert {int(s): int(c) for s, c in enumerate(overflow["check"]) if overflow["used"][s]} == {
        s: c for s, (c, _) in naive.overflow.items()
    }
    rng = np.random.default_rng(0)
    seven = np.array([rng.choice(deck, 7, replace=False) for _ in range(200)], np.uint8)
    out = np.empty(200, np.uint32)
    zobrist_values_kernel(seven, keys.key, keys.check, base, overflow, out)
    assert out.tolist() == [naive.value(h.tolist()) for h in seven]


def test_a_full_overflow_table_is_refused() -> None:
    with pytest.raises(ConfigError, match="an overflow table of 1 MB cannot hold"):
        ZobristTable(base=1, overflow=1)


@pytest.mark.parametrize("size", [0, 3, 100])
def test_sizes(size: int) -> None:
    with pytest.raises(ConfigError, match=f"a table of {size} MB: expected a power of two"):
        ZobristTable(base=size)


def test_hands_that_are_none(table: ZobristTable) -> None:
    with pytest.raises(NotationError, match=r"hands of shape \[1, 4\]"):
        table.values([[0, 1, 2, 3]])
    with pytest.raises(NotationError, match="60 is not a card"):
        table.values([[0, 1, 2, 3, 60]])
