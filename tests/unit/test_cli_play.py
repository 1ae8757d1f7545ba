"""``dupai play`` with scripted input."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from dupai.arena import load_hands, load_match
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


def test_a_session_typed_in(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    # Against callers everything is called: check down one hand, then leave in the second.
    typed = "c\n" * 4 + "q\n"
    code, out, err = _play(capsys, monkeypatch, typed, "caller", "caller", "--seed", "3")
    assert (code, err) == (0, "")
    assert "hand 1   blinds 50/100" in out
    assert re.search(r"you  \w\w \w\w   pot 150   to call 100   your stack 10,000", out)
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
        (("rules", "--name", ""), "--name ''"),
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
