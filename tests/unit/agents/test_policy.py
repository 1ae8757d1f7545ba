"""What the built-in agents do: tables, thresholds, sizes, personalities, and that acting is drawing from the policy."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from dupai.agents import make_agent, random_spots
from dupai.agents.rules import RulesAgent, Style
from dupai.base import AgentError, ConfigError, Rng
from dupai.notation import view_from_text
from dupai.rules import CALL, FOLD, RAISE, Action, GameSpec, HandState, View
from naive.agents_policy import rules_policy, style_policy

SPECS = (
    "caller",
    "raiser",
    "raiser:min",
    "raiser:random",
    "random",
    "fixed",
    "fixed:fold=0.3,split=0.9,free=play,size=max",
    "rules:deals=50",
    "rules:loose-aggressive,free=raise,size=random,deals=50",
    "rules:more=position,deals=50",
    "rules:more=implied,deals=50",
    "style:LA,deals=50",
    "style:TP,size=0.75,deals=50",
)


def _spot(pot: int, to_call: int, stack: int = 10_000, players: int = 2, blinds: str = "1/2") -> View:
    return view_from_text(
        f"hole=AsKd board=2c7dTh pot={pot} to_call={to_call} stack={stack} players={players} blinds={blinds}"
    )


# The paper's worked example --------------------------------------------------------------------------

_EXAMPLE = "hole=Ad2d board=QcKc2c pot=500 to_call=100 stack={stack} players={players} blinds={blinds}"


def test_the_papers_worked_example() -> None:
    view = view_from_text(_EXAMPLE.format(stack=100, players=3, blinds="50/100"))
    numbers = RulesAgent(deals=200_000).numbers(view)
    # The paper's 0.297 comes from some 1,000 deals, standard error 0.014.
    assert numbers["win_rate"] == pytest.approx(0.297, abs=3 * 0.0145)
    assert numbers["pot_odds"] == pytest.approx(0.1666, abs=1e-4)
    assert numbers["rate_of_return"] == pytest.approx(numbers["win_rate"] / (100 / 600))
    # Protection says fold, whatever the draw.
    assert RulesAgent().policy(view).probability(Action.fold()) == 1.0
    assert RulesAgent().policy_for(view, 0.297).fold == 1.0
    # Without protection it calls; nobody can raise with a stack of one call.
    assert RulesAgent(protect=False).policy(view).probability(Action.call()) == 1.0
    # The same spot with small blinds needs no protection.
    deep = view_from_text(_EXAMPLE.format(stack=1000, players=3, blinds="10/20"))
    policy = RulesAgent().policy(deep)
    assert (policy.fold, policy.call, policy.raising) == pytest.approx((0.0, 0.3, 0.7))


@pytest.mark.parametrize(("players", "rate"), [(2, 0.486), (3, 0.297), (4, 0.180)])
def test_its_hand_strengths(players: int, rate: float) -> None:
    view = view_from_text(_EXAMPLE.format(stack=1000, players=players, blinds="10/20"))
    # Three figures from 1,000 deals each: three standard errors of such a run.
    tolerance = 3 * math.sqrt(rate * (1 - rate) / 1000)
    assert RulesAgent(deals=100_000).win_rate(view) == pytest.approx(rate, abs=tolerance)


# The table -------------------------------------------------------------------------------------------

#: Rates of return just below and at each limit, with the chances of the paper.
_ROWS = [
    (0.0, (0.95, 0.0, 0.05)),
    (0.79, (0.95, 0.0, 0.05)),
    (0.81, (0.80, 0.05, 0.15)),
    (0.99, (0.80, 0.05, 0.15)),
    (1.0, (0.0, 0.60, 0.40)),
    (1.01, (0.0, 0.60, 0.40)),
    (1.29, (0.0, 0.60, 0.40)),
    (1.31, (0.0, 0.30, 0.70)),
    (5.0, (0.0, 0.30, 0.70)),
]


@pytest.mark.parametrize(("rr", "chances"), _ROWS)
def test_the_table_of_returns(rr: float, chances: tuple[float, float, float]) -> None:
    view = _spot(pot=800, to_call=200)  # pot odds 0.2
    policy = RulesAgent().policy_for(view, 0.2 * rr)
    assert (policy.fold, policy.call, policy.raising) == pytest.approx(chances)


def test_protection_begins_below_four_big_blinds_and_a_half() -> None:
    for stack, rate, fold in ((600, 0.49, 0.0), (599, 0.49, 1.0), (599, 0.5, 0.0), (599, 0.51, 0.0)):
        view = _spot(pot=2000, to_call=200, stack=stack, blinds="50/100")
        assert RulesAgent().policy_for(view, rate).fold == fold, (stack, rate)


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("hole=7s2d board=AcKdQh pot=600 to_call=300", 0),
        ("hole=AsKd board=2c7dTh pot=300 to_call=100", 3),
    ],
)
def test_frequencies_of_ten_thousand_decisions(text: str, row: int) -> None:
    view = view_from_text(text + " stack=5000 blinds=5/10")
    agent = make_agent("rules")
    policy = agent.policy(view).checked()  # type: ignore[attr-defined]
    expected = {FOLD: policy.fold, CALL: policy.call, RAISE: policy.raising}
    assert tuple(expected.values()) == pytest.approx(((0.95, 0.0, 0.05), (), (), (0.0, 0.3, 0.7))[row])
    rng = Rng(11, row)
    counts = Counter(agent.act(view, rng).kind for _ in range(10_000))
    for kind, p in expected.items():
        assert abs(counts[kind] / 10_000 - p) <= 4 * math.sqrt(p * (1 - p) / 10_000)


def test_rules_equal_the_plain_twin() -> None:
    rng = Rng(3)
    for _ in range(3000):
        to_call = rng.below(2) * (2 + rng.below(500))
        pot = to_call + 4 + rng.below(1000)
        stack = 1 + rng.below(600)
        view = _spot(pot, to_call, stack)
        rate = rng.uniform()
        tight, aggressive = rng.uniform() * 2 - 1, rng.uniform() * 2 - 1
        if rng.below(2):
            tight = aggressive = 0.0
        reserve, safe = float(rng.below(200)), rng.uniform()
        protect, as_bet = rng.below(2) == 1, rng.below(2) == 1
        agent = RulesAgent(
            tight=tight,
            aggressive=aggressive,
            protect=protect,
            reserve=reserve,
            safe=safe,
            free="bet" if as_bet else "raise",
        )
        legal = view.legal
        want = rules_policy(
            rate,
            legal.to_call,
            # Of a bet beyond the stack the rest cannot be won.
            view.pot - max(to_call - stack, 0),
            view.stacks[view.actor],
            legal.can_raise,
            view.spec.big_blind,
            tight=tight,
            aggressive=aggressive,
            reserve=reserve if protect else None,
            safe=safe,
            free_as_bet=as_bet,
        )
        got = agent.policy_for(view, rate).checked()
        assert (got.fold, got.call, got.raising) == pytest.approx(
            (want["fold"], want["call"], want["raise"]), abs=1e-12
        )


def test_a_free_call_is_never_folded() -> None:
    view = _spot(pot=100, to_call=0, stack=1, blinds="25/50")
    assert RulesAgent().policy_for(view, 0.01).fold == 0.0  # protection says fold
    for spec in SPECS:
        agent = make_agent(spec)
        rng = Rng(5)
        for _ in range(50):
            assert agent.act(view, rng).kind != FOLD


def test_a_free_call_counts_as_a_bet_unless_its_return_is_to_be_infinite() -> None:
    view = _spot(pot=100, to_call=0, blinds="25/50")
    literal = RulesAgent(free="raise").policy_for(view, 0.0)
    assert (literal.call, literal.raising) == pytest.approx((0.3, 0.7))
    # Big blind 50 into 100: pot odds 1/3; a win rate of 0.2 returns 0.6.
    as_bet = RulesAgent().policy_for(view, 0.2)
    assert (as_bet.call, as_bet.raising) == pytest.approx((0.95, 0.05))


def test_position_and_implied_odds_change_what_return_is_wanted() -> None:
    big = view_from_text("heads-up, big blind, 7h2d; button raises to 300, calls; flop Ks9d4c: checks, button bets 300")
    button = view_from_text("heads-up, button, 7h2d; raises to 300, bb calls; flop Ks9d4c: bb bets 300")
    for rate in (0.2, 0.3, 0.4, 0.6):
        for view, tight in ((button, -0.3), (big, 0.3)):
            assert RulesAgent(more="position").policy_for(view, rate) == RulesAgent(tight=tight).policy_for(view, rate)
        # More behind than the pot has: the pot of 900 counts as 1,125 for a price of 300.
        wanted = RulesAgent(tight=-math.log2(1425 / 1200)).policy_for(button, rate)
        assert RulesAgent(more="implied").policy_for(button, rate) == wanted


def test_a_predicted_win_rate_is_lower_than_that_against_any_hand() -> None:
    view = view_from_text("heads-up, button, 7h6h; raises to 300, bb raises to 1200, calls; flop AcKd4s: bb bets 1800")
    predicted, plain = RulesAgent(more="predict"), RulesAgent()
    assert predicted.win_rate(view) < plain.win_rate(view) - 0.05
    assert predicted.act(view, Rng(3)) == predicted.policy(view).sample(Rng(3))


# Personalities ---------------------------------------------------------------------------------------


def test_tight_folds_no_less_and_loose_no_more() -> None:
    rng = Rng(7)
    moved = 0
    for _ in range(500):
        view = _spot(pot=4 + 500 + rng.below(500), to_call=2 + rng.below(400))
        rate = rng.uniform()
        folds = [RulesAgent(tight=t).policy_for(view, rate).fold for t in (-1.0, -0.5, 0.0, 0.5, 1.0)]
        assert folds == sorted(folds)
        moved += folds[0] < folds[-1]
    assert moved > 100


def test_aggressive_raises_more_and_keeps_the_proportion_of_fold_and_call() -> None:
    rng = Rng(8)
    for _ in range(500):
        view = _spot(pot=4 + 500 + rng.below(500), to_call=2 + rng.below(400))
        rate = rng.uniform()
        policies = [RulesAgent(aggressive=a).policy_for(view, rate).checked() for a in (-1.0, -0.3, 0.0, 0.3, 1.0)]
        raises = [p.raising for p in policies]
        assert all(a < b for a, b in pairwise(raises))
        base = policies[2]
        for p in policies:
            assert p.fold * base.call == pytest.approx(p.call * base.fold, abs=1e-12)
            assert (p.raising / (1 - p.raising)) / (base.raising / (1 - base.raising)) == pytest.approx(
                4.0 ** (-1.0, -0.3, 0.0, 0.3, 1.0)[policies.index(p)]
            )


def test_named_personalities_are_values_of_the_two_numbers() -> None:
    view = _spot(pot=800, to_call=200)
    for rate in (0.1, 0.17, 0.19, 0.22, 0.27, 0.5):
        named = RulesAgent("tight-aggressive").policy_for(view, rate)
        assert named == RulesAgent(tight=0.5, aggressive=0.5).policy_for(view, rate)
        assert RulesAgent("loose").policy_for(view, rate) == RulesAgent(tight=-0.5).policy_for(view, rate)
        assert RulesAgent("tight", tight=0.0).policy_for(view, rate) == RulesAgent().policy_for(view, rate)


# Styles ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "alpha", "beta"), [("LA", 0.30, 0.45), ("LP", 0.30, 0.85), ("TA", 0.55, 0.65), ("TP", 0.55, 0.85)]
)
def test_style_thresholds_are_those_of_the_paper(name: str, alpha: float, beta: float) -> None:
    agent = make_agent(f"style:paper-{name}")
    assert isinstance(agent, Style)
    assert (agent.alpha, agent.beta) == (alpha, beta)
    facing, free = _spot(pot=800, to_call=200), _spot(pot=800, to_call=0)
    all_in = _spot(pot=800, to_call=200, stack=150)
    for k in range(1001):
        rate = k / 1000
        for view in (facing, free, all_in):
            policy = agent.policy_for(view, rate)
            chances = {"fold": policy.fold, "call": policy.call, "raise": policy.raising}
            does = style_policy(rate, alpha, beta, view.legal.to_call, view.legal.can_raise)
            assert chances[does] == 1.0, (rate, chances)


def test_a_style_raises_uniformly_from_least_to_most() -> None:
    agent = make_agent("style:LA,size=random")
    assert isinstance(agent, Style)
    view = _spot(pot=800, to_call=0, stack=500)
    legal = view.legal
    (span,) = agent.policy_for(view, 0.9).spans
    assert (span.lo, span.hi, span.p) == (legal.min_to, legal.max_to, 1.0)
    assert agent.win_rate(view) > 0.45
    rng = Rng(2)
    sizes = Counter(agent.act(view, rng).to for _ in range(20_000))
    width = legal.max_to - legal.min_to + 1
    assert set(sizes) <= set(range(legal.min_to, legal.max_to + 1))
    assert {legal.min_to, legal.max_to} <= set(sizes)
    chi2 = sum((sizes[to] - 20_000 / width) ** 2 for to in range(legal.min_to, legal.max_to + 1)) / (20_000 / width)
    assert abs(chi2 - (width - 1)) < 5 * math.sqrt(2 * (width - 1))


def test_thresholds_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"alpha=0.7 is above beta=0.65"):
        make_agent("style:TA,alpha=0.7")


# Simple agents ---------------------------------------------------------------------------------------


def test_sizes() -> None:
    view = _spot(pot=300, to_call=100, stack=2000)  # 2 in before the flop; a call makes the pot 400
    mine = view.contributions[view.actor]
    legal = view.legal
    for spec, to in (
        ("min", legal.min_to),
        ("half", mine + 100 + 200),
        ("pot", mine + 100 + 400),
        ("2", mine + 100 + 800),
        ("0.01", legal.min_to),
        ("max", mine + 2000),
        ("50", mine + 2000),
    ):
        assert make_agent(f"raiser:{spec}").act(view, Rng(1)) == Action.raise_to(to), spec
    assert make_agent("raiser").act(view, Rng(1)) == make_agent("raiser:pot").act(view, Rng(1))


def test_fixed_and_its_options() -> None:
    facing, free = _spot(pot=300, to_call=100), _spot(pot=300, to_call=0)
    all_in = _spot(pot=800, to_call=200, stack=150)

    def chances(spec: str, view: View) -> tuple[float, float, float]:
        policy = make_agent(spec).policy(view).checked()  # type: ignore[attr-defined]
        return policy.fold, policy.call, policy.raising

    assert chances("fixed", facing) == pytest.approx((0.1, 0.45, 0.45))
    assert chances("fixed", free) == pytest.approx((0.0, 0.55, 0.45))
    assert chances("fixed:free=play", free) == pytest.approx((0.0, 0.5, 0.5))
    assert chances("fixed:split=0.8", facing) == pytest.approx((0.1, 0.18, 0.72))
    assert chances("fixed:fold=0.4", all_in) == pytest.approx((0.4, 0.6, 0.0))


def test_random_is_uniform_over_kinds() -> None:
    agent = make_agent("random")
    for view, kinds in ((_spot(300, 100), 3), (_spot(300, 0), 2), (_spot(800, 200, stack=150), 2)):
        policy = agent.policy(view).checked()  # type: ignore[attr-defined]
        parts = [p for p in (policy.fold, policy.call, policy.raising) if p]
        assert parts == pytest.approx([1 / kinds] * kinds)


# All agents ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", SPECS)
def test_acting_is_drawing_from_the_policy(spec: str) -> None:
    agent, asked = make_agent(spec), make_agent(spec)
    for k, spot in enumerate(random_spots(Rng(21), 300)):
        policy = asked.policy(spot.view).checked()  # type: ignore[attr-defined]
        assert agent.act(spot.view, Rng(4, k)) == policy.sample(Rng(4, k))


@pytest.mark.parametrize("spec", ["rules:deals=50", "style:LA,deals=50"])
def test_the_policy_is_a_function_of_the_view(spec: str) -> None:
    views = [spot.view for spot in random_spots(Rng(22), 150)]
    used = make_agent(spec)
    forward = [used.policy(v) for v in views]  # type: ignore[attr-defined]
    backward = [used.policy(v) for v in reversed(views)]  # type: ignore[attr-defined]
    fresh = [make_agent(spec).policy(v) for v in views]  # type: ignore[attr-defined]
    assert forward == backward[::-1] == fresh


def test_own_cards_must_be_seen() -> None:
    state = HandState.deal(GameSpec.no_limit(2), Rng(1))
    for spec in ("rules", "style"):
        agent = make_agent(spec)
        for view in (state.view(None), state.view(1 - state.actor)):
            with pytest.raises(AgentError, match="does not show its hole cards or the board"):
                agent.act(view, Rng(1))
        with pytest.raises(AgentError):
            agent.policy(state.view(None))  # type: ignore[attr-defined]
    state.apply(Action.fold())
    with pytest.raises(AgentError, match="the hand is over"):
        make_agent("rules").act(state.view(0), Rng(1))


@pytest.mark.parametrize("spec", ["rules:deals=50", "rules:loose-aggressive,deals=50", "rules:free=raise,deals=50"])
def test_the_reasons_of_rules_lead_to_what_it_does(spec: str) -> None:
    """Where it protects its stack, it folds (or checks) for certain, and nothing else is said of its actions."""
    agent: Any = make_agent(spec)
    told = Counter[str]()
    for k, (_, _, view, *_) in enumerate(random_spots(Rng(23), 400)):
        policy = agent.policy(view)
        codes = [reason.code for reason in agent.reasons(view)]
        verdict = [reason.values["verdict"] for reason in agent.reasons(view) if "verdict" in reason.values]
        told.update(codes)
        out = policy.probability(Action.fold() if view.legal.fold else Action.call())
        if "stack_protection" in codes:
            assert out == 1 and not verdict, (k, codes)
            assert codes[2:] == ([] if view.legal.fold else ["fold_is_check"])
            continue
        folds = verdict[0] in ("fold_or_bluff", "mostly_fold")
        assert ("fold_is_check" in codes) == (folds and not view.legal.fold), (k, codes)
        assert (policy.probability(Action.fold()) > 0) == (folds and view.legal.fold)
        raises = 1 - policy.probability(Action.fold()) - policy.probability(Action.call())
        assert ("raise_is_call" in codes) == (raises < 1e-9), (k, codes)
    assert {"stack_protection", "price", "fold_is_check", "raise_is_call"} <= set(told)
    # A short stack in the big blind, all-in in front of it: 35 % where the call needs 7 %, and it folds all the same.
    text = "6 players, blinds 50/100, stacks 5000/120/5000/5000/5000/5000, bb, 7h2c; utg all-in, folds to me"
    view = view_from_text(text)
    assert agent.policy(view).probability(Action.fold()) == 1
    assert [reason.code for reason in agent.reasons(view)] == ["win_rate_one", "stack_protection"]
