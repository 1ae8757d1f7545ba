"""The boards of each street: the hands that each side can hold there, and which boards differ by suits only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from dupai.base.arrays import F64, I16, U8
from dupai.cards import CARD_MASK, CARDS, COMBO_MASK, mask_of
from dupai.cards.kernels import CARD_PERMUTED, COMBO_PERMUTED
from dupai.cfr.postflop._kernels import setup
from dupai.cfr.postflop._spot import SolveSpot

_NONE: I16 = np.zeros(0, np.int16)
#: Part of the pot by which values of hands alike but for suits may differ (rounding).
VALUES_ALIKE = 1e-3


def padded(n: int) -> int:
    """The next multiple of 16."""
    return (n + 15) & ~15


class Board(NamedTuple):
    """A board with the possible hands of both players.

    Attributes:
        cards: the cards dealt since the start of the spot.
        parent: number of the board on the street above.
        hands: combos of each player (int16), on a river by strength.
        permutations: renamings of suits (rows of ``SUIT_PERMUTATIONS``) that lead to the boards that it represents; the
            first is the identity.
        kids: (first, count) of the boards below.
        card_tables: cards of each hand, ``uint8[n, 2]``.
        same: place of the same combo among the opponent's hands.
        places: by renaming, the hands' places on the board above.
        groups: on a river, where the groups of equal strength end, ``int16[:, 2]``.
        orbits: by player, hands that the symmetry of suits makes equal, as (number, their places) one after another.
    """

    cards: tuple[int, ...]
    parent: int
    hands: tuple[I16, ...]
    permutations: Sequence[int]
    card_tables: tuple[U8, ...]
    same: tuple[I16, ...]
    places: tuple[I16, ...]
    groups: I16
    kids: tuple[int, int] = (0, 0)
    orbits: tuple[I16, I16] = (_NONE, _NONE)


def symmetries(spot: SolveSpot) -> list[int]:
    """Renamings of suits that change neither the board nor the ranges (the identity first)."""
    sets = [sorted(spot.board), sorted(spot.dead)]
    out = []
    for k in range(len(CARD_PERMUTED)):
        if any(sorted(CARD_PERMUTED[k][some].tolist()) != some for some in sets):
            continue
        if all(np.array_equal(r.weights, r.weights[COMBO_PERMUTED[k]]) for r in spot.ranges):
            out.append(k)
    return out


def tells_suits_apart(spot: SolveSpot, rows: Iterable[F64], close: float) -> bool:
    """Whether hands that are alike in a spot but for the names of suits get different numbers (``float64[1326]`` each,
    nan the same as nan), by more than ``close``: then its boards have to be solved one by one."""
    renamings = [COMBO_PERMUTED[k] for k in symmetries(spot)[1:]]
    return any(not np.allclose(row, row[k], rtol=0, atol=close, equal_nan=True) for row in rows for k in renamings)


def make_boards(spot: SolveSpot, streets: int, symmetric: bool = True) -> list[list[Board]]:
    """All boards to solve, street by street; ``symmetric``: boards that differ by suits only are solved once."""
    group = symmetries(spot) if symmetric and streets > 1 else [0]
    mask = mask_of(spot.board)
    possible = COMBO_MASK & np.uint64(mask_of(spot.gone)) == 0
    ranges = [np.flatnonzero((r.weights != 0) & possible).astype(np.int16) for r in spot.ranges]
    levels = [[_make_board(mask, (), 0, ranges, (), (0,))]]
    groups = [group]
    for _ in range(streets - 1):
        above = levels[-1]
        below: list[Board] = []
        below_groups = []
        for number, parent in enumerate(above):
            held = mask | mask_of(parent.cards)
            taken = held | mask_of(spot.dead)
            first = len(below)
            index = _index(parent.hands[0]), _index(parent.hands[1])
            for card, renamings in _classes(taken, groups[number]):
                cards = (*parent.cards, card)
                below.append(_make_board(held | int(CARD_MASK[card]), cards, number, parent.hands, index, renamings))
                below_groups.append([k for k in groups[number] if CARD_PERMUTED[k][card] == card])
            pair = _orbits(parent.hands[0], groups[number]), _orbits(parent.hands[1], groups[number])
            above[number] = parent._replace(kids=(first, len(below) - first), orbits=pair)
        levels.append(below)
        groups = below_groups
    return levels


def _orbits(hands: I16, group: list[int]) -> I16:
    if len(group) < 2:
        return _NONE
    index = _index(hands)
    images = np.sort([index[COMBO_PERMUTED[k][hands]] for k in group], axis=0)
    out: list[int] = []
    for i in np.flatnonzero((images[0] == np.arange(len(hands))) & (images[-1] > images[0])):
        members = sorted(set(images[:, i].tolist()))
        out += [len(members), *members]
    return np.array(out, np.int16)


def _index(hands: I16) -> I16:
    """The index of each combo in a list of hands, -1 for combos that are not in it."""
    index = np.full(1326, -1, np.int16)
    index[hands] = np.arange(len(hands))
    return index


def _classes(taken: int, group: list[int]) -> list[tuple[int, tuple[int, ...]]]:
    """Cards that can come, one of each class under the group, with the renamings that lead to the others."""
    out = []
    seen = taken
    for card in range(CARDS):
        if seen & int(CARD_MASK[card]):
            continue
        renamings = []
        for k in group:
            image = int(CARD_PERMUTED[k][card])
            if not seen & int(CARD_MASK[image]):
                seen |= int(CARD_MASK[image])
                renamings.append(k)
        out.append((card, tuple(renamings)))
    return out


def _make_board(
    mask: int,
    cards: tuple[int, ...],
    parent: int,
    above: Sequence[I16],
    index: Sequence[I16],
    renamings: tuple[int, ...],
) -> Board:
    """A board from the hands of the board above and their ``index``; ``mask`` has all cards."""
    river = mask.bit_count() == 5
    hands, strengths = [], []
    for candidates in above:
        out, strength = np.empty(len(candidates), np.int16), np.empty(len(candidates), np.int16)
        n = setup.hands_kernel(np.uint64(mask), river, candidates, out, strength)
        hands.append(out[:n])
        strengths.append(strength[:n])
    groups = np.empty((0, 2), np.int16)
    if river:
        groups = np.empty((len(hands[0]) + len(hands[1]) + 1, 2), np.int16)
        groups = groups[: setup.groups_kernel(strengths[0], strengths[1], groups)].copy()
    tables, same, places = [], [], []
    scratch = np.empty(1326, np.int16)
    for p, (mine, yours) in enumerate((hands, hands[::-1])):
        n, m = len(mine), len(yours)
        tables.append(np.empty((n, 2), np.uint8))
        same.append(np.empty(n, np.int16))
        setup.tables_kernel(mine, n, yours, m, padded(m), tables[p], same[p], scratch)
        places.append(np.tile(np.arange(n, dtype=np.int16), (len(renamings), 1)))
        for i, k in enumerate(renamings if index else ()):
            setup.places_kernel(mine, n, COMBO_PERMUTED[k], index[p], places[p][i])
    return Board(cards, parent, tuple(hands), renamings, tuple(tables), tuple(same), tuple(places), groups)
