"""Hands as numbers for reinforcement learning: actions, masks, observations. Needs no Gymnasium."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from dupai.base import DupaiError, MissingPackage, Rng, RulesError
from dupai.cards import cards
from dupai.env import Encoder
from dupai.env._encoder import _totals
from dupai.env._table import game_of, with_decisions
from dupai.rules import Action, GameSpec, HandState, load_game


def test_actions_are_the_sizes_asked_for_and_masks_say_what_is_legal() -> None:
    encoder = Encoder(GameSpec.no_limit(2, stack=2000), ("half", "pot", "3bb", "a"))
    assert encoder.action_names == ("fold", "call", "raise 50%", "raise 100%", "raise 3bb", "raise a")
    state = HandState(encoder.spec)
    # The pot after the call is 200: half of it on top is to 200, all of it and three big blinds are to 300.
    assert [str(a) for a in encoder.actions(state)] == ["f", "c", "r200", "r300", "r300", "r2000"]
    assert encoder.mask(state).tolist() == [1, 1, 1, 1, 0, 1]
    assert encoder.mask(state, 0).tolist() == [0] * 6
    state.apply(Action.call())
    assert encoder.mask(state).tolist() == [0, 1, 1, 1, 0, 1]
    with pytest.raises(RulesError, match="is masked"):
        encoder.action(state, 0)
    assert encoder.action(state, 0, nearest=True) == Action.call()
    assert encoder.action(state, 5) == Action.raise_to(2000)
    state.apply(Action.raise_to(2000))
    assert encoder.mask(state).tolist() == [1, 1, 0, 0, 0, 0]
    assert encoder.action(state, 3, nearest=True) == Action.call()
    for bad in (6, -1, 1.5, "call", None):
        with pytest.raises(RulesError, match="expected an index 0 to 5"):
            encoder.action(state, bad)


def test_later_streets_count_bets_of_the_hand() -> None:
    encoder = Encoder(GameSpec.no_limit(2, stack=2000), ("pot", "3x", "120c"))
    state = HandState(encoder.spec)
    for action in (Action.raise_to(300), Action.call(), Action.raise_to(600)):  # 300 into 600 on the flop
        state.apply(action)
    # Pot after the call: 1200; totals are for the hand.
    assert [a.to for a in encoder.actions(state)[2:]] == [1800, 1200, 900]


def test_limit_games_have_one_size() -> None:
    encoder = Encoder(load_game("holdem.limit.2p"), ("half", "pot"))
    assert encoder.action_names == ("fold", "call", "raise min")
    assert encoder.actions(HandState(encoder.spec))[2] == Action.raise_to(20)


def test_an_observation_says_what_the_player_sees_and_no_more() -> None:
    encoder = Encoder(GameSpec.no_limit(3, stack=1000), history=3)
    state = HandState(encoder.spec, ["AsKd", "2c2d", "7h8h"], "Td9d6hQc2s")
    for action in (Action.raise_to(300), Action.fold(), Action.call()):
        state.apply(action)
    part = {name: encoder.observe(state, 1)[where] for name, where in encoder.features.items()}
    assert np.flatnonzero(part["hole"]).tolist() == sorted(cards("2c2d"))
    assert np.flatnonzero(part["board"]).tolist() == sorted(cards("Td9d6h"))
    assert part["street"].tolist() == [0, 1, 0, 0]
    chips = 3000
    players = (part["players"].reshape(3, 6) * [chips, chips, chips, 1, 1, 1]).round(2).tolist()
    # The observer is first: the big blind, which called; then the button, which raised; then the small blind.
    assert players == [[700, 0, 300, 0, 0, 0], [700, 0, 300, 0, 0, 1], [950, 0, 50, 1, 0, 0]]
    pot = encoder.features["pot"]
    # The big blind is to act: its smallest raise is a total of 400 for the hand.
    assert (part["pot"] * chips).round(2).tolist() == [650, 0, 400, 1000]
    assert (encoder.observe(state, 2)[pot] * chips).round(2).tolist() == [650, 0, 0, 0]
    history = part["history"].reshape(3, 7)
    assert history[0, :6].tolist() == [1, 0, 0, 0, 1, 0]  # latest: the observer called
    assert history[1, :6].tolist() == [0, 0, 1, 1, 0, 0]  # the small blind folded
    assert history[2, :6].tolist() == [0, 1, 0, 0, 0, 1]  # the button raised
    assert (history[:, 6] * chips).round(2).tolist() == [300, 50, 300]
    other = HandState(encoder.spec, ["AhKh", "2c2d", "QsQh"], "Td9d6h3c3s")
    for _, _, action in state.actions:
        other.apply(action)
    assert np.array_equal(encoder.observe(state, 1), encoder.observe(other, 1))


@pytest.mark.parametrize(
    "spec",
    [
        GameSpec.no_limit(2, stack=[150, 2000]),
        GameSpec.no_limit(6, stack=[90, 2000, 40, 1000, 20000, 333], ante=30),
        GameSpec.pot_limit(3, stack=1500),
        GameSpec.limit(4),
        load_game("holdem.nolimit.3p"),
        GameSpec.no_limit(4, stack=[2000, 130, 700, 2000], ante=50),
    ],
    ids=["short", "antes", "pot-limit", "limit", "acpc", "short big blind"],
)
def test_random_hands_stay_in_the_box_and_every_masked_action_is_legal(spec: GameSpec) -> None:
    encoder = Encoder(spec, ("min", "third", "pot", "2e", "2x", "a") if spec.betting != "limit" else None)
    rng = Rng(5)
    for hand in range(60):
        state = HandState.deal(spec, rng, hand=hand)
        seen_before: list[tuple[int, Action, int]] = []
        while not state.finished:
            for position in range(spec.players):
                seen = encoder.observe(state, position)
                assert seen.shape == (encoder.size,) and seen.dtype == np.float32
                assert seen.min() >= 0 and seen.max() <= 1
            # what the latest actor had put in does not change any more until another action of theirs
            totals = _totals(state)
            assert totals[:-1] == seen_before
            assert all(state.contributions[who] == total for who, _, total in totals[-1:])
            seen_before = totals
            legal = np.flatnonzero(encoder.mask(state)).tolist()
            actions = [encoder.action(state, index) for index in legal]
            assert len(set(actions)) == len(actions)
            for action in actions:
                state.copy().apply(action)
            state.apply(actions[rng.below(len(actions))])


def test_calls_of_a_big_blind_posted_short_are_of_the_whole_blind() -> None:
    state = HandState(GameSpec.no_limit(3, stack=[2000, 130, 2000], ante=50))
    state.apply(Action.call())
    state.apply(Action.call())
    assert [(who, total) for who, _, total in _totals(state)] == [(2, 100), (0, 100)]
    # Nobody else can act: the small blind calls what the big blind has.
    state = HandState(GameSpec.no_limit(2, stack=[150, 2000], ante=70))
    state.apply(Action.call())
    assert [(who, total) for who, _, total in _totals(state)] == [(1, 80)]


def _encoder(game: Any = None, players: int | None = None, sizes: Any = None, history: int = 12) -> Encoder:
    return Encoder(with_decisions(game_of(game, players)), sizes, history)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"sizes": ("huge",)}, "sizes: 'huge' is not a bet size"),
        ({"sizes": (3,)}, "sizes: 3 is not a bet size"),
        ({"history": -1}, "history = -1"),
        ({"game": 5}, "game: 5: expected a GameSpec"),
        ({"game": "holdem.limit.2p", "players": 3}, "it is for 2 players, and there are 3"),
        ({"game": "holdem.limit.2q"}, "holdem.limit.2p"),
        (
            {"game": GameSpec.no_limit(2, stack=[100, 50])},
            "stacks [100, 50] leave nothing to decide after blinds [100, 50]",
        ),
        ({"game": GameSpec.no_limit(3, (5, 10), stack=90, ante=90)}, "antes [90, 90, 90]: expected larger stacks"),
    ],
)
def test_settings_are_checked_in_one_line(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(DupaiError) as raised:
        _encoder(**arguments)
    assert said in str(raised.value) and "\n" not in str(raised.value)


def test_without_gymnasium_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import dupai.env

    for name in ("gymnasium", "pettingzoo"):
        monkeypatch.setitem(sys.modules, name, None)
    for module in ("dupai.env._gym", "dupai.env._aec"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    for name in ("HoldemGym", "HoldemAEC"):
        monkeypatch.delitem(vars(dupai.env), name, raising=False)
        with pytest.raises(MissingPackage, match=r"dupai\[env\]"):
            getattr(dupai.env, name)
