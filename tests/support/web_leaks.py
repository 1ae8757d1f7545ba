"""Plays hands at a table with two people and somebody who looks on, and looks for cards that nobody may know yet in
every frame that each of them is sent."""

from __future__ import annotations

import json
import random
import re
import time
from pathlib import Path
from typing import Any

from dupai.arena.live import LiveStore
from dupai.cards import card_text
from support.web_server import Client, Server

#: A card in a text that holds other things too.
CARD = re.compile(r"(?<![A-Za-z0-9])(?:[2-9TJQKA][cdhs])+(?![A-Za-z0-9])")


def cards_in(value: Any) -> set[str]:
    """All cards in all texts of a document."""
    if isinstance(value, str):
        return {run[k : k + 2] for run in CARD.findall(value) for k in range(0, len(run), 2)}
    if isinstance(value, dict):
        return set().union(*map(cards_in, [*value, *value.values()]))
    if isinstance(value, list):
        return set() if value and isinstance(value[0], float) else set().union(*map(cards_in, value))
    return set()


def play(clients: list[Client], hands: int, rng: random.Random, seconds: float) -> None:
    """Everybody plays until so many hands are over."""
    end = time.monotonic() + seconds
    waits: dict[tuple[int, int], float] = {}
    while time.monotonic() < end:
        for client in clients:
            while True:
                try:
                    client.next(0.0005)
                except TimeoutError:
                    break
            hand = client.state["hand"]
            now = (hand["number"], hand["n"]) if hand else (0, 0)
            patience = waits.setdefault(now, time.monotonic() + 5)
            if client.state["panel"] and sum(now) % 4 == 0 and client.read != now and time.monotonic() < patience:
                # At one decision of four the panel, where there is one, is waited for.
                continue
            if client.turn():
                turn = client.state["hand"]["turn"]
                raises = [f"r{turn['min']}", f"r{turn['max']}"] if turn["max"] else []
                client.act(rng.choice(["c"] * 5 + raises + ["f"] * (2 * bool(turn["fold"]))))
            client.rebuy()
        hand = clients[0].state["hand"]
        # The next hand may have begun before this client looked.
        if hand and (hand["number"] > hands or (hand["number"] == hands and clients[0].state["phase"] == "over")):
            return
    raise AssertionError(f"the hands took too long: {[c.state for c in clients]}")


def search(folder: Path, hands: int, seconds: float) -> dict[str, int]:
    """Play and search; returns what was counted.

    Raises:
        AssertionError: a frame holds a card that its receiver may not know.
    """
    server = Server(folder, "--jobs", "1")
    try:
        settings = {"seats": 5, "opponents": [None, "rules", "style:LA", "rules"], "name": "Ann"}
        table, token = server.make(speed="instant", reader="start-table", coach=False, **settings)
        people = [server.client(table, token), server.client(table, server.sit(table, "Bob"))]
        clients = [*people, server.client(table)]
        for client in clients:
            client.next()
        play(clients, hands, random.Random(1), seconds)
        last = people[0].state
        in_pot = 0 if last["phase"] in ("over", "waiting") else last["hand"]["pot"]
        assert sum(s["net"] for s in last["seats"]) + in_pot == 0
    finally:
        server.close()
    with LiveStore(folder / "tables.db") as store:
        records = {record.hand: record for record, _ in store.hands(table)}
    counted = {"hands": len(records), "frames": 0, "readings": 0, "cards": 0, "hidden": 0}
    for client in clients:
        seat: int | None = None
        for text in client.frames:
            event = json.loads(text)
            if event["type"] == "state":
                # Where the receiver sits now, for a seat can be lost. The table's name is random and may read like a
                # card ("Ac_...", one of a thousand).
                seat = event["me"]
                assert event.pop("table") == table
            counted["frames"] += 1
            counted["readings"] += event["type"] == "readings"
            number, street, over, runout = _when(event)
            record = records.get(number)
            if record is None or over:
                continue
            allowed = {card_text(c) for c in record.board[: (0, 3, 4, 5)[street]]}
            for p, two in enumerate(record.hole):
                if record.seats[p] == seat or (runout and record.shown[p]):
                    allowed |= {card_text(c) for c in two}
            found = cards_in(event)
            counted["cards"] += len(found)
            counted["hidden"] += 2 * len(record.hole) + 5 - len(allowed)
            assert found <= allowed, (sorted(found - allowed), seat, event)
    return counted


def _when(event: dict[str, Any]) -> tuple[int, int, bool, bool]:
    """Hand, street, whether the hand is over, whether it is run out."""
    if event["type"] == "state":
        hand = event["hand"]
        if hand is None:
            return 0, 0, True, False
        over = event["phase"] == "over" or hand["deal"]["deck"] is not None
        return hand["number"], hand["street"], over, event["phase"] == "runout"
    if event["type"] in ("readings", "mirror"):
        grids = event["seats"][0]["streets"] if event["type"] == "readings" and event["seats"] else []
        grids = event["reading"]["streets"] if event["type"] == "mirror" else grids
        return event["hand"], max((g["street"] for g in grids), default=3), False, False
    # What comes after the hand, when the deck is open.
    return event.get("hand", 0), 3, True, True
