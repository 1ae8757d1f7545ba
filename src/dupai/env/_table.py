"""Dealing the hands of an environment, and the agents that sit in it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from dupai.agents import Agent, MatchInfo, Seat, fault_text, seated_agent
from dupai.base import AgentError, ConfigError, DupaiError, Rng
from dupai.base.arrays import F64
from dupai.base.text import quoted
from dupai.cards import NO_CARD, cards_text
from dupai.env._encoder import Encoder
from dupai.rules import DECK_STREAM, STREET_NAMES, GameSpec, HandState, load_game

#: A game as a spec, or the name or file of an ACPC game; None: no-limit, blinds 50/100, stacks of 20,000.
GameSource = GameSpec | str | None
#: An agent spec, or anything that makes a new agent when called.
AgentSource = str | Callable[[], Agent]


def game_of(game: GameSource, players: int | None) -> GameSpec:
    """The game that an environment plays.

    Raises:
        ConfigError: it is no game, or one for another number of players.
    """
    if game is None:
        return GameSpec.no_limit(2 if players is None else players)
    spec = load_game(game) if isinstance(game, str) else game
    if not isinstance(spec, GameSpec):
        raise ConfigError(f"game: {quoted(game)}: expected a GameSpec or the name of a game", key="game")
    if players is not None and players != spec.players:
        raise ConfigError(f"game: it is for {spec.players} players, and there are {players}", key="game")
    return spec


def with_decisions(spec: GameSpec) -> GameSpec:
    """The game, if there is anything to decide in it: what stacks and blinds leave does not depend on the cards.

    Raises:
        ConfigError: antes and blinds put so many all-in that nobody ever acts.
    """
    if HandState(spec).finished:
        raise ConfigError(
            f"game: stacks {list(spec.stacks)} leave nothing to decide after blinds {list(spec.blinds)} and antes "
            f"{list(spec.antes)}: expected larger stacks",
            key="game",
        )
    return spec


def positive(key: str, value: object) -> int:
    """A setting that is a whole number of at least 1.

    Raises:
        ConfigError: it is not.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise ConfigError(f"{key} = {quoted(value)}: expected a whole number of at least 1", key=key)
    return int(value)


class EnvTable:
    """Hands of one match with stacks reset: the deck of hand k depends on the seed and k alone, positions rotate.

    Hands are dealt as :func:`dupai.play` deals them: seat 0 is in position 0 first.
    """

    def __init__(self, encoder: Encoder, seed: int) -> None:
        self.encoder, self.spec, self.seed = encoder, encoder.spec, seed
        self.state: HandState
        self._hand = 0

    def deal(self) -> HandState:
        """The next hand."""
        self._hand += 1
        n = self.spec.players
        seats = tuple((self._hand - 1 + position) % n for position in range(n))
        rng = Rng(self.seed, 0, self._hand, DECK_STREAM)
        self.state = HandState.deal(self.spec, rng, seats=seats, hand=self._hand)
        return self.state

    def position(self, seat: int) -> int:
        """Where a seat sits in this hand."""
        return self.state.seats.index(seat)

    @property
    def acting_seat(self) -> int | None:
        """Whose turn it is; None when the hand is over."""
        return None if self.state.finished else self.state.seats[self.state.actor]

    def won(self) -> F64:
        """What everybody has won in the finished hand, ``float64[players]`` by seat, in mbb."""
        out = np.empty(self.spec.players)
        out[list(self.state.seats)] = self.state.payoffs * (1000 / (self.spec.split * self.spec.big_blind))
        return out

    def text(self, seat: int | None = None) -> str:
        """The hand in a few lines, with the cards that ``seat`` sees (None: all)."""
        state = self.state
        street = f"{STREET_NAMES[state.street]} {cards_text(state.board)}".rstrip()
        lines = [f"hand {state.hand}, {street}, pot {state.pot}"]
        for position, s in enumerate(state.seats):
            hole = state.hole[position] if seat in (None, s) else (NO_CARD, NO_CARD)
            notes = ["folded"] * state.folded[position] + ["all-in"] * state.all_in[position]
            notes += ["button"] * (position == self.spec.button) + ["to act"] * (position == state.actor)
            lines.append(
                f"  seat {s}: {cards_text(hole)}, {state.stacks[position]} behind, {state.contributions[position]} in"
                + "".join(f", {note}" for note in notes)
            )
        return "\n".join(lines)


def shown(text: str, mode: str | None) -> str | None:
    """What ``render`` returns: the text, printed in the mode ``"human"``."""
    if mode != "human":
        return text
    sys.stdout.write(text + "\n")
    return None


class Opponents:
    """Seats of agents, fresh for a match.

    Raises:
        AgentError: an agent failed, here and in all that it is told. DupaiError: its own.
    """

    def __init__(self, sources: dict[int, AgentSource], names: Sequence[str], spec: GameSpec, seed: int) -> None:
        self._names = names
        self.seats: dict[int, Seat] = {}
        for chair, source in sources.items():
            make = partial(seated_agent, source) if isinstance(source, str) else source
            seat = Seat(make, names[chair], seed=seed, on_fault=partial(self._failed, chair))
            seat.start(MatchInfo(spec=spec, seat=chair, names=tuple(names)))
            self.seats[chair] = seat

    def _failed(self, chair: int, during: str, error: BaseException) -> None:
        if isinstance(error, DupaiError):
            raise error
        raise AgentError(f"{self._names[chair]} failed in {during}: {fault_text(error)}") from error

    def act(self, table: EnvTable) -> None:
        """Let the agent whose turn it is act.

        Raises:
            AgentError: it failed. RulesError: its action is not legal.
        """
        chair, state = table.acting_seat, table.state
        assert chair is not None
        state.follow(self.seats[chair].act(state))

    def begin(self, table: EnvTable) -> None:
        """A hand has been dealt."""
        for seat in self.seats.values():
            seat.begin(table.state)

    def observe(self, table: EnvTable) -> None:
        """Show the finished hand to all, as each may know it."""
        record = table.state.record([self._names[seat] for seat in table.state.seats])
        for seat in self.seats.values():
            seat.show(record)

    def close(self) -> None:
        """The match is over."""
        for seat in self.seats.values():
            seat.close()
