"""Random hands played in step by our casino rules and by PokerKit: every decision and every payoff.

Where the two differ, the difference must belong to one of the classes below; each is counted, none is skipped unseen.
Our side of each, and why:

* ``nobody can call more``: PokerKit refuses a raise when every opponent still to act has no more than the bet faced.
  Sites allow it (the raise is returned uncalled), and so do we; with all opponents all-in both refuse.
* ``short opening``: after an all-in short of a full bet (or short of a raise of one big blind), PokerKit lets players
  who have already acted raise, because it takes the first wager of a street as full. TDA rule 47 says "less than a full
  bet or raise".
* ``several short all-ins``: PokerKit forgets earlier short all-ins once their sum has reached a raise. TDA rule 47 asks
  whether the player faces a full raise in all.
* ``half a bet``: in limit, an all-in of at least half a bet reopens the betting (TDA rule 47), for PokerKit a
  full one.
* ``completing a bet``: in limit, an all-in of less than half a bet is completed to the full bet and is none of the
  raises that the cap counts (Robert's Rules, betting and raising); PokerKit adds a whole bet to it and counts it.
* ``nothing to decide``: PokerKit asks the last player able to act though he has matched everybody; at a table, and on
  sites, the hand is run out.
* ``short big blind``: PokerKit lets a big blind that was posted short lower the price of the call and of the raise, and
  finds the first to act by the chips posted; the full blind must be called (Robert's Rules, section 3), and who acts
  first does not depend on stacks. The hand is not followed further.
* ``odd chips``: PokerKit gives all odd chips of a pot to the first winner, TDA rule 20 one to each in turn; and it
  joins side pots when beaten hands have been mucked, where TDA rule 21 splits each by itself.
"""

from collections import Counter

import msgspec
import pytest

from conformance.pokerkit_engine import Oracle
from dupai.base import Rng
from dupai.rules import CALL, RAISE, Action, GameSpec, HandState
from naive.rules_random import random_action, random_spec, random_stacks

CLASSES = (
    "nobody can call more",
    "short opening",
    "several short all-ins",
    "half a bet",
    "completing a bet",
    "nothing to decide",
    "short big blind",
    "odd chips",
)


def raise_difference(state, pk):
    """The class that a difference over whether, or to what, a raise is allowed belongs to, or None."""
    i = state.actor
    row = state.state[0]
    top = max(pk.bets)
    faced = int(row["top"] - row["total"][i])
    limit = state.spec.betting == "limit"
    size = state.spec.bet_sizes[state.street] if limit else int(row["min_to"] - row["top"])
    if limit and (row["min_to"] - row["top"] < size or row["raises"] < pk.completion_betting_or_raising_count):
        return "completing a bet"
    if state.legal.can_raise:
        reach = [pk.stacks[j] + pk.bets[j] for j in pk.player_indices if j != i and pk.statuses[j]]
        if max(reach) <= top:
            return "nobody can call more"
        if row["acted"][i] and limit and 2 * faced >= size > faced:
            return "half a bet"
        if row["acted"][i] and faced >= size and sum(pk.consecutive_short_all_in_amounts) < size:
            return "several short all-ins"
    elif row["acted"][i] and faced < size and pk.completion_betting_or_raising_amount < size:
        return "short opening"
    return None


def odd_chips_only(state, ours, theirs):
    """Both are the exact split, up to the odd chips of each pot between players who tie with somebody."""
    exact_spec = msgspec.structs.replace(state.spec, odd_chips="acpc")
    exact = msgspec.structs.replace(state.record(), spec=exact_spec).at().payoffs
    strength = state.state["strength"][0, : state.spec.players].tolist()
    most = [len({*state.contributions}) * (strength.count(s) - 1) if s else 0 for s in strength]
    return sum(theirs) == 0 and all(
        abs(b - x / exact_spec.split) <= m
        for b, x, m in zip((*ours, *theirs), exact.tolist() * 2, most * 2, strict=True)
    )


def play(spec, stacks, rng, seen):
    state = HandState.deal(spec, rng, stacks=stacks)
    oracle = Oracle(spec, stacks, state.hole, state.state["board"][0])
    story = f"{spec} stacks {stacks} hole {oracle.hole}:"
    pk = oracle.pk
    short = state.bets[spec.blinds.index(spec.big_blind)] < spec.big_blind
    while True:
        theirs = oracle.legal() if oracle.actor >= 0 else (False, 0, 0, 0)
        if short and (state.actor, *state.legal) != (oracle.actor, *theirs):
            assert state.street in (0, 3), story
            assert not state.actions or max(pk.bets) < 2 * spec.big_blind, story
            seen["short big blind"] += 1
            return
        if oracle.actor >= 0 and state.actor != oracle.actor:
            assert state.finished and oracle.nothing_to_decide(), story
            seen["nothing to decide"] += 1
            oracle.act(CALL, 0)
            continue
        assert state.actor == oracle.actor, story
        if state.finished:
            break
        ours = state.legal
        assert tuple(ours)[:2] == theirs[:2], story
        action = random_action(rng, ours)
        if tuple(ours)[2:] != theirs[2:]:
            reason = raise_difference(state, pk)
            assert reason is not None, f"{ours} against {theirs}: {story}"
            assert 0 in (ours.max_to, theirs[3]) or reason == "completing a bet", f"{ours} against {theirs}: {story}"
            seen[reason] += 1
            if action.kind == RAISE:
                action = random_action(rng, ours._replace(min_to=0, max_to=0))
        seen["decisions"] += 1
        story += f" {action}"
        state.apply(action)
        oracle.act(*action)
    ours, theirs = state.payoffs.tolist(), list(pk.payoffs)
    if ours != theirs:
        assert odd_chips_only(state, ours, theirs), f"{ours} against {theirs}: {story}"
        seen["odd chips"] += 1
    seen["hands"] += 1


def random_game(rng, betting):
    """A casino game: antes of all or of the big blind, sometimes a straddle or a missing small blind; any caps."""
    spec = random_spec(rng, betting=betting, min_raise="casino", odd_chips="casino")
    n = spec.players
    blinds, first = spec.blinds, spec.first_player
    if n > 3 and rng.below(6) == 0:
        blinds = (*spec.blinds[:2], 2 * spec.big_blind, *spec.blinds[3:])
        first = (3 % n, 0, 0, 0)
    elif n > 2 and rng.below(8) == 0:
        blinds = (0, *spec.blinds[1:])
    min_bet = spec.min_bet
    if betting != "limit" and max(blinds) > spec.big_blind and rng.below(2):
        min_bet = spec.big_blind  # the straddle does not raise the bets of later streets
    caps = (4,) * 4 if betting == "limit" and rng.below(2) else spec.max_raises
    return msgspec.structs.replace(spec, blinds=blinds, first_player=first, max_raises=caps, min_bet=min_bet)


def run(betting, seed, hands):
    """Play until ``hands`` hands were followed to the end."""
    rng, seen = Rng(*seed), Counter()
    while seen["hands"] < hands:
        spec = random_game(rng, betting)
        play(spec, random_stacks(rng, spec), rng, seen)
    assert set(seen) <= {"hands", "decisions", *CLASSES}
    assert seen["decisions"] > 8 * hands
    assert seen["short big blind"] < 0.3 * hands
    assert sum(seen[c] for c in CLASSES) - seen["short big blind"] < 0.05 * seen["decisions"]
    return seen


@pytest.mark.parametrize(
    ("betting", "chunk"),
    [*(("no-limit", k) for k in range(5)), *(("limit", k) for k in range(3)), *(("pot-limit", k) for k in range(2))],
)
def test_pokerkit_in_step(betting, chunk, record_property):
    seen = run(betting, (31, len(betting), chunk), 700)
    record_property(f"against PokerKit, {betting}", dict(seen))


def test_several_short_all_ins_reopen_the_betting_for_us_only():
    spec = GameSpec.no_limit(5)
    stacks = (520, 20_000, 20_000, 400, 500)
    state = HandState.deal(spec, Rng(1), stacks=stacks)
    oracle = Oracle(spec, stacks, state.hole, state.state["board"][0])
    for to in (300, 400, 500, 520, 0):  # raised by 200, 100, 100 and 20; the big blind calls
        action = Action.raise_to(to) if to else Action.call()
        state.apply(action)
        oracle.act(*action)
    assert state.actor == oracle.actor == 2
    assert state.legal == (True, 220, 720, 20_000)
    assert oracle.legal() == (True, 220, 0, 0)
    assert raise_difference(state, oracle.pk) == "several short all-ins"
