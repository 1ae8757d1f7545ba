"""A million hands go into the store in less than 500 MB, and come out in the right number."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dupai.base import Rng
from dupai.history import Store
from dupai.rules import GameSpec, load_game
from naive.history_hands import random_log

pytestmark = pytest.mark.slow

_PROGRAM = """
import sys
from dupai.history import import_file
report = import_file(sys.argv[1], sys.argv[2])
# VmHWM is this process's own peak; ru_maxrss begins with what its parent had when it was forked.
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(report.hands, report.rejected, peak.split()[1])
"""


@pytest.mark.parametrize("players", [2, 6])
def test_a_million_hands_in_500_megabytes(tmp_path: Path, players: int) -> None:
    game = load_game("holdem.nolimit.2p") if players == 2 else GameSpec.no_limit(6, (50, 100), 10_000)
    spec = GameSpec.no_limit(players, (50, 100), game.stacks[0], odd_chips="acpc", min_raise="acpc")
    bodies = [line.split(":", 2)[2] for line in random_log(spec, Rng(1), 5_000)]
    log = tmp_path / "million.log"
    with log.open("w", encoding="utf-8") as file:
        file.writelines(f"STATE:{k}:{bodies[k % 5_000]}\n" for k in range(1_000_000))
    command = [sys.executable, "-c", _PROGRAM, str(log), str(tmp_path / "store")]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    hands, rejected, peak = map(int, done.stdout.split())
    assert (hands, rejected) == (1_000_000, 0)
    assert peak < 500 * 1024
    store = Store(tmp_path / "store")
    assert store.rows("select count(*), count(distinct hand_id), sum(line) from hands") == [
        (1_000_000, 1_000_000, 1_000_000 * 1_000_001 // 2)
    ]
    assert store.rows("select sum(payoff), count(*) from players") == [(0, 1_000_000 * players)]
