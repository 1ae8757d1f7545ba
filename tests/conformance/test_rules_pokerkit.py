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
* ``completing a bet``: in limit, an all-in of less than half a bet is completed to the full bet and is none of the
  raises that the cap counts (Robert's Rules, "Betting and raising"); PokerKit adds a whole bet to it and counts it.
* ``half a bet``: in limit, an all-in of at least half a bet reopens the betting (TDA rule 47), for PokerKit a
  full one.
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
from pokerkit import Automation, FixedLimitTexasHoldem, NoLimitTexasHoldem

from dupai.base import Rng
from dupai.cards import card_text, cards_text
from dupai.rules import CALL, FOLD, RAISE, Action, GameSpec, HandState
from naive.rules_random import random_action, random_spec, random_stacks

AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


class Oracle:
    """A PokerKit hand with the same cards, its totals counted for the hand as ours are."""

    def __init__(self, spec, stacks, hole, board):
        heads_up = spec.players == 2
        antes = spec.antes[::-1] if heads_up else spec.antes  # PokerKit swaps these back
        blinds = spec.blinds[::-1] if heads_up else spec.blinds
        uniform = len(set(antes)) == 1
        common = (AUTOMATIC, uniform, antes, blinds)
        if spec.betting == "limit":
            sizes = (spec.bet_sizes[0], spec.bet_sizes[2])
            self.pk = FixedLimitTexasHoldem.create_state(*common, *sizes, stacks, spec.players)
        else:
            self.pk = NoLimitTexasHoldem.create_state(*common, spec.big_blind, stacks, spec.players)
        self.stacks = stacks
        self.antes = [min(a, s) for a, s in zip(spec.antes, stacks, strict=True)]
        self.hole = [cards_text(h) for h in hole]
        self.board = [card_text(int(c)) for c in board]
        self.deal()

    def deal(self):
        pk = self.pk
        while True:
            if pk.can_burn_card("??"):
                pk.burn_card("??")
            elif pk.can_deal_hole():
                i = pk.hole_dealee_index
                pk.deal_hole(self.hole[i])
            elif pk.can_deal_board():
                k = 3 if len(self.board) == 5 else 1
                pk.deal_board("".join(self.board[:k]))
                self.board = self.board[k:]
            else:
                return

    @property
    def actor(self):
        return -1 if self.pk.actor_index is None else self.pk.actor_index

    def legal(self):
        pk, i = self.pk, self.pk.actor_index
        before = self.stacks[i] - pk.stacks[i] - pk.bets[i] - self.antes[i]  # live chips of earlier streets
        lo = pk.min_completion_betting_or_raising_to_amount
        hi = pk.max_completion_betting_or_raising_to_amount
        raises = (0, 0) if lo is None else (lo + before, hi + before)
        return pk.can_fold(), pk.checking_or_calling_amount, *raises

    def act(self, kind, to):
        pk, i = self.pk, self.pk.actor_index
        if kind == FOLD:
            pk.fold()
        elif kind == CALL:
            pk.check_or_call()
        else:
            pk.complete_bet_or_raise_to(to - (self.stacks[i] - pk.stacks[i] - pk.bets[i] - self.antes[i]))
        self.deal()

    def nothing_to_decide(self):
        pk, i = self.pk, self.pk.actor_index
        others = [j for j in pk.player_indices if j != i and pk.statuses[j]]
        return all(pk.stacks[j] == 0 for j in others) and pk.checking_or_calling_amount == 0


def raise_difference(state, pk):
    """The class that a difference over whether a raise is allowed belongs to, or None."""
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
    """Both are the exact split, up to odd chips between players who tie with somebody."""
    exact_spec = msgspec.structs.replace(state.spec, odd_chips="acpc")
    exact = msgspec.structs.replace(state.record(), spec=exact_spec).replay().payoffs
    strength = state.state["strength"][0, : state.spec.players].tolist()
    tied = [s and strength.count(s) > 1 for s in strength]
    return (
        all(
            a == b or (t and abs(b - x / exact_spec.split) < state.spec.players)
            for a, b, x, t in zip(ours, theirs, exact.tolist(), tied, strict=True)
        )
        and sum(theirs) == 0
    )


def play(spec, stacks, rng, seen):
    state = HandState.deal(spec, rng, stacks=stacks)
    oracle = Oracle(spec, stacks, state.hole, state.state["board"][0])
    story = f"{spec} stacks {stacks} hole {oracle.hole}:"
    pk = oracle.pk
    short = state.bets[spec.blinds.index(spec.big_blind)] < spec.big_blind
    while True:
        if short and (state.actor, *state.legal) != (
            oracle.actor,
            *(oracle.legal() if oracle.actor >= 0 else (0,) * 4),
        ):
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
        ours, theirs = state.legal, oracle.legal()
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


def limit_of_four(spec):
    """PokerKit caps limit games at four raises before the flop too."""
    return msgspec.structs.replace(spec, max_raises=(4,) * 4) if spec.betting == "limit" else spec


@pytest.mark.parametrize("betting", ["no-limit", "limit"])
def test_pokerkit_in_step(betting):
    rng = Rng(31, len(betting))
    seen = Counter()
    for _ in range(250):
        spec = limit_of_four(random_spec(rng, betting=betting, min_raise="casino", odd_chips="casino"))
        play(spec, random_stacks(rng, spec), rng, seen)
    print(dict(seen))
    assert seen["hands"] > 190
    assert seen["decisions"] > 1500
