"""Tournament matches (papers/fold.md section 6) and series of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from dupai.arena._chips import ChipTable, place_shares
from dupai.arena._entrants import AgentSource, Entrant, entrants_of
from dupai.arena._hand import Fault, Players, TableRules, Watcher
from dupai.arena._results import (
    Level,
    Measure,
    PlayerMatch,
    Standing,
    TournamentConfig,
    TournamentMatch,
    TournamentResult,
    versions,
)
from dupai.arena._store import Store, run_logged
from dupai.base import ConfigError, NoProgress, Progress, Rng
from dupai.jobs import Backend, LocalBackend, Pulse
from dupai.rules import DECK_STREAM, DRAW_STREAM, GameSpec, HandState

#: Seeds are numbers that JSON files keep.
MAX_SEED = 2**63 - 1

PAIRING = "all at one table, seats drawn anew each match"


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


def check_count(key: str, value: int, low: int, high: int | None = None) -> None:
    """Refuse a whole number outside its limits.

    Raises:
        ConfigError: names the key.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < low or (high is not None and value > high):
        limits = f"{low} or more" if high is None else f"{low} to {high}"
        raise ConfigError(f"{key} = {value!r}: expected {limits}")


def check_stakes(blinds: Sequence[int], stack: int) -> tuple[int, int]:
    """The blinds as a pair.

    Raises:
        ConfigError: they make no sense, or the stack is below the big blind.
    """
    whole = len(blinds) == 2 and all(isinstance(b, int) for b in blinds)
    if not whole or not 0 <= blinds[0] <= blinds[1] or not blinds[1]:
        raise ConfigError(f"blinds = {tuple(blinds)}: expected small and big blind, as 20/40")
    check_count("stack", stack, 1)
    if stack < blinds[1]:
        raise ConfigError(f"stack = {stack} is below the big blind of {blinds[1]}")
    return blinds[0], blinds[1]


@dataclass(frozen=True)
class TournamentTask:
    """All it takes to play match number ``match``: the unit of work."""

    entrants: tuple[Entrant, ...]
    config: TournamentConfig
    match: int
    curves: bool = False

    @property
    def size(self) -> int:
        """How many hands it takes at most."""
        return self.config.hands

    @property
    def name(self) -> str:
        """For messages."""
        return f"match {self.match} of {' v '.join(self.config.labels)}"


def tournament_tasks(
    agents: Sequence[AgentSource],
    *,
    hands: int = 600,
    blinds: Sequence[int] = (20, 40),
    stack: int = 2000,
    rebuys: int = 1,
    matches: int = 100,
    seed: int = 0,
    curves: bool = False,
    rules: TableRules | None = None,
    levels: Sequence[Level] = (),
    payouts: Sequence[float] = (),
) -> list[TournamentTask]:
    """The matches of a tournament, checked, as tasks for :func:`play_tournament_match`.

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense.
    """
    for key, value, low in (("hands", hands, 1), ("rebuys", rebuys, 0), ("matches", matches, 1)):
        check_count(key, value, low)
    check_count("seed", seed, 0, MAX_SEED)
    small, big = check_stakes(blinds, stack)
    entrants = entrants_of(agents)
    check_schedule(levels, payouts, len(entrants), stack)
    _game(len(entrants), (small, big), stack)
    config = TournamentConfig(
        agents=tuple(e.spec for e in entrants),
        labels=tuple(e.label for e in entrants),
        hands=hands,
        blinds=(small, big),
        stack=stack,
        rebuys=rebuys,
        matches=matches,
        seed=seed,
        rules=rules or TableRules(),
        levels=tuple(levels),
        payouts=tuple(float(p) for p in payouts),
    )
    return [TournamentTask(entrants, config, m, curves) for m in range(matches)]


def drawn_chairs(seed: int, match: int, players: int) -> list[int]:
    """Which entrant sits in each chair of a match."""
    chairs = list(range(players))
    Rng(seed, match, 0, DRAW_STREAM).shuffle(chairs)
    return chairs


def play_tournament_match(
    task: TournamentTask, pulse: Pulse | None = None, watch: Watcher | None = None, keep: bool = False
) -> TournamentMatch | None:
    """Play one match to its end. When ``pulse`` says to stop before that: None or, with ``keep``, how things stand."""
    config, match = task.config, task.match
    n = len(task.entrants)
    sits = drawn_chairs(config.seed, match, n)
    players = Players([task.entrants[e] for e in sits], config.seed, match, config.rules)
    table = ChipTable(n, config.stack, config.rebuys)
    curves = [[table.chips_left(c)] for c in range(n)]
    blinds, ante = config.level(1)
    players.start(_game(n, blinds, config.stack, ante), "tournament", config.hands)
    if watch is not None:
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
        players.hand = table.hand
        blinds, ante = config.level(table.hand)
        state = HandState.deal(
            _game(len(chairs), blinds, config.stack, ante),
            Rng(config.seed, match, table.hand, DECK_STREAM),
            stacks=[table.stacks[c] for c in chairs],
            seats=chairs,
            hand=table.hand,
        )
        if watch is not None:
            watch.on_deal(state, table)
        record = players.play(state, watch)
        players.observe(record)
        bought, out = table.settle(chairs, record.payoffs)
        for c in range(n):
            squares[c] += (table.chips_left(c) - before[c]) ** 2
            if task.curves:
                curves[c].append(table.chips_left(c))
        if watch is not None:
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
            curve=tuple(curves[c]) if task.curves else (),
        )
        for c in range(n)
    }
    return TournamentMatch(
        match=match,
        hands=table.hand,
        players=tuple(rows[e] for e in range(n)),
        faults=tuple(players.faults),
        complete=complete,
    )


def standings_of(matches: Sequence[TournamentMatch], payouts: Sequence[float] = ()) -> tuple[Standing, ...]:
    """Everybody over all matches, best mean rank first (equals in the order entered)."""
    if not matches:
        return ()
    n = len(matches[0].players)
    table = []
    for k in range(n):
        mine = [m.players[k] for m in matches]
        shares = [place_shares([p.rank for p in m.players], k) for m in matches]
        table.append(
            Standing(
                agent=mine[0].agent,
                rank=Measure.of(p.rank for p in mine),
                hands=Measure.of(p.hands for p in mine),
                chips=Measure.of(p.chips for p in mine),
                volatility=Measure.of(p.volatility for p in mine),
                volatility_squared=Measure.of(p.volatility_squared for p in mine),
                places=tuple(sum(s[place] for s in shares) / len(matches) for place in range(n)),
                rebuys=sum(p.rebuys for p in mine) / len(matches),
                faults=sum(p.faults for p in mine),
                payout=Measure.of(sum(p * x for p, x in zip(payouts, s, strict=False)) for s in shares)
                if payouts
                else None,
            )
        )
    return tuple(sorted(table, key=lambda s: s.rank.mean))


def run_tournament(
    agents: Sequence[AgentSource],
    *,
    hands: int = 600,
    blinds: Sequence[int] = (20, 40),
    stack: int = 2000,
    rebuys: int = 1,
    matches: int = 100,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
    curves: bool = False,
    backend: Backend | None = None,
    rules: TableRules | None = None,
    levels: Sequence[Level] = (),
    payouts: Sequence[float] = (),
    store: Store | None = None,
) -> TournamentResult:
    """Play a tournament: ``matches`` matches of all ``agents`` at one table.

    Args:
        agents: 2 to 10 specs, or factories that make a new agent each time they are called.
        hands: most hands a match; it ends earlier when one player is left.
        blinds: small and big blind.
        stack: chips at the start and of each of the ``rebuys``.
        seed: same seed, same result, for any ``jobs``.
        jobs: worker processes (1: this one).
        progress: told of matches done; when it is cancelled the matches that are done are the result.
        curves: keep every player's chips after every hand.
        backend: where to play, instead of ``jobs``.
        rules: what becomes of an agent that breaks the rules; clocks.
        levels: blinds and antes that rise, instead of ``blinds``.
        payouts: prizes of the first, second, ... place.
        store: a results file that matches go into as they are done, and come from where it resumes a run.

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense.
    """
    tasks = tournament_tasks(
        agents,
        hands=hands,
        blinds=blinds,
        stack=stack,
        rebuys=rebuys,
        matches=matches,
        seed=seed,
        curves=curves,
        rules=rules,
        levels=levels,
        payouts=payouts,
    )
    shown = progress or NoProgress()

    def tick(done: float, played: int) -> bool:
        shown.report(done, matches, f"{played:,} hands")
        return not shown.cancelled

    log = store.log("tournament", tasks[0].config, len(tasks)) if store is not None else None
    where = backend or LocalBackend(jobs)
    results = run_logged(where, play_tournament_match, tasks, tick, log, TournamentMatch)
    done = tuple(results[i] for i in sorted(results))
    result = tournament_result(tasks[0].config, done, all(e.reproducible for e in tasks[0].entrants))
    if log is not None and not result.partial:
        log.finish(result)
    return result


def tournament_result(
    config: TournamentConfig, done: Sequence[TournamentMatch], reproducible: bool = True
) -> TournamentResult:
    """What matches, however many of them, come to."""
    faults: tuple[Fault, ...] = tuple(f for m in done for f in m.faults)
    return TournamentResult(
        config=config,
        seed=config.seed,
        versions=versions(),
        pairing=PAIRING,
        hands=sum(m.hands for m in done),
        partial=len(done) < config.matches,
        standings=standings_of(done, config.payouts),
        matches=tuple(done),
        faults=faults,
        reproducible=reproducible and not config.rules.clocked,
    )
