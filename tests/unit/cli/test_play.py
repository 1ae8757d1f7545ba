"""``dupai play`` with scripted input."""

from __future__ import annotations

import fcntl
import io
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import pytest

from dupai.arena.store import load_hands, load_match
from dupai.base import NotationError
from dupai.cli import main
from dupai.notation import legal_words, read_answer
from dupai.rules import Action, GameSpec, HandState, View


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _play(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, typed: str, *arguments: str
) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    code = main(["play", *arguments])
    out, err = capsys.readouterr()
    return code, out, err.replace("compiling kernels, once\n", "")


class Broken(io.StringIO):
    """An input that cannot be read, or that holds a byte that is no text."""

    def __init__(self, *errors: Exception) -> None:
        super().__init__()
        self.faults = list(errors)

    def readline(self, *_: Any) -> str:
        if self.faults:
            raise self.faults.pop(0)
        return ""


def test_a_byte_that_is_no_text_costs_a_letter(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, errors in (("strict", "strict"), ("escaped", "surrogateescape")):  # the latter in the C locale
        typed = io.TextIOWrapper(io.BytesIO(b"note caf\xe9\nc\nq\n"), encoding="utf-8", errors=errors)
        monkeypatch.setattr("sys.stdin", typed)
        assert main(["play", "caller", "--hands", "1", "--seed", "3", "--out", name]) == 0
        assert load_hands(name)[0].comment == "caf\ufffd"
    capsys.readouterr()


@pytest.mark.parametrize(
    "error", [OSError(5, "Input/output error"), UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")]
)
def test_an_input_that_cannot_be_read_ends_the_session(
    error: Exception, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", Broken(error))
    assert main(["play", "caller", "--seed", "3"]) == 0
    out, err = capsys.readouterr()
    assert "fault" not in out + err and "1 hand" in out
    assert ("no text in UTF-8" in out) == isinstance(error, UnicodeDecodeError)


def test_a_session_typed_in(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    # Against callers everything is called: check down one hand, then leave in the second.
    typed = "c\n" * 4 + "q\n"
    code, out, err = _play(capsys, monkeypatch, typed, "caller", "caller", "--seed", "3")
    assert (code, err) == (0, "")
    assert "hand 1   blinds 50/100" in out
    assert re.search(r"you  \w\w \w\w   pot 150   to call 100   stack 10,000", out)
    assert "fold, call 100, raise to 200..10,000 > c" in out
    assert re.search(r"flop  \w\w \w\w \w\w  pot 300", out)
    assert re.search(r"you  \w\w \w\w   board  \w\w \w\w \w\w   pot 300   to call 0", out)
    assert "showdown" in out
    assert "2 hands" in out
    saved = load_match("matches/play")
    hands = load_hands("matches/play")
    assert (saved.format, saved.hands, saved.names[0], saved.reproducible) == ("cash", 2, "you", False)
    assert sum(p.chips for p in saved.players) == 30_000
    assert len(hands) == 2
    result = re.findall(r"^  you: ([+-][\d,]+) in this hand, ([+-][\d,]+) in all$", out, re.MULTILINE)
    mine = [h.payoffs[h.seats.index(0)] for h in hands]
    assert [int(a.replace(",", "")) for a, _ in result] == mine
    assert int(result[-1][1].replace(",", "")) == sum(mine)
    # Only what a player may see is printed: nobody's cards but the own before a showdown.
    first = out[: out.index("showdown")]
    theirs = [card for p, two in enumerate(hands[0].hole) if hands[0].seats[p] != 0 for card in two]
    from dupai.cards import card_text

    assert not any(card_text(c) in first for c in theirs)


def test_mistakes_are_one_line_with_what_is_legal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = "r 5\nwhat\n?\ncheck\nraise to 99999\nf\n"
    code, out, err = _play(capsys, monkeypatch, typed, "caller", "--seed", "3", "--hands", "1")
    assert (code, err) == (0, "")
    legal = "fold, call 50, raise to 200..10,000"
    for said in ("'r 5' is not possible", "'what' is not understood", "'raise to 99999' is not possible"):
        assert f"{said}: {legal}" in out
    assert f"there is a bet to call, checking is not possible: {legal}" in out
    assert out.count("f  fold") == 2
    assert "you: -50 in this hand" in out


@pytest.mark.parametrize("typed", ["", "c\n", "quit\n", "c\nq\n"])
def test_the_end_of_input_leaves_politely(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    code, out, err = _play(capsys, monkeypatch, typed, "raiser", "caller", "--seed", "3")
    assert (code, err) == (0, "")
    assert "saved in matches/play" in out
    assert load_match("matches/play").hands == len(load_hands("matches/play")) == 1


def test_ctrl_c_at_the_prompt_leaves_politely(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Keyboard(io.StringIO):
        def readline(self, *_: object) -> str:  # type: ignore[override]
            raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin", Keyboard())
    assert main(["play", "caller", "--seed", "3"]) == 0
    out, _ = capsys.readouterr()
    assert "you: -50 in this hand, -50 in all" in out
    assert "saved in matches/play" in out


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_sigterm_saves_the_session_and_ends() -> None:
    command = [sys.executable, "-m", "dupai", "play", "caller", "caller", "--seed", "3"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("c\n" * 4)
        process.stdin.flush()
        told = ""
        while "in this hand" not in told:
            told = process.stdout.readline()
            assert told, "it ended before"
        process.terminate()
        assert "saved in matches/play" in process.stdout.read()
    assert process.returncode == 128 + signal.SIGTERM
    assert len(load_hands("matches/play")) == 1


def test_who_is_broke_buys_in_again(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = _play(capsys, monkeypatch, "a\n" * 40, "caller", "--seed", "5", "--stack", "300", "--hands", "8")
    assert code == 0
    assert "buy in again for 300" in out or "buys in again for 300" in out
    saved = load_match("matches/play")
    assert saved.hands == 8
    assert sum(p.chips for p in saved.players) == 300 * (2 + sum(p.rebuys for p in saved.players))


def test_reset_name_and_folder(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    options = ("--reset", "--name", "Ada", "--out", "ada", "--hands", "3", "--blinds", "1/2", "--stack", "200")
    code, out, _ = _play(capsys, monkeypatch, "f\n" * 9, "raiser", *options)
    assert code == 0
    assert "saved in ada" in out
    assert all(r.stacks == (200, 200) for r in load_hands("ada"))
    assert json.loads(Path("ada/match.json").read_bytes())["names"] == ["Ada", "raiser"]


def test_cards_come_from_the_system_unless_seeded(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for k in range(2):
        _play(capsys, monkeypatch, "q\n", "caller", "--out", f"drawn{k}")
        _play(capsys, monkeypatch, "q\n", "caller", "--seed", "6", "--out", f"seeded{k}")
    assert load_match("drawn0").seed != load_match("drawn1").seed
    assert load_hands("seeded0") == load_hands("seeded1")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("rulse",), "did you mean 'rules'"),
        (("rules",) * 10, "11 players given: expected 2 to 10"),
        (("rules", "--blinds", "50"), "--blinds '50'"),
        (("rules", "--stack", "99"), "stack = 99 is below the big blind of 100"),
        (("rules", "--hands", "0"), "--hands 0"),
        (("rules", "--hands", "1000000001"), "--hands 1000000001: expected 1 to 1000000000"),
        (("rules", "--stack", "1000000001"), "--stack 1000000001: expected 1 to 1000000000"),
        (("rules", "--seed", str(2**63)), f"seed = {2**63}: expected 0 to {2**63 - 1}"),
        (("rules", "--deals", "10000001"), "--deals 10000001: expected 20 to 10000000"),
        (("rules", "--deals", "100"), "--deals is for the coach: add --coach"),
        (("rules", "--name", ""), "--name ''"),
        (("rules", "--reader", "modle"), "did you mean 'model'"),
        (("rules", "--advisor", "flod"), "did you mean 'fold'"),
        (("rules", "--seed", "-2"), "seed = -2"),
    ],
)
def test_mistakes_before_the_first_hand(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    code, out, err = _play(capsys, monkeypatch, "q\n", *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert not Path("matches").exists()


# what is typed -------------------------------------------------------------------------------------------------------


def _view(*actions: Action) -> View:
    state = HandState(GameSpec.no_limit(3, (50, 100), 2000), ["AsKs", "QdQc", "7h2c"], "2d3d4d5d6s")
    for action in actions:
        state.apply(action)
    return state.view(state.actor)


OPEN = _view()  # button to act, 100 to call, pot 150
FLOP = _view(Action.call(), Action.call(), Action.call())  # small blind, pot 300
FACING = _view(Action.call(), Action.call(), Action.call(), Action.raise_to(400))  # 300 bet into 300


@pytest.mark.parametrize(
    ("text", "view", "action"),
    [
        ("f", OPEN, Action.fold()),
        (" FOLD ", OPEN, Action.fold()),
        ("c", OPEN, Action.call()),
        ("call", OPEN, Action.call()),
        ("check", FLOP, Action.call()),
        ("x", FLOP, Action.call()),
        (" X ", FLOP, Action.call()),
        ("r 250", OPEN, Action.raise_to(250)),
        ("raise to 250", OPEN, Action.raise_to(250)),
        ("250", OPEN, Action.raise_to(250)),
        ("raise 1,000", OPEN, Action.raise_to(1000)),
        ("bet 150", FLOP, Action.raise_to(250)),  # 100 went in before the flop
        ("r 900", FACING, Action.raise_to(1000)),
        ("p", OPEN, Action.raise_to(350)),  # call 100, then the pot of 250 on top
        ("pot", FLOP, Action.raise_to(400)),
        ("half", FLOP, Action.raise_to(250)),
        ("h", FACING, Action.raise_to(850)),  # call 300, then half of 900 on top of 100 + 300
        ("a", OPEN, Action.raise_to(2000)),
        ("all-in", FACING, Action.raise_to(2000)),
    ],
)
def test_what_is_typed_is_understood(text: str, view: View, action: Action) -> None:
    assert read_answer(text, view) == action


@pytest.mark.parametrize(
    "text", ["r", "raise", "r -5", "r 5.5", "r 199", "r 2001", "fold now", "", "ÿ", "99999999999999"]
)
def test_what_is_not_understood_is_said(text: str) -> None:
    with pytest.raises(NotationError, match=r"fold, call 100, raise to 200\.\.2,000"):
        read_answer(text, OPEN)


@pytest.mark.parametrize("text", ["x", "k", "check"])
def test_a_check_is_never_a_call(text: str) -> None:
    with pytest.raises(NotationError) as refused:
        read_answer(text, OPEN)
    words = "there is a bet to call, checking is not possible: fold, call 100, raise to 200..2,000"
    assert str(refused.value) == words


def test_q_leaves() -> None:
    assert {read_answer(text, OPEN) for text in ("q", "quit", "exit", "leave")} == {"quit"}


def test_legal_words() -> None:
    assert legal_words(FLOP) == "check, bet 100..1,900"
    assert legal_words(FACING) == "fold, call 300, raise to 600..1,900"
    with pytest.raises(NotationError, match="no bet to fold to: check, bet"):
        read_answer("f", FLOP)
    shoved = _view(Action.raise_to(2000))
    assert legal_words(shoved) == "fold, call 1,950 (all-in)"
    assert read_answer("a", shoved) == Action.call()
    with pytest.raises(NotationError, match="no raise is possible"):
        read_answer("pot", shoved)


# what may be asked at the table --------------------------------------------------------------------------------------


def test_table_readings_hints_and_notes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    typed = "stats\nhands\nt\nhint rules\nread caller#1\nread nobody\nmirror\nnote\nnote tricky spot\n"
    typed += "note caller#2 calls all\n" + "c\n" * 4 + "t\nstats\nhands\nhands 1\nhands 7\nq\n"
    code, out, err = _play(capsys, monkeypatch, typed, "caller", "caller", "--seed", "3", "--reader", "start-table")
    assert (code, err) == (0, "")
    assert "no hand is over yet: there is nothing to count" in out
    assert "pot odds 1.5 to 1, a call needs 40.0 %   66.7 pots behind" in out
    assert re.search(r"^> ● you +10,000", out, re.MULTILINE)
    assert re.search(r"^    caller#1 +9,950  bet 50 +posts", out, re.MULTILINE)
    assert "rules would:" in out
    assert "caller#1, as start-table reads them\nnarrowed to about 1,200 of 1,225 hands; top: " in out
    assert "'nobody' does not sit here" in out
    assert "you, as start-table reads you from outside\nnarrowed to about 1,300 of 1,326 hands; top: " in out
    assert re.search(r"your hand is .* as before the betting: \w{4} has 0.\d\d % \([+-]\d.\d\d bits\)", out)
    assert "note TEXT on this hand, note NAME TEXT on a player" in out
    # In the second hand: the note on a player, statistics of one hand, and the first hand as its player saw it.
    second = out[out.index("hand 2 ") :]
    assert "(calls all)" in second
    assert re.search(r"caller#1 +1 +~\d+ +~\d+ .*\n +\d/1 +0/1 ", second)
    assert re.search(
        r"^ +1  \w\w \w\w   \w\w \w\w \w\w \w\w \w\w +[+-]?\d+   tricky spot; caller#2 calls all$", second, re.MULTILINE
    )
    assert "hand 1 of 1   blinds 50/100   3 players" in second
    assert "note: tricky spot\nnote: caller#2 calls all\n" in second
    assert "hands 7: expected a hand that is over, 1 to 1" in second
    assert load_hands("matches/play")[0].comment == "tricky spot; caller#2 calls all"
    assert max(map(len, out.splitlines())) <= 80


def test_a_note_begins_with_a_whole_name(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = _play(capsys, monkeypatch, "note your x\nhands ²\nq\n", "caller", "--seed", "3")
    assert code == 0 and "noted on this hand" in out and "noted on you" not in out
    assert "hands ²: expected a hand that is over" in out


def test_undo_takes_an_action_back_in_practice(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = "undo\nr 300\nc\nundo\nr 400\nundo\nundo\nc\nc\nc\nc\nq\n"
    code, out, err = _play(capsys, monkeypatch, typed, "caller", "caller", "--seed", "3", "--practice", "--hands", "1")
    assert (code, err) == (0, "")
    assert "you have done nothing in this hand yet" in out
    assert out.count("taken back: ") == 3
    (hand,) = load_hands("matches/play")
    # Everything was taken back: the hand was checked down in the end.
    assert set(hand.actions) == {Action.call()}
    assert hand.comment == "took back: check; took back: bet 400; took back: raise to 300"
    # The same hand without detours.
    _play(capsys, monkeypatch, "c\n" * 4, "caller", "caller", "--seed", "3", "--hands", "1", "--out", "plain")
    (plain,) = load_hands("plain")
    assert (plain.hole, plain.board, plain.payoffs) == (hand.hole, hand.board, hand.payoffs)


def test_undo_needs_practice(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    _, out, _ = _play(capsys, monkeypatch, "r 300\nundo\nq\n", "caller", "--seed", "3")
    assert "actions are taken back in practice only: dupai play --practice" in out


def test_opponents_repeat_what_they_did(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    typed = "c\nc\nundo\nc\nc\nc\nc\nq\n"
    options = ("random", "style:LA", "--seed", "11", "--practice", "--hands", "1")
    _, out, _ = _play(capsys, monkeypatch, typed, *options)
    before, _, after = out.partition("taken back: ")
    told = [line for line in before.splitlines() if re.match(r"  (random|style:LA|you)  ", line)]
    again = [line for line in after.splitlines() if re.match(r"  (random|style:LA|you)  ", line)]
    # What came before the action that was taken back is not told again; what followed is.
    assert again[0].startswith("  you")
    assert again[0] in told


def test_the_coach_and_the_summary(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    # All-in with any two cards against callers, then a fold before the flop.
    typed = "a\nf\nq\n"
    options = ("caller", "rules", "--seed", "5", "--coach", "--deals", "30", "--reader", "start-table", "--reset")
    code, out, err = _play(capsys, monkeypatch, typed, *options)
    assert (code, err) == (0, "")
    judged = re.findall(r"^    pre-flop, .*$", out, re.MULTILINE)
    assert len(judged) == 2
    assert re.search(r"\d+\.\d ± \d+\.\d bb", judged[0])
    assert judged[1] == "    pre-flop, fold: strong players do nothing else here"
    assert re.search(r"coach: 2 decisions gave up \d+\.\d ± \d+\.\d bb in all", out)
    assert "dupai run --replay 1 matches/play" in out
    assert re.search(r"as it came +[+-][\d,]+ ± [\d,]+\n  luck taken out +[+-][\d,]+ ± [\d,]+", out)


def test_on_a_terminal_the_table_is_drawn() -> None:
    """The real command on a pseudo-terminal of 80 columns."""
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")} | {"TERM": "xterm-256color"}
    command = [sys.executable, "-m", "dupai", "play", "caller", "rules", "--seed", "3", "--reader", "start-table"]
    process = subprocess.Popen(command, stdin=child, stdout=child, stderr=subprocess.DEVNULL, env=environment)
    os.close(child)

    def shown(until: str) -> str:
        text = ""
        while until not in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text):
            assert select.select([parent], [], [], 60)[0], f"nothing more after {text[-200:]!r}"
            text += os.read(parent, 65536).decode("utf-8", "replace")
        return text

    try:
        first = shown(" > ")
        os.write(parent, b"read\n")
        grids = shown("check, bet" if "check, bet" in first else " > ")
        os.write(parent, b"q\n")
        last = shown("saved in matches/play")
        assert process.wait(60) == 0
    finally:
        process.kill()
        os.close(parent)
    assert "● you" in first
    assert "pot odds 1.5 to 1" in first
    assert "\x1b[48;5;" in grids
    assert "1 hand" in last
