"""Kuhn poker for two or more players.

H. W. Kuhn, "A simplified two-person poker", Contributions to the Theory of Games 1 (1950); for more players as in
OpenSpiel's ``kuhn_poker``: a deck of one card more than players, one card each, an ante of 1, one bet of 1. Players act
in turn until somebody bets; everybody else then calls or folds once.
"""

from __future__ import annotations

from typing import NamedTuple

from dupai.games._game import CHANCE, OVER, DealtGame, own_card

#: Check or fold; bet or call.
PASS, BET = 0, 1


class KuhnState(NamedTuple):
    """``cards`` dealt so far, by player (the larger wins); ``bets``: the actions, 0 pass, 1 bet."""

    cards: tuple[int, ...] = ()
    bets: tuple[int, ...] = ()


class Kuhn(DealtGame):
    """Kuhn poker. Actions of players: 0 checks or folds, 1 bets or calls; of chance: the card that is dealt.

    Raises:
        ConfigError: fewer than two players or more than ten.
    """

    name, title, suits = "kuhn_poker", "Kuhn poker", 1

    def root(self) -> KuhnState:
        return KuhnState()

    def actor(self, state: KuhnState) -> int:
        n = self.players
        if len(state.cards) < n:
            return CHANCE
        acts = len(state.bets)
        end = n + state.bets.index(BET) if BET in state.bets else n
        return OVER if acts == end else acts % n

    def actions(self, state: KuhnState) -> tuple[int, ...]:
        actor = self.actor(state)
        if actor == CHANCE:
            return self.left(state.cards)
        return () if actor == OVER else (PASS, BET)

    def child(self, state: KuhnState, action: int) -> KuhnState:
        if len(state.cards) < self.players:
            return KuhnState((*state.cards, action))
        return KuhnState(state.cards, (*state.bets, action))

    def information(self, state: KuhnState, player: int) -> tuple[int, int, tuple[int, ...]]:
        """The player, its card (-1 before it has one) and all bets."""
        return player, own_card(state.cards, player), state.bets

    def payoffs(self, state: KuhnState) -> tuple[float, ...]:
        n = self.players
        paid = [1] * n
        for k, bet in enumerate(state.bets):
            paid[k % n] += bet
        top = max(paid)
        winner = max((p for p in range(n) if paid[p] == top), key=lambda p: state.cards[p])
        pot = sum(paid)
        return tuple(float((pot if p == winner else 0) - paid[p]) for p in range(n))
