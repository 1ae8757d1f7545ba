"""Other actions played out: against results that are known, the matches themselves, and one by one in plain Python."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dupai.agents import BaseAgent, CannotPlay, Notes
from dupai.arena import RolloutResult, Session, play_rollout, rollout_tasks, run_rollout, run_tournament, unfinished
from dupai.arena._rollout import (
    Decision,
    actions_at,
    clustered,
    facing_of,
    kind_of,
    rollout_result,
)
from dupai.arena.store import Store
from dupai.base import ConfigError, Rng
from dupai.cards import cards_text
from dupai.cli import main
from dupai.jobs import ProcessBackend
from dupai.notation import Reason
from dupai.rules import Action, GameSpec, HandState, View
from support.plugins_internals import install_hostile

GAME = GameSpec.no_limit(2, (50, 100), 10_000)


class Folder(BaseAgent):
    """Calls before the flop, then folds to any bet."""

    stateless = True

    def act(self, view: View, rng: Rng) -> Action:
        return Action.fold() if view.to_call and view.street else Action.call()


class Pusher(BaseAgent):
    """Bets the least on the river, checks and calls before."""

    stateless = True

    def act(self, view: View, rng: Rng) -> Action:
        low = view.legal.min_to
        return Action.raise_to(low) if view.street == 3 and not view.to_call and low else Action.call()


class Fails(BaseAgent):
    """Cannot answer a raise."""

    stateless = True

    def act(self, view: View, rng: Rng) -> Action:
        if view.to_call > view.spec.big_blind:
            raise RuntimeError("too dear")
        return Action.call()


class _Stop:
    """Cancels once so many matches are done."""

    def __init__(self, after: int) -> None:
        self.after, self.cancelled = after, False

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self.cancelled = done >= self.after


def rollout(agents: list[Any], **given: Any) -> RolloutResult:
    """Settings of the matches go to the tasks, the others to the run."""
    place = {key: given.pop(key) for key in ("backend", "progress", "store") if key in given}
    return run_rollout(rollout_tasks(agents, **given), **place)


# the pieces ----------------------------------------------------------------------------------------------------------


def test_cards_to_come_are_dealt_anew_from_what_nobody_holds() -> None:
    state = HandState.deal(GAME, Rng(3))
    state.apply(Action.call())
    state.apply(Action.call())
    held = {c for two in state.hole for c in two} | set(state.board)
    seen: Counter[int] = Counter()
    rng = Rng(4)
    for _ in range(2_000):
        other = state.redealt(rng)
        assert other.hole == state.hole and other.board == state.board and other.actions == state.actions
        while other.actor >= 0:
            other.apply(Action.call())
        assert other.board[:3] == state.board and not held & set(other.board[3:])
        seen.update(other.board[3:])
    assert len(seen) == 45
    # 4,000 cards of 45: 88.9 each; chi-squared with 44 degrees of freedom is above 84.5 once in 5,000 times.
    assert sum((n - 4000 / 45) ** 2 for n in seen.values()) / (4000 / 45) < 84.5
    assert cards_text(state.redealt(Rng(5)).board) == cards_text(state.board)


def test_actions_that_are_tried() -> None:
    state = HandState.deal(GAME, Rng(3))
    assert actions_at(state) == {
        "fold": Action.fold(),
        "call": Action.call(),
        "small": Action.raise_to(200),
        "pot": Action.raise_to(300),
        "all-in": Action.raise_to(10_000),
    }
    assert facing_of(state) == "no raise"
    state.apply(Action.raise_to(300))
    # 400 to be won once called: a quarter is 450, which is less than the least raise.
    assert actions_at(state)["small"] == Action.raise_to(500) and actions_at(state)["pot"] == Action.raise_to(900)
    assert facing_of(state) == "a raise"
    kinds = {500: "small", 525: "small", 526: "half", 750: "half", 751: "pot", 1050: "pot", 1051: "over"}
    assert {to: kind_of(state, Action.raise_to(to)) for to in kinds} == kinds
    assert kind_of(state, Action.raise_to(10_000)) == "all-in" and kind_of(state, Action.fold()) == "fold"
    state.apply(Action.call())
    assert facing_of(state) == "checked to" and "fold" not in actions_at(state)
    assert kind_of(state, Action.call()) == "check"


def test_error_of_a_mean_by_cluster() -> None:
    clusters, values = [0, 0, 1, 2, 2, 2], [1.0, 3.0, -2.0, 0.5, 4.0, 1.5]
    mean = sum(values) / 6
    sums = [sum(v - mean for c, v in zip(clusters, values, strict=True) if c == k) for k in range(3)]
    found = clustered(clusters, values)
    assert found.mean == pytest.approx(mean) and found.n == 6
    assert found.se == pytest.approx((1.5 * sum(s * s for s in sums)) ** 0.5 / 6)
    # With a value in each cluster it is that of independent values.
    alone = clustered(range(6), values)
    assert alone.se == pytest.approx(np.std(values, ddof=1) / 6**0.5)
    assert clustered([4, 4], [1.0, 2.0]).se is None


# matches -------------------------------------------------------------------------------------------------------------


def test_what_a_fold_gives_away_is_what_the_hands_would_have_won() -> None:
    """A river has no cards to come and a call ends the hand: the gain of calling is what somebody wins more in the same
    matches who only differs in calling there."""
    table: dict[str, Any] = {"stack": 10_000, "blinds": (50, 100), "reset": True}
    result = rollout([Folder, Pusher], matches=3, hands=60, boards=1, **table)
    by_kind = {(s.street, s.facing, s.chosen): s for s in result.situations}
    river = by_kind["river", "a bet", "fold"]
    call = next(o for o in river.others if o.action == "call")
    assert result.hands == 180 and result.matches == 3 and not result.partial
    assert call.gain.n == river.decisions > 60
    won = Counter[str]()
    for match in range(3):
        for hero in (Folder, "caller"):
            session = Session([hero, Pusher], match=match, hands=60, **table)
            for _ in range(60):
                session.play_hand()
            won[str(hero)] += session.won[0]
    more = (won["caller"] - won[str(Folder)]) / 100
    assert call.gain.mean * call.gain.n == pytest.approx(more) and more != 0
    assert call.per_hand == pytest.approx(1000 * more / 180)
    assert result.situations[0].others[0].per_hand >= call.per_hand


@pytest.mark.parametrize("reset", [False, True])
def test_values_are_those_of_the_hands_played_one_by_one(reset: bool) -> None:
    """A river has no cards to come: what is chosen wins what the hand won, and a fold loses what is in."""
    seen: list[Any] = []

    class Watches(Folder):
        def observe(self, record: Any) -> None:
            seen.append(record)

    (task,) = rollout_tasks([Watches, Pusher], matches=1, hands=40, reset=reset, seed=5)
    played = play_rollout(task)
    assert played is not None
    records = {r.hand: r for r in seen}
    rivers = [d for d in played.decisions if d.street == 3]
    assert rivers and len(records) == played.hands
    for one in rivers:
        record = records[one.hand]
        me = record.names.index("Watches")
        if one.facing == "a bet":
            assert one.chosen == "fold" and set(one.won["fold"]) == {float(record.payoffs[me])}
            assert set(one.won["call"]) <= {-80.0, 80.0, 0.0}
        assert len(one.won["all-in"]) == 2 and one.big_blind == 40
        assert one.hole == cards_text(record.hole[me]) and one.board == cards_text(record.board)
        assert (one.pot, one.to_call) in {(80, 0), (120, 40)}


def test_matches_are_those_of_a_tournament_whatever_is_tried() -> None:
    plain = run_tournament(["rules", "style:LA", "caller"], matches=3, seed=11, hands=30)
    tried = rollout(["rules", "style:LA", "caller"], matches=3, seed=11, hands=30)
    some = rollout(["rules", "style:LA", "caller"], matches=3, seed=11, hands=30, share=0.3)
    assert tried.hands == some.hands == plain.hands
    assert 0 < some.decisions < 0.6 * tried.decisions
    # The share is made up for in what a change wins a hand.
    assert tried.situations and not tried.faults and tried.reproducible


def test_the_same_from_workers() -> None:
    settings: dict[str, Any] = {"matches": 3, "seed": 2, "hands": 25}
    one = rollout(["rules", "style:TA"], **settings)
    two = rollout(["rules", "style:TA"], backend=ProcessBackend(2), **settings)
    assert one.situations == two.situations and one.decisions == two.decisions


def test_who_fails_in_a_hand_that_is_played_out_folds() -> None:
    result = rollout([Pusher, Fails], matches=2, hands=20, reset=True)
    assert {(f.agent, f.during) for f in result.faults} == {("Fails", "rollout")}
    assert all(f.error.startswith("RuntimeError at ") for f in result.faults)
    assert 0 < len(result.faults) <= result.decisions
    # It is asked on each of two boards: every failure is counted.
    assert any(f.error.endswith(" here)") for f in result.faults)
    raised = [o for s in result.situations if s.street == "pre-flop" for o in s.others if o.action == "pot"]
    assert raised and all(o.gain.mean > 0 for o in raised)


class Single(Folder):
    """Cannot be copied."""

    stateless = False

    def __deepcopy__(self, memo: Any) -> Single:
        raise TypeError("there is one of me")


def test_an_agent_that_cannot_be_copied_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked in hands that never happen, an agent that learns would remember them."""
    with pytest.raises(CannotPlay, match="'Single' learns and cannot be copied"):
        rollout([Pusher, Single], matches=1, hands=6, reset=True)
    install_hostile(monkeypatch)
    for more in ([], ["--reset"]):
        assert main(["rollout", "caller", "hostile", "--matches", "1", "--hands", "5", *more]) == 2
        out, err = capsys.readouterr()
        assert not out and "agent 'hostile' learns and cannot be copied" in err
        assert "Traceback" not in err and err.splitlines()[-1].startswith("dupai: agent 'hostile'")


def test_an_agent_that_cannot_go_on_ends_the_match_also_in_a_hand_that_is_tried() -> None:
    class Ends(Fails):
        def act(self, view: View, rng: Rng) -> Action:
            if view.to_call > view.spec.big_blind:
                raise CannotPlay("not against raises")
            return Action.call()

    with pytest.raises(CannotPlay, match="not against raises"):
        rollout([Pusher, Ends], matches=1, hands=20, reset=True)


def test_fall_backs_in_hands_that_are_tried_are_counted() -> None:
    class Unsure(Fails):
        def __init__(self) -> None:
            self.notes = Notes()

        def act(self, view: View, rng: Rng) -> Action:
            if view.to_call > view.spec.big_blind:
                self.notes.add(Reason("text", text="too dear"))
            return Action.call()

    result = rollout([Pusher, Unsure], matches=2, hands=20, reset=True)
    (notes,) = result.notes
    # It calls raises in tried hands only: none is in the matches themselves.
    assert notes.agent == "Unsure" and 0 < notes.counts["text"] < notes.decisions
    assert "Unsure, " in str(result) and "decisions: too dear" in str(result)


def test_a_run_that_is_stopped_goes_on(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"matches": 4, "seed": 7, "hands": 20}
    whole = rollout(["rules", "style:TP"], **settings)
    with Store(tmp_path / "r.db") as store:
        part = rollout(["rules", "style:TP"], store=store, progress=_Stop(2), **settings)
        assert part.partial and 0 < part.matches < 4
        so_far: Any = unfinished(store, store.run())
        assert so_far.situations == part.situations and so_far.partial
    with Store(tmp_path / "r.db", resume=True) as store:
        again = rollout(["rules", "style:TP"], store=store, **settings)
    assert again.situations == whole.situations and again.decisions == whole.decisions


def test_nothing_played_is_no_result() -> None:
    result = rollout(["rules", "style:TP"], matches=2, progress=_Stop(0))
    assert result.partial and result.decisions == 0 and rollout_result(result.config, []).situations == ()


# the command ---------------------------------------------------------------------------------------------------------


def test_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = str(tmp_path / "r.db")
    given = ["rollout", "rules", "style:paper-LA", "--matches", "4", "--results", file]
    assert main(given) == 0
    out = capsys.readouterr().out
    assert out.startswith("rules v style:paper-LA: ") and "4 of 4 matches" in out and "mbb/hand" in out
    assert main(["results", "show", file]) == 0
    assert "rules v style:paper-LA: " in capsys.readouterr().out
    assert main(["results", "export", file]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert (
        lines[0] == ("match,hand,street,players,opponents,hole,board,pot,to_call,facing,chosen,action,draw,chips")
        and len(lines) > 100
    )
    assert main(["rollout", "caller", "fixed", "--matches", "1", "--hands", "5", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told) == {
        *("config", "seed", "versions", "hands", "decisions", "situations", "matches", "partial", "faults", "notes"),
        "reproducible",
    }
    assert main(["rollout", "caller", "fixed", "--matches", "1", "--hands", "2"]) == 0
    assert "play more matches" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["rules"], "Missing argument 'OPPONENT'"),
        (["rules", *["caller"] * 10], "11 players given: expected 2 to 10"),
        (["rules", "nobody"], "'nobody'"),
        (["rules", "caller", "--share", "0"], "share = 0.0"),
        (["rules", "caller", "--share", "1.5"], "share = 1.5"),
        (["rules", "caller", "--matches", "0"], "matches = 0"),
        (["rules", "caller", "--blinds", "x"], "'x'"),
    ],
)
def test_bad_input(given: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rollout", *given]) == 2
    out, err = capsys.readouterr()
    assert not out and said in err and err.count("\n") == 1


def test_gains_are_in_big_blinds() -> None:
    one = Decision(
        hand=1, street=0, players=2, opponents=1, hole="AsKd", board="", pot=60, to_call=20,
        facing="no raise", chosen="call", big_blind=40,
        won={"call": (40.0, -40.0), "fold": (-20.0, -20.0)},
    )  # fmt: skip
    assert one.gains() == {"fold": -0.5}
    with pytest.raises(ConfigError, match="boards = 0"):
        rollout(["caller", "fixed"], boards=0)


def test_actions_that_gain_as_much_stand_in_one_order() -> None:
    """Sets of words have another order in every process."""
    result = run_rollout(rollout_tasks(["raiser", "caller"], hands=20, matches=1, seed=3))
    for situation in result.situations:
        keys = [(-one.per_hand, one.action) for one in situation.others]
        assert keys == sorted(keys)
    assert any(len(situation.others) > 1 for situation in result.situations)
