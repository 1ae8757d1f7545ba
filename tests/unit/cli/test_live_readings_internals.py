"""The screen of ``dupai run``: what it shows of a reading, at every width, and what it says at showdown."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from rich.console import Console
from rich.live import Live

from dupai.arena.tournament import play_tournament_match, tournament_tasks
from dupai.cards import CLASS_TEXT, COMBO_CLASS, NO_CARD, combo
from dupai.cli import _live as live, main
from dupai.cli._live import LiveMatch
from dupai.cli._run import seated_names
from dupai.cli._scene import Scene, Score, Seat
from dupai.cli._screen import frame
from dupai.notation import word_of
from dupai.reading import HAND_CLASSES, Reading, UniformReader
from dupai.rules import View

NAMES = ("raiser:min", "caller", "rules", "style:TP", "raiser:half", "fixed", "style:LA", "random")


@dataclass
class Session:
    scenes: list[Scene] = field(default_factory=list)
    match: LiveMatch | None = None


def session(reader: str | None, hands: int = 4) -> Session:
    kept = Session()

    class Kept(LiveMatch):
        def _draw(self, scene: Scene, pause: float) -> None:
            kept.scenes.append(scene)

    task = tournament_tasks(NAMES, hands=hands, matches=1, seed=5)[0]
    screen = Live(console=Console(file=io.StringIO(), width=80), auto_refresh=False)
    kept.match = Kept(task, seated_names(task), screen, None, reader)
    play_tournament_match(task, None, kept.match)
    return kept


@pytest.fixture(scope="module")
def played() -> Session:
    return session("fold", 6)


def text(scene: Scene, width: int) -> str:
    return "\n".join(line.plain for line in frame(scene, width))


@pytest.mark.parametrize("width", [60, 80, 100, 120, 160, 200])
def test_every_width_has_a_layout_that_fits_24_lines(played: Session, width: int) -> None:
    for scene in played.scenes:
        lines = frame(scene, width)
        assert len(lines) <= 23 and all(line.cell_len <= width for line in lines)
        shown = text(scene, width)
        assert f"fold reads {scene.villain}" in shown
        assert "AKs" in shown and "72o" in shown
        for seat in scene.seats:
            # A name is cut only where the players have 40 columns.
            assert seat.name[:17] in shown and (width in (80, 120, 160, 200) or seat.name in shown)
    grids = {60: 1, 80: 1, 100: 1, 120: 2, 160: 3, 200: 3}[width]
    most = max(text(scene, width).count("KQo") for scene in played.scenes)
    assert most == min(grids, max(len(s.glances) for s in played.scenes))


def test_a_reading_shrinks_with_what_is_done(played: Session) -> None:
    start = next(s for s in played.scenes if s.glances[-1].when == "nobody has acted")
    assert start.glances[-1].likely > 1000
    last = [s.glances[-1] for s in played.scenes if s.ended and s.board]
    assert last and min(g.likely for g in last) < 600
    for scene in played.scenes:
        streets = [glance.when for glance in scene.glances]
        assert streets == [s for s in ("nobody has acted", "pre-flop", "flop", "turn", "river") if s in streets]
        assert streets[0] == "nobody has acted"
        assert {name for name, _ in scene.glances[-1].made} <= set(HAND_CLASSES)
        assert word_of(scene.glances[-1].made[0][0]) in text(scene, 80)


def test_the_true_hand_is_framed_at_showdown_and_scored(played: Session) -> None:
    assert played.match is not None
    shown = [scene for scene in played.scenes if scene.truth is not None]
    assert shown and all(scene.ended for scene in shown)
    for scene in shown:
        truth = scene.truth
        assert truth is not None
        record = next(r for r in played.match.records if r.hand == scene.hand)
        assert truth.cards == tuple(record.hole[record.names.index(scene.villain)])
        assert truth.square == COMBO_CLASS[combo(*truth.cards)]
        framed = [
            span for line in frame(scene, 80) for span in line.spans if str(span.style) == "bold black on bright_white"
        ]
        assert len(framed) == 1
        assert CLASS_TEXT[truth.square] in text(scene, 80)
        assert f"({truth.reader:+.2f} bits)" in text(scene, 120)
        assert f"{2**truth.reader:.1f} x as likely" in text(scene, 80)
    last = played.scenes[-1].score
    assert last.shown == sum(sum(r.shown) for r in played.match.records) > 1
    times = [2 ** (bits / last.shown) for bits in (last.reader, last.table)]
    assert f"fold {times[0]:.2f} x as likely, start-table {times[1]:.2f} x" in text(played.scenes[-1], 80)


def test_the_score_has_the_error_of_its_gain_over_the_table() -> None:
    score = Score().more(1.0, 0.0).more(3.0, 1.0).more(2.0, 2.0)
    # Gains of 1, 2 and 0: mean 1, standard error 1 / sqrt(3).
    assert score.words("fold") == "3 shown: fold 4.00 x as likely, start-table 2.00 x; +1.00 ± 1.13 bits"
    assert "±" not in Score().more(1.0, 0.0).words("fold")


def test_hole_cards_are_seen_only_when_they_are_shown(played: Session) -> None:
    for scene in played.scenes:
        assert scene.ended or (scene.truth is None and not any(seat.cards for seat in scene.seats))


def test_names_have_the_room_they_need() -> None:
    seats = tuple(Seat(f"rules:loose-aggressive-{k}", 12_000, "all-in 12,000") for k in range(10))
    scene = Scene(1, 9, "20/40", 1, 10, (), 60, seats, "model", seats[0].name)
    assert all(seat.name in text(scene, 200) for seat in seats)
    assert len(frame(scene, 60)) <= 25


def test_without_a_reader_there_is_no_grid() -> None:
    played = session(None, 2)
    assert not any("AKs" in text(s, 80) or "%" in text(s, 80) for s in played.scenes)
    assert all("no reader" in text(s, 80) for s in played.scenes)
    assert played.scenes[-1].score == Score()


def test_an_unknown_reader_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--reader", "flod", "--seed", "1"]) == 2
    assert "did you mean 'fold'" in capsys.readouterr().err


def test_the_reader_sees_no_hole_card_even_at_showdown(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []

    class Nosy(UniformReader):
        def read(self, view: View, seats: Sequence[int] | None = None) -> Mapping[int, Reading]:
            seen.append(any(NO_CARD not in view.hole_of(p) for p in range(view.spec.players)))
            return super().read(view, seats)

    monkeypatch.setattr(live, "load_reader", lambda spec: Nosy())
    kept = session("uniform", 6)
    assert any(scene.truth is not None for scene in kept.scenes)
    assert seen and not any(seen)
