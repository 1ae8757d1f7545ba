"""The swarm without compilation (the tables it needs take a minute to read that way)."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow


_PLAIN = """
from dupai.experiments import FastLane
print(FastLane("swarm:quick,m=4,nf=4,warm=5,detect=10", "style:paper-LA", seed=3, hands=40).play(16).tolist())
"""


def test_without_compilation() -> None:
    """The kernels say the same as plain Python."""
    said = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", _PLAIN],
            env={**os.environ, "NUMBA_DISABLE_JIT": off},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for off in ("0", "1")
    ]
    assert said[0] == said[1]
    assert said[0].startswith("[")
