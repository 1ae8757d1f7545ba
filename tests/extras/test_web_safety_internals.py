"""Nothing hidden is sent; broken and illegal frames and requests leave every table intact."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dupai.arena.live import LiveSettings, LiveStore, LiveTable
from dupai.base import ConfigError, FileError, example
from dupai.web import run_server
from dupai.web._app import ServerSettings, make_app
from dupai.web._engines import check_spec
from dupai.web._http import public_line
from dupai.web._server import _sole_use
from dupai.web._state import TableOptions
from dupai.web._table_routes import MAX_FROM_ADDRESS
from support.plugins_internals import install_hostile
from support.web_leaks import play, search
from support.web_server import Server, httpx

#: Frames of the fuzz, and of one socket before it is closed for too many.
FRAMES, BURST = 20_000, 50


def test_no_frame_holds_a_card_that_its_receiver_may_not_know(tmp_path: Path) -> None:
    counted = search(tmp_path, 40, 500)
    assert counted["hands"] >= 40 and counted["readings"] > 20 and counted["hidden"] > 1000


@pytest.mark.parametrize(
    "spec",
    [
        "expert:file=secrets", "expert:secrets", "expert: file = secrets", "expert:ring=x", "exp:file=x",
        "exp:model=cnn:x", 'exp:model="cnn:file=x"', "equilibrium:blueprint=shipped+x",
        'fold:reader="cnn:uniform=0.1,file=x"', "markov:x", "start-table:x", "fold:constants=x",
        "start-table:population=shown,table=x", "cnn:shipped",
        "acpc", "acpc:cmd=x", "fold:reader=acpc",
    ],
)  # fmt: skip
def test_no_file_is_named_by_a_spec(spec: str) -> None:
    with pytest.raises(ConfigError, match="files and other programs"):
        check_spec(spec, "agent")


@pytest.mark.parametrize(
    "spec",
    [
        "expert", "expert:file=shipped,ring=ring", "exp:model=cnn,turns=3", "exp:model=cnn:uniform=0.1", "cnn",
        "equilibrium:blueprint=stand-in", "fold:reader=fold:constants=fitted", "dupai:risk=0.4,deals=100",
        "fold:reader=model", "model:population=six-max", "markov:kind=limit", "style:LA,size=half",
    ],
)  # fmt: skip
def test_what_ships_is_named_by_a_spec(spec: str) -> None:
    check_spec(spec, "agent")


def test_one_server_uses_a_folder(tmp_path: Path) -> None:
    with _sole_use(tmp_path), pytest.raises(FileError, match="another dupai web"), _sole_use(tmp_path):
        pass
    with _sole_use(tmp_path):
        pass


@pytest.mark.parametrize("host", ["é..b", "a\udcffb"])
def test_a_host_that_is_no_name_is_refused_in_one_line(tmp_path: Path, host: str) -> None:
    with pytest.raises(ConfigError, match="--host"):
        run_server(host, 0, folder=str(tmp_path))


@pytest.mark.parametrize(
    "damage",
    ["update tables set options = '{\"speed\": \"warp\"}'", "update tables set state = x'00'",
     "insert into hands values ('t', 1, x'00', x'00')"],
)  # fmt: skip
def test_damaged_tables_are_refused_in_one_line(tmp_path: Path, damage: str) -> None:
    table = LiveTable(LiveSettings(seats=2))
    table.sit("Ann", 0)
    with LiveStore(tmp_path / "tables.db") as store:
        store.save("t", msgspec.json.encode(TableOptions()).decode(), table.state)
        store.execute(damage)
    with pytest.raises(FileError, match=r"tables\.db") as raised:
        make_app(ServerSettings(tmp_path / "tables.db"))
    assert "\n" not in str(raised.value)


def test_a_table_that_lacks_a_seat_is_refused_in_one_line(tmp_path: Path) -> None:
    table = LiveTable(LiveSettings(seats=3))
    table.state.seats.pop()
    with LiveStore(tmp_path / "tables.db") as store:
        store.save("t", msgspec.json.encode(TableOptions()).decode(), table.state)
    with pytest.raises(FileError, match=r"tables\.db"):
        make_app(ServerSettings(tmp_path / "tables.db"))


def broken(rng: random.Random, hand: int, n: int) -> str | bytes:
    """A frame that no page sends."""
    valid = {"do": "act", "hand": hand, "n": n, "action": "r250"}
    kind = rng.randrange(9)
    if kind == 0:
        return rng.randbytes(rng.randrange(1, 60))
    if kind == 1:
        return "".join(chr(rng.randrange(1, 0x2FF)) for _ in range(rng.randrange(80)))
    if kind == 2:
        return json.dumps({**valid, "action": rng.choice(["r-1", "r0", "r1", "r99999999", "x", "", "r1e9", "ff"])})
    if kind == 3:
        return json.dumps({**valid, rng.choice(["hand", "n"]): rng.choice([-1, 10**30, None, "1", 0.5, [], hand + 1])})
    if kind == 4:
        return json.dumps({"do": rng.choice(["sit", "deal", "panel", "speed", "advisor", "kick", "act"])})
    if kind == 5:
        return json.dumps(
            {"do": "advisor", "agent": rng.choice(["acpc:host=127.0.0.1", "../../x", "x" * 3000, "mcts:a"])}
        )
    if kind == 6:
        text = json.dumps(valid)
        cut = rng.randrange(len(text))
        return text[:cut] + rng.choice(["", "}", "\x00", "[", "é"]) + text[cut + rng.randrange(3) :]
    if kind == 7:
        return "[" * rng.randrange(1, 2000)
    return json.dumps({"do": rng.choice(["rebuy", "next", "sit_in"])})


def test_twenty_thousand_broken_frames_leave_the_table_as_it_was(tmp_path: Path) -> None:
    server = Server(tmp_path, "--jobs", "1")
    rng = random.Random(5)
    try:
        table, token = server.make(seats=3, opponents=["rules", "caller"], speed="instant", panel=False, coach=False)
        me = server.client(table, token)
        me.until(lambda e: e["type"] == "state" and me.turn())
        before, sent = me.state, 0
        hand = before["hand"]
        me.close()
        while sent < FRAMES:
            one = server.client(table, token if sent % 3 else None)
            try:
                for _ in range(BURST):
                    one.socket.send(broken(rng, hand["number"], hand["n"]))
                    sent += 1
            except Exception:  # noqa: BLE001 - the server has closed it
                pass
            one.close()
        me = server.client(table, token)
        me.next()
        after = me.state
        # The amount of the only legal frame among them may have been played; nothing else may have changed.
        assert after["seats"][0]["cards"] == before["seats"][0]["cards"] or after["hand"]["number"] > hand["number"]
        assert sum(s["net"] for s in after["seats"]) + (after["hand"]["pot"] if after["phase"] == "betting" else 0) == 0
        play([me], after["hand"]["number"] + 2, rng, 120)
        in_pot = me.state["hand"]["pot"] if me.state["phase"] not in ("over", "waiting") else 0
        assert sum(s["net"] for s in me.state["seats"]) + in_pot == 0
        me.close()
    finally:
        server.close()


def test_requests_by_the_schema_find_no_server_error(tmp_path: Path) -> None:
    pytest.importorskip("schemathesis", reason="needs schemathesis (make test-extras)")
    server = Server(tmp_path, "--jobs", "1")
    try:
        command = ["-m", "schemathesis.cli", "run", f"{server.base}/api/openapi.json", "--checks", "not_a_server_error"]
        more = ["--max-examples", "15", "--phases", "examples,coverage,fuzzing", "--seed", "1", "--rate-limit", "80/s",
                "--exclude-path-regex", "/solve$|review", "--no-color"]  # fmt: skip
        done = subprocess.run(
            [sys.executable, *command, *more], capture_output=True, text=True, timeout=400, cwd=tmp_path
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
        assert server.http.get("/api/info").status_code == 200
    finally:
        server.close()


# one guest and the others ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "seen"),
    [("FileError: file of tables '/srv/dupai/web/tables.db': locked", "FileError: file of tables 'tables.db': locked"),
     ("cannot read web/tables.db", "cannot read tables.db"), ("blinds 50/100, K/Q and/or", "blinds 50/100, K/Q and/or"),
     (r"C:\srv\x.npz is damaged", "x.npz is damaged"), ("~/.cache/dupai/k.npz", "k.npz")],
)  # fmt: skip
def test_visitors_see_no_folders(text: str, seen: str) -> None:
    assert public_line(text) == seen


@pytest.fixture(scope="module")
def hostile_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server beside which hostile agents are installed."""
    with pytest.MonkeyPatch.context() as patch:
        install_hostile(patch)
        server = Server(tmp_path_factory.mktemp("web"), "--jobs", "2")
    yield server
    server.close()


@pytest.mark.parametrize("attack", ["exit0", "loop"])
def test_a_constructor_that_ends_or_stops_its_process_is_not_run_in_the_server(
    hostile_server: Server, attack: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = hostile_server
    with ThreadPoolExecutor(1) as pool, httpx.Client(base_url=server.base, headers={"origin": server.base}) as other:
        asked = {"seats": 2, "name": "Ann", "opponents": [f"hostile:{attack},where=make"]}
        refused = pool.submit(server.http.post, "/api/tables", json=asked)
        waits = []
        while not refused.done():
            start = time.monotonic()
            assert other.get("/api/sources", timeout=60).status_code == 200
            waits.append(time.monotonic() - start)
            time.sleep(0.05)
        assert refused.result().status_code == 400 and sorted(waits)[len(waits) // 2] < 0.5
        assert other.post("/api/tables", json={"seats": 2, "opponents": ["rules"]}, timeout=60).status_code == 200


def test_a_seat_gets_in_beside_a_hundred_spectators_and_one_address_has_some(tmp_path: Path) -> None:
    server = Server(tmp_path, "--jobs", "1")
    watching = []
    try:
        table, token = server.make(seats=3, opponents=[None, None], panel=False, coach=False)
        watching += [server.client(table) for _ in range(MAX_FROM_ADDRESS)]
        with pytest.raises(Exception, match="403"):
            server.client(table)
        watching += [server.client(table, token) for _ in range(10)]
        assert watching[-1].next()["me"] == 0
    finally:
        for one in watching:
            one.close()
        server.close()


def test_an_upload_that_takes_long_keeps_nobody_waiting(tmp_path: Path) -> None:
    server = Server(tmp_path, "--jobs", "1")
    text = example("hands").read_text()
    large = (text * (7_900_000 // len(text))).encode()
    try:
        with (
            ThreadPoolExecutor(2) as pool,
            httpx.Client(base_url=server.base, headers={"origin": server.base}) as other,
        ):
            uploads = [pool.submit(server.http.post, "/api/upload", content=large) for _ in range(2)]
            time.sleep(2)
            start = time.monotonic()
            asked = {"hands": ["AsAh", "KsKh"], "board": "", "dead": ""}
            assert other.post("/api/equity", json=asked, timeout=60).status_code == 200
            assert time.monotonic() - start < 10 and not all(u.done() for u in uploads)
            assert [u.result().status_code for u in uploads] == [200, 200]
    finally:
        server.close()


def test_a_locked_file_of_tables_stops_no_page_and_loses_nothing(tmp_path: Path) -> None:
    server = Server(tmp_path, "--jobs", "1")
    try:
        table, token = server.make(seats=2, opponents=["caller"], speed="instant", panel=False, coach=False)
        me = server.client(table, token)
        me.until(lambda e: e["type"] == "state" and me.turn())
        lock = sqlite3.connect(tmp_path / "tables.db", isolation_level=None)
        lock.execute("begin immediate")
        me.act("c")
        noted = me.until(lambda e: e["type"] == "state" and "locked" in e["note"])
        assert "/" not in noted["note"]
        start = time.monotonic()
        for path in ("/api/tables", f"/api/tables/{table}", "/api/sources"):
            assert server.http.get(path).status_code == 200
        other, _ = server.make(seats=2, opponents=["caller"], name="Bob")
        assert time.monotonic() - start < 3
        lock.execute("rollback")
        lock.close()
        me.until(
            lambda e: e["type"] == "state" and not e["note"] and e["hand"] and e["hand"]["n"] != noted["hand"]["n"]
        )
        server.kill()
        server.start()
        assert {line["id"] for line in server.http.get("/api/tables").json()} == {table, other}
        me.close()
    finally:
        server.close()


def test_half_a_body_is_one_line_and_no_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dupai.web._http.BODY_SECONDS", 0.3)
    sent: list[dict[str, Any]] = []

    async def story() -> None:
        app = make_app(ServerSettings(tmp_path / "tables.db"))
        headers = [(b"host", b"localhost"), (b"content-type", b"application/json"), (b"content-length", b"100")]
        scope = {"type": "http", "method": "POST", "path": "/api/tables", "raw_path": b"/api/tables",
                 "query_string": b"", "headers": headers, "scheme": "http", "client": ("127.0.0.1", 1),
                 "server": ("localhost", 80), "http_version": "1.1", "root_path": ""}  # fmt: skip
        halves = [{"type": "http.request", "body": b'{"seats": ', "more_body": True}]

        async def receive() -> dict[str, Any]:
            if halves:
                return halves.pop()
            await asyncio.sleep(60)
            raise AssertionError

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await app(scope, receive, send)

    asyncio.run(story())
    assert sent[0]["status"] == 408 and b"\\n" not in sent[1]["body"]
