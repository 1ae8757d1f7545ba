"""Configuration files, schedules with prizes, cash sessions that top up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dupai.arena import MatchSettings, Session, TournamentSettings, load_settings, run_tournament
from dupai.arena.match import Level, Watcher
from dupai.arena.tournament import play_tournament_match, tournament_tasks
from dupai.base import ConfigError, FileError
from dupai.cli import main
from dupai.rules import HandRecord

LEVELS = (Level(hands=3, blinds=(20, 40)), Level(hands=2, blinds=(50, 100), ante=10), Level(hands=4, blinds=(100, 300)))


class Records(Watcher):
    def __init__(self) -> None:
        self.records: list[HandRecord] = []

    def on_hand(self, record: HandRecord, table: object) -> None:
        self.records.append(record)


def test_blinds_and_antes_rise_by_the_schedule() -> None:
    watch = Records()
    task = tournament_tasks(["caller"] * 3, hands=15, stack=20_000, matches=1, seed=3, levels=LEVELS)[0]
    play_tournament_match(task, watch=watch)
    assert len(watch.records) == 15
    for record in watch.records:
        small, big, ante = (20, 40, 0) if record.hand <= 3 else (50, 100, 10) if record.hand <= 5 else (100, 300, 0)
        assert sorted(record.spec.blinds) == [0, small, big]
        assert record.spec.antes == (ante,) * 3
        # Everybody calls: what the winner gets is what the others put in.
        if max(record.payoffs) > 0 and sum(p > 0 for p in record.payoffs) == 1:
            assert max(record.payoffs) == 2 * (big + ante)


def test_blinds_above_a_stack_put_players_all_in() -> None:
    levels = (Level(hands=1, blinds=(20, 40)), Level(hands=1, blinds=(5000, 10_000), ante=100))
    result = run_tournament(["caller"] * 3, hands=200, matches=3, rebuys=0, seed=2, levels=levels)
    assert all(sorted(p.chips for p in m.players) == [0, 0, 6000] for m in result.matches)


def test_prizes_are_shared_and_add_up() -> None:
    result = run_tournament(["random", "caller", "raiser"], matches=8, hands=60, seed=1, payouts=(50, 30, 20))
    assert sum(s.payout.mean for s in result.standings if s.payout) == pytest.approx(100)
    for s in result.standings:
        assert s.payout is not None
        assert s.payout.mean == pytest.approx(sum(p * x for p, x in zip((50, 30, 20), s.places, strict=True)))
    assert run_tournament(["random", "caller"], matches=1, hands=2).standings[0].payout is None


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"levels": (Level(hands=0, blinds=(1, 2)),)}, "levels[0].hands = 0"),
        ({"levels": (Level(hands=1, blinds=(4, 2)),)}, "levels[0].blinds = (4, 2)"),
        ({"levels": (Level(hands=1, blinds=(1, 2), ante=-1),)}, "levels[0].ante = -1"),
        ({"payouts": (1, 2, 3)}, "expected at most 2 numbers"),
        ({"payouts": (-1,)}, "payouts = [-1]"),
    ],
)
def test_schedules_that_make_no_sense(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        run_tournament(["caller", "random"], **settings)
    assert said in str(caught.value)


def test_settings_of_a_file_and_the_command_line_over_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sub").mkdir()
    Path("sub/m.toml").write_text(
        'agents = ["random", "caller"]\nduplicate = true\nseed = 9\nfaults = "fold"\ndeals = "cards"\nstack = 5000\n'
    )
    Path("sub/cards").write_text("AsAd|2c7h/KsQh9d/8c/4s\n7s2d|KcKh/3s3h9d/8c/4s\n")
    assert main(["match", "--config", "sub/m.toml", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["config"]
    assert (found["agents"], found["duplicate"], found["seed"], found["hands"]) == (["random", "caller"], True, 9, 2)
    assert found["rules"]["faults"] == "fold"
    assert found["deals"][0] == "AsAd|2c7h/KsQh9d/8c/4s"
    assert found["game"]["stacks"] == [5000, 5000]
    assert main(["match", "caller", "raiser", "--config", "sub/m.toml", "--seed", "4", "--hands", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["config"]
    assert (found["agents"], found["duplicate"], found["seed"], found["hands"]) == (["caller", "raiser"], True, 4, 1)
    Path("t.toml").write_text(
        'agents = ["random", "caller"]\nhands = 30\nmatches = 2\npayouts = [70, 30]\n'
        "[[levels]]\nhands = 10\nblinds = [20, 40]\n[[levels]]\nhands = 10\nblinds = [40, 80]\nante = 5\n"
    )
    assert main(["tournament", "--config", "t.toml", "--rebuys", "0"]) == 0
    out = capsys.readouterr().out
    assert "2 levels up to blinds 40/80, ante 5" in out
    assert "rebuys 0" in out
    assert "prize" in out
    Path("s.toml").write_text("[[levels]]\nhands = 10\nblinds = [20, 40]\n")
    assert main(["tournament", "random", "caller", "-m", "1", "-n", "4", "--schedule", "s.toml"]) == 0
    assert "1 levels" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hnads = 3", "unknown key 'hnads': did you mean 'hands'?"),
        ('hands = "x"', "$.hands"),
        ('faults = "x"', "faults = 'x': expected one of"),
        ("hands = ", "Invalid value"),
    ],
)
def test_files_that_make_no_sense(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "f.toml"
    file.write_text(text)
    for kind in (MatchSettings, TournamentSettings):
        with pytest.raises(FileError) as caught:
            load_settings(file, kind)
        assert said in str(caught.value)
        assert "\n" not in str(caught.value)
    with pytest.raises(FileError, match="cannot be read"):
        load_settings(tmp_path / "none", MatchSettings)


def test_cash_sessions_top_up() -> None:
    class Stacks(Watcher):
        def __init__(self) -> None:
            self.low: list[int] = []

        def on_deal(self, state: Any, table: Any) -> None:
            self.low.append(min(state.start_stacks))

    agents = ["random", "caller", "raiser"]
    watch, loose = Stacks(), Stacks()
    for top_up, seen in ((3000, watch), (0, loose)):
        session = Session(agents, stack=5000, top_up=top_up, seed=1)
        for _ in range(80):
            session.play_hand(seen)
        saved = session.close()
        assert (saved.format, saved.hands, sum(session.won)) == ("cash", 80, 0)
        assert sum(p.rebuys for p in saved.players) > 0
    assert min(watch.low) >= 3000
    assert min(loose.low) < 3000
    with pytest.raises(ConfigError, match="top_up = 5001"):
        Session(agents, stack=5000, top_up=5001)
