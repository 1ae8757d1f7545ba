"""Opponents with names: the file, the words in both languages, and the command that rates them."""

from __future__ import annotations

import pytest

from dupai.agents import make_agent
from dupai.agents.opponents import Strength, display_name, opponents
from dupai.notation import LANGUAGES, load_catalogue
from tools.strengths import rated, strengths


def ladder(players: int, **ratings: float) -> dict[str, object]:
    error = {"rating_se": 100.0} if players == 6 else {"rating_se": None, "by_deal": [104.0, 496.0]}
    rows = [{"agent": name, "rating": rating} | error for name, rating in ratings.items()]
    return {"config": {"game": {"players": players}}, "rows": rows}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_opponent_has_a_name_of_its_own_and_a_line(language: str) -> None:
    names = load_catalogue(language).names  # type: ignore[arg-type]
    specs = [one.spec for one in opponents()]
    assert len({names[f"seat.{spec}"] for spec in specs}) == len(specs) == len(set(specs))
    assert all(names[f"about.{spec}"] for spec in specs)
    named = {name.partition(".")[2] for name in names if name.startswith(("seat.", "about."))}
    assert named == {*specs, "advisor"}, "the adviser sits at no table"


def test_names_fit_a_seat_and_are_not_those_of_players_that_readers_know() -> None:
    for one in opponents():
        make_agent(one.spec).close()
        assert len(display_name(one.spec)) <= 20
        assert not display_name(one.spec).lower().startswith(("pluribus", "deepstack"))
    assert display_name("rules:tight=1") == "rules:tight=1"


def test_ladders_rate_opponents_the_strongest_at_six_seats_first() -> None:
    six, two = strengths(ladder(6, rules=-1500.0, expert=2500.0), 6), strengths(ladder(2, rules=300.0), 2)
    rows = rated(six, two)
    assert [one.spec for one in rows[:2]] == ["expert", "rules"]
    assert rows[1].six_max == Strength(-150.0, 10.0) and rows[1].heads_up == Strength(30.0, 10.0)
    assert {one.spec for one in rows} == {one.spec for one in opponents()}
    assert rows[2].six_max is None
    with pytest.raises(ValueError, match="2 players"):
        strengths(ladder(6, rules=1.0), 2)
