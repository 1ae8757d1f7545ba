"""The postflop solver as a textbook has it: one hand at a time, one card at a time, plain recursion.

Read :meth:`Twin.value` first: what a hand wins from a node on, against the hands that the opponent may hold there. A
best response and an expectation need no more. :class:`Learner` is the same recursion with regrets, which is
counterfactual regret minimisation.

Both take the tree of the betting from a solver; :class:`Twin` takes its average strategies too. Everything else they
work out by themselves: reach, blockers, showdowns, runouts, payoffs, rake. A *range* is a dictionary from a hand (combo
index) to its weight; a *path* names a node by the actions and cards that lead to it.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

from dupai.cards import CARDS, COMBO_CARDS, card_text, strength
from dupai.cards.kernels import COMBO_PERMUTED

OOP, IP, FOLD, SHOWDOWN, CHANCE = range(5)


class Game:
    """The tree of the betting, the ranges of both players, and what a hand wins at the end."""

    def __init__(self, solver):
        self.spot = solver.spot
        self.forests = [level.forest for level in solver.levels]
        self.ranges = [
            {int(hand): float(weight) for hand, weight in zip(hands, weights, strict=True)}
            for hands, weights in zip(solver.hands, solver.weights, strict=True)
        ]

    def steps(self, street, node, path):
        """The path and the node that each action of a node leads to."""
        forest = self.forests[street]
        actions = zip(forest.actions(node), forest.children(node), strict=True)
        return [(f"{path}/{action}", child) for action, child in actions]

    def pay(self, player, street, node, board, mine, theirs):
        """Chips that the player's hand wins at the end of a hand, less half the starting pot."""
        forest, spot = self.forests[street], self.spot
        paid = forest.paid[node]
        rake = min(spot.rake * (spot.pot + 2 * min(paid)), spot.rake_cap)
        won = spot.pot / 2 + paid[1 - player] - rake
        lost = -(spot.pot / 2 + paid[player])
        if forest.kind[node] == FOLD:
            return lost if forest.folded[node] == player else won
        wins, ties, runouts = outcome(tuple(board), spot.dead, mine, theirs)
        return (wins * won + ties * (-rake / 2) + (runouts - wins - ties) * lost) / runouts


class Twin(Game):
    """Values of the average strategies of a solver."""

    def __init__(self, solver):
        super().__init__(solver)
        self.solver = solver
        self.strategies = {}

    def strategy(self, path):
        """The frequencies of each action at a node, by hand."""
        if path not in self.strategies:
            place = self.solver.place(path)
            level = self.solver.levels[place.level]
            hands = level.boards[place.board].hands[level.forest.kind[place.node]]
            rows = self.solver.strategy(place)
            names = COMBO_PERMUTED[place.renaming][hands]
            self.strategies[path] = {int(hand): [float(x) for x in rows[:, i]] for i, hand in enumerate(names)}
        return self.strategies[path]

    def root(self, player, respond):
        """Chips that a player expects to win, less half the pot: by the average strategy, or by a best response."""
        total = deals = 0.0
        for hand, weight in self.ranges[player].items():
            others = {other: w for other, w in self.ranges[1 - player].items() if not share_a_card(hand, other)}
            deals += weight * sum(others.values())
            value = self.value(player, 0, self.forests[0].roots[0], "", self.spot.board, hand, others, respond)
            total += weight * value
        return total / deals

    def value(self, player, street, node, path, board, hand, others, respond):
        """Chips that a hand of the player wins from a node on, less half the pot, summed over the range ``others`` with
        which the opponent gets there. ``respond``: the player takes the best action at every node."""
        if not others:
            return 0.0
        kind = self.forests[street].kind[node]
        if kind in (FOLD, SHOWDOWN):
            return sum(w * self.pay(player, street, node, board, hand, other) for other, w in others.items())
        if kind == CHANCE:
            below = self.forests[street + 1].roots[self.forests[street].tree[node]]
            total = 0.0
            for card in range(CARDS):
                if card in board or card in self.spot.dead or card in COMBO_CARDS[hand]:
                    continue
                chance = 1 / (48 - len(board) - len(self.spot.dead))
                left = {other: w * chance for other, w in others.items() if card not in COMBO_CARDS[other]}
                after = f"{path}/{card_text(card)}", (*board, card)
                total += self.value(player, street + 1, below, *after, hand, left, respond)
            return total
        mix = self.strategy(path)
        values = []
        for action, (after, child) in enumerate(self.steps(street, node, path)):
            # Where the opponent acts, each of their hands goes on as often as it takes the action.
            left = others if kind == player else {other: w * mix[other][action] for other, w in others.items()}
            values.append(self.value(player, street, child, after, board, hand, left, respond))
        if kind != player:
            return sum(values)
        return max(values) if respond else sum(v * share for v, share in zip(values, mix[hand], strict=True))

    def plans(self, player, hand):
        """Values of every plan that one hand may have on a river, each of the player's nodes decided beforehand."""
        forest = self.forests[0]
        own_nodes = [node for node, kind in enumerate(forest.kind) if kind == player]
        paths = {0: ""}
        for node, kind in enumerate(forest.kind):
            if kind <= IP:
                paths |= {child: path for path, child in self.steps(0, node, paths[node])}
        values = []
        for choices in product(*(range(forest.count[node]) for node in own_nodes)):
            plan = dict(zip(own_nodes, choices, strict=True))
            value = 0.0
            for other, weight in self.ranges[1 - player].items():
                if share_a_card(hand, other):
                    continue
                lines = [(0, weight)]
                while lines:
                    node, w = lines.pop()
                    if forest.kind[node] == player:
                        lines.append((forest.first[node] + plan[node], w))
                    elif forest.kind[node] == 1 - player:
                        mix = self.strategy(paths[node])[other]
                        lines += [(forest.first[node] + i, w * m) for i, m in enumerate(mix)]
                    else:
                        value += w * self.pay(player, 0, node, self.spot.board, hand, other)
            values.append(value)
        return values


class Learner(Game):
    """Discounted counterfactual regret minimisation of a river (Brown & Sandholm 2019, AAAI, section 4).

    ``regrets`` and ``sums``: by path and hand, a number for each action.
    """

    def __init__(self, solver):
        super().__init__(solver)
        self.regrets, self.sums = {}, {}

    def iterate(self, discount):
        """One iteration: first player 0 learns against player 1, then the other way round.

        ``discount``: factors of positive regrets, of negative regrets and of the sums.
        """
        for player in (OOP, IP):
            for hand in self.ranges[player]:
                others = {o: w for o, w in self.ranges[1 - player].items() if not share_a_card(hand, o)}
                self.learn(player, 0, "", hand, others, discount)

    def learn(self, player, node, path, hand, others, discount):
        """The value of a node for one hand, as :meth:`Twin.value`; on the way its regrets grow by what each action
        would have won more than the mix that is played."""
        kind = self.forests[0].kind[node]
        if kind in (FOLD, SHOWDOWN):
            return sum(w * self.pay(player, 0, node, self.spot.board, hand, other) for other, w in others.items())
        steps = self.steps(0, node, path)
        if kind != player:
            mixes = {other: self.mix(path, other, len(steps)) for other in others}
            return sum(
                self.learn(player, c, p, hand, {o: w * mixes[o][i] for o, w in others.items()}, discount)
                for i, (p, c) in enumerate(steps)
            )
        mix = self.mix(path, hand, len(steps))
        values = [self.learn(player, child, after, hand, others, discount) for after, child in steps]
        value = sum(v * share for v, share in zip(values, mix, strict=True))
        positive, negative, fade = discount
        regrets, sums = self.regrets[path, hand], self.sums.setdefault((path, hand), [0.0] * len(steps))
        for i, won in enumerate(values):
            regrets[i] = regrets[i] * (positive if regrets[i] > 0 else negative) + won - value
            sums[i] = sums[i] * fade + mix[i]
        return value

    def mix(self, path, hand, actions):
        """Regret matching: each action in proportion to its positive regret; all alike where there is none."""
        regrets = self.regrets.setdefault((path, hand), [0.0] * actions)
        gains = [max(r, 0.0) for r in regrets]
        return [g / sum(gains) for g in gains] if sum(gains) > 0 else [1 / actions] * actions

    def average(self, path, hand):
        """The average strategy of a hand, which is what comes near an equilibrium."""
        sums = self.sums[path, hand]
        return [s / sum(sums) for s in sums]


def share_a_card(a, b):
    """Whether two hands cannot be dealt together."""
    return bool(set(COMBO_CARDS[a].tolist()) & set(COMBO_CARDS[b].tolist()))


@cache
def outcome(board, dead, mine, theirs):
    """(wins, ties, runouts) of one hand against another over all boards that can follow."""
    a, b = (tuple(COMBO_CARDS[hand].tolist()) for hand in (mine, theirs))
    rest = [card for card in range(CARDS) if card not in (*board, *dead, *a, *b)]
    wins = ties = runouts = 0
    for more in combinations(rest, 5 - len(board)):
        x, y = (_strength((*board, *more), hand) for hand in (a, b))
        wins += x > y
        ties += x == y
        runouts += 1
    return wins, ties, runouts


@cache
def _strength(board, hand):
    return strength((*board, *hand))
