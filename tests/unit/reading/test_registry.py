"""Readers by name."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import numpy as np
import pytest

from dupai.base import ConfigError, DupaiError, NotationError, Option
from dupai.cli import main
from dupai.reading import Reader, Reading, UniformReader, load_reader, reader_info, reader_names, readers
from dupai.reading.populations import of as population_of
from dupai.rules import Action, GameSpec, HandRecord, HandState, View
from dupai.spots import spots
from support.plugins_internals import install


class Guess(UniformReader):
    """Guesses.

    More words.
    """

    def __init__(self, share: Annotated[float, Option("how much", 0, 1)] = 0.5) -> None:
        self.share = share


class Failing:
    """Fails."""

    def __init__(self) -> None:
        raise ValueError("no luck")


class Lacking:
    """Cannot learn."""

    def read(self, view: View, seats: Sequence[int] | None = None) -> Mapping[int, Reading]:
        return {}

    def observe(self, record: HandRecord) -> None:
        return None


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    me = __name__
    sys.modules.setdefault(me, sys.modules[Guess.__module__])
    named = {"guess": "Guess", "failing": "Failing", "lacking": "Lacking", "uniform": "Guess", "absent": "Absent"}
    install(monkeypatch, "dupai.readers", {name: f"{me}:{value}" for name, value in named.items()})


def test_every_reader_that_is_there_can_be_made() -> None:
    assert reader_names()[0] == "uniform"
    for info in readers():
        if info.error is None:
            assert info.summary
            assert isinstance(load_reader(info.name), Reader)
            for option in info.options:
                assert option.help, f"{info.name}: {option.name}"
    assert type(load_reader("uniform")) is UniformReader


@pytest.mark.parametrize("name", reader_names())
def test_questions_without_an_answer_are_refused_by_every_reader(name: str) -> None:
    reader = load_reader(name)
    state = HandState(GameSpec.no_limit(3, (50, 100), 10_000), ["AsKs", None, None], seats=(4, 1, 7))
    state.apply(Action.raise_to(300))
    view = state.view(0)
    with pytest.raises(ConfigError, match=r"seat 2 was not dealt in: expected one of 1, 4, 7"):
        reader.read(view, [2])
    with pytest.raises(ConfigError, match=r"seat 4 is the viewer's own: its cards are known"):
        reader.read(view, [4])
    assert sorted(reader.read(view)) == [1, 7]
    assert reader.read(view, [7])[7].probability("AsAh") == 0  # no card that the viewer holds


@pytest.mark.usefixtures("plugins")
def test_readers_of_other_packages() -> None:
    guess: Any = load_reader("guess:share=0.25")
    assert guess.share == 0.25
    assert load_reader("guess:1").share == 1.0  # type: ignore[attr-defined]
    assert type(load_reader("uniform")) is UniformReader, "ours cannot be replaced"
    info = reader_info("guess")
    assert (info.summary, [o.name for o in info.options]) == ("Guesses", ["share"])
    assert "cannot be loaded" in str(reader_info("absent").error)


@pytest.mark.usefixtures("plugins")
@pytest.mark.parametrize(
    ("spec", "kind", "said"),
    [
        ("", NotationError, "reader '' has no name: expected name or name:option=value"),
        ("unifrom", NotationError, "unknown reader 'unifrom': did you mean 'uniform'?"),
        ("guess:shar=1", ConfigError, "reader 'guess' has no option 'shar': did you mean 'share'?"),
        ("guess:share=2", ConfigError, "reader 'guess': option share=2: expected 0 to 1"),
        ("guess:share=x", ConfigError, "reader 'guess': option share='x': expected number"),
        ("uniform:1", ConfigError, "reader 'uniform' takes no options"),
        ("failing", ConfigError, "reader 'failing' cannot be made: ValueError: no luck"),
        ("lacking", ConfigError, "reader 'lacking' lacks one of read, meet, observe"),
        ("absent", ConfigError, "reader 'absent'"),
    ],
)
def test_bad_specs(spec: str, kind: type[DupaiError], said: str) -> None:
    with pytest.raises(kind) as caught:
        load_reader(spec)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_unknown_reader_info() -> None:
    with pytest.raises(NotationError, match="did you mean 'uniform'"):
        reader_info("uniforn")


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["readers"]) == 0
    assert "uniform" in capsys.readouterr().out
    assert main(["readers", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["name"] == "uniform"


@pytest.mark.parametrize("name", ["model", "cnn", "equilibrium", "fold"])
def test_pot_limit_is_read_with_the_bets_that_are_made(name: str) -> None:
    """It has sizes as no-limit has; what the pot forbids is no action."""
    reader = load_reader(name)
    state = HandState(GameSpec.pot_limit(2), board="2c7dTh")
    for action in (Action.raise_to(300), Action.call(), Action.call()):
        state.apply(action)
    after = {}
    for to in (400, 900):
        bet = state.copy()
        bet.apply(Action.raise_to(to))
        after[to] = reader.read(bet.view(None), [bet.seats[1]])[bet.seats[1]]
        spot = spots(bet.view(None))[-2]
        menu, model = reader.model.menu(spot), reader.model
        legal = menu.legal(spot)
        assert legal[menu.place(spot)]
        probs = model.probs(spot)
        assert probs[:, legal].sum(axis=1) == pytest.approx(np.ones(1326), abs=1e-5)
        assert (probs[:, ~legal] == 0).all()
    assert np.abs(after[400].p - after[900].p).sum() / 2 > 0.02


@pytest.mark.parametrize("players", [2, 6])
def test_people_and_programs_of_pot_limit_are_those_of_no_limit(players: int) -> None:
    no_limit, pot_limit = GameSpec.no_limit(players), GameSpec.pot_limit(players)
    for name in ("Bob", "DeepStack", "Pluribus"):
        assert population_of(name, pot_limit) == population_of(name, no_limit)
