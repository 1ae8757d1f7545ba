"""The dealer on sockets: one listening port a seat, agents of ours on threads of their own."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from typing import TextIO

import msgspec

from dupai.acpc._dealer import DealConfig, Dealer, DealFault
from dupai.acpc._player import PlayerThread, warm_up, warm_up_rules, within
from dupai.agents import MatchInfo, make_agent
from dupai.base import ConfigError
from dupai.rules import HandRecord

#: What may wait to be sent to a client that does not read.
_MOST_UNREAD = 4 << 20
#: Seconds in which clients are given their last lines, and agents may close.
_LEAVE = 5.0


class DealResult(msgspec.Struct, frozen=True, kw_only=True):
    """A match that is over.

    Attributes:
        names: by seat.
        hands: hands finished.
        totals: won in them by seat, in 1/``split`` chips.
        score: the ``SCORE`` line of these hands.
        faults: what players did wrong, in order.
        ended: why the match ended before its last hand; None: it did not.
    """

    names: tuple[str, ...]
    hands: int
    totals: tuple[int, ...]
    split: int
    score: str
    faults: tuple[DealFault, ...]
    ended: str | None


class _Wire(asyncio.Protocol):
    """The connection of one seat."""

    def __init__(self, match: _Match, seat: int) -> None:
        self._match = match
        self._seat = seat
        self.transport: asyncio.Transport | None = None
        self.closed = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        if not self._match.seated(self._seat, self):
            transport.abort()

    def data_received(self, data: bytes) -> None:
        self._match.received(self._seat, self, data)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.closed.done():
            self.closed.set_result(None)
        self._match.left(self._seat, self, error)


class _Match:
    """Ties a :class:`Dealer` to its connections, its agents, its clock and its log."""

    def __init__(
        self,
        config: DealConfig,
        players: Sequence[PlayerThread | None],
        log: TextIO | None,
        note: Callable[[str], None],
        chatter: Callable[[str], None] | None,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._players = players
        self._log = log
        self._note = note
        self._chatter = chatter
        self._wires: dict[int, _Wire] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._asked = -1
        self._tasks: set[asyncio.Task[None]] = set()
        self._finished = asyncio.Event()
        self.hands = 0
        self.dealer = Dealer(config, self)

    # what the dealer is handed
    def send(self, seat: int, line: str) -> None:
        wire = self._wires.get(seat)
        if wire is None or wire.transport is None or wire.transport.is_closing():
            return
        wire.transport.write(f"{line}\r\n".encode("ascii"))
        if self._chatter is not None:
            self._chatter(f"TO {seat + 1} at {time.time():.6f} {line}")

    def drop(self, seat: int) -> None:
        wire = self._wires.get(seat)
        if wire is not None and wire.transport is not None:
            wire.transport.close()

    def log(self, line: str) -> None:
        if self._log is not None:
            self._log.write(line + "\n")
            if line[:1] == "#":
                self._log.flush()

    def note(self, line: str) -> None:
        self._note(line)

    def over(self, record: HandRecord) -> None:
        self.hands += 1
        if self._log is not None:
            self._log.flush()
        for position, seat in enumerate(record.seats):
            player = self._players[seat]
            if player is not None:
                player.observe(record.for_seat(position))

    # what the connections say
    def seated(self, seat: int, wire: _Wire) -> bool:
        if seat in self._wires:
            return False
        self._wires[seat] = wire
        self.dealer.connected(seat, self._loop.time())
        if self._chatter is not None:
            self._chatter(f"seat {seat + 1} has connected")
        self.follow()
        return True

    def received(self, seat: int, wire: _Wire, data: bytes) -> None:
        if self._wires.get(seat) is not wire:
            return
        if self._chatter is not None:
            stamp = time.time()
            for line in data.splitlines():
                self._chatter(f"FROM {seat + 1} at {stamp:.6f} {line[:4095].decode('ascii', 'replace')}")
        self.dealer.received(seat, data, self._loop.time())
        self.follow()

    def left(self, seat: int, wire: _Wire, error: Exception | None) -> None:
        if self._wires.get(seat) is wire:
            why = f"lost its connection ({error})" if error is not None else "closed its connection"
            self.dealer.lost(seat, why, self._loop.time())
            self.follow()

    # after everything that happens
    def follow(self) -> None:
        """Set the timer, ask a local agent whose turn it is, look after clients that do not read."""
        dealer = self.dealer
        for seat, wire in self._wires.items():
            transport = wire.transport
            if transport is not None and transport.get_write_buffer_size() > _MOST_UNREAD:
                transport.abort()
                dealer.lost(seat, "does not read what it is sent", self._loop.time())
        if dealer.done:
            self._finished.set()
            return
        deadline = dealer.deadline
        if self._timer is not None and (self._timer.when() > deadline):
            self._timer.cancel()
            self._timer = None
        if self._timer is None and deadline < math.inf:
            self._timer = self._loop.call_at(deadline, self._ring)
        seat_now = dealer.waiting
        if seat_now is not None and dealer.turn != self._asked and (player := self._players[seat_now]) is not None:
            self._asked = dealer.turn
            task = self._loop.create_task(self._ask(player, seat_now, dealer.turn))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _ring(self) -> None:
        self._timer = None
        self.dealer.tick(self._loop.time())
        self.follow()

    async def _ask(self, player: PlayerThread, seat: int, turn: int) -> None:
        assert self.dealer.state is not None
        try:
            answer = await asyncio.wrap_future(player.act(self.dealer.state.copy()))
        except Exception as error:  # noqa: BLE001 - whatever an agent does is its own fault
            self.dealer.acted(seat, turn, error, self._loop.time())
        else:
            self.dealer.acted(seat, turn, answer, self._loop.time())
        self.follow()

    async def wait(self) -> None:
        await self._finished.wait()

    async def leave(self) -> None:
        """Close everything: clients get what was sent to them, agents their ``close``."""
        if self._timer is not None:
            self._timer.cancel()
        for task in self._tasks:
            task.cancel()
        for wire in self._wires.values():
            if wire.transport is not None:
                wire.transport.close()
        if self._wires:
            await asyncio.wait([w.closed for w in self._wires.values()], timeout=_LEAVE)
        for wire in self._wires.values():
            if wire.transport is not None:
                wire.transport.abort()
        for seat, player in enumerate(self._players):
            if player is not None:
                try:
                    await within(player.close(), _LEAVE)
                except Exception as error:  # noqa: BLE001
                    self._note(f"WARNING: the agent of seat {seat + 1} did not close: {type(error).__name__}: {error}")


async def deal(
    config: DealConfig,
    agents: Sequence[str | None] = (),
    *,
    host: str = "127.0.0.1",
    ports: Sequence[int] = (),
    log: TextIO | None = None,
    note: Callable[[str], None] = lambda _: None,
    chatter: Callable[[str], None] | None = None,
    listening: Callable[[tuple[int, ...]], None] = lambda _: None,
) -> DealResult:
    """Deal a match to clients that connect, and to agents of ours.

    Args:
        config: The match.
        agents: By seat, the spec of an agent of ours, or None for a client (default: clients only).
        host: Where to listen.
        ports: By seat; 0 or missing: any free one.
        log: Gets the match's log.
        note: Is given warnings, errors and the score, one line each.
        chatter: Is given every line sent and received (default: nobody is).
        listening: Is given the ports by seat (0 for agents of ours) once everybody may connect.

    Raises:
        ConfigError: a setting that makes no sense, or a port that cannot be had.
        NotationError, ConfigError, AgentError: as :func:`dupai.agents.make_agent`.
    """
    n = config.game.players
    specs = tuple(agents) + (None,) * (n - len(agents))
    if len(specs) != n or len(ports) > n:
        raise ConfigError(f"{max(len(specs), len(ports))} agents or ports given: expected at most {n}, one per seat")
    config = msgspec.structs.replace(config, local=tuple(s is not None for s in specs))
    await asyncio.to_thread(warm_up_rules, config.game)
    players: list[PlayerThread | None] = []
    for seat, spec in enumerate(specs):
        if spec is None:
            players.append(None)
            continue
        agent = make_agent(spec)
        if not spec.strip().startswith("acpc"):
            await asyncio.to_thread(warm_up, make_agent(spec), config.game)
        player = PlayerThread(agent, config.seed, seat)
        player.start(MatchInfo(spec=config.game, seat=seat, names=config.names, hands=config.hands))
        players.append(player)
    match = _Match(config, players, log, note, chatter)
    servers: list[asyncio.Server] = []
    open_ports = []
    try:
        for seat, spec in enumerate(specs):
            if spec is not None:
                open_ports.append(0)
                continue
            wanted = ports[seat] if seat < len(ports) else 0
            try:
                server = await match._loop.create_server(lambda s=seat: _Wire(match, s), host, wanted)  # type: ignore[misc]
            except (OSError, OverflowError) as error:
                raise ConfigError(f"cannot listen on {host}:{wanted} for seat {seat + 1}: {error}") from None
            servers.append(server)
            open_ports.append(server.sockets[0].getsockname()[1])
        listening(tuple(open_ports))
        match.dealer.begin(match._loop.time())
        match.follow()
        await match.wait()
    finally:
        for server in servers:
            server.close()
        await match.leave()
    dealer = match.dealer
    return DealResult(
        names=config.names,
        hands=match.hands,
        totals=tuple(dealer.totals),
        split=config.game.split,
        score=dealer.score,
        faults=tuple(dealer.faults),
        ended=dealer.ended,
    )
