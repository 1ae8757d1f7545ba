"""Questions in one call: advice, readings, a review and a solution, as values that print."""

from __future__ import annotations

import itertools
import json
import sys
import types

import pytest

import dupai
from dupai.base import EXAMPLES, ConfigError
from dupai.history import file_records

SPOT = "6 players, blinds 50/100, stacks 10000, bb, AhQh; utg raises to 300, folds to me"


def test_advice_prints_and_is_data() -> None:
    advice = dupai.advise(SPOT, "rules")
    assert str(advice).startswith("rules: ") and "  - " in str(advice)
    assert "<li>" in advice._repr_html_()
    shares = [row["probability"] for row in json.loads(json.dumps(advice.to_dict()))["actions"]]
    assert sum(shares) == pytest.approx(1) and shares == [row["probability"] for row in advice.records()]


def test_advice_calls_the_first_bet_on_a_street_a_bet() -> None:
    advice = dupai.advise("2 players, button, AsKs; raises to 500, bb calls; flop 2c7dTh: bb checks", "rules")
    assert advice.headline() == "rules: bet 500"
    assert [row[0] for row in advice.as_table()[1]] == ["bet 500", "check"]
    assert {row["action"] for row in advice.records()} == {"raise to 1,000 (500 on this street)", "check"}


def test_readings_are_of_those_who_may_still_hold_cards() -> None:
    readings = dupai.read(SPOT, "start-table")
    assert list(readings.readings) == ["seat 2, early"]
    assert "narrowed to about" in str(readings) and "<svg" in readings._repr_html_()
    assert sum(readings.to_dict()["seat 2, early"].values()) == pytest.approx(1)
    record = next(file_records(EXAMPLES / "match.log"))
    # Of a recorded hand, from the betting and the board alone.
    read = dupai.read(record, "uniform")
    assert set(read.readings) <= set(record.names) and read["Vera"].hands == 1081


def test_a_review_names_what_was_given_up() -> None:
    records = list(itertools.islice(file_records(EXAMPLES / "match.log"), 2))
    review = dupai.review(records[1], "Vera", reader="start-table", seconds=0.1)
    assert str(review).startswith("Vera: 1 decisions gave up") and review.to_dict()["decisions"][0]["hand"] == 1
    with pytest.raises(ConfigError, match="'Vara' is in none of the hands: did you mean 'Vera'"):
        dupai.review(records, "Vara")


def test_a_solution_leads_on_and_gives_its_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    start = dupai.solve(EXAMPLES / "river.toml", target=0.02)
    assert start.at("check").player == 1 - (start.player or 0)
    for name in ("polars", "pandas"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ConfigError, match="polars or pandas"):
        start.to_frame()
    monkeypatch.setitem(sys.modules, "pandas", types.SimpleNamespace(DataFrame=list))
    rows = start.to_frame()
    assert {row["player"] for row in rows} == {"oop", "ip"} and all(row["weight"] > 0 for row in rows)
