"""A server of the browser's table in a process of its own, and clients that record all they are sent."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

httpx = pytest.importorskip("httpx", reason="needs httpx (make test-extras)")
pytest.importorskip("fastapi", reason="needs the extra web (make test-extras)")
sockets = pytest.importorskip("websockets.sync.client", reason="needs websockets (make test-extras)")


class Server:
    """``dupai web`` on a free port; :meth:`kill` and :meth:`start` as a crash would."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder, self._options = folder, options
        self.process: subprocess.Popen[str] | None = None
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "dupai", "web", "--port", "0", "--folder", str(self.folder), *self._options]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if match := re.search(r"http://(127\.0\.0\.1:\d+)/", line):
                self.host = match[1]
                break
        else:
            raise AssertionError("the server did not start")
        self.base = f"http://{self.host}"
        self.http = httpx.Client(base_url=self.base, timeout=60, headers={"origin": self.base})

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.http.close()
        assert self.process.stderr is not None
        self.process.stderr.close()

    def close(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.kill()

    def make(self, **settings: Any) -> tuple[str, str]:
        """A table: its id and the token of whoever makes it."""
        self.http.cookies.clear()
        reply = self.http.post("/api/tables", json=settings)
        assert reply.status_code == 200, reply.text
        table = reply.json()["id"]
        return table, reply.cookies[f"seat-{table}"]

    def sit(self, table: str, name: str) -> str:
        """Take a seat: the token."""
        self.http.cookies.clear()
        reply = self.http.post(f"/api/tables/{table}/seat", json={"name": name})
        assert reply.status_code == 200, reply.text
        return str(reply.cookies[f"seat-{table}"])

    def client(self, table: str, token: str | None = None) -> Client:
        return Client(self, table, token)


class Client:
    """A socket that keeps every frame."""

    def __init__(self, server: Server, table: str, token: str | None) -> None:
        headers = {"Cookie": f"seat-{table}={token}"} if token else {}
        url = f"ws://{server.host}/api/tables/{table}/socket"
        self._opened = sockets.connect(
            url, origin=server.base, additional_headers=headers, max_size=None, close_timeout=0.2
        )
        self.socket = self._opened.__enter__()
        self.frames: list[str] = []
        self.state: dict[str, Any] = {}
        self._acted: tuple[int, int] | None = None
        self._bought, self._sent = 0, 0.0
        #: The decision that the panel was last sent for.
        self.read: tuple[int, int] | None = None

    def send(self, **request: Any) -> None:
        # The server closes a socket that sends more than 20 frames a second for long.
        time.sleep(max(0.0, self._sent + 0.055 - time.monotonic()))
        self._sent = time.monotonic()
        self.socket.send(json.dumps(request))

    def next(self, seconds: float = 60) -> dict[str, Any]:
        text = self.socket.recv(seconds)
        self.frames.append(text)
        event: dict[str, Any] = json.loads(text)
        if event["type"] == "state":
            self.state = event
        elif event["type"] == "readings":
            self.read = event["hand"], event["n"]
        elif event["type"] == "error":
            # What was refused may be tried again.
            self._acted = None
        return event

    def until(self, done: Callable[[dict[str, Any]], bool], seconds: float = 90) -> dict[str, Any]:
        """Read frames until one is such."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            event = self.next()
            if done(event):
                return event
        raise AssertionError("it did not come")

    def turn(self) -> bool:
        """Whether this client is to act, asked once for each decision."""
        hand, me = self.state.get("hand"), self.state.get("me")
        if me is None or not hand or not hand["turn"] or hand["turn"]["seat"] != me:
            return False
        now = hand["number"], hand["n"]
        if now == self._acted:
            return False
        self._acted = now
        return True

    def rebuy(self) -> None:
        """Buy in again, asked once for each hand."""
        me, hand = self.state["me"], self.state["hand"]
        if me is not None and hand and self.state["seats"][me]["status"] == "out" and self._bought != hand["number"]:
            self._bought = hand["number"]
            self.send(do="rebuy")

    def act(self, action: str) -> None:
        hand = self.state["hand"]
        self.send(do="act", hand=hand["number"], n=hand["n"], action=action)

    def close(self) -> None:
        self._opened.__exit__(None, None, None)
