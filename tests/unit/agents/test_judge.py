"""Values of actions: play-outs at tables, solutions heads-up, tables for short stacks."""

from __future__ import annotations

import numpy as np
import pytest

from dupai.agents.judge import Judgement, judge
from dupai.base import AgentError, Estimate
from dupai.notation import Reason, choice_reason, view_from_text
from dupai.reading import load_reader
from dupai.rules import Action, GameSpec, HandState

_TABLE = "6 players, blinds 50/100, stacks 10000"


def _judged(text: str, *also: Action, **options: float) -> Judgement:
    return judge(view_from_text(text), load_reader("model"), also, **options)  # type: ignore[arg-type]


def test_what_the_prior_never_does_is_not_recommended() -> None:
    """Limped aces look better than raised ones, for nobody in the data limps them."""
    judgement = _judged(f"{_TABLE}, utg, AsAh", deals=1024)
    assert judgement.source.code == "played_out"
    limp = judgement.actions.index(Action.call())
    assert not judgement.trusted[limp]
    assert judgement.actions[judgement.best].to in (200, 250)
    fold = judgement.actions.index(Action.fold())
    assert judgement.values[fold].mean == 0
    assert judgement.policy.points[limp][1] == 0


def test_the_best_beats_what_is_not_even() -> None:
    judgement = _judged(f"{_TABLE}, button, KsQs; utg raises to 300, hj calls, folds to me", deals=1024)
    best = max(judgement.even, key=lambda k: judgement.values[k].mean)
    for k, trusted in enumerate(judgement.trusted):
        gap = judgement.difference(best, k)
        assert (k in judgement.even) == (trusted and not gap.mean > 2 * gap.se)
    points = judgement.policy.points
    assert sum(p for _, p in points) == pytest.approx(1)
    assert judgement.best in judgement.even


def test_an_action_that_is_asked_for_stands_for_its_size_and_is_played_on_all_deals() -> None:
    judgement = _judged(f"{_TABLE}, button, KsQs; folds to me", Action.raise_to(230), Action.fold(), deals=1024)
    assert [a.to for a in judgement.actions if a.to in (200, 225, 230)] == [230]
    assert judgement.played is not None
    for action in (Action.fold(), Action.raise_to(230)):
        assert not np.isnan(judgement.played.won[:, judgement.actions.index(action)]).any()


@pytest.mark.parametrize("values", [(0, 64, 140, 207), (0, 64, 207, 140), (0, 64, 60, 140), (0, 64, 60, 50)])
def test_of_the_actions_that_only_seem_better_the_best_is_named(values: tuple[int, ...]) -> None:
    view = view_from_text("heads-up, blinds 50/100, stacks 800, bb, Ah6c; raises to 200")
    actions = (Action.fold(), Action.call(), Action.raise_to(400), Action.raise_to(800))
    each, trusted = tuple(Estimate(v, 5.0, 100) for v in values), (True, True, False, False)
    judgement = Judgement(actions, np.array([0.0, 1.0, 0.0, 0.0]), each, trusted, None, Reason("played_out"))
    named = [reason.values["action"] for reason in judgement.doubted(view)]
    best = actions[values.index(max(values))]
    assert named == ([] if best == Action.call() else [(choice_reason(view, best),)])


def test_short_stacks_take_the_push_fold_table() -> None:
    judgement = _judged("heads-up, blinds 50/100, stacks 1000, sb, AsAh")
    assert judgement.source.code == "push_fold"
    assert judgement.actions == (Action.fold(), Action.raise_to(1000))
    # Called by 37 % of hands, aces win 85 % of 20 big blinds; half a blind was paid before.
    assert judgement.values[1].mean / 100 == pytest.approx(0.63 * 1.5 + 0.37 * (0.85 * 20 - 9.5), abs=0.25)
    judgement = _judged("heads-up, blinds 50/100, stacks 1000, bb, 7s2h; sb all-in")
    assert judgement.best == judgement.actions.index(Action.fold())
    assert judgement.values[1].mean < 0
    # A limp is not in the table.
    judgement = _judged("heads-up, blinds 50/100, stacks 1000, sb, AsAh", Action.call(), deals=128)
    assert judgement.source.code == "played_out"


@pytest.mark.parametrize(
    ("state", "call", "pot", "least"),
    [
        # 7-2 offsuit wins 12 % against aces and 35 % against any hand; 8-3 offsuit 37.5 %.
        ("6 players, blinds 50/100, stacks 5000/120/5000/5000/5000/5000, bb, 7h2c; utg all-in, folds to me",
         20, 270, 0.12),
        ("heads-up, blinds 50/100, stacks 100, button, 8h3c", 50, 150, 0.33),
        ("6 players, blinds 50/100, stacks 10000, button, 7h2c; utg raises to 300, folds to me, raises to 9500, "
         "folds to utg, all-in", 500, 19650, 0.12),
    ],
)  # fmt: skip
def test_any_two_cards_call_at_the_right_price(state: str, call: int, pot: int, least: float) -> None:
    """Nothing is played after such a call: pot odds decide, whatever a program with deep stacks does."""
    view = view_from_text(state)
    assert (view.to_call, view.winnable) == (call, pot)
    judgement = _judged(state)
    k = judgement.actions.index(Action.call())
    assert judgement.trusted[k]
    assert judgement.values[k].mean > least * (pot + call) - call > 0
    assert judgement.best == k
    assert judgement.policy.probability(Action.call()) > 0.99


@pytest.mark.parametrize(
    "state",
    [
        # To call needs 44 %; against the best fifth of hands K8s has 37 %, T-9 offsuit 36 %.
        "heads-up, blinds 50/100, stacks 1600, button, Kh8h; raises to 200, bb all-in",
        "heads-up, blinds 50/100, stacks 1600, button, Th9c; raises to 200, bb all-in",
        # Nor is a call for a deep stack, nor one that others may still raise, nor an all-in over a raise.
        "6 players, blinds 50/100, stacks 10000, bb, AhTd; utg all-in, folds to me",
        "6 players, blinds 50/100, stacks 1000/1000/1000/250/1000/1000, co, 7h2c; utg folds, hj all-in",
        "heads-up, blinds 50/100, stacks 1500, bb, Qh2c; button raises to 200",
    ],
)
def test_what_hangs_on_the_reading_or_on_guessed_answers_needs_the_prior(state: str) -> None:
    view = view_from_text(state)
    judgement = _judged(state, deals=256)
    for action, prior, trusted in zip(judgement.actions, judgement.prior, judgement.trusted, strict=True):
        if action.kind == 1 or (action.kind == 2 and action.to == view.legal.max_to):
            assert trusted == (prior >= (0.03 if action.kind == 1 else 0.15)), action
    # Nothing follows a call for all chips: what follows is no guess.
    codes = [reason.code for reason in judgement.doubted(view)]
    assert "seems_better" not in codes or view.legal.max_to


@pytest.mark.parametrize(
    ("state", "right"),
    [
        # In the push/fold equilibrium all of these go all-in, and 9-6 offsuit and 7-2 do not.
        ("6 players, blinds 100/200, stacks 1000, button, As9d; folds to me", True),
        ("3 players, blinds 50/100, stacks 800, button, Ks9d", True),
        ("9 players, blinds 50/100, ante 12, stacks 1200, hj, As5s; folds to me", True),
        ("3 players, blinds 50/100, stacks 800, button, 9s6d", False),
        ("6 players, blinds 100/200, stacks 1000, button, 7s2d; folds to me", False),
        # With more chips, or with aces, a small raise wins more.
        ("3 players, blinds 50/100, stacks 800, button, AsAd", False),
        ("6 players, blinds 50/100, stacks 3000, button, As9d; folds to me", False),
    ],
)
def test_the_first_all_in_of_a_short_stack(state: str, right: bool) -> None:
    judgement, most = _judged(state), view_from_text(state).legal.max_to
    assert (judgement.actions[judgement.best].to == most) == right


def test_the_last_two_of_a_table_take_the_push_fold_table() -> None:
    for hand in ("Jh7c", "6h2c"):
        table = _judged(f"6 players, blinds 50/100, stacks 800, sb, {hand}; folds to me")
        two = _judged(f"heads-up, blinds 50/100, stacks 800, sb, {hand}")
        assert (table.source.code, table.actions, table.values) == ("push_fold", two.actions, two.values)
        assert (table.best == table.actions.index(Action.fold())) == (hand == "6h2c")
        table = _judged(
            f"6 players, blinds 50/100, stacks 5000/800/5000/5000/5000/5000, bb, {hand}; folds to sb, all-in"
        )
        two = _judged(f"heads-up, blinds 50/100, stacks 5000/800, bb, {hand}; sb all-in")
        assert (table.source.code, table.values) == ("push_fold", two.values)
    # Dead antes of 0.3 big blinds make more hands go all-in.
    antes = _judged("6 players, blinds 50/100, ante 5, stacks 805, sb, Jh7c; folds to me")
    assert antes.source.code == "push_fold"
    assert 8 < antes.values[1].mean - _judged("heads-up, blinds 50/100, stacks 800, sb, Jh7c").values[1].mean < 40
    for other in (
        "3 players, blinds 50/100, stacks 800, bb, Jh7c; button all-in, folds to me",
        "9 players, blinds 50/100, ante 12, stacks 812, sb, Jh7c; folds to me",
        "3 players, blinds 50/100, stacks 1600, sb, Jh7c; folds to me",
        "3 players, blinds 50/100, stacks 800, bb, Jh7c; folds to sb, calls",
    ):
        assert _judged(other, deals=64).source.code == "played_out", other


def test_a_heads_up_river_is_solved() -> None:
    text = (
        "heads-up, blinds 50/100, stacks 10000, bb, AcKc; sb raises to 300, bb calls; "
        "flop As9h5d: checks, bets 300, calls; turn 3c: checks, checks; river 2s"
    )
    judgement = _judged(text, Action.raise_to(1111))
    assert judgement.source.values == {"street": "river"}
    # Half a percent of the pot.
    assert all(value.se == pytest.approx(6) for value in judgement.values)
    by_action = dict(zip(judgement.actions, judgement.values, strict=True))
    near = min((a for a in by_action if a.to not in (0, 1111)), key=lambda a: abs(a.to - 1111))
    assert by_action[Action.raise_to(1111)] == by_action[near]
    assert judgement.policy.probability(Action.raise_to(1111)) == 0
    # More than half of a pot of 1,200.
    assert 600 < by_action[Action.call()].mean < 1_300


def test_other_games_are_played_out() -> None:
    """Limit games; pot-limit games without their limit."""
    for text, code in (("limit", "played_out"), ("pot-limit", "played_out_no_limit")):
        judgement = _judged(f"3 players, {text}, blinds 50/100, button, AsAh; folds to me", deals=512)
        assert judgement.source.code == code
        assert judgement.actions[judgement.best].kind == 2
        assert all(a.to <= 350 for a in judgement.actions)


def test_the_same_seed_gives_the_same_values() -> None:
    one, two = (_judged(f"{_TABLE}, button, KsQs; folds to me", deals=256) for _ in range(2))
    assert one.values == two.values
    other = _judged(f"{_TABLE}, button, KsQs; folds to me", deals=256, seed=2)
    assert one.values != other.values


def test_cards_that_are_not_known_are_refused() -> None:
    view = HandState(GameSpec.no_limit(2, (50, 100), 10_000)).view(None)
    with pytest.raises(AgentError, match="does not show its hole cards"):
        judge(view, load_reader("model"))


@pytest.mark.parametrize(("hand", "best"), [("Kd8d", Action.fold()), ("7s2h", Action.fold()), ("AsAd", Action.call())])
def test_a_strangers_first_all_in_is_not_called_with_any_hand(hand: str, best: Action) -> None:
    """A call needs 48 %: against `22+,A9s+,AJo+,KTs+,KQo,QTs+,JTs` K8s has 37.5 %, aces 83.5 %."""
    view = view_from_text(f"9 players, blinds 100/200, stacks 4000, button, {hand}; utg all-in, folds to me")
    reader = load_reader("model")
    reader.meet({seat: f"stranger{seat}" for seat in view.seats})
    judgement = judge(view, reader, deals=1024)
    assert judgement.actions[judgement.best] == best
