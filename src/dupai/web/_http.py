"""The small change of HTTP: bodies decoded and checked, answers encoded, errors in one line."""

from __future__ import annotations

import asyncio
import re
from typing import Any, TypeVar

import msgspec
from fastapi import Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection

from dupai.base import NotationError
from dupai.web._messages import Failure

T = TypeVar("T")
#: Seconds in which a body has to come.
BODY_SECONDS = 30.0


class Gone(Exception):
    """There is no such thing (404)."""


def address_of(connection: HTTPConnection) -> str:
    """Where a request or a socket comes from."""
    return connection.client.host if connection.client is not None else ""


def reply(value: Any, status: int = 200) -> Response:
    """An answer in JSON."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def attachment(content: str | bytes, name: str, media_type: str) -> Response:
    """An answer that a browser saves as a file."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media_type, headers=headers)


#: The folders of a path: absolute ones, and those before the name of a file.
_FOLDERS = re.compile(
    r"""(?<![\w/\\.])(?:~|[A-Za-z]:|\.{1,2})?[/\\](?:[^\s/\\'",:]+[/\\])*(?=[^\s/\\'"])"""
    r"|(?<!\w)(?:[\w.-]+[/\\])+(?=[\w-]+\.[A-Za-z])"
)


def public_line(text: str, size: int = 600) -> str:
    """A text for visitors: one line, and of files of the server their names alone."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return _FOLDERS.sub("", line)[:size]


def failure(status: int, text: str) -> Response:
    """An error in one line."""
    return reply(Failure(public_line(text)), status)


async def bytes_of(request: Request) -> bytes:
    """The body of a request.

    Raises:
        HTTPException: it does not come within :data:`BODY_SECONDS`, or is cut off.
    """
    try:
        async with asyncio.timeout(BODY_SECONDS):
            body: bytes = await request.body()
    except (TimeoutError, ClientDisconnect):
        raise HTTPException(408, "the body did not come, or not in time") from None
    return body


async def body_of(request: Request, kind: type[T]) -> T:
    """The body of a request.

    Raises:
        NotationError: it is not of this kind; says where.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise NotationError("expected content-type application/json")
    try:
        return msgspec.json.decode(await bytes_of(request), type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise NotationError(f"the body is not what is expected: {error}") from None


def documented(kind: type[Any]) -> dict[str, Any]:
    """For OpenAPI: the body of a route."""
    (schema,), parts = msgspec.json.schema_components([kind], ref_template="#/components/schemas/{name}")
    schema = _inlined(schema, parts)
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def answers() -> dict[int | str, dict[str, Any]]:
    """For OpenAPI: the errors that a route answers with."""
    words = {400: "it makes no sense", 403: "refused", 404: "there is none", 409: "not now", 411: "no length",
             413: "too large", 421: "another host", 429: "too many", 503: "full"}  # fmt: skip
    return {status: {"description": text} for status, text in words.items()}


def _inlined(schema: Any, parts: dict[str, Any]) -> Any:
    """A schema with its parts in place, because OpenAPI wants them elsewhere."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            return _inlined(parts[schema["$ref"].rpartition("/")[2]], parts)
        return {key: _inlined(value, parts) for key, value in schema.items()}
    if isinstance(schema, list):
        return [_inlined(value, parts) for value in schema]
    return schema
