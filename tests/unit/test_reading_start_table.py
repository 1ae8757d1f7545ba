"""The table of starting hands: what it counts, how it smooths, what it reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dupai.base import ConfigError, FileError
from dupai.cards import CLASS_SIZE, class_index
from dupai.reading import Reader, load_reader
from dupai.reading._start_table import StartTable, StartTableReader, preflop_lines
from dupai.rules import Action, GameSpec, HandRecord, HandState
from dupai.spots import spot_rows
from dupai.training._tables import learn_start_table

SPEC = GameSpec.no_limit(3, (50, 100), 10_000)


def hand(*, known: bool = True) -> HandRecord:
    """The button raises, the small blind folds, the big blind re-raises, the button calls; check, bet, fold."""
    state = HandState(SPEC, ["7c2d", "AsAd", "KsQs"] if known else [None, "AsAd", None], "AhKd2s")
    for action in (Action.raise_to(300), Action.fold(), Action.raise_to(900), Action.call(), Action.call()):
        state.apply(action)
    state.apply(Action.raise_to(1_500))
    state.apply(Action.fold())
    return state.record()


def test_lines_are_own_actions_with_the_raises_faced() -> None:
    assert preflop_lines(spot_rows(hand()), 3) == ["f1", "r1", "r0c2"]


def test_counts_and_smoothing_by_hand() -> None:
    table, n = learn_start_table([hand()] * 100)
    assert n == 300
    key = next(k for k in table.counts if k[1] == "r1")
    assert key[2] == "big blind"
    dealt = np.asarray(CLASS_SIZE) / 1326
    aces = class_index("AA")
    # 100 times aces: towards all alike by 200, again by 300 pseudo-hands of the line, and of the line in any position.
    line = (100 + 200 * dealt[aces]) / 300
    group = (100 + 300 * line) / 400 if key[0] else line
    assert table.shares(*key)[aces] == pytest.approx((100 + 300 * group) / 400)
    assert table.shares(*key).sum() == pytest.approx(1)
    assert table.shares(key[0], "r4", "button") == pytest.approx(dealt)


def test_shown_hands_are_a_group_of_their_own() -> None:
    table, n = learn_start_table([hand(known=False)])
    assert n == 1
    (key,) = table.counts
    from dupai.reading.populations import NAMES

    assert NAMES[key[0]] == "shown"
    assert not table._sum(None, key[1]).any()  # and say nothing of hands in general


def test_it_reads_what_it_counted(tmp_path: Path) -> None:
    table, _ = learn_start_table([hand()] * 500)
    table.save(tmp_path / "t.npz")
    reader = load_reader(f"start-table:table={tmp_path / 't.npz'}")
    assert isinstance(reader, StartTableReader) and isinstance(reader, Reader)
    view = hand().replay(4).view()
    assert reader.read(view, [1])[1].class_p[class_index("AA")] > 0.4
    flop = hand().replay(5).view()
    assert reader.read(flop, [1])[1].probability("AhAd") == 0
    nothing = HandState(SPEC).view()
    assert reader.read(nothing, [2])[2].entropy == pytest.approx(np.log2(1326))
    (tmp_path / "bad.npz").write_bytes(b"no")
    with pytest.raises(FileError, match="no table"):
        StartTable.load(tmp_path / "bad.npz")
    with pytest.raises(ConfigError, match="population="):
        StartTableReader(population="martians")


def test_the_shipped_table_knows_what_is_raised() -> None:
    reader = load_reader("start-table")
    view = hand().replay(3).view()
    read = reader.read(view, [1, 2])
    for seat in (1, 2):
        assert read[seat].class_p[class_index("AA")] > 2 * 6 / 1326 > read[seat].class_p[class_index("72o")]
