"""``dupai tournament``, ``match`` and ``run``: tables, JSON, files, mistakes in one line."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dupai.arena.store import load_hands, load_match
from dupai.cli import main
from support.terminals import on_a_terminal

ESCAPE = "\x1b"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err.replace("compiling kernels, once\n", "")


def _bad(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """A mistake: exit code 2, nothing on standard output, one line on standard error, nothing written."""
    before = sorted(Path().rglob("*"))
    code, out, err = _run(capsys, *arguments)
    assert (code, out) == (2, ""), err
    assert err.startswith("dupai: ")
    assert err.count("\n") == 1
    assert sorted(Path().rglob("*")) == before
    return err


# tournament ----------------------------------------------------------------------------------------------------------


def test_tournament_prints_its_tables(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = _run(capsys, "tournament", "caller", "caller", "random", "--matches", "4", "--hands", "20")
    assert (code, err) == (0, "")
    assert "4 of 4 matches" in out
    assert "20 hands a match, blinds 20/40, stack 2,000, rebuys 1" in out
    for word in ("mean rank", "survived: hands", "chips left", "volatility", "caller#1", "caller#2", "1st", "3rd"):
        assert word in out
    assert ESCAPE not in out
    assert max(map(len, out.splitlines())) <= 110


def test_tournament_json_is_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("tournament", "caller", "random", "--matches", "3", "--hands", "10", "--seed", "5", "--json")
    code, out, err = _run(capsys, *arguments)
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["config"]["agents"] == ["caller", "random"]
    assert (found["seed"], found["partial"], found["hands"]) == (5, False, sum(m["hands"] for m in found["matches"]))
    for standing in found["standings"]:
        assert set(standing["rank"]) == {"mean", "se", "low", "high", "n", "needed", "by_deal"}
        assert set(standing) >= {"volatility", "volatility_squared", "places", "chips", "hands"}
    again = _run(capsys, *arguments, "--jobs", "2")
    assert json.loads(again[1]) == found


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_prints_the_matches_that_are_done(jobs: str) -> None:
    words = ["tournament", "caller", "random", "--hands", "5", "-m", "50000", "-j", jobs]
    # The bar says how many hands there are: with five hands a match some matches are done by then.
    code, printed = on_a_terminal([sys.executable, "-m", "dupai", *words], rb"[1-9][\d,]{2,} hands", (30, 120))
    assert code == 130, printed
    found = re.search(r"([\d,]+) of 50000 matches", printed)
    assert found is not None, printed
    assert int(found[1]) > 0
    assert "partial: " in printed
    assert "mean rank" in printed
    assert "Traceback" not in printed


#: Ctrl-C while the server that workers are forked from still loads: it used to end it, and our start of a worker too.
_INTERRUPTED_SERVER = """
import os, signal, sys, threading
from multiprocessing import forkserver
from dupai.jobs._processes import _Workers
if __name__ == "__main__":
    # A process with threads is not forked itself.
    threading.Thread(target=threading.Event().wait, daemon=True).start()
    workers = _Workers(1)
    forkserver.ensure_running()
    server = forkserver._forkserver._forkserver_pid
    for delay in (0.0, 0.05, 0.3):
        threading.Timer(delay, os.kill, (server, signal.SIGINT)).start()
    print(workers.pool.submit(os.getppid).result() == server)
    workers.pool.shutdown()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no fork server")
def test_ctrl_c_does_not_end_the_server_of_workers_while_it_loads(tmp_path: Path) -> None:
    script = tmp_path / "interrupted.py"
    script.write_text(_INTERRUPTED_SERVER)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr


#: A second Ctrl-C ends workers in the middle of their work; the exit then used to wake the pool's thread by a pipe that
#: it was closing. That takes a moment here, so that the two meet.
_INTERRUPTED_TWICE = """
import concurrent.futures.process as pools, signal, sys, time
from dupai.jobs import ProcessBackend

def work(task, pulse):
    if task:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        time.sleep(0.1)
        pulse.step()

def slowly(self):
    if not self._closed:
        time.sleep(0.5)
        self._writer.send_bytes(b"")

def tick(done, hands):
    if hands > 4:
        pools._ThreadWakeup.wakeup = slowly
        raise KeyboardInterrupt
    return True

if __name__ == "__main__":
    try:
        list(ProcessBackend(2).run(work, [sys.argv[1] == "stubborn"] * 2, tick))
    except KeyboardInterrupt:
        print("interrupted")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no signal that can be ignored")
@pytest.mark.parametrize("workers", ["usual", "stubborn"])
def test_workers_that_are_ended_leave_a_quiet_exit(tmp_path: Path, workers: str) -> None:
    script = tmp_path / "twice.py"
    script.write_text(_INTERRUPTED_TWICE)
    done = subprocess.run([sys.executable, script, workers], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\n", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("rules", "rulse"), "did you mean 'rules'"),
        (("rules",), "1 player given: expected 2 to 10"),
        (("rules",) * 11, "11 players given: expected 2 to 10"),
        (("rules", "caller", "--hands", "0"), "hands = 0: expected 1 or more"),
        (("rules", "caller", "--stack", "30"), "stack = 30 is below the big blind of 40"),
        (("rules", "caller", "--blinds", "20-40"), "--blinds '20-40': expected small and big blind in chips, as 20/40"),
        (("rules", "caller", "--blinds", "40/20"), "blinds = (40, 20)"),
        (("rules", "caller", "--blinds", "-1/20"), "--blinds '-1/20'"),
        (("rules", "caller", "--matches", "0"), "matches = 0"),
        (("rules", "caller", "--jobs", "-1"), "--jobs -1"),
        (("rules", "caller", "--rebuy", "1"), "--rebuys"),
        (("rules", "style:XX"), "XX"),
    ],
)
def test_tournament_mistakes(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str) -> None:
    assert said in _bad(capsys, "tournament", *arguments)


# match ---------------------------------------------------------------------------------------------------------------


def test_match_states_what_it_takes_to_judge_it(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = _run(capsys, "match", "rules", "style:TA", "--hands", "50", "--duplicate", "--seed", "3")
    assert (code, err) == (0, "")
    for word in (
        "100 hands",
        "seed 3",
        "pairing: every deal in both seatings",
        "mbb/hand",
        "95 % interval",
        "±10 (95 %)",
        "too few deals for an interval (at least 100)",
    ):
        assert word in out
    assert "counts 50 deals as independent" in out


def test_match_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = _run(capsys, "match", "rules", "rules", "--hands", "20", "-d", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert [p["agent"] for p in found["players"]] == ["rules#1", "rules#2"]
    assert [p["mbb"]["mean"] for p in found["players"]] == [0.0, 0.0]
    assert (found["unit"], found["deals"], found["hands"]) == ("deal", 20, 40)
    limit = _run(capsys, "match", "raiser", "caller", "--hands", "20", "--game", "holdem.limit.2p", "--json")
    assert json.loads(limit[1])["config"]["game"]["betting"] == "limit"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("rules", "stile"), "did you mean 'style'"),
        (("rules",), "1 player given"),
        (("rules", "caller", "--hands", "0"), "hands = 0"),
        (("rules", "caller", "--game", "holdem.nolimit.2q"), "holdem.nolimit.2p"),
        (("rules", "caller", "--game", "holdem.limit.3p"), "for 3 players, 2 are given"),
        (("rules", "caller", "--game", "holdem.limit.2p", "--stack", "5"), "without --blinds and --stack"),
        (("rules", "caller", "--stack", "99"), "stack = 99 is below the big blind of 100"),
        (("rules", "caller", "--blinds", "x"), "--blinds 'x'"),
    ],
)
def test_match_mistakes(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str) -> None:
    assert said in _bad(capsys, "match", *arguments)


# run -----------------------------------------------------------------------------------------------------------------


def test_run_piped_prints_plain_lines_and_saves(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = _run(capsys, "run", "--agents", "raiser random", "-a", "caller", "--seed", "4", "--hands", "60")
    assert (code, err) == (0, "")
    assert ESCAPE not in out
    assert out.startswith("seed 4: ")
    assert "hands dealt" in out
    assert "saved in matches/seed-4" in out
    assert sorted(p.name for p in Path("matches/seed-4").iterdir()) == ["hands.phhs", "match.json"]
    again = _run(capsys, "run", "-a", "raiser random caller", "--seed", "4", "--hands", "60", "--out", "other/place")
    assert again[0] == 0
    for name in ("hands.phhs", "match.json"):
        assert Path("other/place", name).read_bytes() == Path("matches/seed-4", name).read_bytes()
    saved = json.loads(Path("matches/seed-4/match.json").read_bytes())
    assert {p["agent"] for p in saved["players"]} == {"raiser", "random", "caller"}


def test_a_hand_is_replayed_street_by_street(capsys: pytest.CaptureFixture[str]) -> None:
    _run(capsys, "run", "--agents", "caller caller caller", "--seed", "9", "--hands", "3")
    code, out, err = _run(capsys, "run", "--replay", "2", "matches/seed-9")
    assert (code, err) == (0, "")
    lines = [line.strip() for line in out.splitlines()]
    assert lines[0] == "hand 2 of 3   blinds 20/40   3 players"
    heads = ["before the flop", "flop", "turn", "river", "showdown", "result"]
    places = [next(i for i, line in enumerate(lines) if line.startswith(head)) for head in heads]
    assert places == sorted(places)
    assert re.fullmatch(r"flop  \w\w \w\w \w\w  pot 120", lines[places[1]])
    assert re.fullmatch(r"river  \w\w \w\w \w\w \w\w \w\w  pot 120", lines[places[3]])
    assert sum(line.endswith("checks") for line in lines) == 10
    assert lines[places[0] + 1].endswith("calls 40")
    assert lines[places[0] + 2].endswith("calls 20")
    assert ESCAPE not in out
    # Without a name: the newest.
    newest = _run(capsys, "run", "--replay", "2")
    assert newest[1].splitlines()[1:] == out.splitlines()


@pytest.mark.parametrize("option", ["--seed", "--hands", "--agents", "--out"])
def test_a_replay_takes_no_option_of_playing(capsys: pytest.CaptureFixture[str], option: str) -> None:
    _run(capsys, "run", "--agents", "caller caller", "--seed", "9", "--hands", "3")
    code, out, err = _run(capsys, "run", "--replay", "2", "matches/seed-9", option, "3")
    assert (code, out) == (2, "")
    assert err == f"dupai: {option} is for playing: --replay shows a hand of a saved match\n"


def test_a_raise_is_told_as_a_total_of_its_street(capsys: pytest.CaptureFixture[str]) -> None:
    _run(capsys, "run", "--agents", "raiser:size=min caller", "--seed", "1", "--hands", "1", "--stack", "4000")
    out = _run(capsys, "run", "--replay", "1")[1]
    assert "raises to 80" in out
    assert out.count("bets 40") == 3


def test_an_uncalled_bet_goes_back(capsys: pytest.CaptureFixture[str]) -> None:
    _run(capsys, "run", "--agents", "raiser:size=max fixed:fold=1", "--seed", "1", "--hands", "2")
    out = _run(capsys, "run", "--replay", "1")[1] + _run(capsys, "run", "--replay", "2")[1]
    assert "takes back 1,980, not called" in out
    assert out.count("takes back") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--agents", "rules rulse"), "did you mean 'rules'"),
        (("--agents", "rules"), "1 player given"),
        (("--hands", "0"), "hands = 0"),
        (("--blinds", "a/b"), "--blinds 'a/b'"),
        (("--stack", "10"), "stack = 10 is below"),
        (("--speed", "-1"), "--speed"),
        (("--replay", "1"), "no match in 'matches'"),
        (("--replay", "1", "nowhere"), "no match 'nowhere'"),
        (("rules",), "agents are named with --agents"),
        (("--out", "/proc/nowhere/x"), "cannot be"),
    ],
)
def test_run_mistakes(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str) -> None:
    assert said in _bad(capsys, "run", *arguments)


def test_run_refuses_a_folder_that_exists_before_it_plays(capsys: pytest.CaptureFixture[str]) -> None:
    Path("there").mkdir()
    assert "exists" in _bad(capsys, "run", "--out", "there")


def test_replay_of_a_damaged_match(capsys: pytest.CaptureFixture[str]) -> None:
    _run(capsys, "run", "--agents", "caller caller", "--seed", "9", "--hands", "3")
    assert "hands 1 to 3" in _bad(capsys, "run", "--replay", "4", "matches/seed-9")
    assert "hands 1 to 3" in _bad(capsys, "run", "--replay", "0", "matches/seed-9")
    file = Path("matches/seed-9/hands.phhs")
    text = file.read_text(encoding="utf-8")
    file.write_text(text[: text.index("[3]")], encoding="utf-8")
    assert "hand 3 of 3 is missing" in _bad(capsys, "run", "--replay", "3", "matches/seed-9")
    file.write_text(text.replace("actions", "acts"), encoding="utf-8")
    assert "actions is missing" in _bad(capsys, "run", "--replay", "1", "matches/seed-9")
    Path("matches/seed-9/match.json").write_text('{"format": ')
    assert "damaged" in _bad(capsys, "run", "--replay", "1", "matches/seed-9")


def test_the_live_table_fits_80_columns_and_24_lines() -> None:
    agents = "rules rules:tight-aggressive rules:loose-aggressive style:LA style:LP style:TA style:TP random"
    words = ["run", "--agents", agents, "--seed", "3", "--hands", "40", "--speed", "0"]
    code, text = on_a_terminal([sys.executable, "-m", "dupai", *words], size=(24, 80))
    assert code == 0
    assert ESCAPE in text
    assert "board" in text
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "\n")
    assert max(map(len, plain.split("\n"))) <= 80
    frames = re.split(r"(?=hand \d+ of 40 )", plain)
    assert len(frames) > 2
    assert all(len([x for x in f.split("\n") if x.strip()]) <= 24 for f in frames[1:-1])
    assert "saved in matches/seed-3" in plain


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_plain_terminals_get_plain_lines(environment: dict[str, str]) -> None:
    words = [sys.executable, "-m", "dupai", "run", "-a", "raiser caller", "--reader", "fold", "--seed", "4"]
    code, printed = on_a_terminal([*words, "--hands", "30"], **environment)
    assert code == 0
    assert ESCAPE not in printed
    assert printed.startswith("seed 4: ")
    assert re.search(r"hand +\d+  \w+ shows \w{4} \(.*\): fold \d[\d.e-]* x as likely, start-table \d", printed)


def test_ctrl_c_on_the_screen_prints_the_summary_and_make_adds_nothing(tmp_path: Path) -> None:
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    (tmp_path / "venv" / ".run").touch()
    script = tmp_path / "venv" / "bin" / "dupai"
    agents = "-a 'rules caller style:TP' --reader fold --seed 3 --hands 2000"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m dupai "$@" {agents} --out {tmp_path / "match"}\n')
    script.chmod(0o755)
    root = Path(__file__).parents[3]
    words = ["make", "-s", "-C", str(root), "run", f"VENV={tmp_path / 'venv'}"]
    code, printed = on_a_terminal(words, until=b"fold")
    assert "make" not in printed and "Traceback" not in printed
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", printed)
    if "nothing to save" not in plain:
        assert "stopped; the ranking so far" in plain and "with rebuys" in plain
        assert load_match(tmp_path / "match").complete is False
    assert code in (0, -signal.SIGINT)


def test_where_no_code_ships_kernels_compile_first_and_ctrl_c_leaves_nothing_behind(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "dupai", "run", "--seed", "3", "--out", str(tmp_path / "match")]
    # Code for another processor than the pack's has to be compiled.
    own = {"DUPAI_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_CPU_NAME": "x86-64-v2"}
    code, printed = on_a_terminal(words, until=b"compiling kernels, once: 0 of", **own)
    assert code == 130 and "Traceback" not in printed
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", printed)
    assert "nothing to save" in plain and not (tmp_path / "match").exists()
    alive = [p for p in Path("/proc").glob("[0-9]*/environ") if str(tmp_path).encode() in _read(p)]
    assert alive == []


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def test_the_summary_explains_its_columns(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = _run(capsys, "run", "-a", "raiser random caller", "--seed", "4", "--hands", "60", "--reader", "none")
    rows = [line.split() for line in out.splitlines() if re.match(r" +\d+(\.5)? +\w+ +\d", line)]
    assert len(rows) == 3
    saved = json.loads(Path("matches/seed-4/match.json").read_bytes())
    for rank, agent, dealt, survived, chips, worth, used, *_ in rows:
        player = next(p for p in saved["players"] if p["agent"] == agent)
        assert float(rank) == player["rank"]
        assert int(dealt) == min(player["hands"], saved["hands"]) and int(survived) == player["hands"]
        assert int(worth.replace(",", "")) == player["chips"]
        left = 0 if player["hands"] < 60 else 1 - int(used)
        assert int(worth.replace(",", "")) - int(chips.replace(",", "")) == 2000 * left
    for column in ("survived:", "with rebuys:", "rank:"):
        assert f"\n{column}" in out


def test_ctrl_c_saves_the_hands_that_were_played(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "dupai",
            "run",
            "--agents",
            "caller fixed",
            "--hands",
            "2000000",
            "--stack",
            "200000",
            "--seed",
            "1",
            "--out",
            str(tmp_path / "stopped"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COLUMNS": "100", "PYTHONUNBUFFERED": "1"},
        start_new_session=True,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("hand"):
            break
    os.killpg(process.pid, signal.SIGINT)
    out, error = process.communicate(timeout=120)
    assert process.returncode == 130, error
    assert "stopped; the ranking so far" in out
    assert "Traceback" not in error
    saved = load_match(tmp_path / "stopped")
    assert not saved.complete
    assert saved.hands == len(load_hands(tmp_path / "stopped")) > 0
    assert all(p.hands <= saved.hands for p in saved.players)
