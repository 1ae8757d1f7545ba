"""Cards, combos and the 169 classes: text both ways, fixed orders, refusals."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest

from dupai import cards as c
from dupai.base import NotationError
from dupai.cards import kernels


def test_cards_are_suit_times_13_plus_rank() -> None:
    assert [c.card(t) for t in ("2c", "Ac", "2d", "2h", "2s", "As", "Th", "10h")] == [0, 12, 13, 26, 39, 51, 34, 34]
    assert [c.card_text(c.card(c.card_text(k))) for k in range(52)] == [r + s for s in "cdhs" for r in "23456789TJQKA"]
    assert c.card("aS") == c.card("As") == 51
    assert c.card_text(c.NO_CARD) == "??"


def test_lists_of_cards() -> None:
    assert c.cards("AsKd") == c.cards("As Kd") == c.cards("As,Kd") == (51, 24)
    assert c.cards("10c2d") == (8, 13)
    assert c.cards("") == ()
    assert c.cards_text((51, 24, 255)) == "AsKd??"


def test_a_board_for_kernels() -> None:
    for board, full in (((), [255] * 5), ((51, 24, 3), [51, 24, 3, 255, 255]), (range(5), [0, 1, 2, 3, 4])):
        found = c.board_array(board)
        assert found.tolist() == full and found.dtype == np.uint8
    assert c.board_array(np.array([7, 8, 9, 10], np.uint8)).tolist() == [7, 8, 9, 10, 255]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("AsAs", "card As stands twice"),
        ("AsXx", "'Xx' in 'AsXx' is not a card"),
        ("AsK", "'AsK' is not a list of cards"),
    ],
)
def test_bad_lists_of_cards_are_quoted(text: str, said: str) -> None:
    with pytest.raises(NotationError, match=said):
        c.cards(text)


@pytest.mark.parametrize("text", ["", "1s", "Ax", "AsK", "11h", "100h"])
def test_what_is_no_card_is_quoted(text: str) -> None:
    with pytest.raises(NotationError, match=f"'{text}' is not a card"):
        c.card(text)


def test_masks_have_four_lanes_of_sixteen_bits() -> None:
    assert len({int(m) for m in c.CARD_MASK}) == 52
    for k in range(52):
        assert int(c.CARD_MASK[k]) == 1 << (k // 13 * 16 + k % 13)
        assert c.cards_of(int(c.CARD_MASK[k])) == (k,)
    assert c.mask_of(range(52)) == kernels.DECK_MASK
    assert c.cards_of(c.mask_of((51, 3, 255, 20))) == (3, 20, 51)
    for wrong, said in (((3, 3), "card 5c stands twice"), ((52,), "52 is not a card"), ((-1,), "-1 is not a card")):
        with pytest.raises(NotationError, match=said):
            c.mask_of(wrong)


def test_combos_are_colexicographic() -> None:
    pairs = list(combinations(range(52), 2))
    assert len(pairs) == c.COMBOS == comb(52, 2)
    for a, b in pairs:
        index = b * (b - 1) // 2 + a
        assert c.combo(a, b) == c.combo(b, a) == c.COMBO_INDEX[a, b] == index
        assert tuple(c.COMBO_CARDS[index]) == (a, b)
        assert int(c.COMBO_MASK[index]) == c.mask_of((a, b))
        assert c.combo(c.combo_text(index)) == index
    assert (np.diag(c.COMBO_INDEX) == -1).all()
    assert c.combo_text(c.combo("KdAs")) == "AsKd"
    assert c.combo_text(c.combo("QcQs")) == "QsQc"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("As",), "holds 1 cards"),
        (("AsKd2c",), "holds 3 cards"),
        ((5, 5), "card 7c cannot be both"),
        ((5,), "5 and None are not two hole cards"),
        ((5, 52), "5 and 52 are not two hole cards"),
    ],
)
def test_bad_combos(given: tuple[int | str, ...], said: str) -> None:
    with pytest.raises(NotationError, match=said):
        c.combo(*given)  # type: ignore[arg-type]


def test_classes_are_the_grid_with_aces_first() -> None:
    assert len(c.CLASS_TEXT) == c.CLASSES == 169
    assert [c.class_index(t) for t in ("AA", "AKs", "AKo", "KK", "22")] == [0, 1, 13, 14, 168]
    for k in range(169):
        row, col = divmod(k, 13)
        text = c.class_text(k)
        assert text[:2] == c.RANKS[12 - min(row, col)] + c.RANKS[12 - max(row, col)]
        assert text[2:] == ("" if row == col else "s" if col > row else "o")
        assert c.CLASS_SIZE[k] == {"": 6, "s": 4, "o": 12}[text[2:]]
    for combo in range(1326):
        high, low = (card_text for card_text in (c.combo_text(combo)[:2], c.combo_text(combo)[2:]))
        suited = "" if high[0] == low[0] else "s" if high[1] == low[1] else "o"
        assert c.class_text(int(c.COMBO_CLASS[combo])) == high[0] + low[0] + suited
    with pytest.raises(NotationError, match="'KAs' is not a starting-hand class"):
        c.class_index("KAs")


def test_tables_cannot_be_written() -> None:
    for name in c.__all__:
        table = getattr(c, name)
        if isinstance(table, np.ndarray):
            assert not table.flags.writeable, name
