"""Reasons as data: the catalogues agree, every code of ours is in them, and every agent explains itself by codes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import dupai
from dupai.agents import Advice, MatchInfo, advise, agent_infos, make_agent
from dupai.base import Rng
from dupai.notation import LANGUAGES, Reason, load_catalogue, reason_words, with_words
from dupai.rules import Action, GameSpec, HandState, View

SOURCES = sorted(Path(dupai.__file__).parent.rglob("*.py"))
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
    "advisor:deals=64": FEW,
    "rules:personality=loose-aggressive,free=raise": GAMES,
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
    "dupai:evidence=0,deals=64": FEW,
    "dupai:risk=0": FEW,
}


def places(text: str) -> list[str]:
    """The places of a text but that of an English ending."""
    return sorted({*re.findall(r"\{(\w+)", text)} - {"s"})


def texts(language: str) -> dict[str, str]:
    catalogue = load_catalogue(language)  # type: ignore[arg-type]
    assert not catalogue.reasons.keys() & catalogue.actions.keys()
    return catalogue.reasons | catalogue.actions


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogues_have_the_same_codes_and_places(language: str) -> None:
    english = texts("en")
    assert texts(language).keys() == english.keys()
    # The ranks of a made hand have no Chinese words.
    assert not [
        code for code, text in texts(language).items() if places(text) != places(english[code]) and code != "made"
    ]
    assert load_catalogue(language).words.keys() == load_catalogue("en").words.keys()  # type: ignore[arg-type]
    forms = set(re.findall(r"\{\w+:([^}]*)\}", " ".join(texts(language).values())))
    assert forms <= {"%", "%1", ".1", ".2", "+.1", "+.2", "plain", "word"}


def made_in(path: Path) -> Iterator[tuple[str, list[str] | None]]:
    """The codes of the reasons that a module makes, and the names of their values where they stand there."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Reason"):
            continue
        first = node.args[0]
        codes = [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
        values = node.args[1] if len(node.args) > 1 else ast.Dict([], [])
        names = None
        if isinstance(values, ast.Dict) and None not in values.keys:
            names = sorted(key.value for key in values.keys if isinstance(key, ast.Constant))
        for code in codes:
            if isinstance(code, ast.Constant) and code.value != "text":
                yield code.value, names


def test_every_reason_of_ours_is_in_the_catalogue_with_its_values() -> None:
    ours = [made for path in SOURCES for made in made_in(path)]
    assert len(ours) > 60
    english = texts("en")
    assert not [code for code, _ in ours if code not in english]
    assert not [(code, names) for code, names in ours if names is not None and names != places(english[code])]


def test_a_reason_in_words() -> None:
    price = Reason("price", {"rate": 0.21, "needs": 0.4, "verdict": "mostly_fold"})
    assert reason_words(price) == "You have 21 %, a call needs 40 %: mostly fold"
    assert reason_words(price, "zh") == "胜率 21 %，跟注需要 40 %：多半弃牌"
    plays = Reason("group_plays", {"parts": (Reason("part_fold", {"p": 0.2}), Reason("part_call", {"p": 0.8}))})
    assert reason_words(plays) == "With this hand the group plays: fold 20 %, call 80 %"
    assert reason_words(Reason("situation", {"parts": ("flop", "AKs")}), "zh") == "翻牌，AKs"
    assert reason_words(Reason("worth", {"worth": 1234.5, "error": 0.126})) == (
        "Worth +1,234.50 ± 0.13 big blinds from here on (95 %)"
    )
    assert reason_words(Reason("stack_protection", {"left": 1200, "blinds": 4.0, "safe": 0.5})) == (
        "A call would leave 1,200 chips, fewer than 4 big blinds, and you have less than 50 %: fold"
    )


def test_a_reason_of_another_package_has_its_own_text() -> None:
    assert reason_words(Reason("their_code", text="it likes its cards"), "zh") == "it likes its cards"
    assert with_words(Reason("always_calls")).text == "It always checks or calls"
    plain = Advice(actions=(Action.call(),), probabilities=(1.0,), reasons=("it likes its cards",))  # type: ignore[arg-type]
    assert plain.reasons == (Reason("text", text="it likes its cards"),)


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


def test_every_agent_is_asked() -> None:
    ours = {info.name for info in agent_infos() if info.origin == "dupai"}
    # A program of another maker has no reasons of its own.
    assert {spec.split(":")[0] for spec in SPECS} == ours - {"acpc"}


@pytest.mark.parametrize("spec", SPECS)
def test_every_agent_explains_itself_by_the_catalogue(spec: str) -> None:
    reasons = []
    for players, stack, hands, format in SPECS[spec]:
        game = GameSpec.no_limit(players, stack=100 * stack)
        agent, names = make_agent(spec), tuple(f"player {i}" for i in range(players))
        for view in views(game, hands, seed=players + stack):
            agent.start(MatchInfo(spec=game, seat=view.seats[view.actor], names=names, format=format))  # type: ignore[arg-type]
            reasons += advise(agent, view, Rng(1)).reasons
    assert reasons
    english, words = texts("en"), load_catalogue("zh").words
    for reason in reasons:
        assert reason.code in english and places(english[reason.code]) == sorted(reason.values), reason
        if reason.code == "situation":  # all of it has a word but the starting hand
            assert [part for part in reason.values["parts"] if part not in words and len(part) > 3] == []  # type: ignore[union-attr]
        if reason.code not in ("rule", "style_for"):
            assert not re.search(r"[a-z]{3,}|[{}]", reason_words(reason, "zh")), reason
