"""A new built-in agent is one module and one line of the registry: everything else finds it there."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from dupai.agents import _registry
from dupai.arena import play_match
from dupai.cli import main
from dupai.engine import serve
from dupai.notation import Reason, reason_words

MODULE = '''
"""The module of a new agent."""

from typing import Annotated

from dupai.agents import Option, PolicyAgent
from dupai.notation import Reason
from dupai.rules import Action
from dupai.spots import ActionDistribution


class Timid(PolicyAgent):
    """Folds to every bet"""

    presets = {"brave": {"calls": True}}

    def __init__(self, calls: Annotated[bool, Option("whether it calls")] = False) -> None:
        self.calls = calls

    def policy(self, view):
        folds = view.legal.fold and not self.calls
        return ActionDistribution.certain(Action.fold() if folds else Action.call())

    def reasons(self, view):
        return (Reason("timid", {"calls": int(self.calls)}, text="It is afraid of bets"),)
'''
SPOT = "heads-up, blinds 50/100, stacks 10000, button, AsKd; i raises to 300, bb raises to 900"


@pytest.fixture(autouse=True)
def timid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "timid_agent.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(_registry._AGENTS.built_in, "timid", "timid_agent:Timid")  # type: ignore[misc]


def test_it_is_listed_with_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agents", "--json"]) == 0
    (listed,) = [one for one in json.loads(capsys.readouterr().out) if one["name"] == "timid"]
    assert (listed["summary"], listed["presets"]) == ("Folds to every bet", {"brave": {"calls": True}})


def test_it_advises_with_its_own_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advise", "--agent", "timid", "--state", SPOT]) == 0
    out = capsys.readouterr().out
    assert "100.0%  fold" in out and "- It is afraid of bets" in out


def test_it_plays_matches() -> None:
    result = play_match(["timid", "raiser"], hands=20, seed=1)
    assert result.hands == 20 and not result.faults


def test_the_engine_plays_and_explains_it() -> None:
    asked = {"id": "1", "method": "analyse", "agent": "timid:brave", "spot": SPOT, "want": ["actions"]}
    out = io.BytesIO()
    serve([json.dumps(asked).encode() + b"\n"], out)
    reason = json.loads(out.getvalue())["result"]["reasons"][0]
    assert reason == {"code": "timid", "values": {"calls": 1}, "text": "It is afraid of bets"}
    assert reason_words(Reason(**reason), "zh") == "It is afraid of bets"


def test_the_browser_offers_it() -> None:
    pytest.importorskip("fastapi", reason="needs the extra web")
    from dupai.web._app import _info

    (info,) = [one for one in _info().agents if one.name == "timid"]
    assert (info.about, info.presets, info.options[0].kind) == ("Folds to every bet", ("brave",), "flag")
