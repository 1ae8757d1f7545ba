"""Series of cash sessions: chips carry over, who is short tops up, and each session is one observation."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from dupai.arena._entrants import AgentSource, Entrant, entrants_of
from dupai.arena._hand import Fault, TableRules
from dupai.arena._results import Measure, versions
from dupai.arena._session import Session, SessionState
from dupai.arena._store import Store, run_logged
from dupai.arena._tournament import MAX_SEED, check_count, check_stakes
from dupai.base import NoProgress, Progress
from dupai.jobs import Backend, LocalBackend, Pulse, SavePoint

PAIRING = "all at one table, everybody a chair further each session"


class CashConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A series of cash sessions.

    Attributes:
        agents, labels: specs, and their names.
        hands: hands of a session.
        sessions: how many, each with fresh agents, full stacks and other cards; everybody sits a chair further.
        blinds: small and big.
        stack: the buy-in.
        top_up: who has fewer chips before a deal buys up to ``stack``; 0: only who is broke buys in again.
        seed: random numbers come from ``Rng(seed, session, hand, stream)``.
        rules: what happens to an agent that breaks the rules, and its clocks.
    """

    agents: tuple[str, ...]
    labels: tuple[str, ...]
    hands: int = 500
    sessions: int = 20
    blinds: tuple[int, int] = (50, 100)
    stack: int = 10_000
    top_up: int = 0
    seed: int = 0
    rules: TableRules = TableRules()


class CashSession(msgspec.Struct, frozen=True, kw_only=True):
    """One session: hands played, and by agent in the order entered: chips ``won``, ``bought`` (how often they bought in
    again or topped up), ``stacks`` in front at the end; ``complete``: it was played to its end."""

    session: int
    hands: int
    won: tuple[int, ...]
    bought: tuple[int, ...]
    stacks: tuple[int, ...]
    fault_counts: tuple[int, ...]
    faults: tuple[Fault, ...] = ()
    complete: bool = True


class CashPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """One player over all sessions: chips won, the same in mbb/hand (``n`` counts sessions), how often it bought in
    again or topped up in a session, and its faults."""

    agent: str
    chips: int
    mbb: Measure
    bought: float
    faults: int = 0


class CashResult(msgspec.Struct, frozen=True, kw_only=True):
    """A series of cash sessions; ``hands`` in all of them, ``sessions`` each one, ``partial``: it was stopped (the
    interval then counts the sessions played to their end, or the begun one where there is no other)."""

    config: CashConfig
    seed: int
    versions: dict[str, str]
    pairing: str
    unit: str
    hands: int
    players: tuple[CashPlayer, ...]
    sessions: tuple[CashSession, ...]
    partial: bool = False
    faults: tuple[Fault, ...] = ()
    reproducible: bool = True


@dataclass(frozen=True)
class CashTask:
    """All it takes to play one session: the unit of work."""

    entrants: tuple[Entrant, ...]
    config: CashConfig
    session: int
    checkpoint: SavePoint | None = None
    checkpoints: bool = True

    @property
    def size(self) -> int:
        """How many hands it takes."""
        return self.config.hands

    @property
    def name(self) -> str:
        """For messages."""
        return f"cash session {self.session} of {' v '.join(self.config.labels)}"


def _sits(task: CashTask) -> list[int]:
    """Which entrant sits in each chair."""
    n = len(task.entrants)
    return [(chair - task.session) % n for chair in range(n)]


def _seated(task: CashTask) -> Session:
    config = task.config
    return Session(
        [task.entrants[e] for e in _sits(task)],
        blinds=config.blinds,
        stack=config.stack,
        seed=config.seed,
        top_up=config.top_up,
        match=task.session,
        rules=config.rules,
        hands=config.hands,
        keep=False,
    )


def play_cash_session(task: CashTask, pulse: Pulse | None = None) -> CashSession:
    """Play one session; where the task has a checkpoint it goes on from there."""
    session = _seated(task)
    where = task.checkpoint if session.players.can_save else None
    data = where.read() if where is not None else None
    if data is not None and not session.resume(msgspec.msgpack.decode(data, type=SessionState)):
        session = _seated(task)
    due = time.perf_counter() + (where.seconds if where is not None else math.inf)
    complete = True
    while session.hands < task.config.hands and not session.players.ended:
        if pulse is not None and not pulse.step():
            complete = False
            break
        session.play_hand()
        if where is not None and time.perf_counter() >= due:
            took = _write(where, session)
            # Saving takes a twentieth of the time at most.
            due = time.perf_counter() + max(where.seconds, 20 * took)
    if not complete and where is not None:
        _write(where, session)
    session.players.close()
    return session_so_far(task, session)


def _write(where: SavePoint, session: Session) -> float:
    start = time.perf_counter()
    players = session.players.save()
    if players is None:
        return math.inf
    where.write(msgspec.msgpack.encode(session.state(players)))
    return time.perf_counter() - start


def session_so_far(task: CashTask, played: Session | bytes) -> CashSession:
    """How a session stands, by entrant: one that is played, or its checkpoint."""
    if isinstance(played, bytes):
        state = msgspec.msgpack.decode(played, type=SessionState)
        hands, won, bought, stacks = state.hands, state.won, state.bought, state.stacks
        counts, faults = state.players.fault_counts, state.players.faults
        ended = state.players.ended
    else:
        hands, won, bought = played.hands, tuple(played.won), tuple(played.table.bought)
        stacks = tuple(played.table.stacks)
        counts, faults = tuple(played.players.fault_counts), tuple(played.players.faults)
        ended = played.players.ended
    sits = _sits(task)
    chair = [sits.index(e) for e in range(len(sits))]
    return CashSession(
        session=task.session,
        hands=hands,
        won=tuple(won[c] for c in chair),
        bought=tuple(bought[c] for c in chair),
        stacks=tuple(stacks[c] for c in chair),
        fault_counts=tuple(counts[c] for c in chair),
        faults=tuple(faults),
        complete=hands == task.config.hands or ended,
    )


def cash_result(config: CashConfig, sessions: Sequence[CashSession], reproducible: bool = True) -> CashResult:
    """What sessions, however many of them, come to."""
    counted = [s for s in sessions if s.complete] or [s for s in sessions if s.hands]
    scale = 1000 / config.blinds[1]
    players = []
    for k, label in enumerate(config.labels):
        values = [s.won[k] / s.hands * scale for s in counted if s.hands]
        players.append(
            CashPlayer(
                agent=label,
                chips=sum(s.won[k] for s in counted),
                mbb=Measure.of(values) if values else Measure(mean=0.0, se=None, low=None, high=None, n=0),
                bought=sum(s.bought[k] for s in counted) / max(len(counted), 1),
                faults=sum(s.fault_counts[k] for s in sessions),
            )
        )
    return CashResult(
        config=config,
        seed=config.seed,
        versions=versions(),
        pairing=PAIRING,
        unit="session",
        hands=sum(s.hands for s in counted),
        players=tuple(players),
        sessions=tuple(sessions),
        partial=sum(s.complete for s in sessions) < config.sessions,
        faults=tuple(f for s in sessions for f in s.faults),
        reproducible=reproducible and not config.rules.clocked,
    )


def run_cash(
    agents: Sequence[AgentSource],
    *,
    hands: int = 500,
    sessions: int = 20,
    blinds: Sequence[int] = (50, 100),
    stack: int = 10_000,
    top_up: int = 0,
    seed: int = 0,
    rules: TableRules | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    backend: Backend | None = None,
    store: Store | None = None,
) -> CashResult:
    """Play cash sessions: chips carry over from hand to hand, who is broke buys in again at once.

    Args:
        agents: 2 to 10 specs, or factories that make a new agent each time they are called.
        hands, sessions, blinds, stack, top_up: see :class:`CashConfig`.
        seed, rules, jobs, progress, backend, store: as for :func:`run_tournament`. With a store a session that is
            interrupted goes on from its last checkpoint, where all agents are ``stateless`` or have ``save()``.

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense.
    """
    check_count("hands", hands, 1)
    check_count("sessions", sessions, 1)
    check_count("seed", seed, 0, MAX_SEED)
    stakes = check_stakes(blinds, stack)
    check_count("top_up", top_up, 0, stack)
    entrants = entrants_of(agents)
    config = CashConfig(
        agents=tuple(e.spec for e in entrants),
        labels=tuple(e.label for e in entrants),
        hands=hands,
        sessions=sessions,
        blinds=stakes,
        stack=stack,
        top_up=top_up,
        seed=seed,
        rules=rules or TableRules(),
    )
    tasks = [CashTask(entrants, config, number) for number in range(sessions)]
    shown = progress or NoProgress()

    def tick(done: float, played: int) -> bool:
        shown.report(played, hands * sessions, f"{played:,} hands")
        return not shown.cancelled

    log = store.log("cash", config, len(tasks)) if store is not None else None
    where = backend or LocalBackend(jobs)
    found = run_logged(where, play_cash_session, tasks, tick, log, CashSession)
    result = cash_result(config, [found[i] for i in sorted(found)], all(e.reproducible for e in entrants))
    if log is not None and not result.partial:
        log.finish(result)
    return result
