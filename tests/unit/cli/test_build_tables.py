"""``dupai build-tables``."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from dupai.cli import main
from dupai.cli._common import TerminalProgress
from dupai.equity import _build, _table, table_file


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder; building gives zeros at once."""

    def build(n_board: int, progress: object = None, threads: object = None) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros(_table.ENTRIES[n_board], np.uint16), np.zeros(169, np.uint16)

    monkeypatch.setattr(_table, "cache_root", lambda: tmp_path)
    monkeypatch.setattr(_table, "_turn_table", {})
    monkeypatch.setattr(_build, "build_entries", build)
    return tmp_path


def test_builds_once(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments, built in (([], True), ([], False), (["--force"], True)):
        monkeypatch.setattr(_table, "_turn_table", {})
        assert main(["build-tables", "--json", *arguments]) == 0
        document = json.loads(capsys.readouterr().out)
        assert document["built"] is built
        assert document["file"] == str(table_file())
        assert document["bytes"] == table_file().stat().st_size == 64 + 2 * document["entries"]
        assert document["entries"] == 169 + (1_755 + 16_432) * 1326
    assert main(["build-tables"]) == 0
    assert "24,116,131 win rates, 48.2 MB, already there" in capsys.readouterr().out


def test_a_forced_build_that_is_stopped_keeps_the_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["build-tables"]) == 0
    before = _of(table_file())

    def stopped(n_board: int, progress: TerminalProgress, threads: object = None) -> None:
        progress.cancel()

    monkeypatch.setattr(_table, "_turn_table", {})
    monkeypatch.setattr(_build, "build_entries", stopped)
    assert main(["build-tables", "--force"]) == 130
    assert "stopped: nothing was written" in capsys.readouterr().err
    assert _of(table_file()) == before
    assert [p.name for p in table_file().parent.iterdir()] == [table_file().name]


def test_a_folder_that_cannot_be_written_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tables").write_text("in the way")
    assert main(["build-tables"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "cannot be written: set DUPAI_CACHE_DIR" in said


def _of(file: Path) -> tuple[int, int, int]:
    """Which file it is and when it was written; links and looks at it (another worker's, say) are no writing."""
    found = file.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns
