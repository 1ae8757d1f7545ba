"""One hand being read: on the screen, as JSON, as a picture."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest

from dupai.base import FileError
from dupai.cli import main
from dupai.history import file_records
from dupai.reading import UniformReader, draw, watch

SIX = str(Path(__file__).parents[2] / "golden" / "six.log")


def test_streets_until_he_folds() -> None:
    for record in file_records(SIX):
        for position in range(6):
            watched = watch(record, UniformReader(), position)
            state = record.at(0)
            for number, action in enumerate(record.actions, 1):
                if action.kind == 0 and state.actor == position:
                    assert watched[-1].actions >= number
                    assert all(s.actions < number for s in watched[:-1])
                state.apply(action)
            assert [s.legal for s in watched] == [1326, 1176, 1128, 1081][: len(watched)]
            for street in watched:
                assert street.bits == pytest.approx(0, abs=1e-12)
                assert street.covered == pytest.approx(0.8)
                assert sum(share for _, share in street.classes) == pytest.approx(1)
                assert max(street.grid) == 1


def test_screen(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", SIX, "--hand", "3", "--villain", "Dee", "--reader", "uniform", "--color", "never"]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert "Dee held Ks2s" in out
    assert len(re.findall(r"^  AA ", out, re.MULTILINE)) == out.count("narrowed to about 1,") >= 1
    assert "narrowed to about 1,300 of 1,326 hands; top: " in out
    assert "the true hand is as likely as before the betting (+0.00 bits)" in out
    # Bits are explained where they stand, once.
    assert out.count("2 to the power of") == out.count("Bits measure the gain") == 1
    assert "\x1b" not in out
    assert main(["read", SIX, "--hand", "3", "--reader", "uniform", "--color", "always"]) == 0
    assert "\x1b[48;5;" in capsys.readouterr().out


def test_a_board_that_is_not_known_ends_the_reading(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hand = """[{}]
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [10000, 10000]
actions = ["d dh p1 AsKs", "d dh p2 7c7d", "p2 cbr 300", "p1 cc", "d db {}", "p1 cc", "p2 cbr 300", "p1 f"]
hand = {}
players = ["A", "B"]
"""
    path = tmp_path / "hands.phhs"
    path.write_text(hand.format(1, "2c9hTd", 4) + hand.format(2, "??????", 5))
    for number, names in ((4, ["pre-flop", "flop"]), (5, ["pre-flop"])):
        assert main(["read", str(path), "--hand", str(number), "--player", "A", "--reader", "markov", "--json"]) == 0
        assert [s["street"] for s in json.loads(capsys.readouterr().out)["streets"]] == names
    for more in ([], ["--cases", "3"]):
        data = ["--data", str(path), "--part", "all", "--view", "observer", "--json"]
        assert main(["read", "score", "model", "uniform", *data, *more]) == 0
        report = json.loads(capsys.readouterr().out)
        assert (report["hands"], report["refused"]) == (2, 1)
        cases = {s["street"]: s["cases"] for s in report["scores"] if s["group"] == "hands" and s["rows"] == "main"}
        assert cases["pre-flop"] == 2 and cases["flop"] == 1


@pytest.mark.parametrize("name", ["$$Ca$h$", "$x^$", "$\\frac$"])
def test_names_are_no_formulas(name: str, tmp_path: Path) -> None:
    png = tmp_path / "hand.png"
    (watched, *_) = watch(next(iter(file_records(SIX))), UniformReader(), 0)
    draw([watched], f"uniform reads {name}, hand 1", png, [f"{name} raises to 200, {name} calls"])
    assert png.read_bytes().startswith(b"\x89PNG")


def test_readings_are_printed_though_they_cannot_be_drawn(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object) -> None:
        raise FileError("no room", path="hand.png")

    monkeypatch.setattr("dupai.reading.draw", fails)
    assert main(["read", SIX, "--hand", "3", "--reader", "uniform", "--png", str(tmp_path / "hand.png")]) == 2
    said = capsys.readouterr()
    assert "bits gained" in said.out and "drawn" not in said.out and "no room" in said.err


def test_a_folder_that_run_saved(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = str(tmp_path / "match")
    agents = "rules style:LP style:LA"
    assert main(["run", "--agents", agents, "--hands", "12", "--seed", "3", "--reader", "none", "--out", folder]) == 0
    capsys.readouterr()
    assert main(["read", folder, "--hand", "2", "--player", "style:LP", "--reader", "uniform", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["hand"], document["villain"]) == (2, "style:LP")
    assert main(["read", folder, "--player", "style:LA", "--reader", "uniform", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (record,) = (r for r in file_records(f"{folder}/hands.phhs") if r.hand == document["hand"])
    assert document["villain"] == "style:LA" and any(record.shown)
    # The option has both names wherever one of them works.
    for option in ("--player", "--villain"):
        assert main(["history", "stats", folder, option, "style:LA"]) == 0
        assert "\nstyle:LA: " in capsys.readouterr().out


def test_the_best_reader_reads_unless_another_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", SIX, "--hand", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["reader"] == "model"


def test_json_and_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'dupai[report]'")
    png = tmp_path / "hand.png"
    assert main(["read", SIX, "--hand", "3", "--reader", "uniform", "--png", str(png), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["hand"] == 3
    assert {"street", "grid", "hands", "starting", "classes", "bits", "truth"} <= set(document["streets"][0])
    assert png.read_bytes().startswith(b"\x89PNG")
    assert list(tmp_path.iterdir()) == [png]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--hand", "99"], "there is no hand 99"),
        (["--hand", "3", "--villain", "De"], "player 'De' is not in the hand: did you mean 'Dee'?"),
        (["--villain", "De"], "there is no hand with 'De'"),
        (["--hand", "3", "--villain", "7"], "or a position 0 to 5"),
        (["--hand", "3", "--section", "x"], "there is no hand 3 in section 'x'"),
        (["--hand", "3", "--reader", "unifrm"], "unknown reader 'unifrm'"),
        (["--hand", "3", "--reader", "uniform", "--png", "/nowhere/x.png"], "there is no folder '/nowhere'"),
    ],
)
def test_bad_input(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    if "--png" in arguments:
        pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'dupai[report]'")
    assert main(["read", SIX, *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_hand_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = Path(SIX).read_text()
    last = [line for line in text.splitlines() if line.startswith("STATE:")][-1].split(":")
    log = tmp_path / "some.log"
    log.write_text(f"{text.rstrip()}\n{':'.join(['STATE', '77', 'r1f', *last[3:]])}\n")
    assert main(["read", str(log), "--hand", "77", "--reader", "uniform"]) == 2
    error = capsys.readouterr().err
    assert "there is no hand 77: it has " in error and " among those that can be read (1 cannot; line " in error
    assert error.count("\n") == 1
    assert main(["read", str(log), "--hand", "3", "--reader", "uniform", "--game", "nonsense"]) == 2
    assert "neither a game file nor a shipped game" in capsys.readouterr().err


def test_what_each_street_says_of_a_hand_multiplies_to_its_reading(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["read", "example:fold", "--villain", "utg", "--reader", "fold:theta=10", "--products", "AdTc,KsJc"]
    assert main([*command, "--json"]) == 0
    streets = json.loads(capsys.readouterr().out)["streets"]
    (two_pair, straight) = ([street["factors"][k] for street in streets] for k in (0, 1))
    assert [two_pair[0][0], straight[0][0]] == ["AdTc", "KsJc"]
    # Constants are the same for all hands: only the ratio of two products counts.
    products = [math.prod(factor for _, factor, _ in hand) for hand in (two_pair, straight)]
    assert products[1] / products[0] == pytest.approx(straight[-1][2] / two_pair[-1][2])
    assert main([*command, "--color", "never"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith(("AdTc", "KsJc"))]
    assert [row[-2] for row in rows] == [f"{100 * hand[-1][2]:.3g}" for hand in (two_pair, straight)]
