"""Tournament matches (papers/fold.md section 6) and series of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
import numpy as np

from dupai.arena._chips import ChipTable, place_shares
from dupai.arena._entrants import AgentSource, Entrant, entrants_of, names_of
from dupai.arena._format import Format, MatchTask, play_format
from dupai.arena._hand import NOBODY, Fault, Players, Watcher
from dupai.arena._results import (
    Level,
    PlayerMatch,
    Standing,
    TournamentConfig,
    TournamentMatch,
    TournamentResult,
    TournamentSettings,
    common_facts,
)
from dupai.arena._settings import check_count, check_stakes, made_settings, takes_settings
from dupai.base import Z95, ConfigError, Rng, source_of
from dupai.jobs import Pulse
from dupai.notation import result_words
from dupai.rules import DRAW_STREAM, Action, GameSpec, HandRecord, HandState, steps_of
from dupai.stats import MIN_DEALS, mean_intervals

T = TypeVar("T", bound=TournamentSettings)

PAIRING = "all at one table, seats drawn anew each match"
#: What a standing gives as means over matches.
_MEASURED = ("rank", "hands", "chips", "volatility", "volatility_squared")


@lru_cache(maxsize=64)
def _game(players: int, blinds: tuple[int, int], stack: int, ante: int = 0) -> GameSpec:
    return GameSpec.no_limit(players, blinds, max(stack, blinds[1]), ante)


def check_schedule(levels: Sequence[Level], payouts: Sequence[float], players: int, stack: int) -> None:
    """Refuse a schedule or prizes that make no sense.

    Raises:
        ConfigError: names the key.
    """
    for k, level in enumerate(levels):
        check_count(f"levels[{k}].hands", level.hands, 1)
        check_count(f"levels[{k}].ante", level.ante, 0)
        small, big = level.blinds
        if not 0 <= small <= big or not big:
            raise ConfigError(f"levels[{k}].blinds = {level.blinds}: expected small and big blind, as [20, 40]")
    if levels:
        check_stakes(levels[0].blinds, stack)
    if len(payouts) > players or any(not 0 <= p < float("inf") for p in payouts):
        raise ConfigError(f"payouts = {list(payouts)}: expected at most {players} numbers, one a place")


#: One match: the unit of work.
TournamentTask = MatchTask


def plan_tournament(agents: Sequence[AgentSource], settings: T) -> tuple[tuple[Entrant, ...], T]:
    """Agents and settings, checked."""
    # Levels take the place of the blinds.
    stakes = settings.blinds if settings.levels else check_stakes(settings.blinds, settings.stack)
    entrants = entrants_of(agents)
    check_schedule(settings.levels, settings.payouts, len(entrants), settings.stack)
    for blinds, ante in [(level.blinds, level.ante) for level in settings.levels] or [(stakes, 0)]:
        _game(len(entrants), blinds, settings.stack, ante)
    return entrants, msgspec.structs.replace(
        settings,
        **names_of(entrants, settings.key),
        blinds=stakes,
        levels=tuple(settings.levels),
        payouts=tuple(float(p) for p in settings.payouts),
    )


@takes_settings(TournamentSettings, plays=False)
def tournament_tasks(
    agents: Sequence[AgentSource], settings: TournamentSettings | None = None, **options: Any
) -> list[TournamentTask]:
    """The matches of a tournament, checked, as tasks for :func:`play_tournament_match`; arguments as for
    :func:`run_tournament`.

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense.
    """
    return each_match(*plan_tournament(agents, made_settings(TournamentSettings, settings, options)))


def each_match(entrants: Sequence[Entrant], config: TournamentConfig) -> list[MatchTask]:
    """A task for each match."""
    return [MatchTask(tuple(entrants), config, m) for m in range(config.matches)]


def drawn_chairs(seed: int, match: int, players: int) -> list[int]:
    """Which entrant sits in each chair of a match."""
    chairs = list(range(players))
    Rng(seed, match, 0, DRAW_STREAM).shuffle(chairs)
    return chairs


def play_tournament_match(
    task: TournamentTask, pulse: Pulse | None = None, watch: Watcher | None = None, keep: bool = False
) -> TournamentMatch | None:
    """Play one match to its end. When ``pulse`` says to stop before that: None or, with ``keep``, how things stand."""
    config, match, watch = task.config, task.match, watch or NOBODY
    n = len(task.entrants)
    sits = drawn_chairs(config.seed, match, n)
    players = Players([task.entrants[e] for e in sits], source_of(config), match, config.rules)
    table = ChipTable(n, config.stack, config.rebuys)
    curves = [[table.chips_left(c)] for c in range(n)]
    keep_curves = config.curves is True
    blinds, ante = config.level(1)
    players.start(_game(n, blinds, config.stack, ante), "tournament", config.hands)
    watch.on_seated(players)
    squares = [0] * n
    complete = True
    while table.hand < config.hands and len(table.live()) > 1 and not players.ended:
        if pulse is not None and not pulse.step():
            if keep:
                complete = False
                break
            players.close()
            return None
        before = [table.chips_left(c) for c in range(n)]
        chairs = table.next_hand()
        blinds, ante = config.level(table.hand)
        record = players.play_hand(_game(len(chairs), blinds, config.stack, ante), table, chairs, watch)
        bought, out = table.settle(chairs, record.payoffs)
        for c in range(n):
            squares[c] += (table.chips_left(c) - before[c]) ** 2
            if keep_curves:
                curves[c].append(table.chips_left(c))
        watch.on_hand(record, table)
        for c in bought:
            watch.on_rebuy(c, table)
        for c in out:
            watch.on_out(c, table)
    players.close()
    limit = config.hands if complete and not players.ended else table.hand
    ranks = table.ranks(limit)
    survived = table.hands_survived(limit)
    rows = {
        sits[c]: PlayerMatch(
            agent=players.names[c],
            chair=c,
            rank=ranks[c],
            hands=survived[c],
            chips=table.chips_left(c),
            rebuys=table.bought[c],
            volatility_squared=squares[c],
            faults=players.fault_counts[c],
            curve=tuple(curves[c]) if keep_curves else (),
        )
        for c in range(n)
    }
    return TournamentMatch(
        match=match,
        hands=table.hand,
        players=tuple(rows[e] for e in range(n)),
        faults=tuple(players.faults),
        notes=players.notes,
        complete=complete,
    )


def standings_of(matches: Sequence[TournamentMatch], payouts: Sequence[float] = ()) -> tuple[Standing, ...]:
    """Everybody over all matches, best mean rank first (equals in the order entered)."""
    if not matches:
        return ()
    n = len(matches[0].players)
    shares = np.array([[place_shares([p.rank for p in m.players], k) for k in range(n)] for m in matches])
    values = {key: [[getattr(p, key) for p in m.players] for m in matches] for key in _MEASURED}
    measures = {key: mean_intervals([np.array(rows, np.float64)]) for key, rows in values.items()}
    if sum(m.hands for m in matches) >= MIN_DEALS:
        # Chips go up and down by chance alone but for a little: the squares of their changes add up to their variance.
        halves = Z95 * np.sqrt(np.sum(values["volatility_squared"], axis=0)) / len(matches)
        measures["chips"] = [
            m.with_deals(msgspec.structs.replace(m, low=m.mean - half, high=m.mean + half))
            for m, half in zip(measures["chips"], halves.tolist(), strict=True)
        ]
    payout = mean_intervals([shares[:, :, : len(payouts)] @ np.array(payouts)]) if payouts else [None] * n
    table = []
    for k in range(n):
        mine = [m.players[k] for m in matches]
        table.append(
            Standing(
                agent=mine[0].agent,
                **{key: each[k] for key, each in measures.items()},
                places=tuple((shares[:, k].sum(axis=0) / len(matches)).tolist()),
                rebuys=sum(p.rebuys for p in mine) / len(matches),
                faults=sum(p.faults for p in mine),
                payout=payout[k],
            )
        )
    return tuple(sorted(table, key=lambda s: s.rank.mean))


@takes_settings(TournamentSettings)
def run_tournament(
    agents: Sequence[AgentSource], settings: TournamentSettings | None = None, **options: Any
) -> TournamentResult:
    """Play a tournament: ``matches`` matches of all ``agents`` at one table.

    Args:
        agents: 2 to 10 specs, or factories that make a new agent each time they are called.
        settings, options: as for :func:`~dupai.arena.play_match`, of :class:`TournamentSettings`.

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense.
    """
    return play_format(TOURNAMENT, agents, settings, **options)


def tournament_result(
    config: TournamentConfig, done: Sequence[TournamentMatch], entrants: Sequence[Entrant] = ()
) -> TournamentResult:
    """The result of matches, however many of them."""
    return TournamentResult(
        **common_facts(config, entrants, done),
        pairing=PAIRING,
        hands=sum(m.hands for m in done),
        partial=len(done) < config.matches,
        standings=standings_of(done, config.payouts),
        matches=tuple(done),
    )


def _lines(config: Mapping[str, Any], units: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    keys = ("agent", "chair", "rank", "hands", "chips", "rebuys", "faults")
    yield ("match", *keys)
    for unit in units:
        for player in unit["players"]:
            yield (unit["match"], *(player[key] for key in keys))


class MatchNotes(Watcher):
    """Keeps the hands of a tournament match and reports its events to :meth:`note`: pots of at least a starting stack,
    rebuys, players who are out, faults.

    Args:
        task: the match.
        names: of the players, by chair.
    """

    def __init__(self, task: TournamentTask, names: tuple[str, ...]) -> None:
        self.config = task.config
        self.names = names
        self.records: list[HandRecord] = []
        #: The chips, from the first deal on.
        self.table: ChipTable | None = None

    def note(self, hand: int, text: str) -> None:
        """Something happened in ``hand``."""

    def on_deal(self, state: HandState, table: ChipTable | None) -> None:
        self.table = table

    def on_action(self, state: HandState, action: Action, fault: Fault | None) -> None:
        if fault is not None:
            self.note(state.hand, f"{fault.agent} breaks the rules and loses its hand: {fault.error}")

    def on_hand(self, record: HandRecord, table: ChipTable | None) -> None:
        self.records.append(record)
        winners = result_words(steps_of(record), record.spec.split)
        if winners and max(record.payoffs) >= self.config.stack * record.spec.split:
            position, words = winners[0]
            self.note(record.hand, f"{record.names[position]} {words}")

    def on_rebuy(self, chair: int, table: ChipTable) -> None:
        self.note(table.hand, f"{self.names[chair]} buys in again")

    def on_out(self, chair: int, table: ChipTable) -> None:
        live = table.live()
        rest = f"{len(live)} left" if len(live) > 1 else "".join(f"{self.names[c]} has won" for c in live)
        self.note(table.hand, f"{self.names[chair]} is out, {rest}")


TOURNAMENT = Format(
    "tournament", TournamentSettings, TournamentConfig, TournamentResult, TournamentMatch,
    work=play_tournament_match, plan=plan_tournament, tasks=each_match, summary=tournament_result, lines=_lines,
)  # fmt: skip
