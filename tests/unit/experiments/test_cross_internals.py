"""The cross examination and the exploitation ledger: what their cells do and what their sections make of results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dupai.arena import run_ladder, run_tournament
from dupai.arena.match import Players
from dupai.base import Estimate
from dupai.experiments import _duel, load_paper, run_paper
from dupai.experiments._cross import _cells as cross_cells, _config as cross, _report as cross_report
from dupai.experiments._ledger import _cells as ledger_cells, _config as ledger, _report as ledger_report
from dupai.rules import HandRecord, HandState
from support.pulses import Going

SYSTEMS = (cross.System("one", "caller", "rules"), cross.System("two", "fixed", "style:paper-TA"))
LADDERS = {2: {"quick": (12, 2), "full": (12, 2)}}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cross, "SYSTEMS", SYSTEMS)
    monkeypatch.setattr(cross, "HEADS_UP", ("caller", "rules", "fixed", "style:paper-TA"))
    monkeypatch.setattr(cross, "RING", ("caller", "rules", "fixed", "style:paper-TA"))
    monkeypatch.setattr(cross, "LADDERS", LADDERS)
    monkeypatch.setattr(cross, "TOURNAMENTS", {"quick": 2, "full": 2})


def test_every_system_is_there_with_both_programs_and_every_pair_plays_20_000_hands() -> None:
    assert len(cross.SYSTEMS) == 5 and len(set(cross.HEADS_UP)) == 10
    deals, matches = cross.LADDERS[2]["full"]
    assert 2 * deals * matches >= 20_000
    assert not any(spec.startswith("exp") for spec in cross.RING) and len(cross.RING) == 8
    for name in ("cross", "ledger"):
        for part in load_paper(name).parts:
            keys = [cell.key for cell in part.cells("full", 0)]
            assert len(set(keys)) == len(keys) > 0


@pytest.mark.usefixtures("small")
def test_heads_up_is_the_arena_s_ladder() -> None:
    cells = cross_cells.ladder_cells(2, "quick", 0)
    results = {cell.key: cell.work(cell.task, Going()) for cell in cells}
    mine = cross_report.ladder_of(results, 2, "quick")
    settings = cross.ladder_settings(2, "quick")
    theirs = run_ladder(list(cross.HEADS_UP), settings)
    assert [(r.agent, r.rating, r.mbb) for r in mine.rows] == [(r.agent, r.rating, r.mbb) for r in theirs.rows]
    assert mine.hands == 6 * 2 * 2 * 12 and not mine.partial
    assert {t.agent for t in mine.decision_times} == set(cross.HEADS_UP)
    told = cross_report.ladder(2, results, "quick")
    assert [row.label for row in told.rows] == ["one: rules against caller", "two: style:paper-TA against fixed"]
    ratings, table = told.tables
    assert {row[0] for row in ratings.rows} == set(cross.HEADS_UP)
    # What one wins the other loses.
    values = {row[0]: dict(zip(table.columns[1:], row[1:], strict=True)) for row in table.rows}
    first, second = ratings.rows[0][0], ratings.rows[1][0]
    assert values[first][first] is None
    assert str(values[first][second]).lstrip("-").split()[0] == str(values[second][first]).lstrip("-").split()[0]
    # A run that was stopped has a table all the same.
    some = dict(list(results.items())[:3])
    assert cross_report.ladder(2, some, "quick").tables


@pytest.mark.usefixtures("small")
def test_the_tournament_is_the_arena_s() -> None:
    cells = cross_cells.tournament_cells("quick", 3)
    results = {cell.key: cell.work(cell.task, Going()) for cell in cells}
    told = cross_report.tournament(results, "quick")
    theirs = run_tournament(list(cross.RING), cross.tournament_settings("quick", 3))
    assert [row[0] for row in told.tables[0].rows] == [s.agent for s in theirs.standings]
    assert cells[0].work(cells[0].task, Going(2)) is None


def test_intervals_are_left_out_where_there_are_too_few_matches() -> None:
    from dupai.stats import Measure

    assert cross_report.estimate_of(Measure(mean=5.0, se=1.0, low=None, high=None, n=3)) == "5 (n = 3, too few)"
    assert cross_report.estimate_of(Measure(mean=5.0, se=1.0, low=3.0, high=7.0, n=30)) == Estimate(5.0, 1.0, 30)


# the ledger ----------------------------------------------------------------------------------------------------------


def test_hands_until_it_pays() -> None:
    ends = [10, 20, 30, 40]
    losing_first = np.array([[-100.0, 50.0, 100.0, 100.0]])
    assert ledger_report.cumulative(losing_first, ends)[0].tolist() == pytest.approx([-1.0, -0.5, 0.5, 1.5])
    assert ledger_report.turns_at(losing_first, ends) == 10
    assert ledger_report.pays_from(losing_first, ends) == 20
    assert ledger_report.pays_from(-losing_first, ends) is None
    winning = np.array([[1.0, 1.0, 1.0, 1.0]])
    assert (ledger_report.pays_from(winning, ends), ledger_report.turns_at(winning, ends)) == (0, 0)


def test_a_learner_and_its_twin_play_the_same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = ledger.Learner("fold:reader=uniform,samples=20", "fold:reader=uniform,samples=20,adapt=off", 8, 8)
    monkeypatch.setattr(ledger, "LEARNERS", (learner,))
    monkeypatch.setattr(ledger, "OPPONENTS", {"quick": ("caller",), "full": ("caller",)})
    cells = ledger_cells.winning_cells("quick", 0)
    # Two players, two opponents (one of them changes its style), both seatings.
    assert len(cells) == 8
    results = {cell.key: cell.work(cell.task, Going()) for cell in cells}
    assert all(one["ends"] == list(range(1, 9)) for one in results.values())
    told = ledger_report.winnings(results, "quick")
    assert [row[:2] for row in told.tables[0].rows] == [
        (learner.spec, "caller"),
        (learner.spec, "changer:every=2"),
    ]
    # One match claims nothing.
    assert told.tables[0].rows[0][4:6] == ("too few matches", "too few matches")
    assert len(told.charts[0].lines) == 2
    many = {key.replace("|0|", f"|{m}|"): one for key, one in results.items() for m in range(8)}
    assert "too few matches" not in ledger_report.winnings(many, "full").tables[0].rows[0]
    assert cells[0].work(cells[0].task, Going(2)) is None


def test_a_best_response_is_chosen_and_measured_on_other_deals() -> None:
    task = ledger_cells.Lesson("fold:reader=uniform,samples=20", "caller", 5, ("caller", "raiser:size=max"), 3, 4, 0, 1)
    found: Any = ledger_cells.respond(task, Going())
    assert found == ledger_cells.respond(task, Going())
    assert set(found["chosen"]) == {"caller", "raiser:size=max"}
    assert found["best"] == min(found["chosen"], key=found["chosen"].get)
    if found["best"] == "caller":
        assert found["teacher"] == found["response"]
    lesson = task._replace(teacher="style:alpha=1,beta=1", hands=60, responses=("caller",))
    taught: Any = ledger_cells.respond(lesson, Going())
    assert taught["fresh"] != taught["response"]  # it takes the caller for one who folds every hand
    assert ledger_cells.respond(task, Going(3)) is None and ledger_cells.respond(task, Going(9)) is None
    told = ledger_report.responses({"a|b|0": found}, "quick")
    assert told.tables[0].rows[0][6] == f"{found['best']} (1 of 1)"


def test_a_response_sits_where_the_teacher_sat_under_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a learner that knows people by name, or by chair, would take the response for somebody new."""
    seen: list[tuple[int, tuple[str, ...], tuple[int, ...], tuple[int, ...]]] = []

    class Watching(Players):
        def play(self, state: HandState, *watch: Any) -> HandRecord:
            record = super().play(state, *watch)
            dealt = tuple(int(card) for two in record.hole for card in two)
            seen.append((self.hand, self.names, tuple(state.seats), dealt))
            return record

    monkeypatch.setattr(_duel, "Players", Watching)
    task = ledger_cells.Lesson("fold:reader=uniform,samples=20", "style:paper-LA", 0, (), 0, 0, 3, 1)
    assert ledger_cells._won(task, "caller", 4, 9, Going(), None) is not None
    assert {names for _, names, _, _ in seen} == {("fold:reader=uniform,samples=20", "style:paper-LA")}
    assert [hand for hand, *_ in seen] == [1, 2, 3, 4] * 2
    for (_, _, seats, dealt), (_, _, others, same) in zip(seen[:4], seen[4:], strict=True):
        assert seats == others[::-1]
        assert dealt == same


def test_what_was_learned_is_taken_along() -> None:
    task = ledger_cells.Lesson("fold:reader=uniform,samples=20", "raiser", 6, ("caller",), 1, 1, 0, 1)
    state = ledger_cells.learn(task, Going())
    assert state and state != ledger_cells.learn(task._replace(hands=1), Going())
    # An agent that has nothing to save plays on without a state.
    assert ledger_cells.learn(task._replace(learner="style:paper-TA"), Going()) == b""


@pytest.mark.usefixtures("small")
def test_the_report_of_cross(tmp_path: Path) -> None:
    result = run_paper(load_paper("cross"), tmp_path, parts=["tournament"])
    assert not result.partial and "Standings" in (tmp_path / "report.html").read_text()


def test_the_changer_changes_four_times_or_every_500_hands() -> None:
    assert [ledger.changer_of(n) for n in (2, 100, 2000, 40_000)] == [f"changer:every={n}" for n in (1, 25, 500, 500)]


def test_a_full_match_against_the_changer_has_one_round_of_its_styles() -> None:
    for learner in ledger.LEARNERS:
        met = list(ledger.against(learner, "full").items())
        assert [o for o, _ in met[:-1]] == [*ledger.STYLES, *ledger.PERSONAS]
        assert {hands for _, hands in met[:-1]} == {learner.full}
        assert met[-1] == (
            ("changer:every=500", max(learner.full, 2000))
            if learner.taught
            else (ledger.changer_of(learner.full), learner.full)
        )


def test_the_ledger_s_means_are_over_opponents_match_by_match() -> None:
    learner = ledger.LEARNERS[1]
    rng = np.random.default_rng(5)
    won = {  # by opponent, player, match, seating: two blocks, of 100 and of 400 hands
        (opponent, spec, m, seat): rng.normal(size=2)
        for opponent in ledger.STYLES
        for spec in (learner.spec, learner.twin)
        for m in range(8)
        for seat in (0, 1)
    }
    results = {
        f"{learner.spec}|{spec}|{opponent}|{m}|{seat}": {"ends": [100, 500], "reduced": list(v), "faults": [0, 0]}
        for (opponent, spec, m, seat), v in won.items()
    }
    means = ledger_report.winnings(results, "full").tables[1]
    ((spec, kind, mine, late, less, later, _, hands, matches),) = means.rows
    assert (spec, kind, hands, matches) == (learner.spec, "4 styles", 500, 8)

    def by_match(who: str, weights: tuple[float, float]) -> np.ndarray:
        each = [
            [np.dot(won[opponent, who, m, seat], weights) for opponent in ledger.STYLES for seat in (0, 1)]
            for m in range(8)
        ]
        return np.array(each).mean(axis=1)

    whole, tail = (0.2, 0.8), (0.0, 1.0)
    for value, expected in (
        (mine, by_match(learner.spec, whole)),
        (late, by_match(learner.spec, tail)),
        (less, by_match(learner.spec, whole) - by_match(learner.twin, whole)),
        (later, by_match(learner.spec, tail) - by_match(learner.twin, tail)),
    ):
        assert isinstance(value, Estimate)
        assert (value.mean, value.se) == pytest.approx((expected.mean(), expected.std(ddof=1) / 8**0.5))
    titles = [chart.title for chart in ledger_report.winnings(results, "full").charts]
    assert titles == ["What learning has won by hand, mean over the styles", f"{learner.spec}: winnings over hands"]
    # Of a run that is under way only the matches that all of them have played.
    partial = {
        key: value
        for key, value in results.items()
        if (m := int(key.split("|")[3])) >= 2 and (m < 6 or "|style:paper-LP|" not in key)
    }
    _, less, _ = ledger_report._mean_over(ledger_report.Curves(partial), learner, ledger.STYLES)
    expected = (by_match(learner.spec, whole) - by_match(learner.twin, whole))[2:6]
    assert less @ whole == pytest.approx(expected)


def test_responses_are_to_those_who_learn() -> None:
    learners = {cell.key.split("|")[0] for cell in ledger_cells.response_cells("quick", 0)}
    assert learners == {one.spec for one in ledger.LEARNERS} - {"exp:model=model", "dupai"}
