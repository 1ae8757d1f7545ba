"""A table as its page shows it: made once after every change for everybody, then completed for each receiver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from dupai.arena.live import DeckSeal, LiveTable
from dupai.cards import NO_CARD, card_text
from dupai.notation import made_reason, step_reason
from dupai.rules import BOARD_CARDS, HandRecord, HandState, Step, pots_of, steps_of
from dupai.web._messages import Deal, HandNow, LogLine, Pot, Seal, Seat, Settings, Size, State, TableChoices, Turn

if TYPE_CHECKING:
    from dupai.web._messages import Phase

#: A card that the receiver may not see.
HIDDEN = "??"
#: Shares of the pot that have a button.
_SHARES: tuple[tuple[Any, float], ...] = (("1/3", 1 / 3), ("1/2", 0.5), ("2/3", 2 / 3), ("pot", 1.0))
#: Seconds that an action, a street of a run-out and a finished hand are shown, by speed.
PACE: dict[str, tuple[float, float, float]] = {
    "slow": (1.2, 1.8, 7.0), "normal": (0.6, 1.2, 4.0), "fast": (0.15, 0.5, 1.5), "instant": (0.0, 0.0, 0.0),
}  # fmt: skip


class TableOptions(TableChoices, frozen=True):
    """What the server keeps of a table besides its game.

    Attributes:
        host: the seat that may change panel and speed; -1 for whoever holds the host's token.
        since: hands before the last change of players, which the agents do not know.
        sat: hands before the player of a seat sat down, by seat, who does not know them.
        waits: the first hand waits until every seat is taken, or the host asks for it.
    """

    host: int = -1
    since: int = 0
    sat: dict[int, int] = msgspec.field(default_factory=dict)
    waits: bool = False

    def known_since(self, seat: int) -> int:
        """Hands of the table that the player of a seat does not know, as they were before that player sat down."""
        return self.sat.get(seat, self.since)


def two_cards(cards: tuple[int, int]) -> tuple[str, str]:
    """Cards as text, ``??`` for unknown ones."""
    a, b = (HIDDEN if c == NO_CARD else card_text(c) for c in cards)
    return a, b


class Public(msgspec.Struct):
    """What is public of a table, and what each seat adds to it: its cards."""

    state: State
    own: dict[int, tuple[str, str]]

    def seen_by(self, seat: int | None, host: bool) -> State:
        """The table for a receiver: the public state with that seat's own cards."""
        state = self.state
        cards = self.own.get(seat) if seat is not None else None
        if cards is not None and seat is not None:
            seats = list(state.seats)
            seats[seat] = msgspec.structs.replace(seats[seat], cards=cards)
            return msgspec.structs.replace(state, seats=tuple(seats), me=seat, host=host)
        return msgspec.structs.replace(state, me=seat, host=host)


class Moment(NamedTuple):
    """Where a table stands in its hand.

    Attributes:
        shown: board cards that are open (a run-out opens them street by street).
        over: the record of the hand that has just ended.
        seal: of the next deck.
        clock: seconds of the player to act, in all and left.
    """

    phase: Phase
    shown: int
    over: HandRecord | None
    seal: DeckSeal
    clock: tuple[float, float] | None = None


def public_of(
    id: str, table: LiveTable, options: TableOptions, moment: Moment, connected: set[int], spectators: int, note: str
) -> Public:
    """What is public now; ``connected``: seats of people who are here."""
    now, over = table.now, moment.over
    dealt = now is not None and (table.state.playing or over is not None)
    steps = steps_of(over or now.line) if now is not None and dealt else []
    seats = tuple(
        _seat(table, k, moment, steps if dealt else None, k in connected) for k in range(table.settings.seats)
    )
    hand = _hand(table, now, moment, steps) if now is not None and dealt else None
    settings = Settings(
        table.settings.betting, table.state.blinds, table.settings.stack, options.speed, options.clock,
        options.advisor, options.reader, options.coach, table.settings.tournament, table.settings.reset,
    )  # fmt: skip
    own = {}
    if now is not None and dealt:
        own = {
            seat: two_cards(now.hole[p])
            for p, seat in enumerate(now.seats)
            if table.seats[seat].kind == "person" and _played(table, seat, over)
        }
    seal = Seal(moment.seal.hash, moment.seal.commits, moment.seal.names is not None)
    state = State(id, settings, moment.phase, None, False, options.panel, spectators, seats, hand, note, seal)
    return Public(state, own)


def _played(table: LiveTable, seat: int, over: HandRecord | None) -> bool:
    """Whether who sits there was dealt the hand's cards: once it is over somebody else may have come."""
    return over is None or seat not in over.seats or over.names[over.seats.index(seat)] == table.seats[seat].name


def _seat(table: LiveTable, k: int, moment: Moment, steps: Sequence[Step] | None, connected: bool) -> Seat:
    """A seat as everybody may see it; ``steps``: of the hand, None where none is dealt."""
    player, now = table.seats[k], table.now
    if not player.kind:
        return Seat(k, "empty", connected=False)
    stack, net = table.in_front(k), table.net(k)
    if moment.phase == "runout" and now is not None:
        # The bet that nobody could call has come back.
        position, back = now.uncalled
        if now.seats[position] == k:
            stack, net = stack + back, net + back
    in_hand: dict[str, Any] = {}
    if now is not None and steps is not None and k in now.seats and _played(table, k, moment.over):
        in_hand = _in_hand(now, now.seats.index(k), moment, steps)
    return Seat(
        k, "person" if player.kind == "person" else "agent", player.name, player.spec, stack, net=net,
        status=_status(table, k, moment.over, in_hand.pop("status", "")),
        connected=connected or player.kind == "agent", **in_hand,
    )  # fmt: skip


def _in_hand(now: HandState, p: int, moment: Moment, steps: Sequence[Step]) -> dict[str, Any]:
    """What the hand adds to the seat of a position."""
    over, runs_out = moment.over, moment.phase == "runout"
    shows = over is not None and over.shown[p]
    hidden = (HIDDEN, HIDDEN)
    # What they did last on this street, or that they folded.
    own = [s for s in steps if s.position == p and s.is_action and (s.street == now.street or s.kind == "fold")]
    return {
        "position": p,
        "bet": 0 if over is not None or runs_out else now.bets[p],
        "cards": None if now.folded[p] else two_cards(now.hole[p]) if runs_out or shows else hidden,
        "last": step_reason(own[-1]) if own else None,
        "made": made_reason(over.hole[p], over.board) if over is not None and shows else None,
        "won": None if over is None else over.payoffs[p],
        "status": "folded" if now.folded[p] else "all-in" if now.all_in[p] and over is None else "in",
    }


def _status(table: LiveTable, k: int, over: HandRecord | None, in_hand: str) -> Any:
    """``in_hand``: the status in the hand of a player who was dealt in, else ""."""
    player, broke = table.seats[k], table.seats[k].stack == 0
    if in_hand and over is None:
        return in_hand
    if broke and (in_hand or table.settings.tournament):
        return "out"
    return "away" if player.away else in_hand or ("out" if broke else "waiting")


def _hand(table: LiveTable, now: HandState, moment: Moment, steps: Sequence[Step]) -> HandNow:
    shown, over = moment.shown, moment.over
    deck = table.state.deck
    assert deck is not None
    row: list[int] = now.state["board"][0, :shown].tolist()
    board = tuple(card_text(c) for c in row)
    deal = Deal(deck.hash, deck.nonce, deck.deck, deck.shares) if over is not None else Deal(deck.hash)
    turn = None if now.finished or not table.state.playing else _turn(now, moment.clock)
    street = BOARD_CARDS.index(shown) if shown in BOARD_CARDS else now.street
    settled = over is not None or moment.phase == "runout"
    pots = tuple(Pot(one.chips, tuple(now.seats[p] for p in one.positions)) for one in pots_of(now, bets=settled))
    # Chips that nobody could call have gone back.
    pot = sum(one.chips for one in pots) if settled else now.pot
    return HandNow(
        now.hand, len(now.actions), street, board, pot, pots,
        now.seats[-1], table.state.blinds, turn, log_of(steps, table, shown, over), deal,
    )  # fmt: skip


def _turn(now: HandState, clock: tuple[float, float] | None) -> Turn:
    p = now.actor
    legal = now.legal
    before = now.contributions[p] - now.bets[p]
    sizes: list[Size] = []
    if legal.can_raise:
        low, high = legal.min_to - before, legal.max_to - before
        called = now.pot + legal.to_call
        base = now.bets[p] + legal.to_call
        shares = [Size(name, base + round(share * called)) for name, share in _SHARES]
        sizes = [size for size in shares if low < size.to < high]
        sizes = [Size("min", low), *sizes, Size("all-in" if high == now.bets[p] + now.stacks[p] else "max", high)]
        return Turn(now.seats[p], legal.fold, legal.to_call, low, high, tuple(sizes), clock)
    return Turn(now.seats[p], legal.fold, legal.to_call, 0, 0, (), clock)


def log_of(steps: Sequence[Step], table: LiveTable, shown: int, over: HandRecord | None) -> tuple[LogLine, ...]:
    """What happened in the hand, as far as the board is open."""

    def name(seat: int) -> str:
        # Who played it may have left, and somebody else sit there.
        played = over.names[over.seats.index(seat)] if over is not None and over.names else table.seats[seat].name
        return played or f"seat {seat + 1}"

    lines = []
    street = 0
    board: tuple[int, ...] = ()
    played = max((step.street for step in steps if step.is_action), default=0)
    for step in steps:
        if step.kind == "street":
            board = step.cards
            if step.street <= played or BOARD_CARDS[step.street] <= shown:
                street = step.street
                cards = tuple(card_text(c) for c in board)
                lines.append(LogLine("street", street, cards=cards))
        elif step.is_action or step.kind in ("post", "show", "win"):
            shown_cards = two_cards((step.cards[0], step.cards[1])) if step.kind == "show" else ()
            about = step_reason(step, made_reason(step.cards, board) if step.kind == "show" else None)
            seat = table.state.order[step.position]
            kind: Any = "action" if step.is_action else step.kind
            lines.append(LogLine(kind, street, about, seat, shown_cards, name(seat)))
    return tuple(lines)
