"""``--results``, ``--resume`` and ``dupai results``; the formats of matches on the command line."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from dupai.cli import main


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _run(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    ended = main(list(arguments))
    out, err = capsys.readouterr()
    assert (ended, err.replace("compiling kernels, once\n", "")) == (code, "")
    return out


def _table(out: str) -> list[str]:
    """Without how long decisions took, which a results file does not keep."""
    return out.split("\ndecision times")[0].splitlines()


def _bad(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    code = main(list(arguments))
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.startswith("dupai: ")
    assert err.count("\n") == 1
    return err


def test_results_are_listed_shown_and_exported(capsys: pytest.CaptureFixture[str]) -> None:
    played = _run(capsys, "match", "random", "caller", "-d", "--hands", "300", "--results", "r.db")
    _run(capsys, "tournament", "random", "caller", "raiser", "--matches", "3", "--hands", "20", "--results", "r.db")
    listed = _run(capsys, "results", "list", "r.db")
    assert "random caller raiser" in listed
    assert listed.count("finished") == 2
    assert [r["kind"] for r in json.loads(_run(capsys, "results", "list", "r.db", "--json"))] == ["match", "tournament"]
    shown = _run(capsys, "results", "show", "r.db", "1")
    # The same table, but for the time it took.
    assert _table(shown)[2:] == _table(played)[1:]
    assert "3 of 3 matches" in _run(capsys, "results", "show", "r.db")
    document = json.loads(_run(capsys, "results", "show", "r.db", "1", "--json"))
    lines = list(csv.DictReader(_run(capsys, "results", "export", "r.db", "1").splitlines()))
    assert len(lines) == 2 * 2 * 300
    for player in document["result"]["players"]:
        mine = [float(line["chips"]) for line in lines if line["agent"] == player["agent"]]
        assert sum(mine) == pytest.approx(player["chips"])
    assert Counter((line["seating"], line["deal"]) for line in lines).most_common(1)[0][1] == 2
    matches = list(csv.DictReader(_run(capsys, "results", "export", "r.db", "2", "--csv").splitlines()))
    assert len(matches) == 9
    whole = json.loads(_run(capsys, "results", "export", "r.db", "1", "--json"))
    assert sum(len(b["payoffs"]) for b in whole["data"].values()) == 600


def test_resume_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("match", "random", "caller", "--hands", "20", "--results", "r.db", "--resume")
    first = _run(capsys, *arguments)
    assert _table(_run(capsys, *arguments))[1:] == _table(first)[1:]
    assert len(json.loads(_run(capsys, "results", "list", "r.db", "--json"))) == 1
    assert "--results FILE" in _bad(capsys, "match", "random", "caller", "--resume")
    assert "no run 7 in 'r.db': expected one of 1" in _bad(capsys, "results", "show", "r.db", "7")
    assert "no results file 'none'" in _bad(capsys, "results", "list", "none")
    Path("empty").touch()
    assert "no results file 'empty'" in _bad(capsys, "results", "list", "empty")
    assert not Path("empty").read_bytes()
    assert "expected one of them" in _bad(capsys, "results", "export", "r.db", "--json", "--csv")


def test_duplicate_of_three_in_rotations_and_in_all_orders(capsys: pytest.CaptureFixture[str]) -> None:
    turned = json.loads(_run(capsys, "match", "random", "caller", "raiser", "-d", "--hands", "12", "--json"))
    assert (turned["hands"], turned["deals"]) == (36, 12)
    assert "all 3 rotations" in turned["pairing"]
    every = json.loads(_run(capsys, "match", *["random"] * 3, "--permutations", "--hands", "12", "--json"))
    assert (every["hands"], every["deals"]) == (72, 12)
    assert "all 6 permutations" in every["pairing"]
    assert [p["mbb"]["mean"] for p in every["players"]] == [0.0] * 3
    assert "expected at most 3" in _bad(capsys, "match", *["random"] * 4, "--permutations")


def test_deals_from_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    # Position 0 is the big blind; aces in position 0, then in position 1.
    Path("cards").write_text(
        "# aces against deuces\nAsAd|2c7h/KsQh9d/8c/4s\n\nSTATE:0:c/c/c/c:2c7h|AsAd/KsQh9d/8c/4s:-1|1:a|b\n"
    )
    out = json.loads(_run(capsys, "match", "caller", "raiser:size=min", "--deals", "cards", "--json"))
    assert (out["hands"], out["config"]["hands"]) == (2, 2)
    # Chair 0 is the big blind first, on the button next: it has the aces both times and wins.
    assert out["players"][0]["chips"] > 0
    both = json.loads(_run(capsys, "match", "caller", "caller", "--deals", "cards", "-d", "--json"))
    assert [p["chips"] for p in both["players"]] == [0.0, 0.0]
    assert "the file of deals has 2" in _bad(capsys, "match", "caller", "caller", "--deals", "cards", "--hands", "3")
    assert "expected 3 hands of two cards" in _bad(capsys, "match", *["caller"] * 3, "--deals", "cards")
    Path("cards").write_text("AsAd|As7h/KsQh9d/8c/4s\n")
    assert "deal 1" in _bad(capsys, "match", "caller", "caller", "--deals", "cards")
    assert "cannot be read" in _bad(capsys, "match", "caller", "caller", "--deals", "none")


def test_fault_options(capsys: pytest.CaptureFixture[str]) -> None:
    slow = ("match", "rules", "caller", "--hands", "10", "--json", "--seconds-per-action", "1e-9")
    forfeit = json.loads(_run(capsys, *slow, code=1))
    assert [p["faults"] for p in forfeit["players"]] == [5, 5]
    assert "its clock allows 1e-09 s" in forfeit["faults"][0]["error"]
    assert forfeit["reproducible"] is False
    fold = json.loads(_run(capsys, *slow, "--faults", "fold", code=1))
    assert [p["faults"] for p in fold["players"]] == [1, 1]
    assert fold["hands"] == 10
    end = json.loads(_run(capsys, *slow, "--faults", "end", code=1))
    assert end["hands"] == 1
    assert not end["partial"]
    total = json.loads(_run(capsys, *slow[:-2], "--seconds-per-match", "1e-9", code=1))
    assert "for the match has run out" in total["faults"][-1]["error"]
    assert "expected one of 'forfeit', 'fold', 'end'" in _bad(capsys, "match", "rules", "caller", "--faults", "x")
    assert "seconds_per_action = 0" in _bad(capsys, "match", "rules", "caller", "--seconds-per-action", "0")
    cup = ("tournament", "caller", "raiser", "--matches", "2", "--hands", "8", "--seconds-per-action", "1e-9", "--json")
    assert sum(s["faults"] for s in json.loads(_run(capsys, *cup, "--faults", "fold", code=1))["standings"]) == 4
