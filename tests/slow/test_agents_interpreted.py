"""The agents' kernels give the same without compilation."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

_CODE = """
from dupai.agents import make_agent
from dupai.notation import view_from_text
from dupai.base import Rng
for spec in ("rules:loose-aggressive,deals=20", "style:paper-LA,deals=20", "raiser:0.7", "fixed", "random"):
    for text in ("hole=AsKd", "hole=Ad2d board=QcKc2c pot=500 to_call=100 stack=100",
                 "hole=AsKd board=2c7dTh9s4d to_call=200", "hole=Ad2d board=QcKc2c pot=500 to_call=100 players=4"):
        agent, view, rng = make_agent(spec), view_from_text(text), Rng(5)
        print(spec, text, [str(agent.act(view, rng)) for _ in range(20)], agent.policy(view))
"""


@pytest.mark.slow
def test_interpreted_agents_play_alike() -> None:
    def run(**more: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", _CODE], env={**os.environ, **more}, capture_output=True, text=True, check=True
        ).stdout

    compiled = run()
    assert compiled.count("\n") == 20
    assert run(NUMBA_DISABLE_JIT="1") == compiled
