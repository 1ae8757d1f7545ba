"""What the server of the browser table says of a table, and which agents it takes."""

from __future__ import annotations

from typing import Annotated

import pytest

from dupai.agents import BaseAgent, Option
from dupai.arena.live import DeckSeal, LiveSettings, LiveTable
from dupai.base import ConfigError, Rng
from dupai.rules import Action, View
from dupai.web._engines import check_spec
from dupai.web._state import Moment, TableOptions, public_of
from support.plugins_internals import install


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
        return public_of("t", table, TableOptions(), Moment("over", 5, over, DeckSeal()), {0, 1, 2}, 0, "")

    before = public()
    assert sorted(before.own) == [0, 1, 2]
    assert before.state.seats[1].status == "away"
    table.leave(0)
    table.sit("Dan", 0)
    after = public()
    assert sorted(after.own) == [1, 2]
    assert (after.state.seats[0].status, after.state.seats[0].won) == ("waiting", None)


class Noted(BaseAgent):
    """An agent of another package with an option that names a file, and one whose value is a spec."""

    def __init__(
        self,
        reader: Annotated[str, Option("what reads the hands")] = "bucket",
        notes: Annotated[str, Option("where its notes are", file=True, words=("own",))] = "",
    ) -> None:
        self.reader, self.notes = reader, notes

    def act(self, view: View, rng: Rng) -> Action:
        return Action.call()


def test_files_of_agents_of_other_packages_cannot_be_named_in_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, "dupai.agents", {"noted": f"{Noted.__module__}:Noted"})
    for spec in ("noted", "noted:notes=own", "noted:reader=markov", "dupai:table=noted:notes=own"):
        check_spec(spec, "agent")
    for spec in ("noted:notes=secrets", "noted:reader=markov:secrets", "dupai:table=noted:notes=secrets"):
        with pytest.raises(ConfigError, match="files and other programs"):
            check_spec(spec, "agent")
