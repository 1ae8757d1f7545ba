"""The comparisons of the rules with other engines, on many more hands."""

from collections import Counter

import pytest

from conformance.test_rules_openspiel import play as play_with_openspiel
from conformance.test_rules_openspiel import random_game
from conformance.test_rules_pokerkit import limit_of_four
from conformance.test_rules_pokerkit import play as play_with_pokerkit
from dupai.base import Rng
from naive.rules_random import random_spec, random_stacks

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("limit", [False, True], ids=["no-limit", "limit"])
def test_universal_poker(limit):
    rng, seen = Rng(42, limit), Counter()
    for _ in range(30_000):
        play_with_openspiel(random_game(rng, limit), rng, seen)
    print(dict(seen))
    assert seen["hands"] == 30_000


@pytest.mark.parametrize("betting", ["no-limit", "limit"])
def test_pokerkit(betting):
    rng, seen = Rng(32, len(betting)), Counter()
    for _ in range(5_000):
        spec = limit_of_four(random_spec(rng, betting=betting, min_raise="casino", odd_chips="casino"))
        play_with_pokerkit(spec, random_stacks(rng, spec), rng, seen)
    print(dict(seen))
    assert seen["hands"] > 4_000
