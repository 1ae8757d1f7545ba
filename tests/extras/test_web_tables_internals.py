"""The browser's table over HTTP and sockets: hands, seats, what each may see, crashes, refusals."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dupai.arena.live import DeckSeal, LiveSettings, LiveStore, LiveTable, verify_deal
from dupai.base import ConfigError
from dupai.engine import EngineError, Hand, Known, Worker, known_spec
from dupai.rules import Action, steps_of
from dupai.web import _messages as m
from dupai.web._kept import KeptTables
from dupai.web._people import Client as WebClient
from dupai.web._room import Room
from dupai.web._rooms import Rooms
from dupai.web._state import Moment, TableOptions, _hand, log_of, public_of
from dupai.web._table_routes import seen_records
from dupai.web._turns import Turns
from support.web_server import Client, Server, sockets


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("web"), "--jobs", "1")
    yield made
    made.close()


def answer(client: Client, rng: random.Random) -> None:
    """A legal action now and then other than a call."""
    turn = client.state["hand"]["turn"]
    raises = [f"r{turn['min']}", f"r{turn['max']}"] if turn["max"] else []
    client.act(rng.choice(["c"] * 6 + raises + ["f"] * bool(turn["fold"])))


def play_until(clients: list[Client], done: Callable[[dict[str, Any]], Any], rng: random.Random) -> None:
    """Everybody plays until the first client's state is such."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        for client in clients:
            try:
                client.next(0.02 if len(clients) > 1 else 60)
            except TimeoutError:
                continue
            if client.turn():
                answer(client, rng)
            client.rebuy()
        if done(clients[0].state):
            return
    raise AssertionError([c.state for c in clients])


def play(clients: list[Client], hands: int, rng: random.Random) -> None:
    """Everybody plays until so many hands are over."""
    play_until(clients, lambda s: s["hand"] and s["hand"]["number"] >= hands and s["phase"] == "over", rng)


def test_a_hand_is_played_and_its_deal_can_be_checked(server: Server) -> None:
    table, token = server.make(opponents=["rules", "style:LA"], seats=3, speed="instant", coach=False, panel=False)
    me = server.client(table, token)
    play([me], 3, random.Random(1))
    hand = me.state["hand"]
    sealed = [json.loads(f)["hand"]["deal"] for f in me.frames if '"hand":{' in f]
    assert {d["hash"] for d in sealed if d["deck"]} <= {d["hash"] for d in sealed if d["deck"] is None}
    order = verify_deal(hand["deal"]["hash"], hand["deal"]["nonce"], hand["deal"]["deck"], ["-"])
    assert len(order) == 52
    seats = me.state["seats"]
    assert sum(s["net"] for s in seats) == 0 and sum(s["won"] or 0 for s in seats) == 0
    # This client sends no share, and the record says so.
    assert hand["deal"]["shares"] == [[seats[0]["name"], "-"]]
    me.close()


def test_the_deck_follows_from_what_people_add(server: Server) -> None:
    """The host used to choose the deck: the hash only showed that it was not changed later."""
    table, token = server.make(opponents=[None], seats=2, speed="instant", coach=False, panel=False, name="Ann")
    ann, bob = server.client(table, token), server.client(table, server.sit(table, "Bob"))
    shares = {"Ann": "a" * 64, "Bob": "b" * 64}
    sent: set[tuple[str, str, bool]] = set()
    end = time.monotonic() + 60
    # The first hand may have been dealt before both were there.
    while ann.state.get("phase") != "over" or ann.state["hand"]["number"] < 2:
        assert time.monotonic() < end
        for name, client in (("Ann", ann), ("Bob", bob)):
            with contextlib.suppress(TimeoutError):
                client.next(0.02)
            seal = client.state.get("seal")
            step = (name, seal["hash"], seal["closed"]) if seal else ("", "", False)
            if seal and step not in sent and (not seal["closed"] or seal["commits"].get(name)):
                sent.add(step)
                text = shares[name] if seal["closed"] else hashlib.sha256(shares[name].encode()).hexdigest()
                client.send(do="share", seal=seal["hash"], text=text)
            if client.turn():
                client.act("c")
    sealed = [json.loads(frame)["seal"] for frame in ann.frames if '"seal"' in frame]
    deal = ann.state["hand"]["deal"]
    both = [["Ann", shares["Ann"]], ["Bob", shares["Bob"]]]
    assert deal["shares"] == both
    # The nonce was sealed before anybody's hash was there, and no share was seen before all hashes were.
    mine = [seal for seal in sealed if seal["hash"] == deal["hash"]]
    assert mine[0]["commits"] == {} and len(mine[-1]["commits"]) == 2 and mine[-1]["closed"]
    assert len(verify_deal(deal["hash"], deal["nonce"], deal["deck"], [share for _, share in both])) == 52
    with pytest.raises(ConfigError, match="another deck"):
        verify_deal(deal["hash"], deal["nonce"], deal["deck"], [shares["Ann"], "c" * 64])
    for client in (ann, bob):
        client.close()


def test_two_people_at_one_table_see_their_own_cards_only(server: Server) -> None:
    table, token = server.make(opponents=[None, "rules"], seats=3, speed="instant", coach=False, name="Ann")
    other = server.sit(table, "Bob")
    ann, bob, watcher = server.client(table, token), server.client(table, other), server.client(table)
    play([ann, bob, watcher], 2, random.Random(2))
    for client in (ann, bob, watcher):
        for frame in client.frames:
            event = json.loads(frame)
            if event["type"] == "state" and event["phase"] == "betting":
                for seat in event["seats"]:
                    if seat["seat"] != event["me"] and seat["cards"]:
                        assert seat["cards"] == ["??", "??"]
                assert event["hand"] is None or event["hand"]["deal"]["deck"] is None
    assert not any('"type":"readings"' in f or '"type":"mirror"' in f for f in watcher.frames)
    assert watcher.state["me"] is None
    for client in (ann, bob, watcher):
        client.close()


def test_the_panel_reads_the_others_and_off_means_off(server: Server) -> None:
    settings = {"opponents": ["rules"], "seats": 2, "speed": "instant", "coach": True, "reader": "start-table"}
    table, token = server.make(**settings)
    me = server.client(table, token)
    seen: dict[str, Any] = {}
    while not {"readings", "mirror", "coach"} <= set(seen):
        event = me.next()
        seen[event["type"]] = event
        if event["type"] == "mirror" and not me.turn():
            me.act("c")
        elif event["type"] == "readings":
            me.turn()
        assert len(me.frames) < 2000
    readings = seen["readings"]
    assert len(readings["seats"][0]["p"]) == 1326 and 0 <= readings["equity"]["mean"] <= 1
    assert readings["advice"]["actions"] and seen["coach"]["lessons"][0]["about"]["text"]
    me.send(do="panel", on=False)
    me.until(lambda e: e["type"] == "state" and not e["panel"])
    count = len(me.frames)
    me._acted = None
    if me.turn():
        me.act("c")
    play([me], me.state["hand"]["number"] + 2, random.Random(3))
    assert not any('"type":"readings"' in f or '"type":"mirror"' in f for f in me.frames[count:])
    me.close()


def test_after_a_crash_everybody_is_back_in_the_same_hand(tmp_path: Path) -> None:
    server = Server(tmp_path, "--jobs", "1")
    try:
        table, token = server.make(opponents=["rules", "style:LA", "rules"], seats=4, speed="instant", panel=False)
        me = server.client(table, token)
        play([me], 3, random.Random(4))
        me.send(do="next")
        me.until(lambda e: e["type"] == "state" and me.turn() and e["hand"]["number"] > 3)
        before = me.state
        server.kill()
        server.start()
        again = server.client(table, token)
        again.until(lambda e: e["type"] == "state" and e["phase"] == "betting")
        after = again.state
        for key in ("number", "n", "board", "pot", "log"):
            assert after["hand"][key] == before["hand"][key], key
        assert after["hand"]["deal"] == before["hand"]["deal"]
        assert [s["cards"] for s in after["seats"]] == [s["cards"] for s in before["seats"]]
        play([again], 5, random.Random(5))
        assert sum(s["net"] for s in again.state["seats"]) == 0
        again.close()
    finally:
        server.close()
    with LiveStore(tmp_path / "tables.db") as store:
        hands = store.hands(table)
        assert [r.hand for r, _ in hands] == [1, 2, 3, 4, 5]
        for record, deck in hands:
            dealt = verify_deal(deck.hash, deck.nonce, deck.deck, [share for _, share in deck.shares])
            assert tuple(c for two in record.hole for c in two) == dealt[: 2 * len(record.hole)]


def test_lessons_and_calibration_go_on_after_a_restart_and_end_when_one_leaves(tmp_path: Path) -> None:
    server = Server(tmp_path, "--jobs", "1")
    try:
        table, token = server.make(opponents=["caller"], seats=2, speed="instant", reader="start-table")
        me = server.client(table, token)
        told: dict[str, dict[str, Any]] = {}
        while not {"reveal", "coach"} <= told.keys():
            event = me.next()
            told[event["type"]] = event
            if me.turn():
                me.act("c")
        server.kill()
        server.start()
        again = server.client(table, token)
        first = {kind: again.until(lambda e, kind=kind: e["type"] == kind) for kind in ("reveal", "coach")}
        assert first["reveal"]["calibration"]["shown"] >= told["reveal"]["calibration"]["shown"] >= 1
        assert first["coach"]["total"]["n"] >= told["coach"]["total"]["n"] >= 1
        again.send(do="leave")
        again.until(lambda e: e["type"] == "state" and e["me"] is None)
        again.close()
        # The file is written by a thread of its own.
        end = time.monotonic() + 10
        with LiveStore(tmp_path / "tables.db") as store:
            while store.reviews(table) and time.monotonic() < end:
                time.sleep(0.05)
            assert store.reviews(table) == []
    finally:
        server.close()


def test_a_spot_is_played_again_against_hands_dealt_anew(server: Server) -> None:
    quick = {"speed": "instant", "coach": False, "panel": False, "reader": "start-table"}
    table, token = server.make(opponents=["caller", "caller"], seats=3, **quick)
    me = server.client(table, token)
    me.until(lambda e: e["type"] == "state" and me.turn())
    mine, hand = me.state["seats"][0]["cards"], me.state["hand"]
    me.act("c")
    play([me], 1, random.Random(8))
    server.http.cookies.set(f"seat-{table}", token)
    for bad in ({"hand": 99, "decision": 1}, {"hand": 1, "decision": 99}):
        assert server.http.post(f"/api/tables/{table}/again", json=bad).status_code == 400
    made = server.http.post(f"/api/tables/{table}/again", json={"hand": 1, "decision": 1})
    assert made.status_code == 200, made.text
    again = made.json()["id"]
    spot = server.client(again, made.cookies[f"seat-{again}"])
    spot.until(lambda e: e["type"] == "state" and spot.turn())
    assert spot.state["seats"][0]["cards"] == mine
    assert [spot.state["hand"][k] for k in ("n", "board", "pot")] == [hand[k] for k in ("n", "board", "pot")]
    assert spot.state["hand"]["deal"]["hash"] != hand["deal"]["hash"]
    spot.act("c")
    play([spot], 2, random.Random(9))
    assert sum(s["net"] for s in spot.state["seats"]) == 0
    server.http.cookies.clear()
    assert server.http.post(f"/api/tables/{table}/again", json={"hand": 1, "decision": 1}).status_code == 409
    me.close()
    spot.close()


def test_a_table_with_a_seat_for_a_friend_waits_until_they_come_or_the_host_deals(server: Server) -> None:
    settings = {"opponents": [None, "caller", "caller"], "seats": 4, "speed": "instant", "coach": False, "panel": False}
    table, token = server.make(**settings, name="Ann")
    ann = server.client(table, token)
    with pytest.raises(TimeoutError):
        while ann.next(1.0)["type"] != "state" or ann.state["hand"] is None:
            pass
    ann.send(do="next")
    assert ann.until(lambda e: e["type"] == "state" and e["hand"] is not None)["seats"][1]["kind"] == "empty"
    ann.close()


def test_people_sit_out_come_back_and_leave(server: Server) -> None:
    table, token = server.make(
        opponents=[None, "rules"], seats=3, speed="instant", coach=False, panel=False, name="Ann"
    )
    bob = server.client(table, server.sit(table, "Bob"))
    ann = server.client(table, token)
    play([ann, bob], 1, random.Random(6))
    rng = random.Random(7)
    bob.send(do="sit_out")
    play_until([ann, bob], lambda s: s["seats"][1]["status"] == "away", rng)
    bob.send(do="leave")
    play_until([ann, bob], lambda s: s["seats"][1]["kind"] == "empty", rng)
    bob.send(do="act", hand=1, n=0, action="c")
    refused = bob.until(lambda e: e["type"] == "error")
    assert "take a seat" in refused["text"]
    ann.send(do="fly")
    assert "not understood" in ann.until(lambda e: e["type"] == "error")["text"]
    ann.close()
    bob.close()


class SlowEngine:
    """An engine whose answers to ``start`` are waited for; it keeps what it was asked."""

    born, matches, lost = 1, 0, False

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.let = asyncio.Event()

    def for_agent(self, spec: str) -> SlowEngine:
        return self

    place = lambda self, beside: self  # noqa: E731

    async def ask(self, method: str, **fields: Any) -> None:
        self.asked.append((method, fields))
        if method == "start":
            await self.let.wait()


class Here:
    """An engine in this process, which answers at once; it keeps what it was asked."""

    born, matches, lost = 1, 0, False

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.answers: list[bytes] = []
        self.worker = Worker(self.answers.append)
        self._turns = Turns(1)

    def for_agent(self, *specs: str) -> Here:
        return self

    for_thoughts = for_agent
    place = lambda self, beside: self  # noqa: E731
    turns = lambda self, engine: self._turns  # noqa: E731
    knows = lambda self, method: False  # noqa: E731

    async def settled(self) -> None:
        pass

    async def check(self, spec: str, kind: str = "agent") -> Known:
        return known_spec(spec, kind)

    async def ask(self, method: str, **fields: Any) -> Any:
        await asyncio.sleep(0)
        self.asked.append((method, fields))
        self.answers.clear()
        self.worker._work(self.worker._decode(msgspec.json.encode({**fields, "id": "1", "method": method})))
        answer = msgspec.json.decode(self.answers[-1])
        if "error" in answer:
            raise EngineError(answer["error"], answer["kind"])
        return answer["result"]


def against(spec: str, folder: Path, engine: Here | None = None, **options: Any) -> tuple[Room, Here, WebClient]:
    """A table of Ann against an agent in this process, and her client."""
    engine = engine or Here()
    table = LiveTable(LiveSettings(seats=2))
    options = {"host": 0, "speed": "instant", "reader": "start-table", **options}
    room = Room("table", table, TableOptions(**options), KeptTables(folder / "tables.db"), engine)
    room.sit("Ann", 0)
    table.sit(spec, 1, spec=spec)
    return room, engine, WebClient(0, True)


async def checks(room: Room, client: WebClient, done: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
    """Ann checks and calls through the first hand until she is sent such a frame: all frames."""
    frames: list[dict[str, Any]] = []
    for _ in range(2000):
        await asyncio.sleep(0.005)
        while not client.queue.empty():
            frames.append(json.loads(client.queue.get_nowait()))
            if done(frames[-1]):
                return frames
        if room.table.actor == 0 and room.table.now.hand == 1:
            await room.request(client, m.Act(room.table.now.hand, len(room.table.now.actions), "c"))
    raise AssertionError("it did not come")


def test_a_hand_is_judged_by_a_reader_that_has_not_seen_how_it_ended(tmp_path: Path) -> None:
    async def story() -> None:
        room, engine, client = against("caller", tmp_path, coach=True)
        await engine.ask("options", set={"deals": 20, "seconds": 0.2})
        room.add(client)
        room.start()
        await checks(room, client, lambda e: e["type"] == "coach")
        # The panel of the next hand knows the first one.
        while not any(method == "analyse" and f["hand"].hand == 2 for method, f in engine.asked):
            await asyncio.sleep(0.005)
        await room.close()
        mine = [(method, f) for method, f in engine.asked if ".person0." in f.get("match", "")]
        assert mine[0][0] == "start" and not mine[0][1]["records"]
        methods = [method for method, _ in mine]
        told, judged = methods.index("observe"), max(k for k, method in enumerate(methods) if method == "coach")
        assert [f["first"] for method, f in mine if method == "coach"] == [1, 2, 3, 4]
        asked = [f["hand"].hand for method, f in mine[:told] if method == "analyse"]
        assert judged < told and set(asked) == {1} and mine[told][1]["record"].hand == 1

    asyncio.run(story())


def test_others_are_answered_between_the_decisions_of_a_hand_that_is_judged(tmp_path: Path) -> None:
    """The next question of the same person waits: its reader may know how the hand ended."""

    async def story() -> None:
        engine = Here()
        rooms = [against("caller", tmp_path, engine)[0] for _ in range(2)]
        for room in rooms:
            room.table.deal()
        now = rooms[0].table.now
        hand = Hand.of(now.view(now.actor))
        await engine.ask("options", set={"deals": 20, "seconds": 0.2})
        ask, ask_other = (partial(room.matches.ask, "person", 0, "analyse", hand=hand, want=[]) for room in rooms)
        judged = [{"decisions": [{"hand": hand, "action": "c"}], "first": k} for k in (1, 2, 3)]
        lessons, *_ = await asyncio.gather(
            rooms[0].matches.ask_each("person", 0, "coach", judged), ask(), ask_other()
        )  # fmt: skip
        asked = [(m, f["match"].partition(".")[2]) for m, f in engine.asked if m in ("coach", "analyse")]
        mine = next(f["match"].partition(".")[2] for m, f in engine.asked if m == "coach")
        assert [(m, match == mine) for m, match in asked] == [
            ("coach", True), ("analyse", False), ("coach", True), ("coach", True), ("analyse", True)
        ]  # fmt: skip
        assert [one["lessons"][0]["decision"] for one in lessons] == [1, 2, 3]
        for room in rooms:
            await room.close()

    asyncio.run(story())


def test_lessons_are_numbered_as_the_record_has_the_decisions(tmp_path: Path) -> None:
    """After a restart in the hand too: "play this spot again" opens the decision that the lesson is about."""

    async def story() -> None:
        room, engine, client = against("caller", tmp_path, coach=True, panel=False)
        room.add(client)
        room.start()
        await checks(room, client, lambda e: e["type"] == "state" and bool(e["hand"]) and len(e["hand"]["board"]) == 3)
        await room.close()
        again = Room("table", LiveTable(room.table.settings, room.table.state), room.options, room.store, engine)
        await engine.ask("options", set={"deals": 20, "seconds": 0.2})
        client = WebClient(0, True)
        again.add(client)
        again.start()
        lessons = (await checks(again, client, lambda e: e["type"] == "coach"))[-1]["lessons"]
        await again.close()
        assert [one["street"] for one in lessons] == [0, 1, 2, 3]
        for one in lessons:
            assert (await again.reviews.spot_again(0, 1, one["decision"])).now.street == one["street"]

    asyncio.run(story())


def test_whoever_comes_back_at_their_turn_has_the_panel(tmp_path: Path) -> None:
    async def story() -> None:
        room, _, client = against("caller", tmp_path, coach=False)
        room.table.deal()
        while room.table.actor != 0:
            room.table.act(1, Action.call())
        room.start()
        await asyncio.sleep(0.02)
        room.add(client)
        for _ in range(400):
            await asyncio.sleep(0.01)
            while not client.queue.empty():
                if json.loads(client.queue.get_nowait())["type"] == "readings":
                    await room.close()
                    return
        raise AssertionError("no panel")

    asyncio.run(story())


def test_a_table_without_a_host_at_it_takes_whoever_sits_down(tmp_path: Path) -> None:
    async def story() -> None:
        room = room_of(tmp_path, tournament=True)
        finish_hand(room)
        room._leave(0)
        room._leave(1)
        # Those who have left a tournament keep their seats there, and are not host.
        assert room.options.host == 3
        cash = room_of(tmp_path)
        for seat in (0, 1, 3):
            cash._leave(seat)
        cash.sit("Joe", 2)
        assert cash.options.host == 2

    asyncio.run(story())


def test_a_forgotten_table_leaves_no_match_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        engine = Here()
        rooms = Rooms(KeptTables(tmp_path / "tables.db"), engine, most=1)
        monkeypatch.setattr("dupai.web._rooms._OLD", 0.0)
        asked = m.NewTable(seats=3, opponents=("rules", "caller"), name="", coach=False, panel=False, speed="instant")
        for _ in range(2):
            room, _ = await rooms.make(asked)
            room.add(client := WebClient(None, True))
            for _ in range(1000):
                await asyncio.sleep(0.01)
                if room.records:
                    break
            room.remove(client)
            await asyncio.sleep(0.05)
        assert {name.split(".")[0] for name in engine.worker._matches} == {room.id}
        await rooms.close()

    asyncio.run(story())


def test_the_lobby_leaves_out_tables_that_nobody_is_at(tmp_path: Path) -> None:
    async def story() -> None:
        rooms = Rooms(KeptTables(tmp_path / "tables.db"), Here())
        room, _ = await rooms.make(m.NewTable(seats=2, opponents=("caller",), coach=False, panel=False))
        assert [one.id for one in rooms.lobby()] == [room.id]
        room.used -= 1e6
        assert rooms.lobby() == [] and rooms.room(room.id) is room
        room.add(WebClient(None, True))
        assert [one.id for one in rooms.lobby()] == [room.id]
        await rooms.close()

    asyncio.run(story())


def test_the_usual_opponents_play_what_is_played(server: Server) -> None:
    usual = server.http.get("/api/info").json()["opponents"]
    for game in ("no-limit", "limit"):
        assert server.http.post("/api/tables", json={"game": game, "seats": 10}).status_code == 200
        asked = {"game": game, "seats": len(usual[game]) + 1, "opponents": usual[game], "name": "Ann"}
        assert server.http.post("/api/tables", json=asked).status_code == 200


def room_of(folder: Path, **settings: Any) -> Room:
    """A table in this process: people in seats 0, 1 and 3."""
    table = LiveTable(LiveSettings(seats=4, betting="no-limit", blinds=(50, 100), stack=10_000, **settings))
    room = Room("table", table, TableOptions(host=0), KeptTables(folder / "tables.db"), SlowEngine())
    for seat, name in ((0, "Ann"), (1, "Bob"), (3, "Eve")):
        room.sit(name, seat)
    return room


def finish_hand(room: Room) -> None:
    """A hand in which the first player raises and the others fold."""
    table = room.table
    table.deal()
    table.act(table.actor, Action.raise_to(600))
    while not table.now.finished:
        table.act(table.actor, Action.fold())
    room._finished_hand = table.finish()
    room.records.append(room._finished_hand)


def test_chips_that_came_back_are_in_no_pot(tmp_path: Path) -> None:
    async def story() -> None:
        room = room_of(tmp_path)
        finish_hand(room)
        hand = _hand(room.table, room.table.now, Moment("over", 0, room._finished_hand, room._seal), [])
        assert hand.pot == sum(pot.chips for pot in hand.pots) < room.table.now.pot

    asyncio.run(story())


def test_a_hand_names_who_played_it_also_after_they_left(tmp_path: Path) -> None:
    async def story() -> None:
        room = room_of(tmp_path)
        finish_hand(room)
        room._finished_hand = msgspec.structs.replace(
            room._finished_hand, names=tuple(room.table.seats[k].name for k in room._finished_hand.seats)
        )
        room._leave(1)
        room.sit("Joe", 1)
        over = room._finished_hand
        names = {line.name for line in log_of(steps_of(over or room.table.now.line), room.table, 0, over)}
        assert names == {"Ann", "Bob", "Eve"}

    asyncio.run(story())


def test_the_host_who_leaves_is_followed_by_somebody_who_plays(tmp_path: Path) -> None:
    async def story() -> None:
        room = room_of(tmp_path)
        room._leave(1)
        # The question that Bob left behind ends.
        asking = asyncio.create_task(room._wait_silently(0.01, 1))
        await asking
        room._leave(0)
        assert room.options.host == 3

    asyncio.run(story())


def test_who_stays_knows_the_own_hands_after_others_leave(tmp_path: Path) -> None:
    async def story() -> None:
        room = room_of(tmp_path)
        finish_hand(room)
        room._leave(1)
        room.sit("Joe", 1)
        finish_hand(room)
        for seat, known in ((0, [True, True]), (3, [True, True]), (1, [False, True])):
            seen = [r.hero is not None for r in seen_records(room, seat)]
            assert seen == known, seat
        with pytest.raises(ConfigError, match="since the players"):
            await room.reviews.spot_again(0, 1, 1)
        with pytest.raises(ConfigError, match="you were dealt"):
            await room.reviews.spot_again(1, 1, 1)

    asyncio.run(story())


def test_a_match_that_is_started_while_somebody_sits_down_knows_them(tmp_path: Path) -> None:
    async def story() -> None:
        table = LiveTable(LiveSettings(seats=3, betting="no-limit", blinds=(50, 100), stack=10_000))
        table.sit("rules", 1, spec="rules")
        engine = SlowEngine()
        room = Room("table", table, TableOptions(), KeptTables(tmp_path / "tables.db"), engine)
        starting = asyncio.create_task(room.matches.started("agent", 1))
        await asyncio.sleep(0.01)
        room.sit("Ann", 0)
        engine.let.set()
        name = (await starting).name
        await asyncio.sleep(0.01)
        starts = [fields for method, fields in engine.asked if method == "start"]
        assert ["Ann" in fields["names"] for fields in starts] == [False, True]
        assert name == starts[1]["match"]
        assert [fields["match"] for method, fields in engine.asked if method == "stop"] == [starts[0]["match"]]

    asyncio.run(story())


def test_an_agent_whose_process_has_ended_is_started_again_before_it_is_asked(tmp_path: Path) -> None:
    async def story() -> None:
        room, engine, _ = against("caller", tmp_path)
        first = await room.matches.started("agent", 1)
        assert await room.matches.started("agent", 1) is first
        engine.lost = True
        assert (await room.matches.started("agent", 1)).name != first.name

    asyncio.run(story())


def test_a_tournament_ends_when_its_people_are_out(tmp_path: Path) -> None:
    async def story() -> None:
        engine = Here()
        table = LiveTable(LiveSettings(seats=3, tournament=True))
        options = TableOptions(host=0, speed="instant", reader="start-table")
        room = Room("table", table, options, KeptTables(tmp_path / "tables.db"), engine)
        room.sit("Ann", 0)
        for seat, spec in ((1, "raiser"), (2, "caller")):
            table.sit(spec, seat, spec=spec)
        table.state.hand = 1
        table.seats[0].stack = 0
        room.add(WebClient(0, True))
        room.start()
        for _ in range(6000):
            await asyncio.sleep(0.005)
            if table.state.ends:
                break
        await room.close()
        assert table.state.ends and room._note == ""

    asyncio.run(story())


@pytest.mark.parametrize(
    ("settings", "words"),
    [({"seats": 11}, "seats"), ({"opponents": ["ruels"]}, "rules"), ({"stack": 10}, "stack"),
     ({"name": "x" * 30}, "name"), ({"more": 1}, "more"), ({"big_blind": "x"}, "big_blind"),
     ({"seats": 2, "opponents": ["rules"] * 3}, "opponents"), ({"advisor": "nobody"}, "nobody"),
     ({"reader": "nobody"}, "nobody"), ({"reader": "model:/etc/passwd"}, "files"),
     ({"advisor": "swarm:x.npz"}, "files"),
     ({"opponents": ["acpc:host=127.0.0.1,port=1"]}, "programs"), ({"clock": -1}, "clock")],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_in_one_line(server: Server, settings: dict[str, Any], words: str) -> None:
    reply = server.http.post("/api/tables", json=settings)
    assert reply.status_code == 400 and words in reply.json()["error"] and "\n" not in reply.json()["error"]


def test_other_hosts_origins_and_sizes_are_refused(server: Server) -> None:
    get, post = server.http.get, server.http.post
    assert get("/api/tables", headers={"host": "evil.example"}).status_code == 421
    assert post("/api/tables", json={}, headers={"origin": "http://evil.example"}).status_code == 403
    assert post("/api/tables", json={}, headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert post("/api/tables", content=b"x" * 70_000).status_code == 413
    assert post("/api/tables", content=b"{}").status_code == 400  # no content type
    assert get("/api/tables/none").status_code == 404
    assert get("/api/nothing").status_code == 404
    reply = get("/api/info")
    assert "default-src 'none'" in reply.headers["content-security-policy"]
    assert len(reply.json()["combos"]) == 1326 and reply.json()["agents"]
    for path in ("/../pyproject.toml", "/assets/../../__init__.py", "/..%2f..%2f__init__.py", "/static/../_app.py"):
        assert "import" not in get(path).text
    table, _ = server.make(opponents=["rules"], seats=2)
    for headers in ({}, {"Origin": "http://evil.example"}):
        with pytest.raises(Exception, match=r"403|rejected"):
            sockets.connect(f"ws://{server.host}/api/tables/{table}/socket", additional_headers=headers)


def test_in_a_run_out_the_chips_that_nobody_could_call_are_back() -> None:
    table = LiveTable(LiveSettings(seats=2, stack=10_000))
    table.sit("A", 0)
    table.sit("B", 1)
    table.seats[1].stack = table.seats[1].bought = 4_000
    table.deal()
    while table.actor is not None:
        assert table.now is not None
        legal = table.now.legal
        raises = table.actor == 0 and legal.can_raise
        table.act(table.actor, Action.raise_to(legal.max_to) if raises else Action.call())
    state = public_of("x", table, TableOptions(), Moment("runout", 0, None, DeckSeal()), {0, 1}, 0, "").state
    assert state.hand is not None and state.hand.pot == 8_000
    assert [(seat.stack, seat.net) for seat in state.seats] == [(6_000, -4_000), (0, -4_000)]


def test_reviews_come_before_the_players_change(tmp_path: Path) -> None:
    """They ask the reader that knew who played the hand, also where one of them leaves after it."""

    async def story() -> None:
        room = room_of(tmp_path)
        room.choose(speed="instant")
        table = room.table
        table.deal()
        table.act(table.actor, Action.raise_to(600))
        while not table.now.finished:
            table.act(table.actor, Action.fold())
        changes, seen = room.matches._changes, []

        async def review() -> None:
            await asyncio.sleep(0.05)
            seen.append(room.matches._changes)

        room.reviews.after_hand = lambda seat, record: [room.later(review())]  # type: ignore[method-assign]
        room.here = lambda: {0, 3}  # type: ignore[method-assign]
        table.leave(1)
        await room._finish()
        assert seen == [changes, changes] and room.matches._changes > changes
        assert not table.seats[1].kind

    asyncio.run(story())


def test_a_match_that_cannot_be_started_takes_no_place(tmp_path: Path) -> None:
    class Refusing(SlowEngine):
        def for_agent(self, spec: str) -> SlowEngine:
            self.matches += 1
            return self

        async def ask(self, method: str, **fields: Any) -> None:
            raise EngineError("no", "ConfigError")

    async def story() -> None:
        room = room_of(tmp_path)
        engine = Refusing()
        room.matches._engines = engine  # type: ignore[assignment]
        with pytest.raises(EngineError):
            await room.matches.ask("agent", 1, "act")
        assert engine.matches == 0

    asyncio.run(story())


def test_an_agent_that_fails_to_take_in_a_hand_is_named_at_the_table(tmp_path: Path) -> None:
    async def story() -> None:
        room, engine, _ = against("caller", tmp_path)
        match = await room.matches.started("agent", 1)
        finish_hand(room)

        async def fails(method: str, **fields: Any) -> None:
            raise EngineError("caller failed in observe", "AgentError")

        engine.ask = fails  # type: ignore[method-assign]
        await asyncio.gather(*room.matches._news(match, 1, 1))
        assert room._note == "caller failed in observe"

    asyncio.run(story())


class Thinking(Here):
    """Its analyses never end."""

    apart = property(lambda self: self)

    async def ask(self, method: str, **fields: Any) -> Any:
        if method == "analyse":
            await asyncio.sleep(600)
        return await super().ask(method, **fields)


def test_a_panel_has_a_limit_and_is_given_up_when_the_table_moves_on(tmp_path: Path) -> None:
    async def free(engine: Here) -> None:
        async with asyncio.timeout(1), engine.turns(engine).turn("another table"):
            pass

    async def story() -> None:
        room, engine, client = against("caller", tmp_path, Thinking())
        with pytest.raises(EngineError, match="no answer within"):
            await room.matches.ask("person", 0, "analyse", seconds=0.001)
        await free(engine)
        room.add(client)
        room.table.deal()
        if room.table.actor != 0:
            room.table.act(1, Action.call())
        room.reviews.offer_panel(0)
        await asyncio.sleep(0.05)
        with pytest.raises(TimeoutError):
            await free(engine)
        room.reviews.drop_panel(0)
        await free(engine)
        await room.close()

    asyncio.run(story())
