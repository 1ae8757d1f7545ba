"""What a stranger meets first: examples by name, suit symbols, times, narrow terminals, and ways to stop."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dupai.base import EXAMPLES, ConfigError, MissingPackage, NoProgress, example, install_hint, with_examples
from dupai.base.text import duration
from dupai.cards import cards
from dupai.cli import main
from dupai.history import file_records
from dupai.jobs import Pulse, stream
from dupai.ranges import Range


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (3.2e-6, "3.2 µs"),
        (0.0041, "4.1 ms"),
        (0.9999, "1 s"),
        (2.512, "2.51 s"),
        (75.2, "1 min 15 s"),
        (59.7, "1 min 0 s"),
        (3 * 3600 + 20 * 60, "3 h 20 min"),
    ],
)
def test_times_have_units_that_suit_them(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_examples_have_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert example("match") == EXAMPLES / "match.log"
    assert with_examples("--data=example:match") == f"--data={EXAMPLES / 'match.log'}"
    assert with_examples("@example:button") == f"@{EXAMPLES / 'button.range'}"
    assert with_examples("an example: of text") == "an example: of text"
    with pytest.raises(ConfigError, match="did you mean 'match'"):
        with_examples("example:mach")
    assert main(["history", "verify", "example:mach"]) == 2
    assert "example:mach: did you mean 'match'?" in capsys.readouterr().err


def test_hands_of_the_examples_are_the_same_in_every_form() -> None:
    match = list(file_records(example("match")))[:20]
    hands = list(file_records(example("hands")))
    site = list(file_records(example("site")))
    assert len(match) == len(hands) == len(site) == 20
    for one, phh, text in zip(match, hands, site, strict=True):
        assert (one.actions, one.payoffs, one.hole) == (phh.actions, phh.payoffs, phh.hole)
        # Folded hands are not in a site's text.
        assert [a.kind for a in one.actions] == [a.kind for a in text.actions]
        assert one.board[: len(text.board)] == text.board


@pytest.mark.parametrize("name", ["river", "turn", "flop"])
def test_spots_of_the_examples_can_be_solved(name: str) -> None:
    from dupai.cfr import load_spot

    assert load_spot(example(name))[0].pot > 0


def test_suit_symbols() -> None:
    assert cards("A♠K♦ 10♥") == cards("AsKd Th")
    assert cards("A♠\ufe0f") == cards("As")
    assert str(Range("A♠K♠, QQ+")) == str(Range("AsKs, QQ+"))


def test_a_range_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.range"
    file.write_text("# mine\nQQ+,\nAK # both\n")
    assert main(["equity", "A♠K♠", f"@{file}", "--board", "2♣7♦T♥"]) == 0
    printed = capsys.readouterr().out
    assert main(["equity", "AsKs", "QQ+, AK", "--board", "2c7dTh"]) == 0
    assert re.findall(r"[\d.]+", printed.split("\n", 2)[2]) == re.findall(
        r"[\d.]+", capsys.readouterr().out.split("\n", 2)[2]
    )
    assert main(["equity", "AA", "@nowhere"]) == 2
    assert "range file 'nowhere' cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("board", ["2c", "2c7d"])
def test_a_board_that_cannot_be_is_refused(board: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equity", "AA", "KK", "--board", board]) == 2
    assert f"board: '{board}' holds {len(board) // 2} cards: expected 0, 3, 4 or 5" in capsys.readouterr().err


def test_hints_name_the_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    assert install_hint("train") == f"{sys.executable} -m pip install 'dupai[train]'"
    assert install_hint("train") in str(MissingPackage("torch", "train", "training"))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert install_hint("train") == f"uv pip install --python {sys.executable} 'dupai[train]'"


def test_results_file_lists(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "r.db")
    assert main(["match", "caller", "raiser", "--hands", "4", "--results", file]) == 0
    capsys.readouterr()
    assert main(["results", "list", file]) == 0
    listed = capsys.readouterr().out
    assert main(["results", file]) == 0
    assert capsys.readouterr().out == listed and "caller" in listed


def _running(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "dupai", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"}, start_new_session=True,
    )  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_sigterm_leaves_nothing_behind(tmp_path: Path) -> None:
    file = tmp_path / "r.db"
    words = ["match", "caller", "style:LA", "--hands", "100000000", "--jobs", "2", "--backend", "processes"]
    running = _running(*words, "--matches", "4", "--results", str(file))
    until = time.monotonic() + 120
    while not file.exists() and time.monotonic() < until:
        time.sleep(0.1)
    time.sleep(2.0)
    running.send_signal(signal.SIGTERM)
    _, err = running.communicate(timeout=60)
    assert running.returncode == 128 + signal.SIGTERM
    assert "leaked" not in err and "Traceback" not in err, err


#: A command in which C code calls Python, as compiling does, and the signal comes there, where exceptions are lost.
_IN_C = """
import ctypes, os, signal, sys, time
import dupai.cli._main as main

def command():
    ctypes.CFUNCTYPE(None)(lambda: os.kill(os.getpid(), int(sys.argv[1])))()
    if sys.argv[2] == "fails":
        raise RuntimeError("no compiled object yet")
    time.sleep(60)

main._main = lambda argv: command()
main.entry()
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="signals of POSIX")
@pytest.mark.parametrize("then", ["fails", "lasts"])
def test_a_signal_that_comes_while_c_calls_python_is_not_lost(then: str) -> None:
    words = [sys.executable, "-c", _IN_C, str(int(signal.SIGTERM)), then]
    done = subprocess.run(words, capture_output=True, text=True, timeout=50, check=False)
    assert (done.returncode, done.stderr) == (128 + signal.SIGTERM, "")


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="signals of POSIX")
def test_ctrl_c_that_comes_while_c_calls_python_is_said() -> None:
    words = [sys.executable, "-c", _IN_C, str(int(signal.SIGINT)), "fails"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=50, check=False)
    assert (done.returncode, done.stderr) == (130, "dupai: interrupted\n")


def _sleeps(task: int, pulse: Pulse) -> int:
    time.sleep(60 * task)
    return task


class _Soon(NoProgress):
    """Cancelled once one task is done."""

    done = 0.0

    @property
    def cancelled(self) -> bool:
        return self.done > 0

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self.done = done


def test_workers_that_do_not_look_are_not_waited_for() -> None:
    began = time.monotonic()
    results = list(stream(_sleeps, [0, 1], backend="processes", jobs=2, progress=_Soon()))
    assert results == [(0, 0)] and time.monotonic() - began < 50
