"""The client's half of the protocol without sockets: bytes from a dealer in, what they mean out."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dupai.acpc._lines import LineBuffer, shown
from dupai.base import ConfigError, DupaiError, ProtocolError
from dupai.cards import NO_CARD
from dupai.notation.acpc import MatchState, parse_matchstate
from dupai.rules import RAISE, Action, GameSpec, HandRecord, HandState, View, load_game

VERSION_LINE = "VERSION:2.0.0"
_BLANK = (NO_CARD, NO_CARD)


@dataclass(frozen=True)
class Told:
    """One match state as it arrived: ``line`` is its text without the line end, ``seat`` our chair in the match."""

    line: str
    seat: int
    position: int
    state: HandState

    @property
    def our_turn(self) -> bool:
        """Whether the dealer waits for our answer."""
        return self.state.actor == self.position

    @property
    def over(self) -> bool:
        """Whether the hand is over."""
        return self.state.finished

    @property
    def view(self) -> View:
        """What we see."""
        return self.state.view(self.position)

    def answer(self, action: Action) -> bytes:
        """Our answer as it is sent: the state verbatim, the action, a line end."""
        bare = action.kind == RAISE and self.state.spec.betting == "limit"
        return f"{self.line}:{'r' if bare else action}\r\n".encode("ascii")

    def record(self, names: Sequence[str] = ()) -> HandRecord:
        """The finished hand as we know it; ``names`` by chair of the match (the protocol tells none)."""
        record = self.state.record([names[s] for s in self.state.seats] if names else None)
        return record.seen_by(self.position)


class ClientSession:
    """What a client knows of its match: feed it bytes, take the states out of it.

    Args:
        spec: The game; None: the shipped no-limit game for the number of players in the first state.
    """

    def __init__(self, spec: GameSpec | None = None) -> None:
        self.spec = spec
        self.seat: int | None = None
        #: Hands that we have seen the end of.
        self.finished_hands = 0
        self._lines = LineBuffer()
        self._waiting: deque[bytes | None] = deque()
        self._last: MatchState | None = None
        self._over = True

    def greeting(self) -> bytes:
        """What is sent first."""
        return f"{VERSION_LINE}\r\n".encode("ascii")

    def feed(self, data: bytes) -> None:
        """Input from the dealer, cut anywhere."""
        self._waiting.extend(self._lines.feed(data))

    def states(self) -> Iterator[Told]:
        """The states that have arrived in full, each as soon as it is asked for; comments and blank lines are skipped.

        Raises:
            ProtocolError: a line that is no match state, or one that cannot follow the last; quotes it and says why.
                Nothing more can be made of the match.
        """
        while self._waiting:
            raw = self._waiting.popleft()
            if raw is None:
                raise ProtocolError("the dealer sent a line of more than 4095 bytes")
            if raw and raw[:1] not in b"#;":
                yield self._read(raw)

    def _read(self, raw: bytes) -> Told:
        try:
            line = raw.decode("ascii")
            parsed = parse_matchstate(line)
            spec = self.spec
            if spec is None:
                spec = self.spec = load_game(f"holdem.nolimit.{parsed.players}p", files=False)
            self._check_order(parsed)
            if parsed.hole[parsed.position] == _BLANK:
                raise ProtocolError("our own cards are not in it")
            state = parsed.play(spec)
            self._check_cards(parsed, state)
        except UnicodeDecodeError:
            raise ProtocolError(f"the dealer sent {shown(raw)}: expected ASCII text") from None
        except ConfigError:
            raise
        except DupaiError as error:
            raise ProtocolError(f"the dealer sent {shown(raw, 200)}: {error}") from None
        n = spec.players
        if self.seat is None:
            self.seat = (parsed.position + parsed.hand) % n
        # Where the button stands still or the dealer counts otherwise, our own chair stays the same all the same.
        shift = (self.seat - parsed.position) % n
        state.seats = tuple((p + shift) % n for p in range(n))
        self._last = parsed
        self._over = state.finished
        self.finished_hands += self._over
        return Told(line, self.seat, parsed.position, state)

    def _check_order(self, new: MatchState) -> None:
        old = self._last
        if old is None:
            return
        if new.players != old.players:
            raise ProtocolError(f"it has {new.players} players: expected {old.players}")
        if self._over:
            if new.hand <= old.hand:
                raise ProtocolError(f"hand {old.hand} is over: expected a later one")
            return
        if new.hand != old.hand:
            raise ProtocolError(f"hand {old.hand} is not over")
        if new.position != old.position:
            raise ProtocolError(f"our position was {old.position} in this hand")
        if not new.betting.startswith(old.betting) or new.betting == old.betting:
            raise ProtocolError(f"its betting does not follow {old.betting!r}")
        if new.hole[new.position] != old.hole[old.position] or new.board[: len(old.board)] != old.board:
            raise ProtocolError("cards are not those of the last state")

    def _check_cards(self, parsed: MatchState, state: HandState) -> None:
        """Open cards at a showdown of those who did not fold, else none but ours."""
        showdown = state.showdown
        for position, (two, folded) in enumerate(zip(parsed.hole, state.folded, strict=True)):
            if position == parsed.position:
                continue
            if showdown and not folded and two == _BLANK:
                raise ProtocolError(f"a showdown without the cards of position {position}")
            if not (showdown and not folded) and two != _BLANK:
                raise ProtocolError(f"it shows the cards of position {position}, which nobody may see")
