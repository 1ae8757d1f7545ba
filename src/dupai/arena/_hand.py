"""One hand between agents: whose turn it is, and how faults are punished."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

import msgspec

from dupai.agents import AGENT_ERRORS, AgentNotes, CannotPlay, Clock, MatchFormat, MatchInfo, Seat, fault_text
from dupai.base import ConfigError, DupaiError, Option, Rng
from dupai.jobs import SavePoint
from dupai.rules import DECK_STREAM, FAULT_RULES, Action, FaultRule, GameSpec, HandRecord, HandState

if TYPE_CHECKING:
    from dupai.arena._chips import ChipTable
    from dupai.arena._entrants import Entrant


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """Something an agent did wrong.

    Attributes:
        match, hand: where (hand 0: before the first deal).
        agent: its label.
        during: ``"make"``, ``"start"``, ``"begin"``, ``"act"``, ``"observe"``, ``"end"`` or ``"close"``; ``"save"`` or
            ``"load"`` (its state, for a run that is taken up again), ``"policy"`` (its probabilities, for luck
            reduction), ``"rollout"`` (a decision in a hand that is only tried). Only ``act`` costs it the hand.
        error: what it raised, or why its answer was refused.
    """

    match: int
    hand: int
    agent: str
    during: str
    error: str


class PlayedUnit(msgspec.Struct, frozen=True, kw_only=True):
    """What all units of work give: the faults and notes of the agents, and whether it was played to its end."""

    faults: tuple[Fault, ...] = ()
    notes: tuple[AgentNotes, ...] = ()
    complete: bool = True


class TableRules(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of a player who raises an error, answers illegally or takes too long.

    Attributes:
        faults: ``"forfeit"`` (the player loses the hand and is asked again in the next), ``"fold"`` (is asked no more
            and folds every hand of the match from there on) or ``"end"`` (loses the hand, which is the match's last).
        seconds_per_action: clock of one decision, wall time; None: no clock.
        seconds_per_match: clock of all decisions of one player in one match; None: no clock. Both are read when the
            answer is there: agents in this process cannot be interrupted. An agent of another package plays in a
            process of its own, which is ended when its answer is too late.

    Raises:
        ConfigError: names the key.
    """

    faults: Annotated[FaultRule, Option("An agent that fails: forfeit the hand, fold on, or end the match.")] = (
        "forfeit"
    )
    seconds_per_action: Annotated[float | None, Option("Seconds for a decision; a later answer is a fault.")] = None
    seconds_per_match: Annotated[
        float | None, Option("Seconds of a player for a match; then every decision is a fault.")
    ] = None

    def __post_init__(self) -> None:
        if self.faults not in FAULT_RULES:
            expected = ", ".join(map(repr, FAULT_RULES))
            raise ConfigError(f"faults = {self.faults!r}: expected one of {expected}", key="faults")
        for key in ("seconds_per_action", "seconds_per_match"):
            value = getattr(self, key)
            if value is not None and not 0 < value < float("inf"):
                raise ConfigError(f"{key} = {value!r}: expected a positive number of seconds", key=key)

    @property
    def match_long(self) -> bool:
        """Whether what a player did in earlier hands of its match changes later ones."""
        return self.faults != "forfeit" or self.seconds_per_match is not None

    @property
    def clocked(self) -> bool:
        """Whether there is a clock (a result then depends on the machine)."""
        return self.seconds_per_action is not None or self.seconds_per_match is not None


class Watcher:
    """Looks on while a match is played: derive from it and override what is of interest. Nothing here decides."""

    def on_seated(self, players: Players) -> None:
        """A tournament match begins: its players, chair by chair."""

    def on_deal(self, state: HandState, table: ChipTable | None) -> None:
        """A hand begins: blinds are posted."""

    def on_action(self, state: HandState, action: Action, fault: Fault | None) -> None:
        """The actor of ``state`` is about to do ``action``; ``fault``: the rule acts in its place."""

    def on_change(self, state: HandState) -> None:
        """The action has been played."""

    def on_hand(self, record: HandRecord, table: ChipTable | None) -> None:
        """A hand is over and paid out."""

    def on_rebuy(self, chair: int, table: ChipTable) -> None:
        """``chair`` has bought in again."""

    def on_out(self, chair: int, table: ChipTable) -> None:
        """``chair`` is out of the match."""


#: Where nobody looks on.
NOBODY = Watcher()


class PlayersState(msgspec.Struct, frozen=True, kw_only=True):
    """What it takes to go on between two hands: what each agent saved, by chair (None: nothing), and the faults.
    ``times``: decisions counted by length (:class:`~dupai.agents.Seat`), by chair. ``notes``: of the agents that count
    their fall-backs."""

    agents: tuple[bytes | None, ...]
    faults: tuple[Fault, ...]
    fault_counts: tuple[int, ...]
    seconds: tuple[float, ...]
    folding: dict[int, Fault]
    ended: bool
    times: tuple[dict[int, int], ...] = ()
    notes: tuple[AgentNotes, ...] = ()


class Players:
    """The seats of one match by chair, with fresh agents, and their faults."""

    def __init__(
        self, entrants: Sequence[Entrant], seed: int | bytes, match: int, rules: TableRules | None = None
    ) -> None:
        self.names = tuple(e.label for e in entrants)
        self.stateless = tuple(e.stateless for e in entrants)
        self.rules = rules or TableRules()
        #: By the rule of faults: chairs that are asked no more, with their fault; and whether the match is to end.
        self.folding: dict[int, Fault] = {}
        self.ended = False
        self._seed, self._match = seed, match
        self.hand = 0
        self.faults: list[Fault] = []
        self.fault_counts = [0] * len(entrants)
        clock = Clock(self.rules.seconds_per_action, self.rules.seconds_per_match)
        # Weak: the agents of a match that is over are freed at once (readers take some 60 MB), not by the collector.
        me = weakref.proxy(self)
        self.seats = [
            Seat(e.make, e.label, seed=seed, match=match, clock=clock, on_fault=partial(Players.fault, me, chair))
            for chair, e in enumerate(entrants)
        ]

    def fault(self, chair: int, during: str, error: BaseException) -> Fault:
        """Book a fault of ``chair``."""
        text = fault_text(error)[:300]
        fault = Fault(match=self._match, hand=self.hand, agent=self.names[chair], during=during, error=text)
        self.fault_counts[chair] += 1
        self.faults.append(fault)
        return fault

    def start(self, spec: GameSpec, format: MatchFormat, hands: int | None) -> None:
        """Seat the players.

        Raises:
            CannotPlay: one of them says by an error of :mod:`dupai.base` that it cannot play.
        """
        clock = self.rules.seconds_per_action
        self.info = MatchInfo(spec=spec, seat=0, names=self.names, format=format, hands=hands, seconds_per_action=clock)
        cannot: list[CannotPlay] = []
        for chair, seat in enumerate(self.seats):
            try:
                seat.start(msgspec.structs.replace(self.info, seat=chair))
            except DupaiError as error:
                cannot.append(CannotPlay(f"agent {seat.name!r} cannot play: {error}"))
        if cannot:
            self.close()
            raise cannot[0]

    def close(self) -> None:
        """The match is over."""
        for seat in self.seats:
            seat.close()

    @property
    def can_save(self) -> bool:
        """Whether all agents that may learn can go on from their ``save()``."""
        return all(free or seat.can.saves for free, seat in zip(self.stateless, self.seats, strict=True))

    def save(self) -> PlayersState | None:
        """The state of all players between two hands; None, with a fault, where an agent fails to give its own. Agents
        without ``save`` have none: ask :attr:`can_save` first."""
        states: list[bytes | None] = []
        for free, seat in zip(self.stateless, self.seats, strict=True):
            saves = seat.can.saves and not free
            states.append(seat.save() if saves else None)
            if saves and states[-1] is None:
                return None
        return self.standing(tuple(states))

    def standing(self, agents: tuple[bytes | None, ...] = ()) -> PlayersState:
        """Faults and clocks so far, with what ``agents`` saved."""
        return PlayersState(
            agents=agents,
            faults=tuple(self.faults),
            fault_counts=tuple(self.fault_counts),
            seconds=tuple(seat.seconds for seat in self.seats),
            folding=self.folding,
            ended=self.ended,
            times=tuple(seat.times for seat in self.seats),
            notes=self.notes,
        )

    @property
    def notes(self) -> tuple[AgentNotes, ...]:
        """Fall-backs of the agents that count them."""
        return tuple(seat.notes for seat in self.seats if seat.can.notes or seat.notes.counts)

    def mark(self) -> Callable[[], None]:
        """Where faults and clocks stand; what is returned brings them back there."""
        faults, counts, seconds = len(self.faults), [*self.fault_counts], [seat.seconds for seat in self.seats]
        folding, ended = {**self.folding}, self.ended

        def rewind() -> None:
            del self.faults[faults:]
            self.fault_counts[:] = counts
            for seat, used in zip(self.seats, seconds, strict=True):
                seat.seconds = used
            self.folding, self.ended = folding, ended

        return rewind

    def load(self, state: PlayersState) -> bool:
        """Go on from a state, after :meth:`start`; False, with a fault, where an agent failed to take its own."""
        for seat, data in zip(self.seats, state.agents, strict=False):
            if data is not None and not seat.load(data):
                return False
        self.faults, self.fault_counts = list(state.faults), list(state.fault_counts)
        self.folding, self.ended = dict(state.folding), state.ended
        for chair, seat in enumerate(self.seats):
            seat.seconds = state.seconds[chair]
            seat.times = dict(state.times[chair]) if state.times else seat.times
            seat.notes = next((notes for notes in state.notes if notes.agent == seat.name), seat.notes)
        return True

    def observe(self, record: HandRecord) -> None:
        """Show all players the hand as they may know it; a player who sat out sees it as an observer."""
        for chair, seat in enumerate(self.seats):
            seat.asked = chair not in self.folding
            seat.show(record)

    def play_hand(
        self, spec: GameSpec, table: ChipTable, chairs: tuple[int, ...], watch: Watcher = NOBODY
    ) -> HandRecord:
        """Deal the hand of a table where chips carry over, play it and show it to everybody; nobody is paid yet."""
        self.hand = table.hand
        rng = Rng(self._seed, self._match, table.hand, DECK_STREAM)
        state = HandState.deal(spec, rng, stacks=[table.stacks[c] for c in chairs], seats=chairs, hand=table.hand)
        watch.on_deal(state, table)
        record = self.play(state, watch)
        self.observe(record)
        return record

    def play(self, state: HandState, watch: Watcher = NOBODY) -> HandRecord:
        """Play a dealt hand to its end and return its record (no player has observed it yet).

        The fault rule: an agent that raises or answers illegally loses its hand. Under casino rules it folds at once,
        also where it could check; under ACPC rules, which know no fold without a bet, it checks while that is free and
        folds to any bet. It is asked again in the next hand, unless the table's rules say otherwise
        (:class:`TableRules`).
        """
        lost = dict(self.folding)
        for chair, seat in enumerate(self.seats):
            if chair in state.seats and chair not in lost:
                seat.begin(state)
        while (position := state.actor) >= 0:
            chair = state.seats[position]
            fault = lost.get(chair)
            if fault is None:
                try:
                    action = self.seats[chair].act(state)
                except CannotPlay as error:
                    self.close()
                    raise CannotPlay(f"agent {self.names[chair]!r} cannot play: {error}") from None
                except AGENT_ERRORS:
                    # Booked by the seat.
                    fault = lost[chair] = self.faults[-1]
                    if self.rules.faults == "fold":
                        self.folding[chair] = fault
                    self.ended = self.ended or self.rules.faults == "end"
            if fault is not None:
                action = state.forfeit
            watch.on_action(state, action, fault)
            state.follow(action)
            watch.on_change(state)
        return state.record([self.names[c] for c in state.seats])


class Saver:
    """Saves the state of a task between two of its hands, in a twentieth of the time at most.

    Args:
        where: the task's save point, if it has one.
    """

    def __init__(self, where: SavePoint | None) -> None:
        self._where = where
        self._next = time.perf_counter() + (0.0 if where is None else where.seconds)

    def save(self, players: Players, state: Callable[[PlayersState], msgspec.Struct], *, due: bool = False) -> None:
        """Save ``state``, made with that of the players, if all can go on from there (``due``: and if it is time)."""
        start = time.perf_counter()
        if self._where is None or (due and start < self._next) or not players.can_save:
            return
        saved = players.save()
        if saved is None:
            self._where = None
            return
        self._where.write(msgspec.msgpack.encode(state(saved)))
        now = time.perf_counter()
        self._next = now + max(self._where.seconds, 20 * (now - start))
