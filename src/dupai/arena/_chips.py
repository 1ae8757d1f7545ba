"""The chips of a match: stacks, rebuys, players who are in, the button, ranks. No cards, no agents."""

from __future__ import annotations

from collections.abc import Sequence


class ChipTable:
    """Stacks that carry over from hand to hand, by chair.

    The button moves forward over the chairs that are in (no dead button, no dead blinds); with two left it posts the
    small blind, which ACPC's order of positions gives by itself. A player without chips buys in again before the next
    deal as often as ``rebuys`` allows, and is then out.

    Attributes:
        stacks: chips in front of each chair.
        rebuys_left: rebuys not used yet.
        survived: hands that each chair was dealt before it was out; None while it is in.
        last_stack: chips at the start of the hand that put a chair out (its tie-break); None while it is in.
        button: the chair that has the button, -1 before the first hand.
        hand: number of the hand being played or played last; the first is 1.
    """

    def __init__(self, players: int, stack: int, rebuys: int | None = 0) -> None:
        self.start = stack
        self.unlimited = rebuys is None
        self.stacks = [stack] * players
        self.rebuys_left = [rebuys or 0] * players
        self.bought = [0] * players
        self.survived: list[int | None] = [None] * players
        self.last_stack: list[int | None] = [None] * players
        self.button = -1
        self.hand = 0

    @property
    def players(self) -> int:
        return len(self.stacks)

    def live(self) -> list[int]:
        """Chairs that are in."""
        return [c for c in range(self.players) if self.survived[c] is None]

    def chips_left(self, chair: int) -> int:
        """Stack plus rebuys not yet used (papers/fold.md section 6): using a rebuy is no jump."""
        return self.stacks[chair] + self.rebuys_left[chair] * self.start

    def next_hand(self) -> tuple[int, ...]:
        """Move the button and give the chairs by position: the first after the button ... the button itself."""
        self.hand += 1
        n = self.players
        live = self.live()
        self.button = min(live, key=lambda c: (c - self.button - 1) % n)
        return tuple(sorted(live, key=lambda c: (c - self.button - 1) % n))

    def settle(self, chairs: Sequence[int], payoffs: Sequence[int]) -> tuple[list[int], list[int]]:
        """Pay a hand out (whole chips, by position) and return which chairs bought in again and which are out."""
        bought, out = [], []
        for chair, won in zip(chairs, payoffs, strict=True):
            before = self.stacks[chair]
            self.stacks[chair] = before + int(won)
            if self.stacks[chair] > 0:
                continue
            if self.unlimited or self.rebuys_left[chair] > 0:
                self.rebuys_left[chair] -= not self.unlimited
                self.bought[chair] += 1
                self.stacks[chair] = self.start
                bought.append(chair)
            else:
                self.survived[chair] = self.hand
                self.last_stack[chair] = before
                out.append(chair)
        return bought, out

    def reset(self) -> None:
        """Everybody back to the starting stack (formats that reset stacks every hand)."""
        self.stacks = [self.start] * self.players

    def hands_survived(self, hands: int) -> list[int]:
        """Hands survived by chair; a player who is not out has survived all ``hands`` of the match, also when it ends
        early because no opponent is left."""
        return [hands if s is None else s for s in self.survived]

    def ranks(self, hands: int) -> list[float]:
        """Rank of each chair, 1 best: by hands survived, then chips left; out in the same hand: chips at the start of
        that hand; equals share the mean of their ranks."""
        survived = self.hands_survived(hands)
        chips = [self.chips_left(c) if last is None else last for c, last in enumerate(self.last_stack)]
        return shared_ranks(list(zip((s is None for s in self.survived), survived, chips, strict=True)))


def shared_ranks(keys: Sequence[tuple[int, int, int]]) -> list[float]:
    """Ranks from 1 (largest key) on; equal keys share the mean of the ranks they fill."""
    return [sum(k > key for k in keys) + (sum(k == key for k in keys) + 1) / 2 for key in keys]


def place_shares(ranks: Sequence[float], index: int) -> list[float]:
    """How much of each place (0: the first) the player ``index`` took: 1 in all, shared equally among equals."""
    rank = ranks[index]
    equal = sum(r == rank for r in ranks)
    first = round(rank - (equal + 1) / 2)
    return [1 / equal if first <= place < first + equal else 0.0 for place in range(len(ranks))]
