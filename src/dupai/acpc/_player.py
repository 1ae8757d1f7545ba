"""One of our agents on a thread of its own, so that neither its thinking nor its hanging stops the protocol."""

from __future__ import annotations

import asyncio
import queue
import re
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing, suppress
from typing import TypeVar

from dupai.agents import Agent, MatchInfo, Seat
from dupai.base import AgentError, Rng
from dupai.rules import FOLD, Action, GameSpec, HandRecord, HandState

T = TypeVar("T")
_Job = Callable[[], None]
_LENIENT = re.compile(r"(?:([fFcCkK])|([rRbB])\s*([+-]?[0-9]*))")


class PlayerThread:
    """Runs the calls of one seat one after the other on a daemon thread: an agent that hangs does not keep the process
    alive, and what it is asked meanwhile waits behind it."""

    def __init__(self, agent: Agent, seed: int | bytes, seat: int) -> None:
        self.seat = Seat(lambda: agent, f"seat {seat + 1}", seed=seed, by_decision=True)
        self._broken: str | None = None
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        threading.Thread(target=self._work, name=f"agent of seat {seat}", daemon=True).start()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()

    def call(self, work: Callable[[], T]) -> Future[T]:
        """Do ``work`` when its turn comes."""
        future: Future[T] = Future()

        def job() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = work()
            except SystemExit as error:
                # In an event loop it would end more than this agent.
                future.set_exception(AgentError(f"it called sys.exit({error})"))
            except BaseException as error:  # noqa: BLE001 - handed to whoever asked
                future.set_exception(error)
            else:
                future.set_result(result)

        self._jobs.put(job)
        return future

    def start(self, match: MatchInfo) -> Future[None]:
        """The match begins. A start that fails is the reason why every decision after it fails."""

        def work() -> None:
            try:
                self.seat.start(match)
            except Exception as error:
                self._broken = f"could not start: {type(error).__name__}: {error}"
                raise

        return self.call(work)

    def act(self, state: HandState) -> Future[Action]:
        """The agent's checked action where it is to act in ``state``, which stays as it is."""

        def work() -> Action:
            if self._broken is not None:
                raise AgentError(self._broken)
            return self.seat.act(state)

        return self.call(work)

    def begin(self, state: HandState) -> None:
        """A hand in which this seat was dealt cards begins."""
        hand = state.copy() if self.seat.can.begins else state
        self.call(lambda: self.seat.begin(hand))

    def observe(self, record: HandRecord) -> None:
        """A hand is over."""
        self.call(lambda: self.seat.observe(record))

    def close(self) -> Future[None]:
        """The match is over; the thread ends when the agent has closed."""
        future = self.call(self.seat.close)
        self._jobs.put(None)
        return future


async def within(future: Future[T], seconds: float | None) -> T:
    """The result of ``future``.

    Raises:
        TimeoutError: it takes longer than ``seconds``.
    """
    return await asyncio.wait_for(asyncio.wrap_future(future), seconds)


async def closed(player: PlayerThread, seconds: float, name: str, note: Callable[[str], None]) -> None:
    """Close a player within ``seconds``; its fall-backs are notes, and so is a failure of ``name``."""
    for line in player.seat.notes.lines():
        note(line)
    try:
        await within(player.close(), seconds)
    except Exception as error:  # noqa: BLE001 - whatever an agent does at its end, the match is over
        note(f"WARNING: {name} did not close: {type(error).__name__}: {error}")


def safe_action(state: HandState) -> Action:
    """The action for a player who does not answer: a check where that is free, otherwise a fold."""
    return Action.fold() if state.legal.fold else Action.call()


def corrected(state: HandState, text: str) -> Action:
    """The reference dealer's reading of an answer that is not legal: a size moves to the nearest legal total, anything
    else is a call; ``k``, ``b``, upper case and text after a complete action are read as it reads them."""
    match = _LENIENT.match(text)
    legal = state.legal
    simple, verb, size = match.groups("") if match is not None else ("c", "", "")
    if simple in ("f", "F") and legal.fold:
        return Action(FOLD)
    limit = state.spec.betting == "limit"
    if not verb or not legal.can_raise or not (limit or size.strip("+-")):
        return Action.call()
    if limit:
        return Action.raise_to(legal.min_to)
    return legal.closest_raise(max(min(int(size[:16]), 2**31), -(2**31)))


def warm_up(agent: Agent, spec: GameSpec) -> None:
    """Let an agent that will not play the match decide on every street, facing no bet and facing one, so that its
    kernels are compiled before the clock runs.

    Errors here are left to the match to report.
    """
    names = tuple(f"seat {i}" for i in range(spec.players))
    with suppress(Exception, SystemExit), closing(Seat(lambda: agent)) as seat:
        seat.start(MatchInfo(spec=spec, seat=0, names=names))
        for hand in range(2):
            _warm_hand(seat, spec, names, hand)


def _warm_hand(seat: Seat, spec: GameSpec, names: tuple[str, ...], hand: int) -> None:
    """A hand to the river: the agent is asked whenever it is seat 0's turn, and everybody calls; in the second hand
    the first opponent to act on a street raises."""
    seats = tuple((p + hand) % spec.players for p in range(spec.players))
    state = HandState.deal(spec, Rng(0, hand), seats=seats, hand=hand)
    position, raised = seats.index(0), -1
    seat.begin(state)
    while not state.finished:
        action = Action.call()
        if state.actor == position:
            seat.ask(state.view(position), Rng(1, hand))
        elif hand and raised < state.street:
            raised, action = state.street, state.legal.closest_raise(0)
        state.apply(action)
    seat.show(state.record(names))


def warm_up_rules(spec: GameSpec) -> None:
    """Play a hand of calls, so that the kernels of the rules are compiled before anybody's clock runs."""
    state = HandState(spec, [(2 * p, 2 * p + 1) for p in range(spec.players)], (47, 48, 49, 50, 51))
    while not state.finished:
        state.copy().view(state.actor)
        state.apply(Action.call())
    state.record().at()
