"""A hand of a site is a hand once: in a store, over files, of an older store, and seen by two players."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupai.history import Store, file_records, import_file
from dupai.history.stats import Seen, batches
from support.site_sample import SHOWDOWN

OTHER = SHOWDOWN.replace("228695023643", "228695023699")
#: The same hand as Ann B recorded it.
BY_ANN = SHOWDOWN.replace("Dealt to Bob [7c 7d]", "Dealt to Ann B [Qd Tc]")


def write(folder: Path, name: str, *hands: str) -> Path:
    path = folder / name
    path.write_text("\n\n\n".join(hands))
    return path


def test_a_grown_file_and_an_overlapping_one(tmp_path: Path) -> None:
    store = tmp_path / "store"
    first = import_file(write(tmp_path, "a.txt", SHOWDOWN), store)
    assert (first.hands, first.again) == (1, 0)
    grown = import_file(write(tmp_path, "b.txt", SHOWDOWN, OTHER), store)
    assert (grown.status, grown.hands, grown.again, grown.rejected) == ("imported", 1, 1, 0)
    whole = import_file(write(tmp_path, "c.txt", OTHER, SHOWDOWN, OTHER), store)
    assert (whole.hands, whole.again) == (0, 3)
    assert sorted(r.hand for r in Store(store).records()) == [228695023643, 228695023699]


def test_half_a_hand_at_the_end_waits(tmp_path: Path) -> None:
    report = import_file(write(tmp_path, "a.txt", SHOWDOWN, OTHER[: OTHER.index("*** RIVER")]), tmp_path / "store")
    assert (report.hands, report.rejected) == (1, 0)
    assert "waits for the rest" in report.notes[0]


def test_two_recordings_are_one_hand_with_the_cards_of_both(tmp_path: Path) -> None:
    fold = SHOWDOWN.replace("Dealt to Bob [7c 7d]\n", "").replace(
        "Ann B: shows [Qd Tc] (two pair, Aces and Queens)\n", ""
    )
    store = tmp_path / "store"
    import_file(write(tmp_path, "a.txt", fold), store)
    assert import_file(write(tmp_path, "b.txt", SHOWDOWN), store).again == 1
    [record] = Store(store).records()
    assert record.hole[record.names.index("Bob")] != (255, 255)
    assert record.hole[record.names.index("Ann B")] != (255, 255)
    assert record.shown[record.names.index("Bob")] is False


def test_once_over_files_and_in_one(tmp_path: Path) -> None:
    path = write(tmp_path, "a.txt", SHOWDOWN, OTHER, SHOWDOWN)
    assert len(list(file_records(path))) == 2
    seen = Seen()
    more = write(tmp_path, "b.txt", OTHER)
    assert len([batch for p in (path, more) for batch in batches(p, seen=seen)]) == 1
    assert seen.again == 2


@pytest.mark.parametrize("text", [BY_ANN])
def test_the_key_knows_no_recorder(text: str, tmp_path: Path) -> None:
    assert len(list(file_records(write(tmp_path, "a.txt", SHOWDOWN, text)))) == 1
