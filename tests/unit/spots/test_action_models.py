"""What every action model keeps to, and the one translation between menus."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from dupai.agents import make_agent
from dupai.base import Rng
from dupai.reading import load_reader
from dupai.rules import Action, GameSpec, HandState
from dupai.spots import ActionModel, Menu, Spot, spots

NO_LIMIT = GameSpec.no_limit(2)
LIMIT = GameSpec.limit(2)
READERS = ("bucket", "cnn", "fold", "model")
MENUS = (
    Menu((1.0,)),
    Menu((0.5, 1.0), all_in=True),
    Menu((), all_in=True),
    Menu((0.25, 0.5, 0.75, 1.0, 1.6, 3.0), all_in=True),
    Menu((0.5, 0.75, 1.0), (0.6, 1.0), measure="to"),
)


def decisions(spec: GameSpec, hands: int) -> list[Spot]:
    """Decisions of random hands."""
    rng = Rng(3)
    out = []
    for hand in range(hands):
        state = HandState.deal(spec, rng)
        while not state.finished:
            legal = state.legal
            actions = [Action.call(), Action.call()]
            if legal.fold and hand % 3 == 0:
                actions.append(Action.fold())
            if legal.can_raise:
                low, high = legal.min_to, legal.max_to
                actions += [
                    Action.raise_to(low),
                    Action.raise_to(min(high, low + rng.below(400))),
                    Action.raise_to(high),
                ]
            state.apply(actions[rng.below(len(actions))])
        out += spots(state)
    return out


@pytest.mark.parametrize("name", [*READERS, "expert"])
@pytest.mark.parametrize("spec", [NO_LIMIT, LIMIT], ids=["no-limit", "limit"])
def test_every_model_answers_for_its_own_menu(name, spec) -> None:
    model = make_agent("exp:model=expert").model if name == "expert" else load_reader(name).model
    assert isinstance(model, ActionModel)
    for spot in decisions(spec, 12):
        menu = model.menu(spot)
        probs = model.probs(spot)
        assert probs.shape == (1326, len(menu)) and probs.dtype == np.float32
        assert probs.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
        assert not probs[:, ~menu.legal(spot)].any()


def naive_column(menu: Menu, other: Menu, spot: Spot, column: int, available: list[int]) -> int:
    to = column if menu == other else other.column(spot, menu.action(spot, column))
    if to in available:
        return to
    raises = [c for c in available if c >= 2]
    return min(raises, key=lambda c: (abs(c - to), c)) if to >= 2 and raises else 1


@pytest.mark.parametrize(("menu", "other"), list(itertools.product(MENUS, MENUS)))
def test_a_menu_put_onto_another_keeps_all_chances(menu: Menu, other: Menu) -> None:
    for spot in decisions(NO_LIMIT, 8):
        legal, theirs = menu.legal(spot), other.legal(spot)
        for available in (np.flatnonzero(theirs), np.flatnonzero(theirs)[:2], np.flatnonzero(theirs)[[0, -1]]):
            into = menu.onto(other, spot, available)
            assert into.shape == (len(menu), len(other))
            for column in range(len(menu)):
                row = np.zeros(len(other))
                if legal[column]:
                    row[naive_column(menu, other, spot, column, available.tolist())] = 1
                assert (into[column] == row).all()
        assert not menu.onto(other, spot)[:, ~theirs].any()
        if menu == other:
            assert (menu.onto(other, spot) == np.diag(legal)).all()
