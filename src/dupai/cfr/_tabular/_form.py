"""The sequence form of a game, laid out for kernels.

B. von Stengel, "Efficient computation of behavior strategies", Games and Economic Behavior 14 (1996). A player's
*sequence* is its last action (or that it has not acted). A player's strategy is a weight for each of its sequences, and
every terminal of the game contributes its payoff times the weights of the last sequences. Terminals with the same
sequences are added up; symmetric information sets are merged (:mod:`dupai.cfr._tabular._symmetry`). Information sets of
a player at the same depth with the same number of actions (in poker: one public state, all private hands) lie next to
each other, action by action, so that the kernels work on vectors of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from dupai.base import ConfigError, Progress
from dupai.base.arrays import F64, I64, U32, U64, AnyArray
from dupai.cfr._tabular._symmetry import Colours, numbered, plain_colours, refine
from dupai.cfr._tabular._tree import GameTree, write_out
from dupai.games import Game, TabularPolicy

#: (information, actions) -> probabilities.
Policy = Callable[[Hashable, Sequence[int]], Sequence[float]]


class Layout(NamedTuple):
    """The sequence form as arrays; sequences and information sets of all players stand in one row each.

    Indices are unsigned, which is faster in kernels. ``sizes`` ``int64[players + 1]``: sequences of player p are
    ``sizes[p]:sizes[p + 1]``, the empty one first.
    ``groups`` ``uint64[g, 4]``: first information set, number of sets, actions each, first sequence: action a of the
    j-th set is sequence ``first + a * number + j``; parents before children; of player p
    ``group_of[p]:group_of[p + 1]``.
    ``parent`` ``uint32[sets]``: the sequence that leads to a set, ``times``: how many sets of this colour it leads to.
    ``blocks`` ``uint64[b, 4]``: first entry of ``rows``, number of rows, terms of each row, first term; of player p
    ``block_of[p]:block_of[p + 1]``; term k of the r-th row is ``first + k * number + r``. The value of sequence
    ``rows[r]`` is the sum over its terms of ``worth`` times the weights of the sequences ``others[:, term]`` of the
    other players in ascending order.
    ``sets``, ``sequences``: the tree's set and sequence that stand here; ``many``: how many sequences of the tree each
    represents; ``place``: of every sequence of the tree its place here.
    """

    sizes: I64
    groups: U64
    group_of: I64
    parent: U32
    times: F64
    blocks: U64
    block_of: I64
    rows: U32
    others: U32
    worth: F64
    sets: I64
    sequences: I64
    many: F64
    place: I64


def lay_out(tree: GameTree, colours: Colours) -> Layout:
    """Arrange a tree for the vector kernels, one member for each colour."""
    sets, players = tree.sets, tree.players
    counts = np.diff(sets.start)
    depth = np.zeros(len(counts), np.int64)
    owner = np.repeat(np.arange(len(counts)), counts)
    for i, parent in enumerate(sets.parent):
        if parent >= players:
            depth[i] = depth[owner[parent - players]] + 1
    # The first member of every colour.
    chosen = np.unique(colours.information, return_index=True)[1].astype(np.int64)
    chosen = chosen[np.lexsort((chosen, counts[chosen], depth[chosen], sets.player[chosen]))]
    groups: list[tuple[int, int, int, int]] = []
    group_of, sizes = [0], [0]
    place_of_colour = np.full(int(colours.sequence.max()) + 1, -1, np.int64)
    sequences: list[int] = []
    for p in range(players):
        place_of_colour[colours.sequence[p]] = len(sequences)
        sequences.append(p)
        own = np.flatnonzero(sets.player[chosen] == p)
        keys = depth[chosen[own]] * 4096 + counts[chosen[own]]
        for key in np.unique(keys):
            members = own[keys == key]
            k = int(key % 4096)
            groups.append((int(members[0]), len(members), k, len(sequences)))
            for a in range(k):
                actions = sets.start[chosen[members]] + players + a
                place_of_colour[colours.sequence[actions]] = len(sequences) + np.arange(len(actions))
                sequences.extend(actions.tolist())
        group_of.append(len(groups))
        sizes.append(len(sequences))
    place = place_of_colour[colours.sequence]
    taken = np.array(sequences, np.int64)
    # How many sets of a colour hang on the sequence that represents their parents.
    leads = taken[place[sets.parent]] == sets.parent
    times = np.bincount(colours.information[leads], minlength=int(colours.information.max(initial=-1)) + 1)
    return Layout(
        np.array(sizes, np.int64),
        np.array(groups, np.uint64).reshape(-1, 4),
        np.array(group_of, np.int64),
        place[sets.parent[chosen]].astype(np.uint32),
        times[colours.information[chosen]].astype(np.float64),
        *_terms(tree, place, taken),
        chosen,
        taken,
        np.bincount(place, minlength=len(taken)).astype(np.float64),
        place,
    )


def _terms(tree: GameTree, place: I64, taken: I64) -> tuple[U64, I64, U32, U32, F64]:
    """``blocks``, ``block_of``, ``rows``, ``others`` and ``worth`` of a layout: blocks of rows with equally many
    terms."""
    blocks: list[tuple[int, int, int, int]] = []
    block_of = [0]
    rows: list[AnyArray] = [np.zeros(0, np.int64)]
    terms: list[AnyArray] = [np.zeros((tree.players - 1, 0), np.int64)]
    worths: list[F64] = [np.zeros(0)]
    row_count = term_count = 0
    for p in range(tree.players):
        mine = np.flatnonzero(taken[place[tree.ends[:, p]]] == tree.ends[:, p])
        columns = [place[tree.ends[mine, q]] for q in (p, *(q for q in range(tree.players) if q != p))]
        number, first = numbered(*columns)
        worth = np.bincount(number, tree.payoffs[mine, p] * tree.reach[mine], len(first))
        columns, worth = [c[first[worth != 0.0]] for c in columns], worth[worth != 0.0]
        own, start, width = np.unique(columns[0], return_index=True, return_counts=True)
        for w in np.unique(width):
            these = np.flatnonzero(width == w)
            picked = (start[these][None, :] + np.arange(w)[:, None]).ravel()
            blocks.append((row_count, len(these), int(w), term_count))
            rows.append(own[these])
            terms.append(np.array([c[picked] for c in columns[1:]], np.int64).reshape(-1, len(picked)))
            worths.append(worth[picked])
            row_count += len(these)
            term_count += len(picked)
        block_of.append(len(blocks))
    return (
        np.array(blocks, np.uint64).reshape(-1, 4),
        np.array(block_of, np.int64),
        np.concatenate(rows).astype(np.uint32),
        np.ascontiguousarray(np.concatenate(terms, axis=1).astype(np.uint32)),
        np.concatenate(worths),
    )


@dataclass(frozen=True)
class CompiledGame:
    """A game as flat arrays, made by :func:`compile_game`. Reuse it to solve a game several times."""

    tree: GameTree

    @property
    def name(self) -> str:
        """The game's own name."""
        return self.tree.name

    @property
    def players(self) -> int:
        """Number of players."""
        return self.tree.players

    @property
    def information_sets(self) -> int:
        """Number of information sets of all players."""
        return len(self.tree.sets.player)

    @property
    def distinct_sets(self) -> int:
        """Number of information sets when symmetric ones count once."""
        return len(self.reduced.sets)

    @cached_property
    def colours(self) -> Colours:
        """Which sequences and information sets are symmetric."""
        return refine(self.tree)

    @cached_property
    def reduced(self) -> Layout:
        """The sequence form with symmetric sets merged."""
        return lay_out(self.tree, self.colours)

    @cached_property
    def full(self) -> Layout:
        """The sequence form with every information set on its own (for strategies that are not symmetric)."""
        return lay_out(self.tree, plain_colours(self.tree))

    def policy_rows(self, policies: Sequence[Policy]) -> F64:
        """Probabilities of all actions (numbered as in the tree) under the policies of all players.

        Raises:
            ConfigError: not one policy for each player, or a policy that does not give probabilities.
        """
        if len(policies) != self.players:
            raise ConfigError(f"{len(policies)} policies: {self.name} has {self.players} players", key="policies")
        sets = self.tree.sets
        rows = np.zeros(int(sets.start[-1]))
        for i, (key, actions) in enumerate(zip(sets.keys, sets.actions, strict=True)):
            row = np.asarray(policies[int(sets.player[i])](key, actions), np.float64)
            if row.shape != (len(actions),) or not (row >= 0).all() or abs(row.sum() - 1) > 1e-6:
                raise ConfigError(
                    f"policy at {key!r}: {row.tolist()}: expected {len(actions)} probabilities", key="policies"
                )
            rows[sets.start[i] : sets.start[i + 1]] = row / row.sum()
        return rows

    def placed(self, rows: F64) -> F64:
        """Probabilities of all actions (numbered as in the tree) in the order of :attr:`full`."""
        return np.concatenate([np.ones(self.players), rows])[self.full.sequences]

    def policies(self, rows: F64) -> tuple[TabularPolicy, ...]:
        """One policy for each player, from probabilities of all actions (numbered as in the tree)."""
        sets = self.tree.sets
        tables: list[dict[Hashable, tuple[float, ...]]] = [{} for _ in range(self.players)]
        values = rows.tolist()
        for i, key in enumerate(sets.keys):
            tables[int(sets.player[i])][key] = tuple(values[sets.start[i] : sets.start[i + 1]])
        return tuple(TabularPolicy(table) for table in tables)


def compile_game(game: Game[Any], *, most_states: int = 5_000_000, progress: Progress | None = None) -> CompiledGame:
    """Turn a game into flat arrays (about 100,000 states a second).

    Args:
        game: a game for any number of players, with perfect recall.
        most_states: refuse larger games.
        progress: told of the number of states.

    Raises:
        ConfigError: the game is too large, or has no perfect recall.
        KeyboardInterrupt: ``progress`` was cancelled.
    """
    return CompiledGame(write_out(game, most_states=most_states, progress=progress))
