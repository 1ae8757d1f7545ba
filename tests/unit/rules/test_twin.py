"""The kernels against a plain engine that shares nothing with them, action by action."""

from fractions import Fraction

import msgspec
import pytest

from dupai.base import Rng
from dupai.cards import cards_text
from dupai.rules import HandState
from naive.rules_engine import NaiveHand
from naive.rules_random import random_action, random_spec, random_stacks


@pytest.mark.parametrize("block", range(8))
def test_every_decision_and_payoff_agrees_with_the_plain_engine(block):
    rng = Rng(20, block)
    decisions = sidepots = 0
    for hand in range(400):
        spec = random_spec(rng)
        if hand % 5 == 0 and spec.betting != "limit":
            spec = msgspec.structs.replace(spec, min_bet=1 + hand % (2 * spec.big_blind))
        stacks = random_stacks(rng, spec)
        state = HandState.deal(spec, rng, stacks=stacks)
        board = cards_text(state.state["board"][0])
        twin = NaiveHand(spec, stacks, [cards_text(h) for h in state.hole], board)
        story = f"block {block} hand {hand} {spec} stacks {stacks}"
        while not state.finished:
            assert (state.actor, state.street, *state.legal) == (twin.actor, twin.street, *twin.legal()), story
            assert state.stacks == tuple(twin.behind), story
            assert state.pot == sum(twin.live) + sum(twin.ante), story
            action = random_action(rng, state.legal)
            story += f" {action}"
            state.apply(action)
            twin.act(*action)
            decisions += 1
        assert twin.over, story
        assert state.street == twin.street, story
        assert [Fraction(int(x), spec.split) for x in state.payoffs] == twin.payoffs(), story
        sidepots += len(twin.pots()) > 2
    assert decisions > 2000
    assert sidepots > 50
