"""Every hand of ``corpus/``: our engine, the plain twin, PokerKit and universal_poker answer what the file says."""

from collections import Counter
from fractions import Fraction

import pytest

from conformance.corpus_reader import (
    CORPUS,
    OPENSPIEL_CLASSES,
    POKERKIT_CLASSES,
    CorpusHand,
    finishing,
    follow_openspiel,
    follow_pokerkit,
    openspiel_cannot,
    our_answer,
    stacks_text,
)
from dupai.cards import cards_text
from naive.rules_engine import NaiveHand

FILES = sorted(CORPUS.glob("*/*.phh"))
HANDS = {f"{path.parent.name}/{path.stem}": path for path in FILES}
each = pytest.mark.parametrize("name", HANDS)


@each
def test_our_engine_and_the_plain_one_play_it_by_the_rule(name):
    hand = CorpusHand(HANDS[name])
    state, record = hand.start(), hand.record
    twin = NaiveHand(record.spec, record.stacks, [cards_text(h) for h in hand.hole], cards_text(hand.deck[-5:]))
    for action, said in zip(record.actions, hand.said, strict=True):
        if "legal" in said:
            assert our_answer(state) == said["legal"], action
        assert (state.actor, state.street, *state.legal) == (twin.actor, twin.street, *twin.legal())
        state.follow(action)
        twin.act(*action)
    assert state.finished and twin.over
    stacks = finishing(state)
    assert stacks_text(stacks) == list(map(str, hand.fields["finishing_stacks"]))
    assert stacks == [s + x for s, x in zip(record.stacks, twin.payoffs(), strict=True)]
    if "_payoffs_exact" in hand.fields:
        assert [a - b for a, b in zip(stacks, record.stacks, strict=True)] == [
            Fraction(x) for x in hand.fields["_payoffs_exact"]
        ]
    else:
        assert all(s == int(s) for s in stacks), "a file with fractions says them exactly"


def compare(hand, engine, found, classes):
    """``found``, what an engine answered, is what the file says that it answers, and no less."""
    answers, asked, stacks = found
    fields, words = hand.fields, hand.fields[f"_{engine}"]
    said = {k: s[engine] for k, s in enumerate(hand.said) if engine in s}
    assert answers == said
    kind, _, reason = words.partition(": ")
    reasons = reason.split("; ") if reason else []
    assert ("nothing to decide" in reasons) == asked
    other = fields.get(f"_{engine}_stacks")
    if stacks is None:
        assert other is None, "the engine does not get to the end"
    elif other is None:
        assert stacks_text(stacks) == list(map(str, fields["finishing_stacks"]))
    else:
        assert stacks_text(stacks) == list(map(str, other))
        assert list(map(str, fields["finishing_stacks"])) != list(map(str, other))
    agrees = not answers and not asked and other is None
    assert kind == ("agrees" if agrees else "differs")
    assert set(reasons) <= set(classes)
    assert bool(reasons) == (not agrees)
    assert (engine in fields["_checked_by"]) == agrees


@each
def test_pokerkit_answers_what_the_file_says(name):
    hand = CorpusHand(HANDS[name])
    compare(hand, "pokerkit", follow_pokerkit(hand), POKERKIT_CLASSES)


@each
def test_universal_poker_answers_what_the_file_says(name):
    hand = CorpusHand(HANDS[name])
    cannot = openspiel_cannot(hand)
    if cannot:
        assert hand.fields["_openspiel"] == f"cannot: {cannot}"
        assert "openspiel" not in hand.fields["_checked_by"]
    else:
        compare(hand, "openspiel", follow_openspiel(hand), OPENSPIEL_CLASSES)


def test_the_corpus_is_what_it_claims_to_be(record_property):
    assert len(FILES) >= 150
    topics, seen, played = Counter(), Counter(), set()
    for path in FILES:
        hand = CorpusHand(path)
        head = hand.text.split("variant")[0].splitlines()
        assert head and all(line.startswith("# ") for line in head), f"{path}: a comment says what it pins down"
        assert hand.fields["_rule"], path
        assert hand.fields["_checked_by"][:2] == ["hand arithmetic", "twin"], path
        topics[path.parent.name] += 1
        for engine in ("pokerkit", "openspiel"):
            seen[f"{engine} {hand.fields[f'_{engine}'].partition(':')[0]}"] += 1
        r = hand.record
        key = (r.spec, r.stacks, tuple(hand.hole), r.board, r.actions)
        assert key not in played, f"{path}: played before"
        played.add(key)
    assert seen["pokerkit agrees"] > len(FILES) / 2
    assert seen["openspiel agrees"] > len(FILES) / 4
    page = (CORPUS.parents[2] / "docs" / "results" / "rules-conformance.md").read_text(encoding="utf-8")
    assert f"{len(FILES)} commented hands" in page
    for topic, hands in topics.items():
        assert f"| `{topic}` | {hands} |" in page
    for name in (*POKERKIT_CLASSES, *OPENSPIEL_CLASSES):
        assert f"`{name}`" in page, "every class of difference is explained"
    record_property("corpus hands by topic", dict(topics))
    record_property("corpus hands by engine", dict(seen))
