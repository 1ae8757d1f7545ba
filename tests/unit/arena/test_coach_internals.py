"""The coach: what decisions gave up, from what the player could know."""

from __future__ import annotations

import numpy as np
import pytest

from dupai.agents import BaseAgent, Notes, make_agent
from dupai.arena._coach import held_out_gains
from dupai.arena.live import Coach
from dupai.base import Rng
from dupai.notation import Reason, reason_words
from dupai.reading import load_reader
from dupai.rules import Action, GameSpec, HandState, View

SPEC = GameSpec.no_limit(2, (50, 100), 10_000)
LINE = (Action.call(), Action.call()) * 3 + (Action.raise_to(600),)


def _river(villain: str = "7h2c") -> HandState:
    """The button has checked down with the nuts and faces a bet of 500 into 200 on the river."""
    state = HandState(SPEC, [villain, "AsKs"], "QsJsTs2d3d")
    for action in LINE:
        state.apply(action)
    return state


def _coach(**options: object) -> Coach:
    return Coach(load_reader("uniform"), lambda seat: make_agent("caller"), **options)  # type: ignore[arg-type]


def test_folding_the_nuts_gives_up_the_most_that_can_be_won() -> None:
    view = _river().view(1)
    lesson = _coach(deals=40).lesson(view, Action.fold(), 4)
    # A caller pays the all-in: 10,000 won, and 100 put in that a fold loses.
    assert lesson.gave_up.mean == pytest.approx(101.0)
    assert lesson.gave_up.n == 40
    assert lesson.sure
    assert lesson.best == Action.raise_to(10_000)
    assert lesson.values["fold"].mean == 0.0
    assert lesson.values["call"].mean == pytest.approx(7.0)


class _Unsure(BaseAgent):
    """Calls; falls back against bets."""

    stateless = True

    def __init__(self) -> None:
        self.notes = Notes()

    def act(self, view: View, rng: Rng) -> Action:
        if view.to_call:
            self.notes.add(Reason("stand_in_game_not_covered"))
        return Action.call()


def test_fall_backs_on_the_deals_are_told() -> None:
    view = _river().view(1)
    lesson = Coach(load_reader("uniform"), lambda seat: _Unsure(), deals=20).lesson(view, Action.call(), 4)
    # The opponent answers an all-in and a bet of each size, on each deal; not a call and a fold.
    assert lesson.fell_back == 20 * (len(lesson.values) - 2)
    words = reason_words(lesson.about(view))
    assert f"({lesson.fell_back} decisions on the deals fell back: A stand-in plays" in words


def test_the_best_action_gives_up_nothing() -> None:
    lesson = _coach(deals=40).lesson(_river().view(1), Action.raise_to(10_000), 4)
    assert (lesson.gave_up.mean, lesson.best, lesson.sure) == (0.0, lesson.chosen, False)
    assert lesson.ahead.mean > 50


def test_a_free_fold_is_judged() -> None:
    state = HandState(GameSpec.no_limit(2, (50, 100), 1000), ["AsKd", None], "Ah7c2d9s3h")
    for _ in range(6):
        state.apply(Action.call())
    lesson = _coach().lesson(state.view(0), Action.fold(), 1)
    assert lesson.gave_up.mean > 0


def test_hidden_cards_do_not_matter() -> None:
    coach = _coach(deals=30)
    lessons = [coach.lesson(_river(villain).view(1), Action.call(), 4) for villain in ("7h2c", "AdAh")]
    assert lessons[0] == lessons[1]


def test_three_players_with_hands_from_the_reader() -> None:
    state = HandState.deal(GameSpec.no_limit(3, (50, 100), 5_000), Rng(3))
    state.apply(Action.raise_to(300))
    lesson = _coach(deals=30).lesson(state.view(state.actor), Action.call(), 1)
    assert set(lesson.values) == {"call", "fold", "small", "half", "pot", "all-in"}
    assert lesson.values["fold"].se == 0.0
    assert all(np.isfinite(e.mean) for e in lesson.values.values())


def test_the_best_of_equal_actions_is_not_a_loss() -> None:
    rng = np.random.default_rng(4)
    gains = [held_out_gains(rng.normal(size=(100, 6))).mean() for _ in range(300)]
    assert abs(np.mean(gains)) < 0.03
    # Chosen and valued on the same deals the best of six looks better than it is.
    assert np.mean([(v := rng.normal(size=(100, 6))).mean(axis=0).max() - v[:, 0].mean() for _ in range(300)]) > 0.1


def test_time_ends_a_lesson() -> None:
    assert _coach(deals=5000, seconds=0.0).lesson(_river().view(1), Action.call(), 4).gave_up.n == 20
