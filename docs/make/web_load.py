"""Load on a local server: tables of six, one person each played by a script beside five rule agents.

    python docs/make/web_load.py [TABLES] [SECONDS]

Starts `dupai web` on a free port of this machine, lets everybody play, and prints how long it took from a person's
action to the next state of the table that they were sent.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from typing import Any

import httpx
from websockets.asyncio.client import connect

#: Seconds that a person thinks, at least and at most.
THINKS = (1.0, 4.0)


async def person(base: str, table: str, cookie: str, end: float, times: list[float], counts: dict[str, int]) -> None:
    """Plays at one table until the time is over."""
    rng = random.Random(table)
    headers = {"Cookie": cookie}
    url = f"{base.replace('http', 'ws')}/api/tables/{table}/socket"
    async with connect(url, origin=base, additional_headers=headers, max_size=None) as socket:  # type: ignore[arg-type]
        asked: Any = None
        while time.monotonic() < end:
            state = json.loads(await socket.recv())
            counts["frames"] += 1
            if state["type"] != "state" or not state["hand"]:
                continue
            hand, turn, me = state["hand"], state["hand"]["turn"], state["me"]
            if state["seats"][me]["status"] == "out":
                await socket.send('{"do":"rebuy"}')
            if turn is None or turn["seat"] != me or asked == (hand["number"], hand["n"]):
                continue
            asked = hand["number"], hand["n"]
            await asyncio.sleep(rng.uniform(*THINKS))
            action = rng.choice(["c", "c", "f"] if turn["fold"] else ["c"])
            start = time.perf_counter()
            await socket.send(json.dumps({"do": "act", "hand": hand["number"], "n": hand["n"], "action": action}))
            while time.monotonic() < end + 5:
                text = await socket.recv()
                counts["frames"] += 1
                now = json.loads(text)
                if now["type"] == "state" and (now["hand"]["number"], now["hand"]["n"]) > asked:
                    times.append(time.perf_counter() - start)
                    break


async def main(base: str, tables: int, seconds: float) -> None:
    """Make the tables, play, report."""
    agents = ["rules", "style:paper-LA", "style:paper-TA", "rules", "style:paper-LP"]
    made = []
    async with httpx.AsyncClient(base_url=base, timeout=120) as client:
        for _ in range(tables):
            client.cookies.clear()
            settings = {"opponents": agents, "speed": "fast", "panel": False, "coach": False}
            reply = await client.post("/api/tables", json=settings)
            reply.raise_for_status()
            table = reply.json()["id"]
            made.append((table, f"seat-{table}={reply.cookies[f'seat-{table}']}"))
            await asyncio.sleep(0.01)
    times: list[float] = []
    counts = {"frames": 0}
    end = time.monotonic() + seconds
    people = [asyncio.create_task(person(base, table, cookie, end, times, counts)) for table, cookie in made]
    # A table at which nothing happens any more must not keep the others waiting.
    _, late = await asyncio.wait(people, timeout=seconds + 5)
    for task in late:
        task.cancel()
    if not times:
        print(f"nobody acted in {seconds:.0f} s")
        return
    times.sort()
    share = {p: 1000 * times[min(int(len(times) * p), len(times) - 1)] for p in (0.5, 0.95, 0.99)}
    print(
        f"{tables} tables, {seconds:.0f} s: {len(times):,} actions, {counts['frames']:,} frames; action to next state: "
        f"median {share[0.5]:.1f} ms, 95 % within {share[0.95]:.1f} ms, 99 % within {share[0.99]:.1f} ms"
    )


if __name__ == "__main__":
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "dupai", "web", "--port", "0", "--folder", folder, "--jobs", "2"]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            assert server.stderr is not None
            match = re.search(r"http://127\.0\.0\.1:\d+", server.stderr.readline())
            assert match is not None
            asyncio.run(main(match[0], tables, seconds))
        finally:
            server.terminate()
            server.wait()
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            print(f"processor time of the server and its engines: {used.ru_utime + used.ru_stime:.1f} s")
