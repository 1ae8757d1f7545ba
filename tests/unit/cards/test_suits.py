"""Suit isomorphism: counts known from the literature, a naive twin, invariance."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numba
import numpy as np
import numpy.typing as npt
import pytest

from dupai import cards as c
from dupai.base import NotationError, Rng
from dupai.cards import kernels
from naive.cards_suits import board_number, canonical, renamed


def test_permutations_of_suits_cards_and_combos_agree() -> None:
    assert kernels.SUIT_PERMUTATIONS.shape == (24, 4)
    assert len({tuple(p) for p in kernels.SUIT_PERMUTATIONS.tolist()}) == 24
    assert kernels.SUIT_PERMUTATIONS[0].tolist() == [0, 1, 2, 3]
    assert (kernels.COMBO_PERMUTED[0] == np.arange(1326)).all()
    assert kernels.COMBO_PERMUTED.dtype == np.int16
    for p, suits in enumerate(kernels.SUIT_PERMUTATIONS.tolist()):
        for card in range(52):
            assert kernels.CARD_PERMUTED[p, card] == suits[card // 13] * 13 + card % 13
        for combo in range(0, 1326, 7):
            a, b = c.COMBO_CARDS[combo]
            assert kernels.COMBO_PERMUTED[p, combo] == c.combo(
                int(kernels.CARD_PERMUTED[p, a]), int(kernels.CARD_PERMUTED[p, b])
            )
        assert (np.sort(kernels.COMBO_PERMUTED[p]) == np.arange(1326)).all()
        assert (c.COMBO_CLASS[kernels.COMBO_PERMUTED[p]] == c.COMBO_CLASS).all()


@pytest.mark.parametrize(("n", "classes"), [(3, 1_755), (4, 16_432)])
def test_boards_up_to_renaming(n: int, classes: int) -> None:
    table = c.board_classes(n)
    assert c.board_classes(n) is table
    assert table.boards.shape == (classes, n)
    assert table.class_of.shape == table.permutation.shape == (comb(52, n),)
    assert table.size.sum() == comb(52, n)
    assert (np.bincount(table.class_of) == table.size).all()
    numbers = [board_number(b) for b in table.boards.tolist()]
    assert numbers == sorted(numbers)
    rng = Rng(n)
    boards = sorted(combinations(range(52), n), key=board_number)
    for _ in range(400):
        number = rng.below(comb(52, n))
        board = boards[number]
        shuffled = list(board)
        rng.shuffle(shuffled)
        assert kernels.board_number_kernel(n, *shuffled, *[0] * (4 - n)) == number
        suits = tuple(kernels.SUIT_PERMUTATIONS[table.permutation[number]].tolist())
        assert renamed(board, suits) == tuple(table.boards[table.class_of[number]].tolist()) == canonical(board)[0]


def test_naive_twin_with_hole_cards() -> None:
    rng = Rng(9)
    deck = list(range(52))
    for k in range(600):
        rng.shuffle(deck)
        n = (0, 3, 4, 5)[k % 4]
        board, hole = deck[:n], deck[n : n + 2]
        if k % 3 == 0:  # monotone and paired boards have the ties
            board = [card % 13 + 13 * (card // 26) for card in board]
            if len({*board, *hole}) < n + 2:
                continue
        made = c.canonical(board, hole)
        assert (made.board, made.hole) == canonical(board, hole)
        suits = tuple(kernels.SUIT_PERMUTATIONS[made.permutation].tolist())
        assert (renamed(board, suits), renamed(hole, suits)) == (made.board, made.hole)
        other = tuple(kernels.SUIT_PERMUTATIONS[rng.below(24)].tolist())
        again = c.canonical(renamed(board, other), renamed(hole, other))
        assert (again.board, again.hole) == (made.board, made.hole)


def test_forms_of_hole_cards_and_board_are_as_many_as_known() -> None:
    canonical_kernel, permuted_kernel = kernels.canonical_kernel, kernels.permuted_kernel

    @numba.njit
    def forms(boards: npt.NDArray[np.uint64], holes: npt.NDArray[np.uint64]) -> int:
        n = 0
        for board in boards:
            for hole in holes:
                if not board & hole:
                    p = canonical_kernel(board, hole)
                    n += permuted_kernel(board, p) == board and permuted_kernel(hole, p) == hole
        return n

    for boards, count in (
        (np.zeros((1, 0), np.uint8), 169),
        (c.board_classes(3).boards, 1_286_792),
        (c.board_classes(4).boards, 13_960_050),
    ):
        masks = np.bitwise_or.reduce(c.CARD_MASK[boards], axis=1, initial=np.uint64(0))
        assert forms(masks, c.COMBO_MASK) == count


def test_text_in_and_refusals() -> None:
    assert c.canonical("2c", "AsKd") == c.canonical((0,), (51, 24))
    for wrong, said in ((("AsAs",), "card As stands twice"), (("As", "As"), "card As stands twice"), (((99,),), "99")):
        with pytest.raises(NotationError, match=said):
            c.canonical(*wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="boards of 5 cards have no table"):
        c.board_classes(5)
