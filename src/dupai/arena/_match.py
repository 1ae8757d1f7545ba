"""Matches with stacks reset every hand, plain or duplicate: mbb/hand and its interval."""

from __future__ import annotations

from collections.abc import Sequence

from dupai.arena._deals import state_of_deal
from dupai.arena._entrants import AgentSource, Entrant, entrants_of
from dupai.arena._hand import TableRules
from dupai.arena._match_result import match_result
from dupai.arena._results import MatchConfig, MatchResult
from dupai.arena._seating import Seating, SeatingTask, match_seatings, play_seating
from dupai.arena._store import Store, run_logged
from dupai.arena._tournament import MAX_SEED, check_count, check_stakes
from dupai.base import ConfigError, NoProgress, NotationError, Progress, RulesError
from dupai.jobs import Backend, LocalBackend
from dupai.rules import GameSpec, load_game

#: Hands of a seating that make one unit of work where hands do not depend on each other.
BLOCK = 250
#: Blocks of a learning curve unless told otherwise.
CURVE_BLOCKS = 20


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
    luck_reduced: bool = False,
    curve: int | None = None,
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
    if curve is not None:
        check_count("curve", curve, 0, hands)
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
        luck_reduced=luck_reduced,
        curve=min(CURVE_BLOCKS, hands) if curve is None and not all(e.stateless for e in entrants) else curve or 0,
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
    luck_reduced: bool = False,
    curve: int | None = None,
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
        luck_reduced: compute what was luck in every hand (cards of all; decisions of ``stateless`` agents that have a
            ``policy``), and give means without it, too.
        curve: a learning curve of so many blocks of hands (default: 20 where an agent may learn, else none).
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
        luck_reduced=luck_reduced,
        curve=curve,
    )
    tasks = match_tasks(entrants, config)
    shown = progress or NoProgress()
    total = config.hands * config.matches * len(match_seatings(config))
    log = store.log("match", config, len(tasks)) if store is not None else None

    def tick(done: float, played: int) -> bool:
        shown.report(played, total, f"{played:,} hands")
        return not shown.cancelled

    where = backend or LocalBackend(jobs)
    found = run_logged(where, play_seating, tasks, tick, log, Seating)
    result = match_result(entrants, config, [(tasks[i], found[i]) for i in sorted(found)])
    if log is not None and not result.partial:
        log.finish(result)
    return result


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
