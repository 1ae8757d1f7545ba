"""Action distributions: what they hold, and that drawing from them keeps to it."""

from __future__ import annotations

import math
from collections import Counter

import msgspec
import pytest

from dupai.base import ConfigError, Rng
from dupai.rules import Action
from dupai.spots import ActionDistribution, RaiseBetween

_MIXED = ActionDistribution(
    ((Action.fold(), 0.2), (Action.call(), 0.25), (Action.raise_to(150), 0.05)),
    (RaiseBetween(100, 199, 0.3), RaiseBetween(150, 150, 0.2)),
)


def test_probabilities_by_action_and_kind() -> None:
    assert (_MIXED.fold, _MIXED.call, _MIXED.raising) == pytest.approx((0.2, 0.25, 0.55))
    assert _MIXED.probability(Action.call()) == 0.25
    assert _MIXED.probability(Action.raise_to(150)) == pytest.approx(0.05 + 0.3 / 100 + 0.2)
    assert _MIXED.probability(Action.raise_to(100)) == pytest.approx(0.003)
    assert _MIXED.probability(Action.raise_to(200)) == 0.0
    total = _MIXED.fold + _MIXED.call + sum(_MIXED.probability(Action.raise_to(x)) for x in range(90, 210))
    assert total == pytest.approx(1.0)
    assert ActionDistribution.certain(Action.call()).probability(Action.call()) == 1.0


def test_draws_follow_the_probabilities() -> None:
    rng = Rng(12)
    n = 50_000
    counts = Counter(_MIXED.sample(rng) for _ in range(n))
    for action in (Action.fold(), Action.call(), *(Action.raise_to(x) for x in range(100, 200))):
        p = _MIXED.probability(action)
        assert abs(counts[action] / n - p) < 5 * math.sqrt(p * (1 - p) / n), action
    assert sum(counts.values()) == n
    assert all(_MIXED.probability(action) > 0 for action in counts)


def test_rounding_never_leaves_the_draw_empty() -> None:
    short = 1 - 1e-10
    for distribution in (
        ActionDistribution(((Action.fold(), short), (Action.call(), 0.0))),
        ActionDistribution(((Action.fold(), short / 2),), (RaiseBetween(5, 9, short / 2), RaiseBetween(1, 2, 0.0))),
    ):

        class Highest(Rng):
            def uniform(self) -> float:
                return 1 - 2**-53

        action = distribution.checked().sample(Highest(1))
        assert distribution.probability(action) > 0


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (ActionDistribution(((Action.call(), 0.9),)), "add up to 0.9: expected 1"),
        (ActionDistribution(()), "add up to 0"),
        (ActionDistribution(((Action.call(), 1.5), (Action.fold(), -0.5))), "expected none below 0"),
        (ActionDistribution(((Action.call(), math.nan),)), "expected none below 0"),
        (ActionDistribution((), (RaiseBetween(9, 5, 1.0),)), "raise between 9 and 5"),
    ],
)
def test_what_is_no_distribution_is_refused(bad: ActionDistribution, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        bad.checked()


def test_it_travels_as_json() -> None:
    assert msgspec.json.decode(msgspec.json.encode(_MIXED), type=ActionDistribution) == _MIXED
