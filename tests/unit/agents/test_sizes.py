"""``style:``'s sizes: the paper's, and those that a person would believe."""

from __future__ import annotations

import pytest

from dupai.agents import make_agent
from dupai.base import Rng
from dupai.notation import Reason
from dupai.rules import Action, GameSpec, HandState


def _raises(players: int, hand: int, stack: int = 10_000) -> HandState:
    """A hand of raises at random places."""
    return HandState.deal(GameSpec.no_limit(players, (50, 100), stack), Rng(5, 0, hand, 0))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("style:LA", "style:LA,size=people"),
        ("style:paper-LA", "style:LA,size=pot"),
        ("style:paper", "style:paper-TA"),
    ],
)
def test_sizes_are_those_of_people_unless_the_paper_is_named(one: str, other: str) -> None:
    plain, paper = make_agent(one), make_agent(other)
    for hand in range(40):
        state, rngs = _raises(2, hand), (Rng(5, 0, hand, 1), Rng(5, 0, hand, 1))
        while state.actor >= 0:
            view = state.view(state.actor)
            assert plain.policy(view) == paper.policy(view)  # type: ignore[attr-defined]
            action = plain.act(view, rngs[0])
            assert action == paper.act(view, rngs[1])
            state.apply(action)


@pytest.mark.parametrize("players", [2, 6, 9])
def test_people_bet_round_shares_of_the_pot(players: int) -> None:
    agent = make_agent("style:LA,alpha=0,beta=0,size=people,deals=50")
    opened = set()
    for hand in range(8):
        state, rng = _raises(players, hand), Rng(5, 0, hand, 1)
        while state.actor >= 0:
            view = state.view(state.actor)
            policy = agent.policy(view).checked()  # type: ignore[attr-defined]
            for action, _ in policy.points:
                state.check(action)
                if action.kind == Action.raise_to(1).kind and action.to != view.legal.max_to:
                    before = view.contributions[view.actor] - view.bets[view.actor]
                    assert (action.to - before) % 50 == 0 or action.to == view.legal.min_to
                    added = action.to - view.contributions[view.actor]
                    assert added <= 0.6 * view.stacks[view.actor] or action.to == view.legal.min_to
                    assert added <= view.to_call + 1.6 * (view.pot + view.to_call) + 100
            if not state.actions:
                opened |= {action.to for action, _ in policy.points}
            state.apply(agent.act(view, rng))
    # Opens of two to five big blinds.
    assert opened <= set(range(200, 501, 50))
    assert len(opened) >= 3
    assert Reason("size", {"size": "people"}) in agent.reasons(_raises(players, 1).view(_raises(players, 1).actor))  # type: ignore[attr-defined]
