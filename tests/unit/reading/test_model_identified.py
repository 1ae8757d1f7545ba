"""Whom strangers play like: the populations compared by what they did."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from dupai.agents import make_agent
from dupai.base import ConfigError, Rng
from dupai.equity import equity
from dupai.notation import view_from_text
from dupai.reading import Reader, hidden_hands, legal_hands, load_reader
from dupai.rules import GameSpec, HandRecord, HandState, load_game

SPEC = GameSpec.no_limit(2, (50, 100), 20_000)


def _hands(opponent: str, hands: int, name: str = "stranger", spec: GameSpec = SPEC) -> list[HandRecord]:
    """Hands of an agent (seat 1) against a caller (seat 0, from where they are seen) and, if there are more seats,
    ``rules``."""
    agents = (make_agent("caller"), make_agent(opponent), *(make_agent("rules") for _ in range(spec.players - 2)))
    out = []
    for hand in range(hands):
        seats = [(hand + position) % spec.players for position in range(spec.players)]
        state = HandState.deal(spec, Rng(5, hand), hand=hand, seats=seats)
        rng = Rng(6, hand)
        while not state.finished:
            seat = state.seats[state.actor]
            state.apply(agents[seat].act(state.view(state.actor), rng))
        names = ("me", name, *(f"rules{seat}" for seat in range(2, spec.players)))
        record = state.record([names[seat] for seat in state.seats])
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


_SHOVES = {
    "first in": "9 players, blinds 100/200, stacks 4000, button, {}; utg all-in, folds to me",
    "over a raise": "6 players, blinds 50/100, stacks 2000, co, {}; folds to me, raises to 250, folds to bb, all-in",
}


@pytest.mark.parametrize(
    ("line", "hand", "low", "high"),
    [
        # The equity of a hand against what real players held who moved all-in like that, with its 95 % interval
        # (training and validation parts of Bovada, PokerStars and site texts): 49 players first in with 12 to 25 big
        # blinds, 76 over a raise with 8 to 25. K8s has 38 to 44 %, a call needs 48 %, and any two cards leave it 56 %.
        ("first in", "Kd8d", 0.38, 0.48),
        ("first in", "9s9d", 0.59, 0.69),
        ("first in", "QsQd", 0.70, 0.76),
        ("over a raise", "QsQd", 0.68, 0.74),
    ],
)
def test_a_strangers_first_all_in_is_read_as_that_of_people(line: str, hand: str, low: float, high: float) -> None:
    view, reader = view_from_text(_SHOVES[line].format(hand)), load_reader("model")
    reader.meet({seat: f"stranger{seat}" for seat in view.seats})
    shover = view.seats[next(p for _, p, a in reversed(view.actions) if a.to == view.start_stacks[p])]
    reading = reader.read(view, [shover])[shover]
    assert low < equity([hand, reading.range]).equity[0] < high


def test_who_moves_all_in_with_any_hand_is_known_after_a_few_hands() -> None:
    view = view_from_text("6 players, blinds 50/100, stacks 10000, bb, AsKd; utg all-in, folds to me")
    reader, seat = load_reader("model"), view.seats[view.actions[0][1]]
    reader.meet({seat: "stranger"})
    assert reader.read(view, [seat])[seat].narrowed < 850
    for record in _hands("raiser:size=max", 5, spec=view.spec):
        reader.observe(record)
    reader.meet({seat: "stranger"})
    assert reader.read(view, [seat])[seat].narrowed > 1150


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
