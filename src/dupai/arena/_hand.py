"""One hand between agents: whose turn, what they answer, and what becomes of an answer that is none."""

from __future__ import annotations

import operator
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Annotated

import msgspec

from dupai.agents import (
    Agent,
    AgentFailure,
    AgentOutput,
    BaseAgent,
    CannotPlay,
    HasBegin,
    HasEnd,
    MatchFormat,
    MatchInfo,
    Saveable,
    overrides,
)
from dupai.arena._times import add_time
from dupai.base import ConfigError, DupaiError, Option, Rng, RulesError
from dupai.jobs import SavePoint
from dupai.rules import DECK_STREAM, FAULT_RULES, RAISE, SEAT_STREAM, Action, FaultRule, GameSpec, HandRecord, HandState

if TYPE_CHECKING:
    from dupai.arena._chips import ChipTable
    from dupai.arena._entrants import Entrant

#: What an agent may raise at its own cost. ``sys.exit`` is one of these.
_ERRORS = (Exception, SystemExit)


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """Something an agent did wrong.

    Attributes:
        match, hand: where (hand 0: before the first deal).
        agent: its label.
        during: ``"make"``, ``"start"``, ``"begin"``, ``"act"``, ``"observe"``, ``"end"`` or ``"close"``; ``"save"`` or
            ``"load"`` (its state, for a run that is taken up again), ``"policy"`` (its probabilities, for luck
            reduction). Only ``act`` costs it the hand.
        error: what it raised, or why its answer was refused.
    """

    match: int
    hand: int
    agent: str
    during: str
    error: str


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
    ``times``: decisions counted by length (:func:`add_time`), by chair."""

    agents: tuple[bytes | None, ...]
    faults: tuple[Fault, ...]
    fault_counts: tuple[int, ...]
    seconds: tuple[float, ...]
    folding: dict[int, Fault]
    ended: bool
    times: tuple[dict[int, int], ...] = ()


class _Broken(BaseAgent):
    """Sits where an agent could not be made: every decision is a fault."""

    def __init__(self, error: str) -> None:
        self._error = error

    def act(self, view: object, rng: Rng) -> Action:
        raise RuntimeError(self._error)


class Players:
    """The agents of one match by chair, fresh, with their random streams and their faults."""

    def __init__(self, entrants: Sequence[Entrant], seed: int, match: int, rules: TableRules | None = None) -> None:
        self.names = tuple(e.label for e in entrants)
        self.stateless = tuple(e.stateless for e in entrants)
        self.rules = rules or TableRules()
        #: Seconds each chair has thought in this match.
        self.seconds = [0.0] * len(entrants)
        self.times: list[dict[int, int]] = [{} for _ in entrants]
        #: By the rule of faults: chairs that are asked no more, with their fault; and whether the match is to end.
        self.folding: dict[int, Fault] = {}
        self.ended = False
        self._seed, self._match = seed, match
        self.hand = 0
        self.faults: list[Fault] = []
        self.fault_counts = [0] * len(entrants)
        self.agents: list[Agent] = []
        self._outputs = [_output_of(e) for e in entrants]
        for chair, entrant in enumerate(entrants):
            try:
                with self._outputs[chair]:
                    self.agents.append(entrant.make())
            except _ERRORS as error:
                self.fault(chair, "make", error)
                self.agents.append(_Broken(f"it could not be made: {error}"))
        self._observes = [overrides(a, "observe") for a in self.agents]
        self._begin = {chair: a for chair, a in enumerate(self.agents) if isinstance(a, HasBegin)}
        self._end = {chair: a for chair, a in enumerate(self.agents) if isinstance(a, HasEnd)}

    def fault(self, chair: int, during: str, error: BaseException | str) -> Fault:
        """Book a fault of ``chair``."""
        text = str(error) if isinstance(error, str | AgentFailure) else f"{type(error).__name__}: {error}"
        fault = Fault(match=self._match, hand=self.hand, agent=self.names[chair], during=during, error=text[:300])
        self.fault_counts[chair] += 1
        self.faults.append(fault)
        return fault

    def _each(self, during: str, call: Callable[[int, Agent], None]) -> None:
        for chair, agent in enumerate(self.agents):
            try:
                with self._outputs[chair]:
                    call(chair, agent)
            except _ERRORS as error:
                self.fault(chair, during, error)

    def start(self, spec: GameSpec, format: MatchFormat, hands: int | None) -> None:
        """Seat the players.

        Raises:
            CannotPlay: one of them says by an error of :mod:`dupai.base` that it cannot play.
        """

        clock = self.rules.seconds_per_action
        self.info = MatchInfo(spec=spec, seat=0, names=self.names, format=format, hands=hands, seconds_per_action=clock)

        def one(chair: int, agent: Agent) -> None:
            try:
                agent.start(msgspec.structs.replace(self.info, seat=chair))
            except DupaiError as error:
                cannot.append(CannotPlay(f"agent {self.names[chair]!r} cannot play: {error}"))

        cannot: list[CannotPlay] = []
        self._each("start", one)
        if cannot:
            self.close()
            raise cannot[0]

    def close(self) -> None:
        """The match is over."""
        self._each("close", lambda _, agent: agent.close())

    @property
    def can_save(self) -> bool:
        """Whether all agents that may learn can go on from their ``save()``."""
        return all(free or isinstance(a, Saveable) for free, a in zip(self.stateless, self.agents, strict=True))

    def save(self) -> PlayersState | None:
        """The state of all players between two hands; None, with a fault, where an agent fails to give its own. Agents
        without ``save`` have none: ask :attr:`can_save` first."""
        states: list[bytes | None] = []
        for chair, agent in enumerate(self.agents):
            try:
                with self._outputs[chair]:
                    state = agent.save() if isinstance(agent, Saveable) and not self.stateless[chair] else None
                if state is not None and not isinstance(state, bytes):
                    raise TypeError(f"expected bytes, not {type(state).__name__}")
            except _ERRORS as error:
                self.fault(chair, "save", error)
                return None
            states.append(state)
        return self.standing(tuple(states))

    def standing(self, agents: tuple[bytes | None, ...] = ()) -> PlayersState:
        """Faults and clocks so far, with what ``agents`` saved."""
        return PlayersState(
            agents=agents,
            faults=tuple(self.faults),
            fault_counts=tuple(self.fault_counts),
            seconds=tuple(self.seconds),
            folding=self.folding,
            ended=self.ended,
            times=tuple(self.times),
        )

    def mark(self) -> Callable[[], None]:
        """Where faults and clocks stand; what is returned brings them back there."""
        faults, counts, seconds = len(self.faults), [*self.fault_counts], [*self.seconds]
        folding, ended = {**self.folding}, self.ended

        def rewind() -> None:
            del self.faults[faults:]
            self.fault_counts[:], self.seconds[:] = counts, seconds
            self.folding, self.ended = folding, ended

        return rewind

    def load(self, state: PlayersState) -> bool:
        """Go on from a state, after :meth:`start`; False, with a fault, where an agent failed to take its own."""
        for chair, data in enumerate(state.agents):
            if data is None:
                continue
            try:
                with self._outputs[chair]:
                    self.agents[chair].load(data)  # type: ignore[attr-defined]
            except _ERRORS as error:
                self.fault(chair, "load", error)
                return False
        self.faults, self.fault_counts, self.seconds = list(state.faults), list(state.fault_counts), list(state.seconds)
        self.folding, self.ended = dict(state.folding), state.ended
        self.times = [dict(counts) for counts in state.times] or self.times
        return True

    def observe(self, record: HandRecord) -> None:
        """Show all players the hand as they may know it; a player who sat out sees it as an observer."""

        def seen(chair: int) -> HandRecord:
            return record.seen_by(record.seats.index(chair) if chair in record.seats else None)

        def one(chair: int, agent: Agent) -> None:
            if self._observes[chair]:
                agent.observe(seen(chair))

        def end(chair: int, agent: Agent) -> None:
            if chair in self._end and chair in record.seats:
                self._end[chair].end(seen(chair))

        if any(self._observes):
            self._each("observe", one)
        if self._end:
            self._each("end", end)

    def _begin_hand(self, state: HandState) -> None:
        def one(chair: int, agent: Agent) -> None:
            if chair in self._begin and chair in state.seats and chair not in self.folding:
                self._begin[chair].begin(state.view(state.seats.index(chair)))

        self._each("begin", one)

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
        rngs: dict[int, Rng] = {}
        if self._begin:
            self._begin_hand(state)
        while (position := state.actor) >= 0:
            chair = state.seats[position]
            fault = lost.get(chair)
            if fault is None:
                if chair not in rngs:
                    rngs[chair] = Rng(self._seed, self._match, state.hand, SEAT_STREAM + chair)
                try:
                    action = self._ask(state, chair, rngs[chair])
                except CannotPlay as error:
                    self.close()
                    raise CannotPlay(f"agent {self.names[chair]!r} cannot play: {error}") from None
                except _ERRORS as error:
                    fault = lost[chair] = self.fault(chair, "act", error)
                    if self.rules.faults == "fold":
                        self.folding[chair] = fault
                    self.ended = self.ended or self.rules.faults == "end"
            if fault is not None:
                action = state.forfeit
            watch.on_action(state, action, fault)
            state.follow(action)
            watch.on_change(state)
        return state.record([self.names[c] for c in state.seats])

    def _ask(self, state: HandState, chair: int, rng: Rng) -> Action:
        """What a chair answers, checked, in its time.

        Raises:
            RulesError: it is not legal, or came too late. Besides whatever the agent raises.
        """
        rules = self.rules
        view = state.view(state.actor)
        if rules.seconds_per_match is not None and self.seconds[chair] >= rules.seconds_per_match:
            raise RulesError(f"its clock of {rules.seconds_per_match:g} s for the match has run out")
        start = time.perf_counter_ns()
        try:
            with self._outputs[chair]:
                reply = self.agents[chair].act(view, rng)
        finally:
            took = time.perf_counter_ns() - start
            add_time(self.times[chair], took)
            self.seconds[chair] += took / 1e9
        if rules.seconds_per_action is not None and took > rules.seconds_per_action * 1e9:
            raise RulesError(f"it took {took / 1e9:.2f} s, its clock allows {rules.seconds_per_action:g} s an action")
        if rules.seconds_per_match is not None and self.seconds[chair] > rules.seconds_per_match:
            raise RulesError(f"its clock of {rules.seconds_per_match:g} s for the match ran out while it thought")
        return answer(state, reply)


def _output_of(entrant: Entrant) -> AbstractContextManager[None]:
    """Around calls of its agent: what it prints is its own, where it is not of dupai and plays in this process."""
    factory = entrant.factory
    ours = factory is None or str(getattr(factory, "__module__", "")).partition(".")[0] == "dupai"
    return nullcontext() if ours else AgentOutput(entrant.label)


class Saver:
    """Saves the state of a task between two of its hands, in a twentieth of the time at most.

    Args:
        where: the task's save point, if it has one.
        state: the state of the task, made with that of its players.
    """

    def __init__(self, where: SavePoint | None, state: Callable[[PlayersState], msgspec.Struct]) -> None:
        self._where, self._state = where, state
        self._next = time.perf_counter() + (0.0 if where is None else where.seconds)

    def save(self, players: Players, *, due: bool = False) -> None:
        """Save, if all players can go on from there (``due``: and if it is time)."""
        start = time.perf_counter()
        if self._where is None or (due and start < self._next) or not players.can_save:
            return
        saved = players.save()
        if saved is None:
            self._where = None
            return
        self._where.write(msgspec.msgpack.encode(self._state(saved)))
        now = time.perf_counter()
        self._next = now + max(self._where.seconds, 20 * (now - start))


def answer(state: HandState, reply: object) -> Action:
    """What an agent answered as a checked action; a raise that no opponent can call is a call.

    Raises:
        RulesError: it is no action, or not legal here.
    """
    if not isinstance(reply, Action):
        raise RulesError(f"answer {reply!r} is not an Action")
    try:
        action = Action(operator.index(reply.kind), operator.index(reply.to))
    except TypeError:
        raise RulesError(f"answer {reply!r}: expected whole numbers") from None
    action = state.check(action)
    if action.kind == RAISE and state.spec.min_raise == "casino" and not state.raise_can_be_called:
        # All that is above the bet would come straight back: at a table, and for other programs that read our hands
        # (PokerKit), that is a call.
        return Action.call()
    return action
