"""Presets, option structures, and the optional parts that agents and readers state as protocols."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import msgspec
import pytest

from dupai.agents import (
    BaseAgent,
    HasActionModel,
    Traits,
    agent_info,
    agent_infos,
    capabilities,
    make_agent,
    traits_of,
)
from dupai.base import ConfigError, NotationError, Option
from dupai.base.specs import SpecRegistry, checked_options
from dupai.reading import load_reader


def test_a_preset_is_its_options() -> None:
    paper: Any = make_agent("mcts:paper,simulations=50")
    words: Any = make_agent(
        "mcts:simulations=50,opponents=random,determinise=leaf,chance=cards,playout=random,selection=uct,c=1"
    )
    assert paper.options == words.options
    assert make_agent("mcts:PAPER").options.selection == "uct"  # type: ignore[attr-defined]


def test_an_option_beside_a_preset_wins() -> None:
    agent: Any = make_agent("fold:paper,samples=1000,trust=on")
    assert (agent.samples, agent.exploit, agent.settings.call.by_odds) == (1000, False, False)
    assert agent.trust is not None
    assert make_agent("swarm:paper,m=4").options.variant == "br"  # type: ignore[attr-defined]
    assert make_agent("exp:paper").search.cards == (0, 0, 0)  # type: ignore[attr-defined]
    assert make_agent("exp:paper-cnn").model.about.encoding == "paper"  # type: ignore[attr-defined]


def test_every_preset_can_be_made_and_is_listed() -> None:
    listed = {info.name: info.presets for info in agent_infos() if info.presets}
    assert set(listed) >= {"fold", "exp", "mcts", "swarm"}
    for name, presets in listed.items():
        known = {option.name for option in agent_info(name).options}
        for preset, values in presets.items():
            make_agent(f"{name}:{preset}").close()
            assert set(values) <= known


def test_what_is_no_preset_is_an_option_as_before() -> None:
    with pytest.raises(ConfigError, match="option variant='papers'"):
        make_agent("swarm:papers")
    with pytest.raises(NotationError, match="unknown reader 'papers'"):
        make_agent("fold:papers")
    assert make_agent("swarm:quick").options.variant == "quick"  # type: ignore[attr-defined]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    size: Annotated[int, Option("how many", 1, 9)] = 3
    word: Annotated[str | None, Option("any", hidden=True)] = None


class Built:
    presets: ClassVar = {"big": {"size": 9}}
    Options = Settings

    def __init__(self, **options: Any) -> None:
        self.options = checked_options(Settings(**options))


def test_options_are_read_from_a_structure() -> None:
    registry = SpecRegistry("thing", "dupai.none", {"built": f"{__name__}:Built"})
    assert registry.make("built").options == Settings()
    assert registry.make("built:5").options.size == 5
    assert registry.make("built:big,word=x").options == Settings(size=9, word="x")
    with pytest.raises(ConfigError, match="option size=0: expected 1 to 9"):
        registry.make("built:size=0")
    with pytest.raises(ConfigError, match="size=10: expected 1 to 9") as caught:
        Built(size=10)
    assert caught.value.key == "size"


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("caller", {"policy", "advises"}),
        ("fold", {"policy", "advises", "saves"}),
        ("fold:reader=uniform", {"policy", "advises", "saves"}),
        ("swarm:m=4", {"policy", "advises", "saves"}),
        ("mcts", {"advises", "saves"}),
        ("mcts:reader=fold", {"advises"}),
        ("exp", {"policy", "advises"}),
    ],
)
def test_agents_have_the_parts_that_they_state(spec: str, parts: set[str]) -> None:
    agent = make_agent(spec)
    can = capabilities(agent)
    assert {part for part in ("policy", "advises", "saves") if getattr(can, part)} == parts
    assert isinstance(agent, HasActionModel) == (spec == "exp")


def test_readers_over_an_action_model_have_it() -> None:
    assert isinstance(load_reader("bucket"), HasActionModel)
    assert not isinstance(load_reader("uniform"), HasActionModel)


def test_traits_are_what_a_class_declares() -> None:
    class Own:
        stateless = True
        players: ClassVar = [2, 6]

    assert traits_of(Own) == Traits(True, True, (2, 6))
    assert traits_of(BaseAgent) == Traits() == traits_of(lambda: None)
