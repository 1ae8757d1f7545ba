"""The agent ``mcts``: its tree, its options, what it refuses."""

from __future__ import annotations

import pytest

from dupai.agents import advise, check_agent, make_agent, sit_down, view_from_text
from dupai.base import DupaiError, Rng
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
