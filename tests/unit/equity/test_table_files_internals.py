"""The file of the whole table: built when needed, replaced when damaged, never half written; ``dupai build-tables``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dupai.cli import main
from dupai.equity import _build, _table, load_win_rate_table, table_file, win_rate

SHIPPED = 169 + 1_755 * 1326


class Watch:
    """Counts reports; cancelled after some."""

    def __init__(self, stop_after: int | None = None) -> None:
        self.done: list[float] = []
        self._stop_after = stop_after

    @property
    def cancelled(self) -> bool:
        return self._stop_after is not None and len(self.done) >= self._stop_after

    def report(self, done: float, total: float | None, note: str = "") -> None:
        assert total == 16_432
        self.done.append(done)


@pytest.fixture(scope="module")
def entries() -> np.ndarray:
    return np.array(load_win_rate_table(turn=True).entries[SHIPPED:])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache folder and a process that has not loaded the turn yet."""
    monkeypatch.setattr(_table, "cache_root", lambda: tmp_path)
    monkeypatch.setattr(_table, "_turn_table", {})
    return tmp_path


@pytest.fixture
def builds(entries: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often the turn is built (from a copy, at once)."""
    calls: list[int] = []

    def build(n_board: int, progress: object = None, threads: object = None) -> tuple[np.ndarray, np.ndarray]:
        calls.append(n_board)
        return entries.copy(), np.zeros(169, np.uint16)

    monkeypatch.setattr(_build, "build_entries", build)
    return calls


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_table, "_turn_table", {})


def test_a_turn_is_answered_without_the_file_and_nothing_is_built(folder: Path, builds: list[int]) -> None:
    assert win_rate("AsKs", "2c7dTh5s") == pytest.approx(0.47068511, abs=1e-8)
    assert load_win_rate_table(turn=None).entries.size == SHIPPED
    assert builds == []
    assert not list(folder.rglob("*.bin"))


def test_the_turn_is_built_once(folder: Path, builds: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    table = load_win_rate_table(turn=True)
    assert table.entries.size == SHIPPED + 16_432 * 1326
    assert load_win_rate_table(turn=True) is table
    assert [p.name for p in (folder / "tables").iterdir()] == [table_file().name]
    forget(monkeypatch)
    again = load_win_rate_table(turn=None)
    np.testing.assert_array_equal(again.entries, table.entries)
    assert builds == [4]


def test_a_line_says_that_it_is_built(folder: Path, builds: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    load_win_rate_table(turn=True)
    assert capsys.readouterr().err == "building the turn's win-rate table, once\n"


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[20_000_000] ^= 1
    path.write_bytes(data)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1000])


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _other_version(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data.replace(f"{_build.VERSION} ".encode(), b"0 ", 1))


@pytest.mark.parametrize("damage", [_flip, _cut, _empty, _other_version])
def test_a_bad_file_is_rebuilt(
    damage: object, folder: Path, builds: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    load_win_rate_table(turn=True)
    good = table_file().read_bytes()
    damage(table_file())  # type: ignore[operator]
    assert table_file().read_bytes() != good
    forget(monkeypatch)
    assert load_win_rate_table(turn=None).entries.size == SHIPPED
    load_win_rate_table(turn=True)
    assert builds == [4, 4]
    assert table_file().read_bytes() == good


def test_a_folder_that_cannot_be_written_costs_only_the_file(
    folder: Path, builds: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "tables").write_text("a file in the way")
    assert load_win_rate_table(turn=True).entries.size == SHIPPED + 16_432 * 1326
    assert win_rate("AsKs", "2c7dTh5s") == pytest.approx(0.47068511, abs=1e-5)


def test_cancelled_building_leaves_nothing(folder: Path) -> None:
    watch = Watch(stop_after=2)
    assert load_win_rate_table(turn=True, progress=watch).entries.size == SHIPPED
    assert not list(folder.rglob("*.*"))
    assert len(watch.done) == 2


def test_building_gives_the_same_on_any_number_of_threads(entries: np.ndarray) -> None:
    watch = Watch()
    built = _build.build_entries(4, watch, threads=3)
    assert built is not None
    np.testing.assert_array_equal(built[0], entries)
    assert watch.done[-1] == 16_432
    # Sums over all turns give the same rates before the flop as those over all flops, which ship.
    np.testing.assert_array_equal(built[1], load_win_rate_table().entries[:169])


def test_a_shipped_file_of_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "winrates.npz"
    np.savez(other, version=np.array(0), entries=np.zeros(3, np.uint16))
    monkeypatch.setattr(_build, "TABLE_FILE", other)
    with pytest.raises(RuntimeError, match="version 0"):
        _table._shipped()


@pytest.fixture
def zeros(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder; building gives zeros at once."""

    def build(n_board: int, progress: object = None, threads: object = None) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros(_build.ENTRIES[n_board], np.uint16), np.zeros(169, np.uint16)

    monkeypatch.setattr(_table, "cache_root", lambda: tmp_path)
    monkeypatch.setattr(_table, "_turn_table", {})
    monkeypatch.setattr(_build, "build_entries", build)
    return tmp_path


@pytest.mark.usefixtures("zeros")
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


@pytest.mark.usefixtures("zeros")
def test_a_forced_build_that_is_stopped_keeps_the_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["build-tables"]) == 0
    before = _of(table_file())

    def stopped(n_board: int, progress: Any, threads: object = None) -> None:
        progress.cancel()

    monkeypatch.setattr(_table, "_turn_table", {})
    monkeypatch.setattr(_build, "build_entries", stopped)
    assert main(["build-tables", "--force"]) == 130
    assert "stopped: nothing was written" in capsys.readouterr().err
    assert _of(table_file()) == before
    assert [p.name for p in table_file().parent.iterdir()] == [table_file().name]


def test_a_folder_that_cannot_be_written_is_one_line(zeros: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (zeros / "tables").write_text("in the way")
    assert main(["build-tables"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "cannot be written: set DUPAI_CACHE_DIR" in said


def _of(file: Path) -> tuple[int, int, int]:
    """Which file it is and when it was written; links and looks at it (another worker's, say) are no writing."""
    found = file.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns
