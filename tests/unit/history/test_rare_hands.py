"""Hands and files that are rare: short antes, a name in two seats, late blinds, unknown boards, logs cut off."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path

import pytest

from dupai.base import HistoryError, Rng
from dupai.cli import main
from dupai.history import convert_file, file_records, find_hands, import_file, import_files, verify_file
from dupai.history.stats import PlayerStats, StatsTable, batches, find_leaks, record_batches
from dupai.notation import write_phhs
from dupai.reading import load_reader
from dupai.rules import Action, GameSpec, HandRecord, HandState, load_game
from naive.history_hands import random_log

TWO = load_game("holdem.nolimit.2p")


def _played(spec: GameSpec, actions: list[Action], hole: list[str], stacks: tuple[int, ...]) -> HandRecord:
    state = HandState(spec, hole, "KhQhJc4s5s", stacks)
    for action in actions:
        state.apply(action)
    return state.record([f"P{i}" for i in range(spec.players)])


def _phh(path: Path, *fields: str) -> Path:
    path.write_text("\n".join(["[1]", 'variant = "NT"', "min_bet = 2", *fields]) + "\n", encoding="utf-8")
    return path


BLINDS = ("antes = [0, 0]", "blinds_or_straddles = [1, 2]", "starting_stacks = [20, 10]")
FOLDED = 'actions = ["d dh p1 AsKd", "d dh p2 7c7d", "p2 f"]'


def _won(record: HandRecord) -> list[tuple[int, int]]:
    table = StatsTable()
    table.update(record)
    counts = [table.player(name) for name in record.names]
    return [(c.estimate("wsd").successes, c.estimate("wwsf").successes) for c in counts]


def test_an_ante_that_comes_back_is_no_win() -> None:
    # The other is all-in for half the ante, and wins.
    spec = GameSpec.no_limit(2, (50, 100), 10_000, 10)
    record = _played(spec, [], ["2c3d", "AsAd"], (10_000, 5))
    assert record.payoffs == (-5, 5)
    assert _won(record) == [(0, 0), (1, 1)]
    # A third player calls the big blind: he and the loser of the main pot share nothing but the side pot.
    three = GameSpec.no_limit(3, (50, 100), 10_000, 10)
    record = _played(three, [Action.call()] * 8, ["2c3d", "7h8h", "AsAd"], (10_000, 10_000, 5))
    assert [w for w, _ in _won(record)] == [0, 1, 1] and record.payoffs == (-110, 100, 10)


def test_the_stored_pot_leaves_out_an_ante_that_comes_back(tmp_path: Path) -> None:
    spec = GameSpec.no_limit(2, (50, 100), 10_000, 10)
    log = tmp_path / "a.phhs"
    log.write_text("".join(write_phhs([_played(spec, [], ["2c3d", "AsAd"], (10_000, 5))])))
    store = tmp_path / "s"
    import_file(log, store)
    from dupai.history import Store

    assert Store(store).rows("select pot from hands") == [(10,)]


def test_others_are_those_of_the_same_hands(tmp_path: Path) -> None:
    mine, theirs = tmp_path / "mine.log", tmp_path / "theirs.log"
    mine.write_text("\n".join(random_log(TWO, Rng(1), 150, names=["Ann", "Bo"])) + "\n")
    theirs.write_text("\n".join(random_log(TWO, Rng(2), 150, names=["Cy", "Di"])) + "\n")
    alone = find_leaks(batches(str(mine)), "Ann", least=10)
    both = find_leaks(chain(batches(str(mine)), batches(str(theirs))), "Ann", least=10)
    assert both == alone


def test_few_hands_and_equal_results_have_no_interval(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [f"STATE:{i}:f:AsKd|7c7d:100|-100:Ann|Bo" for i in range(12)]
    for hands in (1, 12):
        log = tmp_path / f"{hands}.log"
        log.write_text("\n".join(lines[:hands]) + "\n")
        report = find_leaks(batches(str(log)), "Bo")
        assert (report.low, report.high, report.more_hands) == (None, None, None)
        assert all((x.low, x.high, x.more_hands) == (None, None, None) for x in report.lines)
        assert main(["history", "leaks", str(log), "--player", "Bo"]) == 0
        assert "(too few hands for an interval)" in capsys.readouterr().out
        assert "(" not in str(report).splitlines()[0]


def test_a_name_in_two_seats(tmp_path: Path) -> None:
    log = tmp_path / "self.log"
    log.write_text("\n".join(random_log(TWO, Rng(3), 40, names=["Ann", "Ann"])) + "\n")
    records = list(file_records(str(log)))
    table = StatsTable()
    for batch in record_batches(records):
        table.add(batch)
    live = PlayerStats("Ann")
    for record in records:
        live.update(record)
    assert live.hands == table.player("Ann").hands == 80
    assert (live.counts == table.player("Ann").counts).all()
    from dupai.history import Store

    import_file(log, tmp_path / "s")
    ids, total = find_hands(Store(tmp_path / "s"), player="Ann", limit=15)
    assert (len(ids), len(set(ids)), total) == (15, 15, 40)


def test_a_log_cut_off_in_its_last_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = random_log(TWO, Rng(4), 20, names=["Ann", "Bo12"])
    last = [k for k, line in enumerate(lines) if line.endswith("Bo12")][-1]
    whole, log = tmp_path / "whole.log", tmp_path / "cut.log"
    whole.write_text("\n".join(lines[: last + 1]))
    log.write_text("\n".join(lines[: last + 1]).removesuffix("2"))
    for file, rejected in ((whole, 0), (log, 1)):
        verified = verify_file(str(file))
        assert len(verified.problems) == rejected
        hands = verified.hands
        assert sum(len(batch.players) for batch in batches(str(file))) == hands
        if rejected:
            with pytest.raises(HistoryError, match="cut off: its last line has no end, and its last name is 'Bo1'"):
                list(file_records(str(file)))
        else:
            assert len(list(file_records(str(file)))) == hands
        report = convert_file(file, tmp_path / f"{file.stem}.phhs")
        assert (report.hands, report.missing) == (hands, rejected)
    assert "Bo1'" not in (tmp_path / "cut.phhs").read_text()
    assert main(["history", "stats", str(log)]) == 0
    said = capsys.readouterr()
    assert "Bo1 " not in said.out and "the log is cut off: its last line has no end" in said.err


def test_what_is_done_on_an_unknown_board_teaches_nothing(tmp_path: Path) -> None:
    file = _phh(
        tmp_path / "x.phhs",
        "antes = [0, 0, 0]", "blinds_or_straddles = [1, 2, 0]", "starting_stacks = [200, 200, 200]",
        'actions = ["d dh p1 ????", "d dh p2 ????", "d dh p3 AsAd", "p3 cbr 6", "p1 f", "p2 cc", "d db ??????",'
        ' "p2 cc", "p3 cbr 8", "p2 f"]',
        'players = ["Ann", "Bo", "Cy"]',
    )  # fmt: skip
    (record,) = file_records(str(file))
    for spec in ("bucket", "model"):
        load_reader(spec).observe(record)
    from dupai.reading.bucket import BucketModel

    model = BucketModel()
    model.observe(record)
    assert {counted.street for hand in model._players["seat 2"].hands for counted in hand} == {0}


def test_who_acts_first_after_a_blind_posted_late(tmp_path: Path) -> None:
    """A smaller blind further on does not move the first action, as in PokerKit."""
    pokerkit = pytest.importorskip("pokerkit")
    text = _phh(
        tmp_path / "x.phhs",
        "antes = [0, 0, 0, 0, 0]", "blinds_or_straddles = [1, 2, 0, 1, 0]",
        "starting_stacks = [200, 200, 200, 200, 200]",
        f"actions = {[*(f'd dh p{k} ????' for k in range(1, 6)), 'p3 f', 'p4 f', 'p5 f', 'p1 f']}",
    )  # fmt: skip
    (record,) = file_records(str(text))
    assert record.payoffs == (-1, 2, 0, -1, 0)
    state = tuple(pokerkit.HandHistory.loads(text.read_text().split("\n", 1)[1]))[-1]
    assert [s - 200 for s in state.stacks] == list(record.payoffs)
    assert GameSpec.no_limit(5, (1, 2, 0, 1), 200).first_player[0] == 2
    assert GameSpec.no_limit(5, (1, 2, 4), 200).first_player[0] == 3


def test_a_hand_in_which_nobody_decides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = _phh(
        tmp_path / "x.phhs", "antes = [0, 0]", "blinds_or_straddles = [1, 2]", "starting_stacks = [2, 1]",
        'actions = ["d dh p1 AsKd", "d dh p2 7c7d", "p1 sm AsKd", "p2 sm 7c7d", "d db 2c3d9h", "d db Jc", "d db 4s"]',
        'players = ["Ann", "Bo"]',
    )  # fmt: skip
    assert main(["read", str(file), "--reader", "uniform"]) == 0
    said = capsys.readouterr().out
    assert "nobody decided anything" in said and "Ann held AsKd" in said
    pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'dupai[report]'")
    assert main(["read", str(file), "--reader", "uniform", "--png", str(tmp_path / "a.png")]) == 2
    assert "there is nothing to draw" in capsys.readouterr().err


def test_sections_and_names_with_line_ends(tmp_path: Path) -> None:
    players = 'players = ["Ann\u2028x", "Bo"]'
    file = _phh(tmp_path / "x.phhs", *BLINDS, FOLDED, players, "finishing_stacks = [21, 9]")
    report = convert_file(file, tmp_path / "y.phhs")
    assert (report.hands, report.missing, report.lost) == (1, 0, ())
    assert next(iter(file_records(str(tmp_path / "y.phhs")))).names == ("Ann\u2028x", "Bo")
    record = next(iter(file_records(str(_phh(tmp_path / "s.phhs", *BLINDS, FOLDED, '_section = "match a\\nb"')))))
    assert record.section == "match a\nb"
    report = convert_file(tmp_path / "s.phhs", tmp_path / "s.log")
    assert report.missing or "# match a b\n" in (tmp_path / "s.log").read_text()


def test_negative_hand_numbers_are_refused_alike(tmp_path: Path) -> None:
    file = _phh(tmp_path / "x.phhs", *BLINDS, FOLDED, "hand = -5")
    (problem,) = verify_file(str(file)).problems
    assert "hand = -5: expected a number from 0 to 9223372036854775807" in problem.message


def test_the_second_import_counts_nothing_as_new(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "x.log"
    log.write_text("\n".join([*random_log(TWO, Rng(5), 10, names=["Ann", "Bo"]), "nonsense"]) + "\n")
    counts = []
    for _ in range(2):
        main(["history", "import", str(log), "--store", str(tmp_path / "s"), "--json"])
        document = json.loads(capsys.readouterr().out)
        counts.append((document["hands"], document["rejected"], document["files"][0]["status"]))
    assert counts == [(10, 1, "imported"), (0, 0, "unchanged")]
    assert import_files([str(log)], tmp_path / "s")[0].rejected == 1
