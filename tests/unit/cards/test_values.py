"""Cards, hands, boards and ranges as values; every function takes them or text and numbers; wrong types are told."""

from __future__ import annotations

import inspect
import json
import math
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dupai
from dupai import Board, Card, Hand, Range
from dupai.base import DupaiError, NotationError
from dupai.cards import COMBOS, as_cards, combo, combo_index
from dupai.rules import GameSpec, HandState


def test_a_card_is_its_number_and_prints_as_text() -> None:
    ace = Card("As")
    assert ace == 51 == Card(51) == Card(ace) == dupai.card("As") and Card("Ks") < ace
    assert (str(ace), repr(ace), f"{ace:>3}", ace.sign) == ("As", "Card('As')", " As", "A♠")
    assert (ace.rank, ace.suit) == (12, 3)
    assert "A♠" in ace.to_html() == ace._repr_html_()
    assert np.array([ace, Card("2c")]).tolist() == [51, 0]
    for bad in ("Ax", 52, -1, 2.0, None, True, [51]):
        with pytest.raises(NotationError):
            Card(bad)  # type: ignore[arg-type]


def test_a_hand_is_two_cards_in_one_order() -> None:
    hand = Hand("KdAs")
    assert hand == Hand("AsKd") == Hand([24, 51]) == Hand(("As", "Kd")) == Hand(hand.combo)
    assert (str(hand), repr(hand), hand.kind, hand.suited, hand.pair) == ("AsKd", "Hand('AsKd')", "AKo", False, False)
    assert list(hand) == [Card("As"), Card("Kd")] and "As" in hand and Card("Kd") in hand and 0 not in hand
    assert hand.combo == combo("AsKd") and Hand("7h7c").pair and Hand("9s8s").kind == "98s"
    assert all(Hand(i).combo == i for i in range(COMBOS))
    assert "A♠" in hand.to_html() and "K♦" in hand._repr_html_()
    for bad in ("As", "AsAs", "AsKdQh", 1326, -1, 5.0, None, Card("As")):
        with pytest.raises(NotationError):
            Hand(bad)  # type: ignore[arg-type]


def test_a_board_grows_street_by_street() -> None:
    flop = Board("2c 7d Th")
    assert flop == Board([0, "7d", Card("Th")]) and str(flop) == "2c7dTh" and flop.street == 1
    river = flop + "5s" + Card("5h")
    assert river == Board("2c7dTh5s5h") and (river.flop, river.turn, river.river) == (flop, Card("5s"), Card("5h"))
    assert Board().street == 0 and Board(None) == Board("") == () and flop.turn is None
    for bad in ("2c", "2c7d", "2c2c7d", "2c7dTh5s5h5d", 5, [0, 1.5, 2]):
        with pytest.raises(NotationError):
            Board(bad)  # type: ignore[arg-type]
    with pytest.raises(NotationError, match="stands twice"):
        flop + "2c"


@pytest.mark.parametrize("value", [Card("As"), Hand("AsKd"), Board("2c7dTh"), Range("QQ+,0.5:AK")], ids=repr)
def test_values_are_pickled_hashed_and_shown(value: Any) -> None:
    again = pickle.loads(pickle.dumps(value))
    assert again == value and type(again) is type(value) and hash(again) == hash(value)
    assert eval(repr(value)) == value
    assert value.to_html() == value._repr_html_() and value.to_html().startswith("<")


def test_a_range_is_a_set_of_hands_with_weights() -> None:
    r = Range("QQ+,0.5:AK")
    assert len(r) == 34 and r.combos == 26
    assert Hand("AsKd") in r and "AsKd" in r and combo("AsKd") in r and (51, 24) in r
    assert "AK" in r and "AK,AQ" not in r and Range("KK+") in r
    assert r["AKs"] == Range("0.5:AKs") and r["AsKs"] == Range("0.5:AsKs") and not r["72o"]
    assert [str(h) for h in Range("AsKs,AdKd")] == ["AdKd", "AsKs"]
    assert Range(h for h in r if h.suited) == Range("AKs")
    assert Range(["AKs", Hand("2c2d")]) == Range("AKs,2c2d") and Range(Hand("2c2d")) == Range("2c2d")
    assert (
        r.to_dict()["AsKd"] == 0.5
        and Range(r.to_dict()) == r
        and Range({"AKs": 0.5, "0.5:QQ": 0.5}) == Range("0.5:AKs,0.25:QQ")
    )
    assert r.weight(Hand("AsKd")) == r.weight("AsKd") == r.weight(combo("AsKd")) == 0.5
    assert np.asarray(r).tolist() == r.weights.tolist()


def test_ranges_combine() -> None:
    r = Range("QQ+,0.5:AK")
    assert r | "AK,JJ" == Range("JJ+,AK") == "AK,JJ" | r
    assert r & "AK,KK,22" == Range("KK,0.5:AK") == "AK,KK,22" & r
    assert r - "KK" == Range("QQ,AA,0.5:AK") and "KK,22" - r == Range("22")
    assert r <= "TT+,AK" and r < Range("TT+,AK") and not r < r and r <= r and r >= "QQ" and r > Range("QQ")
    assert not r <= Range("QQ+") and Range("TT+,AK") > r
    assert r != "QQ+,0.5:AK"  # comparing with text is never equal: hashes differ
    with pytest.raises(DupaiError, match="KKx"):
        r | "KKx"


def test_cards_are_read_from_any_form() -> None:
    for form in ("AsKd", ["As", 24], Hand("AsKd"), np.array([51, 24])):
        assert as_cards(form) == (51, 24)
    assert as_cards(None) == () and as_cards(Card("As")) == (51,) and type(as_cards(Card("As"))[0]) is int
    assert combo_index("AsKd") == combo_index(Hand("AsKd")) == combo_index([51, 24]) == combo(51, 24)


def test_every_function_takes_either() -> None:
    hand, board = Hand("AsKs"), Board("2c7dTh")
    text = dupai.equity(["AsKs", "QQ+"], "2c7dTh", "Ah")
    for mine in (hand, [51, 50], ("As", "Ks"), Range("AsKs"), np.asarray(Range("AsKs"))):
        for flop in (board, [0, 18, 34], ["2c", "7d", "Th"]):
            value = dupai.equity([mine, Range("QQ+")], flop, Card("Ah"))
            np.testing.assert_array_equal(value.equity, text.equity)
    assert dupai.win_rate(hand, board) == dupai.win_rate("AsKs", "2c7dTh") == dupai.win_rate((51, 50), [0, 18, 34])
    np.testing.assert_array_equal(dupai.win_rates(board, Range("QQ")), dupai.win_rates("2c7dTh", "QQ"))
    np.testing.assert_array_equal(dupai.win_rates(board, Hand("QsQh")), dupai.win_rates("2c7dTh", "QsQh"))
    assert dupai.outs(hand, board, Hand("QcQd")) == dupai.outs("AsKs", "2c7dTh", "QcQd")
    assert dupai.potential(hand, board, "QQ").win_rate == dupai.potential("AsKs", "2c7dTh", "QQ").win_rate
    assert dupai.strength([*hand, *board]) == dupai.strength("AsKs2c7dTh")
    assert dupai.describe((*hand, *board, "2d")) == dupai.describe("AsKs2c7dTh2d")
    assert Range("AK").without(hand) == Range("AK").without("AsKs")
    spec = GameSpec.no_limit(2)
    assert HandState(spec, [hand, None], board).hole[0] == HandState(spec, ["AsKs", None], "2c7dTh").hole[0]


_BAD = (None, 5, -3, 2.5, True, b"AA", object(), [], {}, [[1], [2, 3]], [2.5, 1], "", "zz")


@pytest.mark.parametrize("bad", _BAD, ids=[f"{type(bad).__name__}-{k}" for k, bad in enumerate(_BAD)])
@pytest.mark.parametrize(
    "call",
    [
        lambda x: dupai.equity(x),
        lambda x: dupai.equity([x, "AA"]),
        lambda x: dupai.equity(["KK", "AA"], x),
        lambda x: dupai.equity(["KK", "AA"], dead=x),
        lambda x: dupai.equity(["KK", "AA"], method=x),
        lambda x: dupai.equity(["KK", "AA"], samples=x),
        lambda x: dupai.equity(["KK", "AA"], target_error=x),
        lambda x: dupai.equity(["KK", "AA"], samples=10, rng=x),
        lambda x: dupai.win_rate(x),
        lambda x: dupai.win_rate("AsKs", x),
        lambda x: dupai.win_rates(x, "AA"),
        lambda x: dupai.win_rates("2c7dTh", x),
        lambda x: dupai.outs("AsKs", x),
        lambda x: dupai.outs(x, "2c7dTh"),
        lambda x: dupai.potential(x, "2c7dTh"),
        lambda x: dupai.potential("AsKs", "2c7dTh", x),
        lambda x: dupai.describe(x),
        lambda x: dupai.strength(x),
        lambda x: dupai.strengths(x),
        lambda x: dupai.card(x),
        lambda x: dupai.load_game(x),
        lambda x: dupai.make_agent(x),
        lambda x: dupai.play(x, "rules", hands=1),
        lambda x: dupai.play("caller", "caller", hands=2, seed=x),
        lambda x: Card(x),
        lambda x: Hand(x),
        lambda x: Board(x),
        lambda x: Range(x),
        lambda x: Range("AA")[x],
        lambda x: x in Range("AA"),
        lambda x: Range("AA") | x,
        lambda x: Range("AA").without(x),
        lambda x: Range("AA").weight(x),
    ],
    ids=lambda call: inspect.getsource(call).strip().removeprefix("lambda x: ").rstrip(",") if callable(call) else None,
)
def test_wrong_types_are_told_in_one_line(call: Callable[[Any], Any], bad: Any) -> None:
    """A call works or raises one of our errors with one line, whatever it is given."""
    try:
        call(bad)
    except DupaiError as error:
        assert "\n" not in str(error) and len(str(error)) < 500


def test_equity_is_a_function_and_the_floor_keeps_its_name() -> None:
    signature = inspect.signature(dupai.equity)
    assert list(signature.parameters)[:3] == ["hands", "board", "dead"]
    assert (inspect.getdoc(dupai.equity) or "").startswith("Share of the pot")
    assert inspect.isfunction(dupai.equity)
    assert pickle.loads(pickle.dumps(dupai.equity)) is dupai.equity
    floor = sys.modules["dupai.equity"]
    assert inspect.ismodule(floor) and type(floor) is type(sys) and floor.equity is dupai.equity


@pytest.mark.parametrize(
    "program",
    [
        "from dupai.equity import win_rate",
        "import dupai.equity",
        "import dupai.equity._exact, importlib; importlib.import_module('dupai.equity._kernels')",
        "from dupai import equity",
    ],
)
def test_whatever_is_imported_first_equity_stays_the_function(program: str) -> None:
    check = "import dupai, dupai.equity; from dupai.equity import equity; assert dupai.equity is equity, dupai.equity"
    subprocess.run([sys.executable, "-c", f"{program}\n{check}"], check=True, timeout=120)


def test_importing_loads_nothing_slow() -> None:
    program = "import dupai, sys; assert not {'numpy', 'numba'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120, cwd=Path(__file__).parent)


def test_results_print_on_one_line_as_a_table_as_html_and_as_data() -> None:
    from dupai.arena import run_ladder, run_sprt, run_tournament

    results = [
        dupai.equity(["AsKs", "QQ+"], "2c7dTh"),
        dupai.potential("AsKs", "2c7dTh"),
        dupai.play("caller", "raiser", hands=6),
        dupai.play("caller", "raiser", "random", "caller", hands=3, duplicate=False),
        run_tournament(["caller", "raiser"], matches=2, hands=5),
        run_ladder(["caller", "raiser", "random"], hands=4),
        run_sprt("caller", "raiser", max_hands=400),
    ]
    for result in results:
        line, data = repr(result), result.to_dict()
        assert "\n" not in line and line.startswith(f"<{type(result).__name__}: ") and len(line) < 400
        assert json.loads(json.dumps(data, allow_nan=False)) == data
        assert str(result).count("\n") >= (0 if isinstance(result, type(results[1])) else 1)
        html = result._repr_html_()
        assert html.startswith("<") and "nan" not in html
    assert results[0].to_dict()["board"] == "2c7dTh"
    assert math.isclose(sum(results[0].to_dict()["equity"]), 1)


# results --------------------------------------------------------------------------------------------------------------


def test_results_print_as_line_table_html_and_plain_data() -> None:
    from dupai.cfr import push_fold_table
    from dupai.history import ConvertReport
    from dupai.history.stats import Leak, LeakReport

    chart = push_fold_table(10)
    assert repr(chart).startswith("<PushFold: push/fold with 10 big blinds: push ") and "\n" not in repr(chart)
    assert "\n  AA" in str(chart) and "72o" not in str(chart) and "<td" in chart._repr_html_()
    assert len(chart.to_dict()["push"]) == 169

    done = ConvertReport(source="a.log", target="b.phhs", hands=1200, missing=3, lost=(("comments", 7),))
    assert repr(done) == "<ConvertReport: a.log -> b.phhs: 1,200 hands, 3 left out>"
    assert str(done).splitlines()[-1].split() == ["comments", "7"] and done.to_dict()["missing"] == 3

    leak = Leak(
        position="button", role="caller", street="", event="", n=40, bb100=-2.5, low=-3.0, high=-2.0, per_hand=-1.0,
        others=None, others_n=0, cost=None, cost_low=None, cost_high=None, p=None, holm=None, more_hands=0, hands=(),
        ids=(),
    )  # fmt: skip
    leaks = LeakReport(player="hero", hands=400, bb100=-4.0, low=-9.0, high=1.0, more_hands=5, lines=(leak,))
    assert repr(leaks) == "<LeakReport: hero: -4.0 bb/100 (-9.0 .. +1.0) in 400 hands>"
    assert "button, caller" in str(leaks) and leaks.to_dict()["lines"][0]["n"] == 40
