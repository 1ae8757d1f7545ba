"""A sequential test between two players: duplicate deals until the answer is clear, and no further."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec
import numpy as np

from dupai.arena._entrants import AgentSource, Entrant
from dupai.arena._hand import FAULTS_KEPT, Fault, TableRules
from dupai.arena._match import match_config
from dupai.arena._results import MatchConfig, Measure, versions
from dupai.arena._seating import Seating, SeatingTask, play_seating
from dupai.arena._store import Store, stream_logged
from dupai.arena._tournament import check_count
from dupai.base import ConfigError, Estimate, NoProgress, Progress
from dupai.jobs import Backend, LocalBackend
from dupai.rules import GameSpec
from dupai.stats import DEFAULT_BOUNDS, LEAST_BLOCKS, Sprt, SprtState, by_deal, mbb_per_hand

#: Deals that are one unit of work between stateless agents.
SPRT_BLOCK = 100
#: Matches before which nothing is decided: their means are near normal much sooner than those of deals.
LEAST_MATCHES = 20


class SprtConfig(MatchConfig, frozen=True, kw_only=True):
    """A sequential test: its longest match, and the test (see :func:`run_sprt`)."""

    bounds: tuple[float, float] = DEFAULT_BOUNDS
    alpha: float = 0.05
    beta: float = 0.05
    max_hands: int = 200_000


class SprtResult(msgspec.Struct, frozen=True, kw_only=True):
    """A sequential test of ``new`` against ``old``.

    Attributes:
        config, seed, versions: what it takes to play it again.
        new, old: their labels.
        bounds, alpha, beta: of the test; bounds in standard deviations of one ``unit``.
        unit: ``"deal"`` between stateless agents, else ``"match"`` (both seatings of all its deals, fresh agents).
        hands: hands that the test has counted, both seatings together.
        test: where it stands; its mean and deviation are in mbb/hand.
        mbb: what ``new`` wins. After a decision it overstates: the test stopped because it was extreme.
        partial: stopped by the user before a decision; without one and not ``partial``, all hands were played.
        stateless: every agent declares that a hand does not depend on earlier ones.
        reproducible: every agent says that equal random numbers give equal play.
        faults: the first faults.
        plain: with ``config.luck_reduced`` the test, ``test`` and ``mbb`` are about deals without their luck; this is
            the mean of the same deals with it.
    """

    config: SprtConfig
    seed: int
    versions: dict[str, str]
    new: str
    old: str
    bounds: tuple[float, float]
    alpha: float
    beta: float
    unit: str
    hands: int
    test: SprtState
    mbb: Measure
    partial: bool
    stateless: bool
    reproducible: bool
    faults: tuple[Fault, ...] = ()
    plain: Measure | None = None


def run_sprt(
    new: AgentSource,
    old: AgentSource,
    *,
    bounds: tuple[float, float] = DEFAULT_BOUNDS,
    alpha: float = 0.05,
    beta: float = 0.05,
    seed: int = 0,
    max_hands: int = 200_000,
    match_hands: int = 1000,
    game: str | GameSpec | None = None,
    blinds: tuple[int, int] = (50, 100),
    stack: int = 20_000,
    rules: TableRules | None = None,
    luck_reduced: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
    watch: Callable[[SprtState], None] | None = None,
    backend: Backend | None = None,
    store: Store | None = None,
) -> SprtResult:
    """Is ``new`` better than ``old``, heads-up? Play duplicate deals until :class:`dupai.stats.Sprt` decides.

    Between stateless agents each deal counts. An agent that learns makes the deals of a match depend on each other:
    then a duplicate match of ``match_hands`` deals with fresh agents counts as one result, and bounds are in standard
    deviations of such a match.

    Args:
        max_hands: hands at most, both seatings together.
        watch: told of the test after every block of deals.
        luck_reduced: the test looks at deals without their luck. The same mean is then more of a deal's standard
            deviation, so it takes fewer deals to be seen; bounds are in these smaller deviations.
        game, blinds, stack, rules, jobs, progress, backend, store: as for :func:`play_match`. The blocks of work are
            taken in their order, so the result does not depend on the number of jobs, or on being taken up again.

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense.
    """
    # Long by its settings; the body is one loop.
    check_count("max_hands", max_hands, 2)
    check_count("match_hands", match_hands, 1)
    entrants, match = match_config(
        (new, old),
        hands=max_hands // 2,
        duplicate=True,
        seed=seed,
        game=game,
        blinds=blinds,
        stack=stack,
        rules=rules,
        luck_reduced=luck_reduced,
        curve=0,
    )
    stateless = all(e.stateless for e in entrants)
    if stateless:
        test = Sprt(bounds, alpha, beta)
    else:
        test = Sprt(bounds, alpha, beta, LEAST_MATCHES)
        matches = max_hands // (2 * match_hands)
        if matches < LEAST_MATCHES:
            raise ConfigError(
                f"max_hands = {max_hands}: an agent learns, so whole matches of 2 x {match_hands} hands count, and "
                f"at least {LEAST_MATCHES} of them: expected {2 * match_hands * LEAST_MATCHES} or more"
            )
        match = msgspec.structs.replace(match, hands=match_hands, matches=matches)
    config = SprtConfig(
        **msgspec.structs.asdict(match), bounds=test.bounds, alpha=alpha, beta=beta, max_hands=max_hands
    )
    tasks = sprt_tasks(entrants, config)
    shown = progress or NoProgress()

    def tick(done: float, played: int) -> bool:
        state = test.state
        shown.report(played, max_hands, f"LLR {state.llr:+.2f} in [{state.lower:.2f}, {state.upper:.2f}]")
        return test.decision is None and not shown.cancelled

    log = store.log("sprt", config, len(tasks)) if store is not None else None
    where = backend or LocalBackend(jobs)
    played = stream_logged(where, play_seating, tasks, tick, log, Seating)
    result = sprt_result(entrants, config, played, test, watch)
    result = msgspec.structs.replace(result, partial=test.decision is None and shown.cancelled)
    if log is not None and not result.partial:
        log.finish(result)
    return result


def sprt_result(
    entrants: Sequence[Entrant],
    config: SprtConfig,
    played: Iterable[tuple[int, Seating]],
    test: Sprt | None = None,
    watch: Callable[[SprtState], None] | None = None,
) -> SprtResult:
    """What units of work, by number and in whatever order they come, say; the ``test`` is fed in the order of deals."""
    stateless = all(e.stateless for e in entrants)
    test = test or sprt_of(config, stateless)
    hands = 0
    faults: list[Fault] = []
    plain: list[float] = []
    waiting: dict[int, Seating] = {}
    following = 0
    for index, seating in played:
        waiting[index] = seating
        # Both seatings of the next block, in order, whatever came first.
        while test.decision is None and following in waiting and following + 1 in waiting:
            pair = [waiting.pop(following), waiting.pop(following + 1)]
            following += 2
            hands += _count(test, pair, config, stateless, plain)
            faults += [f for s in pair for f in s.faults]
            if watch is not None:
                watch(test.state)
    return SprtResult(
        config=config,
        seed=config.seed,
        versions=versions(),
        new=entrants[0].label,
        old=entrants[1].label,
        bounds=test.bounds,
        alpha=config.alpha,
        beta=config.beta,
        unit="deal" if stateless else "match",
        hands=hands,
        test=test.state,
        mbb=_measure(test.estimate),
        partial=False,
        stateless=stateless,
        reproducible=all(e.reproducible for e in entrants) and not config.rules.clocked,
        faults=tuple(faults[:FAULTS_KEPT]),
        plain=_measure(Estimate.of(plain)) if config.luck_reduced and plain else None,
    )


def sprt_of(config: SprtConfig, stateless: bool) -> Sprt:
    """The test, not begun."""
    least = LEAST_BLOCKS if stateless else LEAST_MATCHES
    return Sprt(config.bounds, config.alpha, config.beta, least)


def _measure(found: Estimate) -> Measure:
    if found.n < 2:
        return Measure(mean=found.mean if found.n else 0.0, se=None, low=None, high=None, n=found.n)
    low, high = found.interval()
    return Measure(mean=found.mean, se=found.se, low=low, high=high, n=found.n)


def sprt_tasks(entrants: Sequence[Entrant], config: MatchConfig) -> list[SeatingTask]:
    """Both seatings of a block side by side."""
    who = tuple(entrants)
    if not all(e.stateless for e in who):
        return [SeatingTask(who, config, r, match) for match in range(config.matches) for r in (0, 1)]
    return [
        SeatingTask(who, config, r, 0, start, min(start + SPRT_BLOCK, config.hands))
        for start in range(0, config.hands, SPRT_BLOCK)
        for r in (0, 1)
    ]


def _count(test: Sprt, pair: list[Seating], config: SprtConfig, stateless: bool, plain: list[float]) -> int:
    """Feed the test a block in the order of its deals; returns the hands that counted, and adds their plain results."""
    without = [s.payoffs if s.luck is None else s.payoffs - config.game.split * s.luck for s in pair]
    deals = mbb_per_hand(by_deal(without)[:, 0], config.game)
    raw = mbb_per_hand(by_deal([s.payoffs for s in pair])[:, 0], config.game)
    if not stateless:
        if len(deals) < config.hands:
            return 0
        test.add(float(np.mean(deals)))
        plain.append(float(np.mean(raw)))
        return 2 * len(deals)
    for k, value in enumerate(deals.tolist(), 1):
        plain.append(float(raw[k - 1]))
        if test.add(value) is not None:
            return 2 * k
    return 2 * len(deals)
