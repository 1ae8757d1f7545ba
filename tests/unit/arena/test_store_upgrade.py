"""Results files of the first version of the tables, which had no checkpoints: shown, gone on with, and upgraded whole.

The statements are those of a dump of files that the program wrote when that was its version.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from dupai import __version__
from dupai.arena import MatchResult, play_match, run_tournament, unfinished
from dupai.arena.store import Store
from dupai.base import FileError
from dupai.cli import main

_TABLES = """
CREATE TABLE runs (
    id integer primary key,
    kind text not null,
    started text not null,
    finished text,
    config text not null,
    version text not null,
    blocks integer not null,
    result text
) strict;
CREATE TABLE blocks (
    run integer not null references runs (id),
    block integer not null,
    written text not null,
    data text not null,
    primary key (run, block)
) strict, without rowid;
PRAGMA user_version=1;
"""

_MATCH = (
    "INSERT INTO runs VALUES(1,'match','2026-11-21T19:26:50Z',NULL,'"
    '{"agents":["caller","raiser"],"labels":["caller","raiser"],"game":{"players":2,"betting":"no-limit",'
    '"blinds":[100,50],"stacks":[20000,20000],"antes":[0,0],"bet_sizes":[0,0,0,0],'
    '"max_raises":[2147483647,2147483647,2147483647,2147483647],"first_player":[1,0,0,0],"odd_chips":"acpc",'
    '"min_raise":"acpc"},"hands":3,"duplicate":true,"seed":2,"matches":1,"permutations":false,"deals":[],'
    '"rules":{"faults":"forfeit","seconds_per_action":null,"seconds_per_match":null}}'
    "','0.1.0',2,NULL);",
    "INSERT INTO blocks VALUES(1,0,'2026-11-21T19:27:05Z','"
    '{"table":0,"agents":["caller","raiser"],"match":0,"rotation":0,"start":0,'
    '"payoffs":[[20412000,-20412000],[-20412000,20412000],[-20412000,20412000]],"faults":[],"fault_counts":[0,0]}'
    "');",
)

_TOURNAMENT = (
    "INSERT INTO runs VALUES(1,'tournament','2026-11-21T19:26:50Z',NULL,'"
    '{"agents":["caller","raiser"],"labels":["caller","raiser"],"hands":5,"blinds":[20,40],"stack":2000,"rebuys":1,'
    '"matches":4,"seed":2,"rules":{"faults":"forfeit","seconds_per_action":null,"seconds_per_match":null},'
    '"levels":[],"payouts":[]}'
    "','0.1.0',4,NULL);",
    "INSERT INTO blocks VALUES(1,1,'2026-11-21T19:26:50Z','"
    '{"match":1,"hands":2,"players":[{"agent":"caller","chair":1,"rank":2.0,"hands":2,"chips":0,"rebuys":1,'
    '"volatility_squared":8000000,"faults":0,"curve":[]},{"agent":"raiser","chair":0,"rank":1.0,"hands":5,'
    '"chips":8000,"rebuys":0,"volatility_squared":8000000,"faults":0,"curve":[]}],"faults":[],"complete":true}'
    "');",
)


def _written(file: Path, rows: tuple[str, ...]) -> None:
    db = sqlite3.connect(file)
    db.execute("PRAGMA journal_mode=wal")
    db.executescript(_TABLES + "\n".join(rows).replace("0.1.0", __version__))
    db.close()


def _asked(file: Path, query: str) -> list[Any]:
    db = sqlite3.connect(file)
    try:
        return db.execute(query).fetchall()
    finally:
        db.close()


def _schema(file: Path) -> Any:
    return _asked(file, "pragma user_version"), _asked(file, "select type, name, sql from sqlite_master order by name")


def test_a_match_of_the_first_version_is_shown_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "old.db"
    _written(file, _MATCH)
    before = _asked(file, "select * from blocks")
    with Store(tmp_path / "new.db"):
        pass
    assert _schema(file) != _schema(tmp_path / "new.db")
    assert main(["results", "show", str(file)]) == 0
    assert "partial: " in capsys.readouterr().out
    assert [(kind, name) for kind, name, _ in _schema(file)[1]] == [
        (kind, name) for kind, name, _ in _schema(tmp_path / "new.db")[1]
    ]
    assert _schema(file)[0] == _schema(tmp_path / "new.db")[0]
    with Store(file, resume=True) as store:
        shown = unfinished(store, store.run(1))
        assert isinstance(shown, MatchResult)
        assert (shown.partial, shown.hands) == (True, 3)
        result = play_match(["caller", "raiser"], hands=3, duplicate=True, seed=2, store=store)
        assert [(run.id, run.done, run.finished is not None) for run in store.runs()] == [(1, 2, True)]
    assert result == play_match(["caller", "raiser"], hands=3, duplicate=True, seed=2)
    assert _asked(file, "select * from blocks")[:1] == before


def test_a_tournament_of_the_first_version_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "old.db"
    _written(file, _TOURNAMENT)
    settings: dict[str, Any] = {"matches": 4, "hands": 5, "seed": 2}
    with Store(file, resume=True) as store:
        assert run_tournament(["caller", "raiser"], store=store, **settings) == run_tournament(
            ["caller", "raiser"], **settings
        )
        assert len(store.runs()) == 1


def test_an_upgrade_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "old.db"
    _written(file, _MATCH)
    before = _schema(file)
    monkeypatch.setattr("dupai.arena._store.SCHEMA", "no number")
    with pytest.raises(FileError, match="cannot be used"):
        Store(file)
    monkeypatch.undo()
    assert _schema(file) == before
    with Store(file, create=False) as store:
        assert store.checkpoints(1) == {}
