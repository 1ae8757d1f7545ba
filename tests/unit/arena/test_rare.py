"""Formats in rare states: stopped work, edited files, faults that carry over, no blinds, overlapping raises."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import pytest

import dupai.agents
from dupai.agents import BaseAgent
from dupai.arena import (
    LadderSettings,
    SprtSettings,
    TournamentSettings,
    bradley_terry,
    load_format,
    load_settings,
    named_files,
    play_match,
    run_exploit,
    run_ladder,
    run_sprt,
)
from dupai.arena.live import LiveSettings, LiveTable, SealedDeck
from dupai.arena.match import Seating, TableRules, play_seating
from dupai.base import ConfigError, NoProgress, Rng
from dupai.base.files import files_at
from dupai.cards import cards, cards_text
from dupai.cli import main
from dupai.rules import Action, View


class _Cancelled(NoProgress):
    cancelled = True


def test_a_best_response_that_was_stopped_has_no_figure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = run_exploit("caller", method="best-response", stack=1000, progress=_Cancelled())
    assert result.partial and result.mbb.n == 0
    assert "stopped before there is a result" in str(result)
    assert not run_exploit("caller", method="best-response", stack=1000).partial


class _Crashes(BaseAgent):
    """Calls, and now and then breaks."""

    stateless = True

    def act(self, view: View, rng: Rng) -> Action:
        if rng.uniform() < 0.01:
            raise ValueError("broken")
        return Action.call()


def test_faults_that_carry_over_make_matches_the_units() -> None:
    rules = TableRules(faults="fold")
    result = play_match([_Crashes, "caller"], hands=60, seed=1, duplicate=True, rules=rules)
    assert (result.unit, result.players[0].mbb.n, result.players[0].mbb.low) == ("match", 1, None)
    assert play_match([_Crashes, "caller"], hands=60, seed=1, duplicate=True).unit == "deal"
    ladder = run_ladder([_Crashes, "caller", "raiser"], hands=40, seed=1, rules=rules)
    assert ladder.unit == "match" and ladder.rows[0].low is None


def test_a_test_that_was_stopped_counts_no_deals_behind_a_gap() -> None:
    sprt = load_format("sprt")
    entrants, config = sprt.plan(("raiser", "caller"), SprtSettings(max_hands=4000))
    won = np.where(np.arange(2000) % 2, 1.0, -1.0)
    won[:600] += 0.118
    won[605:700] -= 1.5
    won[700:800] += 0.5
    chips = (won * 2520 * 1000).astype(np.int64)

    def both(start: int, stop: int, complete: bool = True) -> list[Seating]:
        one = np.stack([chips[start:stop], -chips[start:stop]], 1)
        return [Seating(r, one, (), (0, 0), complete, 0, start, 0, config.labels) for r in (0, 1)]

    head = [unit for block in range(6) for unit in both(100 * block, 100 * block + 100)]
    stopped = sprt.summary(config, head + both(600, 605, False) + both(700, 780, False), entrants)
    assert (stopped.test.n, stopped.test.decision) == (605, None)
    first = sprt.summary(config, head + both(600, 605, False), entrants)
    assert stopped.test == first.test


ZERO = "GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 4\nstack = 200 200\nblind = 0 0\nfirstPlayer = 1 1 1 1\n" \
       "numSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3 1 1\nEND GAMEDEF\n"  # fmt: skip


def test_games_without_blinds_have_no_mbb(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = tmp_path / "zero.game"
    game.write_text(ZERO)
    for run in (
        lambda: play_match(["raiser", "caller"], game=str(game), hands=4),
        lambda: run_sprt("raiser", "caller", game=str(game)),
        lambda: run_exploit("caller", game=str(game), hands=4),
    ):
        with pytest.raises(ConfigError, match="the game has no blinds"):
            run()
    assert main(["match", "raiser", "caller", "--game", str(game), "--hands", "4"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


class _Late(BaseAgent):
    stateless = True

    def act(self, view: View, rng: Rng) -> Action:
        time.sleep(0.3)
        return view.legal.closest_raise(10**9)


@pytest.mark.parametrize("clock", ["seconds_per_action", "seconds_per_match"])
def test_an_answer_after_the_clock_is_a_fault(clock: str) -> None:
    result = play_match([_Late, "caller"], hands=1, seed=1, stack=1000, rules=TableRules(**{clock: 0.1}))
    assert result.players[0].faults == 1 and abs(result.players[0].chips) <= 100


def test_the_command_line_replaces_a_schedule_with_its_prizes(tmp_path: Path) -> None:
    first, second, config = tmp_path / "a.toml", tmp_path / "b.toml", tmp_path / "c.toml"
    first.write_text("payouts = [50, 30]\n[[levels]]\nhands = 10\nblinds = [20, 40]\n")
    second.write_text("[[levels]]\nhands = 5\nblinds = [50, 100]\n")
    config.write_text('schedule = "a.toml"\n')
    assert load_settings(config, TournamentSettings).payouts == (50, 30)
    over = load_settings(config, TournamentSettings, {"schedule": str(second)})
    assert over == load_settings(None, TournamentSettings, {"schedule": str(second)})


def test_a_file_that_a_spec_names_belongs_to_the_run(tmp_path: Path) -> None:
    table = tmp_path / "t.table"
    table.write_text("one")
    assert list(named_files(f"fold:reader=start-table:table={table}")) == [str(table)]
    assert list(named_files("fold:reader=model")) == []
    # Networks are named by their folder too.
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "model.npz").write_text("two")
    assert files_at(tmp_path / "net") == [tmp_path / "net" / "model.npz"]
    assert files_at(table) == [table] and files_at("ring") == []
    assert list(named_files("exp:file=ring")) == []


def test_the_runs_config_has_the_digests_of_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shipped = next(p for p in Path(dupai.agents.__file__).parent.rglob("*.rules"))
    mine, results = tmp_path / "my.rules", tmp_path / "r.db"
    mine.write_bytes(shipped.read_bytes())
    command = ["match", f"expert:file={mine}", "caller", "--hands", "4", "--results", str(results)]
    assert main([*command, "--resume"]) == 0
    capsys.readouterr()
    assert main(["results", "show", str(results), "--json"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)["config"]["files"]
    assert entry.startswith(f"{mine} ") and len(entry.rpartition(" ")[2]) == 24


def test_memory_is_no_results_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["match", "raiser", "caller", "--hands", "4", "--results", ":memory:"]) == 2
    assert not list(tmp_path.iterdir())


def test_who_has_met_nobody_has_no_elo() -> None:

    elo, _ = bradley_terry(3, [((0, 1), np.array([[1.0, -1.0]] * 20))])
    assert elo[0] > elo[2] > elo[1] and elo[2] == pytest.approx(1500)
    ladder = load_format("ladder")
    entrants, config = ladder.plan(("raiser", "caller", "rules"), LadderSettings(hands=20, seed=1))
    some = [play_seating(task) for task in ladder.tasks(entrants, config) if task.table == 0]
    result = ladder.summary(config, some, entrants)
    assert "–" in str(result)
    assert {row.agent: row.elo is None for row in result.rows} == {"raiser": False, "caller": False, "rules": True}


def test_a_tournament_is_won_by_who_leaves_with_all_chips() -> None:
    table = LiveTable(LiveSettings(seats=2, stack=1000, tournament=True))
    for name in ("A", "B"):
        table.sit(name)
    top = [*cards("AsAd7c2h"), *cards("AcAh9s5d3c")]
    table.deal(SealedDeck(cards_text([*top, *(c for c in range(52) if c not in top)]), "0" * 64))
    assert table.now is not None and table.actor is not None
    table.act(table.actor, Action.raise_to(1000))
    table.act(table.actor, Action.call())
    table.leave(table.now.seats[0])
    record = table.finish()
    winner = table.seats[record.seats[0]]
    assert table.state.ends and (record.payoffs[0], winner.stack, winner.survived) == (1000, 2000, 0)
    # Who is out already stays out since then.
    other = table.seats[record.seats[1]]
    table.leave(record.seats[1])
    assert (other.stack, other.survived) == (0, 1)
