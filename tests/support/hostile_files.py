"""Files from strangers: what they may hold, and the commands that take them."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import lzma
import shutil
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dupai
from dupai.cli import main
from support.command_line import SPOT, write_log, write_phh, write_text

DEEP = 100_000
#: What no file of text should hold; the last are no text at all.
TEXTS = [
    b"",
    b"\n\n\n",
    b"\x00" * 100,
    b"[" * DEEP,
    b"{" * DEEP,
    b"x = " + b"[" * DEEP + b"]" * DEEP,
    b"x = " + b"{a=" * DEEP,
    b"a" + b".a" * 4000 + b" = 1",
    b"x = " + b"9" * 5000,
    b"x = 0x" + b"f" * 5000,
    b"\xc2\xb2 = \xc2\xb2",
    b"name \x1b[2J\x1b]0;title\x07 = 1",
    b"a" * 100_000,
    b"\xff\xfe\x00\x01",
    b"\x1f\x8b\x08\x00\x00\x00",
    b"\xfd7zXZ\x00\x00",
    gzip.compress(b"x = 1\n")[:-4],
    lzma.compress(b"[" * DEEP),
]
#: Values where something else is expected.
VALUES = [None, True, -1, 10**30, 1.5, 1e308, "", "x", "\x1b[2J", [], [[]], {}, {"a": {}}, [1, "a"], "9" * 5000]


def nested(depth: int = DEEP) -> str:
    return "[" * depth + "]" * depth


def toml_value(value: Any) -> str:
    return json.dumps(value if value is not None else "null")


# npz ----------------------------------------------------------------------------------------------------------------


def npz(**arrays: Any) -> bytes:
    out = io.BytesIO()
    np.savez_compressed(out, allow_pickle=True, **arrays)
    return out.getvalue()


def zipped(
    member: bytes, *, name: str = "about.npy", kind: int = zipfile.ZIP_DEFLATED, size: int | None = None
) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", kind) as archive:
        archive.writestr(name, member)
        if size is not None:
            archive.infolist()[0].file_size = size
    return out.getvalue()


def npy(shape: str, data: bytes = b"") -> bytes:
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(118) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + data


def mangled(path: Path) -> Iterator[bytes]:
    """An archive of ours with one array at a time of another shape, with other content, or missing."""
    with np.load(path) as file:
        arrays = dict(file)
    for name in [*list(arrays)[:3], *list(arrays)[-2:]]:
        array = arrays[name]
        others = [np.zeros(0), np.zeros((2, 2, 2)), np.array("x"), np.frombuffer(b"[" * 5000, np.uint8)]
        if array.dtype.kind == "f":
            others.append(np.full(array.shape, np.nan, array.dtype))
        for other in others:
            yield npz(**(arrays | {name: other}))
        yield npz(**{k: v for k, v in arrays.items() if k != name})
    if "about" in arrays:
        about = json.loads(arrays["about"].tobytes())
        for key in about:
            for value in (None, [], {"a": "b"}, 10**30):
                text = json.dumps(about | {key: value}).encode()
                yield npz(**(arrays | {"about": np.frombuffer(text, np.uint8)}))


ARCHIVES = [
    *TEXTS[:3],
    zipped(b""),
    zipped(b"x", name="x.txt"),
    zipped(npy("(1000000000000,)")),
    zipped(npy("(-5,)")),
    zipped(npy("(" * 3000 + "1" + ")" * 3000)),
    zipped(b"x" * 99, size=6 << 30),
    zipped(b"x" * 99, kind=zipfile.ZIP_LZMA),
    zipped(b"x" * 99)[:-30],
    npz(about=np.array([{"a": 1}], dtype=object)),
    npz(about=np.frombuffer(b"[" * DEEP, np.uint8)),
    npz(about=np.frombuffer(b"{}", np.uint8), counts=np.zeros((2, 3)), keys=np.array(["a", "b"])),
    npz(**{"hu start": np.zeros(3), "hu step": np.zeros(3), "hu emit": np.zeros(3)}),
]


# results ------------------------------------------------------------------------------------------------------------


def cells(folder: Path) -> Iterator[tuple[str, Callable[[sqlite3.Connection], Any]]]:
    """Changes of a results file: one odd cell each."""
    texts = [
        "{}",
        "x",
        "[]",
        "null",
        "[" * DEEP,
        '{"a":' * DEEP,
        "9" * 5000,
        "NaN",
        '{"labels": []}',
        '{"labels": [1]}',
    ]
    texts += ['{"labels": ["\x1b[2J"]}', '{"labels": ["a", "b"]}']
    for column in ("config", "result", "kind", "started", "finished", "version"):
        for text in (*texts, "nope", "\x1b[2J", "match", "ladder"):
            yield f"runs.{column} = {text[:20]!r}", _set("runs", column, text)
    for text in (*texts, b"\xff\x00"):
        yield f"blocks.data = {text[:20]!r}", _set("blocks", "data", text)
        yield f"checkpoint {text[:20]!r}", _checkpoint(text)
    for column in ("id", "blocks"):
        for number in (-1, 0, 2**62):
            yield f"runs.{column} = {number}", _set("runs", column, number)
    yield "blocks.block = 2**40", lambda db: db.execute("update blocks set block = 1099511627776 + block")
    yield "no blocks", lambda db: db.execute("delete from blocks")
    yield "no runs", lambda db: db.execute("delete from runs")
    yield "no table", lambda db: db.execute("drop table blocks")
    yield "a view", lambda db: db.execute("create view v as select 1")
    yield "version", lambda db: db.execute("pragma user_version = 99")
    yield "loose types", _loose


def _set(table: str, column: str, value: object) -> Callable[[sqlite3.Connection], Any]:
    def change(db: sqlite3.Connection) -> None:
        if isinstance(value, bytes):
            db.execute(f"update {table} set {column} = cast(? as text)", (value,))
        else:
            db.execute(f"update {table} set {column} = ?", (value,))

    return change


def _checkpoint(text: str | bytes) -> Callable[[sqlite3.Connection], Any]:
    def change(db: sqlite3.Connection) -> None:
        data = text if isinstance(text, bytes) else text.encode()
        db.execute("update runs set finished = null, result = null")
        db.execute("delete from blocks")
        db.execute("insert into checkpoints select id, 0, '', ? from runs", (data,))

    return change


def _loose(db: sqlite3.Connection) -> None:
    db.executescript(
        "pragma foreign_keys = off; create table r as select * from runs; drop table runs;"
        "alter table r rename to runs;"
        "update runs set id = 'x', blocks = 'y', started = 3"
    )


RUNS = {
    "match": ("match", "caller", "caller", "--hands", "2", "--matches", "1"),
    "tournament": ("tournament", "caller", "caller", "--hands", "2", "--matches", "1"),
    "cash": ("cash", "caller", "caller", "--hands", "2", "--sessions", "1"),
    "sprt": ("sprt", "caller", "caller", "--max-hands", "4"),
    "ladder": ("ladder", "caller", "caller", "--hands", "2", "--matches", "1"),
    "exploit": ("exploit", "caller", "--hands", "1"),
    "rollout": ("rollout", "caller", "caller", "--hands", "2", "--matches", "1", "--boards", "1"),
}


# which commands take which files ------------------------------------------------------------------------------------

#: Parameters of commands that name no file that is read.
NO_FILES = {
    *(
        "hero",
        "products",
        "to",
        "address",
        "advisor",
        "against",
        "allow",
        "agent",
        "agents",
        "algorithm",
        "backend",
        "bets",
        "blinds",
        "board",
        "bounds",
        "by",
        "color",
    ),
    *("commands", "dead", "deck", "device", "encoding", "faults", "hands", "hash", "host", "illegal", "information"),
    *("like", "method", "nonce"),
    *("name", "names", "new", "observe", "old", "on_fault", "opponents", "order", "paper", "part", "path", "payouts"),
    *(
        "from_",
        "player",
        "players",
        "png",
        "key",
        "population",
        "ports",
        "ranges",
        "reader",
        "section",
        "share",
        "shares",
        "sizes",
        "stack",
    ),
    *("target", "title", "top_up", "view", "villain", "where", "without"),
}
#: A file for a parameter by command and name (``*``: every command): its kind, and the other arguments.
#: ``{file}`` is the hostile file, ``{here}`` the folder with good ones.
FILES: dict[tuple[str, str], tuple[str, tuple[str, ...]]] = {
    ("match", "deals"): ("text", ("caller", "caller", "--deals", "{file}")),
    ("match", "game"): ("text", ("caller", "caller", "--hands", "1", "--game", "{file}")),
    ("sprt", "game"): ("text", ("caller", "caller", "--max-hands", "2", "--game", "{file}")),
    ("ladder", "game"): ("text", ("caller", "caller", "--hands", "1", "--game", "{file}")),
    ("exploit", "game"): ("text", ("caller", "--hands", "1", "--game", "{file}")),
    ("tournament", "schedule"): ("schedule", ("caller", "caller", "--hands", "1", "-m", "1", "--schedule", "{file}")),
    ("rollout", "schedule"): ("schedule", ("caller", "caller", "--hands", "1", "-m", "1", "--schedule", "{file}")),
    ("range", "text"): ("text", ("@{file}",)),
    ("advise", "state"): ("text", ("--agent", "caller", "--state", "{file}")),
    ("advise", "game"): ("text", ("--agent", "caller", "--state", "MATCHSTATE:0:30::9s8h|", "--game", "{file}")),
    ("results list", "file"): ("text", ("{file}",)),
    ("results show", "file"): ("text", ("{file}",)),
    ("results export", "file"): ("text", ("{file}",)),
    ("acpc join", "game"): ("text", ("127.0.0.1", "1", "caller", "--game", "{file}")),
    ("acpc deal", "game"): ("text", ("{file}", "a=caller", "b=caller", "--hands", "1", "--start-timeout", "1")),
    ("acpc bridge", "game"): ("text", ("true", "--game", "{file}", "--hands", "1", "--start-timeout", "1")),
    ("read hand", "log"): ("history", ("{file}", "--hand", "1", "--reader", "uniform")),
    ("read hand", "game"): ("text", ("{here}/a.log", "--hand", "1", "--reader", "uniform", "--game", "{file}")),
    ("read score", "data"): ("history", ("uniform", "--part", "all", "--data", "{file}")),
    ("read score", "game"): ("text", ("uniform", "--part", "all", "--data", "{here}/a.log", "--game", "{file}")),
    ("read score", "keep"): ("keeper", ("uniform", "--data", "{here}/a.log", "--part", "all", "--keep", "{file}")),
    ("history import", "files"): ("history", ("{file}", "--store", "{new}")),
    ("history import", "game"): ("text", ("{here}/a.log", "--store", "{new}", "--game", "{file}")),
    ("history show", "store"): ("store", ("{file}",)),
    ("history convert", "source"): ("history", ("{file}", "{new}.phhs")),
    ("history convert", "game"): ("text", ("{here}/a.log", "{new}.phhs", "--game", "{file}")),
    ("history stats", "sources"): ("history", ("{file}",)),
    ("history stats", "game"): ("text", ("{here}/a.log", "--game", "{file}")),
    ("history leaks", "sources"): ("history", ("{file}", "--player", "Ann")),
    ("history leaks", "game"): ("text", ("{here}/a.log", "--player", "Ann", "--game", "{file}")),
    ("history verify", "files"): ("history", ("{file}",)),
    ("history verify", "game"): ("text", ("{here}/a.log", "--game", "{file}")),
    ("solve spot", "file"): ("spot", ("{file}", "--max-iterations", "1")),
    ("solve spot", "save"): ("solve", ("{here}/spot.toml", "--max-iterations", "1", "--save", "{file}", "--resume")),
    ("solve show", "file"): ("solve", ("{file}",)),
    ("solve report", "file"): ("spot", ("{file}", "--boards", "{here}/boards.txt", "--out", "{new}.csv")),
    ("solve report", "boards"): ("text", ("{here}/spot.toml", "--boards", "{file}", "--out", "{new}.csv")),
    ("solve report", "out"): ("text", ("{here}/spot.toml", "--boards", "{here}/boards.txt", "--out", "{file}")),
    ("run", "match"): ("match", ("{file}", "--replay", "1")),
    ("train blueprint", "games"): ("text", ("tiny", "--games", "{file}", "--out", "{new}.npz")),
    ("train start-table", "data"): ("history", ("--data", "{file}", "--out", "{new}.npz")),
    ("train markov", "data"): ("history", ("--data", "{file}", "--out", "{new}.npz")),
    ("train bucket", "data"): ("history", ("--data", "{file}", "--out", "{new}.npz")),
    ("train fold", "data"): ("history", ("--data", "{file}", "--out", "{new}.gz", "--rounds", "1", "--searches", "1")),
    ("train reader", "data"): ("text", ("--data", "{file}", "--out", "{new}.npz", "--epochs", "1")),
    ("train reader", "recipe"): ("recipe", ("--data", "{here}/a.log", "--out", "{new}.npz", "--recipe", "{file}")),
    ("train reader", "known"): ("reader", ("--data", "{here}/a.log", "--out", "{new}.npz", "--known", "{file}")),
    ("train folds", "data"): ("text", ("--data", "{file}", "--population", "heads-up", "--out", "{new}")),
    ("train folds", "start"): (
        "reader",
        ("--data", "{here}/a.log", "--population", "heads-up", "--out", "{new}", "--start", "{file}"),
    ),
    ("train cnn", "data"): ("text", ("--data", "{file}", "--out", "{new}", "--epochs", "1")),
    **{(name, "config"): ("config", (*RUNS[name][1:], "--config", "{file}")) for name in RUNS},
    **{(name, "results"): ("text", (*RUNS[name][1:], "--results", "{file}", "--resume")) for name in RUNS},
}
#: Files and folders that are only written; games of ``cfr``, which are no files; the folder of data in which
#: ``reproduce`` looks for the files it knows; those of ``web``, which serves until it is stopped (tests/extras).
WRITTEN = {"out", "target", "log", "store", "save"}
OTHER = {
    ("cfr", "game"),
    ("reproduce", "data"),
    ("train blueprint", "game"),
    ("web", "folder"),
    ("web", "source"),
    ("web", "results"),
    ("web", "reports"),
}
#: Options of agents and readers that name a file: its kind.
SPEC_FILES = {
    "equilibrium:blueprint": "blueprint",
    "expert:file": "rules",
    "expert:ring": "rules",
    "exp:file": "rules",
    "start-table:table": "start-table",
    "fold:constants": "fold",
    "markov:tables": "markov",
    "cnn:file": "cnn",
    "model:file": "reader",
}
SHIPPED = {
    "start-table": "start_table.npz",
    "markov": "markov.npz",
    "cnn": "_cnn/cnn.npz",
    "reader": "_model/reader.npz",
    "fold": "fold.json.gz",
}


def spoilt_toml(text: str) -> list[bytes]:
    """A TOML text with one value at a time that is something else."""
    lines = text.splitlines()
    out: list[list[str]] = []
    for k, line in enumerate(lines):
        key, equals, _ = line.partition(" = ")
        others = [f"{key} = {toml_value(value)}" for value in VALUES] if equals else []
        out += [[*lines[:k], other, *lines[k + 1 :]] for other in others]
        out += [[*lines[:k], more, *lines[k:]] for more in ("", "[sizes]", "[[lock]]", "lock = 3", f"x = {nested(40)}")]
    return ["\n".join(some).encode() for some in out]


CONFIGS = (
    'hands = 1\nseed = 2\nagents = ["caller", "caller"]\nblinds = "1/2"\nstack = 100\nluck_reduced = false\n'
    'faults = "forfeit"\nduplicate = false\ngame = "holdem.nolimit.2p"\ndeals = "x"\nrebuys = 1\nmatches = 1\n'
    "seconds_per_action = 5.0\nbounds = '0,1'\n"
)
SCHEDULE = "payouts = [3, 1]\n[[levels]]\nhands = 10\nblinds = [10, 20]\nante = 1\n"
RECIPE = Path(dupai.__file__).parent / "training/_model/standard.toml"


def contents(kind: str, here: Path) -> list[bytes]:
    """What files of a kind must not do harm with."""
    if kind == "spot":
        return TEXTS + spoilt_toml(SPOT + '[[lock]]\npath = ""\nstrategy = {check = 1}\n')
    if kind == "config":
        # The sizes of the runs stand on the command line, which has precedence.
        return TEXTS + [spoilt for line in CONFIGS.splitlines() for spoilt in spoilt_toml(line)]
    if kind == "schedule":
        return TEXTS + spoilt_toml(SCHEDULE)
    if kind == "recipe":
        return TEXTS + spoilt_toml(RECIPE.read_text(encoding="utf-8"))[:200]
    if kind == "solve":
        return TEXTS + list(spoilt_headers((here / "s.solve").read_bytes()))
    if kind == "history":
        log, phh = ((here / name).read_bytes() for name in ("a.log", "h.phhs"))
        bad = log.replace(b"holdem.nolimit.2p.reverse_blinds.game", b"[" * 5000)
        return [*TEXTS, bad, log.replace(b"STATE:", b"STATE:" + b"9" * 5000), phh.replace(b"'f'", b"'\xc2\xb2'")]
    if kind == "fold":
        data = json.loads(gzip.decompress(shipped("fold").read_bytes()))
        spoilt = [gzip.compress(json.dumps(data | {key: value}).encode()) for key in data for value in VALUES[:9]]
        return [*TEXTS, gzip.compress(nested().encode()), *spoilt]
    if kind in SHIPPED:
        return ARCHIVES + list(mangled(shipped(kind)))
    return TEXTS


def shipped(kind: str) -> Path:
    import dupai.reading

    return Path(str(dupai.reading.__file__)).parent / SHIPPED[kind]


def spoilt_headers(data: bytes) -> Iterator[bytes]:
    """A solve file with a header of another shape, and a checksum that agrees with it."""
    start = len(b"DUPAI-SOLVE 2\n")
    size = int.from_bytes(data[start : start + 8], "little")
    header = json.loads(data[start + 8 : start + 8 + size])
    whole = -(-(start + 8 + size) // 64) * 64

    def made(text: bytes) -> bytes:
        head = data[:start] + len(text).to_bytes(8, "little") + text
        content = head + b"\0" * (-len(head) % 64) + data[whole:-16]
        return content + hashlib.blake2b(content, digest_size=16).digest()

    for key in header:
        for value in VALUES:
            out = made(json.dumps(header | {key: value}).encode())
            yield out
            yield made(json.dumps(header | {key: value, "length": len(out)}).encode())
        yield made(json.dumps({k: v for k, v in header.items() if k != key}).encode())
    for key in header["spot"]:
        for value in VALUES:
            yield made(json.dumps(header | {"spot": header["spot"] | {key: value}}).encode())
    for start_state in ([0], [9, [0, 0], [0, 0], 0, None, False], [0, [-1, 0], [0, 0], 0, ["x", 1], True]):
        yield made(json.dumps(header | {"start": start_state}).encode())
    for text in (b"", nested().encode(), b"{}", b"[]", b"NaN", b"\xff"):
        yield made(text)
    yield data[:start] + (2**63).to_bytes(8, "little")
    yield data[:start]


def write_good(folder: Path) -> Path:
    """Put good files into a folder."""
    write_log(folder / "a.log")
    write_phh(folder / "h.phhs")
    write_text(folder / "spot.toml", SPOT)
    write_text(folder / "boards.txt", "Td9d6hQc2s\n")
    assert main(["solve", f"{folder}/spot.toml", "--max-iterations", "20", "--save", f"{folder}/s.solve"]) == 0
    assert main(["solve", "show", f"{folder}/s.solve"]) == 0
    assert main(["history", "import", f"{folder}/a.log", "--store", f"{folder}/store"]) == 0
    assert main(["run", "--agents", "caller caller", "--hands", "2", "--out", f"{folder}/match", "--seed", "1"]) == 0
    for name, words in RUNS.items():
        assert main([*words, "--results", f"{folder}/{name}.db"]) == 0
    return folder


def check(words: list[str], capsys: pytest.CaptureFixture[str], note: object) -> str:
    """Run a command: it does what it is for, or refuses with one line; returns the line."""
    try:
        code = main(words)
    except BaseException as error:
        raise AssertionError(f"dupai {' '.join(words)}: {note!r}: {type(error).__name__}: {error}") from error
    out, err = capsys.readouterr()
    assert code in (0, 1, 2), (words, note)
    assert "\x1b" not in out + err, (words, note)
    lines = [line for line in err.splitlines() if line != "compiling kernels, once"]
    if code == 2 and not out:
        assert [line[:7] for line in lines] == ["dupai: "], (words, note, err)
    return lines[-1] if code == 2 and lines else ""


#: Kinds that are folders.
FOLDERS = ("store", "match", "keeper")


def check_file(command: str, parameter: str, content: bytes, here: Path, file: Path, capsys: Any) -> None:
    """Run a command on a file with this content."""
    file.write_bytes(content)
    words = [*command.split(), *FILES[command, parameter][1]]
    new = file.with_name(f"new-{file.name.replace('.', '-')}")
    for name, place in {"{file}": str(file), "{here}": str(here), "{new}": str(new)}.items():
        words = [word.replace(name, place) for word in words]
    check(words, capsys, content[:200])


def check_cell(
    name: str, note: str, change: Callable[[sqlite3.Connection], Any], here: Path, file: Path, capsys: Any
) -> None:
    """Run all commands that read results on the results of a format with one odd cell."""
    shutil.copy(here / f"{name}.db", file)
    with closing(sqlite3.connect(file)) as db, db:
        change(db)
    for words in (
        ["results", "list", str(file)],
        ["results", "list", str(file), "--json"],
        ["results", "show", str(file)],
        ["results", "show", str(file), "--json"],
        ["results", "export", str(file)],
        ["results", "export", str(file), "--json"],
        [*RUNS[name], "--results", str(file), "--resume"],
    ):
        check(words, capsys, note)
