"""Random hands played in step by our ACPC rules and by OpenSpiel's universal_poker (the ACPC engine in C++).

There are no known differences: every legal action, size and payoff must be the same. What universal_poker cannot play
is not drawn: antes that are not bets (the ACPC game file knows blinds only), pot-limit, limit of five players and more
(it passes no stacks on and dies), limit stacks that run out (the ACPC dealer itself is wrong about them) and everybody
all-in by the blinds (the ACPC dealer never comes back).
"""

from collections import Counter

import pytest

from conformance.openspiel_engine import Dealer
from dupai.base import Rng
from dupai.cards import cards_text
from dupai.rules import UNLIMITED, GameSpec, HandState
from naive.rules_random import random_action


def random_game(rng, limit):
    """Blinds of two positions, sometimes a straddle, a missing small blind, or something from everybody."""
    n = 2 + rng.below(3 if limit else 9)
    small, big = ((1, 2), (2, 5), (5, 10))[rng.below(3)]
    rules = {"odd_chips": "acpc", "min_raise": "acpc"}
    blinds = (small, big)
    kind = rng.below(8)
    if n > 3 and kind == 0:
        blinds = (small, big, 2 * big)
    elif n > 2 and kind == 1:
        blinds = (0, big)
    elif n > 2 and kind == 2:
        blinds = (small, *(big - rng.below(2) for _ in range(n - 2)), big)
    if limit:
        return GameSpec.limit(n, blinds, (big, big, 2 * big, 2 * big), UNLIMITED, **rules)
    big = max(blinds)
    deep = big * (2 + rng.below(25))
    stacks = [deep if rng.below(2) else big + 1 + rng.below(deep) for _ in range(n)]
    return GameSpec.no_limit(n, blinds, stacks, max_raises=(255,) * 4, **rules)


def play(spec, rng, seen):
    limit = spec.betting == "limit"
    state = HandState.deal(spec, rng)
    other = Dealer(spec, [c for hole in state.hole for c in hole] + state.state["board"][0].tolist())
    story = f"{spec} {[cards_text(h) for h in state.hole]}:"
    while not state.finished:
        assert state.actor == other.actor, story
        ours = state.legal
        raises = (ours.min_to, ours.max_to) if not limit else (int(ours.can_raise),) * 2
        assert (ours.fold, *raises) == other.legal(), story
        action = random_action(rng, ours)
        story += f" {action}"
        seen["decisions"] += 1
        state.apply(action)
        other.act(*action)
    assert other.actor == -1, story
    payoffs = [x / spec.split for x in state.payoffs.tolist()]
    assert payoffs == pytest.approx(other.payoffs(), abs=1e-9), story
    seen["hands"] += 1
    seen["fractions of a chip"] += any(x % 1 for x in payoffs)


def run(limit, seed, hands):
    rng, seen = Rng(*seed), Counter()
    for _ in range(hands):
        play(random_game(rng, limit), rng, seen)
    assert seen["hands"] == hands
    assert seen["decisions"] > 5 * hands
    return seen


@pytest.mark.parametrize(("limit", "chunk"), [(False, 0), (False, 1), (False, 2), (True, 0)])
def test_universal_poker_in_step(limit, chunk, record_property):
    seen = run(limit, (41, limit, chunk), 5_000)
    assert seen["fractions of a chip"] > 0
    record_property(f"against universal_poker, {'limit' if limit else 'no-limit'}", dict(seen))
