"""Kuhn poker for two or more players.

H. W. Kuhn, "A simplified two-person poker", Contributions to the Theory of Games 1 (1950); for more players as in
OpenSpiel's ``kuhn_poker``: a deck of one card more than players, one card each, an ante of 1, one bet of 1. Players act
in turn until somebody bets; everybody else then calls or folds once.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from dupai.base import ConfigError
from dupai.games._game import CHANCE, OVER, DealtGame, own_card
from dupai.games._policies import TabularPolicy

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


def kuhn_equilibrium(alpha: float = 0.0) -> tuple[TabularPolicy, TabularPolicy]:
    """The equilibria of two-player Kuhn poker: the first player's family with ``alpha`` in [0, 1/3] (how often it bets
    the lowest card) and the second player's only one. The first player wins -1/18 a hand.

    Raises:
        ConfigError: ``alpha`` is outside.
    """
    if not 0.0 <= alpha <= 1 / 3:
        raise ConfigError(f"alpha: {alpha} is not in [0, 1/3]", key="alpha")
    # By player and line so far: how often it bets or calls with the lowest, the middle and the highest card.
    bets = {
        (0, ()): (alpha, 0.0, 3 * alpha),
        (0, (PASS, BET)): (0.0, alpha + 1 / 3, 1.0),
        (1, (PASS,)): (1 / 3, 0.0, 1.0),
        (1, (BET,)): (0.0, 1 / 3, 1.0),
    }
    tables: list[dict[Hashable, tuple[float, float]]] = [{}, {}]
    for (player, line), shares in bets.items():
        for card, bet in enumerate(shares):
            tables[player][player, card, line] = (1 - bet, bet)
    return TabularPolicy(tables[0]), TabularPolicy(tables[1])
