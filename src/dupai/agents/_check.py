"""Is an agent fit to play? Legal answers in random spots, equal answers from equal random numbers, what it declares."""

from __future__ import annotations

import math
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import msgspec

from dupai.agents._advise import answer_fault, choices_fault
from dupai.agents._guard import seated_agent
from dupai.agents._protocol import AgentFailure, MatchInfo
from dupai.agents._registry import agent_info, spec_traits
from dupai.agents._seat import AGENT_ERRORS, Seat, fault_text
from dupai.base import ConfigError, NoProgress, Printable, Progress, Rng
from dupai.base.specs import check_between, split_spec
from dupai.base.text import duration
from dupai.rules import FOLD, RAISE, STREET_PHRASES, Action, GameSpec, HandRecord, HandState, View
from dupai.spots import ActionDistribution

#: Hands that one agent object plays before the next match of a check.
_HANDS = 20
#: A check ends after so many exceptions, or after fewer where an agent has not answered once.
_MAX_FAILED, _NEVER_ANSWERED = 100, 10
#: Seconds for a decision where the caller names no clock: the average of the ACPC's matches.
USUAL_SECONDS = 7.0
#: Views before the clock counts: an agent may compile or load what it needs.
_WARM = 30
#: Seconds at most for each check that asks an agent the same view again.
_REPEAT_SECONDS = 10.0
#: Claims to be stateless: views before the comparison, views compared, and random numbers tried in each.
_HISTORY, _COMPARED, _SEEDS = 400, 100, 4
#: Policies: views in which draws are repeated, draws in each, and classes of equal probability.
_REPEATED, _DRAWS, _CLASSES = 40, 200, 10
#: A deviation that chance does not give in a million checks, in standard deviations.
_TOO_FAR = 5.0


class CheckLine(msgspec.Struct, frozen=True, kw_only=True):
    """One check: ``ok`` is None if there is nothing to pass. ``text`` states the result."""

    name: str
    ok: bool | None
    text: str


class CheckReport(Printable, msgspec.Struct, frozen=True, kw_only=True):
    """All checks of one agent. ``microseconds`` is the median time of a decision by number of live opponents,
    ``unchecked`` what the checks say nothing about."""

    agent: str
    ok: bool
    views: int
    lines: tuple[CheckLine, ...]
    microseconds: dict[int, float]
    unchecked: tuple[str, ...] = ()

    def headline(self) -> str:
        return f"{self.agent} {'passed' if self.ok else 'failed'}, {self.views:,} views"

    def as_table(self) -> tuple[tuple[str, ...], Sequence[tuple[str, ...]]]:
        words = {None: "-", True: "ok", False: "failed"}
        return ("check", "", "result"), [(line.name, words[line.ok], line.text) for line in self.lines]


class RandomSpot(NamedTuple):
    """One random spot: the match (a new one when ``match`` changes), the view, hands that ended just before, and what
    this seat saw at the beginning of the hand, where it is the first spot in it."""

    match: int
    info: MatchInfo
    view: View
    records: tuple[HandRecord, ...]
    begin: View | None = None


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
    rng: Rng,
    views: int,
    players: tuple[int, int] = (2, 10),
    bettings: tuple[str, ...] = (),
    *,
    hands: int = _HANDS,
    seconds: float | None = None,
) -> Iterator[RandomSpot]:
    """``views`` spots of random games, played at random by everybody, as one seat meets them; a new match after
    ``hands`` hands. ``seconds``: the clock that the agents are told."""
    match = count = 0
    while True:
        spec = random_game(rng, players, bettings)
        n = spec.players
        seat = rng.below(n)
        info = MatchInfo(spec=spec, seat=seat, names=tuple(f"player {i}" for i in range(n)), seconds_per_action=seconds)
        records: list[HandRecord] = []
        for hand in range(hands):
            seats = tuple((p + hand) % n for p in range(n))
            me = seats.index(seat)
            state = HandState.deal(spec, rng, seats=seats, hand=hand)
            begin: View | None = state.view(me)
            while not state.finished:
                view = state.view(state.actor)
                if state.actor == me:
                    if count == views:
                        return
                    yield RandomSpot(match, info, view, tuple(records), begin)
                    begin = None
                    records.clear()
                    count += 1
                state.apply(random_action(view, rng))
            records.append(state.record(info.names).seen_by(me))
        match += 1


@dataclass
class _Run:
    """What an agent did in all spots: actions (None: an exception), how many of them are answers, faults in words,
    nanoseconds by live opponents."""

    actions: list[Action | None] = field(default_factory=list)
    answers: int = 0
    illegal: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    policy: list[str] = field(default_factory=list)
    policies: int = 0
    changed: int = 0
    slow: list[str] = field(default_factory=list)
    ranks: dict[int, list[float]] = field(default_factory=dict)
    times: dict[int, list[int]] = field(default_factory=dict)


def _policy_fault(policy: ActionDistribution, action: Action, view: View) -> str | None:
    """What is wrong with a policy in a spot; None if nothing is."""
    try:
        policy.checked()
    except ConfigError as error:
        return str(error)
    if (fault := choices_fault((*policy.points, *((span, span.p) for span in policy.spans)), view)) is not None:
        return fault
    return None if policy.probability(action) > 0.0 else f"it did {action}, which its policy never does"


def _rank(policy: ActionDistribution, action: Action, u: float) -> float:
    """Where an action stands in the order fold, call, smaller to larger raises, as a share of the probability before
    it, and ``u`` of its own: uniform in [0, 1) where actions are drawn from the policy."""
    below = sum(p for other, p in policy.points if tuple(other) < tuple(action))
    if action.kind == RAISE:
        for lo, hi, p in policy.spans:
            below += p * min(max(action.to - lo, 0), hi - lo + 1) / (hi - lo + 1)
    return below + u * policy.probability(action)


def _surprise(ranks: Sequence[float]) -> float:
    """How far ranks are from uniform: chi-squared over classes of equal probability."""
    expected = len(ranks) / _CLASSES
    counts = Counter(min(int(rank * _CLASSES), _CLASSES - 1) for rank in ranks)
    return sum((counts[k] - expected) ** 2 for k in range(_CLASSES)) / expected


def _deviations(chi_squared: float, freedom: int) -> float:
    """A chi-squared in standard deviations (E. B. Wilson and M. M. Hilferty, 1931)."""
    width = 2 / (9 * freedom)
    return float(((chi_squared / freedom) ** (1 / 3) - (1 - width)) / math.sqrt(width))


@dataclass(frozen=True)
class _Checked:
    """The agent that is checked: how to make one, and the spots that suit it."""

    spec: str
    seed: int
    seconds: float | None

    def seat(self, info: MatchInfo | None = None) -> Seat:
        """A fresh agent, in the match of ``info`` if there is one."""
        seat = Seat(partial(seated_agent, self.spec), split_spec(self.spec)[0], on_fault=_raised)
        if info is not None:
            seat.start(info)
        return seat

    def spots(self, stream: int, views: int, hands: int = _HANDS) -> Iterator[RandomSpot]:
        info = agent_info(split_spec(self.spec)[0])
        rng = Rng(self.seed, stream) if stream else Rng(self.seed)
        return random_spots(rng, views, info.players, info.bettings, hands=hands, seconds=self.seconds)


def _raised(during: str, error: BaseException) -> None:
    """Errors are counted as the agent raised them."""
    raise error


def _see(seat: Seat, spot: RandomSpot) -> None:
    """Tell an agent what happened before a spot."""
    for record in spot.records:
        seat.observe(record)
    if spot.begin is not None:
        seat.begin(spot.begin)


def _leave(seat: Seat | None, run: _Run) -> None:
    """Close the agent of a match; an error there is one of the run, and takes no view from it."""
    try:
        if seat is not None:
            seat.close()
    except AGENT_ERRORS as error:
        run.failed.append(fault_text(error))


def _play(checked: _Checked, views: int, watch: Progress, offset: int) -> _Run:
    """Put a fresh agent into the spots of the seed; ``offset``: spots before them."""
    run = _Run()
    seat: Seat | None = None
    match = -1
    luck = Rng(checked.seed, 4)
    limit = checked.seconds or USUAL_SECONDS
    for count, spot in enumerate(checked.spots(0, views)):
        view = spot.view
        try:
            if spot.match != match or seat is None:
                _leave(seat, run)
                seat, match = checked.seat(spot.info), spot.match
            _see(seat, spot)
            before, spent, opponents = view.state.tobytes(), seat.seconds, view.folded.count(False) - 1
            try:
                # A stream for each view: what an agent drew before it failed is not known here, and from where it
                # began it would fail in the same way in all views that follow.
                action: Any = seat.ask(view, Rng(checked.seed, 1, count))
            finally:
                took = seat.seconds - spent
                if took > limit:
                    run.slow.append(f"{took:.2f} s with {opponents} opponents, street {view.street}")
            run.answers += 1
            run.times.setdefault(opponents, []).append(round(took * 1e9))
            run.changed += view.state.tobytes() != before or getattr(seat.agent, "changed", False)
            run.actions.append(action)
            if (fault := answer_fault(action, view)) is not None:
                run.illegal.append(fault)
            elif seat.can.policy:
                run.policies += 1
                policy = seat.policy(view)
                if (fault := _policy_fault(policy, action, view)) is not None:
                    run.policy.append(fault)
                run.ranks.setdefault(view.street, []).append(_rank(policy, action, luck.uniform()))
        except (Exception, SystemExit) as error:  # noqa: BLE001 - finding what the agent raises is the purpose
            run.failed.append(fault_text(error))
            run.actions.append(None)
            if not isinstance(error, AgentFailure):
                seat = None
            if len(run.failed) >= (_MAX_FAILED if run.answers else _NEVER_ANSWERED):
                break
        if count % 50 == 0:
            watch.report(offset + count, 2 * views)
            if watch.cancelled:
                break
    _leave(seat, run)
    return run


def _stray(run: _Run) -> list[str]:
    """Streets on which the answers of a run do not follow the policy."""
    strays = []
    for street, ranks in sorted(run.ranks.items()):
        if len(ranks) >= 10 * _CLASSES and _deviations(_surprise(ranks), _CLASSES - 1) > _TOO_FAR:
            strays.append(f"{len(ranks):,} answers {STREET_PHRASES[street]} do not follow its policy")
    return strays


def _repeated(checked: _Checked, watch: Progress) -> tuple[list[str], int]:
    """Ask a stateless agent with a policy the same views many times: what does not match, and how many views."""
    total, worst, where, count = 0.0, 0.0, "", 0
    by = time.monotonic() + _REPEAT_SECONDS
    seat, match = checked.seat(), -1
    for spot in checked.spots(2, 50 * _REPEATED):
        if count == _REPEATED or time.monotonic() > by or watch.cancelled:
            break
        if spot.match != match:
            seat.close()
            seat, match = checked.seat(spot.info), spot.match
        policy, rng, luck = seat.policy(spot.view), Rng(checked.seed, 2, count), Rng(checked.seed, 3, count)
        if max((p for _, p in policy.points), default=0.0) > 0.99:
            continue
        ranks = [_rank(policy, seat.ask(spot.view, rng), luck.uniform()) for _ in range(_DRAWS)]
        surprise = _surprise(ranks)
        total, count = total + surprise, count + 1
        if surprise > worst:
            worst, where = surprise, str(spot.view.legal)
    seat.close()
    if not count:
        return [], 0
    freedom = _CLASSES - 1
    if max(_deviations(total, freedom * count), _deviations(worst, freedom)) <= _TOO_FAR:
        return [], count
    return [f"{_DRAWS} answers in one view do not follow its policy (legal: {where})"], count


def _remembers(checked: _Checked, watch: Progress) -> tuple[list[str], int]:
    """Compare an agent that has played and watched a match with one that has not: the views in which they differ, and
    how many were compared."""
    differ: list[str] = []
    compared = 0
    by = time.monotonic() + _REPEAT_SECONDS
    seats: list[Seat] = []
    for count, spot in enumerate(checked.spots(5, _HISTORY + _COMPARED, hands=10 * (_HISTORY + _COMPARED))):
        if time.monotonic() > by or watch.cancelled:
            break
        seats = seats or [checked.seat(spot.info), checked.seat(spot.info)]
        old, fresh = seats
        _see(old, spot)
        if count < _HISTORY:
            old.ask(spot.view, Rng(checked.seed, 5, count))
            continue
        compared += 1
        for k in range(_SEEDS):
            a, b = (seat.ask(spot.view, Rng(checked.seed, 6, count, k)) for seat in seats)
            if a != b:
                differ.append(f"{a} after {spot.view.hand} hands, {b} without them, in the same view")
                break
        else:
            if old.can.policy:
                before, after = old.policy(spot.view), fresh.policy(spot.view)
                if before != after:
                    differ.append(f"policy {before} after {spot.view.hand} hands, {after} without them")
    for seat in seats:
        seat.close()
    return differ, compared


_NOT_ASKED: tuple[list[str], int] = ([], 0)


def _asked(
    check: Callable[[_Checked, Progress], tuple[list[str], int]], c: _Checked, w: Progress
) -> tuple[list[str], int]:
    try:
        return check(c, w)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - an agent that fails has failed before
        return [f"{type(error).__name__}: {error}"], 1


def check_agent(
    spec: str,
    views: int = 10_000,
    seed: int = 1,
    progress: Progress | None = None,
    *,
    seconds: float | None = None,
) -> CheckReport:
    """Put an agent into ``views`` random spots (random hands, games, stacks and numbers of players), twice.

    The checks: no exception; every answer legal; the same answers from fresh agents given the same random numbers; the
    view left unchanged; the clock kept. Of an exact policy: it sums to 1, is legal, contains the answer, and answers
    follow it (over all views, and in repeated draws in one view where the agent is stateless). Of an agent that
    declares itself ``stateless``: it answers the same after :data:`_HISTORY` views and the hands between them as
    without. Speed is reported, not judged. The report says what was not checked.

    Args:
        seconds: the clock of a decision, which the agent is told; None: it is told none, and judged by
            :data:`USUAL_SECONDS`.

    Raises:
        NotationError, ConfigError, AgentError: there is no such agent or it cannot be made.
    """
    check_between("views", views, 1, None)
    watch = progress or NoProgress()
    checked = _Checked(spec, seed, seconds)
    with closing(checked.seat()) as seat:
        stateless, can = spec_traits(spec).stateless, seat.can
    _play(checked, min(views, _WARM), watch, 0)
    first, second = (_play(checked, views, watch, offset) for offset in (0, views))
    unsteady = [f"{a} then {b}" for a, b in zip(first.actions, second.actions, strict=False) if a != b]
    fit = not (first.failed or first.illegal or unsteady or watch.cancelled)
    remembers, compared = _asked(_remembers, checked, watch) if fit and stateless else _NOT_ASKED
    follows, repeated = _NOT_ASKED
    if fit and stateless and first.policies and not (first.policy or remembers):
        follows, repeated = _asked(_repeated, checked, watch)
    total = len(first.actions)
    lines = [
        _line("runs", first.failed, f"no exception in {total:,} views", total),
        _line("legal", first.illegal, f"every answer legal in {first.answers:,} views", first.answers),
        _line("determinism", unsteady, "same random numbers, same answers", min(first.answers, second.answers)),
        _line("view", ["the state array was written to"] * first.changed, "left as it was", first.answers),
        _line("clock", first.slow, f"every answer within {seconds or USUAL_SECONDS:g} s", total),
        _policy_line(first, follows),
    ]
    unchecked = ["strength", "memory", "opponents who do not act at random"]
    if not first.policies:
        unchecked.append("its probabilities (it has no policy)")
    elif not repeated:
        unchecked.append("its policy in repeated draws" + ("" if stateless else " (it is not stateless)"))
    if compared:
        good = f"same answers with and without {_HISTORY} decisions before, in {compared} views"
        lines.append(_line("stateless", remembers, good, compared))
    elif stateless:
        unchecked.append("that it is stateless")
    else:
        unchecked.append("what it learns (it does not declare itself stateless)")
    unchecked += [f"its {part}" for part, has in (("saved state", can.saves), ("advice", can.advises)) if has]
    speed = {k: statistics.median(t) / 1000 for k, t in sorted(first.times.items())}
    medians = ", ".join(f"{k} {'opponent' if k == 1 else 'opponents'} {duration(us / 1e6)}" for k, us in speed.items())
    lines.append(CheckLine(name="speed", ok=None, text=f"median of a decision: {medians or 'none made'}"))
    return CheckReport(
        agent=spec,
        ok=all(one.ok is not False for one in lines),
        views=total,
        lines=tuple(lines),
        microseconds=speed,
        unchecked=tuple(unchecked),
    )


def _line(name: str, faults: Sequence[str], good: str, views: int) -> CheckLine:
    if not (faults or views):
        return CheckLine(name=name, ok=None, text="no answer to check")
    text = good if not faults else f"{len(faults):,} of {views:,} views, first: {faults[0]}"
    return CheckLine(name=name, ok=not faults, text=text)


def _policy_line(run: _Run, follows: Sequence[str]) -> CheckLine:
    if not run.policies:
        return CheckLine(name="policy", ok=None, text="gives none")
    if run.policy:
        return _line("policy", run.policy, "", len(run.actions))
    stray = [*_stray(run), *follows]
    good = f"sums to 1, is legal and holds the answer in {run.policies:,} views; answers follow it"
    return CheckLine(name="policy", ok=not stray, text=stray[0] if stray else good)
