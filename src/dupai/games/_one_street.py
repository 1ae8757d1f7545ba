"""One-street hold'em: the last betting round of a heads-up hand, hand against hand, as a small game.

The board is complete, both players hold a hand of a range and there is one betting round: check, bets of some shares of
the pot, raises, all-in. Card removal, split pots and stacks work as on a real river, so the game checks solvers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dupai.base import ConfigError
from dupai.base.arrays import F64, I64
from dupai.base.text import number_text
from dupai.cards import COMBO_MASK, cards, mask_of, strengths
from dupai.games._game import CHANCE, OVER, own_card
from dupai.ranges import Range

ONE_STREET_FOLD, ONE_STREET_CALL = 0, 1
_Outcomes = tuple[tuple[int, ...], tuple[float, ...]]
#: Most joint deals: each has a betting tree of its own.
_MAX_DEALS = 50_000
#: Most chips of the pot or of a stack.
_MAX_CHIPS = 10**9


class OneStreetState(NamedTuple):
    """``hands`` dealt so far (combos) and ``line``, the actions. The rest follows from these: chips ``paid`` on this
    street by player, ``step`` the size of the last bet or raise, ``raises`` so far, ``turn``."""

    hands: tuple[int, ...] = ()
    line: tuple[int, ...] = ()
    paid: tuple[int, int] = (0, 0)
    step: int = 0
    raises: int = 0
    turn: int = CHANCE


class OneStreetHoldem:
    """The river, heads-up. Actions of players: 0 folds, 1 checks or calls, 2 + i bets or raises ``sizes[i]``, 2 +
    ``len(sizes)`` goes all-in; of chance: the combo that is dealt (player 0's first). Player 0 acts first.

    Args:
        board: five cards.
        ranges: of both players (anything that :class:`dupai.ranges.Range` takes); hands are dealt by weight.
        pot: chips in the middle, half from each. ``stack``: chips behind, the same for both.
        sizes: bets as parts of the pot, raises as parts of the pot after the call, rounded to chips; one that is no
            legal raise or as much as the stack is not offered.
        most_raises: bets and raises together.

    Payoffs are what is won or lost with half of the pot in, in chips; they add up to 0.

    Raises:
        NotationError: the board or a range is no such thing.
        ConfigError: not five cards, no chips or more than a billion, a size that is not positive, no deal is left, or
            more than 50,000 are.
    """

    name = "one_street_holdem"
    players = 2

    def __init__(
        self,
        board: str,
        ranges: Sequence[str | Range],
        *,
        pot: int = 10,
        stack: int = 20,
        sizes: Sequence[float] = (1.0,),
        most_raises: int = 3,
    ) -> None:
        table = cards(board)
        if len(table) != 5:
            raise ConfigError(f"board {board!r} has {len(table)} cards: expected five", key="board")
        if len(ranges) != 2:
            raise ConfigError(f"{len(ranges)} ranges: expected two")
        for key, value, low in (("pot", pot, 1), ("stack", stack, 1), ("most_raises", most_raises, 0)):
            if not low <= value <= _MAX_CHIPS:
                raise ConfigError(f"{key} {number_text(value)}: expected {low} to {_MAX_CHIPS:,}", key=key)
        if not all(0 < s < 1e9 for s in sizes):
            raise ConfigError(f"sizes {tuple(sizes)}: expected positive parts of the pot, below 1e9", key="sizes")
        self._pot, self._stack, self._sizes, self._most = pot, stack, tuple(sizes), most_raises
        weight = [Range(r).without(table).weights.astype(np.float64) for r in ranges]
        hands = [np.flatnonzero(w) for w in weight]
        clash = (COMBO_MASK[hands[0]][:, None] & COMBO_MASK[hands[1]][None, :]) != 0
        joint = np.where(clash, 0.0, weight[0][hands[0]][:, None] * weight[1][hands[1]][None, :])
        deals = int(np.count_nonzero(joint))
        if not 0 < deals <= _MAX_DEALS:
            raise ConfigError(f"{deals:,} deals of these ranges on {board!r}: expected 1 to {_MAX_DEALS:,}")
        mass = joint.sum(axis=1)
        self._deals: dict[tuple[int, ...], _Outcomes] = {(): _outcomes(hands[0], mass)}
        for i in np.flatnonzero(mass):
            self._deals[(int(hands[0][i]),)] = _outcomes(hands[1], joint[i])
        seen = np.unique(np.concatenate(hands))
        strong = strengths(COMBO_MASK[seen] | np.uint64(mask_of(table)))
        self._strength = dict(zip(seen.tolist(), strong.tolist(), strict=True))

    def root(self) -> OneStreetState:
        return OneStreetState()

    def actor(self, state: OneStreetState) -> int:
        return state.turn

    def _to(self, state: OneStreetState, size: float) -> int:
        """The bet on this street that a size comes to, in chips; 0 where it is not offered."""
        top, own = max(state.paid), state.paid[state.turn]
        by = max(1, round(size * (self._pot + 2 * top)))
        to = top + by
        return to if by >= state.step and to < self._stack and to > own else 0

    def actions(self, state: OneStreetState) -> tuple[int, ...]:
        if state.turn == OVER:
            return ()
        if state.turn == CHANCE:
            return self._deals[state.hands][0]
        top, own = max(state.paid), state.paid[state.turn]
        legal = [ONE_STREET_FOLD, ONE_STREET_CALL] if own < top else [ONE_STREET_CALL]
        if state.raises < self._most and top < self._stack:
            totals = [self._to(state, size) for size in self._sizes]
            legal += [2 + i for i, to in enumerate(totals) if to and to not in totals[:i]]
            legal.append(2 + len(self._sizes))
        return tuple(legal)

    def chances(self, state: OneStreetState) -> tuple[float, ...]:
        return self._deals[state.hands][1]

    def child(self, state: OneStreetState, action: int) -> OneStreetState:
        if state.turn == CHANCE:
            hands = (*state.hands, action)
            return OneStreetState(hands, turn=0 if len(hands) == 2 else CHANCE)
        actor, top = state.turn, max(state.paid)
        line = (*state.line, action)
        if action == ONE_STREET_FOLD:
            return state._replace(line=line, turn=OVER)
        to, step, raises = top, state.step, state.raises
        if action > ONE_STREET_CALL:
            size = action - 2
            to = self._stack if size == len(self._sizes) else self._to(state, self._sizes[size])
            step, raises = to - top, raises + 1
        paid = (to, state.paid[1]) if actor == 0 else (state.paid[0], to)
        over = action == ONE_STREET_CALL and len(line) > 1
        return OneStreetState(state.hands, line, paid, step, raises, OVER if over else 1 - actor)

    def information(self, state: OneStreetState, player: int) -> tuple[int, int, tuple[int, ...]]:
        """The player, its combo (-1 before it has one) and what was done."""
        return player, own_card(state.hands, player), state.line

    def payoffs(self, state: OneStreetState) -> tuple[float, ...]:
        if state.line[-1] == ONE_STREET_FOLD:
            # Players take turns, so the number of actions says who has folded.
            loser = (len(state.line) - 1) % 2
        else:
            one, two = (self._strength[h] for h in state.hands)
            loser = int(one > two)
            if one == two:
                return 0.0, 0.0
        lost = self._pot / 2 + state.paid[loser]
        return (-lost, lost) if loser == 0 else (lost, -lost)


def _outcomes(hands: I64, mass: F64) -> _Outcomes:
    """The hands with a positive mass, and the probability of each."""
    hands, mass = hands[mass > 0], mass[mass > 0]
    return tuple(hands.tolist()), tuple((mass / mass.sum()).tolist())
