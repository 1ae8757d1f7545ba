"""Numbers and arrays that the search's kernels and their Python faces share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

#: Kinds of nodes.
DECISION, OPPONENT, CHANCE, LEAF = range(4)

#: How a decision is selected.
UCT, UCB_TUNED, THOMPSON = range(3)
#: What becomes of a simulation that has left the tree: it is played out, or the hand is judged as it stands.
PLAY, STRENGTH, POTENTIAL, EFFECTIVE = range(4)
#: How our side plays when played out.
RANDOM, ODDS = range(2)

#: Places in the plan's integers.
(ME, SELECTION, MODELLED, AT_LEAF, EXACT_CARDS, PLAYOUT, CUT_OFF, CAN_FOLD, WINDOW, RATES, SIZED, WEIGHED) = range(12)
FLAGS = 12
#: Places in the plan's floats: C, the unit that it counts in (big blinds), the exponent of widening.
C_PLACE, UNIT, WIDENING = range(3)

#: Longest way from the root to the end of a hand, in nodes.
LONGEST = 4096
#: Win rates on the river that are remembered (a power of two).
MEMO = 1 << 16
#: After how many simulations it is looked whether those that are left can still change the choice.
LOOK = 32
#: Boards that an all-in is averaged over, where bets have sizes.
BOARDS = 8
#: Most actions at a node.
MOST_ACTIONS = 16


class Tree(NamedTuple):
    """The search tree as a struct of arrays; node 0 is the root, and children have larger numbers than their parents.

    ``used`` ``int64[1]``: how many nodes there are. By node: ``kind`` (DECISION, OPPONENT, CHANCE, LEAF); ``options``
    how many actions there are (0: not looked at yet); ``links`` parent, first child, next brother, number of children
    (-1: none); ``key`` what the child is to its parent: the number of the action, or the class of cards; ``action`` the
    action that leads here, kind + 4 * total; ``visits``; ``value`` the sum over visits of what every player won, by
    position; ``square`` the sum of the squares of our entry.
    """

    used: np.ndarray
    kind: np.ndarray
    options: np.ndarray
    links: np.ndarray
    key: np.ndarray
    action: np.ndarray
    visits: np.ndarray
    value: np.ndarray
    square: np.ndarray


def new_tree(nodes: int, players: int) -> Tree:
    """An empty tree with room for ``nodes`` (memory is only touched as they are used)."""
    return Tree(
        np.zeros(1, np.int64),
        np.zeros(nodes, np.int8),
        np.zeros(nodes, np.int8),
        np.zeros((nodes, 4), np.int32),
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int64),
        np.zeros((nodes, players)),
        np.zeros(nodes),
    )


def node_bytes(players: int) -> int:
    """Memory of one node."""
    return 2 + 16 + 4 * 8 + 8 * players


class Plan(NamedTuple):
    """What a search does not change.

    ``root`` ``STATE_DTYPE[1]``, ``spec`` ``SPEC_DTYPE[1]``; ``sizes`` ``float64[k]``: raises as fractions of the pot
    after the call, rising, inf for all-in; ``flags`` and ``reals`` as the places above say; ``chance`` ``float64[10,
    1326]`` and ``other`` ``int16[10, 1326]``: alias tables of what everybody holds; ``tables`` ``float64[10, 4, 11,
    B, 3]``: P(fold, call, raise | street, facing, bucket) by position; ``raises`` ``float64[10, 2, B, 4]``: P(class of
    size | raise, before the flop or after, bucket); ``groups`` ``int64[1326]``: buckets before the
    flop.
    """

    root: np.ndarray
    spec: np.ndarray
    sizes: np.ndarray
    flags: np.ndarray
    reals: np.ndarray
    chance: np.ndarray
    other: np.ndarray
    tables: np.ndarray
    raises: np.ndarray
    groups: np.ndarray


class Work(NamedTuple):
    """What a simulation works on: the hand ``s`` (``kept``: as it stood before both answers to an all-in are tried);
    ``codes`` of actions; the ``path`` of nodes; ``payoffs`` as the rules count them and ``won`` in big blinds;
    ``combo`` held by every position; ``bucket`` of every position on street ``seen`` (-1: not worked out); ``used``
    cards, as a mask; remembered river win rates (``tags``, ``rates``)."""

    s: np.ndarray
    kept: np.ndarray
    codes: np.ndarray
    path: np.ndarray
    payoffs: np.ndarray
    won: np.ndarray
    combo: np.ndarray
    bucket: np.ndarray
    seen: np.ndarray
    used: np.ndarray
    tags: np.ndarray
    rates: np.ndarray
