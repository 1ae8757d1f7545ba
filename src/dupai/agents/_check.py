"""Is an agent fit to play? Legal answers in random spots, equal answers from equal random numbers, speed."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from dupai.agents._protocol import Agent, HasPolicy, MatchInfo
from dupai.agents._registry import agent_info, make_agent
from dupai.base import ConfigError, NoProgress, Printable, Progress, Rng, check_between, split_spec
from dupai.rules import FOLD, RAISE, Action, GameSpec, HandRecord, HandState, View
from dupai.spots import ActionDistribution

#: Hands that one agent object plays before the next match of a check.
_HANDS = 20
#: A check ends after so many exceptions.
_MOST_FAILED = 100


class CheckLine(msgspec.Struct, frozen=True, kw_only=True):
    """One check: ``ok`` is None if there is nothing to pass. ``text`` states the result."""

    name: str
    ok: bool | None
    text: str


class CheckReport(Printable, msgspec.Struct, frozen=True, kw_only=True):
    """All checks of one agent. ``microseconds`` is the median time of a decision by number of live opponents."""

    agent: str
    ok: bool
    views: int
    lines: tuple[CheckLine, ...]
    microseconds: dict[int, float]

    def headline(self) -> str:
        return f"{self.agent} {'passed' if self.ok else 'failed'}, {self.views:,} views"

    def as_table(self) -> tuple[tuple[str, ...], Sequence[tuple[str, ...]]]:
        words = {None: "-", True: "ok", False: "failed"}
        return ("check", "", "result"), [(line.name, words[line.ok], line.text) for line in self.lines]


class RandomSpot(NamedTuple):
    """One random spot: the match (a new one when ``match`` changes), the view, and hands that ended just before."""

    match: int
    info: MatchInfo
    view: View
    records: tuple[HandRecord, ...]


def random_game(rng: Rng, players: tuple[int, int] = (2, 10), bettings: tuple[str, ...] = ()) -> GameSpec:
    """A random game: number of players, betting (most often no-limit), blinds, antes and unequal stacks."""
    n = players[0] + rng.below(players[1] - players[0] + 1)
    known = bettings or ("no-limit", "limit")
    betting = known[0] if rng.below(3) else known[rng.below(len(known))]
    big = (2, 10, 40, 100)[rng.below(4)]
    ante = 0 if rng.below(3) else rng.below(big) + 1
    deep = (2, 20, 100, 400)[rng.below(4)]
    stacks = [big + rng.below(deep * big) for _ in range(n)]
    minimum = ("casino", "acpc")[rng.below(2)]
    blinds = (big // 2, big)
    if betting == "limit":
        return GameSpec.limit(n, blinds, (big, big, 2 * big, 2 * big), stacks, ante, min_raise=minimum)
    make = GameSpec.pot_limit if betting == "pot-limit" else GameSpec.no_limit
    return make(n, blinds, stacks, ante, min_raise=minimum)


def random_action(view: View, rng: Rng) -> Action:
    """Folds a little, calls mostly, raises sometimes, small rather than large, so that all streets are reached."""
    legal = view.legal
    u = rng.below(20)
    if u < 2 and legal.fold:
        return Action(FOLD)
    if u < 7 and legal.can_raise:
        width = legal.max_to - legal.min_to
        if rng.below(8):
            width = min(width, view.pot)
        return Action(RAISE, legal.min_to + rng.below(width + 1))
    return Action.call()


def random_spots(
    rng: Rng, views: int, players: tuple[int, int] = (2, 10), bettings: tuple[str, ...] = ()
) -> Iterator[RandomSpot]:
    """``views`` spots of random games, played at random by everybody, as one seat meets them."""
    match = count = 0
    while True:
        spec = random_game(rng, players, bettings)
        n = spec.players
        seat = rng.below(n)
        info = MatchInfo(spec=spec, seat=seat, names=tuple(f"player {i}" for i in range(n)))
        records: list[HandRecord] = []
        for hand in range(_HANDS):
            seats = tuple((p + hand) % n for p in range(n))
            me = seats.index(seat)
            state = HandState.deal(spec, rng, seats=seats, hand=hand)
            while not state.finished:
                view = state.view(state.actor)
                if state.actor == me:
                    if count == views:
                        return
                    yield RandomSpot(match, info, view, tuple(records))
                    records.clear()
                    count += 1
                state.apply(random_action(view, rng))
            records.append(state.record(info.names).for_seat(me))
        match += 1


@dataclass
class _Run:
    """What an agent did in all spots: actions (None: an exception), faults in words, nanoseconds by live opponents."""

    actions: list[Action | None] = field(default_factory=list)
    illegal: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    policy: list[str] = field(default_factory=list)
    policies: int = 0
    changed: int = 0
    times: dict[int, list[int]] = field(default_factory=dict)


def _is_legal(action: object, view: View) -> bool:
    if view.spec.betting == "limit" and action == Action(RAISE, 0):
        return view.legal.can_raise
    return view.legal.__contains__(action)


def _policy_fault(policy: ActionDistribution, action: Action, view: View) -> str | None:
    """What is wrong with a policy in a spot; None if nothing is."""
    legal = view.legal
    try:
        policy.checked()
    except ConfigError as error:
        return str(error)
    for point, p in policy.points:
        if p > 0.0 and not _is_legal(point, view):
            return f"probability {p:.3g} on {point}, legal: {legal}"
    for lo, hi, p in policy.spans:
        if p > 0.0 and not 0 < legal.min_to <= lo <= hi <= legal.max_to:
            return f"probability {p:.3g} on raises to {lo}..{hi}, legal: {legal}"
    return None if policy.probability(action) > 0.0 else f"it did {action}, which its policy never does"


def _play(spec: str, views: int, seed: int, watch: Progress, offset: int) -> _Run:
    """Put a fresh agent of ``spec`` into the spots of ``seed``; ``offset``: spots before them."""
    info = agent_info(split_spec(spec)[0])
    run = _Run()
    agent: Agent | None = None
    match = -1
    rng = Rng(seed, 1)
    for count, spot in enumerate(random_spots(Rng(seed), views, info.players, info.bettings)):
        view = spot.view
        try:
            if spot.match != match or agent is None:
                if agent is not None:
                    agent.close()
                agent, match = make_agent(spec), spot.match
                agent.start(spot.info)
            for record in spot.records:
                agent.observe(record)
            before = view.state.tobytes()
            start = time.perf_counter_ns()
            action = agent.act(view, rng)
            run.times.setdefault(view.folded.count(False) - 1, []).append(time.perf_counter_ns() - start)
            run.changed += view.state.tobytes() != before
            run.actions.append(action)
            if not _is_legal(action, view):
                run.illegal.append(f"{action} where legal is {view.legal}")
            elif isinstance(agent, HasPolicy):
                run.policies += 1
                if (fault := _policy_fault(agent.policy(view), action, view)) is not None:
                    run.policy.append(fault)
        except Exception as error:  # noqa: BLE001 - finding what the agent raises is the purpose of the check
            run.failed.append(f"{type(error).__name__}: {error}")
            run.actions.append(None)
            agent = None
            if len(run.failed) >= _MOST_FAILED:
                break
        if count % 50 == 0:
            watch.report(offset + count, 2 * views)
            if watch.cancelled:
                break
    if agent is not None:
        agent.close()
    return run


def check_agent(spec: str, views: int = 10_000, seed: int = 1, progress: Progress | None = None) -> CheckReport:
    """Put an agent into ``views`` random spots (random hands, games, stacks and numbers of players), twice.

    The checks: no exception; every answer legal; the same answers from fresh agents given the same random numbers;
    the view left unchanged; an exact policy, if there is one, that sums to 1, is legal and contains the answer. Speed
    is reported, not judged.

    Raises:
        NotationError, ConfigError, AgentError: there is no such agent or it cannot be made.
    """
    check_between("views", views, 1, None)
    watch = progress or NoProgress()
    make_agent(spec)
    first, second = (_play(spec, views, seed, watch, offset) for offset in (0, views))
    total = len(first.actions)

    def line(name: str, faults: list[str], good: str) -> CheckLine:
        text = good if not faults else f"{len(faults):,} of {total:,} views, first: {faults[0]}"
        return CheckLine(name=name, ok=not faults, text=text)

    answers = zip(first.actions, second.actions, strict=False)
    lines = [
        line("runs", first.failed, f"no exception in {total:,} views"),
        line("legal", first.illegal, f"every answer legal in {total:,} views"),
        line("determinism", [f"{a} then {b}" for a, b in answers if a != b], "same random numbers, same answers"),
        line("view", ["the state array was written to"] * first.changed, "left as it was"),
    ]
    if first.policies:
        lines.append(
            line("policy", first.policy, f"sums to 1, is legal and holds the answer in {first.policies:,} views")
        )
    else:
        lines.append(CheckLine(name="policy", ok=None, text="gives none"))
    speed = {k: statistics.median(t) / 1000 for k, t in sorted(first.times.items())}
    medians = ", ".join(f"{k} {'opponent' if k == 1 else 'opponents'} {us:.3g} µs" for k, us in speed.items())
    lines.append(CheckLine(name="speed", ok=None, text=f"median of a decision: {medians or 'none made'}"))
    ok = all(one.ok is not False for one in lines)
    return CheckReport(agent=spec, ok=ok, views=total, lines=tuple(lines), microseconds=speed)
