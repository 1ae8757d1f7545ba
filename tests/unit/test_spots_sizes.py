"""Bet sizes: their text, and the one way to chips with its twin for kernels."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dupai.base import ConfigError
from dupai.spots import LEAST, MOST, POT_WORDS, BetSize, Menu, raise_to, raise_to_kernel, size_code


def naive(size: float, called: int, pot: int, low: int, high: int, half_up: bool) -> int:
    if size == LEAST:
        return low
    if size == MOST or size * pot >= high:
        return high
    to = called + math.floor(size * pot + 0.5) if half_up else round(called + size * pot)
    return min(max(to, low), high)


def test_chips_of_a_size_and_the_twin_for_kernels() -> None:
    rng = np.random.default_rng(5)
    sizes = [LEAST, MOST, 0.0, 1 / 3, 0.5, 0.75, 1.0, 2.5, 1e12, math.inf]
    for _ in range(2000):
        called, pot, low, more = (int(x) for x in rng.integers(1, 400, 4))
        size, half_up = sizes[int(rng.integers(len(sizes)))], bool(rng.integers(2))
        expected = naive(size, called, pot, low, low + more, half_up)
        assert raise_to(size, called, pot, low, low + more, half_up=half_up) == expected
        assert raise_to_kernel(size, called, pot, low, low + more, half_up) == expected


@pytest.mark.parametrize("text", ["75%", "33.3%", "2.5x", "120c", "3bb", "e", "2e", "3e150%", "min", "a"])
def test_text_of_sizes_goes_there_and_back(text: str) -> None:
    size = BetSize.parse(text)
    assert size is not None and str(size) == text and BetSize.parse(str(size)) == size


@pytest.mark.parametrize("text", ["", "75", "x", "2.5c", "huge", "-3%", "1e400", "ee"])
def test_what_is_no_size(text: str) -> None:
    assert BetSize.parse(text) is None


def test_one_vocabulary_for_all_that_ask_for_shares_of_the_pot() -> None:
    for word, share in POT_WORDS.items():
        assert BetSize.parse(word) == BetSize("pot", share)
        assert size_code(word) == share
    assert size_code("75%") == size_code("0.75p") == size_code("0.75") == 0.75
    with pytest.raises(ConfigError, match="number of pots"):
        size_code("2.5x")


def test_chips_of_every_kind() -> None:
    chips = {"75%": 175, "2.5x": 250, "120c": 220, "a": 600, "e": 161}
    for text, to in chips.items():
        size = BetSize.parse(text)
        assert size is not None and size.bet(pot=100, faced=100, behind=500, streets=3) == to
    assert Menu((0.5,)).sizes == (POT_WORDS["half"],)
