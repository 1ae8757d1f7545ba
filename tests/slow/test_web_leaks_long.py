"""No frame of 2,000 hands holds a card that its receiver may not know."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="needs the extra web (pip install -e '.[web,web-test]')")
pytest.importorskip("httpx", reason="needs the extra web-test (pip install -e '.[web,web-test]')")


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_two_thousand_hands_show_nobody_a_hidden_card(tmp_path: Path) -> None:
    from support.web_leaks import search

    counted = search(tmp_path, 2000, 3400)
    print(counted)
    assert counted["hands"] >= 2000
