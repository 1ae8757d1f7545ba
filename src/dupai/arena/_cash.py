"""Cash sessions, which may stop after any hand, and series of them: chips carry over (or are reset), players may top
up, and each session is one observation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np

from dupai.agents import MatchInfo
from dupai.arena._chips import ChipTable, shared_ranks
from dupai.arena._entrants import AgentSource, Entrant, entrants_of, names_of
from dupai.arena._folder import SavedMatch
from dupai.arena._format import Format, MatchTask, play_format
from dupai.arena._hand import NOBODY, PlayedUnit, Players, PlayersState, Saver, TableRules, Watcher
from dupai.arena._keys import key_for
from dupai.arena._match import evened
from dupai.arena._results import NOTHING, PlayerMatch, PlayResult, common_facts
from dupai.arena._settings import MAX_SEED, PlaySettings, blinds_of, check_count, check_stakes, takes_settings
from dupai.base import ConfigError, Option, source_of
from dupai.base.files import file_faults
from dupai.base.text import whole_number
from dupai.jobs import Pulse, SavePoint
from dupai.rules import GameSpec, HandRecord
from dupai.stats import MIN_SESSIONS, Measure, mean_intervals


class SessionState(msgspec.Struct, frozen=True, kw_only=True):
    """A session between two hands: chips by chair, and the players."""

    hands: int
    stacks: tuple[int, ...]
    bought: tuple[int, ...]
    button: int
    won: tuple[int, ...]
    # Text: they may pass the 64 bits that a checkpoint's numbers have.
    squares: tuple[int | str, ...]
    players: PlayersState


class Session:
    """A table that plays hand by hand until it is stopped.

    Args:
        agents: 2 to 10 specs or factories; they sit in this order, the first in chair 0 has the first button.
        blinds, stack: stakes and buy-in.
        reset: all players start every hand with ``stack`` (else chips carry over, and a player without chips buys in
            again).
        seed: cards and agents' random numbers.
        key: takes the place of the seed; drawn where an agent of another package plays.
        top_up: a player with fewer chips before a deal buys up to ``stack`` (0: only a player without chips).
        match: number of this session among others of the same seed.
        rules: what becomes of an agent that breaks the rules; clocks.
        hands: how many there will be at most, for the agents; None: not known.
        keep: keep the records of all hands (``records``).

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense.
    """

    def __init__(
        self,
        agents: Sequence[AgentSource] | Sequence[Entrant],
        *,
        blinds: Sequence[int] = (50, 100),
        stack: int = 10_000,
        reset: bool = False,
        seed: int = 1,
        key: str = "",
        top_up: int = 0,
        match: int = 0,
        rules: TableRules | None = None,
        hands: int | None = None,
        keep: bool = True,
    ) -> None:
        check_count("top_up", top_up, 0, stack)
        check_count("seed", seed, 0, MAX_SEED)
        self.blinds = check_stakes(blinds, stack)
        ready = [a for a in agents if isinstance(a, Entrant)]
        #: Who takes part, by chair.
        self.entrants = tuple(ready) if ready else entrants_of([a for a in agents if not isinstance(a, Entrant)])
        n = len(self.entrants)
        self.spec = GameSpec.no_limit(n, self.blinds, stack)
        self.seed, self.key, self.match = seed, key_for(self.entrants, key), match
        self.stack, self.reset, self.top_up = stack, reset, top_up
        self.table = ChipTable(n, stack, None)
        self.records: list[HandRecord] = []
        #: Chips won so far by chair.
        self.won = [0] * n
        self._squares = [0] * n
        self.keep = keep
        #: Hands played so far.
        self.hands = 0
        #: Who plays, with their faults.
        self.players = Players(self.entrants, source_of(self), match, rules)
        self.players.start(self.spec, "reset" if reset else "cash", hands)
        #: Labels by chair.
        self.names = self.players.names

    @classmethod
    def of(cls, task: MatchTask, entrants: Sequence[Entrant], **options: Any) -> Session:
        """The session of a task, between entrants by chair; its hands are not kept."""
        stakes = {key: getattr(task.config, key) for key in ("blinds", "stack", "seed", "key", "rules", "hands")}
        return cls(entrants, match=task.match, keep=False, **stakes, **options)

    def info(self, chair: int) -> MatchInfo:
        """What the player in a chair knows of the match."""
        return msgspec.structs.replace(self.players.info, seat=chair)

    def state(self, players: PlayersState) -> SessionState:
        """What it takes to go on after this hand, with what the players saved."""
        return SessionState(
            hands=self.hands,
            stacks=tuple(self.table.stacks),
            bought=tuple(self.table.bought),
            button=self.table.button,
            won=tuple(self.won),
            squares=tuple(map(str, self._squares)),
            players=players,
        )

    def resume(self, state: SessionState) -> bool:
        """Go on from there; False: an agent cannot, and the session is of no use."""
        if not self.players.load(state.players):
            return False
        table = self.table
        self.hands = table.hand = state.hands
        table.stacks, table.bought, table.button = list(state.stacks), list(state.bought), state.button
        self.won, self._squares = list(state.won), list(map(int, state.squares))
        return True

    def play_hand(self, watch: Watcher = NOBODY) -> HandRecord:
        """Deal and play the next hand.

        A hand that does not come to its end (a person at the table takes an action back, or leaves) did not happen: the
        next call deals it again.
        """
        table, players = self.table, self.players
        before = list(table.stacks), list(table.bought), table.button, table.hand
        if self.reset:
            table.reset()
        for chair, chips in enumerate(table.stacks):
            if chips < self.top_up:
                table.stacks[chair] = self.stack
                table.bought[chair] += 1
        chairs = table.next_hand()
        rewind = players.mark()
        try:
            record = players.play_hand(self.spec, table, chairs, watch)
        except BaseException:
            rewind()
            table.stacks, table.bought, table.button, table.hand = before
            raise
        bought, _ = table.settle(chairs, record.payoffs)
        for chair, won in zip(chairs, record.payoffs, strict=True):
            self.won[chair] += won
            self._squares[chair] += won**2
        self.hands += 1
        if self.keep:
            self.records.append(record)
        watch.on_hand(record, table)
        for chair in () if self.reset else bought:
            watch.on_rebuy(chair, table)
        return record

    def close(self) -> SavedMatch:
        """End the session and give its result: ``chips`` are those in front, ranks go by chips won."""
        self.players.close()
        ranks = shared_ranks([(0, 0, won) for won in self.won])
        return SavedMatch.of(
            self,
            self.entrants,
            self.match,
            format="reset" if self.reset else "cash",
            rebuys=None,
            hands_limit=None,
            hands=self.hands,
            pairing="one table, fixed seats",
            players=tuple(
                PlayerMatch(
                    agent=self.names[c],
                    chair=c,
                    rank=ranks[c],
                    hands=self.hands,
                    chips=self.stack + self.won[c] if self.reset else self.table.stacks[c],
                    rebuys=0 if self.reset else self.table.bought[c],
                    volatility_squared=self._squares[c],
                    faults=self.players.fault_counts[c],
                )
                for c in range(len(self.names))
            ),
            faults=tuple(self.players.faults),
            notes=self.players.notes,
        )


PAIRING = "all at one table, everybody a chair further each session"


def _top_up(text: str, folder: Path) -> str | int:
    word = text.strip()
    chips = word if word in ("broke", "full") else whole_number(word)
    if chips is None:
        raise ConfigError(f"--top-up {text!r}: expected broke, full, or a number of chips", key="top_up", text=text)
    return chips


class CashSettings(PlaySettings, frozen=True, kw_only=True):
    """Cash sessions, no-limit: chips carry over from hand to hand, who is broke buys in again, others may top up.

    Every session has fresh agents, full stacks and other cards, and everybody sits a chair further. Stacks make the
    hands of a session depend on each other, so intervals count sessions, and take 50 of them. A run is taken up
    again in the middle of a session too.

    Examples:

      dupai cash rules style:LA style:TP --sessions 50 --hands 200

      dupai cash rules style:TA --top-up full --blinds 1/2 --stack 200 --jobs 2

      dupai cash rules style:LA --top-up 4000 --results cash.db --resume --json

    Attributes:
        hands: hands of a session.
        sessions: how many, each with fresh agents, full stacks and other cards; everybody sits a chair further.
        blinds: small and big.
        stack: the buy-in.
        top_up: a player with fewer chips before a deal buys up to ``stack``; 0 or ``"broke"``: only a player without
            chips; ``"full"``: everybody below ``stack``.
    """

    hands: Annotated[int, Option("Hands of a session.", short="-n", low=1)] = 500
    sessions: Annotated[int, Option("How many sessions: what intervals count.", short="-m", low=1)] = 50
    blinds: Annotated[tuple[int, int], Option("Small and big blind.", read=blinds_of, text="50/100")] = (50, 100)
    stack: Annotated[int, Option("Buy-in, in chips.")] = 10_000
    top_up: Annotated[
        int | Literal["broke", "full"],
        Option(
            "Before a deal: broke (only who has nothing buys in), full (everybody below the buy-in fills up), or chips "
            "(who has fewer fills up).",
            read=_top_up,
            text="broke",
        ),
    ] = 0


class CashConfig(CashSettings, frozen=True, kw_only=True):
    """The settings once they are checked: ``top_up`` is a number of chips."""

    top_up: int = 0


class CashSession(PlayedUnit, frozen=True, kw_only=True):
    """One session: hands played, and by agent in the order entered: chips ``won``, ``bought`` (how often they bought in
    again or topped up), ``stacks`` in front at the end; ``complete``: it was played to its end."""

    session: int
    hands: int
    won: tuple[int, ...]
    bought: tuple[int, ...]
    stacks: tuple[int, ...]
    fault_counts: tuple[int, ...]


class CashPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """One player over all sessions: chips won, the same in mbb/hand (``n`` counts sessions), how often it bought in
    again or topped up in a session, and its faults."""

    agent: str
    chips: int
    mbb: Measure
    bought: float
    faults: int = 0


class CashResult(PlayResult, frozen=True, kw_only=True):
    """A series of cash sessions; ``hands`` in all of them, ``sessions`` each one, ``partial``: it was stopped (the
    interval then counts the sessions played to their end, or the begun one where there is no other)."""

    config: CashConfig
    pairing: str
    unit: str
    players: tuple[CashPlayer, ...]
    sessions: tuple[CashSession, ...]

    def headline(self) -> str:
        won = ", ".join(f"{p.agent} {p.mbb.text(1)}" for p in self.players[:3]) + ", ..." * (len(self.players) > 3)
        return f"{won} mbb/hand (± 95 %); {len(self.sessions):,} sessions, {PlayResult.headline(self)}"

    def as_table(self) -> tuple[tuple[str, ...], Sequence[tuple[str, ...]]]:
        rows = [
            (p.agent, f"{p.mbb.mean:+,.1f}", p.mbb.interval_text(), f"{p.chips:+,}", f"{p.bought:.2f}")
            for p in self.players
        ]
        return ("agent", "won, mbb/hand", "95 % interval", "chips", "bought in"), rows


@dataclass(frozen=True)
class CashTask(MatchTask):
    """One session, number ``match``: the unit of work."""

    config: CashConfig
    checkpoint: SavePoint | None = None
    checkpoints: bool = True


def _sits(task: CashTask) -> list[int]:
    """Which entrant sits in each chair."""
    n = len(task.entrants)
    return [(chair - task.match) % n for chair in range(n)]


def _seated(task: CashTask) -> Session:
    return Session.of(task, [task.entrants[e] for e in _sits(task)], top_up=task.config.top_up)


def play_cash_session(task: CashTask, pulse: Pulse | None = None) -> CashSession:
    """Play one session; where the task has a checkpoint it goes on from there."""
    session = _seated(task)
    data = task.checkpoint.read() if task.checkpoint is not None and session.players.can_save else None
    if data is not None:
        with file_faults(f"the checkpoint of {task.name}"):
            if not session.resume(msgspec.msgpack.decode(data, type=SessionState)):
                session = _seated(task)
    saver = Saver(task.checkpoint)
    while session.hands < task.config.hands and not session.players.ended:
        if pulse is not None and not pulse.step():
            saver.save(session.players, session.state)
            break
        session.play_hand()
        saver.save(session.players, session.state, due=True)
    session.players.close()
    return _session_of(task, session.state(session.players.standing()))


def _session_of(task: CashTask, state: SessionState) -> CashSession:
    """A session as it stands, by entrant."""
    sits = _sits(task)
    chairs = [sits.index(e) for e in range(len(sits))]
    by_chair = {key: getattr(state, key) for key in ("won", "bought", "stacks")}
    by_chair["fault_counts"] = state.players.fault_counts
    return CashSession(
        session=task.match,
        hands=state.hands,
        faults=state.players.faults,
        notes=state.players.notes,
        complete=state.hands == task.config.hands or state.players.ended,
        **{key: tuple(values[c] for c in chairs) for key, values in by_chair.items()},
    )


def cash_result(config: CashConfig, sessions: Sequence[CashSession], entrants: Sequence[Entrant] = ()) -> CashResult:
    """The result of sessions, however many of them."""
    counted = [s for s in sessions if s.complete] or [s for s in sessions if s.hands]
    scale = 1000 / config.blinds[1]
    won = np.array([s.won for s in counted if s.hands]).reshape(-1, len(config.labels))
    hands = np.array([s.hands for s in counted if s.hands])
    # A fault may have ended a session early: every hand counts as much.
    means = evened(won / hands[:, None] * scale, hands) if len(hands) else won * scale
    mbb = mean_intervals([means], least=MIN_SESSIONS)
    players = [
        CashPlayer(
            agent=label,
            chips=sum(s.won[k] for s in counted),
            mbb=mbb[k] if mbb else NOTHING,
            bought=sum(s.bought[k] for s in counted) / max(len(counted), 1),
            faults=sum(s.fault_counts[k] for s in sessions),
        )
        for k, label in enumerate(config.labels)
    ]
    return CashResult(
        **common_facts(config, entrants, sessions),
        pairing=PAIRING,
        unit="session",
        hands=sum(s.hands for s in counted),
        players=tuple(players),
        sessions=tuple(sessions),
        partial=sum(s.complete for s in sessions) < config.sessions,
    )


def _plan(agents: Sequence[AgentSource], settings: CashSettings) -> tuple[tuple[Entrant, ...], CashConfig]:
    stakes = check_stakes(settings.blinds, settings.stack)
    words = {"broke": 0, "full": settings.stack}
    top_up = words[settings.top_up] if isinstance(settings.top_up, str) else settings.top_up
    check_count("top_up", top_up, 0, settings.stack)
    entrants = entrants_of(agents)
    made = {**names_of(entrants, settings.key), "blinds": stakes, "top_up": top_up}
    return entrants, CashConfig(**msgspec.structs.asdict(settings) | made)


def _tasks(entrants: Sequence[Entrant], config: CashConfig) -> list[CashTask]:
    return [CashTask(tuple(entrants), config, number) for number in range(config.sessions)]


@takes_settings(CashSettings)
def run_cash(agents: Sequence[AgentSource], settings: CashSettings | None = None, **options: Any) -> CashResult:
    """Play cash sessions: chips carry over from hand to hand, who is broke buys in again at once.

    Args:
        agents: 2 to 10 specs, or factories that make a new agent each time they are called.
        settings, options: as for :func:`~dupai.arena.play_match`, of :class:`CashSettings`. With a
            store a session that is interrupted goes on from its last checkpoint, where all agents are ``stateless`` or
            have ``save()``.

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense.
    """
    return play_format(CASH, agents, settings, **options)


def _lines(config: Mapping[str, Any], units: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    yield ("session", "agent", "hands", "chips", "bought", "stack", "faults")
    for unit in units:
        for k, agent in enumerate(config["labels"]):
            won, bought, stack, faults = (unit[key][k] for key in ("won", "bought", "stacks", "fault_counts"))
            yield unit["session"] + 1, agent, unit["hands"], won, bought, stack, faults


CASH = Format(
    "cash", CashSettings, CashConfig, CashResult, CashSession,
    work=play_cash_session, plan=_plan, tasks=_tasks, summary=cash_result, lines=_lines,
    hands=lambda config: config.hands * config.sessions,
    begun=lambda task, data: _session_of(task, msgspec.msgpack.decode(data, type=SessionState)),
)  # fmt: skip
