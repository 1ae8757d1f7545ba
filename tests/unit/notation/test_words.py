"""Words for cards, actions, results and choices: what every face of a table prints."""

from __future__ import annotations

from dupai.agents import random_spots
from dupai.base import Rng
from dupai.cards import NO_CARD, cards
from dupai.notation import (
    action_words,
    advice_words,
    card_words,
    chips_words,
    choice_words,
    legal_words,
    made_hand_words,
    read_answer,
    result_words,
    view_from_text,
)
from dupai.rules import Action, GameSpec, HandState, step_of, steps_of
from dupai.spots import RaiseBetween


def test_cards_and_chips() -> None:
    assert [card_words(c) for c in (*cards("AsTd"), NO_CARD)] == ["As", "Td", "??"]
    assert [card_words(c, signs=True) for c in (*cards("AsTd"), NO_CARD)] == ["A♠", "T♦", "··"]
    assert chips_words(1_250_000) == "1,250,000"
    assert chips_words(-1250) == "-1,250"
    assert chips_words(2520 * 100 + 840, 2520) == "100.33"
    assert [chips_words(u, sign=True) for u in (5000, -5000, 0)] == ["+5,000", "-5,000", "0"]


def test_actions_count_by_street() -> None:
    state = HandState(GameSpec.no_limit(2, (50, 100), 1000), [cards("AsKd"), cards("QcQd")], cards("2c7dTh5s9s"))
    spoken = []
    for action in (Action.raise_to(300), Action.call(), Action.call(), Action.raise_to(500), Action.raise_to(1000)):
        spoken.append(action_words(step_of(state, action)))
        state.apply(action)
    spoken += [action_words(step_of(state, Action.fold())), action_words(step_of(state, Action.call()))]
    assert spoken == [
        "raises to 300", "calls 200", "checks", "bets 200", "raises to 700, all-in", "folds", "calls 500, all-in"
    ]  # fmt: skip
    state.apply(Action.call())
    assert result_words(steps_of(state.record()), 1) == [(1, "wins 1,000 with pair, queens")]
    assert made_hand_words(cards("QcQd"), cards("2c7dTh")) == ""
    assert made_hand_words((NO_CARD, NO_CARD), cards("2c7dTh5s9s")) == ""


def test_choices_name_the_total_of_the_hand() -> None:
    view = view_from_text("2 players, stacks 1000, button, AsKd; calls, checks; flop 2c7dTh: bets 200")
    choices = (Action.fold(), Action.call(), Action.raise_to(600), Action.raise_to(1000), RaiseBetween(500, 900, 1.0))
    assert [choice_words(view, c) for c in choices] == [
        "fold", "call 200", "raise to 600 (500 on this street)", "raise to 1,000 (900 on this street), all-in",
        "raise to 500..900 (400..800 on this street)",
    ]  # fmt: skip
    assert [advice_words(view, c) for c in choices] == [choice_words(view, c) for c in choices]
    assert legal_words(view) == "fold, call 200, raise to 400..900"
    assert legal_words(view, of_hand=True) == "fold, call 200, raise to 500..1,000 (400..900 on this street)"
    limit = view_from_text("2 players, limit, button, AsKd; calls, checks; flop 2c7dTh: bets 100")
    assert legal_words(limit, of_hand=True) == "fold, call 100, raise to 300 (200 on this street)"


def test_the_first_bet_on_a_street_is_a_bet() -> None:
    view = view_from_text("2 players, stacks 1000, button, AsKs; calls, checks; flop 2c7dTh: checks")
    choices = (Action.call(), Action.raise_to(400), Action.raise_to(1000), RaiseBetween(250, 900, 1.0))
    said = ["check", "bet 300", "bet 900, all-in", "bet 150..800"]
    assert [advice_words(view, c) for c in choices] == said
    # What --json has keeps the total of the hand.
    assert choice_words(view, Action.raise_to(400)) == "raise to 400 (300 on this street)"
    assert legal_words(view, of_hand=True) == legal_words(view) == "check, bet 100..900"
    opened = view_from_text("2 players, stacks 1000, bb, AsKs; button calls")
    assert advice_words(opened, Action.raise_to(300)) == "raise to 300"


def test_every_legal_action_can_be_typed() -> None:
    for spot in random_spots(Rng(3), 200):
        view = spot.view
        legal = view.legal
        before = view.contributions[view.actor] - view.bets[view.actor]
        assert read_answer("c", view) == Action.call()
        if legal.fold:
            assert read_answer("fold", view) == Action.fold()
        if legal.can_raise:
            assert read_answer(f"r {legal.min_to - before:,}", view) == Action.raise_to(legal.min_to)
            assert str(legal.max_to - before) in legal_words(view).replace(",", "")
