"""Every state string of our dealer against OpenSpiel's universal_poker (the ACPC engine in C++), 2,000 random hands.

universal_poker prints the state with everybody's cards; a player's match state is that, less what he may not see.
"""

import re
from collections import Counter

import pytest

from conformance.openspiel_engine import Dealer as Engine
from dupai.base import Rng
from dupai.rules import RAISE
from naive.acpc_table import act, table_of
from naive.rules_random import random_action

_STATE = re.compile(r"STATE:0:([^:]*):([^:\n]*)")


def seen_by(position, betting, cards, showdown, folded):
    """What ``position`` may see of a state that shows everything, as the protocol describes it."""
    slots, slash, board = cards.partition("/")
    holes = slots.split("|")
    shown = [h if p == position or (showdown and not folded[p]) else "" for p, h in enumerate(holes)]
    return f"{betting}:{'|'.join(shown)}{slash}{board}"


def compare(state, table, engine, seen):
    betting, cards = _STATE.search(str(engine.state)).groups()
    told = [table.sent[seat][0] for seat in state.seats]
    over = engine.state.is_terminal()
    folded = [False] * state.spec.players
    for _, position, action in state.actions:
        folded[position] |= str(action) == "f"
    for position, line in enumerate(told):
        want = seen_by(position, betting, cards, over and folded.count(False) > 1, folded)
        assert line == f"MATCHSTATE:{position}:{state.hand}:{want}"
        seen["state strings"] += 1


def play(game, hands, seed):
    rng, seen = Rng(seed), Counter()
    dealer, table = table_of(game, hands=hands, seed=seed)
    limit = dealer.config.game.betting == "limit"
    while not dealer.done:
        state = dealer.state
        deck = [c for two in state.hole for c in two] + state.state["board"][0].tolist()
        engine = Engine(state.spec, deck)
        # What was sent last is the first state of this hand.
        for lines in table.sent.values():
            while len(lines) > 1:
                lines.popleft()
        while True:
            compare(state, table, engine, seen)
            if state.finished:
                break
            action = random_action(rng, state.legal)
            text = "r" if limit and action.kind == RAISE else str(action)
            act(dealer, table, text)
            engine.act(*action)
        assert engine.actor == -1
        assert [x / 2520 for x in state.payoffs.tolist()] == pytest.approx(engine.payoffs(), abs=1e-9)
        seen["hands"] += 1
    assert not dealer.faults
    assert seen["hands"] == hands
    return seen


@pytest.mark.parametrize(
    ("game", "hands", "seed"),
    [
        ("holdem.nolimit.2p", 800, 21),
        ("holdem.nolimit.3p", 500, 22),
        ("holdem.nolimit.6p", 300, 23),
        ("holdem.limit.2p", 200, 24),
        ("holdem.limit.3p", 200, 25),
    ],
)
def test_state_strings_of_universal_poker(game, hands, seed, record_property):
    seen = play(game, hands, seed)
    record_property(f"dealer against universal_poker, {game}", dict(seen))
