"""Matches with stacks reset every hand, plain or duplicate: mbb/hand and its interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dupai.arena._entrants import AgentSource, Entrant, entrants_of
from dupai.arena._hand import DECK_STREAM, Fault, Players, Watcher
from dupai.arena._results import MatchConfig, MatchPlayer, MatchResult, Measure, versions
from dupai.arena._tournament import MAX_SEED, check_count, check_stakes
from dupai.arena.backends import Backend, Pulse, local_backend
from dupai.base import Z95, ConfigError, NoProgress, Progress, Rng
from dupai.rules import GameSpec, HandState, load_game


@dataclass(frozen=True)
class SeatingTask:
    """All it takes to play one seating (rotation) of a match: the unit of work."""

    entrants: tuple[Entrant, ...]
    config: MatchConfig
    rotation: int = 0


@dataclass(frozen=True)
class Seating:
    """One seating as it was played.

    ``payoffs`` is ``int64[hands, players]``, by entrant, in 1/``split`` chips; ``fault_counts`` by entrant.
    """

    rotation: int
    payoffs: npt.NDArray[np.int64]
    faults: tuple[Fault, ...]
    fault_counts: tuple[int, ...]


def play_seating(task: SeatingTask, pulse: Pulse | None = None, watch: Watcher | None = None) -> Seating:
    """Play one seating with fresh agents: entrant ``i`` in chair ``(i + rotation) % n``.

    The button moves a chair a hand. Cards and the chairs' random streams are those of every other rotation. When
    ``pulse`` says to stop, the hands played so far are the result.
    """
    config = task.config
    n = len(task.entrants)
    sits = [(chair - task.rotation) % n for chair in range(n)]
    players = Players([task.entrants[e] for e in sits], config.seed, 0)
    players.start(config.game, "reset", config.hands)
    payoffs = np.zeros((config.hands, n), np.int64)
    played = 0
    for hand in range(1, config.hands + 1):
        if pulse is not None and not pulse.hand():
            break
        # Chair 0 is in position 0 first, as in ACPC logs; the blinds then move to the next chair.
        chairs = tuple((hand - 1 + position) % n for position in range(n))
        players.hand = hand
        state = HandState.deal(config.game, Rng(config.seed, 0, hand, DECK_STREAM), seats=chairs, hand=hand)
        if watch is not None:
            watch.on_deal(state, None)
        record = players.play(state, watch)
        players.observe(record)
        for chair, won in zip(chairs, record.payoffs, strict=True):
            payoffs[played, sits[chair]] = won
        played += 1
        if watch is not None:
            watch.on_hand(record, None)
    players.close()
    counts = [0] * n
    for chair, entrant in enumerate(sits):
        counts[entrant] = players.fault_counts[chair]
    return Seating(task.rotation, payoffs[:played], tuple(players.faults), tuple(counts))


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


def play_match(
    agents: Sequence[AgentSource],
    *,
    hands: int = 3000,
    duplicate: bool = False,
    seed: int = 0,
    game: str | GameSpec | None = None,
    blinds: Sequence[int] = (50, 100),
    stack: int = 20_000,
    jobs: int = 1,
    progress: Progress | None = None,
    backend: Backend | None = None,
) -> MatchResult:
    """Play a match with stacks reset every hand (ACPC style) and say what everybody won per hand.

    Args:
        agents: 2 to 10 specs, or factories that make a new agent each time they are called.
        hands: hands from each seating.
        duplicate: every deal in all rotations of the seats. Each rotation is a match of its own over the same cards
            with fresh agents, never interleaved; the interval then counts deals.
        game: a spec, or the name or file of an ACPC game, instead of ``blinds`` and ``stack`` (no-limit).
        seed, jobs, progress, backend: as for :func:`run_tournament`; one job a seating is useful.

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense.
    """
    check_count("hands", hands, 1)
    check_count("seed", seed, 0, MAX_SEED)
    if not 2 <= len(agents) <= 10:
        entrants_of(agents)
    spec = match_game(len(agents), game, blinds, stack)
    entrants = entrants_of(agents, betting=spec.betting)
    config = MatchConfig(
        agents=tuple(e.spec for e in entrants),
        labels=tuple(e.label for e in entrants),
        game=spec,
        hands=hands,
        duplicate=duplicate,
        seed=seed,
    )
    rotations = len(entrants) if duplicate else 1
    tasks = [SeatingTask(entrants, config, r) for r in range(rotations)]
    shown = progress or NoProgress()

    def tick(done: int, played: int) -> bool:
        shown.report(played, hands * rotations, f"{played:,} hands")
        return not shown.cancelled

    where = backend or local_backend(jobs, len(tasks))
    found: dict[int, Seating] = dict(where.run(play_seating, tasks, tick))
    # Stopped: the deals that every rotation has played count.
    deals = min(len(found[r].payoffs) if r in found else 0 for r in range(rotations))
    if deals == 0 and rotations > 1 and 0 in found and len(found[0].payoffs):
        found, rotations, deals = {0: found[0]}, 1, len(found[0].payoffs)
    return _result(config, entrants, [found[r] for r in range(rotations) if r in found], deals)


def _result(config: MatchConfig, entrants: Sequence[Entrant], seatings: Sequence[Seating], deals: int) -> MatchResult:
    n = len(entrants)
    rotations = len(seatings)
    spec = config.game
    total = np.zeros((deals, n), np.int64)
    for seating in seatings:
        total += seating.payoffs[:deals]
    # Whole units until here, so that players who win what they lose have exactly 0.
    each = total / (spec.split * rotations)
    paired = config.duplicate and rotations == n
    if paired:
        pairing = (
            f"every deal in {'both seatings' if n == 2 else f'all {n} rotations'} of the seats (duplicate), "
            "each a match of its own with fresh agents"
        )
    else:
        pairing = "no pairing: every deal once" + (", the other seating was not played" if config.duplicate else "")
    players = []
    for k, entrant in enumerate(entrants):
        mbb = Measure.of((each[:, k] * 1000 / spec.big_blind).tolist()) if deals else _NOTHING
        wanted = None
        if mbb.se:
            wanted = max(math.ceil(mbb.n * (Z95 * mbb.se / 10) ** 2), 1) * rotations
        players.append(
            MatchPlayer(
                agent=entrant.label,
                chips=int(total[:, k].sum()) / spec.split,
                mbb=mbb,
                hands_for_10_mbb=wanted,
                faults=sum(s.fault_counts[k] for s in seatings),
            )
        )
    return MatchResult(
        config=config,
        seed=config.seed,
        versions=versions(),
        pairing=pairing,
        unit="deal" if paired else "hand",
        hands=deals * rotations,
        deals=deals,
        players=tuple(players),
        partial=deals < config.hands or (config.duplicate and not paired),
        faults=tuple(f for s in seatings for f in s.faults),
        stateless=all(e.stateless for e in entrants),
        reproducible=all(e.reproducible for e in entrants),
    )


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
