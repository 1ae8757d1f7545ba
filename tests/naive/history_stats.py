"""Tracker statistics of one hand, told event by event in plain Python: no masks, no tables, nothing of the kernel."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from dupai.rules import FOLD, RAISE, HandState
from naive.history_rows import given_back

STREETS = ("preflop", "flop", "turn", "river")


class Event:
    """One action and what stood before it."""

    def __init__(self, state, action):
        legal = state.legal
        self.street = state.street
        self.who = state.actor
        self.to_call = legal.to_call
        self.may_raise = legal.max_to > 0
        self.pot = state.pot
        self.mine = state.contributions[self.who]
        self.behind = state.stacks[self.who]
        self.can_act = [not f and not a for f, a in zip(state.folded, state.all_in, strict=True)]
        self.what = (
            "fold" if action.kind == FOLD else "raise" if action.kind == RAISE else "call" if legal.to_call else "check"
        )
        self.to = action.to or legal.min_to if action.kind == RAISE else 0


def events_of(record):
    """All events, and the state at the end."""
    state = HandState(record.spec, record.hole, record.board, record.stacks)
    events = []
    for action in record.actions:
        events.append(event := Event(state, action))
        event.counts = event.what == "raise" and is_full(record.spec, events[:-1], event)
        state.follow(action)
    assert state.finished
    return events, state


def is_full(spec, before, now):
    """Whether a raise is one for the cap and the next player: in a casino's limit game, half a bet or more."""
    if spec.betting != "limit" or spec.min_raise != "casino":
        return True
    top = max([spec.big_blind, *(e.to for e in before if e.counts or e.street < now.street)])
    size = spec.bet_sizes[now.street]
    return 2 * (top + size - now.to) <= size


def seat_name(players, position):
    """Words for a seat, counted back from the button."""
    if players == 2:
        return ("big blind", "button")[position]
    if position == 0:
        return "small blind"
    if position == 1:
        return "big blind"
    back = players - 1 - position
    if back == 0:
        return "button"
    if back == 1:
        return "late"
    between = players - 4
    early = (between + 1) // 2
    return "early" if position - 2 < early else "middle"


def count_hand(record):
    """``(rates, sizes, money)``: ``rates[position, statistic] = [n, successes]``; ``sizes[position] = [(group, class,
    thousandths or None)]``; ``money[position]``: the result in big blinds, exact."""
    events, state = events_of(record)
    n = record.spec.players
    rates = defaultdict(lambda: [0, 0])
    sizes = defaultdict(list)

    def note(p, name, done):
        rates[p, name][0] += 1
        rates[p, name][1] += bool(done)

    by_street = [[e for e in events if e.street == s] for s in range(4)]
    place = [seat_name(n, p) for p in range(n)]
    raisers = [[e.who for e in street if e.counts] for street in by_street]
    preflop_raiser = raisers[0][-1] if raisers[0] else None
    cbettor = [None, None, None, None]  # who made a c-bet on each street
    for s in (1, 2, 3):
        if raisers[s]:
            first = raisers[s][0]
            if s == 1 and first == preflop_raiser:
                cbettor[s] = first
            if s > 1 and cbettor[s - 1] == first == raisers[s - 1][-1]:
                cbettor[s] = first
    for s, street in enumerate(by_street):
        word = STREETS[s]
        noted = set()

        def once(p, name, done, noted=noted):
            """Note the first time on a street: after an all-in that is no raise, a player meets the same again."""
            if (p, name) not in noted:
                noted.add((p, name))
                note(p, name, done)

        for k, e in enumerate(street):
            before = street[:k]
            raised = [b.who for b in before if b.counts]
            mine = [b.what for b in before if b.who == e.who]
            since = before[max([i for i, b in enumerate(before) if b.counts], default=-1) + 1 :]
            callers = [b.who for b in since if b.what in ("call", "raise")]
            if e.what == "raise" and record.spec.betting != "limit":
                sizes[e.who].append(size_of(e, len(raised)))
            if s == 0:
                preflop(once, e, raised, mine, callers, place, before)
                continue
            bet_yet = bool(raised)
            last_was = raisers[s - 1][-1] if raisers[s - 1] else None
            if not bet_yet and e.may_raise:
                eligible = preflop_raiser == e.who if s == 1 else cbettor[s - 1] == e.who == last_was
                if eligible and "check" not in mine:
                    once(e.who, f"cbet-{word}", e.what == "raise")
                acted = {b.who for b in before}
                if last_was not in (None, e.who) and e.can_act[last_was] and last_was not in acted:
                    for name in ("donk", f"donk-{word}"):
                        once(e.who, name, e.what == "raise")
            if len(raised) == 1 and cbettor[s] == raised[0] != e.who and e.to_call:
                once(e.who, f"fold-to-cbet-{word}", e.what == "fold")
                if e.may_raise:
                    once(e.who, f"raise-cbet-{word}", e.what == "raise")
            if "check" in mine and e.to_call and e.may_raise:
                earlier = [b for b in before if b.who == e.who and b.to_call and b.may_raise]
                if not earlier:
                    for name in ("check-raise", f"check-raise-{word}"):
                        note(e.who, name, e.what == "raise")
            for name in ("af", f"af-{word}"):
                if e.what in ("raise", "call"):
                    note(e.who, name, e.what == "raise")
            for name in ("afq", f"afq-{word}"):
                if e.what in ("raise", "call", "fold"):
                    note(e.who, name, e.what == "raise")
    whole_hand(note, record, events, state)
    money = [Fraction(p, record.spec.split) / record.spec.big_blind for p in record.payoffs]
    return dict(rates), dict(sizes), money


def preflop(note, e, raised, mine, callers, place, before):
    """The statistics before the flop."""
    me = place[e.who]
    entered = any(what in ("call", "raise") for what in mine)
    folded_to = all(b.what == "fold" for b in before)
    if not raised and e.to_call and not mine:
        note(e.who, "limp", e.what == "call")
    if folded_to and e.to_call and e.may_raise:
        note(e.who, "open-raise", e.what == "raise")
        if me in ("late", "button", "small blind"):
            note(e.who, "steal", e.what == "raise")
    if len(raised) == 1 and e.may_raise:
        note(e.who, "3bet", e.what == "raise")
        if callers and not entered:
            note(e.who, "squeeze", e.what == "raise")
    if len(raised) == 2:
        if raised[0] == e.who and e.to_call:
            note(e.who, "fold-to-3bet", e.what == "fold")
        if e.may_raise:
            note(e.who, "4bet", e.what == "raise")
    if len(raised) == 3 and raised[1] == e.who and e.to_call:
        note(e.who, "fold-to-4bet", e.what == "fold")
    if len(raised) == 1 and me in ("small blind", "big blind") and not callers and e.to_call:
        opener = next(i for i, b in enumerate(before) if b.counts)
        stole = all(b.what == "fold" for b in before[:opener])
        if stole and place[raised[0]] in ("late", "button", "small blind"):
            note(e.who, "fold-to-steal", e.what == "fold")


def size_of(e, raises):
    """(group, class, thousandths of the pot)."""
    group = "preflop raise" if e.street == 0 else f"{STREETS[e.street]} {'raise' if raises else 'bet'}"
    if e.to == e.mine + e.behind:
        return group, "all-in", None
    fraction = Fraction(e.to - e.mine - e.to_call, e.pot + e.to_call)
    thousandths = min(int(fraction * 1000 + Fraction(1, 2)), 20_000)
    for end, name in ((400, "<0.4"), (600, "0.4-0.6"), (850, "0.6-0.85"), (1250, "0.85-1.25")):
        if thousandths < end:
            return group, name, thousandths
    return group, ">1.25", thousandths


def whole_hand(note, record, events, state):
    """What is counted once a hand."""
    n = record.spec.players
    put = [c + a for c, a in zip(state.contributions, state.antes, strict=True)]
    back = given_back(record.spec, state)
    for p in range(n):
        mine = [e for e in events if e.who == p]
        early = [e for e in mine if e.street == 0]
        folded_on = next((e.street for e in mine if e.what == "fold"), None)
        saw_flop = state.street > 0 and folded_on != 0
        shown = folded_on is None and state.folded.count(False) > 1
        at_risk = put[p] - back[p]
        won = folded_on is None and Fraction(record.payoffs[p], record.spec.split) + at_risk > 0
        if early:
            note(p, "vpip", any(e.what in ("call", "raise") for e in early))
            note(p, "pfr", any(e.what == "raise" for e in early))
        if saw_flop:
            note(p, "wtsd", shown)
            note(p, "wwsf", won)
        if shown:
            note(p, "wsd", won)
