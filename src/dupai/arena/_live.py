"""A table with people: anybody may sit down, sit out and leave; hands are dealt from sealed decks and can be taken up
again after a crash. No clocks, sockets or agents: whoever runs the table asks whose turn it is and plays actions."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec
import numpy as np

from dupai.agents import checked_answer
from dupai.arena._sealed import SealedDeck
from dupai.arena._settings import check_count, check_stakes
from dupai.base import ConfigError, Rng, RulesError
from dupai.base.arrays import F64
from dupai.cards import CARD_MASK, COMBO_CARDS, COMBO_MASK, NO_CARD, cards_text, mask_of
from dupai.rules import Action, GameSpec, HandRecord, HandState, View

_MAX_NAME = 24
#: Draws of all hands together before one that collides is drawn around the others.
_DRAWS = 20


class LiveSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What is played.

    Attributes:
        seats: 2 to 10.
        betting: ``no-limit`` or ``limit`` (bets of one and two big blinds).
        blinds, stack: stakes and buy-in.
        reset: every hand starts with full stacks.
        tournament: who loses all chips is out; blinds double every ``level_hands`` hands (0: never).

    Raises:
        ConfigError: names the key.
    """

    seats: int = 6
    betting: Literal["no-limit", "limit"] = "no-limit"
    blinds: tuple[int, int] = (50, 100)
    stack: int = 10_000
    reset: bool = False
    tournament: bool = False
    level_hands: int = 20

    def __post_init__(self) -> None:
        check_count("seats", self.seats, 2, 10)
        check_stakes(self.blinds, self.stack)
        check_count("stack", self.stack, 1, 10**9)
        check_count("level_hands", self.level_hands, 0, 10**6)
        if self.betting not in ("no-limit", "limit"):
            raise ConfigError(f"betting = {self.betting!r}: expected no-limit or limit", key="betting")
        if self.reset and self.tournament:
            raise ConfigError("reset and tournament: expected one of them", key="reset")


class LiveSeat(msgspec.Struct, kw_only=True):
    """A seat: empty (no ``kind``), a person's or an agent's (``spec``).

    Attributes:
        stack: chips in front between two hands; ``bought``: all chips bought so far.
        away: not dealt in; ``leaving``: the seat is emptied after the hand; ``filling``: buys up to the stack then.
        survived: hand in which the last chips went (tournaments); 0 while in.
    """

    kind: Literal["", "person", "agent"] = ""
    name: str = ""
    spec: str = ""
    stack: int = 0
    bought: int = 0
    away: bool = False
    leaving: bool = False
    filling: bool = False
    survived: int = 0


class LiveState(msgspec.Struct, kw_only=True):
    """All of a table, as it is kept: the hand in play by its deck, its seats by position and the actions so far."""

    settings: LiveSettings
    seats: list[LiveSeat]
    hand: int = 0
    button: int = -1
    blinds: tuple[int, int] = (50, 100)
    deck: SealedDeck | None = None
    order: tuple[int, ...] = ()
    stacks: tuple[int, ...] = ()
    actions: list[Action] = []
    playing: bool = False
    ends: bool = False


class LiveTable:
    """A table in play.

    Args:
        settings: what is played.
        state: to go on from (of :attr:`state`); a hand in play goes on with the same cards.
    """

    def __init__(self, settings: LiveSettings, state: LiveState | None = None) -> None:
        self.settings = settings
        self.state = state or LiveState(
            settings=settings, seats=[LiveSeat() for _ in range(settings.seats)], blinds=settings.blinds
        )
        #: The hand in play, or the last one; None before the first.
        self.now: HandState | None = None
        if self.state.deck is not None:
            line = self._dealt(self.state.deck).line
            self.now = msgspec.structs.replace(line, actions=tuple(self.state.actions)).at()

    # who sits -------------------------------------------------------------------------------------------------------

    @property
    def seats(self) -> list[LiveSeat]:
        """The seats, by number."""
        return self.state.seats

    def sit(self, name: str, seat: int | None = None, *, spec: str = "") -> int:
        """Put a person (or the agent of ``spec``) into a seat, by default the first free one.

        Raises:
            ConfigError: the name makes no sense or is taken, the seat is not free, or the tournament has begun.
        """
        name = name.strip()
        if not name or len(name) > (80 if spec else _MAX_NAME) or not name.isprintable():
            raise ConfigError(f"name {name[:40]!r}: expected 1 to {_MAX_NAME} printable characters", key="name")
        if any(s.kind and s.name == name for s in self.seats):
            raise ConfigError(f"name {name!r} is taken at this table", key="name", text=name)
        if self.settings.tournament and self.state.hand and not self.state.ends:
            raise ConfigError("the tournament has begun: no seat is free", key="seat")
        free = [k for k, s in enumerate(self.seats) if not s.kind]
        if seat is None and not free:
            raise ConfigError("no seat is free", key="seat")
        number = free[0] if seat is None else seat
        if number not in free:
            raise ConfigError(f"seat {number + 1} is not free", key="seat")
        stack = self.settings.stack
        kind: Literal["person", "agent"] = "agent" if spec else "person"
        self.seats[number] = LiveSeat(kind=kind, name=name, spec=spec, stack=stack, bought=stack)
        return number

    def leave(self, seat: int) -> None:
        """Empty a seat, after the hand in play if it is dealt in."""
        if self.in_hand(seat):
            self.seats[seat].leaving = True
        else:
            self._vacate(seat)
            if not self.state.playing:
                self._end_if_won()

    def _vacate(self, seat: int) -> None:
        if self.settings.tournament and self.state.hand:
            # The chips of somebody who leaves are blinded away by nobody: the player is out.
            if not self.state.ends and self.seats[seat].stack:
                self.seats[seat].stack, self.seats[seat].survived = 0, max(self.state.hand, 1)
            self.seats[seat].leaving = False
        else:
            self.seats[seat] = LiveSeat()

    def fill(self, seat: int) -> None:
        """Buy up to the buy-in, after the hand in play if it is dealt in.

        Raises:
            RulesError: nobody buys in again in a tournament, or the stack is full.
        """
        one = self.seats[seat]
        if self.settings.tournament:
            raise RulesError("a tournament has no rebuys")
        if one.stack >= self.settings.stack and not self.state.playing:
            raise RulesError("your stack is full")
        if self.in_hand(seat):
            one.filling = True
        else:
            self._fill(one)

    def _fill(self, one: LiveSeat) -> None:
        one.filling = False
        more = self.settings.stack - one.stack
        if more > 0:
            one.stack, one.bought = self.settings.stack, one.bought + more

    def in_hand(self, seat: int) -> bool:
        """Whether a seat is dealt into the hand in play."""
        return self.state.playing and seat in self.state.order

    def next_players(self) -> list[int]:
        """The seats that the next hand is dealt to."""
        return [k for k, s in enumerate(self.seats) if s.kind and s.stack > 0 and not s.away and not s.leaving]

    # a hand ---------------------------------------------------------------------------------------------------------

    @property
    def can_deal(self) -> bool:
        """Whether a hand can be dealt now."""
        return not self.state.playing and not self.state.ends and len(self.next_players()) >= 2

    def deal(self, deck: SealedDeck | None = None) -> HandState:
        """Deal the next hand, from a fresh deck unless one is given.

        Raises:
            RulesError: a hand is in play, or fewer than two can play.
        """
        if not self.can_deal:
            raise RulesError("no hand can be dealt now")
        state = self.state
        n = self.settings.seats
        players = self.next_players()
        state.button = min(players, key=lambda k: (k - state.button - 1) % n)
        state.order = tuple(sorted(players, key=lambda k: (k - state.button - 1) % n))
        state.hand += 1
        every = self.settings.level_hands if self.settings.tournament else 0
        level = (state.hand - 1) // every if every else 0
        small, big = self.settings.blinds
        # Blinds end where they are all that is on the table, and never fall.
        all_chips = sum(s.stack for s in self.seats if s.kind)
        factor = max(min(2**level, all_chips // big), state.blinds[1] // big if every else 1, 1)
        state.blinds = (small * factor, big * factor)
        state.stacks = tuple(self.settings.stack if self.settings.reset else self.seats[k].stack for k in state.order)
        state.deck = deck or SealedDeck.shuffled()
        state.actions = []
        state.playing = True
        self.now = self._dealt(state.deck)
        return self.now

    def _dealt(self, deck: SealedDeck) -> HandState:
        state = self.state
        return deck.deal(self.spec, state.stacks, state.order, state.hand)

    @property
    def spec(self) -> GameSpec:
        """The game of the hand in play or, before the first, with all seats taken."""
        n = len(self.state.order) or self.settings.seats
        # Nominal stacks: short ones come with the hand.
        stack = max(self.settings.stack, self.state.blinds[1])
        if self.settings.betting == "limit":
            big = self.state.blinds[1]
            return GameSpec.limit(n, self.state.blinds, (big, big, 2 * big, 2 * big), stack)
        return GameSpec.no_limit(n, self.state.blinds, stack)

    @property
    def actor(self) -> int | None:
        """The seat to act; None while nobody is."""
        if not self.state.playing or self.now is None or self.now.finished:
            return None
        return self.now.seats[self.now.actor]

    def act(self, seat: int, action: Action) -> Action:
        """Play an action of a seat; returns it as it was played.

        Raises:
            RulesError: it is not this seat's turn, or the action is not legal (says why, and what is).
        """
        if self.now is None or self.actor != seat:
            raise RulesError("it is not your turn")
        action = checked_answer(self.now, action)
        self.now.apply(action)
        self.state.actions.append(action)
        return action

    def give_up(self, seat: int) -> Action:
        """Fold for a seat, or check where that is free: its clock has run out, or it is gone."""
        assert self.now is not None
        return self.act(seat, Action.fold() if self.now.legal.fold else Action.call())

    def finish(self) -> HandRecord:
        """Pay out the hand that is over; seats that asked for it are filled up or emptied.

        Raises:
            RulesError: it is not over.
        """
        if self.now is None or not self.state.playing or not self.now.finished:
            raise RulesError("the hand is not over")
        names = [self.seats[k].name for k in self.state.order]
        record = self.now.record(names)
        self.state.playing = False
        for k, payoff in zip(self.state.order, record.payoffs, strict=True):
            one = self.seats[k]
            one.stack += payoff
            if self.settings.reset:
                # What was won or lost is booked, and everybody is back at the buy-in.
                one.bought, one.stack = one.bought - payoff, self.settings.stack
            if one.stack == 0 and self.settings.tournament:
                one.survived = self.state.hand
        # Who leaves with all the chips has won them before.
        if self.settings.tournament and sum(s.stack > 0 for s in self.seats if s.kind) < 2:
            self.state.ends = True
        for k in self.state.order:
            one = self.seats[k]
            if one.leaving:
                self._vacate(k)
            elif one.filling or (one.stack == 0 and one.kind == "agent" and not self.settings.tournament):
                self._fill(one)
        self._end_if_won()
        return record

    def _end_if_won(self) -> None:
        """A tournament ends when one player has all the chips; who is merely away is still in it."""
        left = [s for s in self.seats if s.kind and s.stack > 0 and not s.leaving]
        if self.settings.tournament and self.state.hand and len(left) < 2:
            self.state.ends = True

    def net(self, seat: int) -> int:
        """Chips won so far by who sits there, the chips in the pot of the hand in play counted as lost."""
        one = self.seats[seat]
        if not one.kind:
            return 0
        return one.stack - one.bought - self._put_in(seat)

    def _put_in(self, seat: int) -> int:
        if not self.in_hand(seat) or self.now is None:
            return 0
        p = self.state.order.index(seat)
        return self.now.contributions[p] + self.now.antes[p]

    def in_front(self, seat: int) -> int:
        """Chips behind, as they stand."""
        if self.in_hand(seat) and self.now is not None:
            return self.now.stacks[self.state.order.index(seat)]
        return self.seats[seat].stack

    def chips(self) -> int:
        """All chips on the table less all that were bought: 0 as long as nobody has left with winnings."""
        return sum(s.stack - s.bought for s in self.seats if s.kind)


def spot_table(settings: LiveSettings, seats: Sequence[LiveSeat], view: View, readings: Mapping[int, F64]) -> LiveTable:
    """A table that stands at a decision again: the viewer's cards, stacks and actions as they were, the opponents'
    hands drawn from readings (``float64[1326]`` by position), everything else dealt anew."""
    rng = Rng(secrets.randbits(62))
    dealt = _dealt_from(view.resume(), readings, rng)
    n = view.spec.players
    holes = [list(two) for two in dealt.hole]
    board: list[int] = dealt.state["board"][0].tolist()
    known = {c for c in (*board, *(c for two in holes for c in two)) if c != NO_CARD}
    rest = [c for c in range(52) if c not in known]
    rng.shuffle(rest)
    holes = [two if NO_CARD not in two else [rest.pop(), rest.pop()] for two in holes]
    deck = SealedDeck(cards_text([*(c for two in holes for c in two), *board, *rest]), secrets.token_hex(32))
    stacks = dict(zip(view.seats, view.start_stacks, strict=True))
    copies = [
        msgspec.structs.replace(s, stack=stacks.get(k, s.stack), bought=stacks.get(k, s.stack), leaving=False)
        for k, s in enumerate(seats)
    ]
    small, big = sorted(view.spec.blinds)[-2:]
    state = LiveState(
        settings=settings, seats=copies, hand=view.hand, button=view.seats[n - 1], blinds=(small, big), deck=deck,
        order=view.seats, stacks=view.start_stacks, actions=[a for _, _, a in view.actions], playing=True,
    )  # fmt: skip
    return LiveTable(settings, state)


def seated_names(seats: Sequence[LiveSeat]) -> tuple[str, ...]:
    """A name for every seat, empty ones too."""
    return tuple(s.name or f"seat {k + 1}" for k, s in enumerate(seats))


def _dealt_from(start: HandState, readings: Mapping[int, F64], rng: Rng) -> HandState:
    """A copy with hands of the opponents drawn from their readings, and a board from the rest of the deck."""
    row = start.state[0]
    seen = mask_of([c for c in (*row["hole"][: start.spec.players].ravel().tolist(), *start.board) if c < 52])
    state = start.copy()
    used = np.uint64(seen)
    for attempt in range(_DRAWS + 1):
        used, clash = np.uint64(seen), False
        for position, p in readings.items():
            # At last around the cards that are taken, so that it ends.
            weights = np.where(COMBO_MASK & used == 0, p, 0.0) if attempt == _DRAWS else p
            if not weights.sum() > 0:
                weights = (COMBO_MASK & used == 0).astype(np.float64)
            steps = np.cumsum(weights)
            hand = min(int(np.searchsorted(steps, rng.uniform() * steps[-1], side="right")), len(steps) - 1)
            clash = clash or bool(COMBO_MASK[hand] & used)
            used |= COMBO_MASK[hand]
            state.state["hole"][0, position] = COMBO_CARDS[hand]
        if not clash:
            break
    deck = [c for c in range(52) if not CARD_MASK[c] & used]
    rng.shuffle(deck)
    known = len(start.board)
    state.state["board"][0, known:] = deck[: 5 - known]
    return state
