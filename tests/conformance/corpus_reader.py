"""Reading a hand of ``corpus/`` and having PokerKit and universal_poker play it too.

A corpus hand is a PHH file. Comments of its betting actions say what may be done there, in the amounts of PHH
(``raise`` to, bets of this street)::

    "p3 cc # legal: fold, call 100; openspiel: fold, call 100, raise 500-20000",

``legal`` is the rule; ``pokerkit`` and ``openspiel`` stand where the engine answers something else, and only there. An
engine that would not allow what is played, or asks another price for it, is not followed any further.
"""

from __future__ import annotations

import warnings
from fractions import Fraction
from pathlib import Path

import msgspec
from pokerkit import HandHistory, NoLimitTexasHoldem, parse_action

from conformance.openspiel_engine import Dealer
from conformance.pokerkit_engine import PotLimitTexasHoldem
from dupai.cards import NO_CARD
from dupai.notation.phh import read_phh_tables, record_of_phh
from dupai.rules import CALL, RAISE, UNLIMITED, HandState

CORPUS = Path(__file__).parent / "corpus"
#: What the engines are known to do otherwise; ``docs/results/rules-conformance.md`` says why we do not.
POKERKIT_CLASSES = (
    "nobody can call more",
    "short opening",
    "several short all-ins",
    "half a bet",
    "completing a bet",
    "nothing to decide",
    "short big blind",
    "odd chips",
    "cap of four",
    "all-ins under ACPC rules",
    "64 actions",
)
OPENSPIEL_CLASSES = (
    "exact split",
    "every all-in reopens",
    "minimum after a short all-in",
    "nothing to decide",
)


class CorpusHand:
    """One file: ``record``, complete ``deck``, and for each betting action its words and what its comment says."""

    def __init__(self, path):
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        (table,) = read_phh_tables(self.text.splitlines())
        self.fields = table.fields
        record = record_of_phh(self.fields)
        if "_betting" in self.fields:  # PHH has no variant for pot-limit hold'em
            spec = msgspec.structs.replace(record.spec, betting=self.fields["_betting"])
            record = msgspec.structs.replace(record, spec=spec)
        self.record = record
        self.words = []
        self.said = []
        for text in self.fields["actions"]:
            words, _, comment = text.partition(" # ")
            if words.split()[1] in ("f", "cc", "cbr"):
                self.words.append(words)
                self.said.append(dict(part.split(": ", 1) for part in comment.split("; ") if part))
        left = [c for c in range(52) if not any(c in two for two in record.hole) and c not in record.board]
        board = [*record.board, *left][:5]
        self.hole = [tuple(two) if NO_CARD not in two else (left.pop(), left.pop()) for two in record.hole]
        self.deck = [c for two in self.hole for c in two] + board

    def start(self):
        r = self.record
        return HandState(r.spec, self.hole, self.deck[-5:], r.stacks)


def answer(fold, to_call, lowest, most, before):
    """What may be done, in PHH amounts: ``before`` is what the actor put in on earlier streets."""
    words = ["fold"] if fold else []
    words.append(f"call {to_call}" if to_call else "check")
    if most:
        words.append(f"raise {lowest - before}" + (f"-{most - before}" if most > lowest else ""))
    return ", ".join(words)


def our_answer(state):
    return answer(*state.legal, before_of(state))


def before_of(state):
    return state.contributions[state.actor] - state.bets[state.actor]


class _PotLimitHistory(HandHistory):
    game_types = HandHistory.game_types | {"NT": PotLimitTexasHoldem}


def may_fold(pk):
    """``can_fold`` answers by the process's warning filter whether a pointless fold is allowed: it is not."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return pk.can_fold()


def follow_pokerkit(hand, note=lambda state, pk: None):
    """Have PokerKit read the file and play it: ``(answers, asked, stacks)``.

    ``answers`` by number of betting action where PokerKit's differs from ours, ``asked`` whether one side asks for a
    check that the other does not, ``stacks`` at the end (None when PokerKit could not follow). ``note`` is called at
    each difference.
    """
    history = (_PotLimitHistory if "_betting" in hand.fields else HandHistory).loads(hand.text)
    assert history.game_type is NoLimitTexasHoldem or "_betting" in hand.fields or hand.fields["variant"] == "FT"
    pk = history.create_state()
    state = hand.start()
    answers, asked, k = {}, False, 0
    for text in history.actions:
        words = text.split(" # ")[0].split()
        while pk.can_burn_card():
            pk.burn_card("??")
        actor = -1 if pk.actor_index is None else pk.actor_index
        if words[1] not in ("f", "cc", "cbr"):
            if actor >= 0:
                asked = True
                pk.check_or_call()
                while pk.can_burn_card():
                    pk.burn_card("??")
            parse_action(pk, text)
            continue
        action = hand.record.actions[k]
        k += 1
        if actor < 0 and action.kind == CALL and not state.to_call:
            asked = True
            state.apply(action)
            continue
        lo = pk.min_completion_betting_or_raising_to_amount
        hi = pk.max_completion_betting_or_raising_to_amount
        raises = (0, 0) if lo is None else (lo, hi)
        theirs = answer(may_fold(pk), pk.checking_or_calling_amount, *raises, 0)
        if actor != state.actor:
            theirs = f"p{actor + 1} is to act"
        if theirs != our_answer(state):
            answers[k - 1] = theirs
            note(state, pk)
            to = action.to - before_of(state)
            other_price = pk.checking_or_calling_amount != state.to_call
            if actor != state.actor or other_price or (action.kind == RAISE and not raises[0] <= to <= raises[1]):
                return answers, asked, None
        state.apply(action)
        parse_action(pk, text)
    assert k == len(hand.record.actions)
    while pk.actor_index is not None:
        asked = True
        pk.check_or_call()
    assert not pk.status, "PokerKit's hand is over too"
    return answers, asked, [Fraction(s) for s in pk.stacks]


def openspiel_cannot(hand):
    """Why universal_poker cannot play this hand, or None."""
    spec, stacks = hand.record.spec, hand.record.stacks
    if spec.betting == "pot-limit":
        return "no pot-limit"
    if any(spec.antes):
        return "no antes beside the blinds"
    if any(s < b for s, b in zip(stacks, spec.blinds, strict=True)):
        return "no blind above the stack"
    if all(s == b for s, b in zip(stacks, spec.blinds, strict=True)):
        return "no hand without a decision"
    if spec.betting == "limit":
        if spec.players > 4:
            return "no limit with more than four players"
        if any(hand.record.at().all_in):
            return "no limit stacks that run out"
    return None


def follow_openspiel(hand):
    """As :func:`follow_pokerkit`, by universal_poker, the ACPC engine."""
    spec, stacks = hand.record.spec, hand.record.stacks
    limit = spec.betting == "limit"
    game = msgspec.structs.replace(
        spec,
        stacks=(UNLIMITED,) * spec.players if limit else stacks,
        max_raises=tuple(min(c, 255) for c in spec.max_raises),
    )
    other, state = Dealer(game, hand.deck), hand.start()
    answers, asked = {}, False
    for k, action in enumerate(hand.record.actions):
        actor, before = state.actor, before_of(state)
        while other.actor != actor and other.actor >= 0:  # must be a check that only the ACPC dealer asks for
            assert not other.legal()[0]
            asked = True
            other.act(CALL, 0)
        fold, lowest, most = other.legal()
        if limit and most:
            lowest = most = state.legal.min_to or -1
        # A call has no price there: it is the same by the chips put in, which the payoffs compare.
        theirs = answer(fold, state.to_call, lowest, most, before)
        if theirs != our_answer(state):
            answers[k] = theirs
            if action.kind == RAISE and not lowest <= action.to <= most:
                return answers, asked, None
        state.apply(action)
        other.act(*action)
    while other.actor >= 0:
        assert not other.legal()[0]
        asked = True
        other.act(CALL, 0)
    return answers, asked, [Fraction(round(x * 2520), 2520) + s for x, s in zip(other.payoffs(), stacks, strict=True)]


def stacks_text(stacks):
    """Stacks as they stand in a file: whole chips, or six decimals."""
    return [str(int(s)) if s == int(s) else f"{float(s):.6f}".rstrip("0") for s in stacks]


def finishing(state):
    """Final stacks by our engine, as fractions."""
    split = state.spec.split
    return [s + Fraction(int(x), split) for s, x in zip(state.start_stacks, state.payoffs, strict=True)]
