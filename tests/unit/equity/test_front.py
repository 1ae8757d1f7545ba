"""The front of equity(): what it takes, what it refuses in one line, the result and the command line."""

import json
import math

import numpy as np
import pytest

from dupai.base import ConfigError, DupaiError, NotationError
from dupai.equity import EquityResult, equity
from dupai.ranges import Range


def test_hands_come_as_text_range_or_cards() -> None:
    by_text = equity(["AsKs", "QQ+"], "2c7dTh")
    other = equity([(50, 51), Range("QQ+")], [0, 18, 34])
    np.testing.assert_array_equal(by_text.equity, other.equity)
    assert by_text.players == ("AsKs", "QQ+")
    assert other.players == ("KsAs", "QQ+")
    assert by_text.board == other.board == (0, 18, 34)
    reading = Range("QQ+").weights / np.float64(18)
    np.testing.assert_allclose(equity(["AsKs", reading], "2c7dTh").equity, by_text.equity, rtol=1e-6)
    with pytest.raises(ConfigError, match="player 2"):
        equity(["AsKs", reading[:1000]])
    with pytest.raises(ConfigError, match="weight 18"):
        equity(["AsKs", reading * 324])


def test_result() -> None:
    result = equity(["AsKs", "QQ+"], "2c7dTh", "Ah")
    assert isinstance(result, EquityResult)
    assert (result.method, result.complete, result.dead) == ("exact", True, (38,))
    np.testing.assert_allclose(result.win + result.tie, result.equity, rtol=1e-15)
    assert "exact" in str(result) and "AsKs" in str(result) and "2c7dTh" in str(result)
    sampled = equity(["AsKs", "QQ+"], samples=1000)
    assert "monte-carlo, 1,000 trials" in str(sampled) and "±" in str(sampled)


def test_auto_counts_what_is_cheap() -> None:
    assert equity(["22+, AK"] * 2).method == "exact"
    assert equity(["random", "random"], "2c7dTh").method == "exact"
    assert equity(["AsKs", "QQ", "JTs"], "2c7dTh").method == "exact"
    assert equity(["random"] * 3, target_error=0.01).method == "monte-carlo"
    assert equity(["22+, AK"] * 2, samples=100).method == "monte-carlo"


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"hands": ["AA"]}, ConfigError, "1 player: expected 2 to 10"),
        ({"hands": ["random"] * 11}, ConfigError, "11 players: expected 2 to 10"),
        ({"hands": "AA"}, ConfigError, "'AA' is one hand"),
        ({"hands": ["AA", "KKx"]}, NotationError, "'KKx'"),
        ({"hands": ["AA", 7]}, ConfigError, "player 2: 7"),
        ({"hands": ["AA", (3, 3)]}, NotationError, "5c stands twice"),
        ({"hands": ["AA", (3, 52)]}, NotationError, "52"),
        (
            {"hands": ["AsKs", "QQ"], "board": "As2c3d"},
            NotationError,
            "card As is both in hand 'AsKs' and on the board",
        ),
        ({"hands": ["AsKs", "QQ"], "dead": "Ks"}, NotationError, "card Ks is both in hand 'AsKs' and dead"),
        ({"hands": ["AsKs", "AsQs"]}, NotationError, "card As is in the hands of players 1 and 2"),
        ({"hands": ["KK", "22"], "board": "2c2d2h"}, ConfigError, "nothing of range '22' is left beside board 2c2d2h"),
        ({"hands": ["KK", "-random"]}, ConfigError, "'-random' holds no hands"),
        ({"hands": ["KK", "QQ"], "board": "2c2dKh", "dead": "2d"}, NotationError, "2d is both on the board and dead"),
        ({"hands": ["KK", "QQ"], "board": "2c2c"}, NotationError, "2c"),
        ({"hands": ["KK", "QQ"], "board": "2c3c4c5c6c7c"}, ConfigError, "6 cards: expected 0, 3, 4 or 5"),
        ({"hands": ["AA", "AA", "AA"]}, ConfigError, "cannot be dealt together"),
        ({"hands": ["AA", "KK"], "method": "montecarlo"}, ConfigError, "did you mean 'monte-carlo'"),
        ({"hands": ["AA", "KK"], "samples": 0}, ConfigError, "samples: 0"),
        ({"hands": ["AA", "KK"], "target_error": -1.0}, ConfigError, "target_error: -1.0"),
        ({"hands": ["AA", "KK"], "target_error": math.nan}, ConfigError, "target_error: nan"),
        ({"hands": ["AA", "KK"], "method": "exact", "samples": 5}, ConfigError, "an exact count takes no samples"),
        ({"hands": ["random"] * 3, "method": "exact"}, ConfigError, "joint deals"),
        (
            {"hands": ["AsKs"] + ["random"] * 9, "dead": list(range(30))},
            ConfigError,
            "leave 22 in the deck, and 25 are to be dealt",
        ),
    ],
)
def test_bad_input(arguments: dict[str, object], error: type[DupaiError], said: str) -> None:
    with pytest.raises(error) as raised:
        equity(**arguments)  # type: ignore[arg-type]
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def _run(*argv: str) -> int:
    from dupai.cli import main

    return main(["equity", *argv])


def test_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("AsKs", "QQ+,AK", "--board", "2c7dTh") == 0
    out = capsys.readouterr().out
    assert "30.498" in out and "69.502" in out and "20,790 deals" in out
    assert _run("AsKs", "QQ+,AK", "--board", "2c7dTh", "--json", "--samples", "2000", "--seed", "3") == 0
    document = json.loads(capsys.readouterr().out)
    assert list(document) == ["method", "n", "board", "dead", "complete", "players"]
    assert (document["method"], document["n"], document["board"]) == ("monte-carlo", 2000, "2c7dTh")
    again = equity(["AsKs", "QQ+,AK"], "2c7dTh", samples=2000, rng=3)
    assert [p["equity"] for p in document["players"]] == again.equity.tolist()


@pytest.mark.parametrize(
    "argv",
    [
        ["AsKs", "AKx"],
        ["AsKs"],
        ["AsKs", "QQ", "-b", "AsAs"],
        ["AA", "KK", "--exact", "-n", "3"],
        ["AA", "KK", "--bord"],
    ],
)
def test_command_line_says_what_is_wrong_in_one_line(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(*argv) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("dupai: ") and captured.err.count("\n") == 1
