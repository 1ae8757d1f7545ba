"""The agent ``mcts``: its tree, its options, what it refuses."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from dupai.agents import advise, check_agent, make_agent, sit_down
from dupai.agents._mcts._kernels.draw import alias_kernel, deal_kernel, open_kernel, seen_mask_kernel
from dupai.agents._mcts._kernels.holdem import _judge, facing_kernel
from dupai.agents._mcts._kernels.tree import add_kernel, begin_kernel, sure_kernel
from dupai.agents._mcts._layout import DECISION, new_tree, new_work, node_bytes
from dupai.base import DupaiError, Rng
from dupai.cards import COMBO_CARDS, cards_text, combo, strength
from dupai.cfr import best_response
from dupai.cli import main
from dupai.experiments import GameSearch
from dupai.games import Kuhn, Leduc, TabularPolicy, random_policy
from dupai.notation import view_from_text
from dupai.reading import legal_hands, load_reader
from dupai.reading._bucket._groups import PRICED, facing_of
from dupai.rules import CALL, FOLD, RAISE, Action, GameSpec, HandState
from dupai.spots import spots
from naive.agents_mcts import NaiveSearch, exact_river
from naive.reading_bucket import naive_price

LIMIT = "2 players, limit, button, AhQh"


def ask(spec: str, text: str, seed: int = 1):
    agent = make_agent(spec)
    view = view_from_text(text)
    sit_down(agent, view)
    return advise(agent, view, Rng(seed))


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("mcts:ms=0", "ms=0: expected a time above 0"),
        ("mcts:actions=fold/half/pot", "actions='fold/half/pot' has no call: expected one, as in"),
        ("mcts:actions=call/hlaf", "actions='call/hlaf': 'hlaf': did you mean 'half'"),
        ("mcts:opponents=model,determinise=leaf", "opponents=model needs determinise=root"),
        ("mcts:simulations=0", "simulations=0: expected"),
        ("mcts:ms=20,stop=sure", "stop=sure needs a number of simulations"),
        ("mcts:reader=bukcet", "unknown reader 'bukcet': did you mean 'bucket'"),
    ],
)
def test_options_that_make_no_sense(spec: str, told: str) -> None:
    with pytest.raises(DupaiError) as caught:
        make_agent(spec)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("2 players, stacks 180, button, AhQh", {CALL, FOLD}),  # the all-in is the only raise
        ("2 players, button, AhQh", {CALL, FOLD}),
        (LIMIT, {CALL, RAISE, FOLD}),  # the words are those of games with bet sizes
    ],
)
def test_without_sizes_there_are_no_raises(text: str, kinds: set[int]) -> None:
    assert {a.kind for a in ask("mcts:simulations=50,actions=fold/call", text).actions} == kinds


def test_folding_is_worth_nothing_and_visits_add_up() -> None:
    advice = ask("mcts:simulations=500", "2 players, limit, button, 7c2d")
    by_kind = {a.kind: (v, n) for a, v, n in zip(advice.actions, advice.values, advice.visits, strict=True)}
    assert by_kind[FOLD][0] == 0.0
    assert sum(advice.visits) == 500
    assert list(advice.readings) == [0]
    assert advice.readings[0].hands == 50 * 49 // 2


def test_protocol_of_agents() -> None:
    report = check_agent("mcts:simulations=30", views=20)
    assert report.ok, report


@pytest.mark.parametrize(("game", "error"), [(Kuhn(), 0.006), (Leduc(), 0.1)])
def test_small_games_converge_to_the_best_response(game, error: float) -> None:
    for player in (0, 1):
        policies = [random_policy(Rng(7, player)) for _ in range(2)]
        exact, _ = best_response(game, policies, player)
        search = GameSearch(game, policies, player)
        away = []
        for point in (1_000, 30_000, 1_000_000):
            search.run(point - search.simulations, Rng(point))
            away.append((abs(search.value - exact), abs(search.line_value - exact)))
        assert search.simulations == 1_000_000
        # The mean over all simulations holds the losses of trying; the line that is visited most does not.
        assert away[2][1] < error
        assert away[2][0] < 0.1 * away[0][0]
        assert away[0][0] > away[1][0] > away[2][0]
        # Nobody does better than the best response but by luck.
        assert search.value < exact + error


@pytest.mark.parametrize("selection", ["uct", "ucb-tuned", "thompson"])
def test_searches_from_the_middle_read_the_opponent(selection: str) -> None:
    """With the king's caller known: a queen that checked and faces a bet wins what Bayes says."""
    game = Kuhn()
    # Bets the jack half the time and the king always after a check, never the queen.
    bets = {(1, 0, (0,)): 0.5, (1, 1, (0,)): 0.0, (1, 2, (0,)): 1.0}
    villain = TabularPolicy({k: (1 - b, b) for k, b in bets.items()})
    search = GameSearch(game, (villain, villain), 0, selection=selection, information=(0, 1, (0, 1)))
    search.run(200_000, Rng(3))
    # Jack 1/3, king 2/3: calling wins 2 or loses 2, folding loses 1.
    assert search.line_value == pytest.approx(max(-1.0, 2 / 3 - 4 / 3), abs=0.02)


@pytest.mark.parametrize(
    "spec",
    [
        GameSpec.no_limit(2),
        GameSpec.limit(3),
        GameSpec.limit(3, stack=(1000, 54, 83)),
        GameSpec.no_limit(3, stack=(1500, 4000, 9000)),
    ],
)
def test_what_is_faced_is_told_alike(spec: GameSpec) -> None:
    """By the search's kernel and by the model that it draws from."""
    rng, agent, seen = Rng(6), make_agent("random"), set()
    for k in range(60):
        state = HandState.deal(spec, rng, hand=k)
        while not state.finished:
            facing = int(facing_kernel(state.state, spec.array, np.int64(state.legal.to_call)))
            assert facing == facing_of(spots(state)[-1])
            seen.add(facing)
            state.apply(agent.act(state.view(state.actor), rng))
    assert len(seen) >= (4 if spec.betting == "limit" else 6)


def test_small_searches_that_make_no_sense() -> None:
    game, policies = Kuhn(), (random_policy(Rng(1)), random_policy(Rng(2)))
    for arguments, told in (
        ({"player": 2}, "player 2: kuhn_poker has 2"),
        ({"player": 0, "selection": "best"}, "selection='best': expected one of uct"),
        ({"player": 0, "information": "x"}, "never decides there"),
    ):
        with pytest.raises(DupaiError, match=told):
            GameSearch(game, policies, **arguments)


def screen(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(["advise", *arguments])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_advice_on_the_screen(capsys) -> None:
    text = "3 players, limit, button, AhQh; I raise to 200, sb folds, bb calls; flop 2h7dTh: bb bets 100"
    code, out, _ = screen(capsys, "--agent", "mcts:simulations=400", "--state", text)
    assert code == 0
    lines = out.splitlines()
    assert all(len(line) <= 80 for line in lines[1:])
    head = next(line for line in lines if "visits" in line and "worth, bb" in line)
    assert "action" in head
    assert any(line.strip().startswith("0.0%  fold") and line.endswith("+0.00") for line in lines)
    start = next(k for k, line in enumerate(lines) if line.startswith("seat 1, big blind:"))
    # A stranger may hold anything: every class that can be is as likely as any other.
    assert lines[start + 1].startswith("narrowed to about 1,081 of 1,081 hands; top: ")
    assert [line[2:5].strip() for line in lines[start + 2 : start + 15]][:3] == ["AA", "AKo", "AQo"]
    code, out, _ = screen(capsys, "--agent", "mcts:simulations=400", "--state", text, "--json")
    told = json.loads(out)
    assert sum(a["visits"] for a in told["actions"]) == 400
    assert sum(told["readings"]["1"]["classes"]) == pytest.approx(1)


@pytest.mark.parametrize(
    ("agent", "state", "told"),
    [
        ("mcts", "MATCHSTATE:1:0:cr250:|As", "As"),
        ("mcts", "MATCHSTATE:1:0:ffff:|AsKd", "ffff"),
        ("mcts:actions=fold/pot", "2 players, button, AsKd", "actions='fold/pot' has no call"),
        ("mcts:ms=0", "2 players, button, AsKd", "ms=0: expected a time above 0"),
        ("mcts:actions=call/0", "2 players, button, AsKd", "a raise of 0 pots"),
    ],
)
def test_bad_input_is_one_line(capsys, agent: str, state: str, told: str) -> None:
    code, out, err = screen(capsys, "--agent", agent, "--state", state)
    assert code == 2
    assert out == ""
    assert told in err
    assert len(err.strip().splitlines()) == 1


def prepared(spec: str, text: str, learn: int = 0):
    """An agent that has seen some hands, the view, and the plan of its search."""
    agent = make_agent(spec)
    view = view_from_text(text)
    sit_down(agent, view)
    rng, other = Rng(4), make_agent("style:LA")
    for hand in range(learn):
        state = HandState.deal(view.spec, rng, hand=hand, seats=view.seats)
        while not state.finished:
            state.apply(other.act(state.view(state.actor), rng))
        agent.observe(state.record())
    agent.find(view, Rng(0))
    return agent, view


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ("", "2 players, limit, button, AhQh"),
        (
            "reader=uniform,selection=uct,opponents=random,determinise=leaf,chance=cards,playout=random",
            "2 players, limit",
        ),
        ("selection=uct,c=0.5,backup=children", "2 players, limit"),
        ("selection=thompson,classes=3,expand=3", "3 players, limit, button, 9h9d; folds to me"),
        ("chance=cards,widening=0.3", "3 players, limit, bb, 9h9d; btn calls, sb calls, I check; flop 2h7dTh: sb bets"),
        (
            "selection=uct,opponents=random",
            "2 players, button, 8h7h; I raise to 250, bb calls; flop 2h7dTh: bb bets 300",
        ),
        ("", "2 players, button, 8h7h; I raise to 250, bb calls; flop 2h7dTh: bb bets 300"),
        ("actions=call/pot/all-in", "2 players, stacks 600, button, 8h7h"),
        ("opponents=random", "2 players, stacks 600, bb, 8h7h; sb raises to 300"),
        ("actions=call/pot/all-in", "4 players, stacks 1500, button, 8h7h; utg raises to 300"),
    ],
)
def test_the_tree_is_that_of_the_naive_twin(options: str, text: str) -> None:
    if text == "2 players, limit":
        text = "2 players, limit, bb, KsJs; btn raises to 200"
    text = text.replace("btn", "button") if "3 players" in text else text.replace("btn", "sb")
    count = 150
    agent, view = prepared(f"mcts:simulations={count},reuse=off" + (f",{options}" if options else ""), text, learn=20)
    found = agent.find(view, Rng(9))
    search = agent._search
    twin = NaiveSearch(view, search._plan, agent._settings, agent._model.hand_buckets(()), Rng(9))
    twin.run(count)
    children = sorted(twin.root.children, key=lambda c: c.key)
    assert [c.visits for c in children] == found.visits.tolist()
    assert [c.action for c in children] == list(found.actions)
    values = np.array([c.value for c in children]) / np.array([c.visits for c in children])[:, None]
    assert values == pytest.approx(found.values, abs=1e-9)
    assert values.sum() == pytest.approx(0.0, abs=1e-9)

    def count_nodes(node) -> int:
        return 1 + sum(map(count_nodes, node.children))

    assert count_nodes(twin.root) == found.nodes


@pytest.mark.parametrize("hole", ["AhQh", "4c3c"])
def test_on_the_river_it_finds_the_exact_best_response(hole: str) -> None:
    text = f"2 players, limit, bb, {hole}; sb calls, I check; flop 2h7dTh: I check, sb bets, I call; turn 5s: I check,"
    agent, view = prepared("mcts:simulations=100000,reuse=off", f"{text} sb checks; river Kc", learn=60)
    assert view.actor == view.position
    held = agent.readings(view)[view.seats[1 - view.actor]].p
    table = agent._model.table(view.seats[1 - view.actor])[3]
    exact = exact_river(view, held, (table, agent._model.hand_buckets(tuple(view.board))))
    found = agent.find(view, Rng(2))
    best = int(np.argmax(found.visits))
    worth = found.values[best, view.actor] + view.contributions[view.actor] / view.spec.big_blind
    # Our later decisions are tried out, too, so a little is lost.
    assert exact - 0.1 - 3 * found.errors[best] < worth < exact + 4 * found.errors[best]


def test_cards_that_opponents_share_count_once() -> None:
    """The draws see to it that no two opponents hold the same card, so the readings must not."""
    view = view_from_text("3 players, button, JsJd; I raise to 300, sb raises to 900, bb raises to 2700")
    for reader in ("start-table", "bucket:window=200"):
        agent = make_agent(f'mcts:reader="{reader}"')
        plain = load_reader(f"{reader}{',' if ':' in reader else ':'}joint=off").read(view)
        assert {s: r.p.tolist() for s, r in agent.readings(view).items()} == {s: r.p.tolist() for s, r in plain.items()}


def test_hands_are_drawn_as_they_are_read_and_never_clash() -> None:
    agent, view = prepared("mcts:simulations=10", "3 players, limit, button, AhQh; folds to me")
    plan, work = agent._search._plan, new_work()
    seen = seen_mask_kernel(plan)
    rng, drawn = Rng(5), []
    wanted = np.where(np.arange(1326) % 3 == 0, agent.readings(view)[0].p, 0.0)
    alias_kernel(wanted, plan.chance[0], plan.other[0])
    for _ in range(1500):
        deal_kernel(plan, work, seen, rng.state)
        open_kernel(work, 5, rng.state)
        hand = work.s[0]
        cards = [*hand["hole"][:3].ravel().tolist(), *hand["board"].tolist()]
        assert len(set(cards)) == 11
        assert max(cards) < 52
        drawn.append(int(work.combo[0]))
    counts = np.bincount(drawn, minlength=1326)
    assert not counts[wanted == 0].any()
    expected = 1500 * wanted / wanted.sum()
    some = expected > 0
    # The other player's cards take hands out almost evenly.
    chi = ((counts[some] - expected[some]) ** 2 / expected[some]).sum() / some.sum()
    assert 0.7 < chi < 1.3


def test_the_tree_is_kept_within_a_hand_and_bounded() -> None:
    text = "2 players, limit, button, AhQh"
    for extra, kept in (("", True), (",reuse=off", False)):
        agent = make_agent(f"mcts:simulations=2000{extra}")
        view = view_from_text(text)
        sit_down(agent, view)
        agent.find(view, Rng(1))
        later = view_from_text(f"{text}; I call, bb raises to 200")
        found = agent.find(later, Rng(1))
        assert (found.reused > 0) == kept
        # The first visit of a node that is kept ended there.
        assert found.visits.sum() == 2000 + max(found.reused - 1, 0)
    small = make_agent("mcts:simulations=5000,memory=0.05")
    view = view_from_text(text)
    sit_down(small, view)
    found = small.find(view, Rng(1))
    assert found.nodes <= 0.05 * 2**20 / node_bytes(2)
    assert found.visits.sum() == 5000


@pytest.mark.parametrize("leaf", ["play", "strength", "potential", "effective"])
def test_leaves_are_judged_four_ways(leaf: str) -> None:
    found = ask(
        f"mcts:simulations=600,leaf={leaf}",
        "2 players, limit, button, AhAd; I raise to 200, bb calls; flop AcKd2s: bb checks",
    )
    assert sum(found.visits) == 600
    # A set of aces is ahead of everything.
    assert min(v for a, v in zip(found.actions, found.values, strict=True) if a.kind != FOLD) > 200


@pytest.mark.parametrize("ante", [0, 100, (100, 0, 300)])
def test_a_hand_that_is_cut_off_pays_as_the_rules_do(ante: int | tuple[int, ...]) -> None:
    """On the river with nothing to call: the best hand now is the best at the showdown, with short antes and side
    pots."""
    rng, other, short = Rng(8), make_agent("random"), 0
    spec = GameSpec.no_limit(3, ante=ante)
    agent = make_agent("mcts:leaf=strength,simulations=1")
    for k in range(400):
        stacks = [(10, 60, 400, 20000)[rng.below(4)] for _ in range(3)]
        state = HandState.deal(spec, rng, hand=k, stacks=stacks)
        while not state.finished and not (state.street == 3 and state.legal.to_call == 0):
            state.apply(Action.call() if rng.below(2) else other.act(state.view(state.actor), rng))
        if state.finished:
            continue
        view = state.view(state.actor)
        sit_down(agent, view)
        agent.find(view, Rng(1))
        work = new_work()
        work.s[0] = state.state[0]
        work.combo[:3] = [combo(*two) for two in state.hole]
        _judge(agent._search._plan, work)
        short += any(a < b for a, b in zip(state.antes, spec.antes, strict=True))
        while not state.finished:
            state.apply(Action.call())
        assert work.won[:3] == pytest.approx([p / spec.split for p in state.payoffs.tolist()], abs=1)
    assert short >= (10 if ante else 0)


@pytest.mark.parametrize("players", [2, 3, 6, 10])
@pytest.mark.parametrize("betting", ["", "limit, "])
def test_any_table(players: int, betting: str) -> None:
    found = ask(
        "mcts:simulations=300",
        f"{players} players, {betting}bb, AhQh; folds to sb, sb calls"
        if players > 2
        else f"2 players, {betting}bb, AhQh; sb calls",
    )
    assert sum(found.visits) == 300
    assert {a.kind for a in found.actions} >= {CALL, RAISE}


@pytest.mark.parametrize("reader", ["uniform", "start-table", "fold", "markov", "bucket"])
def test_every_reader_can_be_used(reader: str) -> None:
    found = ask(f"mcts:simulations=100,reader={reader}", "3 players, button, AhQh; folds to me")
    assert sorted(found.readings) == [0, 1]
    assert sum(found.visits) == 100


def test_by_the_clock() -> None:
    agent = make_agent("mcts:ms=20")
    view = view_from_text(LIMIT)
    sit_down(agent, view)
    found = agent.find(view, Rng(1))
    assert found.simulations == found.visits.sum() > 0


def test_what_was_learned_can_be_kept() -> None:
    agent, view = prepared("mcts:simulations=50", LIMIT, learn=30)
    again = make_agent("mcts:simulations=50")
    sit_down(again, view)
    again.load(agent.save())
    assert again._model.hands(0) == 30
    assert again.find(view, Rng(3)).visits.tolist() == agent.find(view, Rng(3)).visits.tolist()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ("", LIMIT),
        ("", "3 players, limit, button, 9h9d; folds to me"),
        ("opponents=random,determinise=leaf,chance=cards,playout=random,selection=uct,c=1,reader=uniform", LIMIT),
        ("choose=visits", "2 players, button, 8h7h; I raise to 250, bb calls; flop 2h7dTh: bb bets 300"),
        ("", "2 players, limit, bb, 7c2d; sb raises to 200"),
    ],
)
def test_a_search_that_ends_when_it_is_sure_chooses_the_same(options: str, text: str) -> None:
    spec = "mcts:simulations=3000" + (f",{options}" if options else "")
    view = view_from_text(text)
    agents = [make_agent(s) for s in (spec, f"{spec},stop=sure")]
    for agent in agents:
        sit_down(agent, view)
    fewer = 0
    for seed in range(6):
        for agent in agents:
            agent._searching.forget()
        full, short = (agent.find(view, Rng(seed)) for agent in agents)
        assert int(np.argmax(full.visits)) == int(np.argmax(short.visits))
        assert full.simulations == 3000
        assert short.visits.sum() == short.simulations
        fewer += short.simulations < 3000
        if short.simulations < 3000:
            left = 3000 - short.simulations
            assert left % 32 == 0
            first, second = sorted(short.visits, reverse=True)[:2]
            assert second + left < first <= second + left + 64
    assert fewer


def test_what_is_chosen() -> None:
    """In limit games the most visited action; without limit the one whose mean is largest after its error is taken off,
    as an all-in is visited most only because its results scatter most."""
    for text, choose, wanted in (
        (LIMIT, "auto", True),
        (LIMIT, "bound", False),
        ("2 players, button, 7c2d", "auto", False),
        ("2 players, button, 7c2d", "visits", True),
    ):
        agent, view = make_agent(f"mcts:simulations=400,reuse=off,choose={choose}"), view_from_text(text)
        sit_down(agent, view)
        found = agent.find(view, Rng(1))
        visits, mean = found.visits, found.values[:, view.actor]
        pot = max(view.pot + view.legal.to_call, 200) / 100
        away = [math.sqrt((e * e * n + pot * pot / n) / (n + 1)) for e, n in zip(found.errors, visits, strict=True)]
        bound = [m - a for m, a in zip(mean, away, strict=True)]
        best = int(np.argmax(visits if wanted else bound))
        assert agent.act(view, Rng(1)) == found.actions[best]
        advice = advise(agent, view, Rng(1))
        assert advice.probabilities[best] == 1.0
        assert advice.reasons[0].code == ("tried_most" if wanted else "best_sure")


def test_an_answer_to_an_all_in_is_weighed() -> None:
    """On the river, facing our shove, nothing but the opponent's hand is drawn: the mean of what it does, by the model,
    and what that wins."""
    text = "2 players, stacks 1000, bb, AhQh; sb calls, I check; flop 2h7dTh: I check, sb checks; turn 5s: I check,"
    agent, view = prepared(
        "mcts:simulations=40000,reuse=off,actions=fold/call/all-in,reader=uniform", f"{text} sb checks; river Kc"
    )
    found = agent.find(view, Rng(3))
    k = next(i for i, a in enumerate(found.actions) if a.kind == RAISE)
    them = 1 - view.actor
    facing = PRICED + naive_price(900, 1100, 1, 3)
    buckets = agent._model.hand_buckets(tuple(view.board))
    folds = agent._model.table(view.seats[them])[3, facing, :, 0]
    held = np.flatnonzero(legal_hands(view, them))
    ours = strength(cards_text((*view.hole, *view.board)))
    worth = []
    for i in held:
        theirs = strength(cards_text((*COMBO_CARDS[i].tolist(), *view.board)))
        showdown = 10.0 if ours > theirs else -10.0 if ours < theirs else 0.0
        fold = folds[buckets[i]]
        worth.append(fold * 1.0 + (1 - fold) * showdown)
    assert found.values[k, view.actor] == pytest.approx(np.mean(worth), abs=4 * found.errors[k])
    assert found.errors[k] < 0.1


def test_how_far_a_search_goes_does_not_depend_on_its_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    view, found = view_from_text(LIMIT), []
    for slice_ in (0.05, 1e-7):
        monkeypatch.setattr("dupai.agents._mcts._search._SLICE", slice_)
        agent = make_agent("mcts:simulations=3000,stop=sure")
        sit_down(agent, view)
        found.append(agent.find(view, Rng(8)))
    assert found[0].simulations == found[1].simulations < 3000
    assert found[0].visits.tolist() == found[1].visits.tolist()


def test_being_sure_is_told_as_by_trying() -> None:
    """As if all simulations that are left went to any one other action, there or not yet."""
    rng = np.random.default_rng(2)
    for _ in range(300):
        visits = rng.integers(1, 12, rng.integers(1, 5)).tolist()
        left = int(rng.integers(0, 10))
        tree = new_tree(8, 2)
        begin_kernel(tree, np.int64(DECISION))
        for key, count in enumerate(visits):
            tree.visits[add_kernel(tree, np.int64(0), np.int64(DECISION), np.int64(key), np.int64(0))] = count
        best = int(np.argmax(visits))
        ends = [[n + left * (k == i) for k, n in enumerate([*visits, 0])] for i in range(len(visits) + 1) if i != best]
        wanted = all(end[best] > max(n for k, n in enumerate(end) if k != best) for end in ends)
        assert bool(sure_kernel(tree, np.int64(left))) == wanted
