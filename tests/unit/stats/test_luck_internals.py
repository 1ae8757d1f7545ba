"""Luck reduction: unbiased by enumeration in Kuhn and Leduc; all-in equity by every board; hold'em by simulation."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import pytest

from dupai.agents import make_agent
from dupai.base import Rng, RulesError
from dupai.cards import cards
from dupai.games import (
    OVER,
    Game,
    Kuhn,
    Leduc,
    Policy,
    expected_payoffs,
    random_policy,
    terminal_lines,
    uniform_policy,
)
from dupai.rules import Action, GameSpec, HandRecord, HandState, pots_of
from dupai.spots import ActionDistribution, RaiseBetween
from dupai.stats import TERMS, all_in_adjusted, luck_adjusted, luck_terms
from dupai.stats._kernels import raise_sums_kernel
from naive.games_kuhn import kuhn_equilibrium
from naive.stats_aivat import corrected_payoffs
from naive.stats_allin import mean_over_boards


def _noise(game: Game[Any], seed: int) -> Any:
    """A worthless baseline: a random number for every state and player."""
    rng, known = Rng(seed), {}

    def value(state: Hashable) -> tuple[float, ...]:
        if state not in known:
            known[state] = tuple(4 * rng.uniform() - 2 for _ in range(game.players))
        return known[state]

    return value


def _exact(game: Game[Any], policies: list[Policy]) -> Any:
    """The perfect baseline: the expected payoffs from every state."""
    known: dict[Hashable, tuple[float, ...]] = {}

    def value(state: Any) -> tuple[float, ...]:
        if state not in known:
            who = game.actor(state)
            if who == OVER:
                known[state] = game.payoffs(state)
            else:
                actions = game.actions(state)
                chances = game.chances(state) if who < 0 else policies[who](game.information(state, who), actions)
                below = [value(game.child(state, a)) for a in actions]
                known[state] = tuple(
                    sum(p * v[i] for p, v in zip(chances, below, strict=True)) for i in range(game.players)
                )
        return known[state]

    return value


def _moments(
    game: Game[Any], policies: list[Policy], known: list[Policy | None], value: Any
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Exact mean and variance of the corrected payoffs, and variance of the payoffs as they are."""
    mean, square, plain = np.zeros((3, game.players))
    for reach, line, last in terminal_lines(game, policies):
        won = np.array(corrected_payoffs(game, line, known, value))
        mean += reach * won
        square += reach * won**2
        plain += reach * np.array(game.payoffs(last)) ** 2
    raw = np.array(expected_payoffs(game, policies))
    return mean, square - mean**2, plain - raw**2


@pytest.mark.parametrize("who_is_known", [(True, True), (True, False), (False, False)])
@pytest.mark.parametrize("baseline", ["noise", "uniform play", "exact"])
def test_unbiased_in_kuhn_for_every_pair_of_policies(baseline: str, who_is_known: tuple[bool, bool]) -> None:
    game = Kuhn()
    pairs: list[list[Policy]] = [[random_policy(Rng(2 * k)), random_policy(Rng(2 * k + 1))] for k in range(8)]
    pairs += [[random_policy(Rng(k), pure=True), uniform_policy] for k in range(8)]
    pairs += [list(kuhn_equilibrium(0.2))]
    for k, policies in enumerate(pairs):
        truth = expected_payoffs(game, policies)  # (also fills in random policies in one order)
        known = [p if yes else None for p, yes in zip(policies, who_is_known, strict=True)]
        value = {
            "noise": lambda: _noise(game, k),  # noqa: B023
            "uniform play": lambda: _exact(game, [uniform_policy] * 2),
            "exact": lambda: _exact(game, policies),  # noqa: B023
        }[baseline]()
        mean, var, raw = _moments(game, policies, known, value)
        assert mean == pytest.approx(truth, abs=1e-12)
        if baseline == "exact":
            assert np.all(var <= raw + 1e-12)
            if all(who_is_known):
                assert var == pytest.approx([0, 0], abs=1e-12)


@pytest.mark.parametrize("seed", [1])
def test_unbiased_and_much_quieter_in_leduc(seed: int) -> None:
    game = Leduc()
    policies: list[Policy] = [random_policy(Rng(seed, k)) for k in (0, 1)]
    truth = expected_payoffs(game, policies)
    value = _exact(game, [uniform_policy] * 2)  # a baseline that knows nothing of these players
    mean, var, raw = _moments(game, policies, list(policies), value)
    assert mean == pytest.approx(truth, abs=1e-10)
    assert np.all(var < 0.5 * raw)
    mean, one_known, _ = _moments(game, policies, [policies[0], None], value)
    assert mean == pytest.approx(truth, abs=1e-10)
    assert np.all(var < one_known)
    assert np.all(one_known < raw)
    # A wrong policy shows: the enumeration would notice a bias.
    mean, *_ = _moments(game, policies, [uniform_policy, None], value)
    assert mean != pytest.approx(truth, abs=1e-3)


def test_three_players_too() -> None:
    game = Kuhn(3)
    policies: list[Policy] = [random_policy(Rng(9, k)) for k in range(3)]
    truth = expected_payoffs(game, policies)
    mean, var, raw = _moments(game, policies, list(policies), _exact(game, [uniform_policy] * 3))
    assert mean == pytest.approx(truth, abs=1e-12)
    assert np.all(var < raw)


# hold'em -------------------------------------------------------------------------------------------------------------


def _hand(
    spec: GameSpec, hole: list[str], board: str, actions: str, stacks: tuple[int, ...] | None = None
) -> HandRecord:
    state = HandState(spec, [cards(h) for h in hole], cards(board), stacks)
    for word in actions.split():
        state.apply(Action.fold() if word == "f" else Action.call() if word == "c" else Action.raise_to(int(word[1:])))
    return state.record()


@pytest.mark.parametrize("odd", ["acpc", "casino"])
def test_all_in_on_the_flop_with_side_pots_is_the_mean_over_all_boards(odd: str) -> None:
    spec = GameSpec.no_limit(4, blinds=(5, 10), stack=1000, odd_chips=odd)
    # Four see the flop; one folds there; a short stack, a middle one and a deep one are all in.
    stacks = (120, 500, 1000, 1000)
    record = _hand(spec, ["AsAd", "KhKc", "9c8c", "QdQs"], "7c6c2hAhKd", "c c c c r120 r500 c f", stacks)
    final = record.at()
    assert final.showdown
    split = pots_of(final, uncalled=True)
    assert len(split) > 1
    assert sum(chips for chips, _ in split) == final.pot
    adjusted, exact = all_in_adjusted(record), mean_over_boards(record, 3)
    # Split pots with an odd chip are the only difference, and only under casino rules.
    assert adjusted == pytest.approx(exact, abs=1e-9 if odd == "acpc" else 0.5)
    assert adjusted.sum() == pytest.approx(0, abs=1e-9)
    assert not np.allclose(adjusted, np.array(record.payoffs) / spec.split)


def test_all_in_with_antes_and_a_short_ante() -> None:
    spec = GameSpec.no_limit(3, blinds=(5, 10), stack=300, ante=3, odd_chips="acpc")
    # The button is all in with a part of the ante; the others check to the turn and are all in there.
    state = HandState(spec, [cards(h) for h in ("AsAd", "KhKc", "9c8c")], cards("7c6c2hAhKd"), (300, 290, 2))
    while not state.finished:
        bet = state.street == 2 and state.legal.max_to > 0
        state.apply(Action.raise_to(state.legal.max_to) if bet else Action.call())
    record = state.record()
    assert [who for _, who in pots_of(state, uncalled=True)] == [(0, 1, 2), (0, 1), (0,)]
    assert all_in_adjusted(record) == pytest.approx(mean_over_boards(record, 4), abs=1e-9)


def test_hands_without_an_all_in_are_left_alone_and_unknown_cards_are_said() -> None:
    spec = GameSpec.no_limit(2, odd_chips="acpc")
    checked = _hand(spec, ["AsAd", "KhKc"], "7c6c2hAhKd", "c c c c c c c c")
    assert all_in_adjusted(checked).tolist() == [100.0, -100.0]
    folded = _hand(spec, ["AsAd", "KhKc"], "7c6c2hAhKd", "r20000 f")
    assert all_in_adjusted(folded).tolist() == [-100.0, 100.0]
    shoved = _hand(spec, ["AsAd", "KhKc"], "7c6c2hAhKd", "r20000 c")
    # Aces against kings of other suits before the flop: about 81 %.
    assert all_in_adjusted(shoved)[0] == pytest.approx(20_000 * (2 * 0.8171 - 1), abs=200)
    with pytest.raises(RulesError, match="position 0"):
        luck_terms(shoved.seen_by(1).__class__(**{**_fields(shoved), "hole": ((255, 255), shoved.hole[1])}))


def _fields(record: HandRecord) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__struct_fields__}


def _play(
    specs: list[str], hands: int, seed: int, stack: int, limit: bool = False
) -> tuple[list[HandRecord], list[Any]]:
    n = len(specs)
    game = GameSpec.limit(n, odd_chips="acpc") if limit else GameSpec.no_limit(n, stack=stack, odd_chips="acpc")
    agents = [make_agent(s) for s in specs]
    records = []
    for hand in range(hands):
        seats = tuple((hand + p) % n for p in range(n))
        state = HandState.deal(game, Rng(seed, hand, 0), seats=seats, hand=hand)
        rng = [Rng(seed, hand, 1 + s) for s in range(n)]
        while not state.finished:
            seat = seats[state.actor]
            state.apply(agents[seat].act(state.view(state.actor), rng[seat]))
        records.append(state.record())
    return records, [a.policy for a in agents]


@pytest.mark.parametrize(
    ("specs", "stack", "limit", "ratio"),
    [
        (["rules", "style:LA"], 2000, False, 0.35),
        (["rules", "style:TA"], 20_000, True, 0.6),
        (["rules", "style:LA", "style:LP"], 4000, False, 0.5),
    ],
)
def test_unbiased_and_quieter_in_holdem(specs: list[str], stack: int, limit: bool, ratio: float) -> None:
    records, policies = _play(specs, 450, 17, stack, limit)
    n = len(specs)
    raw = np.array([[r.payoffs[r.seats.index(s)] / r.spec.split for s in range(n)] for r in records])
    adjusted = luck_adjusted(records, policies)
    assert adjusted.shape == raw.shape
    assert np.abs(adjusted.sum(axis=1)).max() < 1e-6
    for values in (adjusted, luck_adjusted(records[:200])):
        off = raw[: len(values)] - values
        assert np.all(np.abs(off.mean(axis=0)) < 3 * off.std(axis=0, ddof=1) / len(off) ** 0.5)
    assert adjusted[:, 0].var() < ratio * raw[:, 0].var()
    # Every kind of term by itself.
    terms = np.array([luck_terms(r, [policies[s] for s in r.seats]).terms[:, r.seats.index(0)] for r in records[:400]])
    for k, name in enumerate(TERMS):
        assert abs(terms[:, k].mean()) <= 3.5 * terms[:, k].std() / len(terms) ** 0.5, name
        assert terms[:, k].any() or (limit and name == "all_in"), name


def test_a_decision_of_a_pure_policy_is_no_luck() -> None:
    spec = GameSpec.no_limit(2, odd_chips="acpc")
    record = _hand(spec, ["KhKc", "AsAd"], "7c6c2hAhKd", "r300 c c c c c c c")

    def always(view: Any) -> ActionDistribution:
        return ActionDistribution.certain(Action.raise_to(300) if view.to_call else Action.call())

    assert luck_terms(record, [None, always]).terms[5] == pytest.approx([0, 0])

    def half(view: Any) -> ActionDistribution:
        return ActionDistribution(((Action.fold(), 0.5), (Action.raise_to(300), 0.5))) if view.to_call else always(view)

    moved = luck_terms(record, [None, half]).terms[5]
    assert moved[1] > 0  # to raise aces was better than to fold them half the time
    assert moved.sum() == pytest.approx(0)


def test_a_raise_that_nobody_can_call_is_a_call() -> None:
    # Position 0 is all in for 500; the button, still to act, reaches 300; position 1 covers both and may raise. The
    # arena plays that raise as a call, so a policy that does both must not look lucky or unlucky for it.
    spec = GameSpec.no_limit(3, blinds=(50, 100), stack=1000)
    record = _hand(spec, ["AsAd", "KhKc", "QdQs"], "7c6c2hAhKd", "c r500 c f", (500, 1000, 300))
    assert record.at(2).actor == 1
    assert record.at(2).legal.max_to == 1000

    def both(view: Any) -> ActionDistribution:
        return ActionDistribution(((Action.call(), 0.5),), (RaiseBetween(900, 1000, 0.5),))

    assert luck_terms(record, [None, both, None]).terms[5] == pytest.approx([0, 0, 0])


def test_a_raise_over_a_short_big_blind_is_a_call_too() -> None:
    """The small blind has 10 more than the big blind's 60, and the bet to call is a full big blind."""
    spec = GameSpec.no_limit(3, blinds=(50, 100), stack=1000)
    record = _hand(spec, ["AsAd", "KhKc", "QdQs"], "7c6c2hAhKd", "c f", (90, 60, 1000))
    assert record.at(0).actor == 2 and not record.at(0).raise_can_be_called

    def always(view: Any) -> ActionDistribution:
        return ActionDistribution.certain(Action.raise_to(400))

    assert luck_terms(record, [None, None, always]).terms[5] == pytest.approx([0, 0, 0])


def test_sums_over_the_sizes_of_a_raise_are_those_of_a_plain_loop() -> None:
    """Three opponents, one of them short: every size by itself, as the head of the module describes it."""
    pot, top, own, room, grow = 700.0, 400.0, 150.0, 9000.0, 1.5
    theirs, behind = np.array([400.0, 200.0, 400.0]), np.array([3000.0, 300.0, 50.0])
    sizes = np.arange(650, 3151)
    weights = np.cos(sizes)
    sums, chips, more = np.empty(6), np.empty(3), np.empty(3)
    raise_sums_kernel(sizes, weights, np.array([pot, top, own, room, grow]), theirs, behind, sums, chips, more)
    rows = []
    for to in sizes.tolist():
        puts = [min(max(to - total, 0), left) for total, left in zip(theirs, behind, strict=True)]
        call = pot / (pot + to - top)
        fold = (1 - call) ** 3
        paid = to - own
        called = pot + paid + call * sum(puts) / (1 - fold)
        growth = min(grow * called, room - paid - call * sum(puts) / (1 - fold))
        row = [fold * (pot + paid) - paid, (1 - fold) * called, (1 - fold) * growth, fold, pot + paid + sum(puts), paid]
        rows.append([*row, *(call * x for x in puts), *puts])
    assert [*sums, *chips, *more] == pytest.approx((weights @ np.array(rows)).tolist(), rel=1e-9)
