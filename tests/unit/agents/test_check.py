"""The check of agents: all of ours pass it, and each kind of misbehaviour is found."""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from typing import Any

import pytest

from dupai.agents import Agent, AgentFailure, BaseAgent, PolicyAgent, check_agent, random_spots
from dupai.base import ConfigError, NotationError, Rng
from dupai.rules import RAISE, Action, View
from dupai.spots import ActionDistribution, RaiseBetween
from support.plugins_internals import check_this

SPECS = (
    "caller",
    "raiser",
    "raiser:min",
    "raiser:max",
    "raiser:random",
    "random",
    "fixed",
    "fixed:fold=0.5,free=play,size=2",
    "rules:deals=20",
    "rules:loose-aggressive,free=raise,size=random,deals=20",
    "rules:tight-passive,protect=off,size=max,deals=20",
    "style:LA,deals=20",
    "style:LP,deals=20",
    "style:TA,size=half,deals=20",
    "style:TP,size=min,deals=20",
)


@pytest.mark.parametrize("spec", SPECS)
def test_our_agents_are_fit_to_play(spec: str) -> None:
    report = check_agent(spec, 600)
    assert report.ok, report
    assert report.views == 600
    assert [line.ok for line in report.lines] == [True] * 7 + [None]


def test_random_spots_cover_the_game() -> None:
    spots = list(random_spots(Rng(9), 3000))
    assert len(spots) == 3000
    views = [spot.view for spot in spots]
    assert {v.spec.players for v in views} == set(range(2, 11))
    assert {v.spec.betting for v in views} == {"no-limit", "limit"}
    assert {v.street for v in views} == {0, 1, 2, 3}
    assert len({v.stacks[v.actor] for v in views}) > 500
    facing = Counter((v.legal.fold, v.legal.can_raise) for v in views)
    assert min(facing[key] for key in ((True, True), (True, False), (False, True))) > 50
    assert any(any(v.antes) for v in views)
    for spot in spots:
        view = spot.view
        assert view.position == view.actor
        assert view.seats[view.actor] == spot.info.seat
        assert 255 not in view.hole
        for record in spot.records:
            me = record.seats.index(spot.info.seat)
            assert all(i == me or two == (255, 255) or record.shown[i] for i, two in enumerate(record.hole))
    assert sum(len(s.records) for s in spots) > 100


class _Bad(BaseAgent):
    def __init__(self) -> None:
        self.count = 0

    def act(self, view: View, rng: Rng) -> Action:
        self.count += 1
        return Action.call()


class _FoldsForFree(_Bad):
    def act(self, view: View, rng: Rng) -> Action:
        return Action.fold()


class _RaisesTooMuch(_Bad):
    def act(self, view: View, rng: Rng) -> Action:
        return Action.raise_to(view.legal.max_to + 1)


class _AnswersText(_Bad):
    def act(self, view: View, rng: Rng) -> Any:
        return "c"


class _OwnLuck(_Bad):
    def act(self, view: View, rng: Rng) -> Action:
        legal = view.legal
        return Action.raise_to(legal.min_to) if legal.can_raise and random.random() < 0.5 else Action.call()


class _Fails(_Bad):
    def act(self, view: View, rng: Rng) -> Action:
        if view.street == 3:
            raise KeyError("river")
        return Action.call()


class _FailsToObserve(_Bad):
    def observe(self, record: Any) -> None:
        raise OSError("disk full")


class _Writes(_Bad):
    def act(self, view: View, rng: Rng) -> Action:
        view.state["board"][0, 4] = 1
        return Action.call()


class _SumsToMore(PolicyAgent):
    def policy(self, view: View) -> ActionDistribution:
        return ActionDistribution(((Action.call(), 1.0), (Action.fold(), 0.5)))

    def act(self, view: View, rng: Rng) -> Action:
        return Action.call()


class _OtherPolicy(PolicyAgent):
    def policy(self, view: View) -> ActionDistribution:
        legal = view.legal
        return ActionDistribution.certain(Action.raise_to(legal.min_to) if legal.can_raise else Action.call())

    def act(self, view: View, rng: Rng) -> Action:
        return Action.call()


class _IllegalSpan(PolicyAgent):
    def policy(self, view: View) -> ActionDistribution:
        return ActionDistribution(((Action.call(), 0.5),), (RaiseBetween(1, 10**9, 0.5),))

    def act(self, view: View, rng: Rng) -> Action:
        return Action.call()


@pytest.mark.parametrize(
    ("kind", "line", "said"),
    [
        (_FoldsForFree, "legal", "f where legal is check"),
        (_RaisesTooMuch, "legal", "where legal is"),
        (_AnswersText, "legal", "answer 'c' is not an Action"),
        (_OwnLuck, "determinism", " then "),
        (_Fails, "runs", ": 'river'"),
        (_FailsToObserve, "runs", ": disk full"),
        (_Writes, "view", "the state array was written to"),
        (_SumsToMore, "policy", "add up to 1.5: expected 1"),
        (_OtherPolicy, "policy", "which its policy never does"),
        (_IllegalSpan, "policy", "raises to 1..1000000000, legal:"),
    ],
)
def test_misbehaviour_is_found(kind: type[Any], line: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check_this(monkeypatch, kind)
    report = check_agent("caller", 400)
    assert not report.ok
    found = {each.name: each for each in report.lines}
    assert found[line].ok is False
    assert said in found[line].text
    assert [name for name, each in found.items() if each.ok is False] == [line]


class _Remembers(PolicyAgent):
    """Declares itself stateless, and is not: it bets after hands that it has seen."""

    def __init__(self) -> None:
        self.hands = 0

    def observe(self, record: Any) -> None:
        self.hands += 1

    def policy(self, view: View) -> ActionDistribution:
        legal = view.legal
        if self.hands < 60 or not legal.can_raise:
            return ActionDistribution.certain(Action.call())
        return ActionDistribution(((Action.call(), 0.7), (Action.raise_to(legal.min_to), 0.3)))


class _ActsOtherwise(PolicyAgent):
    """States other probabilities than it acts by, of the same actions; ``swap``: in half of the views the other way."""

    stateless = False
    swap = False

    def policy(self, view: View) -> ActionDistribution:
        legal = view.legal
        if not legal.can_raise:
            return ActionDistribution.certain(Action.call())
        return ActionDistribution(((Action.call(), 0.5), (Action.raise_to(legal.min_to), 0.5)))

    def act(self, view: View, rng: Rng) -> Action:
        legal = view.legal
        share = 0.8 if self.swap and sum(view.hole) % 2 else 0.2
        return Action.raise_to(legal.min_to) if legal.can_raise and rng.uniform() < share else Action.call()


class _ActsOtherwiseHereAndThere(_ActsOtherwise):
    stateless = True
    swap = True


@pytest.mark.parametrize(
    ("kind", "line", "said"),
    [
        (_Remembers, "stateless", "in the same view|without them"),
        (_ActsOtherwise, "policy", "do not follow its policy"),
        (_ActsOtherwiseHereAndThere, "policy", "200 answers in one view do not follow its policy"),
    ],
)
def test_false_claims_are_found(kind: type[Any], line: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check_this(monkeypatch, kind)
    report = check_agent("caller", 1000)
    failed = {each.name: each.text for each in report.lines if each.ok is False}
    assert list(failed) == [line]
    assert re.search(said, failed[line])


def test_slow_answers_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(_Bad):
        def start(self, match: Any) -> None:
            clocks.add(match.seconds_per_action)

        def act(self, view: View, rng: Rng) -> Action:
            if view.street == 3:
                time.sleep(0.02)
            return Action.call()

    clocks: set[Any] = set()
    check_this(monkeypatch, Slow)
    report = check_agent("caller", 150, seconds=0.01)
    assert clocks == {0.01}
    (failed,) = [each for each in report.lines if each.ok is False]
    assert failed.name == "clock"
    assert "opponents, street 3" in failed.text
    assert "what it learns (it does not declare itself stateless)" in report.unchecked
    assert check_agent("caller", 150).ok


def test_who_cannot_start_is_not_asked_long(monkeypatch: pytest.MonkeyPatch) -> None:
    starts = []

    class Cannot(_Bad):
        def start(self, match: Any) -> None:
            starts.append(match)
            raise OSError("no such file: weights.bin")

    check_this(monkeypatch, Cannot)
    runs = check_agent("caller", 1000).lines[0]
    assert runs.ok is False and len(starts) <= 30 and "weights.bin" in runs.text


def test_one_failure_in_a_process_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers of an agent that fails in its process do not move on here: it failed in all views that followed."""

    class Fails(_Bad):
        def act(self, view: View, rng: Rng) -> Action:
            if Rng.from_state(rng.state.copy()).uniform() < 0.05:
                raise AgentFailure("its process left")
            return Action.call()

    check_this(monkeypatch, Fails)
    runs = check_agent("caller", 200).lines[0]
    assert runs.ok is False and 1 <= int(runs.text.partition(" ")[0]) < 30


def test_a_limit_raise_may_leave_its_size_out(monkeypatch: pytest.MonkeyPatch) -> None:
    class Sizeless(_Bad):
        def act(self, view: View, rng: Rng) -> Action:
            legal = view.legal
            if not legal.can_raise:
                return Action.call()
            return Action(RAISE, 0 if view.spec.betting == "limit" else legal.min_to)

    check_this(monkeypatch, Sizeless)
    assert check_agent("caller", 400).ok


def test_unknown_agents_and_counts() -> None:
    with pytest.raises(NotationError, match="did you mean 'caller'"):
        check_agent("caler", 10)
    with pytest.raises(ConfigError, match="views=0"):
        check_agent("caller", 0)


def test_a_cancelled_check_reports_what_it_saw() -> None:
    class Stop:
        cancelled = True

        def report(self, done: float, total: float | None, note: str = "") -> None:
            return None

    report = check_agent("caller", 10_000, progress=Stop())
    assert report.views == 1


def test_agents_are_agents() -> None:
    assert isinstance(_Bad(), Agent)
