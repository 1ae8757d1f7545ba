"""Ctrl-C on a terminal ends long commands with what they have; long work is saved at most 20 seconds apart."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from dupai.arena import _store
from dupai.cfr import SpotSolver, load_solution, save_solution
from dupai.cfr.postflop import _solver
from dupai.training._cnn import _fit
from dupai.training._model import _selfplay
from support.terminals import on_a_terminal

#: Commands that would work for hours, what their progress shows when they work, and what they end with.
_LONG = {
    "solve": (
        ["solve", "{spot}", "-t", "0.0000001%", "--max-iterations", "100000000"],
        rb"of the pot",
        "target not reached",
    ),
    "cfr": (
        ["cfr", "leduc", "-a", "outcome", "-n", "1000000000", "--checks", "1000"], rb"exploitability", "stopped early",
    ),
    "mcts": (
        ["match", "mcts", "caller", "-n", "100000000", "-j", "1"], rb"[1-9]\d* hands", "partial",
    ),
    "reproduce": (["reproduce", "mcts", "--jobs", "1", "--out", "{out}"], rb"reproduce mcts", "pieces of work done"),
}  # fmt: skip


@pytest.mark.parametrize("name", _LONG)
def test_ctrl_c_ends_the_command_with_what_it_has(name: str, tmp_path: Path) -> None:
    words, until, last = _LONG[name]
    spot = tmp_path / "river.toml"
    spot.write_text('board = "Ah7c2d9s3h"\noop = "22+, A2s+, KTs+"\nip = "22+, A2s+, KTs+"\npot = 100\nstack = 300\n'
                    '[sizes]\nbet = "50%, 100%"\nraise = "60%"\n')  # fmt: skip
    words = [word.format(spot=spot, out=tmp_path / "out") for word in words]
    code, printed = on_a_terminal([sys.executable, "-m", "dupai", *words], until)
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", printed)
    assert code == 130, plain
    assert last in plain and "Traceback" not in plain


def test_long_work_is_saved_at_most_twenty_seconds_apart() -> None:
    """Matches and everything else with ``--results``, self-play, networks, solutions."""
    seconds = (_store.CHECKPOINT_SECONDS, _selfplay._SAVE_SECONDS, _fit.CHECKPOINT_SECONDS, _solver.SAVE_SECONDS)
    assert all(0 < s <= 20 for s in seconds)


def test_a_solution_is_saved_while_it_is_worked_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock on which every look takes four seconds."""
    from dupai.cfr import load_spot

    now = iter(range(0, 10**9, 4))
    monkeypatch.setattr(_solver, "time", SimpleNamespace(monotonic=lambda: next(now), perf_counter=lambda: 0.0))
    spot, _ = load_spot(_example("river"))
    solver = SpotSolver(spot)
    saved: list[int] = []

    def save() -> None:
        save_solution(solver, tmp_path / "s")
        saved.append(solver.iterations)

    solver.run(1e-9, max_iterations=600, save=save)
    assert saved and 0 < saved[0] < 600
    again = load_solution(tmp_path / "s")
    assert again.iterations == saved[-1]
    # It goes on to the same strategy as a run without a stop.
    again.run(1e-9, max_iterations=600)
    assert again.evs() == pytest.approx(solver.evs(), abs=1e-9)


def _example(name: str) -> str:
    from dupai.base import with_examples

    return with_examples(f"example:{name}")


@pytest.mark.parametrize("module", ["dupai.cli", "typer", "dupai.cli._main", "dupai.arena._format"])
def test_ctrl_c_while_the_program_is_loaded_is_one_line(module: str) -> None:
    program = f"""
import os, signal, sys
class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupts())
sys.argv = ["dupai", "match", "caller", "caller", "-n", "10"]
from dupai.__main__ import entry
entry()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "dupai: interrupted\n")
