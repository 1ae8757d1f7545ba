"""A plain engine for hold'em, written to be read: explicit lists of who must act, pots counted chip by chip.

Knows nothing of the kernels; hands are compared by eval7. Small stacks only (every chip is looked at).
"""

from __future__ import annotations

from fractions import Fraction

import eval7


class NaiveHand:
    def __init__(self, spec, stacks, hole, board):
        self.spec = spec
        self.n = spec.players
        self.hole, self.board = hole, board  # texts as "AsKd"
        self.behind = list(stacks)
        self.ante = [0] * self.n
        self.live = [0] * self.n
        self.folded = set()
        self.street = 0
        self.over = False
        for i in range(self.n):
            self.ante[i] = min(spec.antes[i], self.behind[i])
            self.behind[i] -= self.ante[i]
            self.live[i] = min(spec.blinds[i], self.behind[i])
            self.behind[i] -= self.live[i]
        self.level = max(spec.blinds)  # to be matched, even if the blind was short
        self.last_full = spec.smallest_bet
        self.acpc_to = self.level + self.last_full
        self.full_level = max(spec.blinds)  # limit, casino: the last full bet, not counting all-ins of less than half
        self.raises = self.count = 0
        self.acted_at = {}  # level of the street when each player last acted
        self.queue = self.circle(spec.first_player[0])
        self.move_on()

    def able(self, i):
        return i not in self.folded and self.behind[i] > 0

    def circle(self, first):
        return [i for i in [(first + k) % self.n for k in range(self.n)] if self.able(i)]

    def in_hand(self):
        return [i for i in range(self.n) if i not in self.folded]

    def move_on(self):
        """Close streets until somebody has a decision or the hand is over."""
        while not self.over:
            able = [i for i in range(self.n) if self.able(i)]
            if len(self.in_hand()) == 1:
                self.over = True
            elif self.queue:
                if len(able) == 1 and self.spec.min_raise == "casino":
                    (i,) = able
                    others = [self.live[j] for j in self.in_hand() if j != i]
                    if self.live[i] >= max(others):
                        self.queue = []
                        continue
                return
            elif len(able) < 2 or self.street == 3:
                self.street, self.over = 3, True
            else:
                self.street += 1
                self.raises = self.count = 0
                self.acted_at = {}
                self.last_full = self.spec.smallest_bet
                self.full_level = self.level
                self.acpc_to = self.level + self.last_full
                self.queue = self.circle(self.spec.first_player[self.street])

    @property
    def actor(self):
        return -1 if self.over else self.queue[0]

    def to_match(self):
        i = self.queue[0]
        if sum(map(self.able, range(self.n))) == 1:  # nobody else can put in more: never more than they have
            return max(self.live[i], min(self.level, max(self.live[j] for j in self.in_hand() if j != i)))
        return self.level

    def legal(self):
        if self.over:
            return False, 0, 0, 0
        i = self.queue[0]
        stack = self.live[i] + self.behind[i]
        call = min(self.to_match(), stack) - self.live[i]
        return (call > 0, call, *self.raise_range(i, stack))

    def raise_range(self, i, stack):
        spec = self.spec
        if sum(map(self.able, range(self.n))) < 2 or stack <= self.level or self.raises >= spec.max_raises[self.street]:
            return 0, 0
        limit = spec.betting == "limit"
        if spec.min_raise == "acpc":
            if self.count + self.n > 64:
                return 0, 0
            lowest = self.acpc_to
        else:
            if i in self.acted_at:
                faced = self.level - self.acted_at[i]
                if faced < (Fraction(spec.bet_sizes[self.street], 2) if limit else self.last_full):
                    return 0, 0
            lowest = self.level + self.last_full
        if limit:
            base = self.level if spec.min_raise == "acpc" else self.full_level
            to = min(base + spec.bet_sizes[self.street], stack)
            return to, to
        lowest = min(lowest, stack)
        if spec.betting == "pot-limit":
            pot_after_call = sum(self.live) + sum(self.ante) + self.level - self.live[i]
            return lowest, max(lowest, min(stack, self.level + pot_after_call))
        return lowest, stack

    def act(self, kind, to):
        i = self.queue[0]
        self.count += 1
        if kind == 0:
            self.folded.add(i)
            self.queue.pop(0)
        elif kind == 1:
            self.put(i, min(self.to_match() - self.live[i], self.behind[i]))
            self.queue.pop(0)
        else:
            by = to - self.level
            self.acpc_to = max(self.acpc_to, to + by)
            self.last_full = max(self.last_full, by)
            self.put(i, to - self.live[i])
            self.level = to
            half = Fraction(self.spec.bet_sizes[self.street], 2)
            if self.spec.betting != "limit" or self.spec.min_raise == "acpc":
                self.raises += 1
            elif to - self.full_level >= half:
                self.full_level = to
                self.raises += 1
            self.queue = self.circle((i + 1) % self.n)
            if i in self.queue:
                self.queue.remove(i)
        self.acted_at[i] = self.level
        self.move_on()

    def put(self, i, chips):
        self.behind[i] -= chips
        self.live[i] += chips

    def strength(self, i):
        text = self.hole[i] + self.board
        return eval7.evaluate([eval7.Card(text[k : k + 2]) for k in range(0, 14, 2)])

    def pots(self):
        """(chips, contenders) of each pot, main pot first: chip by chip, all first ante chips, all second ones, ..."""
        pots = []

        def add(chips, contenders):
            if not chips:
                return
            if pots and (not contenders or pots[-1][1] == contenders):
                pots[-1][0] += chips  # dead money above every contender joins the last pot
            else:
                pots.append([chips, contenders])

        full = [self.ante[i] == self.spec.antes[i] for i in range(self.n)]
        for height in range(1, max(self.ante) + 1):
            add(sum(a >= height for a in self.ante), [i for i in self.in_hand() if full[i] or self.ante[i] >= height])
        for height in range(1, max(self.live) + 1):
            add(sum(x >= height for x in self.live), [i for i in self.in_hand() if full[i] and self.live[i] >= height])
        return pots

    def payoffs(self):
        """Fractions of chips."""
        won = [Fraction(-self.ante[i] - self.live[i]) for i in range(self.n)]
        for chips, contenders in self.pots():
            if len(self.in_hand()) == 1:
                contenders = self.in_hand()
            if len(contenders) > 1:
                rank = {i: self.strength(i) for i in contenders}
                winners = [i for i in contenders if rank[i] == max(rank.values())]
            else:
                winners = contenders
            if self.spec.odd_chips == "acpc":
                for i in winners:
                    won[i] += Fraction(chips, len(winners))
            else:
                for k in range(chips):  # dealt out one by one, clockwise from the button
                    won[winners[k % len(winners)]] += 1
        return won
