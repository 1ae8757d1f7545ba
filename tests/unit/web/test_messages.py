"""The messages of the browser table and the TypeScript types made from them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from dupai.base import MissingPackage
from dupai.web import run_server
from tools.page_messages import TYPES_FILE, typescript


def test_the_committed_types_are_those_of_the_structs() -> None:
    if not TYPES_FILE.parent.parent.is_dir():
        pytest.skip("the page's sources are not part of this installation")
    assert TYPES_FILE.read_text(encoding="utf-8") == typescript(), "run python tools/page_messages.py"


def test_a_message_of_the_page_may_leave_out_defaults_and_one_of_the_server_may_not() -> None:
    text = typescript()
    assert "export interface NewTable" in text and "  seats?: number;" in text
    assert '  do: "act";' in text and '  type: "state";' in text
    assert "  seats: Seat[];" in text and "  opponents?: (string | null)[] | null;" in text


def test_without_its_packages_the_server_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastapi", None)
    with pytest.raises(MissingPackage, match=r"\[web\]"):
        run_server()


def test_the_help_loads_no_web_server() -> None:
    code = "import sys; from dupai.cli import main; main(['web', '--help']); print('fastapi' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == "False"
