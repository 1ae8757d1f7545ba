"""The routes of tables, and their sockets."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Path, Request, WebSocket
from fastapi.responses import Response
from starlette.websockets import WebSocketDisconnect, WebSocketState

from dupai.base import DupaiError, RulesError
from dupai.notation import write_phhs
from dupai.web import _messages as m
from dupai.web._guard import FRAME_BURST, FRAME_RATE, MAX_FRAME, Bucket
from dupai.web._http import address_of, answers, attachment, body_of, documented, public_line, reply
from dupai.web._people import Client
from dupai.web._room import Room
from dupai.web._rooms import Rooms

#: Spectators of a table, of them from one address; windows of a seat.
MAX_SPECTATORS, MAX_FROM_ADDRESS, MAX_WINDOWS = 100, 40, 8

Id = Annotated[str, Path(min_length=1, max_length=40)]


def cookie_of(table: str) -> str:
    """The name of the cookie with the token of a seat at a table."""
    return f"seat-{table}"


def table_routes(rooms: Rooms) -> APIRouter:
    """The routes of all tables."""
    routes = APIRouter(prefix="/api/tables", responses=answers())

    def with_token(response: Response, id: str, token: str, request: Request) -> Response:
        response.set_cookie(
            cookie_of(id), token, max_age=30 * 86_400, path="/api", httponly=True, samesite="strict",
            secure=request.url.scheme == "https",
        )  # fmt: skip
        return response

    @routes.get("")
    async def lobby() -> Response:
        return reply(rooms.lobby())

    @routes.post("", openapi_extra=documented(m.NewTable))
    async def make(request: Request) -> Response:
        asked = await body_of(request, m.NewTable)
        room, token = await rooms.make(asked, address_of(request))
        return with_token(reply(m.Made(room.id)), room.id, token, request)

    @routes.get("/{id}")
    async def state(id: Id, request: Request) -> Response:
        room = rooms.room(id)
        client = rooms.client(room, request.cookies.get(cookie_of(id)))
        return reply(room.public().seen_by(client.seat, client.host))

    @routes.post("/{id}/seat", openapi_extra=documented(m.NewSeat))
    async def sit(id: Id, request: Request) -> Response:
        asked = await body_of(request, m.NewSeat)
        room = rooms.room(id)
        client = rooms.client(room, request.cookies.get(cookie_of(id)))
        if client.seat is not None:
            raise RulesError(f"you sit here already, in seat {client.seat + 1}")
        seat = room.sit(asked.name, asked.seat)
        if client.host:
            room.choose(host=seat)
            room.save()
        return with_token(reply(m.Made(room.id)), id, rooms.token(id, seat), request)

    @routes.post("/{id}/again", openapi_extra=documented(m.Again))
    async def again(id: Id, request: Request) -> Response:
        asked = await body_of(request, m.Again)
        room = rooms.room(id)
        seat = rooms.client(room, request.cookies.get(cookie_of(id))).seat
        if seat is None:
            raise RulesError("you have no seat at this table")
        made, token = await rooms.again(room, seat, asked, address_of(request))
        return with_token(reply(m.Made(made.id)), made.id, token, request)

    @routes.get("/{id}/phh")
    async def hands(id: Id, request: Request) -> Response:
        room = rooms.room(id)
        seat = rooms.client(room, request.cookies.get(cookie_of(id))).seat
        text = "".join(write_phhs(seen_records(room, seat)))
        return attachment(text, "hands.phhs", "text/plain; charset=utf-8")

    @routes.websocket("/{id}/socket")
    async def socket(ws: WebSocket, id: str) -> None:
        room = rooms.rooms.get(id)
        if room is None:
            await ws.close(1008)
            return
        client = rooms.client(room, ws.cookies.get(cookie_of(id)))
        client.address = address_of(ws)
        if not _has_room(room, client):
            await ws.close(1008)
            return
        await ws.accept()
        await _serve(ws, room, client)

    return routes


def seen_records(room: Room, seat: int | None) -> list[Any]:
    """The finished hands of a table as a seat may know them: only those that were played since its player sat down."""
    since = room.options.known_since(seat) if seat is not None else len(room.records)
    return [
        r.seen_by(r.seats.index(seat) if seat in r.seats and number >= since else None)
        for number, r in enumerate(room.records)
    ]


def _has_room(room: Room, client: Client) -> bool:
    """Whether one more may look on. A seat always gets in: where it has too many windows, one of them is closed."""
    alike = [c for c in room.clients if c.seat == client.seat and not c.lost]
    if client.seat is None and not client.host:
        return len(alike) < MAX_SPECTATORS and sum(c.address == client.address for c in alike) < MAX_FROM_ADDRESS
    if len(alike) >= MAX_WINDOWS:
        alike[0].end()
    return True


async def _serve(ws: WebSocket, room: Room, client: Client) -> None:
    """A socket until either side closes it."""
    room.add(client)
    sending = asyncio.create_task(_send(ws, client))
    receiving = asyncio.create_task(_receive(ws, room, client))
    try:
        await asyncio.wait((sending, receiving), return_when=asyncio.FIRST_COMPLETED)
    finally:
        room.remove(client)
        for task in (sending, receiving):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError, OSError):
                await task
        if ws.application_state is WebSocketState.CONNECTED and ws.client_state is WebSocketState.CONNECTED:
            with contextlib.suppress(RuntimeError, OSError):
                await ws.close(1008)


async def _send(ws: WebSocket, client: Client) -> None:
    while (frame := await client.queue.get()) is not None:
        await ws.send_text(frame.decode())


async def _receive(ws: WebSocket, room: Room, client: Client) -> None:
    bucket = Bucket(FRAME_RATE, FRAME_BURST)
    decode = msgspec.json.Decoder(m.Request).decode
    encode = msgspec.json.encode
    while True:
        message = await ws.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        if not bucket.take() or text is None or len(text) > MAX_FRAME:
            client.send(encode(m.Refused("too many, too large or no text: the socket is closed")))
            await asyncio.sleep(0.05)
            return
        try:
            await room.request(client, decode(text))
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            client.send(encode(m.Refused(f"not understood: {str(error)[:200]}")))
        except DupaiError as error:
            client.send(encode(m.Refused(public_line(str(error), 400))))
