"""Symmetry of a game, found by colour refinement: which information sets can be merged without loss.

Sequences and information sets get colours. Two of equal colour have equally many children of every colour, and the same
sum of payoffs against every combination of colours of the opponents' sequences (an *equitable partition*, as in
M. Grohe et al., "Dimension reduction via colour refinement", ESA 2014, applied to the sequence form). If all strategies
are equal within a colour, so are all counterfactual values. Regret minimisation from the uniform strategy therefore
keeps them equal, and one member represents each colour. In Leduc hold'em, for example, the suits disappear: 936
information sets become 288.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from dupai.base.arrays import I64
from dupai.cfr._tabular._tree import GameTree

#: Decimals to which sums of payoffs are compared, relative to the largest payoff.
_DECIMALS = 11


class Colours(NamedTuple):
    """``sequence`` ``int64[players + actions]`` and ``information`` ``int64[sets]``: colours, from 0; players share
    none."""

    sequence: I64
    information: I64


def plain_colours(tree: GameTree) -> Colours:
    """A colour of its own for everything."""
    sets = tree.sets
    return Colours(np.arange(tree.players + int(sets.start[-1])), np.arange(len(sets.player)))


def numbered(*columns: I64) -> tuple[I64, I64]:
    """Number the distinct rows of a table, given by its columns: each row's number, and the first row of each number.

    Numbers ascend with the rows in lexicographic order.
    """
    order = np.lexsort(columns[::-1])
    new = np.ones(len(order), np.bool_)
    if len(order):
        new[1:] = np.any([c[order][1:] != c[order][:-1] for c in columns], axis=0)
    number = np.empty(len(order), np.int64)
    number[order] = np.cumsum(new) - 1
    return number, order[new]


def _bags(owner: I64, item: I64, owners: int) -> I64:
    """Colour owners by their multisets of items."""
    order = np.lexsort((item, owner))
    owner, item = owner[order], item[order]
    start = np.searchsorted(owner, np.arange(owners + 1))
    known: dict[bytes, int] = {}
    data = np.ascontiguousarray(item)
    return np.array([known.setdefault(data[a:b].tobytes(), len(known)) for a, b in pairwise(start)])


class _Terms:
    """The payoffs of the terminals to one player, by sequences."""

    def __init__(self, tree: GameTree, player: int) -> None:
        others = [p for p in range(tree.players) if p != player]
        self.own = tree.ends[:, player]
        self.others = [tree.ends[:, p] for p in others]
        self.worth = tree.payoffs[:, player] * tree.reach
        self.scale = float(np.abs(self.worth).max(initial=0.0)) or 1.0

    def bags(self, colour: I64, sequences: int) -> I64:
        """Colour sequences by their payoffs against every combination of the others' colours."""
        number, first = numbered(self.own, *[colour[o] for o in self.others])
        worth = np.round(np.bincount(number, self.worth, len(first)) / self.scale, _DECIMALS) + 0.0
        keep = worth != 0.0
        first = first[keep]
        item, _ = numbered(*[colour[o][first] for o in self.others], worth[keep].view(np.int64))
        return _bags(self.own[first], item, sequences)


def refine(tree: GameTree) -> Colours:
    """The coarsest equitable colouring."""
    sets, players = tree.sets, tree.players
    sequences = players + int(sets.start[-1])
    counts = np.diff(sets.start)
    owner = np.repeat(np.arange(len(counts)), counts)
    action = np.arange(len(owner)) - sets.start[:-1][owner]
    terms = [_Terms(tree, p) for p in range(players)]
    sequence = np.concatenate([np.arange(players), sets.player[owner]]).astype(np.int64)
    information = sets.player.astype(np.int64)
    before = -1
    while True:
        columns = [sequence, _bags(sets.parent, information, sequences)]
        columns += [term.bags(sequence, sequences) for term in terms]
        set_of = np.concatenate([np.full(players, -1, np.int64), information[owner]])
        place = np.concatenate([np.full(players, -1, np.int64), action])
        sequence, _ = numbered(*columns, set_of, place)
        own = _bags(owner, sequence[players:] * (int(counts.max(initial=0)) + 1) + action, len(counts))
        information, _ = numbered(information, counts, sequence[sets.parent], own)
        colours = int(sequence.max()) + int(information.max(initial=0))
        if colours == before:
            return Colours(sequence, information)
        before = colours
