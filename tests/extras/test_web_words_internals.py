"""What the browser's server names or says is in the Chinese catalogue: leaks, titles, kinds of run, agents."""

from __future__ import annotations

import re
from itertools import product

import pytest

from dupai.agents import agent_infos
from dupai.notation import load_catalogue, reason_words

pytest.importorskip("fastapi", reason="needs the extra web (pip install -e '.[web,web-test]')")


def test_leaks_are_in_chinese() -> None:
    from dupai.history._tracker._facts import ROLES
    from dupai.history._tracker._leaks import EVENTS
    from dupai.history.stats import Leak, LeakReport
    from dupai.rules import STREET_PHRASES
    from dupai.spots import POSITION_CLASSES
    from dupai.web._stats import _leaks

    blank = dict.fromkeys(("bb100", "low", "high", "per_hand", "others", "cost_low", "cost_high", "p", "holm"), 0.0)
    counts = {"n": 1234, "others_n": 9, "more_hands": 0, "hands": (), "ids": ()}
    for position, role, street, event in product(POSITION_CLASSES, ROLES, ("", *STREET_PHRASES), EVENTS):
        leak = Leak(position=position, role=role, street=street, event=event, cost=-3.4, **blank, **counts)  # type: ignore[arg-type]
        report = LeakReport(player="A", hands=2000, bb100=0.0, low=0.0, high=0.0, more_hands=0, lines=(leak,))
        words = reason_words(_leaks(report)[0], "zh")
        assert words.endswith("相比 -3.4 bb/100（1,234 手）")
        assert not re.search("[a-z]{4,}", words), words


def test_agents_statistics_and_kinds_have_chinese_names() -> None:
    from dupai.arena._formats import FORMATS
    from dupai.history.stats import DEFINITIONS
    from dupai.notation import Reason
    from dupai.reading import HAND_CLASSES, HAND_DRAWS
    from dupai.web._sources import _EXAMPLES
    from dupai.web._study_routes import PRESETS

    chinese = load_catalogue("zh")
    names = [f"agent.{info.name}" for info in agent_infos() if info.origin == "dupai"]
    names += [f"statistic.{one.name}" for one in DEFINITIONS] + [f"run.{kind}" for kind in FORMATS]
    names += [f"range.{preset.name}" for preset in PRESETS]
    assert len(names) > 40
    assert not [name for name in names if name not in chinese.names]
    assert not [word for word in (*HAND_CLASSES, *HAND_DRAWS) if word not in chinese.words]
    assert all(reason_words(Reason(f"example_{name}"), "zh") for name in _EXAMPLES)
