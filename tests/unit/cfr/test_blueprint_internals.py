"""Blueprints of hold'em: menus and trees, buckets, files, how real bets are mapped, training and the agent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from dupai.agents import make_agent
from dupai.base import ConfigError, FileError, NoProgress, Rng
from dupai.base.arrays import F64
from dupai.base.files import from_plain
from dupai.cards import COMBO_CLASS, COMBO_INDEX, COMBO_MASK, cards, class_index, combo_index, mask_of, strengths
from dupai.cards.kernels import CARD_PERMUTED, COMBO_PERMUTED
from dupai.cfr import Blueprints, load_plan
from dupai.cfr._blueprint._kernels import Tables
from dupai.cfr._blueprints import SHIPPED
from dupai.cfr.blueprint import (
    BetMenu,
    BlueprintCard,
    BlueprintSolver,
    JointSolver,
    PassSolver,
    StoredBlueprint,
    betting_tree,
    learn_buckets,
    save_blueprint,
)
from dupai.cli import main
from dupai.equity import equity
from dupai.notation import Reason, view_from_text
from dupai.rules import RAISE, Action, GameSpec, HandState, View, load_game
from dupai.spots import spots
from dupai.training import BlueprintSettings, blueprint_games, train_blueprint
from support.small_blueprint import TINY_GAME as GAMES

C, F = Action.call(), Action.fold()


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("blueprint")
    (folder / "games.toml").write_text(GAMES)
    out = folder / "tiny.npz"
    settings = BlueprintSettings(minutes=10, passes=120, measure=False)
    trained = train_blueprint("tiny", out, settings, games=folder / "games.toml")
    assert trained is not None
    assert trained.bytes == out.stat().st_size
    assert not list(folder.glob("*.work"))
    return out


def _view(actions: tuple[Action, ...] = (), spec: GameSpec | None = None, seed: int = 1) -> HandState:
    state = HandState.deal(spec or blueprint_games()["nolimit-20"].spec, Rng(seed))
    for action in actions:
        state.apply(action)
    return state


def test_a_tree_has_every_line_of_its_menu_once() -> None:
    """Counted by hand: open or not, all-in over it; a pot bet on each street that nobody may raise."""
    spec = msgspec.structs.replace(load_game("holdem.nolimit.2p"), stacks=(2000, 2000))
    tree = betting_tree(spec, BetMenu(preflop=((0.75,), ("a",))))
    # button: fold, limp, open. limp: check on, or open: fold, call, all-in: fold, call. open: fold, call, all-in: ...
    decisions = np.flatnonzero(tree.n > 0)
    preflop = [n for n in decisions if tree.street[n] == 0]
    assert [int(tree.n[n]) for n in preflop] == [3, 2, 3, 3, 2, 2]
    # after each of three lines with chips behind: check, check on three streets
    assert len(decisions) - len(preflop) == 3 * 6
    assert sorted({int(tree.to[c]) for c in range(len(tree.kind)) if tree.did[c] == RAISE}) == [250, 2000]


def test_limit_trees_have_the_size_that_is_known() -> None:
    """Heads-up limit hold'em: 6,378 betting decisions follow from its caps of three raises more than the big blind."""
    tree = betting_tree(load_game("holdem.limit.2p"), BetMenu())
    decisions = tree.n > 0
    # A street with at most r raises left and a first action has 2 + 2r decisions; ways on to the next: 1 + 2r.
    assert int((decisions & (tree.street == 0)).sum()) == 8
    assert int((decisions & (tree.street == 1)).sum()) == 7 * 10
    assert int((decisions & (tree.street == 2)).sum()) == 7 * 9 * 10
    assert int((decisions & (tree.street == 3)).sum()) == 7 * 9 * 9 * 10


def test_a_file_plays_as_the_tables_say(tiny: Path) -> None:
    plan = load_plan(tiny)
    blueprints = Blueprints([plan])
    state = _view()
    view = state.view(state.actor)
    policy = blueprints.policy(spots(view)[-1]).checked()
    assert set(policy.actions) == {F, C, Action.raise_to(250)}
    folds = policy.chances[policy.actions.index(F)]
    assert folds[COMBO_INDEX[0, 5]] >= folds[combo_index("AsAh")]
    assert folds[combo_index("AsAh")] < 0.5
    same = class_index("AKs") == COMBO_CLASS
    assert np.ptp(policy.chances[:, same], axis=1).max() == 0


def _naive_values(plan: StoredBlueprint, node: int, board: tuple[int, ...], me: int, hand: int, reach: F64) -> float:
    """What a hand wins below a node of the river against the weights of the other's hands, hand by hand, in chips
    since the hand began."""
    tree = plan._tree
    kind, player = int(tree.kind[node]), int(tree.player[node])
    mine, paid = int(COMBO_MASK[hand]), tree.paid[node]
    others = [h for h in range(1326) if reach[h] > 0 and not int(COMBO_MASK[h]) & (mine | mask_of(board))]
    if kind == 1:
        won = -paid[me] if player == me else paid[1 - me]
        return float(won * sum(reach[h] for h in others))
    if kind == 2:
        full = np.uint64(mask_of(board))
        made = {h: int(strengths(COMBO_MASK[[h]] | full)[0]) for h in (*others, hand)}
        stake = min(paid)
        return float(sum(reach[h] * stake * np.sign(made[hand] - made[h]) for h in others))
    rows, bucket = plan._rows(node), plan._cards.of(board)
    total = 0.0
    for i, child in enumerate(tree.children(node)):
        if player == me:
            total += rows[bucket[hand], i] * _naive_values(plan, child, board, me, hand, reach)
        else:
            total += _naive_values(plan, child, board, me, hand, reach * rows[bucket, i])
    return total


def test_values_of_hands_are_those_of_a_naive_walk(tiny: Path) -> None:
    """A river after an open that was called: every position's hands, and both positions share the pot."""
    plan = load_plan(tiny)
    state = _view((Action.raise_to(200), C, C, C, C, C), seed=4)
    spot = spots(state.view(state.actor))[-1]
    assert spot.street == 3
    node, reach = plan._reached(spot)
    board = tuple(spot.board)
    blocked = (COMBO_MASK & np.uint64(mask_of(board))) != 0
    reach[:, blocked] = 0
    pot, abstract = spot["pot"], float(plan._tree.paid[node].sum())
    shared, pairs = 0.0, 0.0
    for me in (0, 1):
        values = plan.values(spot, me)
        for hand in (combo_index("AhAd"), combo_index("7c2d"), combo_index("QsJs")):
            if blocked[hand]:
                assert np.isnan(values[hand])
                continue
            meets = sum(
                reach[1 - me][h] for h in range(1326) if reach[1 - me][h] and not COMBO_MASK[h] & COMBO_MASK[hand]
            )
            naive = _naive_values(plan, node, board, me, hand, reach[1 - me]) / meets + plan._tree.paid[node][me]
            assert values[hand] == pytest.approx(naive * pot / abstract, rel=1e-3, abs=0.01)
        for h in np.flatnonzero(reach[me] > 0).tolist():
            disjoint = (COMBO_MASK & COMBO_MASK[h]) == 0
            weight = float(reach[me][h] * reach[1 - me][disjoint].sum())
            shared += weight * float(np.nan_to_num(values[h]))
            pairs += weight / 2
    assert shared / pairs == pytest.approx(pot, rel=1e-3)


def test_values_of_a_turn_are_those_of_all_rivers(tiny: Path) -> None:
    """Each river counts by the pairs of hands that meet there, and hands alike but for suits get the same."""
    plan = load_plan(tiny)
    state = HandState(blueprint_games()["nolimit-20"].spec, board="KcQd7c3d2s")
    for action in (Action.raise_to(200), C, C, C):
        state.apply(action)
    spot = spots(state.view(state.actor))[-1]
    every = plan.values(spot, 0)
    known = np.isfinite(every)
    assert known.sum() == 48 * 47 // 2
    node, reach = plan._reached(spot)
    rivers = [(*spot.board, card) for card in range(52) if card not in spot.board]
    won, pairs = plan._won([node], reach, rivers, 0)
    chips = won[0].sum(axis=0)[known] / pairs.sum(axis=0)[known] + plan._tree.paid[node][0]
    assert every[known] == pytest.approx(chips * spot["pot"] / plan._tree.paid[node].sum(), abs=1e-6)
    hearts_are_spades = COMBO_PERMUTED[1]
    assert CARD_PERMUTED[1][list(spot.board)].tolist() == list(spot.board)
    assert every == pytest.approx(every[hearts_are_spades], abs=1e-3 * spot["pot"], nan_ok=True)
    flop = spots(_flop_view())[-1]
    with pytest.raises(ConfigError, match="turn and the river"):
        plan.values(flop, 0)


def test_values_of_actions_add_up_to_those_of_the_decision(tiny: Path) -> None:
    """On a river: every hand's actions, weighed by its strategy, are worth what the decision is; folding nothing."""
    plan = load_plan(tiny)
    assert isinstance(plan, StoredBlueprint)
    state = _view((Action.raise_to(200), C, C, C, C, C, Action.raise_to(600)), seed=4)
    spot = spots(state.view(state.actor))[-1]
    found, policy = plan.action_values(spot), plan.policy(spot)
    assert found.actions == policy.actions
    assert found.boards == 1
    known = np.isfinite(found.mean[0])
    assert known.sum() == 47 * 46 // 2
    mixed = (found.mean * policy.chances).sum(axis=0)[known]
    assert mixed == pytest.approx(plan.values(spot, spot.position)[known], rel=1e-3, abs=0.05)
    assert found.mean[found.actions.index(F)][known] == pytest.approx(0, abs=0.05)


def test_values_of_actions_on_a_flop_have_an_error_that_holds(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few boards against many others: within five standard errors of their difference, and these are no excuse."""
    plan = load_plan(tiny)
    assert isinstance(plan, StoredBlueprint)
    spot = spots(_flop_view())[-1]
    few = plan.action_values(spot)
    monkeypatch.setattr("dupai.cfr._blueprint._plan._DRAWN", 400)
    many = plan.action_values(spot)
    known = np.isfinite(few.mean).all(axis=0)
    apart = np.abs(few.mean - many.mean)[:, known]
    error = np.hypot(few.error, many.error)[:, known]
    assert (apart < 5 * error + 1).mean() > 0.98
    assert float(few.error[:, known].mean()) < 0.35 * spot["pot"]
    assert float(many.error[:, known].mean()) < 0.5 * float(few.error[:, known].mean())
    before = spots(_view().view(1))[-1]
    with pytest.raises(ConfigError, match="no values of actions before the flop"):
        plan.action_values(before)


@pytest.fixture(scope="module")
def valued(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with the values of the actions before the flop, on 30 boards."""
    plan = load_plan(tiny)
    assert isinstance(plan, StoredBlueprint)
    with np.load(tiny) as stored:
        arrays = {name: stored[name] for name in stored.files if name != "card"}
    out = tmp_path_factory.mktemp("valued") / "valued.npz"
    save_blueprint(out, arrays, plan.card, plan.opening_values(30))
    return out


def test_values_before_the_flop_of_ends_are_exact(valued: Path) -> None:
    """The button opens, the big blind goes all-in: folding is worth nothing from here on, and calling what the hand's
    equity against the range says."""
    plan = load_plan(valued)
    assert isinstance(plan, StoredBlueprint)
    shove = (Action.raise_to(250), Action.raise_to(2000))
    spot = spots(_view(shove).view(1))[-1]
    found = plan.action_values(spot)
    assert found.actions == (F, C)
    assert found.mean[0] == pytest.approx(0, abs=1e-4)
    theirs = plan.policy(spots(_view(shove[:1]).view(0))[-1]).chances[-1]
    for hand in ("AhAd", "KsQs", "7h2c"):
        free = (COMBO_MASK & mask_of(cards(hand))) == 0
        assert (theirs * free).sum() > 0
        won = equity([hand, theirs], method="exact").equity[0]
        assert found.mean[1, combo_index(hand)] == pytest.approx(4000 * won - 1750, abs=1)
    assert (found.error == 0).all()


def test_values_before_the_flop_have_an_error_that_holds(valued: Path) -> None:
    """30 boards against 200 (which begin with them): within their error, of which the control variate leaves little."""
    plan, few = load_plan(valued), np.load(valued)
    assert isinstance(plan, StoredBlueprint)
    many = plan.opening_values(200, jobs=2)
    assert many is not None
    some = few["opening_error"] > 0
    assert (np.abs(few["opening_mean"] - many.mean)[some] < 4 * few["opening_error"][some]).mean() > 0.98
    assert many.error[some].mean() < 0.6 * few["opening_error"][some].mean()
    assert few["opening_error"][some].mean() < 100  # a big blind
    again = plan.opening_values(30, jobs=2)
    assert again is not None
    assert (again.mean == few["opening_mean"]).all()


def test_values_before_the_flop_are_what_a_pass_of_the_solver_wins(valued: Path) -> None:
    """The opening's actions by its strategy, over all hands: what position 1 wins on average on other boards."""
    plan = load_plan(valued)
    assert isinstance(plan, StoredBlueprint)
    spot = spots(_view().view(1))[-1]
    found, policy = plan.action_values(spot), plan.policy(spot)
    mine = float((found.mean * policy.chances).sum(axis=0).mean()) - 50
    walker = PassSolver(plan._tree, plan._cards.counts, 1326, 52, 1.0)
    tables = Tables(*(plan._table,) * 4)
    rng = np.random.default_rng(5)
    passes = [
        -walker.go(plan._cards.deal(tuple(rng.choice(52, 5, replace=False).tolist()))[0], tables, fixed=3)
        for _ in range(120)
    ]
    error = np.std(passes) / np.sqrt(len(passes))
    assert error < 8
    assert mine == pytest.approx(np.mean(passes), abs=4 * error + 2)


def test_advice_before_the_flop_has_values(valued: Path) -> None:
    agent = make_agent(f"equilibrium:blueprint={valued}")
    advice = agent.advise(_view().view(1), Rng(1))
    assert advice.values is not None
    assert advice.values[0] == pytest.approx(0, abs=1e-3)
    assert any(reason.values.get("boards") == 30 for reason in advice.reasons)


def test_advice_on_a_flop_has_values(tiny: Path) -> None:
    agent = make_agent(f"equilibrium:blueprint={tiny}")
    advice = agent.advise(_flop_view(), Rng(1))
    assert advice.values is not None
    assert len(advice.values) == len(advice.actions)
    assert any(reason.values.get("boards") == 40 for reason in advice.reasons)
    assert agent.advise(_view().view(1), Rng(1)).values is None


def _flop_view() -> View:
    state = _view((Action.raise_to(200), C), seed=4)
    return state.view(state.actor)


def test_real_bets_are_mapped(tiny: Path) -> None:
    blueprints = Blueprints.load([tiny])
    for to in (200, 250, 320):  # a raise of any size is the open of the tree
        state = _view((Action.raise_to(to),))
        policy = blueprints.policy(spots(state.view(state.actor))[-1]).checked()
        assert set(policy.actions) == {F, C, Action.raise_to(2000)}
    # a bet of another size after the flop; no raise in the tree, so fold or call
    state = _view((C, C, Action.raise_to(100 + 137)))
    policy = blueprints.policy(spots(state.view(state.actor))[-1]).checked()
    assert set(policy.actions) == {F, C}
    # a raise where the tree has none
    state = _view((C, C, Action.raise_to(200), Action.raise_to(600)))
    with pytest.raises(ConfigError, match="no raise here"):
        blueprints.policy(spots(state.view(state.actor))[-1])


def test_every_betting_of_limit_hold_em_is_in_its_tree(tmp_path: Path) -> None:
    """Limit bets need no mapping: whatever is legal leads to a node, and the strategy there is legal."""
    spec = load_game("holdem.limit.2p")
    solver = BlueprintSolver(spec, BetMenu(), learn_buckets((3, 3, 3)))
    solver.solve(1)
    card = BlueprintCard(
        game=spec, menu=BetMenu(), buckets=solver.cards.counts, nodes=6378, entries=solver.entries, passes=1,
        seconds=0, seed=1,
    )  # fmt: skip
    save_blueprint(tmp_path / "limit.npz", solver.arrays(), card)
    agent = make_agent(f"equilibrium:blueprint={tmp_path / 'limit.npz'}")
    streets = set()
    for hand in range(25):
        state, rng = HandState.deal(spec, Rng(3, hand), hand=hand), Rng(4, hand)
        while not state.finished:
            view, legal = state.view(state.actor), state.legal
            assert agent.reasons(view) == (Reason("blueprint"),)
            policy = agent.policy(view)
            assert sum(p for _, p in policy.points) == pytest.approx(1)
            for action, _ in policy.points:
                assert action.kind != RAISE or (legal.can_raise and action.to == legal.max_to)
            streets.add(state.street)
            raises = legal.can_raise and rng.uniform() < 0.5
            state.apply(Action.raise_to(legal.max_to) if raises else Action.call())
    assert streets == {0, 1, 2, 3}


def test_what_a_blueprint_covers(tiny: Path) -> None:
    blueprints = Blueprints.load([tiny])
    spec = load_game("holdem.nolimit.2p")
    assert blueprints.covers(spec, (2000, 9000), 0)
    assert blueprints.covers(spec, (3000, 3000), 3)
    assert not blueprints.covers(spec, (20000, 20000), 0)
    assert not blueprints.covers(load_game("holdem.nolimit.3p"), (2000,) * 3, 0)
    assert not blueprints.covers(load_game("holdem.limit.2p"), (2000, 2000), 0)


def test_the_agent_plays_it_and_falls_back(tiny: Path) -> None:
    agent = make_agent(f"equilibrium:resolve=off,blueprint={tiny}")
    state = _view((Action.raise_to(250),))
    view = state.view(state.actor)
    assert agent.reasons(view) == (Reason("blueprint"),)
    deep = _view(spec=load_game("holdem.nolimit.2p"))
    assert agent.reasons(deep.view(deep.actor)) == (Reason("stand_in_game_not_covered"),)
    lost = _view((C, C, Action.raise_to(200), Action.raise_to(600)))
    assert agent.reasons(lost.view(lost.actor)) == (Reason("stand_in_no_such_bet"),)
    assert agent.policy(lost.view(lost.actor)).points


def test_stopping_loses_nothing(tiny: Path, tmp_path: Path) -> None:
    """Stopped after some boards and resumed: the same file to the bit as without a stop, but for the seconds."""
    (tmp_path / "games.toml").write_text(GAMES)

    class Stop:
        cancelled = False

        def report(self, done: float, total: float, note: str = "") -> None:
            self.cancelled = self.cancelled or (note.endswith("boards") and not note.startswith("0 ") and total > 100)

    out = tmp_path / "tiny.npz"
    settings = BlueprintSettings(minutes=10, passes=120, measure=False)
    stop = Stop()
    assert train_blueprint("tiny", out, settings, games=tmp_path / "games.toml", progress=stop) is None
    assert not out.exists()
    train_blueprint("tiny", out, settings, games=tmp_path / "games.toml", resume=True)
    with np.load(out) as again, np.load(tiny) as once:
        assert (again["chances"] == once["chances"]).all()


def test_trembling_hands_learn_what_follows_actions_that_nobody_takes(tiny: Path) -> None:
    """Rows of the river that neither player ever came to are far fewer; and every action is taken so often at least."""
    plan = load_plan(tiny)
    assert isinstance(plan, StoredBlueprint)
    unknown = []
    for tremble in (0.0, 0.02):
        solver = BlueprintSolver(plan.card.game, plan.card.menu, plan._cards, 1, tremble=tremble)
        solver.solve(60)
        nodes = np.flatnonzero((solver.tree.n > 0) & (solver.tree.street == 3)).tolist()
        unknown.append(sum(int((np.ptp(solver.rows(node), axis=1) == 0).sum()) for node in nodes))
    assert unknown[1] < unknown[0] / 2
    rows = solver.rows(0)
    assert rows.min() >= 0.02 / rows.shape[1] - 1e-6


def test_several_solvers_are_averaged(tmp_path: Path) -> None:
    """Two parts in two processes or in this one, and stopped on the way: the same to the bit; and the strategy is the
    mean of what solvers of the two seeds find, weighed by how often each comes to a decision."""
    (tmp_path / "games.toml").write_text(GAMES)
    game = blueprint_games(tmp_path / "games.toml")["tiny"]

    def train(out: str, passes: int, backend: str, *, resume: bool = False, progress: object = None) -> bool:
        settings = BlueprintSettings(minutes=10, passes=passes, measure=False, jobs=2)
        how: dict[str, Any] = {"resume": resume, "backend": backend, "progress": progress}
        return train_blueprint("tiny", tmp_path / out, settings, games=tmp_path / "games.toml", **how) is not None

    class Stop(NoProgress):
        cancelled = False  # type: ignore[assignment]

        def report(self, done: float, total: float | None, note: str = "") -> None:
            self.cancelled = self.cancelled or "boards" in note

    assert train("a.npz", 40, "processes")
    assert not train("b.npz", 40, "serial", progress=Stop())
    assert train("b.npz", 40, "serial", resume=True)
    with np.load(tmp_path / "a.npz") as one, np.load(tmp_path / "b.npz") as other:
        assert (one["chances"] == other["chances"]).all()
        menu, cards = from_plain(game.menu, BetMenu, "menu"), learn_buckets(game.buckets, 1)
        parts = [BlueprintSolver(game.spec, menu, cards, seed) for seed in (1, 2)]
        for solver in parts:
            solver.solve(20)
        parts[0].plan = parts[0].plan + parts[1].plan
        assert (one["chances"] == parts[0].arrays()["chances"]).all()
    with (tmp_path / "two.work").open("wb") as file:
        JointSolver(game.spec, menu, cards, 1, 2, "serial").save(file)
    solver = JointSolver(game.spec, menu, cards, 1, 3, "serial")
    with pytest.raises(FileError, match="not a blueprint in work of this game"):
        solver.load(tmp_path / "two.work")


def test_the_command_says_how_far_it_is_from_an_equilibrium(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("dupai.training._blueprint._RESPONSE", 40)
    monkeypatch.setattr("dupai.training._blueprint._BOARDS", 20)
    monkeypatch.setattr("dupai.training._blueprint._VALUED", 2)
    Path("g.toml").write_text(GAMES)
    words = ["train", "blueprint", "tiny", "--out", "t.npz", "--games", "g.toml", "--boards", "40"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "40 boards" in out
    assert "learned responses win +" in out
    assert main([*words, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["card"]["passes"] == 40
    with np.load("t.npz") as stored:
        assert stored["opening_boards"] == 2


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["nolimit-10", "--out", "x.npz"], "game 'nolimit-10': did you mean 'nolimit-100'?"),
        (["x", "--out", "x.npz"], "game 'x': expected one of"),
        (["nolimit-20", "--out", "no/such/x.npz"], "there is no such folder as no/such"),
        (["three", "--out", "x.npz", "--games", "g.toml"], "expected no-limit, or limit with two players"),
        (["table-100", "--out", "x.npz", "--backend", "ray"], "backend 'ray' for 6 players: expected local"),
        (["nolimit-20", "--out", "x.npz", "--backend", "rya"], "backend 'rya'"),
        (["huge", "--out", "x.npz", "--games", "g.toml"], "size 200.0: expected a fraction of the pot or 'a'"),
    ],
)
def test_bad_input(
    words: list[str], error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    three = GAMES.replace("tiny", "three").replace("nolimit.2p", "limit.3p")
    huge = GAMES.replace("tiny", "huge").replace("[[1.0]]", "[[200.0]]", 1)
    Path("g.toml").write_text(three + huge)
    assert main(["train", "blueprint", *words, "--minutes", "0.01"]) == 2
    assert error in " ".join(capsys.readouterr().err.split())


def test_damaged_files(tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.npz"
    broken.write_bytes(tiny.read_bytes()[:1000])
    with pytest.raises(FileError):
        make_agent(f"equilibrium:blueprint={broken}")
    other = tmp_path / "other.npz"
    np.savez(other, x=np.zeros(3))
    with pytest.raises(FileError, match="is no blueprint"):
        Blueprints.load([other])
    with np.load(tiny) as stored:
        arrays = dict(stored)
    card = json.loads(bytes(arrays["card"]))
    arrays["card"] = np.frombuffer(json.dumps({**card, "version": 9}).encode(), np.uint8)
    np.savez(other, **arrays)
    with pytest.raises(FileError, match="of version 9: expected 1"):
        Blueprints.load([other])
    arrays["card"] = np.frombuffer(json.dumps(card).encode(), np.uint8)
    opening = {"nodes": np.arange(3), "mean": np.zeros((3, 169)), "error": np.zeros((3, 169)), "boards": np.array(9)}
    for changed in (
        {"chances": arrays["chances"][:-1]},
        {f"opening_{name}": value for name, value in opening.items()},
        {f"opening_{name}": value for name, value in (opening | {"mean": np.zeros((2, 169))}).items()},
    ):
        np.savez(other, **(arrays | changed))
        with pytest.raises(FileError, match="is a damaged blueprint"):
            Blueprints.load([other])


def test_what_ships_is_small_and_plays_as_charts_do() -> None:
    """The button plays most hands heads-up and never folds aces; the worst are folded; more of the big blind's hands
    are folded to an all-in than to a small raise, and aces never."""
    blueprints = Blueprints.shipped()
    assert blueprints is not None
    assert sum(path.stat().st_size for path in SHIPPED.glob("*.npz")) < 20e6
    aces, worst = (int(np.flatnonzero(class_index(name) == COMBO_CLASS)[0]) for name in ("AA", "72o"))
    for plan in blueprints.plans:
        assert plan.card.passes > 3000
        assert plan.card.game.players == 2
        assert plan.card.measured is not None
        state = HandState(plan.card.game)
        spot = spots(state.view(None))[-1]
        opening, worth = plan.policy(spot).checked(), plan.action_values(spot)
        assert worth.mean[0] == pytest.approx(0, abs=1e-3)
        assert worth.mean[1:, aces].min() > 2 * max(plan.card.game.blinds)
        assert worth.mean[1:, worst].max() < 5 * worth.error[1:, worst].max()
        folds = opening.likelihood(F)
        assert folds[aces] == 0
        assert folds[worst] > 0.5
        assert 0.02 < folds.mean() < 0.3
        raises = [action for action in opening.actions if isinstance(action, Action) and action.kind == RAISE]
        answers = []
        for action in (raises[0], raises[-1]):
            after = state.copy()
            after.apply(action)
            answer = plan.policy(spots(after.view(None))[-1]).checked().likelihood(F)
            assert answer[aces] == 0
            answers.append(float(answer.mean()))
        if len(raises) > 1:
            assert 0.1 < answers[0] < answers[1] < 0.98


def test_short_stacks_push_or_fold_before_a_blueprint() -> None:
    for stack, note in ((1200, "push_fold"), (2500, "blueprint")):
        state = HandState.deal(GameSpec.no_limit(2, (50, 100), stack), Rng(2))
        assert make_agent("equilibrium").reasons(state.view(state.actor)) == (Reason(note),)
    state = HandState.deal(GameSpec.no_limit(2, (50, 100), 2500), Rng(2))
    view = state.view(state.actor)
    assert make_agent("equilibrium:blueprint=stand-in").reasons(view) == (Reason("stand_in"),)


def test_between_two_sizes_the_answers_of_both_are_mixed() -> None:
    """Three quarters of the pot on the flop, where the tree has a half and one pot: pseudo-harmonic shares of 3/7 and
    4/7; a fifth of it: (0.5 - 0.2) / (0.5 * 1.2) = a half counts as no bet, to which nobody folds."""
    blueprints = Blueprints.shipped()
    assert blueprints is not None

    def answer(bet: int) -> dict[int, F64]:
        state = HandState(GameSpec.no_limit(2, (50, 100), 10_000), board=list(cards("As7d2c")))
        for action in (Action.raise_to(250), C, Action.raise_to(250 + bet)):
            state.apply(action)
        policy = blueprints.policy(spots(state.view(None))[-1]).checked()
        kinds = np.array([action.kind for action in policy.actions])
        return {kind: policy.chances[kinds == kind].sum(axis=0) for kind in (F.kind, C.kind, RAISE)}

    half, most, pot, fifth = answer(250), answer(375), answer(500), answer(100)
    for kind, row in most.items():
        assert row == pytest.approx(3 / 7 * half[kind] + 4 / 7 * pot[kind])
    assert fifth[F.kind] == pytest.approx(half[F.kind] / 2)
    assert fifth[C.kind] == pytest.approx(half[C.kind] + half[F.kind] / 2)
    assert fifth[RAISE] == pytest.approx(half[RAISE])
    assert 0.1 < half[F.kind].mean() < pot[F.kind].mean()


def test_advice_has_no_values_where_its_actions_answer_two_bets_of_the_tree() -> None:
    """A bet of two and a half pots with a stack of three and a half: it counts mostly as an all-in, which cannot be
    raised, and some hands raise."""
    agent = make_agent("equilibrium:resolve=off")
    hole = {0: cards("7h7s"), 1: cards("KhQs")}
    state = HandState(GameSpec.no_limit(2, (50, 100), 2000), board=list(cards("7d8d2c")))
    for position, two in hole.items():
        state.set_hole(position, two)
    for action in (Action.raise_to(250), C, Action.raise_to(250 + 1250)):
        state.apply(action)
    advice = agent.advise(state.view(state.actor), Rng(1))
    assert advice.values is None
    assert [action.kind for action in advice.actions if isinstance(action, Action)] == [F.kind, C.kind, RAISE]


def test_a_bet_far_from_those_of_the_tree_has_no_counterpart(tiny: Path) -> None:
    """The tree of the flop has a bet of one pot: 0.4 to 2.5 pots count as that."""
    blueprints = Blueprints.load([tiny])
    for bet, known in ((200, True), (199, False), (1250, True), (1251, False)):
        state = _view((Action.raise_to(250), C, Action.raise_to(250 + bet)))
        spot = spots(state.view(state.actor))[-1]
        if known:
            assert blueprints.policy(spot).checked()
        else:
            with pytest.raises(ConfigError, match="no raise of about this size"):
                blueprints.policy(spot)


@pytest.mark.parametrize(
    ("betting", "reason"),
    [
        ("r650c/", "blueprint"),
        ("cr650c/", "blueprint"),
        ("r250r1750c/", "blueprint"),
        ("r650r1950c/", "blueprint"),
        ("r2000c/", "stand_in_no_such_bet"),  # beyond 6.25 times the size of the tree
    ],
)
def test_after_a_raise_before_the_flop_beyond_the_tree_the_hand_goes_on_in_it(betting: str, reason: str) -> None:
    """The stand-in answers such a raise; it played the flop, too, and the turn was solved without safety."""
    game, agent = load_game("holdem.nolimit.2p"), make_agent("equilibrium:turn=8")
    flop = view_from_text(f"MATCHSTATE:0:0:{betting}:AsAh|/2d7h9s", game)
    assert agent.reasons(flop)[0].code == reason
    turn = view_from_text(f"MATCHSTATE:0:0:{betting}cc/:AsAh|/2d7h9s/Td", game)
    assert (agent.reasons(turn)[0].code == "solved_safe") == (reason == "blueprint")


def test_a_raise_before_the_flop_beyond_the_tree_is_answered_by_the_stand_in() -> None:
    view = view_from_text("MATCHSTATE:0:0:r650:AsAh|", load_game("holdem.nolimit.2p"))
    assert make_agent("equilibrium").reasons(view) == (Reason("stand_in_no_such_bet"),)
