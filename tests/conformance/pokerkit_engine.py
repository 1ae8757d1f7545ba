"""A PokerKit hand driven in step with one of ours.

PokerKit finds a hand by trying 21 fives in pure Python, four fifths of its time; ``QuickHand`` lets eval7 choose the
five. What the fives are worth against each other, and everything else, stays PokerKit's.
"""

from __future__ import annotations

import dataclasses
from functools import cached_property, lru_cache
from itertools import combinations

import eval7
from pokerkit import Automation, FixedLimitTexasHoldem, NoLimitTexasHoldem, PotLimitPokerMixin, StandardHighHand

from dupai.cards import card_text, cards_text
from dupai.rules import CALL, FOLD

AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


class QuickHand(StandardHighHand):
    entry = cached_property(StandardHighHand.entry.fget)

    @classmethod
    def from_game(cls, hole_cards, board_cards=()):
        return cls.best(tuple(map(repr, (*hole_cards, *board_cards))))

    @classmethod
    @lru_cache(maxsize=10_000)
    def best(cls, cards):
        known = {c: eval7.Card(c) for c in cards}
        return cls("".join(max(combinations(cards, 5), key=lambda five: eval7.evaluate([known[c] for c in five]))))


class Limit(FixedLimitTexasHoldem):
    hand_types = (QuickHand,)


class NoLimit(NoLimitTexasHoldem):
    hand_types = (QuickHand,)


class PotLimitTexasHoldem(PotLimitPokerMixin, NoLimitTexasHoldem):
    """PokerKit has the structure and the game, but does not put them together."""


class PotLimit(PotLimitTexasHoldem):
    hand_types = (QuickHand,)


@lru_cache(maxsize=1000)
def pokerkit_game(spec, own_caps=True):
    """The game of a spec in PokerKit, with our caps on the number of raises or (``own_caps`` False) its own."""
    heads_up = spec.players == 2
    antes = spec.antes[::-1] if heads_up else spec.antes  # PokerKit swaps these back
    blinds = spec.blinds[::-1] if heads_up else spec.blinds
    common = (AUTOMATIC, len(set(antes)) == 1, antes, blinds)
    if spec.betting == "limit":
        game = Limit(*common, spec.bet_sizes[0], spec.bet_sizes[2])
    else:
        game = (NoLimit if spec.betting == "no-limit" else PotLimit)(*common, spec.smallest_bet)
    if own_caps:
        game.streets = tuple(
            dataclasses.replace(street, max_completion_betting_or_raising_count=cap)
            for street, cap in zip(game.streets, spec.max_raises, strict=True)
        )
    return game


class Oracle:
    """A PokerKit hand with the same cards, its totals counted for the hand as ours are."""

    def __init__(self, spec, stacks, hole, board, own_caps=True):
        self.pk = pokerkit_game(spec, own_caps)(stacks, spec.players)
        self.stacks = stacks
        self.antes = [min(a, s) for a, s in zip(spec.antes, stacks, strict=True)]
        self.hole = [cards_text(h) for h in hole]
        self.board = [card_text(int(c)) for c in board]
        self.deal()

    def deal(self):
        pk = self.pk
        while pk.status and not pk.actor_indices:
            if pk.card_burning_status:
                pk.burn_card("??")
            elif pk.can_deal_hole():
                pk.deal_hole(self.hole[pk.hole_dealee_index])
            elif pk.can_deal_board():
                k = 3 if len(self.board) == 5 else 1
                pk.deal_board("".join(self.board[:k]))
                self.board = self.board[k:]
            else:
                return

    @property
    def actor(self):
        return -1 if self.pk.actor_index is None else self.pk.actor_index

    def before(self, i):
        """Live chips of earlier streets."""
        return self.stacks[i] - self.pk.stacks[i] - self.pk.bets[i] - self.antes[i]

    def legal(self):
        """(fold, to call, smallest raise, largest), totals for the hand."""
        pk, i = self.pk, self.pk.actor_index
        lo = pk.min_completion_betting_or_raising_to_amount
        hi = pk.max_completion_betting_or_raising_to_amount
        raises = (0, 0) if lo is None else (lo + self.before(i), hi + self.before(i))
        return pk.can_fold(), pk.checking_or_calling_amount, *raises

    def act(self, kind, to):
        pk, i = self.pk, self.pk.actor_index
        if kind == FOLD:
            pk.fold()
        elif kind == CALL:
            pk.check_or_call()
        else:
            pk.complete_bet_or_raise_to(to - self.before(i))
        self.deal()

    def nothing_to_decide(self):
        """Whether the actor is alone with opponents all-in whom he has matched."""
        pk, i = self.pk, self.pk.actor_index
        others = [j for j in pk.player_indices if j != i and pk.statuses[j]]
        return all(pk.stacks[j] == 0 for j in others) and pk.checking_or_calling_amount == 0
