"""Match folders: whole or not at all, read back by us and by PokerKit; sessions."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import Any

import msgspec
import pokerkit
import pytest

from dupai.agents import BaseAgent
from dupai.arena import Session
from dupai.arena.match import Watcher
from dupai.arena.store import (
    HANDS_FILE,
    MATCH_FILE,
    SavedMatch,
    check_writable,
    free_folder,
    load_hands,
    load_match,
    save_match,
)
from dupai.arena.tournament import play_tournament_match, tournament_tasks
from dupai.base import DupaiError, FileError, HistoryError, Rng
from dupai.rules import Action, HandRecord, View


class Crasher(BaseAgent):
    def act(self, view: View, rng: Rng) -> Action:
        raise ValueError("out of order")


class Records(Watcher):
    def __init__(self) -> None:
        self.records: list[HandRecord] = []

    def on_hand(self, record: HandRecord, table: object) -> None:
        self.records.append(record)


def _played(agents: list[Any], **settings: Any) -> tuple[SavedMatch, list[HandRecord]]:
    task = tournament_tasks(agents, matches=1, **settings)[0]
    watch = Records()
    match = play_tournament_match(task, watch=watch)
    assert match is not None
    return SavedMatch.of_tournament(task, match), watch.records


@pytest.fixture(scope="module")
def played() -> tuple[SavedMatch, list[HandRecord]]:
    return _played(["rules", "raiser", Crasher, "random", "style:LA"], hands=60, seed=3)


def test_what_is_saved_is_read_back(played: tuple[SavedMatch, list[HandRecord]], tmp_path: Path) -> None:
    saved, records = played
    folder = save_match(tmp_path / "new" / "first", saved, records)
    assert sorted(p.name for p in folder.iterdir()) == [HANDS_FILE, MATCH_FILE]
    assert [p.name for p in folder.parent.iterdir()] == ["first"]
    assert load_match(folder) == saved
    data = (folder / MATCH_FILE).read_bytes()
    assert msgspec.json.decode(data, type=SavedMatch) == saved
    assert load_hands(folder) == records


def test_chips_go_on_from_hand_to_hand(played: tuple[SavedMatch, list[HandRecord]]) -> None:
    saved, records = played
    assert saved.hands == len(records) == max(r.hand for r in records)
    assert {f.agent for f in saved.faults} == {"Crasher"}
    by_name = {p.agent: p for p in saved.players}
    assert tuple(by_name[n].chair for n in saved.names) == tuple(range(5))
    for record in records:
        assert record.names == tuple(saved.names[c] for c in record.seats)


def test_pokerkit_reads_every_hand_and_agrees_on_the_chips(
    played: tuple[SavedMatch, list[HandRecord]], tmp_path: Path
) -> None:
    saved, records = played
    folder = save_match(tmp_path / "first", saved, records)
    with warnings.catch_warnings():
        # It remarks on folds where checking is free: an agent that broke the rules forfeits its hand so.
        warnings.filterwarnings("ignore", message="There is no reason for this player to fold")
        histories = list(pokerkit.HandHistory.load_all(io.BytesIO((folder / HANDS_FILE).read_bytes())))
        assert len(histories) == len(records)
        for history, record in zip(histories, records, strict=True):
            end = list(history)[-1]
            wanted = [s + p for s, p in zip(record.stacks, record.payoffs, strict=True)]
            assert list(end.stacks) == wanted
            assert not end.status


def test_a_folder_is_never_written_over(played: tuple[SavedMatch, list[HandRecord]], tmp_path: Path) -> None:
    saved, records = played
    save_match(tmp_path / "first", saved, records[:1])
    before = (tmp_path / "first" / HANDS_FILE).read_bytes()
    with pytest.raises(FileError, match="exists"):
        save_match(tmp_path / "first", saved, records)
    assert (tmp_path / "first" / HANDS_FILE).read_bytes() == before
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="file"):
        check_writable(tmp_path / "file" / "below")


def test_a_failure_while_writing_leaves_nothing(played: tuple[SavedMatch, list[HandRecord]], tmp_path: Path) -> None:
    saved, records = played

    def broken() -> Any:
        yield records[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save_match(tmp_path / "first", saved, broken())
    assert list(tmp_path.iterdir()) == []


def test_free_folder_counts_on(tmp_path: Path) -> None:
    assert free_folder("a", tmp_path) == tmp_path / "a"
    (tmp_path / "a").mkdir()
    (tmp_path / "a-2").mkdir()
    assert free_folder("a", tmp_path) == tmp_path / "a-3"


def test_damage_is_one_line(played: tuple[SavedMatch, list[HandRecord]], tmp_path: Path) -> None:
    saved, records = played
    folder = save_match(tmp_path / "first", saved, records[:5])
    with pytest.raises(FileError, match=r"did you mean '.*first'"):
        load_match(tmp_path / "frist")
    with pytest.raises(FileError, match="expected a folder"):
        load_match(tmp_path / "none" / "at all")
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileError, match=r"match.json is missing"):
        load_match(tmp_path / "empty")
    with pytest.raises(FileError, match=r"hands.phhs is missing"):
        load_hands(tmp_path / "empty")
    good = (folder / MATCH_FILE).read_bytes()
    for bad in (good[: len(good) // 2], b"", b"{}", good.replace(b'"seed": 3', b'"seed": "x"'), b"\xff\xfe"):
        (folder / MATCH_FILE).write_bytes(bad)
        with pytest.raises(FileError, match=r"match '.*match.json'") as caught:
            load_match(folder)
        assert "\n" not in str(caught.value)
    text = (folder / HANDS_FILE).read_text(encoding="utf-8")
    for wrong in (text[: len(text) // 2], text.replace("cbr", "cbx", 1), text.replace("starting_stacks", "stacks", 1)):
        (folder / HANDS_FILE).write_text(wrong, encoding="utf-8")
        with pytest.raises(DupaiError) as bad_hand:
            load_hands(folder)
        assert "\n" not in str(bad_hand.value)
    (folder / HANDS_FILE).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(HistoryError, match="not text"):
        load_hands(folder)


# sessions ------------------------------------------------------------------------------------------------------------


def test_a_cash_session_carries_chips_over_and_buys_in_again() -> None:
    session = Session(["raiser", "random", "caller"], blinds=(5, 10), stack=100, seed=2)
    for _ in range(60):
        before = list(session.table.stacks)
        record = session.play_hand()
        assert list(record.stacks) == [before[c] for c in record.seats]
        assert min(session.table.stacks) > 0
    saved = session.close()
    assert saved.format == "cash"
    assert sum(session.won) == 0
    assert sum(p.rebuys for p in saved.players) > 0
    for p in saved.players:
        assert p.chips == 100 * (1 + p.rebuys) + session.won[p.chair]
    assert [p.chair for p in sorted(saved.players, key=lambda p: p.rank)] == sorted(
        range(3), key=lambda c: -session.won[c]
    )


def test_a_reset_session_starts_every_hand_alike(tmp_path: Path) -> None:
    session = Session(["raiser", "random"], blinds=(5, 10), stack=100, seed=2, reset=True)
    for _ in range(20):
        assert session.play_hand().stacks == (100, 100)
    saved = session.close()
    assert (saved.format, saved.hands) == ("reset", 20)
    assert sum(p.chips for p in saved.players) == 200
    assert [p.rebuys for p in saved.players] == [0, 0]
    folder = save_match(tmp_path / "s", saved, session.records)
    assert load_match(folder) == saved
    assert load_hands(folder) == session.records


def test_the_button_of_a_session_goes_round() -> None:
    session = Session(["caller"] * 4, seed=2)
    assert [session.play_hand().seats[-1] for _ in range(6)] == [0, 1, 2, 3, 0, 1]
