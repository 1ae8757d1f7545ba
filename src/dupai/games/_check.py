"""The conformance kit: whether a game keeps to the protocol."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Generic, NamedTuple, TypeVar

from dupai.base import Rng
from dupai.games._game import CHANCE, OVER, Game

S = TypeVar("S", bound=Hashable)
#: Information and action of each of a player's own decisions so far.
_Past = tuple[tuple[Hashable, int], ...]

#: Moves after which a game counts as endless.
_MAX_MOVES = 10_000
_SHOWN = 10


class GameReport(NamedTuple):
    """The result of :func:`check_game`: ``problems`` (at most ten), the playouts made, and the numbers of different
    states and information sets (of players to act) that they met."""

    name: str
    playouts: int
    states: int
    information_sets: int
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """No problem was found."""
        return not self.problems


def check_game(game: Game[S], *, playouts: int = 1000, seed: int = 0, zero_sum: bool = True) -> GameReport:
    """Play a game at random and check that it keeps to :class:`Game`.

    Checked: actors, actions (ascending, without repetition) and chances (positive, adding up to 1) make sense;
    ``child`` is pure; information sets determine the actions and the player's own past (perfect recall); payoffs are
    finite, one for each player and, with ``zero_sum``, add up to 0; every game ends.
    """
    rng = Rng(seed)
    checker = _Checker(game, zero_sum)
    made = 0
    while made < playouts and len(checker.problems) < _SHOWN:
        checker.play(rng)
        made += 1
    return GameReport(game.name, made, len(checker.states), len(checker.actions), tuple(checker.problems))


class _Checker(Generic[S]):
    """Plays a game and collects problems and what is known of each information set."""

    def __init__(self, game: Game[S], zero_sum: bool) -> None:
        self.game = game
        self.zero_sum = zero_sum
        self.problems: list[str] = []
        self.actions: dict[tuple[int, Hashable], tuple[int, ...]] = {}
        self.past: dict[tuple[int, Hashable], _Past] = {}
        self.states: set[Hashable] = set()

    def expect(self, holds: bool, problem: str) -> bool:
        """Note a problem where something does not hold."""
        if not holds and problem not in self.problems and len(self.problems) < _SHOWN:
            self.problems.append(problem)
        return holds

    def play(self, rng: Rng) -> None:
        game, state = self.game, self.game.root()
        pasts: list[_Past] = [()] * game.players
        for _ in range(_MAX_MOVES):
            self.states.add(state)
            actor = game.actor(state)
            if actor == OVER:
                self._end(state)
                return
            actions = tuple(game.actions(state))
            ordered = bool(actions) and list(actions) == sorted(set(actions))
            if not self.expect(ordered, f"state {state!r}: actions {actions}: expected some, ascending, each once"):
                return
            if actor == CHANCE:
                self._chances(state, len(actions))
            elif 0 <= actor < game.players:
                self._decision(actor, game.information(state, actor), actions, pasts[actor])
            else:
                self.expect(
                    False, f"state {state!r}: actor {actor}: expected a player below {game.players}, CHANCE or OVER"
                )
                return
            action = actions[rng.below(len(actions))]
            following = game.child(state, action)
            pure = game.child(state, action) == following
            pure = pure and tuple(game.actions(state)) == actions and game.actor(state) == actor
            self.expect(pure, f"state {state!r}: child {action} is not pure")
            if actor >= 0:
                pasts[actor] = (*pasts[actor], (game.information(state, actor), action))
            state = following
        self.expect(False, f"a game has not ended after {_MAX_MOVES:,} moves")

    def _chances(self, state: S, outcomes: int) -> None:
        chances = tuple(self.game.chances(state))
        fair = len(chances) == outcomes and all(p > 0 for p in chances) and abs(math.fsum(chances) - 1) <= 1e-12
        self.expect(fair, f"state {state!r}: chances {chances}: expected {outcomes} that add up to 1")

    def _decision(self, player: int, known: Hashable, actions: tuple[int, ...], past: _Past) -> None:
        """Equal information must mean equal actions and, with perfect recall, an equal past."""
        before = self.actions.setdefault((player, known), actions)
        self.expect(
            before == actions,
            f"information {known!r} of player {player}: actions {before} in one state, {actions} elsewhere",
        )
        self.expect(
            self.past.setdefault((player, known), past) == past,
            f"information {known!r} of player {player}: no perfect recall: different own decisions lead there",
        )

    def _end(self, state: S) -> None:
        payoffs, players = self.game.payoffs(state), self.game.players
        finite = len(payoffs) == players and all(math.isfinite(x) for x in payoffs)
        if self.expect(finite, f"state {state!r}: payoffs {payoffs}: expected {players} finite numbers"):
            total = math.fsum(payoffs)
            even = not self.zero_sum or abs(total) <= 1e-9
            self.expect(even, f"state {state!r}: payoffs {payoffs} add up to {total:g}: expected 0")
        actions = tuple(self.game.actions(state))
        self.expect(not actions, f"state {state!r}: it is over and still has actions {actions}")
