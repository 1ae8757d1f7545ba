"""Cash sessions: chips carry over (or are reset), and play may stop after any hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from dupai.arena._chips import ChipTable, shared_ranks
from dupai.arena._entrants import AgentSource, Entrant, entrants_of
from dupai.arena._folder import SavedMatch
from dupai.arena._format import MatchTask
from dupai.arena._hand import NOBODY, Players, PlayersState, TableRules, Watcher
from dupai.arena._results import PlayerMatch
from dupai.arena._settings import MAX_SEED, check_count, check_stakes
from dupai.rules import GameSpec, HandRecord


class SessionState(msgspec.Struct, frozen=True, kw_only=True):
    """A session between two hands: chips by chair, and the players."""

    hands: int
    stacks: tuple[int, ...]
    bought: tuple[int, ...]
    button: int
    won: tuple[int, ...]
    squares: tuple[int, ...]
    players: PlayersState


class Session:
    """A table that plays hand by hand until it is stopped.

    Args:
        agents: 2 to 10 specs or factories; they sit in this order, the first in chair 0 has the first button.
        blinds, stack: stakes and buy-in.
        reset: all players start every hand with ``stack`` (else chips carry over, and a player without chips buys in
            again).
        seed: cards and agents' random numbers.
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
        self._entrants = tuple(ready) if ready else entrants_of([a for a in agents if not isinstance(a, Entrant)])
        n = len(self._entrants)
        self.spec = GameSpec.no_limit(n, self.blinds, stack)
        self.seed, self.match = seed, match
        self.stack, self.reset, self.top_up = stack, reset, top_up
        self.table = ChipTable(n, stack, None)
        self.records: list[HandRecord] = []
        #: Chips won so far by chair.
        self.won = [0] * n
        self._squares = [0] * n
        self.keep = keep
        #: Hands played so far.
        self.hands = 0
        self._players = Players(self._entrants, seed, match, rules)
        self._players.start(self.spec, "reset" if reset else "cash", hands)

    @classmethod
    def of(cls, task: MatchTask, entrants: Sequence[Entrant], **options: Any) -> Session:
        """The session of a task, between entrants by chair; its hands are not kept."""
        stakes = {key: getattr(task.config, key) for key in ("blinds", "stack", "seed", "rules", "hands")}
        return cls(entrants, match=task.match, keep=False, **stakes, **options)

    @property
    def names(self) -> tuple[str, ...]:
        """Labels by chair."""
        return self._players.names

    @property
    def players(self) -> Players:
        """Who plays, with their faults."""
        return self._players

    def state(self, players: PlayersState) -> SessionState:
        """What it takes to go on after this hand, with what the players saved."""
        return SessionState(
            hands=self.hands,
            stacks=tuple(self.table.stacks),
            bought=tuple(self.table.bought),
            button=self.table.button,
            won=tuple(self.won),
            squares=tuple(self._squares),
            players=players,
        )

    def resume(self, state: SessionState) -> bool:
        """Go on from there; False: an agent cannot, and the session is of no use."""
        if not self._players.load(state.players):
            return False
        table = self.table
        self.hands = table.hand = state.hands
        table.stacks, table.bought, table.button = list(state.stacks), list(state.bought), state.button
        self.won, self._squares = list(state.won), list(state.squares)
        return True

    def play_hand(self, watch: Watcher = NOBODY) -> HandRecord:
        """Deal and play the next hand."""
        table, players = self.table, self._players
        if self.reset:
            table.reset()
        for chair, chips in enumerate(table.stacks):
            if chips < self.top_up:
                table.stacks[chair] = self.stack
                table.bought[chair] += 1
        chairs = table.next_hand()
        record = players.play_hand(self.spec, table, chairs, watch)
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
        self._players.close()
        ranks = shared_ranks([(0, 0, won) for won in self.won])
        return SavedMatch.of(
            self,
            self._entrants,
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
                    faults=self._players.fault_counts[c],
                )
                for c in range(len(self.names))
            ),
            faults=tuple(self._players.faults),
        )
