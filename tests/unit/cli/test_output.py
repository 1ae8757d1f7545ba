"""What reaches the terminal: names with escape sequences are shown as they are, waiting is said, options keep their
fields."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from dupai import training
from dupai.acpc import DealSettings
from dupai.base import ConfigError, FileError, Rng
from dupai.base.specs import fields_of
from dupai.base.text import visible
from dupai.cli import main
from dupai.jobs import Database
from dupai.notation import write_acpc
from dupai.notation.acpc import read_acpc_entries
from dupai.rules import Action, GameSpec, HandState, load_game
from support.command_line import EVIL, SHOWN, TWO, commands, write_log, write_phh


def test_control_characters_become_visible() -> None:
    assert visible(EVIL) == SHOWN
    assert visible("a\tb\nc\r") == "a\tb\nc\\x0d"
    assert visible("a\tb\nc", line=True) == r"a\x09b\x0ac"
    assert visible("\x7f\x1b", form="json") == r"\u007f\u001b"
    assert visible("读牌 ♠ é") == "读牌 ♠ é"
    assert visible("\udcff") == r"\udcff"


def test_a_terminal_that_cannot_write_a_character_gets_a_question_mark() -> None:
    words = [sys.executable, "-m", "dupai", "equity", "AsKs", "QQ+", "--board", "2c7dTh", "--samples", "1000"]
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(words, capture_output=True, env=env, timeout=120)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"?" in done.stdout and done.stdout.isascii()


def test_names_of_histories_reach_no_terminal_raw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    phh = write_phh(tmp_path / "h.phhs", names=(EVIL, "Bo"))
    log = write_log(tmp_path / "a.log", names=(EVIL.replace(":", ""), "Bo"))
    store = str(tmp_path / "store")
    said = ""
    for words in (
        ["history", "import", phh, log, "--store", store],
        ["history", "verify", phh, log],
        ["history", "stats", phh],
        ["history", "stats", log],
        ["history", "stats", log, "--player", EVIL],
        ["history", "leaks", log, "--player", EVIL],
        ["history", "show", store, "--player", EVIL],
        ["history", "show", store, "--hand", "1"],
        ["history", "show", store, "--player", "nobody"],
        ["read", "hand", phh, "--hand", "1", "--reader", "uniform"],
        ["read", "hand", phh, "--hand", "1", "--reader", "uniform", "--villain", EVIL],
        ["read", "hand", phh, "--hand", "1", "--reader", "uniform", "--villain", "nobody"],
        ["read", "hand", phh, "--hand", "1", "--reader", EVIL],
        ["history", "verify", str(tmp_path / EVIL)],
    ):
        assert main(words) in (0, 2), words
        out, err = capsys.readouterr()
        said += out + err
        assert not set("\x1b\x07\x9b\u202e") & set(out + err), words
    assert said.count(SHOWN) > 10


def test_names_of_digits_are_found_in_later_hands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, lines = tmp_path / "digits.log", []
    for number, names in enumerate((["103", "104"], ["203", "204"])):
        state = HandState.deal(GameSpec.no_limit(2), Rng(number), hand=number)
        while not state.finished:
            state.apply(Action.call())
        lines += write_acpc([state.record(names)])
    log.write_text("\n".join(lines) + "\n")
    for player, hand in (("203", "hand 1"), ("1", "hand 0")):
        assert main(["read", str(log), "--player", player, "--reader", "uniform"]) == 0
        assert capsys.readouterr().out.startswith(hand)


def test_labels_of_a_results_file_reach_no_terminal_raw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "r.db")
    assert main(["match", "caller", "random", "--hands", "2", "--results", file]) == 0
    capsys.readouterr()
    with closing(sqlite3.connect(file)) as db, db:
        for table, column in (("runs", "config"), ("runs", "result"), ("blocks", "data")):
            db.execute(f"update {table} set {column} = replace({column}, 'random', ?)", (r"A\u001b[2J\u009b",))
        db.execute("update runs set started = ?, version = ?", (EVIL, EVIL))
    for words in (["list", file], ["show", file], ["export", file], ["list", file, "--json"]):
        assert main(["results", *words]) == 0
        out, err = capsys.readouterr()
        assert not set("\x1b\x07\x9b\u202e") & set(out + err), words
        assert r"A\x1b[2J\x9b" in out or r"A\u001b[2J\u009b" in out, words


@pytest.mark.parametrize(
    "words",
    [
        ["history", "import", "{name}", "--store", "{new}"],
        ["history", "verify", "{name}"],
        ["read", "score", "uniform", "--data", "{name}"],
        ["acpc", "join", "{name}", "1", "caller"],
        ["cfr", "river", "--sizes", "{name}"],
        ["match", "caller", "caller", "--blinds", "{name}"],
        ["cash", "caller", "caller", "--top-up", "{name}"],
        ["acpc", "deal", "holdem.nolimit.2p", "a", "b", "--ports", "{name}"],
    ],
    ids=" ".join,
)
def test_odd_words_cost_one_line(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("9" * 5000, "\x00", "\ud800", "\u00b2", "1e999"):
        assert main([word.replace("{name}", name).replace("{new}", str(tmp_path / "new")) for word in words]) == 2
        out, err = capsys.readouterr()
        assert len((out + err).replace("compiling kernels, once\n", "").splitlines()) <= 3, name[:9]


# waiting for a locked file ----------------------------------------------------------------------------------------


def _locked(file: Path, seconds: float, take: str) -> Callable[[], None]:
    """Lock a results file in another thread; the result ends the lock."""
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with closing(sqlite3.connect(file, isolation_level=None)) as db:
            db.execute("pragma locking_mode = exclusive")
            db.execute(take)
            db.execute("create table if not exists other (x)")
            held.set()
            done.wait(seconds)
            db.execute("rollback")

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(10)

    def end() -> None:
        done.set()
        thread.join()

    return end


def test_a_locked_results_file_says_what_it_waits_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "r.db"
    assert main(["match", "caller", "random", "--hands", "2", "--results", str(file)]) == 0
    capsys.readouterr()
    end = _locked(file, 2.5, "begin exclusive")
    try:
        assert main(["match", "caller", "random", "--hands", "2", "--results", str(file)]) == 0
    finally:
        end()
    err = capsys.readouterr().err
    assert f"dupai: {str(file)!r} is locked by another process: waiting up to 30 s for it (Ctrl-C stops waiting)" in err
    assert err.count("is locked") == 1


def test_a_file_that_stays_locked_is_given_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dupai.jobs._database.PATIENCE", 0.4)
    file = tmp_path / "x.db"
    Database(file, "results file").close()
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("create table a (x)")
        db.execute("begin exclusive")
        with pytest.raises(FileError, match="it cannot be used: database is locked"):
            Database(file, "results file")


# text that names games, and options that are fields ----------------------------------------------------------------


def test_a_log_opens_no_file_that_its_header_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    log = Path(write_log(tmp_path / "a.log")).read_text()
    (tmp_path / "own.game").write_text("GAMEDEF\nnothing\nEND GAMEDEF\n")
    lines = log.replace("holdem.nolimit.2p.reverse_blinds.game", str(tmp_path / "own.game")).splitlines()
    opened: list[str] = []
    sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
    assert len(list(read_acpc_entries(lines))) > 10
    assert not [name for name in opened if name.endswith("own.game")]
    with pytest.raises(Exception, match="is not a shipped game"):
        load_game(str(tmp_path / "own.game"), files=False)
    assert load_game("holdem.nolimit.2p", files=False) == TWO


def _options(command: str) -> set[str]:
    return {p.name for p in commands()[command].params} - {"help"}


@pytest.mark.parametrize(
    ("command", "kind", "own"),
    [
        ("acpc deal", DealSettings, "players ports host log tlog append quiet game"),
        ("train fold", training.FoldFitSettings, "data out most"),
        ("train reader", training.TrainSettings, "data out resume json"),
        ("train folds", training.FoldSettings, "data out habits jobs backend json"),
        ("train cnn", training.CnnSettings, "data out resume json"),
        ("train self-play", training.SelfPlaySettings, "out resume json"),
        ("train blueprint", training.BlueprintSettings, "game out games jobs backend resume json"),
    ],
)
def test_options_are_the_fields_of_the_settings_with_their_defaults(command: str, kind: type, own: str) -> None:
    fields = {field.option.name or field.name: field.default for field in fields_of(kind)}
    assert _options(command) == {*fields, *own.split()}
    shown = {p.name: p.default for p in commands()[command].params}
    for name, default in fields.items():
        scalar = isinstance(default, bool | int | float | str)
        assert shown[name] == (default if scalar else None), name


def test_a_number_outside_its_limits_is_refused_in_python_and_by_the_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for wrong, said in (
        ({"epochs": 0}, "epochs=0: expected at least 1"),
        ({"seed": -1}, "seed=-1: expected at least 0"),
    ):
        with pytest.raises(ConfigError, match=said):
            training.TrainSettings(**wrong)
        [(name, value)] = wrong.items()
        assert main(["train", "reader", "--data", "a.log", "--out", "r.npz", f"--{name}", str(value)]) == 2
        assert capsys.readouterr().err == f"dupai: {said}\n"


@pytest.mark.parametrize(
    ("command", "closed", "code"),
    [("--version", ">&-", 0), ("equity AA KX", "2>&-", 2), ("engine", "<&-", 0), ("--version", "<&- >&- 2>&-", 0)],
)
def test_closed_streams(command: str, closed: str, code: int) -> None:
    line = f"{sys.executable} -m dupai {command} {closed}"
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == code and "Traceback" not in done.stdout + done.stderr
