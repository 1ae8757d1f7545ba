"""Nothing hidden is sent; broken and illegal frames and requests leave every table intact."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from dupai.arena.live import LiveSettings, LiveStore, LiveTable
from dupai.base import ConfigError, FileError
from dupai.web import run_server
from dupai.web._app import ServerSettings, make_app
from dupai.web._engines import check_spec
from dupai.web._server import _sole_use
from dupai.web._state import TableOptions
from support.web_leaks import play, search
from support.web_server import Server

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
        "dupai:table=exp:file=x", "start-table:population=shown,table=x", "cnn:shipped",
        "acpc", "dupai:table=acpc", "dupai:table=acpc:cmd=x",
    ],
)  # fmt: skip
def test_no_file_is_named_by_a_spec(spec: str) -> None:
    with pytest.raises(ConfigError, match="files and other programs"):
        check_spec(spec, "agent")


@pytest.mark.parametrize(
    "spec",
    [
        "expert", "expert:file=shipped,ring=ring", "exp:model=cnn,turns=3", "exp:model=cnn:uniform=0.1", "cnn",
        "equilibrium:blueprint=stand-in", "fold:reader=fold:constants=fitted", "dupai:risk=0.4,table=mcts",
        "dupai:table=fold:reader=model", "model:population=identify", "markov:kind=limit", "style:LA,size=half",
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
