"""Nobody goes through a hand again to look at it: a frame of the browser table and an advice make one pass each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import dupai.rules._state as rules_state
import dupai.spots._spot as spots_rows
from dupai.agents import MatchInfo, advise, make_agent
from dupai.arena.live import DeckSeal, LiveSettings, LiveTable
from dupai.base import Rng
from dupai.rules import BOARD_CARDS, Action, GameSpec, HandState
from dupai.web._state import Moment, TableOptions, public_of


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a hand was begun, an action played, and its decisions worked out from the first one on."""
    counts: Counter[str] = Counter()

    def count(module: Any, name: str, key: Callable[..., str]) -> None:
        kernel = getattr(module, name)

        def counted(*arguments: Any) -> Any:
            counts[key(*arguments)] += 1
            return kernel(*arguments)

        monkeypatch.setattr(module, name, counted)

    count(rules_state, "start_legal_kernel", lambda *_: "begun")
    count(rules_state, "apply_legal_kernel", lambda *_: "actions")
    count(spots_rows, "spots_kernel", lambda *arguments: "went on" if arguments[-1] else "from the start")
    return counts


def test_a_frame_of_the_browser_table_makes_one_pass(counts: Counter[str]) -> None:
    table = LiveTable(LiveSettings(seats=6))
    for k in range(6):
        table.sit(f"player {k}")
    now = table.deal()
    while now.street < 3:
        raises = not now.actions or now.actions[-1][0] < now.street
        table.act(table.actor or 0, now.legal.closest_raise(0) if raises else Action.call())
    assert len(now.actions) == 18
    counts.clear()
    frame = public_of(
        "id", table, TableOptions(), Moment("betting", BOARD_CARDS[now.street], None, DeckSeal()), set(), 0, ""
    )
    assert frame.state.hand is not None and len(frame.state.hand.log) == 2 + 18 + 3
    assert counts == {"begun": 1, "actions": 18}


@pytest.mark.parametrize("spec", ["rules", "fold:reader=model", "dupai:evidence=0,deals=64"])
def test_an_advice_makes_one_pass(spec: str, counts: Counter[str]) -> None:
    state = HandState(GameSpec.no_limit(2), ["AsKd", "7c2d"], "Ts9s2hJc4d")
    for action in (Action.raise_to(300), Action.call(), Action.call(), Action.raise_to(600)):
        state.apply(action)
    view = state.view(state.actor)
    agent = make_agent(spec)
    agent.start(MatchInfo(spec=state.spec, seat=state.seats[state.actor], names=("a", "b")))
    for _ in range(2):  # the first one also loads what the agent needs
        fresh = view.line.at().view(view.position)
        counts.clear()
        advise(agent, fresh, Rng(1))
    assert counts["begun"] + counts["from the start"] <= 1
