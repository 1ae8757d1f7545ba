"""The messages of the browser table and the TypeScript types made from them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from dupai.arena.live import LiveSettings, LiveTable
from dupai.base import MissingPackage
from dupai.web import run_server
from dupai.web._state import Moment, TableOptions, public_of
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


def test_after_a_hand_cards_are_those_of_whoever_was_dealt_them_and_who_is_away_can_come_back() -> None:
    table = LiveTable(LiveSettings(seats=3, stack=1000))
    for name in ("Ann", "Bob", "Cy"):
        table.sit(name)
    table.deal()
    while table.actor is not None:
        table.give_up(table.actor)
    table.seats[1].away = True
    over = table.finish()

    def public():
        return public_of("t", table, TableOptions(), Moment("over", 5, over), {0, 1, 2}, 0, "")

    before = public()
    assert sorted(before.own) == [0, 1, 2]
    assert before.state.seats[1].status == "away"
    table.leave(0)
    table.sit("Dan", 0)
    after = public()
    assert sorted(after.own) == [1, 2]
    assert (after.state.seats[0].status, after.state.seats[0].won) == ("waiting", None)
