"""Whom strangers play like: the populations compared by what they did."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest

from dupai.agents import make_agent
from dupai.base import ConfigError, Rng
from dupai.reading import load_reader
from dupai.reading._model._identified import IdentifiedModel, _log_chance
from dupai.reading._model._model import TrainedModel
from dupai.reading._model._weights import load_weights
from dupai.rules import Action, GameSpec, HandRecord, HandState, load_game
from dupai.spots import spots

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
    again = load_reader("model:population=identify")
    again.load(reader.save())  # type: ignore[attr-defined]
    assert again.model.behind == model.behind  # type: ignore[attr-defined]
    for record in _hands("persona:deepstack", 3):
        state = HandState(record.spec, seats=record.seats)
        first = reader.read(state.view(None))
        assert {seat: r.p.tolist() for seat, r in again.read(state.view(None)).items()} == {
            seat: r.p.tolist() for seat, r in first.items()
        }
    with pytest.raises(ConfigError, match="3 bytes are no comparison of populations"):
        again.load(b"abc")  # type: ignore[attr-defined]


def test_known_names_and_limit_games_are_not_compared() -> None:
    model = IdentifiedModel(load_weights())
    for record in _hands("caller", 2, "DeepStack"):
        model.observe(record)
    for record in _hands("caller", 2, spec=load_game("holdem.limit.2p")):
        model.observe(record)
    assert model.behind == {}
    for record in _hands("caller", 1):
        model.observe(record)
    assert set(model.behind) == {"stranger"}


def test_the_probability_of_a_first_action_is_the_mean_over_hands() -> None:
    """All hands are equally likely before the first action; and what is certain to happen adds up to 1."""
    model = TrainedModel(load_weights(), "DeepStack", adapt=False)
    total = 0.0
    state = HandState(SPEC)
    spot = spots(state.view(None))[-1]
    probs = model.probs(spot)
    for column in np.flatnonzero(model.menu(spot).legal(spot)).tolist():
        hand = HandState(SPEC, ["7c2d", "8h3s"], "QsJs9h4d2c")
        hand.apply(model.menu(spot).action(spot, column))
        if not hand.finished:
            hand.follow(Action.fold())
        found = math.exp(_log_chance(model, hand.record(), 1))
        assert found == pytest.approx(max(float(probs[:, column].mean()), 1e-4), rel=1e-5)
        total += float(probs[:, column].mean())
    assert total == pytest.approx(1, abs=1e-5)
