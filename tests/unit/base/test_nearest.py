"""What was meant by a name that is not there."""

from __future__ import annotations

import pytest

from dupai.base.text import closest, nearest


@pytest.mark.parametrize(
    ("word", "known", "found"),
    [
        ("rulse", ["rules", "random"], "rules"),
        ("PLURIBUS", ["Pluribus", "Eddie"], "Pluribus"),
        ("xyz", ["rules", "random"], None),
        ("foo", ["fold", "folds"], None),
        ("help", ["play", "solve"], None),
        ("XA", ["LA", "TP"], "LA"),
        ("a", ["b"], None),
        ("", ["rules"], None),
        ("rules", [], None),
    ],
)
def test_the_closest_name(word: str, known: list[str], found: str | None) -> None:
    assert closest(word, known) == found


def test_what_is_said() -> None:
    assert nearest("rulse", iter(["rules", "random"])) == "did you mean 'rules'?"
    assert nearest("xyz", ["rules", "random"]) == "expected one of rules, random"
    assert nearest("xyz", []) == "expected one of (none)"
    assert nearest("xyz", ["rules"], "12 names are") == "12 names are"
