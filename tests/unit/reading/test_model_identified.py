"""Whom strangers play like: the populations compared by what they did."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from dupai.agents import make_agent
from dupai.base import ConfigError, Rng
from dupai.reading import Reader, hidden_hands, legal_hands, load_reader
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
    reader = load_reader("model")
    model = reader.model  # type: ignore[attr-defined]
    for record in _hands("persona:deepstack", 40):
        reader.observe(record)
    assert model.like("stranger", SPEC) == "DeepStack"
    assert "Pluribus" not in model.gained["stranger"]
    assert model.like("somebody else", SPEC) == "heads-up"
    assert model.like("Pluribus", SPEC) == "Pluribus"
    assert model.taken_for(1, SPEC) == ("DeepStack", None)  # programs have no habits
    model.meet({0: "me"})
    assert model.taken_for(0, SPEC)[0] == "heads-up"
    again = load_reader("model")
    again.load(reader.save())  # type: ignore[attr-defined]
    assert again.model.gained == model.gained  # type: ignore[attr-defined]
    again.meet({0: "me", 1: "stranger"})
    for record in _hands("persona:deepstack", 3):
        for _, state in record.street_ends():
            first, second = reader.read(state.view(None), [1]), again.read(state.view(None), [1])
            assert first[1].p.tolist() == second[1].p.tolist()
    with pytest.raises(ConfigError, match="3 bytes are not a comparison of populations"):
        again.load(b"abc")  # type: ignore[attr-defined]


def test_a_stranger_who_plays_any_hand_is_read_with_caution() -> None:
    """A raiser: what the usual population would hold is soon known to be wrong, and the reading never gets far from
    even."""
    reader, usual = load_reader("model"), load_reader("model:population=heads-up,adapt=off")
    hands = _hands("raiser", 12)

    def bits(one: Reader, record: HandRecord) -> float:
        *_, (_, state) = record.street_ends()
        held, view = hidden_hands(record)[record.seats.index(1)], state.view(None)
        assert held is not None
        return one.read(view, [1])[1].gain(held, int(legal_hands(view, record.seats.index(1)).sum()))

    reader.meet({0: "me", 1: "stranger"})
    fresh = [bits(reader, record) for record in hands]
    assert np.mean(fresh) > np.mean([bits(usual, record) for record in hands]) + 0.2
    for record in hands:
        reader.observe(record)
    assert np.mean([bits(reader, record) for record in _hands("raiser", 20)[12:]]) > -0.1


def test_known_names_and_limit_games_are_not_compared() -> None:
    model = load_reader("model").model  # type: ignore[attr-defined]
    for record in _hands("caller", 2, "DeepStack"):
        model.observe(record)
    for record in _hands("caller", 2, spec=load_game("holdem.limit.2p")):
        model.observe(record)
    assert model.gained == {}
    for record in _hands("caller", 1):
        model.observe(record)
    assert set(model.gained) == {"stranger"}
