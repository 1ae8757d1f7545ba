"""Players written for PyPokerEngine and PokerKit: what they are told, and that they play."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

from dupai.agents import MatchInfo, check_agent, random_spots
from dupai.arena import play_match
from dupai.base import ConfigError, Rng
from dupai.rules import Action, GameSpec, HandState
from support.plugins_internals import check_this

FOLDER = Path(__file__).parents[2] / "examples" / "other_players"
SPEC = GameSpec.no_limit(3, (50, 100), 10_000)


@pytest.fixture
def examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.setitem(sys.modules, "recorder", sys.modules[__name__])


class Recorder:
    """A player in PyPokerEngine's way that writes down what it is told."""

    told: list[tuple[str, Any]] = []  # noqa: RUF012

    def declare_action(self, valid_actions: Any, hole_card: Any, round_state: Any) -> tuple[str, int]:
        self.told.append(("declare", (valid_actions, hole_card, round_state)))
        return "raise", valid_actions[2]["amount"]["min"]

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("receive_"):
            raise AttributeError(name)
        return lambda *values: self.told.append((name.removeprefix("receive_").removesuffix("_message"), values))


def spot(*actions: Action) -> HandState:
    hand = HandState(SPEC, ["AsAd", "KhQh", "7c2d"], "2c7dTh5s9c", seats=(1, 2, 0), hand=7)
    for action in actions:
        hand.apply(action)
    return hand


@pytest.mark.usefixtures("examples")
def test_what_a_pypokerengine_player_is_told() -> None:
    from dupai_pypokerengine import PyPokerEngineAgent

    Recorder.told.clear()
    agent = PyPokerEngineAgent("recorder:Recorder")
    agent.start(MatchInfo(spec=SPEC, seat=1, names=("Cy", "Ann", "Bo")))
    agent.begin(spot().view(0))
    before = (Action.raise_to(300), Action.call(), Action.call())
    view = spot(*before).view(0)
    assert view.street == 1
    # The smallest bet is 100 on this street, 400 in the hand.
    assert agent.act(view, Rng(1)) == Action.raise_to(400)
    words = [word for word, _ in Recorder.told]
    # Keys and amounts (totals of the street) are those of PyPokerEngine.
    assert [values[0] for word, values in Recorder.told if word == "game_update"] == [
        {"player_uuid": "0", "action": "raise", "amount": 300},
        {"player_uuid": "1", "action": "call", "amount": 300},
        {"player_uuid": "2", "action": "call", "amount": 300},
    ]
    assert words == ["game_start", "round_start", "street_start", *["game_update"] * 3, "street_start", "declare"]
    assert Recorder.told[1][1][:2] == (7, ["SA", "DA"])
    valid, hole, state = Recorder.told[-1][1]
    assert valid == [
        {"action": "fold", "amount": 0},
        {"action": "call", "amount": 0},
        {"action": "raise", "amount": {"min": 100, "max": 9700}},
    ]
    assert hole == ["SA", "DA"]
    assert (state["street"], state["community_card"], state["pot"]["main"]["amount"]) == (
        "flop",
        ["C2", "D7", "HT"],
        900,
    )
    assert [s["name"] for s in state["seats"]] == ["Cy", "Ann", "Bo"]
    assert (state["dealer_btn"], state["small_blind_pos"], state["big_blind_pos"], state["next_player"]) == (0, 1, 2, 1)
    assert [(a["action"], a["amount"], a["uuid"]) for a in state["action_histories"]["preflop"]] == [
        ("SMALLBLIND", 50, "1"),
        ("BIGBLIND", 100, "2"),
        ("RAISE", 300, "0"),
        ("CALL", 300, "1"),
        ("CALL", 300, "2"),
    ]
    assert [a["add_amount"] for a in state["action_histories"]["preflop"] if "add_amount" in a] == [50, 50, 200]
    over = spot(*before, Action.raise_to(400), Action.fold(), Action.fold())
    agent.end(over.record(("Ann", "Bo", "Cy")).seen_by(0))
    word, (winners, shown, final) = Recorder.told[-1]
    assert word == "round_result"
    assert [w["name"] for w in winners] == ["Ann"]
    assert [s["hand"]["card"] for s in shown] == [["SA", "DA"]]
    assert [s["stack"] for s in final["seats"]] == [9700, 10600, 9700]
    updates = [values[0] for word, values in Recorder.told if word == "game_update"]
    assert updates[3:] == [
        {"player_uuid": "1", "action": "raise", "amount": 100},
        {"player_uuid": "2", "action": "fold", "amount": 0},
        {"player_uuid": "0", "action": "fold", "amount": 0},
    ]
    assert [(a["action"], a.get("amount")) for a in final["action_histories"]["flop"]] == [
        ("RAISE", 100), ("FOLD", None), ("FOLD", None),
    ]  # fmt: skip


@pytest.mark.usefixtures("examples")
def test_a_pypokerengine_player_is_told_of_side_pots() -> None:
    from dupai_pypokerengine import PyPokerEngineAgent

    agent = PyPokerEngineAgent("recorder:Recorder")
    agent.start(MatchInfo(spec=SPEC, seat=1, names=("Cy", "Ann", "Bo")))
    # Chairs 1, 2, 0 are small blind, big blind, button. Cy is all-in for 300, Ann raises to 800, Bo has put in 100.
    hand = HandState(SPEC, ["AsAd", "KhQh", "7c2d"], "2c7dTh5s9c", seats=(1, 2, 0), stacks=(10_000, 5_000, 300))
    hand.apply(Action.raise_to(300))
    hand.apply(Action.raise_to(800))
    pot = agent._round_state(hand.view(1))["pot"]
    assert pot == {"main": {"amount": 700}, "side": [{"amount": 500, "eligibles": ["1"]}]}
    hand.apply(Action.call())
    pot = agent._round_state(hand.view(0))["pot"]
    assert pot == {"main": {"amount": 900}, "side": [{"amount": 1000, "eligibles": ["1", "2"]}]}
    # Ann bets 4,200 on the flop and Bo calls all-in: both have put in 5,000, and the second side pot is empty.
    hand.apply(Action.raise_to(5_000))
    hand.apply(Action.call())
    pot = agent._round_state(hand.view(0))["pot"]
    sides = [{"amount": 9400, "eligibles": ["1", "2"]}, {"amount": 0, "eligibles": ["1", "2"]}]
    assert pot == {"main": {"amount": 900}, "side": sides}


@pytest.mark.usefixtures("examples")
def test_players_for_other_engines_play(monkeypatch: pytest.MonkeyPatch) -> None:
    from dupai_pypokerengine import PyPokerEngineAgent

    result = play_match([PyPokerEngineAgent, "style:TA"], hands=40, seed=1)
    assert not result.faults
    with pytest.raises(ConfigError, match="expected module:name of something to import"):
        PyPokerEngineAgent("no_such_module:Fish")
    check_this(monkeypatch, PyPokerEngineAgent)
    assert check_agent("caller", 150).ok


@pytest.mark.usefixtures("examples")
def test_the_hand_that_a_pokerkit_player_acts_upon() -> None:
    pytest.importorskip("pokerkit")
    from dupai_pokerkit import pokerkit_state

    compared = 0
    for random in random_spots(Rng(5), 300, (2, 6), ("no-limit",)):
        view = random.view
        if view.spec.min_raise != "casino":
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            state = pokerkit_state(view)
        earlier = view.contributions[view.actor] - view.bets[view.actor]
        assert state.actor_index == view.actor
        assert tuple(state.stacks) == view.stacks
        assert state.total_pot_amount == view.pot
        assert state.checking_or_calling_amount == view.legal.to_call
        assert [str(card) for card in state.hole_cards[view.actor]].count("??") == 0
        unseen = [c for k, two in enumerate(state.hole_cards) if k != view.actor for c in two]
        assert all(card.unknown_status for card in unseen)
        low = state.min_completion_betting_or_raising_to_amount
        if low is not None and view.legal.can_raise:
            assert low == view.legal.min_to - earlier
            compared += 1
    assert compared > 50


@pytest.mark.usefixtures("examples")
def test_a_pokerkit_player_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pokerkit")
    from dupai_pokerkit import PokerKitAgent

    result = play_match([PokerKitAgent, "style:TA"], hands=40, seed=1)
    assert not result.faults
    view = HandState(SPEC, ["AsAd", "KhQh", "7c2d"]).view(2)
    assert PokerKitAgent().act(view, Rng(1)) == Action.call()
    first = HandState(GameSpec.no_limit(3, (50, 100), 10_000), [None, None, "AsAd"]).view(2)
    assert PokerKitAgent().act(first, Rng(1)) == Action.raise_to(200)
    agent = PokerKitAgent("builtins:id")
    with pytest.raises(ConfigError, match="the player did nothing"):
        agent.act(view, Rng(1))
    check_this(monkeypatch, PokerKitAgent)
    assert check_agent("caller", 150).ok
