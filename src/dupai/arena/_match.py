"""Matches with stacks reset every hand, plain or duplicate: mbb/hand and its interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations as all_orders
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.arena._deals import state_of_deal
from dupai.arena._entrants import AgentSource, Entrant, entrants_of
from dupai.arena._hand import DECK_STREAM, FAULTS_KEPT, Fault, Players, TableRules, Watcher
from dupai.arena._results import MatchConfig, MatchPlayer, MatchResult, Measure, versions
from dupai.arena._store import Store, run_logged
from dupai.arena._tournament import MAX_SEED, check_count, check_stakes
from dupai.arena.backends import Backend, Pulse, local_backend
from dupai.base import ConfigError, Estimate, NoProgress, NotationError, Progress, Rng, RulesError
from dupai.rules import GameSpec, HandState, load_game
from dupai.stats import hands_wanted

#: Hands of a seating that make one unit of work where hands do not depend on each other.
BLOCK = 250


def match_seatings(config: MatchConfig) -> list[tuple[int, ...]]:
    """Who sits in each chair, for every seating of a deal: entrant ``i`` in chair ``(i + rotation) % n``."""
    n = len(config.labels)
    turned = [tuple((chair - r) % n for chair in range(n)) for r in range(n if config.duplicate else 1)]
    if config.permutations:
        turned += [s for s in all_orders(range(n)) if s not in turned]
    return turned


@dataclass(frozen=True)
class SeatingTask:
    """All it takes to play one seating of a match, or a block of its hands: the unit of work."""

    entrants: tuple[Entrant, ...]
    config: MatchConfig
    rotation: int = 0
    match: int = 0
    start: int = 0
    stop: int | None = None
    table: int = 0

    @property
    def name(self) -> str:
        """For messages."""
        labels = " v ".join(self.config.labels)
        return f"match {self.match} of {labels}, seating {self.rotation + 1}, from hand {self.start + 1}"


@dataclass(frozen=True)
class Seating:
    """One seating (or a block of it) as it was played.

    ``start`` is the number of hands before it; ``payoffs`` is ``int64[hands, players]``, by entrant, in 1/``split``
    chips; ``fault_counts`` by entrant; ``complete``: it was not stopped by us (the rule of faults may have ended it).
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

    def to_builtins(self) -> dict[str, object]:
        """As JSON takes it."""
        return {
            "table": self.table,
            "agents": self.agents,
            "match": self.match,
            "rotation": self.rotation,
            "start": self.start,
            "payoffs": self.payoffs.tolist(),
            "faults": msgspec.to_builtins(self.faults),
            "fault_counts": self.fault_counts,
        }

    @classmethod
    def from_builtins(cls, data: Any) -> Seating:
        """What :meth:`to_builtins` gave."""
        counts = tuple(data["fault_counts"])
        payoffs = np.array(data["payoffs"], np.int64).reshape(-1, len(counts))
        faults = msgspec.convert(data["faults"], tuple[Fault, ...])
        return cls(
            data["rotation"],
            payoffs,
            faults,
            counts,
            match=data["match"],
            start=data["start"],
            table=data["table"],
            agents=tuple(data["agents"]),
        )


def play_seating(task: SeatingTask, pulse: Pulse | None = None, watch: Watcher | None = None) -> Seating:
    """Play one seating with fresh agents, seated as :func:`match_seatings` says.

    The button moves a chair a hand. Cards and the chairs' random streams are those of every other seating. When
    ``pulse`` says to stop, the hands played so far are the result.
    """
    config = task.config
    n = len(task.entrants)
    sits = match_seatings(config)[task.rotation] if config.labels else tuple(range(n))
    players = Players([task.entrants[e] for e in sits], config.seed, task.match, config.rules)
    players.start(config.game, "reset", config.hands)
    stop = config.hands if task.stop is None else task.stop
    payoffs = np.zeros((stop - task.start, n), np.int64)
    played = 0
    complete = True
    for hand in range(task.start + 1, stop + 1):
        if pulse is not None and not pulse.hand():
            complete = False
            break
        # Chair 0 is in position 0 first, as in ACPC logs; the blinds then move to the next chair.
        chairs = tuple((hand - 1 + position) % n for position in range(n))
        players.hand = hand
        if config.deals:
            state = state_of_deal(config.game, config.deals[hand - 1], seats=chairs, hand=hand)
        else:
            rng = Rng(config.seed, task.match, hand, DECK_STREAM)
            state = HandState.deal(config.game, rng, seats=chairs, hand=hand)
        if watch is not None:
            watch.on_deal(state, None)
        record = players.play(state, watch)
        players.observe(record)
        for chair, won in zip(chairs, record.payoffs, strict=True):
            payoffs[played, sits[chair]] = won
        played += 1
        if watch is not None:
            watch.on_hand(record, None)
        if players.ended:
            break
    players.close()
    counts = [0] * n
    for chair, entrant in enumerate(sits):
        counts[entrant] = players.fault_counts[chair]
    return Seating(
        task.rotation,
        payoffs[:played],
        tuple(players.faults),
        tuple(counts),
        complete,
        task.match,
        task.start,
        task.table,
        tuple(config.labels),
    )


def match_game(
    players: int, game: str | GameSpec | None = None, blinds: Sequence[int] = (50, 100), stack: int = 20_000
) -> GameSpec:
    """The game of a match: a spec, a name or file of one, or no-limit with these blinds and stacks under ACPC rules.

    Raises:
        ConfigError: it makes no sense, or is for another number of players.
    """
    if game is None:
        return GameSpec.no_limit(players, check_stakes(blinds, stack), stack, odd_chips="acpc", min_raise="acpc")
    spec = load_game(game) if isinstance(game, str) else game
    if spec.players != players:
        raise ConfigError(f"the game is for {spec.players} players, {players} are given")
    return spec


def match_config(
    agents: Sequence[AgentSource],
    *,
    hands: int | None = None,
    duplicate: bool = False,
    seed: int = 0,
    game: str | GameSpec | None = None,
    blinds: Sequence[int] = (50, 100),
    stack: int = 20_000,
    matches: int = 1,
    permutations: bool = False,
    deals: Sequence[str] = (),
    rules: TableRules | None = None,
) -> tuple[tuple[Entrant, ...], MatchConfig]:
    """Everything about a match, checked; arguments as for :func:`play_match`.

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense.
    """
    if hands is None:
        hands = len(deals) or 3000
    check_count("hands", hands, 1)
    check_count("matches", matches, 1)
    check_count("seed", seed, 0, MAX_SEED)
    if not 2 <= len(agents) <= 10:
        entrants_of(agents)
    if permutations and len(agents) > 3:
        raise ConfigError(f"permutations of {len(agents)} players: expected at most 3 (rotations take any number)")
    spec = match_game(len(agents), game, blinds, stack)
    if deals:
        if hands > len(deals):
            raise ConfigError(f"hands = {hands}: the file of deals has {len(deals)}")
        if matches > 1:
            raise ConfigError(f"matches = {matches}: expected 1 with given deals, which would be the same in each")
        for number, text in enumerate(deals, 1):
            try:
                state_of_deal(spec, text)
            except (NotationError, RulesError) as error:
                raise ConfigError(f"deal {number}, {text!r}: {error}") from None
    entrants = entrants_of(agents, betting=spec.betting)
    return entrants, MatchConfig(
        agents=tuple(e.spec for e in entrants),
        labels=tuple(e.label for e in entrants),
        game=spec,
        hands=hands,
        duplicate=duplicate or permutations,
        seed=seed,
        matches=matches,
        permutations=permutations,
        deals=tuple(deals[:hands]),
        rules=rules or TableRules(),
    )


def match_tasks(entrants: Sequence[Entrant], config: MatchConfig, table: int = 0) -> list[SeatingTask]:
    """The units of work: blocks of :data:`BLOCK` hands between stateless agents, whole seatings else.

    Who is asked no more, or has used up a clock, depends on earlier hands: then seatings stay whole, too.
    """
    rules = config.rules
    whole = not all(e.stateless for e in entrants) or rules.faults != "forfeit" or rules.seconds_per_match is not None
    step = config.hands if whole else BLOCK
    return [
        SeatingTask(tuple(entrants), config, r, m, start, min(start + step, config.hands), table)
        for m in range(config.matches)
        for start in range(0, config.hands, step)
        for r in range(len(match_seatings(config)))
    ]


def play_match(
    agents: Sequence[AgentSource],
    *,
    hands: int | None = None,
    duplicate: bool = False,
    seed: int = 0,
    game: str | GameSpec | None = None,
    blinds: Sequence[int] = (50, 100),
    stack: int = 20_000,
    matches: int = 1,
    permutations: bool = False,
    deals: Sequence[str] = (),
    rules: TableRules | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    backend: Backend | None = None,
    store: Store | None = None,
) -> MatchResult:
    """Play a match with stacks reset every hand (ACPC style) and say what everybody won per hand.

    Args:
        agents: 2 to 10 specs, or factories that make a new agent each time they are called.
        hands: hands from each seating (default: all ``deals``, else 3,000).
        duplicate: every deal in all rotations of the seats. Each rotation is a match of its own over the same cards
            with fresh agents, never interleaved. Between stateless agents the interval counts deals, else matches.
        game: a spec, or the name or file of an ACPC game, instead of ``blinds`` and ``stack`` (no-limit).
        matches: so many matches with other deals, all agents fresh in each: agents that learn need several for an
            interval.
        permutations: duplicate over all orders of at most three players.
        deals: fixed cards, one ACPC card string a hand (see :func:`load_deals`).
        rules: what becomes of an agent that breaks the rules; clocks.
        seed, jobs, progress, backend, store: as for :func:`run_tournament`.

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense.
    """
    entrants, config = match_config(
        agents,
        hands=hands,
        duplicate=duplicate,
        seed=seed,
        game=game,
        blinds=blinds,
        stack=stack,
        matches=matches,
        permutations=permutations,
        deals=deals,
        rules=rules,
    )
    tasks = match_tasks(entrants, config)
    shown = progress or NoProgress()
    total = config.hands * config.matches * len(match_seatings(config))
    log = store.log("match", config, len(tasks)) if store is not None else None

    def tick(done: int, played: int) -> bool:
        shown.report(played, total, f"{played:,} hands")
        return not shown.cancelled

    where = backend or local_backend(jobs, len(tasks))
    found = run_logged(where, play_seating, tasks, tick, log, Seating)
    result = match_result(entrants, config, [(tasks[i], found[i]) for i in sorted(found)])
    if log is not None and not result.partial:
        log.finish(result)
    return result


def _measured(
    config: MatchConfig, played: Sequence[tuple[SeatingTask, Seating]]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_], int]:
    """Payoffs by match, deal and entrant added up over the seatings, which deals count, and over how many seatings."""
    n, seatings = len(config.labels), len(match_seatings(config))
    total = np.zeros((config.matches, config.hands, n), np.int64)
    seen = np.zeros((seatings, config.matches, config.hands), np.bool_)
    for task, seating in played:
        seen[task.rotation, task.match, task.start : task.start + len(seating.payoffs)] = True
    # Stopped: the deals that every seating has played count.
    counted: npt.NDArray[np.bool_] = np.asarray(seen.all(axis=0))
    rotations = seatings
    if not counted.any() and seatings > 1:
        counted, rotations = seen[0], 1
    for task, seating in played:
        if task.rotation < rotations:
            total[task.match, task.start : task.start + len(seating.payoffs)] += seating.payoffs
    return total, counted, rotations


def _values(
    config: MatchConfig,
    total: npt.NDArray[np.int64],
    counted: npt.NDArray[np.bool_],
    rotations: int,
    stateless: bool,
) -> npt.NDArray[np.float64]:
    """Independent values in mbb/hand, ``float64[units, players]``: a row a deal, or a match where agents may learn."""
    # Whole units until here, so that players who win what they lose have exactly 0.
    scale = config.game.split * rotations * config.game.big_blind / 1000
    if stateless:
        return np.asarray(total[counted] / scale)
    rows = [t[c].sum(axis=0) / c.sum() for t, c in zip(total, counted, strict=True) if c.any()]
    return np.array(rows, np.float64).reshape(-1, len(config.labels)) / scale


def match_values(
    entrants: Sequence[Entrant], config: MatchConfig, played: Sequence[tuple[SeatingTask, Seating]]
) -> npt.NDArray[np.float64]:
    """What the intervals of a match that is played to its end count: ``float64[units, players]`` in mbb/hand."""
    return _values(config, *_measured(config, played), all(e.stateless for e in entrants))


def match_result(
    entrants: Sequence[Entrant], config: MatchConfig, played: Sequence[tuple[SeatingTask, Seating]]
) -> MatchResult:
    """What blocks of a match, however many of it, come to."""
    n = len(entrants)
    spec = config.game
    total, counted, rotations = _measured(config, played)
    stateless = all(e.stateless for e in entrants)
    paired = config.duplicate and rotations > 1
    deals = int(counted.sum())
    # An agent that ended its match by the rule of faults has played it out.
    ended = config.rules.faults == "end" and any(s.fault_counts != (0,) * n for _, s in played)
    partial = (deals < counted.size and not ended) or (config.duplicate and not paired)
    partial = partial or not all(s.complete for _, s in played)
    if not stateless and partial and counted.all(axis=1).any():
        # A match that was cut short is no sample of matches.
        counted &= counted.all(axis=1, keepdims=True)
        deals = int(counted.sum())
    values = _values(config, total, counted, rotations, stateless)
    players = []
    for k, entrant in enumerate(entrants):
        mbb = Measure.of(values[:, k].tolist()) if deals else _NOTHING
        spread = Estimate(mbb.mean, mbb.se or 0.0, mbb.n)
        wanted = hands_wanted(spread, hands_per_block=rotations * (1 if stateless else config.hands))
        players.append(
            MatchPlayer(
                agent=entrant.label,
                chips=int(total[counted][:, k].sum()) / spec.split,
                mbb=mbb,
                hands_for_10_mbb=wanted,
                faults=sum(s.fault_counts[k] for _, s in played),
            )
        )
    kept: Counter[tuple[int, int]] = Counter()
    faults = []
    for task, seating in sorted(played, key=lambda ts: (ts[0].match, ts[0].rotation, ts[0].start)):
        for fault in seating.faults:
            kept[task.match, task.rotation] += 1
            if kept[task.match, task.rotation] <= FAULTS_KEPT:
                faults.append(fault)
    return MatchResult(
        config=config,
        seed=config.seed,
        versions=versions(),
        pairing=_pairing(config, rotations) if paired else _unpaired(config),
        unit=("deal" if paired else "hand") if stateless else "match",
        hands=deals * rotations,
        deals=deals,
        players=tuple(players),
        partial=partial,
        faults=tuple(faults),
        stateless=stateless,
        reproducible=all(e.reproducible for e in entrants) and not config.rules.clocked,
    )


def _pairing(config: MatchConfig, rotations: int) -> str:
    n = len(config.labels)
    seats = "both seatings" if n == 2 else f"all {rotations} {'permutations' if config.permutations else 'rotations'}"
    return f"every deal in {seats} of the seats (duplicate), each a match of its own with fresh agents"


def _unpaired(config: MatchConfig) -> str:
    return "no pairing: every deal once" + (", the other seating was not played" if config.duplicate else "")


_NOTHING = Measure(mean=0.0, se=None, low=None, high=None, n=0)


def play(
    *agents: AgentSource,
    hands: int = 1000,
    seed: int = 0,
    duplicate: bool = True,
    game: str | GameSpec | None = None,
    blinds: Sequence[int] = (50, 100),
    stack: int = 20_000,
    jobs: int = 1,
) -> MatchResult:
    """``dupai.play("rules", "style:TA", hands=1000)``: a match with stacks reset every hand; see :func:`play_match`.

    Duplicate unless told otherwise: each of ``hands`` deals is played in all rotations of the seats. Two players give
    a heads-up match, up to ten a full table. The result prints as a table, in notebooks too.

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense.
    """
    return play_match(
        agents, hands=hands, seed=seed, duplicate=duplicate, game=game, blinds=blinds, stack=stack, jobs=jobs
    )
