"""``dupai bench engine``: random hands through the rules, against PokerKit and OpenSpiel's universal_poker.

One hand everywhere: fresh cards, 100 big blinds, each decision uniform over fold (when facing a bet), call and raise,
the raise uniform over the legal totals (in OpenSpiel's four-action abstraction over pot and all-in), showdowns settled.
"""

from __future__ import annotations

import random
from functools import partial

import numpy as np

from dupai.base import Rng
from dupai.bench._row import Measurement, Row, measured, peer_package, per_second
from dupai.rules import CALL, FOLD, RAISE, STATE_DTYPE, Action, GameSpec, HandState, random_hands_kernel

_BIG, _STACK = 100, 10_000
#: Hands in one measurement: kernels, HandState, OpenSpiel with four actions and with all sizes, PokerKit.
_KERNEL, _PYTHON, _FOUR, _FULL, _KIT = 200_000, 2_000, 2_000, 100, 60


def _kernel_hands(players: int) -> Measurement:
    """Hands/s in kernels."""
    spec, s, rng = GameSpec.no_limit(players, stack=_STACK).array, np.zeros(1, STATE_DTYPE), Rng(1)
    payoffs = np.zeros(10, np.int64)
    return per_second(lambda: random_hands_kernel(s, spec, rng.state, payoffs, _KERNEL), _KERNEL)


def _python_hands(players: int) -> Measurement:
    """Hands/s through HandState."""
    spec, rng, choice = GameSpec.no_limit(players, stack=_STACK), Rng(1), random.Random(1)

    def work() -> None:
        for _ in range(_PYTHON):
            state = HandState.deal(spec, rng)
            while not state.finished:
                fold, _, lowest, most = state.legal
                kinds = [CALL, FOLD] if fold else [CALL]
                if most:
                    kinds.append(RAISE)
                kind = choice.choice(kinds)
                state.apply(Action(kind, choice.randint(lowest, most) if kind == RAISE else 0))
            _ = state.payoffs

    return per_second(work, _PYTHON)


def _pokerkit_hands(players: int) -> Measurement:
    """Hands/s of PokerKit, everything but the decisions automated."""
    kit = peer_package("pokerkit")
    make = partial(
        kit.NoLimitTexasHoldem.create_state,
        tuple(a for a in kit.Automation if a.name != "RUNOUT_COUNT_SELECTION"),
        True,
        0,
        (_BIG // 2, _BIG),
        _BIG,
        _STACK,
        players,
    )
    choice = random.Random(1)

    def work() -> None:
        for _ in range(_KIT):
            state = make()
            while state.status:
                lowest = state.min_completion_betting_or_raising_to_amount
                kinds = [CALL, FOLD] if state.can_fold() else [CALL]
                if lowest is not None:
                    kinds.append(RAISE)
                kind = choice.choice(kinds)
                if kind == FOLD:
                    state.fold()
                elif kind == CALL:
                    state.check_or_call()
                else:
                    most = state.max_completion_betting_or_raising_to_amount
                    state.complete_bet_or_raise_to(choice.randint(lowest, most))
            _ = state.payoffs

    return per_second(work, _KIT)


def _openspiel_hands(players: int, *, all_sizes: bool) -> Measurement:
    """Hands/s of universal_poker driven from Python, cards dealt from a shuffled deck without asking for outcomes."""
    small, big = _BIG // 2, _BIG
    game = peer_package("pyspiel").load_game(
        "universal_poker",
        {
            "betting": "nolimit",
            "bettingAbstraction": "fullgame" if all_sizes else "fcpa",
            "numPlayers": players,
            "numRounds": 4,
            "blind": f"{big} {small}" if players == 2 else " ".join([str(small), str(big)] + ["0"] * (players - 2)),
            "firstPlayer": "2 1 1 1" if players == 2 else "3 1 1 1",
            "stack": " ".join([str(_STACK)] * players),
            "numSuits": 4,
            "numRanks": 13,
            "numHoleCards": 2,
            "numBoardCards": "0 3 1 1",
        },
    )
    hands, choice, cards = _FULL if all_sizes else _FOUR, random.Random(1), range(52)

    def work() -> None:
        for _ in range(hands):
            state = game.new_initial_state()
            deck = choice.sample(cards, 2 * players + 5)
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(deck.pop())
                    continue
                legal = state.legal_actions()
                at = choice.randrange(min(len(legal), 3 if legal[0] == FOLD else 2))
                raises = 2 if legal[0] == FOLD else 1
                state.apply_action(legal[at] if at < raises else legal[choice.randrange(raises, len(legal))])
            state.returns()

    return per_second(work, hands)


def rows() -> list[Row]:
    """The rows of ``dupai bench engine``.

    Raises:
        MissingPackage: a peer is not installed.
    """
    four = "universal_poker, fold/call/pot/all-in"
    four2, four6 = ((four, _openspiel_hands(n, all_sizes=False)) for n in (2, 6))
    every = ("universal_poker, all sizes", _openspiel_hands(2, all_sizes=True))
    two, six = _kernel_hands(2), _kernel_hands(6)
    kit2, kit6 = ("PokerKit", _pokerkit_hands(2)), ("PokerKit", _pokerkit_hands(6))
    return [
        measured("random hands in kernels, 2 players", "hands/s", two, four2, least=2e6),
        measured("random hands in kernels, 6 players", "hands/s", six, four6, least=5e5),
        measured("random hands in kernels, 2 players, against all sizes", "hands/s", two, every, least=2e6),
        measured("random hands through HandState, 2 players", "hands/s", _python_hands(2), kit2, least=2e4),
        measured("random hands through HandState, 6 players", "hands/s", _python_hands(6), kit6),
    ]
