"""The slow, obvious twin of the postflop solver's passes: one hand at a time, one card at a time, plain recursion.

It takes the tree of the betting and the average strategies from a solver and does everything else by itself: reach,
blockers, showdowns, runouts, payoffs, rake. No board is shared with another one here.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

from dupai.cards import CARDS, COMBO_CARDS, COMBO_PERMUTED, card_text, strength

OOP, IP, FOLD, SHOWDOWN, CHANCE = range(5)


class Twin:
    def __init__(self, solver):
        self.solver = solver
        self.spot = solver.spot
        self.forests = [level.forest for level in solver.levels]
        self.ranges = [
            {int(c): float(w) for c, w in zip(h, ws)}  # noqa: B905
            for h, ws in zip(solver.hands, solver.weights)  # noqa: B905
        ]
        self.strategies = {}

    def strategy(self, path):
        """combo -> frequencies at a node."""
        if path not in self.strategies:
            place = self.solver.place(path)
            level = self.solver.levels[place.level]
            hands = level.boards[place.board].hands[level.forest.kind[place.node]]
            rows = self.solver.strategy(place)
            names = COMBO_PERMUTED[place.renaming][hands]
            self.strategies[path] = {int(c): [float(x) for x in rows[:, i]] for i, c in enumerate(names)}
        return self.strategies[path]

    def root(self, p, respond):
        """Expected chips of player p less half the pot: playing his average strategy, or a best response to the
        other's."""
        total = 0.0
        deals = 0.0
        for hand, weight in self.ranges[p].items():
            other = {h: w for h, w in self.ranges[1 - p].items() if not _share(h, hand)}
            deals += weight * sum(other.values())
            total += weight * self.value(p, 0, self.forests[0].roots[0], "", self.spot.board, hand, other, respond)
        return total / deals

    def value(self, p, level, node, path, board, hand, other, respond):
        """Chips won by ``hand`` less half the pot, summed over the reach of the other's hands."""
        if not other:
            return 0.0
        forest = self.forests[level]
        kind = forest.kind[node]
        if kind in (FOLD, SHOWDOWN):
            return sum(w * self.pay(p, forest, node, board, hand, h) for h, w in other.items())
        if kind == CHANCE:
            below = self.forests[level + 1].roots[forest.tree[node]]
            total = 0.0
            for card in range(CARDS):
                if card in board or card in self.spot.dead or card in COMBO_CARDS[hand]:
                    continue
                left = {
                    h: w / (48 - len(board) - len(self.spot.dead))
                    for h, w in other.items()
                    if card not in COMBO_CARDS[h]
                }
                total += self.value(
                    p, level + 1, below, f"{path}/{card_text(card)}", (*board, card), hand, left, respond
                )
            return total
        children = [
            (f"{path}/{action}", child)
            for action, child in zip(forest.actions(node), forest.children(node))  # noqa: B905
        ]
        mix = self.strategy(path)
        if kind == p:
            values = [self.value(p, level, c, t, board, hand, other, respond) for t, c in children]
            return max(values) if respond else sum(v * m for v, m in zip(values, mix[hand]))  # noqa: B905
        return sum(
            self.value(p, level, c, t, board, hand, {h: w * mix[h][i] for h, w in other.items()}, respond)
            for i, (t, c) in enumerate(children)
        )

    def plans(self, p, hand):
        """Values of every plan that one hand of player p may have on a river, each node of his decided beforehand."""
        forest = self.forests[0]
        mine = [n for n, kind in enumerate(forest.kind) if kind == p]
        paths = {0: ""}
        for n in range(len(forest.kind)):
            if forest.kind[n] <= IP:
                for action, child in zip(forest.actions(n), forest.children(n)):  # noqa: B905
                    paths[child] = f"{paths[n]}/{action}"
        values = []
        for choice in product(*(range(forest.count[n]) for n in mine)):
            taken = dict(zip(mine, choice))  # noqa: B905
            value = 0.0
            for other, weight in self.ranges[1 - p].items():
                if _share(hand, other):
                    continue
                lines = [(0, weight)]
                while lines:
                    n, w = lines.pop()
                    if forest.kind[n] == p:
                        lines.append((forest.first[n] + taken[n], w))
                    elif forest.kind[n] == 1 - p:
                        mix = self.strategy(paths[n])[other]
                        lines += [(forest.first[n] + i, w * m) for i, m in enumerate(mix)]
                    else:
                        value += w * self.pay(p, forest, n, self.spot.board, hand, other)
            values.append(value)
        return values

    def pay(self, p, forest, node, board, mine, his):
        paid = forest.paid[node]
        spot = self.spot
        rake = min(spot.rake * (spot.pot + 2 * min(paid)), spot.rake_cap)
        won = spot.pot / 2 + paid[1 - p] - rake
        lost = -(spot.pot / 2 + paid[p])
        if forest.kind[node] == FOLD:
            return lost if forest.folded[node] == p else won
        win, tie, runouts = outcome(tuple(board), spot.dead, mine, his)
        return (win * won + tie * (-rake / 2) + (runouts - win - tie) * lost) / runouts


def _share(a, b):
    return bool(set(COMBO_CARDS[a].tolist()) & set(COMBO_CARDS[b].tolist()))


@cache
def outcome(board, dead, mine, his):
    """(wins, ties, runouts) of one hand against another over all boards that can follow."""
    a, b = (tuple(COMBO_CARDS[h].tolist()) for h in (mine, his))
    rest = [c for c in range(CARDS) if c not in (*board, *dead, *a, *b)]
    win = tie = n = 0
    for more in combinations(rest, 5 - len(board)):
        full = (*board, *more)
        x, y = _strength(full, a), _strength(full, b)
        win += x > y
        tie += x == y
        n += 1
    return win, tie, n


@cache
def _strength(board, hand):
    return strength((*board, *hand))
