"""Imports that are stopped, killed or starved: the store is always whole, and going on ends with the same files."""

from __future__ import annotations

import lzma
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.dataset
import pyarrow.parquet as pq
import pytest

from dupai.base import FileError, NoProgress, Rng, _files as files
from dupai.history import SCHEMA_VERSION, TABLES, Store, _import as module, import_file, import_files
from dupai.history._once import stored_hands
from dupai.history._schema import about_of, arrow_schema
from dupai.history.stats import Seen
from dupai.notation import read_acpc, read_phh, write_phhs
from dupai.rules import load_game
from naive.history_hands import casino_records, random_log, random_record
from support.site_sample import SHOWDOWN

TWO = load_game("holdem.nolimit.2p")


def save(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def contents(store: Path) -> dict[str, bytes]:
    """All files of a store, but for its locks."""
    return {
        str(p.relative_to(store)): p.read_bytes()
        for p in sorted(store.rglob("*"))
        if p.is_file() and not p.name.startswith(".")
    }


def log_of(folder: Path) -> Path:
    """A log of several blocks with sections, scores and bad lines in it."""
    lines = random_log(TWO, Rng(11), 120)
    for k in (100, 71, 55, 54, 30, 8):
        lines.insert(k, ("# match m", "nonsense ", "SCORE:1|-1:A|B", "STATE:1:", "# a comment")[k % 5] + str(k))
    return save(folder / "x.log", lines)


def phh_of(folder: Path) -> Path:
    rng = Rng(12)
    pieces = list(write_phhs([random_record(TWO, rng, hand=k) for k in range(60)]))
    pieces[17] = pieces[17].replace("variant", "varying")
    path = folder / "x.phhs"
    path.write_text("".join(pieces), encoding="utf-8")
    return path


class Killed(BaseException):
    """As good as kill -9: nothing in the import catches it."""


def sizes(path: Path) -> dict[str, int]:
    return {"part_hands": 16} if path.suffix == ".phhs" else {"block": 2000}


@pytest.mark.parametrize("make", [log_of, phh_of])
def test_killed_at_any_write_and_taken_up_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: type[Path]
) -> None:
    path = make(tmp_path)
    want_report = import_file(path, tmp_path / "whole", **sizes(path))
    want = contents(tmp_path / "whole")
    assert len(Store(tmp_path / "whole").sources()[0].parts) > 3
    replace, renames = Path.replace, 0

    def counted(self: Path, target: Path) -> Path:
        nonlocal renames
        renames += 1
        if renames == limit:
            raise Killed
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", counted)
    limit = 10**9
    import_file(path, tmp_path / "count", **sizes(path))
    writes = renames
    assert writes > 15
    for k in range(2, writes + 1):  # the first one makes the store itself
        store = tmp_path / f"killed{k}"
        renames, limit = 0, k
        with pytest.raises(Killed):
            import_file(path, store, **sizes(path))
        assert Store(store).sources() == []
        assert Store(store).rows("select count(*) from hands") == [(0,)]
        assert len(Store(store).unfinished()) == 1
        limit = 10**9
        report = import_file(path, store, **sizes(path))
        assert report.status == "imported"
        assert (report.hands, report.rejected) == (want_report.hands, want_report.rejected)
        assert contents(store) == want, k
        assert Store(store).unfinished() == []


def test_killed_while_the_store_was_created(tmp_path: Path) -> None:
    log = log_of(tmp_path)
    for name in ("sources", "importing"):
        (tmp_path / "s" / name).mkdir(parents=True)
    (tmp_path / "s" / ".store-abc.json").touch()
    assert import_file(log, tmp_path / "s").status == "imported"
    (tmp_path / "t" / "sources" / "mine").mkdir(parents=True)
    with pytest.raises(FileError, match="neither a hand store nor empty"):
        import_file(log, tmp_path / "t")


def test_killed_before_the_last_rename(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = log_of(tmp_path)
    import_file(path, tmp_path / "whole", block=1200)

    def never(self: Path, target: Path) -> Path:
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(Path, "rename", never)
        import_file(path, tmp_path / "s", block=1200)
    assert Store(tmp_path / "s").sources() == []
    assert import_file(path, tmp_path / "s", block=1200).status == "imported"
    assert contents(tmp_path / "s") == contents(tmp_path / "whole")


def test_killed_while_it_cleans_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = log_of(tmp_path)
    import_file(path, tmp_path / "whole", block=1200)
    unlink = Path.unlink

    def once(self: Path, missing_ok: bool = False) -> None:
        unlink(self, missing_ok)
        if self.name.startswith("rejects-"):
            raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(Path, "unlink", once)
        import_file(path, tmp_path / "s", block=1200)
    assert import_file(path, tmp_path / "s", block=1200).status == "imported"
    assert contents(tmp_path / "s") == contents(tmp_path / "whole")


_KILLED = """
import os, signal, sys
from dupai.base import NoProgress
from dupai.history import import_file

class Die(NoProgress):
    calls = 0
    def report(self, done, total, note=""):
        Die.calls += 1
        if Die.calls == 4:
            os.kill(os.getpid(), signal.SIGKILL)

import_file(sys.argv[1], sys.argv[2], progress=Die(), block=1200)
"""


def test_a_real_kill(tmp_path: Path) -> None:
    path = log_of(tmp_path)
    import_file(path, tmp_path / "whole", block=1200)
    done = subprocess.run([sys.executable, "-c", _KILLED, str(path), str(tmp_path / "s")], check=False)
    assert done.returncode == -signal.SIGKILL
    assert len(Store(tmp_path / "s").unfinished()) == 1
    assert Store(tmp_path / "s").sources() == []
    report = import_file(path, tmp_path / "s", block=1200)
    assert report.status == "imported"
    assert report.resumed == 3
    assert contents(tmp_path / "s") == contents(tmp_path / "whole")


class StopAfter(NoProgress):
    """Stops at the n-th report."""

    def __init__(self, reports: int) -> None:
        self.left = reports

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self.left -= 1

    @property
    def cancelled(self) -> bool:
        return self.left <= 0


@pytest.mark.parametrize("make", [log_of, phh_of])
def test_stopped_and_taken_up_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: type[Path]) -> None:
    path = make(tmp_path)
    monkeypatch.setattr("dupai.history._readers._SLICE", 7)
    monkeypatch.setattr("dupai.history._phh_blocks._BLOCK", 4000)
    import_file(path, tmp_path / "whole", **sizes(path))
    stops = 0
    report = None
    while report is None or report.status == "stopped":
        report = import_file(path, tmp_path / "s", progress=StopAfter(3 + stops), **sizes(path))
        stops += report.status == "stopped"
    assert stops > 1
    assert contents(tmp_path / "s") == contents(tmp_path / "whole")
    assert import_files([path], tmp_path / "s", progress=StopAfter(0)) == []


def test_what_an_earlier_import_left_is_used_only_where_it_fits(tmp_path: Path) -> None:
    path = log_of(tmp_path)
    import_file(path, tmp_path / "whole", block=1200)
    for spoil in ("block", "journal", "text"):
        store = tmp_path / spoil
        report = import_file(path, store, progress=StopAfter(5), block=900 if spoil == "block" else 1200)
        assert report.status == "stopped"
        [folder] = [p for p in (store / "importing").iterdir() if p.is_dir()]
        journal = folder / "journal.json"
        if spoil == "journal":
            journal.write_bytes(journal.read_bytes()[:-5])
        elif spoil == "text":
            said = journal.read_text()
            journal.write_text(said.replace('"text":', '"text":1'))
            assert journal.read_text() != said
        report = import_file(path, store, block=1200)
        assert (report.status, report.resumed) == ("imported", 0)
        assert contents(store) == contents(tmp_path / "whole")


def test_a_file_cut_off_gives_its_hands_and_a_reject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = random_log(TWO, Rng(1), 3000)
    packed = lzma.compress(("\n".join(lines) + "\n").encode())
    path = tmp_path / "cut.log.xz"
    path.write_bytes(packed[: len(packed) // 2])
    want = import_file(path, tmp_path / "whole", block=5000)
    assert 0 < want.hands < 3000
    assert want.rejected >= 1
    assert "cut off or broken" in Path(want.rejects).read_text()
    # Killed after the reject was written: it is not written twice.
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(module.Job, "finish", lambda *_: (_ for _ in ()).throw(Killed))
        import_file(path, tmp_path / "s", block=5000)
    assert import_file(path, tmp_path / "s", block=5000).rejected == want.rejected
    assert contents(tmp_path / "s") == contents(tmp_path / "whole")


def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = log_of(tmp_path)
    calls = 0

    def full(*_: object) -> None:
        nonlocal calls
        calls += 1
        if calls == 9:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    [report] = import_files([path], tmp_path / "s")
    if report.status == "imported":  # fewer writes than that in one part
        monkeypatch.setattr(files.os, "fsync", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        [report] = import_files([phh_of(tmp_path)], tmp_path / "s")
    assert report.status == "failed"
    assert report.error.endswith("cannot be written: No space left on device")
    assert Store(tmp_path / "s").unfinished() == []


def test_two_processes_do_not_import_one_file_together(tmp_path: Path) -> None:
    path = log_of(tmp_path)

    class Nested(NoProgress):
        said = ""

        def report(self, done: float, total: float | None, note: str = "") -> None:
            if not self.said:
                with pytest.raises(FileError) as caught:
                    import_file(path, tmp_path / "s")
                Nested.said = str(caught.value)
                # Another file goes in meanwhile.
                assert import_file(phh_of(tmp_path), tmp_path / "s").source == 2

    report = import_file(path, tmp_path / "s", progress=Nested())
    assert "another process is importing this file just now" in Nested.said
    assert (report.status, report.source) == ("imported", 1)
    assert [s.number for s in Store(tmp_path / "s").sources()] == [1, 2]


@pytest.mark.parametrize("backend", ["serial", "processes"])
def test_several_files_at_a_time_give_the_same_store(tmp_path: Path, backend: str) -> None:
    paths = [save(tmp_path / f"{k}.log", random_log(TWO, Rng(k), 30)) for k in range(4)]
    paths += [phh_of(tmp_path), save(tmp_path / "bad.log", ["nothing"]), paths[1]]
    copy = tmp_path / "copy.log.xz"
    copy.write_bytes(lzma.compress(paths[0].read_bytes()))
    want = import_files([*paths, copy], tmp_path / "whole")
    reports = import_files([*paths, copy], tmp_path / "s", backend=backend, jobs=2)
    for r, w in zip(reports, want, strict=True):
        # Of two files with the same text either may come first.
        same = {paths[0].name, copy.name}
        assert r.file == w.file
        assert Path(r.file).name in same or (r.status, r.hands, r.error) == (w.status, w.hands, w.error)
    assert sorted(r.status for r in reports) == sorted(w.status for w in want)
    assert sum(s.hands for s in Store(tmp_path / "s").sources()) == sum(
        s.hands for s in Store(tmp_path / "whole").sources()
    )
    assert Store(tmp_path / "s").unfinished() == []
    # Numbers are those of one after another, up to the file that fails.
    numbers = {s.file: s.number for s in Store(tmp_path / "s").sources()}
    assert [numbers[p.name] for p in paths[1:5]] == [2, 3, 4, 5]


def test_an_import_in_processes_that_was_killed_is_taken_up_again(tmp_path: Path) -> None:
    paths = [save(tmp_path / f"{k}.log", random_log(TWO, Rng(k), 3000)) for k in range(3)]
    program = (
        "import sys; from dupai.history import import_files; "
        "import_files(sys.argv[2:], sys.argv[1], backend='processes', jobs=2)"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "s"), *map(str, paths)]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not list((tmp_path / "s").glob("importing/*/*.parquet")) and running.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    running.kill()
    running.wait()
    time.sleep(1.5)  # its workers end with it
    reports = import_files(paths, tmp_path / "s", jobs=2)
    assert all(r.status in ("imported", "unchanged") for r in reports)
    import_files(paths, tmp_path / "whole")
    assert contents(tmp_path / "s") == contents(tmp_path / "whole")


_MEMORY = """
import sys
from dupai.base import announce_compilation
from dupai.history import import_file
announce_compilation()
report = import_file(sys.argv[1], sys.argv[2], block=1 << 20)
# Not getrusage: its maximum is handed on from the process that started this one.
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(report.hands, peak.split()[1])
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from /proc")
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """Five times as many hands: hardly more memory (in kB; a part of 1 MB of text needs some tens of MB)."""
    lines = random_log(TWO, Rng(1), 4_000)
    used = []
    for times in (4, 20):
        path = tmp_path / f"{times}.log"
        with path.open("w") as file:
            for _ in range(times):
                file.write("\n".join(lines) + "\n")
        for attempt in range(4):
            # Compiling takes more memory than importing: what counts is a run that found its kernels.
            command = [sys.executable, "-c", _MEMORY, str(path), str(tmp_path / f"s{times}-{attempt}")]
            done = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ)
            if not done.stderr:
                break
        hands, peak = map(int, done.stdout.split())
        assert hands == 4_000 * times
        used.append(peak)
    assert used[1] < 500_000
    assert used[1] < used[0] + 40_000, used


def test_interpreted_kernels_write_the_same_files(tmp_path: Path) -> None:
    log, phh = log_of(tmp_path), phh_of(tmp_path)
    import_file(log, tmp_path / "s", block=5000)
    import_file(phh, tmp_path / "s")
    program = (
        "import sys; from dupai.history import import_file; "
        "import_file(sys.argv[1], sys.argv[3], block=5000); import_file(sys.argv[2], sys.argv[3])"
    )
    command = [sys.executable, "-c", program, str(log), str(phh), str(tmp_path / "t")]
    subprocess.run(command, check=True, env={**os.environ, "NUMBA_DISABLE_JIT": "1"})
    assert contents(tmp_path / "t") == contents(tmp_path / "s")


def test_phh_and_log_give_the_same_hands(tmp_path: Path) -> None:
    """The two ways into the store agree on every column that does not name the source."""
    lines = random_log(TWO, Rng(21), 200)
    records = list(read_acpc(lines, TWO))
    log = save(tmp_path / "x.log", lines)
    phh = tmp_path / "x.phhs"
    phh.write_text("".join(write_phhs(records)), encoding="utf-8")
    assert list(read_phh(phh.read_text().splitlines())) == records
    import_files([log, phh], tmp_path / "s")
    store = Store(tmp_path / "s")
    for name in ("hands", "players", "actions"):
        own = "hand_id, source, line" if name == "hands" else "hand_id"
        columns = f"select hand_id % 1000000000 as id, * exclude ({own}) from {name} where hand_id // 1000000000 = "
        assert store.rows(f"({columns} 1) except ({columns} 2)") == []
        assert store.rows(f"({columns} 2) except ({columns} 1)") == []
        assert store.rows(f"select count(*) > 0 from {name}") == [(True,)]


def test_an_empty_table_of_an_older_store_is_read() -> None:
    assert about_of('{"notes":{}}') == (("notes", "{}"),)


def test_schema_is_what_the_files_hold(tmp_path: Path) -> None:
    import_file(save(tmp_path / "x.phhs", list(write_phhs(casino_records(2, 20)))), tmp_path / "s")
    import_file(save(tmp_path / "x.log", random_log(TWO, Rng(1), 20)), tmp_path / "s", TWO)
    for name, columns in TABLES.items():
        assert all(c.about for c in columns)
        files = sorted((tmp_path / "s" / "sources").glob(f"*/{name}-*.parquet"))
        assert len(files) == 2
        for path in files:
            found = pq.read_table(path)
            assert found.schema.equals(arrow_schema(name))
            assert found.schema.metadata[b"dupai"] == f"{name} {SCHEMA_VERSION}".encode()
            assert pq.ParquetFile(path).metadata.row_group(0).column(0).compression == "ZSTD"
            for column in columns:
                assert column.nullable or found[column.name].null_count == 0, column.name
        # Any Parquet tool reads them together.
        rows = pyarrow.dataset.dataset([str(f) for f in files]).count_rows()
        assert Store(tmp_path / "s").rows(f"select count(*) from {name}") == [(rows,)]
        empty = Store(tmp_path / f"empty-{name}", create=True)
        assert [d[0] for d in empty.sql(f"select * from {name}").description] == [c.name for c in columns]


def test_a_store_of_before_is_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hand that an older version counted twice is counted once after the next import."""
    other = SHOWDOWN.replace("228695023643", "228695023699")
    for name, hands in (("a", [SHOWDOWN]), ("b", [SHOWDOWN, other]), ("c", [SHOWDOWN, other.replace("699", "700")])):
        (tmp_path / f"{name}.txt").write_text("\n\n\n".join(hands))
    path = tmp_path / "store"
    with monkeypatch.context() as before:
        before.setattr(module, "stored_hands", lambda store: Seen())
        import_file(tmp_path / "a.txt", path)
        assert import_file(tmp_path / "b.txt", path).hands == 2
    for keys in path.rglob("keys-*.npy"):
        keys.unlink()
    report = import_file(tmp_path / "c.txt", path)
    assert (report.hands, report.again) == (1, 1)
    assert sorted(r.hand for r in Store(path).records()) == [228695023643, 228695023699, 228695023700]
    assert [m.hands for m in Store(path).sources()] == [1, 1, 1]


def test_hands_that_another_import_brought_meanwhile_go_by_their_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = SHOWDOWN.replace("228695023643", "228695023699")
    for name, hands in (("a", [SHOWDOWN]), ("b", [other, SHOWDOWN])):
        (tmp_path / f"{name}.txt").write_text("\n\n\n".join(hands))
    store = Store(tmp_path / "store", create=True)
    monkeypatch.setattr(module, "stored_hands", lambda store: Seen())
    for name in "ab":
        import_file(tmp_path / f"{name}.txt", store)
    assert [m.hands for m in store.sources()] == [1, 2]
    monkeypatch.setattr(Store, "records", lambda *_: pytest.fail("no hand need be read"))
    stored_hands(store, store.folders()[1])
    assert [m.hands for m in store.sources()] == [1, 1]
