"""Players written for PokerKit as agents of dupai.

PokerKit has no players of its own; a program that plays with it is a function that acts upon a ``pokerkit.State`` whose
turn it is: ``state.fold()``, ``state.check_or_call()`` or ``state.complete_bet_or_raise_to(amount)``, with amounts as
totals of the street. The adapter hands it a state in which cards that it may not see are unknown, and reads off what it
did.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Annotated, Any, ClassVar

from pokerkit import Automation, FixedLimitTexasHoldem, Folding, NoLimitTexasHoldem
from pokerkit.state import CheckingOrCalling, CompletionBettingOrRaisingTo

from dupai.agents import BaseAgent, Option
from dupai.base import ConfigError, Rng
from dupai.cards import cards_text
from dupai.rules import CALL, FOLD, Action, HandState, View

_AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def load_player(place: str) -> Any:
    """What ``module:name`` names.

    Raises:
        ConfigError: there is no such thing.
    """
    module, _, name = place.partition(":")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"player={place!r}: expected module:name of something to import ({error})") from error


def pokerkit_state(view: View) -> Any:
    """The hand of ``view`` as PokerKit has it, with the viewer to act. Player ``k`` is position ``k``.

    Raises:
        ConfigError: a game that PokerKit has under other rules (pot-limit).
        ValueError: a raise that PokerKit's rules do not allow (ACPC's minimum is smaller after a short all-in).
    """
    spec = view.spec
    n = spec.players
    # Two players: PokerKit turns the blinds round by itself, so that player 0 posts the big one.
    blinds = spec.blinds if n > 2 else spec.blinds[::-1]
    tables = (_AUTOMATIONS, True, spec.antes, blinds)
    stacks = view.start_stacks
    if spec.betting == "no-limit":
        state = NoLimitTexasHoldem.create_state(*tables, spec.big_blind, stacks, n)
    elif spec.betting == "limit":
        state = FixedLimitTexasHoldem.create_state(*tables, spec.bet_sizes[0], spec.bet_sizes[-1], stacks, n)
    else:
        raise ConfigError(f"the PokerKit adapter does not play {spec.betting}")
    for position in range(n):
        state.deal_hole(cards_text(view.hole) if position == view.position else "????")
    ours = HandState(spec, stacks=stacks)
    street = 0
    for at, position, action in view.actions:
        if at != street:
            street = at
            state.deal_board(_dealt(view, street))
        before = ours.contributions[position] - ours.bets[position]
        ours.follow(action)
        if action.kind == FOLD:
            state.fold()
        elif action.kind == CALL:
            state.check_or_call()
        else:
            state.complete_bet_or_raise_to(ours.contributions[position] - before)
    if street != view.street:
        state.deal_board(_dealt(view, view.street))
    return state


def _dealt(view: View, street: int) -> str:
    """The board cards of one street."""
    return cards_text(view.board[0:3] if street == 1 else view.board[street + 1 : street + 2])


def pairs_raise(state: Any) -> None:
    """An example of a player: it calls, and raises the smallest amount before the flop with a pair in hand."""
    mine = state.hole_cards[state.actor_index]
    if not state.board_cards and mine[0].rank == mine[1].rank and state.can_complete_bet_or_raise_to():
        state.complete_bet_or_raise_to(state.min_completion_betting_or_raising_to_amount)
    else:
        state.check_or_call()


class PokerKitAgent(BaseAgent):
    """A player written for PokerKit: player=module:function, called with a state to act upon.

    Where the hand has a raise that PokerKit's rules do not allow, it calls without asking the player.
    """

    bettings: ClassVar[tuple[str, ...]] = ("no-limit", "limit")

    def __init__(
        self, player: Annotated[str, Option("module:function of the player", file=True)] = "dupai_pokerkit:pairs_raise"
    ) -> None:
        self._player = load_player(player)

    def act(self, view: View, rng: Rng) -> Action:
        with warnings.catch_warnings():
            # PokerKit warns of cards that may be among the unknown ones.
            warnings.simplefilter("ignore")
            try:
                state = pokerkit_state(view)
            except ValueError:
                return Action.call()
        before = len(state.operations)
        self._player(state)
        for operation in state.operations[before:]:
            if isinstance(operation, Folding):
                return Action.fold() if view.legal.fold else Action.call()
            if isinstance(operation, CheckingOrCalling):
                return Action.call()
            if isinstance(operation, CompletionBettingOrRaisingTo):
                earlier = view.contributions[view.actor] - view.bets[view.actor]
                return view.legal.closest_raise(operation.amount + earlier)
        raise ConfigError("the player did nothing: expected one of fold, check_or_call, complete_bet_or_raise_to")
