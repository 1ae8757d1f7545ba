"""Counting betting sequences: by our kernels, by the plain twin, by PokerKit and by universal_poker.

As perft counts chess moves: the number of sequences of exactly ``d`` actions, every raise size counted; cards do not
matter. A finished hand has no longer sequences.
"""

from __future__ import annotations

import copy
import re
from collections import Counter, deque

import numba
import numpy as np

from conformance.openspiel_engine import Dealer
from conformance.pokerkit_engine import Oracle
from conformance.test_rules_pokerkit import raise_difference
from dupai.cards import cards, cards_text
from dupai.rules import (
    CALL,
    FOLD,
    RAISE,
    STATE_DTYPE,
    Action,
    GameSpec,
    HandState,
    apply_kernel,
    copy_kernel,
    legal_kernel,
)
from naive.rules_engine import NaiveHand

#: Any cards will do: hands of ten players and a board.
DECK = tuple(cards("2c3c4c5c6c7c8c9cTcJcQcKc2d3d4d5d6d7d8d9dAh2sAs7hTh"))


class PerftGame:
    """One game of a ``.perft`` file: ``counts`` by depth, and what else is said of it."""

    def __init__(self, name, line):
        self.name = name
        words = line.split()
        self.betting = words[0]
        given = dict(w.split("=") for w in words[1:])
        ints = {k: tuple(map(int, v.split(","))) for k, v in given.items() if k != "rules"}
        rules = given["rules"]
        self.stacks = ints["stacks"]
        n = len(self.stacks)
        self.spec = GameSpec(
            players=n,
            betting=self.betting,
            blinds=ints["blinds"],
            stacks=tuple(max(s, b) for s, b in zip(self.stacks, ints["blinds"], strict=True)),
            antes=ints.get("antes", ()),
            bet_sizes=ints.get("sizes", ()),
            max_raises=ints.get("caps", (255,) * 4 if rules == "acpc" else ()),
            odd_chips=rules,
            min_raise=rules,
        )
        self.counts = {}
        self.hands = None
        self.decisions = None
        #: PokerKit's counts by depth where they differ, and the classes of the differences.
        self.pokerkit = {}
        self.classes = ()


def read_perft(path):
    """The games of a file."""
    games = []
    for line in path.read_text(encoding="utf-8").splitlines():
        key, _, rest = line.partition(" ")
        if not line or key == "#":
            continue
        if key == "id":
            name = rest
        elif key == "game":
            games.append(PerftGame(name, rest))
        elif key == "perft":
            depth, count = rest.split()
            games[-1].counts[int(depth)] = int(count)
        elif key == "hands":
            games[-1].hands = int(rest)
        elif key == "decisions":
            games[-1].decisions = tuple(map(int, rest.split()))
        elif key == "pokerkit":
            depth, count, classes = re.fullmatch(r"(\d+) (\d+) (.+)", rest).groups()
            games[-1].pokerkit[int(depth)] = int(count)
            games[-1].classes = tuple(classes.split("; "))
        else:
            raise ValueError(f"{path.name}: {line!r}")
    return games


@numba.njit(nogil=True)
def _count(states, spec, depth, counts, finished, decisions):
    """Depth first; ``states[d]`` is the hand after ``d`` actions, ``at[d]`` its next action: 0 fold, 1 call, 2 + k
    a raise by k more than the least, -1 none yet."""
    at = np.zeros(depth + 1, np.int64)
    d = 0
    at[0] = -1
    while d >= 0:
        s = states[d : d + 1]
        if at[d] < 0:  # first seen
            counts[d] += 1
            if s[0]["finished"] != 0:
                finished[d] += 1
                d -= 1
                continue
            decisions[s[0]["street"]] += 1
            at[d] = 0
        if d == depth:
            d -= 1
            continue
        fold, _, lo, hi = legal_kernel(s, spec)
        k = at[d]
        at[d] += 1
        kind, to = RAISE, lo + k - 2
        if k == 0:
            if fold == 0:
                continue
            kind, to = FOLD, np.int64(0)
        elif k == 1:
            kind, to = CALL, np.int64(0)
        elif hi == 0 or to > hi:
            d -= 1
            continue
        child = states[d + 1 : d + 2]
        copy_kernel(s, child)
        apply_kernel(child, spec, kind, to)
        d += 1
        at[d] = -1


def count(game, depth):
    """By our kernels: sequences by length (0 to ``depth``), finished ones by length, decisions by street."""
    states = np.zeros(depth + 1, STATE_DTYPE)
    states[:1] = HandState(game.spec, stacks=game.stacks).state
    counts, finished, decisions = np.zeros(depth + 1, np.int64), np.zeros(depth + 1, np.int64), np.zeros(4, np.int64)
    _count(states, game.spec.array, depth, counts, finished, decisions)
    return counts.tolist(), finished.tolist(), tuple(decisions.tolist())


def actions(fold, lo, hi):
    """All legal ones."""
    if fold:
        yield Action(FOLD)
    yield Action(CALL)
    if hi:
        yield from (Action(RAISE, to) for to in range(lo, hi + 1))


def _walk(node, depth, legal, act, counts, level=0):
    counts[level] += 1
    if level == depth:
        return
    options = legal(node)
    for action in options:
        _walk(act(node, action), depth, legal, act, counts, level + 1)


def count_by_twin(game, depth):
    """By the plain engine of ``naive/``."""
    n = game.spec.players
    holes = [cards_text(DECK[2 * i : 2 * i + 2]) for i in range(n)]

    def legal(hand):
        fold, _, lo, hi = hand.legal()
        return () if hand.over else actions(fold, lo, hi)

    def act(hand, action):
        new = copy.copy(hand)
        for name, value in vars(hand).items():
            if isinstance(value, list | set | dict) and name not in ("hole", "board"):
                setattr(new, name, value.copy())
        new.act(*action)
        return new

    counts = [0] * (depth + 1)
    _walk(NaiveHand(game.spec, game.stacks, holes, cards_text(DECK[-5:])), depth, legal, act, counts)
    return counts


def count_by_universal_poker(game, depth):
    """By OpenSpiel."""
    limit = game.betting == "limit"
    root = Dealer(game.spec, [*DECK[: 2 * game.spec.players], *DECK[-5:]])

    def legal(dealer):
        if dealer.actor < 0:
            return ()
        fold, lo, hi = dealer.legal()
        return actions(fold, lo, hi)

    def act(dealer, action):
        new = copy.copy(dealer)
        new.state = dealer.state.clone()
        new.deck = dealer.deck.copy()
        new.act(*action)
        return new

    assert limit == root.limit
    counts = [0] * (depth + 1)
    _walk(root, depth, legal, act, counts)
    return counts


def _pokerkit_copy(oracle):
    new = copy.copy(oracle)
    new.board = oracle.board.copy()
    new.pk = pk = copy.copy(oracle.pk)
    for name, value in vars(pk).items():
        if isinstance(value, list):
            vars(pk)[name] = [v.copy() if isinstance(v, list | deque | set) else v for v in value]
        elif isinstance(value, deque | set | dict):
            vars(pk)[name] = value.copy()
    return new


def count_by_pokerkit(game, depth):
    """By PokerKit, in step with our engine while both play the same: (counts, classes of the differences met).

    Where only PokerKit has an action (or still asks), it goes on alone.
    """
    n = game.spec.players
    holes = [DECK[2 * i : 2 * i + 2] for i in range(n)]
    root = HandState(game.spec, holes, DECK[-5:], game.stacks)
    counts, classes = [0] * (depth + 1), Counter()

    def legal(node):
        state, oracle = node
        if oracle.actor < 0:
            assert state is None or state.finished
            return ()
        fold, to_call, lo, hi = oracle.legal()
        if state is None:
            return actions(fold, lo, hi)
        if state.finished:
            assert oracle.nothing_to_decide()
            classes["nothing to decide"] += 1
            return actions(fold, lo, hi)
        assert (state.actor, *state.legal[:2]) == (oracle.actor, fold, to_call)
        if state.legal[2:] != (lo, hi):
            reason = raise_difference(state, oracle.pk)
            assert reason is not None
            classes[reason] += 1
        return actions(fold, lo, hi)

    def act(node, action):
        state, oracle = node
        oracle = _pokerkit_copy(oracle)
        oracle.act(*action)
        if state is not None:
            state = state.copy() if not state.finished and action in state.legal else None
        if state is not None:
            state.apply(action)
        return state, oracle

    _walk((root, Oracle(game.spec, game.stacks, holes, DECK[-5:])), depth, legal, act, counts)
    return counts, classes
