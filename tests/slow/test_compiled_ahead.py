"""What the list of kernels compiles is all that the small table of ``dupai run`` needs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.terminals import on_a_terminal

PLAY = """
from dupai.arena.tournament import (play_tournament_match, tournament_tasks)
from dupai.cli._live import Gains
from dupai.cli._run import FIRST_READER, FIRST_TABLE, seated_names
from dupai.jobs import compile_kernels

if __name__ == "__main__":
    done, listed = compile_kernels("first", jobs=2)
    assert done == listed, (done, listed)
    from numba.core import event
    compiled = []
    class Listener(event.Listener):
        def on_start(self, event): compiled.append(event.data["dispatcher"].py_func.__qualname__)
        def on_end(self, event): pass
    event.register("numba:compile", Listener())
    task = tournament_tasks(FIRST_TABLE, hands=40, matches=1, seed=5)[0]
    play_tournament_match(task, None, Gains(task, seated_names(task), FIRST_READER))
    assert compiled == [], compiled
"""


@pytest.mark.slow
def test_the_small_table_compiles_nothing(tmp_path: Path) -> None:
    (tmp_path / "play.py").write_text(PLAY)
    environment = {**os.environ, "DUPAI_CACHE_DIR": str(tmp_path / "cache")}
    subprocess.run([sys.executable, str(tmp_path / "play.py")], check=True, env=environment, timeout=600)


@pytest.mark.slow
def test_an_empty_cache_leads_from_the_recording_over_the_small_table_to_the_match(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "dupai", "run", "--seed", "7", "--out", str(tmp_path / "match")]
    # Only the match says this, under its own screen.
    until = b"compiling kernels of other commands"
    code, printed = on_a_terminal(words, until=until, DUPAI_CACHE_DIR=str(tmp_path / "cache"))
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", printed)
    assert code == 130
    assert plain.index("recorded match") < plain.index("small table, not saved") < plain.index(until.decode())
    assert "Traceback" not in plain
