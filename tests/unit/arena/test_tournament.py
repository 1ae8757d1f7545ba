"""Tournaments: against the plain way of working a match out again, faults, cancelling, workers."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
import pytest

from dupai.agents import Agent, BaseAgent, MatchInfo
from dupai.arena import run_tournament
from dupai.arena.match import Watcher
from dupai.arena.tournament import (
    TournamentResult,
    TournamentTask,
    drawn_chairs,
    play_tournament_match,
    standings_of,
    tournament_tasks,
)
from dupai.base import ConfigError, DupaiError, NotationError, Rng, WorkerError
from dupai.jobs import SerialBackend
from dupai.rules import FOLD, Action, HandRecord, View
from dupai.stats import Measure
from naive.arena_tournament import replayed


class Shover(BaseAgent):
    """All-in with everything."""

    def act(self, view: View, rng: Rng) -> Action:
        return view.legal.closest_raise(10**9)


class Folder(BaseAgent):
    """Folds, checks where that is free."""

    def act(self, view: View, rng: Rng) -> Action:
        return Action.fold() if view.legal.fold else Action.call()


class Crasher(BaseAgent):
    """Raises an exception whenever it is asked."""

    def act(self, view: View, rng: Rng) -> Action:
        raise ValueError("out of order")


class Records(Watcher):
    def __init__(self) -> None:
        self.records: list[HandRecord] = []

    def on_hand(self, record: HandRecord, table: object) -> None:
        self.records.append(record)


def _watched(task: TournamentTask) -> tuple[Any, list[HandRecord]]:
    watch = Records()
    return play_tournament_match(task, watch=watch), watch.records


MIXED = ["rules", "raiser", "style:LA", "random", "caller", "rules:tight", "fixed", "style:TP"]


@pytest.mark.parametrize(
    ("agents", "hands", "rebuys", "stack"),
    [
        (MIXED, 600, 1, 2000),
        (MIXED, 5, 1, 2000),
        (MIXED[:3], 200, 0, 500),
        (["raiser", "random"], 300, 2, 700),
        ([Shover] * 5, 100, 1, 1000),
        ([Shover, Folder], 600, 0, 300),
        ([Folder] * 4, 30, 1, 2000),
    ],
)
def test_a_match_is_what_its_hands_say(agents: list[Any], hands: int, rebuys: int, stack: int) -> None:
    tasks = tournament_tasks(agents, hands=hands, rebuys=rebuys, stack=stack, matches=4, seed=11)
    for task in tasks:
        match, records = _watched(task)
        n = len(agents)
        table = replayed(records, n, stack, rebuys, hands)
        assert match.hands == len(records)
        assert sum(p.chips for p in match.players) == n * stack * (1 + rebuys)
        assert sum(p.rank for p in match.players) == n * (n + 1) / 2
        for player in match.players:
            got = (player.rank, player.hands, player.chips, player.rebuys, player.volatility_squared)
            assert got == table[player.chair]
            assert player.volatility == math.sqrt(player.volatility_squared)


def test_many_all_ins_put_several_out_in_one_hand() -> None:
    # The case behind the last tie-break occurs at all in the test above.
    seen = 0
    for task in tournament_tasks([Shover] * 5, hands=100, rebuys=0, stack=1000, matches=10, seed=2):
        match, _ = _watched(task)
        ranks = [p.rank for p in match.players]
        seen += len(set(ranks)) < 5
        assert sum(ranks) == 15
    assert seen > 0


def test_seats_are_drawn_anew_each_match_and_evenly() -> None:
    draws = [tuple(drawn_chairs(5, m, 4)) for m in range(2400)]
    assert all(sorted(d) == [0, 1, 2, 3] for d in draws)
    counts = [draws.count(d) for d in set(draws)]
    assert len(counts) == 24
    assert sum((c - 100) ** 2 / 100 for c in counts) < 23 + 5 * math.sqrt(46)


def test_players_are_reported_in_the_order_entered_wherever_they_sit() -> None:
    result = run_tournament(["caller", "caller", Folder], matches=5, hands=4, seed=3)
    for match in result.matches:
        assert [p.agent for p in match.players] == ["caller#1", "caller#2", "Folder"]
        assert [drawn_chairs(3, match.match, 3)[p.chair] for p in match.players] == [0, 1, 2]
    assert result.config.agents == ("caller", "caller", "Folder")


def test_a_folder_loses_its_blinds_and_nothing_else() -> None:
    match, records = _watched(tournament_tasks([Folder, Folder, Folder], hands=30, matches=1, seed=4)[0])
    # Ten hands in each position: small blind 20 lost, big blind 20 won.
    assert [p.chips for p in match.players] == [4000] * 3
    assert [p.rank for p in match.players] == [2.0] * 3
    assert all(sorted(r.payoffs) == [-20, 0, 20] for r in records)
    assert all(p.volatility_squared == 20 * 400 for p in match.players)


def test_curves_are_chips_left_from_the_start_on() -> None:
    result = run_tournament(["random", "raiser", "caller"], matches=2, hands=50, seed=6, curves=True)
    for match in result.matches:
        for player in match.players:
            assert player.curve[0] == 4000
            assert player.curve[-1] == player.chips
            assert len(player.curve) == match.hands + 1
            steps = zip(player.curve, player.curve[1:], strict=False)
            assert sum((b - a) ** 2 for a, b in steps) == player.volatility_squared
    plain = run_tournament(["random", "raiser", "caller"], matches=2, hands=50, seed=6)
    assert all(p.curve == () for m in plain.matches for p in m.players)
    assert plain.standings == result.standings


def test_same_seed_same_result_for_any_number_of_workers() -> None:
    settings: dict[str, Any] = {"matches": 5, "hands": 60, "seed": 9}
    alone = run_tournament(MIXED[:4], **settings)
    assert run_tournament(MIXED[:4], jobs=2, **settings) == alone
    assert run_tournament(MIXED[:4], **settings) == alone
    assert run_tournament(MIXED[:4], **{**settings, "seed": 10}).matches != alone.matches
    # A match depends on its own number only, not on how many are played.
    assert run_tournament(MIXED[:4], **{**settings, "matches": 2}).matches == alone.matches[:2]


def test_standings_are_means_over_matches() -> None:
    result = run_tournament(MIXED[:4], matches=6, hands=40, seed=1)
    assert result.hands == sum(m.hands for m in result.matches)
    assert [s.rank.mean for s in result.standings] == sorted(s.rank.mean for s in result.standings)
    assert sum(s.rank.mean for s in result.standings) == pytest.approx(10)
    for s in result.standings:
        mine = [p for m in result.matches for p in m.players if p.agent == s.agent]
        ranks = [p.rank for p in mine]
        mean = sum(ranks) / 6
        assert s.rank.mean == pytest.approx(mean)
        assert s.rank.se == pytest.approx(math.sqrt(sum((r - mean) ** 2 for r in ranks) / 5 / 6))
        # Six matches are too few.
        assert (s.rank.low, s.rank.needed) == (None, 100)
        assert s.chips.mean == pytest.approx(sum(p.chips for p in mine) / 6)
        assert s.volatility.mean == pytest.approx(sum(math.sqrt(p.volatility_squared) for p in mine) / 6)
        assert s.volatility_squared.mean == pytest.approx(sum(p.volatility_squared for p in mine) / 6)
        assert sum(s.places) == pytest.approx(1)
    for place in range(4):
        assert sum(s.places[place] for s in result.standings) == pytest.approx(1)


def test_a_few_matches_have_an_interval_of_chips_by_deals() -> None:
    result = run_tournament(["style:LA", "style:TA", "caller"], matches=6, hands=100, seed=2)
    for row in result.standings:
        squares = sum(p.volatility_squared for m in result.matches for p in m.players if p.agent == row.agent)
        assert row.chips.low is None
        assert row.chips.by_deal is not None
        assert row.chips.by_deal[1] - row.chips.mean == pytest.approx(1.959964 * math.sqrt(squares) / 6, rel=1e-5)
        # A rank is of a match, not of its deals.
        assert row.rank.by_deal is None
    assert "by deals" in str(result)


def test_a_result_goes_to_json_and_back() -> None:
    result = run_tournament(["caller", Crasher], matches=2, hands=3, seed=1, curves=True)
    assert msgspec.json.decode(msgspec.json.encode(result), type=TournamentResult) == result
    single = run_tournament(["caller", "random"], matches=1, hands=3, seed=1)
    assert single.standings[0].rank.se is None
    assert msgspec.json.decode(msgspec.json.encode(single), type=TournamentResult) == single


# stopping ------------------------------------------------------------------------------------------------------------


class Stopping:
    """Progress that is cancelled once so many matches are done."""

    def __init__(self, after: int) -> None:
        self.after = after
        self.seen: list[float] = []
        self.cancelled = False

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self.seen.append(done)
        self.cancelled = self.cancelled or done >= self.after


@pytest.mark.parametrize("jobs", [1, 2])
def test_stopped_it_gives_the_matches_that_are_done(jobs: int) -> None:
    progress = Stopping(2)
    result = run_tournament(MIXED[:3], matches=40, hands=40, seed=2, jobs=jobs, progress=progress)
    whole = run_tournament(MIXED[:3], matches=40, hands=40, seed=2)
    assert result.partial
    assert 2 <= len(result.matches) < 40
    assert result.matches == tuple(m for m in whole.matches if m.match in {d.match for d in result.matches})
    assert result.standings == standings_of(result.matches)
    assert not whole.partial
    assert progress.seen == sorted(progress.seen)


def test_stopped_at_once_it_has_no_matches() -> None:
    progress = Stopping(0)
    result = run_tournament(["caller", "random"], matches=3, seed=2, progress=progress)
    assert (result.partial, result.matches, result.standings, result.hands) == (True, (), (), 0)


def test_a_backend_of_ones_own_plays_the_same() -> None:
    class Backwards:
        def run(self, work: Callable[..., Any], tasks: Sequence[Any], tick: Any) -> Iterator[tuple[int, Any]]:
            for k in reversed(range(len(tasks))):
                for _, result in SerialBackend().run(work, [tasks[k]], tick):
                    yield k, result

    mine = run_tournament(["random", "raiser"], matches=4, hands=20, seed=3, backend=Backwards())
    assert mine == run_tournament(["random", "raiser"], matches=4, hands=20, seed=3)


# faults --------------------------------------------------------------------------------------------------------------


def test_an_agent_that_raises_loses_its_hands_and_is_named() -> None:
    match, records = _watched(tournament_tasks([Crasher, "caller", "caller"], hands=60, matches=1, seed=5)[0])
    crasher = match.players[0]
    assert crasher.faults == 60
    assert [p.faults for p in match.players[1:]] == [0, 0]
    assert {f.agent for f in match.faults} == {"Crasher"}
    assert re.fullmatch(r"ValueError at \w+\.py:\d+: out of order", match.faults[0].error)
    assert match.faults[0].during == "act"
    for record in records:
        position = record.seats.index(crasher.chair)
        # It is asked once a hand, folds at once (also where it could check), and loses its blind, no more.
        assert record.payoffs[position] == -record.spec.blinds[position]
        assert record.at().payoffs.tolist() == list(record.payoffs)
    # 20 small and 20 big blinds.
    assert crasher.chips == 4000 - 20 * 20 - 20 * 40


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Action(2, 10**9), "the stack allows at most"),
        (Action(2, 1), "the smallest raise is to"),
        (Action(7), "its kind is 7"),
        ("call", "'call' is not an Action"),
        (None, "None is not an Action"),
        (Action(2, 80.5), "expected whole numbers"),  # type: ignore[arg-type]
    ],
)
def test_an_illegal_answer_costs_the_hand(answer: Any, said: str) -> None:
    class Wrong(BaseAgent):
        def act(self, view: View, rng: Rng) -> Action:
            return answer  # type: ignore[no-any-return]

    match, records = _watched(tournament_tasks([Wrong, "caller"], hands=2, matches=1, seed=5)[0])
    assert match.players[0].faults == 2
    assert said in match.faults[0].error
    assert match.faults[0].hand == 1
    for record in records:
        position = record.seats.index(match.players[0].chair)
        assert record.payoffs[position] < 0
        assert Action(FOLD) in record.actions


def test_a_numpy_number_is_a_number() -> None:
    import numpy as np

    class Numpy(BaseAgent):
        def act(self, view: View, rng: Rng) -> Action:
            legal = view.legal
            return Action(2, np.int64(legal.min_to)) if legal.can_raise else Action.call()  # type: ignore[arg-type]

    match, records = _watched(tournament_tasks([Numpy, "caller"], hands=2, matches=1, seed=5)[0])
    assert match.faults == ()
    assert all(type(a.to) is int for r in records for a in r.actions)


@pytest.mark.parametrize("during", ["start", "observe", "close"])
def test_what_fails_outside_a_decision_costs_no_hand(during: str) -> None:
    def fail(self: object, *_: object) -> None:
        raise RuntimeError("no")

    broken = type("Broken", (Folder,), {during: fail})
    with_it, records = _watched(tournament_tasks([broken, "caller"], hands=4, matches=1, seed=5)[0])
    plain, others = _watched(tournament_tasks([Folder, "caller"], hands=4, matches=1, seed=5)[0])
    assert [r.payoffs for r in records] == [r.payoffs for r in others]
    assert with_it.players[0].faults == (4 if during == "observe" else 1)
    assert with_it.faults[0].during == during
    assert plain.faults == ()


def test_an_agent_that_cannot_be_made_in_a_match_forfeits_every_hand() -> None:
    def factory() -> Agent:
        raise OSError("no model")

    match, _ = _watched(tournament_tasks([factory, "caller"], hands=6, matches=1, seed=5)[0])
    assert match.players[0].faults == 7
    assert match.faults[0].during == "make"
    assert match.players[0].chips == 4000 - 3 * 20 - 3 * 40


def test_agents_are_fresh_in_every_match_and_know_their_table() -> None:
    told: list[MatchInfo] = []

    class Curious(Folder):
        def start(self, match: MatchInfo) -> None:
            told.append(match)

    run_tournament([Curious, "caller", "caller"], matches=3, hands=2, seed=8)
    assert len(told) == 3
    for m, info in enumerate(told):
        assert info.format == "tournament"
        assert info.hands == 2
        assert info.names[info.seat] == "Curious"
        assert sorted(info.names) == ["Curious", "caller#1", "caller#2"]
        assert drawn_chairs(8, m, 3)[info.seat] == 0
        assert info.spec.stacks == (2000,) * 3


def test_nobody_sees_cards_that_were_not_shown() -> None:
    seen: list[HandRecord] = []

    class Spy(Folder):
        seat = -1

        def start(self, match: MatchInfo) -> None:
            self.seat = match.seat

        def observe(self, record: HandRecord) -> None:
            seen.append(record)
            me = record.seats.index(self.seat) if self.seat in record.seats else None
            for p, two in enumerate(record.hole):
                assert (255 in two) == (p != me and not record.shown[p])

    match, records = _watched(tournament_tasks([Spy, "raiser", "raiser", "caller"], hands=80, matches=1, seed=5)[0])
    assert match.faults == ()
    assert len(seen) == len(records) > 3
    assert any(any(r.shown) for r in seen)


# bad input -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("agents", "settings", "error", "said"),
    [
        (["rules"] * 11, {}, ConfigError, "11 players given: expected 2 to 10"),
        (["rules"], {}, ConfigError, "1 player given: expected 2 to 10"),
        (["rules", "rulez"], {}, NotationError, "did you mean 'rules'"),
        (["rules", "style:LX"], {}, ConfigError, "name='LX'"),
        (["rules", "caller"], {"hands": 0}, ConfigError, "hands = 0: expected 1 or more"),
        (["rules", "caller"], {"matches": 0}, ConfigError, "matches = 0"),
        (["rules", "caller"], {"rebuys": -1}, ConfigError, "rebuys = -1"),
        (["rules", "caller"], {"stack": 39}, ConfigError, "stack = 39 is below the big blind of 40"),
        (["rules", "caller"], {"blinds": (40, 20)}, ConfigError, "blinds = (40, 20)"),
        (["rules", "caller"], {"blinds": (40,)}, ConfigError, "blinds = (40,)"),
        (["rules", "caller"], {"seed": -1}, ConfigError, "seed = -1"),
        (["rules", "caller"], {"seed": 2**63}, ConfigError, "seed = 9223372036854775808"),
        (["rules", Folder()], {}, ConfigError, "fresh one"),
    ],
)
def test_bad_settings_are_one_line(
    agents: list[Any], settings: dict[str, Any], error: type[DupaiError], said: str
) -> None:
    with pytest.raises(error) as caught:
        run_tournament(agents, **settings)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_dead_worker_is_one_line() -> None:
    from dupai.jobs import ProcessBackend

    with pytest.raises(WorkerError, match="task 1: its worker process died 3 times"):
        list(ProcessBackend(2).run(_die, [1, 2], lambda done, hands: True))


def test_agents_that_other_processes_cannot_have_are_refused() -> None:
    class Local(Folder):
        pass

    with pytest.raises(ConfigError, match="cannot be sent to worker processes"):
        run_tournament([Local, "caller"], matches=2, hands=2, jobs=2)


def _die(task: object, pulse: object) -> None:
    """Ends the worker process; one that cannot import this module dies of that."""
    os._exit(3)


def test_measure() -> None:
    m = Measure.of([1.0, 2.0, 3.0])
    assert (m.text(), m.se, m.needed) == ("2.00", pytest.approx(1 / math.sqrt(3)), 100)
    whole = Measure.of([float(x) for x in range(1, 9)], hands=500)
    assert whole.text() == "4.50 ± 2.05"
    assert whole.interval_text() == "+2.5 .. +6.5"
    assert m.interval_text() == "too few (at least 100)"
    assert Measure.of([4.0]) == Measure(mean=4.0, se=None, low=None, high=None, n=1, needed=100)
    assert Measure.of([4.0]).text(1) == "4.0"
