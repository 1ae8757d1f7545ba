"""Decisions as rows, and menus."""

from __future__ import annotations

import numpy as np
import pytest

from dupai.base import ConfigError, Rng, RulesError
from dupai.cards import as_cards
from dupai.rules import Action, GameSpec, HandRecord, HandState, load_game
from dupai.spots import DID_RAISE, NOTHING, POSITION_CLASSES, Menu, spot_rows, spots
from naive.spots_rows import rows as naive_rows

GAMES = {
    "heads-up": GameSpec.no_limit(2, (100, 50), 2_000, odd_chips="acpc", min_raise="acpc"),
    "six, antes": GameSpec(
        players=6, betting="no-limit", blinds=(50, 100, 0, 0, 0, 0), stacks=(1_500,) * 6, antes=(10,) * 6
    ),
    "limit": load_game("holdem.limit.3p"),
    "limit, short stacks": GameSpec.limit(4, (10, 20), (20, 20, 40, 40), 150),
    "nine": GameSpec.no_limit(9, (1, 2), 60),
}


def played(spec: GameSpec, seed: int) -> HandRecord:
    rng = Rng(seed)
    stacks = [max(spec.big_blind, s - rng.below(s)) for s in spec.stacks]
    state = HandState.deal(spec, rng, stacks=stacks, hand=seed)
    while not state.finished:
        legal = state.legal
        kind = rng.below(6)
        if kind == 0 and legal.fold:
            state.apply(Action.fold())
        elif kind < 3 and legal.max_to:
            span = min(legal.max_to - legal.min_to + 1, 4 * spec.big_blind if rng.below(4) else legal.max_to)
            state.apply(Action.raise_to(legal.min_to + rng.below(max(min(span, legal.max_to - legal.min_to + 1), 1))))
        else:
            state.apply(Action.call())
    return state.record()


@pytest.mark.parametrize("game", list(GAMES))
def test_rows_are_those_of_the_twin(game: str) -> None:
    for seed in range(60):
        record = played(GAMES[game], seed)
        rows = spot_rows(record)
        want = naive_rows(record)
        assert len(rows) == len(want) == len(record.actions)
        for row, twin in zip(rows, want, strict=True):
            twin = dict(twin)
            assert POSITION_CLASSES[row["position_class"]] == twin.pop("class")
            for field, value in twin.items():
                assert row[field] == value, f"{game}, hand {seed}, decision {twin['n']}: {field}"
        assert (rows["did"] != NOTHING).all()


@pytest.mark.parametrize("game", list(GAMES))
def test_what_can_be_won_is_that_of_the_view(game: str) -> None:
    fewer = 0
    for seed in range(60):
        record = played(GAMES[game], seed)
        state = HandState(record.spec, record.hole, record.board, record.stacks, record.seats or None, record.hand)
        for spot, action in zip(spots(record), record.actions, strict=True):
            # A blind that a short stack has posted in part: the rows do not tell that.
            short = min(start - ante for start, ante in zip(record.stacks, record.spec.antes, strict=True))
            if short >= record.spec.big_blind:
                assert spot.winnable == state.winnable <= state.pot
                fewer += spot.winnable < state.pot
            state.apply(action)
    assert fewer > 0 or game == "limit"


def test_a_short_all_in_of_a_limit_game_is_no_raise() -> None:
    """Less than half a bet more: the rules count no raise, so the decision after it faces the bet before it."""
    spec = GameSpec.limit(3, (10, 20), (20, 20, 40, 40))
    for stack, raises in ((44, 1), (49, 1), (50, 2), (1000, 2)):
        state = HandState(spec, None, as_cards("2c7dTh"), [1000, stack, 1000])
        for action in (Action.call(), Action.call(), Action.call(), Action.raise_to(40)):
            state.apply(action)
        state.apply(Action.raise_to(state.legal.min_to))
        row = spot_rows(state)[-1]
        assert row["raises"] == state.state[0]["raises"] == raises
        assert row["aggressor"] == raises - 1
        assert row["raise_by"] == (20 if raises == 1 else min(stack, 60) - 40)
    # Nobody has bet in full on this street yet.
    state = HandState(spec, None, as_cards("2c7dTh"), [25, 1000, 1000])
    for _ in range(3):
        state.apply(Action.call())
    state.apply(Action.raise_to(25))
    row = spot_rows(state)[-1]
    assert (row["to_call"], row["raises"], row["aggressor"]) == (5, 0, -1)
    state.apply(Action.raise_to(state.legal.min_to))
    assert spot_rows(state)["did"][-2] == DID_RAISE
    assert spot_rows(state)["raises"][-1] == 1


def test_prefixes_end_in_the_due_decision() -> None:
    record = played(GAMES["six, antes"], 3)
    whole = spot_rows(record)
    for k in range(len(record.actions)):
        part = spot_rows(record, k)
        assert len(part) == k + 1
        assert part[-1]["did"] == NOTHING
        assert (part[:k] == whole[:k]).all()
        state = record.at(k)
        assert (spot_rows(state) == part).all()
        assert (spot_rows(state.view(None)) == part).all()
    found = spots(record)
    assert [s.action for s in found] == [a if a.kind != 2 else Action.raise_to(a.to) for a in record.actions]
    assert [len(s.rows) for s in found] == list(range(1, len(found) + 1))
    assert all(s.board == record.board[: (0, 3, 4, 5)[s.street]] for s in found)


def test_an_illegal_record_says_where() -> None:
    spec = GAMES["heads-up"]
    record = HandState(spec).view(None)
    with pytest.raises(RulesError, match=r"action 1 of 1"):
        spot_rows(
            HandRecord(
                spec=spec,
                hand=4,
                stacks=spec.stacks,
                hole=((255, 255),) * 2,
                board=(),
                actions=(Action.raise_to(101),),
                payoffs=(0, 0),
            )
        )
    assert len(spot_rows(record)) == 1


# menus -----------------------------------------------------------------------------------------------


def test_sizes_are_placed_by_the_pot() -> None:
    spec = GAMES["heads-up"]
    state = HandState(spec)
    state.apply(Action.call())
    state.apply(Action.call())
    [*_, spot] = spots(state)
    menu = Menu((0.5, 1.0), all_in=True)
    assert menu.names == ("fold", "call", "raise 0.5", "raise 1", "all-in")
    assert menu.legal(spot).tolist() == [False, True, True, True, True]
    # The pot is 200: bets of 100, 149 and 150 chips, and all of them.
    assert [menu.column_of_raise(spot, 100 + b) for b in (100, 149, 150, 1899)] == [2, 2, 3, 3]
    assert menu.column_of_raise(spot, 2_000) == 4
    assert menu.action(spot, 2) == Action.raise_to(200)
    assert menu.action(spot, 3) == Action.raise_to(300)
    assert menu.action(spot, 4) == Action.raise_to(2_000)
    with pytest.raises(ConfigError, match="not possible"):
        menu.action(spot, 0)
    with pytest.raises(ConfigError, match="still due"):
        menu.place(spot)


@pytest.mark.parametrize(
    "menu", [Menu(), Menu((0.33, 0.75, 1.5), all_in=True), Menu((), all_in=True), Menu((0.5, 1), (0.6,), measure="to")]
)
def test_actions_fall_into_legal_columns_and_back(menu: Menu) -> None:
    for game in GAMES.values():
        for seed in range(25):
            for spot in spots(played(game, seed)):
                legal = menu.legal(spot)
                assert legal[1]
                column = menu.place(spot)
                if spot["did"] or spot["to_call"]:
                    assert legal[column], f"{spot!r}: {menu.names[column]}"
                for k in np.flatnonzero(legal):
                    action = menu.action(spot, int(k))
                    if action.kind == 2:
                        assert spot["min_to"] <= action.to <= spot["max_to"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"sizes": ()}, "a menu has no raise"),
        ({"sizes": (1.0, 0.5)}, "expected rising fractions"),
        ({"sizes": (0.0, 0.5)}, "expected rising fractions"),
        ({"sizes": (0.5, 1.0), "edges": (0.6, 0.7)}, "expected 1 rising ones"),
    ],
)
def test_menus_that_make_no_sense(settings: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        Menu(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", list(GAMES))
def test_views_of_a_hand_share_one_pass_and_stay_independent(game: str) -> None:
    for seed in range(20):
        record = played(GAMES[game], seed)
        state = record.at(0)
        views = [state.view(None)]
        for action in record.actions:
            state.apply(action)
            views.append(state.view(None))
        rng = Rng(seed, 1)
        for _ in range(2 * len(views)):
            k = rng.below(len(views))
            rows, alone = spot_rows(views[k]), spot_rows(record.at(k).view())
            assert rows.tobytes() == alone.tobytes()
            rows["pot"] = -1  # what a caller does to its rows is its own
            assert spot_rows(views[-1], k).tobytes() == alone.tobytes()


def test_copies_of_a_hand_have_rows_of_their_own() -> None:
    state = HandState(GameSpec.no_limit(2, (50, 100), 2_000))
    spot_rows(state)
    other = state.copy()
    state.apply(Action.raise_to(300))
    other.apply(Action.call())
    assert [int(spot_rows(one)["to_call"][-1]) for one in (state, other, state)] == [200, 0, 200]
    assert spot_rows(other.view(0))["did"].tolist() == [2, NOTHING]
