"""The live table of ``dupai run`` with what each player seems to hold beside his seat."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console
from rich.live import Live

from dupai.arena import play_tournament_match, tournament_tasks
from dupai.cli import main
from dupai.cli._live import _SHORT, LiveMatch
from dupai.reading import HAND_CLASSES, load_reader

NAMES = ("raiser:min", "caller", "rules:tight-aggressive", "style:TP", "caller", "fixed", "style:LA", "random")


#: A class of hand with its share.
READ = re.compile(rf"({'|'.join(_SHORT.get(name, name) for name in HAND_CLASSES)}) (\d+)%")


class Kept(LiveMatch):
    """Keeps every frame as text."""

    frames: list[str]

    def _draw(self, always: bool = False) -> None:
        out = io.StringIO()
        Console(file=out, width=80, force_terminal=False).print(self.frame())
        self.__dict__.setdefault("frames", []).append(out.getvalue())


def session(reader: str | None, hands: int = 4) -> Kept:
    task = tournament_tasks(NAMES, hands=hands, matches=1, seed=5)[0]
    live = Live(console=Console(file=io.StringIO(), width=80), auto_refresh=False)
    watch = Kept(task, NAMES, live, 0, None if reader is None else load_reader(reader))
    play_tournament_match(task, None, watch)
    return watch


@pytest.mark.parametrize("reader", ["fold", "uniform"])
def test_each_player_still_in_has_a_reading_beside_his_seat(reader: str) -> None:
    watch = session(reader)
    seen = set()
    for frame in watch.frames:
        lines = frame.splitlines()
        assert all(len(line) <= 80 for line in lines) and len(lines) <= 22
        for line in lines:
            seen.update(re.findall(READ, line))
    assert "read as" in watch.frames[0]
    # Before anybody has acted everybody most likely holds unpaired cards.
    assert [name for name, _ in re.findall(READ, watch.frames[0])] == ["high cards"] * 8
    assert len(seen) >= 2


def test_readings_know_no_hole_card_and_change_with_what_is_done() -> None:
    watch = session("fold", hands=1)
    first, last = watch.frames[0], watch.frames[-1]
    shares = re.findall(READ, first)
    assert len(shares) == 8 and len(set(shares)) == 1  # before anybody has acted all seats read alike
    assert set(re.findall(READ, last)) != set(shares)


def test_without_a_reader_the_table_is_as_it_was() -> None:
    frames = session(None, hands=2).frames
    assert not any("read as" in frame or "%" in frame for frame in frames)


def test_an_unknown_reader_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--reader", "flod", "--seed", "1"]) == 2
    assert "did you mean 'fold'" in capsys.readouterr().err
