"""Whom strangers play like: the populations compared by what they did."""

from __future__ import annotations

import msgspec
import pytest

from dupai.agents import make_agent
from dupai.base import ConfigError, Rng
from dupai.reading import load_reader
from dupai.rules import GameSpec, HandRecord, HandState, load_game

SPEC = GameSpec.no_limit(2, (50, 100), 20_000)


def _hands(opponent: str, hands: int, name: str = "stranger", spec: GameSpec = SPEC) -> list[HandRecord]:
    """Hands of an agent (seat 1) against a caller, seen from seat 0."""
    agents = (make_agent("caller"), make_agent(opponent))
    out = []
    for hand in range(hands):
        state = HandState.deal(spec, Rng(5, hand), hand=hand, seats=[hand % 2, 1 - hand % 2])
        rng = Rng(6, hand)
        while not state.finished:
            seat = state.seats[state.actor]
            state.apply(agents[seat].act(state.view(state.actor), rng))
        record = state.record([("me", name)[seat] for seat in state.seats])
        out.append(msgspec.structs.replace(record, hero=record.seats.index(0)))
    return out


def test_a_program_is_found_by_what_it_does() -> None:
    reader = load_reader("model:population=identify")
    model = reader.model  # type: ignore[attr-defined]
    for record in _hands("persona:deepstack", 40):
        reader.observe(record)
    assert model.like("stranger") == "DeepStack"
    assert "Pluribus" not in model.behind["stranger"]
    assert model.like("somebody else") == "auto"
    chances = model.populations_of("stranger", SPEC)
    assert max(chances, key=chances.get) == "DeepStack" and sum(chances.values()) == pytest.approx(1)
    assert model.populations_of("Pluribus", SPEC) == {"Pluribus": 1.0}
    assert model.habits_of("stranger", SPEC) is None  # programs have none
    assert model.habits_of("stranger", SPEC, "heads-up").shape == (12, 7, 9)
    again = load_reader("model:population=identify")
    again.load(reader.save())  # type: ignore[attr-defined]
    assert again.model.behind == model.behind  # type: ignore[attr-defined]
    for record in _hands("persona:deepstack", 3):
        state = HandState(record.spec, seats=record.seats)
        first = reader.read(state.view(None))
        assert {seat: r.p.tolist() for seat, r in again.read(state.view(None)).items()} == {
            seat: r.p.tolist() for seat, r in first.items()
        }
    with pytest.raises(ConfigError, match="3 bytes are not a comparison of populations"):
        again.load(b"abc")  # type: ignore[attr-defined]


def test_known_names_and_limit_games_are_not_compared() -> None:
    model = load_reader("model:population=identify").model  # type: ignore[attr-defined]
    for record in _hands("caller", 2, "DeepStack"):
        model.observe(record)
    for record in _hands("caller", 2, spec=load_game("holdem.limit.2p")):
        model.observe(record)
    assert model.behind == {}
    for record in _hands("caller", 1):
        model.observe(record)
    assert set(model.behind) == {"stranger"}
