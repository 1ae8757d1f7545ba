"""The hand store: rows against a naive twin, records out of it, queries, imports twice, rejects, mistakes."""

from __future__ import annotations

import gzip
import json
import lzma
import shutil
import sys
from itertools import islice
from pathlib import Path

import duckdb
import msgspec
import pytest

from dupai.base import ConfigError, FileError, HistoryError, Rng
from dupai.cli import main
from dupai.history import (
    HANDS_PER_SOURCE,
    TABLES,
    Store,
    check_record,
    find_hands,
    import_file,
    import_files,
    list_hands,
)
from dupai.history.stats import store_batches
from dupai.notation import read_acpc, read_phh, write_phhs
from dupai.notation.acpc import format_acpc, parse_acpc_line
from dupai.rules import Action, GameSpec, HandRecord, HandState, load_game
from naive.history_hands import casino_records, random_log, random_record
from naive.history_rows import action_rows, hand_row, player_rows
from support.shared_data import shared_data
from tools.doc_tables import PAGES, page_with

TWO = load_game("holdem.nolimit.2p")
SIX = GameSpec.no_limit(6, (50, 100), 10_000, odd_chips="acpc", min_raise="acpc")
LIMIT = GameSpec.limit(3, (5, 10), (10, 10, 20, 20), 10_000, odd_chips="acpc", min_raise="acpc")
SHORT = GameSpec.no_limit(4, (1, 2), (31, 7, 90, 3), odd_chips="acpc", min_raise="acpc")


def save(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def phh(path: Path, records: list[HandRecord]) -> Path:
    path.write_text("".join(write_phhs(records)), encoding="utf-8")
    return path


def table(store: Store, name: str, hand_id: int) -> list[dict[str, object]]:
    columns = [c.name for c in TABLES[name]]
    order = {"hands": "", "players": " order by position", "actions": " order by n"}[name]
    rows = store.rows(f"select {', '.join(columns)} from {name} where hand_id = {hand_id}{order}")
    return [dict(zip(columns, row, strict=True)) for row in rows]


def compare(store: Store, hand_id: int, record: HandRecord) -> None:
    """Every column that a record determines."""
    [hand] = table(store, "hands", hand_id)
    want = hand_row(record)
    assert {k: hand[k] for k in want} == want
    assert hand["proven"] == check_record(record)
    players = table(store, "players", hand_id)
    for row, naive in zip(players, player_rows(record), strict=True):
        assert row == {"hand_id": hand_id, **naive}
    actions = table(store, "actions", hand_id)
    for row, naive in zip(actions, action_rows(record), strict=True):
        assert row == {"hand_id": hand_id, "player": players[naive["position"]]["player"], **naive}


# rows and records ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", [TWO, SIX, LIMIT, SHORT], ids=["two", "six", "limit", "short"])
def test_rows_of_a_log_are_those_of_the_naive_twin(tmp_path: Path, spec: GameSpec) -> None:
    lines = random_log(spec, Rng(5), 60, names=["Ann", "Bo", "Çid", "D d", "E:e", "Ann2"][: spec.players])
    report = import_file(save(tmp_path / "x.log", ["# match a v b", *lines]), tmp_path / "store", spec)
    assert (report.status, report.hands, report.rejected) == ("imported", 60, 0)
    store = Store(tmp_path / "store")
    for k, line in enumerate(lines):
        record = parse_acpc_line(line, spec, section="match a v b")
        compare(store, HANDS_PER_SOURCE + k, record)
    assert store.rows("select list(line order by hand_id) from hands") == [(list(range(2, 62)),)]
    assert list(store.records()) == [parse_acpc_line(line, spec, section="match a v b") for line in lines]


def test_rows_of_phh_hands_are_those_of_the_naive_twin(tmp_path: Path) -> None:
    records = casino_records(8, 150)
    report = import_file(phh(tmp_path / "x.phhs", records), tmp_path / "store", part_hands=40)
    assert (report.status, report.hands, report.rejected) == ("imported", 150, 0)
    assert report.unproven > 5
    store = Store(tmp_path / "store")
    assert len(store.sources()[0].parts) == 4
    for k, record in enumerate(records):
        compare(store, HANDS_PER_SOURCE + k, record)
    assert list(store.records()) == records
    picked = [HANDS_PER_SOURCE + k for k in (149, 3, 77)]
    assert list(store.records(picked)) == [records[149], records[3], records[77]]
    with pytest.raises(HistoryError, match="there is no hand 5 in"):
        list(store.records([5]))
    [row] = store.rows("select distinct played, venue, room, unit from hands")
    assert row == ("2021-07-30T09:15:40", 'Café "7"', "T 1", "cent")
    [(extra,)] = store.rows(f"select extra from hands where hand_id = {HANDS_PER_SOURCE}")
    assert json.loads(extra)["day"] == 30


def test_hands_unknown_to_the_log_are_unproven_and_stay_unknown(tmp_path: Path) -> None:
    lines = [
        "STATE:0:cc/cc/cc/cc:AhKd|/7s7c2d/3h/4h:-100|100:A|B",
        "STATE:1:cc/cc/cc/cc:|7d6d/7s7c2d/3h/4h:50|50:A|B",
        "STATE:2:cr300f:|:100|-100:A|B",
    ]
    report = import_file(save(tmp_path / "x.log", lines), tmp_path / "s", TWO)
    assert (report.hands, report.unproven, report.rejected, report.mismatches) == (2, 1, 1, 1)
    store = Store(tmp_path / "s")
    assert store.rows("select hole, shown from players order by hand_id, position") == [
        ("AhKd", True),
        (None, True),
        (None, False),
        (None, False),
    ]
    assert store.rows("select hand, proven from hands order by hand_id") == [(0, False), (2, True)]
    assert "add up to 100" in Path(report.rejects).read_text()


@pytest.mark.parametrize(
    "name",
    [
        "acpc2014-3p-limit/acpc2014-3p-limit.log.xz",
        "pluribus-6max-2019/pluribus-6max-2019.log.xz",
        "bovada-6max-2019/bovada-6max-2019.phhs.xz",
        "live-holdem-phh/live-holdem-phh.phhs.xz",
        "pokerstars-zoom-6max-2018/pokerstars-zoom-6max-2018.phhs.xz",
    ],
)
def test_real_hands_come_back_as_the_readers_give_them(tmp_path: Path, name: str) -> None:
    path = shared_data(name)
    with lzma.open(path, "rt", encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in islice(file, 12_000)]
    if "phhs" in name:
        del lines[max(k for k, line in enumerate(lines) if line.startswith("[")) :]
        records = list(read_phh(lines))
    else:
        lines = lines[:1500]
        records = list(read_acpc(lines))
    sample = save(tmp_path / Path(name).stem, lines)
    report = import_file(sample, tmp_path / "store")
    assert report.rejected == 0
    assert list(Store(tmp_path / "store").records()) == records


@pytest.mark.parametrize("name", PAGES)
def test_the_tables_of_the_reference_pages_are_written_from_the_code(name: str) -> None:
    page = (Path(__file__).parents[3] / "docs" / "reference" / name).read_text(encoding="utf-8")
    tables = PAGES[name]()
    assert tables in page, "run: python tools/doc_tables.py"
    assert page_with(page, tables) == page


def test_sql_over_the_store(tmp_path: Path) -> None:
    lines = random_log(SIX, Rng(3), 80)
    import_file(save(tmp_path / "x.log", lines), tmp_path / "s", SIX)
    store = Store(tmp_path / "s")
    records = [parse_acpc_line(line, SIX) for line in lines]
    wins = sum(p for r in records for name, p in zip(r.names, r.payoffs, strict=True) if name == "Player3")
    [(total,)] = store.rows("select sum(payoff) from players where player = ?", ["Player3"])
    assert total == wins
    assert store.sql("select sum(payoff) s from players").fetchall() == [(0,)]
    folds = sum(a == Action.fold() for r in records for a in r.actions)
    assert store.rows("select count(*) from actions where kind = 'fold'") == [(folds,)]
    [(paid,)] = store.rows("select sum(p.ante + p.blind) + (select sum(paid) from actions) from players p")
    assert store.rows("select sum(put + ante) from players") == [(paid,)]
    for query, reason in [("select foo from hands", "foo"), ("selct 1", "selct"), ("select 1/0 + 'x'", "")]:
        with pytest.raises(ConfigError, match="the query") as caught:
            store.rows(query)
        assert reason in str(caught.value)
        assert "\n" not in str(caught.value)
    # Every connection is its own, and nobody locks the files.
    other = duckdb.connect()
    glob = str(tmp_path / "s" / "sources" / "*" / "hands-*.parquet")
    assert other.execute(f"select count(*) from read_parquet('{glob}')").fetchall() == [(80,)]


# importing -----------------------------------------------------------------------------------------------------------


def contents(store: Path) -> dict[str, bytes]:
    """All files of a store, but for its locks."""
    return {
        str(p.relative_to(store)): p.read_bytes()
        for p in sorted(store.rglob("*"))
        if p.is_file() and not p.name.startswith(".")
    }


def test_importing_twice_changes_nothing(tmp_path: Path) -> None:
    store = tmp_path / "s"
    lines = random_log(TWO, Rng(9), 50)
    log = save(tmp_path / "a.log", lines)
    hands = phh(tmp_path / "b.phhs", casino_records(1, 30))
    reports = import_files([log, hands], store)
    assert [(r.status, r.source, r.hands) for r in reports] == [("imported", 1, 50), ("imported", 2, 30)]
    before = contents(store)
    again = import_files([hands, log], store)
    assert [(r.status, r.source, r.hands) for r in again] == [("unchanged", 2, 30), ("unchanged", 1, 50)]
    # The same text under another name, compressed, is the same hands.
    copies = [tmp_path / "c.log.xz", tmp_path / "d.log.gz", tmp_path / "e.phhs.gz"]
    copies[0].write_bytes(lzma.compress(log.read_bytes()))
    copies[1].write_bytes(gzip.compress(log.read_bytes()))
    copies[2].write_bytes(gzip.compress(hands.read_bytes()))
    assert [(r.status, r.source) for r in import_files(copies, store)] == [("unchanged", s) for s in (1, 1, 2)]
    assert contents(store) == before
    assert Store(store).rows("select count(*) from hands") == [(80,)]
    # One hand more is another source.
    save(log, [*lines, format_acpc(random_record(TWO, Rng(4), hand=50, seats=(0, 1)))])
    assert import_file(log, store).source == 3


def test_two_stores_of_the_same_files_are_the_same(tmp_path: Path) -> None:
    files = [save(tmp_path / "a.log", random_log(SIX, Rng(2), 30)), phh(tmp_path / "b.phhs", casino_records(3, 20))]
    for name in ("one", "two"):
        import_files(files, tmp_path / name)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_a_source_taken_away_takes_its_hands_along(tmp_path: Path) -> None:
    files = [save(tmp_path / f"{k}.log", random_log(TWO, Rng(k), 10 + k)) for k in range(3)]
    import_files(files, tmp_path / "s")
    store = Store(tmp_path / "s")
    assert store.rows("select source, count(*) from hands group by source order by source") == [
        (1, 10),
        (2, 11),
        (3, 12),
    ]
    shutil.rmtree(next((tmp_path / "s" / "sources").glob("000002-*")))
    assert store.rows("select source, count(*) from hands group by source order by source") == [(1, 10), (3, 12)]
    assert import_file(files[1], store).source == 4


def test_rejects_name_line_kind_and_reason(tmp_path: Path) -> None:
    good = random_log(TWO, Rng(7), 6)
    bad = {
        3: "STATE:x:cc/cc/cc/cc:AhKd|7d6d/7s7c2d/3h/4h:0|0:A|B",
        4: "STATE:1:cr100000f:AhKd|7d6d:-100|100:A|B",
        6: "hello\tworld",
        7: "STATE:1:cc/cc/cc/cc:AhKd|7d6d/7s7c2d/3h/4h:100|-100:A|B",
        9: "STATE:1:cc/cc/cc/c:AhKd|7d6d/7s7c2d/3h/4h:100|-100:A|B",
        12: "SCORE:1|-1:A|B",
        13: "STATE:6:f:AhKd|7d6d:50|-50:Player0|Player1",
        14: "STATE:7:f:AhKd|7d6d:50|-50:Player1|Play",
    }
    lines = [bad.get(k, good[min(k // 3 + k % 2, 5)]) for k in range(1, 15)]
    path = tmp_path / "x.log"
    path.write_text("\n".join(lines))  # cut off in its last name
    report = import_file(path, tmp_path / "s", TWO)
    assert (report.hands, report.rejected, report.mismatches) == (7, 6, 1)
    head, *rows = Path(report.rejects).read_text().splitlines()
    assert head == "line\tkind\treason"
    found = {int(row.split("\t")[0]): row.split("\t")[1:] for row in rows}
    assert sorted(found) == [3, 4, 6, 7, 9, 14], "a score is compared only where every hand was read"
    assert found[7][0] == "mismatch"
    assert "expected 0|0" not in found[7][1]
    assert "100|-100" in found[7][1]
    for line, word in [(3, "'x'"), (4, "100000"), (6, "hello"), (9, "stops before"), (14, "cut off")]:
        assert found[line][0] == "rejected"
        assert word in found[line][1], found[line]
        assert len(found[line]) == 2, "tabs in a reason are escaped"
    lines_in = [row[0] for row in Store(tmp_path / "s").rows("select line from hands order by line")]
    assert lines_in == [1, 2, 5, 8, 10, 11, 13]


def test_a_negative_hand_number_is_refused_for_what_it_is(tmp_path: Path) -> None:
    [record] = casino_records(6, 1)
    path = phh(tmp_path / "x.phhs", [msgspec.structs.replace(record, hand=-3)])
    report = import_file(path, tmp_path / "s")
    assert "hand = -3: expected a number from 0" in Path(report.rejects).read_text()


def test_rejects_of_phh_files(tmp_path: Path) -> None:
    records = casino_records(6, 6)
    pieces = list(write_phhs(records))
    pieces[1] = pieces[1].replace("starting_stacks", "starting_stax")
    pieces[3] = "[4]\nvariant = [[[\n\n"
    index = next(k for k, line in enumerate(pieces[4].split("\n")) if line.startswith("finishing_stacks"))
    rows = pieces[4].split("\n")
    rows[index] = "finishing_stacks = [" + ", ".join("7" for _ in records[4].stacks) + "]"
    pieces[4] = "\n".join(rows)
    path = tmp_path / "x.phhs"
    path.write_text("".join(pieces), encoding="utf-8")
    report = import_file(path, tmp_path / "s")
    assert (report.hands, report.rejected, report.mismatches) == (3, 3, 1)
    found = [row.split("\t") for row in Path(report.rejects).read_text().splitlines()[1:]]
    starts = [k for k, line in enumerate("".join(pieces).split("\n"), 1) if line.startswith("[")]
    assert [int(f[0]) for f in found] == [starts[1], starts[3], starts[4]]
    assert "starting_stacks is missing" in found[0][2]
    assert "not TOML" in found[1][2]
    assert list(Store(tmp_path / "s").records()) == [records[0], records[2], records[5]]


def test_sections_are_carried_from_block_to_block(tmp_path: Path) -> None:
    lines = []
    for k, hand in enumerate(random_log(TWO, Rng(7), 200)):
        if k % 37 == 5:
            lines.append(f"# match m{k}")
        lines.append(hand)
    path = save(tmp_path / "x.log", lines)
    import_file(path, tmp_path / "s", TWO, block=2_000)
    store = Store(tmp_path / "s")
    assert len(store.sources()[0].parts) > 4
    assert list(store.records()) == list(read_acpc(lines, TWO))


def test_folds_for_free_and_shows_without_showdown_are_kept(tmp_path: Path) -> None:
    spec = GameSpec.no_limit(3, (1, 2), 100)
    state = HandState(spec, ["AsKd", "7c7d", "Qh2c"], "7hAdTd")
    for action in (Action.call(), Action.call(), Action.call()):
        state.apply(action)
    state.follow(Action.fold())
    state.follow(Action.fold())
    record = msgspec.structs.replace(
        state.record(["a", "b", "c"]), shown=(False, True, True), hole=((255, 255), (5, 18), (49, 0))
    )
    import_file(phh(tmp_path / "x.phhs", [record]), tmp_path / "s")
    store = Store(tmp_path / "s")
    assert list(store.records()) == [record]
    compare(store, HANDS_PER_SOURCE, record)


# mistakes ------------------------------------------------------------------------------------------------------------


def test_files_that_cannot_be_imported_leave_nothing(tmp_path: Path) -> None:
    good = save(tmp_path / "good.log", random_log(TWO, Rng(1), 5))
    leduc = save(tmp_path / "leduc.log", ["STATE:0:rf:Kh|As:1|-1:A|B"] * 3)
    empty = tmp_path / "empty.log"
    empty.write_text("")
    bare = tmp_path / "bare.phhs"
    bare.write_text("# nothing\n")
    reports = import_files([leduc, empty, bare, tmp_path / "missing.log", good], tmp_path / "s")
    assert [r.status for r in reports] == ["failed"] * 4 + ["imported"]
    for report, word in zip(reports, ["no usual hold'em game", "empty", "no hand", "cannot be read"], strict=False):
        assert word in report.error
        assert "\n" not in report.error
    assert reports[4].source == 1
    assert not [p for p in (tmp_path / "s" / "importing").iterdir() if p.is_dir()]
    assert Store(tmp_path / "s").unfinished() == []


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    log = save(tmp_path / "a.log", random_log(TWO, Rng(1), 5))
    with pytest.raises(FileError, match="neither a hand store nor empty"):
        import_file(log, tmp_path)
    with pytest.raises(FileError, match="is no hand store"):
        Store(tmp_path / "nothing")
    import_file(log, tmp_path / "s")
    mark = tmp_path / "s" / "store.json"
    mark.write_text('{"format": "dupai hand store", "version": 99}')
    with pytest.raises(FileError, match="version 99: expected 1"):
        import_file(log, tmp_path / "s")
    mark.write_text("[]")
    with pytest.raises(FileError, match="not that of a hand store"):
        Store(tmp_path / "s")
    mark.write_text("{")
    with pytest.raises(FileError, match=r"store\.json"):
        Store(tmp_path / "s")


def test_a_damaged_manifest_is_named(tmp_path: Path) -> None:
    import_file(save(tmp_path / "a.log", random_log(TWO, Rng(1), 5)), tmp_path / "s")
    manifest = next((tmp_path / "s").glob("sources/*/manifest.json"))
    manifest.write_text("{}")
    with pytest.raises(FileError, match=r"manifest\.json"):
        Store(tmp_path / "s").sources()


def test_a_lost_file_of_a_part_is_named(tmp_path: Path) -> None:
    reads = (lambda s: s.rows("select 1 from hands"), lambda s: list(s.records()), lambda s: list(store_batches(s)))
    for table in TABLES:
        import_file(save(tmp_path / f"{table}.log", random_log(TWO, Rng(1), 5)), tmp_path / table)
        next((tmp_path / table).glob(f"sources/*/{table}-00000.parquet")).unlink()
        store = Store(tmp_path / table)
        for read in reads:
            with pytest.raises(FileError, match=rf"{table}-00000\.parquet is missing"):
                read(store)


def test_another_game_for_the_same_hands_is_refused(tmp_path: Path) -> None:
    log = save(tmp_path / "a.log", random_log(TWO, Rng(1), 5))
    import_file(log, tmp_path / "s", TWO)
    assert import_file(log, tmp_path / "s", TWO).status == "unchanged"
    with pytest.raises(ConfigError, match="in the store already, as source 1"):
        import_file(log, tmp_path / "s", GameSpec.no_limit(2, (1, 2), 200))
    import_file(log, tmp_path / "t")
    assert import_file(log, tmp_path / "t", TWO).status == "unchanged", "the game that was found is named"
    with pytest.raises(ConfigError, match="in the store already, as source 1"):
        import_file(log, tmp_path / "t", GameSpec.no_limit(2, (1, 2), 200))


@pytest.mark.parametrize("module", ["pyarrow", "duckdb"])
def test_missing_packages_are_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, capsys: pytest.CaptureFixture[str]
) -> None:
    log = save(tmp_path / "a.log", random_log(TWO, Rng(1), 5))
    if module == "duckdb":
        import_file(log, tmp_path / "s")
    monkeypatch.setitem(sys.modules, module, None)
    command = ["import", str(log), "--store"] if module == "pyarrow" else ["show"]
    assert main(["history", *command, str(tmp_path / "s")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"needs {module}" in said
    assert "pip install 'dupai[history]'" in said


# finding and listing -------------------------------------------------------------------------------------------------


def test_hands_are_found_by_player_and_condition(tmp_path: Path) -> None:
    lines = random_log(SIX, Rng(3), 80)
    import_file(save(tmp_path / "x.log", lines), tmp_path / "s", SIX)
    store = Store(tmp_path / "s")
    records = [parse_acpc_line(line, SIX) for line in lines]
    ids, total = find_hands(store, where="pot > 2000 and showdown", limit=4)
    rows = [hand_row(r) for r in records]
    want = [HANDS_PER_SOURCE + k for k, row in enumerate(rows) if row["pot"] > 2000 and row["showdown"]]
    assert (ids, total) == (want[:4], len(want))
    ids, total = find_hands(store, player="Player2", where="payoff_bb < -5 -- lost")
    want = [
        HANDS_PER_SOURCE + k for k, r in enumerate(records) if r.payoffs[r.names.index("Player2")] < -5 * 100 * 2520
    ]
    assert ids == want
    assert total == len(want) > 3
    for line, hand_id in zip(list_hands(store, ids, "Player2"), ids, strict=True):
        record = records[hand_id - HANDS_PER_SOURCE]
        place = record.names.index("Player2")
        assert (line.hand_id, line.position, line.hole) == (hand_id, place, player_rows(record)[place]["hole"])
        assert line.result_bb == record.payoffs[place] / 2520 / 100
        won = sorted(
            ((p / 2520, name) for name, p in zip(record.names, record.payoffs, strict=True) if p > 0), reverse=True
        )
        assert sorted((w, name) for name, w in line.winners) == sorted(won)
    with pytest.raises(ConfigError, match="did you mean 'Player2'"):
        find_hands(store, player="player2")
    for where, word in [("pott > 3", "pott"), ("true); select (1", "several statements"), ("(", "condition")]:
        with pytest.raises(ConfigError, match="the condition") as caught:
            find_hands(store, where=where)
        assert word in str(caught.value)
        assert "\n" not in str(caught.value)


def test_import_and_show_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = random_log(SIX, Rng(3), 40, names=["Ann", "Bo", "Cy", "[red]", "Ed", "Flo"])
    log = save(tmp_path / "x.log", [*lines, "nonsense"])
    store = str(tmp_path / "s")

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["history", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    code, out, _ = run("import", str(log), "--store", store)
    assert code == 0
    assert "imported: source 1, 40 hands" in out
    assert "1 rejected" in out
    assert "rejects.tsv" in out
    code, out, _ = run("import", str(log), str(tmp_path / "no.log"), "--store", store, "--json")
    document = json.loads(out)
    assert code == 2
    assert [f["status"] for f in document["files"]] == ["unchanged", "failed"]
    assert document["hands"] == 0
    code, out, _ = run("show", store, "--limit", "3")
    assert code == 0
    assert "x.log: 40 hands, 1 rejected" in out
    assert "3 of 40 hands" in out
    code, out, _ = run("show", store, "--player", "Ann", "--limit", "3")
    ids = [
        h["hand_id"] for h in json.loads(run("show", store, "--player", "Ann", "--limit", "3", "--json")[1])["hands"]
    ]
    assert len(ids) == 3 and all(str(i) in out.split() for i in ids)  # whole, to be copied
    assert "section" not in out
    code, out, _ = run("show", store, "--player", "[red]", "--where", "payoff > 0", "--json")
    document = json.loads(out)
    assert document["matching"] == len(document["hands"]) > 0
    assert all(h["result_bb"] > 0 for h in document["hands"])
    code, out, _ = run("show", store, "--hand", str(HANDS_PER_SOURCE + 4))
    record = parse_acpc_line(lines[4], SIX)
    assert code == 0
    assert out.startswith("hand 4   blinds 50/100   6 players")
    assert all(name in out for name in record.names)
    code, out, _ = run("show", store, "--hand", str(HANDS_PER_SOURCE + 4), "--json")
    assert msgspec.convert(json.loads(out), HandRecord) == record
    for arguments in (["show", store, "--hand", "3"], ["show", store, "--player", "Anne"], ["show", str(tmp_path)]):
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert err.startswith("dupai: ")
        assert err.count("\n") == 1


def test_hands_with_unknown_cards_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = casino_records(8, 60)
    import_file(phh(tmp_path / "x.phhs", records), tmp_path / "s")
    told = []
    for k in range(60):
        assert main(["history", "show", str(tmp_path / "s"), "--hand", str(HANDS_PER_SOURCE + k)]) == 0
        told.append(capsys.readouterr().out)
    for record, text in zip(records, told, strict=True):
        assert ("rake" in text) == bool(record.rake)
        assert ("recorded this hand" in text) == (record.hero is not None)
        assert text.count("published after the hand") == sum(two != (255, 255) for two in record.mucked)
        live = [p for p, f in enumerate(record.at().folded) if not f]
        assert text.count("mucked, not shown") == (sum(not record.shown[p] for p in live) if len(live) > 1 else 0)
