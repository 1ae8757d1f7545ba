"""What one guest of `dupai web` waits while another does what costs most: the 95th percentile of their requests.

    python tools/web_guests.py [SRC [ATTACK]]

SRC: the `src` folder of another version to measure; ATTACK: one of them alone. Needs the
extras `web` and `web-test`, and `tests/support/hostile`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx  # type: ignore[import-not-found,unused-ignore]
from websockets.asyncio.client import connect  # type: ignore[import-not-found,unused-ignore]
from websockets.typing import Origin  # type: ignore[import-not-found,unused-ignore]

HERE = Path(__file__).parents[1]
SECONDS = 20.0
EXAMPLE = HERE / "src/dupai/example_data/hands.phhs"


class Guests:
    """A server, somebody who attacks it, and another guest who asks for pages and a panel."""

    def __init__(self, folder: Path, source: str) -> None:
        self.folder, self.turn = folder, 0
        paths = os.pathsep.join((source, str(HERE / "tests/support/hostile")))
        command = [sys.executable, "-m", "dupai", "web", "--port", "0", "--folder", str(folder), "--jobs", "2"]
        self.process = subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": paths}
        )
        assert self.process.stderr is not None
        line = next(line for line in self.process.stderr if "http://" in line)
        self.host = re.findall(r"http://(\S+?)/", line)[0]
        self.base = f"http://{self.host}"

    def http(self) -> Any:
        return httpx.AsyncClient(base_url=self.base, headers={"origin": self.base}, timeout=60)

    def socket(self, table: str, token: str = "") -> Any:
        cookies = {"Cookie": f"seat-{table}={token}"} if token else {}
        url = f"ws://{self.host}/api/tables/{table}/socket"
        return connect(url, origin=Origin(self.base), additional_headers=cookies, max_size=None, open_timeout=60)

    async def table(self, http: Any, **settings: Any) -> tuple[str, str]:
        reply = await http.post("/api/tables", json={"speed": "instant", "coach": False, "name": "Ann", **settings})
        reply.raise_for_status()
        return reply.json()["id"], reply.cookies[f"seat-{reply.json()['id']}"]

    async def panel(self, table: str, token: str) -> float:
        """Seconds until the panel of the player to act is there."""
        start = time.monotonic()
        async with self.socket(table, token) as ws, asyncio.timeout(60):
            # Another one than before, whose panel is sent again.
            self.turn += 1
            agent = f"rules:deals={1000 + self.turn}"
            await ws.send(f'{{"do": "advisor", "agent": "{agent}"}}')
            while not ('"readings"' in (frame := str(await ws.recv())) and agent in frame):
                pass
        return time.monotonic() - start

    async def waits(self, attack: Callable[[Any], Awaitable[object]]) -> dict[str, float]:
        """The 95th percentiles while the attack goes on; 60 s and more where nothing comes."""
        async with self.http() as mine, self.http() as theirs:
            table, token = await self.table(mine, seats=2, opponents=["caller"])
            with contextlib.suppress(Exception):
                await self.panel(table, token)
            attacking = asyncio.ensure_future(attack(theirs))
            await asyncio.sleep(0.5)
            asked = {"hands": ["AsAh", "KsKh"], "board": "2c3d4h", "dead": ""}
            found: dict[str, list[float]] = {}

            async def again(name: str, ask: Callable[[], Awaitable[object]]) -> None:
                end = time.monotonic() + SECONDS
                while time.monotonic() < end:
                    start = time.monotonic()
                    took = 0.0
                    try:
                        await asyncio.wait_for(ask(), 60)
                    except Exception:  # noqa: BLE001 - what fails counts as the longest wait
                        took = 60.0
                    found.setdefault(name, []).append(max(took, time.monotonic() - start))
                    await asyncio.sleep(0.1)

            await asyncio.gather(
                again("page", lambda: mine.get(f"/api/tables/{table}")),
                again("equity", lambda: mine.post("/api/equity", json=asked)),
                again("panel", lambda: self.panel(table, token)),
            )
            attacking.cancel()
            with contextlib.suppress(BaseException):
                await attacking
        return {name: sorted(all_)[int(0.95 * (len(all_) - 1) + 0.5)] for name, all_ in found.items()}

    def attacks(self) -> dict[str, Callable[[Any], Awaitable[object]]]:
        async def nothing(http: Any) -> None:
            await asyncio.sleep(SECONDS)

        async def advisor(http: Any) -> None:
            with contextlib.suppress(Exception):
                await self.table(http, seats=2, opponents=["caller"], advisor="mcts:simulations=1000000000")
            table, token = await self.table(http, seats=2, opponents=["caller"], advisor="mcts:simulations=10000")
            async with self.socket(table, token) as ws:
                while True:
                    for agent in ("mcts:simulations=1000000000", "mcts:simulations=10000,ms=1000"):
                        await ws.send(f'{{"do": "advisor", "agent": "{agent}"}}')
                        await asyncio.sleep(0.1)

        async def uploads(http: Any) -> None:
            text = EXAMPLE.read_text()
            data = (text * (7_900_000 // len(text))).encode()
            while True:
                await asyncio.gather(*(http.post("/api/upload", content=data) for _ in range(2)))

        async def spectators(http: Any) -> None:
            table, _ = await self.table(http, seats=2, opponents=["caller"])
            async with contextlib.AsyncExitStack() as stack:
                for _ in range(300):
                    with contextlib.suppress(Exception):
                        await stack.enter_async_context(self.socket(table))
                await asyncio.sleep(SECONDS)

        def constructor(spec: str) -> Callable[[Any], Awaitable[object]]:
            async def make(http: Any) -> None:
                while True:
                    with contextlib.suppress(Exception):
                        await http.post("/api/tables", json={"opponents": [spec]})

            return make

        async def locked(http: Any) -> None:
            lock = sqlite3.connect(self.folder / "tables.db", isolation_level=None)
            with contextlib.closing(lock):
                lock.execute("begin immediate")
                table, token = await self.table(http, seats=2, opponents=["caller"])
                async with self.socket(table, token) as ws:
                    await ws.send('{"do": "away"}')
                    await asyncio.sleep(SECONDS)

        return {
            "nothing": nothing,
            "advisor": advisor,
            "uploads": uploads,
            "spectators": spectators,
            "ctorexit": constructor('fold:reader="hostile-reader:exit0,where=make"'),
            "ctorsleep": constructor("hostile:loop,where=make"),
            "tables.db locked": locked,
        }


def main() -> None:
    source = sys.argv[1] if len(sys.argv) > 1 else str(HERE / "src")
    print("| attack | page | equity | panel |\n| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(sys.argv[2:] or Guests.attacks(Guests.__new__(Guests))):
            place = Path(folder) / str(number)
            guests = Guests(place, source)
            try:
                found = asyncio.run(guests.waits(guests.attacks()[name]))
            finally:
                guests.process.kill()
                guests.process.wait()
            cells = " | ".join(f"{found[key]:.2f} s" for key in ("page", "equity", "panel"))
            print(f"| {name} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
