"""The conformance kit: does a game keep to the protocol?"""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import NamedTuple, TypeVar

from dupai.base import Rng
from dupai.games._game import CHANCE, OVER, Game

S = TypeVar("S", bound=Hashable)

#: Games that last longer are taken not to end.
_MOST_MOVES = 10_000
_SHOWN = 10


class GameReport(NamedTuple):
    """What :func:`check_game` found: ``problems`` (at most ten, empty: none), the playouts made, how many different
    states and information sets (of players to act) they met."""

    name: str
    playouts: int
    states: int
    information_sets: int
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """No problem was found."""
        return not self.problems


class _Checker:
    """Collects what is known of each information set, and problems."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.actions: dict[tuple[int, Hashable], tuple[int, ...]] = {}
        self.past: dict[tuple[int, Hashable], tuple[tuple[Hashable, int], ...]] = {}
        self.states: set[Hashable] = set()

    def say(self, problem: str) -> None:
        if problem not in self.problems and len(self.problems) < _SHOWN:
            self.problems.append(problem)

    def decision(
        self, who: int, known: Hashable, actions: tuple[int, ...], past: tuple[tuple[Hashable, int], ...]
    ) -> None:
        """One decision: equal information must mean equal actions and, with perfect recall, an equal past."""
        key = (who, known)
        if self.actions.setdefault(key, actions) != actions:
            self.say(
                f"information {known!r} of player {who}: actions {self.actions[key]} in one state, {actions} elsewhere"
            )
        if self.past.setdefault(key, past) != past:
            self.say(f"information {known!r} of player {who}: no perfect recall: different own decisions lead there")


def check_game(game: Game[S], *, playouts: int = 1000, seed: int = 0, zero_sum: bool = True) -> GameReport:
    """Play a game at random and look whether it keeps to :class:`Game`.

    Checked: actors, actions (ascending, without repetition) and chances (positive, adding up to 1) make sense;
    ``child`` is pure; information sets determine the actions and the player's own past (perfect recall); payoffs are
    finite, one for each player and, with ``zero_sum``, add up to 0; every game ends.
    """
    rng = Rng(seed)
    checker = _Checker()
    for _ in range(playouts):
        if len(checker.problems) >= _SHOWN:
            break
        _play(game, rng, checker, zero_sum)
    return GameReport(game.name, playouts, len(checker.states), len(checker.actions), tuple(checker.problems))


def _play(game: Game[S], rng: Rng, checker: _Checker, zero_sum: bool) -> None:
    state = game.root()
    pasts: list[tuple[tuple[Hashable, int], ...]] = [()] * game.players
    for _ in range(_MOST_MOVES):
        checker.states.add(state)
        who = game.actor(state)
        if who == OVER:
            _end(game, state, checker, zero_sum)
            return
        actions = tuple(game.actions(state))
        if not actions or list(actions) != sorted(set(actions)):
            checker.say(f"state {state!r}: actions {actions}: expected some, ascending, each once")
            return
        if who == CHANCE:
            chances = tuple(game.chances(state))
            if len(chances) != len(actions) or not all(p > 0 for p in chances) or abs(math.fsum(chances) - 1) > 1e-12:
                checker.say(f"state {state!r}: chances {chances}: expected {len(actions)} that add up to 1")
        elif 0 <= who < game.players:
            checker.decision(who, game.information(state, who), actions, pasts[who])
        else:
            checker.say(f"state {state!r}: actor {who}: expected a player below {game.players}, CHANCE or OVER")
            return
        action = actions[rng.below(len(actions))]
        following = game.child(state, action)
        if game.child(state, action) != following or tuple(game.actions(state)) != actions or game.actor(state) != who:
            checker.say(f"state {state!r}: child {action} is not pure")
        if who >= 0:
            pasts[who] = (*pasts[who], (game.information(state, who), action))
        state = following
    checker.say(f"a game has not ended after {_MOST_MOVES:,} moves")


def _end(game: Game[S], state: S, checker: _Checker, zero_sum: bool) -> None:
    won = game.payoffs(state)
    if len(won) != game.players or not all(math.isfinite(x) for x in won):
        checker.say(f"state {state!r}: payoffs {won}: expected {game.players} finite numbers")
    elif zero_sum and abs(math.fsum(won)) > 1e-9:
        checker.say(f"state {state!r}: payoffs {won} add up to {math.fsum(won):g}: expected 0")
    if game.actions(state):
        checker.say(f"state {state!r}: it is over and still has actions {tuple(game.actions(state))}")
