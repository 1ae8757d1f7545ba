"""Agents of other packages: whatever they do, the match goes on and names them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dupai.agents import (
    BaseAgent,
    Capabilities,
    HasPolicy,
    MatchInfo,
    capabilities,
    check_agent,
    foreign_package,
    make_agent,
    seated_agent,
)
from dupai.arena import play_match
from dupai.arena.match import TableRules
from dupai.base import AgentError, ConfigError, Rng
from dupai.cli import main
from dupai.rules import Action, GameSpec, HandRecord, HandState, View
from support.plugins_internals import end_idle_agents, install_hostile

ROGUES = '''
import ctypes, os, signal, sys, time
from dupai.agents import BaseAgent, Notes, PolicyAgent
from dupai.notation import Reason
from dupai.rules import Action
from dupai.spots import ActionDistribution

class Rogue(BaseAgent):
    """Calls, but for its third decision."""
    def __init__(self, way: str = "exit") -> None:
        self.way, self.count = way, 0
        if way == "unmade":
            os._exit(9)
    def act(self, view, rng):
        self.count += 1
        if self.way == "print":
            print("my cards are", view.hole)
            print("half", end="", flush=True)
            os.write(1, b"past Python\\n")
        if self.way == "random":
            calls = rng.uniform() < 0.5 or not view.legal.can_raise
            return Action.call() if calls else Action.raise_to(view.legal.min_to)
        if self.way == "write":
            view.state["pot" if "pot" in view.state.dtype.names else "stack"] = 0
        if self.count == 3 or self.way == "hang":
            return getattr(self, self.way)()
        return Action.call()
    def exit(self): sys.exit("bye")
    def die(self): os._exit(3)
    def kill(self): os.kill(os.getpid(), signal.SIGKILL)
    def crash(self): ctypes.string_at(0)
    def text(self): return "call"
    def closure(self): return lambda: "call"
    def raising(self): raise ValueError("no idea")
    def ask(self): return input("what now?")
    def print(self): return Action.call()
    def write(self): return Action.call()
    def hang(self):
        while True:
            pass
    def hunger(self):
        hold = []
        while True:
            hold.append(bytearray(1 << 28))

class Fair(PolicyAgent):
    """Has every part."""
    def policy(self, view):
        return ActionDistribution.certain(Action.call())
    def begin(self, hand): pass
    def end(self, record): pass
    def save(self): return b"saved"
    def load(self, data): assert data == b"saved"

class Noting(BaseAgent):
    """Notes every decision before the flop."""
    def __init__(self): self.notes = Notes()
    def act(self, view, rng):
        if not view.street:
            self.notes.add(Reason("early", text="too early"))
        return Action.call()

class Closes(BaseAgent):
    """Its close uses what start made."""
    def __init__(self, way: str = "well") -> None: self.way = way
    def start(self, match): self.log = [match]
    def act(self, view, rng): return Action.call()
    def close(self):
        self.log.clear()
        if self.way == "raises":
            raise OSError("disk full")
        if self.way == "exits":
            os._exit(4)

class Wrong(PolicyAgent):
    """Policies and advice that are none."""
    def __init__(self, way: str) -> None: self.way = way
    def policy(self, view):
        if self.way == "none":
            return None
        size = 10**7 if self.way == "illegal" else view.legal.min_to
        half = {"nan": float("nan"), "half": 0.2, "negative": -0.5}.get(self.way, 0.5)
        return ActionDistribution(((Action.call(), 0.5 if half > 0 else 1.5), (Action.raise_to(size), half)))

class Large(BaseAgent):
    """Raises to more than it has."""
    def act(self, view, rng): return Action.raise_to(10**6)

class Crashes(BaseAgent):
    """Takes long to start, decides at once, and leaves at its third decision."""
    def start(self, match):
        self.count = 0
        time.sleep(1)
    def act(self, view, rng):
        self.count += 1
        if self.count == 3:
            os._exit(3)
        return Action.call()
'''


@pytest.fixture
def rogues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with agents, found by its entry points."""
    (tmp_path / "rogues.py").write_text(ROGUES)
    info = tmp_path / "rogues-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: rogues\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[dupai.agents]\nrogue = rogues:Rogue\nfair = rogues:Fair\nnoting = rogues:Noting\n"
        "closes = rogues:Closes\ncrashes = rogues:Crashes\n"
        "wrong = rogues:Wrong\nlarge = rogues:Large\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "rogues", raising=False)
    return tmp_path


@pytest.mark.usefixtures("rogues")
def test_an_interruption_between_question_and_answer_costs_no_later_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer that was not waited for used to be taken for that of the next question, and so on."""
    agent: Any = seated_agent("fair")
    spec = GameSpec.no_limit(2, (50, 100), 20_000)
    agent.start(MatchInfo(spec=spec, seat=0, names=("a", "b")))
    view = HandState.deal(spec, Rng(1)).view(1)
    child = agent._child

    def interrupted(seconds: float) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(child, "_poll", SimpleNamespace(poll=interrupted, unregister=child._poll.unregister))
    with pytest.raises(KeyboardInterrupt):
        agent.act(view, Rng(1))
    assert agent._child is None and not agent._lost
    assert agent.act(view, Rng(1)) == Action.call()
    agent.close()


@pytest.mark.usefixtures("rogues")
@pytest.mark.parametrize(
    ("way", "error"),
    [
        ("exit", "SystemExit at "),
        ("raising", "ValueError at "),
        ("text", "RulesError: answer 'call' is not an Action"),
        ("closure", "RulesError: answer <function"),
        ("ask", "EOFError at "),
        ("die", "its process left with exit code 3"),
        ("kill", "its process was ended by SIGKILL"),
        ("crash", "its process was ended by SIGSEGV"),
        ("hunger", "MemoryError: it may take 1 GiB (DUPAI_AGENT_GIB)"),
    ],
)
def test_the_match_goes_on(way: str, error: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUPAI_AGENT_GIB", "1")
    if way == "hunger":
        end_idle_agents()  # which may take more
    result = play_match([f"rogue:{way}", "caller"], hands=2, seed=1)
    assert result.hands == 2
    assert not result.partial
    assert [f.agent for f in result.faults] == [f"rogue:{way}"] * len(result.faults)
    assert result.faults[0].error.startswith(error)
    assert result.faults[0].during == "act"
    assert len(result.faults) == result.players[0].faults > 0


@pytest.mark.usefixtures("rogues")
def test_one_that_hangs_is_ended_and_then_asked_no_more() -> None:
    result = play_match(["rogue:hang", "caller"], hands=6, seed=1, rules=TableRules(seconds_per_action=0.5))
    assert result.hands == 6
    errors = [f.error for f in result.faults]
    assert len(errors) == result.players[0].faults == 6
    assert errors[:3] == ["no answer within 1.5 s: its process was ended"] * 3
    assert errors[3:] == ["its process was lost 3 times: it is asked no more"] * 3


@pytest.mark.usefixtures("rogues")
@pytest.mark.parametrize("rules", [TableRules(seconds_per_action=0.8), TableRules(seconds_per_match=0.8)])
def test_the_start_of_another_process_is_no_part_of_a_decision(rules: TableRules) -> None:
    """It used to be: a crash cost the hand, and the next one by the clock."""
    result = play_match(["crashes", "caller"], hands=6, seed=1, rules=rules)
    assert result.hands == 6
    assert [f.error for f in result.faults] == ["its process left with exit code 3"] * len(result.faults)
    assert len(result.faults) > 2


@pytest.mark.usefixtures("rogues")
def test_one_that_cannot_be_made_is_named() -> None:
    with pytest.raises(AgentError, match="agent 'rogue:unmade' cannot be made: its process left with exit code 9"):
        play_match(["rogue:unmade", "caller"], hands=2)


@pytest.mark.usefixtures("rogues")
def test_it_plays_as_in_this_process() -> None:
    """Same draws, same actions, whether or not a process is between."""
    key = "5a" * 32
    apart = play_match(["rogue:random", "caller"], hands=40, key=key)
    here = play_match([lambda: make_agent("rogue:random"), "caller"], hands=40, key=key)
    assert not apart.faults
    assert [p.chips for p in apart.players] == [p.chips for p in here.players]


@pytest.mark.usefixtures("rogues")
def test_its_parts_are_those_of_the_agent() -> None:
    fair, rogue = seated_agent("fair"), seated_agent("rogue")
    can = capabilities(fair)
    assert can.policy and can.begins and can.ends and can.saves and can.advises and not can.observes
    assert capabilities(rogue) == Capabilities()
    assert isinstance(fair, HasPolicy)
    view = HandState.deal(GameSpec.no_limit(2, (1, 2), 100), Rng(1)).view(1)
    assert fair.policy(view).call == 1.0
    result = play_match(["fair", "caller"], hands=20, seed=1, luck_reduced=True)
    assert not result.faults
    assert result.stateless
    for agent in (fair, rogue):
        agent.close()


@pytest.mark.usefixtures("rogues")
def test_its_notes_come_along() -> None:
    (apart,) = play_match(["noting", "caller"], hands=10, seed=1).notes
    (here,) = play_match([lambda: make_agent("noting"), "caller"], hands=10, seed=1).notes
    assert apart.counts == here.counts == {"early": 10}
    assert apart.decisions == here.decisions == 40 and apart.texts == {"early": "too early"}


@pytest.mark.usefixtures("rogues")
def test_what_it_prints_stays_out_of_our_output(rogues: Path) -> None:
    command = [sys.executable, "-m", "dupai", "match", "rogue:print", "caller", "--hands", "2", "--json"]
    path = os.pathsep.join([str(rogues), *sys.path])
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}, timeout=240)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["hands"] == 2
    assert "rogue: my cards are (" in done.stderr
    assert "rogue: halfpast Python\n" in done.stderr


@pytest.mark.usefixtures("rogues")
def test_what_a_module_prints_while_it_is_loaded(rogues: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with open(rogues / "rogues.py", "a") as file:
        file.write("\nprint('loading')\n")
    assert main(["agents", "rogue", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["name"] == "rogue"
    assert "loading" in err


@pytest.mark.usefixtures("rogues")
def test_worker_processes_outlive_the_agents_in_them() -> None:
    result = play_match(["rogue:kill", "fair"], hands=2, matches=2, seed=1, backend="processes", jobs=2)
    assert result.hands == 4
    assert {f.error for f in result.faults} == {"its process was ended by SIGKILL (out of memory?)"}
    assert len(result.faults) == result.players[0].faults > 0


class Talker(BaseAgent):
    """Prints, and calls."""

    def act(self, view: View, rng: Rng) -> Action:
        print("I call", end="")
        return Action.call()


class Leaver(BaseAgent):
    """Leaves."""

    def act(self, view: View, rng: Rng) -> Action:
        sys.exit(4)


def test_agents_of_this_process(capsys: pytest.CaptureFixture[str]) -> None:
    result = play_match([Talker, Leaver], hands=2, seed=1)
    out, err = capsys.readouterr()
    assert out == ""
    assert "Talker: I call\n" in err
    assert {f.error.partition(" at ")[0] for f in result.faults} == {"SystemExit"}
    print("ours")
    assert capsys.readouterr().out == "ours\n"


class Diary(BaseAgent):
    """Writes down what it is told."""

    pages: list[tuple[str, Any]] = []  # noqa: RUF012

    def begin(self, hand: View) -> None:
        self.pages.append(("begin", (hand.hand, hand.actions, hand.hole, hand.pot)))

    def act(self, view: View, rng: Rng) -> Action:
        self.pages.append(("act", view.hand))
        return Action.call()

    def observe(self, record: HandRecord) -> None:
        self.pages.append(("observe", record.hand))

    def end(self, record: HandRecord) -> None:
        assert record.hero is not None
        self.pages.append(("end", (record.hand, record.hole[record.hero])))


def test_a_hand_begins_and_ends() -> None:
    Diary.pages.clear()
    result = play_match([Diary, "caller"], hands=3, seed=1)
    assert not result.faults
    words = [word for word, _ in Diary.pages]
    assert words[0] == "begin"
    assert words.count("begin") == words.count("end") == words.count("observe") == 3
    assert [page for page in Diary.pages if page[0] in ("observe", "end")][:2] == [
        ("observe", 1),
        ("end", (1, Diary.pages[0][1][2])),
    ]
    begins = [what for word, what in Diary.pages if word == "begin"]
    assert [(hand, actions, pot) for hand, actions, _, pot in begins] == [(k, (), 150) for k in (1, 2, 3)]


def test_a_random_generator_from_the_stream() -> None:
    a, b = Rng(5, 1).as_random(), Rng(5, 1).as_random()
    assert [a.random() for _ in range(5)] == [b.random() for _ in range(5)]
    one = Rng(5, 1)
    assert one.as_random().random() != one.as_random().random()


@pytest.mark.usefixtures("rogues")
def test_the_check_survives_them(capsys: pytest.CaptureFixture[str]) -> None:
    report = check_agent("rogue:die", 40)
    lines = {line.name: line for line in report.lines}
    assert lines["runs"].ok is False
    assert "exit code 3" in lines["runs"].text
    lost = int(lines["runs"].text.partition(" ")[0])
    assert lines["legal"].text == f"every answer legal in {40 - lost} views" and 0 < lost < 40
    written = {line.name: line.ok for line in check_agent("rogue:write", 40).lines}
    assert written["view"] is False
    assert main(["agents", "check", "rogue:print", "--views", "40", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ok"]


@pytest.mark.usefixtures("rogues")
def test_answers_that_are_no_actions_are_compared_in_the_check() -> None:
    """They used to differ from themselves: "determinism ... first: 'call' then 'call'"."""
    lines = {line.name: line.ok for line in check_agent("rogue:text", 40).lines}
    assert (lines["legal"], lines["determinism"]) == (False, True)


@pytest.mark.usefixtures("rogues")
def test_an_answer_that_never_comes_is_late_and_is_no_legal_one() -> None:
    report = check_agent("rogue:hang", 2, seconds=0.2)
    lines = {line.name: (line.ok, line.text) for line in report.lines}
    assert not lines["runs"][0] and "no answer within 1.2 s" in lines["runs"][1]
    assert not lines["clock"][0] and lines["clock"][1].startswith("2 of 2 views, first: 1.2")
    for name in ("legal", "determinism", "view"):
        assert lines[name] == (None, "no answer to check")


@pytest.mark.usefixtures("rogues")
def test_an_agent_is_closed_after_it_has_started_only() -> None:
    """Trying a spec used to close an agent that was never started, so that such an agent could not be played by name,
    and ended the check with a traceback."""
    assert not play_match(["closes", "caller"], hands=2, seed=1).faults
    assert check_agent("closes", 40).ok


@pytest.mark.usefixtures("rogues")
@pytest.mark.parametrize(("way", "error"), [("raises", "OSError at "), ("exits", "its process left with exit code 4")])
def test_an_error_in_close_is_a_line(way: str, error: str) -> None:
    (fault,) = play_match([f"closes:{way}", "caller"], hands=2, seed=1).faults
    assert fault.during == "close" and fault.error.startswith(error)
    report = check_agent(f"closes:{way}", 40)
    lines = {line.name: line for line in report.lines}
    assert [name for name, line in lines.items() if line.ok is False] == ["runs"] and error in lines["runs"].text
    assert report.views == 40


def test_the_end_of_the_program_is_no_fault_of_an_agent() -> None:
    """SIGTERM reaches the process while an agent decides."""
    code = (
        "import os, signal, sys; from dupai.agents import _check as m, BaseAgent\n"
        "class Ends(BaseAgent):\n"
        "    def act(self, view, rng): os.kill(os.getpid(), signal.SIGTERM)\n"
        "m.seated_agent = lambda spec: Ends()\n"
        "from dupai.cli._main import entry\n"
        "sys.argv = ['dupai', 'agents', 'check', 'caller', '--views', '20']\n"
        "entry()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240)
    assert done.returncode == 143, done.stderr
    assert "fit to play" not in done.stdout


@pytest.mark.usefixtures("rogues")
def test_advice_of_another_package_is_asked_in_its_process(capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--state", "3 players, button, AhQh; folds to me", "--json"]
    assert main(["advise", *where, "--agent", "rogue:way=print"]) == 0
    out = capsys.readouterr().out
    assert json.loads(out)["agent"] == "rogue:way=print" and "past Python" not in out
    assert main(["advise", *where, "--agent", "rogue:way=unmade"]) == 2
    assert "exit code 9" in capsys.readouterr().err


@pytest.mark.usefixtures("rogues")
@pytest.mark.parametrize(
    ("spec", "error"),
    [
        ("large", "r1000000 where legal is fold, call 100, raise to 200..10000"),
        ("rogue:text", "answer 'call' is not an Action"),
        ("wrong:illegal", "probability 0.5 on r10000000, legal: fold, call 100, raise to 200..10000"),
        ("wrong:half", "action probabilities [0.5, 0.2] add up to 0.7: expected 1"),
        ("wrong:nan", "action probabilities [1.5, nan]: expected none below 0"),
        ("wrong:negative", "action probabilities [1.5, -0.5]: expected none below 0"),
        ("wrong:none", "AttributeError at "),
    ],
)
def test_advice_that_is_not_possible_is_refused(spec: str, error: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It used to be shown: '100.0% raise to 1,000,000' of a stack of 10,000."""
    assert main(["advise", "--state", "3 players, button, AhQh; folds to me", "--agent", spec]) == 2
    out, err = capsys.readouterr()
    assert not out and err.startswith(f"dupai: {spec}: {error}") and err.count("\n") == 1


@pytest.mark.usefixtures("rogues")
def test_a_companion_survives_its_advisor() -> None:
    from dupai.arena.live import Companion

    state = HandState.deal(GameSpec.no_limit(2, (50, 100), 2000), Rng(1))
    companion = Companion(["me", "you"], 0, [], advisor="rogue:way=exit")
    view = state.view(state.actor)
    for spec in (None, "rogue:way=unmade"):
        with pytest.raises(AgentError, match="rogue:way="):
            companion.advice(view, spec)
    assert companion.advice(view, "fair").actions == (Action.call(),)


@pytest.mark.usefixtures("rogues")
def test_an_environment_names_the_opponent_that_left() -> None:
    pytest.importorskip("gymnasium", reason="gymnasium is not installed: pip install 'dupai[env]'")
    from dupai.env import HoldemGym

    env = HoldemGym("rogue:way=exit")
    with pytest.raises(AgentError, match=r"SystemExit at \w+\.py:\d+: bye"):
        for hand in range(100):
            env.reset(seed=hand or None)
            while not env.step(1)[2]:
                pass
    env.close()


@pytest.mark.usefixtures("rogues")
def test_an_agent_dropped_without_close_takes_its_process_along() -> None:
    import gc

    agent = seated_agent("fair")
    process = agent._child.process  # type: ignore[attr-defined]
    agent.myself = agent  # type: ignore[attr-defined]
    del agent
    gc.collect()
    assert process.returncode == -signal.SIGKILL


@pytest.mark.usefixtures("rogues")
@pytest.mark.parametrize("text", ["8GB", "0", "nan", ""])
def test_memory_that_is_no_number_is_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    end_idle_agents()
    monkeypatch.setenv("DUPAI_AGENT_GIB", text)
    with pytest.raises(ConfigError, match=r"DUPAI_AGENT_GIB=.*expected a number of GiB"):
        seated_agent("rogue:exit")


@pytest.mark.parametrize(
    ("spec", "package"),
    [
        ("fold:reader=model", None),
        ("raiser:size=half", None),
        ("acpc:cmd=x", None),
        ("hostile", "hostile"),
        (" hostile : none", "hostile"),
        ("fold:hostile-reader", "hostile"),
        ("mcts:reader = hostile-reader", "hostile"),
        ("exp:model=hostile-reader", "hostile"),
        ('fold:reader="hostile-reader",samples=100', "hostile"),
    ],
)
def test_a_spec_is_foreign_where_any_part_is(spec: str, package: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    install_hostile(monkeypatch)
    assert foreign_package(spec) == package


def test_the_agent_around_a_foreign_reader_is_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """It used to be made in this process, which ``os._exit`` in the reader ended without a word."""
    install_hostile(monkeypatch)
    for spec in ('fold:reader="hostile-reader:exit0,where=make"', "fold:reader=hostile-reader-exit0"):
        with pytest.raises(AgentError, match="left with exit code 0"):
            seated_agent(spec)
    result = play_match(["fold:reader=hostile-reader:exit0,samples=10", "caller"], hands=2, seed=1)
    assert result.hands == 2 and result.faults[0].error == "its process left with exit code 0"
