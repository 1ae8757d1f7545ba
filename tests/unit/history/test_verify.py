"""Logs replayed: bytes against the Python parser and a naive twin, every kind of damage, blocks, files, the command."""

from __future__ import annotations

import gzip
import json
import lzma
import os
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from dupai.base import ConfigError, DupaiError, FileError, HistoryError, NoProgress, NotationError, Rng, RulesError
from dupai.cli import app, main
from dupai.history import check_record, import_file, verify_file, verify_files
from dupai.notation import check_unstated_rake, format_chips, parse_chips, write_phhs
from dupai.notation.acpc import parse_acpc_line
from dupai.rules import GameSpec, HandRecord, load_game
from naive import history_acpc as naive
from naive.history_hands import random_log, random_record

GOLDEN = Path(__file__).parents[2] / "golden"
TWO = load_game("holdem.nolimit.2p")
SMALL = GameSpec.no_limit(3, (1, 2), 40, odd_chips="acpc", min_raise="acpc")
LIMIT = GameSpec.limit(3, (5, 10), (10, 10, 20, 20), 10_000, odd_chips="acpc", min_raise="acpc")
UNEQUAL = GameSpec.no_limit(4, (1, 2), (31, 7, 90, 3), odd_chips="acpc", min_raise="acpc")
GAMES = {"two": TWO, "small": SMALL, "limit": LIMIT, "unequal": UNEQUAL}


def save(path: Path, lines: list[str], end: str = "\n") -> Path:
    path.write_bytes(("\n".join(lines) + end).encode("utf-8"))
    return path


def twin(line: str, spec: GameSpec) -> bool:
    """Whether the naive twin finds the line legal and its payoffs right."""
    limit = spec.betting == "limit"
    try:
        want = naive.net_results(
            line,
            blinds=spec.blinds,
            stacks=spec.stacks,
            sizes=spec.bet_sizes if limit else None,
            caps=spec.max_raises if limit else None,
        )
        said = [Fraction(parse_chips(p), 2520) for p in line.split(":", 5)[4].split("|")]
    except (naive.Bad, DupaiError):
        return False
    return said == want


def problem_of(line: str, spec: GameSpec) -> str | None:
    """What the Python side says is wrong with a line."""
    try:
        check_record(parse_acpc_line(line, spec))
    except DupaiError as error:
        return str(error)
    return None


@pytest.mark.parametrize("name", list(GAMES))
def test_random_logs_reconcile(name: str, tmp_path: Path) -> None:
    spec = GAMES[name]
    lines = random_log(spec, Rng(5), 300)
    report = verify_file(save(tmp_path / "a.log", lines), spec)
    assert (report.hands, report.mismatches, report.rejected) == (300, 0, 0)
    assert report.ok and not report.problems
    assert all(twin(line, spec) for line in lines)


def damaged(line: str, dice: random.Random, spec: GameSpec) -> str:
    """A line with one thing changed, mostly so that only the rules can tell."""
    head, number, betting, cards, payoffs, names = line.split(":", 5)
    kind = dice.randrange(9)
    if kind == 0:
        k = dice.randrange(len(betting) + 1)
        betting = betting[:k] + dice.choice(["c", "f", "r", "/", "r7", "0", "1"]) + betting[k:]
    elif kind == 1 and betting:
        k = dice.randrange(len(betting))
        betting = betting[:k] + betting[k + 1 :]
    elif kind == 2 and betting:
        k = dice.randrange(len(betting))
        betting = betting[:k] + dice.choice("cfr/0123456789") + betting[k + 1 :]
    elif kind == 3:
        k = dice.randrange(len(cards))
        cards = cards[:k] + dice.choice("23456789TJQKAcdhs|/") + cards[k + 1 :]
    elif kind == 4:
        values = payoffs.split("|")
        dice.shuffle(values)
        payoffs = "|".join(values)
    elif kind == 5:
        values = [parse_chips(v) for v in payoffs.split("|")]
        i, j = dice.sample(range(len(values)), 2)
        by = dice.choice([2520, 1260, 840, 1])
        values[i] += by
        values[j] -= by
        payoffs = "|".join(map(format_chips, values))
    elif kind == 6:
        hands = cards.split("/")[0].split("|")
        i, j = dice.sample(range(spec.players), 2)
        hands[i], hands[j] = hands[j], hands[i]
        cards = "/".join(["|".join(hands), *cards.split("/")[1:]])
    elif kind == 7:
        text = ":".join((head, number, betting, cards, payoffs, names))
        k = dice.randrange(len(text))
        return text[:k] + dice.choice("0123456789rcf/|:AKQs\t é") + text[k + 1 :]
    else:
        text = ":".join((head, number, betting, cards, payoffs, names))
        return text[: dice.randrange(1, len(text))]
    return ":".join((head, number, betting, cards, payoffs, names))


@pytest.mark.parametrize("name", list(GAMES))
def test_bytes_and_parser_and_twin_agree_on_damage(name: str, tmp_path: Path) -> None:
    spec = GAMES[name]
    dice = random.Random(17)
    lines = [damaged(line, dice, spec) for line in random_log(spec, Rng(6), 150) for _ in range(12)]
    lines = [line for line in lines if line.startswith("STATE:")]
    report = verify_file(save(tmp_path / "a.log", lines), spec)
    flagged = {p.line: p for p in report.problems}
    assert len(flagged) == len(report.problems) == report.mismatches + report.rejected
    fine = broken = 0
    for number, line in enumerate(lines, 1):
        said = problem_of(line, spec)
        assert (number in flagged) == (said is not None), line
        if said is not None:
            assert flagged[number].message == said
            broken += 1
        else:
            fine += 1
        # Names and hand numbers do not matter to the twin.
        if line.split(":", 2)[1].isdigit() and all(line.split(":", 5)[-1].split("|")):
            assert twin(line, spec) == (said is None), (line, said)
    assert broken > 800 and fine > 50


def test_a_swapped_winner_is_a_mismatch(tmp_path: Path) -> None:
    lines = ["# match x", *random_log(TWO, Rng(4), 40)]
    k = next(i for i, line in enumerate(lines) if line.count("/") >= 6 and ":0|0:" not in line)
    fields = lines[k].split(":", 5)
    fields[4] = "|".join(reversed(fields[4].split("|")))
    lines[k] = ":".join(fields)
    path = save(tmp_path / "swap.log", lines)
    report = verify_file(path, TWO)
    assert (report.hands, report.mismatches, report.rejected) == (40, 1, 0)
    (problem,) = report.problems
    assert (problem.line, problem.kind) == (k + 1, "mismatch")
    expected = "|".join(reversed(fields[4].split("|")))
    assert str(problem).startswith(f"{path}:{k + 1}: hand {fields[1]}: payoffs {fields[4]}: expected {expected} (")
    # It says who had what.
    assert "Player0: " in problem.message and "Player1: " in problem.message


GOOD = "STATE:3:r300c/cr600f:Ks4h|3h3d/2sKdJc:-300|300:Ann|Bob"


@pytest.mark.parametrize(
    ("bad", "kind", "says"),
    [
        (GOOD.replace("-300|300", "-301|301"), "mismatch", "expected -300|300 (all but position 1 folded)"),
        (GOOD.replace("r300", "r199"), "rejected", "raise to 199 refused: the smallest raise is to 200"),
        (GOOD.replace("r300c", "r300r500c"), "mismatch", "expected -500|500"),
        (GOOD.replace("r300c", "r300r499c"), "rejected", "raise to 499 refused: the smallest raise is to 500"),
        (GOOD.replace("3h3d", "Ks3d"), "rejected", "card Ks stands twice"),
        (GOOD.replace("3h3d", "Xs3d"), "rejected", "'Xs' is not a card"),
        (GOOD[:30], "rejected", "ends in its field 'cards' (4 of 6)"),
        ("hello", "rejected", "'hello' is no line of a log: expected STATE:..., SCORE:... or # and a comment"),
    ],
)
def test_one_bad_line_among_good_ones(bad: str, kind: str, says: str, tmp_path: Path) -> None:
    path = save(tmp_path / "x.log", [GOOD, GOOD, bad, GOOD])
    report = verify_file(path, TWO)
    assert (report.hands, report.mismatches, report.rejected) == ((4, 1, 0) if kind == "mismatch" else (3, 0, 1))
    (problem,) = report.problems
    assert (problem.line, problem.kind) == (3, kind)
    assert says in problem.message
    assert len(str(problem).splitlines()) == 1


def test_a_part_of_a_chip_that_the_game_does_not_have(tmp_path: Path) -> None:
    """Also where a hand at the showdown is unknown, so that the payoffs cannot be worked out."""
    hand = "STATE:0:cc/cc/cc/cc:AcKc|/2c3c4c/5d/6d:50.5|-50.5:a|b"
    casino = GameSpec.no_limit(2, (50, 100), 20_000)
    report = verify_file(save(tmp_path / "x.log", [hand, hand.replace(".5", "")]), casino)
    assert (report.hands, report.mismatches, report.unproven) == (2, 1, 1)
    assert report.problems[0].line == 1
    assert verify_file(tmp_path / "x.log", TWO).unproven == 2


def test_a_log_cut_anywhere_is_noticed(tmp_path: Path) -> None:
    lines = ["# match x", *random_log(TWO, Rng(9), 3, names=["Machine", "Pro06"])]
    text = "\n".join(lines).encode()
    start = text.rfind(b"\n") + 1
    for cut in range(start + 1, len(text)):
        (tmp_path / "cut.log").write_bytes(text[:cut])
        report = verify_file(tmp_path / "cut.log", TWO)
        assert (report.hands, report.mismatches, report.rejected) == (2, 0, 1), text[start:cut]
        assert report.problems[0].line == 4
    # The whole last line without its line end is a hand like the others.
    (tmp_path / "whole.log").write_bytes(text)
    assert verify_file(tmp_path / "whole.log", TWO).hands == 3


def test_small_blocks_change_nothing(tmp_path: Path) -> None:
    dice = random.Random(2)
    lines: list[str] = []
    for line in random_log(SMALL, Rng(12), 120):
        lines += ["", "# note"] if dice.random() < 0.1 else []
        lines.append(damaged(line, dice, SMALL) if dice.random() < 0.2 else line)
    path = save(tmp_path / "a.log", lines)
    whole = verify_file(path, SMALL)
    for block in (1, 50, 300, 5000):
        part = verify_file(path, SMALL, block=block)
        assert part.problems == whole.problems
        assert (part.hands, part.mismatches, part.rejected) == (whole.hands, whole.mismatches, whole.rejected)
    assert whole.hands > 90 < whole.hands + len(whole.problems)


def test_compressed_files_and_line_ends(tmp_path: Path) -> None:
    lines = random_log(TWO, Rng(2), 50)
    text = "\r\n".join(lines).encode() + b"\r\n"
    for name, data in (("a.log.xz", lzma.compress(text)), ("a.log.gz", gzip.compress(text)), ("a.log", text)):
        (tmp_path / name).write_bytes(data)
        report = verify_file(tmp_path / name)
        assert (report.hands, report.ok) == (50, True)
        assert report.game == "holdem.nolimit.2p"


@pytest.mark.parametrize("pack", [lzma.compress, gzip.compress])
def test_a_cut_compressed_file_gives_what_it_holds(pack, tmp_path: Path) -> None:
    lines = random_log(TWO, Rng(2), 2000)
    data = pack(("\n".join(lines) + "\n").encode())
    (tmp_path / "a.bin").write_bytes(data[: len(data) // 2])
    report = verify_file(tmp_path / "a.bin", TWO)
    assert not report.ok
    # The broken stream, and perhaps the line that it broke in.
    assert 1 <= report.rejected <= 2
    assert "cut off or broken" in report.problems[-1].message
    assert report.hands + report.rejected <= report.problems[-1].line + 1


def test_scores_are_added_up(tmp_path: Path) -> None:
    lines = random_log(LIMIT, Rng(31), 25)
    totals = [0, 0, 0]
    for line in lines:
        fields = line.split(":", 5)
        for p, amount in enumerate(fields[4].split("|")):
            totals[(p + int(fields[1])) % 3] += parse_chips(amount)
    score = f"SCORE:{'|'.join(map(format_chips, totals))}:Player0|Player1|Player2"
    path = save(tmp_path / "a.log", [*lines, score])
    assert verify_file(path, LIMIT).ok
    assert verify_file(path, LIMIT, block=100).ok
    totals[0] += 2520
    totals[1] -= 2520
    wrong = f"SCORE:{'|'.join(map(format_chips, totals))}:Player0|Player1|Player2"
    report = verify_file(save(tmp_path / "b.log", [*lines, wrong]), LIMIT)
    assert (report.hands, report.mismatches) == (25, 1)
    assert report.problems[0].line == 26
    assert f"the hands add up to {score.split(':')[1]}" in report.problems[0].message


def test_the_kernels_work_without_compilation(tmp_path: Path) -> None:
    code = (
        "import sys; from dupai.history import verify_file\n"
        "for path in sys.argv[1:]:\n"
        "    r = verify_file(path); print(r.hands, r.mismatches, [p.line for p in r.problems])"
    )
    dice = random.Random(5)
    lines = [damaged(line, dice, TWO) for line in random_log(TWO, Rng(6), 30)]
    paths = [save(tmp_path / "a.log", random_log(TWO, Rng(1), 9) + lines), *sorted(GOLDEN.glob("*.log"))]
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, paths)],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    compiled = [verify_file(path) for path in paths]
    assert done.stdout.splitlines() == [f"{r.hands} {r.mismatches} {[p.line for p in r.problems]}" for r in compiled]
    assert compiled[0].problems


@pytest.mark.parametrize("name", ["heads_up.log", "six.log", "limit3.log"])
def test_golden_logs_verify(name: str) -> None:
    report = verify_file(GOLDEN / name)
    assert report.ok, report.problems
    assert report.hands == (GOLDEN / name).read_text().count("STATE:")


def test_the_header_is_compared_with_the_hands(tmp_path: Path) -> None:
    lines = ["# name/game/hands/seed demo holdem.nolimit.2p.game 9 1", *random_log(TWO, Rng(1), 5)]
    report = verify_file(save(tmp_path / "a.log", lines))
    assert report.ok
    assert report.notes == ("the header announces 9 hands, the file has 5",)


def test_a_log_of_one_hand_is_judged_too(tmp_path: Path) -> None:
    show = "STATE:3:cc/cc/cc/cc:Ks4h|3h3d/2sKdJc/4c/5d:100|-100:Ann|Bob"
    assert verify_file(save(tmp_path / "a.log", [show])).ok
    swapped = verify_file(save(tmp_path / "b.log", [show.replace("100|-100", "-100|100")]))
    assert (swapped.hands, swapped.mismatches, swapped.rejected) == (1, 1, 0)
    assert "expected 100|-100" in swapped.problems[0].message
    with pytest.raises(ConfigError, match=r"b\.log: .* line 1: .*fold refused: there is no bet to fold to"):
        verify_file(save(tmp_path / "b.log", [show.replace("cc/cc/cc/cc", "cc/cc/cc/f")]))
    # The header's game is taken although nothing fits it.
    header = "# name/game/hands/seed x holdem.nolimit.2p.game 1 1"
    report = verify_file(save(tmp_path / "c.log", [header, show.replace("cc/cc/cc/cc", "cc/cc/cc/f")]))
    assert (report.rejected, report.problems[0].line) == (1, 2)


def test_unusual_stakes_are_found(tmp_path: Path) -> None:
    for k, spec in enumerate(
        (
            GameSpec.no_limit(2, (5, 10), 750, odd_chips="acpc", min_raise="acpc"),
            GameSpec.no_limit(4, (25, 50), 3_000, odd_chips="acpc", min_raise="acpc"),
            GameSpec.limit(2, (1, 2), (2, 2, 4, 4), 1_000, odd_chips="acpc", min_raise="acpc"),
        )
    ):
        report = verify_file(save(tmp_path / f"{k}.log", random_log(spec, Rng(k), 400)))
        assert (report.hands, report.ok) == (400, True), report
        assert f"blinds {min(b for b in spec.blinds if b)}/{spec.big_blind}" in report.game


def test_a_showdown_with_unknown_cards_proves_no_winner(tmp_path: Path) -> None:
    fold = GOOD.replace("3h3d", "")
    show = "STATE:3:cc/cc/cc/cc:Ks4h|/2sKdJc/4c/5d:{}:Ann|Bob"
    lines = [fold, show.format("100|-100"), show.format("-100|100"), show.format("200|-200"), show.format("90|-100")]
    report = verify_file(save(tmp_path / "a.log", lines), TWO)
    assert (report.hands, report.mismatches, report.rejected, report.unproven) == (5, 2, 0, 2)
    assert [p.line for p in report.problems] == [4, 5]
    assert "position 1 put in 100 and cannot lose more" in report.problems[0].message
    assert "add up to -10: expected 0" in report.problems[1].message


def test_phh_files_verify(tmp_path: Path) -> None:
    rng = Rng(14)
    records = [random_record(SMALL, rng, hand=k, stacks=(20 + k, 7, 90), names=["a", "b", "c"]) for k in range(40)]
    text = "".join(write_phhs(records))
    (tmp_path / "a.phhs").write_text(text)
    (tmp_path / "a.phhs.xz").write_bytes(lzma.compress(text.encode()))
    for name in ("a.phhs", "a.phhs.xz"):
        report = verify_file(tmp_path / name)
        assert (report.hands, report.ok, report.game) == (40, True, "no-limit, 3 players, blinds 1/2")
    won = next(i for i, r in enumerate(records) if sum(r.shown) > 1 and 0 not in r.payoffs)
    start = text.split(f"[{won + 1}]\n")[1].split("\n[")[0]
    line = next(x for x in start.splitlines() if x.startswith("finishing_stacks"))
    swapped = line.replace("[", "").replace("]", "").removeprefix("finishing_stacks = ").split(", ")
    swapped = [swapped[1], swapped[2], swapped[0]]
    bad = text.replace(start, start.replace(line, f"finishing_stacks = [{', '.join(swapped)}]"))
    # More chips vanish than a house takes, and the file states no rake.
    lost = text.replace(line, line.replace(max(line.split("[")[1].rstrip("]").split(", "), key=int), "1"))
    (tmp_path / "c.phhs").write_text(lost)
    assert verify_file(tmp_path / "c.phhs").mismatches >= 1
    (tmp_path / "b.phhs").write_text(bad.replace("[5]\nvariant", "[5]\nvariety"))
    report = verify_file(tmp_path / "b.phhs")
    assert (report.hands, report.mismatches, report.rejected) == (39, 1, 1)
    assert {(p.line, p.kind) for p in report.problems} == {
        (bad.splitlines().index(f"[{won + 1}]") + 1, "mismatch"),
        (bad.splitlines().index("[5]") + 1, "rejected"),
    }


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ("finishing_stacks = [191, 208, 200]\n", ""),
        ("finishing_stacks = [191, 208, 200]\n_rake = 1.0\n", ""),
        ("finishing_stacks = [191, 208, 200]\n_rake = 3.0\n", "_rake is 3.0: expected 1"),
        ("finishing_stacks = [191, 206, 200]\n", "nobody wins 3 of the 9 lost, and the text says no rake"),
    ],
)
def test_the_rake_of_phh_hands(tmp_path: Path, fields: str, says: str) -> None:
    actions = ["d dh p1 AhKh", "d dh p2 QsQd", "d dh p3 JsJd", "p3 f", "p1 cbr 9", "p2 cbr 30", "p1 f"]
    text = f"""[1]
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 200, 200]
actions = {json.dumps(actions)}
{fields}"""
    path = tmp_path / "x.phhs"
    path.write_text(text)
    report = verify_file(path)
    assert (report.hands, report.mismatches) == (1, int(bool(says)))
    assert not says or says in report.problems[0].message


def test_a_rake_that_is_not_stated_may_be_all_that_a_split_pot_costs() -> None:
    record = parse_acpc_line("STATE:3:cc/cc/cc/cc:AhKs|AdKh/2s3d7c/9c/Td:0|0:Ann|Bob", TWO)

    def raked(each: int) -> HandRecord:
        return msgspec.structs.replace(record, payoffs=(-each * 2520,) * 2, rake=2 * each * 2520)

    check_unstated_rake(raked(10))
    with pytest.raises(NotationError, match="nobody wins 22 of the 22 lost"):
        check_unstated_rake(raked(11))


def test_rake_is_taken_from_winners_only() -> None:
    record = parse_acpc_line("STATE:3:cc/cc/cc/cc:Ks4h|3h3d/2sKdJc/4c/5d:100|-100:Ann|Bob", TWO)

    def paid(a: int, b: int, rake: int) -> HandRecord:
        return msgspec.structs.replace(record, payoffs=(a * 2520, b * 2520), rake=rake * 2520)

    assert check_record(paid(95, -100, 5))
    for wrong in (paid(100, -105, 5), paid(95, -100, 0), paid(95, -95, 5), paid(105, -100, -5), paid(-100, 95, 5)):
        with pytest.raises(HistoryError):
            check_record(wrong)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"missing\.log: cannot be read: No such file"):
        verify_file(tmp_path / "missing.log")
    (tmp_path / "empty.log").write_bytes(b"")
    with pytest.raises(HistoryError, match=r"empty\.log: the file is empty"):
        verify_file(tmp_path / "empty.log")
    save(tmp_path / "text.log", ["some", "text"])
    with pytest.raises(HistoryError, match=r"text\.log: no known poker text; read are PokerStars"):
        verify_file(tmp_path / "text.log")
    good = save(tmp_path / "good.log", random_log(TWO, Rng(1), 5))
    reports = verify_files([tmp_path / "missing.log", good, tmp_path])
    assert [(r.hands, r.rejected) for r in reports] == [(0, 1), (5, 0), (0, 1)]


def test_what_is_no_file_is_refused_with_all_that_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    good = save(tmp_path / "good.log", random_log(TWO, Rng(1), 5))
    import_file(good, tmp_path / "hands")
    for name, says in (
        ("-", "'-' is not a file: "),
        ("missing.log", "'missing.log' is not a file: "),
        ("hands", "'hands' is a store, whose hands were checked when they were imported: "),
    ):
        assert main(["history", "verify", str(good), name]) == 2
        error = capsys.readouterr().err
        assert says in error and error.count("\n") == 1
        for kind in ("ACPC logs", "PHH", "Open Hand History", "texts of poker sites", ".xz", ".gz", "folders"):
            assert kind in error


class _Stop(NoProgress):
    def __init__(self) -> None:
        self.told: list[float] = []

    @property
    def cancelled(self) -> bool:
        return len(self.told) > 1

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self.told.append(done)


def test_stopping_gives_what_was_done(tmp_path: Path) -> None:
    lines = random_log(TWO, Rng(1), 200)
    path = save(tmp_path / "a.log", lines)
    stop = _Stop()
    report = verify_file(path, TWO, progress=stop, block=2000)
    assert not report.complete and not report.ok
    assert 0 < report.hands < 200
    assert report.mismatches == report.rejected == 0


def test_check_record_takes_only_finished_hands() -> None:
    record = parse_acpc_line(GOOD, TWO)
    check_record(record)
    with pytest.raises(RulesError):
        check_record(type(record)(**{f: getattr(record, f) for f in record.__struct_fields__} | {"actions": ()}))


# the command -------------------------------------------------------------------------------------------------------


def command(*args: str):
    return CliRunner().invoke(app, ["history", "verify", *args])


def test_the_command_prints_and_exits(tmp_path: Path) -> None:
    good = save(tmp_path / "good.log", random_log(TWO, Rng(1), 5))
    result = command(str(good))
    assert result.exit_code == 0
    assert f"{good}: 5 hands, 0 mismatches, 0 rejected" in result.stdout
    bad = save(tmp_path / "bad.log", [GOOD, GOOD.replace("-300|300", "300|-300"), GOOD[:20]])
    result = command(str(good), str(bad), "--game", "holdem.nolimit.2p")
    assert result.exit_code == 2
    assert f"mismatch: {bad}:2: hand 3: payoffs 300|-300: expected -300|300" in result.stdout
    assert f"rejected: {bad}:3: " in result.stdout
    assert "total: 7 hands, 1 mismatches, 1 rejected" in result.stdout


def test_the_command_as_json(tmp_path: Path) -> None:
    bad = save(tmp_path / "bad.log", [GOOD, GOOD.replace("-300|300", "300|-300"), GOOD[:20]])
    cut = tmp_path / "cut.log.xz"
    cut.write_bytes(b"this is no xz stream")
    result = command(str(bad), str(cut), "--json")
    assert result.exit_code == 2
    document = json.loads(result.stdout)
    assert (document["hands"], document["mismatches"], document["rejected"]) == (2, 1, 2)
    assert document["seconds"] > 0 and document["complete"] is True
    first, second = document["files"]
    assert [(p["line"], p["kind"]) for p in first["problems"]] == [(2, "mismatch"), (3, "rejected")]
    assert second["problems"][0]["kind"] == "rejected"
