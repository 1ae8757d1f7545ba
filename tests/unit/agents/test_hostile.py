"""Agents and readers of another package that attack their match (the package ``hostile`` in ``tests/support``)."""

from __future__ import annotations

import ctypes
import io
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from dupai.agents import seated_agent
from dupai.arena import play_match
from dupai.base import AgentError, ConfigError
from dupai.cli import main
from dupai.notation import view_from_text
from dupai.reading import load_reader
from support.plugins_internals import HOSTILE, end_idle_agents, install_hostile

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="Linux")


@pytest.fixture(autouse=True)
def hostile(monkeypatch: pytest.MonkeyPatch) -> None:
    install_hostile(monkeypatch)


def _errors(spec: str, hands: int = 1) -> set[str]:
    """What a match of some hands says of its faults; the match goes on to its end."""
    result = play_match([spec, "caller"], hands=hands, seed=1)
    assert result.hands == hands and not result.partial
    assert len(result.faults) == result.players[0].faults
    return {fault.error for fault in result.faults}


@pytest.mark.parametrize(
    ("attack", "error"),
    [
        ("exit0", "its process left with exit code 0"),
        ("huge", "is not an Action"),
        ("deep", "RecursionError"),
        ("lie-large", "its answer has 4,294,967,295 bytes"),
        ("lie-garbage", "its answer cannot be read"),
        ("crowd", "its process had more than 64 processes"),
    ],
)
def test_what_it_answers_costs_its_hand_and_no_more(attack: str, error: str) -> None:
    errors = _errors(f"hostile:{attack}")
    assert errors and all(error in text for text in errors)


def test_answers_of_other_types_are_faults() -> None:
    result = play_match(["hostile:wrong", "caller"], hands=20, seed=1)
    assert result.hands == 20 and len(result.faults) == 17


def test_a_saved_match_says_where_its_faults_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It used to say '--json lists them': neither run nor play has this option."""
    monkeypatch.chdir(tmp_path)
    assert main(["run", "-a", "hostile:wrong caller", "--seed", "1", "-n", "20", "--out", "saved"]) == 0
    out = capsys.readouterr().out
    more = re.search(r"^fault: (\d+) more \(match\.json in its folder lists them\)$", out, re.MULTILINE)
    assert more and "--json" not in out
    faults = json.loads(Path("saved/match.json").read_text())["faults"]
    assert len(faults) == 5 + int(more[1])


def test_an_advisor_that_fails_to_close_costs_no_session(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO("hint\nc\nq\n"))
    assert main(["play", "caller", "--seed", "3", "--advisor", "hostile:raise,where=close", "--out", "saved"]) == 2
    out, err = capsys.readouterr()
    assert "saved in saved" in out and Path("saved/match.json").is_file()
    assert "hostile:raise,where=close: " in err and "Traceback" not in err


def test_code_in_an_answer_is_not_run(tmp_path: Path) -> None:
    """The answer used to be unpickled by the referee, which ran what it asked for."""
    (error,) = _errors(f"hostile:reduce,out={tmp_path / 'ran'}")
    assert "is not an Action" in error and not (tmp_path / "ran").exists()


@LINUX
@pytest.mark.parametrize("attack", ["memory", "environ"])
def test_it_cannot_read_the_referee(attack: str, tmp_path: Path) -> None:
    assert not _errors(f"hostile:{attack},out={tmp_path / 'found'}")
    assert (tmp_path / "found").read_text() == "PermissionError PermissionError"


@LINUX
def test_what_it_gets_from_the_referee(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    end_idle_agents()
    for name in ("MY_DATABASE", "DUPAI_API_KEY", "WANTED"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("DUPAI_AGENT_ENV", "WANTED")
    with open(os.devnull) as file:
        os.set_inheritable(file.fileno(), True)
        assert not _errors(f"hostile:surroundings,out={tmp_path / 'found'}")
    found = json.loads((tmp_path / "found").read_text())
    assert not {"MY_DATABASE", "DUPAI_API_KEY"} & set(found["names"]) and {"PATH", "WANTED"} <= set(found["names"])
    assert found["hands"] == 0
    assert [name for name in found["files"] if name != "/dev/null" and "proc" not in name] == ["pipe"] * 2 + ["socket"]


def _runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@LINUX
def test_children_with_sessions_of_their_own_end_with_it(tmp_path: Path) -> None:
    assert not _errors(f"hostile:sessions,where=start,out={tmp_path / 'children'}")
    children = [int(word) for word in (tmp_path / "children").read_text().split()]
    assert len(children) == 10
    deadline = time.monotonic() + 30
    while any(map(_runs, children)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(_runs, children))


def test_no_seating_of_a_deal_remembers_another(tmp_path: Path) -> None:
    """Its process used to be used again: what it had seen in the first seating of a duplicate deal was still there."""
    spec = f"hostile:remember,where=start,out={tmp_path / 'visits'}"
    result = play_match([spec, "caller"], hands=2, duplicate=True, seed=1)
    assert not result.faults and (tmp_path / "visits").read_text() == "11"


def test_what_it_prints_has_an_end(capsys: pytest.CaptureFixture[str]) -> None:
    end_idle_agents()
    _errors("hostile:flood,where=start")
    err = capsys.readouterr().err
    assert len(err) < 2_000_000 and "the rest is not shown" in err


def test_an_error_of_ours_in_its_constructor_does_not_bring_it_here(tmp_path: Path) -> None:
    """A NotationError there used to be taken for a name that only this process knows."""
    with pytest.raises(Exception, match="unknown agent"):
        seated_agent(f"hostile:misspelt,where=make,out={tmp_path / 'process'}")
    assert int((tmp_path / "process").read_text()) != os.getpid()


def test_it_is_listed_although_it_ends_the_process_that_loads_it(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("hostile-import-exit0", "hostile-import-exit3"):
        assert main(["agents", name, "--json"]) == 0
        assert f"left with exit code {name[-1]}" in json.loads(capsys.readouterr().out)["error"]
        with pytest.raises(AgentError, match=f"left with exit code {name[-1]}"):
            seated_agent(name)


@pytest.mark.parametrize("spec", ["hostile-reader-exit0", "hostile-reader:exit0,where=make"])
def test_a_reader_that_ends_the_process_that_makes_it_is_refused(spec: str) -> None:
    """It used to end ``dupai play --reader`` with exit code 0."""
    with pytest.raises(ConfigError, match="left with exit code 0"):
        load_reader(spec)


def test_a_reader_that_ends_its_process_while_it_reads_is_refused() -> None:
    """It used to read in the process of the table, and ended it."""
    view = view_from_text("2 players, stacks 1000, button, AsKd")
    with pytest.raises(ConfigError, match="left with exit code 0"):
        load_reader("hostile-reader:exit0").read(view)


def test_a_reader_outside_reads_as_inside(tmp_path: Path) -> None:
    view = view_from_text("3 players, stacks 1000, bb, AsKd; raises to 300, calls")
    reader = load_reader(f"hostile-reader:surroundings,where=read,out={tmp_path / 'found'}")
    reader.meet({0: "Ann", 1: "Bob", 2: "Cid"})
    inside = load_reader("uniform").read(view)
    assert {seat: one.p.tolist() for seat, one in reader.read(view).items()} == {
        seat: one.p.tolist() for seat, one in inside.items()
    }
    assert json.loads((tmp_path / "found").read_text())["hands"] == 0


def _command(*arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(HOSTILE), *sys.path])
    command = [sys.executable, "-m", "dupai", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}, timeout=120)


def test_no_early_end_is_a_success() -> None:
    """A reader of another package in an agent of ours used to end the command: exit code 0, and no output."""
    done = _command("match", "fold:reader=hostile-reader:exit0,samples=10", "caller", "--hands", "1", "--json")
    assert json.loads(done.stdout)["faults"][0]["error"] == "its process left with exit code 0"


@LINUX
@pytest.mark.parametrize("attack", ["kill-referee", "stop-referee", "kill-parent"])
def test_it_cannot_signal_the_referee(attack: str) -> None:
    if ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), 1) < 6:
        pytest.skip("this Linux cannot keep signals from processes of the same user")
    done = _command("match", f"hostile:{attack}", "caller", "--hands", "1", "--json")
    assert done.returncode == 1, done.stderr
    faults: list[dict[str, Any]] = json.loads(done.stdout)["faults"]
    assert faults and all("PermissionError" in fault["error"] for fault in faults)


@pytest.mark.slow
@pytest.mark.parametrize("where", ["make", "start", "begin", "act", "observe", "close"])
@pytest.mark.parametrize("attack", ["raise", "exit", "exit0", "exit3", "loop", "kill"])
def test_everywhere(attack: str, where: str) -> None:
    spec = f"hostile:{attack},where={where}"
    if where == "make":  # each agent is tried before the match
        with pytest.raises(AgentError):
            play_match([spec, "caller"], hands=2, seed=1)
    else:
        result = play_match([spec, "caller"], hands=2, seed=1)
        assert result.hands == 2 and result.faults


@pytest.mark.slow
def test_the_whole_list_names_those_that_cannot_be_loaded(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agents", "--json"]) == 0
    listed = {one["name"]: one["error"] for one in json.loads(capsys.readouterr().out)}
    assert all(listed[f"hostile-import-{attack}"] for attack in ("exit0", "exit3", "loop", "raise"))
    assert listed["hostile"] is None
