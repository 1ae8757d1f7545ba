"""The commands of README and docs/ that take their time work as they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.doc_commands import Command, commands, kind, run, widest

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("command", [c for c in commands() if kind(c) == "long"], ids=lambda c: c.text[:60])
def test_it_works_as_it_stands(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    printed = run(command, tmp_path, monkeypatch)
    assert "--json" in command.text or len(widest(printed)) <= 80, widest(printed)
