"""The agent ``equilibrium``: legal play, agreement with the solver, tracked ranges, nested bets, fallback."""

import re

import numpy as np
import pytest

from dupai.agents import HasActionModel, HasHandPolicy, HasNotes, MatchInfo, make_agent
from dupai.agents._equilibrium._model import _view
from dupai.arena import play_match
from dupai.base import ConfigError, Rng, TooLarge
from dupai.cards import CLASS_SIZE, COMBO_INDEX
from dupai.cfr import SolveSpot, push_fold_table, solve_spot
from dupai.cfr.postflop import SpotMove, StreetSolution, StreetState
from dupai.notation import Reason, reason_words, view_from_text
from dupai.ranges import Range
from dupai.reading import Filter, load_reader
from dupai.rules import Action, GameSpec, HandState, load_game
from dupai.spots import spots

C = Action.call()
QUICK = "equilibrium:turn=8,river=24"


def _spec(players=2, stack=20000):
    return GameSpec.no_limit(players, (50, 100), stack, odd_chips="acpc", min_raise="acpc")


def _agent(text=QUICK, spec=None):
    agent = make_agent(text)
    agent.start(MatchInfo(spec=spec or _spec(), seat=0, names=("a",) * (spec or _spec()).players))
    return agent


def _river(actions=(C,) * 6, seed=3, spec=None, to=()):
    state = HandState.deal(spec or _spec(), Rng(seed))
    for action in (*actions, *to):
        state.apply(action)
    return state


def test_each_match_has_its_own_clock():
    agent = make_agent(QUICK)
    clocks = []
    for seconds in (1.0, 10.0, None):
        agent.start(MatchInfo(spec=_spec(), seat=0, names=("a", "b"), seconds_per_action=seconds))
        clocks.append(agent._options.seconds)
    assert clocks[2] is None and clocks[1][0] == pytest.approx(10 * clocks[0][0])


def test_a_river_is_what_the_solver_says():
    agent = _agent("equilibrium:resolve=river,river=1600,safe=off")
    state = _river()
    view = state.view(state.actor)
    policy = agent.hand_policy(view).checked()
    public = agent.tracker.state(view)
    spot = public.street.solution.spot
    # the same spot by the solver itself, to a small exploitability
    solver = solve_spot(spot, target=0.001, max_iterations=4000)
    own = public.street.solution.solver
    # mixes of equal worth differ; what both players win, and what the mixes lose at most, do not
    assert own.evs() == pytest.approx(solver.evs(), abs=0.005 * spot.pot)
    assert own.exploitability() < 0.01 * spot.pot
    assert policy.chances[:, own.hands[0]] == pytest.approx(own.strategy(own.place("")), abs=1e-6)
    assert spot.pot == view.pot


def test_a_few_solutions_are_kept_and_the_others_found_again(monkeypatch):
    """Those of a turn take tens of MB: a long match would fill the memory."""
    solved = []

    def solution(*args, **options):
        solved.append(StreetSolution(*args, **options))
        return solved[-1]

    monkeypatch.setattr("dupai.agents._equilibrium._tracker.MAX_SOLUTIONS", 2)
    monkeypatch.setattr("dupai.agents._equilibrium._tracker.StreetSolution", solution)
    agent = _agent("equilibrium:resolve=river,river=24")
    views = [state.view(state.actor) for state in (_river(seed=seed) for seed in range(5))]
    played = [agent.hand_policy(view).chances for view in views]
    kept = {id(s.street.solution) for s in agent.tracker._states.values() if s.street is not None}
    assert len(kept) == 2
    assert (agent.hand_policy(views[4]).chances == played[4]).all()
    assert len(solved) == 5
    assert (agent.hand_policy(views[0]).chances == played[0]).all()
    assert len(solved) == 6


def test_ranges_follow_what_is_played():
    agent = _agent("equilibrium:resolve=off")
    state = _river()
    view = state.view(state.actor)
    before = agent.tracker.state(view)
    policy = before.policy
    action = next(a for a in policy.actions if a.kind == 2)
    state.apply(action)
    after = agent.tracker.state(state.view(state.actor))
    me = view.actor
    expected = before.ranges[me] * (0.998 * policy.likelihood(action) + 0.002)
    assert after.ranges[me] == pytest.approx(expected / expected.max())
    assert after.ranges[1 - me] == pytest.approx(before.ranges[1 - me])


def test_a_bet_that_the_tree_lacks_is_solved_from_there():
    agent = _agent()
    state = _river(to=(Action.raise_to(100 + 137),))
    view = state.view(state.actor)
    policy = agent.policy(view)
    street = agent.tracker.state(view).street
    assert street.solution.state.bet == (137, 0)
    assert street.solution.safe
    assert Action.fold() in agent.hand_policy(view).actions
    assert sum(p for _, p in policy.points) == pytest.approx(1)
    assert not agent.tracker.state(view).fallbacks


@pytest.mark.parametrize(("players", "stack"), [(2, 20000), (2, 1300), (3, 6000), (6, 10000)])
def test_every_action_is_legal(players, stack):
    spec = _spec(players, stack)
    agent, other = _agent("equilibrium:turn=4,river=8", spec), make_agent("random")
    for hand in range(12):
        rng = Rng(5, hand)
        stacks = [int(stack * (0.3 + rng.uniform())) for _ in range(players)] if hand % 3 == 0 else None
        state = HandState.deal(spec, rng, stacks=stacks)
        while state.actor >= 0:
            view = state.view(state.actor)
            if state.actor == hand % players:
                policy = agent.policy(view).checked()
                assert all(action in view.legal for action, _ in policy.points)
                action = policy.sample(rng)
            else:
                action = other.act(view, rng)
            state.apply(action)


def test_short_stacks_play_the_push_fold_table():
    spec = _spec(2, 1000)
    agent = _agent(QUICK, spec)
    state = HandState.deal(spec, Rng(1))
    policy = agent.hand_policy(state.view(state.actor))
    table = push_fold_table(10.0)
    aces, weak = COMBO_INDEX[12, 25], COMBO_INDEX[0, 18]
    assert policy.likelihood(Action.raise_to(1000))[aces] == pytest.approx(table.push[0]) == pytest.approx(1)
    assert policy.likelihood(Action.raise_to(1000))[weak] < 0.5


def test_two_left_of_three_are_solved_with_the_folded_money():
    spec = _spec(3)
    agent = _agent(QUICK, spec)
    state = HandState.deal(spec, Rng(2))
    # the button folds to a raise after the blinds have called it on the flop
    for action in (C, C, C, Action.raise_to(300), C, Action.fold()):
        state.apply(action)
    view = state.view(state.actor)
    assert view.street == 2
    agent.policy(view)
    street = agent.tracker.state(view).street
    assert street.solution.spot.pot == view.pot == 700


def test_advice_has_values_and_readings():
    agent = _agent()
    state = _river()
    advice = agent.advise(state.view(state.actor), Rng(1))
    assert advice.values is not None
    assert len(advice.values) == len(advice.actions)
    assert list(advice.readings) == [1 - state.actor]
    assert reason_words(advice.reasons[0]).startswith("Solved the river")


#: An own hand that the play so far leaves almost no weight, in a state with its answer: by the range that is read.
UNHELD = [
    ("equilibrium:resolve=river", "MATCHSTATE:0:0:r300c/r600c/r1200c/cr3600:Td5h|/ThKh2h/Jc/Ks", Action.fold()),
    ("equilibrium:resolve=river", "MATCHSTATE:1:0:cc/cr500c/r1000c/c:|3c3s/6h2d6s/6c/6d", Action.raise_to(2500)),
    ("equilibrium", "MATCHSTATE:0:0:r300r900c/cc/r1800r5400c/r8964r20000:AsAh|/3d2s2d/Jh/7d", C),
]


@pytest.mark.parametrize(("text", "state", "best"), UNHELD)
def test_a_hand_that_it_cannot_hold_takes_its_best_action(text, state, best):
    """A safe solution gave it no thought: all-in for -428 and -1,205 chips, a fold of what is worth +5,014."""
    view = view_from_text(state, load_game("holdem.nolimit.2p"))
    advice = make_agent(text).advise(view, Rng(1))
    assert advice.actions == (best,)
    assert advice.values[0] >= -0.01
    assert "values_unheld" in [reason.code for reason in advice.reasons]


def test_values_agree_with_the_play_that_they_stand_beside():
    view = view_from_text("MATCHSTATE:1:0:cc/cr500c/r1000c/c:|9s2s/6h2d6s/6c/6d", load_game("holdem.nolimit.2p"))
    agent = make_agent("equilibrium:resolve=river")
    state, spot = agent.tracker.state(view), spots(view)[-1]
    own, chances = state.ranges[view.actor], state.street.policy(spot).chances
    lost = []
    for as_solved in (True, False):
        values = np.array(list(state.street.values(spot, as_solved=as_solved).values()))[:, own > 0]
        lost.append((values.max(axis=0) - (chances[:, own > 0] * values).sum(axis=0)) @ own[own > 0] / own.sum())
    # by the range alone it gives away a twentieth of the pot, and by the opponent of the solution next to nothing
    assert lost[0] < 0.005 * view.pot < 0.02 * view.pot < lost[1]
    advice = agent.advise(view, Rng(1))
    likely = np.array(advice.probabilities) > 0.1
    assert max(advice.values) - min(np.array(advice.values)[likely]) < 0.02 * view.pot
    assert "values_as_solved" in [reason.code for reason in advice.reasons]


def test_it_reads():
    agent = _agent()
    assert isinstance(agent, HasActionModel)
    assert isinstance(agent, HasHandPolicy)
    state = _river(to=(Action.raise_to(100 + 150),))
    reading = Filter(agent.model).read(state.view(state.actor))
    assert list(reading) == [1 - state.actor]
    spot = spots(state.view(state.actor))[-1]
    probs = agent.model.probs(spot)
    assert probs.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert (probs[:, ~agent.model.menu(spot).legal(spot)] == 0).all()


def _fails(monkeypatch, error):
    def fails(*args, **options):
        raise error

    monkeypatch.setattr("dupai.agents._equilibrium._tracker.StreetSolution", fails)


def test_a_street_that_is_too_large_falls_back_and_is_noted_once_a_decision(monkeypatch):
    _fails(monkeypatch, TooLarge("no memory"))
    agent = _agent()
    state = _river()
    view = state.view(state.actor)
    assert agent.policy(view).checked()
    assert not agent.notes.counts
    for _ in range(2):
        agent.act(view, Rng(1))
    assert agent.notes.counts == {"street_too_large": 2}
    assert agent.notes.last["street_too_large"].values == {"street": "river"}
    assert "The river is too large to solve" in map(reason_words, agent.advise(view, Rng(1)).reasons)


@pytest.mark.parametrize("text", ["equilibrium:blueprint=stand-in", "dupai:risk=0"])
@pytest.mark.parametrize("error", [ValueError("operands could not be broadcast"), MemoryError(), FloatingPointError(),
                                   ConfigError("unknown method")])  # fmt: skip
def test_a_solution_that_fails_is_a_fault_of_the_match(monkeypatch, text, error):
    _fails(monkeypatch, error)
    result = play_match([text, "caller"], hands=4, seed=1)
    assert result.players[0].faults > 0
    kind, words = re.escape(type(error).__name__), re.escape(str(error))
    # An error of dupai's own names no line of code.
    place = rf"{kind}(?: at test_equilibrium_internals\.py:\d+)?: {words}"
    assert all(re.fullmatch(place, fault.error) for fault in result.faults)


def test_a_bet_that_the_blueprint_lacks_is_noted():
    spec = _spec(2, 10_000)
    state = HandState(spec, hole=["AhQd", "7c2h"], board="KsTd8h3c2s")
    state.apply(Action.raise_to(1500))
    agent, view = _agent("equilibrium", spec), state.view(state.actor)
    agent.act(view, Rng(1))
    assert agent.notes.counts == {"stand_in_no_such_bet": 1}
    assert isinstance(agent, HasNotes)
    both = make_agent("dupai:risk=0")
    both.start(MatchInfo(spec=spec, seat=0, names=("a", "b")))
    both.act(view, Rng(1))
    assert both.notes.counts == {"stand_in_no_such_bet": 1}


def test_a_clock_of_a_millisecond_is_kept():
    agent = _agent("equilibrium:ms=1")
    state = _river()
    agent.policy(state.view(state.actor)).checked()
    assert agent.tracker.state(state.view(state.actor)).street.solution.solver.iterations <= 16
    with pytest.raises(ConfigError, match="above 0"):
        make_agent("equilibrium:ms=0")


def test_a_turn_is_solved_only_where_the_clock_leaves_time():
    state = _river((C,) * 4, spec=_spec(stack=10_000))
    view = state.view(state.actor)
    codes = []
    for text in ("ms=100", "ms=5000,turn=8"):
        agent = _agent(f"equilibrium:{text}", _spec(stack=10_000))
        agent.act(view, Rng(1))
        codes.append([reason.code for reason in agent.tracker.state(view).reasons])
        assert list(agent.notes.counts) == [code for code in codes[-1] if code == "clock_too_short"]
    assert codes == [["blueprint", "clock_too_short"], ["solved_safe"]]


def _covered(stacks, to, spec=None):
    """A turn, checked to it, on which the button bets ``to`` of the hand; big blind's decision."""
    state = HandState(spec or _spec(), hole=["AhQd", "7c2h"], board="KsTd8h3c2s", stacks=stacks)
    for action in (*(C,) * 5, Action.raise_to(to)):
        state.apply(action)
    return state.view(state.actor)


def test_chips_that_the_other_cannot_match_are_no_part_of_the_pot():
    played = []
    for stacks, to in (((600, 600), 600), ((600, 3000), 3000), ((600, 3000), 600)):
        agent = _agent("equilibrium:turn=16,blueprint=stand-in,safe=off")
        played.append(agent.hand_policy(_covered(stacks, to)).chances)
        street = agent.tracker.state(_covered(stacks, to)).street
        assert (street.solution.spot.pot, street.solution.spot.stack) == (200, 500)
    # The stand-in before the turn sees other stacks, so the ranges differ a little.
    assert np.abs(played[0] - played[1]).mean() < 0.05
    assert np.abs(played[1] - played[2]).mean() < 0.05


def test_a_turn_on_which_only_an_all_in_is_left_is_solved_safely():
    """Its tree has no river: a pass with values of the opponent, or for values, looked for one."""
    spot = SolveSpot.from_dict({"board": "KsTd8h3c", "oop": "22+", "ip": "22+", "pot": 200, "stack": 100})
    solution = StreetSolution(spot, StreetState(1, (100, 0), 1), resolver=1, values=np.zeros(1326), iterations=24)
    assert solution.safe
    fold, call = solution.action_values(solution.place(()), as_solved=True)
    aces = int(COMBO_INDEX[51, 38])
    assert fold[aces] == pytest.approx(-100) and call[aces] > 0


def test_a_street_solved_between_other_ranges_counts_no_more_than_is_matched():
    for stacks, to in (((600, 600), 600), ((600, 3000), 3000)):
        tracker = _agent(QUICK).tracker
        street, policy = tracker.solved_between(_covered(stacks, to).public(), np.ones((2, 1326)))
        assert (street.solution.spot.pot, street.solution.spot.stack) == (200, 500)
        assert [action.kind for action in policy.actions] == [Action.fold().kind, C.kind]
        forest = street.solution.solver.levels[0].forest
        assert forest.paid[forest.children(forest.roots[0])[1]] == (500, 500)


@pytest.mark.parametrize(("big", "table"), [(2000, "blueprint"), (1000, "push_fold")])
def test_a_raise_that_takes_all_of_the_others_chips_is_an_all_in(big, table):
    policies = []
    for to in (20_000, 5 * big):
        state = HandState(_spec(), hole=["AhQd", "7c2h"], board="KsTd8h3c2s", stacks=(big, 20_000))
        state.apply(Action.raise_to(to))
        agent = _agent("equilibrium:resolve=off")
        view = state.view(state.actor)
        policies.append(agent.hand_policy(view).chances)
        assert agent.reasons(view) == (Reason(table),)
    assert np.array_equal(*policies)


def test_push_and_fold_count_the_antes():
    spec = GameSpec.no_limit(2, (50, 100), 1000, ante=25, odd_chips="acpc", min_raise="acpc")
    state = HandState(spec, hole=["AhQd", "7c2h"])
    policy = _agent("equilibrium:resolve=off", spec).hand_policy(state.view(state.actor))
    shares = push_fold_table(10, 0.25).push
    assert policy.chances[0].mean() == pytest.approx(float(shares @ CLASS_SIZE) / 1326, abs=1e-6)


def test_without_blinds_the_stand_in_plays():
    spec = GameSpec(players=2, betting="no-limit", blinds=(0, 0), stacks=(1000, 1000), antes=(10, 10))
    state = HandState(spec, hole=["AhQd", "7c2h"])
    agent = _agent("equilibrium:resolve=off", spec)
    assert Reason("stand_in_game_not_covered") in agent.reasons(state.view(state.actor))


@pytest.mark.parametrize(
    ("blinds", "antes", "plays"),
    [((100, 50), (25, 25), True), ((100, 50), (25, 50), False), ((100, 10), (0, 0), False), ((100, 1), (0, 0), False),
     ((100, 90), (0, 0), False), ((100, 100), (0, 0), False)],
)  # fmt: skip
def test_push_and_fold_are_of_half_a_big_blind_and_equal_antes(blinds, antes, plays):
    spec = GameSpec(players=2, betting="no-limit", blinds=blinds, stacks=(1000, 1000), antes=antes)
    agent = _agent("equilibrium:resolve=off", spec)
    state = HandState(spec, hole=["AhQd", "7c2h"])
    reasons = [agent.reasons(state.view(state.actor))[0]]
    state.apply(Action.raise_to(state.legal.max_to))
    reasons.append(agent.reasons(state.view(state.actor))[0])
    assert [reason.code == "push_fold" for reason in reasons] == [plays, plays]


def test_the_reader_knows_antes_and_short_stacks():
    spec = GameSpec.no_limit(3, (50, 100), 2000, ante=25)
    state = HandState(spec, hole=["AhQd", "7c2h", "KdKh"], board="KsTd8h3c2s")
    state.apply(Action.raise_to(state.legal.max_to))
    state.apply(C)
    assert load_reader("equilibrium:resolve=off,blueprint=stand-in").read(state.view(state.actor))
    state = HandState(_spec(stack=2000), hole=["AhQd", "7c2h"], stacks=(300, 2000))
    state.apply(Action.raise_to(2000))
    view = state.view(state.actor)
    mine = load_reader("equilibrium:resolve=off,uniform=0").read(view)[view.seats[1]]
    theirs = _agent("equilibrium:resolve=off", _spec(stack=2000)).readings(view)[view.seats[1]]
    assert np.abs(mine.p - theirs.p).sum() < 0.1


def _spot():
    board = "AsKd7h2c9d"
    sizes = {"bet": "75%", "raise": "75%, a"}
    return SolveSpot.from_dict(
        {"board": board, "oop": "22+, A2s+, KTo+", "ip": "22+, A2s+, JTs, QJo", "pot": 100, "stack": 300,
         "sizes": sizes, "raise_cap": 2}
    )  # fmt: skip


def test_nested_solving_is_safe():
    spot = _spot()
    first = StreetSolution(spot, iterations=400)
    root = first.place(())
    values = first.values(root, 0, respond=True)
    bet = first.place((SpotMove("bet", 75),))
    assert first.player(bet) == 1
    # the same bet again, from there: the bettor's hands win no more than they had before
    again = StreetSolution(spot, StreetState(1, (75, 0), 1), resolver=1, values=values, iterations=800)
    assert again.safe
    best = again.values(again.place(()), 0, respond=True)
    weights = first.solver.weights[0]
    gain = np.nanmax((best - values)[first.solver.hands[0]][weights > 0])
    assert gain < 0.05 * spot.pot
    assert first.place((SpotMove("bet", 33),)) is None
    assert Range("AA").combos == 6


@pytest.mark.parametrize("method", ["safe", "maxmargin", "weighted"])
def test_many_unlikely_hands_do_not_outweigh_a_narrow_range(method: str) -> None:
    """Hands that can keep their values must not make the play against the likely ones worse."""
    likely = np.asarray(Range("AA,99"), np.float32)
    spot = SolveSpot.from_dict(
        {
            "board": "Kh9c4d2s7h", "oop": Range(np.maximum(likely, 0.0005)), "pot": 100, "stack": 300,
            "ip": "22+,A2s+,KTs+,QTs+,JTs,T9s,98s,87s,A9o+,KTo+,QJo",
            "sizes": {"river": {"bet": "50%, 100%, a", "raise": "100%, a"}},
        }
    )  # fmt: skip
    first = StreetSolution(spot, iterations=300)
    values = first.values(first.place(()), 0, respond=True)
    again = StreetSolution(spot, resolver=1, values=values, method=method, iterations=300)
    more = again.values(again.place(()), 0, respond=True) - values
    weights = again.solver.weights[0] * again.solver.meets[0]
    assert weights @ more[again.solver.hands[0]] / weights.sum() < 1  # chips of a pot of 100


@pytest.mark.parametrize("stacks", [(20_000, 60, 20_000), (20_000, 1500, 20_000), (90, 20_000, 700), (40, 50, 20_000)])
def test_the_reader_judges_the_decision_that_was_made(stacks: tuple[int, ...]) -> None:
    """Also where a player with another stack than the game's has not acted, or never acts."""
    rng = Rng(3)
    for _ in range(20):
        state = HandState(GameSpec.no_limit(3), board="2c7dTh3s9d", stacks=stacks)
        views = []
        while state.actor >= 0:
            views.append(state.view(None))
            legal = state.legal
            choices = [Action.call()]
            if legal.can_raise:
                choices += [Action.raise_to(legal.min_to), Action.raise_to(legal.max_to)]
            if legal.fold:
                choices.append(Action.fold())
            state.apply(choices[rng.below(len(choices))])
        rebuilt = [_view(spot) for spot in spots(state) if spot.action is not None]
        for got, want in zip(rebuilt, views, strict=True):
            assert (got.street, got.actor, got.to_call, got.stacks) == (
                want.street,
                want.actor,
                want.to_call,
                want.stacks,
            )
            assert got.start_stacks == want.start_stacks
