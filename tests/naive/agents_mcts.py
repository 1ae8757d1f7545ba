"""The search of ``mcts`` written plainly: nodes are objects, a hand is replayed for every step. Same draws, same tree.

And what a hand on the river is worth exactly against a player whose hands and habits are known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from dupai.cards import COMBO_CARDS, cards_text, strength
from dupai.equity import win_rate
from dupai.rules import CALL, FOLD, RAISE, Action, HandState
from naive.reading_bucket import naive_price

HIDDEN = 255


@dataclass
class Node:
    kind: str
    key: int = 0
    action: Action | None = None
    visits: int = 0
    value: list[float] = field(default_factory=list)
    square: float = 0.0
    children: list[Node] = field(default_factory=list)


def state_of(view) -> HandState:
    state = HandState(view.spec, None, (), view.start_stacks, view.seats, view.hand)
    for _, _, action in view.actions:
        state.apply(action)
    return state


def choices(state, sizes, can_fold) -> list[Action]:
    """Check or call, raises from small to large, fold."""
    legal = state.legal
    found = [Action(CALL)]
    if legal.can_raise:
        if legal.min_to == legal.max_to:
            found.append(Action(RAISE, legal.max_to))
        else:
            after = state.contributions[state.actor] + legal.to_call
            pot = state.pot + legal.to_call
            for size in sizes:
                to = legal.max_to
                if size * pot < legal.max_to:
                    to = min(max(round(after + size * pot), legal.min_to), legal.max_to)
                if found[-1].to != to:
                    found.append(Action(RAISE, to))
    if legal.fold and can_fold:
        found.append(Action(FOLD))
    return found


class NaiveSearch:
    """``plan``: that of the kernels, for what is the same by nature: options, alias tables, the opponents' table."""

    def __init__(self, view, plan, settings, buckets_of, rng) -> None:
        self.view, self.plan, self.s, self.buckets_of, self.rng = view, plan, settings, buckets_of, rng
        self.me = view.actor
        self.unit = float(plan.how.unit)
        self.root = Node("decision", value=[0.0] * view.spec.players)

    def run(self, simulations: int) -> None:
        for _ in range(simulations):
            self.simulate()

    # cards ------------------------------------------------------------------------------------------------------------

    def draw_hands(self, used: set[int]) -> None:
        while True:
            taken, hands = set(used), {}
            for p in self.others:
                u = self.rng.uniform() * 1326.0
                i = int(u)
                combo = i if u - i < self.plan.chance[p, i] else int(self.plan.other[p, i])
                two = set(COMBO_CARDS[combo].tolist())
                if two & taken:
                    break
                taken |= two
                hands[p] = combo
            else:
                self.hands = hands
                return

    def used(self) -> set[int]:
        held = {c for combo in self.hands.values() for c in COMBO_CARDS[combo].tolist()}
        return set(self.view.hole) | set(self.board) | held

    def open(self, cards: int) -> None:
        while len(self.board) < cards:
            c = self.rng.below(52)
            if c not in self.used():
                self.board.append(c)

    def rate(self, hole) -> float:
        street = self.state.street
        return float(win_rate(tuple(int(c) for c in hole), tuple(self.board[: street + 2 if street else 0])))

    # players ----------------------------------------------------------------------------------------------------------

    def bucket(self, p: int) -> int:
        if self.state.street == 0:
            return int(self.buckets_of[self.hands[p]])
        n = self.plan.tables.shape[3]
        return min(int(self.rate(COMBO_CARDS[self.hands[p]]) * n), n - 1)

    def row(self):
        """P(fold, call, raise) of the opponent to act."""
        state, p = self.state, self.state.actor
        legal = state.legal
        facing = 0
        raises = int(state.state["raises"][0])
        if self.view.spec.betting != "limit":
            facing = 4 + naive_price(legal.to_call, state.pot, raises, state.street)
        elif legal.to_call:
            raised = raises + (state.street == 0)
            facing = 3 if raised >= 2 else 2 if state.street and 3 * legal.to_call > state.pot else 1
        return self.plan.tables[p, state.street, facing, self.bucket(p)]

    def kind_by_model(self) -> int:
        legal, row = self.state.legal, self.row()
        u = self.rng.uniform()
        if legal.to_call and u < row[0]:
            return FOLD
        return RAISE if legal.can_raise and u >= 1.0 - row[2] else CALL

    def opponent(self, options) -> int:
        if not self.s.modelled:
            return self.rng.below(len(options))
        kind = self.kind_by_model()
        fitting = [i for i, a in enumerate(options) if a.kind == kind]
        if not fitting or kind == CALL:
            return 0
        if kind == FOLD:
            return fitting[0]
        if self.view.spec.betting == "limit" or len(fitting) == 1:
            return fitting[0] + self.rng.below(len(fitting))
        u, wanted = self.rng.uniform(), 0
        row = self.plan.raises[self.state.actor, min(self.state.street, 1), self.bucket(self.state.actor)]
        while wanted < 3 and u >= row[wanted]:
            u -= row[wanted]
            wanted += 1
        return min(fitting, key=lambda i: (abs(self.size_class(options[i].to) - wanted), i))

    def size_class(self, to: int) -> int:
        """0 up to 0.75 of the pot after the call, 1 up to 1.5, 2 more, 3 all-in."""
        state, p = self.state, self.state.actor
        mine, call = state.contributions[p], state.legal.to_call
        if to == self.view.start_stacks[p] - self.view.antes[p]:
            return 3
        size = (to - mine - call) / (state.pot + call)
        return 0 if size < 0.75 else 1 if size < 1.5 else 2

    def last_word(self) -> bool:
        """Whether an opponent alone has to say fold or call to an all-in."""
        state = self.state
        if self.view.spec.betting == "limit" or not self.s.modelled or self.s.cut_off or state.finished:
            return False
        able = [
            p
            for p in range(self.view.spec.players)
            if not state.folded[p] and state.contributions[p] + self.view.antes[p] < self.view.start_stacks[p]
        ]
        return state.actor != self.me and state.folded.count(False) == 2 and able == [state.actor]

    def beyond(self, options) -> int:
        """Our action when the tree has ended."""
        if self.s.playout == 0:
            return self.rng.below(len(options))
        rate = self.rate(self.view.hole) ** (self.state.folded.count(False) - 1)
        call = self.state.legal.to_call
        if options[-1].kind == FOLD and rate * (self.state.pot + call) < call:
            return len(options) - 1
        raises = sum(a.kind == RAISE for a in options)
        if raises and rate > 0.6 and self.rng.uniform() < 0.5:
            return 1 + self.rng.below(raises)
        return 0

    # one simulation ---------------------------------------------------------------------------------------------------

    def simulate(self) -> None:
        self.state = state_of(self.view)
        self.others = [p for p in range(self.view.spec.players) if p != self.me and not self.view.folded[p]]
        self.board, self.hands = list(self.view.board), {}
        if not self.s.at_leaf:
            self.draw_hands(self.used())
        path = self.descend()
        while not self.state.finished and not self.last_word():
            street = self.state.street
            self.open(street + 2 if street else 0)
            options = choices(self.state, self.s.sizes, self.s.can_fold)
            ours = self.state.actor == self.me
            self.state.apply(options[self.beyond(options) if ours else self.opponent(options)])
        won = self.won()
        for node in reversed(path):
            node.visits += 1
            node.square += won[self.me] ** 2
            node.value = [a + b for a, b in zip(node.value, won, strict=True)]
            if self.s.plain and node.children:
                means = [[v / c.visits for v in c.value] for c in node.children]
                node.value = [node.visits * sum(one) / len(means) for one in zip(*means, strict=True)]

    def descend(self) -> list[Node]:
        node, path = self.root, [self.root]
        while node.kind != "leaf":
            new = False
            if node.kind == "chance":
                self.open(self.state.street + 2)
                child, new = self.chance(node)
                if child is None:
                    break
            elif self.last_word():
                break
            else:
                options = choices(self.state, self.s.sizes, self.s.can_fold)
                if node.kind == "opponent":
                    index = self.opponent(options)
                    child = next((c for c in node.children if c.key == index), None)
                elif len(node.children) < min(len(options), 1 + node.visits // self.s.window):
                    index, child = len(node.children), None
                else:
                    child = self.select(node)
                    index = child.key
                street = self.state.street
                self.state.apply(options[index])
                if child is None:
                    new = True
                    kind = "decision" if self.state.actor == self.me else "opponent"
                    kind = "leaf" if self.state.finished else "chance" if self.state.street != street else kind
                    child = self.add(node, kind, index, options[index])
            node = child
            path.append(node)
            if new:
                break
        return path

    def add(self, parent, kind, key, action=None) -> Node:
        child = Node(kind, key, action, value=[0.0] * self.view.spec.players)
        parent.children.append(child)
        return child

    def chance(self, node):
        if self.s.exact_cards:
            street = self.state.street
            if street > 1:
                key = self.board[street + 1]
            else:
                low, middle, high = sorted(self.board[:3])
                key = low + 64 * middle + 4096 * high
        else:
            key = min(int(self.rate(self.view.hole) * self.s.classes), self.s.classes - 1)
        known = next((c for c in node.children if c.key == key), None)
        if known is not None:
            return known, False
        if len(node.children) < math.ceil((node.visits + 1) ** self.s.widening):
            return self.add(node, "decision" if self.state.actor == self.me else "opponent", key), True
        if not self.s.exact_cards:
            return min(node.children, key=lambda c: 2 * abs(c.key - key) + (c.key > key)), False
        child = node.children[-1 - self.rng.below(len(node.children))]
        street = self.state.street
        count, first = (3, 0) if street == 1 else (1, street + 1)
        cards = [child.key >> (6 * k) & 63 for k in range(count)]
        if set(cards) & {c for combo in self.hands.values() for c in COMBO_CARDS[combo].tolist()}:
            return None, False
        self.board[first : first + count] = cards
        return child, False

    def select(self, node) -> Node:
        s, log_n = self.s, math.log(node.visits)
        best, most = None, -math.inf
        for child in reversed(node.children):
            v = float(child.visits)
            z = child.value[self.me] / v
            own = max(child.square / v - z * z, 0.0)
            if s.selection == 0:
                z += s.c * self.unit * math.sqrt(log_n) / math.sqrt(v)
            elif s.selection == 1:
                z += s.c * math.sqrt((own + self.unit**2 * math.sqrt(2.0 * log_n / v)) * log_n / v)
            else:
                u = 1.0 - self.rng.uniform()
                normal = math.sqrt(-2.0 * math.log(u)) * math.cos(2.0 * math.pi * self.rng.uniform())
                z += s.c * math.sqrt((own * v + self.unit**2) / (v + 1.0) / v) * normal
            if z > most:
                best, most = child, z
        return best

    def won(self) -> list[float]:
        """What everybody wins, in big blinds. Where an opponent has the last word, by the chances of what it says."""
        if self.state.finished:
            return self.settled([])
        folds = self.row()[0] if self.s.can_fold else 0.0
        fold = self.settled([Action(FOLD)]) if folds else [0.0] * self.view.spec.players
        call = self.settled([Action(CALL)])
        return [folds * f + (1 - folds) * c for f, c in zip(fold, call, strict=True)]

    def settled(self, more) -> list[float]:
        """What everybody wins after ``more`` actions that end the hand: at an all-in a mean over eight boards."""
        live = self.state.folded.count(False) - sum(a.kind == FOLD for a in more)
        known = len(self.board)
        boards = 8 if live > 1 and known < 5 and self.view.spec.betting != "limit" and self.s.modelled else 1
        totals = np.zeros(self.view.spec.players)
        for _ in range(boards):
            if live > 1:
                del self.board[known:]
                self.open(5)
                if self.s.at_leaf:
                    self.draw_hands(self.used())
            hands = {p: tuple(COMBO_CARDS[combo].tolist()) for p, combo in self.hands.items()}
            hands[self.me] = self.view.hole
            free = [c for c in range(52) if c not in self.used()]
            hole = [hands[p] if p in hands else (free.pop(), free.pop()) for p in range(self.view.spec.players)]
            board = [*self.board, *(free.pop() for _ in range(5 - len(self.board)))]
            end = HandState(self.view.spec, hole, board, self.view.start_stacks)
            for action in [*(a for _, _, a in self.state.actions), *more]:
                end.apply(action)
            totals += np.array(end.payoffs.tolist()) / boards
        return (totals / (self.view.spec.split * self.view.spec.big_blind)).tolist()


def exact_river(view, weights, model) -> float:
    """What ``view``'s actor wins at most, in big blinds from here on, on a heads-up river of a limit game: the opponent
    holds hand i with ``weights[i]`` and acts by ``model`` (``[facing, bucket, (fold, call, raise)]`` and the bucket of
    every hand)."""
    table, buckets = model
    me = view.actor
    board = tuple(view.board)
    ours = strength(cards_text((*view.hole, *board)))
    theirs = np.zeros(1326)
    for i in np.flatnonzero(weights):
        theirs[i] = strength(cards_text((*COMBO_CARDS[i].tolist(), *board)))
    share = np.where(theirs < ours, 1.0, np.where(theirs == ours, 0.5, 0.0))
    paid = view.contributions[me]

    def value(actions, w) -> float:
        state = state_of(view)
        for action in actions:
            state.apply(action)
        if state.finished:
            mine = state.contributions[me]
            if state.folded[me]:
                return -(mine - paid) * w.sum()
            if state.folded[1 - me]:
                return (state.pot - (mine - paid)) * w.sum()
            return float((w * (share * state.pot - (mine - paid))).sum())
        options = choices(state, (), True)
        if state.actor == me:
            return max(value([*actions, a], w) for a in options)
        legal = state.legal
        raised = int(state.state["raises"][0])
        facing = 0 if not legal.to_call else 3 if raised >= 2 else 2 if 3 * legal.to_call > state.pot else 1
        rows = table[facing][buckets].copy()
        if not legal.to_call:
            rows[:, CALL] += rows[:, FOLD]
            rows[:, FOLD] = 0
        if not legal.can_raise:
            rows[:, CALL] += rows[:, RAISE]
            rows[:, RAISE] = 0
        return sum(value([*actions, a], w * rows[:, a.kind]) for a in options)

    return value([], weights / weights.sum()) / view.spec.big_blind
