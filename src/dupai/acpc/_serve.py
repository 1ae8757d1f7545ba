"""The dealer on sockets: one listening port a seat, agents of ours on threads of their own."""

from __future__ import annotations

import asyncio
import contextlib
import math
import subprocess
import time
from collections.abc import Callable, Sequence
from typing import Any, Concatenate, ParamSpec

import msgspec

from dupai.acpc._agent import start_program, stop_program
from dupai.acpc._dealer import DealConfig, Dealer
from dupai.acpc._files import Acted, DealFault, Entry, MatchFiles
from dupai.acpc._player import PlayerThread, closed, warm_up, warm_up_rules, within
from dupai.agents import CannotPlay, MatchInfo, seated_agent
from dupai.base import ConfigError, DupaiError, FileError, checked_key, source_of
from dupai.rules import Action, HandRecord, HandState

#: Bytes that may wait to be sent to a client that does not read.
_MAX_UNREAD = 4 << 20
#: The used time is printed after each this many hands.
_SAY_TIMES = 100
#: Seconds for an agent of ours to start, before the match begins without waiting for it.
_START = 120.0
#: Seconds for sending the last lines to clients, and for agents to close.
_LEAVE = 5.0


class DealResult(msgspec.Struct, frozen=True, kw_only=True):
    """A match that is over.

    Attributes:
        names: by seat.
        hands: hands finished.
        totals: won in them by seat, in 1/``split`` chips.
        score: the ``SCORE`` line of these hands.
        faults: of the players, in order; also those from before the match was taken up again.
        ended: why the match ended before its last hand; None: it did not.
        key: the secret that cards came from; empty: they came from a seed.
    """

    names: tuple[str, ...]
    hands: int
    totals: tuple[int, ...]
    split: int
    score: str
    faults: tuple[DealFault, ...]
    ended: str | None
    key: str = ""


P = ParamSpec("P")


def _guarded(event: Callable[Concatenate[_Match, P], None]) -> Callable[Concatenate[_Match, P], None]:
    """An error in ``event`` ends the match: asyncio would take it for a fault of the connection that it came from."""

    def run(match: _Match, /, *args: P.args, **kwargs: P.kwargs) -> None:
        try:
            event(match, *args, **kwargs)
        except Exception as error:  # noqa: BLE001 - raised again where the match is waited for
            match.fail(error)

    return run


class _Wire(asyncio.Protocol):
    """The connection of one seat."""

    def __init__(self, match: _Match, seat: int) -> None:
        self._match = match
        self._seat = seat
        self.transport: asyncio.Transport
        self.closed = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._match.seated(self._seat, self)

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
        note: Callable[[str], None],
        chatter: Callable[[str], None] | None,
        files: MatchFiles | None = None,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._wall = time.time() - self._loop.time()
        self._files = files or MatchFiles(None)
        self._entries: list[Entry] = []
        self._failed: Exception | None = None
        self._players = players
        self.note, self.log = note, self._files.log
        self._chatter = chatter
        self._wires: dict[int, _Wire] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._asked = -1
        self._tasks: set[asyncio.Task[None]] = set()
        self._finished = asyncio.Event()
        self._leaving = False
        self.hands = 0
        self.dealer = Dealer(config, self)

    # what the dealer is handed
    def send(self, seat: int, line: str) -> None:
        wire = self._wires.get(seat)
        if wire is None or wire.transport.is_closing():
            return
        wire.transport.write(f"{line}\r\n".encode("ascii"))
        if self._chatter is not None:  # lines are formatted for somebody who reads them only: that takes time
            self._chatter(f"TO {seat + 1} at {time.time():.6f} {line}")

    def _say(self, text: str) -> None:
        if self._chatter is not None:
            self._chatter(text)

    def drop(self, seat: int) -> None:
        if (wire := self._wires.get(seat)) is not None:
            wire.transport.close()

    def transaction(self, entry: Entry) -> None:
        if isinstance(entry, Acted):
            entry = entry._replace(sent=entry.sent + self._wall, received=entry.received + self._wall)
        self._files.transaction(entry)

    def heard(self, seat: int, line: bytes | None) -> None:
        if self._chatter is None:
            return
        # Whatever a program sends, it is one line and does nothing to a terminal.
        text = "(a line of more than 4095 bytes)" if line is None else line.decode("latin-1")
        text = text if text.isascii() and text.isprintable() else text.encode("unicode_escape").decode("ascii")
        self._chatter(f"FROM {seat + 1} at {time.time():.6f} {text}")

    def dealt(self, state: HandState) -> None:
        for player in self._players:
            if player is not None:
                player.begin(state)

    def over(self, record: HandRecord) -> None:
        self.hands += 1
        if self.hands % _SAY_TIMES == 0:
            used = ", ".join(f"seat {s + 1}: {u:.3f}" for s, u in enumerate(self.dealer.used))
            self._say(f"# {self.hands} hands; seconds used: {used}")
        for position, seat in enumerate(record.seats):
            player = self._players[seat]
            if player is not None:
                player.observe(record.seen_by(position))

    def open(self) -> None:
        """Open the files and read their entries."""
        self._entries = self._files.open(self.dealer.config.key)

    async def listen(self, seat: int, host: str, port: int) -> asyncio.Server:
        """Listen for the client of a seat."""
        return await self._loop.create_server(lambda: _Wire(self, seat), host, port)

    # what the connections say
    @_guarded
    def seated(self, seat: int, wire: _Wire) -> None:
        """A connection to the port of ``seat``: the first that sends its version line has it."""
        if self._leaving or (seat in self._wires and not self.dealer.free(seat)):
            wire.transport.abort()
            return
        self._wires[seat] = wire
        self.dealer.connected(seat, self._loop.time())
        self._say(f"seat {seat + 1} has connected")
        self.follow()

    @_guarded
    def received(self, seat: int, wire: _Wire, data: bytes) -> None:
        if self._wires.get(seat) is not wire:
            return
        self.dealer.received(seat, data, self._loop.time())
        self.follow()

    @_guarded
    def left(self, seat: int, wire: _Wire, error: Exception | None) -> None:
        if self._wires.get(seat) is wire:
            why = f"lost its connection ({error})" if error is not None else "closed its connection"
            self.dealer.lost(seat, why, self._loop.time())
            self.follow()

    async def watch(self, programs: Sequence[subprocess.Popen[bytes] | None]) -> None:
        """Until the first hand: a program that has left before its version line will not come back."""
        while not self.dealer.done and self.dealer.hand < 0:
            await asyncio.sleep(0.1)
            for seat, program in enumerate(programs):
                if program is not None and self.dealer.hand < 0 and (code := program.poll()) is not None:
                    self._program_left(seat, f"left with code {code} before the first hand")

    @_guarded
    def _program_left(self, seat: int, why: str) -> None:
        self.dealer.lost(seat, why, self._loop.time(), for_good=True)
        self.follow()

    # after everything that happens
    def follow(self) -> None:
        """Set the timer, ask a local agent whose turn it is, look after clients that do not read."""
        dealer = self.dealer
        for seat, wire in self._wires.items():
            if wire.transport.get_write_buffer_size() > _MAX_UNREAD:
                wire.transport.abort()
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

    @_guarded
    def _ring(self) -> None:
        self._timer = None
        self.dealer.tick(self._loop.time())
        self.follow()

    async def _ask(self, player: PlayerThread, seat: int, turn: int) -> None:
        assert self.dealer.state is not None
        answer: Action | BaseException
        try:
            answer = await asyncio.wrap_future(player.act(self.dealer.state.copy()))
        except Exception as error:  # noqa: BLE001 - whatever an agent does is its own fault
            answer = error
        self._acted(seat, turn, answer)

    @_guarded
    def _acted(self, seat: int, turn: int, answer: Action | BaseException) -> None:
        self.dealer.acted(seat, turn, answer, self._loop.time())
        self.follow()

    def fail(self, error: Exception) -> None:
        """The dealer itself cannot go on: no fault of anybody at the table."""
        self._failed = self._failed or error
        self._finished.set()

    async def play(self) -> None:
        """Go on from the files where the match was interrupted, wait for everybody, play to the end.

        Raises:
            HistoryError: the files hold another match.
            FileError: a file cannot be written.
        """
        try:
            self.dealer.replay(self._entries)
            self.dealer.begin(self._loop.time())
            self._files.settled()
            self._say(f"STARTED at {time.time():.6f}")
            self.follow()
            await self._finished.wait()
            if self._failed is not None:
                raise self._failed
            self._say(f"FINISHED at {time.time():.6f}")
        except asyncio.CancelledError:
            self.dealer.stop("it was interrupted")
            raise
        except OSError as error:
            raise FileError(f"the log cannot be written: {error.strerror or error}") from None

    async def leave(self) -> None:
        """Close everything: clients get what was sent to them, agents their ``close``."""
        self._leaving = True
        self._files.close()
        if self._timer is not None:
            self._timer.cancel()
        for task in self._tasks:
            task.cancel()
        for wire in self._wires.values():
            wire.transport.close()
        if self._wires:
            await asyncio.wait([w.closed for w in self._wires.values()], timeout=_LEAVE)
        for wire in self._wires.values():
            wire.transport.abort()
        for seat, player in enumerate(self._players):
            if player is not None:
                await closed(player, _LEAVE, f"the agent of seat {seat + 1}", self.note)


async def _hear_nobody_else(servers: Sequence[asyncio.Server]) -> None:
    """Stop listening, and leave no connection half accepted.

    asyncio accepts a connection in one turn of its loop and gives it a protocol in the next two. A server closed in
    between forgets the connection without closing it, and whoever is at its other end waits for ever.
    """
    loop = asyncio.get_running_loop()
    for server in servers:
        for listener in server.sockets:
            with contextlib.suppress(NotImplementedError):  # the loop of Windows has no readers
                loop.remove_reader(listener.fileno())
    for _ in range(2):
        await asyncio.sleep(0)
    for server in servers:
        server.close()


async def _sit_down(spec: str, seat: int, config: DealConfig) -> PlayerThread:
    """An agent of ours, ready to be asked."""
    if not spec.strip().startswith("acpc"):
        await asyncio.to_thread(warm_up, seated_agent(spec), config.game)
    agent = seated_agent(spec)
    player = PlayerThread(agent, source_of(config), seat)
    try:
        await within(
            player.start(MatchInfo(spec=config.game, seat=seat, names=config.names, hands=config.hands)), _START
        )
    except DupaiError as error:
        await closed(player, _LEAVE, f"agent {spec!r}", lambda _: None)
        raise CannotPlay(f"agent {spec!r} cannot play: {error}") from None
    except Exception:  # noqa: BLE001 - its own fault: every decision after it fails by the same reason
        pass
    return player


async def _all_sit_down(specs: Sequence[str | None], config: DealConfig) -> list[PlayerThread | None]:
    """Agents of ours by seat, all of them or, closed again, none."""
    players: list[PlayerThread | None] = []
    try:
        for seat, spec in enumerate(specs):
            players.append(None if spec is None else await _sit_down(spec, seat, config))
    except BaseException:
        for player in filter(None, players):
            await closed(player, _LEAVE, "an agent", lambda _: None)
        raise
    return players


async def deal(
    config: DealConfig,
    agents: Sequence[str | None] = (),
    *,
    host: str = "127.0.0.1",
    ports: Sequence[int] = (),
    files: MatchFiles | None = None,
    note: Callable[[str], None] = lambda _: None,
    chatter: Callable[[str], None] | None = None,
    listening: Callable[[tuple[int, ...]], None] = lambda _: None,
    programs: Sequence[subprocess.Popen[bytes] | None] = (),
) -> DealResult:
    """Deal a match to clients that connect, and to agents of ours.

    Args:
        config: The match.
        agents: By seat, the spec of an agent of ours, or None for a client (default: clients only).
        host: Where to listen.
        ports: By seat; 0 or missing: any free one.
        files: The log and the transaction log, from which an interrupted match resumes; they are opened once everybody
            may connect, and closed at the end.
        note: Receives warnings, errors and the score, one line each.
        chatter: Receives every line sent and received.
        listening: Receives the ports by seat (0 for our agents) once everybody may connect.
        programs: By seat, the process that ``listening`` has started for it: one that leaves before the first hand is
            not waited for.

    Raises:
        ConfigError: a setting that makes no sense, or a port that is not free.
        CannotPlay: an agent of ours says that it cannot play the match.
        FileError: a log that cannot be written.
        HistoryError: files of another match.
        NotationError, ConfigError, AgentError: as :func:`dupai.agents.seated_agent`.
    """
    n = config.game.players
    specs = tuple(agents) + (None,) * (n - len(agents))
    if len(specs) != n or len(ports) > n:
        raise ConfigError(f"{max(len(specs), len(ports))} agents or ports given: expected at most {n}, one per seat")
    kept = "" if files is None else files.key
    if kept and (config.key or config.seed is not None) and config.key != kept:
        raise ConfigError("--key: the match that resumes has another key: leave out --key and --seed", key="key")
    key = kept or checked_key(config.key, drawn=config.seed is None)
    config = msgspec.structs.replace(config, local=tuple(s is not None for s in specs), key=key)
    await asyncio.to_thread(warm_up_rules, config.game)
    match = _Match(config, await _all_sit_down(specs, config), note, chatter, files)
    servers: list[asyncio.Server] = []
    open_ports = []
    try:
        for seat, spec in enumerate(specs):
            if spec is not None:
                open_ports.append(0)
                continue
            port = ports[seat] if seat < len(ports) else 0
            try:
                server = await match.listen(seat, host, port)
            except (OSError, OverflowError) as error:
                raise ConfigError(f"cannot listen on {host}:{port} for seat {seat + 1}: {error}", key="ports") from None
            servers.append(server)
            open_ports.append(server.sockets[0].getsockname()[1])
        # Only now: a dealer that cannot listen must not have emptied the log of the one that does.
        match.open()
        listening(tuple(open_ports))
        watching = asyncio.create_task(match.watch(programs))
        try:
            await match.play()
        finally:
            watching.cancel()
    finally:
        await _hear_nobody_else(servers)
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
        key=config.key,
    )


async def deal_programs(
    config: DealConfig,
    seats: Sequence[tuple[str, bool]],
    *,
    host: str = "127.0.0.1",
    listening: Callable[[tuple[int, ...]], None] = lambda _: None,
    **reports: Any,
) -> DealResult:
    """Deal a match to programs that this starts as ``command HOST PORT``, and to agents of ours.

    Args:
        seats: By seat: a start command and True, or an agent spec and False. Others, and ``reports`` (files, note,
            chatter), as for :func:`deal`.

    Raises:
        ConfigError: a command that cannot be run, and as :func:`deal`.
    """
    programs: list[subprocess.Popen[bytes] | None] = []

    def start(ports: tuple[int, ...]) -> None:
        listening(ports)
        programs.extend(
            start_program(command, host, port) if external else None
            for (command, external), port in zip(seats, ports, strict=True)
        )

    agents = [None if external else spec for spec, external in seats]
    try:
        return await deal(config, agents, host=host, listening=start, programs=programs, **reports)
    finally:
        for program in filter(None, programs):
            await asyncio.to_thread(stop_program, program)
