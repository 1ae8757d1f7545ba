"""The Chinese sentences of what the browser's server says: every leak, title and kind of run has one."""

from __future__ import annotations

import re
from itertools import product

import pytest

from dupai.agents import agent_infos
from support.web_sentences import SOURCE, chinese

pytest.importorskip("fastapi", reason="needs the extra web (pip install -e '.[web,web-test]')")
pytestmark = pytest.mark.skipif(not SOURCE.exists(), reason="the page's sources are not installed")


def test_leaks_have_a_chinese_sentence() -> None:
    from dupai.history._tracker._facts import ROLES
    from dupai.history._tracker._leaks import EVENTS
    from dupai.history.stats import Leak, LeakReport
    from dupai.rules import STREET_PHRASES
    from dupai.spots import POSITION_CLASSES
    from dupai.web._stats import _leak_words

    blank = dict.fromkeys(("bb100", "low", "high", "per_hand", "others", "cost_low", "cost_high", "p", "holm"), 0.0)
    counts = {"n": 1234, "others_n": 9, "more_hands": 0, "hands": (), "ids": ()}
    for position, role, street, event in product(POSITION_CLASSES, ROLES, ("", *STREET_PHRASES), EVENTS):
        leak = Leak(position=position, role=role, street=street, event=event, cost=-3.4, **blank, **counts)  # type: ignore[arg-type]
        report = LeakReport(player="A", hands=2000, bb100=0.0, low=0.0, high=0.0, more_hands=0, lines=(leak,))
        (sentence,) = _leak_words(report)
        words = chinese(sentence)
        assert words and words.endswith("相比 -3.4 bb/100（1,234 手）")
        assert not re.search("[a-z]{4,}", words), words


def test_agents_titles_and_kinds_are_in_chinese() -> None:
    from dupai.arena._formats import FORMATS
    from dupai.web._sources import _EXAMPLES
    from dupai.web._study_routes import PRESETS

    for text in ("hand 3, 50/100", *_EXAMPLES.values(), *(preset.name for preset in PRESETS), *FORMATS):
        assert chinese(text), text
    about = SOURCE.with_name("agents.ts").read_text(encoding="utf-8")
    missing = [info.name for info in agent_infos() if info.origin == "dupai" and f'{info.name}: "' not in about]
    assert not missing
