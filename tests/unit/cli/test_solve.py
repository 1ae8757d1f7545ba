"""``dupai solve``: solving, files, looking into them, reports, and mistakes in one line each."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

from dupai.base import EXAMPLES, FileError, NotationError
from dupai.cfr import (
    Lock,
    SolveSpot,
    SpotNode,
    SpotSolver,
    load_solution,
    load_spot,
    save_solution,
    solve_report,
    solve_spot,
)
from dupai.cli import main

SPOT = """
board = "Td9d6hQc"
oop = "AA, KJs, 87s, 99, 54s"
ip = "QQ, ATs, J8s, 75s, AdKd"
pot = 20
stack = 40
[sizes]
bet = "60%, a"
raise = "a"
"""


@pytest.fixture
def spot(tmp_path: Path) -> Path:
    path = tmp_path / "spot.toml"
    path.write_text(SPOT)
    return path


def _run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    code = main([str(a) for a in args])
    got = capsys.readouterr()
    return code, got.out, got.err


def test_solve_save_show_resume(spot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "a.solve"
    code, text, _ = _run(capsys, "solve", spot, "--target", "2%", "--save", out, "--json")
    first = json.loads(text)
    assert code == 0 and first["target_reached"] and first["exploitability_percent"] <= 2
    assert sum(first["ev"].values()) == pytest.approx(20, abs=1e-3)
    assert first["root"]["actions"] == ["check", "bet 12", "allin 40"]
    code, text, _ = _run(capsys, "solve", spot, "--target", "0.2%", "--save", out, "--resume", "--json")
    second = json.loads(text)
    assert code == 0 and second["exploitability_percent"] <= 0.2
    assert second["curve"][: len(first["curve"])] == first["curve"] and second["iterations"] > first["iterations"]

    code, text, _ = _run(capsys, "solve", "show", out)
    assert code == 0 and "oop acts" in text and "AKs" in text and "check: " in text
    code, text, _ = _run(capsys, "solve", "show", out, "--path", "check/bet 60%/call/2s", "--hands")
    assert code == 0 and "pot 44" in text and "AsAh" in text
    code, text, _ = _run(capsys, "solve", "show", out, "--path", "check", "--json")
    node = json.loads(text)
    assert node["player"] == "ip" and sum(node["frequencies"]) == pytest.approx(1)
    assert node["ev"]["oop"] + node["ev"]["ip"] == pytest.approx(20, abs=1e-3)
    code, text, _ = _run(capsys, "solve", "show", out, "--path", "check", "--csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {r["player"] for r in rows} == {"oop", "ip"}
    ip = [r for r in rows if r["player"] == "ip"]
    assert all(sum(float(r[a]) for a in node["actions"]) == pytest.approx(1, abs=1e-5) for r in ip)
    for options, said in ((("--json", "--csv"), "expected one of them"), (("--player", "oop"), "with --hands")):
        code, _, error = _run(capsys, "solve", "show", out, *options)
        assert code == 2 and said in error


def test_a_file_holds_everything(tmp_path: Path) -> None:
    for half in (False, True):
        given = SolveSpot.from_dict(
            {"board": "Td9d6hQc", "oop": "AA,87s,0.5:99", "ip": "QQ,J8s", "pot": 20, "stack": 30, "rake": 0.01,
             "rake_cap": 2, "sizes": {"bet": "a", "raise": "a"}}
        )  # fmt: skip
        solver = SpotSolver(
            given, half=half, locks=[Lock(path="check/check/*", strategy={"check": "AA:0.5", "allin": 0.5})]
        )
        solver.iterate(20)
        solver.check()
        save_solution(solver, tmp_path / "b.solve")
        back = load_solution(tmp_path / "b.solve")
        assert back.spot == given and back.iterations == 20 and back.curve == solver.curve and back.half == half
        for path in ("", "check/check/2s", "check/allin 30"):
            assert np.array_equal(SpotNode(back, path).strategy, SpotNode(solver, path).strategy)
        solver.iterate(5)
        back.iterate(5)
        assert back.exploitability() == pytest.approx(solver.exploitability(), rel=1e-6)


def test_bounds_are_in_the_file_too(tmp_path: Path) -> None:
    locks = [Lock(path="", upper={"check": 0.5}), Lock(path="check/check/*", lower={"check": "AA"})]
    solver = SpotSolver(SolveSpot.from_dict(_plain()), locks=locks)
    solver.iterate(20)
    save_solution(solver, tmp_path / "c.solve")
    back = load_solution(tmp_path / "c.solve")
    assert back.locks == solver.locks
    for some in (solver, back):
        some.iterate(5)
    assert np.array_equal(SpotNode(back).strategy, SpotNode(solver).strategy)
    assert back.exploitability() == pytest.approx(solver.exploitability(), rel=1e-6)
    # what goes on in memory does not reach the file
    assert load_solution(tmp_path / "c.solve").iterations == 20
    assert SpotNode(load_solution(tmp_path / "c.solve")).strategy[0].max() <= 0.5 + 1e-5


INTERRUPTED = """
import sys
from dupai.cli import _common
from dupai.cfr.postflop import _worker
from dupai.cli import main
class Loud(_common.TerminalProgress):
    said = False
    def say(self):
        if not self.said:
            print("working", flush=True)
        self.said = True
    def report(self, done, total, note=""):
        # One spot: there is something to save from its first iteration on, however long the kernels take to load.
        if done > 0:
            self.say()
        super().report(done, total, note)
    @property
    def cancelled(self):
        if "report" in sys.argv:
            self.say()
        return super().cancelled
_common.TerminalProgress = Loud
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("jobs", [0, 2])
def test_ctrl_c_from_outside(spot: Path, tmp_path: Path, jobs: int) -> None:
    """A target that is never reached; the signal goes to all processes, as from a terminal (0: one spot, no report)."""
    saved, boards = tmp_path / "e.solve", tmp_path / "boards.txt"
    boards.write_text("AsAhAdKc\nKsKhKd2c\n")
    args = ["solve", str(spot), "--save", str(saved)] if not jobs else [
        "solve", "report", str(spot), "--boards", str(boards), "--out", str(saved), "--jobs", str(jobs)
    ]  # fmt: skip
    everything = [sys.executable, "-c", INTERRUPTED, *args, "--target", "0.000001%", "--max-iterations", "100000000"]
    with subprocess.Popen(
        everything, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "working\n"
        time.sleep(0.3)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "Traceback" not in err
    if jobs:
        assert "0 of 2 boards" in out
    else:
        assert "target not reached" in " ".join(out.split()) and load_solution(saved).iterations > 0


def test_ctrl_c_keeps_what_there_is(tmp_path: Path) -> None:
    class Impatient:
        asked = 0

        @property
        def cancelled(self) -> bool:
            self.asked += 1
            return self.asked > 400

        def report(self, done: float, total: float | None, note: str = "") -> None:
            return None

    solver = SpotSolver(SolveSpot.from_dict(_plain()))
    assert not solver.run(1e-7, progress=Impatient())
    assert 0 < solver.iterations < 1000 and solver.curve[-1].iterations == solver.iterations
    save_solution(solver, tmp_path / "d.solve")
    assert load_solution(tmp_path / "d.solve").iterations == solver.iterations


def _plain() -> dict[str, Any]:
    return {
        "board": "Td9d6hQc", "oop": "AA,KJs,87s,99", "ip": "QQ,ATs,J8s", "pot": 20, "stack": 40,
        "sizes": {"bet": "60%, a", "raise": "a"},
    }  # fmt: skip


def test_damaged_files(spot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = tmp_path / "a.solve"
    save_solution(SpotSolver(SolveSpot.from_dict(_plain())), good)
    whole = good.read_bytes()
    bad = tmp_path / "bad.solve"
    for cut, words in (
        (len(whole) - 1, "truncated"),
        (40, "truncated"),
        (10, "not a solve file"),
        (0, "not a solve file"),
    ):
        bad.write_bytes(whole[:cut])
        code, _, err = _run(capsys, "solve", "show", bad)
        assert code == 2 and words in err and err.count("\n") == 1
    bad.write_bytes(whole[:22] + b"\xff" * 20 + whole[42:])
    code, _, err = _run(capsys, "solve", "show", bad)
    assert code == 2 and "damaged" in err and err.count("\n") == 1
    code, _, err = _run(capsys, "solve", spot, "--save", good, "--resume")
    assert code == 2 and "another spot" in err
    bad.write_bytes(b"DUPAI-SOLVE 1\n" + whole[14:])
    code, _, err = _run(capsys, "solve", "show", bad)
    assert code == 2 and "solve files of 0.2 have no checksum: solve again" in err and err.count("\n") == 1


def test_every_damaged_byte_and_number_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "a.solve", tmp_path / "bad.solve"
    save_solution(solve_spot(SolveSpot.from_dict(_plain()), max_iterations=20), good)
    whole = good.read_bytes()
    arrays = 64 + int.from_bytes(whole[14:22], "little")
    rng = np.random.default_rng(58)
    bytes_ = {*range(22), *rng.integers(22, len(whole), 400).tolist(), *range(len(whole) - 16, len(whole))}
    damaged = [(at, bytes([whole[at] ^ int(rng.integers(1, 256))])) for at in sorted(bytes_)]
    for value in (math.nan, 1e30, -0.5):
        cell = np.float32(value).tobytes()
        damaged += [(at * 4, cell) for at in rng.integers(arrays // 4 + 1, len(whole) // 4 - 4, 100).tolist()]
    for number, (at, data) in enumerate(damaged):
        changed = whole[:at] + data + whole[at + len(data) :]
        if changed == whole:
            continue
        bad.write_bytes(changed)
        with pytest.raises(FileError, match="solve file"):
            load_solution(bad)
        if number % 100 == 0:
            code, out, err = _run(capsys, "solve", "show", bad)
            assert code == 2 and out == "" and err.replace("compiling kernels, once\n", "").count("\n") == 1
    assert load_solution(good).iterations > 0


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["solve", "none.toml"], "cannot be read"),
        (["solve", "SPOT", "--target", "0.3"], "expected a percentage"),
        (["solve", "SPOT", "--target", "nan%"], "expected a percentage"),
        (["solve", "SPOT", "--resume"], "--save"),
        (["solve", "SPOT", "--save", "nowhere/x.solve"], "no folder"),
        (["solve", "SPOT", "--save", "."], "is a folder"),
        (["solve", "show", "none.solve"], "cannot be read"),
        (["solve", "report", "SPOT", "--boards", "none.txt", "--out", "x.csv"], "cannot be read"),
    ],
)
def test_mistakes(spot: Path, capsys: pytest.CaptureFixture[str], args: list[str], words: str) -> None:
    code, _, err = _run(capsys, *(str(spot) if a == "SPOT" else a for a in args))
    assert code == 2 and words in err and err.count("\n") == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("stack = 40", "stack = 0"), "stack = 0"),
        (("pot = 20", "pot = nan"), "pot = nan"),
        (('bet = "60%, a"', 'bet = "60%'), "not TOML"),
        (('oop = "AA, KJs, 87s, 99, 54s"', 'oop = "TdTd"'), "oop"),
        (("pot = 20", 'pot = 20\nlock = 3'), "[[lock]]"),
        (("pot = 20", "pot = 20\nsizs = 3"), "unknown key 'sizs' in spot: did you mean 'sizes'?"),
        (("pot = 20", "pot = 20\nnothing = 3"), "ip, lock, "),
        (("[sizes]", '[[lock]]\npath = "bet 13"\nstrategy = { fold = 1 }\n[sizes]'), "bet 13"),
    ],
)  # fmt: skip
def test_bad_spot_files(spot: Path, capsys: pytest.CaptureFixture[str], change: tuple[str, str], words: str) -> None:
    spot.write_text(SPOT.replace(*change))
    code, _, err = _run(capsys, "solve", spot)
    assert code == 2 and words in err and err.count("\n") == 1


def test_locks_in_a_spot_file(spot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spot.write_text(
        SPOT + '[[lock]]\npath = "bet 12"\nstrategy = { fold = 1 }\n[[lock]]\npath = "check"\nupper = {check = 0.5}'
    )
    code, text, _ = _run(capsys, "solve", spot, "--json")
    assert code == 0 and json.loads(text)["ev"]["oop"] > 19.9


def test_the_spot_file_of_the_documentation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[3] / "docs" / "guides" / "solve.md").read_text(encoding="utf-8")
    given = tmp_path / "page.toml"
    given.write_text(page.split("```toml\n")[1].split("```")[0])
    code, text, err = _run(capsys, "solve", given, "--target", "30%", "--json")
    assert code == 0 and not err
    root = json.loads(text)["root"]
    assert root["actions"] == ["check", "bet 66", "bet 150", "allin 900"] and "AcKc" not in str(root["hands"])


def test_the_output_on_the_page_is_that_of_the_example(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[3] / "docs" / "guides" / "solve.md").read_text(encoding="utf-8")
    quoted = page.split("--save river.solve\n")[1].split("\n...")[0].splitlines()
    code, text, _ = _run(capsys, "solve", "example:river")
    assert code == 0
    seconds = re.compile(r" in .*?,")
    assert [seconds.sub(",", line) for line in text.splitlines()[: len(quoted)]] == [
        seconds.sub(",", q) for q in quoted
    ]


def test_report(spot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    boards, out = tmp_path / "boards.txt", tmp_path / "out.csv"
    boards.write_text("# three turns\nTd9d6hQc\nAs9d6h2c  # dry\n\nTd9d6hQc\nQcTd9d6h\n")
    code, text, _ = _run(capsys, "solve", "report", spot, "--boards", boards, "--out", out, "--target", "1%")
    assert code == 0 and "2 of 2 boards" in text
    rows = list(csv.DictReader(io.StringIO(out.read_text())))
    assert [r["board"] for r in rows] == ["Td9d6hQc", "As9d6h2c"]
    assert all(
        float(r["exploitability_%"]) <= 1 and abs(float(r["ev_oop"]) + float(r["ev_ip"]) - 20) < 0.01 for r in rows
    )
    rows[0]["iterations"] = "7"
    with out.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    boards.write_text(boards.read_text().replace("Td9d6hQc", "6hQcTd9d") + "KsKh6h2c")
    code, text, _ = _run(
        capsys, "solve", "report", spot, "--boards", boards, "--out", out, "--target", "1%", "--jobs", "2", "--json"
    )
    again = json.loads(text)
    assert code == 0 and [r["iterations"] == 7 for r in again] == [True, False, False]
    assert all(isinstance(r["ev_oop"], float) and isinstance(r["board"], str) for r in again)
    text = out.read_text()
    for cell in ("abc", "", "nan", "7.5"):
        out.write_text(text.replace(",7,", f",{cell},"))
        code, _, err = _run(capsys, "solve", "report", spot, "--boards", boards, "--out", out, "--target", "1%")
        assert code == 2 and f"iterations is {cell!r}: expected a number" in err
    boards.write_text("Td9d6h")
    with pytest.raises(NotationError, match="line 1"):
        from dupai.cfr import read_boards

        read_boards(boards, 4)
    for foreign in ("a,b\n1,2\n", "one line of notes\n", "\n"):
        out.write_text(foreign)
        with pytest.raises(FileError, match="not a solver report"):
            solve_report(SolveSpot.from_dict(_plain()), ["Td9d6hQc"], out)
        assert out.read_text() == foreign


@pytest.mark.parametrize(
    "other",
    [
        {"pot": 22}, {"ip": "QQ,ATs,J8s,22"}, {"oop": "AA,KJs,87s,0.5:99"}, {"stack": 41}, {"rake": 0.01},
        {"sizes": {"bet": "a", "raise": "a"}}, {"dead": "2c"}, {"target": 0.001}, {"max_iterations": 30},
        {"half": True}, {"locks": [Lock(path="", upper={"check": 0.5})]},
    ],
    ids=lambda other: next(iter(other)),
)  # fmt: skip
def test_a_report_of_other_work_is_refused(tmp_path: Path, other: dict[str, Any]) -> None:
    """The same file with another spot or other settings: no row of the first one comes back, and none is lost."""
    board, out = "Td9d6hQc", tmp_path / "out.csv"
    settings: dict[str, Any] = {"target": 0.05, "max_iterations": 40}
    first = solve_report(SolveSpot.from_dict(_plain()), [board], out, **settings)
    before = out.read_bytes()
    assert solve_report(SolveSpot.from_dict({**_plain(), "board": "As9d6h2c"}), [board], out, **settings) == first
    for key in ("target", "max_iterations", "half", "locks"):
        if key in other:
            settings[key] = other[key]
    spot = SolveSpot.from_dict({**_plain(), **{k: v for k, v in other.items() if k not in settings}})
    with pytest.raises(FileError, match=r"out\.csv.*other work") as caught:
        solve_report(spot, [board, "As9d6h2c"], out, **settings)
    assert caught.value.path == str(out) and out.read_bytes() == before


def test_a_report_is_the_same_on_every_backend(spot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    boards = tmp_path / "boards.txt"
    boards.write_text("Td9d6hQc\nAs9d6h2c\nKsKh6h2c\n")
    texts = []
    for name in ("serial", "processes"):
        out = tmp_path / f"{name}.csv"
        args = ("--boards", boards, "--out", out, "--target", "2%", "--jobs", "2", "--backend", name)
        assert _run(capsys, "solve", "report", spot, *args)[0] == 0
        texts.append(out.read_text())
    assert texts[0] == texts[1] and texts[0].count("\n") == 4
    code, _, err = _run(
        capsys, "solve", "report", spot, "--boards", boards, "--out", tmp_path / "m", "--backend", "moon"
    )
    assert code == 2 and "backend 'moon'" in err


def test_a_report_of_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board, out = "Td9d6hQc", tmp_path / "out.csv"
    solve_report(SolveSpot.from_dict(_plain()), [board], out, target=0.05)
    monkeypatch.setattr("dupai.cfr.postflop._report.__version__", "0.0.1")
    with pytest.raises(FileError, match="other work"):
        solve_report(SolveSpot.from_dict(_plain()), [board], out, target=0.05)


def test_without_colour_the_grid_names_the_most_frequent_action(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(EXAMPLES / "river.toml"), "--target", "5%"]) == 0
    out = capsys.readouterr().out
    assert "   1 check: " in out and "most frequent action" in out
    assert re.search(r"^  AA [1-3] AKs[1-3] .* A8s· ", out, re.MULTILINE)


def test_numbers_are_asked_for_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "rules", "caller", "--hands", "1e3"]) == 2
    assert "expected a whole number, as 1000" in capsys.readouterr().err
    assert main(["read", str(EXAMPLES / "match.log"), "--hand", "99"]) == 2
    assert "there is no hand 99: it has 0 to 59" in capsys.readouterr().err
    assert main(["history", "stats", str(EXAMPLES / "match.log")]) == 0
    # Big blinds per 100 hands, also where there are too few for an estimate.
    assert "+184" in (out := capsys.readouterr().out) and " bb " not in out.splitlines()[4]


def test_a_node_that_is_hardly_reached_is_marked_and_solved_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """IP never checks back, so after two checks nothing of the solution is right."""
    (tmp_path / "off.toml").write_text(
        'board = "Td 9d 6d 2h"\noop = "AsKs,QQ,5s4s,0.4:7s7d"\nip = "KK,JJ,AsQs,87s"\npot = 100\nstack = 200\n'
        '[sizes]\nbet = "60%, a"\nraise = "a"\n'
    )
    saved, below = tmp_path / "s", tmp_path / "below"
    assert _run(capsys, "solve", tmp_path / "off.toml", "--target", "0.02%", "--save", saved)[0] == 0
    code, text, _ = _run(capsys, "solve", "show", saved)
    assert code == 0 and "not solved" not in text
    off = ("solve", "show", saved, "--path", "check/check/2d")
    code, text, _ = _run(capsys, *off, "--hands")
    assert code == 0 and re.search(r"reached 1 in [\d,]+: not solved", text)
    node = json.loads(_run(capsys, *off, "--json")[1])
    assert not node["solved"] and 0 < node["reached"] < 1e-4 and not any(h["solved"] for h in node["hands"]["oop"])
    code, text, notes = _run(capsys, *off, "--solve", "--target", "0.1%", "--save", below, "--json")
    node = json.loads(text)
    assert code == 0 and node["solved"] and "ip takes check/check hardly ever" in notes
    # every hand may check and fold
    assert min(hand["ev"] for hand in node["hands"]["oop"]) > -0.5
    assert json.loads(_run(capsys, "solve", "show", below, "--json")[1])["board"] == "Td9d6d2h2d"
    code, _, error = _run(capsys, "solve", "show", saved, "--path", "check/check", "--solve")
    assert code == 2 and "name the card that comes" in error


def test_hands_that_hardly_get_to_a_node_are_marked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lock = Lock(path="", strategy={"check": "AA,87s,99:0.9999", "allin": "99:0.0001"})
    spot = {"board": "Td9d6hQc2s", "oop": "AA,87s,99", "ip": "QQ,J8s", "pot": 20, "stack": 30}
    given = SolveSpot.from_dict({**spot, "sizes": {"bet": "a", "raise": "a"}})
    solver = SpotSolver(given, locks=[lock, Lock(path="check", strategy={"check": 0.5, "allin": 0.5})])
    solver.iterate(10)
    assert SpotNode(solver).solved and not SpotNode(solver, "allin 30").solved
    solver = SpotSolver(given, locks=[Lock(path="", strategy={"allin": "AA,87s,99:0.0001", "check": "99:0.9999"})])
    solver.iterate(10)
    node = SpotNode(solver, "allin 30")
    marked = {row["hand"][:1] for row in node.hands(0) if not row["solved"]}
    assert node.solved and marked == {"9"}
    save_solution(solver, tmp_path / "s")
    text = _run(capsys, "solve", "show", tmp_path / "s", "--path", "allin 30", "--hands", "--player", "oop")[1]
    assert "9h9c*" in text and "less than 1 in 1,000 times" in text and "AdAc " in text


def test_all_nodes_of_a_street_and_the_link_of_a_spot(
    spot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "s"
    assert _run(capsys, "solve", spot, "--target", "2%", "--save", saved)[0] == 0
    nodes = json.loads(_run(capsys, "solve", "show", saved, "--path", "check", "--all", "--json")[1])
    paths = [node["path"] for node in nodes]
    assert paths[0] == "check" and "check/check" in paths and all(p.startswith("check") for p in paths)
    assert {node["kind"] for node in nodes} >= {"act", "card", "fold"}
    rows = list(csv.DictReader(io.StringIO(_run(capsys, "solve", "show", saved, "--all", "--csv")[1])))
    by_path = {(row["path"], row["player"], row["hand"]): row for row in rows}
    node = SpotNode(load_solution(saved), "check")
    for hand in node.hands():
        row = by_path["check", "ip", hand["hand"]]
        assert float(row["ev"]) == hand["ev"] and float(row["check"]) == hand["check"] and row["fold"] == ""
    query = parse_qs(urlsplit(_run(capsys, "solve", "show", saved, "--link")[1].strip()).query)
    asked, _ = load_spot(spot)
    assert SolveSpot.from_dict(
        {"board": query["board"][0], "oop": query["oop"][0], "ip": query["ip"][0], "pot": int(query["pot"][0]),
         "stack": int(query["stack"][0]), "sizes": {"bet": query["bet"][0], "raise": query["raise"][0]}}
    ) == asked  # fmt: skip
    assert _run(capsys, "solve", "show", saved, "--all")[0] == 2


def test_river_subgames_of_brown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game: dict[str, Any] = {
        "board": ["Ks", "Th", "7s", "4d", "2s"], "pot": 1000, "stack": 9500, "bet_sizes": [0.5, 1.0],
        "include_all_in": True, "max_raises": 2, "oop_first_bets": [0.33],
        "players": [{"hands": ["AsKd", "QhQd", "9s8s"], "weights": [4.0, 1.0, 0.0]}, {"hands": ["TdTc", "QsJs"]}],
    }  # fmt: skip
    file = tmp_path / "river.json"
    file.write_text(json.dumps(game))
    made, locks = load_spot(file)
    assert locks == () and str(made.oop) == "AsKd, QhQd:0.25" and str(made.ip) == "QsJs, TdTc" and made.raise_cap == 2
    root = SpotNode(SpotSolver(made))
    assert [str(a) for a in root.actions] == ["check", "bet 330", "allin 9500"]
    assert [str(a) for a in root.at("check").actions] == ["check", "bet 500", "bet 1000", "allin 9500"]
    # half of the pot after calling, more than the bet
    assert [str(a) for a in root.at("check/bet 500").actions[2:]] == ["raise 1500", "raise 2500", "allin 9500"]
    assert [a.kind for a in root.at("check/bet 500/raise 1500").actions] == ["fold", "call"]
    assert _run(capsys, "solve", file, "--target", "1%")[0] == 0
    for changes in ({"oop_next_raises": [2]}, {"players": [{}]}, {"pot": "x"}, {"bet_sizes": None}):
        file.write_text(json.dumps(game | changes))
        code, _, error = _run(capsys, "solve", file)
        assert code == 2 and error.count("\n") == 1 and ("sub-game" in error or "oop_next_raises" in error)
    for text in ("{", "[]"):
        file.write_text(text)
        assert _run(capsys, "solve", file)[0] == 2
