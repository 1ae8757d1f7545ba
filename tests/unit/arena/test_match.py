"""Matches with stacks reset: pairing, intervals, fractions, the Python face."""

from __future__ import annotations

import gc
import json
import math
import re
import subprocess
import sys
import weakref
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest

from dupai.agents import BaseAgent, MatchInfo, make_agent
from dupai.arena import MatchResult, entrants_of, play, play_match, run_cash, run_tournament
from dupai.arena.match import MatchConfig, SeatingTask, TableRules, Watcher, play_seating
from dupai.base import ConfigError, DupaiError, NotationError, Rng
from dupai.rules import Action, GameSpec, HandRecord, View
from support.learners import Failing


class Colourful(BaseAgent):
    """Its errors hold what a terminal obeys."""

    def act(self, view: View, rng: Rng) -> Action:
        raise ValueError("no \x1b[31m\x07idea\nfault of nobody")


def test_a_result_shows_what_a_terminal_would_obey() -> None:
    result = play(Colourful, "caller", hands=2, seed=1)
    assert ": no \\x1b[31m\\x07idea\\x0afault of nobody" in str(result)
    old = msgspec.structs.replace(result, faults=(msgspec.structs.replace(result.faults[0], error="old \x1b[31m"),))
    for text in map(str, (result, old, result.faults[0].error)):
        assert all(c.isprintable() or c == "\n" for c in text)


class Folder(BaseAgent):
    """Folds, checks where that is free."""

    def act(self, view: View, rng: Rng) -> Action:
        return Action.fold() if view.legal.fold else Action.call()


class Records(Watcher):
    def __init__(self) -> None:
        self.records: list[HandRecord] = []

    def on_hand(self, record: HandRecord, table: object) -> None:
        self.records.append(record)


def _task(agents: list[Any], **settings: Any) -> list[SeatingTask]:
    """The tasks that play_match makes."""
    found: list[SeatingTask] = []

    class Collect:
        def run(self, work: Any, tasks: Any, tick: Any) -> Any:
            found.extend(tasks)
            return iter(())

    play_match(agents, backend=Collect(), **settings)
    return found


@pytest.mark.parametrize("agent", ["caller", "rules", "style:TA", "random"])
def test_an_agent_against_itself_duplicate_has_exactly_nothing(agent: str) -> None:
    result = play_match([agent, agent], hands=60, duplicate=True, seed=4)
    assert result.hands == 120
    for player in result.players:
        assert player.mbb.mean == 0.0
        assert player.mbb.se == 0.0
        assert player.chips == 0.0
        assert player.hands_for_10_mbb is None
    # Without the other seating it does not come out even, so the zero above is the pairing's.
    assert play_match([agent, agent], hands=60, seed=4).players[0].chips != 0.0


def test_three_of_a_kind_at_one_table_come_out_even_over_the_rotations() -> None:
    result = play_match(["random"] * 3, hands=40, duplicate=True, seed=4, blinds=(1, 3), stack=100)
    assert [p.chips for p in result.players] == [0.0] * 3
    assert (result.hands, result.deals) == (120, 40)
    assert "all 3 rotations" in result.pairing


def test_both_seatings_have_the_same_cards_and_fresh_agents() -> None:
    made: list[Curious] = []

    class Curious(Folder):
        def __init__(self) -> None:
            made.append(self)
            self.matches: list[MatchInfo] = []

        def start(self, match: MatchInfo) -> None:
            self.matches.append(match)

    tasks = _task([Curious, "caller"], hands=6, duplicate=True, seed=2)
    watches = [Records(), Records()]
    for task, watch in zip(tasks, watches, strict=True):
        play_seating(task, watch=watch)
    one, two = (w.records for w in watches)
    assert [r.hole for r in one] == [r.hole for r in two]
    assert [r.names for r in one] == [tuple(reversed(r.names)) for r in two]
    assert [r.seats for r in one] == [(0, 1), (1, 0)] * 3
    assert len(made) == 2
    assert [[m.seat for m in agent.matches] for agent in made] == [[0], [1]]
    assert {m.format for agent in made for m in agent.matches} == {"reset"}
    assert all(r.stacks == (20_000, 20_000) for r in one)


def test_the_interval_is_that_of_deals() -> None:
    settings: dict[str, Any] = {"hands": 50, "duplicate": True, "seed": 3}
    tasks = _task(["random", "caller"], **settings)
    seatings = [play_seating(t) for t in tasks]
    first = [np.concatenate([s.payoffs[:, 0] for s in seatings if s.rotation == r]) / 2520 for r in range(2)]
    assert all((s.payoffs.sum(axis=1) == 0).all() for s in seatings)
    deals = (first[0] + first[1]) / 2 * 1000 / 100
    result = play_match(["random", "caller"], **settings)
    mbb = result.players[0].mbb
    assert (result.unit, result.deals, result.hands, mbb.n) == ("deal", 50, 100, 50)
    assert mbb.mean == pytest.approx(deals.mean())
    assert mbb.se == pytest.approx(deals.std(ddof=1) / math.sqrt(50))
    assert result.players[0].chips == pytest.approx(float(sum(f.sum() for f in first)))
    assert result.players[1].mbb.mean == -mbb.mean
    wanted = result.players[0].hands_for_10_mbb
    assert wanted is not None
    # That many hands, in pairs, at the same spread.
    assert 1.959964 * deals.std(ddof=1) / math.sqrt(wanted / 2) == pytest.approx(10, rel=1e-3)
    alone = play_match(["random", "caller"], hands=50, seed=3)
    hands = first[0] * 10
    assert (alone.unit, alone.deals, alone.hands) == ("hand", 50, 50)
    assert alone.players[0].mbb.mean == pytest.approx(hands.mean())
    assert alone.players[0].mbb.se == pytest.approx(hands.std(ddof=1) / math.sqrt(50))


def test_a_folder_loses_its_blinds_exactly() -> None:
    result = play_match([Folder, "raiser"], hands=10, seed=3)
    assert result.players[0].chips == -(5 * 50 + 5 * 100)
    assert result.players[0].mbb.mean == -750.0


@pytest.mark.parametrize("run", [
    lambda agents: play_match(agents, hands=4, duplicate=True, matches=3, seed=3, luck_reduced=True),
    lambda agents: run_tournament(agents, matches=3, hands=4, seed=3),
    lambda agents: run_cash(agents, sessions=3, hands=4, seed=3),
], ids=["match", "tournament", "cash"])  # fmt: skip
def test_agents_go_with_their_match(run: Callable[[list[Any]], object]) -> None:
    """Readers hold tens of megabytes: a match that is over keeps none of its agents until the collector comes by."""
    alive: list[int] = []
    made: list[weakref.ref[Folder]] = []

    class Watched(Folder):
        def start(self, info: MatchInfo) -> None:
            super().start(info)
            made.append(weakref.ref(self))
            alive.append(sum(agent() is not None for agent in made))

    gc.collect()
    gc.disable()
    try:
        run([Watched, "raiser"])
        assert len(made) >= 3
        assert max(alive) <= 2
        assert all(agent() is None for agent in made)
    finally:
        gc.enable()


def test_splits_are_exact_fractions() -> None:
    # Three call, two split: a third of 3 chips each is no whole number, and nothing is lost on the way.
    result = play_match(["caller"] * 3, hands=400, seed=1, blinds=(1, 1), stack=50)
    assert sum(p.chips for p in result.players) == pytest.approx(0, abs=1e-9)
    assert any(p.chips != int(p.chips) for p in result.players)


def test_limit_by_the_name_of_the_game() -> None:
    result = play_match(["raiser", "caller"], hands=20, seed=1, game="holdem.limit.2p")
    assert result.config.game.betting == "limit"
    # Capped: at most 3 + 4 + 4 + 4 bets a hand.
    assert abs(result.players[0].chips) <= 20 * (30 + 40 + 80 + 80)
    with pytest.raises(ConfigError, match="for 3 players, 2 are given"):
        play_match(["raiser", "caller"], game="holdem.limit.3p")
    with pytest.raises(ConfigError, match="holdem"):
        play_match(["raiser", "caller"], game="holdem.limit.2q")


def test_workers_make_no_difference() -> None:
    settings: dict[str, Any] = {"hands": 40, "duplicate": True, "seed": 6}
    assert play_match(["rules", "random"], jobs=2, **settings) == play_match(["rules", "random"], **settings)


def test_a_result_goes_to_json_and_back_and_is_readable() -> None:
    result = play("rules", "style:TA", hands=30, seed=1)
    assert isinstance(result, MatchResult)
    assert msgspec.json.decode(msgspec.json.encode(result), type=MatchResult) == result
    assert repr(result).startswith("<MatchResult: rules ") and "\n" not in repr(result)
    assert result.to_dict() == msgspec.json.decode(msgspec.json.encode(result))
    text = str(result)
    assert "60 hands, every deal in both seatings of the seats (duplicate)" in text
    assert "seed 1" in text
    assert "mbb/hand" in text
    assert "rules " in text
    html = result._repr_html_()
    assert html.startswith("<table>")
    assert html.count("<tr>") == 3
    assert "style:TA" in html
    assert "duplicate" not in play("rules", "caller", hands=10, duplicate=False).pairing


def test_labels_are_escaped_in_notebooks() -> None:
    def bad() -> Folder:
        return Folder()

    bad.__name__ = "<script>"
    assert "<script>" not in play(bad, "caller", hands=4)._repr_html_()


def test_faults_are_charged_by_the_rules_of_the_acpc_dealer() -> None:
    class Crasher(BaseAgent):
        def act(self, view: View, rng: Rng) -> Action:
            raise ValueError("out of order")

    result = play_match([Crasher, "raiser"], hands=10, seed=3)
    assert result.players[0].faults == 10
    assert result.players[0].chips == -(5 * 50 + 5 * 100)
    assert result.faults[0].agent == "Crasher"
    # The count stands in the first line, the last line of code with each fault.
    assert str(result).splitlines()[0].endswith("; faults: Crasher 10")
    assert re.search(r"fault of Crasher in hand 1: ValueError at test_match\.py:\d+: out of order", str(result))
    # Where checking is free it checks, as the protocol knows no other way, and is not asked again in that hand.
    free = play_match([Crasher, "caller"], hands=40, seed=3)
    assert free.players[0].faults == 40
    assert abs(free.players[0].chips) < 40 * 100


@pytest.mark.parametrize("duplicate", [False, True])
def test_matches_that_a_fault_ended_count_with_the_hands_they_have(duplicate: bool) -> None:
    settings: dict[str, Any] = {
        "hands": 20, "matches": 12, "duplicate": duplicate, "seed": 4, "rules": TableRules(faults="end")
    }  # fmt: skip
    result = play_match([Failing, "caller"], **settings)
    won, deals = np.zeros(12), np.full(12, 20)
    seatings = [play_seating(task) for task in _task([Failing, "caller"], **settings)]
    for s in seatings:
        deals[s.match] = min(deals[s.match], len(s.payoffs))
    for s in seatings:
        won[s.match] += s.payoffs[: deals[s.match], 0].sum() / result.config.game.split
    assert min(deals) < max(deals) == 20
    hands = int(deals.sum()) * (1 + duplicate)
    assert (result.partial, result.hands, result.players[0].mbb.n) == (False, hands, 12)
    player = result.players[0]
    assert player.chips == pytest.approx(won.sum())
    # The mean is what was won by the hands that were played: 100 chips are a big blind.
    assert player.mbb.mean == pytest.approx(won.sum() / 100 / hands * 1000)
    assert result.curve[-1].players[0].cumulative.mean == pytest.approx(player.mbb.mean)
    # Matches shorter than 100 hands are no means of many hands.
    assert player.mbb.low is None


def test_few_matches_of_learners_have_an_interval_by_deals_marked_as_such() -> None:
    settings: dict[str, Any] = {"hands": 200, "duplicate": True, "seed": 3, "luck_reduced": True}
    stateless = play_match(["style:LA", "caller"], **settings).players[0]
    learns = play_match([lambda: make_agent("style:LA"), "caller"], **settings)
    assert learns.unit == "match"
    player = learns.players[0]
    assert (player.mbb.low, player.mbb.n) == (None, 1)
    assert player.mbb.by_deal == pytest.approx((stateless.mbb.low, stateless.mbb.high))
    assert player.luck_reduced is not None and player.luck_reduced.mbb.by_deal is not None
    assert player.mbb.interval_text().endswith(" by deals") and player.mbb.text().endswith(" by deals")
    assert json.loads(msgspec.json.encode(learns))["players"][0]["mbb"]["by_deal"] == pytest.approx(
        list(player.mbb.by_deal)
    )
    assert stateless.mbb.by_deal is None


class Stopping:
    cancelled = False

    def __init__(self, after: int) -> None:
        self.after = after

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self.cancelled = self.cancelled or done >= self.after


def test_stopped_early_only_pairs_count(monkeypatch: pytest.MonkeyPatch) -> None:
    # Tasks in turn: 30 hands of each seating, and some of the first.
    monkeypatch.setattr("dupai.jobs._serial.time.monotonic", iter(range(10**6)).__next__)
    result = play_match(["random", "caller"], hands=50, duplicate=True, seed=3, progress=Stopping(70))
    assert result.partial
    assert result.deals == 30
    assert result.hands == 2 * result.deals
    assert result.unit == "deal"
    whole = play_match(["random", "caller"], hands=result.deals, duplicate=True, seed=3)
    assert result.players == whole.players


def test_stopped_in_the_first_ten_hands_there_are_no_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dupai.jobs._serial.time.monotonic", iter(range(10**6)).__next__)
    result = play_match(["random", "caller"], hands=50, duplicate=True, seed=3, progress=Stopping(8))
    assert (result.partial, result.unit) == (True, "hand")
    assert "not played" in result.pairing
    assert 1 <= result.hands <= 9
    nothing = play_match(["random", "caller"], hands=50, seed=3, progress=Stopping(0))
    assert (nothing.partial, nothing.hands) == (True, 0)
    assert repr(nothing)


@pytest.mark.parametrize(
    ("agents", "settings", "error", "said"),
    [
        (["rules"], {}, ConfigError, "1 player given"),
        (["rules"] * 11, {}, ConfigError, "11 players given"),
        (["rules", "stile:TA"], {}, NotationError, "did you mean 'style'"),
        (["rules", "caller"], {"hands": 0}, ConfigError, "hands = 0"),
        (["rules", "caller"], {"stack": 50}, ConfigError, "stack = 50 is below the big blind of 100"),
        (["rules", "caller"], {"blinds": (0, 0)}, ConfigError, "blinds = (0, 0)"),
    ],
)
def test_bad_settings_are_one_line(
    agents: list[str], settings: dict[str, Any], error: type[DupaiError], said: str
) -> None:
    with pytest.raises(error) as caught:
        play_match(agents, **settings)
    assert said in str(caught.value)


def test_payoffs_of_a_seating_are_by_entrant() -> None:
    for task in _task([Folder, "raiser", "caller"], hands=9, duplicate=True, seed=1):
        seating = play_seating(task)
        assert seating.payoffs.dtype == np.int64
        assert seating.payoffs.shape == (9, 3)
        # The folder never wins and never loses more than a blind, wherever it sits.
        assert seating.payoffs[:, 0].max() <= 0
        assert seating.payoffs[:, 0].min() == -100 * 2520


def test_one_seed_one_game_in_every_format() -> None:
    # Streams are those of Rng(seed, match, hand, stream): the deck does not depend on who plays.
    spec = GameSpec.no_limit(2, (20, 40), 2000)
    watch = Records()
    task = SeatingTask(
        entrants_of(["caller", "caller"]),
        MatchConfig(agents=(), labels=(), game=spec, hands=3, seed=12),
    )
    play_seating(task, watch=watch)
    other = Records()
    play_seating(SeatingTask(entrants_of(["raiser", "random"]), task.config), watch=other)
    assert [r.hole for r in watch.records] == [r.hole for r in other.records]
    assert run_tournament(["caller", "caller"], matches=1, hands=3, seed=12).hands == 3


def test_the_arena_can_be_used_from_a_fresh_python() -> None:
    code = "import dupai; print(dupai.play('caller', 'random', hands=20, seed=1).hands)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert out.stdout.strip() == "40", out.stderr
