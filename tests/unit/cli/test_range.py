"""``dupai range``: ranges of other programs in and out."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from dupai.cli import main


def _run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = main(["range", *args])
    out, err = capsys.readouterr()
    return code, out, err


def test_form_is_named_and_another_one_written(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(capsys, "[50]AKs[/50], QQ+")
    assert code == 0 and out.startswith("hands, weights as [50]AKs[/50]: 20 combos, 1.5 % of all\n")
    assert out.endswith("QQ+, AKs:0.5\n")
    assert _run(capsys, "AKs@50,QQ+@100", "--to", "solver")[1] == "AA,KK,QQ,AKs:0.5\n"


def test_file_and_input(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "r.csv").write_text("hand,weight\nAA,1\nKK,0.5\n")
    assert _run(capsys, f"@{tmp_path / 'r.csv'}", "--to", "gtoplus")[1] == "AA,[50]KK[/50]\n"
    monkeypatch.setattr("sys.stdin", io.StringIO('{"AA": 1}'))
    assert _run(capsys, "-")[1].startswith("JSON: 6 combos")
    assert main(["equity", f"@{tmp_path / 'r.csv'}", "QQ", "--board", "2c7dTh3s"]) == 0
    assert "AA, KK:0.5" in capsys.readouterr().out


@pytest.mark.parametrize(("args", "why"), [(("AKz",), "not a hand"), (("AA", "--to", "excel"), "one of hands")])
def test_mistakes_in_one_line(capsys: pytest.CaptureFixture[str], args: tuple[str, ...], why: str) -> None:
    code, _, err = _run(capsys, *args)
    assert code == 2 and why in err and err.count("\n") == 1
