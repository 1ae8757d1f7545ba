"""The search gives the same without compilation."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

_CODE = """
from dupai.agents import make_agent, sit_down
from dupai.experiments import GameSearch
from dupai.notation import view_from_text
from dupai.base import Rng
from dupai.games import Kuhn, random_policy
for options in ("", ",opponents=random,determinise=leaf,chance=cards,playout=random", ",selection=thompson",
                ",leaf=effective"):
    for text in ("2 players, limit, button, AhQh", "3 players, button, AhQh; folds to me"):
        agent, view = make_agent("mcts:simulations=20" + options), view_from_text(text)
        sit_down(agent, view)
        found = agent.find(view, Rng(1))
        print(options, text, found.visits, found.values.round(9).tolist())
search = GameSearch(Kuhn(), [random_policy(Rng(1))] * 2, 0)
search.run(300, Rng(1))
print(search.value, search.line_value)
"""


@pytest.mark.slow
def test_interpreted_searches_find_the_same() -> None:
    def run(**more: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", _CODE], env={**os.environ, **more}, capture_output=True, text=True, check=True
        ).stdout

    compiled = run()
    assert compiled.count("players") == 8
    assert run(NUMBA_DISABLE_JIT="1") == compiled
