"""The engine: what it answers to good and bad lines, cancelling, several processes."""

from __future__ import annotations

import asyncio
import io
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest

from dupai.agents import BaseAgent, MatchInfo
from dupai.base import NotationError, Rng
from dupai.cards import NO_CARD, cards
from dupai.engine import Engine, EngineError, EnginePool, Hand, action_of, serve
from dupai.engine._analysis import _equity, _rounded
from dupai.engine._serve import _Front
from dupai.engine._worker import Worker, check_finished
from dupai.reading import load_reader, readings_to_draw
from dupai.rules import Action, GameSpec, HandRecord, HandState, View

GAME = GameSpec.no_limit(2, (50, 100), 1000)
RIVER = {
    "game": json.loads(msgspec.json.encode(GAME)),
    "position": 0,
    "hole": "AsKd",
    "board": "Ah7c2d9s3h",
    "actions": ["c", "c", "c", "c", "c", "c"],
}
#: Six players and two blinds; the first player is not stated.
SHORT_BLINDS = {"players": 6, "betting": "no-limit", "blinds": [50, 100], "stacks": [1000] * 6}


def ask(*requests: dict[str, Any] | str, jobs: int = 1) -> list[dict[str, Any]]:
    lines = [(r if isinstance(r, str) else json.dumps(r)).encode() + b"\n" for r in requests]
    out = io.BytesIO()
    serve(lines, out, jobs)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_it_says_what_it_is_and_takes_options_by_name() -> None:
    hello, options, wrong, bad = ask(
        {"id": "1", "method": "hello"},
        {"id": "2", "method": "options", "set": {"digits": 3}},
        {"id": "3", "method": "options", "set": {"digit": 3}},
        {"id": "4", "method": "options", "set": {"digits": "three"}},
    )
    assert hello["result"]["protocol"] == 1 and "analyse" in hello["result"]["methods"]
    assert options["result"]["digits"] == 3
    assert wrong["kind"] == "ConfigError" and "digits" in wrong["error"]
    assert "expected one like" in bad["error"]


def test_the_page_of_the_protocol_shows_what_is_answered() -> None:
    page = (Path(__file__).parents[3] / "docs" / "reference" / "engine.md").read_text(encoding="utf-8")
    requests = [line for line in re.findall(r"^> (\{.*?\})$", page, re.DOTALL | re.MULTILINE) if '"hello"' not in line]
    replies = {reply["id"]: reply for reply in ask(*(json.dumps(json.loads(r)) for r in requests if "fly" not in r))}
    result = replies["3"]["result"]
    (line,), action, reason = result["ranges"], result["actions"][0], result["reasons"][0]
    shown = [json.dumps({"id": "5", "result": replies["5"]["result"]}), f'"equity": {json.dumps(result["equity"])}']
    shown += [f'"action": "{action["action"]}", "text": "{action["text"]}", "p": {action["p"]}', reason["text"]]
    shown += [f'"code": "{reason["code"]}"', f'"entropy": {line["entropy"]},']
    shown += [json.dumps(line["classes"][:2])[:-1], json.dumps(line["draws"])]
    assert [text for text in shown if text not in page] == []


def test_options_are_set_all_or_none() -> None:
    refused, hello = ask(
        {"id": "1", "method": "options", "set": {"digits": 2, "nonsense": 1}}, {"id": "2", "method": "hello"}
    )
    assert refused["kind"] == "ConfigError" and hello["result"]["options"]["digits"] == 5


def test_options_hold_for_what_comes_after_them_in_every_process() -> None:
    async def story() -> list[dict[str, Any]]:
        replies: list[dict[str, Any]] = []
        front = _Front(lambda line: replies.append(json.loads(line)), 2)

        async def hellos(count: int) -> list[int]:
            while len(replies) < count:
                await asyncio.sleep(0.01)
            return [r["result"]["options"]["digits"] for r in replies if r["id"] == "h"]

        async with front._pool.running():
            for number in (2, 3):
                front._take(json.dumps({"id": "o", "method": "options", "set": {"digits": number}}).encode())
                front._take(b'{"id": "h", "method": "hello"}')
            assert await hellos(4) == [2, 3]
            for engine in front._pool.engines:
                engine._process.kill()
                await engine._process.wait()
            front._take(b'{"id": "h", "method": "hello"}')
            assert await hellos(5) == [2, 3, 3]
        return replies

    asyncio.run(story())


def test_a_hand_that_is_hardly_possible_is_not_sent_as_impossible() -> None:
    p = np.array([0.0, 3.14159265e-9, 0.5, 0.012345678])
    assert _rounded(p, 5).tolist() == [0.0, 3.1416e-9, 0.5, 0.012346]


def test_an_agent_named_for_one_request_is_not_kept_and_a_reader_is_refused() -> None:
    start = {"id": "1", "method": "start", "match": "m", "game": RIVER["game"], "seat": 0, "names": ["a", "b"],
             "reader": "uniform"}  # fmt: skip
    look = {"id": "2", "method": "analyse", "match": "m", "hand": RIVER, "want": ["actions"]}
    _, other, own, refused = ask(start, {**look, "agent": "caller"}, look, {**look, "reader": "start-table"})
    assert (other["result"]["agent"], own["result"]["agent"]) == ("caller", "rules")
    assert refused["kind"] == "ConfigError" and "start-table" in refused["error"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [({"board": ""}, "expected 5 cards"), ({"actions": ["c", "c"]}, "expected 3 cards"),
     ({"seats": [0, 100_000_000]}, "100000000"), ({"hand": -1}, "-1"), ({"stacks": [10**30, 10]}, "10000000000"),
     ({"position": 1}, "not to act")],
)  # fmt: skip
def test_hands_that_make_no_sense_are_refused_in_one_line(fields: dict[str, Any], words: str) -> None:
    hand = {**RIVER, **fields}
    (reply,) = ask({"id": "1", "method": "coach", "decisions": [{"hand": hand, "action": "c"}]})
    assert reply["kind"] == "NotationError" and words in reply["error"] and "\n" not in reply["error"]


def test_a_river_analysis_has_actions_a_range_and_equity() -> None:
    (reply,) = ask(
        {
            "id": "a",
            "method": "analyse",
            "hand": RIVER,
            "reader": "start-table",
            "want": ["actions", "ranges", "equity", "streets"],
        }
    )
    result = reply["result"]
    assert sum(a["p"] for a in result["actions"]) == pytest.approx(1, abs=1e-4)
    (line,) = result["ranges"]
    assert len(line["p"]) == 1326 and sum(line["p"]) == pytest.approx(1, abs=0.02)
    assert [street for street, _ in line["streets"]] == [0, 1, 2, 3]
    assert 0.5 < result["equity"][0] < 1 and result["equity"][1] == 0


def test_equity_against_two_counts_cards_that_they_share_once() -> None:
    """It is that against readings which leave each other out, because it deals hands that fit."""
    spec = GameSpec.no_limit(3, (50, 100), 10000)
    actions = ["r300", "r900", "r2400"]
    hand = {
        "game": json.loads(msgspec.json.encode(spec)), "position": 2, "hole": "JsJd", "board": "", "actions": actions,
    }  # fmt: skip
    state = HandState(spec, [(NO_CARD, NO_CARD), (NO_CARD, NO_CARD), cards("JsJd")])
    for text in actions:
        state.apply(Action.raise_to(int(text[1:])))
    assert state.actor == 2
    (reply,) = ask({"id": "a", "method": "analyse", "hand": hand, "reader": "start-table", "want": ["equity"]})
    readings = load_reader("start-table")
    expected = {
        name: _equity(state.view(2), list(found.values()))[0]
        for name, found in (
            ("apart", readings_to_draw(readings, state.view(2))), ("joint", readings.read(state.view(2))),
        )
    }  # fmt: skip
    assert reply["result"]["equity"][0] == expected["apart"] != expected["joint"]


def test_draws_stand_beside_the_made_hands_until_the_river() -> None:
    spot = "heads-up, blinds 50/100, stacks 10000, button, AsKd; i raises to 300, bb calls; flop 2c7hTh: checks to me"
    asked = {"id": "a", "method": "analyse", "reader": "start-table", "want": ["ranges"]}
    for fields, there in (({"spot": spot}, True), ({"hand": RIVER}, False)):
        (reply,) = ask({**asked, **fields})
        (line,) = reply["result"]["ranges"]
        assert [name for name, _ in line["draws"]] == (["flush draw", "open-ended", "gutshot"] if there else [])
        assert all(0 < share < 0.3 for _, share in line["draws"])


def test_a_match_is_played_by_a_seat() -> None:
    state = HandState(GAME, ["AsAd", "7c2d"], "Ah7c2d9s3h"[:0])
    start = {"id": "1", "method": "start", "match": "m", "game": RIVER["game"], "seat": 1, "names": ["a", "b"],
             "agent": "rules"}  # fmt: skip
    hand = json.loads(msgspec.json.encode(Hand.of(state.view(1))))
    act = {"id": "2", "method": "act", "match": "m", "hand": hand}
    replies = ask(
        start, act, {"id": "3", "method": "stop", "match": "m"}, {**act, "id": "4"}, {**start, "agent": "ruels"}
    )
    assert replies[0] == {"id": "1", "result": {}}
    state.check(Action.fold() if replies[1]["result"]["action"] == "f" else Action.call())
    assert "not open" in replies[3]["error"]
    assert "rules" in replies[4]["error"]


@pytest.mark.parametrize(
    "line",
    ["", "nonsense", "[]", "{}", '{"id": 3, "method": "hello"}', '{"id": "x", "method": "fly"}',
     '{"id": "x", "method": "hello", "more": 1}', "[" * 100_000, '{"id": "x", "method": "analyse"}',
     json.dumps({"id": "x", "method": "analyse", "hand": {**RIVER, "actions": ["r9999999"]}}),
     json.dumps({"id": "x", "method": "analyse", "hand": {**RIVER, "board": "AsKd7c"}}),
     json.dumps({"id": "x", "method": "analyse", "hand": {**RIVER, "position": 9}}),
     json.dumps({"id": "x", "method": "analyse", "hand": {**RIVER, "game": {**RIVER["game"], "players": 3}}}),
     json.dumps({"id": "x", "method": "analyse", "hand": {**RIVER, "game": SHORT_BLINDS}})],
)  # fmt: skip
@pytest.mark.parametrize("jobs", [1])
def test_broken_lines_are_answered_and_the_next_one_works(line: str, jobs: int) -> None:
    replies = ask(line, {"id": "ok", "method": "hello"}, jobs=jobs)
    assert replies[-1]["id"] == "ok" and "result" in replies[-1]
    assert all("error" in r for r in replies[:-1]) and len(replies) == 1 + bool(line)


def test_an_error_that_nobody_expects_is_the_answer_to_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """It used to end the thread that reads, and with it the engine: no later request had an answer."""
    sent: list[bytes] = []
    worker = Worker(sent.append)

    def fails(line: bytes) -> None:
        raise LookupError("no such thing")

    with monkeypatch.context() as patch:
        patch.setattr(worker, "_decode", fails)
        worker.take(b'{"id": "x", "method": "hello"}')
    worker.take(b'{"id": "ok", "method": "hello"}')
    worker.end()
    worker.run()
    wrong, right = map(json.loads, sent)
    assert wrong == {"id": "x", "error": "not a request: LookupError: no such thing", "kind": "ProtocolError"}
    assert right["id"] == "ok" and "result" in right


def test_an_agent_that_fails_to_close_does_not_end_the_engine_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Fails(BaseAgent):
        def act(self, view: View, rng: Rng) -> Action:
            return Action.call()

        def close(self) -> None:
            raise OSError("disk full")

    monkeypatch.setattr("dupai.engine._worker.seated_agent", lambda spec: Fails())
    monkeypatch.setattr("dupai.engine._worker.try_agent", lambda spec: None)
    start = {"method": "start", "agent": "x", "game": RIVER["game"], "seat": 0, "names": ["a", "b"]}
    act = {"method": "act", "hand": RIVER}
    replies = ask(*({**one, "id": "x", "match": match} for match in "mn" for one in (start, act)))
    assert len(replies) == 4 and sum("action" in reply["result"] for reply in replies) == 2


def test_an_analysis_with_an_answer_that_is_not_possible_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Large(BaseAgent):
        def act(self, view: View, rng: Rng) -> Action:
            return Action.raise_to(10**6)

    monkeypatch.setattr("dupai.arena._companion.seated_agent", lambda spec: Large())
    (reply,) = ask({"id": "x", "method": "analyse", "hand": RIVER, "want": ["actions"], "agent": "large"})
    assert reply["kind"] == "AgentError" and reply["error"].startswith("large: r1000000 where legal is check, raise to")


def test_a_request_that_waits_is_cancelled() -> None:
    slow = {"id": "s", "method": "analyse", "hand": RIVER, "reader": "start-table"}
    lines = (
        [slow] * 1 + [{**slow, "id": f"w{k}"} for k in range(30)] + [{"id": "c", "method": "cancel", "request": "w29"}]
    )
    replies = {r["id"]: r for r in ask(*lines)}
    assert set(replies) == {"s", "c", *(f"w{k}" for k in range(30))}
    if replies["c"]["result"]["cancelled"]:
        assert replies["w29"] == {"id": "w29", "error": "cancelled", "kind": "Cancelled"}


def test_several_processes_answer_every_request_and_open_a_match_once() -> None:
    hello = [{"id": f"h{k}", "method": "hello"} for k in range(6)]
    cancels = [{"id": f"c{k}", "method": "cancel", "request": f"h{k}"} for k in range(6)]
    start = {"method": "start", "match": "m", "game": RIVER["game"], "seat": 1, "names": ["a", "b"], "agent": "rules"}
    pairs = [request for pair in zip(hello, cancels, strict=True) for request in pair]
    replies = {r["id"]: r for r in ask(*pairs, {**start, "id": "s0"}, {**start, "id": "s1"}, jobs=2)}
    assert set(replies) == {r["id"] for r in pairs} | {"s0", "s1"}
    for k in range(6):
        assert not replies[f"c{k}"]["result"]["cancelled"] or replies[f"h{k}"]["kind"] == "Cancelled"
    assert replies["s0"]["result"] == {}
    assert "open already" in replies["s1"]["error"]


def test_several_processes_refuse_the_fields_that_one_refuses() -> None:
    requests = [{"id": name, "method": "hello", name: 1} for name in ("report", "self", "seconds", "given")]
    for jobs in (1, 2):
        replies = {r["id"]: r for r in ask(*requests, jobs=jobs)}
        assert {name for name, r in replies.items() if name in r["error"]} == {"report", "self", "seconds", "given"}


def test_only_a_process_that_says_nothing_is_ended() -> None:
    """Requests that wait for each other may take longer together than one may."""

    async def work() -> None:
        async with EnginePool(1).running() as pool:
            engine = pool.engines[0]
            river = {"hand": RIVER, "want": ["actions", "ranges"]}
            await engine.ask("analyse", river)
            began = time.monotonic()
            await engine.ask("analyse", river)
            limit = 3 * max(time.monotonic() - began, 0.05)
            tasks = [engine.ask("analyse", river, seconds=limit) for _ in range(12)]
            assert len(await asyncio.gather(*tasks)) == 12 and engine.born == 1

    asyncio.run(work())


def test_a_match_whose_process_is_lost_can_be_started_again() -> None:
    start = {"match": "m", "game": RIVER["game"], "seat": 1, "names": ["a", "b"], "agent": "rules"}

    async def work() -> None:
        told: list[dict[str, Any]] = []
        front = _Front(lambda line: told.append(json.loads(line)), 1)
        async with front._pool.running():
            await front._ask("1", "start", start)
            engine = front._pool.engines[0]
            assert engine._process is not None
            engine._process.kill()
            await engine._process.wait()
            await asyncio.sleep(0.05)
            await front._ask("2", "start", start)
            await front._ask("3", "start", start)
        assert [t["id"] for t in told] == ["1", "2", "3"]
        assert told[0]["result"] == told[1]["result"] == {}
        assert "open already" in told[2]["error"] and engine.matches == 1

    asyncio.run(work())


def test_a_pool_of_processes_answers_and_outlives_a_lost_one() -> None:
    async def work() -> None:
        async with EnginePool(1).running() as pool:
            engine = pool.engines[0]
            hello = await engine.ask("hello")
            assert hello["protocol"] == 1
            with pytest.raises(EngineError, match="not open"):
                await engine.ask("stop", match="m")
            assert engine._process is not None
            engine._process.kill()
            await engine._process.wait()
            await asyncio.sleep(0.05)
            assert (await engine.ask("hello"))["protocol"] == 1 and engine.born == 2

    asyncio.run(work())


def test_what_an_agent_prints_while_it_is_made_is_no_answer(tmp_path: Path) -> None:
    """The real command, with an agent of another package that prints in its constructor and when it plays."""
    (tmp_path / "chatter.py").write_text(
        "from dupai.agents import BaseAgent\n"
        "from dupai.rules import Action\n"
        "class Chatter(BaseAgent):\n"
        "    stateless = True\n"
        "    def __init__(self):\n"
        "        print('made')\n"
        "    def act(self, view, rng):\n"
        "        print('acts')\n"
        "        return Action.call()\n"
    )
    info = tmp_path / "chatter-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: chatter\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[dupai.agents]\nchatter = chatter:Chatter\n")
    start = {"game": RIVER["game"], "seat": 0, "names": ["a", "b"], "agent": "chatter", "seed": 1}
    coach = {"decisions": [{"hand": RIVER, "action": "c"}]}
    asked = [
        {"id": "1", "method": "start", "match": "m", **start},
        {"id": "2", "method": "act", "match": "m", "hand": RIVER},
        {"id": "3", "method": "options", "set": {"agent": "chatter", "reader": "start-table", "deals": 20}},
        {"id": "4", "method": "coach", "match": "m", **coach},
    ]
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-m", "dupai", "engine"],
        input="".join(json.dumps(a) + "\n" for a in asked).encode(),
        capture_output=True,
        env={**os.environ, "PYTHONPATH": path},
        timeout=120,
        check=True,
    )
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert {r["id"] for r in replies} == {"1", "2", "3", "4"}
    assert all("error" not in r for r in replies), replies
    assert b"made" in done.stderr and b"acts" in done.stderr


START = {"method": "start", "match": "m", "game": RIVER["game"], "seat": 1, "names": ["a", "b"], "agent": "rules"}
PREFLOP = {"game": RIVER["game"], "position": 1, "hole": "AsKd", "seats": [0, 1], "hand": 1}


def test_a_refused_stop_leaves_the_match_and_a_cancel_is_checked_as_by_one_process() -> None:
    stop = {"id": "x", "method": "stop", "match": "m", "why": "test"}
    cancels: list[dict[str, Any]] = [
        {"id": "c1", "method": "cancel"}, {"id": "c2", "method": "cancel", "request": "s", "more": 1},
    ]  # fmt: skip

    async def work() -> list[dict[str, Any]]:
        told: list[dict[str, Any]] = []
        front = _Front(lambda line: told.append(json.loads(line)), 2)
        async with front._pool.running():
            await front._ask("s", "start", {k: v for k, v in START.items() if k != "method"})
            await front._ask("x", "stop", {"match": "m", "why": "test"})
            await front._ask("a", "act", {"match": "m", "hand": PREFLOP})
            await front._ask("again", "start", {k: v for k, v in START.items() if k != "method"})
            await front._ask("y", "stop", {"match": "m"})
            await front._ask("b", "act", {"match": "m", "hand": PREFLOP})
            for line in cancels:
                front._take(json.dumps(line).encode())
            assert sum(engine.matches for engine in front._pool.engines) == 0
        return told

    several = {r["id"]: r for r in asyncio.run(work())}
    assert "why" in several["x"]["error"] and "result" in several["a"]
    assert "open already" in several["again"]["error"]
    assert several["y"]["result"] == {} and "not open" in several["b"]["error"]
    one = {r["id"]: r for r in ask({"id": "s", **START}, stop, {"id": "a", "method": "act", "match": "m",
                                                                "hand": PREFLOP}, *cancels)}  # fmt: skip
    assert "why" in one["x"]["error"] and "result" in one["a"]
    for name in ("c1", "c2"):
        assert one[name]["kind"] == several[name]["kind"] == "ProtocolError"


def test_a_cancelled_start_leaves_no_match() -> None:
    async def work() -> list[dict[str, Any]]:
        told: list[dict[str, Any]] = []
        front = _Front(lambda line: told.append(json.loads(line)), 2)
        async with front._pool.running():
            start = {k: v for k, v in START.items() if k != "method"}
            task = asyncio.create_task(front._ask("1", "start", start))
            await asyncio.sleep(0.01)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await asyncio.gather(*front._quiet)
            await front._ask("2", "start", start)
        return told

    first, second = asyncio.run(work())
    assert first["kind"] == "Cancelled" and second["result"] == {}


def test_a_request_that_was_cancelled_in_work_is_answered_as_cancelled() -> None:
    """The last part of it had ended before anybody looked."""
    told: list[dict[str, Any]] = []
    worker = Worker(lambda line: told.append(json.loads(line)))

    def start(request: Any) -> Any:
        result = Worker._start(worker, request)
        if request.id == "s":
            worker.take(b'{"id": "c", "method": "cancel", "request": "s"}')
        return result

    def stop(request: Any) -> Any:
        worker.take(b'{"id": "d", "method": "cancel", "request": "x"}')
        return Worker._stop(worker, request)

    kinds = {kind.__struct_config__.tag: kind for kind in worker._results}  # type: ignore[attr-defined]
    worker._results = {**worker._results, kinds["start"]: lambda _, r: start(r), kinds["stop"]: lambda _, r: stop(r)}  # type: ignore[misc]
    for line in (
        {"id": "s", **START},
        {"id": "s2", **START, "match": "n"},
        {"id": "x", "method": "stop", "match": "n"},
    ):
        worker.take(json.dumps(line).encode())
    worker.end()
    worker.run()
    by_id = {answer["id"]: answer for answer in told}
    assert by_id["c"]["result"]["cancelled"] and by_id["s"]["kind"] == "Cancelled" and "m" not in worker._matches
    # What has changed a match is done.
    assert not by_id["d"]["result"]["cancelled"] and by_id["x"]["result"] == {}


def _over(*actions: Action) -> HandRecord:
    state = HandState(GAME, ["AsAd", "7c2d"], "", seats=(1, 0))
    for action in actions:
        state.apply(action)
    return state.record(["b", "a"], payoffs=[50, -50]).seen_by(0)


def test_records_that_nobody_could_learn_from_are_refused() -> None:
    good = _over(Action.fold())
    check_finished(good)
    builtins = json.loads(msgspec.json.encode(good))
    wrong = [
        {**builtins, "names": ["a"]}, {**builtins, "payoffs": [0]}, {**builtins, "actions": []},
        {**builtins, "hole": [[77, 1], [255, 255]]}, {**builtins, "hole": [[1, 1], [255, 255]]},
        {**builtins, "hole": [[1, 2]]},
    ]  # fmt: skip
    look = {"method": "analyse", "match": "m", "hand": PREFLOP, "want": ["actions"]}
    requests: list[dict[str, Any]] = [{"id": "s", **START}]
    requests += [{"id": f"o{k}", "method": "observe", "match": "m", "record": r} for k, r in enumerate(wrong)]
    requests += [{"id": "ok", "method": "observe", "match": "m", "record": builtins}, {"id": "l", **look}]
    replies = {r["id"]: r for r in ask(*requests)}
    assert all("error" in replies[f"o{k}"] for k in range(len(wrong)))
    assert replies["ok"]["result"] == {} and "result" in replies["l"]


class _Noting(BaseAgent):
    def __init__(self) -> None:
        self.told: list[tuple[str, int, int]] = []

    def start(self, match: MatchInfo) -> None:
        self.told.append(("start", 0, 0))

    def begin(self, view: View) -> None:
        self.told.append(("begin", view.hand, len(view.actions)))

    def act(self, view: View, rng: Rng) -> Action:
        self.told.append(("act", view.hand, len(view.actions)))
        return Action.call()

    def observe(self, record: HandRecord) -> None:
        self.told.append(("observe", record.hand, 0))

    def end(self, record: HandRecord) -> None:
        self.told.append(("end", record.hand, 0))


def test_hands_begin_before_they_end_and_without_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    agents: list[_Noting] = []

    def seated(spec: str) -> _Noting:
        agents.append(_Noting())
        return agents[-1]

    from dupai.engine import _worker

    monkeypatch.setattr(_worker, "seated_agent", seated)
    walk = HandState(GAME, [None, "AsAd"], "", seats=(0, 1), hand=2)
    walk.apply(Action.fold())
    raised = {**PREFLOP, "game": json.loads(msgspec.json.encode(GAME)), "hand": 3, "position": 0, "seats": [1, 0],
              "actions": ["r300"]}  # fmt: skip
    record = json.loads(
        msgspec.json.encode(msgspec.structs.replace(walk.record(["a", "b"], payoffs=[50, -50]), hero=1))
    )
    ask(
        {"id": "s", **START},
        {"id": "1", "method": "act", "match": "m", "hand": PREFLOP},
        {"id": "2", "method": "observe", "match": "m", "record": record},
        {"id": "3", "method": "act", "match": "m", "hand": raised},
    )
    assert agents[-1].told == [
        ("start", 0, 0), ("begin", 1, 0), ("act", 1, 0), ("begin", 2, 0), ("observe", 2, 0), ("end", 2, 0),
        ("begin", 3, 0), ("act", 3, 1),
    ]  # fmt: skip


def test_a_request_waits_as_long_as_one_before_it_may_take() -> None:
    async def work() -> None:
        async with EnginePool(1).running() as pool:
            engine = pool.engines[0]
            await engine.ask("hello")
            first = asyncio.create_task(engine.ask("analyse", {"hand": RIVER, "want": ["ranges"]}, seconds=60))
            await asyncio.sleep(0)
            # Known and quick, but behind the other one.
            assert (await engine.ask("hello", seconds=0.001))["name"] == "dupai"
            await first
            assert engine.born == 1

    asyncio.run(work())


def test_an_answer_that_cannot_be_read_is_named() -> None:
    async def work() -> None:
        engine = EnginePool(1).engines[0]
        future = asyncio.get_running_loop().create_future()
        engine._waiting["1"] = future, None

        async def line() -> bytes:
            return b"no JSON\n"

        async def ended() -> int:
            return 0

        await engine._read(SimpleNamespace(stdout=SimpleNamespace(readline=line), wait=ended))  # type: ignore[arg-type]
        with pytest.raises(EngineError, match=r"an answer of the engine cannot be read.*malformed"):
            await future

    asyncio.run(work())


@pytest.mark.parametrize("text", ["r３００", "r-1", "r1_000", "r" + "9" * 5000])
def test_an_amount_is_of_ascii_digits(text: str) -> None:
    with pytest.raises(NotationError):
        action_of(text)


def test_a_check_makes_what_can_be_had_and_names_files() -> None:
    made, reader, file, wrong = ask(
        {"id": "1", "method": "check", "spec": "equilibrium:resolve=off"},
        {"id": "2", "method": "check", "kind": "reader", "spec": "uniform"},
        {"id": "3", "method": "check", "spec": "exp:file=/nowhere"},
        {"id": "4", "method": "check", "spec": "ruels"},
    )
    assert made["result"]["files"] == reader["result"]["files"] == [] and made["result"]["players"][0] == 2
    assert file["result"]["files"] == ["/nowhere"]
    assert "rules" in wrong["error"]


def test_a_request_that_is_given_up_ends_its_process_where_it_works_on() -> None:
    async def story() -> None:
        engine = Engine(0.3)
        try:
            hand = Hand.of(msgspec.convert(RIVER, Hand).view())
            await engine.ask("analyse", hand=hand, agent="mcts:simulations=10", want=["actions"])
            asked = engine.ask("analyse", hand=hand, agent="mcts:simulations=1000000000", want=["actions"])
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(asked, 0.3)
            for _ in range(100):
                if engine.lost:
                    break
                await asyncio.sleep(0.05)
            assert engine.lost
            assert (await engine.ask("hello"))["name"] == "dupai"
        finally:
            await engine.close()

    asyncio.run(story())


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("how", ["SIGTERM", "its program died"])
def test_a_busy_engine_ends(how: str) -> None:
    engine = subprocess.Popen([sys.executable, "-m", "dupai", "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert engine.stdin is not None and engine.stdout is not None
    with engine.stdin, engine.stdout:
        busy = {"id": "2", "method": "analyse", "hand": RIVER, "agent": "mcts:simulations=1000000000"}
        for request in ({"id": "1", "method": "analyse", "hand": RIVER, "agent": "mcts:simulations=10"}, busy):
            engine.stdin.write(json.dumps(request).encode() + b"\n")
        engine.stdin.flush()
        engine.stdout.readline()
        time.sleep(0.3)
        engine.terminate() if how == "SIGTERM" else engine.stdout.close()
        try:
            engine.wait(3)
        finally:
            engine.kill()
            engine.wait()


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux alone")
def test_engines_of_a_nursery_are_forked_and_outlive_a_lost_one() -> None:
    """In a program of its own, which has no threads."""
    program = """
import asyncio, os, socket
from dupai.engine import EngineError, EnginePool
from dupai.engine._serve import _serve_socket
from dupai.jobs import Nursery

loaded = []
nursery = Nursery.made(lambda: loaded.append(1), lambda wire: (loaded or os._exit(3), _serve_socket(wire)))

async def story():
    async with EnginePool(2, nursery=nursery).running() as pool:
        one, other = pool.engines
        for engine in (one, other):
            assert (await engine.ask("hello"))["protocol"] == 1 and not loaded
        first = one._process.number
        assert first != other._process.number
        busy = asyncio.create_task(one.ask("analyse", spot="hole=AsKd", agent="mcts:simulations=1000000000"))
        await asyncio.sleep(0.1)
        one._process.kill()
        try:
            await busy
        except EngineError as error:
            assert error.kind == "EngineLost", error
        assert one.lost and (await one.ask("hello"))["protocol"] == 1 and one.born == 2
        assert one._process.number != first
    assert one.lost and other.lost

asyncio.run(story())
nursery._wire.close()
assert os.waitstatus_to_exitcode(os.wait()[1]) == 0
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
