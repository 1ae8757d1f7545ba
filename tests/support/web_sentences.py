"""The Chinese sentences of the browser page, as its TypeScript looks them up."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import dupai

SOURCE = Path(dupai.__file__).parent / "web" / "page" / "src" / "strings" / "sentences.ts"


@cache
def page() -> tuple[list[tuple[re.Pattern[str], str]], dict[str, str]]:
    """The patterns with their Chinese, and the words, of the page's source."""
    text = SOURCE.read_text(encoding="utf-8")
    sentences, words = text.split("const WORDS", 1)
    patterns = [(re.compile(p), w) for p, w in re.findall(r'^  \[/(.*)/, "(.*)"\],$', sentences, re.MULTILINE)]
    keys = re.findall(r'(?:^ |,) (?:"([^"]+)"|(\w+)): "([^"]*)"', words.split("\n};")[0], re.MULTILINE)
    return patterns, {quoted or plain: chinese for quoted, plain, chinese in keys}


def chinese(sentence: str) -> str | None:
    """The sentence as the page shows it, or None if it stays English."""
    patterns, words = page()

    def in_words(listed: str) -> str:
        parts = listed.split(", ")
        return "，".join(re.sub(r"^[a-z\d][a-z\d -]*[a-z]", lambda m: words.get(m[0], m[0]), part) for part in parts)

    if sentence in words:
        return words[sentence]
    for pattern, template in patterns:
        if groups := pattern.search(sentence):
            return re.sub(
                r"\$(\d)|\{(\d)\}", lambda m: groups[int(m[1])] if m[1] else in_words(groups[int(m[2])]), template
            )
    return None
