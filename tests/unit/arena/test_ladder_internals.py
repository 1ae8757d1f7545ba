"""Ladders: who meets whom, the cross table, ratings against what they are known to be."""

from __future__ import annotations

import dataclasses
import json
import math
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from dupai.agents import BaseAgent, make_agent
from dupai.arena import (
    LadderConfig,
    LadderResult,
    LadderSettings,
    bradley_terry,
    ladder_tables,
    load_format,
    mbb_ratings,
    play_match,
    run_ladder,
)
from dupai.arena._ladder import _Cross, ladder_result
from dupai.arena.match import play_seating
from dupai.arena.store import Store
from dupai.base import ConfigError, Rng
from dupai.cli import main
from dupai.rules import Action, View, load_game
from support.pulses import Going

ELO = 400 / math.log(10)


def test_two_players_have_the_rating_of_their_share() -> None:
    # 30 wins of 40: strengths 3 to 1; the error is that of a proportion.
    values = np.array([[1.0, -1.0]] * 30 + [[-1.0, 1.0]] * 10)
    ratings, covariance = bradley_terry(2, [((0, 1), values)], prior=0.0)
    assert ratings[0] - ratings[1] == pytest.approx(ELO * math.log(3), rel=1e-6)
    se = math.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
    assert se == pytest.approx(ELO / math.sqrt(40 * 0.75 * 0.25), rel=1e-6)
    assert ratings.mean() == pytest.approx(1500)


def test_ratings_find_the_strengths_that_made_the_results_and_their_error() -> None:
    # Gumbel scores: the chance to be above another is exactly w_i / (w_i + w_j), also at tables of three.
    rng = np.random.default_rng(1)
    true = np.array([0.6, 0.2, 0.0, -0.8])
    tables = [(0, 1, 2), (1, 2, 3), (0, 2, 3), (0, 1, 3)]
    found, said = [], []
    for _ in range(60):
        played = [(t, true[list(t)] + rng.gumbel(size=(100, 3))) for t in tables]
        ratings, covariance = bradley_terry(4, played)
        found.append((ratings - 1500) / ELO)
        said.append(np.sqrt(np.diag(covariance)) / ELO)
    wanted = true - true.mean()
    spread = np.std(found, axis=0, ddof=1)
    assert np.abs(np.mean(found, axis=0) - wanted).max() < 4 * spread.max() / math.sqrt(60)
    # 60 samples: the spread itself is known to a tenth or so.
    assert np.mean(said, axis=0) == pytest.approx(spread, rel=0.35)


def test_who_never_won_has_a_rating_too() -> None:
    ratings, covariance = bradley_terry(2, [((0, 1), np.array([[1.0, -1.0]] * 20))])
    assert ratings[0] - ratings[1] == pytest.approx(ELO * math.log(20.5 / 0.5))
    assert np.isfinite(covariance).all()
    assert np.isfinite(bradley_terry(2, [((0, 1), np.zeros((0, 2)))])[0]).all()


@pytest.mark.parametrize(("players", "seats"), [(4, 2), (7, 3), (7, 6), (6, 6), (9, 4), (12, 6), (25, 6)])
def test_everybody_meets_everybody(players: int, seats: int) -> None:
    tables = ladder_tables(players, seats)
    played = np.zeros(players, int)
    met = dict.fromkeys(combinations(range(players), 2), 0)
    for table in tables:
        assert len(set(table)) == seats
        played[list(table)] += 1
        for pair in combinations(table, 2):
            met[pair] += 1
    assert min(met.values()) >= 1
    assert played.min() == played.max()
    assert max(met.values()) - min(met.values()) <= 1


def test_who_sits_where_does_not_depend_on_the_seed() -> None:
    # Else the ratings would vary from seed to seed by more than their errors say.
    agents = ["caller", "random", "raiser", "fixed", "caller"]
    tables = {run_ladder(agents, hands=1, seats=3, seed=seed).config.tables for seed in (1, 2, 3)}
    assert tables == {ladder_tables(5, 3)}
    # The projective plane of seven points: every two meet once.
    assert len(ladder_tables(7, 3)) == 7


def test_the_cross_table_is_that_of_matches(tmp_path: Path) -> None:
    agents = ["caller", "random", "raiser"]
    with Store(tmp_path / "r.db") as store:
        result = run_ladder(agents, hands=120, seed=2, jobs=1, store=store)
        assert isinstance(result, LadderResult)
        assert (result.hands, result.unit, result.met) == (720, "deal", (1, 1))
        assert result == run_ladder(agents, hands=120, seed=2, jobs=2)
        assert store.run(1).result is not None
    for cell in result.cells:
        number = sorted((agents.index(cell.first), agents.index(cell.second)))
        table = result.config.tables.index((number[0], number[1]))
        seed = Rng(2, table, 0, 12).word() >> 1
        match = play_match([agents[i] for i in number], hands=120, duplicate=True, seed=seed)
        mine = next(p for p in match.players if p.agent == cell.first)
        assert cell.mbb.mean == pytest.approx(mine.mbb.mean)
        assert cell.mbb.se == pytest.approx(mine.mbb.se)
        # Two that never fold win nothing from each other in both seatings.
        assert (cell.mbb.low is None) == ({cell.first, cell.second} == {"caller", "raiser"})
        held = cell.mbb.low is None or cell.mbb.high is None or cell.mbb.low <= 0 <= cell.mbb.high
        assert ((cell.first, cell.second) in result.not_separated) == held
    # Numbers of thousands: their rounding is 1e-12, and how sum() rounds is another matter from Python 3.12 on.
    assert sum(r.mbb.mean for r in result.rows) == pytest.approx(0, abs=1e-9)
    assert [r.rating for r in result.rows] == sorted((r.rating for r in result.rows), reverse=True)


def test_a_single_seating_is_no_duplicate() -> None:
    """Stopped early: what has been played in one seating only has the luck of its cards in it."""
    ladder = load_format("ladder")
    everybody, config = ladder.plan(["caller", "random", "raiser"], LadderSettings(hands=40, seed=2))
    played = [play_seating(task, Going()) for task in ladder.tasks(everybody, config)]
    assert all(cell.mbb.n for cell in ladder_result(config, played, everybody).cells)
    some = ladder_result(config, [s for s in played if s.rotation == 0 or s.table == 0], everybody)
    assert sorted(cell.mbb.n for cell in some.cells) == [0, 0, 40]


def test_few_equal_deals_leave_the_ratings_that_depend_on_them_without_an_interval() -> None:
    rng = np.random.default_rng(1)
    won = [rng.normal(0, 5000, 1000), rng.normal(0, 5000, 1000), np.zeros(3)]
    names, game = ("a", "b", "c"), load_game("holdem.nolimit.2p")
    config = LadderConfig(agents=names, labels=names, game=game, tables=((0, 1), (0, 2), (1, 2)))
    cross = _Cross(config, [np.column_stack([w, -w]) for w in won], 1)
    assert [(m.low is None, m.n) for m in cross.measures] == [(False, 2000), (True, 1003), (True, 1003)]
    assert [cross.player(i).low is None for i in range(3)] == [False, True, True]


def test_learners_are_counted_by_match() -> None:
    class Learner(BaseAgent):
        def act(self, view: View, rng: Rng) -> Action:
            return Action.call()

    one = run_ladder([Learner, "random"], hands=20, seed=1)
    assert one.unit == "match"
    assert one.cells[0].mbb.low is None
    assert len(one.not_separated) == 1
    assert run_ladder([Learner, "random"], hands=20, matches=3, seed=1).cells[0].mbb.n == 3


def test_few_matches_of_learners_have_intervals_by_deals(capsys: pytest.CaptureFixture[str]) -> None:
    settings: dict[str, Any] = {"hands": 150, "seed": 1}
    stateless = run_ladder(["style:LA", "caller", "random"], **settings)
    learns = run_ladder([lambda: make_agent("style:LA"), "caller", "random"], **settings)
    for one, other in zip(learns.rows, stateless.rows, strict=True):
        assert (one.low, one.by_deal) == (None, pytest.approx((other.low, other.high)))
        assert one.mbb.by_deal == pytest.approx((other.mbb.low, other.mbb.high))
    for cell, exact in zip(learns.cells, stateless.cells, strict=True):
        assert cell.mbb.by_deal == pytest.approx((exact.mbb.low, exact.mbb.high))
    # They separate nobody: what an agent learned is in all deals of its match.
    assert len(learns.not_separated) == 3
    assert main(["ladder", "style:LA", "fold:reader=model", "--hands", "100"]) == 0
    out = capsys.readouterr().out
    assert "* by deals" in out


def test_the_table_says_how_far_results_stray_from_any_rating(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ladder", "rules", "style:TA", "caller", "fixed", "--hands", "100", "--stack", "2000"]) == 0
    out = capsys.readouterr().out
    head = next(line for line in out.splitlines() if line.startswith("agent"))
    assert head.split() == ["agent", "rating", "±", "95", "%", "strays", "by", "Elo"]
    assert "results of pairs stray from the differences of any ratings by" in out
    # The order is that of the ratings alone.
    assert main(["ladder", "rules", "caller", "--order", "elo"]) == 2


def test_straying_is_that_of_a_circle_without_its_errors() -> None:
    # Rock, paper, scissors: nobody is better, and the differences of the ratings miss each pair by 10.
    pairs, means = [(0, 1), (1, 2), (0, 2)], np.array([10.0, 10.0, -10.0])
    ratings, _, straying = mbb_ratings(3, pairs, means, np.zeros((3, 3)))
    assert ratings == pytest.approx([0, 0, 0])
    assert straying is not None
    assert straying.all == pytest.approx(math.sqrt(300))
    assert straying.players == pytest.approx([math.sqrt(300)] * 3)
    # Errors as large explain it all; a star without a circle, or unknown errors, say nothing.
    noise = mbb_ratings(3, pairs, means, 300 * np.eye(3))[2]
    assert noise is not None
    assert noise.all == pytest.approx(0)
    assert mbb_ratings(3, [(0, 1), (0, 2)], np.array([1.0, 5.0]), np.eye(2))[2] is None
    assert mbb_ratings(3, pairs, means)[2] is None


def test_results_files_that_order_by_elo_are_read() -> None:
    config = msgspec.to_builtins(run_ladder(["caller", "random"], hands=2, seed=1).config)
    assert "order" not in config
    # 0.2 wrote it.
    assert msgspec.convert({**config, "order": "elo"}, LadderConfig).order == "elo"


def test_on_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = str(tmp_path / "r.db")
    arguments = ["ladder", "caller", "random", "raiser", "caller", "--hands", "10", "--results", file]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    for word in ("caller#2", "rating", "not transitive", "not separated yet", "120 hands"):
        assert word in out
    assert main(["results", "show", file]) == 0
    # A results file does not keep how long decisions took.
    assert capsys.readouterr().out.splitlines()[1:] == out.split("\ndecision times")[0].splitlines()
    assert main(["results", "export", file]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + 240
    assert main(["ladder", "caller", "random", "raiser", "fixed", "--seats", "3", "--hands", "4", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["met"][0] >= 1
    assert len(found["cells"]) == 6
    assert main(["ladder", "caller", "random", "--seats", "6"]) == 2
    assert "seats = 6: only 2 agents are given" in capsys.readouterr().err
    with pytest.raises(ConfigError, match="1 player given"):
        run_ladder(["caller"])


def test_a_seating_without_a_hand_is_none() -> None:
    ladder = load_format("ladder")
    everybody, config = ladder.plan(["caller", "raiser"], LadderSettings(hands=10, seed=2))
    first, second = (play_seating(task, Going()) for task in ladder.tasks(everybody, config))
    stopped = dataclasses.replace(second, payoffs=second.payoffs[:0], complete=False)
    assert [cell.mbb.n for cell in ladder_result(config, [first, stopped], everybody).cells] == [0]


def test_who_has_met_nobody_yet_is_last_and_has_no_error() -> None:
    ladder = load_format("ladder")
    everybody, config = ladder.plan(["raiser", "caller", "random"], LadderSettings(hands=40, seed=2))
    played = [play_seating(task, Going()) for task in ladder.tasks(everybody, config)]
    met = config.tables[-1]
    result = ladder_result(config, [s for s in played if s.table == len(config.tables) - 1], everybody)
    alone = next(label for k, label in enumerate(config.labels) if k not in met)
    assert result.rows[-1].agent == alone
    assert (result.rows[-1].rating_se, result.rows[-1].low) == (None, None)
    assert result.rows[0].rating_se is not None
    assert all(cell.rating_z is None for cell in result.cells if alone in (cell.first, cell.second))
