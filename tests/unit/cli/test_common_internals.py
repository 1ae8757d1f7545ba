"""What all commands share: progress and Ctrl-C, the console, lines that fit, and JSON."""

from __future__ import annotations

import json
import math
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from dupai.cli import main
from dupai.cli._common import Guarded, TerminalProgress, console, fitted, print_json, progress
from dupai.cli._reproduce import _time
from dupai.cli._shared import table
from support.command_line import EVIL, SHOWN, strict, write_log


def test_lines_fit_and_words_stay_whole() -> None:
    path = "/a/path/" + "x" * 90
    text = fitted(f"  one two {path} three\nshort", 20)
    assert text == f"  one two\n    {path}\n    three\nshort"


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_interrupts_work_that_does_not_look() -> None:
    with pytest.raises(KeyboardInterrupt), progress("busy"):
        os.kill(os.getpid(), signal.SIGINT)
        until = time.monotonic() + 30
        while time.monotonic() < until:
            sum(range(1000))
    with progress("busy") as bar:
        os.kill(os.getpid(), signal.SIGINT)
        assert bar.cancelled
        until = time.monotonic() + 2
        while time.monotonic() < until:
            sum(range(1000))


def test_numbers_that_json_lacks_and_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    name = "a\x1b[2J\x9b\x7f\u202e\ud800"
    print_json({"x": [math.nan, math.inf, -math.inf, 1.5], name: "\n"})
    out = capsys.readouterr().out
    assert strict(out) == {"x": [None, None, None, 1.5], name.replace("\ud800", "\\ud800"): "\n"}
    assert out.isascii()


def test_the_first_ctrl_c_says_that_it_was_heard(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with progress("work", delay=60) as bar:
        bar.report(1, 10)
        os.kill(os.getpid(), signal.SIGINT)
        assert bar.cancelled
    assert "Ctrl-C again: at once" in capsys.readouterr().err


def test_our_own_colours_pass(capsys: pytest.CaptureFixture[str]) -> None:
    sys.stdout, before = Guarded(sys.stdout), sys.stdout  # type: ignore[assignment]
    try:
        print(EVIL)
        sys.stdout.writelines([EVIL])
        out = console()
        out._color_system = out._color_system or 3  # type: ignore[assignment]
        out._force_terminal = True
        out.print("[bold]not markup :hand:", EVIL, style="red")
        view = table("name", ">n")
        view.add_row(EVIL, "1")
        out.print(view)
    finally:
        sys.stdout = before
    text = capsys.readouterr().out
    assert text.count(SHOWN) == 4
    assert "\x1b[31m[bold]not markup :hand:" in text
    assert "\x1b[2J" not in text


def test_interrupt_prints_what_there_is(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: TerminalProgress, done: float, total: float | None, note: str = "") -> None:
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(TerminalProgress, "report", interrupted)
    assert main(["equity", "random", "random", "random", "--error", "1e-9"]) == 130
    out = capsys.readouterr().out
    assert "stopped early" in out and "random deals" in out
    assert main(["equity", "22+,A2+", "22+,K2+", "JJ", "--exact", "--json"]) == 130
    assert json.loads(capsys.readouterr().out)["complete"] is False


def test_stopped_before_a_hand_of_the_player_is_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C says so, and not that there is no such player."""
    monkeypatch.setattr(TerminalProgress, "cancelled", True)
    assert main(["history", "leaks", write_log(tmp_path / "two.log"), "--player", "Ann"]) == 130
    out, err = capsys.readouterr()
    assert out == ""
    assert err.replace("compiling kernels, once\n", "") == "stopped before a hand of 'Ann' was read\n"


def test_ctrl_c_while_the_bar_opens_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    from rich import progress as rich

    bar = TerminalProgress("work", delay=0.0)
    bar._enabled = True
    add = rich.Progress.add_task

    def add_task(self: rich.Progress, *arguments: Any, **options: Any) -> Any:
        bar.cancel()
        return add(self, *arguments, **options)

    monkeypatch.setattr(rich.Progress, "add_task", add_task)
    bar.report(1, 2)
    bar.close()
    assert bar.cancelled


def test_progress_into_a_pipe_is_lines_from_time_to_time(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 0.0
    monkeypatch.setattr("dupai.cli._common.time.monotonic", lambda: now)
    bar, silent = TerminalProgress("reproduce all", lines=30), TerminalProgress("work")
    for second in range(0, 91, 10):
        now = float(second)
        bar.report(second, 200, "fold")
        silent.report(second, 200)
    bar.close()
    assert capsys.readouterr().err.splitlines() == [
        "reproduce all: 15 % after 0.5 min, fold",
        "reproduce all: 30 % after 1.0 min, fold",
        "reproduce all: 45 % after 1.5 min, fold",
    ]


def test_words_for_times() -> None:
    assert [_time(m) for m in (0.2, 14.6, 119, 600)] == ["a minute", "15 minutes", "119 minutes", "10 hours"]
