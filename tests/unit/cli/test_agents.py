"""``dupai agents``, ``dupai agents check``, ``dupai advise``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import dupai.agents
from dupai.agents import BaseAgent, MatchInfo, sit_down
from dupai.cli import main
from dupai.rules import Action, GameSpec, HandState
from support.plugins_internals import check_this


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err.replace("compiling kernels, once\n", "")


def _json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    code, out, err = _run(capsys, *arguments, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_agents_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = _run(capsys, "agents")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    people = lines[lines.index("As people and programs have played") + 1 :: 2][:4]
    strengths = [[float(word) for word in line[41:].split() if word != "–"] for line in people]
    means = [sum(row) / len(row) for row in strengths]
    assert means == sorted(means, reverse=True)
    assert any("Champion bot" in line for line in people)
    assert "advisor" in out
    code, out, err = _run(capsys, "agents", "--all")
    assert (code, err) == (0, "")
    for word in ("caller ", "raiser ", "random ", "fixed ", "rules ", "style ", "personality=neutral|", "default half"):
        assert word in out
    found = {info["name"]: info for info in _json(capsys, "agents")}
    assert [o["name"] for o in found["style"]["options"]] == ["name", "alpha", "beta", "size", "deals"]
    assert found["style"]["options"][0]["choices"] == ["LA", "LP", "TA", "TP"]


def test_check_says_line_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = _run(capsys, "agents", "check", "fixed", "--views", "300")
    assert (code, err) == (0, "")
    assert [line.split()[1] for line in out.splitlines() if line.startswith("ok")] == [
        "runs",
        "legal",
        "determinism",
        "view",
        "clock",
        "policy",
        "stateless",
    ]
    assert out.splitlines()[-2].startswith("not checked: strength; memory; ")
    assert out.splitlines()[-1] == "fixed: fit to play"
    report = _json(capsys, "agents", "check", "fixed", "--views", "300")
    assert report["ok"]
    assert report["views"] == 300
    assert all(us > 0 for us in report["microseconds"].values())


def test_a_bad_agent_has_exit_code_2(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from dupai.agents import BaseAgent
    from dupai.rules import Action

    class Folds(BaseAgent):
        def act(self, view: Any, rng: Any) -> Action:
            return Action.fold()

    check_this(monkeypatch, Folds)
    code, out, _ = _run(capsys, "agents", "check", "caller", "--views", "100")
    assert code == 2
    assert "FAIL  legal" in out
    assert out.splitlines()[-1] == "caller: not fit to play"


def test_an_agent_is_shown_also_after_options(capsys: pytest.CaptureFixture[str]) -> None:
    shown = _json(capsys, "agents", "swarm", "--json")
    assert _json(capsys, "agents", "--json", "swarm") == shown
    assert _json(capsys, "agents", "--all", "--json", "swarm") == shown


def test_no_agent_shows_more_than_eight_options(capsys: pytest.CaptureFixture[str]) -> None:
    for agent in _json(capsys, "agents", "--json"):
        shown = [option["name"] for option in agent["options"] if not option["hidden"]]
        assert len(shown) <= 8, (agent["name"], shown)
    _, out, _ = _run(capsys, "agents", "mcts")
    assert "simulations=" in out and "widening=" not in out
    assert "for experiments (--all): c, opponents" in " ".join(out.split())
    _, out, _ = _run(capsys, "agents", "mcts", "--all")
    assert "widening=" in out


@pytest.mark.parametrize("agent", ["caller", "raiser", "random", "fixed", "rules", "style:LA"])
def test_every_agent_advises(agent: str, capsys: pytest.CaptureFixture[str]) -> None:
    state = "6 players, button, AsKd; utg raises to 300, folds to me"
    code, out, err = _run(capsys, "advise", "--agent", agent, "--state", state)
    assert (code, err) == (0, "")
    assert "holding AsKd: 4 of 6 players in" in out
    assert f"{agent}:" in out
    assert "  - " in out
    document = _json(capsys, "advise", "--agent", agent, "--state", state)
    assert document["spot"] == {
        "players": 6,
        "position": 5,
        "street": 0,
        "hole": "AsKd",
        "board": "",
        "pot": 450,
        "to_call": 300,
        "stack": 10_000,
        "legal": {"fold": True, "to_call": 300, "min_to": 500, "max_to": 10_000},
    }
    assert sum(a["probability"] for a in document["actions"]) == pytest.approx(1.0)
    assert document["reasons"]


@pytest.mark.parametrize(("own", "names"), [(2, "..A...."), (6, "......A")])
def test_names_stand_by_seat_where_seats_are_empty(own: int, names: str) -> None:
    """Three players are left in seats 6, 2 and 3 of a table."""
    seats = (6, 2, 3)
    told: list[MatchInfo] = []

    class Curious(BaseAgent):
        def start(self, match: MatchInfo) -> None:
            told.append(match)

    view = HandState(GameSpec.no_limit(3), seats=seats).view(seats.index(own))
    sit_down(Curious(), view, "A")
    assert told[0].seat == own
    assert told[0].names == tuple("A" if n == "A" else f"player {seat}" for seat, n in enumerate(names))


def test_an_agent_without_policy_is_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Coin(BaseAgent):
        def act(self, view: Any, rng: Any) -> Action:
            return Action.call() if rng.uniform() < 0.3 else Action.fold()

    monkeypatch.setattr(dupai.agents, "seated_agent", lambda spec: Coin())
    document = _json(capsys, "advise", "--agent", "coin", "--state", "hole=AsKd to_call=200")
    chances = {a["action"]: a["probability"] for a in document["actions"]}
    assert chances["call 200"] == pytest.approx(0.3, abs=0.06)
    assert document["reasons"][0]["text"].startswith("Counted over 1,000 decisions")


def test_advice_calls_the_first_bet_on_a_street_a_bet(capsys: pytest.CaptureFixture[str]) -> None:
    spot = ("advise", "--agent", "rules", "--state")
    checked = "2 players, button, AsKs; raises to 500, bb calls; flop 2c7dTh: bb checks"
    out = " ".join(_run(capsys, *spot, checked)[1].split())
    assert "legal: check, bet 100..9,500 rules:" in out and " bet 500 " in out and "raise to" not in out
    # For programs the words stay: there they name the total of the hand.
    assert "raise to 1,000 (500 on this street)" in {a["action"] for a in _json(capsys, *spot, checked)["actions"]}
    faced = " ".join(_run(capsys, *spot, checked.replace("checks", "bets 300"))[1].split())
    assert "legal: fold, call 300, raise to 1,100..10,000 (600..9,500 on this street) rules:" in faced


def test_advice_says_what_can_be_won_of_the_pot(capsys: pytest.CaptureFixture[str]) -> None:
    state = "6 players, blinds 50/100, stacks 5000/120/5000/5000/5000/5000, bb, 7h2c; utg all-in, folds to me"
    assert "pot 5150, of which 270 can be won, stack 20" in " ".join(
        _run(capsys, "advise", "--agent", "fold:paper", "--state", state)[1].split()
    )


def test_advice_on_a_file_and_a_match_state(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "spot.txt"
    file.write_text("MATCHSTATE:1:0:cr250:|AsKd\n", encoding="utf-8")
    rules = ("advise", "--agent", "rules")
    by_file = _json(capsys, *rules, "--state", str(file))
    by_text = _json(capsys, *rules, "--state", "MATCHSTATE:1:0:cr250:|AsKd", "--game", "holdem.nolimit.2p")
    assert by_file == by_text
    assert by_text["numbers"]["rate_of_return"] == pytest.approx(0.6532 / 0.3, abs=1e-3)
    # A free call can have an infinite return: JSON says null.
    literal = ("advise", "--agent", "rules:free=raise")
    assert _json(capsys, *literal, "--state", "hole=AsKd")["numbers"]["rate_of_return"] is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["advise", "--agent", "rulez", "--state", "hole=AsKd"], "unknown agent 'rulez': did you mean 'rules'?"),
        (["advise", "--agent", "rules:tigt=1", "--state", "hole=AsKd"], "did you mean 'tight'?"),
        (["advise", "--state", "hole=AsAs"], "card As stands twice"),
        (["advise", "--state", "gone.phh"], "'gone.phh': there is no such file"),
        (["advise", "--state", "MATCHSTATE:1:0::|AsKd", "--game", "holdem.nolimit.2pp"], "holdem.nolimit.2p"),
        (["advise"], "Missing option"),
        (["agents", "check", "styel"], "did you mean 'style'?"),
        (["agents", "chekc", "style"], "check"),
        (["agents", "check", "style", "--views", "0"], "--views"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = _run(capsys, *arguments)
    assert code == 2
    assert out == ""
    assert said in err
    assert err.count("\n") == 1
