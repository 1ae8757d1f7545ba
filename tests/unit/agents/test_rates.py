"""Win rates of agents: from the table, counted out, dealt out; the same on every machine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dupai.agents import make_agent
from dupai.base import Rng
from dupai.cards import combo
from dupai.equity import load_win_rate_table, win_rates
from dupai.rules import Action, GameSpec, HandState, View


def _views(players: int, street: int, count: int, seed: int) -> list[View]:
    spec = GameSpec.no_limit(players)
    rng = Rng(seed)
    views = []
    while len(views) < count:
        state = HandState.deal(spec, rng)
        while state.street < street:
            state.apply(Action.call())
        views.append(state.view(state.actor))
    return views


@pytest.mark.parametrize("street", [0, 1, 2, 3])
def test_heads_up_rates_are_exact(street: int) -> None:
    agent: Any = make_agent("rules")
    # The table rounds to 1/65535; a river is counted out.
    tolerance = 0.51 / 65535 if street < 3 else 1e-12
    for view in _views(2, street, 40, 3):
        exact = win_rates(view.board, np.ones(1326) if street else None)[combo(*view.hole)]
        assert agent.win_rate(view) == pytest.approx(exact, abs=tolerance)


def test_a_turn_that_is_not_in_the_table_gives_the_same_decision() -> None:
    counted: Any = make_agent("rules")
    counted._loaded = load_win_rate_table(False)
    table = load_win_rate_table(None)
    for view in _views(2, 2, 300, 4):
        rate = counted.win_rate(view)
        exact = win_rates(view.board, np.ones(1326))[combo(*view.hole)]
        assert rate == np.floor(exact * 65535 + 0.5) / 65535
        if table is not load_win_rate_table(False):
            read: Any = make_agent("rules")
            read._loaded = table
            assert read.win_rate(view) == rate


def test_multi_way_rates_against_plain_deals() -> None:
    eval7 = pytest.importorskip("eval7")
    agent: Any = make_agent("rules:deals=40000")
    deck = [eval7.Card(r + s) for s in "cdhs" for r in "23456789TJQKA"]
    rng = Rng(6)
    for players, street in ((3, 0), (3, 2), (6, 1), (10, 0), (4, 3)):
        (view,) = _views(players, street, 1, players)
        mine = [deck[c] for c in view.hole]
        board = [deck[c] for c in view.board]
        rest = [deck[c] for c in range(52) if c not in (*view.hole, *view.board)]
        deals, score = 8000, 0.0
        for _ in range(deals):
            rng.shuffle(rest)
            full = board + rest[: 5 - len(board)]
            held = rest[5 - len(board) :]
            ours = eval7.evaluate(mine + full)
            theirs = [eval7.evaluate(held[2 * k : 2 * k + 2] + full) for k in range(players - 1)]
            if ours >= max(theirs):
                score += 1 / (1 + theirs.count(ours))
        rate = score / deals
        error = np.sqrt(rate * (1 - rate) * (1 / deals + 1 / 40_000)) + 1e-4
        assert abs(agent.win_rate(view) - rate) < 4 * error, (players, street)


def test_folded_players_do_not_count() -> None:
    state = HandState(GameSpec.no_limit(6), ["AsKd", None, None, None, None, None])
    for _ in range(4):
        state.apply(Action.fold())
    agent: Any = make_agent("rules")
    assert agent.win_rate(state.view(0)) == pytest.approx(win_rates()[combo(51, 24)], abs=1e-9)


def test_the_last_rate_is_not_taken_for_another_number_of_opponents() -> None:
    agent: Any = make_agent("rules")
    views = []
    for folds in range(3):
        state = HandState(GameSpec.no_limit(4), ["AsKd", None, None, None])
        for k in range(2):
            state.apply(Action.fold() if k < folds else Action.call())
        views.append(state.view(0))
    assert [v.folded.count(False) for v in views] == [4, 3, 2]
    rates = [agent.win_rate(v) for v in views]
    assert rates[0] < rates[1] - 0.05 < rates[2] - 0.1
    assert rates == [make_agent("style").win_rate(v) for v in views]  # type: ignore[attr-defined]


def test_the_order_of_cards_does_not_matter() -> None:
    agent: Any = make_agent("rules")
    spec = GameSpec.no_limit(3)
    rates = set()
    for hole in ("AsKd", "KdAs"):
        for board in ("2c7dTh", "Th2c7d", "7dTh2c"):
            state = HandState(spec, [hole, None, None], board)
            for _ in range(3):
                state.apply(Action.call())
            rates.add(make_agent("style").win_rate(state.view(0)))  # type: ignore[attr-defined]
            rates.add(agent.win_rate(state.view(0)))
    # Three-way rates are dealt out, from a stream that the set of cards seeds.
    assert max(rates) - min(rates) < 1e-12
