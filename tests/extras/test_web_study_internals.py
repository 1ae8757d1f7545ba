"""Replay, review, ranges, equity, solver, players and results over HTTP."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dupai.arena import run_ladder, run_tournament
from dupai.arena.store import Store
from dupai.base import FileError, example
from dupai.cfr import Lock, SolveSpot, load_solution, save_solution, solve_spot
from dupai.engine import Analysis, Coached, LessonLine
from dupai.notation import Reason, reason_words
from dupai.rules import Action, GameSpec, HandState
from dupai.web._reports import Reports
from dupai.web._review import line_of, replay_of, review_of
from dupai.web._solves import _runouts
from dupai.web._sources import Sources
from dupai.web._stats import ResultFiles, _places
from dupai.web._uploads import parts
from support.web_server import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("web")
    with Store(folder / "r.db") as store:
        run_ladder(["caller", "raiser", "fixed"], hands=20, matches=2, seed=1, store=store)
    with Store(folder / "t.db") as store:
        run_tournament(["caller", "raiser", "fixed"], matches=3, hands=30, seed=1, store=store)
    report = folder / "reports" / "fold"
    report.mkdir(parents=True)
    page = '<title>Fold &amp; call</title><style>p { color: red }</style><p style="flex: 1">report</p>'
    (report / "report.html").write_text(page, encoding="utf-8")
    (report / "results.json").write_text("{}", encoding="utf-8")
    (folder / "secret").mkdir()
    (folder / "secret" / "report.html").write_text("secret", encoding="utf-8")
    (folder / "reports" / "link").symlink_to(folder / "secret")
    results = [
        "--reports",
        str(folder / "reports"),
        "--results",
        str(folder / "r.db"),
        "--results",
        str(folder / "t.db"),
    ]
    made = Server(folder / "tables", "--jobs", "1", "--source", str(example("hands")), *results)
    yield made
    made.close()


def get(server: Server, place: str, status: int = 200, **query: Any) -> Any:
    reply = server.http.get(f"/api/{place}", params=query)
    assert reply.status_code == status, reply.text
    return reply.json()


def test_an_example_is_listed_stepped_and_reviewed(server: Server) -> None:
    ids = [s["id"] for s in get(server, "sources")]
    assert {"example:match", "file:1"} <= set(ids)
    listed = get(server, "hands", source="example:match", count=5)
    assert listed["total"] == 60 and len(listed["hands"]) == 5 and listed["hands"][0]["result"]
    hand = get(server, "hand", source="example:match", id=0)
    assert [s["n"] for s in hand["steps"]] == list(range(len(hand["steps"])))
    assert sum(hand["payoffs"]) == 0 and hand["steps"][-1]["actor"] is None
    points = get(server, "hand/equity", source="example:match", id=0)
    for point in points:
        known = [e for e in point["equity"] if e is not None]
        assert not known or sum(known) == pytest.approx(1, abs=1e-3)
    review = get(server, "hand/review", source="example:match", id=0, n=0, reader="start-table", deals=20)
    assert review["seat"] == hand["steps"][0]["actor"] and review["readings"]["advice"]["actions"]
    assert review["gave_up"]["n"] >= 20 and all(len(s["p"]) == 1326 for s in review["readings"]["seats"])
    text = server.http.get("/api/hand/phh", params={"source": "example:match", "id": 0}).text
    again = server.http.post("/api/upload", content=text.encode()).json()
    assert again["hands"] == 1 and get(server, "hand", source=again["id"], id=0)["steps"] == hand["steps"]


@pytest.mark.parametrize("name", ["match", "hands", "site"])
def test_an_upload_in_every_format_is_read_and_a_bad_one_refused(server: Server, name: str) -> None:
    data = example(name).read_bytes()
    reply = server.http.post("/api/upload?name=../../etc/passwd", content=data)
    assert reply.status_code == 200 and (hands := reply.json()["hands"]) >= 20
    if name != "match":  # logs number hands anew
        twice = server.http.post("/api/upload", content=data + b"\n\n" + data.replace(b"\n[", b"\n[x")).json()
        assert twice["hands"] == hands and f"{hands} hands were there already" in twice["rejects"][0]["reason"]
    for bad in (b"", b"\xff\xfe\x00", b"no hand at all", data[: len(data) // 60], b"variant = " * 10_000):
        reply = server.http.post("/api/upload", content=bad)
        assert reply.status_code in (200, 400), reply.text
        assert "\n" not in reply.json().get("error", "")
        assert bad != b"no hand at all" or "no known poker text; read are" in reply.json()["error"]
    assert server.http.post("/api/upload", content=b"x" * 8_000_001).status_code == 413
    get(server, "hands", 404, source="/etc/passwd")
    get(server, "hands", 404, source="upload:none")
    get(server, "hand", 404, source="example:match", id=60)
    get(server, "hand/review", 400, source="example:match", id=0, n=999)
    get(server, "hand", 400, source="example:match", id=-1)


def test_ranges_and_equity(server: Server) -> None:
    made = get(server, "range", text="QQ+, AKs")
    assert sum(made["weights"]) == 22
    back = server.http.post("/api/range", json={"weights": made["weights"]}).json()
    assert back["text"] == made["text"]
    for preset in get(server, "presets"):
        assert sum(get(server, "range", text=preset["text"])["weights"]) > 0
    get(server, "range", 400, text="QQQ")
    result = server.http.post("/api/equity", json={"hands": ["AsAh", "KK"], "board": "2c7dTh"}).json()
    assert result["exact"] and sum(p["equity"] for p in result["players"]) == pytest.approx(1)
    assert server.http.post("/api/equity", json={"hands": ["AsAh", "AsKd"]}).status_code == 400


def test_a_river_is_solved_looked_into_and_opened_again(server: Server) -> None:
    spot = {
        "board": "AsKdQh2c2d",
        "oop": "KK,JT",
        "ip": "AK,QQ",
        "pot": 100,
        "stack": 100,
        "bet": "50%, a",
        "target": 1,
    }
    status = server.http.post("/api/solve", json=spot).json()
    end = time.monotonic() + 120
    while status["state"] in ("waiting", "running") and time.monotonic() < end:
        time.sleep(0.1)
        status = get(server, f"solve/{status['id']}")
    assert status["state"] == "done" and status["curve"][-1]["exploitability"] <= 1
    assert sum(status["evs"]) == pytest.approx(100, rel=1e-3)
    node = get(server, f"solve/{status['id']}/node")
    assert [a["text"] for a in node["actions"]] == ["check", "bet 50", "allin 100"]
    assert [a["kind"] for a in node["actions"]] == ["check", "bet", "all-in"]
    assert len(node["strategy"][0]) == 1326 and node["player"] == 0
    child = get(server, f"solve/{status['id']}/node", path=node["actions"][0]["path"])
    assert child["player"] == 1
    get(server, f"solve/{status['id']}/node", 400, path="fly")
    data = server.http.get(f"/api/solve/{status['id']}/file").content
    opened = server.http.post("/api/solve/open", content=data).json()
    assert get(server, f"solve/{opened['id']}/node")["strategy"] == node["strategy"]
    form = get(server, f"solve/{opened['id']}/form")
    assert {key: form[key] for key in ("pot", "stack", "bet")} == {key: spot[key] for key in ("pot", "stack", "bet")}
    assert (form["raise"], form["locks"], form["whole"]) == ("60%, a", [], True)
    assert server.http.post("/api/solve/open", content=b"nothing").status_code == 400
    assert server.http.post("/api/solve", json={**spot, "board": "As"}).status_code == 400
    lock = {"path": "", "strategy": {"check": 1}}
    refused = server.http.post("/api/solve", json={**spot, "locks": [lock] * 21})
    assert refused.status_code == 400 and "at most 20" in refused.text
    # A turn's solution is larger than any other upload.
    assert server.http.post("/api/solve/open", content=bytes(9_000_000)).status_code == 400


def test_a_node_that_is_hardly_reached_is_marked_and_solved_from_there(server: Server, tmp_path: Path) -> None:
    lock = [{"path": "", "strategy": {"check": 1}}]
    asked = {
        "board": "Td9d6hQc2s",
        "oop": "AA,87s,99",
        "ip": "QQ,J8s",
        "pot": 20,
        "stack": 30,
        "bet": "a",
        "raise": "a",
    }
    first = _solved(server, {**asked, "locks": lock})
    node = get(server, f"solve/{first}/node", path="allin 30")
    assert not node["solved"] and node["reached"] == 0 and get(server, f"solve/{first}/node", path="check")["solved"]
    below = _solved(server, {**asked, "again": first, "start": "allin 30"})
    node = get(server, f"solve/{below}/node", path="")
    assert node["solved"] and node["player"] == 1 and [one["text"] for one in node["actions"]] == ["fold", "call"]
    assert not get(server, f"solve/{below}/form")["whole"]
    again = _solved(server, {**asked, "again": below})
    assert get(server, f"solve/{again}/node", path="")["player"] == 1
    failed = server.http.post("/api/solve", json={**asked, "again": first, "start": "allin 30/fold"}).json()
    while (status := get(server, f"solve/{failed['id']}"))["state"] in ("waiting", "running"):
        time.sleep(0.01)
    assert status["state"] == "failed" and "cannot be solved from" in status["error"]


def _solved(server: Server, asked: dict[str, Any]) -> str:
    id = str(server.http.post("/api/solve", json=asked).json()["id"])
    while (status := get(server, f"solve/{id}"))["state"] in ("waiting", "running"):
        time.sleep(0.01)
    assert status["state"] == "done", status
    return id


def test_a_solution_with_more_than_the_form_shows_is_solved_again_as_it_is(server: Server, tmp_path: Path) -> None:
    made = SolveSpot.from_dict(
        {"board": "Td 9d 6h Qc 2s", "oop": "AA, KK, 87s", "ip": "QQ, JJ, T9s", "pot": 200, "stack": 400, "rake": 0.05,
         "sizes": {"oop": {"bet": "50%"}, "ip": {"bet": "a"}, "raise": "a"}}
    )  # fmt: skip
    locks = [Lock(path="", strategy={"check": 0.5, "bet 100": 0.5}), Lock(path="check", upper={"check": 0.25})]
    save_solution(solve_spot(made, locks=locks, max_iterations=30), tmp_path / "spot.solve")
    opened = server.http.post("/api/solve/open", content=(tmp_path / "spot.solve").read_bytes()).json()
    form = get(server, f"solve/{opened['id']}/form")
    assert (form["whole"], form["bet"]) == (False, "50%")
    assert form["locks"] == [{"path": "", "strategy": {"check": 0.5, "bet 100": 0.5}}]
    asked = {key: form[key] for key in ("board", "oop", "ip", "pot", "stack", "bet", "raise")}
    lock = {"path": "", "strategy": {"check": 1.0}}
    status = server.http.post("/api/solve", json={**asked, "locks": [lock], "again": opened["id"]}).json()
    end = time.monotonic() + 100
    while status["state"] in ("waiting", "running") and time.monotonic() < end:
        time.sleep(0.1)
        status = get(server, f"solve/{status['id']}")
    (tmp_path / "again.solve").write_bytes(server.http.get(f"/api/solve/{status['id']}/file").content)
    solved = load_solution(tmp_path / "again.solve")
    assert solved.spot == made
    assert list(solved.locks) == [Lock(path="", strategy={"check": 1.0}), locks[1]]
    refused = server.http.post("/api/solve", json={**asked, "again": "nothing"})
    assert refused.status_code == 404


def test_where_nobody_gets_there_are_no_figures_and_locks_need_a_share(server: Server) -> None:
    spot = SolveSpot.from_dict(
        {"board": "Td 9d 6h Qc", "oop": "AA, KK", "ip": "QQ, JJ", "pot": 100, "stack": 100,
         "sizes": {"bet": "a", "raise": "a"}}
    )  # fmt: skip
    solver = solve_spot(spot, locks=[Lock(path="", strategy={"allin 100": 1.0})], max_iterations=20)
    card = _runouts(solver, "check/check").cards[0]
    assert {*card.ev, *card.shares} == {None}
    asked = {"board": "Td9d6hQc2s", "oop": "AA", "ip": "KK", "pot": 100, "stack": 100}
    for strategy in ({}, {"check": 0}):
        refused = server.http.post("/api/solve", json={**asked, "locks": [{"path": "", "strategy": strategy}]})
        assert refused.status_code == 400 and "expected a share above 0" in refused.text


def test_chips_that_nobody_called_are_in_no_pot() -> None:
    state = HandState(GameSpec.no_limit(2, (50, 100), 10_000), ["AsAh", "7c2d"])
    state.apply(Action.raise_to(10_000))
    state.apply(Action.fold())
    record = state.record(["Ann", "Bob"])
    end = replay_of(0, record).steps[-1]
    assert (end.pot, end.bets, sum(end.stacks)) == (200, (0, 0), 19_800)
    assert line_of(0, record).pot == 200


def test_places_are_those_of_the_names() -> None:
    result = run_tournament(["caller", "style:TA"], matches=3, hands=60, seed=1)
    best = result.standings[0]
    assert result.config.labels.index(best.agent) == 1, "not in the order of the standings"
    assert _places(result, result.config.labels)[1] == best.places


def test_a_long_solve_is_stopped(server: Server) -> None:
    spot = {"board": "AsKdQh", "oop": "22+,A2s+,K9s+", "ip": "22+,A2s+,K9s+", "pot": 100, "stack": 300,
            "bet": "60%", "raise": "a", "target": 0.01, "max_iterations": 10000}  # fmt: skip
    status = server.http.post("/api/solve", json=spot).json()
    waiting = server.http.post("/api/solve", json=spot).json()
    time.sleep(1)
    server.http.delete(f"/api/solve/{waiting['id']}")
    assert get(server, f"solve/{waiting['id']}")["state"] == "stopped"
    server.http.delete(f"/api/solve/{status['id']}")
    end = time.monotonic() + 200
    while status["state"] in ("waiting", "running") and time.monotonic() < end:
        time.sleep(0.2)
        status = get(server, f"solve/{status['id']}")
    assert status["state"] == "stopped"


def test_a_ladder_is_started_and_stopped_and_refused_in_words(server: Server) -> None:
    def start(status: int, **asked: Any) -> Any:
        reply = server.http.post("/api/runs", json={"kind": "ladder", "agents": ["caller", "raiser"], **asked})
        assert reply.status_code == status, reply.text
        return reply.json()

    for wrong in ({"agents": ["caller"]}, {"hands": 10**9}, {"agents": ["caller", "mine.py:Agent"]}, {"seed": -1}):
        assert start(400, **wrong)["error"]
    assert "holdem" not in start(400, agents=["caller", "--game=x"])["error"]
    line = start(200, agents=["caller", "raiser", "rules"], hands=100_000)
    assert line["kind"] == "ladder" and not line["finished"]
    assert "is being played" in start(409)["error"]
    assert server.http.delete("/api/runs").status_code == 200
    end = time.monotonic() + 60
    while server.http.post("/api/runs", json={"kind": "match", "agents": ["caller", "raiser"], "hands": 20}).is_error:
        assert time.monotonic() < end
        time.sleep(0.3)
    while not (newest := get(server, "results")[0])["finished"]:
        time.sleep(0.2)
    assert newest["kind"] == "match"
    assert get(server, "result", id=newest["id"])["tables"]


def test_a_results_file_that_is_just_being_made_holds_no_runs(tmp_path: Path) -> None:
    (own := tmp_path / "results.db").touch()
    assert ResultFiles((), own).runs() == []


def test_players_and_results(server: Server) -> None:
    players = get(server, "players", source="example:match")
    assert len(players) == 6 and players[0]["hands"] == 60
    player = get(server, "player", source="example:match", name=players[0]["name"])
    assert player["curve"][-1]["fair"] is not None
    assert player["bb100"]["n"] == 60 and player["curve"][-1]["hand"] == 60
    stats = {s["name"]: s for s in player["stats"]}
    # The aggression factor is a ratio, the aggression frequency a share.
    plain = {name for name, stat in stats.items() if not stat["percent"]}
    assert plain == {"bb/100", "af", "af-flop", "af-turn", "af-river"}
    assert 0 <= stats["vpip"]["low"] <= stats["vpip"]["mean"] <= stats["vpip"]["high"]
    get(server, "player", 400, source="example:match", name="nobody")
    runs = {run["kind"]: run for run in get(server, "results")}
    ladder = get(server, "result", id=runs["ladder"]["id"])
    assert ladder["cross"]["names"] == ["caller", "raiser", "fixed"] and ladder["tables"][0]["rows"]
    tournament = get(server, "result", id=runs["tournament"]["id"])
    assert all(sum(row) == pytest.approx(1) for row in tournament["places"])
    get(server, "result", 404, id="9-9")


def test_reports_are_listed_and_served_with_their_own_styles_alone(server: Server) -> None:
    (line,) = get(server, "reports")
    assert (line["id"], line["title"], line["folder"]) == ("0-fold", "Fold & call", "fold")
    reply = server.http.get("/api/report", params={"id": "0-fold"})
    assert reply.status_code == 200 and reply.headers["content-type"].startswith("text/html")
    policy = reply.headers["content-security-policy"]
    assert "unsafe-inline" not in policy and policy.count("'sha256-") == 2
    assert "default-src 'none'" in policy and policy.endswith("sandbox")
    digest = base64.b64encode(hashlib.sha256(b"flex: 1").digest()).decode()
    assert f"'sha256-{digest}'" in policy
    for id in ("", "0", "0-link", "0-../secret", "0-fold/../../secret", "../secret", "/etc", "0-fold/results.json"):
        get(server, "report", 404, id=id)


def test_reports_that_are_no_folder_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text("<title>x</title>", encoding="utf-8")
    for place in (tmp_path / "none", file):
        with pytest.raises(FileError, match="there is no such folder"):
            Reports([str(place)])
    assert Reports([str(tmp_path)]).lines()[0].id == "0"


def test_names_of_files_that_are_no_text_are_listed(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"r\xe9port")
    folder.mkdir()
    (folder / "report.html").write_text("<title>x</title>", encoding="utf-8")
    (line,) = (reports := Reports([str(tmp_path)])).lines()
    assert msgspec.json.encode(line) and reports.page(line.id)[0] == "<title>x</title>"
    file = tmp_path / os.fsdecode(b"h\xe9nds.phhs")
    file.write_bytes(example("hands").read_bytes())
    assert msgspec.json.encode(Sources([str(file)]).infos())


def test_a_file_with_more_hands_than_are_kept_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("_sources", "_uploads"):
        monkeypatch.setattr(f"dupai.web.{module}.MAX_HANDS", 5)
    sources = Sources([str(example("hands"))])
    *read, last = parts(example("hands").read_bytes())
    assert (
        sum(len(part.hands) for part in read) == 5
        and last.rejects[-1].reason == "more than 5 hands: the rest is left out"
    )
    assert len(sources.hands("file:1")) == 5
    assert reason_words(sources.infos()[-1].title).endswith("(the first 5 hands alone)")


def test_an_estimate_that_failed_is_not_even() -> None:
    class Failing:
        async def ask(self, method: str, **fields: Any) -> Any:
            if method == "coach":
                did, about = Reason("choice.call", {"chips": 50}), Reason("no_estimate", {"cause": "x"})
                return msgspec.to_builtins(Coached((LessonLine(1, 0, did, did, (0, 0, 0), (), False, about),)))
            return msgspec.to_builtins(Analysis("rules", "model"))

    state = HandState(GameSpec.no_limit(2, (50, 100), 1000), [None, "AsKd"])
    review = asyncio.run(review_of(Failing(), state.view(1), Action.call(), "rules", "model", True))
    assert review.gave_up is None and review.no_estimate == Reason("no_estimate", {"cause": "x"})


def test_hands_of_a_table_are_seen_as_its_seat_may_know_them(server: Server, tmp_path: Path) -> None:
    table, token = server.make(opponents=["caller"], seats=2, speed="instant", panel=False, coach=False)
    me = server.client(table, token)
    me.until(lambda e: (e["type"] == "state" and me.turn() and bool(me.act("c"))) or
             (e["type"] == "state" and e["phase"] == "over"))  # fmt: skip
    server.http.cookies.clear()
    outside = get(server, "hand", source=f"table:{table}", id=0)
    server.http.cookies.set(f"seat-{table}", token)
    mine = get(server, "hand", source=f"table:{table}", id=0)
    server.http.cookies.clear()
    assert mine["cards"].count(None) <= outside["cards"].count(None)
    assert any(c is not None for c in mine["cards"])
    me.close()


def test_a_hand_that_cannot_be_replayed_says_so_in_the_list() -> None:
    state = HandState(GameSpec.no_limit(2, (50, 100), 10_000), ["AsAh", "7c2d"])
    state.apply(Action.fold())
    record = msgspec.structs.replace(state.record(["Ann", "Bob"]), actions=(Action(2, 99_999),))
    assert [one.about.code for one in line_of(0, record).result] == ["not_replayed"]
