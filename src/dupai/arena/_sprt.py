"""A sequential test between two players: duplicate deals until the answer is clear, and no further."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple

import msgspec
import numpy as np
from msgspec import UnsetType

from dupai.arena._entrants import AgentSource, Entrant
from dupai.arena._format import Format
from dupai.arena._match import deals_count, evened, plan_match, seating_lines
from dupai.arena._results import MatchConfig, MatchSettings, PlayResult, common_facts
from dupai.arena._seating import Seating, SeatingTask, play_seating
from dupai.arena._settings import StakesSettings, made_settings, takes_settings
from dupai.arena._store import Store
from dupai.base import ConfigError, NoProgress, Option, Progress
from dupai.jobs import Backend, stream
from dupai.stats import DEFAULT_BOUNDS, MIN_BLOCKS, Measure, Sprt, SprtState, by_deal, mbb_per_hand

#: Deals that are one unit of work between stateless agents.
SPRT_BLOCK = 100
#: Matches before which nothing is decided: their means are near normal much sooner than those of deals.
MIN_MATCHES = 20


def _bounds(text: str, folder: Path) -> tuple[float, float]:
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise ConfigError(f"--bounds {text!r}: expected two numbers as 0,0.05", key="bounds", text=text) from None
    return low, high


class SprtSettings(StakesSettings, frozen=True, kw_only=True):
    """Is NEW better than OLD? Heads-up duplicate deals until the answer is clear (sequential test).

    Each deal is played from both seats with fresh agents; its result is the mean of the two. The test (GSPRT) asks
    whether NEW wins HIGH or more, or LOW or less, in standard deviations of a deal, so no guess of the swings is
    needed. The defaults tell "no better" from "better by a twentieth of a deal's swing" in 2,000 to 3,500 deals; half
    the distance takes four times as many. Between LOW and HIGH either answer is fine and takes longest. Where an agent
    learns, or a fault or a clock carries over to later hands (--faults fold or end, --seconds-per-match), whole matches
    count instead of deals.

    With --luck-reduced the test looks at deals without their luck, and LOW and HIGH are in their smaller standard
    deviations: the same difference takes fewer deals, in proportion to the variance ratio. "plain" is then the mean of
    the same deals with their luck.

    Examples:

      dupai sprt style:TA style:LP

      dupai sprt rules:tight rules --bounds 0,0.02 --jobs 2 --json

      dupai sprt style:TA style:LP --results tests.db --resume

    Attributes:
        bounds: low and high mean per deal (or match), in standard deviations of one.
        alpha, beta: chance of "better" when the truth is low, and of "not better" when it is high.
        max_hands: hands at most, both seatings together.
        match_hands: deals of a match, where whole matches count.
    """

    arguments: ClassVar[tuple[tuple[str, str, bool], ...]] = (
        ("new", "The agent that may be better.", False),
        ("old", "The agent it is measured against.", False),
    )

    bounds: Annotated[
        tuple[float, float],
        Option("LOW,HIGH: mean per deal in standard deviations of a deal.", read=_bounds, text="0,0.05"),
    ] = DEFAULT_BOUNDS
    alpha: Annotated[float, Option("Chance of 'better' when the truth is LOW.")] = 0.05
    beta: Annotated[float, Option("Chance of 'not better' when the truth is HIGH.")] = 0.05
    max_hands: Annotated[int, Option("Stop undecided after so many hands, both seats together.", short="-n", low=2)] = (
        200_000
    )
    match_hands: Annotated[int | UnsetType, Option("Deals of a match, where whole matches count.", low=1)] = 1000
    luck_reduced: Annotated[bool, Option("Test the results without the luck of the cards.", short="-l")] = False


class SprtConfig(MatchConfig, frozen=True, kw_only=True):
    """A sequential test: its longest match, and the test (see :class:`SprtSettings`)."""

    bounds: tuple[float, float] = DEFAULT_BOUNDS
    alpha: float = 0.05
    beta: float = 0.05
    max_hands: int = 200_000


class SprtResult(PlayResult, frozen=True, kw_only=True):
    """A sequential test of ``new`` against ``old``.

    Attributes:
        new, old: their labels.
        bounds, alpha, beta: of the test; bounds in standard deviations of one ``unit``.
        unit: ``"deal"`` between stateless agents, else ``"match"`` (both seatings of all its deals, fresh agents).
        test: where it stands; its mean and deviation are in mbb/hand.
        mbb: what ``new`` wins. After a decision it overstates, because the test stopped when it was extreme: then it
            has no interval.
        partial: stopped by the user before a decision; without one and not ``partial``, all hands were played.
        stateless: every agent declares that a hand does not depend on earlier ones.
        plain: with ``config.luck_reduced`` the test, ``test`` and ``mbb`` are about deals without their luck; this is
            the mean of the same deals with it.
    """

    config: SprtConfig
    new: str
    old: str
    bounds: tuple[float, float]
    alpha: float
    beta: float
    unit: str
    test: SprtState
    mbb: Measure
    stateless: bool
    plain: Measure | None = None

    def headline(self) -> str:
        verdict = "undecided" if self.test.decision is None else self.test.decision
        won = f"{self.mbb.text(1)} mbb/hand (± 95 %)"
        return f"{self.new} against {self.old}: {verdict}, {won}; {PlayResult.headline(self)}"

    def as_table(self) -> tuple[tuple[str, ...], Sequence[tuple[str, ...]]]:
        test = self.test
        figures = (f"{x:+.2f}" for x in (test.llr, test.lower, test.upper))
        row = (self.new, self.mbb.text(1), *figures, f"{test.n:,}")
        return ("agent", "won, mbb/hand (± 95 %)", "LLR", "not better at", "better at", f"{self.unit}s"), [row]


def _plan(agents: Sequence[AgentSource], s: SprtSettings) -> tuple[tuple[Entrant, ...], SprtConfig]:
    shared = {key: getattr(s, key) for key in StakesSettings.__struct_fields__}
    entrants, match = plan_match(agents, MatchSettings(**shared, hands=s.max_hands // 2, duplicate=True, curve=0))
    test = Sprt(s.bounds, s.alpha, s.beta)
    made = msgspec.structs.asdict(match)
    if not deals_count(entrants, match):
        assert isinstance(s.match_hands, int)
        matches = s.max_hands // (2 * s.match_hands)
        if matches < MIN_MATCHES:
            raise ConfigError(
                f"max_hands = {s.max_hands}: an agent learns, or faults or a clock carry over from hand to hand, so "
                f"whole matches of 2 x {s.match_hands} hands count, and at least {MIN_MATCHES} of them: expected "
                f"{2 * s.match_hands * MIN_MATCHES} or more",
                key="max_hands",
            )
        made |= {"hands": s.match_hands, "matches": matches}
    return entrants, SprtConfig(**made, bounds=test.bounds, alpha=s.alpha, beta=s.beta, max_hands=s.max_hands)


class _Until:
    """The progress of a test, which ends when it is decided."""

    def __init__(self, test: Sprt, shown: Progress) -> None:
        self._test, self._shown = test, shown

    @property
    def cancelled(self) -> bool:
        return self._test.decision is not None or self._shown.cancelled

    def report(self, done: float, total: float | None, note: str = "") -> None:
        state = self._test.state
        self._shown.report(done, total, f"LLR {state.llr:+.2f} in [{state.lower:.2f}, {state.upper:.2f}]")


@takes_settings(SprtSettings)
def run_sprt(
    new: AgentSource,
    old: AgentSource,
    settings: SprtSettings | None = None,
    *,
    watch: Callable[[SprtState], None] | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    backend: Backend | str | None = None,
    store: Store | None = None,
    **options: Any,
) -> SprtResult:
    """Is ``new`` better than ``old``, heads-up? Play duplicate deals until :class:`dupai.stats.Sprt` decides.

    Between stateless agents each deal counts. An agent that learns makes the deals of a match depend on each other, and
    so do rules by which faults or a clock carry over: then a duplicate match of ``match_hands`` deals with fresh agents
    counts as one result, and bounds are in standard deviations of such a match.

    Args:
        new, old: specs, or factories that make a new agent each time they are called.
        settings: see :class:`SprtSettings`.
        watch: called with the state of the test after every block of deals.
        jobs, progress, backend, store: as for :func:`~dupai.arena.play_format`. The blocks of work are taken in their
            order, so the result does not depend on the number of jobs, or on being taken up again.
        options: fields of the settings.

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense.
    """
    made = made_settings(SprtSettings, settings, options)
    entrants, config = _plan((new, old), made)
    test, shown = _test(config, entrants), progress or NoProgress()
    log, config, tasks = SPRT.log(store, entrants, config, made.key)
    played = stream(
        play_seating, tasks, backend=backend, jobs=jobs, progress=_Until(test, shown), steps=config.max_hands,
        keeper=log,
    )  # fmt: skip
    result = sprt_result(config, (seating for _, seating in played), entrants, test, watch)
    result = msgspec.structs.replace(result, partial=test.decision is None and shown.cancelled)
    if log is not None and not result.partial:
        log.finish(result)
    return result


def sprt_result(
    config: SprtConfig,
    played: Iterable[Seating],
    entrants: Sequence[Entrant],
    test: Sprt | None = None,
    watch: Callable[[SprtState], None] | None = None,
) -> SprtResult:
    """The result of units of work, in whatever order they come; the ``test`` takes them in the order of deals."""
    single = deals_count(entrants, config)
    test = test or _test(config, entrants)
    units: list[Seating] = []
    counted: list[_Counted] = []
    waiting: dict[int, Seating] = {}
    following, whole = 0, True
    for seating in played:
        waiting[2 * (seating.match or seating.start // SPRT_BLOCK) + seating.rotation] = seating
        # Both seatings of the next block, in order, whatever came first.
        while test.decision is None and whole and following in waiting and following + 1 in waiting:
            pair = [waiting.pop(following), waiting.pop(following + 1)]
            following += 2
            # After a block that was stopped there would be a gap.
            whole = all(s.complete for s in pair)
            counted += _count(test, pair, config, single)
            units += pair
            if watch is not None:
                watch(test.state)
    return SprtResult(
        **common_facts(config, entrants, units),
        new=entrants[0].label,
        old=entrants[1].label,
        bounds=test.bounds,
        alpha=config.alpha,
        beta=config.beta,
        unit="deal" if single else "match",
        hands=sum(c.hands for c in counted),
        test=test.state,
        mbb=_mean(counted, test, single, 0),
        stateless=all(e.stateless for e in entrants),
        plain=_mean(counted, test, single, 1) if config.luck_reduced and counted else None,
    )


class _Counted(NamedTuple):
    """A deal in both seatings, or a match: what the new agent won in mbb/hand as it is tested, and with its luck."""

    mbb: float
    plain: float
    hands: int


def _mean(counted: Sequence[_Counted], test: Sprt, single: bool, column: int) -> Measure:
    """The mean of what was counted; a test that has decided stopped at an extreme, where no interval holds."""
    hands = [c.hands for c in counted]
    values = evened(np.array([[c[column]] for c in counted]).reshape(-1, 1), hands)[:, 0]
    measure = Measure.of(values, 1 if single or not hands else sum(hands) // len(hands))
    return measure if test.decision is None else msgspec.structs.replace(measure, low=None, high=None, needed=None)


def _test(config: SprtConfig, entrants: Sequence[Entrant]) -> Sprt:
    """The test before it begins."""
    least = MIN_BLOCKS if deals_count(entrants, config) else MIN_MATCHES
    return Sprt(config.bounds, config.alpha, config.beta, least)


def sprt_tasks(entrants: Sequence[Entrant], config: SprtConfig) -> list[SeatingTask]:
    """Both seatings of a block side by side."""
    both = tuple(entrants)
    if not deals_count(both, config):
        return [SeatingTask(both, config, r, match) for match in range(config.matches) for r in (0, 1)]
    return [
        SeatingTask(both, config, r, 0, start, min(start + SPRT_BLOCK, config.hands))
        for start in range(0, config.hands, SPRT_BLOCK)
        for r in (0, 1)
    ]


def _count(test: Sprt, pair: list[Seating], config: SprtConfig, single: bool) -> list[_Counted]:
    """Feed the test a block in the order of its deals; returns what counted."""
    without = [s.payoffs if s.luck is None else s.payoffs - config.game.split * s.luck for s in pair]
    deals = mbb_per_hand(by_deal(without)[:, 0], config.game)
    raw = mbb_per_hand(by_deal([s.payoffs for s in pair])[:, 0], config.game)
    if not single:
        if not all(s.complete for s in pair):
            return []
        # Deals that a fault has cut off count as nothing won: the mean of a few deals would swing as no match does.
        test.add(float(deals.sum()) / config.hands)
        return [_Counted(float(deals.mean()), float(raw.mean()), 2 * len(deals))]
    counted = []
    for value, with_luck in zip(deals.tolist(), raw.tolist(), strict=True):
        counted.append(_Counted(value, with_luck, 2))
        if test.add(value) is not None:
            break
    return counted


def _run(agents: Sequence[AgentSource], settings: SprtSettings, **options: Any) -> SprtResult:
    if len(agents) != 2:
        raise ConfigError(f"{len(agents)} players given: expected the new agent and the old one", key="agents")
    return run_sprt(agents[0], agents[1], settings, **options)


SPRT = Format(
    "sprt", SprtSettings, SprtConfig, SprtResult, Seating,
    work=play_seating, plan=_plan, tasks=sprt_tasks, summary=sprt_result, lines=seating_lines, run=_run,
)  # fmt: skip
