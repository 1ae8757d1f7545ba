"""Leduc hold'em for two or more players.

F. Southey et al., "Bayes' bluff: opponent modelling in poker", UAI 2005; as in OpenSpiel's ``leduc_poker``: one rank
more than players, two suits, one card each and one on the board, an ante of 1, two rounds of betting with bets of 2 and
4 and at most two raises each. A pair with the board beats all else, then the higher card; equals share.
"""

from __future__ import annotations

from typing import NamedTuple

from dupai.games._game import CHANCE, OVER, DealtGame, own_card

LEDUC_FOLD, LEDUC_CALL, LEDUC_RAISE = 0, 1, 2
_SIZES = (2, 4)
_MAX_RAISES = 2


class LeducState(NamedTuple):
    """``cards`` dealt so far by player (rank is card // 2) and ``board`` (-1: none); ``rounds``: the actions of each
    betting round. The rest follows from these: ``paid`` and ``folded`` by player, ``top`` the amount to match,
    ``raises`` and ``calls`` since the last raise in this round, ``turn`` whose turn it is."""

    cards: tuple[int, ...] = ()
    board: int = -1
    rounds: tuple[tuple[int, ...], ...] = ((),)
    paid: tuple[int, ...] = ()
    folded: tuple[bool, ...] = ()
    top: int = 1
    raises: int = 0
    calls: int = 0
    turn: int = CHANCE


class Leduc(DealtGame):
    """Leduc hold'em. Actions of players: 0 folds, 1 checks or calls, 2 bets or raises; of chance: the card dealt.

    Raises:
        ConfigError: fewer than two players or more than ten.
    """

    name, title, suits = "leduc_poker", "Leduc hold'em", 2

    def root(self) -> LeducState:
        n = self.players
        return LeducState(paid=(1,) * n, folded=(False,) * n)

    def actor(self, state: LeducState) -> int:
        return state.turn

    def actions(self, state: LeducState) -> tuple[int, ...]:
        if state.turn == OVER:
            return ()
        if state.turn == CHANCE:
            return self.left(state.cards)
        fold = (LEDUC_FOLD,) if state.paid[state.turn] < state.top else ()
        more = (LEDUC_RAISE,) if state.raises < _MAX_RAISES else ()
        return (*fold, LEDUC_CALL, *more)

    def child(self, state: LeducState, action: int) -> LeducState:
        if state.turn == CHANCE:
            if len(state.cards) < self.players:
                cards = (*state.cards, action)
                return state._replace(cards=cards, turn=0 if len(cards) == self.players else CHANCE)
            return state._replace(board=action, rounds=(*state.rounds, ()), turn=state.folded.index(False))
        actor = state.turn
        folded, paid = list(state.folded), list(state.paid)
        top, raises, calls = state.top, state.raises, state.calls
        if action == LEDUC_FOLD:
            folded[actor] = True
        elif action == LEDUC_CALL:
            paid[actor] = top
            calls += 1
        else:
            top += _SIZES[len(state.rounds) - 1]
            paid[actor] = top
            raises, calls = raises + 1, 0
        rounds = (*state.rounds[:-1], (*state.rounds[-1], action))
        live = folded.count(False)
        if live == 1:
            turn = OVER
        elif calls == live - (raises > 0):
            turn = OVER if len(rounds) == 2 else CHANCE
            raises = calls = 0
        else:
            turn = next(
                p % self.players for p in range(actor + 1, actor + self.players) if not folded[p % self.players]
            )
        return LeducState(state.cards, state.board, rounds, tuple(paid), tuple(folded), top, raises, calls, turn)

    def information(self, state: LeducState, player: int) -> tuple[int, int, int, tuple[tuple[int, ...], ...]]:
        """The player, its card (-1 before it has one), the board and all actions. Suits count, as in OpenSpiel."""
        return player, own_card(state.cards, player), state.board, state.rounds

    def payoffs(self, state: LeducState) -> tuple[float, ...]:
        live = [p for p in range(self.players) if not state.folded[p]]
        strength = {p: (state.cards[p] // 2 == state.board // 2, state.cards[p] // 2) for p in live}
        winners = [p for p in live if strength[p] == max(strength.values())]
        pot = sum(state.paid)
        return tuple((pot / len(winners) if p in winners else 0.0) - state.paid[p] for p in range(self.players))
