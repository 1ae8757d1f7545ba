"""The fold agent: win rate against readings, thresholds by scenario, what it learns of opponents, how it plays."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from dupai.agents import MatchInfo, capabilities, check_agent, make_agent, random_spots
from dupai.agents._fold import FoldAgent
from dupai.agents._fold._players import (
    ALONE,
    FLOP,
    POWERS,
    PRIOR,
    USUAL,
    Responses,
    Trust,
    _powers,
)
from dupai.agents._fold._policy import (
    CallSettings,
    FoldSettings,
    Scene,
    best_bet,
    bluff_gain,
    limits_of,
    outs_rate,
    price,
    value_size,
)
from dupai.agents._fold._rate import predicted_rate, sampled_rate, start_order
from dupai.base import ConfigError, Rng
from dupai.cards import COMBO_CARDS, COMBOS, cards, combo
from dupai.notation import Reason, view_from_text
from dupai.reading import Reading, can_save, load_reader
from dupai.reading.fold import DFModel
from dupai.rules import CALL, FOLD, RAISE, Action, GameSpec, HandState
from naive.agents_fold import predicted_rate as counted_rate

SETTINGS = FoldSettings()


def reading(**hands: float) -> Reading:
    p = np.zeros(COMBOS)
    for hand, weight in hands.items():
        p[combo(hand)] = weight
    return Reading(p)


def as_twin(told: Reading) -> dict[tuple[int, int], float]:
    return {tuple(COMBO_CARDS[i].tolist()): float(told.p[i]) for i in np.flatnonzero(told.p)}


# Algorithm 1 ---------------------------------------------------------------------------------------------------------

ONE = reading(KdKh=2, Jh9h=1, As2s=3, QcQs=1)
TWO = reading(KdKh=1, QdQs=4, Th9h=2)
THREE = reading(KcKs=1, Ah5h=2)


@pytest.mark.parametrize("readings", [[ONE], [ONE, TWO], [TWO, ONE], [ONE, TWO, THREE]])
def test_win_rate_by_deals_is_that_of_every_deal_counted(readings: list[Reading]) -> None:
    hole, board = cards("QhTc"), cards("Qd8h7s2c")
    exact = counted_rate(hole, board, [as_twin(r) for r in readings])
    n = 40_000
    assert sampled_rate(hole, board, readings, n) == pytest.approx(exact, abs=4 * np.sqrt(0.25 / n))
    assert predicted_rate(hole, board, readings, n) == pytest.approx(exact, abs=4 * np.sqrt(0.25 / n))


def test_win_rate_against_one_is_counted_on_turn_and_river_and_before_the_flop() -> None:
    hole, board = cards("QhTc"), cards("Qd8h7s2c")
    assert predicted_rate(hole, board, [ONE], 1) == pytest.approx(counted_rate(hole, board, [as_twin(ONE)]), abs=1e-9)
    river = (*board, *cards("3d"))
    assert predicted_rate(hole, river, [ONE], 1) == pytest.approx(counted_rate(hole, river, [as_twin(ONE)]), abs=1e-9)
    # Two aces against any pair of kings.
    kings = reading(KdKh=1, KcKs=1, KcKd=1, KhKs=1)
    assert predicted_rate(cards("AsAh"), (), [kings], 1) == pytest.approx(0.82, abs=0.01)


def test_order_of_the_opponents_does_not_matter_and_the_same_deals_come_again() -> None:
    hole, board = cards("QhTc"), cards("Qd8h7s")
    first = sampled_rate(hole, board, [ONE, TWO, THREE], 40_000)
    assert sampled_rate(hole, board, [ONE, TWO, THREE], 40_000) == first
    assert sampled_rate(hole, board, [THREE, TWO, ONE], 40_000) == pytest.approx(first, abs=0.015)
    assert sampled_rate(hole, board, [ONE], 500, Rng(3)) != sampled_rate(hole, board, [ONE], 500, Rng(4))


def test_ties_are_shared() -> None:
    board = cards("AsKsQsJsTs")
    assert sampled_rate(cards("2c2d"), board, [reading(**{"3c3d": 1}), reading(**{"4c4d": 1})], 50) == pytest.approx(
        1 / 3
    )


def test_readings_that_clash_nearly_always_are_still_dealt_jointly() -> None:
    hole, board = cards("2c7d"), cards("AhKhQd3c8s")
    told = [reading(KdKc=200, JcTc=1), reading(KdKs=200, JdTd=1), reading(KdKc=1, KcKs=200)]
    exact = counted_rate(hole, board, [as_twin(r) for r in told])
    assert predicted_rate(hole, board, told, 5_000) == pytest.approx(exact, abs=0.03)


def test_start_order() -> None:
    order = start_order()
    assert order.min() == 0 and order.max() < 1
    assert order[combo_class("AsAh")] == 0 < order[combo_class("AsKs")] < order[combo_class("7c2d")]


def combo_class(hand: str) -> int:
    from dupai.cards import COMBO_CLASS

    return int(COMBO_CLASS[combo(hand)])


# thresholds ----------------------------------------------------------------------------------------------------------


def scene(**changes: float) -> Scene:
    usual = {
        "street": 1,
        "opponents": 1,
        "to_call": 0,
        "pot": 600,
        "stack": 10_000,
        "effective": 10_000,
        "big_blinds": 100.0,
        "bet": 0.0,
        "all_in": False,
        "odds": 0.0,
    }
    return Scene(**{**usual, **changes})


def test_the_papers_thresholds_for_calling_a_raise() -> None:
    paper = FoldSettings(call=CallSettings(by_odds=False))
    faced = [limits_of(paper, scene(opponents=n, to_call=100, odds=0.2, bet=0.3), 0.0, False) for n in range(1, 8)]
    assert [limits.call for limits in faced[:2]] == pytest.approx([0.70, 0.55])
    for some in zip(*faced, strict=True):
        assert list(some) == sorted(some, reverse=True) and len(set(some)) == 7
    # call < raise half < raise one, for each number of opponents; half as far above as figure 2 draws them.
    for limits in faced:
        assert limits.call < limits.half < limits.pot
        assert limits.half - limits.call == pytest.approx(0.68 - 0.57)
    free = limits_of(paper, scene(), 0.0, True)
    assert (free.call, free.half) == pytest.approx((0.57, 0.68))
    assert free.pot == pytest.approx(0.75 + paper.bet.tournament)


def test_thresholds_stand_in_order_and_the_price_counts() -> None:
    for opponents in (1, 2, 7):
        for odds in (0.05, 0.25, 0.45):
            for tournament in (False, True):
                found = limits_of(
                    SETTINGS,
                    scene(opponents=opponents, to_call=200, odds=odds, pot=round(200 / odds - 200), bet=0.5),
                    1e-4 * tournament,
                    tournament,
                )
                assert odds - 1e-9 <= found.call <= found.half <= found.pot
    cheap = limits_of(SETTINGS, scene(to_call=50, odds=0.1, bet=0.1), 0.0, False)
    dear = limits_of(SETTINGS, scene(to_call=600, odds=0.4, bet=1.0), 0.0, False)
    assert cheap.call < dear.call


def test_tournaments_and_overbets_ask_for_more() -> None:
    bet = scene(to_call=600, odds=0.35, bet=1.0)
    assert limits_of(SETTINGS, bet, 5e-4, True).call > limits_of(SETTINGS, bet, 0.0, False).call
    assert limits_of(SETTINGS, scene(), 5e-4, True).pot > limits_of(SETTINGS, scene(), 0.0, False).pot
    over = bet._replace(bet=2.0)
    assert limits_of(SETTINGS, over, 0.0, False).call > limits_of(SETTINGS, bet, 0.0, False).call


def test_price_and_bet_by_the_utility() -> None:
    assert price(100, 300, 0.0) == 0.25
    assert price(0, 300, 1e-3) == 0.0
    for call, pot, aversion in ((100, 300, 1e-3), (2_000, 2_060, 5e-4)):
        p = price(call, pot, aversion)
        assert p > call / (pot + call)
        # By the definition: winning the pot or losing the call is as good as nothing.
        assert p * (1 - np.exp(-aversion * pot)) + (1 - p) * (1 - np.exp(aversion * call)) == pytest.approx(0)
    best = best_bet(0.7, 5e-4)
    worth = [0.7 * -np.exp(-5e-4 * b) + 0.3 * -np.exp(5e-4 * b) for b in (best - 5, best, best + 5)]
    assert max(worth) == worth[1]
    assert best_bet(0.4, 5e-4) == 0 and best_bet(1.0, 5e-4) == np.inf == best_bet(0.6, 0.0)


def test_bluff_gain() -> None:
    assert bluff_gain(1.0, 0.0, 300, 150, 0.0) == 300
    assert bluff_gain(0.0, 0.0, 300, 150, 0.0) == -150
    assert bluff_gain(1 / 3, 0.0, 300, 150, 0.0) == pytest.approx(0)
    assert bluff_gain(0.5, 0.5, 300, 150, 1.0) == 75
    assert bluff_gain(0.5, 0.0, 300, 150, 1.0) == 150 + 0.5 * 450


# decisions -----------------------------------------------------------------------------------------------------------


def agent(**options: object) -> FoldAgent:
    return FoldAgent(reader="uniform", samples=2_000, trust=False, **options)  # type: ignore[arg-type]


def decided(text: str, **options: object) -> Action:
    return agent(**options).act(view_from_text(text), Rng(0))


def test_never_folds_for_free_and_never_illegally() -> None:
    for spec in ("fold:reader=uniform,samples=50", "fold:reader=uniform,samples=50,odds=off,exploit=off"):
        player = make_agent(spec)
        for asked in random_spots(Rng(4), 150):
            player.start(asked.info)
            action = player.act(asked.view, Rng(0))
            legal = asked.view.legal
            assert action.kind != FOLD or legal.to_call > 0
            assert action.kind != RAISE or legal.min_to <= action.to <= legal.max_to


@pytest.mark.parametrize(("hole", "kind"), [("AsAd", RAISE), ("7c7d", RAISE), ("2c3d", FOLD), ("2c7d", FOLD)])
def test_under_ten_big_blinds_it_pushes_or_folds_by_the_equilibrium(hole: str, kind: int) -> None:
    action = decided(f"2 players, blinds 50/100, stacks 600, button, {hole}")
    assert action.kind == kind
    if kind == RAISE:
        assert action.to == 600


# the paper's program -------------------------------------------------------------------------------------------------

WORKED = "8 players, blinds 20/40, stacks 2000, {seat}, {hole}; utg raises to 120, {then}"


@pytest.mark.parametrize("format", ["auto", "tournament"])
@pytest.mark.parametrize(
    ("hole", "kind"),
    [
        ("AhJh", CALL),
        ("AdJd", CALL),
        ("AhJd", CALL),
        ("AhKh", RAISE),
        ("JhJd", RAISE),
        ("AhTd", CALL),
        ("Kh9d", FOLD),
        ("7c2d", FOLD),
    ],
)
def test_the_papers_program_plays_the_papers_hand(hole: str, kind: int, format: str) -> None:
    """Section 4.3: the player under the gun raises, all fold to the button, who calls with AJ."""
    view = view_from_text(WORKED.format(seat="button", hole=hole, then="folds to me"))
    player = make_agent(f"fold:paper,format={format}")
    assert player.act(view, Rng(0)).kind == kind
    # It opens with hands that do not call a raise (gap theory).
    opened = view_from_text(f"8 players, blinds 20/40, stacks 2000, button, {hole}; folds to me")
    assert player.act(opened, Rng(0)).kind == (FOLD if hole == "7c2d" else RAISE)


def test_a_second_raise_is_answered_by_the_win_rate_against_those_in_the_pot() -> None:
    view = view_from_text(WORKED.format(seat="button", hole="KhKd", then="utg+1 raises to 400, folds to me"))
    told = make_agent("fold:paper").advise(view, Rng(0))
    assert list(told.readings) == [2, 3] and told.numbers["call_threshold"] == pytest.approx(0.55)
    own = view_from_text(
        WORKED.format(seat="button", hole="KhKd", then="folds to me, I raise to 400, folds to utg, utg raises to 900")
    )
    assert list(make_agent("fold:paper").advise(own, Rng(0)).readings) == [2]


def test_the_papers_program_folds_calls_and_raises_bets_after_the_flop() -> None:
    counts = {FOLD: 0, CALL: 0, RAISE: 0}
    player = make_agent("fold:paper")
    for asked in random_spots(Rng(7), 600, bettings=("no-limit",)):
        if asked.view.street and asked.view.legal.to_call:
            player.start(asked.info)
            counts[player.act(asked.view, Rng(0)).kind] += 1
    assert sum(counts.values()) > 100
    assert counts[CALL] > 5 and counts[RAISE] > 5 and counts[FOLD] > counts[CALL]


def test_the_papers_draws_and_middle_pairs() -> None:
    def bet(hole: str, board: str, **options: object) -> int:
        view = view_from_text(f"hole={hole} board={board} pot=200 stack=3000 players=2 blinds=20/40")
        action = decided_by(view, **options)
        return action.to - int(view.state["total"][0, view.actor]) if action.kind == RAISE else 0

    def decided_by(view: object, **options: object) -> Action:
        return agent(odds=False, exploit=False, **options).act(view, Rng(0))  # type: ignore[arg-type]

    assert bet("6h5c", "7d8sKc") == 100  # open-ended: half the pot
    assert bet("5h4h", "7h8hKc") == 200  # a flush draw with a gutshot: the pot
    assert bet("8h4c", "Kd8s2c") == 100  # a middle pair bets once
    assert bet("8h4c", "Kd8s8c") > 0  # trips are no middle pair, and bet for value
    assert bet("3h2d", "Kd8s2c") == 0 == bet("9h4c", "KdQs2c")  # bottom pair, no pair
    assert bet("5h4c", "KdKs5c") == 0  # on a paired board it is none
    resisted = "hole=8h4c board=Kd8s2c pot=400 to_call=150 stack=3000 players=2 blinds=20/40"
    assert make_agent("fold:paper").act(view_from_text(resisted), Rng(0)).kind == FOLD
    again = "2 players, blinds 20/40, stacks 2000, big blind, 3h7c; button calls, I check; flop Kd3s2c; I {}"
    for then, kind in (("raise to 40, button calls; turn Qs", CALL), ("check, button checks; turn Qs", RAISE)):
        assert decided_by(view_from_text(again.format(then))).kind == kind


def test_algorithm_1_counts_wins() -> None:
    """Deals that are split count as not won; ours counts their share."""
    board = cards("AsKsQsJsTs")
    one = [reading(**{"3c3d": 1})]
    assert sampled_rate(cards("2c2d"), board, one, 50, ties=False) == 0
    assert predicted_rate(cards("2c2d"), board, one, 50, exact=False) == 0
    assert predicted_rate(cards("2c2d"), board, one, 50) == 0.5
    clashing = [reading(KdKc=1), reading(KdKs=200, JdTd=1)]
    alone = sampled_rate(cards("2c7d"), cards("AhKhQd3c8s"), clashing, 2_000, ties=False)
    assert alone == 0
    assert 0 < sampled_rate(cards("QhTc"), cards("Qd8h7s"), [ONE], 500, ties=False) < 1


def test_short_stacks_answer_an_all_in_by_its_price() -> None:
    text = "2 players, blinds 50/100, stacks 600, big blind, {hole}; button raises to 600"
    assert decided(text.format(hole="AsAd")).kind == CALL
    assert decided(text.format(hole="2c3d")).kind == FOLD


def test_deep_stacks_call_with_speculative_hands() -> None:
    text = "6 players, blinds 50/100, stacks {stack}, button, {hole}; utg raises to 300, folds to me"
    assert decided(text.format(stack=10_000, hole="5c5d")).kind == CALL
    assert decided(text.format(stack=10_000, hole="7c6c")).kind == CALL
    tight = FoldAgent(reader="fold", trust=False)
    assert tight.act(view_from_text(text.format(stack=2_500, hole="7c6c")), Rng(0)).kind == FOLD


def test_a_raise_is_called_against_those_who_are_in_the_pot() -> None:
    """Who has yet to answer a raise does not count in cash games, in tournaments everybody does."""
    text = "6 players, blinds 50/100, stacks 5000, button, AsKd; utg raises to 300, {}folds to me"
    told = agent().advise(view_from_text(text.format("")), Rng(0))
    assert told.actions[0].kind == CALL
    alone = predicted_rate(list(cards("AsKd")), (), [told.readings[2]], 2_000)
    assert told.numbers["win_rate_in_pot"] == alone > 0.6 > told.numbers["win_rate"]
    assert decided(text.format(""), format="tournament").kind == FOLD
    both = agent().advise(view_from_text(text.format("hijack calls, ")), Rng(0))
    assert both.numbers["win_rate_in_pot"] < alone
    assert both.numbers["call_threshold_in_pot"] < told.numbers["call_threshold_in_pot"]
    # In the big blind everybody has answered.
    last = "6 players, blinds 50/100, stacks 5000, big blind, AsKd; utg raises to 300, folds to me"
    assert "win_rate_in_pot" not in agent().advise(view_from_text(last), Rng(0)).numbers


def test_a_tournament_asks_for_more_the_more_are_left() -> None:
    text = "{} players, blinds 20/40, stacks 2000, big blind, QsQd; {} raises to 2000, folds to me"

    def wants(players: int, format: str = "tournament") -> float:
        told = view_from_text(text.format(players, {2: "button", 3: "button", 4: "cutoff"}.get(players, "utg")))
        return agent(format=format).advise(told, Rng(0)).numbers["call_threshold"]

    asked = [wants(players) for players in (2, 3, 4, 6, 8)]
    assert asked[0] < asked[1] < asked[2] == asked[3] == asked[4] < 0.85
    assert wants(3, "cash") == wants(8, "cash") < wants(2)
    margins = SETTINGS.call.odds_margin + SETTINGS.call.overbet_margin
    assert asked[2] == pytest.approx(price(1960, 2060, SETTINGS.call.aversion[-1] / 2000) + margins)


DRAW = "hole=6h5c board=7d8sKcAh pot={pot} to_call={call} stack=3000 players=2 blinds=20/40"


def test_value_bets_are_small_only_where_raises_are_to_be_expected() -> None:
    rare, often = scene(raises=0.05), scene(raises=0.4)
    assert [value_size(SETTINGS, rare, i) for i in range(3)] == list(SETTINGS.bet.sizes) == [0.5, 1.0, 1.5]
    lured = [value_size(SETTINGS, often, i) for i in range(3)]
    assert lured == list(SETTINGS.bet.lured) and all(a < b for a, b in zip(lured, SETTINGS.bet.sizes, strict=True))
    # His own raises are not to be that small.
    assert {value_size(SETTINGS, often._replace(to_call=100), i) for i in range(3)} == {SETTINGS.bet.lured[2]}

    river = view_from_text("hole=AsAd board=Ah8d4h2c9s pot=800 stack=3000 players=2 blinds=20/40")
    put_in = {}
    for raises in (0.05, 0.4):
        player = agent()
        player.responses.raises = lambda seat, kind, r=raises: r  # type: ignore[method-assign,misc]
        player.responses.folds = lambda seat, kind: 0.1  # type: ignore[method-assign]
        put_in[raises] = player.act(river, Rng(0)).to - int(river.state["total"][0, river.actor])
    assert put_in == {0.05: 1200, 0.4: 400}
    # Without what was seen of opponents the paper's sizes are left.
    assert agent(exploit=False).act(river, Rng(0)).to - int(river.state["total"][0, river.actor]) == 800


def test_hands_that_are_not_worth_a_raise_enter_where_that_is_cheap() -> None:
    table = "{n} players, blinds 50/100, stacks 10000, utg, {hole}"
    assert decided(table.format(n=5, hole="AsAd")).kind == RAISE
    assert decided(table.format(n=5, hole="Jc8c")).kind == CALL
    assert decided(table.format(n=5, hole="7c2d")).kind == FOLD
    assert decided(table.format(n=6, hole="Jc8c")).kind == FOLD
    assert decided(table.format(n=5, hole="Jc8c"), odds=False).kind == FOLD
    button = "2 players, blinds 50/100, stacks 10000, button, {hole}"
    raised = agent()
    raised.responses.raises = lambda seat, kind: 0.6  # type: ignore[method-assign]
    assert decided(button.format(hole="Jc8d")).kind == RAISE
    assert raised.act(view_from_text(button.format(hole="Jc8d")), Rng(0)).kind == CALL
    assert raised.act(view_from_text(button.format(hole="3c2d")), Rng(0)).kind == FOLD


def test_a_weak_hand_is_read_against_a_raise_that_is_cheap() -> None:
    told = agent().advise(
        view_from_text("2 players, blinds 50/100, stacks 10000, big blind, 9c4d; button raises to 220"), Rng(0)
    )
    assert told.numbers["pot_odds"] == pytest.approx(120 / 440) and "win_rate" in told.numbers
    dear = agent().advise(
        view_from_text("2 players, blinds 50/100, stacks 10000, big blind, 9c4d; button raises to 400"), Rng(0)
    )
    assert dear.actions[0].kind == FOLD and "win_rate" not in dear.numbers


def test_draws_are_drawn_to_only_behind_the_gate() -> None:
    # 8 outs of 46: 17.4 %. The pot alone does not pay for 200 into 300; what follows a hit does.
    assert decided(DRAW.format(pot=500, call=200), implied=True).kind == CALL
    assert decided(DRAW.format(pot=500, call=200), implied=False).kind == FOLD
    assert decided(DRAW.format(pot=3000, call=300), implied=False).kind == CALL
    # On the flop two cards are to come: 31.5 %, where one card would be 17.0 % and fold at a price of 25 %.
    flop = "hole=6h5c board=7d8sKc pot={pot} to_call={call} stack=3000 players=2 blinds=20/40"
    assert decided(flop.format(pot=600, call=200), implied=False, odds=False).kind == CALL
    assert decided(flop.format(pot=400, call=300), implied=False, odds=False).kind == FOLD
    # Where checking is free it leads, unless raises are likely.
    lead = "hole=6h5c board=7d8sKc pot=200 stack=3000 players=2 blinds=20/40"
    assert decided(lead).kind == RAISE
    wary = agent()
    wary.responses.raises = lambda seat, kind: 0.6  # type: ignore[method-assign]
    assert wary.act(view_from_text(lead), Rng(0)).kind == CALL
    # A set is no draw: it raises.
    assert decided("hole=9d9s board=9hKc4d2s pot=500 to_call=150 stack=3000 players=2 blinds=20/40").kind == RAISE


def test_eight_outs_with_two_cards_to_come() -> None:
    def by_pairs(outs: int, unseen: int) -> float:
        pairs = list(combinations(range(unseen), 2))
        return sum(min(pair) < outs for pair in pairs) / len(pairs)

    assert by_pairs(8, 50) == pytest.approx(0.297, abs=5e-4)  # as eq. 27 prints it
    assert outs_rate(8, 3) == pytest.approx(by_pairs(8, 47))
    assert outs_rate(8, 4) == pytest.approx(8 / 46)
    assert outs_rate(0, 3) == 0


def test_without_prices_the_thresholds_stand_alone() -> None:
    paper = FoldSettings(call=CallSettings(by_odds=False))
    # A call of 900 into 100 would have to win 90 %: the paper asks for its 70 % (and a margin for the overbet).
    dear = scene(opponents=1, to_call=900, odds=0.9, bet=9.0)
    assert limits_of(paper, dear, 0.5, True).call == pytest.approx(0.70 + paper.call.overbet_margin)
    assert limits_of(SETTINGS, dear, 0.5, True).call > 0.9
    # A tournament's bet of the pot: ours puts in less where much is at risk, the paper's does not.
    good = "hole=AsKd board=Kh8d4h2c9s pot=1500 stack=2400 players=6 blinds=20/40"
    bets = [decided(good, format="tournament", exploit=False, odds=odds).to for odds in (True, False)]
    assert bets[0] < bets[1]


def test_pot_committed_goes_all_in() -> None:
    action = decided("hole=AsAd board=Kc8d4h pot=900 to_call=300 stack=700 players=2 blinds=20/40")
    assert action == Action.raise_to(action.to) and action.kind == RAISE
    spot = view_from_text("hole=AsAd board=Kc8d4h pot=900 to_call=300 stack=700 players=2 blinds=20/40")
    assert action.to == spot.legal.max_to


def test_it_plays_limit() -> None:
    spec = GameSpec.limit(3, (5, 10), (10, 10, 20, 20))
    players = [make_agent("fold:samples=100") for _ in range(3)]
    for hand in range(4):
        state = HandState.deal(spec, Rng(3, 0, hand))
        while not state.finished:
            state.apply(players[state.actor].act(state.view(state.actor), Rng(1)))
        record = state.record()
        for seat, player in enumerate(players):
            player.observe(record.seen_by(record.seats.index(seat)))


@pytest.mark.parametrize("reader", ["fold", "uniform", "markov", "model"])
def test_it_reads_with_any_reader_and_says_what(reader: str) -> None:
    view = view_from_text("hole=AsKd board=2c7dTh pot=600 to_call=200 stack=2000 players=3 blinds=50/100")
    told = make_agent(f"fold:reader={reader},samples=500").advise(view, Rng(0))
    assert 0 < told.numbers["win_rate"] < 1
    assert told.numbers["call_threshold"] <= told.numbers["half_pot_threshold"] <= told.numbers["pot_threshold"]
    assert told.reasons[0] == Reason("win_rate_read_many", {"rate": told.numbers["win_rate"], "opponents": 2})
    assert len(told.readings) == 2


def test_cards_that_opponents_share_count_once() -> None:
    """The deals see to it that no two opponents hold the same card, so the readings must not."""
    view = view_from_text("3 players, button, JsJd; I raise to 300, sb raises to 900, bb raises to 2700")
    told = make_agent("fold:reader=start-table,trust=off,samples=100").advise(view, Rng(0))
    plain = load_reader("start-table:joint=off").read(view)
    assert {seat: r.p.tolist() for seat, r in told.readings.items()} == {s: r.p.tolist() for s, r in plain.items()}


def test_the_check_of_agents_passes() -> None:
    report = check_agent("fold:reader=uniform,samples=50", views=60)
    assert report.ok, report.lines


@pytest.mark.parametrize("options", [{"samples": 0}, {"samples": 10**8}])
def test_bad_options(options: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match="samples"):
        FoldAgent(**options)


# what it learns ------------------------------------------------------------------------------------------------------


def played(actions: list[Action], board: str = "2c7dTh9s4d", hole: str = "") -> HandState:
    state = HandState.deal(GameSpec.no_limit(2, (50, 100), 10_000), Rng(5))
    for action in actions:
        state.apply(action)
    return state


def test_frequencies_of_folds_are_shrunk_towards_what_is_usual() -> None:
    seen = Responses(6.0)
    assert seen.folds(1, FLOP) == USUAL[FLOP]
    record = played([Action.raise_to(300), Action.fold()]).record()
    folder = record.seats[0] if record.seats else 0
    for _ in range(10):
        seen.observe(record)
    assert seen.folds(folder, ALONE) == pytest.approx((10 + 6 * USUAL[ALONE]) / 16)
    assert seen.folds(folder, FLOP) == USUAL[FLOP]


def test_trust_follows_what_the_shown_hands_bear_out() -> None:
    sure = np.full(COMBOS, 0.1)
    sure[:50] = 30.0
    told = Reading(sure)
    wrong, right = Trust(), Trust()
    for _ in range(8):
        wrong.shown(0, told, 700)
        right.shown(0, told, 3)
    before = float(PRIOR @ POWERS)
    assert float(wrong.weights(0) @ POWERS) < before < float(right.weights(0) @ POWERS)
    assert wrong.applied(0, told).entropy > told.entropy
    assert right.applied(0, told).entropy < wrong.applied(0, told).entropy
    assert Trust().weights(3) is PRIOR


def test_it_learns_only_where_it_may() -> None:
    match = MatchInfo.__struct_fields__
    assert "names" in match
    record = played([Action.raise_to(300), Action.fold()]).record()
    taught, untaught = agent(), agent(adapt=False)
    for _ in range(5):
        taught.observe(record)
        untaught.observe(record)
    folder = record.seats[0] if record.seats else 0
    assert taught.responses.folds(folder, ALONE) > untaught.responses.folds(folder, ALONE) == USUAL[ALONE]


def hands_played(players: list[FoldAgent], first: int, last: int) -> list[tuple[Action, ...]]:
    """Hands of ``players`` against each other; everybody learns from each."""
    told = []
    for number in range(first, last):
        seats = [(number + i) % 2 for i in range(2)]
        state = HandState.deal(GameSpec.no_limit(2, (50, 100), 3_000), Rng(8, 0, number), seats=seats, hand=number)
        while not state.finished:
            state.apply(players[state.seats[state.actor]].act(state.view(state.actor), Rng(1)))
        record = state.record(["Ann" if seat == 0 else "Bob" for seat in seats])
        for seat, player in enumerate(players):
            player.observe(record.seen_by(record.seats.index(seat)))
        told.append(record.actions)
    return told


@pytest.mark.parametrize("reader", ["model", "fold", "bucket", "uniform"])
def test_what_it_has_learned_is_kept(reader: str) -> None:
    def table() -> list[FoldAgent]:
        found = [FoldAgent(reader=reader, samples=200) for _ in range(2)]
        for seat, player in enumerate(found):
            player.start(MatchInfo(spec=GameSpec.no_limit(2, (50, 100), 3_000), seat=seat, names=("Ann", "Bob")))
        return found

    once, fresh = table(), table()
    hands_played(once, 0, 12)
    again = table()
    for player, other in zip(once, again, strict=True):
        other.load(player.save())
        assert other.save() == player.save() != fresh[0].save()
        assert other.responses.counts == player.responses.counts
    assert hands_played(once, 12, 20) == hands_played(again, 12, 20)
    assert [player.save() for player in once] == [player.save() for player in again]


def test_what_is_no_saved_state_is_refused() -> None:
    player = FoldAgent(reader="model", samples=50)
    for wrong in (b"", b"no such thing"):
        with pytest.raises(ConfigError, match=r"expected what save\(\) gave"):
            player.load(wrong)
    with pytest.raises(ConfigError, match="read with 'fold': expected one that read with 'model'"):
        player.load(FoldAgent(reader="fold").save())
    for name in ("model", "fold"):
        with pytest.raises(ConfigError, match=r"expected what save\(\) gave"):
            load_reader(name).load(b"no such thing")  # type: ignore[attr-defined]
    for name in ("markov", "start-table", "uniform", "cnn", "model:adapt=off"):
        with pytest.raises(ConfigError, match="learns nothing"):
            load_reader(name).load(b"something")  # type: ignore[attr-defined]


def test_a_reader_that_cannot_keep_what_it_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    class Forgetful(DFModel):
        save = None  # type: ignore[assignment]

    monkeypatch.setattr("dupai.reading._fold._model.DFModel", Forgetful)
    assert not can_save(load_reader("fold"))
    assert not capabilities(FoldAgent(reader="fold")).saves


def test_powers_of_a_reading_are_what_they_are_called() -> None:
    told = Reading(np.random.default_rng(3).random(COMBOS) ** 6 * (np.arange(COMBOS) % 5 > 0))
    wide = told.p[None, :] ** POWERS[:, None] * (told.p > 0)
    np.testing.assert_allclose(_powers(told), wide / wide.sum(axis=1, keepdims=True), rtol=1e-12)


def test_it_does_not_read_its_own_hand_to_learn() -> None:
    state = HandState.deal(GameSpec.no_limit(2, (50, 100), 10_000), Rng(5))
    while not state.finished:
        state.apply(Action.call())
    record = state.record()
    for own, learned in ((None, {0, 1}), (0, {1}), (1, {0})):
        trust = Trust()
        trust.observe(record.seen_by(own), load_reader("fold"))
        assert set(trust.logs) == learned
