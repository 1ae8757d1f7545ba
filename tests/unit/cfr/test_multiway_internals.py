"""Blueprints of tables: situations, sampling, files, and how the agent plays them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from dupai.agents import make_agent
from dupai.base import ConfigError, FileError, Rng
from dupai.cards import COMBO_CLASS, class_index, combo_index
from dupai.cfr import Blueprints, load_plan
from dupai.cfr._multiway._kernels import options_kernel, situation_kernel
from dupai.cfr._multiway._situations import MAX_OPTIONS, STREET, menu_sizes
from dupai.cfr.blueprint import (
    BetMenu,
    BlueprintCard,
    BlueprintSolver,
    TableBlueprint,
    TableSolver,
    learn_buckets,
    save_blueprint,
)
from dupai.notation import Reason
from dupai.rules import FOLD, RAISE, Action, GameSpec, HandState, load_game
from dupai.spots import DID_BET, Spot, spots

C, F = Action.call(), Action.fold()
MENU = BetMenu(
    preflop=((0.6,), (1.0,), (0.6, "a"), ("a",)), flop=((0.5, 1.0), ("a",)), turn=((0.5, "a"),), river=((1.0,), ("a",))
)


def _spec(players: int, stack: int = 5000) -> GameSpec:
    return msgspec.structs.replace(load_game(f"holdem.nolimit.{players}p"), stacks=(stack,) * players)


def _hands(players: int, hands: int, seed: int) -> list[tuple[HandState, Spot]]:
    """Decisions of hands that are played at random, with the hand as it stood."""
    out = []
    spec = _spec(players)
    for hand in range(hands):
        state, rng = HandState.deal(spec, Rng(seed, hand), hand=hand), Rng(seed, hand, 1)
        while not state.finished:
            out.append((state.copy(), spots(state.view(None))[-1]))
            legal, u = state.legal, rng.uniform()
            if legal.can_raise and u < 0.25:
                wide = legal.max_to - legal.min_to
                state.apply(Action.raise_to(legal.min_to + int(wide * rng.uniform() ** 3)))
            elif state.to_call and u > 0.8:
                state.apply(F)
            else:
                state.apply(C)
    return out


def _options(spot: Spot) -> list[tuple[int, int]]:
    kinds, totals = np.zeros((2, MAX_OPTIONS), np.int64)
    n = int(options_kernel(spot.row[0], menu_sizes(MENU), kinds, totals))
    return list(zip(kinds[:n].tolist(), totals[:n].tolist(), strict=True))


def _opened(spot: Spot) -> int:
    return sum(1 for row in spot.rows if row["street"] == 0 and row["did"] >= DID_BET)


def test_the_options_are_those_of_the_menu_in_legal_chips() -> None:
    """Against a naive twin on the rules' own states."""
    seen = set()
    for state, spot in _hands(6, 60, 1):
        legal = state.legal
        expected: list[tuple[int, int]] = [(FOLD, 0)] if state.to_call else []
        expected.append((1, 0))
        rows = MENU.streets[state.street]
        raises = spot["raises"]
        if legal.can_raise and raises < len(rows):
            called = state.contributions[state.actor] + state.to_call
            pot = state.pot + state.to_call
            totals = set()
            for size in rows[raises]:
                to = legal.max_to if size == "a" else called + round(float(size) * pot)
                to = min(max(to, legal.min_to), legal.max_to)
                totals.add(legal.max_to if legal.max_to - to < 0.25 * (pot + 2 * (to - called)) else to)
            expected += [(RAISE, to) for to in sorted(totals)]
        found = _options(spot)
        assert [(kind, to if kind == RAISE else 0) for kind, to in found] == expected
        seen.add(len(found))
    assert {2, 3, 4} <= seen


def _described(spot: Spot, options: int) -> tuple[Any, ...]:
    """What a situation tells apart, in plain words."""

    def place(position: int) -> int:
        return position if position < 2 else 2 + min(spot.spec.players - 1 - position, 3)

    after = spot["pot"] + spot["to_call"]
    price = 0
    if spot["to_call"]:
        price = 1 + sum(spot["to_call"] / after >= edge for edge in (0.22, 0.29, 0.36, 0.42))
    if spot.street == 0:
        aggressor = spot["aggressor"]
        who = place(aggressor) if aggressor >= 0 else None
        mine = min(spot["acted"], 2), min(spot["calls"], 3), min(spot["behind"], 5)
        return (0, price, options, min(spot["raises"], 7), place(spot.position), who, *mine)
    behind = spot["effective"] - min(spot["to_call"], spot["effective"])
    deep = sum(behind / after >= edge for edge in (0.4, 1, 2, 4, 8))
    led = None if spot["leader"] < 0 else spot["leader"] == spot.position
    counts = min(spot["live"], 4), min(spot["after"], 2), min(spot["raises"], 3), min(spot["behind"], 2)
    return (
        spot.street,
        price,
        options,
        min(_opened(spot), 3),
        deep,
        led,
        *counts,
        bool(spot["checked"]),
        bool(spot["calls"]),
    )


def test_situations_are_told_apart_by_what_they_describe_and_nothing_else() -> None:
    numbers: dict[int, tuple[Any, ...]] = {}
    described: dict[tuple[Any, ...], int] = {}
    for players in (3, 6, 9):
        for _, spot in _hands(players, 150, players):
            options = len(_options(spot))
            number = int(situation_kernel(spot.row[0], _opened(spot), options))
            words = _described(spot, options)
            assert numbers.setdefault(number, words) == words
            assert described.setdefault(words, number) == number
            assert number // STREET == spot.street
    assert len(numbers) > 500


@pytest.mark.slow
def test_heads_up_it_finds_the_value_of_the_tree_solver() -> None:
    """A small game whose betting the situations tell apart: two algorithms, one value for the big blind."""
    menu = BetMenu(preflop=((0.75,), ("a",)), flop=((1.0,),), turn=((1.0,),), river=((1.0,),))
    spec, buckets = _spec(2, 2000), learn_buckets((6, 6, 6))
    tree = BlueprintSolver(spec, menu, buckets)
    tree.solve(300)
    measured = tree.measure(1, 300)
    assert measured is not None
    value = measured.value
    table = TableSolver(spec, menu, buckets)
    table.solve(150)
    won, hands = table.won.copy(), table.hands
    table.solve(500)
    found = 1000 * (table.won - won) / (table.hands - hands)
    # A deal scatters by less than 8 big blinds.
    error = 8000 / (table.hands - hands) ** 0.5
    assert abs(found[0] - value.mean) < 4 * (value.se**2 + error**2) ** 0.5
    assert abs(found.sum()) < 4 * 1.5 * error
    assert 4 * error < 180


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    solver = TableSolver(_spec(6), MENU, learn_buckets((8, 8, 8)))
    solver.solve(60)
    path = tmp_path_factory.mktemp("table") / "small.npz"
    card = BlueprintCard(
        game=solver.spec, menu=MENU, buckets=solver.cards.counts, nodes=solver.nodes, entries=solver.entries,
        passes=solver.passes, seconds=0, seed=1,
    )  # fmt: skip
    assert save_blueprint(path, solver.arrays(), card) == path.stat().st_size
    return path


def test_a_file_plays_legally_at_every_table(small: Path) -> None:
    plan = load_plan(small)
    assert isinstance(plan, TableBlueprint)
    known = 0
    for players in (3, 6, 8):
        for state, spot in _hands(players, 60, 20 + players):
            try:
                policy = plan.policy(spot).checked()
            except ConfigError as error:
                assert "does not know the situation" in str(error)
                continue
            known += 1
            legal = state.legal
            for action in policy.actions:
                assert isinstance(action, Action)
                assert action.kind != FOLD or state.to_call
                assert action.kind != RAISE or legal.min_to <= action.to <= legal.max_to
    assert known > 500


def test_hands_are_played_by_strength(small: Path) -> None:
    plan = load_plan(small)
    state = HandState(_spec(6))
    policy = plan.policy(spots(state.view(None))[-1]).checked()
    folds = policy.likelihood(F)

    def share(names: str) -> float:
        return float(np.mean([folds[class_index(name) == COMBO_CLASS].mean() for name in names.split()]))

    assert share("AA KK QQ JJ AKs AKo") + 0.3 < share("72o 82o 83o 92o 93o 94o T2o T3o J2o J3o 42o 52o 62o 63o")


def test_what_it_covers(small: Path) -> None:
    blueprints = Blueprints.load([small])
    six = _spec(6)
    assert blueprints.covers(six, (5000,) * 6, 0)
    assert blueprints.covers(_spec(9), (5000,) * 9, 3)
    assert blueprints.covers(six, (200, 200, 5000, 200, 5000, 200), 0)
    assert blueprints.covers(six, (12500,) * 6, 0)
    assert not blueprints.covers(six, (12600,) * 6, 0)
    assert not blueprints.covers(six, (20000,) * 6, 0)
    assert not blueprints.covers(six, (200, 200, 20000, 200, 200, 200), 0)
    assert not blueprints.covers(_spec(2), (5000, 5000), 0)
    assert not blueprints.covers(load_game("holdem.limit.6p"), (5000,) * 6, 0)


def test_the_agent_plays_it_and_falls_back(small: Path) -> None:
    agent = make_agent(f"equilibrium:blueprint={small}")
    state = HandState.deal(_spec(6), Rng(3))
    assert agent.reasons(state.view(state.actor)) == (Reason("blueprint"),)
    deep = HandState.deal(_spec(6, 20000), Rng(3))
    assert agent.reasons(deep.view(deep.actor)) == (Reason("stand_in_game_not_covered"),)
    # One player has 3 of 50 big blinds: what they can lose is another game.
    stacks = (5000, 5000, 300, 5000, 5000, 5000)
    short = HandState.deal(_spec(6), Rng(3), stacks=stacks)
    assert agent.reasons(short.view(short.actor)) == (Reason("stand_in_game_not_covered"),)
    # Two are left on the turn: the solver takes over, with the ranges of the blueprint.
    for action in (F, F, F, Action.raise_to(250), F, C, C, C):
        state.apply(action)
    assert state.street == 2
    assert agent.reasons(state.view(state.actor))[0].values == {"street": "turn"}


def test_stopped_and_resumed_it_is_the_same(tmp_path: Path) -> None:
    buckets = learn_buckets((4, 4, 4))
    once, first = (TableSolver(_spec(3), MENU, buckets) for _ in range(2))
    once.solve(30)
    first.solve(11)
    with open(tmp_path / "work", "wb") as file:
        first.save(file)
    again = TableSolver(_spec(3), MENU, buckets)
    again.load(tmp_path / "work")
    again.solve(30)
    for name, array in once.arrays().items():
        assert np.array_equal(again.arrays()[name], array), name
    assert np.array_equal(again.won, once.won)
    with pytest.raises(FileError, match="not a blueprint in work of this game"):
        TableSolver(_spec(4), MENU, buckets).load(tmp_path / "work")


def test_what_is_learned_does_not_depend_on_the_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So little room that the first board is repeated, and later ones grow it: the same as with plenty, stopped or
    not."""
    buckets = learn_buckets((4, 4, 4))
    plenty = TableSolver(_spec(6), MENU, buckets)
    plenty.solve(12)
    monkeypatch.setattr("dupai.cfr._multiway._solver._ROOM", 1 << 12)
    monkeypatch.setattr("dupai.cfr._multiway._solver._AHEAD", 1, raising=False)
    once, first, again = (TableSolver(_spec(6), MENU, buckets) for _ in range(3))
    once.solve(12)
    first.solve(5)
    with open(tmp_path / "work", "wb") as file:
        first.save(file)
    again.load(tmp_path / "work")
    again.solve(12)
    for solver in (once, again):
        assert solver.entries == plenty.entries
        assert np.array_equal(solver.won, plenty.won)
        for name, array in plenty.arrays().items():
            assert np.array_equal(solver.arrays()[name], array), name


def test_a_later_board_without_room_is_no_uniform_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cannot happen with the room that there is: more new situations than all boards before had met."""
    solver = TableSolver(_spec(3), MENU, learn_buckets((4, 4, 4)))
    solver.solve(1)
    used = solver.entries
    known = solver._known
    solver._known = known._replace(regrets=known.regrets[: used + 9], plan=known.plan[: used + 9])
    monkeypatch.setattr(solver, "_make_room", lambda: None)
    with pytest.raises(ConfigError, match="board 1 met situations with more than 9 new probabilities"):
        solver.solve(2)


def test_work_that_the_kernels_could_not_use_is_refused(tmp_path: Path) -> None:
    buckets = learn_buckets((4, 4, 4))
    solver = TableSolver(_spec(3), MENU, buckets)
    solver.solve(3)
    path = tmp_path / "work.npz"
    with path.open("wb") as file:
        solver.save(file)
    with np.load(path) as stored:
        arrays = dict(stored)
    slots, keys, begin, options = (arrays[name] for name in ("slots", "keys", "begin", "options"))
    full = np.where(slots < 0, 0, slots)
    far = begin.copy()
    far[5] += 10**12
    for name, value in (
        ("begin", far),
        ("begin", begin[:-1]),
        ("begin", begin.astype(np.float64)),
        ("slots", np.where(slots == 3, 10**6, slots).astype(np.int32)),
        ("slots", np.where(slots < 0, -9, slots).astype(np.int32)),
        ("slots", full),
        ("slots", slots[:64]),
        ("options", options + np.int8(1)),
        ("options", options.astype(np.int64)),
        ("keys", keys[0]),
        ("keys", np.where(np.arange(len(keys)) == 1, keys[0], keys)),
        ("keys", keys + 4 * STREET),
        ("plan", arrays["plan"][:-1]),
        ("regrets", np.full_like(arrays["regrets"], np.inf)),
        ("regrets", arrays["regrets"][0]),
        ("won", np.array(0.0)),
        ("passes", np.array(-1)),
        ("seconds", np.array(np.nan)),
    ):
        np.savez(path, **(arrays | {name: value}))
        with pytest.raises(FileError, match="not a blueprint in work of this game"):
            TableSolver(_spec(3), MENU, buckets).load(path)


def test_another_order_of_play_or_fewer_raises_are_another_game(small: Path) -> None:
    blueprints, spec = Blueprints.load([small]), _spec(6)
    for changed, suits in (
        ({"max_raises": (4, 2, 1, 2)}, True),
        ({"max_raises": (3, 2, 1, 2)}, False),
        ({"max_raises": (255, 255, 0, 255)}, False),
        ({"first_player": (2, 1, 0, 0)}, False),
        ({"first_player": (3, 0, 0, 0)}, False),
    ):
        assert blueprints.covers(msgspec.structs.replace(spec, **changed), (5000,) * 6, 0) == suits, changed


def test_damaged_files(small: Path, tmp_path: Path) -> None:
    with np.load(small) as stored:
        arrays = dict(stored)
    other = tmp_path / "other.npz"
    # Two situations of one street with other numbers of actions, swapped: the sum is the same.
    options, streets = arrays["options"], arrays["situations"] // STREET
    swapped = options.copy()
    i = int(np.flatnonzero((np.diff(options) != 0) & (np.diff(streets) == 0))[0])
    swapped[[i, i + 1]] = swapped[[i + 1, i]]
    card = bytes(arrays["card"]).replace(b'"blinds":[50,100,0', b'"blinds":[0,0,0')
    assert card != bytes(arrays["card"])
    for name, value in (
        ("options", swapped),
        ("card", np.frombuffer(card, np.uint8)),
        ("chances", arrays["chances"][:-1]),
        ("options", arrays["options"][:-1]),
        ("situations", arrays["situations"][::-1]),
        ("situations", arrays["situations"] + 4 * STREET),
    ):
        np.savez(other, **(arrays | {name: value}))
        with pytest.raises(FileError, match="is a damaged blueprint"):
            load_plan(other)


def test_other_games_are_refused() -> None:
    buckets = learn_buckets((2, 2, 2))
    with pytest.raises(ConfigError, match="expected no-limit"):
        TableSolver(msgspec.structs.replace(load_game("holdem.limit.3p"), antes=(1, 1, 1)), BetMenu(), buckets)
    with pytest.raises(ConfigError, match="a menu of 1 raises on a street and 7 sizes: expected at most 12 raises"):
        TableSolver(_spec(3), BetMenu(flop=((0.2, 0.4, 0.6, 0.8, 1.0, 2.0, "a"),)), buckets)
    with pytest.raises(ConfigError, match="a menu of 13 raises on a street"):
        TableSolver(_spec(3), BetMenu(flop=((1.0,),) * 13), buckets)


def test_what_ships_opens_as_charts_do() -> None:
    """Six players: the later the seat, the more hands are played; aces always, 72o never; the big blind defends more
    against the button than against the first seat; and few hands are played against a raise in front."""
    blueprints = Blueprints.shipped(tables=True)
    assert blueprints is not None
    state = HandState(_spec(6, 10000))
    aces, worst = (int(np.flatnonzero(class_index(name) == COMBO_CLASS)[0]) for name in ("AA", "72o"))
    played, defended, answered = [], [], []
    for _ in range(4):
        opening = blueprints.policy(spots(state.view(None))[-1]).checked()
        folds = opening.likelihood(F)
        assert folds[aces] == 0
        assert folds[worst] > 0.9
        played.append(1 - float(folds.mean()))
        raised = state.copy()
        raised.apply(Action.raise_to(250))
        while raised.actor != 1:
            answer = blueprints.policy(spots(raised.view(None))[-1]).checked().likelihood(F)
            assert answer[aces] == 0
            answered.append(1 - float(answer.mean()))
            raised.apply(F)
        answer = blueprints.policy(spots(raised.view(None))[-1]).checked().likelihood(F)
        assert answer[aces] == 0
        defended.append(1 - float(answer.mean()))
        state.apply(F)
    # Published charts open 15 to 20 % under the gun and 40 to 50 % on the button.
    assert 0.1 < played[0] < 0.25
    assert 0.35 < played[3] < 0.65
    assert played == sorted(played)
    assert defended[0] < defended[3] - 0.05
    assert max(answered) < 0.35


def test_the_table_is_played_on_demand() -> None:
    """By default a model of Pluribus plays, which won from the blueprint."""
    state = HandState.deal(_spec(6, 10000), Rng(3))
    view = state.view(state.actor)
    assert make_agent("equilibrium").reasons(view) == (Reason("stand_in_game_not_covered"),)
    assert make_agent("equilibrium:blueprint=table").reasons(view) == (Reason("blueprint"),)
    # A raise to 3 big blinds, where the menu has one to 2.5: for the big blind that is another class of price.
    for action in (F, F, F, Action.raise_to(300), F):
        state.apply(action)
    assert make_agent("equilibrium:blueprint=table").reasons(state.view(state.actor)) == (Reason("blueprint"),)


def test_what_ships_knows_nearly_all_that_comes_up() -> None:
    """Players who call, raise and fold as the blueprint says meet almost no situation that it does not know."""
    blueprints = Blueprints.shipped(tables=True)
    assert blueprints is not None
    known = unknown = 0
    for hand in range(150):
        state, rng = HandState.deal(_spec(6, 10000), Rng(9, hand)), Rng(9, hand, 1)
        while not state.finished:
            spot = spots(state.view(None))[-1]
            try:
                policy = blueprints.policy(spot)
                known += 1
            except ConfigError:
                unknown += 1
                state.apply(C)
                continue
            action = policy.of(combo_index(state.view(state.actor).hole)).sample(rng)
            state.apply(action)
    assert unknown < 0.02 * known
