"""Playing one of our agents through any ACPC dealer: the client session over a socket."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Any

import msgspec

from dupai.acpc._client import ClientSession, Told
from dupai.acpc._player import PlayerThread, closed, safe_action, warm_up, warm_up_rules, within
from dupai.agents import MatchInfo, seated_agent
from dupai.base import ConfigError, ProtocolError
from dupai.rules import Action, GameSpec, load_game

#: The average for a hand in the competitions.
SECONDS_PER_ACTION = 7.0
_CHUNK = 1 << 16


class JoinResult(msgspec.Struct, frozen=True, kw_only=True):
    """A match as the client saw it.

    Attributes:
        hands: hands that it saw the end of.
        won: chips won in them, in 1/``split`` chips.
        split: units a chip.
        late: decisions that the agent did not make in time.
        failed: decisions in which the agent raised or answered illegally.
    """

    hands: int
    won: int
    split: int
    late: int
    failed: int


class _Seat:
    """The agent at the table: decisions within the clock, hands observed."""

    def __init__(self, agent: str, seconds: float, seed: int, note: Callable[[str], None]) -> None:
        self._spec = agent
        self._agent = seated_agent(agent)
        self._seconds = seconds
        self._seed = seed
        self._note = note
        self._player: PlayerThread | None = None
        self._names: tuple[str, ...] = ()
        self._hand = -1
        self.won = self.late = self.failed = 0
        self.split = 1

    def _sit(self, told: Told) -> PlayerThread:
        spec = told.state.spec
        self._player = player = PlayerThread(self._agent, self._seed, told.seat)
        self.split = spec.split
        self._names = tuple(self._spec if s == told.seat else f"seat {s}" for s in range(spec.players))
        info = MatchInfo(spec=spec, seat=told.seat, names=self._names, seconds_per_action=self._seconds)
        # A start that lasts costs time in the first decision, which is answered in time all the same.
        player.start(info)
        return player

    def see(self, told: Told) -> PlayerThread:
        """A state has arrived; the first of a hand begins it."""
        player = self._player or self._sit(told)
        if told.state.hand != self._hand:
            self._hand = told.state.hand
            player.begin(told.state)
        return player

    async def decide(self, player: PlayerThread, told: Told) -> Action:
        try:
            return await within(player.act(told.state), self._seconds)
        except TimeoutError:
            self.late += 1
            self._note(f"WARNING: the agent did not answer within {self._seconds:g} s in hand {told.state.hand}")
        except Exception as error:  # noqa: BLE001 - whatever the agent does, the match goes on
            self.failed += 1
            self._note(f"WARNING: the agent failed in hand {told.state.hand}: {type(error).__name__}: {error}")
        return safe_action(told.state)

    def over(self, player: PlayerThread, told: Told) -> None:
        # With names, though the protocol has none: whoever sits in a chair is one opponent to learn.
        record = told.record(self._names)
        self.won += record.payoffs[told.position]
        player.observe(record)

    async def leave(self) -> None:
        player = self._player or PlayerThread(self._agent, self._seed, 0)
        await closed(player, self._seconds, "the agent", self._note)


async def join(
    host: str,
    port: int,
    agent: str,
    game: GameSpec | None = None,
    *,
    seconds: float = SECONDS_PER_ACTION,
    seed: int | None = None,
    note: Callable[[str], None] = lambda _: None,
) -> JoinResult:
    """Play ``agent`` through the dealer that listens on ``host``:``port`` until it closes the connection.

    Args:
        agent: An agent spec.
        game: The game; None: the shipped no-limit game for the number of players that the first state shows.
        seconds: Clock for one decision. When it runs out the client checks, or folds to a bet.
        seed: Of the agent's random numbers; None: a random one.
        note: Is given warnings, one line each.

    Raises:
        ProtocolError: nobody listens there, or the dealer breaks the protocol.
        NotationError, ConfigError, AgentError: as :func:`dupai.agents.seated_agent`.
    """
    if not seconds > 0:
        raise ConfigError(f"seconds = {seconds:g}: expected more than 0", key="seconds")
    likely = game or load_game("holdem.nolimit.2p")
    await asyncio.to_thread(warm_up_rules, likely)
    if not agent.strip().startswith("acpc"):
        await asyncio.to_thread(warm_up, seated_agent(agent), likely)
    seat = _Seat(agent, seconds, secrets.randbits(32) if seed is None else seed, note)
    session = ClientSession(game)
    try:
        await _play(session, seat, host, port)
    finally:
        await seat.leave()
    return JoinResult(hands=session.finished_hands, won=seat.won, split=seat.split, late=seat.late, failed=seat.failed)


async def _play(session: ClientSession, seat: _Seat, host: str, port: int) -> None:
    """The session from the connection on until the dealer closes it."""
    try:
        reader, writer = await asyncio.open_connection(host, port)
    except (OSError, ValueError) as error:
        # ValueError: a name that no host can have.
        raise ProtocolError(f"cannot connect to {host}:{port}: {getattr(error, 'strerror', None) or error}") from None
    try:
        writer.write(session.greeting())
        while data := await reader.read(_CHUNK):
            session.feed(data)
            for told in session.states():
                player = seat.see(told)
                if told.our_turn:
                    writer.write(told.answer(await seat.decide(player, told)))
                    await writer.drain()
                elif told.over:
                    seat.over(player, told)
    except ConnectionError:
        pass  # a dealer that is gone has ended the match
    finally:
        writer.close()


def join_match(*args: Any, **kwargs: Any) -> JoinResult:
    """:func:`join` for programs without an event loop."""
    return asyncio.run(join(*args, **kwargs))
