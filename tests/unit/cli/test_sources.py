"""Folders where hand histories are named: the logs in them; what is no file or store is told in one line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from dupai.base import FileError
from dupai.cli import main
from dupai.history import source_files

GOLDEN = Path(__file__).resolve().parents[2] / "golden"


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two logs, and something else."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "logs"
    (folder / "deeper").mkdir(parents=True)
    for name in ("heads_up.log", "six.log"):
        shutil.copy(GOLDEN / name, folder)
    (folder / "notes.md").write_text("no hands\n")
    (tmp_path / "none").mkdir()
    (tmp_path / "empty").touch()
    return folder


def _said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """A mistake: exit code 2, nothing on standard output, one line on standard error."""
    code = main(list(arguments))
    out, err = capsys.readouterr()
    err = err.replace("compiling kernels, once\n", "")
    assert (code, out) == (2, "")
    assert err.startswith("dupai: ")
    assert err.count("\n") == 1
    return err


def test_a_folder_stands_for_the_logs_in_it(logs: Path) -> None:
    other = str(logs / "notes.md")
    assert source_files([other, logs]) == [other, str(logs / "heads_up.log"), str(logs / "six.log")]
    with pytest.raises(FileError, match="none is a folder without hand histories"):
        source_files(["none"])


def test_commands_take_a_folder_of_logs(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(logs / "heads_up.log"), str(logs / "six.log")]
    for command in (["history", "verify"], ["history", "stats"], ["history", "import", "--store", "store"]):
        found = []
        for sources in ([str(logs)], files):
            arguments = [s if s != "store" else f"store{len(found)}" for s in command]
            assert main([*arguments, *sources, "--json"]) == 0
            found.append(json.loads(capsys.readouterr().out))
        assert found[0]["hands"] == found[1]["hands"] > 0
        if "files" in found[0]:
            assert [f["file"] for f in found[0]["files"]] == [f["file"] for f in found[1]["files"]] == files
    # A store stays one source.
    assert source_files(["store0"]) == ["store0"]
    assert main(["history", "stats", "store0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hands"] > 0
    scored = []
    for data in ([str(logs)], files):
        named = [word for file in data for word in ("--data", file)]
        assert main(["read", "score", "uniform", *named, "--part", "all", "--json"]) == 0
        scored.append(json.loads(capsys.readouterr().out))
    assert scored[0]["scores"] == scored[1]["scores"]
    (logs / "summary.txt").write_text("***** Cassava Tournament Summary *****\nBuy-In: $0.90 + $0.10\n")
    capsys.readouterr()
    assert main(["read", "score", "uniform", "--data", str(logs), "--part", "all", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["scores"] == scored[0]["scores"]
    assert f"skipped: {logs / 'summary.txt'}: a tournament summary" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("history", "verify", "none"), "none is a folder without hand histories"),
        (("history", "import", "none", "--store", "new"), "none is a folder without hand histories"),
        (("history", "stats", "none"), "none is a folder without hand histories"),
        (("history", "show", "empty"), "empty is no hand store: expected a folder made by 'dupai history import'"),
        (("read", "score", "uniform", "--data", "none"), "none is a folder without hand histories"),
        (("read", "empty", "--hand", "1"), "empty: there is no whole hand in the log"),
        (("read", "logs/six.log", "--hand", "1", "--png", "none"), "--png 'none' is a folder"),
        (("read", "logs/six.log", "--hand", "1", "--png", "no/x.png"), "--png 'no/x.png': there is no folder 'no'"),
        (("match", "rules", "caller", "--results", "none"), "results file 'none': it is a folder"),
        (("match", "rules", "caller", "--results", "no/x.db"), "there is no folder to hold it"),
    ],
)
def test_what_is_no_file_is_told(
    logs: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    assert said in _said(capsys, *arguments)
