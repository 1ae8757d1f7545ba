"""Kuhn poker for two or more players.

H. W. Kuhn, "A simplified two-person poker", Contributions to the Theory of Games 1 (1950); for more players as in
OpenSpiel's ``kuhn_poker``: a deck of one card more than players, one card each, an ante of 1, one bet of 1. Players act
in turn until somebody bets; everybody else then calls or folds once.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from dupai.base import ConfigError
from dupai.games._game import CHANCE, OVER
from dupai.games._policies import TabularPolicy

#: Check or fold; bet or call.
PASS, BET = 0, 1


class KuhnState(NamedTuple):
    """``cards`` dealt so far, by player (larger wins); ``bets``: what was done, 0 pass, 1 bet."""

    cards: tuple[int, ...] = ()
    bets: tuple[int, ...] = ()


class Kuhn:
    """Kuhn poker. Actions of players: 0 checks or folds, 1 bets or calls; of chance: the card that is dealt.

    Raises:
        ConfigError: fewer than two players or more than ten.
    """

    def __init__(self, players: int = 2) -> None:
        if not 2 <= players <= 10:
            raise ConfigError(f"players: {players}: Kuhn poker is for 2 to 10")
        self._players = players
        self._bet_or_pass = (PASS, BET)

    @property
    def name(self) -> str:
        return "kuhn_poker"

    @property
    def players(self) -> int:
        return self._players

    def root(self) -> KuhnState:
        return KuhnState()

    def actor(self, state: KuhnState) -> int:
        n = self._players
        if len(state.cards) < n:
            return CHANCE
        acts = len(state.bets)
        end = n + state.bets.index(BET) if BET in state.bets else n
        return OVER if acts == end else acts % n

    def actions(self, state: KuhnState) -> tuple[int, ...]:
        who = self.actor(state)
        if who == CHANCE:
            return tuple(c for c in range(self._players + 1) if c not in state.cards)
        return () if who == OVER else self._bet_or_pass

    def chances(self, state: KuhnState) -> tuple[float, ...]:
        left = self._players + 1 - len(state.cards)
        return (1 / left,) * left

    def child(self, state: KuhnState, action: int) -> KuhnState:
        if len(state.cards) < self._players:
            return KuhnState((*state.cards, action))
        return KuhnState(state.cards, (*state.bets, action))

    def information(self, state: KuhnState, player: int) -> tuple[int, int, tuple[int, ...]]:
        """The player, its card (-1 before it has one) and all bets."""
        return player, state.cards[player] if player < len(state.cards) else -1, state.bets

    def payoffs(self, state: KuhnState) -> tuple[float, ...]:
        n = self._players
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
        raise ConfigError(f"alpha: {alpha} is not in [0, 1/3]")
    first: dict[Hashable, float] = {
        (0, 0, ()): alpha,
        (0, 1, ()): 0.0,
        (0, 2, ()): 3 * alpha,
        (0, 0, (PASS, BET)): 0.0,
        (0, 1, (PASS, BET)): alpha + 1 / 3,
        (0, 2, (PASS, BET)): 1.0,
    }
    second: dict[Hashable, float] = {
        (1, 0, (PASS,)): 1 / 3,
        (1, 1, (PASS,)): 0.0,
        (1, 2, (PASS,)): 1.0,
        (1, 0, (BET,)): 0.0,
        (1, 1, (BET,)): 1 / 3,
        (1, 2, (BET,)): 1.0,
    }
    one, two = ({key: (1 - bet, bet) for key, bet in side.items()} for side in (first, second))
    return TabularPolicy(one), TabularPolicy(two)
