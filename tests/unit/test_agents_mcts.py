"""The agent ``mcts``: its tree, its options, what it refuses."""

from __future__ import annotations

import json

import pytest

from dupai.agents import GameSearch, advise, check_agent, make_agent, sit_down, view_from_text
from dupai.base import DupaiError, Rng
from dupai.cfr import best_response
from dupai.cli._main import main
from dupai.games import Kuhn, Leduc, TabularPolicy, random_policy
from dupai.rules import FOLD

LIMIT = "2 players, limit, button, AhQh"


def ask(spec: str, text: str, seed: int = 1):
    agent = make_agent(spec)
    view = view_from_text(text)
    sit_down(agent, view)
    return advise(agent, view, Rng(seed))


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("mcts:ms=0", "ms=0: expected a time above 0"),
        ("mcts:actions=fold/half/pot", "actions='fold/half/pot' has no call: expected one, as in"),
        ("mcts:actions=call/hlaf", "actions='call/hlaf': 'hlaf': did you mean 'half'"),
        ("mcts:opponents=model,determinise=leaf", "opponents=model needs determinise=root"),
        ("mcts:simulations=0", "simulations=0: expected"),
        ("mcts:reader=bukcet", "unknown reader 'bukcet': did you mean 'bucket'"),
    ],
)
def test_options_that_make_no_sense(spec: str, told: str) -> None:
    with pytest.raises(DupaiError) as caught:
        make_agent(spec)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_folding_is_worth_nothing_and_visits_add_up() -> None:
    advice = ask("mcts:simulations=500", "2 players, limit, button, 7c2d")
    by_kind = {a.kind: (v, n) for a, v, n in zip(advice.actions, advice.values, advice.visits, strict=True)}
    assert by_kind[FOLD][0] == 0.0
    assert sum(advice.visits) == 500
    assert list(advice.readings) == [0]
    assert advice.readings[0].hands == 50 * 49 // 2


def test_protocol_of_agents() -> None:
    report = check_agent("mcts:simulations=30", views=20)
    assert report.ok, report


@pytest.mark.parametrize(("game", "error"), [(Kuhn(), 0.006), (Leduc(), 0.1)])
def test_small_games_converge_to_the_best_response(game, error: float) -> None:
    for player in (0, 1):
        policies = [random_policy(Rng(7, player)) for _ in range(2)]
        exact, _ = best_response(game, policies, player)
        search = GameSearch(game, policies, player)
        away = []
        for point in (1_000, 30_000, 1_000_000):
            search.run(point - search.simulations, Rng(point))
            away.append((abs(search.value - exact), abs(search.line_value - exact)))
        assert search.simulations == 1_000_000
        # The mean over all simulations holds the losses of trying; the line that is visited most does not.
        assert away[2][1] < error
        assert away[2][0] < 0.1 * away[0][0]
        assert away[0][0] > away[1][0] > away[2][0]
        # Nobody does better than the best response but by luck.
        assert search.value < exact + error


@pytest.mark.parametrize("selection", ["uct", "ucb-tuned", "thompson"])
def test_searches_from_the_middle_read_the_opponent(selection: str) -> None:
    """With the king's caller known: a queen that checked and faces a bet wins what Bayes says."""
    game = Kuhn()
    # Bets the jack half the time and the king always after a check, never the queen.
    bets = {(1, 0, (0,)): 0.5, (1, 1, (0,)): 0.0, (1, 2, (0,)): 1.0}
    villain = TabularPolicy({k: (1 - b, b) for k, b in bets.items()})
    search = GameSearch(game, (villain, villain), 0, selection=selection, information=(0, 1, (0, 1)))
    search.run(200_000, Rng(3))
    # Jack 1/3, king 2/3: calling wins 2 or loses 2, folding loses 1.
    assert search.line_value == pytest.approx(max(-1.0, 2 / 3 - 4 / 3), abs=0.02)


def test_small_searches_that_make_no_sense() -> None:
    game, policies = Kuhn(), (random_policy(Rng(1)), random_policy(Rng(2)))
    for arguments, told in (
        ({"player": 2}, "player 2: kuhn_poker has 2"),
        ({"player": 0, "selection": "best"}, "selection='best': expected one of uct"),
        ({"player": 0, "information": "x"}, "never decides there"),
    ):
        with pytest.raises(DupaiError, match=told):
            GameSearch(game, policies, **arguments)


def screen(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(["advise", *arguments])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_advice_on_the_screen(capsys) -> None:
    text = "3 players, limit, button, AhQh; I raise to 200, sb folds, bb calls; flop 2h7dTh: bb bets 100"
    code, out, _ = screen(capsys, "--agent", "mcts:simulations=400", "--state", text)
    assert code == 0
    lines = out.splitlines()
    assert all(len(line) <= 80 for line in lines[1:])
    head = next(line for line in lines if "visits" in line and "worth, bb" in line)
    assert "action" in head
    assert any(line.strip().startswith("0.0%  fold") and line.endswith("+0.00") for line in lines)
    start = next(k for k, line in enumerate(lines) if line.startswith("seat 1, big blind: 1,081 hands possible"))
    grid = lines[start + 1 : start + 15]
    assert grid[0].split() == list("AKQJT98765432")
    assert [line[0] for line in grid[1:]] == list("AKQJT98765432")
    # A stranger may hold anything: every class that can be is as likely as any other.
    assert grid[1][2:].split()[:3] == ["AA", "AKs", "AQs"]
    code, out, _ = screen(capsys, "--agent", "mcts:simulations=400", "--state", text, "--json")
    told = json.loads(out)
    assert sum(a["visits"] for a in told["actions"]) == 400
    assert sum(told["readings"]["1"]["classes"]) == pytest.approx(1)


@pytest.mark.parametrize(
    ("agent", "state", "told"),
    [
        ("mcts", "MATCHSTATE:1:0:cr250:|As", "As"),
        ("mcts", "MATCHSTATE:1:0:ffff:|AsKd", "ffff"),
        ("mcts:actions=fold/pot", "2 players, button, AsKd", "actions='fold/pot' has no call"),
        ("mcts:ms=0", "2 players, button, AsKd", "ms=0: expected a time above 0"),
        ("mcts:actions=call/0", "2 players, button, AsKd", "a raise of 0 pots"),
    ],
)
def test_bad_input_is_one_line(capsys, agent: str, state: str, told: str) -> None:
    code, out, err = screen(capsys, "--agent", agent, "--state", state)
    assert code == 2
    assert out == ""
    assert told in err
    assert len(err.strip().splitlines()) == 1
