"""The dealer without sockets or clocks of its own: what clients send and how late it is go in, what to send comes out.

Source: the ACPC dealer protocol 2.0.0 as the reference dealer speaks it; ``docs/guides/acpc.md`` says where this one is
stricter.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Literal, Protocol

import msgspec

from dupai.acpc._client import VERSION_LINE
from dupai.acpc._deck import Deal, acpc_deals
from dupai.acpc._files import Acted, Blamed, Entry
from dupai.acpc._lines import LineBuffer, shown
from dupai.acpc._player import safe_action
from dupai.base import ConfigError, HistoryError, NotationError, RulesError
from dupai.cards import cards_text
from dupai.notation import Score, format_acpc, format_score, parse_action
from dupai.rules import BOARD_CARDS, FAULT_RULES, FOLD, RAISE, Action, FaultRule, GameSpec, HandRecord, HandState

_VERSION = re.compile(rb"VERSION:([0-9]{1,9})\.([0-9]{1,9})\.([0-9]{1,9})\Z")
_LENIENT = re.compile(r"(?:([fFcCkK])|([rRbB])\s*([+-]?[0-9]*))")
_SCORE_SPLIT = 2520
#: Comments of one seat in one hand that cost nothing.
_COMMENTS = 1000


class DealConfig(msgspec.Struct, frozen=True, kw_only=True):
    """A match as the dealer plays it.

    Attributes:
        game: An ACPC game (:func:`dupai.rules.load_game`).
        hands, seed: How many hands, and the seed of their cards.
        names: By seat.
        local: Which seats are agents in this process (default none); they have no connection.
        title, game_name: What the log's header says.
        fixed_button: Seats do not rotate.
        on_fault: What becomes of a player at fault: ``forfeit`` this hand, ``fold`` from there on, or ``end`` the
            match. One who forfeits or is out checks while that is free and folds to any bet. Who is gone, sends more
            than ``max_bad_lines``, or is out of time for the match, is out of it for good (unless it ends).
        illegal: What becomes of an illegal action: it is a ``fault``, or is ``correct``-ed to a legal one as the
            reference dealer does.
        t_response, t_hand, t_per_hand: Milliseconds for one answer, for one hand, and on average for each hand of the
            match (one budget); negative: no limit.
        start_timeout: Milliseconds to wait for connections; negative: for ever.
        t_version: Milliseconds from a connection to its version line; negative: for ever.
        max_bad_lines: Lines of one seat in one hand that are ignored before they are a fault; comments beyond the
            first thousand count.

    Raises:
        ConfigError: a setting that makes no sense; names the key.
    """

    game: GameSpec
    hands: int
    seed: int
    names: tuple[str, ...]
    local: tuple[bool, ...] = ()
    title: str = "match"
    game_name: str = "game"
    fixed_button: bool = False
    on_fault: FaultRule = "forfeit"
    illegal: Literal["fault", "correct"] = "fault"
    t_response: int = 600_000
    t_hand: int = 600_000
    t_per_hand: int = 7_000
    start_timeout: int = -1
    t_version: int = 10_000
    max_bad_lines: int = 64

    def __post_init__(self) -> None:
        n = self.game.players
        if len(self.names) != n:
            raise ConfigError(f"{len(self.names)} names given: the game {self.game_name!r} is for {n} players")
        for name in self.names:
            if not name or not name.isprintable() or set(name) & set("|:"):
                raise ConfigError(
                    f"name {name!r}: expected text without ':', '|' and line ends, which a log cannot hold"
                )
        if len(set(self.names)) != n:
            raise ConfigError(f"names {', '.join(self.names)}: expected different ones")
        if self.local and len(self.local) != n:
            raise ConfigError(f"local has {len(self.local)} values: expected {n}, one per seat")
        if not self.local:
            msgspec.structs.force_setattr(self, "local", (False,) * n)
        for key, text in (("title", self.title), ("game_name", self.game_name)):
            if not text or not text.isprintable():
                raise ConfigError(f"{key} = {text!r}: expected text without line ends")
        if self.hands < 1:
            raise ConfigError(f"hands = {self.hands}: expected at least 1")
        if self.seed < 0:
            raise ConfigError(f"seed = {self.seed}: expected 0 or more")
        if any(self.game.antes) or self.game.betting == "pot-limit":
            raise ConfigError("the ACPC protocol knows neither antes that are not bets nor pot-limit")
        for key, known in (("on_fault", FAULT_RULES), ("illegal", ("fault", "correct"))):
            if getattr(self, key) not in known:
                raise ConfigError(f"{key} = {getattr(self, key)!r}: expected one of {', '.join(known)}")


class DealFault(msgspec.Struct, frozen=True, kw_only=True):
    """Something a player did wrong: ``hand`` (-1: before the first), its seat and name, what, and what came of it."""

    hand: int
    seat: int
    name: str
    what: str
    result: str

    def __str__(self) -> str:
        where = f"hand {self.hand}" if self.hand >= 0 else "before the first hand"
        return f"{where}: seat {self.seat + 1} ({self.name}) {self.what}; {self.result}"


class Table(Protocol):
    """What a dealer is handed: where its lines go. Nothing here answers."""

    def send(self, seat: int, line: str) -> None:
        """Send a line (without its end) to a client."""

    def drop(self, seat: int) -> None:
        """Close the connection of a client."""

    def log(self, line: str) -> None:
        """A line of the match's log."""

    def transaction(self, entry: Entry) -> None:
        """An action or a fault, before anybody is told; its times are those of the dealer's clock."""

    def heard(self, seat: int, line: bytes | None) -> None:
        """A line of a client (None: one that is too long), before anything is made of it."""

    def note(self, line: str) -> None:
        """A line for people."""

    def over(self, record: HandRecord) -> None:
        """A hand is over."""


class _Seat:
    """What the dealer knows of one seat."""

    def __init__(self, name: str, local: bool) -> None:
        self.name = name
        self.local = local
        self.lines = LineBuffer()
        self.connected = local
        self.ready = local
        self.version_by = math.inf
        self.gone = False
        self.forfeited = -1
        self.used_hand = 0.0
        self.used = 0.0
        self.bad = 0
        self.comments = 0
        self.told = ""


def _limit(ms: int) -> float:
    return ms / 1000 if ms >= 0 else math.inf


class Dealer:
    """One match. ``now`` is any clock in seconds that does not go back; call :meth:`tick` at :attr:`deadline`.

    Attributes:
        waiting: Seat that has to act now, None when nobody has. A local seat is answered for by :meth:`acted`.
        turn: Counts the decisions asked for, so that a late answer of a local agent can be told.
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
        self._seats = [_Seat(name, local) for name, local in zip(config.names, config.local, strict=True)]
        self._deals = acpc_deals(config.seed, config.game.players)
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
        """Before :meth:`begin`: play what a transaction log says; nobody but :meth:`Table.over` hears of it.

        The times it took count again; players who were out stay out.

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
        s.gone = s.gone or entry.out
        s.forfeited = entry.hand

    def _act_again(self, entry: Acted) -> None:
        if self.state is None or self.state.finished:
            if self.hand + 1 >= self.config.hands:
                raise RulesError(f"the match has {self.config.hands} hands")
            self._deal()
        state = self.state
        assert state is not None
        if entry.hand != self.hand:
            raise RulesError(f"hand {self.hand} is in play")
        action = state.check(parse_action(entry.action, limit=state.spec.betting == "limit"))
        s = self._seats[state.seats[state.actor]]
        spent = max(entry.received - entry.sent, 0.0)
        s.used_hand += spent
        s.used += spent
        self._play(action, entry.received)

    @property
    def used(self) -> tuple[float, ...]:
        """Seconds by seat that the players have used for their answers."""
        return tuple(s.used for s in self._seats)

    def begin(self, now: float) -> None:
        """Open the log and wait for the clients."""
        c = self.config
        for line in (
            f"# name/game/hands/seed {c.title} {c.game_name} {c.hands} {c.seed % 2**32}",
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
        s.version_by = now + _limit(self.config.t_version)

    def received(self, seat: int, data: bytes, now: float) -> None:
        """Bytes from a client, cut anywhere."""
        s = self._seats[seat]
        for line in s.lines.feed(data):
            if self.done or s.gone:
                return
            self._table.heard(seat, line)
            if not s.ready:
                self._version(seat, line, now)
            else:
                self._answer(seat, line, now)

    def lost(self, seat: int, why: str, now: float) -> None:
        """The connection of a client is gone."""
        if not self.done and not self._seats[seat].gone:
            self._fault(seat, why, now, gone=True)

    def acted(self, seat: int, turn: int, answer: Action | BaseException, now: float) -> None:
        """A local agent has answered decision ``turn``, or failed to; ignored when it is no longer waited for."""
        if self.done or self.waiting != seat or turn != self.turn:
            return
        self._charge(seat, now)
        if isinstance(answer, Action):
            try:
                assert self.state is not None
                self.state.check(answer)
            except RulesError as error:
                self._fault(seat, f"answered illegally: {error}", now)
            else:
                self._play(answer, now)
                self._run(now)
        else:
            self._fault(seat, f"failed: {type(answer).__name__}: {shown(str(answer), 200)}", now)

    @property
    def deadline(self) -> float:
        """When :meth:`tick` has something to do at the latest (infinity: never)."""
        if self.done:
            return math.inf
        if self._started:
            return self._until
        late = [s.version_by if s.connected else self._start_by for s in self._seats if not (s.ready or s.gone)]
        return min(late, default=math.inf)

    def tick(self, now: float) -> None:
        """Time has passed: whoever has run out of it is at fault."""
        if self.done or now < self.deadline:
            return
        if not self._started:
            self._late_to_start(now)
            return
        late = self.waiting
        assert late is not None
        self._charge(late, now)
        self._fault(late, f"did not answer within {self._until - self._asked:.3f} s", now, gone=self._no_time(late))

    def _late_to_start(self, now: float) -> None:
        for seat, s in enumerate(self._seats):
            if self.done or s.ready or s.gone:
                continue
            if s.connected and now >= s.version_by:
                self._fault(seat, f"sent no version line within {self.config.t_version} ms", now, gone=True)
            elif not s.connected and now >= self._start_by:
                self._fault(seat, f"did not connect within {self.config.start_timeout} ms", now, gone=True)

    # handshake -------------------------------------------------------------------------------------------------------

    def _version(self, seat: int, line: bytes | None, now: float) -> None:
        found = _VERSION.match(line) if line is not None else None
        if found is None:
            said = "a line of more than 4095 bytes" if line is None else shown(line)
            self._fault(seat, f"began with {said}: expected {VERSION_LINE}", now, gone=True)
            return
        if int(found[1]) != 2 or int(found[2]) > 0:
            self._table.note(f"ERROR: seat {seat + 1} speaks {shown(found[0])}, this dealer {VERSION_LINE}")
        self._seats[seat].ready = True
        self._start_if_ready(now)

    def _start_if_ready(self, now: float) -> None:
        if not self._started and not self.done and all(s.ready or s.gone for s in self._seats):
            self._started = True
            if self.state is not None and not self.state.finished:
                self._tell()  # where an interrupted match goes on
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
            if not text.startswith(s.told) or not (text[len(s.told) :][:1] == ":" or text == s.told):
                self._bad(seat, f"{shown(line)}: expected {s.told}:action", now)
                return
            self._take(seat, text[len(s.told) + 1 :], now)

    def _take(self, seat: int, text: str, now: float) -> None:
        """The state is right: what is the action?"""
        state = self.state
        assert state is not None
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

    def _bad(self, seat: int, what: str, now: float) -> None:
        s = self._seats[seat]
        s.bad += 1
        if s.bad <= self.config.max_bad_lines:
            self._table.note(f"WARNING: seat {seat + 1} ({s.name}): ignored {what}")
        else:
            many = f"sent more than {self.config.max_bad_lines} lines in a hand that are no answers, at last {what}"
            self._fault(seat, many, now, gone=True)

    def _charge(self, seat: int, now: float) -> None:
        s = self._seats[seat]
        spent = max(now - self._asked, 0.0)
        s.used_hand += spent
        s.used += spent
        self._spent = spent

    def _no_time(self, seat: int) -> bool:
        return self._seats[seat].used >= _limit(self.config.t_per_hand) * self.config.hands

    # faults ----------------------------------------------------------------------------------------------------------

    def _fault(self, seat: int, what: str, now: float, *, gone: bool = False) -> None:
        s = self._seats[seat]
        if self.config.on_fault == "end":
            result = "the match ends"
        elif gone or self.config.on_fault == "fold":
            result = "out of the match: checks or folds from there on"
        else:
            result = "forfeits the hand: checks or folds to its end"
        fault = DealFault(hand=self.hand, seat=seat, name=s.name, what=what, result=result)
        self.faults.append(fault)
        if self.config.on_fault != "end":
            out = gone or self.config.on_fault == "fold"
            self._table.transaction(Blamed(self.hand, seat, out, what))
        self._table.log(f"# fault, {fault}")
        self._table.note(f"WARNING: {fault}")
        if self.config.on_fault == "end":
            self._end(f"seat {seat + 1} ({s.name}) {what}")
            return
        if gone or self.config.on_fault == "fold":
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
        """Go on until somebody has to be asked, or the match is over."""
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
            self._until = now + max(
                min(
                    _limit(c.t_response),
                    _limit(c.t_hand) - s.used_hand,
                    _limit(c.t_per_hand) * c.hands - s.used,
                ),
                0.0,
            )
            return

    def _deal(self) -> None:
        self.hand += 1
        n = self.config.game.players
        deal: Deal = next(self._deals)
        turn = 0 if self.config.fixed_button else self.hand
        seats = tuple((p + turn) % n for p in range(n))
        self.state = HandState(self.config.game, deal.hole, deal.board, None, seats, self.hand)
        self._own = [cards_text(two) for two in deal.hole]
        text = ""
        boards = [text]
        for street in range(1, 4):
            text += "/" + cards_text(deal.board[BOARD_CARDS[street - 1] : BOARD_CARDS[street]])
            boards.append(text)
        self._boards = tuple(boards)
        self._betting = "/" * self.state.street
        for s in self._seats:
            s.used_hand = 0.0
            s.bad = 0
            s.comments = 0
        self._tell()

    def _play(self, action: Action, now: float) -> None:
        state = self.state
        assert state is not None
        street = state.street
        token = "r" if action.kind == RAISE and state.spec.betting == "limit" else str(action)
        if self._replayed is None:
            # Time that a fault has cost is that of the action which is played for it.
            self._table.transaction(Acted(token, self.hand, now - self._spent, now))
            self._spent = 0.0
        state.apply(action)
        self._betting += token + "/" * (state.street - street)
        self._tell()

    def _tell(self) -> None:
        """Everybody is told the state; a finished hand is booked."""
        state = self.state
        assert state is not None
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
            s.told = f"MATCHSTATE:{position}:{self.hand}:{self._betting}:{cards}{board}"
            self._table.send(seat, s.told)
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


def corrected(state: HandState, text: str) -> Action:
    """What the reference dealer makes of an answer that is not legal: a size moves to the nearest legal total, anything
    else is a call; ``k``, ``b``, upper case and text after a complete action are read as it reads them."""
    found = _LENIENT.match(text)
    if found is None:
        return Action.call()
    simple, _, size = found.groups()
    legal = state.legal
    if simple is not None:
        return Action(FOLD) if simple in "fF" and legal.fold else Action.call()
    if not legal.can_raise:
        return Action.call()
    if state.spec.betting == "limit":
        return Action.raise_to(legal.min_to)
    if not size.strip("+-"):
        return Action.call()
    return legal.closest_raise(max(min(int(size[:16]), 2**31), -(2**31)))
