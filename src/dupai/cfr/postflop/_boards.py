"""The boards of each street: which hands each side may hold there, and how boards that differ by suits are shared."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.cards import CARD_MASK, CARD_PERMUTED, CARDS, COMBO_PERMUTED, mask_of
from dupai.cfr.postflop._kernels import setup
from dupai.cfr.postflop._spot import SolveSpot

I16 = npt.NDArray[np.int16]
U8 = npt.NDArray[np.uint8]


_NONE: I16 = np.zeros(0, np.int16)


def padded(n: int) -> int:
    """The next multiple of 16."""
    return (n + 15) & ~15


class Board(NamedTuple):
    """A board with the hands that both ranges leave on it.

    Attributes:
        cards: the cards dealt since the start of the spot.
        parent: number of the board on the street above.
        hands: combos of each player (int16), on a river by strength.
        permutations: renamings of suits (rows of ``SUIT_PERMUTATIONS``) that lead to the boards it stands for; the
            first is the identity.
        kids: (first, count) of the boards below.
        orbits: by player, hands that suits alike make equal, as (how many, their places) one after another.
    """

    cards: tuple[int, ...]
    parent: int
    hands: tuple[I16, I16]
    permutations: tuple[int, ...]
    kids: tuple[int, int]
    card_tables: tuple[U8, U8]
    same: tuple[I16, I16]
    places: tuple[I16, I16]
    groups: I16
    orbits: tuple[I16, I16]


def symmetries(spot: SolveSpot) -> list[int]:
    """Renamings of suits under which the board and both ranges stay what they are (the identity first)."""
    sets = [sorted(spot.board), sorted(spot.dead)]
    out = []
    for k in range(len(CARD_PERMUTED)):
        if any(sorted(CARD_PERMUTED[k][some].tolist()) != some for some in sets):
            continue
        if all(np.array_equal(r.weights, r.weights[COMBO_PERMUTED[k]]) for r in spot.ranges):
            out.append(k)
    return out


def make_boards(spot: SolveSpot, streets: int, symmetric: bool = True) -> list[list[Board]]:
    """All boards that have to be solved, street by street; ``symmetric`` shares those that differ by suits."""
    group = symmetries(spot) if symmetric and streets > 1 else [0]
    mask = mask_of(spot.board)
    ranges = [np.flatnonzero(r.without(spot.gone).weights).astype(np.int16) for r in spot.ranges]
    maker = _Maker(len(spot.board))
    levels = [[maker.make(mask, (), 0, (ranges[0], ranges[1]), None, (0,))]]
    groups = [group]
    for _ in range(streets - 1):
        above = levels[-1]
        below: list[Board] = []
        below_groups = []
        for number, parent in enumerate(above):
            held = mask | mask_of(parent.cards)
            taken = held | mask_of(spot.dead)
            first = len(below)
            index = _index(parent.hands)
            for card, renamings in _classes(taken, groups[number]):
                cards = (*parent.cards, card)
                below.append(maker.make(held | int(CARD_MASK[card]), cards, number, parent.hands, index, renamings))
                below_groups.append([k for k in groups[number] if CARD_PERMUTED[k][card] == card])
            pair = _orbits(parent.hands[0], groups[number]), _orbits(parent.hands[1], groups[number])
            above[number] = parent._replace(kids=(first, len(below) - first), orbits=pair)
        levels.append(below)
        groups = below_groups
    return levels


def _orbits(hands: I16, group: list[int]) -> I16:
    if len(group) < 2:
        return _NONE
    index = np.full(1326, -1, np.int16)
    index[hands] = np.arange(len(hands))
    images = np.sort([index[COMBO_PERMUTED[k][hands]] for k in group], axis=0)
    out: list[int] = []
    for i in np.flatnonzero((images[0] == np.arange(len(hands))) & (images[-1] > images[0])):
        members = sorted(set(images[:, i].tolist()))
        out += [len(members), *members]
    return np.array(out, np.int16)


def _index(hands: tuple[I16, I16]) -> tuple[I16, I16]:
    out = []
    for some in hands:
        index = np.full(1326, -1, np.int16)
        index[some] = np.arange(len(some))
        out.append(index)
    return out[0], out[1]


def _classes(taken: int, group: list[int]) -> list[tuple[int, tuple[int, ...]]]:
    """Cards that may come, one of each class under the group, with the renamings that lead to the others."""
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


class _Maker:
    def __init__(self, board_cards: int) -> None:
        self._start = board_cards
        self._index = np.empty(1326, np.int16)

    def make(
        self,
        mask: int,
        cards: tuple[int, ...],
        parent: int,
        above: tuple[I16, I16],
        index: tuple[I16, I16] | None,
        permutations: tuple[int, ...],
    ) -> Board:
        river = self._start + len(cards) == 5
        hands = []
        strengths = []
        for some in above:
            out = np.empty(len(some), np.int16)
            strength = np.empty(len(some), np.int16)
            n = setup.hands_kernel(np.uint64(mask), river, some, out, strength)
            hands.append(out[:n])
            strengths.append(strength[:n])
        groups = np.empty((0, 2), np.int16)
        if river:
            groups = np.empty((len(hands[0]) + len(hands[1]) + 1, 2), np.int16)
            groups = groups[: setup.groups_kernel(strengths[0], strengths[1], groups)].copy()
        tables = []
        same = []
        places = []
        for p in range(2):
            n = len(hands[p])
            card_table = np.empty((n, 2), np.uint8)
            where = np.empty(n, np.int16)
            other = hands[1 - p]
            setup.tables_kernel(hands[p], n, other, len(other), padded(len(other)), card_table, where, self._index)
            tables.append(card_table)
            same.append(where)
            to = np.empty((len(permutations), n), np.int16)
            for i, k in enumerate(permutations):
                if index is None:
                    to[i] = np.arange(n)
                else:
                    setup.places_kernel(hands[p], n, COMBO_PERMUTED[k], index[p], to[i])
            places.append(to)
        return Board(
            cards,
            parent,
            (hands[0], hands[1]),
            permutations,
            (0, 0),
            (tables[0], tables[1]),
            (same[0], same[1]),
            (places[0], places[1]),
            groups,
            (_NONE, _NONE),
        )
