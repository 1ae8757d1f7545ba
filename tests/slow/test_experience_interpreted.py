"""The kernels of the expert and of the staged tree give the same without compilation."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

_CODE = """
from dupai.agents import make_agent
from dupai.notation import view_from_text
for spec in ("expert", "exp:own=max"):
    for text in ("MATCHSTATE:0:0:cc/cc/cc/:AsKh|/9d8s7d/2c/3h", "MATCHSTATE:1:0:r300c/cc/cc/r900:|9h9c/9d8s7d/2c/3h"):
        print(spec, [(str(a), round(p, 6)) for a, p in make_agent(spec).policy(view_from_text(text)).points])
"""


@pytest.mark.slow
def test_interpreted_trees_are_alike() -> None:
    def run(**more: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", _CODE], env={**os.environ, **more}, capture_output=True, text=True, check=True
        ).stdout

    compiled = run()
    assert compiled.count("\n") == 4
    assert run(NUMBA_DISABLE_JIT="1") == compiled
