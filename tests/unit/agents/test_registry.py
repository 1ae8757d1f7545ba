"""Agents by name: specs, options, the nearest name, agents of other packages."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import pytest

from dupai.agents import (
    Agent,
    AgentInfo,
    BaseAgent,
    Option,
    agent_info,
    agent_infos,
    agent_names,
    check_agent,
    make_agent,
)
from dupai.agents.rules import RulesAgent
from dupai.base import AgentError, ConfigError, DupaiError, NotationError, Rng
from dupai.base.specs import split_spec
from dupai.reading import ReaderInfo, readers
from dupai.rules import Action, View
from support.plugins_internals import install

ROOT = Path(__file__).resolve().parents[3]
OURS = ("caller", "raiser", "random", "fixed", "rules", "style")


def test_built_in_names_and_infos() -> None:
    assert agent_names()[: len(OURS)] == OURS
    infos = {info.name: info for info in agent_infos()}
    for name in OURS:
        info = infos[name]
        assert info.summary
        assert info.origin == "dupai"
        assert info.stateless
        assert info.error is None
        assert isinstance(make_agent(name), Agent)
        for option in info.options:
            assert option.help, f"{name}: {option.name}"
            assert not option.required


def test_every_default_can_be_written_as_text() -> None:
    words = {True: "on", False: "off", None: "none"}
    for info in agent_infos():
        for option in info.options:
            value = words[option.default] if isinstance(option.default, bool | None) else option.default
            make_agent(f"{info.name}:{option.name}={value}")


def test_specs_are_read() -> None:
    rules: Any = make_agent(" rules : tight-aggressive , size = pot , protect=off,deals=17 ")
    assert (
        rules.parameters.tolist()
        == make_agent(  # type: ignore[attr-defined]
            "rules:personality=TIGHT-AGGRESSIVE,size=1,protect=no,deals=17"
        ).parameters.tolist()
    )
    style: Any = make_agent("style:la")
    assert (style.alpha, style.beta) == (0.30, 0.45)
    style = make_agent("style:TP,alpha=0.1,beta=none")
    assert (style.alpha, style.beta) == (0.1, 0.85)
    assert make_agent("style:LA") is not make_agent("style:LA")
    assert split_spec('a:"b,c"') == split_spec('a: "b,c" ') == ("a", "b,c", {})
    assert split_spec('a:"b=c",x="d,e"') == ("a", "b=c", {"x": "d,e"})


@pytest.mark.parametrize(
    ("spec", "kind", "said"),
    [
        ("", NotationError, "agent '' has no name: expected name or name:option=value,option=value"),
        (":LA", NotationError, "agent ':LA' has no name"),
        ("rulez", NotationError, "unknown agent 'rulez': did you mean 'rules'?"),
        ("Rules", NotationError, "did you mean 'rules'?"),
        ("zzzz", NotationError, "unknown agent 'zzzz': expected one of caller, raiser, random"),
        ("rules:tigt=0.2", ConfigError, "agent 'rules' has no option 'tigt': did you mean 'tight'?"),
        ("caller:size=pot", ConfigError, "agent 'caller' has no option 'size': it takes none"),
        ("caller:pot", ConfigError, "agent 'caller' takes no options, got 'pot'"),
        ("rules:size", NotationError, "'size' is not an option: expected size=value"),
        ("rules:tight=0.2,size", NotationError, "'size' is not an option: expected option=value"),
        ("rules:tight=", NotationError, "'tight=' is not an option"),
        ("rules:", NotationError, "'' is not an option"),
        ("rules:tight=1,tight=2", NotationError, "gives option 'tight' twice"),
        ("style:LA,name=TA", NotationError, "gives option 'name' twice"),
        ("style:XA", ConfigError, "option name='XA': expected LA|LP|TA|TP (did you mean"),
        ("rules:deals=many", ConfigError, "option deals='many': expected whole number"),
        ("rules:deals=1.5", ConfigError, "option deals='1.5': expected whole number"),
        ("rules:deals=0", ConfigError, "option deals=0: expected 1 to"),
        ("rules:tight=nan", ConfigError, "option tight='nan': expected number or none"),
        ("rules:tight=9", ConfigError, "option tight=9: expected -4 to 4"),
        ("rules:protect=maybe", ConfigError, "option protect='maybe': expected on|off"),
        ("rules:deals=" + "9" * 400, ConfigError, "option deals=a number of more than 332 digits: expected 1 to"),
        ("rules:deals=" + "9" * 5000, ConfigError, "999...: expected whole number"),
        ('rules:""', NotationError, "is not an option: expected option=value"),
        ("raiser:huge", ConfigError, "size='huge': expected a number of pots, or one of min, half"),
        (
            "style:LA,size=foo",
            ConfigError,
            "size='foo': expected a number of pots, or one of min, half, pot, max, random, people",
        ),
        ("raiser:size=-1", ConfigError, "size=-1: expected a number of pots of at least 0"),
        ("raiser:size=hafl", ConfigError, "did you mean 'half'?"),
    ],
)
def test_bad_specs(spec: str, kind: type[DupaiError], said: str) -> None:
    with pytest.raises(kind) as caught:
        make_agent(spec)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


# Agents of other packages ----------------------------------------------------------------------------


class Half(BaseAgent):
    """Raises half the time.

    More words.
    """

    def __init__(self, share: Annotated[float, Option("how often", 0, 1)], loud: bool = False) -> None:
        self.share = share
        self.loud = loud

    def act(self, view: View, rng: Rng) -> Action:
        if rng.uniform() < self.share:
            return view.legal.closest_raise(0)
        return Action.call()


class Silent(Half):
    def __init__(self) -> None:
        super().__init__(0.5)


class Broken:
    """Fails."""

    def __init__(self) -> None:
        raise ValueError("no luck")


class Lacking:
    """Has no methods."""


def lucky(level: int = 3) -> Half:
    """Made by a function."""
    return Half(level / 10)


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    me = __name__
    sys.modules.setdefault(me, sys.modules[Half.__module__])
    named = {
        "half": f"{me}:Half",
        "broken": f"{me}:Broken",
        "lacking": f"{me}:Lacking",
        "lucky": f"{me}:lucky",
        "silent": f"{me}:Silent",
        "absent": "no_such_module:Agent",
        "text": f"{me}:OURS",
        "rules": f"{me}:Half",
    }
    install(monkeypatch, "dupai.agents", named)


@pytest.mark.usefixtures("plugins")
def test_agents_of_other_packages() -> None:
    assert agent_names()[-7:] == ("absent", "broken", "half", "lacking", "lucky", "silent", "text")
    half: Any = make_agent("half:share=0.25,loud=on")
    assert (half.share, half.loud) == (0.25, True)
    assert make_agent("half:0.5").share == 0.5  # type: ignore[attr-defined]
    assert make_agent("lucky:7").share == 0.7  # type: ignore[attr-defined]
    assert isinstance(make_agent("rules"), RulesAgent)
    info = agent_info("half")
    assert info.summary == "Raises half the time"
    assert agent_info("silent").summary == "no description"  # not what its base class says of itself
    assert not info.stateless
    assert [(o.name, o.type, o.required, o.low, o.high) for o in info.options] == [
        ("share", "number", True, 0, 1),
        ("loud", "on|off", False, None, None),
    ]
    assert check_agent("half:0.5", 200).ok


@pytest.mark.usefixtures("plugins")
def test_broken_packages_do_not_take_the_list_down() -> None:
    errors = {info.name: info.error for info in agent_infos()}
    assert "agent 'absent' (no_such_module:Agent) cannot be loaded: ModuleNotFoundError" in str(errors["absent"])
    assert "is not a class or function that makes an agent" in str(errors["text"])
    assert errors["half"] is None
    for spec, kind, said in (
        ("half", ConfigError, "agent 'half' needs option 'share', as in half:share=..."),
        ("broken", AgentError, "agent 'broken' cannot be made: ValueError: no luck"),
        ("lacking", AgentError, "agent 'lacking' lacks one of start, act, observe, close"),
        ("absent", ConfigError, "cannot be loaded"),
    ):
        with pytest.raises(kind, match=said.replace("(", r"\(").replace(")", r"\)")):
            make_agent(spec)


# The example -----------------------------------------------------------------------------------------


def _example() -> Any:
    path = ROOT / "examples" / "own_agent" / "dupai_example_agent.py"
    spec = importlib.util.spec_from_file_location("dupai_example_agent", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault("dupai_example_agent", module)
    spec.loader.exec_module(module)
    return module


def test_options_that_name_files_are_marked() -> None:
    """Whatever sounds like the name of a file, in the option's own name or in its help."""
    infos: tuple[AgentInfo | ReaderInfo, ...] = (*agent_infos(), *readers())
    sounds = re.compile(r"\b(files?|paths?|folders?|command|module)\b")
    marked = {f"{info.name}:{o.name}" for info in infos for o in info.options if o.file}
    assert marked == {
        f"{info.name}:{o.name}" for info in infos for o in info.options if sounds.search(f"{o.name} {o.help}")
    }
    assert {"expert:ring", "equilibrium:blueprint", "cnn:file", "markov:tables", "acpc:cmd"} < marked


def test_the_example_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    _example()
    install(monkeypatch, "dupai.agents", {"scout": "dupai_example_agent:Scout"})
    report = check_agent("scout:margin=0.1", 200)
    assert report.ok, report


def test_the_example_is_found_when_installed() -> None:
    if importlib.util.find_spec("dupai_example_agent") is None:
        pytest.skip("examples/own_agent is not installed (pip install -e examples/own_agent)")
    code = "from dupai.agents import agent_info, make_agent; make_agent('scout'); print(agent_info('scout').origin)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "dupai-example-agent"
