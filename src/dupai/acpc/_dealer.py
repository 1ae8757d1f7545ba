"""The dealer without sockets or a clock: it takes the lines of clients and the time, and gives the lines to send.

Longer than 600 lines because it is one state machine: every line that comes in may meet every state.

Source: the ACPC dealer protocol 2.0.0 as the reference dealer speaks it; ``docs/guides/acpc.md`` says where this one is
stricter.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import NoReturn, Protocol

import msgspec

from dupai.acpc._client import VERSION_LINE
from dupai.acpc._deck import Deal, acpc_deals
from dupai.acpc._files import OUTCOMES, Acted, Blamed, DealFault, Entry
from dupai.acpc._lines import LineBuffer, shown
from dupai.acpc._player import corrected, safe_action
from dupai.acpc._settings import DealSettings
from dupai.base import ConfigError, HistoryError, NotationError, RulesError, checked_key, key_hash, source_of
from dupai.cards import cards_text
from dupai.notation.acpc import Score, format_acpc, format_score, parse_action
from dupai.rules import BOARD_CARDS, FAULT_RULES, RAISE, Action, GameSpec, HandRecord, HandState

_VERSION = re.compile(rb"VERSION:([0-9]{1,9})\.([0-9]{1,9})\.([0-9]{1,9})\Z")
_SCORE_SPLIT = 2520
#: The limits that formats of the arena have, and ten days.
_MAX_HANDS, _MAX_SEED, _MAX_MS = 10**9, 2**63 - 1, 864_000_000
#: Comments of one seat in one hand that cost nothing.
_COMMENTS = 1000


class DealConfig(DealSettings, frozen=True, kw_only=True):
    """A match as the dealer plays it (see :class:`DealSettings`).

    Attributes:
        game: An ACPC game (:func:`dupai.rules.load_game`).
        names: By seat.
        local: Which seats are agents in this process (default none); they have no connection.
        game_name: Text of the log's header.
        max_bad_lines: Lines of one seat in one hand that are ignored before they are a fault; comments count beyond the
            first thousand.

    Raises:
        ConfigError: a setting that makes no sense; names the key.
    """

    game: GameSpec
    names: tuple[str, ...]
    local: tuple[bool, ...] = ()
    game_name: str = "game"
    max_bad_lines: int = 64

    def __post_init__(self) -> None:
        n = self.game.players
        if len(self.names) != n:
            _refuse("names", f"{len(self.names)} names given: the game {self.game_name!r} is for {n} players")
        for name in self.names:
            if not name or not name.isprintable() or set(name) & set("|:"):
                _refuse(
                    "names", f"name {name!r}: expected text without ':', '|' and line ends, which a log cannot hold"
                )
        if len(set(self.names)) != n:
            _refuse("names", f"names {', '.join(self.names)}: expected different ones")
        if not self.local:
            msgspec.structs.force_setattr(self, "local", (False,) * n)
        elif len(self.local) != n:
            _refuse("local", f"local has {len(self.local)} values: expected {n}, one per seat")
        for key, text in (("title", self.title), ("game_name", self.game_name)):
            if not text or not text.isprintable():
                _refuse(key, f"{key} = {text!r}: expected text without line ends")
        checked_key(self.key, drawn=False)
        for key, low, high in (("hands", 1, _MAX_HANDS), ("seed", 0, _MAX_SEED), ("max_bad_lines", 0, _MAX_HANDS)):
            if not low <= (getattr(self, key) or 0) <= high:
                _refuse(key, f"{key} = {getattr(self, key)}: expected {low} to {high}")
        for key in ("t_response", "t_hand", "t_per_hand", "start_timeout", "t_version"):
            if getattr(self, key) > _MAX_MS:
                _refuse(key, f"{key} = {getattr(self, key)}: expected at most {_MAX_MS} ms, or a negative number")
        if any(self.game.antes) or self.game.betting == "pot-limit":
            _refuse("game", "the ACPC protocol knows neither antes that are not bets nor pot-limit")
        for key, known in (("on_fault", FAULT_RULES), ("illegal", ("fault", "correct"))):
            if getattr(self, key) not in known:
                _refuse(key, f"{key} = {getattr(self, key)!r}: expected one of {', '.join(known)}")


def _refuse(key: str, message: str) -> NoReturn:
    raise ConfigError(message, key=key)


class Table(Protocol):
    """Where a dealer sends its lines. Nothing here answers."""

    def send(self, seat: int, line: str) -> None:
        """Send a line (without its end) to a client."""

    def drop(self, seat: int) -> None:
        """Close the connection of a client."""

    def log(self, line: str) -> None:
        """A line of the match's log."""

    def transaction(self, entry: Entry) -> None:
        """An action or a fault, before it is sent to anybody; its times are those of the dealer's clock."""

    def heard(self, seat: int, line: bytes | None) -> None:
        """A line of a client (None: one that is too long), before it is read."""

    def note(self, line: str) -> None:
        """A line for people."""

    def dealt(self, state: HandState) -> None:
        """A hand begins: cards are dealt and blinds posted, nobody has acted."""

    def over(self, record: HandRecord) -> None:
        """A hand is over."""


@dataclass
class _Seat:
    """The dealer's knowledge of one seat.

    Attributes:
        version_by: when its version line is due; a connection that is refused does not give the next one more time.
        refused: why its last connection was refused.
        gone: it is out of the match.
        forfeited: the last hand that it forfeits.
        used_hand, used: seconds for its answers in this hand, and in the match.
        bad, comments: lines in this hand that were no answers, and comments.
        state: the match state that was sent last.
    """

    name: str
    local: bool
    connected: bool
    ready: bool
    lines: LineBuffer = field(default_factory=LineBuffer)
    version_by: float = math.inf
    refused: str = ""
    gone: bool = False
    forfeited: int = -1
    used_hand: float = 0.0
    used: float = 0.0
    bad: int = 0
    comments: int = 0
    state: str = ""


def _limit(ms: int) -> float:
    return ms / 1000 if ms >= 0 else math.inf


class Dealer:
    """One match. ``now`` is any clock in seconds that does not go back; call :meth:`tick` at :attr:`deadline`.

    Attributes:
        waiting: Seat that has to act now, None when nobody has. A local seat answers through :meth:`acted`.
        turn: Number of the decision asked for, by which a late answer of a local agent is recognised.
        state: The hand in play.
        done: Whether the match is over, one way or the other.
        ended: Why it ended early; None: it did not.
        totals: Won by seat, in 1/``game.split`` chips.
    """

    def __init__(self, config: DealConfig, table: Table) -> None:
        self.config = config
        self.done = False
        self.ended: str | None = None
        self.waiting: int | None = None
        self.turn = 0
        self.hand = -1
        self.state: HandState | None = None
        self.faults: list[DealFault] = []
        self.totals = [0] * config.game.players
        self._table = table
        self._seats = [_Seat(name, local, local, local) for name, local in zip(config.names, config.local, strict=True)]
        self._deals = acpc_deals(source_of(config), config.game.players)
        self._replayed: list[str] | None = None
        self._started = False
        self._start_by = math.inf
        self._asked = 0.0
        self._spent = 0.0
        self._until = math.inf
        self._own: list[str] = []
        self._boards: tuple[str, ...] = ()
        self._betting = ""

    # the match from outside ------------------------------------------------------------------------------------------

    def replay(self, entries: Sequence[Entry]) -> None:
        """Before :meth:`begin`: play the entries of a transaction log; only :meth:`Table.over` is called.

        Their times count again; players who were out stay out.

        Raises:
            HistoryError: an entry that cannot be played in this match.
        """
        self._replayed = []
        for number, entry in enumerate(entries, 1):
            try:
                if isinstance(entry, Blamed):
                    self._blame_again(entry)
                else:
                    self._act_again(entry)
            except (NotationError, RulesError) as error:
                raise HistoryError(
                    f"transaction log, entry {number} ({entry}) does not belong to this match: {error}"
                ) from None

    def _blame_again(self, entry: Blamed) -> None:
        if entry.seat >= len(self._seats):
            raise RulesError(f"there is no seat {entry.seat}")
        s = self._seats[entry.seat]
        self._book(entry)
        s.gone = s.gone or entry.outcome == "out"
        if entry.outcome != "end":
            s.forfeited = entry.hand

    def _book(self, entry: Blamed) -> DealFault:
        """A fault for the result."""
        name, result = self._seats[entry.seat].name, OUTCOMES[entry.outcome]
        fault = DealFault(hand=entry.hand, seat=entry.seat, name=name, cause=entry.cause, result=result)
        self.faults.append(fault)
        return fault

    def _act_again(self, entry: Acted) -> None:
        if self.state is None or self.state.finished:
            if self.hand + 1 >= self.config.hands:
                raise RulesError(f"the match has {self.config.hands} hands")
            self._deal()
        state = self.playing
        if entry.hand != self.hand:
            raise RulesError(f"hand {self.hand} is in play")
        action = state.check(parse_action(entry.action, limit=state.spec.betting == "limit"))
        self._asked = entry.sent
        self._charge(state.seats[state.actor], entry.received)
        self._play(action, entry.received)

    @property
    def playing(self) -> HandState:
        """The hand in play or just finished, where there must be one."""
        assert self.state is not None
        return self.state

    @property
    def used(self) -> tuple[float, ...]:
        """Seconds by seat that the players have used for their answers."""
        return tuple(s.used for s in self._seats)

    def begin(self, now: float) -> None:
        """Open the log and wait for the clients."""
        c = self.config
        # A key stands there by its SHA-256: the log can be read while the match is on.
        seed = key_hash(c.key) if c.key else (c.seed or 0) % 2**32
        for line in (
            f"# name/game/hands/seed {c.title} {c.game_name} {c.hands} {seed}",
            f"#--t_response {c.t_response}",
            f"#--t_hand {c.t_hand}",
            f"#--t_per_hand {c.t_per_hand}",
        ):
            self._table.log(line)
            self._table.note(line)
        for line in self._replayed or ():
            self._table.log(line)
        if self._replayed is not None and self.state is not None:
            hands, actions = len(self._replayed), 0 if self.state.finished else len(self.state.actions)
            self._table.note(f"# goes on after {hands} hands and {actions} actions from the transaction log")
        self._replayed = None
        if self.hand + 1 == c.hands and self.state is not None and self.state.finished:
            self._score()
            return
        self._start_by = now + _limit(c.start_timeout)
        self._start_if_ready(now)

    def connected(self, seat: int, now: float) -> None:
        """A client has connected to the port of ``seat``."""
        s = self._seats[seat]
        if s.gone:
            self._table.drop(seat)
            return
        s.connected = True
        s.lines = LineBuffer()
        if not s.refused:
            s.version_by = now + _limit(self.config.t_version)

    def free(self, seat: int) -> bool:
        """Whether a client may (still, or again) connect to ``seat``."""
        s = self._seats[seat]
        return not (s.connected or s.ready or s.gone)

    def received(self, seat: int, data: bytes, now: float) -> None:
        """Bytes from a client, cut anywhere."""
        s = self._seats[seat]
        for line in s.lines.feed(data):
            if self.done or s.gone or not s.connected:
                return
            self._table.heard(seat, line)
            if not s.ready:
                self._version(seat, line, now)
            else:
                self._answer(seat, line, now)

    def lost(self, seat: int, why: str, now: float, *, for_good: bool = False) -> None:
        """The connection of a client is gone. Before its version line that costs nothing: the seat is free again, but
        for a client that will not come back (``for_good``)."""
        s = self._seats[seat]
        if self.done or s.gone:
            return
        if s.ready or for_good:
            self._fault(seat, why, now, gone=True)
        elif s.connected:
            s.connected = False
            s.version_by = s.version_by if s.refused else math.inf
            self._table.note(f"WARNING: seat {seat + 1} ({s.name}) {why} before its version line: the seat is free")

    def acted(self, seat: int, turn: int, answer: Action | BaseException, now: float) -> None:
        """A local agent has answered decision ``turn``, or failed to; ignored when nobody waits for it."""
        if self.done or self.waiting != seat or turn != self.turn:
            return
        self._charge(seat, now)
        if isinstance(answer, Action):
            try:
                self.playing.check(answer)
            except RulesError as error:
                self._fault(seat, f"answered illegally: {error}", now)
            else:
                self._play(answer, now)
                self._run(now)
        else:
            self._fault(seat, f"failed: {type(answer).__name__}: {shown(str(answer), 200)}", now)

    @property
    def deadline(self) -> float:
        """When :meth:`tick` must be called at the latest (infinity: never)."""
        if self.done:
            return math.inf
        if self._started:
            return self._until
        return min((self._due(s) for s in self._seats if not (s.ready or s.gone)), default=math.inf)

    def _due(self, s: _Seat) -> float:
        """When a seat that is not ready is at fault."""
        return s.version_by if s.connected else min(self._start_by, s.version_by)

    def tick(self, now: float) -> None:
        """Time has passed: a player who has run out of it is at fault."""
        if self.done or now < self.deadline:
            return
        if not self._started:
            self._late_to_start(now)
            return
        late = self.waiting
        assert late is not None
        self._charge(late, now)
        used_up = self._seats[late].used >= _limit(self.config.t_per_hand) * self.config.hands
        self._fault(late, f"did not answer within {self._until - self._asked:.3f} s", now, gone=used_up)

    def _late_to_start(self, now: float) -> None:
        for seat, s in enumerate(self._seats):
            if self.done or s.ready or s.gone or now < self._due(s):
                continue
            if now < s.version_by:
                what = f"did not connect within {self.config.start_timeout} ms"
            else:
                what = s.refused or f"sent no version line within {self.config.t_version} ms"
            self._fault(seat, what, now, gone=True)

    # handshake -------------------------------------------------------------------------------------------------------

    def _version(self, seat: int, line: bytes | None, now: float) -> None:
        version = _VERSION.match(line or b"")
        if version is None:
            quoted = "a line of more than 4095 bytes" if line is None else shown(line)
            self._fault(seat, f"began with {quoted}: expected {VERSION_LINE}", now, gone=True)
            return
        s = self._seats[seat]
        if int(version[1]) != 2 or int(version[2]) > 0:
            s.refused, s.connected = f"began with {shown(version[0])}: expected {VERSION_LINE}", False
            self._table.note(f"ERROR: seat {seat + 1} ({s.name}) {s.refused}; refused, the seat is free")
            self._table.drop(seat)
            return
        s.ready = True
        self._start_if_ready(now)

    def _start_if_ready(self, now: float) -> None:
        if not self._started and not self.done and all(s.ready or s.gone for s in self._seats):
            self._started = True
            if self.state is not None and not self.state.finished:
                self._tell()  # where an interrupted match resumes
            self._run(now)

    # answers ---------------------------------------------------------------------------------------------------------

    def _answer(self, seat: int, line: bytes | None, now: float) -> None:
        s = self._seats[seat]
        if line is None:
            self._bad(seat, "a line of more than 4095 bytes", now)
        elif line[:1] in (b"#", b";") and line:
            s.comments += 1
            if s.comments > _COMMENTS:
                self._bad(seat, f"comment {shown(line)}, one of more than {_COMMENTS}", now)
        elif self.waiting != seat:
            self._bad(seat, f"{shown(line)} out of turn", now)
        else:
            text = line.decode("latin-1")
            if not text.startswith(s.state) or not (text[len(s.state) :][:1] == ":" or text == s.state):
                self._bad(seat, f"{shown(line)}: expected {s.state}:action", now)
                return
            self._take(seat, text[len(s.state) + 1 :], now)

    def _take(self, seat: int, text: str, now: float) -> None:
        """The state of an answer is right: read the action."""
        state = self.playing
        self._charge(seat, now)
        limit = state.spec.betting == "limit"
        try:
            if limit and len(text) > 1:
                raise NotationError(f"{shown(text)} is not an action: expected f, c or r")
            action = state.check(parse_action(text, limit=limit))
        except (NotationError, RulesError) as error:
            if self.config.illegal == "fault":
                self._fault(seat, f"answered illegally: {shown(text)}: {error}", now)
                return
            action = corrected(state, text)
            self._table.note(f"WARNING: seat {seat + 1}: {shown(text)} is not legal, {action} is played instead")
        self._play(action, now)
        self._run(now)

    def _bad(self, seat: int, cause: str, now: float) -> None:
        s = self._seats[seat]
        s.bad += 1
        if s.bad <= self.config.max_bad_lines:
            self._table.note(f"WARNING: seat {seat + 1} ({s.name}): ignored {cause}")
        else:
            many = f"sent more than {self.config.max_bad_lines} lines in a hand that are no answers, at last {cause}"
            self._fault(seat, many, now, gone=True)

    def _charge(self, seat: int, now: float) -> None:
        s = self._seats[seat]
        spent = max(now - self._asked, 0.0)
        s.used_hand += spent
        s.used += spent
        self._spent = spent

    # faults ----------------------------------------------------------------------------------------------------------

    def _fault(self, seat: int, cause: str, now: float, *, gone: bool = False) -> None:
        s = self._seats[seat]
        ends = self.config.on_fault == "end"
        out = gone or self.config.on_fault == "fold"
        entry = Blamed(self.hand, seat, "end" if ends else "out" if out else "forfeit", cause)
        fault = self._book(entry)
        self._table.transaction(entry)
        self._table.log(f"# fault, {fault}")
        self._table.note(f"WARNING: {fault}")
        if ends:
            self._end(f"seat {seat + 1} ({s.name}) {cause}")
            return
        if out:
            s.gone = True
            if not s.local:
                self._table.drop(seat)
        else:
            s.forfeited = self.hand
        if not self._started:
            self._start_if_ready(now)
        elif self.waiting == seat:
            self._run(now)

    def stop(self, why: str) -> None:
        """End the match now; the hand in play does not count."""
        if not self.done:
            self._end(why)

    def _end(self, why: str) -> None:
        self.ended = why
        self.done = True
        self.waiting = None
        self._table.log(f"# ended, {why}")
        self._table.note(f"ERROR: the match ends: {why}")

    # play ------------------------------------------------------------------------------------------------------------

    def _run(self, now: float) -> None:
        """Play until somebody has to be asked, or the match is over."""
        self.waiting = None
        self._until = math.inf
        while not self.done:
            state = self.state
            if state is None or state.finished:
                if self.hand + 1 >= self.config.hands:
                    self._score()
                elif all(s.gone for s in self._seats):
                    self._end("no player is left")
                else:
                    self._deal()
                continue
            seat = state.seats[state.actor]
            s = self._seats[seat]
            if s.gone or s.forfeited == self.hand:
                self._play(safe_action(state), now)
                continue
            c = self.config
            self.waiting = seat
            self.turn += 1
            self._asked = now
            left = (_limit(c.t_hand) - s.used_hand, _limit(c.t_per_hand) * c.hands - s.used)
            self._until = now + max(min(_limit(c.t_response), *left), 0.0)
            return

    def _deal(self) -> None:
        self.hand += 1
        n = self.config.game.players
        deal: Deal = next(self._deals)
        turn = 0 if self.config.fixed_button else self.hand
        seats = tuple((p + turn) % n for p in range(n))
        self.state = HandState(self.config.game, deal.hole, deal.board, None, seats, self.hand)
        self._own = [cards_text(two) for two in deal.hole]
        parts = [f"/{cards_text(deal.board[start:end])}" for start, end in pairwise(BOARD_CARDS)]
        self._boards = tuple(accumulate(parts, initial=""))
        self._betting = "/" * self.state.street
        for s in self._seats:
            s.used_hand, s.bad, s.comments = 0.0, 0, 0
        self._table.dealt(self.state)
        self._tell()

    def _play(self, action: Action, now: float) -> None:
        state = self.playing
        street = state.street
        token = "r" if action.kind == RAISE and state.spec.betting == "limit" else str(action)
        if self._replayed is None:
            # The time that a fault has cost belongs to the action that is played for it.
            self._table.transaction(Acted(token, self.hand, now - self._spent, now))
        self._spent = 0.0
        state.apply(action)
        self._betting += token + "/" * (state.street - street)
        self._tell()

    def _tell(self) -> None:
        """Send everybody the state; a finished hand is added to the totals."""
        state = self.playing
        shows = state.showdown
        folded = state.folded if shows else ()
        board = self._boards[state.street]
        for position, seat in enumerate(state.seats):
            s = self._seats[seat]
            if s.local or s.gone or self._replayed is not None:
                continue
            cards = "|".join(
                text if p == position or (shows and not folded[p]) else "" for p, text in enumerate(self._own)
            )
            s.state = f"MATCHSTATE:{position}:{self.hand}:{self._betting}:{cards}{board}"
            self._table.send(seat, s.state)
        if state.finished:
            record = state.record([self._seats[s].name for s in state.seats])
            for seat, won in zip(state.seats, record.payoffs, strict=True):
                self.totals[seat] += won
            line = format_acpc(record)
            if self._replayed is None:
                self._table.log(line)
            else:
                self._replayed.append(line)
            self._table.over(record)

    def _score(self) -> None:
        self.done = True
        line = self.score
        self._table.log(line)
        self._table.note(line)

    @property
    def score(self) -> str:
        """The ``SCORE`` line of the hands played so far."""
        scale = _SCORE_SPLIT // self.config.game.split
        return format_score(Score(tuple(t * scale for t in self.totals), self.config.names))
