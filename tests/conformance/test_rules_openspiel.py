"""Random hands played in step by our ACPC rules and by OpenSpiel's universal_poker (the ACPC engine in C++)."""

from collections import Counter

import pyspiel
import pytest

from dupai.base import Rng
from dupai.cards import cards_text
from dupai.rules import UNLIMITED, GameSpec, HandState
from naive.rules_random import random_action


def universal_poker(spec):
    """The same game in OpenSpiel, every bet size allowed."""
    line = {
        "betting": "limit" if spec.betting == "limit" else "nolimit",
        "bettingAbstraction": "fullgame" if spec.betting == "no-limit" else "fcpa",
        "numPlayers": spec.players,
        "numRounds": 4,
        "blind": " ".join(map(str, spec.blinds)),
        "stack": " ".join(map(str, spec.stacks)),
        "firstPlayer": " ".join(str(p + 1) for p in spec.first_player),
        "numSuits": 4,
        "numRanks": 13,
        "numHoleCards": 2,
        "numBoardCards": "0 3 1 1",
    }
    if spec.betting == "limit":
        line["raiseSize"] = " ".join(map(str, spec.bet_sizes))
        line["maxRaises"] = " ".join(map(str, spec.max_raises))
    return pyspiel.load_game("universal_poker", line)


def deal(other, deck):
    """Deal OpenSpiel's next cards (rank by rank) from ours (suit by suit)."""
    while other.is_chance_node():
        c = deck.pop(0)
        other.apply_action(c % 13 * 4 + c // 13)


def legal(other, limit):
    actions = other.legal_actions()
    raises = [a for a in actions if a > 1]
    if limit:
        assert len(raises) <= 1
    elif raises:
        assert raises == list(range(raises[0], raises[-1] + 1))
    return 0 in actions, raises


def random_game(rng, limit):
    n = 2 + rng.below(3 if limit else 9)  # OpenSpiel dies of limit games of 5 players and more: it passes no stacks on
    small, big = ((1, 2), (2, 5), (5, 10))[rng.below(3)]
    rules = {"odd_chips": "acpc", "min_raise": "acpc"}
    if limit:  # nobody is ever all-in: the reference is wrong about stacks that cannot pay a bet
        return GameSpec.limit(n, (small, big), (big, big, 2 * big, 2 * big), UNLIMITED, **rules)
    deep = big * (2 + rng.below(25))
    stacks = [deep if rng.below(2) else big + 1 + rng.below(deep) for _ in range(n)]
    return GameSpec.no_limit(n, (small, big), stacks, max_raises=(255,) * 4, **rules)


def play(spec, rng, seen):
    limit = spec.betting == "limit"
    state = HandState.deal(spec, rng)
    other = universal_poker(spec).new_initial_state()
    deck = [c for hole in state.hole for c in hole] + state.state["board"][0].tolist()
    deal(other, deck)
    story = f"{spec} {[cards_text(h) for h in state.hole]}:"
    while not state.finished:
        assert state.actor == other.current_player(), story
        ours = state.legal
        fold, raises = legal(other, limit)
        assert ours.fold == fold, story
        if limit:
            assert ours.can_raise == bool(raises), story
        else:
            assert (ours.min_to, ours.max_to) == ((raises[0], raises[-1]) if raises else (0, 0)), story
        action = random_action(rng, ours)
        story += f" {action}"
        seen["decisions"] += 1
        state.apply(action)
        other.apply_action((2 if limit else action.to) if action.kind == 2 else action.kind)
        deal(other, deck)
    assert other.is_terminal(), story
    payoffs = [x / spec.split for x in state.payoffs.tolist()]
    assert payoffs == pytest.approx(other.returns(), abs=1e-9), story
    seen["hands"] += 1
    seen["fractions"] += any(x % 1 for x in payoffs)


@pytest.mark.parametrize("limit", [False, True], ids=["no-limit", "limit"])
def test_universal_poker_in_step(limit):
    rng = Rng(41, limit)
    seen = Counter()
    for _ in range(1000):
        play(random_game(rng, limit), rng, seen)
    print(dict(seen))
    assert seen["hands"] == 1000
    assert seen["decisions"] > 2000
    assert seen["fractions"] > 0
