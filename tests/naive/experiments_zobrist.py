"""The paper's hash table with dictionaries: slots taken in the order of the hands, seven cards by their 21 subsets."""

from itertools import combinations

from dupai.cards import hand_value, strength


class Table:
    """``base`` and ``overflow`` rows by slot; sizes in rows."""

    def __init__(self, keys, base_size, overflow_size, hands):
        self.keys, self.base, self.overflow = keys, {}, {}
        self.base_size, self.overflow_size = base_size, overflow_size
        self.collisions = 0
        for hand in hands:
            value = hand_value(strength(hand))
            if value >> 20 == 0:
                continue
            key, check = self.words(hand)
            slot = key % base_size
            if slot not in self.base:
                self.base[slot] = (check, value)
                continue
            self.collisions += 1
            slot = key % overflow_size
            while slot in self.overflow:
                slot = (slot + 1) % overflow_size
            self.overflow[slot] = (check, value)

    def words(self, hand):
        key = check = 0
        for c in hand:
            key ^= int(self.keys.key[c])
            check ^= int(self.keys.check[c])
        return key, check

    def find(self, hand):
        key, check = self.words(hand)
        slot = key % self.base_size
        if slot not in self.base:
            return 0
        if self.base[slot][0] == check:
            return self.base[slot][1]
        slot = key % self.overflow_size
        while slot in self.overflow:
            if self.overflow[slot][0] == check:
                return self.overflow[slot][1]
            slot = (slot + 1) % self.overflow_size
        return 0

    def value(self, hand):
        best = max(self.find(five) for five in combinations(hand, 5))
        if best:
            return best
        ranks = sorted({c % 13 for c in hand}, reverse=True)[:5]
        for r in ranks:
            best = best << 4 | r
        return best
