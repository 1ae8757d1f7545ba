"""One seating of a match: the unit of work, the luck of its hands, and how far it is where it is interrupted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import permutations as all_orders
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.agents import AgentNotes
from dupai.arena._entrants import Entrant, PlayTask
from dupai.arena._hand import NOBODY, Fault, Players, PlayersState, Saver, Watcher
from dupai.arena._results import MatchConfig
from dupai.arena._settings import state_of_deal
from dupai.base import Rng, source_of
from dupai.base.files import file_faults
from dupai.jobs import Pulse, SavePoint
from dupai.rules import DECK_STREAM, HandRecord, HandState, View
from dupai.spots import ActionDistribution
from dupai.stats import ViewPolicy, luck_adjusted


class HandLuck:
    """Computes the luck of the hands of one table.

    The luck of an agent's decisions can be known where it has ``policy(view)`` and declares itself ``stateless``, so
    that what it says after the hand is what it drew from in it. A policy that fails is a fault of its agent and is
    asked no more in this unit of work. In a hand in which an agent broke the rules, the rule acted and not its policy:
    its decisions are left as they are.
    """

    def __init__(self, entrants: Sequence[Entrant], players: Players) -> None:
        """``entrants``: by chair, as the agents of ``players``."""
        self._players = players
        self._policies: list[ViewPolicy | None] = [
            seat.policy if entrant.stateless and seat.can.policy else None
            for entrant, seat in zip(entrants, players.seats, strict=True)
        ]

    @property
    def decisions(self) -> tuple[bool, ...]:
        """Whether each chair's decisions are recorded."""
        return tuple(policy is not None for policy in self._policies)

    def only(self, decisions: Sequence[bool]) -> None:
        """Look at no others' decisions than these chairs'."""
        self._policies = [p if used else None for p, used in zip(self._policies, decisions, strict=True)]

    def of(self, record: HandRecord, faults: Sequence[int]) -> npt.NDArray[np.float64]:
        """What was luck in a hand, ``float64[chairs]`` in chips; ``faults``: counted by chair before it."""
        broke = [now > before for now, before in zip(self._players.fault_counts, faults, strict=True)]
        used = [
            None if policy is None or broke[c] or c in self._players.folding else self._watched(c, policy)
            for c, policy in enumerate(self._policies)
        ]
        won = np.empty(len(used))
        won[list(record.seats)] = np.array(record.payoffs, np.float64) / record.spec.split
        while True:
            try:
                return np.asarray(won - luck_adjusted([record], used)[0])
            except _PolicyError as error:
                chair, cause = error.args
                self._policies[chair] = used[chair] = None
                self._players.fault(chair, "policy", cause)

    @staticmethod
    def _watched(chair: int, policy: ViewPolicy) -> ViewPolicy:
        def ask(view: View) -> ActionDistribution:
            try:
                return policy(view)
            except (Exception, SystemExit) as error:
                raise _PolicyError(chair, error) from error

        return ask


class _PolicyError(Exception):
    """A policy failed; ``args``: the chair, and its error."""


def match_seatings(config: MatchConfig) -> list[tuple[int, ...]]:
    """Who sits in each chair, for every seating of a deal: entrant ``i`` in chair ``(i + rotation) % n``."""
    n = len(config.labels)
    turned = [tuple((chair - r) % n for chair in range(n)) for r in range(n if config.duplicate else 1)]
    if config.permutations:
        turned += [s for s in all_orders(range(n)) if s not in turned]
    return turned


@dataclass(frozen=True)
class SeatingTask(PlayTask):
    """All it takes to play one seating of a match, or a block of its hands."""

    config: MatchConfig
    rotation: int = 0
    match: int = 0
    start: int = 0
    stop: int | None = None
    table: int = 0
    checkpoint: SavePoint | None = None
    #: Whether it is written down how far it is while it is played.
    checkpoints: bool = True

    @property
    def size(self) -> int:
        """How many hands it takes."""
        return (self.config.hands if self.stop is None else self.stop) - self.start

    @property
    def name(self) -> str:
        """The name of the work in messages."""
        labels = " v ".join(self.config.labels)
        return f"match {self.match} of {labels}, seating {self.rotation + 1}, from hand {self.start + 1}"


#: Where a task and its seating belong.
_PLACE = ("rotation", "match", "start", "table")


@dataclass(frozen=True)
class Seating:
    """One seating (or a block of it) as it was played.

    ``start`` is the number of hands before it; ``payoffs`` is ``int64[hands, players]``, by entrant, in 1/``split``
    chips; ``fault_counts`` by entrant; ``complete``: it was not stopped by us (the rule of faults may have ended it).
    ``luck``: ``float64[hands, players]``, by entrant, what was luck in chips, where it was asked for; ``decisions``: by
    entrant, whether the luck of its own decisions is in it. ``times``: decisions counted by length, by entrant; they
    are no part of the result and are not written to results files. ``notes``: of the agents that count their
    fall-backs.
    """

    rotation: int
    payoffs: npt.NDArray[np.int64]
    faults: tuple[Fault, ...]
    fault_counts: tuple[int, ...]
    complete: bool = True
    match: int = 0
    start: int = 0
    table: int = 0
    agents: tuple[str, ...] = ()
    luck: npt.NDArray[np.float64] | None = None
    decisions: tuple[bool, ...] = ()
    times: tuple[dict[int, int], ...] = field(default=(), compare=False)
    notes: tuple[AgentNotes, ...] = ()

    def to_builtins(self) -> dict[str, object]:
        """The work as plain JSON values."""
        return {
            **{key: getattr(self, key) for key in ("table", "agents", "match", "rotation", "start")},
            "payoffs": self.payoffs.tolist(),
            "faults": msgspec.to_builtins(self.faults),
            "fault_counts": self.fault_counts,
            **({"notes": msgspec.to_builtins(self.notes)} if self.notes else {}),
            **({} if self.luck is None else {"luck": self.luck.tolist(), "decisions": self.decisions}),
        }

    @classmethod
    def from_builtins(cls, data: Any) -> Seating:
        """What :meth:`to_builtins` gave."""
        counts = tuple(data["fault_counts"])
        return cls(
            payoffs=np.array(data["payoffs"], np.int64).reshape(-1, len(counts)),
            faults=msgspec.convert(data["faults"], tuple[Fault, ...]),
            fault_counts=counts,
            **{key: data[key] for key in _PLACE},
            agents=tuple(data["agents"]),
            luck=np.array(data["luck"], np.float64).reshape(-1, len(counts)) if "luck" in data else None,
            decisions=tuple(data.get("decisions", ())),
            notes=msgspec.convert(data.get("notes", ()), tuple[AgentNotes, ...]),
        )


class _SeatingState(msgspec.Struct, frozen=True, kw_only=True):
    """A seating of agents that learn between two of its hands, as a checkpoint holds it."""

    played: int
    payoffs: bytes
    luck: bytes
    decisions: tuple[bool, ...]
    players: PlayersState


class _Running:
    """One seating while it is played."""

    def __init__(self, task: SeatingTask) -> None:
        self.task = task
        self.config = config = task.config
        n = len(task.entrants)
        self.sits = _sits(task, n)
        self.size = task.size
        self.played = 0
        self.payoffs = np.zeros((self.size, n), np.int64)
        self.luck = np.zeros((self.size, n)) if config.luck_reduced else None
        self._sit_down()
        if task.checkpoint is not None and self.players.can_save:
            self._resume(task.checkpoint)
        self.saver = Saver(task.checkpoint)

    def _sit_down(self) -> None:
        config = self.config
        entrants = [self.task.entrants[e] for e in self.sits]
        self.players = Players(entrants, source_of(config), self.task.match, config.rules)
        self.players.start(config.game, "reset", config.hands)
        self.hand_luck = HandLuck(entrants, self.players) if config.luck_reduced else None

    def _resume(self, checkpoint: SavePoint) -> None:
        data = checkpoint.read()
        if data is None:
            return
        with file_faults(f"the checkpoint of {self.task.name}"):
            state = msgspec.msgpack.decode(data, type=_SeatingState)
            if not self.players.load(state.players):
                # From the first hand; an agent that could not load has half a state, so all are made anew.
                self._sit_down()
                return
            self.played = state.played
            n = len(self.sits)
            self.payoffs[: self.played] = np.frombuffer(state.payoffs, np.int64).reshape(-1, n)
            if self.luck is not None and self.hand_luck is not None:
                self.luck[: self.played] = np.frombuffer(state.luck, np.float64).reshape(-1, n)
                self.hand_luck.only(state.decisions)

    def state(self, players: PlayersState) -> _SeatingState:
        """How far it is, with what the players saved."""
        return _SeatingState(
            played=self.played,
            payoffs=self.payoffs[: self.played].tobytes(),
            luck=b"" if self.luck is None else self.luck[: self.played].tobytes(),
            decisions=() if self.hand_luck is None else self.hand_luck.decisions,
            players=players,
        )

    def hand(self, watch: Watcher) -> None:
        """Play the next hand."""
        config, players = self.config, self.players
        n = len(self.sits)
        hand = self.task.start + self.played + 1
        # Chair 0 is in position 0 first, as in ACPC logs; the blinds then move to the next chair.
        chairs = tuple((hand - 1 + position) % n for position in range(n))
        players.hand = hand
        if config.deals:
            state = state_of_deal(config.game, config.deals[hand - 1], seats=chairs, hand=hand)
        else:
            rng = Rng(source_of(config), self.task.match, hand, DECK_STREAM)
            state = HandState.deal(config.game, rng, seats=chairs, hand=hand)
        watch.on_deal(state, None)
        faults = list(players.fault_counts)
        record = players.play(state, watch)
        if self.luck is not None and self.hand_luck is not None:
            # Before anybody sees the hand: a policy is asked as it was when the hand was played.
            self.luck[self.played, self.sits] = self.hand_luck.of(record, faults)
        players.observe(record)
        for chair, won in zip(chairs, record.payoffs, strict=True):
            self.payoffs[self.played, self.sits[chair]] = won
        self.played += 1
        watch.on_hand(record, None)


def play_seating(task: SeatingTask, pulse: Pulse | None = None, watch: Watcher | None = None) -> Seating:
    """Play one seating with fresh agents, seated as :func:`match_seatings` says.

    The button moves a chair a hand. Cards and the chairs' random streams are those of every other seating. When
    ``pulse`` says to stop, the hands played so far are the result. Where the task has a checkpoint it goes on from
    there.
    """
    running, complete = _Running(task), True
    while running.played < running.size and not running.players.ended:
        if pulse is not None and not pulse.step():
            if running.played:
                running.saver.save(running.players, running.state)
            complete = False
            break
        running.hand(watch or NOBODY)
        running.saver.save(running.players, running.state, due=True)
    running.players.close()
    return _seating_of(task, running.state(running.players.standing()), complete)


def seating_so_far(task: SeatingTask, data: bytes) -> Seating:
    """The seating that a checkpoint of its task holds, as far as its hands were played."""
    return _seating_of(task, msgspec.msgpack.decode(data, type=_SeatingState), False)


def _seating_of(task: SeatingTask, state: _SeatingState, complete: bool) -> Seating:
    """A seating as it stands, by entrant."""
    config, n = task.config, len(state.players.fault_counts)
    sits = _sits(task, n)
    chairs = [sits.index(e) for e in range(n)]
    players = state.players
    return Seating(
        payoffs=np.frombuffer(state.payoffs, np.int64).reshape(-1, n),
        faults=players.faults,
        fault_counts=tuple(players.fault_counts[c] for c in chairs),
        complete=complete,
        **{key: getattr(task, key) for key in _PLACE},
        agents=tuple(config.labels),
        luck=np.frombuffer(state.luck, np.float64).reshape(-1, n) if config.luck_reduced else None,
        decisions=tuple(config.luck_reduced and state.decisions[c] for c in chairs),
        times=tuple(players.times[c] for c in chairs) if players.times else (),
        notes=players.notes,
    )


def _sits(task: SeatingTask, players: int) -> tuple[int, ...]:
    """Which entrant sits in each chair."""
    return match_seatings(task.config)[task.rotation] if task.config.labels else tuple(range(players))
