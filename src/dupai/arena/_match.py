"""Matches with stacks reset every hand, plain or duplicate: mbb/hand and its interval."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from dupai.arena._deals import state_of_deal
from dupai.arena._entrants import AgentSource, Entrant, entrants_of
from dupai.arena._format import Format, play_format, played_with
from dupai.arena._match_result import match_result
from dupai.arena._results import MatchConfig, MatchResult, MatchSettings
from dupai.arena._seating import Seating, SeatingTask, match_seatings, play_seating, seating_so_far
from dupai.arena._settings import check_count, made_settings, takes_settings
from dupai.base import ConfigError, NotationError, RulesError

#: Hands of a seating that make one unit of work where hands do not depend on each other.
BLOCK = 250
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
    """As :func:`match_config`."""
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
    return entrants, MatchConfig(**msgspec.structs.asdict(s) | played_with(entrants, spec) | made)


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


MATCH = Format(
    "match", MatchSettings, MatchConfig, MatchResult, Seating,
    work=play_seating, plan=plan_match, tasks=match_tasks, summary=match_result, lines=seating_lines,
    hands=lambda config: config.hands * config.matches * len(match_seatings(config)),
    begun=seating_so_far,
)  # fmt: skip
