"""Scores of readers: against the metric in plain Python, on the uniform reader, on bad input."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from dupai.base import ConfigError, FileError, NoProgress, Rng
from dupai.cards import COMBO_CARDS
from dupai.cli import main
from dupai.history import file_records
from dupai.jobs import Keeper
from dupai.jobs._serial import SerialPulse
from dupai.notation import write_acpc, write_phhs
from dupai.reading import HAND_CLASSES, Reading, UniformReader
from dupai.reading._start_table import StartTable
from dupai.rules import Action, GameSpec, HandRecord, HandState, View, load_game
from dupai.training import score_readers
from dupai.training._score import _report as report
from dupai.training._score._run import Task, score_file
from naive.reading_score import Case, cases as naive_cases

SIX = GameSpec.no_limit(6, (50, 100), 10_000)
GOLDEN = Path(__file__).parents[2] / "golden"
_HIGH = COMBO_CARDS.astype(np.int64).sum(axis=1) % 13


class Odd:
    """Some reading that differs from view to view, with ties, hands of no weight and great certainty now and then."""

    def __init__(self) -> None:
        self.met: list[Mapping[int, str]] = []
        self.seen: list[HandRecord] = []

    def read(self, view: View, seats: Sequence[int] | None = None) -> Mapping[int, Reading]:
        out = {}
        for seat in seats or ():
            w = (1.0 + _HIGH) ** (len(view.actions) % 9 - 3.0)
            w[(_HIGH + seat + len(view.board)) % 11 == 0] *= 0.0 if view.hand % 3 else 1e-9
            out[seat] = Reading(w)
        return out

    def meet(self, names: Mapping[int, str]) -> None:
        self.met.append(names)

    def observe(self, record: HandRecord) -> None:
        self.seen.append(record)


def scored(path: Path, reader: Any, **more: Any) -> Any:
    task = Task(str(path), (reader,), part="all", observe="nothing")._replace(**more)
    return score_file(task, SerialPulse(lambda *_: True))


def hands(spec: GameSpec, n: int, *, quiet: bool = False) -> list[HandRecord]:
    """Hands played at random by named players who change seats; ``quiet``: those that end without a showdown."""
    out: list[HandRecord] = []
    rng = Rng(7)
    while len(out) < n:
        state = HandState.deal(spec, rng, hand=len(out))
        while not state.finished:
            legal, kind = state.legal, rng.below(7)
            if kind == 0 and legal.fold:
                state.apply(Action.fold())
            elif kind == 1 and legal.max_to:
                most = legal.max_to if rng.below(5) == 0 else min(legal.max_to, legal.min_to + 400)
                state.apply(Action.raise_to(legal.min_to + rng.below(most - legal.min_to + 1)))
            else:
                state.apply(Action.call())
        names = [f"P{(i + len(out)) % spec.players}" for i in range(spec.players)]
        if not (quiet and state.showdown):
            out.append(state.record(names))
    return out


@pytest.mark.parametrize(
    ("game", "n"),
    [
        ("holdem.nolimit.2p", 9),
        ("holdem.limit.3p", 6),
        ("six", 4),
        pytest.param("holdem.nolimit.2p", 80, marks=pytest.mark.slow),
        pytest.param("holdem.limit.3p", 60, marks=pytest.mark.slow),
        pytest.param("six", 60, marks=pytest.mark.slow),
    ],
)
def test_every_case_is_that_of_the_metric_in_plain_python(game: str, n: int, tmp_path: Path) -> None:
    spec = SIX if game == "six" else load_game(game)
    path = tmp_path / "made.log"
    path.write_text("".join(f"{line}\n" for line in write_acpc(hands(spec, n))))
    got = scored(path, Odd(), spec=spec)
    want: list[Case] = []
    seats: dict[str, int] = {}
    for number, record in enumerate(file_records(path, spec)):
        ids = tuple(seats.setdefault(n, len(seats)) for n in record.names)
        want += naive_cases(msgspec.structs.replace(record, seats=ids), number, Odd())
    table = {
        (c[0], c[1], c[2], bool(c[3]), report.VIEWS[c[5]]): np.array(v[0])
        for c, v in zip(got.cases, got.values, strict=True)
    }
    assert len(table) == len(got.cases) == len(want) > 5 * n
    for case in want:
        row = table[case[:5]]
        assert row[0] == pytest.approx(case.bits, abs=1e-9)
        assert row[1] == (case.bits == -20)
        assert tuple(row[2:5]) == pytest.approx(case.covers, abs=1e-9)
        assert tuple(row[5:].astype(bool)) == case.tops
    assert any(c.bits == -20 for c in want)
    assert any(c.folded for c in want)


def test_means_and_clustered_errors() -> None:
    path = GOLDEN / "heads_up.log"
    got = scored(path, Odd())
    rows, pairs = report.summary([got], ["odd"])
    assert not pairs
    for row in rows:
        streets = report.STREET_NAMES[1:] if row.street == "post-flop" else (row.street,)
        mine = [
            (c[0], v[0])
            for c, v, g in zip(got.cases, got.values, got.groups, strict=True)
            if (row.group in g or row.group == "all sets")
            and report.STREET_NAMES[c[2]] in streets
            and (report.VIEWS[c[5]], report.ROWS[c[3]]) == (row.view, row.rows)
        ]
        assert len(mine) == row.cases
        measured = {0: (row.bits, row.se), 2: (row.shares.cover50, row.shares.se50)}
        measured |= {3: (row.shares.cover80, row.shares.se80), 4: (row.shares.cover95, row.shares.se95)}
        for column, (said, error) in measured.items():
            if said is None:
                assert error is None and row.street == "post-flop"
                continue
            mean = math.fsum(v[column] for _, v in mine) / len(mine)
            by_hand: dict[int, float] = {}
            for hand, v in mine:
                by_hand[hand] = by_hand.get(hand, 0.0) + v[column] - mean
            assert said == pytest.approx(mean, abs=1e-12)
            assert error == pytest.approx(math.sqrt(sum(s * s for s in by_hand.values())) / len(mine), abs=1e-12)


@pytest.mark.parametrize("name", ["heads_up.log", "six.log", "limit3.log"])
def test_uniform_knows_nothing_and_knows_it(name: str) -> None:
    result = score_readers(["uniform"], [GOLDEN / name], part="all")
    assert result.complete
    assert result.scores
    assert {r.view for r in result.scores} == {"observer", "seat"}
    assert {r.rows for r in result.scores} == {"main", "folder"}
    for row in result.scores:
        assert row.bits is None or abs(row.bits) < 1e-12
        assert (row.shares.cover50, row.shares.cover80, row.shares.cover95) == pytest.approx(
            (0.5, 0.8, 0.95), abs=1e-12
        )
        assert row.below == 0


def test_readers_meet_persons_and_see_only_what_was_shown() -> None:
    reader = Odd()
    path = GOLDEN / "six.log"
    scored(path, reader, observe="shown")
    records = list(file_records(path))
    assert len(reader.seen) == len(records)
    for seen, record in zip(reader.seen, records, strict=True):
        names = next(dict(m) for m in reader.met if set(m.values()) == set(record.names))
        assert [names[s] for s in seen.seats] == list(record.names)
        shown = record.shown or (False,) * 6
        assert all(s or two == (255, 255) for s, two in zip(shown, seen.hole, strict=True))
    quiet = Odd()
    scored(path, quiet)
    assert not quiet.met
    assert not quiet.seen


def test_an_oracle_is_shown_all_cards_once_a_hand_is_over() -> None:
    reader, oracle = Odd(), Odd()
    path = GOLDEN / "six.log"
    usual = scored(path, reader, observe="shown")
    assert scored(path, oracle, observe="all").cases == usual.cases
    records = list(file_records(path))
    assert [seen.hole for seen in oracle.seen] == [record.hole for record in records]
    assert [seen.seats for seen in oracle.seen] == [seen.seats for seen in reader.seen]
    assert any(seen.hole != record.hole for seen, record in zip(reader.seen, records, strict=True))


class ByClass(UniformReader):
    """Predicts one class with certainty, and knows nothing of hands."""

    def class_shares(self, view: View, seats: Sequence[int] | None = None) -> dict[int, np.ndarray]:
        shares = np.zeros(len(HAND_CLASSES))
        shares[1] = 1.0
        return dict.fromkeys(seats or (), shares)


def test_classes_are_scored_as_predicted_where_a_reader_predicts_them() -> None:
    got = scored(GOLDEN / "six.log", ByClass())
    plain = scored(GOLDEN / "six.log", UniformReader())
    assert got.cases == plain.cases
    # Unpaired high is said to be certain: all other classes tie behind it.
    assert {tuple(v[0][5:]) for v in got.values} == {(1, 1, 1), (0, 1, 1)}
    before = [bool(v[0][5]) for c, v in zip(got.cases, got.values, strict=True) if c[2] == 0]
    assert 0 < sum(before) < len(before)
    assert [v[0][0] for v in got.values] == [v[0][0] for v in plain.values]


def test_parts_add_up_and_pairs_are_on_the_same_cases() -> None:
    path = GOLDEN / "limit3.log"
    counts = {p: score_readers(["uniform"], [path], part=p).hands if p == "all" else 0 for p in ("all",)}
    for part in ("train", "validation", "test"):
        try:
            counts[part] = score_readers(["uniform"], [path], part=part).hands  # type: ignore[arg-type]
        except ConfigError:
            counts[part] = 0
    assert counts["train"] + counts["validation"] + counts["test"] == counts["all"]
    result = score_readers([UniformReader(), Odd()], [path], part="all")
    odd = {(r.group, r.street, r.view, r.rows): r.bits for r in result.scores if r.reader == "Odd"}
    for pair in result.pairs:
        assert (pair.reader, pair.than) == ("Odd", "UniformReader")
        assert pair.bits == pytest.approx(odd[pair.group, pair.street, pair.view, pair.rows], abs=1e-9)


def test_drawn_cases_are_the_same_for_the_same_seed() -> None:
    path = GOLDEN / "six.log"

    def cases(seed: int, most: int | None = 5) -> list[Any]:
        return scored(path, UniformReader(), cases=most, seed=seed).cases  # type: ignore[no-any-return]

    few = cases(1)
    assert few == cases(1)
    assert few != cases(2)
    assert set(few) < set(cases(1, None))
    assert 5 <= len({c[:2] for c in few}) <= 10


def test_hands_without_known_cards(tmp_path: Path) -> None:
    records = [msgspec.structs.replace(r, hole=((255, 255),) * 6) for r in hands(SIX, 3, quiet=True)]
    path = tmp_path / "dark.phhs"
    path.write_text("".join(f"{line}\n" for line in write_phhs(records)))
    with pytest.raises(ConfigError, match=r"dark\.phhs: no hole cards are known in the 3 hands: expected"):
        score_readers(["uniform"], [path], part="all")


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    log = str(GOLDEN / "six.log")
    assert main(["read", "score", "uniform", "--data", log, "--part", "all", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    keys = {"group", "reader", "street", "bits", "se", "cases", "view", "rows", "cover50", "cover80", "cover95"}
    assert keys | {"top1", "top2", "top3"} <= set(document["scores"][0])
    assert main(["read", "score", "uniform", "--data", log, "--part", "all", "--view", "observer"]) == 0
    out = capsys.readouterr().out
    assert "0.000±0.000" in out
    assert "50/80/95" in out
    assert max(map(len, out.splitlines())) <= 80
    # One set is all sets: its table is printed once.
    assert out.count("folded on the street") == 1 and "all sets" not in out
    both = ["--data", log, "--data", str(GOLDEN / "heads_up.log")]
    assert main(["read", "score", "uniform", *both, "--part", "all", "--view", "observer"]) == 0
    assert "all sets: observer's view, folded on the street" in capsys.readouterr().out
    for arguments, said in (
        (["read", "score", "unifrm", "--data", log], "unknown reader 'unifrm': did you mean 'uniform'?"),
        (["read", "score", "uniform", "--data", "nothing.log"], "nothing.log: cannot be read"),
        (["read", "score", "uniform", "uniform", "--data", log], "one is named twice"),
    ):
        assert main(arguments) == 2
        error = capsys.readouterr().err
        assert said in error
        assert error.count("\n") == 1


def test_processes_change_nothing() -> None:
    files = [GOLDEN / "six.log", GOLDEN / "heads_up.log"]
    one = score_readers(["uniform", "fold"], files, part="all")
    two = score_readers(["uniform", "fold"], files, part="all", jobs=2)
    assert two.scores == one.scores
    assert two.pairs == one.pairs
    assert (two.hands, two.refused, two.complete) == (one.hands, one.refused, True)


def test_what_is_kept_is_taken_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dupai.training._score import _run

    files = [GOLDEN / "six.log", GOLDEN / "heads_up.log"]
    whole = score_readers(["uniform", "fold"], files, part="all")
    first = score_readers(["uniform"], files, part="all", keep=tmp_path / "kept")
    with Keeper(tmp_path / "kept" / "scores.pieces", {"pieces": "scores"}) as keeper:
        assert len(keeper.keys()) == 2
    asked: list[tuple[str, ...]] = []
    real = _run.score_file
    monkeypatch.setattr(_run, "score_file", lambda task, look: asked.append(task.readers) or real(task, look))
    both = score_readers(["uniform", "fold"], files, part="all", keep=tmp_path / "kept")
    assert asked == [("fold",), ("fold",)]  # the other was kept
    assert (both.scores, both.pairs, both.hands) == (whole.scores, whole.pairs, whole.hands)
    assert [s for s in both.scores if s.reader == "uniform"] == first.scores
    asked.clear()
    assert score_readers(["uniform", "fold"], files, part="all", keep=tmp_path / "kept") == both
    assert not asked
    score_readers(["uniform"], files, part="all", seed=2, keep=tmp_path / "kept")
    assert len(asked) == 2  # another draw is other work
    asked.clear()
    for hands in ("six.log", "heads_up.log", "heads_up.log"):  # a table counted anew, under the same name
        counts = StartTable()
        for record in file_records(GOLDEN / hands):
            counts.add(record)
        counts.save(tmp_path / "t.npz")
        score_readers([f"start-table:table={tmp_path / 't.npz'}"], files[:1], part="all", keep=tmp_path / "kept")
    assert len(asked) == 2
    asked.clear()
    text = (GOLDEN / "six.log").read_bytes()
    for folder, more in (("a", b"\n"), ("b", b" ")):  # two files of one name and size
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.log").write_bytes(text + more)
        score_readers(["uniform"], [tmp_path / folder / "x.log"], part="all", keep=tmp_path / "kept")
    assert len(asked) == 2
    (tmp_path / "kept" / "scores.pieces").write_bytes(b"half a file")
    with pytest.raises(FileError, match="no file of finished pieces"):
        score_readers(["uniform", "fold"], files, part="all", keep=tmp_path / "kept")


def test_stopped_work_keeps_what_there_is() -> None:
    class Soon:
        looks = 0

        @property
        def cancelled(self) -> bool:
            self.looks += 1
            return self.looks > 2

        def report(self, done: float, total: float | None, note: str = "") -> None:
            return None

    class Slow(UniformReader):
        def read(self, view: View, seats: Sequence[int] | None = None) -> Mapping[int, Reading]:
            time.sleep(0.01)
            return super().read(view, seats)

    whole = score_readers(["uniform"], [GOLDEN / "six.log"], part="all")
    some = score_readers([Slow()], [GOLDEN / "six.log"], part="all", progress=Soon())
    assert not some.complete
    assert 0 < some.hands < whole.hands


class Notes(NoProgress):
    """Keeps what is reported."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self.notes.append(note)


@pytest.mark.parametrize("backend", ["serial", "processes"])
def test_progress_counts_the_cases(backend: str) -> None:
    files, look = [GOLDEN / "six.log", GOLDEN / "heads_up.log"], Notes()
    report = score_readers(["uniform"], files, part="all", backend=backend, jobs=2, progress=look)
    streets = {"pre-flop", "flop", "turn", "river"}
    cases = sum(row.cases for row in report.scores if row.street in streets and row.group != "all sets")
    assert look.notes[-1] == f"{cases:,} cases scored"


def test_a_hand_of_two_files_is_scored_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = hands(load_game("holdem.nolimit.3p"), 20)
    files = [tmp_path / f"{name}.phhs" for name in "ab"]
    for path, some in zip(files, (records[:15], records[5:]), strict=True):
        path.write_text("".join(write_phhs(some)))
    one = tmp_path / "one.phhs"
    one.write_text("".join(write_phhs(records)))
    whole, both = (score_readers(["uniform"], paths, part="all") for paths in ([one], files))
    assert (both.hands, both.again, whole.again) == (whole.hands, 10, 0)
    assert sum(row.cases for row in both.scores) == sum(row.cases for row in whole.scores)
    assert main(["read", "score", "uniform", *(f"--data={path}" for path in files), "--part=all"]) == 0
    assert "10 hands were there already" in capsys.readouterr().err
