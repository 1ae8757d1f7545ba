"""What keeps a server safe: who may ask (Host, Origin), how much (sizes, rates), and what pages may load."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

import msgspec

from dupai.base.text import whole_number
from dupai.web._messages import Failure

#: Bytes of a body of JSON, of an uploaded file, of a solution (a turn has some 20 MB), and of a frame.
MAX_JSON, MAX_UPLOAD, MAX_SOLUTION, MAX_FRAME = 64_000, 8_000_000, 64_000_000, 4_096
_LIMITS = {"/api/upload": MAX_UPLOAD, "/api/solve/open": MAX_SOLUTION}
#: Requests a second of one address in the long run, and at once; the same for frames of one socket.
RATE, BURST, FRAME_RATE, FRAME_BURST = 100.0, 400.0, 20.0, 60.0

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Bucket:
    """Allows ``rate`` a second in the long run and ``burst`` at once."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst, self._left, self._at = rate, burst, burst, time.monotonic()

    def take(self) -> bool:
        """Whether one more is allowed now."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Guard:
    """Refuses requests of other hosts and origins, too many and too large ones; adds the headers of every answer.

    Args:
        app: what answers the others.
        hosts: names that browsers may use for this server, without a port.
        rate: requests a second of one address; 0: any number.
    """

    def __init__(self, app: Any, hosts: Iterable[str], rate: float = RATE) -> None:
        self._app, self._hosts, self._rate = app, frozenset(h.lower() for h in hosts), rate
        self._buckets: dict[str, Bucket] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in scope["headers"]}
        refusal = self.refusal(scope, headers)
        if refusal is None and scope["type"] == "http":
            limit = _LIMITS.get(scope["path"], MAX_JSON)
            if whole_number(headers.get("content-length", "0"), limit) is None:
                refusal = 413, f"the body is too large: at most {limit:,} bytes"
            elif "transfer-encoding" in headers and scope["method"] not in ("GET", "HEAD"):
                refusal = 411, "a body needs its length"
        if refusal is None:
            socket = scope["type"] == "websocket"
            await self._app(scope, receive, send if socket else _with_headers(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": refusal[1]})
        else:
            await _refuse(_with_headers(send), *refusal)

    def refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        """Why a request is refused: status and text; None where it is not."""
        host = _name(headers.get("host", ""))
        if host not in self._hosts:
            return 421, "this server is not known by that name"
        origin = headers.get("origin")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD", "OPTIONS")
        if changes and origin is not None and origin != _origin(scope, headers["host"]):
            return 403, "requests of other pages are refused"
        if changes and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "requests of other pages are refused"
        if scope["type"] == "websocket" and origin is None:
            return 403, "a socket needs an Origin"
        if self._rate:
            address = (scope.get("client") or ("",))[0]
            if len(self._buckets) > 10_000:
                self._buckets.clear()
            if not self._buckets.setdefault(address, Bucket(self._rate, 4 * self._rate)).take():
                return 429, "too many requests: slow down"
        return None


def _name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _origin(scope: Scope, host: str) -> str:
    secure = scope["scheme"] in ("https", "wss")
    return f"{'https' if secure else 'http'}://{host}"


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            have = {k.lower() for k, _ in message.get("headers", [])}
            more = [(k.encode(), v.encode()) for k, v in HEADERS.items() if k.encode() not in have]
            message["headers"] = [*message.get("headers", []), *more]
        await send(message)

    return sending


async def _refuse(send: Send, status: int, text: str) -> None:
    body = msgspec.json.encode(Failure(text))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
