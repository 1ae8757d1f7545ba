"""Bet sizes: their text, and the one way to chips with its twin for kernels."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dupai.base import ConfigError
from dupai.base.arrays import AnyArray
from dupai.rules import GameSpec
from dupai.spots import (
    POT_WORDS,
    SPOT_DTYPE,
    BetSize,
    Menu,
    SizeTable,
    Spot,
    raise_to,
    raise_to_kernel,
    size_class_kernel,
    size_code,
)  # fmt: skip

MIN_RAISE, MAX_RAISE = size_code("min"), size_code("max")


def naive(size: float, called: int, pot: int, low: int, high: int, half_up: bool) -> int:
    if size == MIN_RAISE:
        return low
    if size == MAX_RAISE or size * pot >= high:
        return high
    to = called + math.floor(size * pot + 0.5) if half_up else round(called + size * pot)
    return min(max(to, low), high)


def test_chips_of_a_size_and_the_twin_for_kernels() -> None:
    rng = np.random.default_rng(5)
    sizes = [MIN_RAISE, MAX_RAISE, 0.0, 1 / 3, 0.5, 0.75, 1.0, 2.5, 1e12, math.inf]
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


def test_sizes_that_no_short_percentage_holds_go_there_and_back_too() -> None:
    for text in ("third", "two-thirds", "0.007p", "1.0000000000007x", "33.33333333333333333%", *POT_WORDS):
        size = BetSize.parse(text)
        assert size is not None and BetSize.parse(str(size)) == size, text
    assert all(BetSize.parse(str(BetSize("pot", k / 1000))) == BetSize("pot", k / 1000) for k in range(1, 3000))


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


def random_rows(n: int) -> AnyArray:
    rng = np.random.default_rng(11)
    rows = np.zeros(n, SPOT_DTYPE)
    for name in ("pot", "to_call", "total", "stack", "bet", "big_blind", "min_to"):
        rows[name] = rng.integers(1, 400, n)
    rows["to_call"] *= rng.integers(0, 2, n)
    rows["bet"] = np.minimum(rows["bet"], rows["total"])
    rows["max_to"] = rows["total"] + rows["stack"]
    rows["pot"][:5] = rows["to_call"][:5] = 0
    return rows


@pytest.mark.parametrize(
    "menu",
    [
        Menu((0.5, 1.0, 2.0), (0.75, 1.5), all_in=True),
        Menu((0.25, 0.5, 1.6), all_in=True, measure="to"),
        Menu((1.0,)),
        Menu((), all_in=True),
    ],
)
def test_classes_of_many_raises_and_the_twin_for_kernels(menu: Menu) -> None:
    rows = random_rows(500)
    to = rows["total"][:, None] + np.random.default_rng(12).integers(1, 700, (500, 3)).astype(np.float64)
    to[::7, 0] = (rows["total"] + rows["stack"])[::7]
    many = menu.columns_of_raises(rows, to)
    spec = GameSpec.no_limit(2, (1, 2), 200)
    for i in range(len(rows)):
        spot = Spot(spec, rows[i : i + 1], (), None, (0, 1))
        expected = [menu.column_of_raise(spot, int(x)) for x in to[i]]
        assert many[i].tolist() == expected
        if menu.all_in and menu.sizes and menu.measure == "by":
            facts = [int(rows[i][name]) for name in ("total", "stack", "to_call", "pot")]
            assert [2 + size_class_kernel(int(x), *facts, menu.edges) for x in to[i]] == expected


def test_a_table_of_sizes_comes_to_the_same_chips_as_one_size() -> None:
    sizes = [BetSize("pot", 0.66), BetSize("blinds", 3.0), BetSize("times", 2.5), BetSize("min"), BetSize("allin")]
    rows = random_rows(200)
    table = SizeTable(sizes).totals(rows)
    for row, totals in zip(rows, table, strict=True):
        called, before = int(row["total"] + row["to_call"]), int(row["total"] - row["bet"])
        low, high = int(row["min_to"]), int(row["max_to"])
        faced, pot = int(row["bet"] + row["to_call"]), int(row["pot"] + row["to_call"])
        assert max(low, min(high, round(totals[0]))) == max(low, raise_to(0.66, called, pot, low, high))
        assert totals[1] == 3 * row["big_blind"]
        assert abs(totals[2] - before - sizes[2].bet(pot, faced, 0, 1)) <= 0.5
        assert totals[3:].tolist() == [low, high]
