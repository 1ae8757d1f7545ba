"""A hand as numbers: the discrete actions, which of them are legal, and what a player observes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np

from dupai.base import ConfigError, RulesError
from dupai.base.arrays import F32, I8
from dupai.base.text import quoted
from dupai.cards import CARDS, NO_CARD
from dupai.rules import BOARD_CARDS, RAISE, STREETS, UNLIMITED, Action, GameSpec, HandState, View
from dupai.spots import BetSize

#: Raise sizes of no-limit and pot-limit games unless others are asked for: half the pot, the pot, all-in.
SIZES = ("half", "pot", "a")
#: The two first actions of every menu.
FOLD_INDEX, CALL_INDEX = 0, 1
_STREET_CARDS = ((0, 3), (3, 4), (4, 5))


class Encoder:
    """Actions and observations of a game.

    Action 0 folds, 1 checks or calls, and one action for each of ``sizes`` bets or raises. A size that is not legal
    becomes the nearest legal total; of sizes with the same total only the first is in the mask.

    An observation is ``float32[size]`` in [0, 1], the same for every seat: players are counted clockwise from the
    observer, who is the first, and chips are shares of all chips in play. In limit games without stacks, as the ACPC
    has them, a stack is the most that a hand can cost. :attr:`features` says where what stands:

    ========== ===================================================================================================
    hole       52: the observer's hole cards
    board      3 x 52: flop, turn, river
    street     4: one of them is 1
    players    6 each: stack, chips put in on this street, in this hand, folded, all-in, button
    pot        4: the pot, chips to call, the smallest and the largest raise (0 when it is not the observer's turn)
    history    the last actions, latest first, each: who (one of the players), fold, call, raise, total put in
    ========== ===================================================================================================

    Args:
        spec: the game.
        sizes: raise sizes as :class:`dupai.spots.BetSize` reads them; limit games have one size and take none.
        history: how many actions to remember.

    Raises:
        ConfigError: a size is unknown, or ``history`` is negative.
    """

    def __init__(self, spec: GameSpec, sizes: Sequence[str] | None = None, history: int = 12) -> None:
        if sizes is None or spec.betting == "limit":
            sizes = SIZES if spec.betting != "limit" else ("min",)
        if isinstance(sizes, str):
            sizes = [part.strip() for part in sizes.split(",")]
        parsed = [BetSize.parse(text) if isinstance(text, str) else None for text in sizes]
        for text, size in zip(sizes, parsed, strict=True):
            if size is None:
                raise ConfigError(
                    f"sizes: {quoted(text)} is not a bet size: expected as 'half', '75%', '3x', 'a'", key="sizes"
                )
        if isinstance(history, bool) or not isinstance(history, int) or history < 0:
            raise ConfigError(f"history = {history!r}: expected a number of actions", key="history")
        if not spec.big_blind:
            raise ConfigError("game: there is no big blind to count rewards in", key="game")
        self.spec = spec
        self.sizes = tuple(size for size in parsed if size is not None)
        self.history = history
        #: What each action index means.
        self.action_names = ("fold", "call", *(f"raise {size}" for size in self.sizes))
        widths = {
            "hole": CARDS, "board": 3 * CARDS, "street": STREETS, "players": 6 * spec.players, "pot": 4,
            "history": history * (spec.players + 4),
        }  # fmt: skip
        edges = [0, *accumulate(widths.values())]
        #: Where each part of an observation stands.
        self.features = {name: slice(a, b) for name, (a, b) in zip(widths, pairwise(edges), strict=True)}
        self.size = edges[-1]
        #: The most chips that count as a stack.
        self._most = _dearest(spec) if spec.betting == "limit" else UNLIMITED

    def actions(self, state: HandState | View) -> tuple[Action, ...]:
        """What each index plays for the actor: ``fold`` may be illegal, and raises that are not possible are calls."""
        return (Action.fold(), Action.call(), *(self._raise(state, size) for size in self.sizes))

    def _raise(self, state: HandState | View, size: BetSize) -> Action:
        legal = state.legal
        if not legal.can_raise or size.kind == "min":
            return legal.closest_raise(legal.min_to)
        seat = state.actor
        bet, behind = state.bets[seat], state.stacks[seat] - legal.to_call
        earlier = state.contributions[seat] - bet
        if size.kind == "blinds":
            return legal.closest_raise(earlier + math.floor(size.x * self.spec.big_blind + 0.5))
        faced = bet + legal.to_call
        return legal.closest_raise(earlier + size.bet(state.pot + legal.to_call, faced, behind, STREETS - state.street))

    def mask(self, state: HandState | View, position: int | None = None) -> I8:
        """``int8[actions]``: 1 for what the actor may choose; all 0 where ``position`` is given and not the actor."""
        mask = np.zeros(len(self.action_names), np.int8)
        if state.finished or (position is not None and position != state.actor):
            return mask
        mask[FOLD_INDEX], mask[CALL_INDEX] = state.legal.fold, 1
        totals: set[int] = set()
        for index, action in enumerate(self.actions(state)):
            if action.kind == RAISE and action.to not in totals:
                totals.add(action.to)
                mask[index] = 1
        return mask

    def action(self, state: HandState | View, index: object, *, nearest: bool = False) -> Action:
        """The action that an index (or an :class:`~dupai.rules.Action`) stands for.

        Args:
            nearest: an index that the mask rules out plays its nearest legal action (a fold without a bet checks, a
                raise that is not possible calls) instead of raising an error.

        Raises:
            RulesError: it is not legal here, or is no action at all.
        """
        if isinstance(index, Action):
            return index
        count = len(self.action_names)
        try:
            number: int = int(index)  # type: ignore[call-overload]
        except (TypeError, ValueError):
            number = -1
        if not 0 <= number < count or number != index:
            raise RulesError(f"action {quoted(index)}: expected an index 0 to {count - 1}, or an Action")
        if not nearest and not self.mask(state)[number]:
            raise RulesError(
                f"action {number} ({self.action_names[number]}) refused: it is masked (legal: {state.legal})"
            )
        if number == FOLD_INDEX and not state.legal.fold:
            return Action.call()
        return self.actions(state)[number]

    def observe(self, state: HandState, position: int) -> F32:
        """What a position observes: ``float32[size]`` (see the class)."""
        spec, n = self.spec, self.spec.players
        view = state.view(position)
        out = np.zeros(self.size, np.float32)
        part = {name: out[where] for name, where in self.features.items()}
        part["hole"][[c for c in view.hole if c != NO_CARD]] = 1
        board = part["board"].reshape(3, CARDS)
        for street, (a, b) in enumerate(_STREET_CARDS):
            if b <= BOARD_CARDS[view.street]:
                board[street, list(view.board[a:b])] = 1
        part["street"][view.street] = 1
        most = self._most
        chips = float(sum(min(stack, most) for stack in view.start_stacks))
        stacks = [min(left, most - paid) for left, paid in zip(view.stacks, view.contributions, strict=True)]
        order = [(position + k) % n for k in range(n)]
        button = np.arange(n) == spec.button
        columns = (stacks, view.bets, view.contributions, view.folded, view.all_in, button)
        players = np.array(columns, np.float64).T[order]
        players[:, :3] /= chips
        part["players"][:] = players.ravel()
        if view.actor == position:
            legal = view.legal
            part["pot"][:] = np.array([view.pot, legal.to_call, legal.min_to, legal.max_to]) / chips
        else:
            part["pot"][0] = view.pot / chips
        history = part["history"].reshape(self.history, n + 4)
        for row, (who, action, total) in zip(history, reversed(_totals(state)), strict=False):
            row[(who - position) % n] = 1
            row[n + min(action.kind, RAISE)] = 1
            row[n + 3] = total / chips
        return out


def _dearest(spec: GameSpec) -> int:
    """The most chips that a hand of a limit game can cost a player, but for its stack: with the caps of raises."""
    raises = sum(most * size for most, size in zip(spec.max_raises, spec.bet_sizes, strict=True))
    return min(raises + spec.big_blind + max(spec.antes), UNLIMITED)


def _totals(state: HandState) -> list[tuple[int, Action, int]]:
    """Every action with who did it and what they had put in after it."""
    spec = state.spec
    # what each had put in by the end, for those who are all-in for less than the bet, or call an all-in for less
    most = state.contributions
    put = [min(blind, end) for blind, end in zip(spec.blinds, most, strict=True)]
    top = spec.big_blind  # to be called in full even where it was posted short
    rows = []
    for _, who, action in state.actions:
        if action.kind == RAISE:
            put[who] = top = action.to
        elif action == Action.call():
            put[who] = min(top, most[who])
        rows.append((who, action, put[who]))
    return rows
