"""Matches with stacks reset every hand, plain or duplicate: mbb/hand and its interval."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.arena._entrants import AgentSource, Entrant, entrants_of
from dupai.arena._format import Format, play_format, played_with
from dupai.arena._results import (
    NOTHING,
    CurveBlock,
    CurvePoint,
    LuckReduced,
    MatchConfig,
    MatchPlayer,
    MatchResult,
    MatchSettings,
    common_facts,
    with_times,
)
from dupai.arena._seating import Seating, SeatingTask, match_seatings, play_seating, seating_so_far
from dupai.arena._settings import PlaySettings, check_count, made_settings, state_of_deal, takes_settings
from dupai.base import ConfigError, Estimate, NotationError, RulesError
from dupai.stats import Measure, hands_wanted, mean_intervals

#: Hands of a seating that make one unit of work where hands do not depend on each other.
BLOCK = 250
#: Hands after which the blocks of the first one end: seatings take turns soon, so that a match that is stopped early
#: has pairs.
_FIRST_ENDS = (10, 30, 60, 120)
#: Blocks of a learning curve by default.
CURVE_BLOCKS = 20


@takes_settings(MatchSettings, plays=False)
def match_config(
    agents: Sequence[AgentSource], settings: MatchSettings | None = None, **options: Any
) -> tuple[tuple[Entrant, ...], MatchConfig]:
    """Everything about a match, checked; arguments as for :func:`play_match`.

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense.
    """
    return plan_match(agents, made_settings(MatchSettings, settings, options))


def plan_match(agents: Sequence[AgentSource], s: MatchSettings) -> tuple[tuple[Entrant, ...], MatchConfig]:
    """The checked settings of a match, as :func:`match_config` makes them."""
    hands = (len(s.deals) or 3000) if s.hands is None else s.hands
    if s.curve is not None:
        check_count("curve", s.curve, 0, hands)
    if not 2 <= len(agents) <= 10:
        entrants_of(agents)
    if s.permutations and len(agents) > 3:
        raise ConfigError(f"permutations of {len(agents)} players: expected at most 3 (rotations take any number)")
    spec = s.spec(len(agents))
    if s.deals:
        if hands > len(s.deals):
            raise ConfigError(f"hands = {hands}: the file of deals has {len(s.deals)}", key="hands")
        if s.matches > 1:
            raise ConfigError(f"matches = {s.matches}: expected 1 with given deals, which would be the same in each")
        for number, text in enumerate(s.deals, 1):
            try:
                state_of_deal(spec, text)
            except (NotationError, RulesError) as error:
                raise ConfigError(f"deal {number}, {text!r}: {error}", key="deals", text=text) from None
    entrants = entrants_of(agents, betting=spec.betting)
    learns = not all(e.stateless for e in entrants)
    made = {
        "hands": hands,
        "duplicate": s.duplicate or s.permutations,
        "deals": tuple(s.deals[:hands]),
        "curve": min(CURVE_BLOCKS, hands) if s.curve is None and learns else s.curve or 0,
    }
    return entrants, MatchConfig(**msgspec.structs.asdict(s) | played_with(entrants, spec, s.key) | made)


def deals_count(entrants: Iterable[Entrant], config: PlaySettings) -> bool:
    """Whether deals do not depend on earlier ones, so that each counts by itself; else whole matches count. They do
    where an agent learns, and where faults or a clock carry over from hand to hand."""
    return all(e.stateless for e in entrants) and not config.rules.match_long


def match_tasks(entrants: Sequence[Entrant], config: MatchConfig, table: int = 0) -> list[SeatingTask]:
    """The units of work: blocks of :data:`BLOCK` hands between stateless agents, whole seatings else.

    Who is asked no more, or has used up a clock, depends on earlier hands: then seatings stay whole, too.
    """
    ends = [config.hands]
    if deals_count(entrants, config):
        ends = [*(end for end in (*_FIRST_ENDS, *range(BLOCK, config.hands, BLOCK)) if end < config.hands), *ends]
    return [
        SeatingTask(tuple(entrants), config, r, m, start, end, table)
        for m in range(config.matches)
        for start, end in pairwise((0, *ends))
        for r in range(len(match_seatings(config)))
    ]


@takes_settings(MatchSettings)
def play_match(agents: Sequence[AgentSource], settings: MatchSettings | None = None, **options: Any) -> MatchResult:
    """Play a match with stacks reset every hand (ACPC style) and measure what each player won per hand.

    Args:
        agents: 2 to 10 specs, or factories that make a new agent each time they are called.
        settings: see :class:`MatchSettings`.
        options: fields of the settings; ``jobs``, ``progress``, ``backend`` and ``store`` as for
            :func:`~dupai.arena.play_format`.

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense.
    """
    return play_format(MATCH, agents, settings, **options)


def play(*agents: AgentSource, duplicate: bool = True, **options: Any) -> MatchResult:
    """``dupai.play("rules", "style:TA", hands=1000)``: a match with stacks reset every hand.

    Each deal is played in all rotations of the seats unless ``duplicate`` is False. Two players give a heads-up match,
    up to ten a full table. The result prints as a table, in notebooks too.

    Args:
        agents: specs, or factories that make a new agent each time they are called.
        duplicate: every deal in all rotations of the seats.
        options: as for :func:`play_match`, such as ``hands`` (3,000), ``seed`` (1), ``game``, ``jobs``.

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense.
    """
    return play_match(agents, duplicate=duplicate, **options)


def seating_lines(config: Mapping[str, Any], units: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    """A line for each player in each hand."""
    reduced = bool(config.get("luck_reduced"))
    yield ("table", "match", "seating", "deal", "agent", "chips", *(("luck",) if reduced else ()))
    split = 2520 if config["game"]["odd_chips"] == "acpc" else 1
    for unit in units:
        at = (unit["table"] + 1, unit["match"] + 1, unit["rotation"] + 1)
        for k, payoffs in enumerate(unit["payoffs"]):
            for seat, (agent, won) in enumerate(zip(unit["agents"], payoffs, strict=True)):
                luck = (f"{unit['luck'][k][seat]:.12g}",) if reduced else ()
                yield *at, unit["start"] + 1 + k, agent, f"{won / split:.12g}", *luck


F64 = npt.NDArray[np.float64]
Played = Sequence[Seating]


@dataclass
class _Measured:
    """Results by match, deal and entrant, added up over so many ``rotations``: ``payoffs`` in 1/``split`` chips,
    ``luck`` in chips (None: not asked for); ``counted``: which deals every one of them has played; ``ended``: matches
    that a fault may have ended before their last deal, played as far as they go."""

    config: MatchConfig
    payoffs: npt.NDArray[np.int64]
    luck: F64 | None
    counted: npt.NDArray[np.bool_]
    ended: npt.NDArray[np.bool_]
    rotations: int

    @property
    def _scale(self) -> float:
        # Whole units until here, so that players who win what they lose have exactly 0.
        game = self.config.game
        return game.split * self.rotations * game.big_blind / 1000

    def deals(self, first: int = 0, last: int | None = None, *, reduced: bool = False) -> F64:
        """mbb/hand of the deals that count, ``float64[deals, players]``, match by match; of hands ``first`` (0 is the
        first) to ``last``."""
        counted = self.counted[:, first:last]
        if reduced and self.luck is not None:
            won = self.payoffs[:, first:last][counted] / self.config.game.split - self.luck[:, first:last][counted]
            return np.asarray(won / (self._scale / self.config.game.split))
        return np.asarray(self.payoffs[:, first:last][counted] / self._scale)

    def matches(self, first: int = 0, last: int | None = None, *, reduced: bool = False) -> F64:
        """The same as means of the matches, ``float64[matches, players]``, evened out by :func:`evened`."""
        split, part = self.config.game.split, slice(first, last)
        rows, chosen = [], self.whole(first, last)
        for m in np.flatnonzero(chosen):
            counts = self.counted[m, part]
            won = self.payoffs[m, part][counts].sum(axis=0) / counts.sum()
            if reduced and self.luck is not None:
                won = won - split * self.luck[m, part][counts].sum(axis=0) / counts.sum()
            rows.append(won)
        means = np.array(rows, np.float64).reshape(-1, len(self.config.labels)) / self._scale
        return evened(means, self.counted[chosen, part].sum(axis=1))

    def whole(self, first: int = 0, last: int | None = None) -> npt.NDArray[np.bool_]:
        """Which matches count, ``bool[matches]``: those that have played all of these hands, or as many as there were
        until a fault ended them; where there is none, all that have begun."""
        part = self.counted[:, first:last]
        begun: npt.NDArray[np.bool_] = np.asarray(part.any(axis=1))
        whole = begun & (self.ended | part.all(axis=1))
        return whole if whole.any() else begun

    def units(self, stateless: bool, first: int = 0, last: int | None = None, *, reduced: bool = False) -> F64:
        """Independent values: a row a deal, or a match where agents may learn."""
        rows = self.deals if stateless else self.matches
        return rows(first, last, reduced=reduced)

    def measures(
        self, stateless: bool, first: int = 0, last: int | None = None, *, reduced: bool = False
    ) -> list[Measure]:
        """What every player won in these hands, with the interval by :meth:`units`."""
        units = [self.units(stateless, first, last, reduced=reduced)]
        measures = mean_intervals(units, self.unit_hands(stateless, first, last))
        deals = mean_intervals([self.deals(first, last, reduced=reduced)])
        return [one.with_deals(other) for one, other in zip(measures, deals, strict=True)]

    def unit_hands(self, stateless: bool, first: int = 0, last: int | None = None) -> int:
        """Hands that a row of :meth:`units` is the mean of; where matches differ, on average."""
        if stateless:
            return 1
        deals = self.counted[self.whole(first, last), first:last]
        return self.rotations * (int(deals.sum()) // max(len(deals), 1))


def evened(means: F64, hands: npt.ArrayLike) -> F64:
    """Means of matches, ``float64[matches, players]``, such that their mean is that of all hands: where matches differ
    in length, how far each is from it counts in proportion to its ``hands``."""
    weights = np.asarray(hands, np.float64)
    if len(set(weights.tolist())) <= 1:
        return means
    mean = weights @ means / weights.sum()
    return np.asarray(mean + (means - mean) * (weights / weights.mean())[:, None])


def _measured(config: MatchConfig, played: Played) -> _Measured:
    n, seatings = len(config.labels), len(match_seatings(config))
    shape = (config.matches, config.hands, n)
    payoffs = np.zeros(shape, np.int64)
    luck = np.zeros(shape) if config.luck_reduced else None
    seen = np.zeros((seatings, config.matches, config.hands), np.bool_)
    over = np.zeros((seatings, config.matches), np.bool_)
    for s in played:
        seen[s.rotation, s.match, s.start : s.start + len(s.payoffs)] = True
        # Under this rule a unit of work is a whole seating.
        over[s.rotation, s.match] = s.complete and config.rules.faults == "end"
    # Stopped: the deals that every seating has played count.
    counted: npt.NDArray[np.bool_] = np.asarray(seen.all(axis=0))
    rotations = seatings
    if not counted.any() and seatings > 1:
        counted, rotations = seen[0], 1
    # In the order of the work, whatever came first: sums of floats depend on it.
    for s in sorted(played, key=_place):
        if s.rotation < rotations:
            where = slice(s.start, s.start + len(s.payoffs))
            payoffs[s.match, where] += s.payoffs
            if luck is not None and s.luck is not None:
                luck[s.match, where] += s.luck
    return _Measured(config, payoffs, luck, counted, np.asarray(over[:rotations].all(axis=0)), rotations)


def match_values(
    config: MatchConfig, played: Played, *, by_deal: bool, reduced: bool = False
) -> npt.NDArray[np.float64]:
    """What the intervals of a match that is played to its end count: ``float64[units, players]`` in mbb/hand.

    Args:
        by_deal: a unit is a deal; else a match.
        reduced: without luck.
    """
    return _measured(config, played).units(by_deal, reduced=reduced)


def match_result(config: MatchConfig, played: Played, entrants: Sequence[Entrant]) -> MatchResult:
    """The result of blocks of a match, however many of them."""
    measured = _measured(config, played)
    by_deal = deals_count(entrants, config)
    paired = config.duplicate and measured.rotations > 1
    # Units and not hands: a match that a fault has ended is played.
    partial = len(played) < len(match_tasks(entrants, config)) or not all(s.complete for s in played)
    curve = _curve(measured, by_deal) if config.curve else ()
    if not by_deal:
        # A match that was cut short is no sample of matches.
        measured.counted = measured.counted & measured.whole()[:, None]
    deals = int(measured.counted.sum())
    in_order: Played = sorted(played, key=_place)
    result = MatchResult(
        **common_facts(config, entrants, in_order),
        pairing=_pairing(config, measured.rotations if paired else 0),
        unit=("deal" if paired else "hand") if by_deal else "match",
        hands=deals * measured.rotations,
        deals=deals,
        players=_players(entrants, measured, played, by_deal),
        partial=partial,
        stateless=all(e.stateless for e in entrants),
        curve=curve,
    )
    return with_times(result, {e.label: [s.times[k] for s in played if s.times] for k, e in enumerate(entrants)})


def _place(seating: Seating) -> tuple[int, int, int]:
    """Sorts units of work by where they belong."""
    return seating.match, seating.rotation, seating.start


def luck_reduced_of(plain: Measure, reduced: Measure, hands_per_unit: int, decisions: bool) -> LuckReduced:
    """A measure without luck beside the plain one of the same units."""
    ratio = (reduced.se / plain.se) ** 2 if plain.se and reduced.se is not None else None
    return LuckReduced(
        mbb=reduced, variance_ratio=ratio, hands_for_10_mbb=_wanted(reduced, hands_per_unit), decisions=decisions
    )


def _wanted(mbb: Measure, hands_per_unit: int) -> int | None:
    return hands_wanted(Estimate(mbb.mean, mbb.se or 0.0, mbb.n), hands_per_block=hands_per_unit)


def _players(
    entrants: Sequence[Entrant], measured: _Measured, played: Played, stateless: bool
) -> tuple[MatchPlayer, ...]:
    config = measured.config
    per_unit = measured.rotations if stateless else measured.unit_hands(stateless)
    plain = measured.measures(stateless) or [NOTHING] * len(entrants)
    reduced = measured.measures(stateless, reduced=True) or plain if config.luck_reduced else None
    rows = []
    for k, entrant in enumerate(entrants):
        mbb = plain[k]
        decisions = bool(played) and all(s.decisions[k] for s in played if s.decisions)
        rows.append(
            MatchPlayer(
                agent=entrant.label,
                chips=int(measured.payoffs[measured.counted][:, k].sum()) / config.game.split,
                mbb=mbb,
                hands_for_10_mbb=_wanted(mbb, per_unit),
                faults=sum(s.fault_counts[k] for s in played),
                luck_reduced=None if reduced is None else luck_reduced_of(mbb, reduced[k], per_unit, decisions),
            )
        )
    return tuple(rows)


def _curve(measured: _Measured, stateless: bool) -> tuple[CurveBlock, ...]:
    """The learning curve: as many blocks of as equal a size as can be, those that are not begun left out."""
    config = measured.config
    edges = [round(k * config.hands / config.curve) for k in range(config.curve + 1)]
    blocks = []
    for first, last in pairwise(edges):
        deals = int(measured.counted[:, first:last].sum())
        if not deals:
            continue
        values = {"mbb": measured.measures(stateless, first, last), "cumulative": measured.measures(stateless, 0, last)}
        if config.luck_reduced:
            values["luck_reduced"] = measured.measures(stateless, first, last, reduced=True)
            values["cumulative_luck_reduced"] = measured.measures(stateless, 0, last, reduced=True)
        points = tuple(
            CurvePoint(agent=label, **{key: measures[k] for key, measures in values.items()})
            for k, label in enumerate(config.labels)
        )
        blocks.append(CurveBlock(first=first + 1, last=last, deals=deals, players=points))
    return tuple(blocks)


def _pairing(config: MatchConfig, rotations: int) -> str:
    if not rotations:
        return "no pairing: every deal once" + (", the other seating was not played" if config.duplicate else "")
    n = len(config.labels)
    seats = "both seatings" if n == 2 else f"all {rotations} {'permutations' if config.permutations else 'rotations'}"
    return f"every deal in {seats} of the seats (duplicate), each a match of its own with fresh agents"


MATCH = Format(
    "match", MatchSettings, MatchConfig, MatchResult, Seating,
    work=play_seating, plan=plan_match, tasks=match_tasks, summary=match_result, lines=seating_lines,
    hands=lambda config: config.hands * config.matches * len(match_seatings(config)),
    begun=seating_so_far,
)  # fmt: skip
