"""A reproduction that is stopped in any way loses nothing that was finished."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dupai.jobs import Keeper

pytestmark = pytest.mark.slow


def _pieces(folder: Path) -> dict[str, object]:
    if not (folder / "cells.db").exists():
        return {}
    with Keeper(folder / "cells.db", {"paper": "rules"}, version=2) as keeper:
        return {key: keeper.get(key) for key in keeper.keys()}  # noqa: SIM118 - a keeper is no mapping


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_finished_pieces_survive(how: signal.Signals, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "dupai", "reproduce", "rules", "--jobs", "2", "--out", str(tmp_path), "--json"]
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 300
    while len(before := _pieces(tmp_path)) < 4 and run.poll() is None and time.monotonic() < deadline:
        time.sleep(0.2)
    run.send_signal(how)
    run.wait(60)
    before |= _pieces(tmp_path)
    assert len(before) >= 4
    again = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
    result = json.loads(again.stdout)
    assert not result["partial"]
    after = _pieces(tmp_path)
    # With their times: none of them was done again.
    assert {key: after[key] for key in before} == before
    assert len(after) == sum(part["cells"][1] for part in result["parts"])
