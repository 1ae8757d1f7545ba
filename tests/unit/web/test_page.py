"""The committed build of the browser page, and rules for its sources that need no Node."""

import json
import re
from pathlib import Path

import pytest

import dupai.web

WEB = Path(dupai.web.__file__).parent
STATIC, PAGE = WEB / "static", WEB / "page"
needs_sources = pytest.mark.skipif(not (PAGE / "package.json").exists(), reason="the page's sources are not installed")


def test_the_first_page_is_small_and_whole() -> None:
    html = (STATIC / "index.html").read_text(encoding="utf-8")
    files = re.findall(r'(?:src|href)="/([^"]+)"', html)
    assert any(name.endswith(".js") for name in files)
    assert any(name.endswith(".css") for name in files)
    # fetched at once as well: a second language is the largest thing the first page may ask for
    chinese = list((STATIC / "assets").glob("zh-*.js"))
    size = len(html) + sum((STATIC / name).stat().st_size for name in files) + sum(p.stat().st_size for p in chinese)
    assert size <= 200_000


def test_the_page_asks_nobody_else_and_has_no_inline_code() -> None:
    html = (STATIC / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<style|style=|<script(?![^>]*src=)|\son\w+=|https?://", html)
    for path in (STATIC / "assets").iterdir():
        # addresses in code that is fetched: name spaces of SVG and HTML only
        others = {
            a for a in re.findall(r"https?://[\w./-]+", path.read_text(encoding="utf-8")) if "www.w3.org" not in a
        }
        assert not others, path.name


@needs_sources
def test_sources_keep_to_the_rules() -> None:
    for path in (PAGE / "src").rglob("*"):
        if path.suffix in {".ts", ".tsx", ".css"} and path.name != "messages.ts":
            assert len(path.read_text(encoding="utf-8").splitlines()) <= 600, path
    lock = json.loads((PAGE / "package-lock.json").read_text(encoding="utf-8"))
    assert not [name for name, entry in lock["packages"].items() if "resolved" in entry]


@needs_sources
def test_every_text_is_in_both_languages() -> None:
    def keys(name: str) -> set[str]:
        text = (PAGE / "src" / "strings" / name).read_text(encoding="utf-8")
        return set(re.findall(r'(?:^|[,{]\s*|\s)"?([a-zA-Z][\w-]*)"?: "', text))

    english = keys("en.ts")
    assert len(english) > 200
    assert english == keys("zh.ts")


def test_combos_are_numbered_as_in_python() -> None:
    """The formula that the page uses (cards.ts) gives our indices."""
    from dupai.cards import COMBO_CARDS

    for index, (a, b) in enumerate(COMBO_CARDS.tolist()):
        low, high = sorted((a, b))
        assert high * (high - 1) // 2 + low == index
