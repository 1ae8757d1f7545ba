"""The agent that changes its style."""

from __future__ import annotations

import pytest

from dupai.agents import check_agent, make_agent
from dupai.base import ConfigError, Rng
from dupai.rules import DECK_STREAM, GameSpec, HandState


def test_it_plays_the_style_of_the_hand() -> None:
    agent = make_agent("changer:styles=LA/tp,every=3")
    assert [agent.style_of(hand) for hand in (0, 1, 3, 4, 6, 7)] == ["LA", "LA", "LA", "TP", "TP", "LA"]
    styles = {name: make_agent(f"style:{name},size=random") for name in ("LA", "TP")}
    seen = set()
    for hand in range(1, 60):
        state = HandState.deal(GameSpec.no_limit(2, (50, 100), 10_000), Rng(7, 0, hand, DECK_STREAM), hand=hand)
        view = state.view(state.actor)
        ours, theirs = agent.policy(view), styles[agent.style_of(hand)].policy(view)
        assert ours == theirs
        assert agent.act(view, Rng(hand)) == styles[agent.style_of(hand)].act(view, Rng(hand))
        other = styles["TP" if agent.style_of(hand) == "LA" else "LA"].policy(view)
        seen.add(ours == other)
    assert False in seen
    assert agent.reasons(view)[0].code == "style_for"


def test_it_declares_that_it_does_not_learn_and_passes_the_check() -> None:
    assert make_agent("changer").stateless
    report = check_agent("changer:every=5", views=40)
    assert report.ok, report.lines


@pytest.mark.parametrize("options", ["styles=LA/XX", "every=0", "size=huge"])
def test_bad_options(options: str) -> None:
    with pytest.raises(ConfigError):
        make_agent(f"changer:{options}")
