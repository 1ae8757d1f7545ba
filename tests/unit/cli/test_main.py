"""The command line as a whole: help, versions, doctor, bench, and mistakes answered in one line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dupai import __version__
from dupai.agents import CheckReport, check_agent
from dupai.bench import BENCHMARKS, Row
from dupai.cli import app, main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


def test_no_arguments_and_help_show_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys)
    assert code == 0
    for command in ("run", "play", "equity", "match", "tournament", "advise", "agents", "history", "bench", "doctor"):
        assert f"\n  {command} " in out
    assert run(capsys, "--help")[1] == out
    assert run(capsys, "-h")[1] == out


def test_every_command_has_help_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    for command in app.registered_commands:
        name = command.name or command.callback.__name__.replace("_", "-")  # type: ignore[union-attr]
        code, out, _ = run(capsys, name, "--help")
        assert code == 0
        assert f"Usage: dupai {name}" in out
        assert name == "doctor" or f"dupai {name}" in out.split("Usage:")[1].split("\n", 1)[1], f"{name}: no example"


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version") == (0, f"dupai {__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["eqity"], "Did you mean 'equity'?"),
        (["zzz"], "zzz"),
        (["equity", "--bord", "2c"], "--board"),
        (["bench", "evalute"], "unknown benchmark 'evalute'"),
        (["equity", "AsKs", "AsKd"], "card As"),
        (["equity", "AsXs", "QQ"], "Xs"),
        (["equity", "AsKs"], "1"),
        (["equity", "AsKs", "QQ", "--board", "QsQdQh"], "QQ"),
        (["equity", "AsKs", "", "--board", "QsQdQh"], "names no hands"),
        (["match", "rules", "sytle:TA"], "did you mean 'style'"),
        (["match", "rules", "style:XX"], "XX"),
        (["match", "rules", "rules:tigth=1"], "did you mean 'tight'"),
        (["tournament", *["rules"] * 11], "11 players"),
        (["tournament", "rules", "caller", "--stack", "10"], "below the big blind"),
        (["history", "verify", "nosuch.log"], "nosuch.log"),
        (["advise", "--agent", "rules", "--state", "nonsense"], "nonsense"),
        (["run", "--replay", "1", "nosuch"], "nosuch"),
    ],
)
def test_mistakes_are_one_line_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    code, out, err = run(capsys, *arguments)
    assert code == 2
    assert out == ""
    assert err.startswith("dupai: ")
    assert err.count("\n") == 1
    assert said in err


def test_doctor(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "doctor", "--json")
    report = json.loads(out)
    assert code == 0
    assert report["version"] == __version__
    assert set(report) == {
        "version", "python", "platform", "cores", "packages", "cache", "kernels", "tables", "optional"
    }  # fmt: skip
    assert report["optional"]["torch"]["extra"] == "train"
    code, out, _ = run(capsys, "doctor")
    assert code == 0
    assert "cache" in out
    assert "dupai[train]" in out or report["optional"]["torch"]["version"]


def test_doctor_while_machine_code_is_unpacked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files that are listed may be gone by the time their sizes are asked for."""
    listing = os.walk
    before = json.loads(run(capsys, "doctor", "--json")[1])["kernels"]

    def late(top: Path) -> Iterator[tuple[str, list[str], list[str]]]:
        for place, folders, names in listing(top):
            yield place, folders, [*names, "gone.packed.nbc"]

    monkeypatch.setattr(os, "walk", late)
    code, out, _ = run(capsys, "doctor", "--json")
    assert code == 0
    assert json.loads(out)["kernels"]["packed"] == before["packed"]


def test_bench_keeps_what_was_measured_before_a_stop(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    row = Row(name="evaluate.first", value=2.0, unit="evaluations/s")

    def measure(name: str) -> list[Row]:
        if name == "equity":
            raise KeyboardInterrupt
        return [row]

    monkeypatch.setattr("dupai.bench.run_benchmark", measure)
    assert main(["bench", "evaluate", "equity", "--json"]) == 130
    assert [r["name"] for r in json.loads(capsys.readouterr().out)] == ["evaluate.first"]
    assert main(["bench", "equity", "--json"]) == 130
    assert capsys.readouterr().out == ""


def test_bench_lists_its_names_and_prints_rows(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    row = Row(name="x", value=5e8, unit="things/s", peer="y", peer_value=2.5e6, ratio=200.0, goal=">= 150 x", ok=True)
    slow = Row(name="z", value=91.0, unit="ns", goal="<= 60 ns", ok=False)
    monkeypatch.setattr("dupai.bench.run_benchmark", lambda name: [row, slow])
    code, out, _ = run(capsys, "bench")
    assert code == 0
    assert all(name in out for name in BENCHMARKS)
    code, out, _ = run(capsys, "bench", "evaluate", "--json")
    assert code == 0
    rows = json.loads(out)
    assert [set(r) for r in rows] == [
        {"name", "value", "unit", "peer", "peer_value", "ratio", "goal", "ok"} for _ in rows
    ]
    assert msgspec.convert(rows, list[Row]) == [row, slow]
    code, out, _ = run(capsys, "bench", "evaluate")
    assert code == 0, "a goal that is not met is no error"
    assert "500 M things/s" in out
    assert "200 x" in out
    assert "NO" in out


def test_help_loads_no_numba_and_output_may_be_cut_short() -> None:
    code = (
        "import sys; from dupai.cli import main; main(['--help']); print('numba' in sys.modules, 'rich' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1].startswith("False")
    piped = subprocess.run(
        f"{sys.executable} -m dupai agents | head -1", shell=True, capture_output=True, text=True, check=True
    )
    assert piped.stderr == ""
    assert piped.stdout.startswith("Strength")


def test_nothing_is_cut_in_a_narrow_terminal() -> None:
    out = subprocess.run(
        [sys.executable, "-m", "dupai", "equity", "AsKs", "QQ+,AK", "--board", "2c7dTh"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "80"},
    ).stdout
    assert "…" not in out
    assert "30.498" in out


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.parametrize("arguments", ["--version", "agents", "agents --json"])
def test_output_that_cannot_be_written_is_one_line(arguments: str) -> None:
    command = f"{sys.executable} -m dupai {arguments}"
    full = subprocess.run(f"{command} > /dev/full", shell=True, capture_output=True, text=True, check=False)
    assert full.returncode == 2
    assert full.stderr == "dupai: the output cannot be written: No space left on device\n"


@pytest.mark.skipif(sys.platform == "win32", reason="no such shell")
def test_a_reader_that_goes_away_is_no_error() -> None:
    # What rich prints, and what is written plainly.
    for words in ("agents | head -1", "agents --json | true"):
        piped = f"set -o pipefail; {sys.executable} -m dupai {words}"
        assert subprocess.run(["bash", "-c", piped], capture_output=True, text=True, check=True).stderr == ""


def test_a_second_ctrl_c_leaves_with_a_word(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("dupai.arena.play_format", interrupted)
    assert main(["cash", "rules", "caller"]) == 130
    out, err = capsys.readouterr()
    assert (out, err) == ("", "dupai: interrupted\n")


def test_an_agent_check_that_was_stopped_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(name: str, views: int, seed: int, bar: Any, **options: float) -> CheckReport:
        bar.cancel()
        return check_agent(name, 1, seed, None)

    monkeypatch.setattr("dupai.agents.check_agent", stopped)
    assert main(["agents", "check", "caller"]) == 130
    shown = capsys.readouterr()
    assert "caller: stopped after 1 of" in shown.out and "stopped early" in shown.err
