"""The Chinese sentences of the browser page: every reason of an agent has one."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from dupai.agents import MatchInfo, advise, agent_infos, make_agent
from dupai.base import Rng
from dupai.rules import Action, GameSpec, HandState, View
from web_sentences import SOURCE, chinese, page

pytestmark = pytest.mark.skipif(not SOURCE.exists(), reason="the page's sources are not installed")

#: Specs, and games that they are asked in: players, stack in big blinds, number of hands, tournament or cash game.
GAMES = ((2, 200, 6, "cash"), (3, 100, 6, "cash"), (6, 9, 4, "tournament"), (2, 7, 6, "cash"))
FEW = ((2, 100, 2, "cash"), (3, 100, 2, "cash"))
HEADS_UP = ((2, 100, 2, "cash"),)
SPECS = {
    "caller": GAMES,
    "raiser": GAMES,
    "raiser:size=min": FEW,
    "raiser:size=max": FEW,
    "random": GAMES,
    "fixed": GAMES,
    "rules": GAMES,
    "rules:personality=loose-aggressive,free=bet": GAMES,
    "style:LA": GAMES,
    "style:TP,size=people": GAMES,
    "changer": GAMES,
    "risk": GAMES,
    "swarm": FEW,
    "swarm:quick": FEW,
    "fold:samples=50": GAMES,
    "fold:paper,samples=50": GAMES,
    "expert": GAMES,
    "exp:turns=1,rivers=1,last=1": HEADS_UP,
    "exp:turns=1,rivers=1,last=1,solve=river": HEADS_UP,
    "mcts:simulations=20": FEW,
    "persona": FEW,
    "persona:pluribus,counted=false": FEW,
    "equilibrium:turn=2,river=2": FEW,
    "dupai:resolve=off,evidence=0,crowd=on": FEW,
    "dupai:resolve=off": FEW,
}
#: Sentences that hands as few as these need not meet, and those that agents of other people's get.
RARE = (
    "no raise is allowed",
    "short, and everybody folds 61 % of the time: it pushes",
    "committed to the pot: all-in",
    "still watching the opponent for 20 hands",
    "most visited of 10,000 simulations, 2,310 kept from before in a tree of 8,120 nodes",
    "push/fold equilibrium",
    "stand-in: a model of a strong program",
    "stand-in: the blueprint does not cover this game",
    "stand-in: the betting has no counterpart in the blueprint",
    "values if both play the blueprint, on 40 boards, within 1.42 big blinds (95 %)",
    "solved the river, safe against what the opponent had before",
    "my own rules.txt, line 12: preflop | * | * | * | * | * | * | call",
    "counted over 1,000 decisions; this agent gives no reasons",
)


def views(spec: GameSpec, hands: int, seed: int) -> Iterator[View]:
    """Every decision of some hands, played at random with bets of many sizes."""
    rng = Rng(seed)
    for hand in range(hands):
        state = HandState.deal(spec, rng, hand=hand)
        while not state.finished:
            yield state.view(state.actor)
            legal, x = state.legal, rng.uniform()
            if legal.can_raise and x < 0.3:
                to = legal.min_to + rng.below(max(2 * state.pot, 1))
                state.apply(Action.raise_to(legal.max_to if x < 0.05 else min(to, legal.max_to)))
            else:
                state.apply(Action.fold() if legal.fold and x < 0.4 else Action.call())


def test_the_patterns_are_read() -> None:
    patterns, words = page()
    text = SOURCE.read_text(encoding="utf-8")
    assert len(patterns) == text.count("\n  [/") > 70
    assert len(words) == text.split("const WORDS", 1)[1].split("};")[0].count(': "') > 80


def test_every_agent_is_asked() -> None:
    ours = {info.name for info in agent_infos() if info.origin == "dupai"}
    # a program of another maker has no reasons of its own
    assert {spec.split(":")[0] for spec in SPECS} == ours - {"acpc"}


@pytest.mark.parametrize("spec", SPECS)
def test_every_reason_has_a_chinese_sentence(spec: str) -> None:
    sentences = set()
    for players, stack, hands, format in SPECS[spec]:
        game = GameSpec.no_limit(players, stack=100 * stack)
        agent, names = make_agent(spec), tuple(f"player {i}" for i in range(players))
        for view in views(game, hands, seed=players + stack):
            agent.start(MatchInfo(spec=game, seat=view.seats[view.actor], names=names, format=format))  # type: ignore[arg-type]
            sentences.update(advise(agent, view, Rng(1)).reasons)
    assert sentences
    for sentence in sentences:
        words = chinese(sentence)
        assert words is not None, f"{spec}: {sentence!r} stays English"
        if ", line " not in sentence:  # a rule of a file is shown as it stands there
            assert not re.search(r"[a-z]{3,}", words), f"{spec}: {sentence!r} becomes {words!r}"


@pytest.mark.parametrize("sentence", RARE)
def test_rare_reasons_have_a_chinese_sentence(sentence: str) -> None:
    assert chinese(sentence)


def test_every_word_of_a_list_is_in_chinese() -> None:
    from dupai.agents._experience import _situations as expert
    from dupai.history._tracker import _facts, _leaks
    from dupai.spots import POSITION_CLASSES

    words = page()[1]
    lists = [*expert.POSITIONS, *expert.STACKS, *expert.FACING_PREFLOP, *expert.FACING_POSTFLOP, *expert.MADE]
    lists += [f"draw {draw}" for draw in expert.DRAWS] + [f"{texture} board" for texture in expert.TEXTURES]
    assert not [
        word for word in [*lists, *POSITION_CLASSES, *_facts.ROLES, *filter(None, _leaks.EVENTS)] if word not in words
    ]
