"""The fold agent's kernel gives the same without compilation."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

_CODE = """
import numpy as np
from dupai.agents import sampled_rate
from dupai.cards import cards, combo
from dupai.reading import Reading
def reading(**hands):
    p = np.zeros(1326)
    for hand, weight in hands.items():
        p[combo(hand)] = weight
    return Reading(p)
told = [reading(KdKh=2, Jh9h=1, As2s=3, QcQs=1), reading(KdKh=1, QdQs=4, Th9h=2)]
for board in ("Qd8h7s", "Qd8h7s2c", "Qd8h7s2c3d"):
    print(sampled_rate(cards("QhTc"), cards(board), told[: len(board) % 3 + 1], 200))
"""


@pytest.mark.slow
def test_interpreted_win_rates_are_the_same() -> None:
    def run(**more: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", _CODE], env={**os.environ, **more}, capture_output=True, text=True, check=True
        ).stdout

    compiled = run()
    assert compiled.count("\n") == 3
    assert run(NUMBA_DISABLE_JIT="1") == compiled
