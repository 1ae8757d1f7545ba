"""Numbers and structures that the search's kernels and their Python faces share."""

from __future__ import annotations

from collections import namedtuple
from typing import NamedTuple

import numpy as np

from dupai.rules import MAX_PLAYERS, STATE_DTYPE

#: Kinds of nodes.
NODE_KINDS = range(4)
DECISION, OPPONENT, CHANCE, LEAF = NODE_KINDS

#: Rules of selection at our own nodes.
UCT, UCB_TUNED, THOMPSON = range(3)
SELECTIONS = {"uct": UCT, "ucb-tuned": UCB_TUNED, "thompson": THOMPSON}
#: What becomes of a simulation that has left the tree: it is played out, or the hand is judged as it stands.
PLAY, STRENGTH, POTENTIAL, EFFECTIVE = range(4)
#: How our side plays when played out.
RANDOM, ODDS = range(2)

#: Longest way from the root to the end of a hand, in nodes.
LONGEST = 4096
#: Win rates on the river that are remembered (a power of two).
MEMO = 1 << 16
#: A search checks every so many simulations whether those left can still change the choice.
LOOK = 32
#: Boards that an all-in is averaged over, where bets have sizes.
BOARDS = 8
#: Most actions at a node.
MAX_ACTIONS = 16


class Tree(namedtuple("Tree", "used kind options links key action visits value square")):
    """The search tree as a struct of arrays; node 0 is the root, and children have larger numbers than their parents.

    ``used`` ``int64[1]``: how many nodes there are. By node: ``kind`` (DECISION, OPPONENT, CHANCE, LEAF); ``options``
    number of actions (0: not yet counted); ``links`` parent, first child, next sibling, number of children (-1: none);
    ``key`` what the child is to its parent: the number of the action, or the class of cards; ``action`` the action
    that leads here, kind + 4 * total; ``visits``; ``value`` the sum over visits of everybody's winnings, by position;
    ``square`` the sum of the squares of ours.
    """


def new_tree(nodes: int, players: int) -> Tree:
    """An empty tree with room for ``nodes`` (memory is touched only as they are used)."""
    key, action, visits = (np.zeros(nodes, np.int64) for _ in range(3))
    kind, options = (np.zeros(nodes, np.int8) for _ in range(2))
    links, value, square = np.zeros((nodes, 4), np.int32), np.zeros((nodes, players)), np.zeros(nodes)
    return Tree(np.zeros(1, np.int64), kind, options, links, key, action, visits, value, square)


def node_bytes(players: int) -> int:
    """Memory of one node."""
    return 2 + 16 + 4 * 8 + 8 * players


class Selection(NamedTuple):
    """How an action is selected at our own nodes: our position, the rule, visits of a node for each further action, C,
    the unit that C counts in (for hold'em big blinds), and whether a node's mean is the plain one of its children."""

    me: int
    rule: int
    window: int
    c: float
    unit: float
    plain: bool = False


class Settings(NamedTuple):
    """How to search. ``modelled``: opponents act by the model; ``at_leaf``: their hands are drawn at showdowns;
    ``exact_cards``: every cards are a child of a chance node, instead of ``classes`` of our win rate; ``widening``:
    exponent of the visits that gives the number of those children; ``plain``: a node's mean is that of its children,
    whatever their visits."""

    selection: int
    c: float
    modelled: bool
    at_leaf: bool
    exact_cards: bool
    playout: int
    cut_off: int
    window: int
    widening: float
    classes: int
    sizes: tuple[float, ...]
    can_fold: bool
    megabytes: float
    plain: bool


class Rules(NamedTuple):
    """The part of the :class:`Settings` that kernels take. ``sized``: opponents' raises have sizes by the model;
    ``weighed``: their answers to an all-in are weighed instead of drawn."""

    modelled: bool
    at_leaf: bool
    exact_cards: bool
    playout: int
    cut_off: int
    widening: float
    classes: int
    can_fold: bool
    sized: bool
    weighed: bool


class Plan(namedtuple("Plan", "how rules root spec sizes chance other tables raises groups")):
    """What a search does not change.

    ``how`` and ``rules``; ``root`` ``STATE_DTYPE[1]``, ``spec`` ``SPEC_DTYPE[1]``; ``sizes`` ``float64[k]``: raises as
    fractions of the pot after the call, rising, inf for all-in; ``chance`` ``float64[10, 1326]`` and ``other``
    ``int16[10, 1326]``: alias tables of everybody's hands; ``tables`` ``float64[10, 4, 11, B, 3]``: P(fold, call, raise
    | street, facing, bucket) by position; ``raises`` ``float64[10, 2, B, 4]``: P(class of size | raise, before the flop
    or after, bucket); ``groups`` ``int64[1326]``: buckets before the flop.
    """


class Work(namedtuple("Work", "s backup codes path payoffs won combo bucket seen used tags rates")):
    """Scratch of a simulation: the hand ``s`` (``backup``: as it stood before both answers to an all-in are tried);
    ``codes`` of actions; the ``path`` of nodes; ``payoffs`` as the rules count them (where a hand is cut off, how far
    everybody's chips reach) and ``won`` in big blinds; ``combo`` of every position; ``bucket`` of every position on
    street ``seen`` (-1: not yet known); ``used`` cards, as a mask; remembered river win rates (``tags``, ``rates``)."""


def new_work() -> Work:
    """Room for simulations."""
    s, backup = (np.zeros(1, STATE_DTYPE) for _ in range(2))
    codes, path = np.zeros(MAX_ACTIONS, np.int64), np.zeros(LONGEST, np.int64)
    payoffs, combo, bucket, seen = (np.full(MAX_PLAYERS, k, np.int64) for k in (0, 0, 0, -1))
    used, tags = np.zeros(1, np.uint64), np.zeros(MEMO, np.uint64)
    won, rates = np.zeros(MAX_PLAYERS), np.zeros(MEMO)
    return Work(s, backup, codes, path, payoffs, won, combo, bucket, seen, used, tags, rates)
