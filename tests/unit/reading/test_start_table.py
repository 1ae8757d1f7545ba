"""The table of starting hands: what it counts, how it smooths, what it reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dupai.base import ConfigError, FileError
from dupai.base.arrays import I64
from dupai.cards import CLASS_SIZE, class_index
from dupai.reading import Reader, StartTable, load_reader, shipped_table
from dupai.reading.populations import NAMES
from dupai.rules import Action, GameSpec, HandRecord, HandState
from dupai.training import learn_start_table

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
    table, _ = learn_start_table([hand()])
    lines = {position: line for _, line, position in table.counts}
    assert lines == {"small blind": "f1", "big blind": "r1", "button": "r0c2"}


def test_counts_and_smoothing_by_hand() -> None:
    table, n = learn_start_table([hand()] * 100)
    assert n == 300
    key = next(k for k in table.counts if k[1] == "r1")
    assert NAMES[key[0]] == "online" and key[2] == "big blind"
    dealt = np.asarray(CLASS_SIZE) / 1326
    aces = class_index("AA")

    def more(share: float, worth: float) -> float:
        """The share after 100 times aces, drawn by so many pseudo-hands towards what it was."""
        return (100 + worth * share) / (100 + worth)

    # Towards all alike, in this position, what the population does in any position, and here.
    share = dealt[aces]
    for worth in (200, 300, 1000, 600):
        share = more(share, worth)
    assert table.shares(*key)[aces] == pytest.approx(share)
    # Another population has done nothing of its own.
    assert table.shares(NAMES.index("six-max"), *key[1:])[aces] == pytest.approx(more(more(dealt[aces], 200), 300))
    assert table.shares(*key).sum() == pytest.approx(1)
    assert table.shares(key[0], "r4", "button") == pytest.approx(dealt)


def test_a_small_population_starts_from_its_family_not_from_other_games() -> None:
    pluribus, six_max, deepstack, exploiter = map(NAMES.index, ("Pluribus", "six-max", "DeepStack", "LBR"))
    kings, trash = class_index("KK"), class_index("72o")
    counts = {
        (six_max, "r0", "early"): _hands(kings, 1_000),
        (deepstack, "r0", "heads-up button"): _hands(trash, 50_000),
        (exploiter, "r0", "early"): _hands(trash, 50_000),
    }
    shares = StartTable(counts).shares(pluribus, "r0", "early")
    assert shares[kings] > 0.5
    assert shares[trash] < CLASS_SIZE[trash] / 1326
    # Limit programs are few: everybody's hands come first, then those of all of them.
    counts[NAMES.index("SmooCT"), "r0", "button"] = _hands(kings, 1_000)
    table = StartTable(counts)
    assert (
        table.shares(0, "r0", "button", limit=True)[kings] > table.shares(pluribus, "r0", "button", limit=True)[kings]
    )


def _hands(of: int, times: int) -> I64:
    row = np.zeros(169, np.int64)
    row[of] = times
    return row


@pytest.mark.parametrize("name", ["Pluribus", "six-max", "online", "unknown"])
def test_the_shipped_table_knows_that_early_raises_are_stronger(name: str) -> None:
    strong = [class_index(text) for text in ("AA", "KK", "QQ", "JJ", "TT", "AKs", "AKo", "AQs", "AQo")]
    early, button = (
        shipped_table().shares(NAMES.index(name), "r0", place)[strong].sum() for place in ("early", "button")
    )
    assert early > 1.4 * button


def test_shown_hands_are_a_group_of_their_own() -> None:
    table, n = learn_start_table([hand(known=False)])
    assert n == 1
    (key,) = table.counts
    assert NAMES[key[0]] == "shown"
    # And say nothing of hands in general.
    assert table.shares(NAMES.index("online"), *key[1:]) == pytest.approx(np.asarray(CLASS_SIZE) / 1326)


def test_it_reads_what_it_counted(tmp_path: Path) -> None:
    table, _ = learn_start_table([hand()] * 500)
    table.save(tmp_path / "t.npz")
    reader = load_reader(f"start-table:table={tmp_path / 't.npz'}")
    assert isinstance(reader, Reader)
    view = hand().at(4).view()
    assert reader.read(view, [1])[1].class_p[class_index("AA")] > 0.4
    flop = hand().at(5).view()
    assert reader.read(flop, [1])[1].probability("AhAd") == 0
    nothing = HandState(SPEC).view()
    assert reader.read(nothing, [2])[2].entropy == pytest.approx(np.log2(1326))
    (tmp_path / "bad.npz").write_bytes(b"no")
    with pytest.raises(FileError, match=r"table of starting hands .* is damaged"):
        StartTable.load(tmp_path / "bad.npz")
    with pytest.raises(ConfigError, match="population="):
        load_reader("start-table:population=martians")


def test_the_shipped_table_knows_what_is_raised() -> None:
    reader = load_reader("start-table")
    view = hand().at(3).view()
    read = reader.read(view, [1, 2])
    for seat in (1, 2):
        assert read[seat].class_p[class_index("AA")] > 2 * 6 / 1326 > read[seat].class_p[class_index("72o")]
