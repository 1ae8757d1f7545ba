"""Conversions: nothing is lost in silence, and what both formats can hold comes back as it was."""

from __future__ import annotations

import csv
import gzip
import json
import lzma
import warnings
from itertools import islice
from pathlib import Path

import msgspec
import pytest

from dupai.base import ConfigError, FileError, HistoryError, NoProgress, Rng
from dupai.cli import main
from dupai.history import NoHands, convert_file, file_records, import_file, import_files, text_records, verify_file
from dupai.history.stats import batches
from dupai.notation import format_pokerstars, read_acpc, read_phh, write_acpc, write_phhs
from dupai.notation.acpc import parse_acpc_line
from dupai.rules import GameSpec, HandRecord, load_game
from naive.history_hands import random_log, random_record
from naive.rules_random import random_spec, random_stacks
from support.shared_data import shared_data

TWO = load_game("holdem.nolimit.2p")
LIMIT = load_game("holdem.limit.3p")
CASINO = GameSpec.no_limit(3, (1, 2), 100)


def save(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def phh(path: Path, records: list[HandRecord]) -> Path:
    path.write_text("".join(write_phhs(records)), encoding="utf-8")
    return path


@pytest.mark.parametrize("spec", [TWO, LIMIT], ids=["two", "limit"])
def test_a_log_comes_back_line_for_line(tmp_path: Path, spec: GameSpec) -> None:
    """Sections, comments, scores, blank lines, fractions of chips, and checks written after an all-in."""
    lines = random_log(spec, Rng(3), 120, names=["Ann", "B:o", 'C"y'][: spec.players])
    assert spec is TWO or any("." in line.split(":")[4] for line in lines), "no fraction"
    if spec is TWO:
        lines.append("STATE:120:r20000c/cc/cc/cc:AhKd|7d6d/7s7c2d/3h/4h:-20000|20000:Ann|B:o")
    lines.insert(0, "# name/game/hands/seed x holdem.nolimit.2p.game 3000 1")
    lines.insert(9, "# match A.v.B_r1")
    lines.insert(10, "#match A.v.B_r2")
    lines.insert(30, "")
    lines.insert(31, "SCORE:1|-1:A|B")
    lines.insert(50, "; a remark")
    lines.append("# the end")
    log = save(tmp_path / "x.log", lines)
    report = convert_file(log, tmp_path / "x.phhs", spec)
    hands = sum(line.startswith("STATE") for line in lines)
    assert (report.hands, report.missing, report.lost, report.notes) == (hands, 0, (), ())
    records = list(read_phh((tmp_path / "x.phhs").read_text().split("\n")))
    plain = [msgspec.structs.replace(r, about=()) for r in records]
    assert plain == list(read_acpc(lines, spec))
    report = convert_file(tmp_path / "x.phhs", tmp_path / "back.log")
    assert (report.hands, report.missing, report.lost) == (hands, 0, ())
    assert (tmp_path / "back.log").read_bytes() == log.read_bytes()


@pytest.mark.parametrize("name", ["acpc2014-3p-limit", "pluribus-6max-2019", "lbr-vs-cfrplus-fcpa-100bb"])
def test_real_logs_come_back_line_for_line(tmp_path: Path, name: str) -> None:
    path = shared_data(f"{name}/{name}.log.xz")
    with lzma.open(path, "rt", encoding="utf-8") as file:
        log = save(tmp_path / "x.log", [line.rstrip("\n") for line in islice(file, 400)])
    first = convert_file(log, tmp_path / "x.phhs.xz")
    second = convert_file(tmp_path / "x.phhs.xz", tmp_path / "y.log.gz")
    for report in (first, second):
        assert report.hands > 390
        assert (report.missing, report.lost, report.notes) == (0, (), ())
    assert gzip.decompress((tmp_path / "y.log.gz").read_bytes()) == log.read_bytes()


@pytest.mark.parametrize("name", ["bovada-6max-2019", "live-holdem-phh", "pokerstars-nl50-9max-2021"])
def test_real_phh_hands_come_back(tmp_path: Path, name: str) -> None:
    path = shared_data(f"{name}/{name}.phhs.xz")
    with lzma.open(path, "rt", encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in islice(file, 6000)]
    del lines[max(k for k, line in enumerate(lines) if line.startswith("[")) :]
    sample = save(tmp_path / "x.phhs", lines)
    report = convert_file(sample, tmp_path / "y.phhs")
    records = list(read_phh(lines))
    assert (report.hands, report.missing, report.lost) == (len(records), 0, ())
    assert list(read_phh((tmp_path / "y.phhs").read_text().split("\n"))) == records


def test_what_a_log_cannot_hold_is_left_out_or_said(tmp_path: Path) -> None:
    rng = Rng(5)
    fold = random_record(CASINO, rng, hand=7, names=["a", "b", "c"])
    while any(fold.shown):
        fold = random_record(CASINO, rng, hand=7, names=["a", "b", "c"])
    change = msgspec.structs.replace
    won = fold.payoffs.index(max(fold.payoffs))
    raked = tuple(p - (k == won) for k, p in enumerate(fold.payoffs))
    unknown = tuple((255, 255) for _ in range(3))
    records = [
        change(fold, about=(("venue", '"x"'),), hero=1, section="table 9"),
        change(fold, comment="odd", seats=(2, 0, 1), hole=unknown),
        change(fold, names=(), shown=(False, True, False)),
        change(fold, mucked=(fold.hole[0], (255, 255), (255, 255)), hole=unknown),
        change(fold, payoffs=raked, rake=1),
        random_record(GameSpec.no_limit(3, (1, 2), 100, 1), rng, hand=8),
        random_record(GameSpec.no_limit(3, (1, 2), 90), rng, hand=9),
    ]
    source = phh(tmp_path / "x.phhs", records)
    assert list(read_phh(source.read_text().split("\n"))) == records
    report = convert_file(source, tmp_path / "x.log")
    assert (report.hands, report.missing) == (4, 3)
    reasons = [reason for _, reason in report.left_out]
    assert "no rake" in reasons[0]
    assert "another game" in reasons[1]
    assert "antes 1" in reasons[1]
    assert "stacks 90" in reasons[2]
    seats = 4 if fold.seats != ((0 + 7) % 3, (1 + 7) % 3, (2 + 7) % 3) else 1
    assert dict(report.lost) == {
        "site, table, date and other fields": 1,
        "who recorded the hand": 1,
        "seats (a log's go round with the hand number)": seats,
        "comments": 1,
        "that the players have no names (written as p1, p2, ...)": 1,
        "who showed the hole cards": 1,
        "cards published after the hand": 1,
        "sections": 1,
    }
    assert len(report.notes) == 1
    assert "read it with --game" in report.notes[0]
    lines = (tmp_path / "x.log").read_text().splitlines()
    assert [line.split(":")[3].split("/")[0] for line in lines if line.startswith("STATE")][1] == "||"
    for line in lines:
        if line.startswith("STATE"):
            assert parse_acpc_line(line, CASINO).actions == fold.actions


def test_every_kind_of_record_survives_phh(tmp_path: Path) -> None:
    rng = Rng(6)
    records = []
    while len(records) < 120:
        spec = random_spec(rng)
        record = random_record(spec, rng, hand=len(records), stacks=random_stacks(rng, spec))
        records.append(record)
    kept = [r for r in records if r.spec.betting != "pot-limit"]
    report = convert_file(phh(tmp_path / "x.phhs", kept), tmp_path / "y.phhs")
    assert (report.hands, report.missing, report.lost) == (len(kept), 0, ())
    assert list(read_phh((tmp_path / "y.phhs").read_text().split("\n"))) == kept


def test_a_store_is_written_out(tmp_path: Path) -> None:
    lines = ["# match a v b", *random_log(TWO, Rng(1), 40), "# match c v d", *random_log(TWO, Rng(2), 40)]
    log = save(tmp_path / "x.log", lines)
    import_file(log, tmp_path / "store", TWO)
    report = convert_file(tmp_path / "store", tmp_path / "y.log")
    assert (report.hands, report.missing, report.lost) == (80, 0, ())
    assert (tmp_path / "y.log").read_text() == log.read_text()
    assert list(write_acpc(read_acpc(lines, TWO))) == lines


def test_bad_hands_are_left_out_with_line_and_reason(tmp_path: Path) -> None:
    lines = random_log(TWO, Rng(1), 5)
    lines.insert(2, "STATE:9:cc:|:0|0:A|B")
    report = convert_file(save(tmp_path / "x.log", lines), tmp_path / "x.phhs", TWO)
    assert (report.hands, report.missing) == (5, 1)
    assert report.left_out[0][0] == 3
    text = (tmp_path / "x.phhs").read_text().replace("[2]\nvariant", "[2]\nvariable")
    (tmp_path / "bad.phhs").write_text(text)
    report = convert_file(tmp_path / "bad.phhs", tmp_path / "bad.log")
    assert (report.hands, report.missing) == (4, 1)
    assert report.left_out[0][1] == "variant is missing"
    assert text.split("\n")[report.left_out[0][0] - 1] == "[2]"


def test_a_game_is_chosen_by_as_many_hands_as_verification_looks_at(tmp_path: Path) -> None:
    """The stacks show only in hand 450: every reader finds them, and a log of such hands says that it has a game."""
    fold = "STATE:{}:f:AhKd|7d6d:50|-50:A|B"
    lines = [fold.format(k) for k in range(450)]
    lines.append("STATE:450:r10000c///:AhKd|7d6d/7s7c2d/3h/4h:-10000|10000:A|B")
    log = save(tmp_path / "x.log", lines)
    assert verify_file(log).game.endswith("stacks 10000")
    report = convert_file(log, tmp_path / "x.phhs")
    assert (report.hands, report.missing) == (451, 0)
    assert {record.spec.stacks for record in file_records(tmp_path / "x.phhs")} == {(10_000, 10_000)}
    back = convert_file(tmp_path / "x.phhs", tmp_path / "back.log")
    assert (back.hands, back.notes) == (451, ())


def test_targets_are_whole_or_not_there(tmp_path: Path) -> None:
    log = save(tmp_path / "x.log", random_log(TWO, Rng(1), 300))

    class Stop(NoProgress):
        reports = 0

        def report(self, done: float, total: float | None, note: str = "") -> None:
            Stop.reports += 1

        @property
        def cancelled(self) -> bool:
            return Stop.reports > 0

    report = convert_file(log, tmp_path / "x.phhs", TWO, progress=Stop())
    assert not report.complete
    with pytest.raises(ConfigError, match=r"a \.phh file holds one hand"):
        convert_file(log, tmp_path / "x.phh", TWO)
    with pytest.raises(FileError, match="is there already"):
        convert_file(log, log, TWO, force=True)
    with pytest.raises(FileError, match="cannot be written"):
        convert_file(log, tmp_path / "none" / "x.phhs", TWO)
    with pytest.raises(FileError, match="cannot be read"):
        convert_file(tmp_path / "none.log", tmp_path / "x.phhs")
    nothing = phh(tmp_path / "rake.phhs", [random_record(GameSpec.no_limit(3, (1, 2), 100, 1), Rng(1))])
    with pytest.raises(HistoryError, match=r"no hand of it can be written.*no antes"):
        convert_file(nothing, tmp_path / "x.log.xz")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["rake.phhs", "x.log"]
    one = save(tmp_path / "one.log", random_log(TWO, Rng(1), 1))
    assert convert_file(one, tmp_path / "one.phh", TWO).hands == 1
    assert (tmp_path / "one.phh").read_text().startswith("variant")


def test_convert_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = save(tmp_path / "x.log", [*random_log(TWO, Rng(1), 5), "STATE:9:cc:|:0|0:A|B"])

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["history", "convert", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    code, out, _ = run(str(log), str(tmp_path / "x.phhs"), "--game", "holdem.nolimit.2p")
    assert code == 2
    assert f"left out: {log}:6: " in out
    assert "5 hands written, 1 left out" in out
    code, out, err = run(str(log), str(tmp_path / "x.phhs"))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "--force" in err
    code, out, _ = run(str(tmp_path / "x.phhs"), str(tmp_path / "y.log"), "--json")
    assert code == 0
    assert json.loads(out)["hands"] == 5
    assert (tmp_path / "y.log").read_text() == "".join(log.read_text().splitlines(keepends=True)[:5])


def test_a_missing_source_is_said_also_where_the_target_is_there(tmp_path: Path) -> None:
    goal = tmp_path / "there.phhs"
    goal.write_text("")
    with pytest.raises(FileError, match="missing"):
        convert_file(tmp_path / "missing.log", goal, force=True)


# other programs' formats ---------------------------------------------------------------------------------------------


def _mixed(hands: int) -> list[HandRecord]:
    """Random hands of two to ten players: antes, short stacks, limit and no-limit, both rules for odd chips."""
    rng = Rng(7)
    specs = (random_spec(rng, betting=("no-limit", "limit")[k % 3 == 0]) for k in range(hands))
    return [
        random_record(spec, rng, hand=k, names=[f"n{i} x" for i in range(spec.players)]) for k, spec in enumerate(specs)
    ]


def test_open_hand_history_brings_every_hand_back(tmp_path: Path) -> None:
    records = _mixed(150)
    source, target = phh(tmp_path / "x.phhs", records), tmp_path / "x.ohh"
    report = convert_file(source, target)
    fractions = [r for r in records if any(p % r.spec.split for p in r.payoffs)]
    # Where a short all-in opens the betting again by ACPC's rule, the casino's refuses what follows.
    refused = [why for _, why in report.left_out if "do not reopen" in why]
    assert report.missing == len(fractions) + len(refused) and len(refused) < 3 and report.hands > 140
    assert {name for name, _ in report.lost} <= {"rules of the game"}
    back = list(file_records(target))
    numbers = {r.hand for r in back}
    whole = [r for r in records if r.hand in numbers]
    for one, other in zip(whole, back, strict=True):
        assert (one.actions, one.hole, one.board, one.stacks) == (other.actions, other.hole, other.board, other.stacks)
        assert [p // one.spec.split for p in one.payoffs] == [p // other.spec.split for p in other.payoffs]
    document = json.loads(target.read_text().split("\n\n")[0])["ohh"]
    assert document["spec_version"] == "1.4.6" and document["bet_limit"]["bet_type"] in ("NL", "FL")
    pot = document["pots"][0]
    assert pot["amount"] == pot["rake"] + sum(win["win_amount"] for win in pot["player_wins"])
    assert verify_file(target).ok and import_file(target, tmp_path / "store").hands == report.hands


def _ohh(**changes: object) -> dict[str, object]:
    """A hand as another program writes it: cents, seats with gaps, raises as chips put in."""
    players = [("Hero", 3, 100.0), ("Vill", 5, 80.5), ("Out", 8, 50.0), ("Btn", 9, 10.25)]
    acts = [("Post SB", 0, 0.5), ("Post BB", 1, 1), ("Raise", 3, 3), ("Call", 0, 2.5), ("Fold", 1, None)]
    deal = {"action_number": 9, "player_id": 0, "action": "Dealt Cards", "cards": ["Ah", "Kh"]}
    rows = [{"player_id": p, "action": a, **({"amount": x} if x else {})} for a, p, x in acts]
    flop = [{"player_id": 0, "action": "Bet", "amount": 2}, {"player_id": 3, "action": "Raise", "amount": 5},
            {"player_id": 0, "action": "Raise", "amount": 97 - 2}, {"player_id": 3, "action": "Fold"}]  # fmt: skip
    hand = {
        "spec_version": "1.4.6", "site_name": "Site", "network_name": "Net", "game_number": "77", "game_type": "Holdem",
        "start_date_utc": "2026-02-02T20:17:51.970Z", "table_name": "T", "table_size": 9, "currency": "USD",
        "small_blind_amount": 0.5, "big_blind_amount": 1, "ante_amount": 0, "bet_limit": {"bet_type": "NL"},
        "dealer_seat": 9, "hero_player_id": 0,
        "players": [{"id": i, "name": n, "seat": s, "starting_stack": x} for i, (n, s, x) in enumerate(players)],
        "rounds": [
            {"id": 0, "street": "Preflop", "cards": [], "actions": [*rows[:2], deal, *rows[2:]]},
            {"id": 1, "street": "Flop", "cards": ["Tc", "9c", "8c"], "actions": flop},
        ],
        "pots": [{"number": 0, "amount": 17, "rake": 0.5, "player_wins": [{"player_id": 0, "win_amount": 16.5}]}],
    }  # fmt: skip
    return {"ohh": hand | changes}


def test_open_hand_history_of_another_program(tmp_path: Path) -> None:
    to = _ohh()
    to["ohh"]["rounds"][1]["actions"][2]["amount"] = 97  # type: ignore[index]
    to["ohh"]["game_number"] = "78"  # type: ignore[index]
    bad = [_ohh(game_type="Omaha"), _ohh(pots=[]), {"ohh": {}}, {"x": 1}]
    texts = [json.dumps(_ohh(), indent=2), json.dumps(to), *map(json.dumps, bad)]
    file = tmp_path / "a.ohh"
    file.write_text("\n\n".join(texts) + "\n")
    rejected: list[tuple[int, str]] = []
    plain, raised_to = file_records(file, rejected=lambda line, why: rejected.append((line, why)))
    for record in (plain, raised_to):
        assert record.names == ("Hero", "Vill", "Btn") and record.seats == (2, 4, 8) and record.hero == 0
        assert record.stacks == (10000, 8050, 1025) and record.payoffs == (850, -100, -800) and record.rake == 50
    assert dict(plain.about)["venue"] == '"Site"' and dict(plain.about)["_unit"] == '"cent"'
    lines = len(texts[0].split("\n")) + 2
    assert [line for line, _ in rejected] == [lines + 2 * k for k in range(1, 5)]
    for (_, why), words in zip(
        rejected, ("Omaha: not hold'em", "rake", "lacks a field", "no hand of Open"), strict=True
    ):
        assert words in why and "\n" not in why


def test_pokerstars_text_comes_back_and_another_parser_reads_the_same_money(tmp_path: Path) -> None:
    notation = pytest.importorskip("pokerkit.notation")
    rng = Rng(11)
    records = [
        random_record(random_spec(rng, betting="no-limit", antes=False, min_raise="casino"), rng, hand=k + 1)
        for k in range(60)
    ]
    records = [msgspec.structs.replace(r, names=tuple(f"a{i}" for i in range(r.spec.players))) for r in records]
    target = tmp_path / "x.txt"
    report = convert_file(phh(tmp_path / "x.phhs", records), target, hero="a0")
    assert report.hands + report.missing == 60 and report.hands >= 57
    written = {hand.hand: hand for hand in file_records(target)}
    assert len(written) == report.hands and all(hand.hero == 0 for hand in written.values())
    same = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for hand in notation.PokerStarsParser()(target.read_text(), parse_value=int, error_status=True):
            record = records[hand.hand - 1]
            assert hand.players == list(record.names)
            same += list(list(hand)[-1].payoffs) == [p // record.spec.split for p in record.payoffs]
    assert same >= report.hands - 1, "PokerKit pays odd chips its own way"


def test_pokerstars_text_of_any_game_comes_back(tmp_path: Path) -> None:
    """Limit and no-limit, antes, short stacks: our own reader finds the same hand and the same money."""
    records = [r for r in _mixed(150) if not any(p % r.spec.split for p in r.payoffs)]
    report = convert_file(phh(tmp_path / "x.phhs", records), tmp_path / "x.txt")
    # In one hand a short all-in opens the betting again, by ACPC's rule only.
    assert report.missing == 1 and report.hands > 140
    numbers = {r.hand: r for r in records}
    for back in file_records(tmp_path / "x.txt"):
        record = numbers[back.hand]
        assert (back.actions, back.board, back.stacks, back.names) == (
            record.actions, record.board, record.stacks, record.names
        )  # fmt: skip
        assert [p // back.spec.split for p in back.payoffs] == [p // record.spec.split for p in record.payoffs]


def test_a_row_for_each_decision(tmp_path: Path) -> None:
    records = _mixed(20)
    convert_file(phh(tmp_path / "x.phhs", records), tmp_path / "x.csv")
    rows = list(csv.DictReader((tmp_path / "x.csv").read_text().splitlines()))
    assert len(rows) == sum(len(r.actions) for r in records)
    hand = records[3]
    mine = [row for row in rows if row["hand"] == "3"]
    assert [row["player"] for row in mine] == [hand.names[int(row["position"])] for row in mine]
    assert {row["action"] for row in rows} == {"fold", "check", "call", "bet", "raise"}
    assert all(int(row["to_call"]) == 0 for row in rows if row["action"] in ("check", "bet"))


@pytest.mark.parametrize("name", ["x.xlsx", "x", "x.pdf.xz"])
def test_an_unknown_suffix_is_refused(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    source = phh(tmp_path / "a.phhs", _mixed(2))
    assert main(["history", "convert", str(source), str(tmp_path / name)]) == 2
    error = capsys.readouterr().err
    assert "is no format of hands: expected .log (an ACPC log)" in error and error.count("\n") == 1
    assert not (tmp_path / name).exists()


UNKNOWN = ["some\ntext", "# Notes\n\nof a session\n", '{"a": 1}', "<html>", "%PDF-1.7\n\0\1", "a #1: hand\n# b"]


@pytest.mark.parametrize("text", UNKNOWN)
def test_an_unknown_text_is_named_at_every_door(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path := tmp_path / "x.txt").write_text(text)
    says = "no known poker text; read are PokerStars, .*, Open Hand History, PHH and ACPC logs"
    doors = {
        "import": lambda: import_file(path, tmp_path / "store"),
        "verify": lambda: verify_file(path),
        "convert": lambda: convert_file(path, tmp_path / "y.phhs"),
        "read": lambda: list(file_records(path, rejected=lambda line, reason: None)),
        "stats": lambda: list(batches(path)),
        "uploads": lambda: list(text_records(text, rejected=lambda line, reason: None)),
    }
    for door in doors.values():
        with pytest.raises(HistoryError, match=says):
            door()
    for command in ("history stats", "history verify", "read hand", f"history import --store {tmp_path / 's'}"):
        assert main([*command.split(), str(path)]) in (1, 2)
        out = capsys.readouterr()
        assert "no known poker text" in out.out + out.err


#: How summaries of tournaments begin, as the sites wrote them.
SUMMARIES = [
    "PokerStars Tournament #734703906, No Limit Hold'em\nBuy-In: $2.00/$0.20 USD\n348 players\n",
    "\ufeff\nFull Tilt Tournament #1571041343, No Limit Hold'em\nBuy-In: 870/130\n",
    "Full Tilt Poker Tournament Summary $5 Sit & Go (Super Turbo) (253843023) Hold'em No Limit (6 Handed)\n",
    "Winamax Poker - Tournament summary : W SERIES Event 102(191089502)\nPlayer : Ann\nBuy-In : 9€ + 1€\n",
    "***** Cassava Tournament Summary *****\nTournament ID: 70041324\nBuy-In: $0.90 + $0.10\n",
    "Tournament #79561209, Daily Hyper $5, Hold'em No Limit\nBuy-in: $4.6+$0.4\n123 Players\n",
]


@pytest.mark.parametrize("text", SUMMARIES)
def test_a_tournament_summary_has_no_hands_and_is_no_failure(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path := tmp_path / "a.txt").write_text(text, "utf-8")
    says = "a tournament summary: it has no hands"
    for door in (
        lambda: import_file(path, tmp_path / "store"),
        lambda: verify_file(path),
        lambda: list(file_records(path, rejected=lambda line, reason: None)),
        lambda: list(batches(path)),
    ):
        with pytest.raises(NoHands, match=says):
            door()
    with pytest.raises(HistoryError, match=says):
        list(text_records(text, rejected=lambda line, reason: None))
    # In a folder beside hands it takes one line, and all is well.
    hands = tmp_path / "b.txt"
    hands.write_text(format_pokerstars(random_record(TWO, Rng(1), names=["Ann", "Bo"])))
    for command in ("history import --store {here}/s", "history verify", "history stats", "read hand"):
        assert main([*command.format(here=tmp_path).split(), str(tmp_path)]) == 0
        out = capsys.readouterr()
        lines = " ".join((out.out + out.err).split())
        assert lines.count(f"skipped: {path}: {says}") == lines.count("skipped") == 1, command
        assert "no known poker text" not in lines
    assert main(["history", "verify", str(tmp_path), "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)["files"]
    assert (first["hands"], first["rejected"], first["notes"]) == (0, 0, [says]) and second["hands"] == 1
    [skipped] = import_files([path], tmp_path / "s")
    assert (skipped.status, skipped.notes, skipped.error) == ("skipped", (says,), "")
    # Alone it gives no statistics, and a text that goes on with hands is not skipped.
    assert main(["history", "stats", str(path)]) == 2
    assert says in capsys.readouterr().err
    path.write_text(text + "\n" * 20_000 + hands.read_text(), "utf-8")
    assert verify_file(path).hands == 1


def test_a_text_is_known_by_its_content(tmp_path: Path) -> None:
    (path := tmp_path / "x.txt").write_text("\n".join(write_phhs([random_record(TWO, Rng(1))])))
    assert len(list(file_records(path))) == 1
    (path := tmp_path / "y.txt").write_text("# a log\n; that has only begun\n")
    with pytest.raises(ConfigError, match="hand"):
        list(text_records(path.read_text(), rejected=lambda line, reason: None))
