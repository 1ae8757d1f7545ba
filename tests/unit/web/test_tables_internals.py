"""What the server of the browser table says of a table, and which agents it takes."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from pathlib import Path
from typing import Annotated, Any

import pytest

from dupai.agents import BaseAgent, Option
from dupai.arena.live import DeckSeal, LiveSettings, LiveStore, LiveTable
from dupai.base import ConfigError, Rng, RulesError
from dupai.engine import Engine
from dupai.rules import Action, View
from dupai.web._engines import Engines, check_spec
from dupai.web._kept import KeptTables
from dupai.web._matches import Matches
from dupai.web._session import Session
from dupai.web._state import Moment, TableOptions, public_of
from dupai.web._turns import Turns
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


class Recorded:
    """An engine, its pool and its server: what it was asked."""

    born, lost, matches = 1, False, 0

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.all_turns = Turns(1)

    async def ask(self, method: str, match: str, **_: object) -> dict[str, str]:
        self.asked.append((method, match))
        return {}

    async def settled(self) -> None: ...

    def knows(self, method: str) -> bool:
        return True

    def place(self, beside: object = ()) -> Recorded:
        return self

    def for_thoughts(self, *specs: str) -> Recorded:
        return self

    def turns(self, engine: Recorded) -> Turns:
        return self.all_turns


def test_a_match_that_is_forgotten_while_its_question_waits_is_started_anew(tmp_path: Path) -> None:
    async def play() -> list[tuple[str, str]]:
        table = LiveTable(LiveSettings(seats=2, stack=1000))
        table.sit("Ann")
        engine: Any = Recorded()
        session = Session("t", table, TableOptions(), KeptTables(tmp_path / "tables.db"))
        matches = Matches(session, engine, lambda words: None)
        async with engine.all_turns.turn("another table"):
            question = asyncio.create_task(matches.ask("person", 0, "analyse"))
            while not engine.asked:
                await asyncio.sleep(0)
            await asyncio.sleep(0.01)
            matches.forget("person")
        await question
        session.store.close()
        return engine.asked

    asked = asyncio.run(play())
    (first, second), last = [match for method, match in asked if method == "start"], asked[-1]
    assert first != second and last == ("analyse", second)


def test_agents_of_a_table_think_in_one_process_and_those_of_other_packages_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one has learned of a hand the others of its process take over."""

    async def nothing(self: Engine, method: str, **_: object) -> dict[str, str]:
        return {}

    monkeypatch.setattr(Engine, "ask", nothing)
    monkeypatch.setattr("dupai.web._engines.foreign_package", lambda spec: "theirs" if spec == "random" else None)

    async def engines_of(*specs: str) -> list[list[Engine]]:
        engines, store = Engines(1), KeptTables(tmp_path / "tables.db")
        tables = [LiveTable(LiveSettings(seats=4, stack=1000)) for _ in range(2)]
        found = []
        for number, table in enumerate(tables):
            for seat, spec in enumerate(specs):
                table.sit(f"Agent {seat}", spec=spec)
            matches = Matches(Session(str(number), table, TableOptions(), store), engines, lambda words: None)
            found.append([(await matches.started("agent", seat)).engine for seat in range(len(specs))])
        store.close()
        return found

    one, other = asyncio.run(engines_of("fold", "mcts", "fold"))
    assert len({*one}) == len({*other}) == 1 and one[0] is not other[0]
    apart, _ = asyncio.run(engines_of("random", "random", "fold"))
    assert len({*apart}) == 3


def test_files_of_agents_of_other_packages_cannot_be_named_in_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, "dupai.agents", {"noted": f"{Noted.__module__}:Noted"})
    for spec in ("noted", "noted:notes=own", "noted:reader=markov"):
        check_spec(spec, "agent")
    for spec in ("noted:notes=secrets", "noted:reader=markov:secrets"):
        with pytest.raises(ConfigError, match="files and other programs"):
            check_spec(spec, "agent")


@pytest.mark.parametrize(
    "spec",
    [" acpc:host=0.0.0.0", "\tacpc", "fold:reader= acpc:host=0.0.0.0", 'fold:reader="x:y=acpc"',
     "mcts:simulations=1000000000", "mcts:1000000000", "mcts:ms=9e6", "fold:samples=１０００００００",
     "mcts:simulations=1_000_000_000"],
)  # fmt: skip
def test_specs_that_connect_or_take_long_are_refused(spec: str) -> None:
    with pytest.raises(ConfigError):
        check_spec(spec, "agent")


def test_those_who_wait_get_in_by_turns_and_only_so_many_of_one_wait() -> None:
    async def story() -> list[str]:
        turns, done = Turns(1, waiting=3), []

        async def work(key: str) -> None:
            async with turns.turn(key):
                done.append(key)
                await asyncio.sleep(0)

        tasks = [asyncio.create_task(work(key)) for key in ("a", "a", "a", "a", "b", "c")]
        await asyncio.sleep(0)
        with pytest.raises(RulesError):
            await work("a")
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await work("d")
        return done

    assert asyncio.run(story()) == ["a", "b", "c", "a", "a", "d"]


def test_a_locked_file_of_tables_is_read_at_once_and_written_in_order_later(tmp_path: Path) -> None:
    async def story() -> None:
        kept = KeptTables(tmp_path / "tables.db")
        lock = sqlite3.connect(tmp_path / "tables.db", isolation_level=None)
        table = LiveTable(LiveSettings(seats=2))
        kept.write(LiveStore.save, "t", "{}", table.state)
        kept.add_token("old", "t", 0)
        assert await kept.written(5)
        lock.execute("begin immediate")
        table.sit("Ann", 0)
        kept.write(LiveStore.save, "t", "{}", table.state)
        table.sit("Bob", 1)
        kept.drop_tokens("t", 0)
        kept.add_token("new", "t", 0)
        assert not await kept.written(0.1)
        assert (kept.seat_of("old", "t"), kept.seat_of("new", "t"), len(kept.reads.tables())) == (None, 0, 1)
        lock.execute("rollback")
        lock.close()
        assert await kept.written(5)
        # The state as it was then.
        assert [seat.name for seat in kept.reads.tables()["t"][1].seats] == ["Ann", ""]
        assert kept.reads.seat_of("old", "t") is None and kept.reads.seat_of("new", "t") == 0
        kept.close()

    asyncio.run(story())


def test_what_is_to_be_written_later_does_not_delay_what_was_asked_for(tmp_path: Path) -> None:
    async def story() -> None:
        kept = KeptTables(tmp_path / "tables.db")
        going_on = threading.Event()
        kept.write(lambda store: going_on.wait(10) and None)
        waiting = asyncio.create_task(kept.written(10))
        await asyncio.sleep(0)
        ends = threading.Event()
        kept.write(lambda store: ends.wait(10) and None)
        going_on.set()
        assert await waiting
        assert not await kept.written(0.01)
        ends.set()
        kept.close()

    asyncio.run(story())
