"""What the browser's server names or says is in the Chinese catalogue: leaks, titles, kinds of run, agents."""

from __future__ import annotations

import json
import re
import time
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from dupai.agents import agent_infos
from dupai.notation import load_catalogue, reason_words
from support.web_server import Server

pytest.importorskip("fastapi", reason="needs the extra web (pip install -e '.[web,web-test]')")


def test_leaks_are_in_chinese() -> None:
    from dupai.history._tracker._facts import ROLES
    from dupai.history._tracker._leaks import EVENTS
    from dupai.history.stats import Leak, LeakReport
    from dupai.rules import STREET_PHRASES
    from dupai.spots import POSITION_CLASSES
    from dupai.web._stats import _leaks

    blank = dict.fromkeys(("bb100", "low", "high", "per_hand", "others", "cost_low", "cost_high", "p", "holm"), 0.0)
    counts = {"n": 1234, "others_n": 9, "more_hands": 0, "hands": (), "ids": ()}
    for position, role, street, event in product(POSITION_CLASSES, ROLES, ("", *STREET_PHRASES), EVENTS):
        leak = Leak(position=position, role=role, street=street, event=event, cost=-3.4, **blank, **counts)  # type: ignore[arg-type]
        report = LeakReport(player="A", hands=2000, bb100=0.0, low=0.0, high=0.0, more_hands=0, lines=(leak,))
        words = reason_words(_leaks(report)[0], "zh")
        assert words.endswith("相比 -3.4 bb/100（1,234 手）")
        assert not re.search("[a-z]{4,}", words), words


def test_agents_statistics_and_kinds_have_chinese_names() -> None:
    from dupai.arena._formats import FORMATS
    from dupai.history.stats import DEFINITIONS
    from dupai.notation import Reason
    from dupai.reading import HAND_CLASSES, HAND_DRAWS
    from dupai.web._sources import _EXAMPLES
    from dupai.web._study_routes import PRESETS

    chinese = load_catalogue("zh")
    names = [f"agent.{info.name}" for info in agent_infos() if info.origin == "dupai"]
    names += [f"statistic.{one.name}" for one in DEFINITIONS] + [f"run.{kind}" for kind in FORMATS]
    names += [f"range.{preset.name}" for preset in PRESETS]
    assert len(names) > 40
    assert not [name for name in names if name not in chinese.names]
    assert not [word for word in (*HAND_CLASSES, *HAND_DRAWS) if word not in chinese.words]
    assert all(reason_words(Reason(f"example_{name}"), "zh") for name in _EXAMPLES)


_PROBLEMS = Path(__file__).parents[2] / "src" / "dupai" / "web" / "page" / "src" / "strings" / "problems.zh.json"
_SPOT = {"board": "AsKdQh2c2d", "oop": "KK,JT", "ip": "AK,QQ", "pot": 100, "stack": 100, "bet": "50%, a", "target": 1}
#: Requests of the page that the server refuses: by address what is wrong in each.
_WRONG: dict[str, list[dict[str, Any]]] = {
    "equity": [
        {"hands": ["AsAh"]},
        {"hands": ["AA", "KK"] * 6},
        {"hands": ["AsAh", "AsKd"]},
        {"hands": ["AsAh", ""]},
        {"hands": ["AA", "KK"], "dead": "xx"},
        {"hands": ["AsAh", "KK"], "dead": "As"},
        *({"hands": ["AsAh", "KK"], "board": board} for board in ("2c", "2c2c3d", "2c7dTz", "As7dTh")),
    ],
    "solve": [
        *({"board": board} for board in ("As", "AsAsQh", "AsKdQz")),
        *({"oop": text} for text in ("ZZ", "", "Q9s+, zz", "AKs:2", "AsAs", "120%", "Q" * 30_000)),
        {"ip": "2h2c"},
        {"pot": 0},
        {"stack": 10**12},
        {"bet": "x%"},
        {"raise": "0x"},
        {"target": 0},
        *({"locks": [{"path": path, "strategy": {action: 1}}]} for path, action in (("fly", "check"), ("", "fly"))),
        {"locks": [{"path": "", "strategy": {}}]},
        {"locks": [{"path": "", "strategy": {"check": 1}}] * 21},
        {"oop": "random", "ip": "random", "board": "2c7dTh", "bet": "10%,20%,30%,40%,50%,60%,70%,80%"},
    ],
    "runs": [
        {"agents": ["caller"]},
        {"hands": 0},
        {"seed": -1},
        *({"agents": ["caller", spec]} for spec in ("mine.py:Agent", "nobody", "rulez", "mcts:deals=99999")),
        *({"agents": ["caller", spec]} for spec in ("rules:x=1", "dupai:rsk=1", "rules:free=maybe")),
    ],
    "tables": [
        {"seats": 1},
        {"small_blind": 100, "big_blind": 50},
        {"stack": 1},
        {"stack": 0},
        {"opponents": ["rules"] * 9, "seats": 3},
        {"opponents": [""]},
        {"name": "x" * 30},
        {"clock": -1},
        {"reader": "nobody"},
        {"game": "limit", "opponents": ["dupai"]},
    ],
    "tables/none/seat": [{"name": "x", "seat": 1}],
}  # fmt: skip
#: The same by GET.
_MISSING: dict[str, list[dict[str, Any]]] = {
    "range": [{"text": "QQQ"}],
    "solve/none": [{}],
    "hands": [{"source": "upload:none"}],
    "hand": [{"source": "example:match", "id": 60}],
    "hand/review": [{"source": "example:match", "id": 0, "n": 999}],
    "player": [{"source": "example:match", "name": "nobody"}],
    "result": [{"id": "nothing"}],
    "report": [{"id": "nothing"}],
    "nothing": [{}],
}


def test_what_the_server_refuses_is_said_in_chinese(tmp_path: Path) -> None:
    chinese = {
        re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.*?)", re.escape(english)), re.DOTALL): own
        for english, own in json.loads(_PROBLEMS.read_text(encoding="utf-8")).items()
    }

    def said(text: str) -> str:
        """As ``problemText`` of the page."""
        for pattern, own in chinese.items():
            if found := pattern.fullmatch(text):
                places = found.groupdict()
                return own.format(**places | {"rest": said(places["rest"])} if "rest" in places else places)
        raise AssertionError(f"not in {_PROBLEMS.name}: {text}")

    server = Server(tmp_path, "--jobs", "1")
    base = {"solve": _SPOT, "runs": {"kind": "ladder", "agents": ["caller", "raiser"]}}
    try:
        refused = [server.http.get(f"/api/{p}", params=query) for p, wrong in _MISSING.items() for query in wrong]
        texts = [reply.json()["error"] for reply in refused]
        for place, wrong in _WRONG.items():
            for body in wrong:
                reply = server.http.post(f"/api/{place}", json=base.get(place, {}) | body).json()
                end = time.monotonic() + 60
                while "error" not in reply or reply.get("state") in ("waiting", "running"):
                    # A spot is refused when it is set up.
                    assert place == "solve" and time.monotonic() < end, (place, body, reply)
                    time.sleep(0.1)
                    reply = server.http.get(f"/api/solve/{reply['id']}").json()
                texts.append(reply["error"])
        uploads = (b"", b"no hand at all", b"x" * 8_000_001)
        texts.extend(server.http.post("/api/upload", content=data).json()["error"] for data in uploads)
        texts.append(server.http.post("/api/solve/open", content=b"nothing").json()["error"])
    finally:
        server.close()
    for text in texts:
        own = said(text)
        assert re.search("[\u4e00-\u9fff]", own), own
        assert "expected" not in own and "there is" not in own, own
