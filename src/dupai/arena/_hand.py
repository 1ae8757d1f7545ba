"""One hand between agents: whose turn, what they answer, and what becomes of an answer that is none."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from dupai.agents import Agent, BaseAgent, MatchFormat, MatchInfo
from dupai.base import Rng, RulesError
from dupai.rules import RAISE, Action, GameSpec, HandRecord, HandState

if TYPE_CHECKING:
    from dupai.arena._chips import ChipTable
    from dupai.arena._entrants import Entrant

#: Streams of ``Rng(seed, match, hand, stream)``: the deck, then one for each chair, then the draw of the chairs.
DECK_STREAM = 0
SEAT_STREAM = 1
DRAW_STREAM = 11

#: Faults kept with their text in one match; all are counted.
FAULTS_KEPT = 20


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """Something an agent did wrong.

    Attributes:
        match, hand: where (hand 0: before the first deal).
        agent: its label.
        during: ``"make"``, ``"start"``, ``"act"``, ``"observe"`` or ``"close"``; only ``act`` costs it the hand.
        error: what it raised, or why its answer was refused.
    """

    match: int
    hand: int
    agent: str
    during: str
    error: str


class Watcher:
    """Looks on while a match is played: derive from it and override what is of interest. Nothing here decides."""

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


class _Broken(BaseAgent):
    """Sits where an agent could not be made: every decision is a fault."""

    def __init__(self, error: str) -> None:
        self._error = error

    def act(self, view: object, rng: Rng) -> Action:
        raise RuntimeError(self._error)


class Players:
    """The agents of one match by chair, fresh, with their random streams and their faults."""

    def __init__(self, entrants: Sequence[Entrant], seed: int, match: int) -> None:
        self.names = tuple(e.label for e in entrants)
        self._seed = seed
        self._match = match
        self.hand = 0
        self.faults: list[Fault] = []
        self.fault_counts = [0] * len(entrants)
        self.agents: list[Agent] = []
        for chair, entrant in enumerate(entrants):
            try:
                self.agents.append(entrant.make())
            except Exception as error:  # noqa: BLE001 - whatever an agent does is its own fault
                self.fault(chair, "make", error)
                self.agents.append(_Broken(f"it could not be made: {error}"))
        self._observes = [type(a).observe is not BaseAgent.observe for a in self.agents]

    def fault(self, chair: int, during: str, error: BaseException | str) -> Fault:
        """Book a fault of ``chair``."""
        text = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
        found = Fault(match=self._match, hand=self.hand, agent=self.names[chair], during=during, error=text[:300])
        self.fault_counts[chair] += 1
        if len(self.faults) < FAULTS_KEPT:
            self.faults.append(found)
        return found

    def _each(self, during: str, call: Callable[[int, Agent], None]) -> None:
        for chair, agent in enumerate(self.agents):
            try:
                call(chair, agent)
            except Exception as error:  # noqa: BLE001
                self.fault(chair, during, error)

    def start(self, spec: GameSpec, format: MatchFormat, hands: int | None) -> None:
        """Seat everybody."""

        def one(chair: int, agent: Agent) -> None:
            agent.start(MatchInfo(spec=spec, seat=chair, names=self.names, format=format, hands=hands))

        self._each("start", one)

    def close(self) -> None:
        """The match is over."""
        self._each("close", lambda _, agent: agent.close())

    def observe(self, record: HandRecord) -> None:
        """Show everybody the hand as they may know it; who sat out sees it as an observer."""
        if not any(self._observes):
            return

        def one(chair: int, agent: Agent) -> None:
            if self._observes[chair]:
                agent.observe(record.for_seat(record.seats.index(chair) if chair in record.seats else None))

        self._each("observe", one)

    def play(self, state: HandState, watch: Watcher | None = None) -> HandRecord:
        """Play a dealt hand to its end and return its record (observed by nobody yet).

        The fault rule: an agent that raises or answers illegally loses its hand. Under casino rules it folds at once,
        also where it could check; under ACPC rules, which know no fold without a bet, it checks while that is free and
        folds to any bet. It is asked again in the next hand.
        """
        lost: dict[int, Fault] = {}
        rngs: dict[int, Rng] = {}
        free_fold = state.spec.min_raise == "casino"
        while (position := state.actor) >= 0:
            chair = state.seats[position]
            fault = lost.get(chair)
            if fault is None:
                rng = rngs.get(chair)
                if rng is None:
                    rng = rngs[chair] = Rng(self._seed, self._match, state.hand, SEAT_STREAM + chair)
                try:
                    action = answer(state, self.agents[chair].act(state.view(position), rng))
                except Exception as error:  # noqa: BLE001
                    fault = lost[chair] = self.fault(chair, "act", error)
            if fault is not None:
                action = Action.fold() if free_fold or state.legal.fold else Action.call()
            if watch is not None:
                watch.on_action(state, action, fault)
            state.apply(action, free_fold=free_fold)
            if watch is not None:
                watch.on_change(state)
        return state.record([self.names[c] for c in state.seats])


def answer(state: HandState, given: object) -> Action:
    """What an agent answered as a checked action; a raise that nobody is left to call more of is a call.

    Raises:
        RulesError: it is no action, or not legal here.
    """
    if not isinstance(given, Action):
        raise RulesError(f"answer {given!r} is not an Action")
    try:
        action = Action(operator.index(given.kind), operator.index(given.to))
    except TypeError:
        raise RulesError(f"answer {given!r}: expected whole numbers") from None
    action = state.check(action)
    if action.kind == RAISE and state.spec.min_raise == "casino" and not _can_be_called(state):
        # All that is above the bet would come straight back: at a table, and for other programs that read our hands
        # (PokerKit), that is a call.
        return Action.call()
    return action


def _can_be_called(state: HandState) -> bool:
    """Whether an opponent of the actor who may still act has more than the bet faced."""
    top = max(state.to_call + state.contributions[state.actor], state.spec.big_blind)
    rows = zip(state.contributions, state.stacks, state.folded, strict=True)
    return any(
        stack > 0 and not folded and put + stack > top
        for p, (put, stack, folded) in enumerate(rows)
        if p != state.actor
    )
