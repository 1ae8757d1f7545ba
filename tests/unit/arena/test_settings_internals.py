"""One settings struct for each format: the Python call, the command and files have the same options and defaults."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import pytest
import typer
import typer.main
from typer.testing import CliRunner

import dupai
from dupai import arena
from dupai.agents import BaseAgent
from dupai.arena import (
    FORMATS,
    MatchSettings,
    SprtSettings,
    load_format,
    load_settings,
    match,
    play_format,
    play_match,
    run_tournament,
)
from dupai.arena._format import MatchTask
from dupai.arena._results import PlayResult, common_facts
from dupai.arena.match import TableRules
from dupai.base import ConfigError, Option
from dupai.base.specs import fields_of
from dupai.cli import app, main
from dupai.cli._playing import format_command

CALLS = {
    "match": "play_match",
    "tournament": "run_tournament",
    "cash": "run_cash",
    "sprt": "run_sprt",
    "ladder": "run_ladder",
    "exploit": "run_exploit",
    "rollout": "rollout_tasks",
}


def test_every_format_has_its_call() -> None:
    assert list(CALLS) == list(FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_python_and_the_command_line_have_the_same_defaults(name: str) -> None:
    settings = load_format(name).settings
    command = typer.main.get_command(app).commands[name]  # type: ignore[attr-defined]
    shown = {str(parameter.name).removesuffix("_"): parameter.default for parameter in command.params}
    keywords = inspect.signature(getattr(arena, CALLS[name])).parameters
    for field in fields_of(settings):
        default = shown[field.option.name or field.name]
        if field.option.read is not None and default is not None:
            default = field.option.read(default, Path())
            words = {"broke": 0}
            default = words.get(default, default) if isinstance(default, str) else default
        if default is not None:
            assert default == field.default, field.name
        else:
            assert field.default in (None, (), msgspec.UNSET), field.name
        if not field.group:
            assert keywords[field.name].default == field.default, field.name


def test_the_same_call_gives_the_same_match(capsys: pytest.CaptureFixture[str]) -> None:
    """It used to be seed 0 in Python and 1 on the command line, and 1,000 hands in one and 3,000 in the other."""
    assert main(["match", "random", "caller", "-n", "20", "--duplicate", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    for result in (
        play_match(["random", "caller"], hands=20, duplicate=True),
        play_match(["random", "caller"], MatchSettings(hands=20, duplicate=True)),
        dupai.play("random", "caller", hands=20),
        play_format(load_format("match"), ["random", "caller"], hands=20, duplicate=True),
    ):
        assert json.loads(msgspec.json.encode(result))["players"] == told["players"]
    assert main(["tournament", "random", "caller", "-n", "5", "-m", "3", "--json"]) == 0
    cup = json.loads(capsys.readouterr().out)
    again = run_tournament(["random", "caller"], hands=5, matches=3)
    assert json.loads(msgspec.json.encode(again))["standings"] == cup["standings"]
    assert (load_format("match").config.hands, load_format("ladder").settings().seed) != (1000, 0)  # type: ignore[attr-defined]


def test_settings_are_a_struct_with_keywords_over_it() -> None:
    settings = MatchSettings(hands=10, seed=4)
    result = play_match(["random", "caller"], settings, hands=6, rules=TableRules(faults="end"))
    assert (result.config.hands, result.seed, result.config.rules.faults) == (6, 4, "end")
    assert play_match(["random", "caller"], hands=6, rules=None).config.rules == TableRules()
    with pytest.raises(TypeError, match="hnads"):
        play_match(["random", "caller"], hnads=3)
    for wrong, said in (({"hands": 0}, "hands = 0: expected 1 or more"), ({"seed": -1}, "seed = -1")):
        with pytest.raises(ConfigError, match=said):
            play_match(["random", "caller"], **wrong)


def test_every_format_takes_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cash.toml"
    file.write_text(
        'agents = ["random", "caller"]\nhands = 4\nsessions = 3\nfaults = "end"\nblinds = "1/2"\nstack = 90\n'
    )
    assert main(["cash", "--config", str(file), "--sessions", "2", "--top-up", "full", "--json"]) == 0
    config = json.loads(capsys.readouterr().out)["config"]
    assert (config["hands"], config["sessions"], config["top_up"]) == (4, 2, 90)
    assert (config["blinds"], config["rules"]["faults"]) == ([1, 2], "end")
    made: Any = load_settings(None, SprtSettings, {"bounds": "0,0.1", "seconds_per_action": 2.0})
    assert (made.bounds, made.rules.seconds_per_action) == ((0.0, 0.1), 2.0)


@pytest.mark.parametrize("name", FORMATS)
def test_json_keys_in_the_help_are_those_of_the_result(name: str) -> None:
    command = typer.main.get_command(app).commands[name]  # type: ignore[attr-defined]
    keys = " ".join(str(command.help).split("JSON keys: ")[1].split("\n\n")[0].split())
    for key in load_format(name).result.__struct_fields__:  # type: ignore[attr-defined]
        assert key in keys


class _One(arena.PlaySettings, frozen=True, kw_only=True):
    """One deal each: a format of this test.

    Examples:

      dupai one random caller

    Attributes:
        deals: how many.
    """

    deals: Annotated[int, Option("How many deals.", low=1)] = 2


class _Line(msgspec.Struct, frozen=True, kw_only=True):
    agent: str
    chips: int


class _OneResult(PlayResult, frozen=True, kw_only=True):
    config: _One
    players: tuple[_Line, ...]


def _plan(agents: Any, settings: _One) -> Any:
    entrants = arena.entrants_of(agents)
    labels = tuple(e.label for e in entrants)
    return entrants, msgspec.structs.replace(settings, labels=labels, agents=tuple(e.spec for e in entrants))


def _deal(task: MatchTask, pulse: Any) -> _Line:
    pulse.step()
    return _Line(agent=task.config.labels[task.match % 2], chips=task.match + 1)


def _sum(config: _One, units: Any, entrants: Any) -> _OneResult:
    players = tuple(_Line(agent=n, chips=sum(u.chips for u in units if u.agent == n)) for n in config.labels)
    partial = len(units) < config.deals
    return _OneResult(**common_facts(config, entrants), hands=len(units), players=players, partial=partial)


_FORMAT: Any = arena.Format(
    name="one",
    settings=_One,
    config=_One,
    result=_OneResult,
    unit=_Line,
    work=_deal,
    plan=_plan,
    tasks=lambda entrants, config: [MatchTask(tuple(entrants), config, m) for m in range(config.deals)],
    summary=_sum,
    lines=lambda config, units: [("agent", "chips"), *((u["agent"], u["chips"]) for u in units)],
)


class _Entry(NamedTuple):
    summary: str = "A format of this test."

    def load(self) -> Any:
        return _FORMAT


def test_a_new_format_is_one_module_and_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(FORMATS, "one", _Entry())  # type: ignore[arg-type]
    command = typer.Typer(add_completion=False)
    command.command("one")(format_command("one"))
    runner, file = CliRunner(), str(tmp_path / "r.db")
    told = runner.invoke(command, ["random", "caller", "--deals", "3", "--results", file])
    assert (told.exit_code, "random" in told.output, "3 hands, seed 1" in told.output) == (0, True, True)
    assert "--seconds-per-action" in runner.invoke(command, ["--help"]).output
    found = json.loads(runner.invoke(command, ["random", "caller", "--json", "--resume", "--results", file]).output)
    assert [p["chips"] for p in found["players"]] == [1, 2]
    assert play_format(_FORMAT, ["random", "caller"], deals=3).players[0].chips == 4
    assert main(["results", "show", file, "1"]) == 0
    assert "3 hands, seed 1" in capsys.readouterr().out
    assert main(["results", "export", file, "1"]) == 0
    assert capsys.readouterr().out == "agent,chips\nrandom,1\ncaller,2\nrandom,3\n"


@pytest.mark.parametrize("settings", [{"hands": 10**30}, {"matches": 10**30}, {"hands": 10**5000}])
def test_counts_without_end_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="expected at most 1"):
        arena.run_tournament(["rules", "caller"], **settings)


def test_a_result_lists_so_many_faults_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dupai.arena._results.MAX_FAULTS", 3)

    class Broken(BaseAgent):
        def act(self, view: Any, rng: Any) -> Any:
            raise ValueError("no idea")

    result = arena.play_match([Broken, "caller"], hands=20)
    assert len(result.faults) == 3 < sum(player.faults for player in result.players)


def test_a_schedule_of_levels_keeps_the_prizes_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "levels.toml").write_text("[[levels]]\nhands = 5\nblinds = [5, 10]\n")
    for order in (
        ("payouts = [50, 30]", 'schedule = "levels.toml"'),
        ('schedule = "levels.toml"', "payouts = [50, 30]"),
    ):
        file = tmp_path / "both.toml"
        file.write_text("\n".join(order) + "\n")
        settings = load_settings(file, arena.TournamentSettings)
        assert (settings.payouts, len(settings.levels)) == ((50, 30), 1)


def test_levels_take_the_place_of_the_blinds(tmp_path: Path) -> None:
    result = run_tournament(
        ["caller", "random"], matches=1, stack=30, seed=1, levels=(match.Level(hands=5, blinds=(5, 10)),)
    )
    assert result.hands > 0
    with pytest.raises(ConfigError, match="expected 1 to"):
        run_tournament(
            ["caller", "random"],
            matches=1,
            levels=(match.Level(hands=5, blinds=(20, 40)), match.Level(hands=5, blinds=(20, 2 * 10**12))),
        )
