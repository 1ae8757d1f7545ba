"""Commands of README and docs/ work as they stand, and print nothing wider than 80 columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.doc_commands import Command, commands, kind, run, widest

ALL = commands()
QUICK = [command for command in ALL if kind(command) == "quick"]


def test_every_command_is_run_or_has_a_reason_not_to() -> None:
    kinds = [kind(command) for command in ALL]
    assert set(kinds) == {"quick", "long", "form", "record", "hours", "elsewhere"}
    assert kinds.count("quick") > 10 and kinds.count("long") > 20


@pytest.mark.parametrize("command", QUICK, ids=lambda c: c.text[:60])
def test_it_works_as_it_stands(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    printed = run(command, tmp_path, monkeypatch)
    assert printed.strip()
    assert "--json" in command.text or len(widest(printed)) <= 80, widest(printed)
